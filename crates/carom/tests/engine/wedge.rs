//! Discs that fall into wedges of all angles, with smooth and with rubbing sides, beside
//! [`wedge_reference`](super::wedge_reference): every transition on the way, and the instant at which the infinitely
//! many bounces are over.

use super::wedge_reference::{Disc, Event, Moment, Reference, Wall};
use carom::body::Kind;
use carom::material::Material;
use carom::material::PairOverride;
use carom::prelude::*;
use carom::record::Regime;
use carom::record::Transition;
use carom::shape::HalfSpace;
use carom::simulate::Exact;
use carom::simulate::State;
use carom::simulate::Until;
use std::ops::ControlFlow;

const G: f64 = 9.81;
const RADIUS: f64 = 0.1;

/// A wedge whose sides rise by these angles.
fn wedge(angles: [f64; 2], restitutions: [f64; 2], frictions: [f64; 2]) -> [Wall; 2] {
    [0, 1].map(|side| {
        let lean = if side == 0 { 1.0 } else { -1.0 };
        Wall {
            normal: [lean * libm::sin(angles[side]), libm::cos(angles[side])],
            restitution: restitutions[side],
            friction: frictions[side],
        }
    })
}

/// A disc somewhat beside and above where it will come to rest.
fn disc(walls: &[Wall; 2], angular_velocity: f64) -> Disc {
    let [a, b] = walls.map(|wall| DVec2::from(wall.normal));
    let area = a.x * b.y - a.y * b.x;
    let corner = DVec2::new(b.y - a.y, a.x - b.x) * (RADIUS / area);
    Disc {
        radius: RADIUS,
        place: (corner + DVec2::new(0.02, 0.3)).to_array(),
        velocity: [0.11, 0.0],
        angular_velocity,
    }
}

fn world(walls: &[Wall; 2], disc: &Disc, wind: DVec2) -> (World2, BodyId) {
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -G)).unwrap();
    let own = (world.materials.add("default", Material::default())).unwrap();
    for (number, wall) in walls.iter().enumerate() {
        let name = format!("side {number}");
        let material = world.materials.add(&name, Material::default()).unwrap();
        let between = PairOverride {
            restitution: Some(wall.restitution),
            static_friction: Some(wall.friction),
            kinetic_friction: Some(wall.friction),
            ..PairOverride::default()
        };
        (world.materials.override_pair(own, material, between)).unwrap();
        let shape = Shape::HalfSpace(HalfSpace::solid(DVec2::from(wall.normal)).unwrap());
        let mut body = Body::fixed(shape);
        if wind != DVec2::ZERO {
            body.kind = Kind::Kinematic(Drive::Uniform { velocity: wind });
        }
        body.material = material;
        world.add(body.named(&name)).unwrap();
    }
    let velocity = DVec2::from(disc.velocity) + wind;
    let mut body = Body::ball(disc.radius, 0.7, DVec2::from(disc.place), velocity).unwrap();
    if let Kind::Free(free) = &mut body.kind {
        free.angular_velocity = disc.angular_velocity;
    }
    let ball = world.add(body).unwrap();
    (world, ball)
}

/// All transitions, and the ball right after each.
fn transitions(run: &mut Exact<Space2>, ball: BodyId) -> Vec<(Transition, State<Space2>)> {
    let mut all = Vec::new();
    loop {
        let mut told = None;
        run.run_until(Until::time(40.0), |event| match event {
            carom::record::Event::Transition(transition) => {
                told = Some(*transition);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        })
        .unwrap();
        match told {
            Some(transition) => all.push((transition, run.state(ball))),
            None => return all,
        }
    }
}

/// What a last digit of the start makes of the end, s.
fn condition(walls: [Wall; 2], disc: &Disc, end: f64) -> f64 {
    let moved = [(1e-16, 0.0), (-1e-16, 0.0), (0.0, 1e-16), (0.0, -1e-16)];
    let off = moved.map(|(x, y)| {
        let place = [disc.place[0] + x, disc.place[1] + y];
        let run = Reference::new([0.0, -G], walls, &Disc { place, ..*disc }).run();
        (run.moments.last().unwrap().time - end).abs()
    });
    off.into_iter().fold(0.0, f64::max)
}

fn gait_of(event: Event) -> Option<Regime> {
    match event {
        Event::Slides(_) => Some(Regime::Sliding),
        Event::Rolls(_) => Some(Regime::Rolling),
        Event::Leaves(_) => None,
        Event::Halts => Some(Regime::Resting),
    }
}

/// Compares what happens until it is so slow that the end is foreseen. (From then on its slides and hops, some 10⁻⁸ m
/// high, are told at instants that places say, which are rounded; the end does not depend on them.)
fn compare(found: &[(Transition, State<Space2>)], expected: &[Moment], within: f64) {
    let fast = |moment: &&Moment| DVec2::from(moment.velocity).length() > 4e-3;
    let expected = expected.iter().take_while(fast);
    for (number, moment) in expected.enumerate() {
        let (transition, state) = &found[number];
        assert_eq!(
            transition.regime,
            gait_of(moment.event),
            "{number}: {transition:?} {moment:?}"
        );
        let off = (transition.time - moment.time).abs();
        assert!(off <= within, "{number}: {moment:?}: {off:e} s");
        // It may be as much too late as the time allows, and its last bounce was so much higher than the reference's.
        let place = (state.position - DVec2::from(moment.place)).length();
        let velocity = (state.velocity - DVec2::from(moment.velocity)).length();
        let angular_velocity = (state.angular_velocity - moment.angular_velocity).abs() * RADIUS;
        assert!(place <= 4.0 * within, "{number}: {moment:?}: {place:e} m");
        if transition.regime.is_none() {
            // Hits at both sides come at this instant, and the first is told of at once.
            continue;
        }
        assert!(
            velocity <= 2.0 * G * within,
            "{number}: {moment:?}: {velocity:e} m/s"
        );
        assert!(
            angular_velocity <= 4.0 * G * within,
            "{number}: {moment:?}: {angular_velocity:e} m/s"
        );
    }
}

#[test]
fn in_wedges_of_all_angles_every_transition_comes_at_its_instant() {
    let mut ill_conditioned = 0;
    for angles in [[0.7, 0.9], [0.4, 1.3], [0.6, 0.5], [1.3, 1.2], [0.2, 0.3]] {
        for restitutions in [[0.5, 0.6], [0.8, 0.7], [0.1, 0.3]] {
            for frictions in [[0.0, 0.0], [0.3, 0.2]] {
                let walls = wedge(angles, restitutions, frictions);
                let disc = disc(&walls, 0.0);
                let reference = Reference::new([0.0, -G], walls, &disc).run();
                let expected = reference.moments.last().unwrap();
                let (world, ball) = world(&walls, &disc, DVec2::ZERO);
                let mut run = Exact::new(world).unwrap();
                let found = transitions(&mut run, ball);
                let (last, state) = found.last().unwrap();
                let what = format!("{angles:?} {restitutions:?} {frictions:?}");
                assert_eq!(last.regime, Some(Regime::Resting), "{what}");
                assert_eq!(
                    (state.velocity, state.angular_velocity),
                    (DVec2::ZERO, 0.0),
                    "{what}"
                );
                // Both sides touch it, to the last digits of its place.
                let place = (state.position - DVec2::from(expected.place)).length();
                assert!(place <= 1e-16, "{what}: {place:e} m");
                let off = (last.time - expected.time).abs();
                let condition = condition(walls, &disc, expected.time);
                if condition > 1e-12 {
                    // A hit at one wall a last digit before or after one at the other: nobody who rounds can tell.
                    assert!(
                        off <= 10.0 * condition,
                        "{what}: {off:e} s, {condition:e} s"
                    );
                    ill_conditioned += 1;
                    continue;
                }
                // Some hundred bounces, whose places are rounded, each at 10⁻¹⁷ m and more than 10⁻⁴ m/s: 10⁻¹³ s each
                // at worst; and the longer a run, the more of them.
                let within = 1e-12 * expected.time.max(1.0);
                assert!(off <= within, "{what}: {off:e} s");
                compare(&found, &reference.moments, within);
                let audit = run.audit();
                assert!(audit.energy_residual.abs() < 1e-12, "{what}: {audit:?}");
                assert!(
                    audit.momentum_residual.length() < 1e-10,
                    "{what}: {audit:?}"
                );
            }
        }
    }
    assert!(ill_conditioned <= 2, "{ill_conditioned}");
}

#[test]
fn a_disc_that_spins_in_a_wedge_has_the_spin_that_its_bounces_left_it() {
    let walls = wedge([0.9, 0.8], [0.5, 0.4], [0.04, 0.03]);
    for angular_velocity in [300.0, -300.0] {
        let disc = disc(&walls, angular_velocity);
        let reference = Reference::new([0.0, -G], walls, &disc).run();
        let expected = reference.moments.last().unwrap();
        let (world, ball) = world(&walls, &disc, DVec2::ZERO);
        let mut run = Exact::new(world).unwrap();
        let found = transitions(&mut run, ball);
        let halted = found
            .iter()
            .find(|(it, _)| it.regime == Some(Regime::Spinning));
        let (transition, state) = halted.expect("it spins on the spot");
        let off = (transition.time - expected.time).abs();
        assert!(off <= 1e-12, "{off:e} s");
        assert!(
            (state.angular_velocity - expected.angular_velocity).abs() <= 1e-10,
            "{state:?} {expected:?}"
        );
        assert_eq!(found.last().unwrap().0.regime, Some(Regime::Resting));
        assert!(run.audit().energy_residual.abs() < 1e-12);
    }
}

#[test]
fn a_wedge_that_moves_stops_a_disc_at_the_same_instant() {
    let walls = wedge([0.7, 0.9], [0.5, 0.6], [0.3, 0.2]);
    let disc = disc(&walls, 0.0);
    let reference = Reference::new([0.0, -G], walls, &disc).run();
    let (world, ball) = world(&walls, &disc, DVec2::new(1.0, 0.5));
    let mut run = Exact::new(world).unwrap();
    let found = transitions(&mut run, ball);
    let (last, state) = found.last().unwrap();
    assert_eq!(last.regime, Some(Regime::Resting));
    assert_eq!(state.velocity, DVec2::new(1.0, 0.5));
    // Some ten times as far out, where places are rounded ten times as coarsely.
    let off = (last.time - reference.moments.last().unwrap().time).abs();
    assert!(off <= 1e-11, "{off:e} s");
}

#[test]
fn what_was_foreseen_is_forgotten_when_something_else_happens() {
    let walls = wedge([0.7, 0.9], [0.5, 0.6], [0.3, 0.2]);
    let disc = disc(&walls, 0.0);
    let end = (Reference::new([0.0, -G], walls, &disc).run().moments)
        .last()
        .unwrap()
        .time;
    // When the bounces are some 10⁻⁸ m high.
    let edit = end - 3e-4;
    let (world, ball) = world(&walls, &disc, DVec2::ZERO);
    let mut run = Exact::new(world).unwrap();
    run.run_to(edit).unwrap();
    let mut plain = run.clone();
    run.set_gravity(DVec2::new(0.3, -0.6 * G)).unwrap();
    let mut anew = Exact::new(run.to_world()).unwrap();
    let anew_ball = anew.bodies().last().unwrap();
    let [edited, fresh] = [(&mut run, ball), (&mut anew, anew_ball)].map(|(run, ball)| {
        let found = transitions(run, ball);
        let (last, _) = found.last().unwrap();
        assert_eq!(last.regime, Some(Regime::Resting));
        last.time
    });
    assert!((edited - edit - fresh).abs() < 1e-10, "{edited} {fresh}");
    assert!(edited > end + 1e-5, "{edited} {end}");
    // Struck by another, and left alone again.
    let mut hit = plain.clone();
    let place = plain.state(ball).position + DVec2::new(0.0, 0.2 + 1e-4);
    let other = Body::ball(0.1, 0.1, place, DVec2::new(0.0, -2.0)).unwrap();
    let other = hit.insert(other).unwrap();
    hit.run_to(edit + 1e-3).unwrap();
    hit.remove(other).unwrap();
    let struck = transitions(&mut hit, ball);
    assert!(struck.last().unwrap().0.time > end + 1e-2);
    let found = transitions(&mut plain, ball);
    assert!((found.last().unwrap().0.time - end).abs() <= 1e-12);
}

#[test]
fn a_snapshot_while_the_end_is_foreseen_goes_on_with_the_same_bits() {
    let walls = wedge([0.7, 0.9], [0.5, 0.6], [0.3, 0.2]);
    let disc = disc(&walls, 0.0);
    let (world, _) = world(&walls, &disc, DVec2::ZERO);
    let mut whole = Exact::new(world.clone()).unwrap();
    let mut reference = Exact::reference(world).unwrap();
    let mut segments = whole.clone();
    whole.run_to(2.0).unwrap();
    reference.run_to(2.0).unwrap();
    for step in 0..40 {
        segments.run_to(0.802 + 4e-5 * f64::from(step)).unwrap();
        segments = Exact::restore(&segments.snapshot()).unwrap();
    }
    segments.run_to(2.0).unwrap();
    assert_eq!(whole.digest(), segments.digest());
    assert_eq!(whole.digest(), reference.digest());
}

#[test]
fn a_ball_thrown_into_a_smooth_groove_keeps_to_the_plane_across_it() {
    // Across a groove without friction a ball does what a disc does in the plane, whatever it does along it.
    let walls = wedge([0.7, 0.9], [0.5, 0.6], [0.0, 0.0]);
    let disc = disc(&walls, 0.0);
    let reference = Reference::new([0.0, -G], walls, &disc).run();
    let end = reference.moments.last().unwrap();
    let mut world = World3::new();
    world.set_gravity(DVec3::new(0.0, 0.2, -G)).unwrap();
    let own = (world.materials.add("default", Material::default())).unwrap();
    for (number, wall) in walls.iter().enumerate() {
        let name = format!("side {number}");
        let material = world.materials.add(&name, Material::default()).unwrap();
        let between = PairOverride {
            restitution: Some(wall.restitution),
            ..PairOverride::default()
        };
        (world.materials.override_pair(own, material, between)).unwrap();
        let normal = DVec3::new(wall.normal[0], 0.0, wall.normal[1]);
        let shape = Shape::HalfSpace(HalfSpace::solid(normal).unwrap());
        let mut body = Body::fixed(shape);
        body.material = material;
        world.add(body).unwrap();
    }
    let spread = |pair: [f64; 2], along: f64| DVec3::new(pair[0], along, pair[1]);
    let ball = Body::ball(
        RADIUS,
        0.7,
        spread(disc.place, 0.0),
        spread(disc.velocity, 0.3),
    );
    let ball = world.add(ball.unwrap()).unwrap();
    let mut run = Exact::new(world).unwrap();
    let mut last = None;
    run.run_until(Until::time(2.0), |event| {
        if let carom::record::Event::Transition(transition) = event {
            last = Some(*transition);
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    let last = last.unwrap();
    assert_eq!(last.regime, Some(Regime::Sliding));
    assert!((last.time - end.time).abs() <= 1e-12, "{last:?} {end:?}");
    let state = run.state(ball);
    let across = (DVec2::new(state.position.x, state.position.z) - DVec2::from(end.place)).length();
    assert!(across <= 1e-15, "{across:e}");
    assert!((state.position.y - (0.3 * 2.0 + 0.1 * 4.0)).abs() <= 1e-13);
}
