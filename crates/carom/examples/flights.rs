//! How fast pieces are made, and how good they are.
//!
//!     cargo run --release -p carom --example flights
//!
//! The first table: pieces per second of one core, and how long they are. The second: Kepler orbits and falls with
//! drag, against their closed forms, over tolerances.

use carom::motion::{
    Departure, Drag, Field, Fields, Integrator, Lift, Rates, Tolerance, Wind, next_segment,
};
use carom::space::{Space, Space2, Space3};
use glam::{DVec2, DVec3};
use std::sync::LazyLock;
use std::time::Instant;

static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// What this process has had of the processor, s: on Linux, so that other programs do not count; elsewhere the time
/// that has passed.
fn processor_seconds() -> f64 {
    std::fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|line| line.split(' ').next()?.parse::<f64>().ok())
        .map_or_else(
            || BEGIN.elapsed().as_secs_f64(),
            |nanoseconds| nanoseconds * 1e-9,
        )
}

/// Flies to a time; the state there and the number of pieces.
fn fly<S: Space>(
    rates: &impl Rates<S>,
    mut state: Departure<S>,
    integrator: &Integrator,
    until: f64,
) -> (Departure<S>, usize) {
    let (mut hint, mut segments) = (0.0, 0);
    while state.time < until {
        let left = until - state.time;
        let (segment, next) =
            next_segment(rates, &state, integrator, hint, left).expect("a flight");
        let last = segment.end == left;
        state = integrator.arrival(rates, &state, &segment, segment.end);
        if last {
            state.time = until;
        }
        hint = next;
        segments += 1;
    }
    (state, segments)
}

fn speed<S: Space>(name: &str, fields: &Fields<S>, starts: &[Departure<S>], seconds: f64) {
    let integrator = Integrator::Adaptive(Tolerance::of(1e-9));
    let mut best = f64::INFINITY;
    let mut segments = 0;
    for _ in 0..5 {
        let before = processor_seconds();
        segments = starts
            .iter()
            .map(|start| {
                fly(
                    &fields.for_ball(0.1, 0.03, f64::INFINITY),
                    *start,
                    &integrator,
                    seconds,
                )
                .1
            })
            .sum();
        best = best.min(processor_seconds() - before);
    }
    println!(
        "{name:<42} {:>9.0} {:>8.2} {:>12.3}",
        segments as f64 / best / 1e3,
        best / segments as f64 * 1e6,
        seconds * starts.len() as f64 / segments as f64
    );
}

fn main() {
    println!("10,000 balls for 2 s at tolerance 1e-9, processor time, best of 5");
    println!(
        "{:<42} {:>9} {:>8} {:>12}",
        "", "1000/s", "µs each", "mean length s"
    );
    let angle = |k: usize| k as f64 * 0.7;
    let flat: Vec<_> = (0..10_000)
        .map(|k| Departure::<Space2> {
            velocity: DVec2::new(libm::cos(angle(k)), libm::sin(angle(k))) * 10.0,
            ..Departure::default()
        })
        .collect();
    let solid: Vec<_> = (0..10_000)
        .map(|k| Departure::<Space3> {
            velocity: DVec3::new(libm::cos(angle(k)), libm::sin(angle(k)), 0.3) * 10.0,
            angular_velocity: DVec3::new(0.0, 0.0, 30.0),
            ..Departure::default()
        })
        .collect();
    let weight2 = Fields::<Space2>::uniform(DVec2::new(0.0, -9.81));
    let weight3 = Fields::<Space3>::uniform(DVec3::new(0.0, 0.0, -9.81));
    let quadratic = Drag::Given {
        linear: 0.0,
        quadratic: 0.01,
    };
    let both = Drag::Given {
        linear: 0.02,
        quadratic: 0.01,
    };
    speed(
        "plane, quadratic drag",
        &weight2.clone().with(Field::Drag(quadratic)),
        &flat,
        2.0,
    );
    speed(
        "plane, linear and quadratic drag",
        &weight2.clone().with(Field::Drag(both)),
        &flat,
        2.0,
    );
    speed(
        "space, quadratic drag",
        &weight3.clone().with(Field::Drag(quadratic)),
        &solid,
        2.0,
    );
    let lifted = weight3
        .clone()
        .with(Field::Drag(Drag::AIR))
        .with(Field::Lift(Lift::OfMedium {
            density: 1.2,
            coefficient: 0.5,
        }));
    speed("space, air and lift", &lifted, &solid, 2.0);
    let vortex = weight3
        .with(Field::Drag(quadratic))
        .with(Field::Wind(Wind::Vortex {
            centre: DVec3::ZERO,
            axis: DVec3::Z,
            circulation: 20.0,
            core: 1.0,
        }));
    speed("space, drag in a vortex", &vortex, &solid, 2.0);
    errors();
}

/// Largest distances from the closed forms.
fn errors() {
    println!();
    println!(
        "errors: m after one period of a Kepler orbit (a = 1 m, GM = 1 m³/s²); m after a fall of 3 s with quadratic drag"
    );
    println!(
        "{:>9} {:>14} {:>7} {:>14} {:>7} {:>12} {:>7}",
        "tolerance", "e = 0.1", "pieces", "e = 0.9", "pieces", "fall", "pieces"
    );
    let sun = Fields::<Space2>::default().with(Field::Central {
        centre: DVec2::ZERO,
        strength: 1.0,
        softening: 0.0,
    });
    let air = Fields::<Space2>::uniform(DVec2::new(0.0, -9.81)).with(Field::Drag(Drag::Given {
        linear: 0.0,
        quadratic: 0.1,
    }));
    for exponent in 3..=13 {
        let tolerance: f64 = format!("1e-{exponent}").parse().expect("a number");
        let integrator = Integrator::Adaptive(Tolerance::of(tolerance));
        print!("{tolerance:>9.0e}");
        for eccentricity in [0.1, 0.9] {
            // From the far end of the orbit, where the speed is √((1 − e)/(1 + e)).
            let start = Departure::<Space2> {
                position: DVec2::new(1.0 + eccentricity, 0.0),
                velocity: DVec2::new(0.0, ((1.0 - eccentricity) / (1.0 + eccentricity)).sqrt()),
                ..Departure::default()
            };
            let ball = sun.for_ball(1.0, 0.0, f64::INFINITY);
            let (end, segments) = fly(&ball, start, &integrator, std::f64::consts::TAU);
            print!(
                " {:>14.2e} {segments:>7}",
                (end.position - start.position).length()
            );
        }
        // Terminal speed √(m g/k₂), the way (m/k₂) ln cosh(g t/v).
        let terminal = (9.81_f64 / 0.1).sqrt();
        let ball = air.for_ball(1.0, 0.1, f64::INFINITY);
        let (end, segments) = fly(&ball, Departure::default(), &integrator, 3.0);
        let fallen = 10.0 * libm::log(libm::cosh(9.81 * 3.0 / terminal));
        println!(" {:>12.2e} {segments:>7}", (end.position.y + fallen).abs());
    }
}
