//! What is to happen next: planned quickly, or plainly from all pairs.

use crate::impact::Strikable;
use crate::simulate::bodies::Bodies;
use crate::simulate::planner::Planner;
use crate::simulate::predictions::Predictions;
use crate::space::Space;

#[derive(Clone, Debug)]
pub(in crate::simulate) enum Plans<S: Space> {
    /// The calendar, and cells.
    Fast(Box<Planner<S>>),
    /// The reference: all pairs, all predictions in a heap.
    Kept(Box<Predictions<S>>),
}

impl<S: Strikable> Plans<S> {
    /// Plans everything that comes after a time of the run's clock, s: as is quickest, or from all pairs.
    pub fn made(stage: &mut Bodies<S>, now: f64, reference: bool) -> Self {
        if reference {
            Plans::Kept(Box::new(Predictions::new(stage, now)))
        } else {
            Plans::Fast(Box::new(Planner::new(stage, now)))
        }
    }

    /// The same for balls that stay in their slots.
    pub fn in_order(stage: &Bodies<S>, now: f64, reference: bool) -> Self {
        if reference {
            Plans::Kept(Box::new(Predictions::new(stage, now)))
        } else {
            Plans::Fast(Box::new(Planner::in_order(stage, now)))
        }
    }
}
