//! What a ball on a wall needs to know about it: where it touches, how the wall moves there, and how the normal turns.
//!
//! With X, V, A the place, velocity and acceleration of the wall's frame, Ω its angular velocity (constant in time, but
//! for knots), d = x − X, and v_r = v − V − Ω×d the velocity of the ball's centre in that frame:
//!
//! ```text
//! n turns at            ṅ = Ω×n + (∇n) v_r
//! what keeps it on      n·a = n·(A + Ω×(Ω×d) + 2 Ω×v_r) − v_r·(∇n) v_r          (n·v_r = 0 all along)
//! the wall below it     w = V + Ω×(d − r n),      w′ = A + Ω×(v − V − r ṅ)
//! ```
//!
//! A round wall that turns on the spot is the same wall: there the frame may as well stand, with Ω in w alone.

use crate::body::Kind;
use crate::impact::Strikable;
use crate::motion::{Departure, KinematicState, Rates, Sides, TrajectorySegment};
use crate::shape::{Bending, Closest, Footing, Obstacle};
use crate::simulate::bodies::{Bodies, BodyRef};
use crate::simulate::support::{Rubbing, Standing};
use crate::space::{Linear, Space};

/// The feature of a wall that a ball is on, in the wall's frame, continued beyond its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<S: Space> {
    pub bending: Bending<S>,
    pub closest: Closest<S>,
}

/// How a wall moves at one instant.
struct WallMotion<S: Space> {
    state: KinematicState<S>,
    /// Of its frame, m/s².
    acceleration: S::Vector,
    /// Whether it turns or is accelerated.
    moves: bool,
    /// Whether it is round and turns on the spot.
    turns_into_itself: bool,
}

impl<S: Space> WallMotion<S> {
    /// Enters how the normal turns, what keeps the ball on, and how the wall below it speeds up, given the normal in
    /// the wall's frame.
    fn bend(&self, standing: &mut Standing<S>, bending: &Bending<S>, local_normal: S::Vector) {
        let state = &self.state;
        let spins = |vector: S::Vector| S::surface_velocity(state.angular_velocity, vector);
        let carried = standing.velocity - state.velocity;
        let away = standing.place - state.pose.position;
        // In a frame that stands, where the wall turns into itself.
        let relative = if self.turns_into_itself {
            carried
        } else {
            carried - spins(away)
        };
        let local = state.pose.to_local(standing.place);
        let seen = S::unrotate(state.pose.rotation, relative);
        let turning = bending.turning(local, local_normal, seen);
        let turning = S::rotate(state.pose.rotation, turning);
        standing.centrifugal = -relative.dot(turning);
        standing.normal_rate = turning;
        if !self.turns_into_itself {
            standing.normal_rate += spins(standing.normal);
            let frame = self.acceleration + spins(spins(away)) + spins(relative) * 2.0;
            standing.centrifugal += standing.normal.dot(frame);
        }
        if self.moves {
            let point = carried - standing.normal_rate * standing.radius;
            standing.wall_acceleration = self.acceleration + spins(point);
        }
    }
}

/// What the integrator leaves where there should be zero, in units of √(a r): within its tolerance, and a slip or a way
/// that is gone after this share of √(r/a).
const LEFT_OVER: f64 = 1e-12;

/// How often the end of a feature is looked for on a piece of trajectory on a wall that turns or is shaken.
const LOOKS: u32 = 64;

impl<S: Strikable> Bodies<S> {
    pub(super) fn standing_at(
        &self,
        slot: usize,
        index: u32,
        at: &Departure<S>,
    ) -> Option<Standing<S>> {
        let radius = self.balls.hot[slot].radius;
        if self.fixtures[index as usize].has_in_gap(at.position, radius, at.time) {
            return None;
        }
        self.standing_beside(slot, index, at, None, &self.ground(index, at))
    }

    /// The feature of a wall that a ball is on.
    pub(super) fn ground(&self, index: u32, at: &Departure<S>) -> Ground<S> {
        let fixture = &self.fixtures[index as usize];
        let local = fixture.state_at(at.time).pose.to_local(at.position);
        Ground {
            bending: fixture.body.shape.bending(local),
            closest: fixture.body.shape.closest(local),
        }
    }

    /// What a ball needs to know on a feature, with the fields as they are on the given sides of their borders; `None`
    /// for those that it is on. `None` where it is not known how the
    /// wall bends.
    pub(super) fn standing_beside(
        &self,
        slot: usize,
        index: u32,
        at: &Departure<S>,
        sides: Option<Sides>,
        ground: &Ground<S>,
    ) -> Option<Standing<S>> {
        if ground.bending == Bending::Otherwise {
            return None;
        }
        let fixture = &self.fixtures[index as usize];
        let balls = &self.balls;
        let state = fixture.state_at(at.time);
        let local = state.pose.to_local(at.position);
        let closest = ground.bending.nearest(&ground.closest, local);
        let normal = S::rotate(state.pose.rotation, closest.normal);
        let arm = S::rotate(state.pose.rotation, closest.point);
        let inertial = balls.inertials.of(slot);
        let radius = balls.hot[slot].radius;
        let surface = self.surface(slot, BodyRef::Fixture(index));
        let (gravity, twist) = if self.only_falls(slot) {
            (balls.gravity, S::Angular::ZERO)
        } else {
            let fields = self.rates_of(slot);
            let sides = sides.unwrap_or_else(|| Sides::of(self.fields.borders(), at.position));
            fields.rates_beside(
                sides,
                at.time,
                at.position,
                at.velocity,
                at.angular_velocity,
            )
        };
        let mut standing = Standing {
            radius,
            roundness: inertial.inertia / (inertial.mass * radius * radius),
            normal,
            wall_velocity: state.velocity + S::surface_velocity(state.angular_velocity, arm),
            gravity,
            rubbing: Rubbing {
                static_friction: surface.static_friction,
                kinetic_friction: surface.kinetic_friction,
                rolling: surface.rolling_resistance,
                spinning: surface.spinning_resistance,
            },
            place: at.position,
            velocity: at.velocity,
            angular_velocity: at.angular_velocity,
            twist,
            wall_spin: state.angular_velocity,
            wall_acceleration: S::Vector::ZERO,
            normal_rate: S::Vector::ZERO,
            left_over: 0.0,
            centrifugal: 0.0,
        };
        let acceleration = match &fixture.body.kind {
            Kind::Kinematic(drive) => drive.acceleration_at(&fixture.body.pose, at.time),
            Kind::Static | Kind::Free(_) => S::Vector::ZERO,
        };
        let moves = state.angular_velocity != S::Angular::ZERO || acceleration != S::Vector::ZERO;
        if !(ground.bending == Bending::Flat && !moves && self.only_falls(slot)) {
            let pushed = gravity.length() + acceleration.length();
            standing.left_over = LEFT_OVER * (pushed * radius).sqrt();
        }
        if ground.bending == Bending::Flat && !moves {
            return Some(standing);
        }
        let wall = WallMotion {
            state,
            acceleration,
            moves,
            turns_into_itself: self.carries(index),
        };
        wall.bend(&mut standing, &ground.bending, closest.normal);
        Some(standing)
    }
    /// Whether a wall keeps its velocity from now on, all over, until its next knot.
    pub(super) fn is_steady(&self, index: u32) -> bool {
        let body = &self.fixtures[index as usize].body;
        match &body.kind {
            Kind::Static => true,
            Kind::Kinematic(drive) => drive.flight_at(&body.pose, 0.0).is_some(),
            Kind::Free(_) => false,
        }
    }

    /// When, on a segment, a ball comes to the end of the feature that it is on, before the piece ends.
    pub(super) fn end_of_feature(
        &self,
        slot: usize,
        index: u32,
        segment: &TrajectorySegment<S>,
    ) -> Option<f64> {
        let fixture = &self.fixtures[index as usize];
        let since = self.epoch + self.balls.hot[slot].since;
        if self.carries(index) {
            // In the frame of the wall, which moves straight on.
            let state = fixture.state_at(since);
            let velocity = if self.is_steady(index) {
                state.velocity
            } else {
                S::Vector::ZERO
            };
            let path = segment.seen_from(&state.pose, velocity);
            return super::first_change(&fixture.body.shape, &path, segment.end);
        }
        let feature = |t: f64| {
            let pose = fixture.state_at(since + t).pose;
            let local = pose.to_local(segment.position_at(t));
            fixture.body.shape.feature(local)
        };
        let here = feature(0.0);
        let mut low = 0.0;
        for look in 1..=LOOKS {
            let mut high = segment.end * f64::from(look) / f64::from(LOOKS);
            if !high.is_finite() {
                return None;
            }
            if feature(high) == here {
                low = high;
                continue;
            }
            while low < 0.5 * (low + high) && 0.5 * (low + high) < high {
                let middle = 0.5 * (low + high);
                if feature(middle) == here {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            return Some(high);
        }
        None
    }
}
