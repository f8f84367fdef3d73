//! How a body moves from one change to the next.

use super::bodies::RigidBody;
use super::searches::CourseNumber;
use crate::impact::solids::RigidTrajectory;
use crate::motion::{Flight, Pose};
use crate::space::{Linear, Space};

/// A course with an end, and what it began with.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Track<S: Space> {
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
    /// Whether it leads straight from one pose to another, as a step of an island says; otherwise the body is free.
    pub led: bool,
    /// What tells it from all others.
    pub number: CourseNumber,
}

impl<S: Space> Track<S> {
    /// From one pose to another, with a constant velocity and a constant spin.
    pub fn led(
        inert: &RigidBody<S>,
        (since, until): (f64, f64),
        from: Pose<S>,
        to: &Pose<S>,
    ) -> Self {
        let rate = 1.0 / (until - since);
        let velocity = (to.position - from.position) * rate;
        let angular_velocity = turn_between::<S>(from.rotation, to.rotation) * rate;
        Self::straight(inert, (since, until), from, velocity, angular_velocity)
    }

    /// With a constant velocity and a constant angular_velocity.
    pub fn straight(
        inert: &RigidBody<S>,
        (since, until): (f64, f64),
        pose: Pose<S>,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> Self {
        let acceleration = S::Vector::ZERO;
        let flight = Flight {
            position: pose.position,
            velocity,
            acceleration,
        };
        Track {
            since,
            until,
            pose,
            velocity,
            angular_velocity,
            acceleration,
            reach: inert.reach,
            course: RigidTrajectory::steady(since, pose, flight, angular_velocity),
            led: true,
            number: CourseNumber::next(),
        }
    }

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
            led: false,
            number: CourseNumber::next(),
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

    /// As it is at a time, from there on straight, until more is known.
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

    /// Moves it elsewhere, by so much, m.
    pub fn shift(&mut self, by: S::Vector) {
        self.pose.position += by;
        self.course = self.course.moved(by);
        self.number = CourseNumber::next();
    }

    /// Moves its times: the clock reads `shift` less from now on.
    pub fn rebase(&mut self, shift: f64) {
        self.since -= shift;
        self.until -= shift;
        self.course.rebase(shift);
        self.number = CourseNumber::next();
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

    /// Whether it begins with velocities that are numbers.
    pub fn is_finite(&self) -> bool {
        self.velocity.is_finite() && self.angular_velocity.is_finite()
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

/// The rotation vector that leads from one orientation to another, rad.
///
/// The antisymmetric part of `R = to·fromᵀ` is sin φ along the axis, its trace 1 + 2 cos φ. Steps turn bodies by far
/// less than a half turn, where the axis would have no digits.
pub(super) fn turn_between<S: Space>(from: S::Rotation, to: S::Rotation) -> S::Angular {
    let (a, b) = (S::axes(to), S::axes(from));
    // Rows are the body's axes: R = Σ to_k fromᵀ_k.
    let entry = |i: usize, j: usize| (0..3).map(|k| a[k][i] * b[k][j]).sum::<f64>();
    let across = [
        entry(2, 1) - entry(1, 2),
        entry(0, 2) - entry(2, 0),
        entry(1, 0) - entry(0, 1),
    ]
    .map(|x| 0.5 * x);
    let sin = (across[0] * across[0] + across[1] * across[1] + across[2] * across[2]).sqrt();
    let cos = 0.5 * (entry(0, 0) + entry(1, 1) + entry(2, 2) - 1.0);
    let scale = if sin > 0.0 {
        libm::atan2(sin, cos) / sin
    } else {
        1.0
    };
    S::angular_velocity(across.map(|x| x * scale))
}
