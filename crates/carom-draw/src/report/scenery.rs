//! What does not move, as numbers for the page's script.

use super::film::{short, written};
use crate::canvas::Theme;
use crate::mesh::{Face, clipped};
use crate::outlines::{
    Bounds, DrawSpace, Form, Place, TURN, Thing, cross, dot, round, scaled, sum, turned_axes, unit,
};
use crate::pictures::{Table, Viewpoint, facing_walls, natural_viewpoint, rim, within_rim};
use crate::recording::Recording;
use crate::replay::Film;
use carom::space::{Space2, Space3};
use serde_json::{Value, json};

/// The directions to the right, ahead and up of whoever looks from the front, and where the floor is: up is against
/// gravity, or along z.
pub fn frame(film: &Film) -> Value {
    let zenith = unit(film.zenith);
    let sideways = if zenith[0].abs() > 0.9 {
        [0.0, 1.0, 0.0]
    } else {
        [1.0, 0.0, 0.0]
    };
    let right = unit(sum(sideways, scaled(zenith, -dot(sideways, zenith))));
    let floor = film.things.iter().find(|thing| {
        let normal = thing.wall_normal().unwrap_or_default();
        !thing.moves && !thing.sensor && dot(normal, zenith) > 0.99
    });
    json!({
        "right": right,
        "ahead": cross(zenith, right),
        "up": zenith,
        "floor": floor.map(|thing| thing.position),
        "view": view(film, zenith),
    })
}

/// From where it is looked at to begin with, as in pictures: azimuth and elevation, rad.
fn view(film: &Film, zenith: Place) -> [f64; 2] {
    let mut moved = Bounds::NOTHING;
    for (index, stance) in film.stances.iter().enumerate() {
        let id = film.cast[index % film.cast.len()];
        if !stance.is_nowhere() {
            film.things[id].widen_at(
                stance.position,
                || turned_axes(stance.rotation, false),
                &mut moved,
            );
        }
    }
    let up = (0..3).find(|&i| zenith[i].abs() > 0.99);
    let view = up.map_or_else(Viewpoint::default, |up| natural_viewpoint(&moved, up));
    let view = facing_walls(view, &film.things, zenith);
    [view.azimuth, view.elevation].map(|angle| short(angle.to_radians()))
}

/// A place of a wall, and where it faces.
type Opening = (Place, Place);

/// Everything that does not move.
pub fn of(recording: &Recording, film: &Film, bounds: &Bounds) -> Vec<Value> {
    let flat = recording.dimension() == 2;
    let still = film.things.iter().filter(|thing| !thing.moves);
    let rim = rim(&film.things, &film.dresses);
    // Walls end where they meet others, as in pictures.
    let solid = film.things.iter();
    let solid = solid.filter(|thing| !thing.moves && !thing.bare && !thing.sensor);
    let openings: Vec<Opening> = solid
        .filter_map(|thing| Some((thing.position, thing.wall_normal()?)))
        .collect();
    let table = Table::among(&film.things, &film.dresses).filter(|_| flat);
    let mut all: Vec<Value> = table.iter().flat_map(parts).collect();
    for thing in still {
        let dress = &film.dresses[thing.id];
        let own = dress
            .colour
            .map(|[r, g, b]| format!("#{r:02x}{g:02x}{b:02x}"));
        if table.is_some_and(|table| table.has(thing, dress)) {
            if dress.pocket {
                let lines = thing.world_lines(bounds, true);
                let lines: Vec<_> = lines.iter().map(|line| written(line, 2)).collect();
                all.push(json!({ "l": lines, "f": true, "k": "#0c0e0e" }));
            }
            continue;
        }
        let mut entry = if flat {
            plane(thing, bounds)
        } else {
            space(thing, bounds, rim.as_ref(), &openings)
        };
        if let Some(own) = own {
            entry["k"] = json!(own);
        }
        entry["s"] = json!(thing.sensor);
        let solid = matches!(thing.form, Form::Ball(_) | Form::Lines { solid: true, .. });
        if let Some(label) = dress
            .label
            .as_ref()
            .filter(|_| flat && solid && !thing.sensor)
        {
            // What is written on it, and where; and about how large it is.
            entry["n"] = json!(label);
            entry["c"] = json!(written(&[thing.position], 2)[0]);
            entry["h"] = json!(short(thing.reach()));
        }
        all.push(entry);
    }
    all.extend(periodic_box(recording));
    all
}

/// The frame, cushions and cloth of a table.
fn parts(table: &Table) -> Vec<Value> {
    let parts = table.parts(Theme::Light).into_iter();
    parts
        .map(|([low, high], corner, [r, g, b])| {
            let mut line: Vec<Place> = Vec::new();
            let corners = [
                (high[0], high[1], 0.0, -1.0, -1.0),
                (low[0], high[1], 0.25, 1.0, -1.0),
                (low[0], low[1], 0.5, 1.0, 1.0),
                (high[0], low[1], 0.75, -1.0, 1.0),
            ];
            for (x, y, turn, dx, dy) in corners {
                let centre = [x + dx * corner, y + dy * corner, 0.0];
                let (first, second) = ([corner, 0.0, 0.0], [0.0, corner, 0.0]);
                let arc = round(centre, first, second, turn * TURN, 0.25 * TURN);
                line.extend(arc.into_iter().step_by(8));
            }
            line.extend(line.first().copied());
            let line = written(&line, 2);
            json!({ "l": [line], "f": true, "k": format!("#{r:02x}{g:02x}{b:02x}"), "e": false })
        })
        .collect()
}

fn plane(thing: &Thing, bounds: &Bounds) -> Value {
    let solid = match &thing.form {
        Form::Ball(_) => true,
        Form::Lines { solid, .. } => *solid,
        _ => false,
    };
    let mut lines = thing.world_lines(bounds, true);
    let mut fill = solid && !thing.sensor;
    if let (Some(normal), [edge]) = (thing.wall_normal(), &mut lines[..]) {
        let far = 4.0 * bounds.diagonal();
        let behind = |p: Place| [p[0] - far * normal[0], p[1] - far * normal[1], 0.0];
        let (a, b) = (edge[0], edge[1]);
        edge.extend([behind(b), behind(a), a]);
        fill = !thing.sensor && !thing.bare;
    }
    let lines: Vec<_> = lines.iter().map(|line| written(line, 2)).collect();
    json!({ "l": lines, "f": fill })
}

/// Of a wall its part that is seen and its normal, of a hollow its centre and radius, of a solid its faces and its
/// middle; of what else there is, lines.
fn space(thing: &Thing, bounds: &Bounds, rim: Option<&Bounds>, openings: &[Opening]) -> Value {
    let mut lines = thing.world_lines(bounds, false);
    if let (Some(rim), Some(normal)) = (rim, thing.wall_normal()) {
        let places = lines.iter_mut().flatten();
        places.for_each(|p| *p = within_rim(rim, normal, *p));
    }
    if let Some(own) = thing.wall_normal() {
        for line in &mut lines {
            line.pop();
            for &(position, normal) in openings {
                if position != thing.position || normal != own {
                    *line = clipped(line, position, normal);
                }
            }
            line.extend(line.first().copied());
        }
    }
    let written_lines: Vec<_> = lines.iter().map(|line| written(line, 3)).collect();
    match &thing.form {
        Form::Wall(_) if !thing.sensor => json!({
            "l": written_lines, "w": thing.wall_normal(), "thin": thing.bare,
        }),
        Form::Hollow(radius) => json!({ "l": [], "o": thing.position, "r": short(*radius) }),
        Form::Ball(radius) if !thing.sensor => {
            json!({ "l": [], "m": thing.position, "r": short(*radius) })
        }
        Form::Lines { faces, .. } if !thing.sensor && !faces.is_empty() => {
            let placed = |face: &Face| {
                let corners: Vec<Place> = face.corners.iter().map(|&p| thing.to_world(p)).collect();
                written(&corners, 3)
            };
            let mut inside = Bounds::NOTHING;
            thing.widen(&mut inside);
            let thin = faces.iter().any(|face| face.thin);
            json!({
                "l": written_lines, "m": inside.middle(), "thin": thin,
                "b": faces.iter().map(placed).collect::<Vec<_>>(),
            })
        }
        _ => json!({ "l": written_lines }),
    }
}

/// The edge of a periodic box is no wall.
fn periodic_box(recording: &Recording) -> Option<Value> {
    let dimension = recording.dimension();
    let periods = recording.periods();
    if !periods[..dimension].iter().all(|&period| period > 0.0) {
        return None;
    }
    let half = periods.map(|period| 0.5 * period);
    let form = match dimension {
        2 => Space2::block(half),
        _ => Space3::block(half),
    };
    let Form::Lines { mut lines, .. } = form else {
        return None;
    };
    for place in lines.iter_mut().flatten() {
        *place = [0, 1, 2].map(|i| {
            if i < dimension {
                place[i] + half[i]
            } else {
                0.0
            }
        });
    }
    let lines: Vec<_> = lines.iter().map(|line| written(line, dimension)).collect();
    Some(json!({ "l": lines, "f": false, "s": true }))
}
