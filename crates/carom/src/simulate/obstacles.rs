//! Which fixtures can be touched from which cell.

use super::bodies::Bodies;
use super::sweep::{MANY, extent_of};
use crate::arrays::Each;
use crate::broad::{Extent, Lattice};
use crate::impact::Strikable;
use crate::shape::Obstacle;
use crate::space::Linear;

/// Rigid bodies, and balls among them, ask for fixtures so many radii around them.
pub(super) const AROUND: f64 = 1.25;

/// The fixtures near each cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Obstacles {
    /// Where the list of each cell begins; empty where there is no fixture.
    first: Vec<u32>,
    members: Vec<u32>,
    /// Boxes around the fixture, where there is very much of it.
    extents: Vec<Option<Extent>>,
}

impl Obstacles {
    pub fn new<S: Strikable>(
        stage: &Bodies<S>,
        lattice: &Lattice<S>,
        shell: f64,
        largest: f64,
    ) -> Self {
        if stage.fixtures.is_empty() {
            return Obstacles::default();
        }
        let edge = S::vector(lattice.size).length();
        let largest = if stage.balls.rigids().is_some() {
            AROUND * largest
        } else {
            largest
        };
        // From the middle of a cell to its corners, to the surface of a ball there, and a little for rounding.
        let near = (0.5 * edge + largest + shell) * (1.0 + 1e-6);
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (member, fixture) in (0..).zip(&stage.fixtures) {
            let pose = fixture.body.pose;
            let place = S::components(pose.position);
            let reach = fixture.body.shape.reach() + near;
            // Walls of a container are all about its middle: boxes around very many of them are worth their while.
            let many = stage.fixtures.len() > MANY;
            let extent = many.then(|| extent_of(fixture)).flatten();
            let (mut from, mut to) = ([0; 3], [0; 3]);
            for axis in 0..S::DIMENSION {
                to[axis] = lattice.count[axis] - 1;
                if reach.is_finite() && !fixture.is_kinematic() {
                    let cell_of = |along: f64| {
                        let cell = (along - lattice.origin[axis]) / lattice.size[axis];
                        (cell.floor() as i64).clamp(0, i64::from(to[axis])) as u32
                    };
                    let (low, high) = match &extent {
                        Some(extent) => (extent.low[axis] - near, extent.high[axis] + near),
                        None => (place[axis] - reach, place[axis] + reach),
                    };
                    (from[axis], to[axis]) = (cell_of(low), cell_of(high));
                }
            }
            for z in from[2]..=to[2] {
                for y in from[1]..=to[1] {
                    for x in from[0]..=to[0] {
                        let cell = [x, y, z];
                        let endless = (0..S::DIMENSION).any(|axis| {
                            lattice.period[axis] == 0.0
                                && (cell[axis] == 0 || cell[axis] + 1 == lattice.count[axis])
                        });
                        let middle = S::vector([0, 1, 2].each(|axis| {
                            lattice.origin[axis]
                                + (f64::from(cell[axis]) + 0.5) * lattice.size[axis]
                        }));
                        let distance = fixture.body.shape.closest(pose.to_local(middle)).distance;
                        if fixture.is_kinematic() || endless || !(distance > near) {
                            pairs.push((lattice.index(cell) as u32, member));
                        }
                    }
                }
            }
        }
        pairs.sort_unstable();
        let mut first = vec![0; lattice.cells() + 1];
        for &(cell, _) in &pairs {
            first[cell as usize + 1] += 1;
        }
        for cell in 1..first.len() {
            first[cell] += first[cell - 1];
        }
        Obstacles {
            first,
            members: pairs.into_iter().map(|(_, member)| member).collect(),
            extents: if stage.fixtures.len() > MANY || stage.balls.trajectories.is_some() {
                stage.fixtures.iter().map(extent_of).collect()
            } else {
                Vec::new()
            },
        }
    }

    /// Whether there is no fixtures at all.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Whether boxes say which bodies can be met soon.
    pub fn has_boxes(&self) -> bool {
        !self.extents.is_empty()
    }

    /// The box around a fixture that ends and stands still.
    pub fn extent(&self, member: u32) -> Option<&Extent> {
        self.extents.get(member as usize)?.as_ref()
    }

    /// The fixtures that can be touched from a cell, by its number.
    pub fn near(&self, cell: usize) -> &[u32] {
        if self.first.is_empty() {
            return &[];
        }
        &self.members[self.first[cell] as usize..self.first[cell + 1] as usize]
    }
}
