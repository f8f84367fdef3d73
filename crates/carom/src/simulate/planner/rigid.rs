//! Which rigid body is met first? The time of a contact takes a search: neighbours are searched in the order in which
//! their bounding spheres are reached, and only up to the earliest contact that is known.

use super::Planner;
use super::level::Images;
use super::plan::{LOOK, Two};
use crate::impact::Strikable;
use crate::simulate::bodies::Bodies;
use crate::simulate::meetings::Reached;
use crate::simulate::rigid::Rigids;
use crate::space::Linear;

impl<S: Strikable> Planner<S> {
    /// How another body is seen, where there is but one way.
    fn only_shift(
        &self,
        stage: &Bodies<S>,
        slot: usize,
        partner: u32,
        now: f64,
    ) -> Option<S::Vector> {
        let balls = &stage.balls;
        if !balls.is_periodic() {
            return Some(S::Vector::ZERO);
        }
        match &self.levels[0].images {
            Images::Nearest if self.level_of.is_empty() => {
                let apart = balls.position_at(slot, now) - balls.position_at(partner as usize, now);
                Some(balls.nearest_shift(apart))
            }
            _ => None,
        }
    }

    /// Asks the candidates, rigid bodies among them.
    pub(super) fn predict_rigid(
        &mut self,
        stage: &Bodies<S>,
        rigids: &Rigids<S>,
        slot: usize,
        now: f64,
        two: &mut Two,
    ) {
        let balls = &stage.balls;
        let member = balls.is_member(slot);
        let mut soon = std::mem::take(&mut self.soon);
        soon.clear();
        for &partner in self.candidates.all() {
            if partner == slot as u32 {
                continue;
            }
            if self.met != LOOK && partner != self.met {
                self.crowded |= balls.touch(slot, partner as usize, now);
            }
            let shift = if member || balls.is_member(partner as usize) {
                self.only_shift(stage, slot, partner, now)
            } else {
                None
            };
            let Some(shift) = shift else {
                let time = self.contact_time(stage, slot, partner, now);
                two.add(stage, slot, time, partner);
                continue;
            };
            let not_before = rigids.not_before(balls, slot, partner as usize, shift);
            if not_before < f64::INFINITY && not_before <= two.second {
                soon.push((not_before, partner));
            }
        }
        soon.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(not_before, partner) in &soon {
            if not_before > two.first {
                // The others need not be known better: they are no earlier than this one.
                two.add_later(not_before, partner);
                break;
            }
            let stop = two.first.next_up();
            let found = self
                .only_shift(stage, slot, partner, now)
                .map(|shift| rigids.contact_before(balls, (slot, partner as usize), shift, stop));
            match found.flatten() {
                Some(Reached::Found(found)) => two.add(stage, slot, found.time(), partner),
                Some(Reached::NotBefore(time)) => two.add_later(time, partner),
                None => {}
            }
        }
        self.soon = soon;
    }

    /// When a ball touches another, as far as it can soon. What comes after a time (s) need not be known: it may be any
    /// later than that, and no later than it is.
    pub(super) fn contact_time_until(
        &self,
        stage: &Bodies<S>,
        slot: usize,
        partner: u32,
        now: f64,
        until: f64,
    ) -> f64 {
        let (balls, other) = (&stage.balls, partner as usize);
        if let Some(rigids) = balls.rigids()
            && (balls.is_member(slot) || balls.is_member(other))
            && let Some(shift) = self.only_shift(stage, slot, partner, now)
        {
            let found = rigids.contact_before(balls, (slot, other), shift, until.next_up());
            return match found {
                Some(Reached::Found(found)) => found.time(),
                Some(Reached::NotBefore(time)) => time,
                None => f64::INFINITY,
            };
        }
        self.contact_time(stage, slot, partner, now)
    }
}
