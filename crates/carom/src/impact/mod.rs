//! When do they touch? One pair, one file.
//!
//! # What a contact is
//!
//! The gap is the distance between the surfaces of a pair, as a function of time. A contact is the first t ≥ 0 at which
//! the gap is ≤ 0 **and closing**: the surfaces approach faster than rounding alone explains, or they neither approach
//! nor separate and the accelerations press them together. An opening zero is skipped, later closing ones count. So
//! balls that touch and separate are left alone, balls that overlap by a rounding error cannot pass through each other,
//! and a ball thrown up from the floor comes back to it.
//!
//! # How it is found
//!
//! A ball touches a shape when its centre is at the distance of its radius from one of the shape's *features*: a face,
//! an edge, a corner, a rim. On a flight each such distance is a polynomial condition in time ([`Struck::features`],
//! one file a pair), and [`Polynomial::closings`] lists all instants at which one of them begins to close. A feature
//! goes on where the shape has ended (the line through a segment), so each instant is checked, in order of time,
//! against the distance from the whole shape ([`Obstacle::closest`]); the first that is a contact is the answer. At a
//! seam, where the centre passes from one feature's reach to the next one's, both list an instant and either will do:
//! nothing can slip between them.
//!
//! Ball against ball in uniform relative motion, and ball against a straight wall, are common enough to have closed
//! forms in plain `f64`; [`refine`] gives their last digits.
//!
//! A target that turns or oscillates has gaps that are no polynomials: `kinematic.rs`. Balls on segments of a higher
//! degree than a flight has: `on_segments/`.

mod approach;
mod ball_arc;
mod ball_ball;
mod ball_block;
mod ball_cylinder;
mod ball_half_space;
mod ball_hollow;
mod ball_segment;
mod ball_triangle;
mod ball_tube;
mod clearance;
mod gate;
mod kinematic;
mod on_segments;
pub(crate) mod solids;

pub use approach::{Approach, Path};
pub(crate) use ball_ball::Refined;
use ball_cylinder::Rim;
pub use clearance::first_clearance;
pub(crate) use gate::{crossing_of_gate, parabola_crosses};
use kinematic::DrivenMotion;
pub(crate) use on_segments::first_contact_by_steps;
pub use on_segments::{
    balls_on_segments, crossing, first_clearance_on_segment, first_contact_on_segment,
};

use crate::motion::{Drive, Flight, Pose};
use crate::roots::{Closing, Dd, Polynomial};
use crate::shape::convex::Compound;
use crate::shape::{Closest, Obstacle, Shape, Shape2, Shape3, Shaped, each_shape};
use crate::space::{Linear, Space, Space2, Space3, UNIT_ROUNDOFF};

/// The answer to "when do they touch?", in seconds from now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Impact {
    /// They touch already and approach, or are pressed together.
    Now,
    /// They begin to touch after this time, s.
    At(f64),
    /// They do not touch within the time asked about.
    Never,
    /// They certainly do not touch before this time, s; ask again from there. The answer where a kinematic motion
    /// has a corner, or where the search would be without end.
    ClearUntil(f64),
}

impl Impact {
    /// The time of the contact, s; `None` where there is none.
    pub fn time(self) -> Option<f64> {
        match self {
            Impact::Now => Some(0.0),
            Impact::At(time) => Some(time),
            Impact::Never | Impact::ClearUntil(_) => None,
        }
    }

    /// At a time, if it is before the horizon.
    fn within(time: f64, horizon: f64) -> Impact {
        if !(time < horizon) {
            Impact::Never
        } else if time > 0.0 {
            Impact::At(time)
        } else {
            Impact::Now
        }
    }
}

/// A moving ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingBall<S: Space> {
    /// Of its centre.
    pub flight: Flight<S>,
    /// m.
    pub radius: f64,
    /// Speed of its surface about its centre, `|ω| r`, m/s. Only the smallest speed that counts as approaching depends
    /// on it.
    pub surface_speed: f64,
}

/// What the ball may strike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target<'a, S: Shaped> {
    /// In its own frame.
    pub shape: &'a Shape<S>,
    /// How that frame moves.
    pub course: TargetMotion<'a, S>,
    /// Speed of its surface about its centre where it is a spinning ball, m/s.
    pub surface_speed: f64,
}

/// How a target moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TargetMotion<'a, S: Space> {
    /// Along a flight, without turning. A fixed body is on a flight at rest.
    Flight {
        /// Of the origin of its frame.
        flight: Flight<S>,
        /// Of its frame.
        rotation: S::Rotation,
    },
    /// A given motion.
    Kinematic {
        /// The motion.
        drive: &'a Drive<S>,
        /// The pose at insertion.
        start: &'a Pose<S>,
        /// World time at local time 0, s.
        now: f64,
    },
}

/// A condition on the ball's centre that holds where it is at its radius from a face, an edge, a corner, a rim.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// In time; it has the sign of the distance from the feature less the radius.
    pub polynomial: Polynomial,
    /// How much the polynomial changes per metre of that distance where it is zero.
    pub steepness: f64,
    /// The length that the direction of the normal is read off from, m: what rounding of the position is compared with.
    pub lever: f64,
    /// For a rim, whose polynomial turns where the distance does not quite.
    rim: Option<Rim>,
}

impl Feature {
    fn new(polynomial: Polynomial, steepness: f64, lever: f64) -> Self {
        Feature {
            polynomial,
            steepness,
            lever,
            rim: None,
        }
    }

    /// The distance less the radius (m) and its rate (m/s) near a contact, without the rounding of plain geometry.
    fn gap_and_rate(&self, time: f64) -> (f64, f64) {
        match &self.rim {
            Some(rim) => rim.gap_and_rate(time),
            None => (
                self.polynomial.value(time) / self.steepness,
                self.polynomial.derivative().value(time) / self.steepness,
            ),
        }
    }

    /// When the distance turns, given when the polynomial does.
    fn turning_time(&self, time: f64) -> f64 {
        let curvature = || self.polynomial.derivative().derivative().value(time) / self.steepness;
        self.rim
            .as_ref()
            .map_or(time, |rim| rim.turning_time(time, curvature()))
    }

    /// By how much the rate (m/s) can differ from zero where the polynomial turns at a gap other than zero.
    fn skew(&self, gap: f64, speed: f64) -> f64 {
        self.rim
            .as_ref()
            .map_or(0.0, |rim| 4.0 * gap.abs() * speed / rim.radius())
    }

    /// At `radius` from a point, a line or a plane, given the squared distance from it.
    fn near(distance_squared: Polynomial, radius: f64) -> Self {
        Self::scaled_near(distance_squared, radius, Dd::from(1.0))
    }

    /// The same, given the squared distance times a factor.
    fn scaled_near(scaled_distance_squared: Polynomial, radius: f64, factor: Dd) -> Self {
        let squared = Polynomial::constant(Dd::from(radius) * radius * factor);
        Self::new(
            scaled_distance_squared - squared,
            2.0 * radius * factor.hi,
            radius,
        )
    }
}

/// A space whose own shapes balls can strike.
pub trait Strikable: Shaped<OwnShape: Struck<Self>> {}

impl Strikable for Space2 {}

impl Strikable for Space3 {}

/// A shape that a ball can strike.
pub trait Struck<S: Space>: Obstacle<S> {
    /// Hands over the polynomials whose closings are the only instants at which a ball of that radius can begin to
    /// touch the shape.
    fn features(&self, approach: &Approach<S>, radius: f64, feature: &mut dyn FnMut(Feature));
}

impl<S: Strikable> Struck<S> for Shape<S> {
    fn features(&self, approach: &Approach<S>, radius: f64, feature: &mut dyn FnMut(Feature)) {
        each_shape!(self, shape => shape.features(approach, radius, feature))
    }
}

/// Balls are not led around it: `simulate::Rigid` asks `kernels::solids` when anything
/// strikes it.
impl<S: Shaped> Struck<S> for Compound<S> {
    fn features(&self, _: &Approach<S>, _: f64, _: &mut dyn FnMut(Feature)) {}
}

impl Struck<Space2> for Shape2 {
    fn features(&self, approach: &Approach<Space2>, radius: f64, feature: &mut dyn FnMut(Feature)) {
        match self {
            Shape2::Segment(segment) => segment.features(approach, radius, feature),
            Shape2::Arc(arc) => arc.features(approach, radius, feature),
        }
    }
}

impl Struck<Space3> for Shape3 {
    fn features(&self, approach: &Approach<Space3>, radius: f64, feature: &mut dyn FnMut(Feature)) {
        match self {
            Shape3::Triangle(triangle) => triangle.features(approach, radius, feature),
            Shape3::Cylinder(cylinder) => cylinder.features(approach, radius, feature),
            Shape3::Tube(tube) => tube.features(approach, radius, feature),
        }
    }
}

/// The first contact of a ball with a target in `[0, horizon)`.
///
/// Its accuracy is stated and measured in `docs/accuracy.md`.
///
/// ```
/// use carom::kernels::impact::{TargetMotion, Impact, MovingBall, Target, first_contact};
/// use carom::motion::{Flight, Pose};
/// use carom::shape::{Ball, Shape};
/// use carom::space::Space2;
/// use glam::DVec2;
///
/// // A disc of radius 0.1 m at 0.1 m/s, and one of 0.05 m that comes towards it, 0.09 m off the line.
/// let left = MovingBall::<Space2> {
///     flight: Flight::straight(DVec2::new(0.1, 0.0), DVec2::new(0.1, 0.0)),
///     radius: 0.1,
///     surface_speed: 0.0,
/// };
/// let right = Target {
///     shape: &Shape::Ball(Ball::new(0.05).expect("a positive radius")),
///     course: TargetMotion::Flight {
///         flight: Flight::straight(DVec2::new(0.45, -0.09), DVec2::new(-0.05, 0.0)),
///         rotation: Pose::<Space2>::default().rotation,
///     },
///     surface_speed: 0.0,
/// };
/// let Impact::At(time) = first_contact(&left, &right, 10.0) else {
///     panic!("they touch");
/// };
/// assert!((time - 23.0 / 15.0).abs() < 1e-15); // (0.35 − 0.12) m at 0.15 m/s
/// assert_eq!(first_contact(&left, &right, 1.5), Impact::Never);
/// ```
pub fn first_contact<S: Strikable>(
    ball: &MovingBall<S>,
    target: &Target<S>,
    horizon: f64,
) -> Impact {
    on_course(ball, target, horizon, |approach, horizon| {
        match target.shape {
            Shape::Ball(other) if approach.path().is_straight() => {
                ball_ball::uniform(approach, ball.radius + other.radius, horizon)
            }
            Shape::HalfSpace(wall) => {
                ball_half_space::closed_form(wall, approach, ball.radius, horizon)
            }
            shape => first_feature_contact(shape, approach, ball.radius, horizon),
        }
    })
}

/// The same contact to the last digits: within 4 ulp of the true time where a ball touches a ball in uniform relative
/// motion or a straight wall, grazing included. Other pairs are found to their last digits anyway.
///
/// An event that is about to happen deserves this; a prediction that may never come true does not.
pub fn refine<S: Strikable>(ball: &MovingBall<S>, target: &Target<S>, horizon: f64) -> Impact {
    on_course(ball, target, horizon, |approach, horizon| {
        match target.shape {
            Shape::Ball(other) if approach.path().is_straight() => {
                ball_ball::uniform_refined(approach, ball.radius, other.radius, horizon)
            }
            Shape::HalfSpace(wall) => {
                ball_half_space::refined(wall, approach, ball.radius, horizon)
            }
            shape => first_feature_contact(shape, approach, ball.radius, horizon),
        }
    })
}

/// Puts the pair on a common course, where the target's is a flight, and lets `solve` find the contact on it.
fn on_course<S: Strikable>(
    ball: &MovingBall<S>,
    target: &Target<S>,
    horizon: f64,
    solve: impl Fn(&Approach<S>, f64) -> Impact,
) -> Impact {
    on_course_or(ball, target, horizon, solve, kinematic::first_contact)
}

/// The same, with another answer where the target turns or oscillates.
fn on_course_or<S: Shaped>(
    ball: &MovingBall<S>,
    target: &Target<S>,
    horizon: f64,
    solve: impl Fn(&Approach<S>, f64) -> Impact,
    solve_kinematic: impl Fn(&MovingBall<S>, &Shape<S>, &DrivenMotion<S>, f64) -> Impact,
) -> Impact {
    match target.course {
        TargetMotion::Flight { flight, rotation } => solve(
            &Approach::new(ball, &flight, rotation, target.surface_speed),
            horizon,
        ),
        TargetMotion::Kinematic { drive, start, now } => match drive.flight_at(start, now) {
            Some((flight, end)) => {
                let approach = Approach::new(ball, &flight, start.rotation, target.surface_speed);
                let valid = end - now;
                match solve(&approach, horizon.min(valid)) {
                    Impact::Never if valid < horizon => Impact::ClearUntil(valid),
                    impact => impact,
                }
            }
            None => match drive.stroke_at(start, now) {
                Some(stroke) => kinematic::on_stroke(
                    &stroke,
                    now,
                    horizon,
                    |pose, until| {
                        let (rest, turned) = (Flight::rest(pose.position), pose.rotation);
                        solve(&Approach::new(ball, &rest, turned, 0.0), until)
                    },
                    |motion, until| solve_kinematic(ball, target.shape, motion, until),
                ),
                None => {
                    let motion = DrivenMotion {
                        drive,
                        start,
                        now,
                        since: 0.0,
                    };
                    solve_kinematic(ball, target.shape, &motion, horizon)
                }
            },
        },
    }
}

/// The first of all the features' closings that is a contact with the whole shape.
fn first_feature_contact<S: Strikable>(
    shape: &Shape<S>,
    approach: &Approach<S>,
    radius: f64,
    horizon: f64,
) -> Impact {
    let Some(entry) = entry_into_reach(shape, approach, radius, horizon) else {
        return Impact::Never;
    };
    // From afar, the terms of high degree would drown the shape: look from the moment at which the ball gets near it.
    let near = if entry > 0.0 {
        approach.from_time(entry)
    } else {
        *approach
    };
    let mut first = None;
    shape.features(&near, radius, &mut |feature| {
        // Nothing after the first contact so far is of interest.
        feature
            .polynomial
            .closings(first.unwrap_or(horizon - entry), |closing| {
                if let Some(time) = contact_time(shape, &near, radius, &feature, &closing)
                    && first.is_none_or(|earlier| time < earlier)
                {
                    first = Some(time);
                }
            });
    });
    first.map_or(Impact::Never, |time| Impact::within(entry + time, horizon))
}

/// When the ball gets into the sphere about the shape: at once, later, or not at all.
fn entry_into_reach<S: Shaped>(
    shape: &Shape<S>,
    approach: &Approach<S>,
    radius: f64,
    horizon: f64,
) -> Option<f64> {
    let reach = shape.reach();
    if !reach.is_finite() {
        return Some(0.0);
    }
    // A millionth more than needed: rounding cannot hide an entry.
    let reach = (reach + radius) * (1.0 + 1e-6);
    let outside = approach.path().squared() - Polynomial::constant(Dd::from(reach) * reach);
    if outside.coefficients()[0].hi <= 0.0 {
        return Some(0.0);
    }
    let mut entry = None;
    outside.closings(horizon, |closing| entry = entry.or(Some(closing.time)));
    entry
}

/// When the ball touches the shape and they are closing, if it is at this closing of the feature.
fn contact_time<S: Space>(
    shape: &impl Obstacle<S>,
    approach: &Approach<S>,
    radius: f64,
    feature: &Feature,
    closing: &Closing,
) -> Option<f64> {
    let place = approach.flight.position_at(closing.time);
    let nearest = contact_with(
        shape,
        shape.closest(place),
        approach,
        radius,
        feature,
        closing,
    );
    // Where a ball lies in the gap of an arc, one end may be the nearest that it leaves, and the other one stop it.
    nearest.or_else(|| {
        let ends = shape.ends_around(place, radius)?.into_iter();
        ends.filter_map(|end| contact_with(shape, end, approach, radius, feature, closing))
            .next()
    })
}

/// The same for one place of the shape that may be touched.
fn contact_with<S: Space>(
    shape: &impl Obstacle<S>,
    closest: Closest<S>,
    approach: &Approach<S>,
    radius: f64,
    feature: &Feature,
    closing: &Closing,
) -> Option<f64> {
    let time = closing.time;
    let reach = shape.reach();
    let size = approach.scale(time) + radius + if reach.is_finite() { reach } else { 0.0 };
    // The place has a few roundings behind it (two products and sums an axis, the rotation), the distance a few more.
    let tolerance = 16.0 * UNIT_ROUNDOFF * size;
    let gap = closest.distance - radius;
    if gap > tolerance {
        return None;
    }
    let velocity = approach.flight.velocity_at(time);
    let speed = closest.normal.dot(velocity);
    let floor = approach.approach_floor(time);
    // The velocity's own rounding; and the place's, which turns the normal by up to its share of the lever.
    let blur = 4.0 * UNIT_ROUNDOFF * approach.speed_scale(time)
        + 2.0 * velocity.length() * (tolerance / feature.lever);
    let skew = feature.skew(gap, velocity.length());
    if speed.abs() > floor + blur + skew {
        return (speed < 0.0).then_some(time);
    }
    // Too slow for geometry to tell. The feature itself can, if it is this one that touches: the far side of a box lies
    // far behind, and is always on its way inwards; at a seam the neighbour has another speed, and a quarter of the
    // bound on the blur is more than it ever comes to.
    let (own_gap, own_speed) = feature.gap_and_rate(time);
    let touches = own_gap >= 16.0 * gap.min(0.0) - 4.0 * tolerance;
    let agrees = (own_speed - speed).abs() <= 0.25 * blur + floor;
    if !(touches && agrees) {
        None
    } else if own_speed < -floor {
        Some(time)
    } else {
        (closing.pressed && own_speed <= floor + blur + skew).then(|| feature.turning_time(time))
    }
}
