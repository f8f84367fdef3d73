//! Contacts of measurable duration (row C4): the pair travels in tandem for the contact time, then the bodies leave
//! with the impulse velocities.

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
        // Arms here are below 16 m.
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
    assert_eq!((collisions[0].time, collisions[0].lasts), (2.0, 0.25));
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
        let wall = match velocity == 0.0 {
            true => Body::fixed(floor).pose(pose),
            false => Body::kinematic(floor, drive).pose(pose),
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
                assert_eq!(collision.lasts, 0.3);
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

/// A swing that comes to its end lets the ball go; so does a path at its corner, and a segment at its end.
#[test]
fn walls_that_end_let_go() {
    let mut world = world::<Space2>(lasting(10.0), [0.0; 3]);
    let ball = Body::ball(0.25, 1.0, DVec2::new(0.0, 1.25), DVec2::new(0.5, -1.0)).unwrap();
    world.add(ball).unwrap();
    let segment = Segment::new(DVec2::new(-1.0, 0.0), DVec2::new(1.0, 0.0)).unwrap();
    let segment = Shape::own(Shape2::Segment(segment));
    world.add(Body::fixed(segment)).unwrap();
    let mut exact = Exact::new(world).unwrap();
    let (_, releases) = run(&mut exact, 5.0);
    assert_eq!(releases.len(), 1);
    assert_eq!(releases[0].separation, Separation::Wall);
    // It touches at x = ½, and comes to the end after a metre's half at ½ m/s.
    assert!((releases[0].duration - 1.0).abs() < 1e-11);
    // It is past the end by a share of 1e-12 when that is noticed, and the normal has turned by as much.
    let velocity = exact.state(BodyId(0)).velocity;
    assert!(velocity.abs_diff_eq(DVec2::new(0.5, 1.0), 1e-11));

    let mut world = self::world::<Space2>(lasting(10.0), [0.0; 3]);
    let ball = Body::ball(0.25, 1.0, DVec2::new(0.0, 1.25), DVec2::new(0.5, -1.0)).unwrap();
    world.add(ball).unwrap();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
    let knots = vec![
        (0.0, DVec2::ZERO),
        (2.0, DVec2::new(0.0, 0.5)),
        (3.0, DVec2::ZERO),
    ];
    let drive = Drive::Path { knots };
    world.add(Body::kinematic(floor, drive)).unwrap();
    let mut exact = Exact::new(world).unwrap();
    let (_, releases) = run(&mut exact, 2.5);
    assert_eq!(
        (releases.len(), releases[0].separation),
        (1, Separation::Wall)
    );
    assert_eq!(releases[0].time, 2.0);
    balanced(&exact.audit(), 64.0);
}

/// A third ball that strikes the pair: it is released at once, and then the strike is answered.
#[test]
fn a_third_body_cuts_it_short() {
    let mut world = head_on::<Space2>(lasting(1.0), [0.0; 3], [0.0; 2]);
    // It comes upon the left one from above at t = 2.5, 0.875 m above the centre of the left one, which drifts.
    let third = Body::ball(0.5, 1.0, DVec2::new(-0.5, 9.0), DVec2::new(0.0, -3.0)).unwrap();
    let third = world.add(third).unwrap();
    let mut exact = Exact::new(world).unwrap();
    let (collisions, releases) = run(&mut exact, 2.9);
    assert_eq!(collisions.len(), 2, "{collisions:#?}");
    let strike = &collisions[1];
    assert_eq!((strike.a, strike.b), (BodyId(0), third));
    assert_eq!(releases[0].separation, Separation::Struck);
    assert_eq!(releases[0].time, strike.time);
    assert_eq!(releases[0].duration, strike.time - 2.0);
    assert!(releases[0].duration < 1.0);
    // The strike meets it with the velocity that it was to leave with: m 3 and 1, elastic, at ±¼.
    assert!(
        strike.before[0]
            .velocity
            .abs_diff_eq(DVec2::new(0.0, 0.125), 4.0 * U)
    );
    // And is one that lasts.
    assert_eq!(strike.lasts, 1.0);
    let audit = exact.audit();
    assert_eq!(audit.in_contact.contacts, 1);
    balanced(&audit, 32.0);
    let partner = exact.state(BodyId(1));
    assert!(
        partner
            .velocity
            .abs_diff_eq(DVec2::new(0.5, 0.125), 4.0 * U)
    );
}

/// Two strikes at one instant, of which the second is on a pair: the pair is released before the two are answered
/// together, whoever comes first.
#[test]
fn a_pair_in_a_row_is_released_first() {
    let outcomes = [false, true].map(|last| {
        // They come upon the left one of the pair, which is at (−0.4375, 0.3125) at t = 2.5.
        let row = |world: &mut World2| {
            for (place, speed) in [(-5.25, 1.125), (-3.0, 0.625)] {
                let velocity = DVec2::new(speed, 0.125);
                let ball = Body::ball(0.5, 1.0, DVec2::new(place, 0.0), velocity).unwrap();
                world.add(ball).unwrap();
            }
        };
        let pair = head_on::<Space2>(lasting(1.0), [0.0; 3], [0.0; 2]);
        let mut world = world::<Space2>(lasting(1.0), [0.0; 3]);
        if !last {
            row(&mut world);
        }
        for body in pair.bodies() {
            world.add(body.clone()).unwrap();
        }
        if last {
            row(&mut world);
        }
        let ids = if last { [2, 3, 0, 1] } else { [0, 1, 2, 3] }.map(BodyId);
        let mut exact = Exact::new(world).unwrap();
        let (collisions, releases) = run(&mut exact, 2.51);
        assert_eq!(releases.len(), 1);
        assert_eq!(
            (releases[0].time, releases[0].separation),
            (2.5, Separation::Struck)
        );
        assert_eq!((releases[0].a, releases[0].b), (ids[2], ids[3]));
        // Elastic, at 1.125, 0.625 and 0 m/s: the left one of the pair leaves at 0.7 m/s and runs after the right one,
        // which has left at 0.5.
        assert_eq!(collisions.len(), 4);
        assert!(collisions.iter().skip(1).all(|hit| hit.time == 2.5));
        let lasts: Vec<f64> = collisions.iter().map(|hit| hit.lasts).collect();
        assert_eq!(lasts, [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(exact.sticking_pairs()[0].0, ids[2]);
        balanced(&exact.audit(), 32.0);
        ids.map(|id| exact.state(id).velocity)
    });
    // Both orders have the same contacts to answer together.
    for (a, b) in outcomes[0].iter().zip(&outcomes[1]) {
        assert!(a.abs_diff_eq(*b, 16.0 * U), "{outcomes:?}");
    }
    let together = DVec2::new((3.0 * 0.7 + 0.5) / 4.0, 0.125);
    assert!(outcomes[0][3].abs_diff_eq(together, 8.0 * U));
}

/// A pair that comes upon a wall leaves each other there.
#[test]
fn scenery_cuts_it_short() {
    let mut world = head_on::<Space2>(lasting(8.0), [0.0; 3], [0.0; 2]);
    let wall = HalfSpace::solid(-DVec2::X).unwrap();
    let wall = Body::fixed(Shape::HalfSpace(wall)).at(DVec2::new(1.75, 0.0));
    world.add(wall).unwrap();
    let mut exact = Exact::new(world).unwrap();
    // The right ball has three quarters of a metre, at ⅛ m/s.
    let (collisions, releases) = run(&mut exact, 8.5);
    assert_eq!(releases.len(), 1);
    assert_eq!(
        (releases[0].separation, releases[0].time),
        (Separation::Struck, 8.0)
    );
    assert_eq!((collisions[1].time, collisions[1].b), (8.0, BodyId(2)));
    assert_eq!(collisions[1].before[0].velocity, DVec2::new(0.5, 0.125));
    balanced(&exact.audit(), 32.0);
}

/// A sensor sees the pair pass, and nothing else comes of it.
#[test]
fn sensors_see_the_pair_pass() {
    let run_with = |sensor: bool| {
        let mut world = head_on::<Space2>(lasting(1.0), [0.0, -0.5, 0.0], [1.0, 0.0]);
        if sensor {
            let gate = HalfSpace::solid(DVec2::Y).unwrap();
            let pose = Pose::at(DVec2::new(0.0, -1.75));
            let gate = Body::fixed(Shape::HalfSpace(gate)).pose(pose);
            world.add(gate.sensing()).unwrap();
        }
        let mut exact = Exact::new(world).unwrap();
        let mut passed = 0;
        exact
            .run_until(Until::time(5.0), |event| {
                passed += u32::from(matches!(event, Event::Entered(_)));
                ControlFlow::Continue(())
            })
            .unwrap();
        balanced(&exact.audit(), 32.0);
        let states = [BodyId(0), BodyId(1)].map(|id| exact.state(id));
        (
            passed,
            states.map(|it| (it.position, it.velocity, it.angular_velocity)),
        )
    };
    let (none, free) = run_with(false);
    let (two, passed) = run_with(true);
    assert_eq!((none, two), (0, 2));
    assert_eq!(free, passed);
}

/// Edits from outside release the pair first, and are in the books.
#[test]
fn edits_cut_it_short() {
    for edit in 0..5 {
        let mut world = head_on::<Space2>(lasting(1.0), [0.0, -1.0, 0.0], [0.0; 2]);
        let floor = HalfSpace::solid(DVec2::Y).unwrap();
        let pose = Pose::at(DVec2::new(0.0, -10.0));
        world
            .add(Body::fixed(Shape::HalfSpace(floor)).pose(pose))
            .unwrap();
        let mut exact = Exact::new(world).unwrap();
        run(&mut exact, 2.5);
        let (a, b) = (BodyId(0), BodyId(1));
        assert_eq!(exact.sticking_pairs(), [(a, b, 0.5)]);
        match edit {
            0 => exact.set_velocity(a, DVec2::new(-3.0, 0.0), 0.0).unwrap(),
            1 => exact.set_position(a, DVec2::new(-5.0, 0.0)).unwrap(),
            2 => drop(exact.remove(a).unwrap()),
            3 => exact
                .set_groups(
                    a,
                    CollisionFilter {
                        memberships: 2,
                        mask: 2,
                    },
                )
                .unwrap(),
            _ => exact.set_gravity(DVec2::new(1.0, 0.0)).unwrap(),
        }
        balanced(&exact.audit(), 64.0);
        let (_, releases) = run(&mut exact, 2.75);
        let contacts = exact.audit().in_contact.contacts;
        if edit < 4 {
            assert_eq!((releases.len(), contacts), (1, 0));
            assert_eq!(
                (releases[0].separation, releases[0].time),
                (Separation::Edited, 2.5)
            );
            let left = exact.state(b).velocity;
            // ½ m/s, and what gravity did.
            assert!(left.abs_diff_eq(DVec2::new(0.5, 0.125 - 2.75), 16.0 * U));
        } else {
            // Another gravity does not part them: it pulls at both.
            assert_eq!((releases.len(), contacts), (0, 1));
            let (_, releases) = run(&mut exact, 4.0);
            assert_eq!((releases.len(), releases[0].time), (1, 3.0));
        }
        balanced(&exact.audit(), 64.0);
    }
}

/// A wall that goes, or moves otherwise, lets go.
#[test]
fn walls_that_change_let_go() {
    for edit in 0..2 {
        let mut world = world::<Space2>(lasting(1.0), [0.0; 3]);
        let ball = Body::ball(0.25, 1.0, DVec2::new(0.0, 1.25), DVec2::new(0.5, -1.0)).unwrap();
        world.add(ball).unwrap();
        let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
        let floor = world.add(Body::fixed(floor)).unwrap();
        let mut exact = Exact::new(world).unwrap();
        run(&mut exact, 1.5);
        match edit {
            0 => drop(exact.remove(floor).unwrap()),
            _ => {
                let velocity = DVec2::new(0.0, -1.0);
                exact.set_drive(floor, Drive::Uniform { velocity }).unwrap();
            }
        }
        let (_, releases) = run(&mut exact, 2.0);
        assert_eq!(
            (releases[0].separation, releases[0].duration),
            (Separation::Edited, 0.5)
        );
        assert_eq!(exact.state(BodyId(0)).velocity, DVec2::new(0.5, 1.0));
        balanced(&exact.audit(), 16.0);
    }
}

/// Contacts that close at one instant and share a ball are impacts.
#[test]
fn several_at_once_are_impacts() {
    let mut world = world::<Space2>(lasting(1.0), [0.0; 3]);
    for (x, v) in [(-2.0, 1.0), (0.0, 0.0), (2.0, -1.0)] {
        let ball = Body::ball(0.5, 1.0, DVec2::new(x, 0.0), DVec2::new(v, 0.0)).unwrap();
        world.add(ball).unwrap();
    }
    let mut exact = Exact::new(world).unwrap();
    let (collisions, releases) = run(&mut exact, 1.5);
    assert_eq!((collisions.len(), releases.len()), (2, 0));
    assert!(collisions.iter().all(|collision| collision.lasts == 0.0));
    assert_eq!(exact.state(BodyId(0)).velocity, DVec2::new(-1.0, 0.0));
}

/// ε = 0: they leave at one velocity, touch, and are not struck again.
#[test]
fn what_does_not_bounce_stays_together_in_peace() {
    let material = Material {
        restitution: 0.0,
        ..lasting(0.1)
    };
    let mut world = world::<Space3>(material, [0.0; 3]);
    for (place, velocity) in [
        (DVec3::new(-1.0, 0.1, 0.0), DVec3::new(0.23, 0.11, -0.07)),
        (DVec3::new(1.0, 0.0, 0.2), DVec3::new(-0.31, 0.13, -0.11)),
    ] {
        world
            .add(Body::ball(0.5, 1.7, place, velocity).unwrap())
            .unwrap();
    }
    let mut exact = Exact::new(world).unwrap();
    let (collisions, releases) = run(&mut exact, 1000.0);
    assert_eq!((collisions.len(), releases.len()), (1, 1));
    balanced(&exact.audit(), 32.0);
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

fn balanced_gas<S: Compiled>(world: World<S>, most: u64) {
    let mut exact = Exact::new(world).unwrap();
    let (mut struck, mut ended, mut together) = (0, 0, 0);
    let mut time = 0.0;
    while exact.collisions() < most {
        time += 0.05;
        // At every event.
        let check = |run: &View<'_, S>| {
            balanced(&run.audit(), 64.0 + 8.0 * (run.collisions() as f64).sqrt());
            false
        };
        exact
            .run_until(Until::time(time).or(check), |event| {
                if let Event::Released(release) = event {
                    ended += 1;
                    struck += u32::from(release.separation == Separation::Struck);
                }
                ControlFlow::Continue(())
            })
            .unwrap();
        let audit = exact.audit();
        together += audit.in_contact.contacts;
        // Each collision and each release round a few times.
        balanced(&audit, 64.0 + 8.0 * (exact.collisions() as f64).sqrt());
        assert!(time < 1e4, "{}", exact.collisions());
    }
    assert!(ended > 1000 && together > 100, "{ended}, {together}");
    // In a gas this dense others come upon pairs now and then.
    assert!(struck > 10, "{struck}");
    let alive = exact.sticking_pairs().len();
    assert_eq!(alive as u64, exact.audit().in_contact.contacts);
    // A contact at a wall overlaps by rounding alone.
    assert!(exact.audit().deepest_overlap < 1e-12);
}

#[test]
fn gases_keep_their_books() {
    let rough = Material {
        restitution: 0.98,
        static_friction: 0.2,
        kinetic_friction: 0.1,
        ..lasting(0.05)
    };
    balanced_gas(gas::<Space2>(lasting(0.05), [0.0; 3], false), 5000);
    balanced_gas(gas::<Space2>(lasting(0.02), [0.3, -0.5, 0.0], false), 5000);
    balanced_gas(gas::<Space2>(rough, [0.0; 3], true), 3000);
    balanced_gas(gas::<Space3>(lasting(0.05), [0.0; 3], true), 3000);
    balanced_gas(gas::<Space3>(rough, [0.0, 0.0, -0.5], false), 3000);
}

fn same_bits<S: Compiled>(world: &World<S>, until: f64) {
    let mut whole = Exact::new(world.clone()).unwrap();
    let all = run(&mut whole, until);
    assert!(all.1.len() > 20, "{}", all.1.len());
    let mut reference = Exact::reference(world.clone()).unwrap();
    assert_eq!(all, run(&mut reference, until));
    assert_eq!(whole.digest(), reference.digest());
    let mut segments = Exact::new(world.clone()).unwrap();
    let mut stored = Exact::new(world.clone()).unwrap();
    let (mut in_pieces, mut via_snapshot) = (0, 0);
    for frame in 1..=137 {
        let time = until * f64::from(frame) / 137.0;
        in_pieces += run(&mut segments, time).1.len();
        via_snapshot += run(&mut stored, time).1.len();
        stored = Exact::restore(&stored.snapshot()).unwrap();
    }
    assert_eq!((in_pieces, via_snapshot), (all.1.len(), all.1.len()));
    assert_eq!(whole.digest(), segments.digest());
    assert_eq!(whole.digest(), stored.digest());
    assert_eq!(whole.audit(), segments.audit());
    assert_eq!(whole.audit(), stored.audit());
}

#[test]
fn in_pieces_by_either_planner_and_from_snapshots() {
    let rough = Material {
        restitution: 0.9,
        static_friction: 0.2,
        kinetic_friction: 0.1,
        ..lasting(0.05)
    };
    same_bits(&gas::<Space2>(lasting(0.05), [0.0; 3], false), 5.0);
    same_bits(&gas::<Space2>(rough, [0.0, -1.0, 0.0], false), 3.0);
    same_bits(&gas::<Space2>(lasting(0.1), [0.0; 3], true), 5.0);
    same_bits(&gas::<Space3>(rough, [0.0; 3], true), 10.0);
    let mut curved = world::<Space2>(lasting(0.1), [0.0, -2.0, 0.0]);
    let room = Shape::Hollow(Hollow::new(2.0).unwrap());
    curved.add(Body::fixed(room)).unwrap();
    for x in [-1.0, 0.0, 1.0] {
        let ball = Body::ball(0.25, 1.0, DVec2::new(x, 0.1 * x), DVec2::new(1.0, x)).unwrap();
        curved.add(ball).unwrap();
    }
    same_bits(&curved, 20.0);
}

/// A periodic box: a ball that is carried round it in tandem stays with its wall, flat or curved.
#[test]
fn round_a_periodic_box() {
    let curved = |shift: f64, periodic: bool| {
        let mut world = world::<Space2>(lasting(2.0), [0.0; 3]);
        let start = DVec2::new(shift, 2.0);
        let velocity = DVec2::new(0.5, -1.0);
        world
            .add(Body::ball(0.25, 1.0, start, velocity).unwrap())
            .unwrap();
        let disc = Shape::Ball(Ball::new(0.75).unwrap());
        let pose = Pose::at(DVec2::new(shift + 0.125, 0.0));
        world.add(Body::fixed(disc).pose(pose)).unwrap();
        let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
        let pose = Pose::at(DVec2::new(0.0, -5.0));
        world.add(Body::fixed(floor).pose(pose)).unwrap();
        if periodic {
            world.set_periodic([Some(8.0), None, None]).unwrap();
        }
        let mut exact = Exact::new(world).unwrap();
        let mut states = Vec::new();
        for frame in 1..=80 {
            exact.run_to(0.05 * f64::from(frame)).unwrap();
            let audit = exact.audit();
            assert!(audit.energy_residual.abs() < 1e-12, "{audit:#?}");
            let place = exact.unwrapped_position(BodyId(0)) - DVec2::new(shift, 0.0);
            states.push((
                place,
                exact.state(BodyId(0)).velocity,
                audit.in_contact.contacts,
            ));
        }
        states
    };
    // Both are made of the same numbers, but for the last digits of places that are 7 m farther out, and the ways
    // around the disc are good to 1e-13.
    let inside = curved(3.0, false);
    let across = curved(7.25, true);
    assert!(inside.iter().any(|state| state.2 == 1));
    for (a, b) in inside.iter().zip(&across) {
        assert!(a.0.abs_diff_eq(b.0, 1e-11), "{a:?} {b:?}");
        assert!(a.1.abs_diff_eq(b.1, 1e-11), "{a:?} {b:?}");
        assert_eq!(a.2, b.2);
    }
}

/// Nothing is at rest while two travel together, though they stand: they leave each other.
#[test]
fn a_pair_that_stands_is_not_at_rest() {
    let mut world = world::<Space2>(lasting(0.5), [0.0; 3]);
    for side in [-1.0, 1.0] {
        let place = DVec2::new(side, 0.0);
        world
            .add(Body::ball(0.5, 1.0, place, place * -0.5).unwrap())
            .unwrap();
    }
    let mut exact = Exact::new(world).unwrap();
    let until = Until::time(3.0).or_rest(1e-3);
    let end = exact
        .run_until(until, |_| ControlFlow::Continue(()))
        .unwrap();
    assert_eq!(end, End::Time);
    assert_eq!(exact.state(BodyId(0)).velocity, DVec2::new(-0.5, 0.0));
}

/// What a new run starts from has no contacts that last: the bodies have what they were to leave with.
#[test]
fn a_world_made_of_a_run_has_left() {
    let mut exact = Exact::new(head_on::<Space2>(lasting(1.0), [0.0; 3], [0.0; 2])).unwrap();
    run(&mut exact, 2.5);
    let world = exact.to_world();
    let Kind::Free(free) = &world.body(BodyId(1)).kind else {
        panic!("it is a ball");
    };
    assert_eq!(free.velocity, DVec2::new(0.5, 0.125));
}

/// In drag and other fields a pair goes straight on for its time; the books know.
#[test]
fn fields_wait() {
    use carom::motion::{Field, Fields};
    let mut world = head_on::<Space2>(lasting(0.5), [0.0; 3], [0.0; 2]);
    let spring = Field::Spring {
        centre: DVec2::new(0.0, 3.0),
        stiffness: 0.05,
    };
    world
        .set_fields(Fields::uniform(DVec2::ZERO).with(spring))
        .unwrap();
    let mut exact = Exact::new(world).unwrap();
    let mut velocities = Vec::new();
    for frame in 1..=60 {
        exact.run_to(0.1 * f64::from(frame)).unwrap();
        let audit = exact.audit();
        // The pieces are good to the integrator's tolerance.
        assert!(audit.energy_residual.abs() < 1e-9, "{audit:#?}");
        if audit.in_contact.contacts > 0 {
            velocities.push(exact.state(BodyId(0)).velocity);
        }
    }
    assert!(velocities.len() > 3);
    assert!(velocities.windows(2).all(|pair| pair[0] == pair[1]));
}

/// The longer of two durations holds; bad ones are refused by name.
#[test]
fn durations_of_two_materials() {
    let mut materials = Materials::default();
    let soft = materials.add("soft", lasting(0.2)).unwrap();
    let hard = materials.add("hard", lasting(0.0)).unwrap();
    assert_eq!(materials.surface(soft, hard).contact_duration, 0.2);
    assert_eq!(materials.surface(hard, hard).contact_duration, 0.0);
    let pair = PairOverride {
        contact_duration: Some(0.05),
        ..PairOverride::default()
    };
    materials.override_pair(soft, hard, pair).unwrap();
    assert_eq!(materials.surface(hard, soft).contact_duration, 0.05);
    for bad in [-1e-3, f64::NAN, f64::INFINITY] {
        let error = materials.add("bad", lasting(bad)).unwrap_err();
        assert_eq!(error.field, "contact_duration");
    }
}

/// A ball that struck one of a sticking pair once lost its turn in the calendar: the pair was released, and the ball
/// was not planned again.
#[test]
fn who_strikes_a_sticking_pair_is_planned_again() {
    fn same<S: Compiled>(world: World<S>) {
        let mut fast = Exact::new(world.clone()).unwrap();
        let mut slow = Exact::reference(world).unwrap();
        for time in 1..=45 {
            fast.run_to(f64::from(time)).unwrap();
            slow.run_to(f64::from(time)).unwrap();
            assert_eq!(fast.collisions(), slow.collisions(), "{time}");
            assert_eq!(fast.digest(), slow.digest(), "{time}");
        }
    }
    let rough = Material {
        restitution: 0.98,
        static_friction: 0.2,
        kinetic_friction: 0.1,
        ..lasting(0.05)
    };
    same(gas::<Space2>(lasting(0.02), [0.3, -0.5, 0.0], false));
    same(gas::<Space3>(rough, [0.0, 0.0, -0.5], false));
}
