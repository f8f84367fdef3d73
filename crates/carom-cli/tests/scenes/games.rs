//! Games, gates and groups.

use super::*;

/// A scene by the command, with all lines: what actions did, sensor crossings, collisions.
fn played(name: &str, more: &[&str]) -> (Vec<Value>, Value) {
    let path = scene(name);
    let mut arguments = vec!["run", path.as_str(), "--json", "--events"];
    arguments.extend(more);
    let output = run(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut lines: Vec<Value> = (text(&output.stdout).lines())
        .map(|line| serde_json::from_str(line).expect("every line is JSON"))
        .collect();
    let summary = lines.pop().expect("the summary is the last line");
    (lines, summary)
}

/// What actions did, in words, with their times.
fn actions(lines: &[Value]) -> Vec<(f64, String)> {
    let action = |line: &Value| {
        let action = line.get("action")?;
        let what = action["what"].as_str()?.to_owned();
        Some((number(&action["time"]), what))
    };
    lines.iter().filter_map(action).collect()
}

/// The first ball touches the switch's face at x = 2 m with its radius of 0.25 m at 1.75 s, and leaves it at 3.25 s.
/// The gate begins to open at once, is 1.5 m up 0.75 s later, and comes down from 6.75 s on, until 7.5 s. The second
/// ball, 4 m behind, is at the gate (4.75 m) at 8.75 s and comes back.
#[test]
fn a_gate_is_opened_by_one_ball_and_shut_before_the_other() {
    let (lines, summary) = played("gate", &[]);
    let crossings: Vec<(&str, f64)> = (lines.iter())
        .filter_map(|line| line.get("sensor_crossing"))
        .map(|line| (line["kind"].as_str().unwrap(), number(&line["time"])))
        .collect();
    assert_eq!(crossings.len(), 2, "{crossings:?}");
    assert_eq!((crossings[0].0, crossings[1].0), ("entered", "left"));
    assert_near(
        &[crossings[0].1, crossings[1].1],
        &[1.75, 3.25],
        16.0 * U * 4.0,
    );
    let done = actions(&lines);
    let at = |what: &str| {
        let found = done.iter().find(|(_, words)| words.contains(what));
        found.unwrap_or_else(|| panic!("{what}: {done:?}")).0
    };
    assert_near(&[at("slide gate to (0.0, 1.5)")], &[1.75], 64.0 * U);
    assert_near(&[at("slide gate to (0.0, 0.0)")], &[6.75], 64.0 * U);
    // The first ball passes x = 5.9 m and 6 m: looked at every 0.01 s.
    assert_near(&[at("score through +1")], &[5.91], 1e-9);
    assert_near(&[at("1 through")], &[6.01], 1e-9);
    assert_eq!(summary["actions"]["scores"]["through"], 1);
    let collisions: Vec<&Value> = lines
        .iter()
        .filter_map(|line| line.get("collision"))
        .collect();
    assert_eq!(collisions.len(), 1);
    assert_eq!(
        (&collisions[0]["a"], &collisions[0]["b"]),
        (&"second".into(), &"gate".into())
    );
    assert_near(&[number(&collisions[0]["time"])], &[8.75], 64.0 * U * 9.0);
    assert_near(
        &vector(&body(&summary, "first")["position"]),
        &[10.0, 0.0],
        1e-12,
    );
    assert_near(
        &vector(&body(&summary, "second")["velocity"]),
        &[-1.0, 0.0],
        1e-12,
    );
}

/// Red and blue pass through each other and come back from the walls; white takes over the velocity of the other red
/// one.
#[test]
fn groups_decide_who_meets_whom() {
    let (collisions, summary) = events("groups", &[]);
    check_books(&summary);
    let met: Vec<(&str, &str)> = collisions
        .iter()
        .map(|hit| (hit["a"].as_str().unwrap(), hit["b"].as_str().unwrap()))
        .collect();
    assert!(met.contains(&("red", "right wall")) && met.contains(&("blue", "left wall")));
    assert!(met.iter().all(|pair| *pair != ("red", "blue")));
    let between: Vec<_> = met.iter().filter(|(_, b)| !b.ends_with("wall")).collect();
    assert!(
        between
            .iter()
            .all(|pair| **pair == ("white", "another red"))
    );
    // Red: 6.5 m to the wall at 4.5 m, then back for 3.5 s; all binary fractions.
    assert_eq!(vector(&body(&summary, "red")["position"]), [1.0, 0.0]);
    assert_eq!(vector(&body(&summary, "blue")["position"]), [-1.0, 0.0]);
}

/// The game is played to its end: the plunger shoots three balls, bumpers throw them back faster than they came, the
/// flippers swing, the drain takes each ball out, and the score is that of everything that was hit.
#[test]
fn pinball_is_played_to_its_end() {
    let (lines, summary) = played("pinball", &[]);
    assert_eq!(summary["outcome"]["status"], "stopped");
    assert_eq!(summary["outcome"]["reason"], "an action ended the run");
    let mut points = 0;
    let mut targets = 0;
    for line in &lines {
        if let Some(hit) = line.get("collision") {
            let struck = hit["b"].as_str().unwrap();
            points += match struck {
                _ if struck.starts_with("bumper") => 100,
                _ if struck.ends_with("sling") => 10,
                _ if struck.ends_with("target") => {
                    targets += 1;
                    50 + if targets % 3 == 0 { 500 } else { 0 }
                }
                _ => 0,
            };
            // Nothing but a bumper, a slingshot, a flipper or the plunger throws a ball back faster than it came.
            let normal = vector(&hit["normal"]);
            let closing = |when: &str| {
                let [ball, other] = [0, 1].map(|side| vector(&hit[when][side]["velocity"]));
                dot(&ball, &normal) - dot(&other, &normal)
            };
            let rebound = -closing("after") / closing("before");
            // A ball that comes sooner than the contact time after its last collision bounces elastically.
            let throws = |restitution: f64| {
                (rebound - restitution).abs() < 1e-9 || (rebound - 1.0).abs() < 1e-9
            };
            let allowed = match struck {
                _ if struck.starts_with("bumper") => throws(1.3),
                _ if struck.ends_with("sling") => throws(1.2),
                // It may come to keep touching them.
                _ if struck.ends_with("wall") || struck == "top" => rebound < 1.0 + 1e-9,
                _ => true,
            };
            assert!(allowed, "{rebound} {struck}");
        } else if let Some(crossing) = line.get("sensor_crossing") {
            let entered = crossing["kind"] == "entered";
            let rollover = crossing["sensor"].as_str().unwrap().starts_with("rollover");
            points += if entered && rollover { 25 } else { 0 };
        }
    }
    let scores = &summary["actions"]["scores"];
    assert_eq!(scores["points"], points);
    assert_eq!(scores["lost"], 3);
    assert!(points > 300, "{points}");
    let done = actions(&lines);
    let has = |what: &str| {
        done.iter()
            .filter(|(_, words)| words.contains(what))
            .count()
    };
    assert_eq!(
        (has("remove ball"), has("add ball 2"), has("add ball 3")),
        (3, 1, 1)
    );
    assert_eq!(has("slide plunger to (0.0, 0.04)"), 3);
    assert!(has("swing left flipper") + has("swing right flipper") > 4);
    assert_eq!(has(&format!("game over: {points} points")), 1);
    assert!(
        ["ball 1", "ball 2", "ball 3"]
            .iter()
            .all(|name| body(&summary, name)["present"] == false)
    );
}

/// A key that is pressed from a file swings the flipper; what is wrong with the file is said with its line.
#[test]
fn keys_are_pressed_from_a_file() {
    let folder = common::folder::Folder::new("keys");
    folder.write(
        "keys.txt",
        "# up and down\n0.25 press left\n0.4 release left\n",
    );
    let keys = folder.path("keys.txt");
    let more = ["--keys", keys.as_str(), "--until", "0.6"];
    let (lines, summary) = played("pinball", &more);
    let done = actions(&lines);
    let expected = [
        "press left",
        "swing left flipper to",
        "release left",
        "swing left flipper to 0",
    ];
    for ((time, what), (at, expected)) in done
        .iter()
        .zip([0.25, 0.25, 0.4, 0.4].into_iter().zip(expected))
    {
        assert!(what.starts_with(expected) && *time == at, "{done:?}");
    }
    assert_eq!(summary["actions"]["by_kind"]["key"], 2);
    folder.write("bad.txt", "0.25 press left\nlater release left\n");
    let output = run(&["run", &scene("pinball"), "--keys", &folder.path("bad.txt")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("bad.txt, line 2: `later release left`"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(text(&output.stdout), "");
}

/// Each brick is struck once, and is gone then; the speed changes only at the bat's ends, by a mirror image in its own
/// frame.
#[test]
fn bricks_of_breakout_vanish_when_they_are_hit() {
    let (lines, summary) = played("breakout", &[]);
    let collisions: Vec<&Value> = lines
        .iter()
        .filter_map(|line| line.get("collision"))
        .collect();
    let struck = |name: &str| collisions.iter().filter(|hit| hit["b"] == name).count();
    let mut gone = 0;
    for name in (1..=32).map(|n| format!("brick {n}")) {
        let times = struck(&name);
        assert!(times <= 1, "{name} was struck {times} times");
        assert_eq!(body(&summary, &name)["present"], times == 0, "{name}");
        gone += times;
    }
    assert_eq!(summary["actions"]["scores"]["bricks"], gone);
    assert_eq!(gone, 32);
    assert_eq!(summary["outcome"]["status"], "stopped");
    let last = actions(&lines);
    assert!(
        last.iter()
            .any(|(_, what)| what.starts_with("all bricks are gone after")),
        "{last:?}"
    );
    for hit in &collisions {
        let bat = if hit["b"] == "bat" {
            vector(&hit["before"][1]["velocity"])
        } else {
            vec![0.0, 0.0]
        };
        let relative = |when: &str| {
            let ball = vector(&hit[when][0]["velocity"]);
            [ball[0] - bat[0], ball[1] - bat[1]]
        };
        let (before, after) = (relative("before"), relative("after"));
        let normal = vector(&hit["normal"]);
        let twice = 2.0 * dot(&before, &normal);
        let mirrored = [before[0] - twice * normal[0], before[1] - twice * normal[1]];
        // Speeds of up to 8 m/s, a dozen roundings.
        assert_near(&after, &mirrored, 32.0 * U * 8.0);
    }
}

/// The cue gives the ball the velocity of the closed form; balls that fall into pockets are gone, the cue ball is not
/// among them, and the run ends when all others are at rest.
#[test]
fn a_break_at_pool_ends_at_rest_with_balls_in_pockets() {
    let (lines, summary) = played("pool", &[]);
    assert_eq!(summary["outcome"]["status"], "stopped");
    let pocketed = summary["actions"]["scores"]["pocketed"].as_u64().unwrap();
    assert!(pocketed > 0, "none of fifteen");
    let first = lines.iter().find_map(|line| line.get("collision")).unwrap();
    assert_eq!(
        (&first["a"], &first["b"]),
        (&"cue ball".into(), &"1".into())
    );
    // (1 + e) V / (1 + m/M + 5/2 (a² + b²)) with an elastic tip: 8 m/s, 0.17 and 0.567 kg, 0.1 and 0.2 radii.
    let speed = 2.0 * 8.0 / (1.0 + 0.17 / 0.567 + 2.5 * (0.01 + 0.04));
    let done = actions(&lines);
    assert!(
        done[0].1.starts_with("set the velocity of cue ball"),
        "{done:?}"
    );
    assert!(
        done[0].1.contains(&format!("{speed:.6}")),
        "{speed}: {done:?}"
    );
    let gone = |body: &&Value| body["motion"] == "free" && body["present"] == false;
    let bodies = summary["bodies"].as_array().unwrap();
    assert_eq!(bodies.iter().filter(gone).count() as u64, pocketed);
    let cue = bodies.iter().find(|body| body["name"] == "cue ball");
    assert_ne!(cue.unwrap()["present"], false);
    for ball in bodies.iter().filter(|body| body["motion"] == "free") {
        assert!(ball["present"] == false || length(&vector(&ball["velocity"])) <= 1e-4);
    }
}

/// The other racks, as the scene says: snooker has a table of its own; its colours were in the cushions of this one.
#[test]
fn pool_has_the_racks_of_other_games() {
    let snooker = "variables.length=3.569 variables.width=1.778 variables.radius=\"26.25 mm\"";
    let words: Vec<String> = std::fs::read_to_string(scene("pool"))
        .unwrap()
        .lines()
        .take_while(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches("# ").replace('\'', "") + " ")
        .collect();
    let words = words.concat();
    for (game, more, balls) in [("nine-ball", "", 10), ("snooker", snooker, 22)] {
        let game = format!("generate.rack.game=\"{game}\"");
        let mut arguments = vec!["--until", "0.3", "--set", &game];
        let settings: Vec<String> = match more {
            "" => Vec::new(),
            more => more.splitn(3, ' ').map(str::to_owned).collect(),
        };
        for setting in settings.iter().chain([&game]) {
            assert!(
                words.contains(&format!("--set {setting}")),
                "{setting}: {words}"
            );
        }
        for setting in &settings {
            arguments.extend(["--set", setting]);
        }
        let (_, summary) = played("pool", &arguments);
        assert_eq!(summary["scene"]["free_bodies"], balls, "{game}");
    }
}

/// All two hundred balls come; whichever a bin notices is counted there once, and taken out.
#[test]
fn a_galton_board_counts_its_balls_in_bins() {
    let (_, summary) = played("galton", &[]);
    let scores = summary["actions"]["scores"].as_object().unwrap();
    let counted: u64 = scores.values().filter_map(Value::as_u64).sum();
    assert_eq!(summary["events"]["edits"]["inserted"], 200);
    assert_eq!(summary["events"]["edits"]["removed"], counted);
    assert!(counted >= 190, "{counted}");
    let of = |bins: std::ops::RangeInclusive<u32>| -> u64 {
        let bins = bins.filter_map(|bin| scores.get(&format!("bin {bin:02}")));
        bins.filter_map(Value::as_u64).sum()
    };
    // The five bins in the middle have more than the three at either end.
    let (left, middle, right) = (of(1..=3), of(4..=8), of(9..=11));
    assert!(middle > left && middle > right, "{left} {middle} {right}");
}
