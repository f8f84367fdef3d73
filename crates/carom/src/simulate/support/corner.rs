//! What happens to a ball that three walls hold: in the corner of a container.
//!
//! It cannot move from the spot; it can only spin there, and rub. With nᵢ the normals into the ball, ω its spin,
//! `c = I/(m r²)`, Nᵢ the pushes of the walls and fᵢ the frictions at them, per mass:
//!
//! ```text
//! slips                 uᵢ = −r ω×nᵢ
//! forces                g + Σ (Nᵢ nᵢ + fᵢ) = 0,   fᵢ = −μᵢ Nᵢ ûᵢ        three equations for N₁, N₂, N₃
//! about the centre      c r ω′ = −Σ (nᵢ×fᵢ + tᵢ nᵢ)                     tᵢ = μ_pᵢ Nᵢ sign(ω·nᵢ)
//! ```
//!
//! All Nᵢ must be positive; where one gets to zero, the ball leaves that wall. Pushes and ω′ depend on where the spin
//! points to and not on how large it is, so that the spin dies in a finite time; meanwhile its direction turns, and the
//! way of the spin comes from the integrator.
//!
//! **One of the contacts grips** when the spin points along its normal nₖ. That comes about in a finite time too, and
//! lasts as long as `|fₖ| ≤ μ_s Nₖ`: then fₖ is whatever keeps the spin there, `fₖ = Σⱼ Tⱼ×nₖ` with Tⱼ the torques of
//! everything else times c r, which are proportional to the pushes. So the three equations stay linear in them, and the
//! spin falls evenly until it is gone.
//!
//! **The resistance μ_p** against the spin about a normal jumps where that is zero: it may keep it so (`Pivot` in
//! `groove.rs`), with any torque up to `μ_p Nᵢ`.
//!
//! **Jammed.** With much friction in a narrow corner it may be that none of the walls would be left, and that they
//! cannot hold it spinning either. Frictions without bound then stop it at once.

use super::groove::{GrooveSide, InGroove, Pivot, Pivots};
use super::standing::{Stretch, Turn};
use crate::motion::{Curve, TrajectorySegment};
use crate::record::Regime;
use crate::space::{Linear, Space};

/// What is so little that rounding may have left it, relative to the numbers it is the difference of.
const NOTHING: f64 = 1e-13;

/// A slip that is this share of the fastest when its time is up has come to its end, and the spin has not.
const SPENT: f64 = 1e-3;

/// How often the way that a slip begins and the pushes are worked out from each other.
const ROUNDS: usize = 50;

/// The share of gravity by which a ball that leaves a wall has to be driven back at it to be jammed.
const DRIVEN_BACK: f64 = 1e-9;

/// A ball between three walls, at one instant. Only in 3-D.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InCorner<S: Space> {
    /// Of the ball, m.
    pub radius: f64,
    /// `I/(m r²)`; infinite for a ball that cannot be spun.
    pub roundness: f64,
    /// The walls.
    pub flanks: [GrooveSide<S>; 3],
    /// Of all of them, m/s.
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

/// What happens to a ball that spins in a corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turning<S: Space> {
    /// rad/s².
    pub angular_acceleration: S::Angular,
    /// Of the walls, per mass, m/s².
    pub pushes: [f64; 3],
    /// At the walls, m/s.
    pub slips: [S::Vector; 3],
    /// What sliding, rolling and spinning take out of the ball's energy, W per kilogram.
    pub power: [f64; 3],
    /// The friction at the wall that grips, if one does, m/s².
    pub grip: S::Vector,
    /// What the resistances against the spin about the normals do.
    pub(crate) pivots: [Pivot; 3],
    /// How far each of them is from doing otherwise.
    pub(crate) lasting: [f64; 3],
    /// The spin without what they keep at zero, rad/s.
    pub(crate) tidied: S::Angular,
}

/// Which walls hold a ball that touches three walls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Poise<S: Space> {
    /// All of them, and this is how it goes on.
    Steady(Stretch<S>),
    /// All of them, and it spins: [`InCorner::turning`] is the right-hand side for the integrator.
    Turning,
    /// It leaves this one.
    Leaves(usize),
}

/// The factors of three vectors that add up to a fourth; `None` where they lie in a plane.
pub(crate) fn factors<S: Space>(columns: [S::Vector; 3], sum: S::Vector) -> Option<[f64; 3]> {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let [a, b, c] = columns.map(S::components);
    let sum = S::components(sum);
    let volume = dot(a, cross(b, c));
    let size = (dot(a, a) * dot(b, b) * dot(c, c)).sqrt();
    if !(volume.abs() > 1e-6 * size) {
        return None;
    }
    let parts = [cross(b, c), cross(c, a), cross(a, b)];
    Some(parts.map(|part| dot(part, sum) / volume))
}

fn smallest(numbers: [f64; 3]) -> usize {
    let least = |best: usize, wall: usize| {
        if numbers[wall] < numbers[best] {
            wall
        } else {
            best
        }
    };
    least(least(0, 1), 2)
}

impl<S: Space> InCorner<S> {
    /// The pushes of the walls without friction, per mass, m/s².
    pub fn pushes(&self) -> Option<[f64; 3]> {
        factors::<S>(self.flanks.map(|flank| flank.normal), -self.gravity)
    }

    fn slips(&self) -> [S::Vector; 3] {
        self.flanks
            .map(|flank| S::surface_velocity(self.angular_velocity, flank.normal) * -self.radius)
    }

    /// The wall that rubs and does not slip, if there is one.
    fn gripping_wall(&self) -> Option<usize> {
        let little = NOTHING * self.angular_velocity.length() * self.radius;
        let slips = self.slips();
        (0..3).find(|&wall| {
            let rubbing = &self.flanks[wall].rubbing;
            rubbing.kinetic_friction.max(rubbing.static_friction) > 0.0
                && slips[wall].length() <= little
        })
    }

    /// The torque, times c r and per push, of a wall that slips along a heading.
    fn twist(&self, wall: usize, heading: S::Vector) -> S::Angular {
        let flank = &self.flanks[wall];
        S::torque(flank.normal, heading) * flank.rubbing.kinetic_friction
    }

    fn axis(&self, wall: usize) -> S::Angular {
        S::angular_velocity(S::components(self.flanks[wall].normal))
    }

    /// Which way the walls slip. For one that grips it is where it would begin to.
    fn headings(&self) -> Option<[S::Vector; 3]> {
        let mut headings = self
            .slips()
            .map(|slip| slip.unit().unwrap_or(S::Vector::ZERO));
        let Some(wall) = self.gripping_wall() else {
            return Some(headings);
        };
        let normal = self.flanks[wall].normal;
        headings[wall] = (self.gripping(wall)?.grip * -1.0).unit()?;
        for _ in 0..ROUNDS {
            let pushes = self.pushes_at(headings)?;
            let others = (0..3).filter(|&other| other != wall);
            let drive = others.fold(S::Angular::ZERO, |drive, other| {
                drive + self.twist(other, headings[other]) * pushes[other]
            });
            let heading = S::surface_velocity(drive, normal) * -1.0;
            let heading = heading.unit()?;
            let same = (heading - headings[wall]).length() <= NOTHING;
            headings[wall] = heading;
            if same {
                break;
            }
        }
        Some(headings)
    }

    fn pushes_at(&self, headings: [S::Vector; 3]) -> Option<[f64; 3]> {
        let columns = std::array::from_fn(|wall| {
            let flank = &self.flanks[wall];
            flank.normal - headings[wall] * flank.rubbing.kinetic_friction
        });
        factors::<S>(columns, -self.gravity)
    }

    /// What happens while all walls slip; `None` where their pushes cannot be told.
    pub fn turning(&self) -> Option<Turning<S>> {
        self.turning_with(None)
    }

    /// The same where the resistances μ_p are known to do this; otherwise it is as the spin has it.
    pub(crate) fn turning_with(&self, pivots: Option<&[Pivot; 3]>) -> Option<Turning<S>> {
        let headings = self.headings()?;
        let (slips, pushes) = (self.slips(), self.pushes_at(headings)?);
        let mut power = [0.0; 3];
        let mut drive = S::Angular::ZERO;
        for wall in 0..3 {
            drive += self.twist(wall, headings[wall]) * pushes[wall];
            let friction = self.flanks[wall].rubbing.kinetic_friction * pushes[wall];
            power[0] += friction * slips[wall].length();
        }
        let resistance = Pivots::<S, 3> {
            axes: [0, 1, 2].map(|wall| self.axis(wall)),
            most: [0, 1, 2].map(|wall| self.flanks[wall].rubbing.spinning * pushes[wall]),
            ease: 1.0 / (self.roundness * self.radius),
        };
        let pivots = pivots.map_or_else(
            || resistance.at(self.angular_velocity, drive),
            |pivots| *pivots,
        );
        let torques = resistance.torques(drive, &pivots);
        let lasting = resistance.lasting(self.angular_velocity, drive, &pivots);
        for wall in 0..3 {
            drive += resistance.axes[wall] * torques[wall];
            if pivots[wall] != Pivot::Keeps {
                let about = self.angular_velocity.dot(resistance.axes[wall]).abs();
                power[2] += resistance.most[wall] * self.radius * about;
            }
        }
        Some(Turning {
            angular_acceleration: self.spun_by(drive),
            pushes,
            slips,
            power,
            grip: S::Vector::ZERO,
            pivots,
            lasting,
            tidied: resistance.tidied(self.angular_velocity, &pivots),
        })
    }

    /// What torques times c r do to the spin.
    fn spun_by(&self, drive: S::Angular) -> S::Angular {
        if self.roundness.is_finite() {
            drive * (1.0 / (self.roundness * self.radius))
        } else {
            S::Angular::ZERO
        }
    }

    /// What happens while one of the walls grips, about whose normal the ball spins.
    fn gripping(&self, wall: usize) -> Option<Turning<S>> {
        let slips = self.slips();
        let little = NOTHING * self.angular_velocity.length();
        let turning = |other: usize| {
            let about = self.angular_velocity.dot(self.axis(other));
            let spinning = self.flanks[other].rubbing.spinning;
            // Where there is none to resist, what grips holds it.
            let against = if about.abs() > little {
                spinning * about.signum()
            } else {
                0.0
            };
            let rubbed = if other == wall {
                S::Angular::ZERO
            } else {
                self.twist(other, slips[other].unit().unwrap_or(S::Vector::ZERO))
            };
            rubbed - self.axis(other) * against
        };
        let twists = [0, 1, 2].map(turning);
        let normal = self.flanks[wall].normal;
        let held = twists.map(|twist| S::surface_velocity(twist, normal));
        let columns = std::array::from_fn(|other| {
            let flank = &self.flanks[other];
            let heading = slips[other].unit().filter(|_| other != wall);
            let heading = heading.unwrap_or(S::Vector::ZERO);
            flank.normal - heading * flank.rubbing.kinetic_friction + held[other]
        });
        let pushes = factors::<S>(columns, -self.gravity)?;
        let (mut grip, mut drive, mut power) = (S::Vector::ZERO, S::Angular::ZERO, [0.0; 3]);
        for other in 0..3 {
            grip += held[other] * pushes[other];
            drive += twists[other] * pushes[other];
            let rubbing = &self.flanks[other].rubbing;
            if other != wall {
                power[0] += rubbing.kinetic_friction * pushes[other] * slips[other].length();
            }
            let about = self.angular_velocity.dot(self.axis(other)).abs();
            power[2] += rubbing.spinning * pushes[other] * self.radius * about;
        }
        let axis = self.axis(wall);
        Some(Turning {
            angular_acceleration: self.spun_by(axis * drive.dot(axis)),
            pushes,
            slips,
            power,
            grip,
            pivots: [Pivot::Against(0.0); 3],
            lasting: [f64::INFINITY; 3],
            tidied: axis * self.angular_velocity.dot(axis),
        })
    }

    /// Whether the wall that grips can, and all of them push.
    fn grips(&self, wall: usize, turning: &Turning<S>) -> bool {
        let most = self.flanks[wall].rubbing.static_friction * turning.pushes[wall];
        turning.grip.length() <= most * (1.0 + NOTHING) + NOTHING * self.gravity.length()
    }

    /// A stretch on which only the spin may change, evenly.
    fn stretch(
        &self,
        regime: Regime,
        angular_velocity: S::Angular,
        rate: S::Angular,
    ) -> Stretch<S> {
        let falling = -rate.dot(angular_velocity);
        let (end, turn) = if falling > 0.0 {
            (angular_velocity.length_squared() / falling, Turn::SpunDown)
        } else {
            (f64::INFINITY, Turn::GoesOn)
        };
        Stretch {
            regime,
            segment: TrajectorySegment {
                place: Curve::new(&[self.place, self.wall_velocity]),
                angular_velocity: Curve::new(&[angular_velocity, rate]),
                end,
            },
            turn,
        }
    }

    /// Which walls hold it, and how it goes on.
    pub fn held(&self) -> Poise<S> {
        let floor = NOTHING * self.gravity.length();
        let Some(smooth) = self.pushes().filter(|_| S::DIMENSION == 3) else {
            return Poise::Leaves(2);
        };
        let pushed = |pushes: [f64; 3]| pushes.iter().all(|&push| push > floor);
        let resting =
            Poise::Steady(self.stretch(Regime::Resting, S::Angular::ZERO, S::Angular::ZERO));
        if self.angular_velocity == S::Angular::ZERO {
            return if pushed(smooth) {
                resting
            } else {
                Poise::Leaves(smallest(smooth))
            };
        }
        let resists = self.flanks.iter().any(|flank| {
            let rubbing = &flank.rubbing;
            rubbing.kinetic_friction.max(rubbing.spinning) > 0.0
        });
        let grip = self.gripping_wall();
        let gripping = grip.and_then(|wall| Some((wall, self.gripping(wall)?)));
        let turning = match gripping {
            Some((wall, gripping)) if self.grips(wall, &gripping) => Some(gripping),
            _ => self.turning(),
        };
        let Some(turning) = turning else {
            return if pushed(smooth) {
                resting
            } else {
                Poise::Leaves(smallest(smooth))
            };
        };
        // Without what the resistances keep at zero the spin may point along a normal.
        let tidied = InCorner {
            angular_velocity: turning.tidied,
            ..*self
        };
        if grip.is_none() && tidied.gripping_wall().is_some() {
            return tidied.held();
        }
        if !pushed(turning.pushes) {
            let wall = smallest(turning.pushes);
            return if pushed(smooth) && self.is_driven_back(wall) {
                resting
            } else {
                Poise::Leaves(wall)
            };
        }
        let steady = gripping.is_some_and(|(wall, gripping)| self.grips(wall, &gripping));
        if steady || !resists || !self.roundness.is_finite() {
            let angular_velocity = if steady {
                turning.tidied
            } else {
                self.angular_velocity
            };
            Poise::Steady(self.stretch(
                Regime::Spinning,
                angular_velocity,
                turning.angular_acceleration,
            ))
        } else {
            Poise::Turning
        }
    }

    /// The other two walls alone.
    pub fn without(&self, wall: usize) -> InGroove<S> {
        let [a, b] = beside(wall);
        InGroove {
            radius: self.radius,
            roundness: self.roundness,
            flanks: [self.flanks[a], self.flanks[b]],
            wall_velocity: self.wall_velocity,
            gravity: self.gravity,
            place: self.place,
            velocity: self.wall_velocity,
            angular_velocity: self.angular_velocity,
        }
    }

    /// Whether the others would drive a ball at a wall that does not push: it is jammed.
    fn is_driven_back(&self, wall: usize) -> bool {
        let acceleration = self.without(wall).acceleration();
        let away = acceleration.dot(self.flanks[wall].normal);
        away < -DRIVEN_BACK * self.gravity.length()
    }

    /// The velocity and the spin right after a turn: what has come to its end is exactly zero.
    pub fn after(&self, turn: Turn) -> (S::Vector, S::Angular) {
        let angular_velocity = match turn {
            Turn::Stops | Turn::SpunDown => S::Angular::ZERO,
            Turn::Grips => {
                let slips = self.slips().map(|slip| slip.length());
                let rubbed: [f64; 3] = std::array::from_fn(|wall| {
                    if self.flanks[wall].rubbing.kinetic_friction > 0.0 {
                        slips[wall]
                    } else {
                        f64::INFINITY
                    }
                });
                let wall = smallest(rubbed);
                if rubbed[wall] <= SPENT * self.angular_velocity.length() * self.radius {
                    self.axis(wall) * self.angular_velocity.dot(self.axis(wall))
                } else {
                    S::Angular::ZERO
                }
            }
            Turn::Lifts | Turn::GoesOn => self.angular_velocity,
        };
        (self.wall_velocity, angular_velocity)
    }

    /// What a regime takes out of the ball's energy, by sliding, rolling and spinning, W per kilogram.
    pub fn dissipation(&self, regime: Regime) -> [f64; 3] {
        if regime != Regime::Spinning || !self.roundness.is_finite() {
            return [0.0; 3];
        }
        let gripping = self
            .gripping_wall()
            .and_then(|wall| Some((wall, self.gripping(wall)?)));
        match gripping {
            Some((wall, gripping)) if self.grips(wall, &gripping) => gripping.power,
            _ => self.turning().map_or([0.0; 3], |turning| turning.power),
        }
    }
}

/// The other two of three.
pub(crate) fn beside(wall: usize) -> [usize; 2] {
    match wall {
        0 => [1, 2],
        1 => [0, 2],
        _ => [0, 1],
    }
}
