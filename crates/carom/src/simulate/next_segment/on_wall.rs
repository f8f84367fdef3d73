//! The way of a ball on one wall: in closed form where it is flat, otherwise by the integrator.

use super::NextSegment;
use crate::body::Kind;
use crate::impact::Strikable;
use crate::motion::{
    Border, Departure, Flight, FlightError, Integrator, Rates, Sides, Tolerance, TrajectorySegment,
    next_segment, sides_at,
};
use crate::record::Regime;
use crate::shape::{Bending, Obstacle, Shaped};
use crate::simulate::bodies::Bodies;
use crate::simulate::support::sliding::{
    CURVED, INSTANT, NEARLY, SPENT, at_its_end, first_fall, is_untold,
};
use crate::simulate::support::{Standing, Stretch, Turn};
use crate::simulate::trajectories::{Intent, Next, Support};
use crate::space::Linear;

/// A ball on a wall, as the integrator asks for it.
struct Gliding<'a, S: Shaped> {
    stage: &'a Bodies<S>,
    slot: usize,
    index: u32,
    regime: Regime,
    /// Which way it slips or rolls at the start.
    heading: S::Vector,
    /// On which sides of the borders of fields this trajectory segment is.
    sides: Sides,
}

impl<S: Strikable> Gliding<'_, S> {
    fn standing(&self, at: &Departure<S>) -> Option<Standing<S>> {
        let sides = Some(self.sides);
        self.stage.standing_beside(self.slot, self.index, at, sides)
    }

    /// The latest end of the next piece, and when what is being used up would be gone at the soonest, s, and what that
    /// would be; otherwise what has come to its end at once.
    ///
    /// In 3-D a slip or a way that comes to its end has no heading there: go near it in ever shorter steps.
    fn nearing(
        &self,
        tidied: &Standing<S>,
        start: &Departure<S>,
        since: f64,
    ) -> Result<(f64, (f64, Turn)), Turn> {
        let regime = self.regime;
        let (measure, fastest, turn) = tidied.spending(regime);
        let mut latest = f64::INFINITY;
        let mut soonest = (f64::INFINITY, turn);
        if S::DIMENSION == 3 && regime != Regime::Spinning {
            // Neither has the spin about the normal, against which the resistance jumps there.
            let pivoting = tidied.pivoting().length();
            let falling = tidied.pivot_slowing();
            if pivoting > 0.0 && falling > 0.0 {
                if pivoting <= INSTANT * falling || is_untold(since, pivoting, falling) {
                    return Err(Turn::SpunDown);
                }
                latest = NEARLY * pivoting / falling;
                soonest = (pivoting / falling, Turn::SpunDown);
            }
        }
        if S::DIMENSION == 3 && fastest > 0.0 && measure > 0.0 {
            let scale = tidied.velocity.length() + tidied.wall_velocity.length();
            if measure <= SPENT * scale {
                return Err(turn);
            }
            // As fast as it is being used up now; where it grows, there is nothing to go near.
            let (push, twist) = self.rates(
                start.time,
                start.position,
                start.velocity,
                start.angular_velocity,
            );
            let way = tidied.tangential(push - tidied.wall_acceleration);
            let change = match regime {
                Regime::Sliding => way - S::surface_velocity(twist, tidied.normal) * tidied.radius,
                _ => way,
            };
            let slowing = match regime {
                Regime::Spinning => fastest,
                _ => -change.dot(self.heading),
            };
            if is_untold(since, measure, slowing) {
                return Err(turn);
            }
            if slowing > 0.0 {
                latest = latest.min(NEARLY * measure / slowing);
                if measure / slowing < soonest.0 {
                    soonest = (measure / slowing, turn);
                }
            }
        }
        Ok((latest, soonest))
    }

    /// When, on a piece of a way, the ball lifts off or its regime changes first, and how it goes on from there.
    fn first_turn(
        &self,
        tidied: &Standing<S>,
        start: &Departure<S>,
        segment: &TrajectorySegment<S>,
    ) -> (f64, Turn) {
        let regime = self.regime;
        let (_, fastest, turn) = tidied.spending(regime);
        let mut turn_at_end = Turn::GoesOn;
        let at = |t: f64| self.standing(&start.after(segment, t));
        let pressing = |t: f64| at(t).map_or(-1.0, |standing| standing.pressing());
        let mut end = segment.end;
        let mut found = |time: Option<f64>, turn: Turn| {
            if let Some(time) = time.filter(|&time| time < end) {
                end = time;
                turn_at_end = turn;
            }
        };
        found(first_fall(segment.end, pressing), Turn::Lifts);
        if S::DIMENSION == 2 && fastest > 0.0 {
            let heading = self.heading;
            let left = |t: f64| at(t).map_or(-1.0, |standing| standing.left(regime, heading));
            found(first_fall(segment.end, left), turn);
        }
        if regime == Regime::Rolling {
            let grip = |t: f64| at(t).map_or(-1.0, |standing| standing.grip());
            found(first_fall(segment.end, grip), Turn::GoesOn);
        }
        (end, turn_at_end)
    }
}

impl<S: Strikable> Rates<S> for Gliding<'_, S> {
    fn rates(
        &self,
        time: f64,
        position: S::Vector,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> (S::Vector, S::Angular) {
        let sides = Sides::of(self.borders(), position);
        self.rates_beside(sides, time, position, velocity, angular_velocity)
    }

    fn borders(&self) -> &[Border<S>] {
        self.stage.fields.borders()
    }

    fn rates_beside(
        &self,
        sides: Sides,
        time: f64,
        position: S::Vector,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> (S::Vector, S::Angular) {
        let at = Departure {
            time,
            position,
            velocity,
            angular_velocity,
        };
        let standing = (self.stage).standing_beside(self.slot, self.index, &at, Some(sides));
        match standing {
            Some(standing) => {
                let turning = self.stage.turning(self.index, &at, &standing);
                // In 2-D it keeps its heading through zero, so that the instant can be found from both sides.
                let heading = (S::DIMENSION == 2)
                    .then(|| standing.tangential(self.heading).unit())
                    .flatten();
                standing.rates(self.regime, turning, heading)
            }
            None => (S::vector([f64::NAN; 3]), S::Angular::ZERO),
        }
    }

    fn next_jump(&self, time: f64) -> f64 {
        self.stage.fields.next_jump(time)
    }
}

impl<S: Strikable> Bodies<S> {
    /// The way on a wall; `None` where the ball does not stay on it.
    pub(super) fn segment_on(
        &self,
        slot: usize,
        index: u32,
        settles: f64,
    ) -> Result<Option<NextSegment<S>>, FlightError> {
        let since = self.balls.hot[slot].since;
        let start = self.start(slot);
        let Some(standing) = self.standing_at(slot, index, &start) else {
            return Ok(None);
        };
        let across = (standing.normal).dot(standing.velocity - standing.wall_velocity);
        if !(standing.pressing() > 0.0 && across.abs() <= self.least_hop(&standing)) {
            return Ok(None);
        }
        let turns = standing.wall_acceleration != S::Vector::ZERO;
        let simple =
            self.fields.is_uniform() && !turns && self.bending(index, &start) == Bending::Flat;
        let (stretch, hint) = match standing.on_flat().filter(|_| simple) {
            Some(stretch) => (stretch, 0.0),
            None => self.segment_along(slot, index, &standing)?,
        };
        let Stretch {
            regime,
            mut segment,
            turn,
        } = stretch;
        let mut next = match turn {
            // Nothing presses it on any more.
            Turn::Lifts => Next::LetsGo,
            turn => Next::Turn(turn),
        };
        if let Some(end) = self.end_of_feature(slot, index, &segment) {
            segment.end = end;
            next = Next::LetsGo;
        }
        // Where a path has a corner, the wall goes on at another velocity.
        let body = &self.fixtures[index as usize].body;
        if let Kind::Kinematic(drive) = &body.kind
            && let Some((_, knot)) = drive.flight_at(&body.pose, start.time)
            && knot - start.time < segment.end
        {
            segment.end = knot - start.time;
            next = Next::Turn(Turn::GoesOn);
        }
        if settles > since && settles - since < segment.end {
            segment.end = settles - since;
            next = Next::Settles;
        }
        let support = Support {
            on: Some(index),
            also: None,
            third: None,
            regime,
            next,
            settles,
            intent: Intent::Stay,
            asleep: false,
        };
        Ok(Some((segment, support, hint)))
    }

    /// The way on a curved wall, on a slope in 3-D, or where more than gravity acts: by the integrator.
    fn segment_along(
        &self,
        slot: usize,
        index: u32,
        standing: &Standing<S>,
    ) -> Result<(Stretch<S>, f64), FlightError> {
        let regime = standing.regime();
        let fixture = &self.fixtures[index as usize];
        let time = self.epoch + self.balls.hot[slot].since;
        let state = fixture.state_at(time);
        let tidied = standing.tidied(regime);
        // Back onto the wall, by as much as the last piece was off it.
        let closest = fixture
            .body
            .shape
            .closest(state.pose.to_local(tidied.place));
        let start = Departure {
            time,
            position: tidied.place + tidied.normal * (tidied.radius - closest.distance),
            velocity: tidied.velocity,
            angular_velocity: tidied.angular_velocity,
        };
        let still = |turn: Turn, end: f64| Stretch {
            regime,
            segment: TrajectorySegment {
                end,
                ..TrajectorySegment::of_flight(
                    &Flight::straight(start.position, start.velocity),
                    start.angular_velocity,
                )
            },
            turn,
        };
        let mut gliding = Gliding {
            stage: self,
            slot,
            index,
            regime,
            heading: tidied.heading(regime),
            sides: Sides::of(self.fields.borders(), start.position),
        };
        if regime == Regime::Resting {
            // What keeps it there may change with the fields.
            let end = self.fields.next_jump(time) - time;
            return Ok((still(Turn::GoesOn, end), 0.0));
        }
        let since = self.balls.hot[slot].since;
        let (latest, soonest) = match gliding.nearing(&tidied, &start, since) {
            Ok(times) => times,
            Err(turn) => return Ok((still(turn, f64::MIN_POSITIVE), 0.0)),
        };
        let tolerance = Tolerance::of(CURVED);
        if !self.fields.borders().is_empty() {
            gliding.sides = sides_at(&gliding, &start, &tolerance)?;
        }
        let tolerance = Integrator::Adaptive(tolerance);
        let (mut segment, hint) = match next_segment(&gliding, &start, &tolerance, 0.0, latest) {
            Ok(next) => next,
            Err(error) => {
                at_its_end(&start, soonest.0, error)?;
                return Ok((still(soonest.1, f64::MIN_POSITIVE), 0.0));
            }
        };
        let (end, turn) = gliding.first_turn(&tidied, &start, &segment);
        segment.end = end;
        let stretch = Stretch {
            regime,
            segment,
            turn,
        };
        Ok((stretch, hint))
    }
}
