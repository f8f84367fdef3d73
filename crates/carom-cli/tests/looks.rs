//! What scenes look like in pictures and reports, and what is said of them: as someone new to carom meets it.

mod common;

use common::folder::Folder;
use common::*;
use serde_json::{Value, json};
use std::io::Cursor;

fn written(folder: &Folder, name: &str, scene: &Value) -> String {
    let path = folder.path(&format!("{name}.json"));
    std::fs::write(&path, scene.to_string()).unwrap();
    path
}

fn done(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn report(folder: &Folder, scene: &str, more: &[&str]) -> String {
    let out = folder.path("report.html");
    done(
        &[
            &["report", scene, "--out", &out, "--force", "--quiet"][..],
            more,
        ]
        .concat(),
    );
    std::fs::read_to_string(out).unwrap()
}

/// The numbers of the moving picture.
fn film(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"film-data\">").expect("a film");
    let (numbers, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(numbers).unwrap()
}

fn pixels(scene: &str, out: &str, more: &[&str]) -> Vec<u8> {
    done(
        &[
            &[
                "render",
                scene,
                "--at",
                "0.1",
                "--size",
                "320x200",
                "--no-words",
                "--out",
                out,
                "--force",
                "--quiet",
            ][..],
            more,
        ]
        .concat(),
    );
    let bytes = std::fs::read(out).unwrap();
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels
}
/// A pocket takes out whatever comes, which are the balls. Cloth, cushions and pockets stay where they are; they
/// were drawn as moving bodies, the cloth beside the table. Balls in pockets were paths without numbers.
#[test]
fn a_report_of_pool_has_a_table_that_stands_still() {
    let folder = Folder::new("looks-pool");
    let page = report(&folder, &scene("pool"), &["--until", "5"]);
    assert!(!page.contains("NaN"), "a number that is none");
    let film = film(&page);
    assert_eq!(film["cast"].as_array().unwrap().len(), 16);
    // Flat as it is, it is looked at from above, as in pictures.
    assert!(
        film["frame"]["view"][1].as_f64().unwrap() > 0.7,
        "{}",
        film["frame"]
    );
}

/// Balls that are to come were paths of no numbers.
#[test]
fn a_report_of_pinball_has_no_balls_that_are_nowhere() {
    let folder = Folder::new("looks-pinball");
    let page = report(&folder, &scene("pinball"), &["--until", "1"]);
    assert!(!page.contains("NaN"), "a number that is none");
}

/// The axis of the residual had no numbers where there is no energy at all.
#[test]
fn a_report_of_a_scene_without_energy_has_numbers() {
    let folder = Folder::new("looks-still");
    let ball = json!({"shape": "ball", "radius": 0.5, "mass": 1, "position": [0, 0]});
    let scene = json!({"version": 1, "dimension": 2, "run": {"until": 1}, "bodies": [ball]});
    let page = report(&folder, &written(&folder, "still", &scene), &[]);
    assert!(!page.contains("NaN"), "a number that is none");
}

/// A ball and a box that stand still, both called 100, and a ball that never touches them, far above.
fn bumper_and_brick() -> Value {
    json!({"version": 1, "dimension": 2, "run": {"until": 1}, "bodies": [
        {"name": "bumper", "shape": "ball", "radius": 0.5, "motion": "static", "position": [0, 0], "label": "100"},
        {"name": "brick", "shape": "box", "size": [1, 1], "position": [2, 0], "label": "100"},
        {"name": "ball", "shape": "ball", "radius": 0.2, "mass": 1, "position": [1, 50]},
    ]})
}

/// Labels of fixtures were left out.
#[test]
fn labels_are_written_on_fixtures() {
    let folder = Folder::new("looks-labels");
    let (out, mut scene) = (folder.path("picture.png"), bumper_and_brick());
    let view = ["--view", "-0.6,-0.6,2.6,0.6"];
    let labelled = written(&folder, "labelled", &scene);
    let with = pixels(&labelled, &out, &view);
    let film = film(&report(&folder, &labelled, &[]));
    let written_on = |part: &str| film[part].to_string().matches("\"n\":\"100\"").count();
    assert_eq!(
        [written_on("scenery"), written_on("cast")],
        [2, 0],
        "{film}"
    );
    for body in scene["bodies"].as_array_mut().unwrap() {
        body.as_object_mut().unwrap().remove("label");
    }
    assert_ne!(
        pixels(&written(&folder, "plain", &scene), &out, &view),
        with
    );
}

/// Names are those of moving bodies: fixtures had theirs, too, where a rule can remove them.
#[test]
fn fixtures_that_can_be_removed_have_no_names() {
    let folder = Folder::new("looks-names");
    let (out, mut scene) = (folder.path("picture.png"), bumper_and_brick());
    scene["when"] = json!([{"collision": ["ball", "b*"], "do": {"remove": "@second"}}]);
    let scene = written(&folder, "removable", &scene);
    let view = ["--view", "-0.6,-0.6,2.6,0.6"];
    let names = ["--view", "-0.6,-0.6,2.6,0.6", "--show", "names"];
    assert_eq!(pixels(&scene, &out, &names), pixels(&scene, &out, &view));
    // The ball's own name is there.
    let names = ["--view", "0,49,2,51", "--show", "names"];
    assert_ne!(
        pixels(&scene, &out, &names),
        pixels(&scene, &out, &names[..2])
    );
}

/// Rules that change a material later, or before: the law that is told is that of the instant.
#[test]
fn explain_tells_the_material_as_it_was_at_the_collision() {
    let folder = Folder::new("looks-material");
    let scene = json!({"version": 1, "dimension": 2, "gravity": [0, -10], "run": {"until": 4},
    "materials": {"rubber": {"restitution": 0.9}},
    "bodies": [
        {"name": "floor", "shape": "wall", "point": [0, 0], "normal": [0, 1], "material": "rubber"},
        {"name": "ball", "shape": "ball", "radius": 0.1, "mass": 1, "position": [0, 2.1], "material": "rubber"},
    ],
    "when": [
        {"collision": ["ball", "floor"], "nth": 1, "do": {"material": "rubber", "restitution": 0.5}},
        {"collision": ["ball", "floor"], "nth": 2, "do": {"material": "rubber", "restitution": 0.2}},
    ]});
    let path = written(&folder, "softer", &scene);
    let out = folder.path("run");
    let said = done(&["run", &path, "--out", &out, "--events", "--quiet"]);
    // In words, and not as a program writes it.
    assert!(
        said.contains("change material rubber to restitution 0.5, friction 0 "),
        "{said}"
    );
    for (number, restitution) in [("1", "0.900000"), ("2", "0.500000"), ("3", "0.200000")] {
        let told = done(&["explain", &out, number]);
        assert!(
            told.contains(&format!("): restitution {restitution}, friction")),
            "{number}: {told}"
        );
    }
}
