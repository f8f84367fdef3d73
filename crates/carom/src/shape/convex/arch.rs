//! Convex bodies beside a thin arc in the plane, which is struck from outside, from within and at its ends.
//!
//! Where a convex body touches an arc between its ends it lies on one side of the tangent there. From outside that is
//! where the body is nearest to the centre. From within it is one of its corners (of a rounded body, the ball about
//! one): a side that is straight does not fit into the arc. So the distance of a body from an arc is the least of that
//! of its place nearest to the centre, of those of its corners, where these face the arc, and of those of the two ends.

use super::nearest::closest;
use super::part::{Convex, Core};
use super::touch::{ContactPoint, Manifold};
use crate::motion::Pose;
use crate::shape::{Shape, Shape2, Shaped};
use crate::space::{Linear, Space};
use glam::DVec3;

/// A piece of a circle, in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arch {
    pub centre: DVec3,
    pub radius: f64,
    /// Of length one, to the middle of the arc.
    middle: DVec3,
    /// Cosine of half the angle that it spans.
    cos_half: f64,
    ends: [DVec3; 2],
}

impl Arch {
    /// The same, as something else does to places and to directions.
    pub fn carried(
        &self,
        place: impl Fn(DVec3) -> DVec3,
        direction: impl Fn(DVec3) -> DVec3,
    ) -> Self {
        Arch {
            centre: place(self.centre),
            middle: direction(self.middle),
            ends: self.ends.map(place),
            ..*self
        }
    }

    /// Whether the direction from the centre to a place meets the arc.
    fn faces(&self, place: DVec3) -> bool {
        let out = place - self.centre;
        Linear::dot(out, self.middle) >= self.cos_half * Linear::length(out)
    }

    /// Whether it is the arc that a way from one place to another last crosses on the circle of some radius.
    fn is_crossed(&self, from: DVec3, to: DVec3, radius: f64) -> bool {
        let (start, way) = (from - self.centre, to - from);
        let (square, along) = (Linear::length_squared(way), Linear::dot(start, way));
        let rest = Linear::length_squared(start) - radius * radius;
        let root = (along * along - square * rest).max(0.0).sqrt();
        // Going out: the later one of the two.
        self.faces(from + way * ((root - along) / square))
    }
}

/// Where a body may touch an arc.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArchPoint {
    pub on_body: DVec3,
    pub on_arch: DVec3,
    /// Of length one, out of the body.
    pub normal: DVec3,
    /// m; negative where they are apart.
    pub depth: f64,
    feature: u64,
}

/// That no face turns with the normal (`feature` of a contact point), and what is told apart.
const FEATURE: u64 = 1 << 61;
const END: u64 = 1 << 32;
const OUTSIDE: u64 = 1 << 33;

/// All that may be nearest to an arc, in the frame of a part in which the arc is given.
pub(crate) fn arch_points<S: Space>(part: &Convex<S>, arch: &Arch) -> Vec<ArchPoint> {
    let plain = |v: S::Vector| DVec3::from_array(S::components(v));
    let near = |place: DVec3| {
        let near = closest(part, S::vector(place.to_array()));
        (plain(near.point), plain(near.normal), near.distance)
    };
    let mut found = Vec::new();
    let middle = part.ball.0;
    let beyond = |out: DVec3| Linear::dot(out, middle - arch.centre) > arch.radius;
    let (place, to_centre, distance) = near(arch.centre);
    if distance > 0.0 && arch.faces(arch.centre - to_centre) && beyond(-to_centre) {
        found.push(ArchPoint {
            on_body: place,
            on_arch: arch.centre - to_centre * arch.radius,
            normal: to_centre,
            depth: arch.radius - distance,
            feature: FEATURE | OUTSIDE,
        });
    }
    if let Core::Hull(hull) = &part.core {
        let room = arch.radius - part.rounding;
        for (&corner, k) in hull.corners.iter().zip(0..) {
            let away = corner - arch.centre;
            let depth = Linear::length(away) - room;
            let Some(out) = away.unit().filter(|out| !beyond(*out)) else {
                continue;
            };
            let through = depth <= 0.0
                || corner == middle
                || room > 0.0 && arch.is_crossed(middle, corner, room);
            if arch.faces(corner) && through {
                found.push(ArchPoint {
                    on_body: corner + out * part.rounding,
                    on_arch: arch.centre + out * arch.radius,
                    normal: out,
                    depth,
                    feature: FEATURE | k,
                });
            }
        }
    }
    for (end, k) in arch.ends.into_iter().zip(0..) {
        let (place, normal, distance) = near(end);
        found.push(ArchPoint {
            on_body: place,
            on_arch: end,
            normal,
            depth: -distance,
            feature: FEATURE | END | k,
        });
    }
    found
}

impl<S: Shaped> Convex<S> {
    /// What an arc is to rigid bodies; `None` for all other shapes.
    pub(crate) fn arch_of(shape: &Shape<S>) -> Option<Self> {
        let Shape::Own(own) = shape else {
            return None;
        };
        let own: &dyn std::any::Any = &**own;
        let Some(Shape2::Arc(arc)) = own.downcast_ref() else {
            return None;
        };
        let arch = Arch {
            centre: arc.centre.extend(0.0),
            radius: arc.radius,
            middle: arc.middle.extend(0.0),
            cos_half: arc.cos_half,
            ends: arc.ends.map(|end| end.extend(0.0)),
        };
        Some(Convex::new(Core::Arch(arch), 0.0))
    }
}

impl<S: Space> Convex<S> {
    /// The arc that it is, if it is one.
    pub(crate) fn as_arch(&self) -> Option<&Arch> {
        match &self.core {
            Core::Arch(arch) => Some(arch),
            _ => None,
        }
    }
}

/// The arc of a body at a pose, in the frame of another body.
pub(crate) fn arch_in<S: Space>(arch: &Arch, its_pose: &Pose<S>, pose: &Pose<S>) -> Arch {
    let vector = |v: DVec3| S::vector(v.to_array());
    let plain = |v: S::Vector| DVec3::from_array(S::components(v));
    arch.carried(
        |place| plain(pose.to_local(its_pose.to_world(vector(place)))),
        |out| {
            let world = S::rotate(its_pose.rotation, vector(out));
            plain(S::unrotate(pose.rotation, world))
        },
    )
}

/// Where a part touches an arc: one manifold a point, for each has its own normal. `margin` in m.
pub(super) fn arch_manifolds<S: Space>(
    part: &Convex<S>,
    pose: &Pose<S>,
    arch: &Arch,
    its_pose: &Pose<S>,
    margin: f64,
) -> Vec<Manifold<S>> {
    let world = |place: DVec3| pose.to_world(S::vector(place.to_array()));
    let points = arch_points(part, &arch_in(arch, its_pose, pose)).into_iter();
    let near = points.filter(|point| point.depth >= -margin);
    near.map(|point| Manifold {
        normal: S::rotate(pose.rotation, S::vector(point.normal.to_array())),
        depth: point.depth,
        points: vec![ContactPoint {
            on_a: world(point.on_body),
            on_b: world(point.on_arch),
            depth: point.depth,
            feature: point.feature,
        }],
    })
    .collect()
}
