//! Contacts of measurable duration (row C4): two bodies that stick together for a while, and then leave each other.
//!
//! At a contact that lasts τ the law answers as ever, and gives the velocities `u_a`, `u_b` with which the
//! bodies *leave*. Before that they travel for τ at one velocity and one spin, made of what they had at the beginning:
//!
//! ```text
//! v_s = (m_a v_a + m_b v_b)/(m_a + m_b)     ω_s = (I_a ω_a + I_b ω_b)/(I_a + I_b)     two balls
//! v_s = v_a − (n·(v_a − w)) n               ω_s = ω_a                                 a ball and a wall moving at w
//! ```
//!
//! # What gravity does meanwhile
//!
//! A pair falls as one body: both get `g t`, and they leave with `u + g t`. Since `Σ m u = M v_s`, the pair's energy
//! and its momenta are then what they would have been at the beginning, plus what gravity did on its way: exactly, for
//! any t. A ball at a wall has gravity's part along the wall, and the wall bears the rest. Other fields do not act
//! for τ; what their potential changes meanwhile is entered under fields.
//!
//! # Walls
//!
//! A wall that stands or moves straight on is a smooth one meanwhile: a parabola on a flat one, a way by the integrator
//! around a curved one. One that turns or oscillates carries the ball: in its own frame that goes straight on, or
//! around at its speed, and the wall does whatever work that takes. With `Ω` for `ω×` and `y(t)` the way in the frame
//! of the wall, the way in the world is `exp(Ωt) y(t)`, by its Taylor series:
//!
//! ```text
//! x_k = Σ_j Ω^j y_{k−j} / j!        y = a + w t  (flat),   y = c + exp(Φt) ρ  (around c, with Φ = ρ×w/ρ²)
//! ```
//!
//! Where the normal has turned from `n₀` to `n`, so have the velocities with which the ball leaves relative to `v_s`:
//! by the least turn that leads from one to the other.
//!
//! # The budgets
//!
//! At every instant the budget have the bodies as they would be were they released now; what that is more than they
//! have is in contact. So the account is empty whenever no ball is.

use super::bodies::{Bodies, BodyRef, NOWHERE};
use super::fixture::next_knot;
use super::next_segment::{NextSegment, first_change};
use super::support::Turn;
use super::trajectories::{Next, StickingBall, StickingPartner, Support};
use crate::arrays::Each;
use crate::audit::{Carried, Holdings};
use crate::body::{Body, Kind};
use crate::impact::Strikable;
use crate::motion::{
    Curve, Departure, Drive, Flight, FlightError, Integrator, Pose, Rates, Tolerance,
    TrajectorySegment, next_segment,
};
use crate::record::Velocities;
use crate::shape::{Bending, Footing, Obstacle, Shaped};
use crate::space::{Linear, Space};

/// The local error of ways around curved walls, m, m/s and relative.
const CURVED: f64 = 1e-13;

/// A piece of a Taylor series is good for this angle, rad: what is left out is 0.1¹⁰/10!, 3·10⁻¹⁷ of the arm.
const ANGLE: f64 = 0.1;

/// By how much of its way a ball is moved back that has come to the end of a feature, so that it is still on it: as
/// little as does that. Where the way crosses the end is known to some 10⁻¹² of it.
const JUST_BEFORE: [f64; 5] = [0.0, 1e-12, 1e-11, 1e-10, 1e-9];

/// Normals that differ by more are not those of one face.
const ANOTHER: f64 = 1e-9;

const TERMS: usize = Curve::<f64>::MAX_DEGREE + 1;

/// The velocities of two balls in sticking, before the contact: of both one. A ball that cannot be spun keeps its spin,
/// and then so does the other.
pub(super) fn of_pair<S: Space>(
    masses: [f64; 2],
    inertias: [f64; 2],
    before: &[Velocities<S>; 2],
) -> [Velocities<S>; 2] {
    let mean = 1.0 / (masses[0] + masses[1]);
    let velocity =
        before[0].velocity * (masses[0] * mean) + before[1].velocity * (masses[1] * mean);
    let inertia = inertias[0] + inertias[1];
    let spins = if inertia.is_finite() && inertia > 0.0 {
        let share = |side: usize| before[side].angular_velocity * (inertias[side] / inertia);
        [share(0) + share(1); 2]
    } else {
        [before[0].angular_velocity, before[1].angular_velocity]
    };
    spins.map(|angular_velocity| Velocities {
        velocity,
        angular_velocity,
    })
}

/// The velocities of a ball sticking together with a wall whose surface moves at a velocity, m/s.
pub(super) fn of_wall<S: Space>(
    normal: S::Vector,
    before: &Velocities<S>,
    surface_velocity: S::Vector,
) -> Velocities<S> {
    let closing = normal.dot(before.velocity - surface_velocity) / normal.length_squared();
    Velocities {
        velocity: before.velocity - normal * closing,
        angular_velocity: before.angular_velocity,
    }
}

/// A vector after the least turn that leads from one direction to another.
fn turned<S: Space>(vector: S::Vector, from: S::Vector, to: S::Vector) -> S::Vector {
    if from == to {
        return vector;
    }
    let both = from + to;
    vector - both * (both.dot(vector) / (1.0 + from.dot(to))) + to * (2.0 * from.dot(vector))
}

/// A ball that goes smoothly around something which stands or moves straight on.
struct Around<S: Space> {
    /// At the start, m.
    centre: S::Vector,
    /// Of length one, where it is a line that it goes around.
    axis: Option<S::Vector>,
    /// Of the wall, m/s.
    velocity: S::Vector,
    gravity: S::Vector,
    /// World time at the start, s.
    start: f64,
}

impl<S: Space> Rates<S> for Around<S> {
    fn rates(
        &self,
        time: f64,
        position: S::Vector,
        velocity: S::Vector,
        _: S::Angular,
    ) -> (S::Vector, S::Angular) {
        let across = |vector: S::Vector| match self.axis {
            Some(axis) => vector - axis * axis.dot(vector),
            None => vector,
        };
        let arm = across(position - self.centre - self.velocity * (time - self.start));
        let squared = arm.length_squared();
        let way = across(velocity - self.velocity);
        let along = way.length_squared() - (arm.dot(way) * arm.dot(way)) / squared;
        let inwards = (along + arm.dot(self.gravity)) / squared;
        (self.gravity - arm * inwards, S::Angular::ZERO)
    }
}

impl<S: Strikable> Bodies<S> {
    /// Where the fixtures is in the list that a ball travels with.
    pub fn index_of_partner(&self, partner: StickingPartner) -> Option<u32> {
        let StickingPartner::Fixture(id, image) = partner else {
            return None;
        };
        let first = self.fixtures.partition_point(|fixture| fixture.id < id);
        let its = self.fixtures[first..]
            .iter()
            .take_while(|fixture| fixture.id == id);
        let place = its.into_iter().position(|fixture| fixture.image == image)?;
        Some((first + place) as u32)
    }

    /// A ball is carried round the periodic box, out at the upper (lower) end of an axis: it touches the next image of
    /// its wall then, where there is one.
    pub fn wrap_partner(&mut self, slot: usize, axis: usize, up: bool) {
        let Some(StickingPartner::Fixture(id, mut image)) =
            self.balls.sticking(slot).map(|it| it.with)
        else {
            return;
        };
        image[axis] -= if up { 1 } else { -1 };
        let next = StickingPartner::Fixture(id, image);
        let ball = self.balls.ids[slot];
        if self.index_of_partner(next).is_some()
            && let Some(trajectories) = &mut self.balls.trajectories
            && let Some(sticking) = trajectories.sticking.get_mut(&ball)
        {
            sticking.with = next;
        }
    }

    /// Whether a contact of a ball with another body can last: both fly, or the other is fixtures around which a way
    /// can be made. In the gap of an arc that is too narrow for it there is none: the other end is in the way.
    pub fn can_last(&self, slot: usize, other: BodyRef, time: f64) -> bool {
        let flies = |slot: usize| {
            let support = self.balls.support(slot);
            support.is_none_or(|support| support.on.is_none() && !support.asleep)
        };
        flies(slot)
            && match other {
                BodyRef::Ball(other) => flies(other as usize),
                BodyRef::Fixture(index) => {
                    let at = self.departure(slot, time);
                    let bending = self.bending(index, &at);
                    !matches!(bending, Bending::Otherwise | Bending::AboutRing(..))
                        && !self.is_in_gap(slot, index, time)
                }
            }
    }

    /// The way of a ball in sticking, from its own time on.
    #[cold]
    pub fn segment_sticking(
        &self,
        slot: usize,
        sticking: &StickingBall<S>,
    ) -> Result<NextSegment<S>, FlightError> {
        let ball = &self.balls.hot[slot];
        let left = (sticking.ends - ball.since).max(0.0);
        let support = Support {
            next: Next::Releases,
            ..Support::FLYING
        };
        if let Some(index) = self.index_of_partner(sticking.with)
            && left > 0.0
        {
            return self.way_at_wall(slot, index, left);
        }
        let flight = Flight {
            position: ball.position,
            velocity: ball.velocity,
            acceleration: self.balls.gravity,
        };
        let mut segment = TrajectorySegment::of_flight(&flight, self.balls.angular_velocity(slot));
        segment.end = left;
        Ok((segment, support, 0.0))
    }

    fn way_at_wall(
        &self,
        slot: usize,
        index: u32,
        left: f64,
    ) -> Result<NextSegment<S>, FlightError> {
        let start = self.start(slot);
        let fixture = &self.fixtures[index as usize];
        let (mut segment, in_its_frame) = if self.carries(index) {
            let segment = self.way_beside(slot, index, &start, left)?;
            let state = fixture.state_at(start.time);
            (
                segment,
                segment.seen_from(&state.pose, straight(&fixture.body, start.time)),
            )
        } else {
            self.way_carried(index, &start, left)
        };
        let mut next = if segment.end < left {
            Next::Turn(Turn::GoesOn)
        } else {
            Next::Releases
        };
        if let Some(end) = first_change(&fixture.body.shape, &in_its_frame, segment.end) {
            segment.end = end;
            next = Next::LetsGo;
        }
        let knot = next_knot(&fixture.body, start.time) - start.time;
        if knot < segment.end {
            segment.end = knot;
            next = Next::LetsGo;
        }
        let support = Support {
            next,
            ..Support::FLYING
        };
        Ok((segment, support, 0.0))
    }

    /// Along a wall that stands or moves straight on, or turns into itself.
    fn way_beside(
        &self,
        slot: usize,
        index: u32,
        start: &Departure<S>,
        left: f64,
    ) -> Result<TrajectorySegment<S>, FlightError> {
        let fixture = &self.fixtures[index as usize];
        let state = fixture.state_at(start.time);
        let velocity = straight(&fixture.body, start.time);
        let local = state.pose.to_local(start.position);
        let closest = fixture.body.shape.closest(local);
        let normal = S::rotate(state.pose.rotation, closest.normal);
        let gravity = self.balls.gravity;
        let (centre, axis) = match self.bending(index, start) {
            Bending::Flat | Bending::Otherwise | Bending::AboutRing(..) => {
                let flight = Flight {
                    position: start.position,
                    velocity: start.velocity,
                    acceleration: gravity
                        - normal * (normal.dot(gravity) / normal.length_squared()),
                };
                let mut segment = TrajectorySegment::of_flight(&flight, start.angular_velocity);
                segment.end = left;
                return Ok(segment);
            }
            Bending::About(centre) => (centre, None),
            Bending::AboutAxis(centre, axis) => {
                (centre, Some(S::rotate(state.pose.rotation, axis)))
            }
        };
        let radius = self.balls.hot[slot].radius;
        let along = of_wall::<S>(
            normal,
            &Velocities {
                velocity: start.velocity,
                angular_velocity: start.angular_velocity,
            },
            velocity,
        );
        let start = Departure {
            // Back onto the wall, by as much as the last piece was off it.
            position: start.position + normal * (radius - closest.distance),
            velocity: along.velocity,
            ..*start
        };
        let around = Around {
            centre: state.pose.position + S::rotate(state.pose.rotation, centre),
            axis,
            velocity,
            gravity,
            start: start.time,
        };
        let tolerance = Integrator::Adaptive(Tolerance::of(CURVED));
        let (mut segment, _) = next_segment(&around, &start, &tolerance, 0.0, left)?;
        segment.angular_velocity = Curve::constant(start.angular_velocity);
        Ok(segment)
    }

    /// With a wall that turns or oscillates: in the world, and as the wall sees it.
    fn way_carried(
        &self,
        index: u32,
        start: &Departure<S>,
        left: f64,
    ) -> (TrajectorySegment<S>, TrajectorySegment<S>) {
        let fixture = &self.fixtures[index as usize];
        let state = fixture.state_at(start.time);
        let Pose { position, rotation } = state.pose;
        let local = state.pose.to_local(start.position);
        let normal = S::rotate(rotation, fixture.body.shape.closest(local).normal);
        let arm = start.position - position;
        let carrying = state.velocity + S::surface_velocity(state.angular_velocity, arm);
        let way = start.velocity - carrying;
        let way = way - normal * (normal.dot(way) / normal.length_squared());
        let (path, around) = local_path::<S>(
            &self.bending(index, start),
            |vector| S::rotate(rotation, vector),
            arm,
            way,
        );
        let mut terms = [S::Vector::ZERO; TERMS];
        // About the pivot; whatever does not turn has none, and needs none.
        let pivot = match &fixture.body.kind {
            Kind::Kinematic(Drive::Rotation { pivot, .. } | Drive::Swing { pivot, .. }) => *pivot,
            _ => position,
        };
        let mut from_pivot = path;
        from_pivot[0] = start.position - pivot;
        for (order, term) in terms.iter_mut().enumerate() {
            for (power, &local) in from_pivot[..=order].iter().enumerate() {
                *term += turned_by::<S>(state.angular_velocity, local, order - power);
            }
        }
        terms[0] = start.position;
        let mut fastest = state.angular_velocity.length() + around;
        if let Kind::Kinematic(Drive::Oscillation {
            amplitude,
            frequency,
            phase,
        }) = &fixture.body.kind
        {
            let rate = std::f64::consts::TAU * frequency;
            fastest += rate;
            let (sin, cos) = libm::sincos(rate * start.time + phase);
            let mut scale = 1.0;
            for (order, term) in terms.iter_mut().enumerate().skip(1) {
                scale *= rate / order as f64;
                *term += *amplitude * (scale * [sin, cos, -sin, -cos][order % 4]);
            }
        }
        let end = if fastest * left > ANGLE {
            ANGLE / fastest
        } else {
            left
        };
        let segment = |terms: &[S::Vector]| TrajectorySegment {
            place: Curve::new(terms),
            angular_velocity: Curve::constant(start.angular_velocity),
            end,
        };
        let mut seen = path.each(|term| S::unrotate(rotation, term));
        seen[0] = local;
        (segment(&terms), segment(&seen))
    }

    /// What a ball sticking together would leave with at a time by the run's clock.
    pub fn released(&self, slot: usize, sticking: &StickingBall<S>, time: f64) -> Velocities<S> {
        let now = self.balls.velocity_at(slot, time);
        let mut velocity = sticking.after.velocity + (now - sticking.together);
        if let Some(index) = self.index_of_partner(sticking.with) {
            let at = self.departure(slot, time);
            let fixture = &self.fixtures[index as usize];
            let state = fixture.state_at(at.time);
            let turns = state.angular_velocity != S::Angular::ZERO && !self.carries(index);
            // On what it has been until now: half-way between the ends of an arc the other one is next, whose normal is
            // another.
            let (shape, end) = (&fixture.body.shape, state.pose.to_local(at.position));
            let since = self.departure(slot, self.balls.hot[slot].since);
            let before = fixture.state_at(since.time).pose.to_local(since.position);
            let back = |share: f64| end + (before - end) * share;
            let feature = shape.feature(before);
            let place = (JUST_BEFORE.into_iter().map(back))
                .find(|&place| shape.feature(place) == feature)
                .unwrap_or(end);
            let normal = S::rotate(state.pose.rotation, shape.closest(place).normal);
            // Also where it has come from around an edge to a face.
            let another = (normal - sticking.normal).length() > ANOTHER;
            if turns || another || self.bending(index, &at) != Bending::Flat {
                let departing = sticking.after.velocity - sticking.together;
                velocity = now + turned::<S>(departing, sticking.normal, normal);
            }
        }
        Velocities {
            velocity,
            angular_velocity: sticking.after.angular_velocity,
        }
    }

    /// What a ball sticking together would have, were it released at a time by the run's clock, more than it has.
    pub fn in_contact(&self, slot: usize, sticking: &StickingBall<S>, time: f64) -> Holdings<S> {
        let balls = &self.balls;
        let inertial = balls.inertials.of(slot);
        let then = self.released(slot, sticking, time);
        let (velocity, angular_velocity) = (
            balls.velocity_at(slot, time),
            balls.angular_velocity_at(slot, time),
        );
        let place = balls.unwrapped(slot, balls.position_at(slot, time), time);
        let momentum = (then.velocity - velocity) * inertial.mass;
        let mut held = Holdings {
            momentum,
            angular_momentum: S::torque(place, momentum),
            ..Holdings::default()
        };
        let squares = then.velocity.length_squared() - velocity.length_squared();
        held.energy.translational = 0.5 * inertial.mass * squares;
        if inertial.inertia.is_finite() {
            let squares =
                then.angular_velocity.length_squared() - angular_velocity.length_squared();
            held.energy.rotational = 0.5 * inertial.inertia * squares;
            held.angular_momentum += (then.angular_velocity - angular_velocity) * inertial.inertia;
        }
        held
    }

    /// What a wall and the fields have done to a ball sticking together on its present piece until a time: to the ball
    /// as it would be, were it released.
    pub fn carried_sticking(
        &self,
        slot: usize,
        sticking: &StickingBall<S>,
        time: f64,
    ) -> Carried<S> {
        let balls = &self.balls;
        let since = balls.hot[slot].since;
        let dt = time - since;
        let mut carried = Carried::default();
        if !(dt > 0.0) {
            return carried;
        }
        let mass = balls.inertials.of(slot).mass;
        let places = [since, time].each(|time| balls.position_at(slot, time));
        let fallen = balls.gravity.dot(places[1] - places[0]) * mass;
        if !self.fields.is_uniform() {
            let [before, after] = places.each(|place| self.fields.potential(mass, place));
            carried.lost[3] = -(after - before + fallen);
        }
        let Some(index) = self.index_of_partner(sticking.with) else {
            return carried;
        };
        let [before, after] =
            [since, time].each(|time| self.released(slot, sticking, time).velocity);
        carried.momentum = (after - before) * mass - balls.gravity * (mass * dt);
        carried.angular = S::torque(places[1], after * mass)
            - S::torque(places[0], before * mass)
            - balls.torque_of_gravity(slot, time);
        let gained = 0.5 * mass * (after.length_squared() - before.length_squared()) - fallen;
        let body = &self.fixtures[index as usize].body;
        if matches!(body.kind, Kind::Static) || self.carries(index) {
            carried.work = carried.momentum.dot(straight(body, self.epoch + since));
            if sticking.rubbed {
                // It leaves at another speed along the wall than it has been falling along it.
                carried.lost[0] = carried.work - gained;
            }
        } else {
            carried.work = gained;
        }
        carried
    }

    /// The slot of the ball that another travels with.
    pub fn slot_of_partner(&self, partner: StickingPartner) -> Option<usize> {
        match partner {
            StickingPartner::Ball(id) => match self.slots[id.0 as usize] {
                NOWHERE => None,
                slot => Some(slot as usize),
            },
            StickingPartner::Fixture(..) => None,
        }
    }
}

/// The velocity of a body that moves straight on; zero for any other.
fn straight<S: Shaped>(body: &Body<S>, world_time: f64) -> S::Vector {
    match &body.kind {
        Kind::Kinematic(drive) => drive
            .flight_at(&body.pose, world_time)
            .map_or(S::Vector::ZERO, |(flight, _)| flight.velocity),
        Kind::Free(_) | Kind::Static => S::Vector::ZERO,
    }
}

/// The Taylor terms of a ball's way in the frame of a wall, along its axes as `outwards` has them in the world now, and
/// how fast it goes around, rad/s.
fn local_path<S: Space>(
    bending: &Bending<S>,
    outwards: impl Fn(S::Vector) -> S::Vector,
    arm: S::Vector,
    way: S::Vector,
) -> ([S::Vector; TERMS], f64) {
    let mut path = [S::Vector::ZERO; TERMS];
    (path[0], path[1]) = (arm, way);
    let (radius, across) = match *bending {
        Bending::Flat | Bending::Otherwise | Bending::AboutRing(..) => return (path, 0.0),
        Bending::About(centre) => (arm - outwards(centre), way),
        Bending::AboutAxis(centre, axis) => {
            let axis = outwards(axis);
            let without = |vector: S::Vector| vector - axis * axis.dot(vector);
            (without(arm - outwards(centre)), without(way))
        }
    };
    let angular_velocity = S::torque(radius, across) * (1.0 / radius.length_squared());
    for (power, term) in path.iter_mut().enumerate().skip(2) {
        *term = turned_by::<S>(angular_velocity, radius, power);
    }
    (path, angular_velocity.length())
}

/// A term of the Taylor series of a vector that is turned: `Ω^k v / k!`.
fn turned_by<S: Space>(angular_velocity: S::Angular, vector: S::Vector, power: usize) -> S::Vector {
    (1..=power).fold(vector, |vector, factor| {
        S::surface_velocity(angular_velocity, vector) * (1.0 / factor as f64)
    })
}
