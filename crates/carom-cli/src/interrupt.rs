//! Ctrl-C ends a run cleanly; a second one ends the command at once.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit status of what a person has interrupted, as shells have it.
pub const STATUS: u8 = 130;

/// Whether somebody wants the run to end.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. Where the system does not allow that, signals do what they always do.
    pub fn listen() -> Self {
        let interrupt = Interrupt::default();
        for signal in [SIGINT, SIGTERM] {
            let at_once =
                flag::register_conditional_shutdown(signal, STATUS.into(), interrupt.0.clone());
            if at_once.is_ok() {
                let _ = flag::register(signal, interrupt.0.clone());
            }
        }
        interrupt
    }

    pub fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
