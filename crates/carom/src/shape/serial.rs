//! Shapes that are read are those that the constructors would make; directions keep their bits.

use super::{
    Arc, Ball, Block, Cylinder, HalfSpace, Hollow, Mesh, Polyhedron, Segment, ShapeError, Triangle,
    Tube,
};
use crate::serial::checked;
use crate::space::{Linear, Space};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// How far a direction may be from length one, and an arc's numbers from each other, by rounding alone.
const ROUNDING: f64 = 1e-12;

fn unit<V: Linear>(field: &'static str, value: V) -> Result<(), ShapeError> {
    if (value.length() - 1.0).abs() <= ROUNDING {
        Ok(())
    } else {
        Err(ShapeError {
            field,
            value: format!("{value:?}"),
            allowed: "a direction of length one",
        })
    }
}

checked!([] Ball, |ball: &Ball| Ball::new(ball.radius));
checked!([] Hollow, |room: &Hollow| Hollow::new(room.radius));
checked!([S: Space] Block<S>, |block: &Block<S>| Block::<S>::new(block.half));
checked!([S: Space] HalfSpace<S>, |wall: &HalfSpace<S>| unit("normal", wall.normal));
checked!([] Segment, |bar: &Segment| Segment::new(bar.ends[0], bar.ends[1]));
checked!([] Triangle, |triangle: &Triangle| Triangle::new(triangle.corners));
checked!([] Cylinder, |solid: &Cylinder| {
    unit("axis", solid.axis)
        .and_then(|()| Cylinder::new(solid.axis, solid.half_length, solid.radius))
});
checked!([] Tube, |tube: &Tube| {
    unit("axis", tube.axis).and_then(|()| Tube::new(tube.axis, tube.radius))
});
checked!([] Arc, |arc: &Arc| {
    // What is allowed of the circle, and then that middle, angle and ends belong together.
    Arc::new(arc.centre, arc.radius, 0.0, 1.0)?;
    unit("middle", arc.middle)?;
    let near = |a: f64, b: f64, size: f64| (a - b).abs() <= ROUNDING * size;
    let size = arc.radius + arc.centre.length();
    let fits = (-1.0..1.0).contains(&arc.cos_half)
        && arc.ends.iter().all(|&end| {
            let from_centre = end - arc.centre;
            let along = Linear::dot(from_centre, arc.middle);
            near(from_centre.length(), arc.radius, size) && near(along, arc.cos_half * arc.radius, size)
        });
    if fits {
        Ok(())
    } else {
        Err(ShapeError {
            field: "ends",
            value: format!("{:?}", arc.ends),
            allowed: "where the circle, the middle and the angle have them",
        })
    }
});

#[derive(Deserialize, Serialize)]
struct MeshData {
    corners: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl Serialize for Mesh {
    fn serialize<Out: serde::Serializer>(&self, out: Out) -> Result<Out::Ok, Out::Error> {
        let (corners, triangles) = (self.corners().to_vec(), self.triangles().to_vec());
        MeshData { corners, triangles }.serialize(out)
    }
}

impl<'de> Deserialize<'de> for Mesh {
    fn deserialize<In: serde::Deserializer<'de>>(input: In) -> Result<Self, In::Error> {
        let MeshData { corners, triangles } = Deserialize::deserialize(input)?;
        Mesh::new(corners, triangles).map_err(serde::de::Error::custom)
    }
}

#[derive(Deserialize, Serialize)]
struct PolyhedronData {
    corners: Vec<DVec3>,
    faces: Vec<Vec<u32>>,
}

impl Serialize for Polyhedron {
    fn serialize<Out: serde::Serializer>(&self, out: Out) -> Result<Out::Ok, Out::Error> {
        let (corners, faces) = (self.corners().to_vec(), self.faces().to_vec());
        PolyhedronData { corners, faces }.serialize(out)
    }
}

impl<'de> Deserialize<'de> for Polyhedron {
    fn deserialize<In: serde::Deserializer<'de>>(input: In) -> Result<Self, In::Error> {
        let PolyhedronData { corners, faces } = Deserialize::deserialize(input)?;
        Polyhedron::new(corners, faces).map_err(serde::de::Error::custom)
    }
}
