//! Changes from outside and directors, by forces: as by impulses, on both loops.

use super::many::box_of_spheres;
use carom::body::CollisionFilter;
use carom::material::{Constants, Law};
use carom::motion::{Drag, Field, Fields};
use carom::prelude::*;
use carom::record::Change;
use carom::shape::{Block, HalfSpace};
use carom::simulate::Stepped;
use carom::simulate::{Action, ActionTarget, DirectorError, EditError, Mount, Trigger};
use carom::simulate::{ForceEngine, Incident, Scheme};
use std::ops::ControlFlow;

const G: DVec2 = DVec2::new(0.0, -9.81);

/// A floor, and balls above it in a row.
fn row(balls: usize, height: f64) -> (World2, BodyId, Vec<BodyId>) {
    let mut world = World2::new();
    let rubber = Material {
        restitution: 0.8,
        static_friction: 0.3,
        kinetic_friction: 0.3,
        ..Material::default()
    };
    let rubber = world.materials.add("rubber", rubber).unwrap();
    (world
        .materials
        .set_constants(rubber, Constants::linear(2e6)))
    .unwrap();
    world.set_gravity(G).unwrap();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
    let floor = Body::fixed(floor).made_of(rubber);
    let floor = world.add(floor.named("floor")).unwrap();
    let ids = (0..balls).map(|index| {
        let place = DVec2::new(0.5 * index as f64, height);
        let ball = Body::ball(0.1, 1.0, place, DVec2::ZERO).unwrap();
        world.add(ball.made_of(rubber)).unwrap()
    });
    let ids = ids.collect();
    (world, floor, ids)
}

/// The schemes and loops that a change has to go through.
fn ways() -> [Forces; 4] {
    let step = Forces::stepping(1e-4);
    [
        step.by(Scheme::RungeKutta),
        step.by(Scheme::Verlet).run_by(ForceEngine::General),
        step.by(Scheme::Euler),
        step.run_by(ForceEngine::Granular),
    ]
}

fn start(world: World2, forces: &Forces) -> Stepped<Space2> {
    Stepped::new(world, forces).unwrap()
}

#[test]
fn gravity_changes_at_the_very_time() {
    for forces in ways() {
        let (world, _, balls) = row(3, 5.0);
        let mut run = start(world, &forces);
        // Within a step of 1e-4 s.
        run.run_to(0.200_037).unwrap();
        run.set_gravity(G * 0.5).unwrap();
        assert_eq!(run.time(), 0.200_037);
        run.run_to(0.5).unwrap();
        let (first, then) = (0.200_037_f64, 0.5 - 0.200_037);
        let velocity = G.y * first;
        let fallen = 0.5 * G.y * first * first + velocity * then + 0.25 * G.y * then * then;
        let state = run.state(balls[1]);
        // Euler is off by g dt t/2, the others by rounding.
        let within = match run.scheme() {
            Scheme::Euler => 9.81 * 1e-4 * 0.5,
            _ => 1e-12,
        };
        assert!(
            (state.position.y - 5.0 - fallen).abs() < within,
            "{forces:?} {state:?}"
        );
        assert!((state.velocity.y - velocity - 0.5 * G.y * then).abs() < 1e-12);
        let audit = run.audit();
        // 5,000 steps, each rounded.
        assert!(audit.momentum_residual.length() < 1e-11, "{audit:?}");
        assert!(
            audit.energy_residual.abs() < 3.0 * 9.81 * within.max(1e-11),
            "{audit:?}"
        );
        // Half of the weight is gone, and so is half of the potential energy.
        let height = 5.0 + 0.5 * G.y * first * first;
        assert!((audit.given + 3.0 * 0.5 * 9.81 * height).abs() < 3.0 * 9.81 * within.max(1e-11));
    }
}

/// Longer than most: one run, through all changes that there are.
#[test]
fn bodies_come_and_go_and_are_changed_and_the_books_balance() {
    for forces in ways() {
        let (world, floor, balls) = row(4, 0.3);
        let rubber = world.materials.find("rubber").unwrap();
        let mut run = start(world, &forces);
        let mut told = Vec::new();
        let mut go = |run: &mut Stepped<Space2>, until: f64| {
            run.run_until(until, |incident| {
                if let Incident::Edited(edit) = incident {
                    told.push(edit.change);
                }
                ControlFlow::Continue(())
            })
            .unwrap();
        };
        // In mid-contact with the floor: √(2·0.2/9.81) = 0.202 s.
        go(&mut run, 0.2024);
        run.set_velocity(balls[0], DVec2::new(1.0, 3.0), 5.0)
            .unwrap();
        run.set_position(balls[1], DVec2::new(-1.0, 2.0)).unwrap();
        let gone = run.remove(balls[2]).unwrap();
        assert!(gone.pose.position.y < 0.11);
        assert!(run.body(balls[2]).is_none() && run.bodies().count() == 4);
        assert!(matches!(
            run.remove(balls[2]),
            Err(EditError::UnknownBody { .. })
        ));
        let new = Body::ball(0.05, 0.2, DVec2::new(3.0, 0.5), DVec2::ZERO).unwrap();
        let new = run.insert(new.made_of(rubber).named("new")).unwrap();
        assert_eq!(new, BodyId(5));
        assert_eq!(run.find("new"), Some(new));
        let soft = run
            .change_materials(|materials| {
                let soft = Material {
                    restitution: 0.4,
                    ..Material::default()
                };
                let soft = materials.add("soft", soft).unwrap();
                materials
                    .set_constants(soft, Constants::linear(1e6))
                    .unwrap();
                soft
            })
            .unwrap();
        run.set_material(balls[3], soft).unwrap();
        let (one, two) = (run.state(balls[0]), run.state(balls[1]));
        assert_eq!(
            (one.velocity, one.angular_velocity),
            (DVec2::new(1.0, 3.0), 5.0)
        );
        assert_eq!(two.position, DVec2::new(-1.0, 2.0));
        go(&mut run, 0.6);
        run.set_groups(
            new,
            CollisionFilter {
                memberships: 0,
                mask: 0,
            },
        )
        .unwrap();
        let fields = Fields::uniform(G).with(Field::Drag(Drag::AIR));
        run.set_fields(fields).unwrap();
        run.set_drive(
            floor,
            Drive::Uniform {
                velocity: DVec2::new(0.5, 0.0),
            },
        )
        .unwrap();
        go(&mut run, 1.0);
        run.stand_still(floor).unwrap();
        go(&mut run, 1.5);
        assert!(
            run.state(new).position.y < -1.0,
            "it meets nobody, and falls through the floor"
        );
        let audit = run.audit();
        let energy = audit.initial.total() + 1.0 * 9.81 * 2.0 + 10.0;
        // The scheme's error: a contact of √(μ/k) π = 3 ms has 30 steps, and each of a dozen loses half of its energy
        // or less.
        let within = match run.scheme() {
            Scheme::RungeKutta => 1e-4,
            Scheme::Verlet => 2e-2,
            _ => 0.3,
        };
        assert!(
            audit.energy_residual.abs() < within * energy,
            "{forces:?} {audit:?}"
        );
        let momentum = audit.momentum_from_fixtures.length();
        assert!(
            audit.momentum_residual.length() < 1e-11 * momentum,
            "{audit:?}"
        );
        let about = audit.angular_momentum.unwrap();
        let size = about.from_fixtures.abs() + about.from_gravity.abs() + about.given.abs();
        // Verlet looks at torques where forces act, half a step beside.
        assert!(about.residual.abs() < 2e-2 * size, "{about:?}");
        let kinds = [
            Change::Velocity(balls[0]),
            Change::Position(balls[1]),
            Change::Removed(balls[2]),
            Change::Inserted(new),
            Change::Materials,
            Change::Material(balls[3]),
            Change::CollisionFilter(new),
            Change::Fields,
            Change::Drive(floor),
            Change::Drive(floor),
        ];
        assert_eq!(told, kinds);
    }
}

/// A change elsewhere leaves contacts as they are: what rests goes on resting, sunk in by m g/k, held by the springs it
/// is held by, and is not told of anew.
#[test]
fn contacts_go_on_through_a_change() {
    let tilted = |runner| {
        let mut world = World3::new();
        let stone = Material {
            restitution: 0.1,
            static_friction: 0.9,
            kinetic_friction: 0.8,
            rolling_resistance: 0.5,
            spinning_resistance: 0.5,
            ..Material::default()
        };
        let stone = world.materials.add("stone", stone).unwrap();
        (world.materials.set_constants(stone, Constants::linear(2e5))).unwrap();
        // On a slope of 0.3, which friction and rolling resistance hold.
        world.set_gravity(DVec3::new(3.0, 0.0, -9.0)).unwrap();
        let floor = Shape::HalfSpace(HalfSpace::solid(DVec3::Z).unwrap());
        world.add(Body::fixed(floor).made_of(stone)).unwrap();
        let ball = Body::ball(0.1, 1.0, DVec3::new(0.0, 0.0, 0.1), DVec3::ZERO).unwrap();
        world.add(ball.made_of(stone)).unwrap();
        let far = Body::ball(0.1, 1.0, DVec3::new(9.0, 9.0, 9.0), DVec3::ZERO).unwrap();
        world.add(far.made_of(stone)).unwrap();
        let forces = Forces::stepping(1e-4).by(Scheme::Verlet).run_by(runner);
        let mut run = Stepped::new(world, &forces).unwrap();
        run.run_to(1.0).unwrap();
        let before = run.state(BodyId(1));
        assert!(before.velocity.length() < 1e-5, "{before:?}");
        let mut began = 0;
        for change in 0..20 {
            run.set_velocity(BodyId(2), DVec3::X * f64::from(change), DVec3::ZERO)
                .unwrap();
            run.run_until(1.0 + 0.010_03 * f64::from(change + 1), |incident| {
                began += u32::from(matches!(incident, Incident::Began(_)));
                ControlFlow::Continue(())
            })
            .unwrap();
        }
        assert_eq!(began, 0);
        let after = run.state(BodyId(1));
        // A spring that had been let go would have to be stretched anew, by 3 N/k_t = 1e-4 m, each time.
        assert!(
            (after.position - before.position).length() < 2e-6,
            "{before:?} {after:?}"
        );
        assert!((run.touching()[0].2 - 9.0 / 1e5).abs() < 1e-8);
        after
    };
    let (general, crowd) = (tilted(ForceEngine::General), tilted(ForceEngine::Granular));
    assert!(
        (general.position - crowd.position).length() < 1e-9,
        "{general:?} {crowd:?}"
    );
}

/// Both loops go through the same changes alike, and from a snapshot to the bit.
#[test]
fn loops_and_snapshots_agree_about_changes() {
    let changed = |runner, saved: bool| {
        let forces = Forces::stepping(2e-6).by(Scheme::Verlet).run_by(runner);
        let mut run = Stepped::new(box_of_spheres(0.01), &forces).unwrap();
        let save = |run: Stepped<Space3>| {
            if saved {
                Stepped::restore(&run.snapshot()).unwrap()
            } else {
                run
            }
        };
        run.run_to(0.6e-3 + 0.7e-6).unwrap();
        run.set_gravity(DVec3::new(5.0, 0.0, -5.0)).unwrap();
        run.remove(BodyId(20)).unwrap();
        run = save(run);
        run.run_to(1.2e-3).unwrap();
        let glass = run.materials().find("glass").unwrap();
        let ball = Body::ball(1e-3, 1e-5, DVec3::new(4.5e-3, 4.5e-3, 20e-3), -DVec3::Z).unwrap();
        run.insert(ball.made_of(glass)).unwrap();
        run = save(run);
        let mut told = Vec::new();
        run.run_until(2e-3, |incident| {
            told.push(incident.time());
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(run.engine(), runner);
        (run, told)
    };
    for runner in [ForceEngine::General, ForceEngine::Granular] {
        let ((one, told), (other, also)) = (changed(runner, false), changed(runner, true));
        assert_eq!(told, also);
        assert_eq!(one.digest(), other.digest());
        // The order in which sums over contacts are taken begins anew with a change, for both.
        assert_eq!(format!("{:?}", one.audit()), format!("{:?}", other.audit()));
    }
    let (general, crowd) = (
        changed(ForceEngine::General, false).0,
        changed(ForceEngine::Granular, false).0,
    );
    assert_eq!(general.touches(), crowd.touches());
    for id in general.bodies() {
        let off = (general.state(id).velocity - crowd.state(id).velocity).length();
        assert!(off < 1e-8, "{id:?} {off:e}");
    }
    let (one, other) = (general.audit(), crowd.audit());
    assert!((one.given - other.given).abs() < 1e-9 * one.given.abs());
    let energy = one.initial.total();
    assert!((one.energy_residual - other.energy_residual).abs() < 1e-9 * energy);
    assert!(one.energy_residual.abs() < 2e-2 * energy, "{one:?}");
}

#[test]
fn what_cannot_be_is_refused_and_nothing_is_changed() {
    for forces in ways() {
        let (world, floor, balls) = row(3, 0.15);
        let rubber = world.materials.find("rubber").unwrap();
        let mut run = start(world, &forces);
        run.run_to(0.000_05).unwrap();
        let before = (run.digest(), run.time(), run.snapshot());
        let said = |error: EditError, words: &str| {
            assert!(error.to_string().contains(words), "{error}");
        };
        let deep = Body::ball(0.1, 1.0, DVec2::new(0.05, 0.2), DVec2::ZERO).unwrap();
        said(run.insert(deep.made_of(rubber)).unwrap_err(), "overlap");
        let bare = Body::ball(0.1, 1.0, DVec2::new(9.0, 5.0), DVec2::ZERO).unwrap();
        said(run.insert(bare).unwrap_err(), "no stiffness");
        let light = Body::ball(0.1, 1e-3, DVec2::new(9.0, 5.0), DVec2::ZERO).unwrap();
        said(
            run.insert(light.made_of(rubber)).unwrap_err(),
            "may be at most",
        );
        said(
            run.set_position(balls[0], DVec2::new(0.0, -0.5))
                .unwrap_err(),
            "floor",
        );
        said(
            run.set_position(balls[0], DVec2::NAN).unwrap_err(),
            "position",
        );
        said(
            run.set_velocity(floor, DVec2::X, 0.0).unwrap_err(),
            "static or kinematic",
        );
        said(
            run.set_drive(balls[0], Drive::Uniform { velocity: DVec2::X })
                .unwrap_err(),
            "free ball",
        );
        said(
            run.set_motion(floor, Pose::at(DVec2::Y), None).unwrap_err(),
            "jump",
        );
        said(run.set_gravity(DVec2::INFINITY).unwrap_err(), "gravity");
        said(
            run.set_velocity(BodyId(77), DVec2::X, 0.0).unwrap_err(),
            "no body 77",
        );
        let beta = Material {
            restitution: 0.8,
            law: Law::Beta,
            ..Material::default()
        };
        let wrong = run.change_materials(|materials| materials.add("rubber", beta).unwrap());
        said(wrong.unwrap_err(), "beta");
        assert!(before == (run.digest(), run.time(), run.snapshot()));
    }
}

/// A table with a pocket and a bumper that counts; gravity of Mars after a while; a flipper at a key.
fn play(mut director: Simulation2, [floor, pocket, flipper]: [BodyId; 3]) -> Simulation2 {
    let hinge = Mount::Hinge {
        pivot: DVec2::new(4.0, 0.5),
        axis: 1.0,
    };
    director.mount(flipper, hinge).unwrap();
    director
        .at(1.0, Action::Gravity(DVec2::new(0.0, -3.71)))
        .unwrap();
    director
        .on(Trigger::entered(pocket), Action::Remove(ActionTarget::Ball))
        .unwrap();
    director
        .on(Trigger::entered(pocket), Action::score("pocket", 10))
        .unwrap();
    director
        .on(Trigger::hit(floor), Action::score("hits", 1))
        .unwrap();
    director
        .on(
            Trigger::pressed("flip"),
            Action::stroke(flipper, 0.5, 20.0, 0.1),
        )
        .unwrap();
    director.at(0.25, Action::press("flip")).unwrap();
    director.every(0.6, Action::score("ticks", 1)).unwrap();
    director.run_until(1.999).unwrap();
    director
}

#[test]
fn a_director_directs_forces_as_it_does_impulses() {
    let (mut world, floor, balls) = row(70, 0.5);
    let rubber = world.materials.find("rubber").unwrap();
    let pocket = Shape::Block(Block::new(DVec2::new(0.3, 0.05)).unwrap());
    let pocket = Body::fixed(pocket)
        .at(DVec2::new(2.0, 0.25))
        .named("pocket");
    let pocket = world.add(pocket.sensing()).unwrap();
    // Under the ball at 4.5 m, which has fallen to 0.19 m at 0.25 s.
    let flipper = Shape::Block(Block::new(DVec2::new(0.5, 0.02)).unwrap());
    let flipper = Body::fixed(flipper).at(DVec2::new(4.4, -0.05));
    let flipper = world.add(flipper.made_of(rubber)).unwrap();
    let ids = [floor, pocket, flipper];
    let exact = play(Simulation::new(world.clone()).unwrap(), ids);
    assert_eq!(exact.score("pocket"), 10);
    for runner in [ForceEngine::General, ForceEngine::Granular] {
        let forces = Forces::default().run_by(runner);
        let run = Simulation::with(world.clone(), forces).unwrap();
        assert_eq!(run.stepping().unwrap().engine, runner);
        let director = play(run, ids);
        for score in ["pocket", "ticks"] {
            assert_eq!(director.score(score), exact.score(score), "{score}");
        }
        // Told when a contact ends, some milliseconds after it began: bounces near the end of the run may be missing.
        let hits = (director.score("hits"), exact.score("hits"));
        assert!(hits.0 > 150 && (hits.0 - hits.1).abs() <= 70, "{hits:?}");
        let run = &director;
        assert!(run.body(balls[4]).is_none(), "in the pocket");
        assert_eq!(run.gravity(), DVec2::new(0.0, -3.71));
        let whats = |log: &[carom::simulate::Entry]| -> Vec<(f64, String)> {
            let all = log.iter().filter(|entry| !entry.what.starts_with("score"));
            all.map(|entry| (entry.time, entry.what.clone())).collect()
        };
        let (ours, theirs) = (whats(director.log()), whats(exact.log()));
        assert_eq!(ours.len(), theirs.len(), "{ours:?} {theirs:?}");
        for (one, other) in ours.iter().zip(&theirs) {
            assert_eq!(one.1, other.1);
            // Sensors notice at the ends of steps.
            assert!(
                (one.0 - other.0).abs() <= 2.0 * run.stepping().unwrap().step,
                "{one:?} {other:?}"
            );
        }
        let audit = run.audit();
        let momentum = audit.momentum_from_fixtures.length();
        assert!(
            audit.momentum_residual.length() < 1e-10 * momentum,
            "{audit:?}"
        );
    }
}

#[test]
fn a_director_of_forces_says_what_went_wrong() {
    let (world, _, balls) = row(2, 0.5);
    let run = start(world, &ways()[0]);
    let mut director = Simulation2::restore(&run.snapshot()).unwrap();
    assert!(matches!(
        director.run_until(-1.0),
        Err(SimulationError::Steps(_))
    ));
    director
        .at(
            0.1,
            Action::Position(balls[0].into(), DVec2::new(0.52, 0.45)),
        )
        .unwrap();
    let error = director.run_until(1.0).unwrap_err();
    assert!(error.to_string().contains("t = 0.1 s"), "{error}");
    let SimulationError::Director(error) = error else {
        panic!("{error:?}");
    };
    assert!(matches!(*error, DirectorError::Failed { .. }), "{error:?}");
    director.run_until(1.0).unwrap();
    assert_eq!(director.time(), 1.0);
}
