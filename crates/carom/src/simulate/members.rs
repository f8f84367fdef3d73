//! Balls that come and go during a run.
//!
//! A ball that leaves makes its slot vacant, and the next that comes takes it. Before all plans are made anew the
//! vacant slots are closed up, so that no planner has to know of them then.

use super::balls::{Ball, Balls, NOBODY, Orientations};
use super::inertials::Inertial;
use super::trajectories::Support;
use crate::body::{CollisionFilter, Free};
use crate::motion::Pose;
use crate::shape::Shaped;
use crate::space::Space;
use crate::world::BodyId;

/// A ball that is to come.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewBall<S: Space> {
    pub id: BodyId,
    pub radius: f64,
    pub pose: Pose<S>,
    pub free: Free<S>,
    pub inertial: Inertial,
    pub groups: CollisionFilter,
}

impl<S: Shaped> Balls<S> {
    /// Puts a ball into a slot at a time by the run's clock. Balls must be able to turn if it does, and to be in groups
    /// if it is.
    pub fn admit(&mut self, new: &NewBall<S>, time: f64) -> usize {
        let hot = Ball {
            position: new.pose.position,
            velocity: new.free.velocity,
            since: time,
            radius: new.radius,
        };
        let slot = match self.vacant.pop() {
            Some(slot) => {
                let slot = slot as usize;
                self.hot[slot] = hot;
                self.ids[slot] = new.id;
                self.inertials.set(slot, new.inertial);
                slot
            }
            None => {
                self.hot.push(hot);
                self.ids.push(new.id);
                self.inertials.push(new.inertial);
                if let Some(turning) = &mut self.turning {
                    turning.angular_velocity.push(new.free.angular_velocity);
                    turning.rotation.push(new.pose.rotation);
                }
                if let Some(groups) = &mut self.groups {
                    groups.push(new.groups);
                }
                if self.is_periodic() {
                    self.images.push([0; 3]);
                }
                self.hot.len() - 1
            }
        };
        if let Some(turning) = &mut self.turning {
            turning.angular_velocity[slot] = new.free.angular_velocity;
            turning.rotation[slot] = new.pose.rotation;
        }
        if let Some(groups) = &mut self.groups {
            groups[slot] = new.groups;
        }
        if self.is_periodic() {
            self.images[slot] = [0; 3];
            self.bring_home(slot, time);
        }
        self.note_speed(slot);
        if let Some(trajectories) = &mut self.trajectories {
            // Whatever it was; the next line makes it what it is.
            if slot == trajectories.segments.len() {
                trajectories.segments.push(None);
                trajectories.supports.push();
                trajectories.hints.push(0.0);
            }
            trajectories.supports.replace(slot, Support::FLYING);
            trajectories.hints[slot] = 0.0;
        }
        self.fly(slot);
        slot
    }

    /// Makes a slot vacant.
    pub fn dismiss(&mut self, slot: usize) {
        self.ids[slot] = NOBODY;
        // A body that still plans to meet it will find that it never does.
        self.hot[slot].position = S::vector([f64::NAN; 3]);
        self.hot[slot].since = f64::NAN;
        self.vacant.push(slot as u32);
    }

    /// How many balls there are.
    pub fn number(&self) -> usize {
        self.len() - self.vacant.len()
    }

    /// The slots that are taken.
    pub fn slots(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|&slot| self.ids[slot] != NOBODY)
    }

    /// Closes up the vacant slots.
    pub fn close_up(&mut self) {
        if !self.vacant.is_empty() {
            let taken: Vec<u32> = self.slots().map(|slot| slot as u32).collect();
            self.reorder(&taken);
            self.vacant.clear();
        }
    }

    /// Lets balls turn from now on; they are turned as `rotation` says.
    pub fn let_turn(&mut self, rotation: impl Fn(BodyId) -> S::Rotation) {
        if self.turning.is_none() {
            self.turning = Some(Orientations {
                angular_velocity: vec![S::Angular::default(); self.len()],
                rotation: self.ids.iter().map(|&id| rotation(id)).collect(),
            });
        }
    }

    /// Asks which bodies meet from now on; so far, all do.
    pub fn use_groups(&mut self) {
        if self.groups.is_none() {
            self.groups = Some(vec![CollisionFilter::ALL; self.len()]);
        }
    }

    /// The groups of a ball.
    pub fn groups_of(&self, slot: usize) -> CollisionFilter {
        match &self.groups {
            Some(groups) => groups[slot],
            None => CollisionFilter::ALL,
        }
    }

    /// Whether a ball meets a body of these groups.
    #[inline]
    pub fn meets(&self, slot: usize, other: CollisionFilter) -> bool {
        match &self.groups {
            Some(groups) => groups[slot].collides_with(other),
            None => CollisionFilter::ALL.collides_with(other),
        }
    }
}
