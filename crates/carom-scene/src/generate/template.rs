//! Bodies of any shape by a rule: one table that says what they are like, put at each place.

use super::Placed;
use super::draw::Radii;
use crate::body::{self, Names, One};
use crate::dimension::{ReadSpace, vector};
use crate::problem::Problem;
use crate::quantity::{AXIS, PHASE};
use crate::random::Random;
use crate::reader::{Entry, Section};
use crate::tree::{Key, Node, Number, Table, Value};
use carom::body::Body;
use carom::motion::Pose;
use carom::shape::Obstacle;
use carom::space::Linear;
use std::collections::BTreeSet;
use std::f64::consts::PI;

/// The shapes whose tables have to say where they are. In a template that is where the rule puts them.
const PLACED: [&str; 5] = ["ball", "hollow", "box", "cylinder", "tube"];

/// Puts the template of each generator at the origin, where it does not say where it is.
pub(crate) fn complete(table: &mut Table) {
    let dimension = match table.get("dimension").map(|node| &node.value) {
        Some(Value::Number(number)) if number.integer == Some(3) => 3,
        _ => 2,
    };
    let generators = table.entries.iter_mut();
    let generators = generators.filter(|(key, _)| key.get_ref() == "generate");
    for (_, node) in generators {
        let Value::Array(items) = &mut node.value else {
            continue;
        };
        for item in items {
            let Value::Table(generator) = &mut item.value else {
                continue;
            };
            for (key, node) in &mut generator.entries {
                if key.get_ref() == "body" {
                    place(node, dimension);
                }
            }
        }
    }
}

fn place(node: &mut Node, dimension: usize) {
    let span = node.span.clone();
    let Value::Table(body) = &mut node.value else {
        return;
    };
    let needs = match body.get("shape").map(|node| &node.value) {
        Some(Value::Text(shape)) => PLACED.contains(&&**shape),
        _ => false,
    };
    if !needs || body.contains_key("position") {
        return;
    }
    let zero = Node {
        value: Value::Number(Number {
            float: Some(0.0),
            integer: Some(0),
        }),
        span: span.clone(),
    };
    let origin = Node {
        value: Value::Array(vec![zero; dimension]),
        span: span.clone(),
    };
    body.set(Key::new("position", span), origin);
}

/// What the bodies of a generator are like.
pub(super) struct Template<S: ReadSpace> {
    pub one: One<S>,
    turn: Option<Turned<S>>,
}

/// How each is turned.
enum Turned<S: ReadSpace> {
    /// By this much more than the one before.
    Step(S::Angular),
    /// By chance.
    Random,
}

/// Keys of balls, which a template says itself.
const OF_BALLS: [&str; 8] = [
    "radius",
    "mass",
    "density",
    "angular_velocity",
    "material",
    "groups",
    "collides_with",
    "present",
];

/// From `body`, `turn` and `turn_axis`; `None` where there is no `body`, and within where it is wrong.
pub(super) fn read<S: ReadSpace>(
    section: &Section<'_, '_>,
    names: &Names<'_>,
    index: usize,
) -> Option<Option<Template<S>>> {
    let turn = section.optional("turn");
    let axis = section.optional("turn_axis");
    let Some(entry) = section.optional("body") else {
        for entry in [turn, axis].into_iter().flatten() {
            entry.wrong(
                "left out where there is no `body`: balls look the same however they are turned",
            );
        }
        return None;
    };
    for key in OF_BALLS {
        if let Some(other) = section.optional(key) {
            let problem = other.problem("left out where there is a `body`, which says it");
            entry.report(problem.related(entry.span(), "the body"));
        }
    }
    if let Some((_, span)) = entry.text_under("name") {
        let message = format!("{} has a name in its `body`", section.title);
        entry.report(Problem::new(
            span,
            message,
            "belongs to the generator: name = \"domino {n}\"",
        ));
    }
    let turn = match turn {
        Some(turn) => read_turn::<S>(&turn, axis.as_ref()).map(Some),
        None => {
            if let Some(axis) = axis {
                axis.wrong("left out where there is no `turn`");
            }
            Some(None)
        }
    };
    let one = body::one::<S>(index, &entry, names, &BTreeSet::new());
    let template = || {
        Some(Template {
            one: one?,
            turn: turn?,
        })
    };
    Some(template())
}

fn read_turn<S: ReadSpace>(
    entry: &Entry<'_, '_>,
    axis: Option<&Entry<'_, '_>>,
) -> Option<Turned<S>> {
    if entry.as_text() == Some("random") {
        return Some(Turned::Random);
    }
    // A formula or a value with a unit has a digit in it, or a constant.
    if (entry.as_text())
        .is_some_and(|text| !text.contains(|c: char| c.is_ascii_digit()) && !text.contains("pi"))
    {
        entry.wrong("a finite number of radians, or \"random\"");
        return None;
    }
    let angle = entry.number(PHASE)?;
    let axis = match (axis, S::DIMENSION) {
        (None, _) => S::angular_velocity_of(if S::DIMENSION == 2 {
            [1.0, 0.0, 0.0]
        } else {
            [0.0, 0.0, 1.0]
        }),
        (Some(axis), 2) => {
            axis.wrong("left out in 2-D");
            return None;
        }
        (Some(axis), _) => {
            let unit = vector::<S>(axis, AXIS)?.unit();
            let Some(unit) = unit.filter(|unit| unit.is_finite()) else {
                axis.wrong("a direction that is not zero");
                return None;
            };
            S::angular_velocity_of(S::components(unit))
        }
    };
    Some(Turned::Step(axis * angle))
}

impl<S: ReadSpace> Template<S> {
    /// The spheres around the bodies, which rules keep apart.
    pub fn radii(&self) -> Radii {
        Radii::Same(self.one.body.shape.reach())
    }

    /// The body of that number, at its place.
    pub fn body(
        &self,
        name: Box<str>,
        number: usize,
        placed: &Placed<S>,
        random: &mut Random,
    ) -> Body<S> {
        let mut body = self.one.body.clone();
        body.name = name;
        let turn = match &self.turn {
            None => S::no_rotation(),
            Some(Turned::Step(step)) => S::rotation_of(*step, number as f64),
            Some(Turned::Random) => S::random_rotation(random),
        };
        body.pose = Pose {
            position: placed.place + S::rotate(turn, body.pose.position),
            rotation: S::compose(turn, body.pose.rotation),
        };
        body
    }
}

/// An angle at random.
pub(crate) fn random_angle(random: &mut Random) -> f64 {
    random.between(-PI, PI)
}
