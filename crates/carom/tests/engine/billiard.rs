//! Galperin's billiard and its closed forms.
//!
//! Light ball: mass m = 1, at rest, its surface y₀ from the wall. Heavy ball: mass M = 100ᵏ, speed 1. With y the way
//! that the light ball has to the wall and Y the way that the heavy one would have if it could push the light one flat
//! (both less the radii), `0 ≤ y ≤ Y`. In the coordinates `(√M Y, √m y)` the kinetic energy is that of one point of
//! mass 1 and every elastic collision a mirror: the wall is the axis, the meeting of the balls the line at the angle
//! `θ = atan √(m/M) = atan 10⁻ᵏ`. Instead of reflecting the point, reflect the wedge between the two: the path is then
//! the straight line at the height y₀, from the right to the left.
//!
//! * Its polar angle φ grows from below θ to π, and every multiple of θ before π is a collision: `N = ⌈π/θ⌉ − 1` of
//!   them; odd multiples are those of the balls, even ones those with the wall.
//! * Folded back after N of them, its direction makes the angle `α = δ` (N even) or `θ − δ` (N odd) with the axis,
//!   where `δ = π − N θ`. The speed was √M and still is: `V = cos α`, `v = √M sin α`.
//! * At the angle φ the distance from the corner is `y₀ / sin φ`. The heavy ball turns where it meets the light one, at
//!   an odd multiple of θ; folded back, that is at the angle θ, so that `Y = y₀ cos θ / (√M sin φ)`. It is nearest to
//!   the wall at the odd multiple that is nearest to π/2.

use carom::prelude::*;
use carom::record::Collision;
use carom::shape::HalfSpace;

/// A wall at x = 0, a ball of mass 1 at rest, one of mass 100ᵏ coming in.
pub struct Billiard {
    power: u32,
}

/// Small, so that the places of the balls keep their digits when they are squeezed against the wall; a power of two.
const RADIUS: f64 = 1.0 / (1 << 20) as f64;

/// π in units of 10⁻³⁶.
const PI: u128 = 3_141_592_653_589_793_238_462_643_383_279_502_884;

impl Billiard {
    pub fn new(power: u32) -> Self {
        Billiard { power }
    }

    /// √M = 10ᵏ.
    fn root_mass(&self) -> f64 {
        10_u64.pow(self.power) as f64
    }

    pub fn world(&self) -> World<Space2> {
        let mut world = World::new();
        let wall = HalfSpace::solid(DVec2::X).expect("a unit normal");
        let ball = |mass: f64, way: f64, radii: f64, speed: f64| {
            let place = DVec2::new(way + radii * RADIUS, 0.0);
            Body::ball(RADIUS, mass, place, DVec2::new(-speed, 0.0)).expect("a positive radius")
        };
        let heavy = self.root_mass() * self.root_mass();
        for body in [
            Body::fixed(Shape::HalfSpace(wall)),
            ball(1.0, 1.0, 1.0, 0.0),
            ball(heavy, 2.0, 3.0, 1.0),
        ] {
            world.add(body).expect("finite numbers");
        }
        world
    }

    /// A time after the last collision, s: at δ = f·10⁻ᵏ it is at `2 + 1/f`, and f is at least 0.1 for these k.
    pub fn end(&self) -> f64 {
        20.0
    }

    /// `⌈π/θ⌉ − 1`; that these are the digits of π is known for k ≤ 8 (and for many more).
    pub fn collisions(&self) -> u64 {
        (PI / 10_u128.pow(36 - self.power)) as u64
    }

    fn theta(&self) -> f64 {
        libm::atan(1.0 / self.root_mass())
    }

    /// δ = π − N θ, without cancellation: `(π − N 10⁻ᵏ) + N (x − atan x)` with x = 10⁻ᵏ.
    fn rest(&self) -> f64 {
        let number = self.collisions();
        let tail = PI - u128::from(number) * 10_u128.pow(36 - self.power);
        let x = 1.0 / self.root_mass();
        let curved = match self.power {
            0..=1 => x - libm::atan(x),
            // x³/3 − x⁵/5 + x⁷/7 − x⁹/9: what is left out is below x⁸/4 of it.
            _ => x * x * x * (1.0 / 3.0 - x * x * (0.2 - x * x * (1.0 / 7.0 - x * x / 9.0))),
        };
        tail as f64 * 1e-36 + number as f64 * curved
    }

    /// Of the light ball and of the heavy one, m/s.
    pub fn final_velocities(&self) -> (f64, f64) {
        let angle = match self.collisions() % 2 {
            0 => self.rest(),
            _ => self.theta() - self.rest(),
        };
        (self.root_mass() * libm::sin(angle), libm::cos(angle))
    }

    /// The least Y, m.
    pub fn nearest(&self) -> f64 {
        let theta = self.theta();
        let half = std::f64::consts::FRAC_PI_2;
        // The odd number nearest to (π/2)/θ.
        let odd = 2.0 * ((half / theta - 1.0) / 2.0).round() + 1.0;
        libm::cos(theta) / (self.root_mass() * libm::sin(odd * theta))
    }

    /// Y at a collision of the two balls, m; infinite at one with the wall.
    pub fn heavy_place(&self, collision: &Collision<Space2>) -> f64 {
        match collision.b {
            BodyId(0) => f64::INFINITY,
            // Where they touch, less the light ball.
            _ => collision.point.x - 2.0 * RADIUS,
        }
    }
}
