//! Slip that turns, in 3-D.
//!
//! In the normal impulse p the flow `dv_t/dp = K_tn − μ K_tt t̂` is singular at zero slip, where t̂ turns ever faster.
//! In the variable θ with `dp = |v_t| dθ / rate` it is smooth everywhere, and a stop lies at infinity:
//!
//! ```text
//! rate · dv_t/dθ = |v_t| K_tn − μ K_tt v_t         rate · dp/dθ = |v_t|
//! rate · dv_n/dθ = |v_t| K_nn − μ K_nt·v_t         rate · dq/dθ = −μ v_t        rate · dW/dθ = v_n |v_t|
//! ```
//!
//! With `rate = |K_tn| + μ tr K_tt` all coefficients of the first equation are at most one. It is of degree one in v_t,
//! so a step may be taken with |v_t| = 1 and scaled. The right-hand sides are sums and products and one root, so Taylor
//! series to any order follow from recurrences; a series of degree N with the step ρ/e² (ρ: its radius of convergence)
//! leaves out terms below e⁻²ᴺ, less than the unit roundoff for N = 20 (Jorba and Zou, 2005). It also is its own
//! interpolant, so the end of compression and of restitution are roots of polynomials and as accurate as the steps.
//!
//! The direction follows a flow of its own, `dφ/dθ = h(φ)`, with `h = K_tn·t̂⊥ − μ t̂⊥·K_tt t̂`. It runs into a
//! direction with h = 0; there, to rounding, the slip goes straight and the rest is closed form. A start on such a
//! direction stays on it, stable or not: what is symmetric at the start stays symmetric, and a planar impact in 3-D
//! is the one of the plane.

use super::local::ContactFrame;
use super::progress::{Phase, Progress};
use crate::space::UNIT_ROUNDOFF;
use glam::DVec2;

/// The rate of turning, relative to `rate`, below which the slip goes straight.
pub(super) const STRAIGHT: f64 = 16.0 * UNIT_ROUNDOFF;

const DEGREE: usize = 20;

/// Far more than any flow needs that is not degenerate twice (neither turning nor changing speed); such a one goes on
/// straight, which still only takes energy, since friction keeps opposing the slip.
const MOST_STEPS: usize = 4000;

/// Slip that has shrunk by this factor has stopped.
const STOPPED: f64 = 1e-18;

/// Follows the slip until it goes straight, stops, or the impact ends.
pub(super) fn follow<V>(
    frame: &ContactFrame<V>,
    progress: &mut Progress,
    friction: f64,
    straight: f64,
) -> Phase {
    let mut fastest = 0.0_f64;
    for _ in 0..MOST_STEPS {
        let speed = progress.slip.length();
        fastest = fastest.max(speed);
        if speed <= STOPPED * fastest {
            progress.slip = DVec2::ZERO;
            return Phase::Stopped;
        }
        let flow = SlipFlow::new(frame, friction);
        let direction = progress.slip / speed;
        let turning = flow.turning(direction).abs();
        if turning <= straight || turning.is_nan() {
            return Phase::Straight;
        }
        let series = Series::new(&flow, direction, speed, progress.normal_velocity);
        if step(&series, progress) {
            return Phase::Ended;
        }
    }
    Phase::Straight
}

/// The coefficients of the flow, divided by its rate.
struct SlipFlow {
    coupling: DVec2,
    drag: [DVec2; 2],
    closing_drag: DVec2,
    /// `dp/dθ` at slip one; as K_nn is one, also what p adds to v_n.
    normal: f64,
    friction: f64,
}

impl SlipFlow {
    fn new<V>(frame: &ContactFrame<V>, friction: f64) -> Self {
        let (x, y) = (frame.tangent.x_axis, frame.tangent.y_axis);
        let rate = frame.coupling.length() + friction * (x.x + y.y);
        SlipFlow {
            coupling: frame.coupling / rate,
            drag: [x * (friction / rate), y * (friction / rate)],
            closing_drag: frame.coupling * (friction / rate),
            normal: 1.0 / rate,
            friction: friction / rate,
        }
    }

    fn slip_rate(&self, slip: DVec2, speed: f64) -> DVec2 {
        self.coupling * speed - self.drag[0] * slip.x - self.drag[1] * slip.y
    }

    /// h, the rate at which the direction turns.
    fn turning(&self, direction: DVec2) -> f64 {
        direction.perp().dot(self.slip_rate(direction, 1.0))
    }
}

/// Taylor coefficients over one step, in θ, in units of the slip speed at its start.
struct Series {
    speed_unit: f64,
    slip: [DVec2; DEGREE + 1],
    speed: [f64; DEGREE + 1],
    /// v_n, in the units of the frame.
    normal_velocity: [f64; DEGREE + 1],
    /// W since the start of the step, in the units of the frame.
    work: [f64; DEGREE + 1],
    normal: f64,
    friction: f64,
    length: f64,
}

impl Series {
    fn new(flow: &SlipFlow, direction: DVec2, speed_unit: f64, normal_velocity: f64) -> Self {
        let mut series = Series {
            speed_unit,
            slip: [DVec2::ZERO; DEGREE + 1],
            speed: [0.0; DEGREE + 1],
            normal_velocity: [0.0; DEGREE + 1],
            work: [0.0; DEGREE + 1],
            normal: flow.normal,
            friction: flow.friction,
            length: 0.0,
        };
        series.slip[0] = direction;
        series.speed[0] = 1.0;
        series.normal_velocity[0] = normal_velocity;
        for k in 0..DEGREE {
            let next = (k + 1) as f64;
            let (slip, speed) = (series.slip[k], series.speed[k]);
            series.slip[k + 1] = flow.slip_rate(slip, speed) / next;
            let closing = speed * flow.normal - flow.closing_drag.dot(slip);
            series.normal_velocity[k + 1] = speed_unit * closing / next;
            // speed² = slip·slip, coefficient by coefficient.
            let squares: f64 = (0..=k + 1)
                .map(|i| series.slip[i].dot(series.slip[k + 1 - i]))
                .sum();
            let known: f64 = (1..=k)
                .map(|i| series.speed[i] * series.speed[k + 1 - i])
                .sum();
            series.speed[k + 1] = 0.5 * (squares - known);
            let power: f64 = (0..=k)
                .map(|i| series.normal_velocity[i] * series.speed[k - i])
                .sum();
            series.work[k + 1] = speed_unit * flow.normal * power / next;
        }
        series.length = series.step_length();
        series
    }

    /// `ρ/e²` with the radius of convergence read off the last two coefficients.
    fn step_length(&self) -> f64 {
        let radius = |k: usize| {
            let size = self.slip[k].length().max(self.speed[k].abs());
            libm::pow(size, -1.0 / k as f64)
        };
        let shrink = 0.135_335_283_236_612_7;
        (radius(DEGREE).min(radius(DEGREE - 1)) * shrink).min(1.0)
    }
}

/// Takes one step, or the part of it up to where v_n changes sign; true where the impact ended.
fn step(series: &Series, progress: &mut Progress) -> bool {
    let velocity = |theta: f64| value(&series.normal_velocity, theta);
    let work = |theta: f64| value(&series.work, theta);
    let compressing = progress.normal_velocity < 0.0
        || (progress.normal_velocity == 0.0 && velocity(0.25 * series.length) < 0.0);
    let left = progress.work_left();
    if !compressing && left <= 0.0 {
        return true;
    }
    let mut previous = 0.0;
    for quarter in 1..=4 {
        let theta = 0.25 * f64::from(quarter) * series.length;
        if compressing && velocity(theta) > 0.0 {
            let end = crossing(|x| velocity(x) > 0.0, previous, theta);
            progress.compression -= work(end);
            shift(series, progress, end);
            progress.normal_velocity = 0.0;
            return false;
        }
        if !compressing && work(theta) >= left {
            let end = crossing(|x| work(x) >= left, previous, theta);
            shift(series, progress, end);
            return true;
        }
        if !compressing && velocity(theta) < 0.0 {
            let end = crossing(|x| velocity(x) < 0.0, previous, theta);
            progress.restitution += work(end);
            shift(series, progress, end);
            progress.normal_velocity = 0.0;
            return false;
        }
        previous = theta;
    }
    if compressing {
        progress.compression -= work(series.length);
    } else {
        progress.restitution += work(series.length);
    }
    shift(series, progress, series.length);
    false
}

fn shift(series: &Series, progress: &mut Progress, theta: f64) {
    let mut distance = 0.0;
    let mut drift = DVec2::ZERO;
    for k in (0..DEGREE).rev() {
        distance = distance * theta + series.speed[k] / (k + 1) as f64;
        drift = drift * theta + series.slip[k] / (k + 1) as f64;
    }
    let unit = series.speed_unit * theta;
    progress.normal += series.normal * unit * distance;
    progress.tangential -= drift * (series.friction * unit);
    progress.normal_velocity = value(&series.normal_velocity, theta);
    let mut slip = DVec2::ZERO;
    for &coefficient in series.slip.iter().rev() {
        slip = slip * theta + coefficient;
    }
    progress.slip = slip * series.speed_unit;
}

fn value(coefficients: &[f64; DEGREE + 1], theta: f64) -> f64 {
    coefficients
        .iter()
        .rev()
        .fold(0.0, |sum, c| sum * theta + c)
}

/// Where a condition that fails at `low` and holds at `high` begins to hold.
fn crossing(holds: impl Fn(f64) -> bool, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..128 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}
