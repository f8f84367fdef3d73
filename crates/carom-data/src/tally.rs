//! Counting what happened, quickly, and so that it can be kept in a checkpoint.

use crate::reader::BodyRecord;
use crate::tables::{change_name, mode_name};
use carom::record::Mode;
use carom::record::Regime;
use carom::record::{Collision, Event, Transition};
use carom::world::World;
use carom_scene::{SceneSpace, shape_name};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Events counted by what met.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Collisions by the classes of the two and the mode, as [`key`] puts them together.
    by_kind: BTreeMap<u64, u64>,
    /// Collisions that each body took part in, by id.
    pub by_body: Vec<u64>,
    /// Balls that went into a sensor.
    pub entered: u64,
    /// Balls that came out of one.
    pub left: u64,
    /// How often each sensor was entered and left, by its id.
    #[serde(default)]
    pub by_sensor: BTreeMap<u32, [u64; 2]>,
    /// Balls that came to keep touching something, went on there in another way, or left it: `flying-sliding`,
    /// `sliding-rolling`, ….
    #[serde(default)]
    pub transitions: BTreeMap<String, u64>,
    /// Changes from outside, by what was changed.
    #[serde(default)]
    pub edits: BTreeMap<String, u64>,
    /// What rules of the scene have done, by its kind: `change`, `key`, `score`, `print`, `end`, `nothing`.
    #[serde(default)]
    pub actions: BTreeMap<String, u64>,
    /// How each ball moves that keeps touching something, by id and as a place in [`GAITS`].
    #[serde(default)]
    gaits: BTreeMap<u32, u8>,
    /// Collisions that began a sticking contact.
    #[serde(default)]
    pub lasting: u64,
    /// Such contacts that have ended, by what ended them.
    #[serde(default)]
    pub released: BTreeMap<String, u64>,
}

/// How a ball moves, in words. Their places are in checkpoints: what is new comes at the end.
const GAITS: [&str; 6] = [
    "flying", "sliding", "rolling", "spinning", "resting", "sleeping",
];

/// What a ball does after a transition, as a place in [`GAITS`]. One that rests on other balls sleeps with their pile.
fn regime(transition: &Transition) -> u8 {
    match (transition.regime, transition.on) {
        (None, _) => 0,
        (Some(Regime::Sliding), _) => 1,
        (Some(Regime::Rolling), _) => 2,
        (Some(Regime::Spinning), _) => 3,
        (Some(Regime::Resting), Some(_)) => 4,
        (Some(Regime::Resting), None) => 5,
    }
}

/// All modes. Their places are in checkpoints: what is new comes at the end.
const MODES: [Mode; 6] = [
    Mode::Idle,
    Mode::Frictionless,
    Mode::Stick,
    Mode::Slide,
    Mode::SlipReversed,
    Mode::Damped,
];

/// Classes are fewer than 2²⁴: a world has at most 2²⁷ balls, but a few thousand materials at most.
fn key(a: u32, b: u32, mode: Mode) -> u64 {
    let mode = MODES.iter().position(|&other| other == mode).unwrap_or(0);
    u64::from(a) << 32 | u64::from(b) << 8 | mode as u64
}

fn unkey(key: u64) -> (usize, usize, usize) {
    let part = |shift: u32, bits: u32| (key >> shift & ((1 << bits) - 1)) as usize;
    (part(32, 32), part(8, 24), part(0, 8))
}

/// Bodies of the same shape and material are of one class.
#[derive(Clone, Debug)]
pub struct Classes {
    of_body: Vec<u32>,
    names: Vec<(String, String)>,
}

impl Classes {
    /// Those of a world.
    pub fn new<S: SceneSpace>(world: &World<S>) -> Self {
        let bodies = world.bodies().iter();
        Self::of(bodies.map(|body| (shape_name(&body.shape), world.materials.name(body.material))))
    }

    /// Those of a run folder, which knows what bodies were made of at the start.
    pub fn of_records(bodies: &[BodyRecord]) -> Self {
        Self::of(bodies.iter().map(|body| (&*body.shape, &*body.material)))
    }

    /// From the shape and the material of each body, by name.
    fn of<'n>(bodies: impl Iterator<Item = (&'n str, &'n str)>) -> Self {
        let mut numbers = BTreeMap::new();
        let mut names = Vec::new();
        let of_body = bodies.map(|(shape, material)| {
            *numbers.entry((shape, material)).or_insert_with(|| {
                names.push((shape.to_owned(), material.to_owned()));
                names.len() as u32 - 1
            })
        });
        Classes {
            of_body: of_body.collect(),
            names,
        }
    }
}

/// Collisions by what met, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// By the shapes of the two, such as `ball-wall`; the free ball comes first.
    pub by_shape: BTreeMap<String, u64>,
    /// By the materials of the two, in alphabetical order.
    pub by_material: BTreeMap<String, u64>,
    /// By what the friction did.
    pub by_mode: BTreeMap<String, u64>,
}

impl Tally {
    /// Collisions that were told. A run by forces that ends at one has counted only what was before that instant.
    pub fn collisions(&self) -> u64 {
        self.by_kind.values().sum()
    }

    /// Of nothing yet.
    pub fn new(bodies: usize) -> Self {
        Tally {
            by_body: vec![0; bodies],
            ..Tally::default()
        }
    }

    /// Takes in an event.
    #[inline]
    pub fn count<S: SceneSpace>(&mut self, classes: &Classes, event: &Event<'_, S>) {
        match event {
            Event::Collision(collision) => self.collision(classes, collision),
            Event::Entered(passage) => {
                self.entered += 1;
                self.by_sensor.entry(passage.sensor.0).or_default()[0] += 1;
            }
            Event::Left(passage) => {
                self.left += 1;
                self.by_sensor.entry(passage.sensor.0).or_default()[1] += 1;
            }
            Event::Transition(transition) => self.transition(transition),
            Event::Edited(edit) => {
                let kind = change_name(edit.change).0.to_owned();
                *self.edits.entry(kind).or_default() += 1;
            }
            Event::Action(entry) => {
                let kind = entry.kind.name().to_owned();
                *self.actions.entry(kind).or_default() += 1;
            }
            Event::Released(release) => {
                let separation = release.separation.name().to_owned();
                *self.released.entry(separation).or_default() += 1;
            }
            _ => (),
        }
    }

    fn transition(&mut self, transition: &Transition) {
        let (id, now) = (transition.ball.0, regime(transition));
        let before = match now {
            0 => self.gaits.remove(&id),
            _ => self.gaits.insert(id, now),
        };
        let [before, now] = [before.unwrap_or(0), now].map(|regime| GAITS[usize::from(regime)]);
        let kind = format!("{before}-{now}");
        *self.transitions.entry(kind).or_default() += 1;
    }

    fn collision<S: SceneSpace>(&mut self, classes: &Classes, collision: &Collision<S>) {
        let [a, b] = [collision.a, collision.b].map(|id| id.0 as usize);
        self.lasting += u64::from(collision.duration > 0.0);
        for id in [a, b] {
            self.by_body[id] += 1;
        }
        let (a, b) = (classes.of_body[a], classes.of_body[b]);
        *self.by_kind.entry(key(a, b, collision.mode)).or_default() += 1;
    }

    /// The collisions in words.
    pub fn kinds(&self, classes: &Classes) -> Kinds {
        let mut kinds = Kinds::default();
        for (&key, count) in &self.by_kind {
            let (a, b, mode) = unkey(key);
            let [a, b] = [a, b].map(|class| &classes.names[class]);
            let shapes = format!("{}-{}", a.0, b.0);
            *kinds.by_shape.entry(shapes).or_default() += count;
            let (first, second) = (a.1.as_str().min(&b.1), a.1.as_str().max(&b.1));
            let materials = format!("{first}-{second}");
            *kinds.by_material.entry(materials).or_default() += count;
            *kinds
                .by_mode
                .entry(mode_name(MODES[mode]).to_owned())
                .or_default() += count;
        }
        kinds
    }

    /// Whether it can be of a world of these classes: one that was read may be of another.
    pub fn fits(&self, classes: &Classes) -> bool {
        let known = |(a, b, mode): (usize, usize, usize)| {
            a.max(b) < classes.names.len() && mode < MODES.len()
        };
        self.by_body.len() == classes.of_body.len()
            && self.by_kind.keys().all(|&key| known(unkey(key)))
            && (self.by_sensor.keys()).all(|&id| (id as usize) < classes.of_body.len())
            && self
                .gaits
                .values()
                .all(|&regime| usize::from(regime) < GAITS.len())
    }
}
