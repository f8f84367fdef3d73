//! Changes from outside, and what is to happen later, by both methods.

use crate::{BOXES_BY_FORCES, all, balls};
use carom::material::Constants;
use carom::prelude::*;
use carom::record::Change;
use carom::simulate::{Action, Trigger};
use std::ops::ControlFlow;

#[test]
fn edits_are_made_told_and_booked() {
    for (name, mut simulation) in all() {
        simulation.run_until(0.3).unwrap();
        let rubber = simulation.materials().find("rubber").unwrap();
        let new = Body::ball(0.1, 0.5, DVec2::new(5.0, 3.0), DVec2::ZERO).unwrap();
        let new = simulation.insert(new.made_of(rubber).named("new"));
        let new = new.unwrap();
        assert_eq!(simulation.find("new"), Some(new), "{name}");
        let ball = simulation.find("ball 1").unwrap();
        let velocity = DVec2::new(0.25, 0.5);
        simulation.set_velocity(ball, velocity, 0.0).unwrap();
        assert_eq!(simulation.state(ball).velocity, velocity, "{name}");
        let gone = simulation.find("ball 2").unwrap();
        let body = simulation.remove(gone).unwrap();
        assert_eq!(&*body.name, "ball 2", "{name}");
        assert!(simulation.body(gone).is_none(), "{name}");
        simulation.set_gravity(DVec2::new(0.0, -1.62)).unwrap();
        let bouncy = Material {
            restitution: 0.9,
            ..Material::default()
        };
        let found = simulation.change_materials(|materials| {
            let bouncy = materials.add("bouncy", bouncy).unwrap();
            let springs = Constants::spring_and_damper(2e4, 1.0);
            materials.set_constants(bouncy, springs).unwrap();
            bouncy
        });
        simulation.set_material(ball, found.unwrap()).unwrap();
        let mut told = Vec::new();
        simulation
            .run_with(1.0, |event| {
                if let Event::Edited(edit) = event {
                    told.push(edit.change);
                }
                ControlFlow::Continue(())
            })
            .unwrap();
        let expected = [
            Change::Inserted(new),
            Change::Velocity(ball),
            Change::Removed(gone),
            Change::Gravity,
            Change::Materials,
            Change::Material(ball),
        ];
        assert_eq!(told, expected, "{name}");
        assert!(simulation.audit().given.abs() > 1.0, "{name}");
        let error = simulation.remove(gone).unwrap_err();
        assert!(matches!(error, SimulationError::Edit(_)), "{name}");
        assert_eq!(error.to_string(), format!("there is no body {}", gone.0));
    }
}

/// What happens later does not depend on how the run is cut, who listens, or what ends it.
#[test]
fn directors_direct_both_methods() {
    for (name, start) in all() {
        let floor = start.find("floor").unwrap();
        let gate = start.find("gate");
        let directed = || {
            let mut simulation = start.clone();
            if let Some(gate) = gate {
                simulation
                    .at(0.5, Action::Gravity(DVec2::new(0.0, -3.71)))
                    .unwrap()
                    .on(Trigger::entered(gate), Action::score("gate", 1))
                    .unwrap();
            }
            simulation
                .every(0.25, Action::score("ticks", 1))
                .unwrap()
                .on(Trigger::hit(floor), Action::score("hits", 1))
                .unwrap()
                .on(Trigger::pressed("end"), Action::End)
                .unwrap();
            simulation
        };
        let mut whole = directed();
        assert_eq!(whole.run_until(2.1), Ok(End::Time), "{name}");
        assert_eq!(whole.score("ticks"), 8, "{name}");
        assert!(whole.score("hits") > 1, "{name}");
        if gate.is_some() {
            assert!(whole.score("gate") >= 1, "{name}");
            assert_eq!(whole.gravity(), DVec2::new(0.0, -3.71), "{name}");
        }
        assert!(whole.log().iter().any(|entry| entry.time == 0.5), "{name}");
        let mut cut = directed();
        while cut.time() < 2.1 {
            let until = Until::time((cut.time() + 0.13).min(2.1)).or(|_| true);
            let until = until.or_collisions(2);
            cut.run_with(until, |_| ControlFlow::Continue(())).unwrap();
        }
        assert_eq!(cut.digest(), whole.digest(), "{name}");
        assert_eq!(cut.log(), whole.log(), "{name}");
        whole.press("end").unwrap();
        assert_eq!(whole.run_until(9.0), Ok(End::Condition), "{name}");
        assert!(whole.is_over() && whole.is_held("end"), "{name}");
        assert_eq!(whole.run_until(9.0), Ok(End::Condition), "{name}");
        // What a run tells in all detail it tells where nothing is to happen later.
        assert!(
            cut.run_with_contacts(3.0, |_| ControlFlow::Continue(()))
                .is_err()
        );
    }
}

#[test]
fn what_cannot_be_done_later_is_refused_when_it_is_asked_for() {
    for (name, mut simulation) in all() {
        let nobody = Action::Remove(BodyId(99).into());
        let error = simulation.at(1.0, nobody).unwrap_err();
        assert!(matches!(error, SimulationError::Director(_)), "{name}");
        assert_eq!(error.to_string(), "remove body 99: there is no body 99");
        assert!(simulation.every(0.0, Action::End).is_err(), "{name}");
        simulation.run_until(0.1).unwrap();
        assert!(simulation.at(0.05, Action::End).is_err(), "{name}");
        assert!(simulation.log().is_empty(), "{name}");
    }
}

/// Rest is noticed where somebody comes in the meantime.
#[test]
fn rest_waits_for_who_comes_later() {
    let changes = |(name, _): &(&str, Simulation2)| *name != BOXES_BY_FORCES;
    for (name, mut simulation) in all().into_iter().filter(changes) {
        let rubber = simulation.materials().find("rubber").unwrap();
        let late = Body::ball(0.1, 0.5, DVec2::new(5.0, 1.0), DVec2::ZERO).unwrap();
        let late = late.made_of(rubber).named("late");
        simulation.at(1.0, Action::insert(late)).unwrap();
        let until = Until::time(60.0).or_rest(0.02);
        assert_eq!(simulation.run_until(until), Ok(End::Rest), "{name}");
        let late = simulation.find("late").unwrap();
        let state = simulation.state(late);
        assert!(simulation.time() > 1.4, "{name}: {}", simulation.time());
        assert!(state.velocity.length() <= 0.02, "{name}");
        assert!((state.position.y - 0.1).abs() < 2e-3, "{name}: {state:?}");
    }
}

/// A box can come among balls, at any time.
#[test]
fn rigid_bodies_come_among_balls() {
    let shape = Shape::block(DVec2::splat(0.2)).unwrap();
    let pose = Pose::at(DVec2::new(5.0, 1.0));
    let mut world = balls();
    let rubber = world.materials.find("rubber").unwrap();
    let body = Body::solid(shape, 1.0, pose, DVec2::ZERO, 0.0).unwrap();
    let body = body.made_of(rubber).named("late box");
    let insert = || Action::insert(body.clone());
    let mut later = Simulation::new(balls()).unwrap();
    later.at(0.5, insert()).unwrap();
    let mut at_once = Simulation::new(balls()).unwrap();
    at_once.insert(body.clone()).unwrap();
    for simulation in [&mut later, &mut at_once] {
        simulation.run_until(4.0).unwrap();
        let id = simulation.find("late box").unwrap();
        assert!((simulation.state(id).position.y - 0.2).abs() < 1e-6);
        assert!(simulation.has_rigid_bodies());
    }
    // Also once it has begun.
    let mut begun = Simulation::new(balls()).unwrap();
    begun.run_until(0.1).unwrap();
    begun.insert(body.clone()).unwrap();
    begun.run_until(4.0).unwrap();
    let id = begun.find("late box").unwrap();
    assert!((begun.state(id).position.y - 0.2).abs() < 1e-6);
    // It may come beside whatever balls strike.
    let wall = Shape::thin_wall(DVec2::X).unwrap();
    let wall = Body::fixed(wall).at(DVec2::new(-20.0, 0.0));
    world.add(wall.made_of(rubber).named("film")).unwrap();
    let mut walled = Simulation::new(world).unwrap();
    walled.insert(body).unwrap();
    walled.run_until(1.0).unwrap();
}
