//! Generated balls: gases, lattices, racks, rows and tables, in periodic boxes and rooms.

use super::Maker;
use crate::random::rounded;
use serde_json::{Value, json};

impl Maker {
    pub(super) fn gas(&mut self) {
        let long = rounded(2.0 * self.span, 4);
        let axes = if self.plane { 2 } else { 3 };
        // Periodic along all axes, along some with walls across the others, or a room.
        let periodic: Vec<bool> = match self.random.whole(0, 3) {
            0 | 1 => vec![true; axes],
            2 => (0..axes).map(|axis| axis > 0).collect(),
            _ => vec![false; axes],
        };
        if periodic.contains(&true) {
            let lengths: Vec<Value> = periodic
                .iter()
                .map(|&yes| if yes { json!(long) } else { json!(false) })
                .collect();
            self.top.insert("periodic".into(), json!(lengths));
            // What falls for ever gains energy for ever: gravity is across.
            self.top.remove("gravity");
            if self.gravity && !periodic[0] {
                let pull = self.vector([-9.81, 0.0, 0.0]);
                self.top.insert("gravity".into(), pull);
            }
        }
        for (axis, _) in periodic.iter().enumerate().filter(|(_, yes)| !**yes) {
            for sign in [1.0, -1.0] {
                let (mut normal, mut point) = ([0.0; 3], [0.0; 3]);
                normal[axis] = sign;
                point[axis] = if sign > 0.0 { 0.0 } else { long };
                let material = self.material();
                let name = format!("w{}", self.bodies.len());
                let body = json!({ "shape": "wall", "point": self.vector(point), "normal": self.vector(normal), "motion": "static", "material": material, "name": name });
                self.add(body);
            }
        }
        if self.random.chance(0.3) {
            let radius = rounded(self.random.between(0.05, 0.15) * long, 4);
            let place = [0, 1, 2].map(|axis| {
                if axis < axes {
                    rounded(0.5 * long, 4)
                } else {
                    0.0
                }
            });
            let material = self.material();
            let post = json!({ "shape": "ball", "radius": radius, "position": self.vector(place), "motion": "static", "material": material, "name": "post" });
            self.add(post);
        }
        let count = self
            .random
            .scale(2.0, if self.forces { 120.0 } else { 250.0 }) as usize;
        self.generator(count, long, axes);
        self.thermostat(count);
        if self.random.chance(0.3) {
            let mut observe = json!({ "samples": self.random.whole(5, 50), "from": self.random.pick(&[0.0, 0.1]) });
            if periodic.iter().all(|&yes| yes) && self.random.chance(0.5) {
                observe["radial"] = json!({ "cutoff": rounded(0.4 * long, 3), "bins": 20 });
                observe["msd_lags"] = json!(self.random.whole(1, 5));
            }
            self.top.insert("observe".into(), observe);
        }
        if self.random.chance(0.1) {
            // In a periodic box air is the same everywhere.
            let wind = self.any(2.0);
            let fields = json!({ "drag": { "linear": self.random.between(0.01, 0.5) }, "wind": { "velocity": self.vector(wind) } });
            self.top.insert("fields".into(), fields);
        }
        self.top["run"]["until"] = json!(self.random.between(0.2, 1.5));
    }

    /// Every fifth gas is heated. Nothing is drawn for it, so that the other scenes of a seed stay as they are.
    fn thermostat(&mut self, count: usize) {
        if !count.is_multiple_of(5) {
            return;
        }
        let mut thermostat = json!({
            "strength": rounded(0.01 * count as f64, 3),
            "interval": rounded(0.5 / count as f64, 3),
            "conserve_momentum": count.is_multiple_of(2),
        });
        if count.is_multiple_of(3) {
            thermostat["from"] = json!(0.1);
            thermostat["bodies"] = json!(["gas*"]);
        }
        self.top.insert("thermostat".into(), thermostat);
    }

    fn generator(&mut self, count: usize, long: f64, axes: usize) {
        // Of what the balls fill, at most a fifth: so that all fit, wherever a post stands.
        let each = long / libm::pow(count as f64, 1.0 / axes as f64);
        let radius = rounded(each * self.random.between(0.1, 0.22), 3);
        let mut gas = self.rule(count, long, axes);
        gas["name"] = json!("gas");
        if gas["radius"].is_null() {
            gas["radius"] = match self.random.whole(0, 3) {
                0 if gas["kind"] == "random" => {
                    json!({ "from": rounded(0.5 * radius, 3), "to": radius })
                }
                1 if gas["kind"] == "random" => {
                    json!({ "values": [radius, rounded(0.6 * radius, 3)], "weights": [1.0, 2.0] })
                }
                _ => json!(radius),
            };
        }
        if self.random.chance(0.6) {
            gas["mass"] = json!(self.random.scale(0.1, 2.0))
        } else {
            gas["density"] = json!(self.random.scale(10.0, 1000.0))
        }
        if gas["kind"] != "csv" {
            let velocity = self.any(2.0);
            gas["velocity"] = match self.random.whole(0, 2) {
                0 => json!({ "temperature": self.random.scale(0.1, 3.0) }),
                1 => json!({ "speed": self.random.between(0.2, 3.0) }),
                _ => self.vector(velocity),
            };
        }
        if self.random.chance(0.3) {
            gas["angular_velocity"] = self.angular_velocity(10.0);
        }
        gas["material"] = json!(self.material());
        self.top.insert("generate".into(), json!([gas]));
    }

    /// Where the balls are: by one of the five rules.
    fn rule(&mut self, count: usize, long: f64, axes: usize) -> Value {
        match self.random.whole(0, 5) {
            0 => {
                let side = (libm::pow(count as f64, 1.0 / axes as f64) as usize).max(1);
                let spacing = rounded(long / (side + 1) as f64, 4);
                let corner = [0, 1, 2].map(|axis| if axis < axes { spacing } else { 0.0 });
                self.bodies.retain(|body| body["name"] != "post");
                json!({ "kind": "lattice", "counts": vec![side; axes], "position": self.vector(corner), "spacing": spacing, "staggered": self.random.chance(0.2) })
            }
            1 => {
                self.bodies.retain(|body| body["name"] != "post");
                let rows = self.random.whole(1, 5);
                let middle = [0, 1, 2].map(|axis| {
                    if axis < axes {
                        rounded(0.4 * long, 4)
                    } else {
                        0.0
                    }
                });
                json!({ "kind": "rack", "rows": rows, "position": self.vector(middle), "gap": self.random.pick(&[0.0, 0.01]), "direction": self.vector([1.0, 0.0, 0.0]), "radius": rounded(0.04 * long, 3) })
            }
            2 => {
                self.bodies.retain(|body| body["name"] != "post");
                let number = self.random.whole(2, 8);
                let from = [0, 1, 2].map(|axis| {
                    if axis < axes {
                        rounded(0.12 * long, 4)
                    } else {
                        0.0
                    }
                });
                let mut step = [0.0; 3];
                step[0] = rounded(0.1 * long, 4);
                json!({ "kind": "row", "count": number, "position": self.vector(from), "step": self.vector(step), "radius": rounded(0.05 * long * self.random.pick(&[1.0, 0.7]), 6) })
            }
            3 => self.table(long, axes),
            _ => self.anywhere(count, long),
        }
    }

    /// At random in the periodic box, or in a region.
    fn anywhere(&mut self, count: usize, long: f64) -> Value {
        let region: Value = if self.top.contains_key("periodic")
            && self.top["periodic"]
                .as_array()
                .is_some_and(|all| !all.contains(&json!(false)))
        {
            Value::Null
        } else {
            let [low, high] =
                [rounded(0.02 * long, 4), rounded(0.98 * long, 4)].map(|x| self.vector([x; 3]));
            let centre = self.vector([rounded(0.5 * long, 4); 3]);
            if self.random.chance(0.2) {
                json!({ "centre": centre, "radius": rounded(0.48 * long, 4) })
            } else {
                json!({ "from": low, "to": high })
            }
        };
        let mut gas = if self.random.chance(0.2) {
            json!({ "kind": "random", "fraction": self.random.between(0.02, 0.15) })
        } else {
            json!({ "kind": "random", "count": count })
        };
        if !region.is_null() {
            gas["region"] = region;
        }
        gas
    }

    fn table(&mut self, long: f64, axes: usize) -> Value {
        self.bodies.retain(|body| body["name"] != "post");
        let count = self.random.whole(1, 4);
        let names = ["x", "y", "z", "vx", "vy", "vz"];
        let columns: Vec<usize> = (0..axes).chain(3..3 + axes).collect();
        let mut text = columns
            .iter()
            .map(|&k| names[k])
            .collect::<Vec<_>>()
            .join(",");
        text.push('\n');
        for a in 0..count {
            for b in 0..count {
                let place = [a, b, 0].map(|k| rounded(long * (k as f64 + 0.5) / (count as f64), 5));
                let row: Vec<String> = columns
                    .iter()
                    .map(|&k| {
                        if k < 3 {
                            place[k]
                        } else {
                            self.random.between(-2.0, 2.0)
                        }
                        .to_string()
                    })
                    .collect();
                text.push_str(&row.join(","));
                text.push('\n');
            }
        }
        self.files.push(("table.csv".into(), text));
        json!({ "kind": "csv", "file": "table.csv", "radius": rounded(0.2 * long / count as f64, 3) })
    }
}
