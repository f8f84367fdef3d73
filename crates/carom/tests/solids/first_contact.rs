//! First contacts against an oracle that samples time finely, with distances that share nothing with the library's.

use crate::common::{Random, single, thrown};
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
fn separation(a: &LaidOut, b: &LaidOut) -> f64 {
    let along = |n: DVec3| {
        let top = (a.corners.iter().map(|&p| n.dot(p))).fold(f64::NEG_INFINITY, f64::max);
        let low = (b.corners.iter().map(|&p| n.dot(p))).fold(f64::INFINITY, f64::min);
        low - top
    };
    let mut best = f64::NEG_INFINITY;
    for &n in &a.normals {
        best = best.max(along(n));
    }
    for &n in &b.normals {
        best = best.max(along(-n));
    }
    for &u in &a.edges {
        for &v in &b.edges {
            let n = u.cross(v);
            if n.length_squared() > 1e-12 * u.length_squared() * v.length_squared() {
                let n = n.normalize();
                best = best.max(along(n)).max(along(-n));
            }
        }
    }
    best
}

/// Corners, normals of faces and directions of edges in the world.
struct LaidOut {
    corners: Vec<DVec3>,
    normals: Vec<DVec3>,
    edges: Vec<DVec3>,
}

fn laid_out(part: &Convex<Space3>, pose: &Pose<Space3>) -> LaidOut {
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
    LaidOut {
        corners,
        normals,
        edges,
    }
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
