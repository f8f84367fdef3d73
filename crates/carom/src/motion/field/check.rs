use super::{Drag, Field, Fields, Lift, Part, Region, RotationalDrag, Wind};
use crate::motion::integrate::Sides;
use crate::space::{Linear, Space};
use thiserror::Error;

/// Why fields cannot be.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{part}: {field} is {value}, but must be {allowed}")]
#[non_exhaustive]
pub struct FieldError {
    /// The name of the part at fault.
    pub part: String,
    /// Its field at fault.
    pub field: &'static str,
    /// Its value, as given.
    pub value: String,
    /// What is allowed there.
    pub allowed: &'static str,
}

/// The field at fault, its value, and what is allowed there.
type Wrong = (&'static str, String, &'static str);

const FINITE: &str = "made of finite numbers";
const NOT_NEGATIVE: &str = "finite and not negative";
const POSITIVE: &str = "finite and positive";
const UNIT: &str = "of length 1";

impl<S: Space> Fields<S> {
    /// Refuses what cannot be: negative drag, directions that are none, numbers that are not finite.
    ///
    /// What a function of one's own returns is seen only when it is asked; see
    /// [`FlightError::NotFinite`](crate::motion::FlightError::NotFinite).
    pub fn check(&self) -> Result<(), FieldError> {
        let named = |part: &str, (field, value, allowed): Wrong| FieldError {
            part: part.to_owned(),
            field,
            value,
            allowed,
        };
        finite("gravity", self.gravity).map_err(|wrong| named("fields", wrong))?;
        if self.borders().len() > Sides::MOST {
            let wrong = (
                "number of borders of regions",
                self.borders().len().to_string(),
                "at most 64",
            );
            return Err(named("fields", wrong));
        }
        self.parts().iter().try_for_each(|part| {
            check_part(part)
                .and_then(|()| check_region(&part.region))
                .map_err(|wrong| named(&part.name, wrong))
        })
    }
}

fn check_part<S: Space>(part: &Part<S>) -> Result<(), Wrong> {
    match &part.field {
        Field::Drag(Drag::Given { linear, quadratic }) => {
            not_negative("linear", *linear)?;
            not_negative("quadratic", *quadratic)
        }
        Field::Drag(Drag::OfMedium {
            density,
            viscosity,
            coefficient,
        }) => {
            not_negative("density", *density)?;
            not_negative("viscosity", *viscosity)?;
            not_negative("coefficient", *coefficient)
        }
        Field::Wind(wind) => check_wind(wind),
        Field::Lift(Lift::Given { coefficient }) => finite("coefficient", *coefficient),
        Field::Lift(Lift::OfMedium {
            density,
            coefficient,
        }) => {
            not_negative("density", *density)?;
            finite("coefficient", *coefficient)
        }
        Field::RotationalDrag(RotationalDrag::Given { coefficient }) => {
            not_negative("coefficient", *coefficient)
        }
        Field::RotationalDrag(RotationalDrag::OfMedium { viscosity }) => {
            not_negative("viscosity", *viscosity)
        }
        Field::Uniform(acceleration) => finite("acceleration", *acceleration),
        Field::Central {
            centre,
            strength,
            softening,
        } => {
            finite("centre", *centre)?;
            finite("strength", *strength)?;
            not_negative("softening", *softening)
        }
        Field::Spring { centre, stiffness } => {
            finite("centre", *centre)?;
            not_negative("stiffness", *stiffness)
        }
        Field::Force(force) => check_jumps(force.jumps()),
    }
}

fn check_wind<S: Space>(wind: &Wind<S>) -> Result<(), Wrong> {
    match wind {
        Wind::Still => Ok(()),
        Wind::Uniform { velocity } => finite("velocity", *velocity),
        Wind::Shear {
            point,
            velocity,
            normal,
            gradient,
        } => {
            finite("point", *point)?;
            finite("velocity", *velocity)?;
            unit("normal", *normal)?;
            finite("gradient", *gradient)
        }
        Wind::Gust {
            start,
            end,
            velocity,
        } => {
            finite("velocity", *velocity)?;
            if start.is_nan() || end.is_nan() || !(start < end) {
                let allowed = "a start before an end, in seconds";
                return Err(("start and end", format!("{start} to {end}"), allowed));
            }
            Ok(())
        }
        Wind::Vortex {
            centre,
            axis,
            circulation,
            core,
        } => {
            finite("centre", *centre)?;
            unit("axis", *axis)?;
            finite("circulation", *circulation)?;
            not_negative("core", *core)
        }
        Wind::Function(function) => check_jumps(function.jumps()),
    }
}

fn check_region<S: Space>(region: &Region<S>) -> Result<(), Wrong> {
    match *region {
        Region::Everywhere => Ok(()),
        Region::HalfSpace { point, normal } => {
            finite("region.point", point)?;
            unit("region.normal", normal)
        }
        Region::Ball { centre, radius } | Region::OutsideBall { centre, radius } => {
            finite("region.centre", centre)?;
            when(
                radius > 0.0 && radius.is_finite(),
                "region.radius",
                radius,
                POSITIVE,
            )
        }
        Region::Box { low, high } => {
            finite("region.low", low)?;
            finite("region.high", high)?;
            let size = S::components(high - low);
            let has_inside = size[..S::DIMENSION].iter().all(|&length| length > 0.0);
            when(
                has_inside,
                "region.high",
                high,
                "above region.low along every axis",
            )
        }
    }
}

fn check_jumps(jumps: &[f64]) -> Result<(), Wrong> {
    let named = jumps.iter().all(|jump| !jump.is_nan());
    when(named, "jumps", jumps, "times in seconds")
}

fn when(
    right: bool,
    field: &'static str,
    value: impl std::fmt::Debug,
    allowed: &'static str,
) -> Result<(), Wrong> {
    if right {
        Ok(())
    } else {
        Err((field, format!("{value:?}"), allowed))
    }
}

fn finite(field: &'static str, value: impl Linear) -> Result<(), Wrong> {
    when(value.is_finite(), field, value, FINITE)
}

fn not_negative(field: &'static str, value: f64) -> Result<(), Wrong> {
    when(
        value >= 0.0 && value.is_finite(),
        field,
        value,
        NOT_NEGATIVE,
    )
}

fn unit(field: &'static str, value: impl Linear) -> Result<(), Wrong> {
    // Rounding leaves far less than this.
    when((value.length() - 1.0).abs() < 1e-9, field, value, UNIT)
}
