//! The free turning of a body with three different moments of inertia, in closed form.
//!
//! # The spin
//!
//! In the body's principal axes Euler's equations `I₁ω̇₁ = (I₂−I₃)ω₂ω₃` (and so on around) are solved by Jacobi's
//! elliptic functions. Let I₂ be the middle moment and let 3 be the axis that the spin circles: that of the largest
//! moment where `L² > 2E I₂`, of the smallest otherwise (the three axes are renumbered, one turned over if needed to
//! keep them right-handed). With `S₁ = L² − 2E I₃` and `S₃ = L² − 2E I₁`, written as sums without cancellation,
//!
//! ```text
//! ω₁ = a₁ cn u,  ω₂ = a₂ sn u,  ω₃ = a₃ dn u,      u = ν t + u₀
//! a₁² = S₁/(I₁(I₁−I₃)),  a₂² = S₁/(I₂(I₂−I₃)),  a₃² = S₃/(I₃(I₃−I₁)),  a₁, a₂ > 0,  a₃ of the sign of ω₃
//! ν = (I₃−I₁) a₃ a₁ / (I₂ a₂),   k² = S₁(I₁−I₂)/(S₃(I₃−I₂)),   k′² = (I₃−I₁)(L²−2E I₂)/(S₃(I₃−I₂))
//! ```
//!
//! # The attitude
//!
//! L is fixed in the world, and in the body it is `m = (I₁ω₁, I₂ω₂, I₃ω₃)`: that gives the attitude but for an angle φ
//! about L, that of the line of nodes `L × axis₃`. It turns at the rate `φ̇ = L (I₁ω₁² + I₂ω₂²)/(m₁² + m₂²)`, an
//! elliptic integral of the third kind, which Jacobi's theta functions express in closed form: with H = ϑ₁,
//!
//! ```text
//! φ(t) = φ₀ + A t + s arg H(u − i b),     s = sign a₃,     tan²ψ = I₁(I₃−I₂)/(I₃(I₂−I₁)),  b = F(ψ, k′)
//! ```
//!
//! and A follows from `φ̇ = L/I₂` at `u = K`. The series of H has the nome q = exp(−πK′/K); where k² > ½ Jacobi's
//! imaginary transformation is applied first, so that the nome is never above e^−π and four terms are enough, next to
//! the separatrix too, where the period goes to infinity: there the intermediate axis stands still for long and then
//! flips.
//!
//! (Jacobi 1849; Whittaker, *Analytical Dynamics*, §69; the series as used by van Zon and Schofield, 2007, with ϑ₁ in
//! place of ϑ₄, whose terms cancel.)

use crate::order::InOrder;
use crate::space::Linear;
use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, PI};

/// Terms of the theta series: the fifth is below 1e-27 of the first.
const TERMS: usize = 4;
/// Steps of the arithmetic-geometric mean: each squares what is left.
const MEANS: usize = 10;

/// A free turning, as a function of the time since its beginning.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TorqueFree {
    /// The body's own frame in the axes as renumbered: what turns the latter into the former.
    to_own: DMat3,
    moments: DVec3,
    amplitudes: DVec3,
    /// ν and u₀.
    watchdog: f64,
    phase: f64,
    elliptic: Elliptic,
    /// The terms of H, as far as they belong to its other argument, b.
    theta: ThetaTerms,
    /// A, rad/s.
    mean_rate: f64,
    /// arg H at the beginning.
    first_angle: f64,
    /// The line of nodes at the beginning, L's direction and their cross product, in the world.
    nodes: DMat3,
}

impl TorqueFree {
    /// `axes`: the principal axes in the world; `world`: the body's axes in the world; `own`: the spin in principal
    /// axes, rad/s. `None` where the spin is along a principal axis.
    pub fn new(axes: DMat3, world: DMat3, own: DVec3, moments: DVec3) -> Option<Self> {
        let (axes, own, i) = renumbered(axes, own, moments);
        let squares = own * own;
        let s1 = i.x * (i.x - i.z) * squares.x + i.y * (i.y - i.z) * squares.y;
        let s3 = i.y * (i.y - i.x) * squares.y + i.z * (i.z - i.x) * squares.z;
        let s2 = i.x * (i.x - i.y) * squares.x + i.z * (i.z - i.y) * squares.z;
        let a1 = (s1 / (i.x * (i.x - i.z))).sqrt();
        let a2 = (s1 / (i.y * (i.y - i.z))).sqrt();
        let a3 = (s3 / (i.z * (i.z - i.x))).sqrt();
        // So small a wobble, and so slow a turning, have no squares any more.
        if !(a1 > 1e-140 * a3 && s1.abs().min(s3.abs()) > 1e-290) {
            return None;
        }
        let sign = if own.z < 0.0 { -1.0 } else { 1.0 };
        let a3 = sign * a3;
        let watchdog = (i.z - i.x) * a3 * a1 / (i.y * a2);
        let k2 = s1 * (i.x - i.y) / (s3 * (i.z - i.y));
        let k2_other = ((i.z - i.x) * s2 / (s3 * (i.z - i.y))).max(1e-32);
        let elliptic = Elliptic::new(k2, k2_other);
        let phase = elliptic.first_kind(own.y / a2, own.x / a1);
        let tan_squared = i.x * (i.z - i.y) / (i.z * (i.y - i.x));
        let beside = {
            let cos2 = 1.0 / (1.0 + tan_squared);
            let sin2 = tan_squared * cos2;
            // F(ψ, k′) with 1 − k′² sin²ψ = cos²ψ + k² sin²ψ.
            sin2.sqrt() * carlson(cos2, cos2 + k2 * sin2, 1.0)
        };
        let momentum = i * own;
        let length = Linear::length(momentum);
        let mut tumble = TorqueFree {
            to_own: axes.transpose() * world,
            moments: i,
            amplitudes: DVec3::new(a1, a2, a3),
            watchdog,
            phase,
            theta: ThetaTerms::new(&elliptic, beside),
            elliptic,
            mean_rate: 0.0,
            first_angle: 0.0,
            nodes: DMat3::IDENTITY,
        };
        let slope = tumble.elliptic.theta_slope_at_quarter(beside);
        tumble.mean_rate = length / i.y - sign * watchdog * slope;
        let (u, circle) = elliptic.around(phase);
        let (value, angle) = tumble.theta.at(&elliptic, u, circle);
        tumble.first_angle = angle + libm::atan2(value.1, value.0);
        // At the beginning, with rounding's part in the initial spin left as it is.
        let now = triad(tumble.momentum(circle))?;
        tumble.nodes = axes * now;
        Some(tumble)
    }

    /// The momentum in the body's axes, from sine and cosine of πu/2K.
    fn momentum(&self, circle: (f64, f64)) -> DVec3 {
        let (sn, cn, dn) = self.elliptic.sn_cn_dn(circle);
        self.moments * self.amplitudes * DVec3::new(cn, sn, dn)
    }

    /// Attitude and spin (world axes, rad/s) after some time.
    pub fn at(&self, elapsed: f64) -> (DQuat, DVec3) {
        let (axes, angular_velocity) = self.axes_at(elapsed);
        let rotation = DQuat::from_mat3(&axes).normalize();
        (rotation, angular_velocity)
    }

    /// The body's axes in the world (columns) and its spin (world axes, rad/s) after some time.
    ///
    /// arg H is not taken: sine and cosine of the angle that it is a part of are those of the rest of that angle,
    /// turned by H itself.
    pub fn axes_at(&self, elapsed: f64) -> (DMat3, DVec3) {
        let (u, circle) = self.elliptic.around(self.watchdog * elapsed + self.phase);
        let momentum = self.momentum(circle);
        // The transverse part of the momentum never vanishes: sn and cn do not at once.
        let own = triad(momentum).unwrap_or(DMat3::IDENTITY);
        let sign = if self.amplitudes.z < 0.0 { -1.0 } else { 1.0 };
        let (value, angle) = self.theta.at(&self.elliptic, u, circle);
        let rest = self.mean_rate * elapsed + sign * (angle - self.first_angle);
        let (sine, cosine) = libm::sincos(rest);
        let size = 1.0 / (value.0 * value.0 + value.1 * value.1).sqrt();
        let (x, y) = (value.0 * size, sign * value.1 * size);
        let (sin, cos) = (sine * x + cosine * y, cosine * x - sine * y);
        let DMat3 {
            x_axis,
            y_axis,
            z_axis,
        } = self.nodes;
        let nodes = DMat3::from_cols(
            x_axis * cos + y_axis * sin,
            y_axis * cos - x_axis * sin,
            z_axis,
        );
        let axes = nodes * own.transpose();
        (axes * self.to_own, axes * (momentum / self.moments))
    }

    /// `|ω|² = a₁²cn² + a₂²sn² + a₃²dn²` is linear in sn², so it is largest at an end.
    pub fn max_angular_speed(&self) -> f64 {
        let DVec3 { x, y, z } = self.amplitudes * self.amplitudes;
        let least = z * self.elliptic.k2_other;
        // Rounded up.
        (x + z).max(y + least).sqrt() * (1.0 + 1e-14)
    }

    /// From Euler's equations with each component at its largest, rad/s².
    pub fn fastest_change(&self) -> f64 {
        let (i, a) = (self.moments, self.amplitudes.abs());
        let change = DVec3::new(
            (i.y - i.z) / i.x * a.y * a.z,
            (i.z - i.x) / i.y * a.z * a.x,
            (i.x - i.y) / i.z * a.x * a.y,
        );
        Linear::length(change) * (1.0 + 1e-14)
    }
}

/// Principal axes in the order of the formulas: the middle moment second, the axis that the spin circles third.
fn renumbered(axes: DMat3, own: DVec3, moments: DVec3) -> (DMat3, DVec3, DVec3) {
    let mut order = [0, 1, 2];
    order.order_by(|&a, &b| moments[a].total_cmp(&moments[b]));
    let [least, middle, most] = order;
    let excess =
        |axis: usize| moments[axis] * (moments[axis] - moments[middle]) * own[axis] * own[axis];
    // L² − 2E I₂.
    let order = if excess(least) + excess(most) > 0.0 {
        [least, middle, most]
    } else {
        [most, middle, least]
    };
    let is_even = (order[1] + 3 - order[0]) % 3 == 1;
    let sign = if is_even { 1.0 } else { -1.0 };
    let [x, y, z] = order;
    (
        DMat3::from_cols(axes.col(x) * sign, axes.col(y), axes.col(z)),
        DVec3::new(own[x] * sign, own[y], own[z]),
        DVec3::new(moments[x], moments[y], moments[z]),
    )
}

/// The line of nodes `m × axis₃`, its partner and m's direction, as columns.
fn triad(momentum: DVec3) -> Option<DMat3> {
    let along = momentum.unit()?;
    let across = DVec3::new(momentum.y, -momentum.x, 0.0).unit()?;
    Some(DMat3::from_cols(across, along.cross(across), along))
}

/// Jacobi's functions for one modulus.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Elliptic {
    k2: f64,
    k2_other: f64,
    /// K and K′.
    quarter: f64,
    other_quarter: f64,
    /// The means, and how many steps they took.
    means: [(f64, f64); MEANS],
    steps: usize,
    last: f64,
    /// `(−1)ⁿ q^(n(n+1))` for the nome that is the smaller of the two.
    weights: [f64; TERMS],
    /// Whether that is the nome of the complementary modulus.
    transformed: bool,
}

impl Elliptic {
    fn new(k2: f64, k2_other: f64) -> Self {
        let quarter = carlson(0.0, k2_other, 1.0);
        let other_quarter = carlson(0.0, k2, 1.0);
        let transformed = k2 > 0.5;
        let ratio = if transformed {
            quarter / other_quarter
        } else {
            other_quarter / quarter
        };
        let nome = libm::exp(-PI * ratio);
        let mut weights = [1.0; TERMS];
        let mut power = 1.0;
        for (n, weight) in weights.iter_mut().enumerate() {
            // n(n+1) is 2n more than (n−1)n.
            for _ in 0..2 * n {
                power *= nome;
            }
            *weight = if n % 2 == 1 { -power } else { power };
        }
        let mut means = [(0.0, 0.0); MEANS];
        let (mut a, mut product) = (1.0, k2_other);
        let (mut steps, mut last) = (0, 1.0);
        for (n, mean) in means.iter_mut().enumerate() {
            let b = product.sqrt();
            *mean = (a, b);
            steps = n + 1;
            last = 0.5 * (a + b);
            if (a - b).abs() <= 1e-9 * a {
                break;
            }
            product = a * b;
            a = last;
        }
        Elliptic {
            k2,
            k2_other,
            quarter,
            other_quarter,
            means,
            steps,
            last,
            weights,
            transformed,
        }
    }

    /// u from sn u and cn u.
    fn first_kind(&self, sn: f64, cn: f64) -> f64 {
        let length = (sn * sn + cn * cn).sqrt();
        let (sin, cos) = (sn / length, cn / length);
        let cos2 = cos * cos;
        let u = sin * carlson(cos2, cos2 + self.k2_other * sin * sin, 1.0);
        if cos >= 0.0 {
            u
        } else if sin >= 0.0 {
            2.0 * self.quarter - u
        } else {
            -2.0 * self.quarter - u
        }
    }

    /// u within two quarters of zero, but for whole periods, and sine and cosine of πu/2K.
    fn around(&self, u: f64) -> (f64, (f64, f64)) {
        let period = 4.0 * self.quarter;
        let u = u - period * (u / period).round_ties_even();
        (u, libm::sincos(self.last * u))
    }

    /// sn u, cn u and dn u, by Gauss's (descending Landen's) transformation back from the modulus at which they are
    /// circular (Bulirsch 1965); from sine and cosine of πu/2K.
    fn sn_cn_dn(&self, (sin, cos): (f64, f64)) -> (f64, f64, f64) {
        if sin == 0.0 {
            return (0.0, cos, 1.0);
        }
        let mut ratio = cos / sin;
        let mut c = self.last * ratio;
        let mut dn = 1.0;
        for &(a, b) in self.means[..self.steps].iter().rev() {
            ratio *= c;
            c *= dn;
            dn = (b + ratio) / (a + ratio);
            ratio = c / a;
        }
        let size = 1.0 / (c * c + 1.0).sqrt();
        let sn = if sin < 0.0 { -size } else { size };
        (sn, c * sn, dn)
    }

    /// The slope of arg H(u − ib) in u at u = K, where a few terms suffice: with `y = πb/2K`,
    /// `H(K − ib) = Σ ± q^(n(n+1)) sin((2n+1)(π/2 − iy))`, and the sines are `± cosh((2n+1) y)`; or the same with the
    /// complementary modulus.
    fn theta_slope_at_quarter(&self, b: f64) -> f64 {
        let (mut value, mut change) = ((0.0, 0.0), (0.0, 0.0));
        let (scale, slope) = if self.transformed {
            // exp(−π(u−ib)²/4KK′) Σ ± q′^(n(n+1)) sinh((2n+1) π(u−ib)/2K′)
            let scale = FRAC_PI_2 / self.other_quarter;
            let (sin, cos) = odd_multiples(libm::sincos(scale * b));
            let (sinh, cosh) = odd_multiples_hyperbolic(scale * self.quarter);
            for n in 0..TERMS {
                let (w, m) = (self.weights[n], (2 * n + 1) as f64);
                value.0 += w * sinh[n] * cos[n];
                value.1 -= w * cosh[n] * sin[n];
                change.0 += w * m * cosh[n] * cos[n];
                change.1 -= w * m * sinh[n] * sin[n];
            }
            (scale, scale * b / self.quarter)
        } else {
            // Σ ± q^(n(n+1)) sin((2n+1) π(u−ib)/2K)
            let scale = FRAC_PI_2 / self.quarter;
            let (sin, cos) = odd_multiples((1.0, 0.0));
            let (sinh, cosh) = odd_multiples_hyperbolic(scale * b);
            for n in 0..TERMS {
                let (w, m) = (self.weights[n], (2 * n + 1) as f64);
                value.0 += w * sin[n] * cosh[n];
                value.1 -= w * cos[n] * sinh[n];
                change.0 += w * m * cos[n] * cosh[n];
                change.1 += w * m * sin[n] * sinh[n];
            }
            (scale, 0.0)
        };
        let squared = value.0 * value.0 + value.1 * value.1;
        let turning = (value.0 * change.1 - value.1 * change.0) / squared;
        slope + scale * turning
    }
}

/// The terms of H(u − ib) without what belongs to u.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ThetaTerms {
    /// Of the real part, and of the imaginary part.
    real: [f64; TERMS],
    imaginary: [f64; TERMS],
    /// What arg H turns by with u beyond the series.
    slope: f64,
}

impl ThetaTerms {
    fn new(elliptic: &Elliptic, b: f64) -> Self {
        let (mut real, mut imaginary) = ([0.0; TERMS], [0.0; TERMS]);
        let slope = if elliptic.transformed {
            let scale = FRAC_PI_2 / elliptic.other_quarter;
            let (sin, cos) = odd_multiples(libm::sincos(scale * b));
            for n in 0..TERMS {
                real[n] = elliptic.weights[n] * cos[n];
                imaginary[n] = -elliptic.weights[n] * sin[n];
            }
            scale * b / elliptic.quarter
        } else {
            let (sinh, cosh) = odd_multiples_hyperbolic(FRAC_PI_2 / elliptic.quarter * b);
            for n in 0..TERMS {
                real[n] = elliptic.weights[n] * cosh[n];
                imaginary[n] = -elliptic.weights[n] * sinh[n];
            }
            0.0
        };
        ThetaTerms {
            real,
            imaginary,
            slope,
        }
    }

    /// A complex number in the direction of H(u − ib), but for a part of its angle (rad), for u within two quarters of
    /// zero, with sine and cosine of πu/2K.
    fn at(&self, elliptic: &Elliptic, u: f64, circle: (f64, f64)) -> ((f64, f64), f64) {
        let sum = |with: &[f64; TERMS], terms: &[f64; TERMS]| {
            (with[0] * terms[0] + with[1] * terms[1]) + (with[2] * terms[2] + with[3] * terms[3])
        };
        if !elliptic.transformed {
            let (sin, cos) = odd_multiples(circle);
            return ((sum(&self.real, &sin), sum(&self.imaginary, &cos)), 0.0);
        }
        // H changes its sign with every 2K, and the series is good within K of zero.
        let half_turns = (u / (2.0 * elliptic.quarter)).round_ties_even();
        let u = u - 2.0 * elliptic.quarter * half_turns;
        let sign = if half_turns == 0.0 { 1.0 } else { -1.0 };
        let scale = FRAC_PI_2 / elliptic.other_quarter;
        let (sinh, cosh) = odd_multiples_hyperbolic(scale * u);
        let value = (
            sign * sum(&self.real, &sinh),
            sign * sum(&self.imaginary, &cosh),
        );
        (value, self.slope * u)
    }
}

/// Sine and cosine of x, 3x, 5x, … from those of x.
fn odd_multiples((sin, cos): (f64, f64)) -> ([f64; TERMS], [f64; TERMS]) {
    let (sin2, cos2) = (2.0 * sin * cos, cos * cos - sin * sin);
    let (mut sines, mut cosines) = ([sin; TERMS], [cos; TERMS]);
    for n in 1..TERMS {
        sines[n] = sines[n - 1] * cos2 + cosines[n - 1] * sin2;
        cosines[n] = cosines[n - 1] * cos2 - sines[n - 1] * sin2;
    }
    (sines, cosines)
}

/// Hyperbolic sine and cosine of x, 3x, 5x, …
fn odd_multiples_hyperbolic(x: f64) -> ([f64; TERMS], [f64; TERMS]) {
    // From one exponential: e^|x| − 1 keeps the digits of a small x. (Of eˣ − 1 nothing but −1 is left far below zero.)
    let grown = libm::expm1(x.abs());
    let inverse = 1.0 / (1.0 + grown);
    let sinh = libm::copysign(0.5 * (grown + grown * inverse), x);
    let cosh = 1.0 + 0.5 * grown * grown * inverse;
    let (sinh2, cosh2) = (2.0 * sinh * cosh, cosh * cosh + sinh * sinh);
    let (mut sines, mut cosines) = ([sinh; TERMS], [cosh; TERMS]);
    for n in 1..TERMS {
        sines[n] = sines[n - 1] * cosh2 + cosines[n - 1] * sinh2;
        cosines[n] = cosines[n - 1] * cosh2 + sines[n - 1] * sinh2;
    }
    (sines, cosines)
}

/// Carlson's integral of the first kind, R_F(x, y, z), by his duplication theorem (Carlson 1979): the three arguments
/// are brought together, by a factor 4 a step, until a series of the sixth order in what is left of their differences
/// is exact to rounding.
fn carlson(mut x: f64, mut y: f64, mut z: f64) -> f64 {
    loop {
        let mean = (x + y + z) / 3.0;
        let (dx, dy, dz) = (1.0 - x / mean, 1.0 - y / mean, 1.0 - z / mean);
        // What is no number does not come nearer.
        if !(dx.abs().max(dy.abs()).max(dz.abs()) >= 1e-3) {
            let e2 = dx * dy - dz * dz;
            let e3 = dx * dy * dz;
            let series = 1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0
                - 3.0 * e2 * e3 / 44.0
                - 5.0 * e2 * e2 * e2 / 208.0
                + 3.0 * e3 * e3 / 104.0;
            return series / mean.sqrt();
        }
        let (rx, ry, rz) = (x.sqrt(), y.sqrt(), z.sqrt());
        let lambda = rx * ry + ry * rz + rz * rx;
        x = 0.25 * (x + lambda);
        y = 0.25 * (y + lambda);
        z = 0.25 * (z + lambda);
    }
}

#[cfg(test)]
mod tests {
    use super::odd_multiples_hyperbolic;

    /// Below −37 eˣ − 1 is −1 to the last digit: a body that turns almost about its intermediate axis had no finite
    /// attitude before it flipped, and less than all digits of it where x is not so far below zero.
    #[test]
    fn hyperbolic_functions_are_odd_and_even() {
        for x in [1e-3, 0.7, 4.0, 20.0, 45.0] {
            let ((sines, cosines), (other_sines, other_cosines)) =
                (odd_multiples_hyperbolic(x), odd_multiples_hyperbolic(-x));
            for n in 0..sines.len() {
                let multiple = (2 * n + 1) as f64 * x;
                let (sinh, cosh) = (libm::sinh(multiple), libm::cosh(multiple));
                // Three additions of angles, each of some roundings.
                assert!((sines[n] / sinh - 1.0).abs() < 1e-14, "{n}: {x}");
                assert!((cosines[n] / cosh - 1.0).abs() < 1e-14, "{n}: {x}");
                assert_eq!((other_sines[n], other_cosines[n]), (-sines[n], cosines[n]));
            }
        }
    }
}
