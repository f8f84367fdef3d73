//! Boxes that keep touching, by forces, against what is known about them (PHYSICS.md, "Contacts that last"); by
//! impulses: `tests/rigid/truths.rs` and `tests/rigid/truths_3d.rs`.

use carom::body::Kind;
use carom::material::Constants;
use carom::prelude::*;
use carom::shape::Block;
use carom::simulate::{Compiled, State, Stepped};
use carom::space::{Linear, Space};

const G: f64 = 9.81;

/// A floor at height 0 under a gravity, everything of one material.
fn floor<S: Compiled>(
    restitution: f64,
    friction: f64,
    gravity: S::Vector,
    up: S::Vector,
) -> World<S> {
    let mut world = World::new();
    let stuff = Material {
        restitution,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    };
    world.materials.add("default", stuff).unwrap();
    world.set_gravity(gravity).unwrap();
    world
        .add(Body::fixed(Shape::half_space(up).unwrap()))
        .unwrap();
    world
}

fn block2(size: [f64; 2], place: [f64; 2], angle: f64) -> Body<Space2> {
    let shape = Shape::Block(Block::new(DVec2::from_array(size) * 0.5).unwrap());
    let pose = Pose {
        position: DVec2::from_array(place),
        rotation: Turn::by(angle),
    };
    Body::solid(shape, 1.0, pose, DVec2::ZERO, 0.0).unwrap()
}

/// In the plane of x and z, and 0.4 m deep; turned about y from x to z.
fn block3(size: [f64; 2], place: [f64; 2], angle: f64) -> Body<Space3> {
    let half = DVec3::new(0.5 * size[0], 0.2, 0.5 * size[1]);
    let pose = Pose {
        position: DVec3::new(place[0], 0.0, place[1]),
        rotation: Space3::rotation_of(DVec3::Y, -angle),
    };
    Body::solid(
        Shape::Block(Block::new(half).unwrap()),
        1.0,
        pose,
        DVec3::ZERO,
        DVec3::ZERO,
    )
    .unwrap()
}

fn started<S: Compiled>(world: World<S>, stiffness: f64) -> Stepped<S> {
    let forces = Forces::default().with_fallback(Constants::linear(2.0 * stiffness));
    Stepped::new(world, &forces).unwrap_or_else(|wrong| panic!("{}", wrong[0]))
}

/// What a box on a slope does: base, height, friction, tan α.
const SLOPES: [([f64; 2], f64, f64); 4] = [
    ([0.5, 0.5], 0.6, 0.5),
    ([0.5, 0.5], 0.4, 0.5),
    ([0.2, 0.5], 0.6, 0.38),
    ([0.2, 0.5], 0.6, 0.42),
];

/// The speed along the slope at 0.5 s and 1 s, and the angle at 1 s, of a box that starts where its weight has
/// pressed it to.
fn on_a_slope<S: Compiled>(
    [up, ahead]: [S::Vector; 2],
    friction: f64,
    tangent: f64,
    block: impl Fn(f64) -> Body<S>,
    angle: impl Fn(S::Rotation) -> f64,
) -> [f64; 3] {
    let (sin, cos) = libm::sincos(libm::atan(tangent));
    let stiffness = 1e6;
    let gravity = ahead * (G * sin) - up * (G * cos);
    let mut world = floor::<S>(0.3, friction, gravity, up);
    let id = world.add(block(G * cos / stiffness)).unwrap();
    let mut run = started(world, stiffness);
    let [early, late] = [0.5, 1.0].map(|time| {
        run.run_to(time).unwrap();
        run.state(id).velocity.dot(ahead)
    });
    [early, late, angle(run.state(id).rotation)]
}

/// It slips with g (sin α − μ cos α) where tan α > μ, tips where tan α > b/h, and stays where neither is.
#[test]
fn a_box_on_a_slope_slips_tips_or_stays() {
    for ([base, height], friction, tangent) in SLOPES {
        let (sin, cos) = libm::sincos(libm::atan(tangent));
        let plane = on_a_slope::<Space2>(
            [DVec2::Y, DVec2::X],
            friction,
            tangent,
            |sunk| block2([base, height], [0.0, 0.5 * height - sunk], 0.0),
            |rotation| rotation.sin.abs(),
        );
        let space = on_a_slope::<Space3>(
            [DVec3::Z, DVec3::X],
            friction,
            tangent,
            |sunk| block3([base, height], [0.0, 0.5 * height - sunk], 0.0),
            |rotation| (1.0 - Space3::axes(rotation)[2][2].min(1.0)).sqrt(),
        );
        for [early, late, turned] in [plane, space] {
            if tangent > friction {
                // The load is not the same at both ends of the base, and the face turns by b⁻¹ N/k = 10⁻⁵, which is
                // as if the slope were as much steeper.
                let ratio = (late - early) / (0.5 * G * (sin - friction * cos));
                assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
                assert!(turned < 1e-3, "{turned}");
            } else if tangent > base / height {
                // About its edge, with b²/3 + h²/3 and g sin(α − α₀) (b² + h²)^½/2, it turns as cosh, for 1 s.
                assert!(turned > 0.3, "turned by {turned}");
            } else {
                // The springs swing when it is let go, and have come to an end.
                assert!(late.abs() < 1e-9 && turned < 1e-3, "{late:e} {turned:e}");
            }
        }
    }
}

/// The share of its energy that a block of 0.2 by 1 m keeps when it changes its corner for the first time.
fn rocking<S: Compiled>(
    up: S::Vector,
    stiffness: f64,
    block: Body<S>,
    turning: impl Fn(&State<S>) -> f64,
) -> f64 {
    let mut world = floor::<S>(0.0, 2.0, up * -G, up);
    let id = world.add(block).unwrap();
    let mut run = started(world, stiffness);
    let energy = |run: &Stepped<S>| run.audit().now.total() - 0.5 * G;
    let first = energy(&run);
    let mut before = 0.0;
    for k in 1..2000 {
        run.run_to(f64::from(k) / 1000.0).unwrap();
        // When it is farthest out on the other side it turns back.
        let state = run.state(id);
        let now = turning(&state);
        if k > 100 && now * before < 0.0 && (state.position.dot(up) - 0.5) > 1e-3 {
            return energy(&run) / first;
        }
        before = now;
    }
    panic!("it does not rock")
}

/// Housner's block: r = 1 − (3/2) sin² α, tan α = b/h. A spring of k holds it down for √(m/k) when a corner lifts, and
/// lets it sink in by m g/k: the error falls as 1/√k at least.
#[test]
fn a_rocking_block_loses_what_housner_says() {
    let (size, tilt) = ([0.2, 1.0], 0.1);
    let angle = f64::atan2(size[0], size[1]);
    let r = 1.0 - 1.5 * angle.sin() * angle.sin();
    let (sin, cos) = libm::sincos(tilt);
    let place = [
        -0.5 * size[0] * cos + 0.5 * size[1] * sin,
        0.5 * size[0] * sin + 0.5 * size[1] * cos,
    ];
    let off = |share: f64| (share / (r * r) - 1.0).abs();
    let offs = [1e5, 1e7].map(|stiffness| {
        let plane = rocking(DVec2::Y, stiffness, block2(size, place, -tilt), |state| {
            state.angular_velocity
        });
        println!("{stiffness:e}: {plane} {}", r * r);
        off(plane)
    });
    assert!(offs[1] < 0.2 * offs[0] && offs[1] < 1e-2, "{offs:?}");
    let space = rocking(DVec3::Z, 1e5, block3(size, place, -tilt), |state| {
        state.angular_velocity.y
    });
    assert!(off(space) < 1.1 * offs[0], "{space} {offs:?}");
}

/// N equal boxes press with k m g at level k: so deep is the spring below each pressed, to the swing that is left.
#[test]
fn stacked_boxes_press_with_their_weights() {
    fn check<S: Compiled>(mut world: World<S>, block: impl Fn(u32) -> Body<S>) {
        let (number, stiffness) = (5, 1e5);
        for level in 0..number {
            world.add(block(level)).unwrap();
        }
        let mut run = started(world, stiffness);
        run.run_to(3.0).unwrap();
        let mut loads: Vec<f64> = run
            .touching()
            .iter()
            .map(|it| it.2 * stiffness / G)
            .collect();
        loads.sort_by(f64::total_cmp);
        assert_eq!(loads.len(), number as usize);
        for (level, load) in loads.iter().enumerate() {
            let weights = (level + 1) as f64;
            assert!((load - weights).abs() < 1e-6, "{level}: {loads:?}");
        }
    }
    let height = |level: u32| 0.1 + 0.2 * f64::from(level);
    check(
        floor::<Space2>(0.2, 0.5, DVec2::Y * -G, DVec2::Y),
        |level| block2([0.4, 0.2], [0.0, height(level)], 0.0),
    );
    check(
        floor::<Space3>(0.2, 0.5, DVec3::Z * -G, DVec3::Z),
        |level| block3([0.4, 0.2], [0.0, height(level)], 0.0),
    );
}

/// Smooth boxes on a smooth floor, a ball that strikes one of them: all that was along the floor is there at the end.
#[test]
fn smooth_boxes_keep_their_momentum_along_the_floor() {
    fn check<S: Compiled>(mut world: World<S>, ahead: S::Vector, bodies: Vec<Body<S>>) {
        let mut given = 0.0;
        for body in bodies {
            if let Kind::Free(free) = &body.kind {
                given += free.mass * free.velocity.dot(ahead);
            }
            world.add(body).unwrap();
        }
        let mut run = started(world, 1e5);
        run.run_to(2.0).unwrap();
        let audit = run.audit();
        // Rounding, of some 10⁵ steps in which normals that are not quite upright press with a weight.
        let off = audit.momentum.dot(ahead) - given;
        assert!(off.abs() < 1e-10, "{off:e} of {given}");
    }
    let moving = |x: f64| Body::ball(0.1, 0.3, DVec2::new(x, 0.1), DVec2::X * 2.0).unwrap();
    let stack = [[0.0, 0.1], [0.0, 0.3], [0.7, 0.1]];
    let mut bodies: Vec<_> = stack.map(|at| block2([0.4, 0.2], at, 0.0)).to_vec();
    bodies.push(moving(-1.0));
    check(floor(0.5, 0.0, DVec2::Y * -G, DVec2::Y), DVec2::X, bodies);
    let mut bodies: Vec<_> = stack.map(|at| block3([0.4, 0.2], at, 0.0)).to_vec();
    let place = DVec3::new(-1.0, 0.05, 0.1);
    bodies.push(Body::ball(0.1, 0.3, place, DVec3::X * 2.0).unwrap());
    check(floor(0.5, 0.0, DVec3::Z * -G, DVec3::Z), DVec3::X, bodies);
}
