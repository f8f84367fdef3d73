//! STL: as text, `facet normal … outer loop vertex x y z … endloop endfacet` between `solid` and `endsolid`; or binary,
//! 80 bytes of anything, the number of triangles, and 50 bytes each. The normals are not used: the order of the corners
//! says the same.
//!
//! Binary files may begin with `solid` too. A file is binary if its length is just what its number of triangles asks
//! for.

use super::{MOST, ReadError, at_line, numbers, shown};
use carom::shape::Mesh;
use carom::space::Linear;
use glam::DVec3;
use std::collections::BTreeMap;

const HEAD: usize = 84;
const EACH: usize = 50;

pub(super) fn read(bytes: &[u8]) -> Result<Mesh, ReadError> {
    let mut found = Found::default();
    match declared(bytes) {
        Some(number) if bytes.len() as u64 == HEAD as u64 + EACH as u64 * u64::from(number) => {
            binary(bytes, &mut found)?;
        }
        declared => match std::str::from_utf8(bytes) {
            Ok(content) if content.trim_start().starts_with("solid") => text(content, &mut found)?,
            _ => return Err(not_stl(bytes, declared)),
        },
    }
    if found.triangles.is_empty() {
        return Err(ReadError::NotThis {
            kind: "an STL file with a surface",
            reason: "it has no triangles with an area".to_owned(),
        });
    }
    Ok(Mesh::new(found.corners, found.triangles)?)
}

fn declared(bytes: &[u8]) -> Option<u32> {
    let number = bytes.get(80..HEAD)?;
    Some(u32::from_le_bytes(number.try_into().ok()?))
}

fn not_stl(bytes: &[u8], declared: Option<u32>) -> ReadError {
    let reason = match declared {
        None => format!(
            "it does not begin with `solid`, and has {} bytes where a binary one has at least {HEAD}",
            bytes.len()
        ),
        Some(number) => format!(
            "it does not begin with `solid`, and has {} bytes where a binary one of {number} triangles (bytes 80 to 83) has {}",
            bytes.len(),
            HEAD as u64 + EACH as u64 * u64::from(number)
        ),
    };
    ReadError::NotThis {
        kind: "an STL file",
        reason,
    }
}

/// Triangles so far, their corners joined.
#[derive(Default)]
struct Found {
    corners: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    numbers: BTreeMap<[u64; 3], u32>,
}

impl Found {
    fn add(&mut self, corners: [DVec3; 3]) {
        let [a, b, c] = corners;
        let longest = Linear::length(b - a).max(Linear::length(c - a));
        let area = Linear::length((b - a).cross(c - a));
        // The limit of [`Mesh::new`].
        if !(area > 1e-14 * longest * longest) {
            return;
        }
        let triangle = corners.map(|corner| {
            // −0 and 0 are one place.
            let key = (corner + DVec3::ZERO).to_array().map(f64::to_bits);
            *self.numbers.entry(key).or_insert_with(|| {
                self.corners.push(corner);
                self.corners.len() as u32 - 1
            })
        });
        self.triangles.push(triangle);
    }
}

fn binary(bytes: &[u8], found: &mut Found) -> Result<(), ReadError> {
    for (number, facet) in bytes[HEAD..].chunks_exact(EACH).enumerate() {
        if number > MOST {
            let byte = HEAD + EACH * number;
            let reason = format!("more than {MOST} triangles");
            return Err(ReadError::Byte { byte, reason });
        }
        let mut corners = [DVec3::ZERO; 3];
        for (i, word) in facet[12..48].chunks_exact(4).enumerate() {
            let value = f32::from_le_bytes([word[0], word[1], word[2], word[3]]);
            if !value.is_finite() {
                return Err(ReadError::Byte {
                    byte: HEAD + EACH * number + 12 + 4 * i,
                    reason: format!(
                        "a coordinate of triangle {number} is {value}, but must be finite"
                    ),
                });
            }
            corners[i / 3][i % 3] = f64::from(value);
        }
        found.add(corners);
    }
    Ok(())
}

fn text(content: &str, found: &mut Found) -> Result<(), ReadError> {
    // What must come next in a facet.
    const ORDER: [&str; 7] = [
        "facet", "outer", "vertex", "vertex", "vertex", "endloop", "endfacet",
    ];
    let (mut step, mut open) = (0, false);
    let mut corners = [DVec3::ZERO; 3];
    let mut last = 0;
    for (number, whole) in content.lines().enumerate() {
        let line = number + 1;
        last = line;
        let mut words = whole.split_whitespace();
        let Some(word) = words.next() else {
            continue;
        };
        match word {
            "solid" if !open => open = true,
            "endsolid" if open && step == 0 => open = false,
            word if open && word == ORDER[step] => {
                if word == "vertex" {
                    let place = numbers(&mut words, line, "`vertex x y z`")?;
                    corners[step - 2] = DVec3::from_array(place);
                }
                step = (step + 1) % ORDER.len();
                if step == 0 {
                    found.add(corners);
                }
            }
            word => {
                let wanted = match (open, step) {
                    (false, _) => "`solid`",
                    (true, 0) => "`facet` or `endsolid`",
                    (true, step) => ORDER[step],
                };
                let reason = format!("{} where {wanted} should be", shown(word));
                return Err(at_line(line, reason));
            }
        }
        if found.triangles.len() > MOST {
            return Err(at_line(line, format!("more than {MOST} triangles")));
        }
    }
    if open {
        let reason = "the file ends within a solid: `endsolid` is missing";
        return Err(at_line(last, reason));
    }
    Ok(())
}
