//! Two thousand boxes tumble in a room without gravity: collisions per second of real time, and how the energy drifts.
//!
//! `cargo run --release --example solids -- [boxes] [seconds]`

use carom::prelude::*;
use carom::space::Space;
use std::time::Instant;

/// Numbers that look random, the same in every run (Knuth's multiplier).
struct Numbers(u64);

impl Numbers {
    /// From −1 to 1.
    fn signed(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let boxes: usize = arguments.next().map_or(Ok(2000), |text| text.parse())?;
    let seconds: f64 = arguments.next().map_or(Ok(5.0), |text| text.parse())?;
    let mut numbers = Numbers(7);
    let mut world = World3::new();
    let along = (boxes as f64).cbrt().ceil();
    let (pitch, side) = (1.2, 1.2 * along);
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        for (normal, place) in [(axis, DVec3::ZERO), (-axis, axis * side)] {
            let wall = Shape::half_space(normal)?;
            world.add(Body::fixed(wall).at(place))?;
        }
    }
    for k in 0..boxes {
        let k = k as f64;
        let cell = DVec3::new(
            k % along,
            (k / along).floor() % along,
            (k / along / along).floor(),
        );
        let rotation = Space3::rotation_of(numbers.vector(), 3.0);
        let body = Body::free(Shape::block(DVec3::new(0.3, 0.2, 0.12))?)
            .mass(1.0)
            .at((cell + 0.5) * pitch)
            .rotated(rotation)
            .velocity(numbers.vector())
            .angular_velocity(numbers.vector() * 3.0);
        world.add(body)?;
    }
    let mut run = Simulation::new(world)?;
    let before = run.audit().now.total();
    let start = Instant::now();
    run.run_until(seconds)?;
    let elapsed = start.elapsed().as_secs_f64();
    let audit = run.audit();
    println!(
        "{boxes} boxes, {seconds} s: {} collisions in {elapsed:.2} s, {:.0} a second; energy {before:.6} J, drift {:.1e} of it, books {:.1e} J",
        run.collisions(),
        run.collisions() as f64 / elapsed,
        (audit.now.total() - before) / before,
        audit.energy_residual,
    );
    Ok(())
}
