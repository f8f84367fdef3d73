//! Rolling and spinning resistance of what is round.

use super::runs::check_steps;
use carom::body::Kind;
use carom::prelude::*;
use carom::shape::{Ball, Block, HalfSpace};
use carom::shape::{Compound, Convex};
use carom::simulate::{Exact, Settling};
use carom::space::Space;

fn table(material: Material, gravity: DVec3) -> World3 {
    let mut world = World3::new();
    world.materials.add("default", material).expect("allowed");
    world.set_gravity(gravity).expect("finite");
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec3::Z).expect("a direction"));
    world.add(Body::fixed(floor)).expect("allowed");
    world
}

fn rough(rolling_resistance: f64, spinning_resistance: f64) -> Material {
    Material {
        restitution: 0.0,
        static_friction: 0.6,
        kinetic_friction: 0.6,
        rolling_resistance,
        spinning_resistance,
        ..Material::default()
    }
}

fn check_books(run: &Exact<Space3>) {
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-10, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-10, "{audit:?}");
    check_steps(&audit, 1e-7);
    assert!(
        audit
            .angular_momentum
            .expect("there is one")
            .residual
            .length()
            < 1e-9
    );
}

/// A ball, a cylinder and a capsule that roll on the level are slowed down by μ_r g, and stop.
#[test]
fn what_rolls_is_slowed_down_by_its_resistance() {
    let (radius, resistance, speed) = (0.1, 0.05, 1.0);
    let along_y = |part: Convex<Space3>| {
        let turn = Pose {
            position: DVec3::ZERO,
            rotation: Space3::rotation_of(DVec3::X, std::f64::consts::FRAC_PI_2),
        };
        Shape::Compound(Box::new(
            Compound::with_mass(vec![part.placed(&turn)], 1.0).expect("a solid"),
        ))
    };
    let shapes = [
        Shape::Ball(Ball::new(radius).expect("positive")),
        along_y(Convex::cylinder(0.2, radius).expect("a cylinder")),
        along_y(
            Convex::capsule(
                DVec3::new(0.0, 0.0, -0.2),
                DVec3::new(0.0, 0.0, 0.2),
                radius,
            )
            .expect("a capsule"),
        ),
    ];
    for (k, shape) in shapes.into_iter().enumerate() {
        let mut world = table(rough(resistance, 0.0), DVec3::new(0.0, 0.0, -10.0));
        let pose = Pose::at(DVec3::new(0.0, 0.0, radius));
        let (velocity, angular_velocity) = (
            DVec3::new(speed, 0.0, 0.0),
            DVec3::new(0.0, speed / radius, 0.0),
        );
        let body = match shape {
            Shape::Ball(_) => {
                let mut ball = Body::ball(radius, 1.0, pose.position, velocity).expect("a ball");
                if let Kind::Free(free) = &mut ball.kind {
                    free.angular_velocity = angular_velocity;
                }
                ball
            }
            shape => Body::solid(shape, 1.0, pose, velocity, angular_velocity).expect("a solid"),
        };
        let id = world.add(body).expect("allowed");
        // So that the run is of this kind in any case.
        let far = Pose::at(DVec3::new(0.0, 50.0, 0.5));
        let block = Shape::Block(Block::new(DVec3::splat(0.5)).expect("positive"));
        world
            .add(Body::solid(block, 1.0, far, DVec3::ZERO, DVec3::ZERO).expect("a solid"))
            .expect("allowed");
        let mut run = Exact::with(world, &Settling::default()).expect("apart");
        run.run_to(1.0).expect("it gets on");
        // v − μ_r g t = 0.5 after a second; by then 0.75 m. Steps of 1/240 s are off by a part of μ_r g τ = 0.002.
        let state = run.state(id);
        assert!((state.velocity.x - 0.5).abs() < 2e-3, "{k}: {state:?}");
        assert!((state.position.x - 0.75).abs() < 2e-3, "{k}: {state:?}");
        assert!(
            (state.angular_velocity.y * radius - state.velocity.x).abs() < 1e-4,
            "{k}: it rolls: {state:?}"
        );
        check_books(&run);
        run.run_to(4.0).expect("it gets on");
        // v²/(2 μ_r g) = 1 m.
        let state = run.state(id);
        assert_eq!(state.velocity, DVec3::ZERO, "{k}: {state:?}");
        assert!((state.position.x - 1.0).abs() < 4e-3, "{k}: {state:?}");
        check_books(&run);
        let rolling = run.audit().losses.lasting.rolling;
        assert!(
            rolling > 0.4,
            "{k}: what it had went into rolling: {rolling}"
        );
    }
}

/// A ball on a slope holds where g_t/(1 + c) is below μ_r a_n, and rolls down where it is above.
#[test]
fn a_ball_on_a_slope_holds_or_rolls_on_the_right_side_of_the_limit() {
    let (radius, resistance, c) = (0.1, 0.05, 0.4);
    for (factor, holds) in [(0.97, true), (1.03, false)] {
        let tilt = factor * resistance * (1.0 + c) * 10.0;
        let mut world = table(rough(resistance, 0.0), DVec3::new(tilt, 0.0, -10.0));
        let id = world
            .add(
                Body::ball(radius, 1.0, DVec3::new(0.0, 0.0, radius), DVec3::ZERO).expect("a ball"),
            )
            .expect("allowed");
        let mut run = Exact::with(world, &Settling::default()).expect("apart");
        run.run_to(4.0).expect("it gets on");
        let way = run.state(id).position.x;
        // ½ (g_t/(1+c) − μ_r a_n) t² where it rolls: 3 % of 0.5 m/s², for 4 s.
        let expected = if holds { 0.0 } else { 0.5 * 0.03 * 0.5 * 16.0 };
        assert!((way - expected).abs() < 6e-3, "{factor}: {way} {expected}");
        check_books(&run);
    }
}

/// A ball that spins on the spot comes to rest after ω c r/(μ_p g).
#[test]
fn a_ball_that_spins_on_the_spot_comes_to_rest() {
    let (radius, resistance, angular_velocity) = (0.1, 0.1, 20.0);
    let mut world = table(rough(0.0, resistance), DVec3::new(0.0, 0.0, -10.0));
    let mut ball =
        Body::ball(radius, 1.0, DVec3::new(0.0, 0.0, radius), DVec3::ZERO).expect("a ball");
    if let Kind::Free(free) = &mut ball.kind {
        free.angular_velocity = DVec3::new(0.0, 0.0, angular_velocity);
    }
    let id = world.add(ball).expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    // 20 · 0.4 · 0.1/(0.1 · 10) = 0.8 s.
    run.run_to(0.4).expect("it gets on");
    let half = run.state(id).angular_velocity.z;
    assert!((half - 10.0).abs() < 0.2, "{half}");
    run.run_to(2.0).expect("it gets on");
    assert_eq!(run.state(id).angular_velocity, DVec3::ZERO);
    assert!(
        run.audit().losses.lasting.spinning > 0.7,
        "{:?}",
        run.audit()
    );
    check_books(&run);
}
