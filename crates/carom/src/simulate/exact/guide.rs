//! Balls that come to keep touching a wall, and what they do there.

use super::{Exact, Plans, RunError};
use crate::arrays::Each;
use crate::impact::Strikable;
use crate::motion::Rates;
use crate::order::InOrder;
use crate::record::Regime;
use crate::record::{Transition, Velocities};
use crate::simulate::layout::FEW;
use crate::simulate::support::Turn;
use crate::simulate::support::corner::beside;
use crate::simulate::trajectories::{Intent, Next, Support, Trajectories};
use crate::space::Linear;

/// A ball is as far off its wall as rounding explains, in units of the radius.
const ROUNDING: f64 = 1e-14;

/// What rounding leaves at the end of a segment of what comes to its end there, as a share of the energy.
const UNSEEN: f64 = 1e-14;

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
        if loaded || !stage.fields.is_uniform() || stage.is_by_euler() || stage.jointed.is_some() {
            self.use_segments();
            self.start_jointed();
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
        let rubbed = |run: &Self| [0, 1, 2].map(|account| run.ledger.lasting[account].value());
        let before = rubbed(self);
        self.enter_flight(slot);
        let after = rubbed(self);
        let rubbed = [0, 1, 2].map(|account| after[account] - before[account]);
        let time = self.clock;
        let at_once = self.stage.balls.hot[slot].since == time;
        self.arrive(slot, time);
        let trajectories = self.stage.balls.trajectories.as_ref();
        let support = trajectories.expect("only where balls are guided").supports[slot];
        match support.next {
            Next::Turn(turn) => self.turn_on_walls(slot, &support, turn, at_once),
            Next::LeavesFirst | Next::LeavesSecond | Next::LeavesThird => {
                if let Some(trajectories) = &mut self.stage.balls.trajectories
                    && let Some(intent) = intent_after_leaving(&support)
                {
                    trajectories.supports[slot].intent = intent;
                }
            }
            Next::LetsGo => {
                self.stage.balls.lift(slot);
            }
            Next::Settles => self.halt(slot, &support, rubbed),
            Next::Releases => {}
        }
        self.changed(&[ball]);
    }

    /// Gives a ball on one wall, between two or in a corner of three the velocities that it goes on with after a turn;
    /// `at_once` says that its segment has no duration.
    fn turn_on_walls(&mut self, slot: usize, support: &Support, turn: Turn, at_once: bool) {
        let (stage, time) = (&self.stage, self.clock);
        let velocities = if support.third.is_some() {
            (support.all_three())
                .and_then(|walls| stage.in_corner(slot, walls, time))
                .map(|in_corner| in_corner.after(turn))
        } else if support.also.is_some() {
            (support.both())
                .and_then(|walls| stage.in_groove(slot, walls, time))
                .map(|in_groove| in_groove.after(turn, at_once))
        } else {
            (support.on.filter(|_| turn != Turn::GoesOn))
                .and_then(|index| stage.standing(slot, index, time))
                .map(|standing| {
                    let after = standing.after(turn);
                    (after.velocity, after.angular_velocity)
                })
        };
        let Some((velocity, angular_velocity)) = velocities else {
            return;
        };
        let velocities = Velocities {
            velocity,
            angular_velocity,
        };
        self.take_turn(slot, turn, &velocities);
        if at_once && support.also.is_some() && support.third.is_none() {
            self.predict_settling_otherwise(slot, &velocities);
        }
    }

    /// Gives a ball the velocities after a turn, and enters what that does. What it stops is rounding at the end of a
    /// segment; but a slip that would be over at once is stopped by friction where it begins, and has no segment.
    fn take_turn(&mut self, slot: usize, turn: Turn, velocities: &Velocities<S>) {
        let balls = &self.stage.balls;
        let (velocity, angular_velocity) = (balls.hot[slot].velocity, balls.angular_velocity(slot));
        let had = self.translational(slot);
        self.stage.balls.set_velocities(slot, velocities);
        let lost = had - self.translational(slot);
        if lost.abs() > UNSEEN * had {
            self.enter_settled(slot, velocity, angular_velocity);
            match turn {
                Turn::Stops => self.ledger.resisted(lost, 0.0),
                Turn::SpunDown => self.ledger.resisted(0.0, lost),
                Turn::Grips | Turn::Lifts | Turn::GoesOn => self.ledger.rubbed(lost),
            }
        }
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
}

/// What a ball does on the walls that are left, after it has left one of two or three.
fn intent_after_leaving(support: &Support) -> Option<Intent> {
    if support.third.is_some() {
        let left = match support.next {
            Next::LeavesFirst => 0,
            Next::LeavesSecond => 1,
            _ => 2,
        };
        let walls = support.all_three()?;
        let others = beside(left).each(|wall| walls[wall]);
        return Some(Intent::Nestle(others, f64::NEG_INFINITY));
    }
    let stays_on = match support.next {
        Next::LeavesFirst => support.also,
        _ => support.on,
    };
    Some(Intent::Land(stays_on?, f64::NEG_INFINITY))
}
