//! Newton's law for the balls: the forces of a ball's contacts, added up in the order of its partners' numbers, and velocity Verlet.

use super::movers::{Mover, Movers};
use super::shares::{Share, Shares};
use super::slots::{Action, Slot};
use super::threads::Team;
use wide::f64x4;

/// Which contacts each ball has: twice the number of the contact (four times that of the slot among the [`Contacts`] of the ball, and the lane), and one more where the ball is *b*.
#[derive(Clone, Debug, Default)]
pub(super) struct Ties {
    start: Vec<u32>,
    entry: Vec<u32>,
}

/// The slots that the balls of a share may ask for, numbered in this order: its own, and those of everybody.
#[derive(Clone, Copy)]
pub(super) struct Contacts<'a> {
    pub own: &'a [Slot],
    pub common: &'a [Slot],
}

impl<'a> Contacts<'a> {
    #[inline(always)]
    fn slot(&self, number: usize) -> &'a Slot {
        match self.own.get(number) {
            Some(slot) => slot,
            None => &self.common[number - self.own.len()],
        }
    }
}

/// A share of the ties while they are made: where each of its balls has its entries, and these.
struct Making<'a> {
    share: &'a Share,
    start: &'a mut [u32],
    entry: &'a mut [u32],
}

impl Ties {
    /// Of all contacts in use. In the order of the partners' numbers, scenery last, whatever the lists are like, so that sums have the same bits.
    pub fn of(movers: &Movers, slots: &[Slot], pairs: usize, shares: &Shares, team: &Team) -> Self {
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
            let contacts = shares.contacts(share.chunks.start, slots);
            let own = contacts.own.len();
            let on_props = own + pairs - shares.inner;
            let partner = |entry: u32| {
                let (number, lane) = ((entry >> 3) as usize, (entry >> 1 & 3) as usize);
                let slot = contacts.slot(number);
                if number >= on_props {
                    return balls as u32 + slot.b[lane];
                }
                let other = if entry & 1 == 0 { slot.b } else { slot.a }[lane] as usize;
                movers.id[if number < own { share.balls.start } else { 0 } + other]
            };
            let (mut own, mut from) = (Vec::with_capacity(16), 0);
            for &end in start.iter() {
                let to = (end - before) as usize;
                own.clear();
                own.extend(entry[from..to].iter().map(|&tie| (partner(tie), tie)));
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

    /// What acts on a ball: the force, N, and the torque over minus its radius, N.
    #[inline(always)]
    pub fn sum(&self, ball: usize, slots: &Contacts<'_>) -> Action {
        let mut force = f64x4::ZERO;
        let mut twist = f64x4::ZERO;
        for &entry in self.of_ball(ball) {
            let action = &slots.slot((entry >> 3) as usize).actions[(entry >> 1 & 3) as usize];
            force += action.force ^ SIGNS[(entry & 1) as usize];
            twist += action.twist;
        }
        Action { force, twist }
    }

    /// The same where something resists rolling, or where arms are shorter than the radius (m).
    pub fn sum_of_all(
        &self,
        ball: usize,
        radius: f64,
        slots: &Contacts<'_>,
        rolls: bool,
    ) -> Action {
        let mut force = f64x4::ZERO;
        let mut twist = f64x4::ZERO;
        for &entry in self.of_ball(ball) {
            let slot = slots.slot((entry >> 3) as usize);
            let lane = (entry >> 1 & 3) as usize;
            let action = &slot.actions[lane];
            let sign = SIGNS[(entry & 1) as usize];
            force += action.force ^ sign;
            let arm = 1.0 - action.twist.to_array()[3] / radius;
            twist += action.twist * f64x4::new([arm, arm, arm, 0.0]);
            if rolls && let Some(turning) = &slot.turning {
                twist -= (turning.moments[lane] ^ sign) / f64x4::splat(radius);
            }
        }
        Action { force, twist }
    }
}

/// Tells the contacts of the balls of a share: the ball, counted from the first of the share, and the entry.
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
    // From the number of a slot among all to that among the contacts of the share.
    let number = |index: usize| match index.checked_sub(shares.inner) {
        Some(after) => share.slots.len() + after,
        None => index - share.slots.start,
    };
    for chunk in shares.looks_at(share) {
        let (stretch, base) = (shares.stretch(chunk), shares.base(chunk) as usize);
        let mut contact = 4 * number(stretch.start);
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
    let mut contact = 4 * number(pairs);
    for slot in &slots[pairs..] {
        for lane in (0..4).filter(|&lane| slot.used(lane)) {
            tell(slot.a[lane] as usize, 2 * (contact + lane));
        }
        contact += 4;
    }
}

const SIGNS: [f64x4; 2] = [f64x4::ZERO, f64x4::new([-0.0; 4])];

/// A step of all balls of a stretch.
#[derive(Clone, Copy)]
pub(super) struct Kick<'a> {
    /// m/s²; the fourth number is zero.
    pub gravity: f64x4,
    /// From the velocity as it is stored to that at the time of the forces, s: half a step, or nothing at the very start.
    pub closing: f64,
    /// From there to the middle of the next step, s.
    pub opening: f64,
    /// The step, s.
    pub dt: f64,
    pub rolls: bool,
    /// Whether the arms of friction are shorter than the radii.
    pub point: bool,
    /// Accelerations of a ball and of its `r ω` by what acts besides contacts, gravity included, m/s². Their fourth numbers are zero.
    pub fields: Option<ByFields<'a>>,
}

/// As a function of the ball as it is.
pub(super) type ByFields<'a> = &'a (dyn Fn(&Mover) -> (f64x4, f64x4) + Sync);

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
    #[inline]
    pub fn advance(
        &self,
        balls: &mut [Mover],
        first: usize,
        ties: &Ties,
        slots: &Contacts<'_>,
    ) -> Haste {
        self.advance_from(balls, first, ties, slots, |_, _| {})
    }

    /// The same, showing each ball with its velocities at the time of the forces.
    #[inline(always)]
    pub fn advance_from(
        &self,
        balls: &mut [Mover],
        first: usize,
        ties: &Ties,
        slots: &Contacts<'_>,
        show: impl FnMut(usize, &Mover),
    ) -> Haste {
        match self.is_plain() {
            true => self.go::<true>(balls, first, ties, slots, show),
            false => self.go::<false>(balls, first, ties, slots, show),
        }
    }

    /// Whether contacts and gravity are all there is, at the full radius.
    fn is_plain(&self) -> bool {
        !(self.rolls || self.point || self.fields.is_some())
    }

    #[inline(always)]
    fn go<const PLAIN: bool>(
        &self,
        balls: &mut [Mover],
        first: usize,
        ties: &Ties,
        slots: &Contacts<'_>,
        mut show: impl FnMut(usize, &Mover),
    ) -> Haste {
        let mut haste = Haste::NONE;
        let [closing, opening] = [self.closing, self.opening].map(f64x4::splat);
        let drift = f64x4::from([self.dt, self.dt, self.dt, 0.0]);
        for (index, ball) in balls.iter_mut().enumerate() {
            let (acceleration, spin_up) =
                self.accelerations::<PLAIN>(ball, first + index, ties, slots);
            ball.velocity += acceleration * closing;
            ball.rim += spin_up * closing;
            show(index, ball);
            let velocity = ball.velocity + acceleration * opening;
            ball.rim += spin_up * opening;
            ball.velocity = velocity;
            ball.place += velocity * drift;
            haste.squares = haste.squares.fast_max(velocity * velocity);
            haste.sum += velocity;
        }
        haste
    }

    /// Of the velocity and of `r ω`, at the time of the forces. Their fourth numbers are zero.
    #[inline(always)]
    fn accelerations<const PLAIN: bool>(
        &self,
        ball: &Mover,
        number: usize,
        ties: &Ties,
        slots: &Contacts<'_>,
    ) -> (f64x4, f64x4) {
        let acts = match PLAIN {
            true => ties.sum(number, slots),
            false => ties.sum_of_all(number, ball.place.to_array()[3], slots, self.rolls),
        };
        let per_mass = f64x4::splat(ball.velocity.to_array()[3]);
        let per_inertia = f64x4::splat(-ball.rim.to_array()[3]);
        let (push, spin_up) = (acts.force * per_mass, acts.twist * per_inertia);
        match self.fields {
            Some(fields) if !PLAIN => {
                let (more, turning) = fields(ball);
                (push + more, spin_up + turning)
            }
            _ => (push + self.gravity, spin_up),
        }
    }

    /// The ball with its velocities at the time of the forces.
    pub fn closed(&self, ball: &Mover, number: usize, ties: &Ties, slots: &Contacts<'_>) -> Mover {
        let (acceleration, spin_up) = match self.is_plain() {
            true => self.accelerations::<true>(ball, number, ties, slots),
            false => self.accelerations::<false>(ball, number, ties, slots),
        };
        let closing = f64x4::splat(self.closing);
        Mover {
            velocity: ball.velocity + acceleration * closing,
            rim: ball.rim + spin_up * closing,
            ..*ball
        }
    }
}
