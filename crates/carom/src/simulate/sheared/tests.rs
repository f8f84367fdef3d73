use super::window;
use crate::body::Body;
use crate::simulate::balls::Balls;
use crate::simulate::shear::Sheared;
use crate::space::{Linear, Space, Space2, Space3};
use crate::world::{Shear, World2, World3};
use glam::{DVec2, DVec3};

/// Numbers in [0, 1), one after the other.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// When the first of very many images is touched, from the definition: the least root of |x + w t|² = R² over all of
/// them. Of those that the sides do not carry along, the nearest ones: a ball that goes further goes round the box
/// before, and is asked again.
fn brute<S: Space>(
    shear: &Sheared,
    (apart, relative, reach): (S::Vector, S::Vector, f64),
    periods: [f64; 3],
) -> f64 {
    let mut first = f64::INFINITY;
    for side in -1..=1 {
        for across in -1..=1 {
            let farthest = if side == 0 { 1 } else { 400 };
            for along in -farthest..=farthest {
                let mut shift = [0.0; 3];
                shift[shear.gradient] = f64::from(side) * periods[shear.gradient];
                shift[3 - shear.flow - shear.gradient] =
                    f64::from(across) * periods[3 - shear.flow - shear.gradient];
                shift[shear.flow] =
                    f64::from(along) * periods[shear.flow] + f64::from(side) * shear.offset_at(0.0);
                let mut velocity = [0.0; 3];
                velocity[shear.flow] = f64::from(side) * shear.speed;
                let (x, w) = (apart + S::vector(shift), relative + S::vector(velocity));
                let (h, c) = (x.dot(w), x.dot(x) - reach * reach);
                let discriminant = h * h - w.dot(w) * c;
                if h < 0.0 && discriminant > 0.0 {
                    first = first.min((c / (discriminant.sqrt() - h)).max(0.0));
                }
            }
        }
    }
    first
}

#[test]
fn the_first_image_in_a_row_is_the_first_of_all_images_in_2d() {
    let mut next = numbers(7);
    let mut met = 0;
    for trial in 0..2000 {
        let mut world = World2::new();
        let sides = [4.0 + next(), 3.0 + 2.0 * next()];
        world
            .set_periodic([Some(sides[0]), Some(sides[1]), None])
            .unwrap();
        // Slow and fast, both ways; now and then along the row alone.
        let rate = (next() - 0.5) * if trial % 3 == 0 { 10.0 } else { 0.5 };
        let shear = Shear {
            offset: 10.0 * (next() - 0.5),
            ..Shear::new(rate)
        };
        world.set_shear(Some(shear)).unwrap();
        for y in [0.1 * sides[1], 0.9 * sides[1]] {
            let place = DVec2::new(sides[0] * next(), y);
            let rise = if trial % 5 == 0 { 0.0 } else { next() - 0.5 };
            let velocity = DVec2::new(next() - 0.5, rise);
            let radius = 0.1 + 0.5 * next();
            world
                .add(Body::ball(radius, 1.0, place, velocity).unwrap())
                .unwrap();
        }
        let balls = Balls::<Space2>::new(&world);
        let sheared = balls.shear.unwrap();
        let [a, b] = [balls.hot[0], balls.hot[1]];
        let reach = a.radius + b.radius;
        let expected = brute::<Space2>(
            &sheared,
            (a.position - b.position, a.velocity - b.velocity, reach),
            balls.period,
        );
        let found = balls.contact_time_sheared(&sheared, 0, 1);
        // Beyond some thousand seconds the images tried here do not suffice.
        if expected < 100.0 || found < 100.0 {
            met += 1;
            // Times come from differences of numbers of some ten metres, over speeds of some 0.1 m/s at least, and
            // grazing contacts lose half the digits.
            assert!(
                (found - expected).abs() <= 1e-6 * (1.0 + expected),
                "trial {trial}: {found} instead of {expected}"
            );
        }
        assert_eq!(found, balls.contact_time_sheared(&sheared, 1, 0));
    }
    assert!(met > 1000, "{met}");
}

#[test]
fn the_first_image_in_a_row_is_the_first_of_all_images_in_3d() {
    let mut next = numbers(11);
    let mut met = 0;
    for trial in 0..300 {
        let mut world = World3::new();
        let sides = [3.0 + next(), 3.0 + next(), 3.0 + next()];
        world.set_periodic(sides.map(Some)).unwrap();
        let axes = [(0, 1), (1, 2), (2, 0), (1, 0)][trial % 4];
        let shear = Shear {
            rate: 4.0 * (next() - 0.5),
            flow: axes.0,
            gradient: axes.1,
            offset: next(),
        };
        world.set_shear(Some(shear)).unwrap();
        for at in [0.1, 0.85] {
            let mut place = [next(), next(), next()];
            place[shear.gradient] = at;
            let place = DVec3::from_array([0, 1, 2].map(|axis| place[axis] * sides[axis]));
            let velocity = DVec3::new(next(), next(), next()) - DVec3::splat(0.5);
            let ball = Body::ball(0.2 + 0.4 * next(), 1.0, place, velocity).unwrap();
            world.add(ball).unwrap();
        }
        let balls = Balls::<Space3>::new(&world);
        let sheared = balls.shear.unwrap();
        let [a, b] = [balls.hot[0], balls.hot[1]];
        let expected = brute::<Space3>(
            &sheared,
            (
                a.position - b.position,
                a.velocity - b.velocity,
                a.radius + b.radius,
            ),
            balls.period,
        );
        let found = balls.contact_time_sheared(&sheared, 0, 1);
        if expected < 50.0 || found < 50.0 {
            met += 1;
            assert!(
                (found - expected).abs() <= 1e-6 * (1.0 + expected),
                "trial {trial}: {found} instead of {expected}"
            );
        }
    }
    assert!(met > 100, "{met}");
}

#[test]
fn a_window_is_where_a_parabola_is_below_zero() {
    // (t − 1)(t − 3), from 0 on and from within.
    assert_eq!(window(1.0, -2.0, 3.0), Some((1.0, 3.0)));
    assert_eq!(window(1.0, 0.0, -4.0), Some((0.0, 2.0)));
    assert_eq!(window(1.0, 2.0, 3.0), None);
    assert_eq!(window(0.0, 0.0, -1.0), Some((0.0, f64::INFINITY)));
    assert_eq!(window(0.0, 0.0, 1.0), None);
}
