//! What happens while a ball keeps touching a wall: it slides, rolls, spins on the spot, or rests.
//!
//! With n the normal into the ball, `V` its velocity relative to the wall (along it), `u = V − r ω×n` the slip of its
//! lowest point, `a_n` the acceleration that presses it on (gravity's part against n, and what a curved wall adds),
//! `g_t` gravity's part along the wall and `c = I/(m r²)`:
//!
//! ```text
//! slides   V′ = g_t − μ_c a_n û           ω′ = μ_c a_n/(c r) n×û    u′ = g_t − μ_c a_n (1 + 1/c) û    until u = 0
//! rolls    V′ = g_t/(1+c) − μ_r a_n V̂     ω = n×V/r                 u = 0                             until V = 0
//! spins    V = 0, ω·n falls by μ_p a_n/(c r) a second (also while it slides or rolls)                 until that is 0
//! rests    V = 0, ω = 0, as long as |g_t| ≤ μ_s a_n and |g_t|/(1+c) ≤ μ_r a_n
//! ```
//!
//! On a wall that moves, V is as seen by the wall's own frame, and ω relative to the wall's angular velocity Ω where it
//! comes to rolling and spinning: a ball that rests on a turning wall goes around with it. Where something else turns
//! the ball as well, at a rate τ (rad/s², the drag on its spin), that is added to ω′.
//!
//! Rolling keeps u = 0 while the normal turns (at ṅ) and the wall's point below the ball is accelerated (by w′, with
//! Coriolis and centrifugal parts). A contact in a point passes on no couple about its normal, so that the spin about
//! the normal follows `d(ω·n)/dt = ω·ṅ`, and friction has to follow
//!
//! ```text
//! d = w′_t + r τ×n + r (ω·n) n×ṅ:     f_t/m = c/(1+c) (d − g_t) − μ_r a_n V̂,     V′ = g_t + f_t/m.
//! ```
//!
//! Where that friction is more than `μ_s a_n`, the couple against rolling is as much less as makes it that (a couple is
//! at *most* that of μ_r), and where no couple does, the ball slides. μ_r is the rolling resistance (the deceleration
//! on the level, in units of gravity), μ_p the resistance against spinning about the normal (a torque `μ_p r N`).
//!
//! On a flat wall in uniform gravity all of this is a parabola, as long as û and V̂ keep their directions: always in
//! 2-D, and in 3-D on the level and straight up and down a slope. Otherwise [`Standing::rates`] (`rates.rs`) is the
//! right-hand side for the integrator.

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
    /// Of the wall, rad/s.
    pub wall_spin: S::Angular,
    /// How fast the wall's velocity below the ball changes as both move on, m/s².
    pub wall_acceleration: S::Vector,
    /// How fast the normal turns, 1/s: with the wall, and as the ball moves along it.
    pub normal_rate: S::Vector,
    /// What the integrator may leave where there should be zero, m/s; none where there are closed forms.
    pub left_over: f64,
    /// The acceleration along the normal that keeps the ball on the wall, m/s²: `−v·(∇n)v` on one that stands.
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
pub(super) const NOTHING: f64 = 1e-13;

/// What rounding may leave of a vector along the normal, relative to it: the product, the quotient and the difference
/// are each rounded once, and the normal's square in two or three steps.
const ROUNDED: f64 = 4.0 * f64::EPSILON;

/// How much of what presses and lifts rounding may leave of their sum, and some more.
const CLINGING: f64 = 1e-12;

impl<S: Space> Standing<S> {
    /// The acceleration that presses the ball on, m/s²; it leaves the wall where this is negative.
    pub fn pressing(&self) -> f64 {
        -self.normal.dot(self.gravity) + self.centrifugal
    }

    /// The same with as much as rounding may leave of it: a ball lifts off where this is gone. Where it lifted off at
    /// zero, rounding would have it land again at once, and lift off again, for ever.
    pub fn clinging(&self) -> f64 {
        let terms = self.normal.dot(self.gravity).abs() + self.centrifugal.abs();
        self.pressing() + CLINGING * terms
    }

    /// Gravity's part along the wall, m/s².
    pub fn along(&self) -> S::Vector {
        self.tangential(self.gravity)
    }

    /// A vector without its part along the normal; zero where only rounding is left of it, whose direction would be
    /// any, even that of the normal.
    pub fn tangential(&self, vector: S::Vector) -> S::Vector {
        let rest = vector - self.normal * (self.normal.dot(vector) / self.normal.length_squared());
        if rest.length_squared() <= ROUNDED * ROUNDED * vector.length_squared() {
            return S::Vector::ZERO;
        }
        rest
    }

    /// The velocity relative to the wall and along it, m/s.
    pub fn way(&self) -> S::Vector {
        self.tangential(self.velocity - self.wall_velocity)
    }

    /// The velocity of the centre in the frame of the wall, along it, m/s: that at which the ball rolls on it.
    pub fn rolled(&self) -> S::Vector {
        if self.wall_spin == S::Angular::ZERO {
            return self.way();
        }
        self.way() - S::surface_velocity(self.wall_spin, self.normal) * self.radius
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

    /// The part of the spin about the normal that the wall does not share, rad/s.
    pub fn pivoting_beside(&self) -> S::Angular {
        if S::DIMENSION == 2 {
            return S::Angular::ZERO;
        }
        self.about_normal(self.angular_velocity - self.wall_spin)
    }

    /// The part of a spin about the normal, in 3-D.
    pub(super) fn about_normal(&self, spin: S::Angular) -> S::Angular {
        let rolling = S::torque(self.normal, S::surface_velocity(spin, self.normal));
        let pivoting = spin - rolling;
        if pivoting.length() <= NOTHING * spin.length() {
            S::Angular::ZERO
        } else {
            pivoting
        }
    }

    /// What the lowest point of a rolling ball follows, m/s²: that of the wall below it, and what turns with the
    /// normal.
    pub(super) fn taken(&self) -> S::Vector {
        let taken = self.tangential(self.wall_acceleration);
        if S::DIMENSION == 2 || self.normal_rate == S::Vector::ZERO {
            return taken;
        }
        taken + S::surface_velocity(self.pivoting(), self.normal_rate) * self.radius
    }

    /// The same for a ball that goes with the wall as if it were part of it.
    pub(super) fn taken_at_rest(&self) -> S::Vector {
        let taken = self.tangential(self.wall_acceleration);
        if S::DIMENSION == 2 || self.wall_spin == S::Angular::ZERO {
            return taken;
        }
        let pivoting = self.about_normal(self.wall_spin);
        taken + S::surface_velocity(pivoting, self.normal_rate) * self.radius
    }

    /// How something else than the wall accelerates the lowest point by turning the ball, m/s².
    fn twisted(&self) -> S::Vector {
        if self.twist == S::Angular::ZERO {
            return S::Vector::ZERO;
        }
        S::surface_velocity(self.twist, self.normal) * self.radius
    }

    /// What rolling has to follow, m/s².
    pub(super) fn dragged(&self) -> S::Vector {
        self.taken() + self.twisted()
    }

    /// How a ball that rolls is accelerated in the frame of the wall if nothing resists, m/s².
    pub(super) fn downhill(&self) -> S::Vector {
        (self.along() - self.taken()) * self.yielding() + self.twisted() * (1.0 - self.yielding())
    }

    /// A speed that is none beside the ball's own, m/s.
    pub fn speck(&self) -> f64 {
        NOTHING * (self.velocity.length() + self.wall_velocity.length()) + self.left_over
    }

    /// The deceleration of a rolling ball at most, m/s². One that cannot be spun does not roll.
    pub(super) fn resistance(&self) -> f64 {
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
                velocity: at_way(way - self.rolled()),
                angular_velocity: self.with_wall() + self.pivoting_beside(),
                ..*self
            },
            Turn::SpunDown => Standing {
                angular_velocity: self.angular_velocity - self.pivoting_beside(),
                ..*self
            },
            Turn::Lifts | Turn::GoesOn => *self,
        }
    }

    /// The angular velocity of a ball that goes with the wall; one that cannot be spun keeps its own.
    fn with_wall(&self) -> S::Angular {
        if self.roundness.is_finite() {
            self.wall_spin
        } else {
            self.angular_velocity - self.pivoting_beside()
        }
    }

    /// `1/(1 + c)`.
    pub(super) fn yielding(&self) -> f64 {
        1.0 / (1.0 + self.roundness)
    }

    /// Whether the slip is no more than rounding.
    pub fn grips(&self) -> bool {
        let surface = S::surface_velocity(self.angular_velocity, self.normal) * self.radius;
        let scale = self.way().length() + surface.length() + self.wall_velocity.length();
        self.slip().length() <= NOTHING * scale + self.left_over
    }

    /// Whether it does not move in the frame of the wall.
    pub fn is_still(&self) -> bool {
        self.rolled().length() <= self.speck()
    }

    /// The largest friction per mass, m/s².
    fn static_bound(&self) -> f64 {
        self.rubbing
            .static_friction
            .max(self.rubbing.kinetic_friction)
            * self.pressing().max(0.0)
    }

    /// The friction that rolling asks for where nothing resists, per mass and against the wall's own, m/s².
    fn asked(&self) -> S::Vector {
        (self.along() - self.dragged()) * (1.0 - self.yielding())
    }

    /// Which way it rolls, or will.
    pub(super) fn rolling_heading(&self) -> S::Vector {
        let still = self.is_still();
        let rolls = (!still).then(|| self.rolled().unit()).flatten();
        (rolls.or_else(|| self.downhill().unit())).unwrap_or(S::Vector::ZERO)
    }

    /// How much friction (m/s²) there is beyond what rolling against the whole resistance asks for.
    pub fn grip(&self) -> f64 {
        self.grip_along(self.rolling_heading())
    }

    /// The same where it rolls along a heading.
    pub(super) fn grip_along(&self, heading: S::Vector) -> f64 {
        let asked = self.asked() + heading * self.resistance();
        self.static_bound() - asked.length()
    }

    /// The largest resistance, below the whole one, against which friction lets it roll, m/s²; negative where none
    /// does.
    pub fn yielded(&self, heading: S::Vector) -> f64 {
        let (asked, bound) = (self.asked(), self.static_bound());
        let along = asked.dot(heading);
        let square = along * along + (bound * bound - asked.length_squared());
        if heading == S::Vector::ZERO || square < 0.0 {
            return bound - asked.length();
        }
        square.sqrt() - along
    }

    /// How much it has beyond what it takes to stay where it is on the wall, m/s².
    pub fn hold(&self) -> f64 {
        let needs = (self.along() - self.taken_at_rest()).length();
        let scale = NOTHING * self.gravity.length();
        (self.resistance() - self.downhill().length() + scale)
            .min(self.static_bound() - needs + scale)
    }

    /// What margins of friction are rounded by, m/s².
    pub fn blur(&self) -> f64 {
        8.0 * NOTHING * (self.gravity.length() + self.wall_acceleration.length() + self.pressing())
    }

    /// Whether the friction that rolling asks for is there.
    fn can_roll(&self) -> bool {
        self.grip() >= -NOTHING * self.static_bound() || {
            let yielded = self.yielded(self.rolling_heading());
            yielded >= 0.0 && yielded <= self.resistance()
        }
    }

    /// How it moves now.
    pub fn regime(&self) -> Regime {
        let still = self.is_still();
        let rests = still && self.hold() >= 0.0;
        if !self.grips() || !(rests || self.can_roll()) {
            Regime::Sliding
        } else if !rests {
            Regime::Rolling
        } else {
            self.standstill()
        }
    }

    /// How it moves where it stays: spinning, or not at all.
    fn standstill(&self) -> Regime {
        let pivots = self.pivoting_beside().length() > NOTHING * self.angular_velocity.length();
        if pivots && self.roundness.is_finite() {
            Regime::Spinning
        } else {
            Regime::Resting
        }
    }

    /// The regime in which less moves than in the present one, where rounding alone may have decided against it.
    pub fn calmer(&self, regime: Regime) -> Option<Regime> {
        if !self.grips() {
            return None;
        }
        let rests = self.is_still() && self.hold() >= -self.blur();
        let yielded = self.yielded(self.rolling_heading()).min(self.resistance());
        let rolls = self.grip().max(yielded) >= -self.blur();
        match regime {
            Regime::Sliding if rests => Some(self.standstill()),
            Regime::Sliding if rolls => Some(Regime::Rolling),
            Regime::Rolling if rests => Some(self.standstill()),
            _ => None,
        }
    }

    /// The regime in which more moves than in the present one, where rounding alone may have decided for it.
    pub fn livelier(&self, regime: Regime) -> Option<Regime> {
        match regime {
            Regime::Rolling if self.grip() <= self.blur() => Some(Regime::Sliding),
            Regime::Resting | Regime::Spinning if self.hold() <= self.blur() => {
                Some(if self.can_roll() && self.grip() > self.blur() {
                    Regime::Rolling
                } else {
                    Regime::Sliding
                })
            }
            _ => None,
        }
    }

    /// The same with what is zero by the regime made exactly so: no velocity across the wall, no slip where it rolls,
    /// no motion where it rests.
    pub fn tidied(&self, regime: Regime) -> Self {
        let wall = self.wall_velocity;
        let across = self.normal * (self.normal.dot(wall) / self.normal.length_squared());
        let way = match regime {
            Regime::Sliding | Regime::Rolling => self.way(),
            // Going with the wall.
            Regime::Spinning | Regime::Resting => self.way() - self.rolled(),
        };
        // Of the wall's own velocity, what is along it is in `way` or not, as it happens; the rest carries the ball.
        let carried = self.tangential(wall) + across;
        let angular_velocity = match regime {
            Regime::Sliding => self.angular_velocity,
            _ if !self.roundness.is_finite() => self.angular_velocity,
            Regime::Rolling => self.rolling_spin(way) + self.pivoting(),
            Regime::Spinning => self.with_wall() + self.pivoting_beside(),
            Regime::Resting => self.with_wall(),
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
                let heading = way.unit().or_else(|| along.unit())?;
                let resistance = match self.resistance() {
                    whole if self.grip() >= -NOTHING * self.static_bound() => whole,
                    whole => self.yielded(heading).clamp(0.0, whole),
                };
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
}
