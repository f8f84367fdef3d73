//! Which scenery can a ball touch on its piece of way at all?
//!
//! A box around all places of a ball on its piece, until the earliest thing that is known to happen to it, against boxes around the scenery. Where they are apart there
//! is no contact, and the search for it need not begin. It only ever leaves out what certainly is not touched, so that a run has the same bits.

use super::balls::Balls;
use super::scenery::Scenery;
use crate::motion::Piece;
use crate::shape::Obstacle;
use crate::space::{Linear, Space};

/// A box along the axes: the lower and the upper ends, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    low: [f64; 3],
    high: [f64; 3],
}

impl Extent {
    /// A box around scenery; `None` where it has no end, or moves.
    ///
    /// Seen from a place at a distance D along an axis, with the shape within `reach` of its origin: who is no nearer than d, and no farther than `reach` off the axis, is not
    /// above `D − √(d² − reach²)`. For D = 10⁴ reaches that is too high by less than 10⁻⁴ of them, whatever the shape is.
    pub fn of<S: Space>(scenery: &Scenery<S>) -> Option<Self> {
        let shape = &scenery.body.shape;
        let reach = shape.reach();
        if scenery.is_driven()
            || !reach.is_finite()
            || shape.hollow_centre(S::Vector::ZERO).is_some()
        {
            return None;
        }
        let pose = scenery.body.pose;
        let place = S::components(pose.position);
        let far = 1e4 * reach;
        let ends = |side: f64| {
            [0, 1, 2].map(|axis| {
                if axis >= S::DIMENSION {
                    return place[axis];
                }
                let mut from = [0.0; 3];
                from[axis] = side * far;
                let from = pose.position + S::vector(from);
                let distance = shape.closest(pose.to_local(from)).distance;
                let end = far - (distance * distance - reach * reach).max(0.0).sqrt();
                place[axis] + side * (end + 1e-9 * far)
            })
        };
        Some(Extent {
            low: ends(-1.0),
            high: ends(1.0),
        })
    }

    /// A box around a ball on its way until a time from the start of its piece on; `None` where the way is no parabola, or no box holds it.
    pub fn swept<S: Space>(piece: &Piece<S>, radius: f64, until: f64) -> Option<Self> {
        if piece.place.degree() > 2 {
            return None;
        }
        let until = if until < piece.end { until } else { piece.end };
        if !until.is_finite() {
            return None;
        }
        let [x, v, e] = (*piece.place.quadratic_terms()).map(S::components);
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
        let low = low.map(|end| end - room);
        let high = high.map(|end| end + room);
        let holds = (low.iter().chain(&high)).all(|end| end.is_finite());
        holds.then_some(Extent { low, high })
    }

    /// Whether they are certainly apart.
    pub fn misses<S: Space>(&self, other: &Extent) -> bool {
        (0..S::DIMENSION)
            .any(|axis| self.low[axis] > other.high[axis] || other.low[axis] > self.high[axis])
    }
}

impl<S: Space> Balls<S> {
    /// A box around a ball at a time, with room for all that is taken for touching.
    pub fn extent_at(&self, slot: usize, time: f64) -> Extent {
        let place = S::components(self.position_at(slot, time));
        let room = self.hot[slot].radius * (1.0 + 1e-6);
        Extent {
            low: place.map(|along| along - room),
            high: place.map(|along| along + room),
        }
    }

    /// A box around a guided ball on its way until a time by the run's clock.
    pub fn swept_until(&self, slot: usize, time: f64) -> Option<Extent> {
        let piece = &self.guides.as_ref()?.pieces[slot];
        let ball = &self.hot[slot];
        // A rounding later, so that nothing is lost at that very instant.
        let until = (time - ball.since) * (1.0 + 1e-12) + 1e-12 * time.abs();
        Extent::swept(piece, ball.radius, until)
    }
}
