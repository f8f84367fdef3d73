//! Heaps that touch in many places, and laws for one contact.

use super::*;
use crate::random::Random;

/// A heap of touching balls in hexagonal order, with velocities as given.
fn heap(rows: u32, columns: u32, mut velocity: impl FnMut() -> DVec2) -> World<Space2> {
    let mut world = World::new();
    for row in 0..rows {
        for column in 0..columns {
            let x = f64::from(column) + 0.5 * f64::from(row % 2);
            let place = DVec2::new(x, f64::from(row) * 0.75_f64.sqrt());
            world.add(ball(place, velocity())).unwrap();
        }
    }
    world
}

#[test]
fn a_heap_in_which_every_ball_moves_comes_apart() {
    // Half of all contacts close at time 0, and all of them hang together.
    for (restitution, friction) in [(1.0, 0.0), (0.8, 0.0), (0.9, 0.2)] {
        let mut random = Random(5);
        let mut world = heap(8, 8, || DVec2::new(random.signed(), random.signed()));
        let material = material(restitution, friction);
        world.materials.add("default", material).unwrap();
        let (collisions, run) = both(&world, 50.0);
        assert!(collisions.len() > 100);
        let audit = run.audit();
        // Each collision rounds energies of about 1 J a few times.
        let rounding = 1e-15 * collisions.len() as f64;
        assert!(audit.energy_residual.abs() < rounding, "{audit:?}");
        assert!(audit.momentum_residual.length() < rounding, "{audit:?}");
        assert!(audit.now.total() <= audit.initial.total() + rounding);
        if restitution == 1.0 {
            assert!(audit.lost_in_collisions.abs() < rounding, "{audit:?}");
        }
        assert!(audit.deepest_overlap < 1e-13);
    }
}

#[test]
fn a_heap_larger_than_what_is_answered_at_once_comes_apart() {
    let mut random = Random(6);
    let world = heap(30, 30, || DVec2::new(random.signed(), random.signed()));
    let mut run = Exact::new(world).unwrap();
    assert_eq!(run.run_to(1.0), Ok(End::Time));
    let audit = run.audit();
    // Energies of about 1 J a ball, rounded a few times at each collision.
    let rounding = 1e-15 * run.collisions() as f64;
    assert!(audit.energy_residual.abs() < rounding);
    assert!(audit.lost_in_collisions.abs() < rounding);
    // After 500 collisions at one instant it was taken for a contact that lasts, and its steps lost 5 %. Elastic discs
    // that nothing presses together come apart by themselves, and keep all they have.
    let kept = audit.now.total() / audit.initial.total();
    assert!((kept - 1.0).abs() < rounding, "{kept}");
}

#[test]
fn a_heap_falls_on_a_floor_with_friction() {
    let mut world = heap(6, 6, || DVec2::new(0.1, -1.0));
    world.materials.add("default", material(0.5, 0.3)).unwrap();
    let wall = HalfSpace::solid(DVec2::Y).unwrap();
    let pose = Pose::at(DVec2::new(0.0, -2.0));
    let floor = Body::fixed(Shape::HalfSpace(wall)).pose(pose);
    world.add(floor.named("floor")).unwrap();
    let (collisions, run) = both(&world, 2.0);
    let audit = run.audit();
    assert!(collisions.len() > 36);
    assert!(audit.now.total() < audit.initial.total());
    assert!(audit.energy_residual.abs() < 1e-15 * collisions.len() as f64 * 20.0);
    // The whole bottom row arrives at once.
    let first: Vec<u32> = collisions.iter().take(6).map(|hit| hit.a.0).collect();
    assert_eq!(first, [0, 1, 2, 3, 4, 5]);
}

#[test]
fn beta_at_two_contacts_at_once_is_told_in_the_order_of_numbers() {
    let mut world = middle_hit(0.0);
    let beta = Material {
        law: Law::Beta,
        ..material(0.8, 0.0)
    };
    world.materials.add("default", beta).unwrap();
    let (collisions, run) = both(&world, 10.0);
    let pairs: Vec<(u32, u32)> = collisions.iter().map(|hit| (hit.a.0, hit.b.0)).collect();
    assert_eq!(pairs[..2], [(0, 1), (0, 2)]);
    assert!(run.audit().energy_residual.abs() < 1e-14);
}

#[test]
fn a_ball_comes_to_rest_in_a_wedge() {
    // Two contacts at a time, infinitely often in a finite time: on the axis of a wedge the ball bounces as on a floor.
    let mut world = wedge(0.9, std::f64::consts::FRAC_PI_2, material(0.5, 0.0));
    let gravity = 10.0;
    world.set_gravity(DVec2::new(0.0, -gravity)).unwrap();
    let names = ["left", "right", "ball"];
    let mut named = World::new();
    named.materials = world.materials.clone();
    named.set_gravity(world.gravity()).unwrap();
    for (body, name) in world.bodies().iter().zip(names) {
        let mut body = body.clone().named(name);
        if let Kind::Free(free) = &mut body.kind {
            free.velocity = DVec2::ZERO;
        }
        named.add(body).unwrap();
    }
    // It touches both walls when its centre is r / sin(half) above the corner.
    let height = 4.0 - 0.5 / libm::sin(0.9);
    let rest = (2.0 * height / gravity).sqrt() * 3.0;
    for start in [Exact::new, Exact::reference] {
        let mut run = start(named.clone()).unwrap();
        let mut rests = None;
        let end = run.run_until(10.0, |event| {
            if let Event::Transition(transition) = event {
                rests = Some(transition.time);
            }
            ControlFlow::Continue(())
        });
        assert_eq!(end, Ok(End::Time));
        // It falls asleep when it is slower than 2·10⁻⁴ √(2 g 10⁻⁴ r) = 6e-6 m/s; the hops left then take (2/(1 − ε))
        // v/g = 2.5e-6 s.
        let rests = rests.unwrap();
        assert!((rests - rest).abs() < 3e-6, "{rests} {rest}");
        assert_eq!(run.state(BodyId(2)).velocity, DVec2::ZERO);
        assert!(run.audit().energy_residual.abs() < 1e-12);
    }
}

#[test]
fn an_observer_that_ends_the_run_sees_all_of_a_group() {
    let mut run = Exact::new(middle_hit(0.0)).unwrap();
    let mut seen = 0;
    let end = run.run(10.0, |_| {
        seen += 1;
        ControlFlow::Break(())
    });
    assert_eq!(end, Ok(End::Observer));
    assert_eq!((seen, run.collisions()), (2, 2));
}

#[test]
fn heaps_that_do_not_touch_take_turns_in_the_same_order() {
    // Many small heaps at one instant, each of which takes several rounds: which of them is next must not depend on who
    // plans.
    for seed in 0..20 {
        let mut random = Random(seed);
        let mut world = World::new();
        for along in 0..5 {
            for heap in 0..20 {
                let place = DVec2::new(f64::from(along), 3.0 * f64::from(heap));
                let velocity = DVec2::new(random.signed(), 0.1 * random.signed());
                world.add(ball(place, velocity)).unwrap();
            }
        }
        let (collisions, _) = both(&world, 1.0);
        assert!(collisions.len() > 50);
    }
}
