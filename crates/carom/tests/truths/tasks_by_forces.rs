//! SimBenchmark's tasks (leggedrobotics, public) by forces. By impulses: `tests/engine/simbenchmark.rs`, and *rolling*
//! in `tests/rigid/loads.rs`.

use carom::material::{Constants, PairOverride};
use carom::motion::Load;
use carom::prelude::*;
use carom::shape::Block;
use carom::simulate::{Compiled, Stepped};
use carom::space::Linear;

const G: f64 = 9.81;

fn rubbing(restitution: f64, friction: f64) -> Material {
    Material {
        restitution,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    }
}

fn floor<S: Compiled>(stuff: Material, up: S::Vector) -> World<S> {
    let mut world = World::new();
    world.materials.add("default", stuff).unwrap();
    world.set_gravity(up * -G).unwrap();
    world
        .add(Body::fixed(Shape::half_space(up).unwrap()))
        .unwrap();
    world
}

fn started<S: Compiled>(world: World<S>, stiffness: f64) -> Stepped<S> {
    let forces = Forces::default().with_fallback(Constants::linear(2.0 * stiffness));
    Stepped::new(world, &forces).unwrap_or_else(|wrong| panic!("{}", wrong[0]))
}

/// *Rolling*: a plate of 10 kg that is pushed along the floor, balls of 1 kg on it. The plate gains
/// A = (F − μ (M + n m) g)/(M + q n m), the balls q A, with q = I/(I + m r²): 2/7 in 3-D, 1/3 in 2-D.
fn rolling<S: Compiled>(
    up: S::Vector,
    along: S::Vector,
    half: S::Vector,
    places: &[S::Vector],
    push: f64,
    q: f64,
) where
    S::Vector: std::fmt::Debug,
{
    let (mass, ground, stiffness) = (10.0, 0.4, 1e6);
    let mut world = floor::<S>(rubbing(0.0, ground), up);
    let rough = world.materials.add("rough", rubbing(0.0, 0.8)).unwrap();
    let default = world.materials.find("default").unwrap();
    let surface = PairOverride {
        static_friction: Some(ground),
        kinetic_friction: Some(ground),
        ..PairOverride::default()
    };
    world
        .materials
        .override_pair(rough, default, surface)
        .unwrap();
    let weight = (mass + places.len() as f64) * G;
    let shape = Shape::Block(Block::new(half).unwrap());
    let height = half.dot(up) - weight / stiffness;
    let plate = Body::solid(
        shape,
        mass,
        Pose::at(up * height),
        up * 0.0,
        S::Angular::ZERO,
    )
    .unwrap();
    let load = Load::default().with_force(along * push);
    let plate = Body {
        load: Some(Box::new(load)),
        ..plate
    };
    let plate = world.add(plate.made_of(rough)).unwrap();
    let balls: Vec<BodyId> = (places.iter())
        .map(|&place| {
            let place = place + up * (height + half.dot(up) + 0.5 - G / stiffness);
            let ball = Body::ball(0.5, 1.0, place, up * 0.0).unwrap();
            world.add(ball.made_of(rough)).unwrap()
        })
        .collect();
    let mut run = started(world, stiffness);
    run.run_to(0.5).unwrap();
    let early: Vec<S::Vector> = (balls.iter().chain([&plate]))
        .map(|&id| run.state(id).velocity)
        .collect();
    run.run_to(1.0).unwrap();
    let faster = (push - ground * weight) / (mass + q * places.len() as f64);
    for (id, early) in balls.iter().chain([&plate]).zip(early) {
        let gained = (run.state(*id).velocity - early).dot(along);
        let truth = 0.5 * faster * if *id == plate { 1.0 } else { q };
        // The arm of friction is r − δ/2, with δ/r = 2·10⁻⁵; what swings at the start has come to an end.
        assert!(
            (gained / truth - 1.0).abs() < 1e-4,
            "{id:?}: {gained} {truth}"
        );
    }
}

#[test]
fn balls_on_a_plate_that_is_pushed_roll_by_the_closed_form() {
    let discs: Vec<DVec2> = (0..5)
        .map(|k| DVec2::X * (2.0 * f64::from(k) - 4.0))
        .collect();
    rolling::<Space2>(
        DVec2::Y,
        DVec2::X,
        DVec2::new(6.0, 0.5),
        &discs,
        80.0,
        1.0 / 3.0,
    );
    let balls: Vec<DVec3> = (0..25)
        .map(|k| {
            DVec3::new(
                f64::from(k % 5) * 2.0 - 4.0,
                f64::from(k / 5) * 2.0 - 4.0,
                0.0,
            )
        })
        .collect();
    let diagonal = DVec3::new(1.0, 1.0, 0.0) / 2f64.sqrt();
    rolling::<Space3>(
        DVec3::Z,
        diagonal,
        DVec3::new(5.0, 5.0, 0.5),
        &balls,
        150.0,
        2.0 / 7.0,
    );
}

/// 6 × 6 × 6 balls of 10 kg and 0.1 m, shifted by up to a millimetre along the floor.
fn cube(restitution: f64, height: f64) -> World3 {
    let mut world = floor::<Space3>(rubbing(restitution, 0.0), DVec3::Z);
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    for index in 0..216_u32 {
        let [x, y, z] = [index % 6, index / 6 % 6, index / 36].map(f64::from);
        let shift = DVec3::new(next(), next(), 0.0) * 1e-3;
        let place = DVec3::new(x, y, z) * 0.21 + DVec3::Z * (height + 0.1) + shift;
        world
            .add(Body::ball(0.1, 10.0, place, DVec3::ZERO).unwrap())
            .unwrap();
    }
    world
}

/// *666*: whatever falls, nothing pushes along the floor.
#[test]
fn a_cube_of_balls_gains_no_momentum_along_the_floor() {
    let mut run = started(cube(0.0, 1e-3), 1e7);
    for step in 1..=4 {
        run.run_to(0.25 * f64::from(step)).unwrap();
        let momentum = run.audit().momentum;
        let along = DVec2::new(momentum.x, momentum.y).length();
        // Rounding in some 10⁴ steps of 216 balls, of the weights that pass through them.
        assert!(along < 1e-11 * 216.0 * 10.0 * G * run.time(), "{along:e}");
        // No spring can hold more than what all of them could have lost by falling: ½ k δ² < 216 · 10 g · 0.55 m.
        for (_, _, depth) in run.touching() {
            assert!(0.5 * 1e7 * depth * depth < 2160.0 * G * 0.55, "{depth:e}");
        }
    }
}

/// *Elastic 666*: no damper, so that the scheme alone changes the energy: by (ω dt)²/8 of what the springs hold, at
/// most, with ω dt = 2π/100.
#[test]
fn a_cube_of_elastic_balls_keeps_its_energy() {
    let stiffness = 1e6;
    let mut run = started(cube(1.0, 1.0), stiffness);
    // From where they are and how fast, and how deep the springs are.
    let total = |run: &Stepped<Space3>| {
        let springs = run.touching().into_iter();
        let mut total: f64 = springs.map(|it| 0.5 * stiffness * it.2 * it.2).sum();
        for id in run.bodies().skip(1) {
            let state = run.state(id);
            total += 10.0 * (G * state.position.z + 0.5 * state.velocity.length_squared());
        }
        total
    };
    let energy = total(&run);
    for step in 1..=4 {
        run.run_to(0.5 * f64::from(step)).unwrap();
        let off = total(&run) / energy - 1.0;
        assert!(off.abs() < 5e-4, "{off:e}");
    }
    assert!(run.touches() > 500, "{}", run.touches());
}

/// *Bouncing*: from 5 m, ε²ᵏ of the height after the k-th bounce. A contact lasts π√(m/k) = 10⁻³ s, in which gravity
/// takes g t of the speed, and which delays all that follows.
#[test]
fn falling_balls_are_thrown_back_to_their_heights() {
    for restitution in [0.4, 0.8, 1.0_f64] {
        let mut world = floor::<Space3>(rubbing(restitution, 0.0), DVec3::Z);
        let ball = Body::ball(0.5, 1.0, DVec3::Z * 5.5, DVec3::ZERO).unwrap();
        let id = world.add(ball).unwrap();
        let mut run = started(world, 1e7);
        let lasts = std::f64::consts::PI / 1e7_f64.sqrt();
        let (mut time, mut speed) = ((10.0 / G).sqrt(), (10.0 * G).sqrt());
        for bounce in 1..=3 {
            speed *= restitution;
            // At the top of the hop the height is what it is for a while.
            run.run_to(time + speed / G).unwrap();
            let height = run.state(id).position.z - 0.5;
            let truth = 0.5 * speed * speed / G;
            let within = speed * 4.0 * lasts * f64::from(bounce);
            assert!(
                (height - truth).abs() < within,
                "{restitution}, {bounce}: {height} {truth}"
            );
            time += 2.0 * speed / G;
        }
    }
}
