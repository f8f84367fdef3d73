//! Rigid bodies in the snapshot of a run: their tracks, which bodies keep touching, and which bodies stick together.

use super::bodies::{RigidBody, RigidBodyRef, RigidWorld, Settling};
use super::core::{Core, Moving};
use super::island::{Hold, Island, Spot};
use super::sticking::StickingContact;
use super::track::Track;
use super::{NOBODY, Rigids};
use crate::codec::{Reader, SnapshotError, Stored, invalid, stored_fields};
use crate::joint::Joint;
use crate::motion::Pose;
use crate::record::Velocities;
use crate::shape::Shaped;
use crate::space::Space;
use crate::world::BodyId;
use std::collections::BTreeMap;

stored_fields!(Settling {
    step,
    time,
    iterations,
    stalls
});
stored_fields!(Spot<S> { place, normal, gap, feature, given, struck, slides, face } where S: Space);
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

impl<S: Shaped> Rigids<S> {
    /// Stores what there is besides the bodies themselves.
    pub fn store(&self, out: &mut Vec<u8>) {
        let (core, world) = (&self.core, &self.world);
        core.residual.store(out);
        core.versions.store(out);
        // It was asked for where the bodies were then: what ends bounces stays the same.
        world.strongest.store(out);
        core.sticking.store(out);
        (core.moving.len() as u64).store(out);
        for (moving, inert) in core.moving.iter().zip(&world.inert) {
            inert.gone.store(out);
            if inert.gone {
                continue;
            }
            inert.id.store(out);
            let track = &moving.track;
            (track.since, track.until).store(out);
            track.pose.store(out);
            track.velocity.store(out);
            track.angular_velocity.store(out);
            track.acceleration.store(out);
            track.led.store(out);
            moving.island.store(out);
            moving.sticking.store(out);
            moving.partners.store(out);
        }
        core.islands.store(out);
        self.stalled_since.store(out);
        let stalled = self.stalled.iter().map(|(&pair, &met)| (pair, met));
        stalled.collect::<Vec<_>>().store(out);
        self.joints.store(out);
        let starts = self.starts.iter().map(|(&id, &pose)| (id, pose));
        starts.collect::<Vec<_>>().store(out);
    }

    /// Takes back what was stored, into a world with its fixtures; `body` says which body it is.
    ///
    /// Longer than most: fields in the order in which they are stored, each checked against those before it.
    pub fn load(
        world: RigidWorld<S>,
        input: &mut Reader<'_>,
        body: impl Fn(BodyId) -> Option<RigidBody<S>>,
    ) -> Result<Self, SnapshotError> {
        let mut rigids = Rigids::new(world);
        let (core, world) = (&mut rigids.core, &mut rigids.world);
        core.residual = f64::load(input)?;
        core.versions = u32::load(input)?;
        let strongest = input.finite("the strongest pull")?;
        world.set_gravity(world.gravity, strongest);
        core.sticking = Stored::load(input)?;
        let mut tracks = Vec::new();
        let mut present = None;
        for place in 0..input.length()? as u32 {
            if bool::load(input)? {
                tracks.push(None);
                continue;
            }
            let id = BodyId::load(input)?;
            let known = rigids.places.get(id.0 as usize).copied();
            let Some(inert) = body(id).filter(|_| known.is_none_or(|known| known == NOBODY)) else {
                return invalid("it speaks of bodies that are not there");
            };
            if rigids.places.len() <= id.0 as usize {
                rigids.places.resize(id.0 as usize + 1, NOBODY);
            }
            rigids.places[id.0 as usize] = place;
            present = present.or(Some(place as usize));
            tracks.push(Some((inert, StoredTrack::load(input)?)));
        }
        // In a place without a body stands one that is gone.
        let vacant = match present.and_then(|at| tracks[at].as_ref()) {
            Some((inert, _)) => RigidBody {
                gone: true,
                ..inert.clone()
            },
            // Balls were here as guests, and have left: what comes next is given the first place in either case.
            None => {
                core.islands = Stored::load(input)?;
                core.sticking.clear();
                rigids.stalled_since = input.finite("the time of the last contacts")?;
                let _: Vec<((u32, RigidBodyRef), u32)> = Stored::load(input)?;
                check(world, core)?;
                return rigids.load_joints(input);
            }
        };
        let inert = tracks.iter().map(|it| it.as_ref().map(|it| it.0.clone()));
        world.inert = (inert.map(|inert| inert.unwrap_or_else(|| vacant.clone()))).collect();
        let guests = (0..).zip(&world.inert);
        let guests = guests.filter(|(_, inert)| !inert.gone && inert.ball.is_some());
        rigids.guests = guests.map(|(at, _)| at).collect();
        let there = |partner: RigidBodyRef| match partner {
            RigidBodyRef::Body(at) => world.inert.get(at as usize).is_some_and(|it| !it.gone),
            RigidBodyRef::Fixture(index) => (index as usize) < world.props.len(),
        };
        let good = |it: &StickingContact<S>| there(RigidBodyRef::Body(it.a)) && there(it.other);
        if !core.sticking.iter().flatten().all(good) {
            return invalid("it speaks of bodies that are not there");
        }
        for sticking in core.sticking.iter_mut().flatten() {
            sticking.shift_forms(world);
        }
        for (place, stored) in (0..).zip(tracks) {
            let moving = match stored {
                Some((_, track)) => track.moving(world, core, place)?,
                None => {
                    let pose = Pose::default();
                    Moving {
                        track: Track::rest(&vacant, 0.0, pose),
                        island: None,
                        partners: Vec::new(),
                        sticking: None,
                    }
                }
            };
            core.moving.push(moving);
        }
        core.islands = Stored::load(input)?;
        rigids.stalled_since = input.finite("the time of the last contacts")?;
        let stalled: Vec<((u32, RigidBodyRef), u32)> = Stored::load(input)?;
        rigids.stalled = stalled.into_iter().collect::<BTreeMap<_, _>>();
        check(world, core)?;
        rigids.load_joints(input)
    }

    fn load_joints(mut self, input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let joints = Vec::<Joint<S>>::load(input)?;
        let starts = Vec::<(BodyId, Pose<S>)>::load(input)?;
        let known = |id: BodyId| {
            let fixture = || self.world.props.iter().any(|prop| prop.id == id);
            starts.iter().any(|it| it.0 == id) && (self.member(id).is_some() || fixture())
        };
        let held = joints.iter().flat_map(|joint| &joint.ends);
        if !held.filter_map(|end| end.body()).all(known) {
            return invalid("a joint holds a body that does not exist");
        }
        self.join(joints, starts.into_iter().collect());
        Ok(self)
    }
}

/// A track as it is stored.
struct StoredTrack<S: Space> {
    times: (f64, f64),
    pose: Pose<S>,
    velocity: S::Vector,
    angular_velocity: S::Angular,
    acceleration: S::Vector,
    led: bool,
    island: Option<u32>,
    sticking: Option<u32>,
    partners: Vec<RigidBodyRef>,
}

stored_fields!(StoredTrack<S> {
    times,
    pose,
    velocity,
    angular_velocity,
    acceleration,
    led,
    island,
    sticking,
    partners
} where S: Space);

impl<S: Shaped> StoredTrack<S> {
    fn moving(
        self,
        world: &RigidWorld<S>,
        core: &Core<S>,
        place: u32,
    ) -> Result<Moving<S>, SnapshotError> {
        let inert = &world.inert[place as usize];
        let StoredTrack {
            times,
            pose,
            velocity,
            angular_velocity,
            acceleration,
            ..
        } = self;
        let its = match self.sticking {
            Some(id) => match core.sticking.get(id as usize) {
                Some(Some(sticking)) if sticking.has(place) => Some(sticking),
                _ => return invalid("it speaks of a contact that is not there"),
            },
            None => None,
        };
        let moves = (pose, velocity);
        let track = match its {
            Some(sticking) => sticking.track(world, place, moves, angular_velocity, acceleration),
            None if self.led => Track::straight(inert, times, pose, velocity, angular_velocity),
            None => Track::flight(inert, times, pose, velocity, angular_velocity, acceleration),
        };
        Ok(Moving {
            track,
            island: self.island,
            partners: self.partners,
            sticking: self.sticking,
        })
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
fn check<S: Shaped>(world: &RigidWorld<S>, core: &Core<S>) -> Result<(), SnapshotError> {
    let body = |at: u32| world.inert.get(at as usize).is_some_and(|it| !it.gone);
    let partner = |partner: &RigidBodyRef| match *partner {
        RigidBodyRef::Body(at) => body(at),
        RigidBodyRef::Fixture(index) => (index as usize) < world.props.len(),
    };
    let moving = |(at, moving): (u32, &Moving<S>)| {
        let island = moving.island.is_none_or(|id| {
            let island = core.islands.get(id as usize).and_then(Option::as_ref);
            island.is_some_and(|island| island.members.binary_search(&at).is_ok())
        });
        island && moving.partners.iter().all(partner)
    };
    let island = |(id, island): (usize, &Island<S>)| {
        let hold = |hold: &Hold<S>| body(hold.a) && partner(&hold.other);
        let all = |list: usize| list == 0 || list == island.members.len();
        let whole = all(island.before.len()) && all(island.drift.len());
        let its = |&at: &u32| body(at) && core.moving[at as usize].island == Some(id as u32);
        whole
            && island.ahead.iter().all(hold)
            && island.members.iter().all(its)
            && island.holds.iter().all(hold)
    };
    let islands = core.islands.iter().enumerate();
    let mut islands = islands.filter_map(|(id, it)| Some((id, it.as_ref()?)));
    let whole = (0..).zip(&core.moving).all(moving) && islands.all(island);
    if whole {
        Ok(())
    } else {
        invalid("it speaks of bodies that are not there")
    }
}
