//! The moving picture: where everything is, as numbers for the page's script, and the controls.

use super::stills;
use crate::canvas::{Ink, Look, TextAs, Theme, base64, escape};
use crate::outlines::{Bounds, DrawSpace, Form, Place, Thing, turned_axes};
use crate::pictures::{Traits, species};
use crate::recording::Recording;
use crate::replay::Film;
use carom::space::{Space2, Space3};
use serde_json::{Value, json};
use std::fmt::Write;

/// How long it takes to play a run that is shorter or longer than people like to watch, s.
const PLAYING: f64 = 10.0;

pub fn section(recording: &Recording, film: &Film) -> String {
    let bounds = seen(recording, film);
    let mut text = "<section id=\"picture\">\n<h2>Moving picture</h2>\n<div class=\"film\" hidden=\"hidden\">\n<canvas tabindex=\"0\" aria-label=\"The run as a moving picture\"></canvas>\n".to_owned();
    text += "<div class=\"controls\"><button type=\"button\" class=\"play\">Play</button>\
        <input type=\"range\" class=\"scrub\" min=\"0\" value=\"0\" step=\"1\" aria-label=\"Time\"/><output class=\"clock\"></output>\
        <label>Speed <select class=\"speed\"><option value=\"0.1\">0.1 ×</option><option value=\"0.25\">0.25 ×</option><option value=\"0.5\">0.5 ×</option>\
        <option value=\"1\" selected=\"selected\">1 ×</option><option value=\"2\">2 ×</option><option value=\"5\">5 ×</option></select></label></div>\n</div>\n";
    let _ = writeln!(
        text,
        "<figure class=\"stills\">\n{}</figure>",
        stills::figure(recording, film, &bounds)
            .draw()
            .to_svg(Look::Embedded, TextAs::Words)
    );
    let end = film.times.last().copied().unwrap_or(0.0);
    let mut notes = vec![match (end, playing(end)) {
        (end, playing) if end == playing => "At 1 × as fast as it happens.".to_owned(),
        (_, playing) => format!("At 1 × it takes {playing} s to play."),
    }];
    if recording.dimension() == 3 {
        notes.push("Drag to look from elsewhere.".to_owned());
    }
    notes.extend(film.notes.iter().cloned());
    let _ = writeln!(text, "<p class=\"note\">{}</p>", escape(&notes.join(" ")));
    // Nothing in the numbers may end the script or begin an entity.
    let numbers = numbers(recording, film, &bounds).to_string();
    let numbers = numbers.replace('<', "\\u003c").replace('&', "\\u0026");
    let _ = writeln!(
        text,
        "<script type=\"application/json\" id=\"film-data\">{numbers}</script>\n</section>"
    );
    text
}

fn playing(end: f64) -> f64 {
    if (2.0..=30.0).contains(&end) {
        end
    } else {
        PLAYING
    }
}

/// What is seen: where bodies are in any picture, and fixtures that has an end and is not far away.
fn seen(recording: &Recording, film: &Film) -> Bounds {
    let mut bounds = Bounds::NOTHING;
    let (members, flat) = (film.cast.len(), recording.dimension() == 2);
    for (index, stance) in film.stances.iter().enumerate() {
        film.things[film.cast[index % members]].widen_at(
            stance.position,
            || turned_axes(stance.rotation, flat),
            &mut bounds,
        );
    }
    let moved = bounds.settled();
    let mut bounds = moved;
    for thing in film.things.iter().filter(|thing| !thing.moves) {
        let mut wider = bounds;
        thing.widen(&mut wider);
        if wider.diagonal() <= 3.0 * moved.diagonal() {
            bounds = wider;
        }
    }
    for (i, &period) in recording.periods().iter().enumerate() {
        if period > 0.0 {
            (bounds.low[i], bounds.high[i]) = (0.0, period);
        }
    }
    let margin = 0.02 * bounds.diagonal();
    for i in 0..recording.dimension() {
        bounds.low[i] -= margin;
        bounds.high[i] += margin;
    }
    if recording.dimension() == 2 {
        (bounds.low[2], bounds.high[2]) = (0.0, 0.0);
    }
    bounds
}

/// A few bodies have a colour each, as in the plot of their trajectories. Many have one for each species.
pub fn colours(recording: &Recording, film: &Film) -> Vec<usize> {
    if film.cast.len() <= Ink::SERIES {
        return (0..film.cast.len()).collect();
    }
    let traits = film.cast.iter().map(|&id| {
        let body = &recording.bodies[id];
        Traits {
            material: &body.material,
            name: &body.name,
            size: film.things[id].reach(),
            mass: body.mass,
        }
    });
    species(&traits.collect::<Vec<_>>()).0
}

/// From 0 to 65,535 over a range.
fn whole(value: f64, low: f64, high: f64) -> u16 {
    (65_535.0 * (value - low) / (high - low))
        .round()
        .clamp(0.0, 65_535.0) as u16
}

fn numbers(recording: &Recording, film: &Film, bounds: &Bounds) -> Value {
    let dimension = recording.dimension();
    let flat = dimension == 2;
    let line = |line: &Vec<Place>| written(line, dimension);
    // In 2-D beyond what is seen; in 3-D a square that does not hide where it ends.
    let far = bounds.diagonal() * if flat { 2.0 } else { 0.4 };
    let palette = colours(recording, film);
    let lines =
        |thing: &Thing| -> Vec<_> { thing.local_lines(flat, far).iter().map(line).collect() };
    let cast: Vec<Value> = film
        .cast
        .iter()
        .zip(palette)
        .map(|(&id, colour)| {
            let thing = &film.things[id];
            match thing.form {
                Form::Ball(radius) => json!({ "r": short(radius), "c": colour }),
                _ if recording.is_free(id) => json!({ "l": lines(thing), "c": colour }),
                _ => json!({ "l": lines(thing) }),
            }
        })
        .collect();
    let outlines = outlines(recording, film, bounds);
    // The origin of a frame may be where nothing is seen.
    let mut range = *bounds;
    for stance in film.stances.iter().filter(|stance| !stance.is_nowhere()) {
        range.add(stance.position, 0.0);
    }
    let (places, turns) = stances(film, &range, flat);
    let colours = |theme: Theme| -> Value {
        let hex = |ink: Ink| theme.hex(ink);
        json!({
            "paper": hex(Ink::Paper), "text": hex(Ink::Text), "wall": hex(Ink::Wall), "grid": hex(Ink::Grid),
            "series": (0..Ink::SERIES).map(|n| hex(Ink::series(n))).collect::<Vec<_>>(),
        })
    };
    let end = film.times.last().copied().unwrap_or(0.0);
    json!({
        "dimension": dimension,
        "low": bounds.low[..dimension],
        "high": bounds.high[..dimension],
        "from": range.low[..dimension],
        "to": range.high[..dimension],
        "times": film.times,
        "seconds": playing(end),
        "cast": cast,
        "scenery": outlines,
        "places": base64(&places),
        "turns": base64(&turns),
        "light": colours(Theme::Light),
        "dark": colours(Theme::Dark),
    })
}

/// A number with five digits: a micrometre more would not be seen, and that is enough for outlines.
fn short(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

fn written(line: &[Place], dimension: usize) -> Vec<Vec<f64>> {
    line.iter()
        .map(|p| p[..dimension].iter().map(|&c| short(c)).collect())
        .collect()
}

/// What does not move.
fn outlines(recording: &Recording, film: &Film, bounds: &Bounds) -> Vec<Value> {
    let dimension = recording.dimension();
    let flat = dimension == 2;
    let line = |line: &Vec<Place>| written(line, dimension);
    let mut outlines: Vec<Value> = film
        .things
        .iter()
        .filter(|thing| !thing.moves)
        .map(|thing| {
            let solid = match &thing.form {
                Form::Ball(_) => true,
                Form::Lines { solid, .. } => *solid,
                _ => false,
            };
            let mut lines = thing.world_lines(bounds, flat);
            let mut fill = solid && flat && !thing.sensor;
            if let (Some(normal), true, [edge]) = (thing.wall_normal(), flat, &mut lines[..]) {
                let far = 4.0 * bounds.diagonal();
                let behind = |p: Place| [p[0] - far * normal[0], p[1] - far * normal[1], 0.0];
                let (a, b) = (edge[0], edge[1]);
                edge.extend([behind(b), behind(a), a]);
                fill = !thing.sensor && !thing.bare;
            }
            json!({ "l": lines.iter().map(line).collect::<Vec<_>>(), "f": fill, "s": thing.sensor })
        })
        .collect();
    // The edge of a periodic box is no wall.
    let periods = recording.periods();
    if periods[..dimension].iter().all(|&period| period > 0.0) {
        let half = periods.map(|period| 0.5 * period);
        let form = if flat {
            Space2::block(half)
        } else {
            Space3::block(half)
        };
        if let Form::Lines { mut lines, .. } = form {
            for place in lines.iter_mut().flatten() {
                *place = [0, 1, 2].map(|i| {
                    if i < dimension {
                        place[i] + half[i]
                    } else {
                        0.0
                    }
                });
            }
            let lines: Vec<_> = lines.iter().map(line).collect();
            outlines.push(json!({ "l": lines, "f": false, "s": true }));
        }
    }
    outlines
}

/// Places and turns of all pictures, as numbers of two bytes.
fn stances(film: &Film, range: &Bounds, flat: bool) -> (Vec<u8>, Vec<u8>) {
    let dimension = if flat { 2 } else { 3 };
    let turning = film
        .stances
        .iter()
        .any(|stance| stance.rotation[0] != film.stances[0].rotation[0]);
    let mut places = Vec::with_capacity(2 * dimension * film.stances.len());
    let mut turns = Vec::new();
    // A ball looks the same however it is turned in 3-D; asked once, not for every ball in every picture.
    let solids = (film.cast.iter()).any(|&id| !matches!(film.things[id].form, Form::Ball(_)));
    for stance in &film.stances {
        for i in 0..dimension {
            let number = whole(stance.position[i], range.low[i], range.high[i]);
            places.extend(number.to_le_bytes());
        }
        if flat && turning {
            let pi = std::f64::consts::PI;
            turns.extend(whole(stance.rotation[0], -pi, pi).to_le_bytes());
        } else if !flat && solids {
            for number in stance.rotation {
                turns.extend(whole(number, -1.0, 1.0).to_le_bytes());
            }
        }
    }
    (places, turns)
}
