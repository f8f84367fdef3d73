//! Flights under gravity and in fields.

use super::*;

/// Falls from h: √(2h/g); then each flight is ε times as long as the one before, and as high by ε².
#[test]
fn a_ball_on_mars_bounces_for_longer_and_longer() {
    let (collisions, summary) = events("mars", &[]);
    check_books(&summary);
    let (g, height, restitution) = (3.71, 2.0_f64, 0.8);
    let fall = (2.0 * height / g).sqrt();
    assert_eq!(collisions.len(), 9);
    let (mut time, mut speed) = (fall, g * fall);
    for hit in &collisions {
        // Nine bounces at up to 8 s, each dated to a few roundings of the time and of the 2 m over the speed, which
        // falls to 0.5 m/s.
        assert_near(
            &[number(&hit["time"])],
            &[time],
            64.0 * U * (8.0 + 2.0 / speed),
        );
        speed *= restitution;
        time += 2.0 * speed / g;
        assert_near(
            &vector(&hit["after"][0]["velocity"]),
            &[0.5, speed],
            64.0 * U * 4.0,
        );
    }
}

/// P6: until 4 s it bounces as on Earth, from then on as on Mars, from the very place and velocity that it had; the
/// energy that the change of gravity takes is an account of its own.
#[test]
fn a_ball_goes_from_earth_to_mars_in_mid_flight() {
    let (collisions, summary) = events("earth_to_mars", &[]);
    assert_eq!(summary["outcome"]["status"], "completed");
    assert_eq!(summary["actions"]["by_kind"]["change"], 1);
    assert_eq!(summary["events"]["edits"]["gravity"], 1);
    let (height, restitution) = (2.0_f64, 0.9);
    let (mut g, mut time, mut speed) = (9.81, 0.0, 0.0);
    let mut flight = (2.0 * height / g).sqrt();
    let mut begins = height;
    for hit in &collisions {
        if time < 4.0 && time + flight > 4.0 {
            // In mid-flight: the place and the velocity that it has then, and the root of y + v s − g s²/2 = 0.
            let since = 4.0 - time;
            let (y, v) = (
                begins + speed * since - 0.5 * g * since * since,
                speed - g * since,
            );
            g = 3.71;
            (time, speed) = (4.0, v);
            flight = (v + (v * v + 2.0 * g * y).sqrt()) / g;
        }
        time += flight;
        // A few roundings of 8 s and of 2 m over the speed.
        assert_near(
            &[number(&hit["time"])],
            &[time],
            256.0 * U * (8.0 + 2.0 / 0.3),
        );
        speed = restitution * (g * flight - speed);
        assert_near(
            &vector(&hit["after"][0]["velocity"]),
            &[0.5, speed],
            256.0 * U * 8.0,
        );
        begins = 0.0;
        flight = 2.0 * speed / g;
    }
    assert!(collisions.len() == 7 && g == 3.71 && time + flight > 8.0);
}

/// P5: stopping to look changes nothing, to the bit.
#[test]
fn what_happens_on_mars_does_not_depend_on_how_often_one_looks() {
    let (mut once, _) = start("mars");
    assert_eq!(once.run_to(8.0), Ok(End::Time));
    for steps in [7, 60, 480] {
        let (mut often, world) = start("mars");
        for step in 1..=steps {
            let time = 8.0 * f64::from(step) / f64::from(steps);
            assert_eq!(often.run_to(time), Ok(End::Time));
        }
        assert_eq!(often.digest(), once.digest());
        let ball = world.find("ball").unwrap();
        assert_eq!(often.state(ball).position, once.state(ball).position);
    }
}

/// P2: v = v_t tanh(g t/v_t) over v_t²/g · ln cosh(g t/v_t), and v = g τ (1 − exp(−t/τ)) over τ (g t − v).
///
/// A piece is within 10⁻¹² of 1 + what it flies or how fast it is, at most 1 + 7 here: of fewer than 100 pieces in 3 s,
/// 100 (1 + 3) 8 · 10⁻¹² at most.
#[test]
fn balls_fall_through_air_as_they_must() {
    let summary = summary("drag");
    check_flown(&summary);
    let (g, t, mass) = (9.81_f64, 3.0, 0.1);
    let tolerance = 3.2e-9;
    let top = (mass * g / 0.02).sqrt();
    let (speed, way) = (
        top * (g * t / top).tanh(),
        top * top / g * (g * t / top).cosh().ln(),
    );
    let ball = body(&summary, "quadratic");
    assert_near(&vector(&ball["velocity"]), &[0.0, -speed], tolerance);
    assert_near(&vector(&ball["position"]), &[-1.0, 20.0 - way], tolerance);
    let decay = mass / 0.2;
    let speed = g * decay * (1.0 - (-t / decay).exp());
    let way = decay * (g * t - speed);
    let ball = body(&summary, "linear");
    assert_near(&vector(&ball["velocity"]), &[0.0, -speed], tolerance);
    assert_near(&vector(&ball["position"]), &[1.0, 20.0 - way], tolerance);
    // What the weight gave and they do not have, the air has.
    let audit = &summary["audit"];
    let [before, after] = ["energy_initial", "energy"].map(|key| number(&audit[key]["total"]));
    let lost = number(&audit["losses"]["fields"]);
    assert!(lost > 1.0, "{lost}");
    assert_near(&[before - after], &[lost], tolerance);
}

/// What holds of a flight through fields: it is complete, and the books balance within what the scenes' tolerance of
/// 10⁻¹² leaves of their energies, of some ten joules, and momenta, in fewer than a thousand pieces.
fn check_flown(summary: &Value) {
    assert_eq!(summary["outcome"]["status"], "completed");
    assert_eq!(summary["collisions"]["total"], 0);
    let audit = &summary["audit"];
    assert!(number(&audit["energy_residual"]).abs() < 1e-8);
    assert!(length(&vector(&audit["momentum_residual"])) < 1e-8);
}

/// P7, P2: w (1 − exp(−1/τ)) when the gust is over, and less by exp(−2/τ) in the end, where the ball is at w · 1 s − τ
/// v. Tolerance as above.
#[test]
fn a_gust_takes_a_ball_along_and_leaves_it() {
    let summary = summary("wind");
    check_flown(&summary);
    let decay = 0.2 / 0.25;
    let ball = body(&summary, "ball");
    let left = (1.0 - (-1.0_f64 / decay).exp()) * (-2.0_f64 / decay).exp();
    let velocity = [3.0 * left, left];
    assert_near(&vector(&ball["velocity"]), &velocity, 3.2e-9);
    let place = [3.0 - decay * velocity[0], 1.0 - decay * velocity[1]];
    assert_near(&vector(&ball["position"]), &place, 3.2e-9);
    // The air gave it all the momentum and energy that it has: m v, and ½ m v² as a loss below zero.
    let audit = &summary["audit"];
    let given = vector(&audit["momentum_from_fields"]);
    assert_near(&given, &velocity.map(|v| 0.2 * v), 3.2e-9);
    let energy = 0.1 * dot(&velocity, &velocity);
    assert_near(&[number(&audit["losses"]["fields"])], &[-energy], 3.2e-9);
}

/// m v′ = m g + C ω×v with Ω = C ω/m: a cycloid that drifts at g/Ω. At whole periods it is at rest again; the other
/// goes straight on. Tolerance as above: speeds below 5 m/s, ways below 8 m.
#[test]
fn lift_turns_a_fall_into_arches() {
    let summary = summary("magnus");
    check_flown(&summary);
    let drift = 9.81 / 4.0;
    let fallen = body(&summary, "let go");
    assert_near(&vector(&fallen["velocity"]), &[0.0, 0.0], 3.2e-9);
    assert_near(&vector(&fallen["position"]), &[drift * PI, 0.0], 3.2e-9);
    assert_eq!(fallen["angular_velocity"], 200.0);
    let carried = body(&summary, "carried");
    assert_near(&vector(&carried["velocity"]), &[drift, 0.0], 3.2e-9);
    assert_near(&vector(&carried["position"]), &[drift * PI, 1.0], 3.2e-9);
    // Across the way: lift does no work. Half-way through an arch it is 2 g/Ω² down, at twice the drift.
    assert_near(
        &[number(&summary["audit"]["losses"]["fields"])],
        &[0.0],
        1e-9,
    );
    let (_, lowest) = events("magnus", &["--set", "run.until=pi / 4"]);
    let fallen = body(&lowest, "let go");
    assert_near(&vector(&fallen["velocity"]), &[2.0 * drift, 0.0], 3.2e-9);
    let place = [drift * PI / 4.0, -9.81 / 8.0];
    assert_near(&vector(&fallen["position"]), &place, 3.2e-9);
}

/// Kepler: back after 2π s; half-way at a (1 + e) and v_p (1 − e)/(1 + e).
///
/// An error δv at speed v changes the energy by v δv and with it the period by 3 · 2π v δv, so that the satellite is
/// off by 6π v² δv < 57 δv; its acceleration there, 4 m/s², makes 4/1.7 of that of the velocity. Fewer than a hundred
/// pieces of 2 · 10⁻¹² m/s make 10⁻⁸ m at the very worst.
#[test]
fn a_satellite_comes_back_after_a_period() {
    let summary = summary("orbit");
    check_flown(&summary);
    let satellite = body(&summary, "satellite");
    assert_near(&vector(&satellite["position"]), &[0.5, 0.0], 1e-8);
    let speed = 3.0_f64.sqrt();
    assert_near(&vector(&satellite["velocity"]), &[0.0, speed], 3e-8);
    let (_, half) = events("orbit", &["--set", "run.until=pi"]);
    let satellite = body(&half, "satellite");
    assert_near(&vector(&satellite["position"]), &[-1.5, 0.0], 1e-8);
    assert_near(&vector(&satellite["velocity"]), &[0.0, -speed / 3.0], 1e-8);
    // −GM m/2a, all the way.
    assert_near(&[number(&half["audit"]["energy"]["total"])], &[-0.5], 1e-9);
}
