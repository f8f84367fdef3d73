//! What happens when two bodies begin to touch.
//!
//! Everyone concerned is brought to the instant: flights end, steps of islands are cut short, sleepers wake. If the
//! bodies close slowly they keep touching from now on (an island). Otherwise there is an impact: all points of the pair
//! are answered at once, together with other pairs that begin to touch at that very instant. That may press other
//! bodies against those they touch: all pairs of the islands that now close fast are answered in a second round, and so
//! on, until none does. So a blow goes through a row of boxes that touch, from box to box, in no time. Pairs that do
//! not rebound (ε = 0) are answered together with all others of that kind that keep touching: a box that lands on a
//! heap presses on the ground at that very instant, and nothing is thrown up.

mod party;
mod told;

use super::account::Acting;
use super::bodies::{RigidBodyRef, RigidWorld, TOUCH};
use super::core::Core;
use super::geometry::touching;
use super::island::{Neighbours, Spot};
use super::joined::{self, Bound};
use super::track::Track;
use crate::material::Surface;
use crate::motion::Pose;
use crate::record::{Collision, Separation};
use crate::response::Mode;
use crate::response::several::{Mover, Point, PointImpulse, respond_among, respond_at_several};
use crate::shape::Shaped;
use crate::simulate::contact_solver::Row;
use crate::space::{Linear, Space};
pub(in crate::simulate) use party::Party;
use std::collections::{BTreeMap, BTreeSet};

/// Rounds at one instant in which bodies rebound; in as many again they do not. What then still closes is left to the
/// island's steps.
const ROUNDS: usize = 64;

/// A pair with its points.
struct Pair<S: Space> {
    a: u32,
    other: RigidBodyRef,
    spots: Vec<Spot<S>>,
    surface: Surface,
    /// Whether the rule of contact times says what its surface is.
    soon: bool,
    /// Whether it has only now begun to touch.
    new: bool,
}

/// The bodies of some pairs, and those that joints hold to them: which is which, how they move, the points at which
/// each pair touches, and the joints.
type Gathered<S> = (
    BTreeMap<RigidBodyRef, usize>,
    Vec<Mover<S>>,
    Vec<Vec<Point<S>>>,
    Option<Bound<S>>,
);

impl<S: Shaped> Core<S> {
    /// Lets the contacts of pairs happen, at a time; the collisions that they led to, without numbers. Where a body
    /// insists the pair keeps touching, however fast it is.
    pub fn strike(
        &mut self,
        stage: &RigidWorld<S>,
        near: &impl Neighbours,
        met: &[(u32, RigidBodyRef)],
        (t, insists, number): (f64, bool, u64),
    ) -> Vec<Collision<S>> {
        let mut party = Party::new(Separation::Struck);
        let mut all: Vec<(u32, RigidBodyRef)> = met.to_vec();
        for &(a, other) in met {
            party.bring(self, stage, near, RigidBodyRef::Body(a), t);
            party.bring(self, stage, near, other, t);
        }
        self.also_touching(stage, near, &mut all, t);
        let mut pairs: Vec<Pair<S>> = Vec::new();
        for (a, other) in all {
            let same = |pair: &Pair<S>| {
                (pair.a, pair.other) == (a, other)
                    || (RigidBodyRef::Body(pair.a), pair.other) == (other, RigidBodyRef::Body(a))
            };
            if pairs.iter().any(same) {
                continue;
            }
            party.bring(self, stage, near, RigidBodyRef::Body(a), t);
            party.bring(self, stage, near, other, t);
            pairs.push(self.pair_of(stage, a, other, t));
        }
        pairs.retain(|pair| !pair.spots.is_empty());
        for &id in &party.islands {
            for hold in self.islands[id as usize].iter().flat_map(|i| &i.holds) {
                let touch = stage.settled_gap(stage.inert[hold.a as usize].reach);
                let near = |spot: &&Spot<S>| spot.gap <= touch;
                pairs.push(Pair {
                    a: hold.a,
                    other: hold.other,
                    spots: hold.spots.iter().filter(near).copied().collect(),
                    surface: stage.surface(hold.a, hold.other),
                    soon: false,
                    new: false,
                });
            }
        }
        let crowd = self.is_crowd(stage, &party);
        let (mut told, velocities) = self.impacts(stage, (&pairs, crowd), t);
        if !insists && let Some(lasts) = self.lasts(stage, &party, &pairs, &told, &velocities, t) {
            told[0].duration = lasts;
            let it = self.beginning(stage, &pairs[0], &told[0], (t, number));
            party.flyers.clear();
            self.begin_sticking(stage, &it);
            return told;
        }
        for (&slot, after) in &velocities {
            let pose = self.moving[slot as usize].track.pose_at(t);
            let inert = &stage.inert[slot as usize];
            let times = (t, f64::INFINITY);
            let still = S::Vector::ZERO;
            let track = Track::flight(
                inert,
                times,
                pose,
                after.velocity,
                after.angular_velocity,
                still,
            );
            self.moving[slot as usize].track = track;
        }
        let slow = |pair: &&Pair<S>| pair.new && (insists || self.keeps_touching(stage, pair, t));
        let joins: Vec<(u32, RigidBodyRef)> = (pairs.iter().filter(slow))
            .map(|pair| (pair.a, pair.other))
            .collect();
        for (a, other) in joins {
            party.join(self, a, other, t);
        }
        party.release(self, stage, near, t);
        told
    }

    /// Whether a body keeps touching others.
    fn is_settled(&self, partner: RigidBodyRef) -> bool {
        matches!(partner, RigidBodyRef::Body(slot) if self.moving[slot as usize].island.is_some())
    }

    fn pair_of(&self, stage: &RigidWorld<S>, a: u32, other: RigidBodyRef, t: f64) -> Pair<S> {
        let its = match other {
            RigidBodyRef::Body(b) => stage.inert[b as usize].reach,
            RigidBodyRef::Fixture(_) => 0.0,
        };
        let reach = stage.inert[a as usize].reach + its;
        let settled = self.is_settled(RigidBodyRef::Body(a)) || self.is_settled(other);
        let mut margin = if settled {
            stage.settled_gap(reach)
        } else {
            TOUCH * reach
        };
        let mut spots = Vec::new();
        // The search for the instant and this look agree to far less; checked all the same.
        for _ in 0..4 {
            spots = touching(self, stage, a, other, margin, t);
            if !spots.is_empty() {
                break;
            }
            margin *= 10.0;
        }
        let (surface, soon) = stage.surface_at(a, other, t);
        Pair {
            a,
            other,
            spots,
            surface,
            soon,
            new: true,
        }
    }

    /// Adds all pairs that begin to touch at the same instant and close, of the bodies of some pairs, and of the bodies
    /// of those: a row of boxes lands as one.
    fn also_touching(
        &self,
        stage: &RigidWorld<S>,
        near: &impl Neighbours,
        pairs: &mut Vec<(u32, RigidBodyRef)>,
        t: f64,
    ) {
        let bodies = |&(a, other): &(u32, RigidBodyRef)| match other {
            RigidBodyRef::Body(b) => [Some(a), Some(b)],
            RigidBodyRef::Fixture(_) => [Some(a), None],
        };
        let mut seen: BTreeSet<u32> = BTreeSet::new();
        let mut at = 0;
        while at < pairs.len() {
            for slot in bodies(&pairs[at]).into_iter().flatten() {
                if seen.insert(slot) {
                    self.also_touched(stage, near, slot, pairs, t);
                }
            }
            at += 1;
        }
    }

    /// Adds the pairs of a body that begin to touch and close.
    fn also_touched(
        &self,
        stage: &RigidWorld<S>,
        near: &impl Neighbours,
        slot: u32,
        pairs: &mut Vec<(u32, RigidBodyRef)>,
        t: f64,
    ) {
        let reach = stage.inert[slot as usize].reach;
        near.around::<S>(slot, |third| {
            let settled = self.is_settled(RigidBodyRef::Body(slot)) || self.is_settled(third);
            let margin = if settled {
                stage.settled_gap(reach)
            } else {
                TOUCH * reach
            };
            let turned = match third {
                RigidBodyRef::Body(b) => (b, RigidBodyRef::Body(slot)),
                RigidBodyRef::Fixture(_) => (slot, third),
            };
            if pairs.contains(&(slot, third))
                || pairs.contains(&turned)
                || self.moving[slot as usize].partners.contains(&third)
                || !stage.meet(slot, third)
                || !self.may_touch(stage, slot, third, margin, t)
            {
                return;
            }
            let spots = touching(self, stage, slot, third, margin, t);
            let closes =
                |spot: &Spot<S>| self.closing(stage, slot, third, spot, t) > self.noise(slot);
            if spots.iter().any(closes) {
                pairs.push((slot, third));
            }
        });
    }

    /// Which bodies are in the pairs, as one of these bodies, and the points at which each pair touches.
    fn points_of(&self, stage: &RigidWorld<S>, pairs: &[Pair<S>], t: f64) -> Gathered<S> {
        let mut who: BTreeMap<RigidBodyRef, usize> = BTreeMap::new();
        let mut movers = Vec::new();
        let mut points: Vec<Vec<Point<S>>> = Vec::new();
        for pair in pairs {
            let sides = [RigidBodyRef::Body(pair.a), pair.other];
            let bodies = sides.map(|side| {
                *who.entry(side).or_insert_with(|| {
                    movers.push(self.mover(stage, side, t));
                    movers.len() - 1
                })
            });
            let centres = sides.map(|side| self.pose_of(stage, side, t).position);
            let point = |spot: &Spot<S>| Point {
                bodies,
                place: spot.place,
                arms: centres.map(|centre| stage.nearest(spot.place - centre)),
                normal: spot.normal,
                surface: pair.surface,
            };
            points.push(pair.spots.iter().map(point).collect());
        }
        let bound = self.bound_of(stage, &mut who, &mut movers, t);
        (who, movers, points, bound)
    }

    /// The joints of bodies that take part in a blow; all that hang on them take part, too.
    fn bound_of(
        &self,
        stage: &RigidWorld<S>,
        who: &mut BTreeMap<RigidBodyRef, usize>,
        movers: &mut Vec<Mover<S>>,
        t: f64,
    ) -> Option<Bound<S>> {
        stage.linkage.as_ref()?;
        let mut grows = true;
        while grows {
            let there = |slot: u32| who.contains_key(&RigidBodyRef::Body(slot));
            let beside = (stage.joined_pairs()).filter(|&(a, b)| there(a) != there(b));
            let beside: BTreeSet<u32> = beside.map(|(a, b)| if there(a) { b } else { a }).collect();
            grows = !beside.is_empty();
            for partner in beside.into_iter().map(RigidBodyRef::Body) {
                who.insert(partner, movers.len());
                movers.push(self.mover(stage, partner, t));
            }
        }
        let mut poses = vec![Pose::default(); movers.len()];
        for (&partner, &at) in &*who {
            poses[at] = self.pose_of(stage, partner, t);
        }
        let place = |slot: u32| who.get(&RigidBodyRef::Body(slot)).map(|&at| at as u32);
        Bound::new(stage, place, (&poses, movers), t)
    }

    /// Answers the pairs in rounds; the collisions, and the velocities of those that they changed.
    ///
    /// Longer than most: a round, with its cases in their order.
    fn impacts(
        &mut self,
        stage: &RigidWorld<S>,
        (pairs, crowd): (&[Pair<S>], bool),
        t: f64,
    ) -> (Vec<Collision<S>>, BTreeMap<u32, Mover<S>>) {
        let (who, mut movers, points, mut bound) = self.points_of(stage, pairs, t);
        let mut told = Vec::new();
        let mut touched = vec![bound.is_some(); movers.len()];
        // A crowd stops what is slow in its steps.
        let lasting = !crowd && pairs.iter().any(|pair| !pair.new);
        let limits: Vec<f64> = pairs
            .iter()
            .map(|it| self.slow_for_pair(stage, it, t).max(self.noise(it.a)))
            .collect();
        for round in 0..2 * ROUNDS {
            let fast = |k: usize, movers: &[Mover<S>]| {
                let closing = |point: &Point<S>| -point.normal_velocity(movers) > limits[k];
                points[k].iter().any(closing).then_some(k)
            };
            let struck: Vec<usize> = (0..pairs.len()).filter_map(|k| fast(k, &movers)).collect();
            if struck.is_empty() {
                // Those that keep touching also stop what is slower, so that their next step finds nothing to stop.
                let blown = (&mut movers[..], &mut bound);
                if lasting && self.calm(stage, pairs, &points, blown) {
                    touched.fill(true);
                    continue;
                }
                break;
            }
            let plastic = |k: usize| {
                let surface = &pairs[k].surface;
                round >= ROUNDS || (surface.restitution == 0.0 && !surface.varies())
            };
            if struck.iter().all(|&k| plastic(k)) {
                let beside = (0..pairs.len()).filter(|&k| plastic(k) && !struck.contains(&k));
                let beside: Vec<usize> = beside.filter(|&k| !pairs[k].spots.is_empty()).collect();
                if !beside.is_empty() {
                    let both = (&struck[..], &beside[..]);
                    let blown = (&mut movers[..], &mut bound);
                    told.extend(self.stop(stage, pairs, &points, both, blown, (t, crowd)));
                    touched.fill(true);
                    let driven = |k: &usize| match pairs[*k].other {
                        RigidBodyRef::Fixture(index) => stage.props[index as usize].moves(),
                        RigidBodyRef::Body(_) => false,
                    };
                    if struck.iter().chain(&beside).any(driven)
                        && (0..pairs.len()).any(|k| fast(k, &movers).is_some())
                    {
                        // Fixtures close in on a body that has nowhere to go: to press on it again helps nothing. The
                        // step that follows finds that.
                        break;
                    }
                    continue;
                }
            }
            let mut together: Vec<Point<S>> = Vec::new();
            for &k in &struck {
                let (a, other) = (pairs[k].a, pairs[k].other);
                together.extend(points[k].iter().map(|point| {
                    let mut point = *point;
                    if point.surface.varies() && !pairs[k].soon {
                        let approach = -point.normal_velocity(&movers);
                        point.surface.restitution = stage.restitution_at(a, other, approach);
                    }
                    point
                }));
            }
            if round >= ROUNDS {
                together
                    .iter_mut()
                    .for_each(|p| p.surface.restitution = 0.0);
            }
            let before = movers.clone();
            let blows = self.respond(&mut movers, &together, &mut bound);
            let mut at = 0;
            for &k in &struck {
                let mine = at..at + points[k].len();
                at = mine.end;
                let shared = (&points[k][..], &blows[mine]);
                let collision = self.told(stage, &pairs[k], shared, (&before, &movers), t);
                for body in points[k].iter().flat_map(|point| point.bodies) {
                    touched[body] = true;
                }
                told.push(collision);
            }
        }
        let changed = |(&partner, &index): (&RigidBodyRef, &usize)| match partner {
            RigidBodyRef::Body(slot) if touched[index] => Some((slot, movers[index])),
            _ => None,
        };
        (told, who.iter().filter_map(changed).collect())
    }

    /// Answers points at once, with what joints leave of the masses.
    fn respond(
        &mut self,
        movers: &mut [Mover<S>],
        points: &[Point<S>],
        bound: &mut Option<Bound<S>>,
    ) -> Vec<PointImpulse<S>> {
        let Some(bound) = bound else {
            return respond_at_several(movers, points);
        };
        let before = movers.to_vec();
        let blows = respond_among(movers, points, Some(&|change| bound.answer_to(change)));
        // What the joints did is found again from what the points did.
        movers.copy_from_slice(&before);
        for (point, blow) in points.iter().zip(&blows) {
            point.push(movers, blow.impulse);
        }
        let was = bound.rates(&before);
        bound.wanted.copy_from_slice(&was);
        bound.answer(movers);
        bound.enter(&was, movers, &mut self.ledger);
        blows
    }

    /// Stops pairs that struck and do not rebound, together with those beside them that keep touching and do not
    /// rebound either; the collisions of those that struck.
    fn stop(
        &mut self,
        stage: &RigidWorld<S>,
        pairs: &[Pair<S>],
        points: &[Vec<Point<S>>],
        (struck, beside): (&[usize], &[usize]),
        (movers, bound): (&mut [Mover<S>], &mut Option<Bound<S>>),
        (t, crowd): (f64, bool),
    ) -> Vec<Collision<S>> {
        let all = || struck.iter().chain(beside).copied();
        let mut rows: Vec<Row<S>> = all()
            .flat_map(|k| &points[k])
            .map(|point| row_of(point, movers))
            .collect();
        let before = movers.to_vec();
        let asked = stage.asked_of_blow(crowd, rows.len());
        self.solve_blow(&mut rows, movers, bound, asked);
        let mut told = Vec::new();
        let mut at = 0;
        let settled = self.ledger.settling.value();
        for (index, k) in all().enumerate() {
            let mine = &rows[at..at + points[k].len()];
            at += mine.len();
            if index < struck.len() {
                let blows: Vec<PointImpulse<S>> = (mine.iter())
                    .map(|row| blow_of(row, &before, movers))
                    .collect();
                let shared = (&points[k][..], &blows[..]);
                told.push(self.told(stage, &pairs[k], shared, (&before, movers), t));
            } else {
                for (row, point) in mine.iter().zip(&points[k]) {
                    let pair = (pairs[k].a, pairs[k].other);
                    self.enter_stop(stage, pair, (row, point), (&before, movers));
                }
            }
        }
        self.share_of_blow(&told, struck, pairs, settled);
        told
    }

    /// Solves points that do not rebound, beside joints that keep what they have.
    fn solve_blow(
        &mut self,
        rows: &mut [Row<S>],
        movers: &mut [Mover<S>],
        bound: &mut Option<Bound<S>>,
        asked: (f64, usize),
    ) {
        let was = bound.as_ref().map(|bound| bound.rates(movers));
        if let (Some(bound), Some(was)) = (&mut *bound, &was) {
            bound.wanted.copy_from_slice(was);
        }
        joined::solve(rows, movers, bound, asked);
        if let (Some(bound), Some(was)) = (bound, was) {
            bound.enter(&was, movers, &mut self.ledger);
        }
    }

    /// Points that keep touching, and are pressed by a blow that would have parted them, hand on what the blow puts in:
    /// that is a negative share of one loss, and belongs to the blow.
    fn share_of_blow(
        &mut self,
        told: &[Collision<S>],
        struck: &[usize],
        pairs: &[Pair<S>],
        settled: f64,
    ) {
        let share = self.ledger.settling.value() - settled;
        let lost = |(_, one): &(&usize, &Collision<S>)| one.energy_lost - one.lost_to_friction;
        let hardest = (struck.iter().zip(told)).max_by(|a, b| lost(a).total_cmp(&lost(b)));
        if let Some((&k, _)) = hardest.filter(|_| share < 0.0) {
            self.ledger.settling.add(-share);
            let costs = match pairs[k].other {
                RigidBodyRef::Body(_) => &mut self.ledger.between_balls,
                RigidBodyRef::Fixture(_) => &mut self.ledger.with_fixtures,
            };
            costs.restitution.add(share);
        }
    }

    /// Enters what a point that keeps touching took, while others stopped, into the budget.
    fn enter_stop(
        &mut self,
        stage: &RigidWorld<S>,
        pair: (u32, RigidBodyRef),
        (row, point): (&Row<S>, &Point<S>),
        (before, after): (&[Mover<S>], &[Mover<S>]),
    ) {
        let mean = (row.velocity(before) + row.velocity(after)) * 0.5;
        self.ledger
            .settling
            .add(-row.pressed * row.normal.dot(mean));
        self.ledger.rubbed(-row.rubbed.dot(mean));
        let impulse = row.given().along(row.normal);
        acting(point, impulse, before).enter_from_outside(stage, pair, &mut self.ledger);
    }
}

/// An impulse at a point of a blow, for the budget.
fn acting<S: Space>(point: &Point<S>, impulse: S::Vector, movers: &[Mover<S>]) -> Acting<S> {
    Acting {
        place: point.place,
        arms: point.arms,
        spins: point.bodies.map(|body| movers[body].angular_velocity),
        velocity: movers[point.bodies[1]].velocity_at(point.arms[1]),
        impulse,
        twisted: S::Angular::ZERO,
    }
}

/// A point that does not rebound, as the solver sees it.
fn row_of<S: Space>(point: &Point<S>, movers: &[Mover<S>]) -> Row<S> {
    let bodies = point.bodies.map(|body| body as u32);
    let friction = [
        point.surface.static_friction,
        point.surface.kinetic_friction,
    ];
    Row::new(bodies, point.arms, point.normal, friction, movers)
}

/// What the solver found for a point that struck.
fn blow_of<S: Space>(row: &Row<S>, before: &[Mover<S>], after: &[Mover<S>]) -> PointImpulse<S> {
    let mean = (row.velocity(before) + row.velocity(after)) * 0.5;
    let impulse = row.given().along(row.normal);
    let slips = row.rubbed.length() >= row.limit() * row.pressed * (1.0 - 1e-9);
    PointImpulse {
        impulse,
        mode: match (row.pressed > 0.0, row.limit() > 0.0) {
            (false, _) => Mode::Idle,
            (true, false) => Mode::Frictionless,
            (true, true) if slips => Mode::Slide,
            (true, true) => Mode::Stick,
        },
        energy_lost: -impulse.dot(mean),
        lost_to_friction: -row.rubbed.dot(mean),
    }
}

impl<S: Shaped> Core<S> {
    /// Lets those keep touching from the start that touch and are slow.
    pub fn settle_at_start(&mut self, stage: &RigidWorld<S>, near: &impl Neighbours) {
        let mut party = Party::new(Separation::Struck);
        if stage.slow == 0.0 {
            self.bind(stage, &mut party);
            return party.release(self, stage, near, 0.0);
        }
        for a in 0..self.moving.len() as u32 {
            let margin = RESTING * stage.inert[a as usize].reach;
            let mut touched = Vec::new();
            near.around::<S>(a, |other| {
                let again = matches!(other, RigidBodyRef::Body(b) if b < a);
                if again || !stage.meet(a, other) || !self.may_touch(stage, a, other, margin, 0.0) {
                    return;
                }
                let spots = touching(self, stage, a, other, margin, 0.0);
                let slow = stage.slow_for(stage.surface(a, other).restitution);
                let still = |spot: &Spot<S>| self.closing(stage, a, other, spot, 0.0).abs() < slow;
                if !spots.is_empty() && spots.iter().all(still) {
                    touched.push(other);
                }
            });
            for other in touched {
                party.join(self, a, other, 0.0);
            }
        }
        self.bind(stage, &mut party);
        party.release(self, stage, near, 0.0);
    }
}

impl<S: Shaped> Core<S> {
    /// Puts what joints hold into islands at the start, with all that hangs on it.
    fn bind(&mut self, stage: &RigidWorld<S>, party: &mut Party) {
        for slot in 0..self.moving.len() as u32 {
            if stage.is_joined(slot) {
                party.gather(self, &[slot], Vec::new(), 0.0);
            }
        }
        for (a, b) in stage.joined_pairs() {
            party.gather(self, &[a, b], Vec::new(), 0.0);
        }
    }
}

/// Bodies that are this near at the start, in reaches, lie on each other: coordinates are written with some digits.
const RESTING: f64 = 1e-6;
