//! Worked example 1 of the course, and the order of each scheme on it.

use super::{touches_of, worked_example};
use carom::body::Kind;
use carom::prelude::*;
use carom::simulate::{Exact, Stepped};
use carom::simulate::{Scheme, Touch};

fn one_touch(forces: &Forces) -> (Stepped<Space2>, Touch<Space2>) {
    let mut run = Stepped::new(worked_example(), forces).unwrap();
    let touches = touches_of(&mut run, 0.12);
    assert_eq!(touches.len(), 1);
    (run, touches[0])
}

fn close(what: &str, value: f64, truth: f64, tolerance: f64) {
    assert!(
        (value - truth).abs() <= tolerance,
        "{what}: {value} for {truth}, off by {:e}",
        value - truth
    );
}

/// The truth to 1e-12, as asked; at this step the scheme's own error is (ω dt)⁴ ~ 1e-14 of each value, and 9,423 steps
/// round by 1e-16 each.
#[test]
fn the_worked_example_with_attraction() {
    let (run, touch) = one_touch(&Forces::stepping(1e-5));
    assert_eq!(run.scheme(), Scheme::RungeKutta);
    let (bounce, tolerance) = (touch.restitution().unwrap(), 1e-12);
    close("begins", touch.begin, 0.0, 1e-15);
    close("lasts", touch.duration(), 0.094225702645802574, tolerance);
    close("ε", bounce, 0.70856553542136624, tolerance);
    let [a, b] = touch.after.map(|side| side.velocity.x);
    close("v_a", a, 0.071523907742977229, tolerance);
    close("v_b", b, 0.17780873805618217, tolerance);
    let [a, b] = touch.places[1].map(|place| place.x);
    close("x_a", a, 0.30785214188715021, tolerance);
    close("x_b", b, 0.45785214188715021, tolerance);
    close("deepest", touch.deepest, 0.0038098416433798502, tolerance);
    let when = touch.deepest_at;
    close("when deepest", when, 0.043836857960897321, tolerance);
    let impulse = 0.8 * (0.071523907742977229 - 0.1);
    close("impulse", touch.impulse.x, impulse, tolerance);
    // After the contact both fly on.
    let state = run.state(BodyId(0));
    let flown = 0.30785214188715021 + (0.12 - 0.094225702645802574) * 0.071523907742977229;
    close("x_a at 0.12 s", state.position.x, flown, tolerance);
}

/// The ten digits that are given.
#[test]
fn the_worked_example_without_attraction() {
    let (_, touch) = one_touch(&Forces::stepping(1e-5).cut_off());
    close("lasts", touch.duration(), 0.0876737159, 0.5e-10);
    close("ε", touch.restitution().unwrap(), 0.725744667, 0.5e-9);
    let [a, b] = touch.after.map(|side| side.velocity.x);
    close("v_a", a, 0.0712375889, 0.5e-10);
    close("v_b", b, 0.1800992890, 0.5e-10);
    // And the closed form to 1e-12: ε = e^(−βt), t = 2 atan2(ω_d, β)/ω_d.
    let mass: f64 = 0.8 * 0.1 / 0.9;
    let beta = 0.65 / (2.0 * mass);
    let omega = (100.0 / mass - beta * beta).sqrt();
    let time = 2.0 * omega.atan2(beta) / omega;
    close("lasts", touch.duration(), time, 1e-12);
    close(
        "ε",
        touch.restitution().unwrap(),
        (-beta * time).exp(),
        1e-12,
    );
}

/// By impulses with ε = 0.7 the same world gives the other column of the example.
#[test]
fn both_methods_on_one_world() {
    let mut run = Exact::new(worked_example()).unwrap();
    run.run_to(0.12).unwrap();
    close(
        "v_a",
        run.state(BodyId(0)).velocity.x,
        0.0716666666666666667,
        1e-15,
    );
    close(
        "v_b",
        run.state(BodyId(1)).velocity.x,
        0.1766666666666666667,
        1e-15,
    );
}

/// How the error of the final velocity falls as the step is halved: the slope is the order.
fn slopes(forces: impl Fn(f64) -> Forces, first: f64) -> Vec<f64> {
    let errors: Vec<f64> = (0..5)
        .map(|halvings| {
            // Starts a little before the contact, so that it begins within a step.
            let step = first / f64::from(1 << halvings);
            let mut world = World2::new();
            let from = worked_example();
            world.materials = from.materials.clone();
            for body in from.bodies() {
                let mut body = body.clone();
                if let Kind::Free(free) = &body.kind {
                    body.pose.position += free.velocity * -0.00377;
                }
                world.add(body).unwrap();
            }
            let mut run = Stepped::new(world, &forces(step)).unwrap();
            let touch = touches_of(&mut run, 0.12)[0];
            (touch.after[1].velocity.x - 0.17780873805618217).abs()
        })
        .collect();
    println!("{errors:?}");
    (errors.windows(2))
        .map(|pair| (pair[0] / pair[1]).log2())
        .collect()
}

/// Runge–Kutta with contacts located has its order 4; the slope is within 0.15 of it where rounding (1e-16) is far
/// below the error (1e-8 to 1e-12).
#[test]
fn runge_kutta_is_of_order_four_where_contacts_are_located() {
    for slope in slopes(Forces::stepping, 2e-3) {
        assert!((slope - 4.0).abs() < 0.15, "{slope}");
    }
}

/// Where they are not, the steps in which contacts begin and end are off by their first power in the force, and the
/// mean slope over a factor of 16 is near one or two, far from four.
#[test]
fn without_locating_the_order_is_lost() {
    let slopes = slopes(|step| Forces::stepping(step).locating(false), 2e-3);
    let mean = slopes.iter().sum::<f64>() / slopes.len() as f64;
    assert!(mean > 0.5 && mean < 3.0, "{slopes:?}");
}
