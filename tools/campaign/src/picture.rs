//! A scene, read by this tool alone: who is where, how heavy, and how it moves.

use crate::geometry::convex::Convex;
use crate::geometry::form::{self, Form};
use crate::geometry::mass::Matter;
use crate::geometry::{Pose, V, add, times, unit};
use crate::walls;
use serde_json::Value;

/// How a prescribed body moves.
#[derive(Clone, Debug)]
pub enum Drive {
    /// It does not.
    Still,
    /// At a constant velocity, m/s.
    Uniform(V),
    /// About a point, rad/s.
    Turning(V, V),
    /// `amplitude · sin(2π frequency t + phase)`.
    Swing(V, f64, f64),
    /// From knot to knot.
    Path(Vec<(f64, V)>),
    /// One of these until a time, s; from then on it does not.
    Stalled(Box<Drive>, f64),
}

impl Drive {
    /// The motion from the place in the scene to that at a time, s.
    pub fn at(&self, time: f64) -> Pose {
        match self {
            Drive::Still => Pose::REST,
            Drive::Uniform(velocity) => Pose::by(times(*velocity, time)),
            Drive::Turning(pivot, angular_velocity) => {
                let angle = crate::geometry::length(*angular_velocity) * time;
                let turn = Pose::about(*angular_velocity, angle);
                Pose::by(*pivot)
                    .after(&turn)
                    .after(&Pose::by(times(*pivot, -1.0)))
            }
            Drive::Swing(amplitude, frequency, phase) => {
                let angle = std::f64::consts::TAU * frequency * time + phase;
                Pose::by(times(*amplitude, libm::sin(angle)))
            }
            Drive::Path(knots) => Pose::by(along(knots, time)),
            Drive::Stalled(drive, end) => drive.at(time.min(*end)),
        }
    }

    /// Whether it goes anywhere.
    pub fn moves(&self) -> bool {
        !matches!(self, Drive::Still)
    }
}

fn along(knots: &[(f64, V)], time: f64) -> V {
    let after = knots.iter().position(|knot| knot.0 > time);
    match (after, knots.last()) {
        (_, None) => [0.0; 3],
        (None, Some(last)) => last.1,
        (Some(0), _) => knots[0].1,
        (Some(k), _) => {
            let (from, to) = (knots[k - 1], knots[k]);
            let share = (time - from.0) / (to.0 - from.0);
            add(times(from.1, 1.0 - share), times(to.1, share))
        }
    }
}

/// A body of the scene.
#[derive(Clone, Debug)]
pub struct Body {
    /// As in the summary.
    pub name: String,
    /// As in the scene.
    pub shape: String,
    /// Its parts, at their places in the scene.
    pub forms: Vec<Form>,
    /// Whether it moves freely.
    pub free: bool,
    /// kg, of a free body.
    pub mass: f64,
    /// How its mass is spread, of a free solid, at its place in the scene.
    pub matter: Option<Matter>,
    /// kg·m², of a free ball.
    pub inertia: f64,
    /// How it moves, unless it is free.
    pub drive: Drive,
    /// Whether it only notices.
    pub sensor: bool,
    /// Whom it belongs to and whom it meets.
    pub groups: [Option<Vec<String>>; 2],
}

impl Body {
    /// What it measures where it is thinnest, m.
    pub fn size(&self) -> f64 {
        self.forms
            .iter()
            .map(Form::size)
            .fold(f64::INFINITY, f64::min)
    }

    /// Whether two meet at all.
    pub fn meets(&self, other: &Body) -> bool {
        let one = |a: &Body, b: &Body| match (&a.groups[0], &b.groups[1]) {
            (Some(groups), Some(meets)) => groups.iter().any(|g| meets.contains(g)),
            (_, Some(meets)) => !meets.is_empty(),
            (Some(groups), None) => !groups.is_empty(),
            (None, None) => true,
        };
        !self.sensor && !other.sensor && one(self, other) && one(other, self)
    }
}

/// A whole scene.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Of dimension 2.
    pub plane: bool,
    /// m/s².
    pub gravity: V,
    /// Lengths of the periodic box, zero along axes that are not periodic, m.
    pub periods: V,
    /// Bodies, and walls of rooms.
    pub bodies: Vec<Body>,
    /// Closed rooms whose balls cannot leave.
    pub rooms: Vec<walls::Closed>,
}

/// A number of a scene; formulas are not read.
pub fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) if text == "inf" => f64::INFINITY,
        Value::String(text) => text.parse().unwrap_or(f64::NAN),
        other => other.as_f64().unwrap_or(f64::NAN),
    }
}

/// A vector of a scene, zero where it is left out.
pub fn vector(value: &Value) -> V {
    let at = |k: usize| value.get(k).map_or(0.0, number);
    [at(0), at(1), at(2)]
}

/// Vectors of a scene.
pub fn vectors(value: &Value) -> Vec<V> {
    value
        .as_array()
        .map(|all| all.iter().map(vector).collect())
        .unwrap_or_default()
}

/// A spin: a number in the plane.
pub fn angular_velocity(value: &Value) -> V {
    match value {
        Value::Array(_) => vector(value),
        Value::Null => [0.0; 3],
        other => [0.0, 0.0, number(other)],
    }
}

/// The motion of a body or a room; `None`: free.
pub fn drive(motion: &Value) -> Option<Drive> {
    match motion {
        Value::String(word) if word == "free" => None,
        Value::Object(keys) => Some(if let Some(amplitude) = keys.get("amplitude") {
            Drive::Swing(
                vector(amplitude),
                number(&motion["frequency"]),
                keys.get("phase").map_or(0.0, number),
            )
        } else if let Some(pivot) = keys.get("pivot") {
            Drive::Turning(vector(pivot), angular_velocity(&motion["angular_velocity"]))
        } else if let Some(Value::Array(path)) = keys.get("path") {
            Drive::Path(
                path.iter()
                    .map(|knot| (number(&knot["time"]), vector(&knot["offset"])))
                    .collect(),
            )
        } else {
            Drive::Uniform(vector(&motion["velocity"]))
        }),
        _ => Some(Drive::Still),
    }
}

/// How a body or part is turned and placed.
fn placed(keys: &Value, plane: bool) -> Pose {
    let key = if plane { "angle" } else { "orientation" };
    let turn = match &keys[key] {
        Value::Null => Pose::REST,
        angle if plane => Pose::about([0.0, 0.0, 1.0], number(angle)),
        orientation => Pose::about(vector(&orientation["axis"]), number(&orientation["angle"])),
    };
    Pose::by(vector(&keys["position"])).after(&turn)
}

/// The form of a convex part, and how its mass is spread.
fn part(keys: &Value, plane: bool, files: &[(String, String)]) -> Option<(Form, Option<Matter>)> {
    let radius = number(&keys["radius"]);
    let pose = placed(keys, plane);
    let hull =
        |hull: Convex, matter: Matter| (Form::Convex(hull.moved(&pose)), Some(matter.moved(&pose)));
    Some(match keys["shape"].as_str()? {
        "ball" => {
            let middle = vector(&keys["position"]);
            (
                Form::Convex(Convex::ball(middle, radius)),
                Some(Matter::ball(middle, radius, plane)),
            )
        }
        "box" => {
            let size = vector(&keys["size"]);
            hull(form::block(size, plane), Matter::block(size, plane))
        }
        "capsule" => {
            let [from, to] = [vector(&keys["from"]), vector(&keys["to"])];
            hull(
                Convex::line(from, to, radius),
                Matter::capsule(from, to, radius, plane),
            )
        }
        "cylinder" => {
            let (axis, long) = (vector(&keys["axis"]), number(&keys["length"]));
            let middle = vector(&keys["position"]);
            (
                form::cylinder(middle, axis, long, radius),
                Some(Matter::cylinder(middle, axis, long, radius)),
            )
        }
        "polygon" => {
            let polygon = Convex::polygon(vectors(&keys["corners"]));
            let matter = Matter::hull(&polygon, true);
            hull(polygon, matter)
        }
        "polyhedron" => {
            let corners = match keys["file"].as_str() {
                Some(_) => obj(text_of(keys, files)?, scale_of(keys)).0,
                None => vectors(&keys["corners"]),
            };
            let polyhedron = Convex::hull(corners);
            let matter = Matter::hull(&polyhedron, false);
            hull(polyhedron, matter)
        }
        _ => return None,
    })
}

/// The forms of a body, and how its mass is spread.
fn forms(keys: &Value, plane: bool, files: &[(String, String)]) -> (Vec<Form>, Option<Matter>) {
    let point = vector(&keys["point"]);
    let radius = number(&keys["radius"]);
    let position = vector(&keys["position"]);
    let one = match keys["shape"].as_str().unwrap_or("") {
        "wall" => Form::Wall {
            point,
            normal: unit(vector(&keys["normal"])).unwrap_or([0.0; 3]),
            thin: keys["two_sided"] == Value::Bool(true),
        },
        "hollow" => Form::Hollow {
            middle: position,
            radius,
        },
        "tube" => Form::Tube {
            point: position,
            axis: unit(vector(&keys["axis"])).unwrap_or([0.0; 3]),
            radius,
        },
        "segment" => Form::Convex(Convex::line(
            vector(&keys["from"]),
            vector(&keys["to"]),
            0.0,
        )),
        "arc" => form::arc(
            vector(&keys["centre"]),
            radius,
            number(&keys["start"]),
            number(&keys["sweep"]),
        ),
        "triangle" => match vectors(&keys["corners"])[..] {
            [a, b, c] => Form::Convex(Convex::triangle([a, b, c])),
            _ => return (vec![], None),
        },
        "compound" => {
            let pose = placed(keys, plane);
            let parts = keys["parts"]
                .as_array()
                .map(Vec::as_slice)
                .unwrap_or_default();
            let parts: Vec<_> = parts
                .iter()
                .filter_map(|keys| part(keys, plane, files))
                .collect();
            let matter = Matter::sum(parts.iter().filter_map(|part| part.1)).moved(&pose);
            return (
                parts.iter().map(|part| part.0.moved(&pose)).collect(),
                Some(matter),
            );
        }
        "mesh" => {
            let Some(text) = text_of(keys, files) else {
                return (vec![], None);
            };
            let pose = placed(keys, plane);
            let (corners, faces) = obj(text, scale_of(keys));
            let triangle = |face: &[usize; 3]| Convex::triangle(face.map(|k| pose.at(corners[k])));
            return (faces.iter().map(triangle).map(Form::Convex).collect(), None);
        }
        _ => {
            return part(keys, plane, files)
                .map_or((vec![], None), |(form, matter)| (vec![form], matter));
        }
    };
    (vec![one], None)
}

fn text_of<'a>(keys: &Value, files: &'a [(String, String)]) -> Option<&'a str> {
    let file = files.iter().find(|file| keys["file"] == file.0.as_str())?;
    Some(&file.1)
}

fn scale_of(keys: &Value) -> f64 {
    match &keys["scale"] {
        Value::Null => 1.0,
        scale => number(scale),
    }
}

/// The corners and triangles of an OBJ file.
fn obj(text: &str, scale: f64) -> (Vec<V>, Vec<[usize; 3]>) {
    let words = |key: &'static str| {
        let lines = text.lines().filter_map(move |line| line.strip_prefix(key));
        lines.map(|rest| {
            let mut words = rest
                .split_whitespace()
                .map(|w| w.parse::<f64>().unwrap_or(0.0));
            [(); 3].map(|()| words.next().unwrap_or(0.0))
        })
    };
    let corners = words("v ").map(|x| times(x, scale)).collect();
    let faces = words("f ").map(|f| f.map(|k| (k as usize).saturating_sub(1)));
    (corners, faces.collect())
}

fn names(value: &Value) -> Option<Vec<String>> {
    let list = value.as_array()?;
    Some(
        list.iter()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect(),
    )
}

/// One body of a scene; `number` is its place in the file, from 1.
pub fn body(keys: &Value, number_in_file: usize, plane: bool, files: &[(String, String)]) -> Body {
    let shape = keys["shape"].as_str().unwrap_or("").to_owned();
    let (forms, matter) = forms(keys, plane, files);
    let weighs = !keys["mass"].is_null() || !keys["density"].is_null();
    let motion = drive(&keys["motion"]);
    let free = match &keys["motion"] {
        Value::Null => shape == "ball" || weighs,
        _ => motion.is_none(),
    };
    let volume = matter.map_or(0.0, |matter| matter.volume);
    let mass = match &keys["mass"] {
        Value::Null if !keys["density"].is_null() => number(&keys["density"]) * volume,
        Value::Null => 0.0,
        mass => number(mass),
    };
    let radius = number(&keys["radius"]);
    let inertia = match &keys["inertia"] {
        Value::Null => mass * radius * radius * if plane { 0.5 } else { 0.4 },
        inertia => number(inertia),
    };
    let name = keys["name"]
        .as_str()
        .map_or(format!("{shape} {number_in_file}"), str::to_owned);
    Body {
        name,
        matter: matter.filter(|_| shape != "ball"),
        shape,
        forms,
        free,
        mass,
        inertia,
        drive: motion.unwrap_or(Drive::Still),
        sensor: keys["sensor"] == Value::Bool(true),
        groups: [names(&keys["groups"]), names(&keys["collides_with"])],
    }
}

/// A list of tables of a scene.
pub fn list<'a>(scene: &'a Value, key: &str) -> &'a [Value] {
    scene[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Reads a scene, but for balls that it generates.
pub fn read(scene: &Value, files: &[(String, String)]) -> Picture {
    let plane = scene["dimension"] == 2;
    let mut bodies: Vec<Body> = Vec::new();
    for (place, keys) in list(scene, "bodies").iter().enumerate() {
        bodies.push(body(keys, place + 1, plane, files));
    }
    let mut rooms = Vec::new();
    for (place, keys) in list(scene, "containers").iter().enumerate() {
        let (walls, closed) = walls::room(keys, place + 1);
        bodies.extend(walls);
        rooms.extend(closed);
    }
    Picture {
        plane,
        gravity: vector(&scene["gravity"]),
        periods: vector(&scene["periodic"]).map(|x| if x.is_finite() { x } else { 0.0 }),
        bodies,
        rooms,
    }
}
