//! How long it takes to find the first contact of balls on pieces: nanoseconds a call.
//!
//! `cargo run --release -p carom --example piece_impacts`

use carom::kernels::impact::{
    Target, TargetMotion, balls_on_segments, crossing, first_clearance_on_segment,
    first_contact_on_segment,
};
use carom::motion::{Curve, Drive, Flight, Pose, TrajectorySegment};
use carom::shape::{Block, Shape};
use carom::space::{Linear, Space, Space2, Space3};
use glam::{DQuat, DVec2, DVec3};
use std::hint::black_box;
use std::time::Instant;

/// Numbers that look random and are the same every time (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        low + (high - low) * ((z >> 11) as f64 / (1u64 << 53) as f64)
    }

    fn vector<S: Space>(&mut self, size: f64) -> S::Vector {
        S::vector([0, 1, 2].map(|_| self.between(-size, size)))
    }

    /// A ball within a few diameters, as fast as at billiards, whose terms of higher degree fall off as those of an
    /// integrator do.
    fn segment<S: Space>(&mut self, degree: usize, end: f64) -> TrajectorySegment<S> {
        let mut terms = vec![
            self.vector::<S>(if S::DIMENSION == 2 { 0.3 } else { 0.15 }),
            self.vector::<S>(2.0),
        ];
        for power in 2..=degree {
            terms.push(self.vector::<S>(1.0 / 3.0_f64.powi(power as i32 - 2)));
        }
        TrajectorySegment {
            place: Curve::new(&terms),
            angular_velocity: Curve::constant(S::Angular::ZERO),
            end,
        }
    }
}

/// Times a question over many cases, those with an answer and those without apart.
fn measure<T>(what: &str, cases: &[T], answer: impl Fn(&T) -> bool) {
    let (with, without): (Vec<&T>, Vec<&T>) = cases.iter().partition(|case| answer(case));
    for (name, cases) in [("without", without), ("with", with)] {
        if cases.is_empty() {
            continue;
        }
        // The fastest of many rounds: what other programs take away shows in the slower ones.
        let rounds = 400_000 / cases.len() + 1;
        let each = (0..rounds)
            .map(|_| {
                let start = Instant::now();
                for case in &cases {
                    black_box(answer(black_box(case)));
                }
                start.elapsed().as_nanos() as f64 / cases.len() as f64
            })
            .fold(f64::INFINITY, f64::min);
        println!("{what:44} {name:>8} {:6} cases {each:8.0} ns", cases.len());
    }
}

fn balls<S: Space>(what: &str, degrees: [usize; 2], end: f64) {
    let mut numbers = Numbers(1);
    let cases: Vec<[TrajectorySegment<S>; 2]> = (0..600)
        .map(|_| degrees.map(|degree| numbers.segment::<S>(degree, end)))
        .filter(|[a, b]| (a.place.at(0.01) - b.place.at(0.0)).length() > 0.06)
        .collect();
    measure(what, &cases, |[a, b]| {
        balls_on_segments(a, 0.03, 0.0, b, 0.03, 0.01, S::Vector::ZERO).is_finite()
    });
}

fn targets(
    what: &str,
    shape: &Shape<Space3>,
    course: TargetMotion<Space3>,
    degree: usize,
    end: f64,
) {
    let mut numbers = Numbers(2);
    let target = Target {
        shape,
        course,
        surface_speed: 0.0,
    };
    let cases: Vec<TrajectorySegment<Space3>> =
        (0..600).map(|_| numbers.segment(degree, end)).collect();
    measure(what, &cases, |segment| {
        first_contact_on_segment(segment, 0.03, &target, f64::INFINITY)
            .time()
            .is_some()
    });
}

/// Longer than most: one kernel after the other, timed in the same way.
fn main() {
    balls::<Space2>("balls, plane, degrees 1 and 1, 0.5 s", [1, 1], 0.5);
    balls::<Space3>("balls, space, degrees 1 and 1, 0.5 s", [1, 1], 0.5);
    balls::<Space2>("balls, plane, degrees 2 and 2, 0.5 s", [2, 2], 0.5);
    balls::<Space3>("balls, space, degrees 2 and 2, 0.5 s", [2, 2], 0.5);
    balls::<Space3>("balls, space, degrees 2 and 0, 0.5 s", [2, 0], 0.5);
    balls::<Space3>(
        "balls, space, degrees 2 and 2, no end",
        [2, 2],
        f64::INFINITY,
    );
    balls::<Space3>("balls, space, degrees 5 and 5, 0.5 s", [5, 5], 0.5);
    balls::<Space2>("balls, plane, degrees 9 and 9, 0.5 s", [9, 9], 0.5);
    balls::<Space3>("balls, space, degrees 9 and 9, 0.5 s", [9, 9], 0.5);
    balls::<Space3>("balls, space, degrees 9 and 9, 0.05 s", [9, 9], 0.05);

    let at = |x: f64| TargetMotion::Flight {
        flight: Flight::rest(DVec3::new(x, 0.0, 0.0)),
        rotation: DQuat::IDENTITY,
    };
    let wall = Shape::half_space(-DVec3::X).unwrap();
    let block = Shape::block(DVec3::splat(0.2)).unwrap();
    let room = Shape::hollow(1.0).unwrap();
    let drum = Shape::cylinder(DVec3::Z, 0.2, 0.2).unwrap();
    targets("wall, degree 2, 0.5 s", &wall, at(1.0), 2, 0.5);
    targets("wall, degree 9, 0.5 s", &wall, at(1.0), 9, 0.5);
    targets("far wall, degree 9, 0.5 s", &wall, at(100.0), 9, 0.5);
    targets("block, degree 9, 0.5 s", &block, at(0.8), 9, 0.5);
    targets("far block, degree 9, 0.5 s", &block, at(100.0), 9, 0.5);
    targets("cylinder, degree 9, 0.5 s", &drum, at(0.8), 9, 0.5);
    targets("room, degree 9, 0.5 s", &room, at(0.0), 9, 0.5);
    let start = Pose::at(DVec3::new(0.8, 0.0, 0.0));
    let turning = Drive::Rotation {
        pivot: start.position,
        angular_velocity: DVec3::new(0.0, 3.0, 0.0),
    };
    let shaken = Drive::Oscillation {
        amplitude: DVec3::new(0.1, 0.0, 0.0),
        frequency: 2.0,
        phase: 0.0,
    };
    for (name, drive) in [("turning block", &turning), ("shaken block", &shaken)] {
        let course = TargetMotion::Kinematic {
            drive,
            start: &start,
            now: 0.0,
        };
        targets(&format!("{name}, degree 9, 0.5 s"), &block, course, 9, 0.5);
    }

    let mut numbers = Numbers(3);
    let segments: Vec<TrajectorySegment<Space2>> =
        (0..600).map(|_| numbers.segment(9, 0.5)).collect();
    measure("crossing, degree 9, 0.5 s", &segments, |segment| {
        crossing(segment, 0.0, 0, 0.5, true).is_finite()
    });
    let segments: Vec<TrajectorySegment<Space2>> =
        (0..600).map(|_| numbers.segment(2, 0.5)).collect();
    measure("crossing, degree 2, 0.5 s", &segments, |segment| {
        crossing(segment, 0.0, 0, 0.5, true).is_finite()
    });
    let field = Shape::<Space2>::Block(Block::new(DVec2::splat(0.5)).unwrap());
    let target = Target {
        shape: &field,
        course: TargetMotion::Flight {
            flight: Flight::rest(DVec2::ZERO),
            rotation: Pose::<Space2>::default().rotation,
        },
        surface_speed: 0.0,
    };
    let segments: Vec<TrajectorySegment<Space2>> =
        (0..600).map(|_| numbers.segment(9, 0.5)).collect();
    measure(
        "clearance of a block, degree 9, 0.5 s",
        &segments,
        |segment| {
            first_clearance_on_segment(segment, 0.03, &target, 1.0)
                .time()
                .is_some()
        },
    );
}
