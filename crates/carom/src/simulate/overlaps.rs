//! Which bodies are inside which sensors.
//!
//! A ball passes through a sensor without noticing; its flight is not touched, so that a run has the same collisions
//! with and without sensors. What happens next between the two depends on whether the ball is inside: it comes in at
//! the first contact, and goes out at the first clearance after that. Both are counted from the last passage on, so
//! none is reported twice.

use crate::codec::{Reader, SnapshotError, Stored};
use crate::space::Space;
use crate::world::BodyId;
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// A ball's relation to an image of a sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Relation {
    /// Whether the ball is inside.
    pub inside: bool,
    /// When it came in or went out last, by the run's clock, s.
    pub since: f64,
}

/// Ball, sensor, and how many box lengths the sensor's image is away from it.
type SensorKey = (BodyId, BodyId, [i32; 3]);

/// All relations that are other than "outside, and never has been inside".
#[derive(Clone, Debug, Default)]
pub(super) struct SensorOverlaps<S: Space> {
    relations: BTreeMap<SensorKey, Relation>,
    space: PhantomData<S>,
}

impl<S: Space> Stored for SensorOverlaps<S> {
    fn store(&self, out: &mut Vec<u8>) {
        let all: Vec<_> = (self.relations.iter())
            .map(|(&(ball, sensor, image), known)| {
                (((ball, sensor), image), (known.inside, known.since))
            })
            .collect();
        all.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        type Stretched = (((BodyId, BodyId), [i32; 3]), (bool, f64));
        let all = Vec::<Stretched>::load(input)?.into_iter();
        let relations = all.map(|(((ball, sensor), image), (inside, since))| {
            ((ball, sensor, image), Relation { inside, since })
        });
        Ok(SensorOverlaps {
            relations: relations.collect(),
            space: PhantomData,
        })
    }
}

impl<S: Space> SensorOverlaps<S> {
    /// Whether all of it is about bodies that there are, and the past.
    pub fn fits(&self, exists: impl Fn(BodyId) -> bool, now: f64) -> bool {
        (self.relations.iter())
            .all(|(&(ball, sensor, _), known)| exists(ball) && exists(sensor) && known.since <= now)
    }

    pub fn is_empty(&self) -> bool {
        self.relations.is_empty()
    }

    pub fn of(&self, ball: BodyId, sensor: BodyId, image: [i32; 3]) -> Option<Relation> {
        self.relations.get(&(ball, sensor, image)).copied()
    }

    /// The ball goes in or out at a time. Hands back whether it is inside of any image of the sensor before and after.
    pub fn pass(
        &mut self,
        ball: BodyId,
        sensor: BodyId,
        image: [i32; 3],
        time: f64,
    ) -> (bool, bool) {
        let before = self.is_inside(ball, sensor);
        let key = (ball, sensor, image);
        let inside = !self.relations.get(&key).is_some_and(|known| known.inside);
        let relation = Relation {
            inside,
            since: time,
        };
        self.relations.insert(key, relation);
        (before, self.is_inside(ball, sensor))
    }

    /// Whether a ball is inside of any image of a sensor.
    pub fn is_inside(&self, ball: BodyId, sensor: BodyId) -> bool {
        let images = (ball, sensor, [i32::MIN; 3])..=(ball, sensor, [i32::MAX; 3]);
        self.relations
            .range(images)
            .any(|(_, relation)| relation.inside)
    }

    /// Everyone inside a sensor: ball and sensor.
    pub fn all_inside(&self) -> impl Iterator<Item = (BodyId, BodyId)> {
        let inside = self.relations.iter().filter(|(_, known)| known.inside);
        inside.map(|(&(ball, sensor, _), _)| (ball, sensor))
    }

    /// A ball is carried round the periodic box, out at the upper (lower) end of an axis: so is what it is inside of.
    /// What has no such image (a wall without end) stays as it is.
    pub fn wrap(
        &mut self,
        ball: BodyId,
        axis: usize,
        up: bool,
        exists: impl Fn(BodyId, [i32; 3]) -> bool,
    ) {
        let all = (ball, BodyId(0), [i32::MIN; 3])..=(ball, BodyId(u32::MAX), [i32::MAX; 3]);
        let its: Vec<(SensorKey, Relation)> = (self.relations.range(all))
            .map(|(&key, &relation)| (key, relation))
            .collect();
        for (key, _) in &its {
            self.relations.remove(key);
        }
        // Its flight begins anew now: what it went out of before that is of no interest any more.
        for ((ball, sensor, image), relation) in its.into_iter().filter(|its| its.1.inside) {
            let mut next = image;
            next[axis] -= if up { 1 } else { -1 };
            let image = if exists(sensor, next) { next } else { image };
            self.relations.insert((ball, sensor, image), relation);
        }
    }

    /// A body is gone, or somewhere else.
    pub fn forget(&mut self, body: BodyId) {
        self.keep(body, |_| false);
    }

    /// A body only meets some of the others from now on. What it is inside of it does not enter once more.
    pub fn keep(&mut self, body: BodyId, meets: impl Fn(BodyId) -> bool) {
        self.relations.retain(
            |&(ball, sensor, _), _| match (ball == body, sensor == body) {
                (true, _) => meets(sensor),
                (_, true) => meets(ball),
                _ => true,
            },
        );
    }

    /// The clock reads `shift` less from now on. Where a ball went out of a sensor before its flight began is of no
    /// interest any more.
    pub fn rebase(&mut self, shift: f64, began: impl Fn(BodyId) -> f64) {
        self.relations.retain(|&(ball, _, _), relation| {
            relation.since -= shift;
            relation.inside || relation.since > began(ball)
        });
    }
}
