//! When is a ball done with bouncing, on a wall or between two, and how does it move then?
//!
//! Infinitely many bounces come before a ball keeps touching what it falls on. They get smaller in step with each other: with heights h go speeds √(2 g h) and times √(2 h/g). What is left of the time at height h is of that size; and one who
//! follows the bounces in the coordinates of the world, where places are rounded by δ, is off by `δ √(2/(g h))`, which grows as they get lower. (With δ = 10⁻¹⁷ m and r = 0.1 m both are 10⁻⁸ s where they meet.)
//!
//! So the bounces are followed here, from where they are 10⁻⁷ r high, in coordinates that get smaller with them: the gaps to the walls, and the velocity. A gap is exactly zero at a hit, and everything has all its digits, down to any
//! height. What the places at the start are off by is all that is left: some 10⁻¹⁴ s.
//!
//! **On one flat wall** ([`Landing`]) they are a geometric series, `2εv/(a_n (1−ε))` together. What friction makes of the way and the spin is followed hit by hit.
//!
//! **Between two** ([`Bouncing`]) there is no closed form unless they stand square to each other: which wall is next depends on all that has been, and often the ball comes to slide on one of them, is thrown off it by the other, and lands on it again,
//! infinitely often. A rebound from one wall that is 10⁻⁹ of what goes on across the other is the last: from then on the ball slides or rolls there. That is the same to the square of 10⁻⁹, since what a sliding ball is rubbed by in the
//! time that the bounces would take, `μ a_n · 2εv/(a_n (1−ε))`, and by a last hit without rebound, `μ v`, is what the bounces would rub, `μ (1+ε) v/(1−ε)`.
//!
//! **The end** is where all speeds are 10⁻¹² of what they were.

use crate::contact::{Contact, Side};
use crate::crease::{Held, Nestled};
use crate::material::{Law, Surface};
use crate::response::respond;
use crate::response::together::{Joint, respond_together};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};
use crate::support::{Standing, Turn};

/// Speeds that are this share of what they were at the start are none.
const OVER: f64 = 1e-12;

/// So are speeds that are so many times what rounding makes.
const COARSE: f64 = 16.0;

/// A rebound that is this share of all other speeds is the last from this wall.
const LAST: f64 = 1e-9;

/// Gaps that are this share of those that belong to the speeds are none: rounding parts hits at both walls that come at once.
const AT_ONCE: f64 = 1e-13;

/// How far from the walls it may get, in units of the height that its speed at the start would lift it.
const FAR: f64 = 64.0;

/// Hits and stretches on a wall that are followed at most; with ε = 0.999 there are thirty thousand.
const MOST: usize = 200_000;

/// A ball that bounces between two walls, at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bouncing<S: Space> {
    /// The ball and the walls; their normals, frictions and velocity are what counts.
    pub nestled: Nestled<S>,
    /// What is between the ball and each wall.
    pub surfaces: [Surface; 2],
    /// What it takes to move the ball.
    pub weight: Weight,
    /// From the walls, m.
    pub gaps: [f64; 2],
    /// The wall that it keeps touching, if any.
    pub on: Option<usize>,
}

/// When the bounces are over, and how the ball moves then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Halt<S: Space> {
    /// How long they take, s.
    pub after: f64,
    /// How far the ball gets meanwhile, m.
    pub shift: S::Vector,
    /// Of the ball: that of the walls, and what it has along the crease, m/s.
    pub velocity: S::Vector,
    /// rad/s.
    pub spin: S::Spin,
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
                spin: standing.spin,
                arm,
            },
            b: Side::fixed(),
        }
    }
}

/// The surface at a hit that nothing comes back from.
pub fn last(surface: &Surface) -> Surface {
    Surface {
        restitution: 0.0,
        // It keeps touching.
        contact_duration: 0.0,
        law: match surface.law {
            Law::Beta => Law::Coulomb,
            law => law,
        },
        ..*surface
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
        let halt = |shift: S::Vector, velocity: S::Vector, spin: S::Spin, hits: usize| Halt {
            after,
            shift: wall_velocity * after + shift,
            velocity: wall_velocity + velocity,
            spin,
            hits,
        };
        if !rubs(&self.surface) {
            let way = now.way();
            let shift = (way + along * (0.5 * after)) * after;
            return Some(halt(shift, way + along * after, now.spin, 0));
        }
        let (mut speed, mut shift) = (closing, S::Vector::ZERO);
        for hits in 1..MOST {
            let over = speed * restitution <= OVER * closing;
            let surface = match over {
                true => last(&self.surface),
                false => self.surface,
            };
            let contact = self.weight.contact(&now);
            let hit = contact.after(&respond(&contact, &surface)).a;
            (now.velocity, now.spin) = (hit.velocity, hit.spin);
            let way = now.way();
            if over {
                let finite = way.is_finite() && now.spin.is_finite();
                return finite.then(|| halt(shift, way, now.spin, hits));
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

/// The first time, not before now, at which `gap + speed t + half t²` falls through zero; infinite where it does not.
fn falls(gap: f64, speed: f64, half: f64) -> f64 {
    let discriminant = speed * speed - 4.0 * half * gap;
    if speed < 0.0 {
        if gap <= 0.0 {
            return 0.0;
        }
        match discriminant {
            below if below < 0.0 => f64::INFINITY,
            _ => 2.0 * gap / (discriminant.sqrt() - speed),
        }
    } else if half < 0.0 {
        (speed + discriminant.max(0.0).sqrt()) / (-2.0 * half)
    } else {
        f64::INFINITY
    }
}

impl<S: Space> Bouncing<S> {
    fn normal(&self, wall: usize) -> S::Vector {
        self.nestled.flanks[wall].normal
    }

    /// Towards a wall where it is negative, m/s.
    fn speed(&self, wall: usize) -> f64 {
        self.normal(wall).dot(self.nestled.velocity)
    }

    /// What a wall's distance and the speed across it are worth, m/s.
    fn liveliness(&self, wall: usize) -> f64 {
        let falling = 2.0 * self.nestled.gravity.length() * self.gaps[wall].max(0.0);
        self.speed(wall).abs().max(falling.sqrt())
    }

    fn contact(&self, wall: usize) -> Contact<S> {
        self.weight.contact(&self.standing(wall))
    }

    fn standing(&self, wall: usize) -> Standing<S> {
        let nestled = &self.nestled;
        Standing {
            radius: nestled.radius,
            roundness: nestled.roundness,
            normal: self.normal(wall),
            wall_velocity: S::Vector::ZERO,
            gravity: nestled.gravity,
            rubbing: nestled.flanks[wall].rubbing,
            place: S::Vector::ZERO,
            velocity: nestled.velocity,
            spin: nestled.spin,
            wall_acceleration: S::Vector::ZERO,
            centrifugal: 0.0,
        }
    }

    /// A speed across the walls that rounding may have made, m/s: in a groove it is what is left of much faster ones along it, and no law answers hits that are slower.
    fn rounding(&self) -> f64 {
        let Nestled {
            velocity,
            spin,
            radius,
            ..
        } = self.nestled;
        32.0 * UNIT_ROUNDOFF * (velocity.length() + spin.length() * radius)
    }

    /// Whether a wall alone presses a ball on that touches it.
    fn presses(&self, wall: usize) -> bool {
        self.normal(wall).dot(self.nestled.gravity) < 0.0
    }

    /// When and how the bounces come to their end; `None` where the ball leaves the corner, where both walls would not hold it, and where its way on one of them is no parabola.
    pub fn halt(&self) -> Option<Halt<S>> {
        let wall_velocity = self.nestled.wall_velocity;
        let mut now = *self;
        // As seen from the walls.
        now.nestled.velocity -= wall_velocity;
        now.nestled.wall_velocity = S::Vector::ZERO;
        let start = now.liveliness(0).max(now.liveliness(1));
        let far = FAR * start * start / now.nestled.gravity.length();
        let (mut after, mut shift, mut hits) = (0.0, S::Vector::ZERO, 0);
        for _ in 0..MOST {
            let left = now.liveliness(0).max(now.liveliness(1));
            let rounding = now.rounding();
            if left <= (OVER * start).max(COARSE * rounding) {
                let halt = now.over(left)?;
                return Some(Halt {
                    after,
                    shift: wall_velocity * after + shift,
                    velocity: wall_velocity + halt.0,
                    spin: halt.1,
                    hits,
                });
            }
            let closing = [0, 1].map(|wall| {
                let due = now.gaps[wall] <= AT_ONCE * left * left / now.nestled.gravity.length();
                due && now.speed(wall) < -rounding
            });
            if closing == [false; 2] {
                let (time, way) = now.go_on(far)?;
                after += time;
                shift += way;
            } else {
                now.strike(closing)?;
                hits += 1;
            }
        }
        None
    }

    /// How it moves at the end, if both walls hold it, as seen from them.
    fn over(mut self, left: f64) -> Option<(S::Vector, S::Spin)> {
        let nestled = &mut self.nestled;
        nestled.velocity = nestled.way();
        let surface = nestled.spin.length() * nestled.radius;
        // What is left of the spin came with the last hits.
        if surface <= left / OVER.sqrt() && self.surfaces.iter().any(rubs) && S::DIMENSION == 2 {
            nestled.spin = S::Spin::ZERO;
        }
        let held = !matches!(nestled.held(), Held::By(_));
        held.then_some((nestled.velocity, nestled.spin))
    }

    /// Goes on to the next hit or turn; how long that takes, s, and how far it leads, m.
    fn go_on(&mut self, far: f64) -> Option<(f64, S::Vector)> {
        let (piece, turn) = match self.on {
            Some(wall) => {
                let stretch = self.standing(wall).on_flat()?;
                (Some(stretch.piece), Some((stretch.piece.end, stretch.turn)))
            }
            None => (None, None),
        };
        let (velocity, half) = match &piece {
            Some(piece) => (piece.velocity_at(0.0), piece.place.bend_at(0.0) * 0.5),
            None => (self.nestled.velocity, self.nestled.gravity * 0.5),
        };
        let mut next = (f64::INFINITY, None);
        for wall in (0..2).filter(|&wall| self.on != Some(wall)) {
            let (speed, half) = (self.normal(wall).dot(velocity), self.normal(wall).dot(half));
            let time = falls(self.gaps[wall], speed, half);
            if time < next.0 {
                next = (time, Some(wall));
            }
        }
        let turns = turn.filter(|&(end, _)| end < next.0);
        let time = turns.map_or(next.0, |(end, _)| end);
        if !time.is_finite() {
            return None;
        }
        for wall in 0..2 {
            let normal = self.normal(wall);
            let way = normal.dot(velocity) + normal.dot(half) * time;
            self.gaps[wall] = match (self.on, next.1) {
                (Some(on), _) if on == wall => 0.0,
                (_, Some(hit)) if hit == wall && turns.is_none() => 0.0,
                _ => (self.gaps[wall] + way * time).max(0.0),
            };
            if self.gaps[wall] > far {
                return None;
            }
        }
        self.nestled.velocity = velocity + half * (2.0 * time);
        if let Some(piece) = piece {
            self.nestled.spin = piece.spin_at(time);
        }
        if let (Some((_, turn)), Some(wall)) = (turns, self.on) {
            let after = self.standing(wall).after(turn);
            (self.nestled.velocity, self.nestled.spin) = (after.velocity, after.spin);
            if turn == Turn::GoesOn {
                return None;
            }
        }
        Some((time, (velocity + half * time) * time))
    }

    /// Answers hits at this instant, with the last rebounds left out.
    fn strike(&mut self, closing: [bool; 2]) -> Option<()> {
        let surface = |wall: usize| {
            let surface = self.surfaces[wall];
            let rebound = -self.speed(wall) * surface.restitution;
            let others = self.liveliness(1 - wall);
            match rebound <= (LAST * others).max(self.rounding()) && self.presses(wall) {
                true => last(&surface),
                false => surface,
            }
        };
        let walls = (0..2).filter(|&wall| closing[wall]);
        let joints: Vec<Joint<S>> = walls
            .clone()
            .map(|wall| Joint {
                contact: self.contact(wall),
                surface: surface(wall),
                bodies: [0, 1],
            })
            .collect();
        let responses = respond_together(&joints)
            .unwrap_or_else(|| vec![respond(&joints[0].contact, &joints[0].surface)]);
        for response in &responses {
            let now = Contact {
                a: Side {
                    velocity: self.nestled.velocity,
                    spin: self.nestled.spin,
                    ..joints[0].contact.a
                },
                ..joints[0].contact
            };
            let after = now.after(response);
            (self.nestled.velocity, self.nestled.spin) = (after.a.velocity, after.a.spin);
        }
        for wall in walls {
            self.gaps[wall] = 0.0;
        }
        // Who keeps touching which wall now?
        let stays = |wall: usize| {
            self.gaps[wall] == 0.0
                && self.presses(wall)
                && self.speed(wall).abs() <= (LAST * self.liveliness(1 - wall)).max(self.rounding())
        };
        self.on = (0..2).find(|&wall| stays(wall));
        (self.nestled.velocity.is_finite() && self.nestled.spin.is_finite()).then_some(())
    }
}
