//! Random kicks: the thermostat of granular gases.
//!
//! A gas whose collisions take energy is kept going by random forces on its bodies: T. P. C. van Noije and M. H. Ernst,
//! "Velocity distributions in homogeneous granular fluids: the free and the heated case", Granular Matter 1 (1998) 57.
//! Here they come as kicks at an interval Δt: each body gets, along each axis, a velocity of variance ξ² Δt, which is
//! the white noise of strength ξ² as far as the gas can tell, if there are few collisions of a body within Δt.
//!
//! The numbers of a kick are a function of the seed, the time of the kick and the number of the body: nothing has to be
//! remembered, so that a run that is cut, stored or killed goes on with the same ones.

use super::{Action, Director};
use crate::body::Kind;
use crate::codec::stored_fields;
use crate::simulate::compiled::Engines;
use crate::simulate::refuse::EditError;
use crate::space::Linear;
use crate::world::BodyId;

/// What random kicks are like; [`Action::Kick`] gives them once, to all bodies at the same instant.
///
/// ```
/// use carom::prelude::*;
/// use carom::simulate::{Action, RandomKicks};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World2::new();
/// for x in [0.0, 1.0, 2.0] {
///     world.add(Body::ball(0.1, 1.0, DVec2::new(x, 0.0), DVec2::ZERO)?)?;
/// }
/// let mut run = Simulation::new(world)?;
/// // 0.5 m²/s³, every 10 ms.
/// let kicks = RandomKicks::heating(0.5, 0.01, 7);
/// run.every(0.01, Action::Kick(kicks))?;
/// run.run_until(0.1)?;
/// assert!(run.audit().now.translational > 0.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RandomKicks {
    /// The standard deviation along each axis, m/s.
    pub spread: f64,
    /// Of the random numbers.
    pub seed: u64,
    /// The bodies that are kicked, those of them that are there; all free ones where it is `None`.
    pub bodies: Option<Vec<BodyId>>,
    /// Whether what the kicks together would give the bodies in momentum is taken off all of them alike.
    pub conserves_momentum: bool,
}

stored_fields!(RandomKicks {
    spread,
    seed,
    bodies,
    conserves_momentum
});

impl RandomKicks {
    /// Of a standard deviation (m/s) along each axis, for all free bodies, without a momentum of their own.
    pub fn new(spread: f64, seed: u64) -> Self {
        RandomKicks {
            spread,
            seed,
            bodies: None,
            conserves_momentum: true,
        }
    }

    /// Those that, given at an interval (s), are a white noise of a strength ξ² (m²/s³): without collisions the
    /// variance of the velocities along each axis grows by ξ² in a second.
    pub fn heating(strength: f64, interval: f64, seed: u64) -> Self {
        RandomKicks::new((strength * interval).sqrt(), seed)
    }

    /// The kick of a body at a world time (s), before momentum is taken off, m/s.
    fn of<S: Engines>(&self, body: BodyId, time: f64) -> S::Vector {
        let start = mixed(self.seed ^ mixed(time.to_bits() ^ mixed(u64::from(body.0))));
        let word = |number: u64| mixed(start.wrapping_add(number.wrapping_mul(STRIDE)));
        // Box and Muller: two of them for each two numbers.
        let pair = |number: u64| {
            let (radius, angle) = (unit(word(number)), unit(word(number + 1)));
            let radius = (-2.0 * libm::log(radius)).sqrt();
            let angle = 2.0 * std::f64::consts::PI * angle;
            (radius * libm::cos(angle), radius * libm::sin(angle))
        };
        let ((x, y), (z, _)) = (pair(1), pair(3));
        S::vector([x, y, z].map(|along| self.spread * along))
    }
}

/// 2⁶⁴ over the golden ratio.
const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
fn mixed(word: u64) -> u64 {
    let word = word.wrapping_add(STRIDE);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Above 0 and at most 1.
fn unit(word: u64) -> f64 {
    ((word >> 11) + 1) as f64 * (1.0 / 9_007_199_254_740_992.0)
}

impl<S: Engines> Director<S> {
    /// Gives random kicks now.
    pub(super) fn kick(&mut self, kicks: &RandomKicks) -> Result<(), EditError> {
        let mut bodies: Vec<BodyId> = match &kicks.bodies {
            Some(bodies) => bodies.clone(),
            None => (self.run.free_bodies().into_iter())
                .map(|(id, _)| id)
                .collect(),
        };
        bodies.retain(|&id| self.run.has(id));
        bodies.sort_unstable();
        bodies.dedup();
        let time = self.run.time();
        let mut all: Vec<(BodyId, S::Vector)> = Vec::with_capacity(bodies.len());
        let (mut momentum, mut mass) = (S::Vector::ZERO, 0.0);
        for id in bodies {
            let kick = kicks.of::<S>(id, time);
            all.push((id, kick));
            if kicks.conserves_momentum
                && let Some(Kind::Free(free)) = self.run.body(id).map(|body| body.kind)
            {
                momentum += kick * free.mass;
                mass += free.mass;
            }
        }
        if mass > 0.0 {
            let mean = momentum * (1.0 / mass);
            all.iter_mut().for_each(|(_, kick)| *kick -= mean);
        }
        self.run.kick(&all)
    }

    /// Whether kicks can be given as far as one can know.
    pub(super) fn check_kicks(
        &self,
        kicks: &RandomKicks,
        action: &Action<S>,
    ) -> Result<(), super::DirectorError> {
        if !(kicks.spread >= 0.0 && kicks.spread.is_finite()) {
            let allowed = "a finite speed, zero or above";
            return self.wrong(
                action,
                "the spread",
                format!("{} m/s", kicks.spread),
                allowed,
            );
        }
        for &id in kicks.bodies.iter().flatten() {
            if !matches!(self.known(id, action)?.kind, Kind::Free(_)) {
                return self.unfit(action, id, "free");
            }
        }
        Ok(())
    }
}
