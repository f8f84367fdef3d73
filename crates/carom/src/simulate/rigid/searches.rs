//! What searches for first contacts have found, kept: a planner asks for the same pair again when one of them comes to
//! another cell, when a plan falls through, and when the contact is due.
//!
//! Whether something is kept or not changes nothing but the time that it takes: a search is a function of two courses,
//! and one that was left at some time goes on there with the same bits. A course is known by a number that no other
//! ever gets.

use crate::impact::Impact;
use crate::impact::solids::Progress;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// What tells a course from all others in this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::simulate) struct CourseNumber(u64);

impl CourseNumber {
    /// One that there has not been.
    pub fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        CourseNumber(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// What is known of a pair.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) enum Known {
    /// The search was left there.
    Until(Progress),
    /// It came to an end.
    Found(Impact),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    pair: [CourseNumber; 2],
    known: Known,
}

/// One place for each pair, by its courses; who comes later takes the place.
#[derive(Debug, Default)]
pub(in crate::simulate) struct KeptSearches {
    entries: Mutex<Vec<Option<Entry>>>,
}

/// Places for each body.
const PLACES: usize = 4;

impl Clone for KeptSearches {
    fn clone(&self) -> Self {
        KeptSearches::default()
    }
}

impl KeptSearches {
    fn place([a, b]: [CourseNumber; 2], places: usize) -> usize {
        let mixed =
            a.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.0.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mixed >> 32) as usize % places
    }

    /// What is known of two courses.
    pub fn of(&self, pair: [CourseNumber; 2]) -> Option<Known> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.is_empty() {
            return None;
        }
        let entry = entries[Self::place(pair, entries.len())]?;
        (entry.pair == pair).then_some(entry.known)
    }

    /// Keeps what is known of two courses, of so many bodies.
    pub fn keep(&self, pair: [CourseNumber; 2], known: Known, bodies: usize) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = (PLACES * bodies).next_power_of_two();
        if entries.len() < wanted {
            entries.clear();
            entries.resize(wanted, None);
        }
        let place = Self::place(pair, entries.len());
        entries[place] = Some(Entry { pair, known });
    }

    /// Forgets everything: bodies have other forms.
    pub fn clear(&self) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.clear();
    }
}
