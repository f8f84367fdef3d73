//! A lower bound on the distance of two parts along an axis, and how long it says that they do not touch.

use super::{ContactSearch, PairAtTime};
use crate::shape::convex::{Core, Placed};
use crate::space::{Linear, Space};
use glam::DVec3;

/// When `gap + speed t + ½ push t²` first is zero, s; infinite where it never is.
pub(super) fn first_zero(gap: f64, speed: f64, push: f64) -> f64 {
    let discriminant = speed * speed - 2.0 * push * gap;
    if speed >= 0.0 && push >= 0.0 || discriminant < 0.0 {
        return f64::INFINITY;
    }
    let root = discriminant.sqrt();
    if speed <= 0.0 {
        2.0 * gap / (root - speed)
    } else {
        // Away at first, then back: push is negative.
        -(speed + root) / push
    }
}

/// The lower bound g of the module's documentation, less the rounding of the parts.
pub(super) struct Bound<'a> {
    scene: &'a PairAtTime<'a>,
    /// n and `n × ω + m`, in each body's own frame; reversed for *b*.
    own_a: [DVec3; 2],
    own_b: [DVec3; 2],
    between: f64,
    speed: f64,
    /// `−C`: never positive.
    pub(super) push: f64,
    rounding: f64,
    /// h₁, s.
    pub(super) valid: f64,
}

impl<'a> Bound<'a> {
    pub(super) fn new<S: Space>(
        search: &ContactSearch<S>,
        scene: &'a PairAtTime<'a>,
        normal: DVec3,
        turning: DVec3,
    ) -> Self {
        // Across n to the last digit.
        let turning = turning - normal * Linear::dot(normal, turning);
        let rate = Linear::length(turning);
        let half_space = |placed: &Placed| matches!(placed.core, Core::HalfSpace { .. });
        // A half-space does not turn; its support is infinite in any direction but its normal.
        let tilt = |placed: &Placed, angular_velocity: DVec3| {
            if half_space(placed) {
                DVec3::ZERO
            } else {
                placed.own(normal.cross(angular_velocity) + turning)
            }
        };
        let lever = |part: f64, angular_velocity: DVec3| {
            if rate == 0.0 || angular_velocity == DVec3::ZERO {
                0.0
            } else {
                2.0 * part * Linear::length(turning.cross(angular_velocity))
            }
        };
        let mut push = Linear::dot(normal, scene.acceleration) - search.bend;
        let mut valid = f64::INFINITY;
        if rate > 0.0 {
            // Turned by at most 27°.
            valid = 0.5 / rate;
            push = Linear::dot(normal, scene.acceleration)
                + 2.0 * Linear::dot(turning, scene.velocity)
                - valid * Linear::dot(turning, scene.acceleration).abs()
                - search.bend * 1.25_f64.sqrt()
                - search.rounding * rate * rate
                - lever(search.a.0.arm, scene.angular_velocity_a)
                - lever(search.b.0.arm, scene.angular_velocity_b);
        }
        Bound {
            scene,
            own_a: [
                scene.a.own(normal),
                tilt(&scene.a, scene.angular_velocity_a),
            ],
            own_b: [
                -scene.b.own(normal),
                -tilt(&scene.b, scene.angular_velocity_b),
            ],
            between: Linear::dot(normal, scene.b.centre),
            speed: Linear::dot(normal, scene.velocity) + Linear::dot(turning, scene.b.centre),
            push: push.min(0.0),
            rounding: search.rounding,
            valid,
        }
    }

    pub(super) fn at(&self, h: f64) -> f64 {
        let [n, tilt] = self.own_a;
        let of_a = self.scene.a.core.height(n + tilt * h);
        let [n, tilt] = self.own_b;
        let of_b = self.scene.b.core.height(n + tilt * h);
        self.between + (self.speed + 0.5 * self.push * h) * h - of_a - of_b - self.rounding
    }

    /// The slope at the beginning, of one of the farthest points of each.
    fn slope(&self) -> f64 {
        let (high_a, _) = self.scene.a.core.farthest(self.own_a[0]);
        let (high_b, _) = self.scene.b.core.farthest(self.own_b[0]);
        self.speed - Linear::dot(self.own_a[1], high_a) - Linear::dot(self.own_b[1], high_b)
    }

    /// A step of bodies that overlap and part: while they certainly go on parting.
    pub(super) fn rise(&self, start: f64) -> f64 {
        let slope = self.slope();
        // The top of the tangent's parabola; where there is none the bodies part for good.
        let mut step = if self.push < 0.0 {
            slope / -self.push
        } else {
            1.0
        };
        for _ in 0..60 {
            if !(self.at(step) < start) {
                return step;
            }
            step *= 0.5;
        }
        0.0
    }

    /// The largest step found, of at most `most`, over which the bound stays at or above a goal below its beginning; it
    /// may fall below the goal by a slack.
    pub(super) fn safe_step(&self, goal: f64, slack: f64, most: f64) -> f64 {
        let start = self.at(0.0) - goal;
        if !(start > 0.0) {
            return 0.0;
        }
        // The tangent at the beginning is above g: its zero is the farthest that the step can reach.
        let far = first_zero(start, self.slope(), self.push).min(most);
        if !far.is_finite() {
            // Nothing turns and nothing approaches.
            return self.forever(most);
        }
        let end = self.at(far) - goal;
        if end >= -slack {
            return far;
        }
        // g is concave: between a place where it is above the goal and one where it is below, the chord is below g.
        let (mut inside, mut above) = (0.0, start);
        let (mut outside, mut below) = (far, end);
        for _ in 0..4 {
            let middle = inside + (outside - inside) * (above / (above - below));
            let here = self.at(middle) - goal;
            if !(here >= -slack) {
                // Rounding alone.
                let shorter = inside + 0.99 * (middle - inside);
                return if self.at(shorter) >= goal {
                    shorter
                } else {
                    inside
                };
            }
            let gained = middle - inside;
            (inside, above) = (middle, here.max(0.0));
            if gained < 0.05 * inside || here < 0.1 * start {
                break;
            }
            // From outside too: a little beyond the zero of the next chord.
            let beyond = (middle + 2.0 * (outside - middle) * (here / (here - below))).min(outside);
            let there = self.at(beyond) - goal;
            if there >= -slack {
                (inside, above) = (beyond, there.max(0.0));
            } else {
                (outside, below) = (beyond, there);
            }
        }
        inside
    }

    /// Without an end to the tangent: as far as the bound is above where it began.
    fn forever(&self, most: f64) -> f64 {
        if self.own_a[1] == DVec3::ZERO && self.own_b[1] == DVec3::ZERO {
            return most;
        }
        // It opens at first, but other corners come: double the step while the bound holds.
        let start = self.at(0.0);
        let mut step = 1e-3;
        while step < 1e300 && self.at(step) >= start.min(0.0) {
            step *= 2.0;
        }
        0.5 * step
    }
}
