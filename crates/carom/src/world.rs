//! A world: the bodies at time 0, what they are made of, and the gravity they are in.

use crate::body::{Body, Kind};
use crate::broad::{MOST_MEMBERS, SizedBall, touching_pairs};
use crate::material::Materials;
use crate::motion::Pose;
use crate::shape::{Obstacle, Shape};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};
use thiserror::Error;

/// A body of a world, by the order of insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub u32);

/// Everything that a run starts from.
#[derive(Clone, Debug, Default)]
pub struct World<S: Space> {
    /// The materials that the bodies refer to.
    pub materials: Materials,
    gravity: S::Vector,
    /// Of the box along each axis, m; zero where it is not periodic.
    periods: [f64; 3],
    /// s.
    contact_time: Option<f64>,
    bodies: Vec<Body<S>>,
}

/// A world in the plane.
pub type World2 = World<crate::space::Plane>;

/// A world in space.
pub type World3 = World<crate::space::Solid>;

/// Why a world cannot be.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum WorldError {
    /// A body has a number that is not allowed.
    #[error("body {id} ({name}): {field} is {value}, but must be {allowed}")]
    Body {
        /// Index, in the order of insertion.
        id: usize,
        /// As given.
        name: String,
        /// The field at fault: `mass`, `inertia`, `position`, `velocity`, `spin`, `shape`, `number` (there are too many) or a field of the drive.
        field: &'static str,
        /// Its value, as given.
        value: String,
        /// What is allowed there.
        allowed: &'static str,
    },
    /// The gravity is not finite.
    #[error("gravity is {value}, but must be made of finite numbers")]
    Gravity {
        /// As given.
        value: String,
    },
    /// The contact time is not one.
    #[error("the contact time is {value}, but must be a positive, finite number of seconds")]
    ContactTime {
        /// As given, s.
        value: f64,
    },
    /// A length of the periodic box is not one.
    #[error(
        "the periodic box has length {value} along {axis}, but must have a positive, finite number of metres"
    )]
    Period {
        /// `x`, `y` or `z`.
        axis: char,
        /// As given, m.
        value: f64,
    },
    /// A body does not fit into the periodic box.
    #[error(
        "body {id} ({name}) does not fit the periodic box of {length} m along {axis}: {reason}"
    )]
    Box {
        /// Index, in the order of insertion.
        id: usize,
        /// As given.
        name: String,
        /// `x`, `y` or `z`.
        axis: char,
        /// Of the box along that axis, m.
        length: f64,
        /// What is wrong, and what is allowed.
        reason: String,
    },
    /// Two bodies overlap at time 0 by more than rounding explains.
    #[error(
        "body {a} ({name_a}) and body {b} ({name_b}) overlap by {depth:e} m at the start, but may by at most {allowed:e} m"
    )]
    Overlap {
        /// Index of one.
        a: usize,
        /// Its name.
        name_a: String,
        /// Index of the other.
        b: usize,
        /// Its name.
        name_b: String,
        /// How deep, m.
        depth: f64,
        /// What rounding explains, m.
        allowed: f64,
    },
}

impl<S: Space> World<S> {
    /// An empty world without gravity.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uniform gravity, m/s².
    pub fn gravity(&self) -> S::Vector {
        self.gravity
    }

    /// Sets the uniform gravity, m/s².
    pub fn set_gravity(&mut self, gravity: S::Vector) -> Result<(), WorldError> {
        if !gravity.is_finite() {
            return Err(WorldError::Gravity {
                value: format!("{gravity:?}"),
            });
        }
        self.gravity = gravity;
        Ok(())
    }

    /// Makes the world periodic along the axes that are given a length, m: what leaves the box `[0, length)` on one side comes
    /// in on the other. In the plane the third is ignored.
    ///
    /// Fixed bodies are repeated with the box. So are driven ones, but they are not brought back when their motion leads them out of it.
    pub fn set_periodic(&mut self, lengths: [Option<f64>; 3]) -> Result<(), WorldError> {
        let mut periods = [0.0; 3];
        for axis in 0..S::DIMENSION {
            if let Some(value) = lengths[axis] {
                if !(value > 0.0 && value.is_finite()) {
                    return Err(WorldError::Period {
                        axis: AXES[axis],
                        value,
                    });
                }
                periods[axis] = value;
            }
        }
        self.periods = periods;
        Ok(())
    }

    /// The lengths of the periodic box, m; zero along an axis that is not periodic.
    pub fn periods(&self) -> [f64; 3] {
        self.periods
    }

    /// The contact time, s, if there is one: see [`set_contact_time`](Self::set_contact_time).
    pub fn contact_time(&self) -> Option<f64> {
        self.contact_time
    }

    /// Sets the contact time t_c, s, of the TC model of Luding and McNamara: a collision of a ball that comes sooner than t_c after the last
    /// one of either ball takes no energy (ε is at least 1, and there is no friction).
    ///
    /// It gets a run past the point at which inelastic balls would collide infinitely often in a finite time. All other collisions stay
    /// as they are, to the bit. A good choice is what a real contact of such balls lasts, and well below the time between
    /// collisions; a ball that comes to rest on a floor has a collision every t_c.
    pub fn set_contact_time(&mut self, contact_time: Option<f64>) -> Result<(), WorldError> {
        match contact_time {
            Some(value) if !(value > 0.0 && value.is_finite()) => {
                Err(WorldError::ContactTime { value })
            }
            _ => {
                self.contact_time = contact_time;
                Ok(())
            }
        }
    }

    /// Adds a body, if its numbers are allowed.
    pub fn add(&mut self, body: Body<S>) -> Result<BodyId, WorldError> {
        let id = self.bodies.len();
        check_body(&body).map_err(|(field, value, allowed)| WorldError::Body {
            id,
            name: body.name.to_string(),
            field,
            value,
            allowed,
        })?;
        if id >= MOST_MEMBERS {
            return Err(WorldError::Body {
                id,
                name: body.name.into(),
                field: "number",
                value: id.to_string(),
                allowed: "below 2²⁷",
            });
        }
        self.bodies.push(body);
        Ok(BodyId(id as u32))
    }

    /// The bodies, in the order of insertion.
    pub fn bodies(&self) -> &[Body<S>] {
        &self.bodies
    }

    /// Takes the bodies out, in the order of insertion.
    pub(crate) fn into_bodies(self) -> Vec<Body<S>> {
        self.bodies
    }

    /// A body as it was inserted.
    pub fn body(&self, id: BodyId) -> &Body<S> {
        &self.bodies[id.0 as usize]
    }

    /// The first body of that name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.bodies
            .iter()
            .position(|body| *body.name == *name)
            .map(|index| BodyId(index as u32))
    }

    /// Every body that the periodic box is too small for.
    ///
    /// A ball must be smaller than half the box, or it could touch two images of another at once; a wall without end
    /// must be along the axis.
    pub fn misfits(&self) -> Vec<WorldError> {
        let mut found = Vec::new();
        for axis in (0..S::DIMENSION).filter(|&axis| self.periods[axis] > 0.0) {
            let length = self.periods[axis];
            for (id, body) in self.bodies.iter().enumerate() {
                let reason = match (&body.shape, &body.kind) {
                    (Shape::Ball(ball), Kind::Free(_)) if 4.0 * ball.radius >= length => {
                        let diameter = 2.0 * ball.radius;
                        format!("its diameter is {diameter} m, but must be below half the box")
                    }
                    (Shape::HalfSpace(wall), _) if S::components(wall.normal)[axis] != 0.0 => {
                        "it goes on without end, so that it must be along the axis".to_owned()
                    }
                    (Shape::Hollow(_), _) => {
                        "a room closes its inside off and cannot be repeated".to_owned()
                    }
                    _ => continue,
                };
                found.push(WorldError::Box {
                    id,
                    name: body.name.to_string(),
                    axis: AXES[axis],
                    length,
                    reason,
                });
            }
        }
        found
    }

    /// Every pair that overlaps at time 0 by more than rounding explains: `16u` of the coordinates.
    pub fn overlaps(&self) -> Vec<WorldError> {
        let mut found = Vec::new();
        let mut balls: Vec<SizedBall<S>> = Vec::new();
        let mut scenery = Vec::new();
        for (index, body) in self.bodies.iter().enumerate() {
            match (&body.kind, &body.shape) {
                (Kind::Free(_), Shape::Ball(ball)) => balls.push(SizedBall {
                    id: index as u32,
                    place: body.pose.position,
                    radius: ball.radius,
                }),
                _ => scenery.push((index, body, pose_at_start(body))),
            }
        }
        for ball in &balls {
            for &(b, other, pose) in &scenery {
                let distance = other.shape.closest(pose.to_local(ball.place)).distance;
                let reach = match other.shape {
                    Shape::Ball(ball) => ball.radius,
                    Shape::Hollow(room) => room.radius,
                    _ => 0.0,
                };
                let size = ball.place.length().max(pose.position.length()) + ball.radius + reach;
                found.extend(self.overlap(ball.id as usize, b, ball.radius - distance, size));
            }
        }
        touching_pairs(&balls, self.periods, |a, b, distance| {
            let reach = a.radius + b.radius;
            let size = a.place.length().max(b.place.length()) + reach;
            found.extend(self.overlap(a.id as usize, b.id as usize, reach - distance, size));
        });
        found.sort_by_key(|error| match *error {
            WorldError::Overlap { a, b, .. } => (a, b),
            _ => (0, 0),
        });
        found
    }

    fn overlap(&self, a: usize, b: usize, depth: f64, size: f64) -> Option<WorldError> {
        let allowed = 16.0 * UNIT_ROUNDOFF * size;
        (depth > allowed).then(|| WorldError::Overlap {
            a,
            name_a: self.bodies[a].name.to_string(),
            b,
            name_b: self.bodies[b].name.to_string(),
            depth,
            allowed,
        })
    }
}

const AXES: [char; 3] = ['x', 'y', 'z'];

fn pose_at_start<S: Space>(body: &Body<S>) -> Pose<S> {
    match &body.kind {
        Kind::Driven(drive) => drive.state_at(&body.pose, 0.0).pose,
        Kind::Free(_) | Kind::Fixed => body.pose,
    }
}

type Fault = (&'static str, String, &'static str);

fn check_body<S: Space>(body: &Body<S>) -> Result<(), Fault> {
    const FINITE: &str = "made of finite numbers";
    if !body.pose.position.is_finite() {
        return Err(("position", format!("{:?}", body.pose.position), FINITE));
    }
    match &body.kind {
        Kind::Fixed => Ok(()),
        Kind::Driven(drive) => drive
            .check()
            .map_err(|error| (error.field, error.value, error.allowed)),
        Kind::Free(free) => {
            if !matches!(body.shape, Shape::Ball(_)) {
                return Err((
                    "shape",
                    format!("{:?}", body.shape),
                    "a ball where the body is free",
                ));
            }
            if !(free.mass > 0.0 && free.mass.is_finite()) {
                return Err((
                    "mass",
                    free.mass.to_string(),
                    "a positive, finite number of kilograms",
                ));
            }
            if free.inertia.is_nan() || free.inertia <= 0.0 {
                return Err((
                    "inertia",
                    free.inertia.to_string(),
                    "positive, or infinite for a ball that cannot spin",
                ));
            }
            if !free.velocity.is_finite() {
                return Err(("velocity", format!("{:?}", free.velocity), FINITE));
            }
            if !free.spin.is_finite() {
                return Err(("spin", format!("{:?}", free.spin), FINITE));
            }
            Ok(())
        }
    }
}
