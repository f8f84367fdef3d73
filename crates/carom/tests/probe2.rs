//! Temporary.
use carom::material::Material;
use carom::prelude::*;
use carom::record::Event;
use carom::simulate::Until;
use std::ops::ControlFlow;
const G: f64 = 9.81;
#[test]
fn three() {
    for friction in [0.0, 0.3] {
        for lean in [0.0, 0.3] {
            let mut world = World3::new();
            let m = Material {
                restitution: 0.5,
                static_friction: friction,
                kinetic_friction: friction,
                ..Material::default()
            };
            world.materials.add("default", m).unwrap();
            world.set_gravity(DVec3::new(-1.0, -1.5, -9.0)).unwrap();
            for normal in [
                DVec3::new(1.0, lean, 0.0),
                DVec3::new(0.0, 1.0, lean),
                DVec3::Z,
            ] {
                world
                    .add(Body::fixed(
                        Shape::HalfSpace(HalfSpace::solid(normal.normalize()).unwrap()),
                        Pose::at(DVec3::ZERO),
                    ))
                    .unwrap();
            }
            let ball = world
                .add(Body::ball(0.1, 0.7, DVec3::new(0.4, 0.35, 0.3), DVec3::ZERO).unwrap())
                .unwrap();
            let mut run = Exact::new(world).unwrap();
            let mut n = 0;
            let end = run.run_until(Until::time(20.0), |event| {
                if let Event::Transition(t) = event {
                    n += 1;
                    if n < 90 {
                        println!("{:?} {:?} {:.12}", t.gait, t.on, t.time);
                    }
                }
                ControlFlow::Continue(())
            });
            println!(
                "{end:?} {n} transitions, {} collisions {:?} rest {} imbalance {:e}",
                run.collisions(),
                run.state(ball),
                run.is_at_rest_everywhere(),
                run.audit().energy_imbalance
            );
            for (h, g) in [(0.3, 1.0), (0.25, 1.5), (0.2, 9.0)] {
                println!("T {:.12}", (2.0f64 * h / g).sqrt() * 3.0);
            }
        }
    }
}
#[test]
fn groove() {
    for spinning in [0.0, 0.01] {
        for (spin, v) in [(20.0, 1.0), (5.0, 0.0), (3.0, 1.0)] {
            let mut world = World3::new();
            let m = Material {
                restitution: 0.3,
                static_friction: 0.2,
                kinetic_friction: 0.2,
                spinning_resistance: spinning,
                ..Material::default()
            };
            world.materials.add("default", m).unwrap();
            world.set_gravity(DVec3::new(0.0, 0.0, -G)).unwrap();
            for side in [0.8, -0.8] {
                world
                    .add(Body::fixed(
                        Shape::HalfSpace(HalfSpace::solid(DVec3::new(0.0, side, 0.6)).unwrap()),
                        Pose::at(DVec3::ZERO),
                    ))
                    .unwrap();
            }
            let mut body =
                Body::ball(0.3, 0.7, DVec3::new(0.0, 0.0, 0.5), DVec3::new(v, 0.0, 0.0)).unwrap();
            if let Kind::Free(free) = &mut body.kind {
                free.spin = DVec3::new(spin, 0.0, 0.0);
            }
            let ball = world.add(body).unwrap();
            let mut run = Exact::new(world).unwrap();
            let mut n = 0;
            let t0 = std::time::Instant::now();
            let end = run.run_until(Until::time(5.0), |event| {
                if let Event::Transition(t) = event {
                    n += 1;
                    if n < 9 {
                        println!("{:?} {:?} {:.12}", t.gait, t.on, t.time);
                    }
                }
                ControlFlow::Continue(())
            });
            println!(
                "spin {spin} v {v} mu_p {spinning}: {end:?} {n} transitions, {} collisions {:?} rest {} imbalance {:e} took {:?}",
                run.collisions(),
                run.state(ball),
                run.is_at_rest_everywhere(),
                run.audit().energy_imbalance,
                t0.elapsed()
            );
        }
    }
}
