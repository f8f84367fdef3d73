//! Several contacts at one instant: one law for balls and for rigid bodies.
//!
//! A box that lands flat touches the floor with two corners (four in 3-D) at the same instant; a ball strikes two
//! others at once. Answered one after the other, the first contact would change what the second meets, and the outcome
//! would depend on the order. Here all points are answered at once, and by methods that treat all of them alike.
//!
//! # The law
//!
//! With `v` the velocities of all bodies, `M` their masses and inertias, `N` and `T` the normal and tangential parts of
//! the relative velocities at the points, `p ≥ 0` the normal impulses and `q` the tangential ones:
//!
//! 1. **Compression**: the impact that ends without rebound, `v_c = v⁻ + M⁻¹(Nᵀp + Tᵀq)` with Coulomb's friction:
//!    `N v_c ≥ 0`, `p·N v_c = 0`, and at each point `|q| ≤ μ p`, `q` against the slip `T v_c`, or no slip.
//! 2. **Restitution** (Poisson's): the normal impulses become `(1 + ε) p`. Without friction and with one ε for all
//!    points that is Newton's: each point that pushes ends with `−ε` times its normal velocity.
//! 3. **Friction**: with these, the tangential impulses are those that leave the least kinetic energy within
//!    `|q| ≤ μ (1+ε) p`. A point that has stopped to slide stays so: friction never throws the slip back.
//!
//! Where the normals of all points pass through the centres (balls), compression is without friction: normal and
//! tangent decouple at each of them. A point that would have to pull gives nothing. What the other friction laws are at
//! several points stands in `several/friction.rs`. Newton's is Coulomb's for balls, and beside points of other laws.
//! Where all points name it and some are eccentric it keeps its own restitution: each point that pushes ends with `−ε`
//! times its normal velocity, friction included; that may gain energy, which the budgets show.
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
//! they do. Without friction and with ε = 1 the energy stays what it is. The β law damps every slip by a factor of at
//! most 2 times what would stop it; with one factor for all points that mirrors the slip at most. Not covered are
//! points whose ε or factors differ, points that slide with a kinetic friction below the static one, and friction that
//! jams (the harder it rubs the harder it is pressed: then step 1 may have no solution that is found). There the energy
//! is looked at in the end; where it has grown, slips are stopped rather than damped, then the normal impulses are
//! those without friction, and if need be the rebound is made smaller until the energy has not grown.
//!
//! # One point
//!
//! One point is answered by the law that its surface names ([`respond`]): Stronge's energetic restitution where it is
//! eccentric, with the slip followed over the impact. At several points the slip is not followed; its last state
//! decides.
//!
//! # How it is solved
//!
//! Without friction by active sets (`several/direct.rs`). With it by an iteration that changes all points at once
//! (`several/iterate.rs`), after which the normal impulses are made exact.
//!
//! Sources: Poisson (1838); Glocker and Pfeiffer, "Multiple impacts with friction in rigid multibody systems" (1995);
//! Moreau, "Unilateral contact and dry friction" (1988).

mod direct;
mod friction;
mod iterate;

use super::{Mode, respond};
use crate::contact::{Contact, Side};
use crate::material::{Law, Surface};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};
use direct::Matrix;
use iterate::{Impulses, Limits, Split, solve};

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

impl<S: Space> From<&Side<S>> for Mover<S> {
    fn from(side: &Side<S>) -> Self {
        Mover {
            inverse_mass: side.inverse_mass,
            inverse_inertia: side.inverse_inertia,
            velocity: side.velocity,
            angular_velocity: side.angular_velocity,
        }
    }
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

    /// Whether the normal passes through the centre at the other end of an arm, as it does for balls, to the rounding
    /// of positions.
    fn is_through_centre(&self, arm: S::Vector) -> bool {
        let tolerance = 16.0 * UNIT_ROUNDOFF;
        S::area_squared(arm, self.normal)
            <= tolerance * tolerance * (self.place.length_squared() + arm.length_squared())
    }

    /// Whether the normal passes through the centre of both bodies that can move.
    fn is_central(&self, movers: &[Mover<S>]) -> bool {
        let central = |(body, arm): (usize, S::Vector)| {
            movers[body].inverse_mass == 0.0 || self.is_through_centre(arm)
        };
        self.bodies.into_iter().zip(self.arms).all(central)
    }

    /// Lets an impulse act there on *a*, and its opposite on *b*.
    pub(crate) fn push(&self, movers: &mut [Mover<S>], impulse: S::Vector) {
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
    respond_among(movers, points, None)
}

/// What joins bodies: given how impulses change their velocities, it adds what follows from that.
pub(crate) type Joined<'a, S> = Option<&'a dyn Fn(&mut [Mover<S>])>;

/// The same where joints leave bodies less than their masses: `M⁻¹` in the law then is
/// `M⁻¹ − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ J M⁻¹`, for one point, too. What friction laws take from the shape of two bodies they take
/// from the two alone.
pub(crate) fn respond_among<S: Space>(
    movers: &mut [Mover<S>],
    points: &[Point<S>],
    joined: Joined<'_, S>,
) -> Vec<PointImpulse<S>> {
    let before: Vec<S::Vector> = points
        .iter()
        .map(|point| point.relative_velocity(movers))
        .collect();
    let answered = match points {
        [] => return Vec::new(),
        [point] if joined.is_none() => {
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
        points => {
            let answers = simultaneous(movers, points, joined);
            let all = Impulses {
                normal: answers.iter().map(|answer| answer.0).collect(),
                tangential: answers.iter().map(|answer| answer.1).collect(),
            };
            movers.copy_from_slice(&all.applied(movers, points, joined));
            let impulse = |(point, (normal, tangential, mode)): (&Point<S>, PointAnswer<S>)| {
                (point.normal * normal + tangential, mode)
            };
            points.iter().zip(answers).map(impulse).collect()
        }
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

fn energy_gained<S: Space>(
    movers: &[Mover<S>],
    impulses: &Impulses<S>,
    (points, joined): (&[Point<S>], Joined<'_, S>),
) -> f64 {
    // The change of the kinetic energy: the impulses times the mean velocities.
    let pushed = impulses.applied(movers, points, joined);
    let work = |(index, point): (usize, &Point<S>)| {
        let impulse = point.normal * impulses.normal[index] + impulses.tangential[index];
        0.5 * impulse.dot(point.relative_velocity(movers) + point.relative_velocity(&pushed))
    };
    points.iter().enumerate().map(work).sum()
}

/// Normal and tangential impulse of a point, kg·m/s, and what friction did there.
pub(super) type PointAnswer<S> = (f64, <S as Space>::Vector, Mode);

/// The impulses of points that act at the same instant, by the law of this module, also where there is only one.
pub(super) fn simultaneous<S: Space>(
    movers: &[Mover<S>],
    points: &[Point<S>],
    joined: Joined<'_, S>,
) -> Vec<PointAnswer<S>> {
    let newtons = points.iter().all(|point| point.surface.law == Law::Newton);
    if newtons && joined.is_none() && !points.iter().all(|point| point.is_central(movers)) {
        newton(movers, points)
    } else {
        let impacts = PointImpacts {
            movers,
            points,
            joined,
        };
        impacts.answers()
    }
}

/// What happens to bodies at several points.
struct PointImpacts<'a, S: Space> {
    movers: &'a [Mover<S>],
    points: &'a [Point<S>],
    joined: Joined<'a, S>,
}

impl<S: Space> PointImpacts<'_, S> {
    /// Compression, restitution, friction: see the module.
    fn answers(&self) -> Vec<PointAnswer<S>> {
        let PointImpacts {
            movers,
            points,
            joined,
        } = *self;
        let mut limits = friction::while_compressed(movers, points, joined.is_some());
        let rubbing = limits.iter().any(|&limit| limit > 0.0);
        let damping = friction::damping(movers, points);
        let undamped = damping.iter().all(|&factor| factor == 1.0);
        if !rubbing
            && undamped
            && let Some(normal) = self.smooth()
        {
            // Energy cannot grow: not by one restitution for all, and friction takes.
            friction::after_compression(movers, points, &mut limits);
            let none = Impulses::none(points.len());
            let impulses = self.rub(Impulses { normal, ..none }, &mut limits);
            return answers_of(points, &impulses, &limits);
        }
        let compression = self.compress(&mut limits);
        friction::after_compression(movers, points, &mut limits);
        let mut impulses = self.rebound(&compression, 1.0, &mut limits);
        let stopped = impulses.clone();
        damp(&mut impulses, &damping, 1.0);
        let may_give = points.iter().any(|point| point.surface.restitution > 1.0);
        if !may_give && self.gains(&impulses) {
            impulses = if self.gains(&stopped) {
                self.without_gain(&compression, rubbing, &mut limits)
            } else {
                largest(|share| {
                    let mut damped = stopped.clone();
                    damp(&mut damped, &damping, share);
                    (!self.gains(&damped)).then_some(damped)
                })
                .unwrap_or(stopped)
            };
        }
        answers_of(points, &impulses, &limits)
    }

    /// The normal impulses without friction and with one ε for all, which is Newton's restitution: in one go.
    fn smooth(&self) -> Option<Vec<f64>> {
        let PointImpacts {
            movers,
            points,
            joined,
        } = *self;
        let restitution = points[0].surface.restitution;
        let alike = (points.iter()).all(|point| point.surface.restitution == restitution);
        if !alike || points.len() > direct::MOST {
            return None;
        }
        let change = |point: &Point<S>| -(1.0 + restitution) * point.normal_velocity(movers);
        let missing: Vec<f64> = points.iter().map(change).collect();
        Matrix::new(movers, points, joined).solve(&missing)
    }

    /// Impulses that keep the energy from growing where friction has no solution or the restitutions differ.
    fn without_gain(
        &self,
        compression: &Impulses<S>,
        rubbing: bool,
        limits: &mut Limits,
    ) -> Impulses<S> {
        let mut compression = compression.clone();
        if rubbing {
            // Friction that jams what presses on it has no solution to converge to: normal impulses then are those
            // without friction.
            compression = self.compress(&mut vec![0.0; self.points.len()]);
            let impulses = self.rebound(&compression, 1.0, limits);
            if !self.gains(&impulses) {
                return impulses;
            }
        }
        // A share of the rebound that keeps the energy: none does.
        let within = largest(|share| {
            let impulses = self.rebound(&compression, share, limits);
            (!self.gains(&impulses)).then_some(impulses)
        });
        within.unwrap_or_else(|| self.rebound(&compression, 0.0, limits))
    }

    /// The impulses that end all closing without a rebound. Limits of points that slide become those of sliding.
    fn compress(&self, limits: &mut Limits) -> Impulses<S> {
        let PointImpacts {
            movers,
            points,
            joined,
        } = *self;
        let closing: Vec<f64> = points.iter().map(|p| -p.normal_velocity(movers)).collect();
        let matrix = (points.len() <= direct::MOST).then(|| Matrix::new(movers, points, joined));
        let none = Impulses::none(points.len());
        if limits.iter().all(|&limit| limit == 0.0)
            && let Some(normal) = matrix.as_ref().and_then(|matrix| matrix.solve(&closing))
        {
            return Impulses { normal, ..none };
        }
        let at_rest = vec![0.0; points.len()];
        let iterate = |limits: &Limits, start: Impulses<S>| {
            let split = Split::new(movers, points, limits);
            solve(
                (movers, points, joined),
                &split,
                limits,
                Some(&at_rest),
                start,
            )
        };
        let mut compression = iterate(limits, none);
        if slide_kinetically(movers, points, &compression, limits) {
            compression = iterate(limits, compression);
        }
        if let Some(matrix) = matrix {
            let pushed = compression.applied(movers, points, joined);
            let left: Vec<f64> = points.iter().map(|p| -p.normal_velocity(&pushed)).collect();
            let speed = closing.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            matrix.polish(&left, speed, &mut compression.normal);
        }
        compression
    }

    /// A share of the rebound, and the friction that goes with it.
    fn rebound(&self, compression: &Impulses<S>, share: f64, limits: &mut Limits) -> Impulses<S> {
        let points = self.points;
        let grown =
            |(point, normal): (&Point<S>, &f64)| normal * (1.0 + share * point.surface.restitution);
        let start = Impulses {
            normal: points.iter().zip(&compression.normal).map(grown).collect(),
            tangential: compression.tangential.clone(),
        };
        self.rub(start, limits)
    }

    /// The friction that goes with normal impulses.
    fn rub(&self, start: Impulses<S>, limits: &mut Limits) -> Impulses<S> {
        let PointImpacts {
            movers,
            points,
            joined,
        } = *self;
        if limits.iter().all(|&limit| limit == 0.0) {
            return start;
        }
        let split = Split::new(movers, points, limits);
        let mut solved = solve((movers, points, joined), &split, limits, None, start);
        if slide_kinetically(movers, points, &solved, limits) {
            solved = solve((movers, points, joined), &split, limits, None, solved);
        }
        solved
    }

    fn gains(&self, impulses: &Impulses<S>) -> bool {
        let points = (self.points, self.joined);
        !(energy_gained(self.movers, impulses, points) <= 0.0)
    }
}

/// What the largest share, from 0 to 1, gives for which there is something.
fn largest<T>(mut of: impl FnMut(f64) -> Option<T>) -> Option<T> {
    let (mut low, mut high) = (0.0, 1.0);
    let mut found = None;
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        match of(middle) {
            Some(value) => (low, found) = (middle, Some(value)),
            None => high = middle,
        }
    }
    found
}

/// Scales the tangential impulses, by a share of the way from one to the factors.
fn damp<S: Space>(impulses: &mut Impulses<S>, factors: &[f64], share: f64) {
    for (impulse, factor) in impulses.tangential.iter_mut().zip(factors) {
        if *factor != 1.0 {
            *impulse = *impulse * (1.0 + share * (factor - 1.0));
        }
    }
}

/// Points at which friction does all it can when it holds get what it does when it slides. Whether there are any.
fn slide_kinetically<S: Space>(
    movers: &[Mover<S>],
    points: &[Point<S>],
    impulses: &Impulses<S>,
    limits: &mut Limits,
) -> bool {
    let mut any = false;
    for (index, point) in points.iter().enumerate() {
        let all = limits[index] * impulses.normal[index];
        let slides = impulses.tangential[index].length() >= all * (1.0 - 1e-9);
        if slides {
            let kinetic = friction::sliding(movers, point);
            any |= limits[index] > kinetic;
            limits[index] = limits[index].min(kinetic);
        }
    }
    any
}

/// The impulses point by point, with what friction did.
fn answers_of<S: Space>(
    points: &[Point<S>],
    impulses: &Impulses<S>,
    limits: &Limits,
) -> Vec<PointAnswer<S>> {
    let what = |(index, point): (usize, &Point<S>)| {
        let (normal, tangential) = (impulses.normal[index], impulses.tangential[index]);
        let all = limits[index] * normal;
        let mode = if normal <= 0.0 {
            Mode::Idle
        } else if point.surface.law == Law::Beta {
            Mode::Damped
        } else if all <= 0.0 {
            Mode::Frictionless
        } else if tangential.length() < all * (1.0 - 1e-9) {
            Mode::Stick
        } else {
            Mode::Slide
        };
        (normal, tangential, mode)
    };
    points.iter().enumerate().map(what).collect()
}

/// Newton's restitution at each point that pushes, friction included: may gain energy.
///
/// Each point that is pushed apart ends with `−ε` times the normal velocity before, one that opens keeps opening at
/// least as fast as it was to.
fn newton<S: Space>(movers: &[Mover<S>], points: &[Point<S>]) -> Vec<PointAnswer<S>> {
    let limits: Limits = points.iter().map(|p| p.surface.kinetic_friction).collect();
    let split = Split::new(movers, points, &limits);
    let wanted: Vec<f64> = points
        .iter()
        .map(|point| -point.surface.restitution * point.normal_velocity(movers).min(0.0))
        .collect();
    let start = Impulses::none(points.len());
    let impulses = solve(
        (movers, points, None),
        &split,
        &limits,
        Some(&wanted),
        start,
    );
    answers_of(points, &impulses, &limits)
}
