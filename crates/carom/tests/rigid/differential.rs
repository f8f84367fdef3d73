//! The one engine against its reference, which looks at all pairs: rigid bodies and balls mixed, in flight, at impacts
//! and in heaps, to the last bit. And balls beside a rigid body that they never meet against the same balls without it.

use carom::body::Kind;
use carom::material::MaterialId;
use carom::prelude::*;
use carom::record::Collision;
use carom::shape::{Ball, HalfSpace};
use carom::simulate::{Compiled, Exact};
use std::ops::ControlFlow;

/// A generator that is the same everywhere (splitmix64).
struct Dice(u64);

impl Dice {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn vector<S: Compiled>(&mut self, size: f64) -> S::Vector {
        let mut parts = [0.0; 3];
        for part in parts.iter_mut().take(S::DIMENSION) {
            *part = self.between(-size, size);
        }
        S::vector(parts)
    }
}

/// Half the side of the room, m.
const HALF: f64 = 2.5;

/// Where bodies begin: on a lattice, one of them every 1.5 m.
fn lattice<S: Compiled>() -> Vec<S::Vector> {
    let mut places = vec![[0.0; 3]];
    for axis in 0..S::DIMENSION {
        let more = |place: &[f64; 3]| {
            let place = *place;
            [-1.5, 0.0, 1.5].into_iter().map(move |at| {
                let mut place = place;
                place[axis] = at;
                place
            })
        };
        places = places.iter().flat_map(more).collect();
    }
    places.into_iter().map(S::vector).collect()
}

/// A room with a fixed ball in it, of two materials, with gravity for odd seeds.
fn room<S: Compiled>(dice: &mut Dice, seed: u64) -> (World<S>, MaterialId) {
    let mut world = World::new();
    let restitution = match seed % 3 {
        0 => 1.0,
        _ => dice.between(0.0, 0.9),
    };
    let stuff = |friction: f64| Material {
        restitution,
        static_friction: friction,
        kinetic_friction: 0.8 * friction,
        ..Material::default()
    };
    world.materials.add("default", stuff(0.0)).expect("allowed");
    let rough = stuff(dice.between(0.05, 0.6));
    let rough = world.materials.add("rough", rough).expect("allowed");
    if seed % 2 == 1 {
        let mut gravity = [0.0; 3];
        gravity[S::DIMENSION - 1] = -dice.between(1.0, 9.81);
        world.set_gravity(S::vector(gravity)).expect("finite");
    }
    for axis in 0..S::DIMENSION {
        for sign in [-1.0, 1.0] {
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            let normal = S::vector(normal);
            let wall = Shape::HalfSpace(HalfSpace::solid(normal).expect("a direction"));
            let wall = Body::fixed(wall).at(normal * -HALF);
            world.add(wall.made_of(rough)).expect("allowed");
        }
    }
    let post = Shape::Ball(Ball::new(0.3).expect("positive"));
    world.add(Body::fixed(post)).expect("allowed");
    (world, rough)
}

/// Every other body a ball, the others blocks, all of them thrown.
fn mixed<S: Compiled>(seed: u64) -> World<S> {
    let mut dice = Dice(seed);
    let (mut world, rough) = room::<S>(&mut dice, seed);
    let places = lattice::<S>().into_iter();
    for (index, place) in places
        .filter(|place| *place != S::vector([0.0; 3]))
        .enumerate()
    {
        let mass = dice.between(0.5, 2.0);
        let size = dice.between(0.15, 0.4);
        let shape = match index % 2 {
            0 => Shape::ball(size).expect("positive"),
            _ => Shape::block(S::vector([size, 0.6 * size, 0.8 * size])).expect("positive"),
        };
        let body = Body::free(shape)
            .mass(mass)
            .at(place + dice.vector::<S>(0.1));
        let mut body = body
            .velocity(dice.vector::<S>(3.0))
            .build()
            .expect("a body");
        if let Kind::Free(free) = &mut body.kind {
            let spin = [0.0; 3].map(|_: f64| dice.between(-5.0, 5.0));
            free.angular_velocity = S::angular_velocity(match S::DIMENSION {
                2 => [0.0, 0.0, spin[2]],
                _ => spin,
            });
        }
        let body = match index % 3 {
            0 => body.made_of(rough),
            _ => body,
        };
        world.add(body).expect("allowed");
    }
    world
}

fn agrees_with_reference<S: Compiled>(seed: u64, until: f64) -> u64 {
    let world = mixed::<S>(seed);
    let mut fast = Exact::new(world.clone()).expect("apart");
    let mut slow = Exact::reference(world).expect("apart");
    let mut time = 0.0;
    while time < until {
        time += 0.25;
        let ends = [fast.run_to(time), slow.run_to(time)];
        assert_eq!(ends[0], ends[1], "world {seed}");
        assert!(ends[0].is_ok(), "world {seed}: {:?}", ends[0]);
        assert_eq!(
            fast.collisions(),
            slow.collisions(),
            "world {seed} at {time} s"
        );
        assert_eq!(fast.digest(), slow.digest(), "world {seed} at {time} s");
    }
    let audit = fast.audit();
    let energy = audit.initial.total().abs().max(audit.now.total().abs());
    assert!(
        audit.energy_residual.abs() <= 1e-9 * energy.max(1.0),
        "world {seed}: {audit:?}"
    );
    fast.collisions()
}

#[test]
fn mixed_worlds_agree_with_the_reference_2d() {
    let collisions: u64 = (0..10)
        .map(|seed| agrees_with_reference::<Space2>(seed, 2.0))
        .sum();
    assert!(collisions > 300, "{collisions}");
}

#[test]
fn mixed_worlds_agree_with_the_reference_3d() {
    let collisions: u64 = (0..4)
        .map(|seed| agrees_with_reference::<Space3>(seed, 1.0))
        .sum();
    assert!(collisions > 100, "{collisions}");
}

/// All collisions of a run, but for those of one body.
fn collisions<S: Compiled>(world: World<S>, but: BodyId, until: f64) -> Vec<Collision<S>> {
    let mut run = Exact::new(world).expect("apart");
    let mut all = Vec::new();
    let end = run.run(until, |collision| {
        if collision.a != but && collision.b != but {
            all.push(*collision);
        }
        ControlFlow::Continue(())
    });
    assert_eq!(end, Ok(End::Time));
    all
}

/// A box far away once made another engine of it, in which balls met, bounced and rested otherwise.
fn do_not_notice_a_box<S: Compiled>(seed: u64, until: f64) -> usize {
    let mut dice = Dice(seed);
    let (mut world, rough) = room::<S>(&mut dice, seed);
    for place in lattice::<S>() {
        if place == S::vector([0.0; 3]) {
            continue;
        }
        let radius = dice.between(0.15, 0.45);
        let place = place + dice.vector::<S>(0.15);
        let ball = Body::ball(radius, dice.between(0.5, 2.0), place, dice.vector::<S>(3.0));
        let ball = ball.expect("a ball").made_of(rough);
        world.add(ball).expect("allowed");
    }
    let mut beside = world.clone();
    let block = Shape::block(S::vector([0.3, 0.2, 0.1])).expect("positive");
    let block = Body::free(block).mass(1.0).at(S::vector([0.0; 3]));
    let mut block = block.build().expect("a body");
    (block.groups.memberships, block.groups.mask) = (0, 0);
    let block = beside.add(block).expect("allowed");
    let alone = collisions(world, block, until);
    let beside = collisions(beside, block, until);
    assert_eq!(alone.len(), beside.len(), "world {seed}");
    for (number, (a, b)) in alone.iter().zip(&beside).enumerate() {
        assert_eq!(
            (a.time, a.a, a.b),
            (b.time, b.a, b.b),
            "world {seed}, {number}"
        );
        assert_eq!(
            (a.impulse, a.after),
            (b.impulse, b.after),
            "world {seed}, {number}"
        );
    }
    alone.len()
}

#[test]
fn balls_do_not_notice_a_box_that_they_never_meet() {
    let flat: usize = (0..8)
        .map(|seed| do_not_notice_a_box::<Space2>(seed, 4.0))
        .sum();
    let solid: usize = (0..4)
        .map(|seed| do_not_notice_a_box::<Space3>(seed, 1.0))
        .sum();
    assert!(flat > 200 && solid > 100, "{flat}, {solid}");
}
