//! Where the energy of a crowd is.

use super::law::{LaneTally, total};
use crate::arrays::Each;

/// The energy of the balls, J.
///
/// `translational + rotational + potential + elastic + damped + rubbed` stays what it was, but for the work of moving
/// fixtures and the error of the steps, which is of first order in dt where there are dampers: these see the velocity
/// half a step before the position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyBudget {
    /// Of the centres.
    pub translational: f64,
    /// Of the rotations.
    pub rotational: f64,
    /// Of the weight, from the origin.
    pub potential: f64,
    /// Stored in the springs of contacts, along and across the normal.
    pub elastic: f64,
    /// Taken so far by dampers along the normal.
    pub damped: f64,
    /// Taken so far across it: by sliding, dampers, rolling, and springs let go.
    pub rubbed: f64,
}

impl EnergyBudget {
    /// Everything together, J.
    pub fn total(&self) -> f64 {
        self.translational
            + self.rotational
            + self.potential
            + self.elastic
            + self.damped
            + self.rubbed
    }
}

/// What contacts store and have taken.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Takings {
    pub pressed: f64,
    pub stretched: [f64; 3],
    pub damped: f64,
    pub worked: f64,
}

impl Takings {
    /// Enters a step of a length, s.
    pub fn enter(&mut self, tally: &LaneTally, dt: f64) {
        self.pressed = total(tally.pressed);
        self.stretched = tally.stretched.each(total);
        self.damped += total(tally.damped) * dt;
        let worked: f64 = tally.worked.each(total).iter().sum();
        self.worked += worked * dt;
    }
}
