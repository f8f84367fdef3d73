//! Bounces among two walls or more.

use super::super::corner::{InCorner, Poise};
use super::super::groove::{GrooveSide, Held, InGroove};
use super::super::sliding;
use super::super::standing::{Standing, Turn};
use super::{Halt, LAST, MOST, OVER, Weight, last, rubs};
use crate::contact::{Contact, Side};
use crate::material::Surface;
use crate::motion::{Curve, TrajectorySegment};
use crate::response::together::{Joint, respond_together};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// Speeds that are so many times what rounding makes are none.
const COARSE: f64 = 16.0;

/// Gaps that are this share of those that belong to the speeds are none: rounding parts hits at several walls that come
/// at once.
const AT_ONCE: f64 = 1e-13;

/// How far from the walls it may get, in units of the height that its speed at the start would lift it.
const FAR: f64 = 64.0;

/// How many stretches on walls by the integrator are followed at most: each takes some 10⁻⁵ s.
const MOST_BY_INTEGRATOR: usize = 3_000;

/// Bounces that were followed so long and come to nothing are not worth being followed again.
const LONG: usize = 2_000;

/// How often nothing may happen at one instant but that the ball goes over from wall to wall.
const MOST_AT_ONCE: usize = 64;

/// How much longer than a parabola would take to the next wall a piece by the integrator may be.
const PAST: f64 = 1.5;

/// One of the walls that a ball bounces among.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facing<S: Space> {
    /// Its normal, and how it rubs a ball that keeps touching it.
    pub flank: GrooveSide<S>,
    /// What is between it and the ball.
    pub surface: Surface,
    /// From the ball, m.
    pub gap: f64,
    /// Whether the ball keeps touching it; it does so with two at most.
    pub on: bool,
}

/// A ball that bounces among walls that stand still, or move on together, at one instant.
///
/// Uniform gravity knows no lengths: with speeds and times λ times and heights λ² times as large all goes the same way.
/// So everything is kept in units that get smaller with the bounces, by powers of two, and the integrator, where it is
/// needed, has speeds of √(g r) to deal with.
#[derive(Clone, Debug, PartialEq)]
pub struct Bouncing<S: Space> {
    /// Of the ball, m.
    pub radius: f64,
    /// `I/(m r²)`; infinite for a ball that cannot be spun.
    pub roundness: f64,
    /// m/s².
    pub gravity: S::Vector,
    /// Of all walls, m/s.
    pub wall_velocity: S::Vector,
    /// Of the ball's centre, m/s.
    pub velocity: S::Vector,
    /// rad/s.
    pub angular_velocity: S::Angular,
    /// What it takes to move the ball.
    pub weight: Weight,
    /// Two or more; in 2-D two.
    pub walls: Vec<Facing<S>>,
}

/// What comes of bounces among walls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fate<S: Space> {
    /// They come to their end.
    Halts(Halt<S>),
    /// The ball leaves the corner, or the walls would not hold it there, as soon shows.
    Leaves,
    /// There are too many of them to be followed, or the ball leaves after very many.
    Untold,
}

/// A stretch of way, with places counted from where it starts.
struct Going<S: Space> {
    segment: TrajectorySegment<S>,
    /// What happens at its end, unless a wall comes first.
    turn: Turn,
    /// The wall that lets go of the ball at its end.
    leaves: Option<usize>,
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

/// How a gap changes on a segment: its polynomial, without the constant term, over t.
fn opening<S: Space>(place: &Curve<S::Vector>, normal: S::Vector, t: f64) -> f64 {
    let terms = place.terms().iter().skip(1).rev();
    terms.fold(0.0, |value, &term| value * t + normal.dot(term))
}

impl<S: Space> Bouncing<S> {
    fn normal(&self, wall: usize) -> S::Vector {
        self.walls[wall].flank.normal
    }

    fn numbers(&self) -> std::ops::Range<usize> {
        0..self.walls.len()
    }

    /// Towards a wall where it is negative, m/s.
    fn speed(&self, wall: usize) -> f64 {
        self.normal(wall).dot(self.velocity)
    }

    /// What a wall's distance and the speed across it are worth, m/s.
    fn liveliness(&self, wall: usize) -> f64 {
        let falling = 2.0 * self.gravity.length() * self.walls[wall].gap.max(0.0);
        self.speed(wall).abs().max(falling.sqrt())
    }

    /// What is going on across all walls but these, m/s.
    fn elsewhere(&self, but: &[usize]) -> f64 {
        let others = self.numbers().filter(|wall| !but.contains(wall));
        others.fold(0.0, |most: f64, wall| most.max(self.liveliness(wall)))
    }

    fn standing(&self, wall: usize) -> Standing<S> {
        Standing {
            radius: self.radius,
            roundness: self.roundness,
            normal: self.normal(wall),
            wall_velocity: S::Vector::ZERO,
            gravity: self.gravity,
            rubbing: self.walls[wall].flank.rubbing,
            place: S::Vector::ZERO,
            velocity: self.velocity,
            angular_velocity: self.angular_velocity,
            twist: S::Angular::ZERO,
            wall_spin: S::Angular::ZERO,
            wall_acceleration: S::Vector::ZERO,
            normal_rate: S::Vector::ZERO,
            left_over: 0.0,
            centrifugal: 0.0,
        }
    }

    fn in_groove(&self, walls: [usize; 2]) -> InGroove<S> {
        InGroove {
            radius: self.radius,
            roundness: self.roundness,
            flanks: walls.map(|wall| self.walls[wall].flank),
            wall_velocity: S::Vector::ZERO,
            gravity: self.gravity,
            place: S::Vector::ZERO,
            velocity: self.velocity,
            angular_velocity: self.angular_velocity,
        }
    }

    fn in_corner(&self, walls: [usize; 3]) -> InCorner<S> {
        InCorner {
            radius: self.radius,
            roundness: self.roundness,
            flanks: walls.map(|wall| self.walls[wall].flank),
            wall_velocity: S::Vector::ZERO,
            gravity: self.gravity,
            place: S::Vector::ZERO,
            velocity: S::Vector::ZERO,
            angular_velocity: self.angular_velocity,
        }
    }

    /// A speed across the walls that rounding may have made, m/s: in a groove it is what is left of much faster ones
    /// along it, and no law answers hits that are slower.
    fn rounding(&self) -> f64 {
        32.0 * UNIT_ROUNDOFF
            * (self.velocity.length() + self.angular_velocity.length() * self.radius)
    }

    /// Whether a wall alone presses a ball on that touches it.
    fn presses(&self, wall: usize) -> bool {
        self.normal(wall).dot(self.gravity) < 0.0
    }

    /// Whether a ball touches a wall and hardly moves across it, compared with what goes on elsewhere.
    fn is_quiet(&self, wall: usize, but: &[usize]) -> bool {
        self.walls[wall].gap == 0.0
            && self.speed(wall).abs() <= (LAST * self.elsewhere(but)).max(self.rounding())
    }

    /// Whether a wall presses a ball on that touches it, alone or together with another that the ball keeps quiet at.
    fn is_pressed(&self, wall: usize) -> bool {
        let with = |other: usize| {
            other != wall
                && self.is_quiet(other, &[wall, other])
                && (self.in_groove([wall, other]).pushes())
                    .is_some_and(|pushes| pushes.iter().all(|&push| push > 0.0))
        };
        self.presses(wall) || (self.walls.len() > 2 && self.numbers().any(with))
    }

    /// When and how the bounces come to their end.
    pub fn fate(&self) -> Fate<S> {
        let wall_velocity = self.wall_velocity;
        let mut now = self.clone();
        // As seen from the walls.
        now.velocity -= wall_velocity;
        now.wall_velocity = S::Vector::ZERO;
        let start = now.elsewhere(&[]);
        let far = FAR * start * start / now.gravity.length();
        let (mut after, mut shift, mut hits) = (0.0, S::Vector::ZERO, 0);
        let (mut unit, mut idle, mut integrated) = (1.0, 0, 0);
        let gone = |steps: usize| {
            if steps > LONG {
                Fate::Untold
            } else {
                Fate::Leaves
            }
        };
        for step in 0..MOST {
            unit *= now.magnify();
            let left = now.elsewhere(&[]);
            let rounding = now.rounding();
            if left <= (OVER * start / unit).max(COARSE * rounding) {
                let halt = now.over(left).map(|(velocity, angular_velocity)| Halt {
                    after,
                    shift: wall_velocity * after + shift,
                    velocity: wall_velocity + velocity * unit,
                    angular_velocity: angular_velocity * unit,
                    hits,
                });
                return halt.map_or(gone(step), Fate::Halts);
            }
            let due = AT_ONCE * left * left / now.gravity.length();
            let closing = |&wall: &usize| now.walls[wall].gap <= due && now.speed(wall) < -rounding;
            let closing: Vec<usize> = now.numbers().filter(closing).collect();
            if !closing.is_empty() {
                if now.strike(&closing).is_none() {
                    return gone(step);
                }
                (hits, idle) = (hits + 1, 0);
                continue;
            }
            let Some((time, way)) = now.go_on(far / (unit * unit), &mut integrated) else {
                return gone(step);
            };
            idle = if time > 0.0 { 0 } else { idle + 1 };
            if idle > MOST_AT_ONCE || integrated > MOST_BY_INTEGRATOR {
                return Fate::Untold;
            }
            after += time * unit;
            shift += way * (unit * unit);
        }
        Fate::Untold
    }

    /// Goes over to smaller units, by a power of two, where speeds have got smaller; how large the new ones are in the
    /// old.
    fn magnify(&mut self) -> f64 {
        let natural = (self.gravity.length() * self.radius).sqrt();
        let share = self.elsewhere(&[]) / natural;
        if !(share > 0.0 && share.is_finite()) {
            return 1.0;
        }
        let power = libm::ilogb(share);
        let unit = libm::scalbn(1.0, power);
        let by = 1.0 / unit;
        self.velocity = self.velocity * by;
        self.angular_velocity = self.angular_velocity * by;
        for wall in &mut self.walls {
            wall.gap *= by * by;
        }
        unit
    }

    /// How it moves at the end, if the walls hold it, as seen from them.
    fn over(mut self, left: f64) -> Option<(S::Vector, S::Angular)> {
        // What is left of the spin came with the last hits.
        let surface = self.angular_velocity.length() * self.radius;
        let rubbed = self.walls.iter().any(|wall| rubs(&wall.surface));
        let gone = surface <= left / OVER.sqrt() && rubbed;
        let number = self.walls.len();
        if number == 2 {
            let mut in_groove = self.in_groove([0, 1]);
            in_groove.velocity = in_groove.way();
            if gone && S::DIMENSION == 2 {
                in_groove.angular_velocity = S::Angular::ZERO;
            }
            let held = !matches!(in_groove.held(), Held::By(_));
            return held.then_some((in_groove.velocity, in_groove.angular_velocity));
        }
        if gone {
            self.angular_velocity = S::Angular::ZERO;
        }
        let holds = |walls: [usize; 3]| !matches!(self.in_corner(walls).held(), Poise::Leaves(_));
        let held = self.numbers().any(|a| {
            (a + 1..number).any(|b| (b + 1..number).any(|c| S::DIMENSION == 3 && holds([a, b, c])))
        });
        held.then_some((S::Vector::ZERO, self.angular_velocity))
    }

    fn on(&self) -> Vec<usize> {
        self.numbers().filter(|&wall| self.walls[wall].on).collect()
    }

    /// When the next wall is hit by one that goes on like this.
    fn next_wall(&self, velocity: S::Vector, half: S::Vector) -> (f64, Option<usize>) {
        let mut next = (f64::INFINITY, None);
        for wall in self.numbers().filter(|&wall| !self.walls[wall].on) {
            let normal = self.normal(wall);
            let (speed, half) = (normal.dot(velocity), normal.dot(half));
            let time = falls(self.walls[wall].gap, speed, half);
            if time < next.0 {
                next = (time, Some(wall));
            }
        }
        next
    }

    /// How it goes on where it keeps touching these walls; `None` where that is not known.
    fn going(&mut self, on: &[usize], integrated: &mut usize) -> Option<Going<S>> {
        let closed = |stretch: super::super::standing::Stretch<S>, leaves: Option<usize>| Going {
            segment: stretch.segment,
            turn: stretch.turn,
            leaves,
        };
        match on[..] {
            [wall] => {
                let standing = self.standing(wall);
                if let Some(stretch) = standing.on_flat() {
                    return Some(closed(stretch, None));
                }
                *integrated += 1;
                let (push, _) = standing.rates(&standing.mode(standing.regime()));
                let latest = PAST * self.next_wall(self.velocity, push * 0.5).0;
                Some(closed(sliding::on_flat(&standing, latest).ok()?, None))
            }
            [first, second] => {
                let in_groove = self.in_groove([first, second]);
                match in_groove.held() {
                    Held::ByBoth(stretch) => Some(closed(stretch, None)),
                    Held::Askew => {
                        *integrated += 1;
                        let push = in_groove.acceleration();
                        let latest = PAST * self.next_wall(in_groove.way(), push * 0.5).0;
                        let (stretch, left) = sliding::askew(&in_groove, 0.0, 0.0, latest).ok()?;
                        Some(closed(stretch, left.map(|left| on[left])))
                    }
                    Held::By(only) => {
                        let left = on[1 - only];
                        self.walls[left].on = false;
                        self.going(&[on[only]], integrated)
                    }
                }
            }
            _ => {
                let place = Curve::new(&[S::Vector::ZERO, self.velocity, self.gravity * 0.5]);
                Some(Going {
                    segment: TrajectorySegment {
                        place,
                        angular_velocity: Curve::constant(self.angular_velocity),
                        end: f64::INFINITY,
                    },
                    turn: Turn::GoesOn,
                    leaves: None,
                })
            }
        }
    }

    /// Goes on to the next hit or turn; how long that takes, s, and how far it leads, m.
    fn go_on(&mut self, far: f64, integrated: &mut usize) -> Option<(f64, S::Vector)> {
        let going = self.going(&self.on(), integrated)?;
        let (segment, place) = (&going.segment, &going.segment.place);
        let next = if place.degree() <= 2 {
            self.next_wall(place.rate_at(0.0), place.bend_at(0.0) * 0.5)
        } else {
            self.next_on(segment)
        };
        let turns = segment.end < next.0;
        let time = if turns { segment.end } else { next.0 };
        if !time.is_finite() {
            return None;
        }
        for wall in self.numbers() {
            let way = opening::<S>(place, self.normal(wall), time);
            let facing = &mut self.walls[wall];
            facing.gap = match next.1 {
                _ if facing.on => 0.0,
                Some(hit) if hit == wall && !turns => 0.0,
                _ => (facing.gap + way * time).max(0.0),
            };
            if facing.gap > far {
                return None;
            }
        }
        let way = going.segment.position_at(time);
        let on = self.on();
        self.velocity = going.segment.velocity_at(time);
        if !on.is_empty() {
            self.angular_velocity = going.segment.angular_velocity_at(time);
        }
        if turns {
            if let Some(left) = going.leaves {
                self.walls[left].on = false;
            }
            let by_integrator =
                going.segment.place.degree() > 2 || going.segment.angular_velocity.degree() > 1;
            let at_once = going.segment.end == f64::MIN_POSITIVE;
            match on[..] {
                [wall] => {
                    let after = self.standing(wall).after(going.turn);
                    (self.velocity, self.angular_velocity) =
                        (after.velocity, after.angular_velocity);
                }
                [first, second] => {
                    let in_groove = self.in_groove([first, second]);
                    (self.velocity, self.angular_velocity) = in_groove.after(going.turn, at_once);
                }
                _ => {}
            }
            // A stretch in closed form that goes on at its end is one that is not known.
            if going.turn == Turn::GoesOn && on.len() == 1 && !by_integrator {
                return None;
            }
        }
        Some((time, way))
    }

    /// When the next wall is hit on a piece by the integrator, if one is.
    fn next_on(&self, segment: &TrajectorySegment<S>) -> (f64, Option<usize>) {
        let mut next = (f64::INFINITY, None);
        for wall in self.numbers().filter(|&wall| !self.walls[wall].on) {
            let (gap, normal) = (self.walls[wall].gap, self.normal(wall));
            // One that it has just left is at zero, and the speed says which way it goes from there.
            let value = |t: f64| {
                if gap > 0.0 {
                    gap + opening::<S>(&segment.place, normal, t) * t
                } else {
                    opening::<S>(&segment.place, normal, t)
                }
            };
            let time = if value(0.0) > 0.0 {
                sliding::first_fall(segment.end.min(next.0), value)
            } else {
                Some(0.0)
            };
            if let Some(time) = time.filter(|&time| time < next.0) {
                next = (time, Some(wall));
            }
        }
        next
    }

    /// Answers hits at this instant, with the last rebounds left out.
    fn strike(&mut self, closing: &[usize]) -> Option<()> {
        let surface = |wall: usize| {
            let surface = self.walls[wall].surface;
            let rebound = -self.speed(wall) * surface.restitution;
            let others = self.elsewhere(&[wall]);
            if rebound <= (LAST * others).max(self.rounding()) && self.is_pressed(wall) {
                last(&surface, true)
            } else {
                surface
            }
        };
        let joints: Vec<Joint<S>> = closing
            .iter()
            .map(|&wall| Joint {
                contact: self.weight.contact(&self.standing(wall)),
                surface: surface(wall),
                bodies: [0, 1],
            })
            .collect();
        let responses = respond_together(&joints);
        for response in &responses {
            let now = Contact {
                a: Side {
                    velocity: self.velocity,
                    angular_velocity: self.angular_velocity,
                    ..joints[0].contact.a
                },
                ..joints[0].contact
            };
            let after = now.after(response);
            (self.velocity, self.angular_velocity) = (after.a.velocity, after.a.angular_velocity);
        }
        for &wall in closing {
            self.walls[wall].gap = 0.0;
        }
        let on = self.staying();
        for wall in self.numbers() {
            self.walls[wall].on = on.contains(&Some(wall));
        }
        (self.velocity.is_finite() && self.angular_velocity.is_finite()).then_some(())
    }

    /// The walls that it keeps touching now: a pair of several that holds it, or one.
    fn staying(&self) -> [Option<usize>; 2] {
        let quiet: Vec<usize> = (self.numbers())
            .filter(|&wall| self.is_quiet(wall, &[wall]))
            .collect();
        if self.walls.len() > 2 {
            for (number, &first) in quiet.iter().enumerate() {
                for &second in &quiet[number + 1..] {
                    if !matches!(self.in_groove([first, second]).held(), Held::By(_)) {
                        return [Some(first), Some(second)];
                    }
                }
            }
        }
        [quiet.into_iter().find(|&wall| self.presses(wall)), None]
    }
}
