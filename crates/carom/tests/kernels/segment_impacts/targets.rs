//! A ball on a segment and a fixture.

use super::*;

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
