//! Rigid bodies that are no balls.

use super::*;

/// Whether a body neither moves nor turns.
fn is_at_rest(summary: &Value, name: &str) -> bool {
    let body = body(summary, name);
    let angular_velocity = match body["angular_velocity"].as_array() {
        Some(_) => vector(&body["angular_velocity"]),
        None => vec![number(&body["angular_velocity"])],
    };
    vector(&body["velocity"])
        .iter()
        .chain(&angular_velocity)
        .all(|x| *x == 0.0)
}

/// The book turns about its middle axis, and flips: its second axis, which began along the spin, points the other way
/// at some time. The spin about it is never lost.
#[test]
fn tumbling_book() {
    let mut lowest = 1.0_f64;
    let AnyWorld::Three(world) = carom_scene::load(std::path::Path::new(&scene("tumbling_book")))
        .unwrap()
        .world
    else {
        panic!("in space");
    };
    let mut run = Exact::with(world, &Settling::default()).unwrap();
    let book = run.find("book").unwrap();
    for k in 0..1000 {
        run.run_to(f64::from(k) * 0.01).unwrap();
        let axis = Space3::rotate(run.state(book).rotation, DVec3::Y);
        lowest = lowest.min(axis.y);
    }
    assert!(lowest < -0.9, "it flips: {lowest}");
    let (_, summary) = events("tumbling_book", &[]);
    check_books(&summary);
    let audit = &summary["audit"];
    let before = number(&audit["energy_initial"]["rotational"]);
    assert_near(&[number(&audit["energy"]["rotational"])], &[before], 1e-12);
}

/// The blow goes through the row: the last leaves with all of the speed, and everyone else stands.
#[test]
fn cradle_of_boxes() {
    let (collisions, summary) = events("cradle_of_boxes", &[]);
    assert_eq!(collisions.len(), 5);
    assert!(
        collisions
            .iter()
            .all(|c| c["time"] == collisions[0]["time"]),
        "all at one instant"
    );
    // At 1.5 m of way and 1 m/s.
    assert_near(&[number(&collisions[0]["time"])], &[1.5], 1e-12);
    let speed = |name: &str| vector(&body(&summary, name)["velocity"])[0];
    assert_near(&[speed("box 5")], &[1.0], 1e-12);
    for name in ["striker", "box 1", "box 2", "box 3", "box 4"] {
        assert!(speed(name).abs() < 1e-12, "{name}");
    }
    check_books(&summary);
}

/// Each falls upon the next, one after the other; in the end all lie, at rest.
#[test]
fn dominoes() {
    let (collisions, summary) = events("dominoes", &[]);
    check_books(&summary);
    let first_hit = |name: &str| {
        let is = |c: &&Value| {
            c["a"]["name"] == name || c["b"]["name"] == name || c["a"] == name || c["b"] == name
        };
        collisions.iter().find(is).map(|c| number(&c["time"]))
    };
    let mut last = 0.0;
    for k in 2..=12 {
        let name = format!("domino {k}");
        let time = first_hit(&name).unwrap_or_else(|| panic!("{name} was struck"));
        assert!(
            time > last,
            "{name} at {time} s, the one before at {last} s"
        );
        last = time;
        let angle = number(&body(&summary, &name)["orientation"]);
        assert!(angle < -0.5, "{name} lies: {angle}");
        assert!(is_at_rest(&summary, &name), "{name}");
    }
}

/// The ball breaks into the wall, whose far side is at 3 m: it comes to lie on what is left of the lowest row, or
/// beyond it, all boxes of the rows that it struck (2 to 4, from 0.5 to 2 m) lie beyond, nothing is below the floor,
/// and everything rests in the end.
#[test]
fn wall_of_boxes() {
    let (_, summary) = events("wall_of_boxes", &[]);
    check_books(&summary);
    let place = |name: &str| vector(&body(&summary, name)["position"]);
    assert!(place("ball")[0] > 2.0, "{:?}", place("ball"));
    for row in 2..=4 {
        for column in 1..=3 {
            let name = format!("box {row}.{column}");
            assert!(place(&name)[0] > 3.0, "{name}: {:?}", place(&name));
        }
    }
    let bodies = summary["bodies"].as_array().unwrap();
    for body in bodies.iter().filter(|body| body["motion"] == "free") {
        let name = body["name"].as_str().unwrap();
        assert!(is_at_rest(&summary, name), "{body}");
        let (turned, height) = (number(&body["orientation"]), vector(&body["position"])[1]);
        let below = match body["shape"].as_str().unwrap() {
            "ball" => 0.5,
            _ => 0.5 * turned.sin().abs() + 0.25 * turned.cos().abs(),
        };
        // What is pressed in is brought back to what the solver leaves before it sleeps.
        assert!(height - below > -1e-6, "{body}");
    }
    let audit = &summary["audit"];
    let [before, after] = ["energy_initial", "energy"].map(|key| number(&audit[key]["total"]));
    assert!(after < before);
    let steps = number(&audit["losses"]["lasting"]["stepping"]);
    assert!(steps.abs() < 1e-3 * before, "steps cost {steps} J");
    let deepest = number(&audit["deepest_overlap"]);
    // What steps of islands leave: some 1e-6 of the sides, of 0.5 m and more, and a margin for other bits.
    assert!(deepest < 1e-5, "{deepest} m");
}

/// Each die lies flat on the table, at rest, within the tray.
#[test]
fn dice() {
    let (_, summary) = events("dice", &[]);
    check_books(&summary);
    for name in ["red", "green", "blue"] {
        assert!(is_at_rest(&summary, name), "{name}");
        let place = vector(&body(&summary, name)["position"]);
        // Half a side above the table, to what a solver leaves.
        assert!((place[2] - 0.008).abs() < 1e-6, "{name}: {place:?}");
        assert!(
            place[0].abs() < 0.2421 && place[1].abs() < 0.1921,
            "{name}: {place:?}"
        );
    }
}

/// A run folder has copies of the meshes that its scene reads, so that its copy of the scene runs by itself; a template
/// brings them along; a file that is missing is refused with status 2.
#[test]
fn meshes_go_with_their_scenes() {
    let folder = std::env::temp_dir().join(format!("carom-meshes-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let output = run(&["new", "hollow", &path("mine.toml")]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mine = ["run", &path("mine.toml"), "--until", "0.1", "--quiet"];
    let output = run(&[&mine[..], &["--out", &path("out")]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    for mesh in ["1-hollow.obj", "2-octahedron.obj"] {
        assert!(folder.join("out/tables").join(mesh).is_file(), "{mesh}");
    }
    let output = run(&["run", &path("out/scene.toml"), "--until", "0.1", "--quiet"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let picture = path("picture.png");
    let output = run(&[
        "render",
        "--at",
        "0.05",
        &path("out"),
        "--out",
        &picture,
        "--size",
        "160x120",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    std::fs::remove_file(folder.join("hollow.obj")).unwrap();
    let output = run(&mine);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("there is no file `hollow.obj`"));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Two boxes travel as one for a fifth of a second, and all momenta are as they were.
#[test]
fn solids_in_contact() {
    let (collisions, summary) = events("solids_in_contact", &[]);
    check_books(&summary);
    assert!(!collisions.is_empty());
    assert_eq!(number(&collisions[0]["duration"]), 0.2);
    let audit = &summary["audit"];
    // Equal densities: 18 kg and 20 kg at 0.6 m/s against each other.
    let momentum = vector(&audit["momentum"]);
    assert!((momentum[0] + 1.2).abs() < 1e-12, "{momentum:?}");
    assert!(momentum[1].abs() < 1e-12 && momentum[2].abs() < 1e-12);
}

/// Nobody gets out of the bin, and the bar does work.
#[test]
fn stirrer() {
    let (_, summary) = events("stirrer", &[]);
    check_books(&summary);
    for name in ["first", "second", "third", "ball"] {
        let place = vector(&body(&summary, name)["position"]);
        assert!(
            place[0].abs() < 1.42 && place[1] > 0.05,
            "{name}: {place:?}"
        );
    }
    assert!(number(&summary["audit"]["work_by_kinematic"]) != 0.0);
}

/// Scenery and a solid from files: all end within the hollow, above its surface.
#[test]
fn hollow() {
    let (_, summary) = events("hollow", &[]);
    check_books(&summary);
    let bodies = summary["bodies"].as_array().unwrap();
    let shape = |name: &str| body(&summary, name)["shape"].clone();
    assert_eq!(shape("hollow"), "mesh");
    assert_eq!(shape("octahedron"), "polyhedron");
    for name in [
        "octahedron",
        "box",
        "first ball",
        "second ball",
        "third ball",
    ] {
        let [x, y, z] = vector(&body(&summary, name)["position"])[..] else {
            panic!("{bodies:?}");
        };
        // The rim is 1.2 m away from the middle; everyone was dropped within it and bounces at 0.3.
        assert!(x.abs() < 1.2 && y.abs() < 1.2, "{name}: {x} {y}");
        // The surface is nowhere below zero, and chords of a convex hollow are above it.
        assert!(z > 0.02 && z < 0.9, "{name}: {z}");
    }
}

/// The ball goes on, slower; most pins lie; those that stand stand where they stood.
#[test]
fn bowling() {
    let (_, summary) = events("bowling", &[]);
    check_books(&summary);
    let ball = body(&summary, "ball");
    let speed = vector(&ball["velocity"])[0];
    assert!((2.0..8.0).contains(&speed), "{speed}");
    // It rolls on the lane.
    assert!(
        (vector(&ball["position"])[2] - 0.108).abs() < 1e-5,
        "{ball}"
    );
    let height = |k: usize| vector(&body(&summary, &format!("pin {k}"))["position"])[2];
    let fallen = (1..=10).filter(|&k| height(k) < 0.1).count();
    assert!(fallen >= 6, "{fallen} of ten");
    for k in (1..=10).filter(|&k| height(k) > 0.1) {
        assert!((height(k) - 0.1905).abs() < 1e-5, "pin {k} stands");
    }
    // None is within the lane.
    assert!(
        (1..=10).all(|k| height(k) > 0.0449),
        "lying on its side a pin is 45 mm high"
    );
}
