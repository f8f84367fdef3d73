use super::Lattice;
use crate::order::InOrder;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// A ball at rest, for [`touching_pairs`].
#[derive(Clone, Copy, Debug)]
pub struct SizedBall<S: Space> {
    /// Whatever the caller wants to know it by.
    pub id: u32,
    /// Of its centre, m.
    pub place: S::Vector,
    /// m.
    pub radius: f64,
}

/// Calls `found` with every pair of balls that overlap or nearly touch (the lower id first) and the distance of their
/// centres, each pair once, in no particular order; `periods` as in [`Lattice`].
///
/// Balls are sorted into classes by size, each a factor of two wide, with a lattice for each class whose cells are as
/// large as its balls. A ball looks at the cells around it in the lattices of its own class and of all larger ones, so
/// that a few large balls among many small ones do not make it slow.
pub fn touching_pairs<S: Space>(
    balls: &[SizedBall<S>],
    periods: [f64; 3],
    mut found: impl FnMut(&SizedBall<S>, &SizedBall<S>, f64),
) {
    let mut classes: Vec<(f64, Vec<u32>)> = Vec::new();
    let mut by_size: Vec<u32> = (0..balls.len() as u32).collect();
    by_size.order_by(|&a, &b| {
        let radius = |index: u32| balls[index as usize].radius;
        radius(b).total_cmp(&radius(a)).then(a.cmp(&b))
    });
    for index in by_size {
        let radius = balls[index as usize].radius;
        match classes.last_mut() {
            Some((largest, members)) if radius > 0.5 * *largest => members.push(index),
            _ => classes.push((radius, vec![index])),
        }
    }
    for class in 0..classes.len() {
        let sorted = Sorted::new(balls, &classes[class].1, classes[class].0, periods);
        for &index in classes[class..].iter().flat_map(|(_, members)| members) {
            let own_class = balls[index as usize].radius > 0.5 * classes[class].0;
            sorted.near(balls, index, |other, distance| {
                // Within a class each of the two finds the other.
                if !own_class || index < other {
                    let pair = (&balls[index as usize], &balls[other as usize]);
                    let (a, b) = if pair.0.id < pair.1.id {
                        pair
                    } else {
                        (pair.1, pair.0)
                    };
                    found(a, b, distance);
                }
            });
        }
    }
}

/// The balls of one class, sorted by cell.
struct Sorted<S: Space> {
    lattice: Lattice<S>,
    /// Where the members of each cell begin; one more than there are cells.
    first: Vec<u32>,
    members: Vec<u32>,
}

impl<S: Space> Sorted<S> {
    fn new(balls: &[SizedBall<S>], class: &[u32], largest: f64, periods: [f64; 3]) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for &index in class {
            for (axis, place) in S::components(balls[index as usize].place)
                .into_iter()
                .enumerate()
            {
                low[axis] = low[axis].min(place);
                high[axis] = high[axis].max(place);
            }
        }
        let lattice = Lattice::new(
            low,
            high,
            periods,
            2.0 * largest * (1.0 + 1e-9),
            class.len(),
        );
        let cell = |index: u32| {
            lattice.index(lattice.cell_of(home::<S>(balls[index as usize].place, periods)))
        };
        let mut first = vec![0; lattice.cells() + 1];
        for &index in class {
            first[cell(index) + 1] += 1;
        }
        for cell in 1..first.len() {
            first[cell] += first[cell - 1];
        }
        let mut next = first.clone();
        let mut members = vec![0; class.len()];
        for &index in class {
            let place = &mut next[cell(index)];
            members[*place as usize] = index;
            *place += 1;
        }
        Sorted {
            lattice,
            first,
            members,
        }
    }

    /// Members that overlap or nearly touch a ball, and the distance of the centres.
    fn near(&self, balls: &[SizedBall<S>], index: u32, mut found: impl FnMut(u32, f64)) {
        let ball = &balls[index as usize];
        let place = home::<S>(ball.place, self.lattice.period);
        self.lattice
            .around(self.lattice.cell_of(place), |cell, shift| {
                let cell = self.lattice.index(cell);
                let seen_at = self.lattice.shift(shift);
                for &other in
                    &self.members[self.first[cell] as usize..self.first[cell + 1] as usize]
                {
                    if other == index {
                        continue;
                    }
                    let there = &balls[other as usize];
                    let apart = home::<S>(there.place, self.lattice.period) + seen_at - place;
                    let reach = (ball.radius + there.radius) * (1.0 + 64.0 * UNIT_ROUNDOFF);
                    if apart.length_squared() <= reach * reach {
                        found(other, apart.length());
                    }
                }
            });
    }
}

/// What leads from one place to the nearest image of another, in boxes of some lengths (m; zero where there are none),
/// by what leads to the place itself.
pub(crate) fn nearest_image<S: Space>(apart: S::Vector, periods: [f64; 3]) -> S::Vector {
    if periods == [0.0; 3] {
        return apart;
    }
    let mut along = S::components(apart);
    for (along, length) in along.iter_mut().zip(periods) {
        if length > 0.0 {
            *along -= length * (*along / length).round();
        }
    }
    S::vector(along)
}

/// A place brought into the periodic box.
pub(crate) fn home<S: Space>(place: S::Vector, periods: [f64; 3]) -> S::Vector {
    let mut place = S::components(place);
    for axis in 0..S::DIMENSION {
        let length = periods[axis];
        if length > 0.0 && !(place[axis] >= 0.0 && place[axis] < length) {
            place[axis] -= (place[axis] / length).floor() * length;
        }
    }
    S::vector(place)
}
