//! Classes of error messages.

use serde_json::Value;

/// The first line that says something.
pub fn first_line(text: &str) -> String {
    let line = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("");
    line.trim_start_matches("error: ")
        .chars()
        .take(300)
        .collect()
}

/// The message without its numbers and names, up to its first colon.
pub fn class(text: &str) -> String {
    let line = first_line(text);
    let words = line.split_whitespace().map(|word| {
        let plain = word.trim_matches(|c: char| !c.is_alphanumeric());
        let named = plain.chars().any(|c| c.is_ascii_digit())
            || ["gas", "post", "gate"].contains(&plain)
            || plain.starts_with("hall");
        if !named {
            word.to_owned()
        } else if word.ends_with([':', ';', ',']) {
            format!("#{}", &word[word.len() - 1..])
        } else {
            "#".to_owned()
        }
    });
    let mut class = String::new();
    let mut last = String::new();
    for word in words {
        if word == "#" && last == "#" {
            continue;
        }
        if !class.is_empty() {
            class.push(' ');
        }
        class.push_str(&word);
        if word.ends_with([':', ';']) && class.len() > 12 {
            break;
        }
        last = word;
    }
    class
        .trim_end_matches([':', ';'])
        .chars()
        .take(90)
        .collect()
}

/// Failures of runs that are the documented answer to what a scene asks for, rather than a fault: a spring too soft for
/// the speed (docs/forces.md), bodies that prescribed ones squeeze, and balls that gain energy without end until they
/// are too fast for the clock (docs/running.md), and actions that cannot be done when their time comes, or that throw a
/// body back at what it has just hit, so that they are set off again at the same instant (docs/changes.md).
pub fn documented(text: &str) -> bool {
    let class = class(text);
    let action = class.starts_with("t = # s:") && class.ends_with("failed");
    let endless = class.starts_with("t = # s: # actions at one instant set each other off")
        && text.contains(" collides with ")
        && text.contains("set the velocity of ");
    action
        || endless
        || class.contains("m deep in #")
        || class.contains("squeeze")
        || class.starts_with("the speed of # is #")
}

/// Whether a run failed because a ball gains energy without end between walls that close in on it, and says which walls
/// (docs/running.md): then the scene has to be one in which a ball can do that ([`may_gain_without_end`]).
pub fn runs_away(text: &str) -> bool {
    class(text).starts_with("walls that move have given the balls # times")
        && text.contains(" between ")
}

/// Whether a ball may gain without end: something moves by itself, and there are contacts without loss. Those that
/// follow each other within the contact time are.
pub fn may_gain_without_end(scene: &Value) -> bool {
    let surfaces = (scene["materials"].as_object().into_iter())
        .flat_map(|all| all.values())
        .chain(scene["pairs"].as_array().into_iter().flatten());
    let lossless = |keys: &Value| match &keys["restitution"] {
        Value::Null => false,
        Value::Number(number) => number.as_f64() >= Some(1.0),
        // A formula, a table, a law of the speed: it may be.
        _ => true,
    };
    let moves = |body: &Value| !body["motion"].is_null() && body["motion"] != "static";
    let all = |key: &str| scene[key].as_array().cloned().unwrap_or_default();
    let parts = all("containers").into_iter().flat_map(|container| {
        let walls = container["walls"].as_array().cloned().unwrap_or_default();
        walls.into_iter().chain([container])
    });
    let driven = all("bodies").iter().any(moves) || parts.into_iter().any(|part| moves(&part));
    driven && (!scene["contact_time"].is_null() || surfaces.into_iter().any(lossless))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn messages_are_classed_without_names_and_numbers() {
        let text = "error: the trajectory of b17 cannot be continued: the way from time 0.67 s\n";
        assert_eq!(class(text), "the trajectory of # cannot be continued");
        let text =
            "error: the run stalls at t = 0.91 s: 10201 collisions without the clock moving on\n";
        assert_eq!(class(text), "the run stalls at t = # s");
        assert!(documented(
            "error: b1 is 0.3 m deep in hall.wall 2 at t = 1 s, more than its radius of 0.1 m"
        ));
        assert!(documented(
            "error: t = 0.35 s: add late failed: body 8 (late) and body 7 (a) overlap by 0.1 m"
        ));
        assert!(documented(
            "error: the speed of b3 is 2.2e11 m/s at t = 2.7 s: it moves 7e-5 m within the rounding of the clock"
        ));
        let endless = |what: &str| {
            format!("error: t = 0.6 s: 10001 actions at one instant set each other off: {what}\n")
        };
        assert!(documented(&endless(
            "when a collides with wall 1: set the velocity of a to (2, 1) m/s"
        )));
        let gained = |between: &str| {
            format!(
                "error: walls that move have given the balls 4.8e8 times the energy that they began with, or that balls as fast as the walls have, by t = 2.3 s: b6 moves at 1.8e4 m/s{between}, and there is no end to it\n"
            )
        };
        assert!(runs_away(&gained(" between f0 and hall.wall 2")));
        // It has to say where.
        assert!(!runs_away(&gained("")));
        let scene = |restitution: f64, motion: Value| json!({ "materials": { "m0": { "restitution": restitution } }, "bodies": [{ "motion": motion }] });
        let driven = || json!({ "velocity": [1.0, 0.0] });
        assert!(may_gain_without_end(&scene(1.0, driven())));
        assert!(!may_gain_without_end(&scene(0.9, driven())));
        assert!(!may_gain_without_end(&scene(1.0, json!("static"))));
        // That can end.
        assert!(!documented(&endless(
            "when a enters zone: let a be in groups 0x1 and collide with groups 0x1"
        )));
    }
}
