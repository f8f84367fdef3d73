//! Quick verdicts: row C10, on cases with known answers.

use carom::kernels::broad::{Bounds, SphereTest, sphere_test};
use carom::motion::Pose;
use carom::shape::{
    Ball, Block, Cylinder, EdgeFault, Mesh, MeshError, Polyhedron, PolyhedronError,
};
use carom::space::{Linear, Space, Space2, Space3, UNIT_ROUNDOFF};
use glam::{DVec2, DVec3};

/// A radius to within 64u of `size`: the bounds of a mesh carry a margin of 16u, and the centre of mass about which
/// they are taken is off by a few tens of u at most in these small meshes.
fn assert_radius(radius: f64, exact: f64, size: f64) {
    let off = (radius - exact).abs();
    assert!(off <= 64.0 * UNIT_ROUNDOFF * size, "{radius} for {exact}");
}

fn tetrahedron(offset: DVec3, scale: f64) -> (Vec<DVec3>, Vec<Vec<u32>>) {
    let corners = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
        .map(|c| offset + scale * DVec3::from_array(c.map(f64::from)));
    let faces = [[1, 3, 2], [0, 2, 3], [0, 3, 1], [0, 1, 2]];
    (corners.to_vec(), faces.map(|f| f.to_vec()).to_vec())
}

/// A prism over a counter-clockwise polygon in x and y, its caps cut as told, from z = −½ to ½.
fn prism(polygon: &[[f64; 2]], cap: &[[u32; 3]]) -> Mesh {
    let n = polygon.len() as u32;
    let corners = [-0.5, 0.5]
        .into_iter()
        .flat_map(|z| polygon.iter().map(move |&[x, y]| DVec3::new(x, y, z)))
        .collect();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for &[a, b, c] in cap {
        triangles.push([a, c, b]);
        triangles.push([n + a, n + b, n + c]);
    }
    for i in 0..n {
        let j = (i + 1) % n;
        triangles.push([i, j, n + j]);
        triangles.push([i, n + j, n + i]);
    }
    Mesh::new(corners, triangles).unwrap()
}

/// Two arms of length 4 and width ½: the centre of mass is at 71/60 along both, in the open.
fn thin_angle() -> Mesh {
    prism(
        &[
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 0.5],
            [0.5, 0.5],
            [0.5, 4.0],
            [0.0, 4.0],
        ],
        &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]],
    )
}

/// As above but three wide: the centre of mass is inside, and the planes of the notch pass close to it.
fn thick_angle() -> Mesh {
    prism(
        &[
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 3.0],
            [3.0, 3.0],
            [3.0, 4.0],
            [0.0, 4.0],
        ],
        &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]],
    )
}

#[test]
fn c10_ball_block_and_cylinder_have_the_radii_of_the_source() {
    let ball = Bounds::<Space2>::of_ball(&Ball::new(0.1).unwrap());
    assert_eq!((ball.enclosing, ball.enclosed), (0.1, 0.1));

    // ½√(a² + b² + c²), with a, b, c = 2, 4, 4.
    let block = Bounds::of_block(&Block::<Space3>::new(DVec3::new(1.0, 2.0, 2.0)).unwrap());
    assert!(block.enclosing >= 3.0);
    assert_radius(block.enclosing, 3.0, 3.0);
    assert_eq!(block.enclosed, 1.0);

    let rectangle = Bounds::of_block(&Block::<Space2>::new(DVec2::new(4.0, 3.0)).unwrap());
    assert!(rectangle.enclosing >= 5.0);
    assert_radius(rectangle.enclosing, 5.0, 5.0);
    assert_eq!(
        rectangle.enclosed, 3.0,
        "the missing third side is not a side"
    );

    // √(R² + (H/2)²).
    for (half_length, radius, least) in [(3.0, 4.0, 3.0), (4.0, 3.0, 3.0)] {
        let cylinder = Cylinder::new(DVec3::X, half_length, radius).unwrap();
        let cylinder = Bounds::of_cylinder(&cylinder);
        assert!(cylinder.enclosing >= 5.0);
        assert_radius(cylinder.enclosing, 5.0, 5.0);
        assert_eq!(cylinder.enclosed, least);
    }
}

#[test]
fn c10_a_meshed_cube_has_the_radii_of_the_cube() {
    let half = DVec3::new(1.0, 2.0, 2.0);
    let mesh = Mesh::block(half).unwrap();
    let content = mesh.content().unwrap();
    assert_eq!(content.volume, 32.0);
    assert_eq!(content.centre_of_mass, DVec3::ZERO);
    let bounds = Bounds::of_mesh(&mesh).unwrap();
    // The centre is exact here, so the roundings are one-sided.
    assert!(bounds.enclosing >= 3.0 && bounds.enclosed <= 1.0);
    assert_radius(bounds.enclosing, 3.0, 3.0);
    assert_radius(bounds.enclosed, 1.0, 3.0);
    let polyhedron = Polyhedron::from_mesh(&mesh).unwrap();
    assert_eq!(Bounds::of_polyhedron(&polyhedron), bounds);
}

#[test]
fn c10_a_regular_tetrahedron_has_its_known_radii() {
    // Edge 2√2: circumradius √3, inradius a third of it, volume 8/3. Far from the origin, all the same.
    for (offset, scale) in [
        (DVec3::ZERO, 1.0),
        (DVec3::new(100.0, -50.0, 7.0), 1.0),
        (DVec3::ZERO, 1e-6),
        (DVec3::ZERO, 1e60),
    ] {
        let (corners, faces) = tetrahedron(offset, scale);
        let solid = Polyhedron::new(corners, faces).unwrap();
        let size = offset.length() + 3.0 * scale;
        let bounds = Bounds::of_polyhedron(&solid);
        let volume = 8.0 / 3.0 * scale * scale * scale;
        assert!((solid.volume() / volume - 1.0).abs() < 1e-13);
        assert!((bounds.centre_of_mass - offset).length() <= 8.0 * UNIT_ROUNDOFF * size);
        assert_radius(bounds.enclosing, 3.0_f64.sqrt() * scale, size);
        assert_radius(bounds.enclosed, scale / 3.0_f64.sqrt(), size);
        for (normal, opposite) in solid.normals().iter().zip(solid.corners()) {
            assert!(
                Linear::dot(*normal, *opposite - offset) < 0.0,
                "normals point outward"
            );
        }
    }
}

#[test]
fn c10_a_centre_of_mass_in_the_open_encloses_nothing() {
    let mesh = thin_angle();
    let content = mesh.content().unwrap();
    let exact = DVec3::new(71.0 / 60.0, 71.0 / 60.0, 0.0);
    assert!((content.centre_of_mass - exact).length() < 1e-14);
    assert!((content.volume - 3.75).abs() < 1e-14);
    let bounds = Bounds::of_mesh(&mesh).unwrap();
    assert_eq!(bounds.enclosed, 0.0);
    // The farthest corners are (4, 0, ±½) and its mirror image.
    let far = DVec3::new(4.0 - 71.0 / 60.0, -71.0 / 60.0, 0.5).length();
    assert_radius(bounds.enclosing, far, 5.0);

    // A ball at that centre, in the notch: 0.68 m from both arms, so it does not touch. The source's rule, with
    // the distance 0 at most 0 + 0.5, would say that it certainly does.
    let ball = Bounds::of_ball(&Ball::new(0.5).unwrap());
    let centre = bounds.centre_of_mass;
    assert_eq!(
        sphere_test(&bounds, centre, &ball, centre),
        SphereTest::Undecided
    );
}

#[test]
fn c10_the_nearest_triangle_counts_not_its_plane() {
    // Areas 12 and 3: the centre of mass is at (12·2 + 3·1.5)/15 = 1.9 along x, and at 1.9 along y. The planes of the
    // notch, x = 3 and y = 3, are 1.1 away, the notch's edge √2·1.1; the caps, at ½, are nearest.
    let bounds = Bounds::of_mesh(&thick_angle()).unwrap();
    let exact = DVec3::new(1.9, 1.9, 0.0);
    assert!((bounds.centre_of_mass - exact).length() < 1e-14);
    assert_radius(bounds.enclosed, 0.5, 5.0);

    // Stretched along z, the nearest surface is the notch's edge, where its planes would give 1.1.
    let tall = thick_angle();
    let corners = tall
        .corners()
        .iter()
        .map(|c| *c * DVec3::new(1.0, 1.0, 20.0));
    let tall = Mesh::new(corners.collect(), tall.triangles().to_vec()).unwrap();
    let bounds = Bounds::of_mesh(&tall).unwrap();
    assert_radius(bounds.enclosed, 1.1 * 2.0_f64.sqrt(), 15.0);
}

#[test]
fn c10_a_dent_comes_nearest_with_its_corner() {
    // The top of a cube is pushed in to a point 0.1 above the middle: a pyramid of volume 1.2 is missing, whose centre
    // was at 1 − 0.9/4 = 0.775.
    let cube = Mesh::block(DVec3::ONE).unwrap();
    let corners = [cube.corners(), &[DVec3::new(0.0, 0.0, 0.1)]].concat();
    let top = |t: &[u32; 3]| t.iter().all(|&i| i >= 4);
    let mut triangles = cube.triangles().to_vec();
    triangles.retain(|t| !top(t));
    triangles.extend([[4, 5, 8], [5, 7, 8], [7, 6, 8], [6, 4, 8]]);
    let dented = Mesh::new(corners, triangles).unwrap();
    let bounds = Bounds::of_mesh(&dented).unwrap();
    let height = -1.2 * 0.775 / 6.8;
    assert!((bounds.centre_of_mass - DVec3::Z * height).length() < 1e-15);
    assert_radius(bounds.enclosed, 0.1 - height, 2.0);
}

#[test]
fn c10_a_cavity_at_the_centre_encloses_nothing() {
    let outer = Mesh::block(DVec3::splat(2.0)).unwrap();
    let inner = Mesh::block(DVec3::splat(1.0)).unwrap();
    let corners = [outer.corners(), inner.corners()].concat();
    let facing_in = inner
        .triangles()
        .iter()
        .map(|&[a, b, c]| [8 + a, 8 + c, 8 + b]);
    let triangles = outer.triangles().iter().copied().chain(facing_in).collect();
    let shell = Mesh::new(corners, triangles).unwrap();
    assert_eq!(shell.content().unwrap().volume, 64.0 - 8.0);
    let bounds = Bounds::of_mesh(&shell).unwrap();
    assert_eq!(bounds.enclosed, 0.0);
    assert_radius(bounds.enclosing, 12.0_f64.sqrt(), 4.0);
}

#[test]
fn c10_an_open_mesh_has_no_bounds_and_says_where() {
    let cube = Mesh::block(DVec3::ONE).unwrap();
    let mut triangles = cube.triangles().to_vec();
    let [a, b, c] = triangles.remove(5);
    let open = Mesh::new(cube.corners().to_vec(), triangles).unwrap();
    let Err(MeshError::NotClosed(EdgeFault::Open { from, to, face })) = Bounds::of_mesh(&open)
    else {
        panic!("{:?}", Bounds::of_mesh(&open));
    };
    // The neighbours of the missing triangle have its edges, the other way round.
    assert!(
        [(b, a), (c, b), (a, c)].contains(&(from, to)),
        "{from} {to}"
    );
    let neighbour = open.triangles()[face];
    assert!(neighbour.contains(&from) && neighbour.contains(&to));
    let message = Bounds::of_mesh(&open).unwrap_err().to_string();
    assert!(
        message.contains(&format!("from corner {from} to corner {to}")),
        "{message}"
    );
}

#[test]
fn c10_a_triangle_turned_over_is_found() {
    let cube = Mesh::block(DVec3::ONE).unwrap();
    let mut triangles = cube.triangles().to_vec();
    triangles[7].swap(0, 1);
    let turned = Mesh::new(cube.corners().to_vec(), triangles).unwrap();
    let Err(EdgeFault::Repeated { first, second, .. }) = turned.check_closed() else {
        panic!("{:?}", turned.check_closed());
    };
    assert!(first == 7 || second == 7);
}

#[test]
fn c10_a_mesh_inside_out_or_flat_is_refused() {
    let cube = Mesh::block(DVec3::ONE).unwrap();
    let turned = cube
        .triangles()
        .iter()
        .map(|&[a, b, c]| [a, c, b])
        .collect();
    let turned = Mesh::new(cube.corners().to_vec(), turned).unwrap();
    assert_eq!(
        Bounds::of_mesh(&turned),
        Err(MeshError::InsideOut { volume: -8.0 })
    );
    assert_eq!(
        Polyhedron::from_mesh(&turned),
        Err(PolyhedronError::InsideOut { volume: -8.0 })
    );
    let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
    let sheet = Mesh::new(corners, vec![[0, 1, 2], [0, 2, 1]]).unwrap();
    assert_eq!(
        Bounds::of_mesh(&sheet),
        Err(MeshError::NoVolume { volume: 0.0 })
    );
    assert_eq!(
        Polyhedron::from_mesh(&sheet),
        Err(PolyhedronError::Flat { volume: 0.0 })
    );
    let nothing = Mesh::new(vec![], vec![]).unwrap();
    assert!(matches!(nothing.content(), Err(MeshError::NoVolume { .. })));
    assert!(matches!(
        Polyhedron::new(vec![], vec![]),
        Err(PolyhedronError::Flat { .. })
    ));
}

#[test]
fn c10_a_mesh_names_what_is_wrong_with_it() {
    let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X * 2.0];
    assert_eq!(
        Mesh::new(corners.clone(), vec![[0, 1, 2], [0, 1, 4]]),
        Err(MeshError::NoSuchCorner {
            triangle: 1,
            corner: 4,
            corners: 4
        })
    );
    for on_one_line in [[0, 1, 3], [1, 1, 2]] {
        assert_eq!(
            Mesh::new(corners.clone(), vec![on_one_line]),
            Err(MeshError::DegenerateTriangle { triangle: 0 })
        );
    }
    let mut infinite = corners;
    infinite[2].y = f64::INFINITY;
    assert!(matches!(
        Mesh::new(infinite, vec![]),
        Err(MeshError::CornerNotFinite { corner: 2, .. })
    ));
}

#[test]
fn c10_a_polyhedron_names_what_is_wrong_with_it() {
    let (corners, faces) = tetrahedron(DVec3::ZERO, 1.0);
    type Change<'a> = &'a dyn Fn(&mut Vec<DVec3>, &mut Vec<Vec<u32>>);
    let with = |change: Change| {
        let (mut corners, mut faces) = (corners.clone(), faces.clone());
        change(&mut corners, &mut faces);
        Polyhedron::new(corners, faces).unwrap_err()
    };
    let nan = with(&|corners, _| corners[3].z = f64::NAN);
    assert!(matches!(
        nan,
        PolyhedronError::CornerNotFinite { corner: 3, .. }
    ));
    let missing = with(&|_, faces| faces[2][1] = 9);
    assert!(matches!(
        missing,
        PolyhedronError::NoSuchCorner {
            face: 2,
            corner: 9,
            ..
        }
    ));
    let twice = with(&|_, faces| faces[1][2] = faces[1][0]);
    assert_eq!(twice, PolyhedronError::DegenerateFace { face: 1 });
    let two = with(&|_, faces| faces[3].truncate(2));
    assert_eq!(two, PolyhedronError::DegenerateFace { face: 3 });
    let unused = with(&|corners, _| corners.push(DVec3::ZERO));
    assert_eq!(unused, PolyhedronError::UnusedCorner { corner: 4 });
    let open = with(&|_, faces| faces.truncate(3));
    assert!(matches!(
        open,
        PolyhedronError::NotClosed(EdgeFault::Open { .. })
    ));
    let two_solids = with(&|corners, faces| {
        corners.extend_from_within(..);
        let copies: Vec<_> = faces
            .iter()
            .map(|f| f.iter().map(|i| i + 4).collect())
            .collect();
        faces.extend(copies);
    });
    assert_eq!(two_solids, PolyhedronError::NotOneSolid { euler: 4 });
    let dented = Polyhedron::from_mesh(&thin_angle()).unwrap_err();
    assert!(matches!(dented, PolyhedronError::NotConvex { height, .. } if height == 3.5));
}

#[test]
fn c10_a_face_must_be_flat() {
    let cube = Mesh::block(DVec3::ONE).unwrap();
    let squares = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let faces: Vec<Vec<u32>> = squares.iter().map(|s| s.to_vec()).collect();
    let solid = Polyhedron::new(cube.corners().to_vec(), faces.clone()).unwrap();
    assert_eq!(solid.volume(), 8.0);
    assert_eq!(
        Bounds::of_polyhedron(&solid),
        Bounds::of_mesh(&cube).unwrap()
    );
    // Outward the solid stays convex as far as its corners go, and still the face [1, 3, 7, 5] is bent.
    for shift in [1e-9, -1e-9] {
        let mut corners = cube.corners().to_vec();
        corners[7].x += shift;
        let bent = Polyhedron::new(corners, faces.clone()).unwrap_err();
        assert!(
            matches!(bent, PolyhedronError::FaceNotFlat { face: 5, .. }),
            "{bent}"
        );
    }
    // A cube turned and moved is rounded at every corner, and still flat.
    let rotation = Space3::rotation_of(DVec3::new(0.3, -0.5, 0.8), 1.0);
    let moved = |c: &DVec3| DVec3::new(30.0, 0.1, -7.3) + Space3::rotate(rotation, *c);
    Polyhedron::new(cube.corners().iter().map(moved).collect(), faces).unwrap();
}

#[test]
fn c10_a_corner_in_the_middle_of_an_edge_is_allowed() {
    // A square pyramid whose base has a fifth corner on one side: its fan begins with a triangle of no area.
    let corners = vec![
        DVec3::new(-1.0, -1.0, 0.0),
        DVec3::new(0.0, -1.0, 0.0),
        DVec3::new(1.0, -1.0, 0.0),
        DVec3::new(1.0, 1.0, 0.0),
        DVec3::new(-1.0, 1.0, 0.0),
        DVec3::new(0.0, 0.0, 4.0),
    ];
    let faces = vec![
        vec![0, 4, 3, 2, 1],
        vec![0, 1, 5],
        vec![1, 2, 5],
        vec![2, 3, 5],
        vec![3, 4, 5],
        vec![4, 0, 5],
    ];
    let pyramid = Polyhedron::new(corners, faces).unwrap();
    let bounds = Bounds::of_polyhedron(&pyramid);
    // Volume 16/3, centre a quarter of the way up; the slanted faces are at 3/√17 from it, the base at 1.
    assert!((pyramid.volume() - 16.0 / 3.0).abs() < 1e-14);
    assert!((bounds.centre_of_mass - DVec3::Z).length() < 1e-15);
    assert_radius(bounds.enclosed, 3.0 / 17.0_f64.sqrt(), 4.0);
    assert_radius(bounds.enclosing, 3.0, 4.0);
}

#[test]
fn c10_a_cylinder_cut_into_facets_converges_to_the_cylinder() {
    let (half_length, radius) = (2.0, 1.0);
    let cylinder = Bounds::of_cylinder(&Cylinder::new(DVec3::Z, half_length, radius).unwrap());
    let mut last = f64::INFINITY;
    for n in [3, 4, 8, 16, 64, 256] {
        let mesh = Mesh::cylinder(half_length, radius, n).unwrap();
        let bounds = Bounds::of_mesh(&mesh).unwrap();
        // The middle of a facet is at cos(π/n) of the radius; the corners are on the rims.
        let facet = (std::f64::consts::PI / f64::from(n)).cos();
        assert_radius(bounds.enclosed, facet, 3.0);
        assert_radius(bounds.enclosing, 5.0_f64.sqrt(), 3.0);
        let missing = cylinder.enclosed - bounds.enclosed;
        assert!(missing > 0.0 && missing < last / 1.5);
        last = missing;
        let convex = Polyhedron::from_mesh(&mesh).unwrap();
        assert_eq!(Bounds::of_polyhedron(&convex), bounds);
    }
    // 1 − cos(π/256) = 7.53e-5: second order.
    assert!(last < 7.54e-5);
}

#[test]
fn c10_a_meshed_sphere_converges_to_the_ball() {
    let mesh = Mesh::sphere(3.0, 64, 32).unwrap();
    let bounds = Bounds::of_mesh(&mesh).unwrap();
    assert_radius(bounds.enclosing, 3.0, 3.0);
    // A facet that spans angles of 2π/64 both ways has its middle at most at 1 − ½(π/64)²·2 of the radius.
    let step = std::f64::consts::PI / 64.0;
    assert!(bounds.enclosed < 3.0 && bounds.enclosed > 3.0 * (1.0 - step * step));
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 27.0;
    let content = mesh.content().unwrap();
    assert!(content.volume < volume && content.volume > volume * (1.0 - 4.0 * step * step));
}

#[test]
fn c10_the_three_verdicts() {
    let cube = Bounds::of_block(&Block::<Space3>::new(DVec3::ONE).unwrap());
    let at = |x: f64| DVec3::new(x, 0.0, 0.0);
    // Enclosing radii √3 each, enclosed ones 1 each.
    assert_eq!(
        sphere_test(&cube, at(0.0), &cube, at(3.47)),
        SphereTest::Apart
    );
    assert_eq!(
        sphere_test(&cube, at(0.0), &cube, at(3.46)),
        SphereTest::Undecided
    );
    assert_eq!(
        sphere_test(&cube, at(0.0), &cube, at(2.01)),
        SphereTest::Undecided
    );
    assert_eq!(
        sphere_test(&cube, at(0.0), &cube, at(1.99)),
        SphereTest::Touching
    );

    let rectangle = Bounds::of_block(&Block::<Space2>::new(DVec2::new(3.0, 4.0)).unwrap());
    let at = |x: f64, y: f64| DVec2::new(x, y);
    let here = at(1.0, 1.0);
    assert_eq!(
        sphere_test(&rectangle, here, &rectangle, at(7.1, 9.0)),
        SphereTest::Apart
    );
    assert_eq!(
        sphere_test(&rectangle, here, &rectangle, at(6.9, 9.0)),
        SphereTest::Undecided
    );
    assert_eq!(
        sphere_test(&rectangle, here, &rectangle, at(4.5, 5.5)),
        SphereTest::Touching
    );
}

#[test]
fn c10_exact_contact_is_left_to_others() {
    // Two balls at the exact sum of their radii, and one ulp to either side, far from the origin.
    let ball = Bounds::<Space2>::of_ball(&Ball::new(0.5).unwrap());
    for x in [0.0, 1.0, 1e6] {
        let (a, b) = (DVec2::new(x, 0.0), x + 1.0);
        for b in [b.next_down(), b, b.next_up()] {
            assert_eq!(
                sphere_test(&ball, a, &ball, DVec2::new(b, 0.0)),
                SphereTest::Undecided
            );
        }
    }
}

#[test]
fn c10_sizes_whose_squares_overflow_or_underflow() {
    for size in [1e-200, 1e200] {
        let ball = Bounds::<Space3>::of_ball(&Ball::new(size).unwrap());
        let at = |x: f64| DVec3::new(x * size, 0.0, 0.0);
        assert_eq!(
            sphere_test(&ball, at(0.0), &ball, at(2.1)),
            SphereTest::Apart
        );
        assert_eq!(
            sphere_test(&ball, at(0.0), &ball, at(1.9)),
            SphereTest::Touching
        );
        let block = Bounds::of_block(&Block::<Space3>::new(DVec3::splat(size)).unwrap());
        assert!(block.enclosing >= 1.73 * size && block.enclosing < 1.74 * size);
    }
    let ball = Bounds::<Space3>::of_ball(&Ball::new(1.0).unwrap());
    for lost in [f64::NAN, f64::INFINITY] {
        let lost = DVec3::new(lost, 0.0, 0.0);
        assert_eq!(
            sphere_test(&ball, DVec3::ZERO, &ball, lost),
            SphereTest::Undecided
        );
    }
    assert_eq!(
        sphere_test(&ball, DVec3::splat(1e308), &ball, DVec3::splat(-1e308)),
        SphereTest::Undecided,
        "their distance is not a number of f64"
    );
}

#[test]
fn c10_the_centre_of_mass_goes_with_the_pose() {
    let (corners, faces) = tetrahedron(DVec3::new(1.0, 0.0, 0.0), 1.0);
    let bounds = Bounds::of_polyhedron(&Polyhedron::new(corners, faces).unwrap());
    let quarter = std::f64::consts::FRAC_PI_2;
    let pose = Pose::<Space3> {
        position: DVec3::new(0.0, 0.0, 5.0),
        rotation: Space3::rotation_of(DVec3::Z, quarter),
    };
    let centre = bounds.centre_in(&pose);
    assert!((centre - DVec3::new(0.0, 1.0, 5.0)).length() < 1e-14);
}
