//! The plots: their names, which of them a run can have, and how they are made.

mod compare;
mod contacts;
mod energy;
mod momentum;
mod radial;
mod rate;
mod speeds;
mod sweep;
mod trajectories;

pub use compare::{COMPARISON, Comparison, Quantity};
pub use sweep::SweepRecording;
pub(crate) use trajectories::{outline, silhouette};

use crate::chart::{Figure, count};
use crate::digest::{Digest, Wanted};
use crate::error::DrawError;
use crate::recording::Recording;

/// A plot of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plot {
    /// Energy by kind over time, with losses, so that the sum is flat.
    Energy,
    /// Momentum and angular momentum over time.
    Momentum,
    /// Trajectories.
    Trajectories,
    /// How many bodies are how fast, beside the Maxwell–Boltzmann distribution.
    Speeds,
    /// The radial distribution g(r).
    Radial,
    /// The collision rate over time.
    Rate,
    /// The collision timeline.
    Contacts,
    /// Both methods over each other.
    Compare,
}

/// Whether a run can have a plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fitness {
    /// It can, and it says something.
    Good,
    /// It can, but it would say little: why.
    Poor(String),
    /// It cannot: why, and what to do about it.
    Missing(String),
}

/// Bodies below which a distribution is no more than a few lines.
const FEW: usize = 30;

impl Plot {
    /// All of them.
    pub const ALL: [Plot; 8] = [
        Plot::Energy,
        Plot::Momentum,
        Plot::Trajectories,
        Plot::Speeds,
        Plot::Radial,
        Plot::Rate,
        Plot::Contacts,
        Plot::Compare,
    ];

    /// As it is called, and as its files are.
    pub fn name(self) -> &'static str {
        match self {
            Plot::Energy => "energy",
            Plot::Momentum => "momentum",
            Plot::Trajectories => "trajectories",
            Plot::Speeds => "speeds",
            Plot::Radial => "radial",
            Plot::Rate => "rate",
            Plot::Contacts => "contacts",
            Plot::Compare => "compare",
        }
    }

    /// What it shows, in a line.
    pub fn what(self) -> &'static str {
        match self {
            Plot::Energy => "energy by kind, with losses, so that the sum is flat",
            Plot::Momentum => "momentum and angular momentum",
            Plot::Trajectories => "trajectories",
            Plot::Speeds => "speeds, with the Maxwell–Boltzmann distribution",
            Plot::Radial => "the radial distribution g(r)",
            Plot::Rate => "collision rate over time",
            Plot::Contacts => "collision timeline",
            Plot::Compare => "both methods overlaid",
        }
    }

    /// Whether a run can have it.
    pub fn fitness(self, recording: &Recording) -> Fitness {
        let frames = recording.frames;
        let poor = |reason: &str| Fitness::Poor(reason.to_owned());
        let balls = |id: &usize| recording.is_free(*id) && recording.bodies[*id].radius.is_finite();
        let balls = recording.moving.iter().filter(|id| balls(id)).count();
        let few = || {
            let balls = count(balls as u64, "free ball", "free balls");
            Fitness::Poor(format!(
                "{balls}: too few for a distribution (from {FEW} on)"
            ))
        };
        match self {
            Plot::Energy | Plot::Momentum | Plot::Trajectories => match frames {
                0 => Fitness::Missing(recording.no_frames()),
                1 if self != Plot::Trajectories => poor("one frame alone: nothing changes over it"),
                _ if self != Plot::Trajectories && recording.free() == 0 => {
                    poor("no body is free: there is no energy to draw")
                }
                _ => Fitness::Good,
            },
            Plot::Speeds | Plot::Radial => match (frames, balls) {
                (0, _) => Fitness::Missing(recording.no_frames()),
                (_, 0 | 1) => Fitness::Missing(format!(
                    "it needs two free balls at least, and there {}",
                    if balls == 0 { "is none" } else { "is one" }
                )),
                (_, balls) if balls < FEW => few(),
                _ => Fitness::Good,
            },
            Plot::Rate | Plot::Contacts => {
                let kept = recording.folder.manifest().schedule.events;
                match (kept, recording.events) {
                    (false, _) if self == Plot::Rate && frames > 1 => Fitness::Good,
                    (false, _) => Fitness::Missing(recording.no_events()),
                    (true, 0) => poor("nothing has collided"),
                    _ => Fitness::Good,
                }
            }
            Plot::Compare => {
                if Comparison::is_there(recording) {
                    Fitness::Good
                } else {
                    Fitness::Missing(format!(
                        "it has no {COMPARISON}, which has both methods side by side"
                    ))
                }
            }
        }
    }
}

/// Those of the plots that a run can have and that say something.
pub fn fitting(recording: &Recording) -> Vec<Plot> {
    let fits = |plot: &Plot| plot.fitness(recording) == Fitness::Good;
    Plot::ALL.into_iter().filter(fits).collect()
}

/// Makes some plots. Tables are gone through once for all of them.
pub fn figures(recording: &Recording, plots: &[Plot]) -> Result<Vec<Figure>, DrawError> {
    for &plot in plots {
        if let Fitness::Missing(reason) = plot.fitness(recording) {
            return Err(DrawError::Missing {
                path: recording.folder.path().to_owned(),
                plot: plot.name(),
                reason,
            });
        }
    }
    let wanted = |some: &[Plot]| plots.iter().any(|plot| some.contains(plot));
    let digest = Digest::read(
        recording,
        Wanted {
            events: wanted(&[Plot::Rate, Plot::Contacts]),
            paths: wanted(&[Plot::Trajectories]),
            looks: wanted(&[Plot::Speeds, Plot::Radial]),
        },
    )?;
    plots
        .iter()
        .map(|plot| match plot {
            Plot::Energy => energy::figure(recording),
            Plot::Momentum => momentum::figure(recording),
            Plot::Trajectories => trajectories::figure(recording, &digest),
            Plot::Speeds => Ok(speeds::figure(recording, &digest)),
            Plot::Radial => Ok(radial::figure(recording, &digest)),
            Plot::Rate => rate::figure(recording, &digest),
            Plot::Contacts => Ok(contacts::figure(recording, &digest)),
            Plot::Compare => compare::figure(recording),
        })
        .collect()
}

/// Points of a line at most: twice as many as there are pixels along it.
const POINTS: usize = 1_600;

/// The axis of time of a run.
fn time_axis(recording: &Recording) -> crate::chart::Axis {
    let end = recording.end();
    crate::chart::Axis::new("time", "s", 0.0, if end > 0.0 { end } else { 1.0 })
}

/// Which rows are drawn where there are more than can be seen: every so many-th, and the last.
fn thinned(rows: usize) -> (Vec<usize>, Option<String>) {
    if rows <= POINTS {
        return ((0..rows).collect(), None);
    }
    let every = rows.div_ceil(POINTS);
    let mut kept: Vec<usize> = (0..rows).step_by(every).collect();
    if kept.last() != Some(&(rows - 1)) {
        kept.push(rows - 1);
    }
    let note = format!(
        "Thinned: every {every}th of {} is drawn.",
        count(rows as u64, "instant of output", "instants of output")
    );
    (kept, Some(note))
}
