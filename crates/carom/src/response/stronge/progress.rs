//! The state of an impact while its normal impulse grows, and its straight segments.

use glam::DVec2;

/// How a piece of the impact ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The bodies part: restitution has done its work.
    Ended,
    /// The slip has stopped.
    Stopped,
    /// The slip goes on without turning.
    Straight,
}

/// What changes, per unit of normal impulse, along a straight segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct StraightRates {
    /// `dv_n/dp`.
    pub closing: f64,
    /// `dq/dp`, the friction.
    pub friction: DVec2,
}

/// How far an impact has come, in the units of its [`ContactFrame`](super::local::Frame).
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// p.
    pub normal: f64,
    /// q, the tangential impulse.
    pub tangential: DVec2,
    /// v_n; negative in compression.
    pub normal_velocity: f64,
    /// v_t.
    pub slip: DVec2,
    /// `−W_compression`, ≥ 0.
    pub compression: f64,
    /// `W_restitution`, ≥ 0.
    pub restitution: f64,
    /// ε².
    returned: f64,
}

impl Progress {
    pub fn new((normal_velocity, slip): (f64, DVec2), restitution: f64) -> Self {
        Progress {
            normal: 0.0,
            tangential: DVec2::ZERO,
            normal_velocity,
            slip,
            compression: 0.0,
            restitution: 0.0,
            returned: restitution * restitution,
        }
    }

    /// The work that restitution still has to do.
    pub fn work_left(&self) -> f64 {
        self.returned * self.compression - self.restitution
    }

    /// Goes along a straight piece until the impact ends, at most over the impulse `length`, after which the slip is
    /// zero.
    ///
    /// v_n is linear in p and the work quadratic. Compression ends where `v_n + a x = 0`; restitution where
    /// `v_n x + ½ a x² = w`, whose root is taken in the form without cancellation.
    pub fn advance(&mut self, rates: &StraightRates, length: f64) -> Phase {
        let mut left = length;
        let a = rates.closing;
        // Twice at most: compression, then restitution; or, in a jam, restitution, then compression up to the stop.
        loop {
            let v = self.normal_velocity;
            if v < 0.0 || (v == 0.0 && a < 0.0) {
                let end = if a > 0.0 { -v / a } else { f64::INFINITY };
                if end > left {
                    self.compression -= (v + 0.5 * a * left) * left;
                    return self.stop(rates, left);
                }
                if end == f64::INFINITY {
                    // Only a piece without end in a jam: excluded by the bounds on the rates.
                    return Phase::Ended;
                }
                self.compression -= 0.5 * v * end;
                self.shift(rates, end);
                self.normal_velocity = 0.0;
                left -= end;
            } else {
                let work = self.work_left();
                if work <= 0.0 {
                    return Phase::Ended;
                }
                let squared = v * v + 2.0 * a * work;
                if squared >= 0.0 {
                    let end = 2.0 * work / (v + squared.sqrt());
                    if end <= left {
                        self.shift(rates, end);
                        return Phase::Ended;
                    }
                } else if v / -a <= left {
                    let turn = v / -a;
                    self.restitution += 0.5 * v * turn;
                    self.shift(rates, turn);
                    self.normal_velocity = 0.0;
                    left -= turn;
                    continue;
                }
                self.restitution += (v + 0.5 * a * left) * left;
                return self.stop(rates, left);
            }
        }
    }

    fn shift(&mut self, rates: &StraightRates, impulse: f64) {
        self.normal += impulse;
        self.tangential += rates.friction * impulse;
        self.normal_velocity += rates.closing * impulse;
    }

    fn stop(&mut self, rates: &StraightRates, impulse: f64) -> Phase {
        self.shift(rates, impulse);
        self.slip = DVec2::ZERO;
        Phase::Stopped
    }
}
