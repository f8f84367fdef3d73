//! A run taken up from a snapshot of its folder.

use super::read_listed;
use crate::error::DataError;
use crate::manifest::Manifest;
use crate::space::DataSpace;
use carom::simulate::{Simulation, SimulationError};
use carom::snapshot::SnapshotError;
use carom::world::World;
use carom_scene::Method;
use std::path::Path;

/// By which method of a scene a simulation is.
pub(super) fn method_of<S: DataSpace>(run: &Simulation<S>) -> Method {
    if run.is_by_forces() {
        Method::Forces
    } else {
        Method::Events
    }
}

/// The simulation of a folder, as it was at its last checkpoint.
pub fn restore<S: DataSpace>(
    folder: &Path,
    manifest: &Manifest,
) -> Result<Simulation<S>, DataError> {
    let bytes = read_listed(folder, manifest, &manifest.snapshot)?;
    restored(&folder.join(&manifest.snapshot), &bytes, manifest)
}

pub(super) fn restored<S: DataSpace>(
    path: &Path,
    bytes: &[u8],
    manifest: &Manifest,
) -> Result<Simulation<S>, DataError> {
    let run = Simulation::restore(bytes).map_err(|error| match error {
        SimulationError::Snapshot(SnapshotError::Version { found }) => DataError::Refused {
            path: path.to_owned(),
            reason: format!(
                "carom {} wrote it, with snapshots of version {found}, and this carom reads those of version {} alone: run its {} again",
                manifest.carom,
                carom::snapshot::VERSION,
                manifest.scene.file
            ),
        },
        _ => DataError::damaged(path, error),
    })?;
    // Bodies may have come and gone since.
    let changed = !run.log().is_empty() || run.is_by_forces();
    let same_bodies = changed || run.has_rigid_bodies() == manifest.solids;
    if method_of(&run) == manifest.method && same_bodies {
        Ok(run)
    } else {
        Err(DataError::damaged(
            path,
            "it is of another kind of run than the manifest says",
        ))
    }
}

/// All bodies of a folder, as they were at its last checkpoint, whatever the method; those that are not there as they
/// were, or are to come.
pub fn restore_world<S: DataSpace>(
    folder: &Path,
    manifest: &Manifest,
) -> Result<World<S>, DataError> {
    Ok(restore(folder, manifest)?.census())
}
