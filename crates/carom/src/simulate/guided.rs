//! What balls that are [guided](super::guides) do, ball by ball.

use super::balls::Balls;
use super::guides::{Guides, Intent, Stance, Tandem, TandemPartner};
use crate::motion::{Flight, Piece};
use crate::shape::Shaped;
use crate::space::Space;
use std::collections::BTreeMap;

impl<S: Shaped> Guides<S> {
    /// Everybody falls, as they have done so far.
    pub fn new(balls: &Balls<S>) -> Self {
        let piece = |slot: usize| {
            let ball = &balls.hot[slot];
            let flight = Flight {
                position: ball.position,
                velocity: ball.velocity,
                acceleration: balls.gravity,
            };
            Piece::of_flight(&flight, balls.spin(slot))
        };
        Guides {
            pieces: (0..balls.len()).map(piece).collect(),
            stances: vec![Stance::FLYING; balls.len()],
            hints: vec![0.0; balls.len()],
            made: 0,
            tandems: BTreeMap::new(),
            halts: BTreeMap::new(),
            corners: BTreeMap::new(),
        }
    }
}

impl<S: Space> Balls<S> {
    /// What a guided ball does.
    pub fn stance(&self, slot: usize) -> Option<&Stance> {
        self.guides.as_ref().map(|guides| &guides.stances[slot])
    }

    /// Whom a ball travels with, and how long.
    #[inline]
    pub fn tandem(&self, slot: usize) -> Option<&Tandem<S>> {
        let tandems = &self.guides.as_ref()?.tandems;
        if tandems.is_empty() {
            None
        } else {
            tandems.get(&self.ids[slot])
        }
    }

    /// Whether a ball travels with another body.
    #[inline]
    pub fn travels_with(&self, slot: usize, partner: TandemPartner) -> bool {
        self.tandem(slot)
            .is_some_and(|tandem| tandem.with == partner)
    }

    /// Whether a ball lies on others.
    #[inline]
    pub fn is_asleep(&self, slot: usize) -> bool {
        match &self.guides {
            Some(guides) => guides.stances[slot].asleep,
            None => false,
        }
    }

    /// Lays a guided ball down where it is: it does not move from its own time on.
    pub fn lay_down(&mut self, slot: usize) {
        if let Some(guides) = &mut self.guides {
            guides.stances[slot].intent = Intent::Sleep;
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
        if let Some(guides) = &mut self.guides {
            guides.stances[slot].intent = Intent::Leave;
        }
    }

    /// Lets a guided ball touch nothing from now on.
    pub fn lift(&mut self, slot: usize) {
        if let Some(guides) = &mut self.guides {
            guides.stances[slot].intent = Intent::Leave;
        }
    }

    /// What a guided ball keeps touching is at another place in the list.
    pub fn stand_on(&mut self, slot: usize, index: u32, others: [Option<u32>; 2]) {
        if let Some(guides) = &mut self.guides {
            let stance = &mut guides.stances[slot];
            (stance.on, [stance.also, stance.third]) = (Some(index), others);
        }
    }

    /// Whether a ball keeps touching a piece of scenery.
    pub fn is_on(&self, slot: usize, index: u32) -> bool {
        match &self.guides {
            Some(guides) => {
                let stance = &guides.stances[slot];
                [stance.on, stance.also, stance.third].contains(&Some(index))
            }
            None => false,
        }
    }
}
