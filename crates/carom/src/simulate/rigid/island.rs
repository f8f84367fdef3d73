//! Bodies that keep touching: they go ahead together, in short steps.
//!
//! A step of length τ is that of the leapfrog, with contacts (RATTLE's way of keeping constraints, for contacts that
//! only push):
//!
//! ```text
//! v ← v + g τ/2       half of gravity
//! v ← contacts        so that no point is below the surface at the end of the step (w = −gap/τ)
//! x ← x + v τ         straight on, turning freely
//! v ← v + g τ/2       the other half
//! v ← contacts        so that no point that touches closes (w = 0); points that were struck fast rebound by ε
//! ```
//!
//! The impulses of the second solve go on from those of the first and may take them back: a push that was only needed
//! to bring a point to the surface leaves no velocity behind. Where nobody touches, a step is exactly the parabola; a
//! body that turns about an edge keeps its energy to second order in τ.
//!
//! A step may be cut short at any time, when somebody strikes one of the members: what gravity gives until then is what
//! it gives in that time, and the second solve is made there.
//!
//! What contacts took, and what a step costs by its finite length, is entered by `account.rs`.

mod form;
mod movers;
mod parts;

use super::account::{Before, enter, relative};
use super::bodies::{RigidBodyRef, RigidWorld};
use super::core::Core;
use super::geometry::touching;
use super::overlap::Overlap;
use super::solver::{Row, rounds, solve};
use super::track::Track;
use crate::audit::Ledger;
use crate::order::InOrder;
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::space::{Linear, Space};
use movers::Movers;

/// Bodies that keep touching each other, or fixture.
#[derive(Clone, Debug)]
pub(super) struct Island<S: Space> {
    /// Slots, in order.
    pub members: Vec<u32>,
    /// In order.
    pub holds: Vec<Hold<S>>,
    /// When the step under way began, and when it is to end, s.
    pub since: f64,
    pub until: f64,
    /// Since when nobody has moved to speak of, s.
    pub calm: f64,
    pub asleep: bool,
    /// How the members moved and turned when the step under way began, before its first half; empty where none is.
    pub before: Vec<(S::Vector, S::Angular)>,
    /// What the first half of the step under way is to enter into the budget when it ends: nothing of it has happened
    /// yet.
    pub pending: Ledger<S>,
    /// Moves with every step.
    pub version: u32,
}

/// A pair that keeps touching.
#[derive(Clone, Debug)]
pub(super) struct Hold<S: Space> {
    /// The normals point into it.
    pub a: u32,
    pub other: RigidBodyRef,
    pub spots: Vec<Spot<S>>,
}

/// One of its points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot<S: Space> {
    pub place: S::Vector,
    pub normal: S::Vector,
    /// m; negative where they overlap.
    pub gap: f64,
    /// Which corners, edges and faces: to know it again.
    pub feature: u64,
    /// Impulses of the step, kg·m/s.
    pub pressed: f64,
    pub rubbed: S::Vector,
    /// The angular impulse of the step against rolling and spinning, kg·m²/s.
    pub twisted: S::Angular,
    /// The normal velocity at which it was struck in this step, m/s; zero where that was slow.
    pub struck: f64,
    pub slides: bool,
}

impl<S: Space> Hold<S> {
    pub fn pair(&self) -> (u32, RigidBodyRef) {
        (self.a, self.other)
    }
}

/// The part of a depth that is taken back in one step: all at once would overshoot where contacts share it.
const RECOVERY: f64 = 0.2;

/// A point takes part in the second solve where it is nearer than this share of the way that slow bounces make in a
/// step.
const TOUCH: f64 = 0.1;

/// For how long nobody must have moved before all fall asleep, s.
const CALM: f64 = 0.25;

impl<S: Shaped> Core<S> {
    /// Gives the members what gravity gives in a time, at a place of theirs on their tracks.
    fn kick(
        &self,
        stage: &RigidWorld<S>,
        island: &Island<S>,
        cast: &mut Movers<S>,
        (time, t): (f64, f64),
        books: &mut Ledger<S>,
    ) {
        for (&slot, mover) in island.members.iter().zip(&mut cast.movers) {
            let mass = stage.inert[slot as usize].mass;
            let before = mover.velocity;
            mover.velocity += stage.gravity * time;
            let mean = (before + mover.velocity) * 0.5;
            books.stepping.add(-mass * time * stage.gravity.dot(mean));
            let place = self.moving[slot as usize].track.position_at(t);
            books.flown(S::torque(place * (mass * time), stage.gravity));
        }
    }

    /// Begins a step of an island at a time at which everything about it is known.
    pub fn open_step(&mut self, stage: &RigidWorld<S>, id: u32, t: f64) {
        let Some(mut island) = self.islands[id as usize].take() else {
            return;
        };
        let step = stage.settling.step;
        let mut end = ((t / step).floor() + 1.0) * step;
        // The rest of a step that is next to nothing is left to the next one.
        if end - t < 1e-3 * step {
            end += step;
        }
        let span = end - t;
        island.since = t;
        island.until = end;
        island.version = self.next_version();
        let mut cast = Movers::new(self, stage, &island, t);
        let moves = |mover: &Mover<S>| (mover.velocity, mover.angular_velocity);
        island.before = cast.movers[..cast.members].iter().map(moves).collect();
        let mut pending = Ledger::default();
        let (mut rows, whose) = cast.rows(self, stage, &island, t, |_| true);
        let unkicked = relative(&rows, &cast.movers);
        self.kick(stage, &island, &mut cast, (0.5 * span, t), &mut pending);
        let kicked = relative(&rows, &cast.movers);
        for (k, row) in rows.iter_mut().enumerate() {
            let (h, s) = whose[k];
            let hold = &mut island.holds[h];
            let restitution = stage.surface(hold.a, hold.other).restitution;
            let spot = &mut hold.spots[s];
            let closing = row.normal.dot(kicked[k].0);
            let fast = closing < -stage.slow_for(restitution).max(self.noise(hold.a));
            spot.struck = if fast { closing } else { 0.0 };
            // A point of a body that turns leaves the straight line: second order in the step.
            let sharp = [RigidBodyRef::Body(hold.a), hold.other].map(|partner| match partner {
                RigidBodyRef::Body(slot) => stage.inert[slot as usize].sharp,
                RigidBodyRef::Fixture(_) => false,
            });
            let spot = &mut hold.spots[s];
            let bent = |side: usize| {
                if !sharp[side] {
                    return S::Vector::ZERO;
                }
                let angular_velocity = cast.movers[row.bodies[side] as usize].angular_velocity;
                let velocity = S::surface_velocity(angular_velocity, row.arms[side]);
                S::surface_velocity(angular_velocity, velocity)
            };
            let gap = spot.gap + 0.5 * span * span * row.normal.dot(bent(0) - bent(1));
            row.wanted = if gap > 0.0 {
                -gap / span
            } else {
                (-gap * RECOVERY / span).min(stage.slow)
            };
            (row.pressed, row.rubbed) = (spot.pressed, spot.rubbed);
            row.take_twist(spot.twisted);
        }
        self.run_solver(stage, &mut rows, &mut cast.movers);
        let nothing = vec![(0.0, S::Vector::ZERO, S::Angular::ZERO); rows.len()];
        let before = Before {
            had: &nothing,
            unkicked: &unkicked,
            kicked: &kicked,
        };
        let rows_of = (&rows[..], &whose[..]);
        enter(
            stage,
            &island,
            rows_of,
            &before,
            (&cast.movers, t),
            &mut pending,
        );
        island.pending = pending;
        for (row, &(h, s)) in rows.iter().zip(&whose) {
            let spot = &mut island.holds[h].spots[s];
            (spot.pressed, spot.rubbed) = (row.pressed, row.rubbed);
            spot.twisted = row.twisted;
            spot.slides = slides(row, &cast.movers, stage);
        }
        self.set_off(stage, &island, &cast.movers, (t, end));
        self.islands[id as usize] = Some(island);
    }

    /// Lets the members of an island know whom they touch, and sends them on their way from one time to another.
    fn set_off(
        &mut self,
        stage: &RigidWorld<S>,
        island: &Island<S>,
        movers: &[Mover<S>],
        (t, end): (f64, f64),
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
        for (&slot, mover) in island.members.iter().zip(movers) {
            let pose = self.moving[slot as usize].track.pose_at(t);
            let track = Track::flight(
                &stage.inert[slot as usize],
                (t, end),
                pose,
                mover.velocity,
                mover.angular_velocity,
                S::Vector::ZERO,
            );
            self.set_track(slot, track);
        }
    }

    /// Below which speed nothing is told from rounding, m/s.
    pub fn noise(&self, slot: u32) -> f64 {
        let track = &self.moving[slot as usize].track;
        1e-9 * (track.velocity.length() + track.reach * track.angular_velocity.length())
    }

    fn run_solver(&mut self, stage: &RigidWorld<S>, rows: &mut [Row<S>], movers: &mut [Mover<S>]) {
        for row in rows.iter() {
            row.warm(movers);
        }
        let most = rounds(stage.settling.rounds, rows.len());
        let left = solve(rows, movers, stage.tolerance(), most);
        self.residual = self.residual.max(left);
    }

    /// Ends the step of an island at a time, its planned end or before. Its members stand still on their tracks
    /// afterwards: they are to be given others.
    pub fn close_step(&mut self, stage: &RigidWorld<S>, near: &impl Neighbours, id: u32, t: f64) {
        let Some(mut island) = self.islands[id as usize].take() else {
            return;
        };
        if island.asleep {
            self.wake(stage, &mut island, t);
            self.islands[id as usize] = Some(island);
            return;
        }
        let (full, elapsed) = (island.until - island.since, t - island.since);
        self.ledger.join(&island.pending);
        island.pending = Ledger::default();
        island.before.clear();
        for &slot in &island.members {
            let inert = &stage.inert[slot as usize];
            let old = &self.moving[slot as usize].track;
            let track = old.at(inert, t);
            let way = track.pose.position - old.pose.position;
            self.ledger
                .stepping
                .add(inert.mass * stage.gravity.dot(way));
            self.set_track(slot, track);
        }
        let deepest = self.refresh(stage, near, &mut island, t);
        self.found_overlap(deepest);
        let mut cast = Movers::new(self, stage, &island, t);
        let touch = TOUCH * stage.slow * stage.settling.step;
        let touches = |spot: &Spot<S>| spot.gap <= touch || spot.pressed > 0.0;
        let (mut rows, whose) = cast.rows(self, stage, &island, t, touches);
        let unkicked = relative(&rows, &cast.movers);
        let mut books = Ledger::default();
        let rest = elapsed - 0.5 * full;
        self.kick(stage, &island, &mut cast, (rest, t), &mut books);
        let kicked = relative(&rows, &cast.movers);
        let mut had = Vec::new();
        // The second half needs about as much as the first one did.
        let again = (elapsed / full).clamp(0.0, 1.0);
        for (k, row) in rows.iter_mut().enumerate() {
            let (h, s) = whose[k];
            let hold = &island.holds[h];
            let spot = &hold.spots[s];
            if spot.struck < 0.0 && spot.pressed > 0.0 && elapsed >= full {
                let restitution = stage.surface(hold.a, hold.other).restitution;
                row.wanted = -restitution * spot.struck;
            }
            had.push((spot.pressed, spot.rubbed, spot.twisted));
            (row.pressed, row.rubbed) = (spot.pressed * again, spot.rubbed * again);
            row.take_twist(spot.twisted * again);
        }
        for row in rows.iter() {
            row.warm(&mut cast.movers);
        }
        for (row, had) in rows.iter_mut().zip(&had) {
            row.pressed += had.0;
            row.rubbed += had.1;
            row.take_twist(row.twisted + had.2);
        }
        let most = rounds(stage.settling.rounds, rows.len());
        let left = solve(&mut rows, &mut cast.movers, stage.tolerance(), most);
        self.residual = self.residual.max(left);
        let before = Before {
            had: &had,
            unkicked: &unkicked,
            kicked: &kicked,
        };
        let rows_of = (&rows[..], &whose[..]);
        enter(
            stage,
            &island,
            rows_of,
            &before,
            (&cast.movers, t),
            &mut books,
        );
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
            (spot.pressed, spot.rubbed) = (0.0, S::Vector::ZERO);
            spot.twisted = S::Angular::ZERO;
        }
        for (row, &(h, s)) in rows.iter().zip(whose) {
            let spot = &mut island.holds[h].spots[s];
            // What the first half of the next step is likely to need.
            (spot.pressed, spot.rubbed) = (0.5 * row.pressed, row.rubbed * 0.5);
            spot.twisted = row.twisted * 0.5;
            spot.slides = slides(row, movers, stage);
        }
        for (&slot, mover) in island.members.iter().zip(movers) {
            let mut track = self.moving[slot as usize].track.clone();
            track.velocity = mover.velocity;
            track.angular_velocity = mover.angular_velocity;
            self.moving[slot as usize].track = track.at(&stage.inert[slot as usize], t);
        }
    }

    /// Brings the contacts of an island up to date: where its pairs touch now, and who of its members has come to
    /// touch. How deep they overlap.
    pub fn refresh(
        &self,
        stage: &RigidWorld<S>,
        near: &impl Neighbours,
        island: &mut Island<S>,
        t: f64,
    ) -> Option<Overlap> {
        let step = stage.settling.step;
        let mut holds = Vec::new();
        let mut deepest = None;
        for hold in &island.holds {
            let its = match hold.other {
                RigidBodyRef::Fixture(index) => stage.props[index as usize].fastest(),
                body => self.speed(body),
            };
            let speed = self.speed(RigidBodyRef::Body(hold.a)) + its;
            let margin = (speed + stage.slow) * step;
            let mut spots = touching(self, stage, hold.a, hold.other, margin, t);
            if spots.is_empty() {
                continue;
            }
            Overlap::note(&mut deepest, stage, hold.pair(), &spots);
            know_again(
                &mut spots,
                &hold.spots,
                self.moving[hold.a as usize].track.reach,
            );
            holds.push(Hold { spots, ..*hold });
        }
        // Pairs of members that have come very near each other, slowly.
        let margin = stage.slow * step;
        let mut known: Vec<(u32, RigidBodyRef)> = island.holds.iter().map(Hold::pair).collect();
        known.extend(island.holds.iter().map(|hold| turned(hold.pair())));
        known.sort_unstable();
        for &a in &island.members {
            near.around::<S>(a, |other| {
                if let RigidBodyRef::Body(b) = other
                    && (b < a || island.members.binary_search(&b).is_err())
                {
                    return;
                }
                if known.binary_search(&(a, other)).is_ok()
                    || !stage.meet(a, other)
                    || !self.may_touch(stage, a, other, margin, t)
                {
                    return;
                }
                let spots = touching(self, stage, a, other, margin, t);
                Overlap::note(&mut deepest, stage, (a, other), &spots);
                let slow = stage.slow_for(stage.surface(a, other).restitution);
                let closing = |spot: &Spot<S>| self.closing(stage, a, other, spot, t) < slow;
                if !spots.is_empty() && spots.iter().all(closing) {
                    holds.push(Hold { a, other, spots });
                }
            });
        }
        holds.order_by_key(Hold::pair);
        island.holds = holds;
        deepest
    }

    /// How fast any of its points can be, m/s.
    fn speed(&self, partner: RigidBodyRef) -> f64 {
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
            let arm = spot.place - self.pose_of(stage, partner, t).position;
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
                let apart = place - self.position_of(b, t);
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

fn turned((a, other): (u32, RigidBodyRef)) -> (u32, RigidBodyRef) {
    match other {
        RigidBodyRef::Body(b) => (b, RigidBodyRef::Body(a)),
        fixture => (a, fixture),
    }
}

/// Gives spots the impulses that they had in the step before: those of the same features, then those of the nearest
/// places, for faces take turns in being the one that the points of the other are counted on.
fn know_again<S: Space>(spots: &mut [Spot<S>], old: &[Spot<S>], reach: f64) {
    let mut used = vec![false; old.len()];
    let mut known = vec![false; spots.len()];
    let take = |spot: &mut Spot<S>, from: &Spot<S>| {
        spot.pressed = from.pressed;
        spot.rubbed = from.rubbed - spot.normal * spot.normal.dot(from.rubbed);
        spot.twisted = from.twisted;
        spot.struck = from.struck;
        spot.slides = from.slides;
    };
    for (k, spot) in spots.iter_mut().enumerate() {
        if let Some(i) = old.iter().position(|old| old.feature == spot.feature) {
            take(spot, &old[i]);
            (used[i], known[k]) = (true, true);
        }
    }
    for (spot, _) in spots.iter_mut().zip(known).filter(|(_, known)| !known) {
        let distance = |i: usize| (old[i].place - spot.place).length();
        let free = (0..old.len()).filter(|&i| !used[i]);
        let nearest = free.min_by(|&i, &k| distance(i).total_cmp(&distance(k)));
        if let Some(i) = nearest.filter(|&i| distance(i) < 0.05 * reach) {
            take(spot, &old[i]);
            used[i] = true;
        }
    }
}

/// Whether a row does all it can against its slip, and slips.
fn slides<S: Shaped>(row: &Row<S>, movers: &[Mover<S>], stage: &RigidWorld<S>) -> bool {
    let velocity = row.velocity(movers);
    let slip = (velocity - row.normal * row.normal.dot(velocity)).length();
    row.pressed > 0.0
        && row.rubbed.length() >= row.limit() * row.pressed * (1.0 - 1e-9)
        && slip > 1e-3 * stage.still
}

/// Who is in the neighbourhood of a body.
pub(super) trait Neighbours {
    fn around<S: Space>(&self, slot: u32, visit: impl FnMut(RigidBodyRef));
}
