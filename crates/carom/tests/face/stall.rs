//! Drives that stall: what would squeeze a body stands still from then on, and the run goes on.

use carom::prelude::*;
use carom::record::Change;
use carom::simulate::{Compiled, RunError, Settling};
use carom::world::BodyId;
use std::ops::ControlFlow;

/// The height of what is pressed, m.
const SIZE: f64 = 0.4;

/// A press that comes down on a body on a floor, at 1 m/s, from 1.5 m above the body's top: for a body that has come to
/// rest there is no room left at 1.5 s.
fn under_a_press(pressed: Body<carom::space::Space2>, restitution: f64) -> (World2, BodyId) {
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -9.81)).unwrap();
    let material = Material {
        restitution,
        static_friction: 0.3,
        kinetic_friction: 0.3,
        ..Material::default()
    };
    let material = world.materials.add("stuff", material).unwrap();
    let floor = Shape::half_space(DVec2::Y).unwrap();
    world
        .add(Body::fixed(floor).material(material).named("floor"))
        .unwrap();
    let down = Drive::Uniform {
        velocity: -DVec2::Y,
    };
    let plate = Shape::block(DVec2::new(2.0, 0.1)).unwrap();
    let press = Body::kinematic(plate, down).at(DVec2::new(0.0, SIZE + 1.6));
    let press = world.add(press.material(material).named("press")).unwrap();
    world.add(pressed.made_of(material).named("it")).unwrap();
    (world, press)
}

fn a_ball() -> Body<carom::space::Space2> {
    let ball = Shape::ball(0.5 * SIZE).unwrap();
    let ball = Body::free(ball).mass(1.0).at(DVec2::new(0.0, 0.8));
    ball.build().unwrap()
}

fn a_box() -> Body<carom::space::Space2> {
    let block = Shape::block(DVec2::new(0.5 * SIZE, 0.5 * SIZE)).unwrap();
    let block = Body::free(block).mass(1.0).at(DVec2::new(0.0, 0.8));
    block.build().unwrap()
}

fn stalling(world: World2) -> Simulation2 {
    Simulation::with(world, Settling::default().with_stalls(true)).unwrap()
}

/// Runs to a time; when which bodies stalled.
fn stalled<S: Compiled>(run: &mut Simulation<S>, until: f64) -> Vec<(f64, BodyId)> {
    let mut found = Vec::new();
    let end = run.run_with(until, |event| {
        if let Event::Edited(edit) = event
            && let Change::Stalled(id) = edit.change
        {
            found.push((edit.time, id));
        }
        ControlFlow::Continue(())
    });
    assert_eq!(end.unwrap(), End::Time);
    found
}

#[test]
fn a_press_stalls_on_what_it_would_squeeze() {
    for (pressed, size) in [(a_ball(), 1e-5 * SIZE), (a_box(), 1e-6)] {
        for restitution in [0.0, 0.5] {
            let (world, press) = under_a_press(pressed.clone(), restitution);
            let mut run = stalling(world);
            let found = stalled(&mut run, 3.0);
            let [(time, id)] = found[..] else {
                panic!("{found:?}");
            };
            assert_eq!(id, press);
            // At 1 m/s the gap of what bounces a little still, or of the contact's tolerance, is gone within that.
            assert!((time - 1.5).abs() <= 1e-4, "{time}");
            let place = run.last_state(press).position.y;
            assert!((place - (SIZE + 0.1)).abs() <= 1e-4, "{place}");
            // Where it stood when it stalled, to rounding.
            assert!(
                (place - (SIZE + 1.6 - time)).abs() <= 1e-15 * 4.0,
                "{place}"
            );
            let audit = run.audit();
            assert!(audit.deepest_overlap <= size, "{audit:#?}");
            // Of what the press put in, all of which is lost again.
            let scale = 1.0 + audit.work_by_kinematic.abs();
            assert!(audit.energy_residual.abs() <= 1e-12 * scale, "{audit:#?}");
            assert!(run.is_at_rest(), "{:?}", run.last_state(BodyId(2)));
        }
    }
}

#[test]
fn without_the_option_the_run_ends_with_an_error_and_nothing_overlaps() {
    for pressed in [a_ball(), a_box()] {
        let (world, press) = under_a_press(pressed, 0.5);
        let mut run = Simulation::new(world).unwrap();
        let error = run.run_until(3.0).unwrap_err();
        let carom::simulate::SimulationError::Run(error) = error else {
            panic!("{error}");
        };
        let RunError::Squeezed { drives, .. } = *error else {
            panic!("{error}");
        };
        assert_eq!(drives, [press]);
        // A look at the step that would have come counted as an overlap of its whole length, 4.5 mm, and the impulses
        // of a step that never happened stood in the budget.
        let audit = run.audit();
        assert!(audit.deepest_overlap <= 1e-9, "{audit:#?}");
        assert!(audit.momentum_residual.length() <= 1e-9, "{audit:#?}");
    }
}

#[test]
fn both_sides_that_close_in_stall() {
    let (mut world, press) = under_a_press(a_ball(), 0.3);
    world.set_gravity(DVec2::ZERO).unwrap();
    let table = Shape::block(DVec2::new(2.0, 0.1)).unwrap();
    let up = Drive::Uniform {
        velocity: DVec2::Y * 0.25,
    };
    let table = Body::kinematic(table, up).at(DVec2::new(0.0, 0.2));
    let table = world.add(table.named("table")).unwrap();
    let mut run = stalling(world);
    let found = stalled(&mut run, 4.0);
    let ids: Vec<BodyId> = found.iter().map(|&(_, id)| id).collect();
    assert_eq!(ids, [press, table]);
    assert_eq!(found[0].0, found[1].0);
    assert!(run.audit().deepest_overlap <= 1e-5 * SIZE);
}

#[test]
fn a_run_that_is_restored_still_stalls_to_the_same_bits() {
    let (world, _) = under_a_press(a_box(), 0.5);
    let mut whole = stalling(world.clone());
    whole.run_until(3.0).unwrap();
    let mut first = stalling(world);
    first.run_until(1.2).unwrap();
    let mut second: Simulation2 = Simulation::restore(&first.snapshot()).unwrap();
    second.run_until(3.0).unwrap();
    assert_eq!(second.digest(), whole.digest());
    assert_ne!(second.digest(), first.digest());
}
