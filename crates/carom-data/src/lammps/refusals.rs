//! What LAMMPS cannot do in the same way.

use crate::space::DataSpace;
use carom::body::{Body, CollisionFilter, Kind};
use carom::shape::Shape;
use carom::space::Space;
use carom::world::World;
use carom_scene::shape_name;
use std::collections::BTreeSet;

/// As many reasons as are given: of a million bodies, one says it all.
const MOST: usize = 20;

/// Everything that stands against handing a world over, each reason once.
pub fn refusals<S: DataSpace>(world: &World<S>) -> Vec<String> {
    let mut reasons = Vec::new();
    for part in world.fields().parts() {
        reasons.push(format!(
            "the field `{}` has no counterpart there: only uniform gravity has",
            part.name
        ));
    }
    if world.shear().is_some() {
        reasons.push(
            "the shear of the box has no counterpart in this conversion: it writes boxes that stay what they are"
                .to_owned(),
        );
    }
    if !world.joints().is_empty() {
        reasons.push("joints have no counterpart in this conversion".to_owned());
    }
    let mut told = BTreeSet::new();
    let mut free = 0;
    for body in world.bodies() {
        free += usize::from(matches!(body.kind, Kind::Free(_)));
        if let Some((kind, reason)) = refusal(body)
            && told.insert(kind)
        {
            let name = match &*body.name {
                "" => "a body without a name".to_owned(),
                name => format!("`{name}`"),
            };
            reasons.push(format!("{name} {reason}"));
        }
    }
    if free == 0 {
        reasons.push("no body is free: there is nothing to run".to_owned());
    }
    reasons.truncate(MOST);
    reasons
}

/// Why a body cannot be handed over, and what kind of reason that is.
fn refusal<S: DataSpace>(body: &Body<S>) -> Option<(String, String)> {
    let reason = |kind: &str, text: String| Some((kind.to_owned(), text));
    if body.sensor {
        // It only notices: the motion is the same without it.
        return None;
    }
    if body.groups != CollisionFilter::ALL {
        let text = "passes through some others (groups), which granular pairs cannot";
        return reason("groups", text.to_owned());
    }
    if body.load.is_some() {
        return reason("load", "has a force of its own (force, torque)".to_owned());
    }
    let shape = shape_name(&body.shape);
    match &body.kind {
        Kind::Kinematic(_) => reason(
            "kinematic",
            "is kinematic: walls and balls that move by a rule are not handed over".to_owned(),
        ),
        Kind::Free(free) => {
            let Shape::Ball(ball) = &body.shape else {
                let text = format!("is a free {shape}: only balls can be handed over");
                return reason("free", text);
            };
            let full = S::ball_inertia(free.mass, ball.radius);
            if (free.inertia - full).abs() > 1e-9 * full {
                let text = format!(
                    "has a moment of inertia of {} kg m², but LAMMPS has that of a full ball, {full}",
                    free.inertia
                );
                return reason("inertia", text);
            }
            None
        }
        Kind::Static => fixed(body).map(|text| (format!("fixed {shape}"), text)),
    }
}

/// Why a fixed body has no region.
fn fixed<S: DataSpace>(body: &Body<S>) -> Option<String> {
    let shape = shape_name(&body.shape);
    match &body.shape {
        Shape::Ball(_) | Shape::Hollow(_) => None,
        Shape::HalfSpace(wall) if wall.two_sided => Some(
            "can be struck from both sides, and LAMMPS' planes have one (a wall that is solid behind has one too)"
                .to_owned(),
        ),
        Shape::HalfSpace(_) => None,
        Shape::Block(_) if is_turned(body) => {
            Some("is a box that is not along the axes, as LAMMPS' blocks are".to_owned())
        }
        Shape::Block(_) => None,
        _ => Some(format!(
            "is a fixed {shape}: walls (half-spaces), boxes along the axes, hollow circles and spheres, and balls can be handed over"
        )),
    }
}

/// Whether the frame of a body is turned.
fn is_turned<S: DataSpace>(body: &Body<S>) -> bool {
    // The directions of the axes, as the body has them.
    (0..S::DIMENSION).any(|axis| {
        let mut unit = [0.0; 3];
        unit[axis] = 1.0;
        let turned = <S as Space>::components(S::rotate(body.pose.rotation, S::vector(unit)));
        (0..3).any(|other| (turned[other] - unit[other]).abs() > 1e-12)
    })
}
