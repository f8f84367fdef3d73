//! Which loop runs, what it keeps, and that threads change nothing.

use super::*;

/// A bed for several threads: more balls than one thread is given alone.
fn bed() -> World3 {
    let mut world = box_of_spheres(0.01);
    let glass = world.materials.find("glass").unwrap();
    for index in 0..1600_u32 {
        let [x, y, z] = [index % 4, index / 4 % 4, index / 16].map(f64::from);
        let place = DVec3::new(x, y, z + 4.0) * 2.2e-3 + 1.15e-3;
        let velocity = DVec3::new(0.1 * (y - 1.5), 0.1 * (x - 1.5), -0.2);
        let ball = Body::ball(1e-3, 1e-5, place, velocity).unwrap();
        world.add(ball.made_of(glass)).unwrap();
    }
    world
}

#[test]
fn the_same_bits_for_any_number_of_threads_in_pieces_from_snapshots_and_for_clones() {
    let forces = Forces::stepping(4e-6).run_by(ForceEngine::Granular);
    let start = Stepped::new(bed(), &forces).unwrap();
    let until = 3e-3;
    let everything =
        |run: &Stepped<Space3>| (run.digest(), format!("{:?}", run.audit()), run.snapshot());
    let by = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let mut run = Stepped::new(bed(), &forces).unwrap();
            run.run_to(until).unwrap();
            everything(&run)
        })
    };
    let alone = by(1);
    assert!(
        alone.1.contains("touches: ") && !alone.1.contains("touches: 0,"),
        "{}",
        alone.1
    );
    assert!(alone == by(2));
    assert!(alone == by(3));
    // In pieces that end within steps, each through a snapshot.
    let mut run = start.clone();
    for part in 1..8 {
        run.run_to(until * f64::from(part) / 8.3).unwrap();
        run = Stepped::restore(&run.snapshot()).unwrap();
        assert_eq!(run.engine(), ForceEngine::Granular);
    }
    run.run_to(until).unwrap();
    assert!(alone == everything(&run));
    // A listener that wants no more, again and again: the clock stands at the incident, and nothing is told twice.
    let mut all = 0;
    let mut watched = start.clone();
    watched
        .run_until(until, |_| {
            all += 1;
            ControlFlow::Continue(())
        })
        .unwrap();
    assert!(alone == everything(&watched));
    let (mut run, mut told) = (start, 0);
    loop {
        let mut here = 0;
        let mut at = 0.0;
        let end = run.run_until(until, |incident| {
            here += 1;
            at = incident.time();
            if here == all / 7 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        told += here;
        match end.unwrap() {
            carom::simulate::End::Observer => {
                assert_eq!(run.time(), at.max(run.time() - 4e-6));
                run = run.clone();
            }
            _ => break,
        }
    }
    assert_eq!(told, all);
    assert!(alone == everything(&run));
}

#[test]
fn the_loop_is_chosen_and_can_be_asked_for() {
    let world = box_of_spheres(0.0);
    let run = Stepped::new(world.clone(), &Forces::default()).unwrap();
    assert_eq!(
        (run.engine(), run.scheme()),
        (ForceEngine::General, Scheme::RungeKutta)
    );
    let run = Stepped::new(world.clone(), &Forces::default().by(Scheme::Verlet)).unwrap();
    assert_eq!(run.engine(), ForceEngine::General, "64 balls are few");
    let crowd = Forces::default().run_by(ForceEngine::Granular);
    let run = Stepped::new(world.clone(), &crowd).unwrap();
    assert_eq!(
        (run.engine(), run.scheme()),
        (ForceEngine::Granular, Scheme::Verlet)
    );
    let wrong = Stepped::new(world, &crowd.by(Scheme::Euler)).unwrap_err();
    assert!(
        matches!(&wrong[0], ForcesError::Granular { reason } if reason.contains("euler")),
        "{wrong:?}"
    );
    let run = Stepped::new(yard(), &Forces::default()).unwrap();
    assert_eq!(
        run.engine(),
        ForceEngine::Granular,
        "{:?}",
        run.why_general()
    );
    assert_eq!(run.why_general(), None);
    // What it cannot do goes by the general loop, which says why.
    let mut world = yard();
    let mixed = world.materials.find("soft").unwrap();
    let by_time = Constants {
        stiffness: Stiffness::ContactTime(1e-2),
        ..Constants::linear(1.0)
    };
    world.materials.set_constants(mixed, by_time).unwrap();
    let run = Stepped::new(world.clone(), &Forces::default()).unwrap();
    assert_eq!(run.engine(), ForceEngine::General);
    assert!(
        run.why_general().unwrap().contains("two kinds"),
        "{:?}",
        run.why_general()
    );
    let restored = Stepped::<Space2>::restore(&run.snapshot()).unwrap();
    assert_eq!(restored.why_general(), run.why_general());
    let wrong = Stepped::new(world, &crowd).unwrap_err();
    assert!(wrong[0].to_string().contains("two kinds"), "{wrong:?}");
}

/// A ball far too fast for its spring goes in too deep: the run stops with the two and the time, and keeps what it had.
#[test]
fn a_crowd_that_fails_keeps_what_it_had() {
    let mut world = box_of_spheres(0.0);
    let glass = world.materials.find("glass").unwrap();
    let place = DVec3::new(4e-3, 4e-3, 30e-3);
    let bullet = Body::ball(1e-3, 1e-5, place, DVec3::new(0.0, 0.0, -60.0)).unwrap();
    let bullet = world.add(bullet.named("bullet").made_of(glass)).unwrap();
    let forces = Forces::stepping(2e-6);
    let mut said = Vec::new();
    for runner in [ForceEngine::General, ForceEngine::Granular] {
        let forces = forces.by(Scheme::Verlet).run_by(runner);
        let mut run = Stepped::new(world.clone(), &forces).unwrap();
        let error = run.run_to(2e-3).unwrap_err();
        let SteppedError::TooDeep { time, a, b, .. } = &error else {
            panic!("{error}");
        };
        assert!(a == "bullet" || b == "bullet", "{error}");
        assert!(
            (run.time() - (time - run.step())).abs() < 1e-9,
            "{} {time}",
            run.time()
        );
        let state = run.state(bullet);
        assert!(
            state.position.is_finite() && state.velocity.z < -30.0,
            "{state:?}"
        );
        assert!(run.audit().now.translational.is_finite());
        // It does not go on, and says the same again.
        assert_eq!(run.run_to(2e-3).unwrap_err(), error);
        said.push(error.to_string());
    }
    let words = |text: &str| {
        text.split(" m deep")
            .next()
            .map(|it| it.rsplit_once(' ').unwrap().0.to_owned())
    };
    assert_eq!(words(&said[0]), words(&said[1]));
}

/// A snapshot of a run by impulses keeps the springs of its materials: what is restored can be run by forces.
#[test]
fn a_snapshot_of_a_run_by_impulses_keeps_the_springs() {
    let mut world = crate::worked_example();
    let rubber = world.materials.find("rubber").unwrap();
    let steel = world.materials.add("steel", Material::default()).unwrap();
    let pair = Constants::spring_and_damper(300.0, 0.2);
    (world.materials.override_constants(rubber, steel, pair)).unwrap();
    let mut exact = Exact::new(world).unwrap();
    exact.run_to(0.01).unwrap();
    let restored = Exact::<Space2>::restore(&exact.snapshot()).unwrap();
    let materials = restored.materials();
    assert_eq!(
        materials.constants(rubber),
        Some(&Constants::spring_and_damper(200.0, 1.3))
    );
    assert_eq!(materials.constants(steel), None);
    assert_eq!(materials.pair_constants(rubber, steel), Some(&pair));
    let by_forces = |run: &Exact<Space2>| {
        let mut run = Stepped::new(run.to_world(), &Forces::stepping(1e-4)).unwrap();
        run.run_to(0.3).unwrap();
        run.digest()
    };
    assert_eq!(by_forces(&exact), by_forces(&restored));
}

/// Cells as large as the largest ball are no good for small ones: then the general loop is chosen, and says why.
#[test]
fn very_different_sizes_go_by_the_general_loop() {
    let mut world = yard();
    let rubber = world.materials.find("rubber").unwrap();
    let large = Body::ball(1.0, 50.0, DVec2::new(0.0, 5.0), DVec2::ZERO).unwrap();
    world.add(large.made_of(rubber)).unwrap();
    let run = Stepped::new(world.clone(), &Forces::default()).unwrap();
    assert_eq!(run.engine(), ForceEngine::General);
    let why = run.why_general().unwrap();
    assert!(why.contains("20 times as large"), "{why}");
    let asked = Stepped::new(world, &Forces::default().run_by(ForceEngine::Granular)).unwrap();
    assert_eq!(asked.engine(), ForceEngine::Granular);
}
