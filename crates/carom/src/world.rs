//! A world: the bodies at time 0, what they are made of, and the gravity they are in.

use crate::body::{Body, Kind};
use crate::material::Materials;
use crate::motion::Pose;
use crate::shape::{Obstacle, Shape};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};
use thiserror::Error;

/// A body of a world, by the order of insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub u32);

/// Everything that a run starts from.
#[derive(Clone, Debug, Default)]
pub struct World<S: Space> {
    /// The materials that the bodies refer to.
    pub materials: Materials,
    gravity: S::Vector,
    bodies: Vec<Body<S>>,
}

/// A world in the plane.
pub type World2 = World<crate::space::Plane>;

/// A world in space.
pub type World3 = World<crate::space::Solid>;

/// Why a world cannot be.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum WorldError {
    /// A body has a number that is not allowed.
    #[error("body {id} ({name}): {field} is {value}, but must be {allowed}")]
    Body {
        /// Index, in the order of insertion.
        id: usize,
        /// As given.
        name: String,
        /// The field at fault: `mass`, `inertia`, `position`, `velocity`, `spin`, `shape` or a field of the drive.
        field: &'static str,
        /// Its value, as given.
        value: String,
        /// What is allowed there.
        allowed: &'static str,
    },
    /// The gravity is not finite.
    #[error("gravity is {value}, but must be made of finite numbers")]
    Gravity {
        /// As given.
        value: String,
    },
    /// Two bodies overlap at time 0 by more than rounding explains.
    #[error(
        "body {a} ({name_a}) and body {b} ({name_b}) overlap by {depth:e} m at the start, but may by at most {allowed:e} m"
    )]
    Overlap {
        /// Index of one.
        a: usize,
        /// Its name.
        name_a: String,
        /// Index of the other.
        b: usize,
        /// Its name.
        name_b: String,
        /// How deep, m.
        depth: f64,
        /// What rounding explains, m.
        allowed: f64,
    },
}

impl<S: Space> World<S> {
    /// An empty world without gravity.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uniform gravity, m/s².
    pub fn gravity(&self) -> S::Vector {
        self.gravity
    }

    /// Sets the uniform gravity, m/s².
    pub fn set_gravity(&mut self, gravity: S::Vector) -> Result<(), WorldError> {
        if !gravity.is_finite() {
            return Err(WorldError::Gravity {
                value: format!("{gravity:?}"),
            });
        }
        self.gravity = gravity;
        Ok(())
    }

    /// Adds a body, if its numbers are allowed.
    pub fn add(&mut self, body: Body<S>) -> Result<BodyId, WorldError> {
        let id = self.bodies.len();
        check_body(&body).map_err(|(field, value, allowed)| WorldError::Body {
            id,
            name: body.name.clone(),
            field,
            value,
            allowed,
        })?;
        self.bodies.push(body);
        Ok(BodyId(id as u32))
    }

    /// The bodies, in the order of insertion.
    pub fn bodies(&self) -> &[Body<S>] {
        &self.bodies
    }

    /// A body as it was inserted.
    pub fn body(&self, id: BodyId) -> &Body<S> {
        &self.bodies[id.0 as usize]
    }

    /// The first body of that name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.bodies
            .iter()
            .position(|body| body.name == name)
            .map(|index| BodyId(index as u32))
    }

    /// Every pair that overlaps at time 0 by more than rounding explains: `16u` of the coordinates.
    pub fn overlaps(&self) -> Vec<WorldError> {
        let mut found = Vec::new();
        let balls = self.bodies.iter().enumerate().filter_map(|(a, body)| {
            match (&body.kind, &body.shape) {
                (Kind::Free(_), Shape::Ball(ball)) => Some((a, body, ball.radius)),
                _ => None,
            }
        });
        for (a, ball, radius) in balls {
            for (b, other) in self.bodies.iter().enumerate() {
                // Two free balls are looked at once.
                if a == b || (b < a && matches!(other.kind, Kind::Free(_))) {
                    continue;
                }
                let pose = pose_at_start(other);
                let depth = radius
                    - other
                        .shape
                        .closest(pose.to_local(ball.pose.position))
                        .distance;
                let reach = match other.shape {
                    Shape::Ball(ball) => ball.radius,
                    Shape::Hollow(room) => room.radius,
                    _ => 0.0,
                };
                let size = ball.pose.position.length().max(pose.position.length()) + radius + reach;
                let allowed = 16.0 * UNIT_ROUNDOFF * size;
                if depth > allowed {
                    found.push(WorldError::Overlap {
                        a,
                        name_a: ball.name.clone(),
                        b,
                        name_b: other.name.clone(),
                        depth,
                        allowed,
                    });
                }
            }
        }
        found
    }
}

fn pose_at_start<S: Space>(body: &Body<S>) -> Pose<S> {
    match &body.kind {
        Kind::Driven(drive) => drive.state_at(&body.pose, 0.0).pose,
        Kind::Free(_) | Kind::Fixed => body.pose,
    }
}

type Fault = (&'static str, String, &'static str);

fn check_body<S: Space>(body: &Body<S>) -> Result<(), Fault> {
    const FINITE: &str = "made of finite numbers";
    if !body.pose.position.is_finite() {
        return Err(("position", format!("{:?}", body.pose.position), FINITE));
    }
    match &body.kind {
        Kind::Fixed => Ok(()),
        Kind::Driven(drive) => drive
            .check()
            .map_err(|error| (error.field, error.value, error.allowed)),
        Kind::Free(free) => {
            if !matches!(body.shape, Shape::Ball(_)) {
                return Err((
                    "shape",
                    format!("{:?}", body.shape),
                    "a ball where the body is free",
                ));
            }
            if !(free.mass > 0.0 && free.mass.is_finite()) {
                return Err((
                    "mass",
                    free.mass.to_string(),
                    "a positive, finite number of kilograms",
                ));
            }
            if free.inertia.is_nan() || free.inertia <= 0.0 {
                return Err((
                    "inertia",
                    free.inertia.to_string(),
                    "positive, or infinite for a ball that cannot spin",
                ));
            }
            if !free.velocity.is_finite() {
                return Err(("velocity", format!("{:?}", free.velocity), FINITE));
            }
            if !free.spin.is_finite() {
                return Err(("spin", format!("{:?}", free.spin), FINITE));
            }
            Ok(())
        }
    }
}
