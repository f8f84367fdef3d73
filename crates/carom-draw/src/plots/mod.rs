//! The plots: their names, which of them a run can have, and how they are made.

mod bodies;
mod compare;
mod contacts;
mod energy;
mod momentum;
mod pressure;
mod profiles;
mod radial;
mod rate;
mod speeds;
mod steps;
mod sweep;
mod temperature;
mod trajectories;
mod xt;

pub use bodies::MOST as MOST_BODIES;
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
    /// Bodies one by one: position, speed, energy and angular velocity over time.
    Bodies,
    /// Positions of a row of bodies over time.
    Xt,
    /// How many bodies are how fast, beside the Maxwell–Boltzmann distribution.
    Speeds,
    /// The radial distribution g(r).
    Radial,
    /// Temperature over time, with Haff's law.
    Temperature,
    /// Density, velocity and temperature across the box.
    Profiles,
    /// Forces on walls over time, and the pressure in a box.
    Pressure,
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
    pub const ALL: [Plot; 13] = [
        Plot::Energy,
        Plot::Momentum,
        Plot::Trajectories,
        Plot::Bodies,
        Plot::Xt,
        Plot::Speeds,
        Plot::Radial,
        Plot::Temperature,
        Plot::Profiles,
        Plot::Pressure,
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
            Plot::Bodies => "bodies",
            Plot::Xt => "xt",
            Plot::Speeds => "speeds",
            Plot::Radial => "radial",
            Plot::Temperature => "temperature",
            Plot::Profiles => "profiles",
            Plot::Pressure => "pressure",
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
            Plot::Bodies => "position, speed, energy, spin of single bodies",
            Plot::Xt => "positions of a row of bodies over time",
            Plot::Speeds => "speeds, with the Maxwell–Boltzmann distribution",
            Plot::Radial => "the radial distribution g(r)",
            Plot::Temperature => "temperature over time, with Haff's law",
            Plot::Profiles => "density, velocity, temperature across the box",
            Plot::Pressure => "forces on walls, pressure in a box",
            Plot::Rate => "collision rate over time",
            Plot::Contacts => "collision timeline",
            Plot::Compare => "both methods overlaid",
        }
    }

    /// Whether a run can have it. Longer than most: what each plot needs, one after the other.
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
            Plot::Bodies | Plot::Xt => match (frames, recording.free()) {
                (0, _) => Fitness::Missing(recording.no_frames()),
                (_, 0) => Fitness::Missing("no body is free".to_owned()),
                (1, _) => poor("one frame alone: nothing changes over it"),
                (_, 1) if self == Plot::Xt => poor("one free body is no row"),
                (_, free) if self == Plot::Bodies && free > bodies::MOST => poor(&format!(
                    "{free} free bodies: too many to tell them apart (up to {})",
                    bodies::MOST
                )),
                _ if self == Plot::Xt && !xt::is_row(recording) => {
                    poor("the bodies do not stand in a row")
                }
                _ => Fitness::Good,
            },
            Plot::Temperature => match (frames, recording.free()) {
                (0, _) => Fitness::Missing(recording.no_frames()),
                (_, 0 | 1) => Fitness::Missing("it needs two free bodies at least".to_owned()),
                (1, _) => poor("one frame alone: nothing changes over it"),
                (_, free) if free < FEW => poor(&format!(
                    "{}: too few for a temperature (from {FEW} on)",
                    count(free as u64, "free body", "free bodies")
                )),
                _ => Fitness::Good,
            },
            Plot::Energy | Plot::Momentum | Plot::Trajectories => match frames {
                0 => Fitness::Missing(recording.no_frames()),
                1 if self != Plot::Trajectories => poor("one frame alone: nothing changes over it"),
                _ if self != Plot::Trajectories && recording.free() == 0 => {
                    poor("no body is free: there is no energy to draw")
                }
                _ => Fitness::Good,
            },
            Plot::Speeds | Plot::Radial | Plot::Profiles => match (frames, balls) {
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
            Plot::Pressure => {
                let kept = recording.folder.manifest().schedule.events;
                match (kept, recording.events) {
                    (false, _) => Fitness::Missing(recording.no_events()),
                    (true, 0) => poor("nothing has collided"),
                    (true, _) if recording.free() < FEW => poor(&format!(
                        "{}: too few collisions with walls for a force (from {FEW} on)",
                        count(recording.free() as u64, "free body", "free bodies")
                    )),
                    _ if recording.free() == recording.bodies.len() => poor("there are no walls"),
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
    figures_of(recording, plots, &[])
}

/// The same, with some bodies (by id) in [`Plot::Bodies`]; none: the first ones.
pub fn figures_of(
    recording: &Recording,
    plots: &[Plot],
    of: &[usize],
) -> Result<Vec<Figure>, DrawError> {
    for &plot in plots {
        if let Fitness::Missing(reason) = plot.fitness(recording) {
            return Err(DrawError::Missing {
                path: recording.shown.clone(),
                plot: plot.name(),
                reason,
            });
        }
    }
    let wanted = |some: &[Plot]| plots.iter().any(|plot| some.contains(plot));
    let mut single: Vec<usize> = of.iter().copied().take(bodies::MOST).collect();
    if single.is_empty() {
        single = bodies::chosen(recording);
    }
    let digest = Digest::read(
        recording,
        Wanted {
            events: wanted(&[Plot::Rate, Plot::Contacts, Plot::Pressure]),
            paths: wanted(&[Plot::Trajectories, Plot::Bodies, Plot::Xt]),
            bodies: if wanted(&[Plot::Bodies]) {
                single.clone()
            } else {
                Vec::new()
            },
            looks: wanted(&[Plot::Speeds, Plot::Radial, Plot::Profiles]),
            warmth: wanted(&[Plot::Temperature]),
        },
    )?;
    plots
        .iter()
        .map(|plot| match plot {
            Plot::Energy => energy::figure(recording),
            Plot::Momentum => momentum::figure(recording),
            Plot::Trajectories => trajectories::figure(recording, &digest),
            Plot::Bodies => Ok(bodies::figure(recording, &digest, &single)),
            Plot::Xt => Ok(xt::figure(recording, &digest)),
            Plot::Temperature => Ok(temperature::figure(recording, &digest)),
            Plot::Profiles => Ok(profiles::figure(recording, &digest)),
            Plot::Pressure => pressure::figure(recording, &digest),
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
    crate::chart::Axis::time(0.0, if end > 0.0 { end } else { 1.0 })
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
