//! The way of a ball on one wall: in closed form where it is flat, otherwise by the integrator.

use super::NextSegment;
use super::led::led_segment;
use super::standing_on::Ground;
use crate::impact::Strikable;
use crate::motion::{
    Border, Departure, Flight, FlightError, Integrator, Rates, Sides, Tolerance, TrajectorySegment,
    next_segment, sides_at,
};
use crate::record::Regime;
use crate::shape::{Bending, Footing, Obstacle, Shaped};
use crate::simulate::bodies::Bodies;
use crate::simulate::fixture::next_knot;
use crate::simulate::support::sliding::{CURVED, at_its_end, first_fall_after_rise, nearing};
use crate::simulate::support::{Mode, Pivoting, Standing, Stretch, Turn};
use crate::simulate::trajectories::{Intent, Next, Support};
use crate::space::Linear;

/// How often it is looked whether a force that changes with time still leaves a ball at rest, s, and how many looks
/// make a segment: fine enough for what people see, so coarse that it costs nothing.
const BETWEEN_LOOKS: f64 = 1.0 / 256.0;
const LOOKS: u32 = 16;

/// A ball on a wall, as the integrator asks for it.
pub(super) struct Gliding<'a, S: Shaped> {
    stage: &'a Bodies<S>,
    slot: usize,
    index: u32,
    /// The feature that it is on.
    ground: Ground<S>,
    /// What acts all along the piece.
    pub mode: Mode<S>,
    /// On which sides of the borders of fields this trajectory segment is.
    pub sides: Sides,
}

/// Where the tolerance cannot be kept, since rounding of slips that are all but zero turns their headings, pieces are
/// made within these, m, m/s and relative.
const COARSER: [f64; 4] = [1e-12, 1e-11, 1e-10, 1e-9];

/// A piece whose heading follows at once (`led.rs`) is tried with this length, in units of √(r/a).
const LED: f64 = 0.1;

/// How often its slip could be made on such a piece by what pulls at it: then its heading follows that.
const STIFF: f64 = 8.0;

/// And has come to it already, by this cosine.
const DRAWN: f64 = 0.99;

/// When a regime that rounding may have chosen is looked at, as a share of the piece.
const EARLY: f64 = 1.0 / 64.0;

impl<S: Strikable> Gliding<'_, S> {
    pub fn standing(&self, at: &Departure<S>) -> Option<Standing<S>> {
        let sides = Some(self.sides);
        (self.stage).standing_beside(self.slot, self.index, at, sides, &self.ground)
    }

    /// The rates in a mode, beside borders.
    pub fn rates_in(
        &self,
        mode: &Mode<S>,
        sides: Sides,
        at: &Departure<S>,
    ) -> (S::Vector, S::Angular) {
        let (slot, index) = (self.slot, self.index);
        match (self.stage).standing_beside(slot, index, at, Some(sides), &self.ground) {
            Some(standing) => standing.rates(mode),
            None => (S::vector([f64::NAN; 3]), S::Angular::ZERO),
        }
    }

    /// When, on a piece of a way, the ball lifts off or its regime changes first, and how it goes on from there.
    fn first_turn(&self, start: &Departure<S>, segment: &TrajectorySegment<S>) -> (f64, Turn) {
        let mode = &self.mode;
        let mut turn_at_end = Turn::GoesOn;
        let at = |t: f64| self.standing(&start.after(segment, t));
        let mut end = segment.end;
        let mut look = |value: &dyn Fn(&Standing<S>) -> f64, turn: Turn| {
            let value = |t: f64| at(t).map_or(-1.0, |standing| value(&standing));
            if let Some(time) = first_fall_after_rise(segment.end, value).filter(|&time| time < end)
            {
                end = time;
                turn_at_end = turn;
            }
        };
        look(&|standing| standing.clinging(), Turn::Lifts);
        if S::DIMENSION == 2
            && let Some((.., turn)) = at(0.0).and_then(|standing| standing.spending(mode))
        {
            look(&|standing| standing.left(mode), turn);
        }
        if mode.regime != Regime::Sliding {
            look(&|standing| standing.lasting(mode), Turn::GoesOn);
        }
        if mode.pivot != Pivoting::Against(0.0) {
            look(&|standing| standing.pivot_left(mode), mode.pivot_turn());
        }
        (end, turn_at_end)
    }

    /// A piece, cut off where its mode ends, with a hint; and whether it begins well.
    fn stretch(
        &self,
        start: &Departure<S>,
        mut segment: TrajectorySegment<S>,
        hint: f64,
    ) -> ((Stretch<S>, f64), bool) {
        let well = self.begins_well(start, &segment);
        let (end, turn) = self.first_turn(start, &segment);
        segment.end = end;
        let stretch = Stretch {
            regime: self.mode.regime,
            segment,
            turn,
        };
        ((stretch, hint), well)
    }

    /// Whether a piece begins with what its mode stands for: where rounding may have decided on the regime, the rates
    /// of change do.
    fn begins_well(&self, start: &Departure<S>, segment: &TrajectorySegment<S>) -> bool {
        let mode = &self.mode;
        let value = |t: f64| {
            let standing = self.standing(&start.after(segment, t))?;
            Some(match mode.regime {
                Regime::Sliding => standing.left(mode),
                _ => standing.lasting(mode),
            })
        };
        let (now, soon) = (value(0.0), value(EARLY * segment.end));
        match (now, soon) {
            (Some(now), Some(soon)) => soon >= 0.0 || soon >= now,
            _ => false,
        }
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
        self.rates_in(&self.mode, sides, &at)
    }

    fn next_jump(&self, time: f64) -> f64 {
        let knot = next_knot(&self.stage.fixtures[self.index as usize].body, time);
        self.stage.rates_of(self.slot).next_jump(time).min(knot)
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
        let simple = self.is_pulled_steadily(slot)
            && self.is_steady(index)
            && self.bending(index, &start) == Bending::Flat;
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
            // On the next one, where that holds it; never without time going on.
            segment.end = end.max(4.0 * f64::EPSILON * since.abs());
            next = Next::Turn(Turn::GoesOn);
        }
        // Where a path or a swing has a corner, the wall goes on at another velocity.
        // What seems to happen there, to rounding, is that.
        let knot = next_knot(&self.fixtures[index as usize].body, start.time);
        let blur = 8.0 * f64::EPSILON * knot.abs();
        if knot.is_finite() && knot - start.time <= segment.end + blur {
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
            island: None,
        };
        Ok(Some((segment, support, hint)))
    }

    /// When a ball at rest on which a force acts that changes with time is not held any more, s from now, or when to
    /// look again. A force that moves it and ceases again between two looks goes unnoticed.
    fn first_stir(&self, slot: usize, index: u32, start: &Departure<S>) -> f64 {
        let rests = |after: f64| {
            let at = Departure {
                time: start.time + after,
                ..*start
            };
            let standing = self.standing_at(slot, index, &at);
            standing.is_some_and(|it| it.pressing() > 0.0 && it.regime() == Regime::Resting)
        };
        let look = |number: u32| f64::from(number) * BETWEEN_LOOKS;
        let Some(number) = (1..=LOOKS).find(|&number| !rests(look(number))) else {
            return look(LOOKS);
        };
        let [mut before, mut after] = [look(number - 1), look(number)];
        // As many halvings as a number has digits.
        for _ in 0..53 {
            let middle = 0.5 * (before + after);
            *(if rests(middle) {
                &mut before
            } else {
                &mut after
            }) = middle;
        }
        after
    }

    /// The way on a curved wall, on a slope in 3-D, on one that turns or is shaken, or where more than gravity acts: by
    /// the integrator.
    ///
    /// At the border between two regimes rounding would choose: there the calmer one is taken if it holds at once.
    fn segment_along(
        &self,
        slot: usize,
        index: u32,
        standing: &Standing<S>,
    ) -> Result<(Stretch<S>, f64), FlightError> {
        let regime = standing.regime();
        let (calm, lively) = match (standing.calmer(regime), standing.livelier(regime)) {
            (Some(calm), _) => (calm, regime),
            (None, Some(lively)) => (regime, lively),
            (None, None) => return Ok(self.segment_in(slot, index, standing, regime)?.0),
        };
        let (calm, holds) = self.segment_in(slot, index, standing, calm)?;
        if holds {
            return Ok(calm);
        }
        let (lively, moves) = self.segment_in(slot, index, standing, lively)?;
        Ok(if moves { lively } else { calm })
    }

    /// For how long what keeps a ball at rest on a wall stays as it is, s: it may change with the fields, or with what
    /// acts on this ball alone.
    fn rest_lasts(&self, slot: usize, index: u32, start: &Departure<S>) -> f64 {
        let end = self.rates_of(slot).next_jump(start.time) - start.time;
        if self.load(slot).is_some_and(|load| !load.is_constant()) {
            self.first_stir(slot, index, start).min(end)
        } else {
            end
        }
    }

    /// The same in one regime, and whether that holds at once. Longer than most: a case for each regime.
    fn segment_in(
        &self,
        slot: usize,
        index: u32,
        standing: &Standing<S>,
        regime: Regime,
    ) -> Result<((Stretch<S>, f64), bool), FlightError> {
        let fixture = &self.fixtures[index as usize];
        let since = self.balls.hot[slot].since;
        let time = self.epoch + since;
        let state = fixture.state_at(time);
        let tidied = standing.tidied(regime);
        // Back onto the wall, by as much as the last piece was off it.
        let local = state.pose.to_local(tidied.place);
        let closest = fixture.body.shape.closest(local);
        let start = Departure {
            time,
            position: tidied.place + tidied.normal * (tidied.radius - closest.distance),
            velocity: tidied.velocity,
            angular_velocity: tidied.angular_velocity,
        };
        let still = |turn: Turn, end: f64| {
            let flight = Flight::straight(start.position, start.velocity);
            let segment = TrajectorySegment {
                end,
                ..TrajectorySegment::of_flight(&flight, start.angular_velocity)
            };
            let stretch = Stretch {
                regime,
                segment,
                turn,
            };
            ((stretch, 0.0), true)
        };
        if regime == Regime::Resting && self.is_steady(index) {
            return Ok(still(Turn::GoesOn, self.rest_lasts(slot, index, &start)));
        }
        let mut ground = Ground {
            bending: fixture.body.shape.bending(local),
            closest,
        };
        // What rounding leaves at the end of a feature may be on either side of it; the end is looked for on the piece.
        let (shape, place) = (&fixture.body.shape, state.pose.to_local(start.position));
        if shape.feature(place) != shape.feature(local) {
            ground = Ground {
                bending: shape.bending(place),
                closest: shape.closest(place),
            };
        }
        let mut gliding = Gliding {
            stage: self,
            slot,
            index,
            ground,
            mode: tidied.mode(regime),
            sides: Sides::of(self.fields.borders(), start.position),
        };
        let (latest, soonest) = match nearing(&tidied, &gliding.mode, since) {
            Ok(times) => times,
            Err(turn) => return Ok(still(turn, f64::MIN_POSITIVE)),
        };
        let tolerance = Tolerance::of(CURVED);
        if !self.fields.borders().is_empty() {
            gliding.sides = sides_at(&gliding, &start, &tolerance)?;
        }
        if let Some((segment, hint)) = led_at_once(&gliding, &tidied, &start, latest)? {
            return Ok(gliding.stretch(&start, segment, hint));
        }
        let try_within = |size: f64| {
            let tolerance = Integrator::Adaptive(Tolerance::of(size));
            next_segment(&gliding, &start, &tolerance, 0.0, latest)
        };
        let mut tried = try_within(CURVED);
        if let Err(error) = &tried
            && at_its_end(&start, soonest.0, error.clone()).is_ok()
        {
            return Ok(still(soonest.1, f64::MIN_POSITIVE));
        }
        for size in COARSER {
            if !matches!(tried, Err(FlightError::StepTooSmall { .. })) {
                break;
            }
            tried = try_within(size);
        }
        let (segment, hint) = tried?;
        Ok(gliding.stretch(&start, segment, hint))
    }
}

/// A segment of at most `latest` (s) where the slip's heading follows what pulls at once, which is no matter for the
/// integrator, and a hint for the length of the next, s; `None` where it does not.
fn led_at_once<S: Strikable>(
    gliding: &Gliding<'_, S>,
    standing: &Standing<S>,
    start: &Departure<S>,
    latest: f64,
) -> Result<Option<(TrajectorySegment<S>, f64)>, FlightError> {
    if S::DIMENSION != 3 || standing.spending(&gliding.mode).is_none() {
        return Ok(None);
    }
    let natural =
        LED * (standing.radius / standing.gravity.length().max(standing.pressing())).sqrt();
    let longest = natural.min(latest);
    let (pull, heading) = (standing.pulling(&gliding.mode), gliding.mode.heading);
    let measure = standing.moving(&gliding.mode).length();
    let follows = heading != S::Vector::ZERO
        && pull.length() * longest > STIFF * measure
        && pull.dot(heading) > DRAWN * pull.length();
    if !follows {
        return Ok(None);
    }
    let segment = led_segment(gliding, start, longest)?;
    Ok(segment.map(|segment| (segment, natural)))
}
