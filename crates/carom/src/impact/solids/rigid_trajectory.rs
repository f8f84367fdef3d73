//! A rigid motion between two events: the centre on a parabola, the turning free of torque. A kinematic body may sway
//! about the parabola besides.
//!
//! # Turning
//!
//! * In 2-D, about a principal axis, and for a body whose three moments are equal (balls, cubes), the spin is constant.
//! * With two equal moments `I_t` (and `I_a` about the axis a) the body turns about its own axis while the axis goes
//!   round the angular momentum L: `R(t) = exp(L t/I_t) R₀ exp((ω_a − I_a ω_a/I_t) a t)`, exactly.
//! * With three different moments it tumbles, in closed form too: `tumble.rs`.
//!
//! Everything is a function of the time since the course began: a state asked for at any time costs the same and
//! carries no error from the times before. L is a constant of each formula, the energy follows from it; both are off by
//! rounding only.

use super::torque_free::TorqueFree;
use crate::motion::{Flight, Pose};
use crate::shape::convex::{Compound, principal_axes};
use crate::space::{Linear, Space};
use glam::{DMat3, DVec3};

/// How a body moves and turns from some time on, until something happens to it.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidTrajectory<S: Space> {
    since: f64,
    flight: Flight<S>,
    start: S::Rotation,
    turning: FreeRotation<S>,
    sway: Option<Box<Sway<S>>>,
}

/// An oscillation of the centre: `amplitude · sin(rate (t + epoch) + phase)`.
#[derive(Clone, Debug, PartialEq)]
struct Sway<S: Space> {
    /// m.
    amplitude: S::Vector,
    /// rad/s.
    rate: f64,
    /// rad.
    phase: f64,
    /// World time at which the clock of the trajectory reads zero, s.
    epoch: f64,
}

impl<S: Space> Sway<S> {
    fn angle_at(&self, time: f64) -> f64 {
        self.rate * (time + self.epoch) + self.phase
    }

    /// m.
    fn offset_at(&self, time: f64) -> S::Vector {
        self.amplitude * libm::sin(self.angle_at(time))
    }

    /// m/s.
    fn velocity_at(&self, time: f64) -> S::Vector {
        self.amplitude * (self.rate * libm::cos(self.angle_at(time)))
    }

    /// m/s².
    fn acceleration_at(&self, time: f64) -> S::Vector {
        self.amplitude * (-self.rate * self.rate * libm::sin(self.angle_at(time)))
    }
}

#[derive(Clone, Debug, PartialEq)]
enum FreeRotation<S: Space> {
    Steady(S::Angular),
    Symmetric {
        /// `L / I_t`, in world axes, rad/s.
        nutation: S::Angular,
        /// The symmetry axis in the body's frame, of length one.
        axis: DVec3,
        /// About that axis, relative to the nutation, rad/s.
        rate: f64,
        /// No spin is faster, rad/s.
        fastest: f64,
    },
    Tumbling(Box<TorqueFree>),
}

/// Moments that differ by less than this of themselves are taken as equal: that is what rounding makes of a cube's.
const EQUAL: f64 = 1e-13;

impl<S: Space> RigidTrajectory<S> {
    /// Standing still.
    pub fn still(pose: Pose<S>) -> Self {
        Self::steady(0.0, pose, Flight::rest(pose.position), S::Angular::ZERO)
    }

    /// With a constant angular velocity (rad/s), from time `since` (s): a kinematic body. The flight's time 0 is
    /// `since`.
    pub fn steady(
        since: f64,
        pose: Pose<S>,
        flight: Flight<S>,
        angular_velocity: S::Angular,
    ) -> Self {
        let flight = Flight {
            position: pose.position,
            ..flight
        };
        RigidTrajectory {
            since,
            flight,
            start: pose.rotation,
            turning: FreeRotation::Steady(angular_velocity),
            sway: None,
        }
    }

    /// Swaying about a pose: `amplitude · sin(rate (t + epoch) + phase)`, with an amplitude in m, a rate in rad/s and a
    /// phase in rad; the clock reads zero at a world time (`epoch`, s).
    pub(crate) fn swaying(
        epoch: f64,
        pose: Pose<S>,
        amplitude: S::Vector,
        rate: f64,
        phase: f64,
    ) -> Self {
        let sway = Sway {
            amplitude,
            rate,
            phase,
            epoch,
        };
        RigidTrajectory {
            sway: Some(Box::new(sway)),
            ..Self::still(pose)
        }
    }

    /// Free of torque, from time `since` (s) on: a pose, a velocity (m/s), an angular velocity (rad/s, world axes) and
    /// a constant acceleration (m/s²).
    pub fn free(
        form: &Compound<S>,
        since: f64,
        pose: Pose<S>,
        velocity: S::Vector,
        angular_velocity: S::Angular,
        acceleration: S::Vector,
    ) -> Self {
        let flight = Flight {
            position: pose.position,
            velocity,
            acceleration,
        };
        RigidTrajectory {
            since,
            flight,
            start: pose.rotation,
            turning: free_turning(form, pose.rotation, angular_velocity),
            sway: None,
        }
    }

    /// Free of torque, of a body with an inertia (kg·m², in the axes that its pose turns) about its origin; without one
    /// it does not turn differently from how it begins.
    pub(crate) fn of_inertia(
        inertia: Option<DMat3>,
        since: f64,
        pose: Pose<S>,
        (velocity, acceleration): (S::Vector, S::Vector),
        angular_velocity: S::Angular,
    ) -> Self {
        let turning = match inertia {
            Some(inertia) => {
                let (axes, moments) = principal_axes(inertia);
                turning_with(axes, moments, pose.rotation, angular_velocity)
            }
            None => FreeRotation::Steady(angular_velocity),
        };
        RigidTrajectory {
            since,
            flight: Flight {
                position: pose.position,
                velocity,
                acceleration,
            },
            start: pose.rotation,
            turning,
            sway: None,
        }
    }

    /// The time at which it begins, s.
    pub fn since(&self) -> f64 {
        self.since
    }

    /// Moves its beginning: the clock reads `shift` (s) less from now on.
    pub(crate) fn rebase(&mut self, shift: f64) {
        self.since -= shift;
    }

    /// The same elsewhere: moved by so much, m.
    pub(crate) fn moved(&self, by: S::Vector) -> Self {
        let mut moved = self.clone();
        moved.flight.position += by;
        moved
    }

    /// The motion of the centre, but for its swaying; its time 0 is [`since`](Self::since).
    pub fn flight(&self) -> &Flight<S> {
        &self.flight
    }

    /// Where the body is and how it is turned at a time, s.
    pub fn pose_at(&self, time: f64) -> Pose<S> {
        Pose {
            position: self.position_at(time),
            rotation: self.turned_at(time - self.since).0,
        }
    }

    /// Where the centre is at a time (s), m.
    pub fn position_at(&self, time: f64) -> S::Vector {
        let place = self.flight.position_at(time - self.since);
        match &self.sway {
            None => place,
            Some(sway) => place + sway.offset_at(time),
        }
    }

    /// The velocity of the centre at a time (s), m/s.
    pub fn velocity_at(&self, time: f64) -> S::Vector {
        let velocity = self.flight.velocity_at(time - self.since);
        match &self.sway {
            None => velocity,
            Some(sway) => velocity + sway.velocity_at(time),
        }
    }

    /// The acceleration of the centre at a time (s), m/s².
    pub(crate) fn acceleration_at(&self, time: f64) -> S::Vector {
        match &self.sway {
            None => self.flight.acceleration,
            Some(sway) => self.flight.acceleration + sway.acceleration_at(time),
        }
    }

    /// No acceleration of the centre differs by more from that of [`flight`](Self::flight), m/s².
    pub(crate) fn max_sway(&self) -> f64 {
        self.sway
            .as_ref()
            .map_or(0.0, |sway| sway.rate * sway.rate * sway.amplitude.length())
    }

    /// How long one swing of its centre lasts, s; infinite where it does not sway.
    pub(crate) fn period(&self) -> f64 {
        (self.sway.as_ref()).map_or(f64::INFINITY, |sway| std::f64::consts::TAU / sway.rate)
    }

    /// Whether it moves and turns at constant velocities.
    pub(crate) fn is_steady(&self) -> bool {
        self.sway.is_none()
            && self.flight.acceleration == S::Vector::ZERO
            && matches!(self.turning, FreeRotation::Steady(_))
    }

    /// No speed of the centre at a time (s) and, where it only sways, at any other is larger, m/s.
    pub(crate) fn max_speed_at(&self, time: f64) -> f64 {
        let swaying = (self.sway.as_ref()).map_or(0.0, |sway| sway.rate * sway.amplitude.length());
        self.flight.velocity_at(time - self.since).length() + swaying
    }

    /// The angular velocity at a time (s), rad/s in world axes.
    pub fn angular_velocity_at(&self, time: f64) -> S::Angular {
        self.turned_at(time - self.since).1
    }

    /// The velocity of the body's material at a world point at a time (s), m/s.
    pub fn point_velocity_at(&self, time: f64, point: S::Vector) -> S::Vector {
        let elapsed = time - self.since;
        let arm = point - self.position_at(time);
        self.velocity_at(time) + S::surface_velocity(self.turned_at(elapsed).1, arm)
    }

    /// Whether it neither moves nor turns.
    pub fn is_still(&self) -> bool {
        self.flight.velocity == S::Vector::ZERO
            && self.flight.acceleration == S::Vector::ZERO
            && self.sway.is_none()
            && !self.turns()
    }

    /// Whether it turns.
    pub fn turns(&self) -> bool {
        !matches!(&self.turning, FreeRotation::Steady(angular_velocity) if *angular_velocity == S::Angular::ZERO)
    }

    /// An upper bound of the angular speed at all times, rad/s.
    pub fn max_angular_speed(&self) -> f64 {
        match &self.turning {
            FreeRotation::Steady(angular_velocity) => angular_velocity.length(),
            FreeRotation::Symmetric { fastest, .. } => *fastest,
            FreeRotation::Tumbling(tumble) => tumble.max_angular_speed(),
        }
    }

    /// An upper bound of the angular acceleration at all times, rad/s².
    pub fn fastest_change(&self) -> f64 {
        match &self.turning {
            FreeRotation::Steady(_) => 0.0,
            // The part along the axis goes round with the nutation.
            FreeRotation::Symmetric { nutation, rate, .. } => nutation.length() * rate.abs(),
            FreeRotation::Tumbling(tumble) => tumble.fastest_change(),
        }
    }

    /// A bound of the acceleration, relative to the centre, of any point of the body within a radius (m) of it, m/s²:
    /// `|ω̇×p + ω×(ω×p)| ≤ (max|ω̇| + max|ω|²) |p|`.
    pub fn acceleration_within(&self, radius: f64) -> f64 {
        let angular_velocity = self.max_angular_speed();
        (self.fastest_change() + angular_velocity * angular_velocity) * radius
    }

    /// The body's axes in the world (columns) and its spin some time after the beginning.
    pub(super) fn axes_at(&self, elapsed: f64) -> (DMat3, S::Angular) {
        if let FreeRotation::Tumbling(tumble) = &self.turning {
            let (mut axes, angular_velocity) = tumble.axes_at(elapsed);
            if elapsed == 0.0 {
                // As it was given, to the last digit: what touches then touches at the beginning, not soon after.
                axes = DMat3::from_cols_array_2d(&S::axes(self.start));
            }
            return (axes, S::angular_velocity(angular_velocity.to_array()));
        }
        let (rotation, angular_velocity) = self.turned_at(elapsed);
        (
            DMat3::from_cols_array_2d(&S::axes(rotation)),
            angular_velocity,
        )
    }

    /// Rotation and spin some time after the beginning.
    pub(super) fn turned_at(&self, elapsed: f64) -> (S::Rotation, S::Angular) {
        match &self.turning {
            FreeRotation::Steady(angular_velocity) if *angular_velocity == S::Angular::ZERO => {
                (self.start, *angular_velocity)
            }
            FreeRotation::Steady(angular_velocity) => (
                S::compose(S::rotation_of(*angular_velocity, elapsed), self.start),
                *angular_velocity,
            ),
            FreeRotation::Symmetric {
                nutation,
                axis,
                rate,
                ..
            } => {
                let own = S::rotation_of(S::angular_velocity((*axis * *rate).to_array()), elapsed);
                let rotation = S::compose(
                    S::rotation_of(*nutation, elapsed),
                    S::compose(self.start, own),
                );
                let axes = DMat3::from_cols_array_2d(&S::axes(rotation));
                let angular_velocity =
                    *nutation + S::angular_velocity((axes * (*axis * *rate)).to_array());
                (rotation, angular_velocity)
            }
            FreeRotation::Tumbling(tumble) => {
                let (rotation, angular_velocity) = tumble.at(elapsed);
                (
                    S::rotation_of_quaternion(rotation),
                    S::angular_velocity(angular_velocity.to_array()),
                )
            }
        }
    }
}

fn free_turning<S: Space>(
    form: &Compound<S>,
    rotation: S::Rotation,
    angular_velocity: S::Angular,
) -> FreeRotation<S> {
    match form.weight() {
        Some(weight) => turning_with(weight.axes, weight.moments, rotation, angular_velocity),
        None => FreeRotation::Steady(angular_velocity),
    }
}

/// Of a body with principal axes (columns, in its own frame) and the moments about them, kg·m².
fn turning_with<S: Space>(
    principal: DMat3,
    moments: DVec3,
    rotation: S::Rotation,
    angular_velocity: S::Angular,
) -> FreeRotation<S> {
    let steady = FreeRotation::Steady(angular_velocity);
    if S::DIMENSION == 2 || angular_velocity == S::Angular::ZERO {
        return steady;
    }
    let world = DMat3::from_cols_array_2d(&S::axes(rotation));
    let axes = world * principal;
    let own =
        axes.transpose() * DVec3::from_array(S::angular_velocity_components(angular_velocity));
    let equal =
        |i: usize, j: usize| (moments[i] - moments[j]).abs() <= EQUAL * moments[i].max(moments[j]);
    // Which axis is unlike the two others?
    let single = match (equal(0, 1), equal(1, 2), equal(0, 2)) {
        (true, true, _) | (true, _, true) | (_, true, true) => return steady,
        (true, false, false) => 2,
        (false, true, false) => 0,
        (false, false, true) => 1,
        (false, false, false) => return tumbling(axes, world, own, moments).unwrap_or(steady),
    };
    let (first, second) = ((single + 1) % 3, (single + 2) % 3);
    if own[first] == 0.0 && own[second] == 0.0 {
        return steady;
    }
    let across = 0.5 * (moments[first] + moments[second]);
    let mut momentum = own * across;
    momentum[single] = own[single] * moments[single];
    let nutation = axes * (momentum / across);
    let rate = own[single] * (1.0 - moments[single] / across);
    FreeRotation::Symmetric {
        nutation: S::angular_velocity(nutation.to_array()),
        axis: principal.col(single),
        rate,
        fastest: Linear::length(DVec3::from_array(S::angular_velocity_components(
            angular_velocity,
        ))),
    }
}

fn tumbling<S: Space>(
    axes: DMat3,
    world: DMat3,
    own: DVec3,
    moments: DVec3,
) -> Option<FreeRotation<S>> {
    let tumble = TorqueFree::new(axes, world, own, moments)?;
    Some(FreeRotation::Tumbling(Box::new(tumble)))
}
