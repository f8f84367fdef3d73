//! Balls on pieces of ways (in fields, at rest, in piles, in tandem) by the run that looks at all pairs: the same
//! events as with cells and swept boxes, to the bit.
//!
//! Production looks at all balls where there are fewer than 48, and at those in the cells around where there are more;
//! of what stands it leaves out whatever its boxes say is out of the way, and keeps only the first contact. The
//! reference does none of that, from the start to the end of a run, and when it is taken up again from a snapshot.

use super::random::Random;
use carom::body::Kind;
use carom::material::Material;
use carom::motion::{Drag, Field, Fields, Lift, Region, RotationalDrag, Wind};
use carom::prelude::*;
use carom::shape::{Ball, Block, HalfSpace, Segment, Shape2};
use carom::simulate::Compiled;
use carom::simulate::Exact;
use std::ops::ControlFlow;

/// More balls than are looked at all together: 48.
const MANY: u32 = 60;
const FEW: u32 = 13;

/// Everything that a run tells, written out to the last digit.
fn told<S: Compiled>(run: &mut Exact<S>, until: f64) -> Vec<String> {
    let mut list = Vec::new();
    run.run_until(until, |event| {
        // How often it says that it is under way is nobody's business.
        if !matches!(event, Event::Underway(_)) {
            list.push(format!("{event:?}"));
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    list
}

/// Runs a world both ways, at once and with a rest in a snapshot; how many collisions there were.
fn same<S: Compiled>(world: &World<S>, until: f64) -> u64 {
    let both = || {
        let reference = Exact::reference(world.clone()).unwrap();
        [reference, Exact::new(world.clone()).unwrap()]
    };
    let [mut slow, mut fast] = both();
    let (expected, found) = (told(&mut slow, until), told(&mut fast, until));
    for (expected, found) in expected.iter().zip(&found) {
        assert_eq!(expected, found);
    }
    assert_eq!(expected.len(), found.len());
    assert_eq!(slow.digest(), fast.digest());
    assert_eq!(slow.audit(), fast.audit());
    assert_eq!(slow.number_at_rest(), fast.number_at_rest());
    assert!(fast.segments() > 0, "nobody was ever on a piece of way");
    for mut run in both() {
        run.run_to(0.37 * until).unwrap();
        let mut again = Exact::<S>::restore(&run.snapshot()).unwrap();
        again.run_to(until).unwrap();
        assert_eq!(again.digest(), slow.digest());
    }
    fast.collisions()
}

fn rubber(restitution: f64) -> Material {
    Material {
        restitution,
        static_friction: 0.3,
        kinetic_friction: 0.2,
        rolling_resistance: 0.02,
        spinning_resistance: 0.01,
        ..Material::default()
    }
}

fn wall<S: Compiled>(point: [f64; 3], normal: [f64; 3]) -> Body<S> {
    let wall = HalfSpace::solid(S::vector(normal)).unwrap();
    Body::fixed(Shape::HalfSpace(wall)).at(S::vector(point))
}

/// A floor and two walls, `width` apart, of one material.
fn tray(width: f64, material: Material, fields: Fields<Space2>) -> World2 {
    let mut world = World2::new();
    world.materials.add("default", material).unwrap();
    world.set_fields(fields).unwrap();
    world.add(wall([0.0; 3], [0.0, 1.0, 0.0])).unwrap();
    world.add(wall([0.0; 3], [1.0, 0.0, 0.0])).unwrap();
    world
        .add(wall([width, 0.0, 0.0], [-1.0, 0.0, 0.0]))
        .unwrap();
    world
}

/// Discs in rows of so many, from a height on, none of them touching another.
fn rows(world: &mut World2, number: u32, across: u32, height: f64, seed: u64) {
    let mut random = Random(seed);
    for index in 0..number {
        let radius = 0.13 + 0.05 * random.signed();
        let place = DVec2::new(
            0.25 + 0.4 * f64::from(index % across) + 0.01 * random.signed(),
            height + 0.4 * f64::from(index / across),
        );
        let velocity = random.around::<Space2>(1.0) * 1.5;
        let ball = Body::ball(radius, radius * radius, place, velocity).unwrap();
        world.add(ball).unwrap();
    }
}

fn falling() -> Fields<Space2> {
    Fields::uniform(DVec2::new(0.0, -9.81))
}

#[test]
fn in_air_with_gusts() {
    let fields = falling()
        .with(Field::Drag(Drag::AIR))
        .with(Field::Wind(Wind::Gust {
            start: 0.3,
            end: 0.7,
            velocity: DVec2::new(8.0, 0.0),
        }));
    for number in [FEW, MANY] {
        let mut world = tray(4.1, rubber(0.9), fields.clone());
        rows(&mut world, number, 10, 0.3, 1);
        let collisions = same(&world, 1.5);
        assert!(collisions > 5 * u64::from(number), "{collisions}");
    }
}

#[test]
fn with_lift_and_spins_that_slow_down_in_a_region() {
    let region = Region::HalfSpace {
        point: DVec2::new(0.0, 1.2),
        normal: DVec2::Y,
    };
    let fields = falling()
        .with(Field::Lift(Lift::Given { coefficient: 0.01 }))
        .within(
            region,
            Field::RotationalDrag(RotationalDrag::Given { coefficient: 1e-4 }),
        );
    for number in [FEW, MANY] {
        let mut world = tray(4.1, rubber(0.9), fields.clone());
        rows(&mut world, number, 10, 0.3, 2);
        let collisions = same(&world, 1.2);
        assert!(collisions > 4 * u64::from(number), "{collisions}");
    }
}

/// Nothing bounds them but the field: cells are left at all sides.
#[test]
fn held_together_by_a_spring_and_by_a_centre() {
    let spring = Field::Spring {
        centre: DVec2::new(2.0, 1.0),
        stiffness: 0.6,
    };
    let centre = Field::Central {
        centre: DVec2::new(2.0, 1.0),
        strength: 3.0,
        softening: 0.4,
    };
    for field in [spring, centre] {
        let mut world = World2::new();
        world
            .set_fields(Fields::uniform(DVec2::ZERO).with(field))
            .unwrap();
        rows(&mut world, MANY, 10, 0.0, 3);
        let collisions = same(&world, 3.0);
        assert!(collisions > 2 * u64::from(MANY), "{collisions}");
    }
}

/// Cells wrap around, and only the nearest image of a ball is asked for.
#[test]
fn in_a_periodic_box_with_a_sheared_wind() {
    let wind = Wind::Uniform {
        velocity: DVec3::new(0.5, -0.2, 0.1),
    };
    let fields = Fields::uniform(DVec3::new(0.0, 0.0, -0.3))
        .with(Field::Wind(wind))
        .with(Field::Drag(Drag::Given {
            linear: 0.05,
            quadratic: 0.02,
        }));
    // Five cells along an axis are enough for the nearest image alone; three are not.
    for (side, radius) in [(5_u32, 0.3), (4, 0.42)] {
        let mut world = World3::new();
        world.materials.add("default", rubber(0.95)).unwrap();
        world.set_fields(fields.clone()).unwrap();
        let length = Some(f64::from(side));
        world.set_periodic([length; 3]).unwrap();
        let mut random = Random(4);
        for index in 0..side * side * side {
            let place = [index % side, index / side % side, index / side / side];
            let place = DVec3::from_array(place.map(|along| f64::from(along) + 0.5));
            let velocity = random.around::<Space3>(1.0) * 2.0;
            world
                .add(Body::ball(radius, 1.0, place, velocity).unwrap())
                .unwrap();
        }
        let collisions = same(&world, 0.8);
        assert!(collisions > 100, "{collisions}");
    }
}

/// Everything comes to lie on everything.
#[test]
fn a_pile_that_settles() {
    for number in [FEW, MANY] {
        let mut world = tray(2.2, rubber(0.5), falling());
        rows(&mut world, number, 5, 0.3, 5);
        let collisions = same(&world, 3.0);
        assert!(collisions > 10 * u64::from(number), "{collisions}");
        let mut run = Exact::new(world).unwrap();
        run.run_to(4.0).unwrap();
        assert_eq!(run.number_at_rest(), number as usize);
    }
}

/// Down through pegs, blocks and a paddle that turns, past a sensor: much scenery, most of it elsewhere.
#[test]
fn through_scenery_of_every_kind() {
    let mut world = tray(4.1, rubber(0.7), falling());
    for index in 0..24 {
        let (column, row) = (index % 6, index / 6);
        let place = DVec2::new(
            0.3 + 0.65 * f64::from(column) + 0.3 * f64::from(row % 2),
            0.8 + 0.5 * f64::from(row),
        );
        let shape = match index % 3 {
            0 => Shape::Ball(Ball::new(0.06).unwrap()),
            1 => Shape::Block(Block::new(DVec2::new(0.07, 0.03)).unwrap()),
            _ => {
                let segment = Segment::new(DVec2::new(-0.08, 0.0), DVec2::new(0.08, 0.02));
                Shape::own(Shape2::Segment(segment.unwrap()))
            }
        };
        let pose = Pose {
            position: place,
            rotation: Turn::by(0.3 * f64::from(index)),
        };
        world.add(Body::fixed(shape).pose(pose)).unwrap();
    }
    let paddle = Segment::new(DVec2::new(-0.3, 0.0), DVec2::new(0.3, 0.0)).unwrap();
    let turning = Drive::Rotation {
        pivot: DVec2::new(2.0, 0.45),
        angular_velocity: 2.0,
    };
    let pose = Pose::at(DVec2::new(2.0, 0.45));
    let paddle = Shape::own(Shape2::Segment(paddle));
    world
        .add(Body::kinematic(paddle, turning).pose(pose))
        .unwrap();
    let gate = Shape::Block(Block::new(DVec2::new(0.5, 0.4)).unwrap());
    let pose = Pose::at(DVec2::new(1.0, 1.0));
    world.add(Body::fixed(gate).pose(pose).sensing()).unwrap();
    rows(&mut world, MANY, 10, 3.1, 6);
    let collisions = same(&world, 1.1);
    assert!(collisions > 2 * u64::from(MANY), "{collisions}");
}

/// Contacts that take a while (C4), of many at once.
#[test]
fn pairs_in_tandem() {
    let material = Material {
        contact_duration: 0.004,
        ..rubber(0.9)
    };
    for number in [FEW, MANY] {
        let mut world = tray(4.1, material, falling());
        rows(&mut world, number, 10, 0.3, 7);
        let collisions = same(&world, 1.0);
        assert!(collisions > 2 * u64::from(number), "{collisions}");
    }
}

/// Whoever comes, goes or is pushed while balls lie on the floor.
#[test]
fn changes_while_balls_rest() {
    let mut world = tray(4.1, rubber(0.4), falling());
    rows(&mut world, MANY, 10, 0.3, 8);
    let run = |mut run: Exact<Space2>| {
        let mut random = Random(9);
        let mut list = Vec::new();
        for step in 1..=15_u32 {
            list.extend(told(&mut run, 0.15 * f64::from(step)));
            let free: Vec<BodyId> = run
                .bodies()
                .filter(|&id| matches!(run.body(id).unwrap().kind, Kind::Free(_)))
                .collect();
            let id = free[(random.signed().abs() * free.len() as f64) as usize];
            match step % 5 {
                0 => {
                    run.remove(id).unwrap();
                }
                1 | 3 => {
                    let place = DVec2::new(2.0 + random.signed(), 5.0);
                    let ball = Body::ball(0.15, 0.02, place, random.around::<Space2>(1.0)).unwrap();
                    run.insert(ball).unwrap();
                }
                2 => run
                    .set_velocity(id, random.around::<Space2>(1.0) * 3.0, 0.0)
                    .unwrap(),
                _ => {
                    let peg = Shape::Ball(Ball::new(0.05).unwrap());
                    let pose = Pose::at(DVec2::new(0.2 * f64::from(step), 4.0));
                    run.insert(Body::fixed(peg).pose(pose)).unwrap();
                }
            }
        }
        (list, run.digest(), run.audit())
    };
    let slow = run(Exact::reference(world.clone()).unwrap());
    let fast = run(Exact::new(world).unwrap());
    for (slow, fast) in slow.0.iter().zip(&fast.0) {
        assert_eq!(slow, fast);
    }
    assert_eq!(slow, fast);
}
