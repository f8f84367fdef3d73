//! How a group of balls that joints hold moves: its equations, their integration, and the segments that come of it.

use super::{Group, GroupState, GroupWork, Pushes};
use crate::joint::{BodyMotion, FIXED, Factored, LinkedBody, Mass, Row};
use crate::motion::{Curve, Pose, TrajectorySegment};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};
use glam::DVec3;

/// How far a place at the end of a segment may be off, in lengths of joints, judged by half as many steps: those are
/// off by sixteen times as much.
pub(super) const ACCURATE: f64 = 1e-12;
/// So much of a radian a segment may turn what swings on a joint, and of a spring's swing; and where joints turn balls,
/// whose angular velocities are polynomials of a lower degree.
const A_SEGMENT: f64 = 0.12;
const A_TURNING_SEGMENT: f64 = 0.05;
/// Steps of a segment.
const STEPS: usize = 16;
/// How often a segment is halved, at the most, and how often places are put right.
const HALVINGS: usize = 30;
const ROUNDS: usize = 8;

impl<S: Space> Group<S> {
    fn motion<'a>(
        &self,
        state: &'a GroupState<S>,
    ) -> impl Fn(LinkedBody) -> BodyMotion<S> + Copy + 'a {
        let turns = self.turns;
        move |body| match body {
            LinkedBody::Free(place) => {
                let place = place as usize;
                let mut motion = BodyMotion {
                    pose: Pose::at(state.positions[place]),
                    velocity: state.velocities[place],
                    ..BodyMotion::rest()
                };
                if turns {
                    motion.pose.rotation = state.rotations[place];
                    motion.angular_velocity = state.spins[place];
                }
                motion
            }
            _ => BodyMotion::rest(),
        }
    }

    /// 1/(kg·m²); zero where joints do not turn balls, or cannot.
    fn inverse_inertia(&self, place: usize) -> f64 {
        if self.turns {
            1.0 / self.inertias[place]
        } else {
            0.0
        }
    }

    fn inverse_masses(&self) -> Vec<Mass<S>> {
        (self.masses.iter().enumerate())
            .map(|(place, mass)| Mass {
                inverse_mass: 1.0 / mass,
                inverse_inertia: S::isotropic_inertia(self.inverse_inertia(place)),
            })
            .collect()
    }

    /// Adds what multipliers of rows do, over the masses.
    fn add(&self, rows: &[Row<S>], multipliers: &[f64], to: &mut Pushes<S>) {
        for (row, &multiplier) in rows.iter().zip(multipliers) {
            for side in [0, 1] {
                if row.bodies[side] != FIXED {
                    let place = row.bodies[side] as usize;
                    let (force, torque) = row.on(side, multiplier);
                    to.linear[place] += force * (1.0 / self.masses[place]);
                    if self.turns {
                        to.angular[place] += torque * self.inverse_inertia(place);
                    }
                }
            }
        }
    }

    /// What pushes are along a row.
    fn along(&self, row: &Row<S>, pushes: &Pushes<S>) -> f64 {
        let of = |side: usize| match row.bodies[side] {
            FIXED => 0.0,
            place => row.along.dot(pushes.linear[place as usize]),
        };
        let straight = of(0) - of(1);
        if !self.turns {
            return straight;
        }
        let about = |side: usize| match row.bodies[side] {
            FIXED => 0.0,
            place => row.about[side].dot(pushes.angular[place as usize]),
        };
        straight + (about(0) + about(1))
    }

    /// m/s² and rad/s².
    fn accelerations(&self, state: &GroupState<S>, gravity: S::Vector) -> Pushes<S> {
        let motion = self.motion(state);
        let mut all = Pushes::none(self.masses.len());
        all.linear.fill(gravity);
        for pull in self.linkage.pulls(motion) {
            for (side, force) in [(0, pull.force), (1, -pull.force)] {
                if let LinkedBody::Free(place) = pull.bodies[side] {
                    let place = place as usize;
                    all.linear[place] += force * (1.0 / self.masses[place]);
                    if self.turns {
                        let torque = S::torque(pull.arms[side], force);
                        all.angular[place] += torque * self.inverse_inertia(place);
                    }
                }
            }
        }
        if !self.linkage.is_soft() {
            let rows = self.linkage.rows(motion);
            let mut multipliers: Vec<f64> = (rows.iter())
                .map(|row| -(self.along(row, &all) + row.bias))
                .collect();
            Factored::new(&rows, &self.inverse_masses()).solve(&mut multipliers);
            self.add(&rows, &multipliers, &mut all);
        }
        all
    }

    /// The part of changes of velocity (m/s, rad/s) that rods and hinges allow: what impulses do that would cause them
    /// were the balls free.
    pub fn allowed(&self, state: &GroupState<S>, mut changes: Pushes<S>) -> Pushes<S> {
        if !self.linkage.is_soft() {
            let rows = self.linkage.rows(self.motion(state));
            let mut multipliers: Vec<f64> = (rows.iter())
                .map(|row| -self.along(row, &changes))
                .collect();
            Factored::new(&rows, &self.inverse_masses()).solve(&mut multipliers);
            self.add(&rows, &multipliers, &mut changes);
        }
        changes
    }

    /// Puts places, orientations and velocities onto what rods and hinges allow.
    pub fn put_right(&self, state: &mut GroupState<S>) {
        if self.linkage.is_soft() {
            return;
        }
        for _ in 0..ROUNDS {
            let rows = self.linkage.rows(self.motion(state));
            let is_right = |row: &Row<S>| row.error.abs() <= 4.0 * UNIT_ROUNDOFF * row.size;
            if rows.iter().all(is_right) || rows.iter().any(|row| !row.error.is_finite()) {
                break;
            }
            let mut multipliers: Vec<f64> = rows.iter().map(|row| -row.error).collect();
            Factored::new(&rows, &self.inverse_masses()).solve(&mut multipliers);
            let mut moved = Pushes {
                linear: std::mem::take(&mut state.positions),
                ..Pushes::none(self.masses.len())
            };
            self.add(&rows, &multipliers, &mut moved);
            state.positions = moved.linear;
            if self.turns {
                for (rotation, turn) in state.rotations.iter_mut().zip(moved.angular) {
                    *rotation = S::compose(S::rotation_of(turn, 1.0), *rotation);
                }
            }
        }
        let as_it_is = Pushes {
            linear: state.velocities.clone(),
            angular: state.spins.clone(),
        };
        let Pushes { linear, angular } = self.allowed(state, as_it_is);
        (state.velocities, state.spins) = (linear, angular);
    }

    /// One step of Runge and Kutta's fourth-order scheme; of orientations in the form of Munthe-Kaas (1998), by the
    /// rotation vector θ since its beginning, `θ̇ = ω − ½ θ×ω + ⅟₁₂ θ×(θ×ω)`.
    fn step(&self, from: &GroupState<S>, gravity: S::Vector, step: f64) -> GroupState<S> {
        let moved = |velocity: &[S::Vector], push: &Pushes<S>, turn: &[S::Angular], time: f64| {
            let add = |(&value, &rate): (&S::Vector, &S::Vector)| value + rate * time;
            let mut state = GroupState {
                positions: from.positions.iter().zip(velocity).map(add).collect(),
                velocities: from.velocities.iter().zip(&push.linear).map(add).collect(),
                rotations: from.rotations.clone(),
                spins: from.spins.clone(),
            };
            if self.turns {
                for (place, spin) in state.spins.iter_mut().enumerate() {
                    *spin += push.angular[place] * time;
                    let turned = S::rotation_of(turn[place] * time, 1.0);
                    state.rotations[place] = S::compose(turned, from.rotations[place]);
                }
            }
            state
        };
        let turning = |turn: &[S::Angular], time: f64, spins: &[S::Angular]| -> Vec<S::Angular> {
            let pairs = turn.iter().zip(spins);
            pairs
                .map(|(&turn, &spin)| rate_of_turn::<S>(turn * time, spin))
                .collect()
        };
        let half = 0.5 * step;
        let k1 = self.accelerations(from, gravity);
        let second = moved(&from.velocities, &k1, &from.spins, half);
        let k2 = self.accelerations(&second, gravity);
        let t2 = turning(&from.spins, half, &second.spins);
        let third = moved(&second.velocities, &k2, &t2, half);
        let k3 = self.accelerations(&third, gravity);
        let t3 = turning(&t2, half, &third.spins);
        let fourth = moved(&third.velocities, &k3, &t3, step);
        let k4 = self.accelerations(&fourth, gravity);
        let t4 = turning(&t3, step, &fourth.spins);
        let velocity = mean([from, &second, &third, &fourth].map(|it| &it.velocities[..]));
        let push = Pushes {
            linear: mean([&k1, &k2, &k3, &k4].map(|it| &it.linear[..])),
            angular: mean([&k1, &k2, &k3, &k4].map(|it| &it.angular[..])),
        };
        let turn = mean([&from.spins[..], &t2, &t3, &t4]);
        let mut next = moved(&velocity, &push, &turn, step);
        self.put_right(&mut next);
        next
    }

    fn steps(
        &self,
        from: &GroupState<S>,
        gravity: S::Vector,
        span: f64,
        number: usize,
    ) -> GroupState<S> {
        let mut state = from.clone();
        for _ in 0..number {
            state = self.step(&state, gravity, span / number as f64);
        }
        state
    }

    /// How fast the joints swing and turn, rad/s.
    fn rate(&self, state: &GroupState<S>, gravity: S::Vector) -> f64 {
        let mass = |body: LinkedBody| match body {
            LinkedBody::Free(place) => 1.0 / self.masses[place as usize],
            _ => 0.0,
        };
        let turned = |body: LinkedBody, arm: f64| match body {
            LinkedBody::Free(place) => arm * arm * self.inverse_inertia(place as usize),
            _ => 0.0,
        };
        let mut rate = 0.0_f64;
        for (stiffness, damping, [(a, at_a), (b, at_b)]) in self.linkage.springs() {
            let arms = turned(a, at_a.length()) + turned(b, at_b.length());
            let yields = mass(a) + mass(b) + arms;
            rate = rate.max((stiffness * yields).sqrt() + damping * yields);
        }
        let motion = self.motion(state);
        for (bodies, [arm_a, arm_b, length]) in self.linkage.arms() {
            let [a, b] = bodies.map(|body| motion(body).velocity);
            if length > 0.0 {
                let swing = (gravity.length() / length).sqrt();
                rate = rate.max((a - b).length() / length + swing);
            }
            for (body, arm) in bodies.into_iter().zip([arm_a, arm_b]) {
                if arm > 0.0 {
                    let swing = (gravity.length() / arm).sqrt();
                    rate = rate.max(motion(body).angular_velocity.length() + swing);
                }
            }
        }
        rate
    }

    /// What lengths are measured against: the longest joint, and the way of the fastest ball in a time (s), m.
    fn size(&self, state: &GroupState<S>, time: f64) -> f64 {
        let rods = self.linkage.arms().flat_map(|(_, lengths)| lengths);
        let pulls = self.linkage.pulls(self.motion(state));
        let springs = pulls.map(|pull| (pull.points[0] - pull.points[1]).length());
        let ways = state.velocities.iter().map(|v| v.length() * time);
        rods.chain(springs)
            .chain(ways)
            .fold(f64::MIN_POSITIVE, f64::max)
    }

    /// Puts the group onto its next segments, from a time by the run's clock on (s).
    pub fn go_on(&mut self, since: f64, mut state: GroupState<S>, gravity: S::Vector) {
        self.put_right(&mut state);
        self.since = since;
        self.gravity = gravity;
        let rate = self.rate(&state, gravity);
        let start = self.accelerations(&state, gravity);
        let most = if self.turns {
            A_TURNING_SEGMENT
        } else {
            A_SEGMENT
        };
        let mut span = most / rate;
        let mut end = state.clone();
        let size = self.size(&state, span);
        if span.is_finite() {
            for _ in 0..HALVINGS {
                end = self.steps(&state, gravity, span, STEPS);
                let coarse = self.steps(&state, gravity, span, STEPS / 2);
                // What a velocity is off by, a place will be in as much time again.
                let mut off = apart(&end.positions, &coarse.positions)
                    + span * apart(&end.velocities, &coarse.velocities);
                if self.turns {
                    off += size * span * apart(&end.spins, &coarse.spins);
                }
                // A NaN is told of when the ball gets there.
                if !(off > 15.0 * ACCURATE * size) {
                    break;
                }
                span *= 0.5;
            }
        }
        self.segments = self.segments_between((&state, &start), &end, span);
        self.rotations = state.rotations;
    }

    /// Goes on after a snapshot, with the orientations that its segments began with.
    pub fn taken_up(&mut self, rotations: Vec<S::Rotation>, gravity: S::Vector) {
        (self.rotations, self.gravity) = (rotations, gravity);
    }

    /// The segments from one state, with its accelerations, to another.
    fn segments_between(
        &self,
        (state, start): (&GroupState<S>, &Pushes<S>),
        end: &GroupState<S>,
        span: f64,
    ) -> Vec<TrajectorySegment<S>> {
        let finish = self.accelerations(end, self.gravity);
        let middle = if self.turns && span.is_finite() {
            self.steps(state, self.gravity, 0.5 * span, STEPS / 2)
        } else {
            state.clone()
        };
        (0..self.masses.len())
            .map(|place| {
                if !span.is_finite() {
                    return TrajectorySegment {
                        place: Curve::new(&[state.positions[place], state.velocities[place]]),
                        angular_velocity: Curve::constant(state.spins[place]),
                        end: f64::INFINITY,
                    };
                }
                let at = |state: &GroupState<S>, push: &Pushes<S>| {
                    [
                        state.positions[place],
                        state.velocities[place],
                        push.linear[place],
                    ]
                };
                let spin = if self.turns {
                    quartic(
                        [state.spins[place], start.angular[place]],
                        middle.spins[place],
                        [end.spins[place], finish.angular[place]],
                        span,
                    )
                } else {
                    Curve::constant(state.spins[place])
                };
                TrajectorySegment {
                    place: quintic(at(state, start), at(end, &finish), span),
                    angular_velocity: spin,
                    end: span,
                }
            })
            .collect()
    }

    /// At a time by the run's clock, s. Places and velocities are those of the segments; orientations are integrated
    /// from where these began.
    pub fn state_at(&self, time: f64) -> GroupState<S> {
        let dt = time - self.since;
        let at = |dt: f64, rotations: Vec<S::Rotation>| GroupState {
            positions: self.segments.iter().map(|it| it.position_at(dt)).collect(),
            velocities: self.segments.iter().map(|it| it.velocity_at(dt)).collect(),
            spins: (self.segments.iter())
                .map(|it| it.angular_velocity_at(dt))
                .collect(),
            rotations,
        };
        if !self.turns || !(dt > 0.0) {
            return at(dt, self.rotations.clone());
        }
        let start = at(0.0, self.rotations.clone());
        let turned = self.steps(&start, self.gravity, dt, STEPS);
        at(dt, turned.rotations)
    }

    /// What springs hold at a state, J.
    pub fn stored_at(&self, state: &GroupState<S>) -> f64 {
        let pulls = self.linkage.pulls(self.motion(state));
        pulls.map(|pull| pull.stored).sum()
    }

    /// What joints have done on the present segments until a time by the run's clock (s).
    pub fn work(&self, time: f64, gravity: S::Vector) -> GroupWork<S> {
        let dt = time - self.since;
        let mut work = GroupWork::default();
        if !(dt > 0.0) || self.segments.is_empty() {
            return work;
        }
        let [from, to] = [self.state_at(self.since), self.state_at(time)];
        for (place, &mass) in self.masses.iter().enumerate() {
            let [before, after] = [&from, &to].map(|state| state.velocities[place] * mass);
            work.momentum += after - before - gravity * (mass * dt);
            let arm = self.segments[place].place.integral(dt);
            work.angular += S::torque(to.positions[place], after)
                - S::torque(from.positions[place], before)
                - S::torque(arm, gravity) * mass;
            if self.turns && self.inertias[place].is_finite() {
                work.angular += (to.spins[place] - from.spins[place]) * self.inertias[place];
            }
        }
        if self.linkage.springs().any(|(_, damping, _)| damping > 0.0) {
            for (abscissa, weight) in GAUSS {
                let state = self.state_at(self.since + 0.5 * dt * (1.0 + abscissa));
                let pulls = self.linkage.pulls(self.motion(&state));
                work.damped += 0.5 * dt * weight * pulls.map(|pull| pull.damper).sum::<f64>();
            }
        }
        work
    }
}

/// `θ̇` where the turn since some instant is θ and the angular velocity ω.
fn rate_of_turn<S: Space>(turn: S::Angular, spin: S::Angular) -> S::Angular {
    let vector = |it: S::Angular| DVec3::from_array(S::angular_velocity_components(it));
    let across = vector(turn).cross(vector(spin));
    let twice = vector(turn).cross(across);
    spin + S::angular_velocity((across * -0.5 + twice / 12.0).to_array())
}

/// The weighted mean of the four stages, by place.
fn mean<V: Linear>(stages: [&[V]; 4]) -> Vec<V> {
    let of = |place: usize| {
        let [a, b, c, d] = stages.map(|stage| stage[place]);
        (a + (b + c) * 2.0 + d) * (1.0 / 6.0)
    };
    (0..stages[0].len()).map(of).collect()
}

/// The farthest that two of a list are apart.
fn apart<V: Linear>(fine: &[V], coarse: &[V]) -> f64 {
    let pairs = fine.iter().zip(coarse);
    pairs.map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
}

/// The polynomial with given places, velocities and accelerations at both ends of a span (s).
fn quintic<V: Linear>([x, v, a]: [V; 3], [x1, v1, a1]: [V; 3], span: f64) -> Curve<V> {
    let inverse = 1.0 / span;
    let way = (x1 - x - v * span - a * (0.5 * span * span)) * (inverse * inverse * inverse);
    let gain = (v1 - v - a * span) * (inverse * inverse);
    let bend = (a1 - a) * (0.5 * inverse);
    Curve::new(&[
        x,
        v,
        a * 0.5,
        way * 10.0 - gain * 4.0 + bend,
        (way * -15.0 + gain * 7.0 - bend * 2.0) * inverse,
        (way * 6.0 - gain * 3.0 + bend) * (inverse * inverse),
    ])
}

/// The polynomial with given values and rates at both ends of a span (s), and a value in the middle.
///
/// With `s = t/span`, `p = v + r s + A s² + B s³ + C s⁴`, the rates times the span: `A + B + C = d`, `2A + 3B + 4C = e`
/// and `4A + 2B + C = 16 m`, where d, e and m are what is left of value, rate and middle.
fn quartic<V: Linear>([v, r]: [V; 2], middle: V, [v1, r1]: [V; 2], span: f64) -> Curve<V> {
    let d = v1 - v - r * span;
    let e = (r1 - r) * span;
    let m = middle - v - r * (0.5 * span);
    let fourth = m * 16.0 - d * 8.0 + e * 2.0;
    let third = e - d * 2.0 - fourth * 2.0;
    let second = d * 3.0 - e + fourth;
    let inverse = 1.0 / span;
    let [two, three] = [inverse * inverse, inverse * inverse * inverse];
    Curve::new(&[v, r, second * two, third * three, fourth * (two * two)])
}

/// Abscissae and weights of Gauss's rule with four points on [−1, 1].
const GAUSS: [(f64, f64); 4] = [
    (-0.861_136_311_594_052_6, 0.347_854_845_137_453_85),
    (-0.339_981_043_584_856_26, 0.652_145_154_862_546_1),
    (0.339_981_043_584_856_26, 0.652_145_154_862_546_1),
    (0.861_136_311_594_052_6, 0.347_854_845_137_453_85),
];

#[cfg(test)]
mod tests {
    use super::{quartic, quintic};

    #[test]
    fn polynomials_have_what_they_were_made_of() {
        let curve = quartic([1.0, -2.0], 0.25, [3.0, 5.0], 2.0);
        for (time, value) in [(0.0, 1.0), (1.0, 0.25), (2.0, 3.0)] {
            assert!((curve.at(time) - value).abs() < 1e-14, "{time}");
        }
        let rate = |t: f64| (curve.at(t + 1e-6) - curve.at(t - 1e-6)) / 2e-6;
        // Central differences of a quartic with coefficients of some ten: 10 · 1e-12, and rounding over 1e-6.
        assert!((rate(0.0) + 2.0).abs() < 1e-8 && (rate(2.0) - 5.0).abs() < 1e-8);
        let curve = quintic([0.0, 1.0, 2.0], [4.0, -1.0, 0.5], 2.0);
        assert!((curve.at(0.0)).abs() < 1e-14 && (curve.at(2.0) - 4.0).abs() < 1e-13);
    }
}
