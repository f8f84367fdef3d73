//! What a part weighs and how hard it is to turn: exact integrals over its inside.
//!
//! Everything is in `∫dV`, `∫x dV` and `∫x xᵀ dV`, which simply add up over parts; the inertia about the centre of mass
//! is `tr(C) 1 − C` with C the last one about that centre, times the density.
//!
//! * **Flat faces.** A polyhedron is a sum of tetrahedra from an inner point o over its faces, cut into triangles. With
//!   corners a, b, c seen from o and `d = a·(b×c)`: `V = d/6`, `∫x = d/24 (a+b+c)`,
//!   `∫xxᵀ = d/120 (ssᵀ + aaᵀ + bbᵀ + ccᵀ)`, s = a+b+c. In 2-D: triangles over the sides, `d = a×b`: `d/2`,
//!   `d/6 (a+b)`, `d/24 (ssᵀ + aaᵀ + bbᵀ)`.
//! * **Cylinder** of half length h and radius r: `V = 2πr²h`; along the axis `V h²/3`, across `V r²/4`.
//! * **Capsule**: a cylinder and two half balls of volume `W = 4/3 πr³` together: along the axis
//!   `W (h² + ¾ h r + r²/5)`, across `W r²/5`. In 2-D a rectangle `A = 4hr` and two half discs `B = πr²`: along
//!   `A h²/3 + B (h² + 8hr/3π + r²/4)`, across `A r²/3 + B r²/4`. A ball has h = 0.

use super::hull::Hull;
use super::part::{Convex, Core};
use crate::space::{Linear, Space};
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// Integrals over the inside of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moments {
    /// m³; in 2-D m².
    pub volume: f64,
    /// Of volume, m.
    pub centre: DVec3,
    /// `∫x xᵀ` about that centre.
    pub spread: DMat3,
}

/// The matrix `x yᵀ`.
fn outer(x: DVec3, y: DVec3) -> DMat3 {
    DMat3::from_cols(x * y.x, x * y.y, x * y.z)
}

impl Moments {
    /// Of one part; `None` where it has no inside, or no end.
    pub fn of<S: Space>(part: &Convex<S>) -> Option<Self> {
        match &part.core {
            Core::HalfSpace { .. } | Core::Inside(_) | Core::Arch(_) => None,
            Core::Cylinder(round) => {
                let volume = 2.0 * PI * round.radius * round.radius * round.half_length;
                let along = volume * round.half_length * round.half_length / 3.0;
                let across = volume * round.radius * round.radius / 4.0;
                Some(Moments {
                    volume,
                    centre: round.centre,
                    spread: about_axis(round.axis, along, across, DMat3::IDENTITY),
                })
            }
            Core::Hull(hull) => match *hull.corners.as_slice() {
                [centre] if part.rounding > 0.0 => {
                    Some(capsule::<S>(centre, DVec3::X, 0.0, part.rounding))
                }
                [from, to] if part.rounding > 0.0 => {
                    let axis = (to - from).unit()?;
                    let half_length = 0.5 * Linear::length(to - from);
                    let middle = from * 0.5 + to * 0.5;
                    Some(capsule::<S>(middle, axis, half_length, part.rounding))
                }
                _ if hull.has_inside => Some(of_hull(hull, S::DIMENSION == 2)),
                _ => None,
            },
        }
    }

    /// Of several parts that do not overlap.
    pub fn sum(parts: &[Moments]) -> Self {
        let volume = parts.iter().map(|part| part.volume).sum::<f64>();
        let first = parts
            .iter()
            .fold(DVec3::ZERO, |sum, part| sum + part.centre * part.volume);
        let centre = first / volume;
        let spread = parts.iter().fold(DMat3::ZERO, |sum, part| {
            let arm = part.centre - centre;
            sum + part.spread + outer(arm, arm) * part.volume
        });
        Moments {
            volume,
            centre,
            spread,
        }
    }

    /// The inertia tensor about the centre, per density.
    pub fn inertia(&self) -> DMat3 {
        let c = &self.spread;
        let (x, y, z) = (c.x_axis.x, c.y_axis.y, c.z_axis.z);
        // Sums, not a trace less an element: no digits are lost for slender solids.
        let mut tensor = -*c;
        tensor.x_axis.x = y + z;
        tensor.y_axis.y = x + z;
        tensor.z_axis.z = x + y;
        tensor
    }
}

/// A spread that is round about an axis within the given space (the identity, or the plane).
fn about_axis(axis: DVec3, along: f64, across: f64, space: DMat3) -> DMat3 {
    space * across + outer(axis, axis) * (along - across)
}

fn capsule<S: Space>(centre: DVec3, axis: DVec3, half_length: f64, radius: f64) -> Moments {
    let (h, r) = (half_length, radius);
    let (middle, ends, along, across, space);
    if S::DIMENSION == 2 {
        middle = 4.0 * h * r;
        ends = PI * r * r;
        along = middle * h * h / 3.0 + ends * (h * h + 8.0 * h * r / (3.0 * PI) + r * r / 4.0);
        across = middle * r * r / 3.0 + ends * r * r / 4.0;
        space = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0));
    } else {
        middle = 2.0 * PI * r * r * h;
        ends = 4.0 / 3.0 * PI * r * r * r;
        along = middle * h * h / 3.0 + ends * (h * h + 0.75 * h * r + r * r / 5.0);
        across = middle * r * r / 4.0 + ends * r * r / 5.0;
        space = DMat3::IDENTITY;
    }
    Moments {
        volume: middle + ends,
        centre,
        spread: about_axis(axis, along, across, space),
    }
}

fn of_hull(hull: &Hull, planar: bool) -> Moments {
    if let Some((centre, half)) = hull.block {
        let volume = if planar {
            4.0 * half.x * half.y
        } else {
            8.0 * half.x * half.y * half.z
        };
        let mut third = half * half * (volume / 3.0);
        if planar {
            third.z = 0.0;
        }
        return Moments {
            volume,
            centre,
            spread: DMat3::from_diagonal(third),
        };
    }
    let number = hull.corners.len() as f64;
    let inner = hull.corners.iter().fold(DVec3::ZERO, |s, &c| s + c) / number;
    let place = |i: u32| hull.corners[i as usize] - inner;
    let (mut content, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for face in 0..hull.faces.len() {
        let around = hull.around(face);
        if planar {
            let (a, b) = (place(around[0]), place(around[1]));
            let d = a.x * b.y - a.y * b.x;
            let sum = a + b;
            content += d / 2.0;
            first += sum * (d / 6.0);
            second += (outer(sum, sum) + outer(a, a) + outer(b, b)) * (d / 24.0);
        } else {
            let a = place(around[0]);
            for edge in around.windows(2).skip(1) {
                let (b, c) = (place(edge[0]), place(edge[1]));
                let d = Linear::dot(a, b.cross(c));
                let sum = a + b + c;
                content += d / 6.0;
                first += sum * (d / 24.0);
                second += (outer(sum, sum) + outer(a, a) + outer(b, b) + outer(c, c)) * (d / 120.0);
            }
        }
    }
    let arm = first / content;
    Moments {
        volume: content,
        centre: inner + arm,
        spread: second - outer(arm, arm) * content,
    }
}

/// Principal axes (columns, right-handed) and moments of a symmetric tensor, by Jacobi's rotations.
///
/// A tensor that is diagonal already keeps its axes.
pub(crate) fn principal_axes(tensor: DMat3) -> (DMat3, DVec3) {
    let mut a = tensor.to_cols_array_2d();
    let mut axes = DMat3::IDENTITY.to_cols_array_2d();
    let size = a[0][0].abs() + a[1][1].abs() + a[2][2].abs();
    for _ in 0..32 {
        let off = a[0][1].abs() + a[0][2].abs() + a[1][2].abs();
        if off <= 1e-17 * size {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = 1.0 / (theta.abs() + (theta * theta + 1.0).sqrt());
            let t = if theta < 0.0 { -t } else { t };
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            for row in &mut a {
                let (x, y) = (row[p], row[q]);
                row[p] = c * x - s * y;
                row[q] = s * x + c * y;
            }
            for k in 0..3 {
                let (x, y) = (a[p][k], a[q][k]);
                a[p][k] = c * x - s * y;
                a[q][k] = s * x + c * y;
                let (x, y) = (axes[p][k], axes[q][k]);
                axes[p][k] = c * x - s * y;
                axes[q][k] = s * x + c * y;
            }
        }
    }
    let axes = DMat3::from_cols_array_2d(&axes);
    (axes, DVec3::new(a[0][0], a[1][1], a[2][2]))
}
