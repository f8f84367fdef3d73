//! Run folders end to end: what is in them, what is refused and how, what other commands make of them.

mod commands;
#[path = "../common/mod.rs"]
mod common;
mod damaged;

use carom_data::{RunFolder, Stage};
use common::folder::{Folder, crowd, files};
use common::*;
use std::path::Path;

/// A run of a scene in a folder of its own.
fn recorded(folder: &Folder, name: &str, more: &[&str]) -> String {
    let (out, path) = (folder.path(name), scene(name));
    let output = run(&[&["run", &path, "--out", &out][..], more].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    out
}

fn summary_of(out: &str) -> serde_json::Value {
    let bytes = std::fs::read(Path::new(out).join("summary.json")).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// What a command says on standard error, with the test's folder called `TMP`.
fn complaint(folder: &Folder, arguments: &[&str], status: i32) -> String {
    let output = run(arguments);
    assert_eq!(
        output.status.code(),
        Some(status),
        "{arguments:?}: {}",
        text(&output.stderr)
    );
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    text(&output.stderr).replace(&folder.0.display().to_string(), "TMP")
}

#[test]
fn the_folder_has_everything_and_the_run_is_the_same_with_it_and_without() {
    let folder = Folder::new("everything");
    for name in ["break", "box_and_cylinder_3d", "shaken_floor"] {
        let out = recorded(&folder, name, &["--frames", "7"]);
        let expected = [
            "audit.parquet",
            "bodies.parquet",
            "events.parquet",
            "frames.parquet",
            "run.json",
            "scene.toml",
            "snapshot.bin",
            "summary.json",
        ];
        assert_eq!(files(out.as_ref()), expected);
        let (hits, bare) = events(name, &[]);
        let kept = summary_of(&out);
        for key in [
            "digest",
            "outcome",
            "collisions",
            "events",
            "audit",
            "bodies",
            "observables",
        ] {
            assert_eq!(kept[key], bare[key], "{name}: {key}");
        }
        let run = RunFolder::open(out.as_ref()).unwrap();
        assert_eq!(run.manifest().stage, Stage::Complete);
        let mut row = 0;
        let table = run.events().unwrap();
        let columns = [
            "number",
            "time",
            "a",
            "b",
            "mode",
            "energy_lost",
            "impulse_x",
            "point_y",
        ];
        table
            .each(&columns, |rows| {
                let [number, time, a, b, mode, lost, impulse, point] = &rows.values[..] else {
                    panic!("eight columns were asked for");
                };
                for at in 0..rows.len() {
                    let hit = &hits[row];
                    assert_eq!(hit["number"], number.integers()[at]);
                    assert_eq!(hit["time"], time.numbers()[at]);
                    assert_eq!(hit["mode"], *mode.texts()[at]);
                    assert_eq!(hit["energy_lost"], lost.numbers()[at]);
                    assert_eq!(hit["impulse"][0], impulse.numbers()[at]);
                    assert_eq!(hit["point"][1], point.numbers()[at]);
                    for (side, ids) in [("a", a), ("b", b)] {
                        let id = ids.integers()[at] as usize;
                        assert_eq!(hit[side], bare["bodies"][id]["name"]);
                    }
                    row += 1;
                }
                Ok(())
            })
            .unwrap();
        assert_eq!(row, hits.len());
        let mut frames = Vec::new();
        run.each_frame(|frame| {
            frames.push((frame.number, frame.time));
            Ok(())
        })
        .unwrap();
        assert_eq!(frames.len(), 8);
        assert_eq!(frames[0], (0, 0.0));
        assert_eq!(Some(frames[7].1), bare["scene"]["until"].as_f64());
    }
}

/// The frames are the states that a run to that time ends with, to the bit.
/// The columns of `audit` say where all the energy went, with nothing left over: rolling and sliding (billiards), drag,
/// changes from outside, driven bodies, restitution above one, dampers (by forces), and steps (of rigid bodies).
#[test]
fn the_columns_of_the_audit_add_up() {
    let folder = Folder::new("adds up");
    let runs: [(&str, &[&str]); 9] = [
        ("table_roll", &[]),
        ("dice", &[]),
        ("drag", &[]),
        ("mars", &[]),
        ("laws_of_friction", &[]),
        ("slope", &[]),
        ("paddle", &[]),
        ("bumper", &[]),
        ("worked_example_1", &["--method", "forces"]),
    ];
    let mut causes = [0.0f64; 12];
    for (name, more) in runs {
        let out = recorded(&folder, name, more);
        let columns = [
            "energy",
            "in_contact",
            "energy_residual",
            "lost_to_restitution",
            "lost_to_friction",
            "lost_to_sliding",
            "lost_to_rolling",
            "lost_to_spinning",
            "lost_to_settling",
            "lost_to_dampers",
            "lost_to_fields",
            "lost_to_steps",
            "energy_added",
            "work_by_kinematic",
            "given",
        ];
        let mut first = None;
        let audit = RunFolder::open(out.as_ref()).unwrap().audit().unwrap();
        let check = |rows: &carom_data::Rows| {
            for row in 0..rows.len() {
                let at = |column: usize| rows.values[column].numbers()[row];
                let has = at(0) + at(1);
                let start = *first.get_or_insert(has - at(14));
                let lost: f64 = (3..12).map(at).sum();
                let got: f64 = (12..15).map(at).sum();
                for (cause, column) in causes.iter_mut().zip(3..15) {
                    *cause = cause.max(at(column).abs());
                }
                // The books' own imbalance, and the rounding of these few sums.
                let scale = start.abs() + at(0).abs() + lost.abs() + got.abs();
                let off = has - (start - lost + got) - at(2);
                assert!(
                    off.abs() <= 16.0 * f64::EPSILON * scale,
                    "{name}, row {row}: {off} J of {scale} J"
                );
            }
            Ok(())
        };
        audit.each(&columns, check).unwrap();
    }
    // Most causes took part, or the sums would say little.
    let seldom = ["settling", "spinning", "given"];
    let names = [
        "restitution",
        "friction",
        "sliding",
        "rolling",
        "spinning",
        "settling",
        "dampers",
        "fields",
        "steps",
        "put in",
        "work",
        "given",
    ];
    for (cause, most) in names.iter().zip(causes) {
        let took_part = most > 0.0 || seldom.contains(cause);
        assert!(took_part, "nothing went to {cause}");
    }
}

#[test]
fn frames_are_at_the_multiples_of_the_interval() {
    let folder = Folder::new("frames");
    let out = recorded(&folder, "break", &["--every", "0.7", "--until", "2"]);
    let run = RunFolder::open(out.as_ref()).unwrap();
    let mut count = 0;
    run.each_frame(|frame| {
        // The end has one of its own.
        let time = (f64::from(count) * 0.7).min(2.0);
        assert_eq!(frame.time, time);
        let (_, summary) = events("break", &["--until", &format!("{time:?}")]);
        let [body, x] = [&frame.rows.values[2], &frame.rows.values[3]];
        for (&id, &x) in body.integers().iter().zip(x.numbers()) {
            assert_eq!(summary["bodies"][id as usize]["position"][0], x);
        }
        assert_eq!(body.len(), 16);
        count += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!(count, 4);
}

#[test]
fn overrides_and_seeds_are_kept() {
    let folder = Folder::new("set");
    let set = [
        "--set",
        "run.until=1",
        "--set",
        "bodies.cue.velocity=[4, 0]",
        "--seed",
        "12",
    ];
    let out = recorded(&folder, "break", &set);
    let kept = summary_of(&out);
    let expected = ["run.until=1", "bodies.cue.velocity=[4, 0]", "seed=12"];
    assert_eq!(kept["scene"]["overrides"], serde_json::json!(expected));
    assert_eq!(kept["scene"]["seed"], 12);
    assert_eq!(kept["outcome"]["time"], 1.0);
    let momentum = vector(&kept["audit"]["momentum_initial"]);
    // Half the speed of the scene, to the bit.
    let whole = summary("break");
    assert_eq!(
        2.0 * momentum[0],
        vector(&whole["audit"]["momentum_initial"])[0]
    );
}
