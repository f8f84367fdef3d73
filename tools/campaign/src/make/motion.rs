//! Prescribed motions.

use super::Maker;
use crate::geometry::{V, add, times};
use serde_json::{Value, json};

impl Maker {
    /// Any prescribed motion of what stands at a place; `endless`: a wall.
    pub(super) fn motion(&mut self, place: V, endless: bool) -> Value {
        let kinds: &[&str] = if endless {
            &["uniform", "swing", "path"]
        } else {
            &["uniform", "turning", "swing", "path"]
        };
        match self.random.pick(kinds) {
            "uniform" => {
                let velocity = self.any(0.6);
                json!({ "velocity": self.vector(velocity) })
            }
            "turning" => {
                let pivot = if self.random.chance(0.6) {
                    place
                } else {
                    add(place, self.any(0.4))
                };
                let speed = self.random.pick(&[0.5, 3.0, 10.0]);
                json!({ "pivot": self.vector(pivot), "angular_velocity": self.angular_velocity(speed) })
            }
            "swing" => {
                let amplitude = self.any(0.15);
                json!({ "amplitude": self.vector(amplitude), "frequency": self.random.scale(0.3, 15.0), "phase": self.random.between(0.0, 6.0) })
            }
            _ => {
                let mut path = Vec::new();
                let mut time = 0.0;
                let mut offset = [0.0; 3];
                for _ in 0..self.random.whole(2, 6) {
                    path.push(json!({ "time": crate::random::rounded(time, 4), "offset": self.vector(offset) }));
                    time += self.random.between(0.1, 0.8);
                    offset = self.any(0.25);
                }
                json!({ "path": path })
            }
        }
    }

    /// Prescribed bodies that squeeze, turn and shake a few others.
    pub(super) fn kinematic(&mut self) {
        if self.random.chance(0.9) {
            self.container();
        }
        for _ in 0..self.random.whole(1, 3) {
            let mut body = self.fixture();
            let endless =
                ["wall", "hollow", "tube"].contains(&body["shape"].as_str().unwrap_or(""));
            let place = crate::picture::vector(&body["position"]);
            body["motion"] = self.motion(place, endless);
            body["name"] = json!(format!("f{}", self.bodies.len()));
            self.add(body);
        }
        if self.random.chance(0.3) {
            self.piston();
        }
        let count = self.random.whole(1, 10);
        self.free(count);
    }

    /// A wall that comes nearer, or shakes.
    fn piston(&mut self) {
        let normal = times(self.direction(), -1.0);
        let size = crate::geometry::length(normal);
        let point = times(normal, -1.3 * self.span / size);
        let speed = self.random.between(0.05, 0.8);
        let motion = if self.random.chance(0.5) {
            json!({ "velocity": self.vector(times(normal, speed / size)) })
        } else {
            json!({ "amplitude": self.vector(times(normal, 0.2 / size)), "frequency": self.random.scale(0.5, 20.0) })
        };
        let material = self.material();
        let body = json!({ "shape": "wall", "point": self.vector(point), "normal": self.vector(normal), "motion": motion, "material": material });
        self.add(body);
    }
}
