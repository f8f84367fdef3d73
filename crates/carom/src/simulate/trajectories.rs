//! The trajectories of balls that do not just fly straight or fall freely: segment by segment, through a field or on a
//! wall.
//!
//! A run starts without trajectories, and gets them when the first ball comes to keep touching something. From then on
//! each ball is either in free flight, as before, or on a [`TrajectorySegment`] of its own. When a segment ends, or
//! when something happens to the ball, it is given the next one, or flies again (`Exact::guide`).

use super::islands::Islands;
use super::rigid::Rigids;
use super::support::Turn;
use crate::motion::TrajectorySegment;
use crate::record::{Regime, Velocities};
use crate::space::Space;
use crate::world::BodyId;
use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};

/// How the balls move, by slot.
#[derive(Clone, Debug)]
pub(super) struct Trajectories<S: Space> {
    /// `None` where a ball is in free flight: its hot record says it all.
    pub segments: Vec<Option<Box<TrajectorySegment<S>>>>,
    pub supports: Supports,
    /// How long the integrator's next segments may be, s; zero where that is not known.
    pub hints: Vec<f64>,
    /// How many segments have been made.
    pub made: u64,
    /// Balls that keep touching each other, or several fixtures.
    pub islands: Islands<S>,
    /// The balls in contacts that last.
    pub sticking: BTreeMap<BodyId, StickingBall<S>>,
    /// When balls that bounce on a wall, or between two, will have stopped.
    pub halts: BTreeMap<BodyId, PredictedSettling<S>>,
    /// When balls that bounce among three walls or more will have. On the way there they may stop on one or two of
    /// them.
    pub corners: BTreeMap<BodyId, PredictedSettling<S>>,
    /// The rigid bodies, and balls among them.
    pub rigids: Option<Box<Rigids<S>>>,
}

/// When a ball that bounces on a wall, or among several, will have stopped, and how it moves then.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PredictedSettling<S: Space> {
    /// The wall, by its place in the list.
    pub on: u32,
    /// The other ones: one in a groove, two or more in a corner.
    pub also: Vec<u32>,
    /// By the run's clock, s; infinite where there are too many bounces to tell.
    pub time: f64,
    /// Where it is then, m.
    pub place: S::Vector,
    /// m/s.
    pub velocity: S::Vector,
    /// rad/s.
    pub angular_velocity: S::Angular,
    /// By how much the time may be off, since places are rounded where it was foreseen, s.
    pub doubt: f64,
}

impl<S: Space> PredictedSettling<S> {
    /// Whether it is about this wall.
    pub fn is_about(&self, index: u32) -> bool {
        self.on == index || self.also.contains(&index)
    }

    /// The other wall, where there are just two.
    pub fn beside(&self) -> Option<u32> {
        match self.also[..] {
            [wall] => Some(wall),
            _ => None,
        }
    }

    /// How it moves then.
    pub fn velocities(&self) -> Velocities<S> {
        Velocities {
            velocity: self.velocity,
            angular_velocity: self.angular_velocity,
        }
    }
}

/// What each ball keeps touching, by slot. That most of them fly is told by one byte each, so that they cost the others
/// nothing.
#[derive(Clone, Debug)]
pub(super) struct Supports {
    all: Vec<Support>,
    /// Whether it is [`Support::FLYING`], whatever stands in the list.
    flying: Vec<bool>,
}

impl Supports {
    pub fn new(all: Vec<Support>) -> Self {
        let flying = all.iter().map(|support| *support == Support::FLYING);
        let flying = flying.collect();
        Supports { all, flying }
    }

    /// Whether a ball touches nothing, and is to go on like that.
    #[inline(always)]
    pub fn flies(&self, slot: usize) -> bool {
        self.flying[slot]
    }

    /// Adds a slot for a ball that flies.
    pub fn push(&mut self) {
        self.all.push(Support::FLYING);
        self.flying.push(true);
    }

    /// Gives a ball another support, and returns the one before.
    pub fn replace(&mut self, slot: usize, support: Support) -> Support {
        let before = self[slot];
        self.all[slot] = support;
        self.flying[slot] = support == Support::FLYING;
        before
    }

    /// Moves all times: the clock reads `shift` less from now on.
    pub fn rebase(&mut self, shift: f64) {
        for support in &mut self.all {
            support.settles -= shift;
        }
    }

    /// Puts them in another order: `order[new slot]` is the old slot.
    pub fn reorder(&mut self, order: &[u32]) {
        let all = order.iter().map(|&old| self[old as usize]).collect();
        *self = Supports::new(all);
    }
}

impl Index<usize> for Supports {
    type Output = Support;

    #[inline]
    fn index(&self, slot: usize) -> &Support {
        if self.flying[slot] {
            &Support::FLYING
        } else {
            &self.all[slot]
        }
    }
}

impl IndexMut<usize> for Supports {
    fn index_mut(&mut self, slot: usize) -> &mut Support {
        if std::mem::take(&mut self.flying[slot]) {
            self.all[slot] = Support::FLYING;
        }
        &mut self.all[slot]
    }
}

/// Whether a ball flies, or what it keeps touching.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Support {
    /// The fixtures that it keeps touching, by its place in the list.
    pub on: Option<u32>,
    /// Another that it keeps touching as well, in a corner or a groove.
    pub also: Option<u32>,
    /// A third one, in the corner of a container.
    pub third: Option<u32>,
    /// How it moves there.
    pub regime: Regime,
    /// What happens at the end of the segment.
    pub next: Next,
    /// When it will have stopped bouncing, by the run's clock, s. In the past for one that has.
    pub settles: f64,
    /// What it is to do next.
    pub intent: Intent,
    /// Its island is asleep.
    pub asleep: bool,
    /// The island that it is in.
    pub island: Option<u32>,
}

/// What a ball is to do when it is given its next trajectory segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Intent {
    /// Go on.
    Stay,
    /// Leave what it touches, or get up.
    Leave,
    /// Keep touching this fixture, and have stopped bouncing at a time by the run's clock, s.
    Land(u32, f64),
    /// Keep touching both of these, and have stopped bouncing at a time by the run's clock, s.
    Nestle([u32; 2], f64),
    /// Keep touching all of these, and have stopped bouncing at a time by the run's clock, s.
    Corner([u32; 3], f64),
}

/// What happens at the end of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Next {
    /// A turn in the way on the wall.
    Turn(Turn),
    /// It comes to where the wall, or the feature of it that it is on, ends; or nothing presses it on any more.
    LetsGo,
    /// It comes to where the first of two walls ends, and goes on on the other.
    LeavesFirst,
    /// It comes to where the second of two walls ends, and goes on on the first.
    LeavesSecond,
    /// It leaves the third of three walls, and goes on between the others.
    LeavesThird,
    /// It has stopped bouncing.
    Settles,
    /// A contact that lasts comes to its end.
    Releases,
}

impl Support {
    /// The two walls that it keeps touching, where it is between no more than two.
    pub fn both(&self) -> Option<[u32; 2]> {
        match self.third {
            None => Some([self.on?, self.also?]),
            Some(_) => None,
        }
    }

    /// The three walls that it keeps touching.
    pub fn all_three(&self) -> Option<[u32; 3]> {
        Some([self.on?, self.also?, self.third?])
    }

    pub const FLYING: Support = Support {
        on: None,
        also: None,
        third: None,
        regime: Regime::Resting,
        next: Next::Turn(Turn::GoesOn),
        settles: f64::NEG_INFINITY,
        intent: Intent::Stay,
        asleep: false,
        island: None,
    };
}

/// A ball in a contact that lasts. Of two balls each has one.
#[derive(Clone, Copy, Debug)]
pub(super) struct StickingBall<S: Space> {
    pub with: StickingPartner,
    /// The collision that began it.
    pub number: u64,
    /// Whether the collision's normal points into this ball.
    pub first: bool,
    /// Out of the partner, at the beginning.
    pub normal: S::Vector,
    /// The velocity at the beginning, m/s.
    pub together: S::Vector,
    /// What it would have left with at the beginning.
    pub after: Velocities<S>,
    /// Whether friction acted.
    pub rubbed: bool,
    /// By the run's clock, s.
    pub began: f64,
    /// By the run's clock, s, if nothing happens before.
    pub ends: f64,
}

/// ActionTarget a ball travels with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StickingPartner {
    Ball(BodyId),
    /// A static or kinematic body, and which image of it.
    Fixture(BodyId, [i32; 3]),
}

impl StickingPartner {
    pub fn id(self) -> BodyId {
        match self {
            StickingPartner::Ball(id) | StickingPartner::Fixture(id, _) => id,
        }
    }
}
