//! Rigid bodies among the bodies of a run: what they weigh, how they fly, when they meet others, how they answer at
//! several points, and the stepping of those that keep touching.
//!
//! A rigid body has a slot among the balls, with the ball around it for a radius, and is always on a trajectory
//! segment: so the planners look for it like for a ball on a segment, and only when they ask for the time of a contact
//! it is told by its own course (`predict.rs`). What happens then is in `strike.rs`. Bodies that keep touching form
//! islands, which go ahead in steps (`island.rs`) whose members are on courses too, so that a body that strikes one of
//! them strikes it at the true instant. An island in which no body moves any more falls asleep: all are at rest,
//! exactly.
//!
//! A ball that is struck by a rigid body, or keeps touching one, is a **guest** here: a member with a course of its
//! own. It goes back to its own lane as soon as it flies, or keeps touching nothing that balls do not keep touching
//! without rigid bodies.
//!
//! Members are known by their places (`u32`), which stay theirs as long as they are members.

mod account;
mod bodies;
mod core;
mod curvature;
mod fields;
mod fixtures;
mod geometry;
mod island;
mod joined;
mod loads;
mod overlap;
mod searches;
mod snapshot;
mod sticking;
mod strike;
mod track;

pub(super) use self::core::Core;
use self::core::Moving;
pub use bodies::Settling;
pub(super) use bodies::{RigidBody, RigidBodyRef, RigidWorld, rolls, round_part};
pub(super) use fixtures::Prop;
pub(super) use geometry::{
    form_on_course, is_within, meets_prop, next_clearance, reaches_wall, spots_between,
};
pub use island::ContactForce;
use island::Hold;
pub(super) use island::Neighbours;
pub(super) use overlap::Overlap;
use searches::KeptSearches;
pub(super) use searches::Known;
pub(super) use strike::Party;
pub(super) use track::Track;

use crate::body::Kind;
use crate::body::{Body, Free};
use crate::broad::home;
use crate::joint::{Joint, Linkage, LinkedBody};
use crate::motion::Pose;
use crate::order::InOrder;
use crate::record::Velocities;
use crate::shape::Shaped;
use crate::simulate::watchdog::Searching;
use crate::space::{Linear, Space};
use crate::world::{BodyId, WorldError};
use std::collections::{BTreeMap, BTreeSet};

/// The rigid bodies of a run, and the balls that are among them for a while.
#[derive(Clone, Debug)]
pub(super) struct Rigids<S: Space> {
    pub world: RigidWorld<S>,
    pub core: Core<S>,
    /// Which member a body is, by its number; [`NOBODY`] for most.
    pub places: Vec<u32>,
    /// Joints, and how the bodies that they hold were placed at the start.
    pub joints: Vec<Joint<S>>,
    pub starts: BTreeMap<BodyId, Pose<S>>,
    /// Which pairs, by the numbers of bodies, have met how often since the clock last moved to speak of, and since
    /// when, by the run's clock, s. A guest that leaves and comes back in no time is the same.
    pub stalled: BTreeMap<(u32, RigidBodyRef), u32>,
    pub stalled_since: f64,
    /// Searches that were given up since the last contact of any of them.
    pub searching: BTreeMap<(BodyId, BodyId), Searching>,
    /// Until when pairs of free bodies do not touch on the courses that they have (when each began, where, how fast),
    /// where the search was given up. It can be found again from these.
    pub cleared: BTreeMap<(BodyId, BodyId), Cleared<S>>,
    /// The members that are balls.
    pub guests: BTreeSet<u32>,
    /// What searches of free bodies have found.
    pub kept: KeptSearches,
}

/// When a course began, where, and how fast.
pub(super) type CourseKey<S> = (f64, <S as Space>::Vector, <S as Space>::Vector);

/// The courses of two bodies, and until when they do not touch on them, s.
pub(super) type Cleared<S> = ([CourseKey<S>; 2], f64);

/// In place of a member.
const NOBODY: u32 = u32::MAX;

/// The planners look for a rigid body within a ball that is so many times as large as the one around it: a body that
/// may touch it within the next step of an island is found, too.
pub(super) const MARGIN: f64 = 1.25;

impl<S: Shaped> Rigids<S> {
    /// Without any body.
    pub fn new(world: RigidWorld<S>) -> Self {
        Rigids {
            world,
            core: Core::default(),
            places: Vec::new(),
            joints: Vec::new(),
            starts: BTreeMap::new(),
            stalled: BTreeMap::new(),
            stalled_since: 0.0,
            searching: BTreeMap::new(),
            cleared: BTreeMap::new(),
            guests: BTreeSet::new(),
            kept: KeptSearches::default(),
        }
    }

    /// Takes in a free body that moves as it says from a time on, by the run's clock, s. Its place.
    pub fn admit(&mut self, body: &Body<S>, id: BodyId, time: f64) -> Result<u32, WorldError> {
        let inert = RigidBody::new(body, id)?;
        let (velocity, angular_velocity) = match &body.kind {
            Kind::Free(Free {
                velocity,
                angular_velocity,
                ..
            }) => (*velocity, *angular_velocity),
            _ => (S::Vector::ZERO, S::Angular::ZERO),
        };
        let track = Track::flight(
            &inert,
            (time, f64::INFINITY),
            self.at_home(body.pose),
            velocity,
            angular_velocity,
            self.world.acceleration(&inert),
        );
        Ok(self.place(inert, track))
    }

    /// A pose brought into the periodic box.
    fn at_home(&self, pose: Pose<S>) -> Pose<S> {
        Pose {
            position: home::<S>(pose.position, self.world.periods),
            ..pose
        }
    }

    /// Lets a body that touches no other fly from a time on, by the run's clock, s.
    pub fn launch(&mut self, id: BodyId, time: f64, pose: Pose<S>, moves: &Velocities<S>) {
        let Some(member) = self.member(id) else {
            return;
        };
        let pose = self.at_home(pose);
        let inert = &self.world.inert[member as usize];
        let track = Track::flight(
            inert,
            (time, f64::INFINITY),
            pose,
            moves.velocity,
            moves.angular_velocity,
            self.world.acceleration(inert),
        );
        self.leave_own_island(member);
        self.core.moving[member as usize].track = track;
    }

    /// Takes in joints, and how the bodies that they hold were placed at the start.
    pub fn join(&mut self, joints: Vec<Joint<S>>, starts: BTreeMap<BodyId, Pose<S>>) {
        if joints.is_empty() {
            return;
        }
        let fixtures = (0..).zip(&self.world.props);
        let fixtures = fixtures.map(|(index, prop)| (prop.id, index));
        let fixtures: BTreeMap<BodyId, u32> = fixtures.collect();
        let find = |id: BodyId| match self.member(id) {
            Some(member) => Some(LinkedBody::Free(member)),
            None => Some(LinkedBody::Fixture(*fixtures.get(&id)?)),
        };
        let start = |id: BodyId| starts.get(&id).copied().unwrap_or_default();
        let linkage = Linkage::new(&joints, find, start);
        self.world.linkage = Some(Box::new(linkage));
        (self.joints, self.starts) = (joints, starts);
    }

    /// Ends the island of a body that is alone there because its load acts in steps.
    fn leave_own_island(&mut self, member: u32) {
        if let Some(id) = self.core.moving[member as usize].island.take() {
            self.core.islands[id as usize] = None;
        }
    }

    /// Gives a body a place.
    pub fn place(&mut self, inert: RigidBody<S>, track: Track<S>) -> u32 {
        let id = inert.id.0 as usize;
        let guest = inert.ball.is_some();
        let moving = Moving {
            track,
            island: None,
            partners: Vec::new(),
            sticking: None,
        };
        let vacant = self.world.inert.iter().position(|inert| inert.gone);
        let place = match vacant {
            Some(place) => {
                self.world.inert[place] = inert;
                self.core.moving[place] = moving;
                place
            }
            None => {
                self.world.inert.push(inert);
                self.core.moving.push(moving);
                self.world.inert.len() - 1
            }
        };
        if self.places.len() <= id {
            self.places.resize(id + 1, NOBODY);
        }
        self.places[id] = place as u32;
        if guest {
            self.guests.insert(place as u32);
        }
        place as u32
    }

    /// Lets a member go.
    pub fn dismiss(&mut self, member: u32) {
        self.leave_own_island(member);
        let inert = &mut self.world.inert[member as usize];
        inert.gone = true;
        self.places[inert.id.0 as usize] = NOBODY;
        self.guests.remove(&member);
    }

    /// The radius with which planners look for a rigid body, m. Of two that stick together one stands for both.
    pub fn radius_of(&self, reach: f64, largest: f64) -> f64 {
        if self.world.has_durations() {
            4.0 * largest
        } else {
            MARGIN * reach
        }
    }

    /// All that sleep beside some members.
    pub fn sleepers(&self, members: &[u32]) -> Vec<u32> {
        let mut found = Vec::new();
        for &member in members {
            if self.core.is_asleep(member)
                && let Some(id) = self.core.moving[member as usize].island
                && let Some(island) = &self.core.islands[id as usize]
            {
                found.extend(&island.members);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Counts a contact of a pair at a time; how many there have been since the clock last moved to speak of.
    pub fn count_stall(&mut self, (a, other): (u32, RigidBodyRef), now: f64) -> u32 {
        let number = |member: u32| self.world.inert[member as usize].id.0;
        let pair = match other {
            RigidBodyRef::Body(b) => (number(a), RigidBodyRef::Body(number(b))),
            fixture => (number(a), fixture),
        };
        if now - self.stalled_since > 1e-4 * self.world.settling.step {
            self.stalled.clear();
            self.stalled_since = now;
        }
        let met = self.stalled.entry(pair).or_default();
        *met += 1;
        *met
    }

    /// Lets islands of guests alone whose step begins at a time come apart: balls have ways of their own to keep
    /// touching.
    pub fn send_home(&mut self, now: f64) {
        for id in 0..self.core.islands.len() as u32 {
            let Some(island) = &self.core.islands[id as usize] else {
                continue;
            };
            let compound = |hold: &Hold<S>| match hold.other {
                RigidBodyRef::Fixture(index) => self.is_compound(index),
                RigidBodyRef::Body(_) => false,
            };
            let begins = island.since == now && !island.asleep && !island.before.is_empty();
            if !begins
                || island.members.iter().any(|&it| self.world.is_joined(it))
                || island.members.iter().any(|&member| !self.is_guest(member))
                || island.holds.iter().any(compound)
            {
                continue;
            }
            let members = island.members.clone();
            self.core.unbegin(&self.world, id);
            self.core.islands[id as usize] = None;
            for member in members {
                self.core.fly(&self.world, member, now);
            }
        }
    }

    /// Moves a member by a length of the periodic box (m): by so many boxes along an axis. Fixtures that it touches are
    /// touched as their images there, where they have any.
    pub fn go_round(&mut self, member: u32, by: S::Vector, (axis, boxes): (usize, i32)) {
        let props = &self.world.props;
        let next = |other: RigidBodyRef| match other {
            RigidBodyRef::Body(_) => other,
            RigidBodyRef::Fixture(index) => {
                let prop = &props[index as usize];
                let mut image = prop.image;
                image[axis] += boxes;
                let found = props
                    .iter()
                    .position(|it| it.id == prop.id && it.image == image);
                RigidBodyRef::Fixture(found.map_or(index, |at| at as u32))
            }
        };
        let moving = &mut self.core.moving[member as usize];
        moving.track.shift(by);
        for partner in &mut moving.partners {
            *partner = next(*partner);
        }
        if let Some(id) = moving.sticking
            && let Some(sticking) = &mut self.core.sticking[id as usize]
            && sticking.a == member
        {
            sticking.other = next(sticking.other);
        }
        if let Some(id) = moving.island
            && let Some(island) = &mut self.core.islands[id as usize]
        {
            for holds in [&mut island.holds, &mut island.ahead] {
                for hold in holds.iter_mut().filter(|hold| hold.a == member) {
                    hold.other = next(hold.other);
                    hold.spots.iter_mut().for_each(|spot| spot.place += by);
                }
                holds.order_by_key(Hold::pair);
            }
        }
    }

    /// Moves all times: the clock reads `shift` less from now on. The fixtures are to be made anew.
    pub fn rebase(&mut self, shift: f64) {
        for moving in &mut self.core.moving {
            moving.track.rebase(shift);
        }
        for island in self.core.islands.iter_mut().flatten() {
            island.since -= shift;
            island.until -= shift;
            island.calm -= shift;
        }
        for sticking in self.core.sticking.iter_mut().flatten() {
            sticking.began -= shift;
            sticking.ends -= shift;
        }
        self.stalled_since -= shift;
        self.cleared.clear();
    }
}

impl<S: Space> Rigids<S> {
    /// Which member a body is.
    #[inline]
    pub fn member(&self, id: BodyId) -> Option<u32> {
        let place = self.places.get(id.0 as usize).copied();
        place.filter(|&place| place != NOBODY)
    }

    /// Whether a member is a ball that is here for a while.
    pub fn is_guest(&self, member: u32) -> bool {
        self.world.inert[member as usize].ball.is_some()
    }

    /// The members that there are, in order.
    pub fn members(&self) -> impl Iterator<Item = u32> + '_ {
        let inert = (0..).zip(&self.world.inert);
        inert.filter(|(_, inert)| !inert.gone).map(|(at, _)| at)
    }

    /// Whether balls meet a fixture as rigid bodies do.
    pub fn is_compound(&self, index: u32) -> bool {
        self.world.props[index as usize].compound
    }

    /// Of two bodies that stick together, the one that planners look for in place of the other.
    fn leader(&self, member: u32) -> u32 {
        let sticking = self.core.moving[member as usize].sticking;
        match sticking.and_then(|id| self.core.sticking[id as usize].as_ref()) {
            Some(sticking) => match sticking.other {
                RigidBodyRef::Body(b) if self.is_guest(sticking.a) => b,
                RigidBodyRef::Body(_) => sticking.a,
                RigidBodyRef::Fixture(_) => member,
            },
            None => member,
        }
    }

    /// All for which planners look in place of a member: itself and one that sticks to it, or none.
    pub fn stands_for(&self, member: u32) -> impl Iterator<Item = u32> + Clone + use<S> {
        let sticking = self.core.moving[member as usize].sticking;
        let sticking = sticking.and_then(|id| self.core.sticking[id as usize].as_ref());
        let both = match sticking.map(|sticking| (sticking.a, sticking.other)) {
            Some(_) if self.leader(member) != member => [None, None],
            Some((a, RigidBodyRef::Body(b))) => [Some(a), Some(b)],
            _ => [Some(member), None],
        };
        both.into_iter().flatten()
    }

    /// Whether a body travels alone.
    pub fn is_alone(&self, member: u32) -> bool {
        self.core.moving[member as usize].sticking.is_none()
    }
}
