//! Where two bodies of a run touch, and when they will.

use super::core::Core;
use super::island::Spot;
use super::stage::{Partner, Stage};
use crate::impact::Impact;
use crate::solid::{Course, Form, Meeting, meeting, meetings};
use crate::space::{Linear, Space};

/// The points at which two bodies are nearer than a margin (m) at a time, with normals into the first. In compounds each pair of parts has its own.
pub(super) fn touching<S: Space>(
    core: &Core<S>,
    stage: &Stage<S>,
    a: u32,
    other: Partner,
    margin: f64,
    t: f64,
) -> Vec<Spot<S>> {
    let poses = [Partner::Body(a), other].map(|partner| core.pose_of(stage, partner, t));
    let form = &stage.inert[a as usize].form;
    let found = meetings(form, &poses[0], stage.form_of(other), &poses[1], margin);
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
                pressed: 0.0,
                rubbed: S::Vector::ZERO,
                struck: 0.0,
                slides: false,
            });
        }
    }
    spots
}

/// When two bodies begin to touch on their courses, from one world time to another (s).
pub(super) fn next_contact<S: Space>(
    core: &Core<S>,
    stage: &Stage<S>,
    a: u32,
    other: Partner,
    from: f64,
    until: f64,
) -> Impact {
    let course = &core.moving[a as usize].track.course;
    let form = &stage.inert[a as usize].form;
    match other {
        Partner::Body(b) => {
            let other = &core.moving[b as usize].track.course;
            let its = &stage.inert[b as usize].form;
            first_contact(form, course, its, other, from, until)
        }
        Partner::Scenery(index) => {
            let prop = &stage.props[index as usize];
            first_contact(form, course, &prop.form, &prop.course, from, until)
        }
    }
}

// STAND-IN
fn first_contact<S: Space>(a: &Form<S>, ca: &Course<S>, b: &Form<S>, cb: &Course<S>, from: f64, until: f64) -> Impact {
    let mut t = from;
    let ra = a.reach();
    let rb = if b.reach().is_finite() { b.reach() } else { 0.0 };
    let wa = ca.fastest_spin() * ra + cb.fastest_spin() * rb;
    for _ in 0..2000 {
        if !(t < until) { return Impact::Never; }
        let (pa, pb) = (ca.pose_at(t), cb.pose_at(t));
        let m = meeting(a, &pa, b, &pb, 1e-10 * ra);
        match m {
            Meeting::Apart { gap, .. } => {
                let gap = gap.max(1e-11 * ra);
                let v = (ca.velocity_at(t) - cb.velocity_at(t)).length() + wa;
                let g = (ca.flight().acceleration - cb.flight().acceleration).length();
                // v h + g h^2/2 = gap
                let h = if g > 0.0 { 2.0 * gap / (v + (v * v + 2.0 * g * gap).sqrt()) } else if v > 0.0 { gap / v } else { return Impact::Never };
                t += h.max(1e-15);
            }
            Meeting::Touching(m) => {
                let mut closing = f64::NEG_INFINITY;
                for p in &m.points {
                    let va = ca.point_velocity_at(t, p.on_a);
                    let vb = cb.point_velocity_at(t, p.on_b);
                    closing = closing.max(m.normal.dot(va - vb));
                }
                let v = (ca.velocity_at(t) - cb.velocity_at(t)).length() + wa;
                if closing > 1e-14 * v && closing > 1e-13 { return if t == from { Impact::Now } else { Impact::At(t) }; }
                let g = (ca.flight().acceleration - cb.flight().acceleration).length() + 1e-30;
                t += (1e-10 * ra / (v + 1e-30)).min((1e-10 * ra / g).sqrt());
            }
        }
    }
    Impact::ClearUntil(t)
}
