//! Convex bodies: the hull of a few corners, within a radius of it.

use super::{Pose, V, add, cross, dot, length, sub, times, unit};

/// All points within `round` of the hull of `corners`.
#[derive(Clone, Debug)]
pub struct Convex {
    /// The corners of the hull.
    pub corners: Vec<V>,
    /// The normals of its faces.
    pub normals: Vec<V>,
    /// The directions of its edges, with one end of each.
    pub edges: Vec<(usize, usize)>,
    /// The radius, m.
    pub round: f64,
}

/// How far off a plane a corner may be and still belong to the face, in sizes.
const FLAT: f64 = 1e-9;

/// Corners of the polygon that stands for the rim of a cylinder. It lies inside, so that no overlap is seen that is not
/// there.
const RIM: usize = 24;

impl Convex {
    /// One point: a ball of that radius.
    pub fn ball(middle: V, radius: f64) -> Self {
        Convex {
            corners: vec![middle],
            normals: vec![],
            edges: vec![],
            round: radius,
        }
    }

    /// A line: a capsule of that radius, or a segment.
    pub fn line(from: V, to: V, radius: f64) -> Self {
        Convex {
            corners: vec![from, to],
            normals: vec![],
            edges: vec![(0, 1)],
            round: radius,
        }
    }

    /// A polygon of the plane, its corners in order.
    pub fn polygon(corners: Vec<V>) -> Self {
        let count = corners.len();
        let edges = (0..count).map(|k| (k, (k + 1) % count)).collect();
        Convex {
            corners,
            normals: vec![],
            edges,
            round: 0.0,
        }
    }

    /// A triangle in space.
    pub fn triangle(corners: [V; 3]) -> Self {
        let [a, b, c] = corners;
        let normals = unit(cross(sub(b, a), sub(c, a))).into_iter().collect();
        Convex {
            corners: corners.to_vec(),
            normals,
            edges: vec![(0, 1), (1, 2), (2, 0)],
            round: 0.0,
        }
    }

    /// The hull of corners in space: every three of which have all others on one side make a face.
    pub fn hull(corners: Vec<V>) -> Self {
        let faces = faces(&corners);
        let mut edges = Vec::new();
        for a in 0..corners.len() {
            for b in a + 1..corners.len() {
                let shared = faces
                    .iter()
                    .filter(|face| face.1.contains(&a) && face.1.contains(&b));
                if shared.count() >= 2 {
                    edges.push((a, b));
                }
            }
        }
        Convex {
            normals: faces.into_iter().map(|face| face.0).collect(),
            corners,
            edges,
            round: 0.0,
        }
    }

    /// A box of space, at the origin.
    pub fn block(half: V) -> Self {
        let corner = |k: usize| {
            [0, 1, 2].map(|axis| {
                if k >> axis & 1 == 1 {
                    half[axis]
                } else {
                    -half[axis]
                }
            })
        };
        Convex::hull((0..8).map(corner).collect())
    }

    /// A prism inside of a cylinder.
    pub fn in_cylinder(middle: V, axis: V, half: f64, radius: f64) -> Self {
        let axis = unit(axis).unwrap_or([0.0, 0.0, 1.0]);
        let side = unit(cross(axis, [1.0, 0.0, 0.0]))
            .or(unit(cross(axis, [0.0, 1.0, 0.0])))
            .unwrap_or([1.0, 0.0, 0.0]);
        let other = cross(axis, side);
        let mut corners = Vec::new();
        let mut edges = Vec::new();
        let mut normals = vec![axis];
        for end in [-half, half] {
            for k in 0..RIM {
                let angle = std::f64::consts::TAU * k as f64 / RIM as f64;
                let out = add(
                    times(side, radius * libm::cos(angle)),
                    times(other, radius * libm::sin(angle)),
                );
                corners.push(add(add(middle, times(axis, end)), out));
            }
        }
        for k in 0..RIM {
            let next = (k + 1) % RIM;
            edges.extend([(k, next), (RIM + k, RIM + next), (k, RIM + k)]);
            normals.extend(unit(cross(sub(corners[next], corners[k]), axis)));
        }
        Convex {
            corners,
            normals,
            edges,
            round: 0.0,
        }
    }

    /// Moved.
    pub fn moved(&self, by: &Pose) -> Self {
        Convex {
            corners: self.corners.iter().map(|&c| by.at(c)).collect(),
            normals: self.normals.iter().map(|&n| by.turned(n)).collect(),
            edges: self.edges.clone(),
            round: self.round,
        }
    }

    /// The middle of a ball around it, and its radius, m.
    pub fn around(&self) -> (V, f64) {
        let sum = self.corners.iter().fold([0.0; 3], |sum, &c| add(sum, c));
        let middle = times(sum, 1.0 / self.corners.len() as f64);
        let reach = self
            .corners
            .iter()
            .map(|&c| length(sub(c, middle)))
            .fold(0.0, f64::max);
        (middle, reach + self.round)
    }

    /// The furthest that it reaches in a direction.
    pub fn furthest(&self, direction: V) -> f64 {
        self.corners
            .iter()
            .map(|&c| dot(c, direction))
            .fold(f64::NEG_INFINITY, f64::max)
    }

    fn nearest(&self, direction: V) -> f64 {
        self.corners
            .iter()
            .map(|&c| dot(c, direction))
            .fold(f64::INFINITY, f64::min)
    }

    fn edge(&self, (from, to): (usize, usize)) -> V {
        sub(self.corners[to], self.corners[from])
    }
}

/// The faces of a hull: normals outwards, and the corners on each.
fn faces(corners: &[V]) -> Vec<(V, Vec<usize>)> {
    let size = corners
        .iter()
        .map(|&c| length(sub(c, corners[0])))
        .fold(0.0, f64::max);
    let mut faces: Vec<(V, Vec<usize>)> = Vec::new();
    for a in 0..corners.len() {
        for b in a + 1..corners.len() {
            for c in b + 1..corners.len() {
                let normal = cross(sub(corners[b], corners[a]), sub(corners[c], corners[a]));
                if length(normal) < 1e-7 * size * size {
                    continue;
                }
                let normal = times(normal, 1.0 / length(normal));
                let heights = corners.iter().map(|&x| dot(sub(x, corners[a]), normal));
                let (low, high) = heights
                    .clone()
                    .fold((0.0f64, 0.0f64), |(l, h), x| (l.min(x), h.max(x)));
                let outwards = if high <= FLAT * size {
                    normal
                } else if low >= -FLAT * size {
                    times(normal, -1.0)
                } else {
                    continue;
                };
                let on: Vec<usize> = (heights.enumerate().filter(|(_, h)| h.abs() <= FLAT * size))
                    .map(|(k, _)| k)
                    .collect();
                if !faces.iter().any(|face| face.1 == on) {
                    faces.push((outwards, on));
                }
            }
        }
    }
    faces
}

/// By how much two convex bodies overlap, m; negative: the gap between them.
///
/// The gap of two polytopes is the largest over all directions of the gap along that direction, and is reached at the
/// normal of a face, across two edges, from corner to corner, or from a corner square to an edge: all of them are
/// tried. Where they overlap, the least depth is at the first two kinds.
pub fn overlap(a: &Convex, b: &Convex, plane: bool) -> f64 {
    let mut best = f64::NEG_INFINITY;
    let round = a.round + b.round;
    let mut ask = |direction: V| {
        if let Some(n) = unit(direction) {
            let ahead = b.nearest(n) - a.furthest(n);
            let behind = a.nearest(n) - b.furthest(n);
            best = best.max(ahead).max(behind);
        }
    };
    for &from in &a.corners {
        for &to in &b.corners {
            ask(sub(to, from));
        }
    }
    if plane {
        for (body, edges) in [(a, &a.edges), (b, &b.edges)] {
            for &edge in edges {
                let along = body.edge(edge);
                ask([-along[1], along[0], 0.0]);
            }
        }
        return finish(best, round);
    }
    for &normal in a.normals.iter().chain(&b.normals) {
        ask(normal);
    }
    for &one in &a.edges {
        for &other in &b.edges {
            ask(cross(a.edge(one), b.edge(other)));
        }
    }
    for (body, other) in [(a, b), (b, a)] {
        for &edge in &body.edges {
            let Some(along) = unit(body.edge(edge)) else {
                continue;
            };
            for &corner in &other.corners {
                let from = sub(corner, body.corners[edge.0]);
                ask(sub(from, times(along, dot(from, along))));
            }
        }
    }
    finish(best, round)
}

/// Cores of one point at the same place have no direction between them.
fn finish(best: f64, round: f64) -> f64 {
    round - if best == f64::NEG_INFINITY { 0.0 } else { best }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_and_depths_of_boxes_balls_and_lines() {
        let block = Convex::block([1.0, 1.0, 1.0]);
        assert_eq!(block.edges.len(), 12);
        assert_eq!(block.normals.len(), 6);
        let beside = block.moved(&Pose::by([2.5, 0.3, 0.0]));
        assert!((overlap(&block, &beside, false) + 0.5).abs() < 1e-12);
        let inside = block.moved(&Pose::by([1.75, 0.3, 0.0]));
        assert!((overlap(&block, &inside, false) - 0.25).abs() < 1e-12);
        // Corner to corner.
        let far = block.moved(&Pose::by([3.0, 3.0, 3.0]));
        assert!((overlap(&block, &far, false) + 3f64.sqrt()).abs() < 1e-12);
        // A ball in front of an edge.
        let ball = Convex::ball([2.0, 2.0, 0.0], 1.0);
        assert!((overlap(&block, &ball, false) - (1.0 - 2f64.sqrt())).abs() < 1e-12);
        // Two rods that cross.
        let one = Convex::line([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.2);
        let other = Convex::line([0.0, -1.0, 0.5], [0.0, 1.0, 0.5], 0.2);
        assert!((overlap(&one, &other, false) + 0.1).abs() < 1e-12);
        // In the plane: a segment across a square.
        let square = Convex::polygon(vec![
            [0.0; 3],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
        ]);
        let line = Convex::line([0.9, -1.0, 0.0], [0.9, 2.0, 0.0], 0.0);
        assert!((overlap(&square, &line, true) - 0.1).abs() < 1e-12);
    }
}
