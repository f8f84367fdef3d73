//! Rigid bodies by forces in fields, past sensors, and changed while a run goes on.

use carom::material::Constants;
use carom::motion::{Drag, Field, Fields, Lift, RotationalDrag, Wind};
use carom::prelude::*;
use carom::shape::{Compound, Convex};
use carom::simulate::{Action, ActionTarget, EditError, Incident, Scheme, Stepped, Trigger};
use std::ops::ControlFlow;

const G: f64 = 9.81;

/// A floor of springs, and gravity.
fn floor() -> World2 {
    let mut world = World2::new();
    let stuff = Material {
        restitution: 0.5,
        static_friction: 0.4,
        kinetic_friction: 0.4,
        ..Material::default()
    };
    let stuff = world.materials.add("default", stuff).unwrap();
    (world.materials)
        .set_constants(stuff, Constants::linear(2e5))
        .unwrap();
    world.set_gravity(DVec2::new(0.0, -G)).unwrap();
    world
        .add(Body::fixed(Shape::floor()).named("floor"))
        .unwrap();
    world
}

fn crate_at(x: f64, y: f64) -> Body<Space2> {
    let shape = Shape::block(DVec2::new(0.2, 0.1)).unwrap();
    Body::free(shape)
        .mass(2.0)
        .at(DVec2::new(x, y))
        .build()
        .unwrap()
}

/// In every field a body made of one round part flies as a ball does; by Runge and Kutta's steps both are off by the
/// fourth power of 1e-3 s.
#[test]
fn a_round_body_flies_as_a_ball_does_in_every_field() {
    let end = |shape: Shape<Space2>| {
        let mut world = World2::new();
        let fields = Fields::uniform(DVec2::new(0.0, -3.0))
            .with(Field::Drag(Drag::AIR))
            .with(Field::Drag(Drag::Given {
                linear: 0.05,
                quadratic: 0.02,
            }))
            .with(Field::Wind(Wind::Uniform {
                velocity: DVec2::new(1.0, 0.3),
            }))
            .with(Field::Lift(Lift::Given { coefficient: 0.01 }))
            .with(Field::RotationalDrag(RotationalDrag::Given {
                coefficient: 1e-3,
            }))
            .with(Field::Central {
                centre: DVec2::new(3.0, -2.0),
                strength: 4.0,
                softening: 0.5,
            });
        world.set_fields(fields).unwrap();
        let body = Body::free(shape).mass(0.3).at(DVec2::new(0.0, 1.0));
        let body = body.velocity(DVec2::new(2.0, 3.0)).angular_velocity(5.0);
        let id = world.add(body).unwrap();
        let forces = Forces::stepping(1e-3).by(Scheme::RungeKutta);
        let mut run = Stepped::new(world, &forces).unwrap();
        run.run_to(2.0).unwrap();
        let audit = run.audit();
        assert!(audit.energy_residual.abs() < 1e-10, "{audit:?}");
        assert!(audit.momentum_residual.length() < 1e-10, "{audit:?}");
        run.state(id)
    };
    let ball = end(Shape::ball(0.2).unwrap());
    let form = Compound::new(vec![Convex::ball(0.2).unwrap()], 1.0).unwrap();
    let body = end(Shape::Compound(Box::new(form)));
    assert!(
        (ball.position - body.position).length() < 1e-12,
        "{ball:?} {body:?}"
    );
    assert!(
        (ball.velocity - body.velocity).length() < 1e-12,
        "{ball:?} {body:?}"
    );
    assert!((ball.angular_velocity - body.angular_velocity).abs() < 1e-12);
}

/// A crate falls through a gate: it is noticed at the end of the step in which its lower side comes to the gate's upper
/// one, and in which its upper side leaves the lower one.
#[test]
fn a_sensor_notices_a_crate() {
    let mut world = floor();
    let gate = Shape::block(DVec2::new(1.0, 0.1)).unwrap();
    let gate = Body::fixed(gate).at(DVec2::new(0.0, 2.0)).sensing();
    let gate = world.add(gate.named("gate")).unwrap();
    let id = world.add(crate_at(0.0, 3.2)).unwrap();
    let step = 1e-4;
    let mut run = Stepped::new(world, &Forces::stepping(step)).unwrap();
    let mut seen = Vec::new();
    run.run_until(0.8, |incident| {
        if let Incident::Entered(it) | Incident::Left(it) = incident {
            assert_eq!((it.ball, it.sensor), (id, gate));
            seen.push(it.time);
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    // It falls by 1.0 m, then by 1.4 m in all.
    let expected = [1.0, 1.4].map(|way: f64| (2.0 * way / G).sqrt());
    assert_eq!(seen.len(), 2);
    for (seen, expected) in seen.iter().zip(expected) {
        assert!(
            *seen >= expected && *seen <= expected + step,
            "{seen} {expected}"
        );
    }
    let mut half = Stepped::new(
        {
            let mut world = floor();
            let gate = Shape::block(DVec2::new(1.0, 0.5)).unwrap();
            let gate = Body::fixed(gate).at(DVec2::new(0.0, 2.0)).sensing();
            world.add(gate.named("gate")).unwrap();
            world.add(crate_at(0.0, 3.2)).unwrap();
            world
        },
        &Forces::stepping(step),
    )
    .unwrap();
    half.run_to(0.5).unwrap();
    assert_eq!(half.inside(gate), [id]);
    let restored = Stepped::<Space2>::restore(&half.snapshot()).unwrap();
    assert_eq!(restored.inside(gate), [id]);
}

/// Crates are put in, thrown, moved, taken out; gravity turns round. What that brings in is in the budget, and crates
/// that keep touching go on touching.
#[test]
fn crates_come_and_go_while_a_run_by_forces_goes_on() {
    let mut world = floor();
    let lower = world.add(crate_at(0.0, 0.1)).unwrap();
    let mut run = Stepped::new(world, &Forces::stepping(1e-4)).unwrap();
    run.run_to(0.5).unwrap();
    let sunk = run.state(lower).position.y;
    // It lies on the spring of two floors in series, 1e5 N/m.
    assert!((sunk - (0.1 - 2.0 * G / 1e5)).abs() < 1e-6, "{sunk}");
    let upper = run.insert(crate_at(0.05, 0.32)).unwrap();
    let Err(EditError::Refused(wrong)) = run.insert(crate_at(0.1, 0.35)) else {
        panic!("it would be in the other");
    };
    assert!(wrong[0].to_string().contains("overlap"), "{wrong:?}");
    run.run_to(1.5).unwrap();
    assert!((run.state(upper).position.y - 0.3).abs() < 1e-3);
    // The floor carries both.
    assert!((run.state(lower).position.y - (0.1 - 4.0 * G / 1e5)).abs() < 1e-5);
    run.set_velocity(upper, DVec2::new(0.0, 2.0), 0.0).unwrap();
    run.run_to(1.6).unwrap();
    let thrown = run.state(upper);
    assert!(
        // The damper c = 2ζ√(k m) = 136 N·s/m takes c x/m = 0.013 m/s on the 2e-4 m that it was sunk in by.
        (thrown.velocity.y - (2.0 - G * 0.1)).abs() < 2e-2,
        "{thrown:?}"
    );
    run.remove(lower).unwrap();
    run.set_position(upper, DVec2::new(3.0, 1.0)).unwrap();
    run.set_gravity(DVec2::ZERO).unwrap();
    run.run_to(1.7).unwrap();
    let state = run.state(upper);
    assert!(
        (state.velocity - thrown.velocity).length() < 1e-12,
        "{state:?}"
    );
    assert!((state.position - DVec2::new(3.0, 1.0) - thrown.velocity * 0.1).length() < 1e-9);
    let audit = run.audit();
    // The dampers of Verlet's or Runge's steps: some 1e-6 of the 20 J that were moved about.
    assert!(audit.energy_residual.abs() < 1e-4, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-10, "{audit:?}");
}

/// A crate that comes into a run of balls, and leaves it again: balls that touch go on touching.
#[test]
fn a_crate_comes_into_a_run_of_balls() {
    let mut world = floor();
    let ball = Body::free(Shape::ball(0.1).unwrap()).mass(1.0);
    let ball = world.add(ball.at(DVec2::new(0.0, 0.1))).unwrap();
    let mut run = Stepped::new(world, &Forces::stepping(1e-4)).unwrap();
    run.run_to(0.5).unwrap();
    let lies = run.state(ball).position.y;
    let id = run.insert(crate_at(2.0, 1.0)).unwrap();
    run.run_to(0.6).unwrap();
    assert!((run.state(ball).position.y - lies).abs() < 1e-9);
    assert!((run.state(id).velocity.y + 0.1 * G).abs() < 1e-9);
    run.remove(id).unwrap();
    run.run_to(0.7).unwrap();
    assert!((run.state(ball).position.y - lies).abs() < 1e-9);
    assert!(run.audit().momentum_residual.length() < 1e-10);
}

/// A director takes a crate out at its second hit.
#[test]
fn a_director_takes_out_a_crate() {
    let mut world = floor();
    let id = world.add(crate_at(0.0, 1.1)).unwrap();
    let floor = world.find("floor").unwrap();
    let mut run = Simulation::with(world, Forces::stepping(1e-4)).unwrap();
    run.on(
        Trigger::hit(floor).nth(2),
        Action::Remove(ActionTarget::Ball),
    )
    .unwrap();
    run.run_until(3.0).unwrap();
    assert!(run.body(id).is_none());
}
