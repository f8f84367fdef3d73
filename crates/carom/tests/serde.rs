//! What is stored comes back to the bit, and what is read is checked as by the constructors.

use carom::audit::Audit;
use carom::body::{CollisionFilter, Kind};
use carom::container::{Container2, Side};
use carom::material::{Constants, Law, Materials, PairOverride};
use carom::motion::{
    Drag, Field, Fields, ForceFunction, Integrator, Load, Region, Tolerance, Wind,
};
use carom::prelude::*;
use carom::record::Collision;
use carom::shape::{Compound, Convex, Mesh};
use carom::simulate::{Settling, State};
use serde_json::{Value, from_value, json, to_value};
use std::f64::consts::PI;
use std::fmt::Debug;
use std::ops::ControlFlow;

/// Through text, so that digits count.
fn back<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn same<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + Debug>(value: T) {
    assert_eq!(back(&value), value);
}

fn refused<T: serde::de::DeserializeOwned + Debug>(value: Value, says: &str) {
    let error = from_value::<T>(value).unwrap_err().to_string();
    assert!(error.contains(says), "{error}");
}

fn plane_shapes() -> Result<Vec<Shape<Space2>>, SimulationError> {
    Ok(vec![
        Shape::ball(0.1)?,
        Shape::block(DVec2::new(0.3, 0.7))?,
        Shape::half_space(DVec2::new(1.0, 3.0))?,
        Shape::thin_wall(DVec2::new(-2.0, 0.3))?,
        Shape::floor(),
        Shape::hollow(7.1)?,
        Shape::segment(DVec2::new(0.1, 0.2), DVec2::new(1.1, 0.7))?,
        Shape::arc(DVec2::new(0.1, 3.3), 0.7, 0.3, 2.0)?,
        Shape::arc(DVec2::ZERO, 0.7, 0.0, std::f64::consts::TAU)?,
        Shape::capsule(DVec2::ZERO, DVec2::new(0.3, 0.1), 0.05)?,
    ])
}

fn solid_shapes() -> Result<Vec<Shape<Space3>>, SimulationError> {
    let axis = DVec3::new(1.0, 2.0, 3.0);
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|c| c * 0.7);
    Ok(vec![
        Shape::ball(0.1)?,
        Shape::block(DVec3::new(0.3, 0.7, 0.1))?,
        Shape::floor(),
        Shape::triangle(DVec3::ZERO, axis, DVec3::X)?,
        Shape::cylinder(axis, 0.3, 0.1)?,
        Shape::tube(axis, 0.9)?,
        Shape::compound(vec![
            Convex::cylinder(0.3, 0.1)?,
            Convex::half_space(axis, 0.3)?,
            Convex::ball(0.3)?,
            Convex::block(DVec3::ONE)?.placed(&Pose::at(DVec3::new(0.1, 0.2, 0.3))),
            Convex::triangle(DVec3::ZERO, DVec3::X, DVec3::Y)?,
            Convex::segment(DVec3::ZERO, DVec3::X)?,
            Convex::polyhedron(&corners)?,
        ])?,
    ])
}

#[test]
fn shapes_come_back() -> Result<(), SimulationError> {
    plane_shapes()?.into_iter().for_each(same);
    solid_shapes()?.into_iter().for_each(same);
    let mesh = Mesh::block(DVec3::ONE)?;
    assert_eq!(back(&mesh).corners(), mesh.corners());
    assert_eq!(back(&mesh).triangles(), mesh.triangles());
    let corners = [DVec2::ZERO, DVec2::new(0.3, 0.1), DVec2::new(0.2, 0.7)];
    same(Shape::polygon(&corners)?);
    Ok(())
}

fn hammer() -> Result<Compound<Space3>, SimulationError> {
    let head = Convex::<Space3>::block(DVec3::new(0.05, 0.02, 0.02))?;
    let handle = Convex::block(DVec3::new(0.01, 0.01, 0.1))?;
    let handle = handle.placed(&Pose::at(DVec3::new(0.0, 0.0, -0.12)));
    Ok(Compound::new(vec![head, handle], 7000.0)?)
}

/// Points on a sphere, so that the hull has many faces, and none along an axis.
fn pebble(number: u32) -> Result<Convex<Space3>, SimulationError> {
    let points: Vec<DVec3> = (0..number)
        .map(|k| {
            let height = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(number);
            let around = DVec2::from_angle(2.4 * f64::from(k)) * (1.0 - height * height).sqrt();
            around.extend(height) * 0.1
        })
        .collect();
    Ok(Convex::polyhedron(&points)?)
}

/// Parts that were turned and moved, whose planes, centre and inertia have been rounded on the way: all of it comes
/// back. (They were computed again from the corners, and differed in their last digits.)
#[test]
fn solids_with_a_mass_come_back() -> Result<(), SimulationError> {
    same(hammer()?);
    let turned = |angle: f64, position: DVec3| Pose::<Space3> {
        position,
        rotation: DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), angle),
    };
    for k in 0..20 {
        let k = f64::from(k);
        let far = DVec3::new(0.3 + k, -1.7 * k, 0.1);
        let pebble = pebble(30)?.placed(&turned(0.1 * k, far));
        let capsule = Convex::capsule(DVec3::ZERO, DVec3::new(0.1, 0.2, 0.0), 0.03)?;
        let capsule = capsule.placed(&turned(0.3, far + DVec3::X));
        let cylinder = Convex::cylinder(0.1, 0.03)?.placed(&turned(0.7, far + DVec3::Z));
        let block = Convex::block(DVec3::new(0.1, 0.2, 0.3))?.placed(&turned(0.2, far - DVec3::Y));
        same(Compound::with_mass(
            vec![pebble, capsule, cylinder, block],
            0.1 + k,
        )?);
        let corners = [(0.0, 0.0), (0.3, 0.1), (0.4, 0.4), (0.1, 0.5)];
        let kite = Convex::polygon(&corners.map(|(x, y)| DVec2::new(x + k, y - 0.3 * k)))?;
        let bar = Convex::<Space2>::capsule(DVec2::ZERO, DVec2::new(0.1, 0.2), 0.03)?;
        let rotation = Turn::by(0.3 * k);
        let pose = Pose::<Space2> {
            position: DVec2::new(-1.0, k),
            rotation,
        };
        same(Compound::with_mass(vec![kite, bar.placed(&pose)], 0.7)?);
    }
    let triangle = Convex::triangle(DVec3::ZERO, DVec3::X, DVec3::Y)?;
    same(Compound::fixed(vec![
        triangle.placed(&turned(0.3, DVec3::X)),
    ])?);
    Ok(())
}

/// What follows from the corners is taken only where it does.
#[test]
fn solids_whose_numbers_do_not_fit_together_are_refused() -> Result<(), SimulationError> {
    let stored = to_value(hammer()?).unwrap();
    let parts = to_value(Compound::with_mass(vec![pebble(12)?], 1.0)?).unwrap();
    let changed = |stored: &Value, pointer: &str, value: Value| {
        let mut changed = stored.clone();
        *changed.pointer_mut(pointer).expect(pointer) = value;
        changed
    };
    type Form = Compound<Space3>;
    for (pointer, value) in [
        ("/parts/0/block/faces/planes/0/offset", json!(0.06)),
        (
            "/parts/0/block/faces/planes/0/normal",
            json!([0.0, 0.0, 0.0]),
        ),
        ("/parts/0/block/faces/planes/0/around/0", json!(1)),
        ("/parts/0/block/faces/planes/0/around", json!([0, 4, 99, 2])),
        ("/parts/0/block/faces/planes", json!([])),
    ] {
        refused::<Form>(changed(&stored, pointer, value), "its faces are not");
    }
    let inner = "/parts/0/block/faces/inner";
    refused::<Form>(
        changed(&stored, inner, json!([1.0, 0.0, 0.0])),
        "its middle is not",
    );
    for (pointer, value) in [
        ("/inertia/tensor/0/0", json!(1.0)),
        ("/inertia/moments/0", json!(1.0)),
        ("/inertia/axes/0", json!([0.0, 0.0, 0.0])),
    ] {
        refused::<Form>(changed(&stored, pointer, value), "its inertia is not");
    }
    // Faces in another order are other bits of the same solid; the same ones twice are not.
    let planes = "/parts/0/hull/faces/planes";
    let mut order = parts.pointer(planes).unwrap().as_array().unwrap().clone();
    order.reverse();
    let again: Form = from_value(changed(&parts, planes, json!(order))).unwrap();
    assert_eq!(again.parts()[0].faces().count(), order.len());
    order.extend(order.clone());
    refused::<Form>(changed(&parts, planes, json!(order)), "its faces are not");
    // Written by hand, without what follows from the corners.
    let mut plain = stored.clone();
    plain.as_object_mut().unwrap().remove("inertia");
    plain["parts"][0]["block"]
        .as_object_mut()
        .unwrap()
        .remove("faces");
    let plain: Form = from_value(plain).unwrap();
    assert!((plain.mass() / hammer()?.mass() - 1.0).abs() < 1e-14);
    Ok(())
}

/// A world with rigid bodies that was stored and read runs with the bits of the one that it was made of.
#[test]
fn worlds_of_rigid_bodies_come_back_and_run_the_same() -> Result<(), SimulationError> {
    let mut world = World3::new();
    world.set_gravity(DVec3::new(0.0, 0.0, -9.81))?;
    world.add(Body::fixed(Shape::floor()))?;
    world.add(
        Body::free(Shape::Compound(Box::new(hammer()?)))
            .mass(1.3)
            .at(DVec3::new(0.1, 0.0, 0.6))
            .angular_velocity(DVec3::new(3.0, 1.0, 0.3)),
    )?;
    world.add(
        Body::free(Shape::compound(vec![pebble(20)?])?)
            .mass(0.7)
            .at(DVec3::new(0.05, 0.02, 1.1)),
    )?;
    let again = back(&world);
    assert_eq!(again.bodies(), world.bodies());
    let digest = |world: World3| {
        let mut run = Simulation::new(world)?;
        run.run_until(0.6)?;
        Ok::<_, SimulationError>((run.collisions(), run.digest()))
    };
    let known = digest(world)?;
    assert!(known.0 > 2, "{known:?}");
    assert_eq!(digest(again)?, known);
    Ok(())
}

#[test]
fn shapes_that_cannot_be_are_refused() {
    type Flat = Shape<Space2>;
    refused::<Flat>(json!({"ball": {"radius": -1.0}}), "radius is -1");
    refused::<Flat>(json!({"hollow": {"radius": 0.0}}), "radius is 0");
    refused::<Flat>(json!({"block": {"half": [1.0, -1.0]}}), "half is -1");
    let wall = json!({"half_space": {"normal": [3.0, 4.0], "two_sided": false}});
    refused::<Flat>(wall, "length one");
    let bar = json!({"own": {"segment": {"ends": [[1.0, 1.0], [1.0, 1.0]]}}});
    refused::<Flat>(bar, "two different");
    let mut arc = to_value(Shape::arc(DVec2::ZERO, 1.0, 0.0, 1.0).unwrap()).unwrap();
    arc["own"]["arc"]["cos_half"] = json!(0.1);
    refused::<Flat>(arc, "where the circle");
    let parts = json!({"compound": {"parts": [], "mass": null, "origin": [0.0, 0.0, 0.0]}});
    refused::<Flat>(parts, "no parts");
    let part = |part: Value| json!({"compound": {"parts": [part], "mass": 1.0, "origin": [0.0, 0.0, 0.0]}});
    let dent = json!({"hull": {"corners": [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 2.0, 0.0]]}});
    refused::<Flat>(part(dent), "not convex");
    let turned = json!({"cylinder": {"centre": [0.0, 0.0, 0.0], "axis": [0.0, 0.0, 2.0], "half_length": 1.0, "radius": 1.0}});
    refused::<Shape<Space3>>(part(turned), "axis");
    let thin =
        json!({"triangle": {"corners": [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]}});
    refused::<Shape<Space3>>(part(thin), "no mass");
    refused::<Mesh>(
        json!({"corners": [[0.0, 0.0, 0.0]], "triangles": [[0, 1, 2]]}),
        "",
    );
}

/// Longer than most: a list of values, and what is said of those that cannot be.
#[test]
fn poses_motions_and_materials_come_back_and_are_checked() -> Result<(), SimulationError> {
    same(Pose::<Space2> {
        position: DVec2::new(0.1, 0.2),
        rotation: Turn::by(0.3),
    });
    same(Pose::<Space3> {
        position: DVec3::new(0.1, 0.2, 0.3),
        rotation: DQuat::from_rotation_z(0.3),
    });
    let stretched = json!({"position": [0.0, 0.0, 0.0], "rotation": [0.0, 0.0, 0.0, 2.0]});
    refused::<Pose<Space3>>(stretched, "rotation");
    refused::<Turn>(json!({"cos": 1.0, "sin": 1.0}), "length one");
    for drive in [
        Drive::<Space2>::Uniform { velocity: DVec2::X },
        Drive::Rotation {
            pivot: DVec2::X,
            angular_velocity: 0.1,
        },
        Drive::Oscillation {
            amplitude: DVec2::X,
            frequency: 0.3,
            phase: 0.1,
        },
        Drive::Path {
            knots: vec![(0.0, DVec2::X), (0.7, DVec2::Y)],
        },
        Drive::Swing {
            pivot: DVec2::X,
            axis: -1.0,
            knots: vec![(0.0, 0.1)],
        },
    ] {
        same(drive);
    }
    let back_in_time = json!({"path": {"knots": [[1.0, [0.0, 0.0]], [0.5, [1.0, 0.0]]]}});
    refused::<Drive<Space2>>(back_in_time, "in order of time");

    let rubber = Material {
        restitution: 0.7,
        law: Law::Course,
        ..Material::default()
    };
    same(rubber);
    // What is left out is as in `Material::default()`.
    assert_eq!(
        from_value::<Material>(json!({"restitution": 0.7, "law": "course"})).unwrap(),
        rubber
    );
    refused::<Material>(json!({"restitution": -0.7}), "restitution is -0.7");
    refused::<Material>(json!({"law": "hooke"}), "hooke");
    same(Constants::spring_and_damper(1e4, 50.0));
    same(Constants::linear(f64::INFINITY));
    let mut soft = to_value(Constants::linear(5.0)).unwrap();
    soft["tangential_stiffness"] = json!(-1.0);
    refused::<Constants>(soft, "tangential_stiffness");

    let mut materials = Materials::default();
    let a = materials.add("a", rubber)?;
    let b = materials.add("b", Material::default())?;
    let pair = PairOverride {
        restitution: Some(0.3),
        ..PairOverride::default()
    };
    materials.override_pair(a, b, pair)?;
    materials.set_constants(a, Constants::lasting(1e-3))?;
    materials.override_constants(a, b, Constants::lasting(2e-3))?;
    let again = back(&materials);
    assert_eq!(again.find("b"), Some(b));
    assert_eq!(again.surface(a, b), materials.surface(a, b));
    assert_eq!(again.constants(a), materials.constants(a));
    assert_eq!(again.pair_constants(a, b), materials.pair_constants(a, b));
    let stored = to_value(&materials).unwrap();
    let mut twice = stored.clone();
    twice["table"][2][0] = json!("a");
    refused::<Materials>(twice, "a name of its own");
    let mut nobody = stored;
    nobody["constants"][0][0] = json!(9);
    refused::<Materials>(nobody, "no material 9");

    same(Tolerance::of(1e-7)); // with pieces of any length: infinite
    same(Integrator::default());
    refused::<Integrator>(json!({"explicit_euler": {"step": 0.0}}), "step");
    same(Settling::default());
    refused::<Settling>(
        json!({"step": 0.0, "time": 1.0, "iterations": 1}),
        "settling step",
    );
    same(Forces::stepping(1e-4).cut_off());
    same(CollisionFilter {
        memberships: 1,
        mask: 6,
    });
    Ok(())
}

#[test]
fn fields_come_back_and_functions_are_refused() {
    let above = Region::HalfSpace {
        point: DVec2::Y,
        normal: -DVec2::Y,
    };
    let fields = Fields::<Space2>::uniform(DVec2::new(0.0, -9.81))
        .with(Field::Drag(Drag::AIR))
        .with(Field::Spring {
            centre: DVec2::X,
            stiffness: 3.0,
        })
        .within(above, Field::Wind(Wind::Uniform { velocity: DVec2::X }));
    assert_eq!(format!("{:?}", back(&fields)), format!("{fields:?}"));
    let mut wrong = to_value(&fields).unwrap();
    wrong["parts"][1]["field"]["spring"]["stiffness"] = json!(-1.0);
    refused::<Fields<Space2>>(wrong, "stiffness");
    let own = ForceFunction::<Space2>::force("own", |at| at.position);
    let fields = fields.with(Field::Force(own));
    assert!(to_value(&fields).is_err());
}

fn world() -> Result<World2, SimulationError> {
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.1, -9.81))?;
    let rubber = Material {
        restitution: 0.7,
        static_friction: 0.3,
        kinetic_friction: 0.2,
        ..Material::default()
    };
    let rubber = world.materials.add("rubber", rubber)?;
    world.add(Body::fixed(Shape::floor()).material(rubber).named("floor"))?;
    let paddle = Drive::Oscillation {
        amplitude: DVec2::Y * 0.1,
        frequency: 0.7,
        phase: 0.1,
    };
    world.add(
        Body::kinematic(Shape::block(DVec2::new(0.3, 0.1))?, paddle).at(DVec2::new(5.0, 2.0)),
    )?;
    world.add(
        Body::fixed(Shape::ball(0.3)?)
            .at(DVec2::new(1.0, 1.3))
            .sensing(),
    )?;
    for k in 0..5 {
        let place = DVec2::new(0.7 * f64::from(k), 2.1 + 0.1 * f64::from(k));
        let ball = Body::free(Shape::ball(0.2)?)
            .mass(0.3)
            .at(place)
            .velocity(DVec2::X * 0.3);
        world.add(
            ball.material(rubber)
                .angular_velocity(0.1)
                .in_groups(1, u32::MAX),
        )?;
    }
    world.add(
        Body::free(Shape::ball(0.1)?)
            .mass(0.3)
            .inertia(f64::INFINITY)
            .at(DVec2::new(9.0, 9.0)),
    )?;
    Ok(world)
}

/// The same bodies, and a run from what was read has the bits of a run from what was stored.
#[test]
fn worlds_come_back_and_run_the_same() -> Result<(), SimulationError> {
    let world = world()?;
    let again = back(&world);
    assert_eq!(again.bodies(), world.bodies());
    let digest = |world: World2| {
        let mut run = Simulation::new(world)?;
        run.run_until(2.0)?;
        Ok::<_, SimulationError>((run.collisions(), run.digest()))
    };
    let known = digest(world)?;
    assert!(known.0 > 10, "{known:?}");
    assert_eq!(digest(again)?, known);
    Ok(())
}

#[test]
fn worlds_that_cannot_be_are_refused() -> Result<(), SimulationError> {
    let stored = to_value(world()?).unwrap();
    let changed = |pointer: &str, value: Value| {
        let mut changed = stored.clone();
        *changed.pointer_mut(pointer).expect(pointer) = value;
        changed
    };
    let mass = changed("/bodies/3/kind/free/mass", json!(-1.0));
    refused::<World2>(mass, "mass is -1");
    let place = changed("/bodies/3/pose/position/0", Value::Null);
    refused::<World2>(place, "");
    refused::<World2>(changed("/bodies/3/sensor", json!(true)), "sensor");
    refused::<World2>(changed("/bodies/3/material", json!(7)), "material");
    refused::<World2>(
        changed(
            "/bodies/1/kind/kinematic/oscillation/frequency",
            json!(-1.0),
        ),
        "frequency",
    );
    refused::<World2>(changed("/contact_time", json!(-1.0)), "contact time");
    refused::<World2>(changed("/periodic/0", json!(-1.0)), "periodic");
    Ok(())
}

/// A container comes back with its walls and with what it knows of inside and outside: the same complaints, the same
/// run. An outline of more than 64 walls is looked up by a tree, which is made anew.
#[test]
fn containers_come_back() -> Result<(), SimulationError> {
    let around: Vec<DVec2> = (0..80)
        .map(|corner| 3.0 * DVec2::from_angle(0.025 * PI * f64::from(corner)))
        .collect();
    let rooms = [
        Container2::rectangle("hall", Side::Inside, -DVec2::ONE, DVec2::ONE)?.kinematic_wall(
            2,
            Drive::Uniform {
                velocity: DVec2::new(-0.1, 0.0),
            },
        )?,
        Container2::circle("pit", Side::Inside, DVec2::ZERO, 2.0)?.rotating(0.3),
        Container2::stadium("arena", Side::Inside, DVec2::ZERO, 2.0, 1.0, 0.3)?,
        Container2::polygon("coin", Side::Inside, &around)?,
    ];
    for room in rooms {
        let with_ball = |x: f64| -> Result<World2, SimulationError> {
            let mut world = World2::new();
            world.add(Body::fixed(Shape::ball(0.01)?).at(DVec2::new(0.0, 0.5)))?;
            world.add_container(room.clone())?;
            let ball = Body::free(Shape::ball(0.1)?)
                .mass(1.0)
                .at(DVec2::new(x, 0.1));
            world.add(ball.velocity(DVec2::new(1.0, 0.3)))?;
            Ok(world)
        };
        let mut run = Simulation::new(with_ball(0.3)?)?;
        let mut again = Simulation::new(back(&with_ball(0.3)?))?;
        run.run_until(8.0)?;
        again.run_until(8.0)?;
        assert!(run.collisions() > 0);
        assert_eq!(run.digest(), again.digest());
        let outside = with_ball(9.0)?;
        assert_eq!(back(&outside).overlaps(), outside.overlaps());
        assert!(!outside.overlaps().is_empty());
    }
    let mut closed = World2::new();
    closed.add_container(Container2::circle("pit", Side::Inside, DVec2::ZERO, 2.0)?)?;
    let stored = to_value(&closed).unwrap();
    let changed = |pointer: &str, value: Value| {
        let mut changed = stored.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        changed
    };
    refused::<World2>(
        changed("/containers/0/1", json!(1)),
        "container pit: its walls are not among",
    );
    refused::<World2>(changed("/containers/0/1", json!(u64::MAX)), "");
    refused::<World2>(
        changed("/containers/0/0/panels/0/wall", json!(7)),
        "no wall 7 among 1",
    );
    refused::<World2>(changed("/containers/0/0/panels", json!([])), "no walls");
    Ok(())
}

/// External forces come back as they were written.
#[test]
fn loads_come_back() -> Result<(), SimulationError> {
    let load = Load::<Space2>::default().with_force(DVec2::X);
    let load = load.with_torque_of_time(2.0, "3*sin(t) + step(t - 0.1)".parse().unwrap());
    same(load.clone());
    same(
        Body::free(Shape::ball(0.1)?)
            .mass(1.0)
            .load(load.clone())
            .build()?,
    );
    let mut stored = to_value(&load).unwrap();
    stored["torques"][0][1] = json!("3*sin(");
    refused::<Load<Space2>>(stored, "column 7");
    Ok(())
}

#[test]
fn records_come_back() -> Result<(), SimulationError> {
    let mut run = Simulation::new(world()?)?;
    let mut told: Vec<Collision<Space2>> = Vec::new();
    let mut events = 0;
    run.run_with(2.0, |event: &Event<Space2>| {
        // Events lend their collisions, so that they can only be written.
        assert!(to_value(event).is_ok());
        events += 1;
        if let Event::Collision(collision) = event {
            told.push(**collision);
        }
        ControlFlow::<()>::Continue(())
    })?;
    assert!(events > told.len() && told.len() > 10);
    told.into_iter().for_each(same);
    let ids = run.bodies();
    ids.iter()
        .for_each(|&id| same::<State<Space2>>(run.state(id)));
    same::<Audit<Space2>>(run.audit());
    assert_eq!(to_value(ids[2]).unwrap(), json!(2));
    let stiff = run.body(ids[ids.len() - 1]);
    assert!(
        matches!(back(&stiff).unwrap().kind, Kind::Free(free) if free.inertia == f64::INFINITY)
    );
    Ok(())
}
