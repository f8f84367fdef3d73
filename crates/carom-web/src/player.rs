//! A run that can be looked at anywhere and changed anywhere.
//!
//! The head runs ahead and lists events; checkpoints, copies of the run, stay behind it; the view goes to any instant
//! that has been computed, from the checkpoint before it. A change is an action at the view's instant: everything after
//! it is forgotten and computed anew. As a run has the same bits however it is divided into calls, what the view shows
//! is what the head computed, and what the head computed is what `carom run` does.

use crate::body;
use crate::budget::sample;
use crate::edit::Edit;
use crate::history::{History, Samples, kind_of};
use crate::space::WebSpace;
use carom::body::Body;
use carom::record::{Collision, Event};
use carom::simulate::{End, RestMemory, Simulation, SimulationError, Until};
use carom::world::BodyId;
use carom_scene::RunSettings;
use serde_json::Value;
use std::ops::ControlFlow;

/// A copy of the run at one instant, with what it does not know itself.
#[derive(Clone)]
pub struct Branch<S: WebSpace> {
    /// The run.
    pub run: Simulation<S>,
    rest: RestMemory,
    /// How many events there have been.
    pub seen: usize,
    /// How many of the changes it has been told of.
    edits: usize,
}

/// How the head stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Ahead {
    /// There is more to come.
    More,
    /// It has come to its end, for this reason.
    Ended(&'static str),
    /// It cannot go on.
    Failed(String),
}

/// One scene, run by one method.
pub struct Player<S: WebSpace> {
    /// When and why it ends.
    pub settings: RunSettings,
    /// Ahead of everything.
    pub head: Branch<S>,
    /// What is looked at.
    pub view: Branch<S>,
    /// How the head stands.
    pub ahead: Ahead,
    /// What has happened.
    pub history: History,
    /// Budgets at equal times.
    pub samples: Samples,
    /// Two opposite corners of where free bodies have been seen, m.
    pub extent: [[f64; 3]; 2],
    /// Changes, in the order of time.
    pub edits: Vec<Edit<S>>,
    /// The keys that the scene listens to.
    pub keys: Vec<String>,
    /// What holds bodies together, for the picture.
    pub joints: Value,
    /// The bodies that are to come, by their numbers, in order.
    pub waiting: Vec<(BodyId, Body<S>)>,
    /// How many numbers the bodies of the scene have, those that are to come among them.
    numbers: u32,
    /// Whether bodies are so few that a look at all of them takes next to no time.
    few: bool,
    checkpoints: Vec<Branch<S>>,
    /// Between two checkpoints, at least one of them: events, and world time (s).
    spacing: (usize, f64),
    most_checkpoints: usize,
}

/// Budgets are kept so often in a run of few bodies, and at least so often in one of very many: each looks at all of
/// them, which takes as long as hundreds of collisions.
const SAMPLES: (f64, f64) = (400.0, 50.0);
/// Bodies that are looked at for all budgets of a run together, about.
const SAMPLED: f64 = 6e5;
/// Where all bodies are is looked at so often.
const EXTENTS: usize = 12;
/// Of fewer bodies a copy takes next to no time.
const FEW: usize = 1000;
/// Checkpoints take about so much memory together, bytes.
const CHECKPOINT_MEMORY: usize = 300 << 20;

impl<S: WebSpace> Player<S> {
    /// A run from time 0.
    pub fn new(
        mut run: Simulation<S>,
        keys: Vec<String>,
        waiting: Vec<(BodyId, Body<S>)>,
        settings: RunSettings,
    ) -> Result<Self, SimulationError> {
        let bodies = run.bodies().len();
        run.check_until(settings.until)?;
        run.set_horizon(settings.until);
        let start = Branch {
            run,
            rest: RestMemory::default(),
            seen: 0,
            edits: 0,
        };
        let memory = (bodies + 16) * 1500;
        let samples = (SAMPLED / bodies.max(1) as f64).clamp(SAMPLES.1, SAMPLES.0);
        // Copies of many bodies take as long as thousands of events.
        let pause = settings.until / if bodies < FEW { 50.0 } else { 8.0 };
        Ok(Player {
            settings,
            head: start.clone(),
            view: start.clone(),
            ahead: Ahead::More,
            history: History::default(),
            samples: Samples::new((settings.until / samples).max(1e-9)),
            extent: [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]],
            edits: Vec::new(),
            keys,
            joints: Value::Null,
            numbers: (bodies + waiting.len()) as u32,
            waiting,
            few: bodies < FEW,
            spacing: (1000 + 10 * bodies, pause),
            checkpoints: vec![start],
            most_checkpoints: (CHECKPOINT_MEMORY / memory).clamp(6, 128),
        })
    }

    /// A body that is to come, as it will be then.
    pub fn waits(&self, id: BodyId) -> Option<&Body<S>> {
        let place = self.waiting.binary_search_by_key(&id, |(id, _)| *id);
        Some(&self.waiting[place.ok()?].1)
    }

    /// Runs the head on by at most so many events.
    pub fn run_ahead(&mut self, events: u32) -> &Ahead {
        let mut left = events.max(1);
        while self.ahead == Ahead::More && left > 0 {
            self.leg(&mut left);
        }
        self.keep_checkpoint();
        &self.ahead
    }

    /// Runs the head to the next sample, or by as many events as are left.
    fn leg(&mut self, left: &mut u32) {
        if let Err(error) = self.head.tell(&self.edits) {
            self.ahead = Ahead::Failed(error.to_string());
            return;
        }
        let until = self.settings.until;
        let sample_at = self.samples.next_time();
        let pending = self.head.pending(&self.edits);
        let target = (self.head.run).next_pause(sample_at.min(until).min(pending));
        let mut condition = Until::time(target);
        if let Some(most) = self.settings.max_collisions {
            let more = most.saturating_sub(self.head.run.collisions());
            condition = condition.or_collisions(more);
        }
        if let Some(limit) = self.settings.rest {
            condition = condition.or_rest_remembered(limit, &mut self.head.rest);
        }
        let (history, seen) = (&mut self.history, &mut self.head.seen);
        let end = self.head.run.run_with(condition, |event| {
            *left = left.saturating_sub(1);
            if let Some(kind) = kind_of(event) {
                history.push(kind, event);
                *seen += 1;
            }
            if *left == 0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        self.ahead = match end {
            Err(error) => Ahead::Failed(error.to_string()),
            Ok(End::Observer) => Ahead::More,
            Ok(End::Time) => {
                // Steps without events take time, too.
                *left = left.saturating_sub(1);
                if target == sample_at {
                    self.keep_sample();
                }
                if target >= until {
                    Ahead::Ended("time")
                } else {
                    Ahead::More
                }
            }
            Ok(End::Collisions) => Ahead::Ended("collisions"),
            Ok(End::Rest) => Ahead::Ended("rest"),
            Ok(_) => Ahead::Ended("scene"),
        };
    }

    fn keep_sample(&mut self) {
        let run = &self.head.run;
        // Of few bodies always: one may be somewhere for a moment only.
        let rare = self.samples.expected(self.settings.until) / EXTENTS;
        if self.few || self.samples.len().is_multiple_of(rare.max(1)) {
            body::extend(run, &mut self.extent);
        }
        self.samples.push(sample(run));
    }

    fn keep_checkpoint(&mut self) {
        let Some(last) = self.checkpoints.last() else {
            return;
        };
        let events = self.head.seen - last.seen.min(self.head.seen);
        let time = self.head.run.time() - last.run.time();
        if events < self.spacing.0 && time < self.spacing.1 {
            return;
        }
        self.checkpoints.push(self.head.clone());
        if self.checkpoints.len() > self.most_checkpoints {
            // Every second one goes, and they are made half as often from now on.
            let mut number = 0;
            self.checkpoints.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.spacing = (self.spacing.0 * 2, self.spacing.1 * 2.0);
        }
    }

    /// The last checkpoint for which something holds that holds for all before it.
    fn checkpoint(&self, good: impl Fn(&Branch<S>) -> bool) -> &Branch<S> {
        let behind = self.checkpoints.partition_point(good);
        &self.checkpoints[behind.saturating_sub(1)]
    }

    /// Takes the view to a time (s) that has been computed, and answers where it is then.
    pub fn go_to(&mut self, time: f64) -> f64 {
        let head = self.head.run.time();
        let time = if time.is_finite() {
            time.clamp(0.0, head)
        } else {
            head
        };
        if time >= head && matches!(self.ahead, Ahead::Ended(_)) {
            // At the end the last events have happened, which a run until that time leaves for later.
            if self.view.run.time() != head || self.view.seen != self.head.seen {
                self.view = self.head.clone();
            }
            return head;
        }
        let nearest = self.checkpoint(|branch| branch.run.time() <= time);
        let now = self.view.run.time();
        if time < now || nearest.run.time() > now || self.view.seen > self.head.seen {
            self.view = nearest.clone();
        }
        if self.view.advance(time, &self.edits).is_err() {
            self.view = self.head.clone();
        }
        self.view.run.time()
    }

    /// The collision that is the event of that index; `None` where it is none.
    pub fn collision(&self, index: usize) -> Option<Collision<S>> {
        let mut branch = self.checkpoint(|branch| branch.seen <= index).clone();
        let (mut seen, mut found) = (branch.seen, None);
        let end = self.head.run.time().next_up();
        while seen <= index && branch.run.time() < end {
            branch.tell(&self.edits).ok()?;
            let stop = branch.pending(&self.edits).min(end);
            let ran = branch.run.run_with(stop, |event| {
                if kind_of(event).is_none() {
                    return ControlFlow::Continue(());
                }
                if seen == index
                    && let Event::Collision(collision) = event
                {
                    found = Some(**collision);
                }
                seen += 1;
                if seen > index {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            if ran.ok()? != End::Time {
                break;
            }
        }
        found
    }

    /// Positions of a body at equal times up to the view's, m.
    pub fn trail(&self, body: BodyId, from: f64, points: usize) -> Vec<f64> {
        let to = self.view.run.time();
        let from = from.clamp(0.0, to);
        let mut branch = self.checkpoint(|branch| branch.run.time() <= from).clone();
        let mut all = Vec::new();
        for point in 0..=points {
            let time = if point == points {
                to
            } else {
                from + (to - from) * point as f64 / points as f64
            };
            if branch.advance(time, &self.edits).is_err() {
                break;
            }
            if branch.run.bodies().binary_search(&body).is_ok() {
                let position = S::components(branch.run.state(body).position);
                all.extend_from_slice(&position);
            }
        }
        all
    }

    /// Makes a change at the view's instant. Everything after it is computed anew; changes after it are dropped.
    pub fn change(&mut self, edit: Edit<S>) -> Result<(), String> {
        let time = self.view.run.time();
        if let Ahead::Failed(why) = &self.ahead
            && time >= self.head.run.time()
        {
            // A run that is asked to goes on behind what failed; the same scene, run by the command, would not.
            return Err(format!(
                "the run cannot go on from here ({why}): make a change before, or take one back"
            ));
        }
        if self.ahead == Ahead::Ended("scene") && time >= self.head.run.time() {
            // Whatever is done at that instant is done before the end: a run of the same scene would do it.
            return Err("the scene has ended the run here: make a change before".to_owned());
        }
        self.view.tell(&self.edits).map_err(|e| e.to_string())?;
        let mut probe = self.view.run.clone();
        probe
            .at(time, edit.action.clone())
            .map_err(|error| error.to_string())?;
        probe
            .run_until(time.next_up())
            .map_err(|error| error.to_string())?;
        self.edits.retain(|other| other.time <= time);
        let told = self.edits.len();
        self.edits.push(edit);
        if self.view.edits > told {
            // The view had been told of changes that are gone now.
            self.view = self.checkpoint(|branch| branch.run.time() < time).clone();
            let moved = self.view.advance(time, &self.edits);
            moved.map_err(|error| error.to_string())?;
        }
        self.view.tell(&self.edits).map_err(|e| e.to_string())?;
        let mut first = true;
        (self.checkpoints).retain(|branch| {
            std::mem::take(&mut first) || (branch.run.time() < time && branch.edits <= told)
        });
        self.restart_from_view();
        self.checkpoints.push(self.view.clone());
        // What is due at an instant is done after it: so far, for the next picture to show it.
        while self.ahead == Ahead::More && self.head.run.time() <= time {
            self.run_ahead(64);
        }
        Ok(())
    }

    /// Takes a change back. Everything after it is computed anew, with the changes that are left.
    pub fn take_back(&mut self, index: usize) -> Result<(), String> {
        if index >= self.edits.len() {
            return Err(format!("there is no change {index}"));
        }
        let now = self.view.run.time();
        let gone = self.edits.remove(index);
        if gone.brings() {
            self.forget_brought(index);
        }
        self.checkpoints.retain(|branch| branch.edits <= index);
        if let Some(last) = self.checkpoints.last() {
            self.view = last.clone();
        }
        self.restart_from_view();
        // So far as it takes for the picture to stay where it was.
        while self.ahead == Ahead::More && self.head.run.time() < now {
            self.run_ahead(1000);
        }
        self.go_to(now);
        Ok(())
    }

    /// Where a change is gone that brought a body, what was done to that body goes with it, and those that were brought
    /// later move up by a number.
    fn forget_brought(&mut self, index: usize) {
        let before = self.edits[..index].iter().filter(|edit| edit.brings());
        let number = self.numbers + before.count() as u32;
        let later = self.edits.split_off(index);
        self.edits
            .extend(later.into_iter().filter_map(|mut edit| match edit.body() {
                Some(body) if body == number => None,
                Some(body) if body > number => {
                    edit.set_body(body - 1);
                    Some(edit)
                }
                _ => Some(edit),
            }));
    }

    fn restart_from_view(&mut self) {
        self.head = self.view.clone();
        self.history.truncate(self.view.seen);
        self.samples.forget_after(self.view.run.time());
        self.ahead = Ahead::More;
        let time = self.view.run.time();
        if self.settings.until <= time {
            self.settings.until = time + 100.0 * self.samples.interval;
        }
    }

    /// Lets the run end later.
    pub fn extend(&mut self, until: f64) -> Result<(), String> {
        if !(until > self.settings.until && until.is_finite()) {
            return Err("a run can only be made longer".to_owned());
        }
        let checked = self.head.run.check_until(until);
        checked.map_err(|error| error.to_string())?;
        self.settings.until = until;
        if self.ahead == Ahead::Ended("time") {
            self.ahead = Ahead::More;
        }
        Ok(())
    }
}

impl<S: WebSpace> Branch<S> {
    /// Lets it know of changes that it has not been told of. One of a body that is still to be brought waits until
    /// then.
    fn tell(&mut self, edits: &[Edit<S>]) -> Result<(), SimulationError> {
        while let Some(edit) = edits.get(self.edits) {
            let to_come = |body| self.run.bodies().binary_search(&BodyId(body)).is_err();
            if edit.time > self.run.time() && edit.body().is_some_and(to_come) {
                break;
            }
            self.run.at(edit.time, edit.action.clone())?;
            self.edits += 1;
        }
        Ok(())
    }

    /// When there is a change that waits to be told, world time, s.
    fn pending(&self, edits: &[Edit<S>]) -> f64 {
        edits
            .get(self.edits)
            .map_or(f64::INFINITY, |edit| edit.time)
    }

    fn advance(&mut self, time: f64, edits: &[Edit<S>]) -> Result<(), SimulationError> {
        loop {
            self.tell(edits)?;
            let stop = self.pending(edits).min(time);
            let seen = &mut self.seen;
            let end = self.run.run_with(stop, |event| {
                *seen += usize::from(kind_of(event).is_some());
                ControlFlow::Continue(())
            })?;
            // Nothing more is to come where the scene has ended the run.
            if stop >= time || end != End::Time {
                return Ok(());
            }
        }
    }
}
