//! The rule of contact times (TC model) beside rigid bodies.

use carom::prelude::*;
use carom::shape::{Compound, Convex};
use carom::simulate::{Exact, Settling};

/// The rule of contact times is that of balls: what comes sooner than t_c after the last collision of either takes no
/// energy. Two round bodies strike a wall one after the other, once each, then each other: with the rule or without it
/// as balls do.
#[test]
fn contact_times_are_those_of_balls() {
    let world = |round: bool, contact_time: Option<f64>| {
        let mut world = World2::new();
        let soft = Material {
            restitution: 0.5,
            ..Material::default()
        };
        world.materials.add("default", soft).expect("allowed");
        world.set_contact_time(contact_time).expect("allowed");
        let wall = Shape::half_space(DVec2::X).expect("a direction");
        world.add(Body::fixed(wall)).expect("allowed");
        for k in 0..3 {
            let shape = if round {
                let ball = Convex::ball(0.5).expect("positive");
                let form = Compound::new(vec![ball], 1.0).expect("one part");
                Shape::Compound(Box::new(form))
            } else {
                Shape::ball(0.5).expect("positive")
            };
            let place = DVec2::new(1.0 + 1.51 * f64::from(k), 0.0);
            let body = Body::free(shape).mass(1.0).at(place);
            world.add(body.velocity(-DVec2::X)).expect("allowed");
        }
        world
    };
    let ends = |round: bool, contact_time: Option<f64>| {
        let world = world(round, contact_time);
        let mut run = Exact::with(world, &Settling::default()).expect("apart");
        run.run_to(6.0).expect("it gets on");
        let audit = run.audit();
        assert!(audit.energy_residual.abs() < 1e-12, "{audit:?}");
        [1, 2, 3].map(|id| run.state(BodyId(id)).velocity.x)
    };
    for contact_time in [None, Some(0.3), Some(1.2), Some(10.0)] {
        let [balls, bodies] = [false, true].map(|round| ends(round, contact_time));
        for (ball, body) in balls.into_iter().zip(bodies) {
            assert!(
                (ball - body).abs() < 1e-12,
                "{contact_time:?} {balls:?} {bodies:?}"
            );
        }
    }
    // All collisions but the first take no energy.
    let elastic: f64 = ends(true, Some(10.0)).iter().map(|v| v * v).sum();
    assert!((elastic - 2.25).abs() < 1e-12, "{elastic}");
}
