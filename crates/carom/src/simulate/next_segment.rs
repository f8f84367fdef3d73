//! The next segment of a ball's way: through the air, or on the wall that it keeps touching.

mod carried;
mod in_corner;
mod in_groove;
mod on_wall;

use super::bodies::{Bodies, BodyRef};
use super::support::corner::beside;
use super::support::{Rubbing, Standing};
use super::trajectories::{Intent, Support};
use crate::arrays::Each;
use crate::body::Kind;
use crate::impact::{Strikable, crossing_of_gate};
use crate::motion::{
    Departure, Drive, Flight, FlightError, Rates, Sides, TrajectorySegment, next_segment,
};
use crate::record::Regime;
use crate::shape::{Bending, Footing, Obstacle, Shape, Shaped};
use crate::space::Linear;

/// A bounce that goes no higher than this share of the radius is the last one.
const LAST_BOUNCE: f64 = 1e-12;

/// How many such bounces a ball may still be in the middle of when it comes to lie between two walls.
const SLOWLY: f64 = 4.0;

/// Balls that push each other come back after this share of √(r/g).
const AT_ONCE: f64 = 1.0 / 512.0;

/// A way, how it goes, and how long the next may be, s.
pub(super) type NextSegment<S> = (TrajectorySegment<S>, Support, f64);

impl<S: Strikable> Bodies<S> {
    /// Whether a ball can stay on a piece of fixture: it stands, moves straight on, or is round and turns on the spot.
    pub(super) fn carries(&self, index: u32) -> bool {
        let body = &self.fixtures[index as usize].body;
        match &body.kind {
            Kind::Static | Kind::Kinematic(Drive::Uniform { .. } | Drive::Path { .. }) => true,
            Kind::Kinematic(Drive::Rotation {
                pivot,
                angular_velocity,
            }) => body
                .shape
                .turns_into_itself(&body.pose, *pivot, *angular_velocity),
            _ => false,
        }
    }

    /// The state of a ball at a time by the run's clock.
    pub fn departure(&self, slot: usize, time: f64) -> Departure<S> {
        let balls = &self.balls;
        Departure {
            time: self.epoch + time,
            position: balls.position_at(slot, time),
            velocity: balls.velocity_at(slot, time),
            angular_velocity: balls.angular_velocity_at(slot, time),
        }
    }

    /// What a ball on a wall needs to know about it; `None` where one cannot stay on it.
    pub fn standing(&self, slot: usize, index: u32, time: f64) -> Option<Standing<S>> {
        self.standing_at(slot, index, &self.departure(slot, time))
    }

    fn standing_at(&self, slot: usize, index: u32, at: &Departure<S>) -> Option<Standing<S>> {
        self.standing_beside(slot, index, at, None)
    }

    /// The same with the fields as they are on the given sides of their borders; `None` for those that it is on.
    fn standing_beside(
        &self,
        slot: usize,
        index: u32,
        at: &Departure<S>,
        sides: Option<Sides>,
    ) -> Option<Standing<S>> {
        if !self.carries(index) {
            return None;
        }
        let fixture = &self.fixtures[index as usize];
        let balls = &self.balls;
        let state = fixture.state_at(at.time);
        let closest = fixture.body.shape.closest(state.pose.to_local(at.position));
        let normal = S::rotate(state.pose.rotation, closest.normal);
        let arm = S::rotate(state.pose.rotation, closest.point);
        let inertial = balls.inertials.of(slot);
        let radius = balls.hot[slot].radius;
        let surface = self.surface(slot, BodyRef::Fixture(index));
        let (gravity, twist) = if self.fields.is_uniform() {
            (balls.gravity, S::Angular::ZERO)
        } else {
            let fields = (self.fields).for_ball(inertial.mass, radius, inertial.inertia);
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
            wall_acceleration: S::Vector::ZERO,
            centrifugal: 0.0,
        };
        let bending = self.bending(index, at);
        if bending == Bending::Otherwise {
            return None;
        }
        if bending == Bending::Flat && state.angular_velocity == S::Angular::ZERO {
            return Some(standing);
        }
        let carried = at.velocity - state.velocity;
        let turning = self.turning(index, at, &standing);
        standing.centrifugal = -carried.dot(turning);
        if state.angular_velocity != S::Angular::ZERO {
            standing.wall_acceleration =
                S::surface_velocity(state.angular_velocity, carried - turning * radius);
        }
        Some(standing)
    }

    pub(super) fn bending(&self, index: u32, at: &Departure<S>) -> Bending<S> {
        let fixture = &self.fixtures[index as usize];
        let pose = fixture.state_at(at.time).pose;
        fixture.body.shape.bending(pose.to_local(at.position))
    }

    /// How fast the normal turns as the ball moves on, 1/s.
    fn turning(&self, index: u32, at: &Departure<S>, standing: &Standing<S>) -> S::Vector {
        let fixture = &self.fixtures[index as usize];
        let state = fixture.state_at(at.time);
        let pose = &state.pose;
        // A round wall that turns on the spot is the same wall.
        let relative = S::unrotate(pose.rotation, at.velocity - state.velocity);
        let normal = S::unrotate(pose.rotation, standing.normal);
        let local = pose.to_local(at.position);
        let turning = fixture
            .body
            .shape
            .bending(local)
            .turning(local, normal, relative);
        S::rotate(pose.rotation, turning)
    }

    /// The speed across the wall (m/s) below which a ball stays on it.
    pub fn least_hop(&self, standing: &Standing<S>) -> f64 {
        (2.0 * standing.pressing().max(0.0) * LAST_BOUNCE * standing.radius).sqrt()
    }

    /// The restitution that keeps two balls apart for a moment that lie on walls and are pressed together; `None` where
    /// they are not, or part by themselves.
    ///
    /// A ball that pushes another along would collide with it ever faster, until rounding is all that is left between
    /// two collisions. So it is made to come back after a share of √(r/g), for pool balls 10⁻⁴ s: less than a real
    /// contact lasts. The speed that this takes is millionths of a metre a second, and what it puts in is in the
    /// budget.
    pub fn pushing(&self, a: usize, b: usize, time: f64) -> Option<f64> {
        let balls = &self.balls;
        let trajectories = balls.trajectories.as_ref()?;
        if [a, b]
            .iter()
            .any(|&slot| trajectories.supports[slot].on.is_none())
        {
            return None;
        }
        let apart = balls.position_at(a, time) - balls.position_at(b, time);
        let normal = (apart + balls.nearest_shift(apart)).unit()?;
        let acceleration = |slot: usize| {
            let segment = balls.segment_or_flight(slot);
            segment.place.bend_at(time - balls.hot[slot].since)
        };
        let pressing = normal.dot(acceleration(b) - acceleration(a));
        let closing = normal.dot(balls.velocity_at(b, time) - balls.velocity_at(a, time));
        let radius = balls.hot[a].radius.min(balls.hot[b].radius);
        let at_once = AT_ONCE * (radius / balls.gravity.length()).sqrt();
        let least = 0.5 * pressing * at_once;
        (closing > 0.0 && least > closing).then(|| least / closing)
    }

    /// The way of a ball from its own time on, and how it goes.
    pub fn next_segment_of(&self, slot: usize) -> Result<NextSegment<S>, FlightError> {
        let balls = &self.balls;
        let trajectories = balls
            .trajectories
            .as_ref()
            .expect("only where balls are guided");
        let before = trajectories.supports[slot];
        if let Some(sticking) = balls.sticking(slot) {
            return self.segment_sticking(slot, sticking);
        }
        let corner = match before.intent {
            Intent::Stay => before.all_three().map(|walls| (walls, before.settles)),
            Intent::Corner(walls, settles) => Some((walls, settles)),
            _ => None,
        };
        let mut nestles = match before.intent {
            Intent::Stay => before.both().map(|walls| (walls, before.settles)),
            Intent::Nestle(walls, settles) => Some((walls, settles)),
            _ => None,
        };
        if let Some((walls, settles)) = corner {
            match self.segment_in_corner(slot, walls, settles)? {
                Ok(way) => return Ok(way),
                Err(left) => {
                    let others = beside(left).each(|wall| walls[wall]);
                    nestles = Some((others, f64::NEG_INFINITY));
                }
            }
        }
        if let Some((walls, settles)) = nestles {
            let only = match self.segment_between(slot, walls, settles)? {
                Ok(way) => return Ok(way),
                Err(only) => only,
            };
            for index in [walls[only], walls[1 - only]] {
                if let Some(way) = self.segment_on(slot, index, settles)? {
                    return Ok(way);
                }
            }
            return self.segment_in_flight(slot, trajectories.hints[slot]);
        }
        let footing = match before.intent {
            Intent::Stay if before.asleep => return Ok(self.asleep(slot)),
            Intent::Sleep => return Ok(self.asleep(slot)),
            Intent::Stay => before.on.map(|index| (index, before.settles)),
            Intent::Leave | Intent::Nestle(..) | Intent::Corner(..) => None,
            Intent::Land(index, settles) => Some((index, settles)),
        };
        if let Some((index, settles)) = footing
            && let Some(way) = self.segment_on(slot, index, settles)?
        {
            return Ok(way);
        }
        self.segment_in_flight(slot, trajectories.hints[slot])
    }

    /// It lies where it is; a smooth ball may spin on.
    pub(super) fn asleep(&self, slot: usize) -> NextSegment<S> {
        let support = Support {
            asleep: true,
            regime: Regime::Resting,
            ..Support::FLYING
        };
        let angular_velocity = if self.surfaces.materials.any_friction() {
            S::Angular::ZERO
        } else {
            self.balls.angular_velocity(slot)
        };
        let place = Flight::rest(self.balls.hot[slot].position);
        (
            TrajectorySegment::of_flight(&place, angular_velocity),
            support,
            0.0,
        )
    }

    /// Whether balls that touch nothing fly straight on or fall freely: no field but uniform gravity acts, and the
    /// integrator is exact.
    pub fn flies_freely(&self) -> bool {
        self.fields.is_uniform() && !self.is_by_euler()
    }

    fn segment_in_flight(&self, slot: usize, hint: f64) -> Result<NextSegment<S>, FlightError> {
        let balls = &self.balls;
        let ball = &balls.hot[slot];
        if self.flies_freely() {
            return Ok((balls.flight_of(slot), Support::FLYING, 0.0));
        }
        let inertial = balls.inertials.of(slot);
        let rates = (self.fields).for_ball(inertial.mass, ball.radius, inertial.inertia);
        let start = self.start(slot);
        let (segment, hint) = next_segment(&rates, &start, &self.integrator, hint, f64::INFINITY)?;
        Ok((segment, Support::FLYING, hint))
    }

    /// The state of a ball at its own time.
    pub(super) fn start(&self, slot: usize) -> Departure<S> {
        let ball = &self.balls.hot[slot];
        Departure {
            time: self.epoch + ball.since,
            position: ball.position,
            velocity: ball.velocity,
            angular_velocity: self.balls.angular_velocity(slot),
        }
    }

    /// When, on a segment, a ball comes to the end of the feature that it is on, before the piece ends.
    fn end_of_feature(
        &self,
        slot: usize,
        index: u32,
        segment: &TrajectorySegment<S>,
    ) -> Option<f64> {
        let fixture = &self.fixtures[index as usize];
        let since = self.balls.hot[slot].since;
        let state = fixture.state_at(self.epoch + since);
        // In the frame of the wall, which moves straight on.
        let path = segment.seen_from(&state.pose, state.velocity);
        first_change(&fixture.body.shape, &path, segment.end)
    }
}

/// When a ball, on a way in the frame of a shape, comes to the end of the feature that it is on, before the way ends.
pub(super) fn first_change<S: Shaped>(
    shape: &Shape<S>,
    path: &TrajectorySegment<S>,
    end: f64,
) -> Option<f64> {
    if matches!(shape, Shape::HalfSpace(_)) {
        return None;
    }
    let feature = shape.feature(path.position_at(0.0));
    let mut first: Option<f64> = None;
    shape.gates(&mut |gate| {
        let mut from = 0.0;
        // A gate may be crossed where it is no border of this feature: look on.
        for _ in 0..8 {
            let time = crossing_of_gate(path, from, &gate);
            if !(time < first.unwrap_or(end)) {
                break;
            }
            let after = time.next_up() + 1e-12 * time;
            if shape.feature(path.position_at(after)) != feature {
                first = Some(after);
                break;
            }
            from = after;
        }
    });
    first
}
