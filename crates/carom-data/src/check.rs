//! Is a run folder what it was? All of it, on request; and the checkpoint that a run is to go on from.

use crate::error::DataError;
use crate::files::{self, Over};
use crate::folder::{Claim, GROWING, parts_path};
use crate::manifest::{MANIFEST, Manifest, PREVIOUS, Stage};
use crate::outputs::OutputList;
use crate::owned;
use crate::parts;
use crate::reader::RunFolder;
use crate::recorder::{SUMMARY, averages_of, check_listed, growing};
use crate::sum::Sum;
use std::io::ErrorKind;
use std::path::Path;

/// What a whole run folder was found to be.
#[derive(Debug, Default)]
pub struct Findings {
    /// What is damaged or missing. Each names its file.
    pub damaged: Vec<DataError>,
    /// Files that carom did not write, and those of plots, pictures and conversions that were changed: their names in
    /// the folder.
    pub others: Vec<String>,
}

/// Checks every byte that carom wrote to a run folder.
pub fn check_folder(path: &Path) -> Result<Findings, DataError> {
    let run = RunFolder::open(path)?;
    let manifest = run.manifest();
    if !manifest.is_sealed() {
        return Err(DataError::Refused {
            path: path.to_owned(),
            reason: format!(
                "carom {} wrote it, without checksums: there is nothing to check it by",
                manifest.carom
            ),
        });
    }
    let mut findings = Findings::default();
    let mut manifests = vec![manifest.clone()];
    match Manifest::read_named(path, PREVIOUS) {
        Ok((previous, _)) => manifests.push(previous),
        Err(DataError::NotARun { .. }) if !path.join(PREVIOUS).exists() => (),
        Err(error) => findings.damaged.push(error),
    }
    let mut names: Vec<&str> = Vec::new();
    for manifest in &manifests {
        names.extend(manifest.files.iter().map(|listed| listed.file.as_str()));
    }
    names.sort_unstable();
    names.dedup();
    for name in names {
        let found = check_name(path, &manifests, name);
        findings.damaged.extend(found.err());
    }
    for table in [run.events(), run.frames(), run.audit()] {
        let found = table.and_then(|table| table.check());
        findings.damaged.extend(found.err());
    }
    findings.damaged.extend(run.body_table().check().err());
    // One damaged file is told of once, by what was found first.
    let mut told: Vec<String> = Vec::new();
    findings.damaged.retain(|error| {
        let shown = error.path().map(|path| path.display().to_string());
        let again = shown.as_ref().is_some_and(|name| told.contains(name));
        told.extend(shown);
        !again
    });
    match OutputList::read(path) {
        Ok(_) => {
            findings.others = owned::strangers(path)?;
            let shown = |name: &String| path.join(name).display().to_string();
            findings.others.retain(|name| !told.contains(&shown(name)));
        }
        Err(error) => findings.damaged.push(error),
    }
    Ok(findings)
}

/// Checks a file by all manifests that speak of it.
fn check_name(folder: &Path, manifests: &[Manifest], name: &str) -> Result<(), DataError> {
    let path = folder.join(name);
    let sum = match Sum::of_file(&path) {
        // It is promised before it is there.
        Err(DataError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => {
            let may_be_missing = name == SUMMARY && manifests[0].stage == Stage::Running;
            return if may_be_missing {
                Ok(())
            } else {
                Err(DataError::damaged(&path, "it is missing"))
            };
        }
        sum => sum?,
    };
    let mut known = manifests.iter().filter(|m| !m.sums(name).is_empty());
    let fits = |manifest: &Manifest| check_listed(&path, manifest, name, sum);
    match known.next() {
        Some(first) => fits(first).or_else(|error| {
            if known.any(|m| fits(m).is_ok()) {
                Ok(())
            } else {
                Err(error)
            }
        }),
        None => Ok(()),
    }
}

/// Checks what a run needs to go on from a checkpoint: its snapshot, its averages, and the rows up to it.
fn check_checkpoint(folder: &Path, manifest: &Manifest) -> Result<(), DataError> {
    let names = [manifest.snapshot.clone(), averages_of(&manifest.snapshot)];
    for name in names.iter().filter(|name| !manifest.sums(name).is_empty()) {
        check_name(folder, std::slice::from_ref(manifest), name)?;
    }
    let rows = [
        manifest.rows.events,
        manifest.rows.frames,
        manifest.rows.audit,
    ];
    for ((name, (columns, size)), rows) in GROWING.iter().zip(growing(manifest)).zip(rows) {
        parts::check(&parts_path(folder, name), &columns, size, rows)?;
    }
    Ok(())
}

/// The manifest that a run is to go on from, and what had to be done for it.
///
/// That is the last one. Where it is damaged, or its snapshot or its rows are, it is the one before: then what is
/// damaged gets another name, so that nothing is lost, and the folder is as it was at that checkpoint. Where that one
/// is no better the folder is left as it is, and the error says what is wrong with the last.
pub fn last_good(folder: &Path) -> Result<(Manifest, Option<String>), DataError> {
    let (last, error) = match Manifest::read_named(folder, MANIFEST) {
        Ok((manifest, _)) if manifest.stage != Stage::Running || !manifest.is_sealed() => {
            return Ok((manifest, None));
        }
        Ok((manifest, sum)) => match check_checkpoint(folder, &manifest) {
            Ok(()) => return Ok((manifest, None)),
            Err(error) => (Some((manifest, sum)), error),
        },
        Err(error) => (None, error),
    };
    let Ok((previous, _)) = Manifest::read_named(folder, PREVIOUS) else {
        return Err(error);
    };
    if previous.stage != Stage::Running || check_checkpoint(folder, &previous).is_err() {
        return Err(error);
    }
    let claim = Claim::take(folder)?;
    go_back(claim.path(), last, &previous)?;
    let note = format!(
        "{error}; going on from the checkpoint before, at t = {} s (what is damaged has got a name that ends in .damaged)",
        previous.time
    );
    Ok((previous, Some(note)))
}

/// Makes a checkpoint the last one again.
fn go_back(
    folder: &Path,
    last: Option<(Manifest, Sum)>,
    previous: &Manifest,
) -> Result<(), DataError> {
    let mut own = Vec::new();
    match last {
        Some((last, sum)) => {
            own.push(sum);
            let names = [last.snapshot.clone(), averages_of(&last.snapshot)];
            for name in names.iter().filter(|name| !last.sums(name).is_empty()) {
                let is_good = check_name(folder, std::slice::from_ref(&last), name).is_ok();
                if !is_good && folder.join(name).exists() {
                    files::set_aside(&folder.join(name))?;
                }
            }
            let rows = |m: &Manifest| [m.rows.events, m.rows.frames, m.rows.audit];
            let rows = rows(previous).into_iter().zip(rows(&last));
            for ((name, (columns, size)), rows) in GROWING.iter().zip(growing(&last)).zip(rows) {
                let inside = parts_path(folder, name);
                parts::set_aside(&inside, &columns, size, rows.into())?;
            }
        }
        None if folder.join(MANIFEST).exists() => drop(files::set_aside(&folder.join(MANIFEST))?),
        None => (),
    }
    // The bytes as they are: the text of a manifest that is read and written again is the same, but need not be in a
    // later version.
    let (bytes, _) = files::read_whole(&folder.join(PREVIOUS))?;
    files::write_bytes(&folder.join(MANIFEST), &Over::Own(own), &bytes)?;
    files::sync_folder(folder)
}
