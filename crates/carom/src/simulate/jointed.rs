//! Balls that joints hold, by impulses: groups that move together on trajectory segments.
//!
//! What joints hold flies on no parabola. All balls of a group are on segments that begin and end at the same instants:
//! polynomials of degree 5 with the places, velocities and accelerations of both ends, between which the equations of
//! motion (with the multipliers of `joint/`) are integrated by Runge and Kutta's fourth-order scheme, so finely that
//! halving the steps changes nothing beyond [`ACCURATE`]. So contacts with others are found by the kernels for
//! segments, at their instants, and only the impulse of a collision has to know of the joints: it meets the mass that
//! the whole group has there.

use crate::body::{Body, BodyId, Kind};
use crate::joint::{
    Anchor, BodyMotion, FIXED, Factored, Joint, JointKind, Linkage, LinkedBody, MOST_ENTRIES, Mass,
    Row,
};
use crate::material::MaterialId;
use crate::motion::{Curve, Integrator, Pose, TrajectorySegment};
use crate::shape::{Shape, Shaped};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};
use crate::world::{World, WorldError, has_rigid_bodies, too_entangled};
use std::collections::{BTreeMap, BTreeSet};

/// How far a place at the end of a segment may be off, in lengths of joints, judged by half as many steps: those are
/// off by sixteen times as much.
const ACCURATE: f64 = 1e-12;
/// So much of a radian a segment may turn what swings on a joint, and of a spring's swing.
const A_SEGMENT: f64 = 0.12;
/// Steps of a segment.
const STEPS: usize = 16;
/// How often a segment is halved, at the most, and how often places are put right.
const HALVINGS: usize = 30;
const ROUNDS: usize = 8;

/// All groups of a run.
#[derive(Clone, Debug)]
pub(super) struct Jointed<S: Space> {
    /// As they were put in.
    pub joints: Vec<Joint<S>>,
    pub groups: Vec<Group<S>>,
    /// The group of a ball, and its place there.
    of_body: BTreeMap<BodyId, (u32, u32)>,
}

/// Balls that joints hold together.
#[derive(Clone, Debug)]
pub(super) struct Group<S: Space> {
    pub members: Vec<BodyId>,
    pub masses: Vec<f64>,
    linkage: Linkage<S>,
    /// When the segments began that it is on, by the run's clock, s; by place.
    pub since: f64,
    pub segments: Vec<TrajectorySegment<S>>,
}

/// Where the balls of a group are and how they move, by place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GroupState<S: Space> {
    pub positions: Vec<S::Vector>,
    pub velocities: Vec<S::Vector>,
}

/// What joints have done on a segment, for the budget.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GroupWork<S: Space> {
    /// From the world, kg·m/s and kg·m²/s.
    pub momentum: S::Vector,
    pub angular: S::Angular,
    /// To dampers, J.
    pub damped: f64,
}

/// What joints cannot be, or be beside, by impulses.
pub(super) fn unfit_joints<S: Shaped>(world: &World<S>) -> Vec<WorldError> {
    let mut wrong = Vec::new();
    for (index, joint) in world.joints().iter().enumerate() {
        let what = refused(joint, world.bodies());
        wrong.extend(what.map(|what| format!("joint {index} ({}): {what}", joint.name)));
    }
    if !world.joints().is_empty() {
        let beside = [
            (has_rigid_bodies(world), "rigid bodies"),
            (
                !world.fields().is_uniform(),
                "fields other than uniform gravity",
            ),
            (
                world.periods().iter().any(|&length| length > 0.0),
                "a periodic box",
            ),
            (!is_exact(world), "explicit Euler"),
            (
                !smooth(world),
                "friction, or contacts of a duration, of what joints hold",
            ),
        ];
        wrong.extend(beside.iter().filter(|(is_so, _)| *is_so).map(|(_, what)| {
            format!("joints beside {what} are followed by the force method alone, if at all")
        }));
    }
    let mut errors: Vec<WorldError> = (wrong.into_iter())
        .map(|what| WorldError::Solids { what })
        .collect();
    let find = |id: BodyId| Some(LinkedBody::Free(id.0));
    let all = Linkage::new(world.joints(), find, |_| Pose::at(S::Vector::ZERO));
    if errors.is_empty() && all.entries() > MOST_ENTRIES {
        errors.push(too_entangled(all.entries()));
    }
    errors
}

fn is_exact<S: Shaped>(world: &World<S>) -> bool {
    !matches!(world.integrator(), Integrator::ExplicitEuler { .. })
}

/// Whether impulses on what joints hold can only be along the normal, and take no time.
fn smooth<S: Shaped>(world: &World<S>) -> bool {
    let held = world.joints().iter().flat_map(|joint| &joint.ends);
    let held: BTreeSet<MaterialId> = (held.filter_map(|end| end.body()))
        .map(|id| world.body(id).material)
        .collect();
    let all: BTreeSet<MaterialId> = world.bodies().iter().map(|body| body.material).collect();
    held.iter().all(|&one| {
        all.iter().all(|&other| {
            let surface = world.materials.surface(one, other);
            surface.is_smooth() && surface.contact_duration == 0.0
        })
    })
}

fn refused<S: Shaped>(joint: &Joint<S>, bodies: &[Body<S>]) -> Option<String> {
    if matches!(joint.kind, JointKind::Hinge { .. }) {
        return Some("a hinge is followed by the force method alone".to_owned());
    }
    let both = joint.ends.iter().all(|end| end.body().is_some());
    if !joint.collides && both {
        let what = "bodies that joints hold pass through each other by the force method alone";
        return Some(what.to_owned());
    }
    for end in &joint.ends {
        let Anchor::Body { id, at } = end else {
            continue;
        };
        let body = &bodies[id.0 as usize];
        let what = match (&body.kind, &body.shape) {
            (Kind::Static, _) => continue,
            (Kind::Kinematic(_), _) => "a kinematic body",
            (Kind::Free(_), Shape::Ball(_)) if *at != S::Vector::ZERO => {
                "a ball elsewhere than at its centre"
            }
            (Kind::Free(_), Shape::Ball(_)) if body.load.is_some() => {
                "a body on which an external force acts"
            }
            (Kind::Free(_), Shape::Ball(_)) => continue,
            _ => "a rigid body that is no ball",
        };
        let name = &body.name;
        return Some(format!(
            "it holds {what} (body {}, {name}), which the force method alone follows",
            id.0
        ));
    }
    None
}

impl<S: Shaped> Jointed<S> {
    /// The groups of joints that are not refused; `bodies` by their numbers.
    pub fn new(joints: Vec<Joint<S>>, bodies: &dyn Fn(BodyId) -> Option<Body<S>>) -> Option<Self> {
        let is_free =
            |id: &BodyId| bodies(*id).is_some_and(|body| matches!(body.kind, Kind::Free(_)));
        let ends = |joint: &Joint<S>| {
            let ids = joint.ends.iter().filter_map(|end| end.body());
            ids.filter(is_free).collect::<Vec<BodyId>>()
        };
        // Which group each ball is in, by the lowest number in it.
        let mut lowest: BTreeMap<BodyId, BodyId> = BTreeMap::new();
        for joint in &joints {
            let ends = ends(joint);
            let heads: Vec<BodyId> = (ends.iter())
                .map(|id| *lowest.entry(*id).or_insert(*id))
                .collect();
            let first = *heads.iter().min()?;
            for head in lowest.values_mut().filter(|head| heads.contains(head)) {
                *head = first;
            }
        }
        let mut groups: BTreeMap<BodyId, Vec<BodyId>> = BTreeMap::new();
        for (&id, &head) in &lowest {
            groups.entry(head).or_default().push(id);
        }
        let mut all = Jointed {
            joints,
            groups: Vec::new(),
            of_body: BTreeMap::new(),
        };
        for members in groups.into_values() {
            let own: Vec<Joint<S>> = (all.joints.iter())
                .filter(|joint| ends(joint).iter().any(|id| members.contains(id)))
                .cloned()
                .collect();
            for (place, &id) in members.iter().enumerate() {
                let at = (all.groups.len() as u32, place as u32);
                all.of_body.insert(id, at);
            }
            all.groups.push(Group::new(members, &own, bodies)?);
        }
        Some(all)
    }

    /// The groups of a world in which nothing is refused, if there are joints.
    pub fn of_world(world: &World<S>) -> Option<Box<Self>> {
        if world.joints().is_empty() {
            return None;
        }
        let body = |id: BodyId| world.bodies().get(id.0 as usize).cloned();
        Self::new(world.joints().to_vec(), &body).map(Box::new)
    }

    /// The group of a ball, and its place there.
    pub fn find(&self, id: BodyId) -> Option<(usize, usize)> {
        let found = self.of_body.get(&id);
        found.map(|&(group, place)| (group as usize, place as usize))
    }
}

impl<S: Shaped> Group<S> {
    fn new(
        members: Vec<BodyId>,
        joints: &[Joint<S>],
        bodies: &dyn Fn(BodyId) -> Option<Body<S>>,
    ) -> Option<Self> {
        let masses = members.iter().map(|&id| match bodies(id)?.kind {
            Kind::Free(free) => Some(free.mass),
            _ => None,
        });
        let masses: Vec<f64> = masses.collect::<Option<_>>()?;
        // Points of static bodies are points of the world.
        let mut own = joints.to_vec();
        for end in own.iter_mut().flat_map(|joint| &mut joint.ends) {
            if let Anchor::Body { id, at } = *end
                && !members.contains(&id)
            {
                *end = Anchor::World(bodies(id)?.pose.to_world(at));
            }
        }
        let find = |id: BodyId| {
            let place = members.binary_search(&id).ok()?;
            Some(LinkedBody::Free(place as u32))
        };
        let linkage = Linkage::new(&own, find, |_| Pose::at(S::Vector::ZERO));
        Some(Group {
            members,
            masses,
            linkage,
            since: 0.0,
            segments: Vec::new(),
        })
    }
}

impl<S: Space> Group<S> {
    fn motion<'a>(
        &self,
        state: &'a GroupState<S>,
    ) -> impl Fn(LinkedBody) -> BodyMotion<S> + Copy + 'a {
        |body| match body {
            LinkedBody::Free(place) => BodyMotion {
                pose: Pose::at(state.positions[place as usize]),
                velocity: state.velocities[place as usize],
                ..BodyMotion::rest()
            },
            _ => BodyMotion::rest(),
        }
    }

    fn inverse_masses(&self) -> Vec<Mass<S>> {
        (self.masses.iter())
            .map(|mass| Mass {
                inverse_mass: 1.0 / mass,
                inverse_inertia: S::isotropic_inertia(0.0),
            })
            .collect()
    }

    /// Adds to vectors, by place, what multipliers of rows do, over the masses.
    fn add(&self, rows: &[Row<S>], multipliers: &[f64], to: &mut [S::Vector]) {
        for (row, &multiplier) in rows.iter().zip(multipliers) {
            for side in [0, 1] {
                if row.bodies[side] != FIXED {
                    let place = row.bodies[side] as usize;
                    to[place] += row.on(side, multiplier).0 * (1.0 / self.masses[place]);
                }
            }
        }
    }

    /// What vectors, by place, are along a row.
    fn along(row: &Row<S>, vectors: &[S::Vector]) -> f64 {
        let of = |side: usize| match row.bodies[side] {
            FIXED => 0.0,
            place => row.along.dot(vectors[place as usize]),
        };
        of(0) - of(1)
    }

    /// m/s².
    fn accelerations(&self, state: &GroupState<S>, gravity: S::Vector) -> Vec<S::Vector> {
        let motion = self.motion(state);
        let mut all = vec![gravity; self.masses.len()];
        for pull in self.linkage.pulls(motion) {
            for (side, force) in [(0, pull.force), (1, -pull.force)] {
                if let LinkedBody::Free(place) = pull.bodies[side] {
                    all[place as usize] += force * (1.0 / self.masses[place as usize]);
                }
            }
        }
        if !self.linkage.is_soft() {
            let rows = self.linkage.rows(motion);
            let mut multipliers: Vec<f64> = (rows.iter())
                .map(|row| -(Self::along(row, &all) + row.bias))
                .collect();
            Factored::new(&rows, &self.inverse_masses()).solve(&mut multipliers);
            self.add(&rows, &multipliers, &mut all);
        }
        all
    }

    /// The part of changes of velocity (m/s, by place) that rods allow: what impulses do that would cause them were the
    /// balls free.
    pub fn allowed(&self, state: &GroupState<S>, mut changes: Vec<S::Vector>) -> Vec<S::Vector> {
        if !self.linkage.is_soft() {
            let rows = self.linkage.rows(self.motion(state));
            let mut multipliers: Vec<f64> =
                rows.iter().map(|row| -Self::along(row, &changes)).collect();
            Factored::new(&rows, &self.inverse_masses()).solve(&mut multipliers);
            self.add(&rows, &multipliers, &mut changes);
        }
        changes
    }

    /// Puts places and velocities onto what rods allow.
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
            let mut positions = std::mem::take(&mut state.positions);
            self.add(&rows, &multipliers, &mut positions);
            state.positions = positions;
        }
        let velocities = std::mem::take(&mut state.velocities);
        let still = GroupState {
            positions: state.positions.clone(),
            velocities: velocities.clone(),
        };
        state.velocities = self.allowed(&still, velocities);
    }

    fn step(&self, from: &GroupState<S>, gravity: S::Vector, step: f64) -> GroupState<S> {
        let moved = |velocity: &[S::Vector], push: &[S::Vector], time: f64| {
            let add = |(&value, &rate): (&S::Vector, &S::Vector)| value + rate * time;
            GroupState {
                positions: from.positions.iter().zip(velocity).map(add).collect(),
                velocities: from.velocities.iter().zip(push).map(add).collect(),
            }
        };
        let half = 0.5 * step;
        let k1 = self.accelerations(from, gravity);
        let second = moved(&from.velocities, &k1, half);
        let k2 = self.accelerations(&second, gravity);
        let third = moved(&second.velocities, &k2, half);
        let k3 = self.accelerations(&third, gravity);
        let fourth = moved(&third.velocities, &k3, step);
        let k4 = self.accelerations(&fourth, gravity);
        let mean = |place: usize, stages: [&[S::Vector]; 4]| {
            let [a, b, c, d] = stages.map(|stage| stage[place]);
            (a + (b + c) * 2.0 + d) * (1.0 / 6.0)
        };
        let places = 0..from.positions.len();
        let velocity: Vec<S::Vector> = (places.clone())
            .map(|place| {
                let stages = [from, &second, &third, &fourth].map(|it| &it.velocities[..]);
                mean(place, stages)
            })
            .collect();
        let push: Vec<S::Vector> = places
            .map(|place| mean(place, [&k1, &k2, &k3, &k4]))
            .collect();
        let mut next = moved(&velocity, &push, step);
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
        let mut rate = 0.0_f64;
        for (stiffness, damping, [(a, _), (b, _)]) in self.linkage.springs() {
            let yields = mass(a) + mass(b);
            rate = rate.max((stiffness * yields).sqrt() + damping * yields);
        }
        let motion = self.motion(state);
        for (bodies, [_, _, length]) in self.linkage.arms() {
            let [a, b] = bodies.map(|body| motion(body).velocity);
            let swing = (gravity.length() / length).sqrt();
            rate = rate.max((a - b).length() / length + swing);
        }
        rate
    }

    /// What lengths are measured against: the longest joint, and the way of the fastest ball in a time (s), m.
    fn size(&self, state: &GroupState<S>, time: f64) -> f64 {
        let rods = self.linkage.arms().map(|(_, [_, _, length])| length);
        let pulls = self.linkage.pulls(self.motion(state));
        let springs = pulls.map(|pull| (pull.points[0] - pull.points[1]).length());
        let ways = state.velocities.iter().map(|v| v.length() * time);
        rods.chain(springs)
            .chain(ways)
            .fold(f64::MIN_POSITIVE, f64::max)
    }

    /// Puts the group onto its next segments, from a time by the run's clock on (s).
    pub fn go_on(
        &mut self,
        since: f64,
        mut state: GroupState<S>,
        gravity: S::Vector,
        spins: &[S::Angular],
    ) {
        self.put_right(&mut state);
        self.since = since;
        let rate = self.rate(&state, gravity);
        let start = self.accelerations(&state, gravity);
        let mut span = A_SEGMENT / rate;
        let mut end = state.clone();
        let size = self.size(&state, span);
        if span.is_finite() {
            for _ in 0..HALVINGS {
                end = self.steps(&state, gravity, span, STEPS);
                let coarse = self.steps(&state, gravity, span, STEPS / 2);
                let apart = |fine: &[S::Vector], coarse: &[S::Vector]| {
                    let pairs = fine.iter().zip(coarse);
                    pairs.map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
                };
                // What a velocity is off by, a place will be in as much time again.
                let off = apart(&end.positions, &coarse.positions)
                    + span * apart(&end.velocities, &coarse.velocities);
                // A NaN is told of when the ball gets there.
                if !(off > 15.0 * ACCURATE * size) {
                    break;
                }
                span *= 0.5;
            }
        }
        let finish = self.accelerations(&end, gravity);
        self.segments = (0..self.masses.len())
            .map(|place| {
                let angular_velocity = Curve::constant(spins[place]);
                if !span.is_finite() {
                    return TrajectorySegment {
                        place: Curve::new(&[state.positions[place], state.velocities[place]]),
                        angular_velocity,
                        end: f64::INFINITY,
                    };
                }
                let at = |state: &GroupState<S>, push: &[S::Vector]| {
                    [state.positions[place], state.velocities[place], push[place]]
                };
                TrajectorySegment {
                    place: quintic(at(&state, &start), at(&end, &finish), span),
                    angular_velocity,
                    end: span,
                }
            })
            .collect();
    }

    /// At a time by the run's clock, s.
    pub fn state_at(&self, time: f64) -> GroupState<S> {
        let dt = time - self.since;
        GroupState {
            positions: self.segments.iter().map(|it| it.position_at(dt)).collect(),
            velocities: self.segments.iter().map(|it| it.velocity_at(dt)).collect(),
        }
    }

    /// What springs hold where the balls are at these places (m), J.
    pub fn stored_at(&self, positions: Vec<S::Vector>) -> f64 {
        let velocities = vec![S::Vector::ZERO; positions.len()];
        let state = GroupState {
            positions,
            velocities,
        };
        let pulls = self.linkage.pulls(self.motion(&state));
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

/// Abscissae and weights of Gauss's rule with four points on [−1, 1].
const GAUSS: [(f64, f64); 4] = [
    (-0.861_136_311_594_052_6, 0.347_854_845_137_453_85),
    (-0.339_981_043_584_856_26, 0.652_145_154_862_546_1),
    (0.339_981_043_584_856_26, 0.652_145_154_862_546_1),
    (0.861_136_311_594_052_6, 0.347_854_845_137_453_85),
];
