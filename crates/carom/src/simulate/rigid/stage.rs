//! What does not change in a run: who takes part, what they weigh, what they are made of.

use crate::body::{Body, Kind};
use crate::material::{Materials, Surface};
use crate::motion::{Drive, Flight, Pose};
use crate::shape::Shape;
use crate::solid::{Course, Form};
use crate::space::{Linear, Space};
use crate::world::{BodyId, World, WorldError, fixed_form, free_form};

/// How bodies that keep touching are followed.
///
/// ```
/// use carom::prelude::*;
///
/// let finer = Settling { step: 1.0 / 960.0, ..Settling::default() };
/// assert!(finer.check().is_ok());
/// assert!(Settling { time: 0.0, ..finer }.check().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settling {
    /// How long the steps are in which bodies that keep touching go ahead, s.
    pub step: f64,
    /// A bounce that is slower than what gravity gives in this time is over: the two keep touching, s.
    pub time: f64,
    /// How often the contacts of an island are gone through in half a step, at the most.
    pub rounds: u32,
}

impl Default for Settling {
    /// Steps of 1/240 s; what gravity gives in 1/120 s (on Earth 0.08 m/s, a bounce of a third of a millimetre); 500 rounds.
    fn default() -> Self {
        Settling {
            step: 1.0 / 240.0,
            time: 1.0 / 120.0,
            rounds: 500,
        }
    }
}

impl Settling {
    /// Refuses what is not positive and finite.
    pub fn check(&self) -> Result<(), WorldError> {
        for (field, value) in [("step", self.step), ("time", self.time)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(WorldError::Solids {
                    what: format!(
                        "the settling {field} is {value}, but must be a positive, finite number of seconds"
                    ),
                });
            }
        }
        if self.rounds == 0 {
            return Err(WorldError::Solids {
                what: "the settling rounds are 0, but must be 1 or more".to_owned(),
            });
        }
        Ok(())
    }
}

/// Whom a free body meets: another one by its slot, or something fixed or prescribed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Partner {
    Body(u32),
    Scenery(u32),
}

/// A free body.
#[derive(Clone, Debug)]
pub(super) struct Inert<S: Space> {
    pub id: BodyId,
    pub form: Form<S>,
    pub mass: f64,
    /// Of a ball, which may have another than a full one, or none: kg·m².
    pub ball: Option<f64>,
    /// Of the ball around it, m.
    pub reach: f64,
    /// Whether it touches others at its corners, which turn with it; the points of round bodies stay where they are while the body rolls.
    pub sharp: bool,
}

impl<S: Space> Inert<S> {
    pub fn inverse_inertia(&self, rotation: S::Rotation) -> S::Inertia {
        match self.ball {
            Some(inertia) => S::isotropic_inertia(1.0 / inertia),
            None => self.form.inverse_inertia_at(rotation),
        }
    }

    /// `I ω`, kg·m²/s; nothing for a ball that cannot be spun.
    pub fn angular_momentum(&self, rotation: S::Rotation, spin: S::Spin) -> S::Spin {
        match self.ball {
            Some(inertia) if inertia.is_finite() => spin * inertia,
            Some(_) => S::Spin::ZERO,
            None => S::angular_momentum(self.form.inertia_at(rotation), spin),
        }
    }
}

/// A fixed or prescribed body.
#[derive(Clone, Debug)]
pub(super) struct Prop<S: Space> {
    pub id: BodyId,
    pub form: Form<S>,
    pub pose: Pose<S>,
    /// m/s; not zero where it moves straight on.
    pub velocity: S::Vector,
    /// About its place, m; infinite where it has no end.
    pub reach: f64,
    pub course: Course<S>,
}

pub(super) const NOWHERE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(super) struct Stage<S: Space> {
    pub bodies: Vec<Body<S>>,
    pub materials: Materials,
    pub gravity: S::Vector,
    pub settling: Settling,
    /// By body: the slot of a free one.
    pub slots: Vec<u32>,
    pub inert: Vec<Inert<S>>,
    pub props: Vec<Prop<S>>,
    /// Side of a cell, m.
    pub cell: f64,
    /// Bounces slower than this are over, m/s.
    pub slow: f64,
    /// What is slower than this for a while is at rest, m/s.
    pub still: f64,
}

const HOLLOW: &str = "solids that turn cannot meet a shape that is hollow, nor a thin wall without end; walls with a solid side, boxes, segments, triangles, cylinders and balls they can";

/// Cells are this many times as large as the largest reach. A body may leave its cell by a tenth of it on each side before it is put into another, and what is
/// left must be as long as two reaches.
const CELL: f64 = 2.5;

impl<S: Space> Stage<S> {
    pub fn new(world: World<S>, settling: &Settling) -> Result<Self, Vec<WorldError>> {
        let mut wrong: Vec<WorldError> = settling.check().err().into_iter().collect();
        wrong.extend(world.without_material());
        wrong.extend(refused(&world));
        if wrong.is_empty() {
            wrong.extend(world.overlaps());
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let (materials, gravity) = (world.materials.clone(), world.gravity());
        let slow = gravity.length() * settling.time;
        let mut stage = Stage {
            bodies: world.into_bodies(),
            materials,
            gravity,
            settling: *settling,
            slots: Vec::new(),
            inert: Vec::new(),
            props: Vec::new(),
            cell: 1.0,
            slow,
            still: 1e-3 * slow,
        };
        for index in 0..stage.bodies.len() {
            if let Err(error) = stage.cast(index) {
                wrong.push(error);
            }
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let largest = stage.inert.iter().map(|inert| inert.reach);
        stage.cell = CELL * largest.fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        Ok(stage)
    }

    /// Gives a body its part.
    fn cast(&mut self, index: usize) -> Result<(), WorldError> {
        let (body, id) = (&self.bodies[index], BodyId(index as u32));
        let unfit = |what: String| WorldError::Solids {
            what: format!("body {index} ({}): {what}", body.name),
        };
        match &body.kind {
            Kind::Free(free) => {
                let ball = match body.shape {
                    Shape::Ball(_) => Some(free.inertia),
                    _ => None,
                };
                let form = free_form(&body.shape, free.mass).map_err(|e| unfit(e.to_string()))?;
                self.slots.push(self.inert.len() as u32);
                self.inert.push(Inert {
                    id,
                    mass: free.mass,
                    ball,
                    reach: form.reach(),
                    sharp: (form.parts().iter())
                        .all(|part| part.rounding() == 0.0 && part.as_cylinder().is_none()),
                    form,
                });
            }
            Kind::Fixed | Kind::Driven(_) => {
                let velocity = match &body.kind {
                    Kind::Driven(Drive::Uniform { velocity }) => *velocity,
                    _ => S::Vector::ZERO,
                };
                let Some(form) = fixed_form(&body.shape) else {
                    return Err(unfit(HOLLOW.to_owned()));
                };
                self.slots.push(NOWHERE);
                self.props.push(Prop {
                    id,
                    pose: body.pose,
                    velocity,
                    reach: form.reach(),
                    course: steady(body.pose, velocity),
                    form,
                });
            }
        }
        Ok(())
    }

    pub fn id_of(&self, partner: Partner) -> BodyId {
        match partner {
            Partner::Body(slot) => self.inert[slot as usize].id,
            Partner::Scenery(index) => self.props[index as usize].id,
        }
    }

    pub fn name_of(&self, id: BodyId) -> String {
        let name = &self.bodies[id.0 as usize].name;
        match name.is_empty() {
            true => format!("body {}", id.0),
            false => name.to_string(),
        }
    }

    pub fn form_of(&self, partner: Partner) -> &Form<S> {
        match partner {
            Partner::Body(slot) => &self.inert[slot as usize].form,
            Partner::Scenery(index) => &self.props[index as usize].form,
        }
    }

    /// Whether two bodies meet at all.
    pub fn meet(&self, a: u32, other: Partner) -> bool {
        let groups = |id: BodyId| self.bodies[id.0 as usize].groups;
        groups(self.inert[a as usize].id).meet(groups(self.id_of(other)))
    }

    pub fn surface(&self, a: u32, other: Partner) -> Surface {
        let material = |id: BodyId| self.bodies[id.0 as usize].material;
        self.materials.surface(
            material(self.inert[a as usize].id),
            material(self.id_of(other)),
        )
    }

    /// How much a solver may leave of a velocity, m/s: far below what sleeping goes by.
    pub fn tolerance(&self) -> f64 {
        0.02 * self.still.max(1e-9)
    }

    /// Below which closing speed two bodies keep touching, m/s. Elastic ones bounce a hundred times lower.
    pub fn slow_for(&self, restitution: f64) -> f64 {
        match restitution < 1.0 {
            true => self.slow,
            false => 0.01 * self.slow,
        }
    }
}

/// The course of scenery; its clock is the world's.
fn steady<S: Space>(pose: Pose<S>, velocity: S::Vector) -> Course<S> {
    let flight = Flight {
        position: pose.position,
        velocity,
        acceleration: S::Vector::ZERO,
    };
    Course::steady(0.0, pose, flight, S::Spin::ZERO)
}

/// What worlds with solids that turn cannot have yet, by name.
fn refused<S: Space>(world: &World<S>) -> Vec<WorldError> {
    let mut wrong = Vec::new();
    let mut refuse = |what: String| wrong.push(WorldError::Solids { what });
    if !world.fields().is_uniform() {
        refuse("fields other than uniform gravity do not act on solids that turn".to_owned());
    }
    if world.periods().iter().any(|&length| length > 0.0) {
        refuse("solids that turn cannot be in a periodic box".to_owned());
    }
    if world.contact_time().is_some() {
        refuse(
            "a contact time is for balls alone: solids that turn come to rest by themselves"
                .to_owned(),
        );
    }
    for (id, body) in world.bodies().iter().enumerate() {
        let name = &body.name;
        if body.sensor {
            refuse(format!(
                "body {id} ({name}): a sensor does not notice solids that turn"
            ));
        }
        if let Kind::Driven(drive) = &body.kind
            && !matches!(drive, Drive::Uniform { .. })
        {
            refuse(format!(
                "body {id} ({name}): beside solids that turn a prescribed motion can only be a constant velocity"
            ));
        }
        if world.materials.get(body.material).contact_duration > 0.0 {
            refuse(format!(
                "body {id} ({name}): contacts of measurable duration are for balls alone, but its material `{}` has one",
                world.materials.name(body.material)
            ));
        }
    }
    wrong
}
