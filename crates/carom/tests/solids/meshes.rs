//! Surfaces cut into triangles, meshes as scenery.

use crate::common::Random;
use carom::kernels::impact::Impact;
use carom::kernels::solids::{Meeting, RigidTrajectory, first_contact, meeting};
use carom::prelude::*;
use carom::shape::Mesh;
use carom::shape::{Compound, Convex};
use std::f64::consts::PI;

#[test]
fn curved_faces_cut_into_triangles_come_near_the_true_volume() {
    let (h, r) = (0.7, 0.4);
    let capsule =
        Convex::<Space3>::capsule(DVec3::new(0.1, -h, 0.0), DVec3::new(0.1, h, 0.0), r).unwrap();
    let cylinder = Convex::<Space3>::cylinder(h, r).unwrap();
    let ball = Convex::<Space3>::ball(r).unwrap();
    let ball_volume = 4.0 / 3.0 * PI * r * r * r;
    let round = 2.0 * PI * r * r * h;
    for (part, volume) in [
        (&capsule, round + ball_volume),
        (&cylinder, round),
        (&ball, ball_volume),
    ] {
        for facets in [8, 32, 128] {
            let mesh = part.triangles(facets).unwrap().unwrap();
            let content = mesh.content().unwrap();
            // Corners on the surface: the volume is short by a term in 1/facets², of which 4π² bounds all three.
            let short = 1.0 - content.volume / volume;
            let n = f64::from(facets);
            assert!(
                short > 0.0 && short < 4.0 * PI * PI / (n * n),
                "{facets}: {short}"
            );
            let (centre, _) = part.bounding_ball();
            assert!((content.centre_of_mass - centre).length() < 1e-13);
        }
    }
    let block = Convex::<Space3>::block(DVec3::ONE).unwrap();
    assert_eq!(block.triangles(7).unwrap().unwrap().triangles().len(), 12);
    assert!(
        Convex::<Space3>::half_space(DVec3::Z, 0.0)
            .unwrap()
            .triangles(7)
            .is_none()
    );
}

#[test]
fn a_mesh_of_many_triangles_is_met_as_what_it_was_made_from() {
    // A floor of 3,200 triangles, and a plain one.
    let side = 40;
    let corners = (0..=side).flat_map(|i| {
        (0..=side).map(move |j| DVec3::new(f64::from(i) - 20.0, f64::from(j) - 20.0, 0.0) * 0.25)
    });
    let at = |i: u32, j: u32| i * (side as u32 + 1) + j;
    let triangles = (0..side as u32).flat_map(|i| {
        (0..side as u32).flat_map(move |j| {
            [
                [at(i, j), at(i + 1, j), at(i + 1, j + 1)],
                [at(i, j), at(i + 1, j + 1), at(i, j + 1)],
            ]
        })
    });
    let mesh = Mesh::new(corners.collect(), triangles.collect()).unwrap();
    let scenery = Compound::of_mesh(&mesh).unwrap();
    let floor = Compound::fixed(vec![Convex::half_space(DVec3::Z, 0.0).unwrap()]).unwrap();
    let still = RigidTrajectory::still(Pose::default());
    let mut random = Random(41);
    for case in 0..40 {
        let body = Compound::new(vec![random.part()], 1.0).unwrap();
        let pose = Pose {
            position: DVec3::new(random.within(-2.0, 2.0), random.within(-2.0, 2.0), 2.0),
            rotation: random.rotation(),
        };
        let velocity = DVec3::new(
            random.within(-1.0, 1.0),
            random.within(-1.0, 1.0),
            random.within(-3.0, 1.0),
        );
        let course = RigidTrajectory::free(
            &body,
            0.0,
            pose,
            velocity,
            random.in_ball() * 5.0,
            DVec3::new(0.0, 0.0, -9.81),
        );
        let on_floor = first_contact(&body, &course, &floor, &still, 0.0, f64::INFINITY);
        let on_mesh = first_contact(&body, &course, &scenery, &still, 0.0, f64::INFINITY);
        let (Impact::At(x), Impact::At(y)) = (on_floor, on_mesh) else {
            panic!("case {case}: {on_floor:?} {on_mesh:?}");
        };
        assert!((x - y).abs() < 1e-12, "case {case}: {x} {y}");
        let reversed = first_contact(&scenery, &still, &body, &course, 0.0, f64::INFINITY);
        assert!((reversed.time().unwrap() - x).abs() < 1e-12);
        match meeting(&scenery, &Pose::default(), &body, &course.pose_at(x), 1e-9) {
            Meeting::Touching(manifold) => assert!(
                (manifold.normal - DVec3::Z).length() < 1e-9,
                "case {case}: {}",
                manifold.normal
            ),
            other => panic!("case {case}: {other:?}"),
        }
    }
    // Away from it for good.
    let ball = Compound::new(vec![Convex::ball(0.5).unwrap()], 1.0).unwrap();
    let away = RigidTrajectory::free(
        &ball,
        0.0,
        Pose::at(DVec3::Z),
        DVec3::Z,
        DVec3::X,
        DVec3::ZERO,
    );
    assert_eq!(
        first_contact(&ball, &away, &scenery, &still, 0.0, f64::INFINITY),
        Impact::Never
    );
}
