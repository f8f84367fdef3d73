//! Sensors: when balls come and go, exactly, once each, and without any other trace.

use super::random::Random;
use carom::body::{CollisionFilter, Kind};
use carom::motion::{Drag, Field, Fields};
use carom::prelude::*;
use carom::record::SensorCrossing;
use carom::shape::Obstacle;
use carom::shape::{
    Arc, Ball, Block, Cylinder, HalfSpace, Hollow, Segment, Shape2, Shape3, Triangle,
};
use carom::simulate::Compiled;
use carom::simulate::Exact;
use carom::space::Linear;
use std::ops::ControlFlow;

/// Every passage: time, whether in, ball, sensor.
type Told = Vec<(f64, bool, BodyId, BodyId)>;

fn told<S: Compiled>(run: &mut Exact<S>, until: f64, list: &mut Told) {
    run.run_until(until, |event| {
        match *event {
            Event::Entered(SensorCrossing {
                time, ball, sensor, ..
            }) => list.push((time, true, ball, sensor)),
            Event::Left(SensorCrossing {
                time, ball, sensor, ..
            }) => list.push((time, false, ball, sensor)),
            _ => {}
        }
        ControlFlow::Continue(())
    })
    .unwrap();
}

fn times(world: World2, until: f64) -> Vec<(f64, bool)> {
    let both = [Exact::new(world.clone()), Exact::reference(world)].map(|run| {
        let mut list = Vec::new();
        told(&mut run.unwrap(), until, &mut list);
        list
    });
    assert_eq!(both[0], both[1]);
    both[0]
        .iter()
        .map(|&(time, inside, ..)| (time, inside))
        .collect()
}

fn one_ball(place: DVec2, velocity: DVec2, gravity: f64) -> World2 {
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -gravity)).unwrap();
    world
        .add(Body::ball(0.5, 1.0, place, velocity).unwrap())
        .unwrap();
    world
}

#[test]
fn a_ball_flies_through_a_box() {
    let mut world = one_ball(DVec2::ZERO, DVec2::X, 0.0);
    let gate = Shape::Block(Block::new(DVec2::new(1.0, 3.0)).unwrap());
    world
        .add(Body::fixed(gate).at(DVec2::new(5.0, 0.0)).sensing())
        .unwrap();
    assert_eq!(times(world, 20.0), [(3.5, true), (6.5, false)]);
}

#[test]
fn a_parabola_goes_in_and_out_twice() {
    // A bare line at y = 0: from y = −4 up at 10 m/s and back, g = 10: heights −0.5 and 0.5 are passed upwards and
    // downwards.
    let mut world = one_ball(DVec2::new(0.0, -4.0), DVec2::new(0.0, 10.0), 10.0);
    let line = Shape::HalfSpace(HalfSpace::two_sided(DVec2::Y).unwrap());
    world.add(Body::fixed(line).sensing()).unwrap();
    // 10 t − 5 t² = h + 4.
    let at = |height: f64, sign: f64| 1.0 + sign * (1.0 - (height + 4.0) / 5.0).sqrt();
    let expected = [
        (at(-0.5, -1.0), true),
        (at(0.5, -1.0), false),
        (at(0.5, 1.0), true),
        (at(-0.5, 1.0), false),
    ];
    let found = times(world, 20.0);
    assert_eq!(found.len(), 4, "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.1, expected.1);
        // Rounding of heights of 5 m at speeds of 3 m/s.
        assert!(
            (found.0 - expected.0).abs() < 1e-15 * 8.0,
            "{found:?} {expected:?}"
        );
    }
}

#[test]
fn one_that_starts_inside_is_reported_at_once_and_turns_inside_without_a_word() {
    let mut world = one_ball(DVec2::ZERO, DVec2::new(1.0, 0.0), 0.0);
    let room = Shape::Block(Block::new(DVec2::splat(2.0)).unwrap());
    world.add(Body::fixed(room).sensing()).unwrap();
    // It bounces off a wall inside the sensor, and leaves on the other side.
    let wall = Shape::HalfSpace(HalfSpace::solid(DVec2::new(-1.0, 0.0)).unwrap());
    world
        .add(Body::fixed(wall).at(DVec2::new(1.5, 0.0)))
        .unwrap();
    assert_eq!(times(world, 20.0), [(0.0, true), (4.5, false)]);
}

#[test]
fn a_shaken_and_a_turning_sensor() {
    // The ball rests; a line shaken as 2 sin(2π t) touches it while |2 sin| > 1.5 on its side.
    let mut world = one_ball(DVec2::new(0.0, 2.0), DVec2::ZERO, 0.0);
    let line = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
    let shaken = Drive::Oscillation {
        amplitude: DVec2::new(0.0, 2.0),
        frequency: 1.0,
        phase: 0.0,
    };
    world.add(Body::kinematic(line, shaken).sensing()).unwrap();
    let found = times(world, 3.0);
    let angle = libm::asin(0.75) / std::f64::consts::TAU;
    assert_eq!(found.len(), 6, "{found:?}");
    for (index, &(time, inside)) in found.iter().enumerate() {
        let turn = (index / 2) as f64;
        let expected = turn + if inside { angle } else { 0.5 - angle };
        assert_eq!(inside, index % 2 == 0);
        assert!((time - expected).abs() < 1e-14, "{time} {expected}");
    }
    // A hand of a clock sweeps over a resting ball: in at the angle where the ball touches its side, out symmetrically.
    let mut world = one_ball(DVec2::new(3.0, 0.0), DVec2::ZERO, 0.0);
    let hand = Segment::new(DVec2::ZERO, DVec2::new(4.0, 0.0)).unwrap();
    let pose = Pose {
        position: DVec2::ZERO,
        rotation: Turn::by(1.0),
    };
    let turning = Drive::Rotation {
        pivot: DVec2::ZERO,
        angular_velocity: -1.0,
    };
    let hand = Shape::own(Shape2::Segment(hand));
    world
        .add(Body::kinematic(hand, turning).pose(pose).sensing())
        .unwrap();
    let found = times(world, 3.0);
    let half = libm::asin(0.5 / 3.0);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        (found[0].0 - (1.0 - half)).abs() < 1e-14 && found[0].1,
        "{found:?}"
    );
    assert!(
        (found[1].0 - (1.0 + half)).abs() < 1e-14 && !found[1].1,
        "{found:?}"
    );
}

/// A gas with sensors of many shapes, some of them moving, and walls or a periodic box.
fn scene<S: Compiled>(periodic: bool, shapes: &[Shape<S>], seed: u64, sensing: bool) -> World<S> {
    let mut random = Random(seed);
    let mut world = World::<S>::new();
    let side = 4;
    let layers = if S::DIMENSION == 3 { side } else { 1 };
    for z in 0..layers {
        for y in 0..side {
            for x in 0..side {
                let place = S::vector([x, y, z].map(|along| f64::from(along) + 0.5));
                let velocity = random.vector::<S>(-1.0, 1.0);
                world
                    .add(Body::ball(0.1 + 0.2 * random.next(), 1.0, place, velocity).unwrap())
                    .unwrap();
            }
        }
    }
    let side = f64::from(side);
    if periodic {
        world.set_periodic([Some(side); 3]).unwrap();
    } else {
        world.set_gravity(random.vector::<S>(-0.5, 0.5)).unwrap();
        for axis in 0..S::DIMENSION {
            for (place, direction) in [(0.0, 1.0), (side, -1.0)] {
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
    for (index, shape) in shapes.iter().enumerate().filter(|_| sensing) {
        let pose = Pose {
            position: random.vector::<S>(0.0, side),
            rotation: S::no_rotation(),
        };
        let body = match index % 3 {
            1 if !periodic => Body::kinematic(
                shape.clone(),
                Drive::Oscillation {
                    amplitude: random.vector::<S>(-1.0, 1.0),
                    frequency: 0.3,
                    phase: 0.1,
                },
            )
            .pose(pose),
            2 if !periodic => Body::kinematic(
                shape.clone(),
                Drive::Path {
                    knots: vec![(1.0, S::Vector::ZERO), (3.0, random.vector::<S>(-1.0, 1.0))],
                },
            )
            .pose(pose),
            _ => Body::fixed(shape.clone()).pose(pose),
        };
        world.add(body.sensing()).unwrap();
    }
    world
}

/// Both planners tell the same; at many times those inside are those that overlap; without sensors the collisions are
/// the same.
fn check<S: Compiled>(periodic: bool, shapes: &[Shape<S>], seed: u64) {
    let world = scene(periodic, shapes, seed, true);
    let mut fast = Exact::new(world.clone()).unwrap();
    let mut slow = Exact::reference(world.clone()).unwrap();
    let mut without = Exact::new(scene(periodic, shapes, seed, false)).unwrap();
    let (mut list, mut other) = (Vec::new(), Vec::new());
    let sensors: Vec<BodyId> = world
        .bodies()
        .iter()
        .enumerate()
        .filter(|(_, body)| body.sensor)
        .map(|(id, _)| BodyId(id as u32))
        .collect();
    let balls: Vec<BodyId> = (0..)
        .map(BodyId)
        .zip(world.bodies())
        .filter(|(_, body)| matches!(body.kind, Kind::Free(_)))
        .map(|(id, _)| id)
        .collect();
    for step in 1..=80 {
        let until = 0.1 * f64::from(step);
        told(&mut fast, until, &mut list);
        told(&mut slow, until, &mut other);
        without.run_to(until).unwrap();
        for &sensor in &sensors {
            let inside = fast.inside(sensor);
            let (shape, state) = (&world.body(sensor).shape, fast.state(sensor));
            let pose: Pose<S> = Pose {
                position: state.position,
                rotation: state.rotation,
            };
            for &ball in &balls {
                let radius = match world.body(ball).shape {
                    Shape::Ball(ball) => ball.radius,
                    _ => unreachable!(),
                };
                let mut gap = f64::INFINITY;
                let length = if periodic { 4.0 } else { 0.0 };
                for x in -2..=2 {
                    for y in -2..=2 {
                        for z in -2..=2 {
                            let shift = S::vector([x, y, z].map(|boxes| f64::from(boxes) * length));
                            let place = fast.state(ball).position + shift;
                            let distance = shape.closest(pose.to_local(place)).distance;
                            gap = gap.min(distance - radius);
                        }
                    }
                }
                // So near to the edge rounding decides.
                if gap.abs() > 1e-12 {
                    let said = inside.contains(&ball);
                    assert_eq!(said, gap < 0.0, "{ball:?} {sensor:?} at {until}: {gap}");
                }
            }
        }
    }
    assert_eq!(list, other);
    assert_eq!(fast.digest(), slow.digest());
    assert!(list.len() > 20, "{}", list.len());
    // In and out by turns.
    for (index, &(_, inside, ball, sensor)) in list.iter().enumerate() {
        let next = list[index + 1..]
            .iter()
            .find(|other| (other.2, other.3) == (ball, sensor));
        assert!(next.is_none_or(|next| next.1 != inside));
    }
    assert_eq!(fast.collisions(), without.collisions());
    for &ball in &balls {
        assert_eq!(fast.state(ball), without.state(ball));
    }
}

#[test]
fn sensors_of_every_shape_in_the_plane() {
    let segment = Segment::new(DVec2::new(-0.6, 0.0), DVec2::new(0.7, 0.3)).unwrap();
    let arc = Arc::new(DVec2::new(0.2, 0.0), 0.8, 0.3, 2.5).unwrap();
    let shapes = [
        Shape::Ball(Ball::new(0.6).unwrap()),
        Shape::Block(Block::new(DVec2::new(0.7, 0.3)).unwrap()),
        Shape::own(Shape2::Segment(segment)),
        Shape::own(Shape2::Arc(arc)),
        Shape::Block(Block::new(DVec2::new(0.2, 1.3)).unwrap()),
        Shape::own(Shape2::Arc(arc)),
    ];
    for seed in 1..4 {
        check::<Space2>(false, &shapes, seed);
        check::<Space2>(true, &shapes, seed);
    }
    let endless = [
        Shape::HalfSpace(HalfSpace::two_sided(DVec2::new(0.3, 1.0)).unwrap()),
        Shape::Hollow(Hollow::new(1.5).unwrap()),
        Shape::HalfSpace(HalfSpace::solid(DVec2::new(0.3, 1.0)).unwrap()),
    ];
    for seed in 5..8 {
        check::<Space2>(false, &endless, seed);
    }
}

#[test]
fn sensors_of_every_shape_in_space() {
    let triangle = Triangle::new([
        DVec3::new(-0.8, 0.0, 0.0),
        DVec3::new(1.0, 0.3, 0.0),
        DVec3::new(0.0, 0.9, 0.5),
    ])
    .unwrap();
    let cylinder = Cylinder::new(DVec3::new(0.3, 0.1, 1.0), 0.5, 0.7).unwrap();
    let shapes = [
        Shape::Ball(Ball::new(0.9).unwrap()),
        Shape::Block(Block::new(DVec3::new(0.7, 0.3, 0.9)).unwrap()),
        Shape::own(Shape3::Triangle(triangle)),
        Shape::own(Shape3::Cylinder(cylinder)),
    ];
    for seed in 1..3 {
        check::<Space3>(false, &shapes, seed);
        check::<Space3>(true, &shapes, seed);
    }
}

#[test]
fn sensors_between_edits() {
    let mut world = one_ball(DVec2::ZERO, DVec2::X, 0.0);
    let gate = Shape::Ball(Ball::new(1.0).unwrap());
    let gate = world
        .add(Body::fixed(gate).at(DVec2::new(5.0, 0.0)).sensing())
        .unwrap();
    let mut run = Exact::new(world).unwrap();
    let mut list = Vec::new();
    told(&mut run, 4.0, &mut list);
    assert_eq!(run.inside(gate), [BodyId(0)]);
    // Another is put into it, and the first is taken out of it.
    let second = Body::ball(0.5, 1.0, DVec2::new(5.0, 1.2), DVec2::ZERO).unwrap();
    let second = run.insert(second).unwrap();
    run.set_position(BodyId(0), DVec2::new(-3.0, 0.0)).unwrap();
    told(&mut run, 4.5, &mut list);
    assert_eq!(run.inside(gate), [second]);
    run.remove(second).unwrap();
    told(&mut run, 20.0, &mut list);
    let expected = [
        (3.5, true, BodyId(0), gate),
        (4.0, true, second, gate),
        (4.0, false, BodyId(0), gate),
        (10.5, true, BodyId(0), gate),
        (13.5, false, BodyId(0), gate),
    ];
    list.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    assert_eq!(list, expected);
}

/// A rule let a ball that entered a sensor meet other groups: it was taken to be outside again, entered once more, and
/// so on without end. Only what it does not meet any more is forgotten.
#[test]
fn a_ball_that_meets_others_than_before_stays_inside() {
    let mut world = one_ball(DVec2::ZERO, DVec2::X, 0.0);
    let gate = Shape::Ball(Ball::new(1.0).unwrap());
    let gate = world
        .add(Body::fixed(gate).at(DVec2::new(5.0, 0.0)).sensing())
        .unwrap();
    let mut run = Exact::new(world).unwrap();
    let mut list = Vec::new();
    let meeting = |mask| CollisionFilter {
        memberships: 1,
        mask,
    };
    told(&mut run, 3.75, &mut list);
    for (filter, inside) in [(meeting(1), true), (meeting(0), false), (meeting(1), true)] {
        run.set_groups(BodyId(0), filter).unwrap();
        let time = run.time() + 0.5;
        told(&mut run, time, &mut list);
        assert_eq!(run.inside(gate).contains(&BodyId(0)), inside, "{filter:?}");
    }
    told(&mut run, 20.0, &mut list);
    let ball = BodyId(0);
    // In at 3.5 s, let out at 4.25 s, and in again when it meets the gate again.
    let expected = [
        (3.5, true, ball, gate),
        (4.75, true, ball, gate),
        (6.5, false, ball, gate),
    ];
    assert_eq!(list, expected);
}

#[test]
fn what_cannot_be_a_sensor_is_refused() {
    let mut world = World2::new();
    let ball = Body::ball(0.5, 1.0, DVec2::ZERO, DVec2::ZERO).unwrap();
    let error = world.add(ball.named("probe").sensing()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "body 0 (probe): sensor is set, but must be set only where the body is static or kinematic"
    );
    world.set_periodic([Some(10.0), None, None]).unwrap();
    let gate = Shape::Ball(Ball::new(1.0).unwrap());
    let drive = Drive::Uniform { velocity: DVec2::X };
    world
        .add(Body::kinematic(gate, drive).sensing().named("gate"))
        .unwrap();
    let errors = Exact::new(world).unwrap_err();
    assert_eq!(
        errors[0].to_string(),
        "body 0 (gate) does not fit the periodic box of 10 m along x: a sensor that moves cannot be repeated"
    );
}

/// A ball that slid along a curved wall through a sensor had its way made anew, from where that had begun, with another
/// first step of the integrator: it went on from another place than where it was, and could leave the wall in the past.
/// Found by a game of pinball, whose budget was open by 1e-6 J. A sensor leaves no trace, on walls and in fields.
#[test]
fn a_sensor_leaves_the_way_of_a_ball_on_a_wall_as_it_is() {
    let bowl = |sensors: &[f64], drag: bool| {
        let mut world = World2::new();
        world.set_gravity(DVec2::new(0.0, -9.81)).unwrap();
        if drag {
            let drag = Field::Drag(Drag::Given {
                linear: 0.1,
                quadratic: 0.2,
            });
            let fields = Fields::uniform(DVec2::new(0.0, -9.81)).with(drag);
            world.set_fields(fields).unwrap();
        }
        let material = Material {
            restitution: 0.3,
            static_friction: 0.2,
            kinetic_friction: 0.2,
            ..Material::default()
        };
        let rough = world.materials.add("rough", material).unwrap();
        let hollow = Body::fixed(Shape::hollow(1.0).unwrap()).made_of(rough);
        world.add(hollow).unwrap();
        let ball = Body::ball(0.1, 1.0, DVec2::new(0.85, 0.0), DVec2::new(0.0, -1.0)).unwrap();
        let ball = world.add(ball.made_of(rough)).unwrap();
        for &x in sensors {
            let zone = Shape::Block(Block::new(DVec2::new(0.05, 2.0)).unwrap());
            let zone = Body::fixed(zone).at(DVec2::new(x, 0.0)).sensing();
            world.add(zone).unwrap();
        }
        let mut run = Exact::new(world).unwrap();
        let mut list = Vec::new();
        told(&mut run, 3.0, &mut list);
        let audit = run.audit();
        assert!(audit.energy_residual.abs() < 1e-9, "{audit:?}");
        (run.state(ball), list.len())
    };
    for drag in [false, true] {
        let (alone, none) = bowl(&[], drag);
        let (watched, passages) = bowl(&[0.6, 0.4, 0.1, -0.2, -0.5], drag);
        assert_eq!((watched, none), (alone, 0));
        assert!(passages > 10, "{passages}");
    }
}
