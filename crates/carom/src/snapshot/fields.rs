//! How what acts on balls in flight is stored. Functions of one's own are not: they have to be given again.

use crate::codec::{Reader, SnapshotError, Stored, invalid};
use crate::motion::{
    Drag, Field, Fields, Integrator, Lift, Region, RotationalDrag, Tolerance, Wind,
};
use crate::space::Space;

/// A choice is its number and its numbers.
macro_rules! stored_variants {
    ($type:ty $(, $space:ident)?: $($number:literal => $variant:ident { $($field:ident),* }),+ $(,)?) => {
        impl $(<$space: Space>)? Stored for $type {
            fn store(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$variant { $($field),* } => {
                        ($number as u8).store(out);
                        $($field.store(out);)*
                    })+
                    #[allow(unreachable_patterns)]
                    _ => u8::MAX.store(out),
                }
            }

            fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
                match u8::load(input)? {
                    $($number => Ok(Self::$variant { $($field: Stored::load(input)?),* }),)+
                    u8::MAX => invalid(OWN_FUNCTION),
                    other => invalid(format!("a field of the unknown kind {other}")),
                }
            }
        }
    };
}

const OWN_FUNCTION: &str = "the run has a field that is a function of one's own, which no file can hold: set the fields again on a run that starts from its world";

stored_variants!(Drag: 0 => Given { linear, quadratic }, 1 => OfMedium { density, viscosity, coefficient });
stored_variants!(Lift: 0 => Given { coefficient }, 1 => OfMedium { density, coefficient });
stored_variants!(RotationalDrag: 0 => Given { coefficient }, 1 => OfMedium { viscosity });
stored_variants!(Integrator: 0 => ExplicitEuler { step });
stored_variants!(
    Wind<S>, S:
    0 => Still {},
    1 => Uniform { velocity },
    2 => Shear { point, velocity, normal, gradient },
    3 => Gust { start, end, velocity },
    4 => Vortex { centre, axis, circulation, core },
);
stored_variants!(
    Region<S>, S:
    0 => Everywhere {},
    1 => HalfSpace { point, normal },
    2 => Ball { centre, radius },
    3 => OutsideBall { centre, radius },
    4 => Box { low, high },
);

impl<S: Space> Stored for Field<S> {
    fn store(&self, out: &mut Vec<u8>) {
        match self {
            Field::Drag(drag) => (0_u8.store(out), drag.store(out)).1,
            Field::Wind(wind) => (1_u8.store(out), wind.store(out)).1,
            Field::Lift(lift) => (2_u8.store(out), lift.store(out)).1,
            Field::RotationalDrag(drag) => (3_u8.store(out), drag.store(out)).1,
            Field::Uniform(gravity) => (4_u8.store(out), gravity.store(out)).1,
            Field::Central {
                centre,
                strength,
                softening,
            } => {
                5_u8.store(out);
                centre.store(out);
                strength.store(out);
                softening.store(out);
            }
            Field::Spring { centre, stiffness } => {
                6_u8.store(out);
                centre.store(out);
                stiffness.store(out);
            }
            Field::Force(_) => u8::MAX.store(out),
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(match u8::load(input)? {
            0 => Field::Drag(Stored::load(input)?),
            1 => Field::Wind(Stored::load(input)?),
            2 => Field::Lift(Stored::load(input)?),
            3 => Field::RotationalDrag(Stored::load(input)?),
            4 => Field::Uniform(Stored::load(input)?),
            5 => Field::Central {
                centre: Stored::load(input)?,
                strength: Stored::load(input)?,
                softening: Stored::load(input)?,
            },
            6 => Field::Spring {
                centre: Stored::load(input)?,
                stiffness: Stored::load(input)?,
            },
            u8::MAX => return invalid(OWN_FUNCTION),
            other => return invalid(format!("a field of the unknown kind {other}")),
        })
    }
}

/// The uniform gravity is stored elsewhere.
impl<S: Space> Stored for Fields<S> {
    fn store(&self, out: &mut Vec<u8>) {
        (self.parts().len() as u64).store(out);
        for part in self.parts() {
            part.name.store(out);
            part.region.store(out);
            part.field.store(out);
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let mut fields = Fields::default();
        for _ in 0..input.length()? {
            let name = String::load(input)?;
            let region = Stored::load(input)?;
            fields.add(name, region, Stored::load(input)?);
        }
        Ok(fields)
    }
}

/// How flights are made: adaptively, or by Euler.
pub(crate) fn store_integrator(integrator: &Integrator, out: &mut Vec<u8>) {
    match integrator {
        Integrator::Adaptive(tolerance) => {
            true.store(out);
            [tolerance.absolute, tolerance.relative, tolerance.max_step].store(out);
        }
        other => {
            false.store(out);
            other.store(out);
        }
    }
}

pub(crate) fn load_integrator(input: &mut Reader<'_>) -> Result<Integrator, SnapshotError> {
    let integrator = if bool::load(input)? {
        let [absolute, relative, max_step] = Stored::load(input)?;
        Integrator::Adaptive(Tolerance {
            absolute,
            relative,
            max_step,
        })
    } else {
        Stored::load(input)?
    };
    match integrator.check() {
        Ok(()) => Ok(integrator),
        Err(error) => invalid(error.to_string()),
    }
}
