//! The moving picture: where everything is, as numbers for the page's script, and the controls.

use super::{scenery, stills};
use crate::canvas::{Ink, Look, TextAs, Theme, base64, escape};
use crate::mesh::Face;
use crate::outlines::{Bounds, Form, Place, TURN, Thing, across, round, scaled, turned_axes};
use crate::pictures::{Table, Traits, encloses, pips, species, where_it_happens, with_fixtures};
use crate::recording::Recording;
use crate::replay::{Film, Stance};
use serde_json::{Value, json};
use std::fmt::Write;

/// How long it takes to play a run that is shorter or longer than people like to watch, s.
const PLAYING: f64 = 10.0;

pub fn section(recording: &Recording, film: &Film, action: Option<Bounds>) -> String {
    let bounds = seen(recording, film, action);
    let mut text = "<section id=\"picture\">\n<h2>Moving picture</h2>\n<div class=\"film\" hidden=\"hidden\">\n<canvas tabindex=\"0\" aria-label=\"The run as a moving picture\"></canvas>\n".to_owned();
    text += "<div class=\"controls\"><button type=\"button\" class=\"play\">Play</button>\
        <input type=\"range\" class=\"scrub\" min=\"0\" value=\"0\" step=\"any\" aria-label=\"Time\"/><output class=\"clock\"></output>\
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
    notes.push("Click an event below, or a time in a plot, to go there.".to_owned());
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
fn seen(recording: &Recording, film: &Film, action: Option<Bounds>) -> Bounds {
    let mut bounds = Bounds::NOTHING;
    let (members, flat) = (film.cast.len(), recording.dimension() == 2);
    let there = |stance: &Stance| !stance.position[0].is_nan();
    for (index, stance) in film
        .stances
        .iter()
        .enumerate()
        .filter(|(_, stance)| there(stance))
    {
        film.things[film.cast[index % members]].widen_at(
            stance.position,
            || turned_axes(stance.rotation, flat),
            &mut bounds,
        );
    }
    let everywhere = bounds.settled();
    let (dimension, periods) = (recording.dimension(), recording.periods());
    let free = |id: usize| recording.is_free(id);
    let moved = match action.filter(|_| !encloses(&film.things, free, periods)) {
        Some(mut action) => {
            for thing in film.things.iter().filter(|thing| free(thing.id)) {
                thing.widen(&mut action);
            }
            where_it_happens(action, everywhere, dimension)
        }
        None => everywhere,
    };
    let mut bounds = with_fixtures(&film.things, moved, dimension, periods);
    if let (2, Some(table)) = (
        recording.dimension(),
        Table::among(&film.things, &film.dresses),
    ) {
        table.widen(&mut bounds);
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

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn numbers(recording: &Recording, film: &Film, bounds: &Bounds) -> Value {
    let dimension = recording.dimension();
    let flat = dimension == 2;
    let mut shapes = Shapes::new(film, flat, bounds);
    let palette = colours(recording, film);
    let cast: Vec<Value> = film
        .cast
        .iter()
        .zip(palette)
        .map(|(&id, colour)| member(recording, film, id, colour, &mut shapes))
        .collect();
    let scenery = scenery::of(recording, film, bounds);
    // The origin of a frame may be where nothing is seen. The very last number is for those that are not there.
    let mut range = *bounds;
    for stance in film.stances.iter().filter(|stance| !stance.is_nowhere()) {
        range.add(stance.position, 0.0);
    }
    for i in 0..3 {
        range.high[i] += 1e-4 * (range.high[i] - range.low[i]);
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
    let joints = film.joints.iter();
    let joints = joints.filter_map(|joint| joint.written(&film.cast, &film.things, dimension));
    let joints: Vec<Value> = joints.collect();
    json!({
        "dimension": dimension,
        "low": bounds.low[..dimension],
        "high": bounds.high[..dimension],
        "from": range.low[..dimension],
        "to": range.high[..dimension],
        "times": film.times,
        "seconds": playing(end),
        "cast": cast,
        "ids": film.cast,
        "shapes": shapes.made,
        "scenery": scenery,
        "joints": joints,
        "frame": scenery::frame(film),
        "places": base64(&places),
        "turns": base64(&turns),
        "light": colours(Theme::Light),
        "dark": colours(Theme::Dark),
    })
}

/// A body that may move: of a ball the radius, of others the shape; its colour by number (none of what moves by
/// prescription), and its own colour, what is written on it and whether it has a stripe, where it has any.
fn member(
    recording: &Recording,
    film: &Film,
    id: usize,
    colour: usize,
    shapes: &mut Shapes<'_>,
) -> Value {
    let (thing, dress) = (&film.things[id], &film.dresses[id]);
    let mut entry = match thing.form {
        Form::Ball(radius) => json!({ "r": short(radius) }),
        _ => json!({ "f": shapes.add(thing, dress.die) }),
    };
    if recording.is_free(id) {
        entry["c"] = json!(colour);
    } else if !recording.bodies[id].moves() {
        // It only comes or goes.
        entry["w"] = json!(true);
    }
    if let Some(own) = dress.colour {
        entry["k"] = json!(hex(own));
    }
    if let Some(label) = &dress.label {
        entry["n"] = json!(label);
    }
    if dress.stripe {
        entry["s"] = json!(true);
    }
    entry
}

/// Shapes that bodies share, each once.
struct Shapes<'f> {
    film: &'f Film,
    flat: bool,
    far: f64,
    made: Vec<Value>,
    known: std::collections::BTreeMap<String, usize>,
    /// Faces of all bodies together so far.
    faces: usize,
}

/// Faces of all bodies together that a page fills one by one; of more, each body is filled as a whole.
const FACES: usize = 30_000;

impl<'f> Shapes<'f> {
    fn new(film: &'f Film, flat: bool, bounds: &Bounds) -> Self {
        Shapes {
            film,
            flat,
            // In 2-D beyond what is seen; in 3-D a square that does not hide where it ends.
            far: bounds.diagonal() * if flat { 2.0 } else { 0.4 },
            made: Vec::new(),
            known: std::collections::BTreeMap::new(),
            faces: 0,
        }
    }

    /// The number of the shape of a body.
    fn add(&mut self, thing: &Thing, die: bool) -> usize {
        let dimension = if self.flat { 2 } else { 3 };
        let mut lines = thing.local_lines(self.flat, self.far);
        if let (Form::Wall(normal), true, [edge]) = (&thing.form, self.flat, &mut lines[..]) {
            // With what is behind it, so that it can be filled.
            let behind = |p: Place| {
                [
                    p[0] - self.far * normal[0],
                    p[1] - self.far * normal[1],
                    0.0,
                ]
            };
            let (a, b) = (edge[0], edge[1]);
            edge.extend([behind(b), behind(a), a]);
        }
        let lines: Vec<_> = lines.iter().map(|line| written(line, dimension)).collect();
        let mut shape = json!({ "l": lines });
        if let (Form::Lines { faces, .. }, false) = (&thing.form, self.flat) {
            self.faces += faces.len();
            if self.faces <= FACES {
                let corners = |face: &Face| written(&face.corners, dimension);
                shape["f"] = json!(faces.iter().map(corners).collect::<Vec<_>>());
            }
            if die {
                let spot =
                    |(place, normal, radius)| written(&spot(place, normal, radius), dimension);
                shape["p"] = json!(pips(thing).into_iter().map(spot).collect::<Vec<_>>());
            }
        }
        let solid = matches!(thing.form, Form::Lines { solid: true, .. } | Form::Wall(_));
        shape["solid"] = json!(solid && !self.film.things[thing.id].sensor);
        let text = shape.to_string();
        let next = self.made.len();
        let place = *self.known.entry(text).or_insert(next);
        if place == next {
            self.made.push(shape);
        }
        place
    }
}

/// A disc about a place.
fn spot(place: Place, normal: Place, radius: f64) -> Vec<Place> {
    let [first, second] = across(normal).map(|side| scaled(side, radius));
    let mut ring = round(place, first, second, 0.0, TURN);
    ring.pop();
    ring.into_iter().step_by(14).collect()
}

/// A number with five digits: a micrometre more would not be seen, and that is enough for outlines.
pub(super) fn short(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

pub(super) fn written(line: &[Place], dimension: usize) -> Vec<Vec<f64>> {
    line.iter()
        .map(|p| p[..dimension].iter().map(|&c| short(c)).collect())
        .collect()
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
        if stance.position[0].is_nan() {
            places.extend([255; 6].iter().take(2 * dimension));
            let turned = if flat {
                usize::from(turning)
            } else {
                4 * usize::from(solids)
            };
            turns.extend([255; 8].iter().take(2 * turned));
            continue;
        }
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
