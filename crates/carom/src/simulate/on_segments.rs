//! What balls that are [on segments](super::trajectories) do, ball by ball.

use super::balls::Balls;
use super::islands::Against;
use super::rigid::Rigids;
use super::trajectories::{Intent, StickingBall, StickingPartner, Support, Supports, Trajectories};
use crate::motion::{Flight, TrajectorySegment};
use crate::shape::Shaped;
use crate::space::Space;
use crate::world::BodyId;
use std::borrow::Cow;
use std::collections::BTreeMap;

impl<S: Shaped> Trajectories<S> {
    /// All balls fly, as they have done so far.
    pub fn new(balls: &Balls<S>) -> Self {
        Trajectories {
            segments: vec![None; balls.len()],
            supports: Supports::new(vec![Support::FLYING; balls.len()]),
            hints: vec![0.0; balls.len()],
            made: 0,
            islands: Default::default(),
            sticking: BTreeMap::new(),
            halts: BTreeMap::new(),
            corners: BTreeMap::new(),
            rigids: None,
        }
    }
}

impl<S: Shaped> Balls<S> {
    /// The flight of a ball from its own time on, as a segment without an end, if it flies freely.
    pub fn flight_of(&self, slot: usize) -> TrajectorySegment<S> {
        let ball = &self.hot[slot];
        let flight = Flight {
            position: ball.position,
            velocity: ball.velocity,
            acceleration: self.gravity,
        };
        TrajectorySegment::of_flight(&flight, self.angular_velocity(slot))
    }

    /// The segment that a ball is on, or its free flight.
    pub fn segment_or_flight(&self, slot: usize) -> Cow<'_, TrajectorySegment<S>> {
        match self.segment(slot) {
            Some(segment) => Cow::Borrowed(segment),
            None => Cow::Owned(self.flight_of(slot)),
        }
    }

    /// Puts a ball on a segment from its own time on, or on a free flight where the segment is just that.
    pub fn follow(&mut self, slot: usize, segment: TrajectorySegment<S>) {
        let flight = self.flight_of(slot);
        if let Some(trajectories) = &mut self.trajectories {
            let place = &mut trajectories.segments[slot];
            match place {
                _ if segment == flight => *place = None,
                Some(place) => **place = segment,
                None => *place = Some(Box::new(segment)),
            }
        }
    }
}

impl<S: Space> Balls<S> {
    /// The rigid bodies, where there are any.
    #[inline]
    pub fn rigids(&self) -> Option<&Rigids<S>> {
        self.trajectories.as_ref()?.rigids.as_deref()
    }

    /// The same, to be changed.
    pub fn rigids_mut(&mut self) -> Option<&mut Rigids<S>> {
        self.trajectories.as_mut()?.rigids.as_deref_mut()
    }

    /// Whether a slot is that of a rigid body, or of a ball that is among them for a while.
    #[inline]
    pub fn is_member(&self, slot: usize) -> bool {
        let member = |rigids: &Rigids<S>| rigids.member(self.ids[slot]).is_some();
        self.rigids().is_some_and(member)
    }

    /// The segment that a ball is on; `None` where it is in free flight.
    #[inline(always)]
    pub fn segment(&self, slot: usize) -> Option<&TrajectorySegment<S>> {
        self.trajectories.as_ref()?.segments[slot].as_deref()
    }

    /// When the segment of a ball ends, by the run's clock, s; infinite in free flight.
    #[inline]
    pub fn segment_end(&self, slot: usize) -> f64 {
        let segment = self.segment(slot);
        segment.map_or(f64::INFINITY, |segment| self.hot[slot].since + segment.end)
    }

    /// Whether a ball flies freely, and nothing has been said that would make it do anything else.
    #[inline]
    pub fn flies_on(&self, slot: usize) -> bool {
        match &self.trajectories {
            None => true,
            Some(trajectories) => {
                trajectories.segments[slot].is_none()
                    && trajectories.supports.flies(slot)
                    && (trajectories.sticking.is_empty() || self.sticking(slot).is_none())
                    && (trajectories.corners.is_empty()
                        || !trajectories.corners.contains_key(&self.ids[slot]))
            }
        }
    }

    /// What a ball on segments does.
    pub fn support(&self, slot: usize) -> Option<&Support> {
        self.trajectories
            .as_ref()
            .map(|trajectories| &trajectories.supports[slot])
    }

    /// ActionTarget a ball travels with, and how long.
    #[inline]
    pub fn sticking(&self, slot: usize) -> Option<&StickingBall<S>> {
        let sticking = &self.trajectories.as_ref()?.sticking;
        if sticking.is_empty() {
            None
        } else {
            sticking.get(&self.ids[slot])
        }
    }

    /// Whether a ball travels with another body.
    #[inline]
    pub fn travels_with(&self, slot: usize, partner: StickingPartner) -> bool {
        self.sticking(slot)
            .is_some_and(|sticking| sticking.with == partner)
    }

    /// Whether a ball keeps touching a fixture, or is about to.
    pub fn is_supported(&self, slot: usize) -> bool {
        self.support(slot).is_some_and(|support| {
            support.on.is_some() || !matches!(support.intent, Intent::Stay | Intent::Leave)
        })
    }

    /// Whether a ball lies on others.
    #[inline]
    pub fn is_asleep(&self, slot: usize) -> bool {
        match &self.trajectories {
            Some(trajectories) => trajectories.supports[slot].asleep,
            None => false,
        }
    }

    /// The island that a ball is in.
    #[inline]
    pub fn island(&self, slot: usize) -> Option<u32> {
        let trajectories = self.trajectories.as_ref()?;
        if trajectories.supports.flies(slot) {
            None
        } else {
            trajectories.supports[slot].island
        }
    }

    /// Whether two balls have a contact in an island: what comes of it is the island's business.
    pub fn touch_in_island(&self, a: usize, b: usize) -> bool {
        let (a, b) = if self.ids[a] < self.ids[b] {
            (a, b)
        } else {
            (b, a)
        };
        let Some(island) = self.island(a) else {
            return false;
        };
        self.island(b) == Some(island)
            && self.has_contact(island, (self.ids[a], Against::Ball(self.ids[b])))
    }

    /// Whether a ball has a contact with a fixture in an island.
    pub fn touches_in_island(&self, slot: usize, index: u32) -> bool {
        self.island(slot).is_some_and(|island| {
            let sides = [Against::Fixture(index), Against::FarEnd(index)];
            let mut sides = sides.into_iter();
            sides.any(|side| self.has_contact(island, (self.ids[slot], side)))
        })
    }

    fn has_contact(&self, island: u32, key: (BodyId, Against)) -> bool {
        let trajectories = self.trajectories.as_ref();
        let island = trajectories.and_then(|trajectories| trajectories.islands.get(island));
        island.is_some_and(|island| island.contact(key).is_some())
    }

    /// Lets a ball that lies on others fall from now on; one that keeps touching a wall goes on.
    pub fn rouse(&mut self, slot: usize) {
        if self.is_asleep(slot) {
            self.get_up(slot);
        }
    }

    /// Lets a ball that lies on others fall from now on.
    pub fn get_up(&mut self, slot: usize) {
        if let Some(trajectories) = &mut self.trajectories {
            trajectories.supports[slot].intent = Intent::Leave;
        }
    }

    /// Lets a ball on segments touch nothing from now on.
    pub fn lift(&mut self, slot: usize) {
        if let Some(trajectories) = &mut self.trajectories {
            trajectories.supports[slot].intent = Intent::Leave;
        }
    }

    /// What a ball on segments keeps touching is at another place in the list.
    pub fn stand_on(&mut self, slot: usize, index: u32, others: [Option<u32>; 2]) {
        if let Some(trajectories) = &mut self.trajectories {
            let support = &mut trajectories.supports[slot];
            (support.on, [support.also, support.third]) = (Some(index), others);
        }
    }

    /// Whether a ball keeps touching a piece of fixture.
    pub fn is_on(&self, slot: usize, index: u32) -> bool {
        match &self.trajectories {
            Some(trajectories) => {
                let support = &trajectories.supports[slot];
                [support.on, support.also, support.third].contains(&Some(index))
                    || support.island.is_some() && self.touches_in_island(slot, index)
            }
            None => false,
        }
    }
}
