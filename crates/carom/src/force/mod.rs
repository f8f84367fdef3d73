//! Then what? By forces: a spring and a damper between bodies that overlap.
//!
//! A pair of bodies whose surfaces overlap by `δ > 0` push each other apart along the normal `n` (into *a*), rub across
//! it, and resist rolling and spinning on each other. With `v_r` the velocity of *a*'s contact point relative to *b*'s,
//! `v_n = n·v_r` (negative where they close, so that `δ′ = −v_n`) and `v_t` the rest:
//!
//! ```text
//! normal      F_n = k δ − c v_n                                  (linear: the course's, LAMMPS' hooke)
//!             F_n = k δ^(3/2) − c δ^(1/4) v_n                    (Hertz with Tsuji's damper: one ε at all speeds)
//!             or max(F_n, 0), where attraction at the end of a contact is cut off
//! tangential  F_t = −k_t ξ − c_t v_t,  ξ′ = v_t,  |F_t| ≤ μ_s F_n where it sticks, μ_c F_n where it slides
//! rolling     the same with the rolling velocity in place of v_t and a torque in place of the force
//! ```
//!
//! Everything here is plain data and pure functions of it: the loop over single contacts (`simulate/stepped/`) and the
//! vectorised one over many balls call the same formulas.
//!
//! * [`Constants`]: what a material says, in one of several forms; [`couple`](Constants::couple) combines two for a
//!   pair of bodies.
//! * [`Couple`]: all numbers of a pair of bodies.
//! * `normal.rs`, `tangential.rs`: the forces. [`closed`]: the closed forms that tie (k, c) to restitution and contact
//!   time.

pub mod closed;
mod constants;
mod normal;
mod tangential;

pub use crate::material::{Constants, ConstantsError, Damping, Stiffness};
pub use closed::Ending;
pub use constants::Meeting;
pub use normal::{Normal, NormalForce, Spring};
pub use tangential::{Friction, Held, Rubbing, carry, rub};

/// All numbers of a pair of bodies: what acts between them while they touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Couple {
    /// Along the normal.
    pub normal: Normal,
    /// Across it.
    pub sliding: Friction,
    /// Against rolling: its displacement is `R` times the angle rolled, its force acts at an arm `R` (the [reduced
    /// radius](Couple::radius)).
    pub rolling: Friction,
    /// Against spinning about the normal, likewise.
    pub spinning: Friction,
    /// The reduced mass `1/(1/m_a + 1/m_b)`, kg.
    pub mass: f64,
    /// The reduced radius `1/(1/r_a + 1/r_b)`, m: that of the ball beside a wall.
    pub radius: f64,
}

impl Couple {
    /// The largest step that follows this contact safely, s.
    ///
    /// The pair swings with `ω² = k/μ` along the normal and at most `k_t (1/m + r²/I)` across it. Central differences
    /// (velocity Verlet) stay bounded for `dt < (2/ω)(√(1+ζ²) − ζ)` with ζ = c/(2√(kμ)); a ball in a packing has up to
    /// a dozen neighbours, which raises its ω up to about 2.5-fold. A quarter of the bound is safe for every integrator
    /// here, and resolves a contact by six steps.
    pub fn largest_step(&self) -> f64 {
        let (stiffness, damping) = self.normal.largest_slopes(self.radius);
        let part = |stiffness: f64, damping: f64, mass: f64| {
            let frequency = (stiffness / mass).sqrt();
            let ratio = damping / (2.0 * (stiffness * mass).sqrt());
            0.5 / frequency * ((1.0 + ratio * ratio).sqrt() - ratio)
        };
        let along = part(stiffness, damping, self.mass);
        let across = if self.sliding.stiffness > 0.0 && self.sliding.static_friction > 0.0 {
            // A ball's contact point yields to a tangential force 7/2 (a disc's 3) times as much as its centre.
            let scale = self.normal.tangential_scale(0.1 * self.radius);
            let (k, c) = (self.sliding.stiffness, self.sliding.damping);
            part(k * scale.0, c * scale.1, self.mass / 3.5)
        } else {
            f64::INFINITY
        };
        along.min(across)
    }

    /// How long a contact lasts, s: head-on, without any other force. Hertz's at an approach speed of 1 m/s.
    pub fn contact_time(&self) -> f64 {
        self.normal.contact_time(self.mass)
    }

    /// The restitution of a head-on impact; that of the [`Normal`].
    pub fn restitution(&self) -> f64 {
        self.normal.restitution(self.mass)
    }
}
