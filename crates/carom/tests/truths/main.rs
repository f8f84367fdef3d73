//! What contacts that last must reproduce (PHYSICS.md, "Contacts that last"), beyond what stands beside each engine's
//! own tests: by forces what impulses do, in 3-D what is done in 2-D, samples that others made known, weights, and the
//! angle of repose. `docs/truths.md` lists all of them.

mod ball_by_forces;
mod boxes_3d;
mod boxes_by_forces;
mod common;
mod repose;
mod smooth;
mod solver2d;
mod stepped;
mod tasks_by_forces;
mod weights;
