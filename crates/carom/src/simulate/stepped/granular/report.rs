//! What a crowd can be asked.

use super::kick::{ByFields, Kick};
use super::movers::GrainRecord;
use super::setup::angular_velocity_of;
use super::{EnergyBudget, Granular, GranularBall};
use crate::arrays::Each;
use crate::body::CollisionFilter;
use crate::shape::Shaped;
use crate::space::Linear;
use crate::vectors::Portable;

impl<S: Shaped> Granular<S> {
    /// Every ball as it is now, in the order given. The mass and what it is made of are as they were.
    pub fn balls(&self) -> Vec<GranularBall<S>> {
        let mut place = vec![0; self.len()];
        for (at, &id) in self.movers.id.iter().enumerate() {
            place[id as usize] = at;
        }
        place.into_iter().map(|at| self.grain_at(at)).collect()
    }

    /// Passes every ball, with its number in the order given, as it is now, in the order in which they are stored.
    pub fn each(&self, mut tell: impl FnMut(u32, GranularBall<S>)) {
        for (at, &id) in self.movers.id.iter().enumerate() {
            tell(id, self.grain_at(at));
        }
    }

    pub(super) fn grain_at(&self, at: usize) -> GranularBall<S> {
        let by_fields = |ball: &GrainRecord| self.by_fields(ball);
        let kick = Kick {
            fields: self.fields.is_some().then_some(&by_fields as ByFields<'_>),
            ..self.kick()
        };
        self.grain_of(
            at,
            kick.closed(
                &self.movers.list[at],
                self.sums().of(Portable, at, &self.movers.list[at]),
            ),
        )
    }

    /// A ball from its numbers.
    pub(super) fn grain_of(&self, at: usize, ball: GrainRecord) -> GranularBall<S> {
        let id = self.movers.id[at] as usize;
        let [x, y, z, radius] = ball.place.to_array();
        let [u, v, w, per_mass] = ball.velocity.to_array();
        let [p, q, r, per_inertia] = ball.rim.to_array();
        GranularBall {
            position: S::vector([x, y, z]),
            velocity: S::vector([u, v, w]),
            angular_velocity: angular_velocity_of::<S>([p / radius, q / radius, r / radius]),
            radius,
            mass: 1.0 / per_mass,
            inertia: radius * radius / per_inertia,
            class: self.movers.class.get(at).copied().unwrap_or(0),
            groups: self.groups.get(id).copied().unwrap_or(CollisionFilter::ALL),
        }
    }

    /// Where the energy is, J. What contacts store and took is zero unless the settings ask for budgets.
    pub fn budget(&self) -> EnergyBudget {
        let mut books = EnergyBudget {
            elastic: self.takings.pressed + self.takings.stretched.iter().sum::<f64>(),
            damped: self.takings.damped,
            rubbed: self.takings.worked - self.takings.stretched.iter().sum::<f64>(),
            ..EnergyBudget::default()
        };
        // In the order given: sums in the order of the cells would change when the balls are sorted.
        for grain in self.balls() {
            books.translational += 0.5 * grain.mass * grain.velocity.length_squared();
            if grain.inertia.is_finite() {
                books.rotational += 0.5 * grain.inertia * grain.angular_velocity.length_squared();
            }
            books.potential -= grain.mass * self.settings.gravity.dot(grain.position);
        }
        books
    }

    /// What all balls together exert on a fixture, by the order given, N.
    pub fn load_on(&self, prop: usize) -> S::Vector {
        let mut load = S::Vector::ZERO;
        let pairs = self.regions.pairs;
        let actions = &self.actions[pairs - self.shares.inner..];
        for (slot, actions) in self.slots[pairs..].iter().zip(actions) {
            for (lane, action) in actions.iter().enumerate() {
                if slot.used(lane) && self.given[slot.b[lane] as usize] as usize == prop {
                    let [x, y, z, _] = action.force.to_array();
                    load -= S::vector([x, y, z]);
                }
            }
        }
        load
    }

    /// How many other balls a ball touches, on average.
    pub fn coordination(&self) -> f64 {
        let pairs = &self.slots[..self.regions.pairs];
        let contacts: u32 = pairs.iter().map(|slot| slot.touching.count_ones()).sum();
        2.0 * f64::from(contacts) / self.len().max(1) as f64
    }

    /// The deepest overlap of two balls, m.
    pub fn deepest(&self) -> f64 {
        let mut deepest = 0.0_f64;
        for (slot, base) in self.shares.pairs(&self.slots) {
            for lane in (0..4).filter(|lane| slot.touching >> lane & 1 == 1) {
                let [a, b] = [slot.a[lane], slot.b[lane]]
                    .each(|ball| self.movers.list[(base + ball) as usize].place.to_array());
                let mut square = 0.0;
                for axis in 0..3 {
                    let mut apart = a[axis] - b[axis];
                    let length = self.settings.periods[axis];
                    if length > 0.0 {
                        apart -= length * (apart / length).round_ties_even();
                    }
                    square += apart * apart;
                }
                deepest = deepest.max(a[3] + b[3] - square.sqrt());
            }
        }
        deepest
    }
}
