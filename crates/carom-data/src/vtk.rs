//! For ParaView: `frames.pvd`, which names one file of points for each frame (`frames/000000.vtp`).
//!
//! The points are the centres; `radius`, `velocity`, `angular_velocity` and `body` are their data (draw them as spheres
//! with the glyph filter, scaled by the radius). Numbers are appended in binary, so that nothing is lost.

use crate::error::DataError;
use crate::extxyz::FrameRow;
use crate::outputs::Outputs;
use crate::reader::{BodyRecord, Frame, RunFolder};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes the frames of a run into a folder; answers the file to open.
pub fn write_vtk(
    run: &RunFolder,
    folder: &Path,
    outputs: &Outputs,
) -> Result<Vec<PathBuf>, DataError> {
    let bodies = run.bodies()?;
    let inside = folder.join("frames");
    outputs.make_folder(&inside)?;
    let mut entries = String::new();
    run.each_frame(|frame| {
        let name = format!("{:06}.vtp", frame.number);
        outputs.fill(&inside.join(&name), |file| {
            write_frame(frame, &bodies, run.manifest().dimension, file)
        })?;
        // Writing to a string does not fail.
        let _ = writeln!(
            entries,
            "    <DataSet timestep=\"{:?}\" file=\"frames/{name}\"/>",
            frame.time
        );
        Ok(())
    })?;
    let path = folder.join("frames.pvd");
    outputs.fill(&path, |file| {
        write!(
            file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  \
             <Collection>\n{entries}  </Collection>\n</VTKFile>\n"
        )
    })?;
    Ok(vec![path])
}

/// An array that is appended after the description.
struct Block {
    name: &'static str,
    kind: &'static str,
    components: usize,
    bytes: Vec<u8>,
}

impl Block {
    fn numbers(name: &'static str, components: usize, values: impl Iterator<Item = f64>) -> Self {
        Block {
            name,
            kind: "Float64",
            components,
            bytes: values.flat_map(f64::to_le_bytes).collect(),
        }
    }

    fn integers(name: &'static str, values: impl Iterator<Item = i64>) -> Self {
        Block {
            name,
            kind: "Int64",
            components: 1,
            bytes: values.flat_map(i64::to_le_bytes).collect(),
        }
    }
}

fn write_frame(
    frame: &Frame,
    bodies: &[BodyRecord],
    dimension: usize,
    file: &mut impl Write,
) -> io::Result<()> {
    let count = frame.rows.len();
    let rows = || (0..count).map(|row| FrameRow::new(frame, row, dimension));
    let radius = |row: FrameRow| {
        let radius = bodies
            .get(row.body as usize)
            .map_or(0.0, |body| body.radius);
        if radius.is_nan() { 0.0 } else { radius }
    };
    let points = [Block::numbers(
        "position",
        3,
        rows().flat_map(|row| row.position),
    )];
    let data = [
        Block::numbers("radius", 1, rows().map(radius)),
        Block::numbers("velocity", 3, rows().flat_map(|row| row.velocity)),
        Block::numbers(
            "angular_velocity",
            3,
            rows().flat_map(|row| row.angular_velocity),
        ),
        Block::integers("body", rows().map(|row| row.body)),
    ];
    let vertices = [
        Block::integers("connectivity", 0..count as i64),
        Block::integers("offsets", 1..count as i64 + 1),
    ];
    let mut offset = 0;
    let mut describe = |section: &str, blocks: &[Block]| {
        let mut text = format!("      <{section}>\n");
        for block in blocks {
            let _ = writeln!(
                text,
                "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{offset}\"/>",
                block.kind, block.name, block.components
            );
            offset += 8 + block.bytes.len();
        }
        text + &format!("      </{section}>\n")
    };
    let sections = [
        describe("Points", &points),
        describe("PointData", &data),
        describe("Verts", &vertices),
    ];
    write!(
        file,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  \
         <PolyData>\n    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{:?}</DataArray>\n    \
         </FieldData>\n    <Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"{count}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n\
         {}    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_",
        frame.time,
        sections.concat()
    )?;
    for block in points.iter().chain(&data).chain(&vertices) {
        file.write_all(&(block.bytes.len() as u64).to_le_bytes())?;
        file.write_all(&block.bytes)?;
    }
    file.write_all(b"\n  </AppendedData>\n</VTKFile>\n")
}
