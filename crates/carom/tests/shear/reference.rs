//! The fast planner and the one that looks at all pairs give the same runs to the bit.

use crate::{balls, discs, numbers};
use carom::prelude::*;
use carom::simulate::{Engines, Exact};

/// Runs a world by both planners, and stored and restored on the way; how many collisions there were.
fn same_by_both<S: Engines>(world: World<S>, until: f64) -> u64 {
    let mut fast = Exact::new(world.clone()).unwrap();
    let mut slow = Exact::reference(world).unwrap();
    for step in 1..=4 {
        let time = until * f64::from(step) / 4.0;
        fast.run_to(time).unwrap();
        slow.run_to(time).unwrap();
        assert_eq!(fast.digest(), slow.digest(), "until {time}");
        let mut restored = Exact::<S>::restore(&fast.snapshot()).unwrap();
        assert_eq!(restored.digest(), fast.digest());
        if step == 2 {
            std::mem::swap(&mut fast, &mut restored);
        }
    }
    let audit = fast.audit();
    // Every collision and every ball that goes round is rounded: 4u of the energy each, were they all of one sign.
    let rounding = 1e-15 * audit.now.total() * (fast.collisions() as f64 + 1000.0);
    assert!(audit.energy_residual.abs() < rounding, "{audit:?}");
    // Where the images and the balls are, and times, are rounded with the way that they have gone: four roundings, and
    // ten times as much along the normal where they graze.
    let shear = fast.shear().unwrap();
    let way = shear.rate.abs() * fast.periods()[shear.gradient] * until + 100.0;
    assert!(
        audit.deepest_overlap < 40.0 * f64::EPSILON * way,
        "{}",
        audit.deepest_overlap
    );
    fast.collisions()
}

#[test]
fn discs_in_a_sheared_box_are_those_of_the_reference() {
    for (rate, seed) in [(0.3, 1), (-2.0, 2), (20.0, 3)] {
        assert!(same_by_both(discs(10, 0.4, rate, seed), 4.0) > 500);
    }
    // Dilute, with flights across several boxes.
    assert!(same_by_both(discs(6, 0.02, 1.0, 4), 100.0) > 50);
    // Dense.
    assert!(same_by_both(discs(9, 0.7, 0.5, 5), 1.0) > 300);
}

#[test]
fn spheres_in_a_sheared_box_are_those_of_the_reference() {
    for (rate, seed) in [(0.3, 1), (-5.0, 2)] {
        assert!(same_by_both(balls(5, 0.3, rate, seed), 2.0) > 200);
    }
    let mut world = balls(5, 0.1, 1.0, 3);
    for (flow, gradient) in [(1, 2), (2, 0)] {
        let shear = Shear {
            flow,
            gradient,
            ..Shear::new(1.5)
        };
        world.set_shear(Some(shear)).unwrap();
        assert!(same_by_both(world.clone(), 8.0) > 200);
    }
}

#[test]
fn boxes_that_are_hardly_larger_than_their_balls_are_those_of_the_reference() {
    for seed in 0..6 {
        let mut world = World2::new();
        world.set_periodic([Some(2.3), Some(2.1), None]).unwrap();
        world
            .set_shear(Some(Shear::new(3.5 - f64::from(seed))))
            .unwrap();
        let mut next = numbers(u64::from(seed as u32));
        for place in [DVec2::new(0.3, 0.3), DVec2::new(1.5, 1.5)] {
            let velocity = DVec2::new(next() - 0.5, next() - 0.5);
            world
                .add(Body::ball(0.45, 1.0, place, velocity).unwrap())
                .unwrap();
        }
        assert!(same_by_both(world, 30.0) > 20);
    }
}

/// Of very different sizes, rough, inelastic, in groups, and with a shear that begins with an offset.
#[test]
fn mixtures_in_a_sheared_box_are_those_of_the_reference() {
    let mut world = World2::new();
    world.set_periodic([Some(12.0), Some(10.0), None]).unwrap();
    let shear = Shear {
        offset: 5.0,
        ..Shear::new(0.7)
    };
    world.set_shear(Some(shear)).unwrap();
    let rough = Material {
        restitution: 0.8,
        static_friction: 0.3,
        kinetic_friction: 0.3,
        ..Material::default()
    };
    let rough = world.materials.add("rough", rough).unwrap();
    let mut next = numbers(9);
    for site in 0..120_u32 {
        let place = DVec2::new(f64::from(site % 12), f64::from(site / 12)) + DVec2::splat(0.5);
        let radius = [0.4, 0.05, 0.2][(site % 3) as usize];
        let velocity = DVec2::new(next() - 0.5, next() - 0.5);
        let mut ball = Body::ball(radius, radius * radius, place, velocity).unwrap();
        ball.material = rough;
        world.add(ball).unwrap();
    }
    assert!(same_by_both(world, 20.0) > 300);
}
