//! Making a scene that fails smaller, as long as it fails in the same way.

use crate::make::Scene;
use crate::random::rounded;
use serde_json::Value;

/// Keys that a scene can do without, wherever they stand.
const OPTIONAL: [&str; 40] = [
    "contact_time",
    "observe",
    "output",
    "rigid_bodies",
    "gravity",
    "fields",
    "periodic",
    "seed",
    "rest",
    "max_collisions",
    "velocity",
    "angular_velocity",
    "inertia",
    "material",
    "materials",
    "motion",
    "angle",
    "orientation",
    "groups",
    "collides_with",
    "sensor",
    "two_sided",
    "restitution",
    "friction",
    "static_friction",
    "kinetic_friction",
    "rolling_resistance",
    "spinning_resistance",
    "contact_duration",
    "law",
    "region",
    "vanes",
    "walls",
    "integrator",
    "attraction",
    "lever_arm",
    "engine",
    "damping_rate",
    "tangential_stiffness",
    "tangential_damping",
];

/// Numbers that are not made rounder: counts, and what names something.
const EXACT: [&str; 6] = ["version", "dimension", "seed", "wall", "counts", "count"];

/// One step on the way into a scene.
#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Index(usize),
}

#[derive(Clone, Debug)]
enum Change {
    Remove,
    Digits(usize),
    Halve,
}

/// Makes a scene smaller with at most so many `attempts`; `fails` says whether a scene still fails in the same way.
pub fn shrink(scene: &Scene, attempts: usize, mut fails: impl FnMut(&Scene) -> bool) -> Scene {
    let mut best = scene.clone();
    let mut left = attempts;
    loop {
        let mut better = false;
        for change in changes(&best.json) {
            let mut tried = best.clone();
            if !apply(&mut tried.json, &change.0, &change.1) || tried.json == best.json {
                continue;
            }
            if left == 0 {
                return best;
            }
            left -= 1;
            if fails(&tried) {
                best = tried;
                better = true;
                // What is removed shifts all that follows it: the list is made anew where elements are.
                if matches!(
                    (change.0.last(), &change.1),
                    (Some(Step::Index(_)), Change::Remove)
                ) {
                    break;
                }
            }
        }
        if !better {
            return best;
        }
    }
}

/// Everything that could be simpler, the large things first.
fn changes(json: &Value) -> Vec<(Vec<Step>, Change)> {
    let (mut lists, mut keys, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    walk(json, &mut Vec::new(), &mut |path, value| {
        let key = path.iter().rev().find_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Index(_) => None,
        });
        let element = matches!(path.last(), Some(Step::Index(_)));
        if element && value.is_object() {
            lists.push((path.to_vec(), Change::Remove));
        } else if !element && path.len() > 1 || key.is_some_and(|key| OPTIONAL.contains(&key)) {
            keys.push((path.to_vec(), Change::Remove));
        }
        if value.is_f64() && !key.is_some_and(|key| EXACT.contains(&key)) {
            numbers.push((path.to_vec(), Change::Digits(0)));
            numbers.push((path.to_vec(), Change::Digits(1)));
        }
    });
    lists.reverse();
    // The outermost first: a field before its region.
    keys.sort_by_key(|(path, _)| path.len());
    let until = vec![Step::Key("run".into()), Step::Key("until".into())];
    lists
        .into_iter()
        .chain(keys)
        .chain([(until, Change::Halve)])
        .chain(numbers)
        .collect()
}

fn walk(value: &Value, path: &mut Vec<Step>, visit: &mut impl FnMut(&[Step], &Value)) {
    if !path.is_empty() {
        visit(path, value);
    }
    match value {
        Value::Object(keys) => {
            for (key, value) in keys {
                path.push(Step::Key(key.clone()));
                walk(value, path, visit);
                path.pop();
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                path.push(Step::Index(index));
                walk(value, path, visit);
                path.pop();
            }
        }
        _ => {}
    }
}

/// Changes what is at a path; whether it was there.
fn apply(json: &mut Value, path: &[Step], change: &Change) -> bool {
    let Some((last, way)) = path.split_last() else {
        return false;
    };
    let mut at = json;
    for step in way {
        let next = match step {
            Step::Key(key) => at.get_mut(key.as_str()),
            Step::Index(index) => at.get_mut(*index),
        };
        match next {
            Some(next) => at = next,
            None => return false,
        }
    }
    match (change, last) {
        (Change::Remove, Step::Key(key)) => at
            .as_object_mut()
            .is_some_and(|table| table.remove(key).is_some()),
        (Change::Remove, Step::Index(index)) => match at.as_array_mut() {
            Some(list) if *index < list.len() => {
                list.remove(*index);
                true
            }
            _ => false,
        },
        (change, step) => {
            let number = match step {
                Step::Key(key) => at.get_mut(key.as_str()),
                Step::Index(index) => at.get_mut(*index),
            };
            let Some((number, value)) =
                number.and_then(|number| number.as_f64().map(|value| (number, value)))
            else {
                return false;
            };
            *number = match change {
                Change::Digits(digits) => rounded(value, *digits).into(),
                _ => rounded(0.5 * value, 3).into(),
            };
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::make::Kind;
    use serde_json::json;

    #[test]
    fn only_what_matters_is_left() {
        let json = json!({
            "version": 1, "dimension": 2, "run": { "until": 3.217 }, "gravity": [0.0, -9.81], "contact_time": 0.1,
            "bodies": [{ "shape": "ball", "radius": 0.12345, "angular_velocity": 3.0 }, { "shape": "wall" }, { "shape": "ball", "radius": 0.5, "velocity": [1.0, 2.0] }],
        });
        let scene = Scene {
            kind: Kind::Few,
            json,
            files: vec![],
        };
        // It fails as long as a ball of some radius above 0.1 spins.
        let small = shrink(&scene, 500, |scene| {
            crate::picture::list(&scene.json, "bodies")
                .iter()
                .any(|body| {
                    body["angular_velocity"].is_number() && body["radius"].as_f64() > Some(0.1)
                })
        });
        assert_eq!(
            small.json["bodies"],
            json!([{ "radius": 0.12, "angular_velocity": 3.0 }])
        );
        assert!(small.json["gravity"].is_null() && small.json["contact_time"].is_null());
    }
}
