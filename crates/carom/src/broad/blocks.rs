/// Who somebody is, and across which sides of the periodic box one sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen(u32);

/// Bits of an entry that say who it is.
const MEMBER_BITS: u32 = 27;

impl Seen {
    /// Most members that can be told apart.
    pub const MOST_MEMBERS: usize = 1 << MEMBER_BITS;

    /// A member, seen so many box lengths (−1, 0 or 1 along each axis) from where it is.
    #[inline]
    pub fn new(member: u32, shift: [i8; 3]) -> Self {
        // Digits to base three, moved so that no shift is 0.
        let code = shift[0] + 3 * shift[1] + 9 * shift[2];
        Seen(member | (code.rem_euclid(27) as u32) << MEMBER_BITS)
    }

    /// Who it is.
    #[inline(always)]
    pub fn member(self) -> u32 {
        self.0 & ((1 << MEMBER_BITS) - 1)
    }

    /// The number of the shift, below 32. Zero where there is none.
    #[inline(always)]
    pub fn tag(self) -> usize {
        (self.0 >> MEMBER_BITS) as usize
    }

    /// The shift in box lengths.
    pub fn shift(self) -> [i8; 3] {
        Self::shift_of(self.tag())
    }

    /// The shift of a tag below 27.
    pub fn shift_of(tag: usize) -> [i8; 3] {
        let code = (tag as i8 + 13) % 27;
        [code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1]
    }
}

/// Short lists side by side, each in a block of a fixed size, so that looking through many of them is a few straight copies: how many
/// entries there are, and `SIZE − 1` of them. Entries beyond are kept in a common list, which is meant to be short.
#[derive(Clone, Debug)]
pub struct Blocks<const SIZE: usize> {
    blocks: Vec<Block<SIZE>>,
    spilt: Vec<(u32, Seen)>,
}

/// It does not straddle more cache lines than it must.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Block<const SIZE: usize>([Seen; SIZE]);

/// A list of entries with room to spare behind its end.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    entries: Vec<Seen>,
    number: usize,
}

impl Candidates {
    /// The entries.
    #[inline(always)]
    pub fn entries(&self) -> &[Seen] {
        &self.entries[..self.number]
    }
}

impl<const SIZE: usize> Blocks<SIZE> {
    /// So many empty lists.
    pub fn new(number: usize) -> Self {
        Blocks {
            blocks: vec![Block([Seen(0); SIZE]); number],
            spilt: Vec::new(),
        }
    }

    /// Adds an empty list.
    pub fn grow(&mut self) {
        self.blocks.push(Block([Seen(0); SIZE]));
    }

    /// Adds an entry to a list.
    #[inline]
    pub fn insert(&mut self, list: usize, entry: Seen) {
        let block = &mut self.blocks[list].0;
        block[0].0 += 1;
        let place = block[0].0 as usize;
        match block.get_mut(place) {
            Some(place) => *place = entry,
            None => self.spilt.push((list as u32, entry)),
        }
    }

    /// Takes the first entry that `is_it` out of a list.
    #[inline]
    pub fn remove(&mut self, list: usize, is_it: impl Fn(Seen) -> bool) {
        let block = &mut self.blocks[list].0;
        let number = block[0].0 as usize;
        let in_block = block[1..]
            .iter()
            .take(number)
            .position(|&entry| is_it(entry));
        if number < SIZE {
            if let Some(place) = in_block {
                block[1 + place] = block[number];
                block[0].0 -= 1;
            }
            return;
        }
        let in_list = |spilt: &(u32, Seen)| spilt.0 == list as u32;
        let spilt = match in_block {
            Some(_) => self.spilt.iter().position(in_list),
            None => self
                .spilt
                .iter()
                .position(|spilt| in_list(spilt) && is_it(spilt.1)),
        };
        if let Some(spilt) = spilt {
            let moved = self.spilt.swap_remove(spilt).1;
            block[0].0 -= 1;
            if let Some(place) = in_block {
                block[1 + place] = moved;
            }
        }
    }

    /// Changes every entry of a list.
    pub fn change(&mut self, list: usize, change: impl Fn(Seen) -> Seen) {
        let block = &mut self.blocks[list].0;
        let number = block[0].0 as usize;
        for entry in block[1..].iter_mut().take(number) {
            *entry = change(*entry);
        }
        if number >= SIZE {
            let in_list = |spilt: &&mut (u32, Seen)| spilt.0 == list as u32;
            for (_, entry) in self.spilt.iter_mut().filter(in_list) {
                *entry = change(*entry);
            }
        }
    }

    /// Empties a list.
    pub fn clear(&mut self, list: usize) {
        if self.blocks[list].0[0].0 as usize >= SIZE {
            self.spilt.retain(|spilt| spilt.0 != list as u32);
        }
        self.blocks[list].0[0] = Seen(0);
    }

    /// A list as it is; `None` where it does not fit its block.
    #[inline(always)]
    pub fn plain(&self, list: usize) -> Option<&[Seen]> {
        let block = &self.blocks[list].0;
        block[1..].get(..block[0].0 as usize)
    }

    /// Empties the candidates, and makes room for those of so many lists.
    #[inline(always)]
    pub fn make_room(&self, lists: usize, candidates: &mut Candidates) {
        let room = lists * SIZE + self.spilt.len();
        if candidates.entries.len() < room {
            candidates.entries.resize(room, Seen(0));
        }
        candidates.number = 0;
    }

    /// Adds lists next to each other to the candidates, which must have room.
    #[inline(always)]
    pub fn take<const LISTS: usize>(&self, first: usize, candidates: &mut Candidates) {
        for (list, Block(block)) in self.blocks[first..first + LISTS].iter().enumerate() {
            let (number, at) = (block[0].0 as usize, candidates.number);
            // The whole block, whatever is in it: what is past the number will be written over.
            candidates.entries[at..at + SIZE - 1].copy_from_slice(&block[1..SIZE]);
            candidates.number += number.min(SIZE - 1);
            if number >= SIZE {
                self.take_spilt(first + list, candidates);
            }
        }
    }

    #[cold]
    fn take_spilt(&self, list: usize, candidates: &mut Candidates) {
        for &(_, entry) in self.spilt.iter().filter(|spilt| spilt.0 == list as u32) {
            candidates.entries[candidates.number] = entry;
            candidates.number += 1;
        }
    }
}
