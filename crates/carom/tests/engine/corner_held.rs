//! What happens to balls that three walls or more hold: others hit them, people edit them, runs are saved and cut into
//! pieces meanwhile (rows P5, P6).

use super::corner::{MASS, Made, RADIUS, SQUARE, world};
use carom::body::Kind;
use carom::prelude::*;
use carom::record::Event;
use carom::record::Regime;
use carom::simulate::Exact;
use carom::simulate::Until;
use std::ops::ControlFlow;

const DOWN: DVec3 = DVec3::new(-1.0, -2.0, -9.0);

const RUBBING: Made = Made {
    restitution: 0.5,
    friction: 0.05,
    pivot: 0.0,
    roll: 0.0,
};

fn ball(place: DVec3, velocity: DVec3, angular_velocity: DVec3) -> Body<Space3> {
    let mut body = Body::ball(RADIUS, MASS, place, velocity).unwrap();
    if let Kind::Free(motion) = &mut body.kind {
        motion.angular_velocity = angular_velocity;
    }
    body
}

/// One that falls into the corner of three square walls, and spins there for a third of a second.
fn falling() -> Body<Space3> {
    let angular_velocity = DVec3::new(40.0, -30.0, 20.0);
    ball(
        DVec3::new(0.12, 0.115, 0.13),
        DVec3::new(0.03, -0.02, 0.01),
        angular_velocity,
    )
}

/// When it is held, and when it has spun down.
fn instants(exact: &mut Exact<Space3>, until: f64) -> Vec<(f64, Option<Regime>)> {
    let mut told = Vec::new();
    let mut events = 0;
    let end = exact.run_until(Until::time(until), |event| {
        events += 1;
        if let Event::Transition(it) = event {
            told.push((it.time, it.regime));
        }
        if events < 20_000 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    assert_eq!(end.unwrap(), End::Time);
    told
}

/// Held and spinning, and the instants of both ends.
fn held() -> (Exact<Space3>, BodyId, f64, f64) {
    let mut world = world(DOWN, &SQUARE, RUBBING);
    let id = world.add(falling()).unwrap();
    let mut exact = Exact::new(world).unwrap();
    let told = instants(&mut exact.clone(), 20.0);
    let [
        ..,
        (begins, Some(Regime::Spinning)),
        (ends, Some(Regime::Resting)),
    ] = told[..]
    else {
        panic!("{:?}", &told[told.len().saturating_sub(8)..]);
    };
    exact.run_to(0.5 * (begins + ends)).unwrap();
    assert_eq!(exact.state(id).velocity, DVec3::ZERO);
    assert_ne!(exact.state(id).angular_velocity, DVec3::ZERO);
    (exact, id, begins, ends)
}

/// Of less than a joule, in hundreds of roundings.
fn assert_balanced(exact: &Exact<Space3>) {
    let audit = exact.audit();
    assert!(audit.energy_residual.abs() < 1e-13, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-12, "{audit:?}");
}

#[test]
fn four_walls_hold_a_ball_in_their_pit() {
    // Three would do; which of them push is not determined by forces alone.
    let normals = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]
        .map(|(x, y)| DVec3::new(x, y, 0.8).normalize());
    let bottom = DVec3::new(0.0, 0.0, RADIUS / normals[0].z);
    for down in [DVec3::new(0.3, 0.2, -9.0), DVec3::new(0.0, 0.0, -9.0)] {
        for (friction, restitution) in [(0.02, 0.3), (0.05, 0.5), (0.1, 0.3), (0.3, 0.7)] {
            let made = Made {
                friction,
                restitution,
                ..RUBBING
            };
            let mut world = world(down, &normals, made);
            let place = bottom + DVec3::new(0.003, 0.002, 0.03);
            let body = ball(place, DVec3::ZERO, DVec3::new(4.0, -3.0, 20.0));
            let id = world.add(body).unwrap();
            let mut exact = Exact::new(world).unwrap();
            instants(&mut exact, 20.0);
            let (state, what) = (exact.state(id), format!("{made:?} {down}"));
            assert!(exact.is_at_rest_everywhere(), "{what}");
            assert_eq!(
                (state.velocity, state.angular_velocity),
                (DVec3::ZERO, DVec3::ZERO),
                "{what}"
            );
            // To the last digits; one that falls asleep may be as far off as its last hops led.
            let off = (state.position - bottom).length();
            assert!(off < 1e-8 * RADIUS, "{what}: {off:e}");
            assert_balanced(&exact);
        }
    }
}

#[test]
fn balls_that_do_not_meet_are_held_in_one_corner_as_each_alone() {
    let bodies = [
        falling().in_groups(2, 1),
        ball(
            DVec3::new(0.13, 0.12, 0.11),
            DVec3::ZERO,
            DVec3::new(-20.0, 30.0, 10.0),
        )
        .in_groups(4, 1),
        ball(
            DVec3::new(0.105, 0.14, 0.12),
            DVec3::ZERO,
            DVec3::new(15.0, 25.0, -35.0),
        )
        .in_groups(8, 1),
    ];
    let alone = bodies.clone().map(|body| {
        let mut world = world(DOWN, &SQUARE, RUBBING);
        let id = world.add(body).unwrap();
        let mut exact = Exact::new(world).unwrap();
        let told = instants(&mut exact, 1.5);
        (exact.state(id), told)
    });
    let mut world = world(DOWN, &SQUARE, RUBBING);
    let ids = bodies.map(|body| world.add(body).unwrap());
    let mut exact = Exact::new(world).unwrap();
    let mut told: Vec<Vec<(f64, Option<Regime>)>> = vec![Vec::new(); ids.len()];
    exact
        .run_until(Until::time(1.5), |event| {
            if let Event::Transition(it) = event {
                let number = ids.iter().position(|&id| id == it.ball).unwrap();
                told[number].push((it.time, it.regime));
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    for (number, &id) in ids.iter().enumerate() {
        let (state, alone) = (exact.state(id), &alone[number]);
        assert_eq!(told[number], alone.1, "{number}");
        assert_eq!(
            (state.position, state.angular_velocity),
            (alone.0.position, alone.0.angular_velocity)
        );
        assert_eq!(
            told[number].last().unwrap().1,
            Some(Regime::Spinning),
            "{:?}",
            &told[number][told[number].len().saturating_sub(6)..]
        );
    }
    assert_balanced(&exact);
}

#[test]
fn several_balls_come_to_rest_in_and_on_one_corner() {
    let made = Made {
        restitution: 0.3,
        friction: 0.3,
        roll: 0.02,
        pivot: 0.02,
    };
    let mut world = world(DOWN, &SQUARE, made);
    for number in 0..4 {
        let aside = 0.25 * f64::from(number);
        let place = DVec3::new(0.12 + 0.3 * aside, 0.13 + aside, 0.15 + aside);
        world.add(ball(place, DVec3::ZERO, DVec3::ZERO)).unwrap();
    }
    let mut exact = Exact::new(world).unwrap();
    let mut events = 0_u64;
    let end = exact.run_until(Until::time(20.0), |_| {
        events += 1;
        if events < 200_000 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    assert_eq!(end.unwrap(), End::Time);
    assert!(exact.is_at_rest_everywhere());
    assert!(exact.audit().energy_residual.abs() < 1e-11);
}

#[test]
fn a_ball_that_is_hit_leaves_the_corner_and_comes_back() {
    let (mut exact, id, ..) = held();
    // From the side, past two walls: it is thrown along the third.
    let place = DVec3::new(0.1, 0.1, 0.1 + 2.0 * RADIUS + 0.01);
    let other = ball(
        place + DVec3::new(-0.0, 0.05, 0.0),
        DVec3::new(0.0, 0.0, -3.0),
        DVec3::ZERO,
    );
    let other = exact.insert(other).unwrap();
    let mut left = false;
    for _ in 0..200 {
        exact.run_to(exact.time() + 1e-3).unwrap();
        left |= (exact.state(id).position - DVec3::splat(0.1)).length() > 1e-3;
    }
    assert!(left);
    assert_balanced(&exact);
    exact.remove(other).unwrap();
    let told = instants(&mut exact, 20.0);
    assert_eq!(told.last().unwrap().1, Some(Regime::Resting));
    assert!(exact.is_at_rest_everywhere());
    assert!((exact.state(id).position - DVec3::splat(0.1)).length() < 1e-15);
    assert_balanced(&exact);
}

#[test]
fn a_ball_that_is_hit_into_the_corner_stays() {
    let (mut exact, id, ..) = held();
    // Along the diagonal, so that all three walls push back: each bounce off them sends it against the other again,
    // until that has gone.
    let away = DVec3::splat(1.0).normalize();
    let other = exact
        .insert(ball(
            DVec3::splat(0.1) + away * (2.0 * RADIUS + 0.01),
            away * -0.5,
            DVec3::ZERO,
        ))
        .unwrap();
    exact.run_to(exact.time() + 0.1).unwrap();
    assert!(exact.collisions() > 0);
    assert_balanced(&exact);
    exact.remove(other).unwrap();
    instants(&mut exact, 20.0);
    assert!(exact.is_at_rest_everywhere());
    assert!((exact.state(id).position - DVec3::splat(0.1)).length() < 1e-15);
    assert_balanced(&exact);
}

#[test]
fn a_ball_in_the_corner_goes_on_as_an_edit_has_it() {
    let (run, id, _, ends) = held();
    let angular_velocity = run.state(id).angular_velocity;
    // Off the walls.
    let mut thrown = run.clone();
    thrown
        .set_velocity(id, DVec3::new(0.5, 0.4, 1.0), angular_velocity)
        .unwrap();
    thrown.run_to(thrown.time() + 0.05).unwrap();
    assert!(thrown.state(id).position.min_element() > 0.1 + 1e-3);
    instants(&mut thrown, 20.0);
    assert!(thrown.is_at_rest_everywhere());
    assert!((thrown.state(id).position - DVec3::splat(0.1)).length() < 1e-15);
    assert_balanced(&thrown);
    // Against them: it bounces off.
    let mut pushed = run.clone();
    pushed
        .set_velocity(id, DVec3::new(-0.5, -0.4, -1.0), angular_velocity)
        .unwrap();
    pushed.run_to(pushed.time() + 0.02).unwrap();
    assert!((pushed.state(id).position - DVec3::splat(0.1)).length() > 1e-3);
    instants(&mut pushed, 20.0);
    assert!(pushed.is_at_rest_everywhere());
    assert_balanced(&pushed);
    // With another spin alone it stays, and spins as long as that lasts.
    let mut spun = run.clone();
    spun.set_velocity(id, DVec3::ZERO, 2.0 * angular_velocity)
        .unwrap();
    let told = instants(&mut spun, 20.0);
    assert!((spun.state(id).position - DVec3::splat(0.1)).length() < 1e-15);
    let (last, regime) = *told.last().unwrap();
    assert_eq!(regime, Some(Regime::Resting));
    // What a spin does depends on where it points to alone: twice as much takes twice as long.
    let (since, left) = (run.time(), ends - run.time());
    assert!(
        (last - since - 2.0 * left).abs() < 1e-9,
        "{} {left}",
        last - since
    );
    assert_balanced(&spun);
}

#[test]
fn whatever_a_run_is_cut_at_in_a_corner_it_has_the_same_bits() {
    let mut world = world(DOWN, &SQUARE, RUBBING);
    world.add(falling()).unwrap();
    let mut whole = Exact::new(world.clone()).unwrap();
    let (_, _, begins, ends) = held();
    let mut reference = Exact::reference(world).unwrap();
    let (mut segments, mut saved) = (whole.clone(), whole.clone());
    whole.run_to(8.0).unwrap();
    reference.run_to(8.0).unwrap();
    // While its end is foreseen, hops are lower and lower, it is held, spins, and rests.
    let late = [
        -1e-3, -1e-4, -3e-5, -1e-5, -3e-6, -1e-6, -3e-7, -1e-7, 0.0, 1e-9, 1e-6, 1e-3,
    ];
    let spinning = (1..8).map(|eighth| begins + (ends - begins) * f64::from(eighth) / 8.0);
    let resting = [ends, ends + 1e-6, ends + 0.1];
    for time in late
        .into_iter()
        .map(|off| begins + off)
        .chain(spinning)
        .chain(resting)
    {
        segments.run_to(time).unwrap();
        saved.run_to(time).unwrap();
        saved = Exact::restore(&saved.snapshot()).unwrap();
        assert_eq!(saved.snapshot(), segments.snapshot(), "at {time}");
    }
    for run in [&mut segments, &mut saved] {
        run.run_to(8.0).unwrap();
        assert_eq!(run.digest(), whole.digest());
    }
    assert_eq!(reference.digest(), whole.digest());
    // After every single event.
    let mut run = saved;
    let mut world = super::corner::world(DOWN, &SQUARE, RUBBING);
    world.add(falling()).unwrap();
    run.clone_from(&Exact::new(world).unwrap());
    loop {
        let end = run.run_until(Until::time(8.0), |_| ControlFlow::Break(()));
        run = Exact::restore(&run.snapshot()).unwrap();
        if end.unwrap() == End::Time {
            break;
        }
    }
    assert_eq!(run.digest(), whole.digest());
}
