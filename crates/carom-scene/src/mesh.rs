//! Triangle meshes from files beside the scene: fixtures as it is, or a convex solid.

use crate::problem::Problem;
use crate::quantity::{FRACTION, PLACE};
use crate::reader::{Entry, Section};
use crate::render::shortened;
use crate::scene::TableSource;
use crate::shape::Placed;
use carom::motion::Pose;
use carom::shape::{Compound, ConvexError};
use carom::shape::{Mesh, Shape};
use carom::space::{Space, Space3};
use std::path::Path;

/// The most triangles that a mesh of fixtures may have: one takes about half a kilobyte.
const MOST_TRIANGLES: usize = 500_000;

const FORMATS: &str = "the path of an OBJ or STL file, from the folder of the scene";

/// The mesh in the file that `file` names, `scale` times as large, and what in the scene says so.
pub(crate) fn read<'r, 't>(section: &Section<'r, 't>) -> Option<(Mesh, Entry<'r, 't>)> {
    let scale = match section.optional("scale") {
        Some(entry) => entry.number(FRACTION),
        None => Some(1.0),
    };
    let entry = section.required("file", FORMATS)?;
    let mesh = from_file(section, &entry)?;
    let scale = scale?;
    if scale == 1.0 {
        return Some((mesh, entry));
    }
    let corners = mesh.corners().iter().map(|&corner| corner * scale);
    let scaled = Mesh::new(corners.collect(), mesh.triangles().to_vec());
    let refuse = |error| {
        let message = format!("{error}, made {scale} times as large");
        entry.report(Problem::new(entry.span(), message, "this mesh"));
    };
    Some((scaled.map_err(refuse).ok()?, entry))
}

fn from_file(section: &Section<'_, '_>, entry: &Entry<'_, '_>) -> Option<Mesh> {
    let path = entry.label()?;
    let report = |message: String, label: &str| {
        entry.report(Problem::new(entry.span(), message, label));
    };
    let ending = Path::new(path).extension().unwrap_or_default();
    let is = |kind: &str| ending.eq_ignore_ascii_case(kind);
    if !(is("obj") || is("stl")) {
        entry.wrong("a file whose name ends in .obj or .stl");
        return None;
    }
    let files = section.reader.files();
    if !files.allowed {
        report(
            format!("{} reads a file", section.title),
            "may not be done here",
        );
        return None;
    }
    let bytes = files
        .read_mesh(path)
        .map_err(|message| report(message, "looked for from the folder of the scene"))
        .ok()?;
    let shown = shortened(path, 100);
    let read = if is("stl") {
        carom_mesh::read_stl(&bytes).map_err(|error| error.to_string())
    } else {
        match std::str::from_utf8(&bytes) {
            Ok(text) => carom_mesh::read_obj(text).map_err(|error| error.to_string()),
            Err(error) => Err(format!(
                "not an OBJ file: byte {} is no text",
                error.valid_up_to()
            )),
        }
    };
    let mesh = read
        .map_err(|reason| {
            report(
                format!("`{shown}`: {reason}"),
                "must be a mesh of triangles, OBJ or STL",
            );
        })
        .ok()?;
    let number = mesh.triangles().len();
    if number > MOST_TRIANGLES {
        report(
            format!("`{shown}` has {number} triangles"),
            &format!("may have at most {MOST_TRIANGLES}"),
        );
        return None;
    }
    files.read.borrow_mut().push(TableSource {
        given: path.to_owned(),
        named: entry.span_in_file(),
    });
    Some(mesh)
}

/// `shape = "mesh"`: a fixture, struck from both sides. Its frame is that of the file.
pub(crate) fn scenery(section: &Section<'_, '_>) -> Option<Placed<Space3>> {
    let read = read(section);
    let place = match section.optional("position") {
        Some(entry) => crate::dimension::vector::<Space3>(&entry, PLACE),
        None => Some(<Space3 as Space>::Vector::ZERO),
    };
    let rotation = <Space3 as crate::dimension::ReadSpace>::read_rotation(section);
    let (mesh, entry) = read?;
    let form = Compound::of_mesh(&mesh)
        .map_err(|error| refuse(&entry, &error))
        .ok()?;
    let (position, rotation) = (place?, rotation?);
    Some(Placed {
        shape: Shape::Compound(Box::new(form)),
        pose: Pose { position, rotation },
        span: entry.span(),
    })
}

/// What is wrong with a mesh that was to be a solid, or with its triangles.
pub(crate) fn refuse(entry: &Entry<'_, '_>, error: &ConvexError) {
    let path = shortened(entry.as_text().unwrap_or_default(), 100);
    let message = format!("`{path}` is not a convex body: {error}");
    let label = "must be closed, correctly oriented and convex; as it is, it can only be a fixture (shape = \"mesh\")";
    entry.report(Problem::new(entry.span(), message, label));
}
