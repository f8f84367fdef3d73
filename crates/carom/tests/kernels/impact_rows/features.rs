//! Shapes with faces, edges, corners and rims, and prescribed motions.

use super::*;

#[test]
fn c14_a_box_is_met_at_faces_edges_and_corners() {
    let shape = Shape::Block(Block::<Space3>::new(DVec3::new(1.0, 2.0, 3.0)).unwrap());
    let target = fixed(&shape, DVec3::ZERO);
    let from_x = |y: f64, z: f64| sphere([-5.0, y, z], [1.0, 0.0, 0.0], 0.5);
    assert_hit(&from_x(0.0, 0.0), &target, 3.5);
    // 0.3 beyond the edge along z: met 0.4 before the face.
    assert_hit(&from_x(2.3, 0.0), &target, 3.6);
    assert_hit(&from_x(0.0, -3.3), &target, 3.6);
    // Beyond the corner by (0.3, 0.2): √(0.25 − 0.13) before the face.
    assert_hit(&from_x(2.3, 3.2), &target, 4.0 - 0.12_f64.sqrt());
    assert_eq!(hit(&from_x(2.4, 3.4), &target), None, "past the corner");
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let mut position = DVec3::ZERO;
            position[axis] = side * 9.0;
            let ball = ball(Flight::straight(position, -position), 0.5);
            let half = [1.0, 2.0, 3.0][axis];
            assert_hit(&ball, &target, (9.0 - half - 0.5) / 9.0);
        }
    }
}

#[test]
fn c13_c14_a_turned_rectangle_is_met_in_its_own_frame() {
    let shape = Shape::Block(Block::<Space2>::new(DVec2::new(1.0, 1.0)).unwrap());
    let rotation = Turn::by(FRAC_PI_4);
    let course = TargetMotion::Flight {
        flight: Flight::rest(DVec2::ZERO),
        rotation,
    };
    let target = Target {
        shape: &shape,
        course,
        surface_speed: 0.0,
    };
    // The corner points at the disc.
    assert_hit(
        &disc(4.0, 0.0, -1.0, 0.0, 0.5),
        &target,
        3.5 - 2.0_f64.sqrt(),
    );
    // The face at 45° is met along its normal.
    let s = 0.5_f64.sqrt();
    assert_hit(&disc(4.0 * s, 4.0 * s, -s, -s, 0.5), &target, 2.5);
}

#[test]
fn c15_a_cylinder_is_met_at_its_ends_its_side_and_its_rims() {
    let shape = Shape::own(Shape3::Cylinder(Cylinder::new(DVec3::Z, 2.0, 1.0).unwrap()));
    let target = fixed(&shape, DVec3::ZERO);
    assert_hit(
        &sphere([0.3, 0.0, 6.0], [0.0, 0.0, -1.0], 0.5),
        &target,
        3.5,
    );
    assert_hit(
        &sphere([0.3, 0.0, -6.0], [0.0, 0.0, 1.0], 0.5),
        &target,
        3.5,
    );
    assert_hit(
        &sphere([5.0, 0.0, 1.0], [-1.0, 0.0, 0.0], 0.5),
        &target,
        3.5,
    );
    // Coming down 0.3 outside of the side: the rim is met 0.4 above the end.
    assert_hit(
        &sphere([1.3, 0.0, 6.0], [0.0, 0.0, -1.0], 0.5),
        &target,
        3.6,
    );
    // Sideways 0.3 above the end: 0.4 before the side.
    assert_hit(
        &sphere([5.0, 0.0, 2.3], [-1.0, 0.0, 0.0], 0.5),
        &target,
        3.6,
    );
    assert_eq!(
        hit(&sphere([5.0, 0.0, 2.6], [-1.0, 0.0, 0.0], 0.5), &target),
        None
    );
    // A falling one onto the rim: degree eight.
    let flight = Flight {
        position: DVec3::new(0.0, 1.3, 6.0),
        velocity: DVec3::ZERO,
        acceleration: DVec3::new(0.0, 0.0, -10.0),
    };
    assert_hit(&ball(flight, 0.5), &target, (2.0 * 3.6 / 10.0_f64).sqrt());
}

#[test]
fn a_triangle_is_met_at_its_face_edges_and_corners() {
    let corners = [
        DVec3::ZERO,
        DVec3::new(4.0, 0.0, 0.0),
        DVec3::new(0.0, 3.0, 0.0),
    ];
    let shape = Shape::own(Shape3::Triangle(Triangle::new(corners).unwrap()));
    let target = fixed(&shape, DVec3::ZERO);
    let down = |x: f64, y: f64| sphere([x, y, 5.0], [0.0, 0.0, -1.0], 0.5);
    let up = |x: f64, y: f64| sphere([x, y, -5.0], [0.0, 0.0, 1.0], 0.5);
    assert_hit(&down(1.0, 1.0), &target, 4.5);
    assert_hit(&up(1.0, 1.0), &target, 4.5);
    assert_hit(&down(2.0, -0.3), &target, 4.6);
    // The long edge has the normal (3, 4)/5: 0.3 beyond its middle.
    assert_hit(&down(2.0 + 0.18, 1.5 + 0.24), &target, 4.6);
    assert_hit(&down(-0.3, 0.0), &target, 4.6);
    assert_hit(&down(4.3, 0.0), &target, 4.6);
    assert_eq!(hit(&down(-0.4, -0.4), &target), None);
    // In its own plane, onto an edge.
    assert_hit(
        &sphere([2.0, -5.0, 0.0], [0.0, 1.0, 0.0], 0.5),
        &target,
        4.5,
    );
}

#[test]
fn k6_a_driven_body_is_met_on_its_prescribed_way() {
    let shape = round(0.2);
    let start = Pose::at(DVec2::new(5.0, 0.0));
    let kinematic = |drive: &Drive<Space2>, ball: &MovingBall<Space2>, now: f64| {
        let course = TargetMotion::Kinematic {
            drive,
            start: &start,
            now,
        };
        first_contact(
            ball,
            &Target {
                shape: &shape,
                course,
                surface_speed: 0.0,
            },
            f64::INFINITY,
        )
    };
    let still = disc(0.0, 0.0, 0.0, 0.0, 0.3);
    let uniform = Drive::Uniform {
        velocity: DVec2::new(-1.0, 0.0),
    };
    assert_eq!(kinematic(&uniform, &still, 0.0), Impact::At(4.5));
    assert_eq!(
        kinematic(&uniform, &still, 2.0),
        Impact::At(2.5),
        "at world time 2 it is at 3"
    );
    // Along a path: at rest until t = 1, then to the left at speed 3; the answer stops at the corner.
    let knots = vec![(1.0, DVec2::ZERO), (3.0, DVec2::new(-6.0, 0.0))];
    let path = Drive::Path { knots };
    assert_eq!(kinematic(&path, &still, 0.0), Impact::ClearUntil(1.0));
    assert_eq!(kinematic(&path, &still, 1.0), Impact::At(1.5));
    // Round a pivot at the origin at radius 5: a ball on the circle a quarter turn ahead is met when the centres are
    // 0.5 apart.
    let rotation = Drive::Rotation {
        pivot: DVec2::ZERO,
        angular_velocity: 0.5,
    };
    let ahead = disc(0.0, 5.0, 0.0, 0.0, 0.3);
    let Impact::At(time) = kinematic(&rotation, &ahead, 0.0) else {
        panic!("it is met")
    };
    let expected = (FRAC_PI_2 - 2.0 * libm::asin(0.25 / 5.0)) / 0.5;
    assert!(
        (time - expected).abs() < 1e-14,
        "{time} instead of {expected}"
    );
    // Out of its reach: never, and the search knows it.
    assert_eq!(
        kinematic(&rotation, &disc(0.0, 8.0, 0.0, 0.0, 0.3), 0.0),
        Impact::Never
    );
    assert_eq!(
        kinematic(&rotation, &disc(0.0, 8.0, 1.0, 0.1, 0.3), 0.0),
        Impact::Never
    );
}

#[test]
fn k6_an_oscillating_floor_and_a_turning_paddle() {
    // Floor at sin(2πt): a disc resting at height 0.8 over the middle is met when the sine is 0.3.
    let floor = Shape::HalfSpace(HalfSpace::<Space2>::solid(DVec2::Y).unwrap());
    let drive = Drive::Oscillation {
        amplitude: DVec2::Y,
        frequency: 1.0,
        phase: 0.0,
    };
    let start = Pose::default();
    let course = TargetMotion::Kinematic {
        drive: &drive,
        start: &start,
        now: 0.0,
    };
    let target = Target {
        shape: &floor,
        course,
        surface_speed: 0.0,
    };
    let Impact::At(time) = first_contact(&disc(0.0, 0.8, 0.0, 0.0, 0.5), &target, f64::INFINITY)
    else {
        panic!("it is met")
    };
    assert!((time - libm::asin(0.3) / TAU).abs() < 1e-15, "{time}");
    assert_eq!(
        first_contact(&disc(0.0, 1.6, 0.0, 0.0, 0.5), &target, f64::INFINITY),
        Impact::Never
    );
    // A paddle from (0, 0) to (2, 0), turning at 1 rad/s: a disc at (0, 1) is met when its distance 1·cos θ from the
    // line is 0.5.
    let segment = Segment::new(DVec2::ZERO, DVec2::new(2.0, 0.0)).unwrap();
    let paddle = Shape::own(Shape2::Segment(segment));
    let turning = Drive::Rotation {
        pivot: DVec2::ZERO,
        angular_velocity: 1.0,
    };
    let course = TargetMotion::Kinematic {
        drive: &turning,
        start: &start,
        now: 0.0,
    };
    let target = Target {
        shape: &paddle,
        course,
        surface_speed: 0.0,
    };
    let Impact::At(time) = first_contact(&disc(0.0, 1.0, 0.0, 0.0, 0.5), &target, f64::INFINITY)
    else {
        panic!("it is met")
    };
    assert!((time - libm::acos(0.5)).abs() < 1e-15, "{time}");
}

/// Found by the accuracy table: the overlap is a rounding of the coordinates, not of the distance, and the ball rests,
/// pressed.
#[test]
fn bug_a_pressed_ball_far_from_the_origin_does_not_sink_in() {
    let other = round::<Space2>(0.15137858003101287);
    let flight = Flight {
        position: DVec2::new(200937.25409482935, -439737.033063999),
        velocity: DVec2::ZERO,
        acceleration: DVec2::new(-0.005361028249876607, -0.005841640704574913),
    };
    let target = fixed(&other, DVec2::new(200937.19024914494, -439737.82351020974));
    assert_eq!(
        first_contact(&ball(flight, 0.6416419010840503), &target, 7.0),
        Impact::Now
    );
}

/// Found by the accuracy table: the far faces of a box are "pressed" by any acceleration; they must not speak for the
/// near one.
#[test]
fn bug_a_ball_lifted_off_a_box_is_not_in_contact() {
    let shape = Shape::Block(Block::<Space2>::new(DVec2::new(10.0, 20.0)).unwrap());
    let flight = Flight {
        position: DVec2::new(-7.0, 20.5),
        velocity: DVec2::new(1.0, 0.0),
        acceleration: DVec2::new(0.01, 0.03),
    };
    assert_eq!(
        first_contact(&ball(flight, 0.5), &fixed(&shape, DVec2::ZERO), 35.0),
        Impact::Never
    );
}

/// Found by the accuracy table: seen from a million radii away, the rim's polynomial has lost the rim.
#[test]
fn bug_a_rim_far_away_is_still_met() {
    let shape = Shape::own(Shape3::Cylinder(Cylinder::new(DVec3::Z, 2.0, 1.0).unwrap()));
    let far = 1e7;
    // 0.3 outside of the side, straight down: the rim is met 0.4 above the end.
    let ball = sphere([1.3, 0.0, 2.4 + far], [0.0, 0.0, -1.0], 0.5);
    let time = first_contact(&ball, &fixed(&shape, DVec3::ZERO), f64::INFINITY)
        .time()
        .unwrap();
    // The height is rounded to 2e-9, and the rim is met at 45° or so.
    assert!((time - far).abs() < 4e-9, "{time}");
}
