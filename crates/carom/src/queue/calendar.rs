//! A calendar: the fast queue.
//!
//! Time is cut into short intervals, the *days*. An entry is dropped unsorted into the list of its day; only the entries of
//! the present day are kept in order. With a few entries a day, adding and taking out cost the same however many entries there
//! are. Days further ahead than the calendar has pages wait in a heap of loose notes that is looked through
//! once each time the pages have been turned over.
//!
//! Nothing is ever taken out before its time: whoever pushes an entry that replaces another recognises the old one when it
//! comes up. The order within a day is the caller's, so that entries at one instant follow the same total order as in
//! [`HeapQueue`](super::HeapQueue); the day of a time is a monotone function of it, so the width of a day
//! has no influence on the order.

use std::cmp::Ordering;

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

/// The queue.
#[derive(Clone, Debug)]
pub struct CalendarQueue<E> {
    /// First note of each day's list. The number of pages is a power of two.
    pages: Vec<u32>,
    notes: Vec<Note<E>>,
    /// First of the notes that are not in use.
    free: u32,
    /// The entries of today, the earliest last.
    today: Vec<E>,
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

impl<E: Entry> CalendarQueue<E> {
    /// An empty calendar for about so many entries, of which one is due about every `interval` seconds from `start` on.
    pub fn new(entries: usize, start: f64, interval: f64) -> Self {
        let pages = entries.clamp(16, 1 << 26).next_power_of_two();
        let rate = 1.0 / (interval * ENTRIES_A_DAY);
        CalendarQueue {
            pages: vec![NONE; pages],
            notes: Vec::new(),
            free: NONE,
            today: Vec::new(),
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
        self.today.len() + self.on_pages + self.later.len()
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
    pub fn push(&mut self, entry: E, order: impl Fn(&E, &E) -> Ordering) {
        let day = self.day_of(entry.time());
        if day <= self.day {
            self.push_today(entry, order);
        } else {
            self.file(day, entry);
        }
    }

    #[inline(never)]
    fn push_today(&mut self, entry: E, order: impl Fn(&E, &E) -> Ordering) {
        let place = self
            .today
            .iter()
            .rposition(|other| order(other, &entry) == Ordering::Greater)
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

    /// The earliest entry, left where it is. Entries that are not `live` any more may be dropped on the way.
    #[inline]
    pub fn peek(
        &mut self,
        order: impl Fn(&E, &E) -> Ordering,
        live: impl Fn(&E) -> bool,
    ) -> Option<&E> {
        while self.today.is_empty() {
            if !self.turn_page(&live) {
                return None;
            }
            if self.today.len() > 1 {
                self.today.sort_unstable_by(|a, b| order(b, a));
            }
        }
        self.today.last()
    }

    /// Takes the earliest entry out.
    #[inline]
    pub fn pop(
        &mut self,
        order: impl Fn(&E, &E) -> Ordering,
        live: impl Fn(&E) -> bool,
    ) -> Option<E> {
        self.peek(order, live)?;
        self.seen += 1;
        self.today.pop()
    }

    /// Takes the earliest entry out if it is due before a time.
    #[inline]
    pub fn pop_before(
        &mut self,
        until: f64,
        order: impl Fn(&E, &E) -> Ordering,
        live: impl Fn(&E) -> bool,
    ) -> Option<E> {
        let first = *self.peek(order, live)?;
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

    fn random(seed: &mut u64) -> u64 {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        *seed >> 33
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
                calendar.push(event, Event::order);
            } else {
                let event = calendar.pop(Event::order, |_| true);
                assert_eq!(event, heap.pop());
                now = event.map_or(now, |event| event.time);
            }
            assert_eq!(calendar.len(), heap.len());
            if random(&mut seed).is_multiple_of(1000) {
                let mut other = CalendarQueue::new(32, now, interval * 3.0);
                for event in calendar.drain() {
                    other.push(event, Event::order);
                }
                calendar = other;
            }
        }
        while let Some(event) = heap.pop() {
            assert_eq!(calendar.pop(Event::order, |_| true), Some(event));
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
}
