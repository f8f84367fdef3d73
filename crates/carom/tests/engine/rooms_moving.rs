//! Rooms that move (rows K6, C1, P4): pistons, drums, paddles.

use carom::container::{Container, Container2, Container3, Side};
use carom::material::Material;
use carom::prelude::*;
use carom::shape::Obstacle;
use carom::shape::Tube;
use carom::simulate::Compiled;
use carom::simulate::Exact;
use std::f64::consts::{PI, TAU};
use std::ops::ControlFlow;

/// u, the unit roundoff.
const U: f64 = f64::EPSILON / 2.0;

fn hall() -> Container2 {
    Container2::rectangle("hall", Side::Inside, DVec2::ZERO, DVec2::new(4.0, 1.0)).unwrap()
}

fn one_ball<S: Compiled>(room: Container<S>, ball: Body<S>) -> (Exact<S>, BodyId, Vec<BodyId>) {
    let mut world = World::new();
    let walls = world.add_container(room).unwrap();
    let ball = world.add(ball).unwrap();
    (Exact::new(world).unwrap(), ball, walls)
}

/// C1. One ball between two plates, the right one coming in at V: each hit adds 2V to the speed. With g the free way
/// when it is hit for the n-th time, the ball covers `g_n + g_(n+1) = v_n Δt` until the next hit while the plate covers
/// `g_n − g_(n+1) = V Δt`; hence `g_(n+1) (v_n + V) = g_n (v_n − V)`, and as `v_(n+1) = v_n + 2V`, the product
/// `g (v − V)` is the same at every hit.
#[test]
fn a_piston_adds_twice_its_speed_at_each_hit() {
    let (speed, piston) = (1.0, 0.125);
    let drive = Drive::Uniform {
        velocity: DVec2::new(-piston, 0.0),
    };
    let room = hall().kinematic_wall(2, drive).unwrap();
    let ball = Body::ball(0.25, 2.0, DVec2::new(1.0, 0.5), DVec2::new(speed, 0.0)).unwrap();
    let (mut run, ball, walls) = one_ball(room, ball);
    // The free way is what the centre has: 3.5 m at the start. They meet where 1 + v t = 3.75 − V t.
    let first = 2.75 / (speed + piston);
    let product = (3.5 - piston * first) * (speed + piston);
    let mut hits = 0;
    run.run(25.0, |hit| {
        if hit.b == walls[1] {
            hits += 1;
            // Speeds are multiples of 2⁻³, and stay exact.
            let after = speed + 2.0 * piston * f64::from(hits);
            assert_eq!(hit.after[0].velocity, DVec2::new(-after, 0.0));
            let free = 3.5 - piston * hit.time;
            // Each leg rounds a time and a place or two by u of at most 25 s and 4 m.
            let error = free * (after - piston) - product;
            assert!(
                error.abs() < 64.0 * U * f64::from(hits),
                "{hits}: {error:e}"
            );
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(hits > 30, "{hits}");
    let speed = run.state(ball).velocity.length();
    let audit = run.audit();
    // ½ m v² with m = 2 kg, against 1 J at the start.
    assert!((audit.work_by_kinematic - (speed * speed - 1.0)).abs() < 64.0 * U * speed * speed);
}

/// A piston that goes in, waits and goes out again, and one that is shaken: the rebound is a mirror image in the wall's
/// own frame, whatever it does at that instant; and nobody gets out, though the piston goes further than the room was
/// long.
#[test]
fn pistons_on_a_path_and_shaken_ones() {
    let path = vec![
        (0.0, DVec2::ZERO),
        (2.0, DVec2::new(-1.0, 0.0)),
        (3.0, DVec2::new(-1.0, 0.0)),
        (6.0, DVec2::new(3.0, 0.0)),
    ];
    let shaken = Drive::Oscillation {
        amplitude: DVec2::new(0.5, 0.0),
        frequency: 0.3,
        phase: 0.7,
    };
    for drive in [Drive::Path { knots: path }, shaken] {
        let room = hall().kinematic_wall(2, drive.clone()).unwrap();
        let ball = Body::ball(0.1, 1.0, DVec2::new(2.0, 0.5), DVec2::new(4.0, 1.5)).unwrap();
        let (mut run, ball, walls) = one_ball(room, ball);
        let mut hits = 0;
        run.run(20.0, |hit| {
            if hit.b == walls[1] {
                hits += 1;
                let wall = drive.state_at(&Pose::default(), hit.time).velocity.x;
                let (before, after) = (hit.before[0].velocity, hit.after[0].velocity);
                assert!((after.x - (2.0 * wall - before.x)).abs() < 32.0 * U * 10.0);
                assert_eq!(after.y, before.y);
            }
            ControlFlow::Continue(())
        })
        .unwrap();
        assert!(hits > 5, "{hits}");
        let place = run.state(ball).position;
        let end = 4.0 + drive.state_at(&Pose::default(), 20.0).pose.position.x;
        assert!((0.1 - 1e-13..=end - 0.1 + 1e-13).contains(&place.x));
        assert!((0.1 - 1e-13..=0.9 + 1e-13).contains(&place.y));
    }
}

/// Smooth and round: that it turns changes nothing. The normal is turned into the wall's frame and back, which rounds
/// it by a few u at each of some 50 hits; in a circle that error grows no faster than in proportion to the way gone
/// since, below 100 m.
#[test]
fn a_smooth_drum_changes_nothing() {
    let ball = || Body::ball(0.1, 1.0, DVec2::new(0.2, 0.3), DVec2::new(1.0, 0.7)).unwrap();
    let ring = || Container2::circle("drum", Side::Inside, DVec2::new(0.1, 0.0), 1.0).unwrap();
    let (mut still, a, _) = one_ball(ring(), ball());
    let (mut turning, b, _) = one_ball(ring().rotating(3.0), ball());
    still.run_to(50.0).unwrap();
    turning.run_to(50.0).unwrap();
    assert!(still.collisions() > 30);
    assert_eq!(still.collisions(), turning.collisions());
    let apart = still.state(a).position - turning.state(b).position;
    assert!(apart.length() < 50.0 * 4.0 * U * 100.0, "{apart:?}");
    assert_eq!(turning.state(b).angular_velocity, 0.0);

    let can = || {
        let axis = (DVec3::new(0.0, 0.1, 0.0), DVec3::Z);
        Container3::cylinder("can", Side::Inside, axis, 2.0, 1.0).unwrap()
    };
    let ball = || {
        let velocity = DVec3::new(1.0, 0.7, 0.4);
        Body::ball(0.1, 1.0, DVec3::new(0.2, 0.3, 0.1), velocity).unwrap()
    };
    let (mut still, a, _) = one_ball(can(), ball());
    let (mut turning, b, _) = one_ball(can().rotating(2.0 * DVec3::Z), ball());
    still.run_to(50.0).unwrap();
    turning.run_to(50.0).unwrap();
    assert!(still.collisions() > 30);
    let apart = still.state(a).position - turning.state(b).position;
    assert!(apart.length() < 50.0 * 4.0 * U * 100.0, "{apart:?}");
    assert_eq!(turning.state(b).angular_velocity, DVec3::ZERO);
}

/// C7. With friction the wall drags: a ball that comes straight at a wall moving at ωR across its way slides, and gets
/// `μ (1 + ε) v` along the wall and from that a spin of `m r Δv / I`. In the plane I = ½ m r², in space ⅖ m r².
#[test]
fn a_rough_drum_drags() {
    let rough = Material {
        static_friction: 0.1,
        kinetic_friction: 0.1,
        ..Material::default()
    };
    // Between equal materials the numbers stay as they are.
    let mut world = World2::new();
    let material = world.materials.add("rough", rough).unwrap();
    let room = Container2::circle("drum", Side::Inside, DVec2::ZERO, 1.0).unwrap();
    let room = room.made_of(material).rotating(5.0);
    world.add_container(room).unwrap();
    let ball = Body::ball(0.25, 2.0, DVec2::ZERO, DVec2::X).unwrap();
    let ball = world.add(ball.made_of(material)).unwrap();
    let mut run = Exact::new(world).unwrap();
    run.run_to(1.0).unwrap();
    assert_eq!(run.collisions(), 1);
    let state = run.state(ball);
    assert!((state.velocity - DVec2::new(-1.0, 0.2)).length() < 8.0 * U);
    assert!((state.angular_velocity - 2.0 * 0.2 / 0.25).abs() < 16.0 * U);
    // It goes on until nothing slips: the sense of rotation is the drum's.
    run.run_to(100.0).unwrap();
    assert!(run.audit().angular_momentum.unwrap().now > 0.0);

    let mut world = World3::new();
    let material = world.materials.add("rough", rough).unwrap();
    let axis = (DVec3::ZERO, DVec3::Z);
    let room = Container3::cylinder("can", Side::Inside, axis, 2.0, 1.0).unwrap();
    let room = room.made_of(material).rotating(5.0 * DVec3::Z);
    world.add_container(room).unwrap();
    let ball = Body::ball(0.25, 2.0, DVec3::ZERO, DVec3::X).unwrap();
    let ball = world.add(ball.made_of(material)).unwrap();
    let mut run = Exact::new(world).unwrap();
    run.run_to(1.0).unwrap();
    assert_eq!(run.collisions(), 1);
    let state = run.state(ball);
    assert!((state.velocity - DVec3::new(-1.0, 0.2, 0.0)).length() < 8.0 * U);
    assert!((state.angular_velocity - DVec3::Z * (2.5 * 0.2 / 0.25)).length() < 16.0 * U);
}

/// How far the nearest wall is from a ball's surface now, m; below zero where it has sunk in.
fn clearance<S: Compiled>(run: &Exact<S>, walls: &[BodyId], ball: BodyId, radius: f64) -> f64 {
    let place = run.state(ball).position;
    let distance = |&wall: &BodyId| {
        let state = run.state(wall);
        let pose = Pose::<S> {
            position: state.position,
            rotation: state.rotation,
        };
        let body = run.body(wall).unwrap();
        body.shape.closest(pose.to_local(place)).distance
    };
    walls.iter().map(distance).fold(f64::INFINITY, f64::min) - radius
}

/// Rooms that turn with balls in them, under weight: drums of straight sides, of arcs, with vanes. Balls are nowhere in
/// a wall, the books balance, and whoever leaves is found at the wrong side of some wall.
#[test]
fn turning_rooms_keep_their_balls() {
    let ell = [
        (-1.0, -1.0),
        (2.0, -1.0),
        (2.0, 0.0),
        (0.0, 0.0),
        (0.0, 2.0),
        (-1.0, 2.0),
    ];
    let ell = Container2::polygon("ell", Side::Inside, &ell.map(DVec2::from)).unwrap();
    let ring = Container2::circle("drum", Side::Inside, DVec2::ZERO, 1.5).unwrap();
    let bowl = Container2::stadium("bowl", Side::Inside, DVec2::ZERO, 1.0, 1.0, 0.3).unwrap();
    let five = (DVec2::new(0.1, -0.1), 1.5);
    let pivot = DVec2::new(0.2, 0.1);
    let rooms = [
        ell.kinematic(Drive::Rotation {
            pivot,
            angular_velocity: 0.7,
        }),
        ring.with_vanes(4, 0.6).unwrap().rotating(-1.2),
        bowl.rotating(0.9),
        Container2::regular_polygon("gem", Side::Inside, 5, five, 0.2)
            .unwrap()
            .rotating(1.1),
        hall().rotating(0.5),
        Container2::stadium("shaken", Side::Inside, DVec2::ZERO, 1.0, 1.0, 0.3)
            .unwrap()
            .kinematic(Drive::Oscillation {
                amplitude: DVec2::new(0.3, 0.1),
                frequency: 0.7,
                phase: 0.0,
            }),
    ];
    for room in rooms {
        let name = room.name().to_owned();
        let mut world = World2::new();
        world.set_gravity(DVec2::new(0.0, -2.0)).unwrap();
        let shift = match &*name {
            "hall" => DVec2::new(2.0, 0.9),
            _ => DVec2::ZERO,
        };
        let before = room.clone();
        let walls = world.add_container(room).unwrap();
        let mut balls = Vec::new();
        for index in 0..4 {
            let place = shift + DVec2::new(-0.6 + 0.3 * f64::from(index), -0.4);
            let velocity = DVec2::new(1.0 - 0.3 * f64::from(index), 0.5);
            let ball = Body::ball(0.1, 1.0, place, velocity).unwrap();
            balls.push(world.add(ball).unwrap());
        }
        let mut run = Exact::new(world).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        for second in 1..=30 {
            run.run_to(f64::from(second)).unwrap();
            for &ball in &balls {
                let free = clearance(&run, &walls, ball, 0.1);
                assert!(free > -1e-12, "{name}: {free:e} after {second} s");
                // Turned back to where the room began.
                let wall = run.state(walls[0]);
                let pose = Pose::<Space2> {
                    position: wall.position,
                    rotation: wall.rotation,
                };
                let start = before.bodies()[0].pose;
                let place = start.to_world(pose.to_local(run.state(ball).position));
                assert!(before.contains(place), "{name}: out after {second} s");
            }
        }
        let audit = run.audit();
        assert!(run.collisions() > 100, "{name}: {}", run.collisions());
        let moved = audit.work_by_kinematic.abs() + audit.now.total().abs() + 8.0;
        let bound = 32.0 * U * run.collisions() as f64 * moved;
        assert!(audit.energy_residual.abs() < bound);
        assert!(audit.work_by_kinematic != 0.0);
    }
}

/// A tube that tumbles end over end, and a turning stadium: a ball that begins exactly on the axis, or at the centre of
/// an arc, where the distance from the wall has no bound on its curvature, once ended the run with a search that got
/// nowhere.
#[test]
fn a_ball_at_a_centre_of_curvature_does_not_stop_the_search() {
    let axis = (DVec3::ZERO, DVec3::Z);
    let can = Container3::cylinder("can", Side::Inside, axis, 2.0, 1.0).unwrap();
    let ball = Body::ball(0.2, 1.0, DVec3::ZERO, DVec3::new(0.5, 0.2, 0.1)).unwrap();
    let (mut run, ball, walls) = one_ball(can.rotating(0.8 * DVec3::X), ball);
    for second in 1..=20 {
        run.run_to(f64::from(second)).unwrap();
        let free = clearance(&run, &walls, ball, 0.2);
        assert!(free > -1e-13, "{free:e}");
    }
    assert!(run.collisions() > 5);

    for velocity in [DVec2::ZERO, DVec2::new(0.3, 0.4)] {
        let bowl = Container2::stadium("bowl", Side::Inside, DVec2::ZERO, 2.0, 1.0, 0.0).unwrap();
        let ball = Body::ball(0.2, 1.0, DVec2::X, velocity).unwrap();
        let (mut run, ball, walls) = one_ball(bowl.rotating(1.0), ball);
        for second in 1..=20 {
            run.run_to(f64::from(second)).unwrap();
            let free = clearance(&run, &walls, ball, 0.2);
            assert!(free > -1e-13, "{free:e}");
        }
        assert!(run.collisions() > 0);
    }
}

/// A room and its ball that move together are the room at rest seen from elsewhere: the same collisions, at the same
/// times.
#[test]
fn a_moving_room_is_a_room_at_rest_seen_from_elsewhere() {
    let bowl = || Container2::stadium("bowl", Side::Inside, DVec2::ZERO, 2.0, 1.0, 0.2).unwrap();
    let (drift, start) = (DVec2::new(0.25, -0.125), DVec2::new(0.3, 0.1));
    let velocity = DVec2::new(1.0, 0.5);
    let ball = |velocity| Body::ball(0.1, 1.0, start, velocity).unwrap();
    let (mut still, a, _) = one_ball(bowl(), ball(velocity));
    let moving = bowl().kinematic(Drive::Uniform { velocity: drift });
    let (mut moving, b, _) = one_ball(moving, ball(velocity + drift));
    let time = 10.0;
    still.run_to(time).unwrap();
    moving.run_to(time).unwrap();
    assert!(still.collisions() >= 5);
    assert_eq!(still.collisions(), moving.collisions());
    // Ten bounces from walls that curve towards the ball multiply the first rounding by less than 10 each, and mostly
    // focus.
    let apart = moving.state(b).position - drift * time - still.state(a).position;
    assert!(apart.length() < 1e-9, "{:e}", apart.length());
}

/// A vane sweeps up a ball at rest: it strikes at the distance s from the axis when its face gets there, and an elastic
/// ball leaves at 2ωs.
#[test]
fn a_vane_is_a_paddle() {
    let drum = Container2::circle("drum", Side::Inside, DVec2::ZERO, 2.0).unwrap();
    let drum = drum.with_vanes(1, 1.5).unwrap().rotating(1.0);
    let bodies = drum.bodies();
    let names: Vec<&str> = bodies.iter().map(|body| &*body.name).collect();
    assert_eq!(names, ["drum.wall 1", "drum.vane 1"]);
    let ball = Body::ball(0.1, 1.0, DVec2::new(0.0, 1.0), DVec2::ZERO).unwrap();
    let (mut run, _, walls) = one_ball(drum, ball);
    let mut first = None;
    run.run(10.0, |hit| {
        first = Some(*hit);
        ControlFlow::Break(())
    })
    .unwrap();
    let hit = first.unwrap();
    assert_eq!(hit.b, walls[1]);
    let time = 0.5 * PI - libm::asin(0.1);
    assert!((hit.time - time).abs() < 16.0 * U);
    let speed = 2.0 * (1.0_f64 - 0.01).sqrt();
    assert!((hit.after[0].velocity.length() - speed).abs() < 64.0 * U);
    assert!(hit.time < TAU);
}

/// A run with a tube in it is stored and goes on to the bit; rays inside of it end at its wall.
#[test]
fn a_tube_is_stored_and_seen() {
    let axis = (DVec3::new(0.5, 0.0, 0.0), DVec3::new(1.0, 2.0, 2.0));
    let can = Container3::cylinder("can", Side::Inside, axis, 2.0, 1.0).unwrap();
    let ball = Body::ball(
        0.2,
        1.0,
        DVec3::new(0.5, 0.1, 0.0),
        DVec3::new(1.0, 0.3, -0.4),
    );
    let (mut run, ..) = one_ball(can.rotating(DVec3::new(0.1, 0.2, 0.2)), ball.unwrap());
    run.run_to(5.0).unwrap();
    let mut restored = Exact::<Space3>::restore(&run.snapshot()).unwrap();
    run.run_to(20.0).unwrap();
    restored.run_to(20.0).unwrap();
    assert!(run.collisions() > 10);
    assert_eq!(run.digest(), restored.digest());

    let tube = Tube::new(2.0 * DVec3::Z, 1.0).unwrap();
    // From (0.6, 0, 3) across: to the circle at y = 0.8, a way of 0.8; along the axis never.
    let from = DVec3::new(0.6, 0.0, 3.0);
    assert!((tube.cast(from, DVec3::Y).unwrap() - 0.8).abs() < 4.0 * U);
    assert_eq!(tube.cast(from, DVec3::Z), None);
    assert_eq!(tube.closest(from).distance, 0.4);
    assert_eq!(tube.closest(from).normal, -DVec3::X);
    assert_eq!(Tube::new(DVec3::ZERO, 1.0).unwrap_err().field, "axis");
    assert_eq!(Tube::new(DVec3::X, -1.0).unwrap_err().field, "radius");
}
