//! Convex bodies inside a circle, a sphere or a tube without end.
//!
//! The distance from the centre (or from the axis) is a convex function of the place, so that the farthest points of a
//! convex body are among its corners, each with its own normal: the direction away from the centre. A rounded part has
//! balls about its corners; of a cylinder the farthest point of each rim counts, and where a rim is the same distance
//! away all round, four of its points.
//!
//! # The farthest point of a rim from an axis
//!
//! Let y be the place of the middle of a rim of radius r, across the axis of the tube, which is tilted against that of
//! the cylinder by an angle of the sine S. With x the direction of the tube's axis in the plane of the rim and z across
//! it there, the point `r (c x + s z)` from the middle, `c² + s² = 1`, has the square of its distance from the axis
//!
//! ```text
//! |y|² + r² + 2 r (p c + q s − ½ k c²),        p = y·x,   q = y·z,   k = r S².
//! ```
//!
//! It is largest in the quadrant of p and q, at the one zero of `−|p| s + |q| c + k s c` there. On the other side of x
//! there is another place that is farther than those beside it if `k^⅔ > |p|^⅔ + |q|^⅔`: a coin across a tube touches
//! it with two points.

use super::part::{Convex, Core, Round};
use super::touch::{ContactPoint, Manifold};
use crate::motion::Pose;
use crate::shape::{Shape, Shape3, Shaped};
use crate::space::{Linear, Space};
use glam::DVec3;

/// Everything at least a radius away from a centre, or from an axis through it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Inside {
    pub centre: DVec3,
    /// Of length one; `None` for a circle or a sphere.
    pub axis: Option<DVec3>,
    pub radius: f64,
}

impl Inside {
    /// The part of a vector that counts: all of it, or what is across the axis.
    pub fn across(&self, vector: DVec3) -> DVec3 {
        match self.axis {
            None => vector,
            Some(axis) => vector - axis * Linear::dot(axis, vector),
        }
    }

    /// How fast a point of its surface can be about its frame's origin, in units of the angular speed, m.
    pub fn arm(&self) -> f64 {
        Linear::length(self.centre) + self.radius
    }
}

/// Along which corners two rims are told apart, and that no face turns with the normal (`feature` of a contact point).
const FEATURE: u64 = 1 << 61;

/// The points of a part, in the axes of its frame, that may be farthest from a centre in that frame, with their
/// features.
pub(crate) fn farthest_points(core: &Core, centre: DVec3, own: &Inside) -> Vec<(DVec3, u64)> {
    match core {
        Core::Hull(hull) => {
            let numbered = hull.corners.iter().zip(0..);
            numbered.map(|(&corner, k)| (corner, FEATURE | k)).collect()
        }
        Core::Cylinder(round) => [1.0, -1.0]
            .into_iter()
            .flat_map(|end: f64| of_rim(round, end, centre, own))
            .collect(),
        Core::HalfSpace { .. } | Core::Inside(_) | Core::Arch(_) => Vec::new(),
    }
}

/// Of the rim at one end of a cylinder.
fn of_rim(round: &Round, end: f64, centre: DVec3, own: &Inside) -> Vec<(DVec3, u64)> {
    let middle = round.centre + round.axis * (round.half_length * end);
    let first = FEATURE | if end > 0.0 { 0 } else { 16 };
    let away = own.across(middle - centre);
    if let Some(axis) = own.axis
        && let tilted = round.across(axis)
        && Linear::length(tilted) > PARALLEL
        && let Some(along) = tilted.unit()
    {
        let found = farthest_from_axis(round, away, (along, Linear::length(tilted)));
        let found = found.into_iter().flatten().zip([0, 5]);
        return found
            .map(|(out, k)| (middle + out * round.radius, first + k))
            .collect();
    }
    let out = round.across(away);
    if Linear::length(out) > 1e-9 * round.radius
        && let Some(out) = out.unit()
    {
        return vec![(middle + out * round.radius, first)];
    }
    let (one, other) = round.axis.any_orthonormal_pair();
    let around = [one, other, -one, -other].into_iter().zip(1..);
    around
        .map(|(out, k)| (middle + out * round.radius, first + k))
        .collect()
}

/// Axes are parallel that are tilted by less than this, rad: a rim is off the circle by a billionth of that.
const PARALLEL: f64 = 1e-9;

/// The directions, in the plane of a rim, of the points that are farther from the axis of a tube than those beside
/// them: the farthest, and one on the other side if there is one. The direction of the tube's axis in that plane is
/// given with the sine of the angle between the axes.
fn farthest_from_axis(
    round: &Round,
    away: DVec3,
    (along, sine): (DVec3, f64),
) -> [Option<DVec3>; 2] {
    let across = round.axis.cross(along);
    let (p, q) = (Linear::dot(away, along), Linear::dot(away, across));
    let k = round.radius * sine * sine;
    // By the tangent of half the angle, which is as exact at one end as at the other.
    let point = |u: f64| {
        let size = 1.0 + u * u;
        ((1.0 - u) * (1.0 + u) / size, 2.0 * u / size)
    };
    let last_zero = |from: f64, q: f64| {
        let (mut rising, mut falling) = (from, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (rising + falling);
            let (c, s) = point(middle);
            if (k * c - p.abs()) * s + q * c > 0.0 {
                rising = middle;
            } else {
                falling = middle;
            }
        }
        point(rising)
    };
    let direction =
        |(c, s): (f64, f64), side: f64| along * c.copysign(p) + across * s.copysign(side);
    let (one, other) = (libm::cbrt(p.abs()), libm::cbrt(q.abs()));
    let both = one * one + other * other;
    let second = (libm::cbrt(k * k) > both).then(|| {
        // Where it rises most.
        let start = if both > 0.0 {
            other / (both.sqrt() + one)
        } else {
            0.0
        };
        direction(last_zero(start, -q.abs()), -q)
    });
    [Some(direction(last_zero(0.0, q.abs()), q)), second]
}

impl<S: Shaped> Convex<S> {
    /// What a shape is that bodies are inside of; `None` for all others.
    pub(crate) fn inside_of(shape: &Shape<S>) -> Option<Self> {
        let (axis, radius) = match shape {
            Shape::Hollow(hollow) => (None, hollow.radius),
            Shape::Own(own) => {
                let own: &dyn std::any::Any = &**own;
                match own.downcast_ref() {
                    Some(Shape3::Tube(tube)) => (Some(tube.axis), tube.radius),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let inside = Inside {
            centre: DVec3::ZERO,
            axis,
            radius,
        };
        Some(Convex::new(Core::Inside(inside), 0.0))
    }
}

impl<S: Space> Convex<S> {
    /// Centre, axis (if there is one) and radius of what is round from within: a circle, a sphere, a tube or an arc.
    pub(crate) fn round_from_within(&self) -> Option<(S::Vector, Option<S::Vector>, f64)> {
        let vector = |v: DVec3| S::vector(v.to_array());
        match &self.core {
            Core::Inside(inside) => Some((
                vector(inside.centre),
                inside.axis.map(vector),
                inside.radius,
            )),
            Core::Arch(arch) => Some((vector(arch.centre), None, arch.radius)),
            _ => None,
        }
    }

    /// The circle, sphere or tube that it is the inside of, if it is one.
    pub(crate) fn as_inside(&self) -> Option<&Inside> {
        match &self.core {
            Core::Inside(inside) => Some(inside),
            _ => None,
        }
    }
}

/// Where a part touches the inside: one manifold a point, for each has its own normal. `margin` in m.
pub(super) fn manifolds<S: Space>(
    part: &Convex<S>,
    pose: &Pose<S>,
    inside: &Inside,
    its_pose: &Pose<S>,
    margin: f64,
) -> Vec<Manifold<S>> {
    let vector = |v: DVec3| S::vector(v.to_array());
    let plain = |v: S::Vector| DVec3::from_array(S::components(v));
    // In the frame of the hollow.
    let to_its = |place: DVec3| plain(its_pose.to_local(pose.to_world(vector(place))));
    let centre = plain(pose.to_local(its_pose.to_world(vector(inside.centre))));
    let turned = |axis: DVec3| {
        let world = S::rotate(its_pose.rotation, vector(axis));
        plain(S::unrotate(pose.rotation, world))
    };
    let own = Inside {
        axis: inside.axis.map(turned),
        ..*inside
    };
    let mut found = Vec::new();
    for (point, feature) in farthest_points(&part.core, centre, &own) {
        let there = to_its(point);
        let away = inside.across(there - inside.centre);
        let distance = Linear::length(away);
        let depth = distance + part.rounding - inside.radius;
        let Some(out) = away.unit().filter(|_| depth >= -margin) else {
            continue;
        };
        let to_world = |place: DVec3| its_pose.to_world(vector(place));
        let on_b = there + out * (inside.radius - distance);
        found.push(Manifold {
            normal: S::rotate(its_pose.rotation, vector(out)),
            depth,
            points: vec![ContactPoint {
                on_a: to_world(there + out * part.rounding),
                on_b: to_world(on_b),
                depth,
                feature,
            }],
        });
    }
    found
}

/// The same seen from the other side.
pub(super) fn reversed<S: Space>(manifold: Manifold<S>) -> Manifold<S> {
    let points = manifold.points.into_iter().map(|point| ContactPoint {
        on_a: point.on_b,
        on_b: point.on_a,
        ..point
    });
    Manifold {
        normal: -manifold.normal,
        depth: manifold.depth,
        points: points.collect(),
    }
}
