//! Where the contacts of an island will be in the course of a step, and the solve that keeps them apart all along.
//!
//! Members go straight on within a step, so that the gap between two of them is a convex function of the time: two
//! that touch at both ends of a step overlap in the middle of it, by `w²τ²/8R` where they pass each other at the speed
//! w. So it is the least gap within the step that must not be negative, not the one at its end: what slides or rolls
//! goes around what it touches on a polygon about it, not on one within.
//!
//! Between balls that is a matter of straight lines. With fixtures, and with the share x of the step that has passed,
//! the gap is taken for `g₀ + (g₁ − g₀ − κ) x + κ x²`, through its values at the start, in the middle and at the end.
//! That is nowhere negative if `√g₀ + √g₁ ≥ √κ` (or κ ≤ 0, where a surface is hollow). Where two keep touching, `g₀ =
//! g₁ = κ/4`.

use super::FEW;
use super::contacts::Problem;
use super::project::FINE;
use crate::impact::Strikable;
use crate::response::several::Mover;
use crate::simulate::contact_solver::Row;
use crate::simulate::exact::Exact;
use crate::simulate::islands::{Against, Island, LastingContact};
use crate::space::{Linear, Space};

/// How often the contacts are solved for, each time about where the members come to be, for few contacts and for many.
const PASSES: [usize; 2] = [8, 16];

/// What is regained in a whole step of a margin that has been used up, as a share: all of it at once would make members
/// hop, and push the ends of a long row of them apart at great speed.
const REGAINED: f64 = 0.1;

/// How well a crowd that is calm is solved for, in units of what an acceleration gives in a step: what is left moves
/// it.
const CALM: f64 = 1e-3;

/// The most that a gap may bend in a step where two meet, in radii: with fixtures, where the error of the parabola is
/// of the order of its square and some hundred times less, and between balls, where there is none.
const BEND: [f64; 2] = [5e-3, 5e-2];

/// Two normals whose product is so near to 1 or −1, as one less its square, are along one line: nothing leads out
/// between what they stand on.
const ALIKE: f64 = 1e-6;

/// From this share of the friction that locks a ball between two fixtures on the rounds of the solver hardly come to an
/// end.
const LOCKS: f64 = 0.5;

/// The shortest that a step is made for that, as a share.
pub(super) const SHORTEST: f64 = 1.0 / 64.0;

/// The gap of a contact in a step, m.
struct GapAhead {
    /// The least one within the step.
    least: f64,
    /// What its parabola rises above its tangent within the step.
    bend: f64,
    /// The speed at which the two meet if they go on like that, m/s; zero where they pass each other by.
    meets: f64,
    /// How much it lacks at the end, so that it is not negative before; of two that have been touching, so that the
    /// next step can be like this one.
    short: f64,
}

/// What a solve for a step to come has left.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Left {
    /// The deepest overlap within the step, m.
    pub overlap: f64,
    /// Whether one is deeper than is to be left.
    pub deep: bool,
    /// The largest change of a velocity in the last round, m/s.
    pub speed: f64,
}

impl GapAhead {
    /// By a parabola through the gaps at the start, in the middle and at the end.
    fn through([start, middle, end]: [f64; 3], step: f64, touching: bool) -> Self {
        let bend = 2.0 * (start - 2.0 * middle + end);
        let slope = end - start - bend;
        let square = slope * slope - 4.0 * bend * start.max(0.0);
        let at = -slope / (2.0 * bend);
        let mut least = start.min(end);
        if bend > 0.0 && at > 0.0 && at < 1.0 {
            least = least.min(start + 0.5 * slope * at);
        }
        let root = (bend.max(0.0).sqrt() - start.max(0.0).sqrt()).max(0.0);
        let next = if touching { 0.25 * bend } else { 0.0 };
        GapAhead {
            least,
            bend,
            meets: met(slope, square) / step,
            short: next.max(root * root) - end,
        }
    }

    /// Of two balls whose centres are `apart` and whose radii have the sum `reach`: by what is so of straight lines.
    /// One from outside of a circle misses it if it is no steeper than the tangent from there.
    fn of_balls<V: Linear>(apart: V, velocity: V, reach: f64, step: f64, touching: bool) -> Self {
        let gap = |time: f64| (apart + velocity * time).length() - reach;
        let (start, end) = (gap(0.0), gap(step));
        let bend = 2.0 * (start - 2.0 * gap(0.5 * step) + end);
        let nearest = -apart.dot(velocity) / velocity.length_squared();
        let mut least = start.min(end);
        if nearest > 0.0 && nearest < step {
            least = least.min(gap(nearest));
        }
        let normal = apart * (1.0 / apart.length());
        let along = normal.dot(velocity);
        let across = (velocity - normal * along).length();
        let tangent = (start.max(0.0) * (start + 2.0 * reach)).sqrt();
        let mut short = if touching { 0.25 * bend - end } else { -end };
        // The tangent touches within the step.
        if tangent * reach < across * step * (start + reach) {
            short = short.max((-across * tangent / reach - along) * step);
        }
        // By how much the normal velocity shrinks on the way to where they touch.
        let passing = across * tangent / reach;
        GapAhead {
            least,
            bend,
            meets: met(along, (along - passing) * (along + passing)),
            short,
        }
    }
}

impl<S: Strikable> Exact<S> {
    /// The gap of a contact within a step, where the two go straight on.
    fn gap_ahead(
        &self,
        contact: &LastingContact<S>,
        velocities: [S::Vector; 2],
        step: f64,
    ) -> GapAhead {
        let (slot, its_place) = self.places_of(contact.key());
        let balls = &self.stage.balls;
        let ball = &balls.hot[slot as usize];
        let touching = contact.given.pressed > 0.0;
        if let Against::Ball(other) = contact.against {
            let its = self.stage.slots[other.0 as usize] as usize;
            let apart = ball.position - its_place;
            let apart = apart + balls.nearest_shift(apart);
            let reach = ball.radius + balls.hot[its].radius;
            let velocity = velocities[0] - velocities[1];
            return GapAhead::of_balls(apart, velocity, reach, step, touching);
        }
        let after = |time: f64| {
            let own = (slot, ball.position + velocities[0] * time);
            let touch = self.touch_at(own, contact.against, its_place, self.clock + time);
            touch.gap
        };
        let gaps = [contact.gap, after(0.5 * step), after(step)];
        GapAhead::through(gaps, step, touching)
    }

    /// The radius of the smaller ball of a contact, m.
    fn least_radius(&self, contact: &LastingContact<S>) -> f64 {
        let radius = |ball: crate::world::BodyId| {
            let slot = self.stage.slots[ball.0 as usize];
            self.stage.balls.hot[slot as usize].radius
        };
        let other = contact.against.ball().map_or(f64::INFINITY, radius);
        radius(contact.a).min(other)
    }

    /// How fast the two of each contact meet, if nothing acts on them; and a step in which no gap bends by much where
    /// they do: the one given, where it is one, s.
    pub(super) fn meet_ahead(&self, island: &mut Island<S>, step: f64) -> f64 {
        let mut shortest = step;
        for contact in &mut island.contacts {
            let velocity = |ball: crate::world::BodyId| {
                let slot = self.stage.slots[ball.0 as usize];
                self.stage.balls.hot[slot as usize].velocity
            };
            let its = contact.against.ball().map(velocity).unwrap_or_default();
            let ahead = self.gap_ahead(contact, [velocity(contact.a), its], step);
            contact.struck = -ahead.meets;
            let between = usize::from(contact.against.ball().is_some());
            let most = BEND[between] * self.least_radius(contact);
            if ahead.bend > most && ahead.least < 0.0 {
                shortest = shortest.min(step * (most / ahead.bend).sqrt());
            }
        }
        shortest.max(SHORTEST * step)
    }

    /// Solves the contacts of an island for a step to come, from the impulses that they have: no gap is negative within
    /// it then, nor smaller than a margin (m) at its end, if it was not before. What the solver left of that.
    pub(super) fn solve_ahead(
        &self,
        island: &Island<S>,
        problem: &mut Problem<S>,
        (step, pull): (f64, f64),
        (margin, full): (f64, f64),
    ) -> Left {
        let many = usize::from(problem.rows.len() > FEW);
        let calm = island.calm < self.clock;
        let mut left = Left::default();
        let regained = REGAINED * (step / full);
        for pass in 0..=PASSES[many] {
            let (mut missing, mut least) = (0.0_f64, f64::INFINITY);
            (left.overlap, left.deep) = (0.0, false);
            for (row, &index) in problem.rows.iter_mut().zip(&problem.which) {
                let contact = &island.contacts[index];
                let ahead =
                    self.gap_ahead(contact, velocities_of(row, contact, &problem.movers), step);
                left.overlap = left.overlap.max(-ahead.least);
                let radius = self.least_radius(contact);
                left.deep |= -ahead.least > FINE[1] * radius + (-contact.gap).max(0.0);
                missing = missing.max(ahead.short / radius);
                least = least.min(radius);
                // To first order about where the two are at the end so far.
                let used_up = (margin - contact.gap.max(0.0)).max(0.0);
                let lack = ahead.short + margin - (1.0 - regained) * used_up;
                row.wanted = row.normal_velocity(&problem.movers) + lack / step;
            }
            if many == 0 {
                let_out(&mut problem.rows, island.members.len());
            }
            if pass == PASSES[many] || pass > 0 && missing <= FINE[many] {
                break;
            }
            let fine = if margin > 0.0 && calm {
                (0.5 * margin / full).min(CALM * pull * step)
            } else if margin > 0.0 {
                0.5 * margin / full
            } else {
                0.5 * FINE[many] * least / step
            };
            left.speed = problem.solve_ahead(pull * step, calm, fine);
        }
        left
    }
}

/// Lets balls that friction locks between two fixtures move on with these where they bend, or out of what they have
/// sunk in, as a whole, without a slip.
///
/// Such a ball turns about the line through both points, and can move no other way: against a normal velocity that is
/// wanted, were it only what a step of finite length leaves, impulses would grow without end.
fn let_out<S: Space>(rows: &mut [Row<S>], members: usize) {
    for own in rows.chunk_by_mut(|one, other| one.bodies[0] == other.bodies[0]) {
        let mut held: Vec<&mut Row<S>> = Vec::with_capacity(2);
        for row in own {
            row.slip = S::Vector::ZERO;
            if row.bodies[1] as usize >= members && (row.pressed > 0.0 || row.wanted > 0.0) {
                held.push(row);
            }
        }
        let [one, other] = &mut held[..] else {
            continue;
        };
        let [a, b] = [one.wanted, other.wanted].map(|wanted| wanted.max(0.0));
        let between = one.normal.dot(other.normal);
        let area = 1.0 - between * between;
        // The line through both points is within the cones of friction at both, or nearly.
        let friction = one.limit().min(other.limit()) / LOCKS;
        let locked = friction * friction * (1.0 - between) >= 1.0 + between;
        if !locked || area < ALIKE || (a == 0.0 && b == 0.0) {
            continue;
        }
        let out =
            one.normal * ((a - b * between) / area) + other.normal * ((b - a * between) / area);
        for row in [one, other] {
            row.slip = out - row.normal * row.normal.dot(out);
        }
    }
}

/// The speed where a gap is used up, from its rate of change and from the square of the rate there.
fn met(rate: f64, square: f64) -> f64 {
    if rate < 0.0 && square > 0.0 {
        square.sqrt()
    } else {
        0.0
    }
}

/// The velocities of the two bodies of a contact; none for a fixture, which goes its own way.
fn velocities_of<S: Space>(
    row: &Row<S>,
    contact: &LastingContact<S>,
    movers: &[Mover<S>],
) -> [S::Vector; 2] {
    let of = |side: usize| movers[row.bodies[side] as usize].velocity;
    match contact.against {
        Against::Ball(_) => [of(0), of(1)],
        Against::Fixture(_) | Against::FarEnd(_) => [of(0), S::Vector::default()],
    }
}
