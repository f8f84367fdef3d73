//! What contacts of an island give at their points, and how one half of a step goes on from the other.

use crate::response::several::Mover;
use crate::simulate::contact_solver::Row;
use crate::space::{Linear, Space};

/// Impulses at a point.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) struct Impulses<S: Space> {
    /// Along the normal, kg·m/s.
    pub pressed: f64,
    /// Across it, kg·m/s.
    pub rubbed: S::Vector,
    /// Angular, against rolling and spinning, kg·m²/s.
    pub twisted: S::Angular,
}

impl<S: Space> Default for Impulses<S> {
    fn default() -> Self {
        Impulses {
            pressed: 0.0,
            rubbed: S::Vector::ZERO,
            twisted: S::Angular::ZERO,
        }
    }
}

impl<S: Space> Impulses<S> {
    pub fn times(&self, share: f64) -> Self {
        Impulses {
            pressed: self.pressed * share,
            rubbed: self.rubbed * share,
            twisted: self.twisted * share,
        }
    }

    pub fn plus(&self, other: &Self) -> Self {
        Impulses {
            pressed: self.pressed + other.pressed,
            rubbed: self.rubbed + other.rubbed,
            twisted: self.twisted + other.twisted,
        }
    }

    pub fn minus(&self, other: &Self) -> Self {
        Impulses {
            pressed: self.pressed - other.pressed,
            rubbed: self.rubbed - other.rubbed,
            twisted: self.twisted - other.twisted,
        }
    }

    /// With the normal and the tangential one at a point in one, kg·m/s.
    pub fn along(&self, normal: S::Vector) -> S::Vector {
        normal * self.pressed + self.rubbed
    }
}

impl<S: Space> Row<S> {
    /// What it has given so far.
    pub fn given(&self) -> Impulses<S> {
        Impulses {
            pressed: self.pressed,
            rubbed: self.rubbed,
            twisted: self.twisted,
        }
    }

    /// Lets it have given impulses, torques only where they act at all: friction may be others than before.
    pub fn begin_with(&mut self, given: &Impulses<S>) {
        (self.pressed, self.rubbed) = (given.pressed, given.rubbed);
        self.take_twist(given.twisted);
    }

    /// Whether it does all it can against its slip, and slips by more than a speed, m/s.
    pub fn slips(&self, movers: &[Mover<S>], least: f64) -> bool {
        let velocity = self.velocity(movers);
        let slip = (velocity - self.normal * self.normal.dot(velocity)).length();
        self.pressed > 0.0
            && self.rubbed.length() >= self.limit() * self.pressed * (1.0 - 1e-9)
            && slip > least
    }
}

/// Lets rows have given impulses, and gives these to the bodies.
pub(in crate::simulate) fn begin<S: Space>(
    rows: &mut [Row<S>],
    movers: &mut [Mover<S>],
    given: impl Iterator<Item = Impulses<S>>,
) {
    for (row, given) in rows.iter_mut().zip(given) {
        row.begin_with(&given);
        row.warm(movers);
    }
}

/// Lets the second half of a step begin: it goes on from the impulses of the first and may take them back, and needs
/// about as much as that did, for the share of it that it lasts.
pub(in crate::simulate) fn go_on<S: Space>(
    rows: &mut [Row<S>],
    movers: &mut [Mover<S>],
    had: &[Impulses<S>],
    share: f64,
) {
    begin(rows, movers, had.iter().map(|had| had.times(share)));
    for (row, had) in rows.iter_mut().zip(had) {
        let given = row.given().plus(had);
        row.begin_with(&given);
    }
}

/// Of two answers of contacts, and of all their mixtures, the largest share of the first that gives no more than so
/// much (J). What they give is of the second degree in the share; it is known for none of it, half and all.
pub(in crate::simulate) fn share_within([none, half, all]: [f64; 3], most: f64) -> f64 {
    // none + slope λ + bend λ².
    let bend = 2.0 * (all - 2.0 * half + none);
    let slope = all - none - bend;
    let over = none - most;
    if !(over < 0.0) {
        return 0.0;
    }
    // The root that lies between: over < 0 at 0, and > 0 at 1.
    let root = (slope * slope - 4.0 * bend * over).max(0.0).sqrt();
    let share = -2.0 * over / (slope + root);
    if share > 0.0 { share.min(1.0) } else { 0.0 }
}
