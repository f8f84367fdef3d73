//! Which fixtures can a ball touch on its trajectory segment at all?
//!
//! A box around all places of a ball on its segment, until the earliest thing that is known to happen to it, against
//! boxes around the fixture. Where they are apart there is no contact, and the search for it need not begin. It only
//! ever leaves out what certainly is not touched, so that a run has the same bits.

use super::balls::Balls;
use super::fixture::Fixture;
use crate::arrays::Each;
use crate::broad::Extent;
use crate::impact::Strikable;
use crate::motion::TrajectorySegment;
use crate::shape::Shaped;
use crate::space::{Linear, Space};

/// A box around fixture; `None` where it has no end, or moves.
pub(super) fn extent_of<S: Strikable>(fixture: &Fixture<S>) -> Option<Extent> {
    if fixture.is_kinematic() {
        None
    } else {
        Extent::around(&fixture.body.shape, &fixture.body.pose)
    }
}

/// A box around a ball on its way until a time from the start of its piece on; `None` where the way is no parabola, or
/// no box holds it.
fn swept<S: Space>(segment: &TrajectorySegment<S>, radius: f64, until: f64) -> Option<Extent> {
    if segment.place.degree() > 2 {
        return None;
    }
    let until = if until < segment.end {
        until
    } else {
        segment.end
    };
    if !until.is_finite() {
        return None;
    }
    of_parabola::<S>(*segment.place.quadratic_terms(), radius, until)
}

/// A box around a ball at `x + v t + e t²` from zero to a time; `None` where no box holds it.
fn of_parabola<S: Space>(terms: [S::Vector; 3], radius: f64, until: f64) -> Option<Extent> {
    let [x, v, e] = terms.each(S::components);
    let (mut low, mut high) = (x, x);
    for axis in 0..S::DIMENSION {
        let (v, e) = (v[axis], e[axis]);
        if v == 0.0 && e == 0.0 {
            continue;
        }
        let mut take = |t: f64| {
            let there = x[axis] + (v + e * t) * t;
            low[axis] = low[axis].min(there);
            high[axis] = high[axis].max(there);
        };
        take(until);
        let turns = -0.5 * v / e;
        if turns > 0.0 && turns < until {
            take(turns);
        }
    }
    // Far more than rounding.
    let room = radius * (1.0 + 1e-6);
    let low = low.each(|end| end - room);
    let high = high.each(|end| end + room);
    let holds = (low.iter().chain(&high)).all(|end| end.is_finite());
    holds.then_some(Extent { low, high })
}

/// From so many fixtures on, boxes say which of them a ball can meet soon, before any is asked exactly.
pub(super) const MANY: usize = 64;

/// How often the time that is looked ahead is made four times as long before everything is asked.
pub(super) const STRIDES: usize = 24;

impl<S: Shaped> Balls<S> {
    /// A box around a ball at a time, with room for all that is taken for touching.
    pub fn extent_at(&self, slot: usize, time: f64) -> Extent {
        let place = S::components(self.position_at(slot, time));
        let room = self.hot[slot].radius * (1.0 + 1e-6);
        Extent {
            low: place.each(|along| along - room),
            high: place.each(|along| along + room),
        }
    }

    /// A box around a ball on segments on its way until a time by the run's clock.
    pub fn swept_until(&self, slot: usize, time: f64) -> Option<Extent> {
        let segment = self.segment(slot)?;
        let ball = &self.hot[slot];
        // A rounding later, so that nothing is lost at that very instant.
        let until = (time - ball.since) * (1.0 + 1e-12) + 1e-12 * time.abs();
        swept(segment, ball.radius, until)
    }

    /// A box around a ball from now on to a later time by the run's clock; `None` where it is on no parabola, or no box
    /// holds it.
    pub fn flown(&self, slot: usize, now: f64, until: f64) -> Option<Extent> {
        if self.segment(slot).is_some() {
            return self.swept_until(slot, until);
        }
        let velocity = self.velocity_at(slot, now);
        let pull = if self.falling {
            self.gravity * 0.5
        } else {
            S::Vector::ZERO
        };
        let terms = [self.position_at(slot, now), velocity, pull];
        of_parabola::<S>(terms, self.hot[slot].radius, (until - now) * (1.0 + 1e-12))
    }

    /// For how long to look ahead at first for what a ball may meet: while it goes on by half its radius, s.
    pub fn stride(&self, slot: usize, now: f64) -> f64 {
        let way = 0.5 * self.hot[slot].radius;
        let fall = (2.0 * way * self.gravity.length()).sqrt();
        way / (self.velocity_at(slot, now).length() + fall)
    }
}
