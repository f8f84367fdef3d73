//! What is said of folders, files and pictures.

use super::*;

/// Changes a manifest, and gives it the checksum that it has then.
fn change(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    change(&mut value);
    value.as_object_mut().unwrap().remove("crc32");
    let text = value.to_string();
    let sum = Crc::of(text.as_bytes());
    let text = text.strip_suffix('}').unwrap();
    std::fs::write(path, format!("{text},\"crc32\":\"{sum}\"}}\n")).unwrap();
}

/// What belongs to others, and what is not what it was.
///
/// Longer than most: one folder, damaged in one way after the other.
pub(super) fn belongings(book: &mut Book) {
    let bat = scene("bat");
    let out = book.path("kept");
    assert!(run(&["run", &bat, "--out", &out]).status.success());
    let file = |name: &str| Path::new(&out).join(name);
    std::fs::create_dir(file("plots")).unwrap();
    std::fs::write(file("plots/energy.svg"), "mine").unwrap();
    book.complaint(&["plot", &out, "--which", "energy"], 2);
    book.complaint(&["run", &bat, "--out", &out, "--force"], 2);
    std::fs::remove_file(file("plots/energy.svg")).unwrap();
    assert!(run(&["report", &out]).status.success());
    let list = std::fs::read(file("outputs.jsonl")).unwrap();
    std::fs::write(file("outputs.jsonl"), &list[..list.len() - 1]).unwrap();
    book.complaint(&["report", &out], 2);
    std::fs::write(file("outputs.jsonl"), "mine").unwrap();
    book.complaint(&["check", &out], 2);
    std::fs::write(file("outputs.jsonl"), &list).unwrap();
    #[cfg(unix)]
    {
        let link = book.path("link");
        std::os::unix::fs::symlink(&out, &link).unwrap();
        book.complaint(&["run", &bat, "--out", &link], 2);
    }
    let frames = ["--frames", "18446744073709551615"];
    let arguments = [&["run", &bat, "--out", "x"][..], &frames].concat();
    book.complaint(&arguments, 2);
    let interval = ["--set", "output.interval=1e-12"];
    book.complaint(&[&["run", &bat][..], &interval].concat(), 2);
    book.complaint(&[&["check", &bat][..], &interval].concat(), 2);
    // Bytes that are not what they were, in every part of a table.
    let whole = std::fs::read(file("events.parquet")).unwrap();
    let tail = whole.len() - 8;
    let footer = u32::from_le_bytes(whole[tail..tail + 4].try_into().unwrap()) as usize;
    for (at, value) in [
        (20, 0),
        (tail - footer + 8, 0),
        (tail + 2, 9),
        (tail, 0),
        (1, 0),
    ] {
        let mut changed = whole.clone();
        changed[at] = value;
        std::fs::write(file("events.parquet"), changed).unwrap();
        book.complaint(&["convert", &out, "--to", "csv"], 2);
    }
    let (two, other) = (scene("two_discs"), book.path("two"));
    assert!(run(&["run", &two, "--out", &other]).status.success());
    let events = Path::new(&other).join("events.parquet");
    std::fs::copy(events, file("events.parquet")).unwrap();
    book.complaint(&["explain", &out, "1"], 2);
    std::fs::write(file("events.parquet"), &whole).unwrap();
    let summary = std::fs::read(file("summary.json")).unwrap();
    std::fs::write(file("summary.json"), &summary[1..]).unwrap();
    book.complaint_without_numbers(&["resume", &out, "--json"], 2);
    book.complaint_without_numbers(&["check", &out], 2);
    std::fs::write(file("summary.json"), &summary).unwrap();
    let manifest = std::fs::read(file("run.json")).unwrap();
    change(&file("run.json"), |manifest| {
        manifest["rows"]["events"] = json!(77)
    });
    book.complaint(&["explain", &out, "1"], 2);
    std::fs::write(file("run.json"), &manifest[..manifest.len() - 1]).unwrap();
    book.complaint(&["explain", &out, "1"], 2);
    std::fs::write(file("run.json"), "{\"format\":\"carom-run\",\"version\":2}").unwrap();
    book.complaint(&["explain", &out, "1"], 2);
    // A snapshot of another version was said to be damaged.
    let mut snapshot = std::fs::read(file("snapshot.bin")).unwrap();
    snapshot[8..12].copy_from_slice(&3_u32.to_le_bytes());
    std::fs::write(file("snapshot.bin"), &snapshot).unwrap();
    std::fs::write(file("run.json"), &manifest).unwrap();
    change(&file("run.json"), |manifest| {
        let listed = manifest["files"].as_array_mut().unwrap().iter_mut();
        listed
            .filter(|listed| listed["file"] == "snapshot.bin")
            .for_each(|listed| listed["crc32"] = json!(Crc::of(&snapshot).to_string()));
    });
    book.complaint_without_numbers(&["explain", &out, "1"], 2);
    // A folder of version 0.1.0.
    let mut old: Value = serde_json::from_slice(&manifest).unwrap();
    for key in ["crc32", "files", "framed"] {
        old.as_object_mut().unwrap().remove(key);
    }
    old["version"] = json!(1);
    std::fs::write(file("run.json"), old.to_string()).unwrap();
    book.complaint(&["run", &bat, "--out", &out, "--force"], 2);
    book.complaint(&["check", &out], 2);
    book.complaint_without_numbers(&["explain", &out, "1"], 2);
    old["stage"] = json!("running");
    std::fs::write(file("run.json"), old.to_string()).unwrap();
    book.complaint(&["resume", &out], 2);
}

/// Folders that are none, and what is there already.
pub(super) fn folders(book: &mut Book) {
    let bat = scene("bat");
    let out = book.path("out");
    assert!(run(&["run", &bat, "--out", &out]).status.success());
    book.complaint(&["run", &bat, "--out", &out], 2);
    book.complaint(&["run", &bat, "--out", "/"], 2);
    book.complaint(&["run", &bat, "--out", &format!("{bat}/run")], 2);
    book.complaint(&["explain", &out, "1000"], 2);
    book.complaint(&["convert", &out, "--to", "csv", "--out", &bat], 1);
    book.complaint(&["resume", &book.path("nowhere")], 2);
    book.complaint(&["resume", &bat], 2);
    std::fs::write(Path::new(&out).join("notes.txt"), "mine").unwrap();
    book.complaint(&["run", &bat, "--out", &out, "--force"], 2);
    std::fs::remove_file(Path::new(&out).join("notes.txt")).unwrap();
    let other = book.path("other");
    std::fs::create_dir(&other).unwrap();
    book.complaint(&["explain", &other, "1"], 2);
    std::fs::write(Path::new(&other).join("run.json"), "[]").unwrap();
    book.complaint(&["explain", &other, "1"], 2);
    let quiet = book.path("no-events");
    let arguments = ["run", &bat, "--out", &quiet, "--no-events"];
    assert!(run(&arguments).status.success());
    book.complaint(&["explain", &quiet, "1"], 2);
    // A complete folder with parts of others in it.
    let file = |name: &str| Path::new(&out).join(name);
    let cradle = book.path("cradle");
    let arguments = ["run", &scene("gas_3d"), "--out", &cradle];
    let solid = run(&arguments).status.success();
    let snapshot = std::fs::read(file("snapshot.bin")).unwrap();
    if solid {
        std::fs::copy(
            Path::new(&cradle).join("snapshot.bin"),
            file("snapshot.bin"),
        )
        .unwrap();
        book.complaint(&["explain", &out, "1"], 2);
    }
    let mut wrong = snapshot.clone();
    *wrong.last_mut().unwrap() ^= 1;
    for bytes in [&b"hello"[..], &snapshot[..50], &wrong] {
        std::fs::write(file("snapshot.bin"), bytes).unwrap();
        book.complaint(&["explain", &out, "1"], 2);
    }
    std::fs::write(file("snapshot.bin"), &snapshot).unwrap();
    std::fs::copy(file("audit.parquet"), file("events.parquet")).unwrap();
    book.complaint(&["explain", &out, "1"], 2);
    std::fs::write(file("events.parquet"), "PAR1").unwrap();
    book.complaint(&["convert", &out, "--to", "csv"], 2);
    std::fs::remove_file(file("events.parquet")).unwrap();
    book.complaint(&["convert", &out, "--to", "csv"], 2);
    std::fs::remove_file(file("summary.json")).unwrap();
    book.complaint(&["resume", &out], 2);
    for (key, value) in [
        ("version", json!(9)),
        ("version", json!(1)),
        ("method", json!("magic")),
        ("method", json!("events")),
        ("snapshot", json!("../snapshot.bin")),
        ("stage", json!("asleep")),
    ] {
        change(&file("run.json"), |manifest| manifest[key] = value);
        if !["version", "method"].contains(&key) || RunFolder::open(out.as_ref()).is_err() {
            book.complaint(&["explain", &out, "1"], 2);
        }
    }
    std::fs::write(file("run.json"), "{").unwrap();
    book.complaint(&["explain", &out, "1"], 2);
}

/// Pictures that there are not.
pub(super) fn pictures(book: &mut Book) {
    let (out, path) = (book.path("shown"), scene("two_discs"));
    assert!(run(&["run", &path, "--out", &out]).status.success());
    let frames = book.path("frames");
    std::fs::create_dir_all(&frames).unwrap();
    std::fs::write(Path::new(&frames).join("frame_00000.png"), "").unwrap();
    for arguments in [
        &["--at", "1e3"][..],
        &["--collision", "7"],
        &["--from", "2", "--to", "1"],
        &["--fps", "60"],
        &["--speed", "1e-6"],
        &["--view", "0,0,0,1,1,1"],
        &["--at", "1", "--out", "film.gif"],
        &["--out", "still.png"],
        &["--frames", &frames],
        &["--follow", "third"],
        &["--look-at", "third"],
        &["--look-at", "1,2,3"],
    ] {
        book.complaint(&[&["render", &out][..], arguments].concat(), 2);
    }
    book.complaint(&["plot", &out, "--bodies", "third"], 2);
    book.complaint(&["explain", &out, "--event", "99"], 2);
    book.complaint(&["report", &out, "--until", "3"], 2);
    let walled = book.path("walled");
    let done = run(&["run", &scene("bumper"), "--out", &walled]);
    assert!(done.status.success());
    book.complaint(&["render", &walled, "--follow", "cushion"], 2);
    book.complaint(&["plot", &walled, "--bodies", "cushion"], 2);
    let silent = book.path("silent");
    assert!(
        run(&["run", &path, "--out", &silent, "--until", "0"])
            .status
            .success()
    );
    book.complaint(&["render", &silent], 2);
    book.complaint(&["render", &silent, "--collision", "1"], 2);
    let copy = Path::new(&silent).join("scene.toml");
    std::fs::write(&copy, "version = 1\n").unwrap();
    book.complaint(&["render", &silent, "--at", "0"], 2);
    std::fs::remove_file(Path::new(&silent).join("bodies.parquet")).unwrap();
    book.complaint(&["render", &silent], 2);
    book.complaint(&["render", &book.path("nowhere")], 2);
}

/// A run that was cut off, with damage that resuming notices.
pub(super) fn cut_off(book: &mut Book) {
    let scene = crowd(1e6) + "[observe]\nmsd_lags = 2\n";
    let path = book.folder.write("crowd.toml", &scene);
    let out = book.path("cut-off");
    let arguments = ["run", &path, "--out", &out, "--checkpoint", "0", "--quiet"];
    let mut child = carom()
        .args(arguments)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let rows = || RunFolder::open(out.as_ref()).map(|run| run.manifest().rows.events);
    while !rows().is_ok_and(|rows| rows > 0) {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    book.complaint(&["resume", &out], 1);
    child.kill().unwrap();
    child.wait().unwrap();
    // Nothing to go back to.
    let _ = std::fs::remove_file(Path::new(&out).join("run-previous.json"));
    std::fs::write(Path::new(&out).join("summary.json"), "mine").unwrap();
    book.complaint(&["report", &out], 2);
    std::fs::remove_file(Path::new(&out).join("summary.json")).unwrap();
    let manifest = Path::new(&out).join("run.json");
    let whole: Value = serde_json::from_slice(&std::fs::read(&manifest).unwrap()).unwrap();
    change(&manifest, |manifest| {
        manifest["tally"]["by_body"] = json!([1, 2]);
    });
    book.complaint(&["resume", &out], 2);
    // More rows than the part has.
    change(&manifest, |manifest| {
        *manifest = whole.clone();
        let rows = manifest["rows"]["audit"].as_u64().unwrap();
        manifest["rows"]["audit"] = json!(rows + 1000);
    });
    book.complaint_without_numbers(&["resume", &out], 2);
    change(&manifest, |manifest| *manifest = whole.clone());
    let snapshot = whole["snapshot"].as_str().unwrap();
    let averages = Path::new(&out).join(snapshot.replace(".bin", ".averages.bin"));
    let bytes = std::fs::read(&averages).unwrap();
    for bytes in [&bytes[..bytes.len() - 8], &bytes[1..], b""] {
        std::fs::write(&averages, bytes).unwrap();
        book.complaint_without_numbers(&["resume", &out], 2);
    }
    std::fs::remove_file(&averages).unwrap();
    book.complaint_without_numbers(&["resume", &out], 2);
    std::fs::write(&averages, &bytes).unwrap();
    // Whole, but of another run.
    let averages = averages.file_name().unwrap().to_str().unwrap().to_owned();
    let other = b"other";
    std::fs::write(Path::new(&out).join(&averages), other).unwrap();
    change(&manifest, |manifest| {
        let files = manifest["files"].as_array_mut().unwrap();
        for listed in files.iter_mut().filter(|l| l["file"] == averages.as_str()) {
            listed["bytes"] = json!(other.len());
            listed["crc32"] = json!(Crc::of(other).to_string());
        }
    });
    book.complaint_without_numbers(&["resume", &out], 2);
    std::fs::write(Path::new(&out).join(".lock"), "mine").unwrap();
    book.complaint(&["resume", &out], 2);
    std::fs::remove_file(Path::new(&out).join("frames/part-000000.parquet")).unwrap();
    book.complaint(&["plot", &out], 2);
}
