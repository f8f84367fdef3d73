//! Running: from frame to frame, with a checkpoint now and then, until the end or until it is interrupted.

use crate::error::DataError;
use crate::observer::Observer;
use crate::recorder::Recorder;
use crate::schedule::Schedule;
use crate::space::DataSpace;
use crate::tally::{Classes, Tally};
use carom::record::Event;
use carom::simulate::{End, RestMemory, Simulation, SimulationError, Until};
use carom::world::World;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How far a run has got, besides what the run itself knows.
#[derive(Clone, Debug)]
pub struct Progress<S: DataSpace> {
    /// What happened.
    pub tally: Tally,
    /// The frame that comes next.
    pub next_frame: u64,
    /// World time (s) and collisions of the last frame; `None` before the first.
    pub framed: Option<(f64, u64)>,
    /// How long was computed, by the wall clock, s.
    pub elapsed_s: f64,
    /// For runs that end when everything is at rest.
    pub rest: RestMemory,
    /// Averages, where the schedule asks for some.
    pub observer: Option<Observer<S>>,
}

impl<S: DataSpace> Progress<S> {
    /// Of a run that has not begun.
    pub fn new(schedule: &Schedule, world: &World<S>) -> Self {
        Progress {
            tally: Tally::new(world.bodies().len()),
            next_frame: 0,
            framed: None,
            elapsed_s: 0.0,
            rest: RestMemory::default(),
            observer: Observer::new(schedule, world),
        }
    }

    /// Keeps the states as they are now as the next frame.
    fn frame(&mut self, recorder: &mut Recorder<S>, run: &Simulation<S>) -> Result<(), DataError> {
        recorder.frame(self.next_frame, run)?;
        self.next_frame += 1;
        self.framed = Some((run.time(), run.collisions()));
        Ok(())
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// The time asked for has come.
    Time,
    /// There have been as many collisions as were asked for.
    Collisions,
    /// Everything has come to rest.
    Rest,
    /// An action has ended it.
    Action,
    /// Whoever watches wanted no more; the run can go on from here.
    Interrupted,
    /// It could not go on.
    Failed(SimulationError),
}

/// Whoever looks on while a run goes.
pub trait Watch<S: DataSpace> {
    /// After each event. Breaking off interrupts the run.
    fn event(&mut self, _event: &Event<'_, S>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Now and then, some ten times a second where collisions allow: world time (s) and collisions so far.
    fn tick(&mut self, _time: f64, _collisions: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Nobody looks on.
impl<S: DataSpace> Watch<S> for () {}

/// So many events between two looks at the wall clock.
const EVENTS_PER_LOOK: u32 = 256;
const TICK: Duration = Duration::from_millis(100);
/// Checkpoints take no more than one part in so many of the time, unless they are asked for at every look.
const CHECKPOINT_SHARE: u32 = 20;

/// When the next checkpoint is due.
struct Due {
    interval: Duration,
    last: Instant,
    pause: Duration,
}

impl Due {
    fn is_now(&self) -> bool {
        self.last.elapsed() >= self.pause
    }

    fn made(&mut self, took: Duration) {
        self.last = Instant::now();
        self.pause = match self.interval {
            Duration::ZERO => Duration::ZERO,
            interval => interval.max(took * CHECKPOINT_SHARE),
        };
    }
}

/// Runs to the end of a schedule. With a recorder, everything is kept, and checkpoints are made at an interval of wall
/// time (or less often where they take long).
///
/// What happens does not depend on any of that: the same schedule has the same bits with a recorder and without, and
/// however often it is interrupted.
#[allow(clippy::too_many_arguments)] // Each is one thing, and whoever runs has them all.
pub fn run<S: DataSpace>(
    run: &mut Simulation<S>,
    schedule: &Schedule,
    classes: &Classes,
    progress: &mut Progress<S>,
    mut recorder: Option<&mut Recorder<S>>,
    checkpoints: Duration,
    watch: &mut impl Watch<S>,
) -> Result<Ended, DataError> {
    let start = Instant::now();
    let before = progress.elapsed_s;
    let mut due = Due {
        interval: checkpoints,
        last: start,
        pause: checkpoints,
    };
    loop {
        let frame = recorder
            .as_ref()
            .and_then(|_| schedule.frame_time(progress.next_frame));
        let look = progress
            .observer
            .as_ref()
            .and_then(|observer| schedule.look_time(observer.next_look()));
        let next = [frame, look].into_iter().flatten();
        let until = next.fold(schedule.until, f64::min);
        let leg_end = run.next_pause(until);
        let leg = Leg {
            until: leg_end,
            most: schedule.max_collisions,
            due: recorder.is_some().then_some(&due),
        };
        let tally = &mut progress.tally;
        let observer = &mut progress.observer;
        let rest = schedule.rest.map(|limit| (limit, &mut progress.rest));
        let keep = |event: &Event<'_, S>| {
            tally.count(classes, event);
            if let Some(observer) = observer {
                observer.event(event);
            }
            match &mut recorder {
                Some(recorder) => recorder.event(event),
                None => Ok(()),
            }
        };
        let stop = leg.run(run, rest, keep, watch)?;
        let ended = match stop {
            Stop::Arrived if leg_end < until => None,
            Stop::Arrived => {
                let [frame_due, look_due] = [frame, look].map(|time| time == Some(until));
                if let (Some(recorder), true) = (&mut recorder, frame_due) {
                    progress.frame(recorder, run)?;
                }
                if let (Some(observer), true) = (&mut progress.observer, look_due) {
                    observer.look(run);
                }
                // The last frame and the last look may be at the very end, and there may be none there.
                (!frame_due && !look_due).then_some(Ended::Time)
            }
            Stop::Checkpoint => None,
            Stop::Ended(ended) => Some(ended),
        };
        progress.elapsed_s = before + start.elapsed().as_secs_f64();
        if let Some(ended) = ended {
            if let Some(recorder) = recorder {
                last_frame(recorder, run, progress, &ended)?;
            }
            return Ok(ended);
        }
        if let (Some(recorder), true) = (&mut recorder, due.is_now()) {
            let begun = Instant::now();
            recorder.checkpoint(run, progress)?;
            due.made(begun.elapsed());
        }
        if watch.tick(run.time(), run.collisions()).is_break() {
            return Ok(Ended::Interrupted);
        }
    }
}

/// How it ended is always in the last frame. That of a run that may go on is no part of it (`Recorder::pause`).
fn last_frame<S: DataSpace>(
    recorder: &mut Recorder<S>,
    run: &Simulation<S>,
    progress: &mut Progress<S>,
    ended: &Ended,
) -> Result<(), DataError> {
    if *ended != Ended::Interrupted && recorder.is_frame_due(run, progress) {
        progress.frame(recorder, run)?;
    }
    Ok(())
}

/// From one frame to the next.
struct Leg<'d> {
    until: f64,
    most: Option<u64>,
    due: Option<&'d Due>,
}

/// Why a leg ended.
enum Stop {
    Arrived,
    Checkpoint,
    Ended(Ended),
}

impl Leg<'_> {
    fn run<S: DataSpace>(
        &self,
        run: &mut Simulation<S>,
        rest: Option<(f64, &mut RestMemory)>,
        mut keep: impl FnMut(&Event<'_, S>) -> Result<(), DataError>,
        watch: &mut impl Watch<S>,
    ) -> Result<Stop, DataError> {
        let mut kept = Ok(());
        // Why it could stop here: when it can wait, that it has come to its end counts for more.
        let (mut pause, mut end) = (None, None);
        let mut looks = 0_u32;
        let mut ticked = Instant::now();
        let tell = |event: &Event<'_, S>| {
            if let (Ok(()), Err(error)) = (&kept, keep(event)) {
                kept = Err(error);
            }
            if watch.event(event).is_break() {
                pause = Some(Stop::Ended(Ended::Interrupted));
            }
            let Event::Collision(collision) = event else {
                // A run may go on for long without collisions.
                return match event {
                    Event::Underway(_) if pause.is_some() => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                };
            };
            looks += 1;
            if looks >= EVENTS_PER_LOOK {
                looks = 0;
                if ticked.elapsed() >= TICK {
                    ticked = Instant::now();
                    if watch.tick(collision.time, collision.number).is_break() {
                        pause = Some(Stop::Ended(Ended::Interrupted));
                    }
                }
                if pause.is_none() && self.due.is_some_and(Due::is_now) {
                    pause = Some(Stop::Checkpoint);
                }
            }
            if self.most.is_some_and(|most| collision.number >= most) {
                end = Some(Ended::Collisions);
            }
            if kept.is_err() || pause.is_some() || end.is_some() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let until = Until::time(self.until);
        let outcome = match rest {
            Some((limit, memory)) => run.run_with(until.or_rest_remembered(limit, memory), tell),
            None => run.run_with(until, tell),
        };
        kept?;
        match outcome {
            Err(error) => return Ok(Stop::Ended(Ended::Failed(error))),
            Ok(End::Cancelled) => pause = Some(Stop::Ended(Ended::Interrupted)),
            Ok(End::Rest) => end = end.or(Some(Ended::Rest)),
            Ok(End::Condition) => end = end.or(Some(Ended::Action)),
            Ok(_) => (),
        }
        Ok(match (end, pause) {
            (Some(end), _) => Stop::Ended(end),
            (None, Some(pause)) => pause,
            (None, None) => Stop::Arrived,
        })
    }
}
