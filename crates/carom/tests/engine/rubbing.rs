//! Balls that rub at two and at three walls at once, until they roll or rest.

use carom::body::Kind;
use carom::material::Material;
use carom::prelude::*;
use carom::shape::HalfSpace;
use carom::simulate::Exact;

fn wall(normal: DVec3) -> Body<Space3> {
    let shape = Shape::HalfSpace(HalfSpace::solid(normal).unwrap());
    Body::fixed(shape)
}

fn ball(place: DVec3, velocity: DVec3, angular_velocity: DVec3) -> Body<Space3> {
    let mut body = Body::ball(0.1, 0.7, place, velocity).unwrap();
    if let Kind::Free(free) = &mut body.kind {
        free.angular_velocity = angular_velocity;
    }
    body
}

fn material(rolling: f64, spinning: f64) -> Material {
    Material {
        restitution: 0.5,
        static_friction: 0.3,
        kinetic_friction: 0.3,
        rolling_resistance: rolling,
        spinning_resistance: spinning,
        ..Material::default()
    }
}

#[test]
fn a_ball_that_rubs_at_three_walls_comes_to_rest_in_their_corner() {
    let thrown = (DVec3::new(0.3, -0.7, 0.2), DVec3::new(3.0, -5.0, 7.0));
    for (rolling, spinning) in [(0.0, 0.0), (0.01, 0.0), (0.01, 0.01)] {
        for (velocity, angular_velocity) in [(DVec3::ZERO, DVec3::ZERO), thrown] {
            let mut world = World3::new();
            let material = material(rolling, spinning);
            world.materials.add("default", material).unwrap();
            world.set_gravity(DVec3::new(-1.0, -2.0, -9.0)).unwrap();
            for normal in [DVec3::X, DVec3::Y, DVec3::Z] {
                world.add(wall(normal)).unwrap();
            }
            let start = DVec3::new(0.3, 0.4, 0.5);
            let ball = world.add(ball(start, velocity, angular_velocity)).unwrap();
            let mut exact = Exact::new(world).unwrap();
            assert_eq!(exact.run_to(10.0), Ok(End::Time));
            assert!(exact.is_at_rest_everywhere());
            // It falls asleep where it could be lifted by 10⁻¹⁰ of its radius, and may have been that far, times what
            // gravity is steeper along one wall.
            let off = (exact.state(ball).position - DVec3::splat(0.1)).length();
            assert!(off < 1e-6, "{rolling} {spinning}: {off:e}");
            // Some hundreds of entries, each rounded.
            let audit = exact.audit();
            assert!(audit.energy_residual.abs() < 1e-12, "{audit:?}");
        }
    }
}

#[test]
fn against_spinning_resistance_a_ball_in_a_groove_grips_one_side_first() {
    let spins = [
        DVec3::ZERO,
        DVec3::new(2.0, 0.0, 5.0),
        DVec3::new(0.0, 4.0, 0.0),
    ];
    for half in [0.5_f64, 0.8, 1.2] {
        for slope in [0.0, 0.1] {
            for (rolling, spinning) in [(0.0, 0.001), (0.01, 0.01), (0.0, 0.1)] {
                for angular_velocity in spins {
                    let mut world = World3::new();
                    let material = material(rolling, spinning);
                    world.materials.add("default", material).unwrap();
                    let down = DVec3::new(0.0, libm::sin(slope), -libm::cos(slope));
                    world.set_gravity(down * 9.81).unwrap();
                    let (sin, cos) = (libm::sin(half), libm::cos(half));
                    world.add(wall(DVec3::new(cos, 0.0, sin))).unwrap();
                    world.add(wall(DVec3::new(-cos, 0.0, sin))).unwrap();
                    let start = DVec3::new(0.0, 0.0, 0.1 / sin);
                    let ball = world.add(ball(start, DVec3::Y, angular_velocity)).unwrap();
                    let mut exact = Exact::new(world).unwrap();
                    assert_eq!(exact.run_to(10.0), Ok(End::Time));
                    // It rolls in the end, or rests: about the line through both points, r sin β away.
                    let state = exact.state(ball);
                    let rolls = state.angular_velocity.x * 0.1 * sin + state.velocity.y;
                    assert!(
                        rolls.abs() < 1e-11,
                        "{half} {slope} {angular_velocity}: {state:?}"
                    );
                    // Of 10⁻¹³ by the integrator, piece by piece.
                    let audit = exact.audit();
                    assert!(audit.energy_residual.abs() < 1e-11, "{audit:?}");
                }
            }
        }
    }
}
