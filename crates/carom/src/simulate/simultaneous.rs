//! Contacts at one instant: which are answered together, and which wait.
//!
//! # The rule
//!
//! Two bodies *touch* when their gap is at most `8u` of the coordinates it was computed from, and a touching contact
//! that closes is answered *at this instant*, whether its own time has come or is a last digit away. Otherwise a start
//! that is its own mirror image would not stay so: of two contacts that are due at once, one would come first, and take
//! the other's bodies along.
//!
//! 1. All contacts that touch and hang together with the one that is due, through free balls, are gathered, whether
//!    they close or not.
//! 2. Those of them that close are answered in one round, with the velocities before it. What closes only because of a
//!    round is due at the same instant, and is answered in the next one. So a contact that merely touches waits for its
//!    turn, and waves that run through touching balls from two sides arrive at the same pace.
//! 3. Contacts of a round that share a ball are answered [together](crate::response::together); one that would have to
//!    pull is dropped. It is gathered again at the same instant, in the next round, if it closes then.
//!
//! Within a round the order is that of the numbers of the bodies: *a*, the free ball of the lower number (or the only
//! one), then *b*.
//!
//! # What it costs
//!
//! Nothing until three bodies meet: see [`TOUCH`](super::balls::TOUCH). Then, the gathering of up to [`MOST`] contacts
//! and the solution of a linear system with at most so many unknowns, some milliseconds at worst. Of a larger heap, the
//! part nearest to the contact that is due is gathered, and the rest is found at the same instant, when its turn comes;
//! a heap of that size keeps its symmetry only as far as it was gathered.

use super::bodies::{Bodies, BodyRef};
use crate::contact::Contact;
use crate::impact::Strikable;
use crate::material::Surface;
use crate::order::InOrder;
use crate::record::Velocities;
use crate::response::together::{Joint, respond_together};
use crate::response::{Mode, Response, respond};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};
use crate::world::BodyId;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Contacts that are gathered at most.
pub(super) const MOST: usize = 512;

/// Two bodies that touch.
#[derive(Clone, Debug)]
pub(super) struct SimultaneousContact<S: Space> {
    /// The ball that the normal points into, by slot; of two the one with the lower number.
    pub ball: u32,
    pub other: BodyRef,
    pub contact: Contact<S>,
    pub gap: f64,
    pub surface: Surface,
}

/// A contact and its impulse.
#[derive(Clone, Debug)]
pub(super) struct Answer<S: Space> {
    pub touch: SimultaneousContact<S>,
    pub response: Response<S>,
}

/// The numbers of the bodies, and which of the images of the second one.
type ContactKey = (BodyId, BodyId, u32);

impl<S: Strikable> SimultaneousContact<S> {
    pub fn new(stage: &Bodies<S>, ball: u32, other: BodyRef, time: f64) -> Self {
        let (ball, other) = match other {
            BodyRef::Ball(b) if stage.id_of(other) < stage.id_of(BodyRef::Ball(ball)) => {
                (b, BodyRef::Ball(ball))
            }
            _ => (ball, other),
        };
        let (contact, gap) = stage.contact(ball as usize, other, time);
        let surface = stage.surface_at(ball as usize, other, -contact.normal_velocity());
        SimultaneousContact {
            ball,
            other,
            contact,
            gap,
            surface,
        }
    }

    fn key(&self, stage: &Bodies<S>) -> ContactKey {
        let image = match self.other {
            BodyRef::Ball(_) => 0,
            BodyRef::Fixture(index) => index,
        };
        let [a, b] = [BodyRef::Ball(self.ball), self.other].map(|body| stage.id_of(body));
        (a, b, image)
    }

    /// The gap up to which they touch, m: `8u` of all lengths that go into it, the way that is made by the clock's time
    /// included. At most what the planners look out for.
    fn tolerance(&self, stage: &Bodies<S>, time: f64) -> f64 {
        let Contact { point, a, b, .. } = &self.contact;
        let (world_time, reach) = match self.other {
            BodyRef::Ball(_) => (time, a.arm.length() + b.arm.length()),
            // The pose of a driven body is computed from the world's time.
            BodyRef::Fixture(_) => (stage.epoch + time, a.arm.length()),
        };
        let way = a.velocity.length() * time + b.contact_velocity().length() * world_time;
        let lengths = point.length() + a.arm.length() + b.arm.length() + way;
        let most = 0.25 * super::balls::TOUCH * reach;
        (8.0 * UNIT_ROUNDOFF * lengths).min(most)
    }

    fn free_balls(&self) -> impl Iterator<Item = u32> {
        let second = match self.other {
            BodyRef::Ball(slot) => Some(slot),
            BodyRef::Fixture(_) => None,
        };
        std::iter::once(self.ball).chain(second)
    }
}

/// What is answered at this instant when a contact is due and others touch its bodies: contacts and their impulses, in
/// order.
///
/// `surface` says what holds between two bodies in place of what their materials say; `neighbours` names all bodies
/// that a ball may touch.
pub(super) fn answers<S: Strikable>(
    stage: &Bodies<S>,
    due: SimultaneousContact<S>,
    time: f64,
    surface: impl Fn(&SimultaneousContact<S>) -> Surface,
    neighbours: impl FnMut(u32, &mut Vec<BodyRef>),
) -> Vec<Answer<S>> {
    let alone = |mut touch: SimultaneousContact<S>| {
        touch.surface = surface(&touch);
        let response = respond(&touch.contact, &touch.surface);
        vec![Answer { touch, response }]
    };
    let touching = gather(stage, &due, time, neighbours);
    if touching.len() == 1 {
        return alone(due);
    }
    let mut closing: Vec<SimultaneousContact<S>> = touching
        .into_iter()
        .filter(|touch| touch.contact.is_approaching())
        .collect();
    closing.order_by_key(|touch| touch.key(stage));
    for touch in &mut closing {
        touch.surface = surface(touch);
    }
    let mut answers: Vec<Answer<S>> = sets(closing).into_iter().flat_map(respond_to).collect();
    answers.retain(|answer| answer.response.mode != Mode::Idle);
    if answers.is_empty() {
        // None pushes, by rounding: then the one that is due has to do for a beginning.
        answers = alone(due);
    }
    answers.order_by_key(|answer| answer.touch.key(stage));
    answers
}

/// All contacts that touch and hang together with the one that is due, through free balls, nearest first; the one that
/// is due among them.
fn gather<S: Strikable>(
    stage: &Bodies<S>,
    due: &SimultaneousContact<S>,
    time: f64,
    mut neighbours: impl FnMut(u32, &mut Vec<BodyRef>),
) -> Vec<SimultaneousContact<S>> {
    let mut touching = vec![due.clone()];
    let mut known = BTreeSet::from([due.key(stage)]);
    let mut balls: VecDeque<u32> = due.free_balls().collect();
    let mut met: BTreeSet<u32> = balls.iter().copied().collect();
    let mut around = Vec::new();
    while let Some(ball) = balls.pop_front()
        && touching.len() < MOST
    {
        around.clear();
        neighbours(ball, &mut around);
        let mut found: Vec<SimultaneousContact<S>> = around
            .iter()
            .filter(|&&other| stage.collide(ball as usize, other))
            .map(|&other| SimultaneousContact::new(stage, ball, other, time))
            .filter(|touch| touch.gap <= touch.tolerance(stage, time))
            .collect();
        // Planners name neighbours in orders of their own.
        found.order_by_key(|touch| touch.key(stage));
        for touch in found {
            balls.extend(touch.free_balls().filter(|&ball| met.insert(ball)));
            if known.insert(touch.key(stage)) {
                touching.push(touch);
            }
        }
    }
    touching
}

/// Sorts contacts into sets that share balls.
fn sets<S: Space>(touches: Vec<SimultaneousContact<S>>) -> Vec<Vec<SimultaneousContact<S>>> {
    // Each ball points to another of its set, or is the one that stands for it.
    let mut leader: BTreeMap<u32, u32> = BTreeMap::new();
    fn find(leader: &BTreeMap<u32, u32>, mut ball: u32) -> u32 {
        while let Some(&next) = leader.get(&ball)
            && next != ball
        {
            ball = next;
        }
        ball
    }
    for touch in &touches {
        if let BodyRef::Ball(other) = touch.other {
            let (a, b) = (find(&leader, touch.ball), find(&leader, other));
            leader.insert(a, b);
        }
    }
    let mut sets: Vec<Vec<SimultaneousContact<S>>> = Vec::new();
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    for touch in touches {
        let place = *places
            .entry(find(&leader, touch.ball))
            .or_insert(sets.len());
        if place == sets.len() {
            sets.push(Vec::new());
        }
        sets[place].push(touch);
    }
    sets
}

/// The impulses of contacts that share balls.
fn respond_to<S: Space>(touches: Vec<SimultaneousContact<S>>) -> Vec<Answer<S>> {
    let joints: Vec<Joint<S>> = touches
        .iter()
        .map(|touch| Joint {
            contact: touch.contact,
            surface: touch.surface,
            bodies: [
                touch.ball as usize,
                match touch.other {
                    BodyRef::Ball(slot) => slot as usize,
                    // Nothing moves it: no matter what else touches it.
                    BodyRef::Fixture(_) => usize::MAX,
                },
            ],
        })
        .collect();
    touches
        .into_iter()
        .zip(respond_together(&joints))
        .map(|(touch, response)| Answer { touch, response })
        .collect()
}

/// The velocities of the free balls, by slot, after all impulses.
pub(super) fn velocities_after<S: Strikable>(
    answers: &[Answer<S>],
) -> BTreeMap<u32, Velocities<S>> {
    let mut velocities: BTreeMap<u32, Velocities<S>> = BTreeMap::new();
    for Answer { touch, response } in answers {
        let after = with_velocities(touch, &velocities).after(response);
        for (slot, side) in touch.free_balls().zip([after.a, after.b]) {
            velocities.insert(slot, Velocities::from(&side));
        }
    }
    velocities
}

/// A contact with other velocities of the balls that have any.
pub(super) fn with_velocities<S: Strikable>(
    touch: &SimultaneousContact<S>,
    velocities: &BTreeMap<u32, Velocities<S>>,
) -> Contact<S> {
    let mut contact = touch.contact;
    for (slot, side) in touch.free_balls().zip([&mut contact.a, &mut contact.b]) {
        if let Some(now) = velocities.get(&slot) {
            (side.velocity, side.angular_velocity) = (now.velocity, now.angular_velocity);
        }
    }
    contact
}
