//! How a body moves from one change to the next.

use super::bodies::{Prop, RigidBody};
use crate::impact::solids::RigidTrajectory;
use crate::motion::{Flight, Pose};
use crate::shape::Shaped;
use crate::space::{Linear, Space};

/// A course with an end, and what it began with.
#[derive(Clone, Debug)]
pub(super) struct Track<S: Space> {
    /// World times, s; the end is infinite in free flight and at rest.
    pub since: f64,
    pub until: f64,
    pub pose: Pose<S>,
    pub velocity: S::Vector,
    pub angular_velocity: S::Angular,
    pub acceleration: S::Vector,
    /// Of the ball around it, m.
    pub reach: f64,
    pub course: RigidTrajectory<S>,
}

impl<S: Space> Track<S> {
    pub fn flight(
        inert: &RigidBody<S>,
        (since, until): (f64, f64),
        pose: Pose<S>,
        velocity: S::Vector,
        angular_velocity: S::Angular,
        acceleration: S::Vector,
    ) -> Self {
        let course = match inert.ball {
            Some(_) => {
                let flight = Flight {
                    position: pose.position,
                    velocity,
                    acceleration,
                };
                RigidTrajectory::steady(since, pose, flight, angular_velocity)
            }
            None => RigidTrajectory::free(
                &inert.form,
                since,
                pose,
                velocity,
                angular_velocity,
                acceleration,
            ),
        };
        Track {
            since,
            until,
            pose,
            velocity,
            angular_velocity,
            acceleration,
            reach: inert.reach,
            course,
        }
    }

    /// At rest where it is.
    pub fn rest(inert: &RigidBody<S>, since: f64, pose: Pose<S>) -> Self {
        let (velocity, angular_velocity) = (S::Vector::ZERO, S::Angular::ZERO);
        let times = (since, f64::INFINITY);
        Self::flight(
            inert,
            times,
            pose,
            velocity,
            angular_velocity,
            S::Vector::ZERO,
        )
    }

    /// As it is at a time, from there on straight, until somebody knows better.
    pub fn at(&self, inert: &RigidBody<S>, t: f64) -> Self {
        let times = (t, f64::INFINITY);
        let velocity = self.velocity_at(t);
        Self::flight(
            inert,
            times,
            self.pose_at(t),
            velocity,
            self.angular_velocity_at(t),
            S::Vector::ZERO,
        )
    }

    pub fn pose_at(&self, t: f64) -> Pose<S> {
        if t == self.since {
            self.pose
        } else {
            self.course.pose_at(t)
        }
    }

    pub fn position_at(&self, t: f64) -> S::Vector {
        let time = t - self.since;
        self.pose.position + (self.velocity + self.acceleration * (0.5 * time)) * time
    }

    pub fn rotation_at(&self, t: f64) -> S::Rotation {
        self.pose_at(t).rotation
    }

    pub fn velocity_at(&self, t: f64) -> S::Vector {
        self.velocity + self.acceleration * (t - self.since)
    }

    pub fn angular_velocity_at(&self, t: f64) -> S::Angular {
        if t == self.since {
            self.angular_velocity
        } else {
            self.course.angular_velocity_at(t)
        }
    }
}

impl<S: Shaped> Prop<S> {
    pub fn pose_at(&self, t: f64) -> Pose<S> {
        if self.angular_velocity != S::Angular::ZERO {
            return self.course.pose_at(t);
        }
        Pose {
            position: self.pose.position + self.velocity * t,
            ..self.pose
        }
    }

    /// How far a point is above a wall without end, m; `None` where it is no such wall.
    pub fn height_above(&self, point: S::Vector, t: f64) -> Option<f64> {
        if self.angular_velocity != S::Angular::ZERO {
            return None;
        }
        let (normal, offset) = self.form.parts().first()?.as_half_space()?;
        let local = self.pose_at(t).to_local(point);
        Some(normal.dot(local) - offset)
    }

    /// The direction out of a wall without end; nothing that counts for anything else.
    pub fn up(&self) -> S::Vector {
        let wall = self
            .form
            .parts()
            .first()
            .and_then(|part| part.as_half_space());
        wall.map_or(S::Vector::ZERO, |(normal, _)| {
            S::rotate(self.pose.rotation, normal)
        })
    }
}
