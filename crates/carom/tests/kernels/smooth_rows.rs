//! The short form for smooth balls: the same as the general law, exact where it can be, and without a bias.

use carom::kernels::contact::{Contact, Side};
use carom::kernels::response::{respond, smooth};
use carom::material::{Law, Surface};
use carom::space::{Linear, Space, Space2, Space3, UNIT_ROUNDOFF};
use glam::{DVec2, DVec3};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x_ca40_0438),
        ..ProptestConfig::default()
    }
}

fn surface(restitution: f64) -> Surface {
    Surface {
        restitution,
        static_friction: 0.0,
        kinetic_friction: 0.0,
        law: Law::Coulomb,
        ..Surface::default()
    }
}

/// The general law's view of two balls with a line of centres.
fn contact<S: Space>(balls: &smooth::Balls<S>, radii: [f64; 2]) -> Contact<S> {
    let normal = balls.apart.unit().unwrap();
    let side = |i: usize, arm| Side {
        inverse_mass: 1.0 / balls.masses[i],
        inverse_inertia: S::isotropic_inertia(1.0),
        velocity: balls.velocities[i],
        angular_velocity: S::Angular::ZERO,
        arm,
    };
    Contact {
        point: normal * radii[1],
        normal,
        a: side(0, -normal * radii[0]),
        b: side(1, normal * radii[1]),
    }
}

fn energy<S: Space>(balls: &smooth::Balls<S>, velocities: [S::Vector; 2]) -> f64 {
    let one = |i: usize| 0.5 * balls.masses[i] * velocities[i].length_squared();
    one(0) + one(1)
}

fn momentum<S: Space>(balls: &smooth::Balls<S>, velocities: [S::Vector; 2]) -> S::Vector {
    velocities[0] * balls.masses[0] + velocities[1] * balls.masses[1]
}

fn agrees_with_the_law<S: Space>(
    apart: S::Vector,
    velocities: [S::Vector; 2],
    masses: [f64; 2],
    restitution: f64,
) -> Result<(), TestCaseError> {
    // Those that part are mirrored; those that graze lose all digits of the normal velocity in both forms.
    let closing = apart.dot(velocities[0] - velocities[1]);
    if closing.abs() < 1e-6 * apart.length() {
        return Ok(());
    }
    let apart = if closing < 0.0 { apart } else { -apart };
    let balls = smooth::Balls::<S> {
        apart,
        velocities,
        masses,
    };
    let contact = contact(&balls, [0.4 * apart.length(), 0.6 * apart.length()]);
    let response = respond(&contact, &surface(restitution));
    let after = contact.after(&response);
    let bounce = balls.bounce(restitution);

    // Some ten roundings of what is added: the velocities before, and impulses of the size 2 μ |w|.
    let speed = velocities[0].length() + velocities[1].length();
    let ulps = 16.0 * UNIT_ROUNDOFF;
    let reduced = masses[0] * masses[1] / (masses[0] + masses[1]);
    let push = (1.0 + restitution) * reduced * speed;
    for (i, expected) in [after.a.velocity, after.b.velocity].into_iter().enumerate() {
        let off = (bounce.after[i] - expected).length();
        prop_assert!(
            off <= ulps * (speed + push / masses[i]),
            "{off:e}, {bounce:?}"
        );
    }
    prop_assert!((bounce.impulse - response.impulse).length() <= ulps * push);
    let lost = contact.energy_lost(&response);
    prop_assert!((bounce.energy_lost - lost).abs() <= ulps * push * speed);
    prop_assert!(restitution != 1.0 || bounce.energy_lost == 0.0);

    let gained = energy(&balls, bounce.after) + bounce.energy_lost - energy(&balls, velocities);
    let most = energy(&balls, velocities) + energy(&balls, bounce.after);
    prop_assert!(gained.abs() <= ulps * most, "{gained:e} of {most}");
    let kick = momentum(&balls, bounce.after) - momentum(&balls, velocities);
    let size = masses[0] * (velocities[0].length() + bounce.after[0].length())
        + masses[1] * (velocities[1].length() + bounce.after[1].length());
    prop_assert!(kick.length() <= ulps * size, "{kick:?}");
    Ok(())
}

fn numbers() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-1.0..1.0_f64)
}

proptest! {
    #![proptest_config(config(4000))]

    #[test]
    fn two_balls_do_what_the_law_says(
        apart in numbers(),
        size in -20..20_i32,
        va in numbers(),
        vb in numbers(),
        masses in prop::array::uniform2(0.01..10.0_f64),
        restitution in prop_oneof![Just(1.0), 0.05..1.5_f64],
    ) {
        // All binades, and both sides of the middle of each.
        let scale = (0..size.abs()).fold(1.0, |scale, _| if size < 0 { 0.7 * scale } else { 1.45 * scale });
        prop_assume!(DVec2::new(apart[0], apart[1]).length() > 0.1);
        agrees_with_the_law::<Space3>(
            DVec3::from_array(apart) * scale,
            [va, vb].map(DVec3::from_array),
            masses,
            restitution,
        )?;
        agrees_with_the_law::<Space2>(
            Space2::vector(apart) * scale,
            [va, vb].map(Space2::vector),
            [masses[0]; 2],
            restitution,
        )?;
    }

    #[test]
    fn the_plane_inside_space_has_the_same_bits(
        apart in numbers(),
        va in numbers(),
        vb in numbers(),
        masses in prop::array::uniform2(0.01..10.0_f64),
    ) {
        let flat = smooth::Balls::<Space2> {
            apart: Space2::vector(apart),
            velocities: [va, vb].map(Space2::vector),
            masses,
        };
        let solid = smooth::Balls::<Space3> {
            apart: flat.apart.extend(0.0),
            velocities: flat.velocities.map(|velocity| velocity.extend(0.0)),
            masses,
        };
        let (flat, solid) = (flat.bounce(0.8), solid.bounce(0.8));
        prop_assert_eq!(flat.after.map(|velocity| velocity.extend(0.0)), solid.after);
        prop_assert_eq!(flat.energy_lost, solid.energy_lost);
    }

    #[test]
    fn a_ball_mirrors_in_a_surface(
        normal in numbers(),
        velocity in numbers(),
        surface_velocity in numbers(),
        mass in 0.01..10.0_f64,
        restitution in prop_oneof![Just(1.0), 0.05..1.5_f64],
    ) {
        let [normal, velocity, moving] = [normal, velocity, surface_velocity].map(DVec3::from_array);
        prop_assume!(normal.length() > 0.1);
        let normal = normal.normalize();
        let w = velocity - moving;
        let normal = if Linear::dot(normal, w) < 0.0 { normal } else { -normal };
        let bounce = smooth::against_surface::<Space3>(normal, velocity, moving, mass, restitution);
        // Worked out with twice the digits, and rounded once: the textbook's form agrees to its own few roundings.
        let textbook = velocity - normal * ((1.0 + restitution) * Linear::dot(normal, w));
        let speed = velocity.length() + moving.length();
        prop_assert!((bounce.after[0] - textbook).length() <= 16.0 * UNIT_ROUNDOFF * speed);
        prop_assert!((bounce.impulse - (bounce.after[0] - velocity) * mass).length() <= 16.0 * UNIT_ROUNDOFF * speed * mass);
        let normal_speed = Linear::dot(normal, w);
        let lost = 0.5 * mass * (1.0 - restitution * restitution) * normal_speed * normal_speed;
        prop_assert!((bounce.energy_lost - lost).abs() <= 16.0 * UNIT_ROUNDOFF * mass * speed * speed);
        prop_assert!(restitution != 1.0 || bounce.energy_lost == 0.0);
    }
}

#[test]
fn equal_balls_on_a_line_exchange_their_velocities_to_the_bit() {
    for (apart, mass) in [(0.3, 0.17), (-1.0, 1.0), (7.7e-5, 3e9)] {
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let balls = smooth::Balls::<Space3> {
                apart: axis * apart,
                velocities: [
                    DVec3::new(0.1, 0.7, -0.3),
                    DVec3::new(0.1, 0.7, -0.3) + axis,
                ],
                masses: [mass; 2],
            };
            let bounce = balls.bounce(1.0);
            let [va, vb] = balls.velocities;
            let swapped = |from: DVec3, to: DVec3| from + (to - from) * axis;
            assert_eq!(bounce.after, [swapped(va, vb), swapped(vb, va)]);
        }
    }
}

/// Numbers from 0 to 1 (xorshift64*).
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::from_array([0; 3].map(|_| 2.0 * self.uniform() - 1.0))
    }
}

/// The change of the sum of two squared speeds, in units of u of the sum, exact to far below one of them:
/// `(v′ − v)·(v′ + v)` of each, whose differences are exact or rounded by u times the change.
fn energy_change(before: [DVec3; 2], after: [DVec3; 2]) -> f64 {
    use carom::kernels::roots::Dd;
    let square = |v: DVec3| {
        v.to_array()
            .into_iter()
            .map(|x| Dd::from(x) * Dd::from(x))
            .fold(Dd::ZERO, |sum, part| sum + part)
    };
    let sum = |[a, b]: [DVec3; 2]| square(a) + square(b);
    (sum(after) - sum(before)).hi / sum(before).hi / UNIT_ROUNDOFF
}

/// Mean relative change of energy in elastic collisions of balls whose centres are in a box, in units of u, by a law.
fn mean_change(
    reach: f64,
    side: f64,
    collisions: u32,
    law: impl Fn(&smooth::Balls<Space3>) -> [DVec3; 2],
) -> f64 {
    let mut random = Random(88_172_645_463_325_252);
    let (mut sum, mut number) = (0.0, 0);
    while number < collisions {
        let Some(direction) = random.vector().unit() else {
            continue;
        };
        let place = (random.vector() + DVec3::ONE) * (0.5 * side);
        let balls = smooth::Balls::<Space3> {
            apart: place - (place - direction * reach),
            velocities: [random.vector(), random.vector()],
            masses: [1.0; 2],
        };
        if Linear::dot(balls.apart, balls.velocities[0] - balls.velocities[1]) < 0.0 {
            sum += energy_change(balls.velocities, law(&balls));
            number += 1;
        }
    }
    sum / f64::from(number)
}

#[test]
fn energy_has_no_preferred_direction_to_drift_in() {
    // The change of one collision has a standard deviation of about 1.3 u, so the mean of 400,000 has one of 0.002 u.
    let collisions = 400_000;
    for (reach, side) in [
        (1.0, 0.5),
        (1.0, 12.0),
        (0.5, 3.0),
        (std::f64::consts::SQRT_2, 5.0),
        (1.3, 12.0),
    ] {
        let mean = mean_change(reach, side, collisions, |balls| balls.bounce(1.0).after);
        assert!(mean.abs() < 0.009, "{mean} u at reach {reach}, side {side}");
    }
    // What the plain form does, so that one sees that the test can tell.
    let plain = |balls: &smooth::Balls<Space3>| {
        let [va, vb] = balls.velocities;
        let d = balls.apart;
        let change = d * (Linear::dot(d, va - vb) / Linear::dot(d, d));
        [va - change, vb + change]
    };
    assert!(mean_change(1.0, 0.5, collisions, plain) > 0.05);
}
