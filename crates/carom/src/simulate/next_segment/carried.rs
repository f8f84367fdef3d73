//! What walls and fields do to a ball on its way, for the budget.

use crate::audit::Carried;
use crate::impact::Strikable;
use crate::motion::{Integrator, Rates};
use crate::shape::Bending;
use crate::simulate::bodies::Bodies;
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
        let (support, since) = (trajectories.supports[slot], balls.hot[slot].since);
        let dt = time - since;
        let flies = support.on.is_none() && !support.asleep;
        if !(dt > 0.0) || (flies && self.fields.is_uniform() && !self.is_by_euler()) {
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
        let mut carried = Carried::<S>::default();
        let rule = if self.is_linear(slot, &support) {
            &MIDDLE[..]
        } else {
            &GAUSS[..]
        };
        // A wall that moves straight on does the work of its push; one that turns, at each instant.
        let middle = self.epoch + since + 0.5 * dt;
        let wall = (support.on).map(|index| self.fixtures[index as usize].state_at(middle));
        let turns = wall
            .as_ref()
            .is_some_and(|wall| wall.angular_velocity != S::Angular::ZERO);
        // What keeps a ball turning that cannot be spun does work as well.
        let kept_turning =
            finite_inertia == 0.0 && balls.angular_velocity(slot) != S::Angular::ZERO;
        let mut keeping = 0.0;
        for &(abscissa, weight) in rule {
            let elapsed = 0.5 * dt * (1.0 + abscissa);
            let span = 0.5 * dt * weight;
            let at = self.departure(slot, since + elapsed);
            let standing = match (support.on, support.also) {
                (Some(index), None) => self.standing_at(slot, index, &at),
                _ => None,
            };
            let per_kilogram = if let Some(walls) = support.all_three() {
                (self.cornered_at(slot, walls, &at))
                    .map(|in_corner| in_corner.dissipation(support.regime))
            } else if let Some(walls) = support.both() {
                (self.nestled_at(slot, walls, &at))
                    .map(|in_groove| in_groove.dissipation(support.regime))
            } else {
                standing.map(|standing| standing.dissipation(support.regime))
            };
            for (lost, power) in carried
                .lost
                .iter_mut()
                .zip(per_kilogram.unwrap_or_default())
            {
                *lost += span * (power * inertial.mass);
            }
            let mut push = balls.gravity;
            if in_fields {
                let (pushed, twist) =
                    fields.rates(at.time, at.position, at.velocity, at.angular_velocity);
                push = pushed;
                carried.lost[3] += span
                    * (-inertial.mass * push.dot(at.velocity)
                        - finite_inertia * twist.dot(at.angular_velocity));
                let force = (push - balls.gravity) * inertial.mass;
                carried.field_momentum += force * span;
                carried.field_angular +=
                    (S::torque(at.position, force) + twist * finite_inertia) * span;
            }
            if (turns || kept_turning)
                && let Some(standing) = standing
            {
                let force =
                    (balls.segment_or_flight(slot).place.bend_at(elapsed) - push) * inertial.mass;
                if turns {
                    carried.work += span * force.dot(standing.wall_velocity);
                }
                if kept_turning {
                    // Against friction below it, and against the resistance to its spin about the normal.
                    let rubs = S::torque(standing.normal * -standing.radius, force)
                        .dot(at.angular_velocity);
                    let [_, _, spinning] = standing.dissipation(support.regime);
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
        let momentum = gained - balls.gravity * (inertial.mass * dt);
        let angular = angular_at(time) - angular_at(since) - balls.torque_of_gravity(slot, time);
        if flies && self.is_by_euler() {
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
        self.fields.is_uniform()
            && segment.place.degree() <= 2
            && (support.third.is_none() || segment.angular_velocity.degree() <= 1)
            && (support.also.is_some() || support.on.is_some_and(flat))
    }
}

/// Gauss's rule with one point.
const MIDDLE: [(f64, f64); 1] = [(0.0, 2.0)];

/// Abscissae and weights of Gauss's rule with five points on [−1, 1].
const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
];
