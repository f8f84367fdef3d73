//! The walls of containers, by the rules of docs/containers.md.

use crate::geometry::convex::Convex;
use crate::geometry::form::{self, Form, points_of_arc};
use crate::geometry::{V, add, cross, sub, times, unit};
use crate::picture::{Body, Drive, drive, list, number, vector, vectors};
use serde_json::Value;
use std::f64::consts::PI;

/// A room that is closed by thin walls: no ball can leave it, unless it goes through one.
#[derive(Clone, Debug)]
pub struct Closed {
    /// Its name.
    pub name: String,
    /// The outline, its curved parts as many straight ones, in the plane or of the base.
    pub outline: Vec<V>,
    /// How it moves.
    pub drive: Drive,
    /// Whether a wall has a motion of its own, which may leave an opening.
    pub opened: bool,
}

impl Closed {
    /// Whether a point is inside at a time: how often a ray from it crosses the outline.
    pub fn holds(&self, point: V, time: f64) -> bool {
        let [x, y, _] = self.drive.at(time).inverse().at(point);
        let mut inside = false;
        for (k, a) in self.outline.iter().enumerate() {
            let b = self.outline[(k + 1) % self.outline.len()];
            if (a[1] > y) != (b[1] > y) && x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) {
                inside = !inside;
            }
        }
        inside
    }
}

fn wall(point: V, normal: V) -> Form {
    Form::Wall {
        point,
        normal,
        thin: false,
    }
}

fn segment(from: V, to: V) -> Form {
    Form::Convex(Convex::line(from, to, 0.0))
}

/// The forms of a container's walls, each with what it is called, and the outline where it is closed by thin walls.
struct Walls {
    forms: Vec<(String, Vec<Form>)>,
    outline: Vec<V>,
}

/// The walls of a container as bodies, and whether it is closed by thin ones; `place` is its number, from 1.
pub fn room(keys: &Value, place: usize) -> (Vec<Body>, Option<Closed>) {
    let name = keys["name"]
        .as_str()
        .map_or(format!("container {place}"), str::to_owned);
    let balls = keys["balls"].as_str().unwrap_or("inside");
    let made = walls(keys, balls);
    let whole = drive(&keys["motion"]).unwrap_or(Drive::Still);
    let singles = list(keys, "walls");
    let mut opened = false;
    let mut bodies = Vec::new();
    for (index, (label, forms)) in made.forms.into_iter().enumerate() {
        let own = singles
            .iter()
            .find(|one| one["wall"] == index + 1 && !one["motion"].is_null());
        opened |= own.is_some();
        let drive = own.map_or(whole.clone(), |one| {
            drive(&one["motion"]).unwrap_or(Drive::Still)
        });
        bodies.push(Body {
            name: format!("{name}.{label}"),
            shape: "wall of a container".to_owned(),
            forms,
            free: false,
            mass: 0.0,
            matter: None,
            inertia: 0.0,
            drive,
            sensor: false,
            groups: [None, None],
        });
    }
    let closed = (balls == "inside" && !made.outline.is_empty()).then_some(Closed {
        name,
        outline: made.outline,
        drive: whole,
        opened,
    });
    (bodies, closed)
}

fn walls(keys: &Value, balls: &str) -> Walls {
    let (low, high) = (vector(&keys["low"]), vector(&keys["high"]));
    let (middle, radius) = (vector(&keys["position"]), number(&keys["radius"]));
    let angle = if keys["angle"].is_null() {
        0.0
    } else {
        number(&keys["angle"])
    };
    let numbered = |forms: Vec<Form>| {
        forms
            .into_iter()
            .enumerate()
            .map(|(k, form)| (format!("wall {}", k + 1), vec![form]))
            .collect()
    };
    let mut outline = Vec::new();
    let forms = match keys["shape"].as_str().unwrap_or("") {
        "rectangle" => {
            let corners = vec![low, [high[0], low[1], 0.0], high, [low[0], high[1], 0.0]];
            match balls {
                "inside" => numbered(vec![
                    wall(low, [0.0, 1.0, 0.0]),
                    wall(high, [-1.0, 0.0, 0.0]),
                    wall(high, [0.0, -1.0, 0.0]),
                    wall(low, [1.0, 0.0, 0.0]),
                ]),
                _ => numbered(sides(&corners)),
            }
        }
        "regular_polygon" => {
            let count = keys["sides"].as_u64().unwrap_or(3) as usize;
            outline = points_of_arc(middle, radius, angle, 2.0 * PI, count);
            numbered(sides(&outline))
        }
        "polygon" => {
            outline = vectors(&keys["corners"]);
            numbered(sides(&outline))
        }
        "circle" => circle(keys, middle, radius, balls),
        "stadium" => {
            let (forms, points) = stadium(middle, 0.5 * number(&keys["length"]), radius, angle);
            outline = points;
            numbered(forms)
        }
        "outline" => {
            let (forms, points) = pieces(list(keys, "pieces"));
            outline = points;
            numbered(forms)
        }
        "box" if balls == "inside" => {
            let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            numbered(
                axes.into_iter()
                    .flat_map(|n| [wall(low, n), wall(high, times(n, -1.0))])
                    .collect(),
            )
        }
        "box" => {
            let pose = crate::geometry::Pose::by(times(add(low, high), 0.5));
            numbered(vec![Form::Convex(
                form::block(sub(high, low), false).moved(&pose),
            )])
        }
        "sphere" => numbered(vec![match balls {
            "inside" => Form::Hollow { middle, radius },
            _ => Form::Convex(Convex::ball(middle, radius)),
        }]),
        "cylinder" => numbered(hall(keys, middle, radius, balls)),
        "prism" => prism(keys, &mut outline),
        _ => vec![],
    };
    Walls { forms, outline }
}

/// Two straight walls and two half circles, and points along them.
fn stadium(middle: V, half: f64, radius: f64, angle: f64) -> (Vec<Form>, Vec<V>) {
    let (cos, sin) = (libm::cos(angle), libm::sin(angle));
    let turn = |x: f64, y: f64| add(middle, [cos * x - sin * y, sin * x + cos * y, 0.0]);
    let right = (turn(half, 0.0), angle - 0.5 * PI);
    let left = (turn(-half, 0.0), angle + 0.5 * PI);
    let mut outline = Vec::new();
    for (centre, start) in [right, left] {
        outline.extend(points_of_arc(centre, radius, start, PI, 256));
        let end = [libm::cos(start + PI), libm::sin(start + PI), 0.0];
        outline.push(add(centre, times(end, radius)));
    }
    let forms = vec![
        segment(turn(-half, -radius), turn(half, -radius)),
        form::arc(right.0, radius, right.1, PI),
        segment(turn(half, radius), turn(-half, radius)),
        form::arc(left.0, radius, left.1, PI),
    ];
    (forms, outline)
}

/// A cylinder with flat ends: a tube and two walls, or the solid one.
fn hall(keys: &Value, middle: V, radius: f64, balls: &str) -> Vec<Form> {
    let axis = unit(vector(&keys["axis"])).unwrap_or([0.0, 0.0, 1.0]);
    let long = number(&keys["length"]);
    let end = |half: f64| add(middle, times(axis, half));
    match balls {
        "inside" => vec![
            Form::Tube {
                point: middle,
                axis,
                radius,
            },
            wall(end(-0.5 * long), axis),
            wall(end(0.5 * long), times(axis, -1.0)),
        ],
        _ => vec![form::cylinder(middle, axis, long, radius)],
    }
}

fn circle(keys: &Value, middle: V, radius: f64, balls: &str) -> Vec<(String, Vec<Form>)> {
    let round = match balls {
        "inside" => Form::Hollow { middle, radius },
        "outside" => Form::Convex(Convex::ball(middle, radius)),
        _ => form::arc(middle, radius, 0.0, 2.0 * PI),
    };
    let mut forms = vec![("wall 1".to_owned(), vec![round])];
    let count = keys["vanes"]["count"].as_u64().unwrap_or(0);
    for k in 0..count {
        let angle = 2.0 * PI * k as f64 / count as f64;
        let out = [libm::cos(angle), libm::sin(angle), 0.0];
        let at = |distance: f64| add(middle, times(out, distance));
        let inner = radius - number(&keys["vanes"]["length"]);
        forms.push((
            format!("vane {}", k + 1),
            vec![segment(at(radius), at(inner))],
        ));
    }
    forms
}

fn sides(corners: &[V]) -> Vec<Form> {
    (0..corners.len())
        .map(|k| segment(corners[k], corners[(k + 1) % corners.len()]))
        .collect()
}

/// The pieces of an outline, and points along it.
fn pieces(pieces: &[Value]) -> (Vec<Form>, Vec<V>) {
    let (mut forms, mut points) = (Vec::new(), Vec::new());
    for piece in pieces {
        if piece["centre"].is_null() {
            let from = vector(&piece["from"]);
            forms.push(segment(from, vector(&piece["to"])));
            points.push(from);
        } else {
            let (centre, radius) = (vector(&piece["centre"]), number(&piece["radius"]));
            let (start, sweep) = (number(&piece["start"]), number(&piece["sweep"]));
            forms.push(form::arc(centre, radius, start, sweep));
            points.extend(points_of_arc(centre, radius, start, sweep, 256));
        }
    }
    (forms, points)
}

fn prism(keys: &Value, outline: &mut Vec<V>) -> Vec<(String, Vec<Form>)> {
    let corners = vectors(&keys["corners"]);
    let (low, high) = (number(&keys["low"]), number(&keys["high"]));
    let count = corners.len();
    let area: f64 = (0..count)
        .map(|k| cross(corners[k], corners[(k + 1) % count])[2])
        .sum();
    let mut forms = Vec::new();
    for k in 0..count {
        let (a, b) = (corners[k], corners[(k + 1) % count]);
        let lift = |c: V, z: f64| [c[0], c[1], z];
        forms.push(if convex(&corners, area) {
            let along = sub(b, a);
            let normal = unit(times([-along[1], along[0], 0.0], area.signum())).unwrap_or([0.0; 3]);
            vec![wall(a, normal)]
        } else {
            let [p, q, r, s] = [lift(a, low), lift(b, low), lift(b, high), lift(a, high)];
            vec![
                Form::Convex(Convex::triangle([p, q, r])),
                Form::Convex(Convex::triangle([p, r, s])),
            ]
        });
    }
    let floor = [0.0, 0.0, low];
    forms.push(vec![wall(floor, [0.0, 0.0, 1.0])]);
    forms.push(vec![wall([0.0, 0.0, high], [0.0, 0.0, -1.0])]);
    *outline = corners;
    forms
        .into_iter()
        .enumerate()
        .map(|(k, forms)| (format!("wall {}", k + 1), forms))
        .collect()
}

fn convex(corners: &[V], area: f64) -> bool {
    let count = corners.len();
    (0..count).all(|k| {
        let [a, b, c] = [0, 1, 2].map(|step| corners[(k + step) % count]);
        cross(sub(b, a), sub(c, b))[2] * area > 0.0
    })
}
