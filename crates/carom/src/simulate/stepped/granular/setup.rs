//! What a granular run is made from.

use super::movers::GrainRecord;
use super::rules::Rules;
use crate::arrays::Each;
use crate::body::{Body, CollisionFilter, Kind};
use crate::motion::{Drive, KinematicState, Pose};
use crate::shape::{Obstacle, Shape, Shaped};
use crate::space::{Linear, Space};
use crate::world::{World, image_boxes, shift_of};
use thiserror::Error;
use wide::f64x4;

/// A ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GranularBall<S: Space> {
    /// m.
    pub position: S::Vector,
    /// m/s.
    pub velocity: S::Vector,
    /// rad/s.
    pub angular_velocity: S::Angular,
    /// m.
    pub radius: f64,
    /// kg.
    pub mass: f64,
    /// kg·m²; infinite for one that cannot be spun.
    pub inertia: f64,
    /// What it is made of: a row of the [rules](super::Rules).
    pub class: u16,
    /// What it collides with.
    pub groups: CollisionFilter,
}

impl<S: Space> GranularBall<S> {
    /// A full ball at rest of the first class, which collides with everything.
    pub fn at_rest(radius: f64, mass: f64, position: S::Vector) -> Self {
        GranularBall {
            position,
            velocity: S::Vector::ZERO,
            angular_velocity: S::Angular::ZERO,
            radius,
            mass,
            inertia: S::ball_inertia(mass, radius),
            class: 0,
            groups: CollisionFilter::ALL,
        }
    }
}

/// Something that balls strike and that does not mind.
#[derive(Clone, Debug, PartialEq)]
pub struct GranularFixture<S: Shaped> {
    /// In its own frame.
    pub shape: Shape<S>,
    /// Where it is at time 0.
    pub pose: Pose<S>,
    /// How it moves, if it does.
    pub drive: Option<Drive<S>>,
    /// What it is made of: a row of the [rules](super::Rules).
    pub class: u16,
    /// What it collides with.
    pub groups: CollisionFilter,
}

impl<S: Shaped> GranularFixture<S> {
    /// A static one of the first class, which collides with everything.
    pub fn fixed(shape: Shape<S>, pose: Pose<S>) -> Self {
        GranularFixture {
            shape,
            pose,
            drive: None,
            class: 0,
            groups: CollisionFilter::ALL,
        }
    }

    /// Where it is, and its velocity there and spin, at a time (s).
    pub(super) fn state_at(&self, time: f64) -> KinematicState<S> {
        match &self.drive {
            Some(drive) => drive.state_at(&self.pose, time),
            None => KinematicState {
                pose: self.pose,
                velocity: S::Vector::ZERO,
                angular_velocity: S::Angular::ZERO,
            },
        }
    }

    fn turns(&self) -> bool {
        matches!(
            self.drive,
            Some(Drive::Rotation { .. } | Drive::Swing { .. })
        )
    }

    /// Whether it is everything behind a plane that does not turn.
    pub(super) fn is_wall(&self) -> bool {
        matches!(&self.shape, Shape::HalfSpace(wall) if !wall.two_sided) && !self.turns()
    }

    /// Whether it turns about an axis of its own, as a drum does: its surface moves along itself, and balls near it
    /// stay as near as they are.
    pub(super) fn stays_in_place(&self) -> bool {
        match &self.drive {
            Some(Drive::Rotation {
                pivot,
                angular_velocity,
            }) => self
                .shape
                .turns_into_itself(&self.pose, *pivot, *angular_velocity),
            Some(Drive::Swing { pivot, axis, .. }) => {
                self.shape.turns_into_itself(&self.pose, *pivot, *axis)
            }
            _ => false,
        }
    }
}

/// How it is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings<S: Space> {
    /// The step, s.
    pub dt: f64,
    /// m/s².
    pub gravity: S::Vector,
    /// Of the box along each axis, m; zero where it is not periodic.
    pub periods: [f64; 3],
    /// How many threads share the work. The results do not depend on it.
    pub threads: usize,
    /// Whether energy is entered into the [budgets](super::EnergyBudget). It costs about a twentieth of the time.
    pub books: bool,
    /// Whether the beginnings and ends of contacts are kept until [taken](super::Granular::take_touches).
    pub watched: bool,
}

impl<S: Space> Settings<S> {
    /// Steps of `dt` (s) in the open, without gravity, on one thread, without budgets.
    pub fn stepping(dt: f64) -> Self {
        Settings {
            dt,
            gravity: S::Vector::ZERO,
            periods: [0.0; 3],
            threads: 1,
            books: false,
            watched: false,
        }
    }
}

/// Why it cannot be run.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum GranularError {
    /// A number is not allowed.
    #[error("{of}: {field} is {value}, but must be {allowed}")]
    Number {
        /// `ball 3`, `fixture 0`, `settings`.
        of: String,
        /// Which.
        field: &'static str,
        /// As given.
        value: String,
        /// What is allowed there.
        allowed: &'static str,
    },
}

/// The balls and fixtures of a world, in order, with the places of their bodies in it; sensors are left out. Classes
/// are the places of materials.
pub(super) fn of_world<S: Shaped>(
    world: &World<S>,
) -> (Vec<u32>, Vec<u32>, Vec<GranularFixture<S>>) {
    let (mut balls, mut owners, mut props) = (Vec::new(), Vec::new(), Vec::new());
    let radius = |body: &Body<S>| match (&body.kind, &body.shape) {
        (Kind::Free(_), Shape::Ball(ball)) => ball.radius,
        _ => 0.0,
    };
    let largest = world.bodies().iter().map(radius).fold(0.0, f64::max);
    for (index, body) in world.bodies().iter().enumerate() {
        let drive = match &body.kind {
            Kind::Free(_) => {
                balls.push(index as u32);
                continue;
            }
            Kind::Static => None,
            Kind::Kinematic(drive) => Some(drive.clone()),
        };
        if body.sensor {
            continue;
        }
        for image in image_boxes(body, world.periods(), largest) {
            let mut pose = body.pose;
            pose.position += shift_of::<S>(image, world.periods());
            owners.push(index as u32);
            props.push(GranularFixture {
                shape: body.shape.clone(),
                pose,
                drive: drive.clone(),
                class: body.material.index() as u16,
                groups: body.groups,
            });
        }
    }
    (balls, owners, props)
}

/// The ball of a free body.
pub(in super::super) fn grain<S: Shaped>(body: &Body<S>) -> Option<GranularBall<S>> {
    match (&body.kind, &body.shape) {
        (Kind::Free(free), Shape::Ball(ball)) => Some(GranularBall {
            position: body.pose.position,
            velocity: free.velocity,
            angular_velocity: free.angular_velocity,
            radius: ball.radius,
            mass: free.mass,
            inertia: free.inertia,
            class: body.material.index() as u16,
            groups: body.groups,
        }),
        _ => None,
    }
}

fn number<T>(
    of: String,
    field: &'static str,
    value: impl ToString,
    allowed: &'static str,
) -> Result<T, GranularError> {
    Err(GranularError::Number {
        of,
        field,
        value: value.to_string(),
        allowed,
    })
}

pub(super) fn check_grain<S: Space>(
    index: usize,
    grain: &GranularBall<S>,
    classes: usize,
) -> Result<(), GranularError> {
    let of = || format!("ball {index}");
    const POSITIVE: &str = "a positive, finite number";
    for (field, value) in [("radius", grain.radius), ("mass", grain.mass)] {
        if !(value > 0.0 && value.is_finite()) {
            return number(of(), field, value, POSITIVE);
        }
    }
    if !(grain.inertia > 0.0) {
        return number(of(), "inertia", grain.inertia, "positive, or infinite");
    }
    for (field, finite) in [
        ("position", grain.position.is_finite()),
        ("velocity", grain.velocity.is_finite()),
        ("angular velocity", grain.angular_velocity.is_finite()),
    ] {
        if !finite {
            return number(of(), field, "not a number", "made of finite numbers");
        }
    }
    if grain.class as usize >= classes {
        return number(of(), "class", grain.class, "one of the rules'");
    }
    Ok(())
}

pub(super) fn check_props<S: Shaped>(
    props: &[GranularFixture<S>],
    classes: usize,
) -> Result<(), GranularError> {
    for (index, prop) in props.iter().enumerate() {
        if prop.class as usize >= classes {
            return number(
                format!("fixture {index}"),
                "class",
                prop.class,
                "one of the rules'",
            );
        }
    }
    Ok(())
}

pub(super) fn check_settings<S: Space>(
    rules: &Rules,
    settings: &Settings<S>,
) -> Result<(), GranularError> {
    let of = || "settings".to_owned();
    if !(settings.dt > 0.0 && settings.dt.is_finite()) {
        return number(
            of(),
            "dt",
            settings.dt,
            "a positive, finite number of seconds",
        );
    }
    if !settings.gravity.is_finite() {
        let value = format!("{:?}", settings.gravity);
        return number(of(), "gravity", value, "made of finite numbers");
    }
    for length in settings.periods {
        if !(length >= 0.0 && length.is_finite()) {
            return number(of(), "periods", length, "positive and finite, or zero");
        }
    }
    if settings.threads == 0 {
        return number(of(), "threads", 0, "one or more");
    }
    let square = rules.classes * rules.classes;
    if rules.classes == 0 || rules.table.len() != square {
        let value = format!("{} rules for {} classes", rules.table.len(), rules.classes);
        return number(
            of(),
            "rules",
            value,
            "one for each pair of one or more classes",
        );
    }
    Ok(())
}

/// A ball as the loops have it.
pub(super) fn mover<S: Space>(grain: &GranularBall<S>) -> GrainRecord {
    let [x, y, z] = S::components(grain.position);
    let [u, v, w] = S::components(grain.velocity);
    let [p, q, r] =
        angular_velocity_components::<S>(grain.angular_velocity).each(|about| grain.radius * about);
    let radius = grain.radius;
    GrainRecord {
        place: f64x4::from([x, y, z, radius]),
        velocity: f64x4::from([u, v, w, 1.0 / grain.mass]),
        rim: f64x4::from([p, q, r, radius * radius / grain.inertia]),
    }
}

/// The spins of one radian per second about the three axes; in 2-D the first two are none.
fn unit_spins<S: Space>() -> [S::Angular; 3] {
    let axis = |axis: usize| {
        let mut components = [0.0; 3];
        components[axis] = 1.0;
        S::vector(components)
    };
    [
        S::torque(axis(1), axis(2)),
        S::torque(axis(2), axis(0)),
        S::torque(axis(0), axis(1)),
    ]
}

pub(in super::super) fn angular_velocity_components<S: Space>(
    angular_velocity: S::Angular,
) -> [f64; 3] {
    unit_spins::<S>().each(|unit| angular_velocity.dot(unit))
}

/// A spin from its components.
pub(in super::super) fn angular_velocity_of<S: Space>([x, y, z]: [f64; 3]) -> S::Angular {
    let [about_x, about_y, about_z] = unit_spins::<S>();
    about_x * x + about_y * y + about_z * z
}
