//! The resistances of walls against the spin about their normals.

use super::{INSTANT, NOTHING, SPENT};
use crate::space::{Linear, Space};

/// What the resistance μ_p of a wall does to the spin about its normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pivot {
    /// It works against a spin of this sign, or there is none (zero).
    Against(f64),
    /// There is no such spin, and the resistance keeps it so.
    Keeps,
}

/// What resistances are there against the spin about the normals of walls, and how much they can take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pivots<S: Space, const N: usize> {
    /// The axis about the normal of each wall, of length one.
    pub axes: [S::Angular; N],
    /// `μ_p N r` of each wall, per mass and radius, m/s².
    pub most: [f64; N],
    /// `1/(c r)`, 1/m.
    pub ease: f64,
}

impl<S: Space, const N: usize> Pivots<S, N> {
    /// What each wall takes from the spin about its normal, m/s², where everything else makes `drive` of the spin,
    /// times `c r`.
    pub fn torques(&self, drive: S::Angular, pivots: &[Pivot; N]) -> [f64; N] {
        let signed: [f64; N] = std::array::from_fn(|wall| match pivots[wall] {
            Pivot::Against(sign) => -sign * self.most[wall],
            Pivot::Keeps => 0.0,
        });
        let mut drive = drive;
        for (&axis, &torque) in self.axes.iter().zip(&signed) {
            drive += axis * torque;
        }
        let mut torques = signed;
        let keeps: Vec<usize> = (0..N)
            .filter(|&wall| pivots[wall] == Pivot::Keeps)
            .collect();
        let found = match keeps[..] {
            [] => return torques,
            [a] => vec![-drive.dot(self.axes[a])],
            // Three that keep still leave nothing that could turn: two of them say it all.
            [a, b, ..] => {
                let [x, y] = [self.axes[a], self.axes[b]];
                let (between, [from_x, from_y]) = (x.dot(y), [-drive.dot(x), -drive.dot(y)]);
                let area = 1.0 - between * between;
                vec![
                    (from_x - from_y * between) / area,
                    (from_y - from_x * between) / area,
                ]
            }
        };
        for (wall, torque) in keeps.into_iter().zip(found) {
            torques[wall] = torque;
        }
        torques
    }

    /// What the resistances do, at a spin.
    pub fn at(&self, angular_velocity: S::Angular, drive: S::Angular) -> [Pivot; N] {
        // What would be gone in a time that no clock tells is none: it would be there for ever.
        let little = |wall: usize| {
            let at_once = INSTANT * self.most[wall] * self.ease;
            (NOTHING * angular_velocity.length()).max(at_once)
        };
        let mut pivots: [Pivot; N] = std::array::from_fn(|wall| {
            let about = angular_velocity.dot(self.axes[wall]);
            if !(self.most[wall] > 0.0) {
                Pivot::Against(0.0)
            } else if about.abs() > little(wall) {
                Pivot::Against(about.signum())
            } else {
                Pivot::Keeps
            }
        });
        // Those that cannot keep it give way, the weakest first.
        for _ in 0..N {
            let torques = self.torques(drive, &pivots);
            let over = |wall: &usize| torques[*wall].abs() / self.most[*wall];
            let weakest = (0..N)
                .filter(|&wall| pivots[wall] == Pivot::Keeps)
                .max_by(|a, b| over(a).total_cmp(&over(b)));
            match weakest {
                // Where it is just about to, it has: a clock that rounds would find it so again and again.
                Some(wall) if over(&wall) > 1.0 - SPENT => {
                    pivots[wall] = Pivot::Against(-torques[wall].signum());
                }
                _ => break,
            }
        }
        pivots
    }

    /// How far what the resistances do is from changing: negative where it has. Relative to the spin and to what they
    /// can take.
    pub fn lasting(
        &self,
        angular_velocity: S::Angular,
        drive: S::Angular,
        pivots: &[Pivot; N],
    ) -> [f64; N] {
        let torques = self.torques(drive, pivots);
        std::array::from_fn(|wall| match pivots[wall] {
            Pivot::Against(0.0) => f64::INFINITY,
            Pivot::Against(sign) => sign * angular_velocity.dot(self.axes[wall]),
            Pivot::Keeps => self.most[wall] - torques[wall].abs(),
        })
    }

    /// A spin without what is kept at zero.
    pub fn tidied(&self, angular_velocity: S::Angular, pivots: &[Pivot; N]) -> S::Angular {
        (0..N).filter(|&wall| pivots[wall] == Pivot::Keeps).fold(
            angular_velocity,
            |angular_velocity, wall| {
                angular_velocity - self.axes[wall] * angular_velocity.dot(self.axes[wall])
            },
        )
    }
}
