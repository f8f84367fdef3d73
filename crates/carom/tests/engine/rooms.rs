//! Rooms of every form (rows P4, K7, K8): whatever happens inside stays inside, and walls, corners and joints are hit
//! as geometry says.

use carom::body::Kind;
use carom::container::{Container, Container2, Container3, ContainerError, Side, Stretch};
use carom::material::Material;
use carom::prelude::*;
use carom::shape::Obstacle;
use carom::shape::{Segment, Shape2};
use carom::simulate::Compiled;
use carom::simulate::Exact;
use carom::space::{Linear, Space};
use std::f64::consts::PI;
use std::ops::ControlFlow;

/// A number in [0, 1), the same on every machine (xorshift64*).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Each component between −size and size.
    fn vector<S: Compiled>(&mut self, size: f64) -> S::Vector {
        S::vector([0; 3].map(|_| size * (2.0 * self.roll() - 1.0)))
    }
}

/// How far the nearest wall is, m.
fn room_to_walls<S: Compiled>(room: &Container<S>, place: S::Vector) -> f64 {
    let bodies = room.bodies();
    let distance = |body: &Body<S>| body.shape.closest(body.pose.to_local(place)).distance;
    bodies.iter().map(distance).fold(f64::INFINITY, f64::min)
}

/// So many balls anywhere on the right side, of different sizes and masses.
fn with_balls<S: Compiled>(room: &Container<S>, count: usize, seed: u64) -> World<S> {
    let mut dice = Dice(seed);
    let mut world = World::new();
    world.add_container(room.clone()).unwrap();
    let mut placed: Vec<(S::Vector, f64)> = Vec::new();
    while placed.len() < count {
        let place = room.centre() + dice.vector::<S>(2.5);
        let radius = 0.04 + 0.08 * dice.roll();
        let free = |(other, size): &(S::Vector, f64)| (*other - place).length() > size + radius;
        if room.contains(place) && room_to_walls(room, place) > radius && placed.iter().all(free) {
            let velocity = dice.vector::<S>(2.0);
            let ball = Body::ball(radius, 0.5 + dice.roll(), place, velocity).unwrap();
            world
                .add(ball.named(&format!("ball {}", placed.len())))
                .unwrap();
            placed.push((place, radius));
        }
    }
    world
}

fn balls<S: Compiled>(world: &World<S>) -> Vec<(BodyId, f64)> {
    let radius = |body: &Body<S>| match (&body.shape, &body.kind) {
        (Shape::Ball(ball), Kind::Free(_)) => Some(ball.radius),
        _ => None,
    };
    (0..)
        .map(BodyId)
        .zip(world.bodies())
        .filter_map(|(id, body)| Some((id, radius(body)?)))
        .collect()
}

/// Thousands of bounces, with and without weight: nobody ever leaves or sinks into a wall, and the energy stays.
///
/// Each elastic collision rounds the energy of two balls by a few u of it, either way: after n of them it has moved by
/// less than 16 u n even if all went the same way, 7e-12 for 4,000; random signs make it √n, 1e-13. Promised are 1e-12.
///
/// The clock of a run is rounded to u of itself, so that a ball is known to that times its speed, besides some
/// roundings of its coordinates.
fn keeps_its_balls<S: Compiled>(room: Container<S>, gravity: [f64; 3]) {
    for (seed, gravity) in [(11, S::Vector::ZERO), (12, S::vector(gravity))] {
        let mut world = with_balls(&room, 6, seed);
        world.set_gravity(gravity).unwrap();
        let balls = balls(&world);
        let mut run = Exact::new(world).unwrap();
        let begun = run.audit();
        // Weight makes the sum of kinetic and potential energy small where both are large.
        let size =
            begun.now.translational + begun.now.potential.abs() + 6.0 * gravity.length() * 2.0;
        // No ball is ever faster than one of 0.5 kg that has all the energy.
        let fastest = (2.0 * size / 0.5).sqrt();
        let rounding = |time: f64| 16.0 * U * (4.0 + 0.25 * time * fastest);
        let mut walls = 0;
        for thousand in 1..=4 {
            let ended = run.run(1e9, |collision| {
                let ball = |id: BodyId| balls.iter().any(|(ball, _)| *ball == id);
                walls += u64::from(!ball(collision.b));
                match collision.number >= 1000 * thousand {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            assert_eq!(ended.unwrap(), End::Observer);
            for &(id, radius) in &balls {
                let place = run.state(id).position;
                assert!(room.contains(place), "{} at {place:?}", room.name());
                let free = room_to_walls(&room, place) - radius;
                assert!(free > -rounding(run.time()), "{} {free:e}", room.name());
            }
        }
        assert!(walls > 1000, "{} walls were hit", walls);
        let audit = run.audit();
        let drift = (audit.now.total() - begun.now.total()).abs() / size;
        assert!(drift < 1e-12, "{}: {drift:e}", room.name());
        let deepest = audit.deepest_overlap;
        assert!(deepest < rounding(run.time()), "{deepest:e}");
    }
}

const DOWN: [f64; 3] = [0.0, -3.0, 0.0];

fn l_shape(side: Side) -> Container2 {
    Container2::polygon("ell", side, &l_corners()).unwrap()
}

/// A square with a half circle bulging out on the right and one bulging in on the left.
fn pinched() -> Container2 {
    let straight = |from: (f64, f64), to: (f64, f64)| Stretch::Straight {
        from: from.into(),
        to: to.into(),
    };
    let arc = |x: f64, start: f64, sweep: f64| Stretch::Arc {
        centre: DVec2::new(x, 0.0),
        radius: 0.5,
        start,
        sweep,
    };
    let segments = [
        straight((-1.5, -1.0), (1.0, -1.0)),
        straight((1.0, -1.0), (1.0, -0.5)),
        arc(1.0, -0.5 * PI, PI),
        straight((1.0, 0.5), (1.0, 1.0)),
        straight((1.0, 1.0), (-1.5, 1.0)),
        straight((-1.5, 1.0), (-1.5, 0.5)),
        arc(-1.5, 0.5 * PI, -PI),
        straight((-1.5, -0.5), (-1.5, -1.0)),
    ];
    Container2::outline("pinched", Side::Inside, &segments).unwrap()
}

fn stadium(side: Side) -> Container2 {
    Container2::stadium("stadium", side, DVec2::new(0.3, -0.2), 2.0, 1.0, 0.4).unwrap()
}

#[test]
fn a_rectangle_keeps_its_balls() {
    let room = |side| {
        let (low, high) = (DVec2::new(-1.0, -0.5), DVec2::new(1.5, 1.0));
        Container2::rectangle("hall", side, low, high).unwrap()
    };
    keeps_its_balls(room(Side::Inside), DOWN);
    keeps_its_balls(room(Side::Both), DOWN);
}

#[test]
fn polygons_keep_their_balls() {
    for sides in [3, 5, 8] {
        let circle = (DVec2::new(0.2, 0.1), 1.5);
        let room = Container2::regular_polygon("hall", Side::Inside, sides, circle, 0.3);
        keeps_its_balls(room.unwrap(), DOWN);
    }
    keeps_its_balls(l_shape(Side::Inside), DOWN);
}

#[test]
fn circles_stadiums_and_outlines_keep_their_balls() {
    for side in [Side::Inside, Side::Both] {
        let room = Container2::circle("ring", side, DVec2::new(0.5, 0.2), 1.2);
        keeps_its_balls(room.unwrap(), DOWN);
        keeps_its_balls(stadium(side), DOWN);
    }
    keeps_its_balls(pinched(), DOWN);
}

#[test]
fn rooms_in_space_keep_their_balls() {
    let down = [0.0, 1.0, -3.0];
    let (low, high) = (DVec3::new(-1.0, -0.5, 0.0), DVec3::new(1.0, 1.0, 1.2));
    let hall = Container3::cuboid("hall", Side::Inside, low, high).unwrap();
    keeps_its_balls(hall, down);
    let sphere = Container3::sphere("globe", Side::Inside, DVec3::ONE, 1.1).unwrap();
    keeps_its_balls(sphere, down);
    let axis = (DVec3::new(0.1, 0.2, 0.3), DVec3::new(1.0, -2.0, 0.5));
    let can = Container3::cylinder("can", Side::Inside, axis, 1.6, 0.9).unwrap();
    keeps_its_balls(can, down);
    let triangle = [(-1.0, -1.0), (1.5, -0.8), (0.2, 1.4)].map(DVec2::from);
    let prism = Container3::prism("prism", Side::Inside, &triangle, -0.5, 0.8).unwrap();
    assert_eq!(prism.bodies().len(), 5);
    keeps_its_balls(prism, down);
    let ell = [
        (-1.0, -1.0),
        (-1.0, 1.5),
        (0.2, 1.5),
        (0.2, 0.2),
        (1.5, 0.2),
        (1.5, -1.0),
    ];
    let prism = Container3::prism("prism", Side::Inside, &ell.map(DVec2::from), 0.0, 1.0).unwrap();
    assert_eq!(prism.bodies().len(), 2 * 6 + 2);
    assert_eq!(prism.walls(), 8);
    assert_eq!(&*prism.bodies()[3].name, "prism.wall 2b");
    keeps_its_balls(prism, down);
}

/// The quick plan and the plain one agree to the bit in a room of thin walls.
#[test]
fn the_reference_run_is_the_same_in_rooms() {
    for room in [l_shape(Side::Inside), stadium(Side::Inside), pinched()] {
        let world = with_balls(&room, 5, 7);
        let [mut fast, mut plain] = [
            Exact::new(world.clone()).unwrap(),
            Exact::reference(world).unwrap(),
        ];
        fast.run_to(30.0).unwrap();
        plain.run_to(30.0).unwrap();
        assert!(fast.collisions() > 100);
        assert_eq!(fast.digest(), plain.digest(), "{}", room.name());
    }
}

/// A short run with its velocities turned round comes back to where it began. Rooms that scatter (round corners, balls
/// against balls) multiply an error at each bounce, by up to 2 d/r with d the way between bounces: ten of them take 2u
/// to below 1e-8.
fn comes_back<S: Compiled>(room: Container<S>) {
    let world = with_balls(&room, 1, 5);
    let ball = balls(&world)[0].0;
    let begin = world.body(ball).pose.position;
    let mut run = Exact::new(world).unwrap();
    let mut hits = 0;
    run.run(1e9, |_| {
        hits += 1;
        match hits < 10 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    })
    .unwrap();
    let turned = run.time() + 0.01;
    run.run_to(turned).unwrap();
    let state = run.state(ball);
    run.set_velocity(ball, -state.velocity, -state.angular_velocity)
        .unwrap();
    run.run_to(2.0 * turned).unwrap();
    let away = (run.state(ball).position - begin).length();
    assert!(away < 1e-8, "{}: {away:e}", room.name());
    assert!(run.collisions() >= 20);
}

#[test]
fn short_runs_are_reversible() {
    comes_back(l_shape(Side::Inside));
    comes_back(stadium(Side::Inside));
    comes_back(pinched());
    comes_back(Container2::circle("ring", Side::Both, DVec2::ZERO, 1.0).unwrap());
    let axis = (DVec3::ZERO, DVec3::new(0.3, 0.2, 1.0));
    comes_back(Container3::cylinder("can", Side::Inside, axis, 2.0, 1.0).unwrap());
    comes_back(Container3::cuboid("hall", Side::Inside, -DVec3::ONE, DVec3::ONE).unwrap());
}

/// u, the unit roundoff.
const U: f64 = f64::EPSILON / 2.0;

/// What a ball strikes first, all that happens at that instant: when, by name; and its velocity after.
fn first_hits<S: Compiled>(
    room: Container<S>,
    radius: f64,
    position: S::Vector,
    velocity: S::Vector,
) -> (f64, Vec<String>, S::Vector) {
    let mut world = World::new();
    world.add_container(room).unwrap();
    let ball = Body::ball(radius, 1.0, position, velocity).unwrap();
    world.add(ball).unwrap();
    let mut run = Exact::new(world).unwrap();
    let mut hits: Vec<(f64, BodyId, S::Vector)> = Vec::new();
    run.run(100.0, |collision| {
        if hits.first().is_some_and(|first| collision.time > first.0) {
            return ControlFlow::Break(());
        }
        hits.push((collision.time, collision.b, collision.after[0].velocity));
        ControlFlow::Continue(())
    })
    .unwrap();
    let names = hits.iter().map(|hit| run.name(hit.1).to_owned()).collect();
    let last = hits.last().expect("it strikes something");
    (hits[0].0, names, last.2)
}

/// Into a corner of 90° along any way: both walls at once along the diagonal, and the ball comes straight back.
#[test]
fn a_corner_sends_a_ball_back() {
    for side in [Side::Inside, Side::Both] {
        let room = Container2::rectangle("hall", side, DVec2::ZERO, DVec2::ONE).unwrap();
        let (start, velocity) = (DVec2::splat(0.5), DVec2::splat(-1.0));
        let (time, names, after) = first_hits(room, 0.125, start, velocity);
        assert_eq!(time, 0.375);
        assert_eq!(names, ["hall.wall 1", "hall.wall 4"]);
        assert!((after - DVec2::ONE).length() < 8.0 * U, "{after:?}");
    }
    let room = Container3::cuboid("hall", Side::Inside, DVec3::ZERO, DVec3::ONE).unwrap();
    let (start, velocity) = (DVec3::splat(0.5), DVec3::new(1.0, -1.0, 1.0));
    let (time, names, after) = first_hits(room, 0.125, start, velocity);
    assert_eq!(time, 0.375);
    assert_eq!(names, ["hall.wall 2", "hall.wall 3", "hall.wall 6"]);
    assert!((after + velocity).length() < 16.0 * U, "{after:?}");
}

/// K8: the corner of the L that points inwards belongs to two walls at the same place. Struck head-on it sends the ball
/// back, struck off its middle it mirrors the velocity in the line from the corner to the centre; in either case once,
/// though two walls are there.
#[test]
fn a_corner_that_points_inwards_is_struck_once() {
    let (radius, way) = (0.25, 0.5_f64.sqrt());
    let start = DVec2::splat(-0.5);
    let (time, names, after) = first_hits(l_shape(Side::Inside), radius, start, DVec2::ONE);
    // The centre starts √½ from the corner, at √2 m/s.
    assert!((time - (way - radius) / 2.0_f64.sqrt()).abs() < 4.0 * U);
    assert!(
        names
            .iter()
            .all(|name| name == "ell.wall 3" || name == "ell.wall 4")
    );
    assert!((after + DVec2::ONE).length() < 8.0 * U, "{after:?}");

    // The way leads past the corner at a distance of b = 0.15 m, so the normal at the contact is (−√(r² − b²), −b) / r
    // for a ball that flies along x.
    let offset = 0.15;
    let start = DVec2::new(-0.75, -offset);
    let (time, _, after) = first_hits(l_shape(Side::Inside), radius, start, DVec2::X);
    let along = (radius * radius - offset * offset).sqrt();
    assert!((time - (0.75 - along)).abs() < 8.0 * U, "{time}");
    let normal = DVec2::new(-along, -offset) / radius;
    let mirrored = DVec2::X - normal * (2.0 * normal.x);
    assert!((after - mirrored).length() < 32.0 * U, "{after:?}");
}

/// With friction and losses the corner of two walls answers as the end of one wall alone does: what they share is not
/// felt twice.
#[test]
fn two_walls_at_a_rough_corner_answer_as_one() {
    let answer = |alone: bool| {
        let mut world = World2::new();
        let rough = Material {
            restitution: 0.5,
            static_friction: 0.2,
            kinetic_friction: 0.15,
            ..Material::default()
        };
        let rough = world.materials.add("rough", rough).unwrap();
        if alone {
            let wall = Segment::new(DVec2::ZERO, DVec2::new(0.0, 2.0)).unwrap();
            let wall = Body::fixed(Shape::own(Shape2::Segment(wall)));
            world.add(wall.made_of(rough)).unwrap();
        } else {
            world
                .add_container(l_shape(Side::Inside).made_of(rough))
                .unwrap();
        }
        let ball = Body::ball(0.25, 1.0, DVec2::new(-0.7, -0.12), DVec2::new(1.0, 0.0)).unwrap();
        let ball = world.add(ball.made_of(rough)).unwrap();
        let mut run = Exact::new(world).unwrap();
        run.run_to(0.6).unwrap();
        assert!(run.collisions() > 0);
        run.state(ball)
    };
    let (room, wall) = (answer(false), answer(true));
    assert!(wall.angular_velocity.abs() > 0.1, "it rubs: {wall:?}");
    // The impulse is shared out between two contacts and put together again: some dozen roundings of 1 m/s, and of that
    // over the radius.
    assert!(
        (room.velocity - wall.velocity).length() < 32.0 * U,
        "{room:?} {wall:?}"
    );
    assert!(
        (room.angular_velocity - wall.angular_velocity).abs() < 128.0 * U,
        "{room:?} {wall:?}"
    );
}

/// Straight down onto the joint between the straight wall and the half circle of a stadium, and a hair to either side
/// of it: the wall is flat there to second order, so the ball strikes after the same time and comes straight back, up
/// to the tilt of the arc, which is the distance from the joint over R − r.
///
/// A distance s beyond the end of a wall, that end is only s²/2r further away than the neighbour: below s = 2e-8 m no
/// rounded place tells the two apart, they are struck together, and the normal is between that of the arc and that of
/// the end, which is tilted by s/r.
#[test]
fn the_joints_of_a_stadium_are_struck_exactly() {
    for beside in [
        0.0, 1e-17, -1e-17, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-3,
    ] {
        let room = Container2::stadium("bowl", Side::Inside, DVec2::ZERO, 2.0, 1.0, 0.0).unwrap();
        // Both have a joint at x = 1; to the left the wall is straight.
        let start = DVec2::new(1.0 + beside, 0.0);
        let beside = start.x - 1.0;
        let (time, names, after) = first_hits(room, 0.25, start, -2.0 * DVec2::Y);
        let sagging = 0.75 - (0.75 * 0.75 - f64::max(beside, 0.0) * beside).sqrt();
        assert!(
            (time - 0.375 + 0.5 * sagging).abs() < 4.0 * U,
            "{beside:e}: {time}"
        );
        assert!(
            names
                .iter()
                .all(|name| name == "bowl.wall 1" || name == "bowl.wall 2")
        );
        let tilt = f64::max(beside, 0.0) / 0.75;
        let normal = DVec2::new(-tilt, (1.0 - tilt * tilt).sqrt());
        let expected = normal * (4.0 * normal.y) - 2.0 * DVec2::Y;
        let unresolved = match beside.abs() < 2e-8 {
            true => 4.0 * (beside.abs() / 0.25 + tilt),
            false => 0.0,
        };
        let off = (after - expected).length();
        assert!(off < unresolved + 32.0 * U, "{beside:e}: {after:?}");
    }
}

/// A can about z with R = 1 and a ball of r = 0.25: from the axis outwards, off the middle, and into the edge between
/// side and end.
#[test]
fn a_can_is_struck_at_its_side_its_end_and_in_between() {
    let can = || {
        let middle = (DVec3::ZERO, DVec3::Z);
        Container3::cylinder("can", Side::Inside, middle, 2.0, 1.0).unwrap()
    };
    let (time, names, after) = first_hits(can(), 0.25, DVec3::ZERO, DVec3::new(3.0, 0.0, 1.0));
    assert!((time - 0.25).abs() <= 2.0 * U);
    assert_eq!(names, ["can.wall 1"]);
    assert!((after - DVec3::new(-3.0, 0.0, 1.0)).length() < 16.0 * U);

    // Off the middle: ρ² = 0.09 + (2t)² = 0.75² at t = ½ √0.4725; the normal is −(2t, 0.3)/0.75.
    let start = DVec3::new(0.0, 0.3, 0.0);
    let (time, _, after) = first_hits(can(), 0.25, start, 2.0 * DVec3::X);
    let x = 0.4725_f64.sqrt();
    assert!((time - 0.5 * x).abs() < 4.0 * U);
    let normal = DVec3::new(-x, -0.3, 0.0) / 0.75;
    let mirrored = 2.0 * DVec3::X - normal * (4.0 * normal.x);
    assert!((after - mirrored).length() < 64.0 * U);

    let (time, names, after) = first_hits(can(), 0.25, DVec3::ZERO, DVec3::new(0.0, -1.0, -1.0));
    assert!((time - 0.75).abs() <= 2.0 * U);
    assert_eq!(names, ["can.wall 1", "can.wall 2"]);
    assert!((after - DVec3::new(0.0, 1.0, 1.0)).length() < 16.0 * U);
}

/// K7, C5: each wall is made of its own stuff. Below is a floor that takes half of the speed, above a bumper that
/// doubles it.
#[test]
fn each_wall_has_its_own_material() {
    let mut world = World2::new();
    let mut stuff = |name: &str, restitution: f64| {
        let material = Material {
            restitution,
            ..Material::default()
        };
        world.materials.add(name, material).unwrap()
    };
    // With a ball of ε = 1 the pair has the geometric mean, the root.
    let (soft, hard) = (stuff("soft", 0.25), stuff("bumper", 4.0));
    let plain = carom::material::Materials::DEFAULT;
    let room = Container2::rectangle("hall", Side::Inside, DVec2::ZERO, DVec2::ONE).unwrap();
    let room = room.walls_made_of(&[soft, plain, hard, plain]).unwrap();
    let walls = world.add_container(room).unwrap();
    assert_eq!(walls.len(), 4);
    let ball = Body::ball(0.125, 1.0, DVec2::splat(0.5), DVec2::new(0.7, -1.0)).unwrap();
    world.add(ball).unwrap();
    let mut run = Exact::new(world).unwrap();
    run.run(1e9, |hit| {
        let (before, after) = (hit.before[0].velocity, hit.after[0].velocity);
        let expected = match walls.iter().position(|wall| *wall == hit.b).unwrap() {
            0 => DVec2::new(before.x, -0.5 * before.y),
            2 => DVec2::new(before.x, -2.0 * before.y),
            _ => DVec2::new(-before.x, before.y),
        };
        assert!((after - expected).length() < 8.0 * U, "{hit:?}");
        match hit.number < 100 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    })
    .unwrap();
    assert!(run.collisions() >= 100);
}

/// From outside a room is an obstacle: a ball that flies at it comes back from where its form says.
#[test]
fn rooms_are_struck_from_outside() {
    let velocity = DVec2::new(-1.0, 0.0);
    for side in [Side::Outside, Side::Both] {
        let start = DVec2::new(5.0, 0.0);
        let rooms = [
            (
                Container2::circle("ring", side, DVec2::ZERO, 1.0).unwrap(),
                1.0,
            ),
            (
                Container2::stadium("bowl", side, DVec2::ZERO, 2.0, 1.0, 0.0).unwrap(),
                2.0,
            ),
            (
                Container2::rectangle("hall", side, -DVec2::ONE, DVec2::ONE).unwrap(),
                1.0,
            ),
            (
                Container2::regular_polygon("gem", side, 3, (DVec2::ZERO, 1.0), 0.0).unwrap(),
                1.0,
            ),
        ];
        for (room, extent) in rooms {
            let name = room.name().to_owned();
            let (time, _, after) = first_hits(room, 0.25, start, velocity);
            assert!(
                (time - (5.0 - extent - 0.25)).abs() < 16.0 * U,
                "{name} {time}"
            );
            assert!((after + velocity).length() < 16.0 * U, "{name} {after:?}");
        }
    }
    let (start, velocity) = (DVec3::new(5.0, 0.0, 0.0), -DVec3::X);
    let axis = (DVec3::ZERO, DVec3::Z);
    for room in [
        Container3::cuboid("hall", Side::Outside, -DVec3::ONE, DVec3::ONE).unwrap(),
        Container3::sphere("globe", Side::Outside, DVec3::ZERO, 1.0).unwrap(),
        Container3::cylinder("can", Side::Outside, axis, 2.0, 1.0).unwrap(),
    ] {
        assert!(!room.contains(start) && room.contains(DVec3::ZERO));
        let (time, _, after) = first_hits(room, 0.25, start, velocity);
        assert_eq!(time, 3.75);
        assert_eq!(after, DVec3::X);
    }
}

/// What is inside, against plain formulas; and it does not depend on the direction in which the corners are given.
#[test]
fn what_is_inside_is_what_geometry_says() {
    let mut dice = Dice(3);
    let mut turned: Vec<DVec2> = l_corners();
    turned.reverse();
    let turned = Container2::polygon("ell", Side::Inside, &turned).unwrap();
    let (ell, bowl, pinched) = (l_shape(Side::Inside), stadium(Side::Inside), pinched());
    let along = Turn::by(0.4);
    let mut counts = [0; 3];
    for _ in 0..20_000 {
        let point = dice.vector::<Space2>(2.5);
        let in_ell = point.x > -1.0
            && point.y > -1.0
            && point.x < 2.0
            && point.y < 2.0
            && (point.x < 0.0 || point.y < 0.0);
        assert_eq!(ell.contains(point), in_ell, "{point}");
        assert_eq!(turned.contains(point), in_ell, "{point}");
        let local = Space2::unrotate(along, point - DVec2::new(0.3, -0.2));
        let from_spine = local - DVec2::new(local.x.clamp(-1.0, 1.0), 0.0);
        assert_eq!(bowl.contains(point), from_spine.length() < 1.0, "{point}");
        let in_square = point.x > -1.5 && point.x < 1.0 && point.y.abs() < 1.0;
        let out = (point - DVec2::X).length() < 0.5 && point.x >= 1.0;
        let dent = (point - DVec2::new(-1.5, 0.0)).length() < 0.5;
        let in_pinched = (in_square && !dent) || out;
        assert_eq!(pinched.contains(point), in_pinched, "{point}");
        counts[0] += usize::from(in_ell);
        counts[1] += usize::from(from_spine.length() < 1.0);
        counts[2] += usize::from(in_pinched);
    }
    assert!(counts.iter().all(|&count| count > 2000), "{counts:?}");
    // Places on the chords that the arcs are cut along, and level with corners.
    let bowl = Container2::stadium("bowl", Side::Inside, DVec2::ZERO, 2.0, 1.0, 0.0).unwrap();
    for inside in [
        (1.5, -0.5),
        (1.5, 0.5),
        (1.0, 0.0),
        (-1.5, 0.5),
        (-1.5, -0.5),
        (1.25, 0.75),
    ] {
        assert!(bowl.contains(inside.into()), "{inside:?}");
    }
    let ring = Container2::circle("ring", Side::Both, DVec2::ZERO, 1.0).unwrap();
    assert!(ring.contains(DVec2::ZERO) && !ring.contains(DVec2::new(1.1, 0.0)));
}

fn l_corners() -> Vec<DVec2> {
    let corners = [
        (-1.0, -1.0),
        (2.0, -1.0),
        (2.0, 0.0),
        (0.0, 0.0),
        (0.0, 2.0),
        (-1.0, 2.0),
    ];
    corners.map(DVec2::from).to_vec()
}

/// A wavy closed line of so many sides about the origin, about 1 m from it.
fn wavy(sides: usize) -> Vec<DVec2> {
    let corner = |index: usize| {
        let angle = std::f64::consts::TAU * index as f64 / sides as f64;
        let far = 1.0 + 0.02 * libm::sin(37.0 * angle);
        DVec2::new(libm::cos(angle), libm::sin(angle)) * far
    };
    (0..sides).map(corner).collect()
}

/// Rooms of very many walls were read, and run in, in a time that grew with the square of their number, or worse: a
/// hundred thousand sides took minutes before anything happened. The limit is for a loaded machine; alone it takes a
/// second or two.
#[test]
fn a_room_of_a_hundred_thousand_walls_is_read_and_run_in() {
    let start = std::time::Instant::now();
    let mut world = World2::new();
    let corners = wavy(100_000);
    world
        .add_container(Container::polygon("hall", Side::Inside, &corners).unwrap())
        .unwrap();
    let ball = Body::ball(0.05, 1.0, DVec2::new(0.1, 0.2), DVec2::new(1.0, 0.3));
    world.add(ball.unwrap()).unwrap();
    let mut run = Exact::new(world).unwrap();
    let until = Until::time(1e3).or_collisions(200);
    assert_eq!(
        run.run_until(until, |_| std::ops::ControlFlow::Continue(())),
        Ok(End::Collisions)
    );
    let took = start.elapsed().as_secs_f64();
    assert!(took < 30.0, "{took} s");
    // Two corners that have changed places: sides cross, and two that do are named, as going over all pairs around them
    // finds.
    let mut crossed = corners;
    crossed.swap(70_000, 70_010);
    let side = |from: usize| (crossed[from], crossed[from + 1]);
    let cross = |one: usize, other: usize| {
        let ((a, b), (c, d)) = (side(one), side(other));
        let apart = |a: DVec2, b: DVec2, c: DVec2, d: DVec2| {
            (b - a).perp_dot(c - a) * (b - a).perp_dot(d - a) > 0.0
        };
        !apart(a, b, c, d) && !apart(c, d, a, b)
    };
    let near = 69_990..70_020;
    let pairs = near.flat_map(|one| (one + 2..70_020).map(move |other| (one, other)));
    let found: Vec<(usize, usize)> = pairs.filter(|&(one, other)| cross(one, other)).collect();
    assert_eq!(found, [(69_999, 70_010), (70_000, 70_009)]);
    let wrong = Container::polygon("hall", Side::Inside, &crossed).unwrap_err();
    assert!(
        matches!(wrong, ContainerError::Crossing { first, second, .. } if found.contains(&(first - 1, second - 1))),
        "{wrong}"
    );
    crossed[99_999] = crossed[123];
    let wrong = Container::polygon("hall", Side::Inside, &crossed).unwrap_err();
    assert!(
        matches!(
            wrong,
            ContainerError::Repeated {
                first: 124,
                second: 100_000,
                ..
            }
        ),
        "{wrong}"
    );
}

/// Boxes say which of very many walls a ball can meet soon: the same events, to the bit, as if all were asked, on
/// straight flights, in gravity, on ways along walls, and among other balls.
#[test]
fn among_many_walls_the_events_are_those_of_all_of_them() {
    for gravity in [DVec2::ZERO, DVec2::new(0.3, -9.81)] {
        let world = || {
            let mut world = World2::new();
            let rough = Material {
                restitution: 0.9,
                static_friction: 0.1,
                kinetic_friction: 0.1,
                ..Material::default()
            };
            world.materials.add("default", rough).unwrap();
            world.set_gravity(gravity).unwrap();
            world
                .add_container(Container::polygon("hall", Side::Inside, &wavy(300)).unwrap())
                .unwrap();
            for index in 0..12 {
                let (row, column) = (f64::from(index / 4), f64::from(index % 4));
                let place = DVec2::new(-0.5 + 0.3 * column, -0.4 + 0.35 * row);
                let velocity = DVec2::new(1.0 - 0.7 * row, 0.4 * column - 0.5);
                world
                    .add(Body::ball(0.08, 1.0, place, velocity).unwrap())
                    .unwrap();
            }
            world
        };
        let mut quick = Exact::new(world()).unwrap();
        let mut plain = Exact::reference(world()).unwrap();
        quick.run_to(3.0).unwrap();
        plain.run_to(3.0).unwrap();
        assert!(quick.collisions() > 20, "{}", quick.collisions());
        assert_eq!(quick.digest(), plain.digest());
    }
}
