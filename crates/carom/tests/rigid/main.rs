//! Solids that turn: impacts at several points, runs, rest and stacks.

mod rest;
mod runs;
mod several;
