//! How deep bodies overlap is told as it is: recomputed here from the states by plain geometry, with separating axes on
//! the corners of boxes.

use super::runs::{block2, world2};
use carom::body::Kind;
use carom::prelude::*;
use carom::shape::{Block, HalfSpace};
use carom::simulate::{Exact, RunError, Settling};
use carom::space::Space;

/// A box in space; one in the plane has no thickness and no turns but about z.
pub struct Crate {
    axes: [DVec3; 3],
    half: DVec3,
    centre: DVec3,
}

impl Crate {
    fn corners(&self) -> impl Iterator<Item = DVec3> + '_ {
        (0..8).map(|k| {
            let sign = |bit: u32| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let [x, y, z] = self.axes;
            self.centre
                + x * (sign(0) * self.half.x)
                + y * (sign(1) * self.half.y)
                + z * (sign(2) * self.half.z)
        })
    }

    /// From where to where it reaches along a direction.
    fn shadow(&self, direction: DVec3) -> [f64; 2] {
        let along = self.corners().map(|corner| corner.dot(direction));
        along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], at| {
            [low.min(at), high.max(at)]
        })
    }
}

/// The least overlap along any axis that can separate two boxes; zero where one does.
fn overlap(a: &Crate, b: &Crate, planar: bool) -> f64 {
    let faces = if planar { 2 } else { 3 };
    let mut axes: Vec<DVec3> = a.axes[..faces].to_vec();
    axes.extend(&b.axes[..faces]);
    if !planar {
        for x in a.axes {
            axes.extend(b.axes.map(|y| x.cross(y)));
        }
    }
    let depth = |axis: &DVec3| {
        let axis = axis.normalize();
        let ([low_a, high_a], [low_b, high_b]) = (a.shadow(axis), b.shadow(axis));
        (high_a - low_b).min(high_b - low_a)
    };
    // Edges that are along each other have no axis of their own.
    let axes = axes.iter().filter(|axis| axis.length() > 1e-6);
    axes.map(depth).fold(f64::INFINITY, f64::min).max(0.0)
}

pub fn deepest(crates: &[Crate], floor: DVec3, planar: bool) -> f64 {
    let mut most: f64 = 0.0;
    for (k, one) in crates.iter().enumerate() {
        most = most.max(-one.shadow(floor)[0]);
        for other in &crates[..k] {
            most = most.max(overlap(one, other, planar));
        }
    }
    most
}

pub fn crates2(run: &Exact<Space2>) -> Vec<Crate> {
    let of = |id: BodyId| {
        let body = run.body(id)?;
        let Shape::Block(block) = &body.shape else {
            return None;
        };
        let turn = body.pose.rotation;
        Some(Crate {
            axes: [
                DVec3::new(turn.cos, turn.sin, 0.0),
                DVec3::new(-turn.sin, turn.cos, 0.0),
                DVec3::Z,
            ],
            half: block.half.extend(1.0),
            centre: body.pose.position.extend(0.0),
        })
    };
    run.bodies().filter_map(of).collect()
}

fn crates3(run: &Exact<Space3>) -> Vec<Crate> {
    let of = |id: BodyId| {
        let body = run.body(id)?;
        let Shape::Block(block) = &body.shape else {
            return None;
        };
        Some(Crate {
            axes: Space3::axes(body.pose.rotation).map(DVec3::from_array),
            half: block.half,
            centre: body.pose.position,
        })
    };
    run.bodies().filter_map(of).collect()
}

/// A stack under a weight of ten times its boxes, which a solver of few rounds would press into each other. (0 m was
/// told, since only impacts counted.) The deepest overlap so far is that of the deepest step: all of them are looked at
/// here.
#[test]
fn a_stack_under_a_weight_tells_how_deep_it_is_pressed() {
    let mut world = world2(0.3, 0.6);
    for k in 0..8 {
        let mut block = block2(
            [0.4, 0.2],
            [0.01 * f64::from(k % 2), 0.1 + 0.2 * f64::from(k)],
            0.0,
        );
        if let (7, Kind::Free(free)) = (k, &mut block.kind) {
            free.mass *= 10.0;
            free.inertia *= 10.0;
        }
        world.add(block).expect("allowed");
    }
    // Few rounds, so that the solver leaves something.
    let settling = Settling::default().with_iterations(4);
    let mut run = Exact::with(world, &settling).expect("apart");
    let (mut most, mut told) = (0.0_f64, 0.0);
    for k in 1..=120 {
        run.run_to(f64::from(k) * settling.step)
            .expect("it gets on");
        let now = deepest(&crates2(&run), DVec3::Y, true);
        most = most.max(now);
        told = run.audit().deepest_overlap;
        // Places of 2 m, to a few roundings.
        assert!(
            told >= now - 1e-13,
            "step {k}: {told:e} m told, {now:e} m there"
        );
    }
    assert_eq!(run.collisions(), 0, "nothing but steps");
    // What four rounds leave is put right at the end of each step.
    assert!(
        told <= 1e-6 * 0.05_f64.sqrt() && most <= told + 1e-13,
        "{told:e} m told, {most:e} m"
    );
}

/// Boxes in space that fall into a heap: at any time no less is told than is there.
#[test]
fn a_heap_in_space_tells_how_deep_it_is_pressed() {
    let mut world = World3::new();
    let stuff = Material {
        restitution: 0.2,
        static_friction: 0.5,
        kinetic_friction: 0.5,
        ..Material::default()
    };
    world.materials.add("default", stuff).expect("allowed");
    world
        .set_gravity(DVec3::new(0.0, 0.0, -9.81))
        .expect("finite");
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec3::Z).expect("a direction"));
    world.add(Body::fixed(floor)).expect("allowed");
    for k in 0..6 {
        let turn = f64::from(k);
        let shape = Shape::Block(Block::new(DVec3::new(0.1, 0.075, 0.05)).expect("positive"));
        let pose = Pose {
            position: DVec3::new(0.02 * turn, -0.03 * turn, 0.2 + 0.26 * turn),
            rotation: Space3::rotation_of(DVec3::new(1.0, 0.5, -0.3), turn),
        };
        let body = Body::solid(shape, 1.0, pose, DVec3::ZERO, DVec3::ZERO).expect("a solid");
        world.add(body).expect("allowed");
    }
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    for k in 1..=12 {
        run.run_to(0.1 * f64::from(k)).expect("it gets on");
        let now = deepest(&crates3(&run), DVec3::Z, false);
        let told = run.audit().deepest_overlap;
        assert!(told >= now - 1e-13, "{k}: {told:e} m told, {now:e} m there");
    }
}

/// A wall comes down on a box that lies on the floor. (The run was completed, with the box below the floor.)
#[test]
fn a_box_that_is_pressed_on_the_floor_ends_the_run_by_name() {
    let mut world = world2(0.3, 0.5);
    let press = Shape::HalfSpace(HalfSpace::solid(DVec2::NEG_Y).expect("a direction"));
    let mut press = Body::fixed(press).at(DVec2::new(0.0, 1.0)).named("press");
    press.kind = Kind::Kinematic(Drive::Uniform {
        velocity: DVec2::new(0.0, -0.6),
    });
    world.add(press).expect("allowed");
    world
        .add(block2([0.2, 0.2], [0.5, 0.1], 0.0).named("box"))
        .expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    let error = run.run_to(2.0).expect_err("it cannot go on");
    let RunError::Squeezed {
        time,
        a,
        b,
        against: Some(against),
        ..
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!(a, "box");
    let mut between = [b.as_str(), against];
    between.sort_unstable();
    assert_eq!(between, ["floor", "press"], "{error}");
    // The press is on it after 0.8 m/(0.6 m/s). It is noticed once what is allowed is used up on both sides (2e-6 of
    // the reach of 0.14 m), to a hundred-thousandth of a step.
    let late = time - 0.8 / 0.6;
    assert!((-1e-9..1e-6).contains(&late), "{late:e} s: {error}");
    // It cannot be gone on with.
    assert_eq!(run.run_to(2.0), Err(error));
    let told = run.audit().deepest_overlap;
    let there = deepest(&crates2(&run), DVec3::Y, true);
    assert!(told >= there - 1e-13, "{told:e} m told, {there:e} m there");
    assert!(told <= 1e-6 * 0.02_f64.sqrt(), "{told:e} m");
}

/// The same without gravity, where nothing keeps touching: a wall pushes a box against another wall.
#[test]
fn a_box_between_walls_that_close_in_ends_the_run_by_name() {
    let mut world = World2::new();
    let clay = Material {
        restitution: 0.0,
        ..Material::default()
    };
    world.materials.add("default", clay).expect("allowed");
    for (x, normal, name) in [(0.0, 1.0, "left"), (1.0, -1.0, "right")] {
        let wall = HalfSpace::solid(DVec2::new(normal, 0.0)).expect("a direction");
        let pose = Pose::at(DVec2::new(x, 0.0));
        let mut wall = Body::fixed(Shape::HalfSpace(wall)).pose(pose).named(name);
        if name == "right" {
            wall.kind = Kind::Kinematic(Drive::Uniform {
                velocity: DVec2::new(-1.0, 0.0),
            });
        }
        world.add(wall).expect("allowed");
    }
    let mut block = block2([0.2, 0.2], [0.5, 0.5], 0.1).named("box");
    if let Kind::Free(free) = &mut block.kind {
        free.velocity = DVec2::new(0.3, 0.01);
    }
    world.add(block).expect("allowed");
    let mut run = Exact::with(world, &Settling::default()).expect("apart");
    let error = run.run_to(2.0).expect_err("it cannot go on");
    let text = error.to_string();
    assert!(
        text.contains("box") && (text.contains("left") || text.contains("right")),
        "{text}"
    );
    assert!(matches!(error, RunError::Squeezed { .. }), "{text}");
    // It is noticed at the first look after the bound is passed, and looks come at every contact.
    let told = run.audit().deepest_overlap;
    assert!(told <= 2e-6 * 0.02_f64.sqrt(), "{told:e} m");
}
