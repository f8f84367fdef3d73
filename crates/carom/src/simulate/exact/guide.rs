//! Balls that come to keep touching a wall, and what they do there.

use super::{Exact, Plans, RunError};
use crate::arrays::Each;
use crate::body::Kind;
use crate::impact::Strikable;
use crate::material::Surface;
use crate::motion::Rates;
use crate::order::InOrder;
use crate::record::Regime;
use crate::record::{Transition, Velocities};
use crate::simulate::bodies::{Bodies, BodyRef};
use crate::simulate::layout::FEW;
use crate::simulate::support::corner::{Poise, beside};
use crate::simulate::support::groove::InGroove;
use crate::simulate::support::settling::last;
use crate::simulate::support::{Standing, Turn};
use crate::simulate::trajectories::{Intent, Next, Support, Trajectories};
use crate::space::Linear;

/// A ball is as far off its wall as rounding explains, in units of the radius.
const ROUNDING: f64 = 1e-14;

impl<S: Strikable> Exact<S> {
    /// Whether the balls are on trajectory segments.
    pub(in crate::simulate) fn uses_segments(&self) -> bool {
        self.stage.balls.trajectories.is_some()
    }

    /// How many trajectory segments have been made since the run was started or restored; none where all balls fly
    /// straight or fall freely.
    pub fn segments(&self) -> u64 {
        let trajectories = self.stage.balls.trajectories.as_ref();
        trajectories.map_or(0, |trajectories| trajectories.made)
    }

    /// Puts the balls on trajectory segments, which go on as they have flown so far.
    #[cold]
    pub(in crate::simulate) fn use_segments(&mut self) {
        if self.uses_segments() {
            return;
        }
        let balls = &mut self.stage.balls;
        balls.trajectories = Some(Box::new(Trajectories::new(balls)));
        // All of them fly on as they did. What was planned stays true, unless it was for straight lines, or in too many
        // cells.
        let stays = std::mem::replace(&mut balls.falling, true) && balls.len() >= FEW;
        if !(stays && matches!(self.plans, Plans::Fast(_))) {
            // In the midst of an event, slots must not change.
            self.plans = Plans::in_order(&self.stage, self.clock, self.reference);
        }
    }

    /// Puts the balls on trajectory segments from the start where fields other than gravity act.
    pub(super) fn start_on_ways(&mut self) {
        let stage = &self.stage;
        let loaded = !stage.loads.is_empty();
        if loaded || !stage.fields.is_uniform() || stage.is_by_euler() {
            self.use_segments();
            self.guide_all();
            self.plan_anew();
        } else if self.stage.settles_at_start() {
            self.use_segments();
        }
    }

    /// Gives all balls their next segments, from their own times on.
    pub(in crate::simulate) fn guide_all(&mut self) {
        let mut all: Vec<u32> = self.stage.balls.slots().map(|slot| slot as u32).collect();
        // Not in the order in which they happen to be stored: it is the order in which their transitions are told.
        all.order_by_key(|&slot| self.stage.balls.ids[slot as usize]);
        self.guide(&all);
    }

    /// Gives balls their next segments, from their own times on.
    #[cold]
    pub(in crate::simulate) fn guide(&mut self, slots: &[u32]) {
        for &slot in slots {
            let slot = slot as usize;
            if self.stage.balls.flies_on(slot) && self.stage.flies_freely(slot)
                || self.stage.balls.is_member(slot)
            {
                continue;
            }
            let (mut segment, mut support, hint) = match self.stage.next_segment_of(slot) {
                Ok(way) => way,
                Err(_) if self.stage.balls.is_supported(slot) => {
                    // It goes on in an island, from the same instant.
                    self.stranded.push(slot as u32);
                    let flight = self.stage.balls.flight_of(slot);
                    (flight, Support::FLYING, 0.0)
                }
                Err(reason) => {
                    let body = self.label(self.stage.balls.ids[slot]);
                    self.failure.get_or_insert(RunError::Flight {
                        body,
                        reason: Box::new(reason),
                    });
                    continue;
                }
            };
            if let Some(left) = self.left_until_cornered(slot)
                && left < segment.end
            {
                (segment.end, support.next) = (left, Next::Settles);
            }
            let before = self.translational(slot);
            let (place, ball) = (segment.position_at(0.0), &self.stage.balls.hot[slot]);
            if (place - ball.position).length() > ROUNDING * ball.radius {
                // Steps of an island have left it a little off the wall.
                self.put_projected(slot, place);
            }
            let balls = &mut self.stage.balls;
            let (velocity, angular_velocity) =
                (balls.hot[slot].velocity, balls.angular_velocity(slot));
            let as_guided = Velocities {
                velocity: segment.velocity_at(0.0),
                angular_velocity: segment.angular_velocity_at(0.0),
            };
            balls.set_velocities(slot, &as_guided);
            balls.follow(slot, segment);
            let trajectories =
                (balls.trajectories.as_mut()).expect("only where balls are on segments");
            trajectories.hints[slot] = hint;
            trajectories.made += 1;
            let before_that = trajectories.supports.replace(slot, support);
            if support.on.is_some() || support.asleep {
                // What was left across the wall, and what rounding left of a slip.
                self.ledger.settling.add(before - self.translational(slot));
                self.enter_settled(slot, velocity, angular_velocity);
            }
            self.note_transition(slot, before_that, support);
        }
    }

    /// Enters what those that a ball settled on gave it, that had these velocities before.
    pub(super) fn enter_settled(
        &mut self,
        slot: usize,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) {
        let balls = &self.stage.balls;
        let (inertial, ball) = (balls.inertials.of(slot), &balls.hot[slot]);
        let impulse = (ball.velocity - velocity) * inertial.mass;
        let angular = if inertial.inertia.is_finite() {
            (balls.angular_velocity(slot) - angular_velocity) * inertial.inertia
        } else {
            S::Angular::ZERO
        };
        let place = ball.position;
        self.ledger.push(place, impulse, angular, S::Vector::ZERO);
    }

    pub(super) fn translational(&self, slot: usize) -> f64 {
        let balls = &self.stage.balls;
        let inertial = balls.inertials.of(slot);
        let turning = if inertial.inertia.is_finite() {
            inertial.inertia * balls.angular_velocity(slot).length_squared()
        } else {
            0.0
        };
        0.5 * (inertial.mass * balls.hot[slot].velocity.length_squared() + turning)
    }

    pub(super) fn note_transition(&mut self, slot: usize, last: Support, support: Support) {
        let settled = |support: &Support| support.settles <= self.clock;
        let label = |support: &Support| match support.on {
            Some(index) if settled(support) => {
                Some((Some(index), [support.also, support.third], support.regime))
            }
            _ if support.asleep => Some((None, [None; 2], Regime::Resting)),
            _ => None,
        };
        let settles_now = settled(&support) && last.next == Next::Settles;
        if label(&last) == label(&support) && !settles_now {
            return;
        }
        let now = label(&support);
        let id = self.stage.balls.ids[slot];
        let transition = Transition {
            time: self.stage.epoch + self.clock,
            ball: id,
            on: now.and_then(|(index, ..)| Some(self.stage.fixtures[index? as usize].id)),
            regime: now.map(|(.., regime)| regime),
        };
        self.digest.number(transition.time);
        let code = transition.regime.map_or(0, |regime| regime as u64 + 1);
        self.digest.word(u64::from(id.0) << 8 | code);
        self.transitions.push_back(transition);
    }

    /// Lets a ball go on at the end of its segment.
    pub(super) fn turn(&mut self, ball: u32) {
        if self.turn_sticking(ball) {
            return;
        }
        let slot = ball as usize;
        self.enter_flight(slot);
        let time = self.clock;
        let at_once = self.stage.balls.hot[slot].since == time;
        self.arrive(slot, time);
        let trajectories = self.stage.balls.trajectories.as_ref();
        let support = trajectories.expect("only where balls are guided").supports[slot];
        match support.next {
            Next::Turn(turn) if support.third.is_some() => {
                if let Some(walls) = support.all_three()
                    && let Some(in_corner) = self.stage.in_corner(slot, walls, time)
                {
                    let (velocity, angular_velocity) = in_corner.after(turn);
                    let velocities = Velocities {
                        velocity,
                        angular_velocity,
                    };
                    self.stage.balls.set_velocities(slot, &velocities);
                }
            }
            Next::LeavesFirst | Next::LeavesSecond | Next::LeavesThird
                if support.third.is_some() =>
            {
                let left = match support.next {
                    Next::LeavesFirst => 0,
                    Next::LeavesSecond => 1,
                    _ => 2,
                };
                if let (Some(walls), Some(trajectories)) =
                    (support.all_three(), &mut self.stage.balls.trajectories)
                {
                    let others = beside(left).each(|wall| walls[wall]);
                    trajectories.supports[slot].intent = Intent::Nestle(others, f64::NEG_INFINITY);
                }
            }
            Next::Turn(turn) if support.also.is_some() => {
                if let (Some(first), Some(second)) = (support.on, support.also)
                    && let Some(in_groove) = self.stage.in_groove(slot, [first, second], time)
                {
                    let (velocity, angular_velocity) = in_groove.after(turn, at_once);
                    let velocities = Velocities {
                        velocity,
                        angular_velocity,
                    };
                    self.stage.balls.set_velocities(slot, &velocities);
                    if at_once {
                        self.predict_settling_otherwise(slot, &velocities);
                    }
                }
            }
            Next::LeavesFirst | Next::LeavesSecond | Next::LeavesThird => {
                let left = match support.next {
                    Next::LeavesFirst => support.also,
                    _ => support.on,
                };
                if let (Some(index), Some(trajectories)) =
                    (left, &mut self.stage.balls.trajectories)
                {
                    trajectories.supports[slot].intent = Intent::Land(index, f64::NEG_INFINITY);
                }
            }
            Next::Turn(turn) => {
                if let Some(index) = support.on
                    && turn != Turn::GoesOn
                    && let Some(standing) = self.stage.standing(slot, index, time)
                {
                    let after = standing.after(turn);
                    let velocities = Velocities {
                        velocity: after.velocity,
                        angular_velocity: after.angular_velocity,
                    };
                    self.stage.balls.set_velocities(slot, &velocities);
                }
            }
            Next::LetsGo => {
                self.stage.balls.lift(slot);
            }
            Next::Settles => self.halt(slot, &support),
            Next::Releases => {}
        }
        self.changed(&[ball]);
    }

    /// Starts the next flight of a ball where its piece ends.
    fn arrive(&mut self, slot: usize, time: f64) {
        let stage = &mut self.stage;
        let since = stage.balls.hot[slot].since;
        let flying = stage
            .balls
            .support(slot)
            .is_some_and(|support| support.on.is_none());
        if !(flying && stage.is_by_euler()) {
            stage.balls.restart(slot, time);
            return;
        }
        // Euler's velocity changes at the end of a step.
        let inertial = stage.balls.inertials.of(slot);
        let fields = stage.rates_of(slot);
        let start = stage.departure(slot, since);
        let segment = stage.balls.segment_or_flight(slot);
        let [given, twisted] = {
            let (v, w) = (start.velocity, start.angular_velocity);
            let (push, twist) = fields.rates(start.time, start.position, v, w);
            let step = time - since;
            // ½|v + a h|² − ½|v|², without the difference.
            let linear = step * (push.dot(v) + 0.5 * step * push.length_squared());
            [
                linear,
                step * (twist.dot(w) + 0.5 * step * twist.length_squared()),
            ]
        };
        let end = stage
            .integrator
            .arrival(&fields, &start, &segment, time - since);
        let velocities = Velocities {
            velocity: end.velocity,
            angular_velocity: end.angular_velocity,
        };
        // The push of the whole step, and the twist.
        let momentum = (end.velocity - start.velocity) * inertial.mass;
        let mut angular = S::torque(end.position, momentum);
        if inertial.inertia.is_finite() {
            angular += (end.angular_velocity - start.angular_velocity) * inertial.inertia;
        }
        let mut energy = given * inertial.mass;
        if inertial.inertia.is_finite() {
            energy += twisted * inertial.inertia;
        }
        stage.balls.kick(slot, time, &velocities);
        self.ledger.kicked(momentum, angular);
        // What acts on the way stands there already as taken out.
        self.ledger.integration.add(-energy);
    }

    /// Whether a ball that meets a fixture stays on it from now on: it does not close, or not fast enough to bounce.
    /// Then it is no longer thrown back, and the surface that says so is returned.
    #[cold]
    pub(super) fn settle(&mut self, ball: u32, index: u32) -> Option<Surface> {
        let slot = ball as usize;
        let standing = self.stage.standing(slot, index, self.clock)?;
        self.predict_settling(ball, index, &standing);
        match self.cornering(ball, index, &standing) {
            Cornering::Holds(walls, surface, settles) => {
                self.use_segments();
                match self.settles_in_corner(slot, walls) {
                    Some(_) => self.forget_lesser(slot),
                    None => self.forget(slot),
                }
                if let Some(trajectories) = &mut self.stage.balls.trajectories {
                    trajectories.supports[slot].intent = Intent::Corner(walls, settles);
                }
                return Some(last(&surface));
            }
            Cornering::Between(walls, surface, settles) => {
                self.use_segments();
                if let Some(trajectories) = &mut self.stage.balls.trajectories {
                    trajectories.supports[slot].intent = Intent::Nestle(walls, settles);
                }
                return Some(last(&surface));
            }
            Cornering::Passes => return None,
            Cornering::Elsewhere => {}
        }
        let nestling = self.nestling(ball, index, &standing);
        let Settling {
            pressing,
            rebound,
            surface,
        } = match &nestling {
            Some((_, settling)) => *settling,
            None => self.stage.settling(slot, index, &standing)?,
        };
        self.use_segments();
        // All the bounces to come: each takes ε times as long as the one before.
        let left = 1.0 - surface.restitution.min(0.999_999);
        let bouncing = 2.0 * rebound.max(0.0) / (pressing * left);
        let both = nestling.is_some();
        let settles = self.settles_as_predicted(slot, index, both, bouncing);
        let settles = settles.unwrap_or(self.clock + bouncing);
        if let Some(trajectories) = &mut self.stage.balls.trajectories {
            trajectories.supports[slot].intent = match nestling {
                Some((other, _)) => Intent::Nestle([other, index], settles),
                None => Intent::Land(index, settles),
            };
        }
        Some(last(&surface))
    }
}

/// What a corner of three walls does to a ball that meets one of them.
enum Cornering {
    /// They hold it from now on; what is between it and the one that it meets, and when its bounces are over, by the
    /// run's clock, s.
    Holds([u32; 3], Surface, f64),
    /// This one and one of the two that held it do; otherwise the same.
    Between([u32; 2], Surface, f64),
    /// The other two hold it, and take it away from this one: it bounces.
    Passes,
    /// It is not that far, or not in a corner.
    Elsewhere,
}

impl<S: Strikable> Exact<S> {
    /// Whether a ball that meets a wall, so slowly that it bounces no more, is by two others as well, and held by all
    /// three.
    ///
    /// When its bounces are over has been foreseen, if there were not too many of them. Otherwise what is left when the
    /// hops are lower than 10⁻¹² of the radius is taken for a geometric series.
    fn cornering(&mut self, ball: u32, index: u32, standing: &Standing<S>) -> Cornering {
        let (slot, clock) = (ball as usize, self.clock);
        if S::DIMENSION == 2 {
            return Cornering::Elsewhere;
        }
        let relative = standing.velocity - standing.wall_velocity;
        let speed = standing.normal.dot(relative);
        let surface = self.stage.surface(slot, BodyRef::Fixture(index));
        let rebound = (-speed * surface.restitution).max(0.0);
        let hop = self.stage.highest_hop(slot);
        if !(rebound <= hop) || (surface.restitution >= 1.0 && -speed > hop) {
            return Cornering::Elsewhere;
        }
        let mut walls = self.walls_around(ball, index);
        let stage = &self.stage;
        walls.retain(|&wall| stage.is_by(slot, wall, clock));
        if walls.len() < 2 {
            return Cornering::Elsewhere;
        }
        walls.order_by_key(|&wall| (stage.fixtures[wall as usize].id, wall));
        let support = stage.balls.support(slot).copied();
        let both = support.and_then(|support| support.both());
        let is_between = |first: u32, second: u32| {
            both.is_some_and(|both| both.contains(&first) && both.contains(&second))
        };
        let left = 1.0 - surface.restitution.min(0.999_999);
        let until = |pressing: f64| clock + 2.0 * rebound / (pressing * left);
        let (mut passes, mut between) = (false, None);
        for (number, &first) in walls.iter().enumerate() {
            for &second in &walls[number + 1..] {
                let all = [first, second, index];
                let Some(mut in_corner) = stage.in_corner(slot, all, clock) else {
                    continue;
                };
                in_corner.velocity -= standing.normal * speed;
                if stage.fast_across(&in_corner).is_some() {
                    continue;
                }
                match in_corner.held() {
                    Poise::Leaves(2) => passes |= is_between(first, second),
                    Poise::Leaves(wall) if is_between(first, second) => {
                        between = Some([all[1 - wall], index]);
                    }
                    Poise::Leaves(_) => {}
                    Poise::Steady(_) | Poise::Turning => {
                        // How fast it comes back to this wall along the other two.
                        let back = in_corner.without(2).acceleration();
                        let pressing = [
                            -standing.normal.dot(back),
                            -standing.normal.dot(standing.gravity),
                            standing.gravity.length(),
                        ];
                        let pressing = pressing.into_iter().find(|&pressing| pressing > 0.0);
                        // It is put into the corner when they are over, be it at once.
                        let settles = (self.settles_in_corner(slot, all))
                            .unwrap_or_else(|| pressing.map_or(clock, until))
                            .max(clock.next_up());
                        return Cornering::Holds(all, surface, settles);
                    }
                }
            }
        }
        match (passes, between) {
            (true, _) => Cornering::Passes,
            (false, Some(walls)) => {
                Cornering::Between(walls, surface, until(standing.gravity.length()))
            }
            (false, None) => Cornering::Elsewhere,
        }
    }

    /// Puts a ball whose bounces in a corner are over to where all three walls touch it.
    pub(super) fn sit_down(&mut self, slot: usize, walls: [u32; 3]) {
        let Some(off) = self.stage.off_corner(slot, walls, self.clock) else {
            return;
        };
        let balls = &mut self.stage.balls;
        let (mass, place) = (balls.inertials.of(slot).mass, balls.hot[slot].position);
        balls.hot[slot].position = place - off;
        let fields = &self.stage.fields;
        let lost = fields.potential(mass, place) - fields.potential(mass, place - off);
        self.ledger.settling.add(lost);
    }

    /// The other wall that will hold a ball together with the one that it meets now, and what makes it stay; `None`
    /// where it does not.
    ///
    /// Where nobody has foreseen when its bounces are over, they are taken for a geometric series: on a wall that it
    /// keeps touching it comes back to the other one at the acceleration that it has there.
    fn nestling(
        &mut self,
        ball: u32,
        index: u32,
        standing: &Standing<S>,
    ) -> Option<(u32, Settling)> {
        let (slot, clock) = (ball as usize, self.clock);
        let speed = (standing.normal).dot(standing.velocity - standing.wall_velocity);
        let surface = self.stage.surface(slot, BodyRef::Fixture(index));
        let rebound = -speed * surface.restitution;
        let hop = self.stage.highest_hop(slot);
        let support = self.stage.balls.support(slot);
        let on = support.and_then(|support| support.on);
        if !(rebound <= hop) || (surface.restitution >= 1.0 && -speed > hop) {
            return None;
        }
        if support.is_some_and(|support| support.also.is_some() && on != Some(index)) {
            return None;
        }
        let other = match self.predicted_beside(slot, index) {
            Some(other) => {
                let between = self.stage.is_between(slot, [other, index], clock);
                between.then_some(other)?
            }
            None => self.wall_beside(ball, index, standing, speed)?,
        };
        let stage = &self.stage;
        let gravity = -standing.normal.dot(standing.gravity);
        let pressing = match (stage.balls.segment(slot), on) {
            (Some(segment), Some(on)) if on == other => {
                let elapsed = clock - stage.balls.hot[slot].since;
                -(standing.normal).dot(segment.place.bend_at(elapsed))
            }
            _ => gravity,
        };
        let pressing = [pressing, gravity, standing.gravity.length()]
            .into_iter()
            .find(|&pressing| pressing > 0.0)?;
        let settling = Settling {
            pressing,
            rebound,
            surface,
        };
        Some((other, settling))
    }

    /// Whether a ball that chatters on a fixture, on nothing but that, keeps touching it from now on, as [`Self::settle`]
    /// has it: its bounces have no end that could be foreseen (a contact time lets them lose nothing, or the fixture is
    /// shaken), and are too short to matter.
    pub(super) fn stays_after_chatter(&mut self, ball: u32, other: BodyRef) -> Option<Surface> {
        let BodyRef::Fixture(index) = other else {
            return None;
        };
        let (slot, clock) = (ball as usize, self.clock);
        let surface = self.stage.surface(slot, other);
        let standing = self.stage.standing(slot, index, clock)?;
        let among = |support: &Support| {
            support.island.is_some() || support.on.is_some_and(|on| on != index)
        };
        if self.stage.balls.support(slot).is_some_and(among)
            || surface.restitution >= 1.0
            || !(standing.pressing() > 0.0)
        {
            return None;
        }
        let walls = self.walls_around(ball, index);
        let stage = &self.stage;
        let touches = |&wall: &u32| {
            stage.fixtures[wall as usize].touches(&stage.balls, slot, stage.epoch, clock)
        };
        if walls.iter().any(touches) {
            return None;
        }
        self.use_segments();
        if let Some(trajectories) = &mut self.stage.balls.trajectories {
            trajectories.supports[slot].intent = Intent::Land(index, clock);
        }
        Some(last(&surface))
    }

    /// The fixtures near a ball that it can collide with, other than one.
    fn walls_around(&mut self, ball: u32, but: u32) -> Vec<u32> {
        let mut walls: Vec<u32> = Vec::new();
        self.each_neighbour(ball, |other| match other {
            BodyRef::Fixture(wall) if wall != but && !walls.contains(&wall) => walls.push(wall),
            _ => {}
        });
        walls.retain(|&wall| self.stage.collide(ball as usize, BodyRef::Fixture(wall)));
        walls
    }

    /// A wall that a ball touches beside the one that it meets at a speed, such that both would hold it.
    fn wall_beside(
        &mut self,
        ball: u32,
        index: u32,
        standing: &Standing<S>,
        speed: f64,
    ) -> Option<u32> {
        let (slot, clock) = (ball as usize, self.clock);
        let walls = self.walls_around(ball, index);
        let stage = &self.stage;
        walls.into_iter().find(|&wall| {
            let touches =
                stage.fixtures[wall as usize].touches(&stage.balls, slot, stage.epoch, clock);
            // As it is when it does not bounce here any more.
            let in_groove = touches
                .then(|| stage.in_groove(slot, [wall, index], clock))
                .flatten();
            in_groove.is_some_and(|in_groove| {
                let after = InGroove {
                    velocity: in_groove.velocity - standing.normal * speed,
                    ..in_groove
                };
                stage.is_held_by_both(&after)
            })
        })
    }
}

/// A ball that meets fixture, and stays on it.
#[derive(Clone, Copy)]
struct Settling {
    /// The acceleration that presses it on, m/s².
    pressing: f64,
    /// The speed at which it would be thrown back, m/s.
    rebound: f64,
    surface: Surface,
}

impl<S: Strikable> Bodies<S> {
    /// What makes a ball that meets a fixture stay on it; `None` where it does not.
    fn settling(&self, slot: usize, index: u32, standing: &Standing<S>) -> Option<Settling> {
        if matches!(self.fixtures[index as usize].body.kind, Kind::Free(_)) {
            return None;
        }
        let pressing = standing.pressing();
        let speed = (standing.normal).dot(standing.velocity - standing.wall_velocity);
        let surface = self.surface(slot, BodyRef::Fixture(index));
        let rebound = -speed * surface.restitution;
        if !(pressing > 0.0 && rebound <= self.least_hop(standing))
            || (surface.restitution >= 1.0 && -speed > self.least_hop(standing))
        {
            return None;
        }
        Some(Settling {
            pressing,
            rebound,
            surface,
        })
    }

    /// Whether a ball touches a fixture at the start, does not leave it, and will stay on it: then all are on segments
    /// from the start, and what is planned for flights would be thrown away at once.
    pub(super) fn settles_at_start(&self) -> bool {
        let balls = &self.balls;
        let stays = |slot: usize, index: u32| {
            let wall = &self.fixtures[index as usize];
            self.collide(slot, BodyRef::Fixture(index))
                && wall.touches(balls, slot, self.epoch, 0.0)
                && self
                    .contact(slot, BodyRef::Fixture(index), 0.0)
                    .0
                    .normal_velocity()
                    <= 0.0
                && (self.standing(slot, index, 0.0))
                    .is_some_and(|standing| self.settling(slot, index, &standing).is_some())
        };
        balls.falling
            && balls
                .slots()
                .any(|slot| (0..self.fixtures.len() as u32).any(|index| stays(slot, index)))
    }
}
