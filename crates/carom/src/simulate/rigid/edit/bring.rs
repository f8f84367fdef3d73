//! Who is brought to the instant of an edit, and let go after it.

use crate::impact::Strikable;
use crate::motion::Pose;
use crate::simulate::rigid::Rigid;
use crate::simulate::rigid::bodies::{Part, RigidBodyRef};
use crate::simulate::rigid::cells::Cells;
use crate::simulate::rigid::core::{Core, Moving};
use crate::simulate::rigid::island::Hold;
use crate::simulate::rigid::strike::Party;
use crate::simulate::rigid::track::Track;
use crate::space::{Linear, Space};
use crate::world::BodyId;

impl<S: Strikable> Rigid<S> {
    /// Lets everyone go on who was brought.
    pub(super) fn release(&mut self, party: Party) {
        party.release(&mut self.core, &self.stage, &mut self.plans, self.clock);
        self.finish_edit();
    }

    /// Brings a free body to now, with everyone it keeps touching.
    pub(super) fn bring(&mut self, party: &mut Party, slot: u32) {
        for sleeper in self.sleepers(&[RigidBodyRef::Body(slot)]) {
            self.tell_transition(sleeper, None);
        }
        let partner = RigidBodyRef::Body(slot);
        party.bring(
            &mut self.core,
            &self.stage,
            &self.plans,
            partner,
            self.clock,
        );
    }

    pub(super) fn bring_everyone(&mut self, party: &mut Party) {
        for slot in 0..self.core.moving.len() as u32 {
            if !self.stage.inert[slot as usize].gone {
                self.bring(party, slot);
            }
        }
    }

    /// Brings a body, or everyone who keeps touching a static or kinematic one.
    pub(super) fn bring_all_touching(&mut self, party: &mut Party, id: BodyId) {
        match self.stage.slots[id.0 as usize] {
            Part::Free(slot) => self.bring(party, slot),
            Part::Prop(index) => {
                let prop = RigidBodyRef::Fixture(index);
                let touches = |moving: &Moving<S>| moving.partners.contains(&prop);
                let all: Vec<u32> = (0..)
                    .zip(&self.core.moving)
                    .filter(|(_, moving)| touches(moving))
                    .map(|(slot, _)| slot)
                    .collect();
                for slot in all {
                    self.bring(party, slot);
                }
            }
            Part::Gone => {}
        }
    }

    /// Nobody keeps touching a static or kinematic body any more.
    pub(super) fn let_go(&mut self, party: &mut Party, id: BodyId) {
        self.bring_all_touching(party, id);
        if let Part::Prop(index) = self.stage.slots[id.0 as usize] {
            for island in self.core.islands.iter_mut().flatten() {
                let keeps = |hold: &Hold<S>| hold.other != RigidBodyRef::Fixture(index);
                island.holds.retain(keeps);
            }
        }
    }

    /// Gives a body that was brought another state.
    pub(super) fn put(
        &mut self,
        slot: u32,
        pose: Pose<S>,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) {
        let before = self.core.holdings_of(&self.stage, slot, self.clock);
        let inert = &self.stage.inert[slot as usize];
        let times = (self.clock, f64::INFINITY);
        let still = S::Vector::ZERO;
        self.core.moving[slot as usize].track =
            Track::flight(inert, times, pose, velocity, angular_velocity, still);
        let after = self.core.holdings_of(&self.stage, slot, self.clock);
        self.core.ledger.give(&before, &after);
    }

    pub(super) fn all_changed(&mut self) {
        self.core.changed = (0..self.core.moving.len() as u32).collect();
    }

    /// Makes the cells large enough for everyone.
    pub(super) fn fit_cells(&mut self) {
        let side = self.stage.cell_for(0.0);
        if side == self.stage.cell {
            return;
        }
        self.stage.cell = side;
        self.plans.cells = Cells::new(side);
        for moving in &self.core.moving {
            let place = moving.track.position_at(self.clock);
            self.plans.cells.admit::<S>(place);
        }
        self.all_changed();
    }
}

impl<S: Space> Core<S> {
    /// Takes a body that was brought out of its island.
    pub(super) fn detach(&mut self, party: &mut Party, slot: u32) {
        if let Some(id) = self.moving[slot as usize].island
            && let Some(island) = &mut self.islands[id as usize]
        {
            let its = |hold: &Hold<S>| hold.a == slot || hold.other == RigidBodyRef::Body(slot);
            island.members.retain(|&member| member != slot);
            island.holds.retain(|hold| !its(hold));
            party.flyers.push(slot);
        }
        self.moving[slot as usize].island = None;
        self.moving[slot as usize].partners.clear();
    }
}
