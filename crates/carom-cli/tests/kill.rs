//! A run that is killed at any moment leaves a folder that can be read, and `carom resume` brings it to the same bits.

mod common;

use carom_data::RunFolder;
use common::folder::{Folder, crowd, files};
use common::*;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Events as they have to be: the numbers in order, and when they were.
fn event_times(run: &RunFolder) -> Vec<u64> {
    let mut times = Vec::new();
    let events = run.events().unwrap();
    let read = events.each(&["number", "time"], |rows| {
        for (&number, &time) in rows.values[0]
            .integers()
            .iter()
            .zip(rows.values[1].numbers())
        {
            assert_eq!(number as usize, times.len() + 1);
            times.push(time.to_bits());
        }
        Ok(())
    });
    read.unwrap();
    times
}

/// Everything that a complete run leaves, but for how long it took and what the folder is called.
fn outcome(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let contents = files(folder).into_iter().map(|name| {
        let bytes = std::fs::read(folder.join(&name)).unwrap();
        let bytes = match name.as_str() {
            "summary.json" | "run.json" => {
                let mut value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
                let object = value.as_object_mut().unwrap();
                for key in ["timings", "folder", "elapsed_s", "checkpoint", "crc32"] {
                    object.remove(key);
                }
                // That of the summary, which has the timings.
                if let Some(files) = object.get_mut("files") {
                    let files = files.as_array_mut().unwrap();
                    files.retain(|listed| listed["file"] != "summary.json");
                    files.sort_by_key(|listed| listed["file"].to_string());
                }
                serde_json::to_vec(&value).unwrap()
            }
            _ => bytes,
        };
        (name, bytes)
    });
    contents.collect()
}

fn start(arguments: &[&str]) -> Child {
    carom()
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Kills a process after a while (with SIGKILL, which nothing can catch); whether it had ended by itself.
fn kill_after(mut child: Child, pause: Duration) -> bool {
    std::thread::sleep(pause);
    child.kill().unwrap();
    child.wait().unwrap().success()
}

struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Every moment, not some: the process is killed before its n-th change of a file. While the folder is being made, for
/// every n: what is left beside it is removed by the next run, whatever was there. Then for every 23rd: resumed, all
/// files are as they would have been. Scores, keys that are held, flippers under way, gravity that has changed, bricks
/// that are gone, by both methods.
#[cfg(target_os = "linux")]
#[test]
fn a_run_may_be_killed_before_any_change_of_a_file() {
    let folder = Folder::new("kill-operation");
    // The linker that builds this test compiles it.
    let library = folder.path("at_operation.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kill/at_operation.c");
    let compiled = std::process::Command::new("cc")
        .args(["-shared", "-fPIC", "-o", &library, source, "-ldl"])
        .status();
    assert!(compiled.unwrap().success());
    let keys = folder.write(
        "keys.txt",
        "1.5 press right\n2.5 release right\n3 press left\n",
    );
    let springs = "forces.spring_time=1e-3";
    let game: &[&str] = &["--until", "60", "--keys", &keys];
    let by_forces: &[&str] = &["--until", "3", "--method", "forces", "--set", springs];
    for (name, more) in [
        ("pinball", game),
        ("earth_to_mars", &[]),
        ("heated_gas", &["--until", "10"]),
        ("breakout", by_forces),
    ] {
        let path = scene(name);
        let count = folder.path("count");
        let execute = |out: &str, kill_at: Option<usize>| {
            let mut command = carom();
            command.args(["run", &path, "--frames", "12", "--checkpoint", "0"]);
            command.args(["--out", out]).args(more);
            command.env("LD_PRELOAD", &library);
            match kill_at {
                Some(number) => command.env("CAROM_KILL_AT", number.to_string()),
                None => command.env("CAROM_COUNT", &count),
            };
            command.output().unwrap().status.success()
        };
        let reference = folder.path(&format!("{name} whole"));
        assert!(execute(&reference, None));
        let expected = outcome(reference.as_ref());
        let operations = std::fs::read_to_string(&count).unwrap();
        let operations: usize = operations.trim().parse().unwrap();
        let given = files(&folder.0);

        let out = folder.path(name);
        let made = (0..operations).find(|&number| {
            assert!(!execute(&out, Some(number)));
            Path::new(&out).exists()
        });
        // Locked, scene, keys, bodies, snapshot, manifest: each written, flushed, renamed.
        let made = made.unwrap();
        assert!((20..60).contains(&made), "{made} of {operations}");
        assert_eq!(files(&folder.0).len(), given.len() + 1, "{name}");

        for number in (made..operations).step_by(23) {
            let _ = std::fs::remove_dir_all(&out);
            let what = format!("{name}, killed at {number} of {operations}");
            assert!(!execute(&out, Some(number)), "{what}");
            let output = run(&["resume", &out]);
            assert!(output.status.success(), "{what}: {}", text(&output.stderr));
            let found = outcome(out.as_ref());
            for ((file, bytes), (_, expected)) in found.iter().zip(&expected) {
                assert!(bytes == expected, "{what}: {file}");
            }
            assert_eq!(found.len(), expected.len(), "{what}");
        }
    }
}

/// Longer than most: one run that is killed again and again, and what must hold each time.
#[test]
fn killed_runs_can_be_read_and_go_on_to_the_same_bits() {
    let folder = Folder::new("kill");
    // With averages, which have to go on to the same bits as well.
    let observed = crowd(150.0) + "[observe]\nfrom = 10.0\nsamples = 70\nmsd_lags = 3\n";
    let scene = folder.write("crowd.toml", &observed);
    let reference = folder.path("reference");
    let begin = |out: &str| start(&["run", &scene, "--out", out, "--checkpoint", "0.02"]);
    let begun = Instant::now();
    assert!(begin(&reference).wait().unwrap().success());
    let whole = begun.elapsed();
    let expected = outcome(reference.as_ref());
    let names: Vec<&str> = expected.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "audit.parquet",
            "bodies.parquet",
            "events.parquet",
            "frames.parquet",
            "run.json",
            "scene.toml",
            "snapshot.bin",
            "summary.json"
        ]
    );
    let times = event_times(&RunFolder::open(reference.as_ref()).unwrap());
    // More than one part, so that killed runs have closed ones and an open one.
    assert!(times.len() > 70_000, "{} events", times.len());

    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut kills, mut in_the_middle) = (0, 0);
    // How long a run takes changes with what else the machine does; more runs than this are not needed on any.
    let mut typical = whole;
    for number in 0..100 {
        if kills >= 24 && in_the_middle >= 12 {
            break;
        }
        let out = folder.path(&format!("run-{number}"));
        let path = Path::new(&out);
        let mut child = begin(&out);
        for attempt in 0.. {
            // A little beyond the end as well: joining and tidying up are part of it.
            let done = kill_after(child, typical.mul_f64(1.1 * random.uniform()));
            if done {
                typical = typical.mul_f64(0.8)
            } else {
                kills += 1
            }
            if path.exists() {
                let run = RunFolder::open(path).unwrap();
                let found = event_times(&run);
                assert_eq!(
                    found[..],
                    times[..found.len()],
                    "run {number}, kill {attempt}"
                );
                assert!(found.len() as u64 >= run.manifest().rows.events);
                let mut frames = 0;
                run.each_frame(|frame| {
                    assert_eq!(frame.number, frames);
                    frames += 1;
                    Ok(())
                })
                .unwrap();
                in_the_middle += usize::from(!found.is_empty() && found.len() < times.len());
            }
            if done || attempt == 2 {
                break;
            }
            child = if path.exists() {
                start(&["resume", &out, "--checkpoint", "0.02"])
            } else {
                begin(&out)
            };
        }
        let last = if path.exists() {
            start(&["resume", &out])
        } else {
            begin(&out)
        };
        let output = last.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        let found = outcome(path);
        for ((name, bytes), (_, expected)) in found.iter().zip(&expected) {
            assert!(bytes == expected, "{name} of run {number} is another");
        }
        assert_eq!(found.len(), expected.len());
        // No temporary folder is left beside it either.
        std::fs::remove_dir_all(path).unwrap();
    }
    assert_eq!(files(&folder.0), ["crowd.toml", "reference"]);
    // Otherwise the instants are not what this is about.
    assert!(
        kills >= 24 && in_the_middle >= 12,
        "{kills} kills, {in_the_middle} of them in the middle"
    );
}

#[test]
fn where_a_run_ends_early_does_not_depend_on_interruptions() {
    // Grains come to rest; the memory of when something was last fast is part of the checkpoint.
    let folder = Folder::new("rest-kill");
    let set = ["--set", "run.rest=0.05", "--every", "0.01"];
    let path = scene("grains");
    let end = |out: &str| {
        let bytes = std::fs::read(Path::new(out).join("summary.json")).unwrap();
        let summary: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(
            summary["outcome"]["status"], "stopped",
            "{}",
            summary["outcome"]
        );
        (summary["digest"].clone(), summary["outcome"].clone())
    };
    let whole = folder.path("whole");
    let output = run(&[&["run", &path, "--out", &whole][..], &set].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let bare = run(&[&["run", &path, "--json"][..], &set[..2]].concat());
    let bare: serde_json::Value = serde_json::from_slice(&bare.stdout).unwrap();
    assert_eq!(
        end(&whole),
        (bare["digest"].clone(), bare["outcome"].clone())
    );

    let cut = folder.path("cut");
    let arguments = ["run", &path, "--out", &cut, "--checkpoint", "0.01"];
    let mut child = start(&[&arguments[..], &set].concat());
    for pause in [60, 40, 80] {
        kill_after(child, Duration::from_millis(pause));
        child = if Path::new(&cut).exists() {
            start(&["resume", &cut, "--checkpoint", "0.01"])
        } else {
            start(&[&arguments[..], &set].concat())
        };
    }
    assert!(child.wait().unwrap().success());
    assert_eq!(end(&cut), end(&whole));
}

/// Ctrl-C: the run ends cleanly, says so, and can be resumed.
#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_what_was_done() {
    let folder = Folder::new("interrupt");
    let scene = folder.write("crowd.toml", &crowd(1e6));
    let out = folder.path("run");
    let mut child = carom()
        .args(["run", &scene, "--out", &out, "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !Path::new(&out).exists() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    interrupt(child.id());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(
        text(&output.stderr),
        format!("interrupted; to resume: carom resume {out}\n")
    );
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["outcome"]["status"], "interrupted");
    let run = RunFolder::open(out.as_ref()).unwrap();
    let events = event_times(&run);
    assert_eq!(summary["events"]["collisions"], events.len());
    assert!(!events.is_empty());
    assert_eq!(run.manifest().time, number(&summary["outcome"]["time"]));
    let kept = std::fs::read_to_string(Path::new(&out).join("summary.json")).unwrap();
    assert_eq!(kept, text(&output.stdout));
}

/// Without a folder the summary of what was done is printed.
#[cfg(unix)]
#[test]
fn an_interrupted_run_without_a_folder_prints_its_summary() {
    let folder = Folder::new("interrupt-bare");
    let scene = folder.write("crowd.toml", &crowd(1e6));
    let child = carom()
        .args(["run", &scene])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    interrupt(child.id());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(text(&output.stderr), "interrupted\n");
    assert!(text(&output.stdout).contains("interrupted"));
}

/// By the shell's own command: there is none in the standard library.
#[cfg(unix)]
fn interrupt(process: u32) {
    let sent = std::process::Command::new("sh")
        .args(["-c", &format!("kill -INT {process}")])
        .status();
    assert!(sent.unwrap().success());
}

/// A file that may not grow, as on a full disk: the run fails with a clear message, nothing is lost, and it can go on.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = Folder::new("full");
    let scene = folder.write("crowd.toml", &crowd(100.0));
    let reference = folder.path("reference");
    assert!(
        start(&["run", &scene, "--out", &reference])
            .wait()
            .unwrap()
            .success()
    );
    let out = folder.path("run");
    // No file above a megabyte; without the signal, so that writing fails as it does on a full disk.
    let limited = format!(
        "trap '' XFSZ; ulimit -f 1024; exec {} run {scene} --out {out} --checkpoint 0.001",
        env!("CARGO_BIN_EXE_carom")
    );
    let output = std::process::Command::new("bash")
        .args(["-c", &limited])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(
        message.starts_with(&format!(
            "error: cannot write `{out}/events/part-000000.parquet`: "
        )),
        "{message}"
    );
    assert!(
        message.ends_with(&format!(
            "s is safe; to resume from there: carom resume {out}\n"
        )),
        "{message}"
    );
    let run = RunFolder::open(out.as_ref()).unwrap();
    assert!(run.manifest().time > 0.0 && run.manifest().time < 100.0);
    let found = event_times(&run);
    assert!(!found.is_empty());
    let unfinished = |name: &String| name.ends_with(".new");
    assert!(!files(out.as_ref()).iter().any(unfinished));
    assert!(
        !files(&Path::new(&out).join("events"))
            .iter()
            .any(unfinished)
    );
    assert!(start(&["resume", &out]).wait().unwrap().success());
    assert_eq!(outcome(out.as_ref()), outcome(reference.as_ref()));
}
