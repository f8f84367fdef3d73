//! Runs that would not come to an end in anybody's lifetime say so, and say who, when and why; those that are only long
//! run on.

use carom::record::Event;
use carom::simulate::{Busy, Compiled, End, Exact, RunError};
use carom::space::{Space2, Space3};
use carom::world::World;
use carom_scene::AnyWorld;
use std::ops::ControlFlow;

fn world(text: &str) -> AnyWorld {
    let run = if text.contains("[run]") {
        ""
    } else {
        "[run]\nuntil = 1.0\n"
    };
    match carom_scene::parse("scene.toml", &format!("{text}{run}")) {
        Ok(scene) => scene.world,
        Err(wrong) => panic!("{wrong:?}"),
    }
}

fn plane(text: &str) -> Exact<Space2> {
    match world(text) {
        AnyWorld::Two(world) => Exact::new(world).unwrap(),
        AnyWorld::Three(_) => panic!("a planar scene"),
    }
}

fn solid(text: &str) -> Exact<Space3> {
    match world(text) {
        AnyWorld::Three(world) => Exact::new(world).unwrap(),
        AnyWorld::Two(_) => panic!("a scene in space"),
    }
}

fn sample(name: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/");
    std::fs::read_to_string(format!("{path}{name}.toml")).unwrap()
}

/// A sample with other numbers.
fn changed(name: &str, changes: &[(&str, &str)]) -> String {
    let mut text = sample(name);
    for (from, to) in changes {
        assert!(text.contains(from), "{name} has no {from}");
        text = text.replacen(from, to, 1);
    }
    text
}

/// Who crawls, and why.
fn crawls<S: Compiled>(run: &mut Exact<S>, until: f64) -> (String, Busy) {
    match run.run_to(until) {
        Err(RunError::Crawl {
            time, body, busy, ..
        }) => {
            // What was computed is kept, and the clock is where that ends.
            assert_eq!(time, run.time());
            assert!(time < until);
            assert!(run.audit().energy_residual.is_finite());
            (body, busy)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_ball_that_lift_turns_round_all_the_time() {
    let text = changed(
        "magnus",
        &[("angular_velocity = 200.0", "angular_velocity = 1e20")],
    );
    let (body, busy) = crawls(&mut plane(&text), 3.0);
    assert_eq!((body.as_str(), busy), ("let go", Busy::Segment));
}

#[test]
fn drag_that_is_far_too_strong_for_the_clock() {
    // Beside a plane at which another drag begins, along which the ball falls: each piece was searched for a crossing a
    // thousand times.
    let changes = [("g = 9.81", "g = -1e40"), ("linear = 0.2", "linear = 1e20")];
    let text = changed("drag", &changes);
    let (body, busy) = crawls(&mut plane(&text), 3.0);
    assert!(body == "linear" || body == "quadratic", "{body}");
    assert_eq!(busy, Busy::Segment);
}

#[test]
fn a_tolerance_finer_than_numbers_are_is_as_fine_as_they_are() {
    let text = changed("orbit", &[("tolerance = 1e-12", "tolerance = 1e-40")]);
    let mut run = plane(&text);
    run.run_to(2.0 * std::f64::consts::PI).unwrap();
    let satellite = run.find("satellite").unwrap();
    let position = run.state(satellite).position;
    // Once round; rounding of some hundred steps remains.
    assert!((position.x - 0.5).abs() < 1e-12 && position.y.abs() < 1e-12);
    assert!(run.segments() < 10_000, "{}", run.segments());
}

const LONE: &str = "
version = 1
dimension = 3
periodic = [1.0, 1.0, 1.0]
[[bodies]]
name = 'lone'
shape = 'ball'
radius = 0.1
mass = 1.0
position = [0.5, 0.5, 0.5]
velocity = [SPEED, 0.0, 0.0]
";

#[test]
fn a_ball_that_winds_round_the_box_all_the_time() {
    let mut run = solid(&LONE.replace("SPEED", "1e40"));
    assert_eq!(crawls(&mut run, 1.0), ("lone".to_owned(), Busy::Round));
    // Half a million rounds are nothing.
    let mut run = solid(&LONE.replace("SPEED", "5e5"));
    assert_eq!(run.run_to(1.0), Ok(End::Time));
    // And without an end to go to it is not the end that counts.
    let mut run = solid(&LONE.replace("SPEED", "1e3"));
    let mut pieces = 0;
    assert_eq!(run.run_to(100.0), Ok(End::Time));
    let ended = run.run_through(100.0, |_| {
        pieces += 1;
        ControlFlow::Continue(())
    });
    assert_eq!((ended, pieces), (Ok(End::Time), 0));
}

#[test]
fn a_ball_that_passes_cell_after_cell() {
    // Two thousand balls that stand, and one that passes them all in 10⁻³⁸ s, round and round, and meets none.
    let text = "
version = 1
dimension = 3
periodic = [100.0, 100.0, 100.0]
[[generate]]
kind = 'lattice'
counts = [12, 12, 12]
position = [4.0, 4.0, 4.0]
spacing = 8.0
radius = 0.5
mass = 1.0
[[bodies]]
name = 'passer'
shape = 'ball'
radius = 0.5
mass = 1.0
position = [0.5, 0.5, 0.5]
velocity = [1e40, 0.0, 0.0]
";
    let (body, busy) = crawls(&mut solid(text), 1.0);
    assert_eq!(body, "passer");
    assert!(matches!(busy, Busy::Cell | Busy::Round), "{busy:?}");
}

#[test]
fn a_ball_between_two_walls_that_collides_all_the_time() {
    let text = "
version = 1
dimension = 2
[[bodies]]
name = 'left'
shape = 'wall'
point = [0.0, 0.0]
normal = [1.0, 0.0]
[[bodies]]
name = 'right'
shape = 'wall'
point = [1.0, 0.0]
normal = [-1.0, 0.0]
[[bodies]]
name = 'fast'
shape = 'ball'
radius = 0.1
mass = 1.0
position = [0.5, 0.0]
velocity = [SPEED, 0.0]
";
    let mut run = plane(&text.replace("SPEED", "1e40"));
    assert_eq!(crawls(&mut run, 1.0), ("fast".to_owned(), Busy::Collision));
    let mut run = plane(&text.replace("SPEED", "1e6"));
    assert_eq!(run.run_to(1.0), Ok(End::Time));
    assert_eq!(run.collisions(), 1_250_000);
}

/// How often a ball goes in and out of a sensor with a face on a side of the box, along which it falls just touching.
/// It went in and out without end.
fn passages<S: Compiled>(world: World<S>) -> usize {
    let mut run = Exact::new(world).unwrap();
    let mut number = 0;
    let ended = run.run_through(50.0, |event| {
        number += usize::from(matches!(event, Event::Entered(_) | Event::Left(_)));
        ControlFlow::Continue(())
    });
    assert_eq!(ended, Ok(End::Time));
    number
}

#[test]
fn a_ball_that_runs_along_the_face_of_a_sensor_on_a_side_of_the_box() {
    let scene = |periods: &str, gravity: &str, sensor: [&str; 2], ball: [&str; 3]| {
        let [size, place] = sensor;
        let [radius, position, velocity] = ball;
        let dimension = periods.split(',').count();
        world(&format!(
            "version = 1\ndimension = {dimension}\nperiodic = {periods}\ngravity = {gravity}\n\
             [[bodies]]\nname = 'gate'\nshape = 'box'\nsize = {size}\nposition = {place}\nmotion = 'static'\nsensor = true\n\
             [[bodies]]\nname = 'b'\nshape = 'ball'\nradius = {radius}\nmass = 1.0\nposition = {position}\nvelocity = {velocity}\n"
        ))
    };
    let down = "[0.0, 0.0, -1.0]";
    let worlds = [
        scene(
            "[10.0, 1.0, 7.3]",
            down,
            ["[2.0, 0.2, 1.46]", "[1.0, 0.9, 0.73]"],
            ["0.01", "[0.01, 0.01, 3.65]", "[1.0, 0.0, -1.0]"],
        ),
        scene(
            "[1.0, 1.0]",
            "[0.0, -1.0]",
            ["[0.2, 0.2]", "[0.9, 0.9564141679013425]"],
            ["0.1", "[0.1, 0.0]", "[0.0, 1.0]"],
        ),
        scene(
            "[7.3, 10.0, 7.3]",
            down,
            ["[7.3, 3.0, 3.65]", "[0.0, 8.5, 0.0]"],
            ["0.073", "[3.65, 0.073, 1.825]", "[1.0, 0.0, 1.0]"],
        ),
        scene(
            "[1.0, 10.0]",
            "[0.0, -1.0]",
            ["[0.3, 10.0]", "[0.85, 5.0]"],
            ["0.05", "[0.05, 5.0]", "[0.0, -0.034013312548834884]"],
        ),
        scene(
            "[7.3, 1.0, 10.0]",
            down,
            ["[2.19, 1.0, 5.0]", "[0.0, 0.5, 7.5]"],
            [
                "0.01",
                "[0.01, 0.01, 5.905775216092659]",
                "[1.0, 0.0, -0.2764158354831172]",
            ],
        ),
    ];
    for (index, world) in worlds.into_iter().enumerate() {
        let number = match world {
            AnyWorld::Two(world) => passages(world),
            AnyWorld::Three(world) => passages(world),
        };
        // It falls 1250 m in 50 s: 1250 rounds of the smallest box, in each of which it may or may not be seen to touch
        // the face.
        assert!(number < 10_000, "{index}: {number}");
    }
}
