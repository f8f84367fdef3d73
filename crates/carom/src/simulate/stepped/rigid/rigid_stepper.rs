//! A run with solids at the end of a step, and making steps true.

mod begin;
mod sense;
mod taken_up;

use super::super::bodies::{ForceBodies, ForceBodyRef};
use super::super::commit::TouchEnd;
use super::super::crossing::{StepCuts, first_crossing, which_crossed};
use super::super::state::{ContactWork, Flow, FlowLedger, Tally};
use super::super::touch::Incident;
use super::super::{Stored, rates::BallMotion, rates::Who};
use super::advance::{ForceStage, RigidTrial, attempt};
use super::contact_forces::{Glance, NearPair, PairPull, PointMemory, depth, press, sides};
use super::frame::RigidFrame;
use super::joints;
use super::near::Nearby;
use super::rates::{RigidInstant, memories, rates};
use super::rigid_bodies::{RigidBodies, TurningMass};
use crate::audit::{Energy, Holdings, Sum};
use crate::body::Kind;
use crate::impact::Strikable;
use crate::motion::Pose;
use crate::order::InOrder;
use crate::record::Digest;
use crate::simulate::refuse::SteppedError;
use crate::space::{Linear, Space};
use begin::{begun, both, look};
use std::collections::{BTreeMap, BTreeSet};

/// Two bodies that overlap.
#[derive(Clone, Debug)]
pub(in super::super) struct PairOverlap<S: Space> {
    pub spots: Vec<PointMemory<S>>,
    /// What the contact has done so far; `None` where attraction is cut off and they are on their way out.
    pub touch: Option<Box<Tally<S>>>,
}

pub(in super::super) type PairOverlaps<S> = BTreeMap<(u32, ForceBodyRef), PairOverlap<S>>;

/// A run with solids at the end of a step.
#[derive(Clone, Debug)]
pub(in super::super) struct RigidStepper<S: Space> {
    /// How many steps there have been, from which world time (s) they are counted, and how many since.
    pub steps: u64,
    pub origin: f64,
    pub since: u64,
    /// World time, s; within a step that is cut at contacts, that of the last cut.
    pub time: f64,
    pub frame: RigidFrame<S>,
    pub contacts: PairOverlaps<S>,
    pub near: Nearby<S>,
    /// For Verlet: accelerations (m/s²) and torques (N·m) of the last step, and what flowed then, per second.
    pub push: Vec<S::Vector>,
    pub torque: Vec<S::Angular>,
    pub flow: Flow<S>,
    pub ledger: FlowLedger<S>,
    /// Contacts that have ended.
    pub touches: u64,
    /// The deepest overlap of all, m.
    pub deepest: f64,
    pub digest: Digest,
    /// Slot, and place among the sensors, of those that are inside one at the end of a step.
    pub inside: BTreeSet<(u32, u32)>,
    /// What happened in the last step and has not been told, in the order of time.
    pub incidents: Vec<Incident<S>>,
}

/// How often a step may be cut at contacts. Beyond that contacts begin and end at the ends of the segments.
const MOST_CUTS: usize = 100;

/// The piece of a step in which a contact ends.
struct LastPiece<'a, S: Space> {
    pull: &'a PairPull<S>,
    memory: &'a [PointMemory<S>],
    /// By how much the two overlapped at its beginning, m.
    previous: f64,
    /// World times of its beginning and end, s.
    since: f64,
    finish: f64,
    /// The bodies at its end.
    after: &'a RigidFrame<S>,
}

impl<S: Strikable> RigidStepper<S> {
    /// Everyone as they are at the start.
    pub fn opened(stage: &ForceBodies<S>, cast: &RigidBodies<S>) -> Result<Self, SteppedError> {
        let mut yard = Self::bare(stage, cast);
        yard.near.refresh((stage, cast), &yard.frame)?;
        yard.begin_new((stage, cast));
        let at = RigidInstant {
            time: yard.time,
            who: Who::Overlapping,
            stretch_for: 0.0,
        };
        let (list, contacts) = (&yard.near.list, &yard.contacts);
        let remembered = memories(list, contacts);
        let first = rates((stage, cast), list, contacts, &remembered, &yard.frame, at);
        (yard.push, yard.torque, yard.flow) = (first.push, first.torque, first.flow);
        yard.sense((stage, cast));
        Ok(yard)
    }

    fn bare(stage: &ForceBodies<S>, cast: &RigidBodies<S>) -> Self {
        let mut frame = RigidFrame {
            pose: Vec::new(),
            velocity: Vec::new(),
            turn: Vec::new(),
            boxes: Vec::new(),
        };
        for (grain, player) in stage.grains.iter().zip(&cast.free) {
            let body = &stage.bodies[grain.id.0 as usize];
            let Kind::Free(free) = &body.kind else {
                continue;
            };
            frame.pose.push(body.pose);
            frame.velocity.push(free.velocity);
            frame
                .turn
                .push(player.turn(body.pose.rotation, free.angular_velocity));
        }
        let number = frame.pose.len();
        frame.find_boxes(stage.periods);
        RigidStepper {
            steps: 0,
            origin: 0.0,
            since: 0,
            time: 0.0,
            frame,
            contacts: BTreeMap::new(),
            near: Nearby::default(),
            push: vec![S::Vector::ZERO; number],
            torque: vec![S::Angular::ZERO; number],
            flow: Flow::default(),
            ledger: FlowLedger::default(),
            touches: 0,
            deepest: 0.0,
            digest: Digest::default(),
            inside: BTreeSet::new(),
            incidents: Vec::new(),
        }
    }

    /// One whole step.
    pub fn step(&mut self, stage: &ForceBodies<S>) -> Result<(), SteppedError> {
        let Some(cast) = &stage.cast else {
            return Ok(());
        };
        if self.steps > 0 {
            // Those of the start are told with those of the first step.
            self.incidents.clear();
        }
        self.go((stage, cast), self.next_end(stage))?;
        self.go_round(stage);
        self.sense((stage, cast));
        self.steps += 1;
        self.since += 1;
        (self.incidents).order_by(|one, other| one.time().total_cmp(&other.time()));
        Ok(())
    }

    /// Bodies that have left the periodic box meet the fixtures of the next one: what they touch are other images now.
    fn go_round(&mut self, stage: &ForceBodies<S>) {
        let moved = self.frame.find_boxes(stage.periods);
        if moved.is_empty() {
            return;
        }
        self.near.forget();
        let contacts = std::mem::take(&mut self.contacts).into_iter();
        let renamed = contacts.map(|((a, other), overlap)| {
            let gone = moved.iter().find(|(slot, _)| *slot == a);
            let other = match (other, gone) {
                (ForceBodyRef::Fixture(index), Some((_, boxes))) => {
                    ForceBodyRef::Fixture(stage.image_beside(index, *boxes))
                }
                _ => other,
            };
            ((a, other), overlap)
        });
        self.contacts = renamed.collect();
    }

    /// When the next step ends, s.
    pub fn next_end(&self, stage: &ForceBodies<S>) -> f64 {
        self.origin + (self.since + 1) as f64 * stage.step
    }

    /// A part of a step (from the present time to another, s) without keeping anything: for the state in between.
    pub fn peek(&self, stage: &ForceBodies<S>, until: f64) -> Option<Self> {
        let mut ahead = self.clone();
        let ground = (stage, stage.cast.as_ref()?);
        ahead.go(ground, until).ok()?;
        ahead.inside = ahead.inside_now(ground);
        Some(ahead)
    }

    fn go(&mut self, ground: ForceStage<'_, S>, end: f64) -> Result<(), SteppedError> {
        self.near.refresh(ground, &self.frame)?;
        let mut cuts = 0;
        while self.time < end {
            let (trial, finish) = self.segment(ground, end, cuts < MOST_CUTS)?;
            self.settle(ground, trial, finish)?;
            cuts += 1;
        }
        Ok(())
    }

    /// The next segment: up to a world time (s), or to where a contact begins or ends, or something prescribed jumps.
    /// With the world time of its end.
    fn segment(
        &self,
        ground: ForceStage<'_, S>,
        end: f64,
        locate: bool,
    ) -> Result<(RigidTrial<S>, f64), SteppedError> {
        let locate = locate && ground.0.locate;
        let (mut finish, mut latest) = (end, f64::INFINITY);
        if locate {
            let jump = ground.0.next_jump(self.time);
            if jump <= end {
                (finish, latest) = (jump.min(end), jump.next_down());
            }
        }
        let trial = attempt(ground, self, finish - self.time, latest);
        let trial = self.checked(ground.0, trial)?;
        if !locate || which_crossed(&self.beyond(ground, &trial, finish)).is_empty() {
            return Ok((trial, finish));
        }
        let trial = self.first_crossing(ground, trial, latest);
        let finish = (self.time + trial.step).min(finish);
        Ok((self.checked(ground.0, trial)?, finish))
    }

    fn checked(
        &self,
        stage: &ForceBodies<S>,
        trial: RigidTrial<S>,
    ) -> Result<RigidTrial<S>, SteppedError> {
        match trial.frame.lost_body() {
            None => Ok(trial),
            Some(slot) => Err(SteppedError::NotFinite {
                time: self.time,
                body: stage.label(stage.grains[slot].id),
            }),
        }
    }

    /// How far each pair is beyond the beginning or the end of its contact: positive where it has passed it.
    fn beyond(&self, ground: ForceStage<'_, S>, trial: &RigidTrial<S>, time: f64) -> Vec<f64> {
        let list = self.near.list.iter().zip(&trial.memories);
        let looked = list.map(|(near, memory)| {
            let known = self.contacts.get(&near.key());
            match known {
                None => depth(ground.0, ground.1, near, &trial.frame, time),
                Some(_) if ground.0.attracts() => {
                    -depth(ground.0, ground.1, near, &trial.frame, time)
                }
                Some(overlap) if overlap.touch.is_some() => {
                    let now = Glance::now(time, true, memory);
                    -look(ground, near, &trial.frame, now).pressing
                }
                Some(_) => f64::NEG_INFINITY,
            }
        });
        looked.collect()
    }

    /// The shortest step after which a pair has passed the beginning or end of its contact, given one that is too long.
    fn first_crossing(
        &self,
        ground: ForceStage<'_, S>,
        beyond: RigidTrial<S>,
        latest: f64,
    ) -> RigidTrial<S> {
        first_crossing(
            &StepCuts {
                rounds: 200,
                attempt: |step: f64| attempt(ground, self, step, latest),
                step_of: |trial: &RigidTrial<S>| trial.step,
                beyond: |trial: &RigidTrial<S>| self.beyond(ground, trial, self.time + trial.step),
                at_start: None,
            },
            beyond,
        )
    }

    /// Makes a piece of a step true.
    fn settle(
        &mut self,
        ground: ForceStage<'_, S>,
        trial: RigidTrial<S>,
        finish: f64,
    ) -> Result<(), SteppedError> {
        let (stage, cast) = ground;
        let (before, after) = (self.frame.clone(), trial.frame);
        let since = std::mem::replace(&mut self.time, finish);
        self.ledger.add(&trial.flow);
        let mut seen = None;
        if let Some(last) = trial.last {
            (self.push, self.torque, self.flow) = (last.push, last.torque, last.flow);
            seen = Some(last.pulls);
        }
        let sides = sides(cast, &after);
        let list = std::mem::take(&mut self.near.list);
        let mut fault = None;
        for (index, near) in list.iter().enumerate() {
            let memory = &trial.memories[index];
            let known = self.contacts.contains_key(&near.key());
            let pull = match &mut seen {
                Some(pulls) => std::mem::take(&mut pulls[index]),
                None => press(
                    stage,
                    cast,
                    near,
                    &sides,
                    Glance::now(finish, known, memory),
                ),
            };
            if !known && pull.depth <= 0.0 {
                continue;
            }
            self.deepest = self.deepest.max(pull.depth);
            let ends = [(since, &before), (finish, &after)];
            let through = self.update(ground, near, &pull, memory, &trial.deeds[index], ends);
            let allowed = stage.deepest_allowed(near.a, near.other);
            let too_deep = pull.depth > allowed || through;
            if too_deep && fault.is_none() {
                fault = Some(SteppedError::Sunk {
                    time: finish,
                    a: stage.label(stage.grains[near.a as usize].id),
                    b: stage.label(stage.id_of(near.other)),
                    depth: if through {
                        2.0 * allowed - pull.depth
                    } else {
                        pull.depth
                    },
                    allowed,
                });
            }
        }
        self.near.list = list;
        self.frame = after;
        fault.map_or(Ok(()), Err)
    }

    /// A pair at the end of a piece of a step: its contact begins, goes on or ends. Whether one has passed through the
    /// other.
    fn update(
        &mut self,
        ground: ForceStage<'_, S>,
        near: &NearPair,
        pull: &PairPull<S>,
        memory: &[PointMemory<S>],
        deed: &ContactWork<S>,
        [(since, before), (finish, after)]: [(f64, &RigidFrame<S>); 2],
    ) -> bool {
        let stage = ground.0;
        let key = near.key();
        let mut through = false;
        let touches = if stage.attracts() {
            pull.depth > 0.0
        } else {
            pull.depth > 0.0 && pull.pressing > 0.0
        };
        let mut overlap = self.contacts.remove(&key).unwrap_or(PairOverlap {
            spots: Vec::new(),
            touch: None,
        });
        overlap.spots = memory.to_vec();
        let mut previous = 0.0;
        if let Some(tally) = &mut overlap.touch {
            let now = [pull.depth, -pull.normal_velocity];
            tally.add(deed);
            tally.deepen(now, [since, finish], finish - since);
            previous = tally.last[0];
            if pull.acts {
                tally.last = now;
                // Thin walls have no inside: what comes out on the other side has passed through.
                through = pull.normal.dot(tally.last_normal) < -0.5;
                tally.last_normal = pull.normal;
            }
        }
        match (touches, overlap.touch.is_some()) {
            (true, false) => {
                let (begin, tally) =
                    begun(ground, near, pull, deed, [(since, before), (finish, after)]);
                overlap.touch = Some(Box::new(tally));
                self.incidents.push(Incident::Began(begin));
            }
            (false, true) => {
                let last = LastPiece {
                    pull,
                    memory,
                    previous,
                    since,
                    finish,
                    after,
                };
                self.end_touch(ground, near, &mut overlap, &last);
            }
            _ => {}
        }
        if pull.depth > 0.0 {
            self.contacts.insert(key, overlap);
        }
        through
    }

    /// The contact of a pair ends in a piece of a step.
    fn end_touch(
        &mut self,
        ground: ForceStage<'_, S>,
        near: &NearPair,
        overlap: &mut PairOverlap<S>,
        last: &LastPiece<'_, S>,
    ) {
        let LastPiece {
            pull,
            memory,
            previous,
            since,
            finish,
            after,
        } = *last;
        let stage = ground.0;
        let depth = if pull.depth > 0.0 {
            pull.depth
        } else {
            depth(stage, ground.1, near, after, finish)
        };
        // The overlap shrinks evenly to zero.
        let part = (previous / (previous - depth)).clamp(0.0, 1.0);
        let time = if stage.locate || depth >= 0.0 {
            finish
        } else {
            since + part * (finish - since)
        };
        if let Some(tally) = overlap.touch.take() {
            // As if it went on beyond its end: how fast the points part that touched last.
            let beyond = Glance {
                who: Who::Touching,
                ..Glance::now(finish, true, memory)
            };
            let last = look(ground, near, after, beyond);
            let separation = if last.acts {
                last.normal_velocity
            } else {
                -tally.last[1]
            };
            self.ended(ground, near, &tally, time, separation, after);
        }
    }

    fn ended(
        &mut self,
        (stage, cast): ForceStage<'_, S>,
        near: &NearPair,
        tally: &Tally<S>,
        time: f64,
        separation_speed: f64,
        frame: &RigidFrame<S>,
    ) {
        self.touches += 1;
        let (after, places) = both(stage, cast, near, frame, self.time);
        let end = TouchEnd {
            a: near.a,
            other: near.other,
            rubs: near.pairing.couple.sliding.acts(),
            time,
            separation_speed,
            after,
            places,
            number: self.touches,
        };
        let touch = tally.over(stage, end);
        touch.hash(&mut self.digest);
        self.incidents.push(Incident::Ended(touch));
    }

    pub fn motion(&self, cast: &RigidBodies<S>, slot: usize) -> BallMotion<S> {
        BallMotion {
            place: self.frame.pose[slot].position - self.frame.boxes[slot],
            velocity: self.frame.velocity[slot],
            angular_velocity: self.frame.angular_velocity(cast, slot),
        }
    }

    /// Which bodies touch each other, and how deep (m).
    pub fn touching(&self, stage: &ForceBodies<S>) -> Vec<(u32, ForceBodyRef, f64)> {
        let Some(cast) = &stage.cast else {
            return Vec::new();
        };
        let list = self.near.list.iter();
        let touching = list.filter(|near| {
            let known = self.contacts.get(&near.key());
            known.is_some_and(|overlap| overlap.touch.is_some())
        });
        let deep = |near: &NearPair| depth(stage, cast, near, &self.frame, self.time);
        touching
            .map(|near| (near.a, near.other, deep(near)))
            .collect()
    }

    pub fn number_touching(&self) -> usize {
        let all = self.contacts.values();
        all.filter(|overlap| overlap.touch.is_some()).count()
    }

    /// What springs hold.
    pub fn stored(&self, stage: &ForceBodies<S>) -> Stored {
        let mut sums = [Sum::<f64>::default(); 2];
        if let Some(cast) = &stage.cast {
            for near in &self.near.list {
                if let Some(overlap) = self.contacts.get(&near.key()) {
                    let now = Glance::now(self.time, true, &overlap.spots);
                    let pull = look((stage, cast), near, &self.frame, now);
                    sums[0].add(pull.stored[0]);
                    sums[1].add(pull.stored[1]);
                }
            }
        }
        Stored {
            normal: sums[0].value(),
            sliding: sums[1].value(),
            ..Stored::default()
        }
    }

    /// What the free bodies have.
    pub fn holdings(&self, stage: &ForceBodies<S>) -> Holdings<S> {
        let [mut translational, mut rotational, mut potential] = [Sum::<f64>::default(); 3];
        let mut momentum = Sum::<S::Vector>::default();
        let mut angular = Sum::<S::Angular>::default();
        if let Some(cast) = &stage.cast {
            potential.add(joints::stored((stage, cast), &self.frame, self.time));
        }
        let players = stage.cast.iter().flat_map(|cast| &cast.free);
        for (slot, player) in players.enumerate() {
            let Pose { position, rotation } = self.frame.pose[slot];
            let (velocity, turn) = (self.frame.velocity[slot], self.frame.turn[slot]);
            translational.add(0.5 * player.mass * velocity.length_squared());
            potential.add(stage.fields.potential(player.mass, position));
            momentum.add(velocity * player.mass);
            angular.add(S::torque(position, velocity * player.mass));
            if player.weight != TurningMass::Unturning {
                rotational.add(0.5 * turn.dot(player.angular_velocity(rotation, turn)));
                angular.add(turn);
            }
        }
        Holdings {
            energy: Energy {
                translational: translational.value(),
                rotational: rotational.value(),
                potential: potential.value(),
            },
            momentum: momentum.value(),
            angular_momentum: angular.value(),
        }
    }
}
