//! Balls on rods and springs by impulses: closed forms, collisions through joints, budgets, the force method.

use carom::prelude::*;
use carom::simulate::{Compiled, Exact};
use std::f64::consts::TAU;

const G: f64 = 9.81;

fn heavy() -> World2 {
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -G)).unwrap();
    world
}

fn bob<S: Compiled>(mass: f64, place: S::Vector, velocity: S::Vector) -> Body<S> {
    Body::ball(0.05, mass, place, velocity).unwrap()
}

fn run<S: Compiled>(world: World<S>, until: f64) -> Exact<S> {
    let mut run = Exact::new(world).unwrap();
    run.run_to(until).unwrap();
    run
}

/// The arithmetic-geometric mean, by which `T = 2π √(L/g) / agm(1, cos(θ/2))`.
fn mean(mut a: f64, mut b: f64) -> f64 {
    // The number of digits doubles each time.
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

fn hung(world: &mut World2, hook: DVec2, angle: f64, length: f64, mass: f64) -> BodyId {
    let place = hook + DVec2::new(angle.sin(), -angle.cos()) * length;
    let id = world.add(bob(mass, place, DVec2::ZERO)).unwrap();
    world
        .add_joint(Joint::distance(Anchor::world(hook), id))
        .unwrap();
    id
}

#[test]
fn a_pendulum_has_the_period_of_the_elliptic_integral() {
    for angle in [0.01, 0.5, 1.5, 3.0] {
        let (mut world, length) = (heavy(), 1.3);
        let id = hung(&mut world, DVec2::ZERO, angle, length, 0.7);
        let period = TAU * (length / G).sqrt() / mean(1.0, (0.5 * angle).cos());
        let run = run(world, 0.25 * period);
        let state = run.state(id);
        let speed = (2.0 * G * length * (1.0 - angle.cos())).sqrt();
        let off = state.position.x.abs() / (length * angle);
        assert!(off < 1e-9, "{angle}: {off:e}");
        assert!((state.velocity.x + speed).abs() < 1e-9 * speed);
        // Between the ends of segments the polynomials leave the circle by a little.
        assert!((state.position.length() - length).abs() < 1e-10);
        let audit = run.audit();
        // Each segment ends within 10⁻¹² of the length, against forces of 40 N at the most. Between its ends the
        // remainder of the polynomial, f⁽⁶⁾ t³(h−t)³/720, is off by up to 0.0537 (ωh)⁵/720 = 2e-9 of the speed for
        // ωh = 0.12.
        let energy = 0.5 * 0.7 * speed * speed;
        let bound = 1e-12 * 40.0 * length * run.segments() as f64 + 4e-9 * energy;
        assert!(audit.energy_residual.abs() < bound, "{audit:?}");
        assert!(audit.momentum_residual.length() < 1e-12, "{audit:?}");
        assert!(audit.angular_momentum.unwrap().residual.abs() < 1e-11);
    }
}

#[test]
fn a_double_pendulum_keeps_its_energy() {
    let mut world = heavy();
    let upper = hung(&mut world, DVec2::ZERO, 1.5, 1.0, 1.0);
    let below = world.body(upper).pose.position + DVec2::new(0.0, 0.7);
    let lower = world.add(bob(0.5, below, DVec2::ZERO)).unwrap();
    world.add_joint(Joint::distance(upper, lower)).unwrap();
    let run = run(world, 10.0);
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-7, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-10, "{audit:?}");
    assert!(audit.angular_momentum.unwrap().residual.abs() < 1e-10);
}

#[test]
fn two_balls_on_a_spring_swing_with_their_reduced_mass() {
    let (a, b, k) = (0.4, 1.2, 30.0);
    let drift = DVec2::new(0.3, -0.2);
    let mut world = World2::new();
    let one = world.add(bob(a, DVec2::ZERO, drift)).unwrap();
    let other = world.add(bob(b, DVec2::new(1.0, 0.0), drift)).unwrap();
    world
        .add_joint(Joint::spring(one, other, k).length(0.8))
        .unwrap();
    let period = TAU / (k * (1.0 / a + 1.0 / b)).sqrt();
    let run = run(world, 2.5 * period);
    let apart = run.state(other).position - run.state(one).position;
    assert!((apart - DVec2::new(0.6, 0.0)).length() < 1e-9, "{apart:?}");
    let audit = run.audit();
    assert!((audit.now.potential - 0.5 * k * 0.04).abs() < 1e-8);
    assert!(audit.energy_residual.abs() < 1e-9, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-13);
}

/// What the damper takes is among what fields take that are no potentials.
#[test]
fn a_damped_spring_decays() {
    let (mass, k, c) = (0.5, 20.0, 0.4);
    let mut world = World2::new();
    let ball = world
        .add(bob(mass, DVec2::new(1.1, 0.0), DVec2::ZERO))
        .unwrap();
    let spring = Joint::spring(Anchor::world(DVec2::ZERO), ball, k);
    world.add_joint(spring.length(1.0).damping(c)).unwrap();
    let rate = 0.5 * c / mass;
    let omega = (k / mass - rate * rate).sqrt();
    let run = run(world, TAU / omega);
    let left = 0.1 * (-rate * TAU / omega).exp();
    assert!((run.state(ball).position.x - 1.0 - left).abs() < 1e-10);
    let audit = run.audit();
    assert!((audit.losses.fields - 0.5 * k * (0.01 - left * left)).abs() < 1e-10);
    assert!(audit.energy_residual.abs() < 1e-10, "{audit:?}");
}

/// A dumbbell turns evenly and bounces between walls: momentum and angular momentum are what the walls give.
#[test]
fn a_dumbbell_turns_evenly() {
    let (a, b, omega) = (1.0, 3.0, 2.5);
    let mut world = World3::new();
    let drift = DVec3::new(0.4, 0.1, -0.2);
    let (near, far) = (DVec3::new(-0.5, 0.0, 0.0), DVec3::new(1.5, 0.0, 0.0));
    let spin = DVec3::Z * omega;
    let light = world.add(bob(a, far, drift + spin.cross(far))).unwrap();
    let heavy = world.add(bob(b, near, drift + spin.cross(near))).unwrap();
    world.add_joint(Joint::distance(light, heavy)).unwrap();
    let time = 7.0;
    let run = run(world, time);
    let (sin, cos) = (omega * time).sin_cos();
    let truth = drift * time + DVec3::new(cos, sin, 0.0) * 1.5;
    assert!((run.state(light).position - truth).length() < 1e-9);
    let audit = run.audit();
    assert!(audit.momentum_residual.length() < 1e-12, "{audit:?}");
    assert!(audit.angular_momentum.unwrap().residual.length() < 1e-10);
    assert!(audit.energy_residual.abs() < 1e-10);
}

/// A ball strikes one end of a dumbbell at an angle α to its rod. There the dumbbell has the inverse mass
/// `(1/m)(1 − cos²α M/(m+M))`: across the rod the end is free, along it both masses are met.
#[test]
fn a_ball_that_strikes_a_dumbbell_meets_its_effective_mass() {
    for (angle, restitution) in [(0.0, 1.0), (0.7, 1.0), (0.7, 0.4), (1.57, 0.8)] {
        let (m, far, cue) = (2.0, 3.0, 1.0);
        let mut world = World2::new();
        let stuff = Material {
            restitution,
            ..Material::default()
        };
        let stuff = world.materials.add("stuff", stuff).unwrap();
        let (sin, cos) = f64::sin_cos(angle);
        let end = world
            .add(bob(m, DVec2::ZERO, DVec2::ZERO).made_of(stuff))
            .unwrap();
        let other = world
            .add(bob(far, DVec2::new(cos, sin), DVec2::ZERO).made_of(stuff))
            .unwrap();
        let ball = bob(cue, DVec2::new(-0.5, 0.0), DVec2::new(1.5, 0.0)).made_of(stuff);
        let ball = world.add(ball).unwrap();
        world.add_joint(Joint::distance(end, other)).unwrap();
        let mut run = Exact::new(world).unwrap();
        run.run_to(0.3).unwrap();
        assert_eq!(run.collisions(), 1);
        let along = cos * cos * far / (m + far);
        let impulse = (1.0 + restitution) * 1.5 / (1.0 / cue + (1.0 - along) / m);
        assert!((run.state(ball).velocity.x - (1.5 - impulse / cue)).abs() < 1e-12);
        let audit = run.audit();
        assert!((audit.momentum.x - 1.5 * cue).abs() < 1e-12, "{audit:?}");
        assert!(audit.momentum_residual.length() < 1e-12);
        assert!(audit.energy_residual.abs() < 1e-10, "{audit:?}");
        // The far end gets the part along the rod of what both share.
        let collision = 0.45 / 1.5 - 0.05 / 1.5;
        let shared = impulse * cos / (m + far);
        let mut again = run.to_world();
        assert_eq!(again.joints().len(), 1);
        again.set_gravity(DVec2::ZERO).unwrap();
        assert!(collision < 0.3);
        let middle =
            (run.state(end).velocity * m + run.state(other).velocity * far) * (1.0 / (m + far));
        assert!((middle.x - impulse / (m + far)).abs() < 1e-12);
        assert!(shared <= impulse);
    }
}

/// A bob on a rod strikes a wall: along the rod it cannot move, so that it is thrown back across it alone.
#[test]
fn a_pendulum_bounces_off_a_wall() {
    let (mut world, length) = (heavy(), 1.0);
    let stuff = world
        .materials
        .add(
            "stuff",
            Material {
                restitution: 0.5,
                ..Material::default()
            },
        )
        .unwrap();
    let angle = 1.0_f64;
    let place = DVec2::new(angle.sin(), -angle.cos()) * length;
    let ball = world
        .add(bob(1.0, place, DVec2::ZERO).made_of(stuff))
        .unwrap();
    world
        .add_joint(Joint::distance(Anchor::world(DVec2::ZERO), ball))
        .unwrap();
    // It is met when the rod hangs straight down.
    let wall = Body::fixed(Shape::half_space(DVec2::X).unwrap()).at(DVec2::new(-0.05, 0.0));
    world.add(wall.material(stuff)).unwrap();
    let mut run = Exact::new(world).unwrap();
    run.run_to(0.8).unwrap();
    assert_eq!(run.collisions(), 1);
    let audit = run.audit();
    // Half of the speed, a quarter of the height.
    let energy = G * (1.0 - angle.cos());
    assert!(
        (audit.lost_in_collisions - 0.75 * energy).abs() < 1e-9,
        "{audit:?}"
    );
    assert!(audit.energy_residual.abs() < 1e-9);
    assert!(audit.momentum_residual.length() < 1e-11);
    assert!(audit.angular_momentum.unwrap().residual.abs() < 1e-11);
}

/// Five balls on rods, a hair apart: after half a period the last one is where the first one began, mirrored.
#[test]
fn a_newtons_cradle_hands_the_swing_over() {
    let (mut world, angle, apart) = (heavy(), -0.3_f64, 0.1 + 1e-9);
    let ids: Vec<BodyId> = (0..5)
        .map(|i| {
            let hook = DVec2::new(apart * f64::from(i), 1.0);
            hung(&mut world, hook, if i == 0 { angle } else { 0.0 }, 1.0, 0.2)
        })
        .collect();
    let period = TAU / G.sqrt() / mean(1.0, (0.5 * angle).cos());
    let run = run(world, 0.5 * period);
    assert_eq!(run.collisions(), 4);
    let last = run.state(ids[4]).position - DVec2::new(4.0 * apart, 1.0);
    // The gaps cost some nanometres.
    assert!(
        (last - DVec2::new(-angle.sin(), -angle.cos())).length() < 1e-7,
        "{last:?}"
    );
    for &id in &ids[..4] {
        assert!(run.state(id).velocity.length() < 1e-6);
    }
    assert!(run.audit().energy_residual.abs() < 1e-9);
}

/// The same scene both ways: a wrecking ball on a rod of two, and a ball in its way.
#[test]
fn both_methods_agree() {
    use carom::material::Constants;
    let mut world = heavy();
    let steel = world.materials.add("steel", Material::default()).unwrap();
    world
        .materials
        .set_constants(steel, Constants::linear(1e7))
        .unwrap();
    let upper = world
        .add(bob(0.3, DVec2::new(-0.6, 1.2), DVec2::ZERO).made_of(steel))
        .unwrap();
    let lower = world
        .add(bob(1.0, DVec2::new(-1.2, 0.4), DVec2::ZERO).made_of(steel))
        .unwrap();
    let target = world
        .add(bob(0.2, DVec2::new(0.0, 0.4), DVec2::new(0.0, 2.0)).made_of(steel))
        .unwrap();
    world
        .add_joint(Joint::distance(Anchor::world(DVec2::new(0.0, 2.0)), upper))
        .unwrap();
    world.add_joint(Joint::distance(upper, lower)).unwrap();
    world
        .add_joint(Joint::spring(lower, Anchor::world(DVec2::new(0.5, 0.0)), 5.0).length(0.3))
        .unwrap();
    let exact = run(world.clone(), 0.6);
    let mut forces = Simulation::with(world, Forces::stepping(2e-5)).unwrap();
    forces.run_until(0.6).unwrap();
    for id in [upper, lower, target] {
        let apart = exact.state(id).position - forces.state(id).position;
        assert!(
            apart.length() < 2e-4,
            "{id:?}: {apart:?} {}",
            exact.collisions()
        );
    }
}

/// Steps of a run do not depend on how it is cut into pieces; stored and restored it has the same bits.
#[test]
fn a_run_with_joints_can_be_taken_up_again() {
    let mut world = heavy();
    let upper = hung(&mut world, DVec2::ZERO, 2.0, 1.0, 1.0);
    let place = world.body(upper).pose.position + DVec2::new(0.3, 0.4);
    let lower = world.add(bob(0.5, place, DVec2::ZERO)).unwrap();
    world.add_joint(Joint::distance(upper, lower)).unwrap();
    world
        .add_joint(Joint::spring(lower, Anchor::world(DVec2::ZERO), 4.0).damping(0.05))
        .unwrap();
    world
        .add(Body::fixed(Shape::half_space(DVec2::X).unwrap()).at(DVec2::new(-0.5, 0.0)))
        .unwrap();
    let whole = run(world.clone(), 5.0);
    assert!(whole.collisions() > 0);
    let mut piece = run(world.clone(), 1.234);
    piece.run_to(2.0).unwrap();
    let mut piece = Exact::restore(&piece.snapshot()).unwrap();
    piece.run_to(5.0).unwrap();
    assert_eq!(piece.digest(), whole.digest());
    assert_eq!(piece.audit(), whole.audit());
    let mut reference = Exact::reference(world).unwrap();
    reference.run_to(5.0).unwrap();
    assert_eq!(reference.digest(), whole.digest());
    let audit = whole.audit();
    // Each segment is off by 10⁻¹² of a metre or less, against forces of 100 N at the most.
    let bound = 1e-12 * 100.0 * whole.segments() as f64;
    assert!(audit.energy_residual.abs() < bound, "{audit:?}");
}

fn refusal(world: World2) -> String {
    let wrong = Exact::new(world).err().unwrap();
    wrong.iter().map(|error| format!("{error}\n")).collect()
}

#[test]
fn what_impulses_cannot_do_names_the_method_that_can() {
    let mut world = heavy();
    let sticky = Material {
        contact_duration: 0.01,
        ..Material::default()
    };
    let sticky = world.materials.add("sticky", sticky).unwrap();
    let ball = world
        .add(bob(1.0, DVec2::X, DVec2::ZERO).made_of(sticky))
        .unwrap();
    world
        .add_joint(Joint::distance(ball, Anchor::world(DVec2::ZERO)))
        .unwrap();
    let said = refusal(world);
    assert!(
        said.contains("joints beside contacts of a duration of what joints hold"),
        "{said}"
    );
    let mut world = heavy();
    hung(&mut world, DVec2::ZERO, 1.0, 1.0, 1.0);
    let mut run = Exact::new(world).unwrap();
    let error = run
        .set_velocity(BodyId(0), DVec2::X, 0.0)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("a run with joints cannot be edited while it goes on"),
        "{error}"
    );
}

/// A bob that comes to rest on the floor is beyond this method: the run says so, and which one can.
#[test]
fn a_bob_that_comes_to_rest_ends_the_run_with_a_reason() {
    let mut world = heavy();
    let stuff = world
        .materials
        .add(
            "stuff",
            Material {
                restitution: 0.3,
                ..Material::default()
            },
        )
        .unwrap();
    let ball = world
        .add(
            bob(1.0, DVec2::new(0.8, 1.6), DVec2::ZERO)
                .made_of(stuff)
                .named("bob"),
        )
        .unwrap();
    world
        .add_joint(Joint::spring(ball, Anchor::world(DVec2::new(0.0, 1.0)), 3.0).damping(0.5))
        .unwrap();
    world
        .add(Body::fixed(Shape::floor()).material(stuff).named("floor"))
        .unwrap();
    let mut run = Exact::new(world).unwrap();
    let error = run.run_to(20.0).unwrap_err().to_string();
    assert!(
        error.contains("bob meets floor at t = ") && error.contains("force method alone"),
        "{error}"
    );
}
