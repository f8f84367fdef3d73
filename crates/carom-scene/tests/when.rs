//! What `[[when]]` asks for happens: in programs that read a scene, from TOML and from JSON.

use carom::prelude::*;
use carom::simulate::Method;
use carom_scene::{AnyPlan, AnyWorld, Scene, parse};

fn read(name: &str, text: &str) -> Scene {
    parse(name, text).unwrap_or_else(|errors| panic!("{errors}"))
}

fn plane(scene: Scene) -> Simulation2 {
    let method = scene.method.with(scene.settling, scene.forces);
    match (scene.world, scene.plan) {
        (AnyWorld::Two(world), AnyPlan::Two(plan)) => plan.simulation(world, method).unwrap(),
        _ => panic!("in the plane"),
    }
}

fn space(scene: Scene) -> Simulation3 {
    let method = scene.method.with(scene.settling, scene.forces);
    match (scene.world, scene.plan) {
        (AnyWorld::Three(world), AnyPlan::Three(plan)) => plan.simulation(world, method).unwrap(),
        _ => panic!("in space"),
    }
}

/// What a page exports of what a user changed while it ran: one table for each instant.
#[test]
fn a_list_of_timed_edits_is_carried_out() {
    let text = r#"{
        "version": 1, "dimension": 2, "gravity": [0, -10], "run": { "until": 5 },
        "bodies": [{ "name": "ball", "shape": "ball", "radius": 0.1, "mass": 1, "position": [0, 100] }],
        "when": [
            { "time": 1.0, "do": [{ "gravity": [0, 0] }, { "set": "ball", "velocity": [3, 0] }] },
            { "time": 2.0, "do": { "add": { "name": "other", "shape": "ball", "radius": 0.1, "mass": 1, "position": [0, 0], "velocity": [0, 1] } } },
            { "time": 3.0, "do": { "remove": "ball" } }
        ]
    }"#;
    let mut run = plane(read("edits.json", text));
    let (ball, other) = (BodyId(0), BodyId(1));
    run.run_until(2.5).unwrap();
    // Half a second of 10 m/s² squared, then straight on at 3 m/s.
    assert_eq!(run.state(ball).position, DVec2::new(4.5, 95.0));
    assert_eq!(run.find("other"), Some(other));
    run.run_until(4.0).unwrap();
    assert_eq!((run.has(ball), run.state(other).position.y), (false, 2.0));
    assert_eq!(run.log().len(), 4);
}

/// v = (1 + e) V / (1 + m/M + 5/2 (a² + b²)) for a solid ball, and ω = 5/2 v/R about the axes of the offsets (Leckie
/// and Greenspan 2006): seen along x, above the centre is +z, to the right is −y.
#[test]
fn a_cue_strikes_with_side_and_top_spin() {
    let text = |more: &str| {
        format!(
            "version = 1\ndimension = 3\nrun.until = 1\n\
             bodies = [{{ name = \"cue ball\", shape = \"ball\", radius = 0.03, mass = 0.17, position = [0, 0, 0] }}]\n\
             when = [{{ time = 0, do = {{ strike = \"cue ball\", speed = 3, {more} }} }}]"
        )
    };
    for (more, a, b, e, cue) in [
        ("direction = 0", 0.0, 0.0, 1.0, 0.567),
        ("direction = [1, 0, 0], side = 0.3", 0.3, 0.0, 1.0, 0.567),
        (
            "direction = \"0 deg\", side = -0.1, height = 0.4, cue_mass = \"500 g\", tip_restitution = 0.8",
            -0.1,
            0.4,
            0.8,
            0.5,
        ),
    ] {
        let mut run = space(read("strike.toml", &text(more)));
        run.run_until(0.5).unwrap();
        let state = run.state(BodyId(0));
        let speed = (1.0 + e) * 3.0 / (1.0 + 0.17 / cue + 2.5 * (a * a + b * b));
        let spin = 2.5 * speed / 0.03;
        let near = |found: DVec3, expected: DVec3| {
            assert!(
                (found - expected).length() <= 1e-13 * expected.length(),
                "{found} is not {expected}"
            );
        };
        near(state.velocity, DVec3::new(speed, 0.0, 0.0));
        // r × d: to the right (−y) × x = +z; above (z) × x = +y.
        if a != 0.0 || b != 0.0 {
            near(state.angular_velocity, DVec3::new(0.0, spin * b, spin * a));
        }
    }
}

/// A rule about bodies that the world did not have when it was read is refused.
#[test]
fn a_plan_belongs_to_its_world() {
    let text = "version = 1\ndimension = 2\nrun.until = 1\n\
                bodies = [{ name = \"a\", shape = \"ball\", radius = 0.1, mass = 1, position = [0, 0] }]\n\
                when = [{ time = 0.5, do = { remove = \"a\" } }]";
    let scene = read("plan.toml", text);
    let (AnyWorld::Two(mut world), AnyPlan::Two(plan)) = (scene.world, scene.plan) else {
        panic!("in the plane")
    };
    let ball = Body::free(Shape::ball(0.1).unwrap())
        .mass(1.0)
        .at(DVec2::new(5.0, 0.0));
    world.add(ball).unwrap();
    let error = plan.simulation(world, Method::default()).unwrap_err();
    assert!(error.to_string().contains("has 2 bodies"), "{error}");
}

/// What a rule can remove: the bodies of its trigger. For a sensor that names no body these are the free ones: pockets
/// and cushions were looked for in every picture, as if they could fall into themselves.
#[test]
fn only_those_come_and_go_that_a_rule_can_mean() {
    let text = |when: &str| {
        format!(
            r#"
            version = 1
            dimension = 2
            run.until = 1
            bodies = [
                {{ name = "ball", shape = "ball", radius = 0.1, mass = 1, position = [0, 5] }},
                {{ name = "brick 1", shape = "box", size = [1, 1], position = [0, 0] }},
                {{ name = "brick 2", shape = "box", size = [1, 1], position = [2, 0] }},
                {{ name = "pocket", shape = "box", size = [1, 1], position = [4, 0], sensor = true }},
            ]
            when = [{when}]
            "#
        )
    };
    let goers = |when: &str| -> Vec<u32> {
        let scene = read("goers.toml", &text(when));
        let (AnyWorld::Two(world), AnyPlan::Two(plan)) = (&scene.world, &scene.plan) else {
            panic!("2-D");
        };
        let all = plan.cast(world);
        plan.comers_and_goers(&all)
            .into_iter()
            .map(|id| id.0)
            .collect()
    };
    assert_eq!(
        goers(r#"{ entered = "pocket", do = { remove = "@first" } }"#),
        [0]
    );
    assert_eq!(
        goers(r#"{ collision = ["ball", "brick *"], do = { remove = "@second" } }"#),
        [1, 2]
    );
    assert_eq!(goers(r#"{ time = 0.5, do = { remove = "brick 2" } }"#), [2]);
    assert_eq!(
        goers(r#"{ collision = "ball", do = { remove = "@second" } }"#),
        [0, 1, 2, 3]
    );
}
