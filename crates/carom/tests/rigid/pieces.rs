//! The same bits: from run to run, in pieces, and from a snapshot; and what is refused.

use super::runs::{block2, check_steps, world2};
use carom::prelude::*;
use carom::shape::{Block, HalfSpace};
use carom::shape::{Compound, Convex};
use carom::simulate::Cancel;
use carom::simulate::Settling;
use carom::simulate::{Exact, Stepped};
use carom::space::Space;
use carom::world::has_rigid_bodies;
use std::ops::ControlFlow;

/// Boxes that fall and come to rest, a ball among them, and a concave body.
fn heap() -> World2 {
    let mut world = world2(0.3, 0.4);
    for k in 0..6 {
        let (k, turned) = (f64::from(k), 0.3 * f64::from(k));
        let block = block2([0.8, 0.4], [0.3 * k, 1.0 + 1.1 * k], turned);
        world.add(block).expect("allowed");
    }
    let ball = Body::ball(0.3, 1.0, DVec2::new(-3.0, 1.0), DVec2::new(5.0, 0.0));
    world.add(ball.expect("a ball")).expect("allowed");
    let bar = |half: [f64; 2], place: [f64; 2]| {
        let part = Convex::<Space2>::block(DVec2::from_array(half)).expect("positive");
        part.placed(&Pose::at(DVec2::from_array(place)))
    };
    let parts = vec![bar([0.5, 0.1], [0.0, 0.0]), bar([0.1, 0.4], [-0.4, 0.5])];
    let form = Compound::with_mass(parts, 1.0).expect("an L");
    let pose = Pose::at(DVec2::new(4.0, 2.0));
    let angle = Body::solid(
        Shape::Compound(Box::new(form)),
        2.0,
        pose,
        DVec2::new(-2.0, 0.0),
        1.0,
    );
    world.add(angle.expect("a solid")).expect("allowed");
    world
}

fn run(world: World2) -> Exact<Space2> {
    Exact::with(world, &Settling::default()).expect("nothing overlaps")
}

#[test]
fn runs_in_pieces_and_from_snapshots_have_the_bits_of_a_run_in_one_go() {
    let mut whole = run(heap());
    whole.run_to(2.5).expect("it gets on");
    let mut segments = run(heap());
    for time in [0.1, 0.777, 0.778, 1.5, 2.0001, 2.5] {
        segments.run_to(time).expect("it gets on");
    }
    assert_eq!(whole.digest(), segments.digest());
    let mut first = run(heap());
    for time in [0.3, 0.9, 1.7] {
        first.run_to(time).expect("it gets on");
        let bytes = first.snapshot();
        let mut later = Exact::<Space2>::restore(&bytes).expect("a snapshot");
        assert_eq!(later.digest(), first.digest(), "at {time} s");
        later.run_to(2.5).expect("it gets on");
        assert_eq!(later.digest(), whole.digest(), "from {time} s");
        assert_eq!(later.collisions(), whole.collisions());
    }
    let audit = whole.audit();
    assert!(audit.energy_residual.abs() < 1e-10, "{audit:?}");
    check_steps(&audit, 1e-3);
}

#[test]
fn what_is_damaged_or_foreign_is_no_snapshot() {
    let mut first = run(heap());
    first.run_to(0.5).expect("it gets on");
    let mut bytes = first.snapshot();
    assert!(
        Exact::<Space3>::restore(&bytes).is_err(),
        "of the other space"
    );
    assert!(
        Stepped::<Space2>::restore(&bytes).is_err(),
        "of the other method"
    );
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    assert!(
        Exact::<Space2>::restore(&bytes).is_err(),
        "a bit has changed"
    );
}

#[test]
fn what_solids_cannot_be_beside_is_refused_by_name() {
    let refusal = |world: World2| {
        let errors = Exact::with(world, &Settling::default()).err();
        errors.map_or(String::new(), |errors| errors[0].to_string())
    };
    let mut overlapping = world2(0.5, 0.1);
    for y in [1.0, 1.2] {
        overlapping
            .add(block2([1.0, 1.0], [0.0, y], 0.0))
            .expect("allowed");
    }
    assert!(refusal(overlapping).contains("overlap by"));
    let mut periodic = heap();
    periodic
        .set_periodic([Some(2.0), None, None])
        .expect("allowed");
    assert!(refusal(periodic).contains("must be below half the box"));
    let mut thin = heap();
    let wall = Shape::thin_wall(DVec2::Y).expect("a direction");
    thin.add(Body::fixed(wall).at(DVec2::new(0.0, 0.9)).named("film"))
        .expect("allowed");
    assert!(refusal(thin).contains("film"));
    assert!(has_rigid_bodies(&heap()));
}

/// Elastic boxes that tumble in a room without gravity keep their energy, and collide.
#[test]
fn boxes_that_tumble_in_a_room_keep_their_energy() {
    let mut world = World3::new();
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        for normal in [axis, -axis] {
            let wall = Shape::HalfSpace(HalfSpace::solid(normal).expect("a direction"));
            world
                .add(Body::fixed(wall).at(normal * -2.0))
                .expect("allowed");
        }
    }
    for k in 0..27 {
        let cell = DVec3::new((k % 3) as f64, (k / 3 % 3) as f64, (k / 9) as f64) - 1.0;
        let turn = f64::from(k);
        let shape = Shape::Block(Block::new(DVec3::new(0.3, 0.2, 0.1)).expect("positive"));
        let pose = Pose {
            position: cell * 1.2,
            rotation: Space3::rotation_of(DVec3::new(1.0, 0.5, -0.3), turn),
        };
        let velocity = DVec3::new((turn * 1.7).sin(), (turn * 2.3).cos(), (turn * 0.9).sin());
        let angular_velocity = DVec3::new((turn * 3.1).cos(), turn.sin(), (turn * 1.3).cos()) * 3.0;
        let body = Body::solid(shape, 1.0, pose, velocity, angular_velocity).expect("a solid");
        world.add(body).expect("allowed");
    }
    let mut run = Exact::with(world, &Settling::default()).expect("nothing overlaps");
    let before = run.audit().now.total();
    run.run_to(3.0).expect("it gets on");
    let audit = run.audit();
    assert!(run.collisions() > 100, "{}", run.collisions());
    // Each impact rounds the energy by some units of 1e-16, each turn of a tumbling box as well.
    assert!(
        (audit.now.total() - before).abs() < 1e-10 * before,
        "{audit:?}"
    );
    assert!(audit.energy_residual.abs() < 1e-10 * before, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-10, "{audit:?}");
}

/// A token ends a run between two events, also where bodies have still to be planned; what comes then has the bits of a
/// run that was never cancelled, and so has what a snapshot goes on with.
#[test]
fn a_cancelled_run_goes_on_to_the_same_bits() {
    let mut whole = run(heap());
    whole.run_to(2.5).expect("it gets on");
    let mut segments = run(heap());
    for after in [1, 2, 5, 9] {
        let cancel = Cancel::new();
        segments.set_cancel(Some(cancel.clone()));
        let mut seen = 0;
        let end = segments.run(2.5, |_| {
            seen += 1;
            if seen == after {
                cancel.cancel();
            }
            ControlFlow::Continue(())
        });
        assert_eq!(end, Ok(End::Cancelled));
        assert_eq!(segments.run_to(2.5), Ok(End::Cancelled));
        let mut restored = Exact::<Space2>::restore(&segments.snapshot()).expect("a snapshot");
        restored.run_to(2.5).expect("it gets on");
        assert_eq!(restored.digest(), whole.digest(), "after {after}");
    }
    segments.set_cancel(None);
    segments.run_to(2.5).expect("it gets on");
    assert_eq!(segments.digest(), whole.digest());
    // Cancelled while everyone is planned anew: an edit does that.
    let mut edited = run(heap());
    edited.run_to(0.4).expect("it gets on");
    let mut plain = edited.clone();
    let cancel = Cancel::new();
    cancel.cancel();
    edited.set_cancel(Some(cancel));
    for run in [&mut edited, &mut plain] {
        run.set_gravity(DVec2::new(0.5, -9.81)).expect("allowed");
    }
    assert_eq!(edited.run_to(2.5), Ok(End::Cancelled));
    edited.set_cancel(None);
    for run in [&mut edited, &mut plain] {
        assert_eq!(run.run_to(2.5), Ok(End::Time));
    }
    assert_eq!(edited.digest(), plain.digest());
}
