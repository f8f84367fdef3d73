//! Materials, pairs, and how runs by forces are made.

use super::Maker;
use serde_json::{Map, Value, json};

impl Maker {
    pub(super) fn make_materials(&mut self) {
        let count = self.random.whole(1, 3);
        let mut table = Map::new();
        // Springs and damping of one kind for all: what is mixed is refused, by documented rules.
        let springs = self.springs();
        for k in 0..count {
            let name = format!("m{k}");
            let mut keys = self.surface();
            if self.forces {
                keys.extend(springs.clone());
            }
            table.insert(name.clone(), Value::Object(keys));
            self.materials.push(name);
        }
        if count > 1 && self.random.chance(0.15) {
            let mut pair = self.surface();
            pair.insert("materials".into(), json!(["m0", "m1"]));
            if self.forces {
                pair.extend(springs);
            }
            self.top.insert("pairs".into(), json!([pair]));
        }
        self.top.insert("materials".into(), Value::Object(table));
        if self.forces {
            self.top.insert("method".into(), json!("forces"));
            let options = self.steps();
            self.top.insert("forces".into(), options);
        }
    }

    /// Restitution, friction, resistances, duration, law.
    fn surface(&mut self) -> Map<String, Value> {
        let mut keys = Map::new();
        let restitution = match self.random.whole(0, 9) {
            0 if !self.forces => 0.0,
            1 | 2 => 1.0,
            _ => self.random.between(0.2, 0.95),
        };
        if self.dull && !self.forces {
            let (restitution, friction) =
                (self.random.between(0.0, 0.6), self.random.between(0.1, 1.0));
            keys.insert("restitution".into(), json!(restitution));
            keys.insert("friction".into(), json!(friction));
            if self.random.chance(0.5) {
                keys.insert(
                    "rolling_resistance".into(),
                    json!(self.random.between(0.01, 0.1)),
                );
            }
            return keys;
        }
        let restitution = if !self.forces && self.random.chance(0.02) {
            1.1
        } else {
            restitution
        };
        keys.insert("restitution".into(), json!(restitution));
        if let Some(by_speed) = by_speed(restitution).filter(|_| !self.forces) {
            keys.insert("restitution".into(), by_speed);
        }
        if self.random.chance(0.7) {
            if self.random.chance(0.2) {
                let still = self.random.between(0.2, 1.0);
                keys.insert("static_friction".into(), json!(still));
                keys.insert(
                    "kinetic_friction".into(),
                    json!(crate::random::rounded(0.7 * still, 3)),
                );
            } else {
                drop(keys.insert("friction".into(), json!(self.random.between(0.0, 1.0))))
            }
        }
        let resists = !(self.forces && self.rigid);
        if resists && self.random.chance(0.2) {
            keys.insert(
                "rolling_resistance".into(),
                json!(self.random.between(0.0, 0.1)),
            );
        }
        if resists && self.random.chance(0.12) {
            keys.insert(
                "spinning_resistance".into(),
                json!(self.random.between(0.0, 0.1)),
            );
        }
        if !self.forces && self.random.chance(0.08) {
            keys.insert(
                "contact_duration".into(),
                json!(self.random.scale(1e-4, 0.1)),
            );
        }
        if !self.forces && self.random.chance(0.25) {
            keys.insert(
                "law".into(),
                json!(self.random.pick(&["newton", "course", "beta"])),
            );
        }
        keys
    }

    /// What a surface is like for the method of forces.
    fn springs(&mut self) -> Map<String, Value> {
        let mut keys = Map::new();
        match self.random.whole(0, 5) {
            0 => keys.insert("spring_time".into(), json!(self.random.scale(5e-4, 5e-3))),
            1 if !self.rigid => {
                keys.insert(
                    "poissons_ratio".into(),
                    json!(self.random.pick(&[0.0, 0.3, 0.5])),
                );
                keys.insert("youngs_modulus".into(), json!(self.random.scale(1e6, 1e8)))
            }
            _ => keys.insert("stiffness".into(), json!(self.random.scale(3e4, 1e6))),
        };
        if self.random.chance(0.2) {
            keys.insert("damping_rate".into(), json!(self.random.scale(0.1, 20.0)));
        } else if self.random.chance(0.1) {
            keys.insert("damping".into(), json!(self.random.scale(0.1, 10.0)));
        }
        if self.random.chance(0.15) {
            keys.insert(
                "tangential_stiffness".into(),
                json!(self.random.between(0.0, 1.0)),
            );
            keys.insert(
                "tangential_damping".into(),
                json!(self.random.between(0.0, 1.0)),
            );
        }
        keys
    }

    fn steps(&mut self) -> Value {
        let mut keys = Map::new();
        if self.random.chance(0.5) {
            keys.insert(
                "integrator".into(),
                json!(
                    self.random
                        .pick(&["rk4", "rk4", "verlet", "verlet", "euler"])
                ),
            );
        }
        if self.random.chance(0.2) {
            keys.insert("attraction".into(), json!(false));
        }
        if self.random.chance(0.15) {
            keys.insert("lever_arm".into(), json!("radius"));
        }
        if self.random.chance(0.1) {
            keys.insert("engine".into(), json!("general"));
        } else if self.kind == super::Kind::Gas && self.random.chance(0.3) {
            keys.insert("integrator".into(), json!("verlet"));
            keys.insert("engine".into(), json!("granular"));
        }
        if self.random.chance(0.1) {
            keys.insert("locate".into(), json!(false));
        }
        if self.random.chance(0.08) {
            // Short enough for the stiffest contact that is made here.
            keys.insert("step".into(), json!(self.random.scale(5e-6, 2e-5)));
        }
        Value::Object(keys)
    }
}

/// In place of a tenth of the restitutions, one that depends on the approach speed. Nothing is drawn for it, so that
/// the other scenes of a seed stay as they are.
fn by_speed(restitution: f64) -> Option<Value> {
    let digits = (restitution * 1000.0).round() as u64;
    if digits % 10 != 7 || restitution >= 1.0 {
        return None;
    }
    let speed = 0.5 + restitution;
    Some(match digits / 10 % 3 {
        0 => json!({ "viscoelastic": restitution, "speed": speed }),
        1 => json!({ "loss": 1.0 - restitution }),
        _ => json!({ "table": [[0, 0.9], [speed, 0.8], [2, restitution]] }),
    })
}
