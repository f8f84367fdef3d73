//! A calendar: the fast queue.
//!
//! Time is cut into short intervals, the *days*. An entry is dropped unsorted into the list of its day; only the entries of
//! the present day are kept in order. With a few entries a day, adding and taking out cost the same however many entries there
//! are. Days further ahead than the calendar has pages wait in a heap of loose notes that is looked through
//! once each time the pages have been turned over.
//!
//! Nothing is ever taken out before its time: whoever pushes an entry that replaces another recognises the old one when it
//! comes up. The order at one instant is the caller's, who ranks the entries, so that they follow the same total order as in
//! [`HeapQueue`](super::HeapQueue); the day of a time is a monotone function of it, so the width of a day
//! has no influence on the order.
//!
//! No width of a day parts what is due at one instant, as it is everywhere in a lattice by symmetry. So the entries of a crowded day are ranked once each and go into
//! a heap: n of them take n log n steps, where keeping them in order one by one would take n².

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// What a calendar can hold.
pub trait Entry: Copy {
    /// When it is due, s. A number, not NaN.
    fn time(&self) -> f64;
}

impl Entry for super::Event {
    fn time(&self) -> f64 {
        self.time
    }
}

#[derive(Clone, Copy, Debug)]
struct Note<E> {
    entry: E,
    next: u32,
}

/// The end of a list.
const NONE: u32 = u32::MAX;

/// Entries a day aimed at: fewer, and empty days cost time; more, and sorting them does.
const ENTRIES_A_DAY: f64 = 1.5;

/// More entries of one day than this are a crowd.
const CROWD: usize = 64;

/// An entry with its rank as it was when it came. That is as good as its rank now, as long as it is live; and when one that is not comes up is all the same.
#[derive(Clone, Copy, Debug)]
struct Ranked<E, K> {
    rank: K,
    entry: E,
}

impl<E: Entry, K: Ord> Ord for Ranked<E, K> {
    fn cmp(&self, other: &Self) -> Ordering {
        let times = self.entry.time().partial_cmp(&other.entry.time());
        times
            .unwrap_or(Ordering::Equal)
            .then_with(|| self.rank.cmp(&other.rank))
    }
}

impl<E: Entry, K: Ord> PartialOrd for Ranked<E, K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E: Entry, K: Ord> PartialEq for Ranked<E, K> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<E: Entry, K: Ord> Eq for Ranked<E, K> {}

/// Which of two entries is due first.
#[inline(always)]
fn order<E: Entry, K: Ord>(a: &E, b: &E, rank: &impl Fn(&E) -> K) -> Ordering {
    if a.time() < b.time() {
        Ordering::Less
    } else if a.time() > b.time() {
        Ordering::Greater
    } else {
        order_at_one_instant(a, b, rank)
    }
}

#[cold]
fn order_at_one_instant<E, K: Ord>(a: &E, b: &E, rank: &impl Fn(&E) -> K) -> Ordering {
    rank(a).cmp(&rank(b))
}

/// The queue. Entries at one instant come in the order of their ranks `K`.
#[derive(Clone, Debug)]
pub struct CalendarQueue<E, K> {
    /// First note of each day's list. The number of pages is a power of two.
    pages: Vec<u32>,
    notes: Vec<Note<E>>,
    /// First of the notes that are not in use.
    free: u32,
    /// The entries of today, the earliest last.
    today: Vec<E>,
    /// More entries of today, where they are many.
    crowd: BinaryHeap<Reverse<Ranked<E, K>>>,
    /// Number of the day that `today` is.
    day: i64,
    /// How many notes are on the pages.
    on_pages: usize,
    later: Vec<E>,
    /// Time at which day 0 begins, s.
    start: f64,
    /// Days a second.
    rate: f64,
    /// Entries seen and days gone since the width of a day was last thought about.
    seen: u64,
    days_gone: u64,
}

impl<E: Entry, K: Ord> CalendarQueue<E, K> {
    /// An empty calendar for about so many entries, of which one is due about every `interval` seconds from `start` on.
    pub fn new(entries: usize, start: f64, interval: f64) -> Self {
        let pages = entries.clamp(16, 1 << 26).next_power_of_two();
        let rate = 1.0 / (interval * ENTRIES_A_DAY);
        CalendarQueue {
            pages: vec![NONE; pages],
            notes: Vec::new(),
            free: NONE,
            today: Vec::new(),
            crowd: BinaryHeap::new(),
            day: 0,
            on_pages: 0,
            later: Vec::new(),
            start,
            rate: if rate.is_finite() && rate > 0.0 {
                rate
            } else {
                1.0
            },
            seen: 0,
            days_gone: 0,
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.today.len() + self.crowd.len() + self.on_pages + self.later.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The day of a time. The cast saturates, which keeps it monotone.
    fn day_of(&self, time: f64) -> i64 {
        ((time - self.start) * self.rate) as i64
    }

    /// Adds an entry.
    #[inline(always)]
    pub fn push(&mut self, entry: E, rank: impl Fn(&E) -> K) {
        let day = self.day_of(entry.time());
        if day <= self.day {
            self.push_today(entry, rank);
        } else {
            self.file(day, entry);
        }
    }

    #[inline(never)]
    fn push_today(&mut self, entry: E, rank: impl Fn(&E) -> K) {
        if self.today.len() >= CROWD {
            let rank = rank(&entry);
            self.crowd.push(Reverse(Ranked { rank, entry }));
            return;
        }
        let place = self
            .today
            .iter()
            .rposition(|other| order(other, &entry, &rank) == Ordering::Greater)
            .map_or(0, |last_later| last_later + 1);
        self.today.insert(place, entry);
    }

    /// Puts an entry of another day than today where it belongs.
    #[inline(always)]
    fn file(&mut self, day: i64, entry: E) {
        if day - self.day >= self.pages.len() as i64 {
            self.later.push(entry);
            return;
        }
        let page = day as usize & (self.pages.len() - 1);
        let note = Note {
            entry,
            next: self.pages[page],
        };
        self.pages[page] = if self.free == NONE {
            self.notes.push(note);
            (self.notes.len() - 1) as u32
        } else {
            let place = self.free;
            self.free = self.notes[place as usize].next;
            self.notes[place as usize] = note;
            place
        };
        self.on_pages += 1;
    }

    /// Makes sure that the entries of today are there, and in order; `false` where nothing is left. Entries that are not `live` any more may be dropped on the way.
    #[inline]
    fn look_ahead(&mut self, rank: &impl Fn(&E) -> K, live: &impl Fn(&E) -> bool) -> bool {
        while self.today.is_empty() && self.crowd.is_empty() {
            if !self.turn_page(live) {
                return false;
            }
            if self.today.len() > CROWD {
                self.gather(rank);
            } else if self.today.len() > 1 {
                self.today.sort_unstable_by(|a, b| order(b, a, rank));
            }
        }
        true
    }

    /// Makes the entries of today a crowd.
    #[cold]
    fn gather(&mut self, rank: &impl Fn(&E) -> K) {
        let ranked = |entry: E| {
            let rank = rank(&entry);
            Reverse(Ranked { rank, entry })
        };
        let all: Vec<_> = self.today.drain(..).map(ranked).collect();
        self.crowd = BinaryHeap::from(all);
    }

    /// The first of the crowd, where it comes before the others of today.
    #[cold]
    fn first_of_crowd(&self, rank: &impl Fn(&E) -> K) -> Option<&E> {
        let Reverse(first) = self.crowd.peek()?;
        let precedes = self.today.last().is_none_or(|other| {
            let entry = *other;
            let rank = rank(other);
            *first < Ranked { rank, entry }
        });
        precedes.then_some(&first.entry)
    }

    /// Takes the earliest entry out.
    #[inline]
    pub fn pop(&mut self, rank: impl Fn(&E) -> K, live: impl Fn(&E) -> bool) -> Option<E> {
        self.pop_before(f64::INFINITY, rank, live)
    }

    /// Takes the earliest entry out if it is due before a time.
    #[inline]
    pub fn pop_before(
        &mut self,
        until: f64,
        rank: impl Fn(&E) -> K,
        live: impl Fn(&E) -> bool,
    ) -> Option<E> {
        if !self.look_ahead(&rank, &live) {
            return None;
        }
        if !self.crowd.is_empty()
            && let Some(&first) = self.first_of_crowd(&rank)
        {
            if !(first.time() < until) {
                return None;
            }
            self.seen += 1;
            self.crowd.pop();
            return Some(first);
        }
        let first = *self.today.last()?;
        if !(first.time() < until) {
            return None;
        }
        self.seen += 1;
        self.today.pop();
        Some(first)
    }

    /// The number of the present day.
    #[inline(always)]
    pub fn day(&self) -> i64 {
        self.day
    }

    /// Calls `visit` with what is on the page of a day to come, in no order: to get things ready for it.
    #[inline(always)]
    pub fn look_at(&self, day: i64, mut visit: impl FnMut(&E)) {
        let mut place = self.pages[day as usize & (self.pages.len() - 1)];
        while place != NONE {
            let note = &self.notes[place as usize];
            visit(&note.entry);
            place = note.next;
        }
    }

    /// Goes on to the next day; `false` where nothing is left.
    fn turn_page(&mut self, live: &impl Fn(&E) -> bool) -> bool {
        if self.on_pages == 0 {
            let first = self
                .later
                .iter()
                .map(Entry::time)
                .fold(f64::INFINITY, f64::min);
            if self.later.is_empty() {
                return false;
            }
            self.day = self.day_of(first) - 1;
            self.sort_in_later(live);
        }
        self.day = self.day.saturating_add(1);
        self.days_gone += 1;
        if self.day & (self.pages.len() as i64 - 1) == 0 {
            self.sort_in_later(live);
        }
        let page = self.day as usize & (self.pages.len() - 1);
        let mut place = self.pages[page];
        self.pages[page] = NONE;
        while place != NONE {
            let note = &mut self.notes[place as usize];
            let next = note.next;
            if live(&note.entry) {
                self.today.push(note.entry);
            }
            note.next = self.free;
            self.free = place;
            self.on_pages -= 1;
            place = next;
        }
        true
    }

    /// Looks through the loose notes for those that have a page now.
    fn sort_in_later(&mut self, live: &impl Fn(&E) -> bool) {
        let mut later = std::mem::take(&mut self.later);
        later.retain(|entry| {
            let day = self.day_of(entry.time());
            if day - self.day >= self.pages.len() as i64 {
                return live(entry);
            }
            if day <= self.day {
                // Only where the pages have just been turned over to this very day: it is sorted afterwards.
                self.today.push(*entry);
            } else {
                self.file(day, *entry);
            }
            false
        });
        later.append(&mut self.later);
        self.later = later;
    }

    /// Whether the days have become much too long or too short for what happens in them. Asked now and then; the
    /// answer is the interval between entries as measured, s.
    #[inline]
    pub fn misfit(&mut self) -> Option<f64> {
        if self.seen + self.days_gone < 4096 + 2 * self.pages.len() as u64 {
            return None;
        }
        let entries_a_day = self.seen as f64 / (self.days_gone.max(1)) as f64;
        let interval = 1.0 / (self.rate * entries_a_day);
        (self.seen, self.days_gone) = (0, 0);
        let fits = entries_a_day > 0.3 * ENTRIES_A_DAY && entries_a_day < 3.0 * ENTRIES_A_DAY;
        (!fits && interval.is_finite() && interval > 0.0).then_some(interval)
    }

    /// Takes out everything, in no order.
    pub fn drain(&mut self) -> Vec<E> {
        let mut all = std::mem::take(&mut self.today);
        all.extend(self.crowd.drain().map(|Reverse(ranked)| ranked.entry));
        all.append(&mut self.later);
        for page in &mut self.pages {
            let mut place = std::mem::replace(page, NONE);
            while place != NONE {
                let note = self.notes[place as usize];
                all.push(note.entry);
                place = note.next;
            }
        }
        self.notes.clear();
        self.free = NONE;
        self.on_pages = 0;
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Event, EventKind, HeapQueue};
    use super::*;
    use crate::world::BodyId;
    use std::cell::Cell;

    fn random(seed: &mut u64) -> u64 {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        *seed >> 33
    }

    fn rank(event: &Event) -> (EventKind, BodyId, BodyId) {
        (event.kind, event.a, event.b)
    }

    /// The same pushes and pops on both queues, times at many scales, many of them equal.
    fn same_pops(interval: f64, spread: fn(u64) -> f64) {
        let mut seed = 3;
        let mut heap = HeapQueue::default();
        let mut calendar = CalendarQueue::new(64, 0.0, interval);
        let mut now = 0.0;
        for _ in 0..20_000 {
            if random(&mut seed).is_multiple_of(2) {
                let event = Event {
                    time: now + spread(random(&mut seed)),
                    kind: [EventKind::Contact, EventKind::LookAgain]
                        [random(&mut seed) as usize % 2],
                    a: BodyId(random(&mut seed) as u32 % 8),
                    b: BodyId(random(&mut seed) as u32),
                    counters: [0, 0],
                };
                heap.push(event);
                calendar.push(event, rank);
            } else {
                let event = calendar.pop(rank, |_| true);
                assert_eq!(event, heap.pop());
                now = event.map_or(now, |event| event.time);
            }
            assert_eq!(calendar.len(), heap.len());
            if random(&mut seed).is_multiple_of(1000) {
                let mut other = CalendarQueue::new(32, now, interval * 3.0);
                for event in calendar.drain() {
                    other.push(event, rank);
                }
                calendar = other;
            }
        }
        while let Some(event) = heap.pop() {
            assert_eq!(calendar.pop(rank, |_| true), Some(event));
        }
        assert!(calendar.is_empty());
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

    /// A million balls exactly on a lattice took 45 s: each push looked at everyone who was due at the same instant. Counted are ranks asked for.
    #[test]
    fn a_crowd_at_one_instant_takes_few_looks() {
        let asked = Cell::new(0_u64);
        let counted = |event: &Event| {
            asked.set(asked.get() + 1);
            rank(event)
        };
        let number = 20_000_u32;
        let event = |time: f64, a: u32| Event {
            time,
            kind: EventKind::Contact,
            a: BodyId(a),
            b: BodyId(a),
            counters: [0, 0],
        };
        let mut heap = HeapQueue::default();
        let mut calendar = CalendarQueue::new(number as usize, 0.0, 1e-6);
        // All now, in the order that is worst for a list whose first is last; all at one later instant; and as each comes up, again at that instant.
        for time in [0.0, 1.0] {
            for a in 0..number {
                calendar.push(event(time, a), counted);
                heap.push(event(time, a));
            }
        }
        for popped in 0..3 * number {
            let first = calendar.pop(counted, |_| true);
            assert_eq!(first, heap.pop());
            if popped < number {
                let again = event(1.0, number + popped);
                calendar.push(again, counted);
                heap.push(again);
            }
        }
        assert!(calendar.is_empty());
        // Once or so for each push, once or so for each pop, and a few for the lists of up to 64: n²/2 would be 2·10⁸.
        assert!(asked.get() < 20 * u64::from(number), "{}", asked.get());
    }
}
