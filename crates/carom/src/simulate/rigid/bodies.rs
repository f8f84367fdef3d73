//! What does not change in a run: what rigid bodies weigh, and what they are made of.

use super::fixtures::Prop;
use crate::body::{Body, CollisionFilter, Kind};
use crate::broad::nearest_image;
use crate::joint::Linkage;
use crate::material::{MaterialId, Materials, Surface};
use crate::motion::{Fields, Load};
use crate::shape::convex::{Compound, Convex, free_form};
use crate::shape::{Shape, Shaped};
use crate::simulate::contact_time::ContactTime;
use crate::space::{Linear, Space};
use crate::world::{BodyId, WorldError};

/// How bodies that keep touching are followed.
///
/// ```
/// use carom::prelude::*;
/// use carom::simulate::Settling;
///
/// let finer = Settling::default().with_step(1.0 / 960.0);
/// assert!(finer.check().is_ok());
/// assert!(finer.with_time(0.0).check().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(remote = "Self")
)]
#[non_exhaustive]
pub struct Settling {
    /// How long the steps are in which bodies that keep touching go ahead, s.
    pub step: f64,
    /// A bounce that is slower than what gravity gives in this time is over: the two keep touching, s.
    pub time: f64,
    /// How often the contacts of an island are gone through in half a step, at the most.
    pub iterations: u32,
    /// What happens where a kinematic body squeezes another one that cannot get away: it stands still from then on
    /// (`true`), or the run ends with [an error](crate::simulate::RunError::Squeezed) (`false`, the default). Either
    /// way nothing overlaps. Balls heed it, too.
    #[cfg_attr(feature = "serde", serde(default))]
    pub stalls: bool,
}

impl Default for Settling {
    /// Steps of 1/240 s; what gravity gives in 1/120 s (on Earth 0.08 m/s, a bounce of a third of a millimetre); 500
    /// rounds.
    fn default() -> Self {
        Settling {
            step: 1.0 / 240.0,
            time: 1.0 / 120.0,
            iterations: 500,
            stalls: false,
        }
    }
}

impl Settling {
    /// With other steps (s).
    #[must_use]
    pub fn with_step(self, step: f64) -> Self {
        Settling { step, ..self }
    }

    /// With another time (s) in which gravity ends a bounce.
    #[must_use]
    pub fn with_time(self, time: f64) -> Self {
        Settling { time, ..self }
    }

    /// With another number of solver iterations.
    #[must_use]
    pub fn with_iterations(self, iterations: u32) -> Self {
        Settling { iterations, ..self }
    }

    /// With drives that stall, or not.
    #[must_use]
    pub fn with_stalls(self, stalls: bool) -> Self {
        Settling { stalls, ..self }
    }

    /// Refuses what is not positive and finite.
    pub fn check(&self) -> Result<(), WorldError> {
        for (field, value) in [("step", self.step), ("time", self.time)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(WorldError::Solids {
                    what: format!(
                        "the settling {field} is {value}, but must be a positive, finite number of seconds"
                    ),
                });
            }
        }
        if self.iterations == 0 {
            return Err(WorldError::Solids {
                what: "the solver iterations are 0, but must be 1 or more".to_owned(),
            });
        }
        Ok(())
    }
}

/// ActionTarget a free body meets: another one by its slot, or something static or kinematic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::simulate) enum RigidBodyRef {
    Body(u32),
    Fixture(u32),
}

/// A free body.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct RigidBody<S: Space> {
    pub id: BodyId,
    pub form: Compound<S>,
    pub mass: f64,
    /// Of a ball, which may have another than a full one, or none: kg·m².
    pub ball: Option<f64>,
    /// Of the ball around it, m.
    pub reach: f64,
    /// How deep others may get into it before another face is the nearest, m.
    pub depth: f64,
    pub material: MaterialId,
    pub groups: CollisionFilter,
    /// Whether no body is in its place, which waits for another.
    pub gone: bool,
    /// Of a ball, in 3-D also of capsules and cylinders, m; zero for what does not roll.
    pub round: f64,
    /// `I/(m r²)` about the axis that it rolls about.
    pub roundness: f64,
    /// Whether it touches others at its corners, which turn with it; the points of round bodies stay where they are
    /// while the body rolls.
    pub sharp: bool,
    /// Of the ball with the same volume, m: for fields.
    pub bulk: f64,
    /// What acts on it from outside.
    pub load: Option<Box<Load<S>>>,
}

impl<S: Shaped> RigidBody<S> {
    pub fn inverse_inertia(&self, rotation: S::Rotation) -> S::Inertia {
        match self.ball {
            Some(inertia) => S::isotropic_inertia(1.0 / inertia),
            None => self.form.inverse_inertia_at(rotation),
        }
    }

    /// Whether it is a ball that cannot be spun.
    pub fn is_held(&self) -> bool {
        self.ball.is_some_and(|inertia| !inertia.is_finite())
    }

    /// `I ω`, kg·m²/s; nothing for a ball that cannot be spun.
    pub fn angular_momentum(
        &self,
        rotation: S::Rotation,
        angular_velocity: S::Angular,
    ) -> S::Angular {
        match self.ball {
            Some(inertia) if inertia.is_finite() => angular_velocity * inertia,
            Some(_) => S::Angular::ZERO,
            None => S::angular_momentum(self.form.inertia_at(rotation), angular_velocity),
        }
    }
}

/// The rigid bodies of a run and the balls among them for a while, what they are made of, and how they settle.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct RigidWorld<S: Space> {
    pub materials: Materials,
    pub gravity: S::Vector,
    /// What acts besides uniform gravity.
    pub fields: Fields<S>,
    /// What without gravity ends bounces, m/s²: what the strongest load or field does to a body.
    pub strongest: f64,
    /// World time at which the run's clock reads zero, s: loads go by that.
    pub epoch: f64,
    /// Of the box along each axis, m; zero where it is not periodic.
    pub periods: [f64; 3],
    pub settling: Settling,
    pub inert: Vec<RigidBody<S>>,
    /// The fixtures of the run, by their places in its list.
    pub props: Vec<Prop<S>>,
    /// The joints, if there are any.
    pub linkage: Option<Box<Linkage<S>>>,
    /// Bounces slower than this are over, m/s.
    pub slow: f64,
    /// The rule of contact times, while bodies strike each other: a run has it otherwise.
    pub contact_time: Option<ContactTime>,
    /// What is slower than this for a while is at rest, m/s.
    pub still: f64,
}

/// Points that are this near, in reaches of the bodies, touch.
pub(super) const TOUCH: f64 = 1e-9;

/// And this near, as a share of the way that slow bounces make in a step, where bodies keep touching.
const SETTLED: f64 = 0.1;

/// More points than this are solved less closely.
const MANY: usize = 400;

impl<S: Shaped> RigidWorld<S> {
    /// Of no body yet.
    pub fn new(materials: &Materials, gravity: S::Vector, settling: &Settling, epoch: f64) -> Self {
        let mut world = RigidWorld {
            materials: materials.clone(),
            gravity,
            fields: Fields::default(),
            strongest: 0.0,
            epoch,
            periods: [0.0; 3],
            settling: *settling,
            inert: Vec::new(),
            props: Vec::new(),
            linkage: None,
            slow: 0.0,
            contact_time: None,
            still: 0.0,
        };
        world.set_gravity(gravity, 0.0);
        world
    }

    /// What leads from one body to the nearest image of another, or to a point of it, by what leads to the body: each
    /// reaches less than a quarter of the box.
    pub fn nearest(&self, apart: S::Vector) -> S::Vector {
        nearest_image::<S>(apart, self.periods)
    }

    /// Sets gravity, and what the strongest load or field does to a body (m/s²): without gravity that ends bounces.
    pub fn set_gravity(&mut self, gravity: S::Vector, strongest: f64) {
        (self.gravity, self.strongest) = (gravity, strongest);
        let pull = if gravity == S::Vector::ZERO {
            strongest
        } else {
            gravity.length()
        };
        self.slow = pull * self.settling.time;
        self.still = 1e-3 * self.slow;
    }

    /// Whether any contact lasts.
    pub fn has_durations(&self) -> bool {
        let lasts = |a, b| self.materials.surface(a, b).contact_duration > 0.0;
        let all = || self.materials.ids();
        all().any(|a| all().any(|b| lasts(a, b)))
    }

    pub fn id_of(&self, partner: RigidBodyRef) -> BodyId {
        match partner {
            RigidBodyRef::Body(slot) => self.inert[slot as usize].id,
            RigidBodyRef::Fixture(index) => self.props[index as usize].id,
        }
    }

    pub fn form_of(&self, partner: RigidBodyRef) -> &Compound<S> {
        match partner {
            RigidBodyRef::Body(slot) => &self.inert[slot as usize].form,
            RigidBodyRef::Fixture(index) => &self.props[index as usize].form,
        }
    }

    /// Whether two bodies meet at all.
    pub fn meet(&self, a: u32, other: RigidBodyRef) -> bool {
        let there = match other {
            RigidBodyRef::Body(b) => !self.inert[b as usize].gone,
            RigidBodyRef::Fixture(index) => !self.props[index as usize].sensor,
        };
        there && !self.inert[a as usize].gone && self.belong(a, other)
    }

    /// Whether a body is noticed by a sensor.
    pub fn senses(&self, a: u32, index: u32) -> bool {
        let prop = &self.props[index as usize];
        !self.inert[a as usize].gone && prop.sensor && self.belong(a, RigidBodyRef::Fixture(index))
    }

    fn belong(&self, a: u32, other: RigidBodyRef) -> bool {
        let groups = match other {
            RigidBodyRef::Body(b) => self.inert[b as usize].groups,
            RigidBodyRef::Fixture(index) => self.props[index as usize].groups,
        };
        self.inert[a as usize].groups.collides_with(groups) && !self.joint_keeps_apart(a, other)
    }

    pub fn surface(&self, a: u32, other: RigidBodyRef) -> Surface {
        let material = match other {
            RigidBodyRef::Body(b) => self.inert[b as usize].material,
            RigidBodyRef::Fixture(index) => self.props[index as usize].material,
        };
        (self.materials).surface(self.inert[a as usize].material, material)
    }

    /// The same where they strike each other at a time, s, and whether the rule of contact times has its say: ε does
    /// not depend on the speed then.
    pub fn surface_at(&self, a: u32, other: RigidBodyRef, t: f64) -> (Surface, bool) {
        let surface = self.surface(a, other);
        let ids = [self.inert[a as usize].id, self.id_of(other)];
        let rule = self.contact_time.as_ref();
        match rule.filter(|rule| rule.is_soon(ids, t)) {
            None => (surface, false),
            Some(rule) => (rule.surface(ids, t, surface), true),
        }
    }

    /// ε between bodies that approach at a speed, m/s.
    pub fn restitution_at(&self, a: u32, other: RigidBodyRef, approach: f64) -> f64 {
        let material = match other {
            RigidBodyRef::Body(b) => self.inert[b as usize].material,
            RigidBodyRef::Fixture(index) => self.props[index as usize].material,
        };
        (self.materials).restitution_at(self.inert[a as usize].material, material, approach)
    }

    /// The largest torques against rolling and spinning at a contact, in units of the force that presses, m. What is
    /// round rolls: of two such the smaller one counts.
    pub fn levers(&self, a: u32, other: RigidBodyRef, surface: &Surface) -> [f64; 2] {
        let (rolling, spinning) = (surface.rolling_resistance, surface.spinning_resistance);
        if rolling == 0.0 && spinning == 0.0 {
            return [0.0; 2];
        }
        let mine = Some(&self.inert[a as usize]);
        let its = match other {
            RigidBodyRef::Body(b) => Some(&self.inert[b as usize]),
            RigidBodyRef::Fixture(_) => None,
        };
        let round = mine.into_iter().chain(its).filter(|it| it.round > 0.0);
        let least = round.min_by(|x, y| x.round.total_cmp(&y.round));
        least.map_or([0.0; 2], |it| {
            // On the level a rolling body is slowed down by the resistance times gravity.
            let lever = it.round * (1.0 + it.roundness);
            let spinning = if S::DIMENSION == 3 { spinning } else { 0.0 };
            [rolling * lever, spinning * it.round]
        })
    }

    /// How much a solver of so many points may leave of a velocity, m/s: far below what sleeping goes by. What few
    /// contacts leave in a step does not add up to a micrometre in an hour.
    pub fn tolerance(&self, rows: usize) -> f64 {
        let share = if rows > MANY { 0.02 } else { 1e-6 };
        share * self.still.max(1e-9)
    }

    /// How far apart two that keep touching may be where they touch, m, for a reach of theirs, m: the steps in which
    /// they are followed leave gaps of up to a share of the way that slow bounces make in one. Otherwise a box that
    /// lands on two that lie side by side would strike one before the other, by what rounding has tilted them, and be
    /// thrown over. Without gravity no bounce is slow: what is held at rest then is as near as rounding has it.
    pub fn settled_gap(&self, reach: f64) -> f64 {
        (SETTLED * self.slow * self.settling.step).max(TOUCH * reach)
    }

    /// Below which closing speed two bodies keep touching, m/s. Elastic ones bounce a hundred times lower.
    pub fn slow_for(&self, restitution: f64) -> f64 {
        if restitution < 1.0 {
            self.slow
        } else {
            0.01 * self.slow
        }
    }
}

pub(super) fn unfit<S: Shaped>(body: &Body<S>, id: BodyId, what: &str) -> WorldError {
    WorldError::Solids {
        what: format!("body {} ({}): {what}", id.0, body.name),
    }
}

impl<S: Shaped> RigidBody<S> {
    /// A free body, if it can be one.
    pub fn new(body: &Body<S>, id: BodyId) -> Result<Self, WorldError> {
        let Kind::Free(free) = &body.kind else {
            return Err(unfit(body, id, "it is not free"));
        };
        let ball = match body.shape {
            Shape::Ball(_) => Some(free.inertia),
            _ => None,
        };
        let form = free_form(&body.shape, free.mass);
        let form = form.map_err(|error| unfit(body, id, &error.to_string()))?;
        let (round, roundness) = rolls(&form, free.mass, ball);
        Ok(RigidBody {
            id,
            mass: free.mass,
            ball,
            reach: form.reach(),
            depth: form.depth(),
            material: body.material,
            groups: body.groups,
            gone: false,
            round,
            roundness,
            sharp: (form.parts().iter())
                .all(|part| part.rounding() == 0.0 && part.as_cylinder().is_none()),
            load: body.load.clone(),
            bulk: form.radius_of_volume(),
            form,
        })
    }
}

/// The radius of a part that rolls, m; zero for what does not. In 2-D a capsule has flat sides and round ends alone.
pub(in crate::simulate) fn round_part<S: Space>(part: &Convex<S>) -> f64 {
    match part.as_cylinder() {
        Some((_, _, _, radius)) => radius,
        None if S::DIMENSION == 3 || part.corners().count() == 1 => part.rounding(),
        None => 0.0,
    }
}

/// The radius of what rolls (m), of several round parts the smallest, and `I/(m r²)` about the axis that it rolls
/// about; zero for a body with a part that is not round.
pub(in crate::simulate) fn rolls<S: Space>(
    form: &Compound<S>,
    mass: f64,
    ball: Option<f64>,
) -> (f64, f64) {
    let radius = form
        .parts()
        .iter()
        .map(round_part)
        .fold(f64::INFINITY, f64::min);
    if radius == 0.0 {
        return (0.0, 0.0);
    }
    let moments = form.principal_moments();
    let inertia = match (ball, form.parts()) {
        (Some(inertia), _) => inertia,
        (None, [part]) if part.as_cylinder().is_some() => 0.5 * mass * radius * radius,
        (None, _) if S::DIMENSION == 2 => moments[2],
        // A capsule rolls about its length, balls in a row about their line: no moment is smaller.
        (None, _) => moments.into_iter().fold(f64::INFINITY, f64::min),
    };
    let share = inertia / (mass * radius * radius);
    (radius, if share.is_finite() { share } else { 0.0 })
}

#[cfg(feature = "serde")]
crate::serial::checked!([] Settling, Settling::check);
