//! What a gas is like: temperature, pressure, collision rate, mean free path, structure, diffusion, each with an error bar.
//!
//! Nothing here changes a run: [`GasMeter`] listens to collisions, [`RadialDistribution`] and [`Displacement`]
//! look at positions when they are shown some.

mod blocks;
mod displacement;
mod gas;
mod radial;

pub use blocks::{Blocks, Estimate};
pub use displacement::Displacement;
pub use gas::{GasMeter, GasReport};
pub use radial::RadialDistribution;
