//! Budgets and overlaps of rigid bodies that keep touching, where they were open once.

use super::runs::{block2, world2};
use carom::prelude::*;
use carom::simulate::{Exact, Settling};

/// A ball of infinite inertia that spins strikes a box, comes to lie on it and rubs it along: whatever keeps the ball
/// turning takes up the torque of each impact and of each step, and does work. (Both budgets were open, by up to a
/// thousandth: only contacts of balls with balls and walls were entered.)
#[test]
fn what_holds_a_ball_that_cannot_be_spun_takes_up_its_torque() {
    for spin in [-9.0, 0.0, 4.0] {
        let mut world = world2(0.5, 0.6);
        let plank = block2([1.0, 0.2], [0.0, 0.1], 0.0);
        world.add(plank).expect("allowed");
        let ball = Body::free(Shape::ball(0.2).expect("positive"))
            .mass(1.5)
            .inertia(f64::INFINITY)
            .at(DVec2::new(0.3, 1.2))
            .velocity(DVec2::new(-0.5, -2.0))
            .angular_velocity(spin);
        world.add(ball).expect("allowed");
        let mut run = Exact::with(world, &Settling::default()).expect("nothing overlaps");
        for k in 1..=20 {
            run.run_to(0.1 * f64::from(k)).expect("it gets on");
            let audit = run.audit();
            let angular = audit.angular_momentum.expect("no periodic box");
            // Sums of some thousand terms of about 20 J and 5 kg·m²/s.
            assert!(
                audit.energy_residual.abs() < 1e-11,
                "{spin} rad/s: {:e} J",
                audit.energy_residual
            );
            assert!(
                angular.residual.abs() < 1e-11,
                "{spin} rad/s: {:e} kg m²/s",
                angular.residual
            );
        }
        let audit = run.audit();
        assert!(audit.losses.between_balls.restitution > 1.0, "{audit:?}");
        let works = audit.work_by_kinematic.abs() > 1e-3;
        assert_eq!(works, spin != 0.0, "{audit:?}");
    }
}

/// A plank of a hundredth of its length falls on its end and comes to lie: it is left in the floor by a millionth of
/// its half thickness at the most, at any time that somebody looks. (By a millionth of its length, which is a hundred
/// times as much.)
#[test]
fn what_is_thin_overlaps_by_a_share_of_its_thickness() {
    let (length, thickness) = (2.0, 0.02);
    let mut world = world2(0.3, 0.4);
    let plank = block2([length, thickness], [0.0, 1.0], 0.7);
    let plank = world.add(plank).expect("allowed");
    let other = block2([0.3, 0.3], [0.4, 0.15], 0.0);
    world.add(other).expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("nothing overlaps");
    let mut deepest = 0.0_f64;
    for k in 1..=1500 {
        run.run_to(0.002 * f64::from(k)).expect("it gets on");
        let state = run.state(plank);
        let axis = DVec2::new(state.rotation.cos, state.rotation.sin) * (0.5 * length);
        let half = DVec2::new(-axis.y, axis.x) * (thickness / length);
        let corners = [axis + half, axis - half, half - axis, -axis - half];
        let lowest = corners.map(|corner| (state.position + corner).y);
        deepest = lowest
            .iter()
            .fold(deepest, |deepest, height| deepest.max(-height));
    }
    let told = run.audit().deepest_overlap;
    let allowed = 1e-6 * 0.5 * thickness;
    assert!(
        deepest <= allowed && told <= allowed,
        "{deepest:e} {told:e} m"
    );
    // What is told is what there was.
    assert!(
        deepest <= told * (1.0 + 1e-6) + 1e-15,
        "{deepest:e} {told:e} m"
    );
}
