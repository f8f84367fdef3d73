//! The first contact of two moving and turning bodies, never missed.
//!
//! # The bound
//!
//! Let the bodies be apart at time t, with n a unit vector from *a* to *b* along which they are separated by s > 0.
//! Turn the direction steadily: `q(h) = n + h m` with any m across n, a time h later. A point of *a* at the arm p from
//! its centre is, by Taylor's theorem, at `x_a(t+h) + p + h ω×p + ρ` with `|ρ| ≤ ½ A_a h²`, where
//! `A_a ≥ |ω̇×p + ω×(ω×p)|` at all times and the flight of the centre is a known parabola. As `n·(ω×p) = p·(n×ω)`, the
//! farthest that *any* point of *a* can be along q is
//!
//! ```text
//! q·x_a(t+h) + H_a(n + h (n×ω_a + m)) + h² R_a |m×ω_a| + ½ A_a |q| h²,      H_a(k) = max p·k,  R_a = max |p|
//! ```
//!
//! with H the support function of the body as it is turned at t; the same holds for *b*. Let D, W, G be place, velocity
//! and acceleration of b's centre relative to a's. Then for all h in [0, h₁], with `|q| ≤ Q = √(1 + h₁² m²)`, the
//! separation along q is at least
//!
//! ```text
//! g(h) = n·D + h (n·W + m·D) − H_a(n + h (n×ω_a + m)) − H_b(−n − h (n×ω_b + m)) − ½ C h²
//! C = (A_a + A_b) Q − n·G − 2 m·W + h₁ |m·G| + 2 R_a |m×ω_a| + 2 R_b |m×ω_b|   (or 0, where that would be negative)
//! ```
//!
//! less the roundings of the parts, times |q|. **g is concave**: support functions are convex. So if g(0) ≥ 0 and g(L)
//! ≥ 0, then g ≥ 0 on all of [0, L]: there is a plane with the normal q(h) between the two *during the whole step* from
//! t to t + L. No contact can be missed, however fast the bodies spin, and nothing is asked of n and m: a poor choice
//! only makes the steps short. It holds for every convex shape alike, because only H is used; a rounded part has H of
//! its core, plus its radius.
//!
//! Where the centre of a body is on no parabola (a kinematic body that sways), its acceleration is bounded like that of
//! the points about it: the bound on it is part of A, and G is what the rest of the two flights has.
//!
//! For bodies far apart the balls around them give such a plane too, without the terms in ω and A.
//!
//! # How it converges
//!
//! n is the direction along which the bodies are farthest apart. m turns it with what it belongs to: with the face
//! whose normal it is, or so that it stays across the two edges. Then the separation and g differ by O(h²) only, and
//! where the bodies approach at speed v the gap is squared with each step, to the last digits: a handful of steps.
//! (With m = 0 the corners of a turning face far from the contact would spoil the first order.) Close to zero n comes
//! from faces and edges (`separate.rs`), not from the difference of two near points, whose direction would be lost.
//! When the gap is within what rounding makes of it, a last step of Newton's method on the features that touch,
//! bracketed by what the tolerance allows, yields the time.
//!
//! Where the bodies only graze, the steps shrink by a constant factor, down to `√(tolerance / C)`: a step of that
//! length is always allowed, since g falls by no more than the tolerance in it. So every search ends: at a contact, at
//! the end of the interval, or, after a number of steps, with [`Impact::ClearUntil`].
//!
//! # What counts as contact
//!
//! The rule of `impact/`: the first instant at which the gap is ≤ 0, to within the tolerance, and closing; or neither
//! closing nor opening, to within rounding, with accelerations that press. How fast it closes is told by the contact
//! points (`touch.rs`): the fastest of them counts, so that a plank which tips over an edge does not close although its
//! end goes down beside the table. Bodies that touch and part are left alone: g rises from zero, and the step reaches
//! to where it comes back. Bodies that overlap already and part are left alone as long as they do. The tolerance is
//! `128u` (1.4e-14) of the coordinates and sizes.

mod bound;
mod far;
mod progress;
mod windows;

use super::{RigidTrajectory, arch, inside, turning_wall};
use crate::impact::Impact;
use crate::shape::convex::{
    Axis, AxisKind, Compound, Convex, Core, Highest, PartPair, Placed, axis_between, faced,
    points_of, separation,
};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};
use bound::Bound;
use glam::{DMat3, DVec3};
pub(crate) use progress::{Progress, first_contact_before};
use windows::in_windows;

/// Looks at most this many times before it answers with what is certain so far.
const BUDGET: usize = 2_000;

/// No clock gets so far, s.
const LATEST: f64 = 1e100;

/// The first contact of two bodies on their trajectories in `[from, until)` (s): the first instant at which they touch
/// and close.
///
/// Both trajectories are on the same clock, and so are the times of the answer; [`Impact::Now`] is `from`.
///
/// ```
/// use carom::kernels::impact::Impact;
/// use carom::prelude::*;
/// use carom::kernels::solids::{RigidTrajectory, first_contact};
/// use carom::shape::{Convex, Compound};
///
/// # fn main() -> Result<(), carom::shape::ConvexError> {
/// // A square of side 2 m that turns at 1 rad/s while its centre rests 1.2 m above a floor.
/// let square = Compound::new(vec![Convex::<Space2>::block(DVec2::ONE)?], 1.0)?;
/// let floor = Compound::fixed(vec![Convex::half_space(DVec2::Y, 0.0)?])?;
/// let turning = RigidTrajectory::free(&square, 0.0, Pose::at(DVec2::new(0.0, 1.2)), DVec2::ZERO, 1.0, DVec2::ZERO);
/// let standing = RigidTrajectory::still(Pose::default());
/// let Impact::At(time) = first_contact(&square, &turning, &floor, &standing, 0.0, 10.0) else {
///     panic!("its corners reach 1.41 m");
/// };
/// // The corner is at height 1.2 − √2 sin(π/4 + t).
/// assert!((time - (libm::asin(1.2 / 2.0_f64.sqrt()) - std::f64::consts::FRAC_PI_4)).abs() < 1e-13);
/// # Ok(())
/// # }
/// ```
pub fn first_contact<S: Space>(
    a: &Compound<S>,
    trajectory_a: &RigidTrajectory<S>,
    b: &Compound<S>,
    trajectory_b: &RigidTrajectory<S>,
    from: f64,
    until: f64,
) -> Impact {
    if let ([part_a], [part_b]) = (a.parts(), b.parts()) {
        return first_contact_of_parts(part_a, trajectory_a, part_b, trajectory_b, from, until);
    }
    if b.has_many_parts() && trajectory_b.is_still() && a.reach().is_finite() {
        return in_windows(a, trajectory_a, b, trajectory_b, from, until, false);
    }
    if a.has_many_parts() && trajectory_a.is_still() && b.reach().is_finite() {
        return in_windows(b, trajectory_b, a, trajectory_a, from, until, true);
    }
    let parts_b: Vec<u32> = (0..b.parts().len() as u32).collect();
    of_parts(a, trajectory_a, b, trajectory_b, &parts_b, from, until)
}

/// The first contact with some parts of *b*.
fn of_parts<S: Space>(
    a: &Compound<S>,
    trajectory_a: &RigidTrajectory<S>,
    b: &Compound<S>,
    trajectory_b: &RigidTrajectory<S>,
    parts_b: &[u32],
    from: f64,
    until: f64,
) -> Impact {
    let mut answer = Impact::Never;
    let mut until = until;
    for part_a in a.parts() {
        for &j in parts_b {
            let part_b = &b.parts()[j as usize];
            match first_contact_of_parts(part_a, trajectory_a, part_b, trajectory_b, from, until) {
                Impact::Now => return Impact::Now,
                Impact::Never => {}
                found @ (Impact::At(time) | Impact::ClearUntil(time)) => {
                    answer = found;
                    until = time;
                }
            }
        }
    }
    answer
}

/// The same as [`first_contact`] for two parts.
pub fn first_contact_of_parts<S: Space>(
    a: &Convex<S>,
    trajectory_a: &RigidTrajectory<S>,
    b: &Convex<S>,
    trajectory_b: &RigidTrajectory<S>,
    from: f64,
    until: f64,
) -> Impact {
    if a.is_bare() || b.is_bare() {
        let poses = [trajectory_a, trajectory_b].map(|course| course.pose_at(from));
        let [a, b] = faced((a, &poses[0]), (b, &poses[1]));
        return first_contact_of_parts(&a, trajectory_a, &b, trajectory_b, from, until);
    }
    let arch = match (a.as_arch(), b.as_arch()) {
        (None, None) => None,
        (_, Some(arch)) => Some(((a, trajectory_a), (arch, trajectory_b))),
        (Some(arch), None) => Some(((b, trajectory_b), (arch, trajectory_a))),
    };
    if let Some((body, arch)) = arch {
        return arch::Search { body, arch }.run(from, until);
    }
    let turns = |part: &Convex<S>, course: &RigidTrajectory<S>| {
        matches!(part.core, Core::HalfSpace { .. }) && course.turns()
    };
    let wall = match (turns(a, trajectory_a), turns(b, trajectory_b)) {
        (false, false) => None,
        (_, true) => Some(((a, trajectory_a), (b, trajectory_b))),
        (true, false) => Some(((b, trajectory_b), (a, trajectory_a))),
    };
    if let Some((body, wall)) = wall {
        return turning_wall::Search { body, wall }.run(from, until);
    }
    let inside = match (a.as_inside(), b.as_inside()) {
        (None, None) => None,
        (_, Some(inside)) => Some(((a, trajectory_a), (inside, trajectory_b))),
        (Some(inside), None) => Some(((b, trajectory_b), (inside, trajectory_a))),
    };
    match inside {
        Some((body, inside)) => inside::Search { body, inside }.run(from, until),
        None => ContactSearch::new(a, trajectory_a, b, trajectory_b).run(from, until),
    }
}

struct ContactSearch<'a, S: Space> {
    a: (&'a Convex<S>, &'a RigidTrajectory<S>),
    b: (&'a Convex<S>, &'a RigidTrajectory<S>),
    /// `A_a + A_b`, m/s².
    bend: f64,
    /// What of it belongs to the centres, m/s².
    sway: f64,
    /// Balls about the centres of the bodies that contain the parts, m.
    reach: f64,
    /// A length of the pair, m.
    size: f64,
    rounding: f64,
}

/// The pair at one time.
struct PairAtTime<'a> {
    a: Placed<'a>,
    b: Placed<'a>,
    angular_velocity_a: DVec3,
    angular_velocity_b: DVec3,
    /// Of b's centre relative to a's.
    velocity: DVec3,
    acceleration: DVec3,
    /// The acceleration with what swaying has of it at this time.
    pull: DVec3,
    /// What rounding makes of a gap, m.
    tolerance: f64,
    /// A closing speed below this may be rounding, m/s.
    floor: f64,
}

impl<'a, S: Space> ContactSearch<'a, S> {
    fn new(
        a: &'a Convex<S>,
        trajectory_a: &'a RigidTrajectory<S>,
        b: &'a Convex<S>,
        trajectory_b: &'a RigidTrajectory<S>,
    ) -> Self {
        let bend = |part: &Convex<S>, course: &RigidTrajectory<S>| {
            if course.turns() {
                course.acceleration_within(part.arm)
            } else {
                0.0
            }
        };
        let finite = |r: f64| if r.is_finite() { r } else { 0.0 };
        let sway = trajectory_a.max_sway() + trajectory_b.max_sway();
        ContactSearch {
            a: (a, trajectory_a),
            b: (b, trajectory_b),
            bend: (bend(a, trajectory_a) + bend(b, trajectory_b) + sway) * (1.0 + 1e-14),
            sway: sway * (1.0 + 1e-14),
            reach: (a.arm + a.rounding + b.arm + b.rounding) * (1.0 + 1e-14),
            size: finite(a.ball.1) + finite(b.ball.1),
            rounding: a.rounding + b.rounding,
        }
    }

    fn scene(&self, time: f64) -> PairAtTime<'a> {
        let vector = |v: S::Vector| DVec3::from_array(S::components(v));
        let ((part_a, trajectory_a), (part_b, trajectory_b)) = (self.a, self.b);
        let (since_a, since_b) = (time - trajectory_a.since(), time - trajectory_b.since());
        let (axes_a, angular_velocity_a) = trajectory_a.axes_at(since_a);
        let (axes_b, angular_velocity_b) = trajectory_b.axes_at(since_b);
        let (place_a, place_b) = (
            trajectory_a.position_at(time),
            trajectory_b.position_at(time),
        );
        let (velocity_a, velocity_b) = (
            trajectory_a.velocity_at(time),
            trajectory_b.velocity_at(time),
        );
        let between = vector(place_b - place_a);
        let [angular_velocity_a, angular_velocity_b] = [angular_velocity_a, angular_velocity_b]
            .map(|angular_velocity| {
                DVec3::from_array(S::angular_velocity_components(angular_velocity))
            });
        let placed = |part: &'a Convex<S>, axes: DMat3, centre: DVec3| Placed {
            core: &part.core,
            rounding: part.rounding,
            axes,
            centre,
        };
        let reach = if self.reach.is_finite() {
            self.reach
        } else {
            self.size
        };
        let coordinates = place_a.length() + place_b.length() + reach;
        let arm = |part: &Convex<S>, angular_velocity: DVec3| {
            if angular_velocity == DVec3::ZERO {
                0.0
            } else {
                part.arm * Linear::length(angular_velocity)
            }
        };
        PairAtTime {
            a: placed(part_a, axes_a, DVec3::ZERO),
            b: placed(part_b, axes_b, between),
            angular_velocity_a,
            angular_velocity_b,
            velocity: vector(velocity_b - velocity_a),
            acceleration: vector(
                trajectory_b.flight().acceleration - trajectory_a.flight().acceleration,
            ),
            pull: vector(trajectory_b.acceleration_at(time) - trajectory_a.acceleration_at(time)),
            tolerance: 128.0 * UNIT_ROUNDOFF * coordinates,
            floor: 16.0
                * UNIT_ROUNDOFF
                * (velocity_a.length()
                    + velocity_b.length()
                    + arm(part_a, angular_velocity_a)
                    + arm(part_b, angular_velocity_b)),
        }
    }

    fn run(&self, from: f64, until: f64) -> Impact {
        self.run_before(Progress::at(from), (from, until), f64::INFINITY)
            .unwrap_or_else(|progress| Impact::ClearUntil(progress.time))
    }

    fn run_before(
        &self,
        progress: Progress,
        (from, until): (f64, f64),
        stop: f64,
    ) -> Result<Impact, Progress> {
        // Bodies that part all but without turning do so for ever, and places overflow where nobody ever looks.
        let until = until.min(LATEST);
        let Progress {
            mut time,
            mut hint,
            looks,
        } = progress;
        for look in looks..BUDGET {
            if !(time < until) {
                return Ok(Impact::Never);
            }
            if !(time < stop) {
                return Err(Progress {
                    time,
                    hint,
                    looks: look,
                });
            }
            let scene = self.scene(time);
            if let Some(step) = self.step_of_far(&scene) {
                time += step;
                continue;
            }
            let axis = self.axis(&scene, hint);
            hint = Some(axis.normal);
            let gap = axis.separation - self.rounding;
            if gap <= scene.tolerance {
                match self.touch(&scene, &axis, gap) {
                    Closeness::Contact(found) => {
                        let at = (time + found).max(from);
                        return Ok(if at >= until {
                            Impact::Never
                        } else if at > from {
                            Impact::At(at)
                        } else {
                            Impact::Now
                        });
                    }
                    Closeness::Separation(normal) => time += self.crawl(&scene, normal, time),
                }
                continue;
            }
            let tolerance = scene.tolerance;
            let step = self.longest(&scene, axis.normal, |bound| {
                bound.safe_step(0.5 * tolerance, 0.25 * tolerance, until - time)
            });
            // The last digit of the clock moves in any case.
            time = (time + step).max(time.next_up());
        }
        Ok(if time < until {
            Impact::ClearUntil(time)
        } else {
            Impact::Never
        })
    }

    fn axis(&self, scene: &PairAtTime, hint: Option<DVec3>) -> Axis {
        let hint = hint.unwrap_or_else(|| {
            let between = scene.b.place(self.b.0.ball.0) - scene.a.place(self.a.0.ball.0);
            if between == DVec3::ZERO {
                DVec3::X
            } else {
                between
            }
        });
        axis_between(
            &scene.a,
            &scene.b,
            hint,
            f64::INFINITY,
            self.size,
            S::DIMENSION == 2,
        )
    }

    /// The longest step that turning the direction with one body, with the other, with the edges or not at all allows.
    fn longest(&self, scene: &PairAtTime, normal: DVec3, step: impl Fn(&Bound) -> f64) -> f64 {
        let level = 1e-10 * self.size;
        let of_a = scene.a.core.highest(scene.a.own(normal), level);
        let of_b = scene.b.core.highest(-scene.b.own(normal), level);
        let with_a = scene.angular_velocity_a.cross(normal);
        let with_b = scene.angular_velocity_b.cross(normal);
        let try_turning = |turning: DVec3| {
            let bound = Bound::new(self, scene, normal, turning);
            step(&bound).min(bound.valid)
        };
        let half_space = |placed: &Placed| matches!(placed.core, Core::HalfSpace { .. });
        if half_space(&scene.a) || half_space(&scene.b) {
            // No other plane separates.
            return try_turning(DVec3::ZERO);
        }
        match (of_a, of_b) {
            (Highest::Face, Highest::Face) => try_turning(with_a).max(try_turning(with_b)),
            (Highest::Face, _) => try_turning(with_a),
            (_, Highest::Face) => try_turning(with_b),
            (Highest::Corner, Highest::Corner) => try_turning(DVec3::ZERO),
            (Highest::Edge(edge), Highest::Corner) => {
                try_turning(along(scene.a.turned(edge), with_a))
            }
            (Highest::Corner, Highest::Edge(edge)) => {
                try_turning(along(scene.b.turned(edge), with_b))
            }
            (Highest::Edge(edge_a), Highest::Edge(edge_b)) => {
                let (edge_a, edge_b) = (scene.a.turned(edge_a), scene.b.turned(edge_b));
                // It stays across an edge that turns with ω if m·e = (ω×n)·e.
                let cross = edge_a.cross(edge_b);
                let squared = Linear::length_squared(cross);
                let parallel = squared
                    <= 1e-12 * Linear::length_squared(edge_a) * Linear::length_squared(edge_b);
                if parallel {
                    try_turning(along(edge_a, with_a)).max(try_turning(along(edge_b, with_b)))
                } else {
                    let (p, q) = (Linear::dot(with_a, edge_a), Linear::dot(with_b, edge_b));
                    let turning = (edge_b.cross(cross) * p + cross.cross(edge_a) * q) / squared;
                    try_turning(turning)
                }
            }
        }
    }

    /// What becomes of bodies whose gap is within the tolerance, or that overlap.
    fn touch(&self, scene: &PairAtTime, axis: &Axis, gap: f64) -> Closeness {
        let rate = self.rate(scene, axis);
        if rate < -scene.floor {
            if let Some(other) = self.opening(scene, axis) {
                return Closeness::Separation(other);
            }
            // Newton's method, back too: a step that ended in the tolerance may have gone too far by it.
            let late = gap < -2.0 * scene.tolerance;
            let bend = self.bend + Linear::length(scene.acceleration);
            // In a slow closing it would lead astray: no farther than the tangent is good to the tolerance.
            let most = (scene.tolerance / (bend + f64::MIN_POSITIVE)).sqrt();
            let step = (gap / -rate).clamp(-most, most);
            return Closeness::Contact(if late { 0.0 } else { step });
        }
        if rate <= scene.floor && self.pressed(scene, axis.normal) {
            return Closeness::Contact(0.0);
        }
        Closeness::Separation(axis.normal)
    }

    /// How fast the gap of bodies that touch along an axis changes, m/s: the least over their contact points.
    fn rate(&self, scene: &PairAtTime, axis: &Axis) -> f64 {
        let pair = PartPair {
            a: scene.a,
            b: scene.b,
            balls: [self.a.0.ball, self.b.0.ball],
            size: self.size,
            planar: S::DIMENSION == 2,
        };
        let normal = axis.normal;
        let margin = (axis.separation - self.rounding).max(0.0) + 4.0 * scene.tolerance;
        let closing = |on_a: DVec3, on_b: DVec3| {
            let of_a = scene
                .angular_velocity_a
                .cross(on_a + normal * scene.a.rounding);
            let of_b = scene
                .angular_velocity_b
                .cross(on_b - normal * scene.b.rounding - scene.b.centre);
            Linear::dot(normal, scene.velocity + of_b - of_a)
        };
        let points = points_of(&pair, axis, margin);
        let rates = points.iter().map(|point| closing(point.on_a, point.on_b));
        let least = rates.fold(f64::INFINITY, f64::min);
        if least < f64::INFINITY {
            return least;
        }
        closing(scene.a.farthest(normal).0, scene.b.farthest(-normal).0)
    }

    /// Whether the accelerations at the farthest points press the bodies together.
    fn pressed(&self, scene: &PairAtTime, normal: DVec3) -> bool {
        let turning = |placed: &Placed, angular_velocity: DVec3, direction: DVec3| {
            if angular_velocity == DVec3::ZERO || matches!(placed.core, Core::HalfSpace { .. }) {
                return DVec3::ZERO;
            }
            let arm = placed.farthest(direction).0 - placed.centre;
            angular_velocity.cross(angular_velocity.cross(arm))
        };
        let relative = scene.pull + turning(&scene.b, scene.angular_velocity_b, -normal)
            - turning(&scene.a, scene.angular_velocity_a, normal);
        let sizes = Linear::length(scene.acceleration) + self.bend;
        Linear::dot(normal, relative) < -1e-12 * sizes
    }

    /// Where corners or edges look at each other many planes separate two bodies that touch: one along which they do
    /// not close, if there is one.
    fn opening(&self, scene: &PairAtTime, axis: &Axis) -> Option<DVec3> {
        if self.rounding > 0.0 {
            return None;
        }
        let (Core::Hull(hull_a), Core::Hull(hull_b)) = (scene.a.core, scene.b.core) else {
            return None;
        };
        let least = -2.0 * scene.tolerance;
        let candidates_a = hull_a
            .faces
            .iter()
            .enumerate()
            .map(|(i, f)| (scene.a.turned(f.normal), AxisKind::FaceA(i as u32)));
        let candidates_b = hull_b
            .faces
            .iter()
            .enumerate()
            .map(|(i, f)| (-scene.b.turned(f.normal), AxisKind::FaceB(i as u32)));
        let mut best: Option<(DVec3, f64)> = None;
        for (normal, kind) in candidates_a.chain(candidates_b) {
            let along_axis = Linear::dot(normal, axis.normal);
            // Others are far from separating, and the same direction is no other.
            if !(0.0..=1.0 - 1e-12).contains(&along_axis) {
                continue;
            }
            let separation = separation(&scene.a, &scene.b, normal);
            if separation < least {
                continue;
            }
            let other = Axis {
                normal,
                separation,
                kind,
            };
            let rate = self.rate(scene, &other);
            if rate >= -scene.floor && best.is_none_or(|(_, known)| rate > known) {
                best = Some((normal, rate));
            }
        }
        best.map(|(normal, _)| normal)
    }

    /// A step of bodies that touch and do not close: while the bound stays above where it is, but for the tolerance.
    fn crawl(&self, scene: &PairAtTime, normal: DVec3, time: f64) -> f64 {
        let tolerance = scene.tolerance;
        let step = self.longest(scene, normal, |bound| {
            let start = bound.at(0.0);
            let step = if start < -tolerance {
                bound.rise(start)
            } else {
                bound.safe_step(start.min(0.0) - tolerance, 0.25 * tolerance, f64::INFINITY)
            };
            // Over such a step the bound falls by no more than the tolerance below its tangent.
            let least = (tolerance / (f64::MIN_POSITIVE - bound.push)).sqrt();
            if step > 0.0 { step } else { least.min(1e-6) }
        });
        step.max(time.next_up() - time)
    }
}

/// What becomes of bodies that touch.
enum Closeness {
    /// They close, or are pressed together; the gap is zero after this time, s.
    Contact(f64),
    /// They do not close along this direction.
    Separation(DVec3),
}

/// The part of a vector along a direction.
fn along(direction: DVec3, vector: DVec3) -> DVec3 {
    direction * (Linear::dot(direction, vector) / Linear::length_squared(direction))
}
