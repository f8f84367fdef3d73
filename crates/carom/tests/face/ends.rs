//! When runs end, by both methods.

use crate::{BOXES_BY_FORCES, all, balls, boxes};
use carom::material::Constants;
use carom::prelude::*;
use carom::simulate::{Cancel, RestMemory};
use carom::simulate::{Method, View};
use std::ops::ControlFlow;

#[test]
fn listeners_can_stop() {
    for (name, mut simulation) in all() {
        let mut plain = simulation.clone();
        plain.run_until(2.0).unwrap();
        let (mut told, mut stops) = (0, 0);
        loop {
            let end = simulation.run_with(2.0, |event| match event {
                Event::Collision(_) => {
                    told += 1;
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            });
            match end.unwrap() {
                End::Observer => stops += 1,
                end => break assert_eq!(end, End::Time),
            }
        }
        assert_eq!(told, simulation.collisions(), "{name}");
        assert!(stops > 5 && stops <= told, "{name}");
        // Stopping leaves no trace.
        assert_eq!(simulation.digest(), plain.digest(), "{name}");
    }
}

/// A listener can be one that is chosen at run time.
#[test]
fn listeners_can_be_anything_that_is_called() {
    let mut simulation = Simulation::new(balls()).unwrap();
    let mut count = 0;
    let listener: &mut dyn FnMut(&Event<'_, Space2>) -> ControlFlow<()> = &mut |_| {
        count += 1;
        ControlFlow::Continue(())
    };
    simulation.run_with(2.0, listener).unwrap();
    assert!(count > 5);
}

#[test]
fn so_many_collisions_end_a_run() {
    for (name, mut simulation) in all() {
        let mut told = 0;
        for wanted in [2, 4] {
            let end = simulation.run_with(Until::time(10.0).or_collisions(2), |event| {
                told += u64::from(matches!(event, Event::Collision(_)));
                ControlFlow::Continue(())
            });
            assert_eq!(end, Ok(End::Collisions), "{name}");
            assert_eq!(told, wanted, "{name}");
        }
        let end = simulation.run_until(Until::time(10.0).or_collisions(0));
        assert_eq!(end, Ok(End::Collisions));
    }
}

#[test]
fn a_condition_ends_a_run_at_the_event_where_it_holds() {
    for (name, mut simulation) in all() {
        let mut plain = simulation.clone();
        let mut asked = 0;
        let until = Until::time(10.0).or(|now: &View<Space2>| {
            asked += 1;
            now.time() > 1.0
        });
        assert_eq!(simulation.run_until(until), Ok(End::Condition), "{name}");
        let time = simulation.time();
        assert!(time > 1.0 && time < 2.5 && asked > 1, "{name}: {time}");
        for run in [&mut simulation, &mut plain] {
            run.run_until(3.0).unwrap();
        }
        assert_eq!(simulation.digest(), plain.digest(), "{name}");
    }
}

#[test]
fn rest_ends_a_run_and_in_pieces_at_the_same_time() {
    // There balls roll on for ever.
    let stop = |(name, _): &(&str, Simulation2)| *name != BOXES_BY_FORCES;
    for (name, mut simulation) in all().into_iter().filter(stop) {
        let mut segments = simulation.clone();
        let mut memory = RestMemory::default();
        let until = Until::time(60.0).or_rest_remembered(0.02, &mut memory);
        assert_eq!(simulation.run_until(until), Ok(End::Rest), "{name}");
        let slow = |id: BodyId| simulation.state(id).velocity.length() <= 0.02;
        assert!(simulation.bodies().into_iter().all(slow), "{name}");
        let mut memory = RestMemory::default();
        let mut time = 0.0;
        loop {
            time += 0.0371;
            // Also kept in between.
            let (fast_at, struck_at) = memory.numbers();
            memory = RestMemory::from_numbers(fast_at, struck_at.to_vec());
            let until = Until::time(time).or_rest_remembered(0.02, &mut memory);
            match segments.run_until(until).unwrap() {
                End::Time => assert!(time < 60.0, "{name}"),
                end => break assert_eq!(end, End::Rest),
            }
        }
        assert_eq!(segments.time(), simulation.time(), "{name}");
        assert_eq!(segments.digest(), simulation.digest(), "{name}");
        let end = simulation.run_until(Until::time(100.0).or_rest(0.02));
        assert_eq!(end, Ok(End::Rest), "{name}");
    }
    let mut settled = Simulation::new(boxes()).unwrap();
    settled.run_until(30.0).unwrap();
    assert!(settled.is_at_rest());
}

/// A run that rest is looked for in, by times besides events, ends at once where somebody wants that.
#[test]
fn a_token_ends_a_run() {
    for (name, mut simulation) in all() {
        let mut plain = simulation.clone();
        let cancel = Cancel::new();
        simulation.set_cancel(Some(cancel.clone()));
        let end = simulation.run_with(Until::time(60.0).or_rest(1e-9), |event| {
            if let Event::Collision(_) = event {
                cancel.cancel();
            }
            ControlFlow::Continue(())
        });
        assert_eq!(end, Ok(End::Cancelled), "{name}");
        assert!(simulation.time() < 2.0, "{name}");
        simulation.set_cancel(None);
        for run in [&mut simulation, &mut plain] {
            run.run_until(2.0).unwrap();
        }
        assert_eq!(simulation.digest(), plain.digest(), "{name}");
    }
}

#[test]
fn a_wrong_time_is_refused_by_all() {
    for (name, mut simulation) in all() {
        simulation.run_until(0.5).unwrap();
        for until in [0.1, f64::NAN, f64::INFINITY] {
            assert!(simulation.run_until(until).is_err(), "{name}");
            let rest = Until::time(until).or_rest(1e-9);
            assert!(simulation.run_until(rest).is_err(), "{name}");
        }
        assert!(simulation.next_pause(0.7) > 0.5, "{name}");
        assert!(simulation.next_pause(0.7) <= 0.7, "{name}");
    }
}

/// By forces a run whose balls were let go of in the air was over before it began, at a limit of zero.
#[test]
fn what_is_let_go_of_is_not_at_rest() {
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -9.81)).unwrap();
    world
        .add(Body::fixed(Shape::half_space(DVec2::Y).unwrap()))
        .unwrap();
    world
        .add(Body::ball(0.1, 1.0, DVec2::Y, DVec2::ZERO).unwrap())
        .unwrap();
    let springs = Constants::spring_and_damper(1e5, 10.0);
    for method in [
        Method::default(),
        Forces::stepping(1e-3).with_fallback(springs).into(),
    ] {
        let mut simulation = Simulation::with(world.clone(), method).unwrap();
        let end = simulation.run_until(Until::time(0.1).or_rest(0.0));
        assert_eq!(end, Ok(End::Time));
    }
}
