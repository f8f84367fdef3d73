//! When everything has come to rest.
//!
//! Without gravity everything is at rest when no body's speed, nor that of its surface (`|ω|` times how far it
//! reaches), is above a limit. A body in gravity is slow at the top of its flight too; it is at rest when it has been
//! slow for longer than anything that falls freely can be, `2 limit / g`.
//!
//! # When it is looked at
//!
//! Never where a run happens to be cut into segments: its end does not depend on those. Balls by impulses move along
//! known flights between collisions, so that it is asked after each event alone. Rigid bodies that keep touching, and
//! everything by forces, come to rest without events: there it is asked at times of a grid that belongs to the run.
//!
//! What keeps touching can be slow for an instant without falling freely: a box that rocks, a ball that turns back on a
//! slope. So with rigid bodies in gravity everyone must have been slow for a quarter of a second, as long as it takes
//! them to fall asleep. By forces no body is seen between two looks: the time between them comes on top.

use super::engine::Engine;
use crate::record::{Change, Event};
use crate::simulate::compiled::Engines;
use crate::space::Linear;
use crate::world::BodyId;

/// What has to be remembered of a run that ends when everything is at rest, so that, divided into calls, it ends where
/// it would in one go.
///
/// A new one is that of a run that begins now, at time 0. It is not part of a [snapshot](super::Simulation::snapshot):
/// a program that keeps snapshots of such runs keeps [its numbers](Self::numbers) beside them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RestMemory {
    /// When something was last seen to be fast, s.
    fast_at: f64,
    /// When each body was last struck, s. Empty without gravity, where it does not matter.
    struck_at: Vec<f64>,
}

impl RestMemory {
    /// Of a run that stands at a world time, s: nothing is known of what was before.
    pub fn since(time: f64) -> Self {
        RestMemory {
            fast_at: time,
            struck_at: Vec::new(),
        }
    }

    /// From its [numbers](Self::numbers).
    pub fn from_numbers(fast_at: f64, struck_at: Vec<f64>) -> Self {
        RestMemory { fast_at, struck_at }
    }

    /// When something was last seen to be fast (world time, s), and when each body was last struck (by its number;
    /// empty without gravity).
    pub fn numbers(&self) -> (f64, &[f64]) {
        (self.fast_at, &self.struck_at)
    }
}

/// Watches out for rest.
#[derive(Debug)]
pub(super) struct Rest<'m> {
    memory: &'m mut RestMemory,
    limit: f64,
    /// The free bodies, and how far they reach from their centres, m.
    bodies: Vec<(BodyId, f64)>,
    /// Whether bodies have come or gone since they were listed.
    outdated: bool,
    /// A body that was fast when it was last looked at. The others are only looked at where it has become slow.
    witness: usize,
}

/// For how long rigid bodies in gravity have to be slow at the least, s.
const CALM: f64 = 0.25;

impl<'m> Rest<'m> {
    /// With a limit for speeds, m/s.
    pub fn new<S: Engines>(limit: f64, run: &dyn Engine<S>, memory: &'m mut RestMemory) -> Self {
        let mut rest = Rest {
            memory,
            limit,
            bodies: Vec::new(),
            outdated: true,
            witness: 0,
        };
        rest.list(run);
        rest
    }

    fn list<S: Engines>(&mut self, run: &dyn Engine<S>) {
        self.bodies = run.free_bodies();
        self.outdated = false;
        if run.gravity().length() > 0.0 {
            let most = run.next_id().max(self.memory.struck_at.len());
            self.memory.struck_at.resize(most, 0.0);
        }
    }

    /// For how long everything has to be slow, s: as long as what falls freely can be.
    fn patience<S: Engines>(&self, run: &dyn Engine<S>) -> f64 {
        match run.gravity().length() {
            gravity if gravity > 0.0 => 2.0 * self.limit / gravity,
            _ => 0.0,
        }
    }

    /// The speed of a flight is greatest at one of its ends, which are collisions.
    pub fn see<S: Engines>(&mut self, event: &Event<'_, S>) {
        let collision = match event {
            Event::Collision(collision) => collision,
            Event::Edited(edit) => {
                self.see_edit(&edit.change, edit.time);
                return;
            }
            _ => return,
        };
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
                    || motion.angular_velocity.length() * reach > self.limit
                {
                    self.memory.fast_at = collision.time;
                }
            }
        }
    }

    /// What is changed from outside begins anew: it is not known how fast it was before.
    fn see_edit(&mut self, change: &Change, time: f64) {
        self.outdated = true;
        self.memory.fast_at = self.memory.fast_at.max(time);
        match *change {
            Change::Inserted(id) | Change::Velocity(id) | Change::Position(id) => {
                if let Some(struck) = self.memory.struck_at.get_mut(id.0 as usize) {
                    *struck = time;
                }
            }
            _ => {}
        }
    }

    pub fn holds<S: Engines>(&mut self, run: &dyn Engine<S>) -> bool {
        if self.outdated {
            self.list(run);
        }
        let (now, patience) = (run.time(), self.patience(run));
        if run.rests_at_steps() {
            return self.holds_at_steps(run, patience);
        }
        if run.is_at_rest() {
            // A body on something that moves lies still there, and is carried along.
            return !self.bodies.iter().any(|&(id, reach)| {
                let state = run.state(id);
                state.velocity.length() > self.limit
                    || state.angular_velocity.length() * reach > self.limit
            });
        }
        // A body that sticks to another has the velocity to come that it leaves with.
        if run.sticking() > 0 {
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
                || state.angular_velocity.length() * radius > self.limit
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

    /// A body that lies on something has been in touch with it for long: that none has been seen to be fast, at any
    /// look or at the ends of contacts, is all that can be asked.
    fn holds_at_steps<S: Engines>(&mut self, run: &dyn Engine<S>, patience: f64) -> bool {
        let now = run.time();
        let fast = self.bodies.iter().any(|&(id, reach)| {
            let state = run.state(id);
            state.velocity.length() > self.limit
                || state.angular_velocity.length() * reach > self.limit
        });
        if fast {
            self.memory.fast_at = now;
        }
        // A body may have been fast until just before the first look that found none; and one that turns back on a
        // spring is slow for an instant, much shorter than the time between two looks.
        let unseen = run.next_look_for_rest().map_or(0.0, |next| next - now);
        let begins = now == 0.0 && run.gravity().length() == 0.0;
        !fast && (begins || now - self.memory.fast_at > patience + unseen)
    }
}
