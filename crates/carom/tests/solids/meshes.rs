//! Meshes from files, surfaces cut into triangles, meshes as scenery.

use crate::common::Random;
use carom::impact::Impact;
use carom::prelude::*;
use carom::shape::{Mesh, MeshError};
use carom::solid::{Convex, Course, Form, Meeting, ReadError, SolidError, first_contact, meeting};
use std::f64::consts::PI;

const CUBE: &str = "# a unit cube
o cube
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
vn 0 0 -1
f 4//1 3//1 2//1 1//1
f 5 6 7 8
f 1 2 6 5
f 2/1 3/2 7/3 6/4
f 3 4 8 7
f -5 -8 -4 -1
";

fn stl_text(mesh: &Mesh) -> String {
    let mut text = String::from("solid thing\n");
    for corners in mesh.facets() {
        text += "facet normal 0 0 0\n  outer loop\n";
        for c in corners {
            text += &format!("    vertex {} {} {}\n", c.x, c.y, c.z);
        }
        text += "  endloop\nendfacet\n";
    }
    text + "endsolid thing\n"
}

fn stl_binary(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = b"solid, but binary all the same".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((mesh.triangles().len() as u32).to_le_bytes());
    for corners in mesh.facets() {
        bytes.extend([0; 12]);
        for c in corners {
            for x in c.to_array() {
                bytes.extend((x as f32).to_le_bytes());
            }
        }
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn the_same_cube_from_each_kind_of_file() {
    let obj = Mesh::from_obj(CUBE).unwrap();
    assert_eq!((obj.corners().len(), obj.triangles().len()), (8, 12));
    let text = Mesh::from_stl(stl_text(&obj).as_bytes()).unwrap();
    let binary = Mesh::from_stl(&stl_binary(&obj)).unwrap();
    for mesh in [&obj, &text, &binary] {
        let content = mesh.content().unwrap();
        assert!((content.volume - 1.0).abs() < 1e-15);
        assert_eq!(mesh.corners().len(), 8);
        let form = Form::new(vec![Convex::of_mesh(mesh).unwrap()], 6.0).unwrap();
        assert!((form.mass() - 6.0).abs() < 1e-14);
        assert!(
            form.principal_moments()
                .iter()
                .all(|i| (i - 1.0).abs() < 1e-14)
        );
    }
}

#[test]
fn what_is_no_mesh_is_refused_with_the_place() {
    let obj = |text: &str| Mesh::from_obj(text).unwrap_err().to_string();
    assert_eq!(
        obj("v 1 2 3\nv 1 2\n"),
        "line 2: a corner (`v x y z`) needs three numbers"
    );
    assert_eq!(obj("v 1 2 x\n"), "line 1: `x` is not a finite number");
    assert_eq!(obj("v 0 0 inf\n"), "line 1: `inf` is not a finite number");
    assert_eq!(
        obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"),
        "line 4: corner 4 is not there: 3 corners come before this line"
    );
    assert_eq!(
        obj("v 0 0 0\nf 1 1\n"),
        "line 2: a face needs at least three corners, this one has 2"
    );
    assert_eq!(
        obj("v 0 0 0\nf 0 1 1\n"),
        "line 2: corner 0 is not there: 1 corners come before this line"
    );
    assert_eq!(
        obj("PK\u{3}\u{4} zip"),
        "not an OBJ file: line 1 begins with `PK\\u{3}\\u{4}`"
    );
    assert_eq!(
        obj("v 0 0 0\nhello\n"),
        "line 2: `hello` is no OBJ statement (v, f, vt, vn, …)"
    );
    assert_eq!(
        obj("v 0 0 0\n"),
        "not an OBJ file with a surface: it has no faces (`f` lines)"
    );
    let stl = |bytes: &[u8]| Mesh::from_stl(bytes).unwrap_err().to_string();
    assert_eq!(
        stl(b"hello"),
        "not an STL file: it does not begin with `solid`, and has 5 bytes where a binary one has at least 84"
    );
    let cube = Mesh::from_obj(CUBE).unwrap();
    let mut cut = stl_binary(&cube);
    cut[0] = b'X';
    cut.truncate(300);
    assert_eq!(
        stl(&cut),
        "not an STL file: it does not begin with `solid`, and has 300 bytes where a binary one of 12 triangles (bytes 80 to 83) has 684"
    );
    let mut nan = stl_binary(&cube);
    nan[84 + 50 + 16..84 + 50 + 20].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(
        stl(&nan),
        "byte 150: a coordinate of triangle 1 is NaN, but must be finite"
    );
    let text = stl_text(&cube);
    assert_eq!(
        stl(text.replacen("outer loop", "inner loop", 1).as_bytes()),
        "line 3: `inner` where outer should be"
    );
    let ended = text.replace("endsolid thing\n", "");
    assert!(stl(ended.as_bytes()).ends_with("the file ends within a solid: `endsolid` is missing"));
    // A number that promises four thousand million triangles reserves nothing.
    let mut huge = vec![0; 84];
    huge[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(matches!(
        Mesh::from_stl(&huge),
        Err(ReadError::NotThis { .. })
    ));
}

#[test]
fn inside_out_and_open_meshes_are_no_solids() {
    let open = CUBE.replace("f 5 6 7 8\n", "");
    let open = Mesh::from_obj(&open).unwrap();
    assert!(matches!(
        Convex::of_mesh(&open),
        Err(SolidError::Mesh(MeshError::NotClosed(_)))
    ));
    let cube = Mesh::from_obj(CUBE).unwrap();
    let turned = cube
        .triangles()
        .iter()
        .map(|&[a, b, c]| [a, c, b])
        .collect();
    let turned = Mesh::new(cube.corners().to_vec(), turned).unwrap();
    assert!(matches!(
        Convex::of_mesh(&turned),
        Err(SolidError::Mesh(MeshError::InsideOut { .. }))
    ));
    // As scenery both will do.
    assert_eq!(Form::of_mesh(&open).unwrap().parts().len(), 10);
}

#[test]
fn curved_faces_cut_into_triangles_come_near_the_true_volume() {
    let (h, r) = (0.7, 0.4);
    let capsule =
        Convex::<Solid>::capsule(DVec3::new(0.1, -h, 0.0), DVec3::new(0.1, h, 0.0), r).unwrap();
    let cylinder = Convex::<Solid>::cylinder(h, r).unwrap();
    let ball = Convex::<Solid>::ball(r).unwrap();
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
    let block = Convex::<Solid>::block(DVec3::ONE).unwrap();
    assert_eq!(block.triangles(7).unwrap().unwrap().triangles().len(), 12);
    assert!(
        Convex::<Solid>::half_space(DVec3::Z, 0.0)
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
    let scenery = Form::of_mesh(&mesh).unwrap();
    let floor = Form::fixed(vec![Convex::half_space(DVec3::Z, 0.0).unwrap()]).unwrap();
    let still = Course::still(Pose::default());
    let mut random = Random(41);
    for case in 0..40 {
        let body = Form::new(vec![random.part()], 1.0).unwrap();
        let pose = Pose {
            position: DVec3::new(random.within(-2.0, 2.0), random.within(-2.0, 2.0), 2.0),
            rotation: random.rotation(),
        };
        let velocity = DVec3::new(
            random.within(-1.0, 1.0),
            random.within(-1.0, 1.0),
            random.within(-3.0, 1.0),
        );
        let course = Course::free(
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
    let ball = Form::new(vec![Convex::ball(0.5).unwrap()], 1.0).unwrap();
    let away = Course::free(
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
