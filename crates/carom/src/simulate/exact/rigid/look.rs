//! What can be asked of rigid bodies.

use super::near;
use crate::impact::Strikable;
use crate::simulate::exact::Exact;
use crate::simulate::rigid::{ContactForce, Core, Rigids, Settling};
use crate::space::Linear;
use std::sync::OnceLock;

impl<S: Strikable> Exact<S> {
    /// Something has changed: the next look is a new one.
    #[inline]
    pub(in crate::simulate) fn look_anew(&mut self) {
        if self.between.get().is_some() {
            self.between = OnceLock::new();
        }
    }

    /// The rigid bodies as they are at the world time of the run: steps of islands that are under way are ended there,
    /// those that have only just been begun have not been.
    pub(in crate::simulate) fn seen<'a>(&'a self, rigids: &'a Rigids<S>) -> &'a Core<S> {
        let none = rigids.core.islands.iter().all(Option::is_none);
        if none && rigids.core.sticking.iter().all(Option::is_none) {
            return &rigids.core;
        }
        self.between.get_or_init(|| self.between_steps(rigids))
    }

    fn between_steps(&self, rigids: &Rigids<S>) -> Box<Core<S>> {
        let mut seen = Box::new(rigids.core.clone());
        let now = self.local_time();
        let Rigids { world, places, .. } = rigids;
        let near = near(&self.stage, &self.plans, world, places, now);
        for id in 0..seen.islands.len() as u32 {
            let Some(island) = &seen.islands[id as usize] else {
                continue;
            };
            if island.asleep {
                let island = island.clone();
                seen.rested(world, &island, now);
            } else if now > island.since {
                seen.close_step(world, &near, id, now);
            } else {
                seen.unbegin(world, id);
            }
        }
        for id in 0..seen.sticking.len() as u32 {
            seen.enter_borne(world, id, now);
        }
        seen
    }

    /// The deepest overlap of a rigid body with another body now, m.
    pub(in crate::simulate) fn deepest_rigid_overlap(&self, rigids: &Rigids<S>) -> f64 {
        let (now, Rigids { world, places, .. }) = (self.local_time(), rigids);
        let near = near(&self.stage, &self.plans, world, places, now);
        self.seen(rigids).deepest_overlap(world, &near, now)
    }

    /// How rigid bodies that keep touching are followed.
    pub fn settling(&self) -> &Settling {
        &self.settling
    }

    /// The largest change of a velocity in the last round of any solve of lasting contacts of rigid bodies so far, m/s.
    pub fn residual(&self) -> f64 {
        let rigids = self.stage.balls.rigids();
        rigids.map_or(0.0, |rigids| rigids.core.residual)
    }

    /// What bodies that sleep and what they lie on do to each other, one entry a pair: forces in equilibrium. Of balls
    /// in piles they are good to 10⁻⁸ of gravity with up to 128 contacts, to 10⁻⁶ with more; of rigid bodies to 10⁻⁶
    /// with up to a hundred points, to 10⁻⁴ with more. Balls that rest on fixtures alone are not among them.
    pub fn contact_forces(&self) -> Vec<ContactForce<S>> {
        let rigids = self.stage.balls.rigids();
        let mut all = rigids.map_or(Vec::new(), |rigids| {
            rigids.core.forces_at_rest(&rigids.world)
        });
        all.extend(self.forces_in_islands());
        all
    }

    /// Whether no free body, nor its surface (`|ω|` times how far it reaches), is faster than a limit (m/s) now, nor
    /// was in its flight so long ago (s): for what waits for rest. Rigid bodies that keep touching move as in the step
    /// that they are in.
    pub fn is_slow(&self, limit: f64, back: f64) -> bool {
        let balls = &self.stage.balls;
        let now = self.local_time();
        balls.slots().all(|slot| {
            let from = (now - back).max(balls.hot[slot].since).min(now);
            let (velocity, spin, was, reach) = match (balls.rigids(), self.member(slot)) {
                (Some(rigids), Some(member)) => {
                    let moving = &rigids.core.moving[member as usize];
                    let moves = rigids.core.travels(member, now).1;
                    let flies = moving.island.is_none() && moving.sticking.is_none();
                    let was = if flies {
                        moving.track.velocity_at(from)
                    } else {
                        moves.velocity
                    };
                    let reach = rigids.world.inert[member as usize].reach;
                    (moves.velocity, moves.angular_velocity, was, reach)
                }
                _ => (
                    balls.velocity_at(slot, now),
                    balls.angular_velocity_at(slot, now),
                    balls.velocity_at(slot, from),
                    balls.hot[slot].radius,
                ),
            };
            let turning = spin.length() * reach;
            velocity.length() <= limit && was.length() <= limit && turning <= limit
        })
    }

    /// How many bodies keep touching something in islands with rigid bodies, and how many of them sleep.
    pub fn lasting_rigid(&self) -> (usize, usize) {
        let Some(rigids) = self.stage.balls.rigids() else {
            return (0, 0);
        };
        let islands = || rigids.core.islands.iter().flatten();
        let all = islands().map(|island| island.members.len()).sum();
        let asleep = islands().filter(|island| island.asleep);
        (all, asleep.map(|island| island.members.len()).sum())
    }
}
