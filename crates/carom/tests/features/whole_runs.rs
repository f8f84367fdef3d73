//! What concerns whole runs: groups, sensors, joints, changes, directors, snapshots.

use super::scenery::elastic;
use super::{Case, Feature, NONE, Outcome, found, run_to};
use carom::joint::{Anchor, Joint};
use carom::motion::Integrator;
use carom::prelude::*;
use carom::simulate::State;
use carom::simulate::{Action, Trigger};

const EULER: &str = "Physics: forces have schemes of their own, among them explicit Euler.";
const EULER_RIGID: &str = "Not built: explicit Euler, which is there for comparison, moves balls alone; rigid bodies beside them fly as ever.";

pub fn features() -> Vec<Feature> {
    let row = |name, number, scene, refused| Feature {
        name,
        number,
        scene,
        refused,
    };
    let first: super::Scene = groups;
    vec![
        row("collision groups", "passes at its speed", first, NONE),
        row("sensor", "one entry", sensor, NONE),
        row("joint: a rod", "the length of a pendulum", rod, NONE),
        row("joint: a hinge", "the length of its arm", hinge, NONE),
        row("joint: a spring", "a weight hangs by m g/k", spring, NONE),
        row("changes in a run", "where a throw leads", edit, NONE),
        row(
            "bodies that come and go",
            "speed of the one that came",
            insert,
            NONE,
        ),
        row("fields set in a run", "v = a t", set_fields, NONE),
        row("directors: at times", "v = g (t − 0.25)", at_times, NONE),
        row("directors: at events", "one hit", at_events, NONE),
        row("snapshots", "the same state", snapshot, NONE),
        row(
            "flights by explicit Euler",
            "x of straight steps",
            euler,
            ["", EULER, EULER_RIGID, EULER],
        ),
    ]
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn groups(case: Case) -> Outcome {
    let mut world = elastic::<Space2>();
    let mut wall = Body::fixed(Shape::block(DVec2::new(0.2, 1.0)).map_err(text)?);
    wall = wall.at(DVec2::new(1.0, 0.0)).in_groups(2, 2);
    world.add(wall).map_err(text)?;
    let body = case.body(DVec2::ZERO, DVec2::X).in_groups(1, 1);
    let id = world.add(body).map_err(text)?;
    let mut run = case.start_by(world, 1e-3)?;
    run_to(&mut run, 2.0)?;
    found(run.state(id).position.x, 2.0, 1e-12)
}

fn sensor(case: Case) -> Outcome {
    let mut world = elastic::<Space2>();
    let gate = Shape::block(DVec2::new(0.2, 1.0)).map_err(text)?;
    let gate = Body::fixed(gate).at(DVec2::new(1.0, 0.0)).sensing();
    let gate = world.add(gate).map_err(text)?;
    world.add(case.body(DVec2::ZERO, DVec2::X)).map_err(text)?;
    let mut run = case.start_by(world, 1e-3)?;
    run.on(Trigger::entered(gate), Action::score("entries", 1))
        .map_err(text)?;
    run_to(&mut run, 3.0)?;
    found(run.score("entries") as f64, 1.0, 0.0)
}

fn hung(
    case: Case,
    joint: impl Fn(BodyId) -> Joint<Space2>,
    place: DVec2,
) -> Result<State<Space2>, String> {
    let mut world = elastic::<Space2>();
    world.set_gravity(DVec2::new(0.0, -9.81)).map_err(text)?;
    let id = world.add(case.body(place, DVec2::ZERO)).map_err(text)?;
    world.add_joint(joint(id)).map_err(text)?;
    let mut run = case.start_by(world, 1e-3)?;
    run_to(&mut run, 0.7)?;
    Ok(run.state(id))
}

fn rod(case: Case) -> Outcome {
    let state = hung(
        case,
        |id| Joint::distance(id, Anchor::world(DVec2::ZERO)),
        DVec2::new(1.0, 0.0),
    )?;
    found(state.position.length(), 1.0, 1e-9)
}

fn hinge(case: Case) -> Outcome {
    let arm = DVec2::new(-1.0, 0.0);
    let state = hung(
        case,
        |id| Joint::hinge(Anchor::at(id, arm), Anchor::world(DVec2::ZERO)),
        DVec2::new(1.0, 0.0),
    )?;
    found(state.position.length(), 1.0, 1e-9)
}

fn spring(case: Case) -> Outcome {
    let place = DVec2::new(0.0, -1.0 - 9.81 / 50.0);
    let joint = |id| Joint::spring(id, Anchor::world(DVec2::ZERO), 50.0).length(1.0);
    let state = hung(case, joint, place)?;
    found(state.position.y, place.y, 1e-9)
}

fn edit(case: Case) -> Outcome {
    let mut world = elastic::<Space2>();
    world.set_gravity(DVec2::new(0.0, -9.81)).map_err(text)?;
    let id = world
        .add(case.body(DVec2::ZERO, DVec2::ZERO))
        .map_err(text)?;
    let mut run = case.start_by(world, 1e-3)?;
    run_to(&mut run, 0.5)?;
    run.set_position(id, DVec2::ZERO).map_err(text)?;
    run.set_velocity(id, DVec2::new(2.0, 3.0), 0.0)
        .map_err(text)?;
    run_to(&mut run, 1.0)?;
    found(run.state(id).position.y, 1.5 - 0.5 * 9.81 * 0.25, 1e-9)
}

fn insert(case: Case) -> Outcome {
    let mut world = elastic::<Space2>();
    let old = world
        .add(case.body(DVec2::ZERO, DVec2::ZERO))
        .map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    run_to(&mut run, 0.1)?;
    let new = run
        .insert(case.body(DVec2::new(-1.0, 0.0), DVec2::X))
        .map_err(text)?;
    run.remove(old).map_err(text)?;
    run_to(&mut run, 2.1)?;
    found(run.state(new).position.x, 1.0, 1e-9)
}

fn set_fields(case: Case) -> Outcome {
    let mut world = elastic::<Space2>();
    let id = world
        .add(case.body(DVec2::ZERO, DVec2::ZERO))
        .map_err(text)?;
    let mut run = case.start_by(world, 1e-3)?;
    run_to(&mut run, 0.5)?;
    let field = carom::motion::Field::Uniform(DVec2::new(2.0, 0.0));
    run.set_fields(carom::motion::Fields::default().with(field))
        .map_err(text)?;
    run_to(&mut run, 1.0)?;
    found(run.state(id).velocity.x, 1.0, 1e-9)
}

fn at_times(case: Case) -> Outcome {
    let mut world = elastic::<Space2>();
    let id = world
        .add(case.body(DVec2::ZERO, DVec2::ZERO))
        .map_err(text)?;
    let mut run = case.start_by(world, 1e-3)?;
    run.at(0.25, Action::Gravity(DVec2::new(0.0, -8.0)))
        .map_err(text)?;
    run_to(&mut run, 0.75)?;
    found(run.state(id).velocity.y, -4.0, 1e-9)
}

fn at_events(case: Case) -> Outcome {
    let mut world = elastic::<Space2>();
    let wall = Body::fixed(Shape::half_space(-DVec2::X).map_err(text)?).at(DVec2::X);
    let wall = world.add(wall).map_err(text)?;
    world.add(case.body(DVec2::ZERO, DVec2::X)).map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    run.on(Trigger::hit(wall), Action::score("hits", 1))
        .map_err(text)?;
    run_to(&mut run, 2.0)?;
    found(run.score("hits") as f64, 1.0, 0.0)
}

fn snapshot(case: Case) -> Outcome {
    let mut world = elastic::<Space2>();
    world.set_gravity(DVec2::new(0.0, -9.81)).map_err(text)?;
    world.add(Body::fixed(Shape::floor())).map_err(text)?;
    let id = world
        .add(case.body(DVec2::new(0.0, 0.5), DVec2::X))
        .map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    run_to(&mut run, 0.3)?;
    let mut restored = Simulation::<Space2>::restore(&run.snapshot()).map_err(text)?;
    run_to(&mut run, 0.6)?;
    run_to(&mut restored, 0.6)?;
    if run.state(id) != restored.state(id) {
        return Err("another state".to_owned());
    }
    found(restored.state(id).position.x, run.state(id).position.x, 0.0)
}

fn euler(case: Case) -> Outcome {
    if case.forces || case.rigid {
        return Err("it has no effect".to_owned());
    }
    let mut world = elastic::<Space2>();
    world.set_gravity(DVec2::new(0.0, -8.0)).map_err(text)?;
    world
        .set_integrator(Integrator::ExplicitEuler { step: 0.125 })
        .map_err(text)?;
    let id = world
        .add(case.body(DVec2::ZERO, DVec2::ZERO))
        .map_err(text)?;
    let mut run = case.start(world)?;
    run_to(&mut run, 1.0)?;
    // Eight steps: −g h² (0 + 1 + … + 7).
    found(run.state(id).position.y, -8.0 * 28.0 / 64.0, 1e-12)
}
