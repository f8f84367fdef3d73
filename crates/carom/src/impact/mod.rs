//! When do they touch? One pair, one file.
//!
//! # What a contact is
//!
//! The gap is the distance between the surfaces of a pair, as a function of time. A contact is the first t ≥ 0 at which
//! the gap is ≤ 0 **and closing**: the surfaces approach faster than rounding alone explains, or they do not move
//! apart or together and the accelerations press them. An opening zero is skipped, later closing ones count. So balls
//! that touch and part are left alone, balls that overlap by a rounding error cannot pass through each other, and
//! a ball thrown up from the floor comes back to it.

use crate::motion::{Drive, Flight, Pose};
use crate::shape::Shape;
use crate::space::Space;

/// The answer to "when do they touch?", in seconds from now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Impact {
    /// They touch already and are closing, or are pressed together.
    Now,
    /// They begin to touch after this time, s.
    At(f64),
    /// They do not touch within the time asked about.
    Never,
    /// They certainly do not touch before this time, s; ask again from there. The answer where a prescribed motion
    /// has a corner, or where the search would be without end.
    ClearUntil(f64),
}

/// A ball on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingBall<S: Space> {
    /// Of its centre.
    pub flight: Flight<S>,
    /// m.
    pub radius: f64,
    /// Speed of its surface about its centre, `|ω| r`, m/s. Only the closing floor depends on it.
    pub surface_speed: f64,
}

/// What the ball may strike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target<'a, S: Space> {
    /// In its own frame.
    pub shape: &'a Shape<S>,
    /// How that frame moves.
    pub course: Course<'a, S>,
    /// Speed of its surface about its centre where it is a spinning ball, m/s.
    pub surface_speed: f64,
}

/// How a target moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Course<'a, S: Space> {
    /// Along a flight, without turning. A fixed body is on a flight at rest.
    Flight {
        /// Of the origin of its frame.
        flight: Flight<S>,
        /// Of its frame.
        rotation: S::Rotation,
    },
    /// As prescribed.
    Driven {
        /// The motion.
        drive: &'a Drive<S>,
        /// Its pose at world time 0.
        start: &'a Pose<S>,
        /// World time at local time 0, s.
        now: f64,
    },
}

/// The first contact of a ball with a target in `[0, horizon)`.
pub fn first_contact<S: Space>(
    _ball: &MovingBall<S>,
    _target: &Target<S>,
    _horizon: f64,
) -> Impact {
    Impact::Never
}

/// The time of a contact that [`first_contact`] found, to within 4 ulp where ball meets ball or a straight wall.
pub fn refine<S: Space>(_ball: &MovingBall<S>, _target: &Target<S>, impact: Impact) -> Impact {
    impact
}
