//! The scene and the budgets as tables, from the summary of the run.

use crate::canvas::escape;
use crate::chart::{count, rounded};
use crate::recording::Recording;
use carom_data::{DataError, SUMMARY, Stage};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What a page tells of the summary; `Null` what it does not have, or where there is none yet. The bodies, which may be
/// very many, are passed over.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Summary {
    version: Value,
    scene: Value,
    outcome: Value,
    audit: Value,
    digest: Value,
}

impl Summary {
    /// Of a run. It is there, unless the run still goes on, and is what it was.
    pub fn of(recording: &Recording) -> Result<Self, DataError> {
        let folder = &recording.folder;
        if folder.manifest().stage == Stage::Running && !folder.has_file(SUMMARY) {
            return Ok(Summary::default());
        }
        let text = folder.read_file(SUMMARY)?;
        let mut summary: Summary = serde_json::from_slice(&text).unwrap_or_default();
        if summary.version.as_u64() == Some(1) {
            rename(&mut summary.audit);
        }
        Ok(summary)
    }
}

/// What keys of the audit were called in summaries of version 1.
const OLD_NAMES: [(&str, &str); 10] = [
    ("kinetic", "translational"),
    ("put_in", "energy_added"),
    ("put_in_by_friction", "energy_added_by_friction"),
    ("work_by_driven", "work_by_kinematic"),
    ("with_scenery", "with_fixtures"),
    ("from_scenery", "from_fixtures"),
    ("momentum_from_scenery", "momentum_from_fixtures"),
    ("energy_imbalance", "energy_residual"),
    ("momentum_imbalance", "momentum_residual"),
    ("imbalance", "residual"),
];

/// Brings the audit of an older summary to today's names.
fn rename(value: &mut Value) {
    let Some(table) = value.as_object_mut() else {
        return;
    };
    for (old, new) in OLD_NAMES {
        if let Some(found) = table.remove(old) {
            table.insert(new.to_owned(), found);
        }
    }
    table.values_mut().for_each(rename);
}

/// A number, a vector or nothing, for people.
fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) => rounded(number.as_f64().unwrap_or(f64::NAN), 6),
        Value::Array(numbers) => {
            let parts: Vec<String> = numbers.iter().map(shown).collect();
            format!("({})", parts.join(", "))
        }
        Value::String(text) => text.clone(),
        Value::Bool(truth) => truth.to_string(),
        _ => "–".to_owned(),
    }
}

fn rows(rows: &[(&str, String)]) -> String {
    let mut text = "<table class=\"facts\"><tbody>\n".to_owned();
    for (name, value) in rows {
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\">{}</th><td>{}</td></tr>",
            escape(name),
            escape(value)
        );
    }
    text + "</tbody></table>\n"
}

/// The digest of the run, where it has come to its end.
pub fn digest(summary: &Summary) -> String {
    match summary.digest.as_str() {
        Some(digest) => format!("; digest <code>{}</code>", escape(digest)),
        None => String::new(),
    }
}

/// What was run.
pub fn scene(recording: &Recording, summary: &Summary) -> String {
    let manifest = recording.folder.manifest();
    let mut kinds: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for body in &recording.bodies {
        *kinds.entry((&body.motion, &body.shape)).or_default() += 1;
    }
    let bodies: Vec<String> = kinds
        .iter()
        .rev()
        .map(|((motion, shape), number)| format!("{} {motion} {shape}", count(*number, "×", "×")))
        .collect();
    let mut facts = vec![
        ("dimension", format!("{}", manifest.dimension)),
        ("bodies", bodies.join(", ")),
        ("seed", manifest.scene.seed.to_string()),
    ];
    let gravity = &summary.scene["gravity"];
    if !gravity.is_null() {
        facts.push(("gravity", format!("{} m/s²", shown(gravity))));
    }
    if manifest.periods.iter().any(|&period| period > 0.0) {
        let along = |period: &f64| {
            if *period > 0.0 {
                format!("{period} m")
            } else {
                "open".to_owned()
            }
        };
        let lengths: Vec<String> = manifest.periods[..manifest.dimension]
            .iter()
            .map(along)
            .collect();
        facts.push(("periodic box", lengths.join(" × ")));
    }
    facts.push((
        "until",
        format!("{} s", rounded(manifest.schedule.until, 6)),
    ));
    if !manifest.scene.overrides.is_empty() {
        facts.push(("set by hand", manifest.scene.overrides.join(", ")));
    }
    if let Some(status) = summary.outcome["status"].as_str() {
        let reason = summary.outcome["reason"].as_str();
        let reason = reason
            .map(|reason| format!(": {reason}"))
            .unwrap_or_default();
        facts.push((
            "outcome",
            format!("{status}{reason}, at {} s", rounded(manifest.time, 6)),
        ));
    }
    rows(&facts)
}

/// The budgets.
///
/// Longer than most: the list of all rows of the table.
pub fn audit(summary: &Summary) -> String {
    let audit = &summary.audit;
    let mut text = "<section id=\"audit\">\n<h2>Audit</h2>\n".to_owned();
    if audit.is_null() {
        return text + "<p>The run is not complete and has no summary yet.</p>\n</section>\n";
    }
    text += "<table class=\"numbers\"><thead><tr><th scope=\"col\">energy (J)</th><th scope=\"col\">at the start</th><th scope=\"col\">at the end</th></tr></thead><tbody>\n";
    for kind in ["translational", "rotational", "potential", "total"] {
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\">{kind}</th><td>{}</td><td>{}</td></tr>",
            escape(&shown(&audit["energy_initial"][kind])),
            escape(&shown(&audit["energy"][kind]))
        );
    }
    text += "</tbody></table>\n";
    let with = |value: &Value, unit: &str| format!("{} {unit}", shown(value));
    let losses = &audit["losses"];
    let sum = |cause: &str| {
        let part = |with: &str| losses[with][cause].as_f64().unwrap_or(0.0);
        format!(
            "{} J",
            rounded(part("between_balls") + part("with_fixtures"), 6)
        )
    };
    let lasting: f64 = losses["lasting"]
        .as_object()
        .map(|parts| {
            let lost = parts
                .iter()
                .filter(|(name, _)| *name != "energy_added_by_friction");
            lost.filter_map(|(_, loss)| loss.as_f64()).sum::<f64>()
        })
        .unwrap_or(0.0);
    let mut facts = vec![
        ("lost to restitution", sum("restitution")),
        ("lost to friction in collisions", sum("friction")),
        ("added by collisions (ε > 1)", sum("energy_added")),
        (
            "lost in lasting contacts",
            format!("{} J", rounded(lasting, 6)),
        ),
        ("lost to drag and wind", with(&losses["fields"], "J")),
        (
            "work by kinematic bodies",
            with(&audit["work_by_kinematic"], "J"),
        ),
        (
            "work by external forces",
            with(&audit["external_work"], "J"),
        ),
        ("work by shear", with(&audit["shear_work"], "J")),
        ("energy residual", with(&audit["energy_residual"], "J")),
        (
            "momentum at the start",
            with(&audit["momentum_initial"], "kg·m/s"),
        ),
        ("momentum at the end", with(&audit["momentum"], "kg·m/s")),
        (
            "momentum from fixtures",
            with(&audit["momentum_from_fixtures"], "kg·m/s"),
        ),
        (
            "momentum from gravity",
            with(&audit["momentum_from_gravity"], "kg·m/s"),
        ),
        (
            "momentum residual",
            with(&audit["momentum_residual"], "kg·m/s"),
        ),
    ];
    if audit["angular_momentum"].is_object() {
        let angular = &audit["angular_momentum"];
        facts.push((
            "angular momentum at the end",
            with(&angular["now"], "kg·m²/s"),
        ));
        facts.push((
            "angular momentum residual",
            with(&angular["residual"], "kg·m²/s"),
        ));
    }
    facts.push((
        "deepest overlap at any collision",
        with(&audit["deepest_overlap"], "m"),
    ));
    text + &rows(&facts) + "</section>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Reports of run folders of earlier versions would have had dashes in the place of these numbers.
    #[test]
    fn audits_of_older_summaries_are_brought_to_the_new_names() {
        let mut audit = json!({
            "energy": { "kinetic": 1.0, "rotational": 2.0 },
            "energy_imbalance": 3.0,
            "losses": { "with_scenery": { "put_in": 4.0 } },
            "angular_momentum": { "from_scenery": 5.0, "imbalance": 6.0 },
        });
        rename(&mut audit);
        let expected = json!({
            "energy": { "translational": 1.0, "rotational": 2.0 },
            "energy_residual": 3.0,
            "losses": { "with_fixtures": { "energy_added": 4.0 } },
            "angular_momentum": { "from_fixtures": 5.0, "residual": 6.0 },
        });
        assert_eq!(audit, expected);
    }
}
