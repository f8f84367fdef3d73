//! What acts on a single body from outside: a force and a torque, constant or as formulas of time.

mod formula;

pub use formula::{Formula, FormulaError};

use crate::space::{Linear, Space};

/// An external force on one body (N, at its centre of mass) and an external torque (N·m), in the directions of the
/// world: `F(t) = F₀ + Σ F_i f_i(t)`.
///
/// ```
/// use carom::motion::Load;
/// use carom::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World2::new();
/// let ball = Body::free(Shape::ball(0.5)?).mass(2.0);
/// let constant = world.add(ball.clone().force(DVec2::new(4.0, 0.0)))?;
/// let swings = Load::default().with_force_of_time(DVec2::Y, "8 * cos(2*t)".parse()?);
/// let swinging = world.add(ball.at(DVec2::new(0.0, 5.0)).load(swings))?;
/// let mut run = Simulation::new(world)?;
/// run.run_until(1.0)?;
/// assert_eq!(run.state(constant).position, DVec2::new(1.0, 0.0)); // ½ (F/m) t²
/// // x = (F/m ω²) (1 − cos ωt)
/// assert!((run.state(swinging).position.y - (5.0 + 1.0 - 2f64.cos())).abs() < 1e-6);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "")
)]
pub struct Load<S: Space> {
    /// N.
    force: S::Vector,
    /// N·m.
    torque: S::Angular,
    forces: Vec<(S::Vector, Formula)>,
    torques: Vec<(S::Angular, Formula)>,
    /// What the time of the formulas is ahead of the world's, s.
    ahead: f64,
}

impl<S: Space> Default for Load<S> {
    /// Nothing.
    fn default() -> Self {
        Load {
            force: S::Vector::ZERO,
            torque: S::Angular::ZERO,
            forces: Vec::new(),
            torques: Vec::new(),
            ahead: 0.0,
        }
    }
}

impl<S: Space> Load<S> {
    /// With a constant force more, N.
    #[must_use]
    pub fn with_force(mut self, force: S::Vector) -> Self {
        self.force += force;
        self
    }

    /// With a constant torque more, N·m.
    #[must_use]
    pub fn with_torque(mut self, torque: S::Angular) -> Self {
        self.torque += torque;
        self
    }

    /// With a force more: a vector times a formula of the world time, together in N.
    #[must_use]
    pub fn with_force_of_time(mut self, along: S::Vector, formula: Formula) -> Self {
        if formula.varies() {
            self.forces.push((along, formula))
        } else {
            self.force += along * formula.at(0.0)
        }
        self
    }

    /// With a torque more: a vector (in 2-D a number) times a formula of the world time, together in N·m.
    #[must_use]
    pub fn with_torque_of_time(mut self, about: S::Angular, formula: Formula) -> Self {
        if formula.varies() {
            self.torques.push((about, formula))
        } else {
            self.torque += about * formula.at(0.0)
        }
        self
    }

    /// The force at a world time (s), N.
    pub fn force_at(&self, time: f64) -> S::Vector {
        let time = time + self.ahead;
        let parts = self.forces.iter();
        parts.fold(self.force, |sum, (along, formula)| {
            sum + *along * formula.at(time)
        })
    }

    /// The torque at a world time (s), N·m.
    pub fn torque_at(&self, time: f64) -> S::Angular {
        let time = time + self.ahead;
        let parts = self.torques.iter();
        parts.fold(self.torque, |sum, (about, formula)| {
            sum + *about * formula.at(time)
        })
    }

    /// Whether it never changes.
    pub fn is_constant(&self) -> bool {
        self.forces.is_empty() && self.torques.is_empty()
    }

    /// Whether there is neither a force nor a torque.
    pub fn is_nothing(&self) -> bool {
        self.is_constant() && self.force == S::Vector::ZERO && self.torque == S::Angular::ZERO
    }

    /// Whether there never is a torque.
    pub fn is_without_torque(&self) -> bool {
        self.torques.is_empty() && self.torque == S::Angular::ZERO
    }

    /// The next instant strictly after `time` at which it jumps, s; infinite where there is none.
    pub fn next_jump(&self, time: f64) -> f64 {
        let formulas = (self.forces.iter().map(|(_, formula)| formula))
            .chain(self.torques.iter().map(|(_, formula)| formula));
        let jumps = formulas.flat_map(|formula| formula.jumps());
        jumps
            .map(|jump| jump - self.ahead)
            .filter(|&jump| jump > time)
            .fold(f64::INFINITY, f64::min)
    }

    /// The same for a world whose time 0 is this world time, s.
    #[must_use]
    pub fn go_on_from(mut self, time: f64) -> Self {
        if !self.is_constant() {
            self.ahead += time;
        }
        self
    }

    /// Whether all its numbers are finite; what formulas give is seen when they are asked.
    pub fn is_finite(&self) -> bool {
        self.force.is_finite()
            && self.torque.is_finite()
            && self.ahead.is_finite()
            && self.forces.iter().all(|(along, _)| along.is_finite())
            && self.torques.iter().all(|(about, _)| about.is_finite())
    }
}

mod stored {
    //! In a snapshot.

    use super::{Formula, Load};
    use crate::codec::{Reader, SnapshotError, Stored, invalid, stored_fields};
    use crate::space::Space;

    impl Stored for Formula {
        fn store(&self, out: &mut Vec<u8>) {
            Box::<str>::from(self.text()).store(out);
        }

        fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
            let text: Box<str> = Stored::load(input)?;
            text.parse()
                .or_else(|error| invalid(format!("no formula: {error}")))
        }
    }

    stored_fields!(Load<S> { force, torque, forces, torques, ahead } where S: Space);
}
