//! What does not change while a run goes on: which bodies take part, and what acts between them.

use super::super::fixture::{Fixture, images_of};
use super::MANY;
use super::rigid::{Pairing, RigidBodies, curvature_of, refused};
use crate::body::{Body, CollisionFilter, Kind};
use crate::force::{Constants, ConstantsError, Couple, Ending, Meeting, Stiffness, closed};
use crate::joint::Joint;
use crate::material::{MaterialId, Materials};
use crate::motion::{Drive, Fields, Integrator, Load};
use crate::order::InOrder;
use crate::shape::convex::{Compound, free_form};
use crate::shape::{Shape, Shaped};
use crate::simulate::force_options::{ForceEngine, Forces, LeverArm, Scheme};
use crate::simulate::refuse::ForcesError;
use crate::space::Linear;
use crate::world::{BodyId, World, has_rigid_bodies};
use std::collections::{BTreeMap, BTreeSet};

/// A slot of a body that is no free ball.
pub(super) const NOWHERE: u32 = u32::MAX;

/// What a free body is: a ball, or a solid, whose radius is that of the ball around it and whose inertia is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grain {
    pub id: BodyId,
    pub radius: f64,
    pub mass: f64,
    pub inertia: f64,
    pub inverse_inertia: f64,
    pub material: MaterialId,
    pub groups: CollisionFilter,
}

/// ActionTarget a ball may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ForceBodyRef {
    /// By slot.
    Ball(u32),
    /// By place among the fixture.
    Fixture(u32),
}

#[derive(Clone, Debug)]
pub(super) struct ForceBodies<S: Shaped> {
    /// As they were inserted, or at the last change.
    pub bodies: Vec<Body<S>>,
    /// What holds them together, as it was put in.
    pub joints: Vec<Joint<S>>,
    /// Those that have been taken out.
    pub gone: BTreeSet<BodyId>,
    pub grains: Vec<Grain>,
    /// By body.
    pub slots: Vec<u32>,
    /// What balls strike, with its images.
    pub fixtures: Vec<Fixture<S>>,
    /// What only notices them.
    pub sensors: Vec<Fixture<S>>,
    pub materials: Materials,
    pub fields: Fields<S>,
    /// What acts on single free bodies, by slot.
    pub loads: Vec<(u32, Box<Load<S>>)>,
    /// Of the world, which forces have no use for.
    pub integrator: Integrator,
    pub periods: [f64; 3],
    /// As asked for.
    pub forces: Forces,
    pub scheme: Scheme,
    pub locate: bool,
    /// s.
    pub step: f64,
    /// The largest radius, m.
    pub largest: f64,
    /// The forms of everyone, where solids turn.
    pub cast: Option<RigidBodies<S>>,
}

/// More free bodies than this are many where solids turn: by default Verlet moves them.
const MANY_SOLIDS: usize = 8;

/// Where nothing can touch, how far a step turns the fastest solid, rad.
const TURN_A_STEP: f64 = 0.02;

impl<S: Shaped> ForceBodies<S> {
    /// Everything is checked, and everything that is wrong is said.
    pub fn new(world: World<S>, forces: &Forces) -> Result<Self, Vec<ForcesError>> {
        Self::without(world, BTreeSet::new(), forces)
    }

    /// The same without those that are gone.
    pub fn without(
        world: World<S>,
        gone: BTreeSet<BodyId>,
        forces: &Forces,
    ) -> Result<Self, Vec<ForcesError>> {
        let mut wrong = wrong_settings(forces);
        let solids = has_rigid_bodies(&world) || !world.joints().is_empty();
        if solids {
            wrong.extend(refused(&world, forces.engine));
            if !wrong.is_empty() {
                return Err(wrong);
            }
        }
        let (grains, slots) = Self::grains_of(&world, &gone, solids);
        let largest = grains.iter().map(|ball| ball.radius).fold(0.0, f64::max);
        let [fixture, sensors] = Self::fixtures_of(&world, &gone, &slots, largest);
        let many = if solids {
            grains.len() > MANY_SOLIDS
        } else {
            grains.len() > MANY || forces.engine == ForceEngine::Granular
        };
        let scheme = forces.scheme.unwrap_or(if many {
            Scheme::Verlet
        } else {
            Scheme::RungeKutta
        });
        let can_locate = scheme == Scheme::RungeKutta;
        if forces.locate == Some(true) && !can_locate {
            wrong.push(ForcesError::Locate { scheme });
        }
        let loads = grains.iter().enumerate().filter_map(|(slot, grain)| {
            let load = world.bodies()[grain.id.0 as usize].load.clone()?;
            Some((slot as u32, load))
        });
        let cast = if solids {
            let bodies = (world.bodies(), world.joints());
            RigidBodies::new(bodies, &grains, &fixture, &sensors)
        } else {
            None
        };
        wrong.extend(cast.as_ref().and_then(RigidBodies::entangled));
        let mut stage = ForceBodies {
            cast,
            materials: world.materials.clone(),
            fields: world.fields().clone(),
            loads: loads.collect(),
            integrator: world.integrator(),
            periods: world.periods(),
            joints: world.joints().to_vec(),
            bodies: world.into_bodies(),
            gone,
            grains,
            slots,
            fixtures: fixture,
            sensors,
            forces: *forces,
            scheme,
            locate: can_locate && forces.locate.unwrap_or(true),
            step: forces.step.unwrap_or(0.0),
            largest,
        };
        if wrong.is_empty() {
            stage.settle_step(&mut wrong);
        }
        if wrong.is_empty() {
            Ok(stage)
        } else {
            Err(wrong)
        }
    }

    /// Static and kinematic bodies that are not gone, and sensors, with their images.
    fn fixtures_of(
        world: &World<S>,
        gone: &BTreeSet<BodyId>,
        slots: &[u32],
        largest: f64,
    ) -> [Vec<Fixture<S>>; 2] {
        let mut lists = [Vec::new(), Vec::new()];
        for (index, body) in world.bodies().iter().enumerate() {
            let id = BodyId(index as u32);
            if slots[index] == NOWHERE && !gone.contains(&id) {
                let images = images_of(id, body, 0.0, (world.periods(), largest));
                lists[usize::from(body.sensor)].extend(images);
            }
        }
        lists
    }

    /// The free bodies that are not gone, and the slot of each body.
    fn grains_of(
        world: &World<S>,
        gone: &BTreeSet<BodyId>,
        solids: bool,
    ) -> (Vec<Grain>, Vec<u32>) {
        let mut grains = Vec::new();
        let mut slots = Vec::new();
        for (index, body) in world.bodies().iter().enumerate() {
            let id = BodyId(index as u32);
            match (&body.kind, &body.shape) {
                _ if gone.contains(&id) => slots.push(NOWHERE),
                (Kind::Free(free), Shape::Ball(ball)) => {
                    slots.push(grains.len() as u32);
                    grains.push(Grain {
                        id,
                        radius: ball.radius,
                        mass: free.mass,
                        inertia: free.inertia,
                        inverse_inertia: 1.0 / free.inertia,
                        material: body.material,
                        groups: body.groups,
                    });
                }
                (Kind::Free(free), shape) if solids => {
                    slots.push(grains.len() as u32);
                    grains.push(Grain {
                        id,
                        radius: free_form(shape, free.mass)
                            .map_or(0.0, |form| Compound::reach(&form)),
                        mass: free.mass,
                        inertia: f64::INFINITY,
                        inverse_inertia: 0.0,
                        material: body.material,
                        groups: body.groups,
                    });
                }
                _ => slots.push(NOWHERE),
            }
        }
        (grains, slots)
    }

    /// Looks at all kinds of contacts that there can be: at their constants, and at how long a step they allow.
    fn settle_step(&mut self, wrong: &mut Vec<ForcesError>) {
        let mut lasts = f64::INFINITY;
        let mut largest: Option<(f64, f64, u32, ForceBodyRef)> = None;
        for (a, other) in self.kinds_of_contacts() {
            match self.pairing(a, other) {
                Ok(pairing) => {
                    let couple = pairing.couple;
                    lasts = lasts.min(couple.contact_time());
                    let safe = match self.cast {
                        Some(_) => pairing.largest_step(self.yields(a, other)),
                        None => couple.largest_step(),
                    };
                    if largest.is_none_or(|(known, ..)| safe < known) {
                        largest = Some((safe, couple.contact_time(), a, other));
                    }
                }
                Err(error) if wrong.contains(&error) => {}
                Err(error) => wrong.push(error),
            }
        }
        let (good, follows) = self.steps_of_joints();
        match (self.forces.step, largest) {
            (Some(step), _) if step > follows => {
                wrong.push(ForcesError::StepTooLargeForSprings {
                    step,
                    largest: follows,
                });
            }
            (Some(step), Some((safe, lasts, a, other))) if step > safe => {
                wrong.push(ForcesError::StepTooLarge {
                    step,
                    largest: safe,
                    lasts,
                    a: self.label(self.grains[a as usize].id),
                    b: self.label(self.id_of(other)),
                });
            }
            (Some(_), _) => {}
            (None, Some((safe, ..))) => self.step = (lasts / 50.0).min(safe).min(good),
            (None, None) if wrong.is_empty() => match (self.fastest_turn(), self.fallback_time()) {
                (Some(angular_velocity), _) => {
                    self.step = (TURN_A_STEP / angular_velocity).min(good);
                }
                (None, _) if good.is_finite() => self.step = good,
                // Bodies that are to come may touch.
                (None, Some(lasts)) => self.step = lasts / 50.0,
                (None, None) => wrong.push(ForcesError::NoStep),
            },
            (None, None) => {}
        }
    }

    /// How long contacts last that have no springs of their own, s.
    pub fn fallback_time(&self) -> Option<f64> {
        match self.forces.fallback?.stiffness {
            Stiffness::ContactTime(time) => Some(time),
            _ => None,
        }
    }

    /// The fastest spin of a solid at the start, rad/s; `None` where none turns.
    fn fastest_turn(&self) -> Option<f64> {
        self.cast.as_ref()?;
        let spins = self.bodies.iter().filter_map(|body| match &body.kind {
            Kind::Free(free) => Some(free.angular_velocity.length()),
            _ => None,
        });
        let fastest = spins.fold(0.0, f64::max);
        (fastest > 0.0).then_some(fastest)
    }

    /// Pairs that stand for all that can meet: of each material the lightest, the heaviest and the smallest ball.
    ///
    /// At given constants damping is critical first for the lightest pair, at damping per mass for the heaviest; the
    /// step is shortest for the lightest or the smallest.
    fn kinds_of_contacts(&self) -> Vec<(u32, ForceBodyRef)> {
        let mut kinds: BTreeMap<(MaterialId, u32, u32), Vec<u32>> = BTreeMap::new();
        for (slot, grain) in self.grains.iter().enumerate() {
            let key = (grain.material, grain.groups.memberships, grain.groups.mask);
            kinds.entry(key).or_default().push(slot as u32);
        }
        let mass = |&slot: &u32| self.grains[slot as usize].mass;
        let radius = |&slot: &u32| self.grains[slot as usize].radius;
        let standing: Vec<u32> = kinds
            .values_mut()
            .flat_map(|members| {
                let mut chosen = Vec::new();
                members.order_by(|a, b| mass(a).total_cmp(&mass(b)).then(a.cmp(b)));
                // Two of each, since a pair needs two.
                chosen.extend(members.iter().take(2));
                chosen.extend(members.iter().rev().take(2));
                members.order_by(|a, b| radius(a).total_cmp(&radius(b)).then(a.cmp(b)));
                chosen.extend(members.iter().take(2));
                chosen
            })
            .collect();
        let mut pairs = Vec::new();
        let standing = match self.cast.as_ref().and_then(|cast| cast.joints.as_ref()) {
            // Which of a kind stands for it matters where some of them pass through each other.
            Some(joints) if joints.keeps_any_apart() && self.grains.len() <= MANY => {
                (0..self.grains.len() as u32).collect()
            }
            _ => standing,
        };
        for &a in &standing {
            let grain = &self.grains[a as usize];
            for &b in standing.iter().filter(|&&b| a < b) {
                if grain.groups.collides_with(self.grains[b as usize].groups) {
                    pairs.push((a, ForceBodyRef::Ball(b)));
                }
            }
            for (index, fixture) in self.fixtures.iter().enumerate() {
                if grain.groups.collides_with(fixture.body.groups) {
                    pairs.push((a, ForceBodyRef::Fixture(index as u32)));
                }
            }
        }
        if let Some(cast) = &self.cast {
            pairs.retain(|&(a, other)| !cast.are_jointed(a, other));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    pub fn id_of(&self, other: ForceBodyRef) -> BodyId {
        match other {
            ForceBodyRef::Ball(slot) => self.grains[slot as usize].id,
            ForceBodyRef::Fixture(index) => self.fixtures[index as usize].id,
        }
    }

    /// What messages call a body.
    pub fn label(&self, id: BodyId) -> String {
        match &*self.bodies[id.0 as usize].name {
            "" => format!("body {}", id.0),
            name => name.to_owned(),
        }
    }

    fn constants(&self, material: MaterialId, body: BodyId) -> Result<Constants, ForcesError> {
        (self.materials.constants(material).copied())
            .or(self.forces.fallback)
            .ok_or_else(|| ForcesError::NoConstants {
                material: self.materials.name(material).to_owned(),
                body: self.label(body),
            })
    }

    /// What acts between a ball and its partner.
    pub fn couple(&self, a: u32, other: ForceBodyRef) -> Result<Couple, ForcesError> {
        self.pairing(a, other).map(|pairing| pairing.couple)
    }

    /// The image of a fixture that is seen in place of one from so many boxes farther; the same where there is none.
    pub(super) fn image_beside(&self, index: u32, boxes: [i32; 3]) -> u32 {
        let known = &self.fixtures[index as usize];
        let image = [0, 1, 2].map(|axis| known.image[axis] - boxes[axis]);
        let its = |it: &Fixture<S>| it.id == known.id && it.image == image;
        let found = self.fixtures.iter().position(its);
        found.map_or(index, |at| at as u32)
    }

    /// What acts between a body and its partner, and how damping follows.
    pub fn pairing(&self, a: u32, other: ForceBodyRef) -> Result<Pairing, ForcesError> {
        let grain = &self.grains[a as usize];
        let factor = |slot: u32| {
            let ball = &self.grains[slot as usize];
            match &self.cast {
                Some(cast) if !cast.free[slot as usize].is_ball() => {
                    cast.free[slot as usize].roundness
                }
                _ => ball.inertia / (ball.mass * ball.radius * ball.radius),
            }
        };
        let curvature = |slot: u32| match &self.cast {
            Some(cast) if !cast.free[slot as usize].is_ball() => cast.free[slot as usize].curvature,
            _ => 1.0 / self.grains[slot as usize].radius,
        };
        let (material, meeting) = match other {
            ForceBodyRef::Ball(b) => {
                let other = &self.grains[b as usize];
                (
                    other.material,
                    Meeting {
                        mass: closed::reduced_mass(grain.mass, other.mass),
                        radius: match &self.cast {
                            Some(_) => 1.0 / (curvature(a) + curvature(b)),
                            None => closed::reduced_mass(grain.radius, other.radius),
                        },
                        inertia_factor: 0.5 * (factor(a) + factor(b)),
                    },
                )
            }
            ForceBodyRef::Fixture(index) => {
                let body = &self.fixtures[index as usize].body;
                let bent = match &body.shape {
                    Shape::Ball(ball) => 1.0 / ball.radius,
                    Shape::Hollow(room) => -1.0 / room.radius,
                    _ => (self.cast.as_ref())
                        .map_or(0.0, |cast| curvature_of(&cast.fixtures[index as usize])),
                };
                (
                    body.material,
                    Meeting {
                        mass: grain.mass,
                        radius: 1.0 / (curvature(a) + bent),
                        inertia_factor: factor(a),
                    },
                )
            }
        };
        let (a_id, b_id) = (grain.id, self.id_of(other));
        let pair = self.materials.pair_constants(grain.material, material);
        let (of_a, of_b) = match pair {
            Some(pair) => (pair.each_side(), pair.each_side()),
            None => (
                self.constants(grain.material, a_id)?,
                self.constants(material, b_id)?,
            ),
        };
        let surface = self.materials.surface(grain.material, material);
        let elastic =
            |constants: &Constants| matches!(constants.stiffness, Stiffness::Young { .. });
        let round = meeting.radius > 0.0 && meeting.radius.is_finite();
        let flat = elastic(&of_a) && elastic(&of_b) && !round;
        let couple = if flat {
            Err(ConstantsError::Flat)
        } else {
            Constants::couple(&of_a, &of_b, &surface, self.forces.ending, &meeting)
        };
        couple
            .map(|couple| Pairing::new(couple, &of_a, &of_b))
            .map_err(|reason| ForcesError::Pair {
                a: self.label(a_id),
                material_a: self.materials.name(grain.material).to_owned(),
                b: self.label(b_id),
                material_b: self.materials.name(material).to_owned(),
                reason: Box::new(reason),
            })
    }

    /// The next world time after one (s) at which a field, an external force or a prescribed motion jumps; infinite
    /// where there is none.
    pub fn next_jump(&self, time: f64) -> f64 {
        let later = |knot: f64| if knot > time { knot } else { f64::INFINITY };
        let knots = self
            .fixtures
            .iter()
            .map(|fixture| match &fixture.body.kind {
                Kind::Kinematic(Drive::Path { knots }) => (knots.iter())
                    .map(|knot| later(knot.0))
                    .fold(f64::INFINITY, f64::min),
                Kind::Kinematic(Drive::Swing { knots, .. }) => (knots.iter())
                    .map(|knot| later(knot.0))
                    .fold(f64::INFINITY, f64::min),
                _ => f64::INFINITY,
            });
        let loads = self.loads.iter().map(|(_, load)| load.next_jump(time));
        knots
            .chain(loads)
            .fold(self.fields.next_jump(time), f64::min)
    }

    pub fn attracts(&self) -> bool {
        self.forces.ending == Ending::Attracting
    }

    pub fn full_arms(&self) -> bool {
        self.forces.lever_arm == LeverArm::Radius
    }

    pub fn is_periodic(&self) -> bool {
        self.periods.iter().any(|&length| length > 0.0)
    }

    /// A difference of places, across the sides of the box where that is shorter.
    #[inline]
    pub fn nearest(&self, apart: S::Vector) -> S::Vector {
        if !self.is_periodic() {
            return apart;
        }
        let mut parts = S::components(apart);
        for (part, &length) in parts.iter_mut().zip(&self.periods) {
            if length > 0.0 {
                // Places are at most one box apart.
                if *part > 0.5 * length {
                    *part -= length;
                } else if *part < -0.5 * length {
                    *part += length;
                }
            }
        }
        S::vector(parts)
    }
}

/// What is wrong with the settings, whatever the bodies are.
fn wrong_settings(forces: &Forces) -> Vec<ForcesError> {
    let mut wrong: Vec<ForcesError> = Vec::new();
    if let Some(Err(error)) = forces.fallback.map(|constants| constants.check()) {
        wrong.push(ForcesError::Fallback(error));
    }
    if let Some(step) = forces.step
        && !(step > 0.0 && step.is_finite())
    {
        wrong.push(ForcesError::Step { step });
    }
    wrong
}
