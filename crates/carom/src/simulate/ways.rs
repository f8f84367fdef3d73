//! The next piece of a ball's way: through the air, or on the wall that it keeps touching.

mod carried;

use super::guides::{Intent, Next, Stance};
use super::stage::{Other, Stage};
use super::support::corner::{Cornered, Poise, Turning, beside, factors};
use super::support::crease::{Flank, Held, Nestled, Pivot};
use super::support::glide::{
    self, CURVED, INSTANT, NEARLY, SPENT, at_its_end, at_once, first_fall, is_untold,
};
use super::support::{Rubbing, Standing, Stretch, Turn};
use crate::arrays::Each;
use crate::body::Kind;
use crate::impact::{Strikable, crossing_of_gate};
use crate::motion::{
    Border, Curve, Departure, Drive, Flight, FlightError, Integrator, Piece, Rates, Sides,
    Tolerance, next_piece, sides_at,
};
use crate::record::Gait;
use crate::shape::{Bending, Footing, Obstacle, Shape, Shaped};
use crate::space::{Linear, Space};

/// A bounce that goes no higher than this share of the radius is the last one.
const LAST_BOUNCE: f64 = 1e-12;

/// How many such bounces a ball may still be in the middle of when it comes to lie between two walls.
const SLOWLY: f64 = 4.0;

/// Balls that push each other come back after this share of √(r/g).
const AT_ONCE: f64 = 1.0 / 512.0;

/// A way, how it goes, and how long the next may be, s.
pub(super) type Way<S> = (Piece<S>, Stance, f64);

/// A ball on a wall, as the integrator asks for it.
struct Gliding<'a, S: Shaped> {
    stage: &'a Stage<S>,
    slot: usize,
    index: u32,
    gait: Gait,
    /// Which way it slips or rolls at the start.
    heading: S::Vector,
    /// On which sides of the borders of fields this piece of its way is.
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
        spin: S::Spin,
    ) -> (S::Vector, S::Spin) {
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
        spin: S::Spin,
    ) -> (S::Vector, S::Spin) {
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
                // In the plane it keeps its heading through zero, so that the instant can be found from both sides.
                let heading = (S::DIMENSION == 2)
                    .then(|| standing.tangential(self.heading).unit())
                    .flatten();
                standing.rates(self.gait, turning, heading)
            }
            None => (S::vector([f64::NAN; 3]), S::Spin::ZERO),
        }
    }

    fn next_jump(&self, time: f64) -> f64 {
        self.stage.fields.next_jump(time)
    }
}

/// A ball that spins in a corner, as the integrator asks for it.
struct Cornerly<S: Space> {
    cornered: Cornered<S>,
    /// What the resistances against spins about the normals do, all along.
    pivots: [Pivot; 3],
}

impl<S: Space> Cornerly<S> {
    fn turning(&self, spin: S::Spin) -> Option<Turning<S>> {
        let cornered = Cornered {
            spin,
            ..self.cornered
        };
        cornered.turning_with(Some(&self.pivots))
    }
}

impl<S: Space> Rates<S> for Cornerly<S> {
    fn rates(&self, _: f64, _: S::Vector, _: S::Vector, spin: S::Spin) -> (S::Vector, S::Spin) {
        // Past where their pushes can be told the piece is cut off.
        let rate = self.turning(spin).map(|turning| turning.spin_rate);
        (S::Vector::ZERO, rate.unwrap_or(S::Spin::ZERO))
    }

    fn next_jump(&self, _: f64) -> f64 {
        f64::INFINITY
    }
}

impl<S: Strikable> Stage<S> {
    /// Whether a ball can stay on a piece of scenery: it stands, moves straight on, or is round and turns on the spot.
    pub(super) fn carries(&self, index: u32) -> bool {
        let body = &self.scenery[index as usize].body;
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
        let scenery = &self.scenery[index as usize];
        let balls = &self.balls;
        let state = scenery.state_at(at.time);
        let closest = scenery.body.shape.closest(state.pose.to_local(at.position));
        let normal = S::rotate(state.pose.rotation, closest.normal);
        let arm = S::rotate(state.pose.rotation, closest.point);
        let inertial = balls.inertials.of(slot);
        let radius = balls.hot[slot].radius;
        let surface = self.surface(slot, Other::Scenery(index));
        let (gravity, twist) = if self.fields.is_uniform() {
            (balls.gravity, S::Spin::ZERO)
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
        if bending == Bending::Flat && state.spin == S::Spin::ZERO {
            return Some(standing);
        }
        let carried = at.velocity - state.velocity;
        let turning = self.turning(index, at, &standing);
        standing.centrifugal = -carried.dot(turning);
        if state.spin != S::Spin::ZERO {
            standing.wall_acceleration =
                S::surface_velocity(state.spin, carried - turning * radius);
        }
        Some(standing)
    }

    pub(super) fn bending(&self, index: u32, at: &Departure<S>) -> Bending<S> {
        let scenery = &self.scenery[index as usize];
        let pose = scenery.state_at(at.time).pose;
        scenery.body.shape.bending(pose.to_local(at.position))
    }

    /// How fast the normal turns as the ball moves on, 1/s.
    fn turning(&self, index: u32, at: &Departure<S>, standing: &Standing<S>) -> S::Vector {
        let scenery = &self.scenery[index as usize];
        let state = scenery.state_at(at.time);
        let pose = &state.pose;
        // A round wall that turns on the spot is the same wall.
        let relative = S::unrotate(pose.rotation, at.velocity - state.velocity);
        let normal = S::unrotate(pose.rotation, standing.normal);
        let local = pose.to_local(at.position);
        let turning = scenery
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

    /// The restitution that keeps two balls apart for a moment that lie on walls and are pressed together; `None` where they are not, or part by themselves.
    ///
    /// A ball that pushes another along would collide with it ever faster, until rounding is all that is left between two collisions. So it is made to
    /// come back after a share of √(r/g), for pool balls 10⁻⁴ s: less than a real contact lasts. The speed that this takes is millionths of a metre a second, and what it puts in is in the books.
    pub fn pushing(&self, a: usize, b: usize, time: f64) -> Option<f64> {
        let balls = &self.balls;
        let guides = balls.guides.as_ref()?;
        if [a, b].iter().any(|&slot| guides.stances[slot].on.is_none()) {
            return None;
        }
        let apart = balls.position_at(a, time) - balls.position_at(b, time);
        let normal = (apart + balls.nearest_shift(apart)).unit()?;
        let acceleration = |slot: usize| {
            let piece = &guides.pieces[slot];
            piece.place.bend_at(time - balls.hot[slot].since)
        };
        let pressing = normal.dot(acceleration(b) - acceleration(a));
        let closing = normal.dot(balls.velocity_at(b, time) - balls.velocity_at(a, time));
        let radius = balls.hot[a].radius.min(balls.hot[b].radius);
        let at_once = AT_ONCE * (radius / balls.gravity.length()).sqrt();
        let least = 0.5 * pressing * at_once;
        (closing > 0.0 && least > closing).then(|| least / closing)
    }

    /// The way of a ball from its own time on, and how it goes.
    pub fn way_of(&self, slot: usize) -> Result<Way<S>, FlightError> {
        let balls = &self.balls;
        let guides = balls.guides.as_ref().expect("only where balls are guided");
        let before = guides.stances[slot];
        if let Some(tandem) = balls.tandem(slot) {
            return self.way_in_tandem(slot, tandem);
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
            match self.way_in_corner(slot, walls, settles)? {
                Ok(way) => return Ok(way),
                Err(left) => {
                    let others = beside(left).each(|wall| walls[wall]);
                    nestles = Some((others, f64::NEG_INFINITY));
                }
            }
        }
        if let Some((walls, settles)) = nestles {
            let only = match self.way_between(slot, walls, settles)? {
                Ok(way) => return Ok(way),
                Err(only) => only,
            };
            for index in [walls[only], walls[1 - only]] {
                if let Some(way) = self.way_on(slot, index, settles)? {
                    return Ok(way);
                }
            }
            return self.way_through_air(slot, guides.hints[slot]);
        }
        let footing = match before.intent {
            Intent::Stay if before.asleep => return Ok(self.asleep(slot)),
            Intent::Sleep => return Ok(self.asleep(slot)),
            Intent::Stay => before.on.map(|index| (index, before.settles)),
            Intent::Leave | Intent::Nestle(..) | Intent::Corner(..) => None,
            Intent::Land(index, settles) => Some((index, settles)),
        };
        if let Some((index, settles)) = footing
            && let Some(way) = self.way_on(slot, index, settles)?
        {
            return Ok(way);
        }
        self.way_through_air(slot, guides.hints[slot])
    }

    /// It lies where it is; a smooth ball may spin on.
    pub(super) fn asleep(&self, slot: usize) -> Way<S> {
        let stance = Stance {
            asleep: true,
            gait: Gait::Resting,
            ..Stance::FLYING
        };
        let spin = if self.surfaces.materials.any_friction() {
            S::Spin::ZERO
        } else {
            self.balls.spin(slot)
        };
        let place = Flight::rest(self.balls.hot[slot].position);
        (Piece::of_flight(&place, spin), stance, 0.0)
    }

    fn way_through_air(&self, slot: usize, hint: f64) -> Result<Way<S>, FlightError> {
        let balls = &self.balls;
        let ball = &balls.hot[slot];
        if self.fields.is_uniform() && !self.is_by_euler() {
            let flight = Flight {
                position: ball.position,
                velocity: ball.velocity,
                acceleration: balls.gravity,
            };
            let piece = Piece::of_flight(&flight, balls.spin(slot));
            return Ok((piece, Stance::FLYING, 0.0));
        }
        let inertial = balls.inertials.of(slot);
        let rates = (self.fields).for_ball(inertial.mass, ball.radius, inertial.inertia);
        let start = self.start(slot);
        let (piece, hint) = next_piece(&rates, &start, &self.integrator, hint, f64::INFINITY)?;
        Ok((piece, Stance::FLYING, hint))
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
    fn way_on(&self, slot: usize, index: u32, settles: f64) -> Result<Option<Way<S>>, FlightError> {
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
            None => self.way_along(slot, index, &standing)?,
        };
        let Stretch {
            gait,
            mut piece,
            turn,
        } = stretch;
        let mut next = match turn {
            // Nothing presses it on any more.
            Turn::Lifts => Next::LetsGo,
            turn => Next::Turn(turn),
        };
        if let Some(end) = self.end_of_feature(slot, index, &piece) {
            piece.end = end;
            next = Next::LetsGo;
        }
        // Where a path has a corner, the wall goes on at another velocity.
        let body = &self.scenery[index as usize].body;
        if let Kind::Driven(drive) = &body.kind
            && let Some((_, knot)) = drive.flight_at(&body.pose, start.time)
            && knot - start.time < piece.end
        {
            piece.end = knot - start.time;
            next = Next::Turn(Turn::GoesOn);
        }
        if settles > since && settles - since < piece.end {
            piece.end = settles - since;
            next = Next::Settles;
        }
        let stance = Stance {
            on: Some(index),
            also: None,
            third: None,
            gait,
            next,
            settles,
            intent: Intent::Stay,
            asleep: false,
        };
        Ok(Some((piece, stance, hint)))
    }

    /// The speed across walls (m/s) below which a ball stays between them, whatever their angles.
    pub fn highest_hop(&self, slot: usize) -> f64 {
        let (gravity, radius) = (self.balls.gravity.length(), self.balls.hot[slot].radius);
        (2.0 * gravity * LAST_BOUNCE * radius).sqrt()
    }

    /// What a ball between two walls needs to know about them; `None` where it cannot stay there: where they turn, or do not move together, where more than
    /// gravity acts, and in space where they are not flat.
    pub fn nestled(&self, slot: usize, walls: [u32; 2], time: f64) -> Option<Nestled<S>> {
        self.nestled_at(slot, walls, &self.departure(slot, time))
    }

    fn nestled_at(&self, slot: usize, walls: [u32; 2], at: &Departure<S>) -> Option<Nestled<S>> {
        if !self.fields.is_uniform() || walls[0] == walls[1] {
            return None;
        }
        let mut standings = [None; 2];
        for (standing, &index) in standings.iter_mut().zip(&walls) {
            let body = &self.scenery[index as usize].body;
            let steady = matches!(body.kind, Kind::Fixed | Kind::Driven(Drive::Uniform { .. }));
            let flat = S::DIMENSION == 2 || self.bending(index, at) == Bending::Flat;
            if !(steady
                && flat
                && self.scenery[index as usize].state_at(at.time).spin == S::Spin::ZERO)
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
        let flank = |standing: &Standing<S>| Flank {
            normal: standing.normal,
            rubbing: standing.rubbing,
        };
        Some(Nestled {
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
    pub fn is_held_by_both(&self, nestled: &Nestled<S>) -> bool {
        self.is_slow_across(nestled) && !matches!(nestled.held(), Held::By(_))
    }

    fn is_slow_across(&self, nestled: &Nestled<S>) -> bool {
        let hop = (2.0 * nestled.gravity.length() * LAST_BOUNCE * nestled.radius).sqrt();
        nestled.flanks.iter().all(|flank| {
            let across = flank.normal.dot(nestled.velocity - nestled.wall_velocity);
            across.abs() <= SLOWLY * hop
        })
    }

    /// Whether a ball whose bounces between two walls will be over soon is so near them, and so slow once the second has stopped it, that nothing is seen of those that are left.
    pub fn is_between(&self, slot: usize, walls: [u32; 2], time: f64) -> bool {
        let Some(mut nestled) = self.nestled(slot, walls, time) else {
            return false;
        };
        let normal = nestled.flanks[1].normal;
        let across = normal.dot(nestled.velocity - nestled.wall_velocity);
        nestled.velocity -= normal * across;
        let near = walls.iter().all(|&wall| {
            let (_, gap) = self.contact(slot, Other::Scenery(wall), time);
            gap <= SLOWLY * SLOWLY * LAST_BOUNCE * nestled.radius
        });
        near && self.is_slow_across(&nestled)
    }

    /// The way between two walls; where it is held by one alone, which of them.
    fn way_between(
        &self,
        slot: usize,
        walls: [u32; 2],
        settles: f64,
    ) -> Result<Result<Way<S>, usize>, FlightError> {
        let since = self.balls.hot[slot].since;
        let Some(mut nestled) = self.nestled_at(slot, walls, &self.start(slot)) else {
            return Ok(Err(0));
        };
        let guides = self.balls.guides.as_ref();
        if let Some(halt) = guides.and_then(|guides| guides.halts.get(&self.balls.ids[slot]))
            && !halt.also.is_empty()
            && settles == halt.time.max(since)
        {
            (nestled.velocity, nestled.spin) = (halt.velocity, halt.spin);
        }
        let mut lets_go = None;
        let stretch = match nestled.held() {
            Held::ByBoth(stretch) if self.is_slow_across(&nestled) => stretch,
            Held::Askew if self.is_slow_across(&nestled) => {
                let time = self.epoch + since;
                let (stretch, leaves) = glide::askew(&nestled, time, since, f64::INFINITY)?;
                lets_go = leaves.map(|wall| [Next::LeavesFirst, Next::LeavesSecond][wall]);
                stretch
            }
            Held::ByBoth(_) | Held::Askew => {
                // It leaves one of them, or is thrown against it: it stays on the one across which it is slower.
                let across = nestled.flanks.each(|flank| {
                    flank
                        .normal
                        .dot(nestled.velocity - nestled.wall_velocity)
                        .abs()
                });
                return Ok(Err(usize::from(across[1] < across[0])));
            }
            Held::By(only) => return Ok(Err(only)),
        };
        let Stretch {
            gait,
            mut piece,
            turn,
        } = stretch;
        let mut next = lets_go.unwrap_or(Next::Turn(turn));
        if nestled.along(piece.velocity_at(0.0)) != S::Vector::ZERO || piece.place.degree() > 1 {
            for (index, leaves) in walls
                .into_iter()
                .zip([Next::LeavesFirst, Next::LeavesSecond])
            {
                if let Some(end) = self.end_of_feature(slot, index, &piece) {
                    piece.end = end;
                    next = leaves;
                }
            }
        }
        if settles > since && settles - since < piece.end {
            piece.end = settles - since;
            next = Next::Settles;
        }
        let stance = Stance {
            on: Some(walls[0]),
            also: Some(walls[1]),
            third: None,
            gait,
            next,
            settles,
            intent: Intent::Stay,
            asleep: false,
        };
        Ok(Ok((piece, stance, 0.0)))
    }

    /// What a ball between three walls needs to know about them; `None` where it cannot stay there, as between two.
    pub fn cornered(&self, slot: usize, walls: [u32; 3], time: f64) -> Option<Cornered<S>> {
        self.cornered_at(slot, walls, &self.departure(slot, time))
    }

    fn cornered_at(&self, slot: usize, walls: [u32; 3], at: &Departure<S>) -> Option<Cornered<S>> {
        let [first, second, third] = walls;
        if S::DIMENSION == 2 {
            return None;
        }
        let nestled = self.nestled_at(slot, [first, second], at)?;
        let beside = self.nestled_at(slot, [second, third], at)?;
        if nestled.wall_velocity != beside.wall_velocity || first == third {
            return None;
        }
        Some(Cornered {
            radius: nestled.radius,
            roundness: nestled.roundness,
            flanks: [nestled.flanks[0], nestled.flanks[1], beside.flanks[1]],
            wall_velocity: nestled.wall_velocity,
            gravity: nestled.gravity,
            place: at.position,
            velocity: at.velocity,
            spin: at.spin,
        })
    }

    /// The wall of three across which a ball is too fast to stay; `None` where it stays.
    pub fn fast_across(&self, cornered: &Cornered<S>) -> Option<usize> {
        let hop = (2.0 * cornered.gravity.length() * LAST_BOUNCE * cornered.radius).sqrt();
        let across = cornered.flanks.each(|flank| {
            let relative = cornered.velocity - cornered.wall_velocity;
            flank.normal.dot(relative).abs()
        });
        let fastest = (0..3).max_by(|&a, &b| across[a].total_cmp(&across[b]))?;
        (across[fastest] > SLOWLY * hop).then_some(fastest)
    }

    /// Whether a ball is so near a wall that nothing is seen of the bounces that are left.
    pub fn is_by(&self, slot: usize, wall: u32, time: f64) -> bool {
        let (_, gap) = self.contact(slot, Other::Scenery(wall), time);
        let near = 4.0 * SLOWLY * SLOWLY * LAST_BOUNCE * self.balls.hot[slot].radius;
        // One that it keeps touching is as near as its last bounces left it.
        gap <= near || self.balls.is_on(slot, wall)
    }

    /// How far a ball that three walls hold is from where all of them touch it, m.
    pub fn off_corner(&self, slot: usize, walls: [u32; 3], time: f64) -> Option<S::Vector> {
        let touches = walls.each(|wall| self.contact(slot, Other::Scenery(wall), time));
        let [a, b, c] = touches.each(|(contact, _)| S::components(contact.normal));
        // n·x = gap for each of the normals: with them as columns of a matrix, its transpose times x.
        let rows: [S::Vector; 3] =
            std::array::from_fn(|axis| S::vector([a[axis], b[axis], c[axis]]));
        let gaps = S::vector(touches.each(|(_, gap)| gap));
        Some(S::vector(factors::<S>(rows, gaps)?))
    }

    /// The way between three walls; where it leaves one of them, which.
    fn way_in_corner(
        &self,
        slot: usize,
        walls: [u32; 3],
        settles: f64,
    ) -> Result<Result<Way<S>, usize>, FlightError> {
        let since = self.balls.hot[slot].since;
        let Some(mut cornered) = self.cornered_at(slot, walls, &self.start(slot)) else {
            return Ok(Err(2));
        };
        let guides = self.balls.guides.as_ref();
        let halt = guides.and_then(|guides| guides.corners.get(&self.balls.ids[slot]));
        let foreseen = halt.filter(|halt| {
            let about = walls.iter().all(|&wall| halt.is_about(wall));
            about && settles == halt.time.max(since.next_up())
        });
        if let Some(halt) = foreseen {
            (cornered.velocity, cornered.spin) = (halt.velocity, halt.spin);
        }
        if let Some(left) = self.fast_across(&cornered) {
            return Ok(Err(left));
        }
        let mut leaves = None;
        let stretch = match cornered.held() {
            Poise::Steady(stretch) => stretch,
            Poise::Turning => {
                let (stretch, left) = self.way_turning(&cornered, since)?;
                leaves = left;
                stretch
            }
            Poise::Leaves(left) => return Ok(Err(left)),
        };
        let Stretch {
            mut gait,
            mut piece,
            turn,
        } = stretch;
        let mut next = leaves.unwrap_or(Next::Turn(turn));
        if settles > since && settles - since < piece.end {
            piece.end = settles - since;
            next = Next::Settles;
        }
        if foreseen.is_some() {
            // What is rubbed meanwhile is in the spin already.
            piece.spin = Curve::constant(cornered.spin);
            (piece.end, next, gait) = (settles - since, Next::Settles, Gait::Resting);
        }
        let stance = Stance {
            on: Some(walls[0]),
            also: Some(walls[1]),
            third: Some(walls[2]),
            gait,
            next,
            settles,
            intent: Intent::Stay,
            asleep: false,
        };
        Ok(Ok((piece, stance, 0.0)))
    }

    /// The way of a ball that spins in a corner: by the integrator, as far as one of its slips lasts.
    fn way_turning(
        &self,
        cornered: &Cornered<S>,
        since: f64,
    ) -> Result<(Stretch<S>, Option<Next>), FlightError> {
        let mut start: Departure<S> = Departure {
            time: self.epoch + since,
            position: cornered.place,
            velocity: cornered.wall_velocity,
            spin: cornered.spin,
        };
        let stretch = |piece: Piece<S>, turn: Turn| Stretch {
            gait: Gait::Spinning,
            piece,
            turn,
        };
        let scale = cornered.spin.length() * cornered.radius;
        let (mut latest, mut soonest) = (f64::INFINITY, f64::INFINITY);
        let mut pivots = [Pivot::Against(0.0); 3];
        if let Some(turning) = cornered.turning() {
            (start.spin, pivots) = (turning.tidied, turning.pivots);
            for (flank, slip) in cornered.flanks.iter().zip(turning.slips) {
                let measure = slip.length();
                let change =
                    S::surface_velocity(turning.spin_rate, flank.normal) * -cornered.radius;
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
            cornered: *cornered,
            pivots,
        };
        let mut piece = match next_piece(&spinning, &start, &tolerance, 0.0, latest) {
            Ok((piece, _)) => piece,
            Err(error) => {
                let piece = at_its_end(&start, soonest, error)?;
                return Ok((stretch(piece, Turn::Grips), None));
            }
        };
        let at = |t: f64| spinning.turning(piece.spin_at(t));
        let pushes = |t: f64| at(t).map_or([-1.0; 3], |turning| turning.pushes);
        let (mut end, mut leaves) = (piece.end, None);
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
        piece.end = end;
        Ok((stretch(piece, Turn::GoesOn), leaves))
    }

    /// The way on a curved wall, on a slope in space, or where more than gravity acts: by the integrator.
    fn way_along(
        &self,
        slot: usize,
        index: u32,
        standing: &Standing<S>,
    ) -> Result<(Stretch<S>, f64), FlightError> {
        let gait = standing.gait();
        let scenery = &self.scenery[index as usize];
        let time = self.epoch + self.balls.hot[slot].since;
        let state = scenery.state_at(time);
        let tidied = standing.tidied(gait);
        // Back onto the wall, by as much as the last piece was off it.
        let closest = scenery
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
            gait,
            piece: Piece {
                end,
                ..Piece::of_flight(
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
            gait,
            heading: tidied.heading(gait),
            sides: Sides::of(self.fields.borders(), start.position),
        };
        if gait == Gait::Resting {
            // What keeps it there may change with the fields.
            let end = self.fields.next_jump(time) - time;
            return Ok((still(Turn::GoesOn, end), 0.0));
        }
        // In space a slip or a way that comes to its end has no heading there: go near it in ever shorter steps.
        let (measure, fastest, turn) = tidied.spending(gait);
        let mut latest = f64::INFINITY;
        let mut soonest = (f64::INFINITY, turn);
        if S::DIMENSION == 3 && gait != Gait::Spinning {
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
            let change = match gait {
                Gait::Sliding => way - S::surface_velocity(twist, tidied.normal) * tidied.radius,
                _ => way,
            };
            let slowing = match gait {
                Gait::Spinning => fastest,
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
        let (mut piece, hint) = match next_piece(&gliding, &start, &tolerance, 0.0, latest) {
            Ok(next) => next,
            Err(error) => {
                at_its_end(&start, soonest.0, error)?;
                return Ok((still(soonest.1, f64::MIN_POSITIVE), 0.0));
            }
        };
        let mut turn_at_end = Turn::GoesOn;
        let at = |t: f64| gliding.standing(&start.after(&piece, t));
        let pressing = |t: f64| at(t).map_or(-1.0, |standing| standing.pressing());
        let mut end = piece.end;
        let mut found = |time: Option<f64>, turn: Turn| {
            if let Some(time) = time.filter(|&time| time < end) {
                end = time;
                turn_at_end = turn;
            }
        };
        found(first_fall(piece.end, pressing), Turn::Lifts);
        if S::DIMENSION == 2 && fastest > 0.0 {
            let heading = gliding.heading;
            let left = |t: f64| at(t).map_or(-1.0, |standing| standing.left(gait, heading));
            found(first_fall(piece.end, left), turn);
        }
        if gait == Gait::Rolling {
            let grip = |t: f64| at(t).map_or(-1.0, |standing| standing.grip());
            found(first_fall(piece.end, grip), Turn::GoesOn);
        }
        piece.end = end;
        let stretch = Stretch {
            gait,
            piece,
            turn: turn_at_end,
        };
        Ok((stretch, hint))
    }

    /// When, on a piece, a ball comes to the end of the feature that it is on, before the piece ends.
    fn end_of_feature(&self, slot: usize, index: u32, piece: &Piece<S>) -> Option<f64> {
        let scenery = &self.scenery[index as usize];
        let since = self.balls.hot[slot].since;
        let state = scenery.state_at(self.epoch + since);
        // In the frame of the wall, which moves straight on.
        let path = piece.seen_from(&state.pose, state.velocity);
        first_change(&scenery.body.shape, &path, piece.end)
    }
}

/// When a ball, on a way in the frame of a shape, comes to the end of the feature that it is on, before the way ends.
pub(super) fn first_change<S: Shaped>(shape: &Shape<S>, path: &Piece<S>, end: f64) -> Option<f64> {
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
