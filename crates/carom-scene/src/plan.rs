//! What happens during a run of a scene: `[[when]]`, bodies that are to come, and how bodies are mounted.

use crate::space::SceneSpace;
use carom::body::{Body, Kind};
use carom::simulate::{
    Action, ActionTarget, Bodies, Cause, Method, Mount, Simulation, SimulationError, Trigger,
};
use carom::space::{Space2, Space3};
use carom::world::{BodyId, World};
use std::collections::BTreeSet;
use std::fmt;

/// What happens during a run, in 2-D or 3-D.
#[derive(Clone, Debug)]
pub enum AnyPlan {
    /// `dimension = 2`.
    Two(Plan<Space2>),
    /// `dimension = 3`.
    Three(Plan<Space3>),
}

impl AnyPlan {
    /// Whether nothing is planned.
    pub fn is_empty(&self) -> bool {
        match self {
            AnyPlan::Two(plan) => plan.is_empty(),
            AnyPlan::Three(plan) => plan.is_empty(),
        }
    }

    /// Whether there are bodies that are to come, which have the numbers after those of the world.
    pub fn has_waiting(&self) -> bool {
        match self {
            AnyPlan::Two(plan) => !plan.waiting.is_empty(),
            AnyPlan::Three(plan) => !plan.waiting.is_empty(),
        }
    }
}

/// What happens during a run.
///
/// ```
/// use carom_scene::{AnyPlan, AnyWorld, parse};
///
/// let text = r#"
///     version = 1
///     dimension = 2
///     gravity = [0, -9.81]
///     run.until = 10
///     bodies = [{ name = "ball", shape = "ball", radius = 0.1, mass = 1, position = [0, 5] }]
///     when = [{ time = 1, do = { gravity = [0, -3.71] } }]
/// "#;
/// let scene = parse("mars.toml", text).unwrap_or_else(|errors| panic!("{errors}"));
/// let (AnyWorld::Two(world), AnyPlan::Two(plan)) = (scene.world, scene.plan) else { panic!() };
/// let mut run = plan.simulation(world, scene.method.with(scene.settling, scene.forces)).unwrap();
/// run.run_until(2.0).unwrap();
/// assert_eq!(run.gravity().y, -3.71);
/// ```
#[derive(Clone, Debug)]
pub struct Plan<S: SceneSpace> {
    /// How many bodies the world has: what the rules say of bodies holds for that number of them.
    pub there: usize,
    /// Bodies that are to come: they have the numbers after those of the world.
    pub waiting: Vec<Body<S>>,
    /// The bodies that actions swing or slide.
    pub mounts: Vec<(BodyId, Mount<S>)>,
    /// What happens, in the order of the file.
    pub rules: Vec<Rule<S>>,
    /// How often conditions on states are looked at, s, where the scene says so.
    pub look: Option<f64>,
}

/// One `[[when]]`.
#[derive(Clone, Debug)]
pub struct Rule<S: SceneSpace> {
    /// As the scene calls it, or `when 3`.
    pub name: String,
    /// Its line in the file, from 1.
    pub line: usize,
    /// What sets it off.
    pub cue: Cue,
    /// What is done.
    pub action: Action<S>,
}

/// What sets a rule off.
#[derive(Clone, Debug)]
pub enum Cue {
    /// Times, s.
    At(Vec<f64>),
    /// Again and again.
    Every {
        /// The first time, s.
        from: f64,
        /// s.
        interval: f64,
        /// How often; for ever where it is `None`.
        times: Option<u64>,
    },
    /// An event, a key, a condition.
    On(Trigger),
}

/// Why a scene cannot be simulated.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanError {
    /// The world cannot be.
    Simulation(SimulationError),
    /// The world has other bodies than when the rules were read.
    Bodies {
        /// How many it had.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// A rule cannot be asked for.
    Rule {
        /// Its name.
        name: String,
        /// Its line in the file, from 1.
        line: usize,
        /// Why.
        reason: Box<SimulationError>,
    },
}

impl fmt::Display for PlanError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Simulation(error) => error.fmt(formatter),
            PlanError::Bodies { expected, found } => write!(
                formatter,
                "the world has {found} bodies, but its [[when]] is about {expected}"
            ),
            PlanError::Rule { name, line, reason } => {
                write!(formatter, "`{name}` (line {line}): {reason}")
            }
        }
    }
}

impl std::error::Error for PlanError {}

impl AnyPlan {
    /// Whether bodies come or go.
    pub fn changes_bodies(&self) -> bool {
        match self {
            AnyPlan::Two(plan) => plan.changes_bodies(),
            AnyPlan::Three(plan) => plan.changes_bodies(),
        }
    }
}

impl<S: SceneSpace> Default for Plan<S> {
    fn default() -> Self {
        Plan {
            there: 0,
            waiting: Vec::new(),
            mounts: Vec::new(),
            rules: Vec::new(),
            look: None,
        }
    }
}

impl<S: SceneSpace> Plan<S> {
    /// Whether nothing happens but what the bodies do by themselves.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.rules.is_empty()
    }

    /// Whether it knows bodies by their numbers: all but a thermostat for whatever is free.
    fn is_about_bodies(&self) -> bool {
        let for_all = |rule: &Rule<S>| match &rule.action {
            Action::Kick(kicks) => kicks.bodies.is_none(),
            _ => false,
        };
        !(self.waiting.is_empty() && self.rules.iter().all(for_all))
    }

    /// All bodies by their numbers: those of the world, and those that are to come.
    pub fn cast(&self, world: &World<S>) -> World<S> {
        let mut all = world.clone();
        for body in &self.waiting {
            // It was accepted when the scene was read.
            let _ = all.add(body.clone());
        }
        all
    }

    /// A simulation of the world in which all of this will happen.
    pub fn simulation(
        &self,
        world: World<S>,
        method: impl Into<Method>,
    ) -> Result<Simulation<S>, PlanError> {
        if self.is_about_bodies() && world.bodies().len() != self.there {
            return Err(PlanError::Bodies {
                expected: self.there,
                found: world.bodies().len(),
            });
        }
        let waiting = self.waiting.clone();
        let run = Simulation::with_waiting(world, waiting, method);
        let mut run = run.map_err(PlanError::Simulation)?;
        for (body, mount) in &self.mounts {
            run.mount(*body, *mount).map_err(PlanError::Simulation)?;
        }
        if let Some(look) = self.look {
            run.look_every(look).map_err(PlanError::Simulation)?;
        }
        for rule in &self.rules {
            rule.ask(&mut run).map_err(|reason| PlanError::Rule {
                name: rule.name.clone(),
                line: rule.line,
                reason: reason.into(),
            })?;
        }
        Ok(run)
    }

    /// Whether bodies come or go.
    pub fn changes_bodies(&self) -> bool {
        fn changes<S: SceneSpace>(action: &Action<S>) -> bool {
            match action {
                Action::Remove(_) | Action::Enter(_) | Action::Insert(_) => true,
                Action::All(several) => several.iter().any(changes),
                Action::After(_, then) | Action::If(_, then) => changes(then),
                _ => false,
            }
        }
        self.rules.iter().any(|rule| changes(&rule.action))
    }

    /// The bodies that may come or go, of all (`cast`): pictures have to look whether they are there.
    pub fn comers_and_goers(&self, everything: &World<S>) -> BTreeSet<BodyId> {
        let bodies = everything.bodies();
        let all = || (0..bodies.len() as u32).map(BodyId);
        let free = |id: &BodyId| matches!(bodies[id.0 as usize].kind, Kind::Free(_));
        let parties = |of: &Bodies| -> Vec<BodyId> {
            match of {
                Bodies::These(ids) => ids.iter().copied().collect(),
                Bodies::Free => all().filter(free).collect(),
                _ => all().collect(),
            }
        };
        // Sensors notice nothing but what is free.
        let passing = |of: &Bodies| match of {
            Bodies::Any => parties(&Bodies::Free),
            _ => parties(of),
        };
        let mut found = BTreeSet::new();
        for rule in &self.rules {
            let (first, second) = match &rule.cue {
                Cue::On(trigger) => match &trigger.cause {
                    Cause::Collision(first, second) => (parties(first), parties(second)),
                    Cause::Entered(who, sensors) | Cause::Left(who, sensors) => {
                        (passing(who), sensors.iter().copied().collect())
                    }
                    _ => Default::default(),
                },
                _ => Default::default(),
            };
            add_goers(&rule.action, &first, &second, &mut found);
        }
        let there = bodies.len().saturating_sub(self.waiting.len());
        found.extend(all().skip(there));
        found
    }

    /// The bodies that are static at first and that actions may move.
    pub fn movers(&self) -> Vec<BodyId> {
        fn driven<S: SceneSpace>(action: &Action<S>, found: &mut Vec<BodyId>) {
            match action {
                Action::Drive(id, _) => found.push(*id),
                Action::All(several) => several.iter().for_each(|action| driven(action, found)),
                Action::After(_, then) | Action::If(_, then) => driven(then, found),
                _ => {}
            }
        }
        let mut found: Vec<BodyId> = self.mounts.iter().map(|(id, _)| *id).collect();
        for rule in &self.rules {
            driven(&rule.action, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The bodies that an action adds or removes.
fn add_goers<S: SceneSpace>(
    action: &Action<S>,
    first: &[BodyId],
    second: &[BodyId],
    found: &mut BTreeSet<BodyId>,
) {
    match action {
        Action::Remove(ActionTarget::Body(id)) => {
            found.insert(*id);
        }
        Action::Remove(ActionTarget::Bodies(ids)) => found.extend(ids),
        Action::Remove(ActionTarget::Ball) => found.extend(first),
        Action::Remove(ActionTarget::Other) => found.extend(second),
        Action::Enter(bodies) => found.extend(bodies.iter().map(|(id, _)| *id)),
        Action::All(several) => {
            let each = several.iter();
            each.for_each(|action| add_goers(action, first, second, found));
        }
        Action::After(_, then) | Action::If(_, then) => add_goers(then, first, second, found),
        _ => {}
    }
}

impl<S: SceneSpace> Rule<S> {
    fn ask(&self, run: &mut Simulation<S>) -> Result<(), SimulationError> {
        match &self.cue {
            Cue::At(times) => {
                for &time in times {
                    run.at(time, self.action.clone())?;
                }
            }
            &Cue::Every {
                from,
                interval,
                times,
            } => {
                run.every_from(from, interval, times, self.action.clone())?;
            }
            Cue::On(trigger) => {
                run.on(trigger.clone(), self.action.clone())?;
            }
        }
        Ok(())
    }
}
