//! Where the contacts of an island will be in the course of a step, and the solve that keeps them apart all along.
//!
//! Members go straight on within a step, so that the gap between two of them is a convex function of the time: two
//! that touch at both ends of a step overlap in the middle of it, by `w²τ²/8R` where they pass each other at the speed
//! w. So it is the least gap within the step that must not be negative, not the one at its end: what slides or rolls
//! goes around what it touches on a polygon about it, not on one within.
//!
//! With the share x of the step that has passed, the gap is taken for `g₀ + (g₁ − g₀ − κ) x + κ x²`, through its values
//! at the start, in the middle and at the end. That is nowhere negative if `√g₀ + √g₁ ≥ √κ` (or κ ≤ 0, where a surface
//! is hollow). Where two keep touching, `g₀ = g₁ = κ/4`.

use super::contacts::Problem;
use super::project::{FEW, FINE};
use crate::impact::Strikable;
use crate::response::several::Mover;
use crate::simulate::contact_solver::Row;
use crate::simulate::exact::Exact;
use crate::simulate::islands::{Against, Island, LastingContact};
use crate::space::Space;

/// How often the contacts are solved for, each time about where the members come to be, for few contacts and for many.
const PASSES: [usize; 2] = [8, 4];

/// The most that a gap may bend in a step where two meet, in radii: the error of the parabola is of the order of its
/// square, and some hundred times less.
const BEND: f64 = 5e-3;

/// The shortest that a step is made for that, as a share.
const SHORTEST: f64 = 1.0 / 64.0;

/// The gap of a contact in a step, m.
struct GapAhead {
    start: f64,
    middle: f64,
    end: f64,
}

impl GapAhead {
    /// How the gap bends: what its parabola rises above its tangent within the step, m.
    fn bend(&self) -> f64 {
        2.0 * (self.start - 2.0 * self.middle + self.end)
    }

    /// The least gap within the step, m.
    fn least(&self) -> f64 {
        let bend = self.bend();
        let slope = self.end - self.start - bend;
        let at = -slope / (2.0 * bend);
        let ends = self.start.min(self.end);
        if bend > 0.0 && at > 0.0 && at < 1.0 {
            ends.min(self.start + 0.5 * slope * at)
        } else {
            ends
        }
    }

    /// The gap that has to be there at the end, so that it is not negative before, m; of two that have been touching, one
    /// with which the next step is like this one.
    fn wanted(&self, touching: bool) -> f64 {
        let bend = self.bend().max(0.0);
        let root = (bend.sqrt() - self.start.max(0.0).sqrt()).max(0.0);
        let least = root * root;
        if touching {
            least.max(0.25 * bend)
        } else {
            least
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
        let place = self.stage.balls.hot[slot as usize].position;
        let after = |time: f64| {
            let own = (slot, place + velocities[0] * time);
            let its_place = its_place + velocities[1] * time;
            let touch = self.touch_at(own, contact.against, its_place, self.clock + time);
            touch.gap
        };
        GapAhead {
            start: contact.gap,
            middle: after(0.5 * step),
            end: after(step),
        }
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

    /// A step in which no gap bends by much where two meet; the one given, where it is one, s.
    pub(super) fn bent_little(&self, island: &Island<S>, step: f64) -> f64 {
        let mut shortest = step;
        for contact in &island.contacts {
            let velocity = |ball: crate::world::BodyId| {
                let slot = self.stage.slots[ball.0 as usize];
                self.stage.balls.hot[slot as usize].velocity
            };
            let its = contact.against.ball().map(velocity).unwrap_or_default();
            let ahead = self.gap_ahead(contact, [velocity(contact.a), its], step);
            let most = BEND * self.least_radius(contact);
            if ahead.bend() > most && ahead.least() < 0.0 {
                shortest = shortest.min(step * (most / ahead.bend()).sqrt());
            }
        }
        shortest.max(SHORTEST * step)
    }

    /// Solves the contacts of an island for a step to come, from the impulses that they have: no gap is negative within
    /// it then. What the solver left of that is entered as the deepest overlap.
    pub(super) fn solve_ahead(
        &mut self,
        island: &Island<S>,
        problem: &mut Problem<S>,
        (step, pull): (f64, f64),
    ) {
        let many = usize::from(problem.rows.len() > FEW);
        let calm = island.calm < self.clock;
        for pass in 0..=PASSES[many] {
            let (mut missing, mut deepest) = (0.0_f64, 0.0_f64);
            for (row, &index) in problem.rows.iter_mut().zip(&problem.which) {
                let contact = &island.contacts[index];
                let ahead =
                    self.gap_ahead(contact, velocities_of(row, contact, &problem.movers), step);
                deepest = deepest.max(-ahead.least());
                let short = ahead.wanted(contact.pressed > 0.0) - ahead.end;
                missing = missing.max(short / self.least_radius(contact));
                // To first order about where the two are at the end so far.
                row.wanted = row.normal_velocity(&problem.movers) + short / step;
            }
            if pass == PASSES[many] || pass > 0 && missing <= FINE[many] {
                self.ledger.deepest_overlap = self.ledger.deepest_overlap.max(deepest);
                break;
            }
            problem.solve_ahead(pull * step, calm);
        }
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
        Against::Fixture(_) => [of(0), S::Vector::default()],
    }
}
