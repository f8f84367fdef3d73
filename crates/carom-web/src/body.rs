//! Bodies as the page sees them.

use crate::shape;
use crate::space::{WebSpace, components, turning};
use carom::body::{Body, Kind};
use carom::shape::Shape;
use carom::simulate::Simulation;
use carom::space::Linear;
use carom::world::BodyId;
use carom_scene::{Looks, shape_name};
use serde_json::{Value, json};

/// What a body is, and how it is to be shown where the scene says so; where it is, if it does not move.
pub fn describe<S: WebSpace>(id: BodyId, body: &Body<S>, material: &str, looks: &Looks) -> Value {
    let (motion, mass, inertia) = match &body.kind {
        Kind::Free(free) => ("free", Some(free.mass), Some(free.inertia)),
        Kind::Static => ("static", None, None),
        Kind::Kinematic(_) => ("kinematic", None, None),
    };
    let radius = match &body.shape {
        Shape::Ball(ball) => Some(ball.radius),
        _ => None,
    };
    let look = looks.of(id, material);
    let color = look
        .color
        .map(|[r, g, b]| format!("#{r:02x}{g:02x}{b:02x}"));
    let stands = (motion == "static").then(|| {
        json!({
            "position": components::<S>(body.pose.position),
            "orientation": orientation::<S>(body.pose.rotation),
        })
    });
    json!({
        "id": id.0,
        "name": &*body.name,
        "shape": shape_name(&body.shape),
        "form": shape::form::<S>(&body.shape),
        "material": material,
        "color": color,
        "label": look.label,
        "motion": motion,
        "sensor": body.sensor,
        "radius": radius,
        "mass": mass,
        "inertia": inertia.filter(|inertia| inertia.is_finite()),
        "stands": stands,
    })
}

/// As many numbers as an orientation has in a frame: an angle (rad), or a quaternion (x, y, z, w).
fn orientation<S: WebSpace>(rotation: S::Rotation) -> Vec<f64> {
    let numbers = if S::DIMENSION == 2 { 1 } else { 4 };
    S::orientation(rotation)[..numbers].to_vec()
}

/// Where a body is and how it moves, with all digits; null where there is none of that number.
pub fn state<S: WebSpace>(run: &Simulation<S>, id: BodyId) -> Value {
    if run.bodies().binary_search(&id).is_err() {
        return Value::Null;
    }
    let state = run.state(id);
    let mass = match run.body(id).map(|body| body.kind) {
        Some(Kind::Free(free)) => Some(free.mass),
        _ => None,
    };
    json!({
        "id": id.0,
        "time": run.time(),
        "position": components::<S>(state.position),
        "orientation": orientation::<S>(state.rotation),
        "velocity": components::<S>(state.velocity),
        "angular_velocity": turning::<S>(state.angular_velocity),
        "mass": mass,
    })
}

/// Rows of a body's number, position, orientation, velocity and angular velocity, for all bodies that are there.
pub fn states<S: WebSpace>(run: &Simulation<S>) -> Vec<f64> {
    let mut all = Vec::new();
    let numbers = if S::DIMENSION == 2 { 1 } else { 4 };
    for id in run.bodies() {
        let state = run.state(id);
        all.push(f64::from(id.0));
        all.extend_from_slice(&S::components(state.position)[..S::DIMENSION]);
        all.extend_from_slice(&S::orientation(state.rotation)[..numbers]);
        all.extend_from_slice(&S::components(state.velocity)[..S::DIMENSION]);
        all.extend(turning::<S>(state.angular_velocity));
    }
    all
}

/// The states of all bodies for a picture, by number; not a number where there is no body of that number (any more).
pub fn frame<S: WebSpace>(run: &Simulation<S>, frame: &mut Vec<f32>) {
    frame.clear();
    let turns = S::FRAME - 2 * S::DIMENSION;
    for id in run.bodies() {
        let start = id.0 as usize * S::FRAME;
        frame.resize(start, f32::NAN);
        let state = run.state(id);
        let position = S::components(state.position);
        let orientation = S::orientation(state.rotation);
        let velocity = S::components(state.velocity);
        let numbers = position[..S::DIMENSION].iter();
        let numbers = numbers.chain(&orientation[..turns]);
        frame.extend(
            numbers
                .chain(&velocity[..S::DIMENSION])
                .map(|&number| number as f32),
        );
    }
}

/// Takes in where the bodies are that move, m.
pub fn extend<S: WebSpace>(run: &Simulation<S>, [low, high]: &mut [[f64; 3]; 2]) {
    for id in run.bodies() {
        let state = run.state(id);
        // What stands is seen from its shape.
        if state.velocity == S::Vector::ZERO && run.time() > 0.0 {
            continue;
        }
        let position = S::components(state.position);
        for (axis, number) in position.into_iter().enumerate() {
            low[axis] = low[axis].min(number);
            high[axis] = high[axis].max(number);
        }
    }
}
