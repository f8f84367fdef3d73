//! What the summary says of a run as a whole: averages with error bars, counts of transitions; and tables that a run
//! keeps.

mod common;

use carom_data::RunFolder;
use common::folder::Folder;
use common::*;
use serde_json::Value;
use std::f64::consts::PI;
use std::path::Path;

fn mean(value: &Value) -> [f64; 2] {
    [number(&value["mean"]), number(&value["error"])]
}

/// 800 spheres over 8 s: Z by Carnahan and Starling is good to 0.3 %, and the block means say how far the run may be
/// off; four of their standard errors, and half a per cent for the formula and for 800 spheres not being endlessly
/// many.
#[test]
fn a_gas_has_its_pressure_structure_and_diffusion_in_the_summary() {
    let summary = summary("gas_3d");
    let averages = &summary["observables"]["averages"];
    assert_eq!(averages["from"], 4.0);
    assert_eq!(averages["duration"], 8.0);
    assert_eq!(averages["samples"], 101);
    let (count, volume) = (800.0, 1728.0);
    let eta: f64 = count * PI / 6.0 / volume;
    let free = 1.0 - eta;
    let z = (1.0 + eta + eta * eta - eta * eta * eta) / (free * free * free);
    let [found, error] = mean(&averages["compressibility"]);
    assert!(error > 0.0 && error < 0.02 * z, "{averages}");
    assert_near(&[found], &[z], 4.0 * error + 0.005 * z);
    // Energy is conserved, and with it the temperature, but for the common motion: 1.5 J a ball, less a share of 1/800
    // or so.
    let [temperature, spread] = mean(&averages["temperature"]);
    assert_near(&[temperature], &[1.0], 0.01);
    assert!(spread < 1e-12, "{spread:e}");
    let [pressure, _] = mean(&averages["pressure"]);
    assert_near(&[pressure], &[found * temperature * count / volume], 1e-12);
    // Each collides 4√π n χ √(kT/m) times a second, with χ from Z = 1 + 4ηχ; its mean speed is √(8kT/πm).
    let rate = 4.0 * PI.sqrt() * (count / volume) * (z - 1.0) / (4.0 * eta);
    let [found, error] = mean(&averages["collision_rate"]);
    assert_near(&[found], &[rate], 4.0 * error + 0.01 * rate);
    let [path, _] = mean(&averages["mean_free_path"]);
    let [speed, error] = mean(&averages["mean_speed"]);
    assert_near(&[speed], &[(8.0 / PI).sqrt()], 4.0 * error + 0.01);
    assert_near(&[path], &[speed / found], 1e-12);
    // Nobody is nearer than a diameter; just beyond, g is χ and falls: in the first shell, from 1.0 to 1.1 m, by less
    // than a third of it.
    let radial = averages["radial"].as_array().unwrap();
    assert_eq!(radial.len(), 30);
    assert_near(&[number(&radial[0]["distance"])], &[0.05], 1e-12);
    assert!(radial[..10].iter().all(|shell| shell["mean"] == 0.0));
    let chi = (z - 1.0) / (4.0 * eta);
    let contact = number(&radial[10]["mean"]);
    assert!(contact < chi && contact > 0.67 * chi, "{contact} and {chi}");
    let far = number(&radial[29]["mean"]);
    assert_near(&[far], &[1.0], 0.05);
    // Farther and farther, at most as far as in free flight.
    let displacement = averages["mean_squared_displacement"].as_array().unwrap();
    assert_eq!(displacement.len(), 10);
    let mut last = 0.0;
    for lag in displacement {
        let (time, squared) = (number(&lag["time"]), number(&lag["mean"]));
        assert!(squared > last && squared <= 3.0 * time * time, "{lag}");
        last = squared;
    }
    let shown = text(&run(&["run", &scene("gas_3d")]).stdout);
    assert!(
        shown.contains("\n  averages   over 8.00000 s, 101 samples\n"),
        "{shown}"
    );
    assert!(shown.contains("Z = P V/(N k T) "), "{shown}");
}

/// The flag asks for averages where the scene does not; the run is the same to the bit, and where there is no periodic
/// box there is no pressure.
#[test]
fn the_flag_asks_for_averages_and_disturbs_nothing() {
    let (_, plain) = events("newton_cradle", &[]);
    let (_, observed) = events("newton_cradle", &["--observe"]);
    assert_eq!(plain["observables"]["averages"], Value::Null);
    assert_eq!(plain["digest"], observed["digest"]);
    assert_eq!(plain["bodies"], observed["bodies"]);
    let averages = &observed["observables"]["averages"];
    assert_eq!(averages["samples"], 101);
    assert_eq!(
        averages["collisions"],
        plain["collisions"]["by_shape"]["ball-ball"]
    );
    for key in [
        "pressure",
        "compressibility",
        "radial",
        "mean_squared_displacement",
    ] {
        assert_eq!(averages[key], Value::Null, "{key}");
    }
    // What comes before `from` does not count.
    let (_, late) = events(
        "newton_cradle",
        &[
            "--observe",
            "--set",
            "observe.from=0.999",
            "--set",
            "run.until=1",
        ],
    );
    let averages = &late["observables"]["averages"];
    assert!(number(&averages["collisions"]) <= number(&late["collisions"]["total"]));
    assert_near(&[number(&averages["duration"])], &[0.001], 1e-12);
}

/// A cue ball that slides, rolls and comes to rest on a cloth says so, each once and in this order of kinds.
#[test]
fn transitions_are_counted_by_kind() {
    let summary = summary("table_roll");
    let expected =
        serde_json::json!({ "flying-sliding": 1, "sliding-rolling": 1, "rolling-resting": 1 });
    assert_eq!(summary["events"]["transitions"], expected);
    let pile = common::summary("pile");
    let transitions = pile["events"]["transitions"].as_object().unwrap();
    assert!(!transitions.is_empty());
    // Whoever left a state must have come to it; those who were in it at the end have not left.
    for regime in ["sliding", "rolling", "spinning", "resting", "sleeping"] {
        let count = |fits: &dyn Fn(&str, &str) -> bool| -> u64 {
            let kinds = transitions.iter();
            let kinds =
                kinds.filter(|(kind, _)| kind.split_once('-').is_some_and(|(a, b)| fits(a, b)));
            kinds.map(|(_, count)| count.as_u64().unwrap()).sum()
        };
        let came = count(&|_, now| now == regime);
        let went = count(&|before, _| before == regime);
        assert!(came >= went, "{regime}: {transitions:?}");
    }
    let shown = text(&run(&["run", &scene("table_roll")]).stdout);
    assert!(shown.contains("sliding-rolling"), "{shown}");
    // A scene in which nothing keeps touching has none, and says nothing about it.
    let summary = common::summary("two_discs");
    assert_eq!(summary["events"]["transitions"], serde_json::json!({}));
    assert_eq!(summary["events"]["edits"], serde_json::json!({}));
}

/// The table that a scene reads may be gone or changed when a run is resumed, or run again from its folder.
#[test]
fn tables_are_kept_with_the_scene() {
    let folder = Folder::new("tables");
    let mut table = "x,y,vx,vy\n".to_owned();
    for number in 0..40 {
        let (x, y) = (number % 8 + 1, number / 8 + 1);
        let speed = [
            f64::from(number * 37 % 41 - 20),
            f64::from(number * 23 % 43 - 21),
        ];
        table += &format!("{x},{y},{:?},{:?}\n", speed[0] / 10.0, speed[1] / 10.0);
    }
    std::fs::create_dir(folder.0.join("data")).unwrap();
    let csv = folder.write("data/my balls.csv", &table);
    let text_of = "version = 1\ndimension = 2\nperiodic = [9.0, 9.0]\nrun.until = 400.0\n[[generate]]\nkind = \"csv\"\nfile = \"data/my balls.csv\"\nradius = 0.3\nmass = 1.0\n";
    let path = folder.write("scene.toml", text_of);
    let whole = folder.path("whole");
    let output = run(&["run", &path, "--out", &whole, "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let whole_summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let kept = Path::new(&whole).join("tables/1-my_balls.csv");
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), table);
    let manifest = RunFolder::open(whole.as_ref()).unwrap();
    let [copy] = &manifest.manifest().scene.tables[..] else {
        panic!("one table");
    };
    assert_eq!(copy.given, "data/my balls.csv");
    assert_eq!(copy.file, "tables/1-my_balls.csv");
    // A run that is cut off while the table is there, and goes on when it is not.
    let cut = folder.path("cut");
    let mut child = carom()
        .args(["run", &path, "--out", &cut, "--checkpoint", "0", "--quiet"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let rows = || RunFolder::open(cut.as_ref()).map(|run| run.manifest().rows.events);
    while !rows().is_ok_and(|rows| rows > 0) {
        assert!(
            child
                .try_wait()
                .unwrap()
                .is_none_or(|status| status.success())
        );
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    std::fs::remove_file(&csv).unwrap();
    std::fs::remove_file(&path).unwrap();
    let output = run(&["resume", &cut, "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let resumed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(resumed["digest"], whole_summary["digest"]);
    // The folder's own scene runs by itself.
    let again = run(&["run", &format!("{whole}/scene.toml"), "--json"]);
    assert!(again.status.success(), "{}", text(&again.stderr));
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(again["digest"], whole_summary["digest"]);
    // A run folder with tables in it can be replaced.
    let output = run(&["run", &scene("bat"), "--out", &whole, "--force"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(!kept.exists());
}
