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

/// Explicit Euler does not keep energy: the residual is not booked anywhere, but said, to people and to programs.
#[test]
fn an_open_budget_is_warned_of() {
    let summary = json("euler-momentum");
    let warnings = summary["warnings"].as_array().expect("a list");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let warning = warnings[0].as_str().unwrap();
    assert!(
        warning.starts_with("the energy budget is open by 1.229e-1 J"),
        "{warning}"
    );
    assert!(
        warning.contains("explicit Euler does not keep energy"),
        "{warning}"
    );
    let shown = text(&run(&["run", &budget("euler-momentum")]).stdout);
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
