//! Newton's law for the balls: the forces of a ball's contacts, added up in the order of its partners' numbers, and velocity Verlet.

use super::movers::{Mover, Movers};
use super::slots::{Action, Slot};
use wide::f64x4;

/// Which contacts each ball has: twice the number of the contact (four times the slot, and the lane), and one more where the ball is *b*.
#[derive(Clone, Debug, Default)]
pub(super) struct Ties {
    start: Vec<u32>,
    entry: Vec<u32>,
}

impl Ties {
    /// Of all contacts in use. In the order of the partners' numbers, scenery last, whatever the lists are like, so that sums have the same bits.
    pub fn of(movers: &Movers, slots: &[Slot], pairs: usize) -> Self {
        let balls = movers.len();
        let mut start = vec![0_u32; balls + 2];
        let contacts = || {
            slots.iter().enumerate().flat_map(move |(index, slot)| {
                (0..4).filter_map(move |lane| {
                    let (a, b) = (slot.a[lane], slot.b[lane]);
                    let pair = index < pairs;
                    let used = if pair { a != b } else { slot.used(lane) };
                    used.then_some((4 * index + lane, a, b, pair))
                })
            })
        };
        for (_, a, b, pair) in contacts() {
            start[a as usize + 2] += 1;
            if pair {
                start[b as usize + 2] += 1;
            }
        }
        for ball in 2..start.len() {
            start[ball] += start[ball - 1];
        }
        let mut entries = vec![0_u32; start[balls + 1] as usize];
        let mut put = |ball: u32, entry: u32| {
            let slot = &mut start[ball as usize + 1];
            entries[*slot as usize] = entry;
            *slot += 1;
        };
        for (contact, a, b, pair) in contacts() {
            let entry = 2 * contact as u32;
            put(a, entry);
            if pair {
                put(b, entry + 1);
            }
        }
        start.pop();
        let partner = |entry: &u32| {
            let (slot, lane) = ((entry >> 3) as usize, (entry >> 1 & 3) as usize);
            let contact = &slots[slot];
            match (slot < pairs, entry & 1) {
                (true, 0) => movers.id[contact.b[lane] as usize],
                (true, _) => movers.id[contact.a[lane] as usize],
                (false, _) => balls as u32 + contact.b[lane],
            }
        };
        for ball in 0..balls {
            let own = &mut entries[start[ball] as usize..start[ball + 1] as usize];
            own.sort_unstable_by_key(partner);
        }
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
    pub fn sum(&self, ball: usize, slots: &[Slot]) -> Action {
        let mut force = f64x4::ZERO;
        let mut twist = f64x4::ZERO;
        for &entry in self.of_ball(ball) {
            let action = &slots[(entry >> 3) as usize].actions[(entry >> 1 & 3) as usize];
            force += action.force ^ SIGNS[(entry & 1) as usize];
            twist += action.twist;
        }
        Action { force, twist }
    }

    /// The same where something resists rolling, or where arms are shorter than the radius (m).
    pub fn sum_of_all(&self, ball: usize, radius: f64, slots: &[Slot], rolls: bool) -> Action {
        let mut force = f64x4::ZERO;
        let mut twist = f64x4::ZERO;
        for &entry in self.of_ball(ball) {
            let slot = &slots[(entry >> 3) as usize];
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
    pub fn advance(&self, balls: &mut [Mover], first: usize, ties: &Ties, slots: &[Slot]) -> Haste {
        self.advance_from(balls, first, ties, slots, |_, _| {})
    }

    /// The same, showing each ball with its velocities at the time of the forces.
    #[inline(always)]
    pub fn advance_from(
        &self,
        balls: &mut [Mover],
        first: usize,
        ties: &Ties,
        slots: &[Slot],
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
        slots: &[Slot],
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
        slots: &[Slot],
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
    pub fn closed(&self, ball: &Mover, number: usize, ties: &Ties, slots: &[Slot]) -> Mover {
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
