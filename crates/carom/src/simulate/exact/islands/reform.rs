//! What becomes of an island at the end of a step: parts that no longer hang together go their own ways.

use super::super::{Exact, RunError};
use super::step::touch_of;
use crate::impact::Strikable;
use crate::simulate::islands::{Against, Island, LastingContact, Parts};
use crate::simulate::trajectories::{Intent, Support};
use crate::space::Linear;

/// For so many steps a lone ball touches one fixture and nothing else before it goes on by closed forms.
const SINGLE: u32 = 4;

impl<S: Strikable> Exact<S> {
    /// Ends the step of an island, takes apart what no longer hangs together, and begins the next steps.
    pub(super) fn end_island_step(&mut self, id: u32) -> Result<(), RunError> {
        self.close_step(id)?;
        let Some(mut island) = self.take_island(id) else {
            return Ok(());
        };
        (island.cuts, island.rush) = (0, island.rush.saturating_sub(1));
        let (step, pull) = self.next_step(&island);
        let touch = touch_of(&island, pull, step);
        let lasts = |contact: &LastingContact<S>| self.still_touches(contact, touch, pull * step);
        let kept = island.contacts.iter().filter(|contact| lasts(contact));
        island.contacts = kept.copied().collect();
        self.discharge(&island);
        // First all are told where they belong: a crowd takes in those that are in no island.
        let (mut number, mut islands, mut free) = (Some(id), Vec::new(), Vec::new());
        for part in parts_of(&island) {
            if part.contacts.is_empty() || part.single >= SINGLE {
                free.push(part);
                continue;
            }
            let trajectories = self.stage.balls.trajectories.as_mut();
            let trajectories = trajectories.expect("balls in islands are on segments");
            let own = match number.take() {
                Some(id) => {
                    trajectories.islands.put_back(id, part);
                    id
                }
                None => trajectories.islands.found(part),
            };
            self.enlist(own);
            islands.push(own);
        }
        for part in free {
            self.let_go(&part);
        }
        for id in islands {
            if !self.falls_asleep(id)? {
                self.open_step(id)?;
            }
        }
        Ok(())
    }

    /// Lets the members of an island be in none, until they are told where they are.
    fn discharge(&mut self, island: &Island<S>) {
        for ball in &island.members {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            if let Some(trajectories) = &mut self.stage.balls.trajectories {
                trajectories.supports[slot] = Support::FLYING;
            }
        }
    }

    /// Whether the two of a contact still touch: they press, or are as near as makes no difference, and do not part.
    fn still_touches(&self, contact: &LastingContact<S>, touch: f64, kick: f64) -> bool {
        if !contact.touches(touch) {
            return false;
        }
        let (slot, its_place) = self.places_of(contact.key());
        let balls = &self.stage.balls;
        let ball = &balls.hot[slot as usize];
        let touch = self.touch_at(
            (slot, ball.position),
            contact.against,
            its_place,
            self.clock,
        );
        let its = match contact.against {
            Against::Ball(id) => balls.hot[self.stage.slots[id.0 as usize] as usize].velocity,
            Against::Fixture(_) | Against::FarEnd(_) => {
                touch.wall.0 + S::surface_velocity(touch.wall.1, touch.arms[1])
            }
        };
        touch.normal.dot(ball.velocity - its) <= 0.5 * kick
    }

    /// Lets the members of a part of an island go: they fly, or a lone one goes on on the fixture that it touches.
    fn let_go(&mut self, part: &Island<S>) {
        let intent = match part.contacts.first().map(|contact| contact.against) {
            Some(Against::Fixture(index)) => Intent::Land(index, self.clock),
            _ => Intent::Leave,
        };
        let mut slots = Vec::new();
        for ball in &part.members {
            let slot = self.stage.slots[ball.0 as usize];
            slots.push(slot);
            if let Some(trajectories) = &mut self.stage.balls.trajectories {
                trajectories.supports[slot as usize] = Support {
                    intent,
                    ..Support::FLYING
                };
            }
        }
        self.changed(&slots);
    }
}

/// The parts of an island that hang together, by their least members.
fn parts_of<S: crate::space::Space>(island: &Island<S>) -> Vec<Island<S>> {
    let mut parts = Parts::new(island.members.len());
    for contact in &island.contacts {
        if let Against::Ball(other) = contact.against {
            parts.join(island.index_of(contact.a), island.index_of(other));
        }
    }
    let (part_of, number) = parts.numbered();
    let part = |k: usize| Island {
        members: Vec::new(),
        contacts: Vec::new(),
        // What was lent is the business of the first part.
        lent: if k == 0 { island.lent } else { 0.0 },
        ..*island
    };
    let mut parts: Vec<Island<S>> = (0..number).map(part).collect();
    for (&ball, &part) in island.members.iter().zip(&part_of) {
        parts[part].members.push(ball);
    }
    for contact in &island.contacts {
        let part = part_of[island.index_of(contact.a)];
        parts[part].contacts.push(*contact);
    }
    for part in &mut parts {
        let one = part.members.len() == 1
            && part.contacts.len() == 1
            && matches!(part.contacts[0].against, Against::Fixture(_));
        part.single = if one { island.single + 1 } else { 0 };
    }
    parts
}
