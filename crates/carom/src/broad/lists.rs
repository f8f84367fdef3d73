use super::{Cells, Members};
use crate::arrays::Each;
use crate::space::Space;
use crate::vectors::{Choice, Floats, Mask, Vectors, Words, run_with};
use prefetch_index::prefetch_index;
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// For each ball, those near it.
///
/// A ball is in the list of another as long as their *anchors* are no further apart than the sum of the radii and a
/// shell. The anchor is where the ball was when its list was last made; the list is good until the ball has drifted
/// from there by half the shell, since two balls that have each drifted less cannot touch unless they are in each
/// other's lists. The cells hold the anchors.
///
/// Anchors are positions in single precision, and mean just that: drifting is measured from them in double precision.
/// Their distances are computed in single precision, with a margin for its rounding.
///
/// In dense matter a list has half as many candidates as the cells around, and balls rarely drift.
#[derive(Clone, Debug)]
pub struct Lists<S: Space> {
    anchors: Vec<Anchor>,
    near: Vec<List>,
    /// What does not fit into the lists of some.
    spilt: BTreeMap<u32, Vec<u32>>,
    /// How far a ball may be from its anchor, m.
    pub drift: f64,
    shell: f32,
    /// No radius is larger, m.
    largest: f32,
    found: Members,
    vectors: Choice,
    period: [f32; 3],
    /// Of the period; zero where there is none.
    inverse: [f32; 3],
    space: PhantomData<S>,
}

/// Place and radius.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct Anchor([f32; 4]);

impl Anchor {
    fn new<S: Space>(place: S::Vector, radius: f64) -> Self {
        let [x, y, z] = S::components(place).each(|along| along as f32);
        Anchor([x, y, z, radius as f32])
    }
}

/// The first of them, filled up with the ball itself, and how many there are (with the mark [`SIDE`]): one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct List([u32; 16]);

const ROOM: usize = 15;

/// The mark of a ball that may see others across a side of the periodic box, or come to it.
const SIDE: u32 = 1 << 31;

impl List {
    fn nobody(member: usize) -> Self {
        let mut list = [member as u32; ROOM + 1];
        list[ROOM] = 0;
        List(list)
    }
}

impl<S: Space> Lists<S> {
    /// Empty lists, for balls at given positions and with given radii; the shell and the periods of the box (as in
    /// `Lattice`) in metres.
    pub fn new(
        balls: impl ExactSizeIterator<Item = (S::Vector, f64)>,
        shell: f64,
        period: [f64; 3],
    ) -> Self {
        let near = (0..balls.len()).map(List::nobody).collect();
        let anchors: Vec<Anchor> = balls
            .map(|(place, radius)| Anchor::new::<S>(place, radius))
            .collect();
        let largest = anchors
            .iter()
            .flat_map(|anchor| anchor.0)
            .chain(period.each(|length| length as f32))
            .fold(0.0, |largest: f32, along| largest.max(along.abs()));
        let widest = anchors.iter().map(|anchor| anchor.0[3]).fold(0.0, f32::max);
        Lists {
            near,
            largest: widest,
            spilt: BTreeMap::new(),
            anchors,
            // A little less than half: positions and times are rounded.
            drift: 0.5 * shell * (1.0 - 1e-6),
            // Each coordinate is off by 2⁻²⁴ of itself, their difference and a shift by as much: a few of these.
            shell: shell as f32 * (1.0 + 1e-6) + largest / 1_048_576.0,
            found: Members::default(),
            vectors: Choice::now(),
            period: period.each(|length| length as f32),
            inverse: period.each(|length| {
                if length > 0.0 {
                    (1.0 / length) as f32
                } else {
                    0.0
                }
            }),
            space: PhantomData,
        }
    }

    /// Reserves memory for so many balls.
    pub fn grow(&mut self, members: usize) {
        if self.near.len() < members {
            let new = self.near.len()..members;
            self.near.extend(new.map(List::nobody));
            self.anchors.resize(members, Anchor([0.0; 4]));
        }
    }

    /// Where the ball was when its list was made, m.
    #[inline(always)]
    pub fn anchor(&self, member: usize) -> S::Vector {
        let [x, y, z, _] = self.anchors[member].0.each(f64::from);
        S::vector([x, y, z])
    }

    /// The list of a ball; `None` where it is too long to be in one segment.
    #[inline(always)]
    pub fn plain(&self, member: usize) -> Option<&[u32]> {
        self.near[member].0[..ROOM].get(..self.number(member))
    }

    /// Fetches a list that will be needed soon.
    #[inline(always)]
    pub fn fetch(&self, member: usize) {
        prefetch_index(&self.near, member);
        prefetch_index(&self.anchors, member);
    }

    /// How many are in the list of a ball.
    #[inline(always)]
    pub fn number(&self, member: usize) -> usize {
        (self.near[member].0[ROOM] & !SIDE) as usize
    }

    /// Whether a ball may see others across a side of the periodic box before it drifts from its anchor, or leave the
    /// box.
    #[inline(always)]
    pub fn near_side(&self, member: usize) -> bool {
        self.near[member].0[ROOM] & SIDE != 0
    }

    /// The first of the list of a ball, to be fetched ahead.
    #[inline(always)]
    pub fn first(&self, member: usize) -> &[u32] {
        &self.near[member].0[..ROOM]
    }

    /// The list of a ball in eights, filled up with itself but for the very last, which is no ball; `None` where it is
    /// longer.
    #[inline(always)]
    pub fn short(&self, member: usize) -> Option<&[[u32; 8]; 2]> {
        let List(list) = &self.near[member];
        if list[ROOM] & !SIDE <= ROOM as u32 {
            list.as_chunks().0.first_chunk()
        } else {
            None
        }
    }

    /// Adds every ball in the list of a ball to a list.
    #[inline]
    pub fn around(&self, member: usize, list: &mut Members) {
        match self.plain(member) {
            Some(plain) => list.extend(plain),
            None => {
                list.extend(&self.near[member].0[..ROOM]);
                list.extend(&self.spilt[&(member as u32)]);
            }
        }
    }

    /// Moves a ball's anchor, and brings its list and those of its neighbours up to date. The ball must be in its new
    /// cell.
    pub fn move_anchor(
        &mut self,
        cells: &Cells<S>,
        cell: [u32; 3],
        member: u32,
        anchor: S::Vector,
    ) {
        let [_, _, _, radius] = self.anchors[member as usize].0;
        self.anchors[member as usize] = Anchor::new::<S>(anchor, f64::from(radius));
        if !self.renew(cells, cell, member) {
            self.forget(member);
            self.find(cells, cell, member, |_| true);
        }
    }

    /// Brings the list of a ball whose anchor has moved up to date, and those of the few that come into it or go;
    /// `false` where it is or becomes too long to be in one segment, and nothing has been changed.
    fn renew(&mut self, cells: &Cells<S>, cell: [u32; 3], member: u32) -> bool {
        run_with!(self.vectors, vectors => self.renew_with(vectors, cells, cell, member))
    }

    #[inline(always)]
    fn renew_with<V: Vectors>(
        &mut self,
        vectors: V,
        cells: &Cells<S>,
        cell: [u32; 3],
        member: u32,
    ) -> bool {
        let before = self.near[member as usize].0;
        let number = (before[ROOM] & !SIDE) as usize;
        if number > ROOM {
            return false;
        }
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        cells.around(cell, &mut found);
        let mut after = [member; 40];
        let mut count = 0;
        // Filled up with itself: it is not its own neighbour. Who is one is a toss-up, and takes no branch.
        for others in found.eights(member) {
            let near = self.are_near(vectors, member, others) as usize;
            let fours = others.as_chunks::<4>().0;
            for (four, bits) in fours.iter().zip([near & 15, near >> 4]) {
                let without = 15 - bits;
                if let Some(place) = after[count.min(32)..].first_chunk_mut() {
                    *place = vectors.pressed(*four, without);
                }
                count += bits.count_ones() as usize;
            }
        }
        self.found = found;
        if count > ROOM {
            return false;
        }
        let ([low, high], []) = before.as_chunks::<8>() else {
            return false;
        };
        let (low, high) = (vectors.words(low), vectors.words(high));
        let (mut kept, mut new) = (0, 0);
        for (place, &other) in after[..count].iter().enumerate() {
            let other = vectors.all_words(other);
            let bits = low.equal(other).bits() | high.equal(other).bits() << 8;
            // What is past the number has no meaning.
            let bits = bits & ((1 << number) - 1);
            kept |= bits;
            new |= u32::from(bits == 0) << place;
        }
        let mut gone = !kept & ((1 << number) - 1);
        while gone != 0 {
            self.remove(before[gone.trailing_zeros() as usize & 15], member);
            gone &= gone - 1;
        }
        while new != 0 {
            self.insert(after[new.trailing_zeros() as usize & 15], member);
            new &= new - 1;
        }
        let List(list) = &mut self.near[member as usize];
        list[..count].copy_from_slice(&after[..count]);
        list[count..ROOM].fill(member);
        list[ROOM] = count as u32;
        if self.is_near_side(member as usize) {
            self.near[member as usize].0[ROOM] |= SIDE;
        }
        true
    }

    /// Which of eight balls are near one, by bits; itself is not.
    #[inline(always)]
    fn are_near<V: Vectors>(&self, vectors: V, member: u32, others: &[u32; 8]) -> u32 {
        let [x, y, z, radius] = self.anchors[member as usize].0;
        let here = [
            vectors.all_eight(x),
            vectors.all_eight(y),
            vectors.all_eight(z),
        ];
        let reach = vectors.all_eight(radius) + vectors.all_eight(self.shell);
        let there = self.anchors_of(vectors, others);
        let mut square = vectors.all_eight(0.0);
        for axis in 0..S::DIMENSION {
            // By the nearest image.
            let apart = here[axis] - there[axis];
            let boxes = (apart * vectors.all_eight(self.inverse[axis])).round();
            let apart = apart - boxes * vectors.all_eight(self.period[axis]);
            square += apart * apart;
        }
        let reach = reach + there[3];
        let near = (square * vectors.all_eight(1.0 - 1e-6)).less_or_equal(reach * reach);
        let itself = vectors.words(others).equal(vectors.all_words(member));
        near.bits() & !itself.bits()
    }

    /// How thick the shell is, m, or a little more.
    pub fn shell(&self) -> f64 {
        f64::from(self.shell)
    }

    /// Makes the list of a ball that has come. It must be in its cell.
    pub fn admit(
        &mut self,
        cells: &Cells<S>,
        cell: [u32; 3],
        member: u32,
        anchor: S::Vector,
        radius: f64,
    ) {
        self.anchors[member as usize] = Anchor::new::<S>(anchor, radius);
        self.largest = self.largest.max(radius as f32);
        self.find(cells, cell, member, |_| true);
    }

    /// Fills all lists.
    pub fn fill(&mut self, cells: &Cells<S>, cell: impl Fn(u32) -> [u32; 3]) {
        for member in 0..self.anchors.len() as u32 {
            self.find(cells, cell(member), member, |other| other < member);
        }
    }

    /// Empties the list of a ball, and takes it out of those of its neighbours.
    pub fn forget(&mut self, member: u32) {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        self.around(member as usize, &mut found);
        for &other in found.all() {
            self.remove(other, member);
        }
        self.found = found;
        if self.number(member as usize) > ROOM {
            self.spilt.remove(&member);
        }
        self.near[member as usize] = List::nobody(member as usize);
    }

    fn find(
        &mut self,
        cells: &Cells<S>,
        cell: [u32; 3],
        member: u32,
        wanted: impl Fn(u32) -> bool,
    ) {
        if self.is_near_side(member as usize) {
            self.near[member as usize].0[ROOM] |= SIDE;
        }
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        cells.around(cell, &mut found);
        // Filled up with itself: it is not its own neighbour.
        for others in found.eights(member) {
            let lists = &*self;
            let mut bits =
                run_with!(lists.vectors, vectors => lists.are_near(vectors, member, others));
            while bits != 0 {
                let other = others[bits.trailing_zeros() as usize & 7];
                bits &= bits - 1;
                if wanted(other) {
                    self.insert(member, other);
                    self.insert(other, member);
                }
            }
        }
        self.found = found;
    }

    /// Whether an anchor is so near a side of the box that the list may have members beyond it, or the ball itself come
    /// to it.
    fn is_near_side(&self, member: usize) -> bool {
        let [x, y, z, radius] = self.anchors[member].0;
        // The others are no larger than the cells were made for.
        let reach = (radius + self.largest + self.shell) * (1.0 + 1e-5);
        let near =
            |along: f32, length: f32| length > 0.0 && !(along > reach && along < length - reach);
        let [a, b, c] = self.period;
        near(x, a) || near(y, b) || near(z, c)
    }

    /// Coordinates and radii of eight anchors.
    #[inline(always)]
    fn anchors_of<V: Vectors>(&self, vectors: V, others: &[u32; 8]) -> [V::Eight; 4] {
        let [a, b, c, d, e, f, g, h] = *others;
        vectors.transpose_quarters([
            self.row(a),
            self.row(b),
            self.row(c),
            self.row(d),
            self.row(e),
            self.row(f),
            self.row(g),
            self.row(h),
        ])
    }

    #[inline(always)]
    fn row(&self, member: u32) -> &[f32; 4] {
        &self.anchors[member as usize].0
    }

    #[inline]
    fn insert(&mut self, member: u32, other: u32) {
        let List(list) = &mut self.near[member as usize];
        let number = (list[ROOM] & !SIDE) as usize;
        list[ROOM] += 1;
        match list[..ROOM].get_mut(number) {
            Some(place) => *place = other,
            None => self.spilt.entry(member).or_default().push(other),
        }
    }

    fn remove(&mut self, member: u32, other: u32) {
        let List(list) = &mut self.near[member as usize];
        let number = (list[ROOM] & !SIDE) as usize;
        let mut places = 0;
        for (place, &entry) in list[..ROOM].iter().enumerate() {
            places |= u32::from(entry == other) << place;
        }
        // What is past the number has no meaning.
        places &= (1 << number.min(ROOM)) - 1;
        let place = (places != 0).then(|| places.trailing_zeros() as usize & ROOM);
        if number <= ROOM {
            if let Some(place) = place {
                list[place] = list[number - 1];
                list[number - 1] = member;
                list[ROOM] -= 1;
            }
            return;
        }
        let spilt = self.spilt.get_mut(&member).expect("its list is too long");
        match place {
            Some(place) => list[place] = spilt.pop().expect("its list is too long"),
            None => spilt.retain(|&entry| entry != other),
        }
        list[ROOM] = (ROOM + spilt.len()) as u32 | list[ROOM] & SIDE;
        if spilt.is_empty() {
            self.spilt.remove(&member);
        }
    }
}
