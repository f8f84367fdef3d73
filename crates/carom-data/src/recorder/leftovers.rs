//! What a process that was killed has left in a run folder.

use super::FINAL;
use super::restore::restored;
use crate::error::DataError;
use crate::files;
use crate::manifest::Manifest;
use crate::observer;
use carom::space::{Space2, Space3};
use std::path::Path;

/// The number in the name of a snapshot, or of the averages beside it.
fn snapshot_number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("snapshot-")?.strip_suffix(".bin")?;
    let digits = digits.strip_suffix(".averages").unwrap_or(digits);
    let plain = digits.len() >= 6 && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

/// Whether a file that no manifest speaks of was left by a process that was killed between writing it and saying so. It
/// is known by the checksum in it.
pub(crate) fn is_checkpoint_file(manifest: &Manifest, name: &str, path: &Path) -> bool {
    let possible = match snapshot_number(name) {
        Some(number) => number <= manifest.checkpoint + 1,
        None => name == FINAL,
    };
    let Some(bytes) = possible.then(|| std::fs::read(path).ok()).flatten() else {
        return false;
    };
    if name.ends_with(".averages.bin") {
        observer::is_whole(&bytes)
    } else {
        match manifest.dimension {
            2 => restored::<Space2>(path, &bytes, manifest).is_ok(),
            _ => restored::<Space3>(path, &bytes, manifest).is_ok(),
        }
    }
}

/// Removes snapshots that are left over, but for those that are needed.
pub(super) fn remove_left(
    folder: &Path,
    manifest: &Manifest,
    needed: impl Fn(&str) -> bool,
) -> Result<(), DataError> {
    for entry in std::fs::read_dir(folder).map_err(DataError::read(folder))? {
        let path = entry.map_err(DataError::read(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_file = || std::fs::symlink_metadata(&path).is_ok_and(|there| there.is_file());
        if !needed(&name) && is_file() && is_checkpoint_file(manifest, &name, &path) {
            files::remove(&path)?;
        }
    }
    Ok(())
}
