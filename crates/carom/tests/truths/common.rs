//! Worlds of boxes in 2-D, and how deep they overlap, by plain geometry on their corners.

use carom::prelude::*;
use carom::shape::{Block, HalfSpace};
use carom::simulate::Exact;

/// A world with a floor at height 0, everything made of one material.
pub fn world2(restitution: f64, friction: f64) -> World2 {
    let mut world = World2::new();
    let stuff = Material {
        restitution,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    };
    world.materials.add("default", stuff).expect("allowed");
    world.set_gravity(DVec2::new(0.0, -9.81)).expect("finite");
    let floor = Shape::HalfSpace(HalfSpace::solid(DVec2::Y).expect("a direction"));
    let floor = Body::fixed(floor).named("floor");
    world.add(floor).expect("allowed");
    world
}

/// A box of 1 kg/m².
pub fn block2(size: [f64; 2], place: [f64; 2], angle: f64) -> Body<Space2> {
    let shape = Shape::Block(Block::new(DVec2::from_array(size) * 0.5).expect("positive"));
    let pose = Pose {
        position: DVec2::from_array(place),
        rotation: Turn::by(angle),
    };
    let mass = size[0] * size[1];
    Body::solid(shape, mass, pose, DVec2::ZERO, 0.0).expect("a solid")
}

/// How deep any corner of a box is below the floor, or two boxes are in each other along the axis that separates them
/// best, m.
pub fn deepest(run: &Exact<Space2>) -> f64 {
    let of = |id: BodyId| {
        let body = run.body(id)?;
        let Shape::Block(block) = &body.shape else {
            return None;
        };
        let turn = body.pose.rotation;
        let axes = [
            DVec2::new(turn.cos, turn.sin),
            DVec2::new(-turn.sin, turn.cos),
        ];
        Some((body.pose.position, axes, block.half))
    };
    let boxes: Vec<_> = run.bodies().filter_map(of).collect();
    let reach = |it: &(DVec2, [DVec2; 2], DVec2), axis: DVec2| {
        it.2.x * it.1[0].dot(axis).abs() + it.2.y * it.1[1].dot(axis).abs()
    };
    let mut most: f64 = 0.0;
    for (k, one) in boxes.iter().enumerate() {
        most = most.max(reach(one, DVec2::Y) - one.0.y);
        for other in &boxes[..k] {
            let depth = |&axis: &DVec2| {
                let apart = (one.0 - other.0).dot(axis).abs();
                reach(one, axis) + reach(other, axis) - apart
            };
            let axes = one.1.iter().chain(&other.1);
            let depth = axes.map(depth).fold(f64::INFINITY, f64::min);
            most = most.max(depth);
        }
    }
    most
}
