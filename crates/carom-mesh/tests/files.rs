//! Meshes from files.

use carom::shape::{Compound, Convex, ConvexError};
use carom::shape::{Mesh, MeshError};
use carom_mesh::{ReadError, read_obj, read_stl};

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
    let obj = read_obj(CUBE).unwrap();
    assert_eq!((obj.corners().len(), obj.triangles().len()), (8, 12));
    let text = read_stl(stl_text(&obj).as_bytes()).unwrap();
    let binary = read_stl(&stl_binary(&obj)).unwrap();
    for mesh in [&obj, &text, &binary] {
        let content = mesh.content().unwrap();
        assert!((content.volume - 1.0).abs() < 1e-15);
        assert_eq!(mesh.corners().len(), 8);
        let form = Compound::new(vec![Convex::of_mesh(mesh).unwrap()], 6.0).unwrap();
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
    let obj = |text: &str| read_obj(text).unwrap_err().to_string();
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
    let stl = |bytes: &[u8]| read_stl(bytes).unwrap_err().to_string();
    assert_eq!(
        stl(b"hello"),
        "not an STL file: it does not begin with `solid`, and has 5 bytes where a binary one has at least 84"
    );
    let cube = read_obj(CUBE).unwrap();
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
    assert!(matches!(read_stl(&huge), Err(ReadError::NotThis { .. })));
}

#[test]
fn inside_out_and_open_meshes_are_no_solids() {
    let open = CUBE.replace("f 5 6 7 8\n", "");
    let open = read_obj(&open).unwrap();
    assert!(matches!(
        Convex::of_mesh(&open),
        Err(ConvexError::Mesh(MeshError::NotClosed(_)))
    ));
    let cube = read_obj(CUBE).unwrap();
    let turned = cube
        .triangles()
        .iter()
        .map(|&[a, b, c]| [a, c, b])
        .collect();
    let turned = Mesh::new(cube.corners().to_vec(), turned).unwrap();
    assert!(matches!(
        Convex::of_mesh(&turned),
        Err(ConvexError::Mesh(MeshError::InsideOut { .. }))
    ));
    // As scenery both will do.
    assert_eq!(Compound::of_mesh(&open).unwrap().parts().len(), 10);
}
