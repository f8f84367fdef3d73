use super::Bounds;
use super::length::length_range;
use crate::space::{Space, UNIT_ROUNDOFF};

/// What the bounding and enclosed spheres can say about a pair of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SphereTest {
    /// They certainly have no point in common.
    Apart,
    /// They certainly have a point in common.
    Touching,
    /// The spheres do not settle it: look at the shapes themselves.
    Undecided,
}

/// Whether two bodies touch, as far as the spheres about their centres of mass can decide.
///
/// `centre_a` and `centre_b` are the centres of mass in the world, m ([`Bounds::centre_in`]); how the bodies are
/// oriented does not matter.
///
/// With `d` the distance of the centres: `d > R_a + R_b` for the enclosing radii is [`SphereTest::Apart`], `d < r_a +
/// r_b` for the enclosed ones is [`SphereTest::Touching`]. The source counts equality as touching, here it is
/// undecided. An enclosed radius of zero says nothing: the centre of mass of a ring is not a point of the ring, and a
/// ball in its hole is near that centre without touching.
///
/// # Rounding
///
/// `d` is taken between bounds (8u of itself), the radii are bounds already. What remains is that the centres, and the
/// corners that a later test looks at, are rounded when a body's frame is turned and moved: a quaternion of length
/// 1 + 4u shifts a corner by 8u of its arm, the entries of its matrix, the products and the sums by some 8u more. The
/// margin is 32u of all coordinates and radii, twice that.
pub fn sphere_test<S: Space>(
    a: &Bounds<S>,
    centre_a: S::Vector,
    b: &Bounds<S>,
    centre_b: S::Vector,
) -> SphereTest {
    let (nearest, farthest) = length_range::<S>(centre_b - centre_a);
    let enclosing = a.enclosing + b.enclosing;
    let size = taxicab::<S>(centre_a) + taxicab::<S>(centre_b) + enclosing;
    let margin = 32.0 * UNIT_ROUNDOFF * size;
    // Written so that NaN and infinity fall through to `Undecided`.
    if nearest > enclosing + margin {
        SphereTest::Apart
    } else if a.enclosed > 0.0 && b.enclosed > 0.0 && farthest + margin < a.enclosed + b.enclosed {
        SphereTest::Touching
    } else {
        SphereTest::Undecided
    }
}

/// The sum of the sizes of the components: at least the length, without a root.
fn taxicab<S: Space>(vector: S::Vector) -> f64 {
    S::components(vector).iter().map(|c| c.abs()).sum()
}
