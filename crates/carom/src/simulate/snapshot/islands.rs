//! Islands in a snapshot.

use crate::codec::{Reader, SnapshotError, Stored, invalid, stored_fields};
use crate::impact::Strikable;
use crate::simulate::bodies::{Bodies, NOWHERE};
use crate::simulate::islands::{Against, Impulses, Island, LastingContact};
use crate::space::{Linear, Space};
use crate::world::BodyId;

stored_fields!(Island<S> {
    members,
    contacts,
    since,
    until,
    calm,
    asleep,
    single,
    cuts,
    rush,
    meets,
    taken,
    lent,
    opened,
    ahead,
} where S: Space);
stored_fields!(LastingContact<S> {
    a,
    against,
    normal,
    gap,
    given,
    struck,
    slides,
} where S: Space);

stored_fields!(Impulses<S> { pressed, rubbed, twisted } where S: Space);

impl Stored for Against {
    fn store(&self, out: &mut Vec<u8>) {
        match *self {
            Against::Ball(id) => (0_u8, id.0).store(out),
            Against::Fixture(index) => (1_u8, index).store(out),
            Against::FarEnd(index) => (2_u8, index).store(out),
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(match <(u8, u32)>::load(input)? {
            (0, id) => Against::Ball(BodyId(id)),
            (1, index) => Against::Fixture(index),
            (2, index) => Against::FarEnd(index),
            _ => return invalid("a contact with nothing"),
        })
    }
}

/// Gives the balls of a stage the islands that they were in.
pub(super) fn restore_islands<S: Strikable>(
    stage: &mut Bodies<S>,
    stored: Vec<Option<Island<S>>>,
    clock: f64,
) -> Result<(), SnapshotError> {
    let slot = |id: BodyId| {
        stage
            .slots
            .get(id.0 as usize)
            .copied()
            .filter(|&slot| slot != NOWHERE)
    };
    let mut supposed = 0;
    for (number, island) in stored.iter().enumerate() {
        let Some(island) = island else { continue };
        supposed += island.members.len();
        let is_member = |id: &BodyId| {
            slot(*id).is_some_and(|slot| stage.balls.island(slot as usize) == Some(number as u32))
        };
        let in_order = island.members.is_sorted_by(|a, b| a < b);
        let contacts_in_order = island.contacts.is_sorted_by(|a, b| a.key() < b.key());
        let fits = |contact: &LastingContact<S>| {
            let known = match contact.against {
                Against::Ball(id) => island.members.binary_search(&id).is_ok() && contact.a < id,
                Against::Fixture(index) | Against::FarEnd(index) => {
                    (index as usize) < stage.fixtures.len()
                }
            };
            known
                && island.members.binary_search(&contact.a).is_ok()
                && contact.normal.is_finite()
                && contact.given.rubbed.is_finite()
                && contact.given.twisted.is_finite()
                && (contact.gap + contact.given.pressed + contact.struck).is_finite()
        };
        let times = island.since <= clock && island.calm <= clock && island.until >= clock;
        if !(in_order
            && contacts_in_order
            && times
            && island.members.iter().all(is_member)
            && island.contacts.iter().all(fits))
        {
            return invalid("balls are in an island that cannot be");
        }
    }
    let balls = &stage.balls;
    let members = balls.slots().filter(|&slot| balls.island(slot).is_some());
    if members.count() != supposed {
        return invalid("balls are in an island that is not there");
    }
    match &mut stage.balls.trajectories {
        Some(trajectories) => {
            trajectories.islands.all = stored;
            Ok(())
        }
        None if supposed == 0 => Ok(()),
        None => invalid("balls are in islands, but not on trajectory segments"),
    }
}
