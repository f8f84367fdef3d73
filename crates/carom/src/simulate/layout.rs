//! How space is cut into cells, and whether lists of neighbours pay.

use super::balls::Balls;
use crate::broad::Lattice;
use crate::shape::Shaped;
use crate::space::Space;

/// The balls sorted by size: the largest radius of each class, the small ones first. Within a class they differ by a
/// factor of three at most.
pub(super) fn classes_for<S: Space>(balls: &Balls<S>) -> Vec<f64> {
    let mut radii: Vec<f64> = balls.hot.iter().map(|ball| ball.radius).collect();
    if balls.shear.is_some() {
        // One class: what comes from the other side of a sheared box is asked for with all its images.
        return vec![radii.iter().copied().fold(0.0, f64::max)];
    }
    let mut classes = Vec::new();
    while let Some(largest) = radii.iter().copied().max_by(f64::total_cmp) {
        classes.push(largest);
        radii.retain(|&radius| radius < largest / CLASS);
    }
    classes.reverse();
    if classes.is_empty() {
        classes.push(0.0);
    }
    classes
}

/// How much larger the largest of a class is than the smallest, at most.
const CLASS: f64 = 3.0;

/// The class of a radius.
pub(super) fn class_of(classes: impl Iterator<Item = f64>, radius: f64) -> usize {
    classes.take_while(|&largest| largest < radius).count()
}

/// Cells for those of the balls that are in a class, not smaller than its largest.
pub(super) fn lattice_for<S: Shaped>(
    balls: &Balls<S>,
    now: f64,
    largest: f64,
    shell: f64,
    belongs: impl Fn(usize) -> bool,
) -> Lattice<S> {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    let mut number = 0;
    for slot in (0..balls.len()).filter(|&slot| belongs(slot)) {
        let place = S::components(balls.position_at(slot, now));
        for axis in 0..S::DIMENSION {
            low[axis] = low[axis].min(place[axis]);
            high[axis] = high[axis].max(place[axis]);
        }
        number += 1;
    }
    if balls.trajectories.is_some() && balls.len() < FEW {
        let extents =
            (0..S::DIMENSION).map(|axis| (high[axis] - low[axis]).max(balls.period[axis]));
        let all = extents.fold(2.0 * largest, f64::max) * (1.0 + 1e-6);
        return Lattice::new(low, high, balls.period, all.max(1e-300), 1);
    }
    // A cell must be wider than the largest ball, by more than positions and times can be off through rounding.
    let least = (2.0 * largest + shell) * (1.0 + 1e-6);
    let least = if least > 0.0 { least } else { 1.0 };
    let cells = |most| Lattice::new(low, high, balls.period, least, most * number);
    // As small as they may be, unless they are too many: then fewer serve better, since a ball in thin air leaves cells
    // all the time.
    let smallest = cells(2 * CELLS_A_BALL);
    if smallest.cells() <= CELLS_A_BALL * number {
        return smallest;
    }
    // The thinner the air, the longer the way to a collision beside the distance of neighbours, and the more a look at
    // several at once saves.
    let room: f64 = (0..S::DIMENSION)
        .map(|axis| (smallest.size[axis] * f64::from(smallest.count[axis]) / least).max(1.0))
        .product();
    match room / number.max(1) as f64 {
        thin if thin > 200.0 && number > 2 => {
            Lattice::new(low, high, balls.period, least, number / 2)
        }
        thin if thin > 40.0 => cells(1),
        _ => cells(CELLS_A_BALL / 2),
    }
}

/// How thick a shell neighbour lists should have, m; `None` where cells serve better.
///
/// Lists pay in dense matter in 3-D: from a share of the volume of about 0.4 on. In 2-D the nine cells around have
/// hardly more candidates than a list. Balls that fall may drift and come back, and a ball among much smaller ones has
/// too many neighbours: cells.
pub(super) fn shell_for<S: Shaped>(balls: &Balls<S>, now: f64) -> Option<f64> {
    if S::DIMENSION == 2 || balls.falling || balls.len() < 64 || balls.shear.is_some() {
        return None;
    }
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    let (mut least, mut largest, mut volume) = (f64::INFINITY, 0.0_f64, 0.0);
    for slot in 0..balls.len() {
        let radius = balls.hot[slot].radius;
        (least, largest) = (least.min(radius), largest.max(radius));
        volume += 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius;
        let place = S::components(balls.position_at(slot, now));
        for axis in 0..3 {
            low[axis] = low[axis].min(place[axis] - radius);
            high[axis] = high[axis].max(place[axis] + radius);
        }
    }
    let mut room = 1.0;
    let mut shortest = f64::INFINITY;
    for axis in 0..3 {
        let period = balls.period[axis];
        room *= if period > 0.0 {
            period
        } else {
            high[axis] - low[axis]
        };
        if period > 0.0 {
            shortest = shortest.min(period);
        }
    }
    let share = volume / room;
    let shell = SHELL * 2.0 * largest;
    // Nearest images are only told apart in a box of some size.
    let pays = share > 0.4 && largest < 1.5 * least && shortest > 4.0 * (2.0 * largest + shell);
    pays.then_some(shell)
}

/// Where fewer balls than this are on trajectory segments, it is quicker to look at all of them than to see when they
/// leave a cell.
pub(super) const FEW: usize = 48;

/// Cells are cheap, one number each, and a ball looks at few others when they are small.
const CELLS_A_BALL: usize = 6;

/// Thickness of the shell of neighbour lists, in diameters.
const SHELL: f64 = 0.45;

/// The bits of the coordinates in turn: cells that are near each other have numbers that are near each other.
pub(super) fn interleaved(cell: [u32; 3]) -> u64 {
    let mut key = 0;
    for bit in 0..21 {
        for (axis, coordinate) in cell.into_iter().enumerate() {
            key |= u64::from(coordinate >> bit & 1) << (3 * bit + axis);
        }
    }
    key
}
