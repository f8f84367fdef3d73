//! Both methods on one gas: they agree as the springs get stiffer.

use carom::material::Constants;
use carom::prelude::*;
use carom::simulate::Scheme;
use carom::simulate::{Exact, Stepped};

/// 100 elastic discs in a periodic box, from a jittered lattice.
fn gas(stiffness: f64) -> World2 {
    let mut world = World2::new();
    world.set_periodic([Some(10.0), Some(10.0), None]).unwrap();
    let constants = Constants::linear(2.0 * stiffness);
    (world
        .materials
        .set_constants(carom::material::Materials::DEFAULT, constants))
    .unwrap();
    // Any generator will do: Knuth's multiplier, the upper bits.
    let mut random = 6_u64;
    let mut number = move || {
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (random >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    for row in 0..10 {
        for column in 0..10 {
            let place = DVec2::new(
                f64::from(column) + 0.5 + 0.15 * number(),
                f64::from(row) + 0.5 + 0.15 * number(),
            );
            let velocity = DVec2::new(number(), number());
            world
                .add(Body::ball(0.3, 1.0, place, velocity).unwrap())
                .unwrap();
        }
    }
    world
}

/// The mean distance (root of the mean square) between the places of both methods at a time, and how many collisions
/// there were.
fn apart(stiffness: f64, time: f64) -> (f64, u64) {
    let mut exact = Exact::new(gas(stiffness)).unwrap();
    exact.run_to(time).unwrap();
    let forces = Forces::default().by(Scheme::RungeKutta);
    let mut stepped = Stepped::new(gas(stiffness), &forces).unwrap();
    stepped.run_to(time).unwrap();
    let squares: f64 = (exact.bodies())
        .map(|id| {
            let apart = exact.unwrapped_position(id) - stepped.unwrapped_position(id);
            apart.length_squared()
        })
        .sum();
    let audit = stepped.audit();
    let total = audit.initial.total();
    // Elastic: what is not kinetic is in the springs. (ω dt)⁴ for each of the contacts.
    assert!(audit.energy_residual.abs() < 1e-6 * total, "{audit:?}");
    ((squares / 100.0).sqrt(), exact.collisions())
}

/// A contact takes the time π√(μ/k) in which hard balls would have gone on: the error of each collision goes as
/// k^(−1/2), and until chaos has grown it beyond the linear all later errors with it. Four times stiffer is half as far
/// apart, to a tenth.
#[test]
fn both_methods_agree_as_the_springs_get_stiffer() {
    let (mut last, collisions) = apart(1e5, 1.0);
    assert!(collisions >= 80, "{collisions}");
    for stiffness in [4e5, 1.6e6] {
        let (now, _) = apart(stiffness, 1.0);
        let order = (now / last).log(4.0);
        println!("k = {stiffness:e}: {now:e} apart, order {order}");
        assert!((order + 0.5).abs() < 0.1, "{order}");
        last = now;
    }
    assert!(last < 0.01, "{last}");
}
