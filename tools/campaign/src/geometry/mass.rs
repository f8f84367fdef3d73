//! Volume, centre and second moments of solids, in the plane with areas for volumes.

use super::convex::Convex;
use super::{Pose, V, add, cross, dot, length, sub, times, unit};
use std::f64::consts::PI;

/// The integrals over a body of 1, x and (x − centre)(x − centre)ᵀ, the last two per volume.
#[derive(Clone, Copy, Debug)]
pub struct Matter {
    /// m³, or m².
    pub volume: f64,
    /// The centre of mass, m.
    pub centre: V,
    /// Second moments about the centre, m².
    pub second: [V; 3],
}

fn outer(a: V, b: V) -> [V; 3] {
    a.map(|x| times(b, x))
}

fn plus(a: [V; 3], b: [V; 3], factor: f64) -> [V; 3] {
    [0, 1, 2].map(|k| add(a[k], times(b[k], factor)))
}

fn diagonal(x: f64, y: f64, z: f64) -> [V; 3] {
    [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]
}

impl Matter {
    /// A disc or a sphere.
    pub fn ball(centre: V, radius: f64, plane: bool) -> Matter {
        let square = radius * radius;
        if plane {
            Matter {
                volume: PI * square,
                centre,
                second: diagonal(0.25 * square, 0.25 * square, 0.0),
            }
        } else {
            let each = 0.2 * square;
            Matter {
                volume: 4.0 / 3.0 * PI * square * radius,
                centre,
                second: diagonal(each, each, each),
            }
        }
    }

    /// A rectangle or a cuboid at the origin.
    pub fn block(size: V, plane: bool) -> Matter {
        let [x, y, z] = size.map(|side| side * side / 12.0);
        let deep = if plane { 1.0 } else { size[2] };
        Matter {
            volume: size[0] * size[1] * deep,
            centre: [0.0; 3],
            second: diagonal(x, y, if plane { 0.0 } else { z }),
        }
    }

    /// A solid cylinder.
    pub fn cylinder(centre: V, axis: V, long: f64, radius: f64) -> Matter {
        let axis = unit(axis).unwrap_or([0.0, 0.0, 1.0]);
        let across = 0.25 * radius * radius;
        let along = long * long / 12.0 - across;
        let second = plus(diagonal(across, across, across), outer(axis, axis), along);
        Matter {
            volume: PI * radius * radius * long,
            centre,
            second,
        }
    }

    /// A capsule: a rectangle or a cylinder between two halves of a disc or a ball.
    pub fn capsule(from: V, to: V, radius: f64, plane: bool) -> Matter {
        let along = sub(to, from);
        let long = length(along);
        let centre = times(add(from, to), 0.5);
        let Some(axis) = unit(along) else {
            return Matter::ball(centre, radius, plane);
        };
        let square = radius * radius;
        let ball = Matter::ball([0.0; 3], radius, plane);
        // Both halves together have the second moments of the ball, and along the axis those of their ends, half of the
        // length away, as well: ∫(h + s)² over the halves is h² + 2 h s̄ + s², with s̄ the mean of |s| over the ball.
        let mean = if plane {
            4.0 / (3.0 * PI) * radius
        } else {
            0.375 * radius
        };
        let half = 0.5 * long;
        let ends = half * half + 2.0 * half * mean;
        let mut second = plus(ball.second, outer(axis, axis), ends);
        second = plus([[0.0; 3]; 3], second, ball.volume);
        let (body, across) = if plane {
            (2.0 * radius * long, square / 3.0)
        } else {
            (PI * square * long, 0.25 * square)
        };
        let flat = if plane {
            diagonal(across, across, 0.0)
        } else {
            diagonal(across, across, across)
        };
        let stem = plus(flat, outer(axis, axis), long * long / 12.0 - across);
        second = plus(second, stem, body);
        let volume = ball.volume + body;
        Matter {
            volume,
            centre,
            second: plus([[0.0; 3]; 3], second, 1.0 / volume),
        }
    }

    /// A polygon of the plane or a polyhedron, from simplices that share a point inside.
    pub fn hull(hull: &Convex, plane: bool) -> Matter {
        let (inside, _) = hull.around();
        let mut simplices: Vec<Vec<V>> = Vec::new();
        if plane {
            simplices.extend(
                hull.edges
                    .iter()
                    .map(|&(a, b)| vec![inside, hull.corners[a], hull.corners[b]]),
            );
        } else {
            for &normal in &hull.normals {
                let height = hull.furthest(normal);
                let on = |c: &&V| dot(**c, normal) > height - 1e-9 * (1.0 + height.abs());
                let face: Vec<V> = hull.corners.iter().filter(on).copied().collect();
                let ordered = around(&face, normal);
                for k in 1..ordered.len().saturating_sub(1) {
                    simplices.push(vec![inside, ordered[0], ordered[k], ordered[k + 1]]);
                }
            }
        }
        Matter::sum(simplices.iter().map(|corners| of_simplex(corners)))
    }

    /// Several together.
    pub fn sum(parts: impl Iterator<Item = Matter> + Clone) -> Matter {
        let volume: f64 = parts.clone().map(|part| part.volume).sum();
        let first = parts.clone().fold([0.0; 3], |sum, part| {
            add(sum, times(part.centre, part.volume))
        });
        let centre = times(first, 1.0 / volume);
        let second = parts.fold([[0.0; 3]; 3], |sum, part| {
            let away = sub(part.centre, centre);
            plus(
                plus(sum, part.second, part.volume),
                outer(away, away),
                part.volume,
            )
        });
        Matter {
            volume,
            centre,
            second: plus([[0.0; 3]; 3], second, 1.0 / volume),
        }
    }

    /// Moved.
    pub fn moved(&self, by: &Pose) -> Matter {
        let rows = self.second.map(|row| by.turned(row));
        let column = |k: usize| by.turned([rows[0][k], rows[1][k], rows[2][k]]);
        Matter {
            volume: self.volume,
            centre: by.at(self.centre),
            second: [column(0), column(1), column(2)],
        }
    }

    /// Twice the energy of turning per mass at a spin, `ω·(tr S − S)ω`, J/kg.
    pub fn twice_turning(&self, angular_velocity: V) -> f64 {
        let trace = self.second[0][0] + self.second[1][1] + self.second[2][2];
        let product = self.second.map(|row| dot(row, angular_velocity));
        trace * dot(angular_velocity, angular_velocity) - dot(product, angular_velocity)
    }
}

/// Corners of a face, in order around its normal.
fn around(face: &[V], normal: V) -> Vec<V> {
    let middle = times(
        face.iter().fold([0.0; 3], |sum, &c| add(sum, c)),
        1.0 / face.len() as f64,
    );
    let side = unit(sub(face[0], middle)).unwrap_or([1.0, 0.0, 0.0]);
    let other = cross(normal, side);
    let angle = |c: &V| libm::atan2(dot(sub(*c, middle), other), dot(sub(*c, middle), side));
    let mut ordered = face.to_vec();
    ordered.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    ordered
}

/// A triangle or a tetrahedron: `∫(x−c)(x−c)ᵀ = V/((n+1)(n+2)) Σ (x_k − c)(x_k − c)ᵀ` in n dimensions.
fn of_simplex(corners: &[V]) -> Matter {
    let count = corners.len() as f64;
    let centre = times(
        corners.iter().fold([0.0; 3], |sum, &c| add(sum, c)),
        1.0 / count,
    );
    let sides: Vec<V> = corners[1..].iter().map(|&c| sub(c, corners[0])).collect();
    let volume = match sides.as_slice() {
        [a, b] => 0.5 * length(cross(*a, *b)),
        [a, b, c] => dot(cross(*a, *b), *c).abs() / 6.0,
        _ => 0.0,
    };
    let sum = corners.iter().fold([[0.0; 3]; 3], |sum, &c| {
        plus(sum, outer(sub(c, centre), sub(c, centre)), 1.0)
    });
    Matter {
        volume,
        centre,
        second: plus([[0.0; 3]; 3], sum, 1.0 / (count * (count + 1.0))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::form::block;

    #[test]
    fn a_box_by_its_corners_weighs_what_a_box_does() {
        for plane in [true, false] {
            let size = [0.4, 1.0, 0.7];
            let (a, b) = (
                Matter::block(size, plane),
                Matter::hull(&block(size, plane), plane),
            );
            assert!((a.volume - b.volume).abs() < 1e-12);
            for angular_velocity in [[0.0, 0.0, 1.0], [0.3, -0.2, 0.9]] {
                assert!(
                    plane && angular_velocity[0] != 0.0
                        || (a.twice_turning(angular_velocity) - b.twice_turning(angular_velocity))
                            .abs()
                            < 1e-12
                );
            }
        }
    }

    #[test]
    fn a_capsule_weighs_what_many_thin_slices_do() {
        for plane in [true, false] {
            let (radius, half, slices) = (0.3, 0.5, 200_000);
            let (mut volume, mut along, mut across) = (0.0, 0.0, 0.0);
            let reach: f64 = half + radius;
            let thin = 2.0 * reach / f64::from(slices);
            for k in 0..slices {
                let x = -reach + thin * (f64::from(k) + 0.5);
                let over = (x.abs() - half).max(0.0);
                let square = radius * radius - over * over;
                let (area, moment) = if plane {
                    (2.0 * square.sqrt(), square / 3.0)
                } else {
                    (PI * square, square / 4.0)
                };
                volume += area * thin;
                along += area * thin * x * x;
                across += area * thin * moment;
            }
            let made = Matter::capsule([-half, 0.0, 0.0], [half, 0.0, 0.0], radius, plane);
            assert!((made.volume / volume - 1.0).abs() < 1e-6);
            assert!((made.second[0][0] * volume / along - 1.0).abs() < 1e-6);
            assert!((made.second[1][1] * volume / across - 1.0).abs() < 1e-6);
        }
    }
}
