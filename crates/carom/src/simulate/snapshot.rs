//! Saving a run after any event, and going on as if it had never stopped.

mod islands;
mod joints;
mod shear;
mod ways;

use super::balls::Orientations;
use super::bodies::{Bodies, NOWHERE};
use super::contact_time::ContactTime;
use super::exact::{Chatter, Exact, Passes, Plans, Pulled};
use super::islands::Island;
use super::registry::Registry;
use super::rigid::{RigidBody, Rigids, Settling};
use super::shear::Sheared;
use super::support::Turn;
use super::trajectories::StickingBall;
use super::trajectories::{Next, PredictedSettling, Support};
use super::watchdog::Watchdog;
use crate::arrays::Each;
use crate::audit::{Costs, Energy, Holdings, Ledger, Sum};
use crate::body::{Body, Kind};
use crate::codec::{Reader, SnapshotError, Stored, invalid, stored_fields};
use crate::impact::Strikable;
use crate::joint::Joint;
use crate::material::Materials;
use crate::motion::{Fields, TrajectorySegment};
use crate::record::Regime;
use crate::record::{Digest, Release, Separation, Transition, Velocities};
use crate::shape::Shaped;
use crate::snapshot::{load_integrator, store_integrator, unwrapped, wrapped};
use crate::space::{Linear, Space};
use crate::world::{BodyId, World};
use islands::restore_islands;
use joints::restore_joints;
use std::sync::OnceLock;
use ways::{foresee, give_ways, put_back, put_together};

/// What a ball has besides its body.
struct Flying<S: Space> {
    /// Its own time, by the run's clock, s.
    since: f64,
    /// Boxes that it has left behind.
    images: Option<[i32; 3]>,
    /// Where balls are on segments.
    way: Option<((TrajectorySegment<S>, Support), f64)>,
}

stored_fields!(Flying<S> { since, images, way } where S: Space);
stored_fields!(Energy {
    translational,
    rotational,
    potential
});
stored_fields!(Costs {
    restitution,
    friction,
    energy_added,
    energy_added_by_friction
});
stored_fields!(Pulled { mass, since });

stored_fields!(Holdings<S> { energy, momentum, angular_momentum } where S: Space);
stored_fields!(Ledger<S> {
    between_balls,
    with_fixtures,
    work_by_kinematic,
    momentum_from_fixtures,
    angular_from_fixture,
    angular_from_gravity,
    momentum_from_gravity,
    given,
    momentum_given,
    angular_given,
    deepest_overlap,
    lasting,
    put_in_by_rubbing,
    settling,
    stepping,
    projection,
    integration,
    angular_from_projection,
    momentum_from_fields,
    angular_from_fields,
    external_work,
    momentum_from_external,
    angular_from_external,
    shear_work,
    momentum_from_shear,
} where S: Space);

impl<V: Linear + Stored> Stored for Sum<V> {
    fn store(&self, out: &mut Vec<u8>) {
        self.rounded.store(out);
        self.rest.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(Sum {
            rounded: V::load(input)?,
            rest: V::load(input)?,
        })
    }
}

impl<S: Strikable> Exact<S> {
    pub(super) fn snapshot_generic(&self) -> Vec<u8> {
        wrapped(S::DIMENSION, |out| {
            self.reference.store(out);
            self.gravity().store(out);
            self.fields().store(out);
            store_integrator(&self.stage.integrator, out);
            self.periods().store(out);
            self.stage.balls.shear.store(out);
            self.materials().store(out);
            (self.stage.slots.len() as u64).store(out);
            for id in (0..self.stage.slots.len() as u32).map(BodyId) {
                self.store_body(id, out);
            }
            self.stage.balls.turning.is_some().store(out);
            self.stage.balls.fastest.store(out);
            self.stage.largest.store(out);
            for number in [self.time, self.clock, self.stage.epoch] {
                number.store(out);
            }
            for count in [
                self.collisions,
                self.rebase_at,
                self.stalled,
                self.fruitless,
            ] {
                count.store(out);
            }
            self.stage.balls.overlaps.store(out);
            self.contact_time.store(out);
            self.weight.store(out);
            (self.admitted as u64).store(out);
            self.unreported.store(out);
            self.transitions.store(out);
            self.releases.store(out);
            let trajectories = self.stage.balls.trajectories.as_ref();
            let sticking: Vec<(BodyId, StickingBall<S>)> =
                trajectories.map_or(Vec::new(), |trajectories| {
                    trajectories
                        .sticking
                        .iter()
                        .map(|(&id, &it)| (id, it))
                        .collect()
                });
            sticking.store(out);
            for foreseen in [
                trajectories.map(|trajectories| &trajectories.halts),
                trajectories.map(|trajectories| &trajectories.corners),
            ] {
                let all = foreseen.into_iter().flatten();
                let all: Vec<(BodyId, PredictedSettling<S>)> =
                    all.map(|(&id, it)| (id, it.clone())).collect();
                all.store(out);
            }
            match trajectories {
                Some(trajectories) => trajectories.islands.all.store(out),
                None => Vec::<Option<Island<S>>>::new().store(out),
            }
            let chatter = self.chatter.iter();
            let chatter: Vec<(f64, u32)> = chatter.map(|it| (it.since, it.count)).collect();
            chatter.store(out);
            let (counted, since) = self.watchdog.deciding();
            counted.store(out);
            since.store(out);
            self.digest.state().store(out);
            self.ledger.store(out);
            self.initial.store(out);
            self.settling.store(out);
            let rigids = self.stage.balls.rigids();
            rigids.is_some().store(out);
            if let Some(rigids) = rigids {
                rigids.store(out);
            }
            let joints = self.stage.jointed.as_ref();
            joints.map_or(&[][..], |it| &it.joints).to_vec().store(out);
        })
    }

    /// A body as it is at its own time, or that there is none of that number.
    fn store_body(&self, id: BodyId, out: &mut Vec<u8>) {
        let body = self.registry.body(&self.stage, id, self.clock);
        body.is_some().store(out);
        let Some(mut body) = body else { return };
        let slot = self.stage.slots[id.0 as usize] as usize;
        let balls = &self.stage.balls;
        let Kind::Free(free) = &mut body.kind else {
            body.store(out);
            // All images of a body have been there since the same time.
            let mut images = self.stage.fixtures.iter();
            let image = images.find(|image| image.id == id);
            return image.map_or(0.0, |image| image.since).store(out);
        };
        let ball = &balls.hot[slot];
        body.pose.position = ball.position;
        free.velocity = ball.velocity;
        free.angular_velocity = balls.angular_velocity(slot);
        if let Some(turning) = &balls.turning {
            body.pose.rotation = turning.rotation[slot];
        }
        body.store(out);
        let flying = Flying {
            since: ball.since,
            images: balls.images.get(slot).copied(),
            way: balls.trajectories.as_ref().map(|trajectories| {
                let segment = balls.segment_or_flight(slot).into_owned();
                let way = (segment, trajectories.supports[slot]);
                (way, trajectories.hints[slot])
            }),
        };
        flying.store(out);
    }

    pub(super) fn restore_generic(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let mut input = unwrapped(bytes, S::DIMENSION)?;
        let run = Self::load(&mut input)?;
        if input.is_empty() {
            Ok(run)
        } else {
            invalid("there is more than a run in it")
        }
    }

    /// Longer than most: one field after the other, in the order in which they are stored.
    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let reference = bool::load(input)?;
        let StoredBodies {
            world,
            ids,
            since,
            flying,
            numbers,
            sheared,
        } = StoredBodies::<S>::load(input)?;
        let mut stage = Bodies::new(&world);
        stage.balls.shear = sheared;
        let turns = bool::load(input)?;
        match (turns, stage.balls.turning.is_some()) {
            (true, false) => stage.balls.turning = Some(turned(&world)),
            (false, true) => return invalid("balls do not turn where they have to"),
            _ => (),
        }
        // As it was to the bit: it knows of speeds that are past.
        stage.balls.fastest = input.finite("the greatest speed")?;
        let largest = input.finite("the largest radius")?;
        let fits = |length: f64| length == 0.0 || 4.0 * largest < length;
        if !(largest >= stage.largest && world.periods().into_iter().all(fits)) {
            return invalid("the largest radius does not fit");
        }
        stage.largest = largest;
        let [time, clock, epoch] = [
            input.finite("the time")?,
            input.finite("the clock")?,
            input.finite("the epoch")?,
        ];
        let [collisions, rebase_at, stalled, fruitless] = <[u64; 4]>::load(input)?;
        // As many as for all balls that there ever were.
        let most = (1 << 16) + 16 * numbers as u64;
        if !(clock >= 0.0 && time >= 0.0) || rebase_at.saturating_sub(collisions) > most {
            return invalid("its clocks do not fit together");
        }
        stage.epoch = epoch;
        put_back(&mut stage, &world, &flying, clock)?;
        stage.slots = vec![NOWHERE; numbers];
        for id in &mut stage.balls.ids {
            *id = ids[id.0 as usize];
        }
        let loads = std::mem::take(&mut stage.loads).into_iter();
        stage.loads = loads.map(|(id, load)| (ids[id.0 as usize], load)).collect();
        stage.number_slots();
        stage.fixtures.clear();
        let mut registry = Registry::empty();
        for ((&id, &since), body) in ids.iter().zip(&since).zip(world.into_bodies()) {
            if let Some(since) = since {
                stage.admit_fixture(id, &body, since);
            }
            registry.enter(id, body, turns);
        }
        give_ways(&mut stage, flying)?;
        stage.balls.overlaps = Stored::load(input)?;
        let exists = |id: BodyId| ids.binary_search(&id).is_ok();
        if !stage.balls.overlaps.fits(exists, clock) {
            return invalid("a body is inside a sensor that does not exist");
        }
        let contact_time = Option::<ContactTime>::load(input)?;
        if contact_time
            .as_ref()
            .is_some_and(|rule| !rule.fits(numbers))
        {
            return invalid("a contact time that cannot be");
        }
        let weight = Stored::load(input)?;
        let admitted = u64::load(input)?.min(numbers as u64) as usize;
        let unreported = Stored::load(input)?;
        let transitions = Stored::load(input)?;
        let releases = Stored::load(input)?;
        put_together(&mut stage, Stored::load(input)?, clock)?;
        let halts = Stored::load(input)?;
        foresee(&mut stage, halts, Stored::load(input)?)?;
        restore_islands(&mut stage, Stored::load(input)?, clock)?;
        let chatter = Vec::<(f64, u32)>::load(input)?.into_iter();
        let chatter = chatter.map(|(since, count)| Chatter { since, count });
        let chatter = chatter.collect();
        let counted = <[u64; 3]>::load(input)?;
        let since = [input.finite("the watchdog")?, input.finite("the watchdog")?];
        let watchdog = Watchdog::with_counted(counted, since);
        let digest = Digest::from_state(u64::load(input)?);
        let ledger = Stored::load(input)?;
        let initial = Stored::load(input)?;
        let settling = Settling::load(input)?;
        if let Err(error) = settling.check() {
            return invalid(error.to_string());
        }
        if bool::load(input)? {
            load_rigids(&mut stage, &registry, &settling, input)?;
        } else if registry.any_rigid() {
            return invalid("rigid bodies are not where they are");
        }
        let joints = Vec::<Joint<S>>::load(input)?;
        if !joints.is_empty() {
            let jointed = restore_joints(joints, &stage, &registry, clock)?;
            stage.hold(Some(jointed));
        }
        let plans = Plans::made(&mut stage, clock, reference);
        let mut run = Exact {
            registry,
            stage,
            plans,
            reference,
            time,
            clock,
            collisions,
            rebase_at,
            stalled,
            fruitless,
            contact_time,
            ledger,
            digest,
            initial,
            weight,
            admitted,
            unreported,
            transitions,
            releases,
            last: None,
            failure: None,
            unchecked: true,
            passes: Passes::default(),
            watchdog,
            cancel: None,
            horizon: 0.0,
            gain: None,
            chatter,
            stranded: Vec::new(),
            together: Vec::new(),
            piles: false,
            settling,
            between: OnceLock::new(),
        };
        run.piles = run.may_pile();
        Ok(run)
    }
}

/// Gives the rigid bodies of a stage their tracks back.
fn load_rigids<S: Strikable>(
    stage: &mut Bodies<S>,
    registry: &Registry<S>,
    settling: &Settling,
    input: &mut Reader<'_>,
) -> Result<(), SnapshotError> {
    if let Err(wrong) = stage.use_rigids(settling) {
        let what = wrong.first().map_or(String::new(), ToString::to_string);
        return invalid(what);
    }
    let Some(known) = stage.balls.rigids() else {
        return invalid("rigid bodies are not where they are");
    };
    let body = |id: BodyId| {
        let free = *stage.slots.get(id.0 as usize)? != NOWHERE;
        let body = registry.body(stage, id, 0.0).filter(|_| free)?;
        RigidBody::new(&body, id).ok()
    };
    let rigids = Rigids::load(known.world.clone(), input, body)?;
    if registry.all_rigid().any(|id| rigids.member(id).is_none()) {
        return invalid("a rigid body is not where it is");
    }
    let members: Vec<BodyId> = (rigids.members())
        .map(|member| rigids.world.inert[member as usize].id)
        .collect();
    if let Some(trajectories) = &mut stage.balls.trajectories {
        trajectories.rigids = Some(Box::new(rigids));
    }
    stage.fit_radii();
    members.into_iter().for_each(|id| stage.follow_member(id));
    Ok(())
}

/// All bodies, each at its own time, one after the other.
struct StoredBodies<S: Shaped> {
    world: World<S>,
    /// What each is called in the run.
    ids: Vec<BodyId>,
    /// From when on each can be met, by the run's clock, s; `None` for free balls.
    since: Vec<Option<f64>>,
    /// Of the free balls.
    flying: Vec<Flying<S>>,
    /// How many numbers have been given out.
    numbers: usize,
    /// How the box is sheared, by the run's clock.
    sheared: Option<Sheared>,
}

impl<S: Shaped> StoredBodies<S> {
    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let mut world = World::<S>::new();
        let gravity = Stored::load(input)?;
        let mut fields = Fields::<S>::load(input)?;
        fields.gravity = gravity;
        let integrator = load_integrator(input)?;
        let periods = <[f64; 3]>::load(input)?;
        let sheared = Option::<Sheared>::load(input)?;
        let fits = world.set_fields(fields).and_then(|()| {
            world.set_integrator(integrator)?;
            world.set_periodic(periods.each(|length| (length != 0.0).then_some(length)))?;
            let length = sheared.and_then(|it| periods.get(it.flow).copied());
            world.set_shear(sheared.map(|it| it.to_shear(0.0, length.unwrap_or(1.0))))
        });
        if let Err(error) = fits {
            return invalid(error.to_string());
        }
        world.materials = Materials::load(input)?;
        let materials = world.materials.ids().count();
        let (mut ids, mut since, mut flying) = (Vec::new(), Vec::new(), Vec::new());
        let numbers = input.length()?;
        for id in 0..numbers as u32 {
            if !bool::load(input)? {
                continue;
            }
            let body = Body::<S>::load(input)?;
            if body.material.index() >= materials {
                return invalid("a body is made of a material that is not there");
            }
            let free = matches!(body.kind, Kind::Free(_));
            if let Err(error) = world.add(body) {
                return invalid(error.to_string());
            }
            ids.push(BodyId(id));
            since.push(if free {
                flying.push(Flying::load(input)?);
                None
            } else {
                Some(input.finite("when a body came")?)
            });
        }
        match world.misfits().first() {
            Some(error) => invalid(error.to_string()),
            None => Ok(StoredBodies {
                world,
                ids,
                since,
                flying,
                numbers,
                sheared,
            }),
        }
    }
}

/// Spins and rotations of the free balls of a world.
fn turned<S: Shaped>(world: &World<S>) -> Orientations<S> {
    let mut turning = Orientations {
        angular_velocity: Vec::new(),
        rotation: Vec::new(),
    };
    for body in world.bodies() {
        if let Kind::Free(free) = &body.kind {
            turning.angular_velocity.push(free.angular_velocity);
            turning.rotation.push(body.pose.rotation);
        }
    }
    turning
}

stored_fields!(PredictedSettling<S> {
    on,
    also,
    time,
    place,
    velocity,
    angular_velocity,
    doubt,
} where S: Space);

stored_fields!(Velocities<S> { velocity, angular_velocity } where S: Space);
stored_fields!(StickingBall<S> {
    with,
    number,
    first,
    normal,
    together,
    after,
    rubbed,
    began,
    ends,
} where S: Space);

/// By its place in a list of all.
macro_rules! stored_choices {
    ($type:ty: $($choice:expr),+ $(,)?) => {
        impl Stored for $type {
            fn store(&self, out: &mut Vec<u8>) {
                let all: &[$type] = &[$($choice),+];
                let place = all.iter().position(|choice| choice == self).expect("all are listed");
                (place as u8).store(out);
            }

            fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
                let all: &[$type] = &[$($choice),+];
                match all.get(u8::load(input)? as usize) {
                    Some(&choice) => Ok(choice),
                    None => invalid("a choice that there is not"),
                }
            }
        }
    };
}

stored_choices!(Regime: Regime::Sliding, Regime::Rolling, Regime::Spinning, Regime::Resting);
stored_choices!(
    Next:
    Next::Turn(Turn::Grips),
    Next::Turn(Turn::Stops),
    Next::Turn(Turn::SpunDown),
    Next::Turn(Turn::GoesOn),
    Next::LetsGo,
    Next::Settles,
    Next::Releases,
    Next::LeavesFirst,
    Next::LeavesSecond,
    Next::LeavesThird,
);
stored_choices!(Separation: Separation::Time, Separation::Struck, Separation::Wall, Separation::Edited);
stored_fields!(Release {
    time,
    number,
    a,
    b,
    duration,
    separation
});
stored_fields!(Transition {
    time,
    ball,
    on,
    regime
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Space2;
    use glam::DVec2;

    /// Bytes that were tampered with by someone who knows how the checksum is made: any answer will do, as long as
    /// there is one.
    #[test]
    fn tampering_ends_in_an_answer() {
        let mut world = World::<Space2>::new();
        world.set_periodic([Some(8.0), None, None]).unwrap();
        for ball in 0..3 {
            let place = DVec2::new(2.0 * f64::from(ball), 1.0);
            let ball = Body::ball(0.5, 1.0, place, DVec2::new(0.3, 0.1 * place.x)).unwrap();
            world.add(ball.named("ball")).unwrap();
        }
        let mut run = Exact::new(world).unwrap();
        run.run_to(20.0).unwrap();
        let bytes = run.snapshot();
        let content = bytes[21..bytes.len() - 8].to_vec();
        let (mut accepted, mut refused) = (0, 0);
        for place in 0..content.len() {
            for value in [0x00, 0x01, 0x7f, 0x80, 0xff, content[place] ^ 0x10] {
                let mut content = content.clone();
                content[place] = value;
                let bytes = wrapped(2, |out| out.extend_from_slice(&content));
                match Exact::<Space2>::restore(&bytes) {
                    Ok(_) => accepted += 1,
                    Err(_) => refused += 1,
                }
            }
        }
        assert!(accepted > 100 && refused > 100, "{accepted}, {refused}");
    }
}
