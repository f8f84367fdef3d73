//! The rows of the table, and the bounds each must keep.

use crate::case::{Case, Form, Motion, Triple};

/// The shape that the ball meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Ball,
    HalfSpace,
    Segment,
    Arc,
    Triangle,
    Hollow,
    Block,
    Cylinder,
}

/// How the two move relative to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// Uniformly; the target is fixed, flies, or is driven.
    Straight,
    /// On parabolas with the same acceleration.
    Gravity,
    /// With a relative acceleration.
    Accelerated,
    /// The target turns about a pivot.
    Rotating,
    /// The target oscillates.
    Oscillating,
}

impl Course {
    /// Whether the relative path is a polynomial.
    pub fn is_flight(self) -> bool {
        !matches!(self, Course::Rotating | Course::Oscillating)
    }

    fn name(self) -> &'static str {
        match self {
            Course::Straight => "straight",
            Course::Gravity => "gravity",
            Course::Accelerated => "accelerated",
            Course::Rotating => "rotating",
            Course::Oscillating => "oscillating",
        }
    }
}

/// What must hold, see [`crate::judge`] for the units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Of the time, away from grazing, in `u [t + L/s]`.
    pub time: f64,
    /// Of the gap at the returned time, in `u · magnitude`.
    pub backward: f64,
    /// Of the refined time, in ulp, grazing included.
    pub refined: Option<f64>,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kernel {
    /// The shape.
    pub kind: Kind,
    /// 2 or 3.
    pub dimension: usize,
    /// The motion.
    pub course: Course,
    /// The bounds.
    pub limits: Limits,
}

/// PHYSICS.md, "Accuracy to hold": plain `f64` within 4, refined within 4 ulp.
const CLOSED_FORM: Limits = Limits {
    time: 4.0,
    backward: 4.0,
    refined: Some(4.0),
};
/// Polynomial features, signs in double-double. A contact is accepted by the feature that it was found with when the
/// distance from the whole shape is within `16 u` times the magnitude, so next to a seam the gap may be off by that,
/// and by a few roundings of the distance itself.
const FEATURES: Limits = Limits {
    time: 20.0,
    backward: 20.0,
    refined: None,
};
/// The certified search on prescribed motions. Its tolerance is `16 u` times a sum of five lengths (two positions,
/// their distance, the radius, the blur of the angle), none of which exceeds the magnitude.
const SEARCH: Limits = Limits {
    time: 80.0,
    backward: 80.0,
    refined: None,
};

const fn row(kind: Kind, dimension: usize, course: Course, limits: Limits) -> Kernel {
    Kernel {
        kind,
        dimension,
        course,
        limits,
    }
}

/// All rows.
pub const KERNELS: [Kernel; 39] = {
    use Course::{Accelerated, Gravity, Oscillating, Rotating, Straight};
    use Kind::{Arc, Ball, Block, Cylinder, HalfSpace, Hollow, Segment, Triangle};
    [
        row(Ball, 2, Straight, CLOSED_FORM),
        row(Ball, 3, Straight, CLOSED_FORM),
        row(Ball, 2, Gravity, CLOSED_FORM),
        row(Ball, 3, Gravity, CLOSED_FORM),
        row(Ball, 2, Accelerated, FEATURES),
        row(Ball, 3, Accelerated, FEATURES),
        row(HalfSpace, 2, Straight, CLOSED_FORM),
        row(HalfSpace, 3, Straight, CLOSED_FORM),
        row(HalfSpace, 2, Accelerated, CLOSED_FORM),
        row(HalfSpace, 3, Accelerated, CLOSED_FORM),
        row(Segment, 2, Straight, FEATURES),
        row(Segment, 2, Accelerated, FEATURES),
        row(Arc, 2, Straight, FEATURES),
        row(Arc, 2, Accelerated, FEATURES),
        row(Triangle, 3, Straight, FEATURES),
        row(Triangle, 3, Accelerated, FEATURES),
        row(Hollow, 2, Straight, FEATURES),
        row(Hollow, 3, Straight, FEATURES),
        row(Hollow, 2, Accelerated, FEATURES),
        row(Hollow, 3, Accelerated, FEATURES),
        row(Block, 2, Straight, FEATURES),
        row(Block, 3, Straight, FEATURES),
        row(Block, 2, Accelerated, FEATURES),
        row(Block, 3, Accelerated, FEATURES),
        row(Cylinder, 3, Straight, FEATURES),
        row(Cylinder, 3, Accelerated, FEATURES),
        row(Segment, 2, Rotating, SEARCH),
        row(Block, 2, Rotating, SEARCH),
        row(Block, 3, Rotating, SEARCH),
        row(HalfSpace, 2, Rotating, SEARCH),
        row(HalfSpace, 3, Rotating, SEARCH),
        row(Ball, 2, Rotating, SEARCH),
        row(Ball, 3, Rotating, SEARCH),
        row(HalfSpace, 2, Oscillating, SEARCH),
        row(HalfSpace, 3, Oscillating, SEARCH),
        row(Ball, 2, Oscillating, SEARCH),
        row(Ball, 3, Oscillating, SEARCH),
        row(Block, 2, Oscillating, SEARCH),
        row(Block, 3, Oscillating, SEARCH),
    ]
};

/// The row that a case belongs to.
pub fn of(case: &Case) -> Option<&'static Kernel> {
    let kind = match case.form {
        Form::Ball { .. } => Kind::Ball,
        Form::HalfSpace { .. } => Kind::HalfSpace,
        Form::Hollow { .. } => Kind::Hollow,
        Form::Block { .. } => Kind::Block,
        Form::Segment { .. } => Kind::Segment,
        Form::Arc { .. } => Kind::Arc,
        Form::Triangle { .. } => Kind::Triangle,
        Form::Cylinder { .. } => Kind::Cylinder,
    };
    let bends = |target: Triple| case.ball.acceleration != target;
    let course = match case.motion {
        Motion::Flight(target) if bends(target.acceleration) => Course::Accelerated,
        Motion::Flight(target) if kind == Kind::Ball && target.acceleration != [0.0; 3] => {
            Course::Gravity
        }
        Motion::Uniform { .. } if bends([0.0; 3]) => Course::Accelerated,
        Motion::Flight(_) | Motion::Uniform { .. } => Course::Straight,
        Motion::Rotation { .. } => Course::Rotating,
        Motion::Oscillation { .. } => Course::Oscillating,
    };
    KERNELS.iter().find(|kernel| {
        (kernel.kind, kernel.dimension, kernel.course) == (kind, case.dimension, course)
    })
}

impl Kernel {
    /// As `--kernel` knows it, such as `ball-block-3d-straight`.
    pub fn name(&self) -> String {
        let shape = match self.kind {
            Kind::Ball => "ball",
            Kind::HalfSpace => "half-space",
            Kind::Segment => "segment",
            Kind::Arc => "arc",
            Kind::Triangle => "triangle",
            Kind::Hollow => "hollow",
            Kind::Block => "block",
            Kind::Cylinder => "cylinder",
        };
        format!("ball-{shape}-{}d-{}", self.dimension, self.course.name())
    }
}
