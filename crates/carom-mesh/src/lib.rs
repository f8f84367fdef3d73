//! Triangle meshes from files: OBJ and STL, both kinds.
//!
//! ```
//! let mesh = carom_mesh::read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")?;
//! assert_eq!(mesh.triangles().len(), 1);
//! # Ok::<(), carom_mesh::ReadError>(())
//! ```
//!
//! The readers take what a file holds, never a path. They refuse what is not such a file, with the line or byte and the
//! reason; what they do not need (colours, normals, groups) is skipped. Memory is bounded by the size of what is read:
//! nothing is reserved on the word of a header.
//!
//! Corners of an STL file are joined where they have the same coordinates, bit for bit: then a mesh that is closed in
//! the file is found closed ([`Mesh::check_closed`]).

#![forbid(unsafe_code)]

mod obj;
mod stl;

use carom::shape::{Mesh, MeshError};
use thiserror::Error;

/// Why a mesh could not be read.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ReadError {
    /// Something is wrong in a line of text; lines are counted from 1.
    #[error("line {line}: {reason}")]
    Line {
        /// Which.
        line: usize,
        /// What is wrong there, and what is allowed.
        reason: String,
    },
    /// Something is wrong in a binary file; bytes are counted from 0.
    #[error("byte {byte}: {reason}")]
    Byte {
        /// Where.
        byte: usize,
        /// What is wrong there, and what is allowed.
        reason: String,
    },
    /// Not such a file at all.
    #[error("not {kind}: {reason}")]
    NotThis {
        /// What it should have been.
        kind: &'static str,
        /// Why it is not.
        reason: String,
    },
    /// Its triangles make no mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

/// The most triangles that a mesh may have: their corners are counted in 32 bits.
const MOST: usize = (u32::MAX / 3) as usize;

/// A mesh from what an OBJ file holds: its `v` and `f` lines, faces of more than three corners cut into triangles from
/// their first one. Lengths in the file are in m.
///
/// ```
/// let flat = carom_mesh::read_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")?;
/// assert_eq!((flat.corners().len(), flat.triangles().len()), (4, 2));
/// # Ok::<(), carom_mesh::ReadError>(())
/// ```
pub fn read_obj(text: &str) -> Result<Mesh, ReadError> {
    obj::read(text)
}

/// A mesh from what an STL file holds, text or binary. Lengths in the file are in m. Triangles without an area, which
/// many programs write, are left out.
pub fn read_stl(bytes: &[u8]) -> Result<Mesh, ReadError> {
    stl::read(bytes)
}

fn at_line(line: usize, reason: impl Into<String>) -> ReadError {
    let reason = reason.into();
    ReadError::Line { line, reason }
}

/// A word as it can be shown in a message: not a whole line of garbage.
fn shown(word: &str) -> String {
    let mut short: String = word.chars().take(24).collect();
    if short.len() < word.len() {
        short.push('…');
    }
    format!("`{}`", short.escape_debug())
}

/// Three finite numbers.
fn numbers<'w>(
    words: &mut impl Iterator<Item = &'w str>,
    line: usize,
    what: &str,
) -> Result<[f64; 3], ReadError> {
    let mut all = [0.0; 3];
    for number in &mut all {
        let word = words
            .next()
            .ok_or_else(|| at_line(line, format!("{what} needs three numbers")))?;
        *number = word
            .parse::<f64>()
            .ok()
            .filter(|n| n.is_finite())
            .ok_or_else(|| at_line(line, format!("{} is not a finite number", shown(word))))?;
    }
    Ok(all)
}
