//! How bodies go on where they keep touching something, and what rules of the scene have done and changed: as
//! `--events` prints it and the summary counts it.

use crate::collision::ActionRecord;
use crate::output::{Failure, Output};
use crate::summary::Summary;
use crate::terminal::count;
use carom::record::Transition;
use carom::world::World;
use carom_data::regime_name;
use carom_scene::SceneSpace;
use serde::Serialize;

/// A transition, for programs: `{"transition": {…}}`.
#[derive(Debug, Serialize)]
pub struct TransitionLine<'w> {
    pub transition: TransitionRecord<'w>,
}

/// A ball begins to slide, roll, spin or rest on something, or flies again.
#[derive(Debug, Serialize)]
pub struct TransitionRecord<'w> {
    /// World time, s.
    pub time: f64,
    /// Name of the ball.
    pub ball: &'w str,
    /// Name of what it touches from now on; `null` where it flies, or lies on other balls.
    pub on: Option<&'w str>,
    /// `sliding`, `rolling`, `spinning`, `resting` or `flying`.
    pub regime: &'static str,
}

impl<'w> TransitionLine<'w> {
    pub fn new<S: SceneSpace>(world: &'w World<S>, transition: &Transition) -> Self {
        TransitionLine {
            transition: TransitionRecord {
                time: transition.time,
                ball: &world.body(transition.ball).name,
                on: transition.on.map(|id| &*world.body(id).name),
                regime: regime_name(transition.regime),
            },
        }
    }
}

/// "slides on the table".
pub fn transition_words(regime: &str, on: Option<&str>) -> String {
    let verb = match regime {
        "sliding" => "slides",
        "rolling" => "rolls",
        "spinning" => "spins",
        "resting" => "rests",
        _ => return "flies".to_owned(),
    };
    match on {
        Some(on) => format!("{verb} on {on}"),
        None => format!("{verb} on others"),
    }
}

/// Prints a transition on one line.
pub fn print_transition(record: &TransitionRecord<'_>, output: &mut Output) -> Result<(), Failure> {
    output.line(format_args!(
        "        t = {} s  {} {}",
        record.time,
        record.ball,
        transition_words(record.regime, record.on)
    ))
}

/// What was changed from outside, where anything was.
pub fn edits(summary: &Summary) -> Option<(&'static str, String)> {
    let kinds = summary.events.edits.iter();
    let kinds: Vec<String> = kinds
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    (!kinds.is_empty()).then(|| ("edits", kinds.join(", ")))
}

/// Prints what a rule of the scene did on one line.
pub fn print_action(record: &ActionRecord<'_>, output: &mut Output) -> Result<(), Failure> {
    let by = match record.ball {
        Some(ball) => format!(" ({ball})"),
        None => String::new(),
    };
    let what = match record.kind {
        "print" => record.what.to_owned(),
        _ => format!("{}{by}", record.what),
    };
    output.line(format_args!("        t = {} s  {what}", record.time))
}

/// What rules of the scene have done, where there are any.
pub fn actions(summary: &Summary) -> Option<(&'static str, String)> {
    let words = |(kind, &number): (&String, &u64)| match kind.as_str() {
        "change" => count(number, "change", "changes"),
        "key" => count(number, "use of a key", "uses of keys"),
        "score" => count(number, "score", "scores"),
        "print" => count(number, "line printed", "lines printed"),
        "end" => "the end".to_owned(),
        _ => format!("{number} without effect"),
    };
    let kinds: Vec<String> = summary.actions.by_kind.iter().map(words).collect();
    (!kinds.is_empty()).then(|| ("actions", kinds.join(", ")))
}

/// What was scored, where anything was.
pub fn scores(summary: &Summary) -> Option<(&'static str, String)> {
    let scores = summary.actions.scores.iter();
    let scores: Vec<String> = scores
        .map(|(name, score)| format!("{name} {score}"))
        .collect();
    (!scores.is_empty()).then(|| ("scores", scores.join(", ")))
}
