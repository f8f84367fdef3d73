use super::{Blocks, Candidates, Lattice, Seen};
use crate::space::Space;

/// Who is in which cell.
///
/// Around the lattice lies one more layer of cells. Along a periodic axis it mirrors the cells of the opposite side, each entry
/// tagged with the shift under which it is seen from here; along any other it stays empty. So no look around a cell has to ask where
/// the box ends.
#[derive(Clone, Debug)]
pub struct Cells<S: Space> {
    /// Where the cells are.
    pub lattice: Lattice<S>,
    /// Cells to the next row, and to the next layer.
    row: usize,
    layer: usize,
    blocks: Blocks<8>,
}

impl<S: Space> Cells<S> {
    /// Empty cells.
    pub fn new(lattice: Lattice<S>) -> Self {
        let row = lattice.count[0] as usize + 2;
        let layer = row * (lattice.count[1] as usize + 2);
        let all = if S::DIMENSION == 2 {
            layer
        } else {
            layer * (lattice.count[2] as usize + 2)
        };
        Cells {
            lattice,
            row,
            layer,
            blocks: Blocks::new(all),
        }
    }

    /// For each tag, what to add to the difference "place here − place of the entry", m.
    pub fn shifts(&self) -> [S::Vector; 32] {
        std::array::from_fn(|tag| {
            let shift = if tag < 27 {
                Seen::shift_of(tag)
            } else {
                [0; 3]
            };
            self.lattice.shift(shift.map(|along| -along))
        })
    }

    /// The number of a cell, counted with the layer around.
    #[inline(always)]
    fn index(&self, cell: [u32; 3]) -> usize {
        let flat = (cell[1] as usize + 1) * self.row + cell[0] as usize + 1;
        if S::DIMENSION == 2 {
            flat
        } else {
            flat + (cell[2] as usize + 1) * self.layer
        }
    }

    /// Puts a member into a cell.
    pub fn insert(&mut self, cell: [u32; 3], member: u32) {
        self.each_image(cell, |blocks, index, shift| {
            blocks.insert(index, Seen::new(member, shift));
        });
    }

    /// Takes a member out of a cell.
    pub fn remove(&mut self, cell: [u32; 3], member: u32) {
        self.each_image(cell, |blocks, index, shift| {
            let entry = Seen::new(member, shift);
            blocks.remove(index, |other| other == entry);
        });
    }

    /// A cell and its mirror images in the layer around, with the shifts they are seen under.
    #[inline]
    fn each_image(
        &mut self,
        cell: [u32; 3],
        mut visit: impl FnMut(&mut Blocks<8>, usize, [i8; 3]),
    ) {
        let index = self.index(cell);
        visit(&mut self.blocks, index, [0; 3]);
        if self.lattice.is_inner(cell) {
            return;
        }
        let strides = [1, self.row as isize, self.layer as isize];
        for tag in 1..27 {
            let shift = Seen::shift_of(tag);
            let mut image = index as isize;
            let seen = (0..3).all(|axis| {
                let count = self.lattice.count[axis];
                image += isize::from(shift[axis]) * strides[axis] * count as isize;
                match shift[axis] {
                    1 => self.lattice.period[axis] > 0.0 && cell[axis] == 0,
                    -1 => self.lattice.period[axis] > 0.0 && cell[axis] + 1 == count,
                    _ => true,
                }
            });
            if seen {
                visit(&mut self.blocks, image as usize, shift);
            }
        }
    }

    /// Everyone in a cell.
    pub fn inside(&self, cell: [u32; 3], list: &mut Candidates) {
        self.blocks.make_room(1, list);
        self.blocks.take::<1>(self.index(cell), list);
    }

    /// Everyone in the block of 3 × 3 (× 3) cells around a cell.
    #[inline(always)]
    pub fn around(&self, cell: [u32; 3], list: &mut Candidates) {
        self.blocks.make_room(27, list);
        let corner = self.index(cell) - self.row - 1;
        if S::DIMENSION == 2 {
            for y in 0..3 {
                self.blocks.take::<3>(corner + y * self.row, list);
            }
        } else {
            for z in 0..3 {
                for y in 0..3 {
                    let first = corner + z * self.layer + y * self.row - self.layer;
                    self.blocks.take::<3>(first, list);
                }
            }
        }
    }

    /// Everyone in those cells around a cell that are next to its upper (lower) face along an axis.
    #[inline]
    pub fn beyond(&self, cell: [u32; 3], axis: usize, up: bool, list: &mut Candidates) {
        self.blocks.make_room(9, list);
        let strides = [1, self.row, self.layer];
        let step = strides[axis];
        let middle = self.index(cell);
        let middle = if up { middle + step } else { middle - step };
        if S::DIMENSION == 2 {
            let across = strides[1 - axis];
            for cell in [middle - across, middle, middle + across] {
                self.blocks.take::<1>(cell, list);
            }
        } else if axis == 0 {
            for z in 0..3 {
                for y in 0..3 {
                    let cell = middle + z * self.layer + y * self.row - self.layer - self.row;
                    self.blocks.take::<1>(cell, list);
                }
            }
        } else {
            let across = strides[3 - axis];
            for first in [middle - across, middle, middle + across] {
                self.blocks.take::<3>(first - 1, list);
            }
        }
    }
}
