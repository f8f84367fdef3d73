use super::Cells;
use crate::space::{Linear, Space};
use std::collections::BTreeMap;

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
    near: Vec<List>,
    /// What does not fit into the lists of some.
    spilt: BTreeMap<u32, Vec<u32>>,
    /// How far a ball may be from its anchor, m.
    pub drift: f64,
    shell: f64,
    found: Vec<u32>,
}

/// The first of them, and how many there are: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct List([u32; 16]);

const ROOM: usize = 15;

impl<S: Space> Lists<S> {
    /// Lists of nobody, for balls at places; the shell in metres.
    pub fn new(anchors: Vec<S::Vector>, shell: f64) -> Self {
        Lists {
            near: vec![List([0; 16]); anchors.len()],
            spilt: BTreeMap::new(),
            anchors,
            // A little less than half: positions and times are rounded.
            drift: 0.5 * shell * (1.0 - 1e-6),
            shell,
            found: Vec::new(),
        }
    }

    /// Makes room for so many balls.
    pub fn grow(&mut self, members: usize) {
        if self.near.len() < members {
            self.near.resize(members, List([0; 16]));
            self.anchors.resize(members, S::Vector::ZERO);
        }
    }

    /// Where the ball was when its list was made, m.
    #[inline(always)]
    pub fn anchor(&self, member: usize) -> S::Vector {
        self.anchors[member]
    }

    /// The list of a ball; `None` where it is too long to be in one piece.
    #[inline(always)]
    pub fn plain(&self, member: usize) -> Option<&[u32]> {
        self.block(member).get(..self.number(member))
    }

    /// How many are in the list of a ball.
    #[inline(always)]
    pub fn number(&self, member: usize) -> usize {
        self.near[member].0[ROOM] as usize
    }

    /// The first sixteen places of the list of a ball; those past the number have no meaning.
    #[inline(always)]
    pub fn block(&self, member: usize) -> &[u32; 16] {
        &self.near[member].0
    }

    /// Adds everyone in the list of a ball to a list.
    #[inline]
    pub fn around(&self, member: usize, list: &mut Vec<u32>) {
        match self.plain(member) {
            Some(plain) => list.extend_from_slice(plain),
            None => {
                list.extend_from_slice(&self.near[member].0[..ROOM]);
                list.extend_from_slice(&self.spilt[&(member as u32)]);
            }
        }
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

    /// Empties the list of a ball, and takes it out of those of its neighbours.
    pub fn forget(&mut self, member: u32) {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        self.around(member as usize, &mut found);
        for &other in &found {
            self.remove(other, member);
        }
        self.found = found;
        if self.number(member as usize) > ROOM {
            self.spilt.remove(&member);
        }
        self.near[member as usize].0[ROOM] = 0;
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
        found.clear();
        cells.around(cell, &mut found);
        let (here, own) = (self.anchors[member as usize], radius(member));
        let period = cells.lattice.period;
        for &other in &found {
            // Anchors are carried round the box with their balls, not with the cells they are in: take the nearest image.
            let mut apart = S::components(here - self.anchors[other as usize]);
            for axis in 0..S::DIMENSION {
                let half = 0.5 * period[axis];
                if period[axis] > 0.0 && apart[axis].abs() > half {
                    apart[axis] -= period[axis].copysign(apart[axis]);
                }
            }
            let reach = own + radius(other) + self.shell;
            if other != member
                && wanted(other)
                && S::vector(apart).length_squared() <= reach * reach
            {
                self.insert(member, other);
                self.insert(other, member);
            }
        }
        self.found = found;
    }

    fn insert(&mut self, member: u32, other: u32) {
        let List(list) = &mut self.near[member as usize];
        let number = list[ROOM] as usize;
        list[ROOM] += 1;
        match list[..ROOM].get_mut(number) {
            Some(place) => *place = other,
            None => self.spilt.entry(member).or_default().push(other),
        }
    }

    fn remove(&mut self, member: u32, other: u32) {
        let List(list) = &mut self.near[member as usize];
        let number = list[ROOM] as usize;
        let place = list[..ROOM]
            .iter()
            .take(number)
            .position(|&entry| entry == other);
        if number <= ROOM {
            if let Some(place) = place {
                list[place] = list[number - 1];
                list[ROOM] -= 1;
            }
            return;
        }
        let spilt = self.spilt.get_mut(&member).expect("its list is too long");
        match place {
            Some(place) => list[place] = spilt.pop().expect("its list is too long"),
            None => spilt.retain(|&entry| entry != other),
        }
        list[ROOM] = (ROOM + spilt.len()) as u32;
        if spilt.is_empty() {
            self.spilt.remove(&member);
        }
    }

    /// Carries a ball round the box: it has left along an axis at the upper (lower) end.
    pub fn wrap(&mut self, member: u32, axis: usize, up: bool, length: f64) {
        let mut anchor = S::components(self.anchors[member as usize]);
        anchor[axis] -= if up { length } else { -length };
        self.anchors[member as usize] = S::vector(anchor);
    }
}
