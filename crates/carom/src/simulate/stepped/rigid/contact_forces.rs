//! What two bodies do to each other at an instant: springs and dampers at all points at which they touch.
//!
//! # How a stiffness is shared
//!
//! k belongs to a contact of two convex parts as a whole. Where a face lies on another the region they share is a
//! polygon, and each of its corners is a spring with a *share* w of k and of the damping: half of the two sides that
//! meet there, over the outline. The shares add up to one, so that a box that lies flat sinks in by `m g/k` however
//! many corners it has, and its impact lasts as long as k says. They are those of the whole polygon, corners that hang
//! free included: a corner that comes down finds its spring waiting at zero, and nothing jumps when it touches. So the
//! force of a face has a potential, `½k Σ w δ²`, and springs give back what they took. The price is that a body that
//! stands on one corner of a face with n has about k/n under it (in 2-D k/2), and sinks in n times as deep. A corner
//! that is cut in two where outlines cross has the two halves of its share. Two edges that cross have the share that a
//! corner of their faces would have; the round end of a capsule has the half that it has on a face, on a corner too;
//! balls have all of k, and capsules that cross in 3-D.
//!
//! Damping follows from restitution in every contact anew: `c = 2ζ√(K m)` with K the stiffness of the points that touch
//! and m the mass that they meet along the normal at the centre of their pressure, `1/m = Σ 1/m_i + (r×n)·I⁻¹(r×n)`. So
//! a corner that strikes rebounds with ε, as a face does.

use super::super::bodies::{ForceBodies, ForceBodyRef};
use super::super::rates::Who;
use super::frame::RigidFrame;
use super::resistance::{SPINS, lever, resist};
use super::rigid_bodies::{Pairing, RigidBodies};
use crate::broad::nearest_image;
use crate::force::{Ending, Friction, Held, Normal, carry, rub};
use crate::impact::Strikable;
use crate::motion::Pose;
use crate::shape::Shaped;
use crate::shape::convex::{Convex, Manifold, Meeting, meeting, meetings};
use crate::simulate::refuse::ForcesError;
use crate::space::{Linear, Space};

/// Which parts, and which features of them.
pub(super) type FeatureKey = (u32, u32, u64);

/// What a point remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct PointMemory<S: Space> {
    pub key: FeatureKey,
    pub held: Held<S::Vector>,
}

/// Two bodies that are near each other.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct NearPair {
    pub a: u32,
    pub other: ForceBodyRef,
    pub pairing: Pairing,
}

impl NearPair {
    pub fn key(&self) -> (u32, ForceBodyRef) {
        (self.a, self.other)
    }
}

/// What a pair does at an instant.
#[derive(Clone, Debug)]
pub(super) struct PairPull<S: Space> {
    /// How deep they overlap, m; negative where they are apart: no more than their distance then.
    pub depth: f64,
    /// Whether it does anything.
    pub acts: bool,
    /// On a, N, and the torques on both about their centres, N·m.
    pub force: S::Vector,
    pub torques: [S::Angular; 2],
    /// About the world's origin, on a.
    pub moment: S::Angular,
    /// What the other's motion does, W.
    pub kinematic: f64,
    /// To the dampers, and into the springs and sliders across the normal, W.
    pub damper: f64,
    pub rubbing: f64,
    /// Into what resists rolling and spinning, W.
    pub resisted: [f64; 2],
    /// In the springs along and across the normal, J.
    pub stored: [f64; 2],
    /// What points remember from then on, and how fast their springs are stretched, m/s.
    pub spots: Vec<PointMemory<S>>,
    pub rates: Vec<S::Vector>,
    pub slides: bool,
    /// Into a, at the deepest manifold.
    pub normal: S::Vector,
    /// Where they touch: the centre of pressure, m.
    pub point: S::Vector,
    /// Along the normal there, m/s; negative where they close.
    pub normal_velocity: f64,
    /// The force along the normal of the whole, N: what it would be if attraction were never cut off.
    pub pressing: f64,
}

impl<S: Space> Default for PairPull<S> {
    fn default() -> Self {
        PairPull {
            depth: f64::NEG_INFINITY,
            acts: false,
            force: S::Vector::ZERO,
            torques: [S::Angular::ZERO; 2],
            moment: S::Angular::ZERO,
            kinematic: 0.0,
            damper: 0.0,
            rubbing: 0.0,
            resisted: [0.0; 2],
            stored: [0.0; 2],
            spots: Vec::new(),
            rates: Vec::new(),
            slides: false,
            normal: S::Vector::ZERO,
            point: S::Vector::ZERO,
            normal_velocity: 0.0,
            pressing: 0.0,
        }
    }
}

impl<S: Space> PairPull<S> {
    /// Into everything that acts across the normal, W.
    pub fn taken(&self) -> f64 {
        self.rubbing + self.resisted[0] + self.resisted[1]
    }
}

/// One side of a pair at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairSide<S: Space> {
    pub pose: Pose<S>,
    /// Of the periodic box that it is in, m.
    pub corner: S::Vector,
    pub velocity: S::Vector,
    pub angular_velocity: S::Angular,
    pub inverse_mass: f64,
    pub inverse_inertia: S::Inertia,
}

impl<S: Space> PairSide<S> {
    fn velocity_at(&self, point: S::Vector) -> S::Vector {
        self.velocity + S::surface_velocity(self.angular_velocity, point - self.pose.position)
    }

    /// How much a newton along n at a point speeds the point up, 1/kg.
    fn yields(&self, point: S::Vector, normal: S::Vector) -> f64 {
        let arm = S::torque(point - self.pose.position, normal);
        self.inverse_mass + arm.dot(S::angular_response(self.inverse_inertia, arm))
    }
}

/// Everyone's side at an instant, by slot.
pub(super) fn sides<S: Shaped>(cast: &RigidBodies<S>, frame: &RigidFrame<S>) -> Vec<PairSide<S>> {
    (cast.free.iter().enumerate())
        .map(|(slot, player)| {
            let pose = frame.pose[slot];
            PairSide {
                pose,
                corner: frame.boxes[slot],
                velocity: frame.velocity[slot],
                angular_velocity: player.angular_velocity(pose.rotation, frame.turn[slot]),
                inverse_mass: 1.0 / player.mass,
                inverse_inertia: player.inverse_inertia(pose.rotation),
            }
        })
        .collect()
}

/// How to look at a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glance<'a, S: Space> {
    pub time: f64,
    pub who: Who,
    /// Whether the pair is said to overlap.
    pub touches: bool,
    /// What its points remember.
    pub memory: &'a [PointMemory<S>],
    /// For how long springs are stretched at the slip of this instant before they pull, s.
    pub stretch_for: f64,
}

impl<'a, S: Space> Glance<'a, S> {
    /// At the points that overlap at a world time (s), with springs stretched as they are.
    pub fn now(time: f64, touches: bool, memory: &'a [PointMemory<S>]) -> Self {
        Glance {
            time,
            who: Who::Overlapping,
            touches,
            memory,
            stretch_for: 0.0,
        }
    }
}

/// A point that acts, with its share of the stiffness.
pub(super) struct PointSpring<S: Space> {
    pub key: FeatureKey,
    pub place: S::Vector,
    pub depth: f64,
    pub share: f64,
}

/// A pose elsewhere, m.
fn moved<S: Space>(pose: Pose<S>, by: S::Vector) -> Pose<S> {
    Pose {
        position: pose.position + by,
        ..pose
    }
}

/// The forces of a pair of bodies on each other, and how deep they overlap.
///
/// Longer than most: one pass over the points of contact, in which each force needs what was found before it.
pub(super) fn press<S: Strikable>(
    stage: &ForceBodies<S>,
    cast: &RigidBodies<S>,
    near: &NearPair,
    sides: &[PairSide<S>],
    glance: Glance<'_, S>,
) -> PairPull<S> {
    let one = &sides[near.a as usize];
    let two = match near.other {
        ForceBodyRef::Ball(b) => PairSide {
            pose: stage.seen_from(one.pose.position, sides[b as usize].pose),
            ..sides[b as usize]
        },
        ForceBodyRef::Fixture(index) => {
            let state = stage.fixtures[index as usize].state_at(glance.time);
            PairSide {
                pose: moved(state.pose, one.corner),
                corner: one.corner,
                velocity: state.velocity,
                angular_velocity: state.angular_velocity,
                inverse_mass: 0.0,
                inverse_inertia: S::isotropic_inertia(0.0),
            }
        }
    };
    let (form, other) = (&cast.free[near.a as usize].form, cast.form(near.other));
    let size = form.reach().min(other.reach());
    let apart = one.pose.position - two.pose.position;
    let mut pull = PairPull::default();
    let far = apart.length() > form.reach() + other.reach();
    if !glance.touches && (far || glance.who == Who::Touching) {
        return pull;
    }
    // All corners of the faces that lie on each other are asked for, however far they are apart: theirs is a share too.
    let margin = 4.0 * size;
    if !glance.touches && meetings(form, &one.pose, other, &two.pose, 0.0).is_empty() {
        return pull;
    }
    let mut weight = 0.0;
    let found = meetings(form, &one.pose, other, &two.pose, margin);
    // A little beyond its end a contact that is located goes on as before: the contact of the whole pair. Of several
    // manifolds (parts, corners in a hollow) those that have come free do nothing while others press.
    let beyond = glance.who == Who::Touching && found.iter().all(|(_, _, it)| it.depth <= 0.0);
    for (i, j, manifold) in found {
        let normal = -manifold.normal;
        if manifold.depth > pull.depth {
            (pull.depth, pull.normal) = (manifold.depth, normal);
        }
        let acts = match glance.who {
            Who::Overlapping => manifold.depth > 0.0,
            Who::Touching => glance.touches,
        };
        if !acts {
            continue;
        }
        let parts = (&form.parts()[i], &other.parts()[j]);
        let memory = beyond.then_some(glance.memory);
        let springs = springs(parts, [&one.pose, &two.pose], &manifold, (i, j), memory);
        act(
            near,
            (one, &two),
            normal,
            &springs,
            &glance,
            &mut pull,
            &mut weight,
        );
        let free = matches!(near.other, ForceBodyRef::Ball(_));
        resist(
            near,
            (one, &two),
            (normal, lever(parts, free)),
            &springs,
            &glance,
            &mut pull,
        );
    }
    if weight > 0.0 {
        pull.point = pull.point * (1.0 / weight);
        pull.normal_velocity /= weight;
    }
    pull
}

/// How deep two bodies overlap, m; negative where they are apart: no more than their distance then.
pub(super) fn depth<S: Strikable>(
    stage: &ForceBodies<S>,
    cast: &RigidBodies<S>,
    near: &NearPair,
    frame: &RigidFrame<S>,
    time: f64,
) -> f64 {
    let pose = frame.pose[near.a as usize];
    let other_pose = match near.other {
        ForceBodyRef::Ball(b) => stage.seen_from(pose.position, frame.pose[b as usize]),
        ForceBodyRef::Fixture(index) => {
            let there = stage.fixtures[index as usize].state_at(time).pose;
            moved(there, frame.boxes[near.a as usize])
        }
    };
    let (form, other) = (&cast.free[near.a as usize].form, cast.form(near.other));
    let reach = form.reach() + other.reach();
    let apart = (pose.position - other_pose.position).length();
    if apart > reach {
        return reach - apart;
    }
    match meeting(form, &pose, other, &other_pose, 0.0) {
        Meeting::Apart { gap, .. } => -gap.max(0.0),
        Meeting::Touching(manifold) => manifold.depth,
    }
}

/// The points of a manifold that act: those that overlap; beyond the end of the contact those that are remembered.
fn springs<S: Space>(
    (a, b): (&Convex<S>, &Convex<S>),
    poses: [&Pose<S>; 2],
    manifold: &Manifold<S>,
    (i, j): (usize, usize),
    beyond: Option<&[PointMemory<S>]>,
) -> Vec<PointSpring<S>> {
    let shares = shares(a, b, poses, manifold);
    let all = manifold.points.iter().zip(shares);
    let mut springs: Vec<PointSpring<S>> = all
        .filter(|(_, share)| *share > 0.0)
        .map(|(point, share)| PointSpring {
            key: (i as u32, j as u32, point.feature),
            place: (point.on_a + point.on_b) * 0.5,
            depth: point.depth,
            share,
        })
        .collect();
    springs.retain(|spring| {
        let acted = |memory: &[PointMemory<S>]| memory.iter().any(|spot| spot.key == spring.key);
        spring.depth > 0.0 || beyond.is_some_and(acted)
    });
    springs
}

/// The springs of a manifold act: all that they do is added to what the pair does.
///
/// Longer than most: one pass over the springs, in the innermost loop of a step, that adds up all that each of them
/// does.
fn act<S: Space>(
    near: &NearPair,
    (one, two): (&PairSide<S>, &PairSide<S>),
    normal: S::Vector,
    springs: &[PointSpring<S>],
    glance: &Glance<'_, S>,
    pull: &mut PairPull<S>,
    weight: &mut f64,
) {
    if springs.is_empty() {
        return;
    }
    let (pairing, couple) = (&near.pairing, &near.pairing.couple);
    let part: f64 = springs.iter().map(|spring| spring.share).sum();
    // Where nothing is pressed yet every point counts by its share.
    let pressed: f64 = (springs.iter())
        .map(|it| it.share * it.depth.max(0.0))
        .sum();
    let load = |spring: &PointSpring<S>| {
        if pressed > 0.0 {
            spring.share * spring.depth.max(0.0) / pressed
        } else {
            spring.share / part
        }
    };
    let mut centre = S::Vector::ZERO;
    for spring in springs {
        centre += spring.place * load(spring);
    }
    let mass = 1.0 / (one.yields(centre, normal) + two.yields(centre, normal));
    let damping = pairing.damping(part, mass);
    let mean = memory_of(glance.memory, springs[0].key);
    for spring in springs {
        let relative = one.velocity_at(spring.place) - two.velocity_at(spring.place);
        let normal_velocity = normal.dot(relative);
        let slip = relative - normal * normal_velocity;
        let share = spring.share / part;
        let law = Normal {
            stiffness: couple.normal.stiffness * spring.share,
            damping: damping * share,
            ..couple.normal
        };
        let mut along = law.force(spring.depth.abs(), normal_velocity);
        if spring.depth < 0.0 {
            along.elastic = -along.elastic;
        }
        let uncut = Normal {
            ending: Ending::Attracting,
            ..law
        };
        pull.pressing += uncut.force(spring.depth.max(0.0), normal_velocity).total();
        let depth = spring.depth.max(0.0);
        let scale = couple.normal.tangential_scale(depth);
        let friction = Friction {
            stiffness: couple.sliding.stiffness * spring.share,
            damping: if couple.normal.damping > 0.0 {
                couple.sliding.damping * (law.damping / couple.normal.damping)
            } else {
                couple.sliding.damping * spring.share
            },
            ..couple.sliding
        };
        let mut across = S::Vector::ZERO;
        if friction.acts() {
            let known = glance.memory.iter().find(|spot| spot.key == spring.key);
            let held = known.map_or(mean, |spot| spot.held);
            let held = Held {
                stretch: carry(held.stretch, normal) + slip * glance.stretch_for,
                slides: held.slides,
            };
            let rubbing = rub(&friction, scale, &held, slip, along.total().abs());
            across = rubbing.force;
            pull.slides |= rubbing.held.slides;
            let stiffness = friction.stiffness * scale.0;
            pull.stored[1] += 0.5 * stiffness * held.stretch.length_squared();
            pull.spots.push(PointMemory {
                key: spring.key,
                held: rubbing.held,
            });
            pull.rates.push(slip);
        } else {
            let held = Held::default();
            pull.spots.push(PointMemory {
                key: spring.key,
                held,
            });
            pull.rates.push(S::Vector::ZERO);
        }
        let force = normal * along.total() + across;
        let wall = two.velocity_at(spring.place);
        pull.acts = true;
        pull.force += force;
        pull.torques[0] += S::torque(spring.place - one.pose.position, force);
        pull.torques[1] -= S::torque(spring.place - two.pose.position, force);
        pull.moment += S::torque(spring.place, force);
        pull.kinematic += force.dot(wall);
        pull.damper -= along.viscous * normal_velocity;
        pull.rubbing -= across.dot(slip);
        pull.stored[0] += law.energy(depth);
        let counts = load(spring) * couple.normal.stiffness * pressed.max(f64::MIN_POSITIVE);
        pull.point += spring.place * counts;
        pull.normal_velocity += normal_velocity * counts;
        *weight += counts;
    }
}

/// What a point begins with whose features nobody remembers: what the points of the same parts remember in the mean.
/// Features change their numbers when the other face becomes the one that lies on it; the surfaces have moved past each
/// other as far as before.
fn memory_of<S: Space>(memory: &[PointMemory<S>], key: FeatureKey) -> Held<S::Vector> {
    let same =
        |spot: &&PointMemory<S>| (spot.key.0, spot.key.1) == (key.0, key.1) && spot.key.2 < SPINS;
    let number = memory.iter().filter(same).count();
    let mut mean = Held::default();
    for spot in memory.iter().filter(same) {
        mean.stretch += spot.held.stretch * (1.0 / number as f64);
        mean.slides |= spot.held.slides;
    }
    mean
}

/// The part of the stiffness that each point of a manifold has.
fn shares<S: Space>(
    a: &Convex<S>,
    b: &Convex<S>,
    [pose_a, pose_b]: [&Pose<S>; 2],
    manifold: &Manifold<S>,
) -> Vec<f64> {
    let points = &manifold.points;
    let mut shares = vec![0.0; points.len()];
    let kept: Vec<usize> = (0..points.len())
        .filter(|&i| {
            counts(a, pose_a, manifold.normal, points[i].on_a)
                && counts(b, pose_b, -manifold.normal, points[i].on_b)
        })
        .collect();
    match kept[..] {
        [] => {}
        [only] => shares[only] = only_share(a, b),
        [one, other] => (shares[one], shares[other]) = (0.5, 0.5),
        _ => {
            let number = kept.len();
            let place = |i: usize| points[kept[i % number]].on_a;
            let sides: Vec<f64> = (0..number)
                .map(|i| (place(i + 1) - place(i)).length())
                .collect();
            let outline: f64 = sides.iter().sum();
            for i in 0..number {
                let before = sides[(i + number - 1) % number];
                shares[kept[i]] = if outline > 0.0 {
                    0.5 * (before + sides[i]) / outline
                } else {
                    1.0 / number as f64
                };
            }
        }
    }
    shares
}

/// What part of the stiffness the only point of a manifold has: what it would have beside another that hangs free, so
/// that nothing jumps where a corner, or the round end of a capsule, goes over from a face to a corner. Balls have all
/// of it on faces too, and in 3-D two capsules where they cross.
fn only_share<S: Space>(a: &Convex<S>, b: &Convex<S>) -> f64 {
    let ball = |part: &Convex<S>| part.corners().count() == 1;
    let round = [a, b].map(|part| part.rounding() > 0.0);
    match round {
        _ if ball(a) || ball(b) => 1.0,
        [true, true] if S::DIMENSION == 3 => 1.0,
        [false, false] => corner_share(a).min(corner_share(b)),
        _ => 0.5,
    }
}

/// A cylinder stands on its rim or lies on its side; its manifold has points of both, of which those count that it
/// would rest on.
fn counts<S: Space>(part: &Convex<S>, pose: &Pose<S>, out: S::Vector, point: S::Vector) -> bool {
    let Some((centre, axis, half_length, radius)) = part.as_cylinder() else {
        return true;
    };
    let (out, arm) = (
        S::unrotate(pose.rotation, out),
        pose.to_local(point) - centre,
    );
    let along = axis.dot(out);
    let size = half_length + radius;
    if along * along > 0.5 {
        let end = if along < 0.0 {
            -half_length
        } else {
            half_length
        };
        return (axis.dot(arm) - end).abs() <= 1e-6 * size;
    }
    let Some(lowest) = (out - axis * along).unit() else {
        return true;
    };
    let across = arm - axis * axis.dot(arm);
    lowest.dot(across) >= radius * (1.0 - 1e-3)
}

/// What part of a face's stiffness one of its corners has.
fn corner_share<S: Space>(part: &Convex<S>) -> f64 {
    let (mut faces, mut corners) = (0.0, 0.0);
    for (_, around) in part.faces() {
        faces += 1.0;
        corners += around.len() as f64;
    }
    match (part.as_cylinder().is_some(), corners > 0.0) {
        (true, _) => 0.5,
        (false, true) => faces / corners,
        (false, false) => 1.0,
    }
}

impl<S: Shaped> ForceBodies<S> {
    /// The nearest image of a body at a pose, seen from a place: each reaches less than a quarter of a periodic box.
    pub(super) fn seen_from(&self, place: S::Vector, pose: Pose<S>) -> Pose<S> {
        if self.periods == [0.0; 3] {
            return pose;
        }
        Pose {
            position: place + nearest_image::<S>(pose.position - place, self.periods),
            ..pose
        }
    }

    pub(super) fn near(&self, a: u32, other: ForceBodyRef) -> Result<NearPair, ForcesError> {
        let pairing = self.pairing(a, other)?;
        Ok(NearPair { a, other, pairing })
    }
}
