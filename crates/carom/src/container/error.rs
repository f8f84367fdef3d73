use crate::shape::ShapeError;
use glam::DVec2;
use thiserror::Error;

/// Why a container cannot be. Walls, corners and parts of an outline are counted from 1.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ContainerError {
    /// A number is not allowed.
    #[error("container {container}: {field} is {value}, but must be {allowed}")]
    Number {
        /// As given.
        container: String,
        /// The field at fault: `radius`, `low`, `corner 3`, `ends of piece 2`, …
        field: String,
        /// Its value, as given.
        value: String,
        /// What is allowed there.
        allowed: &'static str,
    },
    /// A polygon has too few corners.
    #[error("container {container} has {corners} corners, but must have three or more")]
    Corners {
        /// As given.
        container: String,
        /// How many.
        corners: usize,
    },
    /// Two corners of a polygon are at the same point.
    #[error(
        "container {container}: corners {first} and {second} are both at ({}, {}) m, but corners must differ \
         (the last wall leads back to the first corner by itself)",
        at.x, at.y
    )]
    Repeated {
        /// As given.
        container: String,
        /// The number of one.
        first: usize,
        /// The number of the other.
        second: usize,
        /// Where, m.
        at: DVec2,
    },
    /// Two walls cross, touch or lie on one another.
    #[error(
        "container {container}: walls {first} and {second} intersect at ({}, {}) m, but walls may only touch their neighbours, at the corner between them",
        at.x, at.y
    )]
    Crossing {
        /// As given.
        container: String,
        /// The number of one.
        first: usize,
        /// The number of the other.
        second: usize,
        /// Where, m.
        at: DVec2,
    },
    /// The outline has a gap.
    #[error(
        "container {container} is not closed: wall {first} ends at ({}, {}) m, but wall {second} starts at ({}, {}) m, {gap:e} m away; \
         at most {allowed:e} m is taken for rounding",
        end.x, end.y, start.x, start.y
    )]
    Open {
        /// As given.
        container: String,
        /// The number of the wall before the gap.
        first: usize,
        /// The number of the wall after it.
        second: usize,
        /// Where the one ends, m.
        end: DVec2,
        /// Where the other starts, m.
        start: DVec2,
        /// How wide it is, m.
        gap: f64,
        /// What is taken for rounding, m.
        allowed: f64,
    },
    /// An outline has no segments.
    #[error("container {container} has no walls, but must have one or more")]
    Empty {
        /// As given.
        container: String,
    },
    /// There are more or fewer materials than walls.
    #[error("container {container} has {walls} walls, but {given} materials are given for them")]
    Materials {
        /// As given.
        container: String,
        /// How many materials.
        given: usize,
        /// How many walls.
        walls: usize,
    },
    /// There is no wall of that number.
    #[error("container {container} has no wall {wall}: its walls are 1 to {walls}")]
    NoWall {
        /// As given.
        container: String,
        /// As asked for.
        wall: usize,
        /// How many there are.
        walls: usize,
    },
    /// A form has no walls for that side.
    #[error(
        "container {container} has its balls {side}, but a {form} can only have them {allowed}"
    )]
    Side {
        /// As given.
        container: String,
        /// As given: `outside`, `on both sides`.
        side: &'static str,
        /// `box`, `sphere`, `cylinder`, `prism`.
        form: &'static str,
        /// What is allowed there.
        allowed: &'static str,
    },
}

impl ContainerError {
    /// What a shape refused, for a container's field.
    pub(super) fn number(container: &str, field: impl Into<String>, error: ShapeError) -> Self {
        ContainerError::Number {
            container: container.to_owned(),
            field: field.into(),
            value: error.value,
            allowed: error.allowed,
        }
    }

    /// A length that must be positive and finite.
    pub(super) fn positive(
        container: &str,
        field: &str,
        value: f64,
    ) -> Result<f64, ContainerError> {
        if value > 0.0 && value.is_finite() {
            Ok(value)
        } else {
            Err(ContainerError::Number {
                container: container.to_owned(),
                field: field.to_owned(),
                value: value.to_string(),
                allowed: "a positive, finite number of metres",
            })
        }
    }

    /// A point that must be finite.
    pub(super) fn finite<V: crate::space::Linear>(
        container: &str,
        field: &str,
        value: V,
    ) -> Result<V, ContainerError> {
        if value.is_finite() {
            Ok(value)
        } else {
            Err(ContainerError::Number {
                container: container.to_owned(),
                field: field.to_owned(),
                value: format!("{value:?}"),
                allowed: "made of finite numbers",
            })
        }
    }
}
