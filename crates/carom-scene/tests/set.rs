//! Values that are set from outside, as `--set KEY=VALUE` does.

use carom::body::Kind;
use carom::world::World2;
use carom_scene::{AnyWorld, Scene, SceneErrors, parse_with};

const SCENE: &str = r#"
version = 1
dimension = 2

[run]
until = 1.0

[variables]
speed = { from = 3, to = 5, steps = 3 }

[materials.steel]
restitution = 0.8

[[bodies]]
name = "cue"
shape = "ball"
radius = 0.1
mass = 1
position = [0, 0]
velocity = ["$speed", 0]
material = "steel"

[[bodies]]
shape = "ball"
radius = 0.1
mass = 1
position = [5, 0]

[[generate]]
kind = "row"
name = "row"
count = 3
position = [0, 5]
step = [1, 0]
radius = 0.1
mass = 1
"#;

fn set(values: &[(&str, &str)]) -> Result<Scene, SceneErrors> {
    let values: Vec<(String, String)> = values
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect();
    parse_with("scene.toml", SCENE, &values)
}

fn plane(scene: &Scene) -> &World2 {
    match &scene.world {
        AnyWorld::Two(world) => world,
        AnyWorld::Three(_) => panic!("a scene in the plane"),
    }
}

fn speed(scene: &Scene, name: &str) -> f64 {
    let world = plane(scene);
    match &world.body(world.find(name).unwrap()).kind {
        Kind::Free(free) => free.velocity.x,
        _ => panic!("{name} is not free"),
    }
}

#[test]
fn anything_in_a_scene_can_be_set() {
    assert_eq!(speed(&set(&[]).unwrap(), "cue"), 3.0);
    let scene = set(&[
        ("run.until", "7"),
        ("run.max_collisions", "10"),
        ("output.interval", "0.5"),
        ("seed", "42"),
        ("title", "a new title"),
        ("gravity", "[0, -1.62]"),
        ("bodies.ball 2.velocity", "[1, 0]"),
        ("bodies.2.mass", "\"2 * $speed\""),
        ("materials.steel.restitution", "0.5"),
        ("generate.row.count", "4"),
        ("generate.1.position.2", "6"),
        ("variables.speed", "9"),
    ])
    .unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scene.run.until, 7.0);
    assert_eq!(scene.run.max_collisions, Some(10));
    assert_eq!(scene.output.interval, Some(0.5));
    assert_eq!(scene.seed, 42);
    assert_eq!(scene.title, "a new title");
    assert_eq!(speed(&scene, "cue"), 9.0);
    assert_eq!(speed(&scene, "ball 2"), 1.0);
    let world = plane(&scene);
    assert_eq!(world.gravity().y, -1.62);
    assert_eq!(world.bodies().len(), 6);
    assert_eq!(world.bodies()[5].pose.position.y, 6.0);
    let steel = world.materials.find("steel").unwrap();
    assert_eq!(world.materials.get(steel).restitution, 0.5);
    assert_eq!(scene.variables[0].values, [9.0]);
    assert_eq!(set(&[]).unwrap().variables[0].values, [3.0, 4.0, 5.0]);
}

#[test]
fn the_last_of_two_wins_and_words_need_no_quotes() {
    let scene = set(&[("variables.speed", "1"), ("variables.speed", "2 * 4")]).unwrap();
    assert_eq!(speed(&scene, "cue"), 8.0);
    let scene = set(&[("bodies.\"ball 2\".material", "steel")]).unwrap();
    let world = plane(&scene);
    assert_eq!(world.bodies()[1].material, world.bodies()[0].material);
}

/// Each is refused with a line that points into what was set, and with what was probably meant.
#[test]
fn what_names_nothing_is_refused_with_a_suggestion() {
    for (key, value, column, said) in [
        ("run.untill", "3", 5, "did you mean `until`?"),
        ("bodies.cu.velocity", "[1, 0]", 8, "did you mean `cue`?"),
        ("bodies.3.velocity", "[1, 0]", 8, "by number from 1 to 2"),
        ("bodies.0.velocity", "[1, 0]", 8, "by number from 1 to 2"),
        (
            "materials.stele.restitution",
            "1",
            11,
            "did you mean `steel`?",
        ),
        ("variables.sped", "1", 11, "did you mean `speed`?"),
        ("bodies.cue.velocity", "[1]", 21, "must be [x, y]"),
        ("bodies.cue.velocity", "[1, 0", 26, "not valid TOML"),
        ("bodies.cue.mass", "-1", 17, "must be a positive"),
        ("bodies.cue.mass", "heavy", 17, "must be a positive"),
        ("bodies.cue.mass", "$sped", 17, "did you mean `$speed`?"),
        ("run.until.x", "1", 11, "`run.until` has no parts"),
        ("runn.until", "1", 1, "did you mean `run`?"),
        ("velocity", "[1, 0]", 1, "unknown key `velocity`"),
        ("bodies..mass", "1", 8, "is empty"),
        ("", "1", 1, "is empty"),
        ("bodies.\"cue", "1", 8, "a quote is left open"),
        ("run.until", "", 11, "not valid TOML"),
    ] {
        let errors = set(&[(key, value)]).unwrap_err();
        let shown = errors.to_string();
        assert!(shown.contains(said), "{key}={value}: {shown}");
        let place = format!("--set:1:{column}\n");
        assert!(shown.contains(&place), "{key}={value}: {shown}");
        assert!(
            shown.contains(&format!("| {key}={value}").trim_end().to_owned()),
            "{shown}"
        );
    }
}

#[test]
fn mistakes_in_the_file_and_in_what_was_set_come_together() {
    let text = SCENE.replace("mass = 1", "mass = 0");
    let values = [("run.until".to_owned(), "-1".to_owned())];
    let errors = parse_with("scene.toml", &text, &values).unwrap_err();
    assert_eq!(errors.problems().len(), 4, "{errors}");
    assert!(errors.to_string().contains("scene.toml:18:8"), "{errors}");
    assert!(errors.to_string().contains("--set:1:11"), "{errors}");
}
