//! The radial distribution g(r): how many neighbours a ball has at a distance, compared with points scattered at
//! random.
//!
//! In a box with sides `L_i` two random points are at a distance between r and r + dr with the probability
//! `S(r) γ(r) dr / V²`, where S is the surface of the sphere (or circle) of radius r and `γ(r) = ⟨Π (L_i − r |u_i|)⟩`
//! the mean over all directions u of the volume that the box has in common with itself moved by r u; an axis along
//! which the box is periodic has `L_i` alone. With `⟨|u_i|⟩ = 2/π` and `⟨|u_i u_j|⟩ = 1/π` in 2-D, `1/2`, `2/3π`
//! and `⟨|u_x u_y u_z|⟩ = 1/4π` in 3-D, γ is closed, for r up to the shortest side. So walls do not bend g, as they
//! do where only the density is divided out.

use crate::canvas::{Dash, Ink, Pen, Point};
use crate::chart::{Axis, Figure, Layer, Panel, count, rounded};
use crate::digest::{Digest, Look};
use crate::outlines::{Bounds, Place};
use crate::recording::Recording;
use std::f64::consts::PI;

/// Pairs that are looked at, at most, in all.
const PAIRS: f64 = 3e7;
const SHELLS: usize = 120;

/// Where the centres of the balls are.
#[derive(Clone, Copy, Debug)]
struct Home {
    low: Place,
    sides: Place,
    periodic: [bool; 3],
    dimension: usize,
}

impl Home {
    fn volume(&self) -> f64 {
        self.sides[..self.dimension].iter().product()
    }

    /// `γ(r)`.
    fn overlap(&self, r: f64) -> f64 {
        let walled = |i: usize| if self.periodic[i] { 0.0 } else { r };
        let l = self.sides;
        let w = [0, 1, 2].map(walled);
        if self.dimension == 2 {
            return l[0] * l[1] - (w[0] * l[1] + w[1] * l[0]) * 2.0 / PI + w[0] * w[1] / PI;
        }
        l[0] * l[1] * l[2] - 0.5 * (w[0] * l[1] * l[2] + l[0] * w[1] * l[2] + l[0] * l[1] * w[2])
            + (w[0] * w[1] * l[2] + w[0] * l[1] * w[2] + l[0] * w[1] * w[2]) * 2.0 / (3.0 * PI)
            - w[0] * w[1] * w[2] / (4.0 * PI)
    }

    /// The chance that two random points are within a shell: the middle of it stands for it all.
    fn chance(&self, inner: f64, outer: f64) -> f64 {
        let shell = match self.dimension {
            2 => PI * (outer * outer - inner * inner),
            _ => 4.0 / 3.0 * PI * (outer * outer * outer - inner * inner * inner),
        };
        let volume = self.volume();
        shell * self.overlap(0.5 * (inner + outer)) / (volume * volume)
    }

    fn distance_squared(&self, a: Place, b: Place) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.dimension {
            let mut d = b[i] - a[i];
            if self.periodic[i] {
                d -= self.sides[i] * (d / self.sides[i]).round();
            }
            sum += d * d;
        }
        sum
    }
}

pub fn figure(recording: &Recording, digest: &Digest) -> Figure {
    let home = home(recording, digest);
    let radii: Vec<f64> = (0..recording.bodies.len())
        .filter(|&id| recording.is_free(id))
        .map(|id| recording.bodies[id].radius)
        .filter(|radius| radius.is_finite())
        .collect();
    let diameter = 2.0 * radii.iter().sum::<f64>() / radii.len().max(1) as f64;
    let alike = radii
        .iter()
        .all(|r| (2.0 * r - diameter).abs() < 1e-9 * diameter);
    let shortest = home.sides[..home.dimension]
        .iter()
        .copied()
        .fold(f64::INFINITY, f64::min);
    let reach = (6.0 * diameter).min(0.5 * shortest);
    let (curve, looks) = distribution(&home, &digest.looks, reach);
    let scale = if alike { diameter } else { 1.0 };
    let points: Vec<Point> = curve.iter().map(|p| [p[0] / scale, p[1]]).collect();
    let label = if alike {
        "distance r, in diameters"
    } else {
        "distance r"
    };
    let x = Axis::new(label, if alike { "" } else { "m" }, 0.0, reach / scale);
    let one = [[0.0, 1.0], [reach / scale, 1.0]];
    let dotted = Pen {
        dash: Dash::Dots,
        ..Pen::new(Ink::Text, 1.2)
    };
    let layers = vec![
        Layer::line("points at random", &one, dotted),
        Layer::line("g(r) of the run", &points, Pen::new(Ink::series(0), 2.0)),
    ];
    let balls = digest.looks.last().map_or(0, |look| look.positions.len());
    let mut notes = vec![format!(
        "{} of {} diameter {} m, at {} of the second half of the run, in shells of {} m.",
        count(balls as u64, "ball", "balls"),
        if alike { "the" } else { "a mean" },
        rounded(diameter, 4),
        count(looks as u64, "instant", "instants"),
        rounded(reach / SHELLS as f64, 3),
    )];
    if !home.periodic[..home.dimension].iter().all(|&p| p) {
        notes.push(
            "Compared with points at random in the smallest box that holds all centres: the walls of a box are taken into account, other containers and gravity are not."
                .to_owned(),
        );
    }
    Figure {
        name: "radial",
        title: "Radial distribution g(r)".to_owned(),
        subtitle: recording.caption(),
        panels: vec![Panel {
            heading: String::new(),
            x,
            y: Axis::fitting("g(r)", "", points.iter().map(|p| p[1]).chain([0.0, 1.0])),
            height: 320.0,
            same_scale: false,
            layers,
            message: None,
        }],
        columns: 1,
        notes,
    }
}

fn home(recording: &Recording, digest: &Digest) -> Home {
    let periods = recording.periods();
    let mut bounds = Bounds::NOTHING;
    for look in &digest.looks {
        for &place in &look.positions {
            bounds.add(place, 0.0);
        }
    }
    // In a sheared box images are elsewhere at each instant: its balls are taken alone, as between walls.
    let sheared = recording
        .audit(&["shear_work"])
        .is_ok_and(|columns| columns.iter().flatten().any(|&work| work != 0.0));
    let periodic = periods.map(|period| period > 0.0 && !sheared);
    let bounds = bounds.settled();
    Home {
        low: [0, 1, 2].map(|i| if periods[i] > 0.0 { 0.0 } else { bounds.low[i] }),
        sides: [0, 1, 2].map(|i| {
            if periods[i] > 0.0 {
                periods[i]
            } else {
                bounds.high[i] - bounds.low[i]
            }
        }),
        periodic,
        dimension: recording.dimension(),
    }
}

/// The middle of each shell and g there; and how many instants were looked at.
fn distribution(home: &Home, looks: &[Look], reach: f64) -> (Vec<Point>, usize) {
    let balls = looks.last().map_or(0, |look| look.positions.len());
    let within = home.chance(0.0, reach).min(1.0) * balls as f64;
    // Neighbours within cells are looked at, some five times as many as are within reach.
    let pairs = 5.0 * within.max(1.0) * balls as f64;
    let most = (PAIRS / pairs)
        .floor()
        .clamp(1.0, looks.len().max(1) as f64) as usize;
    let centres = if pairs > PAIRS {
        (PAIRS / pairs * balls as f64) as usize
    } else {
        balls
    };
    let every = looks.len().div_ceil(most).max(1);
    let width = reach / SHELLS as f64;
    let (mut counts, mut used, mut asked) = (vec![0_u64; SHELLS], 0, 0_u64);
    for look in looks.iter().rev().step_by(every) {
        let cells = Cells::new(home, &look.positions, reach);
        let stride = balls.div_ceil(centres.max(1)).max(1);
        for i in (0..look.positions.len()).step_by(stride) {
            asked += 1;
            cells.near(look.positions[i], |j| {
                let squared = home.distance_squared(look.positions[i], look.positions[j]);
                if i != j && squared < reach * reach {
                    counts[((squared.sqrt() / width) as usize).min(SHELLS - 1)] += 1;
                }
            });
        }
        used += 1;
    }
    let points = counts.iter().enumerate().map(|(shell, &count)| {
        let (inner, outer) = (shell as f64 * width, (shell + 1) as f64 * width);
        let expected = asked as f64 * (balls as f64 - 1.0) * home.chance(inner, outer);
        [0.5 * (inner + outer), count as f64 / expected]
    });
    (points.collect(), used)
}

/// Balls by cells that are as wide as is looked.
struct Cells<'h> {
    home: &'h Home,
    counts: [usize; 3],
    first: Vec<usize>,
    order: Vec<usize>,
}

impl<'h> Cells<'h> {
    fn new(home: &'h Home, places: &[Place], reach: f64) -> Self {
        let most = (places.len().max(8) as f64).sqrt().ceil();
        let counts = [0, 1, 2].map(|i| {
            if i < home.dimension {
                (home.sides[i] / reach).floor().clamp(1.0, most) as usize
            } else {
                1
            }
        });
        let mut cells = Cells {
            home,
            counts,
            first: Vec::new(),
            order: (0..places.len()).collect(),
        };
        let of: Vec<usize> = places
            .iter()
            .map(|&place| cells.index(cells.cell(place)))
            .collect();
        cells.order.sort_by_key(|&ball| of[ball]);
        let all: usize = counts.iter().product();
        cells.first = vec![0; all + 1];
        for &cell in &of {
            cells.first[cell + 1] += 1;
        }
        for cell in 0..all {
            cells.first[cell + 1] += cells.first[cell];
        }
        cells
    }

    fn cell(&self, place: Place) -> [usize; 3] {
        [0, 1, 2].map(|i| {
            let share = (place[i] - self.home.low[i]) / self.home.sides[i];
            ((share * self.counts[i] as f64).max(0.0) as usize).min(self.counts[i] - 1)
        })
    }

    fn index(&self, cell: [usize; 3]) -> usize {
        (cell[2] * self.counts[1] + cell[1]) * self.counts[0] + cell[0]
    }

    /// Shows all balls in the cells around a place.
    fn near(&self, place: Place, mut show: impl FnMut(usize)) {
        let cell = self.cell(place);
        // With less than three cells along a periodic axis the one before and the one after are the same.
        let along = |i: usize| -> Vec<usize> {
            let n = self.counts[i] as i64;
            let mut found: Vec<usize> = (-1..=1)
                .map(|step| cell[i] as i64 + step)
                .filter(|&c| self.home.periodic[i] || (0..n).contains(&c))
                .map(|c| c.rem_euclid(n) as usize)
                .collect();
            found.sort_unstable();
            found.dedup();
            found
        };
        let [xs, ys, zs] = [0, 1, 2].map(along);
        for &z in &zs {
            for &y in &ys {
                for &x in &xs {
                    let index = self.index([x, y, z]);
                    for &ball in &self.order[self.first[index]..self.first[index + 1]] {
                        show(ball);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from 0 to 1, from a simple generator.
    fn scattered(count: usize, sides: Place) -> Vec<Place> {
        let mut state = 7_u64;
        let mut next = move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        (0..count)
            .map(|_| sides.map(|side| side * next()))
            .collect()
    }

    #[test]
    fn points_at_random_have_no_structure_with_walls_or_without() {
        for dimension in [2, 3] {
            for periodic in [[true; 3], [false; 3], [true, false, true]] {
                let sides = [2.0, 3.0, if dimension == 3 { 2.5 } else { 1.0 }];
                let home = Home {
                    low: [0.0; 3],
                    sides,
                    periodic,
                    dimension,
                };
                let mut places = scattered(3_000, sides);
                if dimension == 2 {
                    places.iter_mut().for_each(|place| place[2] = 0.0);
                }
                let look = Look {
                    positions: places,
                    ..Look::default()
                };
                let (curve, _) = distribution(&home, &[look], 0.9);
                // The outer half of the shells has more than 10⁵ pairs in all: a standard deviation of 0.3 %, with the
                // edges' share of some per cent known exactly.
                let outer = &curve[SHELLS / 2..];
                let mean = outer.iter().map(|p| p[1]).sum::<f64>() / outer.len() as f64;
                assert!(
                    (mean - 1.0).abs() < 0.02,
                    "{dimension} {periodic:?}: {mean}"
                );
            }
        }
    }

    #[test]
    fn cells_miss_nobody() {
        let home = Home {
            low: [0.0; 3],
            sides: [1.0; 3],
            periodic: [true, false, true],
            dimension: 3,
        };
        let places = scattered(300, [1.0; 3]);
        for reach in [0.2, 0.45] {
            let cells = Cells::new(&home, &places, reach);
            let mut by_cells = 0;
            for &a in &places {
                cells.near(a, |j| {
                    by_cells += usize::from(home.distance_squared(a, places[j]) < reach * reach);
                });
            }
            let near = |a: &Place, b: &Place| home.distance_squared(*a, *b) < reach * reach;
            let plainly: usize = places
                .iter()
                .map(|a| places.iter().filter(|b| near(a, b)).count())
                .sum();
            assert_eq!(by_cells, plainly);
        }
    }
}
