//! Solids that turn: in flight and at impacts, coming to rest, of every shape.

use super::{Random, every_way, material, wall};
use carom::body::Kind;
use carom::material::RestitutionCurve;
use carom::prelude::*;
use carom::shape::{Compound, Convex};
use carom::simulate::Exact;
use carom::simulate::{Compiled, Settling};
use carom::space::Space;

scenes! {
    boxes_that_come_to_rest => rigid(heap(), 2.5, 40),
    a_gas_of_boxes => rigid(gas_of_boxes(), 2.5, 25),
    viscoelastic_boxes => rigid(viscoelastic_heap(), 2.5, 40),
    solids_of_every_shape => rigid(falling_solids(), 1.0, 15),
}

fn rigid<S: Compiled>(world: World<S>, until: f64, least: u64) -> u64 {
    let start = || Exact::with(world.clone(), &Settling::default()).unwrap();
    every_way(start, until, least, &[7])
}

fn block2(size: [f64; 2], place: [f64; 2], angle: f64) -> Body<Space2> {
    let shape = Shape::block(DVec2::from_array(size) * 0.5).unwrap();
    let pose = Pose {
        position: DVec2::from_array(place),
        rotation: Turn::by(angle),
    };
    Body::solid(shape, size[0] * size[1], pose, DVec2::ZERO, 0.0).unwrap()
}

/// Boxes, a ball among them, and an angle iron.
fn heap() -> World2 {
    let mut world = World2::new();
    world.materials.add("default", material(0.3, 0.4)).unwrap();
    world.set_gravity(DVec2::new(0.0, -9.81)).unwrap();
    world.add(wall([0.0; 3], [0.0, 1.0, 0.0])).unwrap();
    for k in 0..5 {
        let k = f64::from(k);
        let block = block2([0.8, 0.4], [0.3 * k, 1.0 + 1.1 * k], 0.3 * k);
        world.add(block).unwrap();
    }
    let ball = Body::ball(0.3, 1.0, DVec2::new(-3.0, 1.0), DVec2::new(5.0, 0.0));
    world.add(ball.unwrap()).unwrap();
    let bar = |half: [f64; 2], place: [f64; 2]| {
        let part = Convex::<Space2>::block(DVec2::from_array(half)).unwrap();
        part.placed(&Pose::at(DVec2::from_array(place)))
    };
    let parts = vec![bar([0.5, 0.1], [0.0, 0.0]), bar([0.1, 0.4], [-0.4, 0.5])];
    let form = Shape::Compound(Box::new(Compound::with_mass(parts, 1.0).unwrap()));
    let pose = Pose::at(DVec2::new(4.0, 2.0));
    let angle = Body::solid(form, 2.0, pose, DVec2::new(-2.0, 0.0), 1.0);
    world.add(angle.unwrap()).unwrap();
    world
}

/// The heap of boxes with a restitution that falls with the speed.
fn viscoelastic_heap() -> World2 {
    let mut world = heap();
    let law = RestitutionCurve::viscoelastic(0.5, 1.0).unwrap();
    let id = world.materials.find("default").unwrap();
    world.materials.set_restitution_curve(id, law).unwrap();
    world
}

/// Elastic, without weight, in a box of walls.
fn gas_of_boxes() -> World2 {
    let mut world = World2::new();
    world.materials.add("default", material(1.0, 0.1)).unwrap();
    super::gases::room(&mut world, 4.0);
    let mut random = Random(51);
    for index in 0..9_u32 {
        let place = [index % 3, index / 3].map(|along| 1.25 * f64::from(along) + 0.75);
        let mut block = block2([0.5, 0.3], place, 3.0 * random.next());
        if let Kind::Free(free) = &mut block.kind {
            (free.velocity, free.angular_velocity) =
                (random.vector::<Space2>() * 2.0, 5.0 * random.next());
        }
        world.add(block).unwrap();
    }
    world
}

/// One of each falls onto a floor, turning.
fn falling_solids() -> World3 {
    let mut world = World3::new();
    world.materials.add("default", material(0.5, 0.3)).unwrap();
    world.set_gravity(DVec3::new(0.0, 0.0, -9.81)).unwrap();
    world.add(wall([0.0; 3], [0.0, 0.0, 1.0])).unwrap();
    let tetrahedron = Convex::hull(&[
        DVec3::new(0.2, 0.0, -0.1),
        DVec3::new(-0.1, 0.2, -0.1),
        DVec3::new(-0.1, -0.2, -0.1),
        DVec3::new(0.0, 0.0, 0.2),
    ]);
    let parts = [
        Convex::block(DVec3::new(0.2, 0.15, 0.1)).unwrap(),
        Convex::cylinder(0.2, 0.12).unwrap(),
        Convex::capsule(DVec3::Z * -0.15, DVec3::Z * 0.15, 0.1).unwrap(),
        tetrahedron.unwrap(),
    ];
    let mut random = Random(52);
    for (index, part) in (0..).zip(parts) {
        let form = Shape::Compound(Box::new(Compound::with_mass(vec![part], 1.0).unwrap()));
        let pose = Pose {
            position: DVec3::new(0.5 * f64::from(index), 0.0, 0.5),
            rotation: Space3::rotation_of(DVec3::new(0.6, 0.0, 0.8), 0.4 + f64::from(index)),
        };
        let velocity = random.vector::<Space3>();
        let angular_velocity = random.vector::<Space3>() * 4.0;
        let body = Body::solid(form, 1.0, pose, velocity, angular_velocity);
        world.add(body.unwrap()).unwrap();
    }
    world
}
