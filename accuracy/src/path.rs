//! The ball's centre in the target's frame, as a function of time, in any arithmetic.

use crate::case::{Case, Motion, Triple, axes, norm};
use crate::distance::polynomial;
use crate::real::{Real, Vector, add, cross, dot, length, near, scale, sub, turn, vector};

/// Angles further than this from the last full evaluation of sine and cosine are evaluated anew.
const NEARBY: f64 = 1e-6;

/// Sine and cosine, remembered: a search that closes in on one instant needs a full evaluation only once, then a few
/// terms of the Taylor series about it.
#[derive(Clone, Debug)]
pub struct Wave<R> {
    anchor: Option<(R, R, R)>,
}

impl<R: Real> Wave<R> {
    fn at(&mut self, angle: &R) -> (R, R) {
        if let Some((anchor, sin, cos)) = &self.anchor {
            let shift = angle.minus(anchor);
            if shift.near().abs() < NEARBY {
                let (s, c) = small_sin_cos(&shift);
                return (
                    sin.times(&c).plus(&cos.times(&s)),
                    cos.times(&c).minus(&sin.times(&s)),
                );
            }
        }
        let (sin, cos) = angle.sin_cos();
        self.anchor = Some((angle.clone(), sin.clone(), cos.clone()));
        (sin, cos)
    }
}

/// Taylor, with as many terms as leave less than 2⁻³³⁰: eight at [`NEARBY`], fewer closer by.
fn small_sin_cos<R: Real>(x: &R) -> (R, R) {
    let size = x.near().abs().max(1e-100);
    let terms = (330.0 / (-2.0 * libm::log2(size))).ceil() as u16;
    let square = x.times(x).negated();
    let mut sin = R::of(1.0);
    let mut cos = R::of(1.0);
    for n in (1..=terms).rev() {
        let share = |m: u16| square.times(&R::reciprocal(m * (m + 1)));
        sin = R::of(1.0).plus(&share(2 * n).times(&sin));
        cos = R::of(1.0).plus(&share(2 * n - 1).times(&cos));
    }
    (sin.times(x), cos)
}

/// The path in the target's frame.
#[derive(Clone, Debug)]
pub struct Path<R> {
    kind: Kind<R>,
}

#[derive(Clone, Debug)]
enum Kind<R> {
    /// `p0 + p1 t + p2 t²`.
    Flight([Vector<R>; 3]),
    /// `axes · (Rot(−ω(now + t)) (x(t) − pivot) − arm)`.
    Rotation {
        from_pivot: [Vector<R>; 3],
        arm: Vector<R>,
        axes: Option<[Vector<R>; 3]>,
        axis: Vector<R>,
        speed: R,
        now: R,
        wave: Wave<R>,
    },
    /// `p0 + p1 t + p2 t² − amplitude sin(rate t + angle)`.
    Oscillation {
        ball: [Vector<R>; 3],
        amplitude: Vector<R>,
        rate: R,
        angle: R,
        wave: Wave<R>,
    },
}

/// Largest speed and acceleration in the target's frame over a stretch of time.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// m/s.
    pub speed: f64,
    /// m/s².
    pub acceleration: f64,
    /// How long the bounds hold from the instant they were asked for, s.
    pub lasts: f64,
}

impl<R: Real> Path<R> {
    /// The path of a case's ball in its target's frame.
    pub fn new(case: &Case) -> Self {
        let rows = axes(case.dimension, case.rotation);
        let turned = rows != [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let rows = turned.then(|| rows.map(vector::<R>));
        let local = |a: Vector<R>| match &rows {
            Some(rows) => turn(rows, &a),
            None => a,
        };
        let relative = |a: Triple, b: Triple| sub::<R>(&vector(a), &vector(b));
        let half = R::of(0.5);
        let ball = &case.ball;
        let bend = || scale(&vector::<R>(ball.acceleration), &half);
        let kind = match case.motion {
            Motion::Flight(target) => Kind::Flight([
                local(relative(ball.position, target.position)),
                local(relative(ball.velocity, target.velocity)),
                local(scale(
                    &relative(ball.acceleration, target.acceleration),
                    &half,
                )),
            ]),
            Motion::Uniform {
                start,
                velocity,
                now,
            } => Kind::Flight([
                local(sub(
                    &relative(ball.position, start),
                    &scale(&vector(velocity), &R::of(now)),
                )),
                local(relative(ball.velocity, velocity)),
                local(bend()),
            ]),
            Motion::Rotation {
                start,
                pivot,
                angular_velocity,
                now,
            } => {
                let angular_velocity = vector::<R>(angular_velocity);
                let speed = length(&angular_velocity);
                let axis = angular_velocity.map(|component| component.over(&speed));
                Kind::Rotation {
                    from_pivot: [
                        relative(ball.position, pivot),
                        vector(ball.velocity),
                        bend(),
                    ],
                    arm: relative(start, pivot),
                    axes: rows,
                    axis,
                    speed,
                    now: R::of(now),
                    wave: Wave { anchor: None },
                }
            }
            Motion::Oscillation {
                start,
                amplitude,
                frequency,
                phase,
                now,
            } => {
                let rate = R::pi().times(&R::of(2.0)).times(&R::of(frequency));
                Kind::Oscillation {
                    ball: [
                        local(relative(ball.position, start)),
                        local(vector(ball.velocity)),
                        local(bend()),
                    ],
                    amplitude: local(vector(amplitude)),
                    angle: rate.times(&R::of(now)).plus(&R::of(phase)),
                    rate,
                    wave: Wave { anchor: None },
                }
            }
        };
        Path { kind }
    }

    /// Position and velocity in the target's frame at time `t`.
    pub fn at(&mut self, t: &R) -> (Vector<R>, Vector<R>) {
        match &mut self.kind {
            Kind::Flight(coefficients) => polynomial(coefficients, t),
            Kind::Rotation {
                from_pivot,
                arm,
                axes,
                axis,
                speed,
                now,
                wave,
            } => {
                let (q, moving) = polynomial(from_pivot, t);
                let (sin, cos) = wave.at(&speed.times(&now.plus(t)));
                let versine = R::of(1.0).minus(&cos);
                // Rodrigues, by the angle −ω(now + t).
                let back = |a: &Vector<R>| {
                    let about = scale(axis, &versine.times(&dot(axis, a)));
                    let swing = scale(&cross(axis, a), &sin);
                    add(&sub(&scale(a, &cos), &swing), &about)
                };
                let relative = sub(&moving, &scale(&cross(axis, &q), speed));
                let (p, v) = (sub(&back(&q), arm), back(&relative));
                match axes {
                    Some(axes) => (turn(axes, &p), turn(axes, &v)),
                    None => (p, v),
                }
            }
            Kind::Oscillation {
                ball,
                amplitude,
                rate,
                angle,
                wave,
            } => {
                let (p, v) = polynomial(ball, t);
                let (sin, cos) = wave.at(&rate.times(t).plus(angle));
                (
                    sub(&p, &scale(amplitude, &sin)),
                    sub(&v, &scale(amplitude, &cos.times(rate))),
                )
            }
        }
    }
}

/// Covers axes whose rows are not quite orthonormal, and the roundings of the bounds themselves.
const SLACK: f64 = 1.0 + 1e-9;

impl Path<f64> {
    /// Bounds that hold from `t` on, for at most `horizon` seconds.
    pub fn bounds(&self, t: f64, horizon: f64) -> Bounds {
        match &self.kind {
            Kind::Flight(coefficients) => {
                let (_, v) = polynomial(coefficients, &t);
                let acceleration = 2.0 * norm(coefficients[2]);
                let speed = if acceleration == 0.0 {
                    norm(v)
                } else {
                    norm(v) + acceleration * horizon
                };
                Bounds {
                    speed: speed * SLACK,
                    acceleration: acceleration * SLACK,
                    lasts: horizon,
                }
            }
            Kind::Rotation {
                from_pivot, speed, ..
            } => {
                let (q, v) = polynomial(from_pivot, &t);
                let bend = 2.0 * norm(from_pivot[2]);
                let lasts = horizon.min(0.5 / speed);
                let fastest = norm(v) + bend * lasts;
                let farthest = norm(q) + fastest * lasts;
                Bounds {
                    speed: (fastest + speed * farthest) * SLACK,
                    acceleration: (bend + 2.0 * speed * fastest + speed * speed * farthest) * SLACK,
                    lasts,
                }
            }
            Kind::Oscillation {
                ball,
                amplitude,
                rate,
                ..
            } => {
                let (_, v) = polynomial(ball, &t);
                let bend = 2.0 * norm(ball[2]);
                let swing = norm(*amplitude) * rate;
                // Over a long stretch a parabola has no useful speed limit: look ahead while it doubles.
                let lasts = if bend > 0.0 {
                    horizon.min((norm(v) + swing) / bend)
                } else {
                    horizon
                };
                Bounds {
                    speed: (norm(v) + bend * lasts + swing) * SLACK,
                    acceleration: (bend + swing * rate) * SLACK,
                    lasts,
                }
            }
        }
    }

    /// Of a flight.
    pub fn constant_acceleration(&self) -> Option<Triple> {
        match &self.kind {
            Kind::Flight(coefficients) => Some(coefficients[2].map(|c| 2.0 * c)),
            _ => None,
        }
    }

    /// Speed and acceleration at `t`, as far as the way they limit each other is known: for a flight the
    /// acceleration is constant, so the distance covered in τ is at most `speed τ + ½ acceleration τ²`.
    pub fn steady(&self, t: f64) -> Option<(f64, f64)> {
        match &self.kind {
            Kind::Flight(coefficients) => {
                let (_, v) = polynomial(coefficients, &t);
                Some((norm(v) * SLACK, 2.0 * norm(coefficients[2]) * SLACK))
            }
            _ => None,
        }
    }
}

/// The nearest `f64` of a state.
pub fn near_state<R: Real>(state: &(Vector<R>, Vector<R>)) -> (Triple, Triple) {
    (near(&state.0), near(&state.1))
}
