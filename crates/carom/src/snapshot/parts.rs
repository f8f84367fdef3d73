//! How the parts of a world are stored.

use crate::body::{Body, BodyId, CollisionFilter, Free, Kind};
use crate::codec::{Reader, SnapshotError, Stored, invalid, stored_fields};
use crate::material::{
    Constants, Law, Material, MaterialId, Materials, PairOverride, RestitutionCurve,
};
use crate::motion::{Drive, Pose};
use crate::record::{Change, Edit};
use crate::shape::{
    Arc, Ball, Block, Cylinder, HalfSpace, Hollow, Segment, Shape, Shape2, Shape3, Shaped,
    Triangle, Tube,
};
use crate::space::{Linear, Space, Turn};

stored_fields!(Turn { cos, sin });
stored_fields!(Ball { radius });
stored_fields!(Hollow { radius });
stored_fields!(Segment { ends });
stored_fields!(Triangle { corners });
stored_fields!(Cylinder {
    axis,
    half_length,
    radius
});
stored_fields!(Tube { axis, radius });
stored_fields!(Arc {
    centre,
    radius,
    middle,
    cos_half,
    ends
});
stored_fields!(HalfSpace<S> { normal, two_sided } where S: Space);
stored_fields!(Block<S> { half } where S: Space);
stored_fields!(Pose<S> { position, rotation } where S: Space);
stored_fields!(Free<S> { mass, inertia, velocity, angular_velocity } where S: Space);
stored_fields!(Material {
    restitution,
    static_friction,
    kinetic_friction,
    law,
    rolling_resistance,
    spinning_resistance,
    contact_duration
});
stored_fields!(PairOverride {
    restitution,
    static_friction,
    kinetic_friction,
    law,
    rolling_resistance,
    spinning_resistance,
    contact_duration
});

impl Stored for BodyId {
    fn store(&self, out: &mut Vec<u8>) {
        self.0.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(BodyId(u32::load(input)?))
    }
}

impl Stored for MaterialId {
    fn store(&self, out: &mut Vec<u8>) {
        (self.index() as u32).store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(MaterialId::of_row(u32::load(input)?))
    }
}

impl Stored for Law {
    fn store(&self, out: &mut Vec<u8>) {
        let place = Law::ALL.iter().position(|law| law == self);
        (place.unwrap_or(0) as u8).store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let place = u8::load(input)?;
        match Law::ALL.get(usize::from(place)) {
            Some(&law) => Ok(law),
            None => invalid(format!("there is no law {place}")),
        }
    }
}

impl Stored for Materials {
    fn store(&self, out: &mut Vec<u8>) {
        let table: Vec<_> = self
            .ids()
            .map(|id| (self.name(id).to_owned(), *self.get(id)))
            .collect();
        table.store(out);
        let overrides: Vec<_> = self.overrides().collect();
        overrides.store(out);
        let (of_materials, of_pairs) = self.all_constants();
        of_materials.store(out);
        of_pairs.store(out);
        let (of_materials, of_pairs) = self.all_curves();
        of_materials.store(out);
        of_pairs.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let mut materials = Materials::default();
        let table = Vec::<(String, Material)>::load(input)?;
        let rows = table.len();
        for (name, material) in table {
            if let Err(error) = materials.add(&name, material) {
                return invalid(format!("material {name}: {error}"));
            }
        }
        if materials.ids().count() != rows {
            return invalid("two materials have one name");
        }
        for ((a, b), values) in Vec::<((MaterialId, MaterialId), PairOverride)>::load(input)? {
            if a.index().max(b.index()) >= rows {
                return invalid("a pair of materials that are not there");
            }
            if let Err(error) = materials.override_pair(a, b, values) {
                return invalid(format!("a pair of materials: {error}"));
            }
        }
        let fits = |id: MaterialId| id.index() < rows;
        for (id, constants) in Vec::<(MaterialId, Constants)>::load(input)? {
            if !fits(id) {
                return invalid("springs of a material that is not there");
            }
            if let Err(error) = materials.set_constants(id, constants) {
                return invalid(format!("springs of a material: {error}"));
            }
        }
        for ((a, b), constants) in Vec::<((MaterialId, MaterialId), Constants)>::load(input)? {
            if !(fits(a) && fits(b)) {
                return invalid("springs of a pair of materials that are not there");
            }
            if let Err(error) = materials.override_constants(a, b, constants) {
                return invalid(format!("springs of a pair of materials: {error}"));
            }
        }
        load_curves(&mut materials, input)?;
        Ok(materials)
    }
}

/// How restitutions depend on the approach speed.
fn load_curves(materials: &mut Materials, input: &mut Reader<'_>) -> Result<(), SnapshotError> {
    let rows = materials.ids().count();
    let fits = |id: MaterialId| id.index() < rows;
    for (id, curve) in Vec::<(MaterialId, RestitutionCurve)>::load(input)? {
        if !fits(id) {
            return invalid("a restitution of a material that is not there");
        }
        if let Err(error) = materials.set_restitution_curve(id, curve) {
            return invalid(format!("the restitution of a material: {error}"));
        }
    }
    for ((a, b), curve) in Vec::<((MaterialId, MaterialId), RestitutionCurve)>::load(input)? {
        if !(fits(a) && fits(b)) {
            return invalid("a restitution of a pair of materials that are not there");
        }
        if let Err(error) = materials.override_restitution_curve(a, b, curve) {
            return invalid(format!("the restitution of a pair of materials: {error}"));
        }
    }
    Ok(())
}

impl Stored for RestitutionCurve {
    fn store(&self, out: &mut Vec<u8>) {
        match self {
            RestitutionCurve::Viscoelastic { loss } => (0_u8, *loss).store(out),
            RestitutionCurve::Table(points) => {
                1_u8.store(out);
                points.store(out);
            }
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(match u8::load(input)? {
            0 => RestitutionCurve::Viscoelastic {
                loss: f64::load(input)?,
            },
            1 => RestitutionCurve::Table(Vec::load(input)?),
            code => return invalid(format!("there is no restitution {code}")),
        })
    }
}

impl Stored for Shape2 {
    fn store(&self, out: &mut Vec<u8>) {
        match self {
            Shape2::Segment(segment) => (0_u8, *segment).store(out),
            Shape2::Arc(arc) => (1_u8, *arc).store(out),
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let shape = match u8::load(input)? {
            0 => {
                let Segment { ends: [from, to] } = Stored::load(input)?;
                Segment::new(from, to).map(Shape2::Segment)
            }
            1 => {
                let arc = Arc::load(input)?;
                // Its numbers follow from each other with roundings, and are kept as they are.
                let all = [arc.centre, arc.middle, arc.ends[0], arc.ends[1]];
                if !all.iter().all(|point| point.is_finite()) || !(arc.cos_half.abs() <= 1.0) {
                    return invalid("an arc without finite numbers");
                }
                Ball::new(arc.radius).map(|_| Shape2::Arc(arc))
            }
            other => return invalid(format!("there is no shape {other} in 2-D")),
        };
        shape.or_else(|error| invalid(error.to_string()))
    }
}

impl Stored for Shape3 {
    fn store(&self, out: &mut Vec<u8>) {
        match self {
            Shape3::Triangle(triangle) => (0_u8, *triangle).store(out),
            Shape3::Cylinder(cylinder) => (1_u8, *cylinder).store(out),
            Shape3::Tube(tube) => (2_u8, *tube).store(out),
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let shape = match u8::load(input)? {
            0 => Triangle::new(Triangle::load(input)?.corners).map(Shape3::Triangle),
            1 => {
                let cylinder = Cylinder::load(input)?;
                unit(cylinder.axis)?;
                // The axis is of length one already, and is kept to the bit.
                Cylinder::new(cylinder.axis, cylinder.half_length, cylinder.radius)
                    .map(|_| Shape3::Cylinder(cylinder))
            }
            2 => {
                let tube = Tube::load(input)?;
                unit(tube.axis)?;
                Tube::new(tube.axis, tube.radius).map(|_| Shape3::Tube(tube))
            }
            other => return invalid(format!("there is no shape {other} in 3-D")),
        };
        shape.or_else(|error| invalid(error.to_string()))
    }
}

/// Whether a direction is of length one, to rounding.
fn unit<V: Linear>(direction: V) -> Result<(), SnapshotError> {
    if (direction.length() - 1.0).abs() < 1e-12 {
        Ok(())
    } else {
        invalid("a direction is not of length one")
    }
}

impl<S: Shaped> Stored for Shape<S> {
    fn store(&self, out: &mut Vec<u8>) {
        match self {
            Shape::Ball(ball) => (0_u8, *ball).store(out),
            Shape::HalfSpace(wall) => (1_u8, *wall).store(out),
            Shape::Hollow(room) => (2_u8, *room).store(out),
            Shape::Block(block) => (3_u8, *block).store(out),
            Shape::Compound(form) => {
                5_u8.store(out);
                form.store(out);
            }
            Shape::Own(own) => {
                4_u8.store(out);
                own.store(out);
            }
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let shape = match u8::load(input)? {
            0 => Ball::new(f64::load(input)?).map(Shape::Ball),
            1 => {
                let wall = HalfSpace::load(input)?;
                unit(wall.normal)?;
                Ok(Shape::HalfSpace(wall))
            }
            2 => Hollow::new(f64::load(input)?).map(Shape::Hollow),
            3 => Block::new(Stored::load(input)?).map(Shape::Block),
            4 => Ok(Shape::Own(Box::new(Stored::load(input)?))),
            5 => Ok(Shape::Compound(Box::new(Stored::load(input)?))),
            other => return invalid(format!("there is no shape {other}")),
        };
        shape.or_else(|error| invalid(error.to_string()))
    }
}

impl<S: Space> Stored for Drive<S> {
    fn store(&self, out: &mut Vec<u8>) {
        match self {
            Drive::Uniform { velocity } => (0_u8, *velocity).store(out),
            Drive::Rotation {
                pivot,
                angular_velocity,
            } => (1_u8, (*pivot, *angular_velocity)).store(out),
            Drive::Oscillation {
                amplitude,
                frequency,
                phase,
            } => (2_u8, (*amplitude, (*frequency, *phase))).store(out),
            Drive::Path { knots } => {
                3_u8.store(out);
                knots.store(out);
            }
            Drive::Swing { pivot, axis, knots } => {
                (4_u8, (*pivot, *axis)).store(out);
                knots.store(out);
            }
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(match u8::load(input)? {
            0 => Drive::Uniform {
                velocity: Stored::load(input)?,
            },
            1 => Drive::Rotation {
                pivot: Stored::load(input)?,
                angular_velocity: Stored::load(input)?,
            },
            2 => Drive::Oscillation {
                amplitude: Stored::load(input)?,
                frequency: Stored::load(input)?,
                phase: Stored::load(input)?,
            },
            3 => Drive::Path {
                knots: Stored::load(input)?,
            },
            4 => Drive::Swing {
                pivot: Stored::load(input)?,
                axis: Stored::load(input)?,
                knots: Stored::load(input)?,
            },
            other => return invalid(format!("there is no motion {other}")),
        })
    }
}

impl<S: Space> Stored for Kind<S> {
    fn store(&self, out: &mut Vec<u8>) {
        match self {
            Kind::Free(free) => (0_u8, *free).store(out),
            Kind::Static => 1_u8.store(out),
            Kind::Kinematic(drive) => {
                2_u8.store(out);
                drive.store(out);
            }
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(match u8::load(input)? {
            0 => Kind::Free(Stored::load(input)?),
            1 => Kind::Static,
            2 => Kind::Kinematic(Stored::load(input)?),
            other => return invalid(format!("there is no kind of body {other}")),
        })
    }
}

stored_fields!(CollisionFilter { memberships, mask });
stored_fields!(Body<S> { name, shape, material, groups, sensor, pose, kind, load } where S: Shaped);
stored_fields!(Edit { time, change });

impl Stored for Change {
    fn store(&self, out: &mut Vec<u8>) {
        let (code, id) = match *self {
            Change::Inserted(id) => (0_u8, id),
            Change::Removed(id) => (1, id),
            Change::Velocity(id) => (2, id),
            Change::Position(id) => (3, id),
            Change::Material(id) => (4, id),
            Change::CollisionFilter(id) => (5, id),
            Change::Materials => (6, BodyId(0)),
            Change::Gravity => (7, BodyId(0)),
            Change::Fields => (8, BodyId(0)),
            Change::Drive(id) => (9, id),
            Change::Load(id) => (10, id),
            Change::Velocities => (11, BodyId(0)),
            Change::Stalled(id) => (12, id),
        };
        (code, id).store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (code, id) = <(u8, BodyId)>::load(input)?;
        Ok(match code {
            0 => Change::Inserted(id),
            1 => Change::Removed(id),
            2 => Change::Velocity(id),
            3 => Change::Position(id),
            4 => Change::Material(id),
            5 => Change::CollisionFilter(id),
            6 => Change::Materials,
            7 => Change::Gravity,
            8 => Change::Fields,
            9 => Change::Drive(id),
            10 => Change::Load(id),
            11 => Change::Velocities,
            12 => Change::Stalled(id),
            other => return invalid(format!("there is no change {other}")),
        })
    }
}
