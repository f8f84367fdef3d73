use super::{Field, Fields, Part, Region, Wind};
use crate::arrays::Each;
use crate::space::{Linear, Space};
use thiserror::Error;

/// Why a field cannot act in a periodic box.
#[derive(Clone, Debug, Error, PartialEq)]
#[error(
    "{part} does not fit the periodic box: {reason}. In a periodic box what acts must be the same on both sides: uniform fields, drag, lift and rotational drag, winds that do not change along the box, and regions that lie within it or reach all along it"
)]
#[non_exhaustive]
pub struct BoxError {
    /// The name of the part at fault.
    pub part: String,
    /// What differs from one side of the box to the other.
    pub reason: String,
}

const AXES: [char; 3] = ['x', 'y', 'z'];

/// Components of unit vectors below this are rounding.
const ASKEW: f64 = 1e-12;

impl<S: Space> Fields<S> {
    /// Refuses what is not the same on both sides of a periodic box with these lengths (m; zero along an axis that is
    /// not periodic): a ball that goes round would jump from one potential to another, and its energy with it.
    ///
    /// User-defined functions are opaque. They are evaluated at points within the box and have to be periodic
    /// themselves.
    pub fn check_in_box(&self, periods: [f64; 3]) -> Result<(), BoxError> {
        let round: Vec<usize> = (0..S::DIMENSION)
            .filter(|&axis| periods[axis] > 0.0)
            .collect();
        if round.is_empty() {
            return Ok(());
        }
        self.parts().iter().try_for_each(|part| {
            let misfit = unlike(part, &round).or_else(|| outside(&part.region, &round, periods));
            misfit.map_or(Ok(()), |reason| {
                Err(BoxError {
                    part: part.name.clone(),
                    reason,
                })
            })
        })
    }
}

/// How a field changes along the axes of a box.
fn unlike<S: Space>(part: &Part<S>, round: &[usize]) -> Option<String> {
    let along = |direction: S::Vector| {
        let components = S::components(direction);
        round.iter().find(|&&axis| components[axis].abs() > ASKEW)
    };
    let pulls = |towards: &str| {
        let axis = AXES[round[0]];
        Some(format!(
            "it {towards} one point, but the box repeats along {axis}"
        ))
    };
    match &part.field {
        Field::Central { .. } => pulls("pulls towards"),
        Field::Spring { .. } => pulls("is a spring to"),
        Field::Wind(Wind::Shear {
            normal, gradient, ..
        }) if *gradient != S::Vector::ZERO => {
            let axis = AXES[*along(*normal)?];
            Some(format!("the wind grows along {axis}"))
        }
        Field::Wind(Wind::Vortex { axis, .. }) => {
            // It changes in all directions but that of its axis.
            let across = |&&number: &&usize| {
                let mut unit = [0.0; 3];
                unit[number] = 1.0;
                S::surface_velocity(*axis, S::vector(unit)).length() > ASKEW
            };
            let axis = AXES[*round.iter().find(across)?];
            Some(format!(
                "the wind rotates about one line, but the box repeats along {axis}"
            ))
        }
        _ => None,
    }
}

/// How a region crosses the sides of a box.
fn outside<S: Space>(region: &Region<S>, round: &[usize], periods: [f64; 3]) -> Option<String> {
    let crosses = |axis: usize, low: f64, high: f64| {
        (low < 0.0 || high > periods[axis]).then(|| {
            let (name, length) = (AXES[axis], periods[axis]);
            format!(
                "its region reaches from {low} m to {high} m along {name}, but the box from 0 to {length} m"
            )
        })
    };
    match *region {
        Region::Everywhere => None,
        Region::HalfSpace { normal, .. } => {
            let normal = S::components(normal);
            let axis = *round.iter().find(|&&axis| normal[axis].abs() > ASKEW)?;
            let name = AXES[axis];
            Some(format!(
                "its region ends at a plane across {name}, but the box repeats along {name}"
            ))
        }
        Region::Ball { centre, radius } | Region::OutsideBall { centre, radius } => {
            let centre = S::components(centre);
            (round.iter())
                .find_map(|&axis| crosses(axis, centre[axis] - radius, centre[axis] + radius))
        }
        Region::Box { low, high } => {
            let [low, high] = [low, high].each(S::components);
            (round.iter()).find_map(|&axis| {
                // One that reaches all along it has no sides there.
                let all_along = low[axis] <= 0.0 && high[axis] >= periods[axis];
                (!all_along).then(|| crosses(axis, low[axis], high[axis]))?
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Drag, Lift};
    use crate::space::{Space2, Space3};
    use glam::{DVec2, DVec3};

    fn fits(field: Field<Space3>, region: Region<Space3>, periods: [f64; 3]) -> bool {
        let fields = Fields::default().within(region, field);
        fields.check_in_box(periods).is_ok()
    }

    #[test]
    fn what_is_the_same_on_both_sides_fits() {
        let everywhere = Region::Everywhere;
        let all = [2.0, 3.0, 4.0];
        assert!(fits(Field::Uniform(DVec3::X), everywhere, all));
        assert!(fits(Field::Drag(Drag::AIR), everywhere, all));
        let lift = Lift::Given { coefficient: 0.1 };
        assert!(fits(Field::Lift(lift), everywhere, all));
        let wind = Wind::Uniform { velocity: DVec3::Y };
        assert!(fits(Field::Wind(wind), everywhere, all));
        let within = Region::Ball {
            centre: DVec3::ONE,
            radius: 1.0,
        };
        assert!(fits(Field::Uniform(DVec3::X), within, all));
        let slab = Region::Box {
            low: DVec3::new(-1.0, 1.0, -1.0),
            high: DVec3::new(5.0, 2.0, 5.0),
        };
        assert!(fits(Field::Uniform(DVec3::X), slab, all));
        // Without a box everything does.
        let spring = Field::Spring {
            centre: DVec3::ZERO,
            stiffness: 1.0,
        };
        assert!(fits(spring, everywhere, [0.0; 3]));
    }

    #[test]
    fn what_changes_along_the_box_does_not() {
        let everywhere = Region::Everywhere;
        let x = [2.0, 0.0, 0.0];
        let spring = Field::Spring {
            centre: DVec3::ZERO,
            stiffness: 1.0,
        };
        assert!(!fits(spring, everywhere, x));
        let central = Field::Central {
            centre: DVec3::ZERO,
            strength: 1.0,
            softening: 0.1,
        };
        assert!(!fits(central, everywhere, x));
        let shear = |normal: DVec3| {
            Field::Wind(Wind::Shear {
                point: DVec3::ZERO,
                velocity: DVec3::ZERO,
                normal,
                gradient: DVec3::Y,
            })
        };
        assert!(!fits(shear(DVec3::X), everywhere, x));
        assert!(fits(shear(DVec3::Z), everywhere, x));
        let vortex = |axis: DVec3| {
            Field::Wind(Wind::Vortex {
                centre: DVec3::ONE,
                axis,
                circulation: 1.0,
                core: 0.1,
            })
        };
        assert!(!fits(vortex(DVec3::Z), everywhere, x));
        assert!(fits(vortex(DVec3::X), everywhere, x));
        let half = |normal: DVec3| Region::HalfSpace {
            point: DVec3::ONE,
            normal,
        };
        assert!(!fits(Field::Uniform(DVec3::X), half(DVec3::X), x));
        assert!(fits(Field::Uniform(DVec3::X), half(DVec3::Y), x));
        let sticks_out = Region::OutsideBall {
            centre: DVec3::ONE,
            radius: 1.5,
        };
        assert!(!fits(Field::Uniform(DVec3::X), sticks_out, x));
    }

    #[test]
    fn the_message_says_what_and_what_is_allowed() {
        let fields = Fields::<Space2>::default().with(Field::Spring {
            centre: DVec2::ZERO,
            stiffness: 2.0,
        });
        let message = fields
            .check_in_box([2.0, 2.0, 0.0])
            .unwrap_err()
            .to_string();
        assert!(
            message
                .starts_with("spring does not fit the periodic box: it is a spring to one point")
        );
        assert!(message.contains("uniform fields, drag"));
    }
}
