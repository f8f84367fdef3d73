use super::{Blocks, Candidates, Cells, Seen};
use crate::space::{Linear, Space};

/// For each ball, those near it.
///
/// A ball is in the list of another as long as their *anchors* are no further apart than the sum of the radii and a shell. The
/// anchor is where the ball was when its list was last made; the list is good until the ball has drifted from there by half the
/// shell, since two balls that have each drifted less cannot touch unless they are in each other's lists. The cells hold the anchors.
///
/// In dense matter a list has half as many candidates as the cells around, and balls rarely drift.
#[derive(Clone, Debug)]
pub struct Lists<S: Space> {
    anchors: Vec<S::Vector>,
    near: Blocks<32>,
    /// How far a ball may be from its anchor, m.
    pub drift: f64,
    shell: f64,
    found: Candidates,
}

impl<S: Space> Lists<S> {
    /// Lists of nobody, for balls at places; the shell in metres.
    pub fn new(anchors: Vec<S::Vector>, shell: f64) -> Self {
        Lists {
            near: Blocks::new(anchors.len()),
            anchors,
            // A little less than half: positions and times are rounded.
            drift: 0.5 * shell * (1.0 - 1e-6),
            shell,
            found: Candidates::default(),
        }
    }

    /// Where the ball was when its list was made, m.
    #[inline(always)]
    pub fn anchor(&self, member: usize) -> S::Vector {
        self.anchors[member]
    }

    /// The list of a ball; `None` where it is too long to be in one piece.
    #[inline(always)]
    pub fn plain(&self, member: usize) -> Option<&[Seen]> {
        self.near.plain(member)
    }

    /// Everyone in the list of a ball.
    #[inline(always)]
    pub fn around(&self, member: usize, list: &mut Candidates) {
        self.near.make_room(1, list);
        self.near.take::<1>(member, list);
    }

    /// Moves a ball's anchor, and brings its list and those of its neighbours up to date. The ball must be in its new cell.
    pub fn move_anchor(
        &mut self,
        cells: &Cells<S>,
        cell: [u32; 3],
        member: u32,
        anchor: S::Vector,
        radius: impl Fn(u32) -> f64,
    ) {
        self.forget(member);
        self.anchors[member as usize] = anchor;
        self.find(cells, cell, member, radius, |_| true);
    }

    /// Makes the list of a ball that has come. It must be in its cell, and its own list, if there is one, empty.
    pub fn admit(
        &mut self,
        cells: &Cells<S>,
        cell: [u32; 3],
        member: u32,
        anchor: S::Vector,
        radius: impl Fn(u32) -> f64,
    ) {
        if member as usize == self.anchors.len() {
            self.anchors.push(anchor);
            self.near.grow();
        }
        self.anchors[member as usize] = anchor;
        self.find(cells, cell, member, radius, |_| true);
    }

    /// How thick the shell is, m.
    pub fn shell(&self) -> f64 {
        self.shell
    }

    /// Fills all lists.
    pub fn fill(
        &mut self,
        cells: &Cells<S>,
        cell: impl Fn(u32) -> [u32; 3],
        radius: impl Fn(u32) -> f64,
    ) {
        for member in 0..self.anchors.len() as u32 {
            self.find(cells, cell(member), member, &radius, |other| other < member);
        }
    }

    /// Takes a ball out of all lists, and empties its own.
    pub fn forget(&mut self, member: u32) {
        let mut found = std::mem::take(&mut self.found);
        self.around(member as usize, &mut found);
        for entry in found.entries() {
            let is_it = |other: Seen| other.member() == member;
            self.near.remove(entry.member() as usize, is_it);
        }
        self.found = found;
        self.near.clear(member as usize);
    }

    fn find(
        &mut self,
        cells: &Cells<S>,
        cell: [u32; 3],
        member: u32,
        radius: impl Fn(u32) -> f64,
        wanted: impl Fn(u32) -> bool,
    ) {
        let mut found = std::mem::take(&mut self.found);
        cells.around(cell, &mut found);
        let (here, own) = (self.anchors[member as usize], radius(member));
        let period = cells.lattice.period;
        for other in found.entries().iter().map(|entry| entry.member()) {
            // Anchors are carried round the box with their balls, not with the cells they are in: take the nearest image.
            let mut apart = S::components(here - self.anchors[other as usize]);
            let mut shift = [0; 3];
            for axis in 0..S::DIMENSION {
                let half = 0.5 * period[axis];
                if period[axis] > 0.0 && apart[axis].abs() > half {
                    let sign = if apart[axis] > half { 1 } else { -1 };
                    shift[axis] = sign;
                    apart[axis] -= f64::from(sign) * period[axis];
                }
            }
            let reach = own + radius(other) + self.shell;
            if other != member
                && wanted(other)
                && S::vector(apart).length_squared() <= reach * reach
            {
                self.near.insert(member as usize, Seen::new(other, shift));
                let back = shift.map(|along: i8| -along);
                self.near.insert(other as usize, Seen::new(member, back));
            }
        }
        self.found = found;
    }

    /// Carries a ball round the box: it has left along an axis at the upper (lower) end.
    pub fn wrap(&mut self, member: u32, axis: usize, up: bool, length: f64) {
        let boxes = if up { 1 } else { -1 };
        let mut anchor = S::components(self.anchors[member as usize]);
        anchor[axis] -= f64::from(boxes) * length;
        self.anchors[member as usize] = S::vector(anchor);
        let moved = |entry: Seen, by: i8| {
            let mut shift = entry.shift();
            shift[axis] += by;
            Seen::new(entry.member(), shift)
        };
        let mut found = std::mem::take(&mut self.found);
        self.around(member as usize, &mut found);
        for entry in found.entries() {
            // The others see it one box further up, as it is one further down.
            self.near.change(entry.member() as usize, |other| {
                match other.member() == member {
                    true => moved(other, boxes),
                    false => other,
                }
            });
        }
        self.found = found;
        self.near
            .change(member as usize, |entry| moved(entry, -boxes));
    }
}
