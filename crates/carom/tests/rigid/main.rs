//! Solids that turn: impacts at several points, runs, rest and stacks.

mod runs;
mod several;
