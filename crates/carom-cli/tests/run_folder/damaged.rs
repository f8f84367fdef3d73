//! Folders that are damaged, in the way, or none.

use super::*;

#[test]
fn a_folder_is_not_overwritten_unless_asked_for() {
    let folder = Folder::new("force");
    let out = recorded(&folder, "bat", &[]);
    let (bat, cradle) = (scene("bat"), scene("newton_cradle"));
    assert_eq!(
        complaint(&folder, &["run", &cradle, "--out", &out], 2),
        "error: `TMP/bat` exists already: take another name, or replace it with --force\n"
    );
    assert_eq!(summary_of(&out)["scene"]["title"], "A bat and a ball");
    let output = run(&["run", &cradle, "--out", &out, "--force", "--quiet"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(summary_of(&out)["scene"]["title"], "Newton's cradle");
    // What others put there is not deleted.
    std::fs::write(Path::new(&out).join("notes.txt"), "mine").unwrap();
    assert_eq!(
        complaint(&folder, &["run", &bat, "--out", &out, "--force"], 2),
        "error: `TMP/bat` is not replaced, not even with --force: it has `notes.txt` in it, which carom did not write, or which was changed since: move that away first\n"
    );
    let other = folder.path("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(Path::new(&other).join("thesis.tex"), "mine").unwrap();
    assert_eq!(
        complaint(&folder, &["run", &bat, "--out", &other, "--force"], 2),
        "error: `TMP/other` is not replaced, not even with --force: `TMP/other` is not a run folder: it has no run.json\n"
    );
    assert_eq!(files(other.as_ref()), ["thesis.tex"]);
    // An empty folder is as good as none.
    let empty = folder.path("empty");
    std::fs::create_dir(&empty).unwrap();
    assert!(run(&["run", &bat, "--out", &empty]).status.success());
    assert_eq!(
        complaint(&folder, &["run", &bat, "--out", "/"], 2),
        "error: `/`: a run folder needs a name\n"
    );
    let file = folder.write("file", "mine");
    assert_eq!(
        complaint(&folder, &["run", &bat, "--out", &file], 2),
        "error: `TMP/file` exists already: take another name, or replace it with --force\n"
    );
}

#[test]
fn what_is_no_run_folder_is_refused_with_a_reason() {
    let folder = Folder::new("foreign");
    let nowhere = folder.path("nowhere");
    let empty = folder.path("empty");
    std::fs::create_dir(&empty).unwrap();
    let file = folder.write("file.txt", "x");
    for arguments in [&["resume"][..], &["explain"], &["convert", "--to", "csv"]] {
        let number: &[&str] = if arguments[0] == "explain" {
            &["1"]
        } else {
            &[]
        };
        let complain = |path: &str| {
            let (command, rest) = arguments.split_at(1);
            complaint(&folder, &[command, &[path], number, rest].concat(), 2)
        };
        assert_eq!(
            complain(&nowhere),
            "error: `TMP/nowhere` is not a run folder: there is no such folder\n"
        );
        assert_eq!(
            complain(&empty),
            "error: `TMP/empty` is not a run folder: it has no run.json\n"
        );
        assert_eq!(
            complain(&file),
            "error: `TMP/file.txt` is not a run folder: it has no run.json\n"
        );
        let manifest = Path::new(&empty).join("run.json");
        for (content, expected) in [
            (
                "{\"format\":\"package\",\"version\":1}",
                "error: `TMP/empty` is not a run folder: its run.json is of something else\n",
            ),
            (
                "[1, 2]",
                "error: `TMP/empty` is not a run folder: its run.json is of something else\n",
            ),
            (
                "{\"format\":\"carom-run\",\"version\":7}",
                "error: `TMP/empty/run.json` has version 7, but this carom reads up to 3\n",
            ),
            (
                "{\"format\":\"carom-run\",\"version\":1}",
                "error: `TMP/empty/run.json` is damaged: missing field `carom`\n",
            ),
            (
                "{\"format\":\"carom-run\",\"version\":2}",
                "error: `TMP/empty/run.json` is damaged: its checksum does not fit\n",
            ),
            (
                "{\"format\":\"carom-r",
                "error: `TMP/empty/run.json` is damaged: EOF while parsing a string at line 1 column 18\n",
            ),
        ] {
            std::fs::write(&manifest, content).unwrap();
            assert_eq!(complain(&empty), expected);
        }
        std::fs::remove_file(&manifest).unwrap();
    }
}

#[test]
fn damaged_files_are_named() {
    let folder = Folder::new("damaged");
    let out = recorded(&folder, "break", &[]);
    let file = |name: &str| Path::new(&out).join(name);
    let whole = std::fs::read(file("events.parquet")).unwrap();
    std::fs::write(file("events.parquet"), &whole[..whole.len() / 2]).unwrap();
    assert_eq!(
        complaint(&folder, &["explain", &out, "3"], 2),
        "error: `TMP/break/events.parquet` is damaged: it is no whole Parquet file\n"
    );
    let frames = std::fs::read(file("frames.parquet")).unwrap();
    std::fs::write(file("events.parquet"), &frames).unwrap();
    let message = complaint(&folder, &["convert", &out, "--to", "csv"], 2);
    assert!(
        message.starts_with("error: `TMP/break/events.parquet` is damaged: its columns are `frame, time, body, x, y, angle,"),
        "{message}"
    );
    std::fs::remove_file(file("events.parquet")).unwrap();
    assert_eq!(
        complaint(&folder, &["explain", &out, "3"], 2),
        "error: cannot read `TMP/break/events.parquet`: No such file or directory (os error 2)\n"
    );
    std::fs::write(file("events.parquet"), &whole).unwrap();
    let snapshot = std::fs::read(file("snapshot.bin")).unwrap();
    std::fs::write(file("snapshot.bin"), &snapshot[..100]).unwrap();
    assert_eq!(
        complaint(&folder, &["explain", &out, "3"], 2),
        format!(
            "error: `TMP/break/snapshot.bin` is damaged: it has 100 bytes instead of {}\n",
            snapshot.len()
        )
    );
}

#[test]
fn a_cut_off_run_with_damaged_parts_is_refused_and_left_alone() {
    let folder = Folder::new("parts");
    let path = folder.write("crowd.toml", &crowd(1e6));
    let out = folder.path("run");
    let mut child = carom()
        .args([
            "run",
            &path,
            "--out",
            &out,
            "--checkpoint",
            "0.01",
            "--quiet",
        ])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // So many checkpoints that the one before the last has rows in this part as well: there is none to go back to.
    let manifest = || RunFolder::open(out.as_ref()).map(|run| run.manifest().checkpoint);
    while !manifest().is_ok_and(|number| number > 4) {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // Nobody else may write to it meanwhile.
    assert_eq!(
        complaint(&folder, &["resume", &out], 1),
        "error: another process is writing to `TMP/run`\n"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    let part = Path::new(&out).join("events/part-000000.parquet");
    let whole = std::fs::read(&part).unwrap();
    std::fs::write(&part, &whole[..whole.len() - 3]).unwrap();
    assert_eq!(
        complaint(&folder, &["resume", &out], 2),
        "error: `TMP/run/events/part-000000.parquet` is damaged: it is no whole Parquet file\n"
    );
    std::fs::remove_file(&part).unwrap();
    assert_eq!(
        complaint(&folder, &["resume", &out], 2),
        "error: `TMP/run/events/part-000000.parquet` is damaged: it is missing\n"
    );
    // Put back, it is as good as before.
    std::fs::write(&part, &whole).unwrap();
    assert!(run(&["convert", &out, "--to", "csv"]).status.success());
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_to_is_an_error() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let folder = Folder::new("read-only");
    let locked = folder.path("locked");
    std::fs::create_dir(&locked).unwrap();
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o555)).unwrap();
    let mut command = carom();
    if std::fs::metadata(&locked).unwrap().uid() == 0 {
        // The superuser may write anywhere; nobody may not. It has to be able to read the command and the scene.
        command = std::process::Command::new(folder.path("carom"));
        std::fs::copy(env!("CARGO_BIN_EXE_carom"), folder.path("carom")).unwrap();
        command.uid(65534);
    }
    let path = folder.path("scene.toml");
    std::fs::copy(scene("bat"), &path).unwrap();
    let out = format!("{locked}/run");
    let output = command
        .args(["run", &path, "--out", &out])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stderr).replace(&folder.0.display().to_string(), "TMP"),
        "error: cannot write `TMP/locked/run`: Permission denied (os error 13)\n"
    );
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_run_that_fails_leaves_its_folder() {
    let folder = Folder::new("failed");
    // Two balls meet on the way to a point where the force is not finite.
    let path = folder.write(
        "fall.toml",
        r#"
version = 1
dimension = 2
run.until = 20.0
fields.central = { centre = [0, 0], strength = 1 }

[[bodies]]
name = "comet"
shape = "ball"
radius = 0.1
mass = 1.0
position = [1.0, 0.0]

[[bodies]]
name = "other"
shape = "ball"
radius = 0.1
mass = 1.0
position = [1.3, 0.0]
velocity = [-0.5, 0.0]
"#,
    );
    let out = folder.path("run");
    let output = run(&["run", &path, "--out", &out]);
    assert_eq!(output.status.code(), Some(1));
    let kept = summary_of(&out);
    assert_eq!(kept["outcome"]["status"], "failed");
    let rows = RunFolder::open(out.as_ref())
        .unwrap()
        .events()
        .unwrap()
        .rows()
        .unwrap();
    assert_eq!(kept["collisions"]["total"], rows);
}
