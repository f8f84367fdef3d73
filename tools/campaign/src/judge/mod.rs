//! What is wrong with a run, seen from outside.

mod again;
mod books;
mod joints;
mod message;
mod rest;
mod rules;
mod states;

use crate::command::{Carom, Ended, Ran};
use crate::make::{Kind, Scene};
use crate::picture::{self, list};
use serde_json::Value;
use std::io;
use std::path::Path;
use std::time::Duration;

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind: failures are counted by it.
    pub cause: String,
    /// Who, where, how much.
    pub detail: String,
}

impl Fault {
    fn new(cause: impl Into<String>, detail: impl Into<String>) -> Self {
        Fault {
            cause: cause.into(),
            detail: detail.into(),
        }
    }
}

/// Which of the checks that need further runs are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Again {
    /// The same digest twice.
    pub twice: bool,
    /// With frames as without.
    pub frames: bool,
    /// Interrupted and resumed.
    pub segments: bool,
    /// Killed and resumed.
    pub killed: bool,
    /// Until everything is at rest, where it has to come to rest.
    pub rest: bool,
}

impl Again {
    /// Each for one scene in eight, the last for one in four.
    pub fn of_scene(index: u64) -> Again {
        let turn = index % 8;
        Again {
            twice: turn == 1,
            frames: turn == 3,
            segments: turn == 5,
            killed: turn == 7,
            rest: turn % 4 == 2,
        }
    }
}

/// What came of a scene.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// What is wrong; nothing where it passed.
    pub faults: Vec<Fault>,
    /// Why the scene was refused, with status 2: the class of the message.
    pub refused: Option<String>,
    /// How long the run took.
    pub wall: Duration,
    /// How much time it simulated, s.
    pub simulated: f64,
    /// How many collisions there were.
    pub collisions: u64,
    /// Where friction and restitution must bring everything to rest: whether it is.
    pub asleep: Option<bool>,
}

impl Verdict {
    /// The first fault's kind.
    pub fn cause(&self) -> Option<&str> {
        self.faults.first().map(|fault| fault.cause.as_str())
    }
}

/// What judges share: the scene as it is read here, and what the command said.
struct Case<'a> {
    scene: &'a Scene,
    picture: picture::Picture,
    summary: Value,
    /// The summary at time 0, where there are solids.
    start: Value,
}

/// No more of the time that is simulated counts for the time limit, s.
const LONGEST: f64 = 100.0;

/// How many times the time limit a run by forces may take.
const LONG: u32 = 30;

/// Runs a scene in a folder and judges it.
pub fn judge(scene: &Scene, carom: &Carom, folder: &Path, again: Again) -> io::Result<Verdict> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("scene.json"), format!("{:#}\n", scene.json))?;
    for (name, text) in &scene.files {
        std::fs::write(folder.join(name), text)?;
    }
    // For each second that is simulated, where it is more than one.
    let asked = scene.json["run"]["until"].as_f64().unwrap_or(1.0).max(1.0);
    let carom = &Carom {
        limit: carom.limit.mul_f64(asked.min(LONGEST)),
        ..carom.clone()
    };
    let ran = run_patiently(scene, carom, folder)?;
    let mut verdict = Verdict {
        wall: ran.wall,
        ..Verdict::default()
    };
    let summary = match ended(scene, &ran, &mut verdict) {
        Some(summary) => summary,
        None => return Ok(finished(scene, verdict)),
    };
    verdict.simulated = summary["outcome"]["time"].as_f64().unwrap_or(0.0);
    verdict.collisions = summary["collisions"]["total"].as_u64().unwrap_or(0);
    if matches!(scene.kind, Kind::Rules | Kind::Joints) {
        let case = Case::of_rules(scene, summary);
        match scene.kind {
            Kind::Rules => rules::judge(&case, &mut verdict.faults),
            _ => joints::judge(&case, &mut verdict.faults),
        }
        again::judge(&case, carom, folder, again, ran.wall, &mut verdict.faults)?;
        return Ok(finished(scene, verdict));
    }
    let mut picture = picture::read(&scene.json, &scene.files);
    let needs_table = states::add_generated(&mut picture, &scene.json, &summary);
    if needs_table {
        states::radii_from_folder(&mut picture, carom, folder)?;
    }
    // Where solids were at the start: from that and the scene follows how their frames lie in them.
    let solids = picture
        .bodies
        .iter()
        .any(|body| body.free && body.matter.is_some());
    let start = if solids {
        let first = carom.run(
            &["run", "scene.json", "--json", "--quiet", "--until", "0"],
            folder,
        )?;
        serde_json::from_str(&first.out).unwrap_or(Value::Null)
    } else {
        Value::Null
    };
    stall(&mut picture, &summary, carom, folder)?;
    let case = Case {
        scene,
        picture,
        summary,
        start,
    };
    verdict.faults = case.faults();
    if again.rest {
        verdict.asleep = rest::judge(&case, carom, folder, &mut verdict.faults)?;
    }
    again::judge(&case, carom, folder, again, ran.wall, &mut verdict.faults)?;
    Ok(finished(scene, verdict))
}

/// Lets drives that have stalled stand still from then on.
fn stall(
    picture: &mut picture::Picture,
    summary: &Value,
    carom: &Carom,
    folder: &Path,
) -> io::Result<()> {
    if summary["events"]["edits"]["stalled"].is_null() {
        return Ok(());
    }
    let ran = carom.run(
        &["run", "scene.json", "--json", "--quiet", "--events"],
        folder,
    )?;
    for line in ran
        .out
        .lines()
        .filter(|line| line.starts_with("{\"stall\""))
    {
        let line: Value = serde_json::from_str(line).unwrap_or(Value::Null);
        let (Some(name), Some(time)) = (
            line["stall"]["body"].as_str(),
            line["stall"]["time"].as_f64(),
        ) else {
            continue;
        };
        let end = |drive: &mut picture::Drive| {
            if !matches!(drive, picture::Drive::Stalled(..)) {
                *drive = picture::Drive::Stalled(Box::new(drive.clone()), time);
            }
        };
        for body in picture.bodies.iter_mut().filter(|body| body.name == name) {
            end(&mut body.drive);
        }
        for room in &mut picture.rooms {
            if name
                .strip_prefix(&room.name)
                .is_some_and(|rest| rest.starts_with('.'))
            {
                end(&mut room.drive);
            }
        }
    }
    Ok(())
}

/// Runs a scene; again with a longer limit where it may well take longer.
fn run_patiently(scene: &Scene, carom: &Carom, folder: &Path) -> io::Result<Ran> {
    let arguments = ["run", "scene.json", "--json", "--quiet"];
    let mut ran = carom.run(&arguments, folder)?;
    let by_forces = scene.json["method"] == "forces";
    if by_forces && ran.ended == (Ended::Hung { honoured: true }) {
        // By forces a run takes the steps that it was asked for, thousands of balls among them: long is not stuck.
        let patient = Carom {
            limit: carom.limit * LONG,
            ..carom.clone()
        };
        ran = patient.run(&arguments, folder)?;
    }
    if ran.ended == (Ended::Hung { honoured: true })
        && let Some(asked) = asked_by_formula(scene, &ran)
    {
        let patient = Carom {
            limit: carom.limit.mul_f64(asked.clamp(1.0, LONGEST)),
            ..carom.clone()
        };
        ran = patient.run(&arguments, folder)?;
    }
    Ok(ran)
}

/// What is wrong with a summary of a scene, and with its summary at time 0, without running anything; not for generated
/// balls of random radii.
pub fn judge_summary(scene: &Scene, summary: &Value, start: &Value) -> Vec<Fault> {
    let mut picture = picture::read(&scene.json, &scene.files);
    states::add_generated(&mut picture, &scene.json, summary);
    let case = Case {
        scene,
        picture,
        summary: summary.clone(),
        start: start.clone(),
    };
    case.faults()
}

impl<'a> Case<'a> {
    /// Of rules: where bodies are in the end does not follow from where they were.
    fn of_rules(scene: &'a Scene, summary: Value) -> Self {
        let empty = serde_json::json!({ "version": 1, "dimension": scene.json["dimension"], "run": scene.json["run"] });
        Case {
            scene,
            picture: picture::read(&empty, &[]),
            summary,
            start: Value::Null,
        }
    }
}

impl Case<'_> {
    fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        outcome(self, &mut faults);
        books::judge(self, &mut faults);
        states::judge(self, &mut faults);
        faults
    }
}

/// Names which of the three engines it was in every cause, and each cause once.
fn finished(scene: &Scene, mut verdict: Verdict) -> Verdict {
    let engine = engine(scene);
    let mut seen: Vec<String> = Vec::new();
    verdict.faults.retain(|fault| {
        let first = !seen.contains(&fault.cause);
        seen.push(fault.cause.clone());
        first
    });
    for fault in &mut verdict.faults {
        fault.cause = format!("{engine}: {}", fault.cause);
    }
    verdict
}

/// Which engine runs a scene: balls alone by impulses, worlds with solids that turn, or forces.
pub fn engine(scene: &Scene) -> &'static str {
    let solid = |keys: &Value| {
        let shape = keys["shape"].as_str().unwrap_or("");
        let weighs = !keys["mass"].is_null() || !keys["density"].is_null();
        ["capsule", "polygon", "polyhedron", "compound", "mesh"].contains(&shape)
            || shape != "ball" && weighs
    };
    match &scene.json["method"] {
        method if method == "forces" => "forces",
        _ if list(&scene.json, "bodies").iter().any(solid) => "solids",
        _ => "balls",
    }
}

/// How long a run is to simulate whose scene says so by a formula, s: as its summary has it.
fn asked_by_formula(scene: &Scene, ran: &Ran) -> Option<f64> {
    let summary: Value = serde_json::from_str(&ran.out).ok()?;
    let formula = scene.json["run"]["until"].is_string();
    summary["scene"]["until"].as_f64().filter(|_| formula)
}

/// Sorts out how a run ended: its summary, if that can be judged.
fn ended(scene: &Scene, ran: &Ran, verdict: &mut Verdict) -> Option<Value> {
    let mut fault = |cause: &str, detail: String| verdict.faults.push(Fault::new(cause, detail));
    if ran.err.contains("panicked at") {
        fault("crash: panic", message::first_line(&ran.err));
        return None;
    }
    match ran.ended {
        Ended::Status(0) => {}
        Ended::Status(1) => {
            let class = message::class(&ran.err);
            let gains = message::runs_away(&ran.err) && message::may_gain_without_end(&scene.json);
            if gains || message::documented(&ran.err) {
                verdict.refused = Some(class)
            } else {
                fault(
                    &format!("run failed: {class}"),
                    message::first_line(&ran.err),
                )
            }
            return None;
        }
        Ended::Status(2) => {
            verdict.refused = Some(message::class(&ran.err));
            return None;
        }
        Ended::Status(code) => {
            fault(
                "crash: exit status",
                format!("status {code}: {}", message::first_line(&ran.err)),
            );
            return None;
        }
        Ended::Signal(number) => {
            fault(
                "crash: signal",
                format!("signal {number}: {}", message::first_line(&ran.err)),
            );
            return None;
        }
        Ended::Hung { honoured: true } => {
            let (late, detail) = reached(&ran.out);
            fault(if late { "slow" } else { "hang" }, detail);
            return None;
        }
        Ended::Hung { honoured: false } => {
            fault("hang that ignores interrupts", String::new());
            return None;
        }
    }
    match serde_json::from_str::<Value>(&ran.out) {
        Ok(summary) if summary.is_object() => Some(summary),
        _ => {
            fault("no summary", ran.out.chars().take(100).collect());
            None
        }
    }
}

/// How far a run got that was interrupted; whether it was more than half.
fn reached(out: &str) -> (bool, String) {
    let summary: Value = serde_json::from_str(out).unwrap_or(Value::Null);
    let (time, until) = (&summary["outcome"]["time"], &summary["scene"]["until"]);
    let share = time.as_f64().unwrap_or(0.0) / until.as_f64().unwrap_or(1.0);
    let count = &summary["collisions"]["total"];
    (
        share > 0.5,
        format!("at t = {time} s of {until} s after {count} collisions"),
    )
}

/// The run ends when it was to end, and says why where it did not.
fn outcome(case: &Case, faults: &mut Vec<Fault>) {
    let outcome = &case.summary["outcome"];
    let run = &case.scene.json["run"];
    let time = outcome["time"].as_f64();
    // A formula is read by the command alone.
    let until = run["until"]
        .as_f64()
        .or(case.summary["scene"]["until"].as_f64());
    match outcome["status"].as_str() {
        Some("completed") if time == until => {}
        Some("stopped") => {
            let fast = list(&case.summary, "bodies")
                .iter()
                .filter(|body| body["motion"] == "free");
            let fastest = fast
                .map(|body| crate::geometry::length(picture::vector(&body["velocity"])))
                .fold(0.0, f64::max);
            let rests = run["rest"].as_f64().is_some_and(|rest| fastest <= rest);
            let enough = run["max_collisions"]
                .as_u64()
                .is_some_and(|most| case.summary["collisions"]["total"].as_u64() >= Some(most));
            if !rests && !enough {
                faults.push(Fault::new(
                    "stopped without a reason",
                    format!("{outcome}, the fastest body has {fastest} m/s"),
                ));
            }
        }
        _ => faults.push(Fault::new("ended at another time", outcome.to_string())),
    }
}
