//! First contacts of special kinds, with their times in closed form: bodies that graze, that touch and part, that meet
//! corner on corner, that are far away.

use crate::common::{Random, single, thrown};
use carom::kernels::impact::Impact;
use carom::kernels::solids::{RigidTrajectory, first_contact};
use carom::prelude::*;
use carom::shape::{Compound, Convex};

#[test]
fn grazing_ends_on_the_right_side() {
    // A square that turns above a floor: its corners pass the height √2 below the centre, grazing it at t = π/4
    // exactly.
    let square = Compound::new(vec![Convex::<Space2>::block(DVec2::ONE).unwrap()], 1.0).unwrap();
    let floor = Compound::fixed(vec![Convex::half_space(DVec2::Y, 0.0).unwrap()]).unwrap();
    let still = RigidTrajectory::still(Pose::default());
    let root = 2.0_f64.sqrt();
    for (shift, touches) in [(1e-9, false), (1e-12, false), (-1e-12, true), (-1e-9, true)] {
        let pose = Pose::at(DVec2::new(0.0, root + shift));
        let course = RigidTrajectory::free(&square, 0.0, pose, DVec2::ZERO, 1.0, DVec2::ZERO);
        let found = first_contact(&square, &course, &floor, &still, 0.0, 3.0);
        match found {
            Impact::Never => assert!(!touches, "{shift}"),
            Impact::At(time) => {
                assert!(touches, "{shift}");
                // cos(π/4 − t) = (√2 + shift)/√2; the time is known as well as the height, 1e-14, by the slope
                // √(2·|shift|/√2)·√2.
                let expected = std::f64::consts::FRAC_PI_4 - (2.0 * -shift / root).sqrt();
                let slope = (-2.0 * shift * root).sqrt();
                assert!(
                    (time - expected).abs()
                        < 2e-14 / slope + 1e-3 * (expected - std::f64::consts::FRAC_PI_4).abs(),
                    "{time} {expected}"
                );
            }
            other => panic!("{other:?}"),
        }
    }
    // Exactly at it either answer is right, but there must be one.
    let course = RigidTrajectory::free(
        &square,
        0.0,
        Pose::at(DVec2::new(0.0, root)),
        DVec2::ZERO,
        1.0,
        DVec2::ZERO,
    );
    let found = first_contact(&square, &course, &floor, &still, 0.0, 3.0);
    assert!(matches!(found, Impact::Never | Impact::At(_)), "{found:?}");
}

#[test]
fn bodies_that_touch_and_part_are_left_alone_and_come_back() {
    let block = single(Convex::block(DVec3::new(0.5, 0.4, 0.3)).unwrap());
    let floor = Compound::fixed(vec![Convex::half_space(DVec3::Z, 0.0).unwrap()]).unwrap();
    let still = RigidTrajectory::still(Pose::default());
    let gravity = DVec3::new(0.0, 0.0, -10.0);
    let up = |speed: f64, angular_velocity: DVec3| {
        let pose = Pose::at(DVec3::new(0.0, 0.0, 0.3));
        RigidTrajectory::free(
            &block,
            0.0,
            pose,
            DVec3::new(0.0, 0.0, speed),
            angular_velocity,
            gravity,
        )
    };
    // Thrown up flat at 2 m/s it is back after 0.4 s.
    match first_contact(&block, &up(2.0, DVec3::ZERO), &floor, &still, 0.0, 10.0) {
        Impact::At(time) => assert!((time - 0.4).abs() < 1e-14, "{:e}", time - 0.4),
        other => panic!("{other:?}"),
    }
    // At rest it is pressed; closing it is now.
    assert_eq!(
        first_contact(&block, &up(0.0, DVec3::ZERO), &floor, &still, 0.0, 10.0),
        Impact::Now
    );
    assert_eq!(
        first_contact(&block, &up(-1.0, DVec3::ZERO), &floor, &still, 0.0, 10.0),
        Impact::Now
    );
    // Rising, but turning so fast that an edge goes down at once.
    assert_eq!(
        first_contact(
            &block,
            &up(1.0, DVec3::new(0.0, 5.0, 0.0)),
            &floor,
            &still,
            0.0,
            10.0
        ),
        Impact::Now
    );
    // Overlapping by more than rounding, and parting: nothing until it is back.
    let pose = Pose::at(DVec3::new(0.0, 0.0, 0.29));
    let out = RigidTrajectory::free(
        &block,
        0.0,
        pose,
        DVec3::new(0.0, 0.0, 2.0),
        DVec3::ZERO,
        gravity,
    );
    match first_contact(&block, &out, &floor, &still, 0.0, 10.0) {
        // It goes up from −0.01 and comes back through zero on the way down.
        Impact::At(time) => assert!(
            (time - (0.2 + (0.04_f64 - 0.002).sqrt())).abs() < 1e-13,
            "{time}"
        ),
        other => panic!("{other:?}"),
    }
    // Sliding along the floor without gravity is no contact.
    let pose = Pose::at(DVec3::new(0.0, 0.0, 0.3));
    let slide = RigidTrajectory::free(&block, 0.0, pose, DVec3::X, DVec3::ZERO, DVec3::ZERO);
    assert_eq!(
        first_contact(&block, &slide, &floor, &still, 0.0, 10.0),
        Impact::Never
    );
}

#[test]
fn corner_on_corner_and_edge_along_edge() {
    // Two squares tip to tip.
    let square = Compound::new(vec![Convex::<Space2>::block(DVec2::ONE).unwrap()], 1.0).unwrap();
    let at = |x: f64, v: f64| {
        let pose = Pose {
            position: DVec2::new(x, 0.0),
            rotation: Turn::by(std::f64::consts::FRAC_PI_4),
        };
        RigidTrajectory::free(&square, 0.0, pose, DVec2::new(v, 0.0), 0.0, DVec2::ZERO)
    };
    let root = 2.0_f64.sqrt();
    match first_contact(&square, &at(0.0, 0.0), &square, &at(5.0, -1.0), 0.0, 10.0) {
        Impact::At(time) => assert!((time - (5.0 - 2.0 * root)).abs() < 1e-13, "{time}"),
        other => panic!("{other:?}"),
    }
    // Tip to tip and parting: nothing.
    assert_eq!(
        first_contact(
            &square,
            &at(0.0, 0.0),
            &square,
            &at(2.0 * root, 1.0),
            0.0,
            10.0
        ),
        Impact::Never
    );
    // Tip to tip and sliding past each other: one of the two planes between them still separates.
    let past = RigidTrajectory::free(
        &square,
        0.0,
        Pose {
            position: DVec2::new(2.0 * root, 0.0),
            rotation: Turn::by(std::f64::consts::FRAC_PI_4),
        },
        DVec2::new(0.0, 1.0),
        0.0,
        DVec2::ZERO,
    );
    assert_eq!(
        first_contact(&square, &at(0.0, 0.0), &square, &past, 0.0, 10.0),
        Impact::Never
    );
    // Two bars side by side, edges parallel, in space: flat on flat.
    let bar = single(Convex::block(DVec3::new(1.0, 0.1, 0.1)).unwrap());
    let bar_at = |y: f64, v: f64| {
        RigidTrajectory::free(
            &bar,
            0.0,
            Pose::at(DVec3::new(0.0, y, 0.0)),
            DVec3::new(0.0, v, 0.0),
            DVec3::ZERO,
            DVec3::ZERO,
        )
    };
    match first_contact(&bar, &bar_at(0.0, 0.0), &bar, &bar_at(1.0, -1.0), 0.0, 10.0) {
        Impact::At(time) => assert!((time - 0.8).abs() < 1e-14, "{time}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn far_from_the_origin_and_late() {
    // The same meeting a kilometre away and a thousand seconds later, to the rounding of the coordinates.
    let mut random = Random(26);
    for _ in 0..30 {
        let (a, b) = (
            single(random.polyhedron(8, 1.0)),
            single(Convex::block(DVec3::new(0.5, 0.7, 0.3)).unwrap()),
        );
        let course_a = thrown(&mut random, &a, 3.0);
        let course_b = thrown(&mut random, &b, 0.5);
        let Impact::At(time) = first_contact(&a, &course_a, &b, &course_b, 0.0, 4.0) else {
            continue;
        };
        let far = |form: &Compound<Space3>, course: &RigidTrajectory<Space3>| {
            let pose = course.pose_at(0.0);
            let pose = Pose {
                position: pose.position + DVec3::new(1000.0, 0.0, 0.0),
                ..pose
            };
            RigidTrajectory::free(
                form,
                1000.0,
                pose,
                course.velocity_at(0.0),
                course.angular_velocity_at(0.0),
                course.flight().acceleration,
            )
        };
        match first_contact(
            &a,
            &far(&a, &course_a),
            &b,
            &far(&b, &course_b),
            1000.0,
            1004.0,
        ) {
            // 1e-13 in the places and in the clock; grazing magnifies it.
            Impact::At(later) => assert!((later - 1000.0 - time).abs() < 1e-9, "{later} {time}"),
            other => panic!("{other:?}"),
        }
    }
}

/// A box rebounds flat from a wall, and turns by what rounding has made of it: it parts for ever. (That was seen to
/// last for 10²⁹⁹ s, and the next part of the compound was looked at there, where all places are infinite: the search
/// led on by one digit of the clock in each of its two thousand looks.)
#[test]
fn what_parts_flat_with_a_trace_of_spin_is_left_alone() {
    let along_x = Pose {
        position: DVec3::new(0.2562, 0.0, 0.0),
        rotation: DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2),
    };
    let cylinder = Convex::cylinder(0.1281, 0.10248).unwrap().placed(&along_x);
    let block = Convex::block(DVec3::splat(0.1281)).unwrap();
    let block = Compound::new(vec![block, cylinder], 659.4).unwrap();
    let wall = Compound::fixed(vec![Convex::half_space(DVec3::NEG_Z, -2.2).unwrap()]).unwrap();
    let still = RigidTrajectory::still(Pose::default());
    let spin = DVec3::new(-1.82354e-14, -3.96905e-15, 4.62824e-15);
    for pull in [-1.62, 0.0] {
        for gap in [
            -1e-15, 0.0, 1e-16, 1e-15, 5e-15, 2e-14, 5e-14, 7.2e-14, 1e-13, 2e-13, 1e-12,
        ] {
            let since = 0.45567885839;
            let place = DVec3::new(1.89552, -1.51442, 2.2 - 0.1281 - gap);
            let course = RigidTrajectory::free(
                &block,
                since,
                Pose::at(place),
                DVec3::new(0.260278, -0.972240, -0.694766),
                spin,
                DVec3::new(0.0, 0.0, pull),
            );
            let found = first_contact(&block, &course, &wall, &still, since, f64::INFINITY);
            let clear = matches!(found, Impact::Never | Impact::ClearUntil(1e9..));
            assert!(clear, "{pull} m/s², {gap:e} m: {found:?}");
        }
    }
}
