//! Balls that lie, slide and roll on floors.

use carom::body::Kind;
use carom::material::Constants;
use carom::prelude::*;
use carom::shape::HalfSpace;
use carom::simulate::Stepped;
use carom::simulate::{Ending, Scheme};

const GRAVITY: f64 = 9.81;
const STIFFNESS: f64 = 1e5;

/// A billiard ball on a floor, sunk in by its weight, of a material of its own.
fn on_the_floor(material: Material, velocity: DVec3, angular_velocity: DVec3) -> (World3, f64) {
    let mut world = World3::new();
    world.set_gravity(DVec3::new(0.0, 0.0, -GRAVITY)).unwrap();
    let id = world.materials.add("cloth", material).unwrap();
    // The floor is as soft as the ball: two in series.
    let constants = Constants::linear(2.0 * STIFFNESS);
    world.materials.set_constants(id, constants).unwrap();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec3::Z).unwrap());
    let floor = Body::fixed(floor);
    world.add(floor.named("floor").made_of(id)).unwrap();
    let (radius, mass) = (0.028, 0.17);
    let sunk = mass * GRAVITY / STIFFNESS;
    let place = DVec3::new(0.0, 0.0, radius - sunk);
    let mut ball = Body::ball(radius, mass, place, velocity).unwrap();
    if let Kind::Free(free) = &mut ball.kind {
        free.angular_velocity = angular_velocity;
    }
    world.add(ball.named("ball").made_of(id)).unwrap();
    (world, radius - sunk)
}

fn cloth() -> Material {
    Material {
        restitution: 0.7,
        static_friction: 0.2,
        kinetic_friction: 0.2,
        ..Material::default()
    }
}

/// Dropped onto the floor it comes to rest at an overlap of m g/k, with every scheme, and the floor carries its weight.
#[test]
fn a_ball_rests_at_its_weight_over_the_stiffness() {
    for scheme in Scheme::ALL {
        for ending in [Ending::Attracting, Ending::CutOff] {
            let (mut world, _) = on_the_floor(cloth(), DVec3::ZERO, DVec3::ZERO);
            let mut higher = World3::new();
            higher.materials = std::mem::take(&mut world.materials);
            higher.set_gravity(world.gravity()).unwrap();
            for body in world.bodies() {
                let mut body = body.clone();
                if let Kind::Free(_) = body.kind {
                    body.pose.position.z = 0.03;
                }
                higher.add(body).unwrap();
            }
            let forces = Forces::default().by(scheme).with_ending(ending);
            let mut run = Stepped::new(higher, &forces).unwrap();
            // The contact's own oscillation dies out as e^(−βt) with β = ζω₀ = 0.11·767/s: by 1.5 s nothing is left.
            run.run_to(1.5).unwrap();
            let overlap = run.touching()[0].2;
            // To 1e-12 of the radius' own rounding.
            let truth = 0.17 * GRAVITY / STIFFNESS;
            assert!(
                (overlap - truth).abs() < 1e-15,
                "{scheme} {overlap} {truth}"
            );
            let audit = run.audit();
            let weight = 0.17 * GRAVITY * 1.5;
            let carried = audit.momentum_from_fixtures.z - audit.momentum.z;
            assert!(
                (carried - weight).abs() < 1e-3 * weight,
                "{scheme} {carried}"
            );
            assert!(audit.momentum_residual.length() < 1e-12, "{scheme}");
        }
    }
}

/// A ball that slides without spin ends up rolling at 5/7 of its speed (C7), whatever the friction; here with the arm
/// h = r − mg/k of the sunken ball: `v = v₀ q/(1+q)` with `q = m h²/I`.
#[test]
fn a_sliding_ball_ends_up_rolling() {
    let (world, arm) = on_the_floor(cloth(), DVec3::X, DVec3::ZERO);
    let mut run = Stepped::new(world, &Forces::default()).unwrap();
    // It slides for (2/7) v₀/μg = 0.15 s.
    run.run_to(1.0).unwrap();
    let state = run.state(BodyId(1));
    let q = 2.5 * (arm / 0.028) * (arm / 0.028);
    let speed = q / (1.0 + q);
    // What is left of the tangential spring's oscillation, which its damper takes: far less than this.
    assert!(
        (state.velocity.x - speed).abs() < 1e-9,
        "{} {speed}",
        state.velocity.x
    );
    assert!(
        (state.angular_velocity.y * arm - speed).abs() < 1e-9,
        "{}",
        state.angular_velocity.y
    );
    // 2/7 of the energy is gone, nearly all of it by friction.
    let audit = run.audit();
    let lost = 0.5 * 0.17 * (1.0 - speed);
    assert!(
        (audit.dissipated.friction - lost).abs() < 1e-4 * lost,
        "{audit:?}"
    );
    // Sliding friction is cut into steps, at whose ends the spring is let go: of first order in the step, t_c/50.
    assert!(
        audit.energy_residual.abs() < 1e-4 * lost,
        "{}",
        audit.energy_residual
    );
}

/// Rolling resistance slows a ball on the level down by μ_r g, as it does where impulses act.
#[test]
fn a_rolling_ball_slows_down() {
    let material = Material {
        rolling_resistance: 0.01,
        ..cloth()
    };
    let angular_velocity = DVec3::new(0.0, 1.0 / 0.028, 0.0);
    let (world, _) = on_the_floor(material, DVec3::X, angular_velocity);
    let mut run = Stepped::new(world, &Forces::default()).unwrap();
    run.run_to(2.0).unwrap();
    let state = run.state(BodyId(1));
    let truth = 1.0 - 0.01 * GRAVITY * 2.0;
    // The ball is sunk in by 6e-4 of its radius, and swings about the mean by its springs.
    assert!(
        (state.velocity.x - truth).abs() < 2e-3,
        "{} {truth}",
        state.velocity.x
    );
    let audit = run.audit();
    assert!(
        audit.dissipated.rolling > 0.9 * 0.5 * 0.17 * 1.4 * (1.0 - truth * truth),
        "{audit:?}"
    );
    // And it comes to rest, and stays there.
    run.run_to(12.0).unwrap();
    let state = run.state(BodyId(1));
    assert!(state.velocity.length() < 1e-6, "{:?}", state.velocity);
}

/// Resistance to spinning about the normal: α = −μ_p r m g / I.
#[test]
fn a_spinning_ball_slows_down() {
    let material = Material {
        spinning_resistance: 0.002,
        ..cloth()
    };
    let (world, _) = on_the_floor(material, DVec3::ZERO, DVec3::new(0.0, 0.0, 50.0));
    let mut run = Stepped::new(world, &Forces::default()).unwrap();
    run.run_to(2.0).unwrap();
    let rate = 0.002 * GRAVITY / (0.4 * 0.028);
    let truth = 50.0 - rate * 2.0;
    // The spring has to be stretched first.
    let angular_velocity = run.state(BodyId(1)).angular_velocity.z;
    assert!(
        (angular_velocity - truth).abs() < 2e-3 * truth,
        "{angular_velocity} {truth}"
    );
}

/// Static friction holds a ball that cannot turn on a slope below tan⁻¹ μ_s, and lets it go above.
#[test]
fn static_friction_holds_on_a_slope() {
    for (slope, holds) in [(0.19, true), (0.21, false)] {
        let (mut world, _) = on_the_floor(cloth(), DVec3::ZERO, DVec3::ZERO);
        let gravity = DVec3::new(GRAVITY * slope, 0.0, -GRAVITY);
        world.set_gravity(gravity).unwrap();
        let mut stuck = World3::new();
        stuck.materials = world.materials.clone();
        stuck.set_gravity(gravity).unwrap();
        for body in world.bodies() {
            let mut body = body.clone();
            if let Kind::Free(free) = &mut body.kind {
                free.inertia = f64::INFINITY;
            }
            stuck.add(body).unwrap();
        }
        let mut run = Stepped::new(stuck, &Forces::default()).unwrap();
        run.run_to(0.4).unwrap();
        let early = run.state(BodyId(1));
        run.run_to(0.5).unwrap();
        let late = run.state(BodyId(1));
        if holds {
            // The weight comes suddenly, so that the spring first swings through its limit and gives way a little; then
            // it holds.
            let way = late.position.x - early.position.x;
            assert!(early.position.x < 1e-3 && way.abs() < 1e-12, "{way}");
        } else {
            let faster = late.velocity.x - early.velocity.x;
            let truth = GRAVITY * (slope - 0.2) * 0.1;
            // The weight across the slope is g, so that friction is exactly 0.2 g but for the swing of the spring.
            assert!((faster - truth).abs() < 0.01 * truth, "{faster} {truth}");
        }
    }
}
