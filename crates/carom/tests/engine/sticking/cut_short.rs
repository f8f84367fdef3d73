//! What ends a sticking contact before its time.

use super::*;

/// A swing that comes to its end lets the ball go; so does a path at its corner, and a segment at its end.
#[test]
fn walls_that_end_let_go() {
    let mut world = world::<Space2>(lasting(10.0), [0.0; 3]);
    let ball = Body::ball(0.25, 1.0, DVec2::new(0.0, 1.25), DVec2::new(0.5, -1.0)).unwrap();
    world.add(ball).unwrap();
    let segment = Segment::new(DVec2::new(-1.0, 0.0), DVec2::new(1.0, 0.0)).unwrap();
    let segment = Shape::own(Shape2::Segment(segment));
    world.add(Body::fixed(segment)).unwrap();
    let mut exact = Exact::new(world).unwrap();
    let (_, releases) = run(&mut exact, 5.0);
    assert_eq!(releases.len(), 1);
    assert_eq!(releases[0].separation, Separation::Wall);
    // It touches at x = ½, and comes to the end after a metre's half at ½ m/s.
    assert!((releases[0].duration - 1.0).abs() < 1e-11);
    // It is past the end by a share of 1e-12 when that is noticed, and the normal has turned by as much.
    let velocity = exact.state(BodyId(0)).velocity;
    assert!(velocity.abs_diff_eq(DVec2::new(0.5, 1.0), 1e-11));

    let mut world = self::world::<Space2>(lasting(10.0), [0.0; 3]);
    let ball = Body::ball(0.25, 1.0, DVec2::new(0.0, 1.25), DVec2::new(0.5, -1.0)).unwrap();
    world.add(ball).unwrap();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
    let knots = vec![
        (0.0, DVec2::ZERO),
        (2.0, DVec2::new(0.0, 0.5)),
        (3.0, DVec2::ZERO),
    ];
    let drive = Drive::Path { knots };
    world.add(Body::kinematic(floor, drive)).unwrap();
    let mut exact = Exact::new(world).unwrap();
    let (_, releases) = run(&mut exact, 2.5);
    assert_eq!(
        (releases.len(), releases[0].separation),
        (1, Separation::Wall)
    );
    assert_eq!(releases[0].time, 2.0);
    balanced(&exact.audit(), 64.0);
}

/// A third ball that strikes the pair: it is released at once, and then the strike is answered.
#[test]
fn a_third_body_cuts_it_short() {
    let mut world = head_on::<Space2>(lasting(1.0), [0.0; 3], [0.0; 2]);
    // It comes upon the left one from above at t = 2.5, 0.875 m above the centre of the left one, which drifts.
    let third = Body::ball(0.5, 1.0, DVec2::new(-0.5, 9.0), DVec2::new(0.0, -3.0)).unwrap();
    let third = world.add(third).unwrap();
    let mut exact = Exact::new(world).unwrap();
    let (collisions, releases) = run(&mut exact, 2.9);
    assert_eq!(collisions.len(), 2, "{collisions:#?}");
    let strike = &collisions[1];
    assert_eq!((strike.a, strike.b), (BodyId(0), third));
    assert_eq!(releases[0].separation, Separation::Struck);
    assert_eq!(releases[0].time, strike.time);
    assert_eq!(releases[0].duration, strike.time - 2.0);
    assert!(releases[0].duration < 1.0);
    // The strike meets it with the velocity that it was to leave with: m 3 and 1, elastic, at ±¼.
    assert!(
        strike.before[0]
            .velocity
            .abs_diff_eq(DVec2::new(0.0, 0.125), 4.0 * U)
    );
    // And is one that lasts.
    assert_eq!(strike.duration, 1.0);
    let audit = exact.audit();
    assert_eq!(audit.in_contact.contacts, 1);
    balanced(&audit, 32.0);
    let partner = exact.state(BodyId(1));
    assert!(
        partner
            .velocity
            .abs_diff_eq(DVec2::new(0.5, 0.125), 4.0 * U)
    );
}

/// Two strikes at one instant, of which the second is on a pair: the pair is released before the two are answered
/// together, whoever comes first.
#[test]
fn a_pair_in_a_row_is_released_first() {
    let outcomes = [false, true].map(|last| {
        // They come upon the left one of the pair, which is at (−0.4375, 0.3125) at t = 2.5.
        let row = |world: &mut World2| {
            for (place, speed) in [(-5.25, 1.125), (-3.0, 0.625)] {
                let velocity = DVec2::new(speed, 0.125);
                let ball = Body::ball(0.5, 1.0, DVec2::new(place, 0.0), velocity).unwrap();
                world.add(ball).unwrap();
            }
        };
        let pair = head_on::<Space2>(lasting(1.0), [0.0; 3], [0.0; 2]);
        let mut world = world::<Space2>(lasting(1.0), [0.0; 3]);
        if !last {
            row(&mut world);
        }
        for body in pair.bodies() {
            world.add(body.clone()).unwrap();
        }
        if last {
            row(&mut world);
        }
        let ids = if last { [2, 3, 0, 1] } else { [0, 1, 2, 3] }.map(BodyId);
        let mut exact = Exact::new(world).unwrap();
        let (collisions, releases) = run(&mut exact, 2.51);
        assert_eq!(releases.len(), 1);
        assert_eq!(
            (releases[0].time, releases[0].separation),
            (2.5, Separation::Struck)
        );
        assert_eq!((releases[0].a, releases[0].b), (ids[2], ids[3]));
        // Elastic, at 1.125, 0.625 and 0 m/s: the left one of the pair leaves at 0.7 m/s and runs after the right one,
        // which has left at 0.5.
        assert_eq!(collisions.len(), 4);
        assert!(collisions.iter().skip(1).all(|hit| hit.time == 2.5));
        let lasts: Vec<f64> = collisions.iter().map(|hit| hit.duration).collect();
        assert_eq!(lasts, [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(exact.sticking_pairs()[0].0, ids[2]);
        balanced(&exact.audit(), 32.0);
        ids.map(|id| exact.state(id).velocity)
    });
    // Both orders have the same contacts to answer together.
    for (a, b) in outcomes[0].iter().zip(&outcomes[1]) {
        assert!(a.abs_diff_eq(*b, 16.0 * U), "{outcomes:?}");
    }
    let together = DVec2::new((3.0 * 0.7 + 0.5) / 4.0, 0.125);
    assert!(outcomes[0][3].abs_diff_eq(together, 8.0 * U));
}

/// A pair that comes upon a wall leaves each other there.
#[test]
fn scenery_cuts_it_short() {
    let mut world = head_on::<Space2>(lasting(8.0), [0.0; 3], [0.0; 2]);
    let wall = HalfSpace::solid(-DVec2::X).unwrap();
    let wall = Body::fixed(Shape::HalfSpace(wall)).at(DVec2::new(1.75, 0.0));
    world.add(wall).unwrap();
    let mut exact = Exact::new(world).unwrap();
    // The right ball has three quarters of a metre, at ⅛ m/s.
    let (collisions, releases) = run(&mut exact, 8.5);
    assert_eq!(releases.len(), 1);
    assert_eq!(
        (releases[0].separation, releases[0].time),
        (Separation::Struck, 8.0)
    );
    assert_eq!((collisions[1].time, collisions[1].b), (8.0, BodyId(2)));
    assert_eq!(collisions[1].before[0].velocity, DVec2::new(0.5, 0.125));
    balanced(&exact.audit(), 32.0);
}

/// A sensor sees the pair pass, and nothing else comes of it.
#[test]
fn sensors_see_the_pair_pass() {
    let run_with = |sensor: bool| {
        let mut world = head_on::<Space2>(lasting(1.0), [0.0, -0.5, 0.0], [1.0, 0.0]);
        if sensor {
            let gate = HalfSpace::solid(DVec2::Y).unwrap();
            let pose = Pose::at(DVec2::new(0.0, -1.75));
            let gate = Body::fixed(Shape::HalfSpace(gate)).pose(pose);
            world.add(gate.sensing()).unwrap();
        }
        let mut exact = Exact::new(world).unwrap();
        let mut passed = 0;
        exact
            .run_until(Until::time(5.0), |event| {
                passed += u32::from(matches!(event, Event::Entered(_)));
                ControlFlow::Continue(())
            })
            .unwrap();
        balanced(&exact.audit(), 32.0);
        let states = [BodyId(0), BodyId(1)].map(|id| exact.state(id));
        (
            passed,
            states.map(|it| (it.position, it.velocity, it.angular_velocity)),
        )
    };
    let (none, free) = run_with(false);
    let (two, passed) = run_with(true);
    assert_eq!((none, two), (0, 2));
    assert_eq!(free, passed);
}

/// Edits from outside release the pair first, and are in the books.
#[test]
fn edits_cut_it_short() {
    for edit in 0..5 {
        let mut world = head_on::<Space2>(lasting(1.0), [0.0, -1.0, 0.0], [0.0; 2]);
        let floor = HalfSpace::solid(DVec2::Y).unwrap();
        let pose = Pose::at(DVec2::new(0.0, -10.0));
        world
            .add(Body::fixed(Shape::HalfSpace(floor)).pose(pose))
            .unwrap();
        let mut exact = Exact::new(world).unwrap();
        run(&mut exact, 2.5);
        let (a, b) = (BodyId(0), BodyId(1));
        assert_eq!(exact.sticking_pairs(), [(a, b, 0.5)]);
        match edit {
            0 => exact.set_velocity(a, DVec2::new(-3.0, 0.0), 0.0).unwrap(),
            1 => exact.set_position(a, DVec2::new(-5.0, 0.0)).unwrap(),
            2 => drop(exact.remove(a).unwrap()),
            3 => exact
                .set_groups(
                    a,
                    CollisionFilter {
                        memberships: 2,
                        mask: 2,
                    },
                )
                .unwrap(),
            _ => exact.set_gravity(DVec2::new(1.0, 0.0)).unwrap(),
        }
        balanced(&exact.audit(), 64.0);
        let (_, releases) = run(&mut exact, 2.75);
        let contacts = exact.audit().in_contact.contacts;
        if edit < 4 {
            assert_eq!((releases.len(), contacts), (1, 0));
            assert_eq!(
                (releases[0].separation, releases[0].time),
                (Separation::Edited, 2.5)
            );
            let left = exact.state(b).velocity;
            // ½ m/s, and what gravity did.
            assert!(left.abs_diff_eq(DVec2::new(0.5, 0.125 - 2.75), 16.0 * U));
        } else {
            // Another gravity does not part them: it pulls at both.
            assert_eq!((releases.len(), contacts), (0, 1));
            let (_, releases) = run(&mut exact, 4.0);
            assert_eq!((releases.len(), releases[0].time), (1, 3.0));
        }
        balanced(&exact.audit(), 64.0);
    }
}

/// A wall that goes, or moves otherwise, lets go.
#[test]
fn walls_that_change_let_go() {
    for edit in 0..2 {
        let mut world = world::<Space2>(lasting(1.0), [0.0; 3]);
        let ball = Body::ball(0.25, 1.0, DVec2::new(0.0, 1.25), DVec2::new(0.5, -1.0)).unwrap();
        world.add(ball).unwrap();
        let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
        let floor = world.add(Body::fixed(floor)).unwrap();
        let mut exact = Exact::new(world).unwrap();
        run(&mut exact, 1.5);
        match edit {
            0 => drop(exact.remove(floor).unwrap()),
            _ => {
                let velocity = DVec2::new(0.0, -1.0);
                exact.set_drive(floor, Drive::Uniform { velocity }).unwrap();
            }
        }
        let (_, releases) = run(&mut exact, 2.0);
        assert_eq!(
            (releases[0].separation, releases[0].duration),
            (Separation::Edited, 0.5)
        );
        assert_eq!(exact.state(BodyId(0)).velocity, DVec2::new(0.5, 1.0));
        balanced(&exact.audit(), 16.0);
    }
}

/// Contacts that close at one instant and share a ball are impacts.
#[test]
fn several_at_once_are_impacts() {
    let mut world = world::<Space2>(lasting(1.0), [0.0; 3]);
    for (x, v) in [(-2.0, 1.0), (0.0, 0.0), (2.0, -1.0)] {
        let ball = Body::ball(0.5, 1.0, DVec2::new(x, 0.0), DVec2::new(v, 0.0)).unwrap();
        world.add(ball).unwrap();
    }
    let mut exact = Exact::new(world).unwrap();
    let (collisions, releases) = run(&mut exact, 1.5);
    assert_eq!((collisions.len(), releases.len()), (2, 0));
    assert!(collisions.iter().all(|collision| collision.duration == 0.0));
    assert_eq!(exact.state(BodyId(0)).velocity, DVec2::new(-1.0, 0.0));
}

/// ε = 0: they leave at one velocity, touch, and are not struck again.
#[test]
fn what_does_not_bounce_stays_together_in_peace() {
    let material = Material {
        restitution: 0.0,
        ..lasting(0.1)
    };
    let mut world = world::<Space3>(material, [0.0; 3]);
    for (place, velocity) in [
        (DVec3::new(-1.0, 0.1, 0.0), DVec3::new(0.23, 0.11, -0.07)),
        (DVec3::new(1.0, 0.0, 0.2), DVec3::new(-0.31, 0.13, -0.11)),
    ] {
        world
            .add(Body::ball(0.5, 1.7, place, velocity).unwrap())
            .unwrap();
    }
    let mut exact = Exact::new(world).unwrap();
    let (collisions, releases) = run(&mut exact, 1000.0);
    assert_eq!((collisions.len(), releases.len()), (1, 1));
    balanced(&exact.audit(), 32.0);
}

/// A ball that struck one of a sticking pair once lost its turn in the calendar: the pair was released, and the ball
/// was not planned again.
#[test]
fn who_strikes_a_sticking_pair_is_planned_again() {
    fn same<S: Compiled>(world: World<S>) {
        let mut fast = Exact::new(world.clone()).unwrap();
        let mut slow = Exact::reference(world).unwrap();
        for time in 1..=45 {
            fast.run_to(f64::from(time)).unwrap();
            slow.run_to(f64::from(time)).unwrap();
            assert_eq!(fast.collisions(), slow.collisions(), "{time}");
            assert_eq!(fast.digest(), slow.digest(), "{time}");
        }
    }
    let rough = Material {
        restitution: 0.98,
        static_friction: 0.2,
        kinetic_friction: 0.1,
        ..lasting(0.05)
    };
    same(gas::<Space2>(lasting(0.02), [0.3, -0.5, 0.0], false));
    same(gas::<Space3>(rough, [0.0, 0.0, -0.5], false));
}
