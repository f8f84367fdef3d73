//! The summary for people.

mod events;

pub use events::{print_collision, print_passage, print_release, separation_words};

use crate::changes;
use crate::output::{Failure, Output};
use crate::summary::{
    BodyFacts, EnergyFacts, LossFacts, Mean, SensorFacts, Spin, Status, Stepping, Summary,
};
pub use carom_scene::{figures, vector};

/// As many bodies as the table shows.
const TABLE_ROWS: usize = 20;
/// As many sensors as are named.
const SENSORS: usize = 4;
/// As wide as a name may be in the table.
const NAME_WIDTH: usize = 20;

/// "1 body", "20 bodies".
pub fn count(number: u64, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}

fn angular_velocity(angular_velocity: &Spin) -> String {
    match angular_velocity {
        Spin::Two(angular_velocity) => figures(*angular_velocity),
        Spin::Three(components) => vector(components),
    }
}

/// Of a vector.
pub fn length(components: &[f64]) -> f64 {
    components.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn shortened(name: &str) -> String {
    if name.chars().count() > NAME_WIDTH {
        name.chars().take(NAME_WIDTH - 1).chain(['…']).collect()
    } else {
        name.to_owned()
    }
}

/// Prints the whole summary.
pub fn print(summary: &Summary, output: &mut Output) -> Result<(), Failure> {
    let rows = [
        ("bodies", bodies(summary)),
        ("time", time(summary)),
        ("collisions", collisions(summary)),
        ("speed", speed(summary)),
        ("energy", energy(summary)),
        ("lost", lost(summary)),
        ("momentum", momentum(summary)),
        ("angular", angular_momentum(summary)),
        ("overlap", overlap(summary)),
        ("fastest", fastest(summary)),
        ("digest", summary.digest.clone()),
    ];
    output.line(format_args!("{}", summary.scene.title))?;
    let folder = summary.folder.clone().map(|folder| ("folder", folder));
    let [before, after] = [&rows[..6], &rows[6..]].map(<[_]>::to_vec);
    let accounts = forces(summary)
        .into_iter()
        .chain(tandem(summary))
        .chain(lasting(summary))
        .chain(transitions(summary))
        .chain(sensors(summary))
        .chain(changes::edits(summary))
        .chain(changes::actions(summary))
        .chain(changes::scores(summary))
        .chain(fields(summary))
        .chain(averages(summary))
        .chain(
            summary
                .warnings
                .iter()
                .map(|text| ("warning", text.clone())),
        );
    let rows = before.into_iter().chain(accounts).chain(after);
    for (name, text) in rows.chain(folder) {
        output.line(format_args!("  {name:<11}{text}"))?;
    }
    table(&summary.bodies, output)
}

fn bodies(summary: &Summary) -> String {
    let scene = &summary.scene;
    format!(
        "{} in {}-D, {} of them free",
        count(scene.bodies as u64, "body", "bodies"),
        scene.dimension,
        scene.free_bodies
    )
}

fn time(summary: &Summary) -> String {
    let outcome = &summary.outcome;
    let reason = outcome.reason.as_deref().unwrap_or_default();
    match outcome.status {
        Status::Completed => format!("{} s", outcome.time),
        Status::Stopped => format!(
            "{} s of {} s: stopped, {reason}",
            outcome.time, summary.scene.until
        ),
        Status::Interrupted => format!(
            "{} s of {} s: interrupted",
            outcome.time, summary.scene.until
        ),
        Status::Failed => format!("{} s of {} s: FAILED", outcome.time, summary.scene.until),
    }
}

fn collisions(summary: &Summary) -> String {
    let by_shape: Vec<String> = summary
        .collisions
        .by_shape
        .iter()
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    if by_shape.is_empty() {
        "none".to_owned()
    } else {
        format!("{} ({})", summary.collisions.total, by_shape.join(", "))
    }
}

fn speed(summary: &Summary) -> String {
    let timings = &summary.timings;
    format!(
        "{:.0} collisions per second of real time ({:.3} ms)",
        timings.collisions_per_s,
        1e3 * timings.run_s
    )
}

fn energy_kinds(energy: &EnergyFacts) -> String {
    let kinds: Vec<String> = [
        ("rotational", energy.rotational),
        ("potential", energy.potential),
    ]
    .iter()
    .filter(|(_, part)| *part != 0.0)
    .map(|(kind, part)| format!("{} {kind}", figures(*part)))
    .collect();
    if kinds.is_empty() {
        String::new()
    } else {
        format!(" (of that {})", kinds.join(", "))
    }
}

fn energy(summary: &Summary) -> String {
    let audit = &summary.audit;
    format!(
        "{} J before, {} J after{}",
        figures(audit.energy_initial.total),
        figures(audit.energy.total),
        energy_kinds(&audit.energy)
    )
}

fn lost(summary: &Summary) -> String {
    let audit = &summary.audit;
    let work = match audit.work_by_kinematic {
        0.0 => String::new(),
        work => format!(", {} J of work by kinematic bodies", figures(work)),
    };
    let external = match audit.external_work {
        0.0 => String::new(),
        work => format!(", {} J of work by external forces", figures(work)),
    };
    let shear = match audit.shear_work {
        0.0 => String::new(),
        work => format!(", {} J of work by the shear of the box", figures(work)),
    };
    let given = match audit.given {
        0.0 => String::new(),
        given => format!(", {} J given by changes", figures(given)),
    };
    let work = work + &external + &shear + &given;
    let losses = &audit.losses;
    let both =
        |cause: fn(&LossFacts) -> f64| cause(&losses.between_balls) + cause(&losses.with_fixtures);
    let causes: Vec<String> = [
        (both(|loss| loss.restitution), "restitution"),
        (both(|loss| loss.friction), "friction"),
        (
            -both(|loss| loss.energy_added),
            "added by restitution above 1",
        ),
        (
            -seen(
                both(|loss| loss.energy_added_by_friction),
                audit.lost_in_collisions,
            ),
            "added by the friction of the law",
        ),
    ]
    .iter()
    .filter(|(part, _)| *part != 0.0)
    .map(|(part, cause)| format!("{} {cause}", figures(*part)))
    .collect();
    let causes = if causes.is_empty() {
        String::new()
    } else {
        format!(" ({})", causes.join(", "))
    };
    format!(
        "{} J in collisions{causes}{work}; residual {:.1e} J",
        figures(audit.lost_in_collisions),
        audit.energy_residual.abs()
    )
}

/// What has been put in by friction, J, beside what has been lost: mere rounding is not shown.
fn seen(energy_added: f64, lost: f64) -> f64 {
    if energy_added > 1e-12 * lost.abs() {
        energy_added
    } else {
        0.0
    }
}

/// How a run by forces was stepped.
fn forces(summary: &Summary) -> Option<(&'static str, String)> {
    summary
        .scene
        .forces
        .as_ref()
        .map(|stepping| ("forces", stepped_by(stepping)))
}

/// "verlet, steps of 1.00000e-5 s, granular engine on 2 threads".
pub fn stepped_by(stepping: &Stepping) -> String {
    let loop_over_contacts = match (stepping.engine, &stepping.why_general) {
        ("granular", _) => {
            let threads = count(stepping.threads as u64, "thread", "threads");
            format!(", granular engine on {threads}")
        }
        (_, Some(why)) => format!(", by the general loop ({why})"),
        _ => String::new(),
    };
    let springs = match stepping.spring_time {
        Some(time) => format!(", contacts of {} s", figures(time)),
        None => String::new(),
    };
    format!(
        "{}, {} of {} s{springs}{loop_over_contacts}",
        stepping.integrator,
        count(stepping.steps, "step", "steps"),
        figures(stepping.step)
    )
}

/// Contacts of measurable duration, where there were any.
fn tandem(summary: &Summary) -> Option<(&'static str, String)> {
    let collisions = &summary.collisions;
    let ended: Vec<String> = collisions
        .released
        .iter()
        .map(|(separation, count)| format!("{count} by {separation}"))
        .collect();
    let ended = if ended.is_empty() {
        "none of them over".to_owned()
    } else {
        format!("ended {}", ended.join(", "))
    };
    let held = &summary.audit.in_contact;
    if summary.scene.method == "forces" {
        let number = count(held.contacts, "contact", "contacts");
        let text = format!(
            "{number} under way, with {} J in springs",
            figures(held.energy)
        );
        return (held.contacts > 0).then_some(("springs", text));
    }
    let under_way = match held.contacts {
        0 => String::new(),
        contacts => format!("; {contacts} under way with {} J", figures(held.energy)),
    };
    let number = count(collisions.lasting, "contact", "contacts");
    let text = format!("{number} of measurable duration, {ended}{under_way}");
    (collisions.lasting > 0).then_some(("sticking", text))
}

/// What balls lost that keep touching something, where they did.
fn lasting(summary: &Summary) -> Option<(&'static str, String)> {
    let lasting = &summary.audit.losses.lasting;
    let parts = [
        (lasting.sliding, "sliding"),
        (lasting.rolling, "rolling"),
        (lasting.spinning, "spinning"),
        (lasting.settling, "settling"),
        (lasting.damping, "dampers"),
        (lasting.stepping, "steps"),
        (lasting.projection, "projection"),
        (
            -seen(
                lasting.energy_added_by_friction,
                lasting.sliding + lasting.settling,
            ),
            "added by friction",
        ),
    ];
    let causes: Vec<String> = parts
        .iter()
        .filter(|(part, _)| *part != 0.0)
        .map(|(part, cause)| format!("{} {cause}", figures(*part)))
        .collect();
    let total: f64 = parts.iter().map(|(part, _)| part).sum();
    let text = format!(
        "{} J lost in lasting ones ({})",
        figures(total),
        causes.join(", ")
    );
    (!causes.is_empty()).then_some(("contacts", text))
}

/// How balls came to keep touching something and went on there, where they did.
fn transitions(summary: &Summary) -> Option<(&'static str, String)> {
    let kinds = summary.events.transitions.iter();
    let kinds: Vec<String> = kinds
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    (!kinds.is_empty()).then(|| ("changes", kinds.join(", ")))
}

/// How often sensors were entered and left, where there are any.
fn sensors(summary: &Summary) -> Option<(&'static str, String)> {
    let events = &summary.events;
    let each: Vec<String> = (events.sensors.iter().take(SENSORS))
        .map(|sensor| {
            let SensorFacts {
                name,
                entered,
                left,
            } = sensor;
            format!("{}: {entered} entered, {left} left", shortened(name))
        })
        .collect();
    let all = format!("{} entered, {} left", events.entered, events.left);
    let text = match events.sensors.len() {
        0 => return None,
        number if number > SENSORS => {
            let more = number - SENSORS;
            format!(
                "{all} in all; {}; and {more} more: --json has them",
                each.join("; ")
            )
        }
        1 => each.concat(),
        _ => format!("{all} in all; {}", each.join("; ")),
    };
    Some(("sensors", text))
}

/// "1.23456 ± 0.00012".
fn mean(mean: &Mean) -> String {
    if mean.error.is_finite() {
        format!("{} ± {:.1e}", figures(mean.mean), mean.error)
    } else {
        figures(mean.mean)
    }
}

/// What was averaged over the run, where that was asked for.
fn averages(summary: &Summary) -> Vec<(&'static str, String)> {
    let Some(averages) = &summary.observables.averages else {
        return Vec::new();
    };
    let mut parts = vec![
        (averages.temperature, "k T ", " J"),
        (averages.mean_speed, "mean speed ", " m/s"),
        (
            averages.collision_rate,
            "",
            " collisions per ball and second",
        ),
        (averages.mean_free_path, "mean free path ", " m"),
    ];
    parts.extend(
        averages
            .compressibility
            .map(|z| (z, "Z = P V/(N k T) ", "")),
    );
    parts.extend(averages.pressure.map(|pressure| {
        let unit = match summary.scene.dimension {
            2 => " N/m",
            _ => " Pa",
        };
        (pressure, "pressure ", unit)
    }));
    let parts: Vec<String> = parts
        .iter()
        .filter(|(value, _, _)| value.mean.is_finite())
        .map(|(value, before, after)| format!("{before}{}{after}", mean(value)))
        .collect();
    let samples = count(averages.samples, "sample", "samples");
    let over = format!("over {} s, {samples}", figures(averages.duration));
    let rows = parts.chunks(2).map(|pair| pair.join(", "));
    let mut rows: Vec<_> = rows.map(|row| ("", row)).collect();
    rows.insert(0, ("averages", over));
    rows
}

/// What drag, wind and other fields took and gave, where they did.
fn fields(summary: &Summary) -> Option<(&'static str, String)> {
    let (lost, momentum) = (
        summary.audit.losses.fields,
        &summary.audit.momentum_from_fields,
    );
    let error = match summary.audit.losses.integration {
        0.0 => String::new(),
        taken => format!(
            ", {} J added by the error of explicit Euler",
            figures(-taken)
        ),
    };
    let text = format!(
        "{} J lost to them, {} kg m/s of momentum from them{error}",
        figures(lost),
        vector(momentum)
    );
    (lost != 0.0 || length(momentum) != 0.0).then_some(("fields", text))
}

fn angular_momentum(summary: &Summary) -> String {
    let Some(angular) = &summary.audit.angular_momentum else {
        return "momentum is not defined in a periodic box".to_owned();
    };
    let size = match &angular.residual {
        Spin::Two(residual) => residual.abs(),
        Spin::Three(residual) => length(residual),
    };
    format!(
        "momentum {} before, {} after kg m²/s about the origin; residual {size:.1e}",
        angular_velocity(&angular.initial),
        angular_velocity(&angular.now),
    )
}

fn momentum(summary: &Summary) -> String {
    let audit = &summary.audit;
    format!(
        "{} before, {} after kg m/s; residual {:.1e}",
        vector(&audit.momentum_initial),
        vector(&audit.momentum),
        length(&audit.momentum_residual)
    )
}

fn overlap(summary: &Summary) -> String {
    match summary.audit.deepest_overlap {
        0.0 => "none at any collision".to_owned(),
        depth => format!("at most {depth:.1e} m at any collision"),
    }
}

fn fastest(summary: &Summary) -> String {
    match &summary.observables.fastest {
        Some(fastest) => format!("{} at {} m/s", fastest.body, figures(fastest.speed)),
        None => "no ball is free".to_owned(),
    }
}

/// The final states. Fixed bodies are where they were and are left out.
fn table(bodies: &[BodyFacts], output: &mut Output) -> Result<(), Failure> {
    let moving: Vec<&BodyFacts> = bodies
        .iter()
        .filter(|body| body.motion != "static")
        .collect();
    let header = [
        "body",
        "position (m)",
        "velocity (m/s)",
        "angular velocity (rad/s)",
        "collisions",
    ];
    let mut rows = vec![header.map(str::to_owned)];
    rows.extend(moving.iter().take(TABLE_ROWS).map(|body| {
        [
            shortened(&body.name),
            vector(&body.position),
            vector(&body.velocity),
            angular_velocity(&body.angular_velocity),
            body.collisions.to_string(),
        ]
    }));
    let widths: Vec<usize> = (0..header.len())
        .map(|column| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        })
        .collect();
    output.line(format_args!(""))?;
    for row in &rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| {
                let gap = width - cell.chars().count();
                format!("{cell}{}", " ".repeat(gap))
            })
            .collect();
        output.line(format_args!("  {}", cells.join("  ").trim_end()))?;
    }
    match moving.len().saturating_sub(TABLE_ROWS) {
        0 => Ok(()),
        more => output.line(format_args!("  … and {more} more; --json has them all")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_figures() {
        assert_eq!(figures(0.0), "0");
        assert_eq!(figures(1.0), "1.00000");
        assert_eq!(figures(-123.456789), "-123.457");
        assert_eq!(figures(0.00123456789), "0.00123457");
        assert_eq!(figures(999999.4), "999999");
        assert_eq!(figures(1e-9), "1.00000e-9");
        assert_eq!(figures(f64::NAN), "NaN");
    }
}
