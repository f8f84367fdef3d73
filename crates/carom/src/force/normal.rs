use super::closed::{self, Ending};
use crate::material::restitution::viscoelastic_at;

/// How the force along the normal grows with the overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Spring {
    /// `k δ − c v_n`, with k in N/m and c in N·s/m.
    #[default]
    Linear,
    /// `k δ^(3/2) − c δ^(1/4) v_n`, with k in N/m^(3/2) and c in N·s/m^(5/4): elastic spheres, with Tsuji's damper.
    Hertz,
    /// `k δ^(3/2) − c √δ v_n`, with k in N/m^(3/2) and c in N·s/m^(3/2): viscoelastic spheres, with the damper of
    /// Kuwabara and Kono. The restitution falls with the approach speed.
    Viscoelastic,
}

impl Spring {
    /// Its name in scene files and summaries.
    pub fn name(self) -> &'static str {
        match self {
            Spring::Linear => "linear",
            Spring::Hertz => "hertz",
            Spring::Viscoelastic => "viscoelastic",
        }
    }
}

/// The force along the normal, as a function of overlap and speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normal {
    /// Its form.
    pub spring: Spring,
    /// k, in the units of the [`Spring`].
    pub stiffness: f64,
    /// c, in the units of the [`Spring`].
    pub damping: f64,
    /// Whether it may pull.
    pub ending: Ending,
}

/// The two parts of the force along the normal, N. What they add up to pushes the bodies apart where it is positive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NormalForce {
    /// Of the spring.
    pub elastic: f64,
    /// Of the damper; where attraction is cut off, never more against the spring than the spring's own.
    pub viscous: f64,
}

impl NormalForce {
    /// Both together, N.
    #[inline]
    pub fn total(self) -> f64 {
        self.elastic + self.viscous
    }
}

impl Normal {
    /// The force at an overlap (m, not negative) and a normal velocity (m/s, negative where they close).
    #[inline]
    pub fn force(&self, overlap: f64, normal_velocity: f64) -> NormalForce {
        let (spring, damper) = match self.spring {
            Spring::Linear => (overlap, 1.0),
            Spring::Hertz => {
                let root = overlap.sqrt();
                (overlap * root, root.sqrt())
            }
            Spring::Viscoelastic => {
                let root = overlap.sqrt();
                (overlap * root, root)
            }
        };
        let elastic = self.stiffness * spring;
        let viscous = -(self.damping * damper) * normal_velocity;
        let viscous = match self.ending {
            Ending::Attracting => viscous,
            Ending::CutOff => viscous.max(-elastic),
        };
        NormalForce { elastic, viscous }
    }

    /// What the spring stores at an overlap (m), J.
    #[inline]
    pub fn energy(&self, overlap: f64) -> f64 {
        match self.spring {
            Spring::Linear => 0.5 * self.stiffness * overlap * overlap,
            Spring::Hertz | Spring::Viscoelastic => {
                0.4 * self.stiffness * overlap * overlap * overlap.sqrt()
            }
        }
    }

    /// What the tangential stiffness and damping are to be multiplied by at an overlap (m): one for the linear law, √δ
    /// and δ^(1/4) for Hertz (Mindlin), whose contact area grows.
    #[inline]
    pub fn tangential_scale(&self, overlap: f64) -> (f64, f64) {
        match self.spring {
            Spring::Linear => (1.0, 1.0),
            Spring::Hertz => {
                let root = overlap.sqrt();
                (root, root.sqrt())
            }
            Spring::Viscoelastic => {
                let root = overlap.sqrt();
                (root, root)
            }
        }
    }

    /// How stiff (N/m) and how damped (N·s/m) the contact gets: for Hertz, at an overlap of a tenth of the radius (m).
    pub fn largest_slopes(&self, radius: f64) -> (f64, f64) {
        match self.spring {
            Spring::Linear => (self.stiffness, self.damping),
            Spring::Hertz => {
                let root = (0.1 * radius).sqrt();
                (1.5 * self.stiffness * root, self.damping * root.sqrt())
            }
            Spring::Viscoelastic => {
                let root = (0.1 * radius).sqrt();
                (1.5 * self.stiffness * root, self.damping * root)
            }
        }
    }

    /// The damping ratio ζ, on which alone the restitution depends; μ in kg. Of viscoelastic spheres the restitution
    /// depends on the speed as well: for them it is the loss, (s/m)^(1/5).
    pub fn damping_ratio(&self, mass: f64) -> f64 {
        let scale = (self.stiffness * mass).sqrt();
        match self.spring {
            Spring::Viscoelastic => self.damping / viscoelastic_damping(1.0, self.stiffness, mass),
            Spring::Linear => self.damping / (2.0 * scale),
            Spring::Hertz => self.damping / (5.0_f64.sqrt() * scale),
        }
    }

    /// The damping of a ratio ζ = 1, in the units of the [`Spring`]; μ in kg. Infinite for viscoelastic spheres, whose
    /// contacts always end.
    pub fn critical_damping(spring: Spring, stiffness: f64, mass: f64) -> f64 {
        let scale = (stiffness * mass).sqrt();
        match spring {
            Spring::Viscoelastic => f64::INFINITY,
            Spring::Linear => 2.0 * scale,
            Spring::Hertz => 5.0_f64.sqrt() * scale,
        }
    }

    /// The damping of a ratio ζ ([`damping_ratio`](Self::damping_ratio)), in the units of the [`Spring`]; μ in kg.
    pub fn damping_of(spring: Spring, ratio: f64, stiffness: f64, mass: f64) -> f64 {
        match spring {
            Spring::Viscoelastic => viscoelastic_damping(ratio, stiffness, mass),
            _ => ratio * Self::critical_damping(spring, stiffness, mass),
        }
    }

    /// The restitution of a head-on impact of a reduced mass (kg); zero where the contact never ends. Of viscoelastic
    /// spheres that at 1 m/s.
    pub fn restitution(&self, mass: f64) -> f64 {
        if self.spring == Spring::Viscoelastic {
            return viscoelastic_at(self.damping_ratio(mass), 1.0);
        }
        closed::restitution_of_ratio(self.damping_ratio(mass), self.ending).unwrap_or(0.0)
    }

    /// How long a head-on contact of a reduced mass (kg) lasts, s; infinite where it never ends. Hertz's at a closing
    /// speed of 1 m/s and undamped: `2.9432 (μ²/k²v)^(1/5) (5/4)^(2/5)`.
    pub fn contact_time(&self, mass: f64) -> f64 {
        match self.spring {
            Spring::Linear => closed::contact_time(self.stiffness, self.damping, mass, self.ending)
                .unwrap_or(f64::INFINITY),
            Spring::Hertz | Spring::Viscoelastic => {
                // δ_max = (5μv²/4k)^(2/5), and the contact lasts 2.9432751 δ_max/v: twice the integral of (1 −
                // x^(5/2))^(−1/2).
                let deepest = libm::pow(1.25 * mass / self.stiffness, 0.4);
                2.943_275_1 * deepest
            }
        }
    }

    /// The deepest overlap of an undamped head-on impact at an approach speed (m/s) of a reduced mass (kg), m.
    pub fn deepest(&self, speed: f64, mass: f64) -> f64 {
        match self.spring {
            Spring::Linear => speed * (mass / self.stiffness).sqrt(),
            Spring::Hertz | Spring::Viscoelastic => {
                libm::pow(1.25 * mass * speed * speed / self.stiffness, 0.4)
            }
        }
    }
}

/// c of viscoelastic spheres of a loss ((s/m)^(1/5)), a stiffness (N/m^(3/2)) and a reduced mass (kg), N·s/m^(3/2):
/// `(3/2) A k` with `loss = (3/2) A (k/μ)^(2/5)`.
pub(super) fn viscoelastic_damping(loss: f64, stiffness: f64, mass: f64) -> f64 {
    loss * stiffness * libm::pow(mass / stiffness, 0.4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_energy_is_the_integral_of_the_force() {
        for spring in [Spring::Linear, Spring::Hertz, Spring::Viscoelastic] {
            let normal = Normal {
                spring,
                stiffness: 3.0e4,
                damping: 0.0,
                ending: Ending::Attracting,
            };
            let (at, step) = (2e-3, 1e-7);
            let slope = (normal.energy(at + step) - normal.energy(at - step)) / (2.0 * step);
            let force = normal.force(at, 0.0).total();
            // The third derivative times step²/6 over the force: 1e-9·…; rounding u·E/(step·F) = 1e-12.
            assert!(
                (slope / force - 1.0).abs() < 1e-8,
                "{spring:?} {slope} {force}"
            );
        }
    }

    #[test]
    fn a_cut_off_contact_never_pulls() {
        let mut normal = Normal {
            spring: Spring::Linear,
            stiffness: 100.0,
            damping: 5.0,
            ending: Ending::CutOff,
        };
        assert_eq!(normal.force(0.01, 1.0).total(), 0.0);
        assert_eq!(normal.force(0.01, -1.0).total(), 6.0);
        normal.ending = Ending::Attracting;
        assert_eq!(normal.force(0.01, 1.0).total(), -4.0);
    }
}
