//! Tables of what came of a campaign, in Markdown.

use crate::campaign::{Done, Outcome};
use crate::make::Kind;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// What came of a campaign: a table by kind, one by cause, one of refusals, and how fast it was.
pub fn report(done: &[Done], wall: Duration, jobs: usize) -> String {
    let mut text = String::new();
    by_kind(&mut text, done);
    by_cause(&mut text, done);
    refusals(&mut text, done);
    speed(&mut text, done, wall, jobs);
    let failed = done
        .iter()
        .filter(|one| one.outcome() == Outcome::Failed)
        .count();
    let refused = done
        .iter()
        .filter(|one| one.outcome() == Outcome::Refused)
        .count();
    let _ = writeln!(
        text,
        "{} passed, {failed} failed, {refused} refused",
        done.len() - failed - refused
    );
    text
}

fn by_kind(text: &mut String, done: &[Done]) {
    let _ = writeln!(
        text,
        "| kind | scenes | passed | failed | refused | at rest, of those that should be |\n|---|---|---|---|---|---|"
    );
    let row = |text: &mut String, name: &str, of: &[&Done]| {
        let count = |outcome: Outcome| of.iter().filter(|one| one.outcome() == outcome).count();
        let sleepers: Vec<bool> = of.iter().filter_map(|one| one.verdict.asleep).collect();
        let asleep = sleepers.iter().filter(|&&yes| yes).count();
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {asleep} of {} |",
            of.len(),
            count(Outcome::Passed),
            count(Outcome::Failed),
            count(Outcome::Refused),
            sleepers.len()
        );
    };
    for kind in Kind::ALL {
        let of: Vec<&Done> = done.iter().filter(|one| one.kind == kind).collect();
        if !of.is_empty() {
            row(text, kind.name(), &of);
        }
    }
    row(text, "all", &done.iter().collect::<Vec<_>>());
    let awake = done.iter().filter(|one| one.verdict.asleep == Some(false));
    let awake: Vec<String> = awake.take(20).map(|one| one.index.to_string()).collect();
    if !awake.is_empty() {
        let _ = writeln!(text, "\nNot at rest: {}.", awake.join(", "));
    }
}

fn by_cause(text: &mut String, done: &[Done]) {
    let mut causes: BTreeMap<&str, Vec<&Done>> = BTreeMap::new();
    for one in done {
        for fault in &one.verdict.faults {
            let list = causes.entry(&fault.cause).or_default();
            if list.last().is_none_or(|last| last.index != one.index) {
                list.push(one);
            }
        }
    }
    if causes.is_empty() {
        return;
    }
    let mut rows: Vec<_> = causes.into_iter().collect();
    rows.sort_by_key(|(_, list)| std::cmp::Reverse(list.len()));
    let _ = writeln!(
        text,
        "\n| cause | scenes | kinds | for example |\n|---|---|---|---|"
    );
    for (cause, list) in rows {
        let kinds: Vec<String> = (Kind::ALL.into_iter())
            .map(|kind| (kind, list.iter().filter(|one| one.kind == kind).count()))
            .filter(|(_, count)| *count > 0)
            .map(|(kind, count)| format!("{} {count}", kind.name()))
            .collect();
        let examples: Vec<String> = list
            .iter()
            .take(3)
            .map(|one| one.index.to_string())
            .collect();
        let _ = writeln!(
            text,
            "| {cause} | {} | {} | {} |",
            list.len(),
            kinds.join(", "),
            examples.join(", ")
        );
    }
}

fn refusals(text: &mut String, done: &[Done]) {
    let mut classes: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for one in done {
        if let Some(class) = &one.verdict.refused {
            classes.entry(class).or_default().push(one.index);
        }
    }
    if classes.is_empty() {
        return;
    }
    let mut rows: Vec<_> = classes.into_iter().collect();
    rows.sort_by_key(|(_, list)| std::cmp::Reverse(list.len()));
    let _ = writeln!(
        text,
        "\n| refused, because | scenes | for example |\n|---|---|---|"
    );
    for (class, list) in rows.iter().take(12) {
        let _ = writeln!(
            text,
            "| {} | {} | {} |",
            class.replace('|', " "),
            list.len(),
            list[0]
        );
    }
    if rows.len() > 12 {
        let rest: usize = rows[12..].iter().map(|(_, list)| list.len()).sum();
        let _ = writeln!(text, "| {} other messages | {rest} | |", rows.len() - 12);
    }
}

fn speed(text: &mut String, done: &[Done], wall: Duration, jobs: usize) {
    let ran = done.iter().filter(|one| one.verdict.simulated > 0.0);
    let mut pace: Vec<(f64, u64)> = ran
        .map(|one| {
            (
                one.verdict.wall.as_secs_f64() / one.verdict.simulated,
                one.index,
            )
        })
        .collect();
    pace.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |share: f64| {
        pace.get((share * (pace.len().max(1) - 1) as f64) as usize)
            .map_or((0.0, 0), |&(x, k)| (x, k))
    };
    let seconds = wall.as_secs_f64();
    let _ = writeln!(
        text,
        "\n{} scenes in {seconds:.0} s on {jobs} cores: {:.2} core-seconds a scene. Real time for each simulated second: {:.3} s in the middle, {:.2} s at 95 %, {:.1} s at most (scene {}).",
        done.len(),
        seconds * jobs as f64 / done.len().max(1) as f64,
        at(0.5).0,
        at(0.95).0,
        at(1.0).0,
        at(1.0).1
    );
}
