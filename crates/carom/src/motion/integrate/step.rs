//! The length of a step, so that the piece is within its tolerance.
//!
//! # The error
//!
//! The polynomial of the acceleration lacks the term `g₈ N₈(τ)`, and what follows it. That term would add at most
//! `h |g₈| max|∫N₈|` to the velocity and `h² |g₈| max|∬N₈|` to the place, anywhere on the step: the errors of the
//! segment. Its size is taken as four times the larger of two estimates. One is measured, by asking the rates once
//! more, at the end of the step, and dividing what they differ from the polynomial there by N₈. The other is from the
//! last terms there are:
//!
//! ```text
//! ratio = max(|g₇|/|g₆|, |g₆|/|g₅|, |g₅|/|g₄|)  kept between 0.03 and 1.5,
//! |g₈| ≈ ratio (1 + 30 ratio²) · max(|g₇|, ratio |g₆|, ratio² |g₅|).
//! ```
//!
//! Terms of forces that are smooth fall geometrically once the step is short enough; that both estimates, and all three
//! ratios, are small by chance at once is unlikely. About a kink in the force (quadratic drag where a ball thrown
//! straight up turns round) they do not fall, and the error is not of the shape of N₈: the bracket is for that, found
//! by trying. Where they grow (a jump that was not declared, a step too long) the step fails. At the step's end the
//! error is far smaller, since there the method is of order 15.
//!
//! Before that, the rounds through the nodes must have settled to a small part of the tolerance. What they would still
//! change is a geometric series with the ratio of the last two.
//!
//! # The step
//!
//! The estimate goes like h⁹, so that the next step is 0.9 h (tolerance / error)^(1/9). The factor 0.9 costs little and
//! saves tries: (1/0.9)⁹ = 2.6 is how much larger the error may be than predicted.

use super::radau::{Collocation, RoundChange};
use super::tables::{MOST_ONCE, MOST_TWICE, NODES};
use super::{Departure, FlightError, Rates, Tolerance, border, error};
use crate::arrays::Each;
use crate::motion::{Curve, TrajectorySegment};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// A step is at most so much longer than the one before.
const GROWTH: f64 = 8.0;
/// When a first step is tried again, at most so much. An error of 10⁻¹⁶ of the tolerance, where rounding takes over, is
/// that of a step 60 times shorter than it could be.
const EXPANSION: f64 = 50.0;
/// And a new try at least so much of the one before.
const SHRINKAGE: f64 = 0.15;
/// Rounds through the nodes.
const ROUNDS: usize = 12;
/// How often a step is tried at most. Each is shorter than the one before by a fifth at least (`RETRY`), mostly by far
/// more.
const TRIES: usize = 200;
/// A try that failed is followed by one of at most this part.
const RETRY: f64 = 0.8;
/// A tolerance finer than so many times what rounding makes of a velocity is that: 7·10⁻¹⁵ of it.
const FINEST: f64 = 16.0;
/// How often a first step, with no hint to go by, is tried again because it could be much longer.
const EXPANSIONS: usize = 8;

/// One segment from `start`, within the tolerance of the true solution everywhere on it, and a hint for the length of
/// the next, s.
///
/// Its length is chosen, no longer than `latest_end` and `tolerance.max_step`, and it ends at the next declared jump in
/// time or across a declared border at the latest. `step_hint` is where to begin with, the hint that came with the
/// segment before; zero, infinite or NaN mean that there is none.
///
/// Times in the result are local, from 0 at `start`.
///
/// Longer than most: one loop over lengths of a step, with all that it starts from.
///
/// # Errors
/// [`FlightError::Setting`] where the tolerance or `latest_end` is not allowed, [`FlightError::NotFinite`] where a
/// force is NaN or infinite, [`FlightError::StepTooSmall`] where no step that the clock can resolve is short enough,
/// [`FlightError::Caught`] where a border holds the ball from both sides.
pub fn segment<S: Space>(
    rates: &impl Rates<S>,
    start: &Departure<S>,
    tolerance: &Tolerance,
    step_hint: f64,
    latest_end: f64,
) -> Result<(TrajectorySegment<S>, f64), FlightError> {
    tolerance.check()?;
    error::positive("latest_end", latest_end)?;
    let sides = border::sides_at(rates, start, tolerance)?;
    let begin = rates.rates_beside(
        sides,
        start.time,
        start.position,
        start.velocity,
        start.angular_velocity,
    );
    if !(begin.0.is_finite() && begin.1.is_finite() && is_finite(start)) {
        return Err(error::not_finite(rates, start, begin.0));
    }
    let limit = latest_end
        .min(tolerance.max_step)
        .min(rates.next_jump(start.time) - start.time);
    // Shorter ones the clock would not show; at time 0, where it shows all, they would overflow the powers of 1/h.
    let least = (8.0 * f64::EPSILON * start.time.abs()).max(1e-30);
    let hinted = step_hint > 0.0 && step_hint.is_finite();
    let try_step = |step: f64| -> Result<Try<S>, FlightError> {
        let mut collocation = Collocation::new(rates, sides, start, begin, step);
        let allowed = Allowed::new(tolerance, start, begin, step);
        let error = settle(&mut collocation, &allowed)?;
        Ok(Try {
            error,
            segment: (error <= 1.0).then(|| collocation.segment()),
        })
    };
    if limit <= least {
        // So near to a jump the clock shows nothing in between.
        return Ok((taylor(start, begin, limit.max(0.0)), step_hint));
    }
    let first = if hinted {
        step_hint
    } else {
        cautious(tolerance, begin.0)
    };
    let mut step = first.clamp(least, limit);
    let mut last_error = f64::INFINITY;
    let mut fault = None;
    let mut expansions = if hinted { 0 } else { EXPANSIONS };
    let mut shortened = false;
    for _ in 0..TRIES {
        let tried = try_step(step);
        let factor = match &tried {
            Ok(tried) => tried.factor(),
            Err(_) => SHRINKAGE,
        };
        match tried {
            Ok(Try {
                segment: Some(mut segment),
                error,
            }) if segment.place.is_finite() && segment.angular_velocity.is_finite() => {
                if expansions > 0 && !shortened && factor > 2.0 && step < limit {
                    expansions -= 1;
                    step = (step * factor).min(limit);
                    last_error = error;
                    continue;
                }
                let factor = factor.min(GROWTH);
                // Where not the error but the limit made it short, the hint is still good.
                let hint = if hinted && step == limit {
                    step_hint.max(step * factor)
                } else {
                    step * factor
                };
                border::cut(&mut segment, rates.borders(), sides, least);
                return Ok((segment, hint));
            }
            Ok(tried) => {
                last_error = tried.error;
                fault = None;
            }
            // A step that leads astray can meet with what the ball would not; only if none is short enough it is the
            // ball's.
            Err(error) => fault = Some(error),
        }
        if step <= least {
            break;
        }
        shortened = true;
        step = (step * factor.min(RETRY)).max(least);
    }
    Err(fault.unwrap_or_else(|| FlightError::StepTooSmall {
        time: start.time,
        position: S::components(start.position),
        velocity: S::components(start.velocity),
        step,
        least,
        tolerance: tolerance.absolute,
        error: last_error,
    }))
}

/// What came of a step.
struct Try<S: Space> {
    /// In units of the tolerance.
    error: f64,
    /// Where it is within the tolerance.
    segment: Option<TrajectorySegment<S>>,
}

impl<S: Space> Try<S> {
    /// How much longer the next step should be.
    fn factor(&self) -> f64 {
        if self.error.is_nan() {
            return SHRINKAGE;
        }
        let ninth_root = libm::cbrt(libm::cbrt(self.error));
        (0.9 / ninth_root).clamp(SHRINKAGE, EXPANSION)
    }
}

fn is_finite<S: Space>(state: &Departure<S>) -> bool {
    state.time.is_finite()
        && state.position.is_finite()
        && state.velocity.is_finite()
        && state.angular_velocity.is_finite()
}

/// What the tolerance allows on a step.
struct Allowed {
    /// m.
    place: f64,
    /// m/s.
    velocity: f64,
    /// rad/s.
    angular_velocity: f64,
    /// s.
    step: f64,
    /// What rounding makes of velocities, m/s, and spins, rad/s.
    rounding: RoundChange,
}

impl Allowed {
    fn new<S: Space>(
        tolerance: &Tolerance,
        start: &Departure<S>,
        (acceleration, twist): (S::Vector, S::Angular),
        step: f64,
    ) -> Self {
        let gain = acceleration.length() * step;
        let speed = start.velocity.length();
        let angular_velocity = start.angular_velocity.length();
        let of = |size: f64| tolerance.absolute + tolerance.relative * size;
        let rounding = RoundChange {
            velocity: 4.0 * UNIT_ROUNDOFF * (speed + gain),
            angular_velocity: 4.0 * UNIT_ROUNDOFF * (angular_velocity + twist.length() * step),
        };
        // Numbers have sixteen digits, however many were asked for: steps would become ever shorter for nothing.
        let [velocity, twisted] =
            [rounding.velocity, rounding.angular_velocity].each(|size| FINEST * size);
        Allowed {
            place: of((speed + 0.5 * gain) * step).max(velocity * step),
            velocity: of(speed.max(gain)).max(velocity),
            angular_velocity: of(angular_velocity).max(twisted),
            step,
            rounding,
        }
    }

    /// What a change of the velocity and of the spin, anywhere on the step, amounts to in units of the tolerance.
    fn weigh(&self, change: &RoundChange) -> f64 {
        let velocity = self.velocity.min(self.place / self.step);
        let of = |change: f64, rounding: f64, allowed: f64| {
            if change <= rounding {
                0.0
            } else {
                change / allowed
            }
        };
        of(change.velocity, self.rounding.velocity, velocity).max(of(
            change.angular_velocity,
            self.rounding.angular_velocity,
            self.angular_velocity,
        ))
    }
}

/// Goes through the nodes until no more changes that matters; the error of the step in units of the tolerance.
fn settle<S: Space, R: Rates<S>>(
    collocation: &mut Collocation<S, R>,
    allowed: &Allowed,
) -> Result<f64, FlightError> {
    /// The part of the tolerance that is left to what rounds would still change: so small because the last terms, from
    /// which the error is estimated, are more sensitive.
    const SHARE: f64 = 0.003;
    let mut before = allowed.weigh(&collocation.round()?);
    let mut unsettled = before;
    for round in 1..ROUNDS {
        let change = allowed.weigh(&collocation.round()?);
        let ratio = if before > 0.0 { change / before } else { 0.0 };
        // The first round starts from so little that what it changes is no guide.
        let ratio = if round == 1 { ratio.max(0.1) } else { ratio };
        // The rounds to come change a geometric series in all.
        unsettled = if ratio < 0.5 {
            change * ratio / (1.0 - ratio)
        } else {
            change
        };
        let hopeless = round >= 3 && ratio >= 1.0;
        if unsettled <= SHARE || hopeless {
            break;
        }
        before = change;
        collocation.extrapolate();
    }
    let error = truncation(collocation, allowed)?;
    // What is unsettled is no matter of the step's length once it is within its share.
    Ok(if unsettled <= SHARE {
        error
    } else {
        error + unsettled
    })
}

/// The error that a polynomial of this degree makes, in units of the tolerance.
fn truncation<S: Space, R: Rates<S>>(
    collocation: &Collocation<S, R>,
    allowed: &Allowed,
) -> Result<f64, FlightError> {
    const SAFETY: f64 = 4.0;
    let (seen_push, seen_twist) = collocation.missing()?;
    let push = SAFETY * seen_push.max(next_term(&collocation.push));
    let twist = SAFETY * seen_twist.max(next_term(&collocation.twist));
    let h = allowed.step;
    Ok((h * push * MOST_ONCE[NODES] / allowed.velocity)
        .max(h * h * push * MOST_TWICE[NODES] / allowed.place)
        .max(h * twist * MOST_ONCE[NODES] / allowed.angular_velocity))
}

/// The size of the term g₈ that the polynomial lacks, from those that it has.
fn next_term<V: Linear>(terms: &[V; NODES]) -> f64 {
    /// Terms seldom fall faster than this for long.
    const LEAST_RATIO: f64 = 0.03;
    /// And where they grow, as about a kink in the force, they are no guide beyond this.
    const MOST_RATIO: f64 = 1.5;
    let [fourth, fifth, sixth, last] = [4, 3, 2, 1].each(|back| terms[NODES - back].length());
    if last == 0.0 && sixth == 0.0 {
        return 0.0;
    }
    let ratio = (last / sixth)
        .max(sixth / fifth)
        .max(fifth / fourth)
        .clamp(LEAST_RATIO, MOST_RATIO);
    ratio * (1.0 + 30.0 * ratio * ratio) * last.max(ratio * sixth).max(ratio * ratio * fifth)
}

/// A first step short enough that a constant acceleration is not yet seen within the tolerance, and a bit more.
fn cautious<V: Linear>(tolerance: &Tolerance, acceleration: V) -> f64 {
    let length = acceleration.length();
    if length > 0.0 {
        (16.0 * (tolerance.absolute / length).sqrt()).min(1e-2)
    } else {
        1e-2
    }
}

/// A piece with the rates of its start: for steps so short that they do not change.
fn taylor<S: Space>(
    start: &Departure<S>,
    (acceleration, twist): (S::Vector, S::Angular),
    end: f64,
) -> TrajectorySegment<S> {
    TrajectorySegment {
        place: Curve::new(&[start.position, start.velocity, acceleration * 0.5]),
        angular_velocity: Curve::new(&[start.angular_velocity, twist]),
        end,
    }
}
