//! Extended XYZ, for OVITO and ASE: all frames in one text file, one line a body.
//!
//! Bodies are of the species `X`, which is no chemical element; `radius`, `velo`, `omega` and the name of the material
//! are properties of their own. In a periodic box the lattice is given, otherwise there is none. Planar scenes are at
//! z = 0.

use crate::error::DataError;
use crate::outputs::Outputs;
use crate::reader::{BodyRecord, Frame, RunFolder};
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes the frames of a run into a folder; answers the file.
pub fn write_extxyz(
    run: &RunFolder,
    folder: &Path,
    outputs: &Outputs,
) -> Result<Vec<PathBuf>, DataError> {
    let bodies = run.bodies()?;
    let path = folder.join("frames.xyz");
    let manifest = run.manifest();
    let lattice = lattice(manifest.periods);
    outputs.fill(&path, |file| {
        run.each_frame(|frame| {
            let text = frame_text(frame, &bodies, manifest.dimension, &lattice);
            file.write_all(text.as_bytes())
                .map_err(DataError::write(&path))
        })
    })?;
    Ok(vec![path])
}

/// The box; where it is not periodic along some axis, a length has to be named all the same.
fn lattice(periods: [f64; 3]) -> String {
    if periods == [0.0; 3] {
        return String::new();
    }
    let [x, y, z] = periods.map(|length| if length > 0.0 { length } else { 1.0 });
    let flags = periods.map(|length| if length > 0.0 { "T" } else { "F" });
    format!(
        "Lattice=\"{x:?} 0.0 0.0 0.0 {y:?} 0.0 0.0 0.0 {z:?}\" pbc=\"{}\" ",
        flags.join(" ")
    )
}

fn frame_text(frame: &Frame, bodies: &[BodyRecord], dimension: usize, lattice: &str) -> String {
    let count = frame.rows.len();
    let mut text = String::with_capacity(200 * count);
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "{count}\n{lattice}Properties=species:S:1:pos:R:3:id:I:1:radius:R:1:velo:R:3:omega:R:3:material:S:1 \
         Time={:?} frame={}",
        frame.time, frame.number
    );
    for row in 0..count {
        let state = FrameRow::new(frame, row, dimension);
        let body = bodies.get(state.body as usize);
        let radius = body.map_or(f64::NAN, |body| body.radius);
        let material = body.map_or("", |body| &body.material);
        text.push('X');
        for number in state.position {
            let _ = write!(text, " {number:?}");
        }
        // What is no ball has no radius; readers want a number.
        let radius = if radius.is_nan() { 0.0 } else { radius };
        let _ = write!(text, " {} {radius:?}", state.body);
        for number in state.velocity.into_iter().chain(state.angular_velocity) {
            let _ = write!(text, " {number:?}");
        }
        let _ = writeln!(text, " {}", one_word(material));
    }
    text
}

/// Fields are between spaces, so that none may be in a name.
fn one_word(name: &str) -> String {
    let word: String = name
        .chars()
        .map(|letter| match letter {
            letter if letter.is_whitespace() || letter == '"' => '_',
            letter => letter,
        })
        .collect();
    if word.is_empty() {
        "-".to_owned()
    } else {
        word
    }
}

/// A body in a frame, in three dimensions.
pub(crate) struct FrameRow {
    pub body: i64,
    pub position: [f64; 3],
    pub velocity: [f64; 3],
    pub angular_velocity: [f64; 3],
}

impl FrameRow {
    /// The columns of `frames` are: frame, time, body, place, rotation, velocity, angular velocity.
    pub fn new(frame: &Frame, row: usize, dimension: usize) -> Self {
        let value = |column: usize| frame.rows.values[column].numbers()[row];
        let vector = |first: usize| match dimension {
            2 => [value(first), value(first + 1), 0.0],
            _ => [value(first), value(first + 1), value(first + 2)],
        };
        let (velocity, angular_velocity) = match dimension {
            2 => (vector(6), [0.0, 0.0, value(8)]),
            _ => (vector(10), vector(13)),
        };
        FrameRow {
            body: frame.rows.values[2].integers()[row],
            position: vector(3),
            velocity,
            angular_velocity,
        }
    }
}
