//! Random shapes, and places on their surfaces with the outward normal there: what a generated ball is aimed at.

use super::draw::Draw;
use crate::case::{Form, Triple, along, inner, norm};
use crate::kernels::Kind;

/// A place on a surface, and the direction in which a ball that touches it there has its centre.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// In the shape's frame, m.
    pub point: Triple,
    /// Unit vector.
    pub normal: Triple,
}

fn unit(v: Triple) -> Triple {
    let length = norm(v);
    v.map(|component| component / length)
}

fn cross(a: Triple, b: Triple) -> Triple {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// A shape of a kind, in proportion to a ball of this radius.
pub fn form(kind: Kind, radius: f64, dimension: usize, draw: &mut Draw) -> Form {
    let size = radius
        * if draw.chance(0.1) {
            draw.power(-4.0, 4.0)
        } else {
            draw.power(-0.7, 1.0)
        };
    match kind {
        Kind::Ball => Form::Ball { radius: size },
        Kind::HalfSpace => {
            let normal = if draw.chance(0.3) {
                let mut axis = [0.0; 3];
                axis[draw.index(dimension)] = draw.sign();
                axis
            } else {
                draw.unit(dimension)
            };
            let two_sided = draw.chance(0.4);
            Form::HalfSpace { normal, two_sided }
        }
        Kind::Hollow => Form::Hollow {
            radius: radius * (1.0 + draw.power(-2.0, 2.0)),
        },
        Kind::Block => {
            let mut half = [0.0; 3];
            for side in &mut half[..dimension] {
                *side = size * draw.power(-0.5, 0.5);
            }
            Form::Block { half }
        }
        Kind::Segment => {
            let from = draw.unit(2).map(|c| c * size * 0.5);
            let to = along(from, draw.unit(2), size);
            Form::Segment { ends: [from, to] }
        }
        Kind::Arc => arc(size, draw),
        Kind::Triangle => loop {
            let corners = [0; 3].map(|_| draw.unit(3).map(|c| c * size));
            let [a, b, c] = corners;
            let area = norm(cross(along(b, a, -1.0), along(c, a, -1.0)));
            if area > 0.05 * size * size {
                return Form::Triangle { corners };
            }
        },
        Kind::Cylinder => Form::Cylinder {
            axis: if draw.chance(0.3) {
                [0.0, 0.0, 1.0]
            } else {
                draw.unit(3)
            },
            half_length: size * draw.power(-0.5, 0.5),
            radius: size,
        },
    }
}

fn arc(radius: f64, draw: &mut Draw) -> Form {
    let centre = if draw.chance(0.5) {
        [0.0; 3]
    } else {
        draw.unit(2).map(|c| c * radius)
    };
    let start = draw.between(-3.2, 3.2);
    let sweep = draw.between(0.2, 6.2);
    let direction = |angle: f64| {
        let (sin, cos) = libm::sincos(angle);
        [cos, sin, 0.0]
    };
    Form::Arc {
        centre,
        radius,
        middle: direction(start + sweep / 2.0),
        cos_half: libm::cos(sweep / 2.0),
        ends: [
            along(centre, direction(start), radius),
            along(centre, direction(start + sweep), radius),
        ],
    }
}

/// A share of 1: any, or one that is within rounding to a few percent of 0 or 1 where a seam is wanted.
fn share(seam: bool, draw: &mut Draw) -> f64 {
    if seam {
        let near = draw.power(-15.0, -1.0);
        if draw.chance(0.5) { near } else { 1.0 - near }
    } else {
        draw.between(0.0, 1.0)
    }
}

/// A place on the surface of a shape; near a seam of two features where asked for.
///
/// Longer than most: one arm for each form.
pub fn place(form: &Form, radius: f64, dimension: usize, seam: bool, draw: &mut Draw) -> Place {
    match *form {
        Form::Ball { radius } => {
            let normal = draw.unit(dimension);
            let point = normal.map(|c| c * radius);
            Place { point, normal }
        }
        Form::Hollow { radius } => {
            let normal = draw.unit(dimension);
            let point = normal.map(|c| -c * radius);
            Place { point, normal }
        }
        Form::HalfSpace { normal, two_sided } => {
            let side = if two_sided { draw.sign() } else { 1.0 };
            let aside = draw.across(normal, dimension);
            let far = draw.between(0.0, 3.0) * radius;
            Place {
                point: aside.map(|c| c * far),
                normal: normal.map(|c| c * side),
            }
        }
        Form::Block { half } => on_block(half, dimension, seam, draw),
        Form::Segment { ends: [from, to] } => {
            let edge = along(to, from, -1.0);
            let side = unit([-edge[1], edge[0], 0.0]).map(|c| c * draw.sign());
            if draw.chance(0.6) {
                let point = along(from, edge, share(seam, draw));
                return Place {
                    point,
                    normal: side,
                };
            }
            let (point, out) = if draw.chance(0.5) {
                (to, unit(edge))
            } else {
                (from, unit(edge).map(|c| -c))
            };
            let lean = share(seam, draw);
            Place {
                point,
                normal: unit(along(side.map(|c| c * (1.0 - lean)), out, lean)),
            }
        }
        Form::Arc {
            centre,
            radius,
            middle,
            cos_half,
            ends,
        } => {
            if draw.chance(0.6) {
                let half = libm::acos(cos_half);
                let angle = half * (2.0 * share(seam, draw) - 1.0);
                let (sin, cos) = libm::sincos(angle);
                let direction = [
                    middle[0] * cos - middle[1] * sin,
                    middle[1] * cos + middle[0] * sin,
                    0.0,
                ];
                return Place {
                    point: along(centre, direction, radius),
                    normal: direction.map(|c| c * draw.sign()),
                };
            }
            let which = draw.index(2);
            let radial = unit(along(ends[which], centre, -1.0));
            let turn = if which == 1 { 1.0 } else { -1.0 };
            let out = [-radial[1] * turn, radial[0] * turn, 0.0];
            let lean = share(seam, draw);
            let side = draw.sign() * (1.0 - lean);
            Place {
                point: ends[which],
                normal: unit(along(out.map(|c| c * lean), radial, side)),
            }
        }
        Form::Triangle { corners } => on_triangle(corners, seam, draw),
        Form::Cylinder {
            axis,
            half_length,
            radius,
        } => {
            let out = draw.across(axis, 3);
            let end = draw.sign();
            match draw.index(3) {
                0 => {
                    let height = half_length * (2.0 * share(seam, draw) - 1.0);
                    Place {
                        point: along(axis.map(|c| c * height), out, radius),
                        normal: out,
                    }
                }
                1 => Place {
                    point: along(
                        axis.map(|c| c * half_length * end),
                        out,
                        radius * share(seam, draw),
                    ),
                    normal: axis.map(|c| c * end),
                },
                _ => {
                    let lean = share(seam, draw);
                    Place {
                        point: along(axis.map(|c| c * half_length * end), out, radius),
                        normal: unit(along(axis.map(|c| c * end * lean), out, 1.0 - lean)),
                    }
                }
            }
        }
    }
}

/// A face, an edge or a corner, by how many axes the centre is outside along.
fn on_block(half: Triple, dimension: usize, seam: bool, draw: &mut Draw) -> Place {
    let mut point = [0.0; 3];
    let mut normal = [0.0; 3];
    let first = draw.index(dimension);
    let outside = 1 + draw.index(dimension);
    for step in 0..dimension {
        let axis = (first + step) % dimension;
        let side = draw.sign();
        if step < outside {
            point[axis] = side * half[axis];
            let weight = if step > 0 && seam {
                draw.power(-15.0, -1.0)
            } else {
                draw.between(0.05, 1.0)
            };
            normal[axis] = side * weight;
        } else {
            point[axis] = half[axis] * (2.0 * share(seam, draw) - 1.0);
        }
    }
    Place {
        point,
        normal: unit(normal),
    }
}

fn on_triangle(corners: [Triple; 3], seam: bool, draw: &mut Draw) -> Place {
    let first = draw.index(3);
    let [a, b, c] = [0, 1, 2].map(|i| corners[(first + i) % 3]);
    let (ab, ac) = (along(b, a, -1.0), along(c, a, -1.0));
    let face = unit(cross(ab, ac)).map(|c| c * draw.sign());
    let outward = {
        let towards = along(ac, ab, -inner(ac, ab) / inner(ab, ab));
        unit(towards).map(|c| -c)
    };
    match draw.index(3) {
        0 => {
            let (mut s, mut t) = (share(seam, draw), draw.between(0.0, 1.0));
            if s + t > 1.0 {
                (s, t) = (1.0 - s, 1.0 - t);
            }
            Place {
                point: along(along(a, ab, s), ac, t),
                normal: face,
            }
        }
        1 => {
            let lean = share(seam, draw);
            Place {
                point: along(a, ab, share(seam, draw)),
                normal: unit(along(face.map(|c| c * (1.0 - lean)), outward, lean)),
            }
        }
        _ => {
            // Away from both edges of the corner.
            let mut normal = draw.unit(3);
            for edge in [ab, ac] {
                let excess = inner(normal, edge) / inner(edge, edge);
                if excess > 0.0 {
                    normal = along(normal, edge, -2.0 * excess);
                }
            }
            Place { point: a, normal }
        }
    }
}
