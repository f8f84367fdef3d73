//! Floor and walls carry the weight of all that sleeps, and the forces on each body balance, to 10⁻⁹ of the weight.
//! (More than a hundred points with friction were held to 10⁻⁴ only. Three hundred discs and forty spheres:
//! `tests/engine/piles.rs`.)

use carom::body::Kind;
use carom::prelude::*;
use carom::simulate::{Compiled, Exact, Settling};
use carom::space::{Linear, Space};
use std::collections::BTreeMap;

const G: f64 = 9.81;

fn bin<S: Compiled>(friction: f64, up: S::Vector, sides: &[S::Vector], half: f64) -> World<S> {
    let mut world = World::new();
    let stuff = Material {
        restitution: 0.2,
        static_friction: friction,
        kinetic_friction: friction,
        rolling_resistance: 0.02,
        spinning_resistance: 0.02,
        ..Material::default()
    };
    world.materials.add("default", stuff).expect("allowed");
    world.set_gravity(up * -G).expect("finite");
    let wall = |normal: S::Vector| Body::fixed(Shape::half_space(normal).expect("a direction"));
    world.add(wall(up)).expect("allowed");
    for &out in sides {
        world.add(wall(-out).at(out * half)).expect("allowed");
        world.add(wall(out).at(out * -half)).expect("allowed");
    }
    world
}

/// Runs until all sleep; how many pairs touch, what is not carried, and what is left on the worst body, as shares of
/// the weight of all and of a mean body.
fn settled<S: Compiled>(world: World<S>, until: f64) -> (usize, f64, f64) {
    let mut run = Exact::with(world, &Settling::default()).expect("nothing overlaps");
    run.run_to(until).expect("it gets on");
    assert!(run.is_at_rest_everywhere(), "{:?}", run.lasting_rigid());
    let forces = run.contact_forces();
    let mut left: BTreeMap<BodyId, S::Vector> = BTreeMap::new();
    let (mut carried, mut weight, mut number) = (S::Vector::ZERO, S::Vector::ZERO, 0.0);
    for id in run.bodies() {
        if let Kind::Free(free) = &run.body(id).expect("there").kind {
            left.insert(id, run.gravity() * free.mass);
            weight += run.gravity() * free.mass;
            number += 1.0;
        }
    }
    for it in &forces {
        for (id, force) in [(it.on, it.force), (it.by, -it.force)] {
            match left.get_mut(&id) {
                Some(left) => *left += force,
                None => carried -= force,
            }
        }
    }
    let worst = left.values().map(|it| it.length()).fold(0.0, f64::max);
    let all = weight.length();
    (
        (forces.len()),
        (carried + weight).length() / all,
        worst * number / all,
    )
}

fn block(size: [f64; 2], place: [f64; 2], angle: f64) -> Body<Space2> {
    let shape = Shape::block(DVec2::from_array(size) * 0.5).expect("positive");
    let pose = Pose {
        position: DVec2::from_array(place),
        rotation: Turn::by(angle),
    };
    Body::solid(shape, 1.0, pose, DVec2::ZERO, 0.0).expect("a solid")
}

/// Twenty-four discs in a bin.
#[test]
fn a_bin_carries_its_discs() {
    let mut world = bin::<Space2>(0.3, DVec2::Y, &[DVec2::X], 0.35);
    for k in 0..24_u32 {
        let radius = 0.05 + 0.02 * f64::from(k * 7 % 11) / 11.0;
        let place = DVec2::new(
            0.16 * f64::from(k % 4) - 0.24,
            0.1 + 0.16 * f64::from(k / 4),
        );
        let disc = Body::ball(radius, radius * radius, place, DVec2::ZERO).expect("a disc");
        world.add(disc).expect("allowed");
    }
    let (pairs, all, worst) = settled(world, 6.0);
    println!("{pairs} pairs, {all:e}, {worst:e}");
    assert!(
        pairs <= 100 && all < 1e-9 && worst < 1e-8,
        "{pairs} {all:e} {worst:e}"
    );
}

/// Sixteen spheres.
#[test]
fn a_bin_carries_its_spheres() {
    let mut world = bin::<Space3>(0.3, DVec3::Z, &[DVec3::X, DVec3::Y], 0.17);
    for k in 0..16_u32 {
        let radius = 0.05 + 0.02 * f64::from(k * 7 % 11) / 11.0;
        let [x, y, z] = [k % 2, k / 2 % 2, k / 4].map(f64::from);
        let place = DVec3::new(0.15 * x - 0.07, 0.15 * y - 0.08, 0.1 + 0.16 * z);
        let mass = radius * radius * radius;
        world
            .add(Body::ball(radius, mass, place, DVec3::ZERO).expect("a ball"))
            .expect("allowed");
    }
    let (pairs, all, worst) = settled(world, 8.0);
    println!("{pairs} pairs, {all:e}, {worst:e}");
    assert!(
        pairs <= 100 && all < 1e-9 && worst < 1e-8,
        "{pairs} {all:e} {worst:e}"
    );
}

/// Twelve boxes, two points to most pairs.
#[test]
fn a_bin_carries_its_boxes() {
    let mut world = bin::<Space2>(0.5, DVec2::Y, &[DVec2::X], 0.4);
    for k in 0..12_u32 {
        let place = [0.35 * f64::from(k % 2) - 0.18, 0.2 + 0.3 * f64::from(k / 2)];
        world
            .add(block([0.22, 0.14], place, 0.7 * f64::from(k)))
            .expect("allowed");
    }
    let (pairs, all, worst) = settled(world, 6.0);
    println!("{pairs} pairs, {all:e}, {worst:e}");
    assert!(all < 1e-9 && worst < 1e-8, "{pairs} {all:e} {worst:e}");
}

/// Sixteen boxes in 3-D, with more than a hundred points.
#[test]
fn a_box_carries_its_boxes() {
    let mut world = bin::<Space3>(0.5, DVec3::Z, &[DVec3::X, DVec3::Y], 0.3);
    for k in 0..16_u32 {
        let place = DVec3::new(
            0.3 * f64::from(k % 2) - 0.15,
            0.3 * f64::from(k / 2 % 2) - 0.15,
            0.2 + 0.3 * f64::from(k / 4),
        );
        let turn = Space3::rotation_of(DVec3::new(1.0, 0.5, -0.3), f64::from(k));
        let shape = Shape::block(DVec3::new(0.1, 0.075, 0.05)).expect("positive");
        let body = Body::free(shape).mass(1.0).at(place).rotated(turn);
        world.add(body).expect("allowed");
    }
    let (pairs, all, worst) = settled(world, 5.0);
    println!("{pairs} pairs, {all:e}, {worst:e}");
    assert!(all < 1e-9 && worst < 1e-8, "{pairs} {all:e} {worst:e}");
}
