//! The command by both methods: one flag, one word in a scene, and both side by side.

mod common;

use common::folder::Folder;
use common::*;
use serde_json::Value;

fn json(arguments: &[&str]) -> Value {
    let output = run(arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert_eq!(text(&output.stdout), "");
    text(&output.stderr)
}

/// Both columns of worked example 1. The closed form is reached to 1e-12 by a step of 1e-5 s: RK4's (ω dt)⁴ is below
/// 1e-13 there.
#[test]
fn compare_shows_both_columns_of_worked_example_1() {
    let compared = json(&["compare", &scene("worked_example_1"), "--json"]);
    assert_eq!(compared["format"], "carom-compare");
    assert_eq!(compared["contacts"].as_array().unwrap().len(), 1);
    let contact = &compared["contacts"][0];
    let (events, forces) = (&contact["events"], &contact["forces"]);
    let first = |value: &Value| vector(value)[0];
    for (found, expected) in [
        (first(&events["impulse"]), -0.068 / 3.0),
        (number(&events["restitution"]), 0.7),
        (first(&events["velocities"][0]), 0.215 / 3.0),
        (first(&events["velocities"][1]), 0.53 / 3.0),
        (number(&forces["duration"]), 0.09422570264580257),
        (number(&forces["restitution"]), 0.7085655354213662),
        (first(&forces["velocities"][0]), 0.07152390774297723),
        (first(&forces["velocities"][1]), 0.17780873805618217),
        (first(&forces["positions"][0]), 0.3078521418871502),
        (first(&forces["positions"][1]), 0.4578521418871502),
        (number(&forces["deepest"]), 0.00380984164337985),
    ] {
        assert_near(&[found], &[expected], 1e-12);
    }
    let cut_off = json(&[
        "compare",
        &scene("worked_example_1"),
        "--json",
        "--set",
        "forces.attraction=false",
    ]);
    let forces = &cut_off["contacts"][0]["forces"];
    // Given to ten digits.
    assert_near(&[number(&forces["duration"])], &[0.0876737159], 1e-10);
    assert_near(&[number(&forces["restitution"])], &[0.725744667], 1e-9);
}

/// The same for people, with the numbers of both on one line.
#[test]
fn compare_prints_a_table() {
    let output = run(&["compare", &scene("worked_example_1")]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    let line = |name: &str| {
        let found = shown
            .lines()
            .find(|line| line.trim_start().starts_with(name));
        found
            .unwrap_or_else(|| panic!("no {name} in {shown}"))
            .to_owned()
    };
    assert!(line("v of b (m/s)").contains("(0.1766666666666667, 0)"));
    assert!(line("v of b (m/s)").contains("(0.17780873805"));
    assert!(line("method").contains("rk4, steps of 1.00000e-5 s, contacts located"));
    let many = run(&[
        "compare",
        &scene("break"),
        "--set",
        "forces.spring_time=1e-4",
        "--until",
        "0.16",
    ]);
    assert!(many.status.success(), "{}", text(&many.stderr));
    assert!(text(&many.stdout).contains("contacts by events alone"));
    let none = refused(&["compare", &scene("worked_example_1"), "--contact", "2"]);
    assert_eq!(
        none,
        "error: there is no contact 2: there are 1, from 1 on\n"
    );
}

/// A run by forces that is killed and resumed has the bits of one that was not, and of one that was not recorded.
#[test]
fn a_run_by_forces_is_recorded_and_resumed() {
    let folder = Folder::new("methods_resumed");
    let (whole, cut) = (folder.path("whole"), folder.path("cut"));
    let bed = scene("bed_of_discs");
    let until = ["--until", "1.5"];
    let plain = json(&[&["run", &bed, "--json"], &until[..]].concat());
    let all = json(&[&["run", &bed, "--json", "--out", &whole], &until[..]].concat());
    assert_eq!(all["scene"]["method"], "forces");
    assert_eq!(plain["digest"], all["digest"], "recording changes nothing");
    let told = run(&["explain", &whole, "3"]);
    assert!(told.status.success(), "{}", text(&told.stderr));

    let mut killed = carom()
        .args(
            [
                &["run", &bed, "--quiet", "--out", &cut, "--checkpoint", "0"],
                &until[..],
            ]
            .concat(),
        )
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the command starts");
    let manifest = std::path::Path::new(&cut).join("run.json");
    let begun = || {
        let text = std::fs::read_to_string(&manifest).ok()?;
        let manifest: Value = serde_json::from_str(&text).ok()?;
        (number(&manifest["time"]) > 0.1).then_some(manifest)
    };
    let seen = loop {
        if let Some(manifest) = begun() {
            break manifest;
        }
        assert!(
            killed.try_wait().unwrap().is_none(),
            "it ended before it had begun"
        );
        std::thread::yield_now();
    };
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(seen["method"], "forces");
    let resumed = json(&["resume", &cut, "--json"]);
    assert_eq!(resumed["outcome"]["status"], "completed");
    for key in ["digest", "bodies", "audit", "events"] {
        assert_eq!(resumed[key], all[key], "{key}");
    }
}

/// Scenes with solids that turn go by forces too: with one flag, recorded, resumed from the folder, and beside the
/// exact method.
#[test]
fn solids_run_by_forces_are_recorded_and_compared() {
    let folder = Folder::new("methods_solids");
    let (dominoes, kept) = (scene("dominoes"), folder.path("dominoes"));
    let forces = ["--method", "forces", "--set", "forces.spring_time=4e-3"];
    let by = |more: &[&str]| json(&[&["run", &dominoes, "--json"], &forces[..], more].concat());
    let plain = by(&["--until", "0.2"]);
    assert_eq!(plain["scene"]["method"], "forces");
    assert_eq!(plain["outcome"]["status"], "completed");
    let recorded = by(&["--until", "0.2", "--out", &kept]);
    for key in ["digest", "bodies", "audit"] {
        assert_eq!(
            plain[key], recorded[key],
            "{key}: recording changes nothing"
        );
    }
    // The first domino is on its way down by then, and how it is turned is told.
    let bodies = plain["bodies"].as_array().expect("a list");
    let turned = |body: &Value| {
        body["orientation"]
            .as_f64()
            .is_some_and(|angle| angle.abs() > 1e-3)
    };
    assert!(bodies.iter().any(turned), "{}", plain["bodies"]);

    let book = json(&["compare", &scene("tumbling_book"), "--json", "--until", "3"]);
    assert!(book["forces"]["failed"].is_null(), "{}", book["forces"]);
    assert_eq!(book["contacts"].as_array().map(Vec::len), Some(0));
    // RK4 with 0.02 rad a step: (0.02)⁴ over 30 rad, and what the saddle makes of it in two flips, e^(5.6 · 3).
    let [one, other] =
        ["events", "forces"].map(|by| vector(&book["bodies"][0][by]["angular_velocity"]));
    assert_near(&one, &other, 1e-2);

    let until = ["--until", "1.8", "--set", "forces.spring_time=4e-3"];
    let cradle = scene("cradle_of_boxes");
    let cradle = json(&[&["compare", &cradle, "--json"], &until[..]].concat());
    assert!(cradle["forces"]["failed"].is_null(), "{}", cradle["forces"]);
    let energy = |by: &str| number(&cradle[by]["energy"]);
    // Elastic: both keep what there was, forces to the error of the steps.
    assert_near(
        &[energy("events")],
        &[energy("forces")],
        1e-4 * energy("events"),
    );
}

/// Scenes whose materials have no springs run by forces, too: with springs by default, which the summary names. Two
/// elastic discs leave as by impulses, to the length of the contact.
#[test]
fn scenes_without_springs_run_by_forces() {
    let path = scene("two_discs");
    let by = |method: &str| json(&["run", &path, "--json", "--method", method]);
    let (forces, events) = (by("forces"), by("events"));
    let spring_time = number(&forces["scene"]["forces"]["spring_time"]);
    assert!(spring_time > 0.0 && spring_time < 0.1, "{spring_time}");
    assert_near(
        &[number(&forces["audit"]["energy"]["total"])],
        &[number(&events["audit"]["energy"]["total"])],
        1e-6 * number(&events["audit"]["energy"]["total"]),
    );
    let compared = json(&["compare", &path, "--json"]);
    assert_eq!(
        compared["events"]["contacts"],
        compared["forces"]["contacts"]
    );
}

/// What has no counterpart in forces is refused by name, with what to do.
#[test]
fn what_forces_cannot_do_is_refused() {
    let spring = ["--method", "forces", "--set", "forces.spring_time=1e-3"];
    for (name, expected) in [
        ("spin_beta", "the law beta is one of impulses"),
        ("bumper", "restitution is"),
        ("tandem", "contacts of measurable duration (row C4)"),
    ] {
        let path = scene(name);
        let mut arguments = vec!["run", path.as_str()];
        arguments.extend(spring);
        let found = refused(&arguments);
        assert!(found.contains(expected), "{name}: {found}");
    }
    let example = scene("worked_example_1");
    let cases = [
        ("forces.step=0.05", "step is 0.05 s, but may be at most"),
        (
            "pairs.1.damping=20",
            "damping is 20, but must be below the critical",
        ),
        (
            "pairs.1.stiffness=0",
            "must be a positive number of N/m, or inf",
        ),
        (
            "pairs.1.damping=-1",
            "must be a finite number of N·s/m, zero or above",
        ),
        ("forces.integrator=\"rk5\"", "rk4"),
        ("method=\"force\"", "forces"),
    ];
    for (change, expected) in cases {
        let found = refused(&["run", &example, "--method", "forces", "--set", change]);
        assert!(found.contains(expected), "{change}: {found}");
    }
}

/// Who went over the contacts is said, can be asked for, and makes no difference but to rounding.
#[test]
fn many_balls_go_by_the_granular_engine() {
    let bed = scene("bed_of_discs");
    let by = |more: &[&str]| {
        let mut arguments = vec!["run", bed.as_str(), "--json", "--until", "0.2"];
        arguments.extend(more);
        json(&arguments)
    };
    let crowd = by(&[]);
    let forces = &crowd["scene"]["forces"];
    assert_eq!(forces["engine"], "granular", "{forces}");
    assert_eq!(forces["integrator"], "verlet");
    assert_eq!(forces["why_general"], Value::Null);
    assert!(number(&forces["steps"]) > 100.0);
    let general = by(&["--set", "forces.engine=\"general\""]);
    assert_eq!(general["scene"]["forces"]["engine"], "general");
    let collisions = |summary: &Value| number(&summary["events"]["collisions"]);
    assert_eq!(collisions(&general), collisions(&crowd));
    assert!(collisions(&crowd) > 100.0);
    let [ours, theirs] = [&crowd, &general].map(|summary| summary["bodies"].as_array().unwrap());
    // 81 discs in a box of four walls.
    assert_eq!((ours.len(), theirs.len()), (85, 85));
    for (one, other) in ours.iter().zip(theirs) {
        // Rounding, magnified by a few collisions one after the other.
        assert_near(&vector(&one["position"]), &vector(&other["position"]), 1e-8);
        assert_near(&vector(&one["velocity"]), &vector(&other["velocity"]), 1e-6);
    }
    // Of 178 J, to the roundings that the velocities were allowed above.
    for key in ["energy", "energy_initial"] {
        for part in ["translational", "rotational", "potential", "total"] {
            let [one, other] = [&crowd, &general].map(|it| number(&it["audit"][key][part]));
            assert_near(&[one], &[other], 1e-6);
        }
    }
    let [one, other] = [&crowd, &general].map(|it| number(&it["audit"]["energy_residual"]));
    assert_near(&[one], &[other], 1e-6);
    let few = json(&[
        "run",
        &scene("worked_example_1"),
        "--json",
        "--method",
        "forces",
    ]);
    assert_eq!(few["scene"]["forces"]["engine"], "general");
    let events = json(&["run", &scene("two_discs"), "--json"]);
    assert_eq!(events["scene"]["forces"], Value::Null);
    let said = run(&["run", &bed, "--until", "0.01"]);
    assert!(
        text(&said.stdout).contains("granular engine on 1 thread"),
        "{}",
        text(&said.stdout)
    );
    let compared = json(&["compare", &bed, "--json", "--until", "0.05"]);
    assert_eq!(compared["engine"], "granular");
    let wrong = refused(&[
        "run",
        &bed,
        "--set",
        "forces.engine=\"granular\"",
        "--set",
        "forces.integrator=\"rk4\"",
    ]);
    assert!(
        wrong.contains("not for the engine for very many balls: it steps by verlet, not by rk4"),
        "{wrong}"
    );
    let wrong = refused(&["run", &bed, "--set", "forces.engine=\"quick\""]);
    assert!(
        wrong.contains("general") && wrong.contains("granular"),
        "{wrong}"
    );
}

/// By forces a run that ended at its last contact once had one collision less in the summary than it was stopped at.
#[test]
fn the_last_contact_of_max_collisions_is_counted() {
    let path = scene("worked_example_1");
    let summary = json(&[
        "run",
        &path,
        "--method",
        "forces",
        "--max-collisions",
        "1",
        "--json",
    ]);
    assert_eq!(summary["outcome"]["reason"], "max_collisions = 1 reached");
    assert_eq!(summary["collisions"]["total"], 1);
    assert_eq!(summary["events"]["collisions"], 1);
}

/// A ball of 1 kg that becomes one of 3 kg on its way gives one of 1 kg at rest 2·3/(3+1) = 3/2 of its speed, and
/// keeps a half; a box turns on as it did. In the budget the energy comes from outside: (3 − 1) + (4 − 1)(1/4 +
/// 1/150), halved.
#[test]
fn bodies_are_given_another_mass_while_they_move() {
    let folder = Folder::new("masses");
    let scene = |mass: &str| {
        let ball = |name: &str, x: f64, v: f64| {
            format!(
                "[[bodies]]\nname = \"{name}\"\nshape = \"ball\"\nradius = 0.1\nmass = 1.0\nposition = [{x:?}, 0.0]\nvelocity = [{v:?}, 0.0]\n"
            )
        };
        let text = format!(
            "version = 1\ndimension = 2\nrun.until = 4.0\nforces.spring_time = 1e-3\n{}{}[[bodies]]\nname = \"box\"\nshape = \"box\"\nsize = [0.2, 0.2]\nmass = 1.0\nposition = [0.0, 2.0]\nvelocity = [0.5, 0.0]\nangular_velocity = 1.0\n[[when]]\ntime = 1.0\ndo = [{{ set = \"striker\", mass = {mass} }}, {{ set = \"box\", mass = 4.0 }}]\n",
            ball("striker", 0.0, 1.0),
            ball("target", 2.2, 0.0)
        );
        let path = folder.path("masses.toml");
        std::fs::write(&path, text).unwrap();
        path
    };
    let path = scene("3.0");
    for (method, tolerance) in [("events", 1e-15), ("forces", 1e-6)] {
        let summary = json(&["run", &path, "--method", method, "--json", "--quiet"]);
        let bodies = summary["bodies"].as_array().unwrap();
        for (name, velocity, turning) in [
            ("striker", 0.5, 0.0),
            ("target", 1.5, 0.0),
            ("box", 0.5, 1.0),
        ] {
            let body = bodies.iter().find(|body| body["name"] == name).unwrap();
            let found = vector(&body["velocity"])[0];
            assert!((found - velocity).abs() <= tolerance, "{name}: {found}");
            let found = number(&body["angular_velocity"]);
            assert!((found - turning).abs() <= tolerance, "{name}: {found}");
        }
        let given = number(&summary["audit"]["given"]);
        let expected = 0.5 * (2.0 + 3.0 * (0.25 + 1.0 / 150.0));
        assert!((given - expected).abs() <= tolerance, "{given}");
    }
    let refusal = refused(&["run", &scene("-3.0"), "--json", "--quiet"]);
    assert!(
        refusal.contains("must be a positive, finite number of kilograms"),
        "{refusal}"
    );
}

/// What lies in a heap has been pressed a little into what it lies on. It was refused another mass for that, as if it
/// had just been put there.
#[test]
fn what_lies_on_something_is_given_another_mass() {
    let folder = Folder::new("masses_at_rest");
    let path = folder.path("heap.toml");
    let body = |name: &str, shape: &str, x: f64, y: f64| {
        format!("[[bodies]]\nname = \"{name}\"\n{shape}\nmass = 1.0\nposition = [{x:?}, {y:?}]\n")
    };
    let (square, disc) = (
        "shape = \"box\"\nsize = [0.2, 0.2]",
        "shape = \"ball\"\nradius = 0.1",
    );
    let text = format!(
        "version = 1\ndimension = 2\ngravity = [0.0, -9.81]\nrun.until = 5.0\n[materials.default]\nrestitution = 0.3\nfriction = 0.6\n[[bodies]]\nname = \"floor\"\nshape = \"wall\"\npoint = [0.0, 0.0]\nnormal = [0.0, 1.0]\n{}{}{}[[when]]\ntime = 3.0\ndo = [{{ set = [\"lower\", \"disc\"], mass = 3.0 }}, {{ set = \"upper\", mass = 0.5 }}]\n",
        body("lower", square, 0.0, 0.15),
        body("upper", square, 0.01, 0.4),
        body("disc", disc, 1.0, 0.3),
    );
    std::fs::write(&path, text).unwrap();
    let summary = json(&["run", &path, "--json", "--quiet"]);
    let bodies = summary["bodies"].as_array().unwrap();
    for (name, height) in [("lower", 0.1), ("upper", 0.3), ("disc", 0.1)] {
        let body = bodies.iter().find(|body| body["name"] == name).unwrap();
        // A millionth of its size is what heaps are kept to.
        let found = vector(&body["position"])[1];
        assert!((found - height).abs() < 2e-7, "{name}: {found}");
        let speed = vector(&body["velocity"])
            .iter()
            .fold(0.0, |all: f64, v| all.max(v.abs()));
        assert!(speed < 1e-6, "{name}: {speed}");
    }
}
