//! External forces and torques on single bodies, by both methods.

use carom::material::Constants;
use carom::motion::{Drag, Field, Fields, Integrator, Load, Tolerance};
use carom::prelude::*;
use carom::simulate::{Compiled, Exact, Method};
use carom::space::Space3;

/// A world with a floor at the height 0, gravity of 10 m/s², and a material of its own.
fn on_a_floor(material: Material) -> (World3, carom::material::MaterialId) {
    let mut world = World3::new();
    world.set_gravity(DVec3::new(0.0, 0.0, -10.0)).unwrap();
    world.set_integrator(precise()).unwrap();
    let material = world.materials.add("stuff", material).unwrap();
    let springs = Constants::spring_and_damper(1e6, 2e3);
    world.materials.set_constants(material, springs).unwrap();
    let floor = Shape::half_space(DVec3::Z).unwrap();
    world.add(Body::fixed(floor).material(material)).unwrap();
    (world, material)
}

fn rubbing(friction: f64) -> Material {
    Material {
        restitution: 0.0,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    }
}

/// Energy, momentum and angular momentum are accounted for within a share of what went through the books.
#[track_caller]
fn balanced<S: Compiled>(run: &Simulation<S>, within: f64) {
    let audit = run.audit();
    let energy = 1.0 + audit.now.total().abs() + audit.external_work.abs();
    assert!(audit.energy_residual.abs() <= within * energy, "{audit:#?}");
    let length = |vector: S::Vector| carom::space::Linear::length(vector);
    let momentum = 1.0 + length(audit.momentum) + length(audit.momentum_from_external);
    assert!(
        length(audit.momentum_residual) <= within * momentum,
        "{audit:#?}"
    );
    let angular = audit.angular_momentum.unwrap();
    let size = |angular: S::Angular| carom::space::Linear::length(angular);
    let most = 1.0 + size(angular.now) + size(angular.from_external) + size(angular.from_gravity);
    assert!(size(angular.residual) <= within * most, "{audit:#?}");
}

/// Steps of a millisecond, of which Runge and Kutta's error is some 1e-12; bodies that nobody gave springs have some.
fn by_forces() -> Method {
    let springs = Constants::spring_and_damper(1e5, 10.0);
    Forces::stepping(1e-3).with_fallback(springs).into()
}

/// Each segment within 1e-12 of metres and metres a second.
fn precise() -> Integrator {
    Integrator::Adaptive(Tolerance::of(1e-12))
}

fn ball(mass: f64) -> carom::body::FreeBody<Space3> {
    Body::free(Shape::ball(0.5).unwrap()).mass(mass)
}

/// Parabolas, to rounding: of a few products of numbers below 50.
#[test]
fn a_constant_force_gives_a_parabola() {
    let mut world = World3::new();
    world.set_gravity(DVec3::new(0.0, 0.0, -8.0)).unwrap();
    let pushed = world
        .add(ball(2.0).force(DVec3::new(3.0, 0.0, 16.0)))
        .unwrap();
    let beside = world.add(ball(2.0).at(DVec3::new(0.0, 9.0, 0.0))).unwrap();
    let mut run = Simulation::new(world.clone()).unwrap();
    run.run_until(3.0).unwrap();
    assert_eq!(run.state(pushed).position, DVec3::new(6.75, 0.0, 0.0));
    assert_eq!(run.state(pushed).velocity, DVec3::new(4.5, 0.0, 0.0));
    assert_eq!(run.state(beside).position, DVec3::new(0.0, 9.0, -36.0));
    let audit = run.audit();
    assert!((audit.external_work - 3.0 * 6.75).abs() < 1e-12);
    assert!((audit.momentum_from_external - DVec3::new(9.0, 0.0, 48.0)).length() < 1e-13);
    balanced(&run, 1e-14);
    // By Runge and Kutta a parabola has no error of the scheme either.
    let mut stepped = Simulation::with(world, by_forces()).unwrap();
    stepped.run_until(3.0).unwrap();
    assert!((stepped.state(pushed).position.x - 6.75).abs() < 1e-11);
    balanced(&stepped, 1e-12);
}

/// ω = T t/I, and the work of the torque is all there is.
#[test]
fn a_torque_spins_a_ball_up() {
    let mut world = World2::new();
    let disc = Body::free(Shape::ball(0.5).unwrap()).mass(8.0).torque(3.0);
    let disc = world.add(disc).unwrap(); // I = ½ m r² = 1
    for method in [Method::default(), by_forces()] {
        let mut run = Simulation::with(world.clone(), method).unwrap();
        run.run_until(2.0).unwrap();
        let state = run.state(disc);
        assert!((state.angular_velocity - 6.0).abs() < 1e-12, "{state:?}");
        assert_eq!(state.position, DVec2::ZERO);
        assert!((run.audit().external_work - 18.0).abs() < 1e-11);
        assert!((run.audit().angular_momentum.unwrap().from_external - 6.0).abs() < 1e-12);
        balanced(&run, 1e-12);
    }
}

/// m x″ = F sin ωt from rest: x = (F/mω²)(ωt − sin ωt). The integrator keeps each of some dozen segments within 1e-12
/// of metres and metres a second; Runge and Kutta's steps leave more.
#[test]
fn a_sinusoidal_force_gives_the_closed_form() {
    let mut world = World2::new();
    world.set_integrator(precise()).unwrap();
    let load = Load::default().with_force_of_time(DVec2::Y, "6*sin(3*t)".parse().unwrap());
    let disc = Body::free(Shape::ball(0.5).unwrap()).mass(2.0).load(load);
    let disc = world.add(disc).unwrap();
    let exact = |t: f64| (3.0 * t - (3.0 * t).sin()) / 3.0;
    let speed = |t: f64| 1.0 - (3.0 * t).cos();
    for (method, within) in [(Method::default(), 1e-10), (by_forces(), 1e-9)] {
        let mut run = Simulation::with(world.clone(), method).unwrap();
        for t in [0.3, 1.0, 5.0] {
            run.run_until(t).unwrap();
            let state = run.state(disc);
            let off = (state.position.y - exact(t)).abs() + (state.velocity.y - speed(t)).abs();
            assert!(off < within, "{t}: {off:e}");
            balanced(&run, within);
        }
    }
}

/// A box of 10 kg, pushed with 150 N over a floor with friction 0.4: a = F/m − μ g = 11 m/s². The springs swing for the
/// first hundredths of a second, which is all that can be between the two.
#[test]
fn a_box_is_pushed_over_a_floor() {
    let (mut world, stuff) = on_a_floor(rubbing(0.4));
    let block = Shape::block(DVec3::new(0.5, 0.5, 0.25)).unwrap();
    let pushed = Body::free(block).mass(10.0).material(stuff);
    let pushed = pushed.at(DVec3::new(0.0, 0.0, 0.25));
    let pushed = world
        .add(pushed.force(DVec3::new(150.0, 0.0, 0.0)))
        .unwrap();
    let mut run = Simulation::with(world, Forces::default()).unwrap();
    run.run_until(1.0).unwrap();
    let before = run.state(pushed).velocity;
    run.run_until(2.0).unwrap();
    let gained = run.state(pushed).velocity - before;
    assert!((gained.x - 11.0).abs() < 1e-3, "{gained}");
    assert!(gained.y.abs() < 1e-6 && gained.z.abs() < 1e-3);
    balanced(&run, 1e-4);
}

/// A ball on a floor rolls with (5/7) F/m while (2/7) F ≤ μ m g, and slips with F/m − μ g beyond. Integrated with
/// a tolerance of 1e-12 a segment, over 24 m.
#[test]
fn a_pushed_ball_rolls_or_slips() {
    for (force, acceleration) in [(7.0, 2.5), (28.0, 12.0)] {
        let (mut world, stuff) = on_a_floor(rubbing(0.2));
        let pushed = ball(2.0).at(DVec3::new(0.0, 0.0, 0.5)).material(stuff);
        let pushed = world
            .add(pushed.force(DVec3::new(force, 0.0, 0.0)))
            .unwrap();
        let mut run = Simulation::new(world).unwrap();
        run.run_until(2.0).unwrap();
        let state = run.state(pushed);
        assert!(
            (state.velocity.x - 2.0 * acceleration).abs() < 1e-9,
            "{state:?}"
        );
        assert!(
            (state.position.x - 2.0 * acceleration).abs() < 1e-9,
            "{state:?}"
        );
        balanced(&run, 1e-9);
    }
}

/// A force upwards that grows as k t lifts a ball that lies when it has its weight, at m g/k; from then on
/// z = (k/m) τ³/6. The instant is found to rounding, the flight within the tolerance of 1e-12.
#[test]
fn a_growing_force_lifts_a_ball_when_it_has_its_weight() {
    let (mut world, stuff) = on_a_floor(rubbing(0.2));
    let grows = Load::default().with_force_of_time(DVec3::Z, "8*t".parse().unwrap());
    let lifted = ball(2.0).at(DVec3::new(0.0, 0.0, 0.5)).material(stuff);
    let lifted = world.add(lifted.load(grows)).unwrap();
    let mut run = Simulation::new(world).unwrap();
    run.run_until(2.5).unwrap();
    assert_eq!(run.state(lifted).position, DVec3::new(0.0, 0.0, 0.5));
    assert!(!run.is_at_rest(), "it will not lie for ever");
    run.run_until(4.0).unwrap();
    let off = run.state(lifted).position.z - (0.5 + 4.0 * 1.5 * 1.5 * 1.5 / 6.0);
    assert!(off.abs() < 1e-9, "{off:e}");
    balanced(&run, 1e-9);
}

/// A force that is switched off jumps at a known instant: nothing is left of it a moment later.
#[test]
fn a_force_ends_at_its_instant() {
    let mut world = World2::new();
    let load =
        Load::default().with_force_of_time(DVec2::X, "4*(1 - step(t - 1.5))".parse().unwrap());
    let disc = Body::free(Shape::ball(0.5).unwrap()).mass(2.0).load(load);
    let disc = world.add(disc).unwrap();
    for method in [Method::default(), by_forces()] {
        let mut run = Simulation::with(world.clone(), method).unwrap();
        run.run_until(2.0).unwrap();
        let off = run.state(disc).velocity - DVec2::new(3.0, 0.0);
        assert!(off.length() < 1e-11, "{off}");
    }
}

/// Two discs pushed against each other and walls, one of them by a sine.
fn jostling() -> World2 {
    let mut world = World2::new();
    let lively = Material {
        restitution: 0.8,
        ..rubbing(0.3)
    };
    let lively = world.materials.add("lively", lively).unwrap();
    let springs = Constants::spring_and_damper(1e5, 10.0);
    world.materials.set_constants(lively, springs).unwrap();
    for (normal, x) in [(DVec2::X, -3.0), (-DVec2::X, 3.0)] {
        let wall = Body::fixed(Shape::half_space(normal).unwrap()).at(DVec2::new(x, 0.0));
        world.add(wall.material(lively)).unwrap();
    }
    let disc = || {
        Body::free(Shape::ball(0.5).unwrap())
            .mass(2.0)
            .material(lively)
    };
    world
        .add(
            disc()
                .at(DVec2::new(-1.0, 0.1))
                .force(DVec2::new(5.0, 0.0))
                .torque(0.3),
        )
        .unwrap();
    let sine = Load::default().with_force_of_time(DVec2::X, "-9*sin(2*t)".parse().unwrap());
    world
        .add(disc().at(DVec2::new(1.0, 0.0)).load(sine))
        .unwrap();
    world
        .add(
            disc()
                .at(DVec2::new(0.5, 5.0))
                .velocity(DVec2::new(1.0, -1.0)),
        )
        .unwrap();
    world
}

/// In pieces, from snapshots, and by the reference that looks at all pairs: the same bits.
#[test]
fn the_same_bits_in_pieces_and_from_snapshots() {
    for method in [Method::default(), by_forces()] {
        let mut whole = Simulation::with(jostling(), method).unwrap();
        whole.run_until(6.0).unwrap();
        assert!(whole.collisions() >= 3, "{}", whole.collisions());
        let within = if whole.is_by_forces() { 1e-4 } else { 1e-9 };
        balanced(&whole, within);
        let mut pieces = Simulation::with(jostling(), method).unwrap();
        for number in 1..=12 {
            pieces.run_until(0.5 * f64::from(number)).unwrap();
            let bytes = pieces.snapshot();
            pieces = Simulation::restore(&bytes).unwrap();
        }
        assert_eq!(pieces.digest(), whole.digest());
    }
    let mut reference = Exact::reference(jostling()).unwrap();
    reference.run_to(6.0).unwrap();
    let mut quick = Exact::new(jostling()).unwrap();
    quick.run_to(6.0).unwrap();
    assert_eq!(reference.digest(), quick.digest());
}

/// A world made of a run goes on with the formulas where they are.
#[test]
fn a_world_made_of_a_run_goes_on() {
    for method in [Method::default(), by_forces()] {
        let mut world = World2::new();
        let load = Load::default().with_force_of_time(DVec2::Y, "6*sin(3*t)".parse().unwrap());
        let disc = Body::free(Shape::ball(0.5).unwrap()).mass(2.0).load(load);
        let disc = world.add(disc).unwrap();
        let mut run = Simulation::with(world, method).unwrap();
        run.run_until(0.7).unwrap();
        let mut next = Simulation::with(run.to_world(), method).unwrap();
        next.run_until(1.3).unwrap();
        run.run_until(2.0).unwrap();
        let off = next.state(disc).position - run.state(disc).position;
        assert!(off.length() < 1e-7, "{off}");
    }
}

/// Changes while a run goes on: the work of each stretch is in the books.
#[test]
fn forces_come_and_go() {
    for method in [Method::default(), by_forces()] {
        let mut world = World2::new();
        let disc = Body::free(Shape::ball(0.5).unwrap()).mass(2.0);
        let first = world.add(disc.clone()).unwrap();
        let mut run = Simulation::with(world, method).unwrap();
        run.run_until(1.0).unwrap();
        run.set_load(
            first,
            Some(
                Load::default()
                    .with_force(DVec2::new(6.0, 0.0))
                    .with_torque(0.5),
            ),
        )
        .unwrap();
        let pushed = disc.at(DVec2::new(0.0, 5.0)).force(DVec2::new(0.0, 2.0));
        let second = run.insert(pushed).unwrap();
        run.run_until(2.0).unwrap();
        run.set_load(first, None).unwrap();
        run.run_until(3.0).unwrap();
        let state = run.state(first);
        assert!((state.velocity - DVec2::new(3.0, 0.0)).length() < 1e-11);
        assert!((state.position - DVec2::new(4.5, 0.0)).length() < 1e-11);
        assert!((state.angular_velocity - 2.0).abs() < 1e-11);
        assert!((run.state(second).position - DVec2::new(0.0, 7.0)).length() < 1e-11);
        assert_eq!(
            run.body(second).unwrap().load.unwrap().force_at(0.0),
            DVec2::new(0.0, 2.0)
        );
        balanced(&run, 1e-11);
        run.remove(second).unwrap();
        run.run_until(4.0).unwrap();
        balanced(&run, 1e-11);
    }
}

/// What cannot be is refused, and a formula without a value ends the run with its name.
#[test]
fn loads_that_cannot_be_are_refused() {
    let floor = |load: Load<Space3>| Body {
        load: Some(Box::new(load)),
        ..Body::fixed(Shape::half_space(DVec3::Z).unwrap())
    };
    let push = Load::default().with_force(DVec3::X);
    let error = World3::new()
        .add(floor(push.clone()))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("absent where the body is not free"),
        "{error}"
    );
    let error = World3::new()
        .add(ball(1.0).force(DVec3::X * f64::NAN))
        .unwrap_err()
        .to_string();
    assert!(error.contains("finite"), "{error}");

    let mut world = World3::new();
    world.add(ball(1.0).load(push.clone())).unwrap();
    world
        .set_integrator(Integrator::ExplicitEuler { step: 0.01 })
        .unwrap();
    let error = Simulation::new(world).unwrap_err().to_string();
    assert!(
        error.contains("absent where flights are made by explicit Euler"),
        "{error}"
    );

    for method in [Method::default(), by_forces()] {
        let mut world = World3::new();
        let load = Load::default().with_force_of_time(DVec3::X, "sqrt(1 - t)".parse().unwrap());
        world.add(ball(1.0).load(load).named("rocket")).unwrap();
        let mut run = Simulation::with(world, method).unwrap();
        let error = run.run_until(2.0).unwrap_err().to_string();
        assert!(error.contains("rocket"), "{error}");
    }
}

/// A ball that was put into a run flew on as in a vacuum until something happened to it: its first flight was not made
/// by the integrator. Linear drag: v = v₀ exp(−k t/m).
#[test]
fn bug_a_ball_that_is_put_in_feels_the_fields_at_once() {
    let drag = Drag::Given {
        linear: 1.0,
        quadratic: 0.0,
    };
    let mut world = World2::new();
    world
        .set_fields(Fields::uniform(DVec2::ZERO).with(Field::Drag(drag)))
        .unwrap();
    let disc = || Body::free(Shape::ball(0.5).unwrap()).mass(2.0);
    world.add(disc()).unwrap();
    let mut run = Simulation::new(world).unwrap();
    run.run_until(1.0).unwrap();
    let thrown = disc().at(DVec2::new(0.0, 5.0)).velocity(DVec2::X);
    let thrown = run.insert(thrown).unwrap();
    run.run_until(2.0).unwrap();
    let off = run.state(thrown).velocity.x - (-0.5f64).exp();
    assert!(off.abs() < 1e-8, "{off:e}");
    balanced(&run, 1e-8);
}
