//! Rooms of every form (rows P4, K7, K8): whatever happens inside stays inside, and walls, corners and joints are hit
//! as geometry says.

mod walls;

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
                if collision.number >= 1000 * thousand {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
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
        if hits < 10 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
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
