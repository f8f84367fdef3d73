//! `carom explain`: one collision in words and numbers.

use crate::arguments::Explain;
use crate::bar::Waiting;
use crate::materials_then::{self, AnyPair, Changes, Pair};
use crate::other_events;
use crate::output::{Failure, Output};
use crate::terminal::{count, figures, separation_words};
use carom::record::Velocities;
use carom_data::{DataSpace, Rows, RunFolder, Table};
use carom_scene::Explanation;

/// `carom explain`.
pub fn explain(options: &Explain) -> Result<(), Failure> {
    let run = RunFolder::open(&options.run)?;
    if options.list {
        return other_events::list(&run);
    }
    if let Some(event) = options.event {
        match other_events::explain(options, &run, event)? {
            // It is a collision.
            Some(number) => return collision(options, &run, number),
            None => return Ok(()),
        }
    }
    collision(options, &run, options.number.unwrap_or_default())
}

fn collision(options: &Explain, run: &RunFolder, number: u64) -> Result<(), Failure> {
    // Materials that rules change are those of the instant: the scene is run again up to it.
    let wait = Waiting::new("looking for it in the run", false);
    let events = run.events()?;
    let Some((rows, row)) = events.find("number", number as i64)? else {
        return Err(Failure::BadInput(missing(options, number, run)?));
    };
    let columns: Vec<&str> = events.columns().iter().map(|c| c.name.as_ref()).collect();
    let hit = Hit {
        rows: &rows,
        row,
        columns: &columns,
    };
    let mut output = Output::standard();
    let ids = ["a", "b"].map(|side| hit.integer(side));
    let changes = Changes::around(number as i64, &events)?;
    let pair = materials_then::pair(run, changes, ids)?;
    drop(wait);
    match pair {
        Some(AnyPair::Two(pair)) => tell(&hit, &pair, &mut output),
        Some(AnyPair::Three(pair)) => tell(&hit, &pair, &mut output),
        None => {
            let message = "error: the snapshot of the run folder is not that of its events\n";
            Err(Failure::BadInput(message.to_owned()))
        }
    }?;
    if let Some(words) = lasting_words(&hit, &events)? {
        output.line(format_args!("  lasting   {words}"))?;
    }
    for words in actions_words(&hit, &events)? {
        output.line(format_args!("  action    {words}"))?;
    }
    output.finish()
}

fn missing(options: &Explain, number: u64, run: &RunFolder) -> Result<String, Failure> {
    let shown = options.run.display();
    let manifest = run.manifest();
    if !manifest.schedule.events {
        return Ok(format!("error: `{shown}` was run with --no-events\n"));
    }
    let mut last = 0;
    run.events()?.each(&["number"], |rows| {
        let numbers = rows.values[0].integers().iter().copied();
        last = last.max(numbers.max().unwrap_or(0));
        Ok(())
    })?;
    Ok(format!(
        "error: there is no collision {} in `{shown}`: it has {}\n",
        number,
        count(last as u64, "collision", "collisions")
    ))
}

/// How long the contact that a collision began lasted, where it did.
fn lasting_words(hit: &Hit<'_>, events: &Table) -> Result<Option<String>, Failure> {
    let lasts = hit.number("duration");
    if !(lasts > 0.0) {
        return Ok(None);
    }
    let (began, pair) = (hit.number("time"), ["a", "b"].map(|side| hit.integer(side)));
    let mut end = None;
    events.each(&["kind", "time", "a", "b", "mode", "duration"], |rows| {
        let [kinds, times, a, b, modes, durations] = &rows.values[..] else {
            return Ok(());
        };
        for row in 0..rows.len() {
            let its = kinds.texts()[row] == "released"
                && times.numbers()[row] >= began
                && [a, b].map(|side| side.integers()[row]) == pair;
            // The two may have met again later.
            if its && end.is_none() {
                let separation = separation_words(&modes.texts()[row]).to_owned();
                end = Some((times.numbers()[row], durations.numbers()[row], separation));
            }
        }
        Ok(())
    })?;
    let together = format!(
        "to be {} s: the two stay in contact, and separate with the velocities after",
        figures(lasts)
    );
    Ok(Some(match end {
        Some((time, duration, separation)) => format!(
            "{together}; released at t = {time} s, after {} s: {separation}",
            figures(duration)
        ),
        None => format!("{together}; not over when the run ended"),
    }))
}

/// What rules of the scene did at the instant of a collision because of one of its bodies.
fn actions_words(hit: &Hit<'_>, events: &Table) -> Result<Vec<String>, Failure> {
    const MOST: usize = 20;
    let (time, pair) = (hit.number("time"), ["a", "b"].map(|side| hit.integer(side)));
    let mut found = Vec::new();
    events.each(&["kind", "time", "a", "mode"], |rows| {
        let [kinds, times, bodies, words] = &rows.values[..] else {
            return Ok(());
        };
        for row in 0..rows.len() {
            let its = kinds.texts()[row] == "action"
                && times.numbers()[row] == time
                && pair.contains(&bodies.integers()[row]);
            if its && found.len() < MOST {
                let words = &words.texts()[row];
                let words = words.split_once(": ").map_or(&**words, |(_, words)| words);
                found.push(words.to_owned());
            }
        }
        Ok(())
    })?;
    Ok(found)
}

/// A row of `events`.
struct Hit<'r> {
    rows: &'r Rows,
    row: usize,
    columns: &'r [&'r str],
}

impl Hit<'_> {
    fn place(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|name| *name == column)
    }

    fn number(&self, column: &str) -> f64 {
        let values = self
            .place(column)
            .map(|place| self.rows.values[place].numbers());
        values.map_or(f64::NAN, |values| values[self.row])
    }

    fn integer(&self, column: &str) -> i64 {
        let values = self
            .place(column)
            .map(|place| self.rows.values[place].integers());
        values.map_or(0, |values| values[self.row])
    }

    fn text(&self, column: &str) -> &str {
        let values = self
            .place(column)
            .map(|place| self.rows.values[place].texts());
        values.map_or("", |values| &values[self.row])
    }

    fn vector<S: DataSpace>(&self, before: &str, after: &str) -> S::Vector {
        let mut components = [0.0; 3];
        for (component, axis) in components.iter_mut().zip(S::AXES) {
            *component = self.number(&format!("{before}{axis}{after}"));
        }
        S::vector(components)
    }

    fn motion<S: DataSpace>(&self, side: &str, when: &str) -> Velocities<S> {
        let mut angular_velocity = [0.0; 3];
        for (component, name) in angular_velocity.iter_mut().zip(S::ANGULAR_VELOCITY) {
            *component = self.number(&format!("{side}_{name}_{when}"));
        }
        Velocities {
            velocity: self.vector::<S>(&format!("{side}_velocity_"), &format!("_{when}")),
            angular_velocity: S::angular_velocity_of(angular_velocity),
        }
    }

    /// Other collisions at the same instant that share a body with this one.
    fn together(&self) -> Vec<i64> {
        let column = |name: &str| self.place(name).map(|place| &self.rows.values[place]);
        let (Some(times), Some(numbers), Some(a), Some(b)) =
            (column("time"), column("number"), column("a"), column("b"))
        else {
            return Vec::new();
        };
        let pair = |row: usize| [a.integers()[row], b.integers()[row]];
        let here = pair(self.row);
        (0..self.rows.len())
            .filter(|&row| row != self.row && numbers.integers()[row] > 0)
            .filter(|&row| times.numbers()[row] == times.numbers()[self.row])
            .filter(|&row| pair(row).iter().any(|id| here.contains(id)))
            .map(|row| numbers.integers()[row])
            .collect()
    }
}

fn tell<S: DataSpace>(hit: &Hit<'_>, pair: &Pair<S>, output: &mut Output) -> Result<(), Failure> {
    let [a, b] = &pair.bodies;
    let motions = |when| ["a", "b"].map(|side| hit.motion::<S>(side, when));
    let explanation = Explanation {
        number: hit.integer("number") as u64,
        time: hit.number("time"),
        bodies: [a, b],
        materials: &pair.materials,
        point: hit.vector::<S>("point_", ""),
        normal: hit.vector::<S>("normal_", ""),
        impulse: hit.vector::<S>("impulse_", ""),
        mode: hit.text("mode"),
        before: motions("before"),
        after: motions("after"),
        energy_lost: hit.number("energy_lost"),
        lost_to_friction: hit.number("lost_to_friction"),
        gap: hit.number("gap"),
        approach_speed: hit.number("approach_speed"),
    };
    output.line(format_args!("{}", explanation.title()))?;
    for (name, text) in explanation.rows() {
        output.line(format_args!("  {name:<10}{text}"))?;
    }
    if pair.late {
        output.line(format_args!(
            "  note      materials were changed after this collision, and the scene cannot be run again: the law is that of the end of the run"
        ))?;
    }
    let together = hit.together();
    if !together.is_empty() {
        let numbers: Vec<String> = together.iter().map(i64::to_string).collect();
        output.line(format_args!(
            "  note      simultaneous with {} {}: before and after are those of all of them together",
            if together.len() == 1 { "collision" } else { "collisions" },
            numbers.join(", ")
        ))?;
    }
    Ok(())
}
