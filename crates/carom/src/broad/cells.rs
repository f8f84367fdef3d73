use super::Lattice;
use super::members::Members;
use super::store::Store;
use crate::arrays::Each;
use crate::space::Space;

/// Which ball is in which cell.
#[derive(Clone, Debug)]
pub struct Cells<S: Space> {
    /// Where the cells are.
    pub lattice: Lattice<S>,
    /// By rows. Each row has a cell more at both ends, which shows the one at its other end where the first axis comes
    /// round; where an axis does not, an empty row or layer comes after the last one. So the cells around any cell are
    /// found in the same way.
    store: Store,
    /// For each coordinate along the second and the third axis: where the row (layer) before it begins, its own, and
    /// the one after it.
    rows: Vec<[u32; 3]>,
    layers: Vec<[u32; 3]>,
    /// From the first cell of a row to the last.
    length: usize,
    /// Whether the first axis comes round, and so many cells are along it that its ends are needed.
    round: bool,
    /// Whether all axes have so many cells that none is next to another on both sides.
    wide: bool,
}

/// Most members that can be told apart.
pub(crate) const MOST_MEMBERS: usize = 1 << 27;

impl<S: Space> Cells<S> {
    /// Empty cells for so many members.
    pub fn new(lattice: Lattice<S>, members: usize) -> Self {
        let [width, rows, _] = lattice.count.each(|count| count as usize);
        let (row, layer) = (width + 2, (width + 2) * (rows + 1));
        let starts = |axis: usize, stride: usize| {
            let last = lattice.count[axis] - 1;
            let beyond = if lattice.period[axis] > 0.0 {
                [last, 0]
            } else {
                [last + 1; 2]
            };
            (0..=last)
                .map(|own| {
                    let before = if own == 0 { beyond[0] } else { own - 1 };
                    let after = if own == last { beyond[1] } else { own + 1 };
                    [before, own, after].each(|at| at * stride as u32)
                })
                .collect()
        };
        let places = layer * (lattice.count[2] as usize + 1);
        Cells {
            store: Store::new(places, lattice.cells(), members),
            rows: starts(1, row),
            layers: starts(2, layer),
            length: width,
            round: lattice.period[0] > 0.0 && width > 2,
            wide: lattice.count[..S::DIMENSION].iter().all(|&count| count > 2),
            lattice,
        }
    }

    /// Where a cell is.
    #[inline(always)]
    fn place(&self, cell: [u32; 3]) -> usize {
        (self.layers[cell[2] as usize][1] + self.rows[cell[1] as usize][1] + cell[0]) as usize + 1
    }

    /// Where a cell is, and where else it is shown.
    #[inline(always)]
    fn places(&self, cell: [u32; 3]) -> (usize, Option<usize>) {
        let (place, along) = (self.place(cell), cell[0] as usize);
        let ghost = if self.round && along == 0 {
            Some(place + self.length)
        } else if self.round && along + 1 == self.length {
            Some(place - self.length)
        } else {
            None
        };
        (place, ghost)
    }

    /// Puts a member into a cell.
    #[inline]
    pub fn insert(&mut self, cell: [u32; 3], member: u32) {
        let (place, ghost) = self.places(cell);
        self.store.insert(place, ghost, member);
    }

    /// Takes a member out of its cell.
    #[inline]
    pub fn remove(&mut self, cell: [u32; 3], member: u32) {
        let (place, ghost) = self.places(cell);
        self.store.remove(place, ghost, member);
    }

    /// Takes a member to a cell from the one before it along an axis (`up`: from below), which is not round the end;
    /// and adds every ball to a list that is in the cells that are new around it: those next to the far face of its
    /// cell.
    #[inline(always)]
    pub fn step(&mut self, to: [u32; 3], axis: usize, up: bool, member: u32, list: &mut Members) {
        let Store::Sparse(chains) = &mut self.store else {
            return self.step_far(to, axis, up, member, list);
        };
        if !self.wide {
            return self.step_far(to, axis, up, member, list);
        }
        // Along which axis it goes, and which way, cannot be foreseen: it is looked up, without a branch.
        let ahead = 2 * usize::from(up);
        let (behind, along) = (2 - ahead, to[0]);
        let rows = self.rows[to[1] as usize];
        let layers = match S::DIMENSION {
            2 => [0; 3],
            _ => self.layers[to[2] as usize],
        };
        let start = layers[1] + rows[1] + along;
        let own = start + 1;
        let from = [
            start + behind as u32,
            layers[1] + rows[behind] + along + 1,
            layers[behind] + rows[1] + along + 1,
        ][axis % 3];
        // A cell that is not shown elsewhere is written twice.
        let length = if self.round { self.length as u32 } else { 0 };
        let last = self.length as u32 - 1;
        let ghost = |place: u32, along: u32| {
            let shift = u32::from(along == 0).wrapping_sub(u32::from(along == last));
            place.wrapping_add(shift.wrapping_mul(length)) as usize
        };
        let from_along = along.wrapping_add(u32::from(axis == 0) * (behind as u32).wrapping_sub(1));
        chains.remove(from as usize, Some(ghost(from, from_along)), member);
        chains.insert_known(own as usize, Some(ghost(own, along)), member);
        if axis == 0 {
            let first = |layer: usize| rows.each(|row| layers[layer] + row + along + ahead as u32);
            match S::DIMENSION {
                2 => chains.take::<1>(&first(1), list),
                _ => chains.take::<1>([first(0), first(1), first(2)].as_flattened(), list),
            }
        } else {
            let both = [rows, layers];
            let (fixed, three) = (both[(axis - 1) & 1][ahead], both[(2 - axis) & 1]);
            match S::DIMENSION {
                2 => chains.take::<3>(&[rows[ahead] + along], list),
                _ => chains.take::<3>(&three.each(|start| start + fixed + along), list),
            }
        }
    }

    /// The same where cells are few or full.
    #[inline(never)]
    fn step_far(&mut self, to: [u32; 3], axis: usize, up: bool, member: u32, list: &mut Members) {
        if let Some((from, _)) = self.lattice.next(to, axis, !up) {
            self.remove(from, member);
        }
        self.insert(to, member);
        self.beyond(to, axis, up, list);
    }

    /// Fetches the cells around a cell, which will be needed soon.
    #[inline(always)]
    pub fn fetch(&self, cell: [u32; 3]) {
        for &layer in self.layers_around(cell) {
            for &row in &self.rows[cell[1] as usize] {
                self.store.fetch((layer + row + cell[0]) as usize);
            }
        }
    }

    /// Fetches the cell of a member, which it is going to leave.
    #[inline(always)]
    pub fn fetch_own(&self, cell: [u32; 3], member: u32) {
        self.store.fetch_own(self.place(cell), member);
    }

    #[inline(always)]
    fn layers_around(&self, cell: [u32; 3]) -> &[u32] {
        match S::DIMENSION {
            2 => &[0],
            _ => &self.layers[cell[2] as usize],
        }
    }

    /// Adds every ball in a cell to a list.
    #[inline]
    pub fn inside(&self, cell: [u32; 3], list: &mut Members) {
        self.store.take_one(self.place(cell), list);
    }

    /// Adds every ball in the cells that lie between two corners to a list.
    pub fn between(&self, low: [f64; 3], high: [f64; 3], list: &mut Members) {
        let [xs, ys, zs] = [0, 1, 2].each(|axis| {
            if axis < S::DIMENSION {
                self.lattice.range(axis, low[axis], high[axis])
            } else {
                (0, 0)
            }
        });
        let cells = |axis: usize, (first, number): (u32, u32)| {
            let count = self.lattice.count[axis];
            (0..=number).map(move |step| (first + step) % count)
        };
        for z in cells(2, zs) {
            for y in cells(1, ys) {
                for x in cells(0, xs) {
                    self.inside([x, y, z], list);
                }
            }
        }
    }

    /// Adds every ball in the cells that reach into a shell around a point to a list: those with points no further than
    /// `outer` from it, but for those all of whose points are nearer than `inner`.
    pub fn shell(&self, place: [f64; 3], inner: f64, outer: f64, list: &mut Members) {
        let lattice = &self.lattice;
        // Along each axis: the cells, and the shortest and the longest way from the place to any of their places.
        let ways = [0, 1, 2].map(|axis| {
            let mut ways: Vec<(u32, f64, f64)> = Vec::new();
            if axis >= S::DIMENSION {
                return vec![(0, 0.0, 0.0)];
            }
            let (origin, size) = (lattice.origin[axis], lattice.size[axis]);
            let count = i64::from(lattice.count[axis]);
            let cell = |along: f64| ((along - origin) / size).floor() as i64;
            let (first, last) = (cell(place[axis] - outer), cell(place[axis] + outer));
            let periodic = lattice.period[axis] > 0.0;
            if periodic && last.saturating_sub(first) >= count - 1 {
                // All of them, each once; which image is nearest does not matter then.
                return (0..count as u32)
                    .map(|cell| (cell, 0.0, f64::INFINITY))
                    .collect();
            }
            let (first, last) = if periodic {
                (first, last)
            } else {
                (first.clamp(0, count - 1), last.clamp(0, count - 1))
            };
            for cell in first..=last {
                let low = origin + cell as f64 * size - place[axis];
                let (mut low, mut high) = (low, low + size);
                if !periodic {
                    // The first and the last cell go on without end.
                    low = if cell == 0 { f64::NEG_INFINITY } else { low };
                    high = if cell == count - 1 {
                        f64::INFINITY
                    } else {
                        high
                    };
                }
                let least = low.max(-high).max(0.0);
                ways.push((cell.rem_euclid(count) as u32, least, high.max(-low)));
            }
            ways
        });
        let (inner, outer) = (inner * inner, outer * outer);
        for &(z, least_z, most_z) in &ways[2] {
            for &(y, least_y, most_y) in &ways[1] {
                let least = least_z * least_z + least_y * least_y;
                let most = most_z * most_z + most_y * most_y;
                if least > outer {
                    continue;
                }
                let row = self.place([0, y, z]);
                for &(x, least_x, most_x) in &ways[0] {
                    let near = least + least_x * least_x <= outer;
                    if near && most + most_x * most_x >= inner {
                        self.store.take_one(row + x as usize, list);
                    }
                }
            }
        }
    }

    /// Adds every ball in the block of 3 × 3 (× 3) cells around a cell to a list.
    #[inline(always)]
    pub fn around(&self, cell: [u32; 3], list: &mut Members) {
        if !self.wide {
            return self.around_few(cell, list);
        }
        let rows = &self.rows[cell[1] as usize];
        let mut firsts = [0; 9];
        let layers = self.layers_around(cell);
        for (at, &layer) in layers.iter().enumerate() {
            for (along, &row) in rows.iter().enumerate() {
                firsts[(3 * at + along) % 9] = layer + row + cell[0];
            }
        }
        self.store
            .take::<3>(&firsts[..(3 * layers.len()).min(9)], list);
    }

    #[inline(never)]
    fn around_few(&self, cell: [u32; 3], list: &mut Members) {
        let [xs, ys, zs] = [0, 1, 2].map(|axis| self.lattice.near(cell[axis], axis));
        for z in zs.all() {
            for y in ys.all() {
                for x in xs.all() {
                    self.inside([x, y, z], list);
                }
            }
        }
    }

    /// Adds every ball in those cells around a cell that are next to its upper (lower) face along an axis.
    #[inline]
    pub fn beyond(&self, cell: [u32; 3], axis: usize, up: bool, list: &mut Members) {
        if !self.wide {
            return self.beyond_few(cell, axis, up, list);
        }
        let side = if up { 2 } else { 0 };
        let rows = &self.rows[cell[1] as usize];
        let layers = self.layers_around(cell);
        let along = cell[0];
        let mut firsts = [0; 9];
        match axis {
            0 => {
                for (at, &layer) in layers.iter().enumerate() {
                    for (place, &row) in rows.iter().enumerate() {
                        firsts[(3 * at + place) % 9] = layer + row + along + side as u32;
                    }
                }
                let number = (3 * layers.len()).min(9);
                self.store.take::<1>(&firsts[..number], list);
            }
            // Which of the two it is takes no branch: in 2-D there is but one.
            _ => {
                let (side, starts) = if axis == 1 || S::DIMENSION == 2 {
                    (rows[side], layers)
                } else {
                    (layers[side], &rows[..])
                };
                for (first, &start) in firsts.iter_mut().zip(starts) {
                    *first = side + start + along;
                }
                self.store.take::<3>(&firsts[..starts.len().min(3)], list);
            }
        }
    }

    #[inline(never)]
    fn beyond_few(&self, cell: [u32; 3], axis: usize, up: bool, list: &mut Members) {
        let mut near = [0, 1, 2].map(|axis| self.lattice.near(cell[axis], axis));
        match self.lattice.next(cell, axis, up) {
            Some((next, _)) => near[axis] = NearCells::one(next[axis]),
            None => return,
        }
        for z in near[2].all() {
            for y in near[1].all() {
                for x in near[0].all() {
                    self.inside([x, y, z], list);
                }
            }
        }
    }
}

/// A cell and those next to it along an axis, each once.
#[derive(Clone, Copy, Debug)]
pub struct NearCells {
    cells: [u32; 3],
    number: usize,
}

impl NearCells {
    /// Only one.
    pub fn one(cell: u32) -> Self {
        NearCells {
            cells: [cell; 3],
            number: 1,
        }
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = u32> + use<> {
        let near = *self;
        (0..near.number).map(move |place| near.cells[place])
    }

    /// Adds a cell that is not there yet.
    pub fn add(&mut self, cell: u32) {
        if !self.cells[..self.number].contains(&cell) {
            self.cells[self.number] = cell;
            self.number += 1;
        }
    }
}
