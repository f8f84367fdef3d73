//! How the error of each scheme falls with the step, on the two balls of worked example 1.
//!
//! ```text
//! cargo run --release -p carom --example order
//! ```
//!
//! Prints the error of the second ball's final velocity, relative to the closed form, for each scheme and step; and the
//! same for both methods side by side. `-- --svg FILE` draws the errors (`docs/pictures/order.svg`).

use carom::kernels::force::closed;
use carom::material::Constants;
use carom::prelude::*;
use carom::simulate::{Ending, Incident, Scheme, Touch};
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
        let ball = Body::free(Shape::ball(radius)?)
            .mass(mass)
            .at(start)
            .velocity(DVec2::new(velocity, 0.0));
        world.add(ball.material(rubber))?;
    }
    Ok(world)
}

fn touch(forces: &Forces) -> Result<Touch<Space2>, Box<dyn std::error::Error>> {
    let mut run = Simulation::with(two_balls()?, *forces)?;
    let mut last = None;
    run.run_with_contacts(0.12, |incident| {
        if let Incident::Ended(touch) = incident {
            last = Some(*touch);
        }
        ControlFlow::Continue(())
    })?;
    Ok(last.ok_or("they did not meet")?)
}

/// The errors over the steps, both by powers of ten, beside a line of slope 4.
///
/// Longer than most: one picture, from its frame to its labels.
fn drawn(curves: &[(&str, Vec<[f64; 2]>)]) -> String {
    const SIZE: [f64; 2] = [640.0, 420.0];
    const ROOM: [f64; 2] = [70.0, 50.0];
    let (steps, errors) = ([-5.0, -2.3], [-14.0, 0.0]);
    let at = |[step, error]: [f64; 2]| {
        let share = |value: f64, [from, to]: [f64; 2]| (value.log10() - from) / (to - from);
        let x = ROOM[0] + share(step, steps) * (SIZE[0] - ROOM[0] - 130.0);
        let y = SIZE[1] - ROOM[1] - share(error, errors) * (SIZE[1] - ROOM[1] - 30.0);
        (x, y)
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"12\">\n<title>The error over the step, by scheme</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        SIZE[0], SIZE[1]
    );
    let mut line = |from: [f64; 2], to: [f64; 2], style: &str| {
        let ((x, y), (u, v)) = (at(from), at(to));
        svg +=
            &format!("<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{u:.1}\" y2=\"{v:.1}\" {style}/>\n");
    };
    let grid = "stroke=\"#ddd\"";
    let (left, right) = (1e-5, 5e-3);
    for power in (-14..=0).step_by(2) {
        let error = 10.0_f64.powi(power);
        line([left, error], [right, error], grid);
    }
    for step in [1e-5, 1e-4, 1e-3] {
        line([step, 1e-14], [step, 1.0], grid);
    }
    let guide = "stroke=\"#999\" stroke-dasharray=\"5 4\"";
    line([2e-4, 1e-13], [4e-3, 1e-13 * 20.0_f64.powi(4)], guide);
    let mut text = |[step, error]: [f64; 2], by: (f64, f64), anchor: &str, words: &str| {
        let (x, y) = at([step, error]);
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{words}</text>\n",
            x + by.0,
            y + by.1
        );
    };
    for power in (-14..=0).step_by(2) {
        let words = format!("1e{power}");
        text([left, 10.0_f64.powi(power)], (-8.0, 4.0), "end", &words);
    }
    for step in [1e-5, 1e-4, 1e-3] {
        text([step, 1e-14], (0.0, 18.0), "middle", &format!("{step:e}"));
    }
    text([2e-4, 1e-14], (0.0, 38.0), "middle", "step, s");
    text(
        [left, 1.0],
        (-40.0, -14.0),
        "start",
        "relative error of the final velocity",
    );
    text(
        [4e-3, 1e-13 * 20.0_f64.powi(4)],
        (8.0, 14.0),
        "start",
        "slope 4",
    );
    for (index, (name, curve)) in curves.iter().enumerate() {
        let ink = ["#0b62a4", "#e07b00", "#2a9d4a", "#b3306b"][index % 4];
        let points: Vec<String> = (curve.iter())
            .map(|&point| {
                let (x, y) = at(point);
                format!("{x:.1},{y:.1}")
            })
            .collect();
        svg += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.6\"/>\n",
            points.join(" ")
        );
        for &point in curve {
            let (x, y) = at(point);
            svg += &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\" fill=\"{ink}\"/>\n");
        }
        let (x, y) = at(curve[0]);
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{ink}\">{name}</text>\n",
            x + 8.0,
            y + 4.0
        );
    }
    svg + "</svg>\n"
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
    let mut curves: Vec<(&str, Vec<[f64; 2]>)> = columns
        .iter()
        .map(|&(name, _)| (name, Vec::new()))
        .collect();
    for halvings in 0..9 {
        let step = 4e-3 / f64::from(1 << halvings);
        print!("{step:>12.6e}");
        for ((_, forces), (_, curve)) in columns.into_iter().zip(&mut curves) {
            let found = touch(&forces(step))?.after[1].velocity.x;
            let error = (found / truth - 1.0).abs();
            print!("{error:>16.3e}");
            curve.push([step, error]);
        }
        println!();
    }
    let mut words = std::env::args().skip(1);
    if let (Some("--svg"), Some(file)) = (words.next().as_deref(), words.next()) {
        std::fs::write(file, drawn(&curves))?;
    }
    println!("\n{:<24}{:>22}{:>22}", "", "impulses", "forces");
    let mut exact = Simulation::new(two_balls()?)?;
    let mut collision = None;
    exact.run_with(0.12, |event| {
        if let Event::Collision(seen) = event {
            collision = Some(**seen);
        }
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
