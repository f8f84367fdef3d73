//! First contacts of balls that move on segments: polynomials of up to degree 9 in time, each with an end.
//!
//! Up to degree 2 a piece is a flight, and the closed forms and isolated roots of the other files serve. Above that the
//! gap's square has a degree of 18, too high for roots to be worth isolating: contacts are found by steps that provably
//! skip nothing, `walk.rs`. How far a step may go is in `still.rs` for targets that do not turn, in `kinematic.rs` for
//! those that turn or oscillate.
//!
//! A piece of a degree above 2 is looked at for 10¹² s at most.

mod along;
mod balls;
mod crossing;
mod still;
mod walk;

pub use balls::balls_on_segments;
pub use crossing::crossing;

use super::kinematic::{self, DrivenMotion, Kinematic, Trajectory};
use super::{Impact, MovingBall, Target, TargetMotion, first_clearance, first_contact, refine};
use crate::impact::Strikable;
use crate::motion::{Curve, Drive, Flight, Pose, TrajectorySegment};
use crate::roots::certified::{self, Look, Search};
use crate::shape::{Obstacle, Shape, Shaped};
use crate::space::{Linear, Space};
use along::Along;
use balls::FLOOR;
use still::{Clearing, ClosingGap, Still};
use walk::walk;

/// No piece of a degree above 2 is good for longer, s.
const LONGEST: f64 = 1e12;

/// What is asked about a ball and a target.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Question {
    Contact,
    Clearance,
}

/// The first contact of a ball on a segment with a target, in local time of the segment, from 0 to its end or to the
/// horizon, whichever is earlier, s.
///
/// A segment of degree 2 or less is a flight, and answered as one, to the last digits. Above, the gap at the time found
/// is at most 64u times the size of the numbers that the position then is computed from, and a contact that is
/// overlooked overlaps by no more.
pub fn first_contact_on_segment<S: Strikable>(
    segment: &TrajectorySegment<S>,
    radius: f64,
    target: &Target<S>,
    horizon: f64,
) -> Impact {
    let until = earlier(segment.end, horizon);
    match as_ball(segment, radius, until) {
        Some(ball) => match first_contact(&ball, target, until) {
            Impact::Now | Impact::At(_) => refine(&ball, target, until),
            other => other,
        },
        None => on_curve(segment, radius, target, until, Question::Contact),
    }
}

/// The same by steps, whatever the degree: several times as quick as isolating the roots of all features of a shape
/// with many, and as exact as for pieces of a higher degree.
pub fn first_contact_by_steps<S: Shaped>(
    segment: &TrajectorySegment<S>,
    radius: f64,
    target: &Target<S>,
    horizon: f64,
) -> Impact {
    let until = earlier(segment.end, horizon);
    on_curve(segment, radius, target, until, Question::Contact)
}

/// The first local time, before the end of the segment and the horizon, at which a ball that overlaps a target does so
/// no more: `Now` where it does not to begin with.
pub fn first_clearance_on_segment<S: Strikable>(
    segment: &TrajectorySegment<S>,
    radius: f64,
    target: &Target<S>,
    horizon: f64,
) -> Impact {
    let until = earlier(segment.end, horizon);
    match as_ball(segment, radius, until) {
        Some(ball) => first_clearance(&ball, target, until),
        None => on_curve(segment, radius, target, until, Question::Clearance),
    }
}

fn earlier(end: f64, horizon: f64) -> f64 {
    if end < horizon { end } else { horizon }
}

fn as_ball<S: Space>(
    segment: &TrajectorySegment<S>,
    radius: f64,
    until: f64,
) -> Option<MovingBall<S>> {
    let flight = segment.as_flight()?;
    // Only the closing floor depends on it: where the spin changes, the larger one of the two ends does.
    let mut angular_velocity = segment.angular_velocity_at(0.0).length();
    if segment.angular_velocity.degree() > 0 && until.is_finite() {
        angular_velocity = angular_velocity.max(segment.angular_velocity_at(until).length());
    }
    Some(MovingBall {
        flight,
        radius,
        surface_speed: angular_velocity * radius,
    })
}

/// The speed of a ball's centre and that of its surface about it, together, m/s.
fn surface_speeds<S: Space>(segment: &TrajectorySegment<S>, radius: f64, t: f64) -> f64 {
    segment.velocity_at(t).length() + segment.angular_velocity_at(t).length() * radius
}

fn on_curve<S: Shaped>(
    segment: &TrajectorySegment<S>,
    radius: f64,
    target: &Target<S>,
    until: f64,
    question: Question,
) -> Impact {
    let until = earlier(until, LONGEST);
    if !(until > 0.0) || !segment.place.is_finite() {
        return Impact::Never;
    }
    let search = OnCurve {
        segment,
        radius,
        question,
    };
    match target.course {
        TargetMotion::Flight { flight, rotation } => {
            search.on_flight(target, &flight, rotation, 0.0, until)
        }
        TargetMotion::Kinematic { drive, start, now } => {
            if drive.flight_at(start, now).is_some() {
                search.between_knots(target, drive, start, now, until)
            } else if let Some(stroke) = drive.stroke_at(start, now) {
                kinematic::on_stroke(
                    &stroke,
                    now,
                    until,
                    |pose, until| {
                        let rest = Flight::rest(pose.position);
                        search.on_flight(target, &rest, pose.rotation, 0.0, until)
                    },
                    |motion, until| search.on_drive(target, motion, until),
                )
            } else {
                let motion = DrivenMotion {
                    drive,
                    start,
                    now,
                    since: 0.0,
                };
                search.on_drive(target, &motion, until)
            }
        }
    }
}

/// A ball on a curve, and what is asked about it.
struct OnCurve<'a, S: Space> {
    segment: &'a TrajectorySegment<S>,
    radius: f64,
    question: Question,
}

impl<S: Shaped> OnCurve<'_, S> {
    /// Against a target that moves without turning, in `[from, to)`; its flight is counted from local time 0.
    fn on_flight(
        &self,
        target: &Target<S>,
        flight: &Flight<S>,
        rotation: S::Rotation,
        from: f64,
        to: f64,
    ) -> Impact {
        let terms = [flight.position, flight.velocity, flight.acceleration * 0.5];
        let way = combined(&self.segment.place, &terms, |mine, its| mine - its);
        if self.question == Question::Contact
            && stays_away(&way, target.shape, rotation, self.radius, to)
        {
            return Impact::Never;
        }
        let way = if rotation == S::no_rotation() {
            way
        } else {
            combined(&way, &[], |term, _| S::unrotate(rotation, term))
        };
        let floor = |t: f64| {
            let its = flight.velocity_at(t).length() + target.surface_speed;
            FLOOR * (surface_speeds(self.segment, self.radius, t) + its)
        };
        let still: Still<S, _, _> = Still::new(&way, target.shape, self.radius, to, floor);
        let found = match self.question {
            Question::Contact => walk(&mut ClosingGap(still), from, to),
            Question::Clearance => walk(&mut Clearing(still), from, to),
        };
        found.map_or(Impact::Never, |time| Impact::within(time, to))
    }

    /// Against a target on a motion that is straight between its knots.
    fn between_knots(
        &self,
        target: &Target<S>,
        drive: &Drive<S>,
        start: &Pose<S>,
        now: f64,
        until: f64,
    ) -> Impact {
        let (mut clock, mut from) = (now, 0.0);
        while let Some((flight, end)) = drive.flight_at(start, clock) {
            let to = earlier(end - now, until);
            if to > from {
                let backdated = Flight::straight(
                    flight.position - flight.velocity * (clock - now),
                    flight.velocity,
                );
                let found = self.on_flight(target, &backdated, start.rotation, from, to);
                if found != Impact::Never {
                    return found;
                }
                from = to;
            }
            if !(from < until && end > clock) {
                break;
            }
            clock = end;
        }
        Impact::Never
    }

    /// Against a target that turns or oscillates.
    fn on_drive(&self, target: &Target<S>, motion: &DrivenMotion<S>, until: f64) -> Impact {
        let way = BallOnCurve::new(self.segment, self.radius, until);
        let kinematic = match Kinematic::new(&way, target.shape, motion) {
            Ok(kinematic) => kinematic,
            Err(standing) => {
                return on_curve(self.segment, self.radius, &standing, until, self.question);
            }
        };
        if self.question == Question::Clearance {
            return kinematic.search_clearance(until);
        }
        if self.passes_by(&kinematic, target.shape, until) {
            return Impact::Never;
        }
        let search = certified::advance(0.0, until, kinematic::BUDGET, |t| {
            far_look(&kinematic, &way, t).unwrap_or_else(|| kinematic.look_in(t))
        });
        match search {
            Search::At(time) => Impact::within(time, until),
            Search::Nothing => Impact::Never,
            // Not a number, or without any progress: there is nothing to be found.
            Search::StoppedAt(time) if !(time > 0.0) => Impact::Never,
            Search::StoppedAt(time) => Impact::ClearUntil(time),
        }
    }

    /// Whether the ball stays out of the sphere that a driven target stays in.
    fn passes_by(
        &self,
        kinematic: &Kinematic<S, BallOnCurve<S>>,
        shape: &Shape<S>,
        until: f64,
    ) -> bool {
        let way = combined(&self.segment.place, &[kinematic.centre], |mine, its| {
            mine - its
        });
        match shape {
            Shape::HalfSpace(wall) if !kinematic.turns && !wall.two_sided => {
                let normal = S::rotate(kinematic.start.rotation, wall.normal);
                let height = Along::new(&way, normal);
                height.at(0.0) - height.fall_until(until) > self.radius + kinematic.excursion
            }
            shape => stays_beyond(
                &way,
                self.radius + shape.reach() + kinematic.excursion,
                until,
            ),
        }
    }
}

/// The terms of a curve, each combined with another's where there is one.
fn combined<V: Linear>(curve: &Curve<V>, other: &[V], combine: impl Fn(V, V) -> V) -> Curve<V> {
    let mut terms = [V::ZERO; Curve::<f64>::MAX_DEGREE + 1];
    for (to, &from) in terms.iter_mut().zip(curve.terms()) {
        *to = from;
    }
    for (power, term) in terms.iter_mut().enumerate() {
        *term = combine(*term, other.get(power).copied().unwrap_or(V::ZERO));
    }
    Curve::new(&terms)
}

/// Whether a ball's centre certainly keeps away from a shape that stands at the origin, turned.
fn stays_away<S: Shaped>(
    way: &Curve<S::Vector>,
    shape: &Shape<S>,
    rotation: S::Rotation,
    radius: f64,
    to: f64,
) -> bool {
    match shape {
        // The ball is as large as the container: there is no surface for it to strike from within.
        Shape::Hollow(room) => !(room.radius > radius),
        Shape::HalfSpace(wall) if !wall.two_sided => {
            let height = Along::new(way, S::rotate(rotation, wall.normal));
            height.at(0.0) - height.fall_until(to) > radius
        }
        shape => stays_beyond(way, shape.reach() + radius, to),
    }
}

/// Whether a curve certainly stays out of a sphere about the origin, by the plane across its start.
fn stays_beyond<V: Linear>(way: &Curve<V>, reach: f64, to: f64) -> bool {
    let start = way.at(0.0);
    let distance = start.length();
    distance * (distance - reach) > Along::new(way, start).fall_until(to)
}

/// A ball on a curve, as the search against driven targets sees it.
struct BallOnCurve<'a, S: Space> {
    segment: &'a TrajectorySegment<S>,
    sizes: Along,
    radius: f64,
    until: f64,
}

impl<'a, S: Space> BallOnCurve<'a, S> {
    fn new(segment: &'a TrajectorySegment<S>, radius: f64, until: f64) -> Self {
        BallOnCurve {
            segment,
            sizes: Along::sizes(&segment.place),
            radius,
            until,
        }
    }
}

impl<S: Space> Trajectory<S> for BallOnCurve<'_, S> {
    fn radius(&self) -> f64 {
        self.radius
    }

    fn position_at(&self, t: f64) -> S::Vector {
        self.segment.position_at(t)
    }

    fn velocity_at(&self, t: f64) -> S::Vector {
        self.segment.velocity_at(t)
    }

    fn surface_speed_at(&self, t: f64) -> f64 {
        self.segment.angular_velocity_at(t).length() * self.radius
    }

    fn span_from(&self, t: f64) -> f64 {
        self.until - t
    }

    fn acceleration_over(&self, t: f64, span: f64) -> f64 {
        self.segment.place.bend_at(t).length() + self.sizes.jerk_until(t + span) * span
    }

    fn size_at(&self, t: f64) -> f64 {
        self.sizes.at(t)
    }
}

/// What is known of a ball far from a driven target: the distance from the sphere that the target stays in, which does
/// not turn and needs no short steps.
fn far_look<S: Shaped>(
    kinematic: &Kinematic<S, BallOnCurve<S>>,
    way: &BallOnCurve<S>,
    t: f64,
) -> Option<Look> {
    let reach = kinematic.shape.reach() + kinematic.excursion + way.radius;
    let from_centre = way.position_at(t) - kinematic.centre;
    let distance = from_centre.length();
    // Nearer than that, the target itself has to be looked at.
    if !(distance > 1.125 * reach) {
        return None;
    }
    let span = way.span_from(t);
    let sample = certified::Sample {
        value: distance - reach,
        slope: from_centre.dot(way.velocity_at(t)) / distance,
    };
    Some(Look {
        branches: [Some(sample), None, None],
        tolerance: 0.0,
        floor: 0.0,
        span,
        bend: way.acceleration_over(t, span),
    })
}
