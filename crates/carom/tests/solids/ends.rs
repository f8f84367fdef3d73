//! The flat ends of cylinders.

use crate::common::Random;
use carom::kernels::impact::Impact;
use carom::kernels::solids::{RigidTrajectory, first_contact};
use carom::prelude::*;
use carom::shape::{Compound, Convex};

/// A capsule comes down on the flat end of a cylinder along its axis, with one of its own ends, in any orientation: the
/// gap over the speed. (Along the axis the farthest point of a cylinder was taken from what rounding left across the
/// axis, which was not across it: a gap of 0.1 mm was seen where there was none, and the search for the contact went on
/// in steps of the last digit of the clock.)
#[test]
fn a_capsule_meets_the_flat_end_of_a_cylinder() {
    let mut random = Random(5);
    for case in 0..300 {
        let (half, radius, rounding) = (
            random.within(0.1, 0.5),
            random.within(0.1, 0.5),
            random.within(0.05, 0.2),
        );
        // Oblique in its own frame: only then is there anything to round.
        let rotation = random.rotation();
        let oblique = Pose {
            position: DVec3::ZERO,
            rotation,
        };
        let cylinder = Convex::cylinder(half, radius).expect("positive");
        let cylinder = cylinder.placed(&oblique);
        let cylinder = Compound::<Space3>::new(vec![cylinder], 1.0).expect("a solid");
        // The upper end of its core is above the lower one, and beside it.
        let arm = DVec3::new(
            random.within(-0.2, 0.2),
            random.within(-0.2, 0.2),
            random.within(0.05, 0.2),
        );
        let capsule = Convex::capsule(-arm, arm, rounding).expect("positive");
        let capsule = Compound::<Space3>::new(vec![capsule], 1.0).expect("a solid");
        let gap = random.within(0.01, 0.3);
        let beside = random.in_ball() * (0.9 * radius);
        let end = DVec3::new(beside.x, beside.y, half + rounding + gap);
        let speed = random.within(0.5, 3.0);
        let pose = |position: DVec3| Pose {
            position: rotation * position,
            rotation,
        };
        let down = rotation * DVec3::new(0.0, 0.0, -speed);
        let still = DVec3::ZERO;
        let falls = RigidTrajectory::free(&capsule, 0.0, pose(end + arm), down, still, still);
        let stands = RigidTrajectory::still(Pose::default());
        let found = first_contact(&capsule, &falls, &cylinder, &stands, 0.0, 10.0);
        let Impact::At(time) = found else {
            panic!("{case}: {found:?}");
        };
        // The tolerance of the search is 1.4e-14 of coordinates and sizes, some 2 m here.
        assert!(
            (time - gap / speed).abs() < 1e-13 / speed,
            "{case}: {time} s, not {} s",
            gap / speed
        );
    }
}
