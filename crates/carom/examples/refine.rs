//! What it costs to date a collision of two balls to its last digits: nanoseconds a call of `first_contact` and of
//! `refine`, over random pairs.
//!
//!     cargo run --release -p carom --example refine

use carom::kernels::impact::{
    Impact, MovingBall, Strikable, Target, TargetMotion, first_contact, refine,
};
use carom::motion::{Flight, Pose};
use carom::shape::{Ball, Shape};
use carom::space::{Space2, Space3};
use std::hint::black_box;
use std::time::Instant;

const PAIRS: usize = 1000;
const ROUNDS: usize = 300;

fn main() {
    measure::<Space2>("2-D");
    measure::<Space3>("3-D");
}

/// Finds the first contact before a time, s.
type Solver<S> = fn(&MovingBall<S>, &Target<S>, f64) -> Impact;

fn measure<S: Strikable>(name: &str) {
    let mut seed = 1u64;
    let mut random = || {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let shape = Shape::Ball(Ball::new(0.5).expect("a positive radius"));
    let mut pairs = Vec::new();
    while pairs.len() < PAIRS {
        let mut vector = |scale: f64, shift: f64| {
            S::vector([0, 1, 2].map(|axis| {
                if axis < S::DIMENSION {
                    scale * (random() - 0.5) + shift
                } else {
                    0.0
                }
            }))
        };
        let ball = MovingBall::<S> {
            flight: Flight::straight(vector(1.0, 0.0), vector(1.0, 0.0)),
            radius: 0.5,
            surface_speed: 0.0,
        };
        let target = Target {
            shape: &shape,
            course: TargetMotion::Flight {
                flight: Flight::straight(vector(1.0, 1.5), vector(1.0, -0.5)),
                rotation: Pose::<S>::default().rotation,
            },
            surface_speed: 0.0,
        };
        if matches!(first_contact(&ball, &target, 10.0), Impact::At(time) if time > 0.0) {
            pairs.push((ball, target));
        }
    }
    let time = |solve: Solver<S>| {
        let mut best = f64::INFINITY;
        for _ in 0..7 {
            let start = Instant::now();
            for _ in 0..ROUNDS {
                for (ball, target) in &pairs {
                    black_box(solve(black_box(ball), target, 10.0));
                }
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        best / (PAIRS * ROUNDS) as f64 * 1e9
    };
    println!(
        "{name}: first_contact {:.0} ns, refine {:.0} ns",
        time(first_contact),
        time(refine)
    );
}
