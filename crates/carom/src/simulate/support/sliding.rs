//! Trajectories along flat walls that are no parabolas: across the line of fall of a slope in 3-D, and askew along a
//! groove. By the integrator, segment by segment.
//!
//! What rubs against a slip has no direction where the slip comes to its end, and neither has the resistance against a
//! spin. So that is come near in ever shorter segments, each of which uses up nine tenths of what is left, until it is
//! 10⁻¹² of the speeds.

use super::groove::{InGroove, Pivot};
use super::rates::Mode;
use super::standing::{Standing, Stretch, Turn};
use crate::motion::{
    Departure, Flight, FlightError, Integrator, Rates, Tolerance, TrajectorySegment, next_segment,
};
use crate::record::Regime;
use crate::space::{Linear, Space};

/// The local error of ways by the integrator, m, m/s and relative.
pub(crate) const CURVED: f64 = 1e-13;

/// A slip or a way that is less than this share of the speeds has come to its end.
pub(crate) const SPENT: f64 = 1e-12;

/// How much of a slip or of a way one step towards its end uses up.
pub(crate) const NEARLY: f64 = 0.9;

/// A slip that ends within this time has ended, where the integrator finds no step that is short enough, s: heading and
/// friction turn ever faster towards the end of a slip, and what is left of it, some 10⁻⁹ s times an acceleration, is
/// less than rounding has left in it.
const SPLIT_INSTANT: f64 = 1e-9;

/// A ball that slides askew between two walls, as the integrator asks for it.
struct Askewly<S: Space> {
    in_groove: InGroove<S>,
    /// What the resistances against spins about the normals do, all along.
    pivots: [Pivot; 2],
}

impl<S: Space> Askewly<S> {
    fn at(&self, velocity: S::Vector, angular_velocity: S::Angular) -> InGroove<S> {
        InGroove {
            velocity,
            angular_velocity,
            ..self.in_groove
        }
    }
}

impl<S: Space> Rates<S> for Askewly<S> {
    fn rates(
        &self,
        _: f64,
        _: S::Vector,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> (S::Vector, S::Angular) {
        match self
            .at(velocity, angular_velocity)
            .askew_with(Some(&self.pivots))
        {
            Some(askew) => (askew.acceleration, askew.angular_acceleration),
            // Past where one of them pushes: it goes on as if nothing rubbed, and the piece is cut off there.
            None => (
                self.in_groove.along(self.in_groove.gravity),
                S::Angular::ZERO,
            ),
        }
    }

    fn next_jump(&self, _: f64) -> f64 {
        f64::INFINITY
    }
}

/// The way of a ball that slides askew between two walls, from a time (s) on, by the run's clock that reads `since`: as
/// far as one of its slips lasts, and no further than `latest` (s from there). Where one of the walls lets go of it at
/// the end, which.
pub(crate) fn askew<S: Space>(
    in_groove: &InGroove<S>,
    time: f64,
    since: f64,
    latest: f64,
) -> Result<(Stretch<S>, Option<usize>), FlightError> {
    let way = in_groove.way();
    let mut start = Departure {
        time,
        position: in_groove.place,
        velocity: in_groove.wall_velocity + way,
        angular_velocity: in_groove.angular_velocity,
    };
    let stretch = |segment: TrajectorySegment<S>, turn: Turn| Stretch {
        regime: Regime::Sliding,
        segment,
        turn,
    };
    let scale = way.length() + in_groove.angular_velocity.length() * in_groove.radius;
    // A slip that comes to its end has no heading there: go near it in ever shorter steps.
    let (mut latest, mut soonest) = (latest, f64::INFINITY);
    let askew = in_groove.askew();
    let pivots = askew.map_or([Pivot::Against(0.0); 2], |askew| askew.pivots);
    if let Some(askew) = askew {
        start.angular_velocity = askew.tidied;
        for (flank, slip) in in_groove.flanks.iter().zip(askew.slips) {
            let measure = slip.length();
            let turning =
                S::surface_velocity(askew.angular_acceleration, flank.normal) * in_groove.radius;
            let slowing = -(askew.acceleration - turning).dot(slip) / measure;
            if measure <= SPENT * scale || is_untold(since, measure, slowing) {
                return Ok((stretch(at_once(&start), Turn::Grips), None));
            }
            if slowing > 0.0 {
                soonest = soonest.min(measure / slowing);
                latest = latest.min(NEARLY * measure / slowing);
            }
        }
    }
    let tolerance = Integrator::Adaptive(Tolerance::of(CURVED));
    let sliding = Askewly {
        in_groove: *in_groove,
        pivots,
    };
    let mut segment = match next_segment(&sliding, &start, &tolerance, 0.0, latest) {
        Ok((segment, _)) => segment,
        Err(error) => {
            let segment = at_its_end(&start, soonest, error)?;
            return Ok((stretch(segment, Turn::Grips), None));
        }
    };
    let at = |t: f64| {
        let there = sliding.at(segment.velocity_at(t), segment.angular_velocity_at(t));
        there.askew_with(Some(&pivots))
    };
    let pushes = |t: f64| at(t).map_or([-1.0; 2], |askew| askew.pushes);
    let pushed = |t: f64| pushes(t).into_iter().fold(f64::INFINITY, f64::min);
    let lasts =
        |wall: usize| move |t: f64| at(t).map_or(f64::INFINITY, |askew| askew.lasting[wall]);
    let changes = [0, 1]
        .into_iter()
        .filter_map(|wall| first_fall(segment.end, lasts(wall)))
        .fold(f64::INFINITY, f64::min);
    let mut leaves = None;
    if let Some(end) = first_fall(segment.end, pushed).filter(|&end| end <= changes) {
        // Which of them lets go shows just before.
        let [first, second] = pushes(end * (1.0 - 1e-6));
        leaves = Some(usize::from(!(first < second)));
        segment.end = end;
    } else if changes < segment.end {
        segment.end = changes;
    }
    Ok((stretch(segment, Turn::GoesOn), leaves))
}

/// A ball on one flat wall, as the integrator asks for it.
struct Flatly<S: Space> {
    standing: Standing<S>,
    mode: Mode<S>,
}

impl<S: Space> Flatly<S> {
    fn at(&self, velocity: S::Vector, angular_velocity: S::Angular) -> Standing<S> {
        Standing {
            velocity,
            angular_velocity,
            ..self.standing
        }
    }
}

impl<S: Space> Rates<S> for Flatly<S> {
    fn rates(
        &self,
        _: f64,
        _: S::Vector,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> (S::Vector, S::Angular) {
        self.at(velocity, angular_velocity).rates(&self.mode)
    }

    fn next_jump(&self, _: f64) -> f64 {
        f64::INFINITY
    }
}

/// The way of a ball on a flat wall in uniform gravity where that is no parabola ([`Standing::on_flat`]), in 3-D: as
/// far as a slip, a way or a spin lasts, and no further than `latest` (s from there).
pub(crate) fn on_flat<S: Space>(
    standing: &Standing<S>,
    latest: f64,
) -> Result<Stretch<S>, FlightError> {
    let regime = standing.regime();
    let tidied = standing.tidied(regime);
    let start = Departure {
        time: 0.0,
        position: tidied.place,
        velocity: tidied.velocity,
        angular_velocity: tidied.angular_velocity,
    };
    let stretch = |segment: TrajectorySegment<S>, turn: Turn| Stretch {
        regime,
        segment,
        turn,
    };
    let gliding = Flatly {
        standing: tidied,
        mode: tidied.mode(regime),
    };
    let (nearing, soonest) = match nearing(&tidied, &gliding.mode, 0.0) {
        Ok(times) => times,
        Err(turn) => return Ok(stretch(at_once(&start), turn)),
    };
    let latest = latest.min(nearing);
    let tolerance = Integrator::Adaptive(Tolerance::of(CURVED));
    let mut segment = match next_segment(&gliding, &start, &tolerance, 0.0, latest) {
        Ok((segment, _)) => segment,
        Err(error) => {
            let segment = at_its_end(&start, soonest.0, error)?;
            return Ok(stretch(segment, soonest.1));
        }
    };
    let at = |t: f64| gliding.at(segment.velocity_at(t), segment.angular_velocity_at(t));
    let (mut end, mut turn) = (segment.end, Turn::GoesOn);
    if let Some(sooner) = first_fall_after_rise(end, |t| at(t).lasting(&gliding.mode)) {
        end = sooner;
    }
    if let Some(sooner) = first_fall_after_rise(end, |t| at(t).pivot_left(&gliding.mode)) {
        (end, turn) = (sooner, gliding.mode.pivot_turn());
    }
    segment.end = end;
    Ok(stretch(segment, turn))
}

/// The latest end of the next piece, and when what is being used up would be gone at the soonest, s, and what that
/// would be; otherwise what has come to its end at once. By the run's clock it is `since`.
///
/// In 3-D a slip or a way that comes to its end has no heading there: go near it in ever shorter steps. One that is
/// just beginning has one, and grows.
pub(crate) fn nearing<S: Space>(
    tidied: &Standing<S>,
    mode: &Mode<S>,
    since: f64,
) -> Result<(f64, (f64, Turn)), Turn> {
    let Some((measure, slowing, turn)) = tidied.spending(mode).filter(|_| S::DIMENSION == 3) else {
        return Ok((f64::INFINITY, (f64::INFINITY, Turn::GoesOn)));
    };
    let begins = match mode.regime {
        Regime::Sliding => tidied.grips(),
        _ => tidied.is_still(),
    };
    if begins || !(slowing > 0.0) {
        return Ok((f64::INFINITY, (f64::INFINITY, turn)));
    }
    let scale = tidied.velocity.length() + tidied.wall_velocity.length();
    if measure <= SPENT * scale + tidied.left_over || is_untold(since, measure, slowing) {
        return Err(turn);
    }
    Ok((NEARLY * measure / slowing, (measure / slowing, turn)))
}

/// Whether a slip or a way (m/s) that falls (m/s²) is so little that a step towards its end takes less time than the
/// clock tells, by which it is `since` (s): the step would leave it as it is, for ever. A slow ball gets there before
/// the share of its speed is left that ends it otherwise.
pub(crate) fn is_untold(since: f64, measure: f64, slowing: f64) -> bool {
    slowing > 0.0 && since + NEARLY * measure / slowing == since
}

/// A piece that no time passes on.
pub(crate) fn at_once<S: Space>(start: &Departure<S>) -> TrajectorySegment<S> {
    let flight = Flight::straight(start.position, start.velocity);
    TrajectorySegment {
        end: f64::MIN_POSITIVE,
        ..TrajectorySegment::of_flight(&flight, start.angular_velocity)
    }
}

/// What stands for the way of a ball one of whose slips is about to end, where the integrator has given up.
pub(crate) fn at_its_end<S: Space>(
    start: &Departure<S>,
    soonest: f64,
    error: FlightError,
) -> Result<TrajectorySegment<S>, FlightError> {
    if !(matches!(error, FlightError::StepTooSmall { .. }) && soonest < SPLIT_INSTANT) {
        return Err(error);
    }
    Ok(at_once(start))
}

/// The first time in `(0, end)` at which a function that is positive at the start falls through zero. It is looked at
/// sixteen times, since a piece is so short that whatever depends on it hardly bends; then the time is halved in.
pub(crate) fn first_fall(end: f64, value: impl Fn(f64) -> f64) -> Option<f64> {
    if !(value(0.0) > 0.0) {
        return None;
    }
    first_fall_after_rise(end, value)
}

/// The same from where the function is first seen to be positive: rounding may have left it a little below zero at the
/// start.
pub(crate) fn first_fall_after_rise(end: f64, value: impl Fn(f64) -> f64) -> Option<f64> {
    let mut low = 0.0;
    let mut seen = value(0.0) > 0.0;
    for step in 1..=16 {
        let mut high = end * f64::from(step) / 16.0;
        let positive = value(high) > 0.0;
        if seen && !positive {
            for _ in 0..200 {
                let middle = 0.5 * (low + high);
                if !(middle > low && middle < high) {
                    break;
                }
                if value(middle) > 0.0 {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            return Some(high);
        }
        seen |= positive;
        low = high;
    }
    None
}
