//! The cue strikes the ball.
//!
//! A cue of mass M and speed V along the unit vector d meets a ball of mass m and radius R (I = ⅖ m R²), at rest, at
//! the point r from its centre. The tip does not slip, the impulse is along the cue, with an impulse J:
//!
//! ```text
//! v = J d/m,    ω = r × d J/I,    V′ = V − J/M.
//! ```
//!
//! Along d the place that was struck moves at `d·(v + ω×r) = J/m + J |r×d|²/I`, and it leaves the tip at e times the
//! speed at which it met it:
//!
//! ```text
//! J = (1 + e) V / (1/m + 1/M + |r×d|²/I),    v = (1 + e) V / (1 + m/M + 5/2 (a² + b²)/R²),
//! ```
//!
//! with a and b the distances of the line of the cue from the centre, to the right and upwards as seen along it:
//! `|r×d|² = a² + b²`. For e = 1 and a level cue this is the formula of Leckie and Greenspan (2006), which pooltool
//! uses. Beyond about half a radius the tip slips off: that is refused.
//!
//! A raised cue drives the ball into the cloth; what the cloth makes of that is left to the run.

use super::{Balls, ShotError, within};
use carom::record::Velocities;
use carom::space::Space3;
use glam::DVec3;

/// How the cue strikes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CueStrike {
    /// Of the cue at impact, m/s. The ball leaves faster, by up to 2/(1 + m/M).
    pub speed: f64,
    /// Seen from above, from the x axis to the y axis, rad. Along the table it is π/2.
    pub direction: f64,
    /// Of the cue's butt above the level, rad.
    pub elevation: f64,
    /// How far to the right of the centre the tip strikes, seen along the cue, in radii.
    pub side: f64,
    /// How far above the centre, in radii: positive gives top spin, negative back spin.
    pub height: f64,
    /// Of the cue, kg.
    pub cue_mass: f64,
    /// Between tip and ball.
    pub tip_restitution: f64,
    /// Which of the rack's balls is struck.
    pub ball: usize,
}

impl CueStrike {
    /// The tip slips off beyond this, in radii.
    pub const MISCUE: f64 = 0.5;

    /// In the middle of ball 0, with a level cue of 0.567 kg (20 oz) and an elastic tip.
    pub fn new(speed: f64, direction: f64) -> Self {
        CueStrike {
            speed,
            direction,
            elevation: 0.0,
            side: 0.0,
            height: 0.0,
            cue_mass: 0.567,
            tip_restitution: 1.0,
            ball: 0,
        }
    }

    /// Velocity and spin of a ball that is struck at rest. Refused where a number is out of its range, or the tip would
    /// slip off.
    pub fn on(&self, balls: &Balls) -> Result<Velocities<Space3>, ShotError> {
        within("speed", self.speed, 0.0..=1e3)?;
        within("direction", self.direction, -1e3..=1e3)?;
        within(
            "elevation",
            self.elevation,
            0.0..=std::f64::consts::FRAC_PI_2,
        )?;
        within("cue_mass", self.cue_mass, 1e-6..=1e6)?;
        within("tip_restitution", self.tip_restitution, 0.0..=1.0)?;
        let offset = (self.side * self.side + self.height * self.height).sqrt();
        if !(offset <= Self::MISCUE) {
            return Err(ShotError::Miscue {
                offset,
                side: self.side,
                height: self.height,
                limit: Self::MISCUE,
            });
        }
        let (sin, cos) = libm::sincos(self.direction);
        let (down, level) = libm::sincos(self.elevation);
        let along = DVec3::new(cos * level, sin * level, -down);
        let right = DVec3::new(sin, -cos, 0.0);
        let up = right.cross(along);
        let resistance = 1.0 + balls.mass / self.cue_mass + 2.5 * offset * offset;
        let speed = (1.0 + self.tip_restitution) * self.speed / resistance;
        // r×d, over R; what r has along d does not count.
        let lever = (right * self.side + up * self.height).cross(along);
        Ok(Velocities {
            velocity: along * speed,
            angular_velocity: lever * (2.5 * speed / balls.radius),
        })
    }
}
