//! A contact in its own axes and units.

use super::progress::{Progress, StraightRates};
use crate::contact::Contact;
use crate::space::{Linear, Space};
use glam::{DMat2, DVec2};

/// Normal and tangents of a contact, with K and the velocities along them.
///
/// Velocities are in units of the largest component of v_r and K in units of `n·K n`, so that no product leaves the
/// range of numbers. The plane has one tangent: there the second is the zero vector, and nothing couples to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactFrame<V> {
    tangents: [V; 2],
    /// kg·m/s.
    impulse_unit: f64,
    /// v_n and v_t.
    pub velocity: (f64, DVec2),
    /// K_tn; K_nn is one.
    pub coupling: DVec2,
    /// K_tt.
    pub tangent: DMat2,
    /// `1/m_a + 1/m_b`: K is at least this multiple of the identity.
    least: f64,
}

impl<V: Linear> ContactFrame<V> {
    pub fn of<S: Space<Vector = V>>(contact: &Contact<S>) -> Self {
        let yielding = contact.yields_to_normal();
        let unit = contact.normal.dot(yielding);
        let slip = real_slip(contact);
        let first = direction(contact, slip)
            .or_else(|| direction(contact, contact.tangential(yielding)))
            .unwrap_or_else(|| any_tangent(contact));
        let second = cross::<S>(contact.normal, first);
        let along = |v: V| DVec2::new(first.dot(v), second.dot(v));
        let normal_velocity = contact.normal_velocity();
        let speed_unit = S::components(slip)
            .iter()
            .fold(normal_velocity.abs(), |most, part| most.max(part.abs()));
        let mut tangent = DMat2::from_cols(
            along(contact.yields(first)) / unit,
            along(contact.yields(second)) / unit,
        );
        if S::DIMENSION == 2 {
            tangent.y_axis = DVec2::new(0.0, tangent.x_axis.x);
        }
        ContactFrame {
            tangents: [first, second],
            impulse_unit: speed_unit / unit,
            velocity: (
                normal_velocity / speed_unit,
                along(slip * (1.0 / speed_unit)),
            ),
            coupling: along(yielding) / unit,
            tangent,
            least: (contact.a.inverse_mass + contact.b.inverse_mass) / unit,
        }
    }

    /// The impulse so far, kg·m/s: its part along the normal, and the tangential vector.
    pub fn impulse(&self, progress: &Progress) -> (f64, V) {
        let q = progress.tangential * self.impulse_unit;
        (
            progress.normal * self.impulse_unit,
            self.tangents[0] * q.x + self.tangents[1] * q.y,
        )
    }
}

impl<V> ContactFrame<V> {
    /// `K_tt⁻¹ K_tn`: the friction, per normal impulse, that keeps the slip at zero (with the opposite sign).
    pub fn holding_ratio(&self) -> DVec2 {
        solve(self.tangent, self.least, self.coupling)
    }

    /// The rates while the contact sticks.
    ///
    /// `dv_n/dp = K_nn − K_nt K_tt⁻¹ K_tn = 1/(n·K⁻¹n)`, which is at least the least eigenvalue of K; the difference
    /// may cancel.
    pub fn sticking(&self) -> StraightRates {
        let ratio = self.holding_ratio();
        StraightRates {
            closing: (1.0 - self.coupling.dot(ratio)).max(self.least),
            friction: -ratio,
        }
    }

    /// The rates while the contact slips in a direction, and the growth `d|v_t|/dp` of the slip.
    ///
    /// Where the slip grows, `g ≥ 0`, along a direction that does not turn,
    /// `dv_n/dp = (n − μt̂)·K(n − μt̂) + μ g ≥ least (1 + μ²) + μ g`; the difference that defines it may cancel.
    pub fn sliding(&self, direction: DVec2, friction: f64) -> (StraightRates, f64) {
        let coupled = self.coupling.dot(direction);
        let growth = coupled - friction * direction.dot(self.tangent * direction);
        let mut closing = 1.0 - friction * coupled;
        if growth >= 0.0 {
            closing = closing.max(self.least * (1.0 + friction * friction) + friction * growth);
        }
        let rates = StraightRates {
            closing,
            friction: direction * -friction,
        };
        (rates, growth)
    }

    /// The direction in which slip starts where friction cannot hold it at zero.
    ///
    /// Slip grows from zero along t̂ at the rate g > 0 if `K_tn − μ K_tt t̂ = g t̂`, or `t̂ = (g + μ K_tt)⁻¹ K_tn`. The
    /// length of the right-hand side falls from `|K_tt⁻¹ K_tn|/μ > 1` at g = 0 to zero, so there is exactly one such g.
    /// Its inverse is concave in g, so Newton's method on `1/|t̂(g)| = 1` climbs to it from below without passing it
    /// (as in trust-region methods: Moré and Sorensen, 1983).
    pub fn resuming_direction(&self, friction: f64) -> DVec2 {
        let trace = self.tangent.x_axis.x + self.tangent.y_axis.y;
        let matrix = |g: f64| self.tangent * friction + DMat2::from_diagonal(DVec2::splat(g));
        let mut growth = (self.coupling.length() - friction * trace).max(0.0);
        let mut slip = self.coupling;
        for _ in 0..64 {
            let least = growth + friction * self.least;
            slip = solve(matrix(growth), least, self.coupling);
            let length = slip.length();
            let slope = slip.dot(solve(matrix(growth), least, slip));
            let step = length * length * (length - 1.0) / slope;
            let next = growth + step;
            if !(step > 0.0 && next > growth) {
                break;
            }
            growth = next;
        }
        slip.try_normalize().unwrap_or(DVec2::X)
    }
}

/// `M⁻¹ v` for a symmetric M whose eigenvalues are at least `least`; the determinant may cancel.
fn solve(m: DMat2, least: f64, v: DVec2) -> DVec2 {
    let (a, b, d) = (m.x_axis.x, 0.5 * (m.x_axis.y + m.y_axis.x), m.y_axis.y);
    if b == 0.0 {
        return DVec2::new(v.x / a, v.y / d);
    }
    let determinant = (a * d - b * b).max(least * least);
    DVec2::new(d * v.x - b * v.y, a * v.y - b * v.x) / determinant
}

/// The slip, or none where rounding alone explains it.
fn real_slip<S: Space>(contact: &Contact<S>) -> S::Vector {
    let slip = contact.slip();
    if slip.length() <= 0.25 * contact.approach_floor() {
        S::Vector::ZERO
    } else {
        slip
    }
}

/// The unit tangent along a vector. A short one is at right angles to the normal only after it is drawn out.
fn direction<S: Space>(contact: &Contact<S>, tangential: S::Vector) -> Option<S::Vector> {
    contact.tangential(tangential.unit()?).unit()
}

fn any_tangent<S: Space>(contact: &Contact<S>) -> S::Vector {
    let parts = S::components(contact.normal);
    let mut axis = [0.0; 3];
    let least = (0..S::DIMENSION).min_by(|&i, &j| parts[i].abs().total_cmp(&parts[j].abs()));
    axis[least.unwrap_or(0)] = 1.0;
    direction(contact, S::vector(axis)).unwrap_or_default()
}

/// `a × b`; zero in 2-D.
fn cross<S: Space>(a: S::Vector, b: S::Vector) -> S::Vector {
    let ([ax, ay, az], [bx, by, bz]) = (S::components(a), S::components(b));
    S::vector([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
}
