use super::Lattice;
use crate::space::Space;

/// Numbers of a cell: how many entries it has, and up to seven of them.
const BLOCK: usize = 8;

/// Bits of an entry that say who it is.
const MEMBER_BITS: u32 = 27;

/// Somebody in a cell, and across which sides of the periodic box one sees them there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellEntry(u32);

impl CellEntry {
    /// Who it is.
    #[inline(always)]
    pub fn member(self) -> u32 {
        self.0 & ((1 << MEMBER_BITS) - 1)
    }

    /// Which shift it is seen under: a row of [`Cells::shifts`]. Zero where there is none.
    #[inline(always)]
    pub fn tag(self) -> usize {
        (self.0 >> MEMBER_BITS) as usize
    }

    fn new(member: u32, shift: [i8; 3]) -> Self {
        // Digits −1, 0, 1 to base three, moved so that no shift is 0.
        let code = shift[0] + 3 * shift[1] + 9 * shift[2];
        CellEntry(member | (code.rem_euclid(27) as u32) << MEMBER_BITS)
    }

    fn shift(tag: usize) -> [i8; 3] {
        let code = (tag as i8 + 13) % 27;
        [code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1]
    }
}

/// Who is in which cell, in blocks of a fixed size so that looking through the cells around a place is a few straight copies.
///
/// Around the lattice lies one more layer of cells. Along a periodic axis it mirrors the cells of the opposite side, each entry
/// tagged with the shift under which it is seen from here; along any other it stays empty. So no look around a cell has to ask where
/// the box ends.
///
/// Entries beyond the seventh of a cell are kept in a common list, which is meant to be short.
#[derive(Clone, Debug)]
pub struct Cells<S: Space> {
    /// Where the cells are.
    pub lattice: Lattice<S>,
    /// Cells to the next row, and to the next layer.
    row: usize,
    layer: usize,
    blocks: Vec<u32>,
    spilt: Vec<(u32, CellEntry)>,
}

/// A list of entries with room to spare behind its end.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    entries: Vec<u32>,
    number: usize,
}

impl Candidates {
    /// The entries.
    #[inline(always)]
    pub fn entries(&self) -> impl ExactSizeIterator<Item = CellEntry> {
        self.entries[..self.number]
            .iter()
            .map(|&entry| CellEntry(entry))
    }

    #[inline(always)]
    fn clear(&mut self, room: usize) {
        if self.entries.len() < room {
            self.entries.resize(room, 0);
        }
        self.number = 0;
    }
}

impl<S: Space> Cells<S> {
    /// Most members that can be told apart.
    pub const MOST_MEMBERS: usize = 1 << MEMBER_BITS;

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
            blocks: vec![0; all * BLOCK],
            spilt: Vec::new(),
        }
    }

    /// For each tag, what to add to the difference "place here − place of the entry", m.
    pub fn shifts(&self) -> [S::Vector; 32] {
        std::array::from_fn(|tag| {
            let shift = if tag < 27 {
                CellEntry::shift(tag)
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
        self.each_image(cell, |cells, index, shift| {
            let entry = CellEntry::new(member, shift);
            let block = &mut cells.blocks[index * BLOCK..(index + 1) * BLOCK];
            block[0] += 1;
            match block.get_mut(block[0] as usize) {
                Some(place) => *place = entry.0,
                None => cells.spilt.push((index as u32, entry)),
            }
        });
    }

    /// Takes a member out of a cell.
    pub fn remove(&mut self, cell: [u32; 3], member: u32) {
        self.each_image(cell, |cells, index, shift| {
            let entry = CellEntry::new(member, shift);
            let block = &mut cells.blocks[index * BLOCK..(index + 1) * BLOCK];
            let number = block[0] as usize;
            block[0] -= 1;
            let in_block = block[1..]
                .iter()
                .take(number)
                .position(|&other| other == entry.0);
            if number < BLOCK {
                if let Some(place) = in_block {
                    block[1 + place] = block[number];
                }
                return;
            }
            let place = match in_block {
                Some(_) => cells.spilt.iter().position(|spilt| spilt.0 == index as u32),
                None => cells
                    .spilt
                    .iter()
                    .position(|spilt| *spilt == (index as u32, entry)),
            };
            let moved = place.map(|place| cells.spilt.swap_remove(place).1);
            if let (Some(place), Some(moved)) = (in_block, moved) {
                block[1 + place] = moved.0;
            }
        });
    }

    /// A cell and its mirror images in the layer around, with the shifts they are seen under.
    #[inline]
    fn each_image(&mut self, cell: [u32; 3], mut visit: impl FnMut(&mut Self, usize, [i8; 3])) {
        let index = self.index(cell);
        visit(self, index, [0; 3]);
        if self.lattice.is_inner(cell) {
            return;
        }
        for tag in 1..27 {
            let shift = CellEntry::shift(tag);
            let strides = [1, self.row as isize, self.layer as isize];
            let mut image = index as isize;
            let seen = (0..3).all(|axis| {
                let count = self.lattice.count[axis];
                image += match shift[axis] {
                    1 => strides[axis] * count as isize,
                    -1 => -strides[axis] * count as isize,
                    _ => 0,
                };
                match shift[axis] {
                    1 => self.lattice.period[axis] > 0.0 && cell[axis] == 0,
                    -1 => self.lattice.period[axis] > 0.0 && cell[axis] + 1 == count,
                    _ => true,
                }
            });
            if seen {
                visit(self, image as usize, shift);
            }
        }
    }

    /// Everyone in the block of 3 × 3 (× 3) cells around a cell.
    #[inline(always)]
    pub fn around(&self, cell: [u32; 3], list: &mut Candidates) {
        list.clear(27 * BLOCK + self.spilt.len());
        let corner = self.index(cell) - self.row - 1;
        if S::DIMENSION == 2 {
            for y in 0..3 {
                self.take_row(corner + y * self.row, list);
            }
        } else {
            for z in 0..3 {
                for y in 0..3 {
                    self.take_row(corner + z * self.layer + y * self.row - self.layer, list);
                }
            }
        }
    }

    /// Everyone in those cells around a cell that are next to its upper (lower) face along an axis.
    #[inline]
    pub fn beyond(&self, cell: [u32; 3], axis: usize, up: bool, list: &mut Candidates) {
        list.clear(9 * BLOCK + self.spilt.len());
        let strides = [1, self.row, self.layer];
        let step = strides[axis];
        let middle = self.index(cell);
        let middle = if up { middle + step } else { middle - step };
        if S::DIMENSION == 2 {
            let across = strides[1 - axis];
            for first in [middle - across, middle, middle + across] {
                self.take_cell(first, list);
            }
        } else if axis == 0 {
            for z in 0..3 {
                for y in 0..3 {
                    let cell = middle + z * self.layer + y * self.row - self.layer - self.row;
                    self.take_cell(cell, list);
                }
            }
        } else {
            let across = strides[3 - axis];
            for first in [middle - across, middle, middle + across] {
                self.take_row(first - 1, list);
            }
        }
    }

    #[inline(always)]
    fn take_row(&self, first: usize, list: &mut Candidates) {
        let row = &self.blocks[first * BLOCK..(first + 3) * BLOCK];
        for (cell, block) in row.chunks_exact(BLOCK).enumerate() {
            self.take(first + cell, block, list);
        }
    }

    #[inline(always)]
    fn take_cell(&self, index: usize, list: &mut Candidates) {
        self.take(
            index,
            &self.blocks[index * BLOCK..(index + 1) * BLOCK],
            list,
        );
    }

    #[inline(always)]
    fn take(&self, index: usize, block: &[u32], list: &mut Candidates) {
        let number = block[0] as usize;
        // All seven, whatever is in them: what is past the number will be written over.
        list.entries[list.number..list.number + BLOCK - 1].copy_from_slice(&block[1..BLOCK]);
        list.number += number.min(BLOCK - 1);
        if number >= BLOCK {
            self.take_spilt(index, list);
        }
    }

    #[cold]
    fn take_spilt(&self, index: usize, list: &mut Candidates) {
        // The copies of whole blocks that follow need their room.
        let room = list.entries.len() + self.spilt.len();
        list.entries.resize(room, 0);
        for &(_, entry) in self.spilt.iter().filter(|(cell, _)| *cell == index as u32) {
            list.entries[list.number] = entry.0;
            list.number += 1;
        }
    }
}
