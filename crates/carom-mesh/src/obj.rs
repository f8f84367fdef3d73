//! Wavefront OBJ: `v x y z` lines, and `f` lines that name corners from 1 on, or from −1 backwards from the last one so
//! far; `f 1/2/3` names a texture and a normal too.

use super::{MOST, ReadError, at_line, numbers, shown};
use carom::shape::Mesh;
use glam::DVec3;

pub(super) fn read(text: &str) -> Result<Mesh, ReadError> {
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    let mut known = false;
    for (number, whole) in text.lines().enumerate() {
        let line = number + 1;
        let content = whole.split('#').next().unwrap_or_default();
        let mut words = content.split_whitespace();
        match words.next() {
            None => {}
            Some("v") => {
                let place = numbers(&mut words, line, "a corner (`v x y z`)")?;
                corners.push(DVec3::from_array(place));
                known = true;
            }
            Some("f") => {
                face(words, line, corners.len(), &mut triangles)?;
                known = true;
            }
            // Textures, normals, groups, materials, lines, curves: not the surface.
            Some(
                "vt" | "vn" | "vp" | "g" | "o" | "s" | "mtllib" | "usemtl" | "l" | "p" | "mg"
                | "cstype" | "deg" | "curv" | "curv2" | "surf" | "parm" | "end" | "usemap"
                | "maplib" | "lod" | "bevel" | "c_interp" | "d_interp" | "shadow_obj" | "trace_obj",
            ) => known = true,
            Some(word) if !known => {
                return Err(ReadError::NotThis {
                    kind: "an OBJ file",
                    reason: format!("line {line} begins with {}", shown(word)),
                });
            }
            Some(word) => {
                let reason = format!("{} is no OBJ statement (v, f, vt, vn, …)", shown(word));
                return Err(at_line(line, reason));
            }
        }
        if triangles.len() > MOST || corners.len() > MOST {
            return Err(at_line(
                line,
                format!("more than {MOST} triangles or corners"),
            ));
        }
    }
    if triangles.is_empty() {
        return Err(ReadError::NotThis {
            kind: "an OBJ file with a surface",
            reason: "it has no faces (`f` lines)".to_owned(),
        });
    }
    Ok(Mesh::new(corners, triangles)?)
}

/// The triangles of a face, from its first corner.
fn face<'w>(
    words: impl Iterator<Item = &'w str>,
    line: usize,
    corners: usize,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), ReadError> {
    let (mut first, mut last, mut number) = (None, None, 0);
    for word in words {
        let corner = corner(word, line, corners)?;
        match (first, last) {
            (None, _) => first = Some(corner),
            (Some(first), Some(last)) => triangles.push([first, last, corner]),
            _ => {}
        }
        if number > 0 {
            last = Some(corner);
        }
        number += 1;
    }
    if number < 3 {
        let reason = format!("a face needs at least three corners, this one has {number}");
        return Err(at_line(line, reason));
    }
    Ok(())
}

fn corner(word: &str, line: usize, corners: usize) -> Result<u32, ReadError> {
    let name = word.split('/').next().unwrap_or_default();
    let index: i64 = name.parse().map_err(|_| {
        at_line(
            line,
            format!("{} names no corner (1, 2/5, 3//7, -1)", shown(word)),
        )
    })?;
    let counted = if index < 0 {
        corners as i64 + index
    } else {
        index - 1
    };
    u32::try_from(counted)
        .ok()
        .filter(|&c| (c as usize) < corners)
        .ok_or_else(|| {
            at_line(
                line,
                format!("corner {index} is not there: {corners} corners come before this line"),
            )
        })
}
