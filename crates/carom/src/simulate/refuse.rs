//! Why a change is refused, why a world cannot be run by forces, and why a run by forces cannot go on.

use super::fixture::state_of;
use super::force_options::Scheme;
use crate::arrays::Each;
use crate::body::{Body, Kind};
use crate::force::ConstantsError;
use crate::motion::{Drive, DriveError, Pose};
use crate::shape::{Obstacle, Shaped};
use crate::space::{Linear, UNIT_ROUNDOFF};
use crate::world::{BodyId, WorldError, check_body};
use thiserror::Error;

/// Why a change was refused. Nothing has been changed then.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum EditError {
    /// There is no such body, or none any more.
    #[error("there is no body {0}", id.0)]
    UnknownBody {
        /// As given.
        id: BodyId,
    },
    /// Only a free ball can be changed in that way.
    #[error("body {} ({name}) is static or kinematic: its {field} cannot be set", id.0)]
    NotFree {
        /// As given.
        id: BodyId,
        /// Its name.
        name: String,
        /// What was to be set.
        field: &'static str,
    },
    /// Only a static or kinematic body can be changed in that way.
    #[error("body {} ({name}) is a free ball: its {field} cannot be set", id.0)]
    Free {
        /// As given.
        id: BodyId,
        /// Its name.
        name: String,
        /// What was to be set.
        field: &'static str,
    },
    /// The new motion of a kinematic body would begin elsewhere than where the body is.
    #[error(
        "body {} ({name}) would jump by {distance:e} m at t = {time} s, but may by at most {allowed:e} m: its motion must continue from where it is",
        id.0
    )]
    Jump {
        /// As given.
        id: BodyId,
        /// Its name.
        name: String,
        /// World time, s.
        time: f64,
        /// The farthest that any of its points would jump (of a body without end: its origin, and a turn by its
        /// distance), m.
        distance: f64,
        /// What rounding explains, m.
        allowed: f64,
    },
    /// The body as it would be cannot be: everything that is wrong with it.
    #[error("{}", join(.0))]
    Refused(Vec<WorldError>),
    /// The world as it would be cannot be run by forces: everything that is wrong with it.
    #[error("{}", join(.0))]
    Forces(Vec<ForcesError>),
}

pub(super) fn refused_drive<S: Shaped>(id: BodyId, body: &Body<S>, error: DriveError) -> EditError {
    EditError::Refused(vec![WorldError::Body {
        id: id.0 as usize,
        name: body.name.to_string(),
        field: error.field,
        value: error.value,
        allowed: error.allowed,
    }])
}

/// A number that a body is to have is that of another one, or beyond the next.
pub(super) fn number_taken<S: Shaped>(id: BodyId, body: &Body<S>) -> EditError {
    EditError::Refused(vec![WorldError::Body {
        id: id.0 as usize,
        name: body.name.to_string(),
        field: "number",
        value: id.0.to_string(),
        allowed: "that of a body that is not there",
    }])
}

fn join(errors: &[impl std::fmt::Display]) -> String {
    let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// Why a world cannot be run by forces.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ForcesError {
    /// The world itself cannot be.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A material has no springs.
    #[error(
        "material {material} has no stiffness, but {body} is made of it and touches others: it needs one (or a contact time, or Young's modulus)"
    )]
    NoConstants {
        /// Its name.
        material: String,
        /// Name or number of the first body of it.
        body: String,
    },
    /// Two bodies have no contact law.
    #[error("{a} ({material_a}) and {b} ({material_b}) cannot collide by forces: {reason}")]
    Pair {
        /// Name or number of one body.
        a: String,
        /// Of what it is made.
        material_a: String,
        /// Name or number of the other.
        b: String,
        /// Of what it is made.
        material_b: String,
        /// What is wrong, with numbers.
        reason: Box<ConstantsError>,
    },
    /// The constants for materials without any are wrong.
    #[error("the constants for materials without any: {0}")]
    Fallback(ConstantsError),
    /// The step is not a time.
    #[error("step is {step} s, but must be a positive, finite number of seconds")]
    Step {
        /// As given, s.
        step: f64,
    },
    /// The step is too large.
    #[error(
        "step is {step} s, but may be at most {largest} s for the contact of {a} with {b}, which lasts {lasts} s"
    )]
    StepTooLarge {
        /// As given, s.
        step: f64,
        /// The largest safe one, s.
        largest: f64,
        /// How long that contact lasts, s.
        lasts: f64,
        /// Name or number of one body of the shortest contact.
        a: String,
        /// Name or number of the other.
        b: String,
    },
    /// The step is too large for the springs that join bodies.
    #[error("step is {step} s, but may be at most {largest} s for the springs that join bodies")]
    StepTooLargeForSprings {
        /// As given, s.
        step: f64,
        /// The largest safe one, s.
        largest: f64,
    },
    /// Only Runge–Kutta can locate contacts.
    #[error("contacts are located within the step by rk4 alone, not by {scheme}")]
    Locate {
        /// The scheme asked for.
        scheme: Scheme,
    },
    /// The engine for very many balls cannot do it.
    #[error("not for the engine for very many balls: {reason}")]
    Granular {
        /// What it cannot do.
        reason: String,
    },
    /// Nothing says how long a step is.
    #[error("nothing can touch, so that no step follows from the contacts: give one")]
    NoStep,
}

/// Why a run by forces could not go on. What it had is kept.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum SteppedError {
    /// The time asked for is NaN, or lies in the past.
    #[error("cannot run until {until} s: the clock stands at {time} s")]
    Until {
        /// As asked, s.
        until: f64,
        /// Now, s.
        time: f64,
    },
    /// The step is so short that the time asked for would take more than a lifetime.
    #[error(
        "from t = {time} s to {until} s there are {steps:e} steps of {step:e} s, more than {most:e}: a stiffness that is too high for the masses, a contact time or a step that is too short"
    )]
    TooManySteps {
        /// Now, s.
        time: f64,
        /// As asked, s.
        until: f64,
        /// How long a step is, s.
        step: f64,
        /// How many it would be.
        steps: f64,
        /// How many there may be.
        most: f64,
    },
    /// A number has grown beyond what `f64` holds, or beyond reason.
    #[error("the run blows up at t = {time} s: the motion of {body} is no longer finite")]
    NotFinite {
        /// Of the last step that was right, s.
        time: f64,
        /// Name or number of the first body at fault.
        body: String,
    },
    /// Two bodies that came near each other have no contact law.
    #[error(transparent)]
    Pair(Box<ForcesError>),
    /// A ball went in too deep for there to be an inside and an outside.
    #[error(
        "{a} is {depth} m deep in {b} at t = {time} s, more than its radius of {radius} m: the spring is too soft for the speed, or the step too long"
    )]
    TooDeep {
        /// s.
        time: f64,
        /// Name or number of the ball.
        a: String,
        /// Name or number of the other.
        b: String,
        /// m.
        depth: f64,
        /// Of the ball (the smaller one), m.
        radius: f64,
    },
    /// A solid went in too deep for its nearest face to stay the nearest, or through a thin wall.
    #[error(
        "{a} is {depth} m deep in {b} at t = {time} s, more than the {allowed} m that are a quarter of the thinner of the two (the radius of a ball): the spring is too soft for the speed, or the step too long"
    )]
    Sunk {
        /// s.
        time: f64,
        /// Name or number of one body.
        a: String,
        /// Name or number of the other.
        b: String,
        /// m.
        depth: f64,
        /// m.
        allowed: f64,
    },
}

/// A fixture as it would be with another pose and another motion (`None`: it stands), if there can be such a body.
pub(super) fn moving_otherwise<S: Shaped>(
    id: BodyId,
    old: &Body<S>,
    pose: Pose<S>,
    drive: Option<Drive<S>>,
) -> Result<Body<S>, EditError> {
    let mut body = old.clone();
    body.pose = pose;
    body.kind = drive.map_or(Kind::Static, Kind::Kinematic);
    match check_body(id.0 as usize, &body) {
        Ok(()) => Ok(body),
        Err(error) => Err(EditError::Refused(vec![error])),
    }
}

/// How far a body would jump at a world time (s) if it were another, and how far rounding explains, m.
pub(super) fn jump<S: Shaped>(old: &Body<S>, new: &Body<S>, time: f64) -> (f64, f64) {
    let [from, to] = [old, new].map(|body| state_of(body, time));
    let reach = old.shape.reach();
    let arm = if reach.is_finite() {
        reach
    } else {
        from.pose.position.length() + 1.0
    };
    let [before, after] = [from, to].each(|state| S::axes(state.pose.rotation));
    let differences = before.as_flattened().iter().zip(after.as_flattened());
    let tilt = differences.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let distance = (to.pose.position - from.pose.position).length() + tilt * arm;
    // The pose that the motion is counted from is rounded, and so is what the motion makes of the time.
    let turning = from.angular_velocity.length() + to.angular_velocity.length();
    let travel = from.velocity.length() + to.velocity.length() + turning * arm;
    let size = from.pose.position.length()
        + old.pose.position.length()
        + new.pose.position.length()
        + arm
        + travel * time.abs();
    (distance, 64.0 * UNIT_ROUNDOFF * size)
}

/// An external force where flights are made by steps of Euler's method, which knows fields alone.
pub(super) fn loaded_by_euler<S: Shaped>(
    id: usize,
    body: &Body<S>,
    by_euler: bool,
) -> Option<WorldError> {
    (by_euler && body.load.is_some()).then(|| WorldError::Body {
        id,
        name: body.name.to_string(),
        field: "force",
        value: "given".to_owned(),
        allowed: "absent where flights are made by explicit Euler",
    })
}

/// Whether an external torque turns a body.
pub(super) fn is_turned<S: Shaped>(body: &Body<S>) -> bool {
    (body.load.as_ref()).is_some_and(|load| !load.is_without_torque())
}
