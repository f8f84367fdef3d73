//! Nothing that carom did not write is deleted or overwritten, with or without `--force`.

use crate::common::folder::{Folder, crowd};
use crate::common::{run, scene, text};
use crate::stopped::stopped;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// All that is in a folder, with what is in the files; the lock, which every writer marks, is left out.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(inside) = open.pop() {
        for entry in std::fs::read_dir(&inside).unwrap() {
            let path = entry.unwrap().path();
            if path.ends_with(".lock") {
                continue;
            }
            let is_dir = std::fs::symlink_metadata(&path).unwrap().is_dir();
            let bytes = (!is_dir).then(|| std::fs::read(&path).unwrap_or_default());
            found.insert(path.clone(), bytes);
            if is_dir {
                open.push(path);
            }
        }
    }
    found
}

#[track_caller]
fn succeeds(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// Refused with status 2, with words that are in the message, and everything in the folder is as it was.
#[track_caller]
fn refused(folder: &Folder, arguments: &[&str], words: &str) {
    let before = tree(&folder.0);
    let output = run(arguments);
    let message = text(&output.stderr).replace(&folder.0.display().to_string(), "TMP");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    assert!(message.contains(words), "{arguments:?}: {message}");
    assert!(tree(&folder.0) == before, "{arguments:?}: {message}");
}

/// Version 0.1.0 deleted all of these with `--force`.
#[test]
fn files_of_users_in_the_folders_of_a_run_are_not_deleted() {
    let folder = Folder::new("users-files");
    let (out, bat) = (folder.path("run"), scene("bat"));
    succeeds(&["run", &bat, "--out", &out]);
    let force = ["run", &bat, "--out", &out, "--force"];
    for name in [
        "plots/mine.txt",
        "csv/mine.txt",
        "pictures/mine.png",
        "tables/mine.csv",
        "npz/mine.npz",
        "vtk/mine.vtp",
        "vtk/frames/000000.vtp",
        "extxyz/mine.xyz",
        "events/mine.parquet",
        "events/part-000000.parquet",
        ".mine.new",
        "snapshot-mine.bin",
        "snapshot-000002.bin",
        "report.html",
        "run.json.bak",
        "mine/deep/down.txt",
    ] {
        let path = Path::new(&out).join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "mine").unwrap();
        let first = match name.split_once('/') {
            Some(("mine", _)) => "mine",
            _ => name,
        };
        refused(&folder, &force, &format!("it has `{first}` in it"));
        std::fs::remove_file(&path).unwrap();
    }
    refused(&folder, &force, "it has `mine` in it");
    std::fs::remove_dir_all(Path::new(&out).join("mine")).unwrap();
    // Empty folders that carom makes are its own.
    succeeds(&force);
    assert!(!Path::new(&out).join("plots").exists());
}

/// What carom wrote and somebody changed is theirs; what nobody changed is not.
#[test]
fn changed_files_belong_to_who_changed_them() {
    let folder = Folder::new("changed");
    let (out, path) = (folder.path("run"), scene("two_discs"));
    succeeds(&["run", &path, "--out", &out, "--also", "csv,npz,vtk,extxyz"]);
    succeeds(&["plot", &out, "--which", "energy"]);
    succeeds(&["report", &out]);
    succeeds(&["render", &out, "--at", "0.5", "--size", "64x36"]);
    let force = ["run", &path, "--out", &out, "--force"];
    for name in [
        "csv/events.csv",
        "npz/frames.npz",
        "vtk/frames.pvd",
        "vtk/frames/000003.vtp",
        "extxyz/frames.xyz",
        "plots/energy.svg",
        "report.html",
        "pictures/at_0.5.png",
        "summary.json",
        "scene.toml",
        "bodies.parquet",
        "frames.parquet",
        "snapshot.bin",
    ] {
        let path = Path::new(&out).join(name);
        let bytes = std::fs::read(&path).unwrap();
        let mut changed = bytes.clone();
        changed[bytes.len() / 2] ^= 1;
        std::fs::write(&path, changed).unwrap();
        refused(&folder, &force, &format!("it has `{name}` in it"));
        std::fs::write(&path, bytes).unwrap();
    }
    // A link is somebody's, also where it leads to the same.
    #[cfg(unix)]
    {
        let (path, away) = (Path::new(&out).join("report.html"), folder.0.join("away"));
        std::fs::rename(&path, &away).unwrap();
        std::os::unix::fs::symlink(&away, &path).unwrap();
        refused(&folder, &force, "it has `report.html` in it");
        std::fs::remove_file(&path).unwrap();
    }
    succeeds(&force);
    assert!(!Path::new(&out).join("csv").exists());
}

/// Version 0.1.0 deleted `run.json` first and then failed at the file.
#[test]
fn a_file_among_the_parts_of_a_run_stays_there() {
    let folder = Folder::new("among-parts");
    let path = folder.write("crowd.toml", &crowd(5.0));
    let out = folder.path("run");
    stopped(out.as_ref(), &path, 40);
    let mine = Path::new(&out).join("events/mine.txt");
    std::fs::write(&mine, "mine").unwrap();
    let force = ["run", &path, "--out", &out, "--force"];
    refused(&folder, &force, "it has `events/mine.txt` in it");
    // A part that carom did not write is not dropped, and not written over.
    let part = Path::new(&out).join("events/part-000001.parquet");
    std::fs::write(&part, "mine").unwrap();
    refused(
        &folder,
        &["resume", &out],
        "`TMP/run/events/part-000001.parquet` is not carom's, or was changed since carom wrote it",
    );
    std::fs::remove_file(&part).unwrap();
    // The run goes on, comes to its end, and leaves the file where it is.
    succeeds(&["resume", &out]);
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), "mine");
    assert!(Path::new(&out).join("events.parquet").exists());
    let listed = succeeds(&["check", &out]);
    assert!(
        listed.contains("`events/mine.txt` is not carom's"),
        "{listed}"
    );
}

/// Version 0.1.0 made its folder under this name, and cleared it first.
#[test]
fn a_folder_that_is_called_as_carom_s_own_is_left_alone() {
    let folder = Folder::new("called-alike");
    let (out, bat) = (folder.path("run"), scene("bat"));
    let names = [".run.new", ".run.old", ".run.0123456789abcdef.new"];
    for name in names {
        let inside = folder.0.join(name);
        std::fs::create_dir_all(inside.join("plots")).unwrap();
        std::fs::write(inside.join("plots/mine.txt"), "mine").unwrap();
        std::fs::write(inside.join("scene.toml"), "mine").unwrap();
    }
    succeeds(&["run", &bat, "--out", &out]);
    succeeds(&["run", &bat, "--out", &out, "--force"]);
    for name in names {
        let file = folder.0.join(name).join("plots/mine.txt");
        assert_eq!(std::fs::read_to_string(file).unwrap(), "mine");
    }
    let plain = std::fs::read_dir(&folder.0).unwrap().count();
    assert_eq!(plain, names.len() + 1, "nothing is left beside it");
    // The same of files.
    let report = folder.0.join("page.html");
    let hidden = folder.0.join(".page.html.new");
    std::fs::write(&hidden, "mine").unwrap();
    succeeds(&["report", &out, "--out", &report.display().to_string()]);
    assert_eq!(std::fs::read_to_string(&hidden).unwrap(), "mine");
}

/// In a run folder carom's own files are replaced, and no others; elsewhere none, unless somebody asks for it.
#[test]
fn outputs_do_not_overwrite_files_of_users() {
    let folder = Folder::new("outputs");
    let (out, path) = (folder.path("run"), scene("two_discs"));
    succeeds(&["run", &path, "--out", &out]);
    let commands: [(&[&str], &str); 4] = [
        (&["convert", &out, "--to", "csv"], "csv/events.csv"),
        (&["plot", &out, "--which", "energy"], "plots/energy.svg"),
        (&["report", &out], "report.html"),
        (
            &["render", &out, "--at", "0", "--size", "64x36"],
            "pictures/at_0.png",
        ),
    ];
    for (command, name) in commands {
        let file = Path::new(&out).join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        let words = format!("`TMP/run/{name}` is not carom's, or was changed");
        std::fs::write(&file, "mine").unwrap();
        refused(&folder, command, &words);
        std::fs::remove_file(&file).unwrap();
        succeeds(command);
        let own = std::fs::read(&file).unwrap();
        succeeds(command);
        assert!(std::fs::read(&file).unwrap() == own, "{name}");
        std::fs::write(&file, "changed").unwrap();
        refused(&folder, command, &words);
        // Nor may a run's own files be written over by name.
        std::fs::write(&file, &own).unwrap();
    }
    let manifest = format!("{out}/summary.json");
    let over = ["report", &out, "--out", &manifest, "--force"];
    refused(&folder, &over, "`TMP/run/summary.json` is not carom's");
    // Elsewhere.
    let [page, figures, picture, tables, both, pages] = [
        "page.html",
        "figures",
        "at.png",
        "tables",
        "both.svg",
        "man",
    ]
    .map(|n| folder.path(n));
    let example = scene("worked_example_1");
    let elsewhere: [(&[&str], String); 6] = [
        (&["report", &out, "--out", &page], page.clone()),
        (
            &["plot", &out, "--which", "energy", "--out", &figures],
            format!("{figures}/energy.svg"),
        ),
        (
            &[
                "render", &out, "--at", "0", "--size", "64x36", "--out", &picture,
            ],
            picture.clone(),
        ),
        (
            &["convert", &out, "--to", "csv", "--out", &tables],
            format!("{tables}/events.csv"),
        ),
        (&["compare", &example, "--plot", &both], both.clone()),
        (&["man", "--out", &pages], format!("{pages}/carom-run.1")),
    ];
    for (command, file) in elsewhere {
        std::fs::create_dir_all(Path::new(&file).parent().unwrap()).unwrap();
        std::fs::write(&file, "mine").unwrap();
        refused(
            &folder,
            command,
            "exists already: take another name, or replace it with --force",
        );
        succeeds(&[command, &["--force"]].concat());
        assert_ne!(std::fs::read(&file).unwrap(), b"mine");
    }
    assert!(succeeds(&["check", &out]).contains("good"));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_to_what_is_replaced() {
    let folder = Folder::new("links");
    let (out, bat) = (folder.path("run"), scene("bat"));
    succeeds(&["run", &bat, "--out", &out]);
    let link = folder.path("link");
    std::os::unix::fs::symlink(&out, &link).unwrap();
    let words = "`TMP/link`: it is a link: give the folder that it leads to";
    refused(&folder, &["run", &bat, "--out", &link], words);
    refused(&folder, &["run", &bat, "--out", &link, "--force"], words);
    std::fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(folder.path("nowhere"), &link).unwrap();
    refused(&folder, &["run", &bat, "--out", &link], words);
}

/// How a run ended is in its last frame, whatever ended it; without frames there is none.
#[test]
fn the_last_frame_is_the_end() {
    let folder = Folder::new("last-frame");
    let path = folder.write("crowd.toml", &crowd(5.0));
    let ends: [(&str, &str, &[&str]); 5] = [
        ("time", &path, &["--every", "0.7"]),
        ("collisions", &path, &["--max-collisions", "100"]),
        (
            "at once",
            &path,
            &["--max-collisions", "1", "--frames", "1"],
        ),
        ("rest", &scene("grains"), &["--set", "run.rest=0.05"]),
        ("zero", &path, &["--until", "0"]),
    ];
    for (name, path, more) in ends {
        let out = folder.path(name);
        let json = succeeds(&[&["run", path, "--out", &out, "--json"][..], more].concat());
        let summary: serde_json::Value = serde_json::from_str(&json).unwrap();
        let mut last = None;
        let run = carom_data::RunFolder::open(out.as_ref()).unwrap();
        run.each_frame(|frame| {
            last = Some(frame.clone());
            Ok(())
        })
        .unwrap();
        let last = last.unwrap();
        assert_eq!(summary["outcome"]["time"], last.time, "{name}");
        // Bodies, and where they are: x is the fourth column.
        let (ids, x) = (
            last.rows.values[2].integers(),
            last.rows.values[3].numbers(),
        );
        for (&id, &x) in ids.iter().zip(x) {
            let position = &summary["bodies"][id as usize]["position"];
            assert_eq!(position[0], x, "{name}, body {id}");
        }
    }
    let out = folder.path("none");
    succeeds(&["run", &path, "--out", &out, "--frames", "0"]);
    let run = carom_data::RunFolder::open(out.as_ref()).unwrap();
    assert_eq!(run.frames().unwrap().rows().unwrap(), 0);
}

/// That of an interrupted run is there to be looked at, and no part of the run that goes on: it ends with the same
/// files.
#[cfg(unix)]
#[test]
fn the_last_frame_of_an_interrupted_run_is_dropped_when_it_goes_on() {
    let folder = Folder::new("interrupted-frame");
    let path = folder.write("crowd.toml", &crowd(200.0));
    let out = folder.path("cut");
    let arguments = ["run", &path, "--out", &out, "--frames", "7", "--json"];
    let child = crate::common::carom()
        .args(arguments)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while !Path::new(&out).exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    let kill = format!("kill -INT {}", child.id());
    let sent = std::process::Command::new("sh")
        .args(["-c", &kill])
        .status();
    assert!(sent.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // A machine that had done it all by then has nothing to show here.
    if output.status.code() == Some(130) {
        let mut last = 0.0;
        let run = carom_data::RunFolder::open(out.as_ref()).unwrap();
        let read = run.each_frame(|frame| {
            last = frame.time;
            Ok(())
        });
        read.unwrap();
        assert_eq!(summary["outcome"]["time"], last);
        succeeds(&["resume", &out]);
    }
    let whole = folder.path("whole");
    succeeds(&["run", &path, "--out", &whole, "--frames", "7"]);
    for name in ["frames.parquet", "audit.parquet", "events.parquet"] {
        let of = |out: &str| std::fs::read(Path::new(out).join(name)).unwrap();
        assert!(of(&out) == of(&whole), "{name}");
    }
}

/// Output that would take more room than there is on any disk is refused before anything is run, by `check` and by
/// `run`.
#[test]
fn absurd_output_is_refused_with_its_size() {
    let folder = Folder::new("absurd");
    let path = folder.write("crowd.toml", &crowd(100.0));
    let out = folder.path("run");
    let begun = std::time::Instant::now();
    let run_with = |more: &[&'static str]| {
        let mut arguments = vec![
            "run".to_owned(),
            path.clone(),
            "--out".to_owned(),
            out.clone(),
        ];
        arguments.extend(more.iter().map(|&word| word.to_owned()));
        arguments
    };
    for (arguments, words) in [
        (
            run_with(&["--every", "1e-9"]),
            "error: 100000000001 frames of 100 moving bodies are 748 TB, more than the 1 TB that a run may put out: an interval of ",
        ),
        (
            run_with(&["--frames", "18446744073709551615"]),
            "error: 18446744073709551615 frames of 100 moving bodies are ",
        ),
        (
            run_with(&["--set", "output.interval=1e-9"]),
            "error: 100000000001 frames of 100 moving bodies are ",
        ),
        (
            ["check", &path, "--set", "output.interval=1e-9"]
                .map(str::to_owned)
                .to_vec(),
            "error: 100000000001 frames of 100 moving bodies are ",
        ),
    ] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        refused(&folder, &arguments, words);
    }
    assert!(begun.elapsed().as_secs() < 20);
    // A few frames are asked for instead.
    let mut few = run_with(&[
        "--set",
        "output.interval=1e-9",
        "--frames",
        "2",
        "--until",
        "1",
    ]);
    few.push("--quiet".to_owned());
    succeeds(&few.iter().map(String::as_str).collect::<Vec<_>>());
}

/// `compare.json`, from which both methods are drawn, came into a run folder by way of the shell, and so counted as the
/// user's. Written by `compare --out` it is on the list, and goes with the run; changed by somebody, it stays.
#[test]
fn a_comparison_that_carom_wrote_is_its_own() {
    let folder = Folder::new("comparison");
    let (out, scene) = (folder.path("run"), scene("worked_example_1"));
    succeeds(&["run", &scene, "--out", &out]);
    let file = format!("{out}/compare.json");
    succeeds(&["compare", &scene, "--out", &file]);
    assert!(
        std::fs::read_to_string(&file)
            .unwrap()
            .contains("carom-compare")
    );
    succeeds(&["compare", &scene, "--out", &file]);
    succeeds(&["run", &scene, "--out", &out, "--force"]);
    assert!(!Path::new(&file).exists());
    succeeds(&["compare", &scene, "--out", &file]);
    std::fs::write(&file, "mine").unwrap();
    refused(
        &folder,
        &["run", &scene, "--out", &out, "--force"],
        "compare.json",
    );
    refused(
        &folder,
        &["compare", &scene, "--out", &file],
        "compare.json",
    );
}
