//! When collisions happen in a run, beside the truth in double-double.
//!
//! Contacts of two balls are dated by the closed form in plain `f64`. Its error is `4u (t + L/s)` with s the closing
//! speed at the contact and L the size of the lengths at hand, which near grazing is many units in the last place of t:
//! what `docs/accuracy.md` says, and is held here by whole runs, grazing included.

use super::random::Random;
use carom::kernels::roots::Dd;
use carom::prelude::*;
use carom::simulate::Exact;
use std::ops::ControlFlow;

/// Two balls: places, velocities and radii.
#[derive(Clone, Copy, Debug)]
struct Pair {
    places: [DVec3; 2],
    velocities: [DVec3; 2],
    radii: [f64; 2],
}

impl Pair {
    /// Aimed so that the way misses the middle by a share of the sum of the radii.
    fn aimed(random: &mut Random, share: f64) -> Self {
        let radii = [0.1 + random.next(), 0.1 + random.next()];
        let reach = radii[0] + radii[1];
        let way = random.around::<Space3>(1.0).normalize();
        let across = way.cross(random.around::<Space3>(1.0)).normalize();
        let distance = reach * (1.0 + 8.0 * random.next());
        let speed = 0.1 + 5.0 * random.next();
        let common = random.around::<Space3>(1.0);
        let place = random.around::<Space3>(1.0) * 3.0;
        Pair {
            places: [place, place + way * distance + across * (share * reach)],
            velocities: [common + way * speed, common],
            radii,
        }
    }

    /// When they touch, and `t + L/s`: in double-double, from numbers that are exact. `None` where they do not.
    fn truth(&self) -> Option<(Dd, f64)> {
        let between = |pair: [DVec3; 2]| {
            let [a, b] = pair.map(|vector| vector.to_array());
            [0, 1, 2].map(|axis| Dd::difference(a[axis], b[axis]))
        };
        let dot = |a: &[Dd; 3], b: &[Dd; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let (x, w) = (between(self.places), between(self.velocities));
        let reach = Dd::sum(self.radii[0], self.radii[1]);
        let (a, h, c) = (dot(&w, &w), dot(&x, &w), dot(&x, &x) - reach * reach);
        let discriminant = h * h - a * c;
        // A graze so near that rounding decides it is either.
        if !(h.hi < 0.0 && c.hi > 0.0 && discriminant.hi > 1e-12 * (a * reach * reach).hi) {
            return None;
        }
        let time = c / (discriminant.sqrt() - h);
        let closing = discriminant.sqrt().hi / reach.hi;
        let size = dot(&x, &x).hi.sqrt() + reach.hi + a.hi.sqrt() * time.hi;
        Some((time, time.hi + size / closing))
    }

    /// When they collide in a run.
    fn in_a_run(&self) -> f64 {
        let mut world = World3::new();
        for side in 0..2 {
            let (place, velocity) = (self.places[side], self.velocities[side]);
            world
                .add(Body::ball(self.radii[side], 1.0, place, velocity).unwrap())
                .unwrap();
        }
        let mut run = Exact::new(world).unwrap();
        let mut time = f64::NAN;
        run.run(1e3, |collision| {
            time = collision.time;
            ControlFlow::Break(())
        })
        .unwrap();
        time
    }
}

#[test]
fn collisions_of_two_balls_are_dated_within_the_stated_bound() {
    const U: f64 = 0.5 * f64::EPSILON;
    let mut random = Random(41);
    let (mut compared, mut grazing) = (0, 0);
    let mut ulps: f64 = 0.0;
    for number in 0..6000 {
        // Every second one grazes, down to 10⁻⁸ of the sum of the radii.
        let share = match number % 2 {
            0 => random.next(),
            _ => 1.0 - libm::pow(10.0, -8.0 * random.next()),
        };
        let pair = Pair::aimed(&mut random, share);
        let Some((truth, scale)) = pair.truth() else {
            continue;
        };
        let time = pair.in_a_run();
        let off = (Dd::from(time) - truth).hi.abs();
        assert!(off <= 4.0 * U * scale, "{off} s off at {time} s: {pair:?}");
        compared += 1;
        grazing += u32::from(share > 0.999);
        ulps = ulps.max(off / (2.0 * U * time));
    }
    assert!(compared > 5000 && grazing > 1500, "{compared}, {grazing}");
    println!("up to {ulps:.0} ulp");
}
