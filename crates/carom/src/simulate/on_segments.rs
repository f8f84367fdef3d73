//! What balls that are [on segments](super::trajectories) do, ball by ball.

use super::balls::Balls;
use super::trajectories::{Intent, StickingContact, StickingPartner, Support, Trajectories};
use crate::motion::{Flight, TrajectorySegment};
use crate::shape::Shaped;
use crate::space::Space;
use std::collections::BTreeMap;

impl<S: Shaped> Trajectories<S> {
    /// Everybody falls, as they have done so far.
    pub fn new(balls: &Balls<S>) -> Self {
        let segment = |slot: usize| {
            let ball = &balls.hot[slot];
            let flight = Flight {
                position: ball.position,
                velocity: ball.velocity,
                acceleration: balls.gravity,
            };
            TrajectorySegment::of_flight(&flight, balls.spin(slot))
        };
        Trajectories {
            segments: (0..balls.len()).map(segment).collect(),
            supports: vec![Support::FLYING; balls.len()],
            hints: vec![0.0; balls.len()],
            made: 0,
            sticking: BTreeMap::new(),
            halts: BTreeMap::new(),
            corners: BTreeMap::new(),
        }
    }
}

impl<S: Space> Balls<S> {
    /// What a ball on segments does.
    pub fn support(&self, slot: usize) -> Option<&Support> {
        self.trajectories
            .as_ref()
            .map(|trajectories| &trajectories.supports[slot])
    }

    /// Whom a ball travels with, and how long.
    #[inline]
    pub fn sticking(&self, slot: usize) -> Option<&StickingContact<S>> {
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

    /// Whether a ball lies on others.
    #[inline]
    pub fn is_asleep(&self, slot: usize) -> bool {
        match &self.trajectories {
            Some(trajectories) => trajectories.supports[slot].asleep,
            None => false,
        }
    }

    /// Lays a ball on segments down where it is: it does not move from its own time on.
    pub fn lay_down(&mut self, slot: usize) {
        if let Some(trajectories) = &mut self.trajectories {
            trajectories.supports[slot].intent = Intent::Sleep;
        }
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
            }
            None => false,
        }
    }
}
