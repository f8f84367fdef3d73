//! The first contact of a convex body with the inside of a circle, a sphere or a tube without end.
//!
//! # The bound
//!
//! Let y be the place of a corner from the centre (of a tube, across its axis), v its velocity relative to the centre,
//! and A a bound on its acceleration relative to it at all times: `|y(t + h)| ≤ |y + h v| + ½ A h²`. So the gap of a
//! corner of rounding r in a hollow of radius R is at least
//!
//! ```text
//! g(h) = R − r − |y + h v| − ½ A h²
//! ```
//!
//! which is **concave**: where it is positive at both ends of a step, it is positive within. The farthest points of a
//! convex body are corners, so that the least of these over all corners holds for the body. First order is exact: near
//! the contact the gap is squared with each step.
//!
//! The farthest point of a cylinder's rim is another one at each instant. With G(h) the gap of the body as it is then,
//! and g(h) the least over all points of the rims, `g(h) ≥ G(h) − A h²`: where that is positive there is no contact
//! before.

use super::RigidTrajectory;
use crate::impact::Impact;
use crate::shape::convex::{Convex, Core, Inside, farthest_points};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};
use glam::DVec3;

/// Looks at most this many times before it answers with what is certain so far.
const BUDGET: usize = 2_000;

/// How often a step is halved in which a rim may come too far.
const HALVINGS: usize = 40;

/// A corner at an instant.
struct Corner {
    /// From the centre, m.
    away: DVec3,
    /// Relative to the centre, m/s.
    velocity: DVec3,
    /// Relative to the centre, m/s².
    acceleration: DVec3,
}

pub(super) struct Search<'a, S: Space> {
    pub body: (&'a Convex<S>, &'a RigidTrajectory<S>),
    pub inside: (&'a Inside, &'a RigidTrajectory<S>),
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
                Look::Contact(found) => {
                    let at = (time + found).max(from);
                    return match () {
                        () if at >= until => Impact::Never,
                        () if at > from => Impact::At(at),
                        () => Impact::Now,
                    };
                }
                Look::Clear(step) => time = (time + step).max(time.next_up()),
            }
        }
        Impact::ClearUntil(time)
    }

    /// A bound on the acceleration of any corner relative to the centre, m/s².
    fn bend(&self) -> f64 {
        let of = |course: &RigidTrajectory<S>, arm: f64| {
            let turning = if course.turns() {
                course.acceleration_within(arm)
            } else {
                0.0
            };
            turning + course.flight().acceleration.length() + course.max_sway()
        };
        let centre = Linear::length(self.inside.0.centre);
        (of(self.body.1, self.body.0.arm) + of(self.inside.1, centre)) * (1.0 + 1e-12)
    }

    fn look(&self, time: f64, until: f64) -> Look {
        let (inside, part) = (self.inside.0, self.body.0);
        let (corners, size, speed) = self.corners(time);
        let room = inside.radius - part.rounding;
        let tolerance = 128.0 * UNIT_ROUNDOFF * size;
        let floor = 16.0 * UNIT_ROUNDOFF * speed;
        let bend = self.bend();
        let rim = matches!(part.core, Core::Cylinder(_));
        let mut step = until - time;
        let (mut lowest, mut shortest) = (f64::INFINITY, 0.0);
        for corner in &corners {
            let distance = Linear::length(corner.away);
            let gap = room - distance;
            let out = if distance > 0.0 {
                corner.away / distance
            } else {
                DVec3::ZERO
            };
            let rate = -Linear::dot(out, corner.velocity);
            let mut goal = 0.5 * tolerance;
            if gap <= tolerance {
                let along = Linear::dot(out, corner.velocity);
                let across = Linear::length_squared(corner.velocity) - along * along;
                let pressed = Linear::dot(out, corner.acceleration) + across / distance;
                if rate < -floor {
                    // Newton's method, no farther than the tangent is good to the tolerance.
                    let most = (tolerance / (bend + across / distance + f64::MIN_POSITIVE)).sqrt();
                    let late = gap < -2.0 * tolerance;
                    let found = (gap / -rate).clamp(-most, most);
                    return Look::Contact(if late { 0.0 } else { found });
                }
                if rate <= floor && pressed > 1e-12 * (bend + across / distance) {
                    return Look::Contact(0.0);
                }
                goal = gap.min(0.0) - tolerance;
            }
            let least = (tolerance / (bend + f64::MIN_POSITIVE)).sqrt().min(1e-6);
            if rim {
                lowest = lowest.min(goal);
                shortest = if gap <= tolerance { least } else { shortest };
                // Longer than across the room it does not go straight on.
                let straight = (room + distance) / Linear::length(corner.velocity);
                step = step.min(bent_zero(gap - goal, rate, bend)).min(straight);
                continue;
            }
            let clear = clear_for(corner, room - goal, bend, step);
            step = step.min(if gap <= tolerance {
                clear.max(least)
            } else {
                clear
            });
        }
        if rim {
            step = self.clear_rim(time, lowest, bend, step).max(shortest);
        }
        Look::Clear(step)
    }

    /// How long all rims are certainly above a goal (m), s, at most `most`.
    fn clear_rim(&self, time: f64, goal: f64, bend: f64, most: f64) -> f64 {
        let room = self.inside.0.radius - self.body.0.rounding;
        let mut step = most;
        if !step.is_finite() {
            return step;
        }
        for _ in 0..HALVINGS {
            let gap = |corner: &Corner| room - Linear::length(corner.away);
            let gaps = self.corners(time + step).0;
            let least = gaps.iter().map(gap).fold(f64::INFINITY, f64::min);
            if least - bend * step * step >= goal {
                return step;
            }
            step *= 0.5;
        }
        0.0
    }

    /// The corners at a time; the size of the coordinates that gaps are computed from (m), and of the velocities of
    /// points (m/s).
    fn corners(&self, time: f64) -> (Vec<Corner>, f64, f64) {
        let ((part, course), (inside, its)) = (self.body, self.inside);
        let vector = |v: S::Vector| DVec3::from_array(S::components(v));
        let back = |v: DVec3| S::vector(v.to_array());
        let (pose, its_pose) = (course.pose_at(time), its.pose_at(time));
        let centre = its_pose.to_world(back(inside.centre));
        let world = Inside {
            centre: vector(centre),
            axis: (inside.axis).map(|axis| vector(S::rotate(its_pose.rotation, back(axis)))),
            ..*inside
        };
        let own = Inside {
            centre: vector(pose.to_local(centre)),
            axis: (world.axis).map(|axis| vector(S::unrotate(pose.rotation, back(axis)))),
            ..*inside
        };
        let its_velocity = its.point_velocity_at(time, centre);
        let whirl = |course: &RigidTrajectory<S>, arm: S::Vector| {
            let spin = course.angular_velocity_at(time);
            course.acceleration_at(time) + S::surface_velocity(spin, S::surface_velocity(spin, arm))
        };
        let its_acceleration = whirl(its, centre - its_pose.position);
        let corners = farthest_points(&part.core, own.centre, &own).into_iter();
        let corners = corners.map(|(point, _)| {
            let place = pose.to_world(back(point));
            let velocity = course.point_velocity_at(time, place) - its_velocity;
            let acceleration = whirl(course, place - pose.position) - its_acceleration;
            Corner {
                away: world.across(vector(place - centre)),
                velocity: world.across(vector(velocity)),
                acceleration: world.across(vector(acceleration)),
            }
        });
        let size = pose.position.length() + centre.length() + inside.radius + part.arm;
        let speed = course.velocity_at(time).length()
            + its_velocity.length()
            + part.arm * course.max_angular_speed();
        (corners.collect(), size, speed)
    }
}

enum Look {
    /// They touch after this time, s.
    Contact(f64),
    /// They do not for this time, s.
    Clear(f64),
}

/// Where `left + rate h − 2 A h²` is zero, s: a gap as it is then has half of the bending to itself.
fn bent_zero(left: f64, rate: f64, bend: f64) -> f64 {
    let root = (rate * rate + 8.0 * bend * left).sqrt();
    if rate < 0.0 {
        2.0 * left / (root - rate)
    } else {
        // Infinite where nothing bends and nothing approaches.
        0.25 * (rate + root) / bend
    }
}

/// How long `|y + h v| + ½ A h²` certainly stays below a distance that is above |y|, s, at most `most`.
fn clear_for(corner: &Corner, room: f64, bend: f64, most: f64) -> f64 {
    let left = |h: f64| {
        let away = corner.away + corner.velocity * h;
        room - Linear::length(away) - 0.5 * bend * h * h
    };
    if !(left(0.0) > 0.0) {
        return 0.0;
    }
    let distance = Linear::length(corner.away);
    let speed = Linear::length(corner.velocity);
    let straight = (room + distance) / speed;
    let bent = (2.0 * room / bend).sqrt();
    let mut far = straight.min(bent).min(most);
    if !far.is_finite() {
        return most;
    }
    if left(far) >= 0.0 {
        return far;
    }
    // Concave: one zero between a place above and one below.
    let mut near = 0.0;
    for _ in 0..60 {
        let middle = 0.5 * (near + far);
        if left(middle) >= 0.0 {
            near = middle;
        } else {
            far = middle;
        }
    }
    near
}
