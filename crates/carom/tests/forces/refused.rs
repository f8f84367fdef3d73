//! What forces cannot do is refused by name, with numbers.

use super::worked_example;
use carom::material::ConstantsError;
use carom::material::{Constants, Law};
use carom::material::{MaterialId, Materials};
use carom::motion::{Field, Fields, ForceFunction};
use carom::prelude::*;
use carom::shape::{Block, Segment, Shape2};
use carom::simulate::Stepped;
use carom::simulate::{Ending, Incident, Scheme};
use carom::simulate::{ForcesError, SteppedError};

fn refusal(world: World2, forces: &Forces) -> ForcesError {
    let wrong = Stepped::new(world, forces).expect_err("it is refused");
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    wrong[0].clone()
}

fn with(change: impl FnOnce(&mut Materials, MaterialId)) -> World2 {
    let mut world = worked_example();
    let id = world.materials.find("rubber").unwrap();
    change(&mut world.materials, id);
    world
}

#[test]
fn constants_that_cannot_be() {
    let mut materials = Materials::default();
    let mut field = |constants: Constants| match materials
        .set_constants(Materials::DEFAULT, constants)
        .unwrap_err()
    {
        ConstantsError::Number { field, value, .. } => (field, value),
        other => panic!("{other}"),
    };
    assert_eq!(field(Constants::linear(0.0)), ("stiffness", 0.0));
    assert_eq!(field(Constants::linear(-5.0)), ("stiffness", -5.0));
    assert_eq!(field(Constants::linear(f64::NAN)).0, "stiffness");
    assert_eq!(
        field(Constants::spring_and_damper(1.0, -0.1)),
        ("damping", -0.1)
    );
    assert_eq!(field(Constants::lasting(0.0)), ("contact_time", 0.0));
    assert_eq!(field(Constants::hertz(-1.0, 0.3)), ("youngs_modulus", -1.0));
    assert_eq!(field(Constants::hertz(1e9, 0.7)), ("poissons_ratio", 0.7));
    let odd = Constants {
        tangential_damping: -1.0,
        ..Constants::linear(1.0)
    };
    assert_eq!(field(odd), ("tangential_damping", -1.0));
}

#[test]
fn damping_above_the_critical_one() {
    // 2√(100·0.0888…) = 5.963.
    let world = || {
        with(|materials, id| {
            let constants = Constants::spring_and_damper(200.0, 13.0);
            materials.set_constants(id, constants).unwrap();
        })
    };
    let error = refusal(world(), &Forces::default());
    let ForcesError::Pair { reason, .. } = error else {
        panic!("{error}");
    };
    let ConstantsError::Overdamped {
        damping, critical, ..
    } = *reason
    else {
        panic!("{reason}");
    };
    assert!((damping - 6.5).abs() < 1e-12 && (critical - 5.962847939999439).abs() < 1e-12);
    assert!(error_text(world(), &Forces::default()).contains("never ends"));
    // Cut off, it ends: ε from the closed form.
    let mut run = Stepped::new(world(), &Forces::stepping(1e-5).cut_off()).unwrap();
    let touch = super::touches_of(&mut run, 0.2)[0];
    let truth = run.couple(BodyId(0), BodyId(1)).unwrap().restitution();
    assert!(
        truth > 0.05 && (touch.restitution().unwrap() - truth).abs() < 1e-9,
        "{touch:?}"
    );
}

fn error_text(world: World2, forces: &Forces) -> String {
    refusal(world, forces).to_string()
}

#[test]
fn laws_of_impulses() {
    let with_material = |material: Material| {
        with(|materials, id| {
            let name = materials.name(id).to_owned();
            materials.add(&name, material).unwrap();
            materials
                .set_constants(id, Constants::linear(200.0))
                .unwrap();
        })
    };
    let said = |material: Material| error_text(with_material(material), &Forces::default());
    let plain = Material::default();
    assert!(
        said(Material {
            restitution: 1.2,
            ..plain
        })
        .contains("restitution is 1.2")
    );
    assert!(
        // With attraction there is a damper for it.
        error_text(
            with_material(Material {
                restitution: 0.0,
                ..plain
            }),
            &Forces::default().with_ending(Ending::CutOff)
        )
        .contains("restitution is 0")
    );
    assert!(
        said(Material {
            law: Law::Beta,
            ..plain
        })
        .contains("beta")
    );
    let rough = Material {
        static_friction: 0.3,
        kinetic_friction: 0.3,
        ..plain
    };
    assert!(
        said(Material {
            law: Law::Course,
            ..rough
        })
        .contains("course")
    );
    assert!(
        said(Material {
            law: Law::Newton,
            ..rough
        })
        .contains("newton")
    );
}

/// The contact time of the TC model is for impulses: by forces it changes nothing.
#[test]
fn the_contact_time_of_impulses_does_not_act() {
    let mut world = worked_example();
    world.set_contact_time(Some(1e-3)).unwrap();
    let digest = |world: World2| {
        let mut run = Simulation::with(world, Forces::default()).unwrap();
        run.run_until(2.0).unwrap();
        run.digest()
    };
    assert_eq!(digest(world), digest(worked_example()));
}

#[test]
fn a_material_without_constants() {
    let mut world = worked_example();
    let felt = world.materials.add("felt", Material::default()).unwrap();
    let ball = Body::ball(0.1, 1.0, DVec2::new(3.0, 0.0), DVec2::ZERO).unwrap();
    world.add(ball.named("cue").made_of(felt)).unwrap();
    let said = error_text(world.clone(), &Forces::default());
    assert!(said.contains("felt") && said.contains("cue"), "{said}");
    // Unless a run has some for it.
    let forces = Forces::default().with_fallback(Constants::linear(500.0));
    assert!(Stepped::new(world, &forces).is_ok());
    // What touches nobody needs none.
    let mut world = worked_example();
    let ball = Body::ball(0.1, 1.0, DVec2::new(3.0, 0.0), DVec2::ZERO).unwrap();
    world.add(ball.in_groups(2, 0)).unwrap();
    assert!(Stepped::new(world, &Forces::default()).is_ok());
}

#[test]
fn steps_that_are_too_large() {
    let error = refusal(worked_example(), &Forces::stepping(0.05));
    let ForcesError::StepTooLarge {
        step,
        largest,
        lasts,
        ..
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!(step, 0.05);
    assert!((lasts - 0.094225702645802574).abs() < 1e-12, "{lasts}");
    // The largest is taken.
    assert!(largest > 0.01 && largest < 0.05);
    assert!(Stepped::new(worked_example(), &Forces::stepping(largest)).is_ok());
    for step in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = refusal(worked_example(), &Forces::stepping(step));
        assert!(matches!(error, ForcesError::Step { .. }), "{error}");
    }
    let error = refusal(
        worked_example(),
        &Forces::default().by(Scheme::Verlet).locating(true),
    );
    assert!(error.to_string().contains("verlet"), "{error}");
    let mut alone = World2::new();
    alone
        .add(Body::ball(1.0, 1.0, DVec2::ZERO, DVec2::X).unwrap())
        .unwrap();
    // A ball alone touches nobody: all that is missing is a step.
    assert_eq!(refusal(alone, &Forces::default()), ForcesError::NoStep);
}

/// Springs by default: a ball that falls on a floor from h strikes it with √(2 g h), and sinks in by at most a fiftieth
/// of its radius; its restitution is its material's. The contact time is π δ/v with that δ and the speed of a fall
/// through the extent of the world, which has the ball's size beside h.
#[test]
fn springs_by_default_are_stiff_enough() {
    for (radius, height, gravity) in [(0.1, 2.0, 9.81), (1e-3, 0.5, 9.81), (10.0, 40.0, 1.6)] {
        let mut world = World2::new();
        let rubber = Material {
            restitution: 0.8,
            ..Material::default()
        };
        let rubber = world.materials.add("rubber", rubber).unwrap();
        world.set_gravity(DVec2::new(0.0, -gravity)).unwrap();
        let floor = Body::fixed(Shape::floor()).material(rubber);
        world.add(floor).unwrap();
        let place = DVec2::new(0.0, height + radius);
        let ball = Body::ball(radius, 2.0, place, DVec2::ZERO).unwrap();
        let ball = world.add(ball.made_of(rubber)).unwrap();

        let time = Forces::default_contact_time(&world);
        let fastest = (2.0 * gravity * height).sqrt();
        let expected = std::f64::consts::PI * 0.02 * radius / fastest;
        assert!(
            time <= expected && time > 0.6 * expected,
            "{time}, {expected}"
        );
        let forces = Forces::default().with_default_springs(&world);
        let mut run = Simulation::with(world, forces).unwrap();
        let first = (2.0 * height / gravity).sqrt();
        let mut found = None;
        run.run_with_contacts(1.5 * first, |incident| {
            if let Incident::Ended(touch) = incident {
                found = Some((touch.deepest, touch.restitution()));
            }
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
        let (deepest, restitution) = found.unwrap();
        assert!(
            deepest < 0.02 * radius && deepest > 0.008 * radius,
            "{deepest}"
        );
        // Gravity acts during the contact as well: g t_c of some m/s.
        assert!((restitution.unwrap() - 0.8).abs() < 4.0 * gravity * time / fastest);
        assert!(run.state(ball).velocity.y > 0.0);
    }
}

/// Given constants are kept; where all bodies have some, nothing is added.
#[test]
fn springs_by_default_are_for_those_that_have_none() {
    let forces = Forces::default().with_default_springs(&worked_example());
    assert_eq!(forces.fallback, None);
    let given = Forces::default().with_fallback(Constants::linear(500.0));
    assert_eq!(given.with_default_springs(&World2::new()), given);
    let mut world = worked_example();
    let ball = Body::ball(0.1, 1.0, DVec2::new(3.0, 0.0), DVec2::ZERO).unwrap();
    world.add(ball).unwrap();
    let forces = Forces::default().with_default_springs(&world);
    assert!(forces.fallback.is_some());
    assert!(Stepped::new(world, &forces).is_ok());
}

/// A run that blows up names the first body at fault, and keeps what it had.
#[test]
fn a_run_that_blows_up() {
    let mut world = worked_example();
    let push = ForceFunction::force("runaway", |at| {
        if at.time > 0.05 {
            at.velocity * 1e308
        } else {
            DVec2::ZERO
        }
    });
    world
        .set_fields(Fields::default().with(Field::Force(push)))
        .unwrap();
    let mut run = Stepped::new(world, &Forces::stepping(1e-4)).unwrap();
    let error = run.run_to(1.0).unwrap_err();
    let SteppedError::NotFinite { time, body } = &error else {
        panic!("{error}");
    };
    assert!((time - 0.05).abs() < 2e-4 && body == "body 0", "{error}");
    let state = run.state(BodyId(0));
    assert!(state.position.is_finite() && state.velocity.length() < 0.2);
    assert!((run.time() - time).abs() < 1e-12);
    // It stays stopped.
    assert_eq!(run.run_to(1.0).unwrap_err(), error);
}

/// A spring that is too soft for the speed is no wall.
#[test]
fn a_ball_that_goes_in_too_deep() {
    let mut world = World2::new();
    (world
        .materials
        .set_constants(Materials::DEFAULT, Constants::linear(100.0)))
    .unwrap();
    let wall = Shape::own(Shape2::Segment(
        Segment::new(DVec2::new(1.0, -1.0), DVec2::new(1.0, 1.0)).unwrap(),
    ));
    world.add(Body::fixed(wall).named("wall")).unwrap();
    let ball = Body::ball(0.05, 1.0, DVec2::ZERO, DVec2::new(50.0, 0.0)).unwrap();
    world.add(ball.named("bullet")).unwrap();
    let mut run = Stepped::new(world, &Forces::stepping(1e-4)).unwrap();
    let error = run.run_to(1.0).unwrap_err();
    let said = error.to_string();
    assert!(
        said.contains("bullet") && said.contains("wall") && said.contains("0.05 m"),
        "{said}"
    );
    // Its centre gets there at 0.02 s.
    assert!(run.time() < 0.021);
}

/// Times that cannot be run to.
#[test]
fn times_in_the_past() {
    let mut run = Stepped::new(worked_example(), &Forces::default()).unwrap();
    run.run_to(0.01).unwrap();
    for until in [0.005, f64::NAN, f64::INFINITY] {
        assert!(matches!(run.run_to(until), Err(SteppedError::Until { .. })));
    }
}

/// A polygon fell on the corner of a box and sank in by nearly half of its thickness: halfway the nearest face became
/// another, the force jumped, and the springs gave back 5 % more than they had taken, whatever the step. The run stops
/// before that. With springs four times as stiff it sinks in by 0.47 of half the thickness, and the budget closes.
#[test]
fn who_sinks_in_too_deep_stops_before_the_nearest_face_is_another() {
    let fallen = |stiffness: f64| {
        let mut world = World2::new();
        let stuff = world.materials.add("stuff", Material::default()).unwrap();
        let springs = Constants::linear(stiffness);
        world.materials.set_constants(stuff, springs).unwrap();
        world.set_gravity(DVec2::new(0.0, -10.0)).unwrap();
        let post = Shape::Block(Block::new(DVec2::new(0.05, 0.05)).unwrap());
        let pose = Pose {
            position: DVec2::new(-0.73, -0.6),
            rotation: Turn::by(2.6),
        };
        let post = Body::fixed(post).pose(pose).made_of(stuff);
        world.add(post.named("post")).unwrap();
        let corners = [
            [0.1, 0.06],
            [0.03, 0.1],
            [-0.1, 0.09],
            [-0.2, 0.02],
            [-0.1, -0.1],
            [0.03, -0.1],
            [0.1, -0.07],
        ];
        let shape = Shape::polygon(&corners.map(DVec2::from_array)).unwrap();
        let pose = Pose {
            position: DVec2::new(-0.67, -0.04),
            rotation: Turn::by(0.8),
        };
        let polygon = Body::free(shape).mass(3.6).pose(pose).material(stuff);
        world.add(polygon.named("polygon")).unwrap();
        let mut run = Stepped::new(world, &Forces::default()).unwrap();
        run.run_to(0.45).map(|_| run.audit())
    };
    let error = fallen(4e4).unwrap_err().to_string();
    assert!(
        error.contains("polygon is") && error.contains("deep in post"),
        "{error}"
    );
    let audit = fallen(1.6e5).unwrap();
    assert_eq!(audit.touches, 1);
    assert!(audit.deepest_overlap > 0.02, "{audit:?}");
    // (ω dt)⁴ = (π/50)⁴ of 10 J.
    assert!(audit.energy_residual.abs() < 2e-4, "{audit:?}");
}
