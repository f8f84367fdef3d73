//! Galperin's billiard for k = 0…6: the count, the final velocities and the closest approach. For k = 7 and 8 see
//! `examples/galperin.rs`.

use crate::billiard::Billiard;
use carom::prelude::*;
use carom::simulate::Exact;
use std::ops::ControlFlow;

#[test]
fn galperins_billiard() {
    let digits = [3, 31, 314, 3141, 31415, 314159, 3141592];
    for (power, digits) in (0..).zip(digits) {
        let billiard = Billiard::new(power);
        assert_eq!(billiard.collisions(), digits);
        let mut run = Exact::new(billiard.world()).unwrap();
        let mut nearest = f64::INFINITY;
        run.run(billiard.end(), |collision| {
            nearest = nearest.min(billiard.heavy_place(collision));
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(run.collisions(), digits);
        // Each collision rounds both velocities by a few u of the energy they share. Later collisions turn that error,
        // they do not make it grow; so at worst 4u a collision are added up, in units in which the light ball may have
        // all of the energy: 10ᵏ for it and 1 for the heavy one.
        let error = 4.0 * f64::EPSILON / 2.0 * (1 + digits) as f64;
        let [light, heavy] = [1, 2].map(|id| run.state(BodyId(id)).velocity.x);
        let (light_truth, heavy_truth) = billiard.final_velocities();
        let energy = (0..power).fold(1.0, |power, _| 10.0 * power);
        assert!(
            (light - light_truth).abs() <= error * energy,
            "{light} {light_truth}"
        );
        assert!(
            (heavy - heavy_truth).abs() <= error,
            "{heavy} {heavy_truth}"
        );
        // A collision happens at a time of the clock, which is below 4 s and so off by up to 2⁻⁵² s; the light ball is
        // then off its mirror by its speed times that, and the line's height over the corner, 1 m, changes by up to
        // twice as much. These errors are independent of each other: of N, each of the standard deviation
        // 2·10ᵏ·2⁻⁵¹/√12, six standard deviations are allowed. Then there are the digits of the radii.
        let shift =
            6.0 * 2.0 * energy * 2.0 * f64::EPSILON / 12.0_f64.sqrt() * (digits as f64).sqrt();
        let place = shift * billiard.nearest() + 4.0 * f64::EPSILON * 3.0 / f64::from(1 << 20);
        let off = (nearest - billiard.nearest()).abs();
        assert!(off <= place, "{nearest:e} {:e}", billiard.nearest());
        assert!(run.audit().energy_residual.abs() <= error * energy * energy);
    }
}
