use super::Lattice;
use crate::space::Space;

/// Numbers of a cell: how many members it has, and up to seven of them.
const BLOCK: usize = 8;

/// Who is in which cell, in blocks of a fixed size so that looking through the cells around a place is a few straight copies.
///
/// Members beyond the seventh of a cell are kept in a common list, which is meant to be short.
#[derive(Clone, Debug)]
pub struct Cells<S: Space> {
    /// Where the cells are.
    pub lattice: Lattice<S>,
    blocks: Vec<u32>,
    spilt: Vec<(u32, u32)>,
}

/// A list of members with room to spare behind its end.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    members: Vec<u32>,
    number: usize,
    /// How many of the first are seen where they are; the others across a side of the periodic box.
    plain: usize,
    /// Of those others: under which of the 27 shifts, as digits −1, 0, 1 to base three.
    shifts: Vec<u8>,
}

impl Candidates {
    /// Those seen where they are.
    #[inline]
    pub fn plain(&self) -> &[u32] {
        &self.members[..self.plain]
    }

    /// Those seen across a side of the periodic box, and the codes of their shifts.
    #[inline]
    pub fn shifted(&self) -> (&[u32], &[u8]) {
        (&self.members[self.plain..self.number], &self.shifts)
    }

    /// Empties the list and makes room.
    #[inline]
    fn clear(&mut self, room: usize) {
        if self.members.len() < room {
            self.members.resize(room, 0);
        }
        self.number = 0;
        self.plain = 0;
        self.shifts.clear();
    }
}

/// The code of a shift.
pub fn shift_code(shift: [i8; 3]) -> u8 {
    (shift[0] + 3 * shift[1] + 9 * shift[2] + 13) as u8
}

/// The shift of a code.
pub fn shift_of_code(code: u8) -> [i8; 3] {
    let code = code as i8;
    [code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1]
}

impl<S: Space> Cells<S> {
    /// Empty cells.
    pub fn new(lattice: Lattice<S>) -> Self {
        Cells {
            blocks: vec![0; lattice.cells() * BLOCK],
            spilt: Vec::new(),
            lattice,
        }
    }

    /// Puts a member into a cell.
    pub fn insert(&mut self, cell: [u32; 3], member: u32) {
        let index = self.lattice.index(cell);
        let block = &mut self.blocks[index * BLOCK..(index + 1) * BLOCK];
        block[0] += 1;
        match block.get_mut(block[0] as usize) {
            Some(place) => *place = member,
            None => self.spilt.push((index as u32, member)),
        }
    }

    /// Takes a member out of a cell.
    pub fn remove(&mut self, cell: [u32; 3], member: u32) {
        let index = self.lattice.index(cell);
        let block = &mut self.blocks[index * BLOCK..(index + 1) * BLOCK];
        let number = block[0] as usize;
        block[0] -= 1;
        if number < BLOCK {
            let last = block[number];
            if let Some(place) = block[1..=number].iter().position(|&other| other == member) {
                block[1 + place] = last;
            }
            return;
        }
        let in_cell = |&(cell, _): &(u32, u32)| cell == index as u32;
        let last = self.spilt.iter().rposition(in_cell);
        let Some(last) = last else { return };
        match block[1..].iter().position(|&other| other == member) {
            Some(place) => block[1 + place] = self.spilt.swap_remove(last).1,
            None => self.spilt.retain(|entry| *entry != (index as u32, member)),
        }
    }

    /// Everyone in the block of 3 × 3 (× 3) cells around a cell.
    #[inline]
    pub fn around(&self, cell: [u32; 3], list: &mut Candidates) {
        list.clear(27 * BLOCK + self.spilt.len());
        if !self.lattice.is_inner(cell) {
            return self.around_edge(cell, [-1; 3], [1; 3], list);
        }
        let row = self.lattice.count[0] as usize;
        let layer = row * self.lattice.count[1] as usize;
        let corner = self.lattice.index(cell) - 1 - row;
        if S::DIMENSION == 2 {
            for y in 0..3 {
                self.take_row(corner + y * row, list);
            }
        } else {
            for z in 0..3 {
                for y in 0..3 {
                    self.take_row(corner + z * layer + y * row - layer, list);
                }
            }
        }
        list.plain = list.number;
    }

    /// Everyone in those cells around a cell that are next to its upper (lower) face along an axis.
    pub fn beyond(&self, cell: [u32; 3], axis: usize, up: bool, list: &mut Candidates) {
        list.clear(27 * BLOCK + self.spilt.len());
        let (mut from, mut to) = ([-1; 3], [1; 3]);
        from[axis] = if up { 1 } else { -1 };
        to[axis] = from[axis];
        self.around_edge(cell, from, to, list);
    }

    #[inline(always)]
    fn take_row(&self, first: usize, list: &mut Candidates) {
        let row = &self.blocks[first * BLOCK..(first + 3) * BLOCK];
        for (cell, block) in row.chunks_exact(BLOCK).enumerate() {
            self.take(first + cell, block, list);
        }
    }

    #[inline(always)]
    fn take(&self, index: usize, block: &[u32], list: &mut Candidates) {
        let number = block[0] as usize;
        // All seven, whatever is in them: what is past the number will be written over.
        list.members[list.number..list.number + BLOCK - 1].copy_from_slice(&block[1..BLOCK]);
        list.number += number.min(BLOCK - 1);
        if number >= BLOCK {
            self.take_spilt(index, list);
        }
    }

    #[cold]
    fn take_spilt(&self, index: usize, list: &mut Candidates) {
        for &(_, member) in self.spilt.iter().filter(|(cell, _)| *cell == index as u32) {
            list.members[list.number] = member;
            list.number += 1;
        }
    }

    /// The cells at offsets between two corners, first those seen where they are, then the others.
    fn around_edge(&self, cell: [u32; 3], from: [i8; 3], to: [i8; 3], list: &mut Candidates) {
        let (z_from, z_to) = if S::DIMENSION == 3 {
            (from[2], to[2])
        } else {
            (0, 0)
        };
        let mut across: [([u32; 3], [i8; 3]); 27] = [([0; 3], [0; 3]); 27];
        let mut number = 0;
        for z in z_from..=z_to {
            for y in from[1]..=to[1] {
                for x in from[0]..=to[0] {
                    let Some((there, shift)) = self.lattice.offset(cell, [x, y, z]) else {
                        continue;
                    };
                    if shift == [0; 3] {
                        let index = self.lattice.index(there);
                        self.take(
                            index,
                            &self.blocks[index * BLOCK..(index + 1) * BLOCK],
                            list,
                        );
                    } else {
                        across[number] = (there, shift);
                        number += 1;
                    }
                }
            }
        }
        list.plain = list.number;
        for &(there, shift) in &across[..number] {
            let index = self.lattice.index(there);
            self.take(
                index,
                &self.blocks[index * BLOCK..(index + 1) * BLOCK],
                list,
            );
            list.shifts
                .resize(list.number - list.plain, shift_code(shift));
        }
    }
}
