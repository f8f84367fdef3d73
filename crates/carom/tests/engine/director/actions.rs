//! Actions: in which order, how often, and what is refused.

use super::*;

// ---------------------------------------------------------------- the director

fn what(log: &[Entry]) -> Vec<&str> {
    log.iter().map(|entry| &*entry.what).collect()
}

#[test]
fn actions_at_one_instant_are_in_the_order_given_and_after_its_events() {
    let mut world = World2::new();
    for x in [0.0, 2.0] {
        let ball = Body::ball(0.5, 1.0, DVec2::new(x, 0.0), DVec2::new(1.0 - x, 0.0)).unwrap();
        world.add(ball).unwrap();
    }
    let (a, b) = (BodyId(0), BodyId(1));
    let mut director = Simulation::new(world).unwrap();
    director.at(0.5, Action::score("first", 1)).unwrap();
    let hit = Action::Velocity(ActionTarget::Ball, DVec2::new(7.0, 0.0), 0.0);
    director.on(Trigger::hit(a), hit).unwrap();
    director.at(0.5, Action::score("third", 1)).unwrap();
    director.at(0.25, Action::score("earlier", 1)).unwrap();
    director.every(0.25, Action::score("often", 1)).unwrap();
    director.run_until(0.5).unwrap();
    // What is at the end is left to the next run.
    assert_eq!(
        what(director.log()),
        ["score earlier +1 = 1", "score often +1 = 1"]
    );
    assert_eq!(director.collisions(), 0);
    director.run_until(0.7).unwrap();
    assert_eq!(
        what(&director.log()[2..]),
        [
            "score first +1 = 1",
            "set the velocity of body 1 to (7.0, 0.0) m/s, 0.0 rad/s",
            "score third +1 = 1",
            "score often +1 = 2",
        ]
    );
    assert!(director.log()[2..].iter().all(|entry| entry.time == 0.5));
    assert_eq!(director.log()[3].ball, Some(b));
    // The velocity was set after the collision at that instant, which would have changed it.
    assert_eq!(director.state(b).velocity, DVec2::new(7.0, 0.0));
    assert_eq!(director.state(a).velocity, DVec2::new(-1.0, 0.0));
}

#[test]
fn counts_choose_among_the_occurrences() {
    let (run, floor, _) = bouncing();
    let mut director = Simulation2::restore(&run.snapshot()).unwrap();
    for (name, trigger) in [
        ("all", Trigger::hit(floor)),
        ("first", Trigger::hit(floor).first(3)),
        ("nth", Trigger::hit(floor).nth(4)),
        ("each", Trigger::hit(floor).each(2)),
    ] {
        director.on(trigger, Action::score(name, 1)).unwrap();
    }
    director.run_until(10.0).unwrap();
    let scores: Vec<(&str, i64)> = director.scores().collect();
    assert_eq!(scores, [("all", 11), ("each", 5), ("first", 3), ("nth", 1)]);
}

#[test]
fn keys_move_a_mounted_bat_and_it_comes_back_to_the_bit() {
    let (world, bat) = bat_and_balls(false);
    let mut director = Simulation::new(world).unwrap();
    let before = director.body(bat).unwrap();
    let (pivot, axis) = (DVec2::new(-0.6, 0.0), 1.0);
    director.mount(bat, Mount::Hinge { pivot, axis }).unwrap();
    let swing = |to, speed| Action::Swing {
        body: bat,
        to,
        speed,
    };
    director
        .on(Trigger::pressed("up"), swing(0.7, 10.0))
        .unwrap();
    director
        .on(Trigger::released("up"), swing(0.0, 5.0))
        .unwrap();
    director.run_until(0.1).unwrap();
    director.press("up").unwrap();
    director.press("up").unwrap();
    assert_eq!(
        what(director.log()),
        ["press up", "swing bat to 0.7 rad at 10 rad/s"]
    );
    assert!(director.is_held("up"));
    director.run_until(0.15).unwrap();
    assert!((director.state(bat).angular_velocity - 10.0).abs() < 1e-13);
    // In mid-stroke it turns round.
    director.release("up").unwrap();
    director.run_until(0.151).unwrap();
    assert!((director.state(bat).angular_velocity + 5.0).abs() < 1e-13);
    director.run_until(1.0).unwrap();
    assert_eq!(director.body(bat).unwrap(), before);
    // A hundred strokes from the schedule.
    for stroke in 0..100 {
        let time = 1.0 + 0.3 * f64::from(stroke);
        director.at(time, Action::press("up")).unwrap();
        director.at(time + 0.15, Action::release("up")).unwrap();
    }
    director.run_until(32.0).unwrap();
    assert_eq!(director.body(bat).unwrap(), before);
    assert_books(&director.audit(), 1000.0);
}

/// Longer than most: one table with a pocket, and every action on it.
#[test]
fn pockets_and_everything_else() {
    let mut world = World2::new();
    let walls = [
        (DVec2::new(0.0, -1.0), DVec2::Y),
        (DVec2::new(0.0, 1.0), DVec2::NEG_Y),
        (DVec2::new(-2.0, 0.0), DVec2::X),
        (DVec2::new(2.0, 0.0), DVec2::NEG_X),
    ];
    world.materials.add("wood", Material::default()).unwrap();
    for (place, normal) in walls {
        let wall = Shape::HalfSpace(HalfSpace::solid(normal).unwrap());
        world.add(Body::fixed(wall).at(place)).unwrap();
    }
    let hole = Shape::Ball(Ball::new(0.05).unwrap());
    let hole = Body::fixed(hole).at(DVec2::new(1.8, 0.8)).sensing();
    let pocket = world.add(hole.named("pocket")).unwrap();
    let gate = Shape::Block(Block::new(DVec2::new(0.05, 0.8)).unwrap());
    let gate = world.add(Body::fixed(gate).named("gate")).unwrap();
    for (x, y) in [(-1.0, 0.5), (-1.0, -0.5), (-1.5, 0.0)] {
        let velocity = DVec2::new(1.0 + y, 0.7 - x);
        let ball = Body::ball(0.1, 1.0, DVec2::new(x, y), velocity).unwrap();
        world.add(ball).unwrap();
    }
    let start = |world: World2| {
        let mut director = Simulation::new(world).unwrap();
        let open = CollisionFilter {
            memberships: 0,
            mask: 0,
        };
        let shut = Action::Position(ActionTarget::Body(BodyId(6)), DVec2::new(-1.7, -0.8));
        let wind = Fields::uniform(DVec2::new(0.1, 0.2));
        let wood = director.materials().find("wood").unwrap();
        let softer = Material {
            restitution: 0.9,
            ..Material::default()
        };
        director.mount(gate, Mount::Rail).unwrap();
        let slide = Action::Slide {
            body: gate,
            to: DVec2::new(0.0, 1.6),
            speed: 0.5,
        };
        director
            .on(
                Trigger::entered(pocket),
                Action::All(vec![
                    Action::Remove(ActionTarget::Ball),
                    Action::score("balls", 1),
                ]),
            )
            .unwrap()
            .on(Trigger::hit(gate).nth(2), slide)
            .unwrap()
            .on(
                Trigger::hit(gate).nth(4),
                Action::CollisionFilter(gate.into(), open).after(0.5),
            )
            .unwrap()
            .on(
                Trigger::hit(BodyId(0)).first(3),
                Action::Material(ActionTarget::Ball, wood),
            )
            .unwrap()
            .at(1.5, Action::Numbers("wood".to_owned(), softer))
            .unwrap()
            .at(2.5, Action::Gravity(DVec2::new(0.3, 0.0)))
            .unwrap()
            .at(3.5, Action::Fields(wind))
            .unwrap()
            .every(
                2.0,
                Action::Velocity(ActionTarget::Body(BodyId(7)), DVec2::new(2.0, 1.5), 3.0)
                    .after(0.25),
            )
            .unwrap()
            .at(0.125, shut)
            .unwrap();
        director
    };
    let mut whole = start(world.clone());
    let end = whole.run_until(6.0);
    let expected = (end.clone(), whole.digest(), whole.log().to_vec());
    assert!(whole.log().len() > 8, "{:?}", whole.log());
    assert_books(&whole.audit(), 100.0);
    let mut edits = 0;
    for cuts in 1..=7_u32 {
        let mut cut = start(world.clone());
        let mut end = Ok(End::Time);
        let mut listener = |event: &Event<'_, Space2>| {
            edits += usize::from(matches!(event, Event::Edited(_)));
            ControlFlow::Continue(())
        };
        for part in 1..=cuts {
            // Some of these are times of actions.
            end = cut.run_with(6.0 * f64::from(part) / f64::from(cuts), &mut listener);
            if end.is_err() {
                break;
            }
        }
        let found = (end, cut.digest(), cut.log().to_vec());
        assert_eq!(found, expected, "{cuts} cuts");
    }
    assert!(edits > 50, "{edits}");
    // A listener who ends the run at each and every event.
    let mut stepped = start(world.clone());
    let mut segments = 0;
    let end = loop {
        segments += 1;
        match stepped.run_with(6.0, |_| ControlFlow::Break(())) {
            Ok(End::Observer) => {}
            end => break end,
        }
    };
    assert!(segments > 30, "{segments}");
    assert_eq!((end, stepped.digest(), stepped.log().to_vec()), expected);
}

/// Longer than most: one refusal after the other.
#[test]
fn what_cannot_be_is_refused_when_it_is_asked_for() {
    let (run, floor, ball) = bouncing();
    let mut director = Simulation2::restore(&run.snapshot()).unwrap();
    director.run_until(1.0).unwrap();
    let digest = director.digest();
    let nan = f64::NAN;
    let fast = DVec2::new(nan, 0.0);
    let nobody = BodyId(9);
    type Asked<'a> = (Result<&'a mut Simulation2, SimulationError>, &'a str);
    let said = |asked: Asked<'_>| {
        let (result, message) = asked;
        assert_eq!(result.unwrap_err().to_string(), message);
    };
    let end = || Action::End;
    said((
        director.at(0.5, end()),
        "end: it cannot be done at t = 0.5 s, the clock stands at 1 s",
    ));
    said((
        director.at(nan, end()),
        "end: it cannot be done at t = NaN s, the clock stands at 1 s",
    ));
    said((
        director.every(0.0, end()),
        "end: the interval is 0 s, but must be positive and finite",
    ));
    said((
        director.at(2.0, Action::Remove(nobody.into())),
        "remove body 9: there is no body 9",
    ));
    said((
        director.at(2.0, Action::Remove(ActionTarget::Ball)),
        "remove the ball: no ball sets it off, so that a body has to be named",
    ));
    said((
        director.on(Trigger::pressed("x"), Action::Remove(ActionTarget::Ball)),
        "remove the ball: no ball sets it off, so that a body has to be named",
    ));
    said((
        director.at(2.0, Action::Velocity(floor.into(), DVec2::X, 0.0)),
        "set the velocity of floor to (1.0, 0.0) m/s, 0.0 rad/s: body 0 (floor) is static or kinematic: its velocity cannot be set",
    ));
    said((
        director.at(2.0, Action::Velocity(ball.into(), fast, 0.0)),
        "set the velocity of ball to (NaN, 0.0) m/s, 0.0 rad/s: velocity is DVec2(NaN, 0.0), 0.0, but must be made of finite numbers",
    ));
    said((
        director.at(2.0, Action::Gravity(fast)),
        "set gravity to (NaN, 0.0) m/s²: gravity is DVec2(NaN, 0.0), but must be made of finite numbers",
    ));
    said((
        director.on(Trigger::entered(floor), end()),
        "end: body 0 (floor) must be a sensor",
    ));
    said((
        director.on(Trigger::hit(nobody), end()),
        "end: there is no body 9",
    ));
    said((
        director.on(Trigger::hit(floor).each(0), end()),
        "end: the number of times is 0, but must be one or more",
    ));
    said((
        director.at(2.0, end().after(-1.0)),
        "after -1 s: end: the delay is -1 s, but must be finite and not negative",
    ));
    let unmounted = Action::Swing {
        body: floor,
        to: 1.0,
        speed: 1.0,
    };
    said((
        director.at(2.0, unmounted.clone()),
        "swing floor to 1 rad at 1 rad/s: body 0 (floor) must be mounted on a hinge",
    ));
    said((
        director.mount(ball, Mount::Rail),
        "mount ball: body 1 (ball) must be fixed, and not mounted already",
    ));
    said((
        director.at(2.0, Action::Numbers("gold".to_owned(), Material::default())),
        "change material gold to restitution 1, friction 0: material is gold, but must be one of this world's",
    ));
    let mut heavy = ball_at(0.0, 5.0);
    if let Kind::Free(free) = &mut heavy.kind {
        free.mass = -1.0;
    }
    // Inside of others too.
    said((
        director.at(
            2.0,
            Action::All(vec![end(), Action::insert(heavy).after(1.0)]),
        ),
        "insert ball: body 2 (ball): mass is -1, but must be a positive, finite number of kilograms",
    ));
    assert!(director.run_until(0.5).is_err());
    assert!(director.run_until(nan).is_err());
    // Nothing of all that was kept.
    assert_eq!(director.digest(), digest);
    director.run_until(5.0).unwrap();
    assert!(director.log().is_empty() && !director.is_over());
}

#[test]
fn an_action_that_fails_stops_the_run_and_all_else_is_kept() {
    let mut world = World2::new();
    world.add(ball_at(0.0, 0.0)).unwrap();
    let mut director = Simulation::new(world).unwrap();
    director.at(1.0, Action::score("before", 1)).unwrap();
    let on_top = Action::insert(ball_at(0.05, 0.0).named("second"));
    director.at(1.0, on_top).unwrap();
    director.at(1.0, Action::score("after", 1)).unwrap();
    director.at(2.0, Action::score("later", 1)).unwrap();
    let error = director.run_until(3.0).unwrap_err();
    let said = error.to_string();
    assert!(
        said.starts_with(
            "t = 1 s: insert second failed: body 1 (second) and body 0 (ball) overlap by 1.5000"
        ),
        "{said}"
    );
    assert_eq!(what(director.log()), ["score before +1 = 1"]);
    assert_eq!(director.time(), 1.0);
    // It can go on without it.
    assert_eq!(director.run_until(3.0), Ok(End::Time));
    let rest = ["score after +1 = 1", "score later +1 = 1"];
    assert_eq!(what(&director.log()[1..]), rest);
}

#[test]
fn keys_that_press_each_other_without_end_are_noticed() {
    let mut world = World2::new();
    world.add(ball_at(0.0, 0.0)).unwrap();
    let mut director = Simulation::new(world).unwrap();
    for (trigger, action) in [
        (Trigger::pressed("a"), Action::release("a")),
        (Trigger::released("a"), Action::press("a")),
    ] {
        director.on(trigger, action).unwrap();
    }
    let error = director.press("a").unwrap_err();
    assert!(
        matches!(
            &error,
            SimulationError::Director(error) if matches!(
                **error,
                DirectorError::Endless { time: 0.0, actions: 10_001, .. }
            )
        ),
        "{error}"
    );
    assert_eq!(
        error.to_string(),
        "t = 0 s: 10001 actions at one instant set each other off: \
         when a is pressed: release a, and when a is released: press a"
    );
}

/// What a random campaign of rules ended with most often: the rule throws the ball at the wall that it has just hit, so
/// that it hits that again, at the same instant. It has no end, and the message says which rule it is.
#[test]
fn a_ball_thrown_back_at_what_it_hit_is_named_with_the_rule() {
    let (run, floor, ball) = bouncing();
    let mut run = Simulation2::restore(&run.snapshot()).unwrap();
    let down = Action::LinearVelocity(ActionTarget::Ball, DVec2::new(0.0, -1.0));
    let hit = Trigger::collision(Bodies::these([ball]), Bodies::these([floor]));
    run.on(hit, down).unwrap();
    let time = (2.0 / 9.81_f64).sqrt();
    let error = run.run_until(1.0).unwrap_err().to_string();
    let (at, what) = error.split_once(" s: ").unwrap();
    let at: f64 = at.strip_prefix("t = ").unwrap().parse().unwrap();
    assert!((at - time).abs() < 1e-12, "{error}");
    assert_eq!(
        what,
        "10001 actions at one instant set each other off: \
         when ball collides with floor: set the velocity of the ball to (0.0, -1.0) m/s"
    );
}

#[test]
fn an_end_is_an_end() {
    let (run, floor, _) = bouncing();
    let mut director = Simulation2::restore(&run.snapshot()).unwrap();
    director
        .on(Trigger::hit(floor).nth(2), Action::End)
        .unwrap();
    director
        .on(Trigger::hit(floor), Action::score("hits", 1))
        .unwrap();
    assert_eq!(director.run_until(10.0), Ok(End::Condition));
    // What was due at that instant was done.
    assert_eq!(director.score("hits"), 2);
    let time = director.time();
    // √(2 h/g) to the floor, and twice that from hit to hit, h = 1 m.
    assert!(
        (time - 3.0 * (2.0_f64 / 9.81).sqrt()).abs() < 1e-14,
        "{time}"
    );
    assert_eq!(director.run_until(20.0), Ok(End::Condition));
    assert_eq!(director.time(), time);
}

/// A ball that went into a small sensor far from the origin, late in a run, was outside again by what rounding of the
/// time makes, and went in and out without end. So did one that came out. It was a rollover of the pinball table that
/// showed it.
#[test]
fn sensors_do_not_flicker() {
    let mut passes = 0;
    for round in 0..400_u32 {
        let angle = f64::from(round) * 0.7;
        let (x, y) = (libm::cos(angle), libm::sin(1.3 * angle));
        let mut world = World2::new();
        if round % 2 == 0 {
            world.set_gravity(DVec2::new(0.0, -0.011)).unwrap();
        }
        let shape = match round % 3 {
            0 => Shape::Block(Block::new(DVec2::new(0.018, 0.012)).unwrap()),
            _ => Shape::Ball(Ball::new(0.008).unwrap()),
        };
        let sensor = Body::fixed(shape).at(DVec2::new(x, y)).sensing();
        let sensor = world.add(sensor).unwrap();
        // Straight through the middle after half a minute.
        let (after, velocity) = (31.7, DVec2::new(2.0 * y + 0.1, 1.7 * x));
        let fallen = world.gravity() * (0.5 * after * after);
        let place = DVec2::new(x, y) - velocity * after - fallen;
        world
            .add(Body::ball(0.0135, 1.0, place, velocity).unwrap())
            .unwrap();
        let mut run = Exact::new(world).unwrap();
        let mut events = Vec::new();
        run.run_until(60.0, |event| {
            match event {
                Event::Entered(passage) if passage.sensor == sensor => {
                    events.push((true, passage.time))
                }
                Event::Left(passage) => events.push((false, passage.time)),
                _ => {}
            }
            ControlFlow::Continue(())
        })
        .unwrap();
        // In a falling flight the ball may come by once more.
        let ins_and_outs = events.iter().map(|event| event.0);
        assert!(ins_and_outs.eq([true, false].into_iter().cycle().take(events.len())));
        assert!(
            events.windows(2).all(|pair| pair[1].1 - pair[0].1 > 1e-6),
            "{round}: {events:?}"
        );
        passes += events.len() / 2;
    }
    assert!(passes >= 400, "{passes}");
}
