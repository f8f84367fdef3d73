//! Was it right? The budgets of a run.
//!
//! Energy, momentum and angular momentum change only where the budget says so: collisions take energy out (or put it
//! in, for ε > 1), kinematic bodies do work, walls and gravity change the momenta. What remains when all of that is
//! accounted for is the residual: zero to rounding, in every run.
//!
//! # What a collision loses, and to what
//!
//! An impulse `J` at a contact whose relative velocity goes from `v_r⁻` to `v_r⁺` loses `−J·(v_r⁻ + v_r⁺)/2`. The part
//! of J along the normal is lost to restitution, `½ α (1−ε²) v_n²`; the part across it to friction. For balls the two
//! do not mix: what restitution takes is what the same contact without friction would have lost. Where ε > 1 the normal
//! part adds energy, which is an account of its own; so is what a law adds across the normal (Newton's, at eccentric
//! contacts). Losses are never negative, except by rounding.

mod ledger;
mod sum;

pub(crate) use ledger::{Carried, Costs, External, Holdings, Ledger};
pub(crate) use sum::Sum;

use crate::space::Space;

/// Energy by kind, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Energy {
    /// Kinetic, of the motion of the centres of mass.
    pub translational: f64,
    /// Kinetic, of the rotation about the centres of mass.
    pub rotational: f64,
    /// In uniform gravity, counted from the origin, in central fields and in springs.
    pub potential: f64,
}

impl Energy {
    /// Kinetic energy: translational and rotational, J.
    pub fn kinetic(&self) -> f64 {
        self.translational + self.rotational
    }

    /// The sum of all kinds, J.
    pub fn total(&self) -> f64 {
        self.translational + self.rotational + self.potential
    }
}

/// What contacts have cost, by cause, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Loss {
    /// Taken out along the normal, by ε < 1.
    pub restitution: f64,
    /// Taken out across the normal.
    pub friction: f64,
    /// Energy added along the normal, by ε > 1.
    pub energy_added: f64,
    /// Energy added across the normal by the law of impact: Newton's law does so at eccentric contacts, where friction
    /// along the first slip drives the later one.
    pub energy_added_by_friction: f64,
}

/// What contacts have cost, by what touched what.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Losses {
    /// Of free balls with each other.
    pub between_balls: Loss,
    /// Of free balls with static and kinematic bodies.
    pub with_fixtures: Loss,
    /// Of balls that keep touching a wall.
    pub lasting: Lasting,
    /// To fields that are no potentials: drag, wind (negative where they gave more), J.
    pub fields: f64,
    /// To the error of explicit Euler, where flights are made by it (negative: the usual case, it adds energy): what
    /// fields do along a step, less what the velocity gets at its end, `m h (v·a + h a²/2)` with the
    /// acceleration at its beginning. J.
    pub integration: f64,
}

/// What lasting contacts have cost, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Lasting {
    /// To friction, while balls slide.
    pub sliding: f64,
    /// To rolling resistance.
    pub rolling: f64,
    /// To resistance against spinning about the normal.
    pub spinning: f64,
    /// When balls stopped bouncing: what was left of the speed across the wall.
    pub settling: f64,
    /// To the dampers of contacts that are followed by forces.
    pub damping: f64,
    /// To the finite length of the steps of bodies in lasting contact (negative if energy was gained).
    pub stepping: f64,
    /// To putting bodies that keep touching back where they do not overlap, after a step (negative: they were lifted).
    pub projection: f64,
    /// Energy added in these steps by friction, and by the couples against rolling and spinning, where they push along
    /// the mean slip or rotation of a step.
    pub energy_added_by_friction: f64,
}

impl Lasting {
    /// All of it, J.
    pub fn total(&self) -> f64 {
        let lost = self.sliding + self.rolling + self.spinning + self.settling + self.damping;
        lost + self.stepping + self.projection - self.energy_added_by_friction
    }
}

/// The angular momentum of the free bodies about the origin, their own rotation included, kg·m²/s.
///
/// The rotation of a ball that cannot be spun (infinite inertia) is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "")
)]
#[non_exhaustive]
pub struct AngularMomentum<S: Space> {
    /// At the start.
    pub initial: S::Angular,
    /// Now.
    pub now: S::Angular,
    /// Given by static and kinematic bodies, and by whatever keeps balls from turning that cannot be spun.
    pub from_fixtures: S::Angular,
    /// Given by gravity.
    pub from_gravity: S::Angular,
    /// Given in flight by other fields.
    pub from_fields: S::Angular,
    /// Given by external forces and torques.
    pub from_external: S::Angular,
    /// Given by putting moving bodies back where they do not overlap, after a step of a lasting contact.
    pub from_projection: S::Angular,
    /// Brought in from outside by edits.
    pub given: S::Angular,
    /// Of what bodies in contacts of measurable duration are to leave with, more than they have.
    pub in_contact: S::Angular,
    /// `now + in contact − (initial + fixtures + gravity + fields + external + projection + given)`: zero to rounding.
    pub residual: S::Angular,
}

/// What contacts that last hold: what bodies that stick together are to leave with, more than they have; by forces,
/// what springs store. Zero if there is no such contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "")
)]
#[non_exhaustive]
pub struct InContact<S: Space> {
    /// How many such contacts there are now.
    pub contacts: u64,
    /// With what members of islands have fallen, in the step under way, beyond what their velocities show of it, J.
    pub energy: f64,
    /// kg·m/s.
    pub momentum: S::Vector,
}

/// The budgets as they stand.
///
/// ```
/// use carom::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World2::new();
/// let clay = Material { restitution: 0.5, ..Material::default() };
/// let clay = world.materials.add("clay", clay)?;
/// world.add(Body::free(Shape::ball(0.5)?).mass(1.0).velocity(DVec2::new(2.0, 0.0)).material(clay))?;
/// world.add(Body::free(Shape::ball(0.5)?).mass(1.0).at(DVec2::new(3.0, 0.0)).material(clay))?;
/// let mut run = Simulation::new(world)?;
/// run.run_until(5.0)?;
///
/// let audit = run.audit();
/// assert_eq!(audit.initial.total(), 2.0); // J
/// assert_eq!(audit.losses.between_balls.restitution, 0.75); // ½ α (1 − ε²) v_n² = ½ · ½ · ¾ · 4
/// assert_eq!(audit.now.total(), 1.25);
/// assert!(audit.energy_residual.abs() < 1e-15);
/// assert_eq!(audit.momentum, DVec2::new(2.0, 0.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "")
)]
#[non_exhaustive]
pub struct Audit<S: Space> {
    /// Energy at the start, J.
    pub initial: Energy,
    /// Energy now, J.
    pub now: Energy,
    /// Taken out by collisions since the start (negative: energy added), J: the sum of all [`losses`](Self::losses).
    pub lost_in_collisions: f64,
    /// The same by cause.
    pub losses: Losses,
    /// Work done on the free bodies by kinematic ones, and by whatever keeps balls rotating that cannot be spun, J.
    pub work_by_kinematic: f64,
    /// Done on the free bodies by [external forces and torques](crate::motion::Load), J.
    pub external_work: f64,
    /// Done on the balls by the [shear](crate::world::Shear) of the periodic box, J.
    pub shear_work: f64,
    /// Brought in from outside by edits since the start: bodies inserted and removed, velocities and gravity set
    /// (negative: taken out), J.
    pub given: f64,
    /// What bodies in contacts of measurable duration will leave with, in excess of what they have now.
    pub in_contact: InContact<S>,
    /// `now + in contact − (initial − lost in collisions and in lasting contacts + work + external work + work of
    /// shear + given)`, J: zero to rounding.
    pub energy_residual: f64,
    /// Momentum of the free bodies at the start, kg·m/s.
    pub momentum_initial: S::Vector,
    /// Momentum of the free bodies now, kg·m/s.
    pub momentum: S::Vector,
    /// Given to the free bodies by static and kinematic ones, kg·m/s.
    pub momentum_from_fixtures: S::Vector,
    /// Given to the free bodies by gravity, kg·m/s.
    pub momentum_from_gravity: S::Vector,
    /// Given to the free bodies in flight by other fields, kg·m/s.
    pub momentum_from_fields: S::Vector,
    /// Given to the free bodies by external forces, kg·m/s.
    pub momentum_from_external: S::Vector,
    /// Given to the balls by the shear of the periodic box, kg·m/s.
    pub momentum_from_shear: S::Vector,
    /// Brought in from outside by edits, kg·m/s.
    pub momentum_given: S::Vector,
    /// `now + in contact − (initial + fixtures + gravity + fields + external + shear + given)`, kg·m/s: zero to
    /// rounding.
    pub momentum_residual: S::Vector,
    /// Angular momentum; `None` in a periodic box, where it is not conserved.
    pub angular_momentum: Option<AngularMomentum<S>>,
    /// The deepest overlap at any collision, m: due to the rounding of times and positions.
    pub deepest_overlap: f64,
}
