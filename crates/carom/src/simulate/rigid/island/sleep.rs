//! When an island sleeps, and what holds it then.
//!
//! An island whose members have been slower than [`SLOW`] of √(g r), r being the reach of each, for [`CALM`] is asked
//! for its equilibrium: contact impulses over one step, within Coulomb's cones, that take up the weight and what is
//! left of the motion, so that none moves at the end of it. If they are found, to a share [`LEFT`] of what gravity
//! gives in that step, all are at rest, exactly, and the forces are kept. If not, the island stays awake: a box whose
//! friction does not hold it slides on however slow it is, and a smooth heap keeps the momentum that it has along a
//! smooth floor.
//! A load or a field that varies with time keeps it awake.

use super::movers::Movers;
use super::{CROWD, Island, Spot};
use crate::audit::Ledger;
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::simulate::contact_solver::polish;
use crate::simulate::islands::{Impulses, begin};
use crate::simulate::rigid::bodies::{RigidBodyRef, RigidWorld};
use crate::simulate::rigid::core::Core;
use crate::simulate::rigid::joined;
use crate::simulate::rigid::track::Track;
use crate::space::{Linear, Space};
use crate::world::BodyId;

/// A body slower than this share of √(g r) may be at rest; whether it is, is asked of the forces. At that speed a body
/// has the energy that lifts it by five hundred-thousandths of its reach.
const SLOW: f64 = 0.01;

/// For how long no member must have moved before all fall asleep, s.
const CALM: f64 = 0.25;

/// What may be left of gravity where an island sleeps, as a share of it: with few points, or without friction, and with
/// more than [`FEW`] points that rub, whose solver gets on slowly at the end.
const LEFT: [f64; 2] = [1e-6, 1e-4];
const FEW: usize = 100;

/// What the solver is asked for. What it leaves is taken up where the points that press, stick and slip are known
/// ([`polish`]), so that floor and walls carry a weight to nine digits.
const WANTED: f64 = 1e-10;

/// Solves of single points that the search for an equilibrium may take, and rounds.
const WORK: usize = 2_000_000;
const ROUNDS: usize = 5_000;

impl<S: Shaped> Island<S> {
    /// How far apart members may be where they touch, m.
    pub(super) fn settled_gap(&self, stage: &RigidWorld<S>) -> f64 {
        let reaches = self
            .members
            .iter()
            .map(|&slot| stage.inert[slot as usize].reach);
        stage.settled_gap(reaches.fold(0.0, f64::max))
    }
}

/// What two bodies that keep touching do to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContactForce<S: Space> {
    /// The body that it acts on.
    pub on: BodyId,
    /// The body that exerts it; the opposite force acts on that one.
    pub by: BodyId,
    /// Friction included, N.
    pub force: S::Vector,
    /// Along the normal, N: how hard they are pressed together.
    pub normal: f64,
}

impl<S: Shaped> Core<S> {
    /// Whether no member has moved for a while, and contacts hold all; then all are at rest, exactly.
    pub fn falls_asleep(&mut self, stage: &RigidWorld<S>, id: u32, t: f64) -> bool {
        let Some(mut island) = self.islands[id as usize].take() else {
            return false;
        };
        let moves = |&slot: &u32| {
            let inert = &stage.inert[slot as usize];
            let slow = SLOW * (stage.pull(slot, t) * inert.reach).sqrt();
            self.speed(RigidBodyRef::Body(slot)) > slow
                || inert.is_pulled_changingly()
                || stage.fields.changes_with_time()
        };
        if island.members.iter().any(moves)
            || island.is_driven(stage)
            || stage.is_led(&island.members)
        {
            island.calm = t;
        }
        let mut sleeps = false;
        if t - island.calm >= CALM {
            sleeps = self.hold_still(stage, &mut island, t);
            if sleeps {
                self.lay_down(stage, &mut island, t);
            } else {
                // Asked again after a while.
                island.calm = t;
            }
        }
        self.islands[id as usize] = Some(island);
        sleeps
    }

    /// Finds the forces that hold an island at rest; they are those of its spots then, over a step.
    fn hold_still(&self, stage: &RigidWorld<S>, island: &mut Island<S>, t: f64) -> bool {
        let step = stage.settling.step;
        let mut cast = Movers::new(self, stage, island, (t, t));
        let touch = island.settled_gap(stage);
        let touches = |spot: &Spot<S>| spot.gap <= touch || spot.given.pressed > 0.0;
        let (mut rows, whose) = cast.rows(self, stage, island, t, touches);
        let moving = cast.movers.clone();
        for (&slot, mover) in island.members.iter().zip(&mut cast.movers) {
            mover.velocity += stage.gravity * step;
            if let Some((impulse, angular)) = stage.load_on(slot, step, t) {
                mover.velocity += impulse * mover.inverse_mass;
                mover.angular_velocity += S::angular_response(mover.inverse_inertia, angular);
            }
            let pose = self.moving[slot as usize].track.pose_at(t);
            if let Some(force) = stage.field_on(slot, t, &pose, Mover::fixed()) {
                mover.velocity += force.force() * (step * mover.inverse_mass);
                let angular = force.torque * step;
                mover.angular_velocity += S::angular_response(mover.inverse_inertia, angular);
            }
        }
        let mut bound = self.bound(stage, island, &cast.movers, t);
        if let Some(bound) = &bound {
            let (poses, unkicked) = (self.poses(island, t), cast.movers.clone());
            let movers = &mut cast.movers;
            let nothing = &mut Ledger::default();
            bound.pull(stage, (&poses, &unkicked), movers, (step, t), nothing);
        }
        rows.iter_mut().for_each(|row| row.slides = false);
        let known = (whose.iter()).map(|&(h, s)| island.holds[h].spots[s].given.times(2.0));
        begin(&mut rows, &mut cast.movers, known);
        let pulls = island.members.iter().map(|&slot| stage.pull(slot, t));
        let given = pulls.fold(0.0, f64::max) * step;
        let most = (WORK / rows.len().max(1)).min(ROUNDS);
        let rubs = rows.iter().any(|row| row.friction[0] > 0.0);
        let left = LEFT[usize::from(rubs && rows.len() > FEW)];
        let speed = |(&slot, mover): (&u32, &Mover<S>)| {
            let reach = stage.inert[slot as usize].reach;
            mover.velocity.length() + reach * mover.angular_velocity.length()
        };
        let members = &island.members;
        let fastest = |movers: &[Mover<S>]| {
            let speeds = members.iter().zip(movers).map(speed);
            speeds.fold(0.0, f64::max)
        };
        joined::solve(
            &mut rows,
            &mut cast.movers,
            &mut bound,
            (WANTED * given, most),
        );
        if bound.is_none() && members.len() >= CROWD && fastest(&cast.movers) > left * given {
            // In a heap the rounds show which points press, stick and slip long before they have found the forces.
            polish(&mut rows, &mut cast.movers);
        }
        let fastest = fastest(&cast.movers);
        if !(fastest <= left * given) {
            return false;
        }
        if bound.is_none() {
            // What is kept holds the weight alone: the motion is stopped once.
            for (mover, had) in cast.movers.iter_mut().zip(&moving) {
                mover.velocity -= had.velocity;
                mover.angular_velocity -= had.angular_velocity;
            }
            polish(&mut rows, &mut cast.movers);
        }
        for spot in island.holds.iter_mut().flat_map(|hold| &mut hold.spots) {
            spot.given = Impulses::default();
        }
        for (row, &(h, s)) in rows.iter().zip(&whose) {
            let spot = &mut island.holds[h].spots[s];
            spot.given = row.given();
            spot.slides = false;
        }
        true
    }

    /// Puts an island to sleep that is held: the contacts take up what is left of its motion.
    fn lay_down(&mut self, stage: &RigidWorld<S>, island: &mut Island<S>, t: f64) {
        let mut stopped = 0.0;
        for &slot in &island.members {
            let has = self.holdings_of(stage, slot, t);
            stopped += has.energy.translational + has.energy.rotational;
            self.ledger.momentum_from_fixtures.add(-has.momentum);
            let place = self.moving[slot as usize].track.position_at(t);
            let turning = has.angular_momentum - S::torque(place, has.momentum);
            self.ledger
                .angular_from_fixture
                .add(-S::torque(place, has.momentum) - turning);
            let pose = self.moving[slot as usize].track.pose_at(t);
            let track = Track::rest(&stage.inert[slot as usize], t, pose);
            self.set_track(slot, track);
        }
        self.ledger.settling.add(stopped);
        island.asleep = true;
        island.since = t;
        island.until = f64::INFINITY;
        island.version = self.next_version();
    }

    /// What the pairs of all islands that sleep do to each other.
    pub fn forces_at_rest(&self, stage: &RigidWorld<S>) -> Vec<ContactForce<S>> {
        let asleep = self.islands.iter().flatten().filter(|it| it.asleep);
        let per_time = 1.0 / stage.settling.step;
        let mut all = Vec::new();
        for hold in asleep.flat_map(|island| &island.holds) {
            let (mut force, mut normal) = (S::Vector::ZERO, 0.0);
            for spot in &hold.spots {
                force += spot.given.along(spot.normal) * per_time;
                normal += spot.given.pressed * per_time;
            }
            if normal > 0.0 {
                all.push(ContactForce {
                    on: stage.inert[hold.a as usize].id,
                    by: stage.id_of(hold.other),
                    force,
                    normal,
                });
            }
        }
        all
    }
}
