//! Smooth balls in their shortest form: what runs use where nothing rubs.
//!
//! It is [`restitution`](super::restitution) for balls, without a contact, a normal or an arm. With `d` from *b*'s
//! centre to *a*'s and `w` the velocity of *a* relative to *b*,
//!
//! ```text
//! Δv_a = −(1+ε) m_b/(m_a+m_b) d (d·w)/(d·d),   Δv_b = (1+ε) m_a/(m_a+m_b) d (d·w)/(d·d)
//! ```
//!
//! and the kinetic energy `½ (1−ε²) μ (d·w)²/(d·d)`, `μ = m_a m_b/(m_a+m_b)`, is lost: exactly zero for ε = 1.
//!
//! # Why the energy does not drift
//!
//! An error η in the factor of d changes the energy in proportion to η, so that in an elastic run the mean of all
//! roundings has to be zero, not only small. Roundings are unbiased where the numbers that are rounded are spread over
//! many units in the last place. At a contact `d·d` is not: it is `(r_a + r_b)²` but for a few units, and where that is
//! a power of two (balls of diameter 1) the spacing of numbers is twice as wide above it as below, `d·d` is on average
//! rounded down and the quotient sticks to its numerator. Mean relative change of the energy of a pair in 4 million
//! random elastic collisions of diameter 1, in units of u = 2⁻⁵³ (± 0.0007):
//!
//! | box of side | 0.5 m | 2 m | 12 m | 30 m |
//! |---|---|---|---|---|
//! | along `n = d/|d|`, with `n·n` in the denominator | 0.044 | 0.057 | 0.097 | 0.101 |
//! | `d (d·w)/(d·d)` | 0.088 | 0.079 | 0.038 | 0.022 |
//! | the same with d stretched | −0.000 | −0.001 | 0.001 | −0.000 |
//!
//! The formula is of degree zero in d, so d may be stretched by any factor: where the significand of `d·d` is near a
//! power of two it is stretched by a factor that makes it about 1.45. Masses are not divided by each other for the same
//! reason: the rounding of `m_b/(m_a+m_b)` would be the same at every collision of the two.

use crate::arrays::Each;
use crate::roots::Dd;
use crate::space::{Linear, Space};

/// What a smooth collision does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounce<S: Space> {
    /// Velocities of *a* and *b* after, m/s.
    pub after: [S::Vector; 2],
    /// On *a*; that on *b* is its opposite, kg·m/s.
    pub impulse: S::Vector,
    /// Kinetic energy that is lost (negative: gained), J.
    pub energy_lost: f64,
}

/// Two smooth balls that touch and close.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balls<S: Space> {
    /// From *b*'s centre to *a*'s, m.
    pub apart: S::Vector,
    /// Of *a* and *b* before, m/s.
    pub velocities: [S::Vector; 2],
    /// Of *a* and *b*, kg.
    pub masses: [f64; 2],
}

impl<S: Space> Balls<S> {
    /// What they do.
    #[inline(always)]
    pub fn bounce(&self, restitution: f64) -> Bounce<S> {
        let [va, vb] = self.velocities;
        let [mass_a, mass_b] = self.masses;
        let along = stretched::<S>(self.apart);
        // Equal balls share alike whatever their mass: on a line they exchange their velocities to the last bit.
        let equal = mass_a == mass_b;
        let share = |mass: f64| if equal { 1.0 } else { mass };
        let (share_a, share_b) = (share(mass_a), share(mass_b));
        let closing = along.dot(va - vb);
        let factor = (1.0 + restitution) * closing / (along.dot(along) * (share_a + share_b));
        let given_a = factor * share_b;
        let change_a = along * given_a;
        Bounce {
            after: [va - change_a, vb + along * (factor * share_a)],
            impulse: change_a * -mass_a,
            energy_lost: 0.5 * (1.0 - restitution) * (closing * given_a) * mass_a,
        }
    }
}

/// The line of centres, of whatever length suits the roundings.
#[inline(always)]
fn stretched<S: Space>(apart: S::Vector) -> S::Vector {
    let [x, y, z] = S::components(apart);
    if (x * y).abs() + (y * z).abs() + (z * x).abs() == 0.0 {
        return along_axis::<S>([x, y, z]);
    }
    // The significand of d·d in steps of 1/256: from 1.2 to 1.7 it is far from powers of two.
    const TOP_BITS: u32 = f64::MANTISSA_DIGITS - 1 - 8;
    let significand = (apart.length_squared().to_bits() >> TOP_BITS) & 0xff;
    apart
        * if significand.wrapping_sub(51) < 128 {
            1.0
        } else {
            STRETCH
        }
}

/// Along an axis nothing needs to be rounded.
#[cold]
fn along_axis<S: Space>(apart: [f64; 3]) -> S::Vector {
    S::vector(apart.each(|along| if along == 0.0 { 0.0 } else { along.signum() }))
}

/// Its square, 1.4495, takes what is near a power of two away from it; its digits (−ln 0.3) are those of no simple
/// fraction.
const STRETCH: f64 = 1.203_972_804_325_936;

/// A smooth ball against what nothing moves: the mirror image in the frame of the surface.
///
/// `normal` is that of the surface (any length), `velocity` and `mass` the ball's (m/s, kg), `surface` the velocity of
/// the surface at the contact (m/s).
///
/// A wall has one normal for ever, and what is rounded in `n·n` once is rounded at every bounce. So this is worked out
/// in double-double arithmetic and rounded at the end.
pub fn against_surface<S: Space>(
    normal: S::Vector,
    velocity: S::Vector,
    surface: S::Vector,
    mass: f64,
    restitution: f64,
) -> Bounce<S> {
    let n = S::components(normal).each(Dd::from);
    let v = S::components(velocity);
    let u = S::components(surface);
    let w = [0, 1, 2].each(|axis| Dd::difference(v[axis], u[axis]));
    let dot = |a: [Dd; 3], b: [Dd; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let per_length = dot(n, w) / dot(n, n);
    let factor = -((Dd::from(1.0) + Dd::from(restitution)) * per_length);
    let change = n.each(|along| along * factor);
    let after = [0, 1, 2].each(|axis| (Dd::from(v[axis]) + change[axis]).hi);
    // ½ (1−ε) m (1+ε) (n·w)²/(n·n).
    let lost = 0.5 * (1.0 - restitution) * mass * -(factor.hi * dot(n, w).hi);
    Bounce {
        after: [S::vector(after), surface],
        impulse: S::vector(change.each(|along| along.hi * mass)),
        energy_lost: lost,
    }
}
