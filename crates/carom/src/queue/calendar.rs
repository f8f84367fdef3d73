//! A calendar: the fast queue, for members of which each is due once.
//!
//! Time is cut into short intervals, the *days*, each with a page of one cache line. On the page of its day a member is
//! only named; when it is due, and how often that has been changed, stands in its own plan and nowhere else. So nothing
//! is ever taken out before its time: a member that has been put off is still named on the old page, and passed over
//! when that day comes, because its plan says another one. Pages follow each other in memory, and what is due next can
//! be looked up some days ahead. Days further ahead than the calendar has pages wait in a heap of loose notes that is
//! looked through once each time the pages have been turned over.
//!
//! The members that are due today lie side by side in the lanes of vectors, in no order: the earliest is found without
//! a branch that depends on the numbers, which keeping them in order would take. The order at one instant is the
//! caller's, which ranks the members, so that they follow the same total order as in [`HeapQueue`](super::HeapQueue);
//! the day of a time is a monotone function of it, so the width of a day has no influence on the order.
//!
//! No width of a day parts what is due at one instant, as it is everywhere in a lattice by symmetry. So those for which
//! there is no space are ranked once each and go into a heap: n of them take n log n steps, where comparing them one by
//! one would take n².

use crate::vectors::{Floats as _, Mask as _, Portable, Vectors};
use prefetch_index::prefetch_index;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap};
use wide::{f64x4, u32x8};

/// What the members are going to do.
pub trait Plans {
    /// The order at one instant.
    type Rank: Ord;

    /// When a member is due, s (infinite where it is not), and how often that has been filed.
    fn due(&self, member: u32) -> (f64, u32);

    /// Where it comes among those of its instant. Entries that are no longer true are asked for as well.
    fn rank(&self, due: &Due) -> Self::Rank;

    /// Whether what a member is going to do may be done at any time of its day, and on the days before: then it is not
    /// popped, but among those that [pass](CalendarQueue::passing).
    fn passes(&self, _member: u32) -> bool {
        false
    }

    /// Whether the first of two of one instant comes before the second, or it is all the same.
    fn precedes(&self, a: &Due, b: &Due) -> bool {
        self.rank(a) <= self.rank(b)
    }
}

/// A member that is due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Due {
    /// s. A number, not NaN.
    pub time: f64,
    /// Its number.
    pub member: u32,
    /// How often it had been filed then. Where that has changed, this is no longer true.
    pub stamp: u32,
}

/// An entry with its rank as it was when it came. That is as good as its rank now, as long as it is true; and when one
/// that is not comes up is all the same.
#[derive(Clone, Copy, Debug)]
struct Ranked<K> {
    due: Due,
    rank: K,
}

impl<K: Ord> Ord for Ranked<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        let times = self.due.time.partial_cmp(&other.due.time);
        times
            .unwrap_or(Ordering::Equal)
            .then_with(|| self.rank.cmp(&other.rank))
    }
}

impl<K: Ord> PartialOrd for Ranked<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord> PartialEq for Ranked<K> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<K: Ord> Eq for Ranked<K> {}

/// The members of a day: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Page {
    members: [u32; ROOM],
    /// How many there are; those beyond the container are elsewhere.
    number: u32,
}

const ROOM: usize = 15;

const EMPTY: Page = Page {
    members: [0; ROOM],
    number: 0,
};

/// Entries a day aimed at: fewer, and empty days cost time; more, and there is no room for them. About as many again
/// are no longer true.
const ENTRIES_A_DAY: f64 = 6.0;

/// So many wait for their page: some more than are filed while memory is fetched.
const PENDING: usize = 4;

/// The last bit of this is 1.
const LAST_BIT: f64 = (1_u64 << 52) as f64;

/// Days that are far less than that.
const NEAR: f64 = (1_u64 << 51) as f64;

/// No day: nothing is due.
const NO_DAY: i64 = i64::MIN;

/// So many can be due today without being a crowd.
const LANES: usize = 16;

/// Those that are due today. The time of a lane that is not in use is infinite.
#[derive(Clone, Debug)]
struct Today {
    times: [f64x4; LANES / 4],
    /// Member and stamp.
    who: [(u32, u32); LANES],
}

impl Today {
    const NOBODY: Today = Today {
        times: [f64x4::splat(f64::INFINITY); LANES / 4],
        who: [(0, 0); LANES],
    };

    /// The times of all lanes.
    #[inline(always)]
    fn fours<V: Vectors>(&self, vectors: V) -> [V::Four; LANES / 4] {
        let [a, b, c, d] = &self.times;
        [
            vectors.four(a.as_array()),
            vectors.four(b.as_array()),
            vectors.four(c.as_array()),
            vectors.four(d.as_array()),
        ]
    }

    /// The earliest time, and the lanes that have it, by bits.
    #[inline(always)]
    fn first<V: Vectors>(&self, vectors: V) -> (f64, u32) {
        let [a, b, c, d] = self.fours(vectors);
        let least = a.least(b).least(c.least(d)).to_array();
        let first = lesser(lesser(least[0], least[1]), lesser(least[2], least[3]));
        (first, self.lanes_of(vectors, first))
    }

    /// The lanes of a time.
    #[inline(always)]
    fn lanes_of<V: Vectors>(&self, vectors: V, time: f64) -> u32 {
        let time = vectors.all_four(time);
        let [a, b, c, d] = self.fours(vectors);
        a.equal(time).bits()
            | b.equal(time).bits() << 4
            | c.equal(time).bits() << 8
            | d.equal(time).bits() << 12
    }

    #[inline(always)]
    fn set_time(&mut self, lane: usize, time: f64) {
        self.times[lane / 4 % (LANES / 4)].as_mut_array()[lane % 4] = time;
    }

    #[inline(always)]
    fn due(&self, lane: usize, time: f64) -> Due {
        let (member, stamp) = self.who[lane % LANES];
        Due {
            time,
            member,
            stamp,
        }
    }

    /// Takes one in; `false` where there is no room.
    #[inline(always)]
    fn take_in(&mut self, due: &Due) -> bool {
        let free = self.lanes_of(Portable, f64::INFINITY);
        if free == 0 {
            return false;
        }
        let lane = free.trailing_zeros() as usize;
        self.set_time(lane, due.time);
        self.who[lane % LANES] = (due.member, due.stamp);
        true
    }
}

#[inline(always)]
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// What is next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Popped {
    /// This.
    Due(Due),
    /// Nothing that is due in time.
    Later,
    /// Nothing today: see [`turn_page`](CalendarQueue::turn_page).
    NoneToday,
}

/// The queue. Entries at one instant come in the order of their ranks `K`.
#[derive(Clone, Debug)]
pub struct CalendarQueue<K> {
    /// A power of two of them.
    pages: Vec<Page>,
    /// Those that have no room on the page of a day.
    spilt: BTreeMap<i64, Vec<u32>>,
    today: Today,
    /// More of today, where they are many.
    crowd: BinaryHeap<Reverse<Ranked<K>>>,
    /// Those that pass today, and how often they had been filed.
    passing: [(u32, u32); LANES],
    /// How many of them there are.
    passes: usize,
    /// Number of the day that `today` is.
    day: i64,
    /// How many are named on pages, or are to be.
    on_pages: usize,
    /// The last that were filed, by day and member: they are written on their pages when others come, or their day.
    /// Until then the page, which may be far away in memory, has been fetched.
    pending: [(i64, u32); PENDING],
    /// Which of those is the oldest.
    oldest: usize,
    /// Time and member.
    later: Vec<(f64, u32)>,
    /// Time at which day 0 begins, s.
    start: f64,
    /// Days a second.
    rate: f64,
    /// Entries seen and days gone since the width of a day was last thought about.
    seen: u64,
    days_gone: u64,
}

impl<K: Ord> CalendarQueue<K> {
    /// An empty calendar for about so many members, of which one is due about every `interval` seconds from `start` on.
    pub fn new(members: usize, start: f64, interval: f64) -> Self {
        let pages = (members / 2).clamp(16, 1 << 26).next_power_of_two();
        let rate = 1.0 / (interval * ENTRIES_A_DAY);
        CalendarQueue {
            pages: vec![EMPTY; pages],
            spilt: BTreeMap::new(),
            today: Today::NOBODY,
            crowd: BinaryHeap::new(),
            passing: [(0, 0); LANES],
            passes: 0,
            day: 0,
            on_pages: 0,
            pending: [(NO_DAY, 0); PENDING],
            oldest: 0,
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

    /// The day of a time: any monotone function would do. Near the start it is the nearest whole number of days, which
    /// the bits of a sum show: a cast would have to look for what does not fit.
    #[inline(always)]
    fn day_of(&self, time: f64) -> i64 {
        let days = (time - self.start) * self.rate;
        if days < NEAR {
            (days + LAST_BIT).to_bits().wrapping_sub(LAST_BIT.to_bits()) as i64
        } else {
            days as i64
        }
    }

    /// Names a member that is due at a time. Its plan must say so from now on.
    pub fn push<P: Plans<Rank = K>>(&mut self, due: Due, plans: &P) {
        if !self.push_later(&due) {
            self.push_today(due, plans);
        }
    }

    /// The same for one that is not due today; `false` where it is.
    #[inline(always)]
    pub fn push_later(&mut self, due: &Due) -> bool {
        let day = self.day_of(due.time);
        let later = day > self.day;
        if later {
            self.file(day, due.time, due.member);
        }
        later
    }

    /// The same for one that is due today.
    #[inline(never)]
    pub fn push_today<P: Plans<Rank = K>>(&mut self, due: Due, plans: &P) {
        if !self.today.take_in(&due) {
            let rank = plans.rank(&due);
            self.crowd.push(Reverse(Ranked { due, rank }));
        }
    }

    /// Names a member on the page of a day.
    #[inline(always)]
    fn file(&mut self, day: i64, time: f64, member: u32) {
        if day.wrapping_sub(self.day) as u64 >= self.pages.len() as u64 {
            self.later.push((time, member));
            return;
        }
        prefetch_index(&self.pages, day as usize & (self.pages.len() - 1));
        self.on_pages += 1;
        let waits = &mut self.pending[self.oldest % PENDING];
        self.oldest = self.oldest.wrapping_add(1);
        let (before, other) = std::mem::replace(waits, (day, member));
        if before != NO_DAY {
            self.write(before, other);
        }
    }

    /// Writes a member on the page of a day.
    #[inline(always)]
    fn write(&mut self, day: i64, member: u32) {
        let place = day as usize & (self.pages.len() - 1);
        let page = &mut self.pages[place];
        match page.members.get_mut(page.number as usize) {
            Some(room) => {
                *room = member;
                page.number += 1;
            }
            None => self.spill(day, member),
        }
    }

    /// Writes those on the page of the present day that still wait for it.
    #[inline(always)]
    fn write_pending(&mut self) {
        // Hardly ever: one question for all of them.
        if !self
            .pending
            .iter()
            .fold(false, |any, &(day, _)| any | (day == self.day))
        {
            return;
        }
        for at in 0..PENDING {
            let (day, member) = self.pending[at];
            if day == self.day {
                self.pending[at].0 = NO_DAY;
                self.write(day, member);
            }
        }
    }

    #[cold]
    fn spill(&mut self, day: i64, member: u32) {
        self.spilt.entry(day).or_default().push(member);
    }

    /// Takes the earliest entry of today out if it is due before a time. Those that are no longer true are dropped on
    /// the way.
    pub fn pop_before<P: Plans<Rank = K>>(&mut self, until: f64, plans: &P) -> Popped {
        self.pop_with(Portable, until, plans)
    }

    #[inline(always)]
    pub(crate) fn pop_with<P: Plans<Rank = K>, V: Vectors>(
        &mut self,
        vectors: V,
        until: f64,
        plans: &P,
    ) -> Popped {
        loop {
            let (first, lanes) = self.today.first(vectors);
            let due = if !self.crowd.is_empty() {
                match self.pop_among_many(until, plans) {
                    Some(due) => due,
                    None => return Popped::Later,
                }
            } else if first < f64::INFINITY {
                if !(first < until) {
                    return Popped::Later;
                }
                let lane = match lanes & (lanes - 1) {
                    0 => lanes.trailing_zeros() as usize,
                    _ => self.first_by_rank(first, lanes, plans),
                };
                self.today.set_time(lane, f64::INFINITY);
                self.today.due(lane, first)
            } else {
                return Popped::NoneToday;
            };
            self.seen += 1;
            if plans.due(due.member).1 == due.stamp {
                return Popped::Due(due);
            }
        }
    }

    /// Those that pass today, with the number of their plan: in no order, some named twice, some whose plan is another
    /// by now.
    #[inline(always)]
    pub fn passing(&self) -> ([(u32, u32); LANES], usize) {
        (self.passing, self.passes)
    }

    /// Of several lanes with the same time the one that comes first. Two that meet each other are the most frequent
    /// case.
    #[inline]
    fn first_by_rank<P: Plans<Rank = K>>(&self, time: f64, lanes: u32, plans: &P) -> usize {
        let mut first = lanes.trailing_zeros() as usize;
        let mut left = lanes & lanes.wrapping_sub(1);
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let both = [self.today.due(first, time), self.today.due(lane, time)];
            if !plans.precedes(&both[0], &both[1]) {
                first = lane;
            }
        }
        first
    }

    /// The same where there is a crowd.
    #[cold]
    fn pop_among_many<P: Plans<Rank = K>>(&mut self, until: f64, plans: &P) -> Option<Due> {
        let Reverse(Ranked { due: many, .. }) = self.crowd.peek()?;
        let (first, lanes) = self.today.first(Portable);
        if !(many.time.min(first) < until) {
            return None;
        }
        let from_lanes = first < f64::INFINITY && first <= many.time;
        if from_lanes {
            let lane = self.first_by_rank(first, lanes, plans);
            let due = self.today.due(lane, first);
            let rank = plans.rank(&due);
            let Reverse(of_crowd) = self.crowd.peek()?;
            if (Ranked { due, rank }) <= *of_crowd {
                self.today.set_time(lane, f64::INFINITY);
                return Some(due);
            }
        }
        self.crowd.pop().map(|Reverse(ranked)| ranked.due)
    }

    /// The number of the present day.
    #[inline(always)]
    pub fn day(&self) -> i64 {
        self.day
    }

    /// The members named on the page of a day to come, in no order: to get things ready for it.
    #[inline(always)]
    pub fn named(&self, day: i64) -> &[u32] {
        let page = &self.pages[day as usize & (self.pages.len() - 1)];
        &page.members[..(page.number as usize).min(ROOM)]
    }

    /// The first eight of them, filled up with the first, without a loop that depends on their number: for what may be
    /// done twice, or in vain.
    #[inline(always)]
    pub fn named_eight(&self, day: i64) -> [u32; 8] {
        let page = &self.pages[day as usize & (self.pages.len() - 1)];
        let [a, b, c, d, e, f, g, h, ..] = page.members;
        let eight = [a, b, c, d, e, f, g, h];
        let named = u32x8::new([0, 1, 2, 3, 4, 5, 6, 7]).simd_lt(u32x8::splat(page.number));
        let first = u32x8::splat(page.members[0]);
        named.bitselect(u32x8::from(eight), first).to_array()
    }

    /// Whether a time is on a day: whether a member named on its page is still due then.
    #[inline(always)]
    pub fn falls_on(&self, time: f64, day: i64) -> bool {
        self.day_of(time) == day
    }

    /// Goes on to the next day, when there is none left today; `false` where nothing is left at all.
    #[inline(always)]
    pub fn turn_page<P: Plans<Rank = K>>(&mut self, plans: &P) -> bool {
        if self.on_pages == 0 && !self.skip_days(plans) {
            return false;
        }
        self.day = self.day.saturating_add(1);
        self.days_gone += 1;
        if self.day & (self.pages.len() as i64 - 1) == 0 {
            self.sort_in_later(plans);
        }
        self.write_pending();
        let place = self.day as usize & (self.pages.len() - 1);
        let Page { members, number } = self.pages[place];
        let number = number as usize;
        self.pages[place].number = 0;
        self.on_pages -= number.min(ROOM);
        // All lanes are free. Whether a member is still due today is a toss-up, and takes no branch: one that is not is
        // written over by the next.
        let (mut taken, mut passes) = (0, 0);
        for &member in &members[..number.min(ROOM)] {
            let (time, stamp) = plans.due(member);
            self.today.set_time(taken, time);
            self.today.who[taken % LANES] = (member, stamp);
            self.passing[passes % LANES] = (member, stamp);
            let (due, passing) = (self.day_of(time) == self.day, plans.passes(member));
            taken += usize::from(due & !passing);
            passes += usize::from(due & passing);
        }
        self.today.set_time(taken, f64::INFINITY);
        self.passes = passes;
        self.seen += passes as u64;
        if number == ROOM && !self.spilt.is_empty() {
            self.take_in_spilt(plans);
        }
        true
    }

    #[cold]
    fn take_in_spilt<P: Plans<Rank = K>>(&mut self, plans: &P) {
        for member in self.spilt.remove(&self.day).unwrap_or_default() {
            self.on_pages -= 1;
            let (time, stamp) = plans.due(member);
            if self.day_of(time) == self.day {
                let due = Due {
                    time,
                    member,
                    stamp,
                };
                self.push_today(due, plans);
            }
        }
    }

    /// Nothing is on the pages: goes on to the day before the first of the loose notes. `false` where there are none.
    #[cold]
    fn skip_days<P: Plans<Rank = K>>(&mut self, plans: &P) -> bool {
        self.later
            .retain(|&(time, member)| plans.due(member).0 == time);
        if self.later.is_empty() {
            return false;
        }
        let times = self.later.iter().map(|&(time, _)| time);
        let first = times.fold(f64::INFINITY, f64::min);
        self.day = self.day_of(first).saturating_sub(1);
        self.sort_in_later(plans);
        true
    }

    /// Looks through the loose notes for those that have a page now. That of the present day has not been looked at
    /// yet.
    fn sort_in_later<P: Plans<Rank = K>>(&mut self, plans: &P) {
        let mut later = std::mem::take(&mut self.later);
        later.retain(|&(time, member)| {
            let day = self.day_of(time);
            if day.wrapping_sub(self.day) as u64 >= self.pages.len() as u64 {
                return plans.due(member).0 == time;
            }
            self.file(day, time, member);
            false
        });
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
        let fits = entries_a_day > 0.5 * ENTRIES_A_DAY && entries_a_day < 1.6 * ENTRIES_A_DAY;
        (!fits && interval.is_finite() && interval > 0.0).then_some(interval)
    }
}

#[cfg(test)]
mod tests;
