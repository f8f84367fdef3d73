//! One step of collocation at Gauss–Radau nodes.
//!
//! # The method
//!
//! Over a step from t₀ to t₀ + h, with τ = (t − t₀)/h, the acceleration is taken to be a polynomial of degree 7,
//!
//! ```text
//! a(τ) = Σ g_k N_k(τ),     N_k(τ) = ∏_{j<k} (τ − c_j),     k = 0 … 7,
//! ```
//!
//! that agrees with the rates at the eight Radau nodes c_j, the first of which is 0. Its integrals are the velocity and
//! the place: polynomials of degree 8 and 9, which *are* the segment. In the same way the rate of change of the spin
//! makes a polynomial of degree 8 of the spin.
//!
//! The equations are solved by going through the nodes in their order again and again: at each, place and velocity from
//! the g_k as they are known, the rates from those, and g_n from the rates by divided differences. In the first round
//! node n is reached with the polynomial through the nodes before it. How many rounds it takes depends on how the step
//! compares with the time in which forces change: three to eight in practice.
//!
//! That is Everhart's method (1974, "Implicit single-sequence methods for integrating orbits", Celestial Mechanics 10),
//! with Newton's basis kept throughout in place of powers of τ. At the end of the step it is of order 15, since the
//! nodes are those of a formula that integrates degree 14 exactly; on the way the velocity's local error is O(h⁹) and
//! the place's O(h¹⁰).

use super::border::Sides;
use super::tables::{
    BASIS, END, END_ONCE, END_TWICE, END_VALUE, INVERSE, MOST_ONCE, NODE, NODES, ONCE, TWICE,
};
use super::{Departure, FlightError, Rates, error};
use crate::motion::{Curve, TrajectorySegment};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// The g_k of an acceleration.
type Terms<S> = [<S as Space>::Vector; NODES];

/// A step in the making.
pub(super) struct Collocation<'a, S: Space, R> {
    rates: &'a R,
    sides: Sides,
    start: &'a Departure<S>,
    /// h, s.
    step: f64,
    /// g_k of the acceleration, m/s².
    pub push: [S::Vector; NODES],
    /// g_k of the spin's rate of change, rad/s².
    pub twist: [S::Angular; NODES],
    /// The g_k of the acceleration before the last round.
    entered: [S::Vector; NODES],
    /// What an earlier round changed in them, and its result.
    last: Option<(Terms<S>, Terms<S>)>,
    /// The acceleration at the nodes as last seen, m/s².
    pushes: [S::Vector; NODES],
    /// The spin's rate of change at the nodes as last seen, rad/s².
    twists: [S::Angular; NODES],
    /// Whether any of them is not zero.
    twisting: bool,
}

/// How much a round has changed: the largest change of the rates at a node, times the step.
///
/// The polynomial through values at these nodes is nowhere larger than a small multiple of the largest of them, and its
/// integral not larger than it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundChange {
    /// m/s.
    pub velocity: f64,
    /// rad/s.
    pub angular_velocity: f64,
}

impl<'a, S: Space, R: Rates<S>> Collocation<'a, S, R> {
    /// With nothing known but the rates at the start.
    pub fn new(
        rates: &'a R,
        sides: Sides,
        start: &'a Departure<S>,
        (acceleration, twist): (S::Vector, S::Angular),
        step: f64,
    ) -> Self {
        let mut push = [S::Vector::ZERO; NODES];
        let mut twists = [S::Angular::ZERO; NODES];
        push[0] = acceleration;
        twists[0] = twist;
        Collocation {
            rates,
            sides,
            start,
            step,
            push,
            twist: twists,
            entered: push,
            last: None,
            pushes: [acceleration; NODES],
            twists: [twist; NODES],
            twisting: twist != S::Angular::ZERO,
        }
    }

    /// One round through the nodes; an error where the rates are not finite.
    ///
    /// In the first, each node is reached with the polynomial through those before it: what follows is zero still.
    pub fn round(&mut self) -> Result<RoundChange, FlightError> {
        let (mut velocity, mut angular_velocity) = (0.0_f64, 0.0_f64);
        self.entered = self.push;
        for node in 1..NODES {
            let at = self.state_at(NODE[node], &ONCE[node], &TWICE[node]);
            let (push, twist) = self.rates.rates_beside(
                self.sides,
                at.time,
                at.position,
                at.velocity,
                at.angular_velocity,
            );
            if !(push.is_finite() && twist.is_finite()) {
                return Err(error::not_finite(self.rates, &at, push));
            }
            velocity = velocity.max((push - self.pushes[node]).length_squared());
            self.pushes[node] = push;
            divide(&mut self.push, node, push);
            if self.twisting || twist != S::Angular::ZERO {
                self.twisting = true;
                angular_velocity =
                    angular_velocity.max((twist - self.twists[node]).length_squared());
                self.twists[node] = twist;
                divide(&mut self.twist, node, twist);
            }
        }
        Ok(RoundChange {
            velocity: self.step * velocity.sqrt(),
            angular_velocity: self.step * angular_velocity.sqrt(),
        })
    }

    /// The sizes of the terms g₈ that the polynomials lack, of the acceleration and of the spin's rate of change, from
    /// the rates at the end of the step.
    ///
    /// That is how they differ from the polynomials there, over N₈. A jump in the last part of the step, behind the
    /// last node, is seen by it too.
    pub fn missing(&self) -> Result<(f64, f64), FlightError> {
        let at = self.state_at(END, &END_ONCE, &END_TWICE);
        let (push, twist) = self.rates.rates_beside(
            self.sides,
            at.time,
            at.position,
            at.velocity,
            at.angular_velocity,
        );
        if !(push.is_finite() && twist.is_finite()) {
            return Err(error::not_finite(self.rates, &at, push));
        }
        let off = |value: f64| value / END_VALUE[NODES];
        let push = push - combine(&self.push, &END_VALUE);
        let twist = if self.twisting {
            twist - combine(&self.twist, &END_VALUE)
        } else {
            twist
        };
        Ok((off(push.length()), off(twist.length())))
    }

    /// The state at τ, where the integrals of the basis have the given values.
    #[inline]
    fn state_at(&self, tau: f64, once: &[f64], twice: &[f64]) -> Departure<S> {
        let Departure {
            time,
            position,
            velocity,
            angular_velocity,
        } = *self.start;
        let h = self.step;
        let gained = combine(&self.push, once);
        let moved = combine(&self.push, twice);
        let turned = if self.twisting {
            combine(&self.twist, once)
        } else {
            S::Angular::ZERO
        };
        Departure {
            time: time + tau * h,
            position: position + (velocity * tau + moved * h) * h,
            velocity: velocity + gained * h,
            angular_velocity: angular_velocity + turned * h,
        }
    }

    /// Mends what the next round starts from, by what the last two have shown.
    ///
    /// Under drag a round leaves a nearly constant part r of the error, about h/5T with T the time in which drag acts.
    /// From what two rounds changed, d₁ and d₂, follows the combination of their results for which the change is least:
    /// `θ = d₂·(d₂ − d₁)/|d₂ − d₁|²`, taken off along the way from one result to the other (Anderson, 1965, "Iterative
    /// procedures for nonlinear integral equations", with a memory of one). It saves about four rounds of ten. Call it
    /// after each round but the first.
    pub fn extrapolate(&mut self) {
        let mut changed = self.push;
        for (change, &before) in changed.iter_mut().zip(&self.entered) {
            *change -= before;
        }
        let result = self.push;
        if let Some((changed_before, result_before)) = self.last {
            let (mut along, mut size) = (0.0, 0.0);
            for k in 1..NODES {
                let weight = MOST_ONCE[k] * MOST_ONCE[k];
                let difference = changed[k] - changed_before[k];
                along += weight * changed[k].dot(difference);
                size += weight * difference.length_squared();
            }
            if size > 0.0 {
                // Beyond r = ½ the rounds hardly converge, and what they show is no guide.
                let theta = (along / size).clamp(-1.0, 1.0);
                for (term, &before) in self.push.iter_mut().zip(&result_before) {
                    let way = *term - before;
                    *term -= way * theta;
                }
            }
        }
        self.last = Some((changed, result));
    }

    /// The step as a segment.
    pub fn segment(&self) -> TrajectorySegment<S> {
        let mut place = [S::Vector::ZERO; NODES + 2];
        let mut angular_velocity = [S::Angular::ZERO; NODES + 1];
        place[0] = self.start.position;
        place[1] = self.start.velocity;
        angular_velocity[0] = self.start.angular_velocity;
        let inverse = 1.0 / self.step;
        let mut scale = 1.0;
        for power in 0..NODES {
            place[power + 2] =
                power_term(&self.push, power) * (scale / ((power + 1) * (power + 2)) as f64);
            if self.twisting {
                angular_velocity[power + 1] =
                    power_term(&self.twist, power) * (scale / (power + 1) as f64);
            }
            scale *= inverse;
        }
        TrajectorySegment {
            place: Curve::new(&place),
            angular_velocity: Curve::new(&angular_velocity),
            end: self.step,
        }
    }
}

/// The sum of terms with weights.
#[inline]
fn combine<V: Linear>(terms: &[V; NODES], weights: &[f64]) -> V {
    let mut sum = V::ZERO;
    for (&term, &weight) in terms.iter().zip(weights) {
        sum += term * weight;
    }
    sum
}

/// The coefficient of τ^power.
#[inline]
fn power_term<V: Linear>(terms: &[V; NODES], power: usize) -> V {
    let mut sum = V::ZERO;
    for (&term, basis) in terms.iter().zip(&BASIS).skip(power) {
        sum += term * basis[power];
    }
    sum
}

/// The divided difference at a node from the value there.
#[inline]
fn divide<V: Linear>(terms: &mut [V; NODES], node: usize, value: V) {
    let mut difference = (value - terms[0]) * INVERSE[node][0];
    for k in 1..node {
        difference = (difference - terms[k]) * INVERSE[node][k];
    }
    terms[node] = difference;
}

/// One step of the given length, whatever its error, with its equations solved to rounding: for studies of convergence.
///
/// Declared jumps are not looked for. Where the step is so long that the equations do not settle, that is
/// [`FlightError::StepTooSmall`].
pub fn fixed_segment<S: Space>(
    rates: &impl Rates<S>,
    start: &Departure<S>,
    step: f64,
) -> Result<TrajectorySegment<S>, FlightError> {
    const ROUNDS: usize = 60;
    error::positive("step", step)?;
    let sides = Sides::of(rates.borders(), start.position);
    let begin = rates.rates_beside(
        sides,
        start.time,
        start.position,
        start.velocity,
        start.angular_velocity,
    );
    if !(begin.0.is_finite() && begin.1.is_finite()) {
        return Err(error::not_finite(rates, start, begin.0));
    }
    let mut collocation = Collocation::new(rates, sides, start, begin, step);
    let mut before = collocation.round()?;
    for _ in 0..ROUNDS {
        let change = collocation.round()?;
        // Down to rounding it falls; there it stays as it is.
        let speed = start.velocity.length() + step * begin.0.length();
        let settled = change.velocity <= 1e4 * UNIT_ROUNDOFF * speed;
        if settled
            && change.velocity >= 0.5 * before.velocity
            && change.angular_velocity >= 0.5 * before.angular_velocity
        {
            return Ok(collocation.segment());
        }
        before = change;
    }
    Err(FlightError::StepTooSmall {
        time: start.time,
        position: S::components(start.position),
        velocity: S::components(start.velocity),
        step,
        least: step,
        tolerance: 0.0,
        error: f64::INFINITY,
    })
}
