//! A sphere strikes a wall obliquely, as in LAMMPS.

use super::touches_of;
use carom::material::{Constants, Damping, Stiffness};
use carom::prelude::*;
use carom::shape::HalfSpace;
use carom::simulate::LeverArm;
use carom::simulate::Scheme;
use carom::simulate::Stepped;

/// R = 1 mm, density 2500, v = (0.05, 0, −0.1) m/s, 1 µm above the floor; kn = 1000 N/m, kt = 2/7 kn, γn = 4400/s, γt =
/// 2200/s, μ = 0.5.
fn sphere() -> World3 {
    let mut world = World3::new();
    let glass = Material {
        static_friction: 0.5,
        kinetic_friction: 0.5,
        ..Material::default()
    };
    let glass = world.materials.add("glass", glass).unwrap();
    let constants = Constants {
        stiffness: Stiffness::Given(1000.0),
        damping: Damping::PerMass(4400.0),
        tangential_stiffness: 0.285714285714,
        tangential_damping: 0.5,
    };
    (world.materials.override_constants(glass, glass, constants)).unwrap();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec3::Z).unwrap());
    world.add(Body::fixed(floor).made_of(glass)).unwrap();
    let (radius, velocity) = (1e-3, DVec3::new(0.05, 0.0, -0.1));
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius;
    let place = DVec3::new(0.005, 0.005, 1.001e-3);
    let ball = Body::ball(radius, mass, place, velocity).unwrap();
    world.add(ball.made_of(glass)).unwrap();
    world
}

fn after(forces: &Forces) -> [f64; 3] {
    let mut run = Stepped::new(sphere(), forces).unwrap();
    run.run_to(1e-3).unwrap();
    let state = run.state(BodyId(1));
    [state.velocity.x, state.velocity.z, state.angular_velocity.y]
}

/// LAMMPS (2021, gran/hooke/history, fix wall/gran): vx 0.0310544, vz 0.0482659, ωy 47.3639. The variant is Verlet with
/// the damper at the velocity of the middle of the step, friction at the full radius ([`LeverArm::Radius`]), and its
/// limit μ|F_n| while the contact pulls.
#[test]
fn as_in_lammps() {
    let forces = Forces::stepping(1e-6)
        .by(Scheme::Verlet)
        .with_lever_arm(LeverArm::Radius);
    let [vx, vz, angular_velocity] = after(&forces);
    // All digits that are given.
    assert!((vx - 0.0310544).abs() <= 0.5e-7, "{vx}");
    assert!((vz - 0.0482659).abs() <= 0.5e-7, "{vz}");
    assert!(
        (angular_velocity - 47.3639).abs() <= 0.5e-4,
        "{angular_velocity}"
    );
}

/// The same law by Runge–Kutta with a step of a hundredth: what LAMMPS converges to. The normal velocity is that of the
/// closed form, and Verlet at 1e-6 s is off by its first order, ω dt/2 of the damping.
#[test]
fn what_it_converges_to() {
    let forces = Forces::stepping(1e-8).with_lever_arm(LeverArm::Radius);
    let [vx, vz, angular_velocity] = after(&forces);
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-9;
    let beta: f64 = 2200.0;
    let omega = (1000.0 / mass - beta * beta).sqrt();
    let truth = 0.1 * (-beta * std::f64::consts::PI / omega).exp();
    assert!((vz - truth).abs() < 1e-12, "{vz} {truth}");
    assert!(
        (vx - 0.0310544).abs() < 1e-4 && (angular_velocity - 47.3639).abs() < 0.1,
        "{vx} {angular_velocity}"
    );
    // Rolling and sliding share the angular momentum about the contact: m r Δv_x = −I Δω.
    let balance = (0.05 - vx) - 0.4e-3 * angular_velocity;
    assert!(balance.abs() < 1e-12, "{balance}");
}

/// The touch is recorded with what it did, and its parts add up.
#[test]
fn the_touch_adds_up() {
    let mut run = Stepped::new(sphere(), &Forces::stepping(1e-7)).unwrap();
    let touches = touches_of(&mut run, 1e-3);
    assert_eq!(touches.len(), 1);
    let touch = &touches[0];
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-9;
    let given = touch.after[0].velocity - touch.before[0].velocity;
    assert!((touch.impulse - given * mass).length() < 1e-12 * mass);
    let energy = |side: &carom::record::Velocities<Space3>| {
        0.5 * mass
            * (side.velocity.length_squared() + 0.4e-6 * side.angular_velocity.length_squared())
    };
    let lost = energy(&touch.before[0]) - energy(&touch.after[0]);
    let booked = touch.lost_to_damper + touch.lost_to_friction;
    // Sliding is cut into steps, at whose ends the spring is let go.
    assert!((lost - booked).abs() < 1e-4 * lost, "{lost} {booked}");
    assert!((touch.begin - 1e-5).abs() < 1e-15, "{}", touch.begin);
}
