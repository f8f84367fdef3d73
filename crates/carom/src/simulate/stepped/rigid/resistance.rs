//! What resists rolling and spinning where a round part touches another: springs with sliders, as between balls.

use super::contact_forces::{Glance, NearPair, PairPull, PairSide, PointMemory, PointSpring};
use crate::force::{Friction, Held, Normal, carry, rub};
use crate::shape::convex::Convex;
use crate::simulate::rigid::round_part;
use crate::space::{Linear, Space};

/// The features under which it is remembered how far two parts have spun and rolled on each other.
pub(super) const SPINS: u64 = u64::MAX - 1;
const ROLLS: u64 = u64::MAX;

/// The arm of what resists rolling and spinning between two parts, m: the radius of the round one, of two that move the
/// smaller one; zero where none rolls.
pub(super) fn lever<S: Space>((a, b): (&Convex<S>, &Convex<S>), both: bool) -> f64 {
    let radii = [round_part(a), if both { round_part(b) } else { 0.0 }];
    let round = radii.into_iter().filter(|&radius| radius > 0.0);
    round.reduce(f64::min).unwrap_or(0.0)
}

/// What resists rolling and spinning at a manifold acts: springs with sliders, as between balls.
pub(super) fn resist<S: Space>(
    near: &NearPair,
    (one, two): (&PairSide<S>, &PairSide<S>),
    (normal, lever): (S::Vector, f64),
    springs: &[PointSpring<S>],
    glance: &Glance<'_, S>,
    pull: &mut PairPull<S>,
) {
    let couple = &near.pairing.couple;
    let Some(first) = springs.first() else {
        return;
    };
    if lever == 0.0 || !(couple.rolling.acts() || couple.spinning.acts()) {
        return;
    }
    let part: f64 = springs.iter().map(|spring| spring.share).sum();
    let deepest = springs.iter().map(|it| it.depth).fold(0.0, f64::max);
    let law = Normal {
        stiffness: couple.normal.stiffness * part,
        ..couple.normal
    };
    // As hard as the springs press; what dampers do besides is gone at rest.
    let pressing = law.force(deepest, 0.0).total().abs();
    let scale = couple.normal.tangential_scale(deepest);
    let turning = one.angular_velocity - two.angular_velocity;
    let past = S::surface_velocity(turning, normal) * lever;
    let about = turning - S::torque(normal, S::surface_velocity(turning, normal));
    let about = S::vector(S::angular_velocity_components(about)) * lever;
    let mut torque = S::Angular::ZERO;
    for (which, friction, velocity) in [
        (ROLLS, couple.rolling, past),
        (SPINS, couple.spinning, about),
    ] {
        if !friction.acts() || (which == SPINS && S::DIMENSION == 2) {
            continue;
        }
        let friction = Friction {
            stiffness: friction.stiffness * part,
            damping: friction.damping * part,
            ..friction
        };
        let key = (first.key.0, first.key.1, which);
        let known = glance.memory.iter().find(|spot| spot.key == key);
        let held = known.map_or_else(Held::default, |spot| spot.held);
        let stretch = match which {
            ROLLS => carry(held.stretch, normal),
            _ => normal * normal.dot(held.stretch),
        };
        let held = Held {
            stretch: stretch + velocity * glance.stretch_for,
            slides: held.slides,
        };
        let resisting = rub(&friction, scale, &held, velocity, pressing);
        torque += match which {
            ROLLS => S::torque(normal * lever, resisting.force),
            _ => S::angular_velocity(S::components(resisting.force)) * lever,
        };
        pull.resisted[usize::from(which == SPINS)] -= resisting.force.dot(velocity);
        pull.spots.push(PointMemory {
            key,
            held: resisting.held,
        });
        pull.rates.push(velocity);
    }
    pull.torques[0] += torque;
    pull.torques[1] -= torque;
    pull.moment += torque;
    pull.kinematic += torque.dot(two.angular_velocity);
}
