//! The next segment of a ball's way: through the air, or on the wall that it keeps touching.

mod carried;
mod in_corner;
mod in_groove;
mod led;
mod on_wall;
mod standing_on;

use super::bodies::{Bodies, BodyRef};
use super::support::Standing;
use super::support::corner::beside;
use super::trajectories::{Intent, Support};
use crate::arrays::Each;
use crate::body::Kind;
use crate::impact::{Strikable, crossing_of_gate};
use crate::motion::{
    Curve, Departure, Drive, Flight, FlightError, Load, TrajectorySegment, next_segment,
};
use crate::shape::{Bending, Footing, Obstacle, Shape, Shaped};
use crate::space::Linear;

/// A bounce that goes no higher than this share of the radius is the last one.
const LAST_BOUNCE: f64 = 1e-12;

/// How many such bounces a ball may still be in the middle of when it comes to lie between two walls.
const SLOWLY: f64 = 4.0;

/// A way, how it goes, and how long the next may be, s.
pub(super) type NextSegment<S> = (TrajectorySegment<S>, Support, f64);

impl<S: Strikable> Bodies<S> {
    /// Whether a fixture takes up the same space to a ball that moves as it does: it stands, moves straight on, or is
    /// round and turns on the spot.
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

    /// Whether a body is a fixture that presses on what flies straight: it moves, and not straight on.
    pub(super) fn pushes(&self, other: BodyRef) -> bool {
        let BodyRef::Fixture(index) = other else {
            return false;
        };
        let kind = &self.fixtures[index as usize].body.kind;
        matches!(kind, Kind::Kinematic(drive) if !matches!(drive, Drive::Uniform { .. }))
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

    /// Whether a ball is in the gap of an arc that is too narrow for it. There it can touch both ends, which is a
    /// matter of islands.
    pub fn is_in_gap(&self, slot: usize, index: u32, time: f64) -> bool {
        let place = self.balls.position_at(slot, time);
        let radius = self.balls.hot[slot].radius;
        self.fixtures[index as usize].has_in_gap(place, radius, self.epoch + time)
    }

    pub(super) fn bending(&self, index: u32, at: &Departure<S>) -> Bending<S> {
        let fixture = &self.fixtures[index as usize];
        let pose = fixture.state_at(at.time).pose;
        fixture.body.shape.bending(pose.to_local(at.position))
    }

    /// The speed across the wall (m/s) below which a ball stays on it.
    pub fn least_hop(&self, standing: &Standing<S>) -> f64 {
        (2.0 * standing.pressing().max(0.0) * LAST_BOUNCE * standing.radius).sqrt()
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
        if let Some(segment) = self.segment_of_jointed(slot) {
            return Ok((segment, Support::FLYING, 0.0));
        }
        if let Some(island) = before.island {
            return Ok(self.segment_in_island(slot, island, before));
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

    /// The segment that a ball is on with all that joints hold to it.
    fn segment_of_jointed(&self, slot: usize) -> Option<TrajectorySegment<S>> {
        let jointed = self.jointed.as_ref()?;
        let (group, place) = jointed.find(self.balls.ids[slot])?;
        jointed.groups[group].segments.get(place).cloned()
    }

    /// A member of an island goes straight on until the island's step ends; asleep it lies where it is.
    fn segment_in_island(&self, slot: usize, island: u32, support: Support) -> NextSegment<S> {
        let ball = &self.balls.hot[slot];
        let trajectories = self.balls.trajectories.as_ref();
        let island = trajectories.and_then(|trajectories| trajectories.islands.get(island));
        let until = island.map_or(ball.since, |island| island.until);
        let flight = Flight::straight(ball.position, ball.velocity);
        let segment = TrajectorySegment {
            end: (until - ball.since).max(0.0),
            ..TrajectorySegment::of_flight(&flight, self.balls.angular_velocity(slot))
        };
        (segment, support, 0.0)
    }

    /// Whether a ball that touches nothing flies straight on or falls freely: no more than uniform gravity acts, and
    /// the integrator is exact.
    #[inline]
    pub fn flies_freely(&self, slot: usize) -> bool {
        self.only_falls(slot) && !self.is_by_euler()
    }

    fn segment_in_flight(&self, slot: usize, hint: f64) -> Result<NextSegment<S>, FlightError> {
        let balls = &self.balls;
        if self.flies_freely(slot) {
            return Ok((balls.flight_of(slot), Support::FLYING, 0.0));
        }
        let start = self.start(slot);
        if let Some(load) = self.load(slot)
            && load.is_constant()
            && self.fields.is_uniform()
            && !self.is_by_euler()
        {
            return Ok((
                self.pulled_steadily(slot, load, &start),
                Support::FLYING,
                0.0,
            ));
        }
        let rates = self.rates_of(slot);
        let (segment, hint) = next_segment(&rates, &start, &self.integrator, hint, f64::INFINITY)?;
        Ok((segment, Support::FLYING, hint))
    }

    /// The flight under gravity, a constant force and a constant torque, in closed form: a parabola, and a spin that
    /// grows steadily.
    fn pulled_steadily(
        &self,
        slot: usize,
        load: &Load<S>,
        start: &Departure<S>,
    ) -> TrajectorySegment<S> {
        let inertial = self.balls.inertials.of(slot);
        let push = self.balls.gravity + load.force_at(start.time) * inertial.inverse_mass;
        let twist = load.torque_at(start.time) * inertial.inverse_inertia;
        TrajectorySegment {
            place: Curve::new(&[start.position, start.velocity, push * 0.5]),
            angular_velocity: Curve::new(&[start.angular_velocity, twist]),
            end: f64::INFINITY,
        }
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
            // Rounding may leave it on this side for a while.
            let rounding = f64::EPSILON * (path.position_at(time).length() + 1.0);
            // One that sets out from rest takes its time, but no longer than it takes to get that far.
            let [speed, push] =
                [path.velocity_at(time), path.place.bend_at(time)].each(Linear::length);
            let blur = (rounding / speed).min((2.0 * rounding / push).sqrt());
            let beyond = [0.0, 4.0, 64.0, 1024.0].map(|ulps| after + ulps * blur);
            // Never beyond the end, after which there is no path, nor beyond what comes first so far.
            let latest = first.unwrap_or(end);
            let changed =
                |&time: &f64| time < latest && shape.feature(path.position_at(time)) != feature;
            if let Some(time) = beyond.into_iter().find(changed) {
                first = Some(time);
                break;
            }
            from = after;
        }
    });
    first
}
