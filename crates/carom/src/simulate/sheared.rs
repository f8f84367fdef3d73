//! The balls of a run in a sheared box: which images of them are touched and when, and how they go round.

use super::balls::Balls;
use super::shear::{Seen, Sheared};
use crate::shape::Shaped;
use crate::space::Linear;

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

#[cfg(test)]
mod tests;
