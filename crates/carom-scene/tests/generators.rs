//! Bodies by a rule: where they are, how fast, how many, and the same for the same seed.

use carom::body::{Body, Kind};
use carom::shape::Shape;
use carom::simulate::Compiled;
use carom::space::Linear;
use carom::world::World;
use carom_scene::{AnyWorld, Limits, Method, Scene, bytes_per_body, parse, parse_within};
use std::f64::consts::PI;
use std::time::{Duration, Instant};

fn scene(dimension: usize, rest: &str) -> Scene {
    let text = format!("version = 1\ndimension = {dimension}\nrun.until = 1\n{rest}");
    parse("scene.toml", &text).unwrap_or_else(|errors| panic!("{errors}"))
}

fn refused(dimension: usize, rest: &str) -> String {
    let text = format!("version = 1\ndimension = {dimension}\nrun.until = 1\n{rest}");
    parse("scene.toml", &text).unwrap_err().to_string()
}

/// Places, radii and velocities, in the order of the bodies.
fn balls<S: Compiled>(world: &World<S>) -> Vec<([f64; 3], f64, f64, [f64; 3])> {
    let ball = |body: &Body<S>| match (&body.shape, &body.kind) {
        (Shape::Ball(ball), Kind::Free(free)) => Some((
            S::components(body.pose.position),
            ball.radius,
            free.mass,
            S::components(free.velocity),
        )),
        _ => None,
    };
    world.bodies().iter().filter_map(ball).collect()
}

fn all(scene: &Scene) -> Vec<([f64; 3], f64, f64, [f64; 3])> {
    match &scene.world {
        AnyWorld::Two(world) => balls(world),
        AnyWorld::Three(world) => balls(world),
    }
}

/// The library's own verdict, by another way than the reader's.
fn check_no_overlaps(scene: &Scene) {
    let faults = match &scene.world {
        AnyWorld::Two(world) => world.overlaps(),
        AnyWorld::Three(world) => world.overlaps(),
    };
    assert!(faults.is_empty(), "{:?}", &faults[..1]);
}

#[test]
fn a_lattice_counts_along_x_and_may_be_staggered() {
    let scene = scene(
        2,
        "[[generate]]\nkind = \"lattice\"\nname = \"grid\"\ncounts = [3, 2]\nposition = [1, 2]\nspacing = [0.5, 1]\nstaggered = true\nradius = 0.1\ndensity = 2",
    );
    let balls = all(&scene);
    let places: Vec<[f64; 2]> = balls.iter().map(|ball| [ball.0[0], ball.0[1]]).collect();
    let expected = [
        [1.0, 2.0],
        [1.5, 2.0],
        [2.0, 2.0],
        [1.25, 3.0],
        [1.75, 3.0],
        [2.25, 3.0],
    ];
    assert_eq!(places, expected);
    // Density times π r², rounded a few times.
    assert!((balls[0].2 - 0.02 * PI).abs() < 1e-16);
    let AnyWorld::Two(world) = &scene.world else {
        panic!("the plane")
    };
    assert_eq!(&*world.bodies()[5].name, "grid 6");
}

/// Those of the break, which were computed by hand, to a few roundings of 2 m.
#[test]
fn a_rack_is_that_of_the_break() {
    let rack = scene(
        2,
        "[[generate]]\nkind = \"rack\"\nrows = 5\nposition = [1.905, 0.635]\nradius = 0.028575\nmass = 0.17",
    );
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/break.toml");
    let by_hand = all(&carom_scene::load(path.as_ref()).unwrap());
    let rack = all(&rack);
    assert_eq!(rack.len(), 15);
    for (a, b) in rack.iter().zip(&by_hand[by_hand.len() - 15..]) {
        assert!(
            (0..2).all(|axis| (a.0[axis] - b.0[axis]).abs() < 1e-15),
            "{a:?} {b:?}"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_bits_and_another_seed_does_not() {
    let rules = "[[generate]]\nkind = \"random\"\nname = \"gas\"\ncount = 50\nradius = { from = 0.01, to = 0.02 }\nmass = 1\nvelocity = { temperature = 1 }\nregion = { from = [0, 0], to = [1, 1] }\n[[generate]]\nkind = \"random\"\nname = \"other\"\ncount = 50\nradius = 0.01\nmass = 1\nvelocity = { speed = 2 }\nregion = { from = [2, 0], to = [3, 1] }";
    let first = all(&scene(2, rules));
    assert_eq!(first, all(&scene(2, rules)));
    assert_eq!(first, all(&scene(2, &format!("seed = 1\n{rules}"))));
    let other = all(&scene(2, &format!("seed = 2\n{rules}")));
    assert!(
        first
            .iter()
            .zip(&other)
            .all(|(a, b)| a.0 != b.0 && a.3 != b.3)
    );
    // The two generators do not draw the same numbers.
    let moved = |ball: &([f64; 3], f64, f64, [f64; 3])| [ball.0[0] - 2.0, ball.0[1]];
    assert!((0..50).all(|n| moved(&first[50 + n]) != [first[n].0[0], first[n].0[1]]));
}

/// Low and high fractions, in the plane and in space, in boxes with walls and without: the fraction is met to half a
/// ball, and nothing overlaps.
#[test]
fn fractions_are_met_without_overlaps() {
    for (dimension, fraction, periodic) in [
        (2, 0.1, true),
        (2, 0.3, false),
        (2, 0.6, true),
        (2, 0.75, false),
        (2, 0.85, true),
        (3, 0.1, false),
        (3, 0.3, true),
        (3, 0.49, false),
        (3, 0.6, true),
    ] {
        let (low, high) = match dimension {
            2 => ("[0, 0]", "[20, 20]"),
            _ => ("[0, 0, 0]", "[10, 10, 10]"),
        };
        let periods = if periodic {
            format!("periodic = {high}\n")
        } else {
            String::new()
        };
        let rest = format!(
            "{periods}[[generate]]\nkind = \"random\"\nfraction = {fraction}\nradius = 0.5\nmass = 1\nregion = {{ from = {low}, to = {high} }}"
        );
        let scene = scene(dimension, &rest);
        check_no_overlaps(&scene);
        let count = all(&scene).len() as f64;
        let (one, whole) = match dimension {
            2 => (PI / 4.0, 400.0),
            _ => (PI / 6.0, 1000.0),
        };
        let reached = count * one / whole;
        assert!(
            (reached - fraction).abs() <= 0.5001 * one / whole,
            "{reached} for {fraction}"
        );
        for (place, radius, ..) in all(&scene) {
            let (from, to) = if periodic {
                (0.0, 0.0)
            } else {
                (radius, radius)
            };
            let size = if dimension == 2 { 20.0 } else { 10.0 };
            let inside = |x: f64| x >= from - 1e-14 && x <= size - to + 1e-14;
            assert!(place[..dimension].iter().all(|&x| inside(x)), "{place:?}");
        }
    }
}

/// The densest packings there are fill π/√12 of the plane and π/√18 of space; a box of 20 diameters holds less.
#[test]
fn impossible_fractions_are_refused_with_the_largest_that_fits() {
    let dense = |dimension, fraction: f64, box_of: &str| {
        refused(
            dimension,
            &format!(
                "periodic = {box_of}\n[[generate]]\nkind = \"random\"\nfraction = {fraction}\nradius = 0.5\nmass = 1"
            ),
        )
    };
    for (message, most) in [
        (dense(2, 0.95, "[20, 20]"), PI / 12.0_f64.sqrt()),
        (dense(3, 0.8, "[10, 10, 10]"), PI / 18.0_f64.sqrt()),
    ] {
        let words: Vec<&str> = message.split("must be at most ").collect();
        let reached: f64 = words[1].split(' ').next().unwrap().parse().unwrap();
        assert!(
            reached > 0.85 * most && reached < most,
            "{reached} of {most}: {message}"
        );
    }
}

#[test]
fn random_balls_keep_clear_of_what_is_there() {
    let scene = scene(
        2,
        "[[bodies]]\nname = \"room\"\nshape = \"hollow\"\nradius = 1\nposition = [0, 0]\n[[bodies]]\nname = \"block\"\nshape = \"box\"\nsize = [0.8, 0.8]\nposition = [0, 0]\nangle = 0.3\n[[bodies]]\nname = \"ball\"\nshape = \"ball\"\nradius = 0.2\nmass = 1\nposition = [0.75, 0]\n[[generate]]\nkind = \"random\"\ncount = 60\nradius = { values = [0.02, 0.06], weights = [2, 1] }\nmass = 1\nregion = { centre = [0, 0], radius = 1 }",
    );
    check_no_overlaps(&scene);
    assert_eq!(all(&scene).len(), 61);
}

/// With 4,000 balls the fourth moment of a component, 3 (kT/m)² for Maxwell's distribution, has a standard error of
/// about √(96/4000) of (kT/m)², 0.155; four of them.
#[test]
fn thermal_velocities_are_maxwells_at_rest_as_a_whole() {
    let temperature = 2.5;
    for dimension in [2, 3] {
        let zeros = &"0, 0, 0"[..3 * dimension - 2];
        let counts = if dimension == 2 {
            "80, 50"
        } else {
            "20, 20, 10"
        };
        let balls = all(&scene(
            dimension,
            &format!(
                "[[generate]]\nkind = \"lattice\"\ncounts = [{counts}]\nposition = [{zeros}]\nspacing = 1\nradius = {{ values = [0.1, 0.2] }}\ndensity = 3\nvelocity = {{ temperature = {temperature} }}"
            ),
        ));
        let count = balls.len() as f64;
        let mut momentum = [0.0; 3];
        let (mut energy, mut fourth) = (0.0, 0.0);
        for (_, _, mass, velocity) in &balls {
            for axis in 0..3 {
                momentum[axis] += mass * velocity[axis];
                energy += 0.5 * mass * velocity[axis] * velocity[axis];
            }
            let scaled = mass * velocity[0] * velocity[0] / temperature;
            fourth += scaled * scaled / count;
        }
        // Sums of 4,000 numbers of size one, each rounded.
        assert!(momentum.iter().all(|p| p.abs() < 1e-11), "{momentum:?}");
        let mean = energy / count - 0.5 * dimension as f64 * temperature;
        assert!(mean.abs() < 1e-11, "{mean}");
        assert!((fourth - 3.0).abs() < 0.62, "{fourth}");
    }
}

#[test]
fn a_speed_in_random_directions_is_that_speed() {
    let balls = all(&scene(
        3,
        "[[generate]]\nkind = \"row\"\ncount = 1000\nposition = [0, 0, 0]\nstep = [1, 0, 0]\nradius = 0.1\nmass = 1\nvelocity = { speed = 2 }",
    ));
    let mut mean = [0.0; 3];
    for (.., velocity) in &balls {
        let speed = velocity.iter().map(|v| v * v).sum::<f64>().sqrt();
        assert!((speed - 2.0).abs() < 1e-15);
        (0..3).for_each(|axis| mean[axis] += velocity[axis] / 1000.0);
    }
    // Each component has variance 4/3: the mean of 1,000 has a standard error of 0.037; four of them.
    assert!(mean.iter().all(|v| v.abs() < 0.15), "{mean:?}");
}

/// Ten lines, a million bodies, and no more than seconds: the bound is that of the optimised tests on a slow machine.
#[test]
fn a_million_bodies_take_seconds() {
    let rules = [
        (
            3,
            "periodic = [100, 100, 100]\n[[generate]]\nkind = \"lattice\"\ncounts = [100, 100, 100]\nposition = [0.5, 0.5, 0.5]\nspacing = 1\nradius = 0.4\nmass = 1\nvelocity = { temperature = 1 }",
        ),
        (
            2,
            "periodic = [3000, 3000]\n[[generate]]\nkind = \"random\"\ncount = 1000000\nradius = 0.5\nmass = 1\nvelocity = { speed = 1 }",
        ),
    ];
    for (dimension, rest) in rules {
        let start = Instant::now();
        let scene = scene(dimension, rest);
        let taken = start.elapsed();
        println!("{dimension}-D: {taken:?}");
        assert_eq!(scene.world.len(), 1_000_000);
        assert!(taken < Duration::from_secs(20), "{taken:?}");
    }
}

#[test]
fn a_table_is_read_by_its_header() {
    let folder = std::env::temp_dir().join(format!("carom-table-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let read = |table: &str, rest: &str| {
        std::fs::write(folder.join("balls.csv"), table).unwrap();
        let text = format!(
            "version = 1\ndimension = 3\nrun.until = 1\n[[generate]]\nkind = \"csv\"\nname = \"star\"\nfile = \"balls.csv\"\n{rest}"
        );
        let name = folder.join("scene.toml").display().to_string();
        parse(&name, &text).map_err(|errors| errors.to_string())
    };
    let good = read(
        "mass, z, y, x, wx, vz\r\n2, 3, 4, 5, 6, 7\r\n\r\n1, -3, -4, -5, -6, -7",
        "radius = 0.5",
    );
    let good = all(&good.unwrap());
    assert_eq!(good[0], ([5.0, 4.0, 3.0], 0.5, 2.0, [0.0, 0.0, 7.0]));
    assert_eq!(good[1].0, [-5.0, -4.0, -3.0]);
    for (table, rest, said) in [
        ("x,y,z,mass\n1,2,3,4", "", "there is no column `radius`"),
        (
            "x,y,z,mass\n1,2,3",
            "radius = 1",
            "balls.csv:2: the number of values in the row is 3",
        ),
        ("x,y,z,mass\n1,2,a,1", "radius = 1", "balls.csv:2: `z` is a"),
        (
            "x,y,z,mass\n1,2,3,-1",
            "radius = 1",
            "must be a positive, finite number of kilograms",
        ),
        (
            "x,y,z,spin\n1,2,3,-1",
            "radius = 1",
            "there is no column `spin`",
        ),
        (
            "x,y,z,x\n1,2,3,-1",
            "radius = 1",
            "the column `x` comes twice",
        ),
        ("x,y,z,mass\n", "radius = 1", "has no rows"),
        (
            "x,y,z,mass,name\n1,2,3,1,a\n5,5,5,1,a",
            "radius = 1",
            "two bodies are called `a`",
        ),
    ] {
        let message = read(table, rest).unwrap_err();
        assert!(message.contains(said), "{message}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn groups_by_name_decide_who_meets() {
    let scene = scene(
        2,
        "[[bodies]]\nname = \"a\"\nshape = \"ball\"\nradius = 1\nmass = 1\nposition = [0, 0]\ngroups = [\"red\"]\ncollides_with = [\"red\"]\n[[bodies]]\nname = \"b\"\nshape = \"ball\"\nradius = 1\nmass = 1\nposition = [0.5, 0]\ngroups = [\"blue\"]\ncollides_with = [\"blue\"]\n[[bodies]]\nname = \"c\"\nshape = \"ball\"\nradius = 1\nmass = 1\nposition = [9, 0]",
    );
    let AnyWorld::Two(world) = &scene.world else {
        panic!("the plane")
    };
    let [a, b, c] = [0, 1, 2].map(|index: usize| world.bodies()[index].groups);
    assert!(!a.collides_with(b) && a.collides_with(c) && b.collides_with(c) && a.collides_with(a));
    assert!(Linear::is_finite(world.gravity()));
}

/// The first example of the page on scenes, with fewer bodies.
#[test]
fn the_example_of_the_page_is_a_scene() {
    let page = include_str!("../../../docs/scenes.md");
    let example = page
        .split("```")
        .nth(1)
        .unwrap()
        .strip_prefix("toml")
        .unwrap();
    let fewer = example.replace("1_000_000", "1000");
    assert_ne!(fewer, example);
    let scene = parse("page.toml", &fewer).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scene.world.len(), 1000);
}

/// A table of 2 GB may have more rows than there is memory for bodies: that was noticed when all of them were read. Now
/// the first row that does not fit ends the reading: what comes after it, wrong as it is, is not looked at.
#[test]
fn a_table_that_does_not_fit_is_refused_at_the_first_row_too_many() {
    let folder = std::env::temp_dir().join(format!("carom-large-table-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut table = "x,y,z\n".to_owned();
    for row in 0..20 {
        table += &format!("{},0,0\n", 3 * row);
    }
    table += "not,a,row\n";
    std::fs::write(folder.join("balls.csv"), table).unwrap();
    let text = "version = 1\ndimension = 3\nrun.until = 1\n[[generate]]\nkind = \"csv\"\nfile = \"balls.csv\"\nradius = 1\nmass = 1\n";
    // For ten bodies and no more.
    let limits = Limits {
        memory: Some(10 * bytes_per_body(3, Method::Events)),
        ..Limits::default()
    };
    let name = folder.join("scene.toml").display().to_string();
    let message = parse_within(&name, text, &[], &limits)
        .unwrap_err()
        .to_string();
    assert!(message.contains("line 12 is one too many"), "{message}");
    assert!(message.contains("1 error in"), "{message}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A scene of one generator, in 2-D or 3-D.
fn of_generator(dimension: usize, table: &str) -> carom_scene::Scene {
    let text =
        format!("version = 1\ndimension = {dimension}\nrun.until = 1\n[[generate]]\n{table}");
    carom_scene::parse("generated.toml", &text).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn a_body_of_any_shape_is_put_at_each_place_turned_and_named() {
    let scene = of_generator(
        2,
        "name = \"domino {n}\"\nkind = \"row\"\ncount = 3\nposition = [1, 2]\nstep = [\"30 cm\", 0]\nturn = \"10 deg\"\n\
         body = { shape = \"box\", size = [0.01, 0.05], mass = \"10 g\", position = [0, 0.5], angle = 0.5, velocity = [1, 0] }",
    );
    let AnyWorld::Two(world) = &scene.world else {
        panic!("in the plane")
    };
    assert_eq!(world.bodies().len(), 3);
    for (number, body) in world.bodies().iter().enumerate() {
        let (name, turn) = (
            format!("domino {}", number + 1),
            number as f64 * 10.0_f64.to_radians(),
        );
        assert_eq!(&*body.name, name);
        // The template's own position is turned with it.
        let expected = [
            1.0 + 0.3 * number as f64 - 0.5 * turn.sin(),
            2.0 + 0.5 * turn.cos(),
        ];
        assert!((body.pose.position.x - expected[0]).abs() < 1e-15);
        assert!((body.pose.position.y - expected[1]).abs() < 1e-15);
        let angle = body.pose.rotation.sin.atan2(body.pose.rotation.cos);
        assert!((angle - 0.5 - turn).abs() < 1e-15);
        let carom::body::Kind::Free(free) = &body.kind else {
            panic!("{body:?}")
        };
        assert_eq!((free.mass, free.velocity.x), (0.01, 1.0));
    }
}

#[test]
fn pegs_are_fixed_and_named_by_row_and_column() {
    let scene = of_generator(
        3,
        "name = \"peg {layer}.{row}.{column}\"\nkind = \"lattice\"\ncounts = [3, 2, 2]\nposition = [0, 0, 0]\nspacing = 1\nstaggered = true\n\
         body = { shape = \"ball\", radius = 0.1, motion = \"static\" }",
    );
    let AnyWorld::Three(world) = &scene.world else {
        panic!("in space")
    };
    assert_eq!(world.bodies().len(), 12);
    let peg = world.body(world.find("peg 2.2.3").unwrap());
    assert_eq!(peg.kind, carom::body::Kind::Static);
    assert_eq!(peg.pose.position.to_array(), [2.5, 1.0, 1.0]);
}

#[test]
fn dice_at_random_are_turned_anyhow_and_the_same_for_the_same_seed() {
    let table = "name = \"die\"\nkind = \"random\"\ncount = 40\nregion = { from = [0, 0, 0], to = [1, 1, 1] }\nturn = \"random\"\n\
                 body = { shape = \"box\", size = [0.05, 0.05, 0.05], mass = 0.01 }";
    let poses = || {
        let scene = of_generator(3, table);
        let AnyWorld::Three(world) = scene.world else {
            panic!("in space")
        };
        assert!(world.overlaps().is_empty());
        let all = world.bodies().iter();
        all.map(|body| (body.pose.position, body.pose.rotation))
            .collect::<Vec<_>>()
    };
    let once = poses();
    assert_eq!(once, poses());
    // Of random rotations the mean of w² is a quarter; of forty it is within 0.1 of that.
    let mean = once
        .iter()
        .map(|(_, rotation)| rotation.w * rotation.w)
        .sum::<f64>()
        / 40.0;
    assert!((mean - 0.25).abs() < 0.1, "{mean}");
    assert!(
        once.iter()
            .all(|(_, rotation)| (rotation.length() - 1.0).abs() < 1e-14)
    );
}

/// Neighbours are a diameter and a gap apart; the balls are those of the games.
#[test]
fn racks_of_games_have_their_balls() {
    for (game, balls, first, last) in [
        ("eight-ball", 15, "1", "12"),
        ("nine-ball", 9, "1", "8"),
        ("snooker", 21, "red 1", "yellow"),
    ] {
        let table = format!(
            "name = \"rack\"\nkind = \"rack\"\ngame = \"{game}\"\nposition = [0, 0]\ngap = 0.001\nradius = 0.02\nmass = 0.1\ndirection = [0, 1]"
        );
        let scene = of_generator(2, &table);
        let AnyWorld::Two(world) = &scene.world else {
            panic!("in the plane")
        };
        assert_eq!(world.bodies().len(), balls, "{game}");
        let names: Vec<&str> = world.bodies().iter().map(|body| &*body.name).collect();
        assert_eq!((names[0], names[balls - 1]), (first, last));
        let nearest = |one: usize| {
            let at = |id: usize| world.bodies()[id].pose.position;
            let others = (0..balls).filter(|&other| other != one);
            others
                .map(|other| at(one).distance(at(other)))
                .fold(f64::INFINITY, f64::min)
        };
        let triangle = if game == "snooker" { 16 } else { balls };
        assert!((0..triangle).all(|ball| (nearest(ball) - 0.041).abs() < 1e-15));
        assert!(
            scene
                .look(world.find(last).unwrap(), "default")
                .color
                .is_some()
        );
    }
    let scene = of_generator(
        2,
        "name = \"pool\"\nkind = \"rack\"\ngame = \"eight-ball\"\nposition = [0, 0]\nradius = 0.02\nmass = 0.1",
    );
    let AnyWorld::Two(world) = &scene.world else {
        panic!("in the plane")
    };
    let eight = world.find("8").unwrap();
    assert_eq!(scene.look(eight, "default").label.as_deref(), Some("8"));
    // In the middle of the third row.
    assert_eq!(world.body(eight).pose.position.y, 0.0);
}

/// A region of 10¹⁴ sites, all of them inside a block: the search went through them one by one.
#[test]
fn a_region_that_is_covered_is_refused_soon() {
    let start = Instant::now();
    let block =
        "[[bodies]]\nname = \"block\"\nshape = \"box\"\nsize = [10, 10]\nposition = [0, 0]\n";
    let grains = "[[generate]]\nkind = \"random\"\nname = \"grain\"\ncount = 500\nradius = 1e-9\nmass = 1\n\
                  region = { from = [-1, -1], to = [1, 1] }\n";
    let said = refused(2, &format!("{block}{grains}"));
    assert!(said.contains("no more were found to fit"), "{said}");
    assert!(start.elapsed() < Duration::from_secs(30));
}
