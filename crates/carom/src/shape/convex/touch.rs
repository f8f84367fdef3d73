//! Where two bodies touch at an instant.
//!
//! First the quick verdicts of C10, by balls; then a separating plane or the direction of least overlap
//! (`separate.rs`); then the points. The side whose face is perpendicular to the normal is the *reference*: the face of
//! the other that looks most at it is cut to the outline of the reference face, and all corners of what is left that
//! are nearer than the margin are contact points. So a box on a floor has four of them, an edge on a face two, a corner
//! on a face one. Where no face is perpendicular to the normal two edges cross (one point), or lie along each other
//! (two), or a corner meets something.

use super::compound::Compound;
use super::part::{Convex, Core};
use super::placed::{Placed, separation};
use super::separate::{Axis, Kind, axis_between, quick};
use crate::motion::Pose;
use crate::order::InOrder;
use crate::shape::{Verdict, verdict};
use crate::space::{Linear, Space};
use glam::DVec3;

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

/// One place at which two bodies touch.
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
        let found = meeting_of_parts(part_a, pose_a, part_b, pose_b, margin);
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

/// All places at which two bodies touch: one manifold a pair of parts, with the numbers of the parts. Empty where they
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
        if let Meeting::Touching(manifold) =
            meeting_of_parts(part_a, pose_a, part_b, pose_b, margin)
        {
            all.push((i, j, manifold));
        }
    }
    all
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

/// Whether two bodies have a point in common at an instant: the quick verdicts first (C10).
pub fn touching<S: Space>(
    a: &Compound<S>,
    pose_a: &Pose<S>,
    b: &Compound<S>,
    pose_b: &Pose<S>,
) -> bool {
    let bounded = a.reach().is_finite() && b.reach().is_finite();
    if bounded {
        match verdict(a.bounds(), pose_a.position, b.bounds(), pose_b.position) {
            Verdict::Apart => return false,
            Verdict::Touching => return true,
            Verdict::Undecided => {}
        }
    }
    let meet = |part_a: &Convex<S>, part_b: &Convex<S>| {
        let pair = Pair::new(part_a, pose_a, part_b, pose_b);
        if pair.balls_apart(0.0).is_some() {
            return false;
        }
        let sharp = pair.rounding() == 0.0 && pair.is_general();
        if let Some(verdict) = sharp
            .then(|| quick(&pair.a, &pair.b, pair.between(), 0.0))
            .flatten()
        {
            return verdict;
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
/// A direction that separated them a moment ago mostly still does: asking this first is the quickest of all verdicts.
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
            let pair = Pair::new(part_a, pose_a, part_b, pose_b);
            least = least.min(separation(&pair.a, &pair.b, normal) - pair.rounding());
        }
    }
    least
}

/// Two parts at an instant, with places relative to a's centre.
pub(crate) struct Pair<'a> {
    pub a: Placed<'a>,
    pub b: Placed<'a>,
    pub balls: [(DVec3, f64); 2],
    pub size: f64,
    pub planar: bool,
}

impl<'a> Pair<'a> {
    fn new<S: Space>(
        a: &'a Convex<S>,
        pose_a: &Pose<S>,
        b: &'a Convex<S>,
        pose_b: &Pose<S>,
    ) -> Self {
        let origin = pose_a.position;
        let sizes = [a.ball.1, b.ball.1].into_iter().filter(|r| r.is_finite());
        Pair {
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
    let vector = |v: DVec3| S::vector(v.to_array());
    let pair = Pair::new(a, pose_a, b, pose_b);
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

/// A place on each core.
pub(crate) struct Place {
    pub on_a: DVec3,
    pub on_b: DVec3,
    feature: u64,
}

/// Corners this much lower than the highest still count as being as high, of the size: what rounding of a direction
/// makes of them.
const LEVEL: f64 = 1e-9;

/// A corner of a feature: where, and a number that tells it from others.
type Numbered = (DVec3, u32);

/// The places on the two cores where they are no farther apart along the axis than the margin and their rounding.
pub(crate) fn points_of(pair: &Pair, axis: &Axis, margin: f64) -> Vec<Place> {
    let (a, b, normal) = (&pair.a, &pair.b, axis.normal);
    let level = LEVEL * pair.size;
    let of_a = highest(a, normal, level);
    let of_b = highest(b, -normal, level);
    let enough = if pair.planar { 2 } else { 3 };
    let is_face = |feature: &[Numbered], core: &Core| {
        feature.len() >= enough || matches!(core, Core::HalfSpace { .. })
    };
    let (face_a, face_b) = (is_face(&of_a, a.core), is_face(&of_b, b.core));
    let prefers_b = matches!(axis.kind, Kind::FaceB(_));
    let limit = margin + pair.rounding();
    let places = if face_a && !(face_b && prefers_b) {
        clipped(pair, &of_a, b, normal, axis.separation, limit)
            .into_iter()
            .map(|(on_a, on_b, feature)| Place {
                on_a,
                on_b,
                feature,
            })
            .collect()
    } else if face_b {
        clipped(pair, &of_b, a, -normal, axis.separation, limit)
            .into_iter()
            .map(|(on_b, on_a, feature)| Place {
                on_a,
                on_b,
                feature: feature | 1 << 63,
            })
            .collect()
    } else {
        of_edges(&of_a, &of_b, normal, level)
    };
    if !places.is_empty() || axis.separation > limit {
        return places;
    }
    // Nothing of the other face lies over the reference: corners or edges beside it.
    of_edges(&of_a, &of_b, normal, level)
        .into_iter()
        .filter(|p| Linear::length(p.on_b - p.on_a) <= limit.max(axis.separation.abs() + level))
        .collect()
}

/// The corners that are farthest along a direction, in order around their face; points on the rim, or the two ends of a
/// line, of a cylinder.
fn highest(placed: &Placed, direction: DVec3, level: f64) -> Vec<Numbered> {
    match placed.core {
        Core::Hull(hull) => {
            let own = placed.own(direction);
            let top = hull.height(own);
            let is_high =
                |corner: u32| Linear::dot(own, hull.corners[corner as usize]) >= top - level;
            let numbered = |corner: u32| (placed.place(hull.corners[corner as usize]), corner);
            let high: Vec<u32> = (0..hull.corners.len() as u32)
                .filter(|&c| is_high(c))
                .collect();
            if high.len() > 1 {
                // All of one face? Then in its order.
                let whole = hull.faces_at.get(high[0]).iter().find(|&&face| {
                    let around = hull.around(face as usize);
                    let ahead = Linear::dot(hull.faces[face as usize].normal, own) > 0.0;
                    ahead && around.len() == high.len() && around.iter().all(|&c| is_high(c))
                });
                if let Some(&face) = whole {
                    return hull
                        .around(face as usize)
                        .iter()
                        .map(|&c| numbered(c))
                        .collect();
                }
            }
            high.into_iter().map(numbered).collect()
        }
        Core::Cylinder(round) => {
            let own = placed.own(direction);
            let along = Linear::dot(round.axis, own);
            let across = round.across(own);
            let end = if along < 0.0 { -1.0 } else { 1.0 };
            let top = round.centre + round.axis * (round.half_length * end);
            if 2.0 * round.radius * Linear::length(across) <= level {
                rim(
                    top,
                    round.axis * end,
                    across_of(round.axis),
                    round.radius,
                    16,
                )
                .into_iter()
                .map(|(point, i)| (placed.place(point), i))
                .collect()
            } else {
                let out = across.unit().unwrap_or(DVec3::ZERO) * round.radius;
                let mut points = vec![(placed.place(top + out), 0)];
                if 2.0 * round.half_length * along.abs() <= level {
                    let bottom = round.centre - round.axis * (round.half_length * end);
                    points.push((placed.place(bottom + out), 1));
                }
                points
            }
        }
        Core::HalfSpace { .. } => Vec::new(),
    }
}

/// A direction across an axis, always the same one.
fn across_of(axis: DVec3) -> DVec3 {
    let least = axis.abs();
    let other = if least.x <= least.y && least.x <= least.z {
        DVec3::X
    } else if least.y <= least.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    axis.cross(other).unit().unwrap_or(DVec3::X)
}

/// Points around a circle, counter-clockwise about the axis.
fn rim(centre: DVec3, axis: DVec3, first: DVec3, radius: f64, number: u32) -> Vec<Numbered> {
    let second = axis.cross(first);
    (0..number)
        .map(|i| {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(number);
            let (sin, cos) = libm::sincos(angle);
            (centre + (first * cos + second * sin) * radius, i)
        })
        .collect()
}

/// What of the other body looks at a reference face with a normal: polygons, lines or points, of which any may be low
/// enough to touch.
fn looking(other: &Placed, normal: DVec3) -> Vec<Vec<Numbered>> {
    match other.core {
        Core::Hull(hull) => {
            let own = other.own(-normal);
            let numbered = |corner: u32| (other.place(hull.corners[corner as usize]), corner);
            let facing = (0..hull.faces.len()).max_by(|&i, &j| {
                let part = |f: usize| Linear::dot(hull.faces[f].normal, own);
                part(i).total_cmp(&part(j)).then(j.cmp(&i))
            });
            let corners = match facing {
                Some(face) => hull.around(face).iter().map(|&c| numbered(c)).collect(),
                None => (0..hull.corners.len() as u32).map(numbered).collect(),
            };
            vec![corners]
        }
        Core::Cylinder(round) => {
            let own = other.own(-normal);
            let along = Linear::dot(round.axis, own);
            let end = if along < 0.0 { -1.0 } else { 1.0 };
            let across = round.across(own);
            // The lowest point first; where the end is level, always the same one.
            let first = if Linear::length(across) > 1e-6 {
                across.unit().unwrap_or(DVec3::X)
            } else {
                across_of(round.axis)
            };
            let top = round.centre + round.axis * (round.half_length * end);
            let bottom = round.centre - round.axis * (round.half_length * end);
            let circle = rim(top, round.axis * end, first, round.radius, 8);
            let line = [(top, 0), (bottom, 8)].map(|(c, i)| (c + first * round.radius, i));
            [circle, line.to_vec()]
                .into_iter()
                .map(|list| {
                    let list = list.into_iter();
                    list.map(|(point, i)| (other.place(point), i)).collect()
                })
                .collect()
        }
        Core::HalfSpace { .. } => Vec::new(),
    }
}

/// The points of the other body over the reference face, no more than `limit` above it: on the reference, on the other,
/// feature.
fn clipped(
    pair: &Pair,
    reference: &[Numbered],
    other: &Placed,
    normal: DVec3,
    separation: f64,
    limit: f64,
) -> Vec<(DVec3, DVec3, u64)> {
    // The plane of the reference: the other's lowest point is `separation` above it.
    let plane = -other.height(-normal) - separation;
    let mut all: Vec<(DVec3, DVec3, u64)> = Vec::new();
    for polygon in looking(other, normal) {
        let mut points: Vec<(DVec3, u64)> = polygon
            .into_iter()
            .map(|(point, i)| (point, u64::from(i)))
            .collect();
        let closed = points.len() > 2;
        let sides = if pair.planar && reference.len() == 2 {
            2
        } else {
            reference.len()
        };
        for i in 0..sides {
            let (from, number) = reference[i];
            let along = reference[(i + 1) % reference.len()].0 - from;
            let outward = if pair.planar {
                -along
            } else {
                along.cross(normal)
            };
            let Some(outward) = outward.unit() else {
                continue;
            };
            points = cut(
                &points,
                closed,
                from,
                outward,
                u64::from(number),
                1e-12 * pair.size,
            );
            if points.is_empty() {
                break;
            }
        }
        for (point, feature) in points {
            let gap = Linear::dot(normal, point) - plane;
            let fresh = all.iter().all(|&(_, p, _)| {
                Linear::length_squared(p - point) > 1e-24 * pair.size * pair.size
            });
            if gap <= limit && fresh {
                all.push((point - normal * gap, point, feature));
            }
        }
    }
    all
}

/// A polygon or a line, cut to what is not outside a plane.
fn cut(
    points: &[(DVec3, u64)],
    closed: bool,
    on: DVec3,
    outward: DVec3,
    number: u64,
    slack: f64,
) -> Vec<(DVec3, u64)> {
    let height = |p: DVec3| Linear::dot(outward, p - on) - slack;
    let mut kept = Vec::with_capacity(points.len() + 1);
    for (i, &(point, feature)) in points.iter().enumerate() {
        let here = height(point);
        if here <= 0.0 {
            kept.push((point, feature));
        }
        let next = if i + 1 < points.len() {
            points[i + 1]
        } else if closed {
            points[0]
        } else {
            break;
        };
        let there = height(next.0);
        if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
            let part = here / (here - there);
            let crossing = point + (next.0 - point) * part;
            // Which side of the other's outline, cut by which side of the reference: enough bits for 2¹⁵ corners of
            // each.
            let edge = (feature & 0x7fff) << 15 | next.1 & 0x7fff;
            kept.push((crossing, 1 << 62 | number << 30 | edge));
        }
    }
    kept
}

/// A corner with anything, or two edges.
fn of_edges(a: &[Numbered], b: &[Numbered], normal: DVec3, level: f64) -> Vec<Place> {
    let single = |on_a: DVec3, on_b: DVec3, feature: u64| Place {
        on_a,
        on_b,
        feature,
    };
    let number = |i: u32, j: u32| 1 << 61 | u64::from(i) << 30 | u64::from(j);
    match (a, b) {
        ([], _) | (_, []) => Vec::new(),
        (&[(p, i)], &[(q, j), ..]) if b.len() == 1 => {
            // Neither lies exactly over the other: each keeps its place along the normal, the place across is shared.
            let middle = (p + q) * 0.5;
            let at = |x: DVec3| middle + normal * Linear::dot(normal, x - middle);
            vec![single(at(p), at(q), number(i, j))]
        }
        (&[(p, i)], &[(q, j), ..]) => {
            let gap = Linear::dot(normal, q - p);
            vec![single(p, p + normal * gap, number(i, j))]
        }
        (&[(p, i), ..], &[(q, j)]) => {
            let gap = Linear::dot(normal, q - p);
            vec![single(q - normal * gap, q, number(i, j))]
        }
        (&[(p, i), (p2, i2), ..], &[(q, j), (q2, j2), ..]) => {
            let (u, v) = (p2 - p, q2 - q);
            let (uu, vv, uv) = (
                Linear::length_squared(u),
                Linear::length_squared(v),
                Linear::dot(u, v),
            );
            let cross = u.cross(v);
            let apart = q - p;
            // So nearly parallel that the ends differ by less than what counts as level.
            if Linear::length_squared(cross) <= (level * level) * uu.max(vv) {
                let along = |x: DVec3| Linear::dot(u, x - p) / uu;
                let (mut low, mut high) = ((along(q), j), (along(q2), j2));
                if low.0 > high.0 {
                    std::mem::swap(&mut low, &mut high);
                }
                if low.0 < 0.0 {
                    low = (0.0, i | 1 << 20);
                }
                if high.0 > 1.0 {
                    high = (1.0, i2 | 1 << 20);
                }
                if low.0 > high.0 {
                    return Vec::new();
                }
                let gap = Linear::dot(normal, apart);
                return [low, high]
                    .map(|(part, n)| {
                        let on_a = p + u * part;
                        single(on_a, on_a + normal * gap, number(i, n))
                    })
                    .into_iter()
                    .collect();
            }
            let determinant = uu * vv - uv * uv;
            let (du, dv) = (Linear::dot(u, apart), Linear::dot(v, apart));
            let s = ((du * vv - dv * uv) / determinant).clamp(0.0, 1.0);
            let t = ((du * uv - dv * uu) / determinant).clamp(0.0, 1.0);
            vec![single(p + u * s, q + v * t, number(i, j))]
        }
    }
}

/// A corner of one body that is inside the other (C11).
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
        Core::Hull(_) => return None,
    };
    depths.order_by(|x, y| x.1.total_cmp(&y.1).then(x.0.cmp(&y.0)));
    (depths[0].1 >= 0.0).then_some(depths)
}
