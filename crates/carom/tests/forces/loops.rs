//! One run, two loops over its contacts: the general one and the crowd do the same.

mod choice;

use super::many::box_of_spheres;
use super::touches_of;
use carom::body::Kind;
use carom::material::{Constants, Stiffness};
use carom::motion::{Drag, Field, Fields};
use carom::prelude::*;
use carom::shape::{Block, HalfSpace, Hollow, Segment, Shape2, Shape3, Tube};
use carom::simulate::{Compiled, Ending, ForceEngine, Incident, Scheme, Touch};
use carom::simulate::{Exact, Stepped};
use carom::simulate::{ForcesError, LeverArm, SteppedError};
use carom::space::Linear;
use std::ops::ControlFlow;

/// The same run by both loops, until a time.
fn both<S: Compiled>(
    world: &World<S>,
    forces: &Forces,
    until: f64,
) -> [(Stepped<S>, Vec<Touch<S>>); 2] {
    [ForceEngine::General, ForceEngine::Granular].map(|runner| {
        let mut run = Stepped::new(world.clone(), &forces.run_by(runner)).unwrap();
        assert_eq!(run.engine(), runner);
        let touches = touches_of(&mut run, until);
        (run, touches)
    })
}

/// How far the two are apart: velocities (and surfaces by spin), relative to the fastest; and everything else that both
/// tell.
///
/// Longer than most: one comparison after the other of all that a run tells.
fn agree<S: Compiled>(world: &World<S>, forces: &Forces, until: f64, within: f64) -> usize {
    let [(general, mut told), (crowd, mut also_told)] = both(world, forces, until);
    // Where two end at the same time rounding says which is told first.
    told.sort_by_key(|touch| touch.number);
    also_told.sort_by_key(|touch| touch.number);
    assert_eq!(general.time(), crowd.time());
    assert_eq!(general.steps(), crowd.steps());
    let states = |id| (general.state(id), crowd.state(id));
    let speed = (general.bodies())
        .map(|id| general.state(id).velocity.length())
        .fold(0.0, f64::max);
    for id in general.bodies() {
        let (one, other) = states(id);
        let size = match general.body(id).unwrap().shape {
            Shape::Ball(ball) => ball.radius,
            _ => 0.0,
        };
        let off = (one.velocity - other.velocity).length()
            + (one.angular_velocity - other.angular_velocity).length() * size;
        assert!(off <= within * speed, "{id:?} {off:e} of {speed:e}");
        let way = (one.position - other.position).length();
        assert!(way <= within * speed * until, "{id:?} {way:e}");
        let turned = S::axes(one.rotation).as_flattened().to_vec();
        let beside = S::axes(other.rotation).as_flattened().to_vec();
        for (a, b) in turned.iter().zip(beside) {
            // A radian is about what balls turn by here, in so many steps.
            assert!((a - b).abs() <= 10.0 * within, "{id:?} {a} {b}");
        }
    }
    assert_eq!(told.len(), also_told.len());
    for (a, b) in told.iter().zip(&also_told) {
        assert_eq!((a.number, a.a, a.b, a.mode), (b.number, b.a, b.b, b.mode));
        let near = |one: f64, other: f64, size: f64| {
            let close = (one - other).abs() <= 100.0 * within * size;
            assert!(close, "{one} {other} of {size}\n{a:?}\n{b:?}");
        };
        let lasts = a.duration() + general.step();
        near(a.begin, b.begin, lasts);
        near(a.end, b.end, lasts);
        // One takes a cubic through two ends of steps for it, the other a parabola through three: off by (ω dt)⁴/128 of
        // a contact of at least 50 steps, and by as many steps in time.
        assert!(
            (a.deepest - b.deepest).abs() <= 1e-6 * a.deepest,
            "{a:?}\n{b:?}"
        );
        assert!(
            (a.deepest_at - b.deepest_at).abs() <= 2e-2 * general.step(),
            "{a:?}\n{b:?}"
        );
        near((a.impulse - b.impulse).length(), 0.0, a.impulse.length());
        near((a.normal - b.normal).length(), 0.0, 1.0);
        near(a.approach_speed, b.approach_speed, speed);
        near(a.separation_speed, b.separation_speed, speed);
        let lost = a.lost_to_damper + a.lost_to_friction;
        near(a.lost_to_damper, b.lost_to_damper, lost);
        near(a.lost_to_friction, b.lost_to_friction, lost);
        for (one, other) in a
            .before
            .iter()
            .zip(&b.before)
            .chain(a.after.iter().zip(&b.after))
        {
            near((one.velocity - other.velocity).length(), 0.0, speed);
        }
        for (one, other) in a.places.iter().flatten().zip(b.places.iter().flatten()) {
            near((*one - *other).length(), 0.0, speed * until);
        }
    }
    let (one, other) = (general.audit(), crowd.audit());
    let energy = one.initial.total().abs() + one.now.translational;
    for (a, b) in [
        (one.now.translational, other.now.translational),
        (one.now.rotational, other.now.rotational),
        (one.now.potential, other.now.potential),
        (one.stored.normal, other.stored.normal),
        (one.stored.sliding, other.stored.sliding),
        (one.stored.rolling, other.stored.rolling),
        (one.stored.spinning, other.stored.spinning),
        (one.dissipated.dampers, other.dissipated.dampers),
        (one.dissipated.friction, other.dissipated.friction),
        (one.dissipated.rolling, other.dissipated.rolling),
        (one.dissipated.spinning, other.dissipated.spinning),
        (one.dissipated.fields, other.dissipated.fields),
        (one.work_by_kinematic, other.work_by_kinematic),
        (one.energy_residual, other.energy_residual),
    ] {
        assert!(
            (a - b).abs() <= within * energy,
            "{a:e} {b:e}\n{one:?}\n{other:?}"
        );
    }
    let momentum = one.momentum_from_fixtures.length()
        + one.momentum_initial.length()
        + one.momentum_from_gravity.length();
    let off = (one.momentum_from_fixtures - other.momentum_from_fixtures).length();
    assert!(off <= within * momentum, "{off:e} of {momentum:e}");
    assert!(other.momentum_residual.length() <= 1e-12 * momentum);
    if let (Some(one), Some(other)) = (one.angular_momentum, other.angular_momentum) {
        let size = one.from_fixtures.length() + one.initial.length() + one.from_gravity.length();
        for (a, b) in [
            (one.from_fixtures, other.from_fixtures),
            (one.from_gravity, other.from_gravity),
            (one.from_fields, other.from_fields),
            (one.residual, other.residual),
        ] {
            assert!((a - b).length() <= within * size, "{one:?}\n{other:?}");
        }
    }
    assert_eq!(one.touches, other.touches);
    assert_eq!(one.touching, other.touching);
    let deepest = one.deepest_overlap;
    assert!((deepest - other.deepest_overlap).abs() <= 1e-6 * deepest);
    let (touching, also) = (general.touching(), crowd.touching());
    assert_eq!(touching.len(), also.len());
    for (a, b) in touching.iter().zip(&also) {
        assert_eq!((a.0, a.1), (b.0, b.1));
        assert!((a.2 - b.2).abs() <= 100.0 * within * deepest, "{a:?} {b:?}");
    }
    told.len()
}

/// Rounding parts the two, and collisions one after the other magnify that, each by the ratio of way to radius.
const WITHIN: f64 = 1e-7;

#[test]
fn spheres_in_a_box_with_friction_and_rolling_resistance() {
    for (ending, rolling, arms) in [
        (Ending::Attracting, 0.0, LeverArm::Point),
        (Ending::Attracting, 0.0, LeverArm::Radius),
        (Ending::Attracting, 0.02, LeverArm::Point),
        (Ending::CutOff, 0.0, LeverArm::Point),
        (Ending::CutOff, 0.02, LeverArm::Radius),
    ] {
        let forces = Forces::stepping(2e-6)
            .by(Scheme::Verlet)
            .with_ending(ending)
            .with_lever_arm(arms);
        let told = agree(&box_of_spheres(rolling), &forces, 2e-3, WITHIN);
        assert!(told > 50, "{told}");
    }
}

/// Without friction nothing is turned, and only rounding parts the two.
#[test]
fn without_friction_only_rounding_parts_them() {
    let mut world = box_of_spheres(0.0);
    let smooth = Material {
        restitution: 0.8,
        ..Material::default()
    };
    world.materials.add("glass", smooth).unwrap();
    let forces = Forces::stepping(2e-6).by(Scheme::Verlet);
    let told = agree(&world, &forces, 2e-3, 1e-10);
    assert!(told > 50, "{told}");
}

/// Two materials, Hertz's law, in between two steps.
#[test]
fn by_hertz_and_between_two_steps() {
    let mut world = box_of_spheres(0.0);
    let glass = world.materials.find("glass").unwrap();
    let hertz = Constants {
        stiffness: Stiffness::Young {
            modulus: 5e6,
            poisson: 0.3,
        },
        ..Constants::linear(1.0)
    };
    world.materials.set_constants(glass, hertz).unwrap();
    let forces = Forces::stepping(1.5e-6).by(Scheme::Verlet);
    let told = agree(&world, &forces, 2.0003e-3, WITHIN);
    assert!(told > 40, "{told}");
}

/// Discs on a floor of two boxes, beside a bat that oscillates, in air, and through a gate.
fn yard() -> World2 {
    let mut world = World2::new();
    let rubber = Material {
        restitution: 0.7,
        static_friction: 0.4,
        kinetic_friction: 0.3,
        ..Material::default()
    };
    let rubber = world.materials.add("rubber", rubber).unwrap();
    (world
        .materials
        .set_constants(rubber, Constants::linear(4e4)))
    .unwrap();
    let soft = Material {
        restitution: 0.5,
        ..Material::default()
    };
    let soft = world.materials.add("soft", soft).unwrap();
    (world.materials.set_constants(soft, Constants::linear(1e4))).unwrap();
    let fields = Fields::uniform(DVec2::new(0.0, -9.81)).with(Field::Drag(Drag::AIR));
    world.set_fields(fields).unwrap();
    let plank = || Shape::Block(Block::new(DVec2::new(1.0, 0.1)).unwrap());
    for x in [-1.0, 1.0] {
        let place = Pose::at(DVec2::new(x, -0.1));
        world
            .add(Body::fixed(plank()).pose(place).made_of(rubber))
            .unwrap();
    }
    let bat = Shape::Block(Block::new(DVec2::new(0.05, 0.4)).unwrap());
    let swing = Drive::Oscillation {
        amplitude: DVec2::new(0.1, 0.0),
        frequency: 5.0,
        phase: 0.0,
    };
    let bat = Body::kinematic(bat, swing).at(DVec2::new(-1.0, 0.4));
    world.add(bat.made_of(soft)).unwrap();
    let gate = Shape::Block(Block::new(DVec2::new(0.2, 0.3)).unwrap());
    let gate = Body::fixed(gate).at(DVec2::new(0.5, 0.3));
    world.add(gate.named("gate").sensing()).unwrap();
    for index in 0..70_u32 {
        let (column, row) = (f64::from(index % 10), f64::from(index / 10));
        let place = DVec2::new(0.13 * column - 0.6, 0.07 + 0.13 * row);
        let velocity = DVec2::new(0.4 * (row - 3.0), 0.3 * (column - 4.5) - 1.0);
        let radius = 0.05 + 0.002 * f64::from(index % 5);
        let ball = Body::ball(radius, 1.0 + radius, place, velocity).unwrap();
        world
            .add(ball.made_of(if index % 4 == 0 { soft } else { rubber }))
            .unwrap();
    }
    world
}

#[test]
fn discs_on_a_floor_of_pieces_with_a_bat_air_and_a_gate() {
    let world = yard();
    let forces = Forces::stepping(5e-5).by(Scheme::Verlet);
    let told = agree(&world, &forces, 0.15, WITHIN);
    assert!(told > 30, "{told}");
    let overlaps = |runner| {
        let mut run = Stepped::new(world.clone(), &forces.run_by(runner)).unwrap();
        let mut seen = Vec::new();
        run.run_until(0.15, |incident| {
            match incident {
                Incident::Entered(passage) => seen.push((true, passage.time, passage.ball)),
                Incident::Left(passage) => seen.push((false, passage.time, passage.ball)),
                _ => {}
            }
            ControlFlow::Continue(())
        })
        .unwrap();
        (seen, run.inside(run.find("gate").unwrap()))
    };
    let seen = overlaps(ForceEngine::Granular);
    assert!(seen.0.len() > 3 && !seen.1.is_empty(), "{seen:?}");
    assert_eq!(seen, overlaps(ForceEngine::General));
}

/// Discs in a round drum that turns about its middle, with vanes that turn with it where asked for.
fn drum(vanes: usize) -> World2 {
    let mut world = World2::new();
    let rubber = Material {
        restitution: 0.6,
        static_friction: 0.5,
        kinetic_friction: 0.4,
        ..Material::default()
    };
    let rubber = world.materials.add("rubber", rubber).unwrap();
    (world
        .materials
        .set_constants(rubber, Constants::linear(4e4)))
    .unwrap();
    world.set_gravity(DVec2::new(0.0, -9.81)).unwrap();
    let turning = || Drive::Rotation {
        pivot: DVec2::ZERO,
        angular_velocity: 3.0,
    };
    let side = Shape::Hollow(Hollow::new(0.8).unwrap());
    let side = Body::kinematic(side, turning());
    world.add(side.made_of(rubber)).unwrap();
    for vane in 0..vanes {
        let angle = vane as f64 * std::f64::consts::TAU / vanes as f64 + 0.1;
        let along = DVec2::new(libm::cos(angle), libm::sin(angle));
        let vane = Segment::new(along * 0.7, along * 0.8).unwrap();
        let vane = Body::kinematic(Shape::own(Shape2::Segment(vane)), turning());
        world.add(vane.made_of(rubber)).unwrap();
    }
    for index in 0..70_u32 {
        let (column, row) = (f64::from(index % 10), f64::from(index / 10));
        let place = DVec2::new(0.1 * column - 0.45, 0.095 * row - 0.62);
        // The lowest rows are wide only in the middle.
        if place.length() > 0.64 {
            continue;
        }
        let radius = 0.04 + 0.001 * f64::from(index % 5);
        let ball = Body::ball(radius, 1.0 + radius, place, DVec2::new(0.0, -1.0)).unwrap();
        world.add(ball.made_of(rubber)).unwrap();
    }
    world
}

/// A drum that turned went by the general loop, five times as slow: nothing that has no end could turn there, not even
/// about its own axis, where it stays in its place.
#[test]
fn a_drum_that_turns_is_for_the_crowd_too() {
    for vanes in [0, 3] {
        let world = drum(vanes);
        let free = world.bodies().iter();
        let free = free
            .filter(|body| matches!(body.kind, Kind::Free(_)))
            .count();
        assert!(free > 50, "{free}");
        let forces = Forces::stepping(5e-5).by(Scheme::Verlet);
        let told = agree(&world, &forces, 0.2, WITHIN);
        assert!(told > 20, "{told}");
        // It drags the balls along, and does work on them.
        let [_, (crowd, _)] = both(&world, &forces, 0.2);
        assert!(crowd.audit().work_by_kinematic > 0.0);
    }
}

/// A drum of flat walls, or a mixer of them, went by the general loop: a wall without end that turns has points of every
/// speed. Where balls are it has not.
#[test]
fn so_is_a_box_of_flat_walls_that_turns() {
    let mut world = drum(0);
    let rubber = world.materials.find("rubber").unwrap();
    let discs: Vec<Body<Space2>> = (world.bodies().iter())
        .filter(|body| matches!(body.kind, Kind::Free(_)))
        .cloned()
        .collect();
    let mut turning = World2::new();
    turning.materials = std::mem::take(&mut world.materials);
    turning.set_gravity(DVec2::new(0.0, -9.81)).unwrap();
    for out in [DVec2::X, DVec2::Y, -DVec2::X, -DVec2::Y] {
        let wall = Shape::HalfSpace(HalfSpace::solid(-out).unwrap());
        let drive = Drive::Rotation {
            pivot: DVec2::ZERO,
            angular_velocity: 3.0,
        };
        let wall = Body::kinematic(wall, drive).at(out * 0.75);
        turning.add(wall.made_of(rubber)).unwrap();
    }
    for disc in discs {
        turning.add(disc).unwrap();
    }
    let forces = Forces::stepping(5e-5).by(Scheme::Verlet);
    let told = agree(&turning, &forces, 0.2, WITHIN);
    assert!(told > 20, "{told}");
    let [_, (crowd, _)] = both(&turning, &forces, 0.2);
    assert!(crowd.audit().work_by_kinematic > 0.0);
}

/// In space: a tube about its axis, on a floor that turns with it.
#[test]
fn so_is_a_tube_with_its_floor() {
    let world = box_of_spheres(0.0);
    let glass = world.materials.find("glass").unwrap();
    let bodies = world.bodies();
    let mut turning = World3::new();
    turning.materials = world.materials.clone();
    turning.set_gravity(world.gravity()).unwrap();
    let free = || {
        bodies
            .iter()
            .filter(|body| matches!(body.kind, Kind::Free(_)))
    };
    let (mut middle, mut number) = (DVec3::ZERO, 0.0);
    for ball in free() {
        middle += ball.pose.position;
        number += 1.0;
    }
    middle /= number;
    let radius = |ball: &Body<Space3>| match &ball.shape {
        Shape::Ball(ball) => ball.radius,
        _ => 0.0,
    };
    // As narrow and as high as the balls at the start allow.
    let far =
        |ball: &Body<Space3>| (ball.pose.position - middle).truncate().length() + radius(ball);
    let wide = free().map(far).fold(0.0, f64::max);
    let low = |ball: &Body<Space3>| ball.pose.position.z - radius(ball);
    let low = free().map(low).fold(f64::INFINITY, f64::min);
    let about = DVec3::new(middle.x, middle.y, low);
    let drive = || Drive::Rotation {
        pivot: about,
        angular_velocity: DVec3::new(0.0, 0.0, 40.0),
    };
    let tube = Shape::own(Shape3::Tube(Tube::new(DVec3::Z, wide).unwrap()));
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec3::Z).unwrap());
    for shape in [tube, floor] {
        let body = Body::kinematic(shape, drive()).at(about);
        turning.add(body.made_of(glass)).unwrap();
    }
    for ball in free() {
        turning.add(ball.clone()).unwrap();
    }
    let forces = Forces::stepping(2e-6).by(Scheme::Verlet);
    let told = agree(&turning, &forces, 2e-3, WITHIN);
    assert!(told > 20, "{told}");
}

/// A ball that slides over the seam of two planks: the floor is no stiffer there, and the ball keeps the spring that
/// holds it.
#[test]
fn a_seam_is_no_step_for_the_crowd_either() {
    let mut world = yard();
    world
        .set_fields(Fields::uniform(DVec2::new(0.0, -9.81)))
        .unwrap();
    let rubber = world.materials.find("rubber").unwrap();
    let rolls = Body::ball(0.05, 1.0, DVec2::new(-0.9, 0.0499), DVec2::new(2.0, 0.0)).unwrap();
    let mut alone = World2::new();
    alone.materials = world.materials.clone();
    alone.set_gravity(DVec2::new(0.0, -9.81)).unwrap();
    for body in &world.bodies()[..2] {
        alone.add(body.clone()).unwrap();
    }
    let ball = alone.add(rolls.made_of(rubber)).unwrap();
    let forces = Forces::stepping(5e-5).by(Scheme::Verlet);
    let told = agree(&alone, &forces, 0.9, WITHIN);
    // From one plank to the other it goes over as one contact that ends and one that begins.
    assert!(told >= 1, "{told}");
    let [(_, _), (crowd, _)] = both(&alone, &forces, 0.9);
    let state = crowd.state(ball);
    assert!(state.position.x > 0.05, "{state:?}");
    // Twice the stiffness would throw it up by half of its overlap, m g/2k.
    assert!(
        (state.position.y - 0.05).abs() < 1.5e-3 && state.velocity.y.abs() < 0.05,
        "{state:?}"
    );
}

/// In a periodic box balls go round.
#[test]
fn in_a_periodic_box() {
    let mut world = World3::new();
    let hard = Material {
        restitution: 0.9,
        ..Material::default()
    };
    let hard = world.materials.add("hard", hard).unwrap();
    (world.materials.set_constants(hard, Constants::linear(1e6))).unwrap();
    world.set_periodic([Some(1.0); 3]).unwrap();
    for index in 0..80_u32 {
        let [x, y, z] = [index % 5, index / 5 % 4, index / 20].map(f64::from);
        let place = DVec3::new(0.2 * x, 0.25 * y, 0.25 * z) + 0.05;
        let velocity = DVec3::new(y - 1.5, z - x, 2.0 - x) * 2.0;
        let ball = Body::ball(0.05, 1.0, place, velocity).unwrap();
        world.add(ball.made_of(hard)).unwrap();
    }
    let forces = Forces::stepping(5e-5).by(Scheme::Verlet);
    let told = agree(&world, &forces, 0.1, WITHIN);
    assert!(told > 20, "{told}");
    let [(general, _), (crowd, _)] = both(&world, &forces, 0.15);
    let gone = general.bodies().filter(|&id| {
        let (one, other) = (general.unwrapped_position(id), crowd.unwrapped_position(id));
        assert!((one - other).length() < 1e-6, "{one:?} {other:?}");
        (one - general.state(id).position).length() > 0.5
    });
    assert!(gone.count() > 10);
}
