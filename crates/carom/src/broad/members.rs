use crate::vectors::{Mask as _, Vectors, Words as _};

/// A list of members that are collected again and again: memory that is reused, and how much of it is taken.
#[derive(Clone, Debug, Default)]
pub struct Members {
    room: Vec<u32>,
    number: usize,
}

impl Members {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.number
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.number == 0
    }

    /// All of them.
    #[inline(always)]
    pub fn all(&self) -> &[u32] {
        &self.room[..self.number]
    }

    /// Forgets all.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.number = 0;
    }

    /// Forgets those after the first so many.
    pub fn truncate(&mut self, number: usize) {
        self.number = self.number.min(number);
    }

    /// Adds one.
    #[inline]
    pub fn push(&mut self, member: u32) {
        self.make_room(1);
        self.room[self.number] = member;
        self.number += 1;
    }

    /// Replaces one.
    #[inline]
    pub fn set(&mut self, at: usize, member: u32) {
        self.room[..self.number][at] = member;
    }

    /// Adds some.
    #[inline]
    pub fn extend(&mut self, members: &[u32]) {
        self.make_room(members.len());
        self.room[self.number..][..members.len()].copy_from_slice(members);
        self.number += members.len();
    }

    /// Adds one again and again until there are so many.
    #[inline(always)]
    pub fn fill_up(&mut self, number: usize, member: u32) {
        let rest = self.room.get_mut(self.number..);
        match rest.and_then(|rest| rest.first_chunk_mut::<8>()) {
            Some(eight) if number <= self.number + 8 => {
                *eight = [member; 8];
                self.number = number;
            }
            _ => {
                self.make_room(number.saturating_sub(self.number));
                self.room[self.number..number].fill(member);
                self.number = number;
            }
        }
    }

    /// All of them in eights; after the last comes `fill` until the eight is full.
    #[inline(always)]
    pub fn eights(&mut self, fill: u32) -> &[[u32; 8]] {
        self.make_room(8);
        if let Some(rest) = self.room[self.number..].first_chunk_mut() {
            *rest = [fill; 8];
        }
        self.room[..self.number.next_multiple_of(8)].as_chunks().0
    }

    /// The first so many eights; after the last member comes `fill`.
    #[inline(always)]
    pub fn block<const EIGHTS: usize>(&mut self, fill: u32) -> Option<&[[u32; 8]; EIGHTS]> {
        self.make_room(8 * EIGHTS);
        let mut at = self.number;
        while at < 8 * EIGHTS {
            if let Some(rest) = self.room[at..].first_chunk_mut() {
                *rest = [fill; 8];
            }
            at += 8;
        }
        self.room.as_chunks().0.first_chunk()
    }

    /// The eight from a multiple of eight on; those after the last have no meaning.
    #[inline(always)]
    pub fn eight(&self, at: usize) -> Option<&[u32; 8]> {
        self.room.as_chunks().0.get(at)
    }

    /// Takes a mark away from those from one on, and says which had it, by bits: 32 at most. Those after them lose it
    /// too.
    #[inline(always)]
    pub(super) fn unmark<V: Vectors>(&mut self, vectors: V, from: usize, mark: u32) -> u32 {
        let mut marked = 0;
        if let Some(room) = self.room[from..].first_chunk_mut::<32>() {
            let (with, without) = (vectors.all_words(mark), vectors.all_words(!mark));
            for (at, eight) in room.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                let row = vectors.words(eight);
                marked |= (row & with).equal(with).bits() << (8 * at);
                *eight = (row & without).to_array();
            }
        }
        marked
    }

    /// Makes room for so many more, and a little.
    #[inline(always)]
    pub(super) fn make_room(&mut self, more: usize) {
        if self.room.len() < self.number + more + 8 {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        self.room.resize(2 * (self.number + more + 8), 0);
    }

    /// Lets `write` write up to 256 more after the last one, and say how many there are.
    #[inline(always)]
    pub(super) fn fill(&mut self, write: impl FnOnce(&mut [u32; 264]) -> usize) {
        self.make_room(264);
        if let Some(room) = self.room[self.number..].first_chunk_mut() {
            self.number += write(room);
        }
    }
}
