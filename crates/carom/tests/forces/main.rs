//! The method of forces: rows C2, C8, C9, P2 against closed forms, and against the method of impulses.

// The truths keep all the digits that they were given with.
#![allow(clippy::excessive_precision)]

use carom::material::Constants;
use carom::prelude::*;
use carom::simulate::Stepped;
use carom::simulate::{Compiled, Touch};

mod budget;
mod by_speed;
mod edits;
mod example;
mod gas;
mod loops;
mod many;
mod oblique;
mod pieces;
mod refused;
mod rest;
mod rigid_runs;
mod scenery;
mod solids;

/// Worked example 1: two balls head-on, with k = 100 N/m and c = 0.65 N·s/m between them.
pub fn worked_example() -> World2 {
    let mut world = World2::new();
    let rubber = Material {
        restitution: 0.7,
        ..Material::default()
    };
    let rubber = world.materials.add("rubber", rubber).unwrap();
    // Two in series make the pair's.
    let constants = Constants::spring_and_damper(200.0, 1.3);
    world.materials.set_constants(rubber, constants).unwrap();
    for (radius, mass, place, velocity) in [(0.1, 0.8, 0.3, 0.1), (0.05, 0.1, 0.45, -0.05)] {
        let (place, velocity) = (DVec2::new(place, 0.0), DVec2::new(velocity, 0.0));
        let ball = Body::ball(radius, mass, place, velocity).unwrap();
        world.add(ball.made_of(rubber)).unwrap();
    }
    world
}

/// Every contact of a run until a time.
pub fn touches_of<S: Compiled>(run: &mut Stepped<S>, until: f64) -> Vec<Touch<S>> {
    let mut touches = Vec::new();
    run.run(until, |touch| {
        touches.push(*touch);
        std::ops::ControlFlow::Continue(())
    })
    .unwrap();
    touches
}
