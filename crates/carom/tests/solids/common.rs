//! Random numbers, rotations, shapes and trajectories for the tests of solids.

use carom::kernels::solids::RigidTrajectory;
use carom::prelude::*;
use carom::shape::{Compound, Convex};

/// A small generator of random numbers (SplitMix64): the same numbers on every platform.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In [low, high).
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// In a ball of radius one.
    pub fn in_ball(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(
                self.within(-1.0, 1.0),
                self.within(-1.0, 1.0),
                self.within(-1.0, 1.0),
            );
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
        loop {
            let q = DQuat::from_xyzw(
                self.within(-1.0, 1.0),
                self.within(-1.0, 1.0),
                self.within(-1.0, 1.0),
                self.within(-1.0, 1.0),
            );
            if q.length_squared() > 0.01 && q.length_squared() <= 1.0 {
                return q.normalize();
            }
        }
    }

    /// The hull of points on a sphere.
    pub fn polyhedron(&mut self, corners: usize, radius: f64) -> Convex<Space3> {
        let points: Vec<DVec3> = (0..corners).map(|_| self.direction() * radius).collect();
        Convex::polyhedron(&points).expect("points on a sphere are convex")
    }

    /// One of each kind of solid, of size about one.
    pub fn part(&mut self) -> Convex<Space3> {
        let size = |r: &mut Self| r.within(0.2, 1.0);
        match self.next() % 5 {
            0 => Convex::ball(size(self)).unwrap(),
            1 => Convex::block(DVec3::new(size(self), size(self), size(self))).unwrap(),
            2 => Convex::cylinder(size(self), size(self)).unwrap(),
            3 => {
                let half = DVec3::Z * size(self);
                Convex::capsule(-half, half, 0.5 * size(self)).unwrap()
            }
            _ => {
                let corners = 4 + (self.next() % 17) as usize;
                self.polyhedron(corners, 1.0)
            }
        }
    }
}

/// A body on its way past the origin.
pub fn thrown(random: &mut Random, form: &Compound<Space3>, from: f64) -> RigidTrajectory<Space3> {
    let place = random.direction() * from;
    let aim = random.in_ball() * 1.5;
    let speed = random.within(0.5, 3.0);
    let pose = Pose {
        position: place,
        rotation: random.rotation(),
    };
    let velocity = (aim - place).normalize() * speed;
    let angular_velocity = random.in_ball() * 6.0;
    let gravity = if random.next().is_multiple_of(3) {
        random.in_ball()
    } else {
        DVec3::ZERO
    };
    RigidTrajectory::free(form, 0.0, pose, velocity, angular_velocity, gravity)
}

/// A body of one part, of density 1 kg/m³.
pub fn single(part: Convex<Space3>) -> Compound<Space3> {
    Compound::new(vec![part], 1.0).unwrap()
}
