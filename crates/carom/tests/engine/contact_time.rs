//! The contact-time rule (TC model): what collapses without it goes on with it, and everything before is the same to
//! the bit.

use carom::body::Kind;
use carom::material::Law;
use carom::prelude::*;
use carom::record::Collision;
use carom::shape::HalfSpace;
use carom::simulate::Exact;
use carom::simulate::RunError;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

fn material(restitution: f64, friction: f64) -> Material {
    Material {
        restitution,
        static_friction: friction,
        kinetic_friction: friction,
        law: Law::Coulomb,
        ..Material::default()
    }
}

fn wall(point: DVec2, normal: DVec2) -> Body<Space2> {
    let wall = HalfSpace::solid(normal).unwrap();
    Body::fixed(Shape::HalfSpace(wall)).at(point).named("wall")
}

/// A train of balls that runs into a wall (McNamara and Young 1992): at ε = 0.5 more than five of them collapse. The
/// distances are no multiples of each other, so that no two collisions come at once.
fn train(number: u32) -> World<Space2> {
    let mut world = World::new();
    world.materials.add("default", material(0.5, 0.0)).unwrap();
    world.add(wall(DVec2::ZERO, DVec2::X)).unwrap();
    for index in 0..number {
        let place = DVec2::new(
            1.0 + f64::from(index) * (1.5 + 0.01 * f64::from(index)),
            0.0,
        );
        let ball = Body::ball(0.5, 1.0, place, DVec2::new(-1.0, 0.0)).unwrap();
        world.add(ball.named(&format!("ball {index}"))).unwrap();
    }
    world
}

/// A cloud of inelastic discs that is left to itself in a periodic box.
fn cloud() -> World<Space2> {
    let mut world = World::new();
    world.materials.add("default", material(0.3, 0.0)).unwrap();
    world.set_periodic([Some(16.0), Some(16.0), None]).unwrap();
    let mut seed = 3_u64;
    let mut random = || {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    for row in 0..16 {
        for column in 0..16 {
            let place = DVec2::new(f64::from(column) + 0.5, f64::from(row) + 0.5);
            let velocity = DVec2::new(random(), random());
            world
                .add(Body::ball(0.42, 1.0, place, velocity).unwrap())
                .unwrap();
        }
    }
    world
}

/// A ball dropped on a floor.
fn dropped() -> World<Space2> {
    let mut world = World::new();
    world.materials.add("default", material(0.5, 0.0)).unwrap();
    world.set_gravity(DVec2::new(0.0, -10.0)).unwrap();
    world.add(wall(DVec2::ZERO, DVec2::Y)).unwrap();
    let ball = Body::ball(0.5, 1.0, DVec2::new(0.0, 1.5), DVec2::ZERO).unwrap();
    world.add(ball).unwrap();
    world
}

fn with(mut world: World<Space2>, contact_time: f64) -> World<Space2> {
    world.set_contact_time(Some(contact_time)).unwrap();
    world
}

/// Runs a world; what it did and how it ended.
fn collisions(
    world: &World<Space2>,
    until: f64,
) -> (Vec<Collision<Space2>>, Result<End, RunError>) {
    let mut list = Vec::new();
    let mut run = Exact::new(world.clone()).unwrap();
    let end = run.run(until, |collision| {
        list.push(*collision);
        ControlFlow::Continue(())
    });
    (list, end)
}

/// A world that collapses: without the rule the balls that are pressed together come to keep touching, and it goes on
/// as it does with the rule. (It once stood still.)
fn collapses(world: World<Space2>, contact_time: f64, until: f64) {
    assert_eq!(goes_on(world, contact_time, until), Ok(End::Time));
}

/// Checks that with the rule a world goes on, loses nothing in what comes too soon, and is the same to the bit until
/// then; how it ends without.
fn goes_on(world: World<Space2>, contact_time: f64, until: f64) -> Result<End, RunError> {
    let (without, end_without) = collisions(&world, until);

    let world = with(world, contact_time);
    let (list, end) = collisions(&world, until);
    assert_eq!(end, Ok(End::Time));
    // Independently of the engine: when each free ball was last struck, and which collisions come too soon after that.
    let mut last: BTreeMap<BodyId, f64> = BTreeMap::new();
    let mut first_soon = None;
    let free = |id: &BodyId| matches!(world.body(*id).kind, Kind::Free(_));
    for (index, hit) in list.iter().enumerate() {
        let bodies = [hit.a, hit.b];
        let soon = bodies
            .iter()
            .filter_map(|id| last.get(id))
            // The differences of the clock are not exact; and those at one instant may have been answered together,
            // none sooner than another.
            .any(|&last| hit.time > last && hit.time - last < contact_time * (1.0 - 1e-6));
        if soon {
            first_soon.get_or_insert(index);
            assert!(hit.energy_lost.abs() < 1e-14, "{hit:?}");
        }
        assert!(hit.energy_lost > -1e-14, "{hit:?}");
        for id in bodies.into_iter().filter(free) {
            last.insert(id, hit.time);
        }
    }
    let Some(first_soon) = first_soon else {
        // Its bounces on one wall add up, and it stays there.
        assert_eq!(without, list);
        return end_without;
    };
    assert!(first_soon > 5);
    assert_eq!(without[..first_soon], list[..first_soon]);
    if let Err(RunError::Livelock { time, .. }) = &end_without {
        assert!(list.last().unwrap().time > *time);
    }

    let mut run = Exact::new(world.clone()).unwrap();
    let mut reference = Exact::reference(world).unwrap();
    let mut energy = f64::INFINITY;
    for step in 1..=10 {
        let time = until * 0.1 * f64::from(step);
        run.run_to(time).unwrap();
        let audit = run.audit();
        assert!(audit.now.total() <= energy * (1.0 + 1e-12));
        assert!(audit.energy_residual.abs() < 1e-11 * audit.initial.total());
        energy = audit.now.total();
    }
    reference.run_to(until).unwrap();
    assert_eq!(run.digest(), reference.digest());
    end_without
}

#[test]
fn a_train_into_a_wall() {
    for number in [8, 12, 20] {
        collapses(train(number), 1e-6, 60.0);
    }
}

#[test]
fn a_cloud() {
    // In the plane, rounding turns balls that are about to collapse a little aside, and lets them get out of it.
    // Without the rule that took very many collisions; now those that chatter keep touching.
    let end = goes_on(cloud(), 1e-4, 60.0);
    assert_eq!(end, Ok(End::Time));
    let (without, _) = collisions(&cloud(), 60.0);
    let (ruled, _) = collisions(&with(cloud(), 1e-4), 60.0);
    assert!(
        without.len() <= 5 * ruled.len(),
        "{} {}",
        without.len(),
        ruled.len()
    );
}

#[test]
fn a_ball_comes_to_rest_within_a_contact_time() {
    let (contact_time, gravity) = (1e-3, 10.0);
    // Without the rule it stays on the floor when its bounces have added up.
    assert_eq!(goes_on(dropped(), contact_time, 4.0), Ok(End::Time));
    let mut run = Exact::new(with(dropped(), contact_time)).unwrap();
    run.run_to(4.0).unwrap();
    // A hop that lasts less than t_c is no higher than g t_c²/8.
    let height = run.state(BodyId(1)).position.y - 0.5;
    assert!((0.0..=gravity * contact_time * contact_time / 8.0).contains(&height));
    // And one that would last less than ε t_c does not happen: the last that lost energy lasted longer than t_c.
    let hops = 4.0 / (0.5 * contact_time);
    assert!(
        (run.collisions() as f64) < hops + 100.0,
        "{}",
        run.collisions()
    );
}

#[test]
fn a_contact_time_that_nothing_comes_sooner_than_changes_nothing() {
    let mut plain = Exact::new(cloud()).unwrap();
    plain.run_to(0.3).unwrap();
    assert!(plain.collisions() > 100);
    let mut ruled = Exact::new(with(cloud(), 1e-12)).unwrap();
    ruled.run_to(0.3).unwrap();
    assert_eq!(plain.digest(), ruled.digest());
}

#[test]
fn a_bumper_keeps_its_kick_and_a_run_may_be_cut() {
    let mut world = train(6);
    world.materials.add("default", material(1.2, 0.0)).unwrap();
    let (plain, _) = collisions(&world, 5.0);
    let (ruled, _) = collisions(&with(world, 10.0), 5.0);
    assert_eq!(plain, ruled);

    let mut whole = Exact::new(with(cloud(), 1e-4)).unwrap();
    whole.run_to(20.0).unwrap();
    let mut segments = Exact::new(with(cloud(), 1e-4)).unwrap();
    for segment in 1..=40 {
        segments.run_to(f64::from(segment) * 0.5).unwrap();
    }
    assert_eq!(whole.digest(), segments.digest());
}

#[test]
fn a_contact_time_that_is_none_is_refused() {
    let mut world = World::<Space2>::new();
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = world.set_contact_time(Some(value)).unwrap_err();
        assert!(
            error.to_string().contains("must be a positive, finite"),
            "{error}"
        );
    }
    assert_eq!(world.contact_time(), None);
    world.set_contact_time(Some(1e-5)).unwrap();
    assert_eq!(world.contact_time(), Some(1e-5));
    world.set_contact_time(None).unwrap();
    assert_eq!(world.contact_time(), None);
}
