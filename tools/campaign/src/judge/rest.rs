//! Whether what loses energy comes to rest.
//!
//! Free bodies among things that stand still come to rest under gravity, where all surfaces rub and have restitutions
//! below 1, if two more conditions hold. Balls have to be slowed down on the level as well: without rolling resistance
//! one rolls for ever, and in 3-D without spinning resistance one spins for ever on the spot. And the time has to be
//! long enough: most scenes are over while something still rolls. So such a scene is run again with both resistances
//! and for a long time, and has to end because everything is at rest. Left out are scenes with bodies of an infinite
//! moment of inertia, which turn for ever, and those from which a body falls for ever because no wall is below it.

use super::{Case, Fault};
use crate::command::Carom;
use crate::geometry::length;
use crate::picture::{self, Drive, list};
use serde_json::{Value, json};
use std::io;
use std::path::Path;

/// The least resistances against rolling and spinning: a ball of 5 m/s stops within some ten seconds.
const RESISTANCE: f64 = 0.05;

/// How long it may take, s.
const LONG: f64 = 100.0;

/// A body that is so far away has fallen out, or rolls down a wall that has no end and is a little steeper than what
/// the resistance holds, m: scenes are of the size of a metre.
const FAR: f64 = 10.0;

/// How many times the time limit of the scene that may take.
const PATIENCE: u32 = 8;

/// Whether everything comes to rest in a scene in which it has to; `None` for other scenes.
pub fn judge(
    case: &Case,
    carom: &Carom,
    folder: &Path,
    faults: &mut Vec<Fault>,
) -> io::Result<Option<bool>> {
    let mut json = case.scene.json.clone();
    if !has_to_rest(case, &json) {
        return Ok(None);
    }
    for surface in surfaces(&mut json) {
        for key in ["rolling_resistance", "spinning_resistance"] {
            let had = surface[key].as_f64().unwrap_or(0.0);
            surface[key] = json!(had.max(RESISTANCE));
        }
    }
    json["run"] = json!({ "until": LONG, "rest": 0.0 });
    std::fs::write(folder.join("rest.json"), format!("{json:#}\n"))?;
    let carom = Carom {
        limit: carom.limit * PATIENCE,
        ..carom.clone()
    };
    let ran = carom.run(&["run", "rest.json", "--json", "--quiet"], folder)?;
    let summary: Value = serde_json::from_str(&ran.out).unwrap_or_default();
    let mut free = list(&summary, "bodies")
        .iter()
        .filter(|body| body["motion"] == "free");
    let place = |body: &Value| length(picture::vector(&body["position"]));
    if free.any(|body| place(body) > FAR) {
        return Ok(None);
    }
    let reason = summary["outcome"]["reason"].as_str();
    let rests = reason.is_some_and(|it| it.contains("at rest"));
    if !rests {
        let what = reason.map_or_else(|| format!("{:?}", ran.ended), str::to_owned);
        faults.push(Fault::new("not at rest in the end", what));
    }
    Ok(Some(rests))
}

/// The surfaces of materials, and those of pairs of them.
fn surfaces(json: &mut Value) -> impl Iterator<Item = &mut Value> {
    let (mut materials, mut pairs) = (None, None);
    if let Some(keys) = json.as_object_mut() {
        for (key, value) in keys {
            match key.as_str() {
                "materials" => materials = value.as_object_mut(),
                "pairs" => pairs = value.as_array_mut(),
                _ => {}
            }
        }
    }
    let materials = materials.into_iter().flat_map(|all| all.values_mut());
    materials.chain(pairs.into_iter().flatten())
}

fn has_to_rest(case: &Case, json: &Value) -> bool {
    let dull = |surface: &Value| {
        surface["restitution"].as_f64().is_some_and(|it| it < 0.8)
            && (surface["friction"].as_f64() > Some(0.05) || !surface["static_friction"].is_null())
    };
    let bodies = &case.picture.bodies;
    let still = bodies.iter().all(|it| matches!(it.drive, Drive::Still));
    let turns = list(json, "bodies")
        .iter()
        .all(|body| body["inertia"] != "inf");
    let held = bodies.iter().filter(|body| !body.free).count() >= 3;
    let other = ["fields", "contact_time", "loads", "thermostat", "when"];
    let mut copy = json.clone();
    let surfaces: Vec<bool> = surfaces(&mut copy).map(|it| dull(it)).collect();
    json["method"] != "forces"
        && !json["gravity"].is_null()
        && other.iter().all(|key| json[key].is_null())
        && still
        && turns
        && held
        && !surfaces.is_empty()
        && surfaces.iter().all(|&dull| dull)
}
