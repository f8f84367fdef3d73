//! A random campaign against the command `carom`: scenes over the whole scene language, run with a time limit and
//! judged from outside.
//!
//! Nothing of carom is linked: scenes are made and read here, bodies are placed and overlaps found by plain geometry,
//! energies are summed from the states of the summary. docs/reliability.md says what is judged and what came of it.
//!
//! * [`make`]: scene `k` of a seed
//! * [`command`]: running the command, with a limit, and cutting it off
//! * [`judge`]: what is wrong with a run
//! * [`shrink`]: making a scene that fails smaller
//! * [`campaign`]: many of them, on many cores
//! * [`report`]: the table
#![forbid(unsafe_code)]

pub mod campaign;
pub mod command;
pub mod geometry;
pub mod judge;
pub mod make;
pub mod picture;
pub mod random;
pub mod report;
pub mod shrink;
pub mod walls;
