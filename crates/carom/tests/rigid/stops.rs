//! Runs that are stopped, or looked at, in the middle of a step of an island: the same bits, and budgets that close at
//! any time.

use super::runs::{block2, world2};
use carom::body::Kind;
use carom::prelude::*;
use carom::shape::HalfSpace;
use carom::shape::{Compound, Convex};
use carom::simulate::{End, Exact, Settling};
use std::ops::ControlFlow;

/// That nothing is unexplained: energies of some 100 J, momenta of some 100 kg·m/s, a thousand steps with a few dozen
/// entries each, every one rounded to 1e-16 of its size.
fn check_budget(run: &Exact<Space2>) {
    let audit = run.audit();
    let time = run.time();
    assert!(audit.energy_residual.abs() < 1e-10, "{time} s: {audit:?}");
    assert!(
        audit.momentum_residual.length() < 1e-10,
        "{time} s: {audit:?}"
    );
    let angular = audit.angular_momentum.expect("there is one");
    assert!(angular.residual.abs() < 1e-9, "{time} s: {angular:?}");
}

/// Two discs and a bar in one body, which falls and does not bounce.
fn dumbbell() -> World2 {
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -1.0)).expect("finite");
    let clay = Material {
        restitution: 0.0,
        ..Material::default()
    };
    let clay = world.materials.add("clay", clay).expect("allowed");
    let wall = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).expect("a direction"));
    let wall = Body::fixed(wall).at(DVec2::new(0.0, -1.0));
    world.add(wall).expect("allowed");
    let disc = |x: f64| {
        let disc = Convex::<Space2>::ball(0.1).expect("positive");
        disc.placed(&Pose::at(DVec2::new(x, 0.0)))
    };
    let bar = Convex::<Space2>::block(DVec2::new(0.05, 0.015)).expect("positive");
    let bar = bar.placed(&Pose::at(DVec2::new(0.0, -0.12)));
    let form = Compound::new(vec![disc(-0.1), disc(0.1), bar], 1.0).expect("a body");
    let mass = form.mass();
    let shape = Shape::Compound(Box::new(form));
    let body = Body::solid(shape, mass, Pose::default(), DVec2::ZERO, 0.0);
    world
        .add(body.expect("a solid").made_of(clay))
        .expect("allowed");
    world
}

/// A run that was ended at the collision with which a body comes to lie on a wall. A step of its island had begun at
/// that very instant: half of gravity, and what the wall gave against it, stood in the books, and in the velocity,
/// although no time had passed. The momentum was open by what gravity gives in half a step (4.5e-5 kg·m/s here).
#[test]
fn a_run_that_stops_where_a_step_begins_has_not_begun_it() {
    let mut run = Exact::with(dumbbell(), &Settling::default()).expect("apart");
    let end = run
        .run(4.0, |_| ControlFlow::Break(()))
        .expect("it gets on");
    assert_eq!((end, run.lasting_rigid().0), (End::Observer, 1));
    check_budget(&run);
    // Nobody has moved since the collision: it does not rebound, and lies there.
    let state = run.state(BodyId(1));
    assert_eq!(run.audit().losses.lasting.stepping, 0.0);
    assert!(state.velocity.length() < 1e-12, "{state:?}");
    run.run_to(1.4).expect("it gets on");
    check_budget(&run);
}

/// What is given at the start, and by a change from outside, is what is there until time passes.
#[test]
fn what_lies_moves_as_it_was_told_until_time_passes() {
    let mut world = world2(0.0, 0.5);
    let mut block = block2([1.0, 0.5], [0.0, 0.25], 0.0);
    if let Kind::Free(free) = &mut block.kind {
        free.velocity = DVec2::new(1.0, 0.0);
    }
    let id = world.add(block).expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    assert_eq!(run.state(id).velocity, DVec2::new(1.0, 0.0));
    check_budget(&run);
    run.run_to(0.1).expect("it gets on");
    check_budget(&run);
    run.set_velocity(id, DVec2::new(2.0, 0.0), 0.0)
        .expect("it is free");
    assert_eq!(run.state(id).velocity, DVec2::new(2.0, 0.0));
    check_budget(&run);
}

/// Boxes that fall on each other, slide, tip and come to rest.
fn heap() -> World2 {
    let mut world = world2(0.2, 0.4);
    for k in 0..7 {
        let (k, turned) = (f64::from(k), 0.4 * f64::from(k));
        let block = block2([0.8, 0.4], [0.25 * k, 0.5 + 0.9 * k], turned);
        world.add(block).expect("allowed");
    }
    world
}

/// Looked at every third of a step and at each collision: budgets close, and whoever looks changes nothing.
#[test]
fn a_heap_that_is_looked_at_within_its_steps_has_closed_budgets_and_the_same_bits() {
    let start = || Exact::with(heap(), &Settling::default()).expect("apart");
    let mut whole = start();
    whole.run_to(2.0).expect("it gets on");
    let mut watched = start();
    let mut looks = 0;
    for k in 1..=1440 {
        let until = 2.0 * f64::from(k) / 1440.0;
        // Ends at each collision on the way.
        while watched
            .run(until, |_| ControlFlow::Break(()))
            .expect("it gets on")
            == End::Observer
        {
            check_budget(&watched);
            looks += 1;
        }
        check_budget(&watched);
    }
    assert!(looks > 20, "{looks} collisions");
    assert_eq!(watched.digest(), whole.digest());
    assert_eq!(watched.audit(), whole.audit());
    assert!(whole.lasting_rigid().0 > 3, "{:?}", whole.lasting_rigid());
    // What steps of 1/240 s cost these boxes: a few ten-thousandths of what they had.
    let audit = whole.audit();
    let (cost, had) = (audit.losses.lasting.stepping, audit.initial.total());
    assert!(
        cost != 0.0 && cost.abs() < 2e-3 * had,
        "{cost} J of {had} J"
    );
}

/// A step has costs of second order: half as long, about a quarter each, with twice as many of them. That is an account
/// that is computed from what each step does; what it would not explain would be left in the imbalance.
#[test]
fn what_steps_cost_shrinks_with_them() {
    let cost = |step: f64| {
        // A plank that tips over on its edge: it turns about a corner that slides a little.
        let mut world = world2(0.0, 0.6);
        world
            .add(block2([0.2, 1.0], [0.0, 0.51], 0.25))
            .expect("allowed");
        let settling = Settling::default().with_step(step);
        let mut run = Exact::with(world, &settling).expect("apart");
        run.run_to(0.8).expect("it gets on");
        check_budget(&run);
        let audit = run.audit();
        assert!(audit.now.rotational > 1e-2, "it turns: {audit:?}");
        audit.losses.lasting.stepping.abs()
    };
    let [long, short] = [1.0 / 240.0, 1.0 / 960.0].map(cost);
    println!("{long:e} J, {short:e} J");
    assert!(long > 0.0 && short < 0.5 * long, "{long} J, {short} J");
}
