//! When fixtures that move have jammed a body between them: in the solver impulses grow without end, and no velocities
//! come of it that the laws of contact allow. Between surfaces that close like a wedge, that is where friction does not
//! let a body slip out: moved apart it would slip all the same.

use crate::simulate::contact_solver::Row;
use crate::space::Space;

/// Impulses of so many times the mass of an island and the velocities there, that nothing comes of, are those of a jam.
const JAM: f64 = 100.0;

/// Which of the points of an island is jammed, the one that presses the most: its members have a mass together (kg),
/// for a floor carries all of them. `met` says how fast all that moves at a point is (m/s): the body, the fixture, and
/// what pulls; nothing where the point is none of a fixture, or the solver has not left too much there.
pub(in crate::simulate) fn jammed<S: Space>(
    rows: &[Row<S>],
    mass: f64,
    met: impl Fn(usize) -> Option<f64>,
) -> Option<usize> {
    let mut most: Option<(usize, f64)> = None;
    for (at, row) in rows.iter().enumerate() {
        let pushed = row.pressed / mass;
        if met(at).is_some_and(|met| pushed > JAM * met)
            && most.is_none_or(|(_, most)| pushed > most)
        {
            most = Some((at, pushed));
        }
    }
    most.map(|(at, _)| at)
}
