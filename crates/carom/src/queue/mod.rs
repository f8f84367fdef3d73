//! In what order?
//!
//! Events are ordered by time, then by kind, then by the ids of the bodies: a total order, so that a run gives the same
//! events however they came into the queue.
//!
//! A queued event is a prediction, not a truth. Each body has a counter that moves whenever its flight changes; an
//! event remembers the counters it was predicted from and is dropped when they no longer agree.

mod calendar;
mod heap;

pub use calendar::{CalendarQueue, Due, Plans, Popped};
pub use heap::HeapQueue;

use crate::body::BodyId;
use std::cmp::Ordering;

/// What is predicted to happen. The order of the variants is that of events at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// A pair begins to touch.
    Contact,
    /// A ball leaves a periodic box on one side and comes in on the other. Both ids are its own.
    Wrap,
    /// Nothing: a pair whose search was cut off has to be looked at again.
    LookAgain,
    /// The trajectory segment that a ball is on comes to its end. Both ids are its own.
    SegmentEnd,
    /// Nothing: a ball leaves the cell that it is looked for in. Both ids are its own.
    CellEnd,
}

/// A prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// World time, s.
    pub time: f64,
    /// What is to happen.
    pub kind: EventKind,
    /// The free ball.
    pub a: BodyId,
    /// The other body.
    pub b: BodyId,
    /// The counters of the two when this was predicted.
    pub counters: [u32; 2],
}

impl Event {
    /// Which of two events comes first. Times are numbers, never NaN.
    pub fn order(&self, other: &Event) -> Ordering {
        self.time
            .total_cmp(&other.time)
            .then_with(|| (self.kind, self.a, self.b).cmp(&(other.kind, other.a, other.b)))
    }
}
