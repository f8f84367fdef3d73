//! Balls in a sheared periodic box: images that move, and when they are touched.
//!
//! The image above the box is `offset + speed · t` ahead of it along the flow and moves at `speed`, the one below the
//! same way back. Contacts inside the box, and across its other sides, are those of any periodic box. Across the two
//! sides that move past each other a ball is asked for with all its images along the flow: which one comes first
//! follows from where the pair is when it is near enough along the other axes.
//!
//! A. W. Lees and S. F. Edwards, The computer study of transport processes under extreme conditions, J. Phys. C 5
//! (1972) 1921.

use super::balls::Balls;
use crate::shape::Shaped;
use crate::space::{Linear, Space};
use crate::world::Shear;

/// How the box of a run is sheared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sheared {
    pub flow: usize,
    pub gradient: usize,
    /// 1/s.
    pub rate: f64,
    /// Of the image above the box, m/s.
    pub speed: f64,
    /// How far that image is ahead when the clock reads zero, m.
    pub offset: f64,
    /// Lengths of the box by which it is ahead besides.
    pub laps: f64,
}

/// What is added to the place and the velocity of a ball relative to another, so that it is relative to an image of
/// the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Seen<S: Space> {
    /// m.
    pub shift: S::Vector,
    /// m/s.
    pub velocity: S::Vector,
}

impl Sheared {
    /// At time 0.
    pub fn new(shear: &Shear, periods: [f64; 3]) -> Self {
        let mut sheared = Sheared {
            flow: shear.flow,
            gradient: shear.gradient,
            rate: shear.rate,
            speed: shear.rate * periods[shear.gradient],
            offset: shear.offset,
            laps: 0.0,
        };
        sheared.rebase(0.0, periods[shear.flow]);
        sheared
    }

    /// How far the image above the box is ahead when the clock reads a time, but for laps, m.
    #[inline]
    pub fn offset_at(&self, time: f64) -> f64 {
        self.offset + self.speed * time
    }

    /// The clock reads `shift` less from now on.
    pub fn rebase(&mut self, shift: f64, length: f64) {
        let offset = self.offset_at(shift);
        let laps = (offset / length).floor();
        self.offset = offset - laps * length;
        self.laps += laps;
    }

    /// For a world that begins when the clock reads a time.
    pub fn to_shear(self, time: f64, length: f64) -> Shear {
        let mut now = self;
        now.rebase(time, length);
        Shear {
            rate: self.rate,
            flow: self.flow,
            gradient: self.gradient,
            offset: now.offset,
        }
    }

    fn along_flow<S: Space>(&self, along: f64) -> S::Vector {
        let mut vector = [0.0; 3];
        vector[self.flow] = along;
        S::vector(vector)
    }
}

impl<S: Shaped> Balls<S> {
    /// How the nearest image of a ball is seen from another at a time, whose distance is `apart`.
    pub fn seen(&self, apart: S::Vector, time: f64) -> Seen<S> {
        let shift = self.nearest_shift(apart);
        let plain = Seen {
            shift,
            velocity: S::Vector::ZERO,
        };
        let Some(shear) = &self.shear else {
            return plain;
        };
        let boxes = S::components(shift)[shear.gradient];
        if boxes == 0.0 {
            return plain;
        }
        let side = boxes.signum();
        let along = S::components(apart)[shear.flow] + side * shear.offset_at(time);
        let length = self.period[shear.flow];
        let mut shift = S::components(shift);
        shift[shear.flow] = side * shear.offset_at(time) - libm::round(along / length) * length;
        Seen {
            shift: S::vector(shift),
            velocity: shear.along_flow::<S>(side * shear.speed),
        }
    }

    /// When two balls touch in a sheared box, s: whichever of their images. The same bits whichever of them asks.
    #[cold]
    pub fn contact_time_sheared(&self, shear: &Sheared, a: usize, b: usize) -> f64 {
        let (a, b) = if self.ids[a] < self.ids[b] {
            (a, b)
        } else {
            (b, a)
        };
        let images = |axis: usize| {
            let periodic = axis < S::DIMENSION && self.period[axis] > 0.0;
            if periodic { -1..=1 } else { 0..=0 }
        };
        let third = 3 - shear.flow - shear.gradient;
        let mut first = f64::INFINITY;
        for across in images(third) {
            let mut shift = [0.0; 3];
            if across != 0 {
                shift[third] = f64::from(across) * self.period[third];
            }
            for along in images(shear.flow) {
                shift[shear.flow] = f64::from(along) * self.period[shear.flow];
                first = first.min(self.contact_time(a, b, S::vector(shift)));
            }
            for side in [-1.0, 1.0] {
                let time = self.first_of_row(shear, (a, b), shift[third], side);
                first = first.min(time);
            }
        }
        first
    }

    /// When a ball touches the first of the images of another that are next to the box along the gradient, on a side,
    /// in a row along the flow: `X + n L` apart along it, and P across, with the velocities W and Q.
    ///
    /// They can touch while `|P + Q t| ≤ R`. Seen from the ball the images come along the row in the order of their
    /// numbers, since they are more than two diameters apart, and one whose centre comes by in that time is touched. So
    /// of those that come by, or are beside it when it begins, the first that is touched comes first; one of the first
    /// two or three is.
    fn first_of_row(&self, shear: &Sheared, (a, b): (usize, usize), third: f64, side: f64) -> f64 {
        let length = self.period[shear.flow];
        let mut shift = [0.0; 3];
        shift[3 - shear.flow - shear.gradient] = third;
        shift[shear.gradient] = side * self.period[shear.gradient];
        let began = self.hot[a].since.max(self.hot[b].since);
        shift[shear.flow] = side * shear.offset_at(began);
        let velocity = shear.along_flow::<S>(side * shear.speed);
        let apart = self.position_at(a, began) - self.position_at(b, began) + S::vector(shift);
        let relative = self.hot[a].velocity - self.hot[b].velocity + velocity;
        let (along, speed) = (
            S::components(apart)[shear.flow],
            S::components(relative)[shear.flow],
        );
        let off_row = |vector: S::Vector| {
            let mut parts = S::components(vector);
            parts[shear.flow] = 0.0;
            S::vector(parts)
        };
        let (across, drift) = (off_row(apart), off_row(relative));
        let reach = self.hot[a].radius + self.hot[b].radius;
        let Some((begins, ends)) = window(
            drift.length_squared(),
            across.dot(drift),
            across.length_squared() - reach * reach,
        ) else {
            return f64::INFINITY;
        };
        let start = along + speed * begins;
        let end = if speed == 0.0 {
            along
        } else {
            along + speed * ends
        };
        // The first image that is not yet behind, and which way the next ones are.
        let (mut number, step) = if speed > 0.0 {
            (((reach - start) / length).floor(), -1.0)
        } else if speed < 0.0 {
            (((-reach - start) / length).ceil(), 1.0)
        } else {
            (-(start / length).round(), 0.0)
        };
        for _ in 0..MOST_IMAGES {
            let distance = end + number * length;
            if (speed > 0.0 && distance < -reach) || (speed < 0.0 && distance > reach) {
                break;
            }
            shift[shear.flow] = side * shear.offset_at(began) + number * length;
            let seen = Seen {
                shift: S::vector(shift),
                velocity,
            };
            let time = self.contact_time_seen(a, b, &seen);
            if time < f64::INFINITY || step == 0.0 {
                return time;
            }
            number += step;
        }
        f64::INFINITY
    }

    /// Moves a ball that leaves a sheared box along the gradient; what it gets by that, m/s.
    pub(super) fn wrap_sheared(&mut self, slot: usize, time: f64, up: bool) -> S::Vector {
        let Some(shear) = self.shear else {
            return S::Vector::ZERO;
        };
        let side = if up { 1.0 } else { -1.0 };
        let mut place = S::components(self.hot[slot].position);
        let length = self.period[shear.flow];
        place[shear.flow] -= side * shear.offset_at(time);
        let boxes = (place[shear.flow] / length).floor();
        place[shear.flow] -= boxes * length;
        // Rounding may put what is just below zero at the upper end, which is the lower end of the next box.
        let beyond = place[shear.flow] >= length;
        if beyond {
            place[shear.flow] = 0.0;
        }
        let laps = side * shear.laps;
        let image = &mut self.images[slot][shear.flow];
        *image = image.saturating_add((boxes - laps) as i32 + i32::from(beyond));
        self.hot[slot].position = S::vector(place);
        let gained = shear.along_flow::<S>(-side * shear.speed);
        self.hot[slot].velocity += gained;
        self.note_speed(slot);
        gained
    }

    /// Brings a ball that was put outside of a sheared box at a time into it.
    pub(super) fn bring_home_sheared(&mut self, slot: usize, time: f64, shear: &Sheared) {
        let now = shear.to_shear(time, self.period[shear.flow]);
        let (place, boxes, along) = now.home::<S>(self.hot[slot].position, self.period);
        let before = S::components(self.hot[slot].position);
        self.hot[slot].position = place;
        if boxes != 0.0 {
            self.hot[slot].velocity -= shear.along_flow::<S>(boxes * shear.speed);
        }
        let after = S::components(place);
        let images = &mut self.images[slot];
        for axis in 0..S::DIMENSION {
            let left = if axis == shear.gradient {
                boxes
            } else if axis == shear.flow {
                let ahead = (shear.offset_at(time) - now.offset) / self.period[axis];
                along - boxes * (ahead.round() + shear.laps)
            } else if self.period[axis] > 0.0 {
                ((before[axis] - after[axis]) / self.period[axis]).round()
            } else {
                0.0
            };
            images[axis] = images[axis].saturating_add(left as i32);
        }
    }

    /// How far a ball that has gone round a sheared box has been carried along the flow since, m.
    pub(super) fn sheared_by(&self, slot: usize, time: f64) -> S::Vector {
        match (&self.shear, self.images.get(slot)) {
            (Some(shear), Some(boxes)) => {
                let ahead = shear.offset_at(time) + shear.laps * self.period[shear.flow];
                shear.along_flow::<S>(f64::from(boxes[shear.gradient]) * ahead)
            }
            _ => S::Vector::ZERO,
        }
    }
}

/// Of a row one of the first images that come by is touched, unless the two graze each other for very long.
const MOST_IMAGES: usize = 64;

/// From when until when `a t² + 2 h t + c ≤ 0`, from 0 on.
fn window(a: f64, h: f64, c: f64) -> Option<(f64, f64)> {
    let discriminant = h * h - a * c;
    if c > 0.0 {
        if !(h < 0.0 && discriminant > 0.0) {
            return None;
        }
        let root = discriminant.sqrt() - h;
        return Some((c / root, root / a));
    }
    let ends = if a > 0.0 {
        (discriminant.max(0.0).sqrt() - h) / a
    } else {
        f64::INFINITY
    };
    Some((0.0, ends))
}

/// The cells along the flow on the other side of those that move past each other, all of them, and else those around a
/// cell, each once; `None` where the cell is not next to such a side.
pub(super) fn cells_around(
    shear: &Sheared,
    cell: [u32; 3],
    count: [u32; 3],
    near: impl Fn(usize) -> Vec<u32>,
) -> Option<Vec<[u32; 3]>> {
    let last = count[shear.gradient] - 1;
    let row = cell[shear.gradient];
    if row != 0 && row != last {
        return None;
    }
    let axes = [0, 1, 2].map(near);
    let mut cells = Vec::new();
    for &z in &axes[2] {
        for &y in &axes[1] {
            for &x in &axes[0] {
                cells.push([x, y, z]);
            }
        }
    }
    // Those across are looked at as a whole; in a low box one row may be both next to it and across.
    let across = |other: u32| (row == 0 && other == last) || (row == last && other == 0);
    let rows: Vec<[u32; 3]> = (cells.iter().copied())
        .filter(|cell| across(cell[shear.gradient]))
        .collect();
    for start in rows {
        for along in 0..count[shear.flow] {
            let mut other = start;
            other[shear.flow] = along;
            cells.push(other);
        }
    }
    cells.sort_unstable();
    cells.dedup();
    Some(cells)
}

#[cfg(test)]
mod tests;
