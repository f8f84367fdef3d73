//! Which bodies are near each other, and what contacts remember.

use super::bodies::{ForceBodies, ForceBodyRef};
use super::state::{MovingBalls, Tally};
use crate::broad::{SizedBall, touching_pairs};
use crate::force::{Couple, Held};
use crate::impact::Strikable;
use crate::motion::Pose;
use crate::shape::Obstacle;
use crate::simulate::refuse::{ForcesError, SteppedError};
use crate::space::{Linear, Space};

/// What the springs across the normal remember.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Memory<S: Space> {
    pub sliding: Held<S::Vector>,
    pub rolling: Held<S::Vector>,
    pub spinning: Held<S::Angular>,
}

/// A ball and a body near it.
#[derive(Clone, Debug)]
pub(super) struct Link<S: Space> {
    /// By slot; of two balls the one with the lower slot.
    pub a: u32,
    pub other: ForceBodyRef,
    pub couple: Couple,
    pub memory: Memory<S>,
    /// Where they touch.
    pub touch: Option<Box<Tally<S>>>,
}

/// All bodies that are near others, within a skin.
#[derive(Clone, Debug, Default)]
pub(super) struct Links<S: Space> {
    /// In the order of slots and partners, in which forces are added up: so the bits do not depend on when the list was
    /// made.
    pub list: Vec<Link<S>>,
    /// Where balls were when the list was made, m.
    places: Vec<S::Vector>,
    /// How far a ball may move before the list is made anew, m.
    leeway: f64,
}

impl<S: Strikable> Links<S> {
    /// Makes the list anew where balls have moved far enough for it to miss a body within the next step.
    pub fn refresh(
        &mut self,
        stage: &ForceBodies<S>,
        moving: &MovingBalls<S>,
    ) -> Result<(), SteppedError> {
        let reach = self.leeway * self.leeway;
        let step = stage.step;
        let stays = self.places.len() == moving.position.len()
            && (self
                .places
                .iter()
                .zip(&moving.position)
                .zip(&moving.velocity))
            .all(|((&then, &now), &velocity)| {
                // Twice the way at the velocity now: forces change it in between.
                let ahead = 2.0 * step * velocity.length();
                let way = stage.nearest(now - then).length() + ahead;
                way * way <= reach
            });
        if stays {
            return Ok(());
        }
        self.make(stage, moving)
            .map_err(|error| SteppedError::Pair(Box::new(error)))
    }

    fn make(&mut self, stage: &ForceBodies<S>, moving: &MovingBalls<S>) -> Result<(), ForcesError> {
        let fastest = (moving.velocity.iter())
            .map(|velocity| velocity.length())
            .fold(0.0, f64::max);
        let smallest = (stage.grains.iter().map(|grain| grain.radius)).fold(f64::MAX, f64::min);
        // Good for some steps at the present speeds, and not less than a tenth of a radius.
        let way = stage.step * fastest;
        let skin = (40.0 * way)
            .min(2.0 * stage.largest)
            .max(8.0 * way)
            .max(0.2 * smallest);
        self.leeway = 0.5 * skin;
        self.places = moving.position.clone();
        let balls: Vec<SizedBall<S>> = (stage.grains.iter().zip(&moving.position).enumerate())
            .map(|(slot, (grain, &place))| SizedBall {
                id: slot as u32,
                place,
                radius: grain.radius + 0.5 * skin,
            })
            .collect();
        let mut pairs = Vec::new();
        touching_pairs(&balls, stage.periods, |a, b, _| {
            let groups = |ball: &SizedBall<S>| stage.grains[ball.id as usize].groups;
            if groups(a).collides_with(groups(b)) {
                pairs.push((a.id, ForceBodyRef::Ball(b.id)));
            }
        });
        for (index, fixture) in stage.fixtures.iter().enumerate() {
            // What moves as prescribed may come from anywhere.
            let kinematic = fixture.is_kinematic();
            let reach = fixture.body.shape.reach();
            for (slot, grain) in stage.grains.iter().enumerate() {
                if !grain.groups.collides_with(fixture.body.groups) {
                    continue;
                }
                let near = kinematic || {
                    let pose: &Pose<S> = &fixture.body.pose;
                    let place = moving.position[slot];
                    let far = (place - pose.position).length() - reach;
                    far <= grain.radius + skin
                        && fixture.body.shape.closest(pose.to_local(place)).distance
                            <= grain.radius + skin
                };
                if near {
                    pairs.push((slot as u32, ForceBodyRef::Fixture(index as u32)));
                }
            }
        }
        pairs.sort_unstable();
        // In a small box a pair is found across several sides.
        pairs.dedup();
        let mut known = std::mem::take(&mut self.list).into_iter().peekable();
        for (a, other) in pairs {
            // Those that touch are near, so that none of them is dropped here.
            while known
                .next_if(|link| (link.a, link.other) < (a, other))
                .is_some()
            {}
            let link = match known.next_if(|link| (link.a, link.other) == (a, other)) {
                Some(link) => link,
                None => Link {
                    a,
                    other,
                    couple: stage.couple(a, other)?,
                    memory: Memory::default(),
                    touch: None,
                },
            };
            self.list.push(link);
        }
        Ok(())
    }
}
