//! Containers in 3-D.

use super::inside::Inside;
use super::outline::Outline;
use super::{Container, ContainerError, Panel, Side};
use crate::motion::Pose;
use crate::shape::{
    Ball, Block, Cylinder, HalfSpace, Hollow, Shape, Shape3, ShapeError, Triangle, Tube,
};
use crate::space::{Linear, Space3};
use glam::{DVec2, DVec3};

/// A plane without end through a point, solid behind. The normal has length one.
fn plane(wall: usize, normal: DVec3, through: DVec3) -> Panel<Space3> {
    let shape = HalfSpace {
        normal,
        two_sided: false,
    };
    Panel::whole(wall, Shape::HalfSpace(shape), Pose::at(through))
}

fn both_sides(name: &str, form: &'static str) -> ContainerError {
    ContainerError::Side {
        container: name.to_owned(),
        side: "on both sides",
        form,
        allowed: "inside, or outside",
    }
}

impl Container<Space3> {
    /// A box along the axes between two opposite corners, m.
    ///
    /// With the balls inside it has six walls, planes without end, solid behind: at the lower and the upper x, y and z
    /// in this order; any of them can move as a piston. With the balls outside it is one solid block.
    pub fn cuboid(name: &str, side: Side, low: DVec3, high: DVec3) -> Result<Self, ContainerError> {
        super::two::check_corners::<DVec3, [f64; 3]>(name, low, high)?;
        let middle = (low + high) * 0.5;
        let panels = match side {
            Side::Inside => {
                // The middles of the sides; the coordinate across each is that of the corner to the bit.
                let at = |axis: DVec3, corner: DVec3| middle + axis * (corner - middle).dot(axis);
                let exact = |axis: usize, corner: DVec3| {
                    let mut place = at(DVec3::AXES[axis], corner);
                    place[axis] = corner[axis];
                    place
                };
                let walls = (0..3).flat_map(|axis| {
                    let inward = DVec3::AXES[axis];
                    [(inward, exact(axis, low)), (-inward, exact(axis, high))]
                });
                let wall = |(index, (normal, through))| plane(index + 1, normal, through);
                walls.enumerate().map(wall).collect()
            }
            Side::Outside => {
                let wrong = |error| ContainerError::number(name, "high", error);
                let block = Block::new((high - low) * 0.5).map_err(wrong)?;
                vec![Panel::whole(1, Shape::Block(block), Pose::at(middle))]
            }
            Side::Both => return Err(both_sides(name, "box")),
        };
        let inside = Inside::Between {
            low: low.to_array(),
            high: high.to_array(),
        };
        Ok(Container::new(name, side, inside, middle, panels))
    }

    /// A sphere, of one wall: with the balls inside everything outside is solid, with the balls outside it is a ball.
    pub fn sphere(
        name: &str,
        side: Side,
        centre: DVec3,
        radius: f64,
    ) -> Result<Self, ContainerError> {
        ContainerError::finite(name, "centre", centre)?;
        let wrong = |error| ContainerError::number(name, "radius", error);
        let shape = match side {
            Side::Inside => Shape::Hollow(Hollow::new(radius).map_err(wrong)?),
            Side::Outside => Shape::Ball(Ball::new(radius).map_err(wrong)?),
            Side::Both => return Err(both_sides(name, "sphere")),
        };
        let inside = Inside::Round {
            centre: centre.to_array(),
            radius,
        };
        let panel = Panel::whole(1, shape, Pose::at(centre));
        Ok(Container::new(name, side, inside, centre, vec![panel]))
    }

    /// A cylinder about its middle, with a length along its axis and a radius (m); the axis need not have length one.
    ///
    /// With the balls inside it has three walls: the side, the end behind and the end ahead along the axis, planes
    /// without end that can move as pistons. With the balls outside it is one solid cylinder.
    pub fn cylinder(
        name: &str,
        side: Side,
        (centre, axis): (DVec3, DVec3),
        length: f64,
        radius: f64,
    ) -> Result<Self, ContainerError> {
        ContainerError::finite(name, "centre", centre)?;
        ContainerError::positive(name, "length", length)?;
        let wrong = |error: ShapeError| ContainerError::number(name, error.field, error);
        let tube = Tube::new(axis, radius).map_err(wrong)?;
        let (axis, half_length) = (tube.axis, 0.5 * length);
        let panels = match side {
            Side::Inside => vec![
                Panel::whole(1, Shape::own(Shape3::Tube(tube)), Pose::at(centre)),
                plane(2, axis, centre - axis * half_length),
                plane(3, -axis, centre + axis * half_length),
            ],
            Side::Outside => {
                let cylinder = Cylinder::new(axis, half_length, radius).map_err(wrong)?;
                let shape = Shape::own(Shape3::Cylinder(cylinder));
                vec![Panel::whole(1, shape, Pose::at(centre))]
            }
            Side::Both => return Err(both_sides(name, "cylinder")),
        };
        let inside = Inside::Cylinder {
            centre,
            axis,
            half_length,
            radius,
        };
        Ok(Container::new(name, side, inside, centre, panels))
    }

    /// A prism along z over any polygon, from one height to another (m), with the balls inside. Wall i stands on the
    /// edge from corner i to the next; then come the floor and the ceiling.
    ///
    /// Floor and ceiling are planes without end, solid behind, and so are all walls where the polygon is convex;
    /// otherwise each wall is two thin triangles, `wall 3a` and `wall 3b`.
    pub fn prism(
        name: &str,
        side: Side,
        corners: &[DVec2],
        low: f64,
        high: f64,
    ) -> Result<Self, ContainerError> {
        if side != Side::Inside {
            return Err(ContainerError::Side {
                container: name.to_owned(),
                side: match side {
                    Side::Both => "on both sides",
                    side => side.name(),
                },
                form: "prism",
                allowed: "inside",
            });
        }
        ContainerError::finite(name, "low", low)?;
        ContainerError::finite(name, "high", high)?;
        ContainerError::positive(name, "the height from low to high", high - low)?;
        let base = Outline::polygon(name, corners)?;
        let turn = base.doubled_area().signum();
        let count = corners.len();
        let corner = |index: usize| corners[index % count];
        let convex = (0..count).all(|index| {
            let (before, after) = (
                corner(index + 1) - corner(index),
                corner(index + 2) - corner(index + 1),
            );
            before.perp_dot(after) * turn >= 0.0
        });
        let mut panels = Vec::new();
        for index in 0..count {
            let (from, to) = (corner(index), corner(index + 1));
            if convex {
                let inward = ((to - from).perp() * turn).unit().unwrap_or(DVec2::X);
                panels.push(plane(index + 1, inward.extend(0.0), from.extend(low)));
            } else {
                let [a, b, c, d] = [
                    from.extend(low),
                    to.extend(low),
                    to.extend(high),
                    from.extend(high),
                ];
                for (part, corners) in [("a", [a, b, c]), ("b", [a, c, d])] {
                    let field = format!("corner {}", index + 1);
                    let triangle = Triangle::new(corners)
                        .map_err(|error| ContainerError::number(name, field, error))?;
                    panels.push(Panel {
                        wall: index + 1,
                        label: format!("wall {}{part}", index + 1),
                        shape: Shape::own(Shape3::Triangle(triangle)),
                        pose: Pose::default(),
                    });
                }
            }
        }
        let middle = base.middle();
        panels.push(plane(count + 1, DVec3::Z, middle.extend(low)));
        panels.push(plane(count + 2, -DVec3::Z, middle.extend(high)));
        let centre = middle.extend(0.5 * (low + high));
        let inside = Inside::Prism { base, low, high };
        Ok(Container::new(name, side, inside, centre, panels))
    }
}
