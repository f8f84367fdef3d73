//! What must hold of a run in which rules change things: its budgets close, its counts fit, and it ends where it says.

use super::{Case, Fault};
use crate::picture::{self, list};
use serde_json::Value;

/// How much of all that is in the books a residual may be.
const OPEN: f64 = 1e-9;

pub(super) fn judge(case: &Case, faults: &mut Vec<Fault>) {
    let summary = &case.summary;
    let mut fault = |cause: &str, detail: String| faults.push(Fault::new(cause, detail));
    let (outcome, until) = (
        &summary["outcome"],
        case.scene.json["run"]["until"].as_f64(),
    );
    let by_rule = outcome["reason"] == "an action ended the run";
    let completed = outcome["status"] == "completed" && outcome["time"].as_f64() == until;
    if !(completed || outcome["status"] == "stopped" && by_rule) {
        fault("ended at another time", outcome.to_string());
    }
    let real = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let audit = &summary["audit"];
    let scale = ["energy_initial", "energy"]
        .map(|when| real(&audit[when]["kinetic"]).abs() + real(&audit[when]["potential"]).abs())
        .iter()
        .sum::<f64>()
        + real(&audit["lost_in_collisions"]).abs()
        + real(&audit["work_by_kinematic"]).abs()
        + 1.0;
    let residual = real(&audit["energy_residual"]).abs();
    if !(residual <= OPEN * scale) {
        fault("energy budget open", format!("{residual:e} J of {scale} J"));
    }
    for body in list(summary, "bodies") {
        let place = picture::vector(&body["position"]);
        if !place.iter().all(|number| number.is_finite()) {
            fault("not finite", body.to_string());
        }
    }
    let kinds = summary["actions"]["by_kind"].as_object();
    let counted: u64 = kinds
        .into_iter()
        .flat_map(|kinds| kinds.values())
        .filter_map(Value::as_u64)
        .sum();
    if summary["actions"]["total"].as_u64() != Some(counted) {
        fault("actions are miscounted", summary["actions"].to_string());
    }
}
