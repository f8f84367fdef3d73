//! Numbers that look random, the same in every run (SplitMix64).

use carom::prelude::{DQuat, DVec3};

pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn in_ball(&mut self) -> DVec3 {
        loop {
            let mut side = || self.within(-1.0, 1.0);
            let v = DVec3::new(side(), side(), side());
            if v.length_squared() <= 1.0 {
                return v;
            }
        }
    }

    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.in_ball();
            if v.length_squared() > 0.01 {
                return v.normalize();
            }
        }
    }

    pub fn rotation(&mut self) -> DQuat {
        let (axis, angle) = (self.direction(), self.within(0.0, std::f64::consts::PI));
        DQuat::from_axis_angle(axis, angle)
    }
}
