//! What is round from within presses whatever moves along it: the wall of a hollow, a tube or an arc bends into its
//! way.
//!
//! A corner (or the centre of a rounded corner, r) of a body that moves at u across the normal, relative to the centre
//! of a hollow of radius R, closes with it at the rate
//!
//! ```text
//! −d²gap/dt² = u²/(R − r) − n·(ω × (ω × s)),
//! ```
//!
//! s being the arm from the centre of mass to the corner, which turns about that. So bounces along a hollow come to an
//! end without gravity, too, infinitely many in a finite time: those slower than what this gives in the settling time
//! are over, as under gravity ([`Core::slow_at`]). And the path of a step along it is bent ([`RigidWorld::bend`]).

use super::bodies::{RigidBodyRef, RigidWorld};
use super::core::Core;
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::shape::convex::Convex;
use crate::space::{Linear, Space};

/// A point at which two bodies touch: where, the normal into the first, and the arms to it from the centres of both.
pub(super) struct Touching<S: Space> {
    pub place: S::Vector,
    pub normal: S::Vector,
    pub arms: [S::Vector; 2],
}

impl<S: Shaped> RigidWorld<S> {
    /// How fast the wall of something round comes to meet a body that moves along it, m/s²: `u²/(R − r)` above; zero
    /// for all else. The movers are the body and what it touches, at a time.
    pub(super) fn bend(
        &self,
        (a, other): (u32, RigidBodyRef),
        point: &Touching<S>,
        movers: [&Mover<S>; 2],
        t: f64,
    ) -> f64 {
        let RigidBodyRef::Fixture(index) = other else {
            return 0.0;
        };
        let prop = &self.props[index as usize];
        let [part] = prop.form.parts() else {
            return 0.0;
        };
        let Some((centre, axis, radius)) = part.round_from_within() else {
            return 0.0;
        };
        let pose = prop.pose_at(t);
        let arm = S::rotate(pose.rotation, centre);
        // From outside an arc bends away.
        if point
            .normal
            .dot(self.nearest(pose.position + arm - point.place))
            < 0.0
        {
            return 0.0;
        }
        let rounding = self.rounding(a);
        let corner = point.arms[0] + point.normal * rounding;
        let along = movers[0].velocity_at(corner) - movers[1].velocity_at(arm);
        let along = along - point.normal * point.normal.dot(along);
        let across = match axis.map(|axis| S::rotate(pose.rotation, axis)) {
            Some(axis) => along - axis * axis.dot(along),
            None => along,
        };
        across.length_squared() / (radius - rounding).max(1e-3 * radius)
    }

    /// The radius with which all corners of a body are rounded, m.
    fn rounding(&self, a: u32) -> f64 {
        let parts = self.inert[a as usize].form.parts();
        parts
            .iter()
            .map(Convex::rounding)
            .fold(f64::INFINITY, f64::min)
    }
}

impl<S: Shaped> Core<S> {
    /// Below which closing speed two bodies keep touching at a point, at a time, m/s: by gravity, and by what the wall
    /// of something round does.
    pub(super) fn slow_at(
        &self,
        stage: &RigidWorld<S>,
        (a, other): (u32, RigidBodyRef),
        (place, normal): (S::Vector, S::Vector),
        restitution: f64,
        t: f64,
    ) -> f64 {
        let slow = stage.slow_for(restitution);
        let RigidBodyRef::Fixture(index) = other else {
            return slow;
        };
        if !stage.props[index as usize].is_round_from_within() {
            return slow;
        }
        let partners = [RigidBodyRef::Body(a), other];
        let arms = partners.map(|it| stage.nearest(place - self.pose_of(stage, it, t).position));
        let movers = partners.map(|it| self.mover(stage, it, t));
        let point = Touching {
            place,
            normal,
            arms,
        };
        let bend = stage.bend((a, other), &point, [&movers[0], &movers[1]], t);
        let corner = arms[0] + normal * stage.rounding(a);
        let spin = movers[0].angular_velocity;
        let turns = normal.dot(S::surface_velocity(spin, S::surface_velocity(spin, corner)));
        let press = (bend - turns).max(0.0) * stage.settling.time;
        slow.max(if restitution < 1.0 {
            press
        } else {
            0.01 * press
        })
    }
}
