//! Which balls are near a point: balls sorted into cells, found by a hash, so that a million of them take no million
//! comparisons each.
//!
//! Balls of different sizes are kept in classes, each a factor of two wide, with cells as large as the class's largest
//! ball. Asking about a large ball among many small ones looks at no more cells than there are small ones.

use carom::space::{Linear, Space};
use std::ops::ControlFlow;

const NONE: u32 = u32::MAX;

/// Balls that can be found by their place. Those along periodic axes are found across the box.
pub(crate) struct Neighbours<S: Space> {
    periods: [f64; 3],
    places: Vec<S::Vector>,
    radii: Vec<f64>,
    cells: Vec<u64>,
    next: Vec<u32>,
    classes: Vec<Class>,
}

struct Class {
    /// No ball of the class has a larger radius, m; all are larger than half of it.
    largest: f64,
    /// The largest radius that a ball of the class has so far, m.
    reach: f64,
    /// Of a cell, m.
    sides: [f64; 3],
    /// Of cells along a periodic axis.
    numbers: [i64; 3],
    /// The first ball of each chain; as many as a power of two.
    heads: Vec<u32>,
    members: Vec<u32>,
}

impl<S: Space> Neighbours<S> {
    pub fn new(periods: [f64; 3]) -> Self {
        Neighbours {
            periods,
            places: Vec::new(),
            radii: Vec::new(),
            cells: Vec::new(),
            next: Vec::new(),
            classes: Vec::new(),
        }
    }

    pub fn periods(&self) -> [f64; 3] {
        self.periods
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn place(&self, id: u32) -> S::Vector {
        self.places[id as usize]
    }

    pub fn radius(&self, id: u32) -> f64 {
        self.radii[id as usize]
    }

    /// Adds a ball; balls are numbered in the order of insertion.
    pub fn insert(&mut self, place: S::Vector, radius: f64) -> u32 {
        let id = self.places.len() as u32;
        let place = home::<S>(place, self.periods);
        let class = self.class_of(radius);
        let cell = self.classes[class].cell::<S>(place);
        self.places.push(place);
        self.radii.push(radius);
        self.cells.push(cell);
        self.next.push(NONE);
        self.classes[class].members.push(id);
        self.classes[class].reach = self.classes[class].reach.max(radius);
        if self.classes[class].members.len() > self.classes[class].heads.len() {
            self.widen(class);
        } else {
            self.link(class, id);
        }
        id
    }

    /// Puts a ball elsewhere.
    pub fn shift(&mut self, id: u32, place: S::Vector) {
        let place = home::<S>(place, self.periods);
        let class = self.class_of(self.radii[id as usize]);
        let cell = self.classes[class].cell::<S>(place);
        self.places[id as usize] = place;
        if cell == self.cells[id as usize] {
            return;
        }
        let bucket = self.classes[class].bucket(self.cells[id as usize]);
        let after = self.next[id as usize];
        let mut before = self.classes[class].heads[bucket];
        if before == id {
            self.classes[class].heads[bucket] = after;
        } else {
            while self.next[before as usize] != id {
                before = self.next[before as usize];
            }
            self.next[before as usize] = after;
        }
        self.cells[id as usize] = cell;
        self.link(class, id);
    }

    /// Tells of every ball whose surface is nearer to a place than `radius`, with the distance of its centre. A ball
    /// may be told of twice.
    pub fn near(
        &self,
        place: S::Vector,
        radius: f64,
        mut found: impl FnMut(u32, f64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let place = home::<S>(place, self.periods);
        for class in &self.classes {
            let reach = radius + class.reach;
            let mut test = |id: u32| {
                let distance = shortest::<S>(place - self.places[id as usize], self.periods);
                if distance < radius + self.radii[id as usize] {
                    found(id, distance)
                } else {
                    ControlFlow::Continue(())
                }
            };
            let Some(ranges) = class.around::<S>(place, reach) else {
                class.members.iter().try_for_each(|&id| test(id))?;
                continue;
            };
            for x in ranges[0].indices() {
                for y in ranges[1].indices() {
                    for z in ranges[2].indices() {
                        let cell = mix([x, y, z]);
                        let mut id = class.heads[class.bucket(cell)];
                        while id != NONE {
                            if self.cells[id as usize] == cell {
                                test(id)?;
                            }
                            id = self.next[id as usize];
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn class_of(&mut self, radius: f64) -> usize {
        let fits = |class: &Class| radius <= class.largest && radius > 0.5 * class.largest;
        if let Some(index) = self.classes.iter().position(fits) {
            return index;
        }
        // The power of two from the exponent's bits; radii are between 1e-40 and 1e40.
        let mut largest = f64::from_bits(radius.to_bits() & !((1 << 52) - 1));
        if largest < radius {
            largest *= 2.0;
        }
        self.classes.push(Class::new::<S>(largest, self.periods));
        self.classes.len() - 1
    }

    fn link(&mut self, class: usize, id: u32) {
        let bucket = self.classes[class].bucket(self.cells[id as usize]);
        let head = &mut self.classes[class].heads[bucket];
        self.next[id as usize] = *head;
        *head = id;
    }

    fn widen(&mut self, class: usize) {
        let wider = 4 * self.classes[class].heads.len();
        self.classes[class].heads = vec![NONE; wider];
        for index in 0..self.classes[class].members.len() {
            let id = self.classes[class].members[index];
            self.link(class, id);
        }
    }
}

impl Class {
    fn new<S: Space>(largest: f64, periods: [f64; 3]) -> Self {
        let mut sides = [2.0 * largest; 3];
        let mut numbers = [0; 3];
        for axis in (0..S::DIMENSION).filter(|&axis| periods[axis] > 0.0) {
            // A box of more cells than this is as good as endless.
            numbers[axis] = (periods[axis] / sides[axis]).clamp(1.0, 1e9) as i64;
            sides[axis] = periods[axis] / numbers[axis] as f64;
        }
        Class {
            largest,
            reach: 0.0,
            sides,
            numbers,
            heads: vec![NONE; 16],
            members: Vec::new(),
        }
    }

    fn bucket(&self, cell: u64) -> usize {
        cell as usize & (self.heads.len() - 1)
    }

    fn cell<S: Space>(&self, place: S::Vector) -> u64 {
        let place = S::components(place);
        mix([0, 1, 2].map(|axis| self.index(axis, place[axis])))
    }

    fn index(&self, axis: usize, coordinate: f64) -> i64 {
        let index = (coordinate / self.sides[axis]).floor() as i64;
        match self.numbers[axis] {
            0 => index,
            number => index.clamp(0, number - 1),
        }
    }

    /// The cells that a ball about a place reaches into, along each axis; `None` where they are more than the members.
    fn around<S: Space>(&self, place: S::Vector, reach: f64) -> Option<[Cells; 3]> {
        let place = S::components(place);
        let flat = Cells {
            first: self.index(2, 0.0),
            count: 1,
            number: 0,
        };
        let mut ranges = [flat; 3];
        let mut count: i64 = 1;
        for axis in 0..S::DIMENSION {
            let low = ((place[axis] - reach) / self.sides[axis]).floor();
            let high = ((place[axis] + reach) / self.sides[axis]).floor();
            let number = self.numbers[axis];
            let length = (high - low + 1.0).min(1e9) as i64;
            let all = number > 0 && length >= number;
            ranges[axis] = Cells {
                first: if all { 0 } else { low as i64 },
                count: if all { number } else { length },
                number,
            };
            count = count.saturating_mul(ranges[axis].count);
        }
        (count <= self.members.len().max(64) as i64).then_some(ranges)
    }
}

/// Cells next to each other along an axis; going round where that has a number of them.
#[derive(Clone, Copy)]
struct Cells {
    first: i64,
    count: i64,
    number: i64,
}

impl Cells {
    fn indices(self) -> impl Iterator<Item = i64> {
        (0..self.count).map(move |step| {
            let index = self.first.saturating_add(step);
            if self.number == 0 || (0..self.number).contains(&index) {
                index
            } else {
                index.rem_euclid(self.number)
            }
        })
    }
}

fn mix(cell: [i64; 3]) -> u64 {
    let [x, y, z] = cell.map(|index| index as u64);
    let mut hash = x.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    hash = (hash ^ (hash >> 29) ^ y).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ (hash >> 32) ^ z).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^ (hash >> 31)
}

/// Back into the box, along its periodic axes.
pub(crate) fn home<S: Space>(place: S::Vector, periods: [f64; 3]) -> S::Vector {
    if periods == [0.0; 3] {
        return place;
    }
    let mut components = S::components(place);
    for (coordinate, length) in components.iter_mut().zip(periods) {
        if length > 0.0 && !(0.0..length).contains(coordinate) {
            *coordinate -= length * (*coordinate / length).floor();
            // What was just below zero may have been rounded up to the length itself.
            if !(0.0..length).contains(coordinate) {
                *coordinate = 0.0;
            }
        }
    }
    S::vector(components)
}

/// The length of the shortest way between two places that are `way` apart.
pub(crate) fn shortest<S: Space>(way: S::Vector, periods: [f64; 3]) -> f64 {
    if periods == [0.0; 3] {
        return way.length();
    }
    let mut components = S::components(way);
    for (component, length) in components.iter_mut().zip(periods) {
        if length > 0.0 {
            *component -= length * (*component / length).round();
        }
    }
    S::vector(components).length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use carom::space::{Space2, Space3};
    use std::collections::BTreeSet;

    /// Against all pairs, with sizes over three decades, with and without periods, and after moves.
    fn finds_what_all_pairs_find<S: Space>(periods: [f64; 3]) {
        let mut random = Random::new(7, 0);
        let mut neighbours = Neighbours::<S>::new(periods);
        let draw = |random: &mut Random| S::vector([0; 3].map(|_| random.between(-1.0, 3.0)));
        for _ in 0..400 {
            let radius = 0.001 * libm::exp(random.between(0.0, 5.5));
            neighbours.insert(draw(&mut random), radius);
        }
        for id in 0..100 {
            neighbours.shift(id, draw(&mut random));
        }
        let mut pairs = 0;
        for id in 0..400 {
            let (place, radius) = (neighbours.place(id), neighbours.radius(id));
            let mut found = BTreeSet::new();
            let _ = neighbours.near(place, radius, |other, _| {
                found.insert(other);
                ControlFlow::Continue(())
            });
            let touches = |other: &u32| {
                let way = place - neighbours.place(*other);
                shortest::<S>(way, periods) < radius + neighbours.radius(*other)
            };
            let expected: BTreeSet<u32> = (0..400).filter(touches).collect();
            pairs += expected.len() - 1;
            assert_eq!(found, expected);
        }
        assert!(pairs > 10, "the test tests nothing: {pairs}");
    }

    #[test]
    fn all_neighbours_are_found() {
        finds_what_all_pairs_find::<Space2>([0.0; 3]);
        finds_what_all_pairs_find::<Space2>([2.0, 0.0, 0.0]);
        finds_what_all_pairs_find::<Space2>([1.5, 0.9, 0.0]);
        finds_what_all_pairs_find::<Space3>([0.0; 3]);
        finds_what_all_pairs_find::<Space3>([1.0, 1.0, 1.0]);
    }
}
