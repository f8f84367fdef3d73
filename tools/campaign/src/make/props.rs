//! Fixed and prescribed bodies of every shape.

use super::{Kind, Maker};
use crate::geometry::{V, add, length, times};
use serde_json::{Value, json};

impl Maker {
    /// So many fixtures: still, moving or turning.
    pub(super) fn fixtures(&mut self, count: usize) {
        for _ in 0..count {
            let mut body = self.fixture();
            let endless =
                ["wall", "hollow", "tube"].contains(&body["shape"].as_str().unwrap_or(""));
            let place = crate::picture::vector(&body["position"]);
            let moves = match self.kind {
                _ if self.dull => 0.0,
                Kind::OneBall => 0.35,
                _ => 0.15,
            };
            body["motion"] = if self.random.chance(moves) {
                self.motion(place, endless)
            } else {
                json!("static")
            };
            body["name"] = json!(format!("f{}", self.bodies.len()));
            self.add(body);
        }
    }

    /// A fixture, without a motion.
    pub(super) fn fixture(&mut self) -> Value {
        let shapes: &[&str] = match (self.plane, self.rigid) {
            (true, true) => &[
                "wall", "wall", "hollow", "box", "segment", "ball", "solid", "solid",
            ],
            (true, false) => &[
                "wall", "wall", "hollow", "box", "segment", "segment", "arc", "arc", "ball",
            ],
            (false, true) => &[
                "wall", "wall", "hollow", "tube", "box", "triangle", "ball", "cylinder", "solid",
                "solid", "mesh",
            ],
            (false, false) => &[
                "wall", "wall", "hollow", "box", "triangle", "cylinder", "tube", "ball",
            ],
        };
        let shape = self.random.pick(shapes);
        let place = self.any(self.span);
        let mut body = match shape {
            "wall" => self.wall(),
            "hollow" => {
                let middle = self.any(0.2);
                let radius = self.random.between(1.0, 2.0) * self.span;
                json!({ "shape": "hollow", "position": self.vector(middle), "radius": crate::random::rounded(radius, 4) })
            }
            "tube" => {
                let (middle, axis) = (self.any(0.2), self.direction());
                let radius = self.random.between(1.0, 2.0) * self.span;
                json!({ "shape": "tube", "position": middle, "axis": axis, "radius": crate::random::rounded(radius, 4) })
            }
            "box" => {
                let size = [0, 1, 2].map(|_| self.random.between(0.1, 0.8));
                let mut body = json!({ "shape": "box", "position": self.vector(place), "size": self.vector(size) });
                self.turn(&mut body);
                body
            }
            "segment" => {
                let to = self.end(place, 0.3, 1.5);
                json!({ "shape": "segment", "from": self.vector(place), "to": self.vector(to) })
            }
            "arc" => json!({
                "shape": "arc", "centre": self.vector(place), "radius": self.random.between(0.3, 1.2),
                "start": self.random.between(0.0, 6.0), "sweep": self.random.between(0.3, 6.2),
            }),
            "triangle" => {
                let [b, c] = [self.end(place, 0.3, 1.2), self.end(place, 0.3, 1.2)];
                if thin(place, b, c) {
                    self.wall()
                } else {
                    json!({ "shape": "triangle", "corners": [place, b, c] })
                }
            }
            "cylinder" => {
                let axis = self.direction();
                json!({ "shape": "cylinder", "position": place, "axis": axis, "length": self.random.between(0.1, 1.0), "radius": self.random.between(0.1, 0.5) })
            }
            "mesh" => self.mesh(place),
            "solid" => self.solid(false),
            _ => {
                json!({ "shape": "ball", "position": self.vector(place), "radius": self.random.between(0.1, 0.5) })
            }
        };
        body["material"] = json!(self.material());
        body
    }

    /// A point some way from another.
    fn end(&mut self, from: V, near: f64, far: f64) -> V {
        let direction = self.direction();
        let distance = self.random.between(near, far);
        add(from, times(direction, distance / length(direction)))
            .map(|x| crate::random::rounded(x, 4))
    }

    /// A floor, a slope, or any wall.
    fn wall(&mut self) -> Value {
        let mut normal = times(self.down(), -1.0);
        if self.random.chance(0.6) {
            let tilt = self.any(0.7);
            normal = add(normal, tilt);
        } else if self.random.chance(0.4) {
            normal = self.direction();
        }
        if length(normal) < 0.1 {
            normal = times(self.down(), -1.0);
        }
        let size = length(normal);
        let distance = -self.random.between(0.3, 1.2) * self.span / size;
        let point = times(normal, distance / size).map(|x| crate::random::rounded(x, 4));
        let mut body =
            json!({ "shape": "wall", "point": self.vector(point), "normal": self.vector(normal) });
        if !self.rigid && self.random.chance(0.12) {
            body["two_sided"] = json!(true);
        }
        body
    }

    /// How a body is turned.
    pub(super) fn turn(&mut self, body: &mut Value) {
        if self.random.chance(0.7) {
            let angle = self.random.between(-3.0, 3.0);
            if self.plane {
                body["angle"] = json!(angle);
            } else {
                let axis = self.direction();
                body["orientation"] = json!({ "axis": axis, "angle": angle });
            }
        }
    }

    /// A tent, a bowl or a strip of triangles from a file.
    fn mesh(&mut self, place: V) -> Value {
        let mut text = String::new();
        let count = self.random.whole(3, 6);
        let top = self.random.between(-0.4, 0.4);
        text.push_str(&format!("v 0 0 {top}\n"));
        for k in 0..count {
            let angle = std::f64::consts::TAU * k as f64 / count as f64;
            let (x, y) = (
                crate::random::rounded(libm::cos(angle), 6),
                crate::random::rounded(libm::sin(angle), 6),
            );
            text.push_str(&format!("v {x} {y} 0\n"));
        }
        for k in 0..count {
            text.push_str(&format!("f 1 {} {}\n", k + 2, (k + 1) % count + 2));
        }
        let name = format!("mesh{}.obj", self.files.len());
        self.files.push((name.clone(), text));
        let mut body = json!({ "shape": "mesh", "file": name, "scale": self.random.between(0.3, 1.2), "position": place });
        self.turn(&mut body);
        body
    }

    /// Two or three walls that lean towards each other: a groove or a corner to end in.
    pub(super) fn corner(&mut self) {
        let up = times(self.down(), -1.0);
        let walls = if self.plane {
            2
        } else {
            self.random.whole(2, 3)
        };
        let start = self.random.between(0.0, 3.0);
        for k in 0..walls {
            let angle = start + std::f64::consts::TAU * k as f64 / walls as f64;
            let steep = self.random.pick(&[0.3, 1.0, 1.0, 3.0]);
            let aside = if self.plane {
                [if k == 0 { steep } else { -steep }, 0.0, 0.0]
            } else {
                [steep * libm::cos(angle), steep * libm::sin(angle), 0.0]
            };
            let normal = add(up, aside).map(|x| crate::random::rounded(x, 4));
            let point = times(up, -self.span);
            let material = self.material();
            let body = json!({
                "shape": "wall", "point": self.vector(point), "normal": self.vector(normal),
                "motion": "static", "material": material, "name": format!("w{}", self.bodies.len()),
            });
            self.add(body);
        }
    }

    /// Walls all around: of a room, or one by one.
    pub(super) fn container(&mut self) {
        if !self.rigid && self.random.chance(0.35) {
            return self.hall();
        }
        let far = crate::random::rounded(1.1 * self.span, 4);
        let axes = if self.plane { 2 } else { 3 };
        let open = self.random.chance(0.2);
        for axis in 0..axes {
            for sign in [1.0, -1.0] {
                let mut normal = [0.0; 3];
                normal[axis] = sign;
                let floor = axis + 1 == axes && sign > 0.0;
                if open && !floor && self.random.chance(0.5) {
                    continue;
                }
                let material = self.material();
                let name = format!("w{}", self.bodies.len());
                let body = json!({
                    "shape": "wall", "point": self.vector(times(normal, -far)), "normal": self.vector(normal),
                    "motion": "static", "material": material, "name": name,
                });
                self.add(body);
            }
        }
    }
}

fn thin(a: V, b: V, c: V) -> bool {
    let area = crate::geometry::cross(crate::geometry::sub(b, a), crate::geometry::sub(c, a));
    length(area) < 0.02
}
