//! Many sticking pairs, stored, cut into pieces and by either planner.

use super::*;

fn balanced_gas<S: Compiled>(world: World<S>, most: u64) {
    let mut exact = Exact::new(world).unwrap();
    let (mut struck, mut ended, mut together) = (0, 0, 0);
    let mut time = 0.0;
    while exact.collisions() < most {
        time += 0.05;
        // At every event.
        let check = |run: &View<'_, S>| {
            balanced(&run.audit(), 64.0 + 8.0 * (run.collisions() as f64).sqrt());
            false
        };
        exact
            .run_until(Until::time(time).or(check), |event| {
                if let Event::Released(release) = event {
                    ended += 1;
                    struck += u32::from(release.separation == Separation::Struck);
                }
                ControlFlow::Continue(())
            })
            .unwrap();
        let audit = exact.audit();
        together += audit.in_contact.contacts;
        // Each collision and each release round a few times.
        balanced(&audit, 64.0 + 8.0 * (exact.collisions() as f64).sqrt());
        assert!(time < 1e4, "{}", exact.collisions());
    }
    assert!(ended > 1000 && together > 100, "{ended}, {together}");
    // In a gas this dense others come upon pairs now and then.
    assert!(struck > 10, "{struck}");
    let alive = exact.sticking_pairs().len();
    assert_eq!(alive as u64, exact.audit().in_contact.contacts);
    // A contact at a wall overlaps by rounding alone.
    assert!(exact.audit().deepest_overlap < 1e-12);
}

#[test]
fn gases_keep_their_books() {
    let rough = Material {
        restitution: 0.98,
        static_friction: 0.2,
        kinetic_friction: 0.1,
        ..lasting(0.05)
    };
    balanced_gas(gas::<Space2>(lasting(0.05), [0.0; 3], false), 5000);
    balanced_gas(gas::<Space2>(lasting(0.02), [0.3, -0.5, 0.0], false), 5000);
    balanced_gas(gas::<Space2>(rough, [0.0; 3], true), 3000);
    balanced_gas(gas::<Space3>(lasting(0.05), [0.0; 3], true), 3000);
    balanced_gas(gas::<Space3>(rough, [0.0, 0.0, -0.5], false), 3000);
}

fn same_bits<S: Compiled>(world: &World<S>, until: f64) {
    let mut whole = Exact::new(world.clone()).unwrap();
    let all = run(&mut whole, until);
    assert!(all.1.len() > 20, "{}", all.1.len());
    let mut reference = Exact::reference(world.clone()).unwrap();
    assert_eq!(all, run(&mut reference, until));
    assert_eq!(whole.digest(), reference.digest());
    let mut segments = Exact::new(world.clone()).unwrap();
    let mut stored = Exact::new(world.clone()).unwrap();
    let (mut in_pieces, mut via_snapshot) = (0, 0);
    for frame in 1..=137 {
        let time = until * f64::from(frame) / 137.0;
        in_pieces += run(&mut segments, time).1.len();
        via_snapshot += run(&mut stored, time).1.len();
        stored = Exact::restore(&stored.snapshot()).unwrap();
    }
    assert_eq!((in_pieces, via_snapshot), (all.1.len(), all.1.len()));
    assert_eq!(whole.digest(), segments.digest());
    assert_eq!(whole.digest(), stored.digest());
    assert_eq!(whole.audit(), segments.audit());
    assert_eq!(whole.audit(), stored.audit());
}

#[test]
fn in_pieces_by_either_planner_and_from_snapshots() {
    let rough = Material {
        restitution: 0.9,
        static_friction: 0.2,
        kinetic_friction: 0.1,
        ..lasting(0.05)
    };
    same_bits(&gas::<Space2>(lasting(0.05), [0.0; 3], false), 5.0);
    same_bits(&gas::<Space2>(rough, [0.0, -1.0, 0.0], false), 3.0);
    same_bits(&gas::<Space2>(lasting(0.1), [0.0; 3], true), 5.0);
    same_bits(&gas::<Space3>(rough, [0.0; 3], true), 10.0);
    let mut curved = world::<Space2>(lasting(0.1), [0.0, -2.0, 0.0]);
    let room = Shape::Hollow(Hollow::new(2.0).unwrap());
    curved.add(Body::fixed(room)).unwrap();
    for x in [-1.0, 0.0, 1.0] {
        let ball = Body::ball(0.25, 1.0, DVec2::new(x, 0.1 * x), DVec2::new(1.0, x)).unwrap();
        curved.add(ball).unwrap();
    }
    same_bits(&curved, 20.0);
}

/// A periodic box: a ball that is carried round it in tandem stays with its wall, flat or curved.
#[test]
fn round_a_periodic_box() {
    let curved = |shift: f64, periodic: bool| {
        let mut world = world::<Space2>(lasting(2.0), [0.0; 3]);
        let start = DVec2::new(shift, 2.0);
        let velocity = DVec2::new(0.5, -1.0);
        world
            .add(Body::ball(0.25, 1.0, start, velocity).unwrap())
            .unwrap();
        let disc = Shape::Ball(Ball::new(0.75).unwrap());
        let pose = Pose::at(DVec2::new(shift + 0.125, 0.0));
        world.add(Body::fixed(disc).pose(pose)).unwrap();
        let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
        let pose = Pose::at(DVec2::new(0.0, -5.0));
        world.add(Body::fixed(floor).pose(pose)).unwrap();
        if periodic {
            world.set_periodic([Some(8.0), None, None]).unwrap();
        }
        let mut exact = Exact::new(world).unwrap();
        let mut states = Vec::new();
        for frame in 1..=80 {
            exact.run_to(0.05 * f64::from(frame)).unwrap();
            let audit = exact.audit();
            assert!(audit.energy_residual.abs() < 1e-12, "{audit:#?}");
            let place = exact.unwrapped_position(BodyId(0)) - DVec2::new(shift, 0.0);
            states.push((
                place,
                exact.state(BodyId(0)).velocity,
                audit.in_contact.contacts,
            ));
        }
        states
    };
    // Both are made of the same numbers, but for the last digits of places that are 7 m farther out, and the ways
    // around the disc are good to 1e-13.
    let inside = curved(3.0, false);
    let across = curved(7.25, true);
    assert!(inside.iter().any(|state| state.2 == 1));
    for (a, b) in inside.iter().zip(&across) {
        assert!(a.0.abs_diff_eq(b.0, 1e-11), "{a:?} {b:?}");
        assert!(a.1.abs_diff_eq(b.1, 1e-11), "{a:?} {b:?}");
        assert_eq!(a.2, b.2);
    }
}

/// Nothing is at rest while two travel together, though they stand: they leave each other.
#[test]
fn a_pair_that_stands_is_not_at_rest() {
    let mut world = world::<Space2>(lasting(0.5), [0.0; 3]);
    for side in [-1.0, 1.0] {
        let place = DVec2::new(side, 0.0);
        world
            .add(Body::ball(0.5, 1.0, place, place * -0.5).unwrap())
            .unwrap();
    }
    let mut exact = Exact::new(world).unwrap();
    let until = Until::time(3.0).or_rest(1e-3);
    let end = exact
        .run_until(until, |_| ControlFlow::Continue(()))
        .unwrap();
    assert_eq!(end, End::Time);
    assert_eq!(exact.state(BodyId(0)).velocity, DVec2::new(-0.5, 0.0));
}

/// What a new run starts from has no contacts that last: the bodies have what they were to leave with.
#[test]
fn a_world_made_of_a_run_has_left() {
    let mut exact = Exact::new(head_on::<Space2>(lasting(1.0), [0.0; 3], [0.0; 2])).unwrap();
    run(&mut exact, 2.5);
    let world = exact.to_world();
    let Kind::Free(free) = &world.body(BodyId(1)).kind else {
        panic!("it is a ball");
    };
    assert_eq!(free.velocity, DVec2::new(0.5, 0.125));
}

/// In drag and other fields a pair goes straight on for its time; the books know.
#[test]
fn fields_wait() {
    use carom::motion::{Field, Fields};
    let mut world = head_on::<Space2>(lasting(0.5), [0.0; 3], [0.0; 2]);
    let spring = Field::Spring {
        centre: DVec2::new(0.0, 3.0),
        stiffness: 0.05,
    };
    world
        .set_fields(Fields::uniform(DVec2::ZERO).with(spring))
        .unwrap();
    let mut exact = Exact::new(world).unwrap();
    let mut velocities = Vec::new();
    for frame in 1..=60 {
        exact.run_to(0.1 * f64::from(frame)).unwrap();
        let audit = exact.audit();
        // The pieces are good to the integrator's tolerance.
        assert!(audit.energy_residual.abs() < 1e-9, "{audit:#?}");
        if audit.in_contact.contacts > 0 {
            velocities.push(exact.state(BodyId(0)).velocity);
        }
    }
    assert!(velocities.len() > 3);
    assert!(velocities.windows(2).all(|pair| pair[0] == pair[1]));
}

/// The longer of two durations holds; bad ones are refused by name.
#[test]
fn durations_of_two_materials() {
    let mut materials = Materials::default();
    let soft = materials.add("soft", lasting(0.2)).unwrap();
    let hard = materials.add("hard", lasting(0.0)).unwrap();
    assert_eq!(materials.surface(soft, hard).contact_duration, 0.2);
    assert_eq!(materials.surface(hard, hard).contact_duration, 0.0);
    let pair = PairOverride {
        contact_duration: Some(0.05),
        ..PairOverride::default()
    };
    materials.override_pair(soft, hard, pair).unwrap();
    assert_eq!(materials.surface(hard, soft).contact_duration, 0.05);
    for bad in [-1e-3, f64::NAN, f64::INFINITY] {
        let error = materials.add("bad", lasting(bad)).unwrap_err();
        assert_eq!(error.field, "contact_duration");
    }
}
