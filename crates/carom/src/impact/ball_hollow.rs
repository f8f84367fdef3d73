//! Ball inside a circular or spherical hollow.
//!
//! The centre may move within `R − r` of the container's: the gap `(R − r) − |x|` has the sign of `(R − r)² − |x|²`.

use super::{Approach, Feature, Struck};
use crate::roots::{Dd, Polynomial};
use crate::shape::Hollow;
use crate::space::Space;

impl<S: Space> Struck<S> for Hollow {
    fn features(&self, approach: &Approach<S>, radius: f64, feature: &mut dyn FnMut(Feature)) {
        let clearance = Dd::difference(self.radius, radius);
        if clearance.hi > 0.0 {
            let polynomial =
                Polynomial::constant(clearance * clearance) - approach.path().squared();
            feature(Feature::new(polynomial, 2.0 * clearance.hi, clearance.hi));
        }
    }
}
