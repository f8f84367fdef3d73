//! What walls and fields do to a ball on its way, for the budget.

use crate::audit::Carried;
use crate::impact::Strikable;
use crate::motion::{Departure, Integrator, Rates};
use crate::record::Regime;
use crate::shape::Bending;
use crate::simulate::bodies::Bodies;
use crate::simulate::support::groove::Held;
use crate::simulate::trajectories::Support;
use crate::space::Linear;

impl<S: Strikable> Bodies<S> {
    /// What a wall and the fields have done to a ball on its present trajectory segment until a time.
    ///
    /// What is lost is the integral of friction times slip, and of what the fields do without being potentials; what
    /// fields give is the integral of what they push and twist: all by Gauss's rule along the way. A wall gives what
    /// else the motion says, and does work by that.
    ///
    /// Longer than most: one sum along the way, whose terms share the states at the points of the rule.
    pub fn carried(&self, slot: usize, time: f64) -> Carried<S> {
        let balls = &self.balls;
        let trajectories = balls
            .trajectories
            .as_ref()
            .expect("only where balls are guided");
        if let Some(sticking) = balls.sticking(slot) {
            return self.carried_sticking(slot, sticking, time);
        }
        if self.is_jointed(slot) {
            // What joints do is entered for the group as a whole.
            return Carried::default();
        }
        let (support, since) = (trajectories.supports[slot], balls.hot[slot].since);
        let dt = time - since;
        if support.island.is_some() && !support.asleep {
            return self.carried_in_island(slot, time);
        }
        let flies = support.on.is_none() && !support.asleep;
        if !(dt > 0.0) || (flies && self.flies_freely(slot)) {
            return Carried::default();
        }
        let inertial = balls.inertials.of(slot);
        let finite_inertia = if inertial.inertia.is_finite() {
            inertial.inertia
        } else {
            0.0
        };
        let fields =
            (self.fields).for_ball(inertial.mass, balls.hot[slot].radius, inertial.inertia);
        let in_fields = !self.fields.is_uniform() && !support.asleep;
        let load = self.load(slot).filter(|_| !support.asleep);
        let mut carried = Carried::<S>::default();
        let rule = if self.is_linear(slot, &support) {
            &MIDDLE[..]
        } else {
            &GAUSS[..]
        };
        // A wall that moves straight on does the work of its push; one that turns or is shaken, at each instant.
        let middle = self.epoch + since + 0.5 * dt;
        let wall = (support.on).map(|index| self.fixtures[index as usize].state_at(middle));
        let turns = support.on.is_some_and(|index| !self.is_steady(index));
        // The feature that it is on, and what acts there, all along the piece: rounding at an edge would tell
        // otherwise.
        let start = self.departure(slot, since);
        let only = support.on.filter(|_| support.also.is_none());
        let ground = only.map(|index| (index, self.ground(index, &start)));
        let standing_at = |at: &Departure<S>| {
            let (index, ground) = ground.as_ref()?;
            self.standing_beside(slot, *index, at, None, ground)
        };
        let mode = standing_at(&start).map(|standing| standing.mode(support.regime));
        // And how it slides between two: what rounding leaves across a groove would tell otherwise on the way.
        let askew = support.both().is_some_and(|walls| {
            let start = self.nestled_at(slot, walls, &self.departure(slot, since));
            start.is_some_and(|in_groove| matches!(in_groove.held(), Held::Askew))
        });
        // What keeps a ball turning that cannot be spun does work as well.
        let kept_turning =
            finite_inertia == 0.0 && balls.angular_velocity(slot) != S::Angular::ZERO;
        let mut keeping = 0.0;
        // Euler's method goes straight on meanwhile: what acts on the way is paid out at the end of the step, by its
        // rates at the beginning.
        let by_euler = flies && self.is_by_euler();
        for &(abscissa, weight) in rule {
            let elapsed = 0.5 * dt * (1.0 + abscissa);
            let span = 0.5 * dt * weight;
            let at = self.departure(slot, since + elapsed);
            let standing = standing_at(&at);
            let per_kilogram = if let Some(walls) = support.all_three() {
                (self.cornered_at(slot, walls, &at))
                    .map(|in_corner| in_corner.dissipation(support.regime))
            } else if let Some(walls) = support.both() {
                (self.nestled_at(slot, walls, &at))
                    .map(|in_groove| in_groove.dissipation(support.regime, askew))
            } else {
                (standing.zip(mode)).map(|(standing, mode)| standing.dissipation(&mode))
            };
            if kept_turning && support.regime == Regime::Spinning && support.also.is_some() {
                // On the spot, between two walls: all that they take out, what keeps it turning gives.
                let power: f64 = per_kilogram.unwrap_or_default().iter().sum();
                keeping += span * (power * inertial.mass);
            }
            for (lost, power) in carried
                .lost
                .iter_mut()
                .zip(per_kilogram.unwrap_or_default())
            {
                *lost += span * (power * inertial.mass);
            }
            let mut push = balls.gravity;
            if by_euler && !in_fields {
                carried.integration += span * (inertial.mass * push.dot(at.velocity));
            }
            if in_fields {
                let (pushed, twist) =
                    fields.rates(at.time, at.position, at.velocity, at.angular_velocity);
                push = pushed;
                if by_euler {
                    carried.integration += span
                        * (inertial.mass * push.dot(at.velocity)
                            + finite_inertia * twist.dot(at.angular_velocity));
                }
                carried.lost[3] += span
                    * (-inertial.mass * push.dot(at.velocity)
                        - finite_inertia * twist.dot(at.angular_velocity));
                let force = (push - balls.gravity) * inertial.mass;
                carried.field_momentum += force * span;
                carried.field_angular +=
                    (S::torque(at.position, force) + twist * finite_inertia) * span;
            }
            if let Some(load) = load {
                let force = load.force_at(at.time);
                // What cannot be spun takes no torque.
                let torque = if finite_inertia > 0.0 {
                    load.torque_at(at.time)
                } else {
                    S::Angular::ZERO
                };
                push += force * inertial.inverse_mass;
                let external = &mut carried.external;
                external.work += span * (force.dot(at.velocity) + torque.dot(at.angular_velocity));
                external.momentum += force * span;
                external.angular += (S::torque(at.position, force) + torque) * span;
            }
            if (turns || kept_turning)
                && let Some(standing) = standing
            {
                let force =
                    (balls.segment_or_flight(slot).place.bend_at(elapsed) - push) * inertial.mass;
                if turns {
                    carried.work += span * force.dot(standing.wall_velocity);
                }
                if turns && finite_inertia > 0.0 {
                    // The couple at the contact: what turns the ball beyond friction and what else does.
                    let segment = balls.segment_or_flight(slot);
                    let rate = segment.angular_velocity.rate_at(elapsed) - standing.twist;
                    let friction = S::torque(standing.normal * -standing.radius, force);
                    let couple = rate * finite_inertia - friction;
                    carried.work += span * couple.dot(standing.wall_spin);
                }
                if kept_turning {
                    // Against friction below it, and against the resistance to its spin about the normal.
                    let rubs = S::torque(standing.normal * -standing.radius, force)
                        .dot(at.angular_velocity);
                    let spinning = mode.map_or(0.0, |mode| standing.dissipation(&mode)[2]);
                    keeping += span * (spinning * inertial.mass - rubs);
                }
            }
        }
        if in_fields {
            let potential = |time: f64| {
                let place = balls.position_at(slot, time);
                self.fields.potential(inertial.mass, place)
            };
            carried.lost[3] -= potential(time) - potential(since);
        }
        let momentum_at = |time: f64| balls.velocity_at(slot, time) * inertial.mass;
        let angular_at = |time: f64| {
            S::torque(balls.position_at(slot, time), momentum_at(time))
                + balls.angular_velocity_at(slot, time) * finite_inertia
        };
        let gained = momentum_at(time) - momentum_at(since);
        let external = carried.external;
        let momentum = gained - balls.gravity * (inertial.mass * dt) - external.momentum;
        let angular = angular_at(time)
            - angular_at(since)
            - balls.torque_of_gravity(slot, time)
            - external.angular;
        if by_euler {
            // It goes straight on: fields, and gravity, push at the end of the step.
            (carried.field_momentum, carried.field_angular) = (momentum, angular);
        } else if !flies {
            carried.momentum = momentum - carried.field_momentum;
            carried.angular = angular - carried.field_angular;
        }
        if let Some(wall) = wall
            && !turns
        {
            carried.work = carried.momentum.dot(wall.velocity);
        }
        carried.work += keeping;
        if support.settles > since {
            carried.take_for_bounces();
        }
        carried
    }

    /// The same for a member of an island that goes straight on within a step: what the potential gives on the way is
    /// in its velocity at the ends of the step, and gravity is in the budget of momentum at all times.
    fn carried_in_island(&self, slot: usize, time: f64) -> Carried<S> {
        let (balls, since) = (&self.balls, self.balls.hot[slot].since);
        let mass = balls.inertials.of(slot).mass;
        let potential = |time: f64| self.fields.potential(mass, balls.position_at(slot, time));
        let fell = potential(since) - potential(time);
        let mut carried = Carried {
            momentum: balls.gravity * (-mass * (time - since)),
            angular: -balls.torque_of_gravity(slot, time),
            ..Carried::default()
        };
        if self.fields.is_uniform() {
            carried.stepping = fell;
        } else {
            carried.lost[3] = fell;
        }
        carried
    }

    /// Whether balls fly by steps of Euler's method.
    pub fn is_by_euler(&self) -> bool {
        matches!(self.integrator, Integrator::ExplicitEuler { .. })
    }

    /// Whether a ball is on a flat wall in uniform gravity, so that slip, way and spin fall linearly: the middle says
    /// it all.
    fn is_linear(&self, slot: usize, support: &Support) -> bool {
        let segment = self.balls.segment_or_flight(slot);
        let flat = |index: u32| {
            let start = self.departure(slot, self.balls.hot[slot].since);
            self.bending(index, &start) == Bending::Flat
        };
        self.only_falls(slot)
            && segment.place.degree() <= 2
            && (support.third.is_none() || segment.angular_velocity.degree() <= 1)
            && (support.also.is_some() || support.on.is_some_and(flat))
    }
}

impl<S: Strikable> Carried<S> {
    /// Takes what friction and couples took out for what bounces did that are too low to be told: the ball does not lie
    /// yet. Its law may rub it otherwise in bounces than where it lies, and couples act only there. When they are over
    /// it goes on as they have left it, and whatever that differs by is in the same account.
    fn take_for_bounces(&mut self) {
        for lost in &mut self.lost[..3] {
            self.settling += std::mem::take(lost);
        }
    }
}

/// Gauss's rule with one point.
const MIDDLE: [(f64, f64); 1] = [(0.0, 2.0)];

/// Abscissae and weights of Gauss's rule with eight points on [−1, 1].
const GAUSS: [(f64, f64); 8] = [
    (-0.960_289_856_497_536_3, 0.101_228_536_290_376_3),
    (-0.796_666_477_413_626_7, 0.222_381_034_453_374_5),
    (-0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (-0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_5),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_3),
];
