//! Mass, centre and inertia against closed forms; hulls; what is refused.

use crate::common::Random;
use carom::prelude::*;
use carom::shape::{Compound, Convex, ConvexError};
use glam::DMat3;
use std::f64::consts::PI;

fn inertia3(form: &Compound<Space3>) -> DMat3 {
    form.inertia_at(DQuat::IDENTITY)
}

/// A few rounding errors of a sum of a few dozen terms.
const CLOSE: f64 = 1e-14;

fn close(found: f64, expected: f64, scale: f64) {
    assert!(
        (found - expected).abs() <= CLOSE * scale,
        "{found} is not {expected}"
    );
}

#[test]
fn a_box_weighs_and_turns_as_in_the_tables() {
    let form = Compound::new(
        vec![Convex::<Space3>::block(DVec3::new(0.5, 1.0, 1.5)).unwrap()],
        2.0,
    )
    .unwrap();
    close(form.mass(), 12.0, 12.0);
    let i = inertia3(&form);
    // m (b² + c²) / 12 with the sides 1, 2, 3.
    close(i.x_axis.x, 12.0 * 13.0 / 12.0, 13.0);
    close(i.y_axis.y, 12.0 * 10.0 / 12.0, 13.0);
    close(i.z_axis.z, 12.0 * 5.0 / 12.0, 13.0);
}

#[test]
fn the_same_box_from_its_corners_turned_and_shifted() {
    let mut random = Random(1);
    for _ in 0..50 {
        let turn = random.rotation();
        let shift = random.in_ball() * 3.0;
        let corners: Vec<DVec3> = (0..8)
            .map(|i| {
                let side = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
                turn * DVec3::new(0.5 * side(0), side(1), 1.5 * side(2)) + shift
            })
            .collect();
        let part = Convex::polyhedron(&corners).unwrap();
        assert_eq!(part.faces().count(), 6);
        assert!(part.faces().all(|(_, around)| around.len() == 4));
        let form = Compound::new(vec![part], 2.0).unwrap();
        // Corners about 4 m from the origin are rounded to 4e-16, the sums by ten times as much.
        assert!((form.mass() - 12.0).abs() < 1e-13);
        assert!((form.origin() + shift).length() < 1e-14);
        let r = DMat3::from_quat(turn);
        let expected = r * DMat3::from_diagonal(DVec3::new(13.0, 10.0, 5.0)) * r.transpose();
        assert!(inertia3(&form).abs_diff_eq(expected, 2e-13));
        let mut moments = form.principal_moments();
        moments.sort_by(f64::total_cmp);
        for (found, expected) in moments.iter().zip([5.0, 10.0, 13.0]) {
            assert!((found - expected).abs() < 2e-13);
        }
    }
}

#[test]
fn a_tetrahedron() {
    // Corners at the origin and on the axes: V = 1/6, centre (¼, ¼, ¼); ∫x² = 1/60, ∫xy = 1/120 about the origin.
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let form = Compound::new(vec![Convex::polyhedron(&corners).unwrap()], 6.0).unwrap();
    close(form.mass(), 1.0, 1.0);
    for c in form.origin().to_array() {
        close(c, -0.25, 1.0);
    }
    // Times 6 for the density, less the parallel axis: ∫x² = 1/10 − 1/16, ∫xy = 1/20 − 1/16.
    let (square, product) = (0.1 - 0.0625, 0.05 - 0.0625);
    let i = inertia3(&form);
    close(i.x_axis.x, 2.0 * square, 1.0);
    close(i.x_axis.y, -product, 1.0);
    close(i.y_axis.z, -product, 1.0);
}

#[test]
fn cylinder_capsule_and_ball() {
    let (h, r) = (0.7, 0.4);
    let cylinder =
        Compound::with_mass(vec![Convex::<Space3>::cylinder(h, r).unwrap()], 3.0).unwrap();
    let i = inertia3(&cylinder);
    close(i.z_axis.z, 0.5 * 3.0 * r * r, 1.0);
    close(i.x_axis.x, 3.0 * (3.0 * r * r + 4.0 * h * h) / 12.0, 1.0);

    let capsule = Convex::<Space3>::capsule(DVec3::Z * -h, DVec3::Z * h, r).unwrap();
    let capsule = Compound::new(vec![capsule], 1.0).unwrap();
    let (middle, ends) = (2.0 * PI * r * r * h, 4.0 / 3.0 * PI * r * r * r);
    close(capsule.mass(), middle + ends, 1.0);
    let i = inertia3(&capsule);
    close(i.z_axis.z, middle * r * r / 2.0 + ends * 0.4 * r * r, 1.0);
    // A half ball about its own centre of mass: 83/320 m r²; its centre is 3/8 r from the flat side.
    let arm = h + 0.375 * r;
    let across = middle * (r * r / 4.0 + h * h / 3.0) + ends * (83.0 / 320.0 * r * r + arm * arm);
    close(i.x_axis.x, across, 1.0);

    let ball = Compound::with_mass(vec![Convex::<Space3>::ball(r).unwrap()], 5.0).unwrap();
    close(inertia3(&ball).y_axis.y, 0.4 * 5.0 * r * r, 1.0);
}

#[test]
fn polygons_in_the_plane() {
    // A right triangle with legs 3 and 4: area 6, centre at a third; I about the centre m (a² + b²)/18.
    let corners = [DVec2::ZERO, DVec2::new(3.0, 0.0), DVec2::new(0.0, 4.0)];
    let form = Compound::new(vec![Convex::polygon(&corners).unwrap()], 0.5).unwrap();
    close(form.mass(), 3.0, 3.0);
    close(form.origin().x, -1.0, 1.0);
    close(form.origin().y, -4.0 / 3.0, 1.0);
    close(form.inertia_at(Turn::by(0.3)), 3.0 * 25.0 / 18.0, 10.0);
    // A regular hexagon of side 1: I = m 5/12.
    let corners: Vec<DVec2> = (0..6)
        .map(|i| DVec2::from_angle(f64::from(i) * PI / 3.0))
        .collect();
    let form = Compound::with_mass(vec![Convex::polygon(&corners).unwrap()], 2.0).unwrap();
    close(form.inertia_at(Turn::by(0.0)), 2.0 * 5.0 / 12.0, 1.0);
    // Clockwise is as good.
    let clockwise: Vec<DVec2> = corners.iter().rev().copied().collect();
    assert!(Convex::polygon(&clockwise).is_ok());
    // A stadium: rectangle 2h × 2r and two half discs.
    let (h, r) = (0.6, 0.25);
    let form = Convex::<Space2>::capsule(DVec2::new(-h, 0.0), DVec2::new(h, 0.0), r).unwrap();
    let form = Compound::new(vec![form], 1.0).unwrap();
    let (middle, ends) = (4.0 * h * r, PI * r * r);
    let arm = h + 4.0 * r / (3.0 * PI);
    let half_disc = r * r * (0.5 - 16.0 / (9.0 * PI * PI));
    let expected = middle * (h * h + r * r) / 3.0 + ends * (half_disc + arm * arm);
    close(form.inertia_at(Turn::by(0.0)), expected, 1.0);
}

#[test]
fn a_compound_weighs_as_its_parts_do() {
    // An L of three unit cubes, as one and as two parts, has the same centre and inertia.
    let cube = |x: f64, y: f64| {
        let part = Convex::<Space3>::block(DVec3::splat(0.5)).unwrap();
        part.placed(&Pose::at(DVec3::new(x, y, 0.0)))
    };
    let three = Compound::new(vec![cube(0.0, 0.0), cube(1.0, 0.0), cube(0.0, 1.0)], 1.0).unwrap();
    let long = Convex::<Space3>::block(DVec3::new(1.0, 0.5, 0.5)).unwrap();
    let long = long.placed(&Pose::at(DVec3::new(0.5, 0.0, 0.0)));
    let two = Compound::new(vec![long, cube(0.0, 1.0)], 1.0).unwrap();
    close(three.mass(), 3.0, 3.0);
    assert!((three.origin() + DVec3::new(1.0 / 3.0, 1.0 / 3.0, 0.0)).length() < CLOSE);
    assert!(inertia3(&three).abs_diff_eq(inertia3(&two), CLOSE));
    // By hand: about z each cube has 1/6 and the arms are √2/3, √5/3, √5/3.
    close(inertia3(&three).z_axis.z, 0.5 + 2.0 / 9.0 + 10.0 / 9.0, 2.0);
    let overlapping = vec![cube(0.0, 0.0), cube(0.75, 0.0)];
    match Compound::new(overlapping, 1.0) {
        Err(ConvexError::PartsOverlap {
            first: 0,
            second: 1,
            depth,
        }) => close(depth, 0.25, 1.0),
        other => panic!("{other:?}"),
    }
}

#[test]
fn hulls_of_many_points_are_closed_and_hold_them_all() {
    let mut random = Random(2);
    for number in [4, 5, 8, 20, 100, 400] {
        let points: Vec<DVec3> = (0..number).map(|_| random.in_ball()).collect();
        let hull = Convex::hull(&points).unwrap();
        let corners: Vec<DVec3> = hull.corners().collect();
        let faces: Vec<(DVec3, Vec<u32>)> = hull.faces().map(|(n, f)| (n, f.to_vec())).collect();
        let sides: usize = faces.iter().map(|(_, f)| f.len()).sum();
        assert_eq!(corners.len() + faces.len(), sides / 2 + 2); // Euler
        for (normal, around) in &faces {
            let height = normal.dot(corners[around[0] as usize]);
            for point in &points {
                assert!(normal.dot(*point) <= height + 1e-10);
            }
        }
    }
}

#[test]
fn coplanar_corners_make_one_face() {
    // A grid on the surface of a cube, in any order: its corners are kept, everything on faces and edges is left out.
    let mut points = Vec::new();
    for x in -2..=2 {
        for y in -2..=2 {
            for z in -2..=2 {
                if [x, y, z].iter().any(|c: &i32| c.abs() == 2) {
                    points.push(DVec3::new(x.into(), y.into(), z.into()));
                }
            }
        }
    }
    let mut random = Random(3);
    for _ in 0..20 {
        for i in (1..points.len()).rev() {
            points.swap(i, (random.next() % (i as u64 + 1)) as usize);
        }
        let turn = random.rotation();
        let turned: Vec<DVec3> = points.iter().map(|&p| turn * p).collect();
        let cube = Convex::polyhedron(&turned).unwrap();
        assert_eq!(cube.corners().count(), 8);
        assert_eq!(cube.faces().count(), 6);
    }
}

#[test]
fn what_cannot_be_is_refused_with_the_place() {
    let flat = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)];
    assert_eq!(
        Convex::polyhedron(&flat).unwrap_err().to_string(),
        "the corners are in one plane: such a body would have no inside"
    );
    let dented = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::splat(0.2)];
    match Convex::polyhedron(&dented) {
        // The nearest face is x = 0.
        Err(ConvexError::NotConvex { corner: 4, depth }) => close(depth, 0.2, 1.0),
        other => panic!("{other:?}"),
    }
    assert_eq!(Convex::hull(&dented).unwrap().corners().count(), 4);
    let arrow = [(0.0, 0.0), (2.0, 1.0), (0.0, 2.0), (0.5, 1.0)].map(|(x, y)| DVec2::new(x, y));
    assert!(matches!(
        Convex::polygon(&arrow),
        Err(ConvexError::NotConvex { corner: 3, .. })
    ));
    let bow = [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)].map(|(x, y)| DVec2::new(x, y));
    assert!(matches!(
        Convex::polygon(&bow),
        Err(ConvexError::Crossing { .. })
    ));
    let line = [DVec2::ZERO, DVec2::ONE, DVec2::splat(2.0)];
    assert!(matches!(
        Convex::polygon(&line),
        Err(ConvexError::Flat { .. })
    ));
    let bad = [
        DVec3::ZERO,
        DVec3::X,
        DVec3::Y,
        DVec3::new(0.0, f64::NAN, 1.0),
    ];
    assert!(matches!(
        Convex::polyhedron(&bad),
        Err(ConvexError::CornerNotFinite { corner: 3, .. })
    ));
    assert_eq!(
        Convex::<Space3>::cylinder(1.0, -2.0)
            .unwrap_err()
            .to_string(),
        "radius is -2, but must be a positive, finite number of metres"
    );
    let floor = Convex::<Space3>::half_space(DVec3::Z, 0.0).unwrap();
    assert!(matches!(
        Compound::new(vec![floor], 1.0),
        Err(ConvexError::NoMass { part: 0 })
    ));
    assert!(matches!(
        Compound::<Space2>::new(vec![], 1.0),
        Err(ConvexError::NoParts)
    ));
}
