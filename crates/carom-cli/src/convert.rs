//! `carom convert`: the tables of a run folder for other programs, and a scene for LAMMPS.

use crate::arguments::{self, Format};
use crate::bar::Waiting;
use crate::output::{Failure, Output};
use crate::run::not_simulated;
use crate::scene;
use carom::world::World;
use carom_data::{DataError, DataSpace, LammpsError, LammpsFiles, LammpsScene, Outputs, RunFolder};
use carom_scene::AnyWorld;
use std::path::{Path, PathBuf};
use std::time::Instant;

type Writer = fn(&RunFolder, &Path, &Outputs) -> Result<Vec<PathBuf>, DataError>;

/// As many states as LAMMPS stores by default.
const FRAMES: f64 = 100.0;

/// What a format is called, and who writes it; `None` for what is made of a scene.
fn writer(format: Format) -> Option<(&'static str, Writer)> {
    match format {
        Format::Csv => Some(("csv", carom_data::write_csv)),
        Format::Npz => Some(("npz", carom_data::write_npz)),
        Format::Vtk => Some(("vtk", carom_data::write_vtk)),
        Format::Extxyz => Some(("extxyz", carom_data::write_extxyz)),
        Format::Lammps => None,
    }
}

/// `carom convert`: says which files to open.
pub fn command(options: &arguments::Convert) -> Result<(), Failure> {
    let mut output = Output::standard();
    let out = options.out.as_deref();
    let bad = |text: &str| Failure::BadInput(format!("error: {text}\n"));
    let written = match options.to[..] {
        [Format::Lammps] => lammps(options)?,
        _ if options.to.contains(&Format::Lammps) => {
            return Err(bad(
                "lammps is made of a scene, the other formats of a run folder: convert them one after the other",
            ));
        }
        _ if !options.overrides.is_empty() => {
            return Err(bad("--set is for lammps, which is made of a scene"));
        }
        _ => convert(&options.run, &options.to, out, options.force, false)?,
    };
    for path in written {
        output.line(format_args!("{}", path.display()))?;
    }
    output.finish()
}

/// Writes a run folder in other formats.
pub fn convert(
    run: &Path,
    formats: &[Format],
    out: Option<&Path>,
    replace: bool,
    quiet: bool,
) -> Result<Vec<PathBuf>, Failure> {
    let mut written = Vec::new();
    if formats.is_empty() {
        return Ok(written);
    }
    let _wait = Waiting::new("converting", quiet);
    let run = RunFolder::open(run)?;
    let outputs = Outputs::new(replace);
    for (name, write) in formats.iter().copied().filter_map(writer) {
        let folder = match out {
            Some(folder) => folder.to_owned(),
            None => run.path().join(name),
        };
        outputs.make_folder(&folder)?;
        written.extend(write(&run, &folder, &outputs)?);
    }
    Ok(written)
}

/// Writes a scene for LAMMPS.
fn lammps(options: &arguments::Convert) -> Result<Vec<PathBuf>, Failure> {
    let bad = |text: String| Failure::BadInput(format!("error: {text}\n"));
    if options.run.is_dir() {
        return Err(bad(format!(
            "`{}` is a folder: LAMMPS gets a scene, which it runs from its start: carom convert SCENE --to lammps --out FOLDER",
            options.run.display()
        )));
    }
    let Some(folder) = &options.out else {
        return Err(bad("--to lammps needs --out FOLDER".to_owned()));
    };
    let _wait = Waiting::new("converting", false);
    let loaded = scene::load_path(&options.run, options.overrides.clone(), Instant::now())?;
    loaded.tell_notes();
    let (scene, file) = (&loaded.scene, &loaded.text.given);
    if !scene.plan.is_empty() {
        return Err(bad(format!(
            "{file} has [[when]] or [thermostat]: what happens there by rules is not handed over to LAMMPS"
        )));
    }
    let made = match &scene.world {
        AnyWorld::Two(world) => files(scene, world, file),
        AnyWorld::Three(world) => files(scene, world, file),
    }?;
    let outputs = Outputs::new(options.force);
    let texts = [
        ("in.lammps", made.script),
        ("data.lammps", made.data),
        ("names.csv", made.names),
    ];
    let paths: Vec<PathBuf> = texts.iter().map(|(name, _)| folder.join(name)).collect();
    for path in &paths {
        outputs.check(path)?;
    }
    outputs.make_folder(folder)?;
    for (path, (_, text)) in paths.iter().zip(&texts) {
        outputs.write(path, text.as_bytes())?;
    }
    Ok(paths)
}

fn files<S: DataSpace>(
    scene: &carom_scene::Scene,
    world: &World<S>,
    file: &str,
) -> Result<LammpsFiles, Failure> {
    let until = scene.run.until;
    let made = LammpsScene {
        title: &scene.title,
        world,
        forces: scene.forces,
        until,
        interval: scene.output.interval.unwrap_or(until / FRAMES),
    }
    .files();
    made.map_err(|error| match error {
        LammpsError::Simulation(error) => not_simulated(&error, file),
        LammpsError::Refused(reasons) => {
            let lines = reasons.iter().map(|reason| format!("error: {reason}\n"));
            let lines: String = lines.collect();
            Failure::BadInput(format!(
                "{lines}\nLAMMPS cannot run {file} in the same way\n"
            ))
        }
    })
}
