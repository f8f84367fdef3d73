//! Changes between events: bodies that come and go, are put elsewhere, pushed, made of something else.

use super::gases::room;
use super::{Random, Run, material, wall};
use carom::body::{CollisionFilter, Kind};
use carom::motion::{Drag, Field, Fields};
use carom::prelude::*;
use carom::simulate::Exact;

scenes! {
    edits_of_free_balls => edited(&free(), 0.13),
    edits_while_balls_rest => edited(&resting(), 0.1),
}

fn discs(world: &mut World2) {
    let mut random = Random(41);
    for index in 0..20_u32 {
        let place = DVec2::new(f64::from(index % 5), f64::from(index / 5)) + 0.5;
        let velocity = random.vector::<Space2>();
        world
            .add(Body::ball(0.3, 1.0, place, velocity).unwrap())
            .unwrap();
    }
}

fn free() -> World2 {
    let mut world = World2::new();
    world.materials.add("default", material(0.95, 0.2)).unwrap();
    world.materials.add("soft", material(0.5, 0.1)).unwrap();
    room(&mut world, 5.0);
    discs(&mut world);
    world
}

fn resting() -> World2 {
    let mut world = World2::new();
    let rolls = Material {
        rolling_resistance: 0.03,
        ..material(0.4, 0.3)
    };
    world.materials.add("default", rolls).unwrap();
    world.materials.add("soft", material(0.2, 0.5)).unwrap();
    world.set_gravity(DVec2::new(0.0, -9.81)).unwrap();
    for (x, normal) in [(0.0, [1.0, 0.0, 0.0]), (5.0, [-1.0, 0.0, 0.0])] {
        world.add(wall([x, 0.0, 0.0], normal)).unwrap();
    }
    world.add(wall([0.0; 3], [0.0, 1.0, 0.0])).unwrap();
    discs(&mut world);
    world
}

/// Forty changes of all kinds, one every so often (s), by the quick planner, in pieces, with rests in snapshots and by
/// all pairs.
fn edited(world: &World2, every: f64) -> u64 {
    let start = || Exact::new(world.clone()).unwrap();
    let at_once = |mut run: Exact<Space2>, until: f64| {
        run.to(until);
        run
    };
    let plain = changed(start(), every, at_once);
    assert!(plain.collisions() > 50, "{}", plain.collisions());
    let segments = changed(start(), every, |mut run, until| {
        let since = run.time();
        for segment in 1..7 {
            run.to(since + (until - since) * f64::from(segment) / 7.0);
        }
        run.to(until);
        run
    });
    let resumed = changed(start(), every, |mut run, until| {
        run.to(until);
        run.resumed()
    });
    let reference = Exact::reference(world.clone()).unwrap();
    let reference = changed(reference, every, at_once);
    let digest = plain.digest();
    for (how, run) in [
        ("in pieces", segments),
        ("with rests in snapshots", resumed),
        ("by the reference", reference),
    ] {
        assert_eq!(run.digest(), digest, "{how}");
    }
    digest
}

fn changed(
    mut run: Exact<Space2>,
    every: f64,
    go: impl Fn(Exact<Space2>, f64) -> Exact<Space2>,
) -> Exact<Space2> {
    let mut random = Random(42);
    let mut accepted = 0;
    for step in 1..=40_u32 {
        run = go(run, every * f64::from(step));
        accepted += u32::from(edit(&mut run, step, &mut random));
    }
    // Some find no room.
    assert!(accepted > 25, "{accepted}");
    go(run, every * 45.0)
}

/// One change; whether it could be.
fn edit(run: &mut Exact<Space2>, step: u32, random: &mut Random) -> bool {
    let free: Vec<BodyId> = run
        .bodies()
        .filter(|&id| matches!(run.body(id).unwrap().kind, Kind::Free(_)))
        .collect();
    let id = free[(random.next().abs() * free.len() as f64) as usize];
    let place = random.vector::<Space2>() * 2.0 + 2.5;
    let velocity = random.vector::<Space2>();
    match step % 10 {
        0 | 3 => {
            let ball = Body::ball(0.15, 0.5, place, velocity).unwrap();
            run.insert(ball).is_ok()
        }
        1 | 6 => run.set_velocity(id, velocity * 2.0, 3.0).is_ok(),
        2 => run.set_position(id, place).is_ok(),
        4 => run.remove(id).is_ok(),
        5 => {
            let peg = Shape::ball(0.05).unwrap();
            run.insert(Body::fixed(peg).at(place)).is_ok()
        }
        7 => {
            let soft = run.materials().find("soft").unwrap();
            run.set_material(id, soft).is_ok()
        }
        8 => {
            let groups = CollisionFilter {
                memberships: 2,
                mask: !4,
            };
            run.set_groups(id, groups).is_ok()
        }
        _ if step == 29 => {
            let thin = Drag::Given {
                linear: 0.05,
                quadratic: 0.01,
            };
            let fields = Fields::uniform(run.gravity()).with(Field::Drag(thin));
            run.set_fields(fields).is_ok()
        }
        _ => {
            let gravity = run.gravity() + DVec2::new(0.2, -0.1);
            run.set_gravity(gravity).is_ok()
        }
    }
}
