//! Orders of convergence, and the local error of every piece over its whole length.

use super::{TOLERANCES, fly};
use carom::motion::{
    BallFields, Departure, Drag, Field, Fields, Flight, Integrator, Lift, Rates, Tolerance, Wind,
    explicit_euler, fixed_segment, next_segment, segment,
};
use carom::space::{Linear, Space, Space2, Space3};
use glam::{DVec2, DVec3};

fn sun() -> Fields<Space2> {
    Fields::default().with(Field::Central {
        centre: DVec2::ZERO,
        strength: 1.0,
        softening: 0.0,
    })
}

/// The far point of an orbit with a = 1 m, GM = 1 m³/s².
fn far_point(eccentricity: f64) -> Departure<Space2> {
    Departure {
        position: DVec2::new(1.0 + eccentricity, 0.0),
        velocity: DVec2::new(0.0, ((1.0 - eccentricity) / (1.0 + eccentricity)).sqrt()),
        ..Departure::default()
    }
}

/// log₂ of the ratio of two errors.
fn order(coarse: f64, fine: f64) -> f64 {
    libm::log2(coarse / fine)
}

/// A ball that a spring, or lift, keeps on a circle of radius 1 m at 1 rad/s: all derivatives have the same length at
/// all times, so that orders show without disturbance.
fn circles() -> [(Fields<Space2>, Departure<Space2>); 2] {
    let start = Departure {
        position: DVec2::X,
        velocity: DVec2::Y,
        angular_velocity: 1.0,
        ..Departure::default()
    };
    let spring = Field::Spring {
        centre: DVec2::ZERO,
        stiffness: 1.0,
    };
    let lift = Field::Lift(Lift::Given { coefficient: 1.0 });
    [
        (Fields::default().with(spring), start),
        (Fields::default().with(lift), start),
    ]
}

/// One step on the circle: at its end the error goes like h¹⁶, which is order 15.
#[test]
fn the_order_at_the_ends_is_fifteen() {
    let [(fields, start), _] = circles();
    let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
    let off = |step: f64| {
        let end = start.after(&fixed_segment(&ball, &start, step).expect("a step"), step);
        let (sin, cos) = libm::sincos(step);
        (end.velocity - DVec2::new(-sin, cos)).length()
    };
    // From 3e-9 down to 5e-14, which rounding changes by a hundredth. At h = 3.5 the next term still shows.
    let order = order(off(3.5), off(1.75));
    assert!((order - 16.0).abs() < 0.3, "local order {order}");
}

/// Within one step the velocity's error goes like h⁹ and the place's like h¹⁰.
#[test]
fn the_orders_on_the_way_are_nine_and_ten() {
    for (fields, start) in circles() {
        let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
        let (place, velocity) = worst_on_the_way(&ball, &start, 1.6);
        let (finer_place, finer_velocity) = worst_on_the_way(&ball, &start, 0.8);
        // Far above rounding. The next term of the series is less by h/9 or so, which is a tenth of an order.
        assert!(finer_place > 1e-13, "{finer_place:e}");
        let (of_place, of_velocity) = (order(place, finer_place), order(velocity, finer_velocity));
        assert!((of_place - 10.0).abs() < 0.2, "place: {of_place}");
        assert!((of_velocity - 9.0).abs() < 0.2, "velocity: {of_velocity}");
    }
}

/// The largest errors on one step, against 32 steps of a 32nd: by 15 orders of 2⁵ those are exact.
fn worst_on_the_way<S: Space>(
    rates: &impl Rates<S>,
    start: &Departure<S>,
    step: f64,
) -> (f64, f64) {
    let whole = fixed_segment(rates, start, step).expect("a step");
    against_short_steps(rates, start, &whole)
}

fn against_short_steps<S: Space>(
    rates: &impl Rates<S>,
    start: &Departure<S>,
    whole: &carom::motion::TrajectorySegment<S>,
) -> (f64, f64) {
    let mut worst = (0.0_f64, 0.0_f64);
    let mut state = *start;
    let short = whole.end / 32.0;
    for k in 0..32 {
        let part = fixed_segment(rates, &state, short).expect("a step");
        for within in [0.3, 0.7, 1.0] {
            let here = state.after(&part, within * short);
            let t = (f64::from(k) + within) * short;
            worst.0 = worst.0.max((whole.position_at(t) - here.position).length());
            worst.1 = worst.1.max((whole.velocity_at(t) - here.velocity).length());
        }
        state = state.after(&part, short);
    }
    worst
}

/// What [`Tolerance`] promises, for every piece of a flight, or a multiple of it.
fn keeps_its_promise<S: Space>(
    name: &str,
    times: f64,
    ball: &BallFields<'_, S>,
    start: Departure<S>,
    until: f64,
) {
    for size in TOLERANCES {
        for tolerance in [Tolerance::of(size), Tolerance::of(size).with_relative(0.0)] {
            let (legs, _) = fly(ball, start, &tolerance, until).expect("a flight");
            for (from, segment) in &legs {
                let (place, velocity) = against_short_steps(ball, from, segment);
                let end = from.after(segment, segment.end);
                let speed = from.velocity.length().max(end.velocity.length());
                let way = speed * segment.end;
                // What 32 steps and the evaluation of the polynomials round.
                let rounding = 1e-13 * (1.0 + speed);
                let allowed = times * (tolerance.absolute + tolerance.relative * way);
                assert!(
                    place < allowed + rounding * (1.0 + segment.end),
                    "{name}, {tolerance:?} at {}: place off by {place:e}, allowed {allowed:e}",
                    from.time
                );
                let allowed = times * (tolerance.absolute + tolerance.relative * speed);
                assert!(
                    velocity < allowed + rounding,
                    "{name}, {tolerance:?} at {}: velocity off by {velocity:e}, allowed {allowed:e}",
                    from.time
                );
            }
        }
    }
}

#[test]
fn every_piece_keeps_its_tolerance_all_the_way() {
    let drag = Drag::Given {
        linear: 0.02,
        quadratic: 0.01,
    };
    let weight = Fields::<Space2>::uniform(DVec2::new(0.0, -9.81));
    let thrown = Departure {
        velocity: DVec2::new(8.0, 6.0),
        angular_velocity: 40.0,
        ..Departure::default()
    };
    let falling = weight.clone().with(Field::Drag(drag));
    let ball = falling.for_ball(0.1, 0.03, f64::INFINITY);
    keeps_its_promise("drag", 1.0, &ball, thrown, 3.0);
    let vortex = falling
        .clone()
        .with(Field::Wind(Wind::Vortex {
            centre: DVec2::new(2.0, 1.0),
            axis: 1.0,
            circulation: 20.0,
            core: 0.3,
        }))
        .with(Field::Lift(Lift::Given { coefficient: 1e-3 }));
    let ball = vortex.for_ball(0.1, 0.03, f64::INFINITY);
    keeps_its_promise("vortex", 1.0, &ball, thrown, 3.0);
    let orbit = sun();
    let ball = orbit.for_ball(1.0, 0.03, f64::INFINITY);
    for eccentricity in [0.0, 0.6, 0.95] {
        let name = format!("orbit of eccentricity {eccentricity}");
        keeps_its_promise(&name, 1.0, &ball, far_point(eccentricity), 6.5);
    }
    let tied = Fields::<Space3>::default()
        .with(Field::Spring {
            centre: DVec3::ZERO,
            stiffness: 5.0,
        })
        .with(Field::Drag(drag));
    let start = Departure {
        position: DVec3::new(1.0, -1.0, 0.3),
        velocity: DVec3::new(0.0, 2.0, 1.0),
        ..Departure::default()
    };
    keeps_its_promise("spring", 1.0, &tied.for_ball(0.5, 0.03, 1.0), start, 10.0);
}

/// Straight through the turning point, where the direction of quadratic drag changes at speed 0: the second derivative
/// of the force jumps. The estimate of the error is made for smooth forces; here the page on flights promises three
/// times the tolerance.
#[test]
fn a_kink_in_the_force_costs_no_more_than_a_factor_of_three() {
    let falling =
        Fields::<Space2>::uniform(DVec2::new(0.0, -9.81)).with(Field::Drag(Drag::Given {
            linear: 0.02,
            quadratic: 0.01,
        }));
    let ball = falling.for_ball(0.1, 0.03, f64::INFINITY);
    for speed in 1..60 {
        let up = Departure {
            velocity: DVec2::new(0.0, 0.31 * f64::from(speed)),
            ..Departure::default()
        };
        let name = format!("turning point, from 0.31 · {speed} m/s");
        keeps_its_promise(&name, 3.0, &ball, up, 2.0);
    }
}

/// Uniform gravity alone is exact: the piece is the parabola, bit for bit.
#[test]
fn gravity_alone_gives_the_parabola() {
    let gravity = DVec3::new(0.1, 0.0, -9.81);
    let fields = Fields::<Space3>::uniform(gravity);
    assert!(fields.is_uniform());
    let start = Departure {
        time: 1.0,
        position: DVec3::new(1.0, 2.0, 3.0),
        velocity: DVec3::new(4.0, 5.0, 6.0),
        angular_velocity: DVec3::new(7.0, 8.0, 9.0),
    };
    let ball = fields.for_ball(1.0, 1.0, 1.0);
    let (segment, _) =
        segment(&ball, &start, &Tolerance::default(), 0.0, 50.0).expect("a parabola");
    let flight = Flight {
        position: start.position,
        velocity: start.velocity,
        acceleration: gravity,
    };
    assert_eq!(segment.as_flight(), Some(flight));
    assert_eq!(segment.end, 50.0);
    assert_eq!(segment.angular_velocity_at(17.0), start.angular_velocity);
}

/// A flight in the plane z = 0 of space has the bits of the one in the plane.
#[test]
fn a_plane_in_space_has_the_same_bits() {
    let drag = Field::Drag(Drag::Given {
        linear: 0.02,
        quadratic: 0.01,
    });
    let flat = Fields::<Space2>::uniform(DVec2::new(0.3, -9.81)).with(drag);
    let deep =
        Fields::<Space3>::uniform(DVec3::new(0.3, -9.81, 0.0)).with(Field::Drag(Drag::Given {
            linear: 0.02,
            quadratic: 0.01,
        }));
    let tolerance = Tolerance::of(1e-9);
    let start = Departure {
        velocity: DVec2::new(8.0, 6.0),
        ..Departure::default()
    };
    let lifted = Departure {
        velocity: DVec3::new(8.0, 6.0, 0.0),
        ..Departure::default()
    };
    let (_, end) = fly(&flat.for_ball(0.1, 0.03, 1.0), start, &tolerance, 3.0).expect("a flight");
    let (_, also) = fly(&deep.for_ball(0.1, 0.03, 1.0), lifted, &tolerance, 3.0).expect("a flight");
    assert_eq!(end.position.extend(0.0), also.position);
    assert_eq!(end.velocity.extend(0.0), also.velocity);
}

/// Half the step, half the error: 2¹ within a tenth once the steps are short.
#[test]
fn eulers_order_is_one() {
    let fields = Fields::<Space2>::uniform(DVec2::new(0.0, -9.81)).with(Field::Drag(Drag::Given {
        linear: 0.5,
        quadratic: 0.0,
    }));
    let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
    // v = v∞ (1 − e^{−t/2}), v∞ = 19.62 m/s; after 1 s the way is v∞ (1 − 2 (1 − e^{−½})).
    let fallen = 19.62 * (1.0 - 2.0 * (1.0 - libm::exp(-0.5)));
    let off = |steps: u32| {
        let integrator = Integrator::ExplicitEuler {
            step: 1.0 / f64::from(steps),
        };
        let mut state = Departure::default();
        for _ in 0..steps {
            let (segment, hint) =
                next_segment(&ball, &state, &integrator, 0.0, f64::INFINITY).expect("a step");
            assert_eq!(segment.end, hint);
            assert!(segment.place.degree() <= 1, "a straight line");
            state = integrator.arrival(&ball, &state, &segment, segment.end);
        }
        (state.position.y + fallen).abs()
    };
    let order = order(off(200), off(400));
    assert!((order - 1.0).abs() < 0.05, "order {order}");
}

/// One step of it, by hand; and one that is cut short by an event keeps the velocity it had until then changed in
/// proportion (P5).
#[test]
fn one_step_of_euler() {
    let fields = Fields::<Space2>::uniform(DVec2::new(0.0, -10.0));
    let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
    let start = Departure {
        time: 2.0,
        position: DVec2::new(1.0, 1.0),
        velocity: DVec2::new(3.0, 4.0),
        angular_velocity: 5.0,
    };
    let segment = explicit_euler(&ball, &start, 0.5).expect("a step");
    assert_eq!(segment.position_at(0.5), DVec2::new(2.5, 3.0));
    let integrator = Integrator::ExplicitEuler { step: 0.5 };
    let end = integrator.arrival(&ball, &start, &segment, 0.5);
    assert_eq!(end.velocity, DVec2::new(3.0, -1.0));
    assert_eq!((end.time, end.angular_velocity), (2.5, 5.0));
    let hit = integrator.arrival(&ball, &start, &segment, 0.25);
    assert_eq!(hit.velocity, DVec2::new(3.0, 1.5));
    let (short, _) = next_segment(&ball, &start, &integrator, 0.0, 0.125).expect("a step");
    assert_eq!(short.end, 0.125);
}
