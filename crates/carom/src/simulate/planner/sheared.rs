//! What the planner does otherwise in a sheared box.

use super::Planner;
use super::level::{Images, Level};
use crate::broad::Lattice;
use crate::impact::Strikable;
use crate::simulate::bodies::Bodies;
use crate::simulate::shear::cells_around;

impl<S: Strikable> Planner<S> {
    /// Puts a ball that has gone round the box where it is now: its anchor, or, in a sheared box, itself.
    pub(super) fn move_home(&mut self, stage: &Bodies<S>, slot: usize, now: f64) {
        if self.lists.is_some() {
            self.move_anchor(stage, slot, now);
        } else {
            self.move_cell(stage, slot, now);
        }
    }

    /// Puts a ball that has gone round a sheared box into the cell where it is now.
    fn move_cell(&mut self, stage: &Bodies<S>, slot: usize, now: f64) {
        let cell = Lattice::<S>::unpack(self.plans[slot].cell);
        let cells = &mut self.levels[0].cells;
        let next = cells.lattice.cell_of(stage.balls.position_at(slot, now));
        if next != cell {
            cells.remove(cell, slot as u32);
            cells.insert(next, slot as u32);
            self.plans[slot].cell = Lattice::<S>::pack(next);
        }
    }

    /// Whether all images of those around a cell have to be looked at.
    pub(super) fn are_many_at(&self, level: usize, cell: [u32; 3]) -> bool {
        let Level { images, cells, .. } = &self.levels[level];
        images.are_many_at(cell, cells.lattice.count)
    }

    /// Gathers those around a cell; next to the sides of a sheared box that move past each other, all along the other.
    pub(super) fn gather_around(&mut self, level: usize, cell: [u32; 3]) {
        let Level { images, cells, .. } = &self.levels[level];
        if let Images::Sheared(shear, _) = images {
            let lattice = &cells.lattice;
            let near = |axis: usize| lattice.near(cell[axis], axis).all().collect();
            if let Some(all) = cells_around(shear, cell, lattice.count, near) {
                for cell in all {
                    cells.inside(cell, &mut self.candidates);
                }
                return;
            }
        }
        cells.around(cell, &mut self.candidates);
    }
}
