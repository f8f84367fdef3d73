//! Which bodies take part in a run by forces with rigid bodies, and what is refused there.

use super::super::bodies::{ForceBodies, ForceBodyRef, Grain};
use crate::body::{Body, Kind};
use crate::force::{Constants, Couple, Damping, Normal};
use crate::joint::{Joint, Linkage, LinkedBody, MOST_ENTRIES};
use crate::shape::convex::{Compound, fixed_form, free_form};
use crate::shape::{Shape, Shaped};
use crate::simulate::fixture::{Fixture, state_of};
use crate::simulate::force_options::ForceEngine;
use crate::simulate::refuse::ForcesError;
use crate::simulate::rigid::rolls;
use crate::space::{Linear, Space};
use crate::world::{BodyId, World, WorldError, too_entangled};
use glam::{DMat3, DVec3};
use std::collections::BTreeMap;

/// The forms of everyone which bodies take part.
#[derive(Clone, Debug)]
pub(in super::super) struct RigidBodies<S: Space> {
    /// By slot.
    pub free: Vec<Player<S>>,
    /// By place among the fixture.
    pub fixtures: Vec<Compound<S>>,
    /// By place among the sensors.
    pub sensors: Vec<Compound<S>>,
    /// How deep others may get into each of them, m; infinite where it has no inside, or no end.
    fixture_depths: Vec<f64>,
    /// What holds them together.
    pub joints: Option<Linkage<S>>,
}

/// A free body.
#[derive(Clone, Debug)]
pub(in super::super) struct Player<S: Space> {
    pub form: Compound<S>,
    pub mass: f64,
    pub weight: TurningMass,
    /// Of the ball around it, m.
    pub reach: f64,
    /// How deep others may get into it, m: the radius of a ball, or a quarter of its least thickness.
    pub depth: f64,
    /// Of the ball with the same volume, m: for fields.
    pub bulk: f64,
    /// `I/(m r²)` about the axis that it rolls about; zero for what does not roll.
    pub roundness: f64,
    /// Where it is touched, for Hertz's law, 1/m; zero for what is flat.
    pub curvature: f64,
    /// The most that a newton at any of its points, in any direction, moves that point by turning the body, 1/kg.
    pub yields: f64,
}

/// How a body resists turning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) enum TurningMass {
    /// The same about every axis, kg·m².
    Ball(f64),
    /// A ball that cannot be spun: it keeps whatever spin it has.
    Unturning,
    /// About the principal axes, which are the columns, in the body's frame.
    Solid { axes: DMat3, moments: DVec3 },
}

impl<S: Shaped> Player<S> {
    /// The spin (rad/s) of what its turning has: the angular momentum (kg·m²/s), or for what cannot be spun the spin
    /// itself.
    pub fn angular_velocity(&self, rotation: S::Rotation, turn: S::Angular) -> S::Angular {
        match self.weight {
            TurningMass::Ball(inertia) => turn * (1.0 / inertia),
            TurningMass::Unturning => turn,
            TurningMass::Solid { .. } => {
                S::angular_response(self.form.inverse_inertia_at(rotation), turn)
            }
        }
    }

    /// The angular momentum of a spin; see [`angular_velocity`](Self::spin).
    pub fn turn(&self, rotation: S::Rotation, angular_velocity: S::Angular) -> S::Angular {
        match self.weight {
            TurningMass::Ball(inertia) => angular_velocity * inertia,
            TurningMass::Unturning => angular_velocity,
            TurningMass::Solid { .. } => {
                S::angular_momentum(self.form.inertia_at(rotation), angular_velocity)
            }
        }
    }

    pub fn inverse_inertia(&self, rotation: S::Rotation) -> S::Inertia {
        match self.weight {
            TurningMass::Ball(inertia) => S::isotropic_inertia(1.0 / inertia),
            TurningMass::Unturning => S::isotropic_inertia(0.0),
            TurningMass::Solid { .. } => self.form.inverse_inertia_at(rotation),
        }
    }

    pub fn is_ball(&self) -> bool {
        !matches!(self.weight, TurningMass::Solid { .. })
    }
}

const NO_FORM: &str = "it has a shape that rigid bodies cannot meet";

/// What a world with rigid bodies cannot have by forces, by name.
pub(in super::super) fn refused<S: Shaped>(
    world: &World<S>,
    runner: ForceEngine,
) -> Vec<ForcesError> {
    let mut wrong: Vec<ForcesError> = Vec::new();
    let mut refuse = |what: String| wrong.push(WorldError::Solids { what }.into());
    if !world.joints().is_empty() && world.periods().iter().any(|&length| length > 0.0) {
        refuse("joints cannot be in a periodic box".to_owned());
    }
    if runner == ForceEngine::Granular {
        let reason = "it is for balls alone, and there are rigid bodies or joints here".to_owned();
        wrong.push(ForcesError::Granular { reason });
    }
    for (id, body) in world.bodies().iter().enumerate() {
        let mut refuse = |what: String| {
            let what = format!("body {id} ({}): {what}", body.name);
            wrong.push(WorldError::Solids { what }.into());
        };
        match &body.kind {
            Kind::Free(free) => {
                if let Err(error) = free_form(&body.shape, free.mass) {
                    refuse(error.to_string());
                }
            }
            _ if fixed_form(&body.shape).is_none() => refuse(NO_FORM.to_owned()),
            _ => {}
        }
    }
    wrong
}

impl<S: Shaped> RigidBodies<S> {
    /// The forms of a world in which nothing is refused.
    pub fn new(
        (bodies, joints): (&[Body<S>], &[Joint<S>]),
        grains: &[Grain],
        fixture: &[Fixture<S>],
        sensors: &[Fixture<S>],
    ) -> Option<Self> {
        let free = grains.iter().map(|grain| {
            let body = &bodies[grain.id.0 as usize];
            let form = free_form(&body.shape, grain.mass).ok()?;
            let weight = match &body.shape {
                Shape::Ball(_) if grain.inertia.is_finite() => TurningMass::Ball(grain.inertia),
                Shape::Ball(_) => TurningMass::Unturning,
                _ => {
                    let (axes, moments) = form.principal_axes();
                    TurningMass::Solid { axes, moments }
                }
            };
            Some(Player {
                mass: grain.mass,
                weight,
                reach: form.reach(),
                depth: form.depth(),
                yields: yields(&form, weight),
                bulk: form.radius_of_volume(),
                roundness: rolls(&form, grain.mass, None).1,
                curvature: curvature_of(&form),
                form,
            })
        });
        let forms = |list: &[Fixture<S>]| {
            let forms = list.iter().map(|it| fixed_form(&it.body.shape));
            forms.collect::<Option<Vec<_>>>()
        };
        let fixtures = forms(fixture)?;
        Some(RigidBodies {
            free: free.collect::<Option<_>>()?,
            fixture_depths: fixtures.iter().map(Compound::depth).collect(),
            fixtures,
            sensors: forms(sensors)?,
            joints: (!joints.is_empty()).then(|| linkage(bodies, joints, grains, fixture)),
        })
    }

    /// Why there are too many joints.
    pub fn entangled(&self) -> Option<ForcesError> {
        let entries = self.joints.as_ref()?.entries();
        (entries > MOST_ENTRIES).then(|| too_entangled(entries).into())
    }

    /// Whether two bodies pass through each other because a joint holds them.
    pub fn are_jointed(&self, a: u32, other: ForceBodyRef) -> bool {
        let other = match other {
            ForceBodyRef::Ball(slot) => LinkedBody::Free(slot),
            ForceBodyRef::Fixture(index) => LinkedBody::Fixture(index),
        };
        let linkage = self.joints.as_ref();
        linkage.is_some_and(|linkage| linkage.keeps_apart(LinkedBody::Free(a), other))
    }

    pub fn form(&self, other: ForceBodyRef) -> &Compound<S> {
        match other {
            ForceBodyRef::Ball(slot) => &self.free[slot as usize].form,
            ForceBodyRef::Fixture(index) => &self.fixtures[index as usize],
        }
    }
}

fn linkage<S: Shaped>(
    bodies: &[Body<S>],
    joints: &[Joint<S>],
    grains: &[Grain],
    fixtures: &[Fixture<S>],
) -> Linkage<S> {
    let free = (grains.iter().zip(0..)).map(|(grain, slot)| (grain.id, LinkedBody::Free(slot)));
    let fixed = (fixtures.iter().zip(0..)).map(|(it, index)| (it.id, LinkedBody::Fixture(index)));
    let found: BTreeMap<BodyId, LinkedBody> = free.chain(fixed).collect();
    let find = |id: BodyId| found.get(&id).copied();
    Linkage::new(joints, find, |id| {
        state_of(&bodies[id.0 as usize], 0.0).pose
    })
}

/// How much a body whose parts are all round is bent where it is touched, 1/m: balls, capsules, and cylinders by their
/// sides; of several parts the one with the smallest radius. Zero for a body with a part that is not round.
pub(in super::super) fn curvature_of<S: Space>(form: &Compound<S>) -> f64 {
    let radii = form.parts().iter().map(|part| match part.as_cylinder() {
        Some((_, _, _, radius)) => radius,
        None => part.rounding(),
    });
    let least = radii.fold(f64::INFINITY, f64::min);
    if least > 0.0 { 1.0 / least } else { 0.0 }
}

/// A polygon around a rim, and how much larger than the rim its corners' circle is: what is convex is largest at its
/// corners.
const SIDES: u32 = 16;
const AROUND: f64 = 1.02;

/// No direction moves a point `r` by more than the trace of `[r]ᵀ I⁻¹ [r]`, which is largest for the farthest points:
/// at corners, or on the balls around round parts.
fn yields<S: Space>(form: &Compound<S>, weight: TurningMass) -> f64 {
    let (axes, moments) = match weight {
        TurningMass::Ball(inertia) => return form.reach() * form.reach() / inertia,
        TurningMass::Unturning => return 0.0,
        TurningMass::Solid { axes, moments } => (axes, moments),
    };
    let at = |r: DVec3| match S::DIMENSION {
        2 => Linear::length_squared(r) / moments.z,
        _ => {
            let own = axes.transpose() * r;
            let [x, y, z] = [own.x * own.x, own.y * own.y, own.z * own.z];
            (y + z) / moments.x + (x + z) / moments.y + (x + y) / moments.z
        }
    };
    let mut most = 0.0_f64;
    for part in form.parts() {
        for corner in part.corners() {
            let corner = DVec3::from_array(S::components(corner));
            let longer = corner * (1.0 + part.rounding() / Linear::length(corner).max(1e-300));
            most = most.max(at(longer));
        }
        if let Some((centre, axis, half_length, radius)) = part.as_cylinder() {
            let [centre, axis] = [centre, axis].map(|v| DVec3::from_array(S::components(v)));
            let (one, other) = axis.any_orthonormal_pair();
            for (step, end) in (0..SIDES).flat_map(|i| [(i, half_length), (i, -half_length)]) {
                let angle = std::f64::consts::TAU * f64::from(step) / f64::from(SIDES);
                let (sin, cos) = libm::sincos(angle);
                let out = (one * cos + other * sin) * (radius * AROUND);
                most = most.max(at(centre + axis * end + out));
            }
        }
    }
    most
}

/// What acts between two bodies when they touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Pairing {
    pub couple: Couple,
    /// The damping ratio, where the damping follows from the restitution: then it is that of every contact, whichever
    /// mass it meets.
    pub ratio: Option<f64>,
}

impl Pairing {
    pub fn new(couple: Couple, of_a: &Constants, of_b: &Constants) -> Self {
        let follows = [of_a, of_b]
            .iter()
            .any(|constants| constants.damping == Damping::Restitution);
        let ratio = follows.then(|| couple.normal.damping_ratio(couple.mass));
        Pairing { couple, ratio }
    }

    /// The damping of springs of a stiffness together, in a contact that meets an effective mass (kg); `part` is their
    /// part of the couple's stiffness.
    pub fn damping(&self, part: f64, mass: f64) -> f64 {
        let normal = &self.couple.normal;
        match self.ratio {
            Some(ratio) => Normal::damping_of(normal.spring, ratio, normal.stiffness * part, mass),
            None => normal.damping * part,
        }
    }

    /// The largest step that follows such a contact safely (s), where a newton moves the two points apart at most by
    /// `yields` times the impulse, 1/kg.
    ///
    /// As for balls a quarter of where central differences cease to be bounded for `ω² = k · yields`: springs that
    /// share k swing no faster.
    pub fn largest_step(&self, yields: f64) -> f64 {
        let (normal, sliding) = (&self.couple.normal, &self.couple.sliding);
        let part = |stiffness: f64, damping: f64| {
            let frequency = (stiffness * yields).sqrt();
            let ratio = 0.5 * damping * (yields / stiffness).sqrt();
            0.5 / frequency * ((1.0 + ratio * ratio).sqrt() - ratio)
        };
        let (stiffness, damping) = normal.largest_slopes(self.couple.radius);
        let scale = normal.tangential_scale(0.1 * self.couple.radius);
        let along = match self.ratio {
            // The damper grows with the overlap as that across the normal does.
            Some(_) => part(stiffness, self.damping(1.0, 1.0 / yields) * scale.1),
            None => part(stiffness, damping),
        };
        if sliding.stiffness > 0.0 && sliding.static_friction > 0.0 {
            along.min(part(sliding.stiffness * scale.0, sliding.damping * scale.1))
        } else {
            along
        }
    }
}

impl<S: Shaped> ForceBodies<S> {
    /// How much at most a newton between two bodies moves the points apart that it acts at, 1/kg.
    pub(in super::super) fn yields(&self, a: u32, other: ForceBodyRef) -> f64 {
        let Some(cast) = &self.cast else {
            return f64::INFINITY;
        };
        let of = |slot: u32| {
            let player = &cast.free[slot as usize];
            1.0 / player.mass + player.yields
        };
        of(a)
            + match other {
                ForceBodyRef::Ball(b) => of(b),
                ForceBodyRef::Fixture(_) => 0.0,
            }
    }

    /// How deep two bodies may get into each other, m.
    pub(in super::super) fn deepest_allowed(&self, a: u32, other: ForceBodyRef) -> f64 {
        let Some(cast) = &self.cast else {
            return f64::INFINITY;
        };
        let depth = cast.free[a as usize].depth;
        match other {
            ForceBodyRef::Ball(b) => depth.min(cast.free[b as usize].depth),
            ForceBodyRef::Fixture(index) => depth.min(cast.fixture_depths[index as usize]),
        }
    }
}
