//! Times of impact, row by row of the physics (K, M, F, C, P), with numbers worked out by hand.

mod features;

use carom::kernels::impact::{Impact, MovingBall, Target, TargetMotion, first_contact, refine};
use carom::motion::{Drive, Flight, Pose};
use carom::shape::{
    Arc, Ball, Block, Cylinder, HalfSpace, Hollow, Segment, Shape, Shape2, Shape3, Triangle,
};
use carom::simulate::Compiled;
use carom::space::{Space, Space2, Space3, Turn};
use glam::{DVec2, DVec3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

fn ball<S: Space>(flight: Flight<S>, radius: f64) -> MovingBall<S> {
    MovingBall {
        flight,
        radius,
        surface_speed: 0.0,
    }
}

fn disc(x: f64, y: f64, vx: f64, vy: f64, radius: f64) -> MovingBall<Space2> {
    ball(
        Flight::straight(DVec2::new(x, y), DVec2::new(vx, vy)),
        radius,
    )
}

fn sphere(position: [f64; 3], velocity: [f64; 3], radius: f64) -> MovingBall<Space3> {
    ball(
        Flight::straight(DVec3::from(position), DVec3::from(velocity)),
        radius,
    )
}

fn fixed<S: Compiled>(shape: &Shape<S>, position: S::Vector) -> Target<'_, S> {
    flying(shape, Flight::rest(position))
}

fn flying<S: Compiled>(shape: &Shape<S>, flight: Flight<S>) -> Target<'_, S> {
    Target {
        shape,
        course: TargetMotion::Flight {
            flight,
            rotation: S::no_rotation(),
        },
        surface_speed: 0.0,
    }
}

fn round<S: Compiled>(radius: f64) -> Shape<S> {
    Shape::Ball(Ball::new(radius).unwrap())
}

/// The plain and the refined answer, which must agree to 1e-14 of the numbers involved here, all of order one.
fn hit<S: Compiled>(ball: &MovingBall<S>, target: &Target<S>) -> Option<f64> {
    let plain = first_contact(ball, target, f64::INFINITY).time();
    let refined = refine(ball, target, f64::INFINITY).time();
    match (plain, refined) {
        (None, None) => None,
        (Some(plain), Some(refined)) => {
            assert!((plain - refined).abs() < 1e-14, "{plain} and {refined}");
            Some(refined)
        }
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn assert_hit<S: Compiled>(ball: &MovingBall<S>, target: &Target<S>, expected: f64) {
    let time = hit(ball, target).expect("they touch");
    assert!(
        (time - expected).abs() < 1e-14,
        "{time} instead of {expected}"
    );
}

#[test]
fn k2_two_moving_discs_touch_at_the_first_of_the_two_crossings() {
    // Offset 0.6 at a distance of radii 1: the centres are 0.8 apart along the motion at contact.
    let other = round(0.5);
    let target = flying(
        &other,
        Flight::straight(DVec2::new(3.0, 0.6), DVec2::new(-1.0, 0.0)),
    );
    assert_hit(&disc(0.0, 0.0, 1.0, 0.0, 0.5), &target, (3.0 - 0.8) / 2.0);
    // And their positions then.
    let ball = disc(0.0, 0.0, 1.0, 0.0, 0.5);
    let t = hit(&ball, &target).unwrap();
    assert!((ball.flight.position_at(t) - DVec2::new(1.1, 0.0)).length() < 1e-15);
}

#[test]
fn k2_equal_velocities_never_touch_and_parting_ones_neither() {
    let other = round(0.5);
    let target = flying(
        &other,
        Flight::straight(DVec2::new(3.0, 0.0), DVec2::new(1.0, 2.0)),
    );
    assert_eq!(hit(&disc(0.0, 0.0, 1.0, 2.0, 0.5), &target), None);
    assert_eq!(hit(&disc(0.0, 0.0, 0.0, 2.0, 0.5), &target), None);
    // Parallel but faster is a contact: a = 0 means equal velocities, not parallel ones.
    assert_hit(
        &disc(1.0, -4.0, 2.0, 4.0, 0.5),
        &fixed(&other, DVec2::new(3.0, 0.0)),
        {
            // Head-on along (2, 4): the distance is 2√5, the speed 2√5, the radii 1.
            1.0 - 1.0 / 20.0_f64.sqrt()
        },
    );
}

#[test]
fn k2_the_interval_is_half_open() {
    let other = round(0.5);
    let target = fixed(&other, DVec2::new(3.0, 0.0));
    let ball = disc(0.0, 0.0, 1.0, 0.0, 0.5);
    assert_eq!(first_contact(&ball, &target, 2.0), Impact::Never);
    assert_eq!(
        first_contact(&ball, &target, 2.0_f64.next_up()),
        Impact::At(2.0)
    );
    assert_eq!(first_contact(&ball, &target, 0.0), Impact::Never);
}

#[test]
fn k5_an_immobile_disc_is_struck_like_any_other() {
    let other = round(1.0);
    assert_hit(
        &disc(-4.0, 0.0, 2.0, 0.0, 0.5),
        &fixed(&other, DVec2::ZERO),
        1.25,
    );
}

#[test]
fn what_a_contact_is_touching_overlapping_and_leaving() {
    let other = round::<Space2>(0.5);
    let at = |x: f64, v: f64| {
        first_contact(
            &disc(x, 0.0, v, 0.0, 0.5),
            &fixed(&other, DVec2::ZERO),
            10.0,
        )
    };
    assert_eq!(at(-1.0, 1.0), Impact::Now, "touching and closing");
    assert_eq!(
        at(-1.0, -1.0),
        Impact::Never,
        "touching and leaving: the exit root is no contact"
    );
    assert_eq!(at(-1.0, 0.0), Impact::Never, "touching at rest");
    let overlap = 1.0_f64.next_down();
    assert_eq!(
        at(-overlap, 1.0),
        Impact::Now,
        "overlapping by a rounding error cannot pass through"
    );
    assert_eq!(at(-overlap, -1.0), Impact::Never);
    // Slower than the floor of 16u times the speeds is not closing: sliding past along the tangent.
    let sliding = |vx: f64| {
        let ball = disc(-1.0, 0.0, vx, 1.0, 0.5);
        first_contact(&ball, &fixed(&other, DVec2::ZERO), 10.0)
    };
    assert_eq!(sliding(1e-16), Impact::Never);
    assert_eq!(sliding(1e-13), Impact::Now);
}

#[test]
fn what_a_contact_is_under_gravity() {
    let floor = Shape::HalfSpace(HalfSpace::<Space2>::solid(DVec2::Y).unwrap());
    let falling = |y: f64, v: f64| {
        let flight = Flight {
            position: DVec2::new(0.0, y),
            velocity: DVec2::new(0.0, v),
            acceleration: DVec2::new(0.0, -10.0),
        };
        let ball = ball(flight, 0.5);
        let target = fixed(&floor, DVec2::ZERO);
        let plain = first_contact(&ball, &target, 100.0);
        assert_eq!(plain, refine(&ball, &target, 100.0));
        plain
    };
    assert_eq!(falling(0.5, 0.0), Impact::Now, "resting: pressed together");
    assert_eq!(falling(0.5, -1.0), Impact::Now);
    assert_eq!(
        falling(0.5, 5.0),
        Impact::At(1.0),
        "thrown up from the floor, it comes back"
    );
    assert_eq!(falling(5.5, 0.0), Impact::At(1.0));
    // Overlapping by rounding and thrown up so gently that it never gets above the floor: it comes back at its turning
    // point.
    let buried = 0.5_f64.next_down();
    let Impact::At(turn) = falling(buried, 1e-9) else {
        panic!("it comes back")
    };
    assert!((turn - 1e-10).abs() < 1e-24);
}

#[test]
fn k7_m2_a_line_is_hit_from_either_side() {
    let line = Shape::HalfSpace(HalfSpace::<Space2>::two_sided(DVec2::X).unwrap());
    let border = fixed(&line, DVec2::new(2.0, 0.0));
    assert_hit(&disc(0.0, 0.0, 1.0, 3.0, 0.25), &border, 1.75);
    assert_hit(&disc(4.0, 0.0, -1.0, 3.0, 0.25), &border, 1.75);
    assert_eq!(hit(&disc(4.0, 0.0, 1.0, 3.0, 0.25), &border), None);
    assert_eq!(hit(&disc(0.0, 0.0, 0.0, 3.0, 0.25), &border), None);
    // A solid wall has one side only; a horizontal border is the same turned.
    let roof = Shape::HalfSpace(HalfSpace::<Space2>::solid(DVec2::NEG_Y).unwrap());
    assert_hit(
        &disc(0.0, 0.0, 5.0, 2.0, 0.5),
        &fixed(&roof, DVec2::new(9.0, 3.0)),
        1.25,
    );
}

#[test]
fn m1_f1_frames_that_a_stepping_engine_would_miss() {
    // From one frame to the next the disc jumps over the other; the parameter of the first crossing is in [0, 1).
    let ball = ball(
        Flight::<Space2>::between(DVec2::new(-5.0, 0.0), DVec2::new(5.0, 0.0)),
        0.5,
    );
    let other = round(0.5);
    let target = flying(
        &other,
        Flight::between(DVec2::new(0.0, 5.0), DVec2::new(0.0, -5.0)),
    );
    // The relative path passes through the centre at ½ with speed √200; the radii sum to 1.
    let expected = 0.5 - 1.0 / 200.0_f64.sqrt();
    assert_hit(&ball, &target, expected);
    assert_eq!(
        first_contact(&ball, &target, 1.0).time().map(|t| t < 1.0),
        Some(true)
    );
    // A positive discriminant is not yet a collision: here it lies beyond the second frame.
    let slow = MovingBall {
        flight: Flight::between(DVec2::new(-5.0, 0.0), DVec2::new(-4.0, 0.0)),
        ..ball
    };
    assert_eq!(
        first_contact(&slow, &fixed(&other, DVec2::ZERO), 1.0),
        Impact::Never
    );
}

#[test]
fn p1_the_fraction_of_the_step_at_which_a_wall_is_touched() {
    // Wall through (2, 0) whose normal into the room is at 45°.
    let normal = DVec2::new(-1.0, 1.0);
    let wall = Shape::HalfSpace(HalfSpace::<Space2>::solid(normal).unwrap());
    let (from, to) = (DVec2::new(0.0, 1.0), DVec2::new(4.0, 1.0));
    let ball = ball(Flight::between(from, to), 0.25);
    // N·(p − o) falls from 3/√2 to −1/√2; it is r at the fraction (3/√2 − r)/(4/√2).
    let root = 2.0_f64.sqrt();
    assert_hit(
        &ball,
        &fixed(&wall, DVec2::new(2.0, 0.0)),
        (3.0 / root - 0.25) / (4.0 / root),
    );
    // On the way back the same crossing lies within the step, but it opens: no hit.
    let back = MovingBall {
        flight: Flight::between(to, from),
        ..ball
    };
    assert_eq!(hit(&back, &fixed(&wall, DVec2::new(2.0, 0.0))), None);
}

#[test]
fn k8_a_segment_from_both_sides_and_at_both_ends() {
    let segment = Segment::new(DVec2::new(-1.0, 0.0), DVec2::new(1.0, 0.0)).unwrap();
    let shape = Shape::own(Shape2::Segment(segment));
    let target = fixed(&shape, DVec2::ZERO);
    assert_hit(&disc(0.3, 3.0, 0.1, -1.0, 0.5), &target, 2.5);
    assert_hit(&disc(0.3, -3.0, 0.0, 2.0, 0.5), &target, 1.25);
    // Past the end by 0.3, the corner is met where the height is 0.4.
    assert_hit(&disc(1.3, 3.0, 0.0, -1.0, 0.5), &target, 2.6);
    assert_hit(&disc(-1.3, 3.0, 0.0, -1.0, 0.5), &target, 2.6);
    // Along its own line, onto the end.
    assert_hit(&disc(4.0, 0.0, -1.0, 0.0, 0.5), &target, 2.5);
    // Beside it.
    assert_eq!(hit(&disc(1.6, 3.0, 0.0, -1.0, 0.5), &target), None);
    assert_eq!(hit(&disc(-3.0, 0.7, 1.0, 0.0, 0.5), &target), None);
    // A disc that slides along the segment, overlapping by a rounding error, does not trip over its end.
    assert_eq!(
        hit(&disc(-0.5, 0.5_f64.next_down(), 1.0, 0.0, 0.5), &target),
        None
    );
}

#[test]
fn an_arc_from_inside_from_outside_and_at_its_ends() {
    // The upper half of the unit circle.
    let shape = Shape::own(Shape2::Arc(Arc::new(DVec2::ZERO, 1.0, 0.0, PI).unwrap()));
    let target = fixed(&shape, DVec2::ZERO);
    assert_hit(&disc(0.0, 3.0, 0.0, -1.0, 0.25), &target, 1.75);
    assert_hit(&disc(0.0, 0.0, 0.0, 1.0, 0.25), &target, 0.75);
    // From below through the open side, up to the inside of the vault.
    assert_hit(&disc(0.0, -2.0, 0.0, 1.0, 0.25), &target, 2.75);
    // Onto an end from below: (1, 0) is met at a height of −0.25.
    assert_hit(&disc(1.0, -2.0, 0.0, 1.0, 0.25), &target, 1.75);
    assert_eq!(
        hit(&disc(-2.0, -0.5, 1.0, 0.0, 0.25), &target),
        None,
        "below the open side"
    );
    // A disc larger than the arc's circle still meets both of its ends.
    assert_hit(
        &disc(0.0, -5.0, 0.0, 1.0, 2.0),
        &target,
        5.0 - 3.0_f64.sqrt(),
    );
}

#[test]
fn p4_inside_a_circle_and_a_sphere_one_wall_is_left_and_another_met() {
    let room = Shape::Hollow(Hollow::new(2.0).unwrap());
    assert_hit(
        &disc(0.0, 0.0, 1.0, 0.0, 0.5),
        &fixed(&room, DVec2::ZERO),
        1.5,
    );
    // Touching on the left and leaving: the contact is on the other side.
    assert_hit(
        &disc(-1.5, 0.0, 1.0, 0.0, 0.5),
        &fixed(&room, DVec2::ZERO),
        3.0,
    );
    let room = Shape::Hollow(Hollow::new(2.0).unwrap());
    assert_hit(
        &sphere([0.0, 0.0, 0.9], [0.0, 1.2, 0.0], 0.5),
        &fixed(&room, DVec3::ZERO),
        1.0,
    );
}

#[test]
fn c9_two_spheres_touch_when_their_distance_is_the_sum_of_the_radii() {
    let other = round(0.75);
    let target = flying(
        &other,
        Flight::straight(DVec3::new(1.0, 2.0, 2.0) * 2.0, DVec3::ZERO),
    );
    // Along (1, 2, 2)/3, six away.
    let ball = sphere([0.0; 3], [1.0, 2.0, 2.0], 0.25);
    assert_hit(&ball, &target, (6.0 - 1.0) / 3.0);
}

#[test]
fn different_accelerations_give_a_quartic() {
    // A falling ball on a fixed one, met off-centre: x = 0.6, so it is met 0.8 above the centre after falling 5 − 0.8.
    let other = round::<Space2>(0.5);
    let flight = Flight {
        position: DVec2::new(0.6, 5.0),
        velocity: DVec2::ZERO,
        acceleration: DVec2::new(0.0, -10.0),
    };
    assert_hit(
        &ball(flight, 0.5),
        &fixed(&other, DVec2::ZERO),
        (2.0 * 4.2 / 10.0_f64).sqrt(),
    );
    // Under a common gravity the relative motion is straight.
    let gravity = DVec2::new(0.0, -10.0);
    let a = Flight {
        acceleration: gravity,
        ..Flight::straight(DVec2::ZERO, DVec2::X)
    };
    let b = Flight {
        acceleration: gravity,
        ..Flight::rest(DVec2::new(4.0, 0.0))
    };
    assert_hit(&ball(a, 0.5), &flying(&other, b), 3.0);
}
