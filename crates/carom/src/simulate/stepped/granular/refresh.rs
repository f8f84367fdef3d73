//! Which pairs are worth looking at: lists that last for hundreds of steps, and from them contacts that last for
//! dozens.

use super::batch::Regions;
use super::cells::GrainLattice;
use super::kick::Ties;
use super::log::Log;
use super::movers::GrainRecord;
use super::shares::{Found, Shares};
use super::slots::{LaneAction, NOTHING, RollingSprings, Slot, SlotMemories};
use super::threads::Team;
use super::{BALLS, CollisionFilter, Granular};
use crate::arrays::Each;
use crate::broad::home;
use crate::shape::{Obstacle, Shaped};
use crate::space::Linear;

/// How far lists and contacts reach, and how much of that has been used up.
///
/// No ball is faster than the fastest, so after it has gone a way s two balls are nearer by 2s at most. Contacts are
/// all pairs within the margin, so none is missed as long as 2s stays below it; picked from lists of all pairs within
/// the skin when 2s′ of it was used up, as long as margin + 2s′ stays below the skin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach {
    pub smallest: f64,
    pub(super) largest: f64,
    skin: f64,
    margin: f64,
    /// Since contacts were picked, and since lists were made, m.
    since_picked: f64,
    since_listed: f64,
    /// In the last step, m.
    last: f64,
}

crate::codec::stored_fields!(Reach {
    smallest,
    largest,
    skin,
    margin,
    since_picked,
    since_listed,
    last
});

/// The skin, as a part of the largest radius.
const SKIN: f64 = 0.2;
/// The thinnest margin, as a part of the largest radius: thick enough that a bed at rest is hardly ever picked anew.
const THINNEST: f64 = 0.005;
/// For how many steps at the present speed a margin is made.
const STEPS: f64 = 24.0;

impl Reach {
    pub fn of(balls: &[GrainRecord]) -> Self {
        let radii = || balls.iter().map(|ball| ball.place.to_array()[3]);
        let largest = radii().fold(0.0, f64::max);
        Reach {
            smallest: radii().fold(f64::INFINITY, f64::min),
            largest,
            skin: SKIN * largest,
            ..Reach::default()
        }
    }

    /// No ball or prop has gone farther than this, m.
    pub fn moved(&mut self, way: f64) {
        self.last = way;
        self.since_picked += way;
        self.since_listed += way;
    }

    fn wanted(&self) -> f64 {
        (2.0 * STEPS * self.last).clamp(THINNEST * self.largest, 0.5 * self.skin)
    }
}

impl<S: Shaped> Granular<S> {
    /// Whether a pair may touch that is not among the contacts.
    pub(super) fn is_stale(&self) -> bool {
        2.0 * self.reach.since_picked > self.reach.margin
    }

    /// Makes sure that every pair that touches is among the contacts.
    pub(super) fn refresh(&mut self, team: &Team) {
        self.forget_actions();
        let left = self.reach.skin - 2.0 * self.reach.since_listed;
        if left < self.reach.wanted() {
            self.list_anew(team);
        } else {
            let balls = self.movers.len();
            let fixture = &self.slots[self.regions.pairs..];
            let (of_pairs, of_fixture) = self.split_logs();
            let same = |a, b| (a, b, false);
            let pairs = || self.shares.pairs(&self.slots);
            let pairs = SlotMemories::take(balls, pairs, of_pairs, same);
            let fixture = SlotMemories::take(balls, || on_props(fixture), of_fixture, same);
            self.pick(team, pairs, fixture);
        }
    }

    /// The logs of pairs, and those of contacts with fixtures; both are empty where none are kept.
    fn split_logs(&self) -> (&[Log], &[Log]) {
        self.logs.split_at(self.regions.pairs.min(self.logs.len()))
    }

    /// What acts is computed anew once there are contacts again: until then its memory serves for what they remember.
    fn forget_actions(&mut self) {
        self.ties = Ties::default();
        (self.actions, self.rings) = (Vec::new(), Vec::new());
        self.acts = Vec::new();
    }

    /// Sorts the balls, lists neighbours, and picks contacts.
    pub(super) fn list_anew(&mut self, team: &Team) {
        self.forget_actions();
        let Granular { movers, reach, .. } = self;
        let balls = movers.len();
        let lattice = GrainLattice::around(
            &movers.list,
            2.0 * reach.largest + reach.skin,
            self.settings.periods,
        );
        let (cells, order) = lattice.order(movers);
        let mut now = vec![0_u32; balls];
        for (to, &from) in order.iter().enumerate() {
            now[from as usize] = to as u32;
        }
        let (shares, slots) = (&self.shares, &self.slots);
        let (of_pairs, of_fixture) = self.logs.split_at(self.regions.pairs.min(self.logs.len()));
        let pairs = SlotMemories::take(
            balls,
            || shares.pairs(slots),
            of_pairs,
            |a, b| {
                let (a, b) = (now[a as usize], now[b as usize]);
                (a.min(b), a.max(b), a > b)
            },
        );
        let fixture = &slots[self.regions.pairs..];
        let fixture = SlotMemories::take(
            balls,
            || on_props(fixture),
            of_fixture,
            |a, b| (now[a as usize], b, false),
        );
        drop(now);
        self.slots.clear();
        self.neighbours = Default::default();
        if !self.rotation.is_empty() {
            let turned = order.iter().map(|&from| self.rotation[from as usize]);
            self.rotation = turned.collect();
        }
        movers.reorder(order);
        reach.since_listed = 0.0;
        let (groups, id) = (&self.groups, &movers.id);
        let meet = |a: usize, b: usize| {
            groups.is_empty() || groups[id[a] as usize].collides_with(groups[id[b] as usize])
        };
        self.neighbours = lattice.neighbours(&movers.list, &cells, reach.skin, team, &meet);
        self.near_props = self.close_to_props(team, self.reach.skin, None);
        self.pick(team, pairs, fixture);
    }

    /// Picks the contacts from the lists, and gives them their memories.
    ///
    /// Longer than most: counted, cut into shares and filled in one pass over the lists, which share what they borrow.
    fn pick(&mut self, team: &Team, pair_memories: SlotMemories, prop_memories: SlotMemories) {
        let margin = self
            .reach
            .wanted()
            .min(self.reach.skin - 2.0 * self.reach.since_listed);
        self.reach.margin = margin;
        self.reach.since_picked = 0.0;
        let list = &self.movers.list;
        let periods = self.settings.periods;
        // Counted first and then written where they belong, as the lists are.
        let (neighbours, balls) = (&self.neighbours, list.len());
        let near = |a: usize, b: u32| gap_is_below(&list[a], &list[b as usize], margin, periods);
        let chunk_of = |chunk: usize| chunk * BALLS..((chunk + 1) * BALLS).min(balls);
        let found = team.collect(balls.div_ceil(BALLS), |chunk| {
            let mut found = Found::default();
            for a in chunk_of(chunk) {
                for &b in neighbours.of(a).iter().filter(|&&b| near(a, b)) {
                    found.contacts += 1;
                    found.farthest = found.farthest.max(b);
                }
            }
            found
        });
        let props = self.close_to_props(team, margin, Some(&self.near_props));
        let walls = props.partition_point(|&(_, prop)| (prop as usize) < self.walls.len());

        self.shares = Shares::plan(
            balls,
            &found,
            team.threads(),
            !(self.forms.logs || self.forms.rolls),
        );
        let pairs = self.shares.stretches.iter().sum();
        self.regions = Regions {
            pairs,
            walls: walls.div_ceil(4),
        };
        let total = pairs + walls.div_ceil(4) + (props.len() - walls).div_ceil(4);
        self.slots.clear();
        if self.slots.capacity() < total {
            // Not twice what is needed, as a growing list would have.
            self.slots = Vec::new();
            self.slots.reserve_exact(total + total / 48);
        }
        self.slots.resize(total, Slot::empty());
        let logged = if self.forms.logs { total } else { 0 };
        self.logs.clear();
        self.logs.resize(logged, Log::NONE);
        let rolls = self.forms.rolls;
        let fill = |slots: &mut [Slot],
                    logs: &mut [Log],
                    found: &mut dyn Iterator<Item = [u32; 2]>,
                    nobody: [u32; 2],
                    base: u32,
                    memories: &SlotMemories| {
            for (index, slot) in slots.iter_mut().enumerate() {
                (slot.a, slot.b) = nobody.each(|it| [it; 4]).into();
                slot.turning = rolls.then(|| Box::new(RollingSprings::NONE));
                for lane in 0..4 {
                    if let Some([a, b]) = found.next() {
                        memories.give([a, b], slot, logs.get_mut(index), lane);
                        (slot.a[lane], slot.b[lane]) = (a - base, b - base);
                    }
                }
            }
        };
        let mut rest = &mut self.slots[..];
        let mut logs = &mut self.logs[..];
        let mut stretches = Vec::with_capacity(found.len());
        let shares = &self.shares;
        for chunk in shares.in_memory() {
            let (now, later) = rest.split_at_mut(shares.stretches[chunk]);
            let (noted, unnoted) = logs.split_at_mut(now.len().min(logs.len()));
            stretches.push((chunk, now, noted));
            (rest, logs) = (later, unnoted);
        }
        team.over(&mut stretches, 1, |_, stretch| {
            let (chunk, slots, logs) = &mut stretch[0];
            let mut found = chunk_of(*chunk).flat_map(|a| {
                let close = neighbours.of(a).iter().filter(move |&&b| near(a, b));
                close.map(move |&b| [a as u32, b])
            });
            let base = shares.base(*chunk);
            fill(slots, logs, &mut found, [0; 2], base, &pair_memories);
        });
        let (on_walls, on_shapes) = props.split_at(walls);
        let contact = |&(ball, prop): &(u32, u32)| [ball, prop];
        let (first, second) = rest.split_at_mut(walls.div_ceil(4));
        let (of_first, of_second) = logs.split_at_mut(first.len().min(logs.len()));
        for (slots, logs, near) in [(first, of_first, on_walls), (second, of_second, on_shapes)] {
            let mut found = near.iter().map(contact);
            fill(
                slots,
                logs,
                &mut found,
                [0, Slot::NOBODY],
                0,
                &prop_memories,
            );
        }
        drop((pair_memories, prop_memories, found, props));
        self.actions
            .resize(self.slots.len() - self.shares.inner, NOTHING);
        self.rings.resize(self.shares.rings, NOTHING);
        let summed = if self.shares.apart { balls } else { 0 };
        self.acts.resize(summed, LaneAction::NONE);
        self.ties = Ties::of(&self.movers, &self.slots, pairs, &self.shares, team);
        self.find_corners();
    }

    /// Which balls are within a distance (m) of which fixtures: of all, or of those given. Those of walls come first,
    /// each in the order of the balls.
    fn close_to_props(
        &self,
        team: &Team,
        within: f64,
        among: Option<&[(u32, u32)]>,
    ) -> Vec<(u32, u32)> {
        let close = |ball: u32, prop: u32| {
            let place = &self.movers.list[ball as usize].place.to_array();
            let reach = place[3] + within;
            if let Some(wall) = self.walls.get(prop as usize) {
                let [x, y, z, offset] = wall.plane.to_array();
                return x * place[0] + y * place[1] + z * place[2] - offset < reach;
            }
            let pose = &self.stands[prop as usize].pose;
            let shape = &self.props[prop as usize].shape;
            let centre = home::<S>(
                S::vector([place[0], place[1], place[2]]),
                self.settings.periods,
            );
            let beyond = shape.reach() + reach;
            (centre - pose.position).length_squared() < beyond * beyond
                && shape.closest(pose.to_local(centre)).distance < reach
        };
        if let Some(among) = among {
            let mut found: Vec<(u32, u32)> = among.to_vec();
            found.retain(|&(ball, prop)| close(ball, prop));
            return found;
        }
        let meet = |ball: u32, prop: u32| {
            self.groups.is_empty()
                || self.groups[self.movers.id[ball as usize] as usize]
                    .collides_with(self.props[prop as usize].groups)
        };
        let everyone = self.groups.is_empty()
            && self
                .props
                .iter()
                .all(|prop| prop.groups == CollisionFilter::ALL);
        let parts = team.collect(self.props.len(), |prop| {
            let prop = prop as u32;
            (0..self.movers.len() as u32)
                .filter(|&ball| close(ball, prop) && (everyone || meet(ball, prop)))
                .map(|ball| (ball, prop))
                .collect::<Vec<_>>()
        });
        parts.concat()
    }
}

/// Slots whose balls are numbered from the first of all.
fn on_props(slots: &[Slot]) -> impl Iterator<Item = (&Slot, u32)> {
    slots.iter().map(|slot| (slot, 0))
}

fn gap_is_below(a: &GrainRecord, b: &GrainRecord, margin: f64, periods: [f64; 3]) -> bool {
    let (a, b) = (a.place.to_array(), b.place.to_array());
    let mut square = 0.0;
    for axis in 0..3 {
        let mut apart = a[axis] - b[axis];
        let length = periods[axis];
        if length > 0.0 {
            apart -= length * (apart / length).round_ties_even();
        }
        square += apart * apart;
    }
    let reach = a[3] + b[3] + margin;
    square < reach * reach
}
