//! What happens while a ball keeps touching a wall: it slides, rolls, spins on the spot, or rests.
//!
//! With n the normal into the ball, `V` its velocity relative to the wall (along it), `u = V − r ω×n` the slip of its
//! lowest point, `a_n` the acceleration that presses it on (gravity's part against n, and what a curved wall adds),
//! `g_t` gravity's part along the wall and `c = I/(m r²)`:
//!
//! ```text
//! slides   V′ = g_t − μ_c a_n û            ω′ = μ_c a_n/(c r) n×û           u′ = g_t − μ_c a_n (1 + 1/c) û      until u = 0
//! rolls    V′ = g_t/(1+c) − μ_r a_n V̂      ω = n×V/r                        u = 0                               until V = 0
//! spins    V = 0, the angular_velocity about n falls by μ_p a_n/(c r) a second (also while it slides or rolls)               until that is 0
//! rests    V = 0, ω = 0, as long as |g_t| ≤ μ_s a_n and |g_t|/(1+c) ≤ μ_r a_n
//! ```
//!
//! Where something else turns the ball as well, at a rate τ (rad/s², the drag on its spin), that is added to ω′ while
//! it slides, and about the normal always; while it rolls it acts through the grip, as if the wall were accelerated by
//! `r τ×n`: `V′ = (g_t + c r τ×n)/(1+c) − …`.
//!
//! Rolling asks for a friction of `c/(1+c) g_t + μ_r a_n V̂` per mass; where that is more than `μ_s a_n`, the ball
//! slides. μ_r is the rolling resistance (the deceleration on the level, in units of gravity), μ_p the resistance
//! against spinning about the normal (a torque `μ_p r N`).
//!
//! On a flat wall in uniform gravity all of this is a parabola, as long as û and V̂ keep their directions: always in
//! 2-D, and in 3-D on the level and straight up and down a slope. Otherwise [`Standing::rates`] is the right-hand side
//! for the integrator.

use crate::motion::{Curve, TrajectorySegment};
use crate::record::Regime;
use crate::space::{Linear, Space};

/// How a wall rubs a ball that keeps touching it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rubbing {
    /// μ_s.
    pub static_friction: f64,
    /// μ_c.
    pub kinetic_friction: f64,
    /// μ_r: the deceleration of a rolling ball on the level, in units of gravity.
    pub rolling: f64,
    /// μ_p: the torque against spinning about the normal, in units of radius times force.
    pub spinning: f64,
}

/// A ball on a wall, at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing<S: Space> {
    /// Of the ball, m.
    pub radius: f64,
    /// `I/(m r²)`; infinite for a ball that cannot be spun.
    pub roundness: f64,
    /// Out of the wall.
    pub normal: S::Vector,
    /// Of the wall where they touch, m/s.
    pub wall_velocity: S::Vector,
    /// All other accelerations together, m/s².
    pub gravity: S::Vector,
    /// How the wall rubs.
    pub rubbing: Rubbing,
    /// Of the ball's centre, m.
    pub place: S::Vector,
    /// Of the ball's centre, m/s; along the wall, but for that of the wall itself.
    pub velocity: S::Vector,
    /// rad/s.
    pub angular_velocity: S::Angular,
    /// The rate of change of the spin by what else turns the ball than the wall, rad/s²; zero for one that cannot be
    /// spun.
    pub twist: S::Angular,
    /// How fast the wall's velocity changes as the ball moves on, on a wall that turns, m/s².
    pub wall_acceleration: S::Vector,
    /// What a curved wall adds to the pressing acceleration, m/s²: `−v·(∇n)v`.
    pub centrifugal: f64,
}

/// What ends a stretch of way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It stops slipping.
    Grips,
    /// It stops rolling.
    Stops,
    /// It stops spinning about the normal.
    SpunDown,
    /// Nothing presses it on any more.
    Lifts,
    /// Nothing: the next segment goes on from here.
    GoesOn,
}

/// A stretch of way on a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch<S: Space> {
    /// How it moves.
    pub regime: Regime,
    /// Where it is and how it turns; its end is when the turn comes.
    pub segment: TrajectorySegment<S>,
    /// What happens at its end.
    pub turn: Turn,
}

/// What is so little that rounding may have left it, relative to the numbers it is the difference of.
const NOTHING: f64 = 1e-13;

impl<S: Space> Standing<S> {
    /// The acceleration that presses the ball on, m/s²; it leaves the wall where this is negative.
    pub fn pressing(&self) -> f64 {
        -self.normal.dot(self.gravity) + self.centrifugal
    }

    /// Gravity's part along the wall, m/s².
    pub fn along(&self) -> S::Vector {
        self.tangential(self.gravity)
    }

    /// A vector without its part along the normal.
    pub fn tangential(&self, vector: S::Vector) -> S::Vector {
        vector - self.normal * (self.normal.dot(vector) / self.normal.length_squared())
    }

    /// The velocity relative to the wall and along it, m/s.
    pub fn way(&self) -> S::Vector {
        self.tangential(self.velocity - self.wall_velocity)
    }

    /// The slip of the lowest point, m/s.
    pub fn slip(&self) -> S::Vector {
        self.way() - S::surface_velocity(self.angular_velocity, self.normal) * self.radius
    }

    /// The spin of a ball that rolls at a velocity relative to the wall.
    fn rolling_spin(&self, way: S::Vector) -> S::Angular {
        S::torque(self.normal, way) * (1.0 / self.radius)
    }

    /// The part of the spin about the normal, rad/s.
    pub fn pivoting(&self) -> S::Angular {
        if S::DIMENSION == 2 {
            return S::Angular::ZERO;
        }
        self.about_normal(self.angular_velocity)
    }

    /// The part of a spin about the normal, in 3-D.
    fn about_normal(&self, angular_velocity: S::Angular) -> S::Angular {
        let rolling = S::torque(
            self.normal,
            S::surface_velocity(angular_velocity, self.normal),
        );
        let pivoting = angular_velocity - rolling;
        if pivoting.length() <= NOTHING * angular_velocity.length() {
            S::Angular::ZERO
        } else {
            pivoting
        }
    }

    /// What changes the spin about the normal, other than the wall, rad/s².
    fn pivot_twist(&self) -> S::Angular {
        if S::DIMENSION == 2 || self.twist == S::Angular::ZERO {
            return S::Angular::ZERO;
        }
        self.about_normal(self.twist)
    }

    /// What rolling has to follow, m/s²: the wall's acceleration, and that of the surface of a ball that something else
    /// turns.
    fn dragged(&self) -> S::Vector {
        let taken = self.tangential(self.wall_acceleration);
        if self.twist == S::Angular::ZERO {
            return taken;
        }
        taken + S::surface_velocity(self.twist, self.normal) * self.radius
    }

    /// How fast the spin about the normal falls, rad/s²; zero where the wall does not resist it, so that it has no end.
    pub fn pivot_slowing(&self) -> f64 {
        let falling =
            self.rubbing.spinning * self.pressing().max(0.0) / (self.roundness * self.radius);
        if falling > 0.0 {
            falling + self.pivot_twist().length()
        } else {
            0.0
        }
    }

    /// The deceleration of a rolling ball, m/s². One that cannot be spun does not roll.
    fn resistance(&self) -> f64 {
        if self.roundness.is_finite() {
            self.rubbing.rolling * self.pressing().max(0.0)
        } else {
            0.0
        }
    }

    /// The same right after a turn.
    pub fn after(&self, turn: Turn) -> Self {
        let way = self.way();
        let at_way = |way: S::Vector| self.velocity - self.way() + way;
        match turn {
            Turn::Grips if self.roundness.is_finite() => Standing {
                angular_velocity: self.rolling_spin(way) + self.pivoting(),
                ..*self
            },
            Turn::Grips => Standing {
                velocity: at_way(
                    S::surface_velocity(self.angular_velocity, self.normal) * self.radius,
                ),
                ..*self
            },
            Turn::Stops => Standing {
                velocity: at_way(S::Vector::ZERO),
                angular_velocity: self.pivoting(),
                ..*self
            },
            Turn::SpunDown => Standing {
                angular_velocity: self.angular_velocity - self.pivoting(),
                ..*self
            },
            Turn::Lifts | Turn::GoesOn => *self,
        }
    }

    /// `1/(1 + c)`.
    fn yielding(&self) -> f64 {
        1.0 / (1.0 + self.roundness)
    }

    /// Whether the slip is no more than rounding.
    fn grips(&self) -> bool {
        let surface = S::surface_velocity(self.angular_velocity, self.normal) * self.radius;
        let scale = self.way().length() + surface.length() + self.wall_velocity.length();
        self.slip().length() <= NOTHING * scale
    }

    /// Whether the friction that rolling asks for is there.
    fn can_roll(&self, way: S::Vector) -> bool {
        let along = self.along();
        let heading = way.unit().or_else(|| along.unit());
        let resistance = self.resistance();
        let asked = (along - self.dragged()) * (1.0 - self.yielding())
            + heading.map_or(S::Vector::ZERO, |heading| heading * resistance);
        asked.length() <= self.rubbing.static_friction * self.pressing() * (1.0 + NOTHING)
    }

    /// Whether a ball that does not move on the wall stays where it is.
    fn can_rest(&self) -> bool {
        let along = self.along().length();
        let scale = NOTHING * self.gravity.length();
        along * self.yielding() <= self.resistance() + scale
            && along <= self.rubbing.static_friction * self.pressing() + scale
    }

    /// How it moves now.
    pub fn regime(&self) -> Regime {
        let way = self.way();
        let still =
            way.length() <= NOTHING * (self.velocity.length() + self.wall_velocity.length());
        if !self.grips() || !(self.can_roll(way) || still && self.can_rest()) {
            Regime::Sliding
        } else if !still || !self.can_rest() {
            Regime::Rolling
        } else if self.pivoting().length() > NOTHING * self.angular_velocity.length()
            && self.roundness.is_finite()
        {
            Regime::Spinning
        } else {
            Regime::Resting
        }
    }

    /// The same with what is zero by the regime made exactly so: no velocity across the wall, no slip where it rolls,
    /// no motion where it rests.
    pub fn tidied(&self, regime: Regime) -> Self {
        let wall = self.wall_velocity;
        let across = self.normal * (self.normal.dot(wall) / self.normal.length_squared());
        let way = match regime {
            Regime::Sliding | Regime::Rolling => self.way(),
            Regime::Spinning | Regime::Resting => S::Vector::ZERO,
        };
        // Of the wall's own velocity, what is along it is in `way` or not, as it happens; the rest carries the ball.
        let carried = self.tangential(wall) + across;
        let angular_velocity = match regime {
            Regime::Sliding => self.angular_velocity,
            _ if !self.roundness.is_finite() => self.angular_velocity,
            Regime::Rolling => self.rolling_spin(way) + self.pivoting(),
            Regime::Spinning => self.pivoting(),
            Regime::Resting => S::Angular::ZERO,
        };
        Standing {
            velocity: carried + way,
            angular_velocity,
            ..*self
        }
    }

    /// The next stretch on a flat wall in uniform gravity; `None` where it is no parabola.
    ///
    /// Longer than most: one arm for each regime, and what they have in common.
    pub fn on_flat(&self) -> Option<Stretch<S>> {
        let regime = self.regime();
        let state = self.tidied(regime);
        let pressing = self.pressing();
        let (way, along) = (state.way(), self.along());
        let straight = |direction: S::Vector| {
            S::DIMENSION == 2
                || S::area_squared(direction, along)
                    <= NOTHING
                        * NOTHING
                        * direction.length_squared()
                        * self.gravity.length_squared()
        };
        let (acceleration, angular_acceleration, turn_at, turn) = match regime {
            Regime::Sliding => {
                let slip = state.slip();
                let (heading, speed) = match slip.unit() {
                    Some(heading) if !state.grips() => (heading, slip.length()),
                    // It begins to slip, downhill.
                    _ => (along.unit().unwrap_or(S::Vector::ZERO), 0.0),
                };
                let friction = self.rubbing.kinetic_friction * pressing;
                if friction > 0.0 && !straight(heading) {
                    return None;
                }
                let slowing = friction * (1.0 + 1.0 / self.roundness) - along.dot(heading);
                let grips_at = if slowing > 0.0 && speed > 0.0 && friction > 0.0 {
                    speed / slowing
                } else {
                    f64::INFINITY
                };
                let angular_acceleration =
                    S::torque(self.normal, heading) * (friction / (self.roundness * self.radius));
                (
                    along - heading * friction,
                    angular_acceleration,
                    grips_at,
                    Turn::Grips,
                )
            }
            Regime::Rolling => {
                let resistance = self.resistance();
                let heading = way.unit().or_else(|| along.unit())?;
                if resistance > 0.0 && !straight(heading) {
                    return None;
                }
                let acceleration = along * self.yielding() - heading * resistance;
                let slowing = -acceleration.dot(heading);
                let stops_at = if resistance > 0.0 && slowing > 0.0 {
                    way.length() / slowing
                } else {
                    f64::INFINITY
                };
                let angular_acceleration = if self.roundness.is_finite() {
                    self.rolling_spin(acceleration)
                } else {
                    S::Angular::ZERO
                };
                (acceleration, angular_acceleration, stops_at, Turn::Stops)
            }
            Regime::Spinning | Regime::Resting => (
                S::Vector::ZERO,
                S::Angular::ZERO,
                f64::INFINITY,
                Turn::GoesOn,
            ),
        };
        let pivoting = state.pivoting();
        let falling = self.rubbing.spinning * pressing / (self.roundness * self.radius);
        let (pivot_rate, spun_down_at) = match pivoting.unit() {
            Some(axis) if falling > 0.0 && regime != Regime::Resting => {
                (axis * -falling, pivoting.length() / falling)
            }
            _ => (S::Angular::ZERO, f64::INFINITY),
        };
        let (end, turn) = if spun_down_at < turn_at {
            (spun_down_at, Turn::SpunDown)
        } else {
            (turn_at, turn)
        };
        Some(Stretch {
            regime,
            segment: TrajectorySegment {
                place: Curve::new(&[state.place, state.velocity, acceleration * 0.5]),
                angular_velocity: Curve::new(&[
                    state.angular_velocity,
                    angular_acceleration + pivot_rate,
                ]),
                end,
            },
            turn,
        })
    }

    /// Which way it slips, or rolls; downhill where it is about to.
    pub fn heading(&self, regime: Regime) -> S::Vector {
        let now = match regime {
            Regime::Sliding if !self.grips() => self.slip().unit(),
            Regime::Rolling => self.way().unit(),
            _ => None,
        };
        let pulled = match regime {
            // Its lowest point begins to slip as it would without friction.
            Regime::Sliding => self.along() - self.dragged(),
            _ => self.along(),
        };
        now.or_else(|| pulled.unit()).unwrap_or(S::Vector::ZERO)
    }

    /// What a regime uses up: the slip or the way (m/s), how fast it can fall at most (m/s²; zero where nothing makes
    /// it), and the turn when it is used up.
    pub fn spending(&self, regime: Regime) -> (f64, f64, Turn) {
        let pressing = self.pressing().max(0.0);
        let along = self.along().length();
        let rubbing = match regime {
            Regime::Sliding => {
                self.rubbing.kinetic_friction * pressing * (1.0 + 1.0 / self.roundness)
            }
            Regime::Rolling => self.resistance(),
            Regime::Spinning => {
                let falling = self.pivot_slowing();
                return (self.pivoting().length(), falling, Turn::SpunDown);
            }
            Regime::Resting => 0.0,
        };
        let (measure, turn) = match regime {
            Regime::Sliding => (self.slip().length(), Turn::Grips),
            _ => (self.way().length(), Turn::Stops),
        };
        let fastest = if rubbing > 0.0 { rubbing + along } else { 0.0 };
        (measure, fastest, turn)
    }

    /// What is left of the slip or the way along a heading, m/s: negative when it has been used up. One that is just
    /// beginning is not.
    pub fn left(&self, regime: Regime, heading: S::Vector) -> f64 {
        let heading = self.tangential(heading);
        match regime {
            Regime::Sliding => self.slip().dot(heading),
            _ => self.way().dot(heading),
        }
    }

    /// How much friction (m/s²) there is beyond what rolling asks for.
    pub fn grip(&self) -> f64 {
        let heading = self.way().unit().or_else(|| self.along().unit());
        let asked = (self.along() - self.dragged()) * (1.0 - self.yielding())
            + heading.map_or(S::Vector::ZERO, |heading| heading * self.resistance());
        self.rubbing.static_friction * self.pressing() - asked.length()
    }

    /// The accelerations of place and spin, m/s² and rad/s², of a ball of a regime, where the normal turns at a rate
    /// `(∇n) v`.
    ///
    /// `heading` is which way it slips or rolls, where that is to go on through zero; otherwise it is as it is now.
    pub fn rates(
        &self,
        regime: Regime,
        turning: S::Vector,
        heading: Option<S::Vector>,
    ) -> (S::Vector, S::Angular) {
        let pressing = self.pressing().max(0.0);
        let along = self.along();
        // What keeps it on the wall: n·a = −v·(∇n)v, with v as seen by a wall that stands. One that turns is round, and
        // turns into itself: its own speed makes no difference.
        let bent = if self.wall_acceleration == S::Vector::ZERO {
            -self.way().dot(turning)
        } else {
            self.centrifugal
        };
        let inward = self.normal * bent;
        let pivoting = self.pivoting();
        let pivot_rate = match pivoting.unit() {
            Some(axis) => {
                axis * -(self.rubbing.spinning * pressing / (self.roundness * self.radius))
            }
            _ => S::Angular::ZERO,
        } + self.pivot_twist();
        match regime {
            Regime::Sliding => {
                let heading = heading.unwrap_or_else(|| self.heading(regime));
                let friction = self.rubbing.kinetic_friction * pressing;
                let angular_acceleration = S::torque(self.normal, heading)
                    * (friction / (self.roundness * self.radius))
                    + (self.twist - self.pivot_twist());
                (
                    inward + along - heading * friction,
                    angular_acceleration + pivot_rate,
                )
            }
            Regime::Rolling => {
                let heading = heading.unwrap_or_else(|| self.heading(regime));
                let resistance = self.resistance();
                // A ball that spins about the normal of a curved wall is led aside.
                let aside = S::surface_velocity(pivoting, turning)
                    * (self.roundness * self.radius * self.yielding());
                // A wall that turns takes it along: f/m = c/(1+c) (w′ − g_t).
                let taken = self.tangential(self.wall_acceleration);
                let forward = along * self.yielding() - heading * resistance
                    + self.dragged() * (1.0 - self.yielding());
                let forward = if self.roundness.is_finite() {
                    forward + aside
                } else {
                    forward
                };
                let angular_acceleration = if self.roundness.is_finite() {
                    (S::torque(turning, self.way())
                        + S::torque(self.normal, forward + inward - taken))
                        * (1.0 / self.radius)
                } else {
                    S::Angular::ZERO
                };
                (inward + forward, angular_acceleration + pivot_rate)
            }
            Regime::Spinning => (S::Vector::ZERO, pivot_rate),
            Regime::Resting => (S::Vector::ZERO, S::Angular::ZERO),
        }
    }

    /// What a regime takes out of the ball's energy, by sliding, rolling and spinning, W per kilogram.
    pub fn dissipation(&self, regime: Regime) -> [f64; 3] {
        let pressing = self.pressing().max(0.0);
        let spinning = self.rubbing.spinning * self.radius * pressing * self.pivoting().length();
        match regime {
            Regime::Sliding => [
                self.rubbing.kinetic_friction * pressing * self.slip().length(),
                0.0,
                spinning,
            ],
            Regime::Rolling => [
                0.0,
                match self.resistance() {
                    0.0 => 0.0,
                    resistance => (1.0 + self.roundness) * resistance * self.way().length(),
                },
                spinning,
            ],
            Regime::Spinning => [0.0, 0.0, spinning],
            Regime::Resting => [0.0; 3],
        }
    }
}
