//! Saving a run by forces, and going on as if it had never stopped.
//!
//! Which bodies are near each other is not stored: the list is made anew, and leaves no trace in the bits. A clock
//! within a step is reached again from its beginning.

mod records;

use super::Stepped;
use super::bodies::{ForceBodies, ForceBodyRef};
use super::now::Now;
use super::recorded_granular::RecordedGranular;
use super::rigid::{load_yard, store_yard};
use super::state::{BallStepper, Tally};
use super::touch::Incident;
use crate::audit::Holdings;
use crate::body::Body;
use crate::codec::{Reader, SnapshotError, Stored, invalid};
use crate::impact::Strikable;
use crate::joint::Joint;
use crate::material::Materials;
use crate::motion::Fields;
use crate::record::Digest;
use crate::shape::Shaped;
use crate::simulate::force_options::{ForceEngine, Forces};
use crate::snapshot::{load_integrator, store_integrator, unwrapped, wrapped};
use crate::space::Space;
use crate::world::{BodyId, World};
use std::collections::{BTreeSet, VecDeque};

/// In the place where a run by impulses says yes or no.
pub(in crate::simulate) const BY_FORCES: u8 = 0xf0;

impl<S: Strikable> Stepped<S> {
    pub(in crate::simulate) fn snapshot_generic(&self) -> Vec<u8> {
        let stage = &self.stage;
        wrapped(S::DIMENSION, |out| {
            BY_FORCES.store(out);
            store_world(stage, out);
            stage.forces.store(out);
            self.time.store(out);
            (self.told as u64).store(out);
            self.initial.store(out);
            self.initially_stored.store(out);
            self.accounts.store(out);
            self.pending.store(out);
            match self.now {
                Now::Each(_) => 0_u8,
                Now::Granular(_) => 1,
                Now::Solids(_) => 2,
            }
            .store(out);
            match &self.now {
                Now::Each(core) => store_core(core, out),
                Now::Granular(pack) => store_pack(pack, out),
                Now::Solids(yard) => store_yard(yard, out),
            }
        })
    }

    pub(in crate::simulate) fn restore_generic(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let mut input = unwrapped(bytes, S::DIMENSION)?;
        if u8::load(&mut input)? != BY_FORCES {
            return invalid("it is of a run by impulses");
        }
        let run = Self::load(&mut input)?;
        if input.is_empty() {
            Ok(run)
        } else {
            invalid("there is more than a run in it")
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (world, gone) = load_world::<S>(input)?;
        let forces = Forces::load(input)?;
        let stage = ForceBodies::without(world, gone, &forces).or_else(|wrong| {
            let said: Vec<String> = wrong.iter().map(ToString::to_string).collect();
            invalid(said.join("; "))
        })?;
        let time = input.finite("the clock")?;
        let told = u64::load(input)?;
        let initial: Holdings<S> = Stored::load(input)?;
        let initially_stored = input.finite("what springs held")?;
        let accounts = Stored::load(input)?;
        let pending: VecDeque<Incident<S>> = Stored::load(input)?;
        let now = match (u8::load(input)?, stage.cast.is_some()) {
            (0, false) => Now::Each(Box::new(load_core(&stage, input)?)),
            (1, false) => Now::Granular(Box::new(load_pack(&stage, input)?)),
            (2, true) => Now::Solids(Box::new(load_yard(&stage, input)?)),
            (other, _) => return invalid(format!("a loop of the unknown number {other}")),
        };
        // Why it was chosen is found out again; which was chosen is known.
        let not_crowd = match (&now, stage.forces.engine) {
            (Now::Each(_), ForceEngine::Auto) if stage.is_many() => {
                RecordedGranular::is_slow(&stage).or_else(|| RecordedGranular::opened(&stage).err())
            }
            _ => None,
        };
        let mut run = Stepped {
            stage,
            now,
            ahead: None,
            told: 0,
            between: None,
            anchor: None,
            time,
            initial,
            initially_stored,
            failure: None,
            accounts,
            pending,
            not_crowd,
            cancel: None,
        };
        run.take_up(told as usize)?;
        Ok(run)
    }

    /// Takes up the step that the clock is in again.
    fn take_up(&mut self, told: usize) -> Result<(), SnapshotError> {
        if self.time < self.now.time() {
            return invalid("the clock is before the last step");
        }
        if self.time > self.now.time() {
            let mut ahead = Box::new(self.now.clone());
            if let Err(error) = ahead.step(&self.stage) {
                return invalid(error.to_string());
            }
            if self.time > ahead.time() || told > ahead.incidents().len() {
                return invalid("the clock is beyond the step it should be in");
            }
            self.ahead = Some(ahead);
            self.told = told;
            self.look_between();
        }
        Ok(())
    }
}

fn store_core<S: Space>(core: &BallStepper<S>, out: &mut Vec<u8>) {
    core.steps.store(out);
    core.origin.store(out);
    core.since.store(out);
    core.time.store(out);
    core.moving.store(out);
    core.rotation.store(out);
    core.images.store(out);
    core.push.store(out);
    core.twist.store(out);
    core.flow.store(out);
    core.ledger.store(out);
    core.touches.store(out);
    core.deepest.store(out);
    core.digest.state().store(out);
    store_inside(&core.inside, out);
    let links = core.links.list.iter();
    let touching: Vec<_> = links
        .filter_map(|link| Some((link, link.touch.as_ref()?)))
        .collect();
    (touching.len() as u64).store(out);
    for (link, tally) in touching {
        link.a.store(out);
        link.other.store(out);
        link.memory.store(out);
        tally.store(out);
    }
}

fn load_core<S: Strikable>(
    stage: &ForceBodies<S>,
    input: &mut Reader<'_>,
) -> Result<BallStepper<S>, SnapshotError> {
    let mut core = match stage.opened() {
        Ok(core) => core,
        Err(error) => return invalid(error.to_string()),
    };
    core.steps = Stored::load(input)?;
    core.origin = input.finite("the time from which steps are counted")?;
    core.since = Stored::load(input)?;
    core.time = input.finite("the time of the last step")?;
    core.moving = Stored::load(input)?;
    core.rotation = Stored::load(input)?;
    core.images = Stored::load(input)?;
    core.push = Stored::load(input)?;
    core.twist = Stored::load(input)?;
    core.flow = Stored::load(input)?;
    core.ledger = Stored::load(input)?;
    core.touches = Stored::load(input)?;
    core.deepest = Stored::load(input)?;
    core.digest = Digest::from_state(Stored::load(input)?);
    core.inside = load_inside(stage, input)?;
    let number = stage.grains.len();
    let lengths = [
        core.moving.position.len(),
        core.moving.velocity.len(),
        core.moving.angular_velocity.len(),
        core.rotation.len(),
    ];
    let optional = [core.images.len(), core.push.len(), core.twist.len()];
    if lengths != [number; 4] || optional.iter().any(|&n| n != 0 && n != number) {
        return invalid("there are not as many balls as there should be");
    }
    if core.steps > 0 {
        core.incidents.clear();
    }
    core.links = super::Links::default();
    if let Err(error) = core.links.refresh(stage, &core.moving) {
        return invalid(error.to_string());
    }
    for _ in 0..input.length()? {
        let key = (u32::load(input)?, ForceBodyRef::load(input)?);
        let memory = Stored::load(input)?;
        let tally = Tally::load(input)?;
        let list = &mut core.links.list;
        let Ok(found) = list.binary_search_by_key(&key, |link| (link.a, link.other)) else {
            return invalid("bodies touch that are far from each other");
        };
        list[found].memory = memory;
        list[found].touch = Some(Box::new(tally));
    }
    Ok(core)
}

fn store_pack<S: Shaped>(pack: &RecordedGranular<S>, out: &mut Vec<u8>) {
    pack.crowd.dump(out);
    pack.steps.store(out);
    (pack.begun.len() as u64).store(out);
    for (&(a, other), tally) in &pack.begun {
        a.store(out);
        other.store(out);
        tally.store(out);
    }
    pack.flow.store(out);
    pack.ledger.store(out);
    pack.stored.store(out);
    pack.touches.store(out);
    pack.deepest.store(out);
    pack.digest.state().store(out);
    store_inside(&pack.inside, out);
}

fn load_pack<S: Strikable>(
    stage: &ForceBodies<S>,
    input: &mut Reader<'_>,
) -> Result<RecordedGranular<S>, SnapshotError> {
    let mut pack = match RecordedGranular::opened(stage) {
        Ok(pack) => pack,
        Err(reason) => return invalid(reason),
    };
    pack.crowd.undump(input)?;
    pack.steps = Stored::load(input)?;
    pack.begun.clear();
    let (balls, fixture) = (stage.grains.len(), stage.fixtures.len());
    for _ in 0..input.length()? {
        let key = (u32::load(input)?, ForceBodyRef::load(input)?);
        let fits = match key.1 {
            ForceBodyRef::Ball(b) => (b as usize) < balls,
            ForceBodyRef::Fixture(index) => (index as usize) < fixture,
        };
        if !(fits && (key.0 as usize) < balls) {
            return invalid("a contact has a body that does not exist");
        }
        pack.begun.insert(key, Tally::load(input)?);
    }
    pack.flow = Stored::load(input)?;
    pack.ledger = Stored::load(input)?;
    pack.stored = Stored::load(input)?;
    pack.touches = Stored::load(input)?;
    pack.deepest = Stored::load(input)?;
    pack.digest = Digest::from_state(Stored::load(input)?);
    pack.inside = load_inside(stage, input)?;
    if pack.steps > 0 {
        pack.incidents.clear();
    }
    if !(pack.time().is_finite() && pack.crowd.next_end().is_finite()) {
        return invalid("its clock is no number");
    }
    Ok(pack)
}

fn store_inside(inside: &BTreeSet<(u32, u32)>, out: &mut Vec<u8>) {
    let inside: Vec<(u32, u32)> = inside.iter().copied().collect();
    inside.store(out);
}

fn load_inside<S: Shaped>(
    stage: &ForceBodies<S>,
    input: &mut Reader<'_>,
) -> Result<BTreeSet<(u32, u32)>, SnapshotError> {
    let inside: BTreeSet<(u32, u32)> = Vec::load(input)?.into_iter().collect();
    let (balls, sensors) = (stage.grains.len(), stage.sensors.len());
    let fits =
        |&(ball, sensor): &(u32, u32)| (ball as usize) < balls && (sensor as usize) < sensors;
    if inside.iter().all(fits) {
        Ok(inside)
    } else {
        invalid("a ball is inside of a sensor that is not there")
    }
}

fn store_world<S: Shaped>(stage: &ForceBodies<S>, out: &mut Vec<u8>) {
    stage.fields.gravity.store(out);
    stage.fields.store(out);
    store_integrator(&stage.integrator, out);
    stage.periods.store(out);
    stage.materials.store(out);
    stage.bodies.store(out);
    let gone: Vec<BodyId> = stage.gone.iter().copied().collect();
    gone.store(out);
    stage.joints.store(out);
}

fn load_world<S: Shaped>(
    input: &mut Reader<'_>,
) -> Result<(World<S>, BTreeSet<BodyId>), SnapshotError> {
    let mut world = World::new();
    let gravity: S::Vector = Stored::load(input)?;
    let mut fields: Fields<S> = Stored::load(input)?;
    fields.gravity = gravity;
    let integrator = load_integrator(input)?;
    let periods: [f64; 3] = Stored::load(input)?;
    world.materials = Materials::load(input)?;
    let bodies = Vec::<Body<S>>::load(input)?;
    let gone: BTreeSet<BodyId> = Vec::load(input)?.into_iter().collect();
    if gone.iter().any(|id| id.0 as usize >= bodies.len()) {
        return invalid("a body was removed that never existed");
    }
    let joints = Vec::<Joint<S>>::load(input)?;
    let set = || {
        world.set_fields(fields)?;
        world.set_integrator(integrator)?;
        world.set_periodic(periods.map(|length| (length > 0.0).then_some(length)))?;
        for body in bodies {
            world.add(body)?;
        }
        for joint in joints {
            world.add_joint(joint)?;
        }
        Ok::<(), crate::world::WorldError>(())
    };
    match set() {
        Ok(()) => Ok((world, gone)),
        Err(error) => invalid(error.to_string()),
    }
}
