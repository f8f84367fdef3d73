//! The run by forces: from one step to the next.
//!
//! The same worlds as those of [`Exact`](super::Exact), with springs and dampers where bodies overlap (`force/`). A
//! step is tried (`advance.rs`: the scheme), cut where a contact begins or ends if that is asked for, and made true
//! (`commit.rs`).
//!
//! Steps are whole multiples of one length, whenever a run is interrupted: at a time in between the state is that of a
//! shorter step that is not kept. So a run in pieces has the bits of a run in one go.

mod advance;
mod bodies;
mod budget;
mod carry;
mod commit;
mod crossing;
mod crowd;
mod default_springs;
mod edit;
pub mod granular;
mod inspect;
mod links;
mod many;
mod now;
mod rates;
mod recorded_granular;
mod rigid;
mod snapshot;
mod state;
mod touch;

pub use super::force_options::{ForceEngine, Forces, LeverArm, Scheme};
pub use super::refuse::{ForcesError, SteppedError};
pub use budget::{Dissipated, ForceAudit, Stored};
pub(super) use snapshot::BY_FORCES as SNAPSHOT_KIND;
pub use touch::{Begin, Incident, Touch};

use super::End;
use super::cancel::{self, Cancel};
use crate::audit::Holdings;
use crate::body::{Body, Kind};
use crate::impact::Strikable;
use crate::record::Digest;
use crate::shape::convex::free_form;
use crate::shape::{Shape, Shaped};
use crate::space::Linear;
use crate::world::{BodyId, World, WorldError};
use bodies::ForceBodies;
use budget::Accounts;
use links::Links;
use now::Now;
use recorded_granular::RecordedGranular;
use rigid::RigidStepper;
use state::{BallStepper, Flow, FlowLedger, MovingBalls};
use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;

/// More free balls than this are many: by default Verlet moves them, and the crowd goes over their contacts.
pub(super) const MANY: usize = 64;

/// A run of a world by forces.
///
/// ```
/// use carom::prelude::*;
/// use carom::material::Constants;
/// use carom::simulate::Stepped;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World2::new();
/// let rubber = world.materials.add("rubber", Material::default())?;
/// world.materials.set_constants(rubber, Constants::linear(1e4))?;
/// let ball = |x: f64, v: f64| Body::ball(0.5, 1.0, DVec2::new(x, 0.0), DVec2::new(v, 0.0));
/// world.add(ball(0.0, 1.0)?.material(rubber))?;
/// let struck = world.add(ball(1.5, 0.0)?.material(rubber))?;
/// let mut run = Stepped::new(world, &Forces::default()).map_err(|wrong| wrong[0].to_string())?;
/// run.run_to(2.0)?;
/// assert_eq!(run.touches(), 1);
/// // An elastic spring hands the velocity over, but for what the steps leave.
/// assert!((run.state(struck).velocity.x - 1.0).abs() < 1e-6);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Stepped<S: Shaped> {
    stage: ForceBodies<S>,
    /// At the end of the last step that is not beyond the clock.
    now: Now<S>,
    /// The step that the clock is in, where it is in one.
    ahead: Option<Box<Now<S>>>,
    /// Incidents of that step that have been told.
    told: usize,
    /// The state at the clock, where it is within a step.
    between: Option<Box<Now<S>>>,
    /// Some steps ago: to go back to when a step fails, or is not wanted whole.
    anchor: Option<Box<Now<S>>>,
    /// World time, s.
    pub(super) time: f64,
    initial: Holdings<S>,
    initially_stored: f64,
    failure: Option<SteppedError>,
    /// What changes from outside have brought in.
    accounts: Accounts<S>,
    /// What happened before the clock and has not been told.
    pending: VecDeque<Incident<S>>,
    /// Why the general loop runs where the crowd would have been chosen.
    not_crowd: Option<String>,
    cancel: Option<Cancel>,
}

/// What is told of what happens, and may end the run.
pub(super) type Listener<'a, S> = &'a mut dyn FnMut(&Incident<S>) -> ControlFlow<()>;

/// Steps after which it is of no use to wait for the end: at a microsecond each, which is little for two balls, eleven
/// days.
const MOST_STEPS: f64 = 1e12;

/// A run for more time than this (s) means "until something else ends it".
const LONGEST: f64 = 1.0;

impl<S: Strikable> Stepped<S> {
    pub(super) fn new_generic(world: World<S>, forces: &Forces) -> Result<Self, Vec<ForcesError>> {
        Self::with_waiting(world, Vec::new(), forces)
    }

    /// The same with bodies that are to come: they have numbers after all others, and do not take part.
    pub(super) fn with_waiting(
        mut world: World<S>,
        waiting: Vec<Body<S>>,
        forces: &Forces,
    ) -> Result<Self, Vec<ForcesError>> {
        let mut wrong = wrong_at_start(&world);
        let there = world.bodies().len() as u32;
        for body in waiting {
            wrong.extend(world.add(body).err().map(ForcesError::from));
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let gone = (there..world.bodies().len() as u32).map(BodyId).collect();
        let stage = ForceBodies::without(world, gone, forces)?;
        let (now, not_crowd) = stage.begin()?;
        let initial = now.holdings(&stage);
        let initially_stored = now.stored(&stage).total();
        Ok(Stepped {
            stage,
            now,
            ahead: None,
            told: 0,
            between: None,
            anchor: None,
            time: 0.0,
            initial,
            initially_stored,
            failure: None,
            accounts: Accounts::default(),
            pending: VecDeque::new(),
            not_crowd,
            cancel: None,
        })
    }

    pub(super) fn run_until_generic(
        &mut self,
        until: f64,
        listener: Listener<'_, S>,
    ) -> Result<End, SteppedError> {
        if !(until >= self.time && until.is_finite()) {
            let time = self.time;
            return Err(SteppedError::Until { until, time });
        }
        self.check_steps(until)?;
        if let Some(end) = self.tell_pending(until, listener) {
            return Ok(end);
        }
        self.between = None;
        loop {
            if let Some(end) = self.tell(until, listener) {
                self.look_between();
                return Ok(end);
            }
            if cancel::is_wanted(&self.cancel) {
                self.time = self.now.time().max(self.time);
                self.look_between();
                return Ok(End::Cancelled);
            }
            let next = self.now.next_end(&self.stage);
            if let Some(ahead) = self.ahead.take_if(|_| next <= until) {
                self.now = *ahead;
                continue;
            }
            if self.ahead.is_some() || self.now.time() >= until {
                break;
            }
            if let Some(failure) = &self.failure {
                return Err(failure.clone());
            }
            self.keep_anchor();
            if let Err(failure) = self.now.step(&self.stage) {
                self.failure = Some(failure.clone());
                self.go_back(self.now.steps());
                self.time = self.now.time().max(self.time);
                return Err(failure);
            }
            self.told = 0;
            // Whole steps that nothing happens in need not be gone back to.
            if next > until || !self.now.incidents().is_empty() {
                let steps = self.now.steps() - 1;
                if next > until {
                    self.step_back(steps)
                } else {
                    if let Some(end) = self.tell_step(steps, listener) {
                        self.look_between();
                        return Ok(end);
                    }
                }
            }
        }
        self.time = until;
        self.look_between();
        Ok(End::Time)
    }

    /// Whether a run until a world time (s) would come to its end in a lifetime: very stiff springs need very
    /// short steps. [`run_until`](Self::run_until) and the others look at it themselves.
    pub fn check_steps(&self, until: f64) -> Result<(), SteppedError> {
        let (time, step) = (self.time, self.stage.step);
        let steps = (until - time) / step;
        let counted = (until - time).min(LONGEST) / step;
        if counted > MOST_STEPS {
            return Err(SteppedError::TooManySteps {
                time,
                until,
                step,
                steps,
                most: MOST_STEPS,
            });
        }
        Ok(())
    }

    /// Lets the run end where a token says so, or not any more: at the end of a step. A clone of the run shares it, a
    /// snapshot is without.
    pub fn set_cancel(&mut self, cancel: Option<Cancel>) {
        self.cancel = cancel;
    }

    /// Tells of what happened until a world time (s) and before the last change.
    pub(super) fn tell_pending(&mut self, until: f64, listener: Listener<'_, S>) -> Option<End> {
        while self.pending.front().is_some_and(|it| it.time() <= until)
            && let Some(incident) = self.pending.pop_front()
        {
            if listener(&incident).is_break() {
                return Some(End::Observer);
            }
        }
        None
    }

    /// Keeps a copy of the run as it is, where the last one is too old.
    fn keep_anchor(&mut self) {
        let steps = self.now.steps();
        let young = (self.anchor.as_ref())
            .is_some_and(|anchor| steps - anchor.steps() < self.now.watchdog());
        if !young {
            // The container of the old one can be used again.
            self.anchor = None;
            self.anchor = Some(Box::new(self.now.clone()));
        }
    }

    /// Goes back to the end of an earlier step, since the last copy, and hands over where the run was. Steps repeat
    /// themselves to the bit.
    fn go_back(&mut self, steps: u64) -> Option<Now<S>> {
        let mut past = match &self.anchor {
            Some(anchor) if anchor.steps() == steps => *self.anchor.take()?,
            Some(anchor) => (**anchor).clone(),
            None => return None,
        };
        while past.steps() < steps && past.step(&self.stage).is_ok() {}
        Some(std::mem::replace(&mut self.now, past))
    }

    /// Makes the last step the one that the clock is in.
    fn step_back(&mut self, steps: u64) {
        self.ahead = self.go_back(steps).map(Box::new);
    }

    /// Tells of all incidents of the step that has just been made; where the listener wants no more, the clock goes
    /// back into it.
    fn tell_step(&mut self, steps: u64, listener: Listener<'_, S>) -> Option<End> {
        while let Some(incident) = self.now.incidents().get(self.told) {
            self.told += 1;
            if listener(incident).is_break() {
                self.time = incident.time().clamp(self.time, self.now.time());
                self.step_back(steps);
                return Some(End::Observer);
            }
        }
        None
    }

    /// Tells of incidents of the step that the clock is in, before a world time.
    pub(super) fn tell(&mut self, until: f64, listener: Listener<'_, S>) -> Option<End> {
        let ahead = self.ahead.as_ref()?;
        while let Some(incident) = ahead.incidents().get(self.told) {
            // One at the very end of a step belongs to it.
            if incident.time() >= until && ahead.time() > until {
                break;
            }
            self.told += 1;
            if listener(incident).is_break() {
                self.time = incident.time().clamp(self.time, ahead.time());
                return Some(End::Observer);
            }
        }
        None
    }

    /// Where everyone is at the clock, if that is within a step.
    pub(super) fn look_between(&mut self) {
        self.between = None;
        if self.time > self.now.time() {
            let seen = self.now.peek(&self.stage, self.time);
            self.between = seen.map(Box::new);
        }
    }
}

/// What is wrong with a world, whatever the forces: everything that it cannot be for impulses either, but for overlaps.
fn wrong_at_start<S: Shaped>(world: &World<S>) -> Vec<ForcesError> {
    let too_deep = |error: &WorldError| match *error {
        WorldError::Overlap { a, b, depth, .. } => {
            let radius = |id: usize| match (&world.bodies()[id].kind, &world.bodies()[id].shape) {
                (_, Shape::Ball(ball)) => ball.radius,
                (Kind::Free(free), shape) => {
                    free_form(shape, free.mass).map_or(f64::INFINITY, |form| form.depth())
                }
                _ => f64::INFINITY,
            };
            depth >= radius(a).min(radius(b))
        }
        _ => true,
    };
    let mut wrong = world.without_material();
    wrong.extend(world.misfits());
    wrong.extend(world.shear().map(|_| {
        WorldError::Shear {
            field: "the method",
            value: "forces".to_owned(),
            allowed:
                "impulses: a contact that lasts would have to be carried round the sheared box"
                    .to_owned(),
        }
    }));
    wrong.extend(world.overlaps().into_iter().filter(too_deep));
    wrong.into_iter().map(ForcesError::from).collect()
}

impl<S: Strikable> ForceBodies<S> {
    /// The loop that is to be used, with everyone as they are at the start; and why it is not the crowd where it might
    /// have been.
    fn begin(&self) -> Result<(Now<S>, Option<String>), Vec<ForcesError>> {
        if let Some(cast) = &self.cast {
            let yard = RigidStepper::opened(self, cast).map_err(|error| match error {
                SteppedError::Pair(error) => vec![*error],
                _ => Vec::new(),
            })?;
            return Ok((Now::Solids(Box::new(yard)), None));
        }
        let mut why_not = None;
        let wanted = match self.forces.engine {
            ForceEngine::Granular => true,
            ForceEngine::General => false,
            ForceEngine::Auto => {
                why_not = RecordedGranular::is_slow(self).filter(|_| self.is_many());
                self.is_many() && why_not.is_none()
            }
        };
        if wanted {
            match RecordedGranular::opened(self) {
                Ok(pack) => return Ok((Now::Granular(Box::new(pack)), None)),
                Err(reason) if self.forces.engine == ForceEngine::Granular => {
                    return Err(vec![ForcesError::Granular { reason }]);
                }
                Err(reason) => why_not = Some(reason),
            }
        }
        let core = self.opened().map_err(|error| match error {
            SteppedError::Pair(error) => vec![*error],
            _ => Vec::new(),
        })?;
        Ok((Now::Each(Box::new(core)), why_not))
    }

    /// Whether there are balls enough for the crowd, moved as it does.
    fn is_many(&self) -> bool {
        self.scheme == Scheme::Verlet && self.grains.len() > MANY
    }

    /// Everyone as they are at the start.
    fn opened(&self) -> Result<BallStepper<S>, SteppedError> {
        let mut core = self.bare_core(0.0);
        core.open(self)?;
        let first = advance::first_push(self, &core);
        (core.push, core.twist, core.flow) = (first.push, first.twist, first.flow);
        Ok(core)
    }

    /// All bodies as they are in the stage, at a world time (s); none touches another yet.
    fn bare_core(&self, time: f64) -> BallStepper<S> {
        let mut moving = MovingBalls::default();
        for grain in &self.grains {
            let body = &self.bodies[grain.id.0 as usize];
            let Kind::Free(free) = &body.kind else {
                continue;
            };
            let place = crate::broad::home::<S>(body.pose.position, self.periods);
            moving.position.push(place);
            moving.velocity.push(free.velocity);
            moving.angular_velocity.push(free.angular_velocity);
        }
        let number = self.grains.len();
        BallStepper {
            rotation: vec![None; number],
            images: if self.is_periodic() {
                vec![[0; 3]; number]
            } else {
                Vec::new()
            },
            push: vec![S::Vector::ZERO; number],
            twist: vec![S::Angular::ZERO; number],
            moving,
            steps: 0,
            origin: time,
            since: 0,
            time,
            links: Links::default(),
            flow: Flow::default(),
            ledger: FlowLedger::default(),
            touches: 0,
            deepest: 0.0,
            digest: Digest::default(),
            inside: BTreeSet::new(),
            incidents: Vec::new(),
        }
    }
}
