//! What a gas is like: temperature, pressure, collision rate, mean free path, structure, diffusion, each with an error
//! bar.
//!
//! Nothing here changes a run: [`GasMeter`] listens to collisions, [`RadialDistribution`] and [`Displacement`]
//! look at positions when they are shown some.
//!
//! ```
//! use carom::observe::{GasMeter, RadialDistribution};
//! use carom::prelude::*;
//! use std::ops::ControlFlow;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // 64 elastic discs of diameter 1 m in a periodic box of 12 m by 12 m.
//! let mut world = World2::new();
//! world.set_periodic([Some(12.0), Some(12.0), None])?;
//! for number in 0..64_u32 {
//!     let place = DVec2::new(f64::from(number % 8), f64::from(number / 8)) * 1.5;
//!     let direction = [DVec2::X, DVec2::Y, -DVec2::X, -DVec2::Y][(number % 4) as usize];
//!     world.add(Body::free(Shape::ball(0.5)?).mass(1.0).at(place).velocity(direction + DVec2::new(0.1, 0.2)))?;
//! }
//! let mut meter = GasMeter::new(&world, 0.0);
//! let mut run = Simulation::new(world)?;
//! run.run_with(20.0, |event| {
//!     if let Event::Collision(collision) = event {
//!         meter.collision(collision);
//!     }
//!     ControlFlow::Continue(())
//! })?;
//! let ids = run.bodies();
//! meter.velocities(ids.iter().map(|&id| run.state(id).velocity));
//! let report = meter.report(run.time());
//! println!("Z = {:?}, k T = {:?} J", report.compressibility, report.temperature);
//! assert_eq!(report.collisions, run.collisions());
//!
//! let mut structure = RadialDistribution::<Space2>::new(3.0, 30);
//! let places: Vec<DVec2> = ids.iter().map(|&id| run.state(id).position).collect();
//! structure.add(&places, [12.0, 12.0, 0.0]);
//! let (_, nearest) = structure.result()[0];
//! assert_eq!(nearest.mean, 0.0); // no two centres are nearer than a tenth of a metre
//! # Ok(())
//! # }
//! ```

mod blocks;
mod displacement;
mod gas;
mod radial;

pub use blocks::{Blocks, Estimate};
pub use displacement::Displacement;
pub use gas::{GasMeter, GasReport};
pub use radial::RadialDistribution;
