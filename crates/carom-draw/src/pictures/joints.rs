//! Joints: a rod as a line, a spring as a zigzag, a hinge as a pin.
//!
//! In 2-D they are below balls and above everything else; in 3-D over the picture, whatever is in front of them.

use super::footage::{Footage, Shot};
use super::sheet::Sheet;
use super::studio::{Studio, radius};
use crate::canvas::{Dash, Ink, Point, Step, circle, polyline};
use crate::outlines::{Place, Thing};
use carom::joint::{Anchor, JointKind};
use carom::world::World;
use carom_scene::AnyWorld;
use serde_json::{Value, json};

/// Joints at most.
const MOST: usize = 10_000;
/// Turns of a spring, whatever its length.
const TURNS: usize = 8;

/// What a joint looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Pin,
    Rod,
    Spring,
}

/// A joint as it is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawnJoint {
    mark: Mark,
    ends: [End; 2],
}

#[derive(Clone, Copy, Debug)]
struct End {
    /// `None` for the world.
    body: Option<usize>,
    /// In the body's frame.
    at: Place,
}

/// The joints of a world.
pub(crate) fn joints_of(world: &AnyWorld) -> Vec<DrawnJoint> {
    match world {
        AnyWorld::Two(world) => drawn(world),
        AnyWorld::Three(world) => drawn(world),
    }
}

/// The same of a world whose dimension is known.
pub(crate) fn drawn<S: carom::shape::Shaped>(world: &World<S>) -> Vec<DrawnJoint> {
    let end = |anchor: &Anchor<S>| match *anchor {
        Anchor::Body { id, at } => End {
            body: Some(id.0 as usize),
            at: S::components(at),
        },
        Anchor::World(point) => End {
            body: None,
            at: S::components(point),
        },
    };
    let joints = world.joints().iter().take(MOST);
    joints
        .map(|joint| DrawnJoint {
            mark: match joint.kind {
                JointKind::Distance { .. } => Mark::Rod,
                JointKind::Spring { .. } => Mark::Spring,
                _ => Mark::Pin,
            },
            ends: [end(&joint.ends[0]), end(&joint.ends[1])],
        })
        .collect()
}

impl DrawnJoint {
    /// For the page of a report: 0 for a pin, 1 for a rod, 2 for a spring; and of each end the body by its place in the
    /// picture's list (none for the world), where in its frame, and how much of the line a ball there covers.
    /// `None` where a body is not in the picture.
    pub fn written(&self, cast: &[usize], things: &[Thing], dimension: usize) -> Option<Value> {
        let end = |end: &End| {
            let thing = end.body.and_then(|id| things.get(id));
            let (member, at) = match (end.body, thing) {
                (None, _) => (None, end.at),
                (Some(id), Some(thing)) => match cast.binary_search(&id) {
                    Ok(member) => (Some(member), end.at),
                    Err(_) if !thing.moves => (None, thing.to_world(end.at)),
                    Err(_) => return None,
                },
                _ => return None,
            };
            let ball = thing.and_then(|thing| radius(&thing.form));
            let covered = ball.filter(|_| end.at == [0.0; 3]).unwrap_or(0.0);
            Some(json!({ "b": member, "p": at[..dimension], "r": covered }))
        };
        let kind = match self.mark {
            Mark::Pin => 0,
            Mark::Rod => 1,
            Mark::Spring => 2,
        };
        Some(json!({ "k": kind, "e": [end(&self.ends[0])?, end(&self.ends[1])?] }))
    }
}

/// The points of the world that bodies hang on.
pub(super) fn hooks(joints: &[DrawnJoint]) -> impl Iterator<Item = Place> + '_ {
    let ends = joints.iter().flat_map(|joint| &joint.ends);
    ends.filter(|end| end.body.is_none()).map(|end| end.at)
}

/// Where an end is; nothing where its body is not there.
fn place(footage: &Footage, shot: &Shot, end: &End) -> Option<Place> {
    let Some(id) = end.body else {
        return Some(end.at);
    };
    let thing = footage.things.get(id)?;
    match footage.cast.binary_search(&id) {
        Ok(member) => {
            let stance = &shot.stances[member];
            let flat = footage.dimension() == 2;
            let posed = thing.posed(stance.position, stance.rotation, flat);
            (!stance.is_nowhere()).then(|| posed.to_world(end.at))
        }
        Err(_) => Some(thing.to_world(end.at)),
    }
}

/// How far a line is within the ball at its end, m; nothing for an end that is not at the centre of one.
fn covered(footage: &Footage, end: &End) -> f64 {
    let thing = end.body.and_then(|id| footage.things.get(id));
    let ball = thing.and_then(|thing| radius(&thing.form));
    ball.filter(|_| end.at == [0.0; 3]).unwrap_or(0.0)
}

/// Draws all joints.
pub(super) fn draw(studio: &Studio<'_>, shot: &Shot, sheet: &mut Sheet<'_>) {
    let footage = studio.footage;
    let theme = studio.style.theme;
    let colour = theme.colour(Ink::Text);
    let [width, height] = studio.style.size.map(f64::from);
    let thick = (width.min(height) / 330.0).clamp(1.0, 5.0);
    for joint in &footage.joints {
        let places = [0, 1].map(|side| place(footage, shot, &joint.ends[side]));
        let [Some(a), Some(b)] = places else { continue };
        let project = |place: Place| studio.projection.project(place);
        if joint.mark == Mark::Pin {
            if let Some(at) = project(a) {
                sheet.fill(&circle(at, 2.2 * thick), theme.colour(Ink::Paper), 1.0);
                sheet.line(&circle(at, 2.2 * thick), colour, thick, 1.0, Dash::Solid);
            }
            continue;
        }
        let cut = [0, 1].map(|side| covered(footage, &joint.ends[side]));
        let Some((a, b)) = shortened(a, b, cut) else {
            continue;
        };
        if let (Some(from), Some(to)) = (project(a), project(b)) {
            let steps = match joint.mark {
                Mark::Spring => zigzag(from, to, 5.0 * thick),
                _ => polyline(&[from, to]),
            };
            sheet.line(&steps, colour, thick, 0.9, Dash::Solid);
            for (side, at) in [(0, from), (1, to)] {
                if joint.ends[side].body.is_none() {
                    sheet.fill(&circle(at, 1.6 * thick), colour, 1.0);
                }
            }
        }
    }
}

/// The part of a line outside of the balls at its ends; nothing where they cover it.
fn shortened(a: Place, b: Place, cut: [f64; 2]) -> Option<(Place, Place)> {
    let apart: Place = [0, 1, 2].map(|i| b[i] - a[i]);
    let length = apart.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !(length > cut[0] + cut[1]) {
        return None;
    }
    let at = |part: f64| [0, 1, 2].map(|i| a[i] + apart[i] * part);
    Some((at(cut[0] / length), at(1.0 - cut[1] / length)))
}

/// A spring from one point to another, so wide (pixels): straight for a tenth at either end.
fn zigzag(from: Point, to: Point, wide: f64) -> Vec<Step> {
    let apart = [to[0] - from[0], to[1] - from[1]];
    let length = apart[0].hypot(apart[1]).max(1e-9);
    let across = [-apart[1] * wide / length, apart[0] * wide / length];
    let at = |part: f64, side: f64| [0, 1].map(|i| from[i] + apart[i] * part + across[i] * side);
    let mut points = vec![from, at(0.1, 0.0)];
    for turn in 0..2 * TURNS {
        let part = 0.1 + 0.8 * (turn as f64 + 0.5) / (2 * TURNS) as f64;
        points.push(at(part, if turn % 2 == 0 { 1.0 } else { -1.0 }));
    }
    points.extend([at(0.9, 0.0), to]);
    polyline(&points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_where_balls_cover_it() {
        let (a, b) = ([0.0; 3], [4.0, 0.0, 0.0]);
        let seen = shortened(a, b, [1.0, 0.5]);
        assert_eq!(seen, Some(([1.0, 0.0, 0.0], [3.5, 0.0, 0.0])));
        assert_eq!(shortened(a, b, [2.0, 2.0]), None);
        assert_eq!(shortened(a, a, [0.0; 2]), None);
    }

    #[test]
    fn a_spring_begins_and_ends_at_its_ends() {
        let steps = zigzag([0.0, 0.0], [10.0, 0.0], 2.0);
        let plain = polyline(&[[0.0, 0.0], [10.0, 0.0]]);
        assert_eq!(steps.first(), plain.first());
        assert_eq!(steps.last(), plain.last());
        assert_eq!(steps.len(), 2 * TURNS + 4);
    }
}
