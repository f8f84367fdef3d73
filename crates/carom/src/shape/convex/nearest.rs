//! A solid made of convex parts, as a point or a ray meets it. Balls are not led around it: a world that has such a
//! solid is run by `simulate::Rigid`, which knows when anything strikes it.

use super::{Compound, Convex};
use crate::shape::{Bending, Closest, Footing, Gate, Obstacle};
use crate::space::{Linear, Space};

impl<S: Space> Obstacle<S> for Compound<S> {
    fn closest(&self, point: S::Vector) -> Closest<S> {
        let each = self.parts().iter().map(|part| closest(part, point));
        let nearer = |a: Closest<S>, b: Closest<S>| if b.distance < a.distance { b } else { a };
        each.reduce(nearer).unwrap_or(Closest {
            distance: f64::INFINITY,
            normal: S::vector([1.0, 0.0, 0.0]),
            point,
        })
    }

    fn reach(&self) -> f64 {
        self.reach()
    }

    /// By steps as long as the distance: they never pass the surface.
    fn cast(&self, origin: S::Vector, direction: S::Vector) -> Option<f64> {
        let end = origin.length() + self.reach();
        let mut way = 0.0;
        for _ in 0..10_000 {
            let distance = self.closest(origin + direction * way).distance;
            if distance <= 1e-13 * end {
                return Some(way);
            }
            way += distance;
            if !(way <= 2.0 * end) {
                return None;
            }
        }
        None
    }
}

impl<S: Space> Footing<S> for Compound<S> {
    fn bending(&self, _place: S::Vector) -> Bending<S> {
        Bending::Otherwise
    }

    fn gates(&self, _visit: &mut dyn FnMut(Gate<S>)) {}
}

/// The place of a part that is nearest to a point.
pub(super) fn closest<S: Space>(part: &Convex<S>, point: S::Vector) -> Closest<S> {
    if let Some(part) = part.facing(point) {
        return closest(&part, point);
    }
    let core = core_closest(part, point);
    Closest {
        distance: core.distance - part.rounding(),
        normal: core.normal,
        point: core.point + core.normal * part.rounding(),
    }
}

fn core_closest<S: Space>(part: &Convex<S>, point: S::Vector) -> Closest<S> {
    if let Some((normal, offset)) = part.as_half_space() {
        let distance = normal.dot(point) - offset;
        return Closest {
            distance,
            normal,
            point: point - normal * distance,
        };
    }
    if let Some((centre, axis, half_length, radius)) = part.as_cylinder() {
        return beside_cylinder::<S>(point, centre, axis, half_length, radius);
    }
    let corners: Vec<S::Vector> = part.corners().collect();
    let heights = part.faces().map(|(normal, around)| {
        let base = corners[around[0] as usize];
        (normal.dot(point - base), normal)
    });
    let highest = heights.fold(
        None,
        |best: Option<(f64, S::Vector)>, (height, normal)| match best {
            Some((other, _)) if other >= height => best,
            _ => Some((height, normal)),
        },
    );
    if let Some((height, normal)) = highest
        && height <= 0.0
        && part.faces().count() > S::DIMENSION
    {
        return Closest {
            distance: height,
            normal,
            point: point - normal * height,
        };
    }
    let mut best: Option<S::Vector> = None;
    let mut consider = |place: S::Vector| {
        let nearer = |other: S::Vector| (place - point).length() < (other - point).length();
        if best.is_none_or(nearer) {
            best = Some(place);
        }
    };
    corners.iter().for_each(|&corner| consider(corner));
    for (normal, around) in part.faces() {
        let ring: Vec<S::Vector> = around.iter().map(|&c| corners[c as usize]).collect();
        for (k, &from) in ring.iter().enumerate() {
            consider(on_segment(point, from, ring[(k + 1) % ring.len()]));
        }
        if S::DIMENSION == 3 {
            let foot = point - normal * normal.dot(point - ring[0]);
            let inside = (0..ring.len()).all(|k| {
                let (from, to) = (ring[k], ring[(k + 1) % ring.len()]);
                let side = S::angular_velocity_components(S::torque(to - from, foot - from));
                S::vector(side).dot(normal) >= 0.0
            });
            if inside {
                consider(foot);
            }
        }
    }
    if part.faces().count() == 0 && corners.len() == 2 {
        consider(on_segment(point, corners[0], corners[1]));
    }
    let place = best.unwrap_or(point);
    let away = point - place;
    Closest {
        distance: away.length(),
        normal: away.unit().unwrap_or(S::vector([1.0, 0.0, 0.0])),
        point: place,
    }
}

fn on_segment<V: Linear>(point: V, from: V, to: V) -> V {
    let along = to - from;
    let square = along.length_squared();
    if square == 0.0 {
        return from;
    }
    from + along * ((point - from).dot(along) / square).clamp(0.0, 1.0)
}

fn beside_cylinder<S: Space>(
    point: S::Vector,
    centre: S::Vector,
    axis: S::Vector,
    half_length: f64,
    radius: f64,
) -> Closest<S> {
    let local = point - centre;
    let along = axis.dot(local);
    let across = local - axis * along;
    let away = across.length();
    let out = across.unit().unwrap_or(S::Vector::ZERO);
    let end = if along < 0.0 { -axis } else { axis };
    let (beyond, outside) = (along.abs() - half_length, away - radius);
    let (distance, normal) = if beyond <= 0.0 || outside <= 0.0 {
        if beyond > outside {
            (beyond, end)
        } else {
            (outside, out)
        }
    } else {
        let direction = end * beyond + out * outside;
        (direction.length(), direction.unit().unwrap_or(end))
    };
    Closest {
        distance,
        normal,
        point: point - normal * distance,
    }
}
