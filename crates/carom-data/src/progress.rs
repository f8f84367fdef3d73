//! Running: from frame to frame, with a checkpoint now and then, until the end or until somebody wants no more.

use crate::error::DataError;
use crate::recorder::Recorder;
use crate::schedule::Schedule;
use crate::space::DataSpace;
use crate::tally::{Classes, Tally};
use carom::record::Event;
use carom::simulate::{Exact, RunError};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How far a run has got, besides what the run itself knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// What happened.
    pub tally: Tally,
    /// The frame that comes next.
    pub next_frame: u64,
    /// How long was computed, by the wall clock, s.
    pub elapsed_s: f64,
}

impl Progress {
    /// Of a run that has not begun.
    pub fn new(bodies: usize) -> Self {
        Progress {
            tally: Tally::new(bodies),
            next_frame: 0,
            elapsed_s: 0.0,
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// The time asked for has come.
    Time,
    /// There have been as many collisions as were asked for.
    Collisions,
    /// Whoever watches wanted no more; the run can go on from here.
    Interrupted,
    /// It could not go on.
    Failed(RunError),
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
/// Checkpoints take no more than one part in so many of the time.
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
        self.pause = self.interval.max(took * CHECKPOINT_SHARE);
    }
}

/// Runs to the end of a schedule. With a recorder, everything is kept, and checkpoints are made at an interval of wall time (or less often
/// where they take long).
///
/// What happens does not depend on any of that: the same schedule has the same bits with a recorder and without, and however
/// often it is interrupted.
pub fn run<S: DataSpace>(
    run: &mut Exact<S>,
    schedule: &Schedule,
    classes: &Classes,
    progress: &mut Progress,
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
        let leg = Leg {
            until: frame.unwrap_or(schedule.until),
            most: schedule.max_events,
            due: recorder.is_some().then_some(&due),
        };
        let tally = &mut progress.tally;
        let stop = leg.run(
            run,
            |event| {
                tally.count(classes, event);
                match &mut recorder {
                    Some(recorder) => recorder.event(event),
                    None => Ok(()),
                }
            },
            watch,
        )?;
        let ended = match stop {
            Stop::Arrived => match (&mut recorder, frame) {
                (Some(recorder), Some(_)) => {
                    recorder.frame(progress.next_frame, run)?;
                    progress.next_frame += 1;
                    // The last frame may be at the very end, and there may be none there.
                    None
                }
                _ => Some(Ended::Time),
            },
            Stop::Checkpoint => None,
            Stop::Ended(ended) => Some(ended),
        };
        progress.elapsed_s = before + start.elapsed().as_secs_f64();
        if let Some(ended) = ended {
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
        run: &mut Exact<S>,
        mut keep: impl FnMut(&Event<'_, S>) -> Result<(), DataError>,
        watch: &mut impl Watch<S>,
    ) -> Result<Stop, DataError> {
        let mut stop = Stop::Arrived;
        let mut kept = Ok(());
        let mut looks = 0_u32;
        let mut ticked = Instant::now();
        let end = run.run_until(self.until, |event| {
            // Events of one instant are told after somebody has broken off too.
            if let (Ok(()), Err(error)) = (&kept, keep(event)) {
                kept = Err(error);
            }
            let mut broken = kept.is_err() || !matches!(stop, Stop::Arrived);
            if watch.event(event).is_break() {
                stop = Stop::Ended(Ended::Interrupted);
                broken = true;
            }
            looks += 1;
            if looks >= EVENTS_PER_LOOK {
                looks = 0;
                if ticked.elapsed() >= TICK {
                    ticked = Instant::now();
                    let (time, collisions) = match event {
                        Event::Collision(collision) => (collision.time, collision.number),
                        _ => (f64::NAN, 0),
                    };
                    if collisions > 0 && watch.tick(time, collisions).is_break() {
                        stop = Stop::Ended(Ended::Interrupted);
                        broken = true;
                    }
                }
                if !broken && self.due.is_some_and(Due::is_now) {
                    stop = Stop::Checkpoint;
                    broken = true;
                }
            }
            if let Event::Collision(collision) = event
                && self.most.is_some_and(|most| collision.number >= most)
            {
                stop = Stop::Ended(Ended::Collisions);
                broken = true;
            }
            match broken {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        kept?;
        Ok(match end {
            Err(error) => Stop::Ended(Ended::Failed(error)),
            Ok(_) => stop,
        })
    }
}
