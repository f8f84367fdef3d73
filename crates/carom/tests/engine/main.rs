//! Whole runs of the event engine. One program, because each test program has the whole engine in it and takes a minute to build.

mod bad_worlds;
mod billiard;
mod billiards;
mod books;
mod contact_time;
mod corners;
mod director;
mod edits;
mod engine_reference;
mod fields;
mod galperin;
mod gas_truths;
mod piles;
mod queries;
mod rest;
mod rooms;
mod rooms_moving;
mod rooms_refused;
mod roster;
mod runs;
mod sensors;
mod snapshot;
mod stop;
mod swing;
mod tandem;
mod ties;
