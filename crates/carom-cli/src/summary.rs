//! What is said about a run when it is over: the format `carom-summary`, version 2.
//!
//! `carom run SCENE --json` prints one JSON object on one line. Its keys are the fields of [`Summary`], with the units
//! given there. Floats have as many digits as it takes to read the same number back; a number that is not finite is
//! `null`. Vectors are arrays of as many numbers as the scene has dimensions; an angular velocity is a number in 2-D
//! and an array in 3-D. Keys may be added to a version, but none changes its meaning or goes away.

use carom::audit::{Audit, Energy, Lasting, Loss};
use carom::observe::Estimate;
use carom::space::Space;
use carom_data::Observed;
use carom_scene::SceneSpace;
use serde::Serialize;
use std::collections::BTreeMap;

/// The whole summary.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// `"carom-summary"`.
    pub format: &'static str,
    /// 1.
    pub version: u32,
    /// Version of the program.
    pub carom: &'static str,
    pub scene: SceneFacts,
    pub outcome: Outcome,
    /// What is not as it should be, in words: budgets that do not close. Empty where all is well.
    pub warnings: Vec<String>,
    pub events: EventCounts,
    pub actions: Actions,
    pub collisions: Collisions,
    pub audit: AuditFacts,
    pub observables: Observables,
    /// In the order of the file.
    pub bodies: Vec<BodyFacts>,
    pub timings: Timings,
    /// A hash of all collisions and of the final states, 16 hexadecimal digits: the same for the same run to the bit.
    pub digest: String,
    /// The run folder, as it was given, or `null`.
    pub folder: Option<String>,
}

/// What was run.
#[derive(Debug, Serialize)]
pub struct SceneFacts {
    /// As it was given.
    pub file: String,
    pub title: String,
    /// Of everything random in it.
    pub seed: u64,
    /// What took the place of its settings: `key=value`, in order.
    pub overrides: Vec<String>,
    /// How contacts were followed: `events` or `forces`.
    pub method: &'static str,
    /// How a run by forces was stepped, or `null`.
    pub forces: Option<Stepping>,
    /// 2 or 3.
    pub dimension: usize,
    /// How many bodies, and how many of them are free.
    pub bodies: usize,
    pub free_bodies: usize,
    /// m/s².
    pub gravity: Vec<f64>,
    /// When the run was to end, s.
    pub until: f64,
    /// After how many collisions it was to stop, or `null`.
    pub max_collisions: Option<u64>,
    /// It was to stop when no body is faster than this, m/s, or `null`.
    pub rest: Option<f64>,
}

/// How a run by forces was stepped.
#[derive(Debug, Serialize)]
pub struct Stepping {
    /// `rk4`, `verlet` or `euler`.
    pub integrator: &'static str,
    /// How long a step is, s.
    pub step: f64,
    /// How many whole steps there have been.
    pub steps: u64,
    /// Which loop went over the contacts: `general` (one after the other) or `granular` (four at once, on all cores).
    pub engine: &'static str,
    /// Why it was the general one where there were balls enough for the granular engine, or `null`.
    pub why_general: Option<String>,
    /// On how many threads. The results do not depend on it.
    pub threads: usize,
    /// How long contacts of two materials without springs of their own last, s, or `null`.
    pub spring_time: Option<f64>,
}

impl From<carom::simulate::Stepping> for Stepping {
    fn from(stepping: carom::simulate::Stepping) -> Self {
        Stepping {
            integrator: stepping.scheme.name(),
            step: stepping.step,
            steps: stepping.steps,
            engine: stepping.engine.name(),
            why_general: stepping.why_general,
            threads: stepping.threads,
            spring_time: stepping.contact_time,
        }
    }
}

/// How it ended.
#[derive(Debug, Serialize)]
pub struct Outcome {
    pub status: Status,
    /// Why, where it did not run to its end.
    pub reason: Option<String>,
    /// The clock at the end, s.
    pub time: f64,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// At the time asked for.
    Completed,
    /// After as many collisions as were asked for, or because everything is at rest.
    Stopped,
    /// By Ctrl-C. With a run folder it can be resumed.
    Interrupted,
    /// With an error.
    Failed,
}

/// How many events of each kind.
#[derive(Debug, Serialize)]
pub struct EventCounts {
    pub collisions: u64,
    /// Balls that went into a sensor.
    pub entered: u64,
    /// Balls that came out of one.
    pub left: u64,
    /// The same for each sensor, in the order of the scene.
    pub sensors: Vec<SensorFacts>,
    /// Balls that came to keep touching something, went on there in another way, or left it, such as `sliding-rolling`.
    pub transitions: BTreeMap<String, u64>,
    /// Changes from outside, by what was changed.
    pub edits: BTreeMap<String, u64>,
}

/// What rules of the scene (`[[when]]`) have done.
#[derive(Debug, Serialize)]
pub struct Actions {
    pub total: u64,
    /// By kind: `change`, `key`, `score`, `print`, `end`, `nothing`.
    pub by_kind: BTreeMap<String, u64>,
    /// The scores at the end, by name.
    pub scores: BTreeMap<String, i64>,
    /// What was done last, in order: at most 100 things.
    pub last: Vec<Done>,
}

/// Something that a rule did.
#[derive(Debug, Serialize)]
pub struct Done {
    /// World time, s.
    pub time: f64,
    /// As in `by_kind`.
    pub kind: &'static str,
    /// Name of the body that set it off, or `null`.
    pub ball: Option<String>,
    /// In words; of what is printed, the text.
    pub what: String,
}

/// How often a sensor was entered and left.
#[derive(Debug, Serialize)]
pub struct SensorFacts {
    pub name: String,
    pub entered: u64,
    pub left: u64,
}

/// What can be said of all free bodies together, at the end.
#[derive(Debug, Serialize)]
pub struct Observables {
    /// m; in a periodic box, of the places in the box. `null` where no body is free.
    pub centre_of_mass: Option<Vec<f64>>,
    /// m/s.
    pub velocity_of_centre: Option<Vec<f64>>,
    /// m/s.
    pub mean_speed: Option<f64>,
    /// Twice the kinetic energy for each degree of freedom, relative to the common motion, `k T`, J.
    pub temperature: Option<f64>,
    /// Collisions that a free body had for each second of the run, 1/s.
    pub collision_rate: Option<f64>,
    pub fastest: Option<Fastest>,
    /// Over the run, where that was asked for.
    pub averages: Option<Averages>,
}

/// Averages over a run.
#[derive(Debug, Serialize)]
pub struct Averages {
    /// From when on, s.
    pub from: f64,
    /// How long, s.
    pub duration: f64,
    /// How often the states were looked at.
    pub samples: u64,
    /// Collisions of two balls.
    pub collisions: u64,
    /// `k T`, J.
    pub temperature: Mean,
    /// m/s.
    pub mean_speed: Mean,
    /// Collisions with other balls that a ball has each second, 1/s.
    pub collision_rate: Mean,
    /// m.
    pub mean_free_path: Mean,
    /// `P V / (N k T)`. `null`, as the pressure, unless all axes are periodic.
    pub compressibility: Option<Mean>,
    /// Pa, in 2-D N/m.
    pub pressure: Option<Mean>,
    pub radial: Option<Vec<RadialMean>>,
    pub mean_squared_displacement: Option<Vec<DisplacementMean>>,
}

/// A mean and its standard error.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Mean {
    pub mean: f64,
    /// `null` where there is too little to tell.
    pub error: f64,
}

/// The radial distribution g in a shell.
#[derive(Debug, Serialize)]
pub struct RadialMean {
    /// The middle of the shell, m.
    pub distance: f64,
    #[serde(flatten)]
    pub density: Mean,
}

/// The mean squared displacement after a time, m².
#[derive(Debug, Serialize)]
pub struct DisplacementMean {
    /// s.
    pub time: f64,
    #[serde(flatten)]
    pub squared: Mean,
}

impl From<Estimate> for Mean {
    fn from(Estimate { mean, error }: Estimate) -> Self {
        Mean { mean, error }
    }
}

impl Averages {
    pub fn new(found: &Observed) -> Self {
        let gas = &found.gas;
        let compressibility = gas.compressibility.into();
        let radial = |&(distance, density): &(f64, Estimate)| RadialMean {
            distance,
            density: density.into(),
        };
        let displacement = |&(time, squared): &(f64, Estimate)| DisplacementMean {
            time,
            squared: squared.into(),
        };
        Averages {
            from: found.from,
            // Of a run that ended before, nothing.
            duration: gas.duration.max(0.0),
            samples: found.looks,
            collisions: gas.collisions,
            temperature: gas.temperature.into(),
            mean_speed: gas.mean_speed.into(),
            collision_rate: gas.collision_rate.into(),
            mean_free_path: gas.mean_free_path.into(),
            compressibility: found.pressure.map(|_| compressibility),
            pressure: found.pressure.map(Mean::from),
            radial: found
                .radial
                .as_ref()
                .map(|shells| shells.iter().map(radial).collect()),
            mean_squared_displacement: found
                .displacement
                .as_ref()
                .map(|lags| lags.iter().map(displacement).collect()),
        }
    }
}

/// The fastest free body.
#[derive(Debug, Serialize)]
pub struct Fastest {
    pub body: String,
    /// m/s.
    pub speed: f64,
}

/// How many collisions, and between what.
#[derive(Debug, Serialize)]
pub struct Collisions {
    pub total: u64,
    /// By the shapes of the two, such as `ball-wall`; the free ball comes first.
    pub by_shape: BTreeMap<String, u64>,
    /// By the materials of the two, in alphabetical order, such as `cushion-phenolic`.
    pub by_material: BTreeMap<String, u64>,
    /// By what the friction did.
    pub by_mode: BTreeMap<String, u64>,
    /// How many of them began a sticking contact.
    pub lasting: u64,
    /// Such contacts that have ended, by what ended them: `time`, `struck`, `wall` or `edited`.
    pub released: BTreeMap<String, u64>,
}

/// Whether the budgets close.
#[derive(Debug, Serialize)]
pub struct AuditFacts {
    /// At the start, J.
    pub energy_initial: EnergyFacts,
    /// At the end, J.
    pub energy: EnergyFacts,
    /// Taken out by collisions (negative: energy added), J.
    pub lost_in_collisions: f64,
    /// The same by cause.
    pub losses: LossesFacts,
    /// Work done by kinematic bodies, J.
    pub work_by_kinematic: f64,
    /// Done by external forces and torques, J.
    pub external_work: f64,
    /// Done by the shear of the periodic box, J.
    pub shear_work: f64,
    /// Given by changes during the run: actions of `[[when]]`, kicks of a thermostat, J.
    pub given: f64,
    /// What bodies in contacts of measurable duration are to leave with, more than they have now.
    pub in_contact: InContactFacts,
    /// What the budget does not explain, J: zero to rounding.
    pub energy_residual: f64,
    /// Of the free bodies at the start, kg·m/s.
    pub momentum_initial: Vec<f64>,
    /// Of the free bodies at the end, kg·m/s.
    pub momentum: Vec<f64>,
    /// Given by static and kinematic bodies, kg·m/s.
    pub momentum_from_fixtures: Vec<f64>,
    /// Given by gravity, kg·m/s.
    pub momentum_from_gravity: Vec<f64>,
    /// Given in flight by other fields: drag, wind, lift, kg·m/s.
    pub momentum_from_fields: Vec<f64>,
    /// Given by external forces, kg·m/s.
    pub momentum_from_external: Vec<f64>,
    /// Given by the shear of the periodic box, kg·m/s.
    pub momentum_from_shear: Vec<f64>,
    /// What the budget does not explain, kg·m/s: zero to rounding.
    pub momentum_residual: Vec<f64>,
    /// `null` in a periodic box, where it is not conserved.
    pub angular_momentum: Option<AngularFacts>,
    /// The deepest overlap at any collision, m: what rounding makes.
    pub deepest_overlap: f64,
}

/// What is in contacts of measurable duration that have not ended.
#[derive(Debug, Serialize)]
pub struct InContactFacts {
    pub contacts: u64,
    /// J.
    pub energy: f64,
    /// kg·m/s.
    pub momentum: Vec<f64>,
}

/// What collisions cost, by what touched what.
#[derive(Debug, Serialize)]
pub struct LossesFacts {
    /// Of free balls with each other.
    pub between_balls: LossFacts,
    /// Of free balls with static and kinematic bodies.
    pub with_fixtures: LossFacts,
    /// Of balls that keep touching something: not in collisions.
    pub lasting: LastingFacts,
    /// To fields that are no potentials, drag and wind (negative where they gave more): not in collisions, J.
    pub fields: f64,
    /// To the error of explicit Euler (negative: it adds energy): not in collisions, J.
    pub integration: f64,
}

/// What lasting contacts cost, J.
#[derive(Debug, Serialize)]
pub struct LastingFacts {
    /// To friction, while balls slide.
    pub sliding: f64,
    /// To rolling resistance.
    pub rolling: f64,
    /// To the resistance against spinning about the normal.
    pub spinning: f64,
    /// When balls stopped bouncing: what was left of their speed across.
    pub settling: f64,
    /// To the dampers of contacts that are followed by forces.
    pub damping: f64,
    /// To the finite length of the steps of solids that keep touching; negative where they gained.
    pub stepping: f64,
    /// To putting solids that keep touching back where they do not overlap; negative where that lifted them.
    pub projection: f64,
    /// Energy added by friction, in the steps of rigid bodies in lasting contact.
    pub energy_added_by_friction: f64,
}

/// What collisions cost, by cause, J.
#[derive(Debug, Serialize)]
pub struct LossFacts {
    /// Taken out along the normal, by a restitution below 1.
    pub restitution: f64,
    /// Taken out across the normal.
    pub friction: f64,
    /// Energy added along the normal, by a restitution above 1.
    pub energy_added: f64,
    /// Energy added across the normal, by a law of impact whose friction adds energy.
    pub energy_added_by_friction: f64,
}

/// Angular momentum of the free bodies about the origin, their own rotation included, kg·m²/s: a number in 2-D, an
/// array in 3-D.
#[derive(Debug, Serialize)]
pub struct AngularFacts {
    pub initial: Spin,
    pub now: Spin,
    /// Given by static and kinematic bodies.
    pub from_fixtures: Spin,
    pub from_gravity: Spin,
    /// Given in flight by other fields.
    pub from_fields: Spin,
    /// Given by external forces and torques.
    pub from_external: Spin,
    /// Given by putting solids that keep touching back where they do not overlap.
    pub from_projection: Spin,
    /// What bodies in contacts of measurable duration are to leave with, more than they have now.
    pub in_contact: Spin,
    /// What the budget does not explain: zero to rounding.
    pub residual: Spin,
}

/// Energy by kind, J.
#[derive(Debug, Serialize)]
pub struct EnergyFacts {
    /// Translational and rotational.
    pub kinetic: f64,
    /// Of the motion of the centres of mass.
    pub translational: f64,
    /// Of the rotation about them.
    pub rotational: f64,
    /// In uniform gravity, counted from the origin, in central fields and in springs.
    pub potential: f64,
    pub total: f64,
}

/// A body at the end.
#[derive(Debug, Serialize)]
pub struct BodyFacts {
    pub name: String,
    /// As in scene files.
    pub shape: &'static str,
    pub material: String,
    /// `free`, `fixed` or `kinematic`.
    pub motion: &'static str,
    /// Of its centre; of a segment, an arc or a triangle, of the frame in which its corners are given, m.
    pub position: Vec<f64>,
    /// How it is turned: an angle in 2-D, rad, from −π to π; a quaternion (w, x, y, z) in 3-D.
    pub orientation: Spin,
    /// m/s.
    pub velocity: Vec<f64>,
    /// rad/s.
    pub angular_velocity: Spin,
    /// How many it took part in.
    pub collisions: u64,
    /// Whether it is there; otherwise it is as it was when it was removed, or as it is to come.
    pub present: bool,
}

/// A number in 2-D, an array in 3-D, rad/s.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Spin {
    Two(f64),
    Three(Vec<f64>),
}

/// How long it took on this machine, by the wall clock.
#[derive(Debug, Serialize)]
pub struct Timings {
    /// Reading the scene, s.
    pub load_s: f64,
    /// Predicting and running, s.
    pub run_s: f64,
    /// Collisions for each second of `run_s`.
    pub collisions_per_s: f64,
}

/// As many numbers as the space has dimensions.
pub fn components<S: Space>(vector: S::Vector) -> Vec<f64> {
    S::components(vector)[..S::DIMENSION].to_vec()
}

impl Spin {
    pub fn new<S: SceneSpace>(angular_velocity: S::Angular) -> Self {
        let components =
            <S as carom_scene::SceneSpace>::angular_velocity_components(angular_velocity);
        match components[..] {
            [angular_velocity] => Spin::Two(angular_velocity),
            _ => Spin::Three(components),
        }
    }
}

impl From<Energy> for EnergyFacts {
    fn from(energy: Energy) -> Self {
        EnergyFacts {
            kinetic: energy.kinetic(),
            translational: energy.translational,
            rotational: energy.rotational,
            potential: energy.potential,
            total: energy.total(),
        }
    }
}

impl From<Loss> for LossFacts {
    fn from(loss: Loss) -> Self {
        LossFacts {
            restitution: loss.restitution,
            friction: loss.friction,
            energy_added: loss.energy_added,
            energy_added_by_friction: loss.energy_added_by_friction,
        }
    }
}

impl From<Lasting> for LastingFacts {
    fn from(lasting: Lasting) -> Self {
        LastingFacts {
            sliding: lasting.sliding,
            rolling: lasting.rolling,
            spinning: lasting.spinning,
            settling: lasting.settling,
            damping: lasting.damping,
            stepping: lasting.stepping,
            projection: lasting.projection,
            energy_added_by_friction: lasting.energy_added_by_friction,
        }
    }
}

impl AuditFacts {
    pub fn new<S: SceneSpace>(audit: &Audit<S>) -> Self {
        AuditFacts {
            energy_initial: audit.initial.into(),
            energy: audit.now.into(),
            lost_in_collisions: audit.lost_in_collisions,
            losses: LossesFacts {
                between_balls: audit.losses.between_balls.into(),
                with_fixtures: audit.losses.with_fixtures.into(),
                lasting: audit.losses.lasting.into(),
                fields: audit.losses.fields,
                integration: audit.losses.integration,
            },
            work_by_kinematic: audit.work_by_kinematic,
            external_work: audit.external_work,
            shear_work: audit.shear_work,
            given: audit.given,
            in_contact: InContactFacts {
                contacts: audit.in_contact.contacts,
                energy: audit.in_contact.energy,
                momentum: components::<S>(audit.in_contact.momentum),
            },
            energy_residual: audit.energy_residual,
            momentum_initial: components::<S>(audit.momentum_initial),
            momentum: components::<S>(audit.momentum),
            momentum_from_fixtures: components::<S>(audit.momentum_from_fixtures),
            momentum_from_gravity: components::<S>(audit.momentum_from_gravity),
            momentum_from_fields: components::<S>(audit.momentum_from_fields),
            momentum_from_external: components::<S>(audit.momentum_from_external),
            momentum_from_shear: components::<S>(audit.momentum_from_shear),
            momentum_residual: components::<S>(audit.momentum_residual),
            angular_momentum: audit.angular_momentum.map(|angular| AngularFacts {
                initial: Spin::new::<S>(angular.initial),
                now: Spin::new::<S>(angular.now),
                from_fixtures: Spin::new::<S>(angular.from_fixtures),
                from_gravity: Spin::new::<S>(angular.from_gravity),
                from_fields: Spin::new::<S>(angular.from_fields),
                from_external: Spin::new::<S>(angular.from_external),
                from_projection: Spin::new::<S>(angular.from_projection),
                in_contact: Spin::new::<S>(angular.in_contact),
                residual: Spin::new::<S>(angular.residual),
            }),
            deepest_overlap: audit.deepest_overlap,
        }
    }
}
