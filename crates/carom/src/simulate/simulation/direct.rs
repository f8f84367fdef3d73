//! What is to happen later: at times, at intervals, at events, at keys.

use super::{Compiled, Simulation};
use crate::simulate::director::{Action, Entry, Mount, Trigger};
use crate::simulate::error::SimulationError;
use crate::world::BodyId;

/// What is to happen later.
///
/// Everything happens at an exact time, and does not depend on how the run is divided into calls, nor on listeners:
///
/// 1. the events of an instant, all of them;
/// 2. then the actions that are due at it or were set off by those events, in the order in which they were asked for
///    ([`at`](Self::at), [`every`](Self::every) and [`on`](Self::on) are counted together);
/// 3. then, still at that instant, the events that these caused and the actions that those (or keys) set off, round by
///    round.
///
/// A run until a time does what comes before that time, and leaves what is at it to the next one. By forces a collision
/// is reported when its contact ends; what it triggers is done at the end of the step in which that is.
///
/// ```
/// use carom::prelude::*;
/// use carom::simulate::{Action, Trigger, ActionTarget};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World2::new();
/// let floor = world.add(Body::fixed(Shape::floor()))?;
/// world.set_gravity(DVec2::new(0.0, -9.81))?;
/// let ball = world.add(Body::free(Shape::ball(0.1)?).mass(1.0).at(DVec2::new(0.0, 1.1)))?;
///
/// let mut simulation = Simulation::new(world)?;
/// simulation.at(2.0, Action::Gravity(DVec2::new(0.0, -3.71)))?; // Mars
/// simulation.on(Trigger::hit(floor), Action::score("bounces", 1))?;
/// simulation.on(Trigger::hit(floor).nth(5), Action::Remove(ActionTarget::Ball))?;
/// simulation.run_until(10.0)?;
/// assert_eq!(simulation.score("bounces"), 5);
/// assert!(simulation.body(ball).is_none());
/// # Ok(())
/// # }
/// ```
impl<S: Compiled> Simulation<S> {
    /// Does something at a world time (s), after all events of that instant.
    pub fn at(&mut self, time: f64, action: Action<S>) -> Result<&mut Self, SimulationError> {
        S::simulation_at(self, time, action)?;
        Ok(self)
    }

    pub(in crate::simulate) fn at_generic(
        &mut self,
        time: f64,
        action: Action<S>,
    ) -> Result<(), SimulationError> {
        self.directed.at(time, action)?;
        Ok(())
    }

    /// Does something every so many seconds, for the first time after one interval from now.
    pub fn every(
        &mut self,
        interval: f64,
        action: Action<S>,
    ) -> Result<&mut Self, SimulationError> {
        S::simulation_every(self, interval, action)?;
        Ok(self)
    }

    pub(in crate::simulate) fn every_generic(
        &mut self,
        interval: f64,
        action: Action<S>,
    ) -> Result<(), SimulationError> {
        self.directed.every(interval, action)?;
        Ok(())
    }

    /// Does something every so many seconds from a world time (s) on, at which it is done for the first time; so many
    /// times, where that is said.
    pub fn every_from(
        &mut self,
        from: f64,
        interval: f64,
        times: Option<u64>,
        action: Action<S>,
    ) -> Result<&mut Self, SimulationError> {
        self.directed.every_from(from, interval, times, action)?;
        Ok(self)
    }

    /// Does something when something happens, at that instant, after all its events.
    pub fn on(
        &mut self,
        trigger: Trigger,
        action: Action<S>,
    ) -> Result<&mut Self, SimulationError> {
        S::simulation_on(self, trigger, action)?;
        Ok(self)
    }

    pub(in crate::simulate) fn on_generic(
        &mut self,
        trigger: Trigger,
        action: Action<S>,
    ) -> Result<(), SimulationError> {
        self.directed.on(trigger, action)?;
        Ok(())
    }

    /// Mounts a static fixture, as it stands now, so that actions can move it.
    pub fn mount(&mut self, body: BodyId, how: Mount<S>) -> Result<&mut Self, SimulationError> {
        S::simulation_mount(self, body, how)?;
        Ok(self)
    }

    pub(in crate::simulate) fn mount_generic(
        &mut self,
        body: BodyId,
        how: Mount<S>,
    ) -> Result<(), SimulationError> {
        self.directed.mount(body, how)?;
        Ok(())
    }

    /// Looks at conditions on states ([`Trigger::begins`]) every so many seconds, at multiples of that; at first every
    /// millisecond.
    pub fn look_every(&mut self, interval: f64) -> Result<&mut Self, SimulationError> {
        self.directed.look_every(interval)?;
        Ok(self)
    }

    /// Presses a key now, between two runs; nothing where it is held already. A key that is to be pressed at a time of
    /// its own is an [`Action::Press`].
    pub fn press(&mut self, key: &str) -> Result<(), SimulationError> {
        S::simulation_key(self, key, true)
    }

    /// Lets a key go now; nothing where it is not held.
    pub fn release(&mut self, key: &str) -> Result<(), SimulationError> {
        S::simulation_key(self, key, false)
    }

    pub(in crate::simulate) fn key_generic(
        &mut self,
        key: &str,
        pressed: bool,
    ) -> Result<(), SimulationError> {
        if pressed {
            self.directed.press(key)?
        } else {
            self.directed.release(key)?
        }
        Ok(())
    }

    /// What actions have done: the last ten thousand things, or a few more. Listeners are told of each of them.
    pub fn log(&self) -> &[Entry] {
        self.directed.log()
    }

    /// A score by its name; zero where nothing was ever added to it.
    pub fn score(&self, name: &str) -> i64 {
        self.directed.score(name)
    }

    /// All scores, by name.
    pub fn scores(&self) -> impl Iterator<Item = (&str, i64)> {
        self.directed.scores()
    }

    /// Whether a key is held.
    pub fn is_held(&self, key: &str) -> bool {
        self.directed.is_held(key)
    }

    /// Whether an [`Action::End`] has ended the simulation: it cannot be gone on with.
    pub fn is_over(&self) -> bool {
        self.directed.is_over()
    }
}
