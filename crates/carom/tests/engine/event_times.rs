//! When collisions happen in a run, beside the truth in double-double.
//!
//! Contacts of two balls are dated by the closed form in plain `f64`. Its error is `4u (t + L/s)` with s the closing
//! speed at the contact and L the size of the lengths at hand. Near grazing that would be many units in the last place
//! of t (88 were seen in a run), so that contacts which close at less than a tenth of the relative speed are dated in
//! double-double: what `docs/accuracy.md` says, and is held here by whole runs.

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

/// When two balls touch.
struct Truth {
    time: Dd,
    /// `t + L/s`, s.
    scale: f64,
    /// Whether they close at less than a tenth of the relative speed.
    grazes: bool,
}

impl Truth {
    /// How far a time is off, in units in its last place. More than are allowed fails.
    fn ulps_off(&self, time: f64, what: &impl std::fmt::Debug) -> f64 {
        const U: f64 = 0.5 * f64::EPSILON;
        let off = (Dd::from(time) - self.time).hi.abs();
        let ulps = off / (time.next_up() - time);
        let within = off <= 4.0 * U * self.scale && (!self.grazes || ulps <= 4.0);
        assert!(within, "{off} s off, {ulps} ulp, at {time} s: {what:?}");
        ulps
    }
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

    /// When they touch, after `head` seconds in which only the second one flies: in double-double, from numbers that
    /// are exact. `None` where they do not.
    fn truth(&self, head: f64) -> Option<Truth> {
        let between = |pair: [DVec3; 2]| {
            let [a, b] = pair.map(|vector| vector.to_array());
            [0, 1, 2].map(|axis| Dd::difference(a[axis], b[axis]))
        };
        let dot = |a: &[Dd; 3], b: &[Dd; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let (mut x, w) = (between(self.places), between(self.velocities));
        for (along, velocity) in x.iter_mut().zip(self.velocities[1].to_array()) {
            *along = *along - Dd::from(head) * Dd::from(velocity);
        }
        let reach = Dd::sum(self.radii[0], self.radii[1]);
        let (a, h, c) = (dot(&w, &w), dot(&x, &w), dot(&x, &x) - reach * reach);
        let discriminant = h * h - a * c;
        let whole = (a * reach * reach).hi;
        // A graze so near that rounding decides it is either.
        if !(h.hi < 0.0 && c.hi > 0.0 && discriminant.hi > 1e-12 * whole) {
            return None;
        }
        let time = c / (discriminant.sqrt() - h);
        let closing = discriminant.sqrt().hi / reach.hi;
        let size = dot(&x, &x).hi.sqrt() + reach.hi + a.hi.sqrt() * time.hi;
        Some(Truth {
            time: Dd::from(head) + time,
            scale: time.hi + size / closing,
            grazes: discriminant.hi < 0.0099 * whole,
        })
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

/// A share of the sum of the radii: every second one grazes, down to 10⁻⁸ of it.
fn share(number: usize, random: &mut Random) -> f64 {
    match number % 2 {
        0 => random.next(),
        _ => 1.0 - libm::pow(10.0, -8.0 * random.next()),
    }
}

#[test]
fn collisions_of_two_balls_are_dated_within_the_stated_bound() {
    let mut random = Random(41);
    let (mut compared, mut grazing) = (0, 0);
    for number in 0..6000 {
        let share = share(number, &mut random);
        let pair = Pair::aimed(&mut random, share);
        let Some(truth) = pair.truth(0.0) else {
            continue;
        };
        truth.ulps_off(pair.in_a_run(), &pair);
        compared += 1;
        grazing += u32::from(truth.grazes);
    }
    assert!(compared > 5000 && grazing > 1500, "{compared}, {grazing}");
}

/// The balls of a collision seldom begin their flights together: here the first has just been struck by a third, and
/// the second has been on its way from the beginning.
#[test]
fn grazing_collisions_of_balls_that_set_out_at_different_times_are_dated_to_four_ulp() {
    let mut random = Random(43);
    let (mut compared, mut grazing) = (0, 0);
    for number in 0..3000 {
        let share = share(number, &mut random);
        let mut pair = Pair::aimed(&mut random, share);
        // The striker comes from behind, and stays there: it is as heavy, and the blow is central.
        let speed = pair.velocities[0] - pair.velocities[1];
        let behind = pair.places[0] - speed.normalize() * (3.0 * pair.radii[0]);
        let mut world = World3::new();
        let mut add = |radius: f64, place: DVec3, velocity: DVec3| {
            world
                .add(Body::ball(radius, 1.0, place, velocity).unwrap())
                .unwrap()
        };
        add(pair.radii[0], behind, pair.velocities[0]);
        let struck = add(pair.radii[0], pair.places[0], pair.velocities[1]);
        let mut run = Exact::new(world.clone()).unwrap();
        run.run(1e3, |_| ControlFlow::Break(())).unwrap();
        let (begins, state) = (run.time(), run.state(struck));
        // Where the struck one is aimed at, taken back to the beginning.
        pair.places[1] += state.position - pair.places[0] - pair.velocities[1] * begins;
        (pair.places[0], pair.velocities[0]) = (state.position, state.velocity);
        let radius = pair.radii[1];
        let ball = Body::ball(radius, 1.0, pair.places[1], pair.velocities[1]).unwrap();
        world.add(ball).unwrap();
        let (Some(truth), Ok(mut run)) = (pair.truth(begins), Exact::new(world)) else {
            continue;
        };
        let (mut number, mut time) = (0, f64::NAN);
        run.run(1e3, |collision| {
            (number, time) = (number + 1, collision.time);
            match number {
                2 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        })
        .unwrap();
        truth.ulps_off(time, &pair);
        compared += 1;
        grazing += u32::from(truth.grazes);
    }
    assert!(compared > 2000 && grazing > 700, "{compared}, {grazing}");
}
