//! External forces and torques on rigid bodies, and on balls beside them.

use super::runs::{block2, world2};
use carom::audit::Audit;
use carom::material::PairOverride;
use carom::motion::Load;
use carom::prelude::*;
use carom::shape::{Block, HalfSpace};
use carom::shape::{Compound, Convex, Shaped};
use carom::simulate::{Compiled, Exact, Settling};
use carom::space::{Linear, Space};

const G: f64 = 9.81;

fn started<S: Compiled>(world: World<S>) -> Exact<S> {
    Exact::with(world, &Settling::default()).expect("nothing overlaps")
}

/// Books that balance: what is left of energy (J), momentum and angular momentum.
fn balances<S: Space>(audit: &Audit<S>, left: f64) {
    assert!(audit.energy_residual.abs() < left, "{audit:?}");
    assert!(audit.momentum_residual.length() < left, "{audit:?}");
    let angular = audit.angular_momentum.expect("no periodic box");
    assert!(angular.residual.length() < left, "{audit:?}");
}

fn loaded<S: Shaped>(body: Body<S>, load: Load<S>) -> Body<S> {
    let load = Some(Box::new(load));
    Body { load, ..body }
}

fn pushed<S: Shaped>(body: Body<S>, force: S::Vector) -> Body<S> {
    loaded(body, Load::default().with_force(force))
}

fn free2(gravity: f64) -> World2 {
    let mut world = World2::new();
    world
        .set_gravity(DVec2::new(0.0, -gravity))
        .expect("finite");
    world
}

#[test]
fn a_box_under_a_constant_force_flies_on_a_parabola() {
    let mut world = free2(G);
    let force = DVec2::new(3.0, 4.0);
    let body = block2([1.0, 0.5], [0.0, 2.0], 0.3);
    let id = world.add(pushed(body, force)).expect("allowed");
    let mut run = started(world);
    run.run_to(2.0).expect("it gets on");
    let (state, mass) = (run.state(id), 0.5);
    let pull = DVec2::new(0.0, -G) + force / mass;
    assert!((state.velocity - pull * 2.0).length() < 1e-13, "{state:?}");
    let place = DVec2::new(0.0, 2.0) + pull * 2.0;
    assert!((state.position - place).length() < 1e-13, "{state:?}");
    let audit = run.audit();
    balances(&audit, 1e-12);
    assert!((audit.external_work - force.dot(pull * 2.0)).abs() < 1e-12);
    assert_eq!(run.lasting_rigid().0, 0, "it flies");
}

#[test]
fn forces_and_torques_of_time_act_on_boxes_in_flight() {
    let mut world = free2(0.0);
    let load = Load::default()
        .with_force_of_time(DVec2::X, "8 * cos(2*t)".parse().expect("a formula"))
        .with_torque(0.3);
    let body = block2([1.0, 0.5], [0.0, 0.0], 0.0);
    let inertia = 0.5 * (1.0 + 0.25) / 12.0;
    let id = world.add(loaded(body, load)).expect("allowed");
    let mut run = started(world);
    run.run_to(3.0).expect("it gets on");
    let state = run.state(id);
    // x = (F/mω²)(1 − cos ωt), second order in steps of 1/240 s: (ωτ)²/24 of it.
    let x = 8.0 / (0.5 * 4.0) * (1.0 - libm::cos(6.0));
    assert!((state.position.x - x).abs() < 1e-5, "{state:?} {x}");
    let spin = 0.3 / inertia * 3.0;
    assert!(
        (state.angular_velocity - spin).abs() < 1e-10 * spin,
        "{state:?}"
    );
    let angle = 0.5 * spin * 3.0;
    let turned = Turn::by(angle);
    assert!((state.rotation.sin - turned.sin).abs() < 1e-9, "{state:?}");
    let audit = run.audit();
    balances(&audit, 1e-11);
    let gained = audit.now.total();
    assert!(
        (audit.external_work - gained).abs() < 1e-5 * gained,
        "{audit:?}"
    );
}

/// A top whose axis a torque turns to: about its axis of symmetry it only spins faster.
#[test]
fn a_torque_spins_a_cylinder_about_its_axis() {
    let mut world = World3::new();
    let part = Convex::<Space3>::cylinder(0.2, 0.1).expect("a cylinder");
    let form = Compound::with_mass(vec![part], 2.0).expect("a solid");
    let shape = Shape::Compound(Box::new(form));
    let pose = Pose::at(DVec3::new(1.0, 2.0, 3.0));
    let body = Body::solid(shape, 2.0, pose, DVec3::X, DVec3::ZERO).expect("a solid");
    let load = Load::default().with_torque(DVec3::new(0.0, 0.0, 0.05));
    let id = world.add(loaded(body, load)).expect("allowed");
    let mut run = started(world);
    run.run_to(1.0).expect("it gets on");
    let state = run.state(id);
    let spin = 0.05 / (0.5 * 2.0 * 0.01);
    let off = state.angular_velocity - DVec3::Z * spin;
    assert!(off.length() < 1e-11, "{state:?}");
    balances(&run.audit(), 1e-12);
}

/// Pushed by less than friction holds a box lies still, and falls asleep; by more, it slides with (F − μ m g)/m.
#[test]
fn a_box_pushed_along_the_floor_slides_with_what_friction_leaves() {
    for push in [0.9, 1.5, 3.0] {
        let mut world = world2(0.0, 0.4);
        let mass = 0.5;
        let force = DVec2::new(push * 0.4 * mass * G, 0.0);
        let body = pushed(block2([1.0, 0.5], [0.0, 0.25], 0.0), force);
        let id = world.add(body).expect("allowed");
        let mut run = started(world);
        run.run_to(2.0).expect("it gets on");
        let state = run.state(id);
        let speed = (push - 1.0).max(0.0) * 0.4 * G * 2.0;
        assert!((state.velocity.x - speed).abs() < 1e-9, "{push}: {state:?}");
        assert!((state.position.x - speed).abs() < 1e-8, "{push}: {state:?}");
        assert_eq!(run.lasting_rigid().1, usize::from(push < 1.0));
        let audit = run.audit();
        balances(&audit, 1e-11);
        let work = force.x * state.position.x;
        assert!((audit.external_work - work).abs() < 1e-9, "{audit:?}");
        if push < 1.0 {
            let forces = run.contact_forces();
            assert!((forces[0].force.x + force.x).abs() < 1e-8, "{forces:?}");
        }
    }
}

/// A push that comes at 1 s and goes at 2 s: the box lies, slides, and comes to rest again.
#[test]
fn a_push_for_a_second_moves_a_box_that_lay_still() {
    let mut world = world2(0.0, 0.4);
    let (mass, push) = (0.5, 5.0);
    let pushes = "step(t - 1.0013) - step(t - 2.0013)";
    let load = Load::default()
        .with_force_of_time(DVec2::new(push, 0.0), pushes.parse().expect("a formula"));
    let body = loaded(block2([1.0, 0.5], [0.0, 0.25], 0.0), load);
    let id = world.add(body).expect("allowed");
    let mut run = started(world);
    run.run_to(1.0).expect("it gets on");
    assert!(run.state(id).velocity.length() < 1e-12);
    run.run_to(2.0013).expect("it gets on");
    let pulled = push / mass - 0.4 * G;
    let state = run.state(id);
    assert!((state.velocity.x - pulled).abs() < 1e-9, "{state:?}");
    let way = 0.5 * pulled + pulled * pulled / (2.0 * 0.4 * G);
    run.run_to(5.0).expect("it gets on");
    let state = run.state(id);
    assert!(state.velocity.length() < 1e-9, "{state:?}");
    // It stops within a step.
    assert!((state.position.x - way).abs() < 1e-4, "{state:?} {way}");
    balances(&run.audit(), 1e-11);
}

#[test]
fn a_sleeper_wakes_when_its_load_changes() {
    let mut world = world2(0.0, 0.4);
    let body = block2([1.0, 0.5], [0.0, 0.25], 0.0);
    let body = pushed(body, DVec2::new(0.5, 0.0));
    let id = world.add(body).expect("allowed");
    let mut run = started(world);
    run.run_to(1.0).expect("it gets on");
    assert_eq!(run.lasting_rigid(), (1, 1), "it sleeps");
    let more = Load::default().with_force(DVec2::new(4.0, 0.0));
    run.set_load(id, Some(more)).expect("allowed");
    run.run_to(2.0).expect("it gets on");
    let speed = 4.0 / 0.5 - 0.4 * G;
    assert!((run.state(id).velocity.x - speed).abs() < 1e-9);
    run.set_load(id, None).expect("allowed");
    run.run_to(6.0).expect("it gets on");
    assert_eq!(run.lasting_rigid(), (1, 1), "it sleeps again");
    assert!(run.body(id).expect("there").load.is_none());
    balances(&run.audit(), 1e-11);
}

/// Without gravity a force holds a box on a wall: its bounces end there, and it rests.
#[test]
fn a_force_presses_a_box_on_a_wall_without_gravity() {
    let mut world = world2(0.5, 0.3);
    world.set_gravity(DVec2::ZERO).expect("finite");
    let force = DVec2::new(0.0, -2.0);
    let body = pushed(block2([1.0, 0.5], [0.0, 0.5], 0.0), force);
    let id = world.add(body).expect("allowed");
    let mut run = started(world);
    run.run_to(6.0).expect("it gets on");
    assert!(run.state(id).velocity.length() < 1e-9);
    assert_eq!(run.lasting_rigid(), (1, 1), "it sleeps");
    assert!((run.contact_forces()[0].normal - 2.0).abs() < 1e-8);
    balances(&run.audit(), 1e-10);
}

/// Everything at once: boxes and balls, with constant and with changing loads, that fall on a floor.
fn mixed() -> World2 {
    let mut world = world2(0.3, 0.4);
    let swing = |along: DVec2| {
        let formula = "6*sin(5*t)".parse().expect("a formula");
        Load::default().with_force_of_time(along, formula)
    };
    for k in 0..4 {
        let at = f64::from(k);
        let body = block2([0.8, 0.4], [0.3 * at, 1.0 + 1.1 * at], 0.3 * at);
        let body = match k {
            0 => pushed(body, DVec2::new(2.0, 0.0)),
            1 => loaded(body, swing(DVec2::X)),
            2 => loaded(body, Load::default().with_torque(0.2)),
            _ => body,
        };
        world.add(body).expect("allowed");
    }
    for k in 0..3 {
        let place = DVec2::new(-4.0 + 0.8 * f64::from(k), 1.0);
        let ball = Body::ball(0.3, 1.0, place, DVec2::new(1.0, 0.0)).expect("a ball");
        let ball = match k {
            0 => pushed(ball, DVec2::new(3.0, 0.0)),
            1 => loaded(ball, swing(DVec2::Y)),
            _ => ball,
        };
        world.add(ball).expect("allowed");
    }
    world
}

#[test]
fn runs_with_loads_are_the_same_in_pieces_from_snapshots_and_by_the_reference() {
    let mut whole = started(mixed());
    whole.run_to(2.5).expect("it gets on");
    balances(&whole.audit(), 1e-9);
    let mut segments = started(mixed());
    for time in [0.1, 0.777, 0.778, 1.5, 2.0001] {
        segments.run_to(time).expect("it gets on");
        balances(&segments.audit(), 1e-9);
        segments = Exact::<Space2>::restore(&segments.snapshot()).expect("a snapshot");
    }
    segments.run_to(2.5).expect("it gets on");
    assert_eq!(whole.digest(), segments.digest());
    let mut slow = Exact::reference(mixed()).expect("allowed");
    slow.run_to(2.5).expect("it gets on");
    assert_eq!(whole.digest(), slow.digest());
}

#[test]
fn changes_keep_the_books_of_loaded_bodies() {
    let mut run = started(mixed());
    let ids: Vec<BodyId> = run.bodies().collect();
    run.run_to(0.4).expect("it gets on");
    run.set_gravity(DVec2::new(1.0, -5.0)).expect("finite");
    balances(&run.audit(), 1e-9);
    run.run_to(0.5).expect("it gets on");
    run.set_velocity(ids[2], DVec2::new(0.0, 1.0), 0.5)
        .expect("allowed");
    balances(&run.audit(), 1e-9);
    run.run_to(0.6).expect("it gets on");
    run.remove(ids[3]).expect("there");
    balances(&run.audit(), 1e-9);
    let twisted = block2([0.5, 0.5], [8.0, 6.0], 0.1);
    let twisted = loaded(twisted, Load::default().with_torque(1.0));
    let id = run.insert(twisted).expect("nothing is there");
    run.run_to(0.8).expect("it gets on");
    let spin = 0.2 / (0.25 * 0.5 / 12.0);
    assert!((run.state(id).angular_velocity - spin).abs() < 1e-9 * spin);
    balances(&run.audit(), 1e-9);
}

/// SimBenchmark's *rolling*: balls of 1 kg on a box of 10 kg that is pushed along the ground with 150 N, friction 0.8
/// between balls and box, 0.4 between box and ground. The ball rolls with 2/7 of the box's acceleration A, and takes
/// that times its mass of the push: `A (M + 2/7 n m) = F − μ (M + n m) g`.
#[test]
fn rolling_of_simbenchmark() {
    let (mass, push, ground) = (10.0, 150.0, 0.4);
    let stuff = |friction: f64| Material {
        restitution: 0.0,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    };
    let law = |rigid: f64, balls: f64| {
        let weight = (rigid + balls) * G;
        (push - ground * weight) / (rigid + 2.0 / 7.0 * balls)
    };
    // In space: 25 balls, pushed along the diagonal.
    let mut world = World3::new();
    world.set_gravity(DVec3::new(0.0, 0.0, -G)).expect("finite");
    let default = world.materials.add("default", stuff(0.8)).expect("allowed");
    let floor_stuff = world
        .materials
        .add("floor", stuff(ground))
        .expect("allowed");
    let surface = PairOverride {
        static_friction: Some(ground),
        kinetic_friction: Some(ground),
        ..PairOverride::default()
    };
    (world.materials)
        .override_pair(default, floor_stuff, surface)
        .expect("allowed");
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec3::Z).expect("a direction"));
    let floor = Body::fixed(floor);
    world
        .add(Body {
            material: floor_stuff,
            ..floor
        })
        .expect("allowed");
    let shape = Shape::Block(Block::new(DVec3::new(5.0, 5.0, 0.5)).expect("positive"));
    let pose = Pose::at(DVec3::new(0.0, 0.0, 0.5));
    let diagonal = DVec3::new(1.0, 1.0, 0.0) / 2f64.sqrt();
    let plate = Body::solid(shape, mass, pose, DVec3::ZERO, DVec3::ZERO).expect("a solid");
    let plate = world.add(pushed(plate, diagonal * push)).expect("allowed");
    let mut balls = Vec::new();
    for k in 0..25 {
        let place = DVec3::new(
            f64::from(k % 5) * 2.0 - 4.0,
            f64::from(k / 5) * 2.0 - 4.0,
            1.5,
        );
        let ball = Body::ball(0.5, 1.0, place, DVec3::ZERO).expect("a ball");
        balls.push(world.add(ball).expect("allowed"));
    }
    let mut run = started(world);
    run.run_to(1.0).expect("it gets on");
    let faster = law(mass, 25.0);
    let state = run.state(plate);
    let off = (state.velocity - diagonal * faster).length();
    assert!(off < 1e-6, "{off:e} {state:?} {faster}");
    for &ball in &balls {
        let state = run.state(ball);
        let off = (state.velocity - diagonal * (2.0 / 7.0 * faster)).length();
        assert!(off < 1e-6, "{off:e} {state:?}");
    }
    balances(&run.audit(), 1e-9);
}

/// A force that has no value ends the run, and says whose it is.
#[test]
fn a_formula_without_a_value_ends_the_run_of_a_rigid_body() {
    for height in [0.25, 3.0] {
        let mut world = world2(0.0, 0.4);
        let formula = "sqrt(0.3 - t)".parse().expect("a formula");
        let load = Load::default().with_force_of_time(DVec2::X, formula);
        let body = loaded(block2([1.0, 0.5], [0.0, height], 0.0), load);
        world.add(body.named("rocket")).expect("allowed");
        let error = started(world).run_to(1.0).expect_err("no force");
        assert!(error.to_string().contains("rocket"), "{error}");
    }
}

/// The same in the plane: discs take a third of the acceleration of the plank below them.
#[test]
fn rolling_of_simbenchmark_in_the_plane() {
    let (mass, push, ground, number) = (10.0, 80.0, 0.4, 5);
    let mut world = world2(0.0, ground);
    let rough = Material {
        restitution: 0.0,
        static_friction: 0.8,
        kinetic_friction: 0.8,
        ..Material::default()
    };
    let rough = world.materials.add("rough", rough).expect("allowed");
    let floor = world.materials.find("default").expect("there");
    let surface = PairOverride {
        static_friction: Some(ground),
        kinetic_friction: Some(ground),
        ..PairOverride::default()
    };
    (world.materials)
        .override_pair(rough, floor, surface)
        .expect("allowed");
    let shape = Shape::Block(Block::new(DVec2::new(6.0, 0.5)).expect("positive"));
    let pose = Pose::at(DVec2::new(0.0, 0.5));
    let plank = Body::solid(shape, mass, pose, DVec2::ZERO, 0.0).expect("a solid");
    let plank = pushed(plank, DVec2::new(push, 0.0));
    let plank = (world.add(Body {
        material: rough,
        ..plank
    }))
    .expect("allowed");
    let discs: Vec<BodyId> = (0..number)
        .map(|k| {
            let place = DVec2::new(2.0 * f64::from(k) - 4.0, 1.5);
            let disc = Body::ball(0.5, 1.0, place, DVec2::ZERO).expect("a disc");
            let disc = Body {
                material: rough,
                ..disc
            };
            world.add(disc).expect("allowed")
        })
        .collect();
    let mut run = started(world);
    run.run_to(1.0).expect("it gets on");
    let all = f64::from(number);
    let faster = (push - ground * (mass + all) * G) / (mass + all / 3.0);
    let state = run.state(plank);
    assert!(
        (state.velocity.x - faster).abs() < 1e-6,
        "{state:?} {faster}"
    );
    for disc in discs {
        let state = run.state(disc);
        assert!(
            (state.velocity.x - faster / 3.0).abs() < 1e-6,
            "{state:?} {faster}"
        );
    }
    balances(&run.audit(), 1e-9);
}
