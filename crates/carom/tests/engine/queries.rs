//! Rays, overlaps and nearest neighbours: the quick answers are the slow ones, and both are right.

use super::random::Random;
use carom::body::{CollisionFilter, Kind};
use carom::prelude::*;
use carom::shape::Obstacle;
use carom::shape::{Ball, Block, Cylinder, HalfSpace, Hollow, Segment, Shape2, Shape3, Triangle};
use carom::simulate::Exact;
use carom::simulate::{Compiled, Hit, Query};
use carom::space::Linear;

fn gas<S: Compiled>(
    side: u32,
    radius: f64,
    periodic: bool,
    shapes: Vec<Shape<S>>,
    seed: u64,
) -> Exact<S> {
    let mut random = Random(seed);
    let mut world = World::<S>::new();
    let layers = if S::DIMENSION == 3 { side } else { 1 };
    for z in 0..layers {
        for y in 0..side {
            for x in 0..side {
                let place = S::vector([x, y, z].map(|along| f64::from(along) + 0.5));
                let velocity = random.vector::<S>(-1.0, 1.0);
                let radius = radius * (0.5 + 0.5 * random.next());
                world
                    .add(Body::ball(radius, 1.0, place, velocity).unwrap())
                    .unwrap();
            }
        }
    }
    if periodic {
        world.set_periodic([Some(f64::from(side)); 3]).unwrap();
    }
    for shape in shapes {
        // Balls pass, so that it can be anywhere.
        let pose = Pose::at(random.vector::<S>(0.0, f64::from(side)));
        world
            .add(Body::fixed(shape).pose(pose).in_groups(2, 0))
            .unwrap();
    }
    let mut run = Exact::new(world).unwrap();
    run.run_to(1.3).unwrap();
    run
}

/// Quick and slow answers to many questions, and each answer against plain geometry.
///
/// Longer than most: each kind of question, asked and judged.
fn check<S: Compiled>(run: &Exact<S>, side: f64, questions: usize) {
    let mut random = Random(99);
    let quick = run.query();
    let slow = quick.exhaustive();
    let periodic = run.periods()[0] > 0.0;
    let mut hits = 0;
    for _ in 0..questions {
        let origin = random.vector::<S>(-0.5 * side, 1.5 * side);
        let direction = random.vector::<S>(-1.0, 1.0);
        let length = 2.0 * side * random.next();
        let (a, b) = (
            quick.ray(origin, direction, length).unwrap(),
            slow.ray(origin, direction, length).unwrap(),
        );
        let (all, slow_all) = (
            quick.ray_through(origin, direction, length).unwrap(),
            slow.ray_through(origin, direction, length).unwrap(),
        );
        assert_eq!(a.map(|hit| hit.body), b.map(|hit| hit.body));
        assert_eq!(a.map(|hit| hit.body), all.first().map(|hit| hit.body));
        let names = |hits: &[Hit<S>]| hits.iter().map(|hit| hit.body).collect::<Vec<_>>();
        assert_eq!(names(&all), names(&slow_all));
        for (hit, slow) in all.iter().zip(&slow_all) {
            hits += 1;
            // Coordinates of some tens of metres; a graze makes the square root of that of it.
            assert!(
                (hit.distance - slow.distance).abs() < 1e-7,
                "{hit:?} {slow:?}"
            );
            assert!((hit.normal.length() - 1.0).abs() < 1e-12);
            assert!(hit.distance == 0.0 || hit.normal.dot(direction) <= 1e-7);
            if hit.distance > 0.0 {
                // It is on the surface, and nothing of the body is nearer along the ray.
                let near = distance_from(run, hit.body, hit.point);
                assert!(near.abs() < 1e-9, "{hit:?} {near}");
                let unit = direction.unit().unwrap();
                for share in [0.1, 0.3, 0.5, 0.7, 0.9, 0.99] {
                    let before = origin + unit * (share * hit.distance);
                    assert!(
                        distance_from(run, hit.body, before) > -1e-12,
                        "{hit:?} {share}"
                    );
                }
            }
        }
        let radius = 0.3 * side * random.next();
        let found = quick.in_ball(origin, radius).unwrap();
        assert_eq!(found, slow.in_ball(origin, radius).unwrap());
        let plain: Vec<BodyId> = run
            .bodies()
            .filter(|&id| distance_from(run, id, origin) <= radius)
            .collect();
        assert_eq!(found, plain);
        let size = random.vector::<S>(0.0, 0.4 * side);
        let boxed = quick.in_box(origin, origin + size).unwrap();
        assert_eq!(boxed, slow.in_box(origin, origin + size).unwrap());
        // All that are met inside are named, and no ball that is too far from its middle.
        for id in run.bodies() {
            let far = distance_from(run, id, origin + size * 0.5);
            let ball = matches!(run.body(id).unwrap().kind, Kind::Free(_));
            if ball && boxed.contains(&id) {
                assert!(far <= 0.5 * size.length() + 1e-12);
            }
            let inner = S::components(size)[..S::DIMENSION]
                .iter()
                .fold(f64::INFINITY, |least, side| least.min(0.5 * side));
            if far < inner {
                assert!(boxed.contains(&id), "{id:?} {far} {inner}");
            }
        }
        let number = 1 + (7.0 * random.next()) as usize;
        let near = quick.nearest(origin, number).unwrap();
        let names: Vec<BodyId> = near.iter().map(|&(id, _)| id).collect();
        let slow_names: Vec<BodyId> = (slow.nearest(origin, number).unwrap().iter())
            .map(|&(id, _)| id)
            .collect();
        assert_eq!(names, slow_names);
        let mut plain: Vec<f64> = run
            .bodies()
            .map(|id| distance_from(run, id, origin))
            .collect();
        plain.sort_by(f64::total_cmp);
        for (found, expected) in near.iter().zip(plain) {
            assert!((found.1 - expected).abs() < 1e-12, "{near:?} {expected}");
        }
    }
    assert!(hits > questions / 10, "{hits}");
    let infinite = quick.ray(S::Vector::ZERO, S::vector([1.0; 3]), f64::INFINITY);
    assert_eq!(infinite.is_err(), periodic);
}

/// How far the surface of a body, or of the nearest of its images, is from a place.
fn distance_from<S: Compiled>(run: &Exact<S>, id: BodyId, place: S::Vector) -> f64 {
    let (body, state) = (run.body(id).unwrap(), run.state(id));
    let pose: Pose<S> = Pose {
        position: state.position,
        rotation: state.rotation,
    };
    let period = run.periods();
    let range = |axis: usize| if period[axis] > 0.0 { -4..=4 } else { 0..=0 };
    let mut nearest = f64::INFINITY;
    for x in range(0) {
        for y in range(1) {
            for z in range(2) {
                let boxes = [x, y, z].map(f64::from);
                let shift = S::vector([0, 1, 2].map(|axis| boxes[axis] * period[axis]));
                let distance = body.shape.closest(pose.to_local(place + shift)).distance;
                nearest = nearest.min(distance);
            }
        }
    }
    nearest
}

fn plane_shapes() -> Vec<Shape<Space2>> {
    let segment = Segment::new(DVec2::new(-1.0, 0.0), DVec2::new(1.2, 0.4)).unwrap();
    let arc = carom::shape::Arc::new(DVec2::new(0.3, 0.0), 1.0, 0.3, 4.0).unwrap();
    vec![
        Shape::Ball(Ball::new(0.7).unwrap()),
        Shape::Block(Block::new(DVec2::new(1.0, 0.4)).unwrap()),
        Shape::own(Shape2::Segment(segment)),
        Shape::own(Shape2::Arc(arc)),
    ]
}

fn solid_shapes() -> Vec<Shape<Space3>> {
    let triangle = Triangle::new([
        DVec3::new(-0.8, 0.0, 0.0),
        DVec3::new(1.0, 0.3, 0.0),
        DVec3::new(0.0, 0.9, 0.5),
    ]);
    let cylinder = Cylinder::new(DVec3::new(0.3, 0.1, 1.0), 0.8, 0.6).unwrap();
    vec![
        Shape::Ball(Ball::new(0.7).unwrap()),
        Shape::Block(Block::new(DVec3::new(1.0, 0.4, 0.3)).unwrap()),
        Shape::own(Shape3::Triangle(triangle.unwrap())),
        Shape::own(Shape3::Cylinder(cylinder)),
    ]
}

#[test]
fn in_the_plane() {
    for seed in 1..4 {
        check(
            &gas::<Space2>(12, 0.4, false, plane_shapes(), seed),
            12.0,
            100,
        );
        check(
            &gas::<Space2>(12, 0.4, true, plane_shapes(), seed),
            12.0,
            100,
        );
        check(&gas::<Space2>(3, 0.4, true, plane_shapes(), seed), 3.0, 50);
    }
}

#[test]
fn in_space() {
    check(&gas::<Space3>(6, 0.4, false, solid_shapes(), 1), 6.0, 60);
    check(&gas::<Space3>(6, 0.4, true, solid_shapes(), 2), 6.0, 60);
}

#[test]
fn among_neighbour_lists() {
    // So crowded that the cells hold where balls were when their lists were made.
    let mut world = World3::new();
    let mut random = Random(4);
    for index in 0..216 {
        let place = DVec3::new(
            f64::from(index % 6),
            f64::from(index / 6 % 6),
            f64::from(index / 36),
        );
        let velocity = random.vector::<Space3>(-1.0, 1.0);
        world
            .add(Body::ball(0.48, 1.0, place + DVec3::splat(0.5), velocity).unwrap())
            .unwrap();
    }
    world.set_periodic([Some(6.0); 3]).unwrap();
    let mut run = Exact::new(world).unwrap();
    run.run_to(1.0).unwrap();
    check(&run, 6.0, 100);
}

/// Longer than most: one world with all walls that there are.
#[test]
fn walls_rooms_and_those_inside() {
    let mut world = World2::new();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
    let floor = world
        .add(Body::fixed(floor).at(DVec2::new(0.0, -1.0)))
        .unwrap();
    let room = Shape::Hollow(Hollow::new(5.0).unwrap());
    let room = world.add(Body::fixed(room)).unwrap();
    let gate = Shape::Block(Block::new(DVec2::splat(0.5)).unwrap());
    let gate = world
        .add(
            Body::fixed(gate)
                .at(DVec2::new(2.0, 0.0))
                .sensing()
                .in_groups(1, 1),
        )
        .unwrap();
    let ball = Body::ball(0.25, 1.0, DVec2::new(3.5, 0.0), DVec2::ZERO).unwrap();
    let ball = world.add(ball.in_groups(2, 2)).unwrap();
    let run = Exact::new(world).unwrap();
    let query = run.query();
    let through: Vec<(BodyId, f64)> = query
        .ray_through(DVec2::ZERO, DVec2::new(3.0, 0.0), 100.0)
        .unwrap()
        .iter()
        .map(|hit| (hit.body, hit.distance))
        .collect();
    assert_eq!(through, [(gate, 1.5), (ball, 3.25), (room, 5.0)]);
    let first = |query: Query<Space2>| {
        query
            .ray(DVec2::ZERO, DVec2::X, 100.0)
            .unwrap()
            .map(|hit| hit.body)
    };
    assert_eq!(first(query), Some(gate));
    assert_eq!(first(query.without_sensors()), Some(ball));
    let firsts = CollisionFilter {
        memberships: 1,
        mask: 1,
    };
    assert_eq!(
        first(query.without_sensors().for_groups(firsts)),
        Some(room)
    );
    let down = query.ray(DVec2::ZERO, -DVec2::Y, 3.0).unwrap().unwrap();
    assert_eq!(
        (down.body, down.distance, down.normal),
        (floor, 1.0, DVec2::Y)
    );
    let inside = query
        .ray(DVec2::new(3.5, 0.1), DVec2::Y, 1.0)
        .unwrap()
        .unwrap();
    assert_eq!(
        (inside.body, inside.distance, inside.normal),
        (ball, 0.0, DVec2::Y)
    );
    assert_eq!(
        query.in_ball(DVec2::new(3.0, -0.5), 0.6).unwrap(),
        [floor, gate, ball]
    );
    assert_eq!(
        query
            .in_box(DVec2::new(3.0, 0.0), DVec2::new(4.9, 1.0))
            .unwrap(),
        [room, ball]
    );
    assert_eq!(
        query.nearest(DVec2::new(2.0, 0.0), 2).unwrap(),
        [(gate, -0.5), (floor, 1.0)]
    );
    assert_eq!(
        query
            .ray(DVec2::ZERO, DVec2::ZERO, 1.0)
            .unwrap_err()
            .to_string(),
        "direction is DVec2(0.0, 0.0), but must be a finite direction that is not zero"
    );
    assert!(query.ray(DVec2::new(f64::NAN, 0.0), DVec2::X, 1.0).is_err());
    assert!(query.in_ball(DVec2::ZERO, -1.0).is_err());
    assert!(query.in_box(DVec2::X, DVec2::ZERO).is_err());
    assert!(query.nearest(DVec2::new(f64::INFINITY, 0.0), 1).is_err());
}
