//! Contacts of measurable duration (row C4) of bodies that turn.
//!
//! At a contact that lasts τ the law answers as ever, and gives the velocities with which the bodies *leave*: `u_i`,
//! `ω_i`. Before that two free bodies travel for τ as **one rigid body**: its centre is that of both, and it has their
//! momentum and their angular momentum, orbital part included. With C the common centre, M the mass, J the inertia of
//! both about C, and L their angular momentum about C (which the impact does not change),
//!
//! ```text
//! V = (m_a v_a + m_b v_b)/M        Ω = J⁻¹ L        w_i = V + Ω × (x_i − C)
//! ```
//!
//! It turns free of torque and falls as one body. With R(t) for how far it has turned, the bodies leave at any time t
//! with
//!
//! ```text
//! u_i′ = w_i(t) + R(t) (u_i − w_i(0))        ω_i′ = Ω(t) + R(t) (ω_i − Ω(0))
//! ```
//!
//! What is turned here, the difference of two motions with the same momentum and the same angular momentum, has none of
//! either; and it is orthogonal, in the measure of energy, to every motion as one rigid body. So momentum, angular
//! momentum and energy of what leaves are those that the law gave, exactly, for any t: the contact may be cut short at
//! any time. (For balls alone `sticking.rs` of the other engine has the row as it is written, with spins only in L;
//! there the orbital part is in the account of contacts.)
//!
//! Against fixtures a body slides along the plane of contact without turning, `v_s = v − (n·(v − w)) n`, with w the
//! velocity of the fixtures there; gravity's part along the plane acts, the fixtures bears the rest; and it leaves with
//! `u + g_∥ t` and ω. That plane separates convex bodies, so nothing can overlap meanwhile; where it does not (fixtures
//! that turn, bodies of several parts of which one reaches past the plane) contacts have no duration. A ball of
//! infinite moment of inertia keeps the pair from turning: Ω = 0.
//!
//! The budgets have the bodies as they would be were they released now; what that is more than they have is in contact.

use super::bodies::{RigidBody, RigidBodyRef, RigidWorld};
use super::core::Core;
use super::geometry::seen_from;
use super::track::Track;
use crate::audit::Holdings;
use crate::impact::solids::RigidTrajectory;
use crate::motion::Pose;
use crate::record::{Release, Separation, Velocities};
use crate::shape::Shaped;
use crate::shape::convex::Compound;
use crate::space::{Linear, Space};
use glam::{DMat3, DVec3};

/// Two bodies in a contact that lasts.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct StickingContact<S: Space> {
    pub a: u32,
    pub other: RigidBodyRef,
    /// Of the collision that began it.
    pub number: u64,
    /// World times, s; the end if nothing happens before.
    pub began: f64,
    pub ends: f64,
    /// Where each of the two is in the frame of the pair, whose origin is the common centre of mass and whose axes were
    /// the world's at the beginning.
    pub places: [Pose<S>; 2],
    /// What they are to leave with, more than they travel at, at the beginning.
    pub more: [Velocities<S>; 2],
    /// What the first would leave with at the beginning: for the budget, where it is fixtures that it touches.
    pub first: Holdings<S>,
    /// Their forms in the frame of the pair; `None` where the other is fixture.
    pub forms: Option<Box<[Compound<S>; 2]>>,
}

/// What begins a contact that lasts.
pub(in crate::simulate) struct Beginning<S: Space> {
    pub pair: (u32, RigidBodyRef),
    /// Into the first.
    pub normal: S::Vector,
    /// Of the fixtures where they touch, m/s.
    pub surface_velocity: S::Vector,
    /// By the law, of the free ones.
    pub after: [Velocities<S>; 2],
    pub number: u64,
    pub time: f64,
    pub lasts: f64,
}

/// The inertia of a body about a place at the end of an arm, kg·m².
fn inertia_about<S: Shaped>(inert: &RigidBody<S>, pose: &Pose<S>) -> DMat3 {
    let column = |axis: DVec3| {
        let momentum = inert.angular_momentum(pose.rotation, S::angular_velocity(axis.to_array()));
        DVec3::from_array(S::angular_velocity_components(momentum))
    };
    let own = DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
    let r = DVec3::from_array(S::components(pose.position));
    let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
    own + (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer) * inert.mass
}

impl<S: Shaped> StickingContact<S> {
    pub fn has(&self, slot: u32) -> bool {
        self.a == slot || self.other == RigidBodyRef::Body(slot)
    }

    pub fn side(&self, slot: u32) -> usize {
        usize::from(self.a != slot)
    }

    /// The inertia of the two together in their frame, kg·m²; `None` where they cannot turn.
    fn inertia(&self, stage: &RigidWorld<S>) -> Option<DMat3> {
        let RigidBodyRef::Body(b) = self.other else {
            return None;
        };
        let pair = [self.a, b].map(|slot| &stage.inert[slot as usize]);
        if pair.iter().any(|inert| inert.is_held()) {
            return None;
        }
        let [first, second] = [0, 1].map(|side| inertia_about(pair[side], &self.places[side]));
        Some(first + second)
    }

    /// The way of the pair, or of the one that slides along fixture.
    pub fn track(
        &self,
        stage: &RigidWorld<S>,
        slot: u32,
        (pose, velocity): (Pose<S>, S::Vector),
        angular_velocity: S::Angular,
        acceleration: S::Vector,
    ) -> Track<S> {
        let inert = &stage.inert[slot as usize];
        let times = (self.began, self.ends);
        let mut track = Track::flight(inert, times, pose, velocity, S::Angular::ZERO, acceleration);
        if self.forms.is_some() {
            let arm = self.places[self.side(slot)].position.length();
            track.reach = inert.reach + arm;
            track.angular_velocity = angular_velocity;
            let inertia = self.inertia(stage);
            track.course = RigidTrajectory::of_inertia(
                inertia,
                self.began,
                pose,
                (velocity, acceleration),
                angular_velocity,
            );
        }
        track
    }

    /// The forms of the two in the frame of the pair.
    pub fn shift_forms(&mut self, stage: &RigidWorld<S>) {
        if let RigidBodyRef::Body(b) = self.other {
            let shifted = |slot: u32, side: usize| {
                let form = &stage.inert[slot as usize].form;
                let place = &self.places[side];
                form.moved(place)
            };
            self.forms = Some(Box::new([shifted(self.a, 0), shifted(b, 1)]));
        }
    }
}

impl<S: Shaped> Core<S> {
    pub fn sticking_of(&self, slot: u32) -> Option<&StickingContact<S>> {
        let id = self.moving[slot as usize].sticking?;
        self.sticking[id as usize].as_ref()
    }

    /// Where a body is at a time, and how it moves: of two sticking together as they travel.
    pub fn travels(&self, slot: u32, t: f64) -> (Pose<S>, Velocities<S>) {
        let track = &self.moving[slot as usize].track;
        let (pose, angular_velocity) = (track.pose_at(t), track.angular_velocity_at(t));
        let velocity = track.velocity_at(t);
        match self.sticking_of(slot).filter(|it| it.forms.is_some()) {
            None => (
                pose,
                Velocities {
                    velocity,
                    angular_velocity,
                },
            ),
            Some(sticking) => {
                let place = &sticking.places[sticking.side(slot)];
                let position = pose.to_world(place.position);
                let rotation = S::compose(pose.rotation, place.rotation);
                let velocity =
                    velocity + S::surface_velocity(angular_velocity, position - pose.position);
                (
                    Pose { position, rotation },
                    Velocities {
                        velocity,
                        angular_velocity,
                    },
                )
            }
        }
    }

    /// The same, with what it would leave with at that time.
    pub fn leaves(&self, slot: u32, t: f64) -> (Pose<S>, Velocities<S>) {
        let (pose, mut moves) = self.travels(slot, t);
        if let Some(sticking) = self.sticking_of(slot) {
            let more = &sticking.more[sticking.side(slot)];
            let turn = if sticking.forms.is_some() {
                self.moving[slot as usize].track.rotation_at(t)
            } else {
                S::no_rotation()
            };
            moves.velocity += S::rotate(turn, more.velocity);
            moves.angular_velocity += rotate_spin::<S>(turn, more.angular_velocity);
        }
        (pose, moves)
    }

    /// Lets two stick together from where they are.
    pub fn begin_sticking(&mut self, stage: &RigidWorld<S>, it: &Beginning<S>) {
        let (a, other) = it.pair;
        let t = it.time;
        let (pose, before) = self.travels(a, t);
        let nobody = Pose::default();
        let none = Velocities {
            velocity: S::Vector::ZERO,
            angular_velocity: S::Angular::ZERO,
        };
        let mut sticking = StickingContact {
            a,
            other,
            number: it.number,
            began: t,
            ends: t + it.lasts,
            places: [nobody; 2],
            more: [none; 2],
            first: Holdings::default(),
            forms: None,
        };
        let RigidBodyRef::Body(b) = other else {
            return self.stick_to_fixture(stage, it, sticking, pose, &before);
        };
        let (its_pose, its) = self.travels(b, t);
        let its_pose = seen_from(stage, other, &[pose, its_pose]);
        let masses = [a, b].map(|slot| stage.inert[slot as usize].mass);
        let whole = masses[0] + masses[1];
        let mean =
            |one: S::Vector, two: S::Vector| one * (masses[0] / whole) + two * (masses[1] / whole);
        let centre = mean(pose.position, its_pose.position);
        let velocity = mean(before.velocity, its.velocity);
        let at = |pose: &Pose<S>| Pose {
            position: pose.position - centre,
            rotation: pose.rotation,
        };
        sticking.places = [at(&pose), at(&its_pose)];
        let both = [(a, &before), (b, &its)];
        let mut momentum = S::Angular::ZERO;
        for (side, (slot, moves)) in both.iter().enumerate() {
            let place = &sticking.places[side];
            let inert = &stage.inert[*slot as usize];
            momentum += S::torque(place.position, (moves.velocity - velocity) * masses[side])
                + inert.angular_momentum(place.rotation, moves.angular_velocity);
        }
        let angular_velocity = sticking
            .inertia(stage)
            .map_or(S::Angular::ZERO, |inertia| answer::<S>(inertia, momentum));
        for (side, after) in it.after.iter().enumerate() {
            let place = sticking.places[side].position;
            sticking.more[side] = Velocities {
                velocity: after.velocity - velocity - S::surface_velocity(angular_velocity, place),
                angular_velocity: after.angular_velocity - angular_velocity,
            };
        }
        sticking.shift_forms(stage);
        let start = Pose {
            position: centre,
            rotation: S::no_rotation(),
        };
        let tracks = [a, b].map(|slot| {
            sticking.track(
                stage,
                slot,
                (start, velocity),
                angular_velocity,
                stage.gravity,
            )
        });
        let id = self.found_sticking(sticking);
        let [mine, its_track] = tracks;
        self.enter_sticking(a, other, id, mine);
        self.enter_sticking(b, RigidBodyRef::Body(a), id, its_track);
    }

    /// The same where the other is a fixture: the body moves with its surface, and along it.
    fn stick_to_fixture(
        &mut self,
        stage: &RigidWorld<S>,
        it: &Beginning<S>,
        mut sticking: StickingContact<S>,
        pose: Pose<S>,
        before: &Velocities<S>,
    ) {
        let (a, other) = it.pair;
        let t = it.time;
        let n = it.normal;
        let along = |vector: S::Vector| vector - n * n.dot(vector);
        let velocity = before.velocity - n * n.dot(before.velocity - it.surface_velocity);
        sticking.more[0] = Velocities {
            velocity: it.after[0].velocity - velocity,
            angular_velocity: it.after[0].angular_velocity,
        };
        let track = sticking.track(
            stage,
            a,
            (pose, velocity),
            S::Angular::ZERO,
            along(stage.gravity),
        );
        let id = self.found_sticking(sticking);
        self.enter_sticking(a, other, id, track);
        let first = self.holdings_leaving(stage, a, t);
        if let Some(sticking) = &mut self.sticking[id as usize] {
            sticking.first = first;
        }
    }

    fn found_sticking(&mut self, sticking: StickingContact<S>) -> u32 {
        let free = self.sticking.iter().position(Option::is_none);
        let id = free.unwrap_or_else(|| {
            self.sticking.push(None);
            self.sticking.len() - 1
        });
        self.sticking[id] = Some(sticking);
        id as u32
    }

    fn enter_sticking(&mut self, slot: u32, with: RigidBodyRef, id: u32, track: Track<S>) {
        self.set_track(slot, track);
        let moving = &mut self.moving[slot as usize];
        moving.sticking = Some(id);
        moving.island = None;
        moving.partners = vec![with];
    }

    /// Ends a contact that lasts, and lets its bodies fly.
    pub fn part(&mut self, stage: &RigidWorld<S>, id: u32, separation: Separation, t: f64) {
        self.enter_borne(stage, id, t);
        let Some(sticking) = self.sticking[id as usize].clone() else {
            return;
        };
        let mut free = vec![sticking.a];
        if let RigidBodyRef::Body(b) = sticking.other {
            free.push(b);
        }
        let left: Vec<_> = free.iter().map(|&slot| self.leaves(slot, t)).collect();
        for (&slot, (pose, moves)) in free.iter().zip(left) {
            self.end_flight(stage, slot, t);
            let times = (t, f64::INFINITY);
            let inert = &stage.inert[slot as usize];
            let track = Track::flight(
                inert,
                times,
                pose,
                moves.velocity,
                moves.angular_velocity,
                stage.acceleration(inert),
            );
            self.set_track(slot, track);
            let moving = &mut self.moving[slot as usize];
            moving.sticking = None;
            moving.partners.clear();
        }
        self.sticking[id as usize] = None;
        self.released.push(Release {
            time: t,
            number: sticking.number,
            a: stage.inert[sticking.a as usize].id,
            b: stage.id_of(sticking.other),
            duration: t - sticking.began,
            separation: if t >= sticking.ends {
                Separation::Time
            } else {
                separation
            },
        });
    }

    /// Enters what fixtures that a body slides along has borne for it so far.
    ///
    /// It bears gravity's part across the plane, `−m (g − g_∥)`. The body goes at `v_s + g_∥ t` and would leave with
    /// `u + g_∥ t`, so that the energy with which it would leave changes by `m u·g_∥ − m g·v_s` a second: that is what
    /// the fixtures does where it moves (`−m (g − g_∥)·v_s`), and `m (u − v_s)·g_∥`, what gravity gives along the plane
    /// to a velocity that the body has only when it leaves.
    pub fn enter_borne(&mut self, stage: &RigidWorld<S>, id: u32, t: f64) {
        let Some(sticking) = &self.sticking[id as usize] else {
            return;
        };
        let (a, other, began) = (sticking.a, sticking.other, sticking.began);
        let whole = sticking.forms.is_some();
        self.stuck_in_fields(stage, (a, other), (began, t));
        let Some(sticking) = self.sticking[id as usize].as_ref().filter(|_| !whole) else {
            return;
        };
        let (slot, first) = (sticking.a, sticking.first);
        let more = sticking.more[0].velocity;
        let track = &self.moving[slot as usize].track;
        let along = track.acceleration;
        let weight = stage.inert[slot as usize].mass * (t - sticking.began);
        let across = stage.gravity - along;
        let work = weight * (more.dot(along) - across.dot(track.velocity));
        let now = self.holdings_leaving(stage, slot, t);
        let torque = self.flown(stage, slot, t);
        self.ledger.momentum_from_fixtures.add(-across * weight);
        self.ledger
            .angular_from_fixture
            .add(now.angular_momentum - first.angular_momentum - torque);
        self.ledger.work_by_kinematic.add(work);
    }
}

/// A spin about another axis: turned as vectors are; in 2-D there is only one.
fn rotate_spin<S: Space>(turn: S::Rotation, angular_velocity: S::Angular) -> S::Angular {
    let axes = DMat3::from_cols_array_2d(&S::axes(turn));
    S::angular_velocity(
        (axes * DVec3::from_array(S::angular_velocity_components(angular_velocity))).to_array(),
    )
}

/// The spin that has an angular momentum.
fn answer<S: Space>(inertia: DMat3, momentum: S::Angular) -> S::Angular {
    let momentum = DVec3::from_array(S::angular_velocity_components(momentum));
    let angular_velocity = match S::DIMENSION {
        2 => DVec3::new(0.0, 0.0, momentum.z / inertia.z_axis.z),
        _ => inertia.inverse() * momentum,
    };
    S::angular_velocity(angular_velocity.to_array())
}
