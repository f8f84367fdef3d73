//! What a simulation can be asked between events.

use super::{Compiled, Simulation};
use crate::audit::Audit;
use crate::body::Body;
use crate::force::Couple;
use crate::material::Materials;
use crate::motion::Fields;
use crate::simulate::engine::{Stepping, asked, show};
use crate::simulate::error::SimulationError;
use crate::simulate::query::Query;
use crate::simulate::state::State;
use crate::simulate::stepped::ForceAudit;
use crate::world::{BodyId, World};
use std::fmt;

asked!(Simulation<S>, Compiled);

impl<S: Compiled> Simulation<S> {
    /// Asks what is where: rays, overlaps, nearest bodies.
    pub fn query(&self) -> Query<'_, S> {
        Query::of(self.engine())
    }
}

impl<S: Compiled> fmt::Debug for Simulation<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        show("Simulation", self.engine(), formatter)
    }
}

/// What only forces know.
impl<S: Compiled> Simulation<S> {
    /// Which bodies touch now, and how deep they overlap, m. Only by forces.
    pub fn touching(&self) -> Result<Vec<(BodyId, BodyId, f64)>, SimulationError> {
        let found = self.engine().touching();
        found.ok_or(SimulationError::NotByImpulses {
            what: "overlaps of bodies that touch",
        })
    }

    /// What acts between two bodies when they touch; `None` where they never do. Only by forces.
    pub fn couple(&self, a: BodyId, b: BodyId) -> Result<Option<Couple>, SimulationError> {
        let found = self.engine().couple(a, b);
        found.ok_or(SimulationError::NotByImpulses {
            what: "springs and dampers between two bodies",
        })
    }
}
