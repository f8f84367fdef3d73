//! Balls in fields, through the whole engine (rows P2, P5, P7): closed forms, collisions on the way, the same bits
//! however a run is cut.

use carom::material::Material;
use carom::motion::{Drag, Field, Fields, Integrator, Named, Tolerance, Wind};
use carom::prelude::*;
use carom::shape::{HalfSpace, Shape};
use carom::simulate::Exact;
use glam::{DVec2, DVec3};

const G: f64 = 9.81;

fn floor(material_world: &mut World2) {
    let wall = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
    material_world
        .add(Body::fixed(wall).named("floor"))
        .unwrap();
}

#[test]
fn p2_a_falling_ball_with_quadratic_drag_follows_tanh() {
    // v = v_t tanh(g t/v_t), y = h − (v_t²/g) ln cosh(g t/v_t), v_t = √(m g/k2).
    let (mass, k2, height) = (0.5, 0.02, 100.0);
    let mut world = World2::new();
    let fields = Fields::uniform(DVec2::new(0.0, -G)).with(Field::Drag(Drag::Given {
        linear: 0.0,
        quadratic: k2,
    }));
    world.set_fields(fields).unwrap();
    world
        .set_integrator(Integrator::Adaptive(Tolerance::of(1e-12)))
        .unwrap();
    floor(&mut world);
    let ball = Body::ball(0.1, mass, DVec2::new(0.0, height), DVec2::ZERO).unwrap();
    let ball = world.add(ball).unwrap();
    let mut run = Exact::new(world).unwrap();
    let terminal = (mass * G / k2).sqrt();
    for step in 1..=5 {
        let time = 0.8 * f64::from(step);
        run.run_to(time).unwrap();
        let state = run.state(ball);
        let speed = terminal * libm::tanh(G * time / terminal);
        let fallen = terminal * terminal / G * libm::log(libm::cosh(G * time / terminal));
        assert!((state.velocity.y + speed).abs() < 1e-10);
        assert!((state.position.y - (height - fallen)).abs() < 1e-10);
        let audit = run.audit();
        assert!(audit.energy_residual.abs() < 1e-9, "{audit:?}");
        assert!(audit.losses.fields > 0.0);
        assert!(audit.momentum_residual.length() < 1e-11);
    }
    // It lands when y is the radius, at y(t) above: t = (v_t/g) acosh(exp(g (h − r)/v_t²)).
    let mut hits = Vec::new();
    run.run(20.0, |collision| {
        hits.push(collision.time);
        std::ops::ControlFlow::Break(())
    })
    .unwrap();
    let lands = terminal / G * libm::acosh(libm::exp(G * (height - 0.1) / (terminal * terminal)));
    assert!((hits[0] - lands).abs() < 1e-10, "{} {lands}", hits[0]);
}

/// Balls of different sizes in air and wind that hit each other, walls and the floor.
fn windy() -> World2 {
    let mut world = World2::new();
    let material = Material {
        restitution: 0.9,
        static_friction: 0.2,
        kinetic_friction: 0.1,
        rolling_resistance: 0.02,
        ..Material::default()
    };
    world.materials.add("default", material).unwrap();
    let fields = Fields::uniform(DVec2::new(0.0, -G))
        .with(Field::Drag(Drag::AIR))
        .with(Field::Wind(Wind::Gust {
            start: 0.3,
            end: 0.7,
            velocity: DVec2::new(8.0, 0.0),
        }));
    world.set_fields(fields).unwrap();
    floor(&mut world);
    for (normal, x) in [(DVec2::X, 0.0), (-DVec2::X, 4.0)] {
        let wall = Shape::HalfSpace(HalfSpace::solid(normal).unwrap());
        world.add(Body::fixed(wall).at(DVec2::new(x, 0.0))).unwrap();
    }
    for index in 0..12 {
        let radius = 0.1 + 0.01 * f64::from(index);
        let place = DVec2::new(
            0.5 + 0.75 * f64::from(index % 4),
            0.6 + 0.5 * f64::from(index / 4),
        );
        let velocity = DVec2::new(3.0 - f64::from(index % 5), 1.5);
        world
            .add(Body::ball(radius, 0.1 * radius, place, velocity).unwrap())
            .unwrap();
    }
    world
}

#[test]
fn p5_the_same_bits_at_seven_frame_rates() {
    let until = 2.0;
    let whole = {
        let mut run = Exact::new(windy()).unwrap();
        run.run_to(until).unwrap();
        assert!(run.collisions() > 50, "{}", run.collisions());
        run.digest()
    };
    for rate in [1.0, 7.0, 24.0, 25.0, 30.0, 60.0, 144.0] {
        let mut run = Exact::new(windy()).unwrap();
        let mut frame = 0;
        while run.time() < until {
            frame += 1;
            run.run_to((f64::from(frame) / rate).min(until)).unwrap();
        }
        assert_eq!(run.digest(), whole, "at {rate} Hz");
    }
    // And with one that was stored and taken up again in the middle.
    let mut run = Exact::new(windy()).unwrap();
    run.run_to(0.9).unwrap();
    let mut again = Exact::<Space2>::restore(&run.snapshot()).unwrap();
    again.run_to(until).unwrap();
    assert_eq!(again.digest(), whole);
    // Looking at all pairs gives the same; `ways_reference` has this with many balls, in cells.
    let mut reference = Exact::reference(windy()).unwrap();
    reference.run_to(until).unwrap();
    assert_eq!(reference.digest(), whole);
}

#[test]
fn energy_balances_with_drag_wind_and_rubbing() {
    let mut run = Exact::new(windy()).unwrap();
    run.run_to(5.0).unwrap();
    let audit = run.audit();
    let scale = audit.initial.total();
    // Flights are within 1e-9 each, and there are a few hundred of them.
    assert!(audit.energy_residual.abs() < 1e-7 * scale, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-10, "{audit:?}");
    assert!(audit.losses.fields != 0.0 && audit.losses.lasting.total() > 0.0);
}

#[test]
fn two_balls_in_orbit_meet_where_kepler_says() {
    // Two on the same circle, one the other way round: they meet after a quarter of the period each, wherever they
    // started.
    let mut world = World3::new();
    let fields = Fields::uniform(DVec3::ZERO).with(Field::Central {
        centre: DVec3::ZERO,
        strength: 1.0,
        softening: 0.0,
    });
    world.set_fields(fields).unwrap();
    world
        .set_integrator(Integrator::Adaptive(Tolerance::of(1e-13)))
        .unwrap();
    let radius = 1e-3;
    for side in [1.0, -1.0] {
        let place = DVec3::new(0.0, side, 0.0);
        let ball = Body::ball(radius, 1.0, place, DVec3::new(1.0, 0.0, 0.0)).unwrap();
        world.add(ball).unwrap();
    }
    let mut run = Exact::new(world).unwrap();
    let mut met = None;
    run.run(10.0, |collision| {
        met = Some(collision.time);
        std::ops::ControlFlow::Break(())
    })
    .unwrap();
    // On the unit circle at unit speed; at contact each is asin(r) short of the meeting point.
    let expected = std::f64::consts::FRAC_PI_2 - libm::asin(radius);
    assert!(
        (met.unwrap() - expected).abs() < 1e-11,
        "{met:?} {expected}"
    );
}

#[test]
fn eulers_method_is_there_by_name_and_is_of_first_order() {
    let height_after = |step: f64| {
        let mut world = World2::new();
        world.set_gravity(DVec2::new(0.0, -G)).unwrap();
        world
            .set_integrator(Integrator::ExplicitEuler { step })
            .unwrap();
        let ball = Body::ball(0.1, 1.0, DVec2::new(0.0, 50.0), DVec2::ZERO).unwrap();
        let ball = world.add(ball).unwrap();
        let mut run = Exact::new(world).unwrap();
        run.run_to(1.0).unwrap();
        run.state(ball).position.y
    };
    let truth = 50.0 - 0.5 * G;
    let [coarse, fine] = [1.0 / 64.0, 1.0 / 128.0].map(|step| height_after(step) - truth);
    // x after n steps of Euler is off by g h t/2.
    assert!((coarse - 0.5 * G / 64.0).abs() < 1e-9, "{coarse}");
    assert!((coarse / fine - 2.0).abs() < 1e-6);
}

#[test]
fn what_cannot_be_is_refused_or_stops_the_run_with_names() {
    let mut world = World2::new();
    let negative = Fields::uniform(DVec2::ZERO).with(Field::Drag(Drag::Given {
        linear: -1.0,
        quadratic: 0.0,
    }));
    let message = world.set_fields(negative).unwrap_err().to_string();
    assert_eq!(
        message,
        "drag: linear is -1.0, but must be finite and not negative"
    );
    let message = world
        .set_integrator(Integrator::Adaptive(Tolerance::of(0.0)))
        .unwrap_err()
        .to_string();
    assert_eq!(
        message,
        "tolerance.absolute is 0, but must be a positive, finite number of metres"
    );
    // A field that returns NaN beyond x = 1 stops the run there, and what was computed is kept.
    let broken = Named::force("my force", |at: &carom::motion::Situation<Space2>| {
        if at.position.x > 1.0 {
            DVec2::splat(f64::NAN)
        } else {
            DVec2::ZERO
        }
    });
    world
        .set_fields(Fields::uniform(DVec2::ZERO).with(Field::Force(broken)))
        .unwrap();
    let ball = Body::ball(0.1, 1.0, DVec2::ZERO, DVec2::new(1.0, 0.0)).unwrap();
    let ball = world.add(ball.named("probe")).unwrap();
    let mut run = Exact::new(world).unwrap();
    let error = run.run_to(5.0).unwrap_err().to_string();
    assert!(
        error.starts_with("the trajectory of probe cannot be continued: "),
        "{error}"
    );
    assert!(error.contains("my force"), "{error}");
    let (time, place) = (run.time(), run.state(ball).position.x);
    assert!(time <= 1.0 + 1e-9 && place <= 1.0 + 1e-9, "{time} {place}");
    // It goes on saying so.
    assert!(run.run_to(5.0).is_err());
}
