//! Saving a run, and going on as if it had never stopped.
//!
//! Predictions are stored too: the instant of a contact depends, in its last digits, on when it was asked for.

use super::bodies::{Part, RigidBodyRef, RigidWorld, Settling};
use super::cells::Cells;
use super::core::{Core, Moving};
use super::island::{Hold, Island, Spot};
use super::plan::{Due, Plans, What};
use super::sticking::StickingContact;
use super::track::Track;
use super::{Rigid, Told};
use crate::body::Body;
use crate::codec::{Reader, SnapshotError, Stored, invalid, stored_fields};
use crate::impact::Strikable;
use crate::material::Materials;
use crate::record::{Digest, Velocities};
use crate::shape::Shaped;
use crate::simulate::watchdog::Watchdog;
use crate::snapshot::{unwrapped, wrapped};
use crate::space::Space;
use crate::world::{BodyId, World};
use std::collections::{BTreeMap, VecDeque};
use std::sync::OnceLock;

/// What comes first, so that no other run's snapshot is taken for one of these.
const KIND: u64 = 0x7269_6769_6463_6132;

/// The first byte of it: what a snapshot of this kind is known by.
pub(in crate::simulate) const SNAPSHOT_KIND: u8 = KIND.to_le_bytes()[0];

stored_fields!(Settling { step, time, rounds });
stored_fields!(Spot<S> { place, normal, gap, feature, pressed, rubbed, twisted, struck, slides, face } where S: Space);
stored_fields!(Hold<S> { a, other, spots } where S: Space);
stored_fields!(Island<S> { members, holds, since, until, calm, asleep, before, drift, ahead, rush, crowd, pending, version } where S: Space);

impl Stored for RigidBodyRef {
    fn store(&self, out: &mut Vec<u8>) {
        match *self {
            RigidBodyRef::Body(slot) => (0_u8, slot).store(out),
            RigidBodyRef::Fixture(index) => (1_u8, index).store(out),
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        match <(u8, u32)>::load(input)? {
            (0, slot) => Ok(RigidBodyRef::Body(slot)),
            (1, index) => Ok(RigidBodyRef::Fixture(index)),
            (other, _) => invalid(format!("there is no partner of kind {other}")),
        }
    }
}

impl Stored for Due {
    fn store(&self, out: &mut Vec<u8>) {
        self.time.store(out);
        match self.what {
            What::Contact => 0_u8,
            What::Step => 1,
            What::Look => 2,
            What::Release => 3,
            What::Pass => 4,
        }
        .store(out);
        self.a.store(out);
        self.other.store(out);
        self.counters.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(Due {
            time: f64::load(input)?,
            what: match u8::load(input)? {
                0 => What::Contact,
                1 => What::Step,
                2 => What::Look,
                3 => What::Release,
                4 => What::Pass,
                other => return invalid(format!("there is no event of kind {other}")),
            },
            a: u32::load(input)?,
            other: RigidBodyRef::load(input)?,
            counters: Stored::load(input)?,
        })
    }
}

impl<S: Strikable> Rigid<S> {
    pub(in crate::simulate) fn snapshot_generic(&self) -> Vec<u8> {
        wrapped(S::DIMENSION, |out| {
            KIND.store(out);
            self.stage.settling.store(out);
            self.stage.gravity.store(out);
            self.stage.materials.store(out);
            self.stage.bodies.store(out);
            let gone = self.stage.slots.iter().map(|&part| part == Part::Gone);
            gone.collect::<Vec<bool>>().store(out);
            self.weighed.store(out);
            for number in [self.time, self.clock, self.stalled_since] {
                number.store(out);
            }
            self.collisions.store(out);
            self.initial.store(out);
            self.digest.state().store(out);
            let core = &self.core;
            core.ledger.store(out);
            core.residual.store(out);
            core.versions.store(out);
            core.overlaps.store(out);
            core.sticking.store(out);
            for moving in &core.moving {
                let track = &moving.track;
                (track.since, track.until).store(out);
                track.pose.store(out);
                track.velocity.store(out);
                track.angular_velocity.store(out);
                track.acceleration.store(out);
                track.led.store(out);
                (moving.counter, moving.island).store(out);
                moving.sticking.store(out);
                moving.partners.store(out);
            }
            core.islands.store(out);
            self.plans.own.store(out);
            self.plans.cells.places().to_vec().store(out);
            let stalled: Vec<((u32, RigidBodyRef), u32)> = self
                .stalled
                .iter()
                .map(|(&pair, &met)| (pair, met))
                .collect();
            stalled.store(out);
        })
    }

    /// Longer than most: one field after the other, in the order in which they are stored.
    pub(in crate::simulate) fn restore_generic(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let mut input = unwrapped(bytes, S::DIMENSION)?;
        let input = &mut input;
        if u64::load(input)? != KIND {
            return invalid("it is not of a run with rigid bodies");
        }
        let settling = Settling::load(input)?;
        let mut world = World::new();
        let gravity = Stored::load(input)?;
        world.materials = Materials::load(input)?;
        let refused = |error: &dyn std::fmt::Display| SnapshotError::Invalid {
            what: error.to_string(),
        };
        world
            .set_gravity(gravity)
            .map_err(|error| refused(&error))?;
        for body in Vec::<Body<S>>::load(input)? {
            world.add(body).map_err(|error| refused(&error))?;
        }
        let gone: Vec<bool> = Stored::load(input)?;
        let weighed = input.finite("the time of the last weighing")?;
        let mut stage = RigidWorld::new(world, &settling, true).map_err(|errors| {
            errors
                .first()
                .map_or_else(|| refused(&"nothing"), |e| refused(e))
        })?;
        if gone.len() != stage.slots.len() {
            return invalid("it speaks of bodies that are not there");
        }
        for index in (0..gone.len()).filter(|&index| gone[index]) {
            stage.dismiss(BodyId(index as u32));
        }
        let time = input.finite("the time")?;
        let clock = input.finite("the clock")?;
        let stalled_since = input.finite("the time of the last contacts")?;
        let (collisions, initial) = (u64::load(input)?, Stored::load(input)?);
        let digest = Digest::from_state(u64::load(input)?);
        let mut core = Core::opened(&stage);
        core.ledger = Stored::load(input)?;
        core.residual = f64::load(input)?;
        core.versions = u32::load(input)?;
        core.overlaps = Stored::load(input)?;
        core.sticking = Stored::load(input)?;
        check_tandems(&stage, &core)?;
        for sticking in core.sticking.iter_mut().flatten() {
            sticking.shift_forms(&stage);
        }
        for slot in 0..stage.inert.len() {
            core.moving[slot] = load_moving(&stage, &core, slot, input)?;
        }
        core.islands = Stored::load(input)?;
        let own: Vec<Option<Due>> = Stored::load(input)?;
        let places: Vec<[f64; 3]> = Stored::load(input)?;
        let stalled: Vec<((u32, RigidBodyRef), u32)> = Stored::load(input)?;
        if !input.is_empty() {
            return invalid("something comes after its end");
        }
        check(&stage, &core, &own, &places)?;
        let cells = Cells::restored(stage.cell, &places);
        let mut plans = Plans::new(cells, own.len(), stage.props.len());
        own.iter().flatten().for_each(|&due| plans.push(due));
        plans.own = own;
        for id in 0..core.islands.len() as u32 {
            plans.expect_step(&core, id);
        }
        Ok(Rigid {
            stage,
            core,
            plans,
            between: OnceLock::new(),
            time,
            clock,
            collisions,
            stalled: stalled.into_iter().collect::<BTreeMap<_, _>>(),
            stalled_since,
            initial,
            weighed,
            digest,
            watchdog: Watchdog::default(),
            searching: BTreeMap::new(),
            cancel: None,
            horizon: 0.0,
            failure: None,
            untold: VecDeque::<Told<S>>::new(),
        })
    }
}

fn load_moving<S: Shaped>(
    stage: &RigidWorld<S>,
    core: &Core<S>,
    slot: usize,
    input: &mut Reader<'_>,
) -> Result<Moving<S>, SnapshotError> {
    let times = <(f64, f64)>::load(input)?;
    let pose = Stored::load(input)?;
    let velocity = Stored::load(input)?;
    let angular_velocity = Stored::load(input)?;
    let acceleration = Stored::load(input)?;
    let led = bool::load(input)?;
    let inert = &stage.inert[slot];
    let (counter, island) = Stored::load(input)?;
    let sticking: Option<u32> = Stored::load(input)?;
    let its = match sticking {
        Some(id) => match core.sticking.get(id as usize) {
            Some(Some(sticking)) if sticking.has(slot as u32) => Some(sticking),
            _ => return invalid("it speaks of a contact that is not there"),
        },
        None => None,
    };
    let track = match its {
        Some(sticking) => sticking.track(
            stage,
            slot as u32,
            (pose, velocity),
            angular_velocity,
            acceleration,
        ),
        None if led => Track::straight(inert, times, pose, velocity, angular_velocity),
        None => Track::flight(inert, times, pose, velocity, angular_velocity, acceleration),
    };
    Ok(Moving {
        track,
        counter,
        island,
        partners: Stored::load(input)?,
        sticking,
    })
}

/// Contacts that last are between bodies that there are.
fn check_tandems<S: Shaped>(stage: &RigidWorld<S>, core: &Core<S>) -> Result<(), SnapshotError> {
    let there = |partner: RigidBodyRef| match partner {
        RigidBodyRef::Body(slot) => (slot as usize) < stage.inert.len(),
        RigidBodyRef::Fixture(index) => (index as usize) < stage.props.len(),
    };
    let all = core.sticking.iter().flatten();
    match all.fold(true, |good, it| {
        good && there(RigidBodyRef::Body(it.a)) && there(it.other)
    }) {
        true => Ok(()),
        false => invalid("it speaks of bodies that are not there"),
    }
}

impl<S: Space> Stored for StickingContact<S> {
    fn store(&self, out: &mut Vec<u8>) {
        (self.a, self.number).store(out);
        self.other.store(out);
        (self.began, self.ends).store(out);
        self.places.store(out);
        for more in &self.more {
            more.velocity.store(out);
            more.angular_velocity.store(out);
        }
        self.first.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (a, number) = Stored::load(input)?;
        let other = RigidBodyRef::load(input)?;
        let (began, ends) = Stored::load(input)?;
        let places = Stored::load(input)?;
        let mut more = || -> Result<Velocities<S>, SnapshotError> {
            Ok(Velocities {
                velocity: Stored::load(input)?,
                angular_velocity: Stored::load(input)?,
            })
        };
        let more = [more()?, more()?];
        Ok(StickingContact {
            a,
            other,
            number,
            began,
            ends,
            places,
            more,
            first: Stored::load(input)?,
            forms: None,
        })
    }
}

/// Nothing is believed that does not make sense: numbers of bodies, fixtures and islands.
fn check<S: Shaped>(
    stage: &RigidWorld<S>,
    core: &Core<S>,
    own: &[Option<Due>],
    places: &[[f64; 3]],
) -> Result<(), SnapshotError> {
    let bodies = stage.inert.len();
    let body = |slot: u32| (slot as usize) < bodies;
    let partner = |partner: &RigidBodyRef| match *partner {
        RigidBodyRef::Body(slot) => body(slot),
        RigidBodyRef::Fixture(index) => (index as usize) < stage.props.len(),
    };
    let moving = |moving: &Moving<S>| {
        let island = moving
            .island
            .is_none_or(|id| (id as usize) < core.islands.len());
        island && moving.partners.iter().all(partner)
    };
    let island = |island: &Island<S>| {
        let hold = |hold: &Hold<S>| body(hold.a) && partner(&hold.other);
        let all = |list: usize| list == 0 || list == island.members.len();
        let whole = all(island.before.len()) && all(island.drift.len());
        whole
            && island.ahead.iter().all(hold)
            && island.members.iter().all(|&slot| body(slot))
            && island.holds.iter().all(hold)
    };
    let due = |due: &Due| body(due.a) && partner(&due.other) && due.what != What::Step;
    let whole = own.len() == bodies
        && places.len() == bodies
        && core.moving.iter().all(moving)
        && core.islands.iter().flatten().all(island)
        && own.iter().flatten().all(due);
    if whole {
        Ok(())
    } else {
        invalid("it speaks of bodies that are not there")
    }
}
