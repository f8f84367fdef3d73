//! One step, by each of the schemes, tried before it is made true.

use super::super::bodies::ForceBodies;
use super::super::rates::Who;
use super::super::state::{ContactWork, Flow, weighted};
use super::contact_forces::{PairPull, PointMemory};
use super::frame::{RigidFrame, drift, rate_of_vector, turned};
use super::joints::put_right;
use super::rates::{PointMemories, RigidInstant, RigidRates, memories, rates};
use super::rigid_bodies::RigidBodies;
use super::rigid_stepper::RigidStepper;
use crate::impact::Strikable;
use crate::motion::Pose;
use crate::simulate::force_options::Scheme;
use crate::space::{Linear, Space};

/// Where a step leads.
#[derive(Clone, Debug)]
pub(super) struct RigidTrial<S: Space> {
    /// How long it is, s.
    pub step: f64,
    pub frame: RigidFrame<S>,
    /// What points remember at its end.
    pub memories: PointMemories<S>,
    /// What each pair did in it.
    pub deeds: Vec<ContactWork<S>>,
    pub flow: Flow<S>,
    /// For Verlet, which looks where the step ends.
    pub last: Option<Last<S>>,
}

/// What Verlet saw where a step ends: what the next one begins with.
#[derive(Clone, Debug)]
pub(super) struct Last<S: Space> {
    pub push: Vec<S::Vector>,
    pub torque: Vec<S::Angular>,
    pub flow: Flow<S>,
    /// By place in the list of those near each other; velocities are those of the middle of the step.
    pub pulls: Vec<PairPull<S>>,
}

/// What stands still in a run of rigid bodies by forces: everything there is, and what is only known of the rigid ones.
pub(super) type ForceStage<'a, S> = (&'a ForceBodies<S>, &'a RigidBodies<S>);

/// Tries a step of a length (s). Times are looked up no later than `latest`.
pub(super) fn attempt<S: Strikable>(
    ground: ForceStage<'_, S>,
    yard: &RigidStepper<S>,
    step: f64,
    latest: f64,
) -> RigidTrial<S> {
    let mut trial = match ground.0.scheme {
        Scheme::RungeKutta => runge_kutta(ground, yard, step, latest),
        Scheme::Verlet => verlet(ground, yard, step),
        Scheme::Euler => euler(ground, yard, step),
    };
    let end = (yard.time + step).min(latest);
    put_right(ground, &mut trial.frame, end, &mut trial.flow);
    trial
}

/// A stage of Runge and Kutta: everyone moved on from the start for a time (s) at given rates, and by how much everyone
/// has turned (rad).
struct Moved<S: Space> {
    frame: RigidFrame<S>,
    vectors: Vec<S::Angular>,
}

fn moved<S: Space>(
    from: &RigidFrame<S>,
    velocity: &[S::Vector],
    rates: &RigidRates<S>,
    whirl: &[S::Angular],
    time: f64,
) -> Moved<S> {
    let mut frame = from.clone();
    let vectors: Vec<S::Angular> = whirl.iter().map(|&rate| rate * time).collect();
    for slot in 0..frame.pose.len() {
        frame.pose[slot] = Pose {
            position: from.pose[slot].position + velocity[slot] * time,
            rotation: turned::<S>(from.pose[slot].rotation, vectors[slot]),
        };
        frame.velocity[slot] += rates.push[slot] * time;
        frame.turn[slot] += rates.torque[slot] * time;
    }
    Moved { frame, vectors }
}

/// How fast the rotation vectors change.
fn whirl<S: Space>(vectors: &[S::Angular], rates: &RigidRates<S>) -> Vec<S::Angular> {
    (vectors.iter().zip(&rates.angular_velocity))
        .map(|(&vector, &angular_velocity)| rate_of_vector::<S>(vector, angular_velocity))
        .collect()
}

fn stretched<S: Space>(
    memories: &PointMemories<S>,
    rates: &RigidRates<S>,
    time: f64,
) -> PointMemories<S> {
    (memories.iter().zip(&rates.pulls))
        .map(|(spots, pull)| {
            let of = |spot: &PointMemory<S>| {
                let mut spot = *spot;
                spot.held.stretch += rate(pull, &spot) * time;
                spot
            };
            spots.iter().map(of).collect()
        })
        .collect()
}

/// How fast the spring of a point is stretched; nothing where it is not pressed then, m/s.
fn rate<S: Space>(pull: &PairPull<S>, spot: &PointMemory<S>) -> S::Vector {
    let found = pull.spots.iter().position(|other| other.key == spot.key);
    found.map_or(S::Vector::ZERO, |index| pull.rates[index])
}

/// Longer than most: four stages, and the sums over them of everything that they say.
fn runge_kutta<S: Strikable>(
    ground: ForceStage<'_, S>,
    yard: &RigidStepper<S>,
    step: f64,
    latest: f64,
) -> RigidTrial<S> {
    let stage = ground.0;
    let (from, list, contacts) = (&yard.frame, &yard.near.list, &yard.contacts);
    let who = if stage.locate {
        Who::Touching
    } else {
        Who::Overlapping
    };
    let at = |after: f64| RigidInstant {
        time: (yard.time + after).min(latest),
        who,
        stretch_for: 0.0,
    };
    let look = |memories: &PointMemories<S>, frame: &RigidFrame<S>, after: f64| {
        rates(ground, list, contacts, memories, frame, at(after))
    };
    let half = 0.5 * step;
    let k1 = look(&memories(list, contacts), from, 0.0);
    // Springs that have been let go start from where they are held.
    let start: PointMemories<S> = k1.pulls.iter().map(|pull| pull.spots.clone()).collect();
    let none = vec![S::Angular::ZERO; from.pose.len()];
    let w1 = whirl(&none, &k1);
    let second = moved(from, &from.velocity, &k1, &w1, half);
    let k2 = look(&stretched(&start, &k1, half), &second.frame, half);
    let w2 = whirl(&second.vectors, &k2);
    let third = moved(from, &second.frame.velocity, &k2, &w2, half);
    let k3 = look(&stretched(&start, &k2, half), &third.frame, half);
    let w3 = whirl(&third.vectors, &k3);
    let fourth = moved(from, &third.frame.velocity, &k3, &w3, step);
    let k4 = look(&stretched(&start, &k3, step), &fourth.frame, step);
    let w4 = whirl(&fourth.vectors, &k4);
    let all = [&k1, &k2, &k3, &k4];
    let mut frame = from.clone();
    for slot in 0..frame.pose.len() {
        let velocities = [from, &second.frame, &third.frame, &fourth.frame];
        let way = weighted(velocities.map(|frame| frame.velocity[slot]), step);
        let vector = weighted([&w1, &w2, &w3, &w4].map(|whirl| whirl[slot]), step);
        frame.pose[slot] = Pose {
            position: from.pose[slot].position + way,
            rotation: turned::<S>(from.pose[slot].rotation, vector),
        };
        frame.velocity[slot] += weighted(all.map(|rates| rates.push[slot]), step);
        frame.turn[slot] += weighted(all.map(|rates| rates.torque[slot]), step);
    }
    let mut flow = Flow::default();
    for (rates, weight) in all.into_iter().zip([1.0, 2.0, 2.0, 1.0]) {
        flow.add(&rates.flow, weight * (step / 6.0));
    }
    let memories = (start.into_iter().enumerate())
        .map(|(index, spots)| {
            let of = |mut spot: PointMemory<S>| {
                let rates = all.map(|rates| rate(&rates.pulls[index], &spot));
                spot.held.stretch += weighted(rates, step);
                spot
            };
            spots.into_iter().map(of).collect()
        })
        .collect();
    let deeds = (0..list.len())
        .map(|index| {
            let pulls = all.map(|rates| &rates.pulls[index]);
            ContactWork {
                impulse: weighted(pulls.map(|pull| pull.force), step),
                damper: weighted(pulls.map(|pull| pull.damper), step),
                rubbing: weighted(pulls.map(PairPull::taken), step),
                slid: pulls.iter().any(|pull| pull.slides),
            }
        })
        .collect();
    RigidTrial {
        step,
        frame,
        memories,
        deeds,
        flow,
        last: None,
    }
}

/// What pairs do in a step whose forces are those of one instant.
fn deeds<S: Space>(rates: &RigidRates<S>, step: f64) -> Vec<ContactWork<S>> {
    (rates.pulls.iter())
        .map(|pull| ContactWork {
            impulse: pull.force * step,
            damper: pull.damper * step,
            rubbing: pull.taken() * step,
            slid: pull.slides,
        })
        .collect()
}

/// Half a kick, on without force (turning as `drift` says), half a kick.
fn verlet<S: Strikable>(
    ground: ForceStage<'_, S>,
    yard: &RigidStepper<S>,
    step: f64,
) -> RigidTrial<S> {
    let (_, cast) = ground;
    let (list, half) = (&yard.near.list, 0.5 * step);
    let mut frame = yard.frame.clone();
    for slot in 0..frame.pose.len() {
        frame.velocity[slot] += yard.push[slot] * half;
        frame.turn[slot] += yard.torque[slot] * half;
        let pose = frame.pose[slot];
        frame.pose[slot] = Pose {
            position: pose.position + frame.velocity[slot] * step,
            rotation: drift(&cast.free[slot], pose.rotation, frame.turn[slot], step),
        };
    }
    let at = RigidInstant {
        time: yard.time + step,
        who: Who::Overlapping,
        stretch_for: step,
    };
    let remembered = memories(list, &yard.contacts);
    let rates = rates(ground, list, &yard.contacts, &remembered, &frame, at);
    for slot in 0..frame.pose.len() {
        frame.velocity[slot] += rates.push[slot] * half;
        frame.turn[slot] += rates.torque[slot] * half;
    }
    // Each force kicks for half a step before its place and half a step after it.
    let mut flow = Flow::default();
    flow.add(&yard.flow, half);
    flow.add(&rates.flow, half);
    RigidTrial {
        step,
        deeds: deeds(&rates, step),
        memories: rates.pulls.iter().map(|pull| pull.spots.clone()).collect(),
        frame,
        flow,
        last: Some(Last {
            push: rates.push,
            torque: rates.torque,
            flow: rates.flow,
            pulls: rates.pulls,
        }),
    }
}

fn euler<S: Strikable>(
    ground: ForceStage<'_, S>,
    yard: &RigidStepper<S>,
    step: f64,
) -> RigidTrial<S> {
    let list = &yard.near.list;
    let at = RigidInstant {
        time: yard.time,
        who: Who::Overlapping,
        stretch_for: 0.0,
    };
    let remembered = memories(list, &yard.contacts);
    let rates = rates(ground, list, &yard.contacts, &remembered, &yard.frame, at);
    let from = &yard.frame;
    let next = moved(from, &from.velocity, &rates, &rates.angular_velocity, step);
    let start: PointMemories<S> = rates.pulls.iter().map(|pull| pull.spots.clone()).collect();
    let mut flow = Flow::default();
    flow.add(&rates.flow, step);
    RigidTrial {
        step,
        deeds: deeds(&rates, step),
        memories: stretched(&start, &rates, step),
        frame: next.frame,
        flow,
        last: None,
    }
}
