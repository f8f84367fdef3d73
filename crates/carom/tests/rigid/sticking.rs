//! Contacts of measurable duration of bodies that turn.

use carom::prelude::*;
use carom::record::{Event, Release, Separation};
use carom::shape::{Block, HalfSpace};
use carom::simulate::{Exact, Settling};
use carom::space::Space;
use std::ops::ControlFlow;

const LASTS: f64 = 0.05;

fn stuff(contact_duration: f64) -> Material {
    Material {
        restitution: 0.7,
        static_friction: 0.4,
        kinetic_friction: 0.4,
        contact_duration,
        ..Material::default()
    }
}

fn block3(
    size: [f64; 3],
    place: [f64; 3],
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
) -> Body<Space3> {
    let shape = Shape::Block(Block::new(DVec3::from_array(size) * 0.5).expect("positive"));
    let pose = Pose {
        position: DVec3::from_array(place),
        rotation: Space3::rotation_of(DVec3::new(0.3, 0.5, -0.2), 1.0),
    };
    let mass = 1000.0 * size[0] * size[1] * size[2];
    Body::solid(
        shape,
        mass,
        pose,
        DVec3::from_array(velocity),
        DVec3::from_array(angular_velocity),
    )
    .expect("a solid")
}

/// Two boxes in empty space that strike each other off their centres and tumble.
fn two_boxes(contact_duration: f64, gravity: [f64; 3]) -> World3 {
    let mut world = World3::new();
    world
        .materials
        .add("default", stuff(contact_duration))
        .expect("allowed");
    world
        .set_gravity(DVec3::from_array(gravity))
        .expect("finite");
    world
        .add(block3(
            [0.3, 0.5, 0.2],
            [0.0, 0.0, 0.0],
            [0.5, 0.0, 0.0],
            [1.0, 3.0, -2.0],
        ))
        .expect("allowed");
    world
        .add(block3(
            [0.4, 0.2, 0.6],
            [1.0, 0.15, 0.1],
            [-1.0, 0.1, 0.2],
            [-2.0, 0.5, 1.0],
        ))
        .expect("allowed");
    world
}

/// Runs to the first release; the collision's time, and the release.
fn to_release(run: &mut Exact<Space3>) -> (f64, Release) {
    let (mut began, mut found) = (f64::NAN, None);
    run.run_until(10.0, |event| match event {
        Event::Collision(collision) => {
            began = collision.time;
            ControlFlow::Continue(())
        }
        Event::Released(release) => {
            found = Some(*release);
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    })
    .expect("it gets on");
    (began, found.expect("they leave each other"))
}

/// Momentum, angular momentum and energy are in the books at every instant of the contact, and what is in contact is
/// constant while the two travel as one body.
#[test]
fn the_books_are_closed_while_two_boxes_travel_as_one() {
    for gravity in [[0.0; 3], [0.0, 1.0, -9.81]] {
        let mut run = Exact::with(two_boxes(LASTS, gravity), &Settling::default()).expect("apart");
        let began = first_collision(&mut run);
        assert_eq!(run.number_sticking(), 1);
        let mut held = Vec::new();
        for part in 0..=10 {
            run.run_to(began + LASTS * (0.05 + 0.09 * f64::from(part)))
                .expect("it gets on");
            let audit = run.audit();
            assert_eq!(audit.in_contact.contacts, 1);
            held.push(audit.in_contact.energy);
            // Energies are some 100 J, momenta some 50 kg·m/s: a thousand roundings.
            assert!(audit.energy_residual.abs() < 1e-10, "{audit:?}");
            assert!(audit.momentum_residual.length() < 1e-11, "{audit:?}");
            let angular = audit.angular_momentum.expect("there is one");
            assert!(angular.residual.length() < 1e-11, "{angular:?}");
            // What leaves has the momenta of what travels: only energy is held.
            assert!(audit.in_contact.momentum.length() < 1e-11);
            assert!(angular.in_contact.length() < 1e-11);
        }
        assert!(held[0] > 1.0, "{held:?}");
        assert!(
            held.iter().all(|now| (now - held[0]).abs() < 1e-10),
            "{held:?}"
        );
        // As one rigid body: both turn alike.
        let [a, b] = [0, 1].map(|id| run.state(BodyId(id)));
        assert_eq!(a.angular_velocity, b.angular_velocity);
    }
}

fn first_collision(run: &mut Exact<Space3>) -> f64 {
    let mut began = f64::NAN;
    run.run(10.0, |collision| {
        began = collision.time;
        assert_eq!(collision.duration, LASTS);
        ControlFlow::Break(())
    })
    .expect("it gets on");
    assert!(began.is_finite(), "they meet");
    began
}

/// Over before it begins, nearly: a contact of 1e-9 s leaves what an impact leaves.
#[test]
fn a_contact_that_hardly_lasts_is_an_impact() {
    let mut brief = Exact::with(two_boxes(1e-9, [0.0; 3]), &Settling::default()).expect("apart");
    let mut none = Exact::with(two_boxes(0.0, [0.0; 3]), &Settling::default()).expect("apart");
    brief.run_to(2.0).expect("it gets on");
    none.run_to(2.0).expect("it gets on");
    assert_eq!(brief.collisions(), none.collisions());
    for id in [0, 1] {
        let (a, b) = (brief.state(BodyId(id)), none.state(BodyId(id)));
        // They are together for 1e-9 s at some 2 m/s and 5 rad/s other than they leave, and fly on for 2 s.
        assert!((a.velocity - b.velocity).length() < 1e-7, "{a:?} {b:?}");
        assert!((a.position - b.position).length() < 1e-7, "{a:?} {b:?}");
        assert!(
            (a.angular_velocity - b.angular_velocity).length() < 1e-6,
            "{a:?} {b:?}"
        );
    }
}

#[test]
fn a_contact_lasts_as_long_as_the_material_says() {
    let mut run = Exact::with(two_boxes(LASTS, [0.0; 3]), &Settling::default()).expect("apart");
    let (began, release) = to_release(&mut run);
    assert_eq!(release.separation, Separation::Time);
    // One rounding of the clock.
    assert!((release.duration - LASTS).abs() < 1e-15 * 10.0);
    assert!((release.time - began - LASTS).abs() < 1e-15 * 10.0);
    assert_eq!(run.number_sticking(), 0);
    assert_eq!(run.audit().in_contact.energy, 0.0);
}

/// A third body cuts it short: the two are released as they would be at that time, and the blow is answered.
#[test]
fn a_third_body_cuts_a_contact_short() {
    let mut world = two_boxes(0.5, [0.0; 3]);
    // In the way of the pair, which drifts along −x.
    world
        .add(block3(
            [0.3, 2.0, 2.0],
            [-0.62, 0.0, 0.0],
            [1.5, 0.0, 0.0],
            [0.0; 3],
        ))
        .expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    let (mut release, mut last) = (None, 0);
    run.run_until(3.0, |event| {
        match event {
            Event::Released(it) if release.is_none() => release = Some((*it, last)),
            Event::Collision(collision) => last = collision.number,
            _ => (),
        }
        ControlFlow::Continue(())
    })
    .expect("it gets on");
    let (release, _) = release.expect("somebody is released");
    assert_eq!(release.separation, Separation::Struck, "{release:?}");
    assert!(
        release.duration < 0.5 && release.duration > 0.0,
        "{release:?}"
    );
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-10, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-11, "{audit:?}");
    assert!(
        audit
            .angular_momentum
            .expect("there is one")
            .residual
            .length()
            < 1e-11
    );
}

/// So does a change from outside.
#[test]
fn a_change_from_outside_cuts_a_contact_short() {
    let mut run = Exact::with(two_boxes(LASTS, [0.0; 3]), &Settling::default()).expect("apart");
    let began = first_collision(&mut run);
    run.run_to(began + 0.4 * LASTS).expect("it gets on");
    let energy = run.audit();
    let leaves = energy.now.total() + energy.in_contact.energy;
    run.set_velocity(BodyId(0), DVec3::X, DVec3::ZERO)
        .expect("it is free");
    assert_eq!(run.number_sticking(), 0);
    let audit = run.audit();
    assert!(
        (audit.now.total() - audit.given - leaves).abs() < 1e-10,
        "{audit:?}"
    );
    let mut separation = None;
    run.run_until(began + LASTS, |event| {
        if let Event::Released(release) = event {
            separation = Some(release.separation);
        }
        ControlFlow::Continue(())
    })
    .expect("it gets on");
    assert_eq!(separation, Some(Separation::Edited));
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-10, "{audit:?}");
}

/// Against a wall a body slides along it for a while without turning, and leaves with what the law gave and gravity
/// along the wall.
#[test]
fn a_box_slides_along_a_wall_while_the_contact_lasts() {
    let mut world = World2::new();
    world
        .materials
        .add("default", stuff(LASTS))
        .expect("allowed");
    let gravity = DVec2::new(0.3, -9.81);
    world.set_gravity(gravity).expect("finite");
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).expect("a direction"));
    world.add(Body::fixed(floor)).expect("allowed");
    let shape = Shape::Block(Block::new(DVec2::new(0.5, 0.25)).expect("positive"));
    let pose = Pose {
        position: DVec2::new(0.0, 2.0),
        rotation: Turn::by(0.6),
    };
    let id = world
        .add(Body::solid(shape, 2.0, pose, DVec2::new(1.0, -3.0), 0.5).expect("a solid"))
        .expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    let (mut before, mut after, mut began) = (None, None, f64::NAN);
    run.run(10.0, |collision| {
        (before, after) = (Some(collision.before[0]), Some(collision.after[0]));
        began = collision.time;
        ControlFlow::Break(())
    })
    .expect("it gets on");
    let (before, after) = (before.expect("it lands"), after.expect("it lands"));
    let start = run.state(id);
    run.run_to(began + 0.5 * LASTS).expect("it gets on");
    let state = run.state(id);
    assert_eq!(state.angular_velocity, 0.0);
    assert_eq!(state.rotation, start.rotation);
    // The way: along the floor, by its velocity and gravity's part along it.
    let time = run.time() - began;
    assert!((state.position.y - start.position.y).abs() < 1e-15);
    let way = before.velocity.x * time + 0.5 * 0.3 * time * time;
    assert!((state.position.x - start.position.x - way).abs() < 1e-14);
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-12, "{audit:?}");
    assert!(audit.momentum_residual.length() < 1e-12, "{audit:?}");
    assert!(audit.angular_momentum.expect("there is one").residual.abs() < 1e-12);
    let mut left = None;
    run.run_until(began + 2.0 * LASTS, |event| match event {
        Event::Released(release) => {
            left = Some(release.time);
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    })
    .expect("it gets on");
    assert!(left.is_some());
    let state = run.state(id);
    let expected = after.velocity + DVec2::new(0.3 * LASTS, 0.0);
    assert!(
        (state.velocity - expected).length() < 1e-13,
        "{state:?} {after:?}"
    );
    assert!((state.angular_velocity - after.angular_velocity).abs() < 1e-13);
    run.run_to(began + 2.0 * LASTS).expect("it gets on");
    let audit = run.audit();
    assert!(audit.energy_residual.abs() < 1e-12, "{audit:?}");
    assert!(audit.angular_momentum.expect("there is one").residual.abs() < 1e-12);
}

/// A run can be saved in the middle of a contact, and goes on with the same bits.
#[test]
fn a_contact_that_lasts_survives_a_snapshot() {
    let mut run =
        Exact::with(two_boxes(LASTS, [0.0, 0.0, -1.0]), &Settling::default()).expect("apart");
    let began = first_collision(&mut run);
    run.run_to(began + 0.3 * LASTS).expect("it gets on");
    let mut other = Exact::<Space3>::restore(&run.snapshot()).expect("it is one");
    assert_eq!(other.digest(), run.digest());
    for time in [began + 0.6 * LASTS, began + 2.0 * LASTS, began + 1.0] {
        run.run_to(time).expect("it gets on");
        other.run_to(time).expect("it gets on");
        assert_eq!(other.digest(), run.digest(), "at {time}");
    }
}
