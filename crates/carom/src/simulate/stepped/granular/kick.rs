//! Newton's law for the balls: the forces of a ball's contacts, added up in the order of its partners' numbers, and
//! velocity Verlet.

use super::BALLS;
use super::lanes::{Four, get, put};
use super::movers::{GrainRecord, GrainRecords};
use super::shares::{Share, Shares};
use super::slots::{Actions, LaneAction, Slot};
use super::threads::Team;
use crate::vectors::{Floats as _, Portable, Vectors};
use wide::f64x4;

/// Which contacts each ball has: twice the number of the contact (four times its place among the [`ShareContacts`] of
/// the ball, and the lane), and one more where the ball is *b*.
#[derive(Clone, Debug, Default)]
pub(super) struct Ties {
    start: Vec<u32>,
    entry: Vec<u32>,
}

/// What acts at the contacts that the balls of a share may have, numbered in this order: in its ring, and in slots of
/// all shares.
#[derive(Clone, Copy)]
pub(super) struct ShareContacts<'a> {
    pub own: &'a [Actions],
    pub common: &'a [Actions],
}

impl<'a> ShareContacts<'a> {
    #[inline(always)]
    fn slot(&self, number: usize) -> &'a Actions {
        match self.own.get(number) {
            Some(actions) => actions,
            None => &self.common[number - self.own.len()],
        }
    }
}

/// What acts on a ball: the force, N, and the torque over minus its radius, N.
pub(super) struct BallForces<V: Vectors> {
    pub force: Four<V>,
    pub twist: Four<V>,
}

impl LaneAction {
    /// From memory.
    #[inline(always)]
    pub fn with<V: Vectors>(&self, vectors: V) -> BallForces<V> {
        BallForces {
            force: get(vectors, &self.force),
            twist: get(vectors, &self.twist),
        }
    }

    /// To memory.
    #[inline(always)]
    pub fn put<V: Vectors>(&mut self, acting: &BallForces<V>) {
        put::<V>(&mut self.force, acting.force);
        put::<V>(&mut self.twist, acting.twist);
    }
}

/// What acts on each ball, as it was computed last.
#[derive(Clone, Copy)]
pub(super) struct Sums<'a> {
    /// Of each ball; empty where all slots are common.
    pub known: &'a [LaneAction],
    pub ties: &'a Ties,
    pub slots: &'a [Slot],
    pub actions: &'a [Actions],
    /// Whether something resists rolling, and whether the arms of friction are shorter than the radii.
    pub rolls: bool,
    pub point: bool,
}

impl Sums<'_> {
    #[inline(always)]
    pub fn of<V: Vectors>(&self, vectors: V, number: usize, ball: &GrainRecord) -> BallForces<V> {
        if let Some(known) = self.known.get(number) {
            return known.with(vectors);
        }
        if self.rolls || self.point {
            let all = self.of_all(number, ball.place.to_array()[3]);
            return all.with(vectors);
        }
        let contacts = ShareContacts {
            own: &[],
            common: self.actions,
        };
        self.ties.sum(vectors, number, &contacts)
    }

    /// The same where something resists rolling, or where arms are shorter than the radius (m).
    fn of_all(&self, ball: usize, radius: f64) -> LaneAction {
        let mut force = f64x4::ZERO;
        let mut twist = f64x4::ZERO;
        for &entry in self.ties.of_ball(ball) {
            let (number, lane) = ((entry >> 3) as usize, (entry >> 1 & 3) as usize);
            let action = &self.actions[number][lane];
            let sign = SIGNS[(entry & 1) as usize];
            force += action.force ^ sign;
            let arm = 1.0 - action.twist.to_array()[3] / radius;
            twist += action.twist * f64x4::new([arm, arm, arm, 0.0]);
            if self.rolls
                && let Some(turning) = &self.slots[number].turning
            {
                twist -= (turning.moments[lane] ^ sign) / f64x4::splat(radius);
            }
        }
        LaneAction { force, twist }
    }
}

/// A share of the ties while they are made: where each of its balls has its entries, and these.
struct Making<'a> {
    share: &'a Share,
    start: &'a mut [u32],
    entry: &'a mut [u32],
}

impl Ties {
    /// Of all contacts in use. In the order of the partners' numbers, fixtures last, whatever the lists are like, so
    /// that sums have the same bits.
    ///
    /// Longer than most: the ties are counted, given their places and written, in shares that borrow from each other.
    pub fn of(
        movers: &GrainRecords,
        slots: &[Slot],
        pairs: usize,
        shares: &Shares,
        team: &Team,
    ) -> Self {
        let balls = movers.len();
        let mut start = vec![0_u32; balls + 1];
        let mut making = Vec::with_capacity(shares.list.len());
        let mut rest = &mut start[1..];
        for share in &shares.list {
            let (start, later) = rest.split_at_mut(share.balls.len());
            let entry: &mut [u32] = &mut [];
            making.push(Making {
                share,
                start,
                entry,
            });
            rest = later;
        }
        team.over(&mut making, 1, |_, making| {
            let Making { share, start, .. } = &mut making[0];
            each_tie(slots, pairs, shares, share, |ball, _| start[ball] += 1);
        });
        // Where each ball begins; it ends there once its entries are written.
        let mut total = 0;
        for making in &mut making {
            for count in making.start.iter_mut() {
                total += std::mem::replace(count, total);
            }
        }
        let mut entries = vec![0_u32; total as usize];
        let mut rest = &mut entries[..];
        let ends: Vec<u32> = (making.iter().skip(1))
            .map(|next| next.start.first().map_or(total, |&begin| begin))
            .chain([total])
            .collect();
        let mut begin = 0;
        for (making, end) in making.iter_mut().zip(ends) {
            let (entry, later) = rest.split_at_mut((end - begin) as usize);
            (making.entry, rest, begin) = (entry, later, end);
        }
        team.over(&mut making, 1, |_, making| {
            let Making {
                share,
                start,
                entry,
            } = &mut making[0];
            let Some(&before) = start.first() else { return };
            each_tie(slots, pairs, shares, share, |ball, tie| {
                entry[(start[ball] - before) as usize] = tie;
                start[ball] += 1;
            });
            // Written down as numbers of slots, and from now on of what acts there.
            let place = |tie: u32| {
                let (index, lane) = ((tie >> 3) as usize, (tie >> 1 & 3) as usize);
                let slot = &slots[index];
                let (a, b) = (slot.a[lane] as usize, slot.b[lane] as usize);
                let base = if index < shares.inner {
                    share.balls.start
                } else {
                    0
                };
                let partner = match (index < pairs, tie & 1) {
                    (true, 0) => movers.id[base + b],
                    (true, _) => movers.id[base + a],
                    (false, _) => (balls + b) as u32,
                };
                let number = match index.checked_sub(shares.inner) {
                    Some(after) => share.ring.len() + after,
                    None => {
                        let chunk = (base + a) / BALLS;
                        shares.ring(chunk).start + index - shares.stretch(chunk).start
                    }
                };
                (partner, (number as u32) << 3 | tie & 7)
            };
            let (mut own, mut from) = (Vec::with_capacity(16), 0);
            for &end in start.iter() {
                let to = (end - before) as usize;
                own.clear();
                own.extend(entry[from..to].iter().map(|&tie| place(tie)));
                own.sort_unstable();
                for (place, &(_, tie)) in entry[from..to].iter_mut().zip(&own) {
                    *place = tie;
                }
                from = to;
            }
        });
        drop(making);
        Ties {
            start,
            entry: entries,
        }
    }

    #[inline]
    fn of_ball(&self, ball: usize) -> &[u32] {
        &self.entry[self.start[ball] as usize..self.start[ball + 1] as usize]
    }

    /// What acts on a ball.
    #[inline(always)]
    pub fn sum<V: Vectors>(
        &self,
        vectors: V,
        ball: usize,
        slots: &ShareContacts<'_>,
    ) -> BallForces<V> {
        let zero = vectors.all_four(0.0);
        let (mut force, mut twist) = (zero, zero);
        for &entry in self.of_ball(ball) {
            let action = &slots.slot((entry >> 3) as usize)[(entry >> 1 & 3) as usize];
            let signs = get(vectors, &SIGNS[(entry & 1) as usize]);
            force += get(vectors, &action.force).signed(signs);
            twist += get(vectors, &action.twist);
        }
        BallForces { force, twist }
    }
}

/// Tells the contacts of the balls of a share: the ball, counted from the first of the share, and twice the number of
/// the contact among all, and one more where it is *b*.
fn each_tie(
    slots: &[Slot],
    pairs: usize,
    shares: &Shares,
    share: &Share,
    mut tell: impl FnMut(usize, u32),
) {
    let (first, balls) = (share.balls.start, share.balls.len());
    let mut tell = |ball: usize, tie: usize| {
        let ball = ball.wrapping_sub(first);
        if ball < balls {
            tell(ball, tie as u32);
        }
    };
    for chunk in shares.looks_at(share) {
        let (stretch, base) = (shares.stretch(chunk), shares.base(chunk) as usize);
        let mut contact = 4 * stretch.start;
        for slot in &slots[stretch] {
            for lane in 0..4 {
                let (a, b) = (slot.a[lane] as usize, slot.b[lane] as usize);
                if a != b {
                    tell(base + a, 2 * (contact + lane));
                    tell(base + b, 2 * (contact + lane) + 1);
                }
            }
            contact += 4;
        }
    }
    let mut contact = 4 * pairs;
    for slot in &slots[pairs..] {
        for lane in (0..4).filter(|&lane| slot.used(lane)) {
            tell(slot.a[lane] as usize, 2 * (contact + lane));
        }
        contact += 4;
    }
}

static SIGNS: [f64x4; 2] = [f64x4::ZERO, f64x4::new([-0.0; 4])];

/// A step of all balls of a stretch.
#[derive(Clone, Copy)]
pub(super) struct Kick<'a> {
    /// m/s²; the fourth number is zero.
    pub gravity: f64x4,
    /// From the velocity as it is stored to that at the time of the forces, s: half a step, or nothing at the very
    /// start.
    pub closing: f64,
    /// From there to the middle of the next step, s.
    pub opening: f64,
    /// The step, s.
    pub dt: f64,
    /// Accelerations of a ball and of its `r ω` by what acts besides contacts, gravity included, m/s². Their fourth
    /// numbers are zero.
    pub fields: Option<ByFields<'a>>,
}

/// As a function of the ball as it is.
pub(super) type ByFields<'a> = &'a (dyn Fn(&GrainRecord) -> (f64x4, f64x4) + Sync);

/// The largest squares of the velocities along each axis, m²/s², and a sum that is a number only if all velocities are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Haste {
    pub squares: f64x4,
    pub sum: f64x4,
}

impl Haste {
    pub const NONE: Haste = Haste {
        squares: f64x4::ZERO,
        sum: f64x4::ZERO,
    };

    pub fn or(self, other: Haste) -> Haste {
        Haste {
            squares: self.squares.max(other.squares),
            sum: self.sum + other.sum,
        }
    }

    /// No ball is faster, m/s.
    pub fn bound(&self) -> f64 {
        let [x, y, z, _] = self.squares.to_array();
        (x + y + z).sqrt()
    }

    pub fn is_finite(&self) -> bool {
        let [x, y, z, _] = self.sum.to_array();
        (x + y + z).is_finite() && self.bound().is_finite()
    }
}

impl Kick<'_> {
    /// `v ← v + a·closing`, which is the velocity at the time of the forces; `v ← v + a·opening`; `x ← x + v dt`.
    /// `acts` says what acts on a ball, by its number.
    #[inline(always)]
    pub fn advance<V: Vectors>(
        &self,
        vectors: V,
        balls: &mut [GrainRecord],
        first: usize,
        acts: impl Fn(usize, &GrainRecord) -> BallForces<V>,
    ) -> Haste {
        self.advance_from(vectors, balls, first, acts, |_, _| {})
    }

    /// The same, showing each ball with its velocities at the time of the forces.
    #[inline(always)]
    pub fn advance_from<V: Vectors>(
        &self,
        vectors: V,
        balls: &mut [GrainRecord],
        first: usize,
        acts: impl Fn(usize, &GrainRecord) -> BallForces<V>,
        mut show: impl FnMut(usize, &GrainRecord),
    ) -> Haste {
        let zero = vectors.all_four(0.0);
        let (mut squares, mut sum) = (zero, zero);
        let closing = vectors.all_four(self.closing);
        let opening = vectors.all_four(self.opening);
        let drift = vectors.four(&[self.dt, self.dt, self.dt, 0.0]);
        for (index, ball) in balls.iter_mut().enumerate() {
            let acts = acts(first + index, ball);
            let (acceleration, spin_up) = self.accelerations(vectors, ball, acts);
            let mut velocity = get(vectors, &ball.velocity) + acceleration * closing;
            let mut rim = get(vectors, &ball.rim) + spin_up * closing;
            put::<V>(&mut ball.velocity, velocity);
            put::<V>(&mut ball.rim, rim);
            show(index, ball);
            velocity += acceleration * opening;
            rim += spin_up * opening;
            let place = get(vectors, &ball.place) + velocity * drift;
            put::<V>(&mut ball.rim, rim);
            put::<V>(&mut ball.velocity, velocity);
            put::<V>(&mut ball.place, place);
            squares = squares.most(velocity * velocity);
            sum += velocity;
        }
        let mut haste = Haste::NONE;
        put::<V>(&mut haste.squares, squares);
        put::<V>(&mut haste.sum, sum);
        haste
    }

    /// Of the velocity and of `r ω`, at the time of the forces. Their fourth numbers are zero.
    #[inline(always)]
    fn accelerations<V: Vectors>(
        &self,
        vectors: V,
        ball: &GrainRecord,
        acts: BallForces<V>,
    ) -> (Four<V>, Four<V>) {
        let per_mass = vectors.all_four(ball.velocity.as_array()[3]);
        let per_inertia = vectors.all_four(-ball.rim.as_array()[3]);
        let (push, spin_up) = (acts.force * per_mass, acts.twist * per_inertia);
        match self.fields {
            Some(fields) => {
                let (more, turning) = fields(ball);
                (push + get(vectors, &more), spin_up + get(vectors, &turning))
            }
            None => (push + get(vectors, &self.gravity), spin_up),
        }
    }

    /// The ball with its velocities at the time of the forces.
    pub fn closed(&self, ball: &GrainRecord, acts: BallForces<Portable>) -> GrainRecord {
        let (acceleration, spin_up) = self.accelerations(Portable, ball, acts);
        let closing = f64x4::splat(self.closing);
        GrainRecord {
            velocity: ball.velocity + acceleration * closing,
            rim: ball.rim + spin_up * closing,
            ..*ball
        }
    }
}
