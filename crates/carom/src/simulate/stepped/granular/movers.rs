//! The balls, in the order of their cells: three rows of four numbers each.

use crate::vectors::{Floats as _, Vectors};
use wide::f64x4;

/// What the loops over contacts need of a ball, on a line and a half of cache.
///
/// The fourth numbers are chosen such that adding two rows adds them: two radii to the distance at which balls touch,
/// two inverse masses to that of the reduced mass.
#[derive(Clone, Copy, Debug)]
pub(super) struct GrainRecord {
    /// x, y, z and the radius, m.
    pub place: f64x4,
    /// The velocity, m/s (half a step behind the place, between steps), and 1/m, 1/kg.
    pub velocity: f64x4,
    /// r ω, m/s, and `r²/I`, 1/kg: the acceleration of `r ω` by a torque of r times one newton.
    pub rim: f64x4,
}

/// The balls of a crowd.
#[derive(Clone, Debug, Default)]
pub(super) struct GrainRecords {
    pub list: Vec<GrainRecord>,
    /// The place of each in the order in which they were given.
    pub id: Vec<u32>,
    /// What each is made of.
    pub class: Vec<u16>,
    /// Each as it was at the beginning of the step, its velocity at the same time as its place; empty where that
    /// is not asked for.
    pub before: Vec<GrainRecord>,
    /// Where each is in the order of the cells, by the order given; empty where that is not asked for.
    pub at: Vec<u32>,
}

impl GrainRecords {
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The same balls in another order: the one that is to come first is `order[0]`, and so on. In place, along the
    /// cycles of the permutation: a second list of all balls would be the most memory that is ever needed.
    pub fn reorder(&mut self, mut order: Vec<u32>) {
        for start in 0..order.len() {
            let mut to = start;
            let (ball, id) = (self.list[start], self.id[start]);
            let class = self.class.get(start).copied();
            let before = self.before.get(start).copied();
            loop {
                let from = order[to] as usize;
                order[to] = to as u32;
                if from == start {
                    break;
                }
                self.list[to] = self.list[from];
                self.id[to] = self.id[from];
                if class.is_some() {
                    self.class[to] = self.class[from];
                }
                if before.is_some() {
                    self.before[to] = self.before[from];
                }
                to = from;
            }
            (self.list[to], self.id[to]) = (ball, id);
            if let Some(class) = class {
                self.class[to] = class;
            }
            if let Some(before) = before {
                self.before[to] = before;
            }
        }
        for (at, &id) in self.id.iter().enumerate() {
            if let Some(place) = self.at.get_mut(id as usize) {
                *place = at as u32;
            }
        }
    }
}

/// The sum of the fourth numbers and the difference of the others.
#[inline(always)]
pub(super) fn apart<V: Vectors>(vectors: V, a: &f64x4, b: &f64x4) -> V::Four {
    let signs = vectors.four(&[-0.0, -0.0, -0.0, 0.0]);
    vectors.four(a.as_array()) + vectors.four(b.as_array()).signed(signs)
}
