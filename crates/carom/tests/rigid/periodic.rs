//! Rigid bodies in periodic boxes, by both methods: nothing depends on where the sides of the box are. Every scene is
//! run as it is and pushed along by a part of the box, so that what happens in the middle of the one happens across the
//! sides of the other.

use carom::body::Kind;
use carom::material::Constants;
use carom::prelude::*;
use carom::simulate::{Compiled, Exact, Query};
use carom::space::Linear;

/// Of the box, m.
const LENGTH: f64 = 4.0;

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
}

/// A box, periodic along the first axes, of one material.
fn world<S: Compiled>(axes: usize, restitution: f64, friction: f64) -> World<S> {
    let mut world = World::new();
    let stuff = Material {
        restitution,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    };
    let id = world.materials.add("default", stuff).expect("allowed");
    let springs = Constants::linear(1e5);
    world.materials.set_constants(id, springs).expect("allowed");
    let periods = [0, 1, 2].map(|axis| (axis < axes).then_some(LENGTH));
    world.set_periodic(periods).expect("positive");
    world
}

/// Squares or cubes and balls that fly about, all pushed along by so much.
fn gas<S: Compiled>(seed: u64, push: S::Vector) -> World<S> {
    let mut world = world::<S>(S::DIMENSION, 1.0, 0.0);
    let mut dice = Dice(seed);
    let number = if S::DIMENSION == 2 { 9 } else { 27 };
    for index in 0..number {
        let cell = [index % 3, index / 3 % 3, index / 9];
        let at = S::vector(cell.map(|along| 0.5 + 1.3 * f64::from(along)));
        let mut three = |size: f64| S::vector([0; 3].map(|_| dice.between(-size, size)));
        let (velocity, spin) = (three(2.0), three(1.5));
        let shape = if index % 4 == 3 {
            Shape::ball(0.3)
        } else {
            Shape::block(S::vector([0.35, 0.25, 0.2]))
        };
        let spin = S::torque(spin, S::vector([0.6, -0.9, 0.4]));
        let body = Body::free(shape.expect("positive"))
            .mass(dice.between(0.5, 2.0))
            .at(at + push)
            .velocity(velocity);
        let body = if index % 4 == 3 {
            body
        } else {
            body.angular_velocity(spin)
        };
        world.add(body.build().expect("allowed")).expect("fits");
    }
    world
}

/// The largest difference of the places of two runs but for a push, along any axis, and of their velocities.
fn apart<S: Compiled>(one: &Simulation<S>, two: &Simulation<S>, push: S::Vector) -> f64 {
    let mut most = 0.0_f64;
    let free = |id: &BodyId| matches!(one.body(*id).expect("there").kind, Kind::Free(_));
    for id in one.bodies().into_iter().filter(free) {
        let (a, b) = (one.state(id), two.state(id));
        let between = S::components(b.position - a.position - push);
        for (axis, along) in between.into_iter().enumerate() {
            let length = one.periods()[axis];
            let along = if length > 0.0 {
                along - length * (along / length).round()
            } else {
                along
            };
            most = most.max(along.abs());
        }
        most = most.max((b.velocity - a.velocity).length());
    }
    most
}

fn start<S: Compiled>(world: World<S>, forces: bool) -> Simulation<S> {
    let run = if forces {
        Simulation::with(world, Forces::stepping(2e-4))
    } else {
        Simulation::new(world)
    };
    run.unwrap_or_else(|error| panic!("{error}"))
}

/// Collisions make of a rounding error some ten times itself: after so few of them 1e-6 is left of 1e-15. A contact
/// that was missed, or answered with the wrong arm, makes a difference of the order of one.
fn flies_the_same<S: Compiled>(seed: u64, forces: bool, until: f64) {
    let push = S::vector([1.7, 2.3, 3.1]);
    let mut one = start(gas::<S>(seed, S::vector([0.0; 3])), forces);
    let mut two = start(gas::<S>(seed, push), forces);
    for run in [&mut one, &mut two] {
        run.run_until(until)
            .unwrap_or_else(|error| panic!("{error}"));
    }
    assert!(one.collisions() >= 4, "{} collisions", one.collisions());
    assert_eq!(one.collisions(), two.collisions());
    let off = apart(&one, &two, push);
    assert!(off < 1e-6, "seed {seed}: {off}");
    let audits = [one.audit(), two.audit()];
    let residuals = audits.map(|audit| audit.energy_residual);
    let has = audits[0].initial.total();
    if forces {
        // What springs at corners do not give back is the same wherever the sides are.
        assert!(
            (residuals[0] - residuals[1]).abs() < 1e-6 * has,
            "{residuals:?}"
        );
    }
    for audit in audits {
        assert!(
            forces || audit.energy_residual.abs() < 1e-11 * has,
            "{audit:?}"
        );
        // By forces too: what one gets another gives.
        assert!(audit.momentum_residual.length() < 1e-9, "{audit:?}");
    }
}

#[test]
fn a_gas_does_not_know_where_the_sides_of_its_box_are() {
    for seed in 0..6 {
        flies_the_same::<Space2>(seed, false, 1.2);
        flies_the_same::<Space3>(seed, false, 0.8);
    }
}

#[test]
fn nor_does_one_by_forces() {
    flies_the_same::<Space2>(1, true, 1.2);
    flies_the_same::<Space3>(2, true, 0.8);
}

/// A floor, on it a low block that stands fast, boxes that slide and are stacked, and a ball, with friction.
fn heap(push: f64) -> World2 {
    let mut world = world::<Space2>(1, 0.2, 0.3);
    world.set_gravity(DVec2::new(0.0, -9.81)).expect("finite");
    let floor = Shape::half_space(DVec2::Y).expect("a direction");
    world.add(Body::fixed(floor)).expect("fits");
    let step = Shape::block(DVec2::new(0.3, 0.1)).expect("positive");
    let step = Body::fixed(step).at(DVec2::new(2.0 + push, 0.1));
    world.add(step).expect("fits");
    let mut add = |x: f64, y: f64, vx: f64| {
        let shape = Shape::block(DVec2::new(0.25, 0.15)).expect("positive");
        let body = Body::free(shape).mass(1.0).at(DVec2::new(x + push, y));
        let body = body.velocity(DVec2::new(vx, 0.0)).build().expect("allowed");
        world.add(body).expect("fits");
    };
    add(2.0, 0.35, 0.0);
    add(2.05, 0.65, 0.0);
    add(0.6, 0.15, 2.4);
    add(3.4, 0.17, 1.5);
    world
        .add(
            Body::ball(0.2, 1.0, DVec2::new(1.0 + push, 1.0), DVec2::new(0.4, 0.0))
                .expect("allowed"),
        )
        .expect("fits");
    world
}

/// Bodies that keep touching, each other and a block, across a side: nothing happens that does not happen elsewhere.
/// Boxes come to rest, and the floor and the block carry their weight.
fn rests_the_same(forces: bool) {
    for push in [1.99, 2.0, 2.2, 2.31] {
        let mut one = start(heap(0.0), forces);
        let mut two = start(heap(push), forces);
        for t in [0.3, 0.6, 3.0] {
            for run in [&mut one, &mut two] {
                run.run_until(t).unwrap_or_else(|error| panic!("{error}"));
            }
            // Friction forgets; what is left is what rounding makes of instants at which steps are cut.
            let off = apart(&one, &two, DVec2::new(push, 0.0));
            assert!(off < 1e-5, "pushed by {push} at {t}: {off}");
        }
        for run in [&one, &two] {
            let boxes = run.bodies().into_iter().filter(|&id| id.0 > 1);
            let fastest = boxes
                .map(|id| run.state(id).velocity.length())
                .fold(0.0, f64::max);
            assert!(fastest < 0.5, "{fastest}");
        }
    }
}

#[test]
fn heaps_that_lie_across_a_side_are_those_that_do_not() {
    rests_the_same(false);
}

#[test]
fn heaps_by_forces_too() {
    rests_the_same(true);
}

/// A block that lies across the side carries a box over it: what the box slides on is one image and then another.
#[test]
fn a_box_slides_over_the_side_on_a_block_that_lies_across() {
    for forces in [false, true] {
        let mut world = world::<Space2>(1, if forces { 0.5 } else { 0.0 }, 0.0);
        world.set_gravity(DVec2::new(0.0, -9.81)).expect("finite");
        let table = Shape::block(DVec2::new(1.5, 0.1)).expect("positive");
        world
            .add(Body::fixed(table).at(DVec2::new(4.0, -0.1)))
            .expect("fits");
        let shape = Shape::block(DVec2::new(0.3, 0.1)).expect("positive");
        let body = Body::free(shape)
            .mass(1.0)
            .at(DVec2::new(3.0, 0.1))
            .velocity(DVec2::X);
        let id = world.add(body.build().expect("allowed")).expect("fits");
        let mut run = start(world, forces);
        run.run_until(1.5).unwrap_or_else(|error| panic!("{error}"));
        let state = run.state(id);
        assert!((state.position.x - 0.5).abs() < 1e-9, "{state:?}");
        // By forces it lies as deep as its weight presses it, and less than a tenth of a millimetre.
        assert!((state.position.y - 0.1).abs() < 2e-4, "{state:?}");
        assert!((run.unwrapped_position(id).x - 4.5).abs() < 1e-9);
    }
}

/// The one engine and its reference, to the bit; restored runs too.
#[test]
fn the_reference_agrees_and_restored_runs_go_on_alike() {
    for seed in 0..4 {
        let make = |push: f64| gas::<Space2>(seed, DVec2::splat(push));
        let mut fast = Exact::new(make(0.7)).expect("allowed");
        let mut slow = Exact::reference(make(0.7)).expect("allowed");
        let mut torn = Exact::new(make(0.7)).expect("allowed");
        for leg in 1..=8 {
            let t = 0.25 * f64::from(leg);
            for run in [&mut fast, &mut slow, &mut torn] {
                run.run_to(t).expect("goes on");
            }
            torn = Exact::restore(&torn.snapshot()).expect("its own");
        }
        assert_eq!(fast.digest(), slow.digest(), "seed {seed}");
        assert_eq!(fast.digest(), torn.digest(), "seed {seed}, restored");
    }
    for forces in [false, true] {
        let mut whole = start(heap(2.1), forces);
        let mut torn = start(heap(2.1), forces);
        for leg in 1..=6 {
            for run in [&mut whole, &mut torn] {
                run.run_until(0.2 * f64::from(leg))
                    .unwrap_or_else(|error| panic!("{error}"));
            }
            torn = Simulation::restore(&torn.snapshot()).unwrap_or_else(|error| panic!("{error}"));
        }
        assert_eq!(whole.digest(), torn.digest(), "forces: {forces}");
    }
}

/// What is too large, what overlaps an image, and what is asked about images.
#[test]
fn images_are_seen_and_what_is_too_large_is_refused() {
    let block = |half: f64| Shape::block(DVec2::new(half, 0.2)).expect("positive");
    let body = |half: f64, x: f64| {
        Body::free(block(half))
            .mass(1.0)
            .at(DVec2::new(x, 1.0))
            .build()
            .expect("allowed")
    };
    let mut large = world::<Space2>(1, 1.0, 0.0);
    large.add(body(1.1, 1.0)).expect("allowed as such");
    let error = Simulation::new(large)
        .expect_err("as long as half the box")
        .to_string();
    assert!(error.contains("must be below half the box"), "{error}");
    let mut across = world::<Space2>(1, 1.0, 0.0);
    across.add(body(0.3, 0.2)).expect("allowed");
    across.add(body(0.3, 3.7)).expect("allowed as such");
    let error = Simulation::new(across)
        .expect_err("they overlap")
        .to_string();
    assert!(error.contains("overlap by 1"), "{error}");
    let mut fine = world::<Space2>(1, 1.0, 0.0);
    let id = fine.add(body(0.3, 3.9)).expect("allowed");
    for forces in [false, true] {
        let run = start(fine.clone(), forces);
        let query: Query<'_, Space2> = run.query();
        let there = query.in_ball(DVec2::new(0.1, 1.0), 0.01).expect("finite");
        assert_eq!(there, [id], "forces: {forces}");
    }
}
