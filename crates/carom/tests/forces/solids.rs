//! Solids that turn, by forces: closed forms, the exact engine, books, pieces.

use carom::body::Kind;
use carom::material::Constants;
use carom::material::MaterialId;
use carom::prelude::*;
use carom::shape::{Block, HalfSpace, Segment, Shape2};
use carom::shape::{Compound, Convex};
use carom::simulate::{Compiled, ForceEngine, Scheme, Settling, Touch};
use carom::simulate::{Exact, Stepped};
use carom::space::Space;

const G: f64 = 9.81;

/// A world of one material. Two of it in series make a spring of k (N/m).
fn world<S: Compiled>(restitution: f64, friction: f64, k: f64) -> (World<S>, MaterialId) {
    let mut world = World::new();
    let stuff = Material {
        restitution,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    };
    let stuff = world.materials.add("stuff", stuff).unwrap();
    let springs = Constants::linear(2.0 * k);
    world.materials.set_constants(stuff, springs).unwrap();
    (world, stuff)
}

/// With a floor at height 0 and gravity.
fn plane(restitution: f64, friction: f64, k: f64) -> (World2, MaterialId) {
    let (mut world, stuff) = world::<Space2>(restitution, friction, k);
    world.set_gravity(DVec2::new(0.0, -G)).unwrap();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
    let floor = Body::fixed(floor).made_of(stuff);
    world.add(floor.named("floor")).unwrap();
    (world, stuff)
}

fn room(restitution: f64, friction: f64, k: f64) -> (World3, MaterialId) {
    let (mut world, stuff) = world::<Space3>(restitution, friction, k);
    world.set_gravity(DVec3::new(0.0, 0.0, -G)).unwrap();
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec3::Z).unwrap());
    let floor = Body::fixed(floor).made_of(stuff);
    world.add(floor.named("floor")).unwrap();
    (world, stuff)
}

fn block2(half: [f64; 2], mass: f64, place: [f64; 2], angle: f64) -> Body<Space2> {
    let shape = Shape::Block(Block::new(DVec2::from_array(half)).unwrap());
    let pose = Pose {
        position: DVec2::from_array(place),
        rotation: Turn::by(angle),
    };
    Body::solid(shape, mass, pose, DVec2::ZERO, 0.0).unwrap()
}

fn block3(half: [f64; 3], mass: f64, place: [f64; 3]) -> Body<Space3> {
    let shape = Shape::Block(Block::new(DVec3::from_array(half)).unwrap());
    let pose = Pose::at(DVec3::from_array(place));
    Body::solid(shape, mass, pose, DVec3::ZERO, DVec3::ZERO).unwrap()
}

fn moving<S: Compiled>(
    mut body: Body<S>,
    velocity: S::Vector,
    angular_velocity: S::Angular,
) -> Body<S> {
    if let Kind::Free(free) = &mut body.kind {
        (free.velocity, free.angular_velocity) = (velocity, angular_velocity);
    }
    body
}

fn run_of<S: Compiled>(world: World<S>, forces: &Forces) -> Stepped<S> {
    Stepped::new(world, forces).unwrap_or_else(|wrong| panic!("{}", wrong[0]))
}

/// The springs of a face share k, however many corners it has. Left alone for 3 s, after which ζ = 0.2 has taken
/// e^(−ζωt), ω = 220/s, of the swing: nothing is left above rounding.
#[test]
fn a_box_that_lies_flat_sinks_in_by_its_weight_over_the_stiffness() {
    let (mass, k) = (2.0, 1e5);
    for scheme in [Scheme::RungeKutta, Scheme::Verlet] {
        let (mut plane, stuff) = plane(0.5, 0.4, k);
        let flat = block2([0.3, 0.1], mass, [0.0, 0.1], 0.0).made_of(stuff);
        let id = plane.add(flat).unwrap();
        let mut run = run_of(plane, &Forces::default().by(scheme));
        run.run_to(3.0).unwrap();
        let state = run.state(id);
        let sunk = 0.1 - state.position.y;
        assert!(
            (sunk * k / (mass * G) - 1.0).abs() < 1e-9,
            "{scheme} {sunk}"
        );
        assert!(state.angular_velocity.abs() < 1e-12 && state.velocity.length() < 1e-9);
        let deep = run.touching()[0].2;
        assert!((deep * k / (mass * G) - 1.0).abs() < 1e-9, "{deep}");

        let (mut room, stuff) = room(0.5, 0.4, k);
        let flat = block3([0.3, 0.2, 0.1], mass, [0.0, 0.0, 0.1]).made_of(stuff);
        let id = room.add(flat).unwrap();
        let mut run = run_of(room, &Forces::default().by(scheme));
        run.run_to(3.0).unwrap();
        let state = run.state(id);
        let sunk = 0.1 - state.position.z;
        assert!(
            (sunk * k / (mass * G) - 1.0).abs() < 1e-9,
            "{scheme} {sunk}"
        );
        assert!(state.angular_velocity.length() < 1e-12 && state.velocity.length() < 1e-9);
    }
}

/// Standing on an end or lying on the side a cylinder has all of k under it too.
#[test]
fn a_cylinder_stands_and_lies_on_the_whole_spring() {
    let (mass, k) = (1.5, 1e5);
    for (lies, height) in [(false, 0.2), (true, 0.1)] {
        let (mut room, stuff) = room(0.5, 0.4, k);
        let form = Compound::with_mass(vec![Convex::cylinder(0.2, 0.1).unwrap()], mass).unwrap();
        let angle = if lies {
            0.5 * std::f64::consts::PI
        } else {
            0.0
        };
        let pose = Pose {
            position: DVec3::new(0.0, 0.0, height),
            rotation: Space3::rotation_of(DVec3::X, angle),
        };
        let shape = Shape::Compound(Box::new(form));
        let body = Body::solid(shape, mass, pose, DVec3::ZERO, DVec3::ZERO).unwrap();
        let id = room.add(body.made_of(stuff)).unwrap();
        let mut run = run_of(room, &Forces::default().by(Scheme::Verlet));
        run.run_to(2.0).unwrap();
        let sunk = height - run.state(id).position.z;
        // Lying, the quarter turn is off by 6e-17, and what it swings with decays as above.
        assert!((sunk * k / (mass * G) - 1.0).abs() < 1e-6, "{lies} {sunk}");
    }
}

/// All corners strike at once, and whichever is looked at first, the box gets no spin: the corners are the same to the
/// last bit or two, and what rounding leaves is far below this.
#[test]
fn a_box_that_falls_flat_gets_no_spin_and_rebounds_by_its_restitution() {
    for scheme in [Scheme::RungeKutta, Scheme::Verlet] {
        let (mut room, stuff) = room(0.6, 0.4, 1e6);
        let flat = block3([0.3, 0.2, 0.1], 2.0, [0.0, 0.0, 0.3]).made_of(stuff);
        let id = room.add(flat).unwrap();
        let mut run = run_of(room, &Forces::default().by(scheme));
        let touches = super::touches_of(&mut run, 0.35);
        let state = run.state(id);
        assert!(
            state.angular_velocity.length() < 1e-10,
            "{scheme} {state:?}"
        );
        assert!(state.position.x.abs() < 1e-12 && state.position.y.abs() < 1e-12);
        // Gravity goes on during the contact of 4.5 ms: it changes 2 m/s by 0.04 on either side.
        let ratio = touches[0].restitution().unwrap();
        assert!((ratio - 0.6).abs() < 0.03, "{scheme} {ratio}");
    }
}

/// Dzhanibekov's book, without contacts. The angular momentum changes by rounding alone; the energy by the order of the
/// scheme.
#[test]
fn the_tumbling_book_keeps_energy_and_angular_momentum_and_flips() {
    let book = || {
        let (mut world, stuff) = world::<Space3>(1.0, 0.0, 1e4);
        let book = block3([0.1, 0.07, 0.015], 0.6, [0.0; 3]).made_of(stuff);
        let id = world
            .add(moving(book, DVec3::ZERO, DVec3::new(0.01, 10.0, 0.0)))
            .unwrap();
        (world, id)
    };
    // How the largest error falls with half the step: RK4's drifts, by the fifth power at best and the fourth at worst;
    // Verlet's swings, by the second.
    for (scheme, least) in [(Scheme::RungeKutta, 12.0), (Scheme::Verlet, 3.5)] {
        let mut errors = Vec::new();
        for step in [8e-3, 4e-3] {
            let (world, id) = book();
            let mut run = run_of(world, &Forces::stepping(step).by(scheme));
            let (mut worst, mut flips, mut last) = (0.0_f64, 0, 1.0);
            for k in 1..=400 {
                run.run_to(0.025 * f64::from(k)).unwrap();
                let audit = run.audit();
                worst = worst.max((audit.energy_residual / audit.initial.total()).abs());
                let turning = audit.angular_momentum.unwrap();
                let left = turning.residual.length() / turning.initial.length();
                // Nothing is added to it at all.
                assert!(left < 1e-15, "{left}");
                // Which way the book's own middle axis looks, seen along the angular momentum.
                let state = run.state(id);
                let axis = Space3::rotate(state.rotation, DVec3::Y).y;
                if axis * last < 0.0 {
                    flips += 1;
                }
                last = axis;
            }
            assert!(flips >= 2, "{scheme} {flips}");
            errors.push(worst);
        }
        assert!(errors[0] / errors[1] > least, "{scheme} {errors:?}");
        assert!(errors[1] < 1e-3, "{scheme} {errors:?}");
    }
}

/// tan θ 3 % below and above μ. Above, it slides with g (sin θ − μ cos θ).
#[test]
fn a_block_on_a_slope_holds_or_slides_on_the_right_side_of_coulombs_limit() {
    let friction = 0.5_f64;
    for (share, slides) in [(0.97, false), (1.03, true)] {
        let slope = libm::atan(friction * share);
        let (mut world, stuff) = world::<Space2>(0.3, friction, 1e5);
        let (sin, cos) = libm::sincos(slope);
        world.set_gravity(DVec2::new(G * sin, -G * cos)).unwrap();
        let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
        world.add(Body::fixed(floor).made_of(stuff)).unwrap();
        // It starts where its weight has pressed it to.
        let sunk = G * cos / 1e5;
        let body = block2([0.2, 0.1], 1.0, [0.0, 0.1 - sunk], 0.0).made_of(stuff);
        let id = world.add(body).unwrap();
        let mut run = run_of(world, &Forces::default().by(Scheme::Verlet));
        run.run_to(0.5).unwrap();
        let before = run.state(id);
        run.run_to(1.0).unwrap();
        let after = run.state(id);
        if slides {
            // What the first swing gives stays; the acceleration is that of the slope less friction.
            let faster = after.velocity.x - before.velocity.x;
            let free = 0.5 * G * (sin - friction * cos);
            assert!((faster / free - 1.0).abs() < 1e-3, "{faster} {free}");
        } else {
            // The springs across the normal are stretched at first, and slip a little in that swing; ζ = 0.3 has ended
            // it after 0.5 s (e^(−28)), and the block moves no more.
            let way = (after.position - before.position).length();
            assert!(
                way < 1e-9 && before.position.x < 5e-3,
                "{before:?} {after:?}"
            );
        }
    }
}

/// ε → c → ε, for a contact whose mass is that of the pair: a ball head-on on the face of a free box. RK4 with the
/// contact located: (ω dt)⁴ with ω dt = π/50.
#[test]
fn a_ball_on_a_box_head_on_has_the_restitution_and_the_time_of_the_closed_form() {
    let (k, ratio) = (1e5, 0.6);
    let (mut world, stuff) = world::<Space3>(ratio, 0.0, k);
    let ball = Body::ball(0.1, 0.5, DVec3::new(-0.5, 0.0, 0.0), DVec3::X).unwrap();
    let ball = world.add(ball.made_of(stuff)).unwrap();
    let body = block3([0.2, 0.15, 0.1], 1.5, [0.0; 3]).made_of(stuff);
    let body = world.add(body).unwrap();
    let mut run = run_of(world, &Forces::default().by(Scheme::RungeKutta));
    let couple = run.couple(ball, body).unwrap();
    let touches = super::touches_of(&mut run, 0.5);
    assert_eq!(touches.len(), 1);
    let touch = &touches[0];
    assert!(
        (touch.restitution().unwrap() - ratio).abs() < 1e-6,
        "{touch:?}"
    );
    assert!((couple.restitution() - ratio).abs() < 1e-12);
    assert!((touch.duration() / couple.contact_time() - 1.0).abs() < 1e-6);
    assert!((touch.begin - 0.2).abs() < 1e-9, "{touch:?}");
    // Momentum: (m_a v)(1 + ε) m_b/(m_a + m_b).
    let speed = run.state(body).velocity.x;
    assert!((speed - 0.5 * 1.6 / 2.0).abs() < 1e-6, "{speed}");
    assert!(run.state(body).angular_velocity.length() < 1e-12);
}

/// A ball strikes a box off its centre, and a box strikes a wall with a corner, with ε = 0.7: what the exact engine
/// gives comes out in the limit of stiff springs. During the contact the bodies move on by v t_c and turn, so that the
/// difference falls as the contact time does, k^(−½): tenfold for a hundredfold stiffness.
#[test]
fn hits_off_the_centre_agree_with_impulses_as_the_stiffness_grows() {
    let struck = |k: f64| {
        let (mut world, stuff) = world::<Space2>(0.7, 0.0, k);
        let ball = Body::ball(0.1, 0.5, DVec2::new(-0.5, 0.12), DVec2::new(2.0, 0.0)).unwrap();
        world.add(ball.made_of(stuff)).unwrap();
        let body = block2([0.2, 0.2], 1.0, [0.0, 0.0], 0.0).made_of(stuff);
        let id = world.add(body).unwrap();
        (world, id)
    };
    let in_corner = |k: f64| {
        let (mut world, stuff) = world::<Space2>(0.7, 0.0, k);
        let wall = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).unwrap());
        let wall = Body::fixed(wall).made_of(stuff);
        world.add(wall).unwrap();
        let body = block2([0.2, 0.1], 1.0, [0.0, 0.5], 0.4).made_of(stuff);
        let body = moving(body, DVec2::new(0.0, -2.0), 0.0);
        let id = world.add(body).unwrap();
        (world, id)
    };
    type Scene<'a> = &'a dyn Fn(f64) -> (World2, BodyId);
    for (scene, until) in [(&struck as Scene<'_>, 0.3), (&in_corner, 0.2)] {
        let (exact, id) = scene(1e6);
        let mut exact = Exact::with(exact, &Settling::default()).unwrap();
        exact.run_to(until).unwrap();
        let truth = exact.state(id);
        assert!(exact.collisions() == 1 && truth.angular_velocity.abs() > 1.0);
        let errors = [1e5, 1e7].map(|k| {
            let (world, id) = scene(k);
            let mut run = run_of(world, &Forces::default());
            run.run_to(until).unwrap();
            let state = run.state(id);
            [
                (state.velocity - truth.velocity).length(),
                (state.angular_velocity - truth.angular_velocity).abs(),
                (state.position - truth.position).length(),
            ]
        });
        for (soft, stiff) in errors[0].iter().zip(errors[1]) {
            assert!(soft / stiff > 8.0, "{errors:?}");
        }
        assert!(
            errors[1][1] < 5e-3 * truth.angular_velocity.abs(),
            "{errors:?}"
        );
    }
}

/// Elastic and without friction, a tumbling box comes down on its corners and edges: all that springs take they give
/// back. Each halving of the step takes off what is left.
#[test]
fn the_books_of_elastic_boxes_balance_to_the_order_of_the_steps() {
    for (scheme, least) in [(Scheme::RungeKutta, 4.0), (Scheme::Verlet, 2.0)] {
        let errors = [1e-4, 2.5e-5].map(|step| {
            let (mut room, stuff) = room(1.0, 0.0, 1e5);
            let body = block3([0.1, 0.2, 0.15], 2.0, [0.0, 0.0, 0.5]).made_of(stuff);
            let mut body = moving(body, DVec3::ZERO, DVec3::new(3.0, 1.0, 2.0));
            body.pose.rotation = Space3::rotation_of(DVec3::new(0.5, 0.7, 0.2), 1.0);
            room.add(body).unwrap();
            let mut run = run_of(room, &Forces::stepping(step).by(scheme));
            run.run_to(1.0).unwrap();
            assert!(run.touches() >= 2);
            let audit = run.audit();
            assert!(audit.momentum_residual.length() < 1e-11, "{audit:?}");
            (audit.energy_residual / audit.initial.total()).abs()
        });
        assert!(errors[0] / errors[1] > least, "{scheme} {errors:?}");
        assert!(errors[1] < 1e-3, "{scheme} {errors:?}");
    }
}

/// With dampers and friction everything that is lost is entered somewhere, and at the end the box lies still on its
/// spring.
#[test]
fn the_books_of_a_box_that_comes_to_rest_say_where_its_energy_went() {
    let (mut room, stuff) = room(0.4, 0.5, 1e5);
    let body = block3([0.1, 0.2, 0.15], 2.0, [0.0, 0.0, 0.5]).made_of(stuff);
    let mut body = moving(body, DVec3::new(1.0, 0.0, 0.0), DVec3::new(3.0, 1.0, 2.0));
    body.pose.rotation = Space3::rotation_of(DVec3::new(0.5, 0.7, 0.2), 1.0);
    let id = room.add(body).unwrap();
    let mut run = run_of(room, &Forces::default().by(Scheme::Verlet));
    run.run_to(4.0).unwrap();
    let (audit, state) = (run.audit(), run.state(id));
    assert!(
        state.velocity.length() < 1e-6 && state.angular_velocity.length() < 1e-5,
        "{state:?}"
    );
    assert!(audit.dissipated.dampers > 0.0 && audit.dissipated.friction > 0.0);
    // Verlet's dampers see the velocity of the middle of the step: first order, with ω dt = 0.06.
    assert!(
        audit.energy_residual.abs() < 0.01 * audit.initial.total(),
        "{audit:?}"
    );
    assert!(audit.momentum_residual.length() < 1e-9, "{audit:?}");
    let turning = audit.angular_momentum.unwrap().residual;
    assert!(turning.length() < 1e-9, "{turning:?}");
    // One of its faces is down, sunk in by m g/k.
    let height = state.position.z + 2.0 * G / 1e5;
    let faces = [0.1, 0.15, 0.2];
    assert!(
        faces.iter().any(|face| (height - face).abs() < 1e-7),
        "{state:?}"
    );
}

/// Two boxes on each other: the upper one is sunk in by m g/k, the lower one by twice that. They stay.
#[test]
fn two_boxes_stay_stacked() {
    let (mut room, stuff) = room(0.3, 0.5, 1e5);
    let ids = [0.1, 0.3].map(|z| {
        let body = block3([0.15, 0.12, 0.1], 1.0, [0.0, 0.0, z]).made_of(stuff);
        room.add(body).unwrap()
    });
    let mut run = run_of(room, &Forces::default().by(Scheme::Verlet));
    run.run_to(5.0).unwrap();
    let [low, high] = ids.map(|id| run.state(id));
    let sunk = G / 1e5;
    assert!((low.position.z - 0.1 + 2.0 * sunk).abs() < 1e-9, "{low:?}");
    assert!(
        (high.position.z - 0.3 + 3.0 * sunk).abs() < 1e-9,
        "{high:?}"
    );
    for state in [low, high] {
        assert!(state.position.x.abs() < 1e-9 && state.position.y.abs() < 1e-9);
        assert!(state.velocity.length() < 1e-9 && state.angular_velocity.length() < 1e-9);
    }
}

/// A belt that moves by a constant velocity carries a box along: μ g t until it is as fast as the belt. The books know
/// what the belt did.
#[test]
fn a_belt_carries_a_box_along() {
    let (mut world, stuff) = world::<Space2>(0.3, 0.5, 1e5);
    world.set_gravity(DVec2::new(0.0, -G)).unwrap();
    let belt = Shape::Block(Block::new(DVec2::new(5.0, 0.1)).unwrap());
    let drive = Drive::Uniform {
        velocity: DVec2::new(1.0, 0.0),
    };
    let belt = Body::kinematic(belt, drive).at(DVec2::new(0.0, -0.1));
    world.add(belt.made_of(stuff)).unwrap();
    let body = block2([0.2, 0.1], 1.0, [0.0, 0.1 - G / 1e5], 0.0);
    let id = world.add(body.made_of(stuff)).unwrap();
    let mut run = run_of(world, &Forces::default().by(Scheme::Verlet));
    run.run_to(0.1).unwrap();
    let slow = run.state(id).velocity.x;
    assert!((slow - 0.5 * G * 0.1).abs() < 0.02 * slow, "{slow}");
    run.run_to(1.0).unwrap();
    let carried = run.state(id).velocity.x;
    // What is left swings on the spring across the normal.
    assert!((carried - 1.0).abs() < 0.02, "{carried}");
    let audit = run.audit();
    assert!(
        audit.work_by_kinematic > 0.5 && audit.dissipated.friction > 0.3,
        "{audit:?}"
    );
    assert!(audit.energy_residual.abs() < 0.01, "{audit:?}");
}

/// A table of three parts stands on its two legs, each of which has a spring of its own.
#[test]
fn a_compound_stands_on_all_its_legs() {
    let (mass, k) = (3.0, 1e5);
    let (mut plane, stuff) = plane(0.5, 0.4, k);
    let part = |half: [f64; 2], place: [f64; 2]| {
        let part = Convex::<Space2>::block(DVec2::from_array(half)).unwrap();
        part.placed(&Pose::at(DVec2::from_array(place)))
    };
    let parts = vec![
        part([0.5, 0.05], [0.0, 0.55]),
        part([0.05, 0.25], [-0.45, 0.25]),
        part([0.05, 0.25], [0.45, 0.25]),
    ];
    let form = Compound::with_mass(parts, mass).unwrap();
    let height = -form.origin().y;
    let shape = Shape::Compound(Box::new(form));
    let pose = Pose::at(DVec2::new(0.0, height));
    let table = Body::solid(shape, mass, pose, DVec2::ZERO, 0.0).unwrap();
    let id = plane.add(table.made_of(stuff)).unwrap();
    // A ball comes to lie on it.
    let ball = Body::ball(0.1, 0.5, DVec2::new(0.0, 0.75), DVec2::ZERO).unwrap();
    let ball = plane.add(ball.made_of(stuff)).unwrap();
    let mut run = run_of(plane, &Forces::default().by(Scheme::Verlet));
    run.run_to(4.0).unwrap();
    let sunk = height - run.state(id).position.y;
    let expected = (mass + 0.5) * G / (2.0 * k);
    assert!((sunk / expected - 1.0).abs() < 1e-6, "{sunk} {expected}");
    let lies = 0.7 - run.state(ball).position.y - sunk;
    assert!((lies * k / (0.5 * G) - 1.0).abs() < 1e-6, "{lies}");
}

/// Balls, boxes and a capsule in a heap on a segment and a floor, both endings, all schemes: the bits do not depend on
/// how the run is cut, nor on snapshots.
#[test]
fn a_run_in_pieces_and_from_snapshots_has_the_same_bits() {
    let heap = || {
        let (mut plane, stuff) = plane(0.4, 0.3, 1e5);
        let ledge = Segment::new(DVec2::new(-1.0, 0.2), DVec2::new(0.1, 0.3)).unwrap();
        let ledge = Body::fixed(Shape::Own(Box::new(Shape2::Segment(ledge))));
        plane.add(ledge.made_of(stuff)).unwrap();
        for (place, angle) in [([0.0, 0.6], 0.3), ([0.1, 1.0], 1.0)] {
            let body = block2([0.15, 0.1], 1.0, place, angle);
            plane
                .add(moving(body, DVec2::ZERO, 2.0).made_of(stuff))
                .unwrap();
        }
        let rod = Convex::capsule(DVec2::new(-0.2, 0.0), DVec2::new(0.2, 0.0), 0.05).unwrap();
        let rod = Shape::Compound(Box::new(Compound::with_mass(vec![rod], 0.5).unwrap()));
        let pose = Pose::at(DVec2::new(0.2, 1.4));
        let rod = Body::solid(rod, 0.5, pose, DVec2::ZERO, 3.0).unwrap();
        plane.add(rod.made_of(stuff)).unwrap();
        let ball = Body::ball(0.1, 0.3, DVec2::new(-0.3, 0.7), DVec2::ZERO).unwrap();
        plane.add(ball.made_of(stuff)).unwrap();
        plane
    };
    for forces in [
        Forces::default(),
        Forces::default().by(Scheme::Verlet),
        Forces::default().by(Scheme::Verlet).cut_off(),
        Forces::default().by(Scheme::Euler),
    ] {
        let end = 0.8;
        let mut whole = run_of(heap(), &forces);
        let mut told = 0;
        let mut count = |_: &Touch<Space2>| {
            told += 1;
            std::ops::ControlFlow::Continue(())
        };
        whole.run(end, &mut count).unwrap();
        assert!(whole.touches() > 3 && told == whole.touches());
        let mut segments = run_of(heap(), &forces);
        for k in 1..=7 {
            segments.run_to(end * f64::from(k) / 7.3).unwrap();
            segments = Stepped::restore(&segments.snapshot()).unwrap();
        }
        segments.run_to(end).unwrap();
        assert_eq!(whole.digest(), segments.digest(), "{forces:?}");
        assert_eq!(whole.audit(), segments.audit(), "{forces:?}");
        let audit = whole.audit();
        assert!(audit.momentum_residual.length() < 1e-9);
    }
}

/// What has no counterpart is refused, by name.
#[test]
fn what_solids_cannot_do_by_forces_is_refused() {
    let said = |world: World3, forces: &Forces| {
        let wrong = Stepped::new(world, forces).expect_err("it is refused");
        wrong.iter().map(ToString::to_string).collect::<String>()
    };
    let boxes = |springs: Constants| {
        let (mut world, stuff) = room(0.5, 0.0, 1e5);
        world.materials.set_constants(stuff, springs).unwrap();
        let body = block3([0.1; 3], 1.0, [0.0, 0.0, 0.2]);
        world.add(body.made_of(stuff).named("crate")).unwrap();
        world
    };
    let hertz = said(boxes(Constants::hertz(1e9, 0.3)), &Forces::default());
    assert!(
        hertz.contains("crate") && hertz.contains("radius of curvature"),
        "{hertz}"
    );
    let crowd = Forces::default().run_by(ForceEngine::Granular);
    let crowd = said(boxes(Constants::linear(1e5)), &crowd);
    assert!(crowd.contains("balls alone"), "{crowd}");
    // ω² is at most k (1/m)(1 + 4.5 + …): a step that is safe for a ball is not for a corner.
    let long = said(boxes(Constants::linear(2e5)), &Forces::stepping(1e-2));
    assert!(
        long.contains("may be at most") && long.contains("crate"),
        "{long}"
    );
    let mut periodic = boxes(Constants::linear(1e5));
    periodic.set_periodic([Some(0.6), None, None]).unwrap();
    let periodic = said(periodic, &Forces::default());
    assert!(periodic.contains("below half the box"), "{periodic}");
}
