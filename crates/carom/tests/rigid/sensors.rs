//! Sensors beside solids: who goes in and comes out, and when.

use super::runs::block2;
use carom::body::Kind;
use carom::prelude::*;
use carom::record::Event;
use carom::shape::{Ball, Block};
use carom::simulate::{Exact, Settling};
use std::ops::ControlFlow;

/// Times at which somebody goes in (true) or comes out.
fn overlaps<S: carom::simulate::Compiled>(run: &mut Exact<S>, until: f64) -> Vec<(f64, bool)> {
    let mut told = Vec::new();
    run.run_until(until, |event| {
        match event {
            Event::Entered(passage) => told.push((passage.time, true)),
            Event::Left(passage) => told.push((passage.time, false)),
            _ => (),
        }
        ControlFlow::Continue(())
    })
    .expect("it gets on");
    told
}

fn gate(x: f64) -> Body<Space2> {
    let gate = Shape::Block(Block::new(DVec2::new(0.5, 2.0)).expect("positive"));
    let mut gate = Body::fixed(gate).at(DVec2::new(x, 0.0));
    gate.sensor = true;
    gate
}

/// A box that flies straight through: in when its front touches, out when its back does; nothing else happens to it.
#[test]
fn a_box_goes_through_a_gate_at_the_instants_of_its_front_and_its_back() {
    let mut world = World2::new();
    let mut body = block2([1.0, 1.0], [0.0, 0.0], 0.0);
    if let Kind::Free(free) = &mut body.kind {
        free.velocity = DVec2::new(2.0, 0.0);
    }
    let id = world.add(body).expect("allowed");
    world.add(gate(3.0)).expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    let told = overlaps(&mut run, 5.0);
    // From x = 0.5 to 2.5 at 2 m/s; out when −0.5 has come to 3.5.
    let [(came, true), (went, false)] = told[..] else {
        panic!("{told:?}");
    };
    assert!((came - 1.0).abs() < 1e-13, "{came}");
    assert!((went - 2.0).abs() < 1e-13, "{went}");
    assert_eq!(run.state(id).position.x, 10.0);
    assert_eq!(run.collisions(), 0);
}

/// One that turns on its way: corners decide. Against sampling of the corners, refined by bisection.
#[test]
fn a_box_that_turns_is_noticed_by_its_corners() {
    let (speed, angular_velocity, start) = (0.7, 3.0, 0.4);
    let mut world = World2::new();
    let mut body = block2([1.0, 0.6], [0.0, 0.0], start);
    if let Kind::Free(free) = &mut body.kind {
        (free.velocity, free.angular_velocity) = (DVec2::new(speed, 0.0), angular_velocity);
    }
    world.add(body).expect("allowed");
    // Higher than the box: only its sides x = 1.5 and x = 2.5 count.
    world.add(gate(2.0)).expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    let told = overlaps(&mut run, 8.0);
    let extreme = |t: f64, sign: f64| {
        let angle = start + angular_velocity * t;
        let along = 0.5 * angle.cos().abs() + 0.3 * angle.sin().abs();
        speed * t + sign * along
    };
    let inside = |t: f64| extreme(t, 1.0) > 1.5 && extreme(t, -1.0) < 2.5;
    let mut expected = Vec::new();
    let steps = 800_000;
    for k in 0..steps {
        let [mut low, mut high] = [k, k + 1].map(|k| 8.0 * f64::from(k) / f64::from(steps));
        if inside(low) == inside(high) {
            continue;
        }
        let was = inside(low);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if inside(middle) == was {
                low = middle
            } else {
                high = middle
            }
        }
        expected.push((high, !was));
    }
    assert_eq!(told.len(), expected.len(), "{told:?} {expected:?}");
    assert!(told.len() >= 2);
    for (told, expected) in told.iter().zip(&expected) {
        assert_eq!(told.1, expected.1);
        // Depths of 1e-14 m at closing speeds of a tenth of a m/s and more.
        assert!((told.0 - expected.0).abs() < 1e-11, "{told:?} {expected:?}");
    }
}

/// Who begins inside is inside from the start; a sensor does not hold, and a run has the same collisions with it as
/// without.
#[test]
fn a_sensor_changes_nothing() {
    let build = |with: bool| {
        let mut world = super::runs::world2(0.4, 0.3);
        world
            .add(block2([1.0, 0.5], [0.0, 2.0], 0.3))
            .expect("allowed");
        if with {
            world.add(gate(0.3)).expect("allowed");
        }
        Exact::with(world, &Settling::default()).expect("apart")
    };
    let (mut with, mut without) = (build(true), build(false));
    let told = overlaps(&mut with, 4.0);
    without.run_to(4.0).expect("it gets on");
    assert_eq!(told.first(), Some(&(0.0, true)));
    assert_eq!(with.collisions(), without.collisions());
    let id = BodyId(1);
    // Contacts are asked for at other times, which counts in their last digits; a dozen bounces make no more of that.
    let (with_it, without_it) = (with.state(id), without.state(id));
    assert!((with_it.position - without_it.position).length() < 1e-9);
    assert_eq!(with.inside(BodyId(2)).len(), 1);
}

/// In space, a capsule through a sensor that is a ball: closed form for the instants.
#[test]
fn a_capsule_passes_a_round_sensor() {
    let mut world = World3::new();
    let form = carom::shape::Compound::with_mass(
        vec![
            carom::shape::Convex::capsule(DVec3::ZERO, DVec3::new(0.0, 0.0, 1.0), 0.2)
                .expect("a capsule"),
        ],
        1.0,
    )
    .expect("a solid");
    let pose = Pose::at(DVec3::new(-3.0, 0.0, 0.0));
    let body = Body::solid(
        Shape::Compound(Box::new(form)),
        1.0,
        pose,
        DVec3::new(1.0, 0.0, 0.0),
        DVec3::ZERO,
    );
    world.add(body.expect("a solid")).expect("allowed");
    let mut sensor = Body::fixed(Shape::Ball(Ball::new(0.5).expect("positive")));
    sensor.sensor = true;
    world.add(sensor).expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    let told = overlaps(&mut run, 6.0);
    let [(came, true), (went, false)] = told[..] else {
        panic!("{told:?}");
    };
    assert!(
        (came - 2.3).abs() < 1e-12 && (went - 3.7).abs() < 1e-12,
        "{told:?}"
    );
}
