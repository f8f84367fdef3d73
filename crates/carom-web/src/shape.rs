//! Shapes for drawing, in the body's own frame.

use crate::space::{WebSpace, components, flat};
use carom::shape::{Compound, Convex, Shape, Shape2, Shape3};
use carom::space::Space;
use serde_json::{Value, json};
use std::any::Any;

/// What a shape looks like.
pub fn form<S: WebSpace>(shape: &Shape<S>) -> Value {
    match shape {
        Shape::Ball(ball) => json!({ "kind": "ball", "radius": ball.radius }),
        Shape::Hollow(hollow) => json!({ "kind": "hollow", "radius": hollow.radius }),
        Shape::HalfSpace(wall) => {
            json!({ "kind": "wall", "normal": components::<S>(wall.normal), "bare": wall.two_sided })
        }
        Shape::Block(block) => json!({ "kind": "box", "half": components::<S>(block.half) }),
        Shape::Compound(solid) => compound(solid),
        Shape::Own(own) => own_form::<S>(own),
        _ => json!({ "kind": "none" }),
    }
}

fn own_form<S: WebSpace>(shape: &S::OwnShape) -> Value {
    let shape: &dyn Any = shape;
    if let Some(shape) = shape.downcast_ref::<Shape2>() {
        return match shape {
            Shape2::Segment(segment) => {
                let [a, b] = segment.ends.map(flat);
                json!({ "kind": "line", "points": [a, b] })
            }
            Shape2::Arc(arc) => {
                let half = arc.cos_half.clamp(-1.0, 1.0).acos();
                let middle = arc.middle.y.atan2(arc.middle.x);
                let pieces = (half / 0.02).ceil().max(2.0) as usize;
                let points: Vec<[f64; 3]> = (0..=pieces)
                    .map(|piece| {
                        let angle = middle - half + 2.0 * half * piece as f64 / pieces as f64;
                        let (sin, cos) = angle.sin_cos();
                        let (x, y) = (arc.radius * cos, arc.radius * sin);
                        [arc.centre.x + x, arc.centre.y + y, 0.0]
                    })
                    .collect();
                json!({ "kind": "line", "points": points })
            }
            _ => json!({ "kind": "none" }),
        };
    }
    match shape.downcast_ref::<Shape3>() {
        Some(Shape3::Triangle(triangle)) => {
            let corners = triangle.corners.map(|corner| corner.to_array());
            json!({ "kind": "parts", "parts": [{ "corners": corners, "faces": [[0, 1, 2]], "thin": true }] })
        }
        Some(Shape3::Cylinder(cylinder)) => json!({
            "kind": "parts",
            "parts": [{
                "centre": [0.0, 0.0, 0.0],
                "axis": cylinder.axis.to_array(),
                "half": cylinder.half_length,
                "radius": cylinder.radius,
            }],
        }),
        Some(Shape3::Tube(tube)) => {
            json!({ "kind": "tube", "axis": tube.axis.to_array(), "radius": tube.radius })
        }
        _ => json!({ "kind": "none" }),
    }
}

fn compound<S: WebSpace>(solid: &Compound<S>) -> Value {
    let parts: Vec<Value> = solid.parts().iter().map(part).collect();
    json!({ "kind": "parts", "parts": parts })
}

fn part<S: WebSpace>(part: &Convex<S>) -> Value {
    if let Some((centre, axis, half, radius)) = part.as_cylinder() {
        let (centre, axis) = (S::components(centre), S::components(axis));
        return json!({ "centre": centre, "axis": axis, "half": half, "radius": radius });
    }
    let corners: Vec<[f64; 3]> = part.corners().map(<S as Space>::components).collect();
    let faces: Vec<Vec<u32>> = part.faces().map(|(_, around)| around.to_vec()).collect();
    json!({ "corners": corners, "faces": faces, "rounding": part.rounding() })
}
