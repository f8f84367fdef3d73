use crate::shape::MeshError;
use glam::DVec3;
use thiserror::Error;

/// Why a solid cannot be. Corners and parts are counted from 0.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ConvexError {
    /// A size, a density or a mass that is not a positive number.
    #[error("{field} is {value}, but must be a positive, finite number of {unit}")]
    NotPositive {
        /// The field at fault.
        field: &'static str,
        /// As given.
        value: f64,
        /// What it is measured in.
        unit: &'static str,
    },
    /// A coordinate is infinite or NaN.
    #[error("corner {corner} is {value}, but must be finite")]
    CornerNotFinite {
        /// Which.
        corner: usize,
        /// As given.
        value: DVec3,
    },
    /// A direction of length zero, or not finite.
    #[error("{field} is {value}, but must be a finite direction that is not zero")]
    NoDirection {
        /// The field at fault.
        field: &'static str,
        /// As given.
        value: DVec3,
    },
    /// Too few corners, or too many.
    #[error("there are {number} corners, but there must be at least {least} and at most {most}")]
    NumberOfCorners {
        /// As given.
        number: usize,
        /// The least there can be.
        least: usize,
        /// The most there may be.
        most: usize,
    },
    /// All corners in one plane (in 3-D) or on one line.
    #[error("the corners are {what}: such a body would have no inside")]
    Flat {
        /// Where they all are.
        what: &'static str,
    },
    /// A corner is inside the convex hull of the others.
    #[error(
        "not convex: corner {corner} is {depth} m inside the hull of the others (make it of several convex parts, or leave the corner out)"
    )]
    NotConvex {
        /// Which.
        corner: usize,
        /// How far from the nearest face of the hull, m.
        depth: f64,
    },
    /// The corners of a polygon do not follow each other around it.
    #[error("the outline crosses itself between corner {corner} and the next one")]
    Crossing {
        /// Where the line to the next corner is not a side.
        corner: usize,
    },
    /// A body without parts.
    #[error("there are no parts: a body needs at least one")]
    NoParts,
    /// Two parts of a body overlap, so that the mass of the overlap would count twice.
    #[error(
        "parts {first} and {second} overlap by {depth} m: the mass of the overlap would count twice"
    )]
    PartsOverlap {
        /// One part.
        first: usize,
        /// The other.
        second: usize,
        /// How far they would have to be moved apart, m.
        depth: f64,
    },
    /// A half-space, a segment or a triangle cannot move freely: it has no mass.
    #[error(
        "part {part} has no finite volume, so that it has no mass: it can only be static or kinematic"
    )]
    NoMass {
        /// Which.
        part: usize,
    },
    /// What was stored of a solid does not belong together.
    #[error("a stored solid does not fit together: {what}")]
    Inconsistent {
        /// What is not what.
        what: &'static str,
    },
    /// A mesh that bounds no solid.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

/// A size that must be positive and finite.
pub(crate) fn positive(
    field: &'static str,
    value: f64,
    unit: &'static str,
) -> Result<f64, ConvexError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(ConvexError::NotPositive { field, value, unit })
    }
}
