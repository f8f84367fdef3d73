//! Rooms that cannot be, and balls that are not where they belong, are refused with names and numbers.

use carom::container::{Container2, Side, Stretch};
use carom::container::{Container3, ContainerError};
use carom::prelude::*;
use carom::shape::{Shape3, Tube};
use carom::simulate::Exact;
use carom::world::WorldError;

fn points(corners: &[(f64, f64)]) -> Vec<DVec2> {
    corners.iter().copied().map(DVec2::from).collect()
}

fn polygon(corners: &[(f64, f64)]) -> String {
    let room = Container2::polygon("hall", Side::Inside, &points(corners));
    room.unwrap_err().to_string()
}

fn straight(from: (f64, f64), to: (f64, f64)) -> Stretch {
    Stretch::Straight {
        from: from.into(),
        to: to.into(),
    }
}

fn arc(centre: (f64, f64), radius: f64, start: f64, sweep: f64) -> Stretch {
    Stretch::Arc {
        centre: centre.into(),
        radius,
        start,
        sweep,
    }
}

fn outline(stretches: &[Stretch]) -> String {
    let room = Container2::outline("hall", Side::Inside, stretches);
    room.unwrap_err().to_string()
}

#[test]
fn polygons_that_are_none() {
    assert_eq!(
        polygon(&[(0.0, 0.0), (1.0, 0.0)]),
        "container hall has 2 corners, but must have three or more"
    );
    assert_eq!(
        polygon(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.0)]),
        "container hall: corners 1 and 4 are both at (0, 0) m, but corners must differ \
         (the last wall leads back to the first corner by itself)"
    );
    assert_eq!(
        polygon(&[(0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (0.0, 2.0)]),
        "container hall: walls 1 and 3 intersect at (1, 1) m, but walls may only touch their neighbours, at the corner between them"
    );
    // A corner on another wall.
    assert_eq!(
        polygon(&[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (1.0, 0.0), (0.0, 2.0)]),
        "container hall: walls 1 and 3 intersect at (1, 0) m, but walls may only touch their neighbours, at the corner between them"
    );
    // A spike that leads back along itself.
    assert_eq!(
        polygon(&[(0.0, 0.0), (3.0, 0.0), (2.0, 0.0), (2.0, 2.0)]),
        "container hall: walls 1 and 2 intersect at (2, 0) m, but walls may only touch their neighbours, at the corner between them"
    );
    assert_eq!(
        polygon(&[(0.0, 0.0), (1.0, f64::NAN), (1.0, 1.0)]),
        "container hall: corner 2 is DVec2(1.0, NaN), but must be made of finite numbers"
    );
    let circle = (DVec2::ZERO, -1.0);
    let room = Container2::regular_polygon("gem", Side::Inside, 5, circle, 0.0);
    assert_eq!(
        room.unwrap_err().to_string(),
        "container gem: radius is -1, but must be a positive, finite number of metres"
    );
    let circle = (DVec2::ZERO, 1.0);
    let room = Container2::regular_polygon("gem", Side::Inside, 2, circle, 0.0);
    let corners = ContainerError::Corners {
        container: "gem".to_owned(),
        corners: 2,
    };
    assert_eq!(room.unwrap_err(), corners);
}

#[test]
fn outlines_with_gaps_and_crossings() {
    let pi = std::f64::consts::PI;
    let open = [
        straight((0.0, 0.0), (1.0, 0.0)),
        straight((1.0, 0.0), (1.0, 1.0)),
        straight((1.0, 1.25), (0.0, 0.0)),
    ];
    assert_eq!(
        outline(&open),
        "container hall is not closed: wall 2 ends at (1, 1) m, but wall 3 starts at (1, 1.25) m, 2.5e-1 m away; \
         at most 1.25e-9 m is taken for rounding"
    );
    // The last must lead back to the first; here an arc that stops short.
    let short = [
        straight((1.0, 0.0), (-1.0, 0.0)),
        arc((0.0, 0.0), 1.0, pi, 3.0),
    ];
    let error = outline(&short);
    assert!(
        error.starts_with("container hall is not closed: wall 2 ends at (0.98"),
        "{error}"
    );
    // Rounding is no gap: these ends are wrong in the tenth digit.
    let nearly = [
        straight((1.0 + 1e-10, 0.0), (-1.0, 1e-10)),
        arc((0.0, 0.0), 1.0, pi, pi),
    ];
    let room = Container2::outline("hall", Side::Inside, &nearly).unwrap();
    assert!(room.contains(DVec2::new(0.0, -0.5)) && !room.contains(DVec2::new(0.0, 0.5)));

    // The arc bulges through the wall opposite.
    let through = [
        straight((-1.0, 0.0), (1.0, 0.0)),
        straight((1.0, 0.0), (1.0, 0.5)),
        arc((0.0, 0.5), 1.0, 0.0, -pi),
        straight((-1.0, 0.5), (-1.0, 0.0)),
    ];
    let error = outline(&through);
    assert!(
        error.starts_with("container hall: walls 1 and 3 intersect at ("),
        "{error}"
    );
    assert!(error.contains(", 0) m"), "{error}");
    // Two arcs through each other.
    let two = [
        straight((-2.0, 0.0), (-2.0, -3.0)),
        straight((-2.0, -3.0), (2.0, -3.0)),
        straight((2.0, -3.0), (2.0, 0.0)),
        arc((0.75, 0.0), 1.25, 0.0, pi),
        straight((-0.5, 0.0), (0.5, 0.0)),
        arc((-0.75, 0.0), 1.25, 0.0, pi),
    ];
    let error = outline(&two);
    assert!(
        error.starts_with("container hall: walls 4 and 6 intersect at (0, 1)"),
        "{error}"
    );
    assert_eq!(
        outline(&[]),
        "container hall has no walls, but must have one or more"
    );
    assert_eq!(
        outline(&[arc((0.0, 0.0), 1.0, 0.0, 7.0)]),
        "container hall: sweep of piece 1 is 7, but must be an angle in radians that is not zero, from −2π (clockwise) to 2π"
    );
    assert_eq!(
        outline(&[straight((1.0, 1.0), (1.0, 1.0))]),
        "container hall: ends of piece 1 is [1, 1] and [1, 1], but must be two different, finite points"
    );
    // One whole circle is a closed line.
    let whole = [arc((1.0, 0.0), 1.0, 0.3, -2.0 * pi)];
    let room = Container2::outline("ring", Side::Inside, &whole).unwrap();
    assert!(room.contains(DVec2::X) && !room.contains(-0.1 * DVec2::X));
}

#[test]
fn numbers_materials_walls_and_sides() {
    let text = |error: ContainerError| error.to_string();
    let hall = || Container2::rectangle("hall", Side::Inside, DVec2::ZERO, DVec2::ONE).unwrap();
    let flat = Container2::rectangle("hall", Side::Inside, DVec2::ZERO, DVec2::X).unwrap_err();
    assert_eq!(
        text(flat),
        "container hall: high is [1.0, 0.0] with low [0.0, 0.0], but must be above low along each axis"
    );
    let material = carom::material::Materials::DEFAULT;
    assert_eq!(
        text(hall().walls_made_of(&[material; 3]).unwrap_err()),
        "container hall has 4 walls, but 3 materials are given for them"
    );
    let drive = Drive::Uniform { velocity: DVec2::X };
    assert_eq!(
        text(hall().kinematic_wall(5, drive.clone()).unwrap_err()),
        "container hall has no wall 5: its walls are 1 to 4"
    );
    assert!(hall().kinematic_wall(0, drive).is_err());
    let sphere = Container3::sphere("globe", Side::Both, DVec3::ZERO, 1.0).unwrap_err();
    assert_eq!(
        text(sphere),
        "container globe has its balls on both sides, but a sphere can only have them inside, or outside"
    );
    let base = points(&[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]);
    let prism = Container3::prism("tent", Side::Outside, &base, 0.0, 1.0).unwrap_err();
    assert_eq!(
        text(prism),
        "container tent has its balls outside, but a prism can only have them inside"
    );
    let prism = Container3::prism("tent", Side::Inside, &base, 1.0, 0.5).unwrap_err();
    assert_eq!(
        text(prism),
        "container tent: the height from low to high is -0.5, but must be a positive, finite number of metres"
    );
    let axis = (DVec3::ZERO, DVec3::ZERO);
    let can = Container3::cylinder("can", Side::Inside, axis, 1.0, 1.0).unwrap_err();
    assert_eq!(
        text(can),
        "container can: axis is DVec3(0.0, 0.0, 0.0), but must be a finite direction that is not zero"
    );
    let vanes = |length| {
        let ring = Container2::circle("ring", Side::Inside, DVec2::ZERO, 1.0).unwrap();
        text(ring.with_vanes(3, length).unwrap_err())
    };
    assert_eq!(
        vanes(1.0),
        "container ring: length of vanes is 1, but must be a positive number of metres, below the radius"
    );
    assert_eq!(
        text(hall().with_vanes(3, 0.1).unwrap_err()),
        "container hall: vanes is 3, but must be those of a circle that has its balls inside"
    );
}

fn ball(name: &str, x: f64, y: f64) -> Body<Space2> {
    Body::ball(0.1, 1.0, DVec2::new(x, y), DVec2::ZERO)
        .unwrap()
        .named(name)
}

fn messages(world: World2) -> Vec<String> {
    let errors = Exact::new(world).unwrap_err();
    errors.iter().map(ToString::to_string).collect()
}

/// Outside of the room, in a wall, and too large: each is said once, by name.
#[test]
fn balls_that_do_not_fit() {
    let corners = [
        (0.0, 0.0),
        (4.0, 0.0),
        (4.0, 1.0),
        (1.0, 1.0),
        (1.0, 4.0),
        (0.0, 4.0),
    ];
    let mut world = World2::new();
    world
        .add_container(Container2::polygon("hall", Side::Inside, &points(&corners)).unwrap())
        .unwrap();
    world.add(ball("good", 0.5, 0.5)).unwrap();
    world.add(ball("in the notch", 2.0, 1.5)).unwrap();
    world.add(ball("half out", -0.05, 2.0)).unwrap();
    world.add(ball("in the wall", 0.05, 1.0)).unwrap();
    let mut large = Body::ball(0.75, 1.0, DVec2::new(3.0, 0.5), DVec2::ZERO).unwrap();
    large.name = "large".into();
    world.add(large).unwrap();
    let all = messages(world);
    assert_eq!(
        all[0],
        "body 7 (in the notch) is not inside container hall: its centre is 5e-1 m beyond body 2 (hall.wall 3)"
    );
    assert_eq!(
        all[1],
        "body 8 (half out) is not inside container hall: its centre is 5e-2 m beyond body 5 (hall.wall 6)"
    );
    let starts = [
        "body 9 (in the wall) and body 5 (hall.wall 6) overlap by 5e-2 m",
        "body 10 (large) and body 0 (hall.wall 1) overlap by 2.5e-1 m",
        "body 10 (large) and body 2 (hall.wall 3) overlap by 2.5e-1 m",
    ];
    assert_eq!(all.len(), 5, "{all:#?}");
    for (message, start) in all[2..].iter().zip(starts) {
        assert!(message.starts_with(start), "{message}");
    }
}

/// Two rooms side by side: a ball must be in one of them. A room for balls outside keeps its inside free; one for both
/// asks for nothing.
#[test]
fn the_side_that_balls_belong_to() {
    let ring = |name: &str, side, x: f64| {
        let base = [(x - 1.0, -1.0), (x + 1.0, -1.0), (x, 1.0)];
        Container2::polygon(name, side, &points(&base)).unwrap()
    };
    let mut world = World2::new();
    world
        .add_container(ring("left", Side::Inside, -2.0))
        .unwrap();
    world
        .add_container(ring("right", Side::Inside, 2.0))
        .unwrap();
    world.add(ball("a", -2.0, -0.5)).unwrap();
    world.add(ball("b", 2.0, -0.5)).unwrap();
    assert!(Exact::new(world.clone()).is_ok());
    world.add(ball("between", 0.5, -0.9)).unwrap();
    let all = messages(world);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(
        all[0].starts_with("body 8 (between) is not inside container right: its centre is"),
        "{all:?}"
    );

    let mut world = World2::new();
    world
        .add_container(ring("post", Side::Outside, 0.0))
        .unwrap();
    world.add(ball("swallowed", 0.0, -0.5)).unwrap();
    world.add(ball("free", 3.0, -0.5)).unwrap();
    let all = messages(world);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(
        all[0].starts_with("body 3 (swallowed) is not outside of container post: its centre is"),
        "{all:?}"
    );

    let mut world = World2::new();
    world.add_container(ring("fence", Side::Both, 0.0)).unwrap();
    world.add(ball("in", 0.0, -0.5)).unwrap();
    world.add(ball("out", 3.0, -0.5)).unwrap();
    assert!(Exact::new(world).is_ok());

    // A ball that passes through the walls may be anywhere.
    let mut world = World2::new();
    let ghostly = ring("cage", Side::Inside, 0.0).in_groups(1, 1);
    world.add_container(ghostly).unwrap();
    world.add(ball("ghost", 3.0, 0.0).in_groups(2, 2)).unwrap();
    assert!(Exact::new(world).is_ok());
}

/// A room is where its motion has it at time 0.
#[test]
fn a_room_that_starts_elsewhere() {
    let hall = || Container2::rectangle("hall", Side::Inside, DVec2::ZERO, DVec2::ONE).unwrap();
    let knots = vec![(0.0, DVec2::new(5.0, 0.0)), (1.0, DVec2::new(6.0, 0.0))];
    let path = Drive::Path { knots };
    let room = hall().kinematic(path.clone());
    assert!(room.contains(DVec2::new(5.5, 0.5)) && !room.contains(DVec2::splat(0.5)));
    let mut world = World2::new();
    world.add_container(room).unwrap();
    world.add(ball("ball", 5.5, 0.5)).unwrap();
    assert!(Exact::new(world).is_ok());

    // A piston that starts 5 m further out makes the room longer.
    let room = hall().kinematic_wall(2, path).unwrap();
    let mut world = World2::new();
    world.add_container(room).unwrap();
    world.add(ball("ball", 3.5, 0.5)).unwrap();
    assert!(Exact::new(world).is_ok());

    // Nothing of a room is left behind where one of its walls is refused.
    let frantic = Drive::Uniform {
        velocity: DVec2::NAN,
    };
    let mut world = World2::new();
    let error = world.add_container(hall().kinematic_wall(3, frantic).unwrap());
    assert!(
        matches!(&error, Err(WorldError::Body { name, .. }) if name == "hall.wall 3"),
        "{error:?}"
    );
    assert!(world.bodies().is_empty());
}

/// A periodic box cannot repeat a tube.
#[test]
fn a_tube_does_not_fit_a_periodic_box() {
    let mut world = World3::new();
    world.set_periodic([Some(10.0), None, None]).unwrap();
    let tube = Tube::new(DVec3::Z, 1.0).unwrap();
    let tube = Shape::own(Shape3::Tube(tube));
    world.add(Body::fixed(tube).named("tube")).unwrap();
    let inside = Body::ball(0.5, 1.0, DVec3::new(2.0, 0.0, 0.0), DVec3::ZERO).unwrap();
    world.add(inside.named("lost")).unwrap();
    let errors = Exact::new(world).unwrap_err();
    let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        all,
        [
            "body 0 (tube) does not fit the periodic box of 10 m along x: a container closes its inside off and cannot be repeated",
            "body 1 (lost) is on the wrong side of body 0 (tube): its centre is 1e0 m beyond the surface",
        ]
    );
}
