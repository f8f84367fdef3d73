//! The distance of two cores, by the algorithm of Gilbert, Johnson and Keerthi (1988).
//!
//! v is the point of `B − A` nearest to the origin, as far as known: the nearest of a simplex of at most four of its
//! points. Each step adds the point w of `B − A` that is farthest against v. As `n = v/|v|` is a unit vector, `n·w` is
//! the separation of the two along n, *certainly* at most their distance; `|v|` is at least their distance. The search
//! ends where the two agree, or rounding lets nothing improve.

use super::placed::Placed;
use crate::space::Linear;
use glam::DVec3;

/// What is known of the distance of two cores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distance {
    /// From *a* to *b*, of length one; the one with the largest separation found.
    pub normal: DVec3,
    /// Along the normal, m: at most the distance. Negative where no separating plane was found.
    pub least: f64,
    /// At least the distance, m; zero where they overlap.
    pub most: f64,
    /// Whether the origin is so far inside a tetrahedron of points of `B − A` that rounding cannot be the cause.
    pub deep: bool,
    /// The nearest points, as far as known.
    pub on_a: DVec3,
    pub on_b: DVec3,
    /// The corners that the nearest points are made of.
    pub corners: [(u32, u32); 4],
    pub number: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Vertex {
    w: DVec3,
    a: DVec3,
    b: DVec3,
    corners: (u32, u32),
}

/// How nearly the two bounds must agree.
const AGREE: f64 = 1e-14;

const STEPS: usize = 64;

/// The distance; `hint` is a direction from *a* to *b* to begin with. Stops as soon as the separation is above
/// `enough`.
pub(crate) fn distance(a: &Placed, b: &Placed, hint: DVec3, enough: f64) -> Distance {
    let support = |direction: DVec3| {
        let (on_a, corner_a) = a.farthest(direction);
        let (on_b, corner_b) = b.farthest(-direction);
        Vertex {
            w: on_b - on_a,
            a: on_a,
            b: on_b,
            corners: (corner_a, corner_b),
        }
    };
    let first = support(hint);
    let mut simplex = [first; 4];
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    let mut number = 1;
    let mut v = first.w;
    let mut best = Distance {
        normal: hint,
        least: f64::NEG_INFINITY,
        most: f64::INFINITY,
        deep: false,
        on_a: first.a,
        on_b: first.b,
        corners: [first.corners; 4],
        number: 1,
    };
    if let Some(unit) = hint.unit() {
        best.normal = unit;
        best.least = Linear::dot(unit, first.w);
    }
    let mut length = Linear::length(v);
    for _ in 0..STEPS {
        best.most = length;
        if best.least > enough || best.least >= length * (1.0 - AGREE) {
            break;
        }
        let Some(normal) = v.unit() else {
            best.most = 0.0;
            break;
        };
        let new = support(normal);
        let least = Linear::dot(normal, new.w);
        if least > best.least {
            best.least = least;
            best.normal = normal;
        }
        let known = simplex[..number].iter().any(|vertex| vertex.w == new.w);
        if known || least >= length * (1.0 - AGREE) {
            break;
        }
        let (old, old_weights, old_number) = (simplex, weights, number);
        simplex[number] = new;
        number += 1;
        v = match nearest(&mut simplex, &mut weights, &mut number) {
            Some(v) => v,
            None => {
                best.most = 0.0;
                best.deep = is_deep(&simplex);
                break;
            }
        };
        let shorter = Linear::length(v);
        if !(shorter < length) {
            // Rounding: the simplex before was as good.
            (simplex, weights, number) = (old, old_weights, old_number);
            break;
        }
        length = shorter;
    }
    best.number = number;
    best.on_a = DVec3::ZERO;
    best.on_b = DVec3::ZERO;
    for i in 0..number {
        best.corners[i] = simplex[i].corners;
        best.on_a += simplex[i].a * weights[i];
        best.on_b += simplex[i].b * weights[i];
    }
    best
}

/// Whether the origin is inside a tetrahedron, by more than 1e-9 of its size from each face.
fn is_deep(simplex: &[Vertex; 4]) -> bool {
    let w = simplex.map(|vertex| vertex.w);
    let size = w.iter().map(|&x| Linear::length(x)).fold(0.0, f64::max);
    [
        ([0, 1, 2], 3),
        ([0, 2, 3], 1),
        ([0, 3, 1], 2),
        ([1, 3, 2], 0),
    ]
    .into_iter()
    .all(|([i, j, k], apex)| {
        let normal = (w[j] - w[i]).cross(w[k] - w[i]);
        let inner = Linear::dot(normal, w[apex] - w[i]);
        let origin = -Linear::dot(normal, w[i]);
        origin * inner.signum() > 1e-9 * size * Linear::length(normal)
    })
}

/// The point of a simplex nearest to the origin, the simplex reduced to those vertices that it is made of; `None` where
/// the origin is inside.
fn nearest(simplex: &mut [Vertex; 4], weights: &mut [f64; 4], number: &mut usize) -> Option<DVec3> {
    let w = simplex.map(|vertex| vertex.w);
    let (chosen, parts, count): ([usize; 4], [f64; 4], usize) = match *number {
        2 => {
            let (indices, parts, count) = on_line(w[0], w[1], [0, 1]);
            (
                [indices[0], indices[1], 0, 0],
                [parts[0], parts[1], 0.0, 0.0],
                count,
            )
        }
        3 => {
            let (indices, parts, count) = on_triangle(&w, [0, 1, 2]);
            (
                [indices[0], indices[1], indices[2], 0],
                [parts[0], parts[1], parts[2], 0.0],
                count,
            )
        }
        _ => {
            let mut best: Option<([usize; 3], [f64; 3], usize)> = None;
            let mut shortest = f64::INFINITY;
            for (face, apex) in [
                ([0, 1, 2], 3),
                ([0, 2, 3], 1),
                ([0, 3, 1], 2),
                ([1, 3, 2], 0),
            ] {
                let [i, j, k] = face;
                let normal = (w[j] - w[i]).cross(w[k] - w[i]);
                let inner = Linear::dot(normal, w[apex] - w[i]);
                let origin = -Linear::dot(normal, w[i]);
                // On the other side of the face than the fourth vertex, or the four are flat.
                if origin * inner <= 0.0 {
                    let found = on_triangle(&w, face);
                    let v = combined(&w, &found.0, &found.1, found.2);
                    let length = Linear::length_squared(v);
                    if length < shortest {
                        shortest = length;
                        best = Some(found);
                    }
                }
            }
            let (indices, parts, count) = best?;
            (
                [indices[0], indices[1], indices[2], 0],
                [parts[0], parts[1], parts[2], 0.0],
                count,
            )
        }
    };
    let old = *simplex;
    for i in 0..count {
        simplex[i] = old[chosen[i]];
    }
    *weights = parts;
    *number = count;
    let v = combined(
        &simplex.map(|vertex| vertex.w),
        &[0, 1, 2],
        &[parts[0], parts[1], parts[2]],
        count,
    );
    Some(v)
}

fn combined(w: &[DVec3; 4], indices: &[usize; 3], parts: &[f64; 3], count: usize) -> DVec3 {
    let mut v = DVec3::ZERO;
    for i in 0..count {
        v += w[indices[i]] * parts[i];
    }
    v
}

/// Which of two vertices, with what weights.
fn on_line(p: DVec3, q: DVec3, [i, j]: [usize; 2]) -> ([usize; 3], [f64; 3], usize) {
    let along = q - p;
    let reach = -Linear::dot(p, along);
    let whole = Linear::length_squared(along);
    if reach <= 0.0 {
        ([i, 0, 0], [1.0, 0.0, 0.0], 1)
    } else if reach >= whole {
        ([j, 0, 0], [1.0, 0.0, 0.0], 1)
    } else {
        let part = reach / whole;
        ([i, j, 0], [1.0 - part, part, 0.0], 2)
    }
}

/// Which of three vertices, with what weights: the regions around a triangle in turn (Ericson, *Real-Time Collision
/// Detection*, §5.1.5).
fn on_triangle(w: &[DVec3; 4], face: [usize; 3]) -> ([usize; 3], [f64; 3], usize) {
    let [a, b, c] = face.map(|i| w[i]);
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (-Linear::dot(ab, a), -Linear::dot(ac, a));
    let (d3, d4) = (-Linear::dot(ab, b), -Linear::dot(ac, b));
    let (d5, d6) = (-Linear::dot(ab, c), -Linear::dot(ac, c));
    let [i, j, k] = face;
    if d1 <= 0.0 && d2 <= 0.0 {
        return ([i, 0, 0], [1.0, 0.0, 0.0], 1);
    }
    if d3 >= 0.0 && d4 <= d3 {
        return ([j, 0, 0], [1.0, 0.0, 0.0], 1);
    }
    if d6 >= 0.0 && d5 <= d6 {
        return ([k, 0, 0], [1.0, 0.0, 0.0], 1);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return on_line(a, b, [i, j]);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return on_line(a, c, [i, k]);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return on_line(b, c, [j, k]);
    }
    let whole = va + vb + vc;
    (face, [va / whole, vb / whole, vc / whole], 3)
}
