//! Fixtures that close in on members of an island: the step ends while there is room, and the run where there is none.

use super::{Hold, Island};
use crate::shape::Shaped;
use crate::simulate::rigid::bodies::{RigidBodyRef, RigidWorld};
use crate::simulate::rigid::overlap::Overlap;

/// Where less than this share of a step is left of the time until there is no room, there is none. At the speeds at
/// which fixtures move it is a thousandth of a millimetre at the most.
const NONE: f64 = 1e-5;

impl<S: Shaped> Island<S> {
    /// Whether it touches fixtures that move.
    pub fn is_driven(&self, stage: &RigidWorld<S>) -> bool {
        self.drives(stage).next().is_some()
    }

    /// The fixtures that move and that it touches.
    fn drives(&self, stage: &RigidWorld<S>) -> impl Iterator<Item = u32> {
        self.holds.iter().filter_map(|hold| match hold.other {
            RigidBodyRef::Fixture(index) if stage.props[index as usize].moves() => Some(index),
            _ => None,
        })
    }

    /// How long a step can be, at the most, at whose end two are left that overlap, s; `None` where it can be of no
    /// length.
    ///
    /// A fixture at the speed v needs the time d/v for the depth d: there was no room for that long. Otherwise a half
    /// of the step is tried, and so on, so that the last steps halve what is left.
    pub(super) fn room(&self, stage: &RigidWorld<S>, stuck: &Overlap) -> Option<f64> {
        let span = self.until - self.since;
        let fastest = (self.drives(stage))
            .map(|index| stage.props[index as usize].fastest())
            .fold(0.0, f64::max);
        // Two may have overlapped by what is allowed when the step began.
        let missing = (stuck.depth - 2.0 * stuck.allowed).max(0.0) / fastest;
        let room = (0.5 * span).min(span - missing);
        (room > NONE * stage.settling.step).then_some(room)
    }

    /// Two that are left without room, with the fixture against which the one is pressed.
    pub(super) fn squeezed(&self, stage: &RigidWorld<S>, stuck: Overlap) -> Overlap {
        let fixture = |hold: &Hold<S>| match hold.other {
            RigidBodyRef::Fixture(index) if hold.other != stuck.other => Some(index),
            _ => None,
        };
        let hard = |hold: &Hold<S>| hold.spots.iter().map(|spot| spot.pressed).sum::<f64>();
        // One that it touches itself before any other, then one that moves, then the one that presses most.
        let order = |hold: &&Hold<S>| {
            let moves = fixture(hold).is_some_and(|it| stage.props[it as usize].moves());
            (hold.a == stuck.a, moves, hard(hold))
        };
        let against = (self.holds.iter())
            .filter(|hold| fixture(hold).is_some())
            .max_by(|a, b| {
                let (a, b) = (order(a), order(b));
                (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2))
            });
        Overlap {
            against: against.and_then(fixture),
            ..stuck
        }
    }
}
