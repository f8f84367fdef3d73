//! Swings: strokes about a pivot, against rotations, against standing still, and against plain sampling.

use super::random::Random;
use carom::kernels::impact::{
    Impact, MovingBall, Target, TargetMotion, first_clearance, first_contact,
};
use carom::motion::{Drive, Flight, Pose};
use carom::prelude::*;
use carom::shape::Obstacle;
use carom::shape::{Ball, Block, Segment, Shape2};
use carom::simulate::Compiled;
use carom::space::Space;

/// Asks again where the answer is that it is clear until then, as the engine does; world times.
fn contact_from<S: Compiled>(
    ball: &MovingBall<S>,
    shape: &Shape<S>,
    drive: &Drive<S>,
    start: &Pose<S>,
    now: f64,
    until: f64,
) -> Option<f64> {
    let mut from = now;
    for _ in 0..1000 {
        let flight = Flight {
            position: ball.flight.position_at(from - now),
            velocity: ball.flight.velocity_at(from - now),
            ..ball.flight
        };
        let course = TargetMotion::Kinematic {
            drive,
            start,
            now: from,
        };
        let target = Target {
            shape,
            course,
            surface_speed: 0.0,
        };
        match first_contact(&MovingBall { flight, ..*ball }, &target, until - from) {
            Impact::Now => return Some(from),
            Impact::At(time) => return Some(from + time),
            Impact::Never => return None,
            Impact::ClearUntil(time) => from = (from + time).max(from.next_up()),
        }
        if from >= until {
            return None;
        }
    }
    panic!("a thousand corners in a motion of four");
}

fn gap<S: Compiled>(
    ball: &MovingBall<S>,
    shape: &Shape<S>,
    drive: &Drive<S>,
    start: &Pose<S>,
    now: f64,
    time: f64,
) -> f64 {
    let pose = drive.state_at(start, time).pose;
    let place = ball.flight.position_at(time - now);
    shape.closest(pose.to_local(place)).distance - ball.radius
}

/// On its way to somewhere near the origin.
fn random_ball<S: Compiled>(random: &mut Random) -> MovingBall<S> {
    let position = random.vector::<S>(-3.0, 3.0);
    MovingBall {
        flight: Flight {
            position,
            velocity: position * -random.between(0.3, 1.5) + random.vector::<S>(-0.7, 0.7),
            acceleration: random.vector::<S>(-1.0, 1.0),
        },
        radius: random.between(0.05, 0.3),
        surface_speed: 0.0,
    }
}

/// Up, held, and back, from a world time on.
fn up_and_back<S: Compiled>(random: &mut Random, axis: S::Angular) -> Drive<S> {
    let (mut time, angle) = (random.between(0.2, 1.0), random.between(-1.5, 1.5));
    let mut knots = Vec::new();
    for angle in [0.0, angle, angle, random.between(-0.5, 0.5)] {
        knots.push((time, angle));
        time += random.between(0.1, 0.6);
    }
    Drive::Swing {
        pivot: random.vector::<S>(-0.5, 0.5),
        axis,
        knots,
    }
}

/// The first contact is one, and nothing was passed over before it.
fn sampled<S: Compiled>(shapes: &[Shape<S>], axis: S::Angular, seed: u64) -> usize {
    let (mut random, mut found) = (Random(seed), 0);
    for round in 0..400 {
        let shape = &shapes[round % shapes.len()];
        let drive = up_and_back::<S>(&mut random, axis);
        assert_eq!(drive.check(), Ok(()));
        let start = Pose::at(random.vector::<S>(-0.5, 0.5));
        let ball = random_ball::<S>(&mut random);
        let until = 4.0;
        if gap(&ball, shape, &drive, &start, 0.0, 0.0) < 0.01 {
            continue;
        }
        let contact = contact_from(&ball, shape, &drive, &start, 0.0, until);
        // Steps of 0.2 ms: at no more than 20 m/s between the surfaces a gap deeper than 4 mm is seen by one of them at
        // least.
        let end = contact.unwrap_or(until);
        let mut time = 0.0;
        while time < end - 1e-9 {
            let gap = gap(&ball, shape, &drive, &start, 0.0, time);
            // Rounding of places of size 5 is 1e-15; a contact that had been passed over would be an overlap far
            // larger.
            assert!(
                gap > -1e-12,
                "round {round}: {gap:e} at {time}, before {contact:?}"
            );
            time += 2e-4;
        }
        if let Some(time) = contact {
            found += 1;
            let gap = gap(&ball, shape, &drive, &start, 0.0, time);
            // Times are good to an ulp of 4 s, places to some of 5 m, at 20 m/s.
            assert!(gap.abs() < 1e-13, "round {round}: {gap:e} at {time}");
        }
    }
    found
}

#[test]
fn no_contact_is_passed_over() {
    let bat = Segment::new(DVec2::ZERO, DVec2::new(0.8, 0.1)).unwrap();
    let plane = [
        Shape::own(Shape2::Segment(bat)),
        Shape::Block(Block::new(DVec2::new(0.5, 0.2)).unwrap()),
        Shape::Ball(Ball::new(0.4).unwrap()),
    ];
    let found = sampled::<Space2>(&plane, 1.0, 1) + sampled::<Space2>(&plane, -1.0, 2);
    assert!(found > 100, "{found}");
    let solid = [
        Shape::Block(Block::new(DVec3::new(0.5, 0.2, 0.4)).unwrap()),
        Shape::Ball(Ball::new(0.4).unwrap()),
    ];
    let found = sampled::<Space3>(&solid, DVec3::new(0.6, 0.0, 0.8), 3);
    assert!(found > 30, "{found}");
}

/// Within a stroke it is the rotation that it looks like, and outside of its strokes it stands.
///
/// Longer than most: one stroke, looked at before, within and after.
#[test]
fn a_stroke_is_a_rotation_and_the_rest_is_rest() {
    let mut random = Random(7);
    let bat = Segment::new(DVec2::ZERO, DVec2::new(0.8, 0.1)).unwrap();
    let shape = Shape::own(Shape2::Segment(bat));
    let [mut turning, mut standing] = [0; 2];
    for _ in 0..300 {
        let (angular_velocity, angle) = (random.between(-6.0, 6.0), random.between(-1.0, 1.0));
        let (begin, end) = (1.0, 1.8);
        let pivot = random.vector::<Space2>(-0.5, 0.5);
        let knots = vec![
            (begin, angle),
            (end, angle + angular_velocity * (end - begin)),
        ];
        let axis = 1.0;
        let swing = Drive::<Space2>::Swing { pivot, axis, knots };
        let start = Pose::at(random.vector::<Space2>(-0.5, 0.5));
        // The same angle at every time of the stroke: `angle + angular_velocity (t − begin)`.
        let rotation = Drive::Rotation {
            pivot,
            angular_velocity,
        };
        let back = Turn::by(angle - angular_velocity * begin);
        let turned = Pose {
            position: pivot + Space2::rotate(back, start.position - pivot),
            rotation: Space2::compose(back, start.rotation),
        };
        let ball = random_ball::<Space2>(&mut random);
        for time in [1.0, 1.3, 1.79] {
            let [a, b] = [
                swing.state_at(&start, time),
                rotation.state_at(&turned, time),
            ];
            // Some roundings of numbers up to 2.
            assert!((a.pose.position - b.pose.position).length() < 1e-14);
            assert!((a.velocity - b.velocity).length() < 1e-13);
            assert!((a.angular_velocity - b.angular_velocity).abs() < 1e-14);
        }
        if gap(&ball, &shape, &swing, &start, begin, begin) > 0.01 {
            let a = contact_from(&ball, &shape, &swing, &start, begin, end);
            let b = contact_from(&ball, &shape, &rotation, &turned, begin, end);
            assert_eq!(a.is_some(), b.is_some(), "{a:?} {b:?}");
            if let (Some(a), Some(b)) = (a, b) {
                // A grazing contact turns a difference of 1e-15 m into one of its root.
                assert!((a - b).abs() < 1e-7, "{a} {b}");
                turning += 1;
            }
        }
        // Long before, and long after.
        for (now, angle) in [
            (-9.0, angle),
            (3.0, angle + angular_velocity * (end - begin)),
        ] {
            let turn = Turn::by(angle);
            let pose = Pose::<Space2> {
                position: pivot + Space2::rotate(turn, start.position - pivot),
                rotation: Space2::compose(turn, start.rotation),
            };
            let state = swing.state_at(&start, now);
            assert!((state.pose.position - pose.position).length() < 1e-14);
            assert_eq!((state.velocity, state.angular_velocity), (DVec2::ZERO, 0.0));
            if gap(&ball, &shape, &swing, &start, now, now) < 0.01 {
                continue;
            }
            let course = TargetMotion::Flight {
                flight: Flight::rest(state.pose.position),
                rotation: state.pose.rotation,
            };
            let target = Target {
                shape: &shape,
                course,
                surface_speed: 0.0,
            };
            let a = contact_from(&ball, &shape, &swing, &start, now, now + 5.0);
            let b = first_contact(&ball, &target, 5.0)
                .time()
                .map(|time| now + time);
            // The same kernel and the same numbers.
            assert_eq!(a, b);
            standing += usize::from(a.is_some());
        }
    }
    assert!(turning > 20 && standing > 60, "{turning} {standing}");
}

/// A ball at rest within the reach of a flipper that lies on it comes clear when that has turned away.
#[test]
fn a_flipper_uncovers_a_sensor() {
    let bat = Segment::new(DVec2::ZERO, DVec2::new(1.0, 0.0)).unwrap();
    let shape = Shape::own(Shape2::Segment(bat));
    let drive = Drive::<Space2>::Swing {
        pivot: DVec2::ZERO,
        axis: 1.0,
        knots: vec![(1.0, 0.0), (2.0, 1.0)],
    };
    let ball = MovingBall::<Space2> {
        flight: Flight::rest(DVec2::new(0.5, 0.0)),
        radius: 0.1,
        surface_speed: 0.0,
    };
    let start = Pose::at(DVec2::ZERO);
    let ask = |now: f64| {
        let course = TargetMotion::Kinematic {
            drive: &drive,
            start: &start,
            now,
        };
        let target = Target {
            shape: &shape,
            course,
            surface_speed: 0.0,
        };
        first_clearance(&ball, &target, 10.0)
    };
    assert_eq!(ask(0.0), Impact::ClearUntil(1.0));
    // The line is 0.1 away from the centre at sin φ = 0.2, and turns at 1 rad/s.
    let Impact::At(time) = ask(1.0) else {
        panic!("{:?}", ask(1.0));
    };
    assert!((time - libm::asin(0.2)).abs() < 1e-14, "{time}");
    assert_eq!(ask(2.0), Impact::Now);
}

#[test]
fn bad_swings_say_what_is_wrong() {
    let swing = |axis: f64, knots: &[(f64, f64)]| {
        let (pivot, knots) = (DVec2::ZERO, knots.to_vec());
        let error = Drive::<Space2>::Swing { pivot, axis, knots }.check();
        error.map_err(|error| error.to_string())
    };
    assert_eq!(swing(-1.0, &[(0.0, 1.0)]), Ok(()));
    for (axis, knots, message) in [
        (
            0.5,
            &[(0.0, 0.0)][..],
            "axis is 0.5, but must be of length one",
        ),
        (
            f64::NAN,
            &[(0.0, 0.0)],
            "axis is NaN, but must be of length one",
        ),
        (
            1.0,
            &[],
            "knots is empty, but must be one or more pairs of a time and an angle",
        ),
        (
            1.0,
            &[(0.0, 0.0), (0.0, 1.0)],
            "knots is 0 after 0, but must be in order of time",
        ),
        (
            1.0,
            &[(0.0, f64::INFINITY)],
            "knots is (0, inf), but must be made of finite numbers",
        ),
    ] {
        assert_eq!(swing(axis, knots), Err(message.to_owned()));
    }
    let pivot = DVec2::new(f64::NAN, 0.0);
    let knots = vec![(0.0, 0.0)];
    let axis = 1.0;
    assert_eq!(
        Drive::<Space2>::Swing { pivot, axis, knots }
            .check()
            .unwrap_err()
            .field,
        "pivot"
    );
}

/// The pose to count from, and the same motion counted from later.
#[test]
fn a_motion_can_be_taken_up_anywhere() {
    let mut random = Random(11);
    for round in 0..200 {
        let drive = match round % 5 {
            0 => Drive::<Space3>::Uniform {
                velocity: random.vector::<Space3>(-2.0, 2.0),
            },
            1 => Drive::Rotation {
                pivot: random.vector::<Space3>(-2.0, 2.0),
                angular_velocity: random.vector::<Space3>(-2.0, 2.0),
            },
            2 => Drive::Oscillation {
                amplitude: random.vector::<Space3>(-2.0, 2.0),
                frequency: 0.3,
                phase: 0.7,
            },
            3 => Drive::Path {
                knots: vec![(1.0, DVec3::X), (2.0, DVec3::Y), (4.0, DVec3::ZERO)],
            },
            _ => up_and_back::<Space3>(&mut random, DVec3::new(0.0, 0.6, -0.8)),
        };
        let start = Pose::<Space3>::at(random.vector::<Space3>(-2.0, 2.0));
        let now = random.between(0.0, 3.0);
        let here = drive.state_at(&start, now).pose;
        let again = drive.state_at(&drive.start_of(&here, now), now).pose;
        // Angles up to 10 rad and places up to 8 m, each rounded a few times.
        assert!(
            (again.position - here.position).length() < 1e-13,
            "{drive:?}"
        );
        let [a, b] = [here, again].map(|pose| pose.to_world(DVec3::ONE));
        assert!((a - b).length() < 1e-13, "{drive:?}");

        let mut from = start;
        let later = drive.go_on_from(&mut from, now);
        for time in [0.0, 0.4, 2.5] {
            let a = drive.state_at(&start, now + time).pose.to_world(DVec3::ONE);
            let b = later.state_at(&from, time).pose.to_world(DVec3::ONE);
            assert!(
                (a - b).length() < 1e-13,
                "{drive:?} from {now}, {time} later"
            );
        }
    }
}
