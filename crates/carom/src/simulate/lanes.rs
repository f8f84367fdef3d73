//! Ball against many balls at once: the arithmetic of [`Encounter`](super::balls::Encounter), in lanes.
//!
//! The candidates are laid out by component, so that one vector instruction serves two, four or eight of them. The
//! operations are those of the scalar code in the same order, without contraction, so that the bits are the same.

use super::balls::{Ball, Quadratic, TOUCH};
use crate::space::{Linear, Space};

/// Candidates that are looked at in one go.
pub(super) const CHUNK: usize = 64;

/// Chunks are filled up to a multiple of this with whatever was there.
const LANES: usize = 8;

type Lane = [f64; CHUNK];

/// The candidates of one go, and what comes out.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    position: [Lane; 3],
    velocity: [Lane; 3],
    shift: [Lane; 3],
    since: Lane,
    radius: Lane,
    time: Lane,
    h: Lane,
    c: Lane,
    discriminant: Lane,
    slots: [u32; CHUNK],
    /// Which of the candidates may be touched.
    survivors: [u32; CHUNK],
    number: usize,
    shifted: bool,
}

/// A candidate that may be touched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Survivor {
    pub slot: u32,
    /// The later one's own time, s.
    pub time: f64,
    pub quadratic: Quadratic,
}

impl Default for Lanes {
    fn default() -> Self {
        let zero = [0.0; CHUNK];
        Lanes {
            position: [zero; 3],
            velocity: [zero; 3],
            shift: [zero; 3],
            since: zero,
            radius: zero,
            time: zero,
            h: zero,
            c: zero,
            discriminant: zero,
            slots: [0; CHUNK],
            survivors: [0; CHUNK],
            number: 0,
            shifted: false,
        }
    }
}

impl Lanes {
    /// Empties the lanes. `shifted` says whether any candidate to come is seen across a side of the box.
    #[inline(always)]
    pub fn clear(&mut self, shifted: bool) {
        self.number = 0;
        self.shifted = shifted;
    }

    /// Adds a candidate; there must be room.
    #[inline(always)]
    pub fn push<S: Space>(&mut self, slot: u32, ball: &Ball<S>, shift: &S::Vector) {
        let lane = self.number % CHUNK;
        self.number += 1;
        let (position, velocity) = (S::components(ball.position), S::components(ball.velocity));
        for axis in 0..S::DIMENSION {
            self.position[axis][lane] = position[axis];
            self.velocity[axis][lane] = velocity[axis];
        }
        if self.shifted {
            let shift = S::components(*shift);
            for (lanes, along) in self.shift.iter_mut().zip(shift).take(S::DIMENSION) {
                lanes[lane] = along;
            }
        }
        self.since[lane] = ball.since;
        self.radius[lane] = ball.radius;
        self.slots[lane] = slot;
    }

    /// Works out all quadratics, and who may be touched.
    #[inline(always)]
    pub fn work<S: Space, const FALLING: bool>(&mut self, ball: &Ball<S>, gravity: S::Vector) {
        if self.shifted {
            self.quadratics::<S, FALLING, true>(ball, S::components(gravity));
        } else {
            self.quadratics::<S, FALLING, false>(ball, S::components(gravity));
        }
    }

    #[inline(always)]
    fn quadratics<S: Space, const FALLING: bool, const SHIFTED: bool>(
        &mut self,
        ball: &Ball<S>,
        gravity: [f64; 3],
    ) {
        let (position, velocity) = (S::components(ball.position), S::components(ball.velocity));
        let (since, radius) = (ball.since, ball.radius);
        let padded = self.number.next_multiple_of(LANES).min(CHUNK);
        for lane in 0..padded {
            let other_since = self.since[lane];
            let time = if since > other_since {
                since
            } else {
                other_since
            };
            let (dt, other_dt) = (time - since, time - other_since);
            let (mut x, mut w) = ([0.0; 3], [0.0; 3]);
            for axis in 0..S::DIMENSION {
                let (p, v) = (position[axis], velocity[axis]);
                let (q, u) = (self.position[axis][lane], self.velocity[axis][lane]);
                if FALLING {
                    let g = gravity[axis];
                    let here = p + (v + g * (0.5 * dt)) * dt;
                    let there = q + (u + g * (0.5 * other_dt)) * other_dt;
                    x[axis] = here - there;
                    w[axis] = (v + g * dt) - (u + g * other_dt);
                } else {
                    x[axis] = (p + v * dt) - (q + u * other_dt);
                    w[axis] = v - u;
                }
                if SHIFTED {
                    x[axis] += self.shift[axis][lane];
                }
            }
            let reach = radius + self.radius[lane];
            let squared = reach * reach;
            let (x, w) = (S::vector(x), S::vector(w));
            self.time[lane] = time;
            self.h[lane] = x.dot(w);
            self.c[lane] = x.dot(x) - squared;
            self.discriminant[lane] = w.dot(w) * squared - S::area_squared(x, w);
        }
    }

    /// Whether any candidate but those two touches the ball, whose radius is given, or nearly so.
    #[inline(always)]
    pub fn any_touches(&self, radius: f64, but: [u32; 2]) -> bool {
        let mut any = false;
        for lane in 0..self.number.min(CHUNK) {
            let reach = radius + self.radius[lane];
            let slot = self.slots[lane];
            any |= (self.c[lane] <= TOUCH * (reach * reach)) & (slot != but[0]) & (slot != but[1]);
        }
        any
    }

    /// Those that may be touched.
    #[inline(always)]
    pub fn survivors(&mut self) -> impl Iterator<Item = Survivor> {
        let mut number = 0;
        for lane in 0..self.number.min(CHUNK) {
            self.survivors[number % CHUNK] = lane as u32;
            number += usize::from((self.h[lane] < 0.0) & (self.discriminant[lane] > 0.0));
        }
        let lanes = &*self;
        lanes.survivors[..number.min(CHUNK)].iter().map(|&lane| {
            let lane = lane as usize % CHUNK;
            Survivor {
                slot: lanes.slots[lane],
                time: lanes.time[lane],
                quadratic: Quadratic {
                    h: lanes.h[lane],
                    c: lanes.c[lane],
                    discriminant: lanes.discriminant[lane],
                },
            }
        })
    }
}
