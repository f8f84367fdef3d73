//! Joints that cannot be, and what they cannot be beside.

use super::by_forces::{bob, pendulum};
use carom::prelude::*;
use carom::simulate::{ForceEngine, Stepped};

fn pair() -> (World2, BodyId, BodyId) {
    let mut world = World2::new();
    let one = world
        .add(bob(1.0, DVec2::ZERO, DVec2::ZERO).named("one"))
        .unwrap();
    let other = bob(1.0, DVec2::new(1.0, 0.0), DVec2::new(0.0, 0.5)).named("other");
    let other = world.add(other).unwrap();
    (world, one, other)
}

/// Longer than most: one case after the other.
#[test]
fn a_joint_that_does_not_fit_is_refused() {
    let (mut world, one, other) = pair();
    let wall = world
        .add(Body::fixed(Shape::floor()).at(DVec2::new(0.0, -5.0)))
        .unwrap();
    let origin = Anchor::world(DVec2::ZERO);
    let cases: Vec<(Joint<Space2>, &str)> = vec![
        (
            Joint::distance(one, one),
            "between is one body at both ends, but must be two bodies",
        ),
        (
            Joint::distance(origin, Anchor::world(DVec2::X)),
            "between is the world at both ends",
        ),
        (
            Joint::distance(wall, Anchor::world(DVec2::X)),
            "between is nothing that is free",
        ),
        (
            Joint::distance(one, BodyId(9)),
            "between is body 9, but must be a body of this world",
        ),
        (
            Joint::distance(one, other).length(1.5),
            "length is 1.5 m, but must be the distance of its ends at the start, 1 m",
        ),
        (
            Joint::distance(one, other).length(-1.0),
            "length is -1, but must be a positive",
        ),
        (
            Joint::distance(one, origin),
            "anchors is at one point, but must be apart at the start",
        ),
        (
            Joint::hinge(one, other),
            "anchors is 1e0 m apart at the start, but must be at one point",
        ),
        (
            Joint::hinge(one, origin).about(DVec2::X),
            "axis is DVec2(1.0, 0.0), but must be absent in 2-D",
        ),
        (
            Joint::spring(one, other, 0.0),
            "stiffness is 0, but must be a positive",
        ),
        (
            Joint::spring(one, other, 1.0).damping(-1.0),
            "damping is -1, but must be zero or",
        ),
        (
            Joint::spring(one, other, 1.0).length(f64::NAN),
            "rest_length is NAN",
        ),
        (
            Joint::spring(one, origin, 1.0).length(1.0),
            "has no direction to push them apart in",
        ),
        (
            Joint::spring(one, Anchor::world(DVec2::new(f64::NAN, 0.0)), 1.0),
            "anchor is",
        ),
        (
            Joint::distance(other, Anchor::world(DVec2::new(1.0, 2.0))),
            "velocity is such that the ends part at -5e-1 m/s, but must be such that the ends keep their distance",
        ),
        (
            Joint::hinge(other, Anchor::world(DVec2::new(1.0, 0.0))),
            "velocity is such that the ends part at 5e-1 m/s, but must be such that the ends stay together",
        ),
    ];
    for (joint, said) in cases {
        let error = world.add_joint(joint.named("j")).unwrap_err().to_string();
        assert!(
            error
                .to_lowercase()
                .contains(&format!("joint 0 (j): {said}").to_lowercase())
                || error.contains(said),
            "{error}\n{said}"
        );
    }
    assert!(world.joints().is_empty());
}

#[test]
fn a_rod_cannot_hang_on_what_jumps() {
    let (mut world, one, _) = pair();
    let knots = vec![(0.0, DVec2::ZERO), (1.0, DVec2::X)];
    let crane = Body::kinematic(Shape::ball(0.1).unwrap(), Drive::Path { knots });
    let crane = world
        .add(crane.at(DVec2::new(0.0, 3.0)).named("crane"))
        .unwrap();
    let error = world.add_joint(Joint::distance(one, crane)).unwrap_err();
    assert!(
        error.to_string().contains("no body whose velocity jumps"),
        "{error}"
    );
    world.add_joint(Joint::spring(one, crane, 10.0)).unwrap();
}

fn refusals(world: World2, forces: &Forces) -> String {
    let wrong = Stepped::new(world, forces).err().unwrap();
    wrong.iter().map(|error| format!("{error}\n")).collect()
}

#[test]
fn what_cannot_be_beside_joints_is_named() {
    let mut world = pendulum(1.0, 1.0).0;
    world.set_periodic([Some(10.0), None, None]).unwrap();
    let said = refusals(world, &Forces::default());
    assert!(
        said.contains("joints cannot be in a periodic box"),
        "{said}"
    );
    let crowd = Forces::default().run_by(ForceEngine::Granular);
    let said = refusals(pendulum(1.0, 1.0).0, &crowd);
    assert!(
        said.contains("there are rigid bodies or joints here"),
        "{said}"
    );
    let (mut world, one, other) = pair();
    world.add_joint(Joint::spring(one, other, 1e6)).unwrap();
    let said = refusals(world, &Forces::stepping(0.1));
    assert!(said.contains("for the springs that join bodies"), "{said}");
    let mut run = Stepped::new(pendulum(1.0, 1.0).0, &Forces::default()).unwrap();
    let error = run
        .set_velocity(BodyId(0), DVec2::X, 0.0)
        .unwrap_err()
        .to_string();
    assert!(error.contains("with joints cannot be edited"), "{error}");
}
