//! Several points at one instant, on bodies that turn.
//!
//! A box that lands flat touches the floor with two corners (four in 3-D) at the same instant. Answered one after the
//! other the first corner would give it a rotation that the second takes back only in part: what comes out would depend
//! on the order. Here all points are answered at once, and by a method that treats all of them alike.
//!
//! # The law
//!
//! With `v` the velocities of all bodies, `M` their masses and inertias, `N` and `T` the normal and tangential parts of
//! the relative velocities at the points, `p ≥ 0` the normal impulses and `q` the tangential ones:
//!
//! 1. **Compression**: the impact that ends without rebound, `v_c = v⁻ + M⁻¹(Nᵀp + Tᵀq)` with Coulomb's friction:
//!    `N v_c ≥ 0`, `p·N v_c = 0`, and at each point `|q| ≤ μ p`, `q` against the slip `T v_c`, or no slip.
//! 2. **Restitution** (Poisson's): the normal impulses become `(1 + ε) p`.
//! 3. **Friction**: with these, the tangential impulses are those that leave the least kinetic energy within
//!    `|q| ≤ μ (1+ε) p`. A point that has stopped to slide stays so: friction never throws the slip back.
//!
//! # Energy never grows for ε ≤ 1
//!
//! Let `Δ = v_c − v⁻`, and products be those of `M`. Compression has `v_c·Δ = p·N v_c + q·T v_c = q·T v_c ≤ 0`. If all
//! impulses were scaled by `1 + ε`, the velocities would be `v_c + ε Δ`, and
//!
//! ```text
//! |v_c + ε Δ|² − |v_c − Δ|² = (ε² − 1) |Δ|² + 2 (1 + ε) v_c·Δ ≤ 0.
//! ```
//!
//! The scaled tangential impulses `(1+ε) q` are among those that step 3 chooses from, and it leaves no more energy than
//! they do. Without friction and with ε = 1 the energy stays what it is. Not covered are points whose ε differ, points
//! that slide with a kinetic friction below the static one, and friction that jams (the harder it rubs the harder it is
//! pressed: then step 1 may have no solution that is found). There the energy is looked at in the end; where it has
//! grown the normal impulses are those without friction, and if need be the rebound is made smaller until the energy
//! has not grown.
//!
//! # One point
//!
//! One point is answered by the law that its surface names ([`respond`]): Stronge's energetic restitution, with the
//! slip followed over the impact. At several points the slip is not followed; its last state decides. Newton's law by
//! name keeps its own restitution: each point that pushes ends with `−ε` times its normal velocity, with friction along
//! the first slip; it may gain energy, which the budgets show. The other laws are for one point; at several Coulomb's
//! stands in for them.
//!
//! # How it is solved
//!
//! By steps that change all points at once (Jacobi's method with the masses of each body split among its points, as
//! many parts as it has points, which makes every step lower the energy), accelerated after Nesterov, until nothing
//! changes any more. Nowhere does the order of the points matter but for rounding.
//!
//! Sources: Poisson (1838); Glocker and Pfeiffer, "Multiple impacts with friction in rigid multibody systems" (1995);
//! Moreau, "Unilateral contact and dry friction" (1988); Tonge, Benevolenski and Voroshilov, "Mass splitting for
//! jitter-free parallel rigid body simulation" (2012).

use super::{Mode, respond};
use crate::contact::{Contact, Side};
use crate::material::{Law, Surface};
use crate::space::{Linear, Space};

/// A body that takes part, at the instant of the impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mover<S: Space> {
    /// 1/kg; zero for what nothing pushes back.
    pub inverse_mass: f64,
    /// In world axes, 1/(kg·m²).
    pub inverse_inertia: S::Inertia,
    /// Of the centre of mass, m/s.
    pub velocity: S::Vector,
    /// rad/s.
    pub angular_velocity: S::Angular,
}

impl<S: Space> Mover<S> {
    /// What nothing pushes back, at rest.
    pub fn fixed() -> Self {
        Mover {
            inverse_mass: 0.0,
            inverse_inertia: S::isotropic_inertia(0.0),
            velocity: S::Vector::ZERO,
            angular_velocity: S::Angular::ZERO,
        }
    }

    /// The velocity of its material at the end of an arm from its centre, m/s.
    #[inline]
    pub fn velocity_at(&self, arm: S::Vector) -> S::Vector {
        self.velocity + S::surface_velocity(self.angular_velocity, arm)
    }

    /// Gives it an impulse (kg·m/s) at the end of an arm.
    #[inline]
    pub fn push(&mut self, arm: S::Vector, impulse: S::Vector) {
        if self.inverse_mass > 0.0 {
            self.velocity += impulse * self.inverse_mass;
            self.angular_velocity +=
                S::angular_response(self.inverse_inertia, S::torque(arm, impulse));
        }
    }

    /// How much the velocity at the end of an arm changes by an impulse there, m/s.
    fn yields(&self, arm: S::Vector, impulse: S::Vector) -> S::Vector {
        let angular_velocity = S::angular_response(self.inverse_inertia, S::torque(arm, impulse));
        impulse * self.inverse_mass + S::surface_velocity(angular_velocity, arm)
    }

    fn side(&self, arm: S::Vector) -> Side<S> {
        Side {
            inverse_mass: self.inverse_mass,
            inverse_inertia: self.inverse_inertia,
            velocity: self.velocity,
            angular_velocity: self.angular_velocity,
            arm,
        }
    }
}

/// A point at which two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point<S: Space> {
    /// Which of the bodies *a* and *b* are.
    pub bodies: [usize; 2],
    /// Where it is, m.
    pub place: S::Vector,
    /// From the centres of *a* and *b* to it, m.
    pub arms: [S::Vector; 2],
    /// Of length one, out of *b* into *a*.
    pub normal: S::Vector,
    /// What the two materials are to each other.
    pub surface: Surface,
}

impl<S: Space> Point<S> {
    /// The velocity of *a*'s material there relative to *b*'s, m/s.
    pub fn relative_velocity(&self, movers: &[Mover<S>]) -> S::Vector {
        let [a, b] = self.bodies;
        movers[a].velocity_at(self.arms[0]) - movers[b].velocity_at(self.arms[1])
    }

    /// Negative where the bodies close there, m/s.
    pub fn normal_velocity(&self, movers: &[Mover<S>]) -> f64 {
        self.normal.dot(self.relative_velocity(movers))
    }

    /// As a contact of its own.
    pub fn contact(&self, movers: &[Mover<S>]) -> Contact<S> {
        let [a, b] = self.bodies;
        Contact {
            point: self.place,
            normal: self.normal,
            a: movers[a].side(self.arms[0]),
            b: movers[b].side(self.arms[1]),
        }
    }

    fn push(&self, movers: &mut [Mover<S>], impulse: S::Vector) {
        let [a, b] = self.bodies;
        movers[a].push(self.arms[0], impulse);
        movers[b].push(self.arms[1], -impulse);
    }

    fn tangential(&self, vector: S::Vector) -> S::Vector {
        vector - self.normal * self.normal.dot(vector)
    }
}

/// What a point did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointImpulse<S: Space> {
    /// On *a*; that on *b* is its opposite, kg·m/s.
    pub impulse: S::Vector,
    /// What the friction did.
    pub mode: Mode,
    /// Its part in the kinetic energy that was lost, J (negative where it gave some). The parts add up to the whole.
    pub energy_lost: f64,
    /// The part of it that friction took, J.
    pub lost_to_friction: f64,
}

/// Answers all points at once: the movers get their velocities after the impact, and each point says what it did.
///
/// ```
/// use carom::material::{Material, Surface};
/// use carom::kernels::response::several::{Mover, Point, respond_at_several};
/// use carom::space::Space2;
/// use glam::DVec2;
///
/// // A box of 2 m by 1 m and 3 kg lands flat on the floor at 4 m/s, with ε = 1/2.
/// let rough = Material { restitution: 0.5, static_friction: 0.3, kinetic_friction: 0.3, ..Material::default() };
/// let surface = Surface::of(&rough);
/// let mut movers = [
///     Mover::<Space2> {
///         inverse_mass: 1.0 / 3.0,
///         inverse_inertia: 12.0 / (3.0 * 5.0),
///         velocity: DVec2::new(0.0, -4.0),
///         angular_velocity: 0.0,
///     },
///     Mover::fixed(),
/// ];
/// let points = [-1.0, 1.0].map(|x| Point {
///     bodies: [0, 1],
///     place: DVec2::new(x, 0.0),
///     arms: [DVec2::new(x, -0.5), DVec2::new(x, 0.0)],
///     normal: DVec2::Y,
///     surface,
/// });
/// let impulses = respond_at_several(&mut movers, &points);
/// assert!((movers[0].velocity - DVec2::new(0.0, 2.0)).length() < 1e-12);
/// assert_eq!(movers[0].angular_velocity, 0.0); // it does not matter which corner comes first
/// assert!((impulses[0].impulse.y - 9.0).abs() < 1e-12); // each corner takes half of 3 kg · 6 m/s
/// ```
pub fn respond_at_several<S: Space>(
    movers: &mut [Mover<S>],
    points: &[Point<S>],
) -> Vec<PointImpulse<S>> {
    let before: Vec<S::Vector> = points
        .iter()
        .map(|point| point.relative_velocity(movers))
        .collect();
    let answered = match points {
        [] => return Vec::new(),
        [point] => {
            let response = respond(&point.contact(movers), &point.surface);
            let [a, b] = point.bodies;
            for (index, impulse, angular) in [
                (a, response.impulse, response.angular_a),
                (b, -response.impulse, response.angular_b),
            ] {
                let mover = &mut movers[index];
                mover.velocity += impulse * mover.inverse_mass;
                mover.angular_velocity += S::angular_response(mover.inverse_inertia, angular);
            }
            vec![(response.impulse, response.mode)]
        }
        points if points.iter().all(|point| point.surface.law == Law::Newton) => {
            newton(movers, points)
        }
        points => coulomb(movers, points),
    };
    let blow = |(index, (impulse, mode)): (usize, (S::Vector, Mode))| {
        let point = &points[index];
        // The impulse times the mean of the velocities before and after: velocities are linear in the impulses.
        let mean = (before[index] + point.relative_velocity(movers)) * 0.5;
        PointImpulse {
            impulse,
            mode,
            energy_lost: -impulse.dot(mean),
            lost_to_friction: -point.tangential(impulse).dot(mean),
        }
    };
    answered.into_iter().enumerate().map(blow).collect()
}

/// The softness of each point, 1/kg: bounds on what impulses change, with the masses of each body split among its
/// points.
///
/// Normal and tangent are coupled where a body is struck off its centre: the trace of the whole contact matrix, which
/// is never negative, bounds its largest eigenvalue. Without friction the normal part is bound enough.
struct Split(Vec<f64>);

impl Split {
    fn new<S: Space>(movers: &[Mover<S>], points: &[Point<S>], limits: &Limits) -> Self {
        let mut parts = vec![0.0; movers.len()];
        for body in points.iter().flat_map(|point| point.bodies) {
            parts[body] += 1.0;
        }
        let softness = |(point, &limit): (&Point<S>, &f64)| {
            let mut sum = 0.0;
            for (body, arm) in point.bodies.into_iter().zip(point.arms) {
                let mover = &movers[body];
                let yields = if limit > 0.0 {
                    trace(mover, arm)
                } else {
                    point.normal.dot(mover.yields(arm, point.normal))
                };
                sum += parts[body] * yields;
            }
            sum
        };
        Split(points.iter().zip(limits).map(softness).collect())
    }
}

fn trace<S: Space>(mover: &Mover<S>, arm: S::Vector) -> f64 {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let along = |axis| {
        let axis = S::vector(axis);
        axis.dot(mover.yields(arm, axis))
    };
    axes.into_iter().take(S::DIMENSION).map(along).sum()
}

/// What is solved for: normal and tangential impulses, kg·m/s.
#[derive(Clone)]
struct Impulses<S: Space> {
    normal: Vec<f64>,
    tangential: Vec<S::Vector>,
}

impl<S: Space> Impulses<S> {
    fn none(count: usize) -> Self {
        Impulses {
            normal: vec![0.0; count],
            tangential: vec![S::Vector::ZERO; count],
        }
    }

    fn applied(&self, movers: &[Mover<S>], points: &[Point<S>]) -> Vec<Mover<S>> {
        let mut pushed = movers.to_vec();
        for (index, point) in points.iter().enumerate() {
            let impulse = point.normal * self.normal[index] + self.tangential[index];
            point.push(&mut pushed, impulse);
        }
        pushed
    }
}

/// How much friction each point can give in terms of its normal impulse.
type Limits = Vec<f64>;

/// Rounds at the most; what is left then is far below what matters (and energy cannot grow by it).
const ROUNDS: usize = 4000;

/// Solves for the impulses that end the closing (`wanted`: the normal velocities to reach, m/s), or with given normal
/// impulses for the tangential ones alone.
fn solve<S: Space>(
    movers: &[Mover<S>],
    points: &[Point<S>],
    split: &Split,
    limits: &Limits,
    wanted: Option<&[f64]>,
    start: Impulses<S>,
) -> Impulses<S> {
    let mut now = start;
    let mut last = now.clone();
    let mut ahead = now.clone();
    let mut momentum = 1.0_f64;
    for _ in 0..ROUNDS {
        let pushed = ahead.applied(movers, points);
        let (mut change, mut size, mut uphill) = (0.0_f64, 0.0_f64, 0.0);
        for (index, point) in points.iter().enumerate() {
            let velocity = point.relative_velocity(&pushed);
            let along = point.normal.dot(velocity);
            let normal = match wanted {
                Some(wanted) if split.0[index] > 0.0 => {
                    (ahead.normal[index] - (along - wanted[index]) / split.0[index]).max(0.0)
                }
                _ => ahead.normal[index],
            };
            let limit = limits[index] * normal;
            let tangential = if limit > 0.0 && split.0[index] > 0.0 {
                let free =
                    ahead.tangential[index] - point.tangential(velocity) * (1.0 / split.0[index]);
                let length = free.length();
                if length > limit {
                    free * (limit / length)
                } else {
                    free
                }
            } else {
                S::Vector::ZERO
            };
            let step = (
                normal - now.normal[index],
                tangential - now.tangential[index],
            );
            uphill += (ahead.normal[index] - normal) * step.0 * split.0[index]
                + (ahead.tangential[index] - tangential).dot(step.1) * split.0[index];
            change = change.max(step.0.abs()).max(step.1.length());
            size = size.max(normal);
            last.normal[index] = now.normal[index];
            last.tangential[index] = now.tangential[index];
            now.normal[index] = normal;
            now.tangential[index] = tangential;
        }
        if change <= 1e-15 * size {
            break;
        }
        // Where the acceleration leads uphill it starts anew (O'Donoghue and Candès, 2015).
        let next = if uphill > 0.0 {
            1.0
        } else {
            0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt())
        };
        let ahead_by = if uphill > 0.0 {
            0.0
        } else {
            (momentum - 1.0) / next
        };
        momentum = next;
        for index in 0..points.len() {
            let step = now.normal[index] - last.normal[index];
            ahead.normal[index] = now.normal[index] + step * ahead_by;
            let step = now.tangential[index] - last.tangential[index];
            ahead.tangential[index] = now.tangential[index] + step * ahead_by;
        }
    }
    now
}

fn translational<S: Space>(
    movers: &[Mover<S>],
    impulses: &Impulses<S>,
    points: &[Point<S>],
) -> f64 {
    // The change of the kinetic energy: the impulses times the mean velocities.
    let pushed = impulses.applied(movers, points);
    let work = |(index, point): (usize, &Point<S>)| {
        let impulse = point.normal * impulses.normal[index] + impulses.tangential[index];
        0.5 * impulse.dot(point.relative_velocity(movers) + point.relative_velocity(&pushed))
    };
    points.iter().enumerate().map(work).sum()
}

/// Compression, restitution, friction: see the module.
fn coulomb<S: Space>(movers: &mut [Mover<S>], points: &[Point<S>]) -> Vec<(S::Vector, Mode)> {
    let count = points.len();
    let mut limits: Limits = points.iter().map(|p| p.surface.static_friction).collect();
    let rubbing = limits.iter().any(|&limit| limit > 0.0);
    let may_give = points.iter().any(|point| point.surface.restitution > 1.0);
    let at_rest = vec![0.0; count];
    let compress = |limits: &Limits, start: Impulses<S>| {
        let split = Split::new(movers, points, limits);
        solve(movers, points, &split, limits, Some(&at_rest), start)
    };
    let mut compression = compress(&limits, Impulses::none(count));
    if slide_kinetically(points, &compression, &mut limits) {
        compression = compress(&limits, compression);
    }
    let rebound = |compression: &Impulses<S>, share: f64, limits: &mut Limits| {
        let split = Split::new(movers, points, limits);
        let start = Impulses {
            normal: (points.iter().zip(&compression.normal))
                .map(|(point, normal)| normal * (1.0 + share * point.surface.restitution))
                .collect(),
            tangential: compression.tangential.clone(),
        };
        let mut solved = solve(movers, points, &split, limits, None, start);
        if slide_kinetically(points, &solved, limits) {
            solved = solve(movers, points, &split, limits, None, solved);
        }
        solved
    };
    let mut impulses = rebound(&compression, 1.0, &mut limits);
    let gains = |impulses: &Impulses<S>| !(translational(movers, impulses, points) <= 0.0);
    if rubbing && !may_give && gains(&impulses) {
        // Friction that jams what presses on it has no solution to converge to: normal impulses then are those without
        // friction.
        compression = compress(&at_rest, Impulses::none(count));
        impulses = rebound(&compression, 1.0, &mut limits);
    }
    if !may_give && gains(&impulses) {
        // A share of the rebound that keeps the energy: none does.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if gains(&rebound(&compression, middle, &mut limits)) {
                high = middle
            } else {
                low = middle
            }
        }
        impulses = rebound(&compression, low, &mut limits);
    }
    finish(movers, points, &impulses, &limits)
}

/// Points at which friction does all it can when it holds get what it does when it slides. Whether there are any.
fn slide_kinetically<S: Space>(
    points: &[Point<S>],
    impulses: &Impulses<S>,
    limits: &mut Limits,
) -> bool {
    let mut any = false;
    for (index, point) in points.iter().enumerate() {
        let all = limits[index] * impulses.normal[index];
        let slides = impulses.tangential[index].length() >= all * (1.0 - 1e-9);
        if slides && limits[index] > point.surface.kinetic_friction {
            limits[index] = point.surface.kinetic_friction;
            any = true;
        }
    }
    any
}

/// Applies the impulses, and says what friction did.
fn finish<S: Space>(
    movers: &mut [Mover<S>],
    points: &[Point<S>],
    impulses: &Impulses<S>,
    limits: &Limits,
) -> Vec<(S::Vector, Mode)> {
    let pushed = impulses.applied(movers, points);
    movers.copy_from_slice(&pushed);
    let what = |(index, point): (usize, &Point<S>)| {
        let (normal, tangential) = (impulses.normal[index], impulses.tangential[index]);
        let all = limits[index] * normal;
        let mode = if normal <= 0.0 {
            Mode::Idle
        } else if all <= 0.0 {
            Mode::Frictionless
        } else if tangential.length() < all * (1.0 - 1e-9) {
            Mode::Stick
        } else {
            Mode::Slide
        };
        (point.normal * normal + tangential, mode)
    };
    points.iter().enumerate().map(what).collect()
}

/// Newton's restitution at each point that pushes, with friction along the slip before: may gain energy.
///
/// Each point that is pushed apart ends with `−ε` times the normal velocity before, one that opens keeps opening at
/// least as fast as it was to.
fn newton<S: Space>(movers: &mut [Mover<S>], points: &[Point<S>]) -> Vec<(S::Vector, Mode)> {
    let limits: Limits = points.iter().map(|p| p.surface.kinetic_friction).collect();
    let split = Split::new(movers, points, &limits);
    let wanted: Vec<f64> = points
        .iter()
        .map(|point| -point.surface.restitution * point.normal_velocity(movers).min(0.0))
        .collect();
    let start = Impulses::none(points.len());
    let impulses = solve(movers, points, &split, &limits, Some(&wanted), start);
    finish(movers, points, &impulses, &limits)
}
