//! One step, by each of the schemes.
//!
//! A step is first tried: where everyone would be, and what would have flowed. Only when that is finite is it made
//! true, so that a run that blows up keeps what it had.

use super::bodies::ForceBodies;
use super::links::{Link, Memory};
use super::rates::{ForceRates, Instant, Who, rates};
use super::state::{BallStepper, ContactWork, Flow, MovingBalls, weighted};
use crate::impact::Strikable;
use crate::simulate::force_options::Scheme;
use crate::space::{Linear, Space};

/// Where a step leads.
#[derive(Clone, Debug)]
pub(super) struct Trial<S: Space> {
    /// How long it is, s.
    pub step: f64,
    pub moving: MovingBalls<S>,
    /// What springs across the normal remember at its end.
    pub memories: Vec<Memory<S>>,
    /// What each link did in it.
    pub deeds: Vec<LinkWork<S>>,
    pub flow: Flow<S>,
    /// For Verlet: what the next step begins with.
    pub push: Vec<S::Vector>,
    pub twist: Vec<S::Angular>,
    /// Per second.
    pub last_flow: Flow<S>,
}

/// What a link did in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkWork<S: Space> {
    pub work: ContactWork<S>,
    /// Whether it acted at the last look.
    pub acts: bool,
}

/// Tries a step of a length (s). Times are looked up no later than `latest`: before the next jump of something
/// prescribed.
pub(super) fn attempt<S: Strikable>(
    stage: &ForceBodies<S>,
    core: &BallStepper<S>,
    step: f64,
    latest: f64,
) -> Trial<S> {
    match stage.scheme {
        Scheme::RungeKutta => runge_kutta(stage, core, step, latest),
        Scheme::Verlet => verlet(stage, core, step),
        Scheme::Euler => euler(stage, core, step),
    }
}

fn memories<S: Space>(links: &[Link<S>]) -> Vec<Memory<S>> {
    links.iter().map(|link| link.memory).collect()
}

/// The state moved on for a time (s) at given rates of change.
fn moved<S: Space>(
    from: &MovingBalls<S>,
    velocity: &[S::Vector],
    push: &[S::Vector],
    twist: &[S::Angular],
    time: f64,
) -> MovingBalls<S> {
    let moved = |(&value, &rate): (&S::Vector, &S::Vector)| value + rate * time;
    MovingBalls {
        position: from.position.iter().zip(velocity).map(moved).collect(),
        velocity: from.velocity.iter().zip(push).map(moved).collect(),
        angular_velocity: (from.angular_velocity.iter().zip(twist))
            .map(|(&value, &rate)| value + rate * time)
            .collect(),
    }
}

fn stretched<S: Space>(memories: &[Memory<S>], rates: &ForceRates<S>, time: f64) -> Vec<Memory<S>> {
    (memories.iter().zip(&rates.pulls))
        .map(|(memory, pull)| {
            let mut memory = *memory;
            memory.sliding.stretch += pull.rates.0 * time;
            memory.rolling.stretch += pull.rates.1 * time;
            memory.spinning.stretch += pull.rates.2 * time;
            memory
        })
        .collect()
}

/// `y(t+h) = y + h (k₁ + 2k₂ + 2k₃ + k₄)/6`, for places, velocities, spins, the stretch of every spring, and all that
/// flows.
///
/// Longer than most: four stages, and the sums over them of everything that they say.
fn runge_kutta<S: Strikable>(
    stage: &ForceBodies<S>,
    core: &BallStepper<S>,
    step: f64,
    latest: f64,
) -> Trial<S> {
    let (from, links) = (&core.moving, &core.links.list);
    let who = if stage.locate {
        Who::Touching
    } else {
        Who::Overlapping
    };
    let at = |after: f64| Instant {
        time: (core.time + after).min(latest),
        who,
        stretch_for: 0.0,
    };
    let half = 0.5 * step;
    let k1 = rates(stage, links, &memories(links), from, at(0.0));
    // Springs that have been let go start from where they are held.
    let start: Vec<Memory<S>> = k1.pulls.iter().map(|pull| pull.memory).collect();
    let second = moved(from, &from.velocity, &k1.push, &k1.twist, half);
    let k2 = rates(
        stage,
        links,
        &stretched(&start, &k1, half),
        &second,
        at(half),
    );
    let third = moved(from, &second.velocity, &k2.push, &k2.twist, half);
    let k3 = rates(
        stage,
        links,
        &stretched(&start, &k2, half),
        &third,
        at(half),
    );
    let fourth = moved(from, &third.velocity, &k3.push, &k3.twist, step);
    let k4 = rates(
        stage,
        links,
        &stretched(&start, &k3, step),
        &fourth,
        at(step),
    );
    let number = from.position.len();
    let mut moving = from.clone();
    for slot in 0..number {
        let stages = [from, &second, &third, &fourth].map(|moving| moving.velocity[slot]);
        moving.position[slot] += weighted(stages, step);
        let stages = [&k1, &k2, &k3, &k4].map(|rates| rates.push[slot]);
        moving.velocity[slot] += weighted(stages, step);
        let stages = [&k1, &k2, &k3, &k4].map(|rates| rates.twist[slot]);
        moving.angular_velocity[slot] += weighted(stages, step);
    }
    let mut flow = Flow::default();
    for (rates, weight) in [(&k1, 1.0), (&k2, 2.0), (&k3, 2.0), (&k4, 1.0)] {
        flow.add(&rates.flow, weight * (step / 6.0));
    }
    let of = |index: usize| [&k1, &k2, &k3, &k4].map(|rates| &rates.pulls[index]);
    let memories = (0..links.len())
        .map(|index| {
            let pulls = of(index);
            let mut memory = start[index];
            memory.sliding.stretch += weighted(pulls.map(|pull| pull.rates.0), step);
            memory.rolling.stretch += weighted(pulls.map(|pull| pull.rates.1), step);
            memory.spinning.stretch += weighted(pulls.map(|pull| pull.rates.2), step);
            memory
        })
        .collect();
    let deeds = (0..links.len())
        .map(|index| {
            let pulls = of(index);
            LinkWork {
                work: ContactWork {
                    impulse: weighted(pulls.map(|pull| pull.force), step),
                    damper: weighted(pulls.map(|pull| pull.damper), step),
                    rubbing: weighted(pulls.map(|pull| pull.rubbing), step),
                    slid: pulls.iter().any(|pull| pull.memory.sliding.slides),
                },
                acts: pulls[3].acts,
            }
        })
        .collect();
    Trial {
        step,
        moving,
        memories,
        deeds,
        flow,
        push: Vec::new(),
        twist: Vec::new(),
        last_flow: Flow::default(),
    }
}

/// The deeds and flows of a step whose forces are those of one instant.
fn once<S: Space>(rates: ForceRates<S>, moving: MovingBalls<S>, step: f64) -> Trial<S> {
    let mut flow = Flow::default();
    flow.add(&rates.flow, step);
    let deeds = (rates.pulls.iter())
        .map(|pull| LinkWork {
            work: ContactWork {
                impulse: pull.force * step,
                damper: pull.damper * step,
                rubbing: pull.rubbing * step,
                slid: pull.memory.sliding.slides,
            },
            acts: pull.acts,
        })
        .collect();
    Trial {
        step,
        moving,
        memories: rates.pulls.iter().map(|pull| pull.memory).collect(),
        deeds,
        flow,
        push: rates.push,
        twist: rates.twist,
        last_flow: rates.flow,
    }
}

/// ```text
/// v(n+½) = v(n) + ½dt a(n),   x(n+1) = x(n) + dt v(n+½),   a(n+1) = a(x(n+1), v(n+½)),   v(n+1) = v(n+½) + ½dt a(n+1)
/// ```
fn verlet<S: Strikable>(stage: &ForceBodies<S>, core: &BallStepper<S>, step: f64) -> Trial<S> {
    let (from, links) = (&core.moving, &core.links.list);
    let half = 0.5 * step;
    let mut moving = moved(from, &from.velocity, &core.push, &core.twist, half);
    for ((place, &old), &velocity) in (moving.position.iter_mut())
        .zip(&from.position)
        .zip(&moving.velocity)
    {
        *place = old + velocity * step;
    }
    let at = Instant {
        time: core.time + step,
        who: Who::Overlapping,
        stretch_for: step,
    };
    let rates = rates(stage, links, &memories(links), &moving, at);
    for slot in 0..moving.velocity.len() {
        moving.velocity[slot] += rates.push[slot] * half;
        moving.angular_velocity[slot] += rates.twist[slot] * half;
    }
    // Each force kicks for half a step before its place and half a step after it.
    let mut flow = Flow::default();
    flow.add(&core.flow, half);
    flow.add(&rates.flow, half);
    Trial {
        flow,
        ..once(rates, moving, step)
    }
}

fn euler<S: Strikable>(stage: &ForceBodies<S>, core: &BallStepper<S>, step: f64) -> Trial<S> {
    let (from, links) = (&core.moving, &core.links.list);
    let at = Instant {
        time: core.time,
        who: Who::Overlapping,
        stretch_for: 0.0,
    };
    let rates = rates(stage, links, &memories(links), from, at);
    let moving = moved(from, &from.velocity, &rates.push, &rates.twist, step);
    let start: Vec<Memory<S>> = rates.pulls.iter().map(|pull| pull.memory).collect();
    let memories = stretched(&start, &rates, step);
    Trial {
        memories,
        ..once(rates, moving, step)
    }
}

/// What Verlet begins with: what acts at the start.
pub(super) fn first_push<S: Strikable>(
    stage: &ForceBodies<S>,
    core: &BallStepper<S>,
) -> ForceRates<S> {
    let links = &core.links.list;
    let at = Instant {
        time: core.time,
        who: Who::Overlapping,
        stretch_for: 0.0,
    };
    rates(stage, links, &memories(links), &core.moving, at)
}

impl<S: Space> Trial<S> {
    /// The first ball that is nowhere, or goes nowhere.
    pub fn lost_ball(&self) -> Option<usize> {
        (0..self.moving.position.len()).find(|&slot| {
            !(self.moving.position[slot].is_finite()
                && self.moving.velocity[slot].is_finite()
                && self.moving.angular_velocity[slot].is_finite())
        })
    }
}
