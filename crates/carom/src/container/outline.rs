//! A closed line of segments and arcs: whether it closes, whether it crosses itself, and what is inside.
//!
//! # What is inside
//!
//! With each arc replaced by its chord the line is a polygon, and how often that winds around a point is counted by the
//! edges that cross the ray from the point to the right, upwards +1, downwards −1. An arc differs from its chord by the
//! closed loop *arc there, chord back*, which winds once around the slice of the circle between the two
//! (counter-clockwise for an arc that is) and not around anything else. The sum over both is the number for the line
//! itself; what it winds around is inside. Arcs of more than half a circle are taken as two.

use super::ContainerError;
use super::crossing::{AT_JOINT, JOINED, meetings};
use crate::shape::{Arc, Segment, Shape2, ShapeError};
use crate::space::{Linear, Tree, Turn};
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

/// A piece of a container's outline, with a direction: its end is where the next one starts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Stretch {
    /// A straight wall.
    Straight {
        /// m.
        from: DVec2,
        /// m.
        to: DVec2,
    },
    /// A piece of a circle.
    Arc {
        /// Of the circle, m.
        centre: DVec2,
        /// Of the circle, m.
        radius: f64,
        /// The angle at which it starts, rad.
        start: f64,
        /// How far it goes, rad: counter-clockwise where positive, clockwise where negative; at most 2π.
        sweep: f64,
    },
}

/// A piece as it was checked.
#[derive(Clone, Debug, PartialEq)]
struct OutlinePart {
    shape: Shape2,
    from: DVec2,
    to: DVec2,
    /// +1 for an arc that goes counter-clockwise, −1 for one that goes clockwise.
    turn: f64,
}

/// A closed line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outline {
    parts: Vec<OutlinePart>,
    /// The chords of all arcs, no arc of more than half a circle left: from, to, the centre and radius of an arc with
    /// its direction.
    chords: Vec<Chord>,
    /// Over the boxes around them, where they are very many.
    tree: Option<Tree>,
}

/// So many pieces are gone over one by one.
const FEW: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Chord {
    from: DVec2,
    to: DVec2,
    arc: Option<(DVec2, f64, f64)>,
}

impl Outline {
    /// The line through some corners and back to the first.
    pub fn polygon(container: &str, corners: &[DVec2]) -> Result<Self, ContainerError> {
        let count = corners.len();
        if count < 3 {
            return Err(ContainerError::Corners {
                container: container.to_owned(),
                corners: count,
            });
        }
        let mut known = BTreeMap::new();
        for (index, corner) in corners.iter().enumerate() {
            if !corner.is_finite() {
                ContainerError::finite(container, &format!("corner {}", index + 1), *corner)?;
            }
            // With zero added 0.0 and −0.0 are one place.
            let place = [corner.x + 0.0, corner.y + 0.0].map(f64::to_bits);
            let first = *known.entry(place).or_insert(index);
            if first < index {
                return Err(ContainerError::Repeated {
                    container: container.to_owned(),
                    first: first + 1,
                    second: index + 1,
                    at: *corner,
                });
            }
        }
        let stretches: Vec<Stretch> = (0..count)
            .map(|index| Stretch::Straight {
                from: corners[index],
                to: corners[(index + 1) % count],
            })
            .collect();
        Self::new(container, &stretches)
    }

    /// A line of segments, each of which starts where the one before ends, and the first where the last does.
    pub fn new(container: &str, stretches: &[Stretch]) -> Result<Self, ContainerError> {
        let mut parts = Vec::with_capacity(stretches.len());
        for (index, stretch) in stretches.iter().enumerate() {
            let wrong = |error: ShapeError| {
                let field = format!("{} of piece {}", error.field, index + 1);
                ContainerError::number(container, field, error)
            };
            parts.push(OutlinePart::new(stretch).map_err(wrong)?);
        }
        if parts.is_empty() {
            let container = container.to_owned();
            return Err(ContainerError::Empty { container });
        }
        let size = size(&parts);
        join(container, &mut parts, JOINED * size)?;
        // Joined ends moved by a trifle; only a piece that is hardly longer can have shrunk to a point.
        for (index, part) in parts.iter_mut().enumerate() {
            if let Shape2::Segment(segment) = &mut part.shape {
                *segment = Segment::new(part.from, part.to).map_err(|error| {
                    ContainerError::number(container, format!("ends of piece {}", index + 1), error)
                })?;
            }
        }
        check_crossings(container, &parts, AT_JOINT * size)?;
        let chords = parts.iter().flat_map(OutlinePart::chords).collect();
        Ok(Self::of_chords(parts, chords))
    }

    fn of_chords(parts: Vec<OutlinePart>, chords: Vec<Chord>) -> Self {
        let boxes = || chords.iter().map(Chord::bounds).collect::<Vec<_>>();
        let tree = (chords.len() > FEW).then(|| Tree::new(&boxes()));
        Outline {
            parts,
            chords,
            tree,
        }
    }

    /// Its segments, in order.
    pub fn shapes(&self) -> impl Iterator<Item = &Shape2> {
        self.parts.iter().map(|part| &part.shape)
    }

    /// Where its pieces start, in order.
    pub fn corners(&self) -> Vec<DVec2> {
        self.parts.iter().map(|part| part.from).collect()
    }

    /// The middle of the box around its corners.
    pub fn middle(&self) -> DVec2 {
        let corners = self.corners();
        let low = corners.iter().copied().reduce(DVec2::min);
        let high = corners.iter().copied().reduce(DVec2::max);
        low.zip(high)
            .map_or(DVec2::ZERO, |(low, high)| (low + high) * 0.5)
    }

    /// Twice the area within the chords, positive where they go counter-clockwise, m².
    pub fn doubled_area(&self) -> f64 {
        let about = self.parts[0].from;
        let area = |chord: &Chord| (chord.from - about).perp_dot(chord.to - about);
        self.chords.iter().map(area).sum()
    }

    /// Whether it winds around a point. Within rounding of the line either answer may come.
    pub fn winds_around(&self, point: DVec2) -> bool {
        let winding = |chord: &Chord| chord.winding(point);
        let times: f64 = match &self.tree {
            None => self.chords.iter().map(winding).sum(),
            Some(tree) => {
                // Only what the ray to the right goes through counts, and slices that the point is in.
                let (low, high) = (
                    point.extend(0.0),
                    DVec2::new(f64::INFINITY, point.y).extend(0.0),
                );
                let met = tree.near(low, high);
                met.iter()
                    .map(|&it| winding(&self.chords[it as usize]))
                    .sum()
            }
        };
        times != 0.0
    }
}

impl OutlinePart {
    fn new(stretch: &Stretch) -> Result<Self, ShapeError> {
        match *stretch {
            Stretch::Straight { from, to } => Ok(OutlinePart {
                shape: Shape2::Segment(Segment::new(from, to)?),
                from,
                to,
                turn: 0.0,
            }),
            Stretch::Arc {
                centre,
                radius,
                start,
                sweep,
            } => {
                let clockwise = sweep < 0.0;
                let begin = if clockwise { start + sweep } else { start };
                let arc = Arc::new(centre, radius, begin, sweep.abs()).map_err(|error| {
                    let allowed = match error.field {
                        "sweep" => {
                            "an angle in radians that is not zero, from −2π (clockwise) to 2π"
                        }
                        _ => error.allowed,
                    };
                    let value = match error.field {
                        "sweep" => sweep.to_string(),
                        _ => error.value,
                    };
                    ShapeError {
                        value,
                        allowed,
                        ..error
                    }
                })?;
                let [a, b] = arc.ends;
                // The two ends of a full circle are one place, whatever the sine of 2π says.
                let b = if sweep.abs() == TAU { a } else { b };
                Ok(OutlinePart {
                    shape: Shape2::Arc(arc),
                    from: if clockwise { b } else { a },
                    to: if clockwise { a } else { b },
                    turn: if clockwise { -1.0 } else { 1.0 },
                })
            }
        }
    }

    fn chords(&self) -> Vec<Chord> {
        match &self.shape {
            Shape2::Segment(_) => vec![Chord {
                from: self.from,
                to: self.to,
                arc: None,
            }],
            Shape2::Arc(arc) => {
                let round = Some((arc.centre, arc.radius, self.turn));
                let middle = arc.centre + arc.middle * arc.radius;
                [(self.from, middle), (middle, self.to)]
                    .map(|(from, to)| Chord {
                        from,
                        to,
                        arc: round,
                    })
                    .to_vec()
            }
        }
    }
}

impl Chord {
    /// On which side of the chord a point is, positive on the left. One that is on the chord counts as a trifle further
    /// right, and by a trifle of that further up: so it is for all chords on the same side of itself, and none is
    /// counted twice or not at all.
    fn side(&self, point: DVec2) -> f64 {
        let edge = self.to - self.from;
        let side = (self.from - point).perp_dot(self.to - point);
        [side, -edge.y, edge.x]
            .into_iter()
            .find(|&number| number != 0.0)
            .unwrap_or(0.0)
    }

    /// How it winds around a point: +1 where it crosses the ray from the point to the right upwards, −1 where
    /// downwards; and what an arc adds where the point is between it and its chord.
    fn winding(&self, point: DVec2) -> f64 {
        let side = self.side(point);
        let below = |end: DVec2| end.y <= point.y;
        let crossing = match (below(self.from), below(self.to)) {
            (true, false) if side > 0.0 => 1.0,
            (false, true) if side < 0.0 => -1.0,
            _ => 0.0,
        };
        let slice = match self.arc {
            Some((centre, radius, turn))
                if side * turn < 0.0 && Linear::length(point - centre) < radius =>
            {
                turn
            }
            _ => 0.0,
        };
        crossing + slice
    }
}

impl Chord {
    /// The corners of a box around it and its circle, somewhat larger than they are rounded.
    fn bounds(&self) -> (DVec3, DVec3) {
        let (mut low, mut high) = (self.from.min(self.to), self.from.max(self.to));
        if let Some((centre, radius, _)) = self.arc {
            (low, high) = (low.min(centre - radius), high.max(centre + radius));
        }
        let container = DVec2::splat(1e-12 * (low.abs().max_element() + high.abs().max_element()));
        (
            (low - container).extend(0.0),
            (high + container).extend(0.0),
        )
    }
}

/// The largest extent of the pieces along an axis, arcs by their whole circles, m.
fn size(parts: &[OutlinePart]) -> f64 {
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for part in parts {
        let (a, b) = bounds(&part.shape);
        (low, high) = (low.min(a), high.max(b));
    }
    (high - low).max_element()
}

fn bounds(shape: &Shape2) -> (DVec2, DVec2) {
    match shape {
        Shape2::Segment(Segment { ends: [a, b] }) => (a.min(*b), a.max(*b)),
        Shape2::Arc(arc) => (arc.centre - arc.radius, arc.centre + arc.radius),
    }
}

/// Lets each piece start where the one before ends, to the bit where one of them is straight; refuses gaps.
fn join(container: &str, parts: &mut [OutlinePart], allowed: f64) -> Result<(), ContainerError> {
    let count = parts.len();
    for first in 0..count {
        let second = (first + 1) % count;
        let (end, start) = (parts[first].to, parts[second].from);
        let gap = Linear::length(start - end);
        if !(gap <= allowed) {
            return Err(ContainerError::Open {
                container: container.to_owned(),
                first: first + 1,
                second: second + 1,
                end,
                start,
                gap,
                allowed,
            });
        }
        if parts[second].turn == 0.0 {
            parts[second].from = end;
        } else if parts[first].turn == 0.0 {
            parts[first].to = start;
        }
    }
    Ok(())
}

fn check_crossings(
    container: &str,
    parts: &[OutlinePart],
    at_joint: f64,
) -> Result<(), ContainerError> {
    let count = parts.len();
    let boxes: Vec<_> = parts.iter().map(|part| bounds(&part.shape)).collect();
    let solid = |&(low, high): &(DVec2, DVec2)| (low.extend(0.0), high.extend(0.0));
    let tree = Tree::new(&boxes.iter().map(solid).collect::<Vec<_>>());
    for second in 1..count {
        let (low, high) = solid(&boxes[second]);
        let before = |first: &usize| *first < second;
        let near = tree.near(low, high).into_iter();
        for first in near.map(|first| first as usize).take_while(before) {
            let ((low_a, high_a), (low_b, high_b)) = (boxes[first], boxes[second]);
            if low_a.cmpgt(high_b).any() || low_b.cmpgt(high_a).any() {
                continue;
            }
            let mut joints = Vec::new();
            if first + 1 == second {
                joints.push(parts[first].to);
            }
            if first == 0 && second + 1 == count {
                joints.push(parts[second].to);
            }
            let apart = |place: &DVec2| {
                joints
                    .iter()
                    .all(|joint| Linear::length(*place - *joint) > at_joint)
            };
            let meetings = meetings(&parts[first].shape, &parts[second].shape);
            if let Some(at) = meetings.into_iter().find(apart) {
                return Err(ContainerError::Crossing {
                    container: container.to_owned(),
                    first: first + 1,
                    second: second + 1,
                    at,
                });
            }
        }
    }
    Ok(())
}

/// The corners of a polygon with equal sides, counter-clockwise; the first at an angle (rad).
pub(super) fn regular_corners(centre: DVec2, radius: f64, sides: usize, angle: f64) -> Vec<DVec2> {
    let corner = |index: usize| {
        let Turn { cos, sin } = Turn::by(angle + TAU * index as f64 / sides as f64);
        centre + DVec2::new(cos, sin) * radius
    };
    (0..sides).map(corner).collect()
}

/// Two half circles about `centre ∓ ½ length` along a direction, and the straight walls between them; the lower one
/// comes first.
///
/// The ends of the straight walls are those of the arcs, to the bit.
pub(super) fn stadium(centre: DVec2, length: f64, radius: f64, angle: f64) -> [Stretch; 4] {
    let Turn { cos, sin } = Turn::by(angle);
    let half = DVec2::new(cos, sin) * (0.5 * length);
    let arc = |centre, start| Stretch::Arc {
        centre,
        radius,
        start,
        sweep: PI,
    };
    let (right, left) = (
        arc(centre + half, angle - 0.5 * PI),
        arc(centre - half, angle + 0.5 * PI),
    );
    let down = DVec2::new(sin, -cos) * radius;
    let straight = |from, to| Stretch::Straight { from, to };
    [
        straight(centre - half + down, centre + half + down),
        right,
        straight(centre + half - down, centre - half - down),
        left,
    ]
}

/// Stored by what tells inside from outside. Its pieces are needed only where walls are made of them.
#[cfg(feature = "serde")]
impl serde::Serialize for Outline {
    fn serialize<Out: serde::Serializer>(&self, out: Out) -> Result<Out::Ok, Out::Error> {
        self.chords.serialize(out)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Outline {
    fn deserialize<In: serde::Deserializer<'de>>(input: In) -> Result<Self, In::Error> {
        let chords = Vec::<Chord>::deserialize(input)?;
        let finite = |chord: &Chord| {
            let arc = chord.arc.is_none_or(|(centre, radius, turn)| {
                centre.is_finite() && radius.is_finite() && turn.is_finite()
            });
            chord.from.is_finite() && chord.to.is_finite() && arc
        };
        if chords.iter().all(finite) {
            Ok(Self::of_chords(Vec::new(), chords))
        } else {
            Err(serde::de::Error::custom(
                "an outline must be made of finite numbers",
            ))
        }
    }
}
