//! Where two bodies touch at an instant.
//!
//! First the bounding-sphere tests; then a separating plane or the direction of least overlap
//! (`separate.rs`); then the points. The side whose face is perpendicular to the normal is the *reference*: the face of
//! the other that looks most at it is cut to the outline of the reference face, and all corners of what is left that
//! are nearer than the margin are contact points. So a box on a floor has four of them, an edge on a face two, a corner
//! on a face one. Where no face is perpendicular to the normal two edges cross (one point), or lie along each other
//! (two), or a corner meets something.

mod patch;

use super::arch::arch_manifolds;
use super::bare::faced;
use super::compound::Compound;
use super::inside::{manifolds, reversed};
use super::part::{Convex, Core};
use super::placed::{Placed, separation};
use super::separate::{Axis, axis_between, quick, to_point};
use crate::motion::Pose;
use crate::order::InOrder;
use crate::shape::{SphereTest, sphere_test};
use crate::space::{Linear, Space};
use glam::DVec3;
pub(crate) use patch::points_of;

/// How two bodies stand to each other at an instant.
#[derive(Clone, Debug, PartialEq)]
pub enum Meeting<S: Space> {
    /// There is a plane between them.
    Apart {
        /// Of the plane, from *a* to *b*, of length one.
        normal: S::Vector,
        /// No point of one is nearer to a point of the other along the normal, m: at most their distance.
        gap: f64,
    },
    /// They touch, or are nearer than the margin asked for.
    Touching(Manifold<S>),
}

/// Where two bodies touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifold<S: Space> {
    /// From *a* to *b*, of length one.
    pub normal: S::Vector,
    /// How far they would have to be moved apart along the normal, m; negative by their distance where they do not
    /// quite touch.
    pub depth: f64,
    /// All of them: one at a corner, two where an edge lies on a face, more where faces lie on each other.
    pub points: Vec<ContactPoint<S>>,
}

/// One point at which two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint<S: Space> {
    /// On the surface of *a*, in the world, m.
    pub on_a: S::Vector,
    /// On the surface of *b*, in the world, m.
    pub on_b: S::Vector,
    /// `(on_a − on_b) · normal`, m: negative where there is a gap.
    pub depth: f64,
    /// The same while the same features touch: for solvers that start from the last solution. Unique within a manifold.
    pub feature: u64,
}

/// Whether two bodies touch at an instant, and where.
///
/// Points nearer than the margin (m) count: then face on face yields all its points although rounding has lifted some
/// of them. Of compounds it is the deepest pair of parts (where they are apart, the nearest); [`meetings`] has all of
/// them.
pub fn meeting<S: Space>(
    a: &Compound<S>,
    pose_a: &Pose<S>,
    b: &Compound<S>,
    pose_b: &Pose<S>,
    margin: f64,
) -> Meeting<S> {
    if let ([part_a], [part_b]) = (a.parts(), b.parts())
        && let Some(found) = meeting_of_ball((part_a, pose_a), (part_b, pose_b), margin)
    {
        return found;
    }
    let depth = |meeting: &Meeting<S>| match meeting {
        Meeting::Apart { gap, .. } => -gap,
        Meeting::Touching(manifold) => manifold.depth,
    };
    let mut best: Option<Meeting<S>> = None;
    // Where none is near, the first pair says that they are apart.
    let mut pairs = near_pairs(a, pose_a, b, pose_b, margin);
    if pairs.is_empty() {
        pairs.push((0, 0));
    }
    for (i, j) in pairs {
        let (part_a, part_b) = (&a.parts()[i], &b.parts()[j]);
        let round = |part: &Convex<S>| part.as_inside().is_some() || part.as_arch().is_some();
        let found = if round(part_a) || round(part_b) {
            met_inside((part_a, pose_a), (part_b, pose_b), margin)
        } else {
            meeting_of_parts(part_a, pose_a, part_b, pose_b, margin)
        };
        let deeper = best.as_ref().is_none_or(|known| {
            let touching = |m: &Meeting<S>| matches!(m, Meeting::Touching(_));
            (touching(&found), depth(&found)) > (touching(known), depth(known))
        });
        if deeper {
            best = Some(found);
        }
    }
    best.expect("a form has at least one part")
}

/// The same for a ball and a box or a cylinder in 3-D, for which there is a closed form.
fn meeting_of_ball<S: Space>(
    (a, pose_a): (&Convex<S>, &Pose<S>),
    (b, pose_b): (&Convex<S>, &Pose<S>),
    margin: f64,
) -> Option<Meeting<S>> {
    let is_ball = |part: &Convex<S>| match &part.core {
        Core::Hull(hull) => hull.corners.len() == 1,
        _ => false,
    };
    if S::DIMENSION == 2 || is_ball(a) == is_ball(b) {
        return None;
    }
    let pair = PartPair::new(a, pose_a, b, pose_b);
    let (from, to, side) = if is_ball(b) {
        (&pair.a, &pair.b, 1.0)
    } else {
        (&pair.b, &pair.a, -1.0)
    };
    let axis = to_point(from, to)?;
    let (normal, gap) = (axis.normal * side, axis.separation - pair.rounding());
    let vector = |v: DVec3| S::vector(v.to_array());
    if gap > margin {
        return Some(Meeting::Apart {
            normal: vector(normal),
            gap,
        });
    }
    // As `points_of` counts: a face, or a corner (of which an edge takes the first).
    let level = 1e-9 * pair.size;
    let feature = match from.core.highest_corner(from.own(axis.normal), level) {
        None if side > 0.0 => 0,
        None => 1 << 63,
        Some(corner) if side > 0.0 => 1 << 61 | u64::from(corner) << 30,
        Some(corner) => 1 << 61 | u64::from(corner),
    };
    let centre = to.place(to.core.farthest(axis.normal).0);
    let on_from = centre - axis.normal * (axis.separation - from.rounding);
    let on_to = centre - axis.normal * to.rounding;
    let (on_a, on_b) = if side > 0.0 {
        (on_from, on_to)
    } else {
        (on_to, on_from)
    };
    Some(Meeting::Touching(Manifold {
        normal: vector(normal),
        depth: -gap,
        points: vec![ContactPoint {
            on_a: vector(on_a) + pose_a.position,
            on_b: vector(on_b) + pose_a.position,
            depth: -gap,
            feature,
        }],
    }))
}

/// All points at which two bodies touch: one manifold a pair of parts, with the numbers of the parts. Empty where they
/// are apart.
pub fn meetings<S: Space>(
    a: &Compound<S>,
    pose_a: &Pose<S>,
    b: &Compound<S>,
    pose_b: &Pose<S>,
    margin: f64,
) -> Vec<(usize, usize, Manifold<S>)> {
    let mut all = Vec::new();
    for (i, j) in near_pairs(a, pose_a, b, pose_b, margin) {
        let (part_a, part_b) = (&a.parts()[i], &b.parts()[j]);
        if let Some(inside) = of_inside((part_a, pose_a), (part_b, pose_b), margin) {
            all.extend(inside.into_iter().map(|manifold| (i, j, manifold)));
            continue;
        }
        if let Meeting::Touching(manifold) =
            meeting_of_parts(part_a, pose_a, part_b, pose_b, margin)
        {
            all.push((i, j, manifold));
        }
    }
    all
}

/// Where two parts touch of which one is the inside of something round, or an arc; `None` where none is.
fn of_inside<S: Space>(
    (a, pose_a): (&Convex<S>, &Pose<S>),
    (b, pose_b): (&Convex<S>, &Pose<S>),
    margin: f64,
) -> Option<Vec<Manifold<S>>> {
    if let Some(arch) = b.as_arch() {
        return Some(arch_manifolds(a, pose_a, arch, pose_b, margin));
    }
    if let Some(arch) = a.as_arch() {
        let found = arch_manifolds(b, pose_b, arch, pose_a, margin).into_iter();
        return Some(found.map(reversed).collect());
    }
    match (a.as_inside(), b.as_inside()) {
        (None, None) => None,
        (_, Some(inside)) => Some(manifolds(a, pose_a, inside, pose_b, margin)),
        (Some(inside), None) => {
            let found = manifolds(b, pose_b, inside, pose_a, margin).into_iter();
            Some(found.map(reversed).collect())
        }
    }
}

/// The same at the deepest point, or how far they are apart.
fn met_inside<S: Space>(
    a: (&Convex<S>, &Pose<S>),
    b: (&Convex<S>, &Pose<S>),
    margin: f64,
) -> Meeting<S> {
    let all = of_inside(a, b, f64::INFINITY).unwrap_or_default();
    let deepest = all.into_iter().max_by(|x, y| x.depth.total_cmp(&y.depth));
    match deepest {
        Some(manifold) if manifold.depth >= -margin => Meeting::Touching(manifold),
        Some(manifold) => Meeting::Apart {
            normal: manifold.normal,
            gap: -manifold.depth,
        },
        None => Meeting::Apart {
            normal: S::vector([1.0, 0.0, 0.0]),
            gap: f64::INFINITY,
        },
    }
}

/// The pairs of parts that may touch: all, unless one of the bodies has very many.
fn near_pairs<S: Space>(
    a: &Compound<S>,
    pose_a: &Pose<S>,
    b: &Compound<S>,
    pose_b: &Pose<S>,
    margin: f64,
) -> Vec<(usize, usize)> {
    let near = |form: &Compound<S>, pose: &Pose<S>, other: &Compound<S>, place: S::Vector| {
        let reach = other.reach() + margin;
        if form.has_many_parts() && reach.is_finite() {
            let place = DVec3::from_array(S::components(pose.to_local(place)));
            // What rounding makes of places.
            let doubt = 1e-14 * (Linear::length(place) + reach);
            form.parts_near(place, DVec3::splat(reach + doubt))
        } else {
            (0..form.parts().len() as u32).collect()
        }
    };
    let of_a = near(a, pose_a, b, pose_b.position);
    let of_b = near(b, pose_b, a, pose_a.position);
    let pairs = of_a
        .iter()
        .flat_map(|&i| of_b.iter().map(move |&j| (i as usize, j as usize)));
    pairs.collect()
}

/// Whether two bodies have a point in common at an instant: the bounding-sphere tests first.
pub fn touching<S: Space>(
    a: &Compound<S>,
    pose_a: &Pose<S>,
    b: &Compound<S>,
    pose_b: &Pose<S>,
) -> bool {
    let bounded = a.reach().is_finite() && b.reach().is_finite();
    if bounded {
        match sphere_test(a.bounds(), pose_a.position, b.bounds(), pose_b.position) {
            SphereTest::Apart => return false,
            SphereTest::Touching => return true,
            SphereTest::Undecided => {}
        }
    }
    let meet = |part_a: &Convex<S>, part_b: &Convex<S>| {
        if let Some(inside) = of_inside((part_a, pose_a), (part_b, pose_b), 0.0) {
            return !inside.is_empty();
        }
        if part_a.is_bare() || part_b.is_bare() {
            let met = meeting_of_parts(part_a, pose_a, part_b, pose_b, 0.0);
            return matches!(met, Meeting::Touching(_));
        }
        let pair = PartPair::new(part_a, pose_a, part_b, pose_b);
        if pair.balls_apart(0.0).is_some() {
            return false;
        }
        let sharp = pair.rounding() == 0.0 && pair.is_general();
        if let Some(sphere_test) = sharp
            .then(|| quick(&pair.a, &pair.b, pair.between(), 0.0))
            .flatten()
        {
            return sphere_test;
        }
        let axis = pair.axis(0.0);
        axis.separation - pair.rounding() <= 0.0
    };
    if let ([part_a], [part_b]) = (a.parts(), b.parts()) {
        return meet(part_a, part_b);
    }
    let pairs = near_pairs(a, pose_a, b, pose_b, 0.0);
    let mut pairs = pairs.into_iter();
    pairs.any(|(i, j)| meet(&a.parts()[i], &b.parts()[j]))
}

/// How far apart two bodies certainly are along a direction of length one from *a* to *b*, m; negative where it does
/// not separate them.
///
/// A direction that separated them a moment ago mostly still does: asking this first is the quickest of all tests.
pub fn gap_along<S: Space>(
    a: &Compound<S>,
    pose_a: &Pose<S>,
    b: &Compound<S>,
    pose_b: &Pose<S>,
    normal: S::Vector,
) -> f64 {
    let normal = DVec3::from_array(S::components(normal));
    let mut least = f64::INFINITY;
    for part_a in a.parts() {
        for part_b in b.parts() {
            let pair = PartPair::new(part_a, pose_a, part_b, pose_b);
            least = least.min(separation(&pair.a, &pair.b, normal) - pair.rounding());
        }
    }
    least
}

/// Two parts at an instant, with places relative to a's centre.
pub(crate) struct PartPair<'a> {
    pub a: Placed<'a>,
    pub b: Placed<'a>,
    pub balls: [(DVec3, f64); 2],
    pub size: f64,
    pub planar: bool,
}

impl<'a> PartPair<'a> {
    fn new<S: Space>(
        a: &'a Convex<S>,
        pose_a: &Pose<S>,
        b: &'a Convex<S>,
        pose_b: &Pose<S>,
    ) -> Self {
        let origin = pose_a.position;
        let sizes = [a.ball.1, b.ball.1].into_iter().filter(|r| r.is_finite());
        PartPair {
            a: Placed::new(a, pose_a, origin),
            b: Placed::new(b, pose_b, origin),
            balls: [a.ball, b.ball],
            size: sizes.sum(),
            planar: S::DIMENSION == 2,
        }
    }

    fn rounding(&self) -> f64 {
        self.a.rounding + self.b.rounding
    }

    /// Two polyhedra that are not both boxes.
    fn is_general(&self) -> bool {
        match (self.a.core, self.b.core) {
            (Core::Hull(a), Core::Hull(b)) => {
                !self.planar && (a.block.is_none() || b.block.is_none())
            }
            _ => false,
        }
    }

    /// A direction and a gap along it, where the balls around the two are farther apart than a margin.
    fn balls_apart(&self, margin: f64) -> Option<(DVec3, f64)> {
        let [ball_a, ball_b] = self.balls;
        let reach = ball_a.1 + ball_b.1;
        let between = self.b.place(ball_b.0) - self.a.place(ball_a.0);
        let far = reach + margin;
        if !(Linear::length_squared(between) > far * far) {
            return None;
        }
        let distance = Linear::length(between);
        // Rounding of the places, as in the verdicts.
        let doubt = 8e-15 * (distance + reach);
        let gap = distance - reach - doubt;
        (gap > margin).then(|| (between / distance, gap))
    }

    fn between(&self) -> DVec3 {
        let between = self.b.place(self.balls[1].0) - self.a.place(self.balls[0].0);
        if between == DVec3::ZERO {
            DVec3::X
        } else {
            between
        }
    }

    fn axis(&self, margin: f64) -> Axis {
        let enough = margin + self.rounding();
        axis_between(
            &self.a,
            &self.b,
            self.between(),
            enough,
            self.size,
            self.planar,
        )
    }
}

/// The same as [`meeting`] for two parts.
pub fn meeting_of_parts<S: Space>(
    a: &Convex<S>,
    pose_a: &Pose<S>,
    b: &Convex<S>,
    pose_b: &Pose<S>,
    margin: f64,
) -> Meeting<S> {
    if a.is_bare() || b.is_bare() {
        let [a, b] = faced((a, pose_a), (b, pose_b));
        return meeting_of_parts(&a, pose_a, &b, pose_b, margin);
    }
    let vector = |v: DVec3| S::vector(v.to_array());
    let pair = PartPair::new(a, pose_a, b, pose_b);
    if let Some((normal, gap)) = pair.balls_apart(margin) {
        return Meeting::Apart {
            normal: vector(normal),
            gap,
        };
    }
    let axis = pair.axis(margin);
    let gap = axis.separation - pair.rounding();
    let apart = Meeting::Apart {
        normal: vector(axis.normal),
        gap,
    };
    if gap > margin {
        return apart;
    }
    let points = points_of(&pair, &axis, margin);
    if points.is_empty() && gap > 0.0 {
        // Corners look at each other: their distance is more than that of the planes.
        return apart;
    }
    let origin = pose_a.position;
    let points = points.into_iter().map(|point| ContactPoint {
        on_a: vector(point.on_a + axis.normal * a.rounding) + origin,
        on_b: vector(point.on_b - axis.normal * b.rounding) + origin,
        depth: pair.rounding() - Linear::dot(axis.normal, point.on_b - point.on_a),
        feature: point.feature,
    });
    Meeting::Touching(Manifold {
        normal: vector(axis.normal),
        depth: -gap,
        points: points.collect(),
    })
}

/// A corner of one body that is inside the other.
#[derive(Clone, Debug, PartialEq)]
pub struct CornerInside<S: Space> {
    /// Whether it is a corner of *a* (inside *b*).
    pub of_a: bool,
    /// The part that it belongs to, and its number there.
    pub corner: (usize, usize),
    /// In the world, m.
    pub place: S::Vector,
    /// The part that it is inside of.
    pub inside: usize,
    /// The faces of that part, with how deep below each the corner is, m; the nearest first.
    pub faces: Vec<(usize, f64)>,
}

/// Every corner of one body that is inside the other (or on its surface), with the faces that it is below. Only parts
/// with corners and faces have any.
pub fn corners_inside<S: Space>(
    a: &Compound<S>,
    pose_a: &Pose<S>,
    b: &Compound<S>,
    pose_b: &Pose<S>,
) -> Vec<CornerInside<S>> {
    let mut all = Vec::new();
    for (of_a, (from, from_pose), (into, into_pose)) in [
        (true, (a, pose_a), (b, pose_b)),
        (false, (b, pose_b), (a, pose_a)),
    ] {
        for (i, part) in from.parts().iter().enumerate() {
            let Core::Hull(hull) = &part.core else {
                continue;
            };
            if part.rounding > 0.0 {
                continue;
            }
            for (number, corner) in hull.corners.iter().enumerate() {
                let place = from_pose.to_world(S::vector(corner.to_array()));
                let own = DVec3::from_array(S::components(into_pose.to_local(place)));
                for (inside, other) in into.parts().iter().enumerate() {
                    if let Some(faces) = below_faces(other, own) {
                        all.push(CornerInside {
                            of_a,
                            corner: (i, number),
                            place,
                            inside,
                            faces,
                        });
                    }
                }
            }
        }
    }
    all
}

/// How deep a point of a part's frame is below each of its faces; `None` where it is outside.
fn below_faces<S: Space>(part: &Convex<S>, point: DVec3) -> Option<Vec<(usize, f64)>> {
    let mut depths: Vec<(usize, f64)> = match &part.core {
        Core::Hull(hull) if hull.has_inside => hull
            .faces
            .iter()
            .map(|face| face.offset - Linear::dot(face.normal, point))
            .enumerate()
            .collect(),
        Core::HalfSpace { normal, offset } => vec![(0, offset - Linear::dot(*normal, point))],
        // The two ends, then the side.
        Core::Cylinder(round) => {
            let arm = point - round.centre;
            let along = Linear::dot(round.axis, arm);
            let across = Linear::length(round.across(arm));
            vec![
                (0, round.half_length + along),
                (1, round.half_length - along),
                (2, round.radius - across),
            ]
        }
        Core::Hull(_) | Core::Inside(_) | Core::Arch(_) => return None,
    };
    depths.order_by(|x, y| x.1.total_cmp(&y.1).then(x.0.cmp(&y.0)));
    (depths[0].1 >= 0.0).then_some(depths)
}
