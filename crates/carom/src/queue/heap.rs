use super::Event;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The plain queue: a binary heap with everything that was ever predicted and has not been popped.
#[derive(Clone, Debug, Default)]
pub struct HeapQueue {
    heap: BinaryHeap<Entry>,
}

/// An event, ordered so that the earliest is the greatest.
#[derive(Clone, Copy, Debug)]
struct Entry(Event);

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.order(&self.0)
    }
}

impl HeapQueue {
    /// Adds a prediction.
    pub fn push(&mut self, event: Event) {
        self.heap.push(Entry(event));
    }

    /// The earliest prediction, left where it is.
    pub fn peek(&self) -> Option<&Event> {
        self.heap.peek().map(|entry| &entry.0)
    }

    /// Takes the earliest prediction out.
    pub fn pop(&mut self) -> Option<Event> {
        self.heap.pop().map(|entry| entry.0)
    }

    /// How many predictions there are, stale ones included.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Drops every prediction that `keep` does not want.
    pub fn retain(&mut self, mut keep: impl FnMut(&Event) -> bool) {
        self.heap.retain(|entry| keep(&entry.0));
    }
}

#[cfg(test)]
mod tests {
    use super::super::EventKind;
    use super::*;
    use crate::body::BodyId;

    #[test]
    fn the_order_is_time_then_kind_then_ids() {
        let event = |time, kind, a, b| Event {
            time,
            kind,
            a: BodyId(a),
            b: BodyId(b),
            counters: [0, 0],
        };
        use EventKind::{Contact, LookAgain};
        let sorted = [
            event(0.5, LookAgain, 9, 9),
            event(1.0, Contact, 0, 2),
            event(1.0, Contact, 1, 0),
            event(1.0, Contact, 1, 2),
            event(1.0, LookAgain, 0, 1),
            event(2.0, Contact, 0, 1),
        ];
        let mut queue = HeapQueue::default();
        for index in [3, 0, 5, 2, 4, 1] {
            queue.push(sorted[index]);
        }
        let popped: Vec<Event> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(popped, sorted);
    }
}
