//! Balls on polynomial pieces: nothing is missed, nothing is invented, and everything ends.
//!
//! The oracle steps along the way by the gap over a bound on the speed, and at least by a millionth of the way. Between
//! two of its samples the gap is known to within the speed bound times half their distance; so it sees every overlap
//! deeper than a millionth of the way, and an answer of the library is checked at every sample.

mod pairs;
mod targets;

use carom::kernels::impact::{
    Impact, MovingBall, Target, TargetMotion, balls_on_segments, crossing,
    first_clearance_on_segment, first_contact, first_contact_on_segment,
};
use carom::motion::{Curve, Drive, Flight, Pose, TrajectorySegment};
use carom::shape::{
    Arc, Ball, Block, Cylinder, HalfSpace, Hollow, Obstacle, Segment, Shape, Shape2, Shape3,
    Triangle,
};
use carom::simulate::Compiled;
use carom::space::{Linear, Space, Space2, Space3, UNIT_ROUNDOFF};
use glam::{DVec2, DVec3};

/// Numbers that look random and are the same every time (SplitMix64, Steele, Lea and Flood 2014).
struct Numbers(u64);

impl Numbers {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64)
    }

    fn below(&mut self, number: u64) -> u64 {
        self.bits() % number
    }

    fn vector<S: Space>(&mut self, size: f64) -> S::Vector {
        S::vector([0, 1, 2].map(|_| self.between(-size, size)))
    }

    /// A curve whose terms all matter within a second or two.
    fn curve<S: Space>(&mut self, degree: usize, place: f64, speed: f64) -> Curve<S::Vector> {
        let mut terms = vec![self.vector::<S>(place), self.vector::<S>(speed)];
        for power in 2..=degree {
            terms.push(self.vector::<S>(speed / 1.5_f64.powi(power as i32)));
        }
        Curve::new(&terms)
    }

    fn segment<S: Space>(&mut self, degree: usize, place: f64) -> TrajectorySegment<S> {
        TrajectorySegment {
            place: self.curve::<S>(degree, place, 3.0),
            angular_velocity: Curve::constant(S::Angular::ZERO),
            end: self.between(0.1, 2.0),
        }
    }
}

/// A gap at a time, m; its rate, m/s; and the size of the numbers that it is made of, m.
type Seen = (f64, f64, f64);

/// What the contact rule allows at a sample before the answer: either no overlap beyond rounding, or one that does not
/// close.
fn check(
    what: &str,
    found: Option<f64>,
    from: f64,
    to: f64,
    fastest: f64,
    gap: impl Fn(f64) -> Seen,
) {
    if let Some(time) = found {
        let (value, rate, size) = gap(time);
        assert!(
            time >= from && time < to,
            "{what}: at {time}, not in [{from}, {to})"
        );
        // An overlap that turns from opening to closing may be found where it turns.
        let still = if gap(from).0 > 0.0 {
            0.0
        } else {
            1e-12 * fastest
        };
        assert!(rate < still, "{what}: opening at {time}");
        if time > from && gap(from).0 > 0.0 {
            assert!(
                value.abs() <= 64.0 * UNIT_ROUNDOFF * size,
                "{what}: a gap of {value} at {time}, {size} across"
            );
        } else {
            assert!(value <= 64.0 * UNIT_ROUNDOFF * size, "{what}: {value}");
        }
    }
    let until = found.unwrap_or(to);
    let least = 1e-6 * (to - from);
    let mut t = from;
    while t < until {
        let (value, rate, size) = gap(t);
        // An overlap that turns from opening to closing shows only after it has closed by a rounding error e, when its
        // rate is √(2 e A): 1e-6 of the speed is more.
        assert!(
            !(value < -64.0 * UNIT_ROUNDOFF * size && rate < -1e-6 * fastest),
            "{what}: overlaps by {} at {t} and closes at {}, but found {found:?}",
            -value,
            -rate
        );
        t += (value.abs() / fastest).max(least);
    }
}

/// No speed on a curve is larger, m/s.
fn speed_bound<V: Linear>(curve: &Curve<V>, t: f64) -> f64 {
    let terms = curve.terms().iter().enumerate().skip(1).rev();
    terms.fold(0.0, |sum, (power, term)| {
        sum * t + term.length() * power as f64
    })
}

fn size<V: Linear>(curve: &Curve<V>, t: f64) -> f64 {
    let terms = curve.terms().iter().rev();
    terms.fold(0.0, |sum, term| sum * t + term.length())
}

fn drive<S: Space>(numbers: &mut Numbers, angular_velocity: S::Angular) -> Drive<S> {
    match numbers.below(4) {
        0 => Drive::Uniform {
            velocity: numbers.vector::<S>(2.0),
        },
        1 => Drive::Rotation {
            pivot: numbers.vector::<S>(0.5),
            angular_velocity,
        },
        2 => Drive::Oscillation {
            amplitude: numbers.vector::<S>(0.5),
            frequency: numbers.between(0.1, 2.0),
            phase: numbers.between(0.0, 6.0),
        },
        _ => Drive::Path {
            knots: (0..4)
                .map(|knot| (0.3 * f64::from(knot), numbers.vector::<S>(1.0)))
                .collect(),
        },
    }
}

/// The first passage of a bound by samples: `None` where none is deeper than the samples show.
#[test]
fn crossings_of_bounds() {
    let mut numbers = Numbers(41);
    let mut passed = 0;
    for case in 0..6000 {
        let degree = [1, 2, 5, 9][case % 4];
        let segment = numbers.segment::<Space2>(degree, 2.0);
        let (axis, up) = (case / 4 % 2, case / 8 % 2 == 0);
        let bound = numbers.between(-2.0, 2.0);
        let from = if case % 3 == 0 {
            0.0
        } else {
            numbers.between(0.0, segment.end)
        };
        let time = crossing(&segment, from, axis, bound, up);
        let sign = if up { 1.0 } else { -1.0 };
        let found = time.is_finite().then_some(time);
        passed += usize::from(found.is_some());
        let fastest = speed_bound(&segment.place, segment.end);
        // What is left of the way to the bound.
        check(
            &format!("case {case}"),
            found,
            from,
            segment.end,
            fastest,
            |t| {
                let x = segment.position_at(t)[axis];
                (
                    sign * (bound - x),
                    -sign * segment.velocity_at(t)[axis],
                    size(&segment.place, t) + bound.abs(),
                )
            },
        );
    }
    assert!(passed > 1000, "{passed}");
}

#[test]
fn crossings_from_beyond() {
    for third in [0.0, 1e-300] {
        let segment = |x: f64, v: f64, e: f64| TrajectorySegment::<Space2> {
            place: Curve::new(&[DVec2::X * x, DVec2::X * v, DVec2::X * e, DVec2::X * third]),
            angular_velocity: Curve::constant(0.0),
            end: 10.0,
        };
        let up = |x: f64, v: f64, e: f64| crossing(&segment(x, v, e), 0.0, 0, 1.0, true);
        assert_eq!(up(1.0, 1.0, 0.0), 0.0);
        assert_eq!(up(1.5, 1.0, 0.0), 0.0);
        assert_eq!(up(1.0, -1.0, 0.0), f64::INFINITY);
        assert_eq!(up(0.0, 0.0, 0.0), f64::INFINITY);
        assert!((up(0.0, 2.0, 0.0) - 0.5).abs() <= 2.0 * UNIT_ROUNDOFF);
        // Down and back: 1 − t + t² = 1 again at t = 1.
        assert!((up(1.0, -1.0, 1.0) - 1.0).abs() <= 8.0 * UNIT_ROUNDOFF);
        // Back only half the way beyond the bound: it turns at t = ½. The search sees that when it has risen by a
        // rounding error, √u later.
        assert!((up(2.0, -1.0, 1.0) - 0.5).abs() <= 1e-7);
        // Up, but not as far as that: 1 − 2⁻⁵⁰.
        assert_eq!(up(0.0, 1.9, -1.0), f64::INFINITY);
        assert_eq!(
            crossing(&segment(0.0, 0.05, 0.0), 0.0, 0, 1.0, true),
            f64::INFINITY,
            "after the end"
        );
        assert_eq!(
            crossing(&segment(0.0, 1.0, 0.0), 2.0, 0, 1.0, true),
            2.0,
            "beyond by then"
        );
        assert_eq!(crossing(&segment(0.0, -1.0, 0.0), 0.0, 0, -1.0, false), 1.0);
    }
}

/// Whatever the numbers are, there is an answer, soon.
#[test]
fn absurd_numbers() {
    let values = [
        0.0,
        1.0,
        -1.0,
        1e150,
        -1e150,
        1e-150,
        1e300,
        f64::INFINITY,
        f64::NAN,
        5e-324,
    ];
    let mut numbers = Numbers(51);
    let pick = |numbers: &mut Numbers| values[numbers.below(values.len() as u64) as usize];
    let shapes = [
        Shape::<Space2>::Ball(Ball::new(1.0).unwrap()),
        Shape::Hollow(Hollow::new(2.0).unwrap()),
        Shape::HalfSpace(HalfSpace::two_sided(DVec2::Y).unwrap()),
        Shape::Block(Block::new(DVec2::ONE).unwrap()),
        Shape::own(Shape2::Arc(Arc::new(DVec2::ZERO, 1.0, 0.0, 4.0).unwrap())),
    ];
    let start = Pose::at(DVec2::new(1.0, 0.0));
    let drives = [
        Drive::<Space2>::Rotation {
            pivot: DVec2::ZERO,
            angular_velocity: 1.0,
        },
        Drive::Oscillation {
            amplitude: DVec2::Y,
            frequency: 1.0,
            phase: 0.0,
        },
    ];
    for case in 0..3000 {
        let mut segment = || {
            let terms: Vec<DVec2> = (0..=1 + case % 9)
                .map(|_| DVec2::new(pick(&mut numbers), pick(&mut numbers)))
                .collect();
            TrajectorySegment::<Space2> {
                place: Curve::new(&terms),
                angular_velocity: Curve::constant(pick(&mut numbers)),
                end: pick(&mut numbers),
            }
        };
        let (a, b) = (segment(), segment());
        let (since, radius, shift) = (pick(&mut numbers), pick(&mut numbers), pick(&mut numbers));
        balls_on_segments(&a, 1.0, since, &b, 1.0, 0.0, DVec2::ZERO);
        balls_on_segments(&a, radius, 0.0, &b, 1.0, 0.0, DVec2::X * shift);
        crossing(&a, 0.0, 0, shift, case % 2 == 0);
        let shape = &shapes[case % shapes.len()];
        for course in [
            TargetMotion::Flight {
                flight: Flight::rest(DVec2::X),
                rotation: start.rotation,
            },
            TargetMotion::Kinematic {
                drive: &drives[case % 2],
                start: &start,
                now: 0.0,
            },
        ] {
            let target = Target {
                shape,
                course,
                surface_speed: 0.0,
            };
            first_contact_on_segment(&a, 1.0, &target, f64::INFINITY);
            first_clearance_on_segment(&b, radius, &target, 1.0);
        }
    }
}
