//! A collision, the end of a contact of measurable duration, and what crosses a sensor, as `--events` prints them.

use crate::summary::{Spin, components};
use carom::record::{Collision, Entry, Release, SensorCrossing, Velocities};
use carom::world::{BodyId, World};
use carom_data::mode_name;
use carom_scene::SceneSpace;
use serde::Serialize;

/// A collision for programs: with `--json --events`, one line of output each, before the summary.
///
/// `{"collision": {…}}` tells these lines from the summary's.
#[derive(Debug, Serialize)]
pub struct CollisionLine<'w> {
    pub collision: CollisionRecord<'w>,
}

/// What happened at a collision. Floats have as many digits as it takes to read the same number back.
#[derive(Debug, Serialize)]
pub struct CollisionRecord<'w> {
    /// Counted from 1.
    pub number: u64,
    /// World time, s.
    pub time: f64,
    /// Name of the free ball that the normal points into.
    pub a: &'w str,
    /// Name of the other body.
    pub b: &'w str,
    /// Where they touch, m.
    pub point: Vec<f64>,
    /// Unit normal, out of b into a.
    pub normal: Vec<f64>,
    /// On a; that on b is its opposite, kg·m/s.
    pub impulse: Vec<f64>,
    /// What the friction did: `idle`, `frictionless`, `stick`, `slide`, `slip reversed` or `damped`.
    pub mode: &'static str,
    /// Of a and b before, m/s and rad/s.
    pub before: [Motion; 2],
    /// Of a and b after, m/s and rad/s.
    pub after: [Motion; 2],
    /// Kinetic energy that was lost (negative: gained), J.
    pub energy_lost: f64,
    /// The part of it that friction took, J.
    pub lost_to_friction: f64,
    /// Distance of the surfaces, m; negative where they overlap by rounding.
    pub gap: f64,
    /// How long the two stick together before they separate with what they have after, s; 0 for an impact.
    pub duration: f64,
}

/// The end of a contact of measurable duration, for programs: `{"release": {…}}`.
#[derive(Debug, Serialize)]
pub struct ReleaseLine<'w> {
    pub release: ReleaseRecord<'w>,
}

/// The end of a sticking contact.
#[derive(Debug, Serialize)]
pub struct ReleaseRecord<'w> {
    /// World time, s.
    pub time: f64,
    /// Of the collision that began it.
    pub number: u64,
    /// Name of the free ball that the normal pointed into.
    pub a: &'w str,
    /// Name of the other body.
    pub b: &'w str,
    /// How long it lasted, s.
    pub duration: f64,
    /// What ended it: `time`, `struck`, `wall` or `edited`.
    pub separation: &'static str,
}

impl<'w> ReleaseLine<'w> {
    pub fn new<S: SceneSpace>(world: &'w World<S>, release: &Release) -> Self {
        ReleaseLine {
            release: ReleaseRecord {
                time: release.time,
                number: release.number,
                a: &world.body(release.a).name,
                b: &world.body(release.b).name,
                duration: release.duration,
                separation: release.separation.name(),
            },
        }
    }
}

/// A body that enters or leaves a sensor, for programs: `{"sensor_crossing": {…}}`.
#[derive(Debug, Serialize)]
pub struct PassageLine<'w> {
    pub sensor_crossing: PassageRecord<'w>,
}

/// A ball goes into a sensor or comes out of it.
#[derive(Debug, Serialize)]
pub struct PassageRecord<'w> {
    /// `entered` or `left`.
    pub kind: &'static str,
    /// World time, s.
    pub time: f64,
    /// Name of the body that crosses it.
    pub ball: &'w str,
    /// Name of what is passed.
    pub sensor: &'w str,
}

impl<'w> PassageLine<'w> {
    pub fn new<S: SceneSpace>(
        world: &'w World<S>,
        kind: &'static str,
        passage: &SensorCrossing,
    ) -> Self {
        PassageLine {
            sensor_crossing: PassageRecord {
                kind,
                time: passage.time,
                ball: &world.body(passage.ball).name,
                sensor: &world.body(passage.sensor).name,
            },
        }
    }
}

/// A drive that stalls, for programs: `{"stall": {…}}`.
#[derive(Debug, Serialize)]
pub struct StallLine<'w> {
    pub stall: StallRecord<'w>,
}

/// A kinematic body would have squeezed another one, and stands still from now on.
#[derive(Debug, Serialize)]
pub struct StallRecord<'w> {
    /// World time, s.
    pub time: f64,
    /// Its name.
    pub body: &'w str,
}

impl<'w> StallLine<'w> {
    pub fn new<S: SceneSpace>(world: &'w World<S>, time: f64, body: BodyId) -> Self {
        let body = &world.body(body).name;
        StallLine {
            stall: StallRecord { time, body },
        }
    }
}

/// What a rule of the scene did, for programs: `{"action": {…}}`.
#[derive(Debug, Serialize)]
pub struct ActionLine<'w> {
    pub action: ActionRecord<'w>,
}

/// What a rule of the scene did.
#[derive(Debug, Serialize)]
pub struct ActionRecord<'w> {
    /// World time, s.
    pub time: f64,
    /// `change`, `key`, `score`, `print`, `end` or `nothing`.
    pub kind: &'static str,
    /// Name of the body that set it off, or `null`.
    pub ball: Option<&'w str>,
    /// In words; of what is printed, the text.
    pub what: &'w str,
}

impl<'w> ActionLine<'w> {
    pub fn new<S: SceneSpace>(world: &'w World<S>, entry: &'w Entry) -> Self {
        ActionLine {
            action: ActionRecord {
                time: entry.time,
                kind: entry.kind.name(),
                ball: entry.ball.map(|id| &*world.body(id).name),
                what: &entry.what,
            },
        }
    }
}

/// How a body moves.
#[derive(Debug, Serialize)]
pub struct Motion {
    pub velocity: Vec<f64>,
    pub angular_velocity: Spin,
}

impl<'w> CollisionLine<'w> {
    pub fn new<S: SceneSpace>(world: &'w World<S>, collision: &Collision<S>) -> Self {
        let motion = |side: &Velocities<S>| Motion {
            velocity: components::<S>(side.velocity),
            angular_velocity: Spin::new::<S>(side.angular_velocity),
        };
        CollisionLine {
            collision: CollisionRecord {
                number: collision.number,
                time: collision.time,
                a: &world.body(collision.a).name,
                b: &world.body(collision.b).name,
                point: components::<S>(collision.point),
                normal: components::<S>(collision.normal),
                impulse: components::<S>(collision.impulse),
                mode: mode_name(collision.mode),
                before: [motion(&collision.before[0]), motion(&collision.before[1])],
                after: [motion(&collision.after[0]), motion(&collision.after[1])],
                energy_lost: collision.energy_lost,
                lost_to_friction: collision.lost_to_friction,
                gap: collision.gap,
                duration: collision.duration,
            },
        }
    }
}
