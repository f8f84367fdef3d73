//! What changes while a run goes on.

use super::links::Links;
use super::touch::{Incident, deepest_within};
use crate::audit::Sum;
use crate::record::{Digest, Velocities};
use crate::space::{Linear, Space};
use std::collections::BTreeSet;

/// Where the free balls are and how they move, by slot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MovingBalls<S: Space> {
    /// m.
    pub position: Vec<S::Vector>,
    /// m/s.
    pub velocity: Vec<S::Vector>,
    /// rad/s.
    pub angular_velocity: Vec<S::Angular>,
}

impl<S: Space> MovingBalls<S> {
    pub fn velocities(&self, slot: usize) -> Velocities<S> {
        Velocities {
            velocity: self.velocity[slot],
            angular_velocity: self.angular_velocity[slot],
        }
    }
}

/// What a contact has done so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tally<S: Space> {
    /// World time, s.
    pub begin: f64,
    pub point: S::Vector,
    pub normal: S::Vector,
    pub before: [Velocities<S>; 2],
    pub places: [S::Vector; 2],
    pub approach_speed: f64,
    pub impulse: S::Vector,
    /// J.
    pub lost_to_damper: f64,
    pub lost_to_friction: f64,
    pub slid: bool,
    pub deepest: f64,
    pub deepest_at: f64,
    /// The overlap (m) and its rate (m/s) at the last look.
    pub last: [f64; 2],
    /// The normal then.
    pub last_normal: S::Vector,
}

/// What a contact did in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactWork<S: Space> {
    /// kg·m/s.
    pub impulse: S::Vector,
    /// J.
    pub damper: f64,
    /// J.
    pub rubbing: f64,
    pub slid: bool,
}

impl<S: Space> ContactWork<S> {
    pub const NOTHING: Self = ContactWork {
        impulse: S::Vector::ZERO,
        damper: 0.0,
        rubbing: 0.0,
        slid: false,
    };
}

impl<S: Space> Tally<S> {
    /// Enters what the contact did in a step.
    pub fn add(&mut self, work: &ContactWork<S>) {
        self.impulse += work.impulse;
        self.lost_to_damper += work.damper;
        self.lost_to_friction += work.rubbing;
        self.slid |= work.slid;
    }

    /// Enters how deep the two were in a step of a length (s) between two world times (s), given the overlap (m) and
    /// its rate (m/s) at its end; those of its beginning are known.
    pub fn deepen(&mut self, now: [f64; 2], [since, finish]: [f64; 2], step: f64) {
        if let Some((deepest, after)) = deepest_within(self.last, now, step)
            && deepest > self.deepest
        {
            (self.deepest, self.deepest_at) = (deepest, since + after);
        }
        if now[0] > self.deepest {
            (self.deepest, self.deepest_at) = (now[0], finish);
        }
    }
}

/// What has flowed where, as rates (per second) or as amounts: all of it is integrated along with the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Flow<S: Space> {
    /// To the dampers along the normal; into the springs and sliders across it, by sliding, rolling and spinning; work
    /// of driven bodies; to fields; work of external forces and torques: J.
    pub energy: [f64; 7],
    /// By fixture, by fields other than gravity, and by external forces, kg·m/s.
    pub momentum: [S::Vector; 3],
    /// By fixture, by fields other than gravity, by gravity, and by external forces and torques, kg·m²/s.
    pub angular: [S::Angular; 4],
}

pub(super) const DAMPERS: usize = 0;
pub(super) const SLIDING: usize = 1;
pub(super) const ROLLING: usize = 2;
pub(super) const SPINNING: usize = 3;
pub(super) const DRIVEN: usize = 4;
pub(super) const FIELDS: usize = 5;
pub(super) const EXTERNAL: usize = 6;

impl<S: Space> Flow<S> {
    pub fn add(&mut self, other: &Self, times: f64) {
        for (sum, part) in self.energy.iter_mut().zip(other.energy) {
            *sum += part * times;
        }
        for (sum, part) in self.momentum.iter_mut().zip(other.momentum) {
            *sum += part * times;
        }
        for (sum, part) in self.angular.iter_mut().zip(other.angular) {
            *sum += part * times;
        }
    }
}

/// The sums of all flows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FlowLedger<S: Space> {
    pub energy: [Sum<f64>; 7],
    pub momentum: [Sum<S::Vector>; 3],
    pub angular: [Sum<S::Angular>; 4],
}

impl<S: Space> FlowLedger<S> {
    pub fn add(&mut self, flow: &Flow<S>) {
        for (sum, part) in self.energy.iter_mut().zip(flow.energy) {
            sum.add(part);
        }
        for (sum, part) in self.momentum.iter_mut().zip(flow.momentum) {
            sum.add(part);
        }
        for (sum, part) in self.angular.iter_mut().zip(flow.angular) {
            sum.add(part);
        }
    }
}

/// A run at the end of a step.
#[derive(Clone, Debug)]
pub(super) struct BallStepper<S: Space> {
    /// How many steps there have been.
    pub steps: u64,
    /// World time from which steps are counted (s), and how many there have been since.
    pub origin: f64,
    pub since: u64,
    /// World time, s; within a step that is cut at contacts, that of the last cut.
    pub time: f64,
    pub moving: MovingBalls<S>,
    /// How the balls are turned, by slot.
    pub rotation: Vec<Option<S::Rotation>>,
    /// How many box lengths each has been brought back, by slot; empty where the world is not periodic.
    pub images: Vec<[i32; 3]>,
    pub links: Links<S>,
    /// For Verlet: the accelerations and twists of the last step, m/s², rad/s².
    pub push: Vec<S::Vector>,
    pub twist: Vec<S::Angular>,
    /// And what flowed then, per second.
    pub flow: Flow<S>,
    pub ledger: FlowLedger<S>,
    /// Contacts that have ended.
    pub touches: u64,
    /// The deepest overlap of all, m.
    pub deepest: f64,
    pub digest: Digest,
    /// Which bodies are inside which sensors: slot, and place among the sensors.
    pub inside: BTreeSet<(u32, u32)>,
    /// What happened in the last step and has not been told, in the order of time.
    pub incidents: Vec<Incident<S>>,
}

/// The sum of a flow over the stages of a step.
pub(super) fn weighted<V: Linear>(stages: [V; 4], step: f64) -> V {
    (stages[0] + (stages[1] + stages[2]) * 2.0 + stages[3]) * (step / 6.0)
}
