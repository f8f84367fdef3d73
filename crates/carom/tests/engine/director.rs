//! Changes while it runs: motions and fields set anew, schedules and triggers. All of it with the same bits however the
//! run is cut.

mod actions;
mod rules;
mod thermostat;

use carom::audit::Audit;
use carom::body::{CollisionFilter, Kind};
use carom::motion::{Drag, Field, Fields, Wind};
use carom::prelude::*;
use carom::record::Change;
use carom::shape::{Ball, Block, HalfSpace, Segment, Shape2};
use carom::simulate::Entry;
use carom::simulate::Exact;
use carom::simulate::{Action, ActionTarget, Bodies, DirectorError, EditError, Mount, Trigger};
use std::ops::ControlFlow;

const GRAVITY: DVec2 = DVec2::new(0.0, -9.81);

fn floor(world: &mut World2) -> BodyId {
    let wall = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
    let floor = Body::fixed(wall).named("floor");
    world.add(floor).unwrap()
}

fn ball_at(x: f64, y: f64) -> Body<Space2> {
    Body::ball(0.1, 1.0, DVec2::new(x, y), DVec2::ZERO)
        .unwrap()
        .named("ball")
}

/// A ball above a floor, elastic: strikes it every 0.9 s.
fn bouncing() -> (Exact<Space2>, BodyId, BodyId) {
    let mut world = World2::new();
    world.set_gravity(GRAVITY).unwrap();
    let floor = floor(&mut world);
    let ball = world.add(ball_at(0.0, 1.1)).unwrap();
    (Exact::new(world).unwrap(), floor, ball)
}

/// A bat at the origin under three falling balls, with walls around.
fn bat_and_balls(soft: bool) -> (World2, BodyId) {
    let mut world = World2::new();
    world.set_gravity(GRAVITY).unwrap();
    let material = Material {
        restitution: if soft { 0.3 } else { 0.9 },
        static_friction: 0.2,
        kinetic_friction: 0.2,
        ..Material::default()
    };
    if soft {
        // Balls that are pushed along would bounce ever faster.
        world.set_contact_time(Some(1e-4)).unwrap();
    }
    let wood = world.materials.add("wood", material).unwrap();
    for (place, normal) in [
        (DVec2::new(0.0, -1.0), DVec2::Y),
        (DVec2::new(-2.0, 0.0), DVec2::X),
        (DVec2::new(2.0, 0.0), DVec2::NEG_X),
        (DVec2::new(0.0, 4.0), DVec2::NEG_Y),
    ] {
        let wall = Shape::HalfSpace(HalfSpace::solid(normal).unwrap());
        let wall = Body::fixed(wall).at(place).named("wall");
        world.add(wall.made_of(wood)).unwrap();
    }
    let bat = Shape::Block(Block::new(DVec2::new(0.6, 0.05)).unwrap());
    let bat = Body::fixed(bat).named("bat");
    let bat = world.add(bat.made_of(wood)).unwrap();
    for x in [-0.4, 0.1, 0.45] {
        let ball = ball_at(x, 0.5 + x * x).made_of(wood);
        world.add(ball).unwrap();
    }
    (world, bat)
}

fn swing(knots: &[(f64, f64)]) -> Drive<Space2> {
    Drive::Swing {
        pivot: DVec2::new(-0.6, 0.0),
        axis: 1.0,
        knots: knots.to_vec(),
    }
}

fn assert_books(audit: &Audit<Space2>, scale: f64) {
    // Each event rounds sums of about the scale; there are thousands at most.
    assert!(audit.energy_residual.abs() < 1e-12 * scale, "{audit:?}");
    assert!(
        audit.momentum_residual.length() < 1e-11 * scale,
        "{audit:?}"
    );
    let angular = audit.angular_momentum.unwrap();
    assert!(angular.residual.abs() < 1e-10 * scale, "{angular:?}");
}

// ---------------------------------------------------------------- motions set anew

#[test]
fn a_fixed_body_begins_to_swing_and_stands_again() {
    for soft in [false, true] {
        let (world, bat) = bat_and_balls(soft);
        let go = |mut run: Exact<Space2>, cuts: usize| {
            for turn in 0..20 {
                // Up for 0.05 s, and standing from there; back for 0.2 s.
                let until = 0.7 * f64::from(turn / 3 + 1) + [0.0, 0.05, 0.4][turn as usize % 3];
                let from = run.time();
                for cut in 1..=cuts {
                    let part = from + (until - from) * cut as f64 / cuts as f64;
                    run.run_to(if cut == cuts { until } else { part }).unwrap();
                }
                let now = run.time();
                match turn % 3 {
                    0 => run.set_drive(bat, swing(&[(now, 0.0), (now + 0.05, 0.7)])),
                    1 => run.stand_still(bat),
                    _ => run.set_drive(bat, swing(&[(now, 0.7), (now + 0.2, 0.0)])),
                }
                .unwrap();
            }
            run.run_to(8.0).unwrap();
            assert!(
                run.audit().work_by_kinematic > 0.1,
                "the bat struck nothing"
            );
            assert_books(&run.audit(), 100.0);
            run
        };
        let whole = go(Exact::new(world.clone()).unwrap(), 1);
        let cut = go(Exact::new(world.clone()).unwrap(), 7);
        assert_eq!(whole.digest(), cut.digest());
        let reference = go(Exact::reference(world.clone()).unwrap(), 1);
        assert_eq!(whole.digest(), reference.digest());
        assert_eq!(whole.collisions(), reference.collisions());
    }
}

#[test]
fn a_bat_that_comes_from_below_strikes_at_the_right_time() {
    let mut world = World2::new();
    let bat = Segment::new(DVec2::ZERO, DVec2::X).unwrap();
    let bat = Body::fixed(Shape::own(Shape2::Segment(bat)));
    let bat = world.add(bat).unwrap();
    let ball = world.add(ball_at(0.5, 0.3)).unwrap();
    let mut run = Exact::new(world).unwrap();
    run.run_to(1.0).unwrap();
    let drive = Drive::Swing {
        pivot: DVec2::ZERO,
        axis: 1.0,
        knots: vec![(1.5, 0.0), (2.5, 2.0)],
    };
    run.set_drive(bat, drive).unwrap();
    let mut times = Vec::new();
    run.run(10.0, |collision| {
        times.push(collision.time);
        ControlFlow::Continue(())
    })
    .unwrap();
    // The line through the pivot is 0.1 from the centre, which is at an angle α and a distance d, when it has turned by
    // α − asin(0.1/d).
    let distance = libm::hypot(0.5, 0.3);
    let angle = libm::atan2(0.3, 0.5) - libm::asin(0.1 / distance);
    assert_eq!(times.len(), 1);
    assert!((times[0] - (1.5 + angle / 2.0)).abs() < 1e-14, "{times:?}");
    // ε = 1: twice the speed of the bat where it strikes.
    let speed = 2.0 * 2.0 * (distance * distance - 0.01).sqrt();
    assert!((run.state(ball).velocity.length() - speed).abs() < 1e-13);
}

#[test]
fn a_ball_that_rests_on_a_body_is_let_go_when_that_moves() {
    let mut world = World2::new();
    world.set_gravity(GRAVITY).unwrap();
    let soft = Material {
        restitution: 0.0,
        ..Material::default()
    };
    let soft = world.materials.add("soft", soft).unwrap();
    let table = Shape::Block(Block::new(DVec2::new(1.0, 0.1)).unwrap());
    let table = Body::fixed(table).made_of(soft);
    let table = world.add(table).unwrap();
    let other = Shape::Block(Block::new(DVec2::new(1.0, 0.1)).unwrap());
    let other = Body::fixed(other).at(DVec2::new(3.0, 0.0)).made_of(soft);
    world.add(other).unwrap();
    let ball = world.add(ball_at(0.0, 0.2).made_of(soft)).unwrap();
    let still = world.add(ball_at(3.0, 0.2).made_of(soft)).unwrap();
    let mut run = Exact::new(world).unwrap();
    run.run_to(1.0).unwrap();
    // Away under it at once: it falls freely for as long as the table is faster.
    let away = Drive::Uniform {
        velocity: DVec2::new(0.0, -20.0),
    };
    run.set_drive(table, away).unwrap();
    run.run_to(1.5).unwrap();
    let fallen = 0.2 - 0.5 * 9.81 * 0.25;
    assert!((run.state(ball).position.y - fallen).abs() < 1e-12);
    // It is asked anew whether it stays, and may fall for an instant of the clock.
    assert!((run.state(still).position - DVec2::new(3.0, 0.2)).length() < 1e-15);
    assert_books(&run.audit(), 10.0);
}

#[test]
fn motions_that_cannot_be_are_refused_and_nothing_changes() {
    let (world, bat) = bat_and_balls(false);
    let mut run = Exact::new(world).unwrap();
    run.run_to(0.3).unwrap();
    let digest = run.digest();
    let text = |result: Result<(), EditError>| result.unwrap_err().to_string();
    let ball = run.find("ball").unwrap();
    assert_eq!(
        text(run.stand_still(ball)),
        "body 5 (ball) is a free ball: its drive cannot be set"
    );
    assert_eq!(text(run.stand_still(BodyId(99))), "there is no body 99");
    assert_eq!(
        text(run.set_drive(bat, swing(&[]))),
        "body 4 (bat): knots is empty, but must be one or more pairs of a time and an angle"
    );
    let elsewhere = Pose::at(DVec2::new(0.0, 0.01));
    let said = text(run.set_motion(bat, elsewhere, None));
    assert!(
        said.starts_with("body 4 (bat) would jump by 1e-2 m at t = 0.3 s"),
        "{said}"
    );
    // At 0.3 s it would be at another angle than it is.
    let pose = run.body(bat).unwrap().pose;
    let jumps = run.set_motion(bat, pose, Some(swing(&[(0.0, 0.0), (1.0, 1.0)])));
    assert!(matches!(jumps, Err(EditError::Jump { distance, .. }) if distance > 0.1));
    assert_eq!(run.digest(), digest);
    // From here on, as its knots say, it may.
    run.set_drive(bat, swing(&[(0.0, 0.0), (1.0, 1.0)]))
        .unwrap();
    assert!((run.state(bat).position - pose.position).length() < 1e-15);
    assert_eq!(run.state(bat).angular_velocity, 1.0);
    assert_ne!(run.digest(), digest);
}

#[test]
fn a_snapshot_in_mid_swing_goes_on_with_the_same_bits() {
    let (world, bat) = bat_and_balls(false);
    let mut run = Exact::new(world).unwrap();
    run.run_to(0.2).unwrap();
    run.set_drive(
        bat,
        swing(&[(0.2, 0.0), (0.35, 0.7), (0.6, 0.7), (0.9, 0.0)]),
    )
    .unwrap();
    run.run_to(0.3).unwrap();
    let mut copy = Exact::<Space2>::restore(&run.snapshot()).unwrap();
    assert_eq!(copy.body(bat), run.body(bat));
    let mut told = Vec::new();
    for run in [&mut run, &mut copy] {
        run.run_to(5.0).unwrap();
        run.stand_still(bat).unwrap();
        let mut edits = 0;
        let listener = |event: &Event<'_, Space2>| {
            let of_bat = matches!(event, Event::Edited(edit) if edit.change == Change::Drive(bat));
            edits += usize::from(of_bat);
            ControlFlow::Continue(())
        };
        run.run_until(6.0, listener).unwrap();
        told.push((run.digest(), edits));
    }
    assert_eq!(told[0], told[1]);
    assert_eq!(told[0].1, 1);
}

// ---------------------------------------------------------------- fields set anew

#[test]
fn wind_and_drag_get_up_and_cease() {
    let (linear, mass) = (0.5, 1.0);
    let drag = Field::Drag(Drag::Given {
        linear,
        quadratic: 0.0,
    });
    let velocity = DVec2::new(2.0, 0.0);
    let air = Fields::uniform(GRAVITY).with(drag);
    let wind = air.clone().with(Field::Wind(Wind::Uniform { velocity }));
    let mut world = World2::new();
    world.set_gravity(GRAVITY).unwrap();
    let ball = Body::ball(0.1, mass, DVec2::ZERO, DVec2::new(1.0, 8.0)).unwrap();
    let ball = world.add(ball).unwrap();
    let mut run = Exact::new(world).unwrap();
    run.run_to(1.0).unwrap();
    run.set_fields(wind).unwrap();
    assert_eq!(run.fields().parts().len(), 2);
    run.run_to(2.0).unwrap();
    // v → w + g m/k, with the rate k/m.
    let start = DVec2::new(1.0, 8.0) + GRAVITY;
    let terminal = velocity + GRAVITY * (mass / linear);
    let expected = terminal + (start - terminal) * libm::exp(-linear / mass);
    // The integrator is asked for a relative 1e-12 or so a piece; the edit has nothing to do with it.
    assert!((run.state(ball).velocity - expected).length() < 1e-8);
    run.set_fields(Fields::uniform(GRAVITY)).unwrap();
    run.run_to(3.0).unwrap();
    assert!((run.state(ball).velocity - (expected + GRAVITY)).length() < 1e-8);
    assert!(
        run.audit().energy_residual.abs() < 1e-7,
        "{:?}",
        run.audit()
    );
    assert!(run.audit().momentum_residual.length() < 1e-8);

    let bad = Fields::uniform(DVec2::new(f64::NAN, 0.0));
    let digest = run.digest();
    assert!(run.set_fields(bad).unwrap_err().to_string().contains("NaN"));
    assert_eq!(run.digest(), digest);
}

/// Where nothing but gravity acts before and after, it is the change of gravity.
#[test]
fn uniform_fields_are_gravity() {
    let mars = DVec2::new(0.0, -3.71);
    let [mut a, mut b] = [bouncing().0, bouncing().0];
    a.run_to(1.0).unwrap();
    b.run_to(1.0).unwrap();
    a.set_gravity(mars).unwrap();
    b.set_fields(Fields::uniform(mars)).unwrap();
    a.run_to(5.0).unwrap();
    b.run_to(5.0).unwrap();
    let ball = BodyId(1);
    assert_eq!(a.state(ball), b.state(ball));
    assert_eq!(a.collisions(), b.collisions());
    assert_eq!(a.audit().now, b.audit().now);
}

// ---------------------------------------------------------------- through an instant

#[test]
fn a_run_through_an_instant_does_what_is_at_it() {
    let mut world = World2::new();
    for x in [0.0, 2.0] {
        let ball = Body::ball(0.5, 1.0, DVec2::new(x, 0.0), DVec2::new(1.0 - x, 0.0)).unwrap();
        world.add(ball).unwrap();
    }
    // At half a second they touch, without rounding.
    let mut run = Exact::new(world).unwrap();
    run.run_to(0.5).unwrap();
    assert_eq!(run.collisions(), 0);
    let go_on = |_: &Event<'_, Space2>| ControlFlow::Continue(());
    assert_eq!(run.run_through(0.5, go_on), Ok(End::Time));
    assert_eq!((run.collisions(), run.time()), (1, 0.5));
    assert_eq!(run.run_through(0.5, go_on), Ok(End::Time));
    assert!(run.run_through(0.4, go_on).is_err());
    assert!(run.run_through(f64::NAN, go_on).is_err());
}
