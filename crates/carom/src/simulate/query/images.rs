//! Where the images of a body in a periodic box are.

use super::Query;
use crate::simulate::compiled::Engines;
use crate::world::Shear;

impl<S: Engines> Query<'_, S> {
    /// How the box is sheared now.
    pub(super) fn shear(&self) -> Option<Shear> {
        self.balls().and_then(|run| run.shear())
    }

    /// The shifts under which a body of some reach at a place may be in a box, m.
    pub(super) fn images(
        &self,
        place: S::Vector,
        reach: f64,
        low: S::Vector,
        high: S::Vector,
    ) -> Vec<S::Vector> {
        let period = self.periods();
        let (place, low, high) = (
            S::components(place),
            S::components(low),
            S::components(high),
        );
        let mut shifts = vec![[0.0; 3]];
        let shear = self.shear();
        // Along the flow of a sheared box last: where images are along it depends on how far they are along the others.
        let last = shear.map_or(0, |shear| shear.flow);
        let axes = (1..=S::DIMENSION).map(|step| (last + step) % S::DIMENSION);
        for axis in axes.filter(|&axis| period[axis] > 0.0) {
            // A wall without end is along the axis: its images are itself.
            if !reach.is_finite() {
                continue;
            }
            let ahead = |shift: &[f64; 3]| match shear {
                Some(shear) if shear.flow == axis => {
                    (shift[shear.gradient] / period[shear.gradient]).round() * shear.offset
                }
                _ => 0.0,
            };
            let along = |shift: &[f64; 3]| {
                let (shift, from) = (*shift, ahead(shift));
                let there = place[axis] + from;
                let first = ((low[axis] - reach - there) / period[axis]).ceil();
                let last = ((high[axis] + reach - there) / period[axis]).floor();
                (first as i64..=last as i64).map(move |boxes| {
                    let mut shift = shift;
                    shift[axis] = from + boxes as f64 * period[axis];
                    shift
                })
            };
            shifts = shifts.iter().flat_map(along).collect();
        }
        shifts.into_iter().map(S::vector).collect()
    }
}
