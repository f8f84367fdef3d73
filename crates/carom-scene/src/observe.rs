//! `[observe]`: what is averaged over a run.

use crate::problem::Problem;
use crate::quantity::{LENGTH, UNTIL};
use crate::reader::{Entry, Section};
use crate::scene::AnyWorld;

/// What is averaged over a run: temperature, pressure, collisions, structure, diffusion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObserveSettings {
    /// From this time on, s; what comes before is no part of the averages.
    pub from: f64,
    /// The states are looked at then, and at the ends of so many equal times until the run ends.
    pub looks: u64,
    /// The radial distribution, where it is asked for.
    pub radial: Option<RadialSettings>,
    /// After how many of these times the mean squared displacement is wanted, at most.
    pub displacement: Option<u64>,
}

/// The radial distribution g(r).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RadialSettings {
    /// Up to this distance, m; at most half of the periodic box.
    pub reach: f64,
    /// In so many shells of equal width.
    pub shells: u64,
}

/// More looks than anyone waits for.
pub(crate) const MOST_LOOKS: u64 = 1_000_000;
/// More than are worth showing.
pub(crate) const MOST_POINTS: u64 = 1000;
const LOOKS: u64 = 100;
const SHELLS: u64 = 50;

impl Default for ObserveSettings {
    fn default() -> Self {
        ObserveSettings {
            from: 0.0,
            looks: LOOKS,
            radial: None,
            displacement: None,
        }
    }
}

/// What the scene says; `Some(None)` where it says nothing, `None` where that is wrong.
pub(crate) fn read(
    top: &Section<'_, '_>,
    until: Option<f64>,
    world: &AnyWorld,
) -> Option<Option<ObserveSettings>> {
    let Some(entry) = top.optional("observe") else {
        return Some(None);
    };
    let section = entry.section("`observe`".to_owned())?;
    let from = match section.optional("from") {
        Some(entry) => start(&entry, until),
        None => Some(0.0),
    };
    let looks = match section.optional("samples") {
        Some(entry) => entry.whole(1, MOST_LOOKS),
        None => Some(LOOKS),
    };
    let radial = match section.optional("radial") {
        Some(entry) => radial(&entry, top, periods(world, top)).map(Some),
        None => Some(None),
    };
    let displacement = match section.optional("msd_lags") {
        Some(entry) => entry.whole(1, MOST_POINTS).map(Some),
        None => Some(None),
    };
    section.finish(&[]);
    Some(Some(ObserveSettings {
        from: from?,
        looks: looks?,
        radial: radial?,
        displacement: displacement?,
    }))
}

fn start(entry: &Entry<'_, '_>, until: Option<f64>) -> Option<f64> {
    let from = entry.number(UNTIL)?;
    match until {
        Some(until) if from >= until => {
            entry.wrong(&format!("before the end of the run at {until} s"));
            None
        }
        _ => Some(from),
    }
}

/// The sides of the periodic box; `None` where what the scene says about it was wrong.
fn periods(world: &AnyWorld, top: &Section<'_, '_>) -> Option<Vec<f64>> {
    let periods = match world {
        AnyWorld::Two(world) => world.periods()[..2].to_vec(),
        AnyWorld::Three(world) => world.periods().to_vec(),
    };
    let given = top.has("periodic") && periods.iter().all(|&side| side == 0.0);
    (!given).then_some(periods)
}

fn radial(
    entry: &Entry<'_, '_>,
    top: &Section<'_, '_>,
    periods: Option<Vec<f64>>,
) -> Option<RadialSettings> {
    let section = entry.section("`radial`".to_owned())?;
    let wanted = section.required("cutoff", "up to which distance, metres");
    let reach = wanted.as_ref().and_then(|entry| entry.number(LENGTH));
    let shells = match section.optional("bins") {
        Some(entry) => entry.whole(1, MOST_POINTS),
        None => Some(SHELLS),
    };
    section.finish(&[]);
    if top.has("shear") {
        let message = "`radial` is asked for, but the box is sheared";
        let label = "needs a box whose images stand still";
        entry.report(Problem::new(entry.span(), message.to_owned(), label));
        return None;
    }
    let shortest = periods?.into_iter().fold(f64::INFINITY, f64::min);
    if shortest == 0.0 {
        let message = "`radial` is asked for, but the scene is not periodic along every axis";
        let label = "needs a box without walls";
        let problem = Problem::new(entry.span(), message.to_owned(), label);
        entry.report(problem.help("give `periodic` a length for each axis"));
        return None;
    }
    match (wanted, reach?) {
        (Some(wanted), reach) if reach > 0.5 * shortest => {
            let half = 0.5 * shortest;
            wanted.wrong(&format!("at most {half} m, half of the periodic box"));
            None
        }
        (_, reach) => Some(RadialSettings {
            reach,
            shells: shells?,
        }),
    }
}
