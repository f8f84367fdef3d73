//! Runs by forces: the general loop with everything there is, the crowd, and solids that turn.

use super::{every_way, wall};
use carom::material::{Constants, RestitutionCurve};
use carom::motion::{Drag, Field, Fields};
use carom::prelude::*;
use carom::simulate::Stepped;
use carom::simulate::{Compiled, ForceEngine, Scheme};
use carom::space::Space;

scenes! {
    forces_general => forces(&busy(), &Forces::default(), ForceEngine::General, 0.5),
    forces_general_cut_off_by_verlet => forces(
        &busy(),
        &Forces::default().by(Scheme::Verlet).cut_off(),
        ForceEngine::General,
        0.5,
    ),
    forces_viscoelastic => forces(&viscoelastic(), &Forces::default(), ForceEngine::General, 0.5),
    forces_crowd => forces(&spheres(), &Forces::stepping(2e-6).by(Scheme::Verlet), ForceEngine::Granular, 4e-3),
    forces_solids_flat => solids(&blocks2(), &Forces::default(), 0.6),
    forces_solids => solids(&blocks3(), &Forces::default().by(Scheme::Verlet), 0.4),
}

fn forces<S: Compiled>(world: &World<S>, forces: &Forces, runner: ForceEngine, until: f64) -> u64 {
    let start = || {
        let run = Stepped::new(world.clone(), &forces.run_by(runner)).unwrap();
        assert_eq!(run.engine(), runner);
        run
    };
    every_way(start, until, 15, &[7])
}

fn solids<S: Compiled>(world: &World<S>, forces: &Forces, until: f64) -> u64 {
    let start = || Stepped::new(world.clone(), forces).unwrap();
    every_way(start, until, 5, &[7])
}

fn stuff<S: Compiled>(constants: Constants, rolling: f64) -> World<S> {
    let mut world = World::new();
    let material = Material {
        restitution: 0.7,
        static_friction: 0.4,
        kinetic_friction: 0.3,
        rolling_resistance: rolling,
        spinning_resistance: 0.5 * rolling,
        ..Material::default()
    };
    let stuff = world.materials.add("default", material).unwrap();
    world.materials.set_constants(stuff, constants).unwrap();
    world
}

/// The busy balls as viscoelastic spheres.
fn viscoelastic() -> World3 {
    let mut world = busy();
    let id = world.materials.find("default").unwrap();
    let law = RestitutionCurve::viscoelastic(0.7, 1.0).unwrap();
    world.materials.set_restitution_curve(id, law).unwrap();
    let young = Constants::hertz(1e6, 0.3);
    world.materials.set_constants(id, young).unwrap();
    world
}

/// Balls that bounce, rub and roll on a floor that shakes, with drag and a sensor; periodic along x.
fn busy() -> World3 {
    let mut world = stuff::<Space3>(Constants::lasting(5e-3), 0.01);
    world.set_periodic([Some(1.0), None, None]).unwrap();
    let drag = Drag::Given {
        linear: 0.01,
        quadratic: 0.01,
    };
    let fields = Fields::uniform(DVec3::new(0.3, 0.0, -9.81)).with(Field::Drag(drag));
    world.set_fields(fields).unwrap();
    let shaken = Drive::Oscillation {
        amplitude: DVec3::new(0.0, 0.0, 0.005),
        frequency: 20.0,
        phase: 0.0,
    };
    let floor = Shape::half_space(DVec3::Z).unwrap();
    world.add(Body::kinematic(floor, shaken)).unwrap();
    for (y, side) in [(0.0, 1.0), (0.6, -1.0)] {
        world.add(wall([0.0, y, 0.0], [0.0, side, 0.0])).unwrap();
    }
    let gate = Shape::block(DVec3::new(0.1, 0.3, 0.5)).unwrap();
    let pose = Pose::at(DVec3::new(0.5, 0.3, 0.5));
    world.add(Body::fixed(gate).pose(pose).sensing()).unwrap();
    for index in 0..8 {
        let (row, column) = (f64::from(index / 2), f64::from(index % 2));
        let place = DVec3::new(0.12 + 0.23 * row, 0.17 + 0.22 * column, 0.15 + 0.02 * row);
        let velocity = DVec3::new(0.4 - 0.2 * row, 0.3 * column - 0.1, 0.1 * row);
        let ball = Body::ball(0.08 + 0.005 * column, 0.3, place, velocity).unwrap();
        world.add(ball).unwrap();
    }
    world
}

/// Two sizes, thrown into a box.
fn spheres() -> World3 {
    let mut world = stuff::<Space3>(Constants::linear(2000.0), 0.02);
    world.set_gravity(DVec3::new(0.0, 0.0, -9.81)).unwrap();
    world.add(wall([0.0; 3], [0.0, 0.0, 1.0])).unwrap();
    for axis in [DVec3::X, DVec3::Y] {
        for (side, place) in [(1.0, 0.0), (-1.0, 9e-3)] {
            let normal = (axis * side).to_array();
            world.add(wall((axis * place).to_array(), normal)).unwrap();
        }
    }
    for index in 0..64_u32 {
        let [x, y, z] = [index % 4, index / 4 % 4, index / 16].map(f64::from);
        let radius = if index % 3 == 0 { 0.9e-3 } else { 1.05e-3 };
        let place = DVec3::new(x, y, z) * 2.2e-3 + 1.15e-3;
        let velocity = DVec3::new(0.1 * (y - 1.5), 0.07 * (z - x), -0.3 + 0.05 * x);
        let mass = 1e4 * radius * radius * radius;
        world
            .add(Body::ball(radius, mass, place, velocity).unwrap())
            .unwrap();
    }
    world
}

fn blocks2() -> World2 {
    let mut world = stuff::<Space2>(Constants::linear(2e5), 0.0);
    world.set_gravity(DVec2::new(0.0, -9.81)).unwrap();
    world.add(wall([0.0; 3], [0.0, 1.0, 0.0])).unwrap();
    for index in 0..3 {
        let along = f64::from(index);
        let shape = Shape::block(DVec2::new(0.2, 0.1)).unwrap();
        let pose = Pose {
            position: DVec2::new(0.1 * along, 0.3 + 0.35 * along),
            rotation: Turn::by(0.2 + 0.4 * along),
        };
        let body = Body::solid(shape, 1.0, pose, DVec2::ZERO, along).unwrap();
        world.add(body).unwrap();
    }
    world
}

fn blocks3() -> World3 {
    let mut world = stuff::<Space3>(Constants::linear(2e5), 0.0);
    world.set_gravity(DVec3::new(0.0, 0.0, -9.81)).unwrap();
    world.add(wall([0.0; 3], [0.0, 0.0, 1.0])).unwrap();
    for index in 0..2 {
        let along = f64::from(index);
        let shape = Shape::block(DVec3::new(0.2, 0.15, 0.1)).unwrap();
        let pose = Pose {
            position: DVec3::new(0.05 * along, 0.0, 0.3 + 0.45 * along),
            rotation: Space3::rotation_of(DVec3::new(0.6, 0.0, 0.8), 0.4 + along),
        };
        let angular_velocity = DVec3::new(1.0, along, -1.0);
        let body = Body::solid(shape, 1.0, pose, DVec3::ZERO, angular_velocity).unwrap();
        world.add(body).unwrap();
    }
    let ball = Body::ball(
        0.1,
        0.5,
        DVec3::new(0.6, 0.0, 0.11),
        DVec3::new(-2.0, 0.0, 0.0),
    );
    world.add(ball.unwrap()).unwrap();
    world
}
