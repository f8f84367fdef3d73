//! Contacts of measurable duration (row C4): the pair travels in tandem for the contact time, then the bodies leave
//! with the impulse velocities.

mod cut_short;
mod gases;

use carom::audit::Audit;
use carom::body::{CollisionFilter, Kind};
use carom::material::{Materials, PairOverride};
use carom::prelude::*;
use carom::record::{Collision, Release, Separation};
use carom::shape::{Ball, HalfSpace, Hollow, Segment, Shape2};
use carom::simulate::Exact;
use carom::simulate::{Compiled, View};
use carom::space::Linear;
use std::ops::ControlFlow;

/// u, the unit roundoff.
const U: f64 = f64::EPSILON / 2.0;

fn world<S: Compiled>(material: Material, gravity: [f64; 3]) -> World<S> {
    let mut world = World::<S>::new();
    world.materials.add("default", material).unwrap();
    world.set_gravity(S::vector(gravity)).unwrap();
    world
}

fn lasting(contact_duration: f64) -> Material {
    Material {
        contact_duration,
        ..Material::default()
    }
}

fn spinning<S: Compiled>(ball: Body<S>, angular_velocity: S::Angular) -> Body<S> {
    let mut ball = ball;
    if let Kind::Free(free) = &mut ball.kind {
        free.angular_velocity = angular_velocity;
    }
    ball
}

/// All that happened, collisions with what they are.
fn run<S: Compiled>(exact: &mut Exact<S>, until: f64) -> (Vec<Collision<S>>, Vec<Release>) {
    let (mut collisions, mut releases) = (Vec::new(), Vec::new());
    exact
        .run_until(Until::time(until), |event| {
            match event {
                Event::Collision(collision) => collisions.push(**collision),
                Event::Released(release) => releases.push(*release),
                _ => {}
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    (collisions, releases)
}

/// The books balance to so many roundings of what is in them.
fn balanced<S: Compiled>(audit: &Audit<S>, roundings: f64) {
    let energy = audit.initial.total().abs()
        + audit.initial.potential.abs()
        + audit.now.translational
        + audit.now.rotational
        + audit.now.potential.abs()
        + audit.in_contact.energy.abs()
        + audit.lost_in_collisions.abs()
        + audit.work_by_kinematic.abs();
    assert!(
        audit.energy_residual.abs() <= roundings * U * energy,
        "{audit:#?}"
    );
    // Masses here are below 64 kg in all.
    let momentum = (128.0 * energy).sqrt()
        + audit.momentum_from_fixtures.length()
        + audit.momentum_from_gravity.length();
    assert!(
        audit.momentum_residual.length() <= roundings * U * momentum,
        "{audit:#?}"
    );
    if let Some(angular) = audit.angular_momentum {
        // LeverArm here are below 16 m.
        let size = 16.0 * momentum + angular.from_gravity.length();
        assert!(
            angular.residual.length() <= roundings * U * size,
            "{angular:#?}"
        );
    }
}

/// Two balls head-on at (±1, 0), meeting at t = 2 with the centres half a metre either side of the origin.
fn head_on<S: Compiled>(material: Material, gravity: [f64; 3], spins: [S::Angular; 2]) -> World<S> {
    let mut world = world::<S>(material, gravity);
    for (side, mass, angular_velocity) in [(-1.0, 3.0, spins[0]), (1.0, 1.0, spins[1])] {
        let place = S::vector([side, 0.0, 0.0]);
        let velocity = S::vector([-0.25 * side, 0.125, 0.0]);
        let ball = Body::ball(0.5, mass, place, velocity).unwrap();
        world.add(spinning(ball, angular_velocity)).unwrap();
    }
    world
}

/// m 3 and 1 kg at ±¼ m/s: v_s = ⅛ m/s; with ε = ½ they leave at 1/16 and 5/16. I = ½ m r² in the plane, so that ω_s =
/// (3·2 + 1·(−6))/4 = 0.
#[test]
fn a_head_on_pair_in_closed_form() {
    let material = Material {
        restitution: 0.5,
        ..lasting(0.25)
    };
    let mut exact = Exact::new(head_on::<Space2>(material, [0.0; 3], [2.0, -2.0])).unwrap();
    let (a, b) = (BodyId(0), BodyId(1));
    let (collisions, releases) = run(&mut exact, 2.125);
    assert_eq!((collisions.len(), releases.len()), (1, 0));
    assert_eq!((collisions[0].time, collisions[0].duration), (2.0, 0.25));
    // While they are together: all these numbers are dyadic, and exact.
    let together = DVec2::new(0.125, 0.125);
    for (id, place) in [(a, -0.5), (b, 0.5)] {
        let state = exact.state(id);
        assert_eq!(state.velocity, together);
        assert_eq!(state.angular_velocity, (3.0 * 2.0 - 2.0) / 4.0);
        assert_eq!(
            state.position,
            DVec2::new(place + 0.125 / 8.0, 0.25 + 0.125 / 8.0)
        );
    }
    let audit = exact.audit();
    assert_eq!(audit.in_contact.contacts, 1);
    // What the relative motion is to be: ½ · ¾ · (¼)², and the spins' ½ (⅜·4 + ⅛·4 − ½·1).
    assert_eq!(audit.in_contact.energy, 0.75 / 32.0 + 0.75);
    assert_eq!(audit.in_contact.momentum, DVec2::ZERO);
    balanced(&audit, 4.0);
    let (collisions, releases) = run(&mut exact, 3.0);
    assert!(collisions.is_empty());
    let [release] = releases[..] else {
        panic!("one release: {releases:?}");
    };
    assert_eq!((release.time, release.duration), (2.25, 0.25));
    assert_eq!((release.number, release.a, release.b), (1, a, b));
    assert_eq!(release.separation, Separation::Time);
    for (id, place, speed, angular_velocity) in [(a, -0.5, 0.0625, 2.0), (b, 0.5, 0.3125, -2.0)] {
        let state = exact.state(id);
        assert_eq!(state.velocity, DVec2::new(speed, 0.125));
        assert_eq!(state.angular_velocity, angular_velocity);
        let x = place + 0.125 / 4.0 + 0.75 * speed;
        assert_eq!(state.position, DVec2::new(x, 0.375));
    }
    let audit = exact.audit();
    assert_eq!(audit.in_contact.contacts, 0);
    assert_eq!(audit.in_contact.energy, 0.0);
    balanced(&audit, 4.0);
}

/// The angle turned meanwhile is ω_s τ, in space about any axis.
#[test]
fn angles_advance_with_the_common_spin() {
    let spins = [DVec3::new(0.0, 0.0, 4.0), DVec3::ZERO];
    let mut exact = Exact::new(head_on::<Space3>(lasting(0.5), [0.0; 3], spins)).unwrap();
    run(&mut exact, 2.5);
    // 4 · 2 rad before the contact, then 3 rad/s for ½ s.
    let expected = DQuat::from_rotation_z(9.5);
    let turned = exact.state(BodyId(0)).rotation;
    assert!(turned.dot(expected).abs() > 1.0 - 1e-14, "{turned:?}");
    let expected = DQuat::from_rotation_z(1.5);
    let turned = exact.state(BodyId(1)).rotation;
    assert!(turned.dot(expected).abs() > 1.0 - 1e-14, "{turned:?}");
}

/// A pair that falls: with gravity everything is what it was without, in the frame that falls with it.
#[test]
fn a_pair_falls_as_one() {
    for restitution in [0.0, 0.5, 1.0, 1.5] {
        let material = Material {
            restitution,
            static_friction: 0.3,
            kinetic_friction: 0.2,
            ..lasting(0.3)
        };
        let g = DVec3::new(0.25, -2.0, 0.5);
        let spins = [DVec3::new(1.0, 2.0, 3.0), DVec3::new(-1.0, 0.5, 0.0)];
        let states = [[0.0; 3], g.to_array()].map(|gravity| {
            let mut exact = Exact::new(head_on::<Space3>(material, gravity, spins)).unwrap();
            [2.1, 2.2, 2.29, 3.0].map(|time| {
                exact.run_to(time).unwrap();
                balanced(&exact.audit(), 16.0);
                let in_contact = exact.audit().in_contact.contacts;
                assert_eq!(in_contact, u64::from(time < 2.3));
                [BodyId(0), BodyId(1)].map(|id| (time, exact.state(id)))
            })
        });
        let [free, falling] = states.map(|states| states.into_iter().flatten());
        for ((time, free), (_, falling)) in free.zip(falling) {
            let place = free.position + g * (0.5 * time * time);
            assert!(falling.position.abs_diff_eq(place, 64.0 * U * 10.0));
            assert!((falling.velocity).abs_diff_eq(free.velocity + g * time, 64.0 * U * 6.0));
            assert!(
                falling
                    .angular_velocity
                    .abs_diff_eq(free.angular_velocity, 64.0 * U * 4.0)
            );
        }
    }
}

/// Against a wall the ball goes on at its velocity along the wall, and leaves as the law has it.
#[test]
fn a_wall_keeps_the_velocity_along_it() {
    let material = Material {
        restitution: 0.5,
        ..lasting(0.5)
    };
    for velocity in [0.0, -0.25, 0.5] {
        let mut world = world::<Space2>(material, [0.0; 3]);
        let ball = Body::ball(0.25, 2.0, DVec2::new(0.0, 1.25), DVec2::new(0.5, -1.0)).unwrap();
        let ball = world.add(ball).unwrap();
        let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
        let drive = Drive::Uniform {
            velocity: DVec2::new(3.0, velocity),
        };
        let pose = Pose::at(DVec2::ZERO);
        let wall = if velocity == 0.0 {
            Body::fixed(floor).pose(pose)
        } else {
            Body::kinematic(floor, drive).pose(pose)
        };
        world.add(wall).unwrap();
        let mut exact = Exact::new(world).unwrap();
        let meets = 1.0 / (1.0 + velocity);
        let (collisions, _) = run(&mut exact, meets + 0.25);
        assert_eq!(collisions.len(), 1);
        let state = exact.state(ball);
        // A few roundings of numbers about one.
        assert!(
            state
                .velocity
                .abs_diff_eq(DVec2::new(0.5, velocity), 8.0 * U)
        );
        let height = 0.25 + velocity * (meets + 0.25);
        assert!(
            state
                .position
                .abs_diff_eq(DVec2::new(0.5 * (meets + 0.25), height), 16.0 * U)
        );
        balanced(&exact.audit(), 16.0);
        assert!(exact.audit().in_contact.energy != 0.0);
        let (_, releases) = run(&mut exact, meets + 1.0);
        assert_eq!(releases.len(), 1);
        assert!((releases[0].duration - 0.5).abs() < 8.0 * U);
        let state = exact.state(ball);
        let rebound = velocity + 0.5 * (1.0 + velocity);
        assert!(
            state
                .velocity
                .abs_diff_eq(DVec2::new(0.5, rebound), 8.0 * U)
        );
        let height = 0.25 + velocity * (meets + 0.5) + 0.5 * rebound;
        assert!((state.position.y - height).abs() < 16.0 * U);
        balanced(&exact.audit(), 16.0);
    }
}

/// On a slope, with friction, under gravity: the books are right at all times.
#[test]
fn books_on_a_slope() {
    for friction in [0.0, 0.4] {
        let material = Material {
            restitution: 0.7,
            static_friction: friction,
            kinetic_friction: friction,
            ..lasting(0.01)
        };
        let mut world = world::<Space3>(material, [0.0, 0.0, -9.81]);
        let ball = Body::ball(0.1, 0.5, DVec3::new(0.0, 0.0, 1.0), DVec3::X).unwrap();
        world
            .add(spinning(ball, DVec3::new(5.0, 7.0, 3.0)))
            .unwrap();
        let slope = HalfSpace::solid(DVec3::new(0.6, 0.0, 0.8)).unwrap();
        let slope = Body::fixed(Shape::HalfSpace(slope));
        world.add(slope).unwrap();
        let mut exact = Exact::new(world).unwrap();
        let mut together = 0;
        for frame in 1..=1600 {
            exact.run_to(0.002 * f64::from(frame)).unwrap();
            let audit = exact.audit();
            together += audit.in_contact.contacts;
            balanced(&audit, 64.0 + 16.0 * exact.collisions() as f64);
        }
        assert!(together > 5, "{together}");
        assert!(exact.collisions() > 4);
    }
}

/// Inside a circle, outside a disc, around a corner: the ball follows what it touches, and leaves at the same angle.
#[test]
fn around_what_is_curved() {
    let room = Shape::Hollow(Hollow::new(2.0).unwrap());
    for gravity in [0.0, -3.0] {
        let mut world = world::<Space2>(lasting(0.2), [0.0, gravity, 0.0]);
        let ball = Body::ball(0.25, 1.0, DVec2::new(0.3, 0.2), DVec2::new(1.0, 0.7)).unwrap();
        let ball = world.add(ball).unwrap();
        world.add(Body::fixed(room.clone())).unwrap();
        let mut exact = Exact::new(world).unwrap();
        let mut together = 0;
        for frame in 1..=4000 {
            exact.run_to(0.01 * f64::from(frame)).unwrap();
            let audit = exact.audit();
            let state = exact.state(ball);
            if audit.in_contact.contacts > 0 {
                together += 1;
                // The pieces around the wall are good to 1e-13.
                assert!((state.position.length() - 1.75).abs() < 1e-12);
                assert!(state.position.dot(state.velocity).abs() < 1e-12);
            }
            assert!(audit.energy_residual.abs() < 1e-11, "{audit:#?}");
            assert!(audit.momentum_residual.length() < 1e-11, "{audit:#?}");
            let angular = audit.angular_momentum.expect("there is no periodic box");
            assert!(angular.residual.abs() < 1e-11, "{angular:#?}");
            if gravity == 0.0 {
                // A smooth round wall keeps the angular momentum, in contact or not.
                let now = angular.now + angular.in_contact;
                assert!((now - angular.initial).abs() < 1e-11, "{angular:#?}");
            }
        }
        assert!(together > 100 && exact.collisions() > 10, "{together}");
        assert!(exact.audit().deepest_overlap < 1e-11);
    }
}

/// Walls that turn and oscillate carry the ball with them: it stays on the wall as it is, and leaves at the speed
/// relative to it that the law gave.
#[test]
fn with_what_turns_and_oscillates() {
    let floor = || Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
    let drives = [
        Drive::Oscillation {
            amplitude: DVec2::new(0.1, 0.1),
            frequency: 1.0,
            phase: 0.3,
        },
        Drive::Rotation {
            pivot: DVec2::new(-1.0, 0.0),
            angular_velocity: 0.7,
        },
        Drive::Swing {
            pivot: DVec2::new(-1.0, 0.0),
            axis: 1.0,
            knots: vec![(0.0, 0.0), (5.0, 3.0)],
        },
    ];
    for drive in drives {
        let material = Material {
            restitution: 0.8,
            ..lasting(0.3)
        };
        let mut world = world::<Space2>(material, [0.0, -1.0, 0.0]);
        let ball = Body::ball(0.25, 2.0, DVec2::new(0.0, 1.25), DVec2::new(0.25, -2.0)).unwrap();
        let ball = world.add(ball).unwrap();
        let wall = Body::kinematic(floor(), drive.clone());
        let wall = world.add(wall).unwrap();
        let mut exact = Exact::new(world).unwrap();
        let mut seen = 0;
        for frame in 1..=400 {
            let (before, _) = run(&mut exact, 0.002 * f64::from(frame));
            if let Some(collision) = before.first() {
                assert_eq!(collision.duration, 0.3);
            }
            let audit = exact.audit();
            balanced(&audit, 1024.0);
            if audit.in_contact.contacts == 0 {
                continue;
            }
            seen += 1;
            let (ball, wall) = (exact.state(ball), exact.state(wall));
            let normal = DVec2::new(-wall.rotation.sin, wall.rotation.cos);
            let height = normal.dot(ball.position - wall.position);
            assert!((height - 0.25).abs() < 1e-13, "{drive:?}: {height}");
            let arm = ball.position - normal * 0.25 - wall.position;
            let surface = wall.velocity + wall.angular_velocity * arm.perp();
            let across = normal.dot(ball.velocity - surface);
            assert!(across.abs() < 1e-12, "{drive:?}: {across:e}");
        }
        assert!(seen > 100, "{drive:?}: {seen}");
    }
}

/// A ball that bounces on the floor comes to rest: each bounce takes the contact's time longer.
#[test]
fn a_ball_comes_to_rest() {
    let material = Material {
        restitution: 0.5,
        ..lasting(0.01)
    };
    let mut world = world::<Space2>(material, [0.0, -9.81, 0.0]);
    let ball = Body::ball(0.1, 1.0, DVec2::new(0.0, 0.6), DVec2::ZERO).unwrap();
    let ball = world.add(ball).unwrap();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
    world.add(Body::fixed(floor)).unwrap();
    let mut exact = Exact::new(world).unwrap();
    let (collisions, releases) = run(&mut exact, 5.0);
    assert_eq!(exact.number_at_rest(), 1);
    assert_eq!(exact.state(ball).velocity, DVec2::ZERO);
    // The last one settles.
    assert_eq!(collisions.len(), releases.len() + 1);
    assert!(
        releases.len() > 10 && releases.len() < 60,
        "{}",
        releases.len()
    );
    // Every bounce comes when it would without durations, later by the contacts before it.
    let fall = (2.0 * 0.5 / 9.81_f64).sqrt();
    for (n, collision) in collisions.iter().take(8).enumerate() {
        let bounces: f64 = (1..=n).map(|k| 2.0 * fall * 0.5_f64.powi(k as i32)).sum();
        let expected = fall + bounces + 0.01 * n as f64;
        assert!((collision.time - expected).abs() < 1e-13, "{n}");
    }
    assert!(exact.audit().energy_residual.abs() < 1e-13);
}

/// A gas of 50 balls in a box, some with friction.
fn gas<S: Compiled>(material: Material, gravity: [f64; 3], periodic: bool) -> World<S> {
    let mut world = world::<S>(material, gravity);
    let mut seed = 7_u64;
    let mut random = || {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let side = 8.0;
    let step = side / 8.0;
    for index in 0..50 {
        let cell = [
            index % 8,
            index / 8,
            if S::DIMENSION == 3 { index % 3 } else { 0 },
        ];
        let place = S::vector(cell.map(|along| (along as f64 + 0.5) * step));
        let velocity = S::vector([random(), random(), random()]);
        let ball = Body::ball(0.4 + 0.05 * random(), 1.0 + 0.2 * random(), place, velocity);
        world.add(ball.unwrap()).unwrap();
    }
    if periodic {
        let length = |axis: usize| (axis < S::DIMENSION).then_some(side);
        world
            .set_periodic([length(0), length(1), length(2)])
            .unwrap();
        return world;
    }
    for axis in 0..S::DIMENSION {
        for (place, direction) in [(0.0, 1.0), (side, -1.0)] {
            let (mut point, mut normal) = ([0.0; 3], [0.0; 3]);
            (point[axis], normal[axis]) = (place, direction);
            let wall = HalfSpace::solid(S::vector(normal)).unwrap();
            let wall = Body::fixed(Shape::HalfSpace(wall)).at(S::vector(point));
            world.add(wall).unwrap();
        }
    }
    world
}
