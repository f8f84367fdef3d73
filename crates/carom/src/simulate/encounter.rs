//! When do two balls of a run touch?
//!
//! The formulas are those of `impact/ball_ball.rs`, from the later of the two own times on. So the time of a contact is
//! a pure function of two flights, the same bits whatever asks and when: a prediction is still true exactly if asking
//! again gives the same time.

use super::balls::{Ball, Balls};
use super::shear::Seen;
use super::trajectories::StickingPartner;
use crate::arrays::Each;
use crate::impact::{self, Refined};
use crate::roots::Dd;
use crate::shape::Shaped;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// What is predicted closes at twice the speed that [`Contact::is_approaching`](crate::contact::Contact::is_closing)
/// asks for, so that rounding between here and there cannot make the two disagree for ever.
const FLOOR: f64 = 32.0 * UNIT_ROUNDOFF;

/// A contact grazes where the closing speed is less than a tenth of the relative speed (this is the square). There the
/// closed form in plain `f64` loses digits of the time, and it is computed in double-double.
const GRAZING: f64 = 0.01;

/// Two balls at the later one's own time.
struct Encounter<S: Space> {
    /// The later one's own time, s.
    time: f64,
    /// From the second ball's centre to the first's, m.
    apart: S::Vector,
    /// The velocities then, m/s.
    velocities: [S::Vector; 2],
}

impl<S: Space> Encounter<S> {
    #[inline(always)]
    fn new(a: &Ball<S>, b: &Ball<S>, gravity: Option<S::Vector>) -> Self {
        let time = if a.since > b.since { a.since } else { b.since };
        let (pa, va) = at::<S>(a, time, gravity);
        let (pb, vb) = at::<S>(b, time, gravity);
        Encounter {
            time,
            apart: pa - pb,
            velocities: [va, vb],
        }
    }
}

/// Place and velocity of a ball at a time.
#[inline(always)]
fn at<S: Space>(ball: &Ball<S>, time: f64, gravity: Option<S::Vector>) -> (S::Vector, S::Vector) {
    let dt = time - ball.since;
    match gravity {
        Some(gravity) => (
            ball.position + (ball.velocity + gravity * (0.5 * dt)) * dt,
            ball.velocity + gravity * dt,
        ),
        None => (ball.position + ball.velocity * dt, ball.velocity),
    }
}

impl<S: Shaped> Balls<S> {
    /// When two balls touch, s, infinite where they do not; the second is seen under a shift.
    #[inline(always)]
    pub fn contact_time(&self, a: usize, b: usize, shift: S::Vector) -> f64 {
        if self.falling && self.on_segments(a, b) {
            return self.contact_time_on_segments(a, b, shift);
        }
        let mut encounter = self.encounter(a, b);
        encounter.apart += shift;
        match self.solve(a, b, &encounter) {
            Some(time) => time,
            None => self.contact_time_shifted(a, b, shift),
        }
    }

    /// When two balls on free flights touch, s; the second is an image that moves.
    pub fn contact_time_seen(&self, a: usize, b: usize, seen: &Seen<S>) -> f64 {
        let encounter = self.encounter_seen(a, b, seen);
        let (x, w) = (
            encounter.apart,
            encounter.velocities[0] - encounter.velocities[1],
        );
        let reach = self.hot[a].radius + self.hot[b].radius;
        let apart = x.dot(x) > reach * reach;
        let passes = w.dot(w) * (reach * reach) <= S::area_squared(x, w);
        let filtered = self.groups.is_some() && !self.meets(a, self.groups_of(b));
        if !(x.dot(w) < 0.0) || (apart && passes) || filtered {
            return f64::INFINITY;
        }
        self.contact_time_with_care(a, b, seen)
    }

    /// When two balls touch that are near each other at a time, no earlier than their own: by the nearest image.
    #[inline(always)]
    pub fn contact_time_near(&self, a: usize, b: usize, now: f64) -> f64 {
        if self.falling && self.on_segments(a, b) {
            let apart = self.position_at(a, now) - self.position_at(b, now);
            return self.contact_time_on_segments(a, b, self.nearest_shift(apart));
        }
        let mut encounter = self.encounter(a, b);
        encounter.apart += self.shift_between(&self.hot[a], &self.hot[b], now, &encounter);
        match self.solve(a, b, &encounter) {
            Some(time) => time,
            None => self.contact_time_near_with_care(a, b, now),
        }
    }

    /// Whether two balls whose own time is the same, and that are near each other, surely do not close. The first
    /// question of [`solve`](Self::solve), as there.
    #[inline(always)]
    pub fn part_now(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.hot[a], &self.hot[b]);
        let apart = a.position - b.position;
        let apart = apart + self.nearest_shift(apart);
        apart.dot(a.velocity - b.velocity) >= 0.0
    }

    /// Whether one of two balls does not fly freely.
    #[inline(always)]
    pub fn on_segments(&self, a: usize, b: usize) -> bool {
        match &self.trajectories {
            None => false,
            Some(trajectories) => {
                trajectories.segments[a].is_some() || trajectories.segments[b].is_some()
            }
        }
    }

    /// The same where one of them is on a segment. Two that stick together do not collide.
    #[cold]
    #[inline(never)]
    fn contact_time_on_segments(&self, a: usize, b: usize, shift: S::Vector) -> f64 {
        if let Some(rigids) = self.rigids()
            && (self.is_member(a) || self.is_member(b))
        {
            return rigids.contact_time(self, a, b, shift);
        }
        if self.groups.is_some() && !self.meets(a, self.groups_of(b))
            || self.travels_with(a, StickingPartner::Ball(self.ids[b]))
            || self.touch_in_island(a, b)
            || self.pass_through(self.ids[a], self.ids[b])
        {
            return f64::INFINITY;
        }
        // The same bits whatever asks.
        let (a, b, shift) = if self.ids[a] < self.ids[b] {
            (a, b, shift)
        } else {
            (b, a, -shift)
        };
        let (ball_a, ball_b) = (&self.hot[a], &self.hot[b]);
        impact::balls_on_segments(
            &self.segment_or_flight(a),
            ball_a.radius,
            ball_a.since,
            &self.segment_or_flight(b),
            ball_b.radius,
            ball_b.since,
            shift,
        )
    }

    /// A time before which a ball certainly does not touch a fixture, s, as far as that is known at once.
    pub fn fixture_not_before(&self, slot: usize, index: u32) -> f64 {
        match self.rigids() {
            Some(rigids) if self.is_member(slot) => rigids.fixture_not_before(self, slot, index),
            _ => f64::NEG_INFINITY,
        }
    }

    #[inline(always)]
    fn shift_between(
        &self,
        a: &Ball<S>,
        b: &Ball<S>,
        now: f64,
        encounter: &Encounter<S>,
    ) -> S::Vector {
        let apart = if encounter.time == now {
            encounter.apart
        } else {
            self.place_of(a, now) - self.place_of(b, now)
        };
        self.nearest_shift(apart)
    }

    #[inline(always)]
    fn encounter(&self, a: usize, b: usize) -> Encounter<S> {
        self.encounter_of(&self.hot[a], &self.hot[b])
    }

    #[inline(always)]
    fn encounter_of(&self, a: &Ball<S>, b: &Ball<S>) -> Encounter<S> {
        if self.falling {
            Encounter::new(a, b, Some(self.gravity))
        } else {
            Encounter::new(a, b, None)
        }
    }

    /// When they touch; `None` where that takes care.
    #[inline(always)]
    fn solve(&self, a: usize, b: usize, encounter: &Encounter<S>) -> Option<f64> {
        let [va, vb] = encounter.velocities;
        let (x, w) = (encounter.apart, va - vb);
        let h = x.dot(w);
        if !(h < 0.0) || (self.groups.is_some() && !self.meets(a, self.groups_of(b))) {
            return Some(f64::INFINITY);
        }
        let reach = self.hot[a].radius + self.hot[b].radius;
        let squared = reach * reach;
        let c = x.dot(x) - squared;
        let whole = w.dot(w) * squared;
        let discriminant = whole - S::area_squared(x, w);
        if c > 0.0 && discriminant <= 0.0 {
            // They pass each other, whatever the floor is.
            return Some(f64::INFINITY);
        }
        // The floor is FLOOR (|v_a| + |v_b|), whose square is at most FLOOR² 4 v²: twice that much is above it beyond
        // doubt.
        let fastest = if self.falling {
            va.length_squared().max(vb.length_squared())
        } else {
            self.fastest
        };
        let plainly = discriminant > 8.0 * FLOOR * FLOOR * squared * fastest;
        if c > 0.0
            && discriminant > GRAZING * whole
            && plainly
            && !(self.falling && self.turning.is_some())
        {
            return Some(encounter.time + c / (discriminant.sqrt() - h));
        }
        None
    }

    #[cold]
    #[inline(never)]
    fn contact_time_near_with_care(&self, a: usize, b: usize, now: f64) -> f64 {
        let encounter = self.encounter(a, b);
        let shift = self.shift_between(&self.hot[a], &self.hot[b], now, &encounter);
        self.contact_time_shifted(a, b, shift)
    }

    #[cold]
    #[inline(never)]
    fn contact_time_shifted(&self, a: usize, b: usize, shift: S::Vector) -> f64 {
        let velocity = S::Vector::ZERO;
        self.contact_time_with_care(a, b, &Seen { shift, velocity })
    }

    fn encounter_seen(&self, a: usize, b: usize, seen: &Seen<S>) -> Encounter<S> {
        let mut encounter = self.encounter(a, b);
        encounter.apart += seen.shift;
        encounter.velocities[1] -= seen.velocity;
        encounter
    }

    /// When two balls touch that touch already, graze, or pass each other slowly. It begins from the flights: what it
    /// were given would have to be written down for it by each request.
    #[cold]
    #[inline(never)]
    fn contact_time_with_care(&self, a: usize, b: usize, seen: &Seen<S>) -> f64 {
        let encounter = self.encounter_seen(a, b, seen);
        let time = encounter.time;
        let [va, vb] = encounter.velocities;
        let (x, w) = (encounter.apart, va - vb);
        let reach = self.hot[a].radius + self.hot[b].radius;
        let squared = reach * reach;
        let (h, c) = (x.dot(w), x.dot(x) - squared);
        let whole = w.dot(w) * squared;
        let discriminant = whole - S::area_squared(x, w);
        let floor = |slot: usize, velocity: S::Vector| {
            FLOOR
                * (velocity.length() + self.angular_velocity(slot).length() * self.hot[slot].radius)
        };
        let floor = floor(a, va) + floor(b, vb);
        if c <= 0.0 {
            // |x| ≤ R.
            if h < -floor * reach {
                time
            } else {
                f64::INFINITY
            }
        } else if !(discriminant > GRAZING * whole) {
            self.refined_time(a, b, (time, seen), floor)
        } else if discriminant > floor * floor * squared {
            time + c / (discriminant.sqrt() - h)
        } else {
            f64::INFINITY
        }
    }

    /// The same for two that graze, from a time on, to the last digit.
    fn refined_time(&self, a: usize, b: usize, (time, seen): (f64, &Seen<S>), floor: f64) -> f64 {
        let pair = [&self.hot[a], &self.hot[b]];
        let between = |[a, b]: [S::Vector; 2]| {
            let (a, b) = (S::components(a), S::components(b));
            [0, 1, 2].each(|axis| Dd::difference(a[axis], b[axis]))
        };
        let mut x = between(pair.each(|ball| ball.position));
        let mut w = between(pair.each(|ball| ball.velocity));
        let (shift, gravity) = (S::components(seen.shift), S::components(self.gravity));
        let velocity = S::components(seen.velocity);
        for axis in 0..S::DIMENSION {
            x[axis] = x[axis] + Dd::from(shift[axis]);
            w[axis] = w[axis] + Dd::from(velocity[axis]);
        }
        for (ball, sign) in pair.into_iter().zip([1.0, -1.0]) {
            if ball.since == time {
                continue;
            }
            let dt = Dd::difference(time, ball.since);
            let velocity = S::components(ball.velocity);
            for axis in 0..S::DIMENSION {
                let signed = dt.scaled(sign);
                if self.falling {
                    let half = (dt * gravity[axis]).scaled(0.5);
                    x[axis] = x[axis] + signed * (Dd::from(velocity[axis]) + half);
                    w[axis] = w[axis] + signed * gravity[axis];
                } else {
                    x[axis] = x[axis] + signed * velocity[axis];
                }
            }
        }
        let reach = Dd::sum(pair[0].radius, pair[1].radius);
        let refined = Refined::new(&x, &w, reach);
        let Refined { h, c, discriminant } = refined;
        if !(h.hi < 0.0 && discriminant.hi > floor * floor * (reach.hi * reach.hi)) {
            f64::INFINITY
        } else if c.hi <= 0.0 {
            // The gap is less than the rounding of where they are.
            time
        } else {
            time + refined.time()
        }
    }
}
