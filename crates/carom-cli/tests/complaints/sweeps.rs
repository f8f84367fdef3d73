//! What is said of sweeps, and of scenes that are handed over to LAMMPS.

use super::*;

/// Parameters, folders and runs of sweeps that cannot be.
pub(super) fn sweeps(book: &mut Book) {
    let (discs, out) = (scene("two_discs"), book.path("sweep"));
    let start = ["sweep", &discs, "--out", &out];
    for more in [
        &[][..],
        &["--vary", "restitution"],
        &["--vary", "restitution=0:1"],
        &["--vary", "restitution=0:1:-0.1"],
        &["--vary", "restitution=0:1:1e-9"],
        &["--vary", "restitution=nan:1:0.1"],
        &["--vary", "restitution=0.5,,1"],
        &["--vary", "restitutin=0.5,1"],
        &["--vary", "run.until=1", "--vary", "run.until=2"],
        &["--vary", "run.until=1:1000:0.01", "--repeat", "1000"],
        &["--vary", "run.until=1", "--repeat", "0"],
        &["--vary", "run.until=1", "--body", "third"],
        &["--vary", "seed=1,2"],
        &["--vary", "point=1,2"],
    ] {
        book.complaint(&[&start[..], more].concat(), 2);
    }
    let one = [&start[..], &["--vary", "run.until=1", "--quiet"]].concat();
    assert!(run(&one).status.success());
    book.complaint(&[&start[..], &["--vary", "run.until=1,2"]].concat(), 2);
    book.complaint(&["plot", &out], 2);
    book.complaint(&["plot", &out, "--y", "colisions"], 2);
    book.complaint(&["plot", &out, "--which", "energy"], 2);
    book.complaint(&["plot", &discs, "--x", "run.until", "--y", "time"], 2);
    std::fs::create_dir(book.path("letters")).unwrap();
    book.folder.write("letters/dear.txt", "dear");
    let letters = book.path("letters");
    book.complaint(
        &["sweep", &discs, "--vary", "run.until=1", "--out", &letters],
        2,
    );
    // Files that are not what they were.
    let row = std::fs::read_to_string(format!("{out}/runs.jsonl")).unwrap();
    let mut row: Value = serde_json::from_str(&row).unwrap();
    row["point"] = json!(3);
    book.folder.write("sweep/runs.jsonl", &format!("{row}\n"));
    book.complaint(&one, 2);
    let plan = r#"{"title": "carom-sweep", "format": "other", "version": 1, "parameters": [], "repeat": 1, "seed": 0}"#;
    book.folder.write("sweep/sweep.json", plan);
    book.complaint(&["plot", &out, "--y", "time"], 2);
    // Runs that fail, all of them.
    let (bumpers, failed) = (book.path("bumpers.toml"), book.path("failed"));
    book.complaint(
        &[
            "sweep",
            &bumpers,
            "--vary",
            "run.until=9,10",
            "--out",
            &failed,
            "--json",
            "--quiet",
        ],
        1,
    );
    let (breakout, averages) = (scene("breakout"), book.path("averages"));
    let vary = ["--vary", "run.until=0.01", "--observe", "--json", "--quiet"];
    book.complaint(
        &[&["sweep", &breakout, "--out", &averages][..], &vary].concat(),
        1,
    );
}

/// A scene of some materials and bodies, with whatever else it has.
fn of(materials: Value, bodies: Value, more: Value) -> Value {
    let mut scene = json!({"version": 1, "dimension": 2, "run": {"until": 1}, "materials": materials, "bodies": bodies});
    for (key, value) in more.as_object().unwrap() {
        scene[key] = value.clone();
    }
    scene
}

/// A ball of the material `m`.
fn ball(place: [f64; 2], radius: f64) -> Value {
    json!({"shape": "ball", "radius": radius, "mass": 1, "position": place, "material": "m"})
}

/// A body with a name.
fn named(name: &str, mut body: Value) -> Value {
    body["name"] = json!(name);
    body
}

/// Two balls of the material `m` on a floor of it.
fn two_on_a_floor(material: Value) -> Value {
    let floor = json!({"name": "floor", "shape": "wall", "point": [0, 0], "normal": [0, 1], "material": "m"});
    let bodies = json!([floor, ball([0.0, 1.0], 0.1), ball([1.0, 1.0], 0.1)]);
    of(json!({"m": material}), bodies, json!({}))
}

/// More kinds of balls than have constants of their own.
fn of_all_sizes(material: Value) -> Value {
    let balls = (0..40).map(|n| ball([f64::from(n), 0.0], 0.1 + 0.001 * f64::from(n)));
    let balls: Vec<Value> = balls.collect();
    of(json!({"m": material}), json!(balls), json!({}))
}

/// Bodies and fields that LAMMPS has not got.
fn strange() -> Value {
    let bodies = json!([
        {"name": "rail", "shape": "segment", "from": [0, 0], "to": [1, 0], "material": "m"},
        {"shape": "box", "size": [1, 0.1], "position": [3, 0], "motion": {"velocity": [1, 0]}, "material": "m"},
        {"name": "book", "shape": "box", "size": [0.1, 0.1], "position": [6, 3], "mass": 1, "material": "m"},
        {"name": "hoop", "shape": "ball", "radius": 0.1, "mass": 1, "inertia": 0.01, "position": [0, 3], "material": "m"},
        {"name": "ghost", "shape": "ball", "radius": 0.1, "mass": 1, "position": [0, 6], "groups": ["ghosts"], "material": "m"},
        {"name": "rocket", "shape": "ball", "radius": 0.1, "mass": 1, "position": [0, 9], "force": [1, 0], "material": "m"},
        {"name": "sheet", "shape": "wall", "point": [0, -9], "normal": [0, 1], "two_sided": true, "material": "m"},
        {"name": "ramp", "shape": "box", "size": [1, 1], "position": [9, 9], "angle": 0.5, "motion": "static", "material": "m"},
    ]);
    let fields = json!({"gravity": [0, -9.81], "fields": {"drag": {"linear": 0.1}}});
    of(
        json!({"m": {"restitution": 0.7, "stiffness": 1e5}}),
        bodies,
        fields,
    )
}

/// Scenes that LAMMPS cannot run in the same way.
///
/// Longer than most: a list.
pub(super) fn lammps(book: &mut Book) {
    let hertz = |more: Value| {
        let mut material =
            json!({"restitution": 0.7, "youngs_modulus": 1e8, "poissons_ratio": 0.3});
        for (key, value) in more.as_object().unwrap() {
            material[key] = value.clone();
        }
        material
    };
    let bowl = json!({"name": "bowl", "shape": "hollow", "radius": 1, "position": [0, 0], "material": "m"});
    let wall = json!({"name": "wall", "shape": "wall", "point": [0, 0], "normal": [0, 1], "material": "m"});
    let mixed = json!({"m": {"restitution": 0.7, "stiffness": 1e5}});
    let scenes = [
        ("strange", strange()),
        ("alone", of(mixed, json!([wall]), json!({}))),
        (
            "two_frictions",
            two_on_a_floor(
                json!({"static_friction": 0.5, "kinetic_friction": 0.3, "stiffness": 1e5, "restitution": 0.8}),
            ),
        ),
        (
            "rolling",
            two_on_a_floor(hertz(json!({"rolling_resistance": 0.1}))),
        ),
        ("damped", two_on_a_floor(hertz(json!({"damping": 1e4})))),
        (
            "hollow",
            of(
                json!({"m": hertz(json!({}))}),
                json!([bowl, ball([0.0, 0.0], 0.1)]),
                json!({}),
            ),
        ),
        (
            "by_speed",
            two_on_a_floor(hertz(
                json!({"restitution": {"viscoelastic": 0.9, "speed": 2}}),
            )),
        ),
        (
            "jointed",
            of(
                json!({"m": {"restitution": 0.7, "stiffness": 1e5}}),
                json!([named("bob", ball([0.0, -1.0], 0.1))]),
                json!({"joint": [{"kind": "distance", "between": ["bob"], "point": [0, 0]}]}),
            ),
        ),
        (
            "sizes_by_time",
            of_all_sizes(json!({"restitution": 0.7, "spring_time": 1e-3})),
        ),
        (
            "sizes_that_stop",
            of_all_sizes(json!({"restitution": 0.01, "stiffness": 1e5})),
        ),
        (
            "sizes_that_roll",
            of_all_sizes(
                json!({"restitution": 0.7, "stiffness": 1e5, "friction": 0.5, "rolling_resistance": 0.1}),
            ),
        ),
    ];
    let out = book.path("lammps");
    for (name, scene) in scenes {
        let path = (book.folder).write(&format!("{name}.json"), &scene.to_string());
        book.complaint(&["convert", &path, "--to", "lammps", "--out", &out], 2);
    }
    let [discs, mars, sheared] = ["two_discs", "earth_to_mars", "shear_flow"].map(scene);
    for arguments in [
        &["convert", &sheared, "--to", "lammps", "--out", &out][..],
        &["convert", &mars, "--to", "lammps", "--out", &out][..],
        &["convert", &discs, "--to", "lammps"],
        &["convert", &discs, "--to", "lammps,csv", "--out", &out],
        &["convert", &book.path(""), "--to", "lammps", "--out", &out],
        &["convert", &book.path(""), "--to", "csv", "--set", "seed=1"],
    ] {
        book.complaint(arguments, 2);
    }
    assert!(!Path::new(&out).exists());
}
