//! Whole flights against closed forms, in both dimensions.

use super::{TOLERANCES, errors, fly};
use carom::motion::{Departure, Drag, Field, Fields, Lift, RotationalDrag, Tolerance, Wind};
use carom::space::{Linear, Space, Space2, Space3};
use std::f64::consts::TAU;

fn vector<S: Space>(x: f64, y: f64, z: f64) -> S::Vector {
    S::vector([x, y, z])
}

fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// v = v∞ + (v₀ − v∞) e^{−γt} with γ = k₁/m and v∞ = w + g/γ.
fn linear_drag<S: Space>() {
    let (mass, k) = (0.5, 0.4);
    let gamma = k / mass;
    let gravity = vector::<S>(0.3, -9.81, 0.1);
    let wind = vector::<S>(2.0, 0.5, -1.0);
    let fields = Fields::<S>::uniform(gravity)
        .with(Field::Drag(Drag::Given {
            linear: k,
            quadratic: 0.0,
        }))
        .with(Field::Wind(Wind::Uniform { velocity: wind }));
    let start = Departure {
        time: 3.0,
        position: vector::<S>(1.0, 2.0, 3.0),
        velocity: vector::<S>(10.0, 7.0, -4.0),
        ..Departure::default()
    };
    let last = wind + gravity * (1.0 / gamma);
    let truth = |time: f64| {
        let t = time - start.time;
        let excess = start.velocity - last;
        let position = start.position + last * t + excess * ((1.0 - exp(-gamma * t)) / gamma);
        (position, last + excess * exp(-gamma * t))
    };
    for size in TOLERANCES {
        let (legs, _) = fly(
            &fields.for_ball(mass, 0.1, f64::INFINITY),
            start,
            &Tolerance::of(size),
            7.0,
        )
        .expect("a flight");
        // Speeds stay below 14 m/s, places below 50 m, T = 4 s; N (e_x + T e_v), see the top.
        let local = size * (1.0 + 14.0);
        let allowed = legs.len() as f64 * (local + 4.0 * local) + 1e-12;
        let (place, velocity) = errors(&legs, truth);
        assert!(place < allowed, "{size:e}: place {place:e}");
        assert!(
            velocity < legs.len() as f64 * local + 1e-12,
            "{size:e}: velocity {velocity:e}"
        );
    }
}

#[test]
fn linear_drag_in_a_wind() {
    linear_drag::<Space2>();
    linear_drag::<Space3>();
}

/// From rest: v = v∞ tanh(gt/v∞), way = (v∞²/g) ln cosh(gt/v∞), v∞ = √(mg/k₂).
fn quadratic_fall<S: Space>() {
    let (mass, k, g) = (0.2, 0.05, 9.81_f64);
    let down = vector::<S>(0.6, -0.8, 0.0);
    let fields = Fields::<S>::uniform(down * g).with(Field::Drag(Drag::Given {
        linear: 0.0,
        quadratic: k,
    }));
    let terminal = (mass * g / k).sqrt();
    let truth = |t: f64| {
        let x = g * t / terminal;
        let way = terminal * terminal / g * libm::log(libm::cosh(x));
        (down * way, down * (terminal * libm::tanh(x)))
    };
    let ball = fields.for_ball(mass, 0.1, f64::INFINITY);
    for size in TOLERANCES {
        let (legs, end) =
            fly(&ball, Departure::default(), &Tolerance::of(size), 5.0).expect("a flight");
        let local = size * (1.0 + terminal);
        let segments = legs.len() as f64;
        let (place, velocity) = errors(&legs, truth);
        assert!(
            place < segments * 6.0 * local + 1e-12,
            "{size:e}: place {place:e}"
        );
        assert!(
            velocity < segments * local + 1e-12,
            "{size:e}: velocity {velocity:e}"
        );
        // After 5 s, 1 − tanh = 2 exp(−2 · 5 g/v∞) = 3e-7.
        let short = terminal - end.velocity.length();
        let expected = terminal * (1.0 - libm::tanh(g * 5.0 / terminal));
        assert!((short - expected).abs() < segments * local + 1e-12);
    }
}

#[test]
fn quadratic_drag_straight_down() {
    quadratic_fall::<Space2>();
    quadratic_fall::<Space3>();
}

/// Linear and quadratic drag together, straight on without gravity: with a = k₁/m, b = k₂/m the speed is
/// `a v₀ e^{−at} / (a + b v₀ (1 − e^{−at}))` and the way `ln(1 + (b v₀/a)(1 − e^{−at}))/b`.
#[test]
fn both_kinds_of_drag_straight_on() {
    let (a, b, speed) = (0.3, 0.2, 12.0);
    let fields = Fields::<Space3>::default().with(Field::Drag(Drag::Given {
        linear: a * 2.0,
        quadratic: b * 2.0,
    }));
    let along = vector::<Space3>(2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0);
    let start = Departure {
        velocity: along * speed,
        ..Departure::default()
    };
    let truth = |t: f64| {
        let gone = 1.0 - exp(-a * t);
        let way = libm::log1p(b * speed / a * gone) / b;
        (
            along * way,
            along * (a * speed * exp(-a * t) / (a + b * speed * gone)),
        )
    };
    for size in TOLERANCES {
        let ball = fields.for_ball(2.0, 0.1, f64::INFINITY);
        let (legs, _) = fly(&ball, start, &Tolerance::of(size), 3.0).expect("a flight");
        let local = size * (1.0 + speed);
        let (place, _) = errors(&legs, truth);
        assert!(
            place < legs.len() as f64 * 4.0 * local + 1e-12,
            "{size:e}: {place:e}"
        );
    }
}

/// Any speed ends at the terminal one: where (k₁ + k₂ v) v = m g.
#[test]
fn the_terminal_speed() {
    let (k1, k2, mass, g) = (0.3_f64, 0.1_f64, 0.25, 9.81);
    let fields =
        Fields::<Space2>::uniform(vector::<Space2>(0.0, -g, 0.0)).with(Field::Drag(Drag::Given {
            linear: k1,
            quadratic: k2,
        }));
    let terminal = (-k1 + (k1 * k1 + 4.0 * k2 * mass * g).sqrt()) / (2.0 * k2);
    let ball = fields.for_ball(mass, 0.1, f64::INFINITY);
    for speed in [0.0, 3.0, 100.0] {
        let start = Departure {
            velocity: vector::<Space2>(speed, 0.5 * speed, 0.0),
            ..Departure::default()
        };
        let (_, end) = fly(&ball, start, &Tolerance::of(1e-10), 40.0).expect("a flight");
        // Disturbances die at the rate (k₁ + k₂ v)/m ≥ 2.4/s, so that only the last piece's local error is left, and
        // e^{−96}.
        let off = (end.velocity - vector::<Space2>(0.0, -terminal, 0.0)).length();
        assert!(
            off < 2.0 * 1e-10 * (1.0 + terminal),
            "{off:e} from {speed} m/s"
        );
    }
}

/// x = x₀ cos ωt + (v₀/ω) sin ωt about the centre, ω² = k/m.
fn spring<S: Space>() {
    let (mass, stiffness) = (0.3_f64, 7.0);
    let omega = (stiffness / mass).sqrt();
    let centre = vector::<S>(1.0, -2.0, 0.5);
    let fields = Fields::<S>::default().with(Field::Spring { centre, stiffness });
    let start = Departure {
        position: vector::<S>(2.0, -1.5, 0.0),
        velocity: vector::<S>(-1.0, 4.0, 2.0),
        ..Departure::default()
    };
    let truth = |t: f64| {
        let (sin, cos) = libm::sincos(omega * t);
        let arm = start.position - centre;
        (
            centre + arm * cos + start.velocity * (sin / omega),
            start.velocity * cos - arm * (omega * sin),
        )
    };
    let ball = fields.for_ball(mass, 0.1, f64::INFINITY);
    for size in TOLERANCES {
        let (legs, end) = fly(&ball, start, &Tolerance::of(size), 20.0).expect("a flight");
        // Speeds up to 8 m/s; e_x + e_v/ω in the place for each piece.
        let local = size * 9.0;
        let (place, _) = errors(&legs, truth);
        let allowed = legs.len() as f64 * local * (1.0 + 1.0 / omega) + 1e-11;
        assert!(place < allowed, "{size:e}: {place:e}");
        let energy = |state: &Departure<S>| {
            0.5 * mass * state.velocity.length_squared() + fields.potential(mass, state.position)
        };
        // m v e_v + k x e_x with x up to 2 m, for each piece.
        let gain = (energy(&end) - energy(&start)).abs();
        let allowed = legs.len() as f64 * local * (mass * 8.0 + stiffness * 2.0) + 1e-11;
        assert!(gain < allowed, "{size:e}: {gain:e} J");
    }
}

#[test]
fn springs() {
    spring::<Space2>();
    spring::<Space3>();
}

/// After one period the orbit closes: a = 1 m, GM = 1 m³/s², the period 2π s.
///
/// A disturbance of the velocity by e_v at speed v changes the energy by v e_v, the semi-major axis by 2a² v e_v/GM and
/// the period by 3π a of that, so that after one turn the ball is off along its way by up to `6π v e_v` times its speed
/// at the end. Where it is disturbed the speed is at most `√((1+e)/(1−e))`, at the end (the far point)
/// `√((1−e)/(1+e))`: the product is at most 1, and the disturbances add less than `6π · 2 e_v` each; in the place, e_x
/// changes the energy by `e_x/r²`, with r ≥ 1 − e, which makes `6π e_x/(1−e)²` times the speed at the end.
fn kepler<S: Space>(eccentricity: f64) {
    let (slow, fast) = (
        ((1.0 - eccentricity) / (1.0 + eccentricity)).sqrt(),
        ((1.0 + eccentricity) / (1.0 - eccentricity)).sqrt(),
    );
    let centre = vector::<S>(0.5, 0.25, -1.0);
    let fields = Fields::<S>::default().with(Field::Central {
        centre,
        strength: 1.0,
        softening: 0.0,
    });
    // In space the orbit is inclined.
    let sideways = if S::DIMENSION == 3 {
        vector::<S>(0.0, 0.6, 0.8)
    } else {
        vector::<S>(0.0, 1.0, 0.0)
    };
    let start = Departure {
        position: centre + vector::<S>(1.0 + eccentricity, 0.0, 0.0),
        velocity: sideways * slow,
        ..Departure::default()
    };
    let ball = fields.for_ball(3.0, 0.1, f64::INFINITY);
    for size in TOLERANCES {
        let (legs, end) = fly(&ball, start, &Tolerance::of(size), TAU).expect("an orbit");
        let off = (end.position - start.position).length();
        let (e_v, e_x) = (size * (1.0 + fast), 2.0 * size);
        let near = 1.0 - eccentricity;
        let each = 12.0 * std::f64::consts::PI * (e_v + e_x * slow / (near * near));
        assert!(
            off < legs.len() as f64 * each + 1e-11,
            "e = {eccentricity}, {size:e}: {off:e} m after {} pieces",
            legs.len()
        );
        // The near point, where the speed is greatest, is really passed.
        let (nearest, _) = errors(&legs, |_| (centre, S::Vector::ZERO));
        assert!(nearest > 1.0 && nearest < 1.0 + eccentricity + 1e-2);
        let closest = legs
            .iter()
            .flat_map(|(_, segment)| {
                (0..=50).map(|k| segment.position_at(segment.end * f64::from(k) / 50.0))
            })
            .map(|position| (position - centre).length())
            .fold(f64::INFINITY, f64::min);
        assert!((closest - near).abs() < 0.05 * near + legs.len() as f64 * each);
    }
}

#[test]
fn kepler_orbits_close() {
    for eccentricity in [0.0, 0.5, 0.9] {
        kepler::<Space2>(eccentricity);
        kepler::<Space3>(eccentricity);
    }
}

/// The force C ω×v alone turns the velocity at the rate Cω/m: a circle of radius m v/(C ω).
fn magnus_circle<S: Space>(angular_velocity: S::Angular) {
    let (mass, coefficient, speed) = (0.2, 0.01, 3.0);
    let rate = coefficient * 25.0 / mass;
    let fields = Fields::<S>::default().with(Field::Lift(Lift::Given { coefficient }));
    assert!(fields.is_conservative());
    let start = Departure {
        velocity: vector::<S>(speed, 0.0, 0.0),
        angular_velocity,
        ..Departure::default()
    };
    let radius = speed / rate;
    let truth = |t: f64| {
        let (sin, cos) = libm::sincos(rate * t);
        (
            vector::<S>(radius * sin, radius * (1.0 - cos), 0.0),
            vector::<S>(speed * cos, speed * sin, 0.0),
        )
    };
    let ball = fields.for_ball(mass, 0.05, f64::INFINITY);
    for size in TOLERANCES {
        let (legs, _) = fly(&ball, start, &Tolerance::of(size), 10.0).expect("a flight");
        // A disturbance of the velocity turns with it: it moves the place by 2 e_v/rate at most.
        let allowed = legs.len() as f64 * size * (1.0 + speed) * (1.0 + 2.0 / rate) + 1e-12;
        let (place, _) = errors(&legs, truth);
        assert!(place < allowed, "{size:e}: {place:e}");
    }
}

#[test]
fn lift_alone_makes_a_circle() {
    magnus_circle::<Space2>(25.0);
    magnus_circle::<Space3>(vector::<Space3>(0.0, 0.0, 25.0));
}

/// ω = ω₀ e^{−ct/I}; and with lift, the velocity turns by (C/m) ∫ω dt in all.
#[test]
fn the_spin_dies_out_and_the_way_becomes_straight() {
    let (mass, inertia, decay, lift) = (0.2, 1e-3, 2e-3, 0.02);
    let fields = Fields::<Space2>::default()
        .with(Field::Lift(Lift::Given { coefficient: lift }))
        .with(Field::RotationalDrag(RotationalDrag::Given {
            coefficient: decay,
        }));
    let start = Departure {
        velocity: vector::<Space2>(3.0, 0.0, 0.0),
        angular_velocity: 20.0,
        ..Departure::default()
    };
    let ball = fields.for_ball(mass, 0.05, inertia);
    let size = 1e-10;
    let (legs, end) = fly(&ball, start, &Tolerance::of(size), 4.0).expect("a flight");
    let rate = decay / inertia;
    for (from, segment) in &legs {
        let t = 0.37 * segment.end;
        let off = segment.angular_velocity_at(t) - 20.0 * exp(-rate * (from.time + t));
        // e + r|ω| for each piece; the decay makes none of them larger.
        assert!(
            off.abs() < legs.len() as f64 * size * 21.0,
            "spin off by {off:e}"
        );
    }
    let angle = lift / mass * 20.0 * (1.0 - exp(-rate * 4.0)) / rate;
    let (sin, cos) = libm::sincos(angle);
    let off = (end.velocity - vector::<Space2>(3.0 * cos, 3.0 * sin, 0.0)).length();
    // The spin's local error turns the velocity by (C/m)(e_ω/rate) |v| as well.
    let each = size * (4.0 + 21.0 * lift / mass / rate * 3.0);
    assert!(off < legs.len() as f64 * each, "velocity off by {off:e}");
}
