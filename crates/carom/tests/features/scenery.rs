//! What bodies meet: containers, fixtures of every kind and motion, periodic boxes.

use super::{Case, Feature, NONE, Outcome, found, run_to};
use carom::container::{Container, Side};
use carom::material::Constants;
use carom::prelude::*;
use carom::shape::{Convex, Mesh};
use carom::simulate::State;

pub fn features() -> Vec<Feature> {
    let row = |name, number, scene, refused| Feature {
        name,
        number,
        scene,
        refused,
    };
    let first: super::Scene = room;
    vec![
        row(
            "container of flat walls",
            "speed after a bounce, ε = 1",
            first,
            NONE,
        ),
        row(
            "round container",
            "speed after a bounce, ε = 1",
            round,
            NONE,
        ),
        row(
            "tube without end (3-D)",
            "speed after a bounce, ε = 1",
            tube,
            NONE,
        ),
        row("arc (2-D)", "speed after a bounce, ε = 1", arc, NONE),
        row(
            "thin wall without end",
            "speed after a bounce, ε = 1",
            thin,
            NONE,
        ),
        row(
            "triangle mesh (3-D)",
            "speed after a bounce, ε = 1",
            mesh,
            NONE,
        ),
        row(
            "fixture made of parts",
            "speed after a bounce, ε = 1",
            parts,
            NONE,
        ),
        row("kinematic: constant velocity", "2 V", uniform, NONE),
        row(
            "kinematic: rotation",
            "energy gained = work",
            rotation,
            NONE,
        ),
        row("kinematic: oscillation", "2 A ω cos ω t", oscillation, NONE),
        row("kinematic: path", "2 V", path, NONE),
        row("kinematic: swing", "energy gained = work", swing, NONE),
        row(
            "kinematic: a wall without end turns",
            "energy gained = work",
            turning_wall,
            NONE,
        ),
        row("periodic box", "where it comes in again", periodic, NONE),
    ]
}

/// By forces a rebound is as good as the springs are stiff.
pub fn bounce(case: Case) -> f64 {
    if case.forces { 1e-4 } else { 1e-11 }
}

/// Elastic, with springs of 1e6 N/m a side.
pub fn elastic<S: carom::shape::Shaped>() -> World<S> {
    let mut world = World::new();
    let id = world
        .materials
        .add("default", Material::default())
        .expect("allowed");
    (world.materials)
        .set_constants(id, Constants::linear(1e6))
        .expect("allowed");
    world
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// A body that goes from the origin at 1 m/s along x, until it has come back.
fn bounced(case: Case, mut world: World2) -> Outcome {
    let id = world.add(case.body(DVec2::ZERO, DVec2::X)).map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    run_to(&mut run, 1.5)?;
    found(run.state(id).velocity.x, -1.0, bounce(case))
}

fn room(case: Case) -> Outcome {
    let mut world = elastic();
    let room = Container::rectangle("room", Side::Inside, DVec2::splat(-1.0), DVec2::splat(1.0));
    world.add_container(room.map_err(text)?).map_err(text)?;
    bounced(case, world)
}

fn round(case: Case) -> Outcome {
    let mut world = elastic();
    let room = Container::circle("room", Side::Inside, DVec2::ZERO, 1.0);
    world.add_container(room.map_err(text)?).map_err(text)?;
    bounced(case, world)
}

fn arc(case: Case) -> Outcome {
    let mut world = elastic();
    let arc = Shape::arc(DVec2::ZERO, 1.0, -0.5, 1.0).map_err(text)?;
    world.add(Body::fixed(arc)).map_err(text)?;
    bounced(case, world)
}

fn thin(case: Case) -> Outcome {
    let mut world = elastic();
    let wall = Shape::thin_wall(-DVec2::X).map_err(text)?;
    world
        .add(Body::fixed(wall).at(DVec2::new(1.0, 0.0)))
        .map_err(text)?;
    bounced(case, world)
}

fn parts(case: Case) -> Outcome {
    let mut world = elastic();
    let part = |y: f64| {
        let block = Convex::<Space2>::block(DVec2::new(0.1, 0.5)).expect("positive");
        block.placed(&Pose::at(DVec2::new(1.1, y)))
    };
    let wall = Shape::compound(vec![part(0.6), part(-0.6)]).map_err(text)?;
    world.add(Body::fixed(wall)).map_err(text)?;
    let id = world
        .add(case.body(DVec2::new(0.0, 0.6), DVec2::X))
        .map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    run_to(&mut run, 1.5)?;
    found(run.state(id).velocity.x, -1.0, bounce(case))
}

fn body3(case: Case, place: DVec3, velocity: DVec3) -> Body<Space3> {
    let shape = if case.rigid {
        Shape::block(DVec3::splat(0.1))
    } else {
        Shape::ball(0.1)
    };
    let body = Body::free(shape.expect("positive")).mass(1.0);
    body.at(place).velocity(velocity).build().expect("allowed")
}

fn tube(case: Case) -> Outcome {
    let mut world = elastic();
    let tube = Shape::tube(DVec3::Z, 1.0).map_err(text)?;
    world.add(Body::fixed(tube)).map_err(text)?;
    let id = world
        .add(body3(case, DVec3::ZERO, DVec3::X))
        .map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    run_to(&mut run, 1.5)?;
    found(run.state(id).velocity.x, -1.0, bounce(case))
}

fn mesh(case: Case) -> Outcome {
    let mut world = elastic();
    let corners = vec![
        DVec3::new(1.0, -3.0, -3.0),
        DVec3::new(1.0, 5.0, -3.0),
        DVec3::new(1.0, -3.0, 5.0),
    ];
    let mesh = Mesh::new(corners, vec![[0, 1, 2]]).map_err(text)?;
    let wall = Shape::mesh(&mesh).map_err(text)?;
    world.add(Body::fixed(wall)).map_err(text)?;
    let id = world
        .add(body3(case, DVec3::ZERO, DVec3::X))
        .map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    run_to(&mut run, 1.5)?;
    found(run.state(id).velocity.x, -1.0, bounce(case))
}

/// A block that moves as prescribed, with its face 0.2 m below a body at rest.
fn pushed(case: Case, drive: Drive<Space2>, until: f64) -> Result<(State<Space2>, f64), String> {
    let mut world = elastic();
    let block = Shape::block(DVec2::new(1.0, 0.1)).map_err(text)?;
    world
        .add(Body::kinematic(block, drive).at(DVec2::new(0.0, -0.4)))
        .map_err(text)?;
    let id = world
        .add(case.body(DVec2::ZERO, DVec2::ZERO))
        .map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    run_to(&mut run, until)?;
    Ok((run.state(id), run.audit().work_by_kinematic))
}

fn uniform(case: Case) -> Outcome {
    let velocity = DVec2::Y;
    let (state, _) = pushed(case, Drive::Uniform { velocity }, 0.4)?;
    found(state.velocity.y, 2.0, bounce(case))
}

fn path(case: Case) -> Outcome {
    let knots = vec![(0.1, DVec2::ZERO), (0.5, DVec2::new(0.0, 0.4))];
    let (state, _) = pushed(case, Drive::Path { knots }, 0.5)?;
    found(state.velocity.y, 2.0, bounce(case))
}

fn oscillation(case: Case) -> Outcome {
    let drive = Drive::Oscillation {
        amplitude: DVec2::new(0.0, 0.3),
        frequency: 1.0,
        phase: 0.0,
    };
    let (state, _) = pushed(case, drive, 0.2)?;
    let rate = std::f64::consts::TAU;
    let expected = 2.0 * 0.3 * rate * (0.2_f64 / 0.3).asin().cos();
    // While the springs are pressed, for 4 ms, the plate slows down: by 1 % on the way in and out.
    let within = if case.forces { 2e-2 } else { 1e-11 };
    found(state.velocity.y, expected, within)
}

/// The energy that a body at rest has got from what turned, over the work of that.
fn gained(case: Case, (state, work): (State<Space2>, f64)) -> Outcome {
    let spin = state.angular_velocity;
    let energy = 0.5 * (state.velocity.length_squared() + case.inertia() * spin * spin);
    if energy < 0.1 {
        return Err("it was not struck".to_owned());
    }
    found(energy, work, if case.forces { 1e-4 } else { 1e-10 })
}

fn rotation(case: Case) -> Outcome {
    let drive = Drive::Rotation {
        pivot: DVec2::new(-1.0, -0.4),
        angular_velocity: 2.0,
    };
    gained(case, pushed(case, drive, 0.3)?)
}

fn swing(case: Case) -> Outcome {
    let drive = Drive::Swing {
        pivot: DVec2::new(-1.0, -0.4),
        axis: 1.0,
        knots: vec![(0.1, 0.0), (0.4, 0.6)],
    };
    gained(case, pushed(case, drive, 0.4)?)
}

fn turning_wall(case: Case) -> Outcome {
    let mut world = elastic();
    let wall = Shape::half_space(DVec2::Y).map_err(text)?;
    let drive = Drive::Rotation {
        pivot: DVec2::new(-1.0, -0.3),
        angular_velocity: 2.0,
    };
    world
        .add(Body::kinematic(wall, drive).at(DVec2::new(0.0, -0.3)))
        .map_err(text)?;
    let id = world
        .add(case.body(DVec2::ZERO, DVec2::ZERO))
        .map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    run_to(&mut run, 0.15)?;
    gained(case, (run.state(id), run.audit().work_by_kinematic))
}

fn periodic(case: Case) -> Outcome {
    let mut world = World2::new();
    world.set_periodic([Some(2.0), None, None]).map_err(text)?;
    let id = world
        .add(case.body(DVec2::new(1.5, 0.0), DVec2::X))
        .map_err(text)?;
    let mut run = case.start_by(world, 1e-3)?;
    run_to(&mut run, 0.75)?;
    found(run.state(id).position.x, 0.25, 1e-12)
}
