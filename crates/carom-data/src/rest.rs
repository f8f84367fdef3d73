//! When everything has come to rest, for runs that are cut into pieces.
//!
//! The rule is that of [`Until`](carom::simulate::Until): no body's speed, nor that of its surface, is above a limit, and in gravity none has been
//! for longer than anything that falls freely could be that slow, `2 limit / g`. What has to be remembered for that is part
//! of a checkpoint, so that a resumed run ends at the same collision.
//!
//! # When it is looked at
//!
//! Never where a frame or a checkpoint happens to be: the end of a run does not depend on those. Balls by events move along known flights between collisions, so that it is asked after each event alone. Rigid bodies that
//! keep touching, and everything by forces, come to rest without events: there it is asked at times of a grid that belongs to the run ([`Engine::next_look_for_rest`]).
//!
//! What keeps touching can be slow for an instant without falling freely: a box that rocks, a ball that turns back on a slope. So with rigid bodies in gravity everyone must have been slow for a
//! quarter of a second, as long as it takes them to fall asleep. By forces nobody is seen between two looks: the time between them comes on top.

use crate::engine::Engine;
use crate::space::DataSpace;
use carom::body::Kind;
use carom::record::Collision;
use carom::shape::{Obstacle, Shape};
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
    /// The free bodies, and how far they reach from their centres, m.
    bodies: Vec<(BodyId, f64)>,
    /// A body that was fast when it was last looked at. The others are only looked at where it has become slow.
    witness: usize,
}

/// For how long rigid bodies in gravity have to be slow at the least, s.
const CALM: f64 = 0.25;

impl<'m> Rest<'m> {
    pub fn new<S: DataSpace>(limit: f64, world: &World<S>, memory: &'m mut RestMemory) -> Self {
        let free = |(id, body): (u32, &carom::body::Body<S>)| match (&body.shape, &body.kind) {
            (Shape::Ball(ball), Kind::Free(_)) => Some((BodyId(id), ball.radius)),
            (shape, Kind::Free(_)) => Some((BodyId(id), shape.reach())),
            _ => None,
        };
        if world.gravity().length() > 0.0 {
            memory.struck_at.resize(world.bodies().len(), 0.0);
        }
        Rest {
            memory,
            limit,
            bodies: (0..).zip(world.bodies()).filter_map(free).collect(),
            witness: 0,
        }
    }

    /// For how long everything has to be slow, s: as long as what falls freely can be.
    fn patience<S: DataSpace>(&self, run: &impl Engine<S>) -> f64 {
        match run.gravity().length() {
            gravity if gravity > 0.0 => 2.0 * self.limit / gravity,
            _ => 0.0,
        }
    }

    /// The speed of a flight is greatest at one of its ends, which are collisions.
    pub fn see<S: DataSpace>(&mut self, collision: &Collision<S>) {
        if self.memory.struck_at.is_empty() {
            return;
        }
        for (id, side) in [(collision.a, 0), (collision.b, 1)] {
            let Ok(place) = self.bodies.binary_search_by_key(&id, |body| body.0) else {
                continue;
            };
            let reach = self.bodies[place].1;
            self.memory.struck_at[id.0 as usize] = collision.time;
            for motion in [collision.before[side], collision.after[side]] {
                if motion.velocity.length() > self.limit
                    || motion.spin.length() * reach > self.limit
                {
                    self.memory.fast_at = collision.time;
                }
            }
        }
    }

    pub fn holds<S: DataSpace, E: Engine<S>>(&mut self, run: &E) -> bool {
        let (now, patience) = (run.time(), self.patience(run));
        if E::METHOD == Method::Forces {
            return self.holds_by_forces(run, patience);
        }
        if run.is_at_rest_everywhere() {
            return true;
        }
        // Who travels with another has the velocity to come that it leaves with.
        if run.number_in_tandem() > 0 {
            return false;
        }
        let gravity = run.gravity().length() > 0.0;
        // In gravity what stands still for an instant is not at rest.
        if self.limit == 0.0 && gravity {
            return false;
        }
        if let Some(slow) = run.is_slow(self.limit, patience) {
            if !slow {
                self.memory.fast_at = now;
            }
            return slow && (!gravity || now - self.memory.fast_at > patience.max(CALM));
        }
        if gravity && !(now - self.memory.fast_at > patience) {
            return false;
        }
        let is_fast = |&(id, radius): &(BodyId, f64)| {
            let state = run.state(id);
            // In its flight, as far back as it counts.
            let back = match self.memory.struck_at.get(id.0 as usize) {
                Some(&struck) => patience.min(now - struck),
                None => 0.0,
            };
            let before = state.velocity - run.gravity() * back;
            state.velocity.length() > self.limit
                || before.length() > self.limit
                || state.spin.length() * radius > self.limit
        };
        let number = self.bodies.len();
        let found = (0..number)
            .map(|step| (self.witness + step) % number)
            .find(|&place| is_fast(&self.bodies[place]));
        match found {
            Some(place) => {
                self.witness = place;
                false
            }
            None => true,
        }
    }

    /// Whoever lies on something has been in touch with it for long: that nobody has been seen to be fast, at any look or at the ends of contacts, is all that can be asked.
    fn holds_by_forces<S: DataSpace>(&mut self, run: &impl Engine<S>, patience: f64) -> bool {
        let now = run.time();
        let fast = self.bodies.iter().any(|&(id, reach)| {
            let state = run.state(id);
            state.velocity.length() > self.limit || state.spin.length() * reach > self.limit
        });
        if fast {
            self.memory.fast_at = now;
        }
        // Somebody may have been fast until just before the first look that found nobody; and who turns back on a spring is slow for an instant, much shorter than the time between two looks.
        let unseen = run.next_look_for_rest().map_or(0.0, |next| next - now);
        let begins = patience == 0.0 && now == 0.0;
        !fast && (begins || now - self.memory.fast_at > patience + unseen)
    }
}
