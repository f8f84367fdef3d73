//! Ball against a box or a rectangle, in the box's own frame: faces, edges, corners.
//!
//! With half sides `h_i` the centre is at distance r from
//!
//! ```text
//! a face:    ± x_i = h_i + r
//! an edge:   (x_i ∓ h_i)² + (x_j ∓ h_j)² = r²                   (in 3-D)
//! a corner:  the sum over all axes of (x_i ∓ h_i)² = r².
//! ```

use super::{Approach, Feature, Struck};
use crate::roots::{Dd, Polynomial};
use crate::shape::Block;
use crate::space::Space;

impl<S: Space> Struck<S> for Block<S> {
    fn features(&self, approach: &Approach<S>, radius: f64, feature: &mut dyn FnMut(Feature)) {
        let half = S::components(self.half);
        let zero = Polynomial::constant(Dd::ZERO);
        // (x_i − h_i)² and (x_i + h_i)² by axis.
        let mut squares = [[zero; 2]; 3];
        for axis in 0..S::DIMENSION {
            let mut direction = [0.0; 3];
            direction[axis] = 1.0;
            let x = approach.path().along(direction);
            let outer = Polynomial::constant(Dd::sum(half[axis], radius));
            let side = Polynomial::constant(half[axis].into());
            feature(Feature::new(x - outer, 1.0, radius));
            feature(Feature::new(zero - x - outer, 1.0, radius));
            squares[axis] = [(x - side) * (x - side), (x + side) * (x + side)];
        }
        if S::DIMENSION == 2 {
            for x in squares[0] {
                for y in squares[1] {
                    feature(Feature::near(x + y, radius));
                }
            }
            return;
        }
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            for a in squares[i] {
                for b in squares[j] {
                    feature(Feature::near(a + b, radius));
                    // Each pair of planes x, y has its two corners on the edge along z.
                    if (i, j) == (0, 1) {
                        squares[2]
                            .into_iter()
                            .for_each(|c| feature(Feature::near(a + b + c, radius)));
                    }
                }
            }
        }
    }
}
