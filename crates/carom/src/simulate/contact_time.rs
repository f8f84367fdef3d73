//! The contact-time rule (TC model): past the point of infinitely many collisions.
//!
//! S. Luding and S. McNamara, "How to handle the inelastic collapse of a dissipative hard-sphere gas with the TC
//! model", Granular Matter 1 (1998) 113. A real contact lasts a time t_c. Where the next collision of a ball comes
//! sooner than that after its last one, the picture of instantaneous impacts has broken down: such a collision takes no
//! energy, so that the collisions cannot become ever faster as they do in a collapse. Collisions further apart than t_c
//! are not touched, to the bit.
//!
//! *No energy* means ε = 1 (a bumper with ε > 1 keeps it) and no friction. The last collision of either ball counts,
//! whatever it was with; of fixed and driven bodies, which have no times of their own, that of the ball alone.

use crate::codec::stored_fields;
use crate::material::Surface;
use crate::world::BodyId;

/// The rule, and what it needs to know.
#[derive(Clone, Debug)]
pub(super) struct ContactTime {
    /// t_c, s.
    duration: f64,
    /// When each body had its last collision, by the run's clock, s; by number, as far as there were any.
    last: Vec<f64>,
}

stored_fields!(ContactTime { duration, last });

impl ContactTime {
    /// Whether it can be that of a run with so many bodies.
    pub fn fits(&self, bodies: usize) -> bool {
        self.duration > 0.0 && self.duration.is_finite() && self.last.len() <= bodies
    }

    pub fn new(duration: f64) -> Self {
        ContactTime {
            duration,
            last: Vec::new(),
        }
    }

    /// Whether two bodies meet so soon after the last collision of either that this one takes no energy.
    pub fn is_soon(&self, bodies: [BodyId; 2], now: f64) -> bool {
        let last = |id: BodyId| self.last.get(id.0 as usize).copied();
        let soon = |id| last(id).is_some_and(|last| now - last < self.duration);
        bodies.into_iter().any(soon)
    }

    /// What holds between two bodies that meet now.
    pub fn surface(&self, bodies: [BodyId; 2], now: f64, surface: Surface) -> Surface {
        if !self.is_soon(bodies, now) {
            return surface;
        }
        Surface {
            restitution: surface.restitution.max(1.0),
            static_friction: 0.0,
            kinetic_friction: 0.0,
            ..surface
        }
    }

    /// A free body has been struck.
    pub fn struck(&mut self, ball: BodyId, now: f64) {
        let index = ball.0 as usize;
        if index >= self.last.len() {
            self.last.resize(index + 1, f64::NEG_INFINITY);
        }
        self.last[index] = now;
    }

    /// The clock reads `shift` less from now on.
    pub fn rebase(&mut self, shift: f64) {
        self.last.iter_mut().for_each(|last| *last -= shift);
    }
}
