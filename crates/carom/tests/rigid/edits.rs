//! Changes of a run with solids from outside.

use super::runs::{block2, check_steps, world2};
use carom::audit::Audit;
use carom::body::{CollisionFilter, Kind};
use carom::prelude::*;
use carom::record::{Change, Event};
use carom::shape::Block;
use carom::simulate::Action;
use carom::simulate::{EditError, Exact, Settling};
use std::ops::ControlFlow;

fn start(world: World2) -> Exact<Space2> {
    Exact::with(world, &Settling::default()).expect("nothing overlaps")
}

fn check_books(run: &Exact<Space2>) {
    check_audit(&run.audit());
}

fn check_audit(audit: &Audit<Space2>) {
    // Energies of some 100 J, momenta of some 100 kg·m/s, thousands of entries.
    assert!(audit.energy_residual.abs() < 1e-9, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-9, "{audit:?}");
    check_steps(audit, 2e-3);
    let angular = audit.angular_momentum.expect("there is one");
    assert!(angular.residual.abs() < 1e-8, "{angular:?}");
}

/// A stack of three; the one in the middle is taken out, and the upper one falls by its height and comes to rest.
#[test]
fn a_box_taken_out_of_a_stack_lets_the_upper_one_fall() {
    let mut world = world2(0.0, 0.5);
    let ids = [0.5, 1.5, 2.5].map(|y| {
        world
            .add(block2([1.0, 1.0], [0.0, y], 0.0))
            .expect("allowed")
    });
    let mut run = start(world);
    run.run_to(1.0).expect("it gets on");
    assert_eq!(run.lasting_rigid(), (3, 3), "all sleep");
    let body = run.remove(ids[1]).expect("it is there");
    assert!(body.pose.position.x.abs() < 1e-6);
    assert!(run.body(ids[1]).is_none());
    assert_eq!(run.bodies().count(), 3);
    assert_eq!(
        run.remove(ids[1]),
        Err(EditError::UnknownBody { id: ids[1] })
    );
    run.run_to(1.2).expect("it gets on");
    let fallen = 2.5 - run.state(ids[2]).position.y;
    // In free fall: the settling of the stack before was below 1e-6 m.
    assert!((fallen - 0.5 * 9.81 * 0.04).abs() < 1e-5, "{fallen}");
    run.run_to(3.0).expect("it gets on");
    assert!((run.state(ids[2]).position.y - 1.5).abs() < 1e-6);
    assert_eq!(run.lasting_rigid(), (2, 2));
    check_books(&run);
}

/// A box put in above others falls on them; one that would overlap is refused, and nothing has changed.
#[test]
fn a_box_is_put_in_where_there_is_room() {
    let mut world = world2(0.2, 0.5);
    let first = world
        .add(block2([1.0, 1.0], [0.0, 0.5], 0.0))
        .expect("allowed");
    let mut run = start(world);
    run.run_to(1.0).expect("it gets on");
    let before = run.digest();
    let refused = run.insert(block2([1.0, 1.0], [0.3, 1.2], 0.2).named("late"));
    let Err(EditError::Refused(wrong)) = refused else {
        panic!("{refused:?}");
    };
    let text = wrong[0].to_string();
    assert!(text.contains("late") && text.contains("overlap"), "{text}");
    assert_eq!(run.digest(), before);
    // Larger than any so far: cells are made anew.
    let late = run
        .insert(block2([3.0, 0.5], [0.2, 2.0], 0.1).named("late"))
        .expect("there is room");
    assert_eq!(run.find("late"), Some(late));
    run.run_to(6.0).expect("it gets on");
    let state = run.state(late);
    assert!((state.position.y - 1.25).abs() < 1e-6, "{state:?}");
    assert!((run.state(first).position.y - 0.5).abs() < 1e-6);
    check_books(&run);
}

/// Whoever sleeps wakes when it is pushed, moved, or the world tilts; the books have all of it.
#[test]
fn velocity_position_gravity_and_material_can_be_set() {
    let mut world = world2(0.0, 0.5);
    let ice = Material {
        static_friction: 0.0,
        kinetic_friction: 0.0,
        ..Material::default()
    };
    let ice = world.materials.add("ice", ice).expect("allowed");
    let id = world
        .add(block2([1.0, 0.5], [0.0, 0.25], 0.0))
        .expect("allowed");
    let floor = world.find("floor").expect("there is one");
    let mut run = start(world);
    run.run_to(1.0).expect("it gets on");
    assert_eq!(run.lasting_rigid().1, 1);
    run.set_velocity(id, DVec2::new(2.0, 0.0), 0.0)
        .expect("it is free");
    // A step has begun, but no time has passed.
    assert_eq!(run.state(id).velocity, DVec2::new(2.0, 0.0));
    run.run_to(1.2).expect("it gets on");
    // It slides: v − μ g t, to the second order of the step.
    let speed = run.state(id).velocity.x;
    assert!((speed - (2.0 - 0.5 * 9.81 * 0.2)).abs() < 1e-4, "{speed}");
    run.run_to(2.0).expect("it gets on");
    // v²/(2 μ g).
    let way = 4.0 / (2.0 * 0.5 * 9.81);
    assert!(
        (run.state(id).position.x - way).abs() < 1e-2,
        "{:?}",
        run.state(id)
    );
    check_books(&run);
    run.set_material(id, ice).expect("it is there");
    run.set_gravity(DVec2::new(1.0, -9.81)).expect("finite");
    let (from, at) = (run.state(id).position.x, run.time());
    run.run_to(at + 1.0).expect("it gets on");
    // Without friction the tilt drives it: ½ t².
    let way = run.state(id).position.x - from;
    assert!((way - 0.5).abs() < 1e-3, "{way}");
    check_books(&run);
    run.set_position(id, DVec2::new(5.0, 3.0))
        .expect("nothing is there");
    assert_eq!(run.state(id).position, DVec2::new(5.0, 3.0));
    assert!(matches!(
        run.set_position(id, DVec2::new(0.0, 0.1)),
        Err(EditError::Refused(_))
    ));
    assert!(matches!(
        run.set_velocity(floor, DVec2::X, 0.0),
        Err(EditError::NotFree { .. })
    ));
    assert!(matches!(
        run.set_gravity(DVec2::new(f64::NAN, 0.0)),
        Err(EditError::Refused(_))
    ));
    run.run_to(at + 3.0).expect("it gets on");
    assert!((run.state(id).position.y - 0.25).abs() < 1e-5);
    check_books(&run);
}

/// The floor goes: everyone falls; a lift comes: it takes them up.
#[test]
fn scenery_comes_goes_and_moves() {
    let mut world = world2(0.0, 0.5);
    let id = world
        .add(block2([1.0, 0.5], [0.0, 0.25], 0.0))
        .expect("allowed");
    let floor = world.find("floor").expect("there is one");
    let mut run = start(world);
    run.run_to(1.0).expect("it gets on");
    run.remove(floor).expect("it is there");
    let lift = Shape::Block(Block::new(DVec2::new(2.0, 0.1)).expect("positive"));
    let lift = run
        .insert(Body::fixed(lift).at(DVec2::new(0.0, -2.1)).named("lift"))
        .expect("there is room");
    run.run_to(3.0).expect("it gets on");
    assert!(
        (run.state(id).position.y + 1.75).abs() < 1e-6,
        "{:?}",
        run.state(id)
    );
    check_books(&run);
    run.set_drive(
        lift,
        Drive::Uniform {
            velocity: DVec2::new(0.0, 0.5),
        },
    )
    .expect("it can");
    run.run_to(5.0).expect("it gets on");
    let state = run.state(id);
    assert!((state.position.y + 0.75).abs() < 1e-3, "{state:?}");
    assert!((run.state(lift).position.y + 1.1).abs() < 1e-12);
    check_books(&run);
    run.stand_still(lift).expect("it can");
    run.run_to(7.0).expect("it gets on");
    assert!((run.state(id).position.y - run.state(lift).position.y - 0.35).abs() < 1e-6);
    check_books(&run);
    let shaken = Drive::Oscillation {
        amplitude: DVec2::new(0.0, 0.05),
        frequency: 1.0,
        phase: 0.0,
    };
    run.set_drive(lift, shaken).expect("it can");
    run.run_to(8.3).expect("it gets on");
    assert!((run.state(id).position.y - run.state(lift).position.y - 0.35).abs() < 1e-5);
    check_books(&run);
}

/// CollisionFilter: a box that meets nobody any more falls through the floor.
#[test]
fn groups_can_be_set() {
    let mut world = world2(0.0, 0.5);
    let id = world
        .add(block2([1.0, 0.5], [0.0, 0.25], 0.0))
        .expect("allowed");
    let mut run = start(world);
    run.run_to(1.0).expect("it gets on");
    let nobody = CollisionFilter {
        memberships: 1,
        mask: 0,
    };
    run.set_groups(id, nobody).expect("it is there");
    run.run_to(2.0).expect("it gets on");
    assert!((run.state(id).position.y - (0.25 - 0.5 * 9.81)).abs() < 1e-5);
    // Within the floor it cannot meet it again.
    assert!(matches!(
        run.set_groups(id, CollisionFilter::ALL),
        Err(EditError::Refused(_))
    ));
    check_books(&run);
}

/// With a schedule: boxes are dropped one after the other, and each change is told.
#[test]
fn a_director_drops_boxes_into_a_run() {
    let world = world2(0.1, 0.5);
    let mut director = Simulation::new(world).expect("nothing overlaps");
    for k in 0..4 {
        let body = block2([0.5, 0.5], [0.05 * f64::from(k), 3.0], 0.1).named(&format!("box {k}"));
        director
            .at(0.5 * f64::from(k), Action::Insert(Box::new(body)))
            .expect("allowed");
    }
    director.run_until(8.0).expect("it gets on");
    let run = Simulation2::restore(&director.snapshot()).expect("it is one");
    assert_eq!(run.bodies().len(), 5);
    // Asleep, in a run that was stored and taken up: nothing moves them but an impact or a change.
    assert_eq!(run.resting(), 4, "all sleep");
    assert!(run.is_at_rest());
    for &id in &run.bodies()[1..] {
        assert_eq!(run.state(id).velocity, DVec2::ZERO, "all came to rest");
    }
    check_audit(&run.audit());
}

/// Changes are told, part of the digest, and survive a snapshot.
#[test]
fn changes_are_told_and_survive_a_snapshot() {
    let world = || {
        let mut world = world2(0.2, 0.5);
        world
            .add(block2([1.0, 1.0], [0.0, 0.5], 0.0))
            .expect("allowed");
        world
            .add(block2([1.0, 1.0], [0.1, 1.5], 0.0))
            .expect("allowed");
        world
    };
    let mut run = start(world());
    run.run_to(0.5).expect("it gets on");
    run.remove(BodyId(1)).expect("it is there");
    let late = run
        .insert(block2([0.4, 0.4], [2.0, 2.0], 0.3))
        .expect("there is room");
    run.set_gravity(DVec2::new(0.1, -5.0)).expect("finite");
    let mut told = Vec::new();
    let mut other = Exact::<Space2>::restore(&run.snapshot()).expect("it is one");
    run.run_until(0.6, |event| {
        if let Event::Edited(edit) = event {
            told.push(edit.change);
        }
        ControlFlow::Continue(())
    })
    .expect("it gets on");
    assert_eq!(
        told,
        [
            Change::Removed(BodyId(1)),
            Change::Inserted(late),
            Change::Gravity
        ]
    );
    for time in [0.6, 1.0, 4.0] {
        run.run_to(time).expect("it gets on");
        other.run_to(time).expect("it gets on");
        assert_eq!(run.digest(), other.digest(), "at {time}");
    }
    check_books(&run);
    check_books(&other);
}

/// A box that another is on its way to is taken out: the other flies on. (The plan of the other was still there, and
/// the run ended with a panic: found by the table of features.)
#[test]
fn a_box_that_is_to_be_struck_is_taken_out() {
    let mut world = World2::new();
    let old = world
        .add(block2([0.2, 0.2], [0.0, 0.0], 0.0))
        .expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    run.run_to(0.1).expect("it gets on");
    let mut new = block2([0.2, 0.2], [-1.0, 0.0], 0.0);
    if let Kind::Free(free) = &mut new.kind {
        free.velocity = DVec2::X;
    }
    let new = run.insert(new).expect("apart");
    run.remove(old).expect("it is there");
    run.run_to(2.1).expect("it gets on");
    assert!((run.state(new).position.x - 1.0).abs() < 1e-14);
}
