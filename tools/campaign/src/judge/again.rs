//! The same bits twice, with frames, in pieces, killed and resumed.

use super::{Again, Case, Fault};
use crate::command::{Carom, Cut, Ended};
use serde_json::Value;
use std::io;
use std::path::Path;
use std::time::Duration;

fn digest(out: &str) -> Option<String> {
    let summary: Value = serde_json::from_str(out).ok()?;
    summary["digest"].as_str().map(str::to_owned)
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

pub fn judge(
    case: &Case,
    carom: &Carom,
    folder: &Path,
    again: Again,
    wall: Duration,
    faults: &mut Vec<Fault>,
) -> io::Result<()> {
    let Some(first) = case.summary["digest"].as_str() else {
        faults.push(Fault::new("no digest", ""));
        return Ok(());
    };
    // These runs write to a disk as well, and are cut off and gone on with: more time, so that a slow disk is no fault.
    let carom = Carom {
        limit: carom.limit * 4,
        ..carom.clone()
    };
    let same = |what: &str, out: &str, err: &str| match digest(out) {
        Some(digest) if digest == first => None,
        Some(digest) => Some(Fault::new(
            format!("another digest {what}"),
            format!("{first}, then {digest}"),
        )),
        None => Some(Fault::new(
            format!("no result {what}"),
            super::message::first_line(err),
        )),
    };
    if again.twice {
        let second = carom.run(&["run", "scene.json", "--json", "--quiet"], folder)?;
        faults.extend(same("the second time", &second.out, &second.err));
    }
    if again.frames {
        let arguments = "run scene.json --json --quiet --out framed --frames 7";
        let framed = carom.run(&words(arguments), folder)?;
        faults.extend(same("with frames", &framed.out, &framed.err));
        let _ = std::fs::remove_dir_all(folder.join("framed"));
    }
    for (wanted, what, cut, share) in [
        (
            again.segments,
            "interrupted and resumed",
            Cut::Interrupt,
            0.5,
        ),
        (again.killed, "killed and resumed", Cut::Kill, 0.7),
    ] {
        if wanted {
            let out = folder.join("cut");
            let arguments = "run scene.json --json --quiet --out cut --frames 5 --checkpoint 0";
            let halfway =
                carom.run_cut(&words(arguments), folder, Some((wall.mul_f64(share), cut)))?;
            if halfway.ended == (Ended::Hung { honoured: false }) {
                faults.push(Fault::new("hang that ignores interrupts", what));
            } else if halfway.ended == Ended::Status(0) {
                faults.extend(same("in a run folder", &halfway.out, &halfway.err));
            } else if out.join("run.json").exists() {
                let rest = carom.run(&["resume", "cut", "--json", "--quiet"], folder)?;
                faults.extend(same(what, &rest.out, &rest.err));
            }
            // Cut off before there was a folder: nothing to go on with.
            let _ = std::fs::remove_dir_all(&out);
        }
    }
    Ok(())
}
