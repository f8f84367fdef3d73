//! When an island sleeps, and how it gets up.
//!
//! It sleeps when no point of a member has been faster than [`STILL`] `√(a r)` for [`CALM`] steps, no fixture that
//! moves is touched, and contact forces have been found that hold all members against what pulls at them: impulses of
//! one step, solved from rest, leave no member with more than a share of what its acceleration gives in the step (if
//! not, it is tried again as many steps later). The rest of the motion is stopped, and entered as settled. Where no
//! fixture rubs, nothing could take the momentum along the floor: then the island sleeps only if there is none.

use super::super::{Exact, RunError};
use super::FEW;
use crate::body::Kind;
use crate::impact::Strikable;
use crate::response::several::Mover;
use crate::simulate::contact_solver::polish;
use crate::simulate::islands::{Against, Island, begin};
use crate::simulate::rigid::ContactForce;
use crate::space::Linear;

/// Speeds below this share of √(a r) are slow.
const STILL: f64 = 2e-2;

/// For so many steps all have to be slow.
const CALM: f64 = 48.0;

/// What an island in equilibrium may be left with of a step's acceleration: few contacts, and many.
const HELD: [f64; 2] = [1e-8, 1e-6];

/// What may be lost of the momentum of an island that no friction holds, as a share of √(a r).
const LOST: f64 = 1e-10;

impl<S: Strikable> Exact<S> {
    /// Lets an island whose step is closed fall asleep, if it can. Whether it did.
    pub(super) fn falls_asleep(&mut self, id: u32) -> Result<bool, RunError> {
        let Some(mut island) = self.take_island(id) else {
            return Ok(false);
        };
        let (step, pull) = self.next_step(&island);
        let mut scale = f64::INFINITY;
        let mut fastest = 0.0_f64;
        for ball in &island.members {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            let radius = self.stage.balls.hot[slot].radius;
            let turning = self.stage.balls.angular_velocity(slot).length() * radius;
            scale = scale.min(radius);
            fastest = fastest.max(self.stage.balls.hot[slot].velocity.length() + turning);
        }
        let speed = (pull * scale).sqrt();
        let moved = |against: &Against| {
            against.fixture().is_some_and(|index| {
                let body = &self.stage.fixtures[index as usize].body;
                matches!(body.kind, Kind::Kinematic(_))
            })
        };
        let carried = (island.contacts.iter()).any(|contact| moved(&contact.against));
        let varying = (island.members.iter()).any(|ball| {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            self.stage
                .load(slot)
                .is_some_and(|load| !load.is_constant())
        });
        if !(fastest <= STILL * speed) || carried || varying {
            island.calm = self.clock;
        }
        let due = self.clock - island.calm >= CALM * step;
        let sleeps = due && self.is_held(&mut island, (step, pull, speed));
        if sleeps {
            self.lie_down(&mut island);
        } else if due && island.contacts.len() > FEW {
            island.calm = self.clock;
        }
        self.put_island_back(id, island);
        if sleeps {
            self.enlist(id);
            let slots = self.island_slots(id);
            self.changed(&slots);
        }
        Ok(sleeps)
    }

    /// Whether the contacts of an island hold it; then they have the impulses of one step.
    fn is_held(&self, island: &mut Island<S>, (step, pull, speed): (f64, f64, f64)) -> bool {
        let touch = super::step::touch_of(island, pull, step);
        let mut problem = self.problem_of(island, |contact| contact.gap <= touch);
        let still = |mover: &mut Mover<S>| {
            if mover.inverse_mass > 0.0 {
                (mover.velocity, mover.angular_velocity) = (S::Vector::ZERO, S::Angular::ZERO);
            }
        };
        problem.movers.iter_mut().for_each(still);
        for (ball, mover) in island.members.iter().zip(&mut problem.movers) {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            let (push, twist) = self.rates_of(slot);
            mover.velocity += push * step;
            mover.angular_velocity += twist * step;
        }
        let known = (problem.which.iter()).map(|&index| island.contacts[index].given.times(2.0));
        begin(&mut problem.rows, &mut problem.movers, known);
        problem.solve_asleep(pull * step);
        let left = (island.members.iter().zip(&problem.movers))
            .map(|(ball, mover)| {
                let slot = self.stage.slots[ball.0 as usize] as usize;
                let radius = self.stage.balls.hot[slot].radius;
                mover.velocity.length() + mover.angular_velocity.length() * radius
            })
            .fold(0.0, f64::max);
        let held = HELD[usize::from(problem.rows.len() > FEW)];
        if !(left <= held * pull * step) {
            return false;
        }
        polish(&mut problem.rows, &mut problem.movers);
        let rubs = problem
            .rows
            .iter()
            .zip(&problem.which)
            .any(|(row, &index)| {
                let fixed = island.contacts[index].against.fixture().is_some();
                fixed && row.pressed > 0.0 && row.friction[0] > 0.0
            });
        if !rubs && !self.drifts_not(island, &problem.rows, speed) {
            return false;
        }
        for (row, &index) in problem.rows.iter().zip(&problem.which) {
            island.contacts[index].given = row.given();
        }
        true
    }

    /// Whether an island that no friction holds has no momentum but along the normals of the fixtures.
    fn drifts_not(
        &self,
        island: &Island<S>,
        rows: &[crate::simulate::contact_solver::Row<S>],
        speed: f64,
    ) -> bool {
        let (mut momentum, mut mass) = (S::Vector::ZERO, 0.0);
        for ball in &island.members {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            let inertial = self.stage.balls.inertials.of(slot);
            momentum += self.stage.balls.hot[slot].velocity * inertial.mass;
            mass += inertial.mass;
        }
        // What the fixtures can take, one normal after the other.
        for _ in 0..3 {
            for row in rows {
                if row.bodies[1] as usize >= island.members.len() {
                    momentum -= row.normal * row.normal.dot(momentum);
                }
            }
        }
        momentum.length() <= LOST * mass * speed
    }

    /// Stops the members of an island.
    fn lie_down(&mut self, island: &mut Island<S>) {
        for ball in &island.members {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            let before = self.translational(slot);
            let balls = &mut self.stage.balls;
            let (velocity, spin) = (balls.hot[slot].velocity, balls.angular_velocity(slot));
            // A smooth ball may spin on.
            let spins_on = !self.stage.surfaces.materials.any_friction();
            let after = crate::record::Velocities {
                velocity: S::Vector::ZERO,
                angular_velocity: if spins_on { spin } else { S::Angular::ZERO },
            };
            balls.set_velocities(slot, &after);
            self.ledger.settling.add(before - self.translational(slot));
            self.enter_settled(slot, velocity, spin);
        }
        island.asleep = true;
        island.since = self.clock;
        island.until = f64::INFINITY;
    }

    /// What the members of islands asleep and what they lie on do to each other, one entry a pair.
    pub(in crate::simulate::exact) fn forces_in_islands(&self) -> Vec<ContactForce<S>> {
        let trajectories = self.stage.balls.trajectories.as_ref();
        let islands = trajectories.map_or(&[][..], |trajectories| &trajectories.islands.all);
        let mut all = Vec::new();
        for island in islands.iter().flatten().filter(|island| island.asleep) {
            let per_time = 1.0 / self.next_step(island).0;
            let pushes = island.contacts.iter().filter(|it| it.given.pressed > 0.0);
            all.extend(pushes.map(|contact| ContactForce {
                on: contact.a,
                by: match contact.against {
                    Against::Ball(id) => id,
                    Against::Fixture(index) | Against::FarEnd(index) => {
                        self.stage.fixtures[index as usize].id
                    }
                },
                force: contact.given.along(contact.normal) * per_time,
                normal: contact.given.pressed * per_time,
            }));
        }
        all
    }

    /// Lets an island that slept go on.
    pub(super) fn get_up(&mut self, island: &mut Island<S>) {
        island.asleep = false;
        (island.since, island.until, island.calm) = (self.clock, self.clock, self.clock);
        for contact in &mut island.contacts {
            contact.given = contact.given.times(0.5);
        }
    }
}
