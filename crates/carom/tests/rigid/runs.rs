//! Runs of solids in flight and at impacts.

use carom::audit::Audit;
use carom::prelude::*;
use carom::shape::{Block, HalfSpace};
use carom::simulate::{Exact, Settling};
use carom::space::Space;

fn material(restitution: f64, friction: f64) -> Material {
    Material {
        restitution,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    }
}

/// A world with a floor, everything made of one material.
pub fn world2(restitution: f64, friction: f64) -> World2 {
    let mut world = World2::new();
    let stuff = material(restitution, friction);
    world.materials.add("default", stuff).expect("allowed");
    world.set_gravity(DVec2::new(0.0, -9.81)).expect("finite");
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).expect("a direction"));
    let floor = Body::fixed(floor).named("floor");
    world.add(floor).expect("allowed");
    world
}

pub fn block2(size: [f64; 2], place: [f64; 2], angle: f64) -> Body<Space2> {
    let shape = Shape::Block(Block::new(DVec2::from_array(size) * 0.5).expect("positive"));
    let pose = Pose {
        position: DVec2::from_array(place),
        rotation: Turn::by(angle),
    };
    let mass = size[0] * size[1];
    Body::solid(shape, mass, pose, DVec2::ZERO, 0.0).expect("a solid")
}

/// Holds what steps cost, or put in, below a share of all the energy that was in the books. That account is computed
/// from what each step does, so that it says how good the steps are; what it does not explain is in the imbalance.
pub fn check_steps<S: Space>(audit: &Audit<S>, share: f64) {
    let lasting = &audit.losses.lasting;
    let size = audit.initial.total().abs()
        + audit.lost_in_collisions.abs()
        + lasting.total().abs()
        + audit.work_by_kinematic.abs()
        + audit.given.abs();
    println!("steps cost {:e} of {size} J", lasting.stepping / size);
    assert!(lasting.stepping.abs() <= share * size, "{audit:?}");
}

#[test]
fn an_elastic_box_that_falls_flat_bounces_to_its_height() {
    let mut world = world2(1.0, 0.3);
    let id = world
        .add(block2([1.0, 0.5], [0.0, 1.25], 0.0))
        .expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("nothing overlaps");
    // It falls 1 m: every 2·√(2/9.81) s it is up again.
    let period = 2.0 * (2.0_f64 / 9.81).sqrt();
    run.run_to(10.0 * period).expect("it gets on");
    let state = run.state(id);
    assert_eq!(run.collisions(), 10);
    // Ten bounces with an error of the instant of 1e-12 each, at 4.4 m/s.
    assert!((state.position.y - 1.25).abs() < 1e-9, "{state:?}");
    assert!(
        state.angular_velocity.abs() < 1e-9 && state.position.x.abs() < 1e-9,
        "{state:?}"
    );
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-11, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-11);
    assert_eq!(
        audit.losses.lasting.stepping, 0.0,
        "it never keeps touching"
    );
}

#[test]
fn a_box_that_is_dropped_comes_to_rest_flat() {
    for angle in [0.0, 0.1, 0.5, 1.0, -0.7] {
        let mut world = world2(0.4, 0.5);
        let id = world
            .add(block2([1.0, 0.6], [0.0, 2.0], angle))
            .expect("allowed");
        let mut run = Exact::with(world, &Settling::default()).expect("nothing overlaps");
        run.run_to(10.0).expect("it gets on");
        let state = run.state(id);
        assert_eq!(
            (state.velocity, state.angular_velocity),
            (DVec2::ZERO, 0.0),
            "{angle}: {state:?}"
        );
        let upright = state.rotation.sin.abs() > 0.5;
        let height = if upright { 0.5 } else { 0.3 };
        // Flat to within what the solver leaves of a depth.
        assert!(
            (state.position.y - height).abs() < 1e-6,
            "{angle}: {state:?}"
        );
        let off = state.rotation.sin.abs().min(state.rotation.cos.abs());
        assert!(off < 1e-6, "{angle}: {state:?}");
        let audit = run.audit();
        // 10 J in a few hundred steps, each with a dozen entries.
        assert!(audit.energy_residual.abs() < 1e-12, "{audit:?}");
        assert!(audit.momentum_residual.length() < 1e-9, "{audit:?}");
        check_steps(&audit, 2e-3);
    }
}
