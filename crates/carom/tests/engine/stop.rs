//! When runs end, and who is told what.

use carom::prelude::*;
use carom::record::Change;
use carom::shape::HalfSpace;
use carom::simulate::Cancel;
use carom::simulate::Exact;
use carom::simulate::{Interest, RunError, State, Subscribers, View};
use carom::space::Space;
use std::ops::ControlFlow;

fn go_on<S: Space>(_: &Event<'_, S>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Two balls between two walls, bouncing for ever or with losses.
fn corridor(restitution: f64) -> Exact<Space2> {
    let mut world = World2::new();
    let material = Material {
        restitution,
        ..Material::default()
    };
    world.materials.add("default", material).unwrap();
    for (place, direction) in [(0.0, 1.0), (10.0, -1.0)] {
        let wall = Shape::HalfSpace(HalfSpace::solid(DVec2::new(direction, 0.0)).unwrap());
        world
            .add(Body::fixed(wall).at(DVec2::new(place, 0.0)))
            .unwrap();
    }
    for (place, speed) in [(2.0, 1.0), (7.0, -0.4)] {
        world
            .add(Body::ball(0.5, 1.0, DVec2::new(place, 0.0), DVec2::new(speed, 0.0)).unwrap())
            .unwrap();
    }
    Exact::new(world).unwrap()
}

#[test]
fn the_first_condition_that_holds_ends_the_run_and_says_so() {
    let mut run = corridor(1.0);
    assert_eq!(run.run_until(3.0, go_on), Ok(End::Time));
    assert_eq!(run.time(), 3.0);
    let end = run.run_until(Until::time(1e6).or_collisions(10), go_on);
    // One before that.
    assert_eq!((end, run.collisions()), (Ok(End::Collisions), 11));
    let end = run.run_until(Until::time(1e6).or_collisions(5), go_on);
    assert_eq!((end, run.collisions()), (Ok(End::Collisions), 16));
    assert_eq!(
        run.run_until(Until::time(1e6).or_collisions(0), go_on),
        Ok(End::Collisions)
    );
    assert_eq!(run.collisions(), 16);
    let until = Until::time(1e6)
        .or_collisions(1_000)
        .or(|run: &View<Space2>| run.state(BodyId(2)).velocity.x == -1.0);
    assert_eq!(run.run_until(until, go_on), Ok(End::Condition));
    assert_eq!(run.state(BodyId(2)).velocity.x, -1.0);
    let end = run.run_until(1e6, |_| ControlFlow::Break(()));
    assert_eq!(end, Ok(End::Observer));
    let past = run.time() - 1.0;
    assert!(matches!(
        run.run_until(past, go_on),
        Err(RunError::Until { .. })
    ));
}

#[test]
fn the_state_at_a_condition_is_that_of_the_event() {
    let mut run = corridor(1.0);
    let mut times = Vec::new();
    let mut told = Vec::new();
    let until = Until::time(50.0).or(|run| {
        times.push(run.time());
        false
    });
    run.run_until(until, |event| {
        if let Event::Collision(collision) = event {
            told.push(collision.time);
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(times.len() > 5);
    assert_eq!(times, told);
}

#[test]
fn at_rest_without_gravity_is_when_all_are_slow() {
    // Every collision halves the relative speed; the first after which nobody is faster than 0.2 m/s ends the run.
    let mut run = corridor(0.5);
    assert_eq!(
        run.run_until(Until::time(1e6).or_rest(0.2), go_on),
        Ok(End::Rest)
    );
    let speeds = |state: &dyn Fn(BodyId) -> State<Space2>| {
        [2, 3].map(|id| state(BodyId(id)).velocity.length())
    };
    assert!(
        speeds(&|id| run.state(id))
            .iter()
            .all(|&speed| speed <= 0.2)
    );
    let (time, collisions) = (run.time(), run.collisions());
    let mut plain = corridor(0.5);
    let mut fast_before = 0;
    let mut slow_at = None;
    plain
        .run_until(
            Until::time(time).or(|run| {
                if speeds(&|id| run.state(id))
                    .iter()
                    .all(|&speed| speed <= 0.2)
                {
                    slow_at = slow_at.or(Some(run.collisions()))
                } else {
                    fast_before += 1
                }
                false
            }),
            go_on,
        )
        .unwrap();
    // The collision at the very end is not before it.
    assert_eq!((slow_at, fast_before), (None, collisions - 1));
    // Standing still from the start.
    let mut world = World2::new();
    world
        .add(Body::ball(0.5, 1.0, DVec2::ZERO, DVec2::ZERO).unwrap())
        .unwrap();
    let mut still = Exact::new(world).unwrap();
    assert_eq!(
        still.run_until(Until::time(10.0).or_rest(0.0), go_on),
        Ok(End::Rest)
    );
    assert_eq!(still.time(), 0.0);
}

#[test]
fn at_rest_in_gravity_is_not_the_top_of_a_flight() {
    // Two balls, one bouncing high without loss and one low with losses: at the top of the first the second may be
    // slow, again and again.
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -10.0)).unwrap();
    let lossy = Material {
        restitution: 0.81,
        ..Material::default()
    };
    let lossy = world.materials.add("lossy", lossy).unwrap();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
    world.add(Body::fixed(floor)).unwrap();
    let ball = |x: f64, height: f64| {
        Body::ball(0.5, 1.0, DVec2::new(x, height + 0.5), DVec2::ZERO).unwrap()
    };
    world.add(ball(0.0, 1.0)).unwrap();
    world.add(ball(3.0, 1.0).made_of(lossy)).unwrap();
    let mut run = Exact::new(world.clone()).unwrap();
    // The lossy one (0.9 with the elastic floor) is below 0.2 m/s after 30 bounces; the other never is.
    let until = Until::time(8.0).or_rest(0.2);
    assert_eq!(run.run_until(until, go_on), Ok(End::Time));
    // Without the elastic one it comes to rest, later than when it is first slow.
    let mut run = Exact::new(world).unwrap();
    run.remove(BodyId(1)).unwrap();
    assert_eq!(
        run.run_until(Until::time(20.0).or_rest(0.2), go_on),
        Ok(End::Rest)
    );
    // It leaves the floor after n bounces with √20 0.9ⁿ m/s: below 0.2 from the 30th on; the 30th strikes with more,
    // the 31st with less.
    let bounces = run.collisions();
    assert!((32..40).contains(&bounces), "{bounces}");
    let speed = run.state(BodyId(2)).velocity.length();
    assert!(speed < 0.2 && speed > 0.05, "{speed}");
}

#[test]
fn what_happens_does_not_depend_on_who_listens() {
    let plain = {
        let mut run = corridor(0.99);
        run.run_to(100.0).unwrap();
        run.digest()
    };
    let mut run = corridor(0.99);
    let (mut all, mut of_one, mut of_pair) = (0, 0, 0);
    let mut subscribers = Subscribers::new();
    let count = |number: &mut u64| {
        *number += 1;
        ControlFlow::Continue(())
    };
    subscribers
        .subscribe(Interest::Collisions, |_| count(&mut all))
        .subscribe(Interest::Body(BodyId(2)), |_| count(&mut of_one))
        .subscribe(Interest::Pair(BodyId(3), BodyId(2)), |_| {
            count(&mut of_pair)
        })
        .subscribe(Interest::SensorOverlaps, |_| panic!("there are no sensors"))
        .subscribe(Interest::Edits, |_| panic!("nothing was changed"));
    let until = Until::time(100.0)
        .or_rest(1e-9)
        .or(|run| run.audit().now.translational < 0.0);
    run.run_until(until, |event| subscribers.notify(event))
        .unwrap();
    drop(subscribers);
    assert_eq!(run.digest(), plain);
    assert_eq!(all, run.collisions());
    assert!(of_pair > 0 && of_one > of_pair && all > of_one);
}

#[test]
fn edits_are_told_before_what_follows_and_a_run_in_pieces_is_the_same() {
    let mut run = corridor(1.0);
    run.run_to(1.0).unwrap();
    run.set_velocity(BodyId(2), DVec2::new(2.0, 0.0), 0.0)
        .unwrap();
    let mut told = Vec::new();
    run.run_until(Until::time(2.0), |event| {
        told.push(match *event {
            Event::Edited(edit) => Some(edit),
            _ => None,
        });
        ControlFlow::Continue(())
    })
    .unwrap();
    let edit = told[0].expect("the edit is told first");
    assert_eq!((edit.time, edit.change), (1.0, Change::Velocity(BodyId(2))));
    assert!(told[1..].iter().all(Option::is_none));
    // Stopping at every collision leaves no trace.
    let (mut whole, mut segments) = (corridor(0.98), corridor(0.98));
    whole.run_to(60.0).unwrap();
    while segments.run_until(Until::time(60.0).or_collisions(1), go_on) != Ok(End::Time) {}
    assert_eq!(whole.digest(), segments.digest());
}

/// A token ends a run between two events, from wherever it is set; what comes then has the bits of a run that was never
/// cancelled.
#[test]
fn a_token_ends_a_run_that_can_go_on() {
    let mut whole = corridor(0.9);
    whole.run_to(100.0).unwrap();
    let mut run = corridor(0.9);
    let cancel = Cancel::new();
    run.set_cancel(Some(cancel.clone()));
    let end = run.run(100.0, |collision| {
        if collision.number == 5 {
            cancel.cancel();
        }
        ControlFlow::Continue(())
    });
    assert_eq!((end, run.collisions()), (Ok(End::Cancelled), 5));
    // As long as the wish is there nothing happens, and snapshots are without it.
    assert_eq!(run.run_to(100.0), Ok(End::Cancelled));
    let mut restored = Exact::<Space2>::restore(&run.snapshot()).unwrap();
    assert_eq!(restored.run_to(100.0), Ok(End::Time));
    run.set_cancel(None);
    assert_eq!(run.run_to(100.0), Ok(End::Time));
    assert_eq!([run.digest(), restored.digest()], [whole.digest(); 2]);
}

/// Two balls that collide for ever, and somebody in another thread who has enough of it.
#[test]
fn another_thread_ends_a_run() {
    let mut run = corridor(1.0);
    let cancel = Cancel::new();
    run.set_cancel(Some(cancel.clone()));
    let thread = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        cancel.cancel();
    });
    // A billion seconds would take hours.
    assert_eq!(run.run_to(1e9), Ok(End::Cancelled));
    thread.join().unwrap();
}

/// Elastic balls between a wall and a piston, with 2 m for them to fly in, which are gone at 2 s.
fn in_a_gap_that_closes(places: &[f64]) -> Exact<Space2> {
    let mut world = World2::new();
    let wall = Shape::HalfSpace(HalfSpace::solid(DVec2::X).unwrap());
    world.add(Body::fixed(wall).named("wall")).unwrap();
    let piston = Shape::HalfSpace(HalfSpace::solid(-DVec2::X).unwrap());
    let drive = Drive::Uniform {
        velocity: DVec2::new(-1.0, 0.0),
    };
    let far = 2.0 + places.len() as f64;
    let piston = Body::kinematic(piston, drive).at(DVec2::new(far, 0.0));
    world.add(piston.named("piston")).unwrap();
    for &x in places {
        let ball = Body::ball(0.5, 1.0, DVec2::new(x, 0.0), DVec2::X).unwrap();
        world.add(ball.named("ball")).unwrap();
    }
    Exact::new(world).unwrap()
}

/// An elastic ball between a wall and a piston that comes nearer for ever: infinitely many collisions before the gap is
/// closed. It used to run on without a word, and then until the ball had 10¹² times its energy, after a million
/// collisions, without a word of the wall. Now it ends when the gap is narrow for certain: 50 µm, 50 µs before.
#[test]
fn a_gap_that_closes_on_an_elastic_ball_is_named_with_both_its_sides() {
    let mut run = in_a_gap_that_closes(&[1.5]);
    assert_eq!(run.run_to(1.0), Ok(End::Time));
    match run.run_to(10.0) {
        Err(RunError::Squeezed {
            time,
            a,
            b,
            against: Some(against),
            ..
        }) => {
            assert_eq!(a, "ball");
            let mut sides = [b, against];
            sides.sort();
            assert_eq!(sides, ["piston", "wall"]);
            assert!(time < 2.0 && time > 2.0 - 5e-5, "{time}");
        }
        other => panic!("{other:?}"),
    }
    // A run that asks for less has it.
    let mut run = in_a_gap_that_closes(&[1.5]);
    assert_eq!(run.run_to(2.0 - 6e-5), Ok(End::Time));
    assert!(run.collisions() > 1000, "{}", run.collisions());
}

/// Two such balls are between a fixture and each other: what ends the run is that they gain without end.
#[test]
fn a_gap_that_closes_on_elastic_balls_is_told_and_ends_the_run() {
    let mut run = in_a_gap_that_closes(&[1.5, 2.6]);
    assert_eq!(run.run_to(1.0), Ok(End::Time));
    assert!(run.warnings().is_empty());
    match run.run_to(10.0) {
        Err(RunError::Runaway {
            time, times, body, ..
        }) => {
            assert_eq!(body, "ball");
            assert!(time < 2.0 && time > 1.99);
            assert!(times > 1e8);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(run.warnings().len(), 1);
}
