//! Making a step true: contacts begin and end, balls turn and come back into the box, and the budget are kept.

use super::advance::{Trial, attempt};
use super::bodies::{ForceBodies, ForceBodyRef};
use super::crossing::{StepCuts, first_crossing, which_crossed};
use super::links::{Link, Memory};
use super::rates::{PairLook, grip, look, look_around};
use super::state::{BallStepper, ContactWork, DAMPERS, Flow, MovingBalls, Tally};
use super::touch::{Begin, Incident, Touch};
use crate::impact::Strikable;
use crate::order::InOrder;
use crate::record::{SensorCrossing, Velocities};
use crate::response::Mode;
use crate::shape::{Obstacle, Shaped};
use crate::simulate::force_options::Scheme;
use crate::simulate::refuse::SteppedError;
use crate::space::{Linear, Space};
use std::collections::BTreeSet;

/// How often a step may be cut at contacts. Beyond that contacts begin and end at the ends of the segments.
const MOST_CUTS: usize = 10_000;

impl<S: Strikable> BallStepper<S> {
    /// One whole step.
    pub fn step(&mut self, stage: &ForceBodies<S>) -> Result<(), SteppedError> {
        let end = self.next_end(stage);
        if self.steps > 0 {
            // Those of the start are told with those of the first step.
            self.incidents.clear();
        }
        self.links.refresh(stage, &self.moving)?;
        let mut cuts = 0;
        while self.time < end {
            let (trial, finish) = self.segment(stage, end, cuts < MOST_CUTS)?;
            self.settle(stage, trial, finish)?;
            cuts += 1;
        }
        self.steps += 1;
        self.since += 1;
        self.finish(stage);
        self.incidents
            .order_by(|one, other| one.time().total_cmp(&other.time()));
        Ok(())
    }

    /// When the next step ends, s.
    pub fn next_end(&self, stage: &ForceBodies<S>) -> f64 {
        self.origin + (self.since + 1) as f64 * stage.step
    }

    /// A part of a step (from the present time to another, s) without keeping anything: for the state in between.
    pub fn peek(&self, stage: &ForceBodies<S>, until: f64) -> Option<BallStepper<S>> {
        let mut ahead = self.clone();
        ahead.links.refresh(stage, &ahead.moving).ok()?;
        let mut cuts = 0;
        while ahead.time < until {
            let (trial, finish) = ahead.segment(stage, until, cuts < MOST_CUTS).ok()?;
            ahead.settle(stage, trial, finish).ok()?;
            cuts += 1;
        }
        ahead.finish(stage);
        Some(ahead)
    }

    /// The next segment: up to a world time (s), or to where a contact begins or ends, or something prescribed jumps.
    /// With the world time of its end.
    fn segment(
        &self,
        stage: &ForceBodies<S>,
        end: f64,
        locate: bool,
    ) -> Result<(Trial<S>, f64), SteppedError> {
        let locate = locate && stage.locate;
        let mut finish = end;
        let mut latest = f64::INFINITY;
        if locate {
            let jump = stage.next_jump(self.time);
            if jump <= end {
                finish = jump.min(end);
                latest = jump.next_down();
            }
        }
        let step = finish - self.time;
        let trial = self.checked(stage, attempt(stage, self, step, latest))?;
        if !locate || which_crossed(&self.beyond(stage, &trial.moving, finish)).is_empty() {
            return Ok((trial, finish));
        }
        let trial = self.first_crossing(stage, trial, latest);
        let finish = (self.time + trial.step).min(finish);
        Ok((self.checked(stage, trial)?, finish))
    }

    fn checked(&self, stage: &ForceBodies<S>, trial: Trial<S>) -> Result<Trial<S>, SteppedError> {
        match trial.lost_ball() {
            None => Ok(trial),
            Some(slot) => Err(SteppedError::NotFinite {
                time: self.time,
                body: stage.label(stage.grains[slot].id),
            }),
        }
    }

    /// How far each contact is beyond its beginning or its end: positive where it has passed it.
    fn beyond(&self, stage: &ForceBodies<S>, moving: &MovingBalls<S>, time: f64) -> Vec<f64> {
        let links = &self.links.list;
        let looks = look_around(stage, links, moving, time);
        (links.iter().zip(&looks))
            .map(|(link, look)| {
                let grip = grip(stage, link, look);
                if link.touch.is_some() { -grip } else { grip }
            })
            .collect()
    }

    /// The shortest step after which a contact has passed its beginning or end, given one that is too long.
    fn first_crossing(&self, stage: &ForceBodies<S>, beyond: Trial<S>, latest: f64) -> Trial<S> {
        first_crossing(
            &StepCuts {
                rounds: 400,
                attempt: |step: f64| attempt(stage, self, step, latest),
                step_of: |trial: &Trial<S>| trial.step,
                beyond: |trial: &Trial<S>| {
                    self.beyond(stage, &trial.moving, self.time + trial.step)
                },
                at_start: Some(self.beyond(stage, &self.moving, self.time)),
            },
            beyond,
        )
    }

    /// Makes a piece of a step true.
    fn settle(
        &mut self,
        stage: &ForceBodies<S>,
        trial: Trial<S>,
        finish: f64,
    ) -> Result<(), SteppedError> {
        let before = std::mem::replace(&mut self.moving, trial.moving);
        let since = std::mem::replace(&mut self.time, finish);
        self.ledger.add(&trial.flow);
        (self.push, self.twist, self.flow) = (trial.push, trial.twist, trial.last_flow);
        self.turn(&before, trial.step);
        let looks = look_around(stage, &self.links.list, &self.moving, finish);
        let mut links = std::mem::take(&mut self.links.list);
        let mut fault = None;
        let (mut passed_on, mut begun) = (Vec::new(), Vec::new());
        for (index, link) in links.iter_mut().enumerate() {
            let look = &looks[index];
            link.memory = trial.memories[index];
            let overlap = [look.overlap, -look.normal_velocity];
            let (mut previous, mut passed_through) = (0.0, false);
            if let Some(tally) = &mut link.touch {
                tally.add(&trial.deeds[index].work);
                tally.deepen(overlap, [since, finish], trial.step);
                previous = tally.last[0];
                tally.last = overlap;
                // Thin walls have no inside: what comes out on the other side has passed through.
                passed_through = look.normal.dot(tally.last_normal) < 0.0;
                tally.last_normal = look.normal;
            }
            // Verlet looks at forces where the step ends: what acted there touches.
            let touches = match stage.scheme {
                Scheme::Verlet => trial.deeds[index].acts,
                _ => grip(stage, link, look) > 0.0,
            };
            match (touches, link.touch.is_some()) {
                (true, false) => {
                    begun.push(index);
                    let deed = &trial.deeds[index].work;
                    self.begin(stage, link, look, &before, [since, finish], deed);
                }
                (false, true) => {
                    if look.at_seam {
                        passed_on.push((link.a, link.memory));
                    }
                    self.end(stage, link, look, [since, previous]);
                }
                (true, true) => {}
                // What is over is not remembered.
                (false, false) => link.memory = Memory::default(),
            }
            self.deepest = self.deepest.max(look.overlap);
            if fault.is_none() {
                fault = too_deep(stage, link, look, passed_through, finish);
            }
        }
        // At a seam the contact goes over to the next segment, with what it remembers.
        for (ball, memory) in passed_on {
            if let Some(&next) = begun.iter().find(|&&index| links[index].a == ball) {
                links[next].memory = memory;
            }
        }
        self.links.list = links;
        fault.map_or(Ok(()), Err)
    }

    /// A contact begins in a piece of a step: where it is located at its end, otherwise where the overlap, taken to
    /// grow evenly, was zero.
    fn begin(
        &mut self,
        stage: &ForceBodies<S>,
        link: &mut Link<S>,
        now: &PairLook<S>,
        before: &MovingBalls<S>,
        [since, finish]: [f64; 2],
        deed: &ContactWork<S>,
    ) {
        let was = look(stage, link, before, since);
        let (time, at, moving) = if stage.locate {
            (finish, now, &self.moving)
        } else {
            let part = (-was.overlap / (now.overlap - was.overlap)).clamp(0.0, 1.0);
            (since + part * (finish - since), &was, before)
        };
        let was_cut_off = !stage.attracts() && was.overlap > 0.0 && finish > since;
        if was_cut_off && (stage.scheme == Scheme::Verlet || grip(stage, link, &was) <= 0.0) {
            // It was cut off and is taken up again: what was given up for lost is back.
            let mut flow = Flow::default();
            flow.energy[DAMPERS] = -link.couple.normal.energy(now.overlap);
            self.ledger.add(&flow);
        }
        let (velocities, places) = sides(stage, link, moving, time);
        let located = stage.locate;
        link.touch = Some(Box::new(Tally {
            begin: time,
            point: at.point,
            normal: at.normal,
            before: velocities,
            places,
            approach_speed: -at.normal_velocity,
            impulse: if located {
                S::Vector::ZERO
            } else {
                deed.impulse
            },
            lost_to_damper: if located { 0.0 } else { deed.damper },
            lost_to_friction: if located { 0.0 } else { deed.rubbing },
            slid: !located && deed.slid,
            deepest: now.overlap.max(0.0),
            deepest_at: finish,
            last: [now.overlap, -now.normal_velocity],
            last_normal: now.normal,
        }));
        if located {
            link.memory = Memory::default();
        }
        self.incidents.push(Incident::Began(Begin {
            time,
            a: stage.grains[link.a as usize].id,
            b: stage.id_of(link.other),
            point: at.point,
            normal: at.normal,
            approach_speed: -at.normal_velocity,
        }));
    }

    fn end(
        &mut self,
        stage: &ForceBodies<S>,
        link: &mut Link<S>,
        now: &PairLook<S>,
        [since, previous]: [f64; 2],
    ) {
        let Some(mut tally) = link.touch.take() else {
            return;
        };
        link.memory = Memory::default();
        let finish = self.time;
        let time = if stage.locate || now.overlap >= 0.0 {
            finish
        } else {
            // The overlap shrinks evenly to zero.
            let part = (previous / (previous - now.overlap)).clamp(0.0, 1.0);
            since + part * (finish - since)
        };
        if now.overlap > 0.0 && !now.at_seam {
            // Attraction is cut off: what the spring still holds is given up.
            let left = link.couple.normal.energy(now.overlap);
            let mut flow = Flow::default();
            flow.energy[DAMPERS] = left;
            self.ledger.add(&flow);
            tally.lost_to_damper += left;
        }
        let (after, places) = sides(stage, link, &self.moving, finish);
        self.touches += 1;
        let touch = tally.over(
            stage,
            TouchEnd {
                a: link.a,
                other: link.other,
                rubs: link.couple.sliding.acts(),
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

    /// Turns the balls by their mean spin.
    fn turn(&mut self, before: &MovingBalls<S>, step: f64) {
        for (slot, rotation) in self.rotation.iter_mut().enumerate() {
            let angular_velocity =
                (before.angular_velocity[slot] + self.moving.angular_velocity[slot]) * 0.5;
            if angular_velocity != S::Angular::ZERO {
                let turned = S::rotation_of(angular_velocity, step);
                *rotation = Some(match *rotation {
                    Some(rotation) => S::compose(turned, rotation),
                    None => turned,
                });
            }
        }
    }

    /// After the last piece of a step: balls come back into the box, and sensors notice what is there.
    fn finish(&mut self, stage: &ForceBodies<S>) {
        for (slot, images) in self.images.iter_mut().enumerate() {
            let mut place = S::components(self.moving.position[slot]);
            let mut moved = false;
            for axis in 0..S::DIMENSION {
                let length = stage.periods[axis];
                if length > 0.0 && !(place[axis] >= 0.0 && place[axis] < length) {
                    let boxes = (place[axis] / length).floor();
                    place[axis] -= boxes * length;
                    images[axis] += boxes as i32;
                    moved = true;
                }
            }
            if moved {
                self.moving.position[slot] = S::vector(place);
            }
        }
        self.notice(stage);
    }

    /// Sensors notice at the end of a step which bodies came and went in it.
    fn notice(&mut self, stage: &ForceBodies<S>) {
        let BallStepper {
            inside,
            incidents,
            moving,
            time,
            ..
        } = self;
        stage.overlaps(inside, *time, |slot| moving.position[slot], incidents);
    }

    /// Before the first step: which bodies touch each other, and which bodies are inside which sensors.
    pub fn open(&mut self, stage: &ForceBodies<S>) -> Result<(), SteppedError> {
        self.links.refresh(stage, &self.moving)?;
        self.begin_new(stage);
        self.notice(stage);
        Ok(())
    }

    /// What touches now and did not before begins to.
    pub fn begin_new(&mut self, stage: &ForceBodies<S>) {
        let looks = look_around(stage, &self.links.list, &self.moving, self.time);
        let mut links = std::mem::take(&mut self.links.list);
        let still = self.moving.clone();
        let nothing = ContactWork::NOTHING;
        for (link, look) in links.iter_mut().zip(&looks) {
            self.deepest = self.deepest.max(look.overlap);
            if grip(stage, link, look) > 0.0 && link.touch.is_none() {
                self.begin(stage, link, look, &still, [self.time; 2], &nothing);
            }
        }
        self.links.list = links;
    }
}

/// The end of a contact of a ball and its partner.
pub(super) struct TouchEnd<S: Space> {
    pub a: u32,
    pub other: ForceBodyRef,
    /// Whether there is friction between them.
    pub rubs: bool,
    /// World time, s.
    pub time: f64,
    /// m/s.
    pub separation_speed: f64,
    /// How both moved then.
    pub after: [Velocities<S>; 2],
    /// Where their centres were then, m.
    pub places: [S::Vector; 2],
    /// Counted from 1, in the order in which contacts ended.
    pub number: u64,
}

impl<S: Shaped> Tally<S> {
    /// The contact as it is told when it is over.
    pub fn over(&self, stage: &ForceBodies<S>, end: TouchEnd<S>) -> Touch<S> {
        Touch {
            number: end.number,
            a: stage.grains[end.a as usize].id,
            b: stage.id_of(end.other),
            begin: self.begin,
            end: end.time,
            point: self.point,
            normal: self.normal,
            impulse: self.impulse,
            before: self.before,
            after: end.after,
            places: [self.places, end.places],
            approach_speed: self.approach_speed,
            separation_speed: end.separation_speed,
            deepest: self.deepest,
            deepest_at: self.deepest_at,
            lost_to_damper: self.lost_to_damper,
            lost_to_friction: self.lost_to_friction,
            mode: match (end.rubs, self.slid) {
                (false, _) => Mode::Frictionless,
                (true, false) => Mode::Stick,
                (true, true) => Mode::Slide,
            },
        }
    }
}

pub(super) fn smaller_radius<S: Shaped>(
    stage: &ForceBodies<S>,
    a: u32,
    other: ForceBodyRef,
) -> f64 {
    let radius = stage.grains[a as usize].radius;
    match other {
        ForceBodyRef::Ball(b) => radius.min(stage.grains[b as usize].radius),
        ForceBodyRef::Fixture(_) => radius,
    }
}

/// How both sides of a link move, and where their centres are.
fn sides<S: Strikable>(
    stage: &ForceBodies<S>,
    link: &Link<S>,
    moving: &MovingBalls<S>,
    time: f64,
) -> ([Velocities<S>; 2], [S::Vector; 2]) {
    let a = link.a as usize;
    let (other, place) = match link.other {
        ForceBodyRef::Ball(b) => (moving.velocities(b as usize), moving.position[b as usize]),
        ForceBodyRef::Fixture(index) => stage.side(index, time),
    };
    ([moving.velocities(a), other], [moving.position[a], place])
}

impl<S: Strikable> ForceBodies<S> {
    /// How a fixture moves at a world time (s), and where it is.
    pub fn side(&self, index: u32, time: f64) -> (Velocities<S>, S::Vector) {
        let state = self.fixtures[index as usize].state_at(time);
        let velocities = Velocities {
            velocity: state.velocity,
            angular_velocity: state.angular_velocity,
        };
        (velocities, state.pose.position)
    }

    /// Which balls are where a sensor notices them and were not before, and which no longer are. `place` says where a
    /// ball is, m.
    pub fn overlaps(
        &self,
        inside: &mut BTreeSet<(u32, u32)>,
        time: f64,
        place: impl Fn(usize) -> S::Vector,
        incidents: &mut Vec<Incident<S>>,
    ) {
        for (index, sensor) in self.sensors.iter().enumerate() {
            let pose = sensor.state_at(time).pose;
            let reach = sensor.body.shape.reach();
            for (slot, grain) in self.grains.iter().enumerate() {
                if !grain.groups.collides_with(sensor.body.groups) {
                    continue;
                }
                let place = place(slot);
                let near = (place - pose.position).length() < reach + grain.radius;
                let shape = &sensor.body.shape;
                let is = near && shape.closest(pose.to_local(place)).distance < grain.radius;
                let key = (slot as u32, index as u32);
                if is == inside.contains(&key) {
                    continue;
                }
                let passage = SensorCrossing {
                    time,
                    ball: grain.id,
                    sensor: sensor.id,
                };
                if is {
                    inside.insert(key);
                    incidents.push(Incident::Entered(passage));
                } else {
                    inside.remove(&key);
                    incidents.push(Incident::Left(passage));
                }
            }
        }
    }
}

/// What is wrong where two overlap by more than the smaller radius, or have passed through each other.
fn too_deep<S: Strikable>(
    stage: &ForceBodies<S>,
    link: &Link<S>,
    look: &PairLook<S>,
    passed_through: bool,
    finish: f64,
) -> Option<SteppedError> {
    let radius = smaller_radius(stage, link.a, link.other);
    let depth = if passed_through {
        2.0 * radius - look.overlap.min(radius)
    } else {
        look.overlap
    };
    let wrong = (depth > radius || passed_through) && !look.at_seam;
    wrong.then(|| SteppedError::TooDeep {
        time: finish,
        a: stage.label(stage.grains[link.a as usize].id),
        b: stage.label(stage.id_of(link.other)),
        depth,
        radius,
    })
}
