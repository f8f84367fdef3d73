//! What is wrong with a world.

use crate::body::{Body, BodyError};
use crate::motion::{BoxError, FieldError, FlightError, Pose};
use crate::shape::{Obstacle, Shape, Shaped};
use crate::space::{Linear, UNIT_ROUNDOFF};
use thiserror::Error;

/// Why a world cannot be.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum WorldError {
    /// A body has a number that is not allowed.
    #[error("body {id} ({name}): {field} is {value}, but must be {allowed}")]
    Body {
        /// Index, in the order of insertion.
        id: usize,
        /// As given.
        name: String,
        /// The field at fault: `mass`, `density`, `inertia`, `material`, `sensor`, `position`, `velocity`,
        /// `angular_velocity`, `shape`, `number` (there are too many) or a field of the drive.
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
    /// A field is not allowed.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// A field is not the same on both sides of the periodic box.
    #[error(transparent)]
    FieldInBox(#[from] BoxError),
    /// A setting of the integrator is not allowed.
    #[error(transparent)]
    Integrator(#[from] FlightError),
    /// The contact time is not one.
    #[error("the contact time is {value}, but must be a positive, finite number of seconds")]
    ContactTime {
        /// As given, s.
        value: f64,
    },
    /// A length of the periodic box is not one.
    #[error(
        "the periodic box has length {value} along {axis}, but must have a positive, finite number of metres"
    )]
    Period {
        /// `x`, `y` or `z`.
        axis: char,
        /// As given, m.
        value: f64,
    },
    /// A shear of the periodic box that cannot be.
    #[error("shear: {field} is {value}, but must be {allowed}")]
    Shear {
        /// The field at fault: `rate`, `offset`, `flow`, `gradient` or what is in `the box`.
        field: &'static str,
        /// Its value, as given.
        value: String,
        /// What is allowed there.
        allowed: String,
    },
    /// A body does not fit into the periodic box.
    #[error(
        "body {id} ({name}) does not fit the periodic box of {length} m along {axis}: {reason}"
    )]
    Box {
        /// Index, in the order of insertion.
        id: usize,
        /// As given.
        name: String,
        /// `x`, `y` or `z`.
        axis: char,
        /// Of the box along that axis, m.
        length: f64,
        /// What is wrong, and what is allowed.
        reason: String,
    },
    /// A joint that cannot be, or does not fit the bodies as they are at the start.
    #[error("joint {id} ({name}): {field} is {value}, but must be {allowed}")]
    Joint {
        /// Index, in the order of insertion.
        id: usize,
        /// As given.
        name: String,
        /// The field at fault: `between`, `anchor`, `anchors`, `axis`, `length`, `stiffness`, `rest_length`, `damping`
        /// or the `velocity` of its bodies.
        field: &'static str,
        /// Its value, as given.
        value: String,
        /// What is allowed there.
        allowed: String,
    },
    /// Something that cannot be beside rigid bodies.
    #[error("{what}")]
    Solids {
        /// What is wrong, and where.
        what: String,
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
    /// A ball is outside of its container, or behind a wall that only has one side.
    #[error(
        "body {a} ({name_a}) is on the wrong side of body {b} ({name_b}): its centre is {beyond:e} m beyond the surface"
    )]
    Outside {
        /// Index of the ball.
        a: usize,
        /// Its name.
        name_a: String,
        /// Index of the wall or container.
        b: usize,
        /// Its name.
        name_b: String,
        /// How far the ball's centre is beyond the surface, m.
        beyond: f64,
    },
    /// A ball is not on the side of a container's walls where its balls belong.
    #[error(
        "body {a} ({name_a}) is not {belongs} container {container}: its centre is {beyond:e} m beyond body {b} ({name_b})"
    )]
    Container {
        /// Index of the ball.
        a: usize,
        /// Its name.
        name_a: String,
        /// The name of the container.
        container: String,
        /// `inside` or `outside`.
        belongs: &'static str,
        /// Index of the wall that it is nearest to.
        b: usize,
        /// Its name.
        name_b: String,
        /// How far the ball's centre is beyond that wall, m.
        beyond: f64,
    },
}

impl WorldError {
    /// Of the body that is to have that number.
    pub(super) fn of_body(id: usize, error: BodyError) -> Self {
        WorldError::Body {
            id,
            name: error.name,
            field: error.field,
            value: error.value,
            allowed: error.allowed,
        }
    }

    pub(super) fn pair(&self) -> (usize, usize) {
        match *self {
            WorldError::Overlap { a, b, .. }
            | WorldError::Outside { a, b, .. }
            | WorldError::Container { a, b, .. } => (a, b),
            _ => (0, 0),
        }
    }

    pub(super) fn depth(&self) -> f64 {
        match *self {
            WorldError::Overlap { depth, .. } => depth,
            WorldError::Outside { beyond, .. } | WorldError::Container { beyond, .. } => beyond,
            _ => 0.0,
        }
    }
}

/// Why a ball cannot be where it is, beside another body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    /// How deep, and what rounding explains, m.
    Overlap(f64, f64),
    /// Its centre is so far beyond the surface of a wall that only has one side, m.
    Outside(f64),
}

impl Fault {
    /// Of two bodies that overlap by a depth, with coordinates and sizes of some magnitude, m.
    pub fn overlap(depth: f64, size: f64) -> Option<Self> {
        let allowed = 16.0 * UNIT_ROUNDOFF * size;
        (depth > allowed).then_some(Fault::Overlap(depth, allowed))
    }

    /// Of a ball beside a static or kinematic body.
    pub fn with_fixtures<S: Shaped>(
        place: S::Vector,
        radius: f64,
        other: &Body<S>,
        pose: &Pose<S>,
    ) -> Option<Self> {
        let distance = other.shape.closest(pose.to_local(place)).distance;
        let reach = match other.shape {
            Shape::Ball(ball) => ball.radius,
            Shape::Hollow(container) => container.radius,
            _ => 0.0,
        };
        let size = place.length().max(pose.position.length()) + radius + reach;
        let fault = Self::overlap(radius - distance, size);
        if distance < 0.0 && !other.shape.reach().is_finite() {
            // Nobody means a ball to be in there; rather the wall stands the wrong way round, or the ball in the wrong
            // place.
            fault.map(|_| Fault::Outside(-distance))
        } else {
            fault
        }
    }

    pub fn named(self, (a, name_a): (usize, &str), (b, name_b): (usize, &str)) -> WorldError {
        let [name_a, name_b] = [name_a, name_b].map(str::to_owned);
        match self {
            Fault::Overlap(depth, allowed) => WorldError::Overlap {
                a,
                name_a,
                b,
                name_b,
                depth,
                allowed,
            },
            Fault::Outside(beyond) => WorldError::Outside {
                a,
                name_a,
                b,
                name_b,
                beyond,
            },
        }
    }
}
