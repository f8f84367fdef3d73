//! A crowd with everything that a run keeps around it: what each contact did, the budget, which bodies are inside which
//! sensors.

use super::Stored;
use super::bodies::{ForceBodies, ForceBodyRef};
use super::carry::Baggage;
use super::commit::{TouchEnd, smaller_radius};
use super::crowd::crowd_of;
use super::granular::{self, ContactSpot, Granular, HeldContact, Noted};
use super::links::Memory;
use super::rates::{BallMotion, PairLook, look_at};
use super::state::{DAMPERS, Flow, FlowLedger, Tally};
use super::touch::{Begin, Incident};
use crate::audit::{Energy, Holdings, Sum};
use crate::broad::home;
use crate::impact::Strikable;
use crate::order::InOrder;
use crate::record::{Digest, Velocities};
use crate::shape::Shaped;
use crate::simulate::refuse::SteppedError;
use crate::space::{Linear, Space};
use std::collections::{BTreeMap, BTreeSet};

/// A run of a crowd at the end of a step.
#[derive(Clone, Debug)]
pub(super) struct RecordedGranular<S: Shaped> {
    pub crowd: Granular<S>,
    /// How many steps there have been in all.
    pub steps: u64,
    /// How each contact under way began.
    pub begun: BTreeMap<(u32, ForceBodyRef), Tally<S>>,
    /// What flowed at the end of the last step, per second.
    pub flow: Flow<S>,
    pub ledger: FlowLedger<S>,
    /// What springs hold.
    pub stored: [f64; 4],
    pub touches: u64,
    pub deepest: f64,
    pub digest: Digest,
    /// Slot, and place among the sensors.
    pub inside: BTreeSet<(u32, u32)>,
    /// What happened in the last step and has not been told, in the order of time.
    pub incidents: Vec<Incident<S>>,
}

impl<S: Strikable> RecordedGranular<S> {
    /// Why a crowd is not worth it where that is not asked for for one: its cells are as large as the largest ball, so
    /// that small ones have more and more neighbours.
    pub fn is_slow(stage: &ForceBodies<S>) -> Option<String> {
        const MOST: f64 = 16.0;
        let radii = stage.grains.iter().map(|grain| grain.radius);
        let ratio = stage.largest / radii.fold(f64::INFINITY, f64::min);
        (ratio > MOST).then(|| {
            format!(
                "the largest ball is {ratio:.0} times as large as the smallest, more than {MOST}"
            )
        })
    }

    /// Everyone as they are at the start; or why a crowd cannot be made of this stage.
    pub fn opened(stage: &ForceBodies<S>) -> Result<Self, String> {
        let mut pack = Self::bare(stage, 0.0, |_| [0; 3])?;
        pack.flow();
        pack.meet(stage, 0.0);
        pack.notice(stage);
        Ok(pack)
    }

    /// Everyone as they are in the stage, at a world time (s), as many boxes away as `images` says by slot.
    fn bare(
        stage: &ForceBodies<S>,
        time: f64,
        images: impl Fn(usize) -> [i32; 3],
    ) -> Result<Self, String> {
        Ok(RecordedGranular {
            crowd: crowd_of(stage, time, images)?,
            steps: 0,
            begun: BTreeMap::new(),
            flow: Flow::default(),
            ledger: FlowLedger::default(),
            stored: [0.0; 4],
            touches: 0,
            deepest: 0.0,
            digest: Digest::default(),
            inside: BTreeSet::new(),
            incidents: Vec::new(),
        })
    }

    /// Goes on from a run that was taken out of its loop; or why a crowd cannot be made of this stage.
    pub fn taken_up(stage: &ForceBodies<S>, baggage: &Baggage<S>) -> Result<Self, String> {
        let images = |slot: usize| baggage.boxes(stage.grains[slot].id);
        let mut pack = Self::bare(stage, baggage.time, images)?;
        pack.steps = baggage.steps;
        pack.ledger = baggage.ledger;
        pack.touches = baggage.touches;
        pack.deepest = baggage.deepest;
        pack.digest = baggage.digest;
        pack.inside = stage.inside_of(&baggage.inside);
        let mut known = BTreeMap::new();
        for contact in &baggage.contacts {
            let Some((a, other, swapped)) = stage.key(contact) else {
                continue;
            };
            let sign = if swapped { -1.0 } else { 1.0 };
            let tally = contact.tally.seen(sign);
            let hold = hold_of::<S>(&contact.memory.seen(sign), &tally);
            pack.begun.insert((a, other), tally);
            known.insert((a, with(other)), hold);
        }
        pack.crowd.take_up(&known);
        pack.flow();
        pack.meet(stage, baggage.time);
        // What was changed has parted the others without a trace.
        let touching: BTreeSet<(u32, ForceBodyRef)> = (pack.crowd.touching())
            .map(|(ball, other)| (ball, partner_of(other)))
            .collect();
        pack.begun.retain(|key, _| touching.contains(key));
        Ok(pack)
    }

    /// Every contact under way, with what it remembers and has done.
    pub fn contacts(&self) -> Vec<(u32, ForceBodyRef, Memory<S>, Tally<S>)> {
        let mut all = Vec::new();
        for (ball, other, hold) in self.crowd.held() {
            let other = partner_of(other);
            let Some(mut tally) = self.begun.get(&(ball, other)).copied() else {
                continue;
            };
            let normal = S::vector(hold.noted.normal);
            tally.done(&hold.noted);
            tally.last_normal = normal;
            let axis = granular::angular_velocity_of::<S>(hold.noted.normal);
            let mut memory = Memory::<S>::default();
            memory.sliding.stretch = S::vector(hold.stretch);
            memory.sliding.slides = hold.slides;
            // A vector along the axis here, past the normal there.
            let rolled = granular::angular_velocity_of::<S>(hold.rolled);
            memory.rolling.stretch = S::surface_velocity(rolled, normal);
            memory.spinning.stretch = axis * hold.spun;
            all.push((ball, other, memory, tally));
        }
        all.order_by_key(|&(ball, other, ..)| (ball, other));
        all
    }

    /// World time, s.
    pub fn time(&self) -> f64 {
        self.crowd.time()
    }

    /// One whole step.
    pub fn step(&mut self, stage: &ForceBodies<S>) -> Result<(), SteppedError> {
        if self.steps > 0 {
            // Those of the start are told with those of the first step.
            self.incidents.clear();
        }
        self.stride(stage, stage.step, self.crowd.next_end())?;
        self.steps += 1;
        self.incidents
            .order_by(|one, other| one.time().total_cmp(&other.time()));
        Ok(())
    }

    /// The state within a step, at a world time (s).
    pub fn peek(&self, stage: &ForceBodies<S>, until: f64) -> Option<Self> {
        let mut ahead = self.clone();
        ahead.stride(stage, until - self.time(), until).ok()?;
        Some(ahead)
    }

    fn stride(&mut self, stage: &ForceBodies<S>, dt: f64, until: f64) -> Result<(), SteppedError> {
        let since = self.time();
        let gone = self.crowd.stride(dt, until);
        gone.map_err(|blown_up| SteppedError::NotFinite {
            time: since,
            body: stage.label(stage.grains[blown_up.ball as usize].id),
        })?;
        let before = self.flow;
        self.flow();
        // Each force kicks for half a step before its place and half a step after it.
        let mut flow = Flow::default();
        flow.add(&before, 0.5 * dt);
        flow.add(&self.flow, 0.5 * dt);
        self.ledger.add(&flow);
        let fault = self.meet(stage, since);
        self.notice(stage);
        fault.map_or(Ok(()), Err)
    }

    /// Notes what flows, and what springs hold.
    fn flow(&mut self) {
        let flowing = self.crowd.flowing();
        self.flow = Flow {
            // External forces are refused here.
            energy: first(flowing.energy, 0.0),
            momentum: first(flowing.momentum.map(S::vector), S::Vector::ZERO),
            angular: first(
                flowing.angular.map(granular::angular_velocity_of::<S>),
                S::Angular::ZERO,
            ),
        };
        self.stored = flowing.stored;
        self.deepest = self.deepest.max(flowing.deepest);
    }

    /// Contacts begin and end in a step that began at a world time (s). Returns the first at fault.
    fn meet(&mut self, stage: &ForceBodies<S>, since: f64) -> Option<SteppedError> {
        let spots = self.crowd.spots().to_vec();
        let mut fault = None;
        for spot in &spots {
            match spot.change {
                Some(true) => self.begin(stage, spot, since),
                Some(false) => self.end(stage, spot, since),
                None => {}
            }
            if spot.too_deep && fault.is_none() {
                fault = Some(self.too_deep(stage, spot));
            }
        }
        fault
    }

    /// The balls of a spot at the beginning of the step or at its end, and how they look to each other.
    fn look(
        &self,
        stage: &ForceBodies<S>,
        spot: &ContactSpot,
        now: bool,
        time: f64,
    ) -> (PairLook<S>, [Velocities<S>; 2], [S::Vector; 2]) {
        let (at, other_at) = self.crowd.places_of(spot);
        let motion = |at: usize| {
            let grain = if now {
                self.crowd.now(at)
            } else {
                self.crowd.before(at)
            };
            BallMotion {
                place: home::<S>(grain.position, stage.periods),
                velocity: grain.velocity,
                angular_velocity: grain.angular_velocity,
            }
        };
        let one = motion(at);
        let two = other_at.map_or(one, motion);
        let velocities = |of: &BallMotion<S>| Velocities {
            velocity: of.velocity,
            angular_velocity: of.angular_velocity,
        };
        let (beside, place) = match partner(spot) {
            ForceBodyRef::Ball(_) => (velocities(&two), two.place),
            ForceBodyRef::Fixture(index) => stage.side(index, time),
        };
        let look = look_at(stage, (spot.ball, partner(spot)), (&one, &two), time);
        (look, [velocities(&one), beside], [one.place, place])
    }

    /// A contact begins: where the overlap, taken to grow evenly, was zero.
    fn begin(&mut self, stage: &ForceBodies<S>, spot: &ContactSpot, since: f64) {
        let (finish, other) = (self.time(), partner(spot));
        let (was, mut before, mut places) = self.look(stage, spot, false, since);
        let (now, ..) = self.look(stage, spot, true, finish);
        let part = (-was.overlap / (now.overlap - was.overlap)).clamp(0.0, 1.0);
        let time = since + part * (finish - since);
        if let ForceBodyRef::Fixture(index) = other {
            (before[1], places[1]) = stage.side(index, time);
        }
        if !stage.attracts() && was.overlap > 0.0 && finish > since {
            // It was cut off and is taken up again: what was given up for lost is back.
            self.give_up(stage, spot, -1.0, now.overlap);
        }
        let tally = Tally {
            begin: time,
            point: was.point,
            normal: was.normal,
            before,
            places,
            approach_speed: -was.normal_velocity,
            impulse: S::Vector::ZERO,
            lost_to_damper: 0.0,
            lost_to_friction: 0.0,
            slid: false,
            deepest: 0.0,
            deepest_at: finish,
            last: [0.0; 2],
            last_normal: was.normal,
        };
        self.begun.insert((spot.ball, other), tally);
        self.incidents.push(Incident::Began(Begin {
            time,
            a: stage.grains[spot.ball as usize].id,
            b: stage.id_of(other),
            point: was.point,
            normal: was.normal,
            approach_speed: -was.normal_velocity,
        }));
    }

    fn end(&mut self, stage: &ForceBodies<S>, spot: &ContactSpot, since: f64) {
        let (finish, other) = (self.time(), partner(spot));
        let Some(mut tally) = self.begun.remove(&(spot.ball, other)) else {
            return;
        };
        let (was, ..) = self.look(stage, spot, false, since);
        let (now, after, places) = self.look(stage, spot, true, finish);
        // The overlap shrinks evenly to zero.
        let time = if now.overlap >= 0.0 {
            finish
        } else {
            let part = (was.overlap / (was.overlap - now.overlap)).clamp(0.0, 1.0);
            since + part * (finish - since)
        };
        tally.done(&self.crowd.noted(spot));
        if now.overlap > 0.0 && !self.crowd.is_shaded(spot) {
            // Attraction is cut off: what the spring still holds is given up.
            tally.lost_to_damper += self.give_up(stage, spot, 1.0, now.overlap);
        }
        let couple = stage.couple(spot.ball, other);
        self.touches += 1;
        let touch = tally.over(
            stage,
            TouchEnd {
                a: spot.ball,
                other,
                rubs: couple.is_ok_and(|it| it.sliding.acts()),
                time,
                separation_speed: now.normal_velocity,
                after,
                places,
                number: self.touches,
            },
        );
        touch.hash(&mut self.digest);
        self.incidents.push(Incident::Ended(touch));
    }

    /// Enters what the spring of a contact holds as lost, or as back where the sign is −1, J.
    fn give_up(
        &mut self,
        stage: &ForceBodies<S>,
        spot: &ContactSpot,
        sign: f64,
        overlap: f64,
    ) -> f64 {
        let couple = stage.couple(spot.ball, partner(spot));
        let left = couple.map_or(0.0, |couple| sign * couple.normal.energy(overlap));
        let mut flow = Flow::default();
        flow.energy[DAMPERS] = left;
        self.ledger.add(&flow);
        left
    }

    fn too_deep(&self, stage: &ForceBodies<S>, spot: &ContactSpot) -> SteppedError {
        let (time, other) = (self.time(), partner(spot));
        let (now, ..) = self.look(stage, spot, true, time);
        let radius = smaller_radius(stage, spot.ball, other);
        SteppedError::TooDeep {
            time,
            a: stage.label(stage.grains[spot.ball as usize].id),
            b: stage.label(stage.id_of(other)),
            // One that has passed through is as deep as it has gone on the other side.
            depth: if now.overlap > radius {
                now.overlap
            } else {
                2.0 * radius - now.overlap
            },
            radius,
        }
    }

    /// Sensors notice at the end of a step which bodies came and went in it.
    fn notice(&mut self, stage: &ForceBodies<S>) {
        if stage.sensors.is_empty() {
            return;
        }
        let RecordedGranular {
            crowd,
            inside,
            incidents,
            ..
        } = self;
        let place = |slot: usize| {
            let (_, place) = crowd.place(crowd.at(slot as u32));
            home::<S>(place, stage.periods)
        };
        stage.overlaps(inside, crowd.time(), place, incidents);
    }

    /// A ball now, in the periodic box or where it would be without.
    pub fn motion(&self, slot: usize) -> BallMotion<S> {
        let grain = self.crowd.now(self.crowd.at(slot as u32));
        BallMotion {
            place: grain.position,
            velocity: grain.velocity,
            angular_velocity: grain.angular_velocity,
        }
    }

    /// How a ball is turned; `None` where it never has.
    pub fn rotation(&self, slot: usize) -> Option<S::Rotation> {
        self.crowd.turned(self.crowd.at(slot as u32))
    }

    /// Which bodies touch each other, and how deep (m), in order.
    pub fn touching(&self, stage: &ForceBodies<S>) -> Vec<(u32, ForceBodyRef, f64)> {
        let mut all: Vec<(u32, ForceBodyRef)> = (self.crowd.touching())
            .map(|(ball, other)| (ball, partner_of(other)))
            .collect();
        all.sort_unstable();
        let homed = |slot: u32| {
            let motion = self.motion(slot as usize);
            BallMotion {
                place: home::<S>(motion.place, stage.periods),
                ..motion
            }
        };
        let depth = |(a, other): (u32, ForceBodyRef)| {
            let one = homed(a);
            let two = match other {
                ForceBodyRef::Ball(b) => homed(b),
                ForceBodyRef::Fixture(_) => one,
            };
            let look = look_at(stage, (a, other), (&one, &two), self.time());
            (a, other, look.overlap)
        };
        all.into_iter().map(depth).collect()
    }

    /// What springs hold.
    pub fn stored(&self) -> Stored {
        let [normal, sliding, rolling, spinning] = self.stored;
        Stored {
            normal,
            sliding,
            rolling,
            spinning,
        }
    }
}

/// What a run's free balls have, given how each moves (with its place as if there were no periodic box).
pub(super) fn holdings<S: Shaped>(
    stage: &ForceBodies<S>,
    motion: impl Fn(usize) -> BallMotion<S>,
) -> Holdings<S> {
    let [mut translational, mut rotational, mut potential] = [Sum::<f64>::default(); 3];
    let mut momentum = Sum::<S::Vector>::default();
    let mut angular = Sum::<S::Angular>::default();
    for (slot, grain) in stage.grains.iter().enumerate() {
        let BallMotion {
            place,
            velocity,
            angular_velocity,
        } = motion(slot);
        translational.add(0.5 * grain.mass * velocity.length_squared());
        potential.add(stage.fields.potential(grain.mass, place));
        momentum.add(velocity * grain.mass);
        angular.add(S::torque(place, velocity * grain.mass));
        // A ball that cannot be spun keeps whatever spin it has.
        if grain.inertia.is_finite() {
            rotational.add(0.5 * grain.inertia * angular_velocity.length_squared());
            angular.add(angular_velocity * grain.inertia);
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

fn partner(spot: &ContactSpot) -> ForceBodyRef {
    partner_of(spot.with)
}

fn partner_of(with: granular::Partner) -> ForceBodyRef {
    match with {
        granular::Partner::Ball(b) => ForceBodyRef::Ball(b),
        granular::Partner::Fixture(index) => ForceBodyRef::Fixture(index),
    }
}

fn with(other: ForceBodyRef) -> granular::Partner {
    match other {
        ForceBodyRef::Ball(b) => granular::Partner::Ball(b),
        ForceBodyRef::Fixture(index) => granular::Partner::Fixture(index),
    }
}

impl<S: Space> Tally<S> {
    /// Fills in what the contact has done.
    fn done(&mut self, noted: &Noted) {
        let [damper, rubbing, deepest, deepest_at, last, _] = noted.numbers;
        self.impulse = S::vector(noted.impulse);
        (self.lost_to_damper, self.lost_to_friction) = (damper, rubbing);
        (self.deepest, self.deepest_at) = (deepest, deepest_at);
        self.last[0] = last;
        self.slid = noted.slid;
    }
}

/// What the crowd keeps of a contact.
fn hold_of<S: Space>(memory: &Memory<S>, tally: &Tally<S>) -> HeldContact {
    let normal = S::components(tally.last_normal);
    let axis = granular::angular_velocity_of::<S>(normal);
    let rolled = S::torque(tally.last_normal, memory.rolling.stretch);
    HeldContact {
        stretch: S::components(memory.sliding.stretch),
        slides: memory.sliding.slides,
        rolled: granular::angular_velocity_components::<S>(rolled),
        spun: memory.spinning.stretch.dot(axis),
        noted: Noted {
            impulse: S::components(tally.impulse),
            normal,
            numbers: [
                tally.lost_to_damper,
                tally.lost_to_friction,
                tally.deepest,
                tally.deepest_at,
                tally.last[0],
                f64::NAN,
            ],
            slid: tally.slid,
        },
    }
}

/// An array with more room at its end.
fn first<T: Copy, const N: usize, const M: usize>(part: [T; N], rest: T) -> [T; M] {
    std::array::from_fn(|index| part.get(index).copied().unwrap_or(rest))
}
