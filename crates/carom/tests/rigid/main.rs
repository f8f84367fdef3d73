//! Solids that turn: impacts at several points, runs, rest and stacks.

mod pieces;
mod rest;
mod runs;
mod several;
