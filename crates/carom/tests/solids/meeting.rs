//! Two solids at an instant: separating planes, contact points, depth, corners inside (C10, C11, C13, C14, C15).

use crate::common::Random;
use carom::kernels::solids::{
    Manifold, Meeting, corners_inside, gap_along, meeting, meeting_of_parts, meetings, touching,
};
use carom::prelude::*;
use carom::shape::Obstacle;
use carom::shape::{Block, Cylinder, Shape3};
use carom::shape::{Compound, Convex};
use carom::space::Space;

fn single(part: Convex<Space3>) -> Compound<Space3> {
    Compound::fixed(vec![part]).unwrap()
}

fn block(x: f64, y: f64, z: f64) -> Compound<Space3> {
    single(Convex::block(DVec3::new(x, y, z)).unwrap())
}

fn at(x: f64, y: f64, z: f64) -> Pose<Space3> {
    Pose::at(DVec3::new(x, y, z))
}

fn touches(meeting: Meeting<Space3>) -> Manifold<Space3> {
    match meeting {
        Meeting::Touching(manifold) => manifold,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_box_on_a_box_has_four_points() {
    let (below, above) = (block(1.0, 1.0, 0.5), block(0.5, 0.3, 0.2));
    let manifold = touches(meeting(
        &below,
        &at(0.0, 0.0, 0.0),
        &above,
        &at(0.2, 0.1, 0.7),
        1e-9,
    ));
    assert_eq!(manifold.normal, DVec3::Z);
    assert!(manifold.depth.abs() < 1e-15);
    assert_eq!(manifold.points.len(), 4);
    for point in &manifold.points {
        assert!((point.on_a.z - 0.5).abs() < 1e-15 && (point.on_b.z - 0.5).abs() < 1e-15);
        assert!(((point.on_b.x - 0.2).abs() - 0.5).abs() < 1e-12);
    }
    // Hanging over an edge: the points are those of the part that lies on it.
    let manifold = touches(meeting(
        &below,
        &at(0.0, 0.0, 0.0),
        &above,
        &at(1.0, 0.0, 0.7),
        1e-9,
    ));
    let right = manifold
        .points
        .iter()
        .map(|p| p.on_a.x)
        .fold(f64::MIN, f64::max);
    assert_eq!(manifold.points.len(), 4);
    assert!((right - 1.0).abs() < 1e-11);
    let features: std::collections::BTreeSet<u64> =
        manifold.points.iter().map(|p| p.feature).collect();
    assert_eq!(features.len(), 4);
    // Turned by 45° about z: an octagon of eight points where the corners stick out.
    let turned = Pose {
        position: DVec3::new(0.0, 0.0, 1.0),
        rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4),
    };
    let manifold = touches(meeting(
        &below,
        &at(0.0, 0.0, 0.0),
        &block(1.0, 1.0, 0.5),
        &turned,
        1e-9,
    ));
    assert_eq!(manifold.points.len(), 8);
}

#[test]
fn an_edge_on_a_face_has_two_points_and_a_corner_one() {
    let floor = single(Convex::half_space(DVec3::Z, 0.0).unwrap());
    let cube = block(0.5, 0.5, 0.5);
    let on_edge = Pose {
        position: DVec3::new(0.0, 0.0, 0.5_f64.sqrt()),
        rotation: DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4),
    };
    let manifold = touches(meeting(&floor, &Pose::default(), &cube, &on_edge, 1e-9));
    assert_eq!(manifold.points.len(), 2);
    let table = block(3.0, 3.0, 0.5);
    let manifold = touches(meeting(&cube, &on_edge, &table, &at(0.0, 0.0, -0.5), 1e-9));
    assert_eq!(manifold.points.len(), 2);
    assert!((manifold.normal + DVec3::Z).length() < 1e-15);
    let tip = DVec3::ONE.normalize();
    let on_corner = Pose {
        position: DVec3::new(0.0, 0.0, 0.75_f64.sqrt()),
        rotation: DQuat::from_rotation_arc(-tip, -DVec3::Z),
    };
    let manifold = touches(meeting(&floor, &Pose::default(), &cube, &on_corner, 1e-9));
    assert_eq!(manifold.points.len(), 1);
    assert!(manifold.points[0].on_b.length() < 1e-15);
}

#[test]
fn two_edges_that_cross() {
    // Face normals alone would call these two touching: they are apart by a hair, edge over edge.
    let bar = block(1.0, 0.1, 0.1);
    let turned = |angle: f64, z: f64, about: f64| Pose {
        position: DVec3::new(0.0, 0.0, z),
        rotation: DQuat::from_rotation_z(angle) * DQuat::from_rotation_x(about),
    };
    let tip = 0.1 * 2.0_f64.sqrt();
    let (eighth, low) = (
        std::f64::consts::FRAC_PI_4,
        turned(0.0, 0.0, std::f64::consts::FRAC_PI_4),
    );
    let high = turned(1.2, 2.0 * tip + 1e-6, eighth);
    match meeting(&bar, &low, &bar, &high, 0.0) {
        Meeting::Apart { normal, gap } => {
            assert!((gap - 1e-6).abs() < 1e-15, "{gap}");
            assert!((normal - DVec3::Z).length() < 1e-14);
            assert!((gap_along(&bar, &low, &bar, &high, normal) - gap).abs() < 1e-15);
        }
        other => panic!("{other:?}"),
    }
    assert!(!touching(&bar, &low, &bar, &high));
    let manifold = touches(meeting(
        &bar,
        &low,
        &bar,
        &turned(1.2, 2.0 * tip - 1e-6, eighth),
        0.0,
    ));
    assert!((manifold.depth - 1e-6).abs() < 1e-15);
    assert_eq!(manifold.points.len(), 1);
    assert!(manifold.points[0].on_a.truncate().length() < 1e-12);
    // And the same two as polyhedra.
    let corners: Vec<DVec3> = bar.parts()[0].corners().collect();
    let hull = single(Convex::polyhedron(&corners).unwrap());
    match meeting(&hull, &low, &hull, &high, 0.0) {
        Meeting::Apart { gap, .. } => assert!((gap - 1e-6).abs() < 1e-15, "{gap}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn boxes_and_the_same_boxes_from_corners_agree() {
    let mut random = Random(31);
    let (mut apart, mut together) = (0, 0);
    for _ in 0..3000 {
        let mut body = || {
            let half = DVec3::new(
                random.within(0.2, 1.0),
                random.within(0.2, 1.0),
                random.within(0.2, 1.0),
            );
            let part = Convex::block(half).unwrap();
            let corners: Vec<DVec3> = part.corners().collect();
            let pose = Pose {
                position: random.in_ball() * 1.8,
                rotation: random.rotation(),
            };
            (
                single(part),
                single(Convex::polyhedron(&corners).unwrap()),
                pose,
            )
        };
        let ((a, hull_a, pose_a), (b, hull_b, pose_b)) = (body(), body());
        let quick = meeting(&a, &pose_a, &b, &pose_b, 0.0);
        let general = meeting(&hull_a, &pose_a, &hull_b, &pose_b, 0.0);
        assert_eq!(
            touching(&a, &pose_a, &b, &pose_b),
            matches!(quick, Meeting::Touching(_))
        );
        match (&quick, &general) {
            (Meeting::Apart { gap, normal }, Meeting::Apart { gap: other, .. }) => {
                apart += 1;
                // Any plane that separates will do for either; what is said of it must be so.
                assert!(*gap > 0.0 && *other > 0.0);
                assert!(gap_along(&hull_a, &pose_a, &hull_b, &pose_b, *normal) > gap - 1e-14);
            }
            (Meeting::Touching(x), Meeting::Touching(y)) => {
                together += 1;
                assert!((x.depth - y.depth).abs() < 1e-13, "{} {}", x.depth, y.depth);
                assert!(!x.points.is_empty() && !y.points.is_empty());
                // Moved apart along the normal by the depth they just touch.
                let moved = Pose {
                    position: pose_b.position + x.normal * (x.depth + 1e-9),
                    ..pose_b
                };
                assert!(matches!(
                    meeting(&a, &pose_a, &b, &moved, 0.0),
                    Meeting::Apart { .. }
                ));
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(apart > 300 && together > 300, "{apart} {together}");
}

#[test]
fn balls_on_boxes_and_cylinders_as_their_own_distance_says() {
    // C14, C15.
    let mut random = Random(32);
    for case in 0..3000 {
        let radius = random.within(0.05, 0.6);
        let ball = single(Convex::ball(radius).unwrap());
        let (x, y, z) = (
            random.within(0.2, 1.0),
            random.within(0.2, 1.0),
            random.within(0.2, 1.0),
        );
        let (form, shape) = if case % 2 == 0 {
            (
                block(x, y, z),
                Shape::Block(Block::new(DVec3::new(x, y, z)).unwrap()),
            )
        } else {
            let cylinder = Cylinder::new(DVec3::Z, x, y).unwrap();
            (
                single(Convex::cylinder(x, y).unwrap()),
                Shape::<Space3>::own(Shape3::Cylinder(cylinder)),
            )
        };
        let pose = Pose {
            position: random.in_ball(),
            rotation: random.rotation(),
        };
        let centre = random.in_ball() * 2.0;
        let closest = shape.closest(pose.to_local(centre));
        let gap = closest.distance - radius;
        let found = meeting(&form, &pose, &ball, &Pose::at(centre), 0.0);
        match found {
            Meeting::Apart { gap: found, .. } => assert!(
                gap > -1e-14 && found <= gap + 1e-14 && found > 0.0,
                "{found} {gap}"
            ),
            Meeting::Touching(manifold) => {
                assert!(gap <= 1e-14);
                // Deep inside a cylinder the least way out is found by climbing, to 1e-9.
                let tolerance = if case % 2 == 0 || closest.distance > 0.0 {
                    2e-14
                } else {
                    1e-8
                };
                assert!(
                    (manifold.depth + gap).abs() < tolerance,
                    "{} {gap}",
                    manifold.depth
                );
                assert_eq!(manifold.points.len(), 1);
                let point = manifold.points[0];
                let on = pose.to_world(closest.point);
                let normal = pose.rotation * closest.normal;
                if closest.distance > 1e-3 {
                    assert!((manifold.normal - normal).length() < 1e-11);
                    assert!((point.on_a - on).length() < 1e-11);
                }
            }
        }
    }
}

#[test]
fn round_solids_lying_flat_have_all_their_points() {
    let floor = single(Convex::half_space(DVec3::Z, 0.0).unwrap());
    let cylinder = single(Convex::cylinder(0.5, 0.3).unwrap());
    // Upright: around the rim. On its side: a line. Tilted: one point.
    let upright = touches(meeting(
        &floor,
        &Pose::default(),
        &cylinder,
        &at(0.0, 0.0, 0.5),
        1e-9,
    ));
    assert!(upright.points.len() >= 8);
    let side = Pose {
        position: DVec3::new(0.0, 0.0, 0.3),
        rotation: DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2),
    };
    let lying = touches(meeting(&floor, &Pose::default(), &cylinder, &side, 1e-9));
    assert_eq!(lying.points.len(), 2);
    assert!(
        lying
            .points
            .iter()
            .all(|p| (p.on_b.x.abs() - 0.5).abs() < 1e-12)
    );
    let table = block(2.0, 2.0, 0.5);
    let lying = touches(meeting(&table, &at(0.0, 0.0, -0.5), &cylinder, &side, 1e-9));
    assert_eq!(lying.points.len(), 2);
    let upright = touches(meeting(
        &cylinder,
        &at(0.0, 0.0, 0.5),
        &table,
        &at(0.0, 0.0, -0.5),
        1e-9,
    ));
    assert!(upright.points.len() >= 8, "{}", upright.points.len());
    assert!((upright.normal + DVec3::Z).length() < 1e-15);
    // A capsule along a table, and one across another.
    let capsule = single(Convex::capsule(DVec3::X * -0.4, DVec3::X * 0.4, 0.1).unwrap());
    let lying = touches(meeting(
        &table,
        &at(0.0, 0.0, -0.5),
        &capsule,
        &at(0.3, 0.0, 0.1),
        1e-9,
    ));
    assert_eq!(lying.points.len(), 2);
    let across = Pose {
        position: DVec3::new(0.1, 0.0, 0.2),
        rotation: DQuat::from_rotation_z(1.0),
    };
    let crossing = touches(meeting(&capsule, &Pose::default(), &capsule, &across, 1e-9));
    assert_eq!(crossing.points.len(), 1);
    let along = touches(meeting(
        &capsule,
        &Pose::default(),
        &capsule,
        &at(0.2, 0.2, 0.0),
        1e-9,
    ));
    assert_eq!(along.points.len(), 2);
    // A cylinder on a cylinder, end on end and side on side.
    let stacked = touches(meeting(
        &cylinder,
        &Pose::default(),
        &cylinder,
        &at(0.0, 0.0, 1.0),
        1e-9,
    ));
    assert!(stacked.points.len() >= 8);
    let beside = touches(meeting(
        &cylinder,
        &Pose::default(),
        &cylinder,
        &at(0.6, 0.0, 0.2),
        1e-9,
    ));
    assert_eq!(beside.points.len(), 2);
}

#[test]
fn rectangles_in_the_plane() {
    let form = |x: f64, y: f64| {
        Compound::fixed(vec![Convex::<Space2>::block(DVec2::new(x, y)).unwrap()]).unwrap()
    };
    let (below, above) = (form(1.0, 0.5), form(0.5, 0.2));
    let pose = |x: f64, y: f64, angle: f64| Pose {
        position: DVec2::new(x, y),
        rotation: Turn::by(angle),
    };
    let touching = |m: Meeting<Space2>| match m {
        Meeting::Touching(manifold) => manifold,
        other => panic!("{other:?}"),
    };
    let flat = touching(meeting(
        &below,
        &pose(0.0, 0.0, 0.0),
        &above,
        &pose(0.8, 0.7, 0.0),
        1e-9,
    ));
    assert_eq!(flat.normal, DVec2::Y);
    let mut places: Vec<f64> = flat.points.iter().map(|p| p.on_a.x).collect();
    places.sort_by(f64::total_cmp);
    assert!(
        (places[0] - 0.3).abs() < 1e-11 && (places[1] - 1.0).abs() < 1e-11,
        "{places:?}"
    );
    let corner = touching(meeting(
        &below,
        &pose(0.0, 0.0, 0.0),
        &above,
        &pose(0.0, 0.7, 0.3),
        1e-9,
    ));
    assert_eq!(corner.points.len(), 1);
    assert!(matches!(
        meeting(
            &below,
            &pose(0.0, 0.0, 0.0),
            &above,
            &pose(0.0, 3.0, 0.3),
            1e-9
        ),
        Meeting::Apart { .. }
    ));
    // The same through polygons.
    let polygon = |f: &Compound<Space2>| {
        let corners: Vec<DVec2> = f.parts()[0].corners().collect();
        Compound::fixed(vec![Convex::polygon(&corners).unwrap()]).unwrap()
    };
    let same = touching(meeting(
        &polygon(&below),
        &pose(0.0, 0.0, 0.0),
        &polygon(&above),
        &pose(0.8, 0.7, 0.0),
        1e-9,
    ));
    assert_eq!(same.points.len(), 2);
    assert_eq!(same.normal, DVec2::Y);
}

#[test]
fn every_corner_inside_with_its_faces() {
    let (a, b) = (block(1.0, 1.0, 1.0), block(0.5, 0.5, 0.5));
    // The lower four corners of the small one are inside, 0.1 deep.
    let inside = corners_inside(&a, &Pose::default(), &b, &at(0.2, 0.0, 1.4));
    assert_eq!(inside.len(), 4);
    for corner in &inside {
        assert!(!corner.of_a);
        assert!((corner.faces[0].1 - 0.1).abs() < 1e-15);
        // Face 5 is the top; then the side at 1 − 0.7 or 1 − 0.5.
        assert_eq!(corner.faces[0].0, 5);
        assert_eq!(corner.faces.len(), 6);
        assert!(corner.faces[1].1 > 0.29);
    }
    assert!(corners_inside(&a, &Pose::default(), &b, &at(0.0, 0.0, 1.6)).is_empty());
}

#[test]
fn compounds_touch_with_each_part() {
    // A table on two legs.
    let leg = |x: f64| {
        Convex::<Space3>::block(DVec3::new(0.1, 0.1, 0.5))
            .unwrap()
            .placed(&at(x, 0.0, 0.0))
    };
    let top = Convex::block(DVec3::new(1.0, 0.5, 0.05))
        .unwrap()
        .placed(&at(0.0, 0.0, 0.55));
    let table = Compound::new(vec![leg(-0.8), leg(0.8), top], 1.0).unwrap();
    let floor = single(Convex::half_space(DVec3::Z, 0.0).unwrap());
    let height = 0.5 - table.origin().z;
    let all = meetings(
        &floor,
        &Pose::default(),
        &table,
        &at(0.0, 0.0, height),
        1e-9,
    );
    assert_eq!(all.len(), 2);
    assert!(all.iter().all(|(_, _, m)| m.points.len() == 4));
}

/// Two boxes edge on edge, the edges parallel to within 10⁻⁵: with a margin they touch at both ends of where the edges
/// lie beside each other. (At the one point only where the edges cross: solvers pushed them apart at that point,
/// whereupon it jumped to the other end, and so on for ever.)
#[test]
fn edges_that_lie_nearly_along_each_other_have_two_points() {
    let (below, above) = (block(0.5, 0.5, 0.5), block(0.2, 0.3, 0.2));
    let edge = DQuat::from_rotation_y(0.25 * std::f64::consts::PI);
    let turned = DQuat::from_rotation_z(1e-5) * edge;
    let pose = |z: f64, rotation: DQuat| Pose {
        position: DVec3::new(0.0, 0.0, z),
        rotation,
    };
    let height = (0.5 + 0.2) * 2.0_f64.sqrt() - 1e-7;
    let places = [pose(0.0, edge), pose(height, turned)];
    let manifold = touches(meeting(&below, &places[0], &above, &places[1], 1e-4));
    let mut ends: Vec<f64> = manifold.points.iter().map(|point| point.on_a.y).collect();
    ends.sort_by(f64::total_cmp);
    assert_eq!(ends.len(), 2, "{manifold:?}");
    assert!((ends[0] + 0.3).abs() < 1e-4 && (ends[1] - 0.3).abs() < 1e-4);
    for point in &manifold.points {
        assert!((point.depth - 1e-7).abs() < 1e-12, "{manifold:?}");
    }
    // Without a margin it is the crossing.
    let manifold = touches(meeting(&below, &places[0], &above, &places[1], 0.0));
    assert_eq!(manifold.points.len(), 1, "{manifold:?}");
}

/// A box that lies on another, tilted so little about two axes that all four corners are within the margin, and its
/// lowest point is where edges cross: all corners are points, at their own heights.
#[test]
fn a_face_beside_edges_that_cross_counts() {
    let (below, above) = (block(0.5, 0.5, 0.5), block(0.5, 0.5, 0.5));
    let tilt = DQuat::from_rotation_x(1e-5) * DQuat::from_rotation_y(2e-5);
    let turn = DQuat::from_rotation_z(0.25 * std::f64::consts::PI);
    let placed = Pose {
        position: DVec3::new(0.0, 0.0, 1.0),
        rotation: tilt * turn,
    };
    let manifold = touches(meeting(&below, &at(0.0, 0.0, 0.0), &above, &placed, 1e-3));
    // An octagon.
    assert_eq!(manifold.points.len(), 8, "{manifold:?}");
    for point in &manifold.points {
        let height = 1e-5 * point.on_b.y - 2e-5 * point.on_b.x;
        assert!((point.depth + height).abs() < 1e-8, "{point:?}");
    }
}

/// A capsule that lies nearly along a face and reaches beyond its end: the cap there is nearer than all of what lies
/// over the face. Where points are asked for that may touch soon, it was left out, and heaps rested 0.6 µm deep.
#[test]
fn what_is_nearest_is_among_the_points_however_wide_the_margin() {
    let end = DVec2::new(0.0178372, -0.0907129);
    let capsule = Convex::<Space2>::capsule(end, -end, 0.1005).expect("a capsule");
    let corner = DVec2::new(0.0561003, 0.051596224);
    let corners = [
        corner,
        DVec2::new(-0.033173736, 0.061256866),
        DVec2::new(-0.089274035, 0.0096606424),
    ];
    let corners: Vec<DVec2> = corners.into_iter().chain(corners.map(|c| -c)).collect();
    let polygon = Convex::<Space2>::polygon(&corners).expect("convex");
    let posed = |place: DVec2, angle: f64| Pose {
        position: place,
        rotation: Space2::rotation_of(angle, 1.0),
    };
    let a = posed(
        DVec2::new(0.921458852529751, -0.9389449067502915),
        0.6624519499905173,
    );
    let b = posed(
        DVec2::new(1.0425264424927223, -0.8213135001647464),
        1.68140696893228,
    );
    for margin in [0.0, 1e-6, 1e-4, 3e-4, 1e-3] {
        let Meeting::Touching(found) = meeting_of_parts(&capsule, &a, &polygon, &b, margin) else {
            panic!("they overlap by half a micrometre");
        };
        let deepest = found.points.iter().map(|point| point.depth);
        let deepest = deepest.fold(f64::NEG_INFINITY, f64::max);
        // Both are differences of coordinates of 1 m.
        assert!(
            (deepest - found.depth).abs() < 1e-14,
            "{margin}: {deepest} of {}",
            found.depth
        );
    }
}
