//! How a run by forces is to be made.

use crate::force::{Constants, Ending};
use std::fmt;
use std::str::FromStr;

/// How the equations of motion are stepped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Scheme {
    /// The classical Runge–Kutta method of order 4 (the course's).
    RungeKutta,
    /// Velocity Verlet, of order 2 without dampers. Dampers and friction see the velocity of the middle of the step, as
    /// in most codes for many bodies: that makes them of order 1.
    Verlet,
    /// Explicit Euler, of order 1, for comparison.
    Euler,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Scheme; 3] = [Scheme::RungeKutta, Scheme::Verlet, Scheme::Euler];

    /// Its name in scene files and summaries.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::RungeKutta => "rk4",
            Scheme::Verlet => "verlet",
            Scheme::Euler => "euler",
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Scheme {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let mut all = Scheme::ALL.into_iter();
        all.find(|scheme| scheme.name() == name)
            .ok_or_else(|| format!("integrator is {name}, but must be one of rk4, verlet, euler"))
    }
}

/// Where friction acts on overlapping balls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
// Exhaustive: a force acts at the one place or at the other, and scene files name both.
pub enum LeverArm {
    /// At one point for both, in the middle of the overlap (on a wall, on its surface): angular momentum is conserved.
    #[default]
    Point,
    /// At the full radius of each ball, as LAMMPS has it.
    Radius,
}

/// Which loop goes over the contacts in every step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum ForceEngine {
    /// The granular one where there are more than 64 free balls, the scheme is Verlet, and it can; otherwise the
    /// general loop.
    #[default]
    Auto,
    /// The general loop: one contact after the other, on one core; every scheme and everything.
    General,
    /// Four contacts at once on all cores, by Verlet; what it cannot do is refused.
    Granular,
}

impl ForceEngine {
    /// All of them.
    pub const ALL: [ForceEngine; 3] = [
        ForceEngine::Auto,
        ForceEngine::General,
        ForceEngine::Granular,
    ];

    /// Its name in scene files and summaries.
    pub fn name(self) -> &'static str {
        match self {
            ForceEngine::Auto => "auto",
            ForceEngine::General => "general",
            ForceEngine::Granular => "granular",
        }
    }
}

/// How a run by forces is to be made. The default is a good choice for everything that it leaves open.
///
/// ```
/// use carom::prelude::*;
/// use carom::material::Constants;
/// use carom::simulate::Scheme;
///
/// // A ball of 1 kg comes to rest on a spring of 10⁴ N/m: it sinks in by m g / k.
/// let mut world = World2::new();
/// world.set_gravity(DVec2::new(0.0, -10.0))?;
/// world.add(Body::fixed(Shape::floor()))?;
/// let ball = world.add(Body::free(Shape::ball(0.1)?).mass(1.0).at(DVec2::new(0.0, 0.1)))?;
/// let soft = Constants::spring_and_damper(1e4, 50.0).each_side();
/// let options = Forces::stepping(1e-4).by(Scheme::Verlet).with_fallback(soft);
/// let mut run = Simulation::with(world, options)?;
/// run.run_until(5.0)?;
/// assert!((run.state(ball).position.y - (0.1 - 1e-3)).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Forces {
    /// Whether contacts may pull at their end.
    pub ending: Ending,
    /// By default Runge–Kutta for up to 64 free balls, Verlet for more.
    pub scheme: Option<Scheme>,
    /// s. By default a fiftieth of the shortest contact.
    pub step: Option<f64>,
    /// Whether the beginning and the end of each contact are found within the step. Only Runge–Kutta can, and by
    /// default does.
    pub locate: Option<bool>,
    /// Where friction acts.
    pub lever_arm: LeverArm,
    /// For materials that have no constants of their own. By default they are refused.
    pub fallback: Option<Constants>,
    /// Which loop goes over the contacts.
    pub engine: ForceEngine,
}

impl Forces {
    /// The course's: Runge–Kutta with contacts located, a spring and a damper that may pull, a given step (s).
    pub fn stepping(step: f64) -> Self {
        Forces {
            step: Some(step),
            ..Forces::default()
        }
    }

    /// With a scheme.
    #[must_use]
    pub fn by(self, scheme: Scheme) -> Self {
        Forces {
            scheme: Some(scheme),
            ..self
        }
    }

    /// With a step (s).
    #[must_use]
    pub fn with_step(self, step: f64) -> Self {
        Forces {
            step: Some(step),
            ..self
        }
    }

    /// With contacts that may pull at their end, or not.
    #[must_use]
    pub fn with_ending(self, ending: Ending) -> Self {
        Forces { ending, ..self }
    }

    /// With friction that acts at the contact point or at the full radius.
    #[must_use]
    pub fn with_lever_arm(self, lever_arm: LeverArm) -> Self {
        Forces { lever_arm, ..self }
    }

    /// Without attraction at the end of contacts.
    #[must_use]
    pub fn cut_off(self) -> Self {
        Forces {
            ending: Ending::CutOff,
            ..self
        }
    }

    /// With contacts located within the step, or not.
    #[must_use]
    pub fn locating(self, locate: bool) -> Self {
        Forces {
            locate: Some(locate),
            ..self
        }
    }

    /// By a loop of one's own choice.
    #[must_use]
    pub fn run_by(self, engine: ForceEngine) -> Self {
        Forces { engine, ..self }
    }

    /// With constants for materials that have none.
    #[must_use]
    pub fn with_fallback(self, constants: Constants) -> Self {
        Forces {
            fallback: Some(constants),
            ..self
        }
    }
}
