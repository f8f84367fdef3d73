//! The bodies of a run, each at its own time.

use crate::audit::Energy;
use crate::body::{Body, Free, Kind};
use crate::contact::{Contact, Side};
use crate::impact::{Course, MovingBall, Target};
use crate::motion::{DrivenState, Flight, Pose};
use crate::record::Velocities;
use crate::shape::{Obstacle, Shape};
use crate::space::{Linear, Space};

/// Where a body is and how it moves, at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State<S: Space> {
    /// m.
    pub position: S::Vector,
    /// How it is turned.
    pub rotation: S::Rotation,
    /// m/s.
    pub velocity: S::Vector,
    /// rad/s.
    pub spin: S::Spin,
}

/// A body on its way: advanced only when something happens to it.
#[derive(Clone, Debug)]
pub(super) struct Moving<S: Space> {
    pub body: Body<S>,
    /// Of a free body, from its own local time on.
    flight: Flight<S>,
    rotation: S::Rotation,
    spin: S::Spin,
    /// World time of the flight's start, s.
    since: f64,
    /// Moves whenever the flight changes.
    pub counter: u32,
}

impl<S: Space> Moving<S> {
    pub fn new(body: Body<S>, gravity: S::Vector) -> Self {
        let (velocity, acceleration, spin) = match &body.kind {
            Kind::Free(free) => (free.velocity, gravity, free.spin),
            Kind::Fixed | Kind::Driven(_) => (S::Vector::ZERO, S::Vector::ZERO, S::Spin::ZERO),
        };
        Moving {
            flight: Flight {
                position: body.pose.position,
                velocity,
                acceleration,
            },
            rotation: body.pose.rotation,
            spin,
            since: 0.0,
            counter: 0,
            body,
        }
    }

    /// Mass and inertia, where it is free.
    pub fn free(&self) -> Option<&Free<S>> {
        match &self.body.kind {
            Kind::Free(free) => Some(free),
            Kind::Fixed | Kind::Driven(_) => None,
        }
    }

    /// The radius, where it is a free ball.
    pub fn free_radius(&self) -> Option<f64> {
        match (&self.body.kind, &self.body.shape) {
            (Kind::Free(_), Shape::Ball(ball)) => Some(ball.radius),
            _ => None,
        }
    }

    pub fn state_at(&self, time: f64) -> State<S> {
        if let Kind::Driven(drive) = &self.body.kind {
            let DrivenState {
                pose,
                velocity,
                spin,
            } = drive.state_at(&self.body.pose, time);
            return State {
                position: pose.position,
                rotation: pose.rotation,
                velocity,
                spin,
            };
        }
        let elapsed = time - self.since;
        State {
            position: self.flight.position_at(elapsed),
            rotation: match self.spin == S::Spin::ZERO {
                true => self.rotation,
                false => S::compose(S::rotation_of(self.spin, elapsed), self.rotation),
            },
            velocity: self.flight.velocity_at(elapsed),
            spin: self.spin,
        }
    }

    /// Gives a free body new velocities at a world time.
    pub fn kick(&mut self, time: f64, after: Velocities<S>) {
        let state = self.state_at(time);
        self.flight.position = state.position;
        self.flight.velocity = after.velocity;
        self.rotation = state.rotation;
        self.spin = after.spin;
        self.since = time;
        self.counter = self.counter.wrapping_add(1);
    }

    /// A free ball as the impact kernels see it from a world time on.
    pub fn as_ball(&self, time: f64, radius: f64) -> MovingBall<S> {
        MovingBall {
            flight: self.flight.advanced(time - self.since),
            radius,
            surface_speed: self.spin.length() * radius,
        }
    }

    /// Any body as a target of the impact kernels from a world time on.
    pub fn as_target(&self, time: f64) -> Target<'_, S> {
        let course = match &self.body.kind {
            Kind::Driven(drive) => Course::Driven {
                drive,
                start: &self.body.pose,
                now: time,
            },
            Kind::Free(_) | Kind::Fixed => Course::Flight {
                flight: self.flight.advanced(time - self.since),
                rotation: self.rotation,
            },
        };
        let surface_speed = self
            .free_radius()
            .map_or(0.0, |radius| self.spin.length() * radius);
        // The orientation of a free ball does not matter to what it touches.
        let course = match course {
            Course::Flight { flight, .. } if self.free_radius().is_some() => Course::Flight {
                flight,
                rotation: S::no_rotation(),
            },
            course => course,
        };
        Target {
            shape: &self.body.shape,
            course,
            surface_speed,
        }
    }

    pub fn energy_at(&self, time: f64, gravity: S::Vector) -> Energy {
        let Some(free) = self.free() else {
            return Energy::default();
        };
        let state = self.state_at(time);
        Energy {
            kinetic: 0.5 * free.mass * state.velocity.length_squared(),
            // A ball that cannot be spun keeps whatever spin it has, and that is no energy that could change.
            rotational: if free.inertia.is_finite() {
                0.5 * free.inertia * state.spin.length_squared()
            } else {
                0.0
            },
            potential: -free.mass * gravity.dot(state.position),
        }
    }

    fn side(&self, state: &State<S>, arm: S::Vector) -> Side<S> {
        match self.free() {
            Some(free) => Side {
                inverse_mass: 1.0 / free.mass,
                inverse_inertia: S::isotropic_inertia(1.0 / free.inertia),
                velocity: state.velocity,
                spin: state.spin,
                arm,
            },
            None => Side::driven(state.velocity, state.spin, arm),
        }
    }
}

/// The contact of a free ball `a` with any body `b` at a world time, and the distance of their surfaces.
pub(super) fn contact_at<S: Space>(
    a: &Moving<S>,
    radius: f64,
    b: &Moving<S>,
    time: f64,
) -> (Contact<S>, f64) {
    let (state_a, state_b) = (a.state_at(time), b.state_at(time));
    let pose = Pose::<S> {
        position: state_b.position,
        rotation: state_b.rotation,
    };
    let (closest, normal, arm_b) = if let Some(radius_b) = b.free_radius() {
        let closest = b.body.shape.closest(state_a.position - state_b.position);
        (closest, closest.normal, closest.normal * radius_b)
    } else {
        let closest = b.body.shape.closest(pose.to_local(state_a.position));
        let normal = S::rotate(pose.rotation, closest.normal);
        (closest, normal, S::rotate(pose.rotation, closest.point))
    };
    let contact = Contact {
        point: state_b.position + arm_b,
        normal,
        a: a.side(&state_a, -normal * radius),
        b: b.side(&state_b, arm_b),
    };
    (contact, closest.distance - radius)
}
