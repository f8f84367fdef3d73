//! Balls that slide, roll and come to rest.

use super::*;

/// Grains come to rest: on the floor, between the walls, no faster than a contact time of falling explains.
#[test]
fn grains_come_to_rest_with_a_contact_time() {
    let summary = summary("grains");
    check_books(&summary);
    assert!(number(&summary["audit"]["lost_in_collisions"]) > 0.0);
    // What keeps touching in the end is an island: overlaps up to 1e-6 of the smallest radius.
    assert!(number(&summary["audit"]["deepest_overlap"]) < 1e-6 * 0.02);
    let bodies = summary["bodies"].as_array().unwrap().iter();
    let grains: Vec<&Value> = bodies.filter(|body| body["motion"] == "free").collect();
    assert_eq!(grains.len(), 25);
    for grain in grains {
        let [x, y] = vector(&grain["position"])[..] else {
            panic!("a place in the plane")
        };
        // The radii are between 0.02 and 0.029 m; a heap of 25 between walls 0.4 m apart has at most five layers.
        assert!((0.02..=0.38).contains(&x), "{grain}");
        assert!((0.02..=5.0 * 0.058).contains(&y), "{grain}");
        // What falls for t_c has a speed of g t_c = 0.01 m/s; what a grain receives from its neighbours is of that
        // size.
        assert!(length(&vector(&grain["velocity"])) < 0.1, "{grain}");
    }
}

/// P1: a disc that rolls has g sin a/(1 + ½), one that slides without friction g sin a. Speeds of 9 m/s and ways of 7
/// m, a few dozen roundings.
#[test]
fn a_disc_rolls_down_a_slope_and_ice_slides() {
    let summary = summary("slope");
    check_books(&summary);
    let (g, t, down) = (9.81, 1.5, [0.8, -0.6]);
    let tolerance = 64.0 * U * 9.0;
    for (name, acceleration, start) in [
        ("rolls", 0.4 * g, [0.06, 0.08]),
        ("slides", 0.6 * g, [0.86, -0.52]),
    ] {
        let ball = body(&summary, name);
        let (speed, way) = (acceleration * t, 0.5 * acceleration * t * t);
        let velocity = down.map(|along| along * speed);
        assert_near(&vector(&ball["velocity"]), &velocity, tolerance);
        let place = [start[0] + down[0] * way, start[1] + down[1] * way];
        assert_near(&vector(&ball["position"]), &place, tolerance);
    }
    // Clockwise, at v/r: ten times the roundings.
    let angular_velocity = number(&body(&summary, "rolls")["angular_velocity"]);
    assert_near(&[angular_velocity], &[-0.4 * g * t / 0.1], 10.0 * tolerance);
    assert_eq!(body(&summary, "slides")["angular_velocity"], 0.0);
    assert_eq!(lasting_losses(&summary), 0.0);
}

/// 2v/(7μg) over 12v²/(49μg) to grip, at 5/7 of the speed; then over v²/(2 μ_r g) to rest. Of ½mv² sliding takes 2/7,
/// rolling resistance the rest.
#[test]
fn a_billiard_ball_slides_rolls_and_stops() {
    let summary = summary("table_roll");
    check_books(&summary);
    let (g, speed, mass) = (9.81, 2.0, 0.17);
    let rolling = 5.0 / 7.0 * speed;
    let way = 12.0 * speed * speed / (49.0 * 0.2 * g) + rolling * rolling / (2.0 * 0.01 * g);
    let ball = body(&summary, "ball");
    // Ways of 11 m, a few dozen roundings.
    let place = vector(&ball["position"]);
    assert_near(&place, &[way, 0.0, 0.03], 64.0 * U * 11.0);
    assert_eq!(vector(&ball["velocity"]), [0.0, 0.0, 0.0]);
    assert_eq!(vector(&ball["angular_velocity"]), [0.0, 0.0, 0.0]);
    let lasting = &summary["audit"]["losses"]["lasting"];
    let all = 0.5 * mass * speed * speed;
    assert_near(
        &[number(&lasting["sliding"])],
        &[2.0 / 7.0 * all],
        64.0 * U * all,
    );
    assert_near(
        &[number(&lasting["rolling"])],
        &[5.0 / 7.0 * all],
        64.0 * U * all,
    );
    // It grips half-way through a run that ends then.
    let grips = 2.0 * speed / (7.0 * 0.2 * g);
    let until = format!("run.until={grips}");
    let (_, early) = events("table_roll", &["--set", &until]);
    let velocity = vector(&body(&early, "ball")["velocity"]);
    assert_near(&velocity, &[rolling, 0.0, 0.0], 64.0 * U * speed);
}

/// It grips at a third of the belt's speed after w/(3μg), and the other two thirds go to rolling resistance, at μ_r g.
#[test]
fn a_belt_carries_a_disc_along() {
    let summary = summary("belt");
    check_books(&summary);
    let (g, belt, end) = (9.81, 1.5, 10.0);
    let (friction, resistance) = (0.3 * g, 0.02 * g);
    let grips = belt / (3.0 * friction);
    let backwards = 2.0 / 3.0 * belt;
    let rolls = backwards / resistance;
    let way = 0.5 * friction * grips * grips + belt * rolls
        - backwards * backwards / (2.0 * resistance)
        + belt * (end - grips - rolls);
    let disc = body(&summary, "disc");
    // Ways of 15 m, a few dozen roundings.
    assert_near(&vector(&disc["position"]), &[way, 0.1], 64.0 * U * 15.0);
    assert_eq!(vector(&disc["velocity"]), [belt, 0.0]);
    assert_eq!(disc["angular_velocity"], 0.0);
    // The belt pushes with the same force over w t as the disc feels: m w² of work, of which the disc keeps half.
    let audit = &summary["audit"];
    assert_near(
        &[number(&audit["work_by_kinematic"])],
        &[belt * belt],
        64.0 * U * 3.0,
    );
    assert_near(
        &[lasting_losses(&summary)],
        &[0.5 * belt * belt],
        64.0 * U * 3.0,
    );
}

/// Nothing moves any more, everything is in the bin and on something, and the energy is accounted for.
#[test]
fn a_pile_of_discs_comes_to_rest() {
    let summary = summary("pile");
    assert_eq!(summary["outcome"]["status"], "stopped");
    let reason = summary["outcome"]["reason"].as_str().unwrap();
    assert!(reason.contains("at rest"), "{reason}");
    let audit = &summary["audit"];
    let [before, after] = ["energy_initial", "energy"].map(|key| number(&audit[key]["total"]));
    assert_eq!(number(&audit["energy"]["translational"]), 0.0);
    assert_eq!(number(&audit["energy"]["rotational"]), 0.0);
    // Thousands of collisions, each with a few dozen roundings of energies below the whole.
    let collisions = number(&summary["collisions"]["total"]);
    let tolerance = 32.0 * U * (1.0 + collisions) * before;
    assert_near(&[number(&audit["energy_residual"])], &[0.0], tolerance);
    let lost = number(&audit["lost_in_collisions"]) + lasting_losses(&summary);
    assert_near(&[before - after], &[lost], tolerance);
    assert!(lasting_losses(&summary) > 0.0);
    // Islands are projected to a millionth of the radius, but for what the solver leaves while they fall.
    assert!(number(&audit["deepest_overlap"]) < 1e-5);
    let discs =
        (summary["bodies"].as_array().unwrap().iter()).filter(|body| body["shape"] == "ball");
    let places: Vec<Vec<f64>> = discs.map(|disc| vector(&disc["position"])).collect();
    assert_eq!(places.len(), 60);
    for place in &places {
        assert!((0.04 - 1e-9..=1.26 + 1e-9).contains(&place[0]), "{place:?}");
        // Within reach of the floor or of a disc that is lower.
        let rests = place[1] < 0.06 + 1e-9
            || places.iter().any(|other| {
                let apart = [other[0] - place[0], other[1] - place[1]];
                other[1] < place[1] && length(&apart) <= 0.12 + 1e-9
            });
        assert!(rests, "{place:?} hangs in the air");
    }
}

/// The summary for people has the new accounts where there is something in them, and only there.
#[test]
fn accounts_of_contacts_and_fields_are_shown_where_they_are_not_empty() {
    let shown = |name| text(&run(&["run", &scene(name)]).stdout);
    let rolled = shown("table_roll");
    assert!(
        rolled.contains("0.0971429 sliding, 0.242857 rolling)"),
        "{rolled}"
    );
    let fallen = shown("drag");
    assert!(fallen.contains("  fields     25.6009 J lost"), "{fallen}");
    let neither = shown("bat");
    assert!(!neither.contains("  contacts") && !neither.contains("  fields"));
}

/// Discs that rest on their springs: nothing has fallen through, the floor is near, and the books balance to what the
/// scheme leaves.
#[test]
fn bed_of_discs() {
    let (_, summary) = events("bed_of_discs", &[]);
    assert_eq!(summary["scene"]["method"], "forces");
    assert_eq!(summary["outcome"]["status"], "completed");
    let audit = &summary["audit"];
    let before = number(&audit["energy_initial"]["total"]);
    let lasting = &audit["losses"]["lasting"];
    assert!(number(&lasting["damping"]) > 0.1 * before);
    assert!(number(&lasting["sliding"]) > 0.01 * before);
    // Verlet with fifty steps to a contact: the dampers see a velocity that is half a step late, (ω dt/2) of what they
    // take.
    assert!(number(&audit["energy_residual"]).abs() < 0.03 * before);
    let discs = summary["bodies"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|body| body["shape"] == "ball");
    let places: Vec<Vec<f64>> = discs.map(|disc| vector(&disc["position"])).collect();
    assert_eq!(places.len(), 81);
    for place in &places {
        assert!(
            (0.02..0.98).contains(&place[0]) && place[1] > 0.02,
            "{place:?}"
        );
    }
    // 81 discs with a mean square radius of 0.0375² m² or so fill at most 0.9 of what they lie in.
    let highest = places.iter().map(|place| place[1]).fold(0.0, f64::max);
    assert!((0.3..0.7).contains(&highest), "{highest}");
}
