//! A ball's centre on a curve, and a shape at rest in the same frame.
//!
//! # How far a step may go
//!
//! **Convex shapes.** With n the normal and p the nearest place now, the shape lies behind the plane through p across
//! n, so that at all times `dist(y) ≥ n·(y − p)`: the gap is no less than a polynomial in time, which [`Along`] bounds.
//! It holds across faces, edges and corners; and a ball that slides along a face at the distance of a rounding error is
//! seen to do so in one step, since only the acceleration along n counts.
//!
//! **Containers and arcs.** Seen from within the distance bends the other way, by at most `|y′|²/ρ` at distance ρ from
//! the centre of curvature; the step is kept within half of ρ. Near the centre, where that says nothing, the distance
//! changes no faster than y does. The ends of an arc can be the nearest place by turns: each is a convex shape of its
//! own.
//!
//! **Coming clear.** `dist(y) ≤ |y − p|`, for shapes of any kind: a ball overlaps the shape at least until its centre
//! leaves the sphere of its radius about p, and that is a container.
//!
//! **From within an overlap that opens** the gap opens for `g′ / bend` at least; there a bound on the whole of y″ is
//! needed, since n turns.

use super::along::{Along, fall_time, longest};
use super::walk::{Gap, GapAt};
use crate::motion::Curve;
use crate::shape::Obstacle;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// The way of a ball's centre in the frame of a shape.
pub(super) struct Still<'a, S: Space, O, F> {
    curve: &'a Curve<S::Vector>,
    sizes: Along,
    shape: &'a O,
    radius: f64,
    /// The end of the way, s.
    until: f64,
    /// The closing floor at a time, m/s.
    floor: F,
    /// How long a span the last step was taken from.
    trust: f64,
    /// The way along the normal that was last seen.
    along: Option<Along>,
}

/// The gap between a ball and a shape.
pub(super) struct ClosingGap<'a, S: Space, O, F>(pub Still<'a, S, O, F>);

/// The overlap of a ball and a shape: a gap that closes as the ball comes clear.
pub(super) struct Clearing<'a, S: Space, O, F>(pub Still<'a, S, O, F>);

impl<'a, S: Space, O: Obstacle<S>, F: Fn(f64) -> f64> Still<'a, S, O, F> {
    pub fn new(
        curve: &'a Curve<S::Vector>,
        shape: &'a O,
        radius: f64,
        until: f64,
        floor: F,
    ) -> Self {
        Still {
            curve,
            sizes: Along::sizes(curve),
            shape,
            radius,
            until,
            floor,
            trust: f64::INFINITY,
            along: None,
        }
    }

    fn look(&mut self, t: f64) -> GapAt {
        let closest = self.shape.closest(self.curve.at(t));
        let along = Along::new(self.curve, closest.normal);
        self.along = Some(along);
        let reach = self.shape.reach();
        let size = self.sizes.at(t) + self.radius + if reach.is_finite() { reach } else { 0.0 };
        GapAt {
            value: closest.distance - self.radius,
            slope: along.slope(t),
            tolerance: 16.0 * UNIT_ROUNDOFF * size,
        }
    }

    /// No acceleration in `[t, t + span]` is larger, m/s².
    fn bend_over(&self, t: f64, span: f64) -> f64 {
        self.curve.bend_at(t).length() + self.sizes.jerk_until(t + span) * span
    }

    /// For how long a gap that bends downwards by `|y″| + |y′|²/ρ` does not fall by `lift`.
    fn step_in_curve(&self, t: f64, slope: f64, lift: f64, rho: f64, trust: &mut f64) -> f64 {
        let speed = self.curve.rate_at(t).length();
        longest(self.until - t, trust, |span| {
            let bend = self.bend_over(t, span);
            let fastest = speed + bend * span;
            // Within half of ρ the centre of curvature is no nearer than the other half.
            let curved = -(bend + 2.0 * fastest * fastest / rho);
            let by_curve = fall_time(lift, slope, curved).min(0.5 * rho / fastest);
            let by_speed = lift / fastest;
            by_speed.max(if rho > 0.0 { by_curve } else { 0.0 })
        })
    }

    /// For how long a gap that is below zero goes on opening, or does not fall by `slack`.
    fn step_below(&self, t: f64, slope: f64, slack: f64, rho: f64, trust: &mut f64) -> f64 {
        let speed = self.curve.rate_at(t).length();
        longest(self.until - t, trust, |span| {
            let bend = self.bend_over(t, span);
            let fastest = speed + bend * span;
            let (bend, most) = if rho < f64::INFINITY {
                (bend + 2.0 * fastest * fastest / rho, 0.5 * rho / fastest)
            } else {
                (bend, f64::INFINITY)
            };
            let opening = slope.max(0.0) / bend;
            opening.max((2.0 * slack / bend).sqrt()).min(most)
        })
    }
}

impl<S: Space, O: Obstacle<S>, F: Fn(f64) -> f64> Gap for ClosingGap<'_, S, O, F> {
    fn look(&mut self, t: f64) -> GapAt {
        self.0.look(t)
    }

    fn floor(&self, t: f64, _: &GapAt) -> f64 {
        (self.0.floor)(t)
    }

    fn step(&mut self, t: f64, seen: &GapAt, slack: f64) -> f64 {
        let still = &self.0;
        let Some(along) = still.along else {
            return 0.0;
        };
        let most = still.until - t;
        let mut trust = still.trust;
        let lift = seen.value.max(0.0) + slack;
        let step = match still.shape.hollow_centre(still.curve.at(t)) {
            None if seen.value >= -seen.tolerance => {
                along.safe_step(t, seen.slope, lift, most, &mut trust)
            }
            None => still.step_below(t, seen.slope, slack, f64::INFINITY, &mut trust),
            Some(centre) => {
                let place = still.curve.at(t);
                let rho = (place - centre).length();
                let mut step = if seen.value >= -seen.tolerance {
                    still.step_in_curve(t, seen.slope, lift, rho, &mut trust)
                } else {
                    still.step_below(t, seen.slope, slack, rho, &mut trust)
                };
                for rival in still.shape.rivals(place).iter().flatten() {
                    // Where an end overlaps, it is the nearest place or behind it: that has been looked after.
                    let lift = (rival.distance - still.radius).max(0.0) + slack;
                    let along = Along::new(still.curve, rival.normal);
                    let slope = along.slope(t);
                    step = step.min(along.safe_step(t, slope, lift, most, &mut trust));
                }
                step
            }
        };
        self.0.trust = trust;
        step
    }
}

impl<S: Space, O: Obstacle<S>, F: Fn(f64) -> f64> Gap for Clearing<'_, S, O, F> {
    fn look(&mut self, t: f64) -> GapAt {
        let gap = self.0.look(t);
        GapAt {
            value: -gap.value,
            slope: -gap.slope,
            tolerance: gap.tolerance,
        }
    }

    fn floor(&self, t: f64, seen: &GapAt) -> f64 {
        // Beyond doubt clear: no matter how fast.
        if seen.value < -seen.tolerance {
            f64::NEG_INFINITY
        } else {
            (self.0.floor)(t)
        }
    }

    fn step(&mut self, t: f64, seen: &GapAt, slack: f64) -> f64 {
        let still = &self.0;
        let mut trust = still.trust;
        let lift = seen.value.max(0.0) + slack;
        // The nearest place is at the distance |dist(y)|; from inside a solid shape only the speed counts.
        let rho = (still.radius - seen.value).max(0.0);
        let step = still.step_in_curve(t, seen.slope, lift, rho, &mut trust);
        self.0.trust = trust;
        step
    }
}
