//! Runs saved after any event and resumed: the same bits as if they had never stopped.

use super::random::Xorshift;
use carom::body::{Body, CollisionFilter, Kind};
use carom::material::{Law, Material, PairOverride};
use carom::motion::{Drive, Pose};
use carom::shape::{
    Arc, Ball, Block, Cylinder, HalfSpace, Hollow, Segment, Shape, Shape2, Shape3, Triangle,
};
use carom::simulate::{Compiled, End, Exact};
use carom::snapshot::{SnapshotError, VERSION};
use carom::space::{Space2, Space3, Turn};
use carom::world::{BodyId, World};
use glam::{DVec2, DVec3};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::ops::ControlFlow;

fn material(restitution: f64, friction: f64, law: Law) -> Material {
    Material {
        restitution,
        static_friction: friction,
        kinetic_friction: 0.7 * friction,
        law,
        ..Material::default()
    }
}

/// Balls of some sizes, masses and materials on a lattice of 2 m from (3, 3, 3) on, with names and spins.
fn crowd<S: Compiled>(
    world: &mut World<S>,
    rows: usize,
    angular_velocity: impl Fn(f64) -> S::Angular,
) {
    let mut random = Xorshift(0x1234_5678_9abc_def1);
    let materials: Vec<_> = ["default", "rubber", "felt"]
        .iter()
        .filter_map(|name| world.materials.find(name))
        .collect();
    let depth = if S::DIMENSION == 3 { 2 } else { 1 };
    for cell in 0..rows * rows * depth {
        let place =
            [cell % rows, cell / rows % rows, cell / rows / rows].map(|i| 2.0 * i as f64 + 3.0);
        let velocity = [0; 3].map(|_| random.signed());
        let radius = 0.6 + 0.3 * random.signed();
        let mut ball = Body::ball(
            radius,
            1.5 + random.signed(),
            S::vector(place),
            S::vector(velocity),
        )
        .unwrap()
        .named(&format!("ball {cell}"))
        .made_of(materials[cell % materials.len()]);
        if let Kind::Free(free) = &mut ball.kind {
            free.angular_velocity = angular_velocity(random.signed());
        }
        world.add(ball).unwrap();
    }
}

fn with_materials<S: Compiled>() -> World<S> {
    let mut world = World::<S>::new();
    let rubber = world
        .materials
        .add("rubber", material(0.9, 0.2, Law::Coulomb))
        .unwrap();
    let felt = world
        .materials
        .add("felt", material(0.8, 0.4, Law::Course))
        .unwrap();
    let values = PairOverride {
        restitution: Some(0.95),
        law: Some(Law::Beta),
        ..PairOverride::default()
    };
    world.materials.override_pair(felt, rubber, values).unwrap();
    world
}

fn wall<S: Compiled>(point: S::Vector, normal: S::Vector) -> Body<S> {
    Body::fixed(Shape::HalfSpace(HalfSpace::solid(normal).unwrap())).at(point)
}

/// Elastic, smooth, periodic.
fn gas() -> World<Space3> {
    let mut world = World::new();
    world
        .set_periodic([Some(10.0), Some(9.0), Some(8.0)])
        .unwrap();
    crowd(&mut world, 4, |_| DVec3::ZERO);
    world
}

/// Friction, gravity, periodic sideways, a floor.
fn rain() -> World<Space3> {
    let mut world = with_materials();
    world.set_periodic([Some(12.0), Some(12.0), None]).unwrap();
    world.set_gravity(DVec3::new(0.1, 0.0, -1.0)).unwrap();
    crowd(&mut world, 3, |x| DVec3::new(x, -x, 0.3));
    world
        .add(wall(DVec3::ZERO, DVec3::Z).named("floor"))
        .unwrap();
    world
}

/// All shapes of the plane, all prescribed motions.
fn workshop() -> World<Space2> {
    let mut world = with_materials();
    world.set_gravity(DVec2::new(0.0, -0.4)).unwrap();
    crowd(&mut world, 4, |x| x);
    world
        .add(Body::fixed(Shape::Hollow(Hollow::new(14.0).unwrap())).at(DVec2::new(6.0, 6.0)))
        .unwrap();
    let mut add = |shape: Shape<Space2>, place: DVec2, drive: Option<Drive<Space2>>| {
        let pose = Pose {
            position: place,
            rotation: Turn::by(0.3),
        };
        let body = match drive {
            Some(drive) => Body::kinematic(shape, drive).pose(pose),
            None => Body::fixed(shape).pose(pose),
        };
        world.add(body).unwrap();
    };
    let segment = Segment::new(DVec2::new(-1.0, 0.0), DVec2::new(1.0, 0.2)).unwrap();
    add(
        Shape::own(Shape2::Segment(segment)),
        DVec2::new(6.0, 1.0),
        None,
    );
    let arc = Arc::new(DVec2::ZERO, 2.0, 3.3, 2.0).unwrap();
    add(Shape::own(Shape2::Arc(arc)), DVec2::new(6.0, 0.0), None);
    let block = Block::new(DVec2::new(0.5, 0.2)).unwrap();
    let oscillation = Drive::Oscillation {
        amplitude: DVec2::new(0.0, 0.5),
        frequency: 0.5,
        phase: 0.1,
    };
    add(
        Shape::Block(block),
        DVec2::new(2.0, -2.0),
        Some(oscillation),
    );
    let ball = Shape::Ball(Ball::new(0.4).unwrap());
    let rotation = Drive::Rotation {
        pivot: DVec2::new(12.0, 12.0),
        angular_velocity: 1.3,
    };
    add(ball.clone(), DVec2::new(13.0, 12.0), Some(rotation));
    let knots = vec![
        (0.0, DVec2::ZERO),
        (3.0, DVec2::new(2.0, 1.0)),
        (9.0, DVec2::new(-1.0, 0.0)),
    ];
    add(
        ball.clone(),
        DVec2::new(12.0, 3.0),
        Some(Drive::Path { knots }),
    );
    let velocity = DVec2::new(0.05, 0.02);
    add(
        ball,
        DVec2::new(0.5, 12.0),
        Some(Drive::Uniform { velocity }),
    );
    world
}

/// The shapes of space, in a room of walls.
fn gallery() -> World<Space3> {
    let mut world = with_materials();
    world.set_gravity(DVec3::new(0.0, 0.0, -0.3)).unwrap();
    crowd(&mut world, 3, DVec3::splat);
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        world.add(wall(DVec3::splat(-3.0), axis)).unwrap();
        world.add(wall(DVec3::splat(11.0), -axis)).unwrap();
    }
    let triangle = Triangle::new([
        DVec3::ZERO,
        DVec3::new(4.0, 0.0, 0.5),
        DVec3::new(0.0, 4.0, 0.0),
    ])
    .unwrap();
    let cylinder = Cylinder::new(DVec3::new(0.3, 1.0, 0.2), 3.0, 0.4).unwrap();
    let block = Block::new(DVec3::new(0.5, 1.0, 0.5)).unwrap();
    for (shape, place) in [
        (
            Shape::own(Shape3::Triangle(triangle)),
            DVec3::new(3.0, 3.0, 0.5),
        ),
        (
            Shape::own(Shape3::Cylinder(cylinder)),
            DVec3::new(9.5, 5.0, 5.0),
        ),
        (Shape::Block(block), DVec3::new(-1.0, 5.0, 1.0)),
    ] {
        world.add(Body::fixed(shape).at(place)).unwrap();
    }
    world
}

/// Runs until there have been so many collisions: or a few more, where several come at once.
fn run_until<S: Compiled>(run: &mut Exact<S>, end: u64) {
    let ended = run.run(1e9, |collision| {
        if collision.number >= end {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(
        ended.unwrap(),
        End::Observer,
        "{} collisions",
        run.collisions()
    );
}

fn assert_same<S: Compiled>(run: &Exact<S>, other: &Exact<S>) {
    assert_eq!(run.digest(), other.digest());
    assert_eq!(run.collisions(), other.collisions());
    assert_eq!(run.time().to_bits(), other.time().to_bits());
    assert_eq!(run.audit(), other.audit());
    assert!(run.bodies().eq(other.bodies()));
    for id in run.bodies() {
        assert_eq!(run.name(id), other.name(id));
        assert_eq!(run.inside(id), other.inside(id));
        assert_eq!(run.state(id), other.state(id));
        assert_eq!(run.unwrapped_position(id), other.unwrapped_position(id));
    }
}

/// Saved after each of some events, restored, and run on.
fn resumes<S: Compiled>(world: World<S>, events: u64, further: u64) {
    let mut run = Exact::new(world.clone()).unwrap();
    let mut whole = Exact::new(world).unwrap();
    run_until(&mut whole, events + further);
    while run.collisions() < events {
        let bytes = run.snapshot();
        let mut other = Exact::<S>::restore(&bytes).unwrap();
        assert_same(&run, &other);
        assert!(other.snapshot() == bytes);
        run_until(&mut other, events + further);
        assert_same(&whole, &other);
        let next = run.collisions() + 1;
        run_until(&mut run, next);
    }
    run_until(&mut run, events + further);
    assert_same(&whole, &run);
}

#[test]
fn a_periodic_gas_resumes_after_every_event() {
    resumes(gas(), 120, 120);
}

#[test]
fn falling_balls_with_friction_resume_after_every_event() {
    resumes(rain(), 100, 60);
}

#[test]
fn grains_with_a_contact_time_resume_after_every_event() {
    let mut world = rain();
    // So long that most collisions come sooner than that after another.
    world.set_contact_time(Some(0.5)).unwrap();
    resumes(world, 100, 60);
}

#[test]
fn balls_that_are_struck_at_one_instant_resume() {
    // A rack of touching discs, a ball coming in, and walls that send everything back.
    let mut world = World::<Space2>::new();
    for row in 0..4 {
        for place in 0..=row {
            let at = DVec2::new(
                0.5 * 3.0_f64.sqrt() * f64::from(row),
                f64::from(place) - 0.5 * f64::from(row),
            );
            world
                .add(Body::ball(0.5, 1.0, at, DVec2::ZERO).unwrap())
                .unwrap();
        }
    }
    world
        .add(Body::ball(0.5, 1.0, DVec2::new(-4.0, 0.0), DVec2::new(3.0, 0.0)).unwrap())
        .unwrap();
    for axis in [DVec2::X, DVec2::Y] {
        world.add(wall(DVec2::splat(-6.0), axis)).unwrap();
        world.add(wall(DVec2::splat(6.0), -axis)).unwrap();
    }
    resumes(world, 80, 80);
}

#[test]
fn a_run_that_was_changed_from_outside_resumes() {
    let mut world = with_materials::<Space3>();
    world
        .set_periodic([Some(16.0), Some(16.0), Some(16.0)])
        .unwrap();
    crowd(&mut world, 3, |_| DVec3::ZERO);
    let mut run = Exact::new(world).unwrap();
    run_until(&mut run, 10);
    // Numbers without bodies, a ball larger than any, one that meets only some, scenery that came later, a velocity and
    // a material.
    run.remove(BodyId(3)).unwrap();
    run.remove(BodyId(11)).unwrap();
    let large = Body::ball(
        1.8,
        9.0,
        DVec3::new(13.0, 13.0, 13.0),
        DVec3::new(-0.4, 0.2, 0.1),
    );
    run.insert(large.unwrap().named("large")).unwrap();
    let mut ghost = Body::ball(0.3, 1.0, DVec3::new(12.0, 1.0, 13.0), DVec3::Y).unwrap();
    ghost.groups = CollisionFilter {
        memberships: 1,
        mask: 2,
    };
    run.insert(ghost).unwrap();
    let pillar = Block::new(DVec3::splat(0.4)).unwrap();
    run.insert(Body::fixed(Shape::Block(pillar)).at(DVec3::new(15.0, 15.0, 8.0)))
        .unwrap();
    run.set_velocity(BodyId(5), DVec3::new(0.5, -1.0, 0.2), DVec3::X)
        .unwrap();
    run.change_materials(|materials| materials.add("felt", material(0.7, 0.1, Law::Coulomb)))
        .unwrap();
    let end = run.collisions() + 120;
    let mut whole = run.clone();
    run_until(&mut whole, end);
    while run.collisions() < end - 60 {
        let bytes = run.snapshot();
        let mut other = Exact::<Space3>::restore(&bytes).unwrap();
        assert_same(&run, &other);
        assert!(other.snapshot() == bytes);
        run_until(&mut other, end);
        assert_same(&whole, &other);
        let next = run.collisions() + 1;
        run_until(&mut run, next);
    }
}

#[test]
fn a_room_with_all_shapes_of_the_plane_and_all_motions_resumes() {
    resumes(workshop(), 60, 40);
}

#[test]
fn a_room_with_the_shapes_of_space_resumes() {
    resumes(gallery(), 100, 60);
}

#[test]
fn balls_inside_sensors_resume() {
    let mut world = gallery();
    let ball = Shape::Ball(Ball::new(2.5).unwrap());
    world
        .add(Body::fixed(ball).at(DVec3::splat(6.0)).sensing())
        .unwrap();
    let mut run = Exact::new(world.clone()).unwrap();
    run_until(&mut run, 20);
    let sensor = run.bodies().last().unwrap();
    assert!(!run.inside(sensor).is_empty());
    resumes(world, 60, 40);
}

#[test]
fn a_run_resumes_around_the_instant_at_which_its_clock_is_set_back() {
    // With 32 balls, after 2¹⁶ + 16 · 32 collisions.
    let back = (1 << 16) + 16 * 32;
    let mut run = Exact::new(gas()).unwrap();
    run_until(&mut run, back - 2);
    let mut whole = run.clone();
    run_until(&mut whole, back + 98);
    for _ in 0..4 {
        let mut other = Exact::<Space3>::restore(&run.snapshot()).unwrap();
        run_until(&mut other, back + 98);
        assert_same(&whole, &other);
        let next = run.collisions() + 1;
        run_until(&mut run, next);
    }
}

#[test]
fn it_resumes_between_events_and_as_the_plain_engine() {
    let mut run = Exact::reference(rain()).unwrap();
    run.run_to(2.0).unwrap();
    let mut whole = run.clone();
    whole.run_to(9.0).unwrap();
    let mut other = Exact::<Space3>::restore(&run.snapshot()).unwrap();
    other.run_to(9.0).unwrap();
    assert_same(&whole, &other);
    assert!(whole.collisions() > run.collisions());
    let mut fast = Exact::new(rain()).unwrap();
    fast.run_to(2.0).unwrap();
    let mut fast = Exact::<Space3>::restore(&fast.snapshot()).unwrap();
    fast.run_to(9.0).unwrap();
    assert_same(&whole, &fast);
}

#[test]
fn what_is_not_whole_is_refused() {
    let mut run = Exact::new(workshop()).unwrap();
    run_until(&mut run, 10);
    let bytes = run.snapshot();
    for end in 0..bytes.len() {
        let error = Exact::<Space2>::restore(&bytes[..end]).unwrap_err();
        match end {
            0 => assert_eq!(error, SnapshotError::Foreign),
            _ => assert!(
                matches!(error, SnapshotError::CutOff { .. }),
                "{end}: {error}"
            ),
        }
    }
    let longer = [bytes.clone(), vec![0]].concat();
    assert!(matches!(
        Exact::<Space2>::restore(&longer),
        Err(SnapshotError::Invalid { .. })
    ));
    assert_eq!(
        Exact::<Space3>::restore(&bytes).unwrap_err(),
        SnapshotError::Dimension {
            found: 2,
            wanted: 3
        }
    );
    let mut newer = bytes;
    let found = VERSION + 1;
    newer[8] = found as u8;
    let error = Exact::<Space2>::restore(&newer).unwrap_err();
    assert_eq!(error, SnapshotError::Version { found });
    assert_eq!(
        error.to_string(),
        format!("the snapshot has version {found}, but this carom reads version {VERSION} alone")
    );
    assert_eq!(
        Exact::<Space2>::restore(b"PNG, say, or anything else").unwrap_err(),
        SnapshotError::Foreign
    );
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x_ca40_0439),
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_flipped_bit_is_found(place in any::<prop::sample::Index>(), bit in 0..8_u32) {
        let mut bytes = Exact::new(rain()).unwrap().snapshot();
        let place = place.index(bytes.len());
        bytes[place] ^= 1 << bit;
        prop_assert!(Exact::<Space3>::restore(&bytes).is_err());
    }

    #[test]
    fn anything_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(Exact::<Space3>::restore(&bytes).is_err());
    }
}

#[test]
fn a_ball_takes_few_bytes() {
    let bytes = |number: usize| {
        let mut world = World::<Space3>::new();
        world.set_periodic([Some(1000.0); 3]).unwrap();
        for ball in 0..number {
            let place = DVec3::new(ball as f64 * 1.5, 0.0, 0.0);
            world
                .add(Body::ball(0.5, 1.0, place, DVec3::X).unwrap())
                .unwrap();
        }
        Exact::new(world).unwrap().snapshot().len()
    };
    let each = (bytes(600) - bytes(100)) as f64 / 500.0;
    assert!(each <= 200.0, "{each} bytes a ball");
}
