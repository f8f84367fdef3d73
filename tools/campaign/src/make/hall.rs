//! Closed rooms of every form.

use super::Maker;
use crate::random::rounded;
use serde_json::{Value, json};
use std::f64::consts::{PI, TAU};

impl Maker {
    /// A room around the middle, or beside it; its walls may move.
    pub(super) fn hall(&mut self) {
        let far = rounded(1.1 * self.span, 4);
        // What solids can be beside: everything but arcs.
        let shapes: &[&str] = match (self.plane, self.rigid) {
            (true, true) => &["rectangle", "regular_polygon", "polygon", "circle"],
            (true, false) => &[
                "rectangle",
                "regular_polygon",
                "polygon",
                "circle",
                "circle",
                "stadium",
                "outline",
            ],
            (false, _) => &["box", "sphere", "cylinder", "prism"],
        };
        let shape = self.random.pick(shapes);
        let mut room = self.room(shape, far);
        room["name"] = json!("hall");
        let walls = crate::walls::room(&room, 1).0.len();
        if self.random.chance(0.2) {
            let names: Vec<String> = (0..walls).map(|_| self.material()).collect();
            room["materials"] = json!(names);
        } else {
            room["material"] = json!(self.material());
        }
        if !self.dull && self.random.chance(0.2) {
            let endless = ["rectangle", "box", "prism", "cylinder"].contains(&shape);
            let mut motion = self.motion([0.0; 3], endless && self.rigid);
            if !self.plane && motion.get("pivot").is_some() && endless {
                motion = json!({ "velocity": [0.2, 0.0, 0.1] });
            }
            room["motion"] = motion;
        } else if !self.dull && self.random.chance(0.2) && walls > 1 {
            let wall = self.random.whole(1, walls);
            let mut motion = self.motion([0.0; 3], true);
            if motion.get("path").is_some() || motion.get("amplitude").is_some() {
                let velocity = self.any(0.3);
                motion = json!({ "velocity": self.vector(velocity) });
            }
            room["walls"] = json!([{ "wall": wall, "motion": motion }]);
        }
        let (bodies, closed) = crate::walls::room(&room, 1);
        for mut body in bodies {
            let start = body.drive.at(0.0);
            body.forms = body.forms.iter().map(|form| form.moved(&start)).collect();
            self.placed.push(body);
        }
        self.closed.extend(closed);
        self.rooms.push(room);
    }

    fn room(&mut self, shape: &str, far: f64) -> Value {
        let away = -far;
        match shape {
            "rectangle" => json!({ "shape": shape, "low": [away, away], "high": [far, far] }),
            "regular_polygon" => {
                json!({ "shape": shape, "sides": self.random.whole(3, 9), "position": [0.0, 0.0], "radius": rounded(1.6 * far, 4), "angle": self.random.between(0.0, 1.5) })
            }
            "polygon" | "prism" => {
                let corners = self.corners(far);
                match shape {
                    "polygon" => json!({ "shape": shape, "corners": corners }),
                    _ => json!({ "shape": shape, "corners": corners, "low": away, "high": far }),
                }
            }
            "circle" => {
                let mut room = json!({ "shape": shape, "position": [0.0, 0.0], "radius": rounded(1.4 * far, 4) });
                match self.random.whole(0, 4) {
                    0 => {
                        room["vanes"] = json!({ "count": self.random.whole(1, 6), "length": rounded(0.2 * far, 4) })
                    }
                    // Balls on both sides of a thin circle.
                    1 => room["balls"] = json!("both"),
                    2 => {
                        room["balls"] = json!("outside");
                        room["radius"] = json!(rounded(0.3 * far, 4));
                    }
                    _ => {}
                }
                room
            }
            "stadium" => {
                json!({ "shape": shape, "position": [0.0, 0.0], "length": rounded(self.random.between(0.5, 2.0) * far, 4), "radius": far, "angle": self.random.between(0.0, 1.5) })
            }
            "outline" => self.outline(far),
            "sphere" => {
                if self.random.chance(0.2) {
                    json!({ "shape": shape, "position": [0.0, 0.0, 0.0], "radius": rounded(0.4 * far, 4), "balls": "outside" })
                } else {
                    json!({ "shape": shape, "position": [0.0, 0.0, 0.0], "radius": rounded(1.5 * far, 4) })
                }
            }
            "cylinder" => {
                let axis = self.direction();
                json!({ "shape": shape, "position": [0.0, 0.0, 0.0], "axis": axis, "length": rounded(2.4 * far, 4), "radius": rounded(1.3 * far, 4) })
            }
            _ => {
                if self.random.chance(0.15) {
                    let near = rounded(0.3 * far, 4);
                    json!({ "shape": "box", "low": [-near, -near, -near], "high": [near, near, near], "balls": "outside" })
                } else {
                    json!({ "shape": "box", "low": [away, away, away], "high": [far, far, far] })
                }
            }
        }
    }

    /// Corners of a base: convex, an L, or a star with blunt tips.
    fn corners(&mut self, far: f64) -> Vec<[f64; 2]> {
        let away = -far;
        let round = |x: f64| rounded(x, 4);
        match self.random.whole(0, 2) {
            0 => vec![
                [away, away],
                [far, away],
                [far, 0.0],
                [0.0, 0.0],
                [0.0, far],
                [away, far],
            ],
            1 => {
                let count = self.random.whole(3, 7);
                let start = self.random.between(0.0, 1.0);
                let at = |k: usize| start + TAU * k as f64 / count as f64;
                (0..count)
                    .map(|k| {
                        [
                            round(1.6 * far * libm::cos(at(k))),
                            round(1.6 * far * libm::sin(at(k))),
                        ]
                    })
                    .collect()
            }
            _ => {
                let count = 2 * self.random.whole(3, 5);
                let deep = self.random.between(0.6, 0.9);
                let at = |k: usize| TAU * k as f64 / count as f64;
                let out = |k: usize| {
                    if k.is_multiple_of(2) {
                        1.7 * far
                    } else {
                        1.7 * far * deep
                    }
                };
                (0..count)
                    .map(|k| {
                        [
                            round(out(k) * libm::cos(at(k))),
                            round(out(k) * libm::sin(at(k))),
                        ]
                    })
                    .collect()
            }
        }
    }

    /// A half disc, a lens of two arcs, or a rectangle with one round end, inwards or outwards.
    fn outline(&mut self, far: f64) -> Value {
        let segments = match self.random.whole(0, 2) {
            0 => {
                json!([{ "from": [-far, 0.0], "to": [far, 0.0] }, { "centre": [0.0, 0.0], "radius": far, "start": 0.0, "sweep": PI }])
            }
            1 => json!([
                { "from": [-far, -far], "to": [far, -far] }, { "centre": [far, 0.0], "radius": far, "start": -0.5 * PI, "sweep": PI },
                { "from": [far, far], "to": [-far, far] }, { "from": [-far, far], "to": [-far, -far] },
            ]),
            _ => json!([
                { "from": [-far, -far], "to": [2.0 * far, -far] }, { "centre": [2.0 * far, 0.0], "radius": far, "start": -0.5 * PI, "sweep": -PI },
                { "from": [2.0 * far, far], "to": [-far, far] }, { "from": [-far, far], "to": [-far, -far] },
            ]),
        };
        json!({ "shape": "outline", "pieces": segments })
    }
}
