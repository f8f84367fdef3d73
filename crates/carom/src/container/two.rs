//! Containers in 2-D.

use super::inside::Inside;
use super::outline::{self, Outline, Stretch};
use super::{Container, ContainerError, Panel, Side};
use crate::material::Materials;
use crate::motion::Pose;
use crate::shape::{Arc, Ball, HalfSpace, Hollow, Segment, Shape, Shape2};
use crate::space::{Linear, Space2, Turn};
use glam::DVec2;
use std::f64::consts::TAU;

impl Container<Space2> {
    /// A rectangle along the axes between two opposite corners, m. Walls: below, right, above, left.
    ///
    /// With the balls inside, the walls are lines without end, solid behind: any of them can move as a piston.
    /// Otherwise they are segments.
    pub fn rectangle(
        name: &str,
        side: Side,
        low: DVec2,
        high: DVec2,
    ) -> Result<Self, ContainerError> {
        check_corners::<DVec2, [f64; 2]>(name, low, high)?;
        let right_below = DVec2::new(high.x, low.y);
        let left_above = DVec2::new(low.x, high.y);
        let panels = match side {
            Side::Inside => {
                let walls = [
                    (DVec2::Y, low, right_below),
                    (-DVec2::X, right_below, high),
                    (-DVec2::Y, high, left_above),
                    (DVec2::X, left_above, low),
                ];
                let wall = |(index, (normal, from, to)): (usize, (DVec2, DVec2, DVec2))| {
                    let shape = HalfSpace {
                        normal,
                        two_sided: false,
                    };
                    // Through the middle of the side, whose coordinate across it is that of the corners to the bit.
                    let pose = Pose::at((from + to) * 0.5);
                    Panel::whole(index + 1, Shape::HalfSpace(shape), pose)
                };
                walls.into_iter().enumerate().map(wall).collect()
            }
            Side::Outside | Side::Both => {
                let corners = [low, right_below, high, left_above];
                thin_walls(&Outline::polygon(name, &corners)?)
            }
        };
        let inside = Inside::Between {
            low: [low.x, low.y, 0.0],
            high: [high.x, high.y, 0.0],
        };
        Ok(Container::new(
            name,
            side,
            inside,
            (low + high) * 0.5,
            panels,
        ))
    }

    /// A polygon with equal sides, whose corners are on a circle; the first is at an angle (rad, counter-clockwise
    /// from +x). Wall i leads from corner i to the next, counter-clockwise. All walls are segments.
    pub fn regular_polygon(
        name: &str,
        side: Side,
        sides: usize,
        (centre, radius): (DVec2, f64),
        angle: f64,
    ) -> Result<Self, ContainerError> {
        ContainerError::finite(name, "centre", centre)?;
        ContainerError::positive(name, "radius", radius)?;
        ContainerError::finite(name, "angle", angle)?;
        let corners = outline::regular_corners(centre, radius, sides, angle);
        let container = Self::polygon(name, side, &corners)?;
        Ok(Container {
            centre,
            ..container
        })
    }

    /// Any polygon, convex or not, by its corners in either direction, m; the last wall leads back to the first corner.
    /// Wall i leads from corner i to the next. All walls are segments. By default it rotates about the middle of the
    /// box around it.
    ///
    /// Refused where two corners coincide, or two walls intersect that are not neighbours.
    pub fn polygon(name: &str, side: Side, corners: &[DVec2]) -> Result<Self, ContainerError> {
        let outline = Outline::polygon(name, corners)?;
        Ok(Self::within(name, side, outline))
    }

    /// A circle. It has one wall: with the balls inside everything outside is solid, with the balls outside it is a
    /// disc, for both it is thin.
    pub fn circle(
        name: &str,
        side: Side,
        centre: DVec2,
        radius: f64,
    ) -> Result<Self, ContainerError> {
        ContainerError::finite(name, "centre", centre)?;
        let wrong = |error| ContainerError::number(name, "radius", error);
        let shape = match side {
            Side::Inside => Shape::Hollow(Hollow::new(radius).map_err(wrong)?),
            Side::Outside => Shape::Ball(Ball::new(radius).map_err(wrong)?),
            Side::Both => {
                let arc = Arc::new(DVec2::ZERO, radius, 0.0, TAU).map_err(wrong)?;
                Shape::own(Shape2::Arc(arc))
            }
        };
        let inside = Inside::Round {
            centre: [centre.x, centre.y, 0.0],
            radius,
        };
        let panel = Panel::whole(1, shape, Pose::at(centre));
        Ok(Container::new(name, side, inside, centre, vec![panel]))
    }

    /// Two half circles of a radius (m) and two straight walls of a length (m) between them, turned by an angle (rad).
    /// Walls: the straight one below, the right half circle, the straight one above, the left half circle.
    pub fn stadium(
        name: &str,
        side: Side,
        centre: DVec2,
        length: f64,
        radius: f64,
        angle: f64,
    ) -> Result<Self, ContainerError> {
        ContainerError::finite(name, "centre", centre)?;
        ContainerError::positive(name, "length", length)?;
        ContainerError::positive(name, "radius", radius)?;
        ContainerError::finite(name, "angle", angle)?;
        let stretches = outline::stadium(centre, length, radius, angle);
        let container = Self::outline(name, side, &stretches)?;
        Ok(Container {
            centre,
            ..container
        })
    }

    /// Segments and arcs in the order and direction in which they follow each other, each a wall; the last ends where
    /// the first starts. By default it rotates about the middle of the box around the joints.
    ///
    /// Refused where one does not start within 1e-9 of the container's size of the end of the one before, or where two
    /// meet elsewhere. Straight pieces are then made to end where their neighbours start, to the bit.
    pub fn outline(name: &str, side: Side, stretches: &[Stretch]) -> Result<Self, ContainerError> {
        Ok(Self::within(name, side, Outline::new(name, stretches)?))
    }

    fn within(name: &str, side: Side, outline: Outline) -> Self {
        let panels = thin_walls(&outline);
        let middle = outline.middle();
        Container::new(name, side, Inside::Outline(outline), middle, panels)
    }

    /// The same circle with vanes: so many thin walls of a length (m) from the circle towards its centre, evenly
    /// spaced, the first in the direction of +x. They count as walls after the circle and are called `vane 1`,
    /// `vane 2`, …: a drum that carries its balls.
    ///
    /// Refused for other containers than a circle with balls inside or on both sides, and for vanes that reach the
    /// centre.
    pub fn with_vanes(mut self, count: usize, length: f64) -> Result<Self, ContainerError> {
        let name = self.name.to_string();
        let wrong = |field: &str, value: String, allowed| ContainerError::Number {
            container: name.clone(),
            field: field.to_owned(),
            value,
            allowed,
        };
        let radius = match self.inside {
            Inside::Round { radius, .. } if self.side != Side::Outside => radius,
            _ => {
                let allowed = "those of a circle that has its balls inside";
                return Err(wrong("vanes", count.to_string(), allowed));
            }
        };
        if !(length > 0.0 && length < radius) {
            let allowed = "a positive number of metres, below the radius";
            return Err(wrong("length of vanes", length.to_string(), allowed));
        }
        for index in 0..count {
            let Turn { cos, sin } = Turn::by(TAU * index as f64 / count as f64);
            let out = DVec2::new(cos, sin);
            let segment = Segment::new(out * radius, out * (radius - length))
                .map_err(|error| ContainerError::number(&name, "length of vanes", error))?;
            self.materials.push(Materials::DEFAULT);
            self.panels.push(Panel {
                wall: self.materials.len(),
                label: format!("vane {}", index + 1),
                shape: Shape::own(Shape2::Segment(segment)),
                pose: Pose::at(self.centre),
            });
        }
        Ok(self)
    }
}

fn thin_walls(outline: &Outline) -> Vec<Panel<Space2>> {
    let wall = |(index, shape): (usize, &Shape2)| {
        Panel::whole(index + 1, Shape::own(shape.clone()), Pose::default())
    };
    outline.shapes().enumerate().map(wall).collect()
}

/// Refuses corners that are not finite, or of which the second is not beyond the first along each axis.
pub(super) fn check_corners<V: Linear + Into<C>, C: AsRef<[f64]>>(
    name: &str,
    low: V,
    high: V,
) -> Result<(), ContainerError> {
    ContainerError::finite(name, "low", low)?;
    ContainerError::finite(name, "high", high)?;
    let (a, b): (C, C) = (low.into(), high.into());
    if a.as_ref().iter().zip(b.as_ref()).any(|(a, b)| a >= b) {
        return Err(ContainerError::Number {
            container: name.to_owned(),
            field: "high".to_owned(),
            value: format!("{:?} with low {:?}", b.as_ref(), a.as_ref()),
            allowed: "above low along each axis",
        });
    }
    Ok(())
}
