//! Whole runs of the event engine. One program, because each test program has the whole engine in it and takes a minute
//! to build.

mod bad_worlds;
mod billiard;
mod bounds;
mod budget;
mod contact_time;
mod corner;
mod corner_held;
mod corner_reference;
mod corners;
mod director;
mod edits;
mod engine_reference;
mod event_times;
mod fields;
mod galperin;
mod gas_truths;
mod pile_oracle;
mod piles;
mod queries;
mod registry;
mod rest;
mod rooms;
mod rooms_moving;
mod rooms_refused;
mod rubbing;
mod runs;
mod sensors;
mod simultaneous;
mod snapshot;
mod sticking;
mod stop;
mod swing;
mod ways_reference;
mod wedge;
mod wedge_reference;
