//! Ball against a target that turns about a point or oscillates.
//!
//! # The bound
//!
//! In the target's own frame the ball's centre follows a curve y(t), and the gap is `g = dist(y) − r`. The distance
//! from a convex set is a convex function with the outward normal n as its gradient, so
//!
//! ```text
//! g(t + h) ≥ g(t) + n·(y(t + h) − y(t)) ≥ g(t) + n·y′ h − ½ A h²,     A ≥ |y″| on [t, t + h].
//! ```
//!
//! That is the bound which [`certified::advance`] asks for, and it holds across faces, edges and corners alike. With
//! x the centre about the pivot, v and a its velocity and acceleration and ω the target's spin, `y′` is `u = v − ω×x`
//! in the frame's axes and `y″` is `a − ω×v − ω×u`, so `A = |a| + |ω| (|v| + |u|)` with the largest values on the
//! interval. For an oscillation `A = |a| + rate² |amplitude|`.
//!
//! A container or an arc is not convex: seen from within, the distance from a circle curves the other way, by at most
//! `|y′|²/ρ` at distance ρ from its centre. That is added to A, and the step is kept within half of ρ; next to the
//! centre, where that says nothing, the gap falls no faster than y moves. The ends of an arc can be the nearest place
//! by turns: each is a branch of its own.
//!
//! # When a search can end
//!
//! A bounded target stays within a ball about its pivot; the search is confined to the time that the ball's flight
//! spends there. A ball at rest is looked at for one period. What remains (a turning line without end, say) stops
//! after a number of steps with [`Impact::ClearUntil`].
//!
//! # Swings
//!
//! A swing is a rotation within each of its strokes, and is searched as one there; where it stands it is a body at
//! rest. The end of a stroke is a corner in time, and the answer there is [`Impact::ClearUntil`] ([`on_stroke`]).

use super::{Approach, Impact, MovingBall, Target, TargetMotion};
use crate::impact::Strikable;
use crate::motion::{Drive, Flight, Pose, Stroke};
use crate::roots::certified::{self, Look, Sample, Search};
use crate::roots::{Dd, Polynomial};
use crate::shape::{Closest, Obstacle, Shape, Shaped};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};
use std::f64::consts::TAU;

/// Looks at most this many times before it answers with what is certain so far.
pub(super) const BUDGET: usize = 10_000;

/// A ball on its way, as far as the bounds have to know it.
pub(super) trait Trajectory<S: Space> {
    /// m.
    fn radius(&self) -> f64;

    /// Of the centre, m.
    fn position_at(&self, t: f64) -> S::Vector;

    /// Of the centre, m/s.
    fn velocity_at(&self, t: f64) -> S::Vector;

    /// Of the surface about the centre, m/s.
    fn surface_speed_at(&self, t: f64) -> f64;

    /// For how long from `t` it may be asked about, s.
    fn span_from(&self, t: f64) -> f64;

    /// No acceleration in `[t, t + span]` is larger, m/s².
    fn acceleration_over(&self, t: f64, span: f64) -> f64;

    /// The size of the numbers that the place is computed from, m.
    fn size_at(&self, t: f64) -> f64;
}

impl<S: Space> Trajectory<S> for MovingBall<S> {
    fn radius(&self) -> f64 {
        self.radius
    }

    fn position_at(&self, t: f64) -> S::Vector {
        self.flight.position_at(t)
    }

    fn velocity_at(&self, t: f64) -> S::Vector {
        self.flight.velocity_at(t)
    }

    fn surface_speed_at(&self, _: f64) -> f64 {
        self.surface_speed
    }

    fn span_from(&self, _: f64) -> f64 {
        f64::INFINITY
    }

    fn acceleration_over(&self, _: f64, _: f64) -> f64 {
        self.flight.acceleration.length()
    }

    fn size_at(&self, t: f64) -> f64 {
        self.flight.position_at(t).length()
    }
}

/// A prescribed motion without corners, from local time 0 on.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrivenMotion<'a, S: Space> {
    pub drive: &'a Drive<S>,
    /// The pose at the drive's time 0.
    pub start: &'a Pose<S>,
    /// The drive's time at local time 0, s.
    pub now: f64,
    /// World time at the drive's time 0, s. Only what rounding does depends on it.
    pub since: f64,
}

/// The answer of `turning` within a stroke of a swing, or that of `standing` (a pose, until when) where it stands; the
/// end of the stroke is a corner in time. `now` is world time at local time 0.
pub(super) fn on_stroke<S: Space>(
    stroke: &Stroke<S>,
    now: f64,
    horizon: f64,
    standing: impl FnOnce(&Pose<S>, f64) -> Impact,
    turning: impl FnOnce(&DrivenMotion<S>, f64) -> Impact,
) -> Impact {
    let valid = stroke.until - now;
    let until = if valid < horizon { valid } else { horizon };
    let found = match stroke.rotation() {
        None => standing(&stroke.pose, until),
        Some(rotation) => {
            let motion = DrivenMotion {
                drive: &rotation,
                start: &stroke.pose,
                now: now - stroke.since,
                since: stroke.since,
            };
            turning(&motion, until)
        }
    };
    match found {
        Impact::Never if valid < horizon => Impact::ClearUntil(valid),
        found => found,
    }
}

/// A target and its prescribed motion, with what the bounds need.
pub(super) struct Kinematic<'a, S: Shaped, W> {
    ball: &'a W,
    pub(super) shape: &'a Shape<S>,
    drive: &'a Drive<S>,
    pub(super) start: &'a Pose<S>,
    now: f64,
    since: f64,
    /// The point that the target stays near: the pivot, or the middle of the oscillation.
    pub(super) centre: S::Vector,
    /// Angular velocity or 2π × frequency, rad/s.
    rate: f64,
    /// How far from the centre the shape's frame can get, m.
    pub(super) excursion: f64,
    pub(super) turns: bool,
}

/// The first contact in `[0, horizon)`.
pub(super) fn first_contact<S: Strikable>(
    ball: &MovingBall<S>,
    shape: &Shape<S>,
    motion: &DrivenMotion<S>,
    horizon: f64,
) -> Impact {
    match Kinematic::new(ball, shape, motion) {
        Ok(kinematic) => kinematic.search(horizon),
        Err(standing) => super::first_contact(ball, &standing, horizon),
    }
}

/// The first clearance in `[0, horizon)` of a ball that overlaps the target.
pub(super) fn first_clearance<S: Strikable>(
    ball: &MovingBall<S>,
    shape: &Shape<S>,
    motion: &DrivenMotion<S>,
    horizon: f64,
) -> Impact {
    match Kinematic::new(ball, shape, motion) {
        Ok(kinematic) => kinematic.search_clearance(horizon),
        Err(standing) => super::first_clearance(ball, &standing, horizon),
    }
}

/// A target that is round about the axis it turns about does not change its place.
fn standing_still<'a, S: Shaped>(
    ball: &impl Trajectory<S>,
    shape: &'a Shape<S>,
    angular_velocity: S::Angular,
    start: &'a Pose<S>,
) -> Target<'a, S> {
    let reach = shape.reach();
    let surface_speed = if reach.is_finite() {
        angular_velocity.length() * reach
    } else {
        let place = shape.closest(start.to_local(ball.position_at(0.0))).point;
        S::surface_velocity(angular_velocity, S::rotate(start.rotation, place)).length()
    };
    Target {
        shape,
        course: TargetMotion::Flight {
            flight: Flight::rest(start.position),
            rotation: start.rotation,
        },
        surface_speed,
    }
}

impl<S: Shaped> Kinematic<'_, S, MovingBall<S>> {
    fn search(&self, horizon: f64) -> Impact {
        let flight = &self.ball.flight;
        let resting = flight.velocity == S::Vector::ZERO && flight.acceleration == S::Vector::ZERO;
        let end = if resting && self.rate > 0.0 {
            horizon.min(1.01 * TAU / self.rate)
        } else {
            horizon
        };
        for (from, to) in self.windows(end) {
            match certified::advance(from, to.min(end), BUDGET, |t| self.look_in(t)) {
                Search::At(time) => return Impact::within(time, horizon),
                Search::StoppedAt(time) => return Impact::ClearUntil(time),
                Search::Nothing => {}
            }
        }
        Impact::Never
    }

    /// The times, in order, outside of which the ball is too far away.
    fn windows(&self, end: f64) -> Vec<(f64, f64)> {
        let pose = Flight::rest(self.centre);
        // A billionth more than needed, so that rounding cannot hide an entry.
        let margin = 1.0 + 1e-9;
        let nearby = match self.shape {
            Shape::HalfSpace(wall) if !self.turns => {
                let approach = Approach::new(self.ball, &pose, self.start.rotation, 0.0);
                let height = approach.path().along(S::components(wall.normal));
                let reach = Dd::from((self.ball.radius + self.excursion) * margin);
                if wall.two_sided {
                    height * height - Polynomial::constant(reach * reach)
                } else {
                    height - Polynomial::constant(reach)
                }
            }
            shape if shape.reach().is_finite() => {
                let approach = Approach::new(self.ball, &pose, S::no_rotation(), 0.0);
                let reach = Dd::from((self.ball.radius + self.excursion + shape.reach()) * margin);
                approach.path().squared() - Polynomial::constant(reach * reach)
            }
            _ => return vec![(0.0, end)],
        };
        let mut entries = Vec::new();
        if nearby.value(0.0) <= 0.0 {
            entries.push(0.0);
        }
        nearby.closings(end, |closing| entries.push(closing.time));
        let mut exits = Vec::new();
        (nearby * Dd::from(-1.0)).closings(end, |closing| exits.push(closing.time));
        entries.dedup();
        let exit_after = |entry: f64| {
            exits
                .iter()
                .copied()
                .find(|&exit| exit > entry)
                .unwrap_or(end)
        };
        entries
            .iter()
            .map(|&entry| (entry, exit_after(entry)))
            .collect()
    }
}

impl<'a, S: Shaped, W: Trajectory<S>> Kinematic<'a, S, W> {
    /// The target on its motion; or, where that does not move it, as it stands.
    pub(super) fn new(
        ball: &'a W,
        shape: &'a Shape<S>,
        motion: &DrivenMotion<'a, S>,
    ) -> Result<Self, Target<'a, S>> {
        let &DrivenMotion {
            drive,
            start,
            now,
            since,
        } = motion;
        match drive {
            Drive::Rotation {
                pivot,
                angular_velocity,
            } => {
                let excursion = (start.position - *pivot).length();
                if angular_velocity.length() == 0.0
                    || shape.turns_into_itself(start, *pivot, *angular_velocity)
                {
                    return Err(standing_still(ball, shape, *angular_velocity, start));
                }
                Ok(Kinematic {
                    ball,
                    shape,
                    drive,
                    start,
                    now,
                    since,
                    centre: *pivot,
                    rate: angular_velocity.length(),
                    excursion,
                    turns: true,
                })
            }
            Drive::Oscillation {
                amplitude,
                frequency,
                ..
            } => {
                let excursion = match shape {
                    // Along itself a straight wall can move as it likes.
                    Shape::HalfSpace(wall) => {
                        S::rotate(start.rotation, wall.normal).dot(*amplitude).abs()
                    }
                    _ => amplitude.length(),
                };
                Ok(Kinematic {
                    ball,
                    shape,
                    drive,
                    start,
                    now,
                    since,
                    centre: start.position,
                    rate: TAU * frequency,
                    excursion,
                    turns: false,
                })
            }
            Drive::Uniform { .. } | Drive::Path { .. } | Drive::Swing { .. } => {
                unreachable!("these are flights, or made of rotations")
            }
        }
    }

    /// The search for the end of an overlap, of `r − dist(y)` in place of the gap.
    ///
    /// With p the place on the surface that is nearest now, `dist(y) ≤ |y − p|` holds at all times, for shapes of any
    /// kind, with equal values and rates now; and |y − p| curves upwards by at most `|y′|²/|y − p|`. That is the bound
    /// as long as the ball's centre is outside the shape by a good part of its radius; deeper inside, the distance
    /// changes no faster than y does.
    pub(super) fn search_clearance(&self, horizon: f64) -> Impact {
        let first = self.look(0.0);
        if first.branches[0].is_some_and(|gap| gap.value > first.tolerance) {
            return Impact::within(0.0, horizon);
        }
        match certified::advance(0.0, horizon, BUDGET, |t| self.look_out(t)) {
            Search::At(time) => Impact::within(time, horizon),
            Search::StoppedAt(time) => Impact::ClearUntil(time),
            Search::Nothing => Impact::Never,
        }
    }

    fn look_out(&self, t: f64) -> Look {
        let look = self.look(t);
        let Some(gap) = look.branches[0] else {
            return look;
        };
        let span = look.span.min(0.5 / self.rate);
        let acceleration = self.ball.acceleration_over(t, span);
        let speed = self.ball.velocity_at(t).length() + acceleration * span;
        let from_centre = (self.ball.position_at(t) - self.centre).length();
        let carried = if self.turns {
            from_centre + speed * span
        } else {
            self.excursion
        };
        let frame_speed = speed + self.rate * carried;
        let distance = gap.value + self.ball.radius();
        let (slope, span, bend) = if distance > 0.5 * self.ball.radius() {
            (
                -gap.slope,
                span.min(0.5 * distance / frame_speed),
                look.bend + 2.0 * frame_speed * frame_speed / distance,
            )
        } else {
            (-frame_speed, span, 0.0)
        };
        let out = Sample {
            value: -gap.value,
            slope,
        };
        Look {
            branches: [Some(out), None, None],
            span,
            bend,
            ..look
        }
    }

    pub(super) fn look(&self, t: f64) -> Look {
        let time = self.now + t;
        let state = self.drive.state_at(self.start, time);
        let position = self.ball.position_at(t);
        let velocity = self.ball.velocity_at(t);
        let local = state.pose.to_local(position);
        let closest = self.shape.closest(local);
        let from_centre = (position - self.centre).length();
        let (span, bend) = self.bend(t, from_centre, local);
        let sample = |closest: &Closest<S>| {
            let normal = S::rotate(state.pose.rotation, closest.normal);
            let carried = state.velocity
                + S::surface_velocity(state.angular_velocity, position - state.pose.position);
            Sample {
                value: closest.distance - self.ball.radius(),
                slope: normal.dot(velocity - carried),
            }
        };
        let [first, second] = self.shape.rivals(local);
        let place = state.pose.to_world(closest.point) - state.pose.position;
        let contact_speed =
            (state.velocity + S::surface_velocity(state.angular_velocity, place)).length();
        // What the angle's own rounding, u times the angle, does at the distance that it carries around.
        let carried = self.excursion + if self.turns { place.length() } else { 0.0 };
        let blur = self.rate * (time.abs() + self.since.abs()) * carried;
        let size = self.ball.size_at(t)
            + state.pose.position.length()
            + self.centre.length()
            + from_centre
            + self.ball.radius()
            + blur;
        Look {
            branches: [
                Some(sample(&closest)),
                first.as_ref().map(sample),
                second.as_ref().map(sample),
            ],
            tolerance: 16.0 * UNIT_ROUNDOFF * size,
            floor: 16.0
                * UNIT_ROUNDOFF
                * (velocity.length() + self.ball.surface_speed_at(t) + contact_speed),
            span,
            bend,
        }
    }

    /// The same where a ball next to a centre of curvature is far from the surface about it. There the bend is without
    /// bounds, but the gap changes no faster than the ball moves in the target's frame.
    pub(super) fn look_in(&self, t: f64) -> Look {
        let mut look = self.look(t);
        let position = self.ball.position_at(t);
        let pose = self.drive.state_at(self.start, self.now + t).pose;
        let local = pose.to_local(position);
        let (Some(centre), Some(gap)) = (self.shape.hollow_centre(local), look.branches[0]) else {
            return look;
        };
        let distance = (local - centre).length();
        if gap.value > look.tolerance && distance < 0.125 * gap.value {
            let (span, speed, _) = self.frame_motion(t, (position - self.centre).length());
            for branch in look.branches.iter_mut().flatten() {
                branch.slope = -speed;
            }
            (look.span, look.bend) = (span, 0.0);
        }
        look
    }

    /// For how long from `t`, and by how much, the gap can bend downwards.
    fn bend(&self, t: f64, from_centre: f64, local: S::Vector) -> (f64, f64) {
        let (mut span, frame_speed, mut bend) = self.frame_motion(t, from_centre);
        if let Some(hollow) = self.shape.hollow_centre(local) {
            let distance = (local - hollow).length();
            span = span.min(0.5 * distance / frame_speed);
            bend += 2.0 * frame_speed * frame_speed / distance;
        }
        (span, bend)
    }

    /// A span from `t` on, and the largest speed and acceleration of the ball in the target's frame within it.
    fn frame_motion(&self, t: f64, from_centre: f64) -> (f64, f64, f64) {
        // Half a radian at a time: over longer spans the bounds on distance and speed grow faster than they serve.
        let span = (0.5 / self.rate).min(self.ball.span_from(t));
        let acceleration = self.ball.acceleration_over(t, span);
        let speed = self.ball.velocity_at(t).length() + acceleration * span;
        let (frame_speed, bend) = if self.turns {
            let frame_speed = speed + self.rate * (from_centre + speed * span);
            (
                frame_speed,
                acceleration + self.rate * (speed + frame_speed),
            )
        } else {
            (
                speed + self.rate * self.excursion,
                acceleration + self.rate * self.rate * self.excursion,
            )
        };
        (span, frame_speed, bend)
    }
}
