//! Several hundred balls poured into a box settle and stay settled.

use carom::body::Kind;
use carom::material::Material;
use carom::prelude::*;
use carom::shape::{HalfSpace, Shape};
use carom::simulate::Compiled;
use carom::simulate::Exact;
use carom::simulate::{End, Until};
use carom::space::Linear;
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

const G: f64 = 9.81;

/// Marsaglia's xorshift, from 0 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn material(friction: f64) -> Material {
    Material {
        restitution: 0.5,
        static_friction: friction,
        kinetic_friction: friction,
        rolling_resistance: 0.02,
        spinning_resistance: 0.02,
        ..Material::default()
    }
}

fn wall<S: Compiled>(normal: S::Vector, at: S::Vector) -> Body<S> {
    Body::fixed(Shape::HalfSpace(HalfSpace::solid(normal).unwrap())).at(at)
}

/// Discs on a lattice above the floor, of different sizes, slightly off their places.
fn heap(number: usize, friction: f64) -> World2 {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut world = World2::new();
    world.materials.add("default", material(friction)).unwrap();
    world.set_gravity(DVec2::new(0.0, -G)).unwrap();
    world.add(wall(DVec2::Y, DVec2::ZERO)).unwrap();
    world.add(wall(DVec2::X, DVec2::ZERO)).unwrap();
    world.add(wall(-DVec2::X, DVec2::new(2.0, 0.0))).unwrap();
    for index in 0..number {
        let (column, row) = (index % 15, index / 15);
        let radius = 0.04 + 0.02 * random.next();
        let shake = 0.005 * (random.next() - 0.5);
        let place = DVec2::new(0.1 + 0.128 * column as f64 + shake, 0.1 + 0.13 * row as f64);
        let velocity = DVec2::new(random.next() - 0.5, random.next() - 0.5);
        let ball = Body::ball(radius, radius * radius, place, velocity).unwrap();
        world.add(ball).unwrap();
    }
    world
}

/// Forces hold every ball of a pile, and the fixtures carry all of them: to a millionth.
fn are_held<S: Compiled>(exact: &Exact<S>) {
    let mut left: BTreeMap<BodyId, (S::Vector, f64)> = BTreeMap::new();
    let (mut carried, mut weights) = (S::Vector::ZERO, S::Vector::ZERO);
    let forces = exact.contact_forces();
    for (id, sign, force) in forces
        .iter()
        .flat_map(|it| [(it.on, 1.0, it.force), (it.by, -1.0, it.force)])
    {
        match &exact.body(id).unwrap().kind {
            Kind::Free(free) => {
                let new = || (exact.gravity() * free.mass, free.mass);
                left.entry(id).or_insert_with(new).0 += force * sign;
            }
            _ => carried += force * -sign,
        }
    }
    for (id, (force, mass)) in &left {
        let weight = exact.gravity() * *mass;
        weights += weight;
        let share = force.length() / weight.length();
        assert!(share < 1e-6, "{share:e} of the weight of {id:?}");
    }
    let share = (carried + weights).length() / weights.length();
    assert!(share < 1e-6, "{share:e} of the weight is not carried");
    // The others rest on the floor by themselves.
    let number = exact.bodies().count();
    assert!(10 * left.len() > 8 * number, "{} of {number}", left.len());
}

fn settles<S: Compiled>(world: World<S>, within: f64) {
    let mut exact = Exact::new(world).unwrap();
    let end = exact
        .run_until(Until::time(within).or_rest(0.0), |_| {
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(
        end,
        End::Rest,
        "at {} s, {} collisions",
        exact.time(),
        exact.collisions()
    );
    let audit = exact.audit();
    let scale = audit.initial.total();
    assert_eq!(audit.now.translational, 0.0);
    assert!(audit.energy_residual.abs() < 1e-11 * scale, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-9, "{audit:?}");
    // Also while hundreds fall on each other: a millionth of the least radius.
    assert!(
        audit.deepest_overlap < 1e-6 * 0.04,
        "{}",
        audit.deepest_overlap
    );
    are_held(&exact);
    // And it stays like that: nothing happens any more.
    let (before, digest, time) = (exact.collisions(), exact.digest(), exact.time());
    exact.run_to(time + 60.0).unwrap();
    assert_eq!((exact.collisions(), exact.digest()), (before, digest));
    println!("{before} collisions, at rest at {time} s");
}

#[test]
fn three_hundred_discs_settle_and_stay_settled() {
    settles(heap(300, 0.3), 60.0);
}

#[test]
fn spheres_settle_and_stay_settled() {
    let mut random = Random(0x9876_5432_1fed_cba9);
    let mut world = World3::new();
    world.materials.add("default", material(0.3)).unwrap();
    world.set_gravity(DVec3::new(0.0, 0.0, -G)).unwrap();
    world.add(wall(DVec3::Z, DVec3::ZERO)).unwrap();
    for (normal, at) in [
        (DVec3::X, 0.0),
        (DVec3::Y, 0.0),
        (-DVec3::X, 0.56),
        (-DVec3::Y, 0.56),
    ] {
        world.add(wall(normal, -normal * at)).unwrap();
    }
    for index in 0..40 {
        let (x, y, z) = (index % 4, index / 4 % 4, index / 16);
        let radius = 0.04 + 0.02 * random.next();
        let shake = DVec3::new(random.next(), random.next(), 0.0) * 0.01;
        let place = DVec3::new(x as f64, y as f64, z as f64) * 0.135 + DVec3::splat(0.07) + shake;
        let ball = Body::ball(radius, radius * radius * radius, place, DVec3::ZERO).unwrap();
        world.add(ball).unwrap();
    }
    settles(world, 60.0);
}

/// Members of an island go straight on within a step. Two that rolled over each other touched at both ends of the step
/// and overlapped in between, by up to 3e-4 of the radius, and the audit looked at the ends alone.
#[test]
fn discs_that_roll_over_each_other_do_not_overlap_within_a_step() {
    let mut exact = Exact::new(heap(30, 0.1)).unwrap();
    let mut random = Random(0x0fed_cba9_8765_4321);
    let (mut time, mut seen) = (0.0, 0.0_f64);
    while time < 1.5 {
        time += 0.004 * random.next();
        exact.run_to(time).unwrap();
        let discs: Vec<(DVec2, f64)> = exact
            .bodies()
            .filter_map(|id| match &exact.body(id).unwrap().shape {
                Shape::Ball(ball) => Some((exact.state(id).position, ball.radius)),
                _ => None,
            })
            .collect();
        for (index, (place, radius)) in discs.iter().enumerate() {
            for (there, its) in &discs[..index] {
                let overlap = radius + its - (*place - *there).length();
                seen = seen.max(overlap);
                assert!(overlap < 1e-6 * radius.min(*its), "{overlap} at {time} s");
            }
        }
    }
    // To rounding, for what is found by the difference of places.
    let deepest = exact.audit().deepest_overlap;
    assert!(seen <= deepest + 1e-14, "{seen} seen, {deepest} reported");
}
