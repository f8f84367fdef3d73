//! Balls that keep touching something: floors, slopes, edges, grooves, corners, each other.

use super::{Random, every_way, exact, material, spinning, wall};
use carom::material::RestitutionCurve;
use carom::prelude::*;
use carom::simulate::Compiled;
use carom::simulate::Exact;

scenes! {
    rest_on_a_floor => exact(on_a_floor(), 8.0, 12, &[3, 31]),
    down_a_slope => exact(down_a_slope(), 4.0, 4, &[3, 31]),
    off_a_block => exact(off_a_block(), 2.0, 4, &[3, 31]),
    on_a_floor_that_turns => exact(on_a_turntable(), 2.0, 4, &[3, 31]),
    rest_in_a_wedge => exact(in_a_wedge(), 4.0, 6, &[3, 31]),
    along_a_groove => exact(along_a_groove(), 3.0, 4, &[3, 31]),
    rest_in_a_corner => exact(in_a_corner(), 4.0, 6, &[3, 31]),
    // All pairs of so many would take long without optimisation; `ways_reference` has a pile.
    a_pile => every_way(|| Exact::new(pile()).unwrap(), 4.0, 600, &[7]),
    rest_of_a_viscoelastic_ball => exact(viscoelastic(), 3.0, 30, &[3, 31]),
    a_heap_of_spheres => every_way(|| Exact::new(heap()).unwrap(), 1.5, 300, &[7]),
}

/// Dropped with a spin onto a floor, beside another one in a wedge.
fn viscoelastic() -> World2 {
    let mut world = floored(rolling(1.0, 0.3), [0.0, 1.0, 0.0]);
    let law = RestitutionCurve::viscoelastic(0.7, 1.0).unwrap();
    let id = world.materials.find("default").unwrap();
    world.materials.set_restitution_curve(id, law).unwrap();
    world.add(wall([3.0, 0.0, 0.0], [-0.8, 0.6, 0.0])).unwrap();
    for (x, angular_velocity) in [(0.0, 20.0), (2.6, 0.0)] {
        let ball = Body::ball(0.1, 0.3, DVec2::new(x, 0.5), DVec2::new(0.2, 0.0)).unwrap();
        world.add(spinning(ball, angular_velocity)).unwrap();
    }
    world
}

fn rolling(restitution: f64, friction: f64) -> Material {
    Material {
        rolling_resistance: 0.02,
        spinning_resistance: 0.01,
        ..material(restitution, friction)
    }
}

fn floored<S: Compiled>(material: Material, up: [f64; 3]) -> World<S> {
    let mut world = World::new();
    world.materials.add("default", material).unwrap();
    world.set_gravity(S::vector(up) * -9.81).unwrap();
    world.add(wall([0.0; 3], up)).unwrap();
    world
}

/// One is dropped with a spin, slides, rolls and rests; another rolls into a third.
fn on_a_floor() -> World3 {
    let mut world = floored(rolling(0.6, 0.3), [0.0, 0.0, 1.0]);
    for (place, velocity, angular_velocity) in [
        ([0.0, 0.0, 0.4], [0.5, 0.1, 0.0], [3.0, -20.0, 15.0]),
        ([2.0, 0.0, 0.1], [1.5, 0.2, 0.0], [0.0, 0.0, 4.0]),
        ([2.8, 0.12, 0.1], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
    ] {
        let ball = Body::ball(0.1, 0.3, place.into(), velocity.into()).unwrap();
        world.add(spinning(ball, angular_velocity.into())).unwrap();
    }
    world
}

/// Steep enough to slide first; a floor at its foot.
fn down_a_slope() -> World2 {
    let mut world = floored(rolling(0.4, 0.15), [0.0, 1.0, 0.0]);
    let (s, c) = (libm::sin(0.5), libm::cos(0.5));
    world.add(wall([3.0, 0.0, 0.0], [-s, c, 0.0])).unwrap();
    for along in [2.0, 2.6] {
        let place = DVec2::new(3.0 + c * along - s * 0.1, s * along + c * 0.1);
        let ball = Body::ball(0.1, 1.0, place, DVec2::new(-c, -s) * 0.1).unwrap();
        world.add(spinning(ball, along)).unwrap();
    }
    world
}

fn off_a_block() -> World2 {
    let mut world = floored(rolling(0.5, 0.4), [0.0, 1.0, 0.0]);
    let block = Shape::block(DVec2::new(1.0, 0.25)).unwrap();
    let pose = Pose::at(DVec2::new(0.0, 0.25));
    world.add(Body::fixed(block).pose(pose)).unwrap();
    for (x, speed) in [(0.5, 0.9), (-0.5, -2.0)] {
        let place = DVec2::new(x, 0.6);
        let ball = Body::ball(0.1, 1.0, place, DVec2::new(speed, 0.0)).unwrap();
        world.add(ball).unwrap();
    }
    world
}

/// A disc of a drum's lid: what lies on it slides and is carried round.
fn on_a_turntable() -> World3 {
    let mut world = World3::new();
    world.materials.add("default", rolling(0.3, 0.2)).unwrap();
    world.set_gravity(DVec3::new(0.0, 0.0, -9.81)).unwrap();
    let turning = Drive::Rotation {
        pivot: DVec3::ZERO,
        angular_velocity: DVec3::new(0.0, 0.0, 1.5),
    };
    let table = Shape::half_space(DVec3::Z).unwrap();
    world.add(Body::kinematic(table, turning)).unwrap();
    for x in [0.4, -0.7] {
        let place = DVec3::new(x, 0.1, 0.15);
        let ball = Body::ball(0.1, 0.2, place, DVec3::new(0.0, 0.3, 0.0)).unwrap();
        world.add(ball).unwrap();
    }
    world
}

fn in_a_wedge() -> World2 {
    let mut world = World2::new();
    world.materials.add("default", rolling(0.5, 0.1)).unwrap();
    world.set_gravity(DVec2::new(0.0, -9.81)).unwrap();
    for (lean, angle) in [(1.0, 0.6), (-1.0, 0.9)] {
        let normal = [lean * libm::sin(angle), libm::cos(angle), 0.0];
        world.add(wall([0.0; 3], normal)).unwrap();
    }
    let ball = Body::ball(0.1, 0.7, DVec2::new(0.05, 0.45), DVec2::new(0.11, 0.0)).unwrap();
    world.add(spinning(ball, 7.0)).unwrap();
    world
}

/// Slopes a little, so that the ball goes along it.
fn along_a_groove() -> World3 {
    let mut world = World3::new();
    world.materials.add("default", rolling(0.4, 0.2)).unwrap();
    world.set_gravity(DVec3::new(0.0, 1.0, -9.7)).unwrap();
    for (lean, angle) in [(1.0, 0.7), (-1.0, 0.7)] {
        let normal = [lean * libm::sin(angle), 0.0, libm::cos(angle)];
        world.add(wall([0.0; 3], normal)).unwrap();
    }
    let place = DVec3::new(0.01, 0.0, 0.2);
    let ball = Body::ball(0.1, 0.7, place, DVec3::new(0.0, 0.8, 0.0)).unwrap();
    world
        .add(spinning(ball, DVec3::new(5.0, 0.0, 2.0)))
        .unwrap();
    world
}

fn in_a_corner() -> World3 {
    let mut world = World3::new();
    world.materials.add("default", rolling(0.5, 0.1)).unwrap();
    world.set_gravity(DVec3::new(-3.0, -2.5, -9.0)).unwrap();
    for normal in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
        world.add(wall([0.0; 3], normal)).unwrap();
    }
    let place = DVec3::new(0.2, 0.25, 0.3);
    let ball = Body::ball(0.1, 0.7, place, DVec3::new(0.1, 0.0, 0.0)).unwrap();
    world
        .add(spinning(ball, DVec3::new(4.0, -8.0, 10.0)))
        .unwrap();
    world
}

/// More than are looked at all together (48), in a tray.
fn pile() -> World2 {
    let mut world = floored(rolling(0.5, 0.3), [0.0, 1.0, 0.0]);
    world.add(wall([0.0; 3], [1.0, 0.0, 0.0])).unwrap();
    world.add(wall([1.6, 0.0, 0.0], [-1.0, 0.0, 0.0])).unwrap();
    let mut random = Random(11);
    for index in 0..60_u32 {
        let radius = 0.05 + 0.01 * random.next();
        let place = DVec2::new(
            0.1 + 0.15 * f64::from(index % 10) + 0.01 * random.next(),
            0.1 + 0.15 * f64::from(index / 10),
        );
        let velocity = random.vector::<Space2>() * 0.5;
        world
            .add(Body::ball(radius, radius * radius, place, velocity).unwrap())
            .unwrap();
    }
    world
}

fn heap() -> World3 {
    let mut world = floored(rolling(0.5, 0.3), [0.0, 0.0, 1.0]);
    for axis in [DVec3::X, DVec3::Y] {
        for (side, place) in [(1.0, 0.0), (-1.0, 0.56)] {
            let normal = (axis * side).to_array();
            world.add(wall((axis * place).to_array(), normal)).unwrap();
        }
    }
    let mut random = Random(12);
    for index in 0..32_u32 {
        let radius = 0.05 + 0.01 * random.next();
        let place = [index % 4, index / 4 % 4, index / 16].map(f64::from);
        let place = DVec3::from_array(place) * 0.135 + 0.07;
        let place = place + random.vector::<Space3>() * 0.005;
        let ball = Body::ball(radius, radius * radius * radius, place, DVec3::ZERO).unwrap();
        world.add(ball).unwrap();
    }
    world
}
