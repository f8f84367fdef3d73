//! What an impulse does to balls that joints hold: it meets the mass that the whole group has there.

use super::Struck;
use crate::contact::Contact;
use crate::impact::Strikable;
use crate::material::Surface;
use crate::record::Velocities;
use crate::response::Mode;
use crate::simulate::bodies::{Bodies, BodyRef};
use crate::simulate::jointed::{Jointed, Pushes};
use crate::space::{Linear, Space};
use std::collections::BTreeMap;

/// Below which part of what the balls alone would do a direction is one that joints do not allow.
const HELD: f64 = 1e-12;

/// A ball by slot, and what its velocity (m/s) and its angular velocity (rad/s) change by.
pub(in crate::simulate) type Changed<S> = (u32, (<S as Space>::Vector, <S as Space>::Angular));

fn still<S: Space>() -> (S::Vector, S::Angular) {
    (S::Vector::ZERO, S::Angular::ZERO)
}

impl<S: Strikable> Bodies<S> {
    /// Takes joints in.
    pub fn hold(&mut self, jointed: Option<Box<Jointed<S>>>) {
        self.balls.apart = jointed.as_ref().map_or(Vec::new(), |it| it.apart());
        self.jointed = jointed;
    }

    /// Whether joints hold a ball.
    #[inline]
    pub fn is_jointed(&self, slot: usize) -> bool {
        match &self.jointed {
            None => false,
            Some(jointed) => jointed.find(self.balls.ids[slot]).is_some(),
        }
    }

    /// Whether joints hold one of the bodies of a contact.
    #[inline]
    pub fn are_jointed(&self, slot: usize, other: BodyRef) -> bool {
        self.jointed.is_some()
            && (self.is_jointed(slot)
                || other
                    .slot()
                    .is_some_and(|slot| self.is_jointed(slot as usize)))
    }

    /// How impulses (N·s) through the centres of balls, by slot, change their velocities and those of all that joints
    /// hold to them, m/s and rad/s.
    pub fn blow(&self, time: f64, kicks: &[(u32, S::Vector)]) -> Vec<Changed<S>> {
        let mut changes = Vec::new();
        let mut groups: BTreeMap<usize, Pushes<S>> = BTreeMap::new();
        for &(slot, impulse) in kicks {
            let change = impulse * self.balls.inertials.of(slot as usize).inverse_mass;
            let id = self.balls.ids[slot as usize];
            let found = self.jointed.as_ref().and_then(|jointed| {
                let (group, place) = jointed.find(id)?;
                Some((group, place, jointed.groups[group].members.len()))
            });
            match found {
                Some((group, place, number)) => {
                    let none = || Pushes::none(number);
                    groups.entry(group).or_insert_with(none).linear[place] += change;
                }
                None => changes.push((slot, (change, S::Angular::ZERO))),
            }
        }
        for (group, free) in groups {
            let Some(group) = self.jointed.as_ref().map(|it| &it.groups[group]) else {
                continue;
            };
            let state = group.state_at(time);
            let allowed = group.allowed(&state, free);
            let slots = group.members.iter().map(|id| self.slots[id.0 as usize]);
            let both = allowed.linear.into_iter().zip(allowed.angular);
            changes.extend(slots.zip(both));
        }
        changes
    }

    /// What happens between a ball and another body that touch at a time, of which joints hold one; `None` where they
    /// are not closing, or cannot.
    pub(super) fn answer_jointed(
        &self,
        slot: usize,
        other: BodyRef,
        time: f64,
        surface: &Surface,
    ) -> Option<Struck<S>> {
        let (contact, gap) = self.contact(slot, other, time);
        if !contact.is_approaching() {
            return None;
        }
        let normal = contact.normal;
        let mut kicks = vec![(slot as u32, normal)];
        kicks.extend(other.slot().map(|other| (other, -normal)));
        let changes = self.blow(time, &kicks);
        let of = |slot: u32| {
            let found = changes.iter().find(|(other, _)| *other == slot);
            found.map_or(still::<S>(), |(_, change)| *change)
        };
        let moved = [of(slot as u32), other.slot().map_or(still::<S>(), of)];
        let yields = normal.dot(moved[0].0 - moved[1].0);
        let alone = kicks
            .iter()
            .map(|&(slot, _)| self.balls.inertials.of(slot as usize));
        let alone: f64 = alone.map(|inertial| inertial.inverse_mass).sum();
        if !(yields > HELD * alone) {
            return None;
        }
        let closing = contact.normal_velocity();
        let restitution = surface.restitution;
        let impulse = -(1.0 + restitution) * closing / yields;
        Some(Struck {
            place: self.balls.position_at(slot, time),
            point: contact.point,
            normal,
            gap,
            before: with(&contact, [still::<S>(); 2]),
            after: with(&contact, moved.map(|(v, w)| (v * impulse, w * impulse))),
            impulse: normal * impulse,
            angular: [S::Angular::ZERO; 2],
            surface_velocity: contact.b.contact_velocity(),
            mode: Mode::Frictionless,
            lost_to_restitution: 0.5 * (1.0 - restitution * restitution) * closing * closing
                / yields,
            lost_to_friction: 0.0,
        })
    }
}

/// The velocities of the two bodies of a contact, with a change.
fn with<S: Space>(
    contact: &Contact<S>,
    changes: [(S::Vector, S::Angular); 2],
) -> [Velocities<S>; 2] {
    let of = |velocity: S::Vector, angular_velocity: S::Angular| Velocities {
        velocity,
        angular_velocity,
    };
    let (a, b) = (&contact.a, &contact.b);
    [
        of(a.velocity + changes[0].0, a.angular_velocity + changes[0].1),
        of(b.velocity + changes[1].0, b.angular_velocity + changes[1].1),
    ]
}
