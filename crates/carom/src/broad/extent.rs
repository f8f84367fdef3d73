use crate::arrays::Each;
use crate::motion::Pose;
use crate::shape::{Obstacle, Shape, Shaped};
use crate::space::{Linear, Space};

/// A box along the axes: the lower and the upper ends, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub low: [f64; 3],
    pub high: [f64; 3],
}

impl Extent {
    /// A box around a shape at a pose; `None` where it has no end, or is a hollow that others are in.
    ///
    /// Seen from a point at a distance D along an axis, with the shape within `reach` of its origin: what is no nearer
    /// than d, and no farther than `reach` off the axis, is not above `D − √(d² − reach²)`. For D = 10⁴ reaches that is
    /// too high by less than 10⁻⁴ of them, whatever the shape is.
    pub fn around<S: Shaped>(shape: &Shape<S>, pose: &Pose<S>) -> Option<Self> {
        let reach = shape.reach();
        if !reach.is_finite() || shape.hollow_centre(S::Vector::ZERO).is_some() {
            return None;
        }
        let place = S::components(pose.position);
        let far = 1e4 * reach;
        let ends = |side: f64| {
            [0, 1, 2].each(|axis| {
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

    /// Whether they are certainly apart.
    #[inline]
    pub fn misses<S: Space>(&self, other: &Extent) -> bool {
        (0..S::DIMENSION)
            .any(|axis| self.low[axis] > other.high[axis] || other.low[axis] > self.high[axis])
    }
}
