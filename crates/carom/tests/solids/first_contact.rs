//! First contacts against an oracle that samples time finely, with distances that share nothing with the library's.

use crate::common::Random;
use carom::kernels::impact::Impact;
use carom::kernels::solids::{Meeting, RigidTrajectory, first_contact, meeting};
use carom::prelude::*;
use carom::shape::Obstacle;
use carom::shape::{Block, Cylinder, Shape3};
use carom::shape::{Compound, Convex};

/// The gap between two bodies at poses, negative where they overlap.
type Gap<'a> = &'a dyn Fn(f64) -> f64;

/// What the oracle says of an answer: nothing touches before it, to 1e-12 of the size, and there the gap is zero to
/// 1e-12 of the size.
fn check(found: Impact, gap: Gap, until: f64, size: f64, what: &str) -> bool {
    let tolerance = 1e-12 * size;
    let time = match found {
        Impact::At(time) => Some(time),
        Impact::Now => Some(0.0),
        Impact::Never => None,
        Impact::ClearUntil(time) => panic!("{what}: gave up at {time}"),
    };
    let end = time.unwrap_or(until);
    let samples = 400;
    let h = end / f64::from(samples);
    let at = |i: i32| gap(h * f64::from(i));
    let mut values: Vec<f64> = (0..=samples).map(at).collect();
    if time.is_some() {
        // The end itself is the contact.
        values.pop();
    }
    for (i, &value) in values.iter().enumerate() {
        assert!(
            value > -tolerance,
            "{what}: touched at {} already, by {value:e}, not at {time:?}",
            h * i as f64
        );
    }
    // Between the samples: each local minimum, by golden section.
    for i in 1..values.len().saturating_sub(1) {
        if values[i] <= values[i - 1] && values[i] <= values[i + 1] && values[i] < 0.2 * size {
            let (mut low, mut high) = (h * (i - 1) as f64, h * (i + 1) as f64);
            for _ in 0..60 {
                let (x, y) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
                if gap(x) < gap(y) { high = y } else { low = x }
            }
            assert!(
                gap(low) > -tolerance,
                "{what}: grazed at {low} already, by {:e}, not at {time:?}",
                gap(low)
            );
        }
    }
    if let Some(time) = time {
        assert!(
            gap(time).abs() <= tolerance,
            "{what}: the gap at {time} is {:e}",
            gap(time)
        );
    }
    time.is_some()
}

/// The largest separation over all face normals and all cross products of edges, of corners in the world: slow and
/// plain.
fn separation(
    a: &(Vec<DVec3>, Vec<DVec3>, Vec<DVec3>),
    b: &(Vec<DVec3>, Vec<DVec3>, Vec<DVec3>),
) -> f64 {
    let along = |n: DVec3| {
        let top =
            a.0.iter()
                .map(|&p| n.dot(p))
                .fold(f64::NEG_INFINITY, f64::max);
        let low = b.0.iter().map(|&p| n.dot(p)).fold(f64::INFINITY, f64::min);
        low - top
    };
    let mut best = f64::NEG_INFINITY;
    for &n in &a.1 {
        best = best.max(along(n));
    }
    for &n in &b.1 {
        best = best.max(along(-n));
    }
    for &u in &a.2 {
        for &v in &b.2 {
            let n = u.cross(v);
            if n.length_squared() > 1e-12 * u.length_squared() * v.length_squared() {
                let n = n.normalize();
                best = best.max(along(n)).max(along(-n));
            }
        }
    }
    best
}

/// Corners, normals and edge directions in the world.
fn laid_out(part: &Convex<Space3>, pose: &Pose<Space3>) -> (Vec<DVec3>, Vec<DVec3>, Vec<DVec3>) {
    let own: Vec<DVec3> = part.corners().collect();
    let corners: Vec<DVec3> = own.iter().map(|&c| pose.to_world(c)).collect();
    let normals = part.faces().map(|(n, _)| pose.rotation * n).collect();
    let mut edges = Vec::new();
    for (_, around) in part.faces() {
        for (i, &from) in around.iter().enumerate() {
            let to = around[(i + 1) % around.len()];
            if from < to {
                edges.push(corners[to as usize] - corners[from as usize]);
            }
        }
    }
    (corners, normals, edges)
}

/// A body on its way past the origin.
fn thrown(random: &mut Random, form: &Compound<Space3>, from: f64) -> RigidTrajectory<Space3> {
    let place = random.direction() * from;
    let aim = random.in_ball() * 1.5;
    let speed = random.within(0.5, 3.0);
    let pose = Pose {
        position: place,
        rotation: random.rotation(),
    };
    let velocity = (aim - place).normalize() * speed;
    let angular_velocity = random.in_ball() * 6.0;
    let gravity = if random.next().is_multiple_of(3) {
        random.in_ball()
    } else {
        DVec3::ZERO
    };
    RigidTrajectory::free(form, 0.0, pose, velocity, angular_velocity, gravity)
}

fn single(part: Convex<Space3>) -> Compound<Space3> {
    Compound::new(vec![part], 1.0).unwrap()
}

#[test]
fn polyhedra_and_boxes() {
    let mut random = Random(21);
    let (mut hits, mut all) = (0, 0);
    for case in 0..400 {
        let part = |r: &mut Random| {
            if case % 2 == 0 {
                let side = |r: &mut Random| r.within(0.2, 1.0);
                Convex::block(DVec3::new(side(r), side(r), side(r))).unwrap()
            } else {
                let corners = 4 + (r.next() % 9) as usize;
                r.polyhedron(corners, 1.0)
            }
        };
        let (a, b) = (single(part(&mut random)), single(part(&mut random)));
        let course_a = thrown(&mut random, &a, 3.0);
        let course_b = thrown(&mut random, &b, 1.0);
        let gap = |t: f64| {
            separation(
                &laid_out(&a.parts()[0], &course_a.pose_at(t)),
                &laid_out(&b.parts()[0], &course_b.pose_at(t)),
            )
        };
        if gap(0.0) <= 0.0 {
            continue;
        }
        let found = first_contact(&a, &course_a, &b, &course_b, 0.0, 4.0);
        hits += i32::from(check(found, &gap, 4.0, 2.0, &format!("case {case}")));
        all += 1;
    }
    // Enough of both kinds of answer.
    assert!(hits > 80 && all - hits > 40, "{hits} of {all}");
}

#[test]
fn balls_against_boxes_and_cylinders() {
    let mut random = Random(22);
    let mut hits = 0;
    for case in 0..600 {
        let ball = random.within(0.1, 0.8);
        let a = single(Convex::ball(ball).unwrap());
        let (x, y, z) = (
            random.within(0.2, 1.0),
            random.within(0.2, 1.0),
            random.within(0.2, 1.0),
        );
        let (part, shape) = if case % 2 == 0 {
            let half = DVec3::new(x, y, z);
            (
                Convex::block(half).unwrap(),
                Shape::Block(Block::new(half).unwrap()),
            )
        } else {
            let cylinder = Cylinder::new(DVec3::Z, x, y).unwrap();
            (
                Convex::cylinder(x, y).unwrap(),
                Shape::<Space3>::own(Shape3::Cylinder(cylinder)),
            )
        };
        let b = single(part);
        let course_a = thrown(&mut random, &a, 3.0);
        let course_b = thrown(&mut random, &b, 0.5);
        let gap = |t: f64| {
            let centre = course_b.pose_at(t).to_local(course_a.pose_at(t).position);
            shape.closest(centre).distance - ball
        };
        if gap(0.0) <= 0.0 {
            continue;
        }
        let found = first_contact(&a, &course_a, &b, &course_b, 0.0, 4.0);
        hits += i32::from(check(found, &gap, 4.0, 2.0, &format!("case {case}")));
    }
    assert!(hits > 150, "{hits}");
}

#[test]
fn everything_against_a_floor() {
    let mut random = Random(23);
    let floor =
        Compound::fixed(vec![Convex::<Space3>::half_space(DVec3::Z, 0.0).unwrap()]).unwrap();
    let still = RigidTrajectory::still(Pose::default());
    let mut hits = 0;
    for case in 0..400 {
        let a = single(random.part());
        let pose = Pose {
            position: DVec3::new(0.0, 0.0, random.within(1.5, 3.0)),
            rotation: random.rotation(),
        };
        let velocity = random.in_ball() * 4.0;
        let gravity = DVec3::new(0.0, 0.0, if case % 2 == 0 { -9.81 } else { 0.0 });
        let course =
            RigidTrajectory::free(&a, 0.0, pose, velocity, random.in_ball() * 8.0, gravity);
        // The lowest point, from the support function.
        let gap = |t: f64| {
            let pose = course.pose_at(t);
            let down = pose.rotation.inverse() * -DVec3::Z;
            pose.position.z - a.parts()[0].height(down)
        };
        if gap(0.0) <= 0.0 {
            continue;
        }
        let found = first_contact(&a, &course, &floor, &still, 0.0, 3.0);
        hits += i32::from(check(found, &gap, 3.0, 3.0, &format!("case {case}")));
    }
    assert!(hits > 200, "{hits}");
}

#[test]
fn cylinders_and_capsules_between_prisms_inside_and_outside() {
    // A prism inside the cylinder touches later, one around it earlier.
    let mut random = Random(24);
    let number = 48;
    let prism = |half: f64, radius: f64| {
        let points: Vec<DVec3> = (0..number)
            .flat_map(|i| {
                let angle = std::f64::consts::TAU * f64::from(i) / f64::from(number);
                let (sin, cos) = libm::sincos(angle);
                [-half, half].map(|z| DVec3::new(radius * cos, radius * sin, z))
            })
            .collect();
        Convex::polyhedron(&points).unwrap()
    };
    let mut hits = 0;
    for case in 0..120 {
        let (half, radius) = (random.within(0.2, 1.0), random.within(0.2, 1.0));
        let round = single(Convex::cylinder(half, radius).unwrap());
        let other = single(random.part());
        let course_a = thrown(&mut random, &round, 3.0);
        let course_b = thrown(&mut random, &other, 0.5);
        let secant = 1.0 / libm::cos(std::f64::consts::PI / f64::from(number));
        let time = |part: &Compound<Space3>| {
            first_contact(part, &course_a, &other, &course_b, 0.0, 4.0)
                .time()
                .unwrap_or(4.0)
        };
        if matches!(
            meeting(
                &round,
                &course_a.pose_at(0.0),
                &other,
                &course_b.pose_at(0.0),
                0.0
            ),
            Meeting::Touching(_)
        ) {
            continue;
        }
        // Fixed forms keep the frame; the course is that of the cylinder.
        let inside = Compound::fixed(vec![prism(half, radius)]).unwrap();
        let outside = Compound::fixed(vec![prism(half, radius * secant)]).unwrap();
        let (early, found, late) = (time(&outside), time(&round), time(&inside));
        assert!(
            early <= found + 1e-12 && found <= late + 1e-12,
            "case {case}: {early} {found} {late}"
        );
        hits += i32::from(found < 4.0);
        if found < 4.0 {
            // The gap there, by the distance of the cores: between nothing and rounding.
            let (pose_a, pose_b) = (course_a.pose_at(found), course_b.pose_at(found));
            match meeting(&round, &pose_a, &other, &pose_b, 1e-9) {
                Meeting::Touching(manifold) => assert!(
                    manifold.depth.abs() < 2e-12,
                    "case {case}: {:e} {manifold:?} {other:?} {half} {radius}",
                    manifold.depth
                ),
                other => panic!("case {case}: {other:?}"),
            }
        }
    }
    assert!(hits > 30, "{hits}");
}

#[test]
fn polygons_in_the_plane() {
    let mut random = Random(25);
    let mut hits = 0;
    for case in 0..600 {
        let polygon = |r: &mut Random| {
            let number = 3 + (r.next() % 6) as usize;
            let mut angles: Vec<f64> = (0..number).map(|_| r.within(0.0, 6.2)).collect();
            angles.sort_by(f64::total_cmp);
            let corners: Vec<DVec2> = angles.iter().map(|&a| DVec2::from_angle(a)).collect();
            Convex::polygon(&corners)
        };
        let (Ok(a), Ok(b)) = (polygon(&mut random), polygon(&mut random)) else {
            continue;
        };
        let form = |part| Compound::<Space2>::new(vec![part], 1.0).unwrap();
        let (a, b) = (form(a), form(b));
        let course = |r: &mut Random, form: &Compound<Space2>, x: f64| {
            let pose = Pose {
                position: DVec2::new(x, r.within(-1.5, 1.5)),
                rotation: Turn::by(r.within(0.0, 6.0)),
            };
            let velocity = DVec2::new(-x.signum() * r.within(0.2, 2.0), r.within(-0.5, 0.5));
            RigidTrajectory::free(form, 0.0, pose, velocity, r.within(-6.0, 6.0), DVec2::ZERO)
        };
        let course_a = course(&mut random, &a, -1.6);
        let course_b = course(&mut random, &b, 1.6);
        let gap = |t: f64| {
            let (pose_a, pose_b) = (course_a.pose_at(t), course_b.pose_at(t));
            let world = |form: &Compound<Space2>, pose: &Pose<Space2>| {
                let corners: Vec<DVec2> = form.parts()[0]
                    .corners()
                    .map(|c| pose.to_world(c))
                    .collect();
                let number = corners.len();
                let normals: Vec<DVec2> = (0..number)
                    .map(|i| -(corners[(i + 1) % number] - corners[i]).perp().normalize())
                    .collect();
                (corners, normals)
            };
            let (a, b) = (world(&a, &pose_a), world(&b, &pose_b));
            let along = |n: DVec2, a: &[DVec2], b: &[DVec2]| {
                let top = a
                    .iter()
                    .map(|&p| n.dot(p))
                    .fold(f64::NEG_INFINITY, f64::max);
                let low = b.iter().map(|&p| n.dot(p)).fold(f64::INFINITY, f64::min);
                low - top
            };
            let of_a = a.1.iter().map(|&n| along(n, &a.0, &b.0));
            let of_b = b.1.iter().map(|&n| along(n, &b.0, &a.0));
            of_a.chain(of_b).fold(f64::NEG_INFINITY, f64::max)
        };
        if gap(0.0) <= 0.0 {
            continue;
        }
        let found = first_contact(&a, &course_a, &b, &course_b, 0.0, 4.0);
        hits += i32::from(check(found, &gap, 4.0, 2.0, &format!("case {case}")));
    }
    assert!(hits > 100, "{hits}");
}

#[test]
fn grazing_ends_on_the_right_side() {
    // A square that turns above a floor: its corners pass the height √2 below the centre, grazing it at t = π/4
    // exactly.
    let square = Compound::new(vec![Convex::<Space2>::block(DVec2::ONE).unwrap()], 1.0).unwrap();
    let floor = Compound::fixed(vec![Convex::half_space(DVec2::Y, 0.0).unwrap()]).unwrap();
    let still = RigidTrajectory::still(Pose::default());
    let root = 2.0_f64.sqrt();
    for (shift, touches) in [(1e-9, false), (1e-12, false), (-1e-12, true), (-1e-9, true)] {
        let pose = Pose::at(DVec2::new(0.0, root + shift));
        let course = RigidTrajectory::free(&square, 0.0, pose, DVec2::ZERO, 1.0, DVec2::ZERO);
        let found = first_contact(&square, &course, &floor, &still, 0.0, 3.0);
        match found {
            Impact::Never => assert!(!touches, "{shift}"),
            Impact::At(time) => {
                assert!(touches, "{shift}");
                // cos(π/4 − t) = (√2 + shift)/√2; the time is known as well as the height, 1e-14, by the slope
                // √(2·|shift|/√2)·√2.
                let expected = std::f64::consts::FRAC_PI_4 - (2.0 * -shift / root).sqrt();
                let slope = (-2.0 * shift * root).sqrt();
                assert!(
                    (time - expected).abs()
                        < 2e-14 / slope + 1e-3 * (expected - std::f64::consts::FRAC_PI_4).abs(),
                    "{time} {expected}"
                );
            }
            other => panic!("{other:?}"),
        }
    }
    // Exactly at it either answer is right, but there must be one.
    let course = RigidTrajectory::free(
        &square,
        0.0,
        Pose::at(DVec2::new(0.0, root)),
        DVec2::ZERO,
        1.0,
        DVec2::ZERO,
    );
    let found = first_contact(&square, &course, &floor, &still, 0.0, 3.0);
    assert!(matches!(found, Impact::Never | Impact::At(_)), "{found:?}");
}

#[test]
fn bodies_that_touch_and_part_are_left_alone_and_come_back() {
    let block = single(Convex::block(DVec3::new(0.5, 0.4, 0.3)).unwrap());
    let floor = Compound::fixed(vec![Convex::half_space(DVec3::Z, 0.0).unwrap()]).unwrap();
    let still = RigidTrajectory::still(Pose::default());
    let gravity = DVec3::new(0.0, 0.0, -10.0);
    let up = |speed: f64, angular_velocity: DVec3| {
        let pose = Pose::at(DVec3::new(0.0, 0.0, 0.3));
        RigidTrajectory::free(
            &block,
            0.0,
            pose,
            DVec3::new(0.0, 0.0, speed),
            angular_velocity,
            gravity,
        )
    };
    // Thrown up flat at 2 m/s it is back after 0.4 s.
    match first_contact(&block, &up(2.0, DVec3::ZERO), &floor, &still, 0.0, 10.0) {
        Impact::At(time) => assert!((time - 0.4).abs() < 1e-14, "{:e}", time - 0.4),
        other => panic!("{other:?}"),
    }
    // At rest it is pressed; closing it is now.
    assert_eq!(
        first_contact(&block, &up(0.0, DVec3::ZERO), &floor, &still, 0.0, 10.0),
        Impact::Now
    );
    assert_eq!(
        first_contact(&block, &up(-1.0, DVec3::ZERO), &floor, &still, 0.0, 10.0),
        Impact::Now
    );
    // Rising, but turning so fast that an edge goes down at once.
    assert_eq!(
        first_contact(
            &block,
            &up(1.0, DVec3::new(0.0, 5.0, 0.0)),
            &floor,
            &still,
            0.0,
            10.0
        ),
        Impact::Now
    );
    // Overlapping by more than rounding, and parting: nothing until it is back.
    let pose = Pose::at(DVec3::new(0.0, 0.0, 0.29));
    let out = RigidTrajectory::free(
        &block,
        0.0,
        pose,
        DVec3::new(0.0, 0.0, 2.0),
        DVec3::ZERO,
        gravity,
    );
    match first_contact(&block, &out, &floor, &still, 0.0, 10.0) {
        // It goes up from −0.01 and comes back through zero on the way down.
        Impact::At(time) => assert!(
            (time - (0.2 + (0.04_f64 - 0.002).sqrt())).abs() < 1e-13,
            "{time}"
        ),
        other => panic!("{other:?}"),
    }
    // Sliding along the floor without gravity is no contact.
    let pose = Pose::at(DVec3::new(0.0, 0.0, 0.3));
    let slide = RigidTrajectory::free(&block, 0.0, pose, DVec3::X, DVec3::ZERO, DVec3::ZERO);
    assert_eq!(
        first_contact(&block, &slide, &floor, &still, 0.0, 10.0),
        Impact::Never
    );
}

#[test]
fn corner_on_corner_and_edge_along_edge() {
    // Two squares tip to tip.
    let square = Compound::new(vec![Convex::<Space2>::block(DVec2::ONE).unwrap()], 1.0).unwrap();
    let at = |x: f64, v: f64| {
        let pose = Pose {
            position: DVec2::new(x, 0.0),
            rotation: Turn::by(std::f64::consts::FRAC_PI_4),
        };
        RigidTrajectory::free(&square, 0.0, pose, DVec2::new(v, 0.0), 0.0, DVec2::ZERO)
    };
    let root = 2.0_f64.sqrt();
    match first_contact(&square, &at(0.0, 0.0), &square, &at(5.0, -1.0), 0.0, 10.0) {
        Impact::At(time) => assert!((time - (5.0 - 2.0 * root)).abs() < 1e-13, "{time}"),
        other => panic!("{other:?}"),
    }
    // Tip to tip and parting: nothing.
    assert_eq!(
        first_contact(
            &square,
            &at(0.0, 0.0),
            &square,
            &at(2.0 * root, 1.0),
            0.0,
            10.0
        ),
        Impact::Never
    );
    // Tip to tip and sliding past each other: one of the two planes between them still separates.
    let past = RigidTrajectory::free(
        &square,
        0.0,
        Pose {
            position: DVec2::new(2.0 * root, 0.0),
            rotation: Turn::by(std::f64::consts::FRAC_PI_4),
        },
        DVec2::new(0.0, 1.0),
        0.0,
        DVec2::ZERO,
    );
    assert_eq!(
        first_contact(&square, &at(0.0, 0.0), &square, &past, 0.0, 10.0),
        Impact::Never
    );
    // Two bars side by side, edges parallel, in space: flat on flat.
    let bar = single(Convex::block(DVec3::new(1.0, 0.1, 0.1)).unwrap());
    let bar_at = |y: f64, v: f64| {
        RigidTrajectory::free(
            &bar,
            0.0,
            Pose::at(DVec3::new(0.0, y, 0.0)),
            DVec3::new(0.0, v, 0.0),
            DVec3::ZERO,
            DVec3::ZERO,
        )
    };
    match first_contact(&bar, &bar_at(0.0, 0.0), &bar, &bar_at(1.0, -1.0), 0.0, 10.0) {
        Impact::At(time) => assert!((time - 0.8).abs() < 1e-14, "{time}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn far_from_the_origin_and_late() {
    // The same meeting a kilometre away and a thousand seconds later, to the rounding of the coordinates.
    let mut random = Random(26);
    for _ in 0..30 {
        let (a, b) = (
            single(random.polyhedron(8, 1.0)),
            single(Convex::block(DVec3::new(0.5, 0.7, 0.3)).unwrap()),
        );
        let course_a = thrown(&mut random, &a, 3.0);
        let course_b = thrown(&mut random, &b, 0.5);
        let Impact::At(time) = first_contact(&a, &course_a, &b, &course_b, 0.0, 4.0) else {
            continue;
        };
        let far = |form: &Compound<Space3>, course: &RigidTrajectory<Space3>| {
            let pose = course.pose_at(0.0);
            let pose = Pose {
                position: pose.position + DVec3::new(1000.0, 0.0, 0.0),
                ..pose
            };
            RigidTrajectory::free(
                form,
                1000.0,
                pose,
                course.velocity_at(0.0),
                course.angular_velocity_at(0.0),
                course.flight().acceleration,
            )
        };
        match first_contact(
            &a,
            &far(&a, &course_a),
            &b,
            &far(&b, &course_b),
            1000.0,
            1004.0,
        ) {
            // 1e-13 in the places and in the clock; grazing magnifies it.
            Impact::At(later) => assert!((later - 1000.0 - time).abs() < 1e-9, "{later} {time}"),
            other => panic!("{other:?}"),
        }
    }
}

/// A box rebounds flat from a wall, and turns by what rounding has made of it: it parts for ever. (That was seen to last
/// for 10²⁹⁹ s, and the next part of the compound was looked at there, where all places are infinite: the search led on
/// by one digit of the clock in each of its two thousand looks.)
#[test]
fn what_parts_flat_with_a_trace_of_spin_is_left_alone() {
    let along_x = Pose {
        position: DVec3::new(0.2562, 0.0, 0.0),
        rotation: DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2),
    };
    let cylinder = Convex::cylinder(0.1281, 0.10248).unwrap().placed(&along_x);
    let block = Convex::block(DVec3::splat(0.1281)).unwrap();
    let block = Compound::new(vec![block, cylinder], 659.4).unwrap();
    let wall = Compound::fixed(vec![Convex::half_space(DVec3::NEG_Z, -2.2).unwrap()]).unwrap();
    let still = RigidTrajectory::still(Pose::default());
    let spin = DVec3::new(-1.82354e-14, -3.96905e-15, 4.62824e-15);
    for pull in [-1.62, 0.0] {
        for gap in [
            -1e-15, 0.0, 1e-16, 1e-15, 5e-15, 2e-14, 5e-14, 7.2e-14, 1e-13, 2e-13, 1e-12,
        ] {
            let since = 0.45567885839;
            let place = DVec3::new(1.89552, -1.51442, 2.2 - 0.1281 - gap);
            let course = RigidTrajectory::free(
                &block,
                since,
                Pose::at(place),
                DVec3::new(0.260278, -0.972240, -0.694766),
                spin,
                DVec3::new(0.0, 0.0, pull),
            );
            let found = first_contact(&block, &course, &wall, &still, since, f64::INFINITY);
            let clear = matches!(found, Impact::Never | Impact::ClearUntil(1e9..));
            assert!(clear, "{pull} m/s², {gap:e} m: {found:?}");
        }
    }
}
