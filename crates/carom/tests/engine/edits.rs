//! Changes between events: the same bits with both planners, books that balance, and refusals that say why.

use super::random::Random;
use carom::body::CollisionFilter;
use carom::prelude::*;
use carom::shape::{Ball, Block, HalfSpace};
use carom::simulate::Compiled;
use carom::simulate::EditError;
use carom::simulate::Exact;
use carom::space::Linear;
use carom::world::WorldError;
use std::ops::ControlFlow;

/// One random change; `true` if it was accepted. Bodies are taken from those that there are, so that both runs get the
/// same.
///
/// Longer than most: one arm for each kind of change.
fn edit<S: Compiled>(
    run: &mut Exact<S>,
    random: &mut Random,
    side: f64,
    angular_velocity: S::Angular,
) -> bool {
    let ids: Vec<BodyId> = run.bodies().collect();
    let id = ids[random.below(ids.len())];
    match random.below(10) {
        0..=2 => {
            // Mostly of the usual size, now and then larger than any before.
            let large = random.next() < 0.05;
            let radius = if large {
                0.45
            } else {
                0.1 + 0.2 * random.next()
            };
            let (place, velocity) = (random.vector::<S>(0.0, side), random.vector::<S>(-1.0, 1.0));
            let body = Body::ball(radius, 0.5 + random.next(), place, velocity).unwrap();
            let member = 1 << random.below(3);
            let body = if random.next() < 0.2 {
                body.in_groups(member, !member)
            } else {
                body
            };
            run.insert(body).is_ok()
        }
        3 | 4 => ids.len() > 4 && run.remove(id).is_ok(),
        5 => {
            let angular_velocity = if random.next() < 0.3 {
                angular_velocity
            } else {
                S::Angular::ZERO
            };
            run.set_velocity(id, random.vector::<S>(-1.0, 1.0), angular_velocity)
                .is_ok()
        }
        6 => run.set_position(id, random.vector::<S>(0.0, side)).is_ok(),
        7 => {
            let material = run.materials().find("soft").unwrap();
            run.set_material(id, material).is_ok()
        }
        8 => {
            let half = random.vector::<S>(0.05, 0.2);
            let shape = Shape::Block(Block::new(half).unwrap());
            let pose = Pose::at(random.vector::<S>(0.0, side));
            let body = if random.next() < 0.5 {
                Body::fixed(shape).pose(pose)
            } else {
                // Shaken a little: one that went on and on would squeeze balls against walls, with collisions without
                // end.
                let shaken = Drive::Oscillation {
                    amplitude: random.vector::<S>(-0.01, 0.01),
                    frequency: 1.0,
                    phase: random.next(),
                };
                Body::kinematic(shape, shaken).pose(pose)
            };
            run.insert(body).is_ok()
        }
        _ => match random.below(3) {
            0 => run.set_gravity(random.vector::<S>(-0.1, 0.1)).is_ok(),
            1 => {
                let softer = Material {
                    restitution: 0.8 + 0.2 * random.next(),
                    static_friction: 0.2,
                    kinetic_friction: 0.1,
                    ..Material::default()
                };
                run.change_materials(|materials| materials.add("soft", softer))
                    .is_ok()
            }
            _ => {
                let member = 1 << random.below(3);
                let groups = CollisionFilter {
                    memberships: member,
                    mask: !(member << 1),
                };
                run.set_groups(id, groups).is_ok()
            }
        },
    }
}

fn start<S: Compiled>(side: u32, periodic: bool, radius: f64, seed: u64) -> World<S> {
    let mut world = World::<S>::new();
    let mut random = Random(seed);
    world.materials.add("soft", Material::default()).unwrap();
    let layers = if S::DIMENSION == 3 { side } else { 1 };
    for z in 0..layers {
        for y in 0..side {
            for x in 0..side {
                let place = S::vector([x, y, z].map(|along| f64::from(along) + 0.5));
                let velocity = random.vector::<S>(-1.0, 1.0);
                world
                    .add(Body::ball(radius, 1.0, place, velocity).unwrap())
                    .unwrap();
            }
        }
    }
    if periodic {
        world.set_periodic([Some(f64::from(side)); 3]).unwrap();
    } else {
        for axis in 0..S::DIMENSION {
            for (place, direction) in [(0.0, 1.0), (f64::from(side), -1.0)] {
                let (mut point, mut normal) = ([0.0; 3], [0.0; 3]);
                (point[axis], normal[axis]) = (place, direction);
                let wall = HalfSpace::solid(S::vector(normal)).unwrap();
                let pose = Pose::at(S::vector(point));
                world
                    .add(Body::fixed(Shape::HalfSpace(wall)).pose(pose))
                    .unwrap();
            }
        }
    }
    world
}

/// Many changes between pieces of a run, made to both runs alike.
fn same_with_edits<S: Compiled>(
    world: &World<S>,
    side: f64,
    angular_velocity: S::Angular,
    seed: u64,
    edits: usize,
) {
    let mut fast = Exact::new(world.clone()).unwrap();
    let mut slow = Exact::reference(world.clone()).unwrap();
    let mut scale = fast.audit().now.total().abs();
    let mut accepted = 0;
    for turn in 0..edits {
        let until = fast.time() + 0.15;
        let mut collisions = [Vec::new(), Vec::new()];
        for (run, list) in [&mut fast, &mut slow].into_iter().zip(&mut collisions) {
            let end = run.run(until, |collision| {
                list.push(*collision);
                ControlFlow::Continue(())
            });
            assert_eq!(end, Ok(End::Time));
        }
        assert_eq!(collisions[0], collisions[1], "turn {turn}");
        for _ in 0..2 {
            let state = seed.wrapping_add(accepted as u64).wrapping_mul(977) + turn as u64;
            let both = [&mut fast, &mut slow]
                .map(|run| edit(run, &mut Random(state), side, angular_velocity));
            assert_eq!(both[0], both[1]);
            accepted += usize::from(both[0]);
        }
        assert_eq!(fast.digest(), slow.digest(), "turn {turn}");
        let audit = fast.audit();
        assert_eq!(audit, slow.audit());
        scale += audit.now.total().abs();
        // A handful of roundings a collision and an edit, each of the size of the energy; summed over all turns.
        assert!(audit.energy_residual.abs() < 1e-14 * scale, "{audit:?}");
        assert!(
            audit.momentum_residual.length() < 1e-14 * scale.max(1.0),
            "{audit:?}"
        );
        let (now, ids) = (fast.to_world(), fast.bodies().count());
        assert_eq!(now.bodies().len(), ids);
        // Rounding makes overlaps of some ulp at every collision, so nothing may be said to overlap.
        assert!(now.overlaps().is_empty(), "{:?}", now.overlaps());
    }
    assert!(accepted > edits / 2, "{accepted}");
    assert!(fast.collisions() > edits as u64);
}

#[test]
fn random_edits_between_walls_in_the_plane() {
    for seed in 1..6 {
        same_with_edits(&start::<Space2>(5, false, 0.3, seed), 5.0, 2.0, seed, 60);
    }
}

#[test]
fn random_edits_in_a_periodic_box() {
    for seed in 11..15 {
        same_with_edits(&start::<Space2>(6, true, 0.3, seed), 6.0, 2.0, seed, 60);
        let angular_velocity = DVec3::new(1.0, -2.0, 0.5);
        same_with_edits(
            &start::<Space3>(4, true, 0.3, seed),
            4.0,
            angular_velocity,
            seed,
            60,
        );
    }
}

#[test]
fn random_edits_in_space_between_walls() {
    let angular_velocity = DVec3::new(1.0, -2.0, 0.5);
    for seed in 21..24 {
        same_with_edits(
            &start::<Space3>(3, false, 0.3, seed),
            3.0,
            angular_velocity,
            seed,
            60,
        );
    }
}

#[test]
fn edits_among_neighbour_lists() {
    // So crowded that the fast planner keeps lists; insertions find room only where something has been removed.
    let world = start::<Space3>(6, true, 0.48, 31);
    let (mut fast, mut slow) = (
        Exact::new(world.clone()).unwrap(),
        Exact::reference(world).unwrap(),
    );
    let mut random = Random(5);
    let mut reused = 0;
    for _ in 0..40 {
        let until = fast.time() + 0.02;
        assert_eq!(fast.run_to(until), slow.run_to(until));
        let ids: Vec<BodyId> = fast.bodies().collect();
        let id = ids[random.below(ids.len())];
        let bodies = [&mut fast, &mut slow].map(|run| run.remove(id).unwrap());
        assert_eq!(bodies[0], bodies[1]);
        // A smaller one in its place.
        let body = Body {
            shape: Shape::Ball(Ball::new(0.4).unwrap()),
            ..bodies[0].clone()
        };
        let new = [&mut fast, &mut slow].map(|run| run.insert(body.clone()));
        assert_eq!(new[0], new[1]);
        reused += usize::from(new[0].is_ok());
        assert_eq!(fast.digest(), slow.digest());
    }
    assert_eq!(reused, 40);
    assert!(fast.collisions() > 1_000);
}

#[test]
fn a_run_grows_from_nothing_and_shrinks_to_nothing() {
    let world = World2::new();
    let (mut fast, mut slow) = (
        Exact::new(world.clone()).unwrap(),
        Exact::reference(world).unwrap(),
    );
    let mut random = Random(8);
    for step in 0..300 {
        let place = DVec2::new(f64::from(step % 20), f64::from(step / 20));
        let velocity = random.vector::<Space2>(-0.3, 0.3);
        for run in [&mut fast, &mut slow] {
            let body = Body::ball(0.3, 1.0, place, velocity).unwrap();
            let _ = run.insert(body);
            run.run_to(f64::from(step) * 0.01).unwrap();
        }
        assert_eq!(fast.digest(), slow.digest());
    }
    assert!(fast.collisions() > 50);
    let ids: Vec<BodyId> = fast.bodies().collect();
    for id in ids {
        fast.remove(id).unwrap();
    }
    assert_eq!(fast.bodies().count(), 0);
    let audit = fast.audit();
    assert_eq!(audit.now.total(), 0.0);
    // Some thousand entries of energies of 0.1 J, summed in double-double.
    assert!(audit.energy_residual.abs() < 1e-12, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-12, "{audit:?}");
    fast.run_to(10.0).unwrap();
}

#[test]
fn an_edit_between_two_collisions_at_one_instant() {
    // The observer ends the run at a collision, the caller changes a ball, and the run goes on.
    let mut world = World2::new();
    for place in [0.0, 2.0, 5.0] {
        let velocity = DVec2::new(if place == 0.0 { 1.0 } else { 0.0 }, 0.0);
        world
            .add(Body::ball(0.5, 1.0, DVec2::new(place, 0.0), velocity).unwrap())
            .unwrap();
    }
    let mut run = Exact::new(world).unwrap();
    assert_eq!(run.run(10.0, |_| ControlFlow::Break(())), Ok(End::Observer));
    assert_eq!(run.time(), 1.0);
    run.set_velocity(BodyId(1), DVec2::new(4.0, 0.0), 0.0)
        .unwrap();
    let mut times = Vec::new();
    run.run(10.0, |collision| {
        times.push(collision.time);
        ControlFlow::Continue(())
    })
    .unwrap();
    // Two metres at four metres a second.
    assert_eq!(times, [1.5]);
    assert_eq!(run.audit().given, 0.5 * (16.0 - 1.0));
    assert_eq!(run.audit().momentum_given, DVec2::new(3.0, 0.0));
}

#[test]
fn gravity_is_on_the_books() {
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -10.0)).unwrap();
    let ball = world
        .add(Body::ball(0.5, 2.0, DVec2::new(0.0, 7.0), DVec2::ZERO).unwrap())
        .unwrap();
    let mut run = Exact::new(world).unwrap();
    run.run_to(1.0).unwrap();
    run.set_gravity(DVec2::new(0.0, 5.0)).unwrap();
    run.run_to(3.0).unwrap();
    // Down for a second at 10 m/s², back up for two at 5 m/s².
    assert_eq!(run.state(ball).velocity, DVec2::ZERO);
    assert_eq!(run.state(ball).position, DVec2::new(0.0, -8.0));
    let audit = run.audit();
    // At y = 2 the potential went from 2·10·2 to −2·5·2.
    assert_eq!(audit.given, -60.0);
    assert_eq!(audit.momentum_from_gravity, DVec2::ZERO);
    assert_eq!(
        (audit.energy_residual, audit.momentum_residual),
        (0.0, DVec2::ZERO)
    );
}

#[test]
fn bodies_in_groups_that_do_not_meet_pass_through_each_other() {
    let mut world = World2::new();
    let ball =
        |x: f64, v: f64| Body::ball(0.5, 1.0, DVec2::new(x, 0.0), DVec2::new(v, 0.0)).unwrap();
    let wall = Shape::HalfSpace(HalfSpace::solid(DVec2::new(-1.0, 0.0)).unwrap());
    // Reds meet reds and walls, blues meet blues only. Two of them start at one place.
    let (red, blue, walls) = (1, 2, 4);
    world
        .add(ball(0.0, 1.0).in_groups(red, red | walls))
        .unwrap();
    world.add(ball(0.0, 1.0).in_groups(blue, blue)).unwrap();
    world
        .add(ball(4.0, 0.0).in_groups(blue, blue | red))
        .unwrap();
    let wall = Body::fixed(wall).at(DVec2::new(8.0, 0.0));
    world.add(wall.in_groups(walls, red | blue)).unwrap();
    for mut run in [
        Exact::new(world.clone()).unwrap(),
        Exact::reference(world.clone()).unwrap(),
    ] {
        let mut pairs = Vec::new();
        run.run(20.0, |collision| {
            pairs.push((collision.a.0, collision.b.0, collision.time));
            ControlFlow::Continue(())
        })
        .unwrap();
        // Blue strikes blue at 3 s; red passes all blues, as it does not meet them, and strikes the wall at 7.5 s.
        assert_eq!(pairs, [(1, 2, 3.0), (0, 3, 7.5)]);
    }
    let mut run = Exact::new(world).unwrap();
    assert!(matches!(
        run.set_groups(BodyId(1), CollisionFilter::ALL),
        Err(EditError::Refused(_))
    ));
}

#[test]
fn refusals_name_bodies_and_numbers() {
    let mut world = World2::new();
    world.set_periodic([Some(10.0), Some(10.0), None]).unwrap();
    let ball = |x: f64| Body::ball(0.5, 1.0, DVec2::new(x, 5.0), DVec2::ZERO).unwrap();
    world.add(ball(9.8).named("cue")).unwrap();
    let shape = Shape::Block(Block::new(DVec2::splat(0.5)).unwrap());
    world
        .add(Body::fixed(shape).at(DVec2::new(5.0, 5.0)).named("post"))
        .unwrap();
    let mut run = Exact::new(world).unwrap();
    let message = |result: Result<BodyId, EditError>| result.unwrap_err().to_string();
    let before = run.digest();
    assert_eq!(
        message(run.insert(ball(0.25).named("eight"))),
        "body 2 (eight) and body 0 (cue) overlap by 5.500000000000007e-1 m at the start, but may by at most 2.131951154563448e-14 m"
    );
    let errors = match run.insert(ball(5.25)) {
        Err(EditError::Refused(errors)) => errors,
        other => panic!("{other:?}"),
    };
    assert!(matches!(&errors[..], [WorldError::Overlap { b: 1, name_b, .. }] if name_b == "post"));
    let large = Body::ball(3.0, 1.0, DVec2::new(2.0, 5.0), DVec2::ZERO).unwrap();
    let errors = match run.insert(large) {
        Err(EditError::Refused(errors)) => errors,
        other => panic!("{other:?}"),
    };
    // Too large along both axes, over the post, over the cue ball.
    assert_eq!(errors.len(), 4, "{errors:?}");
    assert_eq!(
        run.remove(BodyId(7)).unwrap_err().to_string(),
        "there is no body 7"
    );
    assert_eq!(
        run.set_velocity(BodyId(1), DVec2::X, 0.0)
            .unwrap_err()
            .to_string(),
        "body 1 (post) is static or kinematic: its velocity cannot be set"
    );
    let wrong = run.set_velocity(BodyId(0), DVec2::new(f64::NAN, 0.0), 0.0);
    assert_eq!(
        wrong.unwrap_err().to_string(),
        "body 0 (cue): velocity is DVec2(NaN, 0.0), but must be made of finite numbers"
    );
    assert!(run.set_gravity(DVec2::new(f64::INFINITY, 0.0)).is_err());
    assert!(run.set_position(BodyId(0), DVec2::new(5.9, 5.0)).is_err());
    assert_eq!(run.digest(), before, "a refused edit leaves no trace");
    run.remove(BodyId(1)).unwrap();
    assert!(run.body(BodyId(1)).is_none());
    assert_eq!(
        run.remove(BodyId(1)).unwrap_err(),
        EditError::UnknownBody { id: BodyId(1) }
    );
    assert!(run.insert(ball(5.25)).is_ok());
}
