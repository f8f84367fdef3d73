//! Ending a run from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A token that ends runs, from another thread or a signal handler.
///
/// Clones are one and the same token. A run that was given one
/// ([`Simulation::set_cancel`](super::Simulation::set_cancel)) looks at it before each event or step, and where
/// planning takes long, within that. It then ends with [`End::Cancelled`](super::End::Cancelled): between two events,
/// so that states, budgets and snapshots are those of the clock, and it can go on, to the same bits, once it has
/// another token or none. How soon that is: after one event, one search for a contact of one pair or one step,
/// milliseconds for worlds of some thousands of bodies. What goes over all bodies at once (the start, steps of a
/// million balls, planning them all anew) is not cut short.
///
/// ```
/// use carom::prelude::*;
/// use carom::simulate::Cancel;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World2::new();
/// world.add(Body::free(Shape::ball(0.5)?).mass(1.0).velocity(DVec2::X))?;
/// world.add(Body::free(Shape::ball(0.5)?).mass(1.0).at(DVec2::new(3.0, 0.0)))?;
/// let mut run = Simulation::new(world)?;
/// let cancel = Cancel::new();
/// run.set_cancel(Some(cancel.clone()));
/// // Usually another thread does that, during the run.
/// cancel.cancel();
/// assert_eq!(run.run_until(10.0)?, End::Cancelled);
/// run.set_cancel(None);
/// assert_eq!(run.run_until(10.0)?, End::Time);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Not cancelled yet.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// Cancelled by setting this flag: for signal handlers.
    pub fn from_flag(flag: Arc<AtomicBool>) -> Self {
        Cancel(flag)
    }

    /// Ends all runs that were given this token, or a clone of it.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Whether a run that may have a token is to end.
#[inline(always)]
pub(super) fn is_wanted(cancel: &Option<Cancel>) -> bool {
    cancel.as_ref().is_some_and(Cancel::is_cancelled)
}
