//! Walls that move and give energy without end.
//!
//! An elastic ball between a wall and one that comes nearer is struck faster and faster: by the time the gap has closed
//! to a share s of what it was, there have been about 1/s collisions, and the ball has 1/s² of its energy. The gap
//! never closes. Honest runs may be heated by walls for as long as they like: of n blows at a speed V that come at
//! random a ball has `√n V`, which is a thousand times V after a million blows, and ten thousand times V after 10⁸ of
//! them. So a gain of [`MUCH`] is told, and one of [`TOO_MUCH`] ends the run.

use super::{Exact, RunError};
use crate::impact::Strikable;
use crate::order::InOrder;
use crate::shape::Obstacle;
use crate::simulate::bodies::BodyRef;
use crate::simulate::fixture::Fixture;
use crate::space::Linear;
use crate::world::BodyId;

/// How many times their energy walls may have given before it is told: speeds are a thousand times those at the start,
/// or of the walls.
const MUCH: f64 = 1e6;

/// And before the run ends: ten thousand times, as of a ball in a gap that has closed to a share of 10⁻⁴, where it is
/// named with both its sides if those are parallel (`pressed.rs`).
const TOO_MUCH: f64 = 1e8;

/// Energy that walls have given, beyond all measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::simulate) struct Gain {
    /// When it was noticed, s.
    time: f64,
    /// How many times what there was, or what balls as fast as the walls have.
    times: f64,
}

impl<S: Strikable> Exact<S> {
    /// Notices when walls have given so much energy that there is no end to it.
    #[cold]
    pub(super) fn count_gain(&mut self) -> Result<(), RunError> {
        let kinematic = self.stage.fixtures.iter().filter(|it| it.is_kinematic());
        let world_time = self.stage.epoch + self.clock;
        let fastest = (kinematic.map(|it| fastest(it, world_time))).fold(0.0, f64::max);
        if fastest == 0.0 {
            return Ok(());
        }
        let initial = &self.initial.energy;
        let measure = (0.5 * self.total_mass() * fastest * fastest)
            .max(initial.translational + initial.rotational);
        let given = self.ledger.work_by_kinematic.value();
        let times = given / measure;
        if !(times > MUCH) {
            return Ok(());
        }
        self.gain.get_or_insert(Gain {
            time: world_time,
            times,
        });
        if !(times > TOO_MUCH) {
            return Ok(());
        }
        let speed = |slot: usize| self.stage.balls.velocity_at(slot, self.clock).length();
        let free = self.free_balls().map(|(id, slot, _)| (id, speed(slot)));
        let fastest = free.max_by(|a, b| a.1.total_cmp(&b.1));
        let (body, speed) =
            fastest.map_or((String::new(), 0.0), |(id, speed)| (self.label(id), speed));
        let between = fastest.map_or(String::new(), |(id, _)| self.named_around(id));
        self.time = world_time;
        Err(RunError::Runaway {
            time: world_time,
            times,
            body,
            speed,
            between,
        })
    }

    /// The two bodies that are nearest to a ball, by name, if they are nearer than its radius: what it goes to and fro
    /// between.
    fn named_around(&mut self, ball: BodyId) -> String {
        let (slot, clock) = (self.stage.slots[ball.0 as usize], self.clock);
        let mut near: Vec<BodyRef> = Vec::new();
        self.each_neighbour(slot, |other| near.push(other));
        let stage = &self.stage;
        let radius = stage.balls.hot[slot as usize].radius;
        let mut gaps: Vec<(f64, BodyId)> = (near.into_iter())
            .filter(|&other| stage.collide(slot as usize, other))
            .map(|other| {
                let id = match other {
                    BodyRef::Ball(its) => stage.balls.ids[its as usize],
                    BodyRef::Fixture(index) => stage.fixtures[index as usize].id,
                };
                (stage.contact(slot as usize, other, clock).1, id)
            })
            .filter(|&(gap, _)| gap < radius)
            .collect();
        gaps.order_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        gaps.dedup_by_key(|&mut (_, id)| id);
        match gaps[..] {
            [] => String::new(),
            [(_, only)] => format!(" at {}", self.label(only)),
            [(_, one), (_, other), ..] => {
                format!(" between {} and {}", self.label(one), self.label(other))
            }
        }
    }

    /// What a reader of the results should know, in words; empty where all is well.
    pub fn warnings(&self) -> Vec<String> {
        let told = |gain: &Gain| {
            format!(
                "walls that move have given the balls {:.1e} times the energy that they began with, or that balls as fast as the walls have, by t = {} s (an elastic ball in a gap that closes gains without end)",
                gain.times, gain.time
            )
        };
        self.gain.iter().map(told).collect()
    }
}

/// About the highest speed of fixture, m/s: the highest of some instants, all over, of its middle or of what is as far
/// from there as it reaches.
fn fastest<S: Strikable>(fixture: &Fixture<S>, now: f64) -> f64 {
    let reach = fixture.body.shape.reach();
    let reach = if reach.is_finite() { reach } else { 0.0 };
    let at = |share: f64| {
        let state = fixture.state_at(now * share);
        state.velocity.length() + state.angular_velocity.length() * reach
    };
    let shares = [1.0, 0.0, 0.9, 0.77, 0.61, 0.43, 0.29, 0.13];
    shares.into_iter().map(at).fold(0.0, f64::max)
}
