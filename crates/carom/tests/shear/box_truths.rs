//! What a sheared box does to single balls, and what can be in it.

use crate::{balls, discs};
use carom::prelude::*;
use carom::simulate::{Compiled, Exact};
use carom::space::Linear;

fn sheared(rate: f64) -> World2 {
    let mut world = World2::new();
    world.set_periodic([Some(4.0), Some(4.0), None]).unwrap();
    world.set_shear(Some(Shear::new(rate))).unwrap();
    world
}

/// A ball that goes round many times is where a straight line leads, seen from the box that it set out from.
#[test]
fn a_ball_that_goes_round_flies_straight_on_seen_from_where_it_came() {
    for velocity in [DVec2::new(0.3, 1.7), DVec2::new(-2.0, -0.9)] {
        let mut world = sheared(0.37);
        let start = DVec2::new(1.1, 2.3);
        let ball = world
            .add(Body::ball(0.1, 2.0, start, velocity).unwrap())
            .unwrap();
        let mut run = Simulation::new(world).unwrap();
        for step in 1..=50 {
            let time = f64::from(step);
            run.run_until(time).unwrap();
            let away = run.unwrapped_position(ball) - (start + velocity * time);
            // Up to 21 boxes: 21 · 74 m along the flow, and a velocity of 31 m/s that is rounded at each of them and
            // led on for up to 50 s: 21 · 2⁻⁵³ · 32 · 50.
            assert!(away.length() < 1e-11, "{away} after {time} s");
            let place = run.state(ball).position;
            // Inside the box, to the rounding of when it leaves it.
            let inside = |along: f64| (-1e-12..=4.0 + 1e-12).contains(&along);
            assert!(inside(place.x) && inside(place.y), "{place}");
        }
        let audit = run.audit();
        let gained = audit.now.total() - audit.initial.total();
        assert!((audit.shear_work - gained).abs() < 1e-12 * gained.abs());
        assert!(audit.energy_residual.abs() < 1e-12 * audit.now.total());
        assert!(audit.momentum_residual.length() < 1e-12);
        assert!(audit.momentum_from_shear.length() > 1.0);
    }
}

/// Across the side that moves two equal balls exchange the velocities that they have relative to it.
#[test]
fn a_head_on_blow_across_the_side_exchanges_velocities_relative_to_it() {
    let mut world = sheared(0.5);
    // After 1 s the image above is 2 m ahead, and moves at 2 m/s: the lower ball meets it at x = 1 + 2 = 3.
    let low = DVec2::new(1.0, 0.6);
    let a = world
        .add(Body::ball(0.1, 1.0, low, DVec2::new(0.0, -0.5)).unwrap())
        .unwrap();
    // Its image seen from above the box is at (3, 4.1) after 1 s; this one comes to it from below, straight up in the
    // frame of the image.
    let b = world
        .add(Body::ball(0.1, 1.0, DVec2::new(1.0, 3.4), DVec2::new(2.0, 0.5)).unwrap())
        .unwrap();
    let mut run = Simulation::new(world).unwrap();
    run.run_until(1.5).unwrap();
    assert_eq!(run.collisions(), 1);
    assert!((run.state(a).velocity - DVec2::new(0.0, 0.5)).length() < 1e-14);
    assert!((run.state(b).velocity - DVec2::new(2.0, -0.5)).length() < 1e-14);
    let audit = run.audit();
    // The blow is across the flow: it does no work.
    assert!(audit.shear_work.abs() < 1e-14 && audit.energy_residual.abs() < 1e-14);
}

/// A gas without shear, and the same with an offset that is a whole length: nothing else changes.
#[test]
fn an_offset_of_whole_boxes_is_none() {
    let mut world = discs(10, 0.3, 0.0, 1);
    assert_eq!(world.shear(), None);
    let mut plain = Exact::new(world.clone()).unwrap();
    let offset = world.periods()[0];
    let whole = Shear {
        offset,
        ..Shear::new(0.0)
    };
    world.set_shear(Some(whole)).unwrap();
    let mut shifted = Exact::new(world).unwrap();
    plain.run_to(2.0).unwrap();
    shifted.run_to(2.0).unwrap();
    assert_eq!(plain.collisions(), shifted.collisions());
    let differ = (plain.bodies())
        .map(|id| (plain.state(id).position - shifted.state(id).position).length())
        .fold(0.0, f64::max);
    // Rounding of the shift, made larger by some six collisions for each ball.
    assert!(differ < 1e-6, "{differ}");
}

/// The world of a run, started anew, goes on with the offset that the images have.
#[test]
fn a_world_taken_from_a_run_goes_on_with_its_offset() {
    let mut run = Exact::new(discs(10, 0.5, 0.9, 3)).unwrap();
    run.run_to(1.3).unwrap();
    let mut anew = Exact::new(run.to_world()).unwrap();
    run.run_to(1.6).unwrap();
    anew.run_to(0.3).unwrap();
    for id in run.bodies() {
        let apart = (run.state(id).position - anew.state(id).position).length();
        // Less than a collision for each ball on the average, and some ten for one.
        assert!(apart < 1e-9, "{id:?} {apart}");
    }
}

/// What is asked across the side is what a look at every image says.
#[test]
fn queries_see_the_images_where_they_are() {
    let mut run = Simulation::new(discs(8, 0.3, 0.8, 5)).unwrap();
    run.run_until(2.7).unwrap();
    let [length, _, _] = run.periods();
    let ahead = 0.8 * length * 2.7;
    let images = |place: DVec2| {
        let mut all = Vec::new();
        for side in -2..=2 {
            for along in -40..=40 {
                let side = f64::from(side);
                let shift = DVec2::new(f64::from(along) * length + side * ahead, side * length);
                all.push(place + shift);
            }
        }
        all
    };
    for step in 0..40 {
        let height = 0.05 + 0.093 * f64::from(step % 11) * length;
        let place = DVec2::new(0.37 * f64::from(step), height);
        let gap = |id: BodyId| {
            let all = images(run.state(id).position).into_iter();
            all.map(|it| (it - place).length() - 0.5)
                .fold(f64::INFINITY, f64::min)
        };
        let expected = run
            .bodies()
            .into_iter()
            .map(gap)
            .fold(f64::INFINITY, f64::min);
        let query = run.query();
        let nearest = query.nearest(place, 1).unwrap()[0];
        assert!((nearest.1 - expected).abs() < 1e-12, "{place}: {nearest:?}");
        let ray = query.ray(place, DVec2::Y, 0.9 * length).unwrap();
        let first = run
            .bodies()
            .into_iter()
            .flat_map(|id| images(run.state(id).position));
        let first = first.filter_map(|it| {
            let (across, up) = (it.x - place.x, it.y - place.y);
            let half = (0.25 - across * across).max(0.0).sqrt();
            (across.abs() < 0.5 && up + half > 0.0).then_some((up - half).max(0.0))
        });
        let first = first.fold(f64::INFINITY, f64::min);
        match ray {
            Some(hit) => assert!((hit.distance - first).abs() < 1e-9, "{place}"),
            None => assert!(first > 0.9 * length, "{place}: {first}"),
        }
    }
}

#[test]
fn what_cannot_be_in_a_sheared_box_is_refused() {
    let refused = |world: World2| match Exact::new(world) {
        Ok(_) => String::new(),
        Err(errors) => errors.iter().map(ToString::to_string).collect(),
    };
    let mut world = sheared(1.0);
    world.set_gravity(DVec2::new(0.0, -1.0)).unwrap();
    assert!(refused(world).contains("sheared, with gravity"));
    let mut world = sheared(1.0);
    world.add(Body::fixed(Shape::ball(0.2).unwrap())).unwrap();
    assert!(refused(world).contains("sheared, with a static"));
    let mut world = sheared(1.0);
    let no_axis = Shear {
        gradient: 2,
        ..Shear::new(1.0)
    };
    assert!(world.set_shear(Some(no_axis)).is_err());
    assert!(world.set_shear(Some(Shear::new(f64::NAN))).is_err());
    let same = Shear {
        gradient: 0,
        ..Shear::new(1.0)
    };
    assert!(world.set_shear(Some(same)).is_err());
    // With a box that is another one the shear is gone.
    world.set_periodic([Some(4.0), None, None]).unwrap();
    assert_eq!(world.shear(), None);
    assert!(world.set_shear(Some(Shear::new(1.0))).is_err());
}

#[test]
fn changes_that_cannot_be_in_a_sheared_box_are_refused() {
    let mut run = Exact::new(discs(6, 0.2, 0.5, 1)).unwrap();
    run.run_to(0.5).unwrap();
    let before = run.digest();
    assert!(run.set_gravity(DVec2::new(0.0, -1.0)).is_err());
    let wall = Body::fixed(Shape::ball(0.1).unwrap()).at(DVec2::new(0.1, 0.1));
    assert!(run.insert(wall).is_err());
    assert_eq!(run.digest(), before);
    assert!(run.set_gravity(DVec2::ZERO).is_ok());
}

/// By forces a sheared box is refused with the reason.
#[test]
fn a_sheared_box_is_refused_by_forces() {
    let error = Simulation::with(discs(4, 0.2, 0.5, 1), Forces::default()).unwrap_err();
    assert!(error.to_string().contains("impulses"), "{error}");
}

/// Balls that overlap across the side that has moved are refused, and only there.
#[test]
fn overlaps_across_the_side_are_found_where_the_image_is() {
    for (x, overlaps) in [(1.0, false), (2.5, true), (3.5, false)] {
        let mut world = sheared(0.0);
        let shear = Shear {
            offset: 1.5,
            ..Shear::new(1.0)
        };
        world.set_shear(Some(shear)).unwrap();
        for place in [DVec2::new(1.0, 0.1), DVec2::new(x, 3.9)] {
            world
                .add(Body::ball(0.2, 1.0, place, DVec2::ZERO).unwrap())
                .unwrap();
        }
        assert_eq!(!world.overlaps().is_empty(), overlaps, "{x}");
    }
}

/// In 3-D the budgets close as well, and what the shear does is what the balls have more.
#[test]
fn the_budget_of_sheared_balls_closes() {
    fn check<S: Compiled>(world: World<S>) {
        let mut run = Simulation::new(world).unwrap();
        run.run_until(20.0).unwrap();
        let audit = run.audit();
        assert!(audit.shear_work > 0.1 * audit.initial.total());
        assert!(audit.energy_residual.abs() < 1e-11 * audit.now.total());
        assert!(Linear::length(audit.momentum_residual) < 1e-9);
        assert!(audit.angular_momentum.is_none());
    }
    check(balls(6, 0.2, 0.5, 2));
    check(discs(12, 0.3, 0.5, 2));
}
