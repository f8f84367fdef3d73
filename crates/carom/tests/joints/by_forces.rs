//! Joints by forces against closed forms: pendulums, springs, rods, chains.

use carom::joint::JointKind;
use carom::material::Constants;
use carom::prelude::*;
use carom::simulate::{Compiled, Scheme, Stepped};
use carom::space::Space;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

const G: f64 = 9.81;

fn heavy() -> World2 {
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -G)).unwrap();
    world
}

pub fn bob<S: Compiled>(mass: f64, place: S::Vector, velocity: S::Vector) -> Body<S> {
    Body::ball(0.05, mass, place, velocity).unwrap()
}

/// A bob on a rod of a length (m) below the origin, let go at an angle (rad) from the vertical.
pub fn pendulum(length: f64, angle: f64) -> (World2, BodyId) {
    let mut world = heavy();
    let place = DVec2::new(length * angle.sin(), -length * angle.cos());
    let id = world.add(bob(0.7, place, DVec2::ZERO)).unwrap();
    let rod = Joint::distance(Anchor::world(DVec2::ZERO), id).named("rod");
    world.add_joint(rod).unwrap();
    (world, id)
}

/// Balls that have no springs of their own are soft where they touch, which few of them do.
fn run<S: Compiled>(world: World<S>, forces: &Forces, until: f64) -> Stepped<S> {
    let forces = forces.with_fallback(Constants::linear(1e3));
    let mut run = Stepped::new(world, &forces).unwrap();
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

/// After a quarter of its period a pendulum hangs straight down, at the speed of its fall.
#[test]
fn a_pendulum_has_the_period_of_the_elliptic_integral() {
    for angle in [0.01, 0.5, FRAC_PI_2, 3.0] {
        let length = 1.3;
        let (world, id) = pendulum(length, angle);
        let period = TAU * (length / G).sqrt() / mean(1.0, (0.5 * angle).cos());
        let run = run(world, &Forces::stepping(1e-3), 0.25 * period);
        let state = run.state(id);
        let speed = (2.0 * G * length * (1.0 - angle.cos())).sqrt();
        // Fourth order: (1e-3 s · 2.7/s)⁴ ≈ 5e-11 of the swing.
        let off = state.position.x.abs() / (length * angle);
        assert!(off < 1e-9, "{angle}: {off:e}");
        assert!((state.velocity.x + speed).abs() < 1e-9 * speed);
        assert!((state.position.length() - length).abs() < 1e-14);
        // The rod's force is square to the motion: the energy stays, to the error of the scheme.
        let audit = run.audit();
        assert!(audit.energy_residual.abs() < 1e-9, "{audit:?}");
        assert!(audit.momentum_residual.length() < 1e-13, "{audit:?}");
        let angular = audit.angular_momentum.unwrap();
        assert!(angular.residual.abs() < 1e-9, "{angular:?}");
    }
}

/// The default step follows from the joint where nothing can touch.
#[test]
fn a_pendulum_needs_no_step() {
    let (world, id) = pendulum(1.0, 1.0);
    let period = TAU / G.sqrt() / mean(1.0, 0.5_f64.cos());
    let run = run(world, &Forces::default(), period);
    let state = run.state(id);
    assert!((state.position - DVec2::new(1.0_f64.sin(), -1.0_f64.cos())).length() < 1e-6);
}

/// A bar hung up at its end: `T = 2π √(I/(m g d))` for small swings, with `I = m l²/3`; by Verlet the same to its
/// order.
#[test]
fn a_bar_on_a_hinge_swings_as_its_inertia_says() {
    let (half, angle) = (0.5, 1e-3_f64);
    let far = |scheme: Scheme, step: f64| {
        let mut world = heavy();
        let place = DVec2::new(half * angle.sin(), -half * angle.cos());
        let bar = Body::free(Shape::block(DVec2::new(0.02, half)).unwrap());
        let bar = bar.mass(2.0).at(place).rotated(Turn::by(angle));
        let id = world.add(bar).unwrap();
        let end = Anchor::at(id, DVec2::new(0.0, half));
        world
            .add_joint(Joint::hinge(end, Anchor::world(DVec2::ZERO)))
            .unwrap();
        let inertia = 2.0 * ((0.04_f64.powi(2) + 1.0) / 12.0 + half * half);
        let period = TAU * (inertia / (2.0 * G * half)).sqrt() / mean(1.0, (0.5 * angle).cos());
        let run = run(world, &Forces::stepping(step).by(scheme), 0.25 * period);
        let top = run.state(id).position + run_axis(&run, id) * half;
        assert!(top.length() < 1e-14, "{top:?}");
        run.state(id).position.x.abs() / (half * angle)
    };
    assert!(far(Scheme::RungeKutta, 1e-3) < 1e-10);
    let [coarse, fine] = [1e-2, 1e-3].map(|step| far(Scheme::Verlet, step));
    assert!(fine < 1e-5 && coarse / fine > 50.0, "{coarse:e} {fine:e}");
}

/// Where the body's own y-axis points.
fn run_axis(run: &Stepped<Space2>, id: BodyId) -> DVec2 {
    Space2::rotate(run.state(id).rotation, DVec2::Y)
}

/// Two bobs on two rods, swung out far: chaotic, so that only its energy and its order can be checked.
fn double_pendulum() -> World2 {
    let mut world = heavy();
    let upper = world
        .add(bob(1.0, DVec2::new(1.0, 0.0), DVec2::ZERO))
        .unwrap();
    let lower = world
        .add(bob(0.5, DVec2::new(1.0, 0.7), DVec2::ZERO))
        .unwrap();
    world
        .add_joint(Joint::distance(Anchor::world(DVec2::ZERO), upper))
        .unwrap();
    world
        .add_joint(Joint::distance(upper, lower).colliding(false))
        .unwrap();
    world
}

#[test]
fn a_double_pendulum_keeps_its_energy() {
    let at = |step: f64| {
        let run = run(double_pendulum(), &Forces::stepping(step), 10.0);
        let audit = run.audit();
        assert!(audit.momentum_residual.length() < 1e-11, "{audit:?}");
        assert_eq!(audit.dissipated.total(), 0.0);
        audit.energy_residual.abs()
    };
    // Of 10 J that go to and fro. The error falls with the fourth power of the step.
    let [coarse, fine] = [4e-3, 1e-3].map(at);
    assert!(fine < 1e-7 && coarse / fine > 100.0, "{coarse:e} {fine:e}");
}

/// The state after one second against a run with steps a hundred times as short.
#[test]
fn joints_keep_the_order_of_the_scheme() {
    let place = |scheme: Scheme, step: f64| {
        let run = run(double_pendulum(), &Forces::stepping(step).by(scheme), 1.0);
        run.state(BodyId(1)).position
    };
    let truth = place(Scheme::RungeKutta, 1e-4);
    for (scheme, order) in [
        (Scheme::RungeKutta, 4.0),
        (Scheme::Verlet, 2.0),
        (Scheme::Euler, 1.0),
    ] {
        let error = |step: f64| (place(scheme, step) - truth).length();
        let found = (error(4e-3) / error(1e-3)).log2() / 2.0;
        assert!((found - order).abs() < 0.4, "{scheme}: {found}");
    }
}

/// Two balls on a spring swing with `ω = √(k/μ)`, μ their reduced mass, whatever else they do.
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
    for (part, length) in [(0.5, 0.6), (1.0, 1.0)] {
        let run = run(world.clone(), &Forces::stepping(1e-3), part * period);
        let apart = run.state(other).position - run.state(one).position;
        assert!(
            (apart - DVec2::new(length, 0.0)).length() < 1e-9,
            "{apart:?}"
        );
        let audit = run.audit();
        assert!((audit.now.potential - 0.5 * k * 0.04).abs() < 1e-9);
        assert!(audit.energy_residual.abs() < 1e-9);
        assert!(audit.momentum_residual.length() < 1e-14);
    }
    // Half-way between there is nothing in it, and all is motion.
    let run = run(world, &Forces::stepping(1e-3), 0.25 * period);
    assert!(run.audit().now.potential < 1e-12);
}

/// With a damper the swing decays by `exp(−c t/(2μ))`, and the damper's account has what is missing.
#[test]
fn a_damper_takes_what_a_spring_loses() {
    let (mass, k, c) = (0.5, 20.0, 0.4);
    let mut world = World2::new();
    let ball = world
        .add(bob(mass, DVec2::new(1.1, 0.0), DVec2::ZERO))
        .unwrap();
    let spring = Joint::spring(Anchor::world(DVec2::ZERO), ball, k);
    world.add_joint(spring.length(1.0).damping(c)).unwrap();
    let rate = 0.5 * c / mass;
    let omega = (k / mass - rate * rate).sqrt();
    let run = run(world, &Forces::stepping(1e-3), TAU / omega);
    let left = 0.1 * (-rate * TAU / omega).exp();
    assert!((run.state(ball).position.x - 1.0 - left).abs() < 1e-11);
    let audit = run.audit();
    let lost = 0.5 * k * (0.01 - left * left);
    assert!((audit.dissipated.dampers - lost).abs() < 1e-11, "{audit:?}");
    assert!(audit.energy_residual.abs() < 1e-11);
}

/// A dumbbell that turns and flies: its middle goes straight, it turns evenly, and nothing is lost.
#[test]
fn a_dumbbell_turns_evenly() {
    let (a, b, omega) = (1.0, 3.0, 2.5);
    let mut world = World3::new();
    let drift = DVec3::new(0.4, 0.1, -0.2);
    // The centre of mass is at the origin: 1.5 m from the light one, 0.5 m from the heavy one.
    let (near, far) = (DVec3::new(-0.5, 0.0, 0.0), DVec3::new(1.5, 0.0, 0.0));
    let spin = DVec3::Z * omega;
    let light = world.add(bob(a, far, drift + spin.cross(far))).unwrap();
    let heavy = world.add(bob(b, near, drift + spin.cross(near))).unwrap();
    world.add_joint(Joint::distance(light, heavy)).unwrap();
    let time = 7.0;
    let run = run(world, &Forces::stepping(1e-3), time);
    let (sin, cos) = (omega * time).sin_cos();
    let truth = drift * time + DVec3::new(cos, sin, 0.0) * 1.5;
    assert!((run.state(light).position - truth).length() < 1e-9);
    let apart = run.state(light).position - run.state(heavy).position;
    assert!((apart.length() - 2.0).abs() < 1e-14);
    let audit = run.audit();
    assert!(audit.momentum_residual.length() < 1e-13, "{audit:?}");
    assert!(audit.angular_momentum.unwrap().residual.length() < 1e-10);
    assert!(audit.energy_residual.abs() < 1e-10);
}

/// A conical pendulum goes round in `2π √(L cos α/g)`, at its height.
#[test]
fn a_conical_pendulum_goes_round() {
    let (length, alpha) = (2.0_f64, 0.6_f64);
    let (radius, depth) = (length * alpha.sin(), length * alpha.cos());
    let speed = radius * (G / depth).sqrt();
    let mut world = World3::new();
    world.set_gravity(DVec3::new(0.0, 0.0, -G)).unwrap();
    let start = DVec3::new(radius, 0.0, -depth);
    let ball = world
        .add(bob(1.0, start, DVec3::new(0.0, speed, 0.0)))
        .unwrap();
    world
        .add_joint(Joint::distance(ball, Anchor::world(DVec3::ZERO)))
        .unwrap();
    let period = TAU * (depth / G).sqrt();
    let run = run(world, &Forces::stepping(1e-3), period);
    assert!((run.state(ball).position - start).length() < 1e-9);
}

/// A door whose axis leans by β from the vertical swings about its lowest place with `ω² = m g d sin β/I`; without an
/// axis it would tip over.
#[test]
fn a_door_turns_about_its_axis_alone() {
    let (lean, angle, mass) = (0.3_f64, 1e-3, 5.0);
    let half = DVec3::new(0.4, 0.02, 1.0);
    let mut world = World3::new();
    // Instead of the door, gravity leans.
    world
        .set_gravity(DVec3::new(G * lean.sin(), 0.0, -G * lean.cos()))
        .unwrap();
    let turned = DQuat::from_rotation_z(angle);
    let door = Body::free(Shape::block(half).unwrap()).mass(mass);
    let door = door.at(turned * DVec3::new(0.4, 0.0, 0.0)).rotated(turned);
    let door = world.add(door).unwrap();
    let edge = Anchor::at(door, DVec3::new(-0.4, 0.0, 0.0));
    world
        .add_joint(Joint::hinge(edge, Anchor::world(DVec3::ZERO)).about(DVec3::Z))
        .unwrap();
    let inertia = mass * ((0.8 * 0.8 + 0.04 * 0.04) / 12.0 + 0.4 * 0.4);
    let omega = (mass * G * lean.sin() * 0.4 / inertia).sqrt();
    let run = run(world, &Forces::stepping(1e-3), FRAC_PI_2 / omega);
    let state = run.state(door);
    // Amplitude 1e-3: the period is right to its square over 16.
    assert!(state.position.y.abs() < 1e-9, "{state:?}");
    assert!(state.position.z.abs() < 1e-13 && state.angular_velocity.x.abs() < 1e-13);
    assert!((state.angular_velocity.z + omega * angle).abs() < 1e-9);
    assert!(run.audit().energy_residual.abs() < 1e-10);
}

/// A symmetric top on a ball and socket, fast and level: it precesses with `Ω = m g d/(I₃ ω)` in the mean.
#[test]
fn a_top_on_a_ball_and_socket_precesses() {
    let (mass, arm, fast) = (0.5, 0.2, 400.0);
    let mut world = World3::new();
    world.set_gravity(DVec3::new(0.0, 0.0, -G)).unwrap();
    let shape = Shape::cylinder(DVec3::X, 0.02, 0.1).unwrap();
    let along = 0.5 * mass * 0.01;
    let across = mass * (0.01 / 4.0 + 0.04 * 0.04 / 12.0) + mass * arm * arm;
    // Steady precession of a level axis: exact, with the spin counted along the axis.
    let rate = mass * G * arm / (along * fast);
    let wheel = Body::free(shape).mass(mass).at(DVec3::new(arm, 0.0, 0.0));
    let spin = DVec3::new(fast, 0.0, rate);
    let wheel = wheel
        .angular_velocity(spin)
        .velocity(DVec3::new(0.0, rate * arm, 0.0));
    let wheel = world.add(wheel).unwrap();
    let end = Anchor::at(wheel, DVec3::new(-arm, 0.0, 0.0));
    world
        .add_joint(Joint::hinge(end, Anchor::world(DVec3::ZERO)))
        .unwrap();
    assert!(across > 0.0);
    let run = run(world, &Forces::stepping(2e-5), 0.5 * PI / rate);
    let state = run.state(wheel);
    let truth = DVec3::new(0.0, arm, 0.0);
    assert!((state.position - truth).length() < 1e-6 * arm, "{state:?}");
}

/// Equal masses on equal rods hang at rest where the slope of the i-th rod is i times the weight of one over the
/// horizontal force: a chain put there stays, and its shape is the catenary's to the square of a link.
#[test]
fn a_chain_hangs_in_a_catenary() {
    let sag = |links: usize| {
        let (length, pull) = (4.0, 2.0);
        let link = length / links as f64;
        let weight = 0.25 * G * link;
        let half = links as f64 / 2.0;
        let mut place = DVec2::ZERO;
        let mut places = vec![place];
        for i in 0..links {
            let slope = (i as f64 + 0.5 - half) * weight / pull;
            place += DVec2::new(1.0, slope) * (link / slope.hypot(1.0));
            places.push(place);
        }
        let mut world = heavy();
        let radius = 0.1 * link;
        let mut last = Anchor::world(places[0]);
        let mut ids = Vec::new();
        for &place in &places[1..links] {
            let ball = Body::ball(radius, 0.25 * link, place, DVec2::ZERO).unwrap();
            let id = world.add(ball).unwrap();
            ids.push(id);
            world.add_joint(Joint::distance(last, id)).unwrap();
            last = Anchor::from(id);
        }
        world
            .add_joint(Joint::distance(last, Anchor::world(places[links])))
            .unwrap();
        let run = run(world, &Forces::stepping(1e-3), 0.5);
        for (id, start) in ids.iter().zip(&places[1..]) {
            let moved = (run.state(*id).position - *start).length();
            assert!(moved < 1e-10, "{links} links: {moved:e}");
        }
        // The span of a catenary y = a cosh(x/a) of that length is 2 a asinh(l/2a), with a = H over the weight a metre.
        let a = pull / (0.25 * G);
        let span = 2.0 * a * (0.5 * length / a).asinh();
        (places[links].x - span).abs() / span
    };
    let [few, many] = [10, 40].map(sag);
    // Four times as many links: a sixteenth of the difference.
    assert!(
        many < 1e-3 && (few / many - 16.0).abs() < 1.0,
        "{few:e} {many:e}"
    );
}

/// A ball strikes a dumbbell along its rod: it meets both masses at once.
#[test]
fn a_ball_that_strikes_along_a_rod_meets_both_masses() {
    let mut world = World2::new();
    let steel = world.materials.add("steel", Material::default()).unwrap();
    world
        .materials
        .set_constants(steel, Constants::linear(2e5))
        .unwrap();
    let ball = |x: f64, v: f64, mass: f64| {
        bob::<Space2>(mass, DVec2::new(x, 0.0), DVec2::new(v, 0.0)).made_of(steel)
    };
    let cue = world.add(ball(-0.5, 1.0, 1.0)).unwrap();
    let near = world.add(ball(0.0, 0.0, 2.0)).unwrap();
    let far = world.add(ball(1.0, 0.0, 3.0)).unwrap();
    world.add_joint(Joint::distance(near, far)).unwrap();
    let run = run(world, &Forces::stepping(2e-5), 1.0);
    assert_eq!(run.touches(), 1);
    // Elastic, 1 kg on 5 kg.
    assert!((run.state(cue).velocity.x - (1.0 - 5.0) / 6.0).abs() < 1e-7);
    for id in [near, far] {
        assert!((run.state(id).velocity.x - 2.0 / 6.0).abs() < 1e-7);
    }
}

/// Two balls of a Newton's cradle: the second takes the whole swing over, and hands it back.
#[test]
fn a_cradle_of_two_hands_the_swing_over() {
    let (mut world, length, angle) = (heavy(), 1.0, 0.2_f64);
    let steel = world.materials.add("steel", Material::default()).unwrap();
    world
        .materials
        .set_constants(steel, Constants::linear(2e6))
        .unwrap();
    let away = DVec2::new(-angle.sin(), 1.0 - angle.cos()) * length;
    let one = world
        .add(bob(0.3, DVec2::new(-0.05, -length) + away, DVec2::ZERO).made_of(steel))
        .unwrap();
    let two = world
        .add(bob(0.3, DVec2::new(0.05, -length), DVec2::ZERO).made_of(steel))
        .unwrap();
    for (id, x) in [(one, -0.05), (two, 0.05)] {
        world
            .add_joint(Joint::distance(id, Anchor::world(DVec2::new(x, 0.0))))
            .unwrap();
    }
    let period = TAU * (length / G).sqrt() / mean(1.0, (0.5 * angle).cos());
    let run = run(world, &Forces::stepping(2e-5), 0.5 * period);
    assert_eq!(run.touches(), 1);
    // The contact lasts for a millisecond, in which both hang nearly still.
    let state = run.state(two);
    let height = state.position.y + length;
    assert!(
        (height / (1.0 - angle.cos()) - 1.0).abs() < 1e-3,
        "{height}"
    );
    assert!(run.state(one).velocity.length() < 1e-2);
}

/// A rod from a shaken hook: the hook's work is in the budget.
#[test]
fn a_shaken_hook_works_on_its_pendulum() {
    let mut world = heavy();
    let shaken = Drive::Oscillation {
        amplitude: DVec2::new(0.1, 0.02),
        frequency: 0.8,
        phase: 0.0,
    };
    let hook = Body::kinematic(Shape::ball(0.02).unwrap(), shaken).named("hook");
    let hook = world.add(hook).unwrap();
    let (sway, lift) = (0.1 * TAU * 0.8, 0.02 * TAU * 0.8);
    let ball = world
        .add(bob(1.0, DVec2::new(0.0, -1.0), DVec2::new(sway, lift)))
        .unwrap();
    world
        .add_joint(Joint::distance(hook, ball).colliding(false))
        .unwrap();
    let at = |step: f64| {
        let run = run(world.clone(), &Forces::stepping(step), 5.0);
        let apart = run.state(hook).position - run.state(ball).position;
        assert!((apart.length() - 1.0).abs() < 1e-14);
        let audit = run.audit();
        assert!(audit.work_by_kinematic.abs() > 0.1, "{audit:?}");
        assert!(audit.momentum_residual.length() < 1e-11, "{audit:?}");
        audit.energy_residual.abs()
    };
    let [coarse, fine] = [4e-3, 1e-3].map(at);
    assert!(fine < 1e-8 && coarse / fine > 100.0, "{coarse:e} {fine:e}");
}

/// A second rod beside a first one says nothing new.
#[test]
fn a_joint_that_follows_from_others_changes_nothing() {
    let (world, id) = pendulum(1.0, 1.0);
    let mut twice = world.clone();
    twice
        .add_joint(Joint::distance(id, Anchor::world(DVec2::ZERO)))
        .unwrap();
    let [once, twice] = [world, twice].map(|world| run(world, &Forces::stepping(1e-3), 3.0));
    assert!((once.state(id).position - twice.state(id).position).length() < 1e-11);
}

/// Bodies on a hinge pass through each other; those on a spring collide.
#[test]
fn bodies_on_a_hinge_do_not_collide() {
    let joined = |joint: fn(BodyId, BodyId) -> Joint<Space2>| {
        let mut world = World2::new();
        let stuff = world.materials.add("stuff", Material::default()).unwrap();
        world
            .materials
            .set_constants(stuff, Constants::linear(1e4))
            .unwrap();
        let block = |x: f64| {
            Body::free(Shape::block(DVec2::new(0.5, 0.05)).unwrap())
                .mass(1.0)
                .at(DVec2::new(x, 0.0))
        };
        let one = world
            .add(
                block(-0.45)
                    .material(stuff)
                    .angular_velocity(1.0)
                    .velocity(DVec2::new(0.0, -0.45)),
            )
            .unwrap();
        let other = world
            .add(
                block(0.45)
                    .material(stuff)
                    .angular_velocity(-1.0)
                    .velocity(DVec2::new(0.0, -0.45)),
            )
            .unwrap();
        world.add_joint(joint(one, other)).unwrap();
        world
    };
    let hinge = |one, other| {
        Joint::hinge(
            Anchor::at(one, DVec2::new(0.45, 0.0)),
            Anchor::at(other, DVec2::new(-0.45, 0.0)),
        )
    };
    let world = joined(hinge);
    assert!(!world.joints()[0].collides && world.overlaps().is_empty());
    let run = run(world, &Forces::stepping(1e-4), 1.0);
    assert_eq!(run.touches(), 0);
    // Said otherwise, they would overlap from the start.
    let touching = joined(|one, other| {
        Joint::hinge(
            Anchor::at(one, DVec2::new(0.45, 0.0)),
            Anchor::at(other, DVec2::new(-0.45, 0.0)),
        )
        .colliding(true)
    });
    assert_eq!(touching.overlaps().len(), 1);
    assert!(Joint::<Space2>::spring(BodyId(0), BodyId(1), 1.0).collides);
}

/// In pieces, stored and restored: the same bits.
#[test]
fn a_run_with_joints_can_be_taken_up_again() {
    let forces = Forces::stepping(1e-3);
    let mut world = double_pendulum();
    let spring = Joint::spring(BodyId(1), Anchor::world(DVec2::new(0.0, -2.0)), 3.0);
    world.add_joint(spring.damping(0.1)).unwrap();
    let whole = run(world.clone(), &forces, 2.0);
    let mut piece = run(world, &forces, 0.7003);
    piece = Stepped::restore(&piece.snapshot()).unwrap();
    piece.run_to(2.0).unwrap();
    assert_eq!(piece.digest(), whole.digest());
    // The world as it is has its joints, with the lengths they have.
    let now = whole.to_world();
    assert_eq!(now.joints().len(), 3);
    assert!(
        matches!(now.joints()[1].kind, JointKind::Distance { length: Some(length) } if (length - 0.7).abs() < 1e-15)
    );
}
