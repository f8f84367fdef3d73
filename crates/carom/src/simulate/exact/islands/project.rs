//! Overlaps that a step has left are taken back: by the least displacements, weighted by masses, that leave none. The
//! centre of mass of those that no fixture holds stays where it is, and velocities are not touched.

use super::super::{Exact, RunError};
use super::FEW;
use super::ahead::Left;
use super::contacts::Problem;
use crate::body::Kind;
use crate::impact::Strikable;
use crate::response::several::Mover;
use crate::simulate::contact_solver::{Row, solve};
use crate::simulate::fixture::next_knot;
use crate::simulate::islands::{Against, Island, LastingContact, jammed};
use crate::space::Linear;
use crate::world::BodyId;

/// What is left of an overlap at most, in radii, where it can be had: among few contacts, and among many.
pub(super) const FINE: [f64; 2] = [1e-9, 5e-7];

/// The deepest overlap that a run goes on with, in radii: where fixtures that move press, and where none does, so that
/// it is no more than what the solver has left among very many contacts.
const ALLOWED: [f64; 2] = [ALLOWED_WHERE_DRIVEN, 1e-2];
pub(in crate::simulate::exact) const ALLOWED_WHERE_DRIVEN: f64 = 1e-5;

/// Two fixtures face each other where the product of their normals is below this.
const FACING: f64 = -0.25;

/// How far contacts may move a member aside in a step, in radii.
const LEAP: f64 = 0.5;

/// How often displacements are solved for, with the contacts where they are then, for few contacts and for many.
const SOLVES: [usize; 2] = [12, 10];

/// Rounds of the solver, for few contacts and for many.
const ROUNDS: [usize; 2] = [500, 60];

/// Contacts nearer than this, in radii, are kept from overlapping when others are moved apart.
const NEAR: f64 = 1e-2;

impl<S: Strikable> Exact<S> {
    /// Takes overlaps back, and brings the contacts of an island up to date with where its members are; the error where
    /// bodies are squeezed so that they cannot get away.
    pub(super) fn project(&mut self, island: &mut Island<S>) -> Option<RunError> {
        let slots = self.slots_of(island);
        let hot = &self.stage.balls.hot;
        let places = slots.iter().map(|&slot| hot[slot as usize].position);
        let mut places: Vec<S::Vector> = places.collect();
        let worst = self.part(island, &slots, &mut places, self.clock);
        for (&slot, &place) in slots.iter().zip(&places) {
            self.put_projected(slot as usize, place);
        }
        self.time = self.stage.epoch + self.clock;
        self.squeezed(island, worst?, self.clock)
    }

    /// The error where fixtures that move will have squeezed a member, so that it cannot get away, when a step that is
    /// about to begin has gone by: before they do.
    pub(super) fn squeezed_ahead(
        &mut self,
        island: &Island<S>,
        movers: &[Mover<S>],
        step: f64,
    ) -> Option<RunError> {
        let now = self.stage.epoch + self.clock;
        let driven = island
            .contacts
            .iter()
            .filter(|contact| self.presses(contact));
        let knot = driven
            .filter_map(|contact| contact.against.fixture())
            .map(|index| next_knot(&self.stage.fixtures[index as usize].body, now))
            .reduce(f64::min)?;
        // Beyond the next corner of a path the drive may draw back.
        let step = step.min(knot - now);
        let mut ahead = island.clone();
        let slots = self.slots_of(island);
        let mut places: Vec<S::Vector> = (slots.iter().zip(movers))
            .map(|(&slot, mover)| {
                self.stage.balls.hot[slot as usize].position + mover.velocity * step
            })
            .collect();
        let worst = self.part(&mut ahead, &slots, &mut places, self.clock + step)?;
        let error = self.squeezed(&ahead, worst, self.clock)?;
        // Others in between may still give way.
        let opposite = self.opposite(&ahead, &ahead.contacts[worst.0]);
        let held = opposite.is_some_and(|other| other.against.ball().is_none());
        (held
            && matches!(
                &error,
                RunError::Squeezed {
                    against: Some(_),
                    ..
                }
            ))
        .then_some(error)
    }

    /// Whether contacts make a member go further aside in a step than what is known of the gaps around it now says much
    /// about.
    pub(super) fn leaps(
        &self,
        island: &Island<S>,
        (before, after): (&[Mover<S>], &[Mover<S>]),
        step: f64,
    ) -> bool {
        let members = island.members.iter().zip(before.iter().zip(after));
        members.into_iter().any(|(ball, (before, after))| {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            let aside = (after.velocity - before.velocity).length() * step;
            // Also where it is not a number.
            !(aside <= LEAP * self.stage.balls.hot[slot].radius)
        })
    }

    /// The error where fixtures that move have [jammed] a member.
    pub(super) fn jammed(
        &self,
        island: &Island<S>,
        problem: &Problem<S>,
        (before, left): (&[Mover<S>], &Left),
        step: f64,
    ) -> Option<RunError> {
        let leaps = self.leaps(island, (before, &problem.movers), step);
        let (_, pull) = self.next_step(island);
        let inertials = &self.stage.balls.inertials;
        let mass = |ball: &BodyId| {
            inertials
                .of(self.stage.slots[ball.0 as usize] as usize)
                .mass
        };
        let mass: f64 = island.members.iter().map(mass).sum();
        let met = |at: usize| {
            let (row, contact) = (&problem.rows[at], &island.contacts[problem.which[at]]);
            let slot = self.stage.slots[contact.a.0 as usize] as usize;
            let allowed = ALLOWED[0] * self.stage.balls.hot[slot].radius;
            let unsolved = leaps || left.overlap.max(left.speed * step) > allowed;
            let met = before[row.bodies[0] as usize].velocity.length()
                + row.velocity(before).length()
                + pull * step
                + allowed / step;
            (contact.against.ball().is_none() && unsolved).then_some(met)
        };
        let index = problem.which[jammed(&problem.rows, mass, met)?];
        let contact = &island.contacts[index];
        let slot = self.stage.slots[contact.a.0 as usize] as usize;
        let radius = self.stage.balls.hot[slot].radius;
        let opposite = self.opposite(island, contact)?;
        if !self.presses(contact) && !self.presses(opposite) {
            return None;
        }
        Some(RunError::Squeezed {
            time: self.stage.epoch + self.clock,
            a: self.label(contact.a),
            b: self.label_of(contact.against),
            against: Some(self.label_of(opposite.against)),
            depth: (left.speed * step).max(left.overlap),
            allowed: ALLOWED[0] * radius,
            drives: self.drives_of(island),
        })
    }

    /// The contact that presses the member of another one against it the most.
    fn opposite<'a>(
        &self,
        island: &'a Island<S>,
        contact: &LastingContact<S>,
    ) -> Option<&'a LastingContact<S>> {
        let push =
            |other: &LastingContact<S>| -contact.normal.dot(other.normal) * other.given.pressed;
        (island.contacts.iter())
            .filter(|other| other.a == contact.a && push(other) > 0.0)
            .max_by(|one, other| push(one).total_cmp(&push(other)))
    }

    /// The contact of another member with a fixture that comes nearer to the one of this contact, with members that are
    /// pressed together in between.
    fn closes_in<'a>(
        &self,
        island: &'a Island<S>,
        contact: &LastingContact<S>,
        time: f64,
    ) -> Option<&'a LastingContact<S>> {
        // Of a fixture, at the contact, along the normal into the member.
        let comes = |contact: &LastingContact<S>| {
            let (slot, _) = self.places_of(contact.key());
            let (now, _) = (self.stage).contact(slot as usize, self.body_of(contact.against), time);
            contact.normal.dot(now.b.contact_velocity())
        };
        let faces = |other: &&LastingContact<S>| {
            other.against.ball().is_none()
                && other.given.pressed > 0.0
                && contact.normal.dot(other.normal) < FACING
                && comes(contact) + comes(other) > 0.0
        };
        (island.contacts.iter())
            .filter(faces)
            .max_by(|one, other| one.given.pressed.total_cmp(&other.given.pressed))
    }

    fn label_of(&self, against: Against) -> String {
        self.label(match against {
            Against::Ball(id) => id,
            Against::Fixture(index) | Against::FarEnd(index) => {
                self.stage.fixtures[index as usize].id
            }
        })
    }

    fn slots_of(&self, island: &Island<S>) -> Vec<u32> {
        (island.members.iter())
            .map(|ball| self.stage.slots[ball.0 as usize])
            .collect()
    }

    /// Moves places of the members of an island apart until next to no overlap is left, at a time by the run's clock;
    /// the contact that overlaps the most then, and by how many radii.
    fn part(
        &self,
        island: &mut Island<S>,
        slots: &[u32],
        places: &mut [S::Vector],
        time: f64,
    ) -> Option<(usize, f64)> {
        let pairs: Vec<(usize, Option<usize>)> = (island.contacts.iter())
            .map(|contact| {
                let other = contact.against.ball().map(|ball| island.index_of(ball));
                (island.index_of(contact.a), other)
            })
            .collect();
        let many = usize::from(island.contacts.len() > FEW);
        let mut worst = self.look_for_overlap(island, (slots, places), &pairs, time);
        for _ in 0..SOLVES[many] {
            if worst.is_none_or(|(_, depth)| depth <= FINE[many]) {
                break;
            }
            self.move_apart(island, slots, places, &pairs);
            worst = self.look_for_overlap(island, (slots, places), &pairs, time);
        }
        worst
    }

    /// Whether a contact is one with a fixture that moves.
    fn presses(&self, contact: &LastingContact<S>) -> bool {
        contact.against.fixture().is_some_and(|index| {
            let body = &self.stage.fixtures[index as usize].body;
            matches!(body.kind, Kind::Kinematic(_))
        })
    }

    /// The fixtures that move and that an island touches.
    fn drives_of(&self, island: &Island<S>) -> Vec<BodyId> {
        let pressing = island.contacts.iter().filter(|it| self.presses(it));
        let drives = pressing.filter_map(|contact| contact.against.fixture());
        let ids = drives.map(|index| self.stage.fixtures[index as usize].id);
        let mut ids: Vec<BodyId> = ids.collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The error where the deepest overlap of an island, in radii, is more than a run goes on with. It names what
    /// presses from the other side, where that is a fixture.
    fn squeezed(
        &self,
        island: &Island<S>,
        (index, depth): (usize, f64),
        time: f64,
    ) -> Option<RunError> {
        let presses = island.contacts.iter().any(|contact| self.presses(contact));
        let allowed = ALLOWED[usize::from(!presses)];
        if !(depth > allowed) {
            return None;
        }
        let contact = &island.contacts[index];
        let opposite = self.opposite(island, contact);
        let between = presses && contact.against.ball().is_none();
        let against = opposite
            .filter(|other| other.against.ball().is_none())
            .or_else(|| self.closes_in(island, contact, time))
            .filter(|_| between)
            .map(|other| self.label_of(other.against));
        Some(RunError::Squeezed {
            time: self.stage.epoch + time,
            a: self.label(contact.a),
            b: self.label_of(contact.against),
            against,
            depth: -contact.gap,
            allowed: -contact.gap / depth * allowed,
            drives: self.drives_of(island),
        })
    }

    /// Where the contacts of an island are at a time by the run's clock; the one that overlaps the most, and by how
    /// many radii.
    fn look_for_overlap(
        &self,
        island: &mut Island<S>,
        (slots, places): (&[u32], &[S::Vector]),
        pairs: &[(usize, Option<usize>)],
        time: f64,
    ) -> Option<(usize, f64)> {
        let hot = &self.stage.balls.hot;
        let mut worst: Option<(usize, f64)> = None;
        for (index, (contact, &(a, b))) in island.contacts.iter_mut().zip(pairs).enumerate() {
            let its_place = b.map_or(S::Vector::ZERO, |b| places[b]);
            let own = (slots[a], places[a]);
            let touch = self.touch_at(own, contact.against, its_place, time);
            (contact.normal, contact.gap) = (touch.normal, touch.gap);
            let radius = hot[slots[a] as usize].radius;
            let radius = b.map_or(radius, |b| radius.min(hot[slots[b] as usize].radius));
            let depth = -touch.gap / radius;
            if depth > worst.map_or(0.0, |(_, depth)| depth) {
                worst = Some((index, depth));
            }
        }
        worst
    }

    /// Moves the members of an island apart, to first order in the overlaps.
    fn move_apart(
        &self,
        island: &Island<S>,
        slots: &[u32],
        places: &mut [S::Vector],
        pairs: &[(usize, Option<usize>)],
    ) {
        let many = usize::from(island.contacts.len() > FEW);
        let (fine, hot) = (FINE[many], &self.stage.balls.hot);
        let still = |slot: &u32| Mover {
            inverse_mass: self.stage.balls.inertials.of(*slot as usize).inverse_mass,
            ..Mover::fixed()
        };
        let mut movers: Vec<Mover<S>> = slots.iter().map(still).collect();
        movers.push(Mover::fixed());
        let (mut rows, mut least) = (Vec::new(), f64::INFINITY);
        for (contact, &(a, b)) in island.contacts.iter().zip(pairs) {
            let radius = hot[slots[a] as usize].radius;
            least = radius.min(least);
            if contact.gap > NEAR * radius {
                continue;
            }
            let bodies = [a as u32, b.unwrap_or(slots.len()) as u32];
            let arms = [S::Vector::ZERO; 2];
            let mut row = Row::new(bodies, arms, contact.normal, [0.0; 2], &movers);
            // A little more than is needed, for what the solver leaves.
            row.wanted = 0.25 * fine * radius - contact.gap;
            rows.push(row);
        }
        solve(&mut rows, &mut movers, 0.25 * fine * least, ROUNDS[many]);
        for (place, mover) in places.iter_mut().zip(&movers) {
            *place += mover.velocity;
        }
    }

    /// Puts a ball to where the projection has it, and enters what that does.
    pub(in crate::simulate::exact) fn put_projected(&mut self, slot: usize, place: S::Vector) {
        let balls = &mut self.stage.balls;
        let was = balls.hot[slot].position;
        if was == place {
            return;
        }
        balls.hot[slot].position = place;
        let mass = balls.inertials.of(slot).mass;
        let momentum = balls.hot[slot].velocity * mass;
        let fields = &self.stage.fields;
        let fell = fields.potential(mass, was) - fields.potential(mass, place);
        self.ledger.projection.add(fell);
        let angular = S::torque(place - was, momentum);
        self.ledger.angular_from_projection.add(angular);
    }
}
