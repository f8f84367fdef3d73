//! Fields: drag, wind, lift, central fields, springs, and the regions they act in.

use super::Maker;
use serde_json::{Map, Value, json};

impl Maker {
    pub(super) fn fields(&mut self) {
        let mut fields = Map::new();
        let kinds = [
            "drag",
            "drag",
            "wind",
            "lift",
            "rotational_drag",
            "uniform",
            "central",
            "springs",
        ];
        for _ in 0..self.random.whole(1, 4) {
            let kind = self.random.pick(&kinds);
            let mut field = self.field(kind);
            if self.random.chance(0.35) {
                field["region"] = self.region();
            }
            match fields.get_mut(kind) {
                Some(Value::Array(list)) => list.push(field),
                _ => drop(fields.insert(kind.into(), json!([field]))),
            }
            if kind == "wind" && !fields.contains_key("drag") {
                fields.insert(
                    "drag".into(),
                    json!({ "linear": self.random.between(0.05, 1.0) }),
                );
            }
        }
        for value in fields.values_mut() {
            if let Value::Array(list) = value
                && list.len() == 1
                && self.random.chance(0.5)
            {
                *value = list[0].clone();
            }
        }
        match self.random.whole(0, 9) {
            0 if !self.forces => {
                fields.insert("method".into(), json!("euler"));
                fields.insert("step".into(), json!(self.random.scale(1e-4, 1e-2)));
            }
            1 => drop(fields.insert("tolerance".into(), json!(self.random.scale(1e-12, 1e-6)))),
            2 => drop(fields.insert("tolerance".into(), json!({ "absolute": 1e-10, "relative": 1e-9, "max_step": self.random.pick(&[0.01, 0.1]) }))),
            _ => {}
        }
        self.top.insert("fields".into(), Value::Object(fields));
    }

    fn field(&mut self, kind: &str) -> Value {
        let centre = self.any(self.span);
        match kind {
            "drag" => match self.random.whole(0, 2) {
                0 => {
                    json!({ "density": self.random.scale(0.5, 1000.0), "viscosity": self.random.scale(1e-5, 1.0), "coefficient": 0.47 })
                }
                1 => json!({ "linear": self.random.between(0.0, 1.0) }),
                _ => {
                    json!({ "linear": self.random.between(0.0, 0.5), "quadratic": self.random.between(0.0, 0.5) })
                }
            },
            "wind" => {
                let velocity = self.any(5.0);
                match self.random.whole(0, 3) {
                    0 => json!({ "velocity": self.vector(velocity) }),
                    1 => {
                        let start = self.random.between(0.0, 1.0);
                        json!({ "velocity": self.vector(velocity), "start": start, "end": start + self.random.between(0.1, 1.0) })
                    }
                    2 => {
                        let (normal, gradient) = (self.direction(), self.any(2.0));
                        json!({ "velocity": self.vector(velocity), "point": self.vector(centre), "normal": self.vector(normal), "gradient": self.vector(gradient) })
                    }
                    _ => {
                        let mut vortex = json!({ "centre": self.vector(centre), "circulation": self.random.between(-3.0, 3.0), "core": self.random.between(0.1, 0.5) });
                        if !self.plane {
                            vortex["axis"] = json!(self.direction());
                        }
                        vortex
                    }
                }
            }
            "lift" => {
                if self.random.chance(0.5) {
                    json!({ "coefficient": self.random.between(-0.02, 0.05) })
                } else {
                    json!({ "coefficient": self.random.between(0.0, 1.0), "density": 1.2 })
                }
            }
            "rotational_drag" => {
                if self.random.chance(0.5) {
                    json!({ "coefficient": self.random.scale(1e-5, 1e-2) })
                } else {
                    json!({ "viscosity": self.random.scale(1e-5, 1e-1) })
                }
            }
            "uniform" => {
                let acceleration = self.any(5.0);
                json!({ "acceleration": self.vector(acceleration) })
            }
            "central" => {
                json!({ "centre": self.vector(centre), "strength": self.random.between(-2.0, 4.0), "softening": self.random.pick(&[0.05, 0.2]) })
            }
            _ => {
                json!({ "centre": self.vector(centre), "stiffness": self.random.between(0.0, 30.0) })
            }
        }
    }

    fn region(&mut self) -> Value {
        let centre = self.any(self.span);
        match self.random.whole(0, 2) {
            0 => {
                let normal = self.direction();
                json!({ "point": self.vector(centre), "normal": self.vector(normal) })
            }
            1 => {
                json!({ "centre": self.vector(centre), "radius": self.random.between(0.3, 1.5), "outside": self.random.chance(0.3) })
            }
            _ => {
                let size = [0, 1, 2].map(|_| self.random.between(0.3, 2.0));
                let to = crate::geometry::add(centre, size).map(|x| crate::random::rounded(x, 5));
                json!({ "from": self.vector(centre), "to": self.vector(to) })
            }
        }
    }
}
