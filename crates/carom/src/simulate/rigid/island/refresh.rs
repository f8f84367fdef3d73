//! Where the pairs of an island touch, at the poses that its members have or will have.

use super::{Hold, Island, Neighbours, Spot};
use crate::motion::Pose;
use crate::order::InOrder;
use crate::shape::Shaped;
use crate::simulate::rigid::bodies::{RigidBodyRef, RigidWorld, TOUCH};
use crate::simulate::rigid::geometry::{seen_from, spots_between};
use crate::space::{Linear, Space};

/// An island of at least so many members, with at least so many impacts of late, is a crowd: all contacts among them,
/// and with fixtures, are answered within its steps. Cutting a large heap's step at each of its inner collisions would
/// cost a solve of the heap each time. In others, bodies that come together fast do so at the exact instant, as in
/// flight.
pub(in crate::simulate::rigid) const CROWD: usize = 32;
pub(in crate::simulate::rigid) const RUSH: f64 = 40.0;

/// The members of an island at some time: where they are, and how they move.
pub(super) struct Placement<'a, S: Space> {
    pub members: &'a [u32],
    pub poses: &'a [Pose<S>],
    pub moves: &'a [(S::Vector, S::Angular)],
    pub t: f64,
}

impl<S: Shaped> Placement<'_, S> {
    fn index(&self, slot: u32) -> usize {
        // Holds are between members and fixtures.
        self.members.binary_search(&slot).unwrap_or_default()
    }

    fn pose(&self, stage: &RigidWorld<S>, partner: RigidBodyRef) -> Pose<S> {
        match partner {
            RigidBodyRef::Body(slot) => self.poses[self.index(slot)],
            RigidBodyRef::Fixture(index) => stage.props[index as usize].pose_at(self.t),
        }
    }

    /// How fast any of its points can be that are near a body, m/s.
    fn speed(&self, stage: &RigidWorld<S>, a: u32, partner: RigidBodyRef) -> f64 {
        match partner {
            RigidBodyRef::Body(slot) => {
                let (velocity, spin) = self.moves[self.index(slot)];
                velocity.length() + stage.inert[slot as usize].reach * spin.length()
            }
            RigidBodyRef::Fixture(index) => {
                let (place, reach) = (
                    self.poses[self.index(a)].position,
                    stage.inert[a as usize].reach,
                );
                stage.props[index as usize].fastest_near(place, reach)
            }
        }
    }

    fn velocity_at(
        &self,
        stage: &RigidWorld<S>,
        partner: RigidBodyRef,
        place: S::Vector,
    ) -> S::Vector {
        match partner {
            RigidBodyRef::Body(slot) => {
                let at = self.index(slot);
                let (velocity, spin) = self.moves[at];
                let arm = stage.nearest(place - self.poses[at].position);
                velocity + S::surface_velocity(spin, arm)
            }
            RigidBodyRef::Fixture(index) => stage.props[index as usize].velocity_at(place, self.t),
        }
    }

    /// Whether the balls around two come within a margin.
    fn may_touch(
        &self,
        stage: &RigidWorld<S>,
        (a, other): (u32, RigidBodyRef),
        margin: f64,
    ) -> bool {
        let place = self.poses[self.index(a)].position;
        let reach = stage.inert[a as usize].reach + margin;
        match other {
            RigidBodyRef::Body(b) => {
                let apart = stage.nearest(place - self.poses[self.index(b)].position);
                let reach = reach + stage.inert[b as usize].reach;
                apart.length_squared() <= reach * reach
            }
            RigidBodyRef::Fixture(index) => {
                let prop = &stage.props[index as usize];
                let apart = place - prop.pose_at(self.t).position;
                let height = prop.height_above(place, self.t);
                height.is_none_or(|height| height <= reach) && apart.length() <= reach + prop.reach
            }
        }
    }

    /// How far two may come in a step, m; those that are at rest touch all the same.
    fn reaching(&self, stage: &RigidWorld<S>, (a, other): (u32, RigidBodyRef)) -> f64 {
        let speed = self.speed(stage, a, RigidBodyRef::Body(a)) + self.speed(stage, a, other);
        let way = (speed + stage.slow) * stage.settling.step;
        way.max(TOUCH * stage.inert[a as usize].reach)
    }

    /// From how far members count that did not touch before, m.
    fn margin(&self, stage: &RigidWorld<S>, crowd: bool, pair: (u32, RigidBodyRef)) -> f64 {
        if crowd {
            self.reaching(stage, pair)
        } else {
            let way = stage.slow * stage.settling.step;
            way.max(TOUCH * stage.inert[pair.0 as usize].reach)
        }
    }

    /// The members, and what they may touch, that did not touch before and are so near that they may have come to.
    fn candidates(
        &self,
        stage: &RigidWorld<S>,
        near: &impl Neighbours,
        island: &Island<S>,
    ) -> Candidates<S> {
        let mut known: Vec<(u32, RigidBodyRef)> = island.holds.iter().map(Hold::pair).collect();
        known.extend(island.holds.iter().map(|hold| turned(hold.pair())));
        known.sort_unstable();
        let mut pairs = Vec::new();
        for &a in self.members {
            near.around::<S>(a, |other| {
                if let RigidBodyRef::Body(b) = other
                    && (b < a || self.members.binary_search(&b).is_err())
                {
                    return;
                }
                let pair = (a, other);
                let its = match other {
                    RigidBodyRef::Body(b) => stage.inert[b as usize].reach,
                    RigidBodyRef::Fixture(_) => 0.0,
                };
                let leeway = LEEWAY * (stage.inert[a as usize].reach + its);
                let margin = self.margin(stage, island.crowd, pair) + leeway;
                if self.may_touch(stage, pair, margin)
                    && known.binary_search(&pair).is_err()
                    && stage.meet(a, other)
                {
                    pairs.push(pair);
                }
            });
        }
        Candidates {
            pairs,
            places: self.poses.iter().map(|pose| pose.position).collect(),
        }
    }

    /// The pairs of an island that touch, or will within a step: those that did before, with the impulses that they
    /// had, and candidates that have come very near. In a crowd these are all that may meet within a step, otherwise
    /// those that come together slowly.
    pub fn refresh(
        &self,
        stage: &RigidWorld<S>,
        island: &Island<S>,
        seen: &Seen<S>,
    ) -> Vec<Hold<S>> {
        let (known, come) = seen.pairs.split_at(island.holds.len());
        let mut holds = Vec::with_capacity(known.len());
        for (hold, it) in island.holds.iter().zip(known) {
            if !it.spots.is_empty() {
                let spots = it.spots.clone();
                holds.push(Hold { spots, ..*hold });
            }
        }
        for (&(a, other), it) in seen.candidates.pairs.iter().zip(come) {
            let slow = stage.slow_for(stage.surface(a, other).restitution);
            let slowly = |spot: &Spot<S>| {
                let its = self.velocity_at(stage, other, spot.place);
                let mine = self.velocity_at(stage, RigidBodyRef::Body(a), spot.place);
                -spot.normal.dot(mine - its) < slow
            };
            if !it.spots.is_empty() && (island.crowd || it.spots.iter().all(slowly)) {
                let spots = it.spots.clone();
                holds.push(Hold { a, other, spots });
            }
        }
        holds.order_by_key(Hold::pair);
        holds
    }

    /// Looks at the pairs of an island and at candidates where the members are now, those of before where all that may
    /// touch are still among them. How far each has been moved so far is given, m.
    pub fn look(
        &self,
        stage: &RigidWorld<S>,
        near: &impl Neighbours,
        island: &Island<S>,
        (before, moved): (Option<Seen<S>>, &[f64]),
    ) -> Seen<S> {
        let before = before.filter(|it| it.candidates.hold(stage, self));
        let mut seen = before.unwrap_or_else(|| Seen {
            candidates: self.candidates(stage, near, island),
            pairs: Vec::new(),
        });
        if seen.pairs.is_empty() {
            self.look_again(stage, island, &mut seen, (moved, 0.0));
        }
        seen
    }

    /// Looks again at the pairs whose bodies have been moved since they were looked at, by more than a share of the gap
    /// between them. How far each member has been moved so far is given, m.
    pub fn look_again(
        &self,
        stage: &RigidWorld<S>,
        island: &Island<S>,
        seen: &mut Seen<S>,
        (moved, share): (&[f64], f64),
    ) {
        let known = island.holds.iter().map(|hold| (hold.pair(), Some(hold)));
        let come = seen.candidates.pairs.iter().map(|&pair| (pair, None));
        for (k, (pair, hold)) in known.chain(come).enumerate() {
            let (a, other) = pair;
            let its = match other {
                RigidBodyRef::Body(b) => moved[self.index(b)],
                RigidBodyRef::Fixture(_) => 0.0,
            };
            let moved = moved[self.index(a)] + its;
            if let Some(it) = seen.pairs.get(k)
                && moved - it.moved <= share * it.gap.max(0.0)
            {
                continue;
            }
            let margin = match hold {
                Some(_) => self.reaching(stage, pair),
                None => self.margin(stage, island.crowd, pair),
            };
            let mut spots = Vec::new();
            if hold.is_some() || self.may_touch(stage, pair, margin) {
                let poses = [RigidBodyRef::Body(a), other].map(|side| self.pose(stage, side));
                spots = spots_between(stage, a, other, &poses, margin);
            }
            if let Some(hold) = hold.filter(|_| !spots.is_empty()) {
                know_again(stage, &mut spots, hold);
            }
            let gap = spots.iter().map(|spot| spot.gap).fold(margin, f64::min);
            let it = SeenPair { spots, gap, moved };
            match seen.pairs.get_mut(k) {
                Some(old) => *old = it,
                None => seen.pairs.push(it),
            }
        }
    }
}

/// Where the pairs of an island touch, and candidates.
pub(super) struct Seen<S: Space> {
    candidates: Candidates<S>,
    /// Those of the island in its order, then candidates.
    pairs: Vec<SeenPair<S>>,
}

impl<S: Shaped> Seen<S> {
    /// The candidates alone, for members that are a little elsewhere; without those that have become contacts.
    pub fn elsewhere(mut self, island: &Island<S>) -> Self {
        let known = |pair: &(u32, RigidBodyRef)| {
            (island.holds.binary_search_by_key(pair, Hold::pair)).is_ok()
        };
        self.candidates.pairs.retain(|pair| !known(pair));
        self.pairs.clear();
        self
    }
}

struct SeenPair<S: Space> {
    /// Empty where they are further apart than matters.
    spots: Vec<Spot<S>>,
    /// The least there, m, or how far was looked.
    gap: f64,
    /// How far both bodies had been moved when they were looked at, m.
    moved: f64,
}

/// Pairs that may have come to touch, where members are about where they were when these were looked for.
pub(super) struct Candidates<S: Space> {
    pairs: Vec<(u32, RigidBodyRef)>,
    /// Of the members.
    places: Vec<S::Vector>,
}

/// How far a body may be moved, in reaches, before candidates are looked for anew.
const LEEWAY: f64 = 0.02;

impl<S: Shaped> Candidates<S> {
    /// Whether all that may touch are among them.
    pub fn hold(&self, stage: &RigidWorld<S>, placement: &Placement<'_, S>) -> bool {
        let stayed = |k: usize| {
            let moved = placement.poses[k].position - self.places[k];
            moved.length() <= LEEWAY * stage.inert[placement.members[k] as usize].reach
        };
        (0..self.places.len()).all(stayed)
    }
}

/// Points that are deeper than this at the end of a step, in reaches, have been missed at its beginning.
const MISSED: f64 = 1e-5;

/// Adds to the contacts of an island those that are too deep at the end of a step and were not known at its beginning:
/// edges and corners that turn over faces, bodies that go past each other. Their points are followed back to where they
/// are at the beginning. Whether there were any.
pub(super) fn add_missed<S: Shaped>(
    stage: &RigidWorld<S>,
    island: &mut Island<S>,
    there: &[Hold<S>],
    (from, to): (&[Pose<S>], &[Pose<S>]),
) -> bool {
    let mut any = false;
    for hold in there {
        let deep = -MISSED * stage.inert[hold.a as usize].reach;
        if hold.spots.iter().all(|spot| spot.gap >= deep) {
            continue;
        }
        let of = |slot: u32| {
            let at = island.members.binary_search(&slot).unwrap_or_default();
            [from[at], to[at]]
        };
        let [a, mut b] = [RigidBodyRef::Body(hold.a), hold.other].map(|partner| match partner {
            RigidBodyRef::Body(slot) => of(slot),
            RigidBodyRef::Fixture(index) => {
                let prop = &stage.props[index as usize];
                [island.since, island.until].map(|t| prop.pose_at(t))
            }
        });
        let its = seen_from(stage, hold.other, &[a[1], b[1]]);
        b[0].position += its.position - b[1].position;
        b[1] = its;
        // The place of a point of a body, at the beginning.
        let back = |[from, to]: [Pose<S>; 2], place: S::Vector| from.to_world(to.to_local(place));
        let pair = hold.pair();
        let at = match island.holds.binary_search_by_key(&pair, Hold::pair) {
            Ok(at) => at,
            Err(at) => {
                let (a, other) = pair;
                let spots = Vec::new();
                island.holds.insert(at, Hold { a, other, spots });
                at
            }
        };
        let known = &mut island.holds[at].spots;
        for spot in hold.spots.iter().filter(|spot| spot.gap < deep) {
            let same = |other: &Spot<S>| {
                other.feature == spot.feature && other.normal.dot(spot.normal) > 0.999
            };
            if known.iter().any(same) {
                continue;
            }
            let half = spot.normal * (0.5 * spot.gap);
            let (mine, its) = (back(a, spot.place + half), back(b, spot.place - half));
            known.push(Spot {
                place: (mine + its) * 0.5,
                gap: spot.normal.dot(mine - its),
                ..*spot
            });
            any = true;
        }
        if island.holds[at].spots.is_empty() {
            island.holds.remove(at);
        }
    }
    any
}

fn turned((a, other): (u32, RigidBodyRef)) -> (u32, RigidBodyRef) {
    match other {
        RigidBodyRef::Body(b) => (b, RigidBodyRef::Body(a)),
        fixture => (a, fixture),
    }
}

/// Gives spots the impulses that they had in the step before: those of the same features, then those of the nearest
/// places, for faces take turns in being the one that the points of the other are counted on.
fn know_again<S: Shaped>(stage: &RigidWorld<S>, spots: &mut [Spot<S>], hold: &Hold<S>) {
    let (old, reach) = (&hold.spots, stage.inert[hold.a as usize].reach);
    let mut used = vec![false; old.len()];
    let mut known = vec![false; spots.len()];
    let take = |spot: &mut Spot<S>, from: &Spot<S>| {
        let rubbed = from.given.rubbed;
        spot.given = from.given;
        spot.given.rubbed = rubbed - spot.normal * spot.normal.dot(rubbed);
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
        let distance = |i: usize| stage.nearest(old[i].place - spot.place).length();
        let free = (0..old.len()).filter(|&i| !used[i]);
        let nearest = free.min_by(|&i, &k| distance(i).total_cmp(&distance(k)));
        if let Some(i) = nearest.filter(|&i| distance(i) < 0.05 * reach) {
            take(spot, &old[i]);
            used[i] = true;
        }
    }
}
