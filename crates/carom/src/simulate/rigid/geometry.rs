//! Where two bodies of a run touch, and when they will.

use super::bodies::{RigidBodyRef, RigidWorld};
use super::core::Core;
use super::fixtures::Prop;
use super::island::Spot;
use crate::impact::Impact;
use crate::impact::solids::{RigidTrajectory, first_contact};
use crate::motion::Pose;
use crate::shape::Shaped;
use crate::shape::convex::{Compound, meetings};
use crate::simulate::islands::Impulses;
use crate::space::Linear;

/// The points at which two bodies are nearer than a margin (m) at a time, with normals into the first. In compounds
/// each pair of parts has its own.
pub(in crate::simulate) fn touching<S: Shaped>(
    core: &Core<S>,
    stage: &RigidWorld<S>,
    a: u32,
    other: RigidBodyRef,
    margin: f64,
    t: f64,
) -> Vec<Spot<S>> {
    let poses = [RigidBodyRef::Body(a), other].map(|partner| core.pose_of(stage, partner, t));
    spots_between(stage, a, other, &poses, margin)
}

/// The same at given poses.
pub(in crate::simulate) fn spots_between<S: Shaped>(
    stage: &RigidWorld<S>,
    a: u32,
    other: RigidBodyRef,
    poses: &[Pose<S>; 2],
    margin: f64,
) -> Vec<Spot<S>> {
    let form = &stage.inert[a as usize].form;
    let its = seen_from(stage, other, poses);
    let found = meetings(form, &poses[0], stage.form_of(other), &its, margin);
    let mut spots = Vec::new();
    for (part, its_part, manifold) in &found {
        for point in manifold.points.iter().filter(|p| -p.depth <= margin) {
            spots.push(Spot {
                place: (point.on_a + point.on_b) * 0.5,
                normal: -manifold.normal,
                gap: -point.depth,
                // Features are unique within one pair of parts.
                feature: point.feature
                    ^ ((*part as u64) << 32 | *its_part as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15),
                given: Impulses::default(),
                struck: 0.0,
                slides: false,
                face: match point.feature {
                    edges if edges & 1 << 61 != 0 => 0,
                    second if second & 1 << 63 != 0 => 2,
                    _ => 1,
                },
            });
        }
    }
    spots
}

/// The pose of the second of two as the first sees it: of images of a body the nearest.
pub(in crate::simulate) fn seen_from<S: Shaped>(
    stage: &RigidWorld<S>,
    other: RigidBodyRef,
    [mine, its]: &[Pose<S>; 2],
) -> Pose<S> {
    if stage.periods == [0.0; 3] || matches!(other, RigidBodyRef::Fixture(_)) {
        return *its;
    }
    Pose {
        position: mine.position + stage.nearest(its.position - mine.position),
        ..*its
    }
}

/// The form of a body in the frame that is on its course: its own, or that of the pair in which it travels.
pub(in crate::simulate) fn form_on_course<'a, S: Shaped>(
    core: &'a Core<S>,
    stage: &'a RigidWorld<S>,
    slot: u32,
) -> &'a Compound<S> {
    let own = &stage.inert[slot as usize].form;
    match core.sticking_of(slot) {
        Some(sticking) => match &sticking.forms {
            Some(forms) => &forms[sticking.side(slot)],
            None => own,
        },
        None => own,
    }
}

/// How many pieces of a prescribed motion are searched at once.
const PIECES_OF_MOTION: usize = 64;

/// The first contact of a body on a course with a fixture, from one time to another, s: in one piece of its prescribed
/// motion after the other.
pub(in crate::simulate) fn meets_prop<S: Shaped>(
    (form, course): (&Compound<S>, &RigidTrajectory<S>),
    prop: &Prop<S>,
    (from, until): (f64, f64),
) -> Impact {
    let mut from = from;
    for _ in 0..PIECES_OF_MOTION {
        let piece = prop.piece_at(from);
        let last = piece.until > until;
        let end = if last { until.next_up() } else { piece.until };
        if let Some(near) = reaches_wall(form, course, prop, (from, end)) {
            let found = first_contact(form, course, &prop.form, &piece.course, near, end);
            match found {
                Impact::Now => return Impact::At(near),
                Impact::Never => {}
                found => return found,
            }
        }
        if last {
            return Impact::Never;
        }
        from = piece.until;
    }
    Impact::ClearUntil(from)
}

/// From when on the ball around a body may touch a wall without end, at the earliest; `None` where it does not on its
/// way within a piece of the wall's motion. For other fixtures, at once.
pub(in crate::simulate) fn reaches_wall<S: Shaped>(
    form: &Compound<S>,
    course: &RigidTrajectory<S>,
    prop: &Prop<S>,
    (from, until): (f64, f64),
) -> Option<f64> {
    let place = course.flight().position_at(from - course.since());
    let Some(height) = prop.height_above(place, from) else {
        return Some(from);
    };
    let normal = prop.up();
    let closing = -normal.dot(course.velocity_at(from) - prop.motion_at(from).0);
    let sway = prop.piece_at(from).course.max_sway();
    let push = sway - normal.dot(course.flight().acceleration);
    let time = reach(height - form.reach() * (1.0 + 1e-9), closing, push);
    (from + time <= until).then_some(from + time * (1.0 - 1e-9))
}

/// Overlaps that are deeper than this, in reaches, are not what rounding leaves where a body has just come out.
const INSIDE: f64 = 1e-9;

/// How deep a body on a course is in a sensor at a time, m; zero where it is outside.
fn depth_in<S: Shaped>(
    (form, course): (&Compound<S>, &RigidTrajectory<S>),
    prop: &Prop<S>,
    t: f64,
) -> f64 {
    let found = meetings(form, &course.pose_at(t), &prop.form, &prop.pose_at(t), 0.0);
    let depths = found.iter().map(|(_, _, manifold)| manifold.depth);
    depths.fold(0.0, f64::max)
}

/// Whether a body on a course is well within a sensor.
pub(in crate::simulate) fn is_within<S: Shaped>(
    body: (&Compound<S>, &RigidTrajectory<S>),
    prop: &Prop<S>,
    t: f64,
) -> bool {
    depth_in(body, prop, t) > INSIDE * body.0.reach()
}

/// Steps of the search for when a body comes out.
const STEPS: usize = 4000;

/// What is not deeper than this, in sizes and coordinates, touches.
const TOUCHES: f64 = 1e-14;

/// So far ahead, in sizes and coordinates on its way, it is seen whether what touches goes in or out.
const PROBE: f64 = 1e-9;

/// When a body comes out of a sensor that it is in, from one world time to another (s).
///
/// To separate two bodies that overlap by a depth d, some point has to move by d relative to the other; so they cannot
/// be apart before the points of the one, at the speed at which they can be at most, have moved that far. The search
/// goes on by such times until the depth is next to nothing: no coming out is missed.
pub(in crate::simulate) fn next_clearance<S: Shaped>(
    body: (&Compound<S>, &RigidTrajectory<S>),
    prop: &Prop<S>,
    (from, until): (f64, f64),
) -> Impact {
    let (form, course) = body;
    let turning = course.max_angular_speed() * form.reach();
    let pull = course.flight().acceleration.length();
    let mut t = from;
    for _ in 0..STEPS {
        if t > until {
            return Impact::Never;
        }
        let place = course.pose_at(t).position;
        let scale = form.reach() + place.length();
        let depth = depth_in(body, prop, t);
        // What the points that overlap can do: those of the body, and those of the sensor at the same places.
        let arm = (place - prop.pose_at(t).position).length() + form.reach();
        let (its_velocity, its_turning) = prop.motion_at(t);
        let its_turning = its_turning.length();
        let piece = prop.piece_at(t);
        let pull = pull + piece.course.max_sway();
        let speed = (course.velocity_at(t) - its_velocity).length() + turning + its_turning * arm;
        let drift = if its_turning > 0.0 {
            // The arm grows with the way.
            pull + its_turning * speed
        } else {
            pull
        };
        let mut far = depth;
        if depth <= TOUCHES * scale {
            // It has come out, or has only just come in and goes deeper.
            let soon = t + reach(PROBE * scale, speed, drift);
            if !(depth_in(body, prop, soon) > TOUCHES * scale) {
                return Impact::At(t);
            }
            far = PROBE * scale;
        }
        let step = reach(far, speed, drift);
        if !step.is_finite() && !piece.until.is_finite() {
            return Impact::Never;
        }
        // At a corner of the prescribed motion it is looked at anew.
        let next = (t + step).min(piece.until);
        t = if next > t { next } else { t.next_up() };
    }
    Impact::ClearUntil(t)
}

/// The first time at which `v t + ½ a t²` reaches a distance, s; at once where it is not positive.
pub(in crate::simulate) fn reach(distance: f64, v: f64, a: f64) -> f64 {
    if distance <= 0.0 {
        return 0.0;
    }
    let discriminant = v * v + 2.0 * a * distance;
    if discriminant < 0.0 {
        return f64::INFINITY;
    }
    // 2 d / (v + √…) has no cancellation where v is positive; where it is not, the root needs a push that wins.
    let root = discriminant.sqrt();
    let time = if v + root > 0.0 && (v > 0.0 || a > 0.0) {
        2.0 * distance / (v + root)
    } else {
        f64::INFINITY
    };
    if time.is_nan() { f64::INFINITY } else { time }
}
