//! The final states: overlaps by plain geometry, containers, sleep.

use super::{Case, Fault};
use crate::command::Carom;
use crate::geometry::convex::Convex;
use crate::geometry::form::{Form, overlap};
use crate::geometry::{Pose, length};
use crate::make::images;
use crate::picture::{self, Body, Picture, list, number};
use serde_json::Value;
use std::io;
use std::path::Path;

/// What may overlap, in sizes of the smaller: rounding, and what a step of lasting contacts leaves.
const ALLOWED: f64 = 1e-6;
/// By forces overlaps are what pushes: a ball may get in by its radius, a solid by half of its half thickness
/// (docs/forces.md); deeper the run has to stop.
const BALLS_BY_FORCES: f64 = 1.0;
const SOLIDS_BY_FORCES: f64 = 0.5;

/// A body's state in a summary.
pub fn state<'a>(summary: &'a Value, name: &str) -> Option<&'a Value> {
    list(summary, "bodies")
        .iter()
        .find(|body| body["name"] == name)
}

/// How a body is turned.
pub fn turn(state: &Value) -> Pose {
    match &state["orientation"] {
        Value::Array(q) => Pose::quaternion([0, 1, 2, 3].map(|k| q.get(k).map_or(0.0, number))),
        angle => Pose::about([0.0, 0.0, 1.0], angle.as_f64().unwrap_or(0.0)),
    }
}

fn pose(state: &Value) -> Pose {
    Pose {
        shift: picture::vector(&state["position"]),
        ..turn(state)
    }
}

/// Adds the balls that the scene generates; whether their radii have to be looked up, since they are drawn at random.
pub fn add_generated(picture: &mut Picture, scene: &Value, summary: &Value) -> bool {
    let mut unknown = false;
    for (place, keys) in list(scene, "generate").iter().enumerate() {
        let prefix = keys["name"]
            .as_str()
            .map_or(format!("generated {} ", place + 1), |name| {
                format!("{name} ")
            });
        let radius = number(&keys["radius"]);
        unknown |= !radius.is_finite();
        let mine = |body: &&Value| {
            let rest = body["name"]
                .as_str()
                .and_then(|name| name.strip_prefix(&prefix));
            rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
        };
        let plane = picture.plane;
        for state in list(summary, "bodies").iter().filter(mine) {
            let mut like = keys.clone();
            like["shape"] = "ball".into();
            like["name"] = state["name"].clone();
            like["position"] = state["position"].clone();
            picture.bodies.push(picture::body(&like, 0, plane, &[]));
        }
    }
    unknown
}

/// Radii, masses and inertias of generated balls, from the table of bodies of a run folder.
pub fn radii_from_folder(picture: &mut Picture, carom: &Carom, folder: &Path) -> io::Result<()> {
    carom.run(
        &[
            "run",
            "scene.json",
            "--until",
            "0",
            "--quiet",
            "--out",
            "table",
            "--frames",
            "1",
        ],
        folder,
    )?;
    carom.run(&["convert", "table", "--to", "csv"], folder)?;
    let text = std::fs::read_to_string(folder.join("table/csv/bodies.csv")).unwrap_or_default();
    let _ = std::fs::remove_dir_all(folder.join("table"));
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let value = |k: usize| cells.get(k).and_then(|cell| cell.parse::<f64>().ok());
        let named = picture
            .bodies
            .iter_mut()
            .find(|body| cells.get(1) == Some(&body.name.as_str()));
        if let (Some(body), Some(radius), Some(mass), Some(inertia)) =
            (named, value(5), value(6), value(7))
        {
            (body.mass, body.inertia) = (mass, inertia);
            body.forms = vec![Form::Convex(Convex::ball([0.0; 3], radius))];
        }
    }
    Ok(())
}

/// A body as it is at the end.
struct Placed<'a> {
    body: &'a Body,
    forms: Vec<Form>,
    size: f64,
}

/// Puts a body where it is at the end. Where it was at the start is known as well, so that how its frame lies in it is
/// of no concern.
fn place<'a>(body: &'a Body, case: &Case, time: f64) -> Option<Placed<'a>> {
    let moved = if body.free {
        let now = state(&case.summary, &body.name)?;
        match &body.matter {
            Some(_) => pose(now).after(&pose(state(&case.start, &body.name)?).inverse()),
            None => {
                let (middle, _) = body.forms.first()?.as_ball()?;
                Pose::by(crate::geometry::sub(
                    picture::vector(&now["position"]),
                    middle,
                ))
            }
        }
    } else {
        body.drive.at(time)
    };
    Some(Placed {
        body,
        forms: body.forms.iter().map(|form| form.moved(&moved)).collect(),
        size: body.size(),
    })
}

pub fn judge(case: &Case, faults: &mut Vec<Fault>) {
    let time = case.summary["outcome"]["time"].as_f64().unwrap_or(0.0);
    let picture = &case.picture;
    let placed: Vec<Placed> = picture
        .bodies
        .iter()
        .filter_map(|body| place(body, case, time))
        .collect();
    kinematic(case, time, faults);
    let forces = case.scene.json["method"] == "forces";
    let allowed_between = |a: &Placed, b: &Placed| {
        let solid = |one: &Placed| one.body.free && one.body.matter.is_some();
        if !forces {
            ALLOWED
        } else if solid(a) || solid(b) {
            SOLIDS_BY_FORCES
        } else {
            BALLS_BY_FORCES
        }
    };
    let mut worst: Option<(f64, String, String)> = None;
    for (k, a) in placed.iter().enumerate() {
        for b in &placed[k + 1..] {
            if !(a.body.free || b.body.free) || !a.body.meets(b.body) {
                continue;
            }
            let depth = deepest(a, b, picture);
            let (size, allowed) = (a.size.min(b.size), allowed_between(a, b));
            // Coordinates have some 1e-16 of themselves, and those of corners a few times that.
            if depth > allowed * size + 1e-12
                && worst.as_ref().is_none_or(|worst| depth / size > worst.0)
            {
                let who = cause(a, b, depth / size);
                worst = Some((
                    depth / size,
                    who,
                    format!(
                        "{} and {} by {depth:e} m, {:e} of the size",
                        a.body.name,
                        b.body.name,
                        depth / size
                    ),
                ));
            }
        }
    }
    if let Some((_, who, detail)) = worst {
        let reported = &case.summary["audit"]["deepest_overlap"];
        faults.push(Fault::new(
            who,
            format!("{detail}; the summary has {reported} m at the deepest"),
        ));
    }
    for room in picture.rooms.iter().filter(|room| !room.opened) {
        // A room that was left by a body in another group has no wall for it.
        for ball in placed
            .iter()
            .filter(|one| one.body.free && one.body.groups[0].is_none())
        {
            if let Some(at) = case.summary_place(&ball.body.name)
                && !room.holds(at, time)
            {
                faults.push(Fault::new(
                    "outside of its container",
                    format!("{} is at {at:?}, outside of {}", ball.body.name, room.name),
                ));
                return;
            }
        }
    }
}

impl Case<'_> {
    fn summary_place(&self, name: &str) -> Option<crate::geometry::V> {
        Some(picture::vector(&state(&self.summary, name)?["position"]))
    }
}

/// The kind of an overlap: whose, and how bad.
fn cause(a: &Placed, b: &Placed, share: f64) -> String {
    let solid = |one: &Placed| {
        one.body.matter.is_some()
            || !one.body.free && !["ball", "wall of a container"].contains(&one.body.shape.as_str())
    };
    let who = match (a.body.free, b.body.free) {
        (true, true) if solid(a) || solid(b) => "solids",
        (true, true) => "balls",
        _ if a.body.free && a.body.matter.is_some() || b.body.free && b.body.matter.is_some() => {
            "a solid and a fixture"
        }
        _ => "a ball and a fixture",
    };
    let moves = if a.body.drive.moves() || b.body.drive.moves() {
        " that moves"
    } else {
        ""
    };
    let bad = match share {
        share if share > 0.1 => "deep",
        share if share > 1e-3 => "plain",
        _ => "slight",
    };
    format!("overlap, {bad}: {who}{moves}")
}

fn deepest(a: &Placed, b: &Placed, picture: &Picture) -> f64 {
    let mut depth = f64::NEG_INFINITY;
    for shift in images(&picture.periods) {
        let by = Pose::by(shift);
        for one in &a.forms {
            let one = if shift == [0.0; 3] {
                one.clone()
            } else {
                one.moved(&by)
            };
            for other in &b.forms {
                depth = depth.max(overlap(&one, other, picture.plane).unwrap_or(f64::NEG_INFINITY));
            }
        }
    }
    depth
}

/// Prescribed bodies are where their motion has them.
fn kinematic(case: &Case, time: f64, faults: &mut Vec<Fault>) {
    for body in case
        .picture
        .bodies
        .iter()
        .filter(|body| body.drive.moves() && body.shape == "ball")
    {
        let (Some(at), Some((middle, radius))) = (
            case.summary_place(&body.name),
            body.forms.first().and_then(Form::as_ball),
        ) else {
            continue;
        };
        let mine = body.drive.at(time).at(middle);
        let off = length(crate::geometry::sub(at, mine));
        let periodic = case.picture.periods.iter().any(|&length| length > 0.0);
        if !periodic && off > 1e-9 * (radius + length(mine)) {
            faults.push(Fault::new(
                "a kinematic body is elsewhere",
                format!("{} is at {at:?}, its motion has it at {mine:?}", body.name),
            ));
        }
    }
}
