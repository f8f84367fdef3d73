//! Rigid bodies on hinges, rods and springs by impulses: closed forms, order of the steps, budgets, blows through
//! joints.

use carom::body::FreeBody;
use carom::prelude::*;
use carom::simulate::{Compiled, Exact, Settling};
use carom::space::{Linear, Space};
use std::f64::consts::{FRAC_PI_2, TAU};

const G: f64 = 9.81;

fn heavy() -> World2 {
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -G)).unwrap();
    world
}

fn bar(mass: f64, half: f64) -> FreeBody<Space2> {
    Body::free(Shape::block(DVec2::new(0.02, half)).unwrap()).mass(mass)
}

fn run<S: Compiled>(world: World<S>, step: f64, until: f64) -> Exact<S> {
    let settling = Settling::default().with_step(step);
    let mut run = Exact::with(world, &settling).unwrap();
    run.run_to(until).unwrap();
    run
}

/// The arithmetic-geometric mean, by which `T = 2π √(L/g) / agm(1, cos(θ/2))`.
fn mean(mut a: f64, mut b: f64) -> f64 {
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

/// A bar hung up at its upper end at an angle (rad) from the vertical.
fn hung_bar(angle: f64) -> (World2, BodyId) {
    let (mut world, half) = (heavy(), 0.5);
    let place = DVec2::new(angle.sin(), -angle.cos()) * half;
    let id = world
        .add(bar(2.0, half).at(place).rotated(Turn::by(angle)))
        .unwrap();
    let end = Anchor::at(id, DVec2::new(0.0, half));
    world
        .add_joint(Joint::hinge(end, Anchor::world(DVec2::ZERO)))
        .unwrap();
    (world, id)
}

/// What every run here has to keep: budgets to rounding (sizes of some 10 J, 10 kg·m/s, in a few thousand steps).
fn check_budgets<S: Compiled>(run: &Exact<S>) {
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-10, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-10, "{audit:?}");
    let angular = audit.angular_momentum.unwrap();
    assert!(angular.residual.length() < 1e-10, "{audit:?}");
}

/// How much the energy is off because steps are of finite length, J.
fn off_by_steps<S: Compiled>(run: &Exact<S>) -> f64 {
    let lasting = run.audit().losses.lasting;
    lasting.stepping + lasting.projection
}

/// `T = 4 √(I/(m g d)) K(sin θ/2)` with `I` about the pin: after a quarter of it the bar hangs straight down.
#[test]
fn a_bar_on_a_hinge_swings_as_the_elliptic_integral_says() {
    let half = 0.5;
    let inertia = (0.04_f64.powi(2) + 1.0) / 12.0 + half * half;
    for angle in [0.1, FRAC_PI_2, 3.0] {
        let period = TAU * (inertia / (G * half)).sqrt() / mean(1.0, (0.5 * angle).cos());
        let off = |step: f64| {
            let (world, id) = hung_bar(angle);
            let run = run(world, step, 0.25 * period);
            check_budgets(&run);
            let state = run.state(id);
            let end = state.position + Space2::rotate(state.rotation, DVec2::new(0.0, half));
            assert!(end.length() < 1e-14, "{end:?}");
            state.position.x.abs() / (half * angle)
        };
        let [coarse, fine] = [1.0 / 240.0, 1.0 / 2400.0].map(off);
        // Second order: (ω τ)²/24 of a quarter of a turn, with ω of up to 7/s at the bottom.
        assert!(
            coarse < 1e-4 && (coarse / fine - 100.0).abs() < 5.0,
            "{coarse:e} {fine:e}"
        );
    }
}

/// Two bars, one hung on the other and let go level: chaotic, but the energy goes to and fro about what it was, by
/// what the square of the step says, and does not drift.
#[test]
fn a_double_pendulum_of_bars_keeps_its_energy() {
    let world = || {
        let (mut world, half) = (heavy(), 0.4);
        let level = Turn::by(FRAC_PI_2);
        let [upper, lower] = [0.4, 1.2].map(|x| {
            let bar = bar(1.5, half).at(DVec2::new(x, 0.0)).rotated(level);
            world.add(bar).unwrap()
        });
        // A quarter turn: the upper end of a bar points to −x.
        let [start, end] = [DVec2::new(0.0, half), DVec2::new(0.0, -half)];
        let pin = Joint::hinge(Anchor::at(upper, start), Anchor::world(DVec2::ZERO));
        world.add_joint(pin).unwrap();
        world
            .add_joint(Joint::hinge(
                Anchor::at(upper, end),
                Anchor::at(lower, start),
            ))
            .unwrap();
        world
    };
    let worst = |step: f64, until: f64| {
        let settling = Settling::default().with_step(step);
        let mut run = Exact::with(world(), &settling).unwrap();
        let mut worst = 0.0_f64;
        for k in 1..=100 {
            run.run_to(until * f64::from(k) / 100.0).unwrap();
            worst = worst.max(off_by_steps(&run).abs());
        }
        check_budgets(&run);
        worst
    };
    let [coarse, fine] = [1.0 / 240.0, 1.0 / 960.0].map(|step| worst(step, 2.0));
    let long = worst(1.0 / 240.0, 20.0);
    // Of the 12 J that it falls by. Four times as short steps: a sixteenth.
    assert!(
        coarse < 0.1 && (8.0..32.0).contains(&(coarse / fine)),
        "{coarse:e} {fine:e}"
    );
    assert!(long < 4.0 * coarse, "{long:e} {coarse:e}");
}

/// A door on a leaning axis, as by forces: `ω² = m g d sin β/I`, and it turns about its axis alone.
#[test]
fn a_door_turns_about_its_axis_alone() {
    let (lean, angle, mass) = (0.3_f64, 1e-3, 5.0);
    let mut world = World3::new();
    world
        .set_gravity(DVec3::new(G * lean.sin(), 0.0, -G * lean.cos()))
        .unwrap();
    let turned = DQuat::from_rotation_z(angle);
    let door = Body::free(Shape::block(DVec3::new(0.4, 0.02, 1.0)).unwrap()).mass(mass);
    let door = door.at(turned * DVec3::new(0.4, 0.0, 0.0)).rotated(turned);
    let door = world.add(door).unwrap();
    let edge = Anchor::at(door, DVec3::new(-0.4, 0.0, 0.0));
    world
        .add_joint(Joint::hinge(edge, Anchor::world(DVec3::ZERO)).about(DVec3::Z))
        .unwrap();
    let inertia = mass * ((0.8 * 0.8 + 0.04 * 0.04) / 12.0 + 0.4 * 0.4);
    let omega = (mass * G * lean.sin() * 0.4 / inertia).sqrt();
    let run = run(world, 1.0 / 240.0, FRAC_PI_2 / omega);
    check_budgets(&run);
    let state = run.state(door);
    // (ω τ)²/24 of a quarter of a turn, with ω τ = 0.01.
    assert!(state.position.y.abs() < 1e-5 * angle, "{state:?}");
    assert!(state.position.z.abs() < 1e-13 && state.angular_velocity.x.abs() < 1e-13);
    assert!((state.angular_velocity.z + omega * angle).abs() < 1e-5 * angle);
}

/// Boxes on hinges, one below the other: a chain that hangs straight down stays there, and falls asleep. Its hinges
/// carry what hangs on them, which is momentum from the world.
#[test]
fn a_chain_of_boxes_hangs_still() {
    let mut world = heavy();
    let mut last = Anchor::world(DVec2::ZERO);
    let links = 30;
    let ids: Vec<BodyId> = (0..links)
        .map(|k| {
            let place = DVec2::new(0.0, -0.2 * (f64::from(k) + 0.5));
            let link = world.add(bar(0.5, 0.1).at(place)).unwrap();
            let ends = [0.1, -0.1].map(|y| Anchor::at(link, DVec2::new(0.0, y)));
            world.add_joint(Joint::hinge(last, ends[0])).unwrap();
            last = ends[1];
            link
        })
        .collect();
    let run = run(world, 1.0 / 240.0, 2.0);
    check_budgets(&run);
    assert_eq!(run.lasting_rigid(), (30, 30));
    for (k, &id) in ids.iter().enumerate() {
        let off = run.state(id).position - DVec2::new(0.0, -0.2 * (k as f64 + 0.5));
        assert!(off.length() < 1e-12, "{k}: {off:?}");
    }
}

/// In free space a chain of boxes that tumbles keeps its momentum and its angular momentum to rounding: what a hinge
/// does to one of two bodies it does to the other, at one point.
#[test]
fn a_chain_that_tumbles_keeps_its_angular_momentum() {
    let mut world = World3::new();
    let mut last: Option<Anchor<Space3>> = None;
    for k in 0..5 {
        let place = DVec3::new(0.4 * f64::from(k), 0.0, 0.0);
        let spin = DVec3::new(0.0, 0.6, 1.0);
        let link = Body::free(Shape::block(DVec3::new(0.2, 0.05, 0.1)).unwrap()).mass(0.5);
        let link = link
            .at(place)
            .velocity(spin.cross(place))
            .angular_velocity(spin);
        let link = world.add(link).unwrap();
        let [start, end] = [-0.2, 0.2].map(|x| Anchor::at(link, DVec3::new(x, 0.0, 0.0)));
        if let Some(last) = last {
            world.add_joint(Joint::hinge(last, start)).unwrap();
        }
        last = Some(end);
    }
    let before = Exact::new(world.clone()).unwrap().audit();
    let run = run(world, 1.0 / 240.0, 5.0);
    check_budgets(&run);
    let now = run.audit();
    let [before, after] = [&before, &now].map(|audit| audit.angular_momentum.unwrap().now);
    assert!((after - before).length() < 1e-11 * before.length());
    // The first look turns some of it about: it is no straight chain for long, and some 1 J go to and fro.
    assert!(off_by_steps(&run).abs() < 1e-3 * now.now.total(), "{now:?}");
}

/// A ball flies against the end of a level bar on a pin: with the pin the bar has `I/L²` there in place of its mass,
/// `ω (I/L² + m) L = (1 + ε) m v`.
#[test]
fn a_blow_meets_what_the_pin_leaves_of_the_mass() {
    for (restitution, friction) in [(1.0, 0.0), (0.4, 0.0), (1.0, 0.3)] {
        let mut world = World2::new();
        let stuff = Material {
            restitution,
            static_friction: friction,
            kinetic_friction: friction,
            ..Material::default()
        };
        let stuff = world.materials.add("stuff", stuff).unwrap();
        let (half, mass, ball, speed) = (0.5, 2.0, 0.7, 3.0);
        let bar = bar(mass, half).at(DVec2::new(half, 0.0)).material(stuff);
        let bar = world.add(bar.rotated(Turn::by(FRAC_PI_2))).unwrap();
        let pin = Joint::hinge(
            Anchor::at(bar, DVec2::new(0.0, half)),
            Anchor::world(DVec2::ZERO),
        );
        world.add_joint(pin).unwrap();
        let arm = 0.9;
        let aside = if friction > 0.0 { 1.0 } else { 0.0 };
        let place = DVec2::new(arm - 0.16 * aside, 0.5);
        let thrown = Body::ball(0.05, ball, place, DVec2::new(aside, -speed));
        let thrown = world.add(thrown.unwrap().made_of(stuff)).unwrap();
        let run = run(world, 1.0 / 240.0, 0.2);
        assert_eq!(run.collisions(), 1);
        check_budgets(&run);
        let inertia = mass * ((0.04_f64.powi(2) + 1.0) / 12.0 + half * half);
        let away = |spin: f64, back: f64| {
            let state = (
                run.state(bar).angular_velocity,
                run.state(thrown).velocity.y,
            );
            assert!((state.0 + spin).abs() < 1e-12 * spin, "{state:?} {spin}");
            assert!((state.1 - back).abs() < 1e-12 * speed, "{state:?} {back}");
        };
        if friction == 0.0 {
            let meets = 1.0 / (1.0 / ball + arm * arm / inertia);
            let impulse = (1.0 + restitution) * meets * speed;
            away(impulse * arm / inertia, impulse / ball - speed);
        } else {
            // It slides along the bar, which takes some energy; nothing is added.
            let lost = run.audit().losses.between_balls;
            let added = lost.energy_added + lost.energy_added_by_friction;
            assert!(lost.friction > 0.1 && lost.restitution > -1e-12, "{lost:?}");
            assert!(added == 0.0, "{lost:?}");
        }
    }
}

/// Balls on rods that rub: by impulses they swing in steps, and Newton's cradle hands its swing on through all of
/// them at one instant.
#[test]
fn a_cradle_of_rough_balls_hands_the_swing_on() {
    let (length, angle) = (1.0, 0.3_f64);
    let mut world = heavy();
    let rough = Material {
        static_friction: 0.1,
        kinetic_friction: 0.1,
        ..Material::default()
    };
    let rough = world.materials.add("rough", rough).unwrap();
    let ids: Vec<BodyId> = (0..5)
        .map(|k| {
            let hook = DVec2::new(0.1 * f64::from(k), 0.0);
            let out = if k == 0 { -angle } else { 0.0 };
            let place = hook + DVec2::new(out.sin(), -out.cos()) * length;
            let ball = Body::ball(0.05, 0.3, place, DVec2::ZERO).unwrap();
            let id = world.add(ball.made_of(rough)).unwrap();
            world
                .add_joint(Joint::distance(Anchor::world(hook), id))
                .unwrap();
            id
        })
        .collect();
    let period = TAU * (length / G).sqrt() / mean(1.0, (0.5 * angle).cos());
    let run = run(world, 1.0 / 240.0, 0.5 * period);
    check_budgets(&run);
    let heights: Vec<f64> = (ids.iter())
        .map(|&id| (run.state(id).position.y + length) / (1.0 - angle.cos()))
        .collect();
    // The last one is up, at its height but for the steps; the others have what rounding left of the row.
    assert!((heights[4] - 1.0).abs() < 1e-3, "{heights:?}");
    assert!(
        heights[..4].iter().all(|&height| height.abs() < 1e-3),
        "{heights:?}"
    );
}

/// Two boxes on a spring swing with `ω = √(k/μ)`, to second order; with a damper the swing decays by
/// `exp(−c t/(2μ))`, and the account of dampers has what is missing.
#[test]
fn boxes_on_a_spring_swing_with_their_reduced_mass() {
    let (a, b, k, c) = (0.4, 1.2, 30.0, 0.2);
    let reduced = a * b / (a + b);
    let off = |step: f64, damping: f64| {
        let mut world = World2::new();
        let square = |mass: f64, x: f64| {
            let shape = Shape::block(DVec2::new(0.1, 0.1)).unwrap();
            Body::free(shape).mass(mass).at(DVec2::new(x, 0.0))
        };
        let one = world.add(square(a, 0.0)).unwrap();
        let other = world.add(square(b, 1.0)).unwrap();
        let spring = Joint::spring(one, other, k).length(0.8).damping(damping);
        world.add_joint(spring).unwrap();
        let rate = 0.5 * damping / reduced;
        let period = TAU / (k / reduced - rate * rate).sqrt();
        let run = run(world, step, 0.75 * period);
        check_budgets(&run);
        // `0.2 e^(−rt) (cos ωt + (r/ω) sin ωt)`, with ωt = 3π/2.
        let left = -0.2 * (-0.75 * rate * period).exp() * rate * period / TAU;
        let apart = (run.state(other).position - run.state(one).position).x;
        let audit = run.audit();
        let lost = 0.5 * k * 0.04 - audit.now.total() - off_by_steps(&run);
        assert!((audit.losses.fields - lost).abs() < 1e-12, "{audit:?}");
        assert!((lost > 0.01) == (damping > 0.0), "{lost}");
        (apart - 0.8 - left).abs()
    };
    for damping in [0.0, c] {
        let [coarse, fine] = [1.0 / 240.0, 1.0 / 960.0].map(|step| off(step, damping));
        let order = (coarse / fine).log2() / 2.0;
        assert!(
            coarse < 1e-3 && (order - 2.0).abs() < 0.2,
            "{damping}: {order} {coarse:e}"
        );
    }
}

/// A rod from a shaken hook to a box: the hook's work is in the budget.
#[test]
fn a_shaken_hook_works_on_a_box() {
    let mut world = heavy();
    let shaken = Drive::Oscillation {
        amplitude: DVec2::new(0.1, 0.02),
        frequency: 0.8,
        phase: 0.0,
    };
    let hook = world
        .add(Body::kinematic(Shape::ball(0.02).unwrap(), shaken))
        .unwrap();
    let (sway, lift) = (0.1 * TAU * 0.8, 0.02 * TAU * 0.8);
    let hung = bar(1.0, 0.1)
        .at(DVec2::new(0.0, -1.0))
        .velocity(DVec2::new(sway, lift));
    let hung = world.add(hung).unwrap();
    world
        .add_joint(Joint::distance(hook, hung).colliding(false))
        .unwrap();
    let run = run(world, 1.0 / 240.0, 5.0);
    check_budgets(&run);
    let apart = run.state(hook).position - run.state(hung).position;
    assert!((apart.length() - 1.0).abs() < 1e-13);
    assert!(run.audit().work_by_kinematic.abs() > 0.1);
    assert!(off_by_steps(&run).abs() < 1e-3, "{:?}", run.audit());
}

/// A ball on a chain of links strikes a wall of boxes: knocked about, everything is accounted for, and what the joints
/// hold stays together.
fn wrecking_ball() -> (World2, Vec<BodyId>) {
    let mut world = heavy();
    let stuff = Material {
        restitution: 0.2,
        static_friction: 0.5,
        kinetic_friction: 0.5,
        ..Material::default()
    };
    let stuff = world.materials.add("stuff", stuff).unwrap();
    world
        .add(Body::fixed(Shape::floor()).material(stuff))
        .unwrap();
    let hook = DVec2::new(0.0, 3.0);
    let mut last = Anchor::world(hook);
    let level = Turn::by(-FRAC_PI_2);
    let mut chain = Vec::new();
    for k in 0..5 {
        let place = hook - DVec2::new(0.4 * (f64::from(k) + 0.5), 0.0);
        let link = bar(0.3, 0.2).at(place).rotated(level).material(stuff);
        let link = world.add(link).unwrap();
        let [start, end] = [0.2, -0.2].map(|y| Anchor::at(link, DVec2::new(0.0, y)));
        world.add_joint(Joint::hinge(last, start)).unwrap();
        last = end;
        chain.push(link);
    }
    let place = hook - DVec2::new(2.0 + 0.25, 0.0);
    let ball = Body::ball(0.25, 20.0, place, DVec2::ZERO)
        .unwrap()
        .made_of(stuff);
    let ball = world.add(ball).unwrap();
    let edge = Anchor::at(ball, DVec2::new(0.25, 0.0));
    world.add_joint(Joint::hinge(last, edge)).unwrap();
    chain.push(ball);
    for (row, height) in [0.15, 0.45, 0.75, 1.05, 1.35].into_iter().enumerate() {
        for column in 0..2 {
            let x = 0.5 + 0.3 * f64::from(column) + 0.02 * (row % 2) as f64;
            let block = Body::free(Shape::block(DVec2::splat(0.15)).unwrap()).mass(1.0);
            let block = block.at(DVec2::new(x, height)).material(stuff);
            world.add(block).unwrap();
        }
    }
    (world, chain)
}

#[test]
fn a_wrecking_ball_strikes_a_wall_of_boxes() {
    let (world, chain) = wrecking_ball();
    let settling = Settling::default();
    let mut whole = Exact::with(world.clone(), &settling).unwrap();
    whole.run_to(3.0).unwrap();
    assert!(whole.collisions() > 5);
    check_budgets(&whole);
    let audit = whole.audit();
    // A step that is cut ends on a chord, up to (ω τ)² L/8 = 1e-4 m beside the arc, and putting that right may leave a
    // part of it where something is struck at that instant.
    assert!(audit.deepest_overlap < 1e-5, "{audit:?}");
    let tip = |id: BodyId, arm: DVec2| {
        let state = whole.state(id);
        state.position + Space2::rotate(state.rotation, arm)
    };
    let mut before = DVec2::new(0.0, 3.0);
    for &link in &chain[..5] {
        let start = tip(link, DVec2::new(0.0, 0.2));
        assert!((start - before).length() < 1e-12, "{start:?} {before:?}");
        before = tip(link, DVec2::new(0.0, -0.2));
    }
    // In pieces, stored and restored it has the same bits.
    let mut piece = Exact::with(world, &settling).unwrap();
    piece.run_to(0.77).unwrap();
    piece.run_to(1.0).unwrap();
    let mut piece = Exact::restore(&piece.snapshot()).unwrap();
    piece.run_to(3.0).unwrap();
    assert_eq!(piece.digest(), whole.digest());
    assert_eq!(piece.audit(), whole.audit());
}

/// A figure of boxes and a ball on hinges, given a push, falls on the floor, where its trunk comes to lie: its joints
/// and its contacts hold each other.
#[test]
fn a_figure_on_hinges_falls_and_lies() {
    let mut world = World3::new();
    world.set_gravity(DVec3::new(0.0, 0.0, -G)).unwrap();
    let stuff = Material {
        restitution: 0.1,
        static_friction: 0.6,
        kinetic_friction: 0.6,
        rolling_resistance: 0.05,
        spinning_resistance: 0.05,
        ..Material::default()
    };
    let stuff = world.materials.add("stuff", stuff).unwrap();
    let floor = Shape::half_space(DVec3::Z).unwrap();
    world.add(Body::fixed(floor).material(stuff)).unwrap();
    let up = DVec3::new(0.0, 0.0, 1.0);
    let push = DVec3::new(0.1, 1.0, 0.0);
    let mut block = |half: DVec3, place: DVec3, mass: f64| {
        let it = Body::free(Shape::block(half).unwrap()).mass(mass);
        let it = it.at(place + up).velocity(push).material(stuff);
        world.add(it).unwrap()
    };
    let trunk = block(DVec3::new(0.12, 0.08, 0.25), DVec3::ZERO, 8.0);
    let mut limbs = Vec::new();
    for side in [-1.0, 1.0] {
        let arm = block(
            DVec3::new(0.2, 0.04, 0.04),
            DVec3::new(0.35 * side, 0.0, 0.2),
            1.0,
        );
        limbs.push((
            arm,
            DVec3::new(0.15 * side, 0.0, 0.2),
            DVec3::new(-0.2 * side, 0.0, 0.0),
        ));
        let leg = block(
            DVec3::new(0.05, 0.05, 0.25),
            DVec3::new(0.08 * side, 0.0, -0.55),
            2.0,
        );
        limbs.push((
            leg,
            DVec3::new(0.08 * side, 0.0, -0.3),
            DVec3::new(0.0, 0.0, 0.25),
        ));
    }
    for &(limb, at, own) in &limbs {
        let joint = Joint::hinge(Anchor::at(trunk, at), Anchor::at(limb, own));
        world.add_joint(joint).unwrap();
    }
    let head = Body::ball(0.1, 1.5, up + DVec3::new(0.0, 0.0, 0.37), push).unwrap();
    let head = world.add(head.made_of(stuff)).unwrap();
    let neck = (
        Anchor::at(trunk, DVec3::new(0.0, 0.0, 0.27)),
        Anchor::at(head, DVec3::new(0.0, 0.0, -0.1)),
    );
    world.add_joint(Joint::hinge(neck.0, neck.1)).unwrap();
    let run = run(world, 1.0 / 240.0, 4.0);
    check_budgets(&run);
    let audit = run.audit();
    assert!(audit.deepest_overlap < 1e-6, "{audit:?}");
    // An arm may still swing, for its hinge does not rub.
    let state = run.state(trunk);
    assert!(state.position.z < 0.3, "{state:?}");
    assert!(state.velocity.length() < 1e-3, "{state:?}");
}
