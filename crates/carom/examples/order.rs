//! How the error of each scheme falls with the step, on the two balls of worked example 1.
//!
//! ```text
//! cargo run --release -p carom --example order
//! ```
//!
//! Prints the error of the second ball's final velocity, relative to the closed form, for each scheme and step; and the same for both methods side by side.

use carom::force::closed;
use carom::prelude::*;
use std::ops::ControlFlow;

/// What a step makes of a scheme.
type Stepping = fn(f64) -> Forces;

/// Two balls that meet head-on after 3.77 ms, with k = 100 N/m and c = 0.65 N·s/m between them.
fn two_balls() -> Result<World2, Box<dyn std::error::Error>> {
    let mut world = World2::new();
    let rubber = Material {
        restitution: 0.7,
        ..Material::default()
    };
    let rubber = world.materials.add("rubber", rubber)?;
    // Two in series make the pair's.
    let constants = Constants::spring_and_damper(200.0, 1.3);
    world.materials.set_constants(rubber, constants)?;
    for (radius, mass, place, velocity) in [(0.1, 0.8, 0.3, 0.1), (0.05, 0.1, 0.45, -0.05)] {
        let start = DVec2::new(place - 0.00377 * velocity, 0.0);
        let ball = Body::ball(radius, mass, start, DVec2::new(velocity, 0.0))?;
        world.add(ball.made_of(rubber))?;
    }
    Ok(world)
}

fn touch(forces: &Forces) -> Result<Touch<Plane>, Box<dyn std::error::Error>> {
    let mut run = Stepped::new(two_balls()?, forces).map_err(|wrong| wrong[0].to_string())?;
    let mut last = None;
    run.run(0.12, |touch| {
        last = Some(*touch);
        ControlFlow::Continue(())
    })?;
    Ok(last.ok_or("they did not meet")?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mass = closed::reduced_mass(0.8, 0.1);
    let ending = Ending::Attracting;
    let bounce = closed::restitution(100.0, 0.65, mass, ending).ok_or("it never ends")?;
    // v_b = v_s + ε v (m_a/M), with the common velocity v_s = 1/12 m/s and the closing speed v = 0.15 m/s.
    let truth = 0.075 / 0.9 + bounce * 0.15 * 0.8 / 0.9;
    let columns: [(&str, Stepping); 4] = [
        ("rk4, located", Forces::stepping),
        ("rk4", |step| Forces::stepping(step).locating(false)),
        ("verlet", |step| Forces::stepping(step).by(Scheme::Verlet)),
        ("euler", |step| Forces::stepping(step).by(Scheme::Euler)),
    ];
    print!("{:>12}", "step, s");
    for (name, _) in columns {
        print!("{name:>16}");
    }
    println!();
    for halvings in 0..9 {
        let step = 4e-3 / f64::from(1 << halvings);
        print!("{step:>12.6e}");
        for (_, forces) in columns {
            let found = touch(&forces(step))?.after[1].velocity.x;
            print!("{:>16.3e}", (found / truth - 1.0).abs());
        }
        println!();
    }
    println!("\n{:<24}{:>22}{:>22}", "", "impulses", "forces");
    let mut exact = Exact::new(two_balls()?).map_err(|wrong| wrong[0].to_string())?;
    let mut collision = None;
    exact.run(0.12, |seen| {
        collision = Some(*seen);
        ControlFlow::Continue(())
    })?;
    let collision = collision.ok_or("they did not meet")?;
    let touch = touch(&Forces::stepping(1e-5))?;
    for (what, by_impulses, by_forces) in [
        ("restitution", 0.7, touch.restitution().unwrap_or(f64::NAN)),
        ("duration, s", 0.0, touch.duration()),
        (
            "impulse, kg m/s",
            collision.impulse.x.abs(),
            touch.impulse.x.abs(),
        ),
        (
            "v_a, m/s",
            collision.after[0].velocity.x,
            touch.after[0].velocity.x,
        ),
        (
            "v_b, m/s",
            collision.after[1].velocity.x,
            touch.after[1].velocity.x,
        ),
        ("deepest overlap, m", 0.0, touch.deepest),
    ] {
        println!("{what:<24}{by_impulses:>22.17}{by_forces:>22.17}");
    }
    Ok(())
}
