use crate::record::{Event, SensorCrossing};
use crate::space::Space;
use crate::world::BodyId;
use std::fmt;
use std::ops::ControlFlow;

/// Which events a listener subscribes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Interest {
    /// Everything.
    All,
    /// All collisions.
    Collisions,
    /// All balls that go into sensors or out of them.
    SensorOverlaps,
    /// All balls that begin to slide, roll, spin, rest or fly.
    Transitions,
    /// All changes from outside.
    Edits,
    /// Contacts of measurable duration that end.
    Releases,
    /// Collisions and overlaps that involve a body.
    Body(BodyId),
    /// Collisions and overlaps of two bodies with each other.
    Pair(BodyId, BodyId),
}

impl Interest {
    /// Whether an event is of interest.
    pub fn in_event<S: Space>(self, event: &Event<'_, S>) -> bool {
        let pair = match *event {
            Event::Collision(collision) => Some((collision.a, collision.b)),
            Event::Entered(SensorCrossing { ball, sensor, .. })
            | Event::Left(SensorCrossing { ball, sensor, .. }) => Some((ball, sensor)),
            Event::Transition(transition) => {
                Some((transition.ball, transition.on.unwrap_or(transition.ball)))
            }
            Event::Released(release) => Some((release.a, release.b)),
            Event::Edited(_) | Event::Action(_) | Event::Underway(_) => None,
        };
        match (self, pair) {
            (Interest::All, _) => true,
            (Interest::Collisions, _) => matches!(event, Event::Collision(_)),
            (Interest::SensorOverlaps, _) => matches!(event, Event::Entered(_) | Event::Left(_)),
            (Interest::Transitions, _) => matches!(event, Event::Transition(_)),
            (Interest::Releases, _) => matches!(event, Event::Released(_)),
            (Interest::Edits, _) => matches!(event, Event::Edited(_)),
            (Interest::Body(id), Some((a, b))) => id == a || id == b,
            (Interest::Pair(x, y), Some((a, b))) => (x, y) == (a, b) || (y, x) == (a, b),
            (Interest::Body(_) | Interest::Pair(..), None) => false,
        }
    }
}

type Callback<'a, S> = Box<dyn FnMut(&Event<'_, S>) -> ControlFlow<()> + 'a>;

/// Listeners to events, in the order in which they subscribed.
///
/// ```
/// use carom::prelude::*;
/// use carom::simulate::{Interest, Subscribers};
/// use std::ops::ControlFlow;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World2::new();
/// for x in [0.0, 3.0] {
///     world.add(Body::free(Shape::ball(0.5)?).mass(1.0).at(DVec2::new(x, 0.0)).velocity(DVec2::new(1.0 - x, 0.0)))?;
/// }
/// let mut run = Simulation::new(world)?;
/// let mut count = 0;
/// let mut subscribers = Subscribers::new();
/// subscribers.subscribe(Interest::Body(BodyId(1)), |_| {
///     count += 1;
///     ControlFlow::Continue(())
/// });
/// run.run_with(10.0, |event| subscribers.notify(event))?;
/// drop(subscribers);
/// assert_eq!(count, 1);
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
pub struct Subscribers<'a, S: Space> {
    list: Vec<(Interest, Callback<'a, S>)>,
}

impl<'a, S: Space> Subscribers<'a, S> {
    /// No listeners.
    pub fn new() -> Self {
        Subscribers { list: Vec::new() }
    }

    /// Adds a listener; if it breaks off, the run ends.
    pub fn subscribe(
        &mut self,
        interest: Interest,
        callback: impl FnMut(&Event<'_, S>) -> ControlFlow<()> + 'a,
    ) -> &mut Self {
        self.list.push((interest, Box::new(callback)));
        self
    }

    /// Calls every listener that the event is of interest to, and breaks off if any of them does.
    pub fn notify(&mut self, event: &Event<'_, S>) -> ControlFlow<()> {
        let mut told = ControlFlow::Continue(());
        for (interest, callback) in &mut self.list {
            if interest.in_event(event) && callback(event).is_break() {
                told = ControlFlow::Break(());
            }
        }
        told
    }
}

impl<S: Space> fmt::Debug for Subscribers<'_, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let interests = self.list.iter().map(|(interest, _)| interest);
        formatter.debug_list().entries(interests).finish()
    }
}
