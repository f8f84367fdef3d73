//! Temporary.
#![allow(missing_docs, dead_code)]
use carom::material::Material;
use carom::prelude::*;

fn bump(speed: f64, scale: f64, balls: bool, gravity: f64) -> String {
    let mut world = World2::new();
    world.materials.add("default", Material::default()).unwrap();
    if let Err(e) = world.set_gravity(DVec2::new(0.0, -gravity)) {
        return format!("gravity {e}");
    }
    for (n, d) in [(DVec2::X, -scale), (DVec2::NEG_X, scale)] {
        let shape = Shape::HalfSpace(HalfSpace::solid(n).unwrap());
        world
            .add(Body::fixed(shape, Pose::at(DVec2::new(d, 0.0))))
            .unwrap();
    }
    let r = 0.1 * scale;
    match Body::ball(
        r,
        1.0,
        DVec2::new(0.5 * scale, 0.0),
        DVec2::new(speed, 0.3 * speed),
    ) {
        Ok(b) => {
            if let Err(e) = world.add(b) {
                return format!("add: {e}");
            }
        }
        Err(e) => return format!("ball: {e}"),
    }
    if balls {
        if let Ok(b) = Body::ball(r, 1.0, DVec2::new(-0.5 * scale, 0.0), DVec2::ZERO) {
            if let Err(e) = world.add(b) {
                return format!("add: {e}");
            }
        }
    }
    let mut exact = match Exact::new(world) {
        Ok(e) => e,
        Err(e) => return format!("new: {e:?}"),
    };
    let end = exact.run_to(100.0 * scale / speed);
    format!(
        "{end:?} collisions {} audit {:e}",
        exact.collisions(),
        exact.audit().energy_imbalance
    )
}

#[test]
fn probe() {
    for balls in [false, true] {
        for k in [
            50, 70, 75, 80, 100, 120, 140, 150, 152, 154, 156, 160, 200, 300,
        ] {
            println!(
                "balls {balls} speed 1e{k}: {}",
                bump(10f64.powi(k), 1.0, balls, 0.0)
            );
            println!(
                "balls {balls} g speed 1e{k}: {}",
                bump(10f64.powi(k), 1.0, balls, 10.0)
            );
        }
        for k in [
            -300, -200, -160, -150, -100, -80, -50, 50, 70, 75, 80, 100, 120, 140, 150, 152, 154,
            156, 160, 200, 300,
        ] {
            let s = 10f64.powi(k);
            println!("balls {balls} scale 1e{k}: {}", bump(s, s, balls, 0.0));
        }
        for k in [-300, -200, -160, -100, -80, -50] {
            let s = 10f64.powi(k);
            println!("balls {balls} slow 1e{k}: {}", bump(s, 1.0, balls, 0.0));
        }
    }
}
