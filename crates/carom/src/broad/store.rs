//! Where the members of cells are kept. A cell is known by its place in a row of places; some cells are shown at a
//! second place as well, the *ghost*.

use super::members::Members;
use crate::vectors::{Choice, Vectors, run_with};
use std::collections::BTreeMap;
use wide::u32x4;

/// Members by the place of their cell.
#[derive(Clone, Debug)]
pub(super) enum Store {
    Sparse(Chains),
    Dense(Blocks),
}

impl Store {
    /// For so many members at so many places.
    pub fn new(places: usize, cells: usize, members: usize) -> Self {
        if members > cells {
            Store::Dense(Blocks {
                eights: vec![[0; 8]; places],
                spilt: BTreeMap::new(),
            })
        } else {
            Store::Sparse(Chains {
                // Rows are looked at by fours.
                heads: vec![NONE; places + 4],
                next: vec![NONE; members],
                vectors: Choice::now(),
            })
        }
    }

    #[inline(always)]
    pub fn insert(&mut self, place: usize, ghost: Option<usize>, member: u32) {
        match self {
            Store::Sparse(chains) => chains.insert(place, ghost, member),
            Store::Dense(blocks) => blocks.insert(place, ghost, member),
        }
    }

    #[inline(always)]
    pub fn remove(&mut self, place: usize, ghost: Option<usize>, member: u32) {
        match self {
            Store::Sparse(chains) => chains.remove(place, ghost, member),
            Store::Dense(blocks) => blocks.remove(place, ghost, member),
        }
    }

    /// Adds all members to a list that are at some places: rows of `N` from each of `firsts` on, 27 places at most.
    #[inline(always)]
    pub fn take<const N: usize>(&self, firsts: &[u32], list: &mut Members) {
        match self {
            Store::Sparse(chains) => chains.take::<N>(firsts, list),
            Store::Dense(blocks) => blocks.take::<N>(firsts, list),
        }
    }

    /// Adds all members at one place to a list.
    #[inline]
    pub fn take_one(&self, place: usize, list: &mut Members) {
        match self {
            Store::Sparse(chains) => chains.take_one(place, list),
            Store::Dense(blocks) => blocks.take::<1>(&[place as u32], list),
        }
    }

    /// The place of a member, to be fetched ahead.
    #[inline(always)]
    pub fn fetch_own(&self, place: usize, member: u32) {
        match self {
            Store::Sparse(chains) => {
                prefetch_index::prefetch_index(&chains.heads, place);
                prefetch_index::prefetch_index(&chains.next, member as usize);
            }
            Store::Dense(blocks) => prefetch_index::prefetch_index(&blocks.eights, place),
        }
    }

    /// The first place that is needed of a row of three, to be fetched ahead.
    #[inline(always)]
    pub fn fetch(&self, first: usize) {
        match self {
            Store::Sparse(chains) => prefetch_index::prefetch_index(&chains.heads, first),
            Store::Dense(blocks) => {
                prefetch_index::prefetch_index(&blocks.eights, first);
                prefetch_index::prefetch_index(&blocks.eights, first + 2);
            }
        }
    }
}

/// Where most cells have none or one: a cell has the number of one member; where there are more, a mark says so, and
/// each member knows the next. A look around is a look at 9 or 27 numbers.
#[derive(Clone, Debug)]
pub(super) struct Chains {
    heads: Vec<u32>,
    /// For each member, the next in its cell.
    next: Vec<u32>,
    vectors: Choice,
}

/// Nobody. Without the mark.
const NONE: u32 = !MORE;

/// There may be more in this cell.
const MORE: u32 = 1 << 31;

impl Chains {
    #[inline(always)]
    fn set_head(&mut self, place: usize, ghost: Option<usize>, head: u32) {
        self.heads[place] = head;
        if let Some(ghost) = ghost {
            self.heads[ghost] = head;
        }
    }

    #[inline(always)]
    fn insert(&mut self, place: usize, ghost: Option<usize>, member: u32) {
        if self.next.len() <= member as usize {
            self.next.resize(member as usize + 1, NONE);
        }
        self.insert_known(place, ghost, member);
    }

    /// The same for a member that has been somewhere before.
    #[inline(always)]
    pub fn insert_known(&mut self, place: usize, ghost: Option<usize>, member: u32) {
        let head = self.heads[place];
        self.next[member as usize] = head;
        let head = if head == NONE { member } else { member | MORE };
        self.set_head(place, ghost, head);
    }

    #[inline(always)]
    pub fn remove(&mut self, place: usize, ghost: Option<usize>, member: u32) {
        let head = self.heads[place];
        if head & !MORE == member {
            return self.set_head(place, ghost, self.next[member as usize]);
        }
        self.remove_later(place, ghost, member);
    }

    /// The same for one that is not the first.
    fn remove_later(&mut self, place: usize, ghost: Option<usize>, member: u32) {
        let first = self.heads[place] & !MORE;
        let (mut before, mut last) = (None, first);
        while self.next[last as usize] & !MORE != member {
            before = Some(last);
            last = self.next[last as usize] & !MORE;
        }
        let after = self.next[member as usize];
        self.next[last as usize] = after;
        if after == NONE {
            // The mark before the last one says that there are more: a look in vain, each time.
            match before {
                None => self.set_head(place, ghost, last),
                Some(before) => self.next[before as usize] = last,
            }
        }
    }

    #[inline(always)]
    pub fn take<const N: usize>(&self, firsts: &[u32], list: &mut Members) {
        if N != 3 {
            // Where they are, here and below: numbers that have just been written one by one are not at hand as a
            // whole, and a copy would have to wait for them.
            let threes: &[[u32; 3]] = firsts.as_chunks().0;
            match (firsts.len(), threes.first_chunk(), threes.first_chunk()) {
                (9, Some(threes), _) => self.take_threes::<3>(threes, list),
                (3, _, Some(three)) => self.take_threes::<1>(three, list),
                _ => {
                    for &place in firsts {
                        self.take_one(place as usize, list);
                    }
                }
            }
        } else if let Some(firsts) = firsts.first_chunk::<9>() {
            self.take_rows(firsts, list);
        } else if let Some(firsts) = firsts.first_chunk::<3>() {
            self.take_rows(firsts, list);
        } else {
            firsts
                .as_chunks::<1>()
                .0
                .iter()
                .for_each(|first| self.take_rows(first, list));
        }
    }

    /// Adds all members in rows of three to a list. Not inlined: it needs registers of its own for what is the same
    /// for all rows.
    #[inline(never)]
    fn take_rows<const ROWS: usize>(&self, firsts: &[u32; ROWS], list: &mut Members) {
        run_with!(self.vectors, vectors => self.take_rows_with(vectors, firsts, list));
    }

    #[inline(always)]
    fn take_rows_with<V: Vectors, const ROWS: usize>(
        &self,
        vectors: V,
        firsts: &[u32; ROWS],
        list: &mut Members,
    ) {
        let (before, mut marks) = (list.len(), u32x4::ZERO);
        let (heads, none) = (&self.heads[..], u32x4::splat(NONE));
        list.fill(
            #[inline(always)]
            |room| {
                let mut number = 0;
                for &first in firsts {
                    let first = first as usize;
                    let row = heads.get(first..first + 4);
                    if let Some(row) = row.and_then(|row| row.first_chunk()) {
                        let row = u32x4::from(*row);
                        number = sort_in(vectors, row, none, &mut marks, room, number);
                    }
                }
                number
            },
        );
        self.follow_marks(vectors, marks, before, list);
    }

    /// Adds all members at some places to a list, by threes.
    #[inline(never)]
    fn take_threes<const THREES: usize>(&self, places: &[[u32; 3]; THREES], list: &mut Members) {
        run_with!(self.vectors, vectors => self.take_threes_with(vectors, places, list));
    }

    #[inline(always)]
    fn take_threes_with<V: Vectors, const THREES: usize>(
        &self,
        vectors: V,
        places: &[[u32; 3]; THREES],
        list: &mut Members,
    ) {
        let (before, mut marks) = (list.len(), u32x4::ZERO);
        let (heads, none) = (&self.heads[..], u32x4::splat(NONE));
        list.fill(
            #[inline(always)]
            |room| {
                let mut number = 0;
                for places in places {
                    let [a, b, c] = *places;
                    let [a, b, c] = [heads[a as usize], heads[b as usize], heads[c as usize]];
                    let row = u32x4::from([a, b, c, NONE]);
                    number = sort_in(vectors, row, none, &mut marks, room, number);
                }
                number
            },
        );
        self.follow_marks(vectors, marks, before, list);
    }

    #[inline(always)]
    fn follow_marks<V: Vectors>(
        &self,
        vectors: V,
        marks: u32x4,
        before: usize,
        list: &mut Members,
    ) {
        // The mark is the sign.
        if marks.to_bitmask() & 7 != 0 {
            self.take_more(vectors, before, list);
        }
    }

    /// Adds the other members in the cells of those that have just been taken, from one on, and takes the marks away.
    #[inline(never)]
    fn take_more<V: Vectors>(&self, vectors: V, from: usize, list: &mut Members) {
        vectors.run(
            #[inline(always)]
            move || {
                let number = list.len() - from;
                let marked = list.unmark(vectors, from, MORE);
                let mut marked = marked & (u32::MAX >> (32 - number.clamp(1, 32)));
                while marked != 0 {
                    let at = from + marked.trailing_zeros() as usize;
                    marked &= marked - 1;
                    self.follow(list.all()[at] as usize, list);
                }
            },
        );
    }

    #[inline(always)]
    fn take_one(&self, place: usize, list: &mut Members) {
        let head = self.heads[place];
        if head != NONE {
            list.push(head & !MORE);
            self.follow((head & !MORE) as usize, list);
        }
    }

    /// Adds those after a member to a list.
    #[inline(always)]
    fn follow(&self, first: usize, list: &mut Members) {
        let mut member = self.next[first];
        while member != NONE {
            list.push(member & !MORE);
            member = self.next[(member & !MORE) as usize];
        }
    }
}

/// Writes those of a row of three that are members side by side after so many others, and says how many there are
/// then. The fourth does not count.
#[inline(always)]
fn sort_in<V: Vectors>(
    vectors: V,
    row: u32x4,
    none: u32x4,
    marks: &mut u32x4,
    room: &mut [u32; 264],
    number: usize,
) -> usize {
    *marks |= row;
    let empty = row.simd_eq(none).to_bitmask() as usize & 7;
    // As an array: a slice, whose length is looked at when it is copied, was a call of `memcpy` for every row.
    if let Some(place) = room[number & 255..].first_chunk_mut() {
        *place = vectors.pressed(row.to_array(), empty);
    }
    number + (empty ^ 7).count_ones() as usize
}

/// Where most cells have several: room for seven in each, and how many there are; what does not fit is elsewhere. To
/// collect the members of several cells is to copy all that is in the cells, one over the unused end of the other: no
/// branch depends on which are where.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// The last number is the mark of a cell: how many there are, and whether there are others.
    eights: Vec<[u32; 8]>,
    /// The members that have no room in a cell, by its place and by that of its ghost.
    spilt: BTreeMap<usize, Vec<u32>>,
}

/// The bits of a mark that say how many there are in the cell itself.
const COUNT: u32 = 7;

impl Blocks {
    #[inline(always)]
    pub fn insert(&mut self, place: usize, ghost: Option<usize>, member: u32) {
        let eight = &mut self.eights[place];
        let count = (eight[7] & COUNT) as usize;
        if count < 7 {
            eight[count] = member;
            eight[7] += 1;
        } else {
            eight[7] |= MORE;
            for place in [Some(place), ghost].into_iter().flatten() {
                self.spilt.entry(place).or_default().push(member);
            }
        }
        if let Some(ghost) = ghost {
            self.eights[ghost] = self.eights[place];
        }
    }

    #[inline(always)]
    pub fn remove(&mut self, place: usize, ghost: Option<usize>, member: u32) {
        let eight = &mut self.eights[place];
        let count = (eight[7] & COUNT) as usize;
        let found = eight[..count].iter().position(|&other| other == member);
        if eight[7] & MORE != 0 {
            self.remove_spilt(place, ghost, found, member);
        } else if let Some(at) = found {
            eight[at] = eight[count - 1];
            eight[7] -= 1;
        }
        if let Some(ghost) = ghost {
            self.eights[ghost] = self.eights[place];
        }
    }

    #[cold]
    fn remove_spilt(
        &mut self,
        place: usize,
        ghost: Option<usize>,
        found: Option<usize>,
        member: u32,
    ) {
        for (first, place) in [Some(place), ghost].into_iter().flatten().enumerate() {
            let Some(others) = self.spilt.get_mut(&place) else {
                continue;
            };
            match found {
                Some(at) => {
                    if let Some(other) = others.pop()
                        && first == 0
                    {
                        self.eights[place][at] = other;
                    }
                }
                None => others.retain(|&other| other != member),
            }
            if others.is_empty() {
                self.spilt.remove(&place);
                self.eights[place][7] &= !MORE;
            }
        }
    }

    #[inline(always)]
    fn take<const N: usize>(&self, firsts: &[u32], list: &mut Members) {
        let mut marks = 0;
        list.fill(
            #[inline(always)]
            |room| {
                let mut number = 0;
                for &first in firsts {
                    for eight in &self.eights[first as usize..first as usize + N] {
                        // Less than 27 times 8.
                        if let Some(place) = room[number & 255..].first_chunk_mut() {
                            *place = *eight;
                        }
                        number += (eight[7] & COUNT) as usize;
                        marks |= eight[7];
                    }
                }
                number
            },
        );
        if marks & MORE != 0 {
            self.take_spilt::<N>(firsts, list);
        }
    }

    #[cold]
    fn take_spilt<const N: usize>(&self, firsts: &[u32], list: &mut Members) {
        let row = |&first: &u32| first as usize..first as usize + N;
        for place in firsts.iter().flat_map(row) {
            let others = self.spilt.get(&place);
            others
                .into_iter()
                .flatten()
                .for_each(|&other| list.push(other));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Both stores, with cells that overflow and cells with ghosts, have the same members as sets that are kept beside
    /// them.
    #[test]
    fn both_keep_who_is_where() {
        for dense in [false, true] {
            let mut store = Store::new(6, if dense { 1 } else { 1000 }, 100);
            let mut sets = vec![BTreeSet::new(); 6];
            let ghost = |place: usize| (place == 1).then_some(5);
            let mut home: Vec<Option<usize>> = vec![None; 100];
            let mut seed = 5_u64;
            for _ in 0..5000 {
                seed = seed
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let member = (seed >> 33) % 100;
                match home[member as usize].take() {
                    Some(place) => {
                        store.remove(place, ghost(place), member as u32);
                        sets[place].remove(&(member as u32));
                    }
                    None => {
                        // The second place gets most of them.
                        let place = [1, 1, 1, 2, 3][(seed >> 45) as usize % 5];
                        store.insert(place, ghost(place), member as u32);
                        sets[place].insert(member as u32);
                        home[member as usize] = Some(place);
                    }
                }
                for (place, set) in [(1, 1), (2, 2), (3, 3), (5, 1)] {
                    let mut list = Members::default();
                    store.take_one(place, &mut list);
                    let mut row = Members::default();
                    store.take::<1>(&[place as u32], &mut row);
                    assert_eq!(row.all(), list.all());
                    let all: BTreeSet<u32> = list.all().iter().copied().collect();
                    assert_eq!(all.len(), list.len());
                    assert_eq!(all, sets[set]);
                }
                // A row, and places one by one.
                let everyone: BTreeSet<u32> = sets[1..4].iter().flatten().copied().collect();
                let (mut row, mut places) = (Members::default(), Members::default());
                store.take::<3>(&[1], &mut row);
                store.take::<1>(&[3, 1, 4, 2], &mut places);
                for list in [row, places] {
                    let all: BTreeSet<u32> = list.all().iter().copied().collect();
                    assert_eq!(all.len(), list.len());
                    assert_eq!(all, everyone);
                }
            }
        }
    }
}
