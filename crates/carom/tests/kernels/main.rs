//! What needs no run: times of impact, responses, sweeps and verdicts, row by row of the physics, and their properties.
//! One program, because each test program has the whole library in it and takes a minute to build.

mod architecture;
mod broad_properties;
mod impact_properties;
mod impact_rows;
mod response_properties;
mod response_rows;
mod restitution_by_speed;
mod segment_impacts;
mod smooth_rows;
mod swept_box_rows;
mod verdict_rows;
