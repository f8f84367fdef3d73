//! Numbers so large that products of them are no longer finite stop a run with names, and nothing is lost; those that
//! are merely large do not.

use carom::material::Material;
use carom::material::PairOverride;
use carom::prelude::*;
use carom::shape::HalfSpace;
use carom::simulate::Exact;
use carom::simulate::RunError;

fn between_walls(restitution: f64, speed: f64, gravity: f64) -> (World2, BodyId) {
    let mut world = World2::new();
    let material = Material {
        restitution,
        ..Material::default()
    };
    world.materials.add("default", material).unwrap();
    world.set_gravity(DVec2::new(0.0, -gravity)).unwrap();
    for (normal, x) in [(DVec2::X, -1.0), (DVec2::NEG_X, 1.0)] {
        let shape = Shape::HalfSpace(HalfSpace::solid(normal).unwrap());
        let place = Pose::at(DVec2::new(x, 0.0));
        world.add(Body::fixed(shape).pose(place)).unwrap();
    }
    let ball = Body::ball(0.25, 2.0, DVec2::ZERO, DVec2::new(speed, 0.0)).unwrap();
    let ball = world.add(ball.named("ball")).unwrap();
    (world, ball)
}

#[test]
fn bumpers_that_throw_a_ball_back_ever_faster_stop_the_run() {
    for gravity in [0.0, 9.81] {
        let (world, ball) = between_walls(1e40, 1.0, gravity);
        let mut run = Exact::new(world).unwrap();
        // At 10⁴⁰ m/s it would be back at once, as the clock has it.
        let error = run.run_to(10.0).unwrap_err();
        let RunError::TooFast {
            time, body, speed, ..
        } = &error
        else {
            panic!("{error}");
        };
        assert_eq!((*time, body.as_str()), (0.75, "ball"));
        assert!((speed / 1e40 - 1.0).abs() < 1e-14, "{speed}");
        // What was computed is kept: where it came to before that hit.
        assert_eq!((run.collisions(), run.time()), (0, 0.75));
        let state = run.state(ball);
        assert_eq!((state.position.x, state.velocity.x), (0.75, 1.0));
        assert!(run.audit().energy_residual.abs() <= 1e-14);
        // It says so again, and does not go through the wall.
        assert_eq!(run.run_to(10.0).unwrap_err(), error);
        // Unless something is changed.
        run.set_velocity(ball, DVec2::new(-1.0, 0.0), 0.0).unwrap();
        run.change_materials(|materials| {
            let id = materials.find("default").unwrap();
            let tame = PairOverride {
                restitution: Some(1.0),
                ..PairOverride::default()
            };
            materials.override_pair(id, id, tame).unwrap();
        });
        assert_eq!(run.run_to(5.0), Ok(End::Time));
        assert_eq!(run.collisions(), 2);
    }
}

/// A ball that gains a tenth of its speed at every wall of its room was found 10¹⁴ m away from it: after 360 bounces it
/// moved further within the rounding of the clock than the room is wide. The run stops when it moves by a thousandth of
/// its radius, still inside.
#[test]
fn a_ball_too_fast_for_the_clock_stays_in_its_room() {
    let (world, ball) = between_walls(1.1, 1.0, 0.0);
    let mut run = Exact::new(world).unwrap();
    let error = run.run_to(100.0).unwrap_err();
    assert!(matches!(error, RunError::TooFast { .. }), "{error}");
    assert!(
        error
            .to_string()
            .contains("within the rounding of the clock")
    );
    // 0.75 s, and then 1.5 s divided by 1.1, 1.1², …: the bounces add up to a time that is 15.75 s.
    assert!((run.time() - 15.75).abs() < 1e-9, "{}", run.time());
    let state = run.state(ball);
    assert!(state.position.x.abs() <= 0.75 + 0.25e-3, "{state:?}");
    let u = f64::EPSILON / 2.0;
    assert!(
        state.velocity.x.abs() * u * run.time() < 1e-3 * 0.25,
        "{state:?}"
    );
}

#[test]
fn fast_balls_bounce_as_long_as_their_speeds_are_within_bounds() {
    for speed in [1e20, 1e70, 9e74] {
        let (world, _) = between_walls(1.0, speed, 9.81);
        let mut run = Exact::new(world).unwrap();
        assert_eq!(run.run_to(15.25 / speed), Ok(End::Time));
        assert_eq!(run.collisions(), 10);
    }
}

#[test]
fn what_is_out_of_bounds_from_the_start_or_by_an_edit_is_named() {
    for speed in [1.1e75, 1e160, 1e300] {
        let (world, ball) = between_walls(1.0, speed, 0.0);
        let mut run = Exact::new(world).unwrap();
        let error = run.run_to(1.0).unwrap_err();
        assert!(
            matches!(&error, RunError::OutOfBounds { time, what: "speed", value, .. } if *time == 0.0 && *value == speed),
            "{error}"
        );
        assert_eq!((run.time(), run.collisions()), (0.0, 0));
        run.set_velocity(ball, DVec2::X, 0.0).unwrap();
        assert_eq!(run.run_to(1.0), Ok(End::Time));
        assert_eq!(run.collisions(), 1);
        run.set_velocity(ball, DVec2::X, 1e200).unwrap();
        let error = run.run_to(2.0).unwrap_err();
        assert!(
            matches!(
                &error,
                RunError::OutOfBounds {
                    what: "angular velocity",
                    ..
                }
            ),
            "{error}"
        );
    }
    let mut world = World2::new();
    let far = Body::ball(1.0, 1.0, DVec2::new(1e80, 0.0), DVec2::ZERO).unwrap();
    world.add(far.named("far")).unwrap();
    let error = Exact::new(world).unwrap().run_to(1.0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the distance from the origin of far is 1e80 m at t = 0 s: beyond 1e75 a contact cannot be found, since products of such numbers are no longer finite"
    );
}

#[test]
fn a_ball_that_falls_for_ever_is_not_somewhere() {
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -9.81)).unwrap();
    let ball = Body::ball(1.0, 1.0, DVec2::ZERO, DVec2::X).unwrap();
    let ball = world.add(ball.named("ball")).unwrap();
    let mut run = Exact::new(world).unwrap();
    assert_eq!(run.run_to(1e100), Ok(End::Time));
    assert_eq!(run.state(ball).position.x, 1e100);
    let error = run.run_to(1e200).unwrap_err();
    let body = "ball".to_owned();
    assert_eq!(error, RunError::NotFinite { time: 1e200, body });
    assert_eq!(run.time(), 1e100);
    assert!(run.state(ball).position.is_finite());
}
