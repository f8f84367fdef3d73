//! What bodies and walls look like, and by how much two overlap.

use super::convex::{Convex, overlap as convex_overlap};
use super::{Pose, V, add, cross, dot, length, sub, times, unit};

/// A part of a body, or a wall.
#[derive(Clone, Debug)]
pub enum Form {
    /// Balls, capsules, boxes, polygons, polyhedra, segments, triangles.
    Convex(Convex),
    /// A solid cylinder, and a prism inside of it.
    Cylinder {
        /// Its middle.
        middle: V,
        /// Its direction, of length one.
        axis: V,
        /// Half its length, m.
        half: f64,
        /// m.
        radius: f64,
        /// Stands for it beside everything but balls and walls.
        prism: Convex,
    },
    /// A wall without end.
    Wall {
        /// On its surface.
        point: V,
        /// Out of it, of length one.
        normal: V,
        /// Whether it is struck from both sides.
        thin: bool,
    },
    /// Round and empty inside.
    Hollow {
        /// Its middle.
        middle: V,
        /// m.
        radius: f64,
    },
    /// The inside of a round tube.
    Tube {
        /// On its axis.
        point: V,
        /// Of length one.
        axis: V,
        /// m.
        radius: f64,
    },
    /// A thin part of a circle, in the plane.
    Arc {
        /// Of the circle.
        middle: V,
        /// m.
        radius: f64,
        /// From the middle to the middle of the arc, of length one.
        towards: V,
        /// Half of the angle that it spans.
        half: f64,
    },
}

impl Form {
    /// Moved.
    pub fn moved(&self, by: &Pose) -> Form {
        match self {
            Form::Convex(convex) => Form::Convex(convex.moved(by)),
            Form::Cylinder {
                middle,
                axis,
                half,
                radius,
                prism,
            } => Form::Cylinder {
                middle: by.at(*middle),
                axis: by.turned(*axis),
                half: *half,
                radius: *radius,
                prism: prism.moved(by),
            },
            Form::Wall {
                point,
                normal,
                thin,
            } => Form::Wall {
                point: by.at(*point),
                normal: by.turned(*normal),
                thin: *thin,
            },
            Form::Hollow { middle, radius } => Form::Hollow {
                middle: by.at(*middle),
                radius: *radius,
            },
            Form::Tube {
                point,
                axis,
                radius,
            } => Form::Tube {
                point: by.at(*point),
                axis: by.turned(*axis),
                radius: *radius,
            },
            Form::Arc {
                middle,
                radius,
                towards,
                half,
            } => Form::Arc {
                middle: by.at(*middle),
                radius: *radius,
                towards: by.turned(*towards),
                half: *half,
            },
        }
    }

    /// Whether a thing can be inside of it, or stand for the whole world.
    fn bounded(&self) -> Option<(V, f64)> {
        match self {
            Form::Convex(convex) => Some(convex.around()),
            Form::Cylinder {
                middle,
                half,
                radius,
                ..
            } => Some((*middle, half.hypot(*radius))),
            _ => None,
        }
    }

    /// What is thinnest of it, m: overlaps are measured in such sizes.
    pub fn size(&self) -> f64 {
        match self {
            Form::Cylinder { half, radius, .. } => half.min(*radius),
            Form::Hollow { radius, .. } | Form::Tube { radius, .. } | Form::Arc { radius, .. } => {
                *radius
            }
            Form::Wall { .. } => f64::INFINITY,
            Form::Convex(convex) if convex.round > 0.0 => convex.round,
            Form::Convex(convex) => {
                let (middle, reach) = convex.around();
                let faces = convex
                    .normals
                    .iter()
                    .map(|&n| convex.furthest(n) - dot(middle, n));
                let least = faces.fold(reach, f64::min);
                // What has no thickness is no smaller than what gets into it.
                if least > 1e-9 * reach {
                    least
                } else {
                    f64::INFINITY
                }
            }
        }
    }

    /// The middle and the radius of a ball.
    pub fn as_ball(&self) -> Option<(V, f64)> {
        match self {
            Form::Convex(convex) if convex.corners.len() == 1 => {
                Some((convex.corners[0], convex.round))
            }
            _ => None,
        }
    }

    /// The convex body that stands for it.
    fn hull(&self) -> Option<&Convex> {
        match self {
            Form::Convex(convex) => Some(convex),
            Form::Cylinder { prism, .. } => Some(prism),
            _ => None,
        }
    }
}

/// By how much a bounded form and another overlap, m; negative where there is a gap. `None` where this pair is not
/// judged.
pub fn overlap(a: &Form, b: &Form, plane: bool) -> Option<f64> {
    if let (Some((p, r)), Some((q, s))) = (a.bounded(), b.bounded()) {
        let apart = length(sub(p, q)) - r - s;
        if apart > 0.0 {
            return Some(-apart);
        }
    }
    match (a.as_ball(), b.as_ball()) {
        (Some(ball), _) => Some(of_ball(ball, b, plane)),
        (None, Some(ball)) => Some(of_ball(ball, a, plane)),
        (None, None) => of_solids(a, b, plane),
    }
}

fn of_ball((middle, radius): (V, f64), other: &Form, plane: bool) -> f64 {
    match other {
        Form::Convex(convex) => convex_overlap(&Convex::ball(middle, radius), convex, plane),
        Form::Cylinder {
            middle: centre,
            axis,
            half,
            radius: around,
            ..
        } => {
            let from = sub(middle, *centre);
            let along = dot(from, *axis);
            let across = length(sub(from, times(*axis, along)));
            let [over, out] = [along.abs() - half, across - around];
            let gap = if over > 0.0 && out > 0.0 {
                over.hypot(out)
            } else {
                over.max(out)
            };
            radius - gap
        }
        Form::Wall {
            point,
            normal,
            thin,
        } => {
            let height = dot(sub(middle, *point), *normal);
            radius - if *thin { height.abs() } else { height }
        }
        Form::Hollow {
            middle: centre,
            radius: around,
        } => length(sub(middle, *centre)) + radius - around,
        Form::Tube {
            point,
            axis,
            radius: around,
        } => {
            let from = sub(middle, *point);
            length(sub(from, times(*axis, dot(from, *axis)))) + radius - around
        }
        Form::Arc { .. } => radius - to_arc(middle, other),
    }
}

/// How far a point is from an arc, m.
fn to_arc(point: V, arc: &Form) -> f64 {
    let Form::Arc {
        middle,
        radius,
        towards,
        half,
    } = arc
    else {
        return f64::INFINITY;
    };
    let from = sub(point, *middle);
    let [along, across] = [
        dot(from, *towards),
        towards[0] * from[1] - towards[1] * from[0],
    ];
    let angle = libm::atan2(across, along);
    if angle.abs() <= *half {
        return (length(from) - radius).abs();
    }
    let [cos, sin] = [radius * libm::cos(*half), radius * libm::sin(*half)];
    (along - cos).hypot(across.abs() - sin)
}

fn of_solids(a: &Form, b: &Form, plane: bool) -> Option<f64> {
    let (solid, wall) = match (a, b) {
        (Form::Wall { .. }, _) => (b, a),
        _ => (a, b),
    };
    if let Form::Wall {
        point,
        normal,
        thin,
    } = wall
    {
        let lowest = match solid {
            Form::Convex(convex) => -convex.furthest(times(*normal, -1.0)) - convex.round,
            Form::Cylinder {
                middle,
                axis,
                half,
                radius,
                ..
            } => {
                let slant = dot(*axis, *normal);
                dot(*middle, *normal)
                    - half * slant.abs()
                    - radius * (1.0 - slant * slant).max(0.0).sqrt()
            }
            _ => return None,
        };
        return (!thin).then(|| dot(*point, *normal) - lowest);
    }
    match (a, b) {
        (round, solid) | (solid, round)
            if matches!(round, Form::Hollow { .. } | Form::Tube { .. }) =>
        {
            in_round(solid, round)
        }
        _ => Some(convex_overlap(a.hull()?, b.hull()?, plane)),
    }
}

/// How far a solid is beyond the inside of something round: its farthest corner, or the farthest of so many points of a
/// rim.
fn in_round(solid: &Form, round: &Form) -> Option<f64> {
    const RIM: u32 = 720;
    let (corners, thick) = match solid {
        Form::Convex(convex) => (convex.corners.clone(), convex.round),
        Form::Cylinder {
            middle,
            axis,
            half,
            radius,
            ..
        } => {
            let helper = if axis[0].abs() < 0.6 {
                [1.0, 0.0, 0.0]
            } else {
                [0.0, 1.0, 0.0]
            };
            let one = unit(cross(*axis, helper))?;
            let other = cross(*axis, one);
            let around = (0..2 * RIM).map(|k| {
                let angle = std::f64::consts::TAU * f64::from(k % RIM) / f64::from(RIM);
                let out = add(times(one, libm::cos(angle)), times(other, libm::sin(angle)));
                let end = if k < RIM { *half } else { -half };
                add(add(*middle, times(*axis, end)), times(out, *radius))
            });
            (around.collect(), 0.0)
        }
        _ => return None,
    };
    let depths = corners
        .iter()
        .map(|&corner| of_ball((corner, thick), round, false));
    depths.reduce(f64::max)
}

/// An arc of the plane, counter-clockwise from `start` over `sweep`.
pub fn arc(middle: V, radius: f64, start: f64, sweep: f64) -> Form {
    let angle = start + 0.5 * sweep;
    Form::Arc {
        middle,
        radius,
        towards: [libm::cos(angle), libm::sin(angle), 0.0],
        half: 0.5 * sweep.abs(),
    }
}

/// A solid cylinder.
pub fn cylinder(middle: V, axis: V, long: f64, radius: f64) -> Form {
    let axis = unit(axis).unwrap_or([0.0, 0.0, 1.0]);
    let prism = Convex::in_cylinder(middle, axis, 0.5 * long, radius);
    Form::Cylinder {
        middle,
        axis,
        half: 0.5 * long,
        radius,
        prism,
    }
}

/// A rectangle or a cuboid at the origin.
pub fn block(size: V, plane: bool) -> Convex {
    let [x, y, z] = times(size, 0.5);
    if plane {
        Convex::polygon(
            [[-x, -y], [x, -y], [x, y], [-x, y]]
                .map(|[x, y]| [x, y, 0.0])
                .to_vec(),
        )
    } else {
        Convex::block([x, y, z])
    }
}

/// The points of an arc, for outlines.
pub fn points_of_arc(middle: V, radius: f64, start: f64, sweep: f64, count: usize) -> Vec<V> {
    let point = |k: usize| {
        let angle = start + sweep * k as f64 / count as f64;
        add(
            middle,
            [radius * libm::cos(angle), radius * libm::sin(angle), 0.0],
        )
    };
    (0..count).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: Option<f64>, b: f64) {
        assert!(a.is_some_and(|a| (a - b).abs() < 1e-12), "{a:?} is not {b}");
    }

    #[test]
    fn balls_beside_everything() {
        let ball = |x: f64, y: f64, z: f64| Form::Convex(Convex::ball([x, y, z], 0.5));
        let can = cylinder([0.0; 3], [0.0, 0.0, 2.0], 2.0, 1.0);
        near(overlap(&ball(1.25, 0.0, 0.0), &can, false), 0.25);
        near(overlap(&ball(0.2, 0.0, 1.75), &can, false), -0.25);
        near(overlap(&ball(1.3, 0.0, 1.4), &can, false), 0.0);
        let bowl = Form::Hollow {
            middle: [0.0; 3],
            radius: 2.0,
        };
        near(overlap(&ball(1.0, 0.0, 0.0), &bowl, false), -0.5);
        let bend = arc([0.0; 3], 1.0, 0.0, std::f64::consts::PI);
        near(overlap(&ball(0.0, 1.25, 0.0), &bend, true), 0.25);
        near(overlap(&ball(1.0, -0.25, 0.0), &bend, true), 0.25);
        near(overlap(&ball(0.0, -0.75, 0.0), &bend, true), 0.5 - 1.25);
        let wall = Form::Wall {
            point: [0.0; 3],
            normal: [0.0, 1.0, 0.0],
            thin: false,
        };
        near(overlap(&ball(3.0, 0.2, 0.0), &wall, true), 0.3);
        // A cylinder that leans on a wall, by its rim.
        let leaning = cylinder([0.0, 2.0, 0.0], [1.0, 1.0, 0.0], 2.0, 1.0);
        near(overlap(&leaning, &wall, false), 2f64.sqrt() - 2.0);
    }
}
