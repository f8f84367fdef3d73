//! The calendar pops what the heap pops, also where many are due at one instant.

use super::super::{Event, EventKind, HeapQueue};
use super::*;
use crate::body::BodyId;
use std::cell::Cell;

fn random(seed: &mut u64) -> u64 {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    *seed >> 33
}

type Rank = Option<(EventKind, BodyId, BodyId)>;

/// What each member does next, with the number of its plan as its counter.
struct Table {
    events: Vec<Event>,
    asked: Cell<u64>,
}

impl Plans for Table {
    type Rank = Rank;

    fn due(&self, member: u32) -> (f64, u32) {
        let event = &self.events[member as usize];
        (event.time, event.counters[0])
    }

    fn rank(&self, due: &Due) -> Rank {
        self.asked.set(self.asked.get() + 1);
        let event = &self.events[due.member as usize];
        (event.counters[0] == due.stamp).then_some((event.kind, event.a, event.b))
    }
}

/// The next of all days.
fn pop(calendar: &mut CalendarQueue<Rank>, table: &Table) -> Option<Due> {
    loop {
        match calendar.pop_before(f64::INFINITY, table) {
            Popped::Due(due) => return Some(due),
            Popped::Later => return None,
            Popped::NoneToday if calendar.turn_page(table) => {}
            Popped::NoneToday => return None,
        }
    }
}

impl Table {
    fn new(members: u32) -> Self {
        let nothing = |member: u32| Event {
            time: f64::INFINITY,
            kind: EventKind::Contact,
            a: BodyId(member),
            b: BodyId(member),
            counters: [0, member],
        };
        Table {
            events: (0..members).map(nothing).collect(),
            asked: Cell::new(0),
        }
    }

    /// Gives a member another plan, in both queues.
    fn plan(
        &mut self,
        member: u32,
        (time, kind): (f64, EventKind),
        calendar: &mut CalendarQueue<Rank>,
        heap: &mut HeapQueue,
    ) {
        let event = &mut self.events[member as usize];
        (event.time, event.kind) = (time, kind);
        event.counters[0] += 1;
        heap.push(*event);
        let stamp = event.counters[0];
        if time < f64::INFINITY {
            let due = Due {
                time,
                member,
                stamp,
            };
            calendar.push(due, self);
        }
    }

    /// The next of the heap that is still true.
    fn next_of(&self, heap: &mut HeapQueue) -> Option<Event> {
        loop {
            let event = heap.pop()?;
            if event == self.events[event.counters[1] as usize] && event.time < f64::INFINITY {
                return Some(event);
            }
        }
    }
}

/// The same plans and pops on both queues, times at many scales, many of them equal, many put off.
fn same_pops(interval: f64, spread: fn(u64) -> f64) {
    const MEMBERS: u32 = 97;
    let mut seed = 3;
    let mut heap = HeapQueue::default();
    let mut calendar = CalendarQueue::new(MEMBERS as usize, 0.0, interval);
    let mut table = Table::new(MEMBERS);
    let mut now = 0.0;
    let popped = |calendar: &mut CalendarQueue<Rank>, table: &Table| {
        let due = pop(calendar, table);
        due.map(|due| table.events[due.member as usize])
    };
    for _ in 0..20_000 {
        if random(&mut seed).is_multiple_of(2) {
            let member = random(&mut seed) as u32 % MEMBERS;
            let kind = [EventKind::Contact, EventKind::LookAgain][random(&mut seed) as usize % 2];
            let time = now + spread(random(&mut seed));
            table.plan(member, (time, kind), &mut calendar, &mut heap);
        } else {
            let event = popped(&mut calendar, &table);
            assert_eq!(event, table.next_of(&mut heap));
            if let Some(event) = event {
                now = event.time;
                let nothing = (f64::INFINITY, event.kind);
                table.plan(event.counters[1], nothing, &mut calendar, &mut heap);
            }
        }
        if random(&mut seed).is_multiple_of(1000) {
            calendar = CalendarQueue::new(32, now, interval * 3.0);
            for member in 0..MEMBERS {
                let (time, stamp) = table.due(member);
                if time < f64::INFINITY {
                    let due = Due {
                        time,
                        member,
                        stamp,
                    };
                    calendar.push(due, &table);
                }
            }
        }
    }
    while let Some(event) = table.next_of(&mut heap) {
        assert_eq!(popped(&mut calendar, &table), Some(event));
        let nothing = (f64::INFINITY, event.kind);
        table.plan(event.counters[1], nothing, &mut calendar, &mut heap);
    }
    assert_eq!(popped(&mut calendar, &table), None);
}

#[test]
fn it_pops_what_the_heap_pops() {
    for interval in [1e-12, 1e-3, 0.1, 1.0, 1e9] {
        same_pops(interval, |random| (random % 16) as f64 * 0.25);
        same_pops(interval, |random| random as f64 * 1e-9);
        same_pops(interval, |random| 1e3 / (1.0 + (random % 100_000) as f64));
    }
    // Far beyond any number of days.
    same_pops(1e-9, |random| {
        if random.is_multiple_of(5) {
            1e300
        } else {
            (random % 7) as f64
        }
    });
}

/// A million balls exactly on a lattice took 45 s: each push looked at all that were due at the same instant.
/// Counted are ranks asked for.
#[test]
fn a_crowd_at_one_instant_takes_few_looks() {
    let number = 20_000_u32;
    let mut table = Table::new(2 * number);
    let mut heap = HeapQueue::default();
    let mut calendar = CalendarQueue::new(number as usize, 0.0, 1e-6);
    // All now, in the order that is worst for a list whose first is last; all at one later instant; and as each
    // comes up, again at that instant.
    let kind = EventKind::Contact;
    for member in 0..2 * number {
        let time = if member < number { 0.0 } else { 1.0 };
        table.plan(member, (time, kind), &mut calendar, &mut heap);
    }
    for popped in 0..3 * number {
        let first = pop(&mut calendar, &table);
        let first = first.map(|due| table.events[due.member as usize]);
        assert_eq!(first, table.next_of(&mut heap));
        let member = first.expect("there are more").counters[1];
        let time = if popped < number { 1.0 } else { f64::INFINITY };
        table.plan(member, (time, kind), &mut calendar, &mut heap);
    }
    assert_eq!(pop(&mut calendar, &table), None);
    // Once or so for each that comes, and some for each that goes, as long as the lanes are full: n²/2 would be
    // 2·10⁸.
    let asked = table.asked.get();
    assert!(asked < 40 * 3 * u64::from(number), "{asked}");
}
