//! Bad input: refused or stopped, with names and numbers.

use super::fly;
use carom::motion::{
    Departure, Drag, Field, Fields, FlightError, Integrator, Named, Region, Situation, Tolerance,
    Wind, explicit_euler, next_segment, segment,
};
use carom::space::Space2;
use glam::DVec2;

/// The part, the field and the value that the message must name.
fn refused(field: Field<Space2>, region: Region<Space2>, names: [&str; 3]) {
    let mut fields = Fields::<Space2>::default();
    fields.add("the culprit", region, field);
    let error = fields.check().expect_err("refused");
    let message = error.to_string();
    assert!(
        message.contains("the culprit") && message.contains("must be"),
        "{message}"
    );
    assert_eq!(error.field, names[0], "{message}");
    assert!(error.value.contains(names[1]), "{message}");
    assert!(error.allowed.contains(names[2]), "{message}");
}

/// Longer than most: a list of fields, and what is said of each.
#[test]
fn fields_that_cannot_be() {
    let drag = |linear, quadratic| Field::Drag(Drag::Given { linear, quadratic });
    let anywhere = Region::Everywhere;
    refused(
        drag(-0.5, 0.0),
        anywhere,
        ["linear", "-0.5", "not negative"],
    );
    refused(
        drag(0.0, -2.0),
        anywhere,
        ["quadratic", "-2", "not negative"],
    );
    refused(drag(f64::NAN, 0.0), anywhere, ["linear", "NaN", "finite"]);
    refused(
        drag(f64::INFINITY, 0.0),
        anywhere,
        ["linear", "inf", "finite"],
    );
    let medium = Drag::OfMedium {
        density: -1.2,
        viscosity: 0.0,
        coefficient: 0.5,
    };
    refused(
        Field::Drag(medium),
        anywhere,
        ["density", "-1.2", "not negative"],
    );
    let gust = Wind::Gust {
        start: 2.0,
        end: 1.0,
        velocity: DVec2::X,
    };
    refused(
        Field::Wind(gust),
        anywhere,
        ["start and end", "2 to 1", "before"],
    );
    let shear = Wind::Shear {
        point: DVec2::ZERO,
        velocity: DVec2::ZERO,
        normal: DVec2::new(1.0, 1.0),
        gradient: DVec2::X,
    };
    refused(Field::Wind(shear), anywhere, ["normal", "1.0", "length 1"]);
    let vortex = Wind::Vortex {
        centre: DVec2::ZERO,
        axis: 1.0,
        circulation: 1.0,
        core: -0.1,
    };
    refused(
        Field::Wind(vortex),
        anywhere,
        ["core", "-0.1", "not negative"],
    );
    let spring = Field::Spring {
        centre: DVec2::ZERO,
        stiffness: -3.0,
    };
    refused(spring, anywhere, ["stiffness", "-3", "not negative"]);
    let ball = Region::Ball {
        centre: DVec2::ZERO,
        radius: 0.0,
    };
    refused(drag(1.0, 0.0), ball, ["region.radius", "0", "positive"]);
    let inside_out = Region::Box {
        low: DVec2::ZERO,
        high: DVec2::new(1.0, -1.0),
    };
    refused(drag(1.0, 0.0), inside_out, ["region.high", "-1", "above"]);
    let jumpy = Named::force("jumpy", |_: &Situation<Space2>| DVec2::ZERO).with_jumps(&[f64::NAN]);
    refused(Field::Force(jumpy), anywhere, ["jumps", "NaN", "times"]);
    let heavy = Fields::<Space2>::uniform(DVec2::new(0.0, f64::NAN));
    assert_eq!(heavy.check().expect_err("refused").field, "gravity");
    let mut many = Fields::<Space2>::default();
    for _ in 0..17 {
        let unit = Region::Box {
            low: DVec2::ZERO,
            high: DVec2::ONE,
        };
        many.add("tile", unit, drag(1.0, 0.0));
    }
    assert!(many.check().expect_err("refused").value.contains("68"));
}

#[test]
fn settings_that_cannot_work() {
    let fields = Fields::<Space2>::uniform(DVec2::new(0.0, -9.81));
    let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
    let start = Departure::default();
    let field = |tolerance: Tolerance, latest_end: f64| match segment(
        &ball, &start, &tolerance, 0.0, latest_end,
    ) {
        Err(FlightError::Setting { field, value, .. }) => (field, value.to_string()),
        other => panic!("{other:?}"),
    };
    let good = Tolerance::of(1e-9);
    assert_eq!(
        field(Tolerance::of(0.0), 1.0),
        ("tolerance.absolute", "0".into())
    );
    assert_eq!(field(Tolerance::of(-1.0), 1.0).0, "tolerance.absolute");
    assert_eq!(field(Tolerance::of(f64::NAN), 1.0).0, "tolerance.absolute");
    let relative = good.with_relative(-0.1);
    assert_eq!(field(relative, 1.0).0, "tolerance.relative");
    let longest = good.with_max_step(0.0);
    assert_eq!(field(longest, 1.0).0, "tolerance.max_step");
    assert_eq!(field(good, 0.0).0, "latest_end");
    assert_eq!(field(good, f64::NAN).0, "latest_end");
    for step in [0.0, -0.1, f64::NAN] {
        let error = explicit_euler(&ball, &start, step).expect_err("no step");
        assert!(matches!(error, FlightError::Setting { field: "step", .. }));
        assert!(Integrator::ExplicitEuler { step }.check().is_err());
    }
    assert!(Integrator::default().check().is_ok());
}

/// A wind that is NaN beyond x = 1, where the ball gets after a quarter of a second.
#[test]
fn a_function_that_returns_nan() {
    let broken = Named::wind("broken fan", |place: DVec2, _| {
        if place.x > 1.0 {
            DVec2::new(f64::NAN, 0.0)
        } else {
            DVec2::ZERO
        }
    });
    let fields = Fields::<Space2>::default()
        .with(Field::Drag(Drag::Given {
            linear: 0.0,
            quadratic: 0.0,
        }))
        .with(Field::Wind(Wind::Function(broken)));
    fields.check().expect("it does not show beforehand");
    let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
    let start = Departure {
        velocity: DVec2::new(4.0, 0.0),
        ..Departure::default()
    };
    let error = fly(&ball, start, &Tolerance::of(1e-9), 1.0).expect_err("it shows");
    let FlightError::NotFinite {
        ref field,
        time,
        position,
        ..
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!(field, "broken fan");
    // The last millionth of a step is not looked at, and none is longer than a quarter of a second here.
    assert!((time - 0.25).abs() < 1e-6 && (position[0] - 1.0).abs() < 1e-6);
    assert!(error.to_string().contains("broken fan"));
    // At the start itself, and by Euler's method too.
    let beyond = Departure {
        position: DVec2::new(2.0, 0.0),
        ..start
    };
    for integrator in [
        Integrator::default(),
        Integrator::ExplicitEuler { step: 0.1 },
    ] {
        let error = next_segment(&ball, &beyond, &integrator, 0.0, 1.0).expect_err("NaN");
        assert!(matches!(&error, FlightError::NotFinite { field, .. } if field == "broken fan"));
    }
    // A state that is no number is named, not blamed on a force.
    let nowhere = Departure {
        velocity: DVec2::new(f64::NAN, 0.0),
        ..Departure::default()
    };
    let error = segment(&ball, &nowhere, &Tolerance::default(), 0.0, 1.0).expect_err("NaN");
    assert!(matches!(&error, FlightError::NotFinite { field, .. } if field == "the velocity"));
}

/// From rest at 1 m from a point with GM = 1 the fall takes (π/2)/√2 s, and ends with an infinite speed.
#[test]
fn a_fall_into_a_point_is_stopped() {
    let fields = Fields::<Space2>::default().with(Field::Central {
        centre: DVec2::ZERO,
        strength: 1.0,
        softening: 0.0,
    });
    let start = Departure {
        position: DVec2::new(0.6, 0.8),
        ..Departure::default()
    };
    let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
    let error = fly(&ball, start, &Tolerance::of(1e-8), 2.0).expect_err("singular");
    let (FlightError::StepTooSmall { time, .. } | FlightError::NotFinite { time, .. }) = error
    else {
        panic!("{error}");
    };
    let fall = std::f64::consts::FRAC_PI_2 / 2.0_f64.sqrt();
    // Each of some hundred pieces may be off by the tolerance.
    assert!((time - fall).abs() < 1e-5, "{time} after {fall}: {error}");
    // Softened, it swings through.
    let soft = Fields::<Space2>::default().with(Field::Central {
        centre: DVec2::ZERO,
        strength: 1.0,
        softening: 0.05,
    });
    fly(
        &soft.for_ball(1.0, 0.1, f64::INFINITY),
        start,
        &Tolerance::of(1e-8),
        10.0,
    )
    .expect("a swing");
}

/// Noise is no force: every piece fails, and the clock's resolution ends it.
#[test]
fn noise_is_stopped() {
    let noise = Named::force("noise", |at: &Situation<Space2>| {
        let scrambled = at.time.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        DVec2::new(scrambled as f64 * 1e12, 0.0)
    });
    let fields = Fields::<Space2>::default().with(Field::Force(noise));
    let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
    let start = Departure {
        time: 1.0,
        ..Departure::default()
    };
    let error = segment(&ball, &start, &Tolerance::of(1e-9), 1.0, 1.0)
        .expect_err("no step is short enough");
    let FlightError::StepTooSmall { time, least, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(time, 1.0);
    assert!(least < 1e-14);
}
