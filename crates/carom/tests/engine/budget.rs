//! The books of runs: energy by cause, momentum and angular momentum balance in every kind of scene.

use super::random::Xorshift;
use carom::audit::Audit;
use carom::body::{Body, Kind};
use carom::material::{Law, Material};
use carom::motion::Drive;
use carom::shape::{Ball, HalfSpace, Hollow, Shape};
use carom::simulate::{Compiled, Exact};
use carom::space::{Linear, Space, Space2, Space3};
use carom::world::World;
use glam::{DVec2, DVec3};

fn material(restitution: f64, friction: f64, law: Law) -> Material {
    Material {
        restitution,
        static_friction: friction,
        kinetic_friction: 0.8 * friction,
        law,
        ..Material::default()
    }
}

/// Balls of several sizes and masses on a lattice in [0, 8)^D, away from the origin, in a box of walls.
fn crowd<S: Compiled>(stuff: Material, walls: bool) -> World<S> {
    let mut world = World::<S>::new();
    let stuff = world.materials.add("stuff", stuff).unwrap();
    let mut random = Xorshift(0x1234_5678_9abc_def1);
    let count = [4, 4, if S::DIMENSION == 3 { 3 } else { 1 }];
    for cell in 0..count.iter().product::<usize>() {
        let place = [cell % 4, cell / 4 % 4, cell / 16].map(|i| 2.0 * i as f64 + 3.0);
        let velocity = [0; 3].map(|_| random.signed());
        let radius = 0.6 + 0.3 * random.signed();
        let mass = 1.0 + 0.9 * random.signed();
        let ball = Body::ball(radius, mass, S::vector(place), S::vector(velocity));
        world.add(ball.unwrap().made_of(stuff)).unwrap();
    }
    if walls {
        for axis in 0..S::DIMENSION {
            let top = 2.0 + 2.0 * count[axis] as f64;
            for (height, sign) in [(2.0, 1.0), (top, -1.0)] {
                let (mut point, mut normal) = ([0.0; 3], [0.0; 3]);
                (point[axis], normal[axis]) = (height, sign);
                let wall = HalfSpace::solid(S::vector(normal)).unwrap();
                let wall = Body::fixed(Shape::HalfSpace(wall)).at(S::vector(point));
                world.add(wall.made_of(stuff)).unwrap();
            }
        }
    }
    world
}

/// Runs for some time, and checks that everything balances to the rounding of so many collisions.
fn balances<S: Compiled>(world: World<S>, until: f64) -> Audit<S> {
    let mut run = Exact::new(world).unwrap();
    run.run_to(until).unwrap();
    assert!(run.collisions() > 100, "{}", run.collisions());
    let audit = run.audit();
    let collisions = run.collisions() as f64;
    // A collision rounds each velocity by some u of what there is; as those errors have no preferred sign their sum
    // grows like the root of their number, and 16 u for each is far beyond what they are.
    let u = 1.2e-16;
    let rounding = 16.0 * u * collisions.sqrt() + 64.0 * u;
    let turned = audit.initial.total().abs()
        + audit.now.total().abs()
        + audit.now.potential.abs()
        + audit.lost_in_collisions.abs()
        + audit.work_by_kinematic.abs();
    assert!(
        audit.energy_residual.abs() <= rounding * turned,
        "{audit:?}"
    );
    // Up to 50 balls of mass up to 2 and speeds up to √(2 E/m).
    let mass = 100.0;
    let momentum = (2.0 * mass * turned).sqrt() + audit.momentum_from_fixtures.length();
    assert!(
        audit.momentum_residual.length() <= rounding * momentum,
        "{audit:?}"
    );
    if let Some(angular) = audit.angular_momentum {
        // LeverArm are below 20 m.
        let size = 20.0 * momentum + angular.from_gravity.length();
        assert!(
            angular.residual.length() <= rounding * size,
            "{angular:?} of {size}"
        );
    }
    let total = |loss: carom::audit::Loss| {
        loss.restitution + loss.friction - loss.energy_added - loss.energy_added_by_friction
    };
    let sum = total(audit.losses.between_balls) + total(audit.losses.with_fixtures);
    assert!((sum - audit.lost_in_collisions).abs() <= 1e-14 * turned);
    audit
}

fn every_space(make: impl Fn() -> (World<Space2>, World<Space3>), until: f64) -> [Losses; 2] {
    let (plane, solid) = make();
    [
        Losses::of(&balances(plane, until)),
        Losses::of(&balances(solid, until)),
    ]
}

/// What the audit says of losses, without the space.
#[derive(Clone, Copy, Debug)]
struct Losses {
    between_balls: carom::audit::Loss,
    with_fixtures: carom::audit::Loss,
    work: f64,
}

impl Losses {
    fn of<S: Space>(audit: &Audit<S>) -> Self {
        Losses {
            between_balls: audit.losses.between_balls,
            with_fixtures: audit.losses.with_fixtures,
            work: audit.work_by_kinematic,
        }
    }
}

#[test]
fn an_elastic_crowd_in_walls_loses_nothing() {
    let stuff = material(1.0, 0.0, Law::Coulomb);
    for losses in every_space(|| (crowd(stuff, true), crowd(stuff, true)), 30.0) {
        // Not even rounding: ε = 1 without friction is known to lose nothing.
        assert_eq!(losses.between_balls, carom::audit::Loss::default());
        assert_eq!(losses.with_fixtures, carom::audit::Loss::default());
        assert_eq!(losses.work, 0.0);
    }
}

#[test]
fn friction_and_restitution_have_accounts_of_their_own() {
    for law in Law::ALL {
        let stuff = material(0.98, 0.1, law);
        for losses in every_space(|| (crowd(stuff, true), crowd(stuff, true)), 30.0) {
            for loss in [losses.between_balls, losses.with_fixtures] {
                assert!(loss.restitution > 1e-3, "{law}: {losses:?}");
                assert!(loss.friction > 1e-3, "{law}: {losses:?}");
                assert_eq!(loss.energy_added, 0.0);
            }
        }
    }
}

#[test]
fn an_open_crowd_keeps_its_angular_momentum() {
    let mut world = crowd::<Space3>(material(0.9, 0.3, Law::Coulomb), false);
    // A heavy ball that cannot be spun among them would take angular momentum up; here all can.
    world
        .add(
            Body::ball(
                2.0,
                50.0,
                DVec3::new(6.0, -9.0, 5.0),
                DVec3::new(0.0, 4.0, 0.0),
            )
            .unwrap(),
        )
        .unwrap();
    let mut run = Exact::new(world).unwrap();
    run.run_to(20.0).unwrap();
    assert!(run.collisions() > 20, "{}", run.collisions());
    let angular = run.audit().angular_momentum.unwrap();
    assert_eq!(angular.from_fixtures, DVec3::ZERO);
    assert_eq!(angular.from_gravity, DVec3::ZERO);
    // 200 kg m/s at arms of some 10 m, rounded some hundred times.
    assert!(angular.residual.length() < 1e-11, "{angular:?}");
    assert!(angular.initial.length() > 100.0);
}

#[test]
fn bumpers_put_energy_in() {
    let stuff = material(1.001, 0.0, Law::Coulomb);
    for losses in every_space(|| (crowd(stuff, true), crowd(stuff, true)), 20.0) {
        for loss in [losses.between_balls, losses.with_fixtures] {
            assert!(loss.energy_added > 1e-4, "{losses:?}");
            assert_eq!(loss.restitution, 0.0);
        }
    }
}

#[test]
fn gravity_turns_a_crowd_about_the_origin() {
    let falling = |friction: f64| {
        let stuff = material(1.0, friction, Law::Coulomb);
        let mut plane = crowd::<Space2>(stuff, true);
        plane.set_gravity(DVec2::new(0.3, -2.0)).unwrap();
        let mut solid = crowd::<Space3>(stuff, true);
        solid.set_gravity(DVec3::new(0.3, 0.5, -2.0)).unwrap();
        (plane, solid)
    };
    every_space(|| falling(0.0), 30.0);
    every_space(|| falling(0.05), 10.0);
    let (plane, _) = falling(0.0);
    let mut run = Exact::new(plane).unwrap();
    run.run_to(30.0).unwrap();
    let angular = run.audit().angular_momentum.unwrap();
    // Sixteen kilograms at some 6 m, at 2 m/s², for 30 s: the floor gives back what gravity takes.
    assert!(angular.from_gravity < -3000.0, "{angular:?}");
}

#[test]
fn prescribed_bodies_do_work_and_turn_the_crowd() {
    for friction in [0.0, 0.2] {
        let stuff = material(0.95, friction, Law::Coulomb);
        let mut world = crowd::<Space2>(stuff, true);
        let stuff = world.materials.find("stuff").unwrap();
        let paddle = Ball::new(0.3).unwrap();
        // It turns about a corner of the room, in the gaps of the lattice at first.
        let drive = Drive::Rotation {
            pivot: DVec2::new(6.0, 6.0),
            angular_velocity: 0.7,
        };
        let paddle = Body::kinematic(Shape::Ball(paddle), drive).at(DVec2::new(6.2, 6.0));
        world.add(paddle.made_of(stuff)).unwrap();
        let audit = balances(world, 30.0);
        assert!(audit.work_by_kinematic.abs() > 1e-3, "{audit:?}");
        assert!(audit.angular_momentum.unwrap().from_fixtures.abs() > 1.0);
    }
}

#[test]
fn a_round_room_keeps_smooth_angular_momentum_about_its_centre() {
    let mut world = World::<Space2>::new();
    let room = Hollow::new(5.0).unwrap();
    world.add(Body::fixed(Shape::Hollow(room))).unwrap();
    for (x, y, vx, vy) in [
        (1.0, 2.0, 0.7, 0.3),
        (-2.0, 0.5, 0.2, -1.0),
        (0.0, -3.0, 1.0, 0.1),
    ] {
        let ball = Body::ball(0.4, 1.0, DVec2::new(x, y), DVec2::new(vx, vy)).unwrap();
        world.add(ball).unwrap();
    }
    let mut run = Exact::new(world).unwrap();
    run.run_to(500.0).unwrap();
    let angular = run.audit().angular_momentum.unwrap();
    // Impulses of smooth walls point at the centre, to rounding: about 500 of them of size 2 at an arm of 4.6 m.
    assert!(run.collisions() > 200);
    assert!(angular.from_fixtures.abs() < 1e-12, "{angular:?}");
    assert!((angular.now - angular.initial).abs() < 1e-12);
}

#[test]
fn what_keeps_a_ball_from_turning_is_in_the_books() {
    let stuff = material(0.9, 0.4, Law::Coulomb);
    let mut world = World::<Space3>::new();
    let stuff = world.materials.add("stuff", stuff).unwrap();
    for (x, spins) in [(0.0, false), (3.0, true)] {
        let velocity = DVec3::new(if spins { -1.0 } else { 1.0 }, 0.3 * x, 0.0);
        let mut ball = Body::ball(1.0, 2.0, DVec3::new(x, 0.1 - 0.3 * x, 0.0), velocity).unwrap();
        if let (Kind::Free(free), false) = (&mut ball.kind, spins) {
            free.inertia = f64::INFINITY;
        }
        world.add(ball.made_of(stuff)).unwrap();
    }
    let mut run = Exact::new(world).unwrap();
    run.run_to(5.0).unwrap();
    assert_eq!(run.collisions(), 1);
    let angular = run.audit().angular_momentum.unwrap();
    assert!(angular.from_fixtures.length() > 0.01, "{angular:?}");
    assert!(angular.residual.length() < 1e-14, "{angular:?}");
}

#[test]
fn a_periodic_box_has_no_angular_momentum_to_speak_of() {
    let mut world = World::<Space2>::new();
    world.set_periodic([Some(10.0), None, None]).unwrap();
    world
        .add(Body::ball(0.5, 1.0, DVec2::new(1.0, 2.0), DVec2::X).unwrap())
        .unwrap();
    let run = Exact::new(world).unwrap();
    assert_eq!(run.audit().angular_momentum, None);
}
