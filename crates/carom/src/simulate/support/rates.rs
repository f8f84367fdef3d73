//! How a ball on a wall moves, as the integrator asks for it, and what ends that.
//!
//! Friction, and the couples against rolling and spinning, jump where what they act against is zero. A piece of the
//! trajectory keeps what they do at its start ([`Mode`]), so that its rates are smooth, and ends where that changes:
//! the margins here ([`Standing::grip`], [`Standing::hold`], [`Mode::held`] …) are positive as long as it does not.

use super::standing::{NOTHING, Standing, Turn};
use crate::record::Regime;
use crate::space::{Linear, Space};

/// A spin that is gone within this time is none, s.
const INSTANT: f64 = 1e-12;

/// What acts on a ball against its motion on a wall, all along a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode<S: Space> {
    /// How it moves.
    pub regime: Regime,
    /// Which way it slips or rolls, or is about to.
    pub heading: S::Vector,
    /// Whether the whole couple resists rolling, or as much as friction lets it.
    pub whole: bool,
    /// What resists the spin about the normal.
    pub pivot: Pivoting,
    /// Whether the heading is as given, whatever moves.
    pub led: bool,
}

/// What the wall does about the spin about the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pivoting {
    /// It resists, or not: the sign of the spin that it acts against, or zero.
    Against(f64),
    /// It holds: the ball does not spin about the normal as seen by the wall.
    Held,
}

impl<S: Space> Mode<S> {
    /// What happens when [`Standing::pivot_left`] is used up.
    pub fn pivot_turn(&self) -> Turn {
        match self.pivot {
            Pivoting::Against(_) => Turn::SpunDown,
            Pivoting::Held => Turn::GoesOn,
        }
    }
}

impl<S: Space> Standing<S> {
    /// What acts in a regime from here on.
    pub fn mode(&self, regime: Regime) -> Mode<S> {
        Mode {
            regime,
            heading: self.heading(regime),
            whole: regime != Regime::Rolling
                || self.grip() >= self.blur()
                || self.resistance() == 0.0,
            pivot: self.pivot(regime),
            led: false,
        }
    }

    /// Which way it slips, or rolls; downhill where it is about to.
    pub fn heading(&self, regime: Regime) -> S::Vector {
        let now = match regime {
            Regime::Sliding if !self.grips() => self.slip().unit(),
            // Its lowest point begins to slip as it would without friction.
            Regime::Sliding => (self.along() - self.dragged()).unit(),
            _ => return self.rolling_heading(),
        };
        now.unwrap_or(S::Vector::ZERO)
    }

    /// The normal as the axis of a spin; zero in 2-D.
    fn upright(&self) -> S::Angular {
        S::angular_velocity(S::components(self.normal))
    }

    /// The spin about the normal that the wall does not share, rad/s.
    fn pivoted(&self) -> f64 {
        self.upright().dot(self.angular_velocity - self.wall_spin)
    }

    /// How fast the wall makes that fall, rad/s².
    fn slowing(&self) -> f64 {
        self.rubbing.spinning * self.pressing().max(0.0) / (self.roundness * self.radius)
    }

    /// How fast it would change by itself, rad/s²: as the normal turns, and by what else turns the ball.
    fn drifting(&self) -> f64 {
        let turned = S::angular_velocity(S::components(self.normal_rate))
            .dot(self.angular_velocity - self.wall_spin);
        turned + self.upright().dot(self.twist)
    }

    fn pivot(&self, regime: Regime) -> Pivoting {
        let slowing = self.slowing();
        if S::DIMENSION == 2 || !(slowing > 0.0) || regime == Regime::Resting {
            return Pivoting::Against(0.0);
        }
        let (pivoted, drifting) = (self.pivoted(), self.drifting());
        let none = NOTHING * (self.angular_velocity - self.wall_spin).length() + INSTANT * slowing;
        if pivoted.abs() > none {
            Pivoting::Against(pivoted.signum())
        } else if drifting.abs() <= slowing * (1.0 - INSTANT) {
            // Where it is just about to give way, it has: a clock that rounds would find it so again and again.
            Pivoting::Held
        } else {
            Pivoting::Against(drifting.signum())
        }
    }

    /// The slip, or the way that it rolls (m/s), how fast that falls (m/s²), and the turn when it is used up; `None`
    /// where nothing jumps then.
    pub fn spending(&self, mode: &Mode<S>) -> Option<(f64, f64, Turn)> {
        let pressing = self.pressing().max(0.0);
        match mode.regime {
            Regime::Sliding if self.rubbing.kinetic_friction * pressing > 0.0 => {
                let friction =
                    self.rubbing.kinetic_friction * pressing * (1.0 + 1.0 / self.roundness);
                let slowing = friction - self.pulling(mode).dot(mode.heading);
                Some((self.slip().length(), slowing, Turn::Grips))
            }
            Regime::Rolling if self.resistance() > 0.0 => {
                let resistance = self.resisting(mode, mode.heading);
                let slowing = resistance - self.pulling(mode).dot(mode.heading);
                Some((self.rolled().length(), slowing, Turn::Stops))
            }
            _ => None,
        }
    }

    /// What is left of the slip or the way along the heading of a mode, m/s: negative when it has been used up.
    pub fn left(&self, mode: &Mode<S>) -> f64 {
        let heading = self.tangential(mode.heading);
        match mode.regime {
            Regime::Sliding => self.slip().dot(heading),
            _ => self.rolled().dot(heading),
        }
    }

    /// How far a mode is from not being what it is, m/s²: negative when it is over. Infinite where nothing ends it.
    pub fn lasting(&self, mode: &Mode<S>) -> f64 {
        match mode.regime {
            Regime::Sliding => f64::INFINITY,
            Regime::Rolling if mode.whole => self.grip_along(self.heading_in(mode)),
            // Until the whole couple plainly fits again, or none does.
            Regime::Rolling => {
                let heading = self.heading_in(mode);
                (2.0 * self.blur() - self.grip_along(heading)).min(self.yielded(heading))
            }
            Regime::Spinning | Regime::Resting => self.hold(),
        }
    }

    /// What is left of the spin about the normal, or of what holds it: positive until that changes.
    pub fn pivot_left(&self, mode: &Mode<S>) -> f64 {
        match mode.pivot {
            Pivoting::Against(0.0) => f64::INFINITY,
            Pivoting::Against(sign) => self.pivoted() * sign,
            Pivoting::Held => self.slowing() - self.drifting().abs(),
        }
    }

    /// The resistance against rolling in a mode, m/s².
    fn resisting(&self, mode: &Mode<S>, heading: S::Vector) -> f64 {
        if mode.whole {
            self.resistance()
        } else {
            self.yielded(heading).clamp(0.0, self.resistance())
        }
    }

    /// Which way friction or resistance acts against, on the way of a piece.
    fn heading_in(&self, mode: &Mode<S>) -> S::Vector {
        // In 2-D it keeps its heading through zero, so that the instant can be found from both sides.
        let kept = || {
            self.tangential(mode.heading)
                .unit()
                .unwrap_or(S::Vector::ZERO)
        };
        if S::DIMENSION == 2 || mode.led {
            return kept();
        }
        let none = match mode.regime {
            Regime::Sliding => self.grips(),
            _ => self.is_still(),
        };
        if none {
            return kept();
        }
        self.moving(mode).unit().unwrap_or_else(kept)
    }

    /// What friction or resistance acts against: the slip, or the way that it rolls, m/s.
    pub fn moving(&self, mode: &Mode<S>) -> S::Vector {
        match mode.regime {
            Regime::Sliding => self.slip(),
            _ => self.rolled(),
        }
    }

    /// What pulls at that, m/s².
    pub fn pulling(&self, mode: &Mode<S>) -> S::Vector {
        match mode.regime {
            Regime::Sliding => self.along() - self.dragged(),
            _ => self.downhill(),
        }
    }

    /// How much friction or resistance takes of that, m/s².
    pub fn opposing(&self, mode: &Mode<S>) -> f64 {
        match mode.regime {
            Regime::Sliding => {
                let friction = self.rubbing.kinetic_friction * self.pressing().max(0.0);
                friction * (1.0 + 1.0 / self.roundness)
            }
            Regime::Rolling => self.resisting(mode, self.heading_in(mode)),
            Regime::Spinning | Regime::Resting => 0.0,
        }
    }

    /// The accelerations of place and spin, m/s² and rad/s².
    pub fn rates(&self, mode: &Mode<S>) -> (S::Vector, S::Angular) {
        let pressing = self.pressing().max(0.0);
        let along = self.along();
        let inward = self.normal * self.centrifugal;
        let upright = self.upright();
        let twisted = upright * upright.dot(self.twist);
        let pivot_rate = match mode.pivot {
            Pivoting::Against(sign) => twisted - upright * (sign * self.slowing()),
            Pivoting::Held => {
                let turned = S::angular_velocity(S::components(self.normal_rate));
                upright * -turned.dot(self.angular_velocity - self.wall_spin)
            }
        };
        match mode.regime {
            Regime::Sliding => {
                let heading = self.heading_in(mode);
                let friction = self.rubbing.kinetic_friction * pressing;
                let spin_rate = S::torque(self.normal, heading)
                    * (friction / (self.roundness * self.radius))
                    + (self.twist - twisted);
                (inward + along - heading * friction, spin_rate + pivot_rate)
            }
            Regime::Rolling => {
                let heading = self.heading_in(mode);
                let forward = along * self.yielding() - heading * self.resisting(mode, heading)
                    + self.dragged() * (1.0 - self.yielding());
                if !self.roundness.is_finite() {
                    return (inward + forward, S::Angular::ZERO);
                }
                // u = 0 all along; about the normal nothing but its own couples acts.
                let spin_rate =
                    S::torque(self.normal, forward - self.taken()) * (1.0 / self.radius);
                (inward + forward, spin_rate + pivot_rate)
            }
            Regime::Spinning | Regime::Resting => {
                let with_wall = inward + self.taken_at_rest();
                if mode.regime == Regime::Resting || !self.roundness.is_finite() {
                    return (with_wall, S::Angular::ZERO);
                }
                let turned = S::angular_velocity(S::components(self.normal_rate)) * self.pivoted();
                (with_wall, turned + pivot_rate)
            }
        }
    }

    /// What a mode takes out of the ball's energy, by sliding, rolling and spinning, W per kilogram.
    pub fn dissipation(&self, mode: &Mode<S>) -> [f64; 3] {
        let pressing = self.pressing().max(0.0);
        let spinning = match mode.pivot {
            Pivoting::Against(sign) => {
                let couple = self.rubbing.spinning * self.radius * pressing;
                couple * sign * self.pivoted()
            }
            Pivoting::Held => 0.0,
        };
        match mode.regime {
            Regime::Sliding => {
                let heading = self.heading_in(mode);
                let friction = self.rubbing.kinetic_friction * pressing;
                [friction * self.slip().dot(heading), 0.0, spinning]
            }
            Regime::Rolling => {
                let heading = self.heading_in(mode);
                let rolling = match self.resisting(mode, heading) {
                    0.0 => 0.0,
                    resistance => (1.0 + self.roundness) * resistance * self.rolled().dot(heading),
                };
                [0.0, rolling, spinning]
            }
            Regime::Spinning => [0.0, 0.0, spinning],
            Regime::Resting => [0.0; 3],
        }
    }
}
