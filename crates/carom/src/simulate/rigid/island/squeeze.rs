//! Fixtures that close in on members of an island: the step ends while there is room, and the run where there is none.

use super::{Hold, Island};
use crate::shape::Shaped;
use crate::simulate::contact_solver::Row;
use crate::simulate::islands::jammed;
use crate::simulate::rigid::account::Relative;
use crate::simulate::rigid::bodies::{RigidBodyRef, RigidWorld};
use crate::simulate::rigid::overlap::Overlap;
use crate::space::Linear;

/// Where less than this share of a step is left of the time until there is no room, there is none. At the speeds at
/// which fixtures move it is a thousandth of a millimetre at the most.
const NONE: f64 = 1e-5;

/// The shortest that a step is made for a jam, as a share: what is jammed in one so short is so for good.
const SHORTEST: f64 = 1.0 / 64.0;

impl<S: Shaped> Island<S> {
    /// The pair that fixtures which move have [jammed].
    ///
    /// It is asked for with the first half of the step under way solved: with its rows, how their points moved before
    /// (`unkicked`), and the largest change of a velocity that the solver has left (m/s).
    pub(super) fn jammed(
        &self,
        stage: &RigidWorld<S>,
        (rows, whose): (&[Row<S>], &[(usize, usize)]),
        unkicked: &[Relative<S>],
        left: f64,
    ) -> Option<Overlap> {
        let span = self.until - self.since;
        let inert = |slot: u32| &stage.inert[slot as usize];
        let mass: f64 = self.members.iter().map(|&slot| inert(slot).mass).sum();
        let met = |at: usize| {
            let (row, hold) = (&rows[at], &self.holds[whose[at].0]);
            let allowed = Overlap::allowed(stage, hold.pair());
            if matches!(hold.other, RigidBodyRef::Body(_)) || !(left * span > allowed) {
                return None;
            }
            let (velocity, spin) = self.before[row.bodies[0] as usize];
            Some(
                velocity.length()
                    + inert(hold.a).reach * spin.length()
                    + unkicked[at].0.length()
                    + stage.pull(hold.a, self.since) * span
                    + allowed / span,
            )
        };
        let hold = &self.holds[whose[jammed(rows, mass, met)?].0];
        let allowed = Overlap::allowed(stage, hold.pair());
        let jam = Overlap {
            a: hold.a,
            other: hold.other,
            depth: allowed,
            allowed,
            against: None,
        };
        let jam = self.squeezed(stage, jam);
        let moves = |index: u32| stage.props[index as usize].moves();
        let driven = match hold.other {
            RigidBodyRef::Fixture(index) => moves(index),
            RigidBodyRef::Body(_) => false,
        };
        (driven || jam.against.is_some_and(moves)).then_some(jam)
    }

    /// Whether it touches fixtures that move.
    pub fn is_driven(&self, stage: &RigidWorld<S>) -> bool {
        self.drives(stage).next().is_some()
    }

    /// The fixtures that move and that it touches, with how it does.
    fn drives(&self, stage: &RigidWorld<S>) -> impl Iterator<Item = (&Hold<S>, u32)> {
        self.holds.iter().filter_map(|hold| match hold.other {
            RigidBodyRef::Fixture(index) if stage.props[index as usize].moves() => {
                Some((hold, index))
            }
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
            .map(|(hold, index)| {
                let place = hold
                    .spots
                    .first()
                    .map_or(S::Vector::ZERO, |spot| spot.place);
                let reach = 2.0 * stage.inert[hold.a as usize].reach;
                stage.props[index as usize].fastest_near(place, reach)
            })
            .fold(0.0, f64::max);
        // Two may have overlapped by what is allowed when the step began.
        let missing = (stuck.depth - 2.0 * stuck.allowed).max(0.0) / fastest;
        let room = (0.5 * span).min(span - missing);
        (room > NONE * stage.settling.step).then_some(room)
    }

    /// How long the next attempt at a step can be in which a pair is jammed, s: what gap there is may take longer to be
    /// used up. `None` where it would be too short.
    pub(super) fn room_in_jam(&self, stage: &RigidWorld<S>) -> Option<f64> {
        let room = 0.5 * (self.until - self.since);
        (room >= SHORTEST * stage.settling.step).then_some(room)
    }

    /// Two that are left without room, with the fixture against which the one is pressed.
    pub(super) fn squeezed(&self, stage: &RigidWorld<S>, stuck: Overlap) -> Overlap {
        let fixture = |hold: &Hold<S>| match hold.other {
            RigidBodyRef::Fixture(index) if hold.other != stuck.other => Some(index),
            _ => None,
        };
        let hard = |hold: &Hold<S>| {
            hold.spots
                .iter()
                .map(|spot| spot.given.pressed)
                .sum::<f64>()
        };
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
