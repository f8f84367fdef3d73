//! The contact points of edges beside edges: none is nearer than the bodies are, and where these touch there is one.

use crate::common::Random;
use carom::kernels::solids::{Meeting, meeting};
use carom::prelude::*;
use carom::shape::{Compound, Convex};

/// Two capsules, one of them short, that just touch: whoever asks for all points within a margin of the size of the
/// short one gets none that is deeper than the two are. (Edges counted as lying beside each other if the ends of the
/// shorter one were within the margin of the line of the other, up to any angle; the foot of a point was looked for on
/// the line of the second edge, beyond its end too, where that line goes on through the first body. Two capsules that
/// met at 44° seemed to overlap by centimetres, and were pushed apart, one of them through the floor: campaign, seed
/// 17, scene 3778.)
#[test]
fn no_point_of_two_capsules_is_deeper_than_they_are() {
    let mut random = Random(3778);
    let mut several = 0;
    for case in 0..3000 {
        let capsule = |random: &mut Random, half: f64, radius: f64| {
            let arm = random.direction() * half;
            let capsule = Convex::capsule(-arm, arm, radius).expect("positive");
            Compound::<Space3>::new(vec![capsule], 1.0).expect("a solid")
        };
        let (long, short) = (random.within(0.1, 0.3), random.within(0.03, 0.1));
        let (a, b) = (
            capsule(&mut random, long, 0.09),
            capsule(&mut random, short, 0.13),
        );
        let pose = |position: DVec3| Pose::<Space3>::at(position);
        // Brought up to each other until they all but touch.
        let mut place = random.direction() * (long + short + 0.3);
        let margin = random.within(0.01, 0.2);
        let met =
            |place: DVec3, margin: f64| meeting(&a, &pose(DVec3::ZERO), &b, &pose(place), margin);
        for _ in 0..50 {
            // Asked for all that is nearer than a metre it says how near exactly.
            match met(place, 1.0) {
                Meeting::Apart { normal, gap } => place -= normal * gap,
                Meeting::Touching(manifold) => place += manifold.normal * manifold.depth,
            }
        }
        let met = met(place, margin);
        let Meeting::Touching(manifold) = met else {
            panic!("{case}: they touch");
        };
        several += usize::from(manifold.points.len() > 1);
        for point in &manifold.points {
            // Rounding of places of some decimetres.
            assert!(
                point.depth <= manifold.depth + 1e-14,
                "{case}: {} m deep, but {} m at the most",
                point.depth,
                manifold.depth
            );
        }
    }
    assert!(several > 100, "edges beside each other: {several}");
}

/// A box and a cylinder that stand on a floor touch along a vertical edge, tilted by next to nothing: there is a
/// contact point. (The lines of two such edges are nearest to each other far above or below. What is nearest to that
/// on each edge was taken for itself, the upper end of the one and the lower end of the other; such a point was none
/// of a contact, and the two met again and again without an answer: campaign, seed 31, kinematic, scene 4314.)
#[test]
fn edges_that_are_all_but_parallel_touch() {
    let single = |part: Convex<Space3>| Compound::new(vec![part], 1.0).expect("a solid");
    let cylinder = single(Convex::cylinder(0.1738, 0.1814).expect("positive"));
    let half = DVec3::new(0.20485, 0.20485, 0.24115);
    let block = single(Convex::block(half).expect("positive"));
    let corner = half.truncate().length();
    let mut random = Random(4314);
    for case in 0..500 {
        let tilt = 10.0_f64.powf(random.within(-10.0, -6.0));
        let lean = random.direction();
        let lean = DVec3::new(lean.x, lean.y, 0.0).normalize();
        let turned = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4);
        let block_at = Pose::<Space3> {
            position: DVec3::new(0.0, 0.0, half.z),
            rotation: DQuat::from_axis_angle(lean, tilt) * turned,
        };
        let cylinder_at = Pose::<Space3>::at(DVec3::new(corner + 0.1814, 0.0, 0.1738));
        // What the tilt moves the edge by, and rounding.
        let margin = tilt + 1e-12;
        let met = meeting(&block, &block_at, &cylinder, &cylinder_at, margin);
        let Meeting::Touching(manifold) = met else {
            panic!("{case}: apart with a tilt of {tilt}");
        };
        assert!(!manifold.points.is_empty(), "{case}: tilt {tilt}");
        for point in &manifold.points {
            assert!(
                (point.on_a - point.on_b).length() <= 2.0 * margin,
                "{case}: {point:?} with a tilt of {tilt}"
            );
        }
    }
}
