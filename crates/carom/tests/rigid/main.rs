//! Solids that turn: impacts at several points, runs, rest and stacks; contacts that last, changes while it runs,
//! sensors, drivers, rolling.

mod budgets;
mod contact_times;
mod differential;
mod drivers;
mod edits;
mod fields;
mod inside;
mod loads;
mod overlaps;
mod periodic;
mod pieces;
mod rest;
mod rolling;
mod runs;
mod samples;
mod sensors;
mod several;
mod sleep;
mod sticking;
mod stops;
mod thin;
mod truths;
