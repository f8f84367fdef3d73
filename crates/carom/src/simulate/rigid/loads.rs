//! External forces and torques on rigid bodies, and on balls while they are guests.
//!
//! A force that never changes is one more gravity for its body: the flight is a parabola. Whatever else acts (a force
//! that varies with time, any torque) acts in steps: a rigid body with such a load is always in an island, in one of
//! its own where it touches nobody, whose steps give it what the load gives in each half (`island.rs`). The force of a
//! half is that of its middle, and steps end where a load jumps. Balls without contact have their own lane for that.
//!
//! In a contact of measurable duration no load acts.

use super::bodies::{RigidBody, RigidBodyRef, RigidWorld};
use super::core::Core;
use super::island::{Island, Neighbours};
use crate::audit::{External, Ledger};
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::shape::convex::Compound;
use crate::space::{Linear, Space};

/// A jump that is nearer than this share of a step has been passed: the clock of a run is rounded.
const PASSED: f64 = 1e-9;

/// A step is no longer than this share of a swing of a fixture that sways: a hundredth of a radian squared is what the
/// second order leaves.
const SWING: f64 = 1.0 / 64.0;

/// A member of an island turns by no more than this in a step, rad, unless that would be shorter than this share of the
/// usual one.
const TURN: f64 = 0.25;
const SHORTEST: f64 = 1e-3;

/// A linear and an angular impulse, kg·m/s and kg·m²/s.
pub(super) type Impulses<S> = (<S as Space>::Vector, <S as Space>::Angular);

impl<S: Shaped> RigidBody<S> {
    /// Whether what acts on it besides gravity is a force that never changes, or nothing.
    pub fn is_pulled_steadily(&self) -> bool {
        (self.load.as_ref()).is_none_or(|load| load.is_constant() && load.is_without_torque())
    }

    /// Whether the load on it changes with time.
    pub fn is_pulled_changingly(&self) -> bool {
        (self.load.as_ref()).is_some_and(|load| !load.is_constant())
    }
}

impl<S: Shaped> RigidWorld<S> {
    /// Whether a body goes in steps even where it touches nothing.
    pub fn flies_in_steps(&self, inert: &RigidBody<S>) -> bool {
        let steady = inert.is_pulled_steadily() && self.fields.is_uniform();
        inert.ball.is_none() && !steady
    }

    /// The force that acts on a body in flight besides gravity, and never changes, N.
    pub fn steady_force(&self, inert: &RigidBody<S>) -> S::Vector {
        match &inert.load {
            Some(load) if inert.is_pulled_steadily() => load.force_at(0.0),
            _ => S::Vector::ZERO,
        }
    }

    /// The acceleration of a body in flight, m/s².
    pub fn acceleration(&self, inert: &RigidBody<S>) -> S::Vector {
        match &inert.load {
            None => self.gravity,
            Some(_) => self.gravity + self.steady_force(inert) * (1.0 / inert.mass),
        }
    }

    /// What the load on a body gives it in a time (s) about a middle (by the run's clock, s); nothing for most.
    pub fn load_on(&self, slot: u32, time: f64, middle: f64) -> Option<Impulses<S>> {
        let inert = &self.inert[slot as usize];
        let load = inert.load.as_ref()?;
        let at = self.epoch + middle;
        let torque = if inert.is_held() {
            S::Angular::ZERO
        } else {
            load.torque_at(at)
        };
        Some((load.force_at(at) * time, torque * time))
    }

    /// The larger of gravity and what the load on a body does to it at a time, m/s².
    pub fn pull(&self, slot: u32, t: f64) -> f64 {
        let inert = &self.inert[slot as usize];
        let gravity = if self.fields.is_uniform() {
            self.gravity.length()
        } else {
            self.gravity.length().max(self.strongest)
        };
        match self.load_on(slot, 1.0, t) {
            None => gravity,
            Some((force, torque)) => {
                let push = force.length() / inert.mass;
                let twist = torque.length() / (inert.mass * inert.reach);
                gravity.max(push).max(twist)
            }
        }
    }

    /// Where a step of an island ends at the latest that begins at a time by the run's clock, s: where a field or the
    /// load on one of the members jumps first, or what a fixture does that they touch, or after a share of a swing of
    /// such a fixture.
    pub(super) fn next_jump(&self, island: &Island<S>, t: f64) -> f64 {
        let after = self.epoch + t + PASSED * self.settling.step;
        let loads = island.members.iter().filter_map(|&slot| {
            let load = self.inert[slot as usize].load.as_ref()?;
            Some(load.next_jump(after))
        });
        let jump = loads.fold(self.fields.next_jump(after), f64::min) - self.epoch;
        let fixtures = island.holds.iter().filter_map(|hold| match hold.other {
            RigidBodyRef::Fixture(index) => Some(&self.props[index as usize]),
            RigidBodyRef::Body(_) => None,
        });
        let ends = fixtures.map(|prop| {
            let corner = prop.next_corner(t + PASSED * self.settling.step);
            corner.min(t + SWING * prop.piece_at(t).course.period())
        });
        ends.fold(jump, f64::min)
    }
}

/// Gives a body at a place what its load gives in a half of a step. What that does to its energy is entered as what
/// stepping cost: the work of loads is theirs on the way of the whole step.
pub(super) fn give_load<S: Shaped>(
    (impulse, angular): Impulses<S>,
    place: S::Vector,
    mover: &mut Mover<S>,
    books: &mut Ledger<S>,
) {
    let before = (mover.velocity, mover.angular_velocity);
    mover.velocity += impulse * mover.inverse_mass;
    mover.angular_velocity += S::angular_response(mover.inverse_inertia, angular);
    let mean = (before.0 + mover.velocity) * 0.5;
    let turning = (before.1 + mover.angular_velocity) * 0.5;
    books
        .stepping
        .add(-(impulse.dot(mean) + angular.dot(turning)));
    books.loaded(&External {
        work: 0.0,
        momentum: impulse,
        angular: S::torque(place, impulse) + angular,
    });
}

impl<S: Shaped> Core<S> {
    /// What a force that never changes did in the flight under way until a time.
    pub fn pulled(&self, stage: &RigidWorld<S>, slot: u32, t: f64) -> External<S> {
        let (moving, inert) = (&self.moving[slot as usize], &stage.inert[slot as usize]);
        if inert.load.is_none() || moving.sticking.is_some() || moving.island.is_some() {
            return External::default();
        }
        let (track, force) = (&moving.track, stage.steady_force(inert));
        let time = t - track.since;
        let way = track.position_at(t) - track.pose.position;
        // ∫ (x + v t + ½ a t²) dt
        let bend = track.acceleration * (time * time / 6.0);
        let arm = track.pose.position + track.velocity * (0.5 * time) + bend;
        External {
            work: force.dot(way),
            momentum: force * time,
            angular: S::torque(arm * time, force),
        }
    }

    /// How long a step of an island can be for how its members turn, s.
    ///
    /// The points of a step are those where it begins, with what their normals turn by to first order: of a body that
    /// turns by a radian meanwhile another corner is the lowest one. What is round about an axis may turn about that.
    pub(super) fn span_of_turning(&self, stage: &RigidWorld<S>, island: &Island<S>, t: f64) -> f64 {
        let rate = |&slot: &u32| {
            let track = &self.moving[slot as usize].track;
            let spin = track.angular_velocity_at(t);
            let inert = &stage.inert[slot as usize];
            if spin == S::Angular::ZERO || inert.ball.is_some() {
                return 0.0;
            }
            match round_about(&inert.form) {
                Some(axis) => {
                    let axis = S::rotate(track.rotation_at(t), axis);
                    S::surface_velocity(spin, axis).length()
                }
                None => spin.length(),
            }
        };
        let fastest = island.members.iter().map(rate).fold(0.0, f64::max);
        (TURN / fastest).max(SHORTEST * stage.settling.step)
    }

    /// Enters what loads did in a step, on its way and where bodies were moved apart: the halves of the step have
    /// entered what they gave as what stepping cost, and that is taken back here.
    pub(super) fn enter_work(
        &mut self,
        (force, torque): Impulses<S>,
        (way, shift): (S::Vector, S::Vector),
        turned: S::Angular,
    ) {
        let (along, aside) = (force.dot(way) + torque.dot(turned), force.dot(shift));
        self.ledger.loaded(&External {
            work: along + aside,
            momentum: S::Vector::ZERO,
            angular: S::Angular::ZERO,
        });
        self.ledger.stepping.add(along);
        self.ledger.projection.add(aside);
    }

    /// Enters that loads acted on sleepers for a time, and that what they lie on held them against that.
    pub(super) fn rested_under_load(
        &mut self,
        stage: &RigidWorld<S>,
        slot: u32,
        (since, t): (f64, f64),
    ) {
        let Some((momentum, torque)) = stage.load_on(slot, t - since, 0.5 * (since + t)) else {
            return;
        };
        let place = self.moving[slot as usize].track.position_at(t);
        let angular = S::torque(place, momentum) + torque;
        self.ledger.loaded(&External {
            work: 0.0,
            momentum,
            angular,
        });
        self.ledger.momentum_from_fixtures.add(-momentum);
        self.ledger.angular_from_fixture.add(-angular);
    }

    /// Puts bodies that have begun to fly at a time, and whose loads act in steps, into islands of their own.
    pub fn lead_loaded(&mut self, stage: &RigidWorld<S>, near: &impl Neighbours, t: f64) {
        let mut flyers: Vec<u32> = (self.changed.iter().copied())
            .filter(|&slot| {
                let (moving, inert) = (&self.moving[slot as usize], &stage.inert[slot as usize]);
                !inert.gone
                    && stage.flies_in_steps(inert)
                    && moving.island.is_none()
                    && moving.sticking.is_none()
            })
            .collect();
        flyers.sort_unstable();
        flyers.dedup();
        for slot in flyers {
            let island = Island {
                members: vec![slot],
                holds: Vec::new(),
                since: t,
                until: t,
                calm: t,
                asleep: false,
                before: Vec::new(),
                drift: Vec::new(),
                ahead: Vec::new(),
                rush: 0.0,
                crowd: false,
                pending: Ledger::default(),
                version: 0,
            };
            let id = self.found(island, None);
            self.open_step(stage, near, id, t);
        }
    }
}

/// The axis about which a form can turn without being another, of length one, in its own frame: of a cylinder, a
/// capsule; zero for a ball.
fn round_about<S: Space>(form: &Compound<S>) -> Option<S::Vector> {
    let [part] = form.parts() else {
        return None;
    };
    if let Some((_, axis, ..)) = part.as_cylinder() {
        return Some(axis);
    }
    let mut corners = part.corners();
    match (corners.next(), corners.next(), corners.next()) {
        (Some(_), None, _) => Some(S::Vector::ZERO),
        (Some(from), Some(to), None) => (to - from).unit(),
        _ => None,
    }
}
