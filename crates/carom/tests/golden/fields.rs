//! Balls in fields: each kind, each kind of wind, each kind of region, both integrators.

use super::gases::room;
use super::{Random, exact, material, spinning, wall, without_rests};
use carom::motion::{
    Drag, Field, Fields, Integrator, Lift, Named, Region, RotationalDrag, Situation, Tolerance,
    Wind,
};
use carom::prelude::*;
use carom::simulate::Exact;

scenes! {
    drag_given => flat(Fields::uniform(FALL).with(Field::Drag(THICK))),
    drag_of_a_medium => flat(Fields::uniform(FALL).with(Field::Drag(Drag::AIR))),
    wind_uniform => flat(in_wind(Wind::Uniform { velocity: DVec2::new(3.0, 1.0) })),
    wind_shear => flat(in_wind(Wind::Shear {
        point: DVec2::new(0.0, 1.0),
        velocity: DVec2::new(1.0, 0.0),
        normal: DVec2::Y,
        gradient: DVec2::new(2.0, 0.0),
    })),
    wind_gust => flat(in_wind(Wind::Gust {
        start: 0.31,
        end: 0.77,
        velocity: DVec2::new(-8.0, 0.0),
    })),
    wind_vortex => flat(in_wind(Wind::Vortex {
        centre: DVec2::new(1.4, 1.6),
        axis: 1.0,
        circulation: 12.0,
        core: 0.3,
    })),
    wind_function => by_functions(in_wind(Wind::Function(
        Named::wind("my wind", |place: DVec2, time: f64| {
            DVec2::new(2.0 * place.y, if time < 0.5 { 1.0 } else { -1.0 })
        })
        .with_jumps(&[0.5]),
    ))),
    wind_in_space => deep(Fields::uniform(DVec3::new(0.0, 0.0, -3.0))
        .with(Field::Drag(THICK))
        .with(Field::Wind(Wind::Vortex {
            centre: DVec3::splat(1.5),
            axis: DVec3::Z,
            circulation: 12.0,
            core: 0.3,
        }))),
    lift_given => flat(Fields::uniform(FALL).with(Field::Lift(Lift::Given { coefficient: 0.02 }))),
    lift_of_a_medium => deep(Fields::uniform(DVec3::new(0.0, 0.0, -3.0)).with(Field::Lift(
        Lift::OfMedium { density: 1.2, coefficient: 0.5 },
    ))),
    spin_drag_given => flat(Fields::uniform(FALL).with(Field::RotationalDrag(SLOWING))),
    spin_drag_of_a_medium => deep(Fields::uniform(DVec3::new(0.0, 0.0, -3.0)).with(
        Field::RotationalDrag(RotationalDrag::OfMedium { viscosity: 0.02 }),
    )),
    central => flat(Fields::uniform(DVec2::ZERO).with(Field::Central {
        centre: DVec2::new(1.3, 1.7),
        strength: 2.0,
        softening: 0.2,
    })),
    central_that_repels => flat(Fields::uniform(FALL).with(Field::Central {
        centre: DVec2::new(1.5, -0.5),
        strength: -2.0,
        softening: 0.0,
    })),
    spring => flat(Fields::uniform(FALL).with(Field::Spring {
        centre: DVec2::new(1.0, 2.0),
        stiffness: 1.5,
    })),
    spring_in_space => deep(Fields::uniform(DVec3::ZERO).with(Field::Spring {
        centre: DVec3::splat(1.4),
        stiffness: 1.5,
    })),
    own_force => by_functions(Fields::uniform(FALL).with(Field::Force(Named::force(
        "my force",
        |at: &Situation<Space2>| DVec2::new(-at.position.y, at.position.x) * at.mass + at.velocity * -0.1,
    )))),
    uniform_in_a_half_space => flat(within(Region::HalfSpace {
        point: DVec2::new(1.5, 0.0),
        normal: DVec2::X,
    })),
    uniform_in_a_ball => through(Region::Ball { centre: DVec2::new(1.4, 1.2), radius: 0.7 }),
    uniform_in_a_box => flat(within(Region::Box {
        low: DVec2::new(0.5, 0.7),
        high: DVec2::new(2.0, 2.5),
    })),
    spin_drag_in_a_half_space => flat(Fields::uniform(FALL).within(
        Region::HalfSpace { point: DVec2::new(0.0, 2.0), normal: DVec2::Y },
        Field::RotationalDrag(SLOWING),
    )),
    drag_in_a_box => flat(Fields::uniform(FALL).within(
        Region::Box { low: DVec2::new(0.5, 0.7), high: DVec2::new(2.0, 2.5) },
        Field::Drag(THICK),
    )),
    explicit_euler => {
        let mut world = crowd2(Fields::uniform(FALL).with(Field::Drag(THICK)));
        world.set_integrator(Integrator::ExplicitEuler { step: 1.0 / 64.0 }).unwrap();
        exact(world, 1.5, 30, &[3, 31])
    },
    a_fine_tolerance => {
        let mut world = crowd2(Fields::uniform(FALL).with(Field::Drag(THICK)));
        world.set_integrator(Integrator::Adaptive(Tolerance::of(1e-13))).unwrap();
        exact(world, 1.5, 30, &[3, 31])
    },
    drag_while_sliding_and_rolling => exact(sliding(), 3.0, 6, &[3, 31]),
}

const FALL: DVec2 = DVec2::new(0.0, -3.0);

const THICK: Drag = Drag::Given {
    linear: 0.1,
    quadratic: 0.05,
};

const SLOWING: RotationalDrag = RotationalDrag::Given { coefficient: 0.01 };

fn in_wind(wind: Wind<Space2>) -> Fields<Space2> {
    let air = Fields::uniform(FALL).with(Field::Drag(THICK));
    air.with(Field::Wind(wind))
}

/// Gravity of its own within a region.
fn within(region: Region<Space2>) -> Fields<Space2> {
    Fields::uniform(FALL).within(region, Field::Uniform(DVec2::new(4.0, 6.0)))
}

/// Nine discs that spin, in a square of 3 m.
fn crowd2(fields: Fields<Space2>) -> World2 {
    let mut world = World2::new();
    world.materials.add("default", material(0.9, 0.2)).unwrap();
    world.set_fields(fields).unwrap();
    room(&mut world, 3.0);
    let mut random = Random(21);
    for index in 0..9_u32 {
        let place = DVec2::new(f64::from(index % 3), f64::from(index / 3)) + 0.5;
        let radius = 0.25 + 0.08 * random.next();
        let ball = Body::ball(radius, 1.0, place, random.vector::<Space2>() * 3.0).unwrap();
        world.add(spinning(ball, 10.0 * random.next())).unwrap();
    }
    world
}

fn flat(fields: Fields<Space2>) -> u64 {
    exact(crowd2(fields), 1.5, 30, &[3, 31])
}

/// Three that fly through a round region, from outside, off its centre, to the wall behind it.
fn through(region: Region<Space2>) -> u64 {
    let mut world = World2::new();
    world.materials.add("default", material(0.9, 0.2)).unwrap();
    let push = Field::Uniform(DVec2::new(-0.3, 0.4));
    let fields = Fields::uniform(DVec2::ZERO).within(region, push);
    world.set_fields(fields).unwrap();
    room(&mut world, 3.0);
    for (y, speed) in [(0.8, 2.0), (1.35, 2.3), (1.75, 1.9)] {
        let ball = Body::ball(0.1, 1.0, DVec2::new(0.3, y), DVec2::new(speed, 0.0)).unwrap();
        world.add(spinning(ball, 3.0)).unwrap();
    }
    exact(world, 2.0, 3, &[3, 31])
}

/// Functions are not stored.
fn by_functions(fields: Fields<Space2>) -> u64 {
    let world = crowd2(fields);
    let start = || Exact::new(world.clone()).unwrap();
    without_rests(start, 1.5, 30, &[3, 31])
}

/// Eight spheres that spin, in a cube of 3 m.
fn deep(fields: Fields<Space3>) -> u64 {
    let mut world = World3::new();
    world.materials.add("default", material(0.9, 0.2)).unwrap();
    world.set_fields(fields).unwrap();
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        for (side, place) in [(1.0, 0.0), (-1.0, 3.0)] {
            let normal = (axis * side).to_array();
            world.add(wall((axis * place).to_array(), normal)).unwrap();
        }
    }
    let mut random = Random(22);
    for index in 0..8_u32 {
        let place = [index % 2, index / 2 % 2, index / 4].map(f64::from);
        let place = DVec3::from_array(place) * 1.5 + 0.75;
        let ball = Body::ball(0.4, 1.0, place, random.vector::<Space3>() * 4.0).unwrap();
        world
            .add(spinning(ball, random.vector::<Space3>() * 10.0))
            .unwrap();
    }
    exact(world, 1.5, 20, &[3, 31])
}

/// On a floor in wind, from sliding to rolling.
fn sliding() -> World2 {
    let mut world = World2::new();
    let rolls = Material {
        rolling_resistance: 0.02,
        ..material(0.3, 0.2)
    };
    world.materials.add("default", rolls).unwrap();
    let fields = Fields::uniform(DVec2::new(0.0, -9.81)).with(Field::Drag(THICK));
    let wind = Wind::Uniform {
        velocity: DVec2::new(1.0, 0.0),
    };
    world.set_fields(fields.with(Field::Wind(wind))).unwrap();
    world.add(wall([0.0; 3], [0.0, 1.0, 0.0])).unwrap();
    for (x, speed) in [(0.0, 2.0), (1.0, 0.0), (2.0, -1.0)] {
        let place = DVec2::new(x, 0.12);
        let ball = Body::ball(0.1, 0.4, place, DVec2::new(speed, 0.0)).unwrap();
        world.add(ball).unwrap();
    }
    world
}
