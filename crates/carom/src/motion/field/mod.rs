//! What acts on balls in flight.
//!
//! ```text
//! m dv/dt = m g − (k₁ + k₂|u|) u + C ω×u − GM m d/(|d|² + s²)^(3/2) − k d + F(t, x, v, ω),     u = v − w(x, t)
//! I dω/dt = −c ω
//! ```
//!
//! with drag k₁, k₂, wind w, lift C from spin (Magnus), central fields and springs towards points at distance
//! d, and forces of one's own. Each of them is a [`Part`] and acts everywhere or within a [`Region`]. Parts of the same
//! kind add up; so do winds, of which drag and lift feel the sum.
//!
//! All are pure functions of time and state.

mod ball;
mod body;
mod check;
mod fit;
mod medium;
mod named;
mod region;
mod wind;

pub use ball::BallFields;
pub(crate) use body::{FieldForce, InFields};
pub use check::FieldError;
pub use fit::BoxError;
pub use medium::{Drag, Lift, RotationalDrag};
pub use named::{ForceFunction, Named, Situation, WindFunction};
pub use region::Region;
pub use wind::Wind;

use super::integrate::{Border, Sides};
use crate::space::{Linear, Space};

/// One thing that acts on balls in flight.
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "", rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Field<S: Space> {
    /// The resistance of the air.
    Drag(Drag),
    /// A wind: drag and lift act relative to it. Alone it does nothing.
    Wind(Wind<S>),
    /// A force across the trajectory, due to rotation (Magnus).
    Lift(Lift),
    /// A torque against the rotation.
    RotationalDrag(RotationalDrag),
    /// A uniform acceleration, m/s²: gravity within a region. The world's is [`Fields::gravity`].
    Uniform(S::Vector),
    /// Gravity towards a point, `−GM d/(|d|² + s²)^(3/2)` with d the position from there.
    Central {
        /// m.
        centre: S::Vector,
        /// GM, m³/s²; negative where it repels.
        strength: f64,
        /// s, m: zero for a point, or about the size of what attracts, for a force that is finite within.
        softening: f64,
    },
    /// A spring towards a point: the force `−k d`.
    Spring {
        /// m.
        centre: S::Vector,
        /// k, N/m. Not negative.
        stiffness: f64,
    },
    /// A force of one's own, N.
    #[cfg_attr(feature = "serde", serde(skip))]
    Force(ForceFunction<S>),
}

/// A field, where it acts, and what it is called in messages.
#[derive(Clone, Debug)]
pub struct Part<S: Space> {
    /// What it is called.
    pub name: String,
    /// What it does.
    pub field: Field<S>,
    /// Where it does it.
    pub region: Region<S>,
    /// The borders of its region, as bits of [`Sides`].
    mask: u64,
}

impl<S: Space> Part<S> {
    fn acts(&self, sides: Sides) -> bool {
        sides.0 & self.mask == 0
    }
}

/// Everything that acts on balls in flight, the same for all balls of a world.
///
/// ```
/// use carom::motion::{Drag, Field, Fields, Region, Wind};
/// use carom::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Air everywhere, a wind above y = 2 m.
/// let above = Region::HalfSpace { point: DVec2::new(0.0, 2.0), normal: -DVec2::Y };
/// let wind = Wind::Uniform { velocity: DVec2::new(5.0, 0.0) };
/// let fields = Fields::uniform(DVec2::new(0.0, -9.81))
///     .with(Field::Drag(Drag::AIR))
///     .within(above, Field::Wind(wind));
/// let mut world = World2::new();
/// world.set_fields(fields)?;
/// let ball = world.add(Body::free(Shape::ball(0.1)?).mass(0.05).at(DVec2::new(0.0, 6.0)))?;
/// let mut run = Simulation::new(world)?;
/// run.run_until(0.5)?;
/// assert!(run.state(ball).velocity.x > 0.01); // it is blown along
/// assert!(run.state(ball).velocity.y > -9.81 * 0.5); // and falls more slowly than in a vacuum
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Fields<S: Space> {
    /// Uniform, m/s².
    pub gravity: S::Vector,
    parts: Vec<Part<S>>,
    borders: Vec<Border<S>>,
}

impl<S: Space> Fields<S> {
    /// Gravity, m/s², and nothing else.
    pub fn uniform(gravity: S::Vector) -> Self {
        Fields {
            gravity,
            ..Fields::default()
        }
    }

    /// With one more field, everywhere.
    #[must_use]
    pub fn with(self, field: Field<S>) -> Self {
        self.within(Region::Everywhere, field)
    }

    /// With one more field, within a region.
    #[must_use]
    pub fn within(mut self, region: Region<S>, field: Field<S>) -> Self {
        let name = field.name();
        self.add(name, region, field);
        self
    }

    /// Adds a field under a name of its own. [`Fields::check`] says whether it can be.
    pub fn add(&mut self, name: impl Into<String>, region: Region<S>, field: Field<S>) {
        let first = self.borders.len();
        self.borders.extend(region.borders());
        // More than there are bits for are refused by the check; here they must only not overflow.
        let mask = (first..self.borders.len())
            .filter(|&index| index < Sides::MOST)
            .fold(0, |mask, index| mask | 1 << index);
        self.parts.push(Part {
            name: name.into(),
            field,
            region,
            mask,
        });
    }

    /// What was added, in that order.
    pub fn parts(&self) -> &[Part<S>] {
        &self.parts
    }

    /// Whether uniform gravity is all there is, so that flights are parabolas.
    pub fn is_uniform(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether what acts has the [potential](Fields::potential) and does no other work: gravity, central fields and
    /// springs that act everywhere, lift without wind.
    pub fn is_conservative(&self) -> bool {
        let wind = (self.parts.iter()).any(|part| matches!(part.field, Field::Wind(_)));
        self.parts.iter().all(|part| match part.field {
            Field::Central { .. } | Field::Spring { .. } | Field::Uniform(_) => {
                part.region == Region::Everywhere
            }
            Field::Lift(_) => !wind,
            _ => false,
        })
    }

    /// The potential energy of a ball of this mass (kg) in the uniform, central and spring fields that act everywhere,
    /// J: `−m g·x − GM m/√(|d|² + s²) + ½ k |d|²`.
    pub fn potential(&self, mass: f64, position: S::Vector) -> f64 {
        let everywhere = self
            .parts
            .iter()
            .filter(|part| part.region == Region::Everywhere);
        everywhere.fold(-mass * self.gravity.dot(position), |energy, part| {
            energy
                + match part.field {
                    Field::Uniform(gravity) => -mass * gravity.dot(position),
                    Field::Central {
                        centre,
                        strength,
                        softening,
                    } => {
                        let apart = (position - centre).length_squared() + softening * softening;
                        -strength * mass / apart.sqrt()
                    }
                    Field::Spring { centre, stiffness } => {
                        0.5 * stiffness * (position - centre).length_squared()
                    }
                    _ => 0.0,
                }
        })
    }

    /// What acts on one ball: its mass (kg), radius (m) and moment of inertia (kg·m², may be infinite).
    pub fn for_ball(&self, mass: f64, radius: f64, inertia: f64) -> BallFields<'_, S> {
        BallFields::new(self, mass, radius, inertia)
    }

    /// The next instant strictly after `time` at which something jumps, s; infinite where there is none.
    pub fn next_jump(&self, time: f64) -> f64 {
        self.parts
            .iter()
            .map(|part| part.field.next_jump(time))
            .fold(f64::INFINITY, f64::min)
    }

    /// The surfaces across which something jumps.
    pub fn borders(&self) -> &[Border<S>] {
        &self.borders
    }
}

impl<S: Space> Field<S> {
    /// What it is called where it was given no name.
    fn name(&self) -> String {
        match self {
            Field::Drag(_) => "drag",
            Field::Wind(Wind::Function(function)) => function.name(),
            Field::Wind(_) => "wind",
            Field::Lift(_) => "lift",
            Field::RotationalDrag(_) => "rotational drag",
            Field::Uniform(_) => "uniform field",
            Field::Central { .. } => "central field",
            Field::Spring { .. } => "spring",
            Field::Force(function) => function.name(),
        }
        .to_owned()
    }

    fn next_jump(&self, time: f64) -> f64 {
        match self {
            Field::Wind(wind) => wind.next_jump(time),
            Field::Force(function) => function.next_jump(time),
            _ => f64::INFINITY,
        }
    }
}

/// A part as it is stored.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(bound = "")]
struct StoredPart<S: Space> {
    name: String,
    field: Field<S>,
    #[serde(default)]
    region: Region<S>,
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(bound = "")]
struct StoredFields<S: Space> {
    gravity: S::Vector,
    #[serde(default = "Vec::new")]
    parts: Vec<StoredPart<S>>,
}

/// Fields that are functions of one's own cannot be stored: that is an error.
#[cfg(feature = "serde")]
impl<S: Space> serde::Serialize for Fields<S> {
    fn serialize<Out: serde::Serializer>(&self, out: Out) -> Result<Out::Ok, Out::Error> {
        let part = |part: &Part<S>| StoredPart {
            name: part.name.clone(),
            field: part.field.clone(),
            region: part.region,
        };
        let stored = StoredFields {
            gravity: self.gravity,
            parts: self.parts.iter().map(part).collect(),
        };
        stored.serialize(out)
    }
}

#[cfg(feature = "serde")]
impl<'de, S: Space> serde::Deserialize<'de> for Fields<S> {
    fn deserialize<In: serde::Deserializer<'de>>(input: In) -> Result<Self, In::Error> {
        let stored = StoredFields::deserialize(input)?;
        let mut fields = Fields::uniform(stored.gravity);
        for part in stored.parts {
            fields.add(part.name, part.region, part.field);
        }
        fields.check().map_err(serde::de::Error::custom)?;
        Ok(fields)
    }
}
