//! Every feature with every kind of body and both methods: a small scene for each cell of the table in
//! `docs/features.md`, and a number in it that is known. What is refused is refused for a stated reason.
//!
//! `CAROM_WRITE_FEATURES=1 cargo test -p carom --test features` writes the table anew.

mod contacts;
mod flights;
mod scenery;
mod whole_runs;

use carom::prelude::*;

/// What a cell is about.
#[derive(Clone, Copy)]
struct Case {
    rigid: bool,
    forces: bool,
}

/// A number of a run, what it is to be, and by how much it may be off, as a share.
struct Found {
    is: f64,
    should: f64,
    within: f64,
}

fn found(is: f64, should: f64, within: f64) -> Outcome {
    Ok(Found { is, should, within })
}

/// A number, or why there is none.
type Outcome = Result<Found, String>;

/// What a feature does in a case.
type Scene = fn(Case) -> Outcome;

/// A row of the table.
struct Feature {
    name: &'static str,
    /// What the number is.
    number: &'static str,
    scene: Scene,
    /// Why a case is refused: by impulses and by forces, for balls, then for rigid bodies; empty where it is not.
    refused: [&'static str; 4],
}

const NONE: [&str; 4] = [""; 4];

impl Case {
    /// In the order of the columns.
    const ALL: [Case; 4] = [
        Case {
            rigid: false,
            forces: false,
        },
        Case {
            rigid: false,
            forces: true,
        },
        Case {
            rigid: true,
            forces: false,
        },
        Case {
            rigid: true,
            forces: true,
        },
    ];

    /// A ball of radius 0.1 m, or a square of side 0.2 m, of 1 kg.
    fn body(self, place: DVec2, velocity: DVec2) -> Body<Space2> {
        let shape = if self.rigid {
            Shape::block(DVec2::splat(0.1))
        } else {
            Shape::ball(0.1)
        };
        let body = Body::free(shape.expect("positive")).mass(1.0);
        body.at(place).velocity(velocity).build().expect("allowed")
    }

    /// Its moment of inertia, kg·m².
    fn inertia(self) -> f64 {
        // In 2-D a ball is a disc.
        if self.rigid { 0.04 / 6.0 } else { 0.5 * 0.01 }
    }

    fn start<S: carom::simulate::Compiled>(self, world: World<S>) -> Result<Simulation<S>, String> {
        let run = if self.forces {
            Simulation::with(world, Forces::default())
        } else {
            Simulation::new(world)
        };
        run.map_err(|error| error.to_string())
    }

    /// The same by steps of a length, s, where it is by forces.
    fn start_by<S: carom::simulate::Compiled>(
        self,
        world: World<S>,
        step: f64,
    ) -> Result<Simulation<S>, String> {
        let run = if self.forces {
            Simulation::with(world, Forces::stepping(step))
        } else {
            Simulation::new(world)
        };
        run.map_err(|error| error.to_string())
    }

    /// How close a flight comes to its closed form: by impulses a ball's to rounding, a rigid body's to second order in
    /// steps of 1/240 s where it flies in steps; by forces to the order of the scheme.
    fn flight(self) -> f64 {
        if self.rigid && !self.forces {
            1e-4
        } else {
            1e-8
        }
    }
}

fn run_to<S: carom::simulate::Compiled>(run: &mut Simulation<S>, t: f64) -> Result<(), String> {
    run.run_until(t)
        .map(|_| ())
        .map_err(|error| error.to_string())
}

fn features() -> Vec<Feature> {
    let mut all = flights::features();
    all.extend(scenery::features());
    all.extend(contacts::features());
    all.extend(whole_runs::features());
    all
}

/// Runs a cell; its text, with the reasons of refusals as notes.
fn cell(
    feature: &Feature,
    column: usize,
    notes: &mut Vec<String>,
    wrong: &mut Vec<String>,
) -> String {
    let reason = feature.refused[column];
    let names = [
        "ball by impulses",
        "ball by forces",
        "rigid body by impulses",
        "rigid body by forces",
    ];
    let place = format!("{}, {}", feature.name, names[column]);
    let outcome = (feature.scene)(Case::ALL[column]);
    match outcome {
        Ok(Found { is, should, within }) => {
            let off = (is - should).abs() / should.abs().max(1e-300);
            if !reason.is_empty() {
                wrong.push(format!("{place}: runs, but is said to be refused"));
            }
            if !(off <= within) {
                wrong.push(format!(
                    "{place}: {is}, but should be {should} to {within:e}"
                ));
            }
            "yes".to_owned()
        }
        Err(error) => {
            if reason.is_empty() {
                wrong.push(format!("{place}: {error}"));
                return "**?**".to_owned();
            }
            let number = match notes.iter().position(|note| note == reason) {
                Some(known) => known,
                None => {
                    notes.push(reason.to_owned());
                    notes.len() - 1
                }
            };
            format!("no ({})", number + 1)
        }
    }
}

const BEGINS: &str = "<!-- the table begins -->";
const ENDS: &str = "<!-- the table ends -->";

#[test]
fn the_table_of_features_is_true() {
    let (mut notes, mut wrong) = (Vec::new(), Vec::new());
    let mut text = format!(
        "{BEGINS}\n\n| feature | number that is checked | ball, impulses | ball, forces | rigid, impulses | rigid, forces |\n|---|---|---|---|---|---|\n"
    );
    for feature in features() {
        let cells = [0, 1, 2, 3].map(|column| cell(&feature, column, &mut notes, &mut wrong));
        text += &format!(
            "| {} | {} | {} |\n",
            feature.name,
            feature.number,
            cells.join(" | ")
        );
    }
    text += "\nWhy not:\n\n";
    for (index, note) in notes.iter().enumerate() {
        text += &format!("{}. {note}\n", index + 1);
    }
    text += &format!("\n{ENDS}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/features.md");
    // A package of this crate alone has no pages.
    let Ok(page) = std::fs::read_to_string(path) else {
        return;
    };
    let (before, rest) = page.split_once(BEGINS).expect("the table has a beginning");
    let (table, after) = rest.split_once(ENDS).expect("and an end");
    if std::env::var_os("CAROM_WRITE_FEATURES").is_some() {
        std::fs::write(path, format!("{before}{text}{after}")).expect("it can be written");
        return;
    }
    let known = format!("{BEGINS}{table}{ENDS}");
    assert_eq!(
        known, text,
        "docs/features.md: CAROM_WRITE_FEATURES=1 writes it anew"
    );
}
