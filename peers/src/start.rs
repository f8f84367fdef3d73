//! The same start for every engine: discs on a lattice in a box with walls, with Gaussian velocities.

use std::f64::consts::{PI, TAU};

/// m.
pub const RADIUS: f64 = 0.5;
/// Share of the area that the discs take up.
pub const FRACTION: f64 = 0.3;

pub struct Start {
    /// Of the square box, from 0, m.
    pub side: f64,
    /// Centres, m.
    pub places: Vec<[f64; 2]>,
    /// m/s; their mean square is 1.
    pub velocities: Vec<[f64; 2]>,
}

struct Random(u64);

impl Random {
    /// From 0 to 1, never 0 (xorshift64*).
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        (bits as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(self.uniform())).sqrt();
        radius * libm::cos(TAU * self.uniform())
    }
}

impl Start {
    pub fn new(number: usize) -> Self {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let side = (number as f64 * PI * RADIUS * RADIUS / FRACTION).sqrt();
        let columns = (number as f64).sqrt().ceil() as usize;
        let spacing = side / columns as f64;
        let places = (0..number)
            .map(|disc| [disc % columns, disc / columns].map(|i| spacing * (0.5 + i as f64)))
            .collect();
        let mut velocities: Vec<[f64; 2]> = (0..number)
            .map(|_| [random.normal(), random.normal()])
            .collect();
        let square = mean_square(velocities.iter().copied());
        for velocity in velocities.iter_mut().flatten() {
            *velocity /= square.sqrt();
        }
        Start {
            side,
            places,
            velocities,
        }
    }

    /// Between two collisions of a disc, s: Enskog's, with Henderson's value of the radial distribution at contact.
    pub fn mean_free_time(&self) -> f64 {
        let density = FRACTION / (PI * RADIUS * RADIUS);
        let at_contact = (1.0 - 7.0 * FRACTION / 16.0) / ((1.0 - FRACTION) * (1.0 - FRACTION));
        // A disc's collisions per second: 2 σ n g √(π k T/m), where ⟨v²⟩ = 2 kT/m = 1.
        let rate = 2.0 * (2.0 * RADIUS) * density * at_contact * (PI / 2.0).sqrt();
        1.0 / rate
    }
}

/// Of some velocities, m²/s².
pub fn mean_square(velocities: impl Iterator<Item = [f64; 2]>) -> f64 {
    let (mut sum, mut number) = (0.0, 0);
    for [x, y] in velocities {
        sum += x * x + y * y;
        number += 1;
    }
    sum / f64::from(number)
}
