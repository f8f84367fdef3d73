//! Balls from a table of comma-separated values with a header.

use super::{Looks, Placed, Room};
use crate::dimension::ReadSpace;
use crate::problem::{MOST_PROBLEMS, Problem};
use crate::quantity::{LENGTH, MASS, PLACE, Quantity, SPIN, VELOCITY};
use crate::random::Random;
use crate::reader::{Entry, Section};
use crate::render::{printable, shortened};
use crate::scene::{Around, TableSource, gigabytes};
use crate::suggest::nearest;
use std::io::BufRead;

/// The angular velocity in 2-D.
const SPIN_COLUMN: &str = "angular_velocity";
/// As it was called before.
const OLD_SPIN: &str = "spin";

/// The columns there are, and what is in them.
const COLUMNS: [(&str, Quantity); 12] = [
    ("x", PLACE),
    ("y", PLACE),
    ("z", PLACE),
    ("vx", VELOCITY),
    ("vy", VELOCITY),
    ("vz", VELOCITY),
    ("radius", LENGTH),
    ("mass", MASS),
    (SPIN_COLUMN, SPIN),
    ("wx", SPIN),
    ("wy", SPIN),
    ("wz", SPIN),
];
const NAME: usize = COLUMNS.len();

pub(super) fn read<S: ReadSpace>(
    section: &Section<'_, '_>,
    looks: Option<&Looks<S>>,
    around: &Around<'_>,
    random: Random,
    room: Room,
) -> Option<Vec<Placed<S>>> {
    let entry = section.required("file", "the path of a table, from the folder of the scene")?;
    let path = entry.label()?;
    let looks = looks?;
    let wrong =
        |message: String| entry.report(Problem::new(entry.span(), message, "in this table"));
    let reader = match around.files.open_table(path) {
        Ok(reader) => reader,
        Err(message) => {
            entry.report(Problem::new(
                entry.span(),
                message,
                "looked for from the folder of the scene",
            ));
            return None;
        }
    };
    around.files.read.borrow_mut().push(TableSource {
        given: path.to_owned(),
        named: entry.span_in_file(),
    });
    let mut table = Table::<S> {
        entry: &entry,
        path: shortened(path, 100),
        looks,
        columns: Vec::new(),
        random,
        wrong: 0,
        notes: Vec::new(),
    };
    let mut balls = Vec::new();
    for (number, line) in (1..).zip(reader.lines()) {
        let line = match line {
            Ok(line) => line,
            Err(error) => {
                wrong(format!("`{}` cannot be read: {error}", table.path));
                return None;
            }
        };
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if table.columns.is_empty() {
            table.header(number, line)?;
            around.files.notes.borrow_mut().append(&mut table.notes);
            continue;
        }
        if balls.len() == room.left {
            wrong(format!(
                "`{}` has more rows than the {} that are allowed",
                table.path, room.left
            ));
            return None;
        }
        // Looked at row by row: a table can be larger than the memory that its bodies would take.
        if let Some(memory) = room.full(balls.len() as u64 + 1) {
            wrong(format!(
                "the bodies of `{}` do not fit into the {} of memory that are there: line {number} is one too many",
                table.path,
                gigabytes(memory)
            ));
            return None;
        }
        balls.extend(table.row(number, line));
        if table.wrong >= MOST_PROBLEMS {
            return None;
        }
    }
    if balls.is_empty() && table.wrong == 0 {
        wrong(format!("`{}` has no rows", table.path));
    }
    (table.wrong == 0 && !balls.is_empty()).then_some(balls)
}

struct Table<'a, 'r, 't, S: ReadSpace> {
    entry: &'a Entry<'r, 't>,
    path: String,
    looks: &'a Looks<S>,
    /// What each column of the file has, by its place in [`COLUMNS`].
    columns: Vec<usize>,
    random: Random,
    wrong: usize,
    notes: Vec<String>,
}

fn fields(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(|field| field.trim().trim_matches('"'))
}

impl<S: ReadSpace> Table<'_, '_, '_, S> {
    fn report(&mut self, line: usize, what: String, allowed: String) {
        self.wrong += 1;
        let message = format!("{}:{line}: {what}", self.path);
        self.entry
            .report(Problem::new(self.entry.span(), message, allowed));
    }

    fn header(&mut self, number: usize, line: &str) -> Option<()> {
        let allowed = |name: &str| {
            let of_space = matches!(name, "z" | "vz" | "wx" | "wy" | "wz");
            if S::DIMENSION == 2 {
                !of_space
            } else {
                name != SPIN_COLUMN
            }
        };
        let names: Vec<&str> = COLUMNS
            .iter()
            .map(|(name, _)| *name)
            .chain(["name"])
            .filter(|name| allowed(name))
            .collect();
        for field in fields(line).take(100) {
            let field = match field {
                OLD_SPIN if allowed(SPIN_COLUMN) => {
                    self.notes.push(format!(
                        "{}, line {number}: the column `{OLD_SPIN}` is now called `{SPIN_COLUMN}`; the old name is still read",
                        self.path
                    ));
                    SPIN_COLUMN
                }
                field => field,
            };
            let known = COLUMNS.iter().map(|(name, _)| *name).chain(["name"]);
            let place = known
                .clone()
                .position(|name| name == field && allowed(name));
            match place {
                Some(place) if !self.columns.contains(&place) => self.columns.push(place),
                Some(_) => {
                    let what = format!("the column `{field}` comes twice");
                    self.report(number, what, "must be given once".to_owned());
                }
                None => {
                    let what = format!("there is no column `{}`", shortened(field, 40));
                    let label = match nearest(field, names.iter().copied()) {
                        Some(meant) => format!("did you mean `{meant}`?"),
                        None => format!("the columns are {}", names.join(", ")),
                    };
                    self.report(number, what, label);
                }
            }
        }
        // What is missing may be what is misspelt.
        if self.wrong > 0 {
            return None;
        }
        let axes = &["x", "y", "z"][..S::DIMENSION];
        let given = [
            ("radius", self.looks.radii.is_some()),
            ("mass", self.looks.weight.is_some()),
        ];
        let needed = axes.iter().copied();
        let needed = needed.chain(
            given
                .iter()
                .filter(|(_, given)| !given)
                .map(|(name, _)| *name),
        );
        let needed: Vec<&str> = needed.collect();
        for name in needed {
            if !self.has(name) {
                let what = format!("there is no column `{name}`");
                let label = match name {
                    "radius" | "mass" => format!("needs the column, or `{name}` in the scene"),
                    _ => format!("needs {}", axes.join(", ")),
                };
                self.report(number, what, label);
            }
        }
        (self.wrong == 0).then_some(())
    }

    fn has(&self, name: &str) -> bool {
        let place = COLUMNS.iter().position(|(other, _)| *other == name);
        place.is_some_and(|place| self.columns.contains(&place))
    }

    fn row(&mut self, number: usize, line: &str) -> Option<Placed<S>> {
        let mut values = [None; NAME];
        let mut name = None;
        let mut count = 0;
        let columns = std::mem::take(&mut self.columns);
        let before = self.wrong;
        for (index, field) in fields(line).enumerate().take(columns.len() + 1) {
            count += 1;
            match columns.get(index) {
                Some(&NAME) => {
                    let fits =
                        (1..=100).contains(&field.chars().count()) && printable(field) == field;
                    if !fits {
                        let what = format!("`name` is \"{}\"", shortened(field, 40));
                        self.report(
                            number,
                            what,
                            "must be text of 1 to 100 characters".to_owned(),
                        );
                    }
                    name = Some(field.into());
                }
                Some(&column) => {
                    let (title, quantity) = COLUMNS[column];
                    let value = field.parse().ok().filter(|&value| quantity.allows(value));
                    if value.is_none() {
                        let what = format!("`{title}` is {}", shortened(field, 40));
                        self.report(number, what, format!("must be {}", quantity.allowed()));
                    }
                    values[column] = value;
                }
                None => {}
            }
        }
        if count != columns.len() {
            let what = if count > columns.len() {
                format!("the row has more than {} values", columns.len())
            } else {
                format!("the number of values in the row is {count}")
            };
            let allowed = format!("must be {}, as in the header", columns.len());
            self.report(number, what, allowed);
        }
        self.columns = columns;
        if self.wrong > before {
            return None;
        }
        let vector = |from: usize| [0, 1, 2].map(|axis| values[from + axis].unwrap_or(0.0));
        let velocity = (3..6).any(|column| values[column].is_some());
        let spins = values[8].is_some() || (9..12).any(|column| values[column].is_some());
        let angular_velocity = match S::DIMENSION {
            2 => [values[8].unwrap_or(0.0), 0.0, 0.0],
            _ => vector(9),
        };
        // Without a column the scene has it: the header was checked.
        let radius = match (values[6], &self.looks.radii) {
            (Some(radius), _) => radius,
            (None, radii) => radii.as_ref()?.draw(&mut self.random),
        };
        Some(Placed {
            radius,
            mass: values[7],
            velocity: velocity.then(|| S::vector(vector(3))),
            angular_velocity: spins.then(|| S::angular_velocity_of(angular_velocity)),
            name,
            ..Placed::at(S::vector(vector(0)), radius)
        })
    }
}
