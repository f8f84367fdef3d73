use crate::arrays::Each;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// Two numbers between which the length of a vector certainly lies, even where its square overflows or underflows.
///
/// Each component may itself carry one rounding (a difference of two positions does). Then the squares are off by 3u,
/// their sum by 5u, its root by 3.5u, and the scaling below adds 2.5u: less than the 8u allowed here. The smallest
/// normal number covers subnormal lengths. A vector that is not finite may have any length.
pub(super) fn length_range<S: Space>(vector: S::Vector) -> (f64, f64) {
    if !vector.is_finite() {
        return (0.0, f64::INFINITY);
    }
    let squared = vector.length_squared();
    // Inside these limits a square that underflows is too small beside the others to matter.
    let length = if (1e-250..1e250).contains(&squared) {
        squared.sqrt()
    } else {
        scaled_length::<S>(vector)
    };
    let low = length * (1.0 - 8.0 * UNIT_ROUNDOFF) - f64::MIN_POSITIVE;
    let high = length * (1.0 + 8.0 * UNIT_ROUNDOFF) + f64::MIN_POSITIVE;
    (low.clamp(0.0, f64::MAX), high)
}

/// The length in units of the largest component.
fn scaled_length<S: Space>(vector: S::Vector) -> f64 {
    let components = S::components(vector);
    let largest = components.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    largest * S::vector(components.each(|c| c / largest)).length()
}
