//! Games, gates and groups.

use super::*;

/// Balls touch the gate's faces at x = 2 and 3 with their radius of 0.25 m; the slow one comes back from 4.75 m.
#[test]
fn a_gate_notices_who_passes_and_when() {
    let (mut run, world) = start("gate");
    let mut seen = Vec::new();
    let end = run.run_until(10.0, |event| {
        match event {
            Event::Entered(passage) => seen.push((passage.ball, true, passage.time)),
            Event::Left(passage) => seen.push((passage.ball, false, passage.time)),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    assert_eq!(end, Ok(End::Time));
    let (fast, slow) = (world.find("fast").unwrap(), world.find("slow").unwrap());
    let expected = [
        (fast, true, 0.875),
        (fast, false, 1.625),
        (slow, true, 1.75),
        (slow, false, 3.25),
        (slow, true, 6.25),
        (slow, false, 7.75),
    ];
    assert_eq!(seen.len(), expected.len(), "{seen:?}");
    for (seen, expected) in seen.iter().zip(expected) {
        assert_eq!((seen.0, seen.1), (expected.0, expected.1));
        assert_near(&[seen.2], &[expected.2], 16.0 * U * 8.0);
    }
    // The fast one meets only gates, and goes through the wall.
    assert_eq!(run.state(fast).position.x, 20.0);
    assert_eq!(run.collisions(), 1);
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

/// At each collision ε is that of the two materials: bumpers and the bottom kick by 1.3, rails, sides, arc and arm
/// take.
#[test]
fn pinball_gives_at_bumpers_and_takes_at_rails() {
    let (collisions, summary) = events("pinball", &[]);
    check_books(&summary);
    let mut bumps = 0;
    for hit in &collisions {
        let kicks = hit["b"].as_str().unwrap().starts_with("b");
        let restitution = if kicks { 1.3 } else { 0.8 };
        bumps += u32::from(kicks);
        let normal = vector(&hit["normal"]);
        // The arm turns: its velocity at the point of contact, from its spin about (0.5, 0.6).
        let point = vector(&hit["point"]);
        let turning = if hit["b"] == "arm" {
            [-3.0 * (point[1] - 0.6), 3.0 * (point[0] - 0.5)]
        } else {
            [0.0, 0.0]
        };
        let closing = |when: &str| {
            let ball = vector(&hit[when][0]["velocity"]);
            dot(&ball, &normal) - dot(&turning, &normal)
        };
        assert!(closing("before") < 0.0);
        // Speeds of up to 5 m/s; the arm's point is known to the roundings of places of 1 m.
        let rebound = -restitution * closing("before");
        assert_near(&[closing("after")], &[rebound], 64.0 * U * 5.0);
    }
    assert!(bumps >= 5, "{bumps}");
    let [x, y] = vector(&body(&summary, "ball")["position"])[..] else {
        panic!("a place in the plane")
    };
    assert!((0.0135..=0.9865).contains(&x) && (0.0135..=1.9865).contains(&y));
}

/// All four bricks are struck, none is pushed; the speed changes only at the bat's ends, by a mirror image in its own
/// frame.
#[test]
fn breakout_strikes_all_bricks_and_the_bat_plays_on() {
    let (collisions, summary) = events("breakout", &[]);
    check_books(&summary);
    let struck: BTreeSet<&str> = collisions
        .iter()
        .filter_map(|hit| hit["b"].as_str())
        .collect();
    for name in [
        "bat", "brick 1", "brick 2", "brick 3", "brick 4", "left", "right",
    ] {
        assert!(struck.contains(name), "{name} is not struck");
    }
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
        // Speeds of up to 5 m/s, a dozen roundings.
        assert_near(&after, &mirrored, 32.0 * U * 5.0);
    }
}
