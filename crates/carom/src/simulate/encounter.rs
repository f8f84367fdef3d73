//! When do two balls of a run touch?
//!
//! The formulas are those of `impact/ball_ball.rs`, from the later of the two own times on. So the time of a contact is
//! a pure function of two flights, the same bits whoever asks and when: a prediction is still true exactly if asking
//! again gives the same time.

use super::balls::{Ball, Balls};
use super::trajectories::StickingPartner;
use crate::impact;
use crate::shape::Shaped;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// What is predicted closes at twice the speed that [`Contact::is_approaching`](crate::contact::Contact::is_closing)
/// asks for, so that rounding between here and there cannot make the two disagree for ever.
const FLOOR: f64 = 32.0 * UNIT_ROUNDOFF;

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
        self.solve(a, b, &encounter)
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
        self.solve(a, b, &encounter)
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
        {
            return f64::INFINITY;
        }
        // The same bits whoever asks.
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

    #[inline(always)]
    fn solve(&self, a: usize, b: usize, encounter: &Encounter<S>) -> f64 {
        let [va, vb] = encounter.velocities;
        let (x, w) = (encounter.apart, va - vb);
        let h = x.dot(w);
        if !(h < 0.0) || (self.groups.is_some() && !self.meets(a, self.groups_of(b))) {
            return f64::INFINITY;
        }
        let reach = self.hot[a].radius + self.hot[b].radius;
        let squared = reach * reach;
        let c = x.dot(x) - squared;
        let discriminant = w.dot(w) * squared - S::area_squared(x, w);
        // The floor is FLOOR (|v_a| + |v_b|), whose square is at most FLOOR² 4 v²: twice that much is above it beyond
        // doubt.
        let fastest = if self.falling {
            va.length_squared().max(vb.length_squared())
        } else {
            self.fastest
        };
        let plainly = discriminant > 8.0 * FLOOR * FLOOR * squared * fastest;
        if c > 0.0 && plainly && !(self.falling && self.turning.is_some()) {
            return encounter.time + c / (discriminant.sqrt() - h);
        }
        if c > 0.0 && discriminant <= 0.0 {
            // They pass each other, whatever the floor is.
            return f64::INFINITY;
        }
        self.solve_with_care(a, b, encounter.time, h, c, discriminant)
    }

    /// The same where they touch already, or pass each other slowly.
    #[cold]
    fn solve_with_care(
        &self,
        a: usize,
        b: usize,
        time: f64,
        h: f64,
        c: f64,
        discriminant: f64,
    ) -> f64 {
        let floor = |slot: usize| {
            let speed = self.velocity_at(slot, time).length();
            FLOOR * (speed + self.angular_velocity(slot).length() * self.hot[slot].radius)
        };
        let floor = floor(a) + floor(b);
        let reach = self.hot[a].radius + self.hot[b].radius;
        if c <= 0.0 {
            // |x| ≤ R.
            if h < -floor * reach {
                time
            } else {
                f64::INFINITY
            }
        } else if discriminant > floor * floor * (reach * reach) {
            time + c / (discriminant.sqrt() - h)
        } else {
            f64::INFINITY
        }
    }
}
