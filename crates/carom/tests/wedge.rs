//! Temporary.
#![allow(missing_docs, dead_code)]
#[path = "engine/wedge_reference.rs"]
mod wedge_reference;
use carom::material::Material;
use carom::prelude::*;
use carom::record::{Event, Transition};
use carom::simulate::Until;
use std::ops::ControlFlow;
use wedge_reference::{Disc, Reference, Wall};
const G: f64 = 9.81;

fn run(walls: [Wall; 2], disc: Disc) {
    let reference = Reference::new([0.0, -G], walls, &disc).run();
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -G)).unwrap();
    world.materials.add("default", Material::default()).unwrap();
    for (number, wall) in walls.iter().enumerate() {
        let id = world
            .materials
            .add(&format!("wall {number}"), Material::default())
            .unwrap();
        let ball = world.materials.find("default").unwrap();
        world
            .materials
            .override_pair(
                ball,
                id,
                PairOverride {
                    restitution: Some(wall.restitution),
                    static_friction: Some(wall.friction),
                    kinetic_friction: Some(wall.friction),
                    ..PairOverride::default()
                },
            )
            .unwrap();
        let shape = Shape::HalfSpace(HalfSpace::solid(DVec2::from(wall.normal)).unwrap());
        let mut body = Body::fixed(shape, Pose::at(DVec2::ZERO));
        body.material = id;
        world.add(body).unwrap();
    }
    let mut body = Body::ball(
        disc.radius,
        0.7,
        DVec2::from(disc.place),
        DVec2::from(disc.velocity),
    )
    .unwrap();
    if let Kind::Free(free) = &mut body.kind {
        free.spin = disc.spin;
    }
    let ball = world.add(body).unwrap();
    let mut exact = Exact::new(world).unwrap();
    println!(
        "--- {:?} {:?} hits {}",
        walls.map(|w| (w.normal, w.restitution, w.friction)),
        disc.velocity,
        reference.hits
    );
    for moment in &reference.moments {
        println!(
            "   ref {:?} t {:.16} spin {:e}",
            moment.event, moment.time, moment.spin
        );
    }
    let mut ts: Vec<Transition> = Vec::new();
    exact
        .run_until(Until::time(30.0), |event| {
            if let Event::Transition(t) = event {
                ts.push(*t);
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    for t in &ts {
        println!("   eng {:?} {:?} t {:.16}", t.gait, t.on, t.time);
    }
    let last = reference.moments.last().unwrap();
    let mut spread: f64 = 0.0;
    for (x, y) in [(1e-16, 0.0), (-1e-16, 0.0), (0.0, 1e-16), (0.0, -1e-16)] {
        let moved = Disc {
            place: [disc.place[0] + x, disc.place[1] + y],
            ..disc
        };
        let off = Reference::new([0.0, -G], walls, &moved)
            .run()
            .moments
            .last()
            .unwrap()
            .time
            - last.time;
        spread = spread.max(off.abs());
    }
    println!("   spread {spread:e}");
    let end = ts.iter().rev().take(1).next().unwrap();
    println!(
        "   off {:e} s   place off {:e}  collisions {}",
        end.time - last.time,
        (exact.state(ball).position - DVec2::from(last.place)).length(),
        exact.collisions()
    );
}

#[test]
fn all() {
    for (a, b) in [
        (0.7f64, 0.9f64),
        (0.4, 1.3),
        (0.6, 0.5),
        (1.3, 1.2),
        (0.2, 0.3),
    ] {
        for (e, f) in [(0.5, 0.6), (0.8, 0.7), (0.1, 0.3)] {
            for (m, n) in [(0.0, 0.0), (0.3, 0.2)] {
                let walls = [
                    Wall {
                        normal: [libm::sin(a), libm::cos(a)],
                        restitution: e,
                        friction: m,
                    },
                    Wall {
                        normal: [-libm::sin(b), libm::cos(b)],
                        restitution: f,
                        friction: n,
                    },
                ];
                let r = 0.1;
                // apex of the ball: solve n_i . p = r
                let (n1, n2) = (DVec2::from(walls[0].normal), DVec2::from(walls[1].normal));
                let det = n1.x * n2.y - n1.y * n2.x;
                let corner = DVec2::new(r * (n2.y - n1.y) / det, r * (n1.x - n2.x) / det);
                run(
                    walls,
                    Disc {
                        radius: r,
                        place: [corner.x + 0.02, corner.y + 0.3],
                        velocity: [0.11, 0.0],
                        spin: 0.0,
                    },
                );
            }
        }
    }
}
