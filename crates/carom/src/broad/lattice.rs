use super::cells::NearCells;
use crate::arrays::Each;
use crate::space::Space;
use std::marker::PhantomData;

/// The cells that space is cut into: boxes in rows, columns and layers.
///
/// Along a periodic axis the cells fill the box from 0 to its length exactly, and the first is next to the last. Along
/// any other axis the first and the last cell go on without end, so that every point is in some cell.
#[derive(Clone, Debug)]
pub struct Lattice<S: Space> {
    /// Lower corner of the first cell, m.
    pub origin: [f64; 3],
    /// Edges of a cell, m.
    pub size: [f64; 3],
    /// How many cells there are along each axis.
    pub count: [u32; 3],
    /// The length of the box along each axis, m; zero where it is not periodic.
    pub period: [f64; 3],
    inverse: [f64; 3],
    /// Where the cells of each axis begin and the last one ends, one axis after the other.
    bounds: Vec<f64>,
    /// Where those of an axis begin.
    firsts: [u32; 3],
    space: PhantomData<S>,
}

/// Cells along an axis are few enough for the three of them to fit a `u32`.
const MOST: [u32; 4] = [1, 1, 1 << 15, 1 << 10];

impl<S: Space> Lattice<S> {
    /// Bits of one coordinate of a packed cell.
    pub const BITS: u32 = if S::DIMENSION == 2 { 15 } else { 10 };

    /// About `cells` cells over a range of positions, with edges of at least `least` m.
    pub fn new(low: [f64; 3], high: [f64; 3], period: [f64; 3], least: f64, cells: usize) -> Self {
        let mut lattice = Lattice {
            origin: [0.0; 3],
            size: [1.0; 3],
            count: [1; 3],
            period,
            inverse: [1.0; 3],
            bounds: Vec::new(),
            firsts: [0; 3],
            space: PhantomData,
        };
        let mut extent = [0.0; 3];
        for axis in 0..S::DIMENSION {
            (lattice.origin[axis], extent[axis]) = if period[axis] > 0.0 {
                (0.0, period[axis])
            } else {
                let room = high[axis] - low[axis];
                (low[axis], if room.is_finite() { room } else { 0.0 })
            };
        }
        let wanted = edge(&extent[..S::DIMENSION], least, cells as f64);
        for axis in 0..S::DIMENSION {
            let most = f64::from(MOST[S::DIMENSION]);
            let count = (extent[axis] / wanted).floor().clamp(1.0, most);
            let count = if count.is_nan() { 1.0 } else { count };
            lattice.count[axis] = count as u32;
            lattice.size[axis] = if extent[axis] > 0.0 {
                extent[axis] / count
            } else {
                wanted
            };
            lattice.inverse[axis] = 1.0 / lattice.size[axis];
            let bound = |cell: u32| lattice.origin[axis] + f64::from(cell) * lattice.size[axis];
            let mut bounds: Vec<f64> = (0..=lattice.count[axis]).map(bound).collect();
            let ends = if period[axis] > 0.0 {
                (0.0, period[axis])
            } else {
                (f64::NEG_INFINITY, f64::INFINITY)
            };
            (bounds[0], bounds[lattice.count[axis] as usize]) = ends;
            lattice.firsts[axis] = lattice.bounds.len() as u32;
            lattice.bounds.extend(bounds);
        }
        lattice
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.count.iter().map(|&count| count as usize).product()
    }

    /// The cell of a point; beyond the ends it is the first or the last.
    pub fn cell_of(&self, place: S::Vector) -> [u32; 3] {
        let place = S::components(place);
        let mut cell = [0; 3];
        for axis in 0..S::DIMENSION {
            let along = ((place[axis] - self.origin[axis]) * self.inverse[axis]) as i64;
            cell[axis] = along.clamp(0, i64::from(self.count[axis]) - 1) as u32;
        }
        cell
    }

    /// The cells along an axis that have points from `low` to `high`: the first, and how many come after it. Along a
    /// periodic axis they go on round the end; none is named twice.
    pub fn range(&self, axis: usize, low: f64, high: f64) -> (u32, u32) {
        let count = i64::from(self.count[axis]);
        let cell = |along: f64| ((along - self.origin[axis]) * self.inverse[axis]).floor() as i64;
        let (first, last) = (cell(low), cell(high).max(cell(low)));
        if self.period[axis] > 0.0 {
            if last.saturating_sub(first) >= count - 1 {
                return (0, self.count[axis] - 1);
            }
            return (first.rem_euclid(count) as u32, (last - first) as u32);
        }
        let (first, last) = (first.clamp(0, count - 1), last.clamp(0, count - 1));
        (first as u32, (last - first) as u32)
    }

    /// The number of a cell.
    #[inline]
    pub fn index(&self, cell: [u32; 3]) -> usize {
        (cell[2] as usize * self.count[1] as usize + cell[1] as usize) * self.count[0] as usize
            + cell[0] as usize
    }

    /// A cell in the lower 30 bits of a word.
    #[inline]
    pub fn pack(cell: [u32; 3]) -> u32 {
        cell[0] | cell[1] << Self::BITS | cell[2] << (2 * Self::BITS % 30)
    }

    /// The cell of a word.
    #[inline]
    pub fn unpack(word: u32) -> [u32; 3] {
        let mask = (1 << Self::BITS) - 1;
        let layer = match S::DIMENSION {
            2 => 0,
            _ => (word >> (2 * Self::BITS)) & mask,
        };
        [word & mask, (word >> Self::BITS) & mask, layer]
    }

    /// The next cell along an axis (`up`: towards larger coordinates), and whether going there leaves the box. `None`
    /// at an end that does not come round.
    #[inline]
    pub fn next(&self, cell: [u32; 3], axis: usize, up: bool) -> Option<([u32; 3], bool)> {
        let mut next = cell;
        let last = self.count[axis] - 1;
        let leaves = cell[axis] == if up { last } else { 0 };
        if leaves && self.period[axis] == 0.0 {
            return None;
        }
        next[axis] = match (leaves, up) {
            (true, true) => 0,
            (true, false) => last,
            (false, true) => cell[axis] + 1,
            (false, false) => cell[axis] - 1,
        };
        Some((next, leaves))
    }

    /// The same for packed cells, without asking whether the axis comes round: nothing leaves a cell that has no end.
    /// (Coordinates by number would go through memory.)
    #[inline(always)]
    pub fn next_packed(&self, word: u32, axis: usize, up: bool) -> (u32, bool) {
        let shift = Self::BITS * axis as u32;
        let mask = (1 << Self::BITS) - 1;
        let coordinate = word >> shift & mask;
        let last = self.count[axis] - 1;
        let (end, start, step) = if up {
            (last, 0, 1)
        } else {
            (0, last, u32::MAX)
        };
        let leaves = coordinate == end;
        let next = if leaves {
            start
        } else {
            coordinate.wrapping_add(step)
        };
        let others = word & ((1 << 30) - 1) & !(mask << shift);
        (others | next << shift, leaves)
    }

    /// Where a cell ends along an axis, m; infinite at an end that does not come round. At the ends of a periodic box
    /// it is exactly 0 and exactly the length.
    #[inline(always)]
    pub fn bound(&self, cell: u32, axis: usize, up: bool) -> f64 {
        self.bounds[(self.firsts[axis] + cell + u32::from(up)) as usize]
    }

    /// Calls `visit` with each cell of the block of 3 × 3 (× 3) around a cell, and with the shift that its points are
    /// to be seen under from there, in box lengths: +1 where one looks over the upper end.
    pub fn around(&self, cell: [u32; 3], mut visit: impl FnMut([u32; 3], [i8; 3])) {
        let range = |axis: usize| if axis < S::DIMENSION { -1..=1 } else { 0..=0 };
        for z in range(2) {
            for y in range(1) {
                for x in range(0) {
                    if let Some((cell, shift)) = self.offset(cell, [x, y, z]) {
                        visit(cell, shift);
                    }
                }
            }
        }
    }

    /// The cell at an offset of at most one along each axis, and the shift of its points in box lengths.
    pub fn offset(&self, cell: [u32; 3], offset: [i8; 3]) -> Option<([u32; 3], [i8; 3])> {
        let (mut place, mut shift) = (cell, [0; 3]);
        for axis in 0..S::DIMENSION {
            if offset[axis] != 0 {
                let (next, leaves) = self.next(place, axis, offset[axis] > 0)?;
                place = next;
                shift[axis] = if leaves { offset[axis] } else { 0 };
            }
        }
        Some((place, shift))
    }

    /// A cell's coordinate along an axis and those next to it, each once.
    pub fn near(&self, cell: u32, axis: usize) -> NearCells {
        let mut near = NearCells::one(cell);
        let last = self.count[axis] - 1;
        let periodic = self.period[axis] > 0.0;
        if cell > 0 {
            near.add(cell - 1);
        } else if periodic {
            near.add(last);
        }
        if cell < last {
            near.add(cell + 1);
        } else if periodic {
            near.add(0);
        }
        near
    }

    /// Whether the block around a cell stays inside: no end, no coming round.
    #[inline]
    pub fn is_inner(&self, cell: [u32; 3]) -> bool {
        (0..S::DIMENSION).all(|axis| cell[axis] > 0 && cell[axis] + 1 < self.count[axis])
    }

    /// The shifts to all images next to the box and inside it, m.
    pub fn all_shifts(&self) -> Vec<S::Vector> {
        let along = |axis: usize| {
            if self.period[axis] > 0.0 {
                -1..=1
            } else {
                0..=0
            }
        };
        let mut shifts = Vec::new();
        for z in along(2) {
            for y in along(1) {
                shifts.extend(along(0).map(|x| self.shift([x, y, z])));
            }
        }
        shifts
    }

    /// A shift of box lengths in metres.
    #[inline]
    pub fn shift(&self, shift: [i8; 3]) -> S::Vector {
        S::vector([0, 1, 2].each(|axis| f64::from(shift[axis]) * self.period[axis]))
    }
}

/// The edge of a cell: at least `least`, and so long that there are at most about `cells` of them. Axes that are
/// shorter than an edge have one cell and do not count.
fn edge(extent: &[f64], least: f64, cells: f64) -> f64 {
    let mut wanted = least;
    for _ in 0..extent.len() {
        let number: f64 = extent.iter().map(|room| (room / wanted).max(1.0)).product();
        if !(number > cells) {
            break;
        }
        let axes = extent.iter().filter(|&&room| room > wanted).count() as f64;
        let grow = libm::pow(number / cells, 1.0 / axes.max(1.0));
        wanted *= grow;
    }
    wanted
}
