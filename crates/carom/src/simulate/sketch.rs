//! A rough sketch of each ball in single precision, and the sieve that goes over it: of all balls around, who may be touched at all, and not before when?
//!
//! Most neighbours are not on the way of a ball, or not soon. To say so takes no sixteen digits: half as much memory, and eight balls in one vector.
//! Those that the sieve lets through are then asked in double precision, so that its arithmetic never reaches a result.
//!
//! # No false "no"
//!
//! At a time `t` no earlier than both own times, with `x` the difference of the places and `w` that of the velocities, two balls with `R = r_a + r_b`
//! touch later only if `|x| ≤ R`, or `x·w < 0` and `(x·w)² ≥ w² (x² − R²)`. The sieve asks this with `R² + M` in place of `R²`. Places, own times and
//! velocities are rounded to `2⁻²⁴` of themselves, so a component of `x` is off by `e ≤ 2⁻²² K`, where `K = L + V T` with `L` a bound of coordinates, `V` of
//! speeds and `T` of times. Both sides of the inequality, divided by `w²`, are then off by at most a few `|x| e + 2⁻²³ x²`, and
//! `M = 2⁻¹⁹ (x² + |x| K)` is eight times that. With any length X, `|x| K ≤ K (x²/X + X)/2`, so that `x² − M` is
//! `x² (1 − 2⁻¹⁹ (1 + K/2X)) − 2⁻²⁰ K X` at least. Where this is more than `R²`, a contact needs `|x·w| ≥ |w| √M`, which is far above its error `|w| e`, so
//! the sign is right too.
//!
//! A ball enters one that is larger by the margin before it touches it, and by more than the error of the time: the radius is larger by `M/2R`,
//! more than four times the error of a place.
//!
//! Comparisons are written so that anything that is not a number passes.

use super::balls::{Ball, Balls};
use crate::space::Space;
use prefetch_index::prefetch_index;
use wide::f32x8;

/// Place, own time, velocity and radius: half a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct Sketch([f32; 8]);

impl Sketch {
    #[inline(always)]
    fn new<S: Space>(ball: &Ball<S>) -> Self {
        let [x, y, z] = S::components(ball.position).map(|along| along as f32);
        let [u, v, w] = S::components(ball.velocity).map(|along| along as f32);
        Sketch([x, y, z, u, v, w, ball.since as f32, ball.radius as f32])
    }
}

/// The sketches of all balls, by slot.
#[derive(Clone, Debug)]
pub(super) struct Sketches {
    all: Vec<Sketch>,
    /// About as far apart as balls that are compared, m: `X`.
    apart: f64,
    /// No coordinate is larger than this, m.
    place: f64,
    /// No component of a velocity is larger, m/s.
    speed: f64,
    /// No own time was further from zero when the sketches were made, s.
    time: f64,
    period: [f32; 3],
    gravity: [f32; 3],
    steepest: f64,
    margins: Margins,
}

/// What the sieve allows for rounding.
#[derive(Clone, Copy, Debug)]
struct Margins {
    /// What multiplies `x²`.
    share: f32,
    /// What is added to `R²`.
    added: f32,
    /// They are good until then, s.
    until: f64,
}

/// A ball as the sieve compares it with others: the same in all lanes.
pub(super) struct Probe {
    position: [f32x8; 3],
    velocity: [f32x8; 3],
    radius: f32x8,
    now: f32x8,
    /// What multiplies `x²`.
    share: f32x8,
    /// What is added to `R²`.
    added: f32x8,
}

impl Sketches {
    /// Sketches of all balls, of which those about `apart` (m) apart are compared.
    pub fn new<S: Space>(balls: &Balls<S>, apart: f64) -> Self {
        let mut sketches = Sketches {
            all: Vec::with_capacity(balls.len()),
            apart,
            place: balls.period.iter().copied().fold(0.0, f64::max),
            speed: 0.0,
            time: 0.0,
            period: balls.period.map(|length| length as f32),
            gravity: S::components(balls.gravity).map(|along| along as f32),
            steepest: largest::<S>(balls.gravity),
            margins: Margins {
                share: 0.0,
                added: f32::INFINITY,
                until: f64::NEG_INFINITY,
            },
        };
        for ball in &balls.hot {
            sketches.all.push(Sketch::new::<S>(ball));
            sketches.time = sketches.time.max(ball.since.abs());
            sketches.bound::<S>(ball);
        }
        sketches
    }

    /// Fetches a sketch that will be needed soon.
    #[inline(always)]
    pub fn fetch(&self, slot: usize) {
        prefetch_index(&self.all, slot);
    }

    /// Adds a slot.
    pub fn push<S: Space>(&mut self, ball: &Ball<S>) {
        self.all.push(Sketch::new::<S>(ball));
        self.bound::<S>(ball);
    }

    /// Draws a ball anew.
    #[inline(always)]
    pub fn draw<S: Space>(&mut self, slot: usize, ball: &Ball<S>) {
        self.all[slot] = Sketch::new::<S>(ball);
        self.bound::<S>(ball);
    }

    #[inline(always)]
    fn bound<S: Space>(&mut self, ball: &Ball<S>) {
        let (place, speed) = (largest::<S>(ball.position), largest::<S>(ball.velocity));
        if !(place <= self.place && speed <= self.speed) {
            self.place = 1.5 * self.place.max(place);
            self.speed = 1.5 * self.speed.max(speed);
            self.margins.until = f64::NEG_INFINITY;
        }
    }

    /// Works out the margins for some time to come.
    #[cold]
    fn set_margins(&mut self, now: f64) {
        let until = 2.0 * (self.time + now.abs());
        let scale = self.place + (self.speed + self.steepest * until) * until;
        let share = (1.0 / 524_288.0) * (1.0 + 0.5 * scale / self.apart);
        let added = (1.0 / 1_048_576.0) * scale * self.apart;
        // Squares of squares must not overflow.
        let (share, added) = if scale < 1e8 && added < 1e12 && share < 1.0 {
            ((1.0 - share) as f32, added as f32)
        } else {
            (0.0, f32::INFINITY)
        };
        self.margins = Margins {
            share,
            added,
            until,
        };
    }

    /// A ball at a time.
    #[inline(always)]
    pub fn probe<S: Space>(&mut self, balls: &Balls<S>, slot: usize, now: f64) -> Probe {
        let splat =
            |vector: S::Vector| S::components(vector).map(|along| f32x8::splat(along as f32));
        if !(now < self.margins.until) {
            self.set_margins(now);
        }
        Probe {
            position: splat(balls.position_at(slot, now)),
            velocity: splat(balls.velocity_at(slot, now)),
            radius: f32x8::splat(balls.hot[slot].radius as f32),
            now: f32x8::splat(now as f32),
            share: f32x8::splat(self.margins.share),
            added: f32x8::splat(self.margins.added),
        }
    }

    /// Which of eight balls the probe may touch (a bit each), and for each of those a wait (s) before which it does not.
    /// `NEAR_SIDE` says that some are seen across a side of the box.
    #[inline(always)]
    pub fn sift<S: Space, const FALLING: bool, const NEAR_SIDE: bool>(
        &self,
        probe: &Probe,
        others: &[u32; 8],
    ) -> (u32, [f32; 8]) {
        let rows = others.map(|other| f32x8::from(self.all[other as usize].0));
        let [x, y, z, u, v, w, since, radius] = f32x8::transpose(rows);
        let elapsed = probe.now - since;
        let (mut square, mut slope, mut closing) = (f32x8::ZERO, f32x8::ZERO, f32x8::ZERO);
        let (places, velocities) = ([x, y, z], [u, v, w]);
        for axis in 0..S::DIMENSION {
            let (place, mut rate) = (places[axis], velocities[axis]);
            let mut there = place + rate * elapsed;
            if FALLING {
                let fall = f32x8::splat(self.gravity[axis]) * elapsed;
                there += f32x8::splat(0.5) * fall * elapsed;
                rate += fall;
            }
            let mut apart = probe.position[axis] - there;
            if NEAR_SIDE {
                let length = f32x8::splat(self.period[axis]);
                let half = length * f32x8::splat(0.5);
                let up = apart.simd_gt(half) & length;
                let down = apart.simd_lt(-half) & length;
                apart = apart - up + down;
            }
            let rate = probe.velocity[axis] - rate;
            square += apart * apart;
            slope += apart * rate;
            closing += rate * rate;
        }
        let reach = probe.radius + radius;
        let beyond = square * probe.share - (reach * reach + probe.added);
        let discriminant = slope * slope - closing * beyond;
        let away = slope.simd_ge(f32x8::ZERO) | discriminant.simd_lt(f32x8::ZERO);
        let rejected = beyond.simd_gt(f32x8::ZERO) & away;
        // When it enters the ball that is larger by the margin, and a little less for the rounding of this line.
        let wait = f32x8::splat(0.9999) * beyond / (discriminant.sqrt() - slope);
        (!rejected.to_bitmask(), wait.to_array())
    }
}

#[inline(always)]
fn largest<S: Space>(vector: S::Vector) -> f64 {
    S::components(vector)
        .into_iter()
        .fold(0.0, |largest, along| largest.max(along.abs()))
}

/// What the sieve has let through: the shortest wait first.
#[derive(Clone, Debug, Default)]
pub(super) struct Passed {
    /// The bits of the wait, which have the order of their numbers, over the slot.
    keys: Vec<u64>,
    number: usize,
}

impl Passed {
    /// Empties it, and makes room for so many.
    #[inline(always)]
    pub fn clear(&mut self, room: usize) {
        self.number = 0;
        if self.keys.len() < room {
            self.keys.resize(room, 0);
        }
    }

    /// Adds those of eight whose bit is set.
    #[inline(always)]
    pub fn add(&mut self, mut bits: u32, waits: &[f32; 8], others: &[u32; 8]) {
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize & 7;
            bits &= bits - 1;
            // What is not a number is no time to wait.
            let wait = if waits[lane] > 0.0 { waits[lane] } else { 0.0 };
            let key = u64::from(wait.to_bits()) << 32 | u64::from(others[lane]);
            let keys = &mut self.keys[..=self.number];
            let mut place = self.number;
            // Few pass, so that this is the quickest way to sort them.
            while place > 0 && keys[place - 1] > key {
                keys[place] = keys[place - 1];
                place -= 1;
            }
            keys[place] = key;
            self.number += 1;
        }
    }

    /// Waits and slots.
    #[inline(always)]
    pub fn all(&self) -> impl Iterator<Item = (f64, u32)> {
        self.keys[..self.number].iter().map(|&key| {
            let wait = f32::from_bits((key >> 32) as u32);
            (f64::from(wait), key as u32)
        })
    }
}
