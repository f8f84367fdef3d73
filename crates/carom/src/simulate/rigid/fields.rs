//! Fields other than uniform gravity on rigid bodies, and on balls while they are guests.
//!
//! They act as loads do (`loads.rs`), in steps: a rigid body in such fields is always in an island, in one of its own
//! where it touches nothing. Each half of a step gives what the fields do at its end of the step, with the velocities
//! of the middle of the half, gravity and loads included, so that a step is of second order. A step ends where a field
//! jumps in time.
//!
//! In the budget the halves give what the potential counts to what stepping cost, which the way takes back, and all
//! else to what fields took.

use super::bodies::{RigidBodyRef, RigidWorld};
use super::core::Core;
use super::island::Island;
use crate::audit::Ledger;
use crate::motion::{FieldForce, InFields, Pose};
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::space::{Linear, Space};

impl<S: Shaped> RigidWorld<S> {
    /// What fields other than uniform gravity do to a body at a pose, with velocities of its own, at a time by the
    /// run's clock, s; `None` where there are none.
    pub(super) fn field_on(
        &self,
        slot: u32,
        t: f64,
        pose: &Pose<S>,
        moves: Mover<S>,
    ) -> Option<FieldForce<S>> {
        if self.fields.is_uniform() {
            return None;
        }
        let inert = &self.inert[slot as usize];
        let at = InFields {
            time: self.epoch + t,
            position: pose.position,
            velocity: moves.velocity,
            angular_velocity: moves.angular_velocity,
            mass: inert.mass,
            radius: inert.bulk,
        };
        let mut force = self.fields.on_body(&at, |direction| {
            let (area, middle) = inert.form.shadow(S::unrotate(pose.rotation, direction));
            (area, S::rotate(pose.rotation, middle))
        });
        if inert.is_held() {
            force.torque = S::Angular::ZERO;
        }
        Some(force)
    }

    /// The potential energy of a body at a place, J.
    pub(super) fn potential(&self, mass: f64, place: S::Vector) -> f64 {
        self.fields.potential_of_others(mass, place) - mass * self.gravity.dot(place)
    }
}

/// A body after a force and a torque have acted for a time, s.
fn pushed<S: Space>(mover: &Mover<S>, force: &FieldForce<S>, time: f64) -> Mover<S> {
    let turned = S::angular_response(mover.inverse_inertia, force.torque * time);
    Mover {
        velocity: mover.velocity + force.force() * (time * mover.inverse_mass),
        angular_velocity: mover.angular_velocity + turned,
        ..*mover
    }
}

/// A step turns the fastest swing that fields make of a body's motion by no more than this, rad: the error of a step is
/// a few hundredths of its square.
const PHASE: f64 = 0.05;

/// No step is shorter than this share of the usual one because of fields.
const SHORTEST: f64 = 1e-3;

impl<S: Shaped> Core<S> {
    /// How long a step of an island can be for what fields change on the way of its members, s.
    pub(super) fn span_in_fields(&self, stage: &RigidWorld<S>, island: &Island<S>, t: f64) -> f64 {
        if stage.fields.is_uniform() {
            return f64::INFINITY;
        }
        let usual = stage.settling.step;
        let of = |&slot: &u32| {
            let (inert, track) = (
                &stage.inert[slot as usize],
                &self.moving[slot as usize].track,
            );
            let (velocity, spin) = (track.velocity_at(t), track.angular_velocity_at(t));
            let way = (track.position_at(t), velocity * usual);
            let rate = stage.fields.fastest_rate(
                way,
                (velocity.length(), spin.length()),
                (inert.mass, inert.bulk),
            );
            PHASE / rate
        };
        let least = island.members.iter().map(of).fold(f64::INFINITY, f64::min);
        least.max(SHORTEST * usual)
    }

    /// Gives a member of an island what fields give in a time about a middle, where it is on its track at a time `t`;
    /// it moved as `still` says before gravity and loads gave what they give in that time.
    pub(super) fn give_field(
        &self,
        stage: &RigidWorld<S>,
        slot: u32,
        (time, middle, t): (f64, f64, f64),
        (still, mover): (&Mover<S>, &mut Mover<S>),
        books: &mut Ledger<S>,
    ) {
        let pose = self.moving[slot as usize].track.pose_at(t);
        let others = (
            mover.velocity - still.velocity,
            mover.angular_velocity - still.angular_velocity,
        );
        let between = Mover {
            velocity: still.velocity + others.0 * 0.5,
            angular_velocity: still.angular_velocity + others.1 * 0.5,
            ..*mover
        };
        let Some(first) = stage.field_on(slot, middle, &pose, between) else {
            return;
        };
        let half = pushed(&between, &first, 0.5 * time);
        let Some(force) = stage.field_on(slot, middle, &pose, half) else {
            return;
        };
        let after = pushed(mover, &force, time);
        // Of the whole half, so that gravity and fields count alike; what that is more for the one is less for the
        // other.
        let mean = (still.velocity + after.velocity) * (0.5 * time);
        let turning = (still.angular_velocity + after.angular_velocity) * (0.5 * time);
        let shared = force.force().dot(others.0) + force.torque.dot(others.1);
        (books.stepping).add(-force.potential.dot(mean) - 0.5 * time * shared);
        books.lasting[3].add(-(force.other.dot(mean) + force.torque.dot(turning)));
        let impulse = force.force() * time;
        let angular = S::torque(pose.position, impulse) + force.torque * time;
        books.kicked(impulse, angular);
        *mover = after;
    }

    /// Enters what the potential of fields gave on the way of a step, from the first place to the second, and where a
    /// body was moved apart from others, from there to the third.
    pub(super) fn enter_field_potential(
        &mut self,
        stage: &RigidWorld<S>,
        slot: u32,
        places: [S::Vector; 3],
    ) {
        let mass = stage.inert[slot as usize].mass;
        let [from, to, end] = places.map(|place| stage.fields.potential_of_others(mass, place));
        self.ledger.stepping.add(from - to);
        self.ledger.projection.add(to - end);
    }

    /// Enters that fields acted on sleepers for a time, and that what they lie on held them against that.
    pub(super) fn rested_in_fields(
        &mut self,
        stage: &RigidWorld<S>,
        slot: u32,
        (since, t): (f64, f64),
    ) {
        let pose = self.moving[slot as usize].track.pose_at(t);
        let Some(force) = stage.field_on(slot, 0.5 * (since + t), &pose, Mover::fixed()) else {
            return;
        };
        let time = t - since;
        let impulse = force.force() * time;
        let angular = S::torque(pose.position, impulse) + force.torque * time;
        self.ledger.kicked(impulse, angular);
        self.ledger.momentum_from_fixtures.add(-impulse);
        self.ledger.angular_from_fixture.add(-angular);
    }

    /// Enters what the potential of fields gave to two in a contact of a duration so far: the fields themselves do not
    /// act there.
    pub(super) fn stuck_in_fields(
        &mut self,
        stage: &RigidWorld<S>,
        (a, other): (u32, RigidBodyRef),
        (began, t): (f64, f64),
    ) {
        if stage.fields.is_uniform() {
            return;
        }
        let b = match other {
            RigidBodyRef::Body(b) => Some(b),
            RigidBodyRef::Fixture(_) => None,
        };
        for slot in std::iter::once(a).chain(b) {
            let mass = stage.inert[slot as usize].mass;
            let [before, now] = [began, t].map(|t| {
                let place = self.travels(slot, t).0.position;
                stage.fields.potential_of_others(mass, place)
            });
            self.ledger.lasting[3].add(before - now);
        }
    }
}
