//! The same bits, however a run is cut.

use carom::body::Kind;
use carom::material::Constants;
use carom::motion::{Drag, Field, Fields};
use carom::prelude::*;
use carom::shape::{Block, HalfSpace};
use carom::simulate::{Cancel, SteppedError};
use carom::simulate::{Exact, Stepped};
use carom::simulate::{Incident, Scheme};
use std::ops::ControlFlow;

/// Balls that bounce, rub and roll in a box that shakes, with drag and a sensor; some of it periodic.
fn busy() -> World3 {
    let mut world = World3::new();
    let rubber = Material {
        restitution: 0.8,
        static_friction: 0.4,
        kinetic_friction: 0.3,
        rolling_resistance: 0.01,
        spinning_resistance: 0.005,
        ..Material::default()
    };
    let rubber = world.materials.add("rubber", rubber).unwrap();
    (world
        .materials
        .set_constants(rubber, Constants::lasting(5e-3)))
    .unwrap();
    world.set_periodic([Some(1.0), None, None]).unwrap();
    let drag = Drag::Given {
        linear: 0.01,
        quadratic: 0.01,
    };
    let fields = Fields::uniform(DVec3::new(0.3, 0.0, -9.81)).with(Field::Drag(drag));
    world.set_fields(fields).unwrap();
    let drive = Drive::Oscillation {
        amplitude: DVec3::new(0.0, 0.0, 0.005),
        frequency: 20.0,
        phase: 0.0,
    };
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec3::Z).unwrap());
    let floor = Body::kinematic(floor, drive).made_of(rubber);
    world.add(floor).unwrap();
    for (normal, y) in [(DVec3::Y, 0.0), (-DVec3::Y, 0.6)] {
        let wall = Shape::HalfSpace(HalfSpace::solid(normal).unwrap());
        let pose = Pose::at(DVec3::new(0.0, y, 0.0));
        world
            .add(Body::fixed(wall).pose(pose).made_of(rubber))
            .unwrap();
    }
    let gate = Shape::Block(Block::new(DVec3::new(0.1, 0.3, 0.5)).unwrap());
    let pose = Pose::at(DVec3::new(0.5, 0.3, 0.5));
    world.add(Body::fixed(gate).pose(pose).sensing()).unwrap();
    for index in 0..8 {
        let (row, column) = (f64::from(index / 2), f64::from(index % 2));
        let place = DVec3::new(0.12 + 0.23 * row, 0.17 + 0.22 * column, 0.15 + 0.02 * row);
        let velocity = DVec3::new(0.4 - 0.2 * row, 0.3 * column - 0.1, 0.1 * row);
        let ball = Body::ball(0.08 + 0.005 * column, 0.3, place, velocity).unwrap();
        world.add(ball.made_of(rubber)).unwrap();
    }
    world
}

fn all_forces() -> Vec<Forces> {
    vec![
        Forces::default(),
        Forces::default().cut_off(),
        Forces::default().by(Scheme::Verlet),
        Forces::default().by(Scheme::Euler).cut_off(),
        Forces::default().locating(false),
    ]
}

fn incidents(run: &mut Stepped<Space3>, until: f64, into: &mut Vec<Incident<Space3>>) {
    run.run_until(until, |incident| {
        into.push(*incident);
        ControlFlow::Continue(())
    })
    .unwrap();
}

#[test]
fn in_pieces_and_from_snapshots() {
    for forces in all_forces() {
        let mut whole = Stepped::new(busy(), &forces).unwrap();
        let mut told = Vec::new();
        incidents(&mut whole, 0.7, &mut told);
        let kinds = |what: fn(&Incident<Space3>) -> bool| told.iter().filter(|i| what(i)).count();
        assert!(
            kinds(|i| matches!(i, Incident::Ended(_))) > 10,
            "{}",
            told.len()
        );
        assert!(kinds(|i| matches!(i, Incident::Entered(_))) > 0);
        assert!(told.windows(2).all(|pair| pair[0].time() <= pair[1].time()));

        let mut segments = Stepped::new(busy(), &forces).unwrap();
        let mut told_in_pieces = Vec::new();
        let mut time = 0.0;
        while time < 0.7 {
            incidents(&mut segments, time, &mut told_in_pieces);
            assert!(
                told_in_pieces
                    .iter()
                    .all(|incident| incident.time() <= time)
            );
            time += 0.0137;
        }
        incidents(&mut segments, 0.7, &mut told_in_pieces);
        assert_eq!(whole.digest(), segments.digest(), "{forces:?}");
        assert_eq!(told, told_in_pieces);
        assert_eq!(whole.audit(), segments.audit());

        let mut saved = Stepped::new(busy(), &forces).unwrap();
        let mut told_by_saved = Vec::new();
        for time in [0.0, 0.0613, 0.2, 0.412345, 0.6] {
            incidents(&mut saved, time, &mut told_by_saved);
            saved = Stepped::restore(&saved.snapshot()).unwrap();
        }
        incidents(&mut saved, 0.7, &mut told_by_saved);
        assert_eq!(whole.digest(), saved.digest(), "{forces:?}");
        assert_eq!(told, told_by_saved);
        assert_eq!(whole.audit(), saved.audit());
    }
}

/// A listener may end a run at any incident; nothing is lost or told twice.
#[test]
fn ended_at_every_incident() {
    let mut whole = Stepped::new(busy(), &Forces::default()).unwrap();
    let mut told = Vec::new();
    incidents(&mut whole, 0.3, &mut told);
    let mut stopped = Stepped::new(busy(), &Forces::default()).unwrap();
    let mut told_one_by_one = Vec::new();
    while stopped
        .run_until(0.3, |incident| {
            told_one_by_one.push(*incident);
            ControlFlow::Break(())
        })
        .unwrap()
        != End::Time
    {
        let last: &Incident<Space3> = told_one_by_one.last().unwrap();
        assert_eq!(stopped.time(), last.time());
    }
    assert_eq!(told, told_one_by_one);
    assert_eq!(whole.digest(), stopped.digest());
}

/// What was saved is refused where it is cut off, changed, of the other space, or of the other method.
#[test]
fn bad_snapshots_are_refused() {
    let mut run = Stepped::new(busy(), &Forces::default()).unwrap();
    run.run_to(0.1).unwrap();
    let bytes = run.snapshot();
    assert!(Stepped::<Space2>::restore(&bytes).is_err());
    assert!(Exact::<Space3>::restore(&bytes).is_err());
    for length in (0..bytes.len()).step_by(97) {
        assert!(Stepped::<Space3>::restore(&bytes[..length]).is_err());
    }
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    assert!(Stepped::<Space3>::restore(&damaged).is_err());
    let exact = Exact::new(busy()).unwrap().snapshot();
    let error = Stepped::<Space3>::restore(&exact).unwrap_err();
    assert!(error.to_string().contains("impulses"), "{error}");
}

/// A planar world by forces gives the same bits in the plane and in space, where balls have the plane's inertia.
#[test]
fn in_the_plane_and_in_space() {
    let rough = Material {
        restitution: 0.7,
        static_friction: 0.5,
        kinetic_friction: 0.4,
        rolling_resistance: 0.02,
        ..Material::default()
    };
    let constants = Constants::linear(1e4);
    let mut flat = World2::new();
    let mut deep = World3::new();
    let id = flat.materials.add("rough", rough).unwrap();
    flat.materials.set_constants(id, constants).unwrap();
    deep.materials = flat.materials.clone();
    flat.set_gravity(DVec2::new(0.0, -5.0)).unwrap();
    deep.set_gravity(DVec3::new(0.0, -5.0, 0.0)).unwrap();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
    flat.add(Body::fixed(floor).made_of(id)).unwrap();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec3::Y).unwrap());
    deep.add(Body::fixed(floor).made_of(id)).unwrap();
    for x in [0.0, 0.3, 0.55] {
        let (place, velocity) = (DVec2::new(x, 0.2 + 0.5 * x), DVec2::new(0.5 - 2.0 * x, x));
        let ball = Body::ball(0.1, 0.5, place, velocity).unwrap();
        let Kind::Free(free) = ball.kind else {
            unreachable!()
        };
        flat.add(ball.made_of(id)).unwrap();
        let mut ball = Body::ball(0.1, 0.5, place.extend(0.0), velocity.extend(0.0)).unwrap();
        if let Kind::Free(solid) = &mut ball.kind {
            solid.inertia = free.inertia;
        }
        deep.add(ball.made_of(id)).unwrap();
    }
    for scheme in Scheme::ALL {
        let forces = Forces::default().by(scheme);
        let mut flat = Stepped::new(flat.clone(), &forces).unwrap();
        let mut deep = Stepped::new(deep.clone(), &forces).unwrap();
        flat.run_to(1.0).unwrap();
        deep.run_to(1.0).unwrap();
        assert!(flat.touches() > 3);
        for id in flat.bodies() {
            assert_eq!(
                flat.state(id).position.extend(0.0),
                deep.state(id).position,
                "{scheme}"
            );
            assert_eq!(
                flat.state(id).angular_velocity,
                deep.state(id).angular_velocity.z,
                "{scheme}"
            );
        }
    }
}

/// A token ends a run at the end of a step; what comes then has the bits of a run that was never cancelled.
#[test]
fn a_cancelled_run_goes_on_to_the_same_bits() {
    let start = || Stepped::new(busy(), &Forces::default()).unwrap();
    let mut whole = start();
    whole.run_to(0.2).unwrap();
    let mut run = start();
    let cancel = Cancel::new();
    run.set_cancel(Some(cancel.clone()));
    let end = run.run_until(0.2, |_| {
        cancel.cancel();
        ControlFlow::Continue(())
    });
    assert_eq!(end, Ok(End::Cancelled));
    assert!(run.time() > 0.0 && run.time() < 0.2);
    assert_eq!(run.run_to(0.2), Ok(End::Cancelled));
    run.set_cancel(None);
    assert_eq!(run.run_to(0.2), Ok(End::Time));
    assert_eq!(run.digest(), whole.digest());
}

/// A spring of 10³⁰ N/m needs steps of some 10⁻¹⁷ s, and the run went on for ever without a word: it is refused, with
/// the step and how many it would take. A short time can be had.
#[test]
fn more_steps_than_anybody_waits_for_are_refused() {
    let mut world = World2::new();
    let hard = world.materials.add("hard", Material::default()).unwrap();
    let constants = Constants::linear(1e30);
    world.materials.set_constants(hard, constants).unwrap();
    for x in [0.0, 3.0] {
        let ball = Body::ball(0.5, 1.0, DVec2::new(x, 0.0), DVec2::new(1.0 - x, 0.0));
        world.add(ball.unwrap().made_of(hard)).unwrap();
    }
    let mut run = Stepped::new(world, &Forces::default()).unwrap();
    match run.run_to(1.0) {
        Err(SteppedError::TooManySteps { step, steps, .. }) => {
            assert_eq!(step, run.step());
            assert!(steps > 1e12 && (steps * step - 1.0).abs() < 1e-9);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(run.run_to(1000.0 * run.step()), Ok(End::Time));
}

/// A run that was killed and resumed ended with another digest in 2 of 20,000 random scenes: where a contact ended was
/// looked for with the gaps of everyone in the list of those near, and a run from a snapshot makes that list anew. A
/// disc bounces beside a wall that is in the list which was made when it was fast, and in no list that is made while it
/// stands still at its deepest.
#[test]
fn who_else_is_near_does_not_change_when_a_contact_ends() {
    for percent in [30, 45, 60, 75, 90] {
        let mut world = World2::new();
        let rubber = Material {
            restitution: f64::from(percent) / 100.0,
            ..Material::default()
        };
        let rubber = world.materials.add("rubber", rubber).unwrap();
        let springs = Constants::linear(2e5);
        world.materials.set_constants(rubber, springs).unwrap();
        for (normal, x) in [(DVec2::Y, 0.0), (DVec2::X, -0.13)] {
            let wall = Shape::HalfSpace(HalfSpace::solid(normal).unwrap());
            let pose = Pose::at(DVec2::new(x, 0.0));
            let wall = Body::fixed(wall).pose(pose).made_of(rubber);
            world.add(wall).unwrap();
        }
        let place = DVec2::new(0.0, 0.1005);
        let ball = Body::ball(0.1, 1.0, place, DVec2::new(0.0, -5.0)).unwrap();
        world.add(ball.made_of(rubber)).unwrap();
        let forces = Forces::default().cut_off();
        let mut whole = Stepped::new(world.clone(), &forces).unwrap();
        whole.run_to(0.05).unwrap();
        assert_eq!(whole.touches(), 1);
        // The spring and the mass make a quarter of 2π/√(10⁵/1) s until it is deepest.
        for time in [0.003, 0.004, 0.005, 0.006] {
            let mut saved = Stepped::new(world.clone(), &forces).unwrap();
            saved.run_to(time).unwrap();
            let mut saved: Stepped<Space2> = Stepped::restore(&saved.snapshot()).unwrap();
            saved.run_to(0.05).unwrap();
            assert_eq!(whole.digest(), saved.digest(), "{percent} % from {time} s");
        }
    }
}
