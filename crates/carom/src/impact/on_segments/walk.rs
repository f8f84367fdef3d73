use crate::space::UNIT_ROUNDOFF;

/// A gap that can be looked at, and that knows for how long after a look it certainly stays open.
pub(super) trait Gap {
    /// At time `t`.
    fn look(&mut self, t: f64) -> GapAt;

    /// A slope at the time last looked at is closing when it is below minus this, m/s.
    fn floor(&self, t: f64, seen: &GapAt) -> f64;

    /// For how long from the time last looked at the contact rule certainly does not hold, short of an overlap of
    /// `slack` (m). Not negative.
    fn step(&mut self, t: f64, seen: &GapAt, slack: f64) -> f64;
}

/// What is seen of a gap at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct GapAt {
    /// m.
    pub value: f64,
    /// m/s.
    pub slope: f64,
    /// What rounding makes of the value, m.
    pub tolerance: f64,
}

/// After so many looks a walk begins to be less exact.
const PATIENCE: u32 = 1024;

/// The first time in `[from, to)` at which a gap is ≤ 0 and closing.
///
/// Every step is one over which the gap has been shown not to fall below minus its tolerance, so that no contact is
/// passed over but one by less than rounding makes of any gap. Next to a contact that is made at speed a few steps lead
/// to it, next to a grazing each step halves the way that is left.
///
/// Only a way that follows a round surface at the distance of a rounding error takes many short steps. After each
/// thousand looks the slack of a step and the least step are made four times as large; from 27 thousand looks on the
/// least step is the whole way. So the walk ends, whatever the numbers are, and what it may overlook after k thousand
/// looks is an overlap of 4ᵏ roundings.
pub(super) fn walk(gap: &mut impl Gap, from: f64, to: f64) -> Option<f64> {
    let mut t = from;
    let mut leniency = 1.0;
    let mut looks = 0;
    while t < to {
        let seen = gap.look(t);
        if !(seen.value.is_finite() && seen.slope.is_finite()) {
            return None;
        }
        if seen.value <= seen.tolerance && seen.slope < -gap.floor(t, &seen) {
            return Some(polished(gap, t, &seen, from, to));
        }
        looks += 1;
        if looks % PATIENCE == 0 {
            leniency *= 4.0;
        }
        let shown = gap.step(t, &seen, leniency * seen.tolerance);
        // So near to an event no digit of t is left to resolve it.
        let least = 4.0 * UNIT_ROUNDOFF * t.abs();
        let forced = if leniency > 1.0 {
            leniency * UNIT_ROUNDOFF * (to - from)
        } else {
            0.0
        };
        t += shown.max(least).max(forced);
    }
    None
}

/// A time of contact after one step of Newton's method, if it leads nearer: in a slow closing it may lead astray.
fn polished(gap: &mut impl Gap, t: f64, seen: &GapAt, from: f64, to: f64) -> f64 {
    if t == from && seen.value < 0.0 {
        return t;
    }
    let root = t - seen.value / seen.slope;
    if !(root > from && root < to) || root == t {
        return t;
    }
    let there = gap.look(root);
    let closes = there.slope < 0.0 && there.slope < -gap.floor(root, &there);
    if there.value.abs() < seen.value.abs() && closes {
        root
    } else {
        t
    }
}
