//! One event with everything there is to say of it.

use crate::player::Player;
use crate::space::{WebSpace, components, turning};
use carom::record::{Collision, Mode, Velocities};
use carom_scene::Explanation;
use serde_json::{Value, json};

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Idle => "idle",
        Mode::Frictionless => "frictionless",
        Mode::Stick => "stick",
        Mode::Slide => "slide",
        Mode::SlipReversed => "slip reversed",
        Mode::Damped => "damped",
    }
}

fn motion<S: WebSpace>(velocities: &Velocities<S>) -> Value {
    json!({
        "velocity": components::<S>(velocities.velocity),
        "angular_velocity": turning::<S>(velocities.angular_velocity),
    })
}

/// The collision that is the event of that index, in numbers and in the words of `carom explain`; null where it is
/// none.
pub fn describe<S: WebSpace>(player: &Player<S>, index: usize) -> Value {
    let Some(collision) = player.collision(index) else {
        return Value::Null;
    };
    let Collision { a, b, .. } = collision;
    json!({
        "number": collision.number,
        "time": collision.time,
        "a": a.0,
        "b": b.0,
        "point": components::<S>(collision.point),
        "normal": components::<S>(collision.normal),
        "impulse": components::<S>(collision.impulse),
        "mode": mode_name(collision.mode),
        "before": collision.before.iter().map(motion::<S>).collect::<Vec<_>>(),
        "after": collision.after.iter().map(motion::<S>).collect::<Vec<_>>(),
        "energy_lost": collision.energy_lost,
        "lost_to_friction": collision.lost_to_friction,
        "gap": collision.gap,
        "approach_speed": collision.approach_speed,
        "duration": collision.duration,
        "words": words(player, &collision),
    })
}

/// Title and rows; the bodies as they are at the view's instant, or at the head's where they are gone by then.
fn words<S: WebSpace>(player: &Player<S>, collision: &Collision<S>) -> Value {
    let find = |id| {
        let here = player.view.run.body(id);
        here.or_else(|| player.head.run.body(id))
    };
    let (Some(a), Some(b)) = (find(collision.a), find(collision.b)) else {
        return Value::Null;
    };
    let explanation = Explanation {
        number: collision.number,
        time: collision.time,
        bodies: [&a, &b],
        materials: player.view.run.materials(),
        point: collision.point,
        normal: collision.normal,
        impulse: collision.impulse,
        mode: mode_name(collision.mode),
        before: collision.before,
        after: collision.after,
        energy_lost: collision.energy_lost,
        lost_to_friction: collision.lost_to_friction,
        gap: collision.gap,
        approach_speed: collision.approach_speed,
    };
    json!({ "title": explanation.title(), "rows": explanation.rows() })
}
