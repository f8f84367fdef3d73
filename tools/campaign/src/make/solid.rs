//! Solids that turn: boxes, capsules, cylinders, polygons, polyhedra, compounds.

use super::Maker;
use crate::geometry::{V, length, times};
use serde_json::{Value, json};

impl Maker {
    /// A solid; free ones have a mass.
    pub(super) fn solid(&mut self, free: bool) -> Value {
        let shapes: &[&str] = if self.plane {
            &["box", "box", "capsule", "polygon", "polygon", "compound"]
        } else {
            &[
                "box",
                "box",
                "capsule",
                "cylinder",
                "polyhedron",
                "compound",
            ]
        };
        let shape = self.random.pick(shapes);
        let size = self.random.scale(0.15, 0.5) * self.span;
        let place = self.any(0.95 * self.span);
        let mut body = self.part(shape, size);
        if shape == "compound" {
            body = self.compound(size);
        }
        body["position"] = self.vector(place);
        if !["capsule", "cylinder"].contains(&shape) {
            self.turn(&mut body);
        }
        if free {
            if self.random.chance(0.5) {
                body["mass"] = json!(self.random.scale(0.1, 3.0))
            } else {
                body["density"] = json!(self.random.scale(10.0, 1000.0))
            }
            self.move_freely(&mut body);
        }
        body
    }

    /// A convex part about as large as that, m.
    fn part(&mut self, shape: &str, size: f64) -> Value {
        let some = |maker: &mut Maker, low: f64| {
            crate::random::rounded(size * maker.random.between(low, 1.0), 3)
        };
        match shape {
            "capsule" => {
                let direction = self.direction();
                let half = times(direction, 0.5 * some(self, 0.3) / length(direction))
                    .map(|x| crate::random::rounded(x, 5));
                let radius = 0.4 * some(self, 0.3);
                json!({ "shape": "capsule", "from": self.vector(times(half, -1.0)), "to": self.vector(half), "radius": crate::random::rounded(radius, 3) })
            }
            "cylinder" => {
                let axis = self.direction();
                json!({ "shape": "cylinder", "axis": axis, "length": some(self, 0.2), "radius": crate::random::rounded(0.5 * some(self, 0.3), 3) })
            }
            "polygon" => {
                // Corners on an ellipse, in order: convex whatever their angles are.
                let count = self.random.whole(3, 7);
                let corners = self.round(count, size, 0.0);
                json!({ "shape": "polygon", "corners": corners.iter().map(|c| json!([c[0], c[1]])).collect::<Vec<_>>() })
            }
            "polyhedron" if self.random.chance(0.2) => self.octahedron(size),
            "polyhedron" => json!({ "shape": "polyhedron", "corners": self.polyhedron(size) }),
            _ => {
                let sides = [0, 1, 2].map(|_| some(self, 0.25));
                json!({ "shape": "box", "size": self.vector(sides) })
            }
        }
    }

    /// Corners around an ellipse at a height.
    fn round(&mut self, count: usize, size: f64, height: f64) -> Vec<V> {
        let flat = self.random.between(0.5, 1.0);
        let start = self.random.between(0.0, 1.0);
        let corner = |k: usize, jitter: f64| {
            let angle = start + std::f64::consts::TAU * (k as f64 + jitter) / count as f64;
            let (x, y) = (
                0.5 * size * libm::cos(angle),
                0.5 * size * flat * libm::sin(angle),
            );
            [
                crate::random::rounded(x, 7),
                crate::random::rounded(y, 7),
                height,
            ]
        };
        let jitter = if self.random.chance(0.5) { 0.5 } else { 0.0 };
        (0..count)
            .map(|k| corner(k, jitter * self.random.unit()))
            .collect()
    }

    /// A tetrahedron, a pyramid, an octahedron or a prism: corners on an ellipsoid are all corners of the hull.
    fn polyhedron(&mut self, size: f64) -> Vec<V> {
        let half = crate::random::rounded(0.5 * size, 3);
        match self.random.whole(0, 3) {
            0 => vec![
                [half, half, half],
                [half, -half, -half],
                [-half, half, -half],
                [-half, -half, half],
            ],
            1 => {
                let mut corners = self.round(4, size, 0.0);
                corners.push([0.0, 0.0, half]);
                corners
            }
            2 => vec![
                [half, 0.0, 0.0],
                [-half, 0.0, 0.0],
                [0.0, half, 0.0],
                [0.0, -half, 0.0],
                [0.0, 0.0, half],
                [0.0, 0.0, -half],
            ],
            _ => {
                let count = self.random.whole(3, 6);
                let base = self.round(count, size, -0.5 * half);
                let top = base.iter().map(|c| [c[0], c[1], 0.5 * half]);
                base.iter().copied().chain(top).collect()
            }
        }
    }

    /// An octahedron from a file.
    fn octahedron(&mut self, size: f64) -> Value {
        let corners = "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n";
        let faces = "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
        let name = format!("octahedron{}.obj", self.files.len());
        self.files.push((name.clone(), format!("{corners}{faces}")));
        json!({ "shape": "polyhedron", "file": name, "scale": crate::random::rounded(0.5 * size, 3) })
    }

    /// Two or three parts side by side: an L, a dumbbell, a hammer.
    fn compound(&mut self, size: f64) -> Value {
        let side = crate::random::rounded(0.5 * size, 3);
        let at = |maker: &Maker, x: f64, y: f64| maker.vector([x, y, 0.0]);
        let cube = |maker: &Maker, x: f64, y: f64| json!({ "shape": "box", "size": maker.vector([side, side, side]), "position": at(maker, x, y) });
        let parts = match self.random.whole(0, 3) {
            0 => vec![
                cube(self, 0.0, 0.0),
                cube(self, side, 0.0),
                cube(self, 0.0, side),
            ],
            1 => {
                let ball = |x: f64| json!({ "shape": "ball", "radius": 0.5 * side, "position": at(self, x, 0.0) });
                vec![ball(-side), ball(side), cube(self, 0.0, 0.0)]
            }
            2 => {
                let handle = json!({ "shape": "capsule", "from": at(self, 0.0, side), "to": at(self, 0.0, 2.0 * side), "radius": 0.25 * side });
                vec![cube(self, 0.0, 0.0), handle]
            }
            _ if self.plane => {
                let wedge = json!({ "shape": "polygon", "corners": [[0.5 * side, -0.5 * side], [1.5 * side, -0.5 * side], [0.5 * side, 0.5 * side]] });
                vec![cube(self, 0.0, 0.0), wedge]
            }
            _ => {
                let can = json!({ "shape": "cylinder", "position": [side, 0.0, 0.0], "axis": [1.0, 0.0, 0.0], "length": side, "radius": 0.4 * side });
                vec![cube(self, 0.0, 0.0), can]
            }
        };
        json!({ "shape": "compound", "parts": parts })
    }
}
