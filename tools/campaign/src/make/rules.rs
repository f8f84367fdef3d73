//! Scenes that play: rules of every kind over a few bodies in a room, with bodies that come and go.
//!
//! Each is a room with balls, a flipper, a plunger and a sensor, in which a handful of rules happen, drawn from all
//! triggers and all actions. What such a run does is not computed here: it is judged by its budgets, and by its bits
//! when it is run again, cut, killed and resumed.

use super::{Kind, Scene};
use crate::random::Random;
use serde_json::{Map, Value, json};

/// A scene of rules.
pub(super) fn make(mut random: Random) -> Scene {
    let plane = random.chance(0.7);
    let until = random.between(1.0, 3.0);
    let mut top = Map::new();
    top.insert("version".into(), json!(1));
    top.insert("dimension".into(), json!(if plane { 2 } else { 3 }));
    top.insert("run".into(), json!({ "until": until }));
    top.insert("contact_time".into(), json!("0.1 ms"));
    top.insert("gravity".into(), vector(plane, [0.0, -9.81, 0.0]));
    top.insert(
        "materials".into(),
        json!({
            "wood": { "restitution": "60 %", "friction": 0.2, "color": "tan", "label": "w" },
            "rubber": { "restitution": 0.9, "friction": 0.4, "color": "#204060" },
        }),
    );
    top.insert("bodies".into(), Value::Array(bodies(plane)));
    top.insert(
        "generate".into(),
        Value::Array(generators(plane, &mut random)),
    );
    let count = random.whole(3, 9);
    // So that every score that is asked about is one.
    let mut rules = vec![json!({ "time": 0.0, "do": { "score": "points", "to": 0 } })];
    rules.extend((0..count).map(|number| rule(number, plane, until, &mut random)));
    top.insert("when".into(), Value::Array(rules));
    Scene {
        kind: Kind::Rules,
        json: Value::Object(top),
        files: vec![],
    }
}

/// A vector as scenes have it.
fn vector(plane: bool, v: [f64; 3]) -> Value {
    if plane { json!([v[0], v[1]]) } else { json!(v) }
}

/// A room from −2 to 2 m, and what is in it.
fn bodies(plane: bool) -> Vec<Value> {
    let at = |v: [f64; 3]| vector(plane, v);
    let axes = if plane { 2 } else { 3 };
    let mut all = Vec::new();
    for axis in 0..axes {
        for side in [-1.0, 1.0] {
            let mut point = [0.0; 3];
            point[axis] = 2.0 * side;
            let mut normal = [0.0; 3];
            normal[axis] = -side;
            all.push(json!({ "name": format!("wall {axis} {side}"), "shape": "wall", "point": at(point), "normal": at(normal), "material": "wood" }));
        }
    }
    let hinge = if plane {
        json!({ "pivot": [-1.0, -1.0] })
    } else {
        json!({ "pivot": [-1.0, -1.0, 0.0], "axis": [0.0, 0.0, 1.0] })
    };
    all.push(json!({ "name": "flipper", "shape": "box", "size": at([0.6, 0.1, 0.6]), "position": at([-0.7, -1.0, 0.0]), "mount": hinge, "material": "rubber" }));
    all.push(json!({ "name": "plunger", "shape": "box", "size": at([0.2, 0.2, 0.2]), "position": at([1.2, -1.5, 0.0]), "mount": "rail", "material": "rubber" }));
    all.push(json!({ "name": "zone", "shape": "box", "size": at([1.0, 1.0, 1.0]), "position": at([0.5, 0.5, 0.0]), "sensor": true }));
    all.push(json!({ "name": "shelf", "shape": "box", "size": at([0.4, 0.1, 0.4]), "position": at([-1.2, 1.0, 0.0]), "material": "wood" }));
    for (name, x) in [("a", -0.5), ("b", 0.6)] {
        all.push(json!({ "name": name, "shape": "ball", "radius": "8 cm", "mass": "200 g", "position": at([x, 1.4, 0.0]), "velocity": at([x, 0.0, 0.1]), "material": "rubber", "color": "red", "label": name, "groups": ["balls"] }));
    }
    all.push(json!({ "name": "late", "shape": "ball", "radius": 0.07, "mass": 0.1, "position": at([0.0, 0.0, 1.0]), "present": false, "material": "rubber" }));
    all
}

fn generators(plane: bool, random: &mut Random) -> Vec<Value> {
    let at = |v: [f64; 3]| vector(plane, v);
    let counts = if plane {
        json!([3, 2])
    } else {
        json!([3, 2, 1])
    };
    let mut pegs = json!({
        "name": "peg {row}-{column}", "kind": "lattice", "counts": counts, "position": at([-0.6, -0.4, 0.0]), "spacing": 0.5,
        "body": { "shape": "box", "size": at([0.06, 0.06, 0.06]), "material": "wood" }, "color": ["gray", "navy"], "label": "p",
    });
    pegs["turn"] = random.pick(&[json!("30 deg"), json!("random")]);
    if !plane && pegs["turn"] != "random" {
        pegs["turn_axis"] = json!([0.0, 1.0, 1.0]);
    }
    let rack = json!({
        "name": "rack", "kind": "rack", "game": random.pick(&["eight-ball", "nine-ball"]), "radius": "2 cm", "mass": "20 g",
        "gap": "1 mm", "position": at([1.0, 1.5, 0.0]), "direction": at([0.0, 1.0, 0.0]), "material": "rubber", "present": false,
    });
    vec![pegs, rack]
}

fn rule(number: usize, plane: bool, until: f64, random: &mut Random) -> Value {
    let mut rule = trigger(plane, until, random);
    let parties = ["collision", "entered", "left"]
        .iter()
        .any(|key| !rule[*key].is_null());
    if random.chance(0.3) {
        rule["name"] = json!(format!("rule {number}"));
    }
    let count = random.whole(1, 3);
    let actions: Vec<Value> = (0..count)
        .map(|_| {
            let mut action = action(plane, parties, until, random);
            if random.chance(0.3) {
                action["after"] = json!(random.between(0.01, 0.5));
            }
            action
        })
        .collect();
    rule["do"] = match actions.as_slice() {
        [one] => one.clone(),
        _ => json!(actions),
    };
    rule
}

fn trigger(plane: bool, until: f64, random: &mut Random) -> Value {
    let mut rule = match random.whole(0, 8) {
        0 => return json!({ "time": random.between(0.0, until) }),
        1 => return json!({ "time": [0.0, 0.3 * until, 0.6 * until] }),
        2 => {
            let every = random.between(0.05, 0.6);
            return json!({ "every": every, "from": random.between(0.0, 0.5), "first": random.whole(1, 9) });
        }
        3 => json!({ "collision": random.pick(&["a", "*", "peg *"]) }),
        4 => json!({ "collision": [["a", "b"], random.pick(&["wall *", "peg *", "shelf"])] }),
        5 => json!({ "entered": "zone", "by": "a" }),
        6 => json!({ "left": ["zone"] }),
        7 => {
            let key = random.pick(&["pressed", "released"]);
            json!({ key: random.pick(&["left", "right"]) })
        }
        _ => {
            let look = random.pick(&[0.001, 0.01, 0.05]);
            json!({ "if": condition(plane, random), "look": look })
        }
    };
    if random.chance(0.5) {
        let which = random.pick(&["first", "nth", "each"]);
        rule[which] = json!(random.whole(1, 4));
    }
    if rule["if"].is_null() && random.chance(0.2) {
        rule["if"] = json!([condition(plane, random)]);
    }
    rule
}

fn condition(plane: bool, random: &mut Random) -> Value {
    let relation = random.pick(&["above", "at_least", "below", "at_most", "equal"]);
    let value = random.between(-1.0, 2.0);
    let whole = random.whole(0, 5);
    match random.whole(0, 10) {
        0 => json!({ "score": "points", relation: whole }),
        1 => json!({ "present": ["a", "b", "late"], relation: whole }),
        2 => json!({ "inside": "zone", relation: whole }),
        3 => json!({ "x": "a", relation: value }),
        4 if !plane => json!({ random.pick(&["z", "velocity_z"]): "b", relation: value }),
        4 => json!({ "y": "b", relation: value }),
        5 => json!({ "velocity_x": "a", relation: value }),
        6 if !plane => json!({ "y": "b", relation: value }),
        6 => json!({ "velocity_y": "late", relation: value }),
        7 => json!({ "speed": "a", relation: value }),
        8 => json!({ "angular_speed": "b", relation: "60 rpm" }),
        9 => json!({ "kinetic_energy": "all", relation: value }),
        _ => json!({ "collisions": "all", relation: 10 * whole }),
    }
}

/// Longer than most: a list of what can be done.
fn action(plane: bool, parties: bool, until: f64, random: &mut Random) -> Value {
    let at = |v: [f64; 3]| vector(plane, v);
    let spin = if plane {
        json!(2.0)
    } else {
        json!([0.0, 0.0, 2.0])
    };
    let target = if parties && random.chance(0.4) {
        json!("@first")
    } else {
        random.pick(&[json!("a"), json!("b"), json!(["a", "b"])])
    };
    let speed = random.between(-2.0, 2.0);
    match random.whole(0, 19) {
        0 => json!({ "gravity": at([0.0, random.pick(&[-1.62, -3.71, -9.81]), 0.0]) }),
        1 => {
            json!({ "fields": { "drag": { "linear": 0.02, "quadratic": 0.0 }, "wind": { "velocity": at([speed, 0.0, 0.0]) } } })
        }
        2 => {
            json!({ "material": "rubber", "restitution": random.between(0.2, 1.0), "friction": 0.1 })
        }
        3 => json!({ "set": target, "velocity": at([speed, 1.0, 0.0]) }),
        4 => json!({ "set": target, "angular_velocity": spin, "material": "wood" }),
        5 => json!({ "set": target, "groups": ["balls"], "collides_with": ["balls"] }),
        6 => json!({ "set": "shelf", "motion": { "velocity": at([0.05 * speed, 0.0, 0.0]) } }),
        7 => json!({ "set": "shelf", "motion": "static" }),
        8 => json!({ "remove": random.pick(&["peg 1-1", "peg *", "b", "late"]) }),
        9 => {
            json!({ "add": "late", "position": at([0.0, 1.7, 0.5]), "velocity": at([speed, 0.0, 0.0]), "angular_velocity": spin })
        }
        10 => json!({ "add": ["1", "2", "3"] }),
        11 => {
            json!({ "add": { "name": format!("extra {}", random.whole(0, 1_000_000)), "shape": "ball", "radius": 0.03, "mass": 0.01, "position": at([1.7, 0.0, -0.7]) } })
        }
        12 => json!({ "swing": "flipper", "to": "40 deg", "speed": "120 rpm", "hold": "200 ms" }),
        13 => {
            json!({ "slide": "plunger", "to": at([0.0, 0.3, 0.0]), "speed": "5 km/h", "hold": 0.4 })
        }
        14 => {
            let mut strike = json!({ "strike": "a", "speed": 2.0, "direction": "30 deg", "side": 0.2, "cue_mass": "500 g", "tip_restitution": 0.8 });
            if !plane {
                strike["height"] = json!(0.3);
                strike["elevation"] = json!("5 deg");
            }
            strike
        }
        15 => json!({ "score": "points", "by": random.whole(1, 100) }),
        16 => json!({ "score": "points", "to": 0 }),
        17 => json!({ "print": "{points} points at {time} s" }),
        18 => json!({ "press": random.pick(&["left", "right"]), "hold": 0.1 }),
        _ if random.chance(0.3) => json!({ "stop": "{points} points", "after": 0.9 * until }),
        _ => json!({ "release": "left" }),
    }
}
