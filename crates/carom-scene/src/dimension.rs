//! Reading what differs between the plane and space: spins, orientations and the shapes that only one has.

use crate::generate::random_angle;
use crate::mesh;
use crate::quantity::{AXIS, PHASE as RADIANS, Quantity, SPIN, SWEEP};
use crate::random::Random;
use crate::reader::{Entry, Section};
use crate::shape::{METRES, METRES_POSITIVE, Placed};
use crate::solid;
use crate::space::SceneSpace;
use carom::motion::Pose;
use carom::shape::{Arc, Cylinder, Segment, Shape, Shape2, Shape3, Triangle, Tube};
use carom::shape::{Convex, ConvexError};
use carom::space::{Linear, Space, Space2, Space3, Turn};

/// How to read what differs between the two spaces.
pub(crate) trait ReadSpace: SceneSpace {
    fn read_angular_velocity(entry: &Entry<'_, '_>) -> Option<Self::Angular>;

    /// From components; in 2-D the first is the angular velocity.
    fn angular_velocity_of(components: [f64; 3]) -> Self::Angular;

    /// The axis of a vortex, of length 1: from `axis` in 3-D, out of the plane in 2-D.
    fn read_axis(section: &Section<'_, '_>) -> Option<Self::Angular>;

    /// The axis of a hinge, of length 1: from `axis` in 3-D, out of the plane in 2-D.
    fn read_hinge(section: &Section<'_, '_>) -> Option<Self::Angular>;

    /// From `angle` in 2-D, from `orientation` in 3-D.
    fn read_rotation(section: &Section<'_, '_>) -> Option<Self::Rotation>;

    /// Any orientation, none likelier than others.
    fn random_rotation(random: &mut Random) -> Self::Rotation;

    /// The convex solid within a closed mesh from a file; nothing in 2-D, where no shape asks for it.
    fn read_mesh<'r, 't>(section: &Section<'r, 't>) -> Option<(Convex<Self>, Entry<'r, 't>)>;

    /// The convex solid with these corners.
    fn hull(corners: &[Self::Vector]) -> Result<Convex<Self>, ConvexError>;

    /// Whether a part of a compound may have that shape here.
    fn has_part(name: &str) -> bool;

    /// One of [`SceneSpace::OWN_SHAPES`].
    fn read_own_shape(name: &str, section: &Section<'_, '_>) -> Option<Placed<Self>>;
}

/// An array of as many numbers as the space has dimensions.
pub(crate) fn vector<S: Space>(entry: &Entry<'_, '_>, quantity: Quantity) -> Option<S::Vector> {
    let allowed = || {
        format!(
            "[{}], each {}, as the scene has dimension = {}",
            &"x, y, z"[..3 * S::DIMENSION - 2],
            quantity.allowed(),
            S::DIMENSION
        )
    };
    let Some(items) = entry.as_items().filter(|items| items.len() == S::DIMENSION) else {
        entry.wrong(&allowed());
        return None;
    };
    let mut components = [0.0; 3];
    let mut good = true;
    for (component, item) in components.iter_mut().zip(items) {
        match item.number(quantity) {
            Some(number) => *component = number,
            None => good = false,
        }
    }
    good.then(|| S::vector(components))
}

/// A vector whose direction counts and that therefore cannot be zero.
pub(crate) fn direction<S: Space>(entry: &Entry<'_, '_>) -> Option<S::Vector> {
    let value = vector::<S>(entry, AXIS)?;
    if value.unit().is_none_or(|unit| !unit.is_finite()) {
        entry.wrong("a direction that is not zero");
        return None;
    }
    Some(value)
}

impl ReadSpace for Space2 {
    fn read_angular_velocity(entry: &Entry<'_, '_>) -> Option<f64> {
        entry.number(SPIN)
    }

    fn angular_velocity_of(components: [f64; 3]) -> f64 {
        components[0]
    }

    fn read_axis(_: &Section<'_, '_>) -> Option<f64> {
        Some(1.0)
    }

    fn read_hinge(section: &Section<'_, '_>) -> Option<f64> {
        match section.optional("axis") {
            None => Some(1.0),
            Some(entry) => {
                entry.wrong("left out in 2-D: angles are counter-clockwise");
                None
            }
        }
    }

    fn read_rotation(section: &Section<'_, '_>) -> Option<Turn> {
        match section.optional("angle") {
            Some(entry) => entry.number(RADIANS).map(Turn::by),
            None => Some(Space2::no_rotation()),
        }
    }

    fn random_rotation(random: &mut Random) -> Turn {
        Turn::by(random_angle(random))
    }

    fn read_mesh<'r, 't>(_: &Section<'r, 't>) -> Option<(Convex<Self>, Entry<'r, 't>)> {
        None
    }

    fn hull(corners: &[<Self as Space>::Vector]) -> Result<Convex<Self>, ConvexError> {
        Convex::polygon(corners)
    }

    fn has_part(name: &str) -> bool {
        !["cylinder", "polyhedron"].contains(&name)
    }

    fn read_own_shape(name: &str, section: &Section<'_, '_>) -> Option<Placed<Self>> {
        match name {
            "polygon" => solid::read(name, section),
            "segment" => segment(section),
            "arc" => arc(section),
            _ => None,
        }
    }
}

/// The ends are those of the file, to the bit: the body's frame is the world's.
fn segment(section: &Section<'_, '_>) -> Option<Placed<Space2>> {
    let from = section.required("from", "one end, [x, y] in metres");
    let to = section.required("to", "the other end, [x, y] in metres");
    let start = from.and_then(|entry| vector::<Space2>(&entry, METRES));
    let (end, to) = (
        to.as_ref()
            .and_then(|entry| vector::<Space2>(entry, METRES)),
        to,
    );
    let (start, end, to) = (start?, end?, to?);
    let shape = Segment::new(start, end)
        .map_err(|_| to.wrong("another point than `from`, and not nearly the same"))
        .ok()?;
    Some(Placed {
        shape: Shape::own(Shape2::Segment(shape)),
        pose: Pose::default(),
        span: to.span(),
    })
}

/// The centre is that of the file, to the bit: the body's frame is the world's.
fn arc(section: &Section<'_, '_>) -> Option<Placed<Space2>> {
    let centre_entry = section.required("centre", "the centre of the circle, [x, y] in metres");
    let radius = section.required("radius", "the radius of the circle, metres");
    let start = section.required("start", "the angle at which it begins, radians");
    let sweep_entry = section.required(
        "sweep",
        "the angle that it spans, counter-clockwise, radians",
    );
    let centre = centre_entry
        .as_ref()
        .and_then(|entry| vector::<Space2>(entry, METRES));
    let radius = radius.and_then(|entry| entry.number(METRES_POSITIVE));
    let start = start.and_then(|entry| entry.number(RADIANS));
    let sweep = sweep_entry.as_ref().and_then(|entry| entry.number(SWEEP));
    let shape = Arc::new(centre?, radius?, start?, sweep?)
        .map_err(|error| {
            if let Some(entry) = &sweep_entry {
                entry.wrong(error.allowed);
            }
        })
        .ok()?;
    Some(Placed {
        shape: Shape::own(Shape2::Arc(shape)),
        pose: Pose::default(),
        span: centre_entry?.span(),
    })
}

impl ReadSpace for Space3 {
    fn read_angular_velocity(entry: &Entry<'_, '_>) -> Option<<Self as Space>::Angular> {
        vector::<Space3>(entry, SPIN)
    }

    fn angular_velocity_of(components: [f64; 3]) -> <Self as Space>::Angular {
        Space3::vector(components)
    }

    fn read_axis(section: &Section<'_, '_>) -> Option<<Self as Space>::Angular> {
        let entry = section.required("axis", "the direction of its axis, [x, y, z]")?;
        direction::<Space3>(&entry)?.unit()
    }

    fn read_hinge(section: &Section<'_, '_>) -> Option<<Self as Space>::Angular> {
        Self::read_axis(section)
    }

    fn read_rotation(section: &Section<'_, '_>) -> Option<<Self as Space>::Rotation> {
        let Some(entry) = section.optional("orientation") else {
            return Some(Space3::no_rotation());
        };
        let inner = entry.section(format!("the orientation of {}", section.title))?;
        let axis = inner.required("axis", "the axis of rotation, [x, y, z]");
        let angle = inner.required("angle", "the angle of rotation, radians");
        let axis = axis.and_then(|entry| direction::<Space3>(&entry));
        let angle = angle.and_then(|entry| entry.number(RADIANS));
        inner.finish(&[]);
        Some(Space3::rotation_of(axis?.unit()?, angle?))
    }

    fn random_rotation(random: &mut Random) -> <Self as Space>::Rotation {
        // A unit vector of four dimensions, none likelier than others (Shoemake 1992): from its axis and angle.
        loop {
            let [w, x, y, z] = [0; 4].map(|_| random.normal());
            let axis = Space3::vector([x, y, z]);
            if let (Some(unit), true) = (axis.unit(), w.is_finite()) {
                return Space3::rotation_of(unit, 2.0 * libm::atan2(axis.length(), w));
            }
        }
    }

    fn read_mesh<'r, 't>(section: &Section<'r, 't>) -> Option<(Convex<Self>, Entry<'r, 't>)> {
        let (mesh, entry) = mesh::read(section)?;
        let part = Convex::of_mesh(&mesh)
            .map_err(|error| mesh::refuse(&entry, &error))
            .ok()?;
        Some((part, entry))
    }

    fn hull(corners: &[<Self as Space>::Vector]) -> Result<Convex<Self>, ConvexError> {
        Convex::polyhedron(corners)
    }

    fn has_part(name: &str) -> bool {
        name != "polygon"
    }

    fn read_own_shape(name: &str, section: &Section<'_, '_>) -> Option<Placed<Self>> {
        match name {
            "polyhedron" => solid::read(name, section),
            "triangle" => triangle(section),
            "cylinder" => cylinder(section),
            "tube" => tube(section),
            "mesh" => mesh::scenery(section),
            _ => None,
        }
    }
}

/// The corners are those of the file, to the bit: the body's frame is the world's.
fn triangle(section: &Section<'_, '_>) -> Option<Placed<Space3>> {
    let what = "three points [x, y, z] in metres";
    let entry = section.required("corners", what)?;
    let Some(items) = entry.as_items().filter(|items| items.len() == 3) else {
        entry.wrong(what);
        return None;
    };
    let corners: Vec<_> = items
        .map(|item| vector::<Space3>(&item, METRES))
        .collect::<Vec<_>>()
        .into_iter()
        .collect::<Option<_>>()?;
    let shape = Triangle::new([corners[0], corners[1], corners[2]])
        .map_err(|error| entry.wrong(error.allowed))
        .ok()?;
    Some(Placed {
        shape: Shape::own(Shape3::Triangle(shape)),
        pose: Pose::default(),
        span: entry.span(),
    })
}

fn cylinder(section: &Section<'_, '_>) -> Option<Placed<Space3>> {
    let position_entry = section.required("position", "its middle, [x, y, z] in metres");
    let axis = section.required("axis", "the direction of its length, [x, y, z]");
    let length = section.required("length", "from end to end, metres");
    let radius = section.required("radius", "its radius, metres");
    let position = position_entry
        .as_ref()
        .and_then(|entry| vector::<Space3>(entry, METRES));
    let axis = axis.and_then(|entry| direction::<Space3>(&entry));
    let length = length.and_then(|entry| entry.number(METRES_POSITIVE));
    let radius = radius.and_then(|entry| entry.number(METRES_POSITIVE));
    // Halving is exact, and direction and sizes are checked: the shape cannot be refused.
    let shape = Cylinder::new(axis?, 0.5 * length?, radius?).ok()?;
    Some(Placed {
        shape: Shape::own(Shape3::Cylinder(shape)),
        pose: Pose::at(position?),
        span: position_entry?.span(),
    })
}

fn tube(section: &Section<'_, '_>) -> Option<Placed<Space3>> {
    let position_entry = section.required("position", "a point of its axis, [x, y, z] in metres");
    let axis = section.required("axis", "the direction that it leads in, [x, y, z]");
    let radius = section.required("radius", "the radius of its inside, metres");
    let position = position_entry
        .as_ref()
        .and_then(|entry| vector::<Space3>(entry, METRES));
    let axis = axis.and_then(|entry| direction::<Space3>(&entry));
    let radius = radius.and_then(|entry| entry.number(METRES_POSITIVE));
    let shape = Tube::new(axis?, radius?).ok()?;
    Some(Placed {
        shape: Shape::own(Shape3::Tube(shape)),
        pose: Pose::at(position?),
        span: position_entry?.span(),
    })
}
