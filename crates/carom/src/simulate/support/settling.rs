//! When is a ball done with bouncing, on a wall or among several, and how does it move then?
//!
//! Infinitely many bounces come before a ball keeps touching what it falls on. They get smaller in step with each
//! other: with heights h go speeds √(2 g h) and times √(2 h/g). What is left of the time at height h is of that size;
//! and one that follows the bounces in the coordinates of the world, where places are rounded by δ, is off by
//! `δ √(2/(g h))`, which grows as they get lower. (With δ = 10⁻¹⁷ m and r = 0.1 m both are 10⁻⁸ s where they meet.)
//!
//! So the bounces are followed here, from where they are 10⁻⁷ r high, in coordinates that get smaller with them: the
//! gaps to the walls, and the velocity. A gap is exactly zero at a hit, and everything has all its digits, down to any
//! height. What the places at the start are off by is all that is left: some 10⁻¹⁴ s.
//!
//! **On one flat wall** ([`Landing`]) they are a geometric series, `2εv/(a_n (1−ε))` together. What friction makes of
//! the way and the spin is followed hit by hit.
//!
//! **Between two** ([`Bouncing`]) there is no closed form unless they stand square to each other: which wall is next
//! depends on all that has been, and often the ball comes to slide on one of them, is thrown off it by the other, and
//! lands on it again, infinitely often. A rebound from one wall that is 10⁻⁹ of what goes on across the other is the
//! last: from then on the ball slides or rolls there. That is the same to the square of 10⁻⁹, since what a sliding ball
//! is rubbed by in the time that the bounces would take, `μ a_n · 2εv/(a_n (1−ε))`, and by a last hit without rebound,
//! `μ v`, is what the bounces would rub, `μ (1+ε) v/(1−ε)`.
//!
//! **Among three or more** it is the same, with more ways to go: it flies, slides or rolls on one wall, or along the
//! groove of two, of which those that are no parabolas come from the integrator. The end is in the corner, where all it
//! can do is spin.
//!
//! **The end** is where all speeds are 10⁻¹² of what they were.

mod among;

pub use among::{Bouncing, Facing, Fate};

use super::standing::Standing;
use crate::contact::{Contact, Side};
use crate::material::{Law, Surface};
use crate::response::respond;
use crate::space::{Linear, Space};

/// Speeds that are this share of what they were at the start are none.
const OVER: f64 = 1e-12;

/// A rebound that is this share of all other speeds is the last from this wall.
const LAST: f64 = 1e-9;

/// Hits and stretches on a wall that are followed at most; with ε = 0.999 there are thirty thousand.
const MOST: usize = 200_000;

/// When the bounces are over, and how the ball moves then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Halt<S: Space> {
    /// How long they take, s.
    pub after: f64,
    /// How far the ball gets meanwhile, m.
    pub shift: S::Vector,
    /// Of the ball: that of the walls, and what it has along the groove, m/s.
    pub velocity: S::Vector,
    /// rad/s.
    pub angular_velocity: S::Angular,
    /// How many hits were followed.
    pub hits: usize,
}

/// What it takes to move a ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// 1/kg.
    pub inverse_mass: f64,
    /// 1/(kg·m²); zero for a ball that cannot be spun.
    pub inverse_inertia: f64,
}

impl Weight {
    /// A ball and a wall that stands still, as seen from the ball's centre.
    fn contact<S: Space>(&self, standing: &Standing<S>) -> Contact<S> {
        let arm = -standing.normal * standing.radius;
        Contact {
            point: arm,
            normal: standing.normal,
            a: Side {
                inverse_mass: self.inverse_mass,
                inverse_inertia: S::isotropic_inertia(self.inverse_inertia),
                velocity: standing.velocity,
                angular_velocity: standing.angular_velocity,
                arm,
            },
            b: Side::fixed(),
        }
    }
}

/// The surface at a hit that nothing comes back from.
///
/// By β what is taken across goes with the slip, and not with the blow: of the lowest bounces each takes its share of
/// what they leave. Where they are foreseen, that is in what is, and no part of it is this blow's. Otherwise this blow
/// takes what all of them would together: everything, as by β = 0, where there are no others.
pub fn last(surface: &Surface, foreseen: bool) -> Surface {
    let last = Surface {
        restitution: 0.0,
        // It keeps touching.
        contact_duration: 0.0,
        ..*surface
    };
    if surface.law != Law::Beta || surface.restitution == 0.0 || !foreseen {
        return last;
    }
    Surface {
        static_friction: 0.0,
        kinetic_friction: 0.0,
        law: Law::Coulomb,
        ..last
    }
}

/// A ball that bounces on one flat wall, at a hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landing<S: Space> {
    /// The ball, before the hit, and the wall.
    pub standing: Standing<S>,
    /// What is between them.
    pub surface: Surface,
    /// What it takes to move the ball.
    pub weight: Weight,
}

impl<S: Space> Landing<S> {
    /// When and how the bounces come to their end; `None` where they do not.
    pub fn halt(&self) -> Option<Halt<S>> {
        let wall_velocity = self.standing.wall_velocity;
        let mut now = Standing {
            velocity: self.standing.velocity - wall_velocity,
            wall_velocity: S::Vector::ZERO,
            ..self.standing
        };
        let (pressing, restitution) = (now.pressing(), self.surface.restitution);
        let closing = -now.normal.dot(now.velocity) / now.normal.length();
        if !(pressing > 0.0 && closing > 0.0 && restitution < 1.0) {
            return None;
        }
        let after = 2.0 * restitution * closing / (pressing * (1.0 - restitution));
        let along = now.along();
        let halt = |shift: S::Vector,
                    velocity: S::Vector,
                    angular_velocity: S::Angular,
                    hits: usize| Halt {
            after,
            shift: wall_velocity * after + shift,
            velocity: wall_velocity + velocity,
            angular_velocity,
            hits,
        };
        if !rubs(&self.surface) {
            let way = now.way();
            let shift = (way + along * (0.5 * after)) * after;
            return Some(halt(shift, way + along * after, now.angular_velocity, 0));
        }
        let (mut speed, mut shift) = (closing, S::Vector::ZERO);
        for hits in 1..MOST {
            let over = speed * restitution <= OVER * closing;
            let surface = if over {
                last(&self.surface, true)
            } else {
                self.surface
            };
            let contact = self.weight.contact(&now);
            let hit = contact.after(&respond(&contact, &surface)).a;
            (now.velocity, now.angular_velocity) = (hit.velocity, hit.angular_velocity);
            let way = now.way();
            if over {
                let finite = way.is_finite() && now.angular_velocity.is_finite();
                return finite.then(|| halt(shift, way, now.angular_velocity, hits));
            }
            speed *= restitution;
            let flight = 2.0 * speed / pressing;
            shift += (way + along * (0.5 * flight)) * flight;
            now.velocity = way + along * flight - now.normal * speed;
        }
        None
    }
}

fn rubs(surface: &Surface) -> bool {
    surface.law == Law::Beta || surface.static_friction.max(surface.kinetic_friction) > 0.0
}
