//! What must hold of a run with joints: its budgets close, and rods between centres have their lengths in the end.

use super::{Case, Fault, states};
use crate::geometry::{V, length, sub};
use crate::picture::{self, list};
use serde_json::Value;

/// How much of all that is in the books a residual may be: by impulses, what integrating leaves; by forces the error of
/// the scheme, with sliders that are let go at the ends of steps.
const OPEN: [f64; 2] = [1e-6, 2e-2];
/// How far a rod may be from its length, m: between the ends of segments polynomials leave the circle a little.
const OFF: f64 = 1e-9;

pub(super) fn judge(case: &Case, faults: &mut Vec<Fault>) {
    let (summary, json) = (&case.summary, &case.scene.json);
    let mut fault = |cause: &str, detail: String| faults.push(Fault::new(cause, detail));
    let (outcome, until) = (&summary["outcome"], json["run"]["until"].as_f64());
    if !(outcome["status"] == "completed" && outcome["time"].as_f64() == until) {
        fault("ended at another time", outcome.to_string());
    }
    let real = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let audit = &summary["audit"];
    let scale = ["energy_initial", "energy"]
        .map(|when| real(&audit[when]["kinetic"]).abs() + real(&audit[when]["potential"]).abs())
        .iter()
        .sum::<f64>()
        + real(&audit["lost_in_collisions"]).abs()
        + 1.0;
    let residual = real(&audit["energy_residual"]).abs();
    let open = OPEN[usize::from(json["method"] == "forces")];
    if !(residual <= open * scale) {
        fault("energy budget open", format!("{residual:e} J of {scale} J"));
    }
    let place = |name: &Value| -> Option<V> {
        let state = states::state(summary, name.as_str()?)?;
        Some(picture::vector(&state["position"]))
    };
    let start = |name: &Value| -> Option<V> {
        let body = list(json, "bodies")
            .iter()
            .find(|body| body["name"] == *name)?;
        Some(picture::vector(&body["position"]))
    };
    for rod in list(json, "joint")
        .iter()
        .filter(|joint| joint["kind"] == "distance")
    {
        let ends = |of: &dyn Fn(&Value) -> Option<V>| {
            let other = match rod["between"].get(1) {
                Some(name) => of(name)?,
                None => picture::vector(&rod["point"]),
            };
            Some(length(sub(of(&rod["between"][0])?, other)))
        };
        match (ends(&start), ends(&place)) {
            (Some(before), Some(now)) if (before - now).abs() <= OFF => {}
            (before, now) => fault("a rod has another length", format!("{before:?} {now:?} m")),
        }
    }
}
