//! A byte that changes in any file of a run folder does not go unnoticed.

use crate::common::folder::{Folder, crowd};
use crate::common::{run, scene, text};
use crate::stopped::stopped;
use carom::space::Space2;
use carom_data::{DataError, RunFolder, check_folder, last_good};
use std::path::{Path, PathBuf};

/// Marsaglia's xorshift: the same flips on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

/// All files in a folder, by their names in it.
fn all_files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(inside) = open.pop() {
        for entry in std::fs::read_dir(inside).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path)
            } else {
                let name = path.strip_prefix(folder).unwrap();
                found.push(name.to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// Worked example 1 by forces, a box that falls onto a floor, and a crowd: each as a run that was cut off.
fn folders(folder: &Folder) -> Vec<PathBuf> {
    let crowd = crowd(5.0) + "[observe]\nmsd_lags = 2\n";
    let crowd = folder.write("crowd.toml", &crowd);
    let forces = std::fs::read_to_string(scene("worked_example_1")).unwrap();
    let forces = format!("method = \"forces\"\n{forces}");
    let forces = folder.write("forces.toml", &forces);
    let boxes = folder.write("boxes.toml", BOXES);
    let made = |name: &str| folder.0.join(name);
    stopped(&made("cut-off"), &crowd, 60);
    for (name, path) in [
        ("forces", &forces),
        ("rigid_bodies", &boxes),
        ("events", &crowd),
    ] {
        let out = folder.path(name);
        let arguments = [
            "run", path, "--out", &out, "--frames", "20", "--also", "csv",
        ];
        let output = run(&arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    ["cut-off", "forces", "rigid_bodies", "events"]
        .map(made)
        .to_vec()
}

/// Two boxes that meet, turning.
const BOXES: &str = r#"
version = 1
dimension = 2
run.until = 2.0
[[bodies]]
name = "one"
shape = "box"
size = [1.0, 0.5]
mass = 1.0
position = [-1.5, 0.0]
velocity = [1.0, 0.1]
angular_velocity = 0.3
[[bodies]]
name = "two"
shape = "box"
size = [0.5, 1.0]
mass = 2.0
position = [1.5, 0.0]
velocity = [-1.0, 0.0]
"#;

/// What reads a file says of it when it does so as a command does: the errors.
fn readings(folder: &Path, name: &str) -> Vec<DataError> {
    let open = match RunFolder::open(folder) {
        Ok(open) => open,
        Err(error) => return vec![error],
    };
    let every = |table: Result<carom_data::Table, DataError>| {
        let table = table?;
        let names: Vec<&str> = table.columns().iter().map(|c| c.name.as_ref()).collect();
        table.each(&names, |_| Ok(()))
    };
    let snapshot = &open.manifest().snapshot;
    let read = match name.split(['/', '.']).next().unwrap() {
        "events" => every(open.events()),
        "frames" => every(open.frames()),
        "audit" => every(open.audit()),
        "bodies" => open.bodies().map(drop),
        "scene" => open.check_scene(),
        "summary" => open.read_file("summary.json").map(drop),
        _ if name == snapshot => open.world::<Space2>().map(drop),
        _ => Ok(()),
    };
    read.err().into_iter().collect()
}

/// Whether a file is read by commands other than `check`, `resume` and `run --force`.
fn is_read(folder: &Path, name: &str) -> bool {
    let Ok(open) = RunFolder::open(folder) else {
        return true;
    };
    let known = ["events", "frames", "audit", "bodies", "scene", "summary"];
    let first = name.split(['/', '.']).next().unwrap();
    name == "run.json" || known.contains(&first) || name == open.manifest().snapshot
}

/// Commands that read a file.
fn commands(folder: &str, name: &str) -> Vec<Vec<String>> {
    let line = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    let convert = line(&["convert", folder, "--to", "csv"]);
    let explain = line(&["explain", folder, "1"]);
    let report = line(&["report", folder]);
    let plot = line(&["plot", folder]);
    let render = line(&["render", folder, "--at", "0"]);
    let check = line(&["check", folder]);
    let resume = line(&["resume", folder, "--json"]);
    match name.split(['/', '.', '-']).next().unwrap() {
        "run" if name == "run.json" => {
            vec![check, convert, explain, report, plot, render]
        }
        "events" => vec![check, convert, explain, report, plot],
        "frames" | "audit" | "bodies" => vec![check, convert, report, plot],
        "scene" => vec![check, render, report],
        "summary" => vec![check, report, resume],
        "snapshot" if name == "snapshot.bin" => vec![check, explain],
        _ => vec![check],
    }
}

/// A thousand flips of one byte each, over all files of four run folders. Each is noticed by whoever reads the file,
/// and named; and by `carom check`.
#[test]
fn a_thousand_flips_are_all_noticed() {
    let folder = Folder::new("flips");
    let folders = folders(&folder);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut flips = 0;
    while flips < 1000 {
        for out in &folders {
            for name in all_files(out) {
                let path = out.join(&name);
                let bytes = std::fs::read(&path).unwrap();
                if bytes.is_empty() {
                    continue;
                }
                let read = is_read(out, &name);
                let at = random.below(bytes.len());
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 + random.below(255) as u8;
                std::fs::write(&path, &flipped).unwrap();
                let what = || format!("byte {at} of {} ({})", path.display(), bytes.len());
                if read {
                    let errors = readings(out, &name);
                    let named = errors.iter().any(|error| is_about(error, &path, out));
                    assert!(named, "{}: {errors:?}", what());
                }
                let found = match check_folder(out) {
                    Err(error) => is_about(&error, &path, out),
                    Ok(found) => {
                        let mut damaged = found.damaged.iter();
                        found.others.contains(&name)
                            || damaged.any(|error| is_about(error, &path, out))
                    }
                };
                assert!(found, "`check` did not notice {}", what());
                std::fs::write(&path, &bytes).unwrap();
                flips += 1;
            }
        }
    }
    for out in &folders {
        let found = check_folder(out).unwrap();
        assert!(found.damaged.is_empty(), "{:?}", found.damaged);
        assert!(found.others.is_empty(), "{:?}", found.others);
    }
}

/// An error names the file; of a manifest that is no manifest any more, the folder.
fn is_about(error: &DataError, path: &Path, folder: &Path) -> bool {
    let about = error.path();
    about == Some(path) || path.ends_with("run.json") && about == Some(folder)
}

/// The commands themselves, with a flip in the last byte but some of each file, which of a table is its footer, and
/// with the file gone.
#[test]
fn commands_name_what_is_damaged_or_missing() {
    let folder = Folder::new("flip-commands");
    let folders = folders(&folder);
    for out in [&folders[0], &folders[3]] {
        for name in all_files(out) {
            let path = out.join(&name);
            let bytes = std::fs::read(&path).unwrap();
            let shown = path.display().to_string();
            let mut flipped = bytes.clone();
            let at = bytes.len() - bytes.len().min(30);
            flipped[at] ^= 0x20;
            // Beside what is left of the folder when it is gone: that there was one.
            let missing = !name.starts_with("csv/") && !name.starts_with(".lock") && {
                !["outputs.jsonl", "run-previous.json"].contains(&name.as_str())
            };
            for damage in [Some(&flipped), None] {
                match damage {
                    Some(bytes) => std::fs::write(&path, bytes).unwrap(),
                    None if missing => std::fs::remove_file(&path).unwrap(),
                    None => continue,
                }
                for command in commands(&out.display().to_string(), &name) {
                    let words: Vec<&str> = command.iter().map(String::as_str).collect();
                    let output = run(&words);
                    let said = text(&output.stderr);
                    if name.starts_with("csv/") {
                        // Outputs are for people to change.
                        let listed = text(&output.stdout);
                        assert!(listed.contains(&format!("`{name}` is not")), "{listed}");
                        continue;
                    }
                    assert_eq!(output.status.code(), Some(2), "{words:?}, {name}: {said}");
                    assert_eq!(text(&output.stdout), "", "{words:?}, {name}");
                    let named = said.contains(&shown)
                        || name == "run.json" && said.contains(&out.display().to_string());
                    assert!(named, "{words:?}, {name}: {said}");
                }
            }
            std::fs::write(&path, &bytes).unwrap();
        }
    }
}

/// `resume` goes back to the checkpoint before where that helps, says so, loses nothing, and ends with the same tables.
#[test]
fn resume_goes_back_to_the_last_good_checkpoint() {
    let folder = Folder::new("go-back");
    let crowd = crowd(2.0) + "[observe]\nmsd_lags = 2\n";
    let crowd = folder.write("crowd.toml", &crowd);
    let whole = folder.0.join("whole");
    stopped(&whole, &crowd, 60);
    let output = run(&["resume", whole.to_str().unwrap(), "--quiet"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let damaged = [
        ("run.json", false),
        ("snapshot-000003.bin", false),
        ("snapshot-000003.bin", true),
        ("snapshot-000003.averages.bin", false),
    ];
    for (number, (name, gone)) in damaged.into_iter().enumerate() {
        let out = folder.0.join(format!("run-{number}"));
        stopped(&out, &crowd, 60);
        let path = out.join(name);
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        if gone {
            std::fs::remove_file(&path).unwrap()
        } else {
            std::fs::write(&path, &bytes).unwrap()
        }
        let output = run(&["resume", out.to_str().unwrap()]);
        let said = text(&output.stderr);
        assert!(output.status.success(), "{name}: {said}");
        let begins = format!("warning: `{}` is damaged: ", path.display());
        assert!(said.starts_with(&begins), "{name}: {said}");
        assert!(
            said.contains("; going on from the checkpoint before, at t = 0."),
            "{said}"
        );
        if !gone {
            let aside = out.join(format!("{name}.damaged"));
            assert_eq!(std::fs::read(aside).unwrap(), bytes, "{name}");
        }
        for table in ["events", "frames", "audit"] {
            let of = |out: &Path| std::fs::read(out.join(format!("{table}.parquet"))).unwrap();
            assert!(of(&out) == of(&whole), "{table} after damage to {name}");
        }
    }
    // Rows that both checkpoints need cannot be had again: the folder is left as it is, and the part is named.
    let out = folder.0.join("rows");
    stopped(&out, &crowd, 60);
    let part = out.join("events/part-000000.parquet");
    let mut bytes = std::fs::read(&part).unwrap();
    bytes[20] ^= 1;
    std::fs::write(&part, &bytes).unwrap();
    let before = all_files(&out);
    let error = last_good(&out).unwrap_err();
    assert!(is_about(&error, &part, &out), "{error}");
    assert_eq!(all_files(&out), before);
    assert_eq!(std::fs::read(&part).unwrap(), bytes);
}
