//! Rules with conditions, bodies that come and go under their own numbers, and all of it stored and restored in
//! mid-run.

use super::*;
use carom::material::Constants;
use carom::record::EntryKind;
use carom::simulate::{Bodies, Condition, Forces, Measured, Method, Relation};

/// A floor, two elastic balls above it, a sensor around the second, and a third ball that is to come.
fn world() -> (World2, Vec<Body<Space2>>) {
    let mut world = World2::new();
    world.set_gravity(GRAVITY).unwrap();
    let springs = Constants::spring_and_damper(1e6, 0.0);
    world
        .materials
        .set_constants(carom::material::Materials::DEFAULT, springs)
        .unwrap();
    floor(&mut world);
    world.add(ball_at(0.0, 1.1).named("left")).unwrap();
    world.add(ball_at(2.0, 2.1).named("right")).unwrap();
    let zone = Body::fixed(Shape::block(DVec2::new(0.3, 0.1)).unwrap()).at(DVec2::new(2.0, 1.0));
    world.add(zone.named("zone").sensing()).unwrap();
    (world, vec![ball_at(4.0, 1.1).named("late")])
}

const FLOOR: BodyId = BodyId(0);
const LEFT: BodyId = BodyId(1);
const RIGHT: BodyId = BodyId(2);
const ZONE: BodyId = BodyId(3);
const LATE: BodyId = BodyId(4);

/// A run with one rule of every kind.
fn directed(method: Method) -> Simulation2 {
    let (world, waiting) = world();
    let late = waiting[0].clone();
    let mut run = Simulation::with_waiting(world, waiting, method).unwrap();
    let these = |id: BodyId| Bodies::these([id]);
    run.at(0.3, Action::Enter(vec![(LATE, late.clone())]))
        .unwrap();
    run.every_from(0.5, 0.25, Some(4), Action::score("ticks", 1))
        .unwrap();
    let bounce = Trigger::collision(these(LEFT), these(FLOOR));
    run.on(bounce.clone(), Action::score("bounces", 1)).unwrap();
    let gone = Action::Remove(ActionTarget::Ball);
    run.on(
        bounce.nth(2),
        Action::All(vec![
            gone,
            Action::Print("{first} on {second}: {bounces}".into()),
        ]),
    )
    .unwrap();
    run.on(Trigger::entered(ZONE), Action::score("zone", 1))
        .unwrap();
    let low = Condition::new(Measured::Position(RIGHT, 1), Relation::Below, 0.5);
    run.on(Trigger::begins(low).first(3), Action::score("low", 1))
        .unwrap();
    let many = Condition::new(Measured::Score("bounces".into()), Relation::AtLeast, 2.0);
    let back = Action::Enter(vec![(LEFT, ball_at(0.0, 1.1).named("left"))]);
    run.on(Trigger::begins(many.clone()), back.after(0.4))
        .unwrap();
    let kick = Action::LinearVelocity(LATE.into(), DVec2::new(0.0, 2.0));
    run.every(0.6, Action::If(vec![many], Box::new(kick)))
        .unwrap();
    run
}

/// Digest, log and scores.
type Outcome = (u64, Vec<(f64, String)>, Vec<(String, i64)>);

fn outcome(run: &Simulation2) -> Outcome {
    let log = run
        .log()
        .iter()
        .map(|entry| (entry.time, entry.what.clone()));
    let scores = run.scores().map(|(name, score)| (name.to_owned(), score));
    (run.digest(), log.collect(), scores.collect())
}

fn methods() -> [Method; 2] {
    let mut forces = Forces::default();
    forces.step = Some(1e-4);
    [Method::default(), Method::from(forces)]
}

#[test]
fn rules_do_the_same_however_a_run_is_cut_stored_and_restored() {
    for method in methods() {
        let mut whole = directed(method);
        whole.run_until(3.0).unwrap();
        let expected = outcome(&whole);
        let (mut cut, mut restored) = (directed(method), directed(method));
        for step in 1..=30 {
            let until = f64::from(step) / 10.0;
            cut.run_until(until).unwrap();
            restored.run_until(until).unwrap();
            restored = Simulation2::restore(&restored.snapshot()).unwrap();
        }
        assert_eq!(outcome(&cut), expected, "{method:?}");
        assert_eq!(outcome(&restored), expected, "{method:?}");
        // Stopped at every event by whoever listens, and stored there.
        let mut stopped = directed(method);
        while stopped.run_with(3.0, |_| ControlFlow::Break(())).unwrap() == End::Observer {
            stopped = Simulation2::restore(&stopped.snapshot()).unwrap();
        }
        let found = outcome(&stopped);
        assert_eq!((found.0, &found.2), (expected.0, &expected.2), "{method:?}");
        assert_eq!(found.1.len(), expected.1.len(), "{method:?}");
        for ((time, what), (at, done)) in found.1.iter().zip(&expected.1) {
            // By forces the clock within a step that was cut before is that of the sum of its parts.
            let slack = if matches!(method, Method::Forces(_)) {
                1e-15
            } else {
                0.0
            };
            assert!(
                (time - at).abs() <= slack * at && what == done,
                "{time} {what}, not {at} {done}"
            );
        }
    }
}

/// The left ball falls 1 m, in √(2/g) = 0.4515 s, and is back on the floor after twice that.
#[test]
fn a_body_leaves_at_its_second_bounce_and_comes_back_under_its_own_number() {
    let mut run = directed(Method::default());
    let fall = (2.0_f64 / 9.81).sqrt();
    assert_eq!(run.bodies(), [FLOOR, LEFT, RIGHT, ZONE]);
    assert!(!run.has(LATE) && run.absent(LATE).is_some());
    assert_eq!(run.census().bodies().len(), 5);
    run.run_until(0.35).unwrap();
    assert!(run.has(LATE));
    run.run_until(3.0 * fall + 0.01).unwrap();
    assert!(!run.has(LEFT) && run.score("bounces") == 2);
    assert!((run.last_state(LEFT).position.y - 0.1).abs() < 1e-12);
    let printed: Vec<&str> = (run
        .log()
        .iter()
        .filter(|entry| entry.kind == EntryKind::Print))
    .map(|entry| &*entry.what)
    .collect();
    assert_eq!(printed, ["left on floor: 2"]);
    run.run_until(3.0 * fall + 0.41).unwrap();
    assert!(run.has(LEFT) && run.find("left") == Some(LEFT));
    run.run_until(3.0).unwrap();
    // From 0.5 s on, four times.
    assert_eq!(run.score("ticks"), 4);
    // The right ball begins to be below 0.5 m once in each of its falls from 2.1 m: at 0.571 s, 1.85 s.
    assert_eq!(run.score("low"), 2);
    // What is there cannot be put in again; what is removed twice is not there.
    let log = run.log().iter().map(|entry| entry.kind);
    assert!(log.clone().all(|kind| kind != EntryKind::End));
}

#[test]
fn a_state_is_looked_at_on_a_grid_and_an_end_is_an_end() {
    let (world, waiting) = world();
    let mut run = Simulation::with_waiting(world, waiting, Method::default()).unwrap();
    run.look_every(0.01).unwrap();
    let fast = Condition::new(Measured::Speed(LEFT), Relation::Above, 3.0);
    run.on(Trigger::begins(fast), Action::End).unwrap();
    // 3 m/s after 0.3058 s.
    assert_eq!(run.run_until(5.0).unwrap(), End::Condition);
    assert_eq!(run.time(), 31.0 * 0.01);
    assert!(run.is_over());
    assert!(run.look_every(0.0).is_err());
    assert!(run.every_from(9.0, 0.0, None, Action::End).is_err());
    let nobody = Condition::new(Measured::Speed(BodyId(77)), Relation::Above, 3.0);
    assert!(run.on(Trigger::begins(nobody), Action::End).is_err());
    let axis = Condition::new(Measured::Position(LEFT, 2), Relation::Above, 3.0);
    assert!(run.on(Trigger::begins(axis), Action::End).is_err());
}

/// A run that is to end at rest waits for what is still to come at a known time.
#[test]
fn nothing_is_at_rest_while_something_is_to_happen() {
    let mut world = World2::new();
    let ball = world.add(ball_at(0.0, 0.0)).unwrap();
    let mut run = Simulation::new(world).unwrap();
    let set = |speed: f64| Action::LinearVelocity(ball.into(), DVec2::new(speed, 0.0));
    run.at(1.0, set(2.0)).unwrap();
    run.at(3.0, set(0.0)).unwrap();
    assert_eq!(
        run.run_until(Until::time(9.0).or_rest(1e-6)).unwrap(),
        End::Rest
    );
    assert_eq!((run.time(), run.state(ball).position.x), (3.0, 4.0));
}

#[test]
fn what_is_done_to_a_body_that_is_not_there_is_noted_and_does_no_harm() {
    let (world, waiting) = world();
    let late = waiting[0].clone();
    let mut run = Simulation::with_waiting(world, waiting, Method::default()).unwrap();
    run.at(0.1, Action::Remove(LATE.into())).unwrap();
    let twice = Action::Enter(vec![(LATE, late.clone())]);
    run.at(0.2, Action::All(vec![twice.clone(), twice]))
        .unwrap();
    run.at(0.3, Action::Remove(ActionTarget::Bodies(vec![LATE, RIGHT])))
        .unwrap();
    run.at(0.3, Action::Remove(RIGHT.into())).unwrap();
    run.run_until(0.4).unwrap();
    let log: Vec<(EntryKind, &str)> = (run.log().iter())
        .map(|entry| (entry.kind, &*entry.what))
        .collect();
    use EntryKind::{Change, Nothing};
    assert_eq!(
        log,
        [
            (Nothing, "remove late: not there"),
            (Change, "add late"),
            (Nothing, "add late: there already"),
            (Change, "remove late, right"),
            (Nothing, "remove right: not there"),
        ]
    );
    // One that there never was is an error.
    assert!(run.at(0.5, Action::Remove(BodyId(9).into())).is_err());
    assert!(run.at(0.5, Action::Enter(vec![(BodyId(9), late)])).is_err());
}

#[test]
fn damaged_snapshots_of_rules_are_refused() {
    let mut run = directed(Method::default());
    run.run_until(1.0).unwrap();
    let bytes = run.snapshot();
    for cut in [0, 10, 30, bytes.len() / 2, bytes.len() - 1] {
        assert!(Simulation2::restore(&bytes[..cut]).is_err(), "{cut}");
    }
    for place in (0..bytes.len()).step_by(37) {
        let mut flipped = bytes.clone();
        flipped[place] ^= 0x10;
        assert!(Simulation2::restore(&flipped).is_err(), "{place}");
    }
    assert!(Simulation3::restore(&bytes).is_err());
}
