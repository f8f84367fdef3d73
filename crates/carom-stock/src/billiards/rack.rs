//! Where the balls lie before the shot.

use super::{Balls, ShotError, Table, within};
use glam::DVec2;

/// Balls at rest on the table: names and places. Ball 0 is the cue ball.
#[derive(Clone, Debug, PartialEq)]
pub struct Rack {
    /// Their names.
    pub names: Vec<String>,
    /// Of their centres, seen from above, m.
    pub places: Vec<DVec2>,
}

impl Rack {
    /// Balls at places, by name.
    pub fn of(balls: &[(&str, DVec2)]) -> Self {
        Rack {
            names: balls.iter().map(|(name, _)| (*name).to_owned()).collect(),
            places: balls.iter().map(|(_, place)| *place).collect(),
        }
    }

    /// The diamond of nine-ball, its tip on the foot spot, the cue ball on the head spot.
    ///
    /// Real racks are never perfect, and a break depends on it: each ball lies at random (by `seed`) within `gap` radii
    /// of its place in a lattice that is wider by `gap`. Where `gap` is 0 all balls touch, to the last digit.
    pub fn nine_ball(table: &Table, balls: &Balls, gap: f64, seed: u64) -> Result<Self, ShotError> {
        const DIAMOND: [&[u32]; 5] = [&[1], &[2, 3], &[4, 9, 5], &[6, 7], &[8]];
        Self::pyramid(table, balls, gap, seed, &DIAMOND)
    }

    /// The triangle of eight-ball, as [`nine_ball`](Self::nine_ball).
    pub fn eight_ball(
        table: &Table,
        balls: &Balls,
        gap: f64,
        seed: u64,
    ) -> Result<Self, ShotError> {
        const TRIANGLE: [&[u32]; 5] = [
            &[1],
            &[9, 2],
            &[10, 8, 3],
            &[11, 7, 14, 4],
            &[5, 13, 15, 6, 12],
        ];
        Self::pyramid(table, balls, gap, seed, &TRIANGLE)
    }

    /// The three balls of carom billiards: white (the cue ball) beside the head spot, yellow on it, red on the foot
    /// spot.
    pub fn carom(table: &Table) -> Self {
        let spot = 0.25 * table.length;
        Rack::of(&[
            ("white", DVec2::new(0.1825, -spot)),
            ("yellow", DVec2::new(0.0, -spot)),
            ("red", DVec2::new(0.0, spot)),
        ])
    }

    fn pyramid(
        table: &Table,
        balls: &Balls,
        gap: f64,
        seed: u64,
        rows: &[&[u32]],
    ) -> Result<Self, ShotError> {
        within("gap", gap, 0.0..=0.5)?;
        within("radius", balls.radius, 1e-6..=1e3)?;
        let pitch = 2.0 * balls.radius * (1.0 + gap);
        // Rows of touching balls are √3/2 diameters apart; a few roundings more, so that none of them overlaps.
        let row_pitch = pitch * (0.75_f64.sqrt() * (1.0 + 4.0 * f64::EPSILON));
        let mut random = Random(seed);
        let mut rack = Rack::of(&[("cue", DVec2::new(0.0, -0.25 * table.length))]);
        for (row, numbers) in rows.iter().enumerate() {
            for (column, number) in numbers.iter().enumerate() {
                // Counted from the middle, so that left and right are each other's image to the bit.
                let across = column as f64 - 0.5 * (numbers.len() - 1) as f64;
                let place =
                    DVec2::new(across * pitch, 0.25 * table.length + row as f64 * row_pitch);
                rack.names.push(number.to_string());
                let away = random.in_disc() * (gap * balls.radius);
                rack.places.push(place + away);
            }
        }
        Ok(rack)
    }
}

/// Numbers at random, the same for the same seed everywhere: SplitMix64 (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// From −1 to 1.
    fn signed(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Uniformly in the unit disc.
    fn in_disc(&mut self) -> DVec2 {
        loop {
            let place = DVec2::new(self.signed(), self.signed());
            if place.length_squared() <= 1.0 {
                return place;
            }
        }
    }
}
