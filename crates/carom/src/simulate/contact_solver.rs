//! Lasting contacts at the level of velocities: what contact impulses keep bodies apart and hold them by friction.
//!
//! At each point the normal impulse p and the tangential one q, summed over the step, obey Signorini's and Coulomb's
//! conditions:
//!
//! ```text
//! u_n ≥ w,  p ≥ 0,  p (u_n − w) = 0;        |q| ≤ μ p,  and q against the slip where |q| = μ p
//! ```
//!
//! Where a round body rolls, a torque acts against its turning relative to the other, of at most a length times p:
//! about tangents against rolling, about the normal against spinning on the spot.
//!
//! Here w is the normal velocity that is wanted: `−gap/τ` on the way to the end of a step of length τ (so that the
//! bodies just touch then), zero, or what a rebound gives. They are solved point after point (Gauss–Seidel), forth and
//! back, from the impulses of the step before, accelerated by conjugate gradients, until no point changes a velocity by
//! more than the tolerance, or the rounds are used up; what was left is returned.
//!
//! Source of the acceleration: Silcowitz, Niebe and Erleben, "A nonsmooth nonlinear conjugate gradient method for
//! interactive contact force problems" (2010).

mod polish;

use crate::response::several::Mover;
use crate::space::{Linear, Space};

pub(super) use polish::polish;

/// A point of a lasting contact, as the solver sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<S: Space> {
    /// Which movers; the normal points into the first.
    pub bodies: [u32; 2],
    pub arms: [S::Vector; 2],
    pub normal: S::Vector,
    /// What holds, and what rubs.
    pub friction: [f64; 2],
    /// Whether it slides: then the second one counts.
    pub slides: bool,
    /// The normal velocity to reach, m/s.
    pub wanted: f64,
    /// The tangential velocity at which it does not slip, m/s: not zero where points leave the straight line in a step.
    pub slip: S::Vector,
    /// The largest torques against rolling and against spinning, in units of the force that presses, m.
    pub levers: [f64; 2],
    /// Impulses so far, kg·m/s, and the angular one of the torques, kg·m²/s.
    pub pressed: f64,
    pub rubbed: S::Vector,
    pub twisted: S::Angular,
    /// A bound from below on the inertia against which a torque acts, kg·m².
    around: f64,
    /// 1/(n·K n), kg.
    along: f64,
    /// The least of 1/(t·K t) for all tangents t, kg.
    across: f64,
    /// The squares of their inverses, 1/kg².
    inverse: [f64; 2],
}

/// Normal and tangential impulses, kg·m/s, and the angular one, kg·m²/s.
type Impulses<S> = (f64, <S as Space>::Vector, <S as Space>::Angular);

impl<S: Space> Row<S> {
    pub fn new(
        bodies: [u32; 2],
        arms: [S::Vector; 2],
        normal: S::Vector,
        friction: [f64; 2],
        movers: &[Mover<S>],
    ) -> Self {
        let response = |direction: S::Vector| {
            let of = |side: usize| {
                let mover = &movers[bodies[side] as usize];
                let torque = S::torque(arms[side], direction);
                let angular_velocity = S::angular_response(mover.inverse_inertia, torque);
                direction * mover.inverse_mass + S::surface_velocity(angular_velocity, arms[side])
            };
            of(0) + of(1)
        };
        let mut row = Row {
            bodies,
            arms,
            normal,
            friction,
            slides: false,
            wanted: 0.0,
            slip: S::Vector::ZERO,
            levers: [0.0; 2],
            pressed: 0.0,
            rubbed: S::Vector::ZERO,
            twisted: S::Angular::ZERO,
            around: 0.0,
            along: 0.0,
            across: 0.0,
            inverse: [0.0; 2],
        };
        row.measure(response);
        row
    }

    /// Takes in how the relative velocity there responds to impulses.
    pub fn measure(&mut self, response: impl Fn(S::Vector) -> S::Vector) {
        let normal = self.normal;
        let yields = |direction: S::Vector| direction.dot(response(direction));
        let along = yields(normal);
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let trace: f64 = axes
            .into_iter()
            .take(S::DIMENSION)
            .map(|axis| yields(S::vector(axis)))
            .sum();
        // What is left of the trace belongs to the tangents: λ₁ + λ₂ in space, and the step of friction is that of the
        // larger one. λ₁² + λ₂² is the sum of the squares of the tangential block.
        let mut across = trace - along;
        if S::DIMENSION == 3 {
            let along_plane = |vector: S::Vector| vector - normal * normal.dot(vector);
            let square = |axis: [f64; 3]| {
                let moved = response(along_plane(S::vector(axis)));
                along_plane(moved).length_squared()
            };
            let squares: f64 = axes.into_iter().map(square).sum();
            let apart = (2.0 * squares - across * across).max(0.0).sqrt();
            across = 0.5 * (across + apart);
        }
        let inverse = |value: f64| if value > 0.0 { 1.0 / value } else { 0.0 };
        (self.along, self.across) = (inverse(along), inverse(across));
        self.inverse = [along * along, across * across];
    }

    /// Lets torques act, of at most so many lengths (m) times the force.
    pub fn with_levers(mut self, levers: [f64; 2], movers: &[Mover<S>]) -> Self {
        if levers == [0.0; 2] {
            return self;
        }
        self.levers = levers;
        let axes = match S::DIMENSION {
            2 => &[[0.0, 0.0, 1.0]][..],
            _ => &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        };
        let yields = |axis: &[f64; 3]| {
            let torque = S::angular_velocity(*axis);
            let of = |body: u32| {
                S::angular_response(movers[body as usize].inverse_inertia, torque).dot(torque)
            };
            of(self.bodies[0]) + of(self.bodies[1])
        };
        let trace: f64 = axes.iter().map(yields).sum();
        self.around = if trace > 0.0 { 1.0 / trace } else { 0.0 };
        self
    }

    /// Begins with an angular impulse, where torques act at all: friction may be others than before.
    pub fn take_twist(&mut self, twisted: S::Angular) {
        if self.around > 0.0 {
            self.twisted = twisted;
        }
    }

    /// How fast the first turns relative to the second, rad/s.
    pub fn turning(&self, movers: &[Mover<S>]) -> S::Angular {
        let [a, b] = self.bodies.map(|body| body as usize);
        movers[a].angular_velocity - movers[b].angular_velocity
    }

    fn twist(&self, movers: &mut [Mover<S>], angular: S::Angular) {
        for (side, angular) in [(0, angular), (1, -angular)] {
            let mover = &mut movers[self.bodies[side] as usize];
            if mover.inverse_mass > 0.0 {
                mover.angular_velocity += S::angular_response(mover.inverse_inertia, angular);
            }
        }
    }

    /// The parts of an angular impulse against rolling and against spinning.
    pub fn split(&self, angular: S::Angular) -> [S::Angular; 2] {
        if S::DIMENSION == 2 {
            return [angular, S::Angular::ZERO];
        }
        let normal = S::angular_velocity(S::components(self.normal));
        let spinning = normal * normal.dot(angular);
        [angular - spinning, spinning]
    }

    /// Answers with torques; how much that changed the velocity at the end of a lever, m/s.
    fn resist(&mut self, movers: &mut [Mover<S>]) -> f64 {
        let free = self.twisted - self.turning(movers) * self.around;
        let [rolling, spinning] = self.split(free);
        let within = |angular: S::Angular, lever: f64| {
            let (size, limit) = (angular.length(), lever * self.pressed);
            if size > limit {
                angular * (limit / size)
            } else {
                angular
            }
        };
        let twisted = within(rolling, self.levers[0]) + within(spinning, self.levers[1]);
        let step = twisted - self.twisted;
        self.twisted = twisted;
        self.twist(movers, step);
        step.length() / self.around * self.levers[0].max(self.levers[1])
    }

    /// The velocity of the first at the point relative to the second, m/s.
    #[inline]
    pub fn velocity(&self, movers: &[Mover<S>]) -> S::Vector {
        let [a, b] = self.bodies.map(|body| body as usize);
        movers[a].velocity_at(self.arms[0]) - movers[b].velocity_at(self.arms[1])
    }

    /// Negative where the two close there, m/s.
    pub fn normal_velocity(&self, movers: &[Mover<S>]) -> f64 {
        self.normal.dot(self.velocity(movers))
    }

    #[inline]
    pub fn push(&self, movers: &mut [Mover<S>], impulse: S::Vector) {
        let [a, b] = self.bodies.map(|body| body as usize);
        movers[a].push(self.arms[0], impulse);
        movers[b].push(self.arms[1], -impulse);
    }

    /// Gives again what it gave before, to start from.
    pub fn warm(&self, movers: &mut [Mover<S>]) {
        let impulse = self.normal * self.pressed + self.rubbed;
        if impulse != S::Vector::ZERO {
            self.push(movers, impulse);
        }
        if self.twisted != S::Angular::ZERO {
            self.twist(movers, self.twisted);
        }
    }

    fn impulses(&self) -> Impulses<S> {
        (self.pressed, self.rubbed, self.twisted)
    }

    /// What its impulses have grown by since they were others.
    fn since(&self, before: &Impulses<S>) -> Impulses<S> {
        (
            self.pressed - before.0,
            self.rubbed - before.1,
            self.twisted - before.2,
        )
    }

    /// 1/kg.
    fn softness(&self) -> f64 {
        if self.along > 0.0 {
            1.0 / self.along
        } else {
            0.0
        }
    }

    pub fn limit(&self) -> f64 {
        self.friction[usize::from(self.slides)]
    }

    /// Answers its own conditions; the square of how much that changed the velocities, m²/s².
    #[inline]
    fn solve(
        &mut self,
        movers: &mut [Mover<S>],
        mut follow: impl FnMut(S::Vector, &mut [Mover<S>]),
    ) -> f64 {
        if self.along == 0.0 {
            return 0.0;
        }
        let velocity = self.velocity(movers);
        let missing = self.wanted - self.normal.dot(velocity);
        let pressed = (self.pressed + missing * self.along).max(0.0);
        let step = pressed - self.pressed;
        self.pressed = pressed;
        let mut changed = step * step * self.inverse[0];
        let mut impulse = self.normal * step;
        if self.friction[0] > 0.0 && (pressed > 0.0 || self.rubbed != S::Vector::ZERO) {
            let slip = velocity - self.normal * self.normal.dot(velocity) - self.slip;
            let free = self.rubbed - slip * self.across;
            let limit = self.limit() * pressed;
            let square = free.length_squared();
            let rubbed = if square > limit * limit {
                free * (limit / square.sqrt())
            } else {
                free
            };
            let step = rubbed - self.rubbed;
            self.rubbed = rubbed;
            changed = changed.max(step.length_squared() * self.inverse[1]);
            impulse += step;
        }
        if impulse != S::Vector::ZERO {
            self.push(movers, impulse);
            follow(impulse, movers);
        }
        if self.around > 0.0 && (pressed > 0.0 || self.twisted != S::Angular::ZERO) {
            let resisted = self.resist(movers);
            changed = changed.max(resisted * resisted);
        }
        changed
    }
}

/// Every so many rounds all points are looked at, in the others those that press.
const OFTEN: usize = 8;

/// Solves all rows; the largest change of a velocity (m/s) in the last round.
///
/// A round goes forth and back. From round to round it is led on in the direction that it took before, by as much as it
/// still changes (nonsmooth nonlinear conjugate gradients): a blow goes through a stack of n boxes in some n rounds in
/// place of n².
pub(super) fn solve<S: Space>(
    rows: &mut [Row<S>],
    movers: &mut [Mover<S>],
    tolerance: f64,
    rounds: usize,
) -> f64 {
    solve_beside(rows, movers, &mut Nothing, (tolerance, rounds))
}

/// What joins bodies beside the points of contacts: it answers to whatever these do.
pub(super) trait Beside<S: Space> {
    /// Answers to an impulse (kg·m/s) that a row has just given.
    fn follow(&mut self, row: usize, impulse: S::Vector, movers: &mut [Mover<S>]);

    /// Answers to all else; the square of the largest change of a velocity, m²/s².
    fn settle(&mut self, movers: &mut [Mover<S>]) -> f64;
}

struct Nothing;

impl<S: Space> Beside<S> for Nothing {
    #[inline]
    fn follow(&mut self, _: usize, _: S::Vector, _: &mut [Mover<S>]) {}

    #[inline]
    fn settle(&mut self, _: &mut [Mover<S>]) -> f64 {
        0.0
    }
}

/// The same beside joints.
///
/// Longer than most: one round, whose parts share what it has found.
pub(super) fn solve_beside<S: Space>(
    rows: &mut [Row<S>],
    movers: &mut [Mover<S>],
    beside: &mut impl Beside<S>,
    (tolerance, rounds): (f64, usize),
) -> f64 {
    let mut left = 0.0;
    let nothing = (0.0, S::Vector::ZERO, S::Angular::ZERO);
    let mut before: Vec<Impulses<S>> = rows.iter().map(Row::impulses).collect();
    let mut led: Vec<Impulses<S>> = vec![nothing; rows.len()];
    let mut last = f64::INFINITY;
    let mut busy: Vec<u32> = Vec::with_capacity(rows.len());
    // Those that give something, or gave it in the round before.
    let mut lively: Vec<u32> = Vec::with_capacity(rows.len());
    let mut round = 0;
    for _ in 0..rounds {
        left = 0.0;
        for &k in &lively {
            before[k as usize] = rows[k as usize].impulses();
        }
        // Most points of a heap give nothing and are not needed: they are looked at now and then, and in the end.
        let all = round % OFTEN == 0;
        if all {
            busy.clear();
            lively.clear();
            for (k, row) in rows.iter_mut().enumerate() {
                let follow = |given, movers: &mut [Mover<S>]| beside.follow(k, given, movers);
                left = row.solve(movers, follow).max(left);
                if row.pressed > 0.0 || row.twisted != S::Angular::ZERO {
                    busy.push(k as u32);
                    lively.push(k as u32);
                } else if before[k] != nothing || led[k] != nothing || row.rubbed != nothing.1 {
                    lively.push(k as u32);
                }
            }
        } else {
            for &k in &busy {
                let k = k as usize;
                let follow = |given, movers: &mut [Mover<S>]| beside.follow(k, given, movers);
                left = rows[k].solve(movers, follow).max(left);
            }
        }
        for &k in busy.iter().rev() {
            let k = k as usize;
            let follow = |given, movers: &mut [Mover<S>]| beside.follow(k, given, movers);
            left = rows[k].solve(movers, follow).max(left);
        }
        left = beside.settle(movers).max(left);
        round += 1;
        if left <= tolerance * tolerance {
            if all {
                break;
            }
            // Whether the others are still idle is looked at in the next round.
            round = round.next_multiple_of(OFTEN);
        }
        let change = |&k: &u32| {
            let (row, before) = (&rows[k as usize], &before[k as usize]);
            let (along, across) = (row.pressed - before.0, row.rubbed - before.1);
            // In terms of energy, so that heavy and light bodies count alike.
            let size = along * along * row.softness() + across.length_squared() * row.softness();
            if row.around > 0.0 {
                size + (row.twisted - before.2).length_squared() / row.around
            } else {
                size
            }
        };
        let size = lively.iter().map(change).fold(0.0, |sum, size| sum + size);
        let share = size / last;
        last = size;
        if !(share < 1.0) {
            last = if share.is_finite() {
                size
            } else {
                f64::INFINITY
            };
            for &k in &lively {
                led[k as usize] = rows[k as usize].since(&before[k as usize]);
            }
            continue;
        }
        for &k in &lively {
            let k = k as usize;
            let (led, row, before) = (&mut led[k], &mut rows[k], &before[k]);
            let step = (led.0 * share, led.1 * share, led.2 * share);
            *led = (
                step.0 + row.pressed - before.0,
                step.1 + row.rubbed - before.1,
                step.2 + row.twisted - before.2,
            );
            // Not beyond what can be: nothing pulls.
            let pressed = (row.pressed + step.0).max(0.0);
            let along = pressed - row.pressed;
            row.pressed = pressed;
            row.rubbed += step.1;
            let given = row.normal * along + step.1;
            row.push(movers, given);
            beside.follow(k, given, movers);
            if row.around > 0.0 {
                row.twisted += step.2;
                row.twist(movers, step.2);
            }
        }
        beside.settle(movers);
    }
    left.sqrt()
}

/// Rounds that a solve may take: of many rows fewer, for what moves in a large heap needs no more than is worth it, and
/// what rests begins where it was.
pub(super) fn rounds(most: u32, rows: usize) -> usize {
    (most as usize).min((WORK / rows.max(1)).max(LEAST))
}

const WORK: usize = 100_000;
const LEAST: usize = 60;
