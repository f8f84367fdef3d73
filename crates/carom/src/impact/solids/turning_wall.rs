//! The first contact of a convex body with a wall without end that turns.
//!
//! The height of a point of the body above the wall, `n·(x − p) − d` with p the pivot, changes by `n′·(x − p) + n·(x′ −
//! p′)`: no faster than the wall turns times how far the point is from the pivot, and than the two move. So no point
//! comes down to the wall before its height has been made good at that speed, and the search goes on by such times. A
//! wall has points of every speed, but the body is where it is.

use super::RigidTrajectory;
use crate::impact::Impact;
use crate::shape::convex::{Convex, Core};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};
use glam::DVec3;

/// Looks at most this many times before it answers with what is certain so far.
const BUDGET: usize = 2_000;

/// The longest step turns the wall by so much, rad: for so long it is known how far from the pivot the body is.
const TURN: f64 = 0.1;

pub(super) struct Search<'a, S: Space> {
    pub body: (&'a Convex<S>, &'a RigidTrajectory<S>),
    pub wall: (&'a Convex<S>, &'a RigidTrajectory<S>),
}

impl<S: Space> Search<'_, S> {
    /// The first contact in `[from, until)`.
    pub fn run(&self, from: f64, until: f64) -> Impact {
        let mut time = from;
        for _ in 0..BUDGET {
            if !(time < until) {
                return Impact::Never;
            }
            match self.look(time) {
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
    fn look(&self, time: f64) -> Result<f64, f64> {
        let ((part, course), (wall, its)) = (self.body, self.wall);
        let Core::HalfSpace { normal, offset } = wall.core else {
            return Ok(f64::INFINITY);
        };
        let vector = |v: DVec3| S::vector(v.to_array());
        let (pose, its_pose) = (course.pose_at(time), its.pose_at(time));
        let up = S::rotate(its_pose.rotation, vector(normal));
        let arm = part.arm + part.rounding;
        let away = (pose.position - its_pose.position).length() + arm;
        let drift = (course.velocity_at(time) - its.velocity_at(time)).length()
            + course.max_angular_speed() * arm;
        let pull =
            |course: &RigidTrajectory<S>| course.flight().acceleration.length() + course.max_sway();
        let (turning, bend) = (its.max_angular_speed(), pull(course) + pull(its));
        let most = TURN / turning;
        let far = away + (drift + 0.5 * bend * most) * most;
        let speed = drift + turning * far;
        let size = pose.position.length() + its_pose.position.length() + away + offset.abs();
        let tolerance = 128.0 * UNIT_ROUNDOFF * size;
        let floor = 16.0 * UNIT_ROUNDOFF * (drift + turning * away);
        let mut step = most;
        for place in self.low_points(&pose, up) {
            let gap = up.dot(place - its_pose.position) - offset;
            let mut clear =
                2.0 * gap / (speed + (speed * speed + 2.0 * bend * gap.max(0.0)).sqrt());
            if gap <= tolerance {
                let mine = course.point_velocity_at(time, place);
                let rate = up.dot(mine - its.point_velocity_at(time, place));
                if rate < -floor {
                    let late = gap < -2.0 * tolerance;
                    return Err(if late { 0.0 } else { gap / -rate });
                }
                // What parts is looked at again when it may have come back by the tolerance.
                let bend = bend
                    + course.acceleration_within(arm)
                    + turning * (turning * far + 2.0 * drift)
                    + f64::MIN_POSITIVE;
                clear = clear.max((tolerance / bend).sqrt().min(1e-6));
            }
            step = step.min(clear);
        }
        Ok(step)
    }

    /// The points of the body that may be lowest, in the world.
    fn low_points(&self, pose: &crate::motion::Pose<S>, up: S::Vector) -> Vec<S::Vector> {
        let part = self.body.0;
        let down = up * -part.rounding;
        let placed = |point: DVec3| pose.to_world(S::vector(point.to_array())) + down;
        match &part.core {
            Core::Hull(hull) => hull.corners.iter().map(|&corner| placed(corner)).collect(),
            core => {
                let own = S::components(S::unrotate(pose.rotation, up));
                vec![placed(core.farthest(-DVec3::from_array(own)).0)]
            }
        }
    }
}
