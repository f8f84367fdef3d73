//! How fast, how large and how far away balls may be.
//!
//! The search for a contact multiplies lengths with speeds and squares that. Beyond 10⁷⁵ m and m/s the result may not
//! be finite, and a contact would be missed without a word. A run says so instead, and keeps what it has done. Long
//! before that a ball can be too fast for the clock: within its rounding it would move through a wall.

use super::{Exact, RunError};
use crate::impact::Strikable;
use crate::record::Velocities;
use crate::simulate::bodies::BodyRef;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// The greatest length (m) and speed (m/s) with which contacts are found.
pub(super) const MOST: f64 = 1e75;

/// Up to this speed (m/s) it is not asked whether the clock is fine enough for it.
const FAST: f64 = 1e6;

/// How far a ball may move within the rounding of the clock, in radii: as far as an overlap that is warned of.
const STRIDE: f64 = 1e-3;

/// Whether velocities are within bounds: a spin is, where balls of all radii that are would be.
#[inline(always)]
pub(super) fn is_within<S: Space>(velocities: &Velocities<S>) -> bool {
    velocities.velocity.length_squared() <= FAST * FAST
        && velocities.angular_velocity.length_squared() <= MOST * MOST
}

impl<S: Strikable> Exact<S> {
    /// What is wrong with the velocities after a collision.
    #[cold]
    pub(super) fn check_velocities(
        &self,
        ball: u32,
        other: BodyRef,
        after: &[Velocities<S>; 2],
    ) -> Result<(), RunError> {
        for (body, after) in [BodyRef::Ball(ball), other].into_iter().zip(after) {
            let id = self.stage.id_of(body);
            if !after.is_finite() {
                return Err(self.not_finite(id));
            }
            // How fixtures move is not what a collision makes.
            if let BodyRef::Ball(slot) = body {
                let speed = length::<S>(after.velocity);
                self.check_number(id, "speed", speed, "m/s")?;
                self.check_number(
                    id,
                    "angular velocity",
                    after.angular_velocity.dot(after.angular_velocity).sqrt(),
                    "rad/s",
                )?;
                let radius = self.stage.balls.hot[slot as usize].radius;
                self.check_stride(id, radius, speed)?;
            }
        }
        Ok(())
    }

    /// The time of a contact is rounded, and a ball goes on from there: one that is so fast that it moves by a
    /// thousandth of its radius meanwhile is soon on the other side of a wall. Of a rigid body the fastest point
    /// counts.
    pub(super) fn check_stride(
        &self,
        id: crate::world::BodyId,
        radius: f64,
        speed: f64,
    ) -> Result<(), RunError> {
        let way = speed * (UNIT_ROUNDOFF * self.clock);
        if way <= STRIDE * radius {
            return Ok(());
        }
        Err(RunError::TooFast {
            time: self.stage.epoch + self.clock,
            body: self.label(id),
            speed,
            way,
            radius,
        })
    }

    fn check_number(
        &self,
        id: crate::world::BodyId,
        what: &'static str,
        value: f64,
        unit: &'static str,
    ) -> Result<(), RunError> {
        if value <= MOST {
            return Ok(());
        }
        Err(RunError::OutOfBounds {
            time: self.stage.epoch + self.clock,
            body: self.label(id),
            what,
            value,
            unit,
        })
    }

    /// Whether all balls are within bounds.
    #[cold]
    pub(super) fn check_bounds(&self) -> Result<(), RunError> {
        let time = self.local_time();
        for (id, slot, _) in self.free_balls() {
            let balls = &self.stage.balls;
            let place = balls.position_at(slot, time);
            let now = Velocities::<S> {
                velocity: balls.velocity_at(slot, time),
                angular_velocity: balls.angular_velocity_at(slot, time),
            };
            if !(place.is_finite() && now.is_finite()) {
                return Err(self.not_finite(id));
            }
            self.check_number(id, "radius", balls.hot[slot].radius, "m")?;
            self.check_number(id, "distance from the origin", length::<S>(place), "m")?;
            self.check_number(id, "speed", length::<S>(now.velocity), "m/s")?;
            self.check_number(
                id,
                "angular velocity",
                now.angular_velocity.dot(now.angular_velocity).sqrt(),
                "rad/s",
            )?;
        }
        Ok(())
    }

    /// Whether the motion of all balls is finite at the end of a run, a world time, s. What was computed until the last
    /// event is kept where it is not.
    pub(super) fn check_end(&mut self, until: f64) -> Result<(), RunError> {
        // Such times are not asked for, unless to let something else end the run.
        let balls = &self.stage.balls;
        let fall = balls.gravity.length() * until;
        if (fall + 1.0) * until < MOST {
            return Ok(());
        }
        let time = until - self.stage.epoch;
        let lost = self.free_balls().find(|&(_, slot, _)| {
            !(balls.position_at(slot, time).is_finite()
                && balls.velocity_at(slot, time).is_finite())
        });
        match lost {
            None => Ok(()),
            Some((id, ..)) => {
                let body = self.label(id);
                self.time = self.time.max(self.stage.epoch + self.clock);
                Err(RunError::NotFinite { time: until, body })
            }
        }
    }
}

/// The length of a vector whose square may not be finite.
fn length<S: Space>(vector: S::Vector) -> f64 {
    let parts = S::components(vector);
    let largest = parts
        .into_iter()
        .fold(0.0, |most: f64, part| most.max(part.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    let sum: f64 = parts
        .iter()
        .map(|part| (part / largest) * (part / largest))
        .sum();
    largest * sum.sqrt()
}
