//! Why a simulation could not be made, changed or gone on with.

mod director;
mod query;

pub use director::DirectorError;
pub use query::QueryError;

use crate::body::BodyError;
use crate::container::ContainerError;
use crate::material::{ConstantsError, MaterialError};
use crate::motion::{BoxError, DriveError, FieldError, FlightError};
use crate::shape::convex::ConvexError;
use crate::shape::{MeshError, PolyhedronError, ShapeError};
use crate::simulate::exact::RunError;
use crate::simulate::refuse::EditError;
use crate::simulate::stepped::{ForcesError, SteppedError};
use crate::snapshot::SnapshotError;
use crate::world::WorldError;
use std::fmt;

/// More complaints than this are counted, not printed.
const MOST_SHOWN: usize = 100;

/// Why a [`Simulation`](super::Simulation) could not be made, changed or gone on with: all complaints.
///
/// The one error type of a program: whatever goes wrong with shapes, materials, bodies, motions, fields, containers and
/// worlds becomes one of these by `?`.
///
/// ```
/// use carom::prelude::*;
///
/// # fn main() -> Result<(), SimulationError> {
/// let mut world = World2::new();
/// for x in [0.0, 0.7, 1.4] {
///     world.add(Body::free(Shape::ball(0.5)?).mass(1.0).at(DVec2::new(x, 0.0)))?;
/// }
/// let error = Simulation::new(world).unwrap_err();
/// assert_eq!(error.complaints().len(), 2);
/// assert!(error.to_string().starts_with("2 complaints:\n  1. "));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SimulationError {
    /// The world cannot be simulated. Everything that is wrong with it.
    World(Vec<WorldError>),
    /// The world cannot be simulated by forces. Everything that is wrong with it.
    Forces(Vec<ForcesError>),
    /// A part of a world cannot be: a shape, a material, a body, a motion, a field, a container.
    Part(PartError),
    /// A run by impulses could not go on. What it did so far is kept.
    Run(Box<RunError>),
    /// A run by forces could not go on. What it did so far is kept.
    Steps(Box<SteppedError>),
    /// A change was refused. Nothing has been changed.
    Edit(Box<EditError>),
    /// What is to happen later cannot be asked for, or could not be done.
    Director(Box<DirectorError>),
    /// A question has no answer.
    Query(QueryError),
    /// Bytes are no snapshot to go on from.
    Snapshot(SnapshotError),
    /// Only simulations by forces can do that.
    NotByImpulses {
        /// What was asked for.
        what: &'static str,
    },
    /// What was asked for cannot be done yet with what is in the world, or by its method.
    NotYet {
        /// What was asked for.
        what: &'static str,
        /// What can do it.
        only: &'static str,
    },
}

/// Why a part of a world cannot be.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
#[error(transparent)]
#[non_exhaustive]
pub enum PartError {
    /// A shape.
    Shape(ShapeError),
    /// A convex shape, or one with convex parts.
    Space3(ConvexError),
    /// A polyhedron.
    Polyhedron(PolyhedronError),
    /// A mesh.
    Mesh(MeshError),
    /// A body.
    Body(BodyError),
    /// A material, or what two have between them.
    Material(MaterialError),
    /// The spring and damper of a contact.
    Constants(ConstantsError),
    /// A motion of a kinematic body.
    Drive(DriveError),
    /// A field.
    Field(FieldError),
    /// A field in a periodic box.
    FieldInBox(BoxError),
    /// How flights are made.
    Flight(FlightError),
    /// A container.
    Container(ContainerError),
}

/// Whatever is wrong with a part of a world is wrong with the simulation.
macro_rules! parts {
    ($($error:ident: $variant:ident),+ $(,)?) => {
        $(
            impl From<$error> for PartError {
                fn from(error: $error) -> Self {
                    PartError::$variant(error)
                }
            }

            impl From<$error> for SimulationError {
                fn from(error: $error) -> Self {
                    SimulationError::Part(error.into())
                }
            }
        )+
    };
}

parts! {
    ShapeError: Shape,
    ConvexError: Space3,
    PolyhedronError: Polyhedron,
    MeshError: Mesh,
    BodyError: Body,
    MaterialError: Material,
    ConstantsError: Constants,
    DriveError: Drive,
    FieldError: Field,
    BoxError: FieldInBox,
    FlightError: Flight,
    ContainerError: Container,
}

impl SimulationError {
    /// Every complaint, one line or more each.
    pub fn complaints(&self) -> Vec<String> {
        fn lines(errors: &[impl fmt::Display]) -> Vec<String> {
            errors.iter().map(ToString::to_string).collect()
        }
        match self {
            SimulationError::World(errors) => lines(errors),
            SimulationError::Forces(errors) => lines(errors),
            SimulationError::Part(error) => vec![error.to_string()],
            SimulationError::Run(error) => vec![error.to_string()],
            SimulationError::Steps(error) => vec![error.to_string()],
            SimulationError::Edit(error) => match &**error {
                EditError::Refused(errors) => lines(errors),
                EditError::Forces(errors) => lines(errors),
                error => vec![error.to_string()],
            },
            SimulationError::Director(error) => vec![error.to_string()],
            SimulationError::Query(error) => vec![error.to_string()],
            SimulationError::Snapshot(error) => vec![error.to_string()],
            SimulationError::NotByImpulses { what } => {
                vec![format!(
                    "{what}: only simulations by forces have them (Method::Forces)"
                )]
            }
            SimulationError::NotYet { what, only } => {
                vec![format!("{what}: only {only} can do that yet")]
            }
        }
    }
}

/// One complaint is printed as it is, several as a numbered list.
impl fmt::Display for SimulationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let complaints = self.complaints();
        match &complaints[..] {
            [] => write!(formatter, "it cannot be simulated"),
            [one] => write!(formatter, "{one}"),
            all => {
                write!(formatter, "{} complaints:", all.len())?;
                for (number, complaint) in all.iter().take(MOST_SHOWN).enumerate() {
                    write!(formatter, "\n  {}. {complaint}", number + 1)?;
                }
                match all.len().saturating_sub(MOST_SHOWN) {
                    0 => Ok(()),
                    more => write!(formatter, "\n  and {more} more"),
                }
            }
        }
    }
}

impl std::error::Error for SimulationError {
    /// The first error of several.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SimulationError::World(errors) => errors.first().map(|error| error as _),
            SimulationError::Forces(errors) => errors.first().map(|error| error as _),
            SimulationError::Part(error) => std::error::Error::source(error),
            SimulationError::Run(error) => error.source(),
            SimulationError::Steps(error) => error.source(),
            SimulationError::Edit(error) => error.source(),
            SimulationError::Director(error) => error.source(),
            SimulationError::Query(error) => error.source(),
            SimulationError::Snapshot(error) => error.source(),
            SimulationError::NotByImpulses { .. } | SimulationError::NotYet { .. } => None,
        }
    }
}

impl From<Vec<WorldError>> for SimulationError {
    fn from(errors: Vec<WorldError>) -> Self {
        SimulationError::World(errors)
    }
}

impl From<WorldError> for SimulationError {
    fn from(error: WorldError) -> Self {
        SimulationError::World(vec![error])
    }
}

impl From<Vec<ForcesError>> for SimulationError {
    fn from(errors: Vec<ForcesError>) -> Self {
        SimulationError::Forces(errors)
    }
}

impl From<ForcesError> for SimulationError {
    fn from(error: ForcesError) -> Self {
        SimulationError::Forces(vec![error])
    }
}

impl From<RunError> for SimulationError {
    fn from(error: RunError) -> Self {
        SimulationError::Run(Box::new(error))
    }
}

impl From<SteppedError> for SimulationError {
    fn from(error: SteppedError) -> Self {
        SimulationError::Steps(Box::new(error))
    }
}

impl From<EditError> for SimulationError {
    fn from(error: EditError) -> Self {
        SimulationError::Edit(Box::new(error))
    }
}

impl From<DirectorError> for SimulationError {
    fn from(error: DirectorError) -> Self {
        SimulationError::Director(Box::new(error))
    }
}

impl From<QueryError> for SimulationError {
    fn from(error: QueryError) -> Self {
        SimulationError::Query(error)
    }
}

impl From<SnapshotError> for SimulationError {
    fn from(error: SnapshotError) -> Self {
        SimulationError::Snapshot(error)
    }
}
