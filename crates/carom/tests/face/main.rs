//! The one face: whatever is simulated, by either method.

mod bodies;
mod ends;
mod later;
mod loads;
mod stall;

use carom::material::Constants;
use carom::prelude::*;
use carom::simulate::{Action, Settling};
use carom::simulate::{Exact, Stepped};
use carom::snapshot::SnapshotError;

fn rubber(world: &mut World2, rolling_resistance: f64) -> carom::material::MaterialId {
    let rubber = Material {
        restitution: 0.6,
        static_friction: 0.3,
        kinetic_friction: 0.3,
        rolling_resistance,
        ..Material::default()
    };
    let rubber = world.materials.add("rubber", rubber).unwrap();
    let springs = Constants::spring_and_damper(2e4, 20.0);
    world.materials.set_constants(rubber, springs).unwrap();
    rubber
}

/// Three balls over a floor, and a sensor between.
pub fn balls() -> World2 {
    balls_with(true)
}

fn balls_with(all: bool) -> World2 {
    let mut world = World2::new();
    let rubber = rubber(&mut world, if all { 0.05 } else { 0.0 });
    world.set_gravity(DVec2::new(0.0, -9.81)).unwrap();
    let floor = Shape::half_space(DVec2::Y).unwrap();
    let floor = Body::fixed(floor).made_of(rubber);
    world.add(floor.named("floor")).unwrap();
    let gate = Shape::block(DVec2::new(0.2, 0.1)).unwrap();
    let gate = Body::fixed(gate).at(DVec2::new(0.0, 1.0));
    if all {
        world.add(gate.sensing().named("gate")).unwrap();
    }
    for (number, x) in [0.0, 0.7, 1.4].into_iter().enumerate() {
        let place = DVec2::new(x, 2.0 + 0.3 * number as f64);
        let ball = Body::ball(0.1, 0.5, place, DVec2::new(0.5 - x, 0.0)).unwrap();
        let ball = ball.made_of(rubber).named(&format!("ball {number}"));
        world.add(ball).unwrap();
    }
    world
}

/// The same with a box.
pub fn boxes() -> World2 {
    with_box(balls())
}

/// By forces there are no sensors beside rigid bodies yet, nor rolling resistance, nor changes.
pub fn boxes_by_forces() -> World2 {
    with_box(balls_with(false))
}

/// What that is called.
pub const BOXES_BY_FORCES: &str = "boxes by forces";

fn with_box(mut world: World2) -> World2 {
    let rubber = world.materials.find("rubber").unwrap();
    let pose = Pose {
        position: DVec2::new(-1.0, 1.5),
        rotation: Turn::by(0.4),
    };
    let shape = Shape::block(DVec2::new(0.3, 0.2)).unwrap();
    let body = Body::solid(shape, 1.0, pose, DVec2::new(0.3, 0.0), 0.5).unwrap();
    world.add(body.made_of(rubber).named("box")).unwrap();
    world
}

/// One simulation for each inside, with what it is called.
pub fn all() -> [(&'static str, Simulation2); 4] {
    let forces = Forces::stepping(2e-4);
    [
        ("balls by impulses", Simulation::new(balls()).unwrap()),
        ("boxes by impulses", Simulation::new(boxes()).unwrap()),
        (
            "balls by forces",
            Simulation::with(balls(), forces).unwrap(),
        ),
        (
            BOXES_BY_FORCES,
            Simulation::with(boxes_by_forces(), forces).unwrap(),
        ),
    ]
}

#[test]
fn the_face_has_the_bits_of_what_is_inside() {
    let forces = Forces::stepping(2e-4);
    let mut exact = Exact::new(balls()).unwrap();
    exact.run_to(2.0).unwrap();
    let mut rigid = Exact::with(boxes(), &Settling::default()).unwrap();
    rigid.run_to(2.0).unwrap();
    let mut stepped =
        [balls(), boxes_by_forces()].map(|world| Stepped::new(world, &forces).unwrap());
    stepped.iter_mut().for_each(|run| {
        run.run_to(2.0).unwrap();
    });
    let [one, other] = stepped;
    let expected = [
        (exact.digest(), exact.collisions(), exact.snapshot()),
        (rigid.digest(), rigid.collisions(), rigid.snapshot()),
        (one.digest(), one.touches(), one.snapshot()),
        (other.digest(), other.touches(), other.snapshot()),
    ];
    for ((name, mut simulation), expected) in all().into_iter().zip(expected) {
        assert_eq!(simulation.run_until(2.0), Ok(End::Time), "{name}");
        assert_eq!(simulation.time(), 2.0);
        let found = (simulation.digest(), simulation.collisions());
        assert_eq!(found, (expected.0, expected.1), "{name}");
        assert!(simulation.snapshot() == expected.2, "{name}");
        assert!(simulation.collisions() > 5, "{name}");
    }
}

#[test]
fn in_three_dimensions_too() {
    let mut world = World3::new();
    for x in [0.0, 3.0] {
        let ball = Body::ball(
            0.5,
            1.0,
            DVec3::new(x, 0.0, 0.0),
            DVec3::new(1.0 - x, 0.0, 0.0),
        );
        world.add(ball.unwrap()).unwrap();
    }
    let mut exact = Exact::new(world.clone()).unwrap();
    exact.run_to(5.0).unwrap();
    let mut simulation: Simulation3 = Simulation::new(world).unwrap();
    simulation.run_until(5.0).unwrap();
    assert_eq!(simulation.digest(), exact.digest());
}

#[test]
fn a_snapshot_says_what_it_is_of() {
    for (name, mut whole) in all() {
        whole.run_until(0.9).unwrap();
        let mut restored = Simulation2::restore(&whole.snapshot()).unwrap();
        let what = |run: &Simulation2| (run.is_by_forces(), run.has_rigid_bodies());
        assert_eq!(what(&restored), what(&whole), "{name}");
        assert_eq!(restored.method(), whole.method(), "{name}");
        let mut copy = whole.clone();
        for run in [&mut whole, &mut restored, &mut copy] {
            run.run_until(2.0).unwrap();
        }
        assert_eq!(restored.digest(), whole.digest(), "{name}");
        assert_eq!(copy.digest(), whole.digest(), "{name}");
    }
}

#[test]
fn what_is_no_snapshot_is_refused_with_the_reason() {
    let bytes = Simulation::new(balls()).unwrap().snapshot();
    let refused = |bytes: &[u8]| match Simulation2::restore(bytes) {
        Err(SimulationError::Snapshot(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(b"something else"), SnapshotError::Foreign);
    assert!(matches!(
        refused(&bytes[..40]),
        SnapshotError::CutOff { .. }
    ));
    let mut damaged = bytes.clone();
    // Where the kind of run is said.
    damaged[21] = 0xf0;
    assert_eq!(refused(&damaged), SnapshotError::Damaged);
    assert!(matches!(
        Simulation3::restore(&bytes),
        Err(SimulationError::Snapshot(SnapshotError::Dimension { .. }))
    ));
}

/// Every complaint is held, and printed.
#[test]
fn errors_print_all_complaints() {
    let mut world = World2::new();
    for x in [0.0, 0.7, 1.4] {
        let ball = Body::ball(0.5, 1.0, DVec2::new(x, 0.0), DVec2::ZERO).unwrap();
        world.add(ball.named(&format!("at {x}"))).unwrap();
    }
    let error = Simulation::new(world.clone()).unwrap_err();
    let SimulationError::World(wrong) = &error else {
        panic!("{error:?}");
    };
    assert_eq!(wrong.len(), 2);
    let text = error.to_string();
    assert!(text.starts_with("2 complaints:\n  1. "), "{text}");
    for (number, complaint) in wrong.iter().enumerate() {
        let line = format!("\n  {}. {complaint}", number + 1);
        assert!(text.contains(&line), "{text}");
    }
    // By forces overlaps are allowed, but springs are needed.
    let error = Simulation::with(world, Forces::default()).unwrap_err();
    assert!(matches!(error, SimulationError::Forces(_)), "{error:?}");
    assert!(error.to_string().contains("stiffness"), "{error}");
    // Options are checked whether they are needed or not.
    let settling = Settling::default().with_step(-1.0);
    for world in [balls(), boxes()] {
        let error = Simulation::with(world, settling).unwrap_err();
        assert!(error.to_string().contains("settling step"), "{error}");
    }
}

/// `?` takes every error of the face, and those that existed before it.
#[test]
fn one_error_for_all() -> Result<(), SimulationError> {
    let mut simulation = Simulation::new(balls())?;
    simulation.run_until(0.1)?;
    simulation.set_gravity(DVec2::ZERO)?;
    simulation.at(0.2, Action::score("points", 1))?;
    simulation.query().nearest(DVec2::ZERO, 1)?;
    let mut inside = Exact::new(balls())?;
    inside.run_to(0.1)?;
    inside.set_gravity(DVec2::ZERO)?;
    let mut stepped = Stepped::new(balls(), &Forces::default())?;
    stepped.run_to(0.01)?;
    let _ = Exact::<Space2>::restore(&Exact::with(boxes(), &Settling::default())?.snapshot())?;
    let error: Box<dyn std::error::Error> = Box::new(simulation.run_until(0.0).unwrap_err());
    assert_eq!(
        error.to_string(),
        "cannot run until 0 s: the clock stands at 0.1 s"
    );
    Ok(())
}

#[test]
fn what_only_one_method_can_is_said_by_the_other() {
    for (name, mut simulation) in all() {
        let by_forces = simulation.is_by_forces();
        simulation.run_until(0.7).unwrap();
        assert_eq!(simulation.stepping().is_some(), by_forces, "{name}");
        assert_eq!(simulation.force_audit().is_some(), by_forces, "{name}");
        let mut told = 0;
        let contacts = simulation.run_with_contacts(1.5, |_| {
            told += 1;
            std::ops::ControlFlow::Continue(())
        });
        let couple = simulation.couple(BodyId(2), BodyId(0));
        if by_forces {
            assert_eq!(contacts, Ok(End::Time), "{name}");
            assert!(told > 1, "{name}");
            assert!(couple.unwrap().is_some(), "{name}");
            assert!(simulation.touching().is_ok(), "{name}");
        } else {
            let error = contacts.unwrap_err();
            assert!(matches!(error, SimulationError::NotByImpulses { .. }));
            assert!(error.to_string().contains("Method::Forces"), "{error}");
            assert!(couple.is_err() && simulation.touching().is_err());
        }
        let turned = simulation.set_pose(BodyId(2), Pose::at(DVec2::new(5.0, 5.0)));
        if simulation.has_rigid_bodies() && !by_forces {
            assert_eq!(turned, Ok(()), "{name}")
        } else {
            assert!(
                matches!(turned, Err(SimulationError::NotYet { .. })),
                "{name}"
            )
        }
    }
}

#[test]
fn all_answer_the_same_questions() {
    for (name, mut simulation) in all() {
        let ball = simulation.find("ball 0").unwrap();
        let gate = simulation.find("gate");
        let position = simulation.state(ball).position;
        // From above, straight down.
        let above = position + DVec2::Y;
        let query = simulation.query();
        let hit = query.ray(above, -DVec2::Y, 10.0).unwrap().unwrap();
        assert_eq!((hit.body, hit.normal), (ball, DVec2::Y), "{name}");
        assert!((hit.distance - 0.9).abs() < 1e-15, "{name}");
        let through = query.ray_through(above, -DVec2::Y, 10.0).unwrap();
        let names: Vec<&str> = through
            .iter()
            .map(|hit| simulation.name(hit.body))
            .collect();
        let expected: &[&str] = match gate {
            Some(_) => &["ball 0", "gate", "floor"],
            None => &["ball 0", "floor"],
        };
        assert_eq!(names, expected, "{name}");
        let near = query.nearest(position, 1).unwrap();
        assert_eq!(near[0].0, ball, "{name}");
        assert_eq!(query.in_ball(position, 0.05).unwrap(), [ball], "{name}");
        let corner = DVec2::splat(0.05);
        let found = query
            .without_sensors()
            .in_box(position - corner, position + corner);
        assert_eq!(found.unwrap(), [ball], "{name}");
        let (mut entered, mut inside) = (0, 0);
        while simulation.time() < 0.6 {
            let end = simulation.run_with(0.6, |event| match event {
                Event::Entered(passage) if Some(passage.sensor) == gate => {
                    entered += 1;
                    std::ops::ControlFlow::Break(())
                }
                _ => std::ops::ControlFlow::Continue(()),
            });
            if end == Ok(End::Observer) {
                inside += simulation.inside(gate.unwrap()).len();
            }
        }
        let expected = usize::from(gate.is_some());
        assert_eq!((entered, inside), (expected, expected), "{name}");
        let audit = simulation.audit();
        assert!(
            audit.now.total() > 0.0 && audit.energy_residual.abs() < 1e-3,
            "{name}"
        );
        assert_eq!(simulation.gravity(), DVec2::new(0.0, -9.81));
        let world = simulation.to_world();
        assert_eq!(world.bodies().len(), simulation.bodies().len(), "{name}");
        assert_eq!(
            simulation.unwrapped_position(ball),
            simulation.state(ball).position
        );
        assert!(format!("{simulation:?}").starts_with("Simulation { method: "));
    }
}
