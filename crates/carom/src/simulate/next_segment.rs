//! The next segment of a ball's way: through the air, or on the wall that it keeps touching.

mod carried;
mod in_corner;
mod in_groove;
mod led;
mod on_wall;
mod standing_on;

use super::bodies::Bodies;
use super::support::Standing;
use super::support::corner::beside;
use super::trajectories::{Intent, Support};
use crate::arrays::Each;
use crate::body::Kind;
use crate::impact::{Strikable, crossing_of_gate};
use crate::motion::{Departure, Drive, Flight, FlightError, TrajectorySegment, next_segment};
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
    /// Whether a fixture takes up the same space to a ball that moves as it does: it stands, moves straight on, or is
    /// round and turns on the spot.
    pub(super) fn carries(&self, index: u32) -> bool {
        let body = &self.fixtures[index as usize].body;
        match &body.kind {
            Kind::Fixed | Kind::Driven(Drive::Uniform { .. } | Drive::Path { .. }) => true,
            Kind::Driven(Drive::Rotation { pivot, spin }) => {
                body.shape.turns_into_itself(&body.pose, *pivot, *spin)
            }
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
            spin: balls.spin_at(slot, time),
        }
    }

    /// What a ball on a wall needs to know about it; `None` where one cannot stay on it.
    pub fn standing(&self, slot: usize, index: u32, time: f64) -> Option<Standing<S>> {
        self.standing_at(slot, index, &self.departure(slot, time))
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
        let spin = if self.surfaces.materials.any_friction() {
            S::Angular::ZERO
        } else {
            self.balls.spin(slot)
        };
        let place = Flight::rest(self.balls.hot[slot].position);
        (TrajectorySegment::of_flight(&place, spin), support, 0.0)
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
            spin: self.balls.spin(slot),
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
            let size = path.position_at(time).length() + 1.0;
            let blur = f64::EPSILON * size / path.velocity_at(time).length();
            let beyond = [0.0, 4.0, 64.0, 1024.0].map(|ulps| after + ulps * blur);
            let changed = |&time: &f64| shape.feature(path.position_at(time)) != feature;
            if let Some(time) = beyond.into_iter().find(changed) {
                first = Some(time);
                break;
            }
            from = after;
        }
    });
    first
}
