//! Bodies that keep touching: they go ahead together, in short steps.
//!
//! A step of length τ is that of the leapfrog, with contacts (RATTLE's way of keeping constraints, for contacts that
//! only push):
//!
//! ```text
//! v ← v + g τ/2       half of gravity, and of what loads give (`loads.rs`)
//! v ← contacts        so that no point is below the surface at the end of the step (w = −gap/τ)
//! x ← x + v τ         straight on, turning freely; where bodies then overlap they are moved apart (`project.rs`)
//! v ← v + g τ/2       the other half
//! v ← contacts        so that no point that touches closes (w = 0); points that were struck fast rebound by ε
//! ```
//!
//! The impulses of the second solve go on from those of the first and may take them back: a push that was only needed
//! to bring a point to the surface leaves no velocity behind. Where nothing touches, a step is exactly the parabola; a
//! body that turns about an edge keeps its energy to second order in τ.
//!
//! So a step is known to its end when it begins: the members are on their ways there, straight lines where they were
//! moved apart, and none jumps.
//!
//! A step may be cut short at any time, when a body strikes one of the members: what gravity gives until then is what
//! it gives in that time, and the second solve is made there.
//!
//! What contacts took, and what a step costs by its finite length, is entered by `account.rs`.

mod arrivals;
mod crowd;
mod form;
mod movers;
mod place;
mod project;
mod refresh;
mod sleep;
mod solving;
mod squeeze;

use super::account::{Before, enter, relative};
use super::bodies::{RigidBodyRef, RigidWorld};
use super::core::Core;
use super::curvature::Touching;
use super::overlap::Overlap;
use super::track::Track;
use crate::audit::Ledger;
use crate::motion::Pose;
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::simulate::contact_solver::Row;
use crate::simulate::islands::{Impulses, go_on};
use crate::space::{Linear, Space};
use crowd::rate_to;
use movers::{Movers, bent};
use project::{Projected, project};
pub(super) use refresh::{CROWD, RUSH};
use refresh::{Placement, Seen, add_missed};
pub use sleep::ContactForce;

/// Bodies that keep touching each other, or fixture.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Island<S: Space> {
    /// Slots, in order.
    pub members: Vec<u32>,
    /// In order.
    pub holds: Vec<Hold<S>>,
    /// When the step under way began, and when it is to end, s.
    pub since: f64,
    pub until: f64,
    /// Since when no member has moved to speak of, s.
    pub calm: f64,
    pub asleep: bool,
    /// How the members moved and turned when the step under way began, before its first half; empty where none is.
    pub before: Vec<(S::Vector, S::Angular)>,
    /// How they move and turn in the step under way, after its first half. Their tracks differ from that where they are
    /// moved apart.
    pub drift: Vec<(S::Vector, S::Angular)>,
    /// Where pairs touch at the end of the step under way.
    pub ahead: Vec<Hold<S>>,
    /// How many impacts there have been of late: each counts for a few dozen steps.
    pub rush: f64,
    /// Whether all contacts of its members are answered within its steps (`refresh.rs`).
    pub crowd: bool,
    /// What the first half of the step under way is to enter into the budget when it ends: nothing of it has happened
    /// yet.
    pub pending: Ledger<S>,
    /// Moves with every step.
    pub version: u32,
}

/// A pair that keeps touching.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Hold<S: Space> {
    /// The normals point into it.
    pub a: u32,
    pub other: RigidBodyRef,
    pub spots: Vec<Spot<S>>,
}

/// One of its points.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) struct Spot<S: Space> {
    pub place: S::Vector,
    pub normal: S::Vector,
    /// m; negative where they overlap.
    pub gap: f64,
    /// Which corners, edges and faces: to know it again.
    pub feature: u64,
    /// Impulses of the step.
    pub given: Impulses<S>,
    /// The normal velocity at which it was struck in this step, m/s; zero where that was slow.
    pub struck: f64,
    pub slides: bool,
    /// Whose face the normal is of, and turns with: 1 for the first, 2 for the second, 0 for neither.
    pub face: u8,
}

impl<S: Space> Hold<S> {
    pub fn pair(&self) -> (u32, RigidBodyRef) {
        (self.a, self.other)
    }
}

/// What slips by less than this share of what counts as still does not slide.
const SLIP: f64 = 1e-3;

/// What is left of a rush after a step.
const FORGET: f64 = 0.98;

/// How often a step is begun anew because its end shows contacts that could not be seen from its beginning, and how
/// often in a crowd.
const ATTEMPTS: [usize; 2] = [2, 1];

/// The free ways of members in a step, where these lead to, a pair that is jammed, and what is seen there.
type Tried<S> = (
    Vec<Track<S>>,
    Vec<Pose<S>>,
    Option<Overlap>,
    Option<Seen<S>>,
);

impl<S: Shaped> Core<S> {
    /// Begins a step of an island at a time at which everything about it is known.
    pub fn open_step(&mut self, stage: &RigidWorld<S>, near: &impl Neighbours, id: u32, t: f64) {
        let Some(mut island) = self.islands[id as usize].take() else {
            return;
        };
        let step = stage.settling.step;
        let mut end = ((t / step).floor() + 1.0) * step;
        // The rest of a step that is next to nothing is left to the next one.
        if end - t < 1e-3 * step {
            end += step;
        }
        end = end.min(stage.next_jump(&island, t));
        end = end.min(t + self.span_in_fields(stage, &island, t));
        end = end.min(t + self.span_of_joints(stage, &island, t));
        end = end.min(t + self.span_of_turning(stage, &island, t));
        island.crowd &= island.members.len() >= CROWD;
        if !island.crowd {
            end = end.min(t + self.first_arrival(stage, &island, t));
        }
        island.version = self.next_version();
        // Fixtures that close in may leave no room before the step is over: it ends where there still is some.
        let driven = island
            .is_driven(stage)
            .then(|| (island.clone(), self.residual));
        let (tracks, projected, poses) = loop {
            (island.since, island.until) = (t, end);
            let (tracks, mut poses, jam, seen) = self.try_step(stage, near, &mut island);
            let there = (&mut poses[..], &island.drift[..], end);
            let projected = project(stage, near, &island, there, &[], seen);
            let Some((fresh, residual)) = &driven else {
                break (tracks, projected, poses);
            };
            let (stuck, room) = match (&projected.stuck, &jam) {
                (Some(stuck), _) => (*stuck, island.room(stage, stuck)),
                (None, Some(jam)) => (*jam, island.room_in_jam(stage)),
                (None, None) => break (tracks, projected, poses),
            };
            match room {
                Some(span) => end = t + span,
                None => {
                    self.squeezed = Some(island.squeezed(stage, stuck));
                    break (tracks, projected, poses);
                }
            }
            (island, self.residual) = (fresh.clone(), *residual);
        };
        self.set_off(stage, &mut island, tracks, projected, &poses);
        self.islands[id as usize] = Some(island);
    }

    /// How the members go, were they free, in a step whose times are known, once contacts have kept them apart; where
    /// they come to; the pair that is jammed, where one is; and what is seen there.
    fn try_step(
        &mut self,
        stage: &RigidWorld<S>,
        near: &impl Neighbours,
        island: &mut Island<S>,
    ) -> Tried<S> {
        let (t, end) = (island.since, island.until);
        let still = vec![0.0; island.members.len()];
        let (mut attempt, mut known) = (0, None);
        loop {
            let jam = self.solve_first_half(stage, island, (t, end));
            let tracks = self.free_tracks(stage, island, (t, end));
            let poses: Vec<Pose<S>> = tracks.iter().map(|track| track.pose_at(end)).collect();
            attempt += 1;
            if attempt > ATTEMPTS[usize::from(island.is_hasty())] {
                return (tracks, poses, jam, known);
            }
            let placement = Placement {
                members: &island.members,
                poses: &poses,
                moves: &island.drift,
                t: end,
            };
            let seen = placement.look(stage, near, island, (known.take(), &still));
            let there = placement.refresh(stage, island, &seen);
            let from: Vec<Pose<S>> = tracks.iter().map(|track| track.pose).collect();
            if !add_missed(stage, island, &there, (&from, &poses)) {
                return (tracks, poses, jam, Some(seen));
            }
            known = Some(seen.elsewhere(island));
        }
    }

    /// The first half of a step: gravity, and contacts that keep everyone apart at its end; the pair that is jammed,
    /// where one is.
    ///
    /// Longer than most: what each contact has to give is the sum of half a dozen terms that share their inputs.
    fn solve_first_half(
        &mut self,
        stage: &RigidWorld<S>,
        island: &mut Island<S>,
        (t, end): (f64, f64),
    ) -> Option<Overlap> {
        let span = end - t;
        let mut cast = Movers::new(self, stage, island, (t, t));
        let moves = |mover: &Mover<S>| (mover.velocity, mover.angular_velocity);
        island.before = cast.movers[..cast.members].iter().map(moves).collect();
        let mut pending = Ledger::default();
        let (mut rows, whose) = cast.rows(self, stage, island, t, |_| true);
        let mut bound = self.bound(stage, island, &cast.movers, t);
        let margin = island.margin(stage);
        let reached: Vec<f64> = (whose.iter())
            .map(|&(h, s)| rate_to(margin, island.holds[h].spots[s].gap, span))
            .collect();
        // What is to part in order to regain a margin has not arrived.
        let stopped: Vec<f64> = reached.iter().map(|&rate| rate.min(0.0)).collect();
        let rows_of = (&rows[..], &whose[..]);
        let closing: Vec<f64> =
            (rows.iter().map(|row| row.normal_velocity(&cast.movers))).collect();
        let stopped = self.stop_arrivals(
            stage,
            island,
            rows_of,
            &stopped,
            ((&mut cast.movers, &mut bound), t, 0.0),
            (f64::INFINITY, &mut pending),
        );
        let unkicked = relative(&rows, &cast.movers);
        let half = (0.5 * span, t + 0.25 * span, t);
        self.kick(stage, island, (&mut cast, &bound), half, &mut pending);
        cast.lead_fixtures(stage, (t, end));
        let kicked = relative(&rows, &cast.movers);
        for (k, row) in rows.iter_mut().enumerate() {
            let (h, s) = whose[k];
            let hold = &mut island.holds[h];
            let restitution = stage.surface(hold.a, hold.other).restitution;
            let place = (hold.spots[s].place, row.normal);
            let slow = self.slow_at(stage, hold.pair(), place, restitution, t);
            let fast = closing[k] < -slow.max(self.noise(hold.a));
            let bent = bent(stage, hold, row, &cast.movers) * (0.5 * span);
            let pair = hold.pair();
            let spot = &mut hold.spots[s];
            let struck = fast && stopped.as_ref().is_some_and(|given| given[k] > 0.0);
            spot.struck = if struck { closing[k] } else { 0.0 };
            island.rush += f64::from(u8::from(struck));
            // A normal that turns meets what slides along it: d²gap/dt² has the part 2 (ω × n)·u.
            let turned = match spot.face {
                0 => 0.0,
                side => {
                    let spin =
                        cast.movers[row.bodies[usize::from(side == 2)] as usize].angular_velocity;
                    span * S::surface_velocity(spin, row.normal).dot(kicked[k].0)
                }
            };
            // Overlaps that are left are taken back at the level of places.
            let along = row.normal.dot(bent);
            let met = {
                let point = Touching {
                    place: spot.place,
                    normal: row.normal,
                    arms: row.arms,
                };
                let movers = row.bodies.map(|body| &cast.movers[body as usize]);
                stage.bend(pair, &point, movers, t) * (0.5 * span)
            };
            row.wanted = reached[k] - along - turned + met;
            row.slip = row.normal * along - bent;
            row.begin_with(&spot.given);
        }
        let joined = (&mut cast, &mut bound);
        let left = self.solve_to_end(stage, island, &mut rows, joined, &mut pending);
        let jam = island.jammed(stage, (&rows, &whose), &unkicked, left);
        let nothing = vec![Impulses::default(); rows.len()];
        let before = Before {
            had: &nothing,
            unkicked: &unkicked,
            kicked: &kicked,
        };
        let rows_of = (&rows[..], &whose[..]);
        enter(stage, island, rows_of, &before, &cast.movers, &mut pending);
        island.pending = pending;
        for (row, &(h, s)) in rows.iter().zip(&whose) {
            let spot = &mut island.holds[h].spots[s];
            spot.given = row.given();
            spot.slides = row.slips(&cast.movers, SLIP * stage.still);
        }
        island.drift = cast.movers[..cast.members].iter().map(moves).collect();
        jam
    }

    /// The ways of the members were they free from one time to another.
    fn free_tracks(
        &self,
        stage: &RigidWorld<S>,
        island: &Island<S>,
        (t, end): (f64, f64),
    ) -> Vec<Track<S>> {
        let of = |(&slot, &(velocity, spin)): (&u32, &(S::Vector, S::Angular))| {
            let inert = &stage.inert[slot as usize];
            let pose = self.moving[slot as usize].track.pose_at(t);
            let still = S::Vector::ZERO;
            Track::flight(inert, (t, end), pose, velocity, spin, still)
        };
        island.members.iter().zip(&island.drift).map(of).collect()
    }

    /// Lets the members of an island know what they touch, and sends them on their ways, which lead to places at which
    /// none overlaps.
    fn set_off(
        &mut self,
        stage: &RigidWorld<S>,
        island: &mut Island<S>,
        tracks: Vec<Track<S>>,
        projected: Projected<S>,
        poses: &[Pose<S>],
    ) {
        for &slot in &island.members {
            self.moving[slot as usize].partners.clear();
        }
        for hold in &island.holds {
            self.moving[hold.a as usize].partners.push(hold.other);
            if let RigidBodyRef::Body(b) = hold.other {
                let other = RigidBodyRef::Body(hold.a);
                self.moving[b as usize].partners.push(other);
            }
        }
        let (t, end) = (island.since, island.until);
        island.ahead = projected.holds;
        for (k, (&slot, track)) in island.members.iter().zip(tracks).enumerate() {
            let track = if projected.moved[k] {
                Track::led(&stage.inert[slot as usize], (t, end), track.pose, &poses[k])
            } else {
                track
            };
            self.set_track(slot, track);
        }
    }

    /// Below which speed nothing is told from rounding, m/s.
    pub fn noise(&self, slot: u32) -> f64 {
        let track = &self.moving[slot as usize].track;
        1e-9 * (track.velocity.length() + track.reach * track.angular_velocity.length())
    }

    /// Ends the step of an island at a time, its planned end or before. Its members stand still on their tracks
    /// afterwards: they are to be given others.
    ///
    /// Longer than most: one stage of the step after the other, over rows and movers that they share.
    pub fn close_step(&mut self, stage: &RigidWorld<S>, near: &impl Neighbours, id: u32, t: f64) {
        let Some(mut island) = self.islands[id as usize].take() else {
            return;
        };
        if island.asleep {
            self.wake(stage, &mut island, t);
            self.islands[id as usize] = Some(island);
            return;
        }
        if island.drift.is_empty() {
            // No step has begun: a body has only just joined.
            self.islands[id as usize] = Some(island);
            return;
        }
        let (full, elapsed) = (island.until - island.since, t - island.since);
        // What gravity is still to give: it gave half of the planned step when that began.
        let rest = elapsed - 0.5 * full;
        island.rush *= if elapsed < full { 1.0 } else { FORGET };
        island.rush += f64::from(u8::from(elapsed < full));
        let owed = island.pending.lost_to_contacts().max(0.0);
        let settled = island.pending.settling.value();
        self.ledger.join(&island.pending);
        island.pending = Ledger::default();
        island.before.clear();
        self.arrive(stage, near, &mut island, t);
        let mut cast = Movers::new(self, stage, &island, (island.since, t));
        let touch = island.settled_gap(stage);
        let touches = |spot: &Spot<S>| spot.gap <= touch || spot.given.pressed > 0.0;
        let (mut rows, whose) = cast.rows(self, stage, &island, t, touches);
        let mut bound = self.bound(stage, &island, &cast.movers, t);
        let mut books = Ledger::default();
        let rebound: Vec<f64> = (rows.iter().zip(&whose))
            .map(|(row, &(h, s))| {
                let hold = &island.holds[h];
                let restitution = stage.surface(hold.a, hold.other).restitution;
                let now = row.normal_velocity(&cast.movers);
                let place = (hold.spots[s].place, row.normal);
                let slow = self.slow_at(stage, hold.pair(), place, restitution, t);
                let limit = slow.max(self.noise(hold.a));
                let now = if now < -limit { now } else { 0.0 };
                island.rush += f64::from(u8::from(now < 0.0 && !island.crowd));
                let struck = if elapsed >= full {
                    hold.spots[s].struck.min(now)
                } else {
                    now
                };
                -stage.restitution_at(hold.a, hold.other, -struck) * struck
            })
            .collect();
        let rows_of = (&rows[..], &whose[..]);
        let movers = ((&mut cast.movers[..], &mut bound), t, rest.max(0.0));
        self.stop_arrivals(
            stage,
            &island,
            rows_of,
            &rebound,
            movers,
            (owed, &mut books),
        );
        let unkicked = relative(&rows, &cast.movers);
        let half = (rest, t - 0.5 * rest, t);
        self.kick(stage, &island, (&mut cast, &bound), half, &mut books);
        cast.lead_fixtures(stage, (t, t));
        let kicked = relative(&rows, &cast.movers);
        let was = bound.as_ref().map(|bound| bound.rates(&cast.movers));
        let again = (elapsed / full).clamp(0.0, 1.0);
        let given = |&(h, s): &(usize, usize)| island.holds[h].spots[s].given;
        let had: Vec<Impulses<S>> = whose.iter().map(given).collect();
        go_on(&mut rows, &mut cast.movers, &had, again);
        self.run_solver(stage, &island, &mut rows, (&mut cast.movers, &mut bound));
        if let (Some(bound), Some(was)) = (&mut bound, was) {
            bound.enter(&was, &cast.movers, &mut books);
        }
        let before = Before {
            had: &had,
            unkicked: &unkicked,
            kicked: &kicked,
        };
        let rows_of = (&rows[..], &whose[..]);
        enter(stage, &island, rows_of, &before, &cast.movers, &mut books);
        // Without friction what presses puts nothing in. Where it does, over both halves, it hands on what friction at
        // the same points turned about: a share of what that puts in.
        let settled = settled + books.settling.value();
        if settled < 0.0 {
            books.settling.add(-settled);
            books.rubbed(settled);
        }
        self.ledger.join(&books);
        self.stand(stage, &mut island, rows_of, &cast.movers, t);
        island.since = t;
        self.islands[id as usize] = Some(island);
    }

    /// Gives the members of an island what a step has made of them, and the contacts what the next is likely to need.
    fn stand(
        &mut self,
        stage: &RigidWorld<S>,
        island: &mut Island<S>,
        (rows, whose): (&[Row<S>], &[(usize, usize)]),
        movers: &[Mover<S>],
        t: f64,
    ) {
        for spot in island.holds.iter_mut().flat_map(|hold| &mut hold.spots) {
            spot.given = Impulses::default();
        }
        for (row, &(h, s)) in rows.iter().zip(whose) {
            let spot = &mut island.holds[h].spots[s];
            // What the first half of the next step is likely to need.
            spot.given = row.given().times(0.5);
            spot.slides = row.slips(movers, SLIP * stage.still);
        }
        for (&slot, mover) in island.members.iter().zip(movers) {
            let mut track = self.moving[slot as usize].track.clone();
            track.velocity = mover.velocity;
            track.angular_velocity = mover.angular_velocity;
            self.moving[slot as usize].track = track.at(&stage.inert[slot as usize], t);
        }
    }

    /// How fast any of its points can be, m/s.
    pub(super) fn speed(&self, partner: RigidBodyRef) -> f64 {
        match partner {
            RigidBodyRef::Body(slot) => {
                let track = &self.moving[slot as usize].track;
                track.velocity.length() + track.reach * track.angular_velocity.length()
            }
            RigidBodyRef::Fixture(_) => 0.0,
        }
    }

    /// How fast two bodies close at a spot, m/s.
    pub fn closing(
        &self,
        stage: &RigidWorld<S>,
        a: u32,
        other: RigidBodyRef,
        spot: &Spot<S>,
        t: f64,
    ) -> f64 {
        let velocity = |partner: RigidBodyRef| {
            let arm = stage.nearest(spot.place - self.pose_of(stage, partner, t).position);
            self.mover(stage, partner, t).velocity_at(arm)
        };
        -spot
            .normal
            .dot(velocity(RigidBodyRef::Body(a)) - velocity(other))
    }

    /// Whether the balls around two bodies come within a margin.
    pub fn may_touch(
        &self,
        stage: &RigidWorld<S>,
        a: u32,
        other: RigidBodyRef,
        margin: f64,
        t: f64,
    ) -> bool {
        let place = self.position_of(a, t);
        let reach = stage.inert[a as usize].reach + margin;
        match other {
            RigidBodyRef::Body(b) => {
                let apart = stage.nearest(place - self.position_of(b, t));
                let reach = reach + stage.inert[b as usize].reach;
                apart.length_squared() <= reach * reach
            }
            RigidBodyRef::Fixture(index) => {
                let prop = &stage.props[index as usize];
                let apart = place - prop.pose_at(t).position;
                prop.height_above(place, t)
                    .is_none_or(|height| height <= reach)
                    && apart.length() <= reach + prop.reach
            }
        }
    }
}

/// Which bodies are near a body.
pub(in crate::simulate) trait Neighbours {
    fn around<S: Space>(&self, slot: u32, visit: impl FnMut(RigidBodyRef));
}
