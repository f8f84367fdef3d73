//! Values as people write them: units, colours, labels; and what is said of numbers that are hardly meant.

use carom::body::Kind;
use carom::world::{BodyId, World2};
use carom_scene::{AnyWorld, Scene, parse};

fn scene(more: &str) -> Scene {
    let text = format!("version = 1\ndimension = 2\nrun.until = \"2 min\"\n{more}");
    parse("values.toml", &text).unwrap_or_else(|errors| panic!("{errors}"))
}

fn world(scene: &Scene) -> &World2 {
    match &scene.world {
        AnyWorld::Two(world) => world,
        AnyWorld::Three(_) => panic!("in the plane"),
    }
}

const BODY: &str = r#"
    [[bodies]]
    name = "wheel"
    shape = "box"
    size = ["30 cm", "1 in"]
    position = ["$far mm", "2*pi cm"]
    angle = "45 deg"
    mass = "250 g"
    velocity = ["36 km/h", "-1 ft/s"]
    angular_velocity = "120 rpm"
    force = ["2 kN", 0]
    torque = "3 N m"
"#;

#[test]
fn values_with_units_are_those_in_si_units() {
    let scene = scene(&format!(
        "gravity = [0, \"-981 cm/s^2\"]\n[variables]\nfar = 50\nhigh = \"3 km\"\n{BODY}"
    ));
    assert_eq!(scene.run.until, 120.0);
    assert_eq!(scene.variables[1].values, [3000.0]);
    let world = world(&scene);
    let near = |found: f64, expected: f64| {
        assert!(
            (found - expected).abs() <= 4e-16 * expected.abs(),
            "{found} is not {expected}"
        );
    };
    near(world.gravity().y, -9.81);
    let wheel = world.body(BodyId(0));
    let Kind::Free(free) = &wheel.kind else {
        panic!("{wheel:?}")
    };
    near(wheel.pose.position.x, 0.05);
    near(wheel.pose.position.y, 0.02 * std::f64::consts::PI);
    near(wheel.pose.rotation.sin, 0.5_f64.sqrt());
    near(free.mass, 0.25);
    near(free.velocity.x, 10.0);
    near(free.velocity.y, -0.3048);
    near(free.angular_velocity, 4.0 * std::f64::consts::PI);
    let load = wheel.load.as_ref().unwrap();
    near(load.force_at(0.0).x, 2000.0);
    near(load.torque_at(0.0), 3.0);
    // The sides: 30 cm by 1 in.
    let carom::shape::Shape::Block(block) = &wheel.shape else {
        panic!("{wheel:?}")
    };
    near(block.half.x, 0.15);
    near(block.half.y, 0.0127);
}

#[test]
fn what_is_hardly_meant_is_said_and_does_not_stop_a_scene() {
    let good = scene(
        "gravity = [0, -9.81]\nmaterials.m = { restitution = \"95 %\", friction = 0.3 }\n\
         bodies = [{ shape = \"box\", size = [1, 1], position = [0, 0], angle = \"450 deg\" }]",
    );
    assert!(good.warnings.is_empty(), "{:?}", good.warnings);
    let odd = scene(
        "gravity = [0, -981]\n[materials.m]\nrestitution = 95\nfriction = 20\n[[bodies]]\nname = \"b\"\nshape = \"box\"\nsize = [1, 1]\nposition = [0, 0]\nangle = 45\n\
         [[when]]\ntime = 200\ndo = { gravity = [0, 200] }\n\
         [[when]]\ntime = 1\ndo = { add = \"b\" }\n",
    );
    let said = [
        "values.toml, line 6: `restitution` of material `m` is 95: every collision adds energy",
        "values.toml, line 7: `friction` of material `m` is 20: hardly any two surfaces",
        "values.toml, line 4: `gravity` of the scene is [0, -981]: more than ten times that of the Earth",
        "values.toml, line 13: `angle` of box `b` is 45: an angle of more than a turn, in radians; degrees are written \"45 deg\"",
        "it never happens: the run ends at 120 s",
        "`gravity` of `do` of",
        "is \"b\": there from the beginning, and nothing removes it",
    ];
    assert_eq!(odd.warnings.len(), said.len(), "{:#?}", odd.warnings);
    for said in said {
        assert!(
            odd.warnings.iter().any(|warning| warning.contains(said)),
            "{said}\n{:#?}",
            odd.warnings
        );
    }
}

#[test]
fn colours_and_labels_are_kept_for_whoever_draws() {
    let scene = scene(
        r##"
        materials.ivory = { color = "white", label = "i" }
        [[bodies]]
        shape = "ball"
        radius = 1
        mass = 1
        position = [0, 0]
        material = "ivory"
        [[bodies]]
        shape = "ball"
        radius = 1
        mass = 1
        position = [3, 0]
        color = "#ff8000"
        label = "7"
        [[bodies]]
        shape = "ball"
        radius = 1
        mass = 1
        position = [6, 0]
        present = false
        color = "navy"
        [[generate]]
        name = "g"
        kind = "row"
        count = 4
        position = [0, 5]
        step = [3, 0]
        radius = 1
        mass = 1
        color = ["red", "lime"]
        "##,
    );
    let look = |id: u32, material: &str| {
        let look = scene.look(BodyId(id), material);
        (look.color, look.label.map(String::from))
    };
    assert_eq!(look(0, "ivory"), (Some([255; 3]), Some("i".into())));
    assert_eq!(look(1, "ivory"), (Some([255, 128, 0]), Some("7".into())));
    assert_eq!(look(1, "default"), (Some([255, 128, 0]), Some("7".into())));
    let generated = [2, 3, 4, 5].map(|id| look(id, "default").0);
    assert_eq!(
        generated,
        [
            Some([255, 0, 0]),
            Some([0, 255, 0]),
            Some([255, 0, 0]),
            Some([0, 255, 0])
        ]
    );
    // The one that is to come has the number after all others.
    assert_eq!((scene.world.len(), scene.bodies()), (6, 7));
    assert_eq!(look(6, "default").0, Some([0, 0, 128]));
    assert_eq!(look(7, "default").0, None);
}
