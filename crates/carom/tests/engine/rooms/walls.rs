//! Corners, joints, materials and many walls.

use super::*;

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
        let unresolved = if beside.abs() < 2e-8 {
            4.0 * (beside.abs() / 0.25 + tilt)
        } else {
            0.0
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
        if hit.number < 100 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
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
