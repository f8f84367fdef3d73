//! Scenes with joints: pendulums, dumbbells and springs; with forces, and with impulses in half of the scenes, hinges,
//! chains and doors too, and friction.
//!
//! What such a run does is not computed here. It is judged by its budgets, and rods by their lengths at the end.

use super::{Kind, Scene};
use crate::random::Random;
use serde_json::{Map, Value, json};

/// A scene with joints.
pub(super) fn make(mut random: Random) -> Scene {
    let plane = random.chance(0.6);
    let forces = random.chance(0.5);
    let mut top = Map::new();
    top.insert("version".into(), json!(1));
    top.insert("dimension".into(), json!(if plane { 2 } else { 3 }));
    let until = random.between(0.5, if forces { 1.0 } else { 3.0 });
    top.insert("run".into(), json!({ "until": until }));
    let strength = random.pick(&[0.0, 1.62, 9.81]);
    let down = if plane {
        [0.0, -strength, 0.0]
    } else {
        [0.0, 0.0, -strength]
    };
    top.insert("gravity".into(), vector(plane, down));
    let mut maker = Maker {
        plane,
        random,
        bodies: vec![],
        joints: vec![],
    };
    if forces {
        top.insert("method".into(), json!("forces"));
        top.insert("forces".into(), json!({ "spring_time": 2e-3 }));
        let friction = maker.random.between(0.0, 0.5);
        let stuff = json!({ "restitution": 0.7, "friction": friction });
        top.insert("materials".into(), json!({ "default": stuff }));
    }
    // By impulses rigid bodies make the joints go in steps, where contacts may rub and last.
    let rigid = forces || maker.random.chance(0.5);
    if rigid && !forces {
        let friction = maker.random.between(0.0, 0.5);
        let stuff = json!({ "restitution": maker.random.between(0.0, 1.0), "friction": friction });
        top.insert("materials".into(), json!({ "default": stuff }));
    }
    if rigid {
        maker.chain();
        maker.door();
    }
    // Without rigid bodies smooth and elastic: what comes to rest on a wall is beyond exact segments.
    let count = maker.random.whole(1, 3);
    for number in 0..count {
        maker.pendulum(number, forces);
        maker.dumbbell(number);
    }
    maker.walls();
    top.insert("bodies".into(), Value::Array(maker.bodies));
    top.insert("joint".into(), Value::Array(maker.joints));
    Scene {
        kind: Kind::Joints,
        json: Value::Object(top),
        files: vec![],
    }
}

/// A vector as scenes have it: of the plane x and y, upwards being last in both.
fn vector(plane: bool, v: [f64; 3]) -> Value {
    if plane { json!([v[0], v[1]]) } else { json!(v) }
}

struct Maker {
    plane: bool,
    random: Random,
    bodies: Vec<Value>,
    joints: Vec<Value>,
}

impl Maker {
    /// A place so far to the right and so high.
    fn at(&self, right: f64, up: f64) -> Value {
        if self.plane {
            json!([right, up])
        } else {
            json!([right, 0.0, up])
        }
    }

    fn ball(&mut self, name: &str, place: Value, velocity: Value) {
        let mass = self.random.between(0.2, 2.0);
        self.bodies.push(json!({ "name": name, "shape": "ball", "radius": 0.08, "mass": mass, "position": place, "velocity": velocity }));
    }

    /// A room from −4 to 4 m, and 6 m high.
    fn walls(&mut self) {
        for (name, right, up, normal) in [
            ("floor", 0.0, -3.0, [0.0, 1.0]),
            ("left", -4.0, 0.0, [1.0, 0.0]),
            ("right", 4.0, 0.0, [-1.0, 0.0]),
        ] {
            let (point, normal) = (self.at(right, up), self.at(normal[0], normal[1]));
            self.bodies
                .push(json!({ "name": name, "shape": "wall", "point": point, "normal": normal }));
        }
    }

    /// A ball on a rod from a point of the world, with a second one on a spring below it.
    fn pendulum(&mut self, number: usize, forces: bool) {
        let hook = -3.0 + 2.5 * number as f64;
        let (length, angle) = (
            self.random.between(0.4, 0.9),
            self.random.between(-2.5, 2.5),
        );
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let [right, up] = [hook + length * sin, 2.5 - length * cos];
        let [bob, tail] = ["bob", "tail"].map(|what| format!("{what} {number}"));
        let (still, place) = (self.at(0.0, 0.0), self.at(right, up));
        self.ball(&bob, place, still.clone());
        let point = self.at(hook, 2.5);
        self.joints.push(json!({ "name": format!("rod {number}"), "kind": "distance", "between": [bob], "point": point }));
        if self.random.chance(0.6) {
            let below = self.at(right, up - 0.5);
            self.ball(&tail, below, still);
            let stiffness = self.random.between(5.0, 200.0);
            let rest = self.random.between(0.3, 0.6);
            let mut spring = json!({ "kind": "spring", "between": [bob, tail], "stiffness": stiffness, "rest_length": rest });
            if self.random.chance(0.5) {
                spring["damping"] = json!(self.random.between(0.0, 1.0));
            }
            if forces && self.random.chance(0.5) {
                spring["collide"] = json!(false);
            }
            self.joints.push(spring);
        }
    }

    /// Two balls on a rod, thrown and turning.
    fn dumbbell(&mut self, number: usize) {
        let [one, other] = ["one", "other"].map(|what| format!("{what} {number}"));
        let (middle, half) = (-2.5 + 2.5 * number as f64, self.random.between(0.2, 0.6));
        let (speed, turning) = (
            self.random.between(-2.0, 2.0),
            self.random.between(-5.0, 5.0),
        );
        let low = -0.5;
        for (name, side) in [(&one, -1.0), (&other, 1.0)] {
            let place = self.at(middle + side * half, low);
            let velocity = self.at(speed, side * half * turning);
            self.ball(name, place, velocity);
        }
        let mut rod =
            json!({ "name": format!("bar {number}"), "kind": "distance", "between": [one, other] });
        if self.random.chance(0.3) {
            rod["length"] = json!(2.0 * half);
        }
        self.joints.push(rod);
    }

    /// Boxes from a point of the world, hinge by hinge, and a spring at the end.
    fn chain(&mut self) {
        let links = self.random.whole(1, 5);
        let size = if self.plane {
            json!([0.3, 0.1])
        } else {
            json!([0.3, 0.1, 0.1])
        };
        for link in 0..links {
            let name = format!("link {link}");
            let place = self.at(-3.4 + 0.4 * link as f64 + 0.2, -1.8);
            self.bodies.push(json!({ "name": name, "shape": "box", "size": size, "position": place, "mass": 0.5 }));
            let point = self.at(-3.4 + 0.4 * link as f64, -1.8);
            let mut hinge = json!({ "kind": "hinge", "between": [name], "point": point });
            if link > 0 {
                hinge["between"] = json!([format!("link {}", link - 1), format!("link {link}")]);
            }
            self.joints.push(hinge);
        }
        let last = format!("link {}", links - 1);
        let anchor = self.at(0.15, 0.0);
        let point = self.at(-3.4 + 0.4 * links as f64, -2.6);
        self.joints.push(json!({ "name": "tail spring", "kind": "spring", "between": [last], "anchors": [anchor], "point": point, "stiffness": 40.0, "damping": 0.2 }));
    }

    /// In 3-D, a door on a hinge with an axis.
    fn door(&mut self) {
        if self.plane {
            return;
        }
        let turning = self.random.between(-3.0, 3.0);
        self.bodies.push(json!({
            "name": "door", "shape": "box", "size": [0.6, 0.04, 0.6], "position": [0.3, 3.0, 0.0], "mass": 3.0,
            "velocity": [0.0, 0.3 * turning, 0.0], "angular_velocity": [0.0, 0.0, turning],
        }));
        self.joints.push(json!({ "name": "hinges", "kind": "hinge", "between": ["door"], "point": [0.0, 3.0, 0.0], "axis": [0.0, 0.0, 1.0] }));
    }
}
