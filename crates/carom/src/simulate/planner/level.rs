//! Balls of about one size, and which images of them are looked at.

use crate::broad::{Cells, Lattice};
use crate::shape::Shaped;
use crate::simulate::balls::Balls;
use crate::simulate::bodies::Bodies;
use crate::simulate::obstacles::Obstacles;
use crate::simulate::shear::Sheared;
use crate::space::{Linear, Space};
use crate::vectors::Vectors;

/// Balls of about one size.
#[derive(Clone, Debug)]
pub(super) struct Level<S: Space> {
    /// The largest radius, m.
    pub largest: f64,
    pub cells: Cells<S>,
    /// Which fixtures can be touched from where.
    pub obstacles: Obstacles,
    /// Of balls of this class, among themselves.
    pub images: Images<S>,
    /// How far a ball may move after an event of its own until it looks at the smaller ones around it again, m;
    /// infinite where there are none.
    pub leash: f64,
}

impl<S: Space> Level<S> {
    /// The shortest edge of a cell, m.
    pub fn edge(&self) -> f64 {
        self.cells.lattice.size[..S::DIMENSION]
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min)
    }
}

/// Which images of a ball in a periodic box are looked at.
#[derive(Clone, Debug)]
pub(super) enum Images<S: Space> {
    /// There are none.
    Single,
    /// The box is so large that only the nearest can be touched soon.
    Nearest,
    /// All, by their shifts.
    All(Vec<S::Vector>),
    /// All, those along two sides of the box moving past each other; whether only the nearest can be touched soon
    /// from elsewhere.
    Sheared(Sheared, bool),
}

impl<S: Shaped> Images<S> {
    pub fn new(lattice: &Lattice<S>, lists: bool, shear: Option<Sheared>) -> Self {
        let periodic = |axis: &usize| lattice.period[*axis] > 0.0;
        let axes: Vec<usize> = (0..S::DIMENSION).filter(periodic).collect();
        if let Some(shear) = shear {
            return Images::Sheared(shear, axes.iter().all(|&axis| lattice.count[axis] >= 5));
        }
        if axes.is_empty() {
            Images::Single
        } else if lists || axes.iter().all(|&axis| lattice.count[axis] >= 5) {
            // Those around are less than two cells away. (Lists are only made where the box is large enough.)
            Images::Nearest
        } else {
            Images::All(lattice.all_shifts())
        }
    }

    /// Whether there are several to be looked at.
    #[inline(always)]
    pub fn are_many(&self) -> bool {
        matches!(self, Images::All(_) | Images::Sheared(..))
    }

    /// Whether all images of those around a cell have to be looked at.
    #[inline(always)]
    pub fn are_many_at(&self, cell: [u32; 3], count: [u32; 3]) -> bool {
        match self {
            Images::Sheared(shear, true) => {
                let row = cell[shear.gradient];
                row == 0 || row + 1 == count[shear.gradient]
            }
            _ => self.are_many(),
        }
    }

    /// When a ball touches an image of another, as far as it can soon.
    #[inline]
    pub fn contact_time(&self, stage: &Bodies<S>, slot: usize, partner: u32, now: f64) -> f64 {
        let (balls, partner) = (&stage.balls, partner as usize);
        match self {
            Images::Single => balls.contact_time(slot, partner, S::Vector::ZERO),
            Images::Nearest => balls.contact_time_near(slot, partner, now),
            Images::All(shifts) => shifts
                .iter()
                .map(|&shift| balls.contact_time(slot, partner, shift))
                .fold(f64::INFINITY, f64::min),
            Images::Sheared(shear, _) => balls.contact_time_sheared(shear, slot, partner),
        }
    }
}

/// When a ball touches another that is near it, perhaps across a side of the box. Not inlined: what it needs would be
/// got ready for each request.
#[inline(always)]
pub(super) fn contact_time_here<S: Shaped, V: Vectors, const NEAR_SIDE: bool>(
    vectors: V,
    balls: &Balls<S>,
    slot: usize,
    partner: u32,
    now: f64,
) -> f64 {
    vectors.run_apart(
        #[inline(always)]
        move || {
            if NEAR_SIDE {
                balls.contact_time_near(slot, partner as usize, now)
            } else {
                balls.contact_time(slot, partner as usize, S::Vector::ZERO)
            }
        },
    )
}
