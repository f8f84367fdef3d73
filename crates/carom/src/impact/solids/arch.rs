//! The first contact of a convex body with a thin arc in the plane.
//!
//! No point of the one comes nearer to a point of the other than at the speed at which the fastest of them can move
//! past each other; so nothing happens before the distance at that speed has been made good. The search goes on by such
//! times and misses nothing: the distance shrinks by a constant factor with each.

use super::RigidTrajectory;
use crate::impact::Impact;
use crate::shape::convex::{Arch, Convex, arch_in, arch_points};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// Looks at most this many times before it answers with what is certain so far.
const BUDGET: usize = 2_000;

pub(super) struct Search<'a, S: Space> {
    pub body: (&'a Convex<S>, &'a RigidTrajectory<S>),
    pub arch: (&'a Arch, &'a RigidTrajectory<S>),
}

impl<S: Space> Search<'_, S> {
    /// The first contact in `[from, until)`.
    pub fn run(&self, from: f64, until: f64) -> Impact {
        let mut time = from;
        for _ in 0..BUDGET {
            if !(time < until) {
                return Impact::Never;
            }
            match self.look(time, until) {
                Err(found) => {
                    let at = (time + found).max(from);
                    return match () {
                        () if at >= until => Impact::Never,
                        () if at > from => Impact::At(at),
                        () => Impact::Now,
                    };
                }
                Ok(step) => time = (time + step).max(time.next_up()),
            }
        }
        Impact::ClearUntil(time)
    }

    /// For how long nothing happens, or after which time they touch (the error), s.
    fn look(&self, time: f64, until: f64) -> Result<f64, f64> {
        let ((part, course), (arch, its)) = (self.body, self.arch);
        let (pose, its_pose) = (course.pose_at(time), its.pose_at(time));
        let arm = Linear::length(arch.centre) + arch.radius;
        let turning = |course: &RigidTrajectory<S>, arm: f64| course.max_angular_speed() * arm;
        let drift = (course.velocity_at(time) - its.velocity_at(time)).length();
        let speed = drift + turning(course, part.arm + part.rounding) + turning(its, arm);
        let pull =
            |course: &RigidTrajectory<S>| course.flight().acceleration.length() + course.max_sway();
        let bend = pull(course) + pull(its);
        let size = pose.position.length() + its_pose.position.length() + arm + part.arm;
        let tolerance = 128.0 * UNIT_ROUNDOFF * size;
        let floor = 16.0 * UNIT_ROUNDOFF * speed;
        let world = |place: glam::DVec3| pose.to_world(S::vector(place.to_array()));
        let mut step = until - time;
        for point in arch_points(part, &arch_in(arch, &its_pose, &pose)) {
            let gap = -point.depth;
            let mut clear = reach(gap, speed, bend);
            if gap <= tolerance {
                let normal = S::rotate(pose.rotation, S::vector(point.normal.to_array()));
                let mine = course.point_velocity_at(time, world(point.on_body));
                let other = its.point_velocity_at(time, world(point.on_arch));
                let rate = normal.dot(other - mine);
                if rate < -floor {
                    let late = gap < -2.0 * tolerance;
                    return Err(if late { 0.0 } else { gap / -rate });
                }
                // What parts or slides along is looked at again when it may have come back by the tolerance.
                let most = course.acceleration_within(part.arm) + its.acceleration_within(arm);
                let curved = speed * speed / arch.radius;
                let bend = bend + most + curved + f64::MIN_POSITIVE;
                clear = reach(gap.max(0.0), speed, bend).max((tolerance / bend).sqrt().min(1e-6));
            }
            step = step.min(clear);
        }
        Ok(step)
    }
}

/// The first time at which `v t + ½ a t²` reaches a distance, s.
fn reach(distance: f64, speed: f64, bend: f64) -> f64 {
    let root = (speed * speed + 2.0 * bend * distance).sqrt();
    let time = 2.0 * distance / (speed + root);
    if time.is_nan() { f64::INFINITY } else { time }
}
