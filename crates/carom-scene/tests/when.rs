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

/// A ball `a` from the origin at 1 m/s to a wall at x = 2 m and back, through a `zone` from 0.9 to 1.1 m; `b` and what
/// else there is stands aside. No gravity: each instant is a quotient.
fn course(when: &str) -> String {
    format!(
        r#"
        version = 1
        dimension = 2
        run.until = 3
        forces.step = 1e-4
        materials.default = {{ stiffness = 1e6 }}
        materials.soft = {{ stiffness = 1e6, restitution = 0.5 }}
        bodies = [
            {{ name = "a", shape = "ball", radius = 0.1, mass = 1, position = [0, 0], velocity = [1, 0] }},
            {{ name = "b", shape = "ball", radius = 0.1, mass = 1, position = [0, 5] }},
            {{ name = "later", shape = "ball", radius = 0.1, mass = 1, position = [0, 7], velocity = [0, 1], present = false }},
            {{ name = "wall", shape = "box", size = [1, 2], position = [2.5, 0] }},
            {{ name = "zone", shape = "box", size = [0.2, 1], position = [1, 0], sensor = true }},
            {{ name = "bar", shape = "box", size = [1, 0.1], position = [0, -5] }},
            {{ name = "flap", shape = "box", size = [1, 0.1], position = [5, -5], mount = {{ pivot = [4.5, -5] }} }},
            {{ name = "door", shape = "box", size = [0.1, 1], position = [8, -5], mount = "rail" }},
        ]
        {when}
        "#
    )
}

/// When a rule with this trigger does something, s, and what it is told of `{first}` and `{second}`.
fn times(method: &str, trigger: &str, beside: &str) -> Vec<f64> {
    let rule = format!("[[when]]\nname = \"it\"\n{trigger}\ndo = {{ print = \"now\" }}\n{beside}");
    let mut scene = read("course.toml", &course(&rule));
    if method == "forces" {
        scene.method = carom_scene::Method::Forces;
    }
    let mut run = plane(scene);
    run.run_until(3.0).unwrap();
    let said = run
        .log()
        .iter()
        .filter(|entry| entry.what.to_string().contains("now"));
    said.map(|entry| entry.time).collect()
}

/// Every trigger and every condition of the language, by both methods: when it is, to rounding, or to how often states
/// are looked at; by forces collisions are reported when they are over, 4.4 ms later with these springs.
/// Longer than most: the list of all triggers.
#[test]
fn every_trigger_comes_at_its_time() {
    let hit = "[[when]]\ncollision = \"a\"\ndo = { score = \"hits\", by = 2 }";
    let key = "[[when]]\ntime = 0.5\ndo = { press = \"k\", hold = 0.25 }";
    let gone = "[[when]]\ntime = 0.75\ndo = { remove = \"b\" }";
    let spun = "[[when]]\ntime = 0.75\ndo = { set = \"b\", angular_velocity = \"60 rpm\", velocity = [0, 2] }";
    let exactly = 1e-12;
    // By forces a contact lasts half a period of its spring, π √(m/k), with two of 10⁶ N/m in series: 4.443 ms; what
    // crosses a sensor is noticed at the end of a step, 0.1 ms later at most. And how often states are looked at.
    let (contact, look) = (4.55e-3, 1.1e-3);
    for (trigger, beside, expected, near) in [
        ("time = 0.5", "", vec![0.5], exactly),
        ("time = [\"250 ms\", 0.5]", "", vec![0.25, 0.5], exactly),
        ("every = 0.5", "", vec![0.5, 1.0, 1.5, 2.0, 2.5], exactly),
        (
            "every = 0.5\nfrom = 0.25\nfirst = 2",
            "",
            vec![0.25, 0.75],
            exactly,
        ),
        ("collision = \"a\"", "", vec![1.9], contact),
        ("collision = [\"a\", \"wall\"]", "", vec![1.9], contact),
        ("collision = [\"w*\", \"a\"]", "", vec![1.9], contact),
        ("collision = [\"b\", \"wall\"]", "", vec![], exactly),
        ("entered = \"zone\"", "", vec![0.8, 2.6], contact),
        ("entered = \"zone\"\nfirst = 1", "", vec![0.8], contact),
        ("entered = \"zone\"\nnth = 2", "", vec![2.6], contact),
        ("entered = \"zone\"\neach = 2", "", vec![2.6], contact),
        ("left = \"zone\"\nby = \"a\"", "", vec![1.2], contact),
        ("entered = \"zone\"\nby = \"b\"", "", vec![], exactly),
        ("pressed = \"k\"", key, vec![0.5], exactly),
        ("released = \"k\"", key, vec![0.75], exactly),
        (
            "time = [0.5, 2.5]\nif = { score = \"hits\", equal = 2 }",
            hit,
            vec![2.5],
            exactly,
        ),
        (
            "if = { score = \"hits\", at_least = 2 }",
            hit,
            vec![1.9],
            contact,
        ),
        (
            "if = { present = [\"a\", \"b\"], at_most = 1 }",
            gone,
            vec![0.75],
            look,
        ),
        (
            "if = { inside = \"zone\", above = 0 }",
            "",
            vec![0.8, 2.6],
            contact + look,
        ),
        ("if = { x = \"a\", above = 0.5 }", "", vec![0.5], look),
        ("if = { y = \"b\", above = 5.5 }", spun, vec![1.0], look),
        (
            "if = { velocity_x = \"a\", below = 0 }",
            "",
            vec![1.9],
            contact,
        ),
        (
            "if = { velocity_y = \"b\", at_least = 2 }",
            spun,
            vec![0.75],
            look,
        ),
        ("if = { speed = \"b\", above = 1 }", spun, vec![0.75], look),
        (
            "if = { angular_speed = \"b\", above = 6 }",
            spun,
            vec![0.75],
            look,
        ),
        (
            "if = { kinetic_energy = \"all\", above = 1 }",
            spun,
            vec![0.75],
            look,
        ),
        (
            "if = { collisions = \"all\", at_least = 1 }",
            "",
            vec![1.9],
            contact + look,
        ),
        (
            "if = [{ x = \"a\", above = 0.5 }, { y = \"b\", above = 5.5 }]",
            spun,
            vec![1.0],
            look,
        ),
        (
            "if = [{ y = \"b\", above = 5.5 }, { x = \"a\", above = 0.5 }]",
            spun,
            vec![1.0],
            look,
        ),
    ] {
        for method in ["events", "forces"] {
            let found = times(method, trigger, beside);
            let near = if method == "events" && near == contact {
                exactly
            } else {
                near
            };
            let close = found.len() == expected.len()
                && found
                    .iter()
                    .zip(&expected)
                    .all(|(a, b)| (a - b).abs() <= near);
            assert!(
                close,
                "{trigger}, by {method}: {found:?} is not {expected:?}"
            );
        }
    }
}

/// All of several conditions have to hold, whichever is the last to begin; so it is after a run has been stored. A rule
/// waited for the first, and looked at the others only then.
#[test]
fn several_conditions_begin_to_hold_together() {
    let rule = "[[when]]\nif = [{ x = \"a\", above = 0.5 }, { x = \"a\", above = 1.5 }]\ndo = { score = \"both\" }";
    let mut run = plane(read("course.toml", &course(rule)));
    run.run_until(1.0).unwrap();
    let mut stored = Simulation2::restore(&run.snapshot()).unwrap();
    for run in [&mut run, &mut stored] {
        assert_eq!(run.score("both"), 0);
        run.run_until(1.6).unwrap();
        assert_eq!(run.score("both"), 1);
    }
    assert_eq!(run.digest(), stored.digest());
}

/// Every action of the language, by both methods: what is different afterwards. Longer than most: the list of all.
#[test]
fn every_action_does_what_it_says() {
    type Check = fn(&Simulation2) -> bool;
    fn at(run: &Simulation2, name: &str) -> DVec2 {
        run.state(run.find(name).unwrap()).position
    }
    fn is_at(run: &Simulation2, name: &str, x: f64, y: f64) -> bool {
        (at(run, name) - DVec2::new(x, y)).length() < 1e-9
    }
    fn angle(run: &Simulation2, name: &str) -> f64 {
        let rotation = run.state(run.find(name).unwrap()).rotation;
        f64::atan2(rotation.sin, rotation.cos)
    }
    let cases: [(&str, f64, Check); 24] = [
        ("set = \"b\", velocity = [\"3.6 km/h\", 0]", 2.0, |run| {
            is_at(run, "b", 1.0, 5.0)
        }),
        ("set = \"b\", position = [3, 4]", 2.0, |run| {
            is_at(run, "b", 3.0, 4.0)
        }),
        ("set = \"b\", angular_velocity = \"60 rpm\"", 1.25, |run| {
            (angle(run, "b") - std::f64::consts::FRAC_PI_2).abs() < 1e-9
        }),
        ("set = \"b\", force = [2, 0]", 2.0, |run| {
            is_at(run, "b", 1.0, 5.0)
        }),
        ("set = \"wall\", collides_with = []", 2.5, |run| {
            is_at(run, "a", 2.5, 0.0)
        }),
        ("set = [\"a\", \"wall\"], material = \"soft\"", 2.9, |run| {
            let speed = run.state(BodyId(0)).velocity.x;
            (speed + 0.5).abs() < 1e-3
        }),
        ("material = \"default\", restitution = 0.25", 2.9, |run| {
            let speed = run.state(BodyId(0)).velocity.x;
            (speed + 0.25).abs() < 1e-3
        }),
        ("gravity = [0, -2]", 2.0, |run| is_at(run, "b", 0.0, 4.0)),
        // ẍ = k (w − ẋ)/m: after a second 1 − 1/e of the wind's velocity.
        (
            "fields = { wind = { velocity = [3, 0] }, drag = { linear = 1 } }",
            2.0,
            |run| {
                let speed = run.state(BodyId(1)).velocity.x;
                (speed - 3.0 * (1.0 - (-1.0_f64).exp())).abs() < 1e-6
            },
        ),
        (
            "set = \"bar\", motion = { velocity = [0, 0.5] }",
            2.0,
            |run| is_at(run, "bar", 0.0, -4.5),
        ),
        (
            "set = \"bar\", motion = { pivot = [-1, -5], angular_velocity = \"15 rpm\" }",
            2.0,
            |run| is_at(run, "bar", -1.0, -4.0),
        ),
        // From the middle of its swing at t = 0 on: a quarter of a period after each whole one it is at its end.
        (
            "set = \"bar\", motion = { amplitude = [0.5, 0], frequency = 1 }",
            2.25,
            |run| is_at(run, "bar", 0.5, -5.0),
        ),
        (
            "set = \"bar\", motion = { path = [{ time = 1, offset = [0, 0] }, { time = 2, offset = [1, 1] }] }",
            2.5,
            |run| is_at(run, "bar", 1.0, -4.0),
        ),
        (
            "swing = \"flap\", to = \"90 deg\", speed = 10",
            2.0,
            |run| is_at(run, "flap", 4.5, -4.5),
        ),
        (
            "swing = \"flap\", to = \"90 deg\", speed = 10, hold = 0.5",
            2.0,
            |run| is_at(run, "flap", 5.0, -5.0),
        ),
        ("slide = \"door\", to = [0, 1], speed = 2", 2.0, |run| {
            is_at(run, "door", 8.0, -4.0)
        }),
        (
            "slide = \"door\", to = [0, 1], speed = 2, hold = 0.75",
            2.0,
            |run| is_at(run, "door", 8.0, -4.5),
        ),
        ("remove = \"wall\"", 2.5, |run| is_at(run, "a", 2.5, 0.0)),
        ("add = \"later\"", 2.0, |run| is_at(run, "later", 0.0, 8.0)),
        (
            "add = \"later\", position = [1, 7], velocity = [1, 0], after = 0.5",
            2.0,
            |run| is_at(run, "later", 1.5, 7.0),
        ),
        (
            "add = { name = \"new\", shape = \"ball\", radius = 0.1, mass = 1, position = [9, 9], velocity = [0, 1] }",
            2.0,
            |run| is_at(run, "new", 9.0, 10.0),
        ),
        (
            "score = \"s\", by = 3 }, { score = \"s\", by = -1 }, { score = \"t\", to = 7",
            2.0,
            |run| (run.score("s"), run.score("t")) == (2, 7),
        ),
        (
            "press = \"k\" }, { press = \"l\" }, { release = \"l\"",
            2.0,
            |run| run.is_held("k") && !run.is_held("l"),
        ),
        (
            "score = \"s\" }, { print = \"{s} at {time}\" }, { stop = \"enough\"",
            2.0,
            |run| {
                let said: Vec<String> = run
                    .log()
                    .iter()
                    .map(|entry| entry.what.to_string())
                    .collect();
                run.is_over()
                    && run.time() == 1.0
                    && said.concat().contains("1 at 1")
                    && said.concat().contains("enough")
            },
        ),
    ];
    for (action, until, check) in cases {
        for method in ["events", "forces"] {
            let rule = format!("[[when]]\ntime = 1\ndo = [{{ {action} }}]");
            let mut scene = read("course.toml", &course(&rule));
            if method == "forces" {
                scene.method = carom_scene::Method::Forces;
            }
            let mut run = plane(scene);
            run.run_until(until).unwrap();
            assert!(check(&run), "{action}, by {method}");
        }
    }
}
