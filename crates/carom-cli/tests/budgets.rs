//! What the command says about budgets: warnings where they do not close, and refusals of what cannot close.

mod common;

use common::*;
use serde_json::Value;

fn budget(name: &str) -> String {
    format!("{}/tests/budgets/{name}.json", env!("CARGO_MANIFEST_DIR"))
}

fn json(name: &str) -> Value {
    let output = run(&["run", &budget(name), "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Explicit Euler does not keep energy. What it adds to a ball on a spring is an account of its own, from the formula
/// of the scheme, and the residual stays a check.
#[test]
fn what_explicit_euler_adds_is_an_account_of_its_own() {
    let summary = json("euler-momentum");
    assert_eq!(summary["warnings"], serde_json::json!([]));
    let audit = &summary["audit"];
    // The scheme by hand: 100 steps of 0.01 s, 2 kg on 4 N/m, of which the last one gets its new velocity when it is
    // over.
    let (mut x, mut v) = (2.0_f64, 0.0_f64);
    for step in 0..100 {
        let pull = -2.0 * x;
        x += 0.01 * v;
        if step < 99 {
            v += 0.01 * pull;
        }
    }
    let added = v * v + 2.0 * x * x - 8.0;
    let booked = -number(&audit["losses"]["integration"]);
    assert!((booked - added).abs() < 1e-12, "{booked} {added}");
    assert!(number(&audit["energy_residual"]).abs() < 1e-13, "{audit}");
    let shown = text(&run(&["run", &budget("euler-momentum")]).stdout);
    assert!(
        shown.contains("J added by the error of explicit Euler"),
        "{shown}"
    );
}

/// A budget that does not close is said, to people and to programs: by forces, with explicit Euler.
#[test]
fn an_open_budget_is_warned_of() {
    let scene = scene("two_discs");
    let coarse = [
        "run",
        &scene,
        "--method",
        "forces",
        "--set",
        "forces.spring_time=1e-3",
        "--set",
        "forces.step=1e-4",
        "--set",
        "forces.integrator=\"euler\"",
    ];
    let output = run(&[&coarse[..], &["--json"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let summary: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let warnings = summary["warnings"].as_array().expect("a list");
    let open = |warning: &&Value| {
        let text = warning.as_str().unwrap();
        text.starts_with("the energy budget is open by") && text.contains("shorter ones do better")
    };
    assert_eq!(warnings.iter().filter(open).count(), 1, "{warnings:?}");
    let shown = text(&run(&coarse).stdout);
    assert!(
        shown.contains("  warning    the energy budget is open by"),
        "{shown}"
    );
}

/// Where the books close there is nothing to warn of.
#[test]
fn closed_budgets_are_not() {
    assert_eq!(json("spin-drag-rolling")["warnings"], serde_json::json!([]));
    for name in ["break", "galperin", "newton_cradle", "shaken_floor"] {
        assert_eq!(summary(name)["warnings"], serde_json::json!([]), "{name}");
    }
}

/// What friction puts in is shown beside what is lost.
#[test]
fn what_friction_puts_in_is_shown() {
    let summary = json("negative-sliding-loss");
    let lasting = &summary["audit"]["losses"]["lasting"];
    assert!(
        number(&lasting["sliding"]) >= 0.0 && number(&lasting["energy_added_by_friction"]) > 0.5
    );
    let shown = text(&run(&["run", &budget("negative-sliding-loss")]).stdout);
    assert!(shown.contains("added by friction"), "{shown}");
}

/// `check` and `run`, by both methods, refuse a field that does not fit a periodic box.
#[test]
fn a_field_that_does_not_fit_the_box_is_refused_alike() {
    let path = budget("spring-field-in-periodic-box");
    for arguments in [
        &["check", &path][..],
        &["run", &path],
        &["run", &path, "--method", "forces"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let complaint = text(&output.stderr);
        assert!(
            complaint.contains("spring does not fit the periodic box"),
            "{complaint}"
        );
    }
}
