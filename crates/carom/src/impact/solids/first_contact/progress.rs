//! Searches that are left where nothing counts any more, and taken up again.

use super::{ContactSearch, first_contact};
use crate::impact::Impact;
use crate::impact::solids::RigidTrajectory;
use crate::shape::convex::{Compound, Convex, Core};
use crate::space::Space;
use glam::DVec3;

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Nothing happens before, s.
    pub time: f64,
    /// The direction of the last look.
    pub(super) hint: Option<DVec3>,
    pub(super) looks: usize,
}

impl Progress {
    /// At the beginning, at a time (s).
    pub fn at(time: f64) -> Self {
        Progress {
            time,
            hint: None,
            looks: 0,
        }
    }
}

/// The same as [`first_contact`] where what comes from a time (`stop`, s) on does not count: what it found, or how far
/// it has come. From there it goes on to the same bits, with the same `from` and `until`. Of bodies of many parts, or
/// such as have a search of their own, all is found at once.
pub(crate) fn first_contact_before<S: Space>(
    [(a, trajectory_a), (b, trajectory_b)]: [(&Compound<S>, &RigidTrajectory<S>); 2],
    progress: Progress,
    (from, until): (f64, f64),
    stop: f64,
) -> Result<Impact, Progress> {
    if let ([part_a], [part_b]) = (a.parts(), b.parts()) {
        let plain = |part: &Convex<S>| {
            !part.is_bare() && matches!(part.core, Core::Hull(_) | Core::Cylinder(_))
        };
        if plain(part_a) && plain(part_b) {
            let search = ContactSearch::new(part_a, trajectory_a, part_b, trajectory_b);
            return search.run_before(progress, (from, until), stop);
        }
    }
    Ok(first_contact(a, trajectory_a, b, trajectory_b, from, until))
}
