//! A body among the many parts of standing fixture, looked at in windows of time.

use super::{first_contact_of_parts, of_parts};
use crate::impact::Impact;
use crate::impact::solids::RigidTrajectory;
use crate::shape::convex::Compound;
use crate::space::{Linear, Space};
use glam::DVec3;

/// Windows of time that are looked at, at most.
const WINDOWS: usize = 10_000;

/// A body among the many parts of standing fixture: in windows of time in each of which it moves by about its own size,
/// with the parts near its way.
pub(super) fn in_windows<S: Space>(
    body: &Compound<S>,
    course: &RigidTrajectory<S>,
    fixture: &Compound<S>,
    standing: &RigidTrajectory<S>,
    from: f64,
    until: f64,
    reversed: bool,
) -> Impact {
    let reach = body.reach();
    let pose = standing.pose_at(from);
    let place = |time: f64| {
        let local = pose.to_local(course.pose_at(time).position);
        DVec3::from_array(S::components(local))
    };
    let acceleration = course.flight().acceleration.length();
    let mut time = from;
    for _ in 0..WINDOWS {
        let speed = course.velocity_at(time).length();
        let fall = (2.0 * reach * acceleration).sqrt();
        let end = (time + 2.0 * reach / (speed + fall)).min(until);
        let end = if speed + fall == 0.0 { until } else { end };
        let here = place(time);
        let there = if end.is_finite() { place(end) } else { here };
        if speed > 0.0 && acceleration == 0.0 && Linear::length(here) > fixture.reach() + reach {
            // Beyond all of it, and going away: nothing ahead.
            let onward = there - here;
            if Linear::dot(onward, here) >= 0.0 {
                return Impact::Never;
            }
        }
        let elapsed = if end.is_finite() { end - time } else { 0.0 };
        // A parabola is off its chord by at most a h²/8; rounding is far below a billionth.
        let bulge = acceleration * elapsed * elapsed / 8.0;
        let half = (there - here).abs() * 0.5 + DVec3::splat((reach + bulge) * (1.0 + 1e-9));
        let near = fixture.parts_near((here + there) * 0.5, half);
        let found = if near.is_empty() {
            Impact::Never
        } else if reversed {
            reversed_parts(body, course, fixture, standing, &near, time, end)
        } else {
            of_parts(body, course, fixture, standing, &near, time, end)
        };
        match found {
            Impact::Now if time > from => return Impact::At(time),
            Impact::Never if end < until => time = end.max(time.next_up()),
            found => return found,
        }
    }
    Impact::ClearUntil(time)
}

/// The same with the fixtures as the first of the two, so that the answer has the bits of any other way to ask.
fn reversed_parts<S: Space>(
    body: &Compound<S>,
    course: &RigidTrajectory<S>,
    fixture: &Compound<S>,
    standing: &RigidTrajectory<S>,
    near: &[u32],
    from: f64,
    until: f64,
) -> Impact {
    let mut answer = Impact::Never;
    let mut until = until;
    for &i in near {
        let part = &fixture.parts()[i as usize];
        for own in body.parts() {
            match first_contact_of_parts(part, standing, own, course, from, until) {
                Impact::Now => return Impact::Now,
                Impact::Never => {}
                found @ (Impact::At(time) | Impact::ClearUntil(time)) => {
                    answer = found;
                    until = time;
                }
            }
        }
    }
    answer
}
