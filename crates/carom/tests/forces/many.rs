//! The engine for very many balls has the laws of the one that keeps record of every contact.

use carom::material::Constants;
use carom::prelude::*;
use carom::shape::{Block, HalfSpace};
use carom::simulate::Stepped;
use carom::simulate::{Ending, Scheme};
use carom::simulate::{ForcesError, LeverArm};

/// Spheres of two sizes thrown into a box, with friction, in gravity.
pub fn box_of_spheres(rolling: f64) -> World3 {
    let mut world = World3::new();
    let glass = Material {
        restitution: 0.6,
        static_friction: 0.5,
        kinetic_friction: 0.4,
        rolling_resistance: rolling,
        ..Material::default()
    };
    let glass = world.materials.add("glass", glass).unwrap();
    (world
        .materials
        .set_constants(glass, Constants::linear(2000.0)))
    .unwrap();
    world.set_gravity(DVec3::new(0.0, 0.0, -9.81)).unwrap();
    for (normal, place) in [
        (DVec3::Z, DVec3::ZERO),
        (DVec3::X, DVec3::ZERO),
        (DVec3::Y, DVec3::ZERO),
        (-DVec3::X, DVec3::splat(9e-3)),
        (-DVec3::Y, DVec3::splat(9e-3)),
    ] {
        let wall = Shape::HalfSpace(HalfSpace::solid(normal).unwrap());
        world
            .add(Body::fixed(wall).at(place).made_of(glass))
            .unwrap();
    }
    for index in 0..64_u32 {
        let [x, y, z] = [index % 4, index / 4 % 4, index / 16].map(f64::from);
        let radius = if index % 3 == 0 { 0.9e-3 } else { 1.05e-3 };
        let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius;
        let place = DVec3::new(x, y, z) * 2.2e-3 + 1.15e-3;
        let velocity = DVec3::new(0.1 * (y - 1.5), 0.07 * (z - x), -0.3 + 0.05 * x);
        let ball = Body::ball(radius, mass, place, velocity).unwrap();
        world.add(ball.made_of(glass)).unwrap();
    }
    world
}

#[test]
fn both_engines_have_one_law() {
    for (ending, rolling) in [
        (Ending::Attracting, 0.0),
        (Ending::CutOff, 0.0),
        (Ending::Attracting, 0.02),
    ] {
        let forces = Forces::stepping(2e-6)
            .by(Scheme::Verlet)
            .with_ending(ending)
            .with_lever_arm(LeverArm::Radius);
        let world = box_of_spheres(rolling);
        let mut crowd = Stepped::granular(&world, &forces, 1).unwrap();
        let mut run = Stepped::new(world, &forces).unwrap();
        crowd.step(1000).unwrap();
        run.run_to(1000.0 * 2e-6).unwrap();
        assert!(run.touches() > 50, "{}", run.touches());
        let mut off: f64 = 0.0;
        for (index, grain) in crowd.balls().iter().enumerate() {
            let state = run.state(BodyId(5 + index as u32));
            off = off.max((grain.velocity - state.velocity).length());
            off = off.max((grain.angular_velocity - state.angular_velocity).length() * 1e-3);
        }
        // The spring across the normal is turned by projection there, which shortens it by half the square of the angle
        // of a step (some 1e-9); a few collisions one after the other magnify that, each by the ratio of way to radius.
        assert!(off < 1e-6, "{ending:?} {rolling} {off:e}");
        let (books, audit) = (crowd.budget(), run.audit());
        let translational = audit.now.translational;
        assert!(
            (books.translational - translational).abs() < 1e-6 * translational,
            "{books:?} {audit:?}"
        );
        let dampers = audit.dissipated.dampers;
        // The same flows over the same steps, but for half of the last one, of the hundred or so that the contacts
        // under way last.
        assert!(
            (books.damped - dampers).abs() < 0.01 * dampers,
            "{books:?} {audit:?}"
        );
    }
}

/// What the engine for very many balls cannot do is refused by name.
#[test]
fn what_a_crowd_cannot_do() {
    let said = |world: &World3, forces: &Forces| {
        let wrong = Stepped::granular(world, forces, 1).unwrap_err();
        assert!(
            matches!(wrong[0], ForcesError::Granular { .. }),
            "{wrong:?}"
        );
        wrong[0].to_string()
    };
    let radius = Forces::default().with_lever_arm(LeverArm::Radius);
    let world = box_of_spheres(0.0);
    assert!(Stepped::granular(&world, &radius, 1).is_ok());
    assert!(said(&world, &Forces::default()).contains("full radius"));
    assert!(said(&world, &radius.by(Scheme::RungeKutta)).contains("rk4"));
    let mut windy = world.clone();
    let drag = carom::motion::Drag::AIR;
    let fields = carom::motion::Fields::uniform(world.gravity());
    windy
        .set_fields(fields.with(carom::motion::Field::Drag(drag)))
        .unwrap();
    assert!(said(&windy, &radius).contains("drag"));
    let mut watched = world.clone();
    let gate = Shape::Block(Block::new(DVec3::splat(1e-3)).unwrap());
    let gate = Body::fixed(gate).named("gate").sensing();
    watched.add(gate).unwrap();
    assert!(said(&watched, &radius).contains("gate"));
    // And what forces cannot do is refused as ever.
    let step = radius.with_step(1.0);
    let wrong = Stepped::granular(&world, &step, 1).unwrap_err();
    assert!(
        matches!(wrong[0], ForcesError::StepTooLarge { .. }),
        "{wrong:?}"
    );
}
