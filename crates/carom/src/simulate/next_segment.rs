//! The next segment of a ball's way: through the air, or on the wall that it keeps touching.

mod carried;

use super::bodies::{Bodies, BodyRef};
use super::support::corner::{InCorner, Poise, Turning, beside, factors};
use super::support::groove::{GrooveSide, Held, InGroove, Pivot};
use super::support::sliding::{
    self, CURVED, INSTANT, NEARLY, SPENT, at_its_end, at_once, first_fall, is_untold,
};
use super::support::{Rubbing, Standing, Stretch, Turn};
use super::trajectories::{Intent, Next, Support};
use crate::arrays::Each;
use crate::body::Kind;
use crate::impact::{Strikable, crossing_of_gate};
use crate::motion::{
    Border, Curve, Departure, Drive, Flight, FlightError, Integrator, Rates, Sides, Tolerance,
    TrajectorySegment, next_segment, sides_at,
};
use crate::record::Regime;
use crate::shape::{Bending, Footing, Obstacle, Shape, Shaped};
use crate::space::{Linear, Space};

/// A bounce that goes no higher than this share of the radius is the last one.
const LAST_BOUNCE: f64 = 1e-12;

/// How many such bounces a ball may still be in the middle of when it comes to lie between two walls.
const SLOWLY: f64 = 4.0;

/// Balls that push each other come back after this share of √(r/g).
const AT_ONCE: f64 = 1.0 / 512.0;

/// A way, how it goes, and how long the next may be, s.
pub(super) type NextSegment<S> = (TrajectorySegment<S>, Support, f64);

/// A ball on a wall, as the integrator asks for it.
struct Gliding<'a, S: Shaped> {
    stage: &'a Bodies<S>,
    slot: usize,
    index: u32,
    regime: Regime,
    /// Which way it slips or rolls at the start.
    heading: S::Vector,
    /// On which sides of the borders of fields this trajectory segment is.
    sides: Sides,
}

impl<S: Strikable> Gliding<'_, S> {
    fn standing(&self, at: &Departure<S>) -> Option<Standing<S>> {
        let sides = Some(self.sides);
        self.stage.standing_beside(self.slot, self.index, at, sides)
    }
}

impl<S: Strikable> Rates<S> for Gliding<'_, S> {
    fn rates(
        &self,
        time: f64,
        position: S::Vector,
        velocity: S::Vector,
        spin: S::Angular,
    ) -> (S::Vector, S::Angular) {
        let sides = Sides::of(self.borders(), position);
        self.rates_beside(sides, time, position, velocity, spin)
    }

    fn borders(&self) -> &[Border<S>] {
        self.stage.fields.borders()
    }

    fn rates_beside(
        &self,
        sides: Sides,
        time: f64,
        position: S::Vector,
        velocity: S::Vector,
        spin: S::Angular,
    ) -> (S::Vector, S::Angular) {
        let at = Departure {
            time,
            position,
            velocity,
            spin,
        };
        let standing = (self.stage).standing_beside(self.slot, self.index, &at, Some(sides));
        match standing {
            Some(standing) => {
                let turning = self.stage.turning(self.index, &at, &standing);
                // In 2-D it keeps its heading through zero, so that the instant can be found from both sides.
                let heading = (S::DIMENSION == 2)
                    .then(|| standing.tangential(self.heading).unit())
                    .flatten();
                standing.rates(self.regime, turning, heading)
            }
            None => (S::vector([f64::NAN; 3]), S::Angular::ZERO),
        }
    }

    fn next_jump(&self, time: f64) -> f64 {
        self.stage.fields.next_jump(time)
    }
}

/// A ball that spins in a corner, as the integrator asks for it.
struct Cornerly<S: Space> {
    in_corner: InCorner<S>,
    /// What the resistances against spins about the normals do, all along.
    pivots: [Pivot; 3],
}

impl<S: Space> Cornerly<S> {
    fn turning(&self, spin: S::Angular) -> Option<Turning<S>> {
        let in_corner = InCorner {
            spin,
            ..self.in_corner
        };
        in_corner.turning_with(Some(&self.pivots))
    }
}

impl<S: Space> Rates<S> for Cornerly<S> {
    fn rates(
        &self,
        _: f64,
        _: S::Vector,
        _: S::Vector,
        spin: S::Angular,
    ) -> (S::Vector, S::Angular) {
        // Past where their pushes can be told the piece is cut off.
        let rate = self.turning(spin).map(|turning| turning.spin_rate);
        (S::Vector::ZERO, rate.unwrap_or(S::Angular::ZERO))
    }

    fn next_jump(&self, _: f64) -> f64 {
        f64::INFINITY
    }
}

impl<S: Strikable> Bodies<S> {
    /// Whether a ball can stay on a piece of fixture: it stands, moves straight on, or is round and turns on the spot.
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
            fields.rates_beside(sides, at.time, at.position, at.velocity, at.spin)
        };
        let mut standing = Standing {
            radius,
            roundness: inertial.inertia / (inertial.mass * radius * radius),
            normal,
            wall_velocity: state.velocity + S::surface_velocity(state.spin, arm),
            gravity,
            rubbing: Rubbing {
                static_friction: surface.static_friction,
                kinetic_friction: surface.kinetic_friction,
                rolling: surface.rolling_resistance,
                spinning: surface.spinning_resistance,
            },
            place: at.position,
            velocity: at.velocity,
            spin: at.spin,
            twist,
            wall_acceleration: S::Vector::ZERO,
            centrifugal: 0.0,
        };
        let bending = self.bending(index, at);
        if bending == Bending::Otherwise {
            return None;
        }
        if bending == Bending::Flat && state.spin == S::Angular::ZERO {
            return Some(standing);
        }
        let carried = at.velocity - state.velocity;
        let turning = self.turning(index, at, &standing);
        standing.centrifugal = -carried.dot(turning);
        if state.spin != S::Angular::ZERO {
            standing.wall_acceleration =
                S::surface_velocity(state.spin, carried - turning * radius);
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

    /// The way on a wall; `None` where the ball does not stay on it.
    fn segment_on(
        &self,
        slot: usize,
        index: u32,
        settles: f64,
    ) -> Result<Option<NextSegment<S>>, FlightError> {
        let since = self.balls.hot[slot].since;
        let start = self.start(slot);
        let Some(standing) = self.standing_at(slot, index, &start) else {
            return Ok(None);
        };
        let across = (standing.normal).dot(standing.velocity - standing.wall_velocity);
        if !(standing.pressing() > 0.0 && across.abs() <= self.least_hop(&standing)) {
            return Ok(None);
        }
        let turns = standing.wall_acceleration != S::Vector::ZERO;
        let simple =
            self.fields.is_uniform() && !turns && self.bending(index, &start) == Bending::Flat;
        let (stretch, hint) = match standing.on_flat().filter(|_| simple) {
            Some(stretch) => (stretch, 0.0),
            None => self.segment_along(slot, index, &standing)?,
        };
        let Stretch {
            regime,
            mut segment,
            turn,
        } = stretch;
        let mut next = match turn {
            // Nothing presses it on any more.
            Turn::Lifts => Next::LetsGo,
            turn => Next::Turn(turn),
        };
        if let Some(end) = self.end_of_feature(slot, index, &segment) {
            segment.end = end;
            next = Next::LetsGo;
        }
        // Where a path has a corner, the wall goes on at another velocity.
        let body = &self.fixtures[index as usize].body;
        if let Kind::Driven(drive) = &body.kind
            && let Some((_, knot)) = drive.flight_at(&body.pose, start.time)
            && knot - start.time < segment.end
        {
            segment.end = knot - start.time;
            next = Next::Turn(Turn::GoesOn);
        }
        if settles > since && settles - since < segment.end {
            segment.end = settles - since;
            next = Next::Settles;
        }
        let support = Support {
            on: Some(index),
            also: None,
            third: None,
            regime,
            next,
            settles,
            intent: Intent::Stay,
            asleep: false,
        };
        Ok(Some((segment, support, hint)))
    }

    /// The speed across walls (m/s) below which a ball stays between them, whatever their angles.
    pub fn highest_hop(&self, slot: usize) -> f64 {
        let (gravity, radius) = (self.balls.gravity.length(), self.balls.hot[slot].radius);
        (2.0 * gravity * LAST_BOUNCE * radius).sqrt()
    }

    /// What a ball between two walls needs to know about them; `None` where it cannot stay there: where they turn, or
    /// do not move together, where more than gravity acts, and in 3-D where they are not flat.
    pub fn in_groove(&self, slot: usize, walls: [u32; 2], time: f64) -> Option<InGroove<S>> {
        self.nestled_at(slot, walls, &self.departure(slot, time))
    }

    fn nestled_at(&self, slot: usize, walls: [u32; 2], at: &Departure<S>) -> Option<InGroove<S>> {
        if !self.fields.is_uniform() || walls[0] == walls[1] {
            return None;
        }
        let mut standings = [None; 2];
        for (standing, &index) in standings.iter_mut().zip(&walls) {
            let body = &self.fixtures[index as usize].body;
            let steady = matches!(body.kind, Kind::Fixed | Kind::Driven(Drive::Uniform { .. }));
            let flat = S::DIMENSION == 2 || self.bending(index, at) == Bending::Flat;
            if !(steady
                && flat
                && self.fixtures[index as usize].state_at(at.time).spin == S::Angular::ZERO)
            {
                return None;
            }
            *standing = Some(self.standing_at(slot, index, at)?);
        }
        let [first, second] = standings;
        let (first, second) = (first?, second?);
        if first.wall_velocity != second.wall_velocity {
            return None;
        }
        let flank = |standing: &Standing<S>| GrooveSide {
            normal: standing.normal,
            rubbing: standing.rubbing,
        };
        Some(InGroove {
            radius: first.radius,
            roundness: first.roundness,
            flanks: [flank(&first), flank(&second)],
            wall_velocity: first.wall_velocity,
            gravity: first.gravity,
            place: at.position,
            velocity: at.velocity,
            spin: at.spin,
        })
    }

    /// Whether two walls hold a ball that hardly moves across them.
    pub fn is_held_by_both(&self, in_groove: &InGroove<S>) -> bool {
        self.is_slow_across(in_groove) && !matches!(in_groove.held(), Held::By(_))
    }

    fn is_slow_across(&self, in_groove: &InGroove<S>) -> bool {
        let hop = (2.0 * in_groove.gravity.length() * LAST_BOUNCE * in_groove.radius).sqrt();
        in_groove.flanks.iter().all(|flank| {
            let across = flank
                .normal
                .dot(in_groove.velocity - in_groove.wall_velocity);
            across.abs() <= SLOWLY * hop
        })
    }

    /// Whether a ball whose bounces between two walls will be over soon is so near them, and so slow once the second
    /// has stopped it, that nothing is seen of those that are left.
    pub fn is_between(&self, slot: usize, walls: [u32; 2], time: f64) -> bool {
        let Some(mut in_groove) = self.in_groove(slot, walls, time) else {
            return false;
        };
        let normal = in_groove.flanks[1].normal;
        let across = normal.dot(in_groove.velocity - in_groove.wall_velocity);
        in_groove.velocity -= normal * across;
        let near = walls.iter().all(|&wall| {
            let (_, gap) = self.contact(slot, BodyRef::Fixture(wall), time);
            gap <= SLOWLY * SLOWLY * LAST_BOUNCE * in_groove.radius
        });
        near && self.is_slow_across(&in_groove)
    }

    /// The way between two walls; where it is held by one alone, which of them.
    fn segment_between(
        &self,
        slot: usize,
        walls: [u32; 2],
        settles: f64,
    ) -> Result<Result<NextSegment<S>, usize>, FlightError> {
        let since = self.balls.hot[slot].since;
        let Some(mut in_groove) = self.nestled_at(slot, walls, &self.start(slot)) else {
            return Ok(Err(0));
        };
        let trajectories = self.balls.trajectories.as_ref();
        if let Some(halt) =
            trajectories.and_then(|trajectories| trajectories.halts.get(&self.balls.ids[slot]))
            && !halt.also.is_empty()
            && settles == halt.time.max(since)
        {
            (in_groove.velocity, in_groove.spin) = (halt.velocity, halt.spin);
        }
        let mut lets_go = None;
        let stretch = match in_groove.held() {
            Held::ByBoth(stretch) if self.is_slow_across(&in_groove) => stretch,
            Held::Askew if self.is_slow_across(&in_groove) => {
                let time = self.epoch + since;
                let (stretch, leaves) = sliding::askew(&in_groove, time, since, f64::INFINITY)?;
                lets_go = leaves.map(|wall| [Next::LeavesFirst, Next::LeavesSecond][wall]);
                stretch
            }
            Held::ByBoth(_) | Held::Askew => {
                // It leaves one of them, or is thrown against it: it stays on the one across which it is slower.
                let across = in_groove.flanks.each(|flank| {
                    flank
                        .normal
                        .dot(in_groove.velocity - in_groove.wall_velocity)
                        .abs()
                });
                return Ok(Err(usize::from(across[1] < across[0])));
            }
            Held::By(only) => return Ok(Err(only)),
        };
        let Stretch {
            regime,
            mut segment,
            turn,
        } = stretch;
        let mut next = lets_go.unwrap_or(Next::Turn(turn));
        if in_groove.along(segment.velocity_at(0.0)) != S::Vector::ZERO
            || segment.place.degree() > 1
        {
            for (index, leaves) in walls
                .into_iter()
                .zip([Next::LeavesFirst, Next::LeavesSecond])
            {
                if let Some(end) = self.end_of_feature(slot, index, &segment) {
                    segment.end = end;
                    next = leaves;
                }
            }
        }
        if settles > since && settles - since < segment.end {
            segment.end = settles - since;
            next = Next::Settles;
        }
        let support = Support {
            on: Some(walls[0]),
            also: Some(walls[1]),
            third: None,
            regime,
            next,
            settles,
            intent: Intent::Stay,
            asleep: false,
        };
        Ok(Ok((segment, support, 0.0)))
    }

    /// What a ball between three walls needs to know about them; `None` where it cannot stay there, as between two.
    pub fn in_corner(&self, slot: usize, walls: [u32; 3], time: f64) -> Option<InCorner<S>> {
        self.cornered_at(slot, walls, &self.departure(slot, time))
    }

    fn cornered_at(&self, slot: usize, walls: [u32; 3], at: &Departure<S>) -> Option<InCorner<S>> {
        let [first, second, third] = walls;
        if S::DIMENSION == 2 {
            return None;
        }
        let in_groove = self.nestled_at(slot, [first, second], at)?;
        let beside = self.nestled_at(slot, [second, third], at)?;
        if in_groove.wall_velocity != beside.wall_velocity || first == third {
            return None;
        }
        Some(InCorner {
            radius: in_groove.radius,
            roundness: in_groove.roundness,
            flanks: [in_groove.flanks[0], in_groove.flanks[1], beside.flanks[1]],
            wall_velocity: in_groove.wall_velocity,
            gravity: in_groove.gravity,
            place: at.position,
            velocity: at.velocity,
            spin: at.spin,
        })
    }

    /// The wall of three across which a ball is too fast to stay; `None` where it stays.
    pub fn fast_across(&self, in_corner: &InCorner<S>) -> Option<usize> {
        let hop = (2.0 * in_corner.gravity.length() * LAST_BOUNCE * in_corner.radius).sqrt();
        let across = in_corner.flanks.each(|flank| {
            let relative = in_corner.velocity - in_corner.wall_velocity;
            flank.normal.dot(relative).abs()
        });
        let fastest = (0..3).max_by(|&a, &b| across[a].total_cmp(&across[b]))?;
        (across[fastest] > SLOWLY * hop).then_some(fastest)
    }

    /// Whether a ball is so near a wall that nothing is seen of the bounces that are left.
    pub fn is_by(&self, slot: usize, wall: u32, time: f64) -> bool {
        let (_, gap) = self.contact(slot, BodyRef::Fixture(wall), time);
        let near = 4.0 * SLOWLY * SLOWLY * LAST_BOUNCE * self.balls.hot[slot].radius;
        // One that it keeps touching is as near as its last bounces left it.
        gap <= near || self.balls.is_on(slot, wall)
    }

    /// How far a ball that three walls hold is from where all of them touch it, m.
    pub fn off_corner(&self, slot: usize, walls: [u32; 3], time: f64) -> Option<S::Vector> {
        let touches = walls.each(|wall| self.contact(slot, BodyRef::Fixture(wall), time));
        let [a, b, c] = touches.each(|(contact, _)| S::components(contact.normal));
        // n·x = gap for each of the normals: with them as columns of a matrix, its transpose times x.
        let rows: [S::Vector; 3] =
            std::array::from_fn(|axis| S::vector([a[axis], b[axis], c[axis]]));
        let gaps = S::vector(touches.each(|(_, gap)| gap));
        Some(S::vector(factors::<S>(rows, gaps)?))
    }

    /// The way between three walls; where it leaves one of them, which.
    fn segment_in_corner(
        &self,
        slot: usize,
        walls: [u32; 3],
        settles: f64,
    ) -> Result<Result<NextSegment<S>, usize>, FlightError> {
        let since = self.balls.hot[slot].since;
        let Some(mut in_corner) = self.cornered_at(slot, walls, &self.start(slot)) else {
            return Ok(Err(2));
        };
        let trajectories = self.balls.trajectories.as_ref();
        let halt =
            trajectories.and_then(|trajectories| trajectories.corners.get(&self.balls.ids[slot]));
        let foreseen = halt.filter(|halt| {
            let about = walls.iter().all(|&wall| halt.is_about(wall));
            about && settles == halt.time.max(since.next_up())
        });
        if let Some(halt) = foreseen {
            (in_corner.velocity, in_corner.spin) = (halt.velocity, halt.spin);
        }
        if let Some(left) = self.fast_across(&in_corner) {
            return Ok(Err(left));
        }
        let mut leaves = None;
        let stretch = match in_corner.held() {
            Poise::Steady(stretch) => stretch,
            Poise::Turning => {
                let (stretch, left) = self.way_turning(&in_corner, since)?;
                leaves = left;
                stretch
            }
            Poise::Leaves(left) => return Ok(Err(left)),
        };
        let Stretch {
            mut regime,
            mut segment,
            turn,
        } = stretch;
        let mut next = leaves.unwrap_or(Next::Turn(turn));
        if settles > since && settles - since < segment.end {
            segment.end = settles - since;
            next = Next::Settles;
        }
        if foreseen.is_some() {
            // What is rubbed meanwhile is in the spin already.
            segment.spin = Curve::constant(in_corner.spin);
            (segment.end, next, regime) = (settles - since, Next::Settles, Regime::Resting);
        }
        let support = Support {
            on: Some(walls[0]),
            also: Some(walls[1]),
            third: Some(walls[2]),
            regime,
            next,
            settles,
            intent: Intent::Stay,
            asleep: false,
        };
        Ok(Ok((segment, support, 0.0)))
    }

    /// The way of a ball that spins in a corner: by the integrator, as far as one of its slips lasts.
    fn way_turning(
        &self,
        in_corner: &InCorner<S>,
        since: f64,
    ) -> Result<(Stretch<S>, Option<Next>), FlightError> {
        let mut start: Departure<S> = Departure {
            time: self.epoch + since,
            position: in_corner.place,
            velocity: in_corner.wall_velocity,
            spin: in_corner.spin,
        };
        let stretch = |segment: TrajectorySegment<S>, turn: Turn| Stretch {
            regime: Regime::Spinning,
            segment,
            turn,
        };
        let scale = in_corner.spin.length() * in_corner.radius;
        let (mut latest, mut soonest) = (f64::INFINITY, f64::INFINITY);
        let mut pivots = [Pivot::Against(0.0); 3];
        if let Some(turning) = in_corner.turning() {
            (start.spin, pivots) = (turning.tidied, turning.pivots);
            for (flank, slip) in in_corner.flanks.iter().zip(turning.slips) {
                let measure = slip.length();
                let change =
                    S::surface_velocity(turning.spin_rate, flank.normal) * -in_corner.radius;
                let slowing = -change.dot(slip) / measure;
                // One that does not rub, or is just beginning, has nothing to come to.
                let begins = measure <= 0.1 * SPENT * scale;
                if begins || !(slowing > 0.0 && flank.rubbing.kinetic_friction > 0.0) {
                    continue;
                }
                if measure <= SPENT * scale || is_untold(since, measure, slowing) {
                    return Ok((stretch(at_once(&start), Turn::Grips), None));
                }
                soonest = soonest.min(measure / slowing);
                latest = latest.min(NEARLY * measure / slowing);
            }
            // Without friction it is the resistances alone that stop it.
            let falling = -turning.spin_rate.dot(start.spin) / start.spin.length();
            if is_untold(since, start.spin.length(), falling) {
                return Ok((stretch(at_once(&start), Turn::SpunDown), None));
            }
            if falling > 0.0 {
                latest = latest.min(NEARLY * start.spin.length() / falling);
            }
        }
        let tolerance = Integrator::Adaptive(Tolerance::of(CURVED));
        let spinning = Cornerly {
            in_corner: *in_corner,
            pivots,
        };
        let mut segment = match next_segment(&spinning, &start, &tolerance, 0.0, latest) {
            Ok((segment, _)) => segment,
            Err(error) => {
                let segment = at_its_end(&start, soonest, error)?;
                return Ok((stretch(segment, Turn::Grips), None));
            }
        };
        let at = |t: f64| spinning.turning(segment.spin_at(t));
        let pushes = |t: f64| at(t).map_or([-1.0; 3], |turning| turning.pushes);
        let (mut end, mut leaves) = (segment.end, None);
        for wall in 0..3 {
            let lasts = |t: f64| at(t).map_or(f64::INFINITY, |turning| turning.lasting[wall]);
            if let Some(time) = first_fall(end, lasts) {
                (end, leaves) = (time, None);
            }
            if let Some(time) = first_fall(end, |t| pushes(t)[wall]) {
                let left = [Next::LeavesFirst, Next::LeavesSecond, Next::LeavesThird][wall];
                (end, leaves) = (time, Some(left));
            }
        }
        segment.end = end;
        Ok((stretch(segment, Turn::GoesOn), leaves))
    }

    /// The way on a curved wall, on a slope in 3-D, or where more than gravity acts: by the integrator.
    fn segment_along(
        &self,
        slot: usize,
        index: u32,
        standing: &Standing<S>,
    ) -> Result<(Stretch<S>, f64), FlightError> {
        let regime = standing.regime();
        let fixture = &self.fixtures[index as usize];
        let time = self.epoch + self.balls.hot[slot].since;
        let state = fixture.state_at(time);
        let tidied = standing.tidied(regime);
        // Back onto the wall, by as much as the last piece was off it.
        let closest = fixture
            .body
            .shape
            .closest(state.pose.to_local(tidied.place));
        let start = Departure {
            time,
            position: tidied.place + tidied.normal * (tidied.radius - closest.distance),
            velocity: tidied.velocity,
            spin: tidied.spin,
        };
        let still = |turn: Turn, end: f64| Stretch {
            regime,
            segment: TrajectorySegment {
                end,
                ..TrajectorySegment::of_flight(
                    &Flight::straight(start.position, start.velocity),
                    start.spin,
                )
            },
            turn,
        };
        let mut gliding = Gliding {
            stage: self,
            slot,
            index,
            regime,
            heading: tidied.heading(regime),
            sides: Sides::of(self.fields.borders(), start.position),
        };
        if regime == Regime::Resting {
            // What keeps it there may change with the fields.
            let end = self.fields.next_jump(time) - time;
            return Ok((still(Turn::GoesOn, end), 0.0));
        }
        // In 3-D a slip or a way that comes to its end has no heading there: go near it in ever shorter steps.
        let (measure, fastest, turn) = tidied.spending(regime);
        let mut latest = f64::INFINITY;
        let mut soonest = (f64::INFINITY, turn);
        if S::DIMENSION == 3 && regime != Regime::Spinning {
            // Neither has the spin about the normal, against which the resistance jumps there.
            let pivoting = tidied.pivoting().length();
            let falling = tidied.pivot_slowing();
            if pivoting > 0.0 && falling > 0.0 {
                let since = self.balls.hot[slot].since;
                if pivoting <= INSTANT * falling || is_untold(since, pivoting, falling) {
                    return Ok((still(Turn::SpunDown, f64::MIN_POSITIVE), 0.0));
                }
                latest = NEARLY * pivoting / falling;
                soonest = (pivoting / falling, Turn::SpunDown);
            }
        }
        if S::DIMENSION == 3 && fastest > 0.0 && measure > 0.0 {
            let scale = tidied.velocity.length() + tidied.wall_velocity.length();
            if measure <= SPENT * scale {
                return Ok((still(turn, f64::MIN_POSITIVE), 0.0));
            }
            // As fast as it is being used up now; where it grows, there is nothing to go near.
            let (push, twist) =
                gliding.rates(start.time, start.position, start.velocity, start.spin);
            let way = tidied.tangential(push - tidied.wall_acceleration);
            let change = match regime {
                Regime::Sliding => way - S::surface_velocity(twist, tidied.normal) * tidied.radius,
                _ => way,
            };
            let slowing = match regime {
                Regime::Spinning => fastest,
                _ => -change.dot(gliding.heading),
            };
            if is_untold(self.balls.hot[slot].since, measure, slowing) {
                return Ok((still(turn, f64::MIN_POSITIVE), 0.0));
            }
            if slowing > 0.0 {
                latest = latest.min(NEARLY * measure / slowing);
                if measure / slowing < soonest.0 {
                    soonest = (measure / slowing, turn);
                }
            }
        }
        let tolerance = Tolerance::of(CURVED);
        if !self.fields.borders().is_empty() {
            gliding.sides = sides_at(&gliding, &start, &tolerance)?;
        }
        let tolerance = Integrator::Adaptive(tolerance);
        let (mut segment, hint) = match next_segment(&gliding, &start, &tolerance, 0.0, latest) {
            Ok(next) => next,
            Err(error) => {
                at_its_end(&start, soonest.0, error)?;
                return Ok((still(soonest.1, f64::MIN_POSITIVE), 0.0));
            }
        };
        let mut turn_at_end = Turn::GoesOn;
        let at = |t: f64| gliding.standing(&start.after(&segment, t));
        let pressing = |t: f64| at(t).map_or(-1.0, |standing| standing.pressing());
        let mut end = segment.end;
        let mut found = |time: Option<f64>, turn: Turn| {
            if let Some(time) = time.filter(|&time| time < end) {
                end = time;
                turn_at_end = turn;
            }
        };
        found(first_fall(segment.end, pressing), Turn::Lifts);
        if S::DIMENSION == 2 && fastest > 0.0 {
            let heading = gliding.heading;
            let left = |t: f64| at(t).map_or(-1.0, |standing| standing.left(regime, heading));
            found(first_fall(segment.end, left), turn);
        }
        if regime == Regime::Rolling {
            let grip = |t: f64| at(t).map_or(-1.0, |standing| standing.grip());
            found(first_fall(segment.end, grip), Turn::GoesOn);
        }
        segment.end = end;
        let stretch = Stretch {
            regime,
            segment,
            turn: turn_at_end,
        };
        Ok((stretch, hint))
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
