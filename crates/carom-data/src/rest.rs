//! When everything has come to rest, for runs that are cut into pieces.
//!
//! The rule is that of [`Until`](carom::simulate::Until): no ball's speed, nor that of its surface, is above a limit, and in gravity none has been
//! for longer than anything that falls freely could be that slow, `2 limit / g`. What has to be remembered for that is part
//! of a checkpoint, so that a resumed run ends at the same collision.

use crate::engine::Engine;
use crate::space::DataSpace;
use carom::body::Kind;
use carom::record::Collision;
use carom::shape::Shape;
use carom::space::Linear;
use carom::world::{BodyId, World};
use carom_scene::Method;
use serde::{Deserialize, Serialize};

/// What has to be remembered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RestMemory {
    /// When something was last seen to be fast, s.
    fast_at: f64,
    /// When each body was last struck, s. Empty without gravity, where it does not matter.
    struck_at: Vec<f64>,
}

/// Watches out for rest.
#[derive(Debug)]
pub(crate) struct Rest<'m> {
    memory: &'m mut RestMemory,
    limit: f64,
    /// For how long everything has to be slow, s.
    patience: f64,
    /// The balls and their radii, m.
    balls: Vec<(BodyId, f64)>,
    /// A ball that was fast when it was last looked at. The others are only looked at where it has become slow.
    witness: usize,
}

impl<'m> Rest<'m> {
    pub fn new<S: DataSpace>(
        limit: f64,
        world: &World<S>,
        gravity: S::Vector,
        memory: &'m mut RestMemory,
    ) -> Self {
        let ball = |(id, body): (u32, &carom::body::Body<S>)| match (&body.shape, &body.kind) {
            (Shape::Ball(ball), Kind::Free(_)) => Some((BodyId(id), ball.radius)),
            _ => None,
        };
        let gravity = gravity.length();
        let patience = match gravity > 0.0 {
            true => 2.0 * limit / gravity,
            false => 0.0,
        };
        if patience > 0.0 {
            memory.struck_at.resize(world.bodies().len(), 0.0);
        }
        Rest {
            memory,
            limit,
            patience,
            balls: (0..).zip(world.bodies()).filter_map(ball).collect(),
            witness: 0,
        }
    }

    /// The speed of a flight is greatest at one of its ends, which are collisions.
    pub fn see<S: DataSpace>(&mut self, collision: &Collision<S>) {
        if self.patience == 0.0 {
            return;
        }
        for (id, side) in [(collision.a, 0), (collision.b, 1)] {
            let Ok(place) = self.balls.binary_search_by_key(&id, |ball| ball.0) else {
                continue;
            };
            let radius = self.balls[place].1;
            self.memory.struck_at[id.0 as usize] = collision.time;
            for motion in [collision.before[side], collision.after[side]] {
                if motion.velocity.length() > self.limit
                    || motion.spin.length() * radius > self.limit
                {
                    self.memory.fast_at = collision.time;
                }
            }
        }
    }

    pub fn holds<S: DataSpace, E: Engine<S>>(&mut self, run: &E) -> bool {
        let now = run.time();
        if E::METHOD == Method::Forces {
            return self.holds_by_forces(run);
        }
        if run.is_at_rest_everywhere() {
            return true;
        }
        // Who travels with another has the velocity to come that it leaves with.
        if run.number_in_tandem() > 0 {
            return false;
        }
        // In gravity what stands still for an instant is not at rest.
        if self.limit == 0.0 && run.gravity().length() > 0.0 {
            return false;
        }
        if self.patience > 0.0 && !(now - self.memory.fast_at > self.patience) {
            return false;
        }
        let is_fast = |&(id, radius): &(BodyId, f64)| {
            let state = run.state(id);
            // In its flight, as far back as it counts.
            let back = match self.memory.struck_at.get(id.0 as usize) {
                Some(&struck) => self.patience.min(now - struck),
                None => 0.0,
            };
            let before = state.velocity - run.gravity() * back;
            state.velocity.length() > self.limit
                || before.length() > self.limit
                || state.spin.length() * radius > self.limit
        };
        let number = self.balls.len();
        let found = (0..number)
            .map(|step| (self.witness + step) % number)
            .find(|&place| is_fast(&self.balls[place]));
        match found {
            Some(place) => {
                self.witness = place;
                false
            }
            None => true,
        }
    }

    /// Whoever lies on something has been in touch with it for long: that nobody has been seen to be fast, between contacts or at their ends, is all that can be asked.
    fn holds_by_forces<S: DataSpace>(&mut self, run: &impl Engine<S>) -> bool {
        let fast = self.balls.iter().any(|&(id, radius)| {
            let state = run.state(id);
            state.velocity.length() > self.limit || state.spin.length() * radius > self.limit
        });
        if fast {
            self.memory.fast_at = run.time();
        }
        !fast && run.time() - self.memory.fast_at > self.patience
    }
}
