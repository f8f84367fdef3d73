//! `carom compare`: one scene by impulses and by forces, side by side.

use crate::arguments;
use crate::bar::Waiting;
use crate::comparison::{Comparison, ContactFacts, Pairing, compare};
use crate::output::{Failure, Output};
use crate::run::not_simulated;
use crate::scene::{self, Loaded};
use crate::terminal::{count, figures, length, vector};
use carom_data::Outputs;
use carom_draw::{Look, TextAs, Theme};
use carom_scene::AnyWorld;
use std::path::Path;

/// As many rows as the tables show.
const ROWS: usize = 20;

/// Runs it.
pub fn command(options: &arguments::Compare) -> Result<(), Failure> {
    let loaded = scene::load(&options.source, false)?;
    loaded.tell_notes();
    let Loaded { text, scene, .. } = loaded;
    let outputs = Outputs::new(options.force);
    for path in options.plot.iter().chain(&options.out) {
        outputs.check(path)?;
    }
    if !scene.plan.is_empty() {
        let reason = "a scene with [[when]] or [thermostat] cannot be compared: run it by each method with carom run --method";
        return Err(Failure::BadInput(format!("error: {reason}\n")));
    }
    let until = options.until.unwrap_or(scene.run.until);
    let mut forces = scene.forces;
    forces.step = options.step.or(forces.step);
    let (file, title) = (text.given.clone(), scene.title);
    let how = (&forces, &scene.settling);
    let wait = Waiting::new("running the scene by both methods", false);
    let compared = match &scene.world {
        AnyWorld::Two(world) => compare(world, how, until, file, title),
        AnyWorld::Three(world) => compare(world, how, until, file, title),
    };
    drop(wait);
    let compared = compared.map_err(|error| not_simulated(&error, &text.given))?;
    let wanted = match options.contact {
        Some(number) => Some(chosen(&compared, number)?),
        None => None,
    };
    if let Some(path) = &options.plot {
        draw(&compared, path, &outputs)?;
    }
    if let Some(path) = &options.out {
        let text = serde_json::to_string_pretty(&compared);
        let text = text.map_err(|error| Failure::Run(error.to_string()))?;
        outputs.write(path, format!("{text}\n").as_bytes())?;
    }
    let mut output = Output::standard();
    match (options.json, wanted) {
        (true, _) => output.json(&compared)?,
        (false, Some(pair)) => detail(pair, &mut output)?,
        (false, None) => print(&compared, &mut output)?,
    }
    output.finish()?;
    let failed = [("events", &compared.events), ("forces", &compared.forces)];
    match failed
        .iter()
        .find_map(|(method, side)| Some((method, side.failed.as_ref()?)))
    {
        Some((method, reason)) => Err(Failure::Run(format!("by {method}: {reason}"))),
        None => Ok(()),
    }
}

fn draw(compared: &Comparison, path: &Path, outputs: &Outputs) -> Result<(), Failure> {
    let quantities = compared.quantities.clone();
    let methods = compared.methods.map(str::to_owned);
    let drawing = carom_draw::Comparison::new(compared.title.clone(), methods, quantities)
        .figure()
        .draw();
    let bytes = if path.extension().is_some_and(|ending| ending == "png") {
        drawing
            .to_png(Theme::Light, 2.0)
            .map_err(|error| Failure::Run(error.to_string()))?
    } else {
        drawing.to_svg(Look::Adaptive, TextAs::Words).into_bytes()
    };
    Ok(outputs.write(path, &bytes)?)
}

fn chosen(compared: &Comparison, number: u64) -> Result<&Pairing, Failure> {
    usize::try_from(number - 1)
        .ok()
        .and_then(|index| compared.contacts.get(index))
        .ok_or_else(|| {
            let all = compared.contacts.len();
            Failure::BadInput(match all {
                0 => "error: nothing touches in this scene\n".to_owned(),
                _ => format!("error: there is no contact {number}: there are {all}, from 1 on\n"),
            })
        })
}

fn print(compared: &Comparison, output: &mut Output) -> Result<(), Failure> {
    let located = if compared.located {
        ", contacts located"
    } else {
        ""
    };
    let by_crowd = match compared.engine {
        "granular" => ", granular engine",
        _ => "",
    };
    let by_forces = format!(
        "{}, steps of {} s{located}{by_crowd}",
        compared.integrator,
        figures(compared.step)
    );
    let energy = |energy: f64| format!("{} J", figures(energy));
    let (events, forces) = (&compared.events, &compared.forces);
    let books = |residual: f64| format!("{:.1e} J", residual.abs());
    let wall = |seconds: f64| format!("{:.3} ms", 1e3 * seconds);
    let rows = [
        ("", "by events".to_owned(), "by forces".to_owned()),
        ("method", "impulses, exact instants".to_owned(), by_forces),
        (
            "contacts",
            events.contacts.to_string(),
            forces.contacts.to_string(),
        ),
        (
            "energy before",
            energy(events.energy_initial),
            energy(forces.energy_initial),
        ),
        ("energy after", energy(events.energy), energy(forces.energy)),
        (
            "energy residual",
            books(events.energy_residual),
            books(forces.energy_residual),
        ),
        (
            "ended at",
            format!("{} s", events.time),
            format!("{} s", forces.time),
        ),
        ("real time", wall(events.run_s), wall(forces.run_s)),
    ];
    output.line(format_args!("{}", compared.title))?;
    for (name, one, other) in rows {
        output.line(format_args!(
            "  {}",
            format!("{name:<18}{one:<28}{other}").trim_end()
        ))?;
    }
    if let [only] = &compared.contacts[..] {
        output.line(format_args!(""))?;
        detail(only, output)?;
    } else if !compared.contacts.is_empty() {
        contacts(compared, output)?;
    }
    bodies(compared, output)
}

/// A number of a method that may not have the contact.
fn of(facts: &Option<ContactFacts>, value: impl Fn(&ContactFacts) -> String) -> String {
    facts.as_ref().map_or("–".to_owned(), value)
}

fn contacts(compared: &Comparison, output: &mut Output) -> Result<(), Failure> {
    output.line(format_args!(
        "\n  {:>6}  {:<24}{:>14}{:>14}{:>13}{:>14}{:>13}{:>12}{:>12}",
        "", "", "begins (s)", "", "duration (s)", "|J| (kg m/s)", "", "ε", ""
    ))?;
    output.line(format_args!(
        "  {:>6}  {:<24}{:>14}{:>14}{:>13}{:>14}{:>13}{:>12}{:>12}",
        "", "pair", "events", "forces", "forces", "events", "forces", "events", "forces"
    ))?;
    for (number, pair) in (1..).zip(&compared.contacts).take(ROWS) {
        let ratio = |facts: &ContactFacts| match facts.restitution {
            // Two that hardly move may part with any number of times what they closed with.
            Some(ratio) if ratio.abs() < 100.0 => format!("{ratio:.4}"),
            Some(ratio) => format!("{ratio:.2e}"),
            None => "–".to_owned(),
        };
        let names: String = format!("{} – {}", pair.a, pair.b)
            .chars()
            .take(23)
            .collect();
        output.line(format_args!(
            "  {number:>6}  {names:<24}{:>14}{:>14}{:>13}{:>14}{:>13}{:>12}{:>12}",
            of(&pair.events, |facts| figures(facts.begins)),
            of(&pair.forces, |facts| figures(facts.begins)),
            of(&pair.forces, |facts| figures(facts.duration)),
            of(&pair.events, |facts| figures(length(&facts.impulse))),
            of(&pair.forces, |facts| figures(length(&facts.impulse))),
            of(&pair.events, ratio),
            of(&pair.forces, ratio),
        ))?;
    }
    let all = compared.contacts.len();
    if all > ROWS {
        output.line(format_args!(
            "  {:>6}  and {} more: --json has them all{}",
            "…",
            all - ROWS,
            if compared.cut_short {
                ", up to a hundred thousand"
            } else {
                ""
            }
        ))?;
    }
    let [events, forces] = [compared.only_by_events, compared.only_by_forces];
    if events + forces > 0 {
        output.line(format_args!(
            "  {} by events alone, {forces} by forces alone",
            count(events, "contact", "contacts")
        ))?;
    }
    output.line(format_args!(
        "  at most {} s apart in time, {} kg m/s in impulse",
        figures(compared.largest.time),
        figures(compared.largest.impulse)
    ))
}

/// One contact with all digits.
fn detail(pair: &Pairing, output: &mut Output) -> Result<(), Failure> {
    let mut rows: Vec<(&str, [String; 2])> = Vec::new();
    let mut row = |name, value: &dyn Fn(&ContactFacts) -> String| {
        rows.push((
            name,
            [&pair.events, &pair.forces].map(|facts| of(facts, value)),
        ));
    };
    row("number", &|facts| facts.number.to_string());
    row("begins (s)", &|facts| facts.begins.to_string());
    row("duration (s)", &|facts| facts.duration.to_string());
    row("impulse (kg m/s)", &|facts| exact(&facts.impulse));
    row("restitution", &|facts| {
        facts
            .restitution
            .map_or("–".to_owned(), |ratio| ratio.to_string())
    });
    row("v of a (m/s)", &|facts| exact(&facts.velocities[0]));
    row("v of b (m/s)", &|facts| exact(&facts.velocities[1]));
    row("x of a (m)", &|facts| place(facts, 0));
    row("x of b (m)", &|facts| place(facts, 1));
    row("deepest (m)", &|facts| facts.deepest.to_string());
    row("deepest at (s)", &|facts| facts.deepest_at.to_string());
    row("energy lost (J)", &|facts| facts.energy_lost.to_string());
    output.line(format_args!(
        "  a = {}, b = {}, contact {} of the two",
        pair.a, pair.b, pair.occurrence
    ))?;
    let wide = rows
        .iter()
        .map(|(_, [one, _])| one.chars().count())
        .max()
        .unwrap_or(0)
        .max(9)
        + 3;
    output.line(format_args!("  {:<18}{:<wide$}by forces", "", "by events"))?;
    for (name, [one, other]) in rows {
        output.line(format_args!("  {name:<18}{one:<wide$}{other}"))?;
    }
    Ok(())
}

fn exact(components: &[f64]) -> String {
    let parts: Vec<String> = components.iter().map(ToString::to_string).collect();
    format!("({})", parts.join(", "))
}

fn place(facts: &ContactFacts, side: usize) -> String {
    facts
        .positions
        .as_ref()
        .map_or("–".to_owned(), |places| exact(&places[side]))
}

fn bodies(compared: &Comparison, output: &mut Output) -> Result<(), Failure> {
    if compared.bodies.is_empty() {
        return Ok(());
    }
    output.line(format_args!(
        "\n  {:<20}{:<32}{:<32}{:>12}{:>12}",
        "at the end", "x by events (m)", "x by forces (m)", "|Δx| (m)", "|Δv| (m/s)"
    ))?;
    for body in compared.bodies.iter().take(ROWS) {
        let name: String = body.name.chars().take(19).collect();
        output.line(format_args!(
            "  {name:<20}{:<32}{:<32}{:>12}{:>12}",
            vector(&body.events.position),
            vector(&body.forces.position),
            figures(body.distance),
            figures(body.velocity_difference),
        ))?;
    }
    if compared.bodies.len() > ROWS {
        output.line(format_args!(
            "  … and {} more",
            compared.bodies.len() - ROWS
        ))?;
        output.line(format_args!(
            "  at most {} m and {} m/s apart",
            figures(compared.largest.distance),
            figures(compared.largest.velocity)
        ))?;
    }
    Ok(())
}
