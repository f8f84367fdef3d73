//! Islands: balls that keep touching several bodies at once, or each other, and what they touch.
//!
//! One ball on one wall has closed forms (`support/`). Everything else that lasts is an island: any number of balls,
//! joined by contacts with each other and with fixtures. An island goes ahead in steps of its own length
//! (`exact/islands/step.rs`); within a step each member goes straight on, so that bodies outside of it meet the
//! members at exact instants. The two bodies of a contact of the island are not looked at by the planner.

mod impulses;
mod jam;
mod parts;

pub(super) use impulses::{Impulses, begin, go_on, share_within};
pub(super) use jam::jammed;
pub(super) use parts::Parts;

use crate::space::Space;
use crate::world::BodyId;

/// The islands of a run. An island keeps its number as long as it exists.
#[derive(Clone, Debug)]
pub(super) struct Islands<S: Space> {
    pub all: Vec<Option<Island<S>>>,
}

impl<S: Space> Default for Islands<S> {
    fn default() -> Self {
        Islands { all: Vec::new() }
    }
}

/// Balls that keep touching each other, or fixtures.
#[derive(Clone, Debug)]
pub(super) struct Island<S: Space> {
    /// In order.
    pub members: Vec<BodyId>,
    /// In order of the bodies.
    pub contacts: Vec<LastingContact<S>>,
    /// When the step under way began, by the run's clock, s.
    pub since: f64,
    /// When it is to end, by the run's clock, s; infinite for an island asleep.
    pub until: f64,
    /// Since when no member has been fast, by the run's clock, s.
    pub calm: f64,
    /// All members are at rest, in equilibrium.
    pub asleep: bool,
    /// For how many steps a lone member has touched nothing but one fixture.
    pub single: u32,
    /// How often the step under way has been cut.
    pub cuts: u32,
    /// For how many steps to come it is a crowd, whatever its size.
    pub rush: u32,
    /// Whether any two of a contact meet in this step, other than as surfaces do that stay together.
    pub meets: bool,
    /// What contacts have taken along the normals in this step, J.
    pub taken: f64,
    /// What they have given along the normals, because steps are of finite length, and have not taken back yet, J.
    pub lent: f64,
    /// What contacts took as the cost of steps where this step began, J: its end gives it back, or takes it.
    pub opened: f64,
    /// What fields would have done, had they acted after the contacts of the first half of this step, and have not, J.
    pub ahead: f64,
}

/// A contact that lasts. Its normal points into `a`.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastingContact<S: Space> {
    /// A member.
    pub a: BodyId,
    /// The other body.
    pub against: Against,
    /// Out of the other body.
    pub normal: S::Vector,
    /// m; negative where they overlap.
    pub gap: f64,
    /// What it gave in half a step, or for an island asleep in a whole one.
    pub given: Impulses<S>,
    /// The normal velocity at which the two meet fast in this step, m/s; zero where they do not.
    pub struck: f64,
    /// Whether it slips: then the kinetic friction holds.
    pub slides: bool,
}

/// The other body of a lasting contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Against {
    /// A ball with a greater number.
    Ball(BodyId),
    /// By its place in the list; of an arc whose gap is too narrow for the ball that lies in it, its first end.
    Fixture(u32),
    /// The second end of such an arc.
    FarEnd(u32),
}

impl<S: Space> LastingContact<S> {
    /// A contact that has not pushed yet.
    pub fn new((a, against): (BodyId, Against), normal: S::Vector, gap: f64) -> Self {
        LastingContact {
            a,
            against,
            normal,
            gap,
            given: Impulses::default(),
            struck: 0.0,
            slides: false,
        }
    }

    pub fn key(&self) -> (BodyId, Against) {
        (self.a, self.against)
    }

    /// Whether the two push each other, or are nearer than a distance (m): those that slide along each other are kept a
    /// little apart, so that they do not overlap within a step.
    pub fn touches(&self, near: f64) -> bool {
        self.given.pressed > 0.0 || self.gap <= near
    }
}

impl<S: Space> Island<S> {
    /// The contact of a pair.
    pub fn contact(&self, key: (BodyId, Against)) -> Option<&LastingContact<S>> {
        let found = self
            .contacts
            .binary_search_by_key(&key, LastingContact::key);
        found.ok().map(|index| &self.contacts[index])
    }

    /// Enters what the contacts took along their normals, and across them by friction, at once (J): what settling is
    /// more by then, the cost of steps, and what friction took.
    ///
    /// Pushes that keep members apart until the end of a step give what the next ones take back: that is a matter of
    /// the length of the step. Rebounds give a part of what was taken when two met. What the ones give and the others
    /// take at the same instant was never had: which of them gives, and how much, is a matter of shares.
    ///
    /// Where none meets, a contact that lasts does no work along its normal: what it takes on a surface that bends, in
    /// a step of finite length, another step gives.
    pub fn settle(&mut self, lost: f64, rubbed: f64) -> (f64, f64, f64) {
        let settled = if !self.meets {
            0.0
        } else if lost < 0.0 {
            -self.taken.min(-lost)
        } else {
            (lost - self.lent).max(0.0)
        };
        let steps = lost - settled;
        let by_friction = steps.max(-rubbed).min(0.0);
        let by_normals = settled.min(-rubbed).max(0.0);
        let (steps, settled) = (steps - by_friction, settled - by_normals);
        let rubbed = rubbed + by_friction + by_normals;
        let by_steps = steps.min(-rubbed).max(0.0);
        let (steps, rubbed) = (steps - by_steps, rubbed + by_steps);
        self.taken += settled;
        self.lent = (self.lent - steps).max(0.0);
        (settled, steps, rubbed)
    }

    /// Which of the members a ball is.
    pub fn index_of(&self, ball: BodyId) -> usize {
        self.members.binary_search(&ball).unwrap_or(0)
    }
}

impl<S: Space> Islands<S> {
    /// The island of a number.
    pub fn get(&self, id: u32) -> Option<&Island<S>> {
        self.all.get(id as usize)?.as_ref()
    }

    /// Takes an island out, to be put back under its number.
    pub fn take(&mut self, id: u32) -> Option<Island<S>> {
        self.all.get_mut(id as usize)?.take()
    }

    pub fn put_back(&mut self, id: u32, island: Island<S>) {
        self.all[id as usize] = Some(island);
    }

    /// Gives an island the least number that is free.
    pub fn found(&mut self, island: Island<S>) -> u32 {
        let free = self.all.iter().position(Option::is_none);
        let id = free.unwrap_or_else(|| {
            self.all.push(None);
            self.all.len() - 1
        });
        self.all[id] = Some(island);
        id as u32
    }

    /// Moves all times: the clock reads `shift` less from now on.
    pub fn rebase(&mut self, shift: f64) {
        for island in self.all.iter_mut().flatten() {
            island.since -= shift;
            island.until -= shift;
            island.calm -= shift;
        }
    }
}

impl Against {
    /// The ball that it is, if it is one.
    pub fn ball(self) -> Option<BodyId> {
        match self {
            Against::Ball(id) => Some(id),
            Against::Fixture(_) | Against::FarEnd(_) => None,
        }
    }

    /// The fixture that it is, if it is one, by its place in the list.
    pub fn fixture(self) -> Option<u32> {
        match self {
            Against::Ball(_) => None,
            Against::Fixture(index) | Against::FarEnd(index) => Some(index),
        }
    }
}
