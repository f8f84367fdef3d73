//! `carom sweep`, and the plots of sweeps, end to end.

mod common;

use common::folder::{Folder, files};
use common::*;
use serde_json::Value;
use std::process::{Command, Stdio};

fn done(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert_eq!(text(&output.stdout), "");
    text(&output.stderr)
}

/// The lines of the runs, in order of point and repetition, which is not the order in which they ended.
fn runs(folder: &str) -> Vec<Value> {
    let lines = std::fs::read_to_string(format!("{folder}/runs.jsonl")).unwrap();
    let mut rows: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    rows.sort_by_key(|row| (row["index"].as_u64(), row["repetition"].as_u64()));
    rows
}

/// Two balls collide head-on: what is lost is ½ μ v² (1 − ε²), with μ = 0.8·0.1/0.9 kg and v = 0.15 m/s.
#[test]
fn a_material_is_varied_and_the_losses_are_those_of_the_closed_form() {
    let folder = Folder::new("sweep-closed");
    let out = folder.path("out");
    let scene = scene("two_discs");
    let told = done(&[
        "sweep",
        &scene,
        "--vary",
        "restitution=0.5:1:0.05",
        "--repeat",
        "2",
        "--body",
        "left",
        "--out",
        &out,
    ]);
    assert!(told.contains("22 runs at 11 points"), "{told}");
    assert!(told.contains("table.parquet") && told.contains("means.parquet"));
    let rows = runs(&out);
    assert_eq!(rows.len(), 22);
    for row in &rows {
        let restitution = number(&row["point"]["restitution"]);
        let expected = 0.5 * (0.08 / 0.9) * 0.15 * 0.15 * (1.0 - restitution * restitution);
        let found = number(&row["observed"]["lost_in_collisions"]);
        assert_near(&[found], &[expected], 1e-16);
        assert_eq!(row["error"], "");
        assert!(row["observed"]["left.vx"].is_f64());
    }
    // Every run has a seed of its own.
    let seeds: std::collections::BTreeSet<u64> =
        rows.iter().filter_map(|row| row["seed"].as_u64()).collect();
    assert_eq!(seeds.len(), 22);
    assert_eq!(
        files(out.as_ref()),
        [
            "means.parquet",
            "runs.jsonl",
            "scene.toml",
            "sweep.json",
            "table.parquet"
        ]
    );
}

#[test]
fn the_table_does_not_depend_on_the_workers() {
    let folder = Folder::new("sweep-workers");
    let scene = scene("gas_of_discs");
    let tables = ["1", "3"].map(|workers| {
        let out = folder.path(workers);
        done(&[
            "sweep",
            &scene,
            "--set",
            "run.until=11",
            "--vary",
            "generate.disc.count=50,100",
            "--vary",
            "generate.disc.radius=0.1:0.3:0.1",
            "--repeat",
            "2",
            "--workers",
            workers,
            "--out",
            &out,
        ]);
        let rows = runs(&out);
        assert_eq!(rows.len(), 12);
        // The last parameter goes fastest.
        assert_eq!(rows[2]["point"]["generate.disc.radius"], 0.2);
        assert!(number(&rows[0]["observed"]["pressure"]) > 0.0);
        (std::fs::read(format!("{out}/table.parquet")).unwrap(), rows)
    });
    assert!(tables[0] == tables[1]);
    assert_ne!(
        tables[0].1[0]["observed"]["collisions"],
        tables[0].1[1]["observed"]["collisions"]
    );
}

/// Killed in the middle, a sweep goes on with what is missing, and ends with the same bytes as one that was not.
#[test]
#[cfg(unix)]
fn a_sweep_that_was_killed_goes_on() {
    let folder = Folder::new("sweep-killed");
    let scene = scene("gas_of_discs");
    let arguments = |out: &str| -> Vec<String> {
        let words = [
            "sweep",
            &scene,
            "--set",
            "run.until=40",
            "--vary",
            "generate.disc.count=100:600:20",
            "--repeat",
            "4",
            "--workers",
            "1",
            "--out",
            out,
        ];
        words.map(str::to_owned).to_vec()
    };
    let out = folder.path("killed");
    let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(arguments(&out))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let lines = || std::fs::read(format!("{out}/runs.jsonl")).unwrap_or_default();
    let count = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count();
    while count(&lines()) < 3 {
        assert!(child.try_wait().unwrap().is_none(), "it ended too soon");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = lines();
    let all = 26 * 4;
    assert!(count(&before) < all, "it was killed too late");
    assert!(!std::path::Path::new(&format!("{out}/table.parquet")).exists());
    // As far as it got it can be plotted.
    done(&["plot", &out, "--y", "collisions"]);
    let told = run(&arguments(&out)
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>());
    assert!(told.status.success(), "{}", text(&told.stderr));
    let whole = folder.path("whole");
    done(
        &arguments(&whole)
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>(),
    );
    let table = |out: &str| std::fs::read(format!("{out}/table.parquet")).unwrap();
    assert!(table(&out) == table(&whole));
    // What was there was not run again: the file goes on where it was.
    let end = before.iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    assert!(lines().starts_with(&before[..end]));
    assert_eq!(count(&lines()), all);
    // Another sweep does not go into the same folder.
    let error = refused(&[
        "sweep",
        &scene,
        "--vary",
        "generate.disc.count=3",
        "--out",
        &out,
    ]);
    assert!(error.contains("another sweep"), "{error}");
    assert!(
        error.contains("`parameters`") && error.contains("`repeat`"),
        "{error}"
    );
}

#[test]
fn points_that_fail_are_kept_with_their_errors() {
    let folder = Folder::new("sweep-failing");
    let out = folder.path("out");
    let output = run(&[
        "sweep",
        &scene("two_discs"),
        "--vary",
        "bodies.left.radius=0.1,-1,0.05",
        "--out",
        &out,
    ]);
    assert!(output.status.success());
    let stderr = text(&output.stderr);
    assert!(stderr.contains("1 run of 3 failed"), "{stderr}");
    let rows = runs(&out);
    assert!(rows[1]["error"].as_str().unwrap().contains("`radius`"));
    assert_eq!(rows[1]["observed"], serde_json::json!({}));
    assert_eq!(rows[2]["error"], "");
    // Where nothing can be run the sweep is bad input; a run that fails while it goes is a failure.
    let error = refused(&[
        "sweep",
        &scene("two_discs"),
        "--vary",
        "bodies.left.radius=-1,-2",
        "--out",
        &folder.path("none"),
    ]);
    assert!(error.contains("`radius`"), "{error}");
    assert!(!std::path::Path::new(&folder.path("none")).exists());
}

#[test]
fn variables_of_the_scene_are_swept_where_nothing_is_asked_for() {
    let folder = Folder::new("sweep-variables");
    let own = r#"
        version = 1
        dimension = 2
        run.until = 1
        variables.speed = { from = 1, to = 3, steps = 3 }
        [[bodies]]
        shape = "ball"
        radius = 0.1
        mass = 2
        position = [0, 0]
        velocity = ["$speed", 0]
    "#;
    folder.write("own.toml", own);
    let (path, out) = (folder.path("own.toml"), folder.path("out"));
    let told = done(&["sweep", &path, "--out", &out, "--json"]);
    let means: Value = serde_json::from_str(&told).unwrap();
    let energies: Vec<f64> = means["means"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| number(&row["energy"]))
        .collect();
    assert_eq!(energies, [1.0, 4.0, 9.0]);
    let told = done(&[
        "sweep",
        &path,
        "--vary",
        "speed=5",
        "--out",
        &folder.path("one"),
        "--json",
    ]);
    assert!(told.contains("\"energy\":25.0"), "{told}");
}

#[test]
fn any_column_is_plotted_against_any_other() {
    let folder = Folder::new("sweep-plots");
    let out = folder.path("out");
    done(&[
        "sweep",
        &scene("gas_of_discs"),
        "--set",
        "run.until=11",
        "--vary",
        "generate.disc.count=50,100,200",
        "--vary",
        "generate.disc.radius=0.1,0.2",
        "--repeat",
        "3",
        "--out",
        &out,
    ]);
    let listed = done(&["plot", &out, "--list"]);
    assert!(
        listed.contains("parameter  generate.disc.count"),
        "{listed}"
    );
    assert!(
        listed.contains("observed   mean_free_path                 m"),
        "{listed}"
    );
    let made = done(&[
        "plot",
        &out,
        "--y",
        "pressure,collisions",
        "--format",
        "svg,png",
    ]);
    assert_eq!(made.lines().count(), 4);
    let svg = std::fs::read_to_string(format!("{out}/plots/collisions-generate.disc.count.svg"));
    let svg = svg.unwrap();
    for words in [
        "collisions against generate.disc.count",
        "generate.disc.radius = 0.2",
        "Means of up to 3 runs, with their standard errors.",
    ] {
        assert!(svg.contains(words), "{words}");
    }
    // Two things that were observed, against each other; and once more over the first.
    done(&["plot", &out, "--x", "mean_free_path", "--y", "collisions"]);
    done(&["plot", &out, "--y", "pressure"]);
    for (arguments, why) in [
        (
            vec!["plot", &out],
            "--y needs columns of the sweep: time, collisions",
        ),
        (
            vec!["plot", &out, "--y", "presure"],
            "it has no column `presure`; there are",
        ),
        (
            vec!["plot", &out, "--x", "nothing", "--y", "pressure"],
            "no column `nothing`",
        ),
        (
            vec!["plot", &out, "--which", "energy"],
            "--which is for runs",
        ),
    ] {
        let error = refused(&arguments);
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn what_cannot_be_swept_is_refused_before_anything_is_written() {
    let folder = Folder::new("sweep-refused");
    let (scene, out) = (scene("two_discs"), folder.path("out"));
    let refusal = |more: &[&str]| {
        let error = refused(&[&["sweep", &scene, "--out", &out][..], more].concat());
        assert!(!std::path::Path::new(&out).exists(), "{error}");
        error
    };
    for (more, why) in [
        (vec![], "nothing is varied"),
        (vec!["--vary", "restitutin=1,2"], "restitutin"),
        (
            vec!["--vary", "bodies.lft.radius=1,2"],
            "did you mean `left`",
        ),
        (vec!["--vary", "restitution=0:1"], "needs a step"),
        (
            vec!["--vary", "run.until=1", "--vary", "run.until=2"],
            "varied twice",
        ),
        (
            vec!["--vary", "run.until=1:1000:0.01", "--repeat", "1000"],
            "may have 1000000 runs",
        ),
        (
            vec!["--vary", "run.until=1", "--body", "nobody"],
            "no body is called `nobody`",
        ),
        (vec!["--vary", "run.until=1", "--repeat", "0"], "1 or above"),
    ] {
        let error = refusal(&more);
        assert!(error.contains(why), "{more:?}: {error}");
    }
    std::fs::create_dir(folder.path("mine")).unwrap();
    folder.write("mine/letter.txt", "dear");
    let error = refused(&[
        "sweep",
        &scene,
        "--vary",
        "run.until=1",
        "--out",
        &folder.path("mine"),
    ]);
    assert!(
        error.contains("neither empty nor a sweep folder"),
        "{error}"
    );
    assert_eq!(files(folder.path("mine").as_ref()), ["letter.txt"]);
    let error = refused(&["plot", &scene, "--x", "run.until", "--y", "time"]);
    assert!(error.contains("--x and --y are for sweeps"), "{error}");
}

/// The rules of a scene hold in a sweep: a run of it is what `carom run` makes of the same scene.
#[test]
fn rules_of_the_scene_hold() {
    let folder = Folder::new("sweep-when");
    let (scene, out) = (scene("earth_to_mars"), folder.path("out"));
    done(&["sweep", &scene, "--vary", "run.until=2,8", "--out", &out]);
    for row in runs(&out) {
        assert_eq!(row["error"], "");
        let until = number(&row["point"]["run.until"]).to_string();
        let summary = done(&["run", &scene, "--json", "--quiet", "--until", &until]);
        let summary: Value = serde_json::from_str(&summary).unwrap();
        for (ours, theirs) in [
            (
                &row["observed"]["collisions"],
                &summary["collisions"]["total"],
            ),
            (
                &row["observed"]["energy"],
                &summary["audit"]["energy"]["total"],
            ),
        ] {
            assert_eq!(number(ours), number(theirs));
        }
    }
    let error = refused(&[
        "convert",
        &scene,
        "--to",
        "lammps",
        "--out",
        &folder.path("lammps"),
    ]);
    assert!(error.contains("has [[when]]"), "{error}");
}
