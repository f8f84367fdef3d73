//! What happens while a ball touches two walls at once: in a corner of the plane, in a groove in 3-D.
//!
//! With n₁ and n₂ the normals into the ball, `k = n₁·n₂`, `V` its velocity along the groove (relative to the walls;
//! always zero in 2-D), `g_e` gravity's part along the groove, `c = I/(m r²)`, N₁ and N₂ the pushes of the walls and
//! f₁, f₂ the frictions at them, per mass:
//!
//! ```text
//! across the groove      g + N₁ n₁ + N₂ n₂ + f₁ + f₂ = 0          both N > 0, or it leaves the one that does not push
//! along it               V′ = g_e + f₁ + f₂
//! about the centre       ω′ = −(n₁×f₁ + n₂×f₂)/(c r)
//! slips                  u₁ = V − r ω×n₁,  u₂ = V − r ω×n₂
//! ```
//!
//! **Spinning on the spot**, about the groove (the only spin there is in 2-D). Nothing moves but the spin; both slips
//! are across the groove, each friction is `N μ ω̂×n`, and the pushes follow from
//! `N₁ (n₁ + μ₁ ω̂×n₁) + N₂ (n₂ + μ₂ ω̂×n₂) = −g`. The spin falls by `(μ₁ N₁ + μ₂ N₂)/(c r)` a second. On a floor
//! before a wall, where both rub at μ: by `μ (1+μ)/(1+μ²) g/(c r)`, if it turns so that the floor drives it against the
//! wall; turning the other way it is driven off.
//!
//! **Along the groove** all slips and frictions are along it, and N₁, N₂ do not depend on them:
//!
//! ```text
//! u₁′ = g_e + f₁ (1 + 1/c) + f₂ (1 + k/c)        u₂′ = g_e + f₁ (1 + k/c) + f₂ (1 + 1/c)
//! ```
//!
//! A contact that slips has `f = −μ N û`. One that does not has whatever f makes `u′ = 0`, as long as that is no more
//! than `μ_s N`. Where both grip, the ball rolls about the line through the two points: by symmetry f₁ = f₂, and
//!
//! ```text
//! V′ = g_e/(1 + c′),   c′ = 2c/(1 + k) = c/sin²β,   ω = (n₁ + n₂)×V/(r (1 + k))
//! ```
//!
//! in a groove that opens by 2β: as if the ball had the radius `r sin β`, the distance of its centre from the line
//! about which it turns. Rolling resistance takes `μ_r1 N₁ + μ_r2 N₂` off V′. Rolling in a groove it also spins about
//! both normals, at `V cot β/r`, against which the resistance μ_p works: `(μ_p1 N₁ + μ_p2 N₂) cot β/(1 + c′)` more.
//! With equal walls in a groove of slope α it rolls as long as `tan α ≤ μ_s (1 + sin²β/c)/sin β`.
//!
//! All of this is parabolas.
//!
//! **Askew** it goes where it slides along the groove and spins about it at once, or slides where the resistance μ_p
//! works: the slips u₁ and u₂ have parts along the groove and across it, and so have the frictions `−μ N û`; the pushes
//! follow from what is across, `N₁ (n₁ − μ₁ û₁) + N₂ (n₂ − μ₂ û₂) = −g` there, and the way and the spin from the
//! integrator. Across the groove both contacts slip at `r ω_e`, so that neither grips before the spin about the groove
//! is gone: that is when one of the slips comes to its end.

mod along;
mod pivots;

use super::standing::{Rubbing, Stretch, Turn};
use crate::motion::{Curve, TrajectorySegment};
use crate::record::{Regime, Velocities};
use crate::space::{Linear, Space};
pub(crate) use pivots::{Pivot, Pivots};

/// A slip that is this share of the speeds when one has come to its end has done so too.
const SPENT: f64 = 1e-9;

/// A time that no clock tells, s.
const INSTANT: f64 = 1e-12;

/// How often friction and resistance are worked out from each other at most.
const ROUNDS: usize = 200;

/// What is so little that rounding may have left it, relative to the numbers it is the difference of.
const NOTHING: f64 = 1e-13;

/// One of the two walls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrooveSide<S: Space> {
    /// Out of the wall.
    pub normal: S::Vector,
    /// How it rubs.
    pub rubbing: Rubbing,
}

/// A ball between two walls, at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InGroove<S: Space> {
    /// Of the ball, m.
    pub radius: f64,
    /// `I/(m r²)`; infinite for a ball that cannot be spun.
    pub roundness: f64,
    /// The walls.
    pub flanks: [GrooveSide<S>; 2],
    /// Of both of them, m/s.
    pub wall_velocity: S::Vector,
    /// m/s².
    pub gravity: S::Vector,
    /// Of the ball's centre, m.
    pub place: S::Vector,
    /// Of the ball's centre, m/s.
    pub velocity: S::Vector,
    /// rad/s.
    pub angular_velocity: S::Angular,
}

/// What happens to a ball that slides askew between two walls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Askew<S: Space> {
    /// Along the groove, m/s².
    pub acceleration: S::Vector,
    /// rad/s².
    pub angular_acceleration: S::Angular,
    /// Of the walls, per mass, m/s².
    pub pushes: [f64; 2],
    /// At the walls, m/s.
    pub slips: [S::Vector; 2],
    /// What sliding, rolling and spinning take out of the ball's energy, W per kilogram.
    pub power: [f64; 3],
    /// What the resistances against the spin about the normals do.
    pub(crate) pivots: [Pivot; 2],
    /// How far each of them is from doing otherwise.
    pub(crate) lasting: [f64; 2],
    /// The spin without what they keep at zero, rad/s.
    pub(crate) tidied: S::Angular,
}

/// Which walls hold a ball that touches two walls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Held<S: Space> {
    /// Both, and this is how it goes on.
    ByBoth(Stretch<S>),
    /// Both, and it slides askew: [`InGroove::askew`] is the right-hand side for the integrator.
    Askew,
    /// This one alone, the first or the second: the other does not push, or what the ball does is not covered.
    By(usize),
}

/// The factors of two vectors that add up to a third, as far as it lies in their plane; `None` where they are along one
/// line.
fn factors<S: Space>(a: S::Vector, b: S::Vector, sum: S::Vector) -> Option<[f64; 2]> {
    let (aa, ab, bb) = (a.length_squared(), a.dot(b), b.length_squared());
    let area = aa * bb - ab * ab;
    if !(area > 1e-12 * aa * bb) {
        return None;
    }
    let (sa, sb) = (sum.dot(a), sum.dot(b));
    Some([(sa * bb - sb * ab) / area, (sb * aa - sa * ab) / area])
}

impl<S: Space> InGroove<S> {
    /// A vector's part along the groove; zero in 2-D.
    pub fn along(&self, vector: S::Vector) -> S::Vector {
        if S::DIMENSION == 2 {
            return S::Vector::ZERO;
        }
        let [a, b] = self.flanks.map(|flank| flank.normal);
        match factors::<S>(a, b, vector) {
            Some([x, y]) => {
                let rest = vector - a * x - b * y;
                if rest.length() <= NOTHING * vector.length() {
                    S::Vector::ZERO
                } else {
                    rest
                }
            }
            None => S::Vector::ZERO,
        }
    }

    /// The pushes of the walls per mass without friction across the groove, m/s²; `None` where the normals are along
    /// one line.
    pub fn pushes(&self) -> Option<[f64; 2]> {
        let [a, b] = self.flanks.map(|flank| flank.normal);
        factors::<S>(a, b, -self.gravity)
    }

    /// The velocity along the groove, m/s.
    pub fn way(&self) -> S::Vector {
        self.along(self.velocity - self.wall_velocity)
    }

    /// The slips at both walls, m/s.
    fn slips(&self, way: S::Vector, angular_velocity: S::Angular) -> [S::Vector; 2] {
        self.flanks
            .map(|flank| way - S::surface_velocity(angular_velocity, flank.normal) * self.radius)
    }

    /// `k`.
    fn between(&self) -> f64 {
        self.flanks[0].normal.dot(self.flanks[1].normal)
    }

    /// `c′ = 2c/(1+k)`.
    pub fn rolling_roundness(&self) -> f64 {
        2.0 * self.roundness / (1.0 + self.between())
    }

    /// The spin of a ball that rolls along the groove at a velocity.
    fn rolling_spin(&self, way: S::Vector) -> S::Angular {
        let both = self.flanks[0].normal + self.flanks[1].normal;
        S::torque(both, way) * (1.0 / (self.radius * (1.0 + self.between())))
    }

    /// What rolling along the groove is slowed by, m/s².
    fn resistance(&self, pushes: [f64; 2]) -> f64 {
        if !self.roundness.is_finite() {
            return 0.0;
        }
        let k = self.between();
        let cot = ((1.0 - k) / (1.0 + k)).max(0.0).sqrt();
        let of = |flank: &GrooveSide<S>, push: f64| {
            let spinning = flank.rubbing.spinning * cot / (1.0 + self.rolling_roundness());
            (flank.rubbing.rolling + spinning) * push
        };
        of(&self.flanks[0], pushes[0]) + of(&self.flanks[1], pushes[1])
    }

    /// What friction can do at most at both walls together, m/s².
    fn most_friction(&self, pushes: [f64; 2]) -> f64 {
        (self.flanks.iter().zip(pushes))
            .map(|(flank, push)| flank.rubbing.static_friction * push)
            .sum()
    }

    /// The resistance against rolling along a heading, m/s²: the whole one, or downhill as much of it as friction is
    /// left for. Where that cannot hold the ball it rolls, and no resistance makes it go uphill.
    fn resistance_along(&self, heading: S::Vector, pushes: [f64; 2]) -> f64 {
        let (whole, down) = (self.resistance(pushes), self.along(self.gravity));
        if !(heading.dot(down) > 0.0) {
            return whole;
        }
        let rolling = down.length() * (1.0 - 1.0 / (1.0 + self.rolling_roundness()));
        whole.min((self.most_friction(pushes) - rolling).max(0.0))
    }

    /// Which walls hold it, and how it goes on.
    pub fn held(&self) -> Held<S> {
        let Some(pushes) = self.pushes() else {
            return Held::By(0);
        };
        let least = NOTHING * (self.velocity.length() + self.wall_velocity.length());
        let way = Some(self.way()).filter(|way| way.length() > least);
        let way = way.unwrap_or(S::Vector::ZERO);
        let down = self.along(self.gravity);
        let slips = self.slips(way, self.angular_velocity);
        let little = NOTHING * (way.length() + self.angular_velocity.length() * self.radius);
        let across = slips.map(|slip| slip - self.along(slip));
        let straight = across.iter().all(|across| across.length() <= little);
        let rubs = self.flanks.iter().any(|flank| {
            let rubbing = &flank.rubbing;
            rubbing.static_friction.max(rubbing.kinetic_friction) > 0.0
        });
        let still = way == S::Vector::ZERO && down == S::Vector::ZERO;
        if rubs && still && !straight {
            // About the groove alone? What the walls push depends on it.
            let mut along = slips
                .iter()
                .zip(across)
                .map(|(&slip, across)| slip - across);
            if along.all(|along| along.length() <= little) {
                return self.on_the_spot();
            }
        }
        let floor = NOTHING * self.gravity.length();
        match pushes {
            [first, _] if !(first > floor) => Held::By(1),
            [_, second] if !(second > floor) => Held::By(0),
            _ if !rubs => Held::ByBoth(self.smoothly(way, down, pushes)),
            _ if straight => self.along_the_crease(way, down, pushes),
            _ => self.skewed(pushes),
        }
    }

    /// Nothing rubs: it slides along the groove, and spins on, against nothing but the resistances μ_p, whose torques
    /// stay the same until the spin about a normal is gone.
    fn smoothly(&self, way: S::Vector, down: S::Vector, pushes: [f64; 2]) -> Stretch<S> {
        let (mut end, mut spin, mut rate) =
            (f64::INFINITY, self.angular_velocity, S::Angular::ZERO);
        if S::DIMENSION == 3 && self.roundness.is_finite() {
            let resistance = self.pivots(pushes);
            let pivots = resistance.at(spin, S::Angular::ZERO);
            spin = resistance.tidied(spin, &pivots);
            let torques = resistance.torques(S::Angular::ZERO, &pivots);
            for (&axis, torque) in resistance.axes.iter().zip(torques) {
                rate += axis * (torque * resistance.ease);
            }
            for (&axis, pivot) in resistance.axes.iter().zip(pivots) {
                let (about, falling) = (spin.dot(axis), -rate.dot(axis));
                if matches!(pivot, Pivot::Against(sign) if sign != 0.0) && about * falling > 0.0 {
                    end = end.min(about / falling);
                }
            }
        }
        let regime = match (way, down) {
            _ if way != S::Vector::ZERO || down != S::Vector::ZERO => Regime::Sliding,
            _ if spin != S::Angular::ZERO => Regime::Spinning,
            _ => Regime::Resting,
        };
        let mut stretch = self.stretch(regime, end, Turn::GoesOn);
        let velocity = self.wall_velocity + way;
        stretch.segment.place = Curve::new(&[self.place, velocity, down * 0.5]);
        stretch.segment.angular_velocity = Curve::new(&[spin, rate]);
        stretch
    }

    /// What resistances there are against the spin about the normals, at these pushes.
    fn pivots(&self, pushes: [f64; 2]) -> Pivots<S, 2> {
        Pivots {
            axes: self
                .flanks
                .map(|flank| S::angular_velocity(S::components(flank.normal))),
            most: [0, 1].map(|index| self.flanks[index].rubbing.spinning * pushes[index]),
            ease: 1.0 / (self.roundness * self.radius),
        }
    }

    /// It spins about the groove, and rubs at both walls.
    fn on_the_spot(&self) -> Held<S> {
        let Some(axis) = self.angular_velocity.unit() else {
            return Held::By(0);
        };
        let leaning = self.flanks.map(|flank| {
            let across = S::surface_velocity(axis, flank.normal);
            flank.normal + across * flank.rubbing.kinetic_friction
        });
        let pushes = factors::<S>(leaning[0], leaning[1], -self.gravity);
        let pushes = match pushes {
            Some([first, second]) if first > 0.0 && second > 0.0 => [first, second],
            Some([first, _]) if first > 0.0 => return Held::By(0),
            Some([_, second]) if second > 0.0 => return Held::By(1),
            // It is wedged in: nothing that it could do is without a push from both.
            _ => return Held::By(0),
        };
        let rubbing: f64 = (0..2)
            .map(|index| self.flanks[index].rubbing.kinetic_friction * pushes[index])
            .sum();
        let falling = rubbing / (self.roundness * self.radius);
        let (end, turn) = if falling > 0.0 {
            (self.angular_velocity.length() / falling, Turn::SpunDown)
        } else {
            (f64::INFINITY, Turn::GoesOn)
        };
        let mut stretch = self.stretch(Regime::Spinning, end, turn);
        stretch.segment.angular_velocity = Curve::new(&[self.angular_velocity, axis * -falling]);
        Held::ByBoth(stretch)
    }

    /// A stretch on which it does not move along the groove.
    fn stretch(&self, regime: Regime, end: f64, turn: Turn) -> Stretch<S> {
        Stretch {
            regime,
            segment: TrajectorySegment {
                place: Curve::new(&[self.place, self.wall_velocity]),
                angular_velocity: Curve::constant(self.angular_velocity),
                end,
            },
            turn,
        }
    }

    /// Both walls hold it while it slides askew, if they push; otherwise the one that pushes more.
    fn skewed(&self, pushes: [f64; 2]) -> Held<S> {
        match self.askew() {
            Some(_) => Held::Askew,
            None => Held::By(usize::from(pushes[1] > pushes[0])),
        }
    }

    /// The same ball as it moves a time (s) after the instant at which it has these velocities, or before: its bounces
    /// were told to be over a little later than they are, or earlier.
    pub fn going(self, velocities: &Velocities<S>, after: f64) -> Self {
        let mut going = InGroove {
            velocity: velocities.velocity,
            angular_velocity: velocities.angular_velocity,
            ..self
        };
        if let Held::ByBoth(stretch) = going.held()
            && after < stretch.segment.end
        {
            let segment = stretch.segment;
            going.velocity += segment.place.bend_at(0.0) * after;
            going.angular_velocity += segment.angular_velocity.rate_at(0.0) * after;
        }
        going
    }

    /// How fast it gets faster along the groove, m/s²; zero where the two do not hold it.
    pub fn acceleration(&self) -> S::Vector {
        match self.held() {
            Held::ByBoth(stretch) => stretch.segment.place.bend_at(0.0),
            Held::Askew => self
                .askew()
                .map_or(S::Vector::ZERO, |askew| askew.acceleration),
            Held::By(_) => S::Vector::ZERO,
        }
    }

    /// What happens to a ball that slides along the groove and spins about it, or against μ_p; `None` where one of the
    /// walls would have to pull.
    pub fn askew(&self) -> Option<Askew<S>> {
        self.askew_with(None)
    }

    /// The same where the resistances μ_p are known to do this; otherwise it is as the spin has it.
    pub(crate) fn askew_with(&self, pivots: Option<&[Pivot; 2]>) -> Option<Askew<S>> {
        if S::DIMENSION == 2 || !self.roundness.is_finite() {
            return None;
        }
        let slips = self.slips(self.way(), self.angular_velocity);
        let headings = slips.map(|slip| slip.unit().unwrap_or(S::Vector::ZERO));
        let rubbing = |index: usize| self.flanks[index].rubbing;
        let leaning = [0, 1].map(|index| {
            let lean =
                self.flanks[index].normal - headings[index] * rubbing(index).kinetic_friction;
            lean - self.along(lean)
        });
        let weight = self.gravity - self.along(self.gravity);
        let pushes = factors::<S>(leaning[0], leaning[1], -weight)?;
        if !(pushes[0] > 0.0 && pushes[1] > 0.0) {
            return None;
        }
        let mut acceleration = self.along(self.gravity);
        let (mut drive, mut power) = (S::Angular::ZERO, [0.0; 3]);
        for index in 0..2 {
            let normal = self.flanks[index].normal;
            let friction = headings[index] * -(rubbing(index).kinetic_friction * pushes[index]);
            acceleration += self.along(friction);
            drive -= S::torque(normal, friction);
            power[0] += rubbing(index).kinetic_friction * pushes[index] * slips[index].length();
        }
        let resistance = self.pivots(pushes);
        let pivots = pivots.map_or_else(
            || resistance.at(self.angular_velocity, drive),
            |pivots| *pivots,
        );
        let torques = resistance.torques(drive, &pivots);
        let lasting = resistance.lasting(self.angular_velocity, drive, &pivots);
        for index in 0..2 {
            drive += resistance.axes[index] * torques[index];
            if pivots[index] != Pivot::Keeps {
                let about = self.angular_velocity.dot(resistance.axes[index]).abs();
                power[2] += resistance.most[index] * self.radius * about;
            }
        }
        Some(Askew {
            acceleration,
            angular_acceleration: drive * (1.0 / (self.roundness * self.radius)),
            pushes,
            slips,
            power,
            pivots,
            lasting,
            tidied: resistance.tidied(self.angular_velocity, &pivots),
        })
    }

    /// The spin when a slip has come to its end: none about the groove, and where both have, that of a ball that rolls.
    fn gripped_spin(&self, at_once: bool) -> S::Angular {
        let [a, b] = self.flanks.map(|flank| flank.normal);
        let Some(axis) = S::torque(a, b).unit().filter(|_| S::DIMENSION == 3) else {
            return self.angular_velocity;
        };
        let way = self.way();
        let little = SPENT * (way.length() + self.angular_velocity.length() * self.radius);
        let slips = self.slips(way, self.angular_velocity);
        let about = self.angular_velocity.dot(axis);
        if slips.iter().all(|slip| slip.length() <= little) && self.roundness.is_finite() {
            return self.rolling_spin(way);
        }
        if about.abs() * self.radius > little {
            return self.angular_velocity;
        }
        if !at_once || about.abs() * self.radius > NOTHING / SPENT * little {
            return self.angular_velocity - axis * about;
        }
        // One of them slips on. What is left of the other would be there for ever: the clock does not tell when it is
        // gone.
        let [first, second] = slips.map(|slip| slip.length());
        let index = usize::from(second < first);
        if self.roundness.is_finite() {
            let left = S::torque(self.flanks[index].normal, slips[index]);
            self.angular_velocity + left * (1.0 / self.radius)
        } else {
            self.angular_velocity
        }
    }

    /// The velocity and the spin right after a turn: what has come to its end is exactly zero. `at_once` says that no
    /// time passed before it that the clock tells.
    pub fn after(&self, turn: Turn, at_once: bool) -> (S::Vector, S::Angular) {
        match turn {
            Turn::Grips => (self.velocity, self.gripped_spin(at_once)),
            Turn::Stops => (self.wall_velocity, S::Angular::ZERO),
            Turn::SpunDown => (self.velocity, S::Angular::ZERO),
            Turn::Lifts | Turn::GoesOn => (self.velocity, self.angular_velocity),
        }
    }

    /// What the resistances against the spin about the normals take out of the ball's energy, W per kilogram.
    fn pivoting_power(&self, pushes: [f64; 2]) -> f64 {
        let Some(drags) = self.drags(pushes) else {
            return 0.0;
        };
        let powers = (self.flanks.iter().zip(drags))
            .map(|(flank, drag)| drag.length() * self.pivoting(flank).length());
        powers.sum::<f64>() * self.radius
    }

    /// What a regime takes out of the ball's energy, by sliding, rolling and spinning, W per kilogram.
    pub fn dissipation(&self, regime: Regime, askew: bool) -> [f64; 3] {
        let Some(pushes) = self.pushes() else {
            return [0.0; 3];
        };
        let way = self.way();
        match regime {
            Regime::Resting => [0.0; 3],
            Regime::Rolling => {
                let heading = way.unit().unwrap_or(S::Vector::ZERO);
                let power =
                    (1.0 + self.rolling_roundness()) * self.resistance_along(heading, pushes);
                let power = if power > 0.0 {
                    power * way.length()
                } else {
                    0.0
                };
                [0.0, power, 0.0]
            }
            Regime::Sliding if askew => self.askew().map_or([0.0; 3], |askew| askew.power),
            Regime::Sliding => {
                // A contact that grips meanwhile has no slip.
                let slips = self.slips(way, self.angular_velocity);
                let power = (0..2).map(|index| {
                    let slip = self.along(slips[index]).length();
                    self.flanks[index].rubbing.kinetic_friction * pushes[index] * slip
                });
                [power.sum(), 0.0, self.pivoting_power(pushes)]
            }
            Regime::Spinning if !self.roundness.is_finite() => {
                // It goes on turning, and rubs at both.
                let slips = self.slips(way, self.angular_velocity);
                let power = (0..2).map(|index| {
                    let friction = self.flanks[index].rubbing.kinetic_friction;
                    friction * pushes[index] * slips[index].length()
                });
                [power.sum(), 0.0, 0.0]
            }
            Regime::Spinning => match self.on_the_spot() {
                Held::ByBoth(stretch) => {
                    let falling = stretch.segment.angular_velocity.rate_at(0.0).length();
                    let turning = self.roundness * self.radius * self.radius;
                    let rubbed = turning * falling * self.angular_velocity.length();
                    [rubbed, 0.0, self.pivoting_power(pushes)]
                }
                Held::Askew | Held::By(_) => [0.0; 3],
            },
        }
    }
}
