//! What happens at contacts: laws, resistance, durations, rest.

use super::scenery::{bounce, elastic};
use super::{Case, Feature, NONE, Outcome, found, run_to};
use carom::material::{Constants, Law, RestitutionCurve};
use carom::prelude::*;

const NO_LAW: &str =
    "Physics: β ties rebound and rotation together in an impulse; springs and dampers do not.";
const NO_DURATION: &str =
    "Physics: by forces contacts have a duration of their own, that of their springs.";
const NO_CONTACT_TIME: &str =
    "Physics: by forces there is no collapse for it to prevent, and it has no effect.";
const SPRINGS: &str = "Physics: springs belong to the method of forces.";

pub fn features() -> Vec<Feature> {
    let row = |name, number, scene, refused| Feature {
        name,
        number,
        scene,
        refused,
    };
    let by_forces = |reason| ["", reason, "", reason];
    let first: super::Scene = coulomb;
    vec![
        row("law: Coulomb", "ε of a head-on impact", first, NONE),
        row("law: Newton", "ε of a head-on impact", newton, NONE),
        row("law: the course's", "ε of a head-on impact", course, NONE),
        row("law: β", "β of a head-on impact", beta, by_forces(NO_LAW)),
        row("restitution by speed", "ε(v)", by_speed, NONE),
        row("ε = 0", "rest after an impact", plastic, NONE),
        row(
            "friction: a slope that holds",
            "where it stays",
            slope,
            NONE,
        ),
        row("rolling resistance", "v − μ_r g t", rolling, NONE),
        row(
            "spinning resistance (3-D)",
            "ω − μ_p r m g t/I",
            spinning,
            NONE,
        ),
        row(
            "contact duration",
            "it leaves after τ",
            duration,
            by_forces(NO_DURATION),
        ),
        row(
            "contact time (TC)",
            "the second bounce takes nothing",
            contact_time,
            by_forces(NO_CONTACT_TIME),
        ),
        row("rest", "the force of the floor is m g", rest, NONE),
        row(
            "Hertz's springs",
            "depth under its weight",
            hertz,
            [SPRINGS, "", SPRINGS, ""],
        ),
    ]
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// A floor of a material, with springs of 1e6 N/m a side.
fn floor(material: Material) -> Result<World2, String> {
    let mut world = World2::new();
    let id = world.materials.add("default", material).map_err(text)?;
    (world.materials)
        .set_constants(id, Constants::linear(1e6))
        .map_err(text)?;
    world
        .add(Body::fixed(Shape::floor()).named("floor"))
        .map_err(text)?;
    Ok(world)
}

/// How fast a body leaves the floor that comes down at 1 m/s.
fn rebound(case: Case, world: World2) -> Result<f64, String> {
    rebound_of(case, world, case.body(DVec2::new(0.0, 0.2), -DVec2::Y))
}

fn rebound_of(case: Case, world: World2, body: Body<Space2>) -> Result<f64, String> {
    let mut world = world;
    let id = world.add(body).map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    run_to(&mut run, 0.3)?;
    Ok(run.state(id).velocity.y)
}

fn of_law(case: Case, law: Law) -> Outcome {
    let material = Material {
        restitution: 0.6,
        law,
        ..Material::default()
    };
    found(rebound(case, floor(material)?)?, 0.6, 10.0 * bounce(case))
}

fn coulomb(case: Case) -> Outcome {
    of_law(case, Law::Coulomb)
}

fn newton(case: Case) -> Outcome {
    of_law(case, Law::Newton)
}

fn course(case: Case) -> Outcome {
    of_law(case, Law::Course)
}

fn beta(case: Case) -> Outcome {
    of_law(case, Law::Beta)
}

fn by_speed(case: Case) -> Outcome {
    let mut world = floor(Material::default())?;
    let id = world.materials.find("default").ok_or("no material")?;
    let curve = RestitutionCurve::viscoelastic(0.7, 1.0).map_err(text)?;
    world
        .materials
        .set_restitution_curve(id, curve)
        .map_err(text)?;
    if case.forces {
        let springs = Constants::hertz(1e9, 0.25);
        world.materials.set_constants(id, springs).map_err(text)?;
    }
    let expected = world.materials.restitution_at(id, id, 1.0);
    let body = round(case, DVec2::new(0.0, 0.2), -DVec2::Y)?;
    found(
        rebound_of(case, world, body)?,
        expected,
        if case.forces { 2e-2 } else { 1e-11 },
    )
}

/// For Hertz's law, which two flat faces have no radius for: the ball, or a capsule of its radius that lies.
fn round(case: Case, place: DVec2, velocity: DVec2) -> Result<Body<Space2>, String> {
    if !case.rigid {
        return Ok(case.body(place, velocity));
    }
    let ends = [-0.15, 0.15].map(|x| DVec2::new(x, 0.0));
    let shape = Shape::capsule(ends[0], ends[1], 0.1).map_err(text)?;
    let body = Body::free(shape).mass(1.0).at(place).velocity(velocity);
    body.build().map_err(text)
}

fn plastic(case: Case) -> Outcome {
    let material = Material {
        restitution: 0.0,
        ..Material::default()
    };
    // One more than the speed with which it leaves.
    let world = floor(material)?;
    found(
        1.0 + rebound(case, world)?,
        1.0,
        if case.forces { 1e-2 } else { 1e-11 },
    )
}

fn slope(case: Case) -> Outcome {
    let rough = Material {
        restitution: 0.0,
        static_friction: 0.6,
        kinetic_friction: 0.5,
        ..Material::default()
    };
    let mut world = floor(Material {
        restitution: 0.1,
        ..rough
    })?;
    // Gravity leans by 0.3 of itself; a ball would roll, and is kept from turning by its inertia.
    world.set_gravity(DVec2::new(3.0, -10.0)).map_err(text)?;
    let mut body = case.body(DVec2::new(0.0, 0.1), DVec2::ZERO);
    if let carom::body::Kind::Free(free) = &mut body.kind
        && !case.rigid
    {
        free.inertia = f64::INFINITY;
    }
    let id = world.add(body).map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    run_to(&mut run, 0.5)?;
    // One more than how far it has come: its springs lean by μm.
    found(1.0 + run.state(id).position.x, 1.0, 1e-4)
}

/// A ball, or a cylinder that lies, on a floor in 3-D.
fn roller(case: Case, material: Material) -> Result<(World3, BodyId), String> {
    let mut world = elastic::<Space3>();
    let stuff = world.materials.add("felt", material).map_err(text)?;
    (world.materials)
        .set_constants(stuff, Constants::linear(1e6))
        .map_err(text)?;
    world
        .set_gravity(DVec3::new(0.0, 0.0, -9.81))
        .map_err(text)?;
    world
        .add(Body::fixed(Shape::floor()).material(stuff))
        .map_err(text)?;
    let shape = if case.rigid {
        Shape::cylinder(DVec3::Y, 0.2, 0.1).map_err(text)?
    } else {
        Shape::ball(0.1).map_err(text)?
    };
    let body = Body::free(shape)
        .mass(1.0)
        .at(DVec3::new(0.0, 0.0, 0.1))
        .material(stuff);
    let body = body
        .velocity(DVec3::X)
        .angular_velocity(DVec3::new(0.0, 10.0, 0.0));
    let id = world.add(body).map_err(text)?;
    Ok((world, id))
}

fn rolling(case: Case) -> Outcome {
    let felt = Material {
        restitution: 0.2,
        static_friction: 0.8,
        kinetic_friction: 0.8,
        rolling_resistance: 0.02,
        ..Material::default()
    };
    let (world, id) = roller(case, felt)?;
    let mut run = case.start_by(world, 2e-5)?;
    run_to(&mut run, 1.0)?;
    // By forces it sinks in and swings at first.
    let within = if case.forces { 1e-2 } else { 4e-3 };
    found(run.state(id).velocity.x, 1.0 - 0.02 * 9.81, within)
}

fn spinning(case: Case) -> Outcome {
    let felt = Material {
        restitution: 0.2,
        spinning_resistance: 0.02,
        ..Material::default()
    };
    let mut world = elastic::<Space3>();
    let stuff = world.materials.add("felt", felt).map_err(text)?;
    (world.materials)
        .set_constants(stuff, Constants::linear(1e6))
        .map_err(text)?;
    world
        .set_gravity(DVec3::new(0.0, 0.0, -9.81))
        .map_err(text)?;
    world
        .add(Body::fixed(Shape::floor()).material(stuff))
        .map_err(text)?;
    // A rigid body that touches at one point: a capsule that stands.
    let (shape, height, inertia) = if case.rigid {
        let shape = Shape::capsule(DVec3::new(0.0, 0.0, -0.05), DVec3::new(0.0, 0.0, 0.05), 0.1);
        let (cylinder, ends) = (0.1, 4.0 / 3.0 * 0.1);
        let inertia = (0.5 * cylinder + 0.4 * ends) / (cylinder + ends) * 0.01;
        (shape.map_err(text)?, 0.15, inertia)
    } else {
        (Shape::ball(0.1).map_err(text)?, 0.1, 0.4 * 0.01)
    };
    let body = Body::free(shape)
        .mass(1.0)
        .at(DVec3::new(0.0, 0.0, height))
        .material(stuff);
    let id = world
        .add(body.angular_velocity(DVec3::new(0.0, 0.0, 10.0)))
        .map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    run_to(&mut run, 0.5)?;
    let expected = 10.0 - 0.02 * 0.1 * 9.81 * 0.5 / inertia;
    found(
        run.state(id).angular_velocity.z,
        expected,
        if case.forces { 1e-2 } else { 4e-3 },
    )
}

fn duration(case: Case) -> Outcome {
    let material = Material {
        contact_duration: 0.05,
        ..Material::default()
    };
    let mut world = floor(material)?;
    let id = world
        .add(case.body(DVec2::new(0.0, 0.2), -DVec2::Y))
        .map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    run_to(&mut run, 0.3)?;
    // Down for 0.1 s, there for 0.05 s, up for 0.15 s.
    found(run.state(id).position.y, 0.25, 1e-12)
}

fn contact_time(case: Case) -> Outcome {
    if case.forces {
        return Err("it has no effect".to_owned());
    }
    let material = Material {
        restitution: 0.5,
        ..Material::default()
    };
    let mut world = floor(material)?;
    world.set_gravity(DVec2::new(0.0, -10.0)).map_err(text)?;
    world.set_contact_time(Some(5.0)).map_err(text)?;
    let id = world
        .add(case.body(DVec2::new(0.0, 5.1), DVec2::ZERO))
        .map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    // Down at 10 m/s after 1 s, up at 5 m/s, again down after 1 s more, and up at 5 m/s: at its height after 2.5 s.
    run_to(&mut run, 2.5)?;
    found(run.state(id).position.y, 0.1 + 1.25, 1e-9)
}

fn rest(case: Case) -> Outcome {
    let material = Material {
        restitution: 0.3,
        static_friction: 0.3,
        kinetic_friction: 0.3,
        ..Material::default()
    };
    let mut world = floor(material)?;
    world.set_gravity(DVec2::new(0.0, -9.81)).map_err(text)?;
    let id = world
        .add(case.body(DVec2::new(0.0, 0.3), DVec2::ZERO))
        .map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    run_to(&mut run, 1.5)?;
    if case.forces {
        // Two springs of 1e6 N/m in series, pressed by its weight.
        let depth = 0.1 - run.state(id).position.y;
        return found(depth * 5e5, 9.81, 1e-3);
    }
    let audit = run.audit();
    // What the floor gave in all that time.
    found(audit.momentum_from_fixtures.y, 1.5 * 9.81, 1e-10)
}

fn hertz(case: Case) -> Outcome {
    if !case.forces {
        return Err("springs".to_owned());
    }
    let mut world = World2::new();
    let material = Material {
        restitution: 0.3,
        ..Material::default()
    };
    let id = world.materials.add("default", material).map_err(text)?;
    (world.materials)
        .set_constants(id, Constants::hertz(1e8, 0.25))
        .map_err(text)?;
    world.set_gravity(DVec2::new(0.0, -9.81)).map_err(text)?;
    world.add(Body::fixed(Shape::floor())).map_err(text)?;
    let id = world
        .add(round(case, DVec2::new(0.0, 0.1), DVec2::ZERO)?)
        .map_err(text)?;
    let mut run = case.start_by(world, 2e-5)?;
    run_to(&mut run, 1.0)?;
    // k = 4/3 E* √r with 1/E* = 2 (1 − ν²)/E.
    let stiffness = 4.0 / 3.0 * (1e8 / (2.0 * (1.0 - 0.0625))) * 0.1_f64.sqrt();
    let depth = 0.1 - run.state(id).position.y;
    found(stiffness * depth * depth.sqrt(), 9.81, 1e-3)
}
