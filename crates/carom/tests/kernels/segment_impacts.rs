//! Balls on polynomial pieces: nothing is missed, nothing is invented, and everything ends.
//!
//! The oracle steps along the way by the gap over a bound on the speed, and at least by a millionth of the way. Between
//! two of its samples the gap is known to within the speed bound times half their distance; so it sees every overlap
//! deeper than a millionth of the way, and an answer of the library is checked at every sample.

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

struct PairCase<S: Space> {
    segments: [TrajectorySegment<S>; 2],
    since: [f64; 2],
    radii: [f64; 2],
    shift: S::Vector,
}

impl<S: Space> PairCase<S> {
    fn time(&self) -> f64 {
        let ([a, b], [sa, sb], [ra, rb]) = (&self.segments, self.since, self.radii);
        let time = balls_on_segments(a, ra, sa, b, rb, sb, self.shift);
        let swapped = balls_on_segments(b, rb, sb, a, ra, sa, -self.shift);
        assert_eq!(time, swapped, "in the other order");
        time
    }

    fn gap(&self, clock: f64) -> Seen {
        let [a, b] = [0, 1].map(|i| {
            let (segment, t) = (&self.segments[i], clock - self.since[i]);
            (
                segment.position_at(t),
                segment.velocity_at(t),
                size(&segment.place, t),
            )
        });
        let apart = a.0 - b.0 + self.shift;
        let reach = self.radii[0] + self.radii[1];
        let normal = apart.unit().unwrap_or(S::vector([1.0, 0.0, 0.0]));
        (
            apart.length() - reach,
            normal.dot(a.1 - b.1),
            a.2 + b.2 + reach + self.shift.length() + clock.abs() * (a.1.length() + b.1.length()),
        )
    }

    fn check(&self, what: &str) -> bool {
        let time = self.time();
        let ends = [0, 1].map(|i| self.since[i] + self.segments[i].end);
        let (from, to) = (self.since[0].max(self.since[1]), ends[0].min(ends[1]));
        if !(from < to) {
            assert_eq!(time, f64::INFINITY, "{what}");
            return false;
        }
        let fastest: f64 = [0, 1]
            .map(|i| speed_bound(&self.segments[i].place, to - self.since[i]))
            .iter()
            .sum();
        let found = time.is_finite().then_some(time);
        check(what, found, from, to, fastest, |t| self.gap(t));
        found.is_some()
    }
}

fn pairs<S: Space>(degrees: [usize; 2], number: usize, seed: u64) {
    let mut numbers = Numbers(seed);
    let mut met = 0;
    let near = if S::DIMENSION == 2 { 2.0 } else { 1.0 };
    for case in 0..number {
        let since = match case % 3 {
            0 => [0.0, 0.0],
            1 => [numbers.between(0.0, 1.0), 0.0],
            _ => [numbers.between(0.0, 1.0), numbers.between(0.0, 1.0)],
        };
        let shift = if case % 2 == 0 {
            S::Vector::ZERO
        } else {
            numbers.vector::<S>(1.0)
        };
        let pair = PairCase {
            segments: degrees.map(|degree| numbers.segment::<S>(degree, near)),
            since,
            radii: [numbers.between(0.05, 0.6), numbers.between(0.05, 0.6)],
            shift,
        };
        met += usize::from(pair.check(&format!("degrees {degrees:?}, case {case}")));
    }
    assert!(met > number / 20 && met < number, "{met} of {number} met");
}

#[test]
fn balls_of_all_degrees_in_the_plane() {
    for (seed, degrees) in [[1, 1], [2, 1], [2, 2], [5, 5], [9, 9], [9, 2], [0, 5]]
        .into_iter()
        .enumerate()
    {
        pairs::<Space2>(degrees, 2000, seed as u64);
    }
}

#[test]
fn balls_of_all_degrees_in_space() {
    for (seed, degrees) in [[1, 1], [2, 1], [2, 2], [5, 5], [9, 9], [2, 9]]
        .into_iter()
        .enumerate()
    {
        pairs::<Space3>(degrees, 2000, 100 + seed as u64);
    }
}

/// Two balls, one of which is deflected so that the least distance is the sum of the radii but for a share of 10⁻ᵏ.
#[test]
fn grazing_balls() {
    let mut numbers = Numbers(7);
    for degree in [2, 3, 5, 9] {
        for case in 0..1500 {
            let mut pair = PairCase::<Space2> {
                segments: [numbers.segment(degree, 2.0), numbers.segment(2, 2.0)],
                since: [0.0, numbers.between(-0.2, 0.2)],
                radii: [0.0, numbers.between(0.01, 0.2)],
                shift: DVec2::ZERO,
            };
            let ends = [0, 1].map(|i| pair.since[i] + pair.segments[i].end);
            let (from, to) = (pair.since[0].max(pair.since[1]), ends[0].min(ends[1]));
            // The least distance, by sampling and a parabola through three samples.
            let distance = |t: f64| pair.gap(t).0 + pair.radii[0] + pair.radii[1];
            let number = 2000;
            let at = |k: i32| from + (to - from) * f64::from(k) / f64::from(number);
            let k = (1..number)
                .min_by(|&a, &b| distance(at(a)).total_cmp(&distance(at(b))))
                .unwrap();
            let (mut low, mut high) = (at(k - 1), at(k + 1));
            for _ in 0..100 {
                let (one, other) = (low + (high - low) * 0.4, low + (high - low) * 0.6);
                if distance(one) < distance(other) {
                    high = other;
                } else {
                    low = one;
                }
            }
            let least = distance(0.5 * (low + high));
            let last = distance(at(number));
            let share = 10f64.powi(-numbers.between(1.0, 17.0) as i32);
            let sign = if numbers.below(2) == 0 { 1.0 } else { -1.0 };
            pair.radii[0] = least * (1.0 + sign * share) - pair.radii[1];
            if pair.radii[0] > 0.0 && pair.gap(from).0 > 1e-3 && last > least * 1.01 {
                let met = pair.check(&format!(
                    "grazing at degree {degree}, case {case}, {sign} × {share}"
                ));
                // The golden section knows the least distance to 1e-15 or so.
                if share > 1e-13 {
                    assert_eq!(met, sign > 0.0, "degree {degree}, case {case}, {share}");
                }
            }
        }
    }
}

/// Two balls of the plane, the first on a curve about the second, which stands at the origin; R = 1.
fn about_a_ball(terms: &[DVec2], end: f64) -> PairCase<Space2> {
    let still = TrajectorySegment {
        place: Curve::constant(DVec2::ZERO),
        angular_velocity: Curve::constant(0.0),
        end: f64::INFINITY,
    };
    let moving = TrajectorySegment {
        place: Curve::new(terms),
        end,
        ..still
    };
    PairCase {
        segments: [moving, still],
        since: [0.0, 0.0],
        radii: [0.5, 0.5],
        shift: DVec2::ZERO,
    }
}

#[test]
fn touching_to_begin_with() {
    let at = DVec2::new(1.0, 0.0);
    let zero = DVec2::ZERO;
    let time = |velocity: DVec2, half: DVec2, third: DVec2| {
        about_a_ball(&[at, velocity, half, third], 10.0).time()
    };
    for third in [zero, DVec2::new(0.0, 1e-300)] {
        // Closing, opening for good, opening and coming back after 2v/a.
        assert_eq!(time(-DVec2::X, zero, third), 0.0);
        assert_eq!(time(DVec2::X, zero, third), f64::INFINITY);
        assert_eq!(time(DVec2::X, DVec2::X, third), f64::INFINITY);
        let back = time(DVec2::X, -DVec2::X, third);
        assert!((back - 1.0).abs() < 1e-14, "{back}");
        // At rest and pressed: what rounding makes of the gap, 1e-15, is fallen through in 1e-7 s.
        let pressed = time(zero, -DVec2::X, third);
        assert!(pressed < 1e-6, "{pressed}");
        assert_eq!(time(zero, DVec2::X, third), f64::INFINITY);
        // Along the surface: it parts.
        assert_eq!(time(DVec2::Y, zero, third), f64::INFINITY);
        // Along the surface and pulled in harder than the round asks for: a > v²/R.
        let pulled = time(DVec2::Y, -DVec2::X, third);
        assert!(pulled < 1e-6, "{pulled}");
        // Not hard enough.
        assert_eq!(time(DVec2::Y, -0.2 * DVec2::X, third), f64::INFINITY);
    }
    // Slower than rounding explains is not closing: the floor is 32u times the speeds.
    let slow = DVec2::new(-1e-15, 1.0);
    assert_eq!(time(slow, zero, zero), f64::INFINITY);
}

/// |x|² − 1 ≈ t⁴ at the vertex: the parabola has the curvature of the circle there, and half-planes see it in ever shorter steps.
#[test]
fn a_parabola_that_hugs_the_ball() {
    for delta in [0.0, 1e-13, 1e-9, 1e-6, 1e-3] {
        for side in [1.0, -1.0] {
            for third in [0.0, 1e-300] {
                // x = 1 + δ − ½ s², y = s with s = t − 1.
                let terms = [
                    DVec2::new(0.5 + side * delta, -1.0),
                    DVec2::new(1.0, 1.0),
                    DVec2::new(-0.5, 0.0),
                    DVec2::new(third, 0.0),
                ];
                let pair = about_a_ball(&terms, 2.0);
                let met = pair.check(&format!("hugging by {}", side * delta));
                if delta > 0.0 {
                    assert_eq!(met, side < 0.0, "{delta} {side} {third}");
                }
            }
        }
    }
}

/// A target that stands still or moves, and the truth about its gap to a ball on a piece.
struct TargetCase<'a, S: Compiled> {
    segment: TrajectorySegment<S>,
    radius: f64,
    target: Target<'a, S>,
}

impl<S: Compiled> TargetCase<'_, S> {
    /// The pose of the target, its velocity and its spin.
    fn state(&self, t: f64) -> (Pose<S>, S::Vector, S::Angular) {
        match self.target.course {
            TargetMotion::Flight { flight, rotation } => (
                Pose {
                    position: flight.position_at(t),
                    rotation,
                },
                flight.velocity_at(t),
                S::Angular::ZERO,
            ),
            TargetMotion::Kinematic { drive, start, now } => {
                let state = drive.state_at(start, now + t);
                (state.pose, state.velocity, state.angular_velocity)
            }
        }
    }

    fn gap(&self, t: f64) -> Seen {
        let (pose, velocity, angular_velocity) = self.state(t);
        let place = self.segment.position_at(t);
        let closest = self.target.shape.closest(pose.to_local(place));
        let carried = velocity + S::surface_velocity(angular_velocity, place - pose.position);
        let rate =
            S::rotate(pose.rotation, closest.normal).dot(self.segment.velocity_at(t) - carried);
        let reach = self.target.shape.reach();
        // The last is the rounding of the angle of a driven target, times the distance that it is carried around at.
        let whole = size(&self.segment.place, t)
            + 2.0 * pose.position.length()
            + self.radius
            + if reach.is_finite() {
                reach
            } else {
                place.length()
            }
            + 20.0;
        (closest.distance - self.radius, rate, whole)
    }

    fn fastest(&self, to: f64) -> f64 {
        let own = speed_bound(&self.segment.place, to);
        let far = size(&self.segment.place, to) + 10.0;
        let theirs = match self.target.course {
            TargetMotion::Flight { flight, .. } => {
                flight.velocity.length() + flight.acceleration.length() * to
            }
            TargetMotion::Kinematic { drive, .. } => match drive {
                Drive::Uniform { velocity } => velocity.length(),
                Drive::Rotation {
                    angular_velocity, ..
                } => angular_velocity.length() * far,
                Drive::Oscillation {
                    amplitude,
                    frequency,
                    ..
                } => amplitude.length() * frequency * std::f64::consts::TAU,
                Drive::Path { .. } => 20.0,
                _ => unreachable!("no other motion is made here"),
            },
        };
        own + theirs
    }

    /// Whether they meet.
    fn check(&self, what: &str) -> bool {
        let impact = first_contact_on_segment(&self.segment, self.radius, &self.target, 10.0);
        let to = match impact {
            Impact::ClearUntil(time) => time,
            _ => self.segment.end,
        };
        check(what, impact.time(), 0.0, to, self.fastest(to), |t| {
            self.gap(t)
        });
        impact.time().is_some()
    }

    /// The same for coming clear: the gap's negative must not close before.
    fn check_clearance(&self, what: &str) -> bool {
        let impact = first_clearance_on_segment(&self.segment, self.radius, &self.target, 10.0);
        let to = match impact {
            Impact::ClearUntil(time) => time,
            _ => self.segment.end,
        };
        let (start, _, size) = self.gap(0.0);
        if start > 64.0 * UNIT_ROUNDOFF * size {
            assert_eq!(impact, Impact::Now, "{what}");
            return false;
        }
        if impact == Impact::Now {
            // Touching, to rounding, and on its way out.
            assert!(start >= -64.0 * UNIT_ROUNDOFF * size, "{what}");
            return true;
        }
        check(what, impact.time(), 0.0, to, self.fastest(to), |t| {
            let (value, rate, size) = self.gap(t);
            (-value, -rate, size)
        });
        impact.time().is_some()
    }
}

fn common_shape<S: Compiled>(numbers: &mut Numbers) -> Shape<S> {
    match numbers.below(4) {
        0 => Shape::Ball(Ball::new(numbers.between(0.1, 1.0)).unwrap()),
        1 => {
            let wall = HalfSpace::solid(numbers.vector::<S>(1.0)).unwrap();
            let two_sided = numbers.below(2) == 0;
            Shape::HalfSpace(HalfSpace { two_sided, ..wall })
        }
        2 => Shape::Hollow(Hollow::new(numbers.between(2.0, 6.0)).unwrap()),
        _ => {
            let half = [0, 1, 2].map(|_| numbers.between(0.1, 1.0));
            Shape::Block(Block::new(S::vector(half)).unwrap())
        }
    }
}

fn plane_shape(numbers: &mut Numbers) -> Shape<Space2> {
    match numbers.below(4) {
        0 => Shape::own(Shape2::Segment(
            Segment::new(numbers.vector::<Space2>(1.5), numbers.vector::<Space2>(1.5)).unwrap(),
        )),
        1 => Shape::own(Shape2::Arc(
            Arc::new(
                numbers.vector::<Space2>(1.0),
                numbers.between(0.3, 2.0),
                numbers.between(-3.0, 3.0),
                numbers.between(0.2, 6.2),
            )
            .unwrap(),
        )),
        _ => common_shape(numbers),
    }
}

fn solid_shape(numbers: &mut Numbers) -> Shape<Space3> {
    match numbers.below(4) {
        0 => Shape::own(Shape3::Triangle(
            Triangle::new([0, 1, 2].map(|_| numbers.vector::<Space3>(1.5))).unwrap(),
        )),
        1 => Shape::own(Shape3::Cylinder(
            Cylinder::new(
                numbers.vector::<Space3>(1.0),
                numbers.between(0.2, 1.0),
                numbers.between(0.2, 1.0),
            )
            .unwrap(),
        )),
        _ => common_shape(numbers),
    }
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

fn targets<S: Compiled>(
    number: usize,
    seed: u64,
    kinematic: bool,
    shape: impl Fn(&mut Numbers) -> Shape<S>,
    angular_velocity: impl Fn(&mut Numbers) -> S::Angular,
) {
    let mut numbers = Numbers(seed);
    let (mut met, mut cleared) = (0, 0);
    for case in 0..number {
        let degree = [2, 3, 5, 9][case % 4];
        let shape = shape(&mut numbers);
        let angular_velocity = angular_velocity(&mut numbers);
        let rotation = S::rotation_of(angular_velocity, 1.0);
        let start = Pose {
            position: numbers.vector::<S>(1.0),
            rotation,
        };
        let drive = drive::<S>(&mut numbers, angular_velocity);
        let course = if kinematic {
            TargetMotion::Kinematic {
                drive: &drive,
                start: &start,
                now: numbers.between(0.0, 1.0),
            }
        } else {
            let flight = match numbers.below(3) {
                0 => Flight {
                    position: start.position,
                    velocity: numbers.vector::<S>(1.0),
                    acceleration: numbers.vector::<S>(1.0),
                },
                _ => Flight::rest(start.position),
            };
            TargetMotion::Flight { flight, rotation }
        };
        let case = TargetCase {
            segment: numbers.segment::<S>(degree, 3.0),
            radius: numbers.between(0.05, 0.5),
            target: Target {
                shape: &shape,
                course,
                surface_speed: 0.0,
            },
        };
        let what = format!(
            "case {met} of degree {degree}: {shape:?}, {course:?}, {:?}",
            case.segment
        );
        met += usize::from(case.check(&what));
        cleared += usize::from(case.check_clearance(&what));
    }
    assert!(met > number / 20 && met < number, "{met} of {number} met");
    assert!(cleared > number / 100, "{cleared} of {number} came clear");
}

#[test]
fn shapes_of_the_plane_that_do_not_turn() {
    targets::<Space2>(4000, 11, false, plane_shape, |n| n.between(-3.0, 3.0));
}

#[test]
fn shapes_of_space_that_do_not_turn() {
    targets::<Space3>(4000, 12, false, solid_shape, |n| n.vector::<Space3>(3.0));
}

#[test]
fn driven_shapes_of_the_plane() {
    targets::<Space2>(2000, 13, true, plane_shape, |n| n.between(-3.0, 3.0));
}

#[test]
fn driven_shapes_of_space() {
    targets::<Space3>(2000, 14, true, solid_shape, |n| n.vector::<Space3>(3.0));
}

/// A parabola as a curve of degree 3 whose highest term is too small to show: the certified search must find what roots
/// do.
#[test]
fn a_search_agrees_with_roots() {
    fn compare<S: Compiled>(number: usize, seed: u64, shape: impl Fn(&mut Numbers) -> Shape<S>) {
        let mut numbers = Numbers(seed);
        let mut met = 0;
        for case in 0..number {
            let shape = shape(&mut numbers);
            let radius = numbers.between(0.05, 0.5);
            let flight = Flight::<S> {
                position: numbers.vector::<S>(4.0),
                velocity: numbers.vector::<S>(4.0),
                acceleration: numbers.vector::<S>(2.0),
            };
            let half = flight.acceleration * 0.5;
            let hint = S::vector([1e-300, 0.0, 0.0]);
            let segment = TrajectorySegment {
                place: Curve::new(&[flight.position, flight.velocity, half, hint]),
                angular_velocity: Curve::constant(S::Angular::ZERO),
                end: 5.0,
            };
            assert_eq!(segment.place.degree(), 3);
            let ball = MovingBall {
                flight,
                radius,
                surface_speed: 0.0,
            };
            let target = Target {
                shape: &shape,
                course: TargetMotion::Flight {
                    flight: Flight::rest(S::Vector::ZERO),
                    rotation: S::no_rotation(),
                },
                surface_speed: 0.0,
            };
            let by_roots = first_contact(&ball, &target, 5.0).time();
            let by_search = first_contact_on_segment(&segment, radius, &target, 5.0).time();
            let truth = TargetCase {
                segment,
                radius,
                target,
            };
            met += usize::from(by_roots.is_some());
            match (by_roots, by_search) {
                (None, None) => {}
                (Some(one), Some(other)) => {
                    // Both have a gap of a few roundings; what that is in time depends on the rate, and where it grazes
                    // on its own change.
                    let (_, rate, size) = truth.gap(one);
                    let blur = 64.0 * UNIT_ROUNDOFF * size;
                    let tolerance = (blur / rate.abs()).min((blur / rate.abs()).sqrt() + 1e-7);
                    assert!(
                        (one - other).abs() <= tolerance,
                        "case {case}: {one} and {other}"
                    );
                }
                (Some(time), None) | (None, Some(time)) => {
                    // Only a grazing can be seen by one alone: over before the gap has changed by more than its
                    // rounding.
                    let (_, rate, _) = truth.gap(time);
                    assert!(
                        rate.abs() < 1e-6,
                        "case {case}: at {time} only once, at {rate}"
                    );
                }
            }
        }
        assert!(met > number / 10);
    }
    compare::<Space2>(3000, 21, plane_shape);
    compare::<Space3>(3000, 22, solid_shape);
}

#[test]
fn through_the_centre_of_a_room() {
    // Along a diameter: 2 − 0.5 from the centre, reached with x = t + t³.
    let terms = [DVec2::ZERO, DVec2::X, DVec2::ZERO, DVec2::X];
    let segment = TrajectorySegment::<Space2> {
        place: Curve::new(&terms),
        angular_velocity: Curve::constant(0.0),
        end: 3.0,
    };
    let room = Shape::<Space2>::Hollow(Hollow::new(2.5).unwrap());
    let start = Pose::at(DVec2::ZERO);
    let still = TargetMotion::Flight {
        flight: Flight::rest(DVec2::ZERO),
        rotation: start.rotation,
    };
    let drive = Drive::Oscillation {
        amplitude: DVec2::new(0.0, 0.1),
        frequency: 1.0,
        phase: 0.0,
    };
    let shaken = TargetMotion::Kinematic {
        drive: &drive,
        start: &start,
        now: 0.0,
    };
    for course in [still, shaken] {
        let case = TargetCase {
            segment,
            radius: 0.5,
            target: Target {
                shape: &room,
                course,
                surface_speed: 0.0,
            },
        };
        assert!(case.check("a room from its centre"));
    }
    // x + x³ = 2 at x = 1, closing at 4 m/s.
    let target = Target {
        shape: &room,
        course: still,
        surface_speed: 0.0,
    };
    let time = first_contact_on_segment(&segment, 0.5, &target, 10.0)
        .time()
        .unwrap();
    assert!((time - 1.0).abs() <= 8.0 * UNIT_ROUNDOFF, "{time}");
    assert_eq!(
        first_contact_on_segment(&segment, 0.5, &target, 1.0 - 1e-9),
        Impact::Never
    );
    assert_eq!(
        first_contact_on_segment(&segment, 3.0, &target, 10.0),
        Impact::Never
    );
}

/// A ball that rolls on a floor, its height the radius to the bit, on a curve of degree 9: nothing to be found, in next
/// to no time.
#[test]
fn along_a_wall_at_no_distance() {
    let mut numbers = Numbers(31);
    let mut terms: Vec<DVec3> = (0..10)
        .map(|_| DVec3::new(numbers.between(-1.0, 1.0), numbers.between(-1.0, 1.0), 0.0))
        .collect();
    terms[0].z = 0.5;
    let floor = Shape::<Space3>::HalfSpace(HalfSpace::solid(DVec3::Z).unwrap());
    let table = Shape::<Space3>::Block(Block::new(DVec3::new(50.0, 50.0, 1.0)).unwrap());
    for (shape, height) in [(floor, 0.0), (table, -1.0)] {
        let target = Target {
            shape: &shape,
            course: TargetMotion::Flight {
                flight: Flight::rest(DVec3::new(0.0, 0.0, height)),
                rotation: glam::DQuat::IDENTITY,
            },
            surface_speed: 0.0,
        };
        let mut segment = TrajectorySegment::<Space3> {
            place: Curve::new(&terms),
            angular_velocity: Curve::constant(DVec3::ZERO),
            end: 1.0,
        };
        assert_eq!(
            first_contact_on_segment(&segment, 0.5, &target, 10.0),
            Impact::Never
        );
        // Thrown up at 1 m/s and back after 2/9.81 s.
        terms[1].z = 1.0;
        terms[2].z = -0.5 * 9.81;
        segment.place = Curve::new(&terms);
        let time = first_contact_on_segment(&segment, 0.5, &target, 10.0)
            .time()
            .unwrap();
        assert!(
            (time - 2.0 / 9.81).abs() <= 64.0 * UNIT_ROUNDOFF * 60.0,
            "{time}"
        );
        terms[1].z = 0.0;
        terms[2].z = 0.0;
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
