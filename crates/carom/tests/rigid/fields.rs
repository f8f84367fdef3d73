//! Fields other than uniform gravity on rigid bodies: drag, wind, lift, rotational drag, central fields, springs,
//! regions. Closed forms, a round body beside a ball, the same scene by forces, and the budgets.

use super::runs::{block2, world2};
use carom::motion::{Drag, Field, Fields, Lift, Region, RotationalDrag, Wind};
use carom::prelude::*;
use carom::shape::{Compound, Convex};
use carom::simulate::{Exact, Settling};

fn round<S: carom::shape::Shaped>(radius: f64) -> Shape<S> {
    let ball = Convex::ball(radius).expect("positive");
    Shape::Compound(Box::new(Compound::new(vec![ball], 1.0).expect("one part")))
}

fn settling(step: f64) -> Settling {
    Settling::default().with_step(step)
}

fn check_budgets(run: &Exact<Space2>, energy: f64) {
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < energy, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-9, "{audit:?}");
    let angular = audit.angular_momentum.expect("there is one");
    assert!(angular.residual.abs() < 1e-9, "{audit:?}");
}

/// Drag, wind, lift, rotational drag, a spring and a central field at once: a body made of one round part flies as a
/// ball does, whose flight is integrated to 1e-12; what it is off by falls with the square of the step.
#[test]
fn a_round_body_flies_as_a_ball_does_in_every_field() {
    let fields = || {
        let wind = Wind::Uniform {
            velocity: DVec2::new(1.0, 0.3),
        };
        let central = Field::Central {
            centre: DVec2::new(3.0, -2.0),
            strength: 4.0,
            softening: 0.5,
        };
        let spring = Field::Spring {
            centre: DVec2::new(-1.0, 1.0),
            stiffness: 0.4,
        };
        Fields::uniform(DVec2::new(0.0, -3.0))
            .with(Field::Drag(Drag::AIR))
            .with(Field::Drag(Drag::Given {
                linear: 0.05,
                quadratic: 0.02,
            }))
            .with(Field::Wind(wind))
            .with(Field::Lift(Lift::Given { coefficient: 0.01 }))
            .with(Field::RotationalDrag(RotationalDrag::Given {
                coefficient: 1e-3,
            }))
            .with(central)
            .with(spring)
    };
    let end = |shape: Shape<Space2>, step: f64| {
        let mut world = World2::new();
        world.set_fields(fields()).expect("allowed");
        let body = Body::free(shape).mass(0.3).at(DVec2::new(0.0, 1.0));
        let body = body.velocity(DVec2::new(2.0, 3.0)).angular_velocity(5.0);
        let id = world.add(body).expect("allowed");
        let mut run = Exact::with(world, &settling(step)).expect("allowed");
        run.run_to(2.0).expect("it gets on");
        check_budgets(&run, 1e-11);
        run.state(id)
    };
    let ball = end(Shape::ball(0.2).expect("positive"), 1.0 / 240.0);
    let off = |step: f64| {
        let body = end(round(0.2), step);
        let turn = (body.angular_velocity - ball.angular_velocity).abs();
        ((body.position - ball.position).length(), turn)
    };
    let (coarse, fine) = (off(1.0 / 240.0), off(1.0 / 480.0));
    // Of second order: a h² t²/12 or so, with accelerations that change by some m/s³.
    assert!(coarse.0 < 1e-4 && coarse.1 < 1e-4, "{coarse:?}");
    assert!(
        fine.0 < coarse.0 / 3.5 && fine.0 > coarse.0 / 4.5,
        "{coarse:?} {fine:?}"
    );
}

/// A cube that falls flat through air has the speed v tanh(g t/v), with v² = 2 m g/(ρ C A) for the area A of its side;
/// by impulses and by forces.
#[test]
fn a_cube_that_falls_flat_has_the_speed_of_its_area() {
    let (density, coefficient, side, mass) = (1.2, 1.05, 0.5, 2.0);
    let drag = Drag::OfMedium {
        density,
        viscosity: 0.0,
        coefficient,
    };
    let world = || {
        let mut world = World3::new();
        let fields = Fields::uniform(DVec3::new(0.0, 0.0, -9.81)).with(Field::Drag(drag));
        world.set_fields(fields).expect("allowed");
        let shape = Shape::block(DVec3::splat(0.5 * side)).expect("positive");
        let body = Body::free(shape).mass(mass).at(DVec3::new(0.0, 0.0, 50.0));
        world.add(body).expect("allowed");
        world
    };
    let limit = (2.0 * mass * 9.81 / (density * coefficient * side * side)).sqrt();
    let expected = -limit * (9.81 * 2.0 / limit).tanh();
    let mut run = Simulation::new(world()).expect("allowed");
    run.run_until(2.0).expect("it gets on");
    let state = run.state(BodyId(0));
    // Second order: a share of (g h/v)² = 1.5e-5 of 10.5 m/s.
    assert!(
        (state.velocity.z - expected).abs() < 5e-5,
        "{state:?} {expected}"
    );
    assert!(state.angular_velocity.length() < 1e-14, "{state:?}");
    let mut run = Simulation::with(world(), Forces::stepping(1e-3)).expect("allowed");
    run.run_until(2.0).expect("it gets on");
    let state = run.state(BodyId(0));
    assert!(
        (state.velocity.z - expected).abs() < 1e-9,
        "{state:?} {expected}"
    );
}

/// A vane, a heavy ball with a light plate behind it, turns into the wind; both methods turn it alike.
#[test]
fn a_vane_turns_into_the_wind_by_both_methods() {
    let world = || {
        let mut world = World3::new();
        let wind = Wind::Uniform {
            velocity: DVec3::new(8.0, 0.0, 0.0),
        };
        let fields = Fields::uniform(DVec3::ZERO)
            .with(Field::Drag(Drag::OfMedium {
                density: 1.2,
                viscosity: 0.0,
                coefficient: 1.0,
            }))
            .with(Field::Wind(wind));
        world.set_fields(fields).expect("allowed");
        // The plate is behind the ball along +x, and stands across y; turned by 0.4 rad about z.
        let head = Convex::<Space3>::ball(0.15).expect("positive");
        let plate = Convex::block(DVec3::new(0.2, 0.01, 0.2)).expect("positive");
        let plate = plate.placed(&Pose::at(DVec3::new(0.4, 0.0, 0.0)));
        let shape = Shape::compound(vec![head, plate]).expect("apart");
        let turn = glam::DQuat::from_rotation_z(0.4);
        let body = Body::free(shape).mass(0.5).rotated(turn);
        world.add(body).expect("allowed");
        world
    };
    let by_impulses = |step: f64| {
        let mut run = Exact::with(world(), &settling(step)).expect("allowed");
        run.run_to(0.1).expect("it gets on");
        run.state(BodyId(0)).angular_velocity
    };
    let mut run = Simulation::with(world(), Forces::stepping(1e-4)).expect("allowed");
    run.run_until(0.1).expect("it gets on");
    let by_forces = run.state(BodyId(0)).angular_velocity;
    assert!(by_forces.z < -0.5, "{by_forces}");
    let [coarse, fine] = [240.0, 480.0].map(|rate| (by_impulses(1.0 / rate) - by_forces).length());
    // What the steps of 1/240 s leave is of second order.
    assert!(
        coarse < 1e-3 && (fine / coarse - 0.25).abs() < 0.03,
        "{coarse} {fine}"
    );
}

/// A box on a circular orbit comes back after a period, and keeps its energy and its angular momentum.
#[test]
fn a_box_on_an_orbit_comes_back() {
    let mut world = World2::new();
    let central = Field::Central {
        centre: DVec2::ZERO,
        strength: 8.0,
        softening: 0.0,
    };
    let fields = Fields::uniform(DVec2::ZERO).with(central);
    world.set_fields(fields).expect("allowed");
    let shape = Shape::block(DVec2::new(0.1, 0.05)).expect("positive");
    let body = Body::free(shape).mass(2.0).at(DVec2::new(2.0, 0.0));
    let id = world
        .add(body.velocity(DVec2::new(0.0, 2.0)).angular_velocity(3.0))
        .expect("allowed");
    let off = |step: f64| {
        let mut run = Exact::with(world.clone(), &settling(step)).expect("allowed");
        run.run_to(std::f64::consts::TAU).expect("it gets on");
        let state = run.state(id);
        assert!((state.angular_velocity - 3.0).abs() < 1e-14);
        check_budgets(&run, 1e-11);
        let audit = run.audit();
        assert!(audit.losses.fields.abs() < 1e-13, "{audit:?}");
        assert!(audit.losses.lasting.stepping.abs() < 1e-5, "{audit:?}");
        (state.position - DVec2::new(2.0, 0.0)).length()
    };
    let (coarse, fine) = (off(1.0 / 240.0), off(1.0 / 480.0));
    // The leapfrog is off by a share of (ω h)² = 1.7e-5 of the way of 12.6 m, and by a quarter of that with half the
    // step.
    assert!(coarse < 2e-4, "{coarse}");
    assert!((fine / coarse - 0.25).abs() < 0.01, "{coarse} {fine}");
}

/// Without uniform gravity a box falls onto a table above a planet, comes to rest there, and sleeps: the table carries
/// its weight.
#[test]
fn a_box_falls_towards_a_planet_and_sleeps() {
    let mut world = world2(0.3, 0.6);
    let central = Field::Central {
        centre: DVec2::new(0.0, 3.0),
        strength: 90.0,
        softening: 0.0,
    };
    world
        .set_fields(Fields::uniform(DVec2::ZERO).with(central))
        .expect("allowed");
    let table = Shape::block(DVec2::new(1.0, 0.25)).expect("positive");
    world
        .add(Body::fixed(table).at(DVec2::new(0.0, 4.75)))
        .expect("allowed");
    let id = world
        .add(block2([0.4, 0.2], [0.05, 5.6], 0.2))
        .expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    run.run_to(6.0).expect("it gets on");
    assert_eq!(run.lasting_rigid(), (1, 1), "it sleeps");
    let state = run.state(id);
    let height = (state.position - DVec2::new(0.0, 3.0)).length();
    assert!((state.position.y - 5.1).abs() < 1e-6, "{state:?}");
    let force: DVec2 = run.contact_forces().iter().map(|it| it.force).sum();
    let weight = 0.08 * 90.0 / (height * height);
    assert!(
        (force.length() - weight).abs() < 1e-5 * weight,
        "{force} {weight}"
    );
    check_budgets(&run, 1e-9);
}

/// Wind blows a box along the floor: m dv/dt = k (w − v) − μ m g, in closed form; in a region without wind it stops,
/// and sleeps. A wind that friction holds against moves nothing.
#[test]
fn wind_blows_a_box_along_the_floor() {
    let (drag, wind, friction) = (0.4, 30.0, 0.2);
    for (speed, moves) in [(wind, true), (2.0, false)] {
        let mut world = world2(0.0, friction);
        let blows = Wind::Uniform {
            velocity: DVec2::new(speed, 0.0),
        };
        let here = Region::HalfSpace {
            point: DVec2::new(50.0, 0.0),
            normal: DVec2::X,
        };
        let fields = Fields::uniform(DVec2::new(0.0, -9.81))
            .with(Field::Drag(Drag::Given {
                linear: drag,
                quadratic: 0.0,
            }))
            .within(here, Field::Wind(blows));
        world.set_fields(fields).expect("allowed");
        let id = world
            .add(block2([1.0, 0.5], [0.0, 0.25], 0.0))
            .expect("allowed");
        let mut run = Exact::with(world, &Settling::default()).expect("apart");
        run.run_to(2.0).expect("it gets on");
        let state = run.state(id);
        if moves {
            let (mass, t) = (0.5, 2.0_f64);
            let limit = speed - friction * mass * 9.81 / drag;
            let expected = limit * (1.0 - (-drag * t / mass).exp());
            // Second order in a step, and what the solver leaves.
            assert!(
                (state.velocity.x - expected).abs() < 1e-4 * expected,
                "{state:?} {expected}"
            );
        } else {
            assert!(
                state.position.x.abs() < 1e-6 && run.lasting_rigid().1 == 1,
                "{state:?}"
            );
        }
        check_budgets(&run, 1e-9);
    }
}

/// Boxes and a ball tumble in a wind, on a floor, in a vortex and a region of weightlessness: the books close, and a
/// ball that lies on a box feels the fields there.
#[test]
fn the_budgets_close_in_a_storm() {
    let mut world = world2(0.4, 0.4);
    let vortex = Wind::Vortex {
        centre: DVec2::new(0.0, 2.0),
        axis: 1.0,
        circulation: 12.0,
        core: 0.5,
    };
    let disc = Region::Ball {
        centre: DVec2::new(1.5, 2.0),
        radius: 0.8,
    };
    let fields = Fields::uniform(DVec2::new(0.0, -9.81))
        .with(Field::Drag(Drag::Given {
            linear: 0.1,
            quadratic: 0.05,
        }))
        .with(Field::Wind(vortex))
        .with(Field::RotationalDrag(RotationalDrag::Given {
            coefficient: 1e-3,
        }))
        .within(disc, Field::Uniform(DVec2::new(0.0, 9.81)));
    world.set_fields(fields).expect("allowed");
    for k in 0..4 {
        let x = -1.5 + f64::from(k);
        world
            .add(block2([0.5, 0.3], [x, 1.5 + 0.3 * x], 0.4 * x))
            .expect("allowed");
        let ball = Body::ball(0.12, 0.1, DVec2::new(x, 3.5), DVec2::new(0.3, 0.0));
        world.add(ball.expect("a ball")).expect("allowed");
    }
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    run.run_to(4.0).expect("it gets on");
    check_budgets(&run, 1e-8);
    assert!(run.audit().deepest_overlap < 1e-5);
}

/// A wind that gets up while a run goes on blows a box away that slept; in pieces and after it was stored the run has
/// the same bits.
#[test]
fn fields_set_in_a_run_wake_a_box_and_survive_a_snapshot() {
    let world = || {
        let mut world = world2(0.0, 0.1);
        world
            .add(block2([1.0, 0.5], [0.0, 0.25], 0.0))
            .expect("allowed");
        world
    };
    let fields = Fields::uniform(DVec2::new(0.0, -9.81))
        .with(Field::Drag(Drag::Given {
            linear: 0.5,
            quadratic: 0.0,
        }))
        .with(Field::Wind(Wind::Uniform {
            velocity: DVec2::new(10.0, 0.0),
        }));
    let mut run = Simulation::new(world()).expect("apart");
    run.run_until(1.0).expect("it gets on");
    run.set_fields(fields.clone()).expect("allowed");
    let bytes = run.snapshot();
    let mut restored = Simulation::<Space2>::restore(&bytes).expect("as stored");
    run.run_until(2.0).expect("it gets on");
    for k in 1..=10 {
        let t = 1.0 + 0.1 * f64::from(k);
        restored.run_until(t).expect("it gets on");
    }
    let id = BodyId(1);
    assert!(run.state(id).velocity.x > 1.0, "{:?}", run.state(id));
    assert_eq!(run.state(id), restored.state(id));
    assert_eq!(run.digest(), restored.digest());
}
