//! What must hold for every pair, in both spaces: the answer does not depend on the frame, the mirror, the units or the
//! moment at which it is asked for, and nothing touches before it.

use carom::kernels::impact::{MovingBall, Target, TargetMotion, first_contact};
use carom::motion::{Flight, Pose};
use carom::shape::{
    Arc, Ball, Block, Cylinder, HalfSpace, Hollow, Obstacle, Segment, Shape, Shape2, Shape3,
    Triangle, Tube,
};
use carom::simulate::Compiled;
use carom::space::{Linear, Space, Space2, Space3, UNIT_ROUNDOFF};
use glam::{DVec2, DVec3};
use proptest::prelude::*;

/// One case: a ball on a parabola and a target on a straight flight, turned.
#[derive(Clone, Debug)]
struct Case<S: Compiled> {
    ball: MovingBall<S>,
    shape: Shape<S>,
    target: Flight<S>,
    rotation: S::Rotation,
}

impl<S: Compiled> Case<S> {
    fn time(&self) -> Option<f64> {
        let course = TargetMotion::Flight {
            flight: self.target,
            rotation: self.rotation,
        };
        first_contact(
            &self.ball,
            &Target {
                shape: &self.shape,
                course,
                surface_speed: 0.0,
            },
            100.0,
        )
        .time()
    }

    fn pose_at(&self, t: f64) -> Pose<S> {
        Pose {
            position: self.target.position_at(t),
            rotation: self.rotation,
        }
    }

    /// Distance of the surfaces and its rate.
    fn gap(&self, t: f64) -> (f64, f64) {
        let pose = self.pose_at(t);
        let closest = self
            .shape
            .closest(pose.to_local(self.ball.flight.position_at(t)));
        let relative = self.ball.flight.velocity_at(t) - self.target.velocity_at(t);
        (
            closest.distance - self.ball.radius,
            S::rotate(self.rotation, closest.normal).dot(relative),
        )
    }

    /// How far two answers for the same contact may lie apart: what a few roundings of the places, at most `size`, do
    /// at the closing speed. `None` where the contact grazes.
    fn tolerance(&self, t: f64, size: f64) -> Option<f64> {
        let speed = -self.gap(t).1;
        let relative = self.ball.flight.velocity_at(t) - self.target.velocity_at(t);
        (speed > 1e-3 * relative.length()).then(|| 64.0 * UNIT_ROUNDOFF * (t + size / speed))
    }
}

/// The same contact, or one that grazes; `other` is the time of the transformed case, in this case's units.
fn assert_same<S: Compiled>(
    case: &Case<S>,
    other: Option<f64>,
    size: f64,
) -> Result<(), TestCaseError> {
    let time = case.time();
    match (time, other) {
        (Some(time), Some(other)) => {
            if let Some(tolerance) = case.tolerance(time, size) {
                prop_assert!((time - other).abs() <= tolerance, "{} and {}", time, other);
            }
        }
        (None, None) => {}
        (Some(time), None) | (None, Some(time)) => {
            prop_assert!(
                case.tolerance(time, size).is_none(),
                "found once only: {}",
                time
            );
        }
    }
    Ok(())
}

fn number(size: f64) -> impl Strategy<Value = f64> {
    -size..size
}

fn vector<S: Space>(size: f64) -> impl Strategy<Value = S::Vector> {
    [number(size), number(size), number(size)].prop_map(S::vector)
}

fn flight<S: Compiled>(place: f64) -> impl Strategy<Value = Flight<S>> {
    (
        vector::<S>(place),
        vector::<S>(4.0),
        prop_oneof![Just(S::Vector::ZERO), vector::<S>(3.0)],
    )
        .prop_map(|(position, velocity, acceleration)| Flight {
            position,
            velocity,
            acceleration,
        })
}

fn common_shapes<S: Compiled>() -> impl Strategy<Value = Shape<S>> {
    prop_oneof![
        (0.1..1.0).prop_map(|radius| Shape::Ball(Ball::new(radius).unwrap())),
        (vector::<S>(1.0), any::<bool>()).prop_filter_map("no direction", |(normal, two_sided)| {
            let wall = HalfSpace::solid(normal).ok()?;
            Some(Shape::HalfSpace(HalfSpace { two_sided, ..wall }))
        }),
        (8.0..12.0).prop_map(|radius| Shape::Hollow(Hollow::new(radius).unwrap())),
        [0.2..1.5, 0.2..1.5, 0.2..1.5]
            .prop_map(|half: [f64; 3]| Shape::Block(Block::new(S::vector(half)).unwrap())),
    ]
}

fn plane_shapes() -> impl Strategy<Value = Shape<Space2>> {
    let point = || [number(2.0), number(2.0)].prop_map(DVec2::from);
    let own = prop_oneof![
        (point(), point()).prop_filter_map("no segment", |(a, b)| Segment::new(a, b)
            .ok()
            .map(Shape2::Segment)),
        (point(), 0.5..2.0, number(3.0), 0.2..6.2).prop_filter_map(
            "no arc",
            |(centre, radius, start, sweep)| {
                Arc::new(centre, radius, start, sweep).ok().map(Shape2::Arc)
            }
        ),
    ];
    prop_oneof![common_shapes::<Space2>(), own.prop_map(Shape::own)]
}

fn solid_shapes() -> impl Strategy<Value = Shape<Space3>> {
    let point = || vector::<Space3>(2.0);
    let own = prop_oneof![
        [point(), point(), point()].prop_filter_map("no triangle", |corners| Triangle::new(
            corners
        )
        .ok()
        .map(Shape3::Triangle)),
        (point(), 0.2..1.5, 0.2..1.5).prop_filter_map("no axis", |(axis, half_length, radius)| {
            Cylinder::new(axis, half_length, radius)
                .ok()
                .map(Shape3::Cylinder)
        }),
        (point(), 8.0..12.0).prop_filter_map("no axis", |(axis, radius)| Tube::new(axis, radius)
            .ok()
            .map(Shape3::Tube)),
    ];
    prop_oneof![common_shapes::<Space3>(), own.prop_map(Shape::own)]
}

fn case<S: Compiled>(
    shapes: impl Strategy<Value = Shape<S>>,
    angular_velocity: impl Strategy<Value = S::Angular>,
) -> impl Strategy<Value = Case<S>> {
    (
        flight::<S>(5.0),
        0.05..0.8,
        shapes,
        flight::<S>(2.0),
        angular_velocity,
    )
        .prop_map(|(ball, radius, shape, target, angular_velocity)| {
            let ball = MovingBall {
                flight: ball,
                radius,
                surface_speed: 0.0,
            };
            Case {
                ball,
                shape,
                target,
                rotation: S::rotation_of(angular_velocity, 1.0),
            }
        })
        .prop_filter("starts apart", |case| case.gap(0.0).0 > 1e-6)
}

fn plane_case() -> impl Strategy<Value = Case<Space2>> {
    case(plane_shapes(), number(3.0))
}

fn solid_case() -> impl Strategy<Value = Case<Space3>> {
    case(solid_shapes(), vector::<Space3>(3.0))
}

/// The size of the numbers that a place at time t is made of.
fn size<S: Compiled>(case: &Case<S>, t: f64) -> f64 {
    let part = |flight: &Flight<S>| {
        flight.position.length()
            + flight.velocity.length() * t
            + flight.acceleration.length() * t * t
    };
    10.0 + part(&case.ball.flight) + part(&case.target)
}

fn nothing_touches_before<S: Compiled>(case: &Case<S>) -> Result<(), TestCaseError> {
    let time = case.time();
    let end = time.unwrap_or(10.0);
    let blur = 32.0 * UNIT_ROUNDOFF * size(case, end);
    for step in 0..2000 {
        let t = end * f64::from(step) / 2000.0;
        let (gap, _) = case.gap(t);
        prop_assert!(gap > -blur, "overlap of {} at {} before {}", -gap, t, end);
    }
    if let Some(time) = time {
        let (gap, rate) = case.gap(time);
        prop_assert!(gap.abs() <= blur, "gap of {} at the contact", gap);
        prop_assert!(rate < 0.0, "opening at {}", rate);
    }
    Ok(())
}

fn frame_does_not_matter<S: Compiled>(
    case: &Case<S>,
    shift: S::Vector,
    boost: S::Vector,
    pull: S::Vector,
) -> Result<(), TestCaseError> {
    let mut moved = case.clone();
    for flight in [&mut moved.ball.flight, &mut moved.target] {
        flight.position += shift;
        flight.velocity += boost;
        flight.acceleration += pull;
    }
    let t = case.time().or(moved.time()).unwrap_or(0.0);
    // Both flights carry the common motion, and lose digits to it.
    let lost = shift.length() + boost.length() * t + pull.length() * t * t;
    assert_same(case, moved.time(), size(case, t) + 4.0 * lost)
}

fn rotation_does_not_matter<S: Compiled>(
    case: &Case<S>,
    angular_velocity: S::Angular,
) -> Result<(), TestCaseError> {
    let turn = S::rotation_of(angular_velocity, 1.0);
    let mut turned = case.clone();
    for flight in [&mut turned.ball.flight, &mut turned.target] {
        flight.position = S::rotate(turn, flight.position);
        flight.velocity = S::rotate(turn, flight.velocity);
        flight.acceleration = S::rotate(turn, flight.acceleration);
    }
    turned.rotation = S::compose(turn, case.rotation);
    let t = case.time().or(turned.time()).unwrap_or(0.0);
    assert_same(case, turned.time(), 4.0 * size(case, t))
}

fn moment_does_not_matter<S: Compiled>(case: &Case<S>, fraction: f64) -> Result<(), TestCaseError> {
    let Some(time) = case.time() else {
        return Ok(());
    };
    let later = fraction * time;
    let mut advanced = case.clone();
    advanced.ball.flight = case.ball.flight.advanced(later);
    advanced.target = case.target.advanced(later);
    assert_same(
        case,
        advanced.time().map(|rest| later + rest),
        2.0 * size(case, time),
    )
}

/// In the plane every shape but the arc's stored directions scales by hand; balls and boxes stand for all.
fn units_do_not_matter<S: Compiled>(
    case: &Case<S>,
    metre: f64,
    second: f64,
) -> Result<(), TestCaseError> {
    let shape = match &case.shape {
        Shape::Ball(ball) => Shape::Ball(Ball {
            radius: ball.radius * metre,
        }),
        Shape::Hollow(room) => Shape::Hollow(Hollow {
            radius: room.radius * metre,
        }),
        Shape::Block(block) => Shape::Block(Block {
            half: block.half * metre,
        }),
        Shape::HalfSpace(wall) => Shape::HalfSpace(*wall),
        _ => return Ok(()),
    };
    let scaled = |flight: &Flight<S>| Flight {
        position: flight.position * metre,
        velocity: flight.velocity * (metre / second),
        acceleration: flight.acceleration * (metre / second / second),
    };
    let ball = MovingBall {
        flight: scaled(&case.ball.flight),
        radius: case.ball.radius * metre,
        surface_speed: 0.0,
    };
    let course = TargetMotion::Flight {
        flight: scaled(&case.target),
        rotation: case.rotation,
    };
    let target = Target {
        shape: &shape,
        course,
        surface_speed: 0.0,
    };
    let time = first_contact(&ball, &target, 100.0 * second).time();
    let t = case.time().unwrap_or(0.0);
    assert_same(case, time.map(|time| time / second), 4.0 * size(case, t))
}

/// Mirrored at the plane x = 0. Boxes, balls and walls have mirror images that are easily written down.
fn mirror_does_not_matter<S: Compiled>(case: &Case<S>) -> Result<(), TestCaseError> {
    let mirror = |v: S::Vector| {
        let [x, y, z] = S::components(v);
        S::vector([-x, y, z])
    };
    let shape = match &case.shape {
        Shape::HalfSpace(wall) => Shape::HalfSpace(HalfSpace {
            normal: mirror(wall.normal),
            ..*wall
        }),
        Shape::Own(_) => return Ok(()),
        symmetric => symmetric.clone(),
    };
    let flip = |flight: &Flight<S>| Flight {
        position: mirror(flight.position),
        velocity: mirror(flight.velocity),
        acceleration: mirror(flight.acceleration),
    };
    let plain = Case {
        rotation: S::no_rotation(),
        ..case.clone()
    };
    if plain.gap(0.0).0 <= 1e-6 {
        return Ok(());
    }
    let ball = MovingBall {
        flight: flip(&case.ball.flight),
        ..case.ball
    };
    let mirrored = Case {
        ball,
        shape,
        target: flip(&case.target),
        rotation: S::no_rotation(),
    };
    // Only signs change, and rounding is symmetric: to the bit.
    prop_assert_eq!(plain.time(), mirrored.time());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3000,
        rng_seed: proptest::test_runner::RngSeed::Fixed(20261115),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn nothing_touches_before_the_first_contact(flat in plane_case(), solid in solid_case()) {
        nothing_touches_before(&flat)?;
        nothing_touches_before(&solid)?;
    }

    #[test]
    fn galilean_frames_agree(
        flat in plane_case(), solid in solid_case(),
        shift in vector::<Space3>(20.0), boost in vector::<Space3>(20.0), pull in vector::<Space3>(5.0),
    ) {
        let flatten = |v: DVec3| v.truncate();
        frame_does_not_matter(&flat, flatten(shift), flatten(boost), flatten(pull))?;
        frame_does_not_matter(&solid, shift, boost, pull)?;
    }

    #[test]
    fn turned_scenes_agree(flat in plane_case(), solid in solid_case(), angular_velocity in vector::<Space3>(3.0)) {
        rotation_does_not_matter(&flat, angular_velocity.z)?;
        rotation_does_not_matter(&solid, angular_velocity)?;
    }

    #[test]
    fn asking_later_gives_the_same_instant(flat in plane_case(), solid in solid_case(), fraction in 0.0..0.99) {
        moment_does_not_matter(&flat, fraction)?;
        moment_does_not_matter(&solid, fraction)?;
    }

    #[test]
    fn units_are_free(
        flat in plane_case(), solid in solid_case(),
        metre in prop_oneof![Just(1e-9), Just(1e9), Just(0.3048)], second in prop_oneof![Just(1e-9), Just(1e9), Just(60.0)],
    ) {
        units_do_not_matter(&flat, metre, second)?;
        units_do_not_matter(&solid, metre, second)?;
    }

    #[test]
    fn mirror_images_agree_to_the_bit(flat in plane_case(), solid in solid_case()) {
        mirror_does_not_matter(&flat)?;
        mirror_does_not_matter(&solid)?;
    }
}
