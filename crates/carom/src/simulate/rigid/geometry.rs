//! Where two bodies of a run touch, and when they will.

use super::core::Core;
use super::island::Spot;
use super::stage::{Partner, Stage};
use crate::impact::Impact;
use crate::solid::{first_contact, meetings};
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
