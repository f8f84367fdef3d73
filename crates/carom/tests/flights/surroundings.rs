//! Winds and media: closed forms where there are, and the formulas of the coefficients.

use super::{TOLERANCES, errors, fly};
use carom::motion::{
    Departure, Drag, Field, Fields, Lift, Named, Rates, RotationalDrag, Situation, Tolerance, Wind,
};
use carom::space::{Linear, Space2, Space3};
use glam::{DVec2, DVec3};
use std::f64::consts::{PI, TAU};

/// A wind G y along x, linear drag γ: the height y = y∞ − (v/γ) e^{−γt}, and along x
/// `u = G y∞ + (u₀ − G y∞) e^{−γt} − G v t e^{−γt}`.
#[test]
fn a_shear_wind() {
    let (gamma, shear, u, v, y) = (0.8, 1.5, -2.0, 3.0, 0.7);
    let fields = Fields::<Space3>::default()
        .with(Field::Drag(Drag::Given {
            linear: gamma,
            quadratic: 0.0,
        }))
        .with(Field::Wind(Wind::Shear {
            point: DVec3::new(5.0, 1.0, 0.0),
            velocity: DVec3::new(shear, 0.0, 0.0),
            normal: DVec3::Y,
            gradient: DVec3::new(shear, 0.0, 0.0),
        }));
    let start = Departure {
        position: DVec3::new(0.0, y, 0.0),
        velocity: DVec3::new(u, v, 0.0),
        ..Departure::default()
    };
    let last = y + v / gamma;
    let truth = |t: f64| {
        let fade = libm::exp(-gamma * t);
        let along = shear * last * t + (u - shear * last) * (1.0 - fade) / gamma
            - shear * v * (1.0 - fade * (1.0 + gamma * t)) / (gamma * gamma);
        let speed = shear * last + (u - shear * last) * fade - shear * v * t * fade;
        (
            DVec3::new(along, last - v / gamma * fade, 0.0),
            DVec3::new(speed, v * fade, 0.0),
        )
    };
    for size in TOLERANCES {
        let ball = fields.for_ball(1.0, 0.1, f64::INFINITY);
        let (legs, _) = fly(&ball, start, &Tolerance::of(size), 5.0).expect("a flight");
        let (place, _) = errors(&legs, truth);
        // Speeds up to 7 m/s. An error of the height by e_x + e_v/γ is carried along x by the shear for T = 5 s.
        let local = size * 8.0;
        let allowed = legs.len() as f64 * local * (1.0 + 5.0 + shear * 5.0 * (1.0 + 1.0 / gamma));
        assert!(place < allowed + 1e-12, "{size:e}: {place:e}");
    }
}

/// A ball on a spring that keeps it on a circle about a vortex, with just the speed of the air there, feels no drag: it
/// goes round at the rate Γ/2π(R² + core²) for ever. Drag brings back what disturbs it.
#[test]
fn round_a_vortex_with_the_air() {
    let (radius, core, circulation, mass) = (2.0, 0.5, 30.0, 0.4);
    let rate = circulation / (TAU * (radius * radius + core * core));
    let centre = DVec3::new(1.0, 0.0, -1.0);
    // The axis and two directions across it.
    let (axis, first, second) = (
        DVec3::new(2.0, 1.0, 2.0) / 3.0,
        DVec3::new(-2.0, 2.0, 1.0) / 3.0,
        DVec3::new(-1.0, -2.0, 2.0) / 3.0,
    );
    assert!((axis.cross(first) - second).length() < 1e-15);
    let wind = Wind::<Space3>::Vortex {
        centre,
        axis,
        circulation,
        core,
    };
    let fields = Fields::default()
        .with(Field::Wind(wind))
        .with(Field::Drag(Drag::Given {
            linear: 0.2,
            quadratic: 0.3,
        }))
        .with(Field::Spring {
            centre,
            stiffness: mass * rate * rate,
        });
    fields.check().expect("good fields");
    let truth = |t: f64| {
        let (sin, cos) = libm::sincos(rate * t);
        (
            centre + (first * cos + second * sin) * radius,
            (second * cos - first * sin) * (radius * rate),
        )
    };
    let (position, velocity) = truth(0.0);
    let start = Departure {
        position,
        velocity,
        ..Departure::default()
    };
    for size in TOLERANCES {
        let ball = fields.for_ball(mass, 0.1, f64::INFINITY);
        let (legs, _) = fly(&ball, start, &Tolerance::of(size), 6.0).expect("a flight");
        let (place, _) = errors(&legs, truth);
        // 2.2 m/s. The spring makes e_v/rate of a velocity; a radius that is off by e changes the air's rate by less
        // than rate·e/R, so that in T rate = 7 rad the ball is ahead by 7 e.
        let allowed = legs.len() as f64 * size * 3.3 * (1.0 + 1.0 / rate) * 8.0;
        assert!(place < allowed + 1e-12, "{size:e}: {place:e}");
    }
    // In the plane it is the same about a point.
    let flat = Wind::<Space2>::Vortex {
        centre: DVec2::ZERO,
        axis: -1.0,
        circulation,
        core,
    };
    let velocity = flat.velocity(DVec2::new(0.0, radius), 0.0);
    assert!((velocity - DVec2::new(rate * radius, 0.0)).length() < 1e-15);
}

/// What one builds in and what one writes oneself is the same.
#[test]
fn functions_of_ones_own() {
    let drag = Drag::Given {
        linear: 0.1,
        quadratic: 0.2,
    };
    let built_in = Fields::<Space2>::uniform(DVec2::new(0.0, -9.81))
        .with(Field::Drag(drag))
        .with(Field::Wind(Wind::Uniform {
            velocity: DVec2::new(1.0, 0.5),
        }));
    let own = Fields::<Space2>::uniform(DVec2::new(0.0, -9.81))
        .with(Field::Wind(Wind::Function(Named::wind(
            "breeze",
            |_: DVec2, _| DVec2::new(1.0, 0.5),
        ))))
        .with(Field::Force(Named::force(
            "my drag",
            |at: &Situation<Space2>| {
                let airspeed = at.velocity - at.wind;
                airspeed * -(0.1 + 0.2 * airspeed.length())
            },
        )));
    let state = (2.0, DVec2::new(1.0, 2.0), DVec2::new(3.0, -4.0), 5.0);
    let of = |fields: &Fields<Space2>| {
        let ball = fields.for_ball(0.5, 0.1, 1e-3);
        ball.rates(state.0, state.1, state.2, state.3)
    };
    let (here, there) = (of(&built_in), of(&own));
    assert!((here.0 - there.0).length() < 1e-14 && here.1 == there.1);
    let debug = format!("{own:?}");
    assert!(
        debug.contains("breeze") && debug.contains("my drag"),
        "{debug}"
    );
}

/// Stokes, ½ρCA, Rubinow and Keller, Kirchhoff.
#[test]
fn coefficients_scale_with_the_radius() {
    let (density, viscosity, radius) = (1.2_f64, 1.8e-5, 0.02_f64);
    let (linear, quadratic) = Drag::OfMedium {
        density,
        viscosity,
        coefficient: 0.47,
    }
    .coefficients(radius);
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-15 * b.abs();
    assert!(close(linear, 6.0 * PI * 1.8e-5 * 0.02));
    assert!(close(quadratic, 0.5 * 1.2 * 0.47 * PI * 0.0004));
    let lift = Lift::OfMedium {
        density,
        coefficient: 1.0,
    };
    assert!(close(lift.coefficient(radius), PI * 1.2 * 8e-6));
    let torque = RotationalDrag::OfMedium { viscosity };
    assert!(close(torque.coefficient(radius), 8.0 * PI * 1.8e-5 * 8e-6));
    // And they arrive at the ball.
    let fields = Fields::<Space2>::default()
        .with(Field::Drag(Drag::AIR))
        .with(Field::RotationalDrag(torque));
    let (push, twist) =
        fields
            .for_ball(0.01, radius, 1e-6)
            .rates(0.0, DVec2::ZERO, DVec2::new(10.0, 0.0), 3.0);
    let (linear, quadratic) = Drag::AIR.coefficients(radius);
    assert!(close(-push.x, (linear + 10.0 * quadratic) * 10.0 / 0.01));
    assert!(close(-twist, torque.coefficient(radius) * 3.0 / 1e-6));
}

/// The force is minus the gradient of the potential, by central differences: an error of h²/6 times third derivatives
/// of order 1, and rounding u·10/h.
#[test]
fn the_potential_is_that_of_the_forces() {
    let mass = 2.0;
    let fields = Fields::<Space3>::uniform(DVec3::new(0.5, 0.0, -9.81))
        .with(Field::Uniform(DVec3::new(0.0, 1.0, 0.0)))
        .with(Field::Spring {
            centre: DVec3::new(1.0, 1.0, 0.0),
            stiffness: 3.0,
        })
        .with(Field::Central {
            centre: DVec3::new(-1.0, 0.0, 2.0),
            strength: 4.0,
            softening: 0.5,
        });
    assert!(fields.is_conservative() && !fields.is_uniform());
    assert!(
        !fields
            .clone()
            .with(Field::Drag(Drag::AIR))
            .is_conservative()
    );
    let place = DVec3::new(0.3, -0.4, 0.6);
    let (push, _) =
        fields
            .for_ball(mass, 0.1, 1.0)
            .rates(0.0, place, DVec3::new(1.0, 2.0, 3.0), DVec3::ZERO);
    let h = 1e-4;
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        let slope = (fields.potential(mass, place + axis * h)
            - fields.potential(mass, place - axis * h))
            / (2.0 * h);
        assert!((slope + mass * Linear::dot(push, axis)).abs() < 1e-6);
    }
}
