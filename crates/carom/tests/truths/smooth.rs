//! Without friction: what turns about its own axis changes nothing, and what lies on a level floor keeps its momentum
//! along it, asleep or awake.

use carom::prelude::*;
use carom::shape::{Hollow, Shape3, Tube};
use carom::simulate::{Compiled, Exact};
use carom::space::Linear;

const G: f64 = 9.81;

fn world<S: Compiled>(gravity: S::Vector) -> World<S> {
    let mut world = World::new();
    let smooth = Material {
        restitution: 0.3,
        ..Material::default()
    };
    world.materials.add("default", smooth).expect("allowed");
    world.set_gravity(gravity).expect("finite");
    world
}

/// Where a ball is after 3 s on something round that stands, and on the same that turns.
fn both<S: Compiled>(
    gravity: S::Vector,
    shape: &Shape<S>,
    axis: S::Angular,
    start: S::Vector,
) -> f64 {
    let slid = |turning: bool| {
        let mut world = world::<S>(gravity);
        let drive = Drive::Rotation {
            pivot: start * 0.0,
            angular_velocity: axis,
        };
        let fixture = if turning {
            Body::kinematic(shape.clone(), drive)
        } else {
            Body::fixed(shape.clone())
        };
        world.add(fixture).expect("allowed");
        let ball = Body::ball(0.1, 1.0, start, start * 0.0).expect("a ball");
        let id = world.add(ball).expect("allowed");
        let mut run = Exact::new(world).expect("nothing overlaps");
        run.run_to(3.0).expect("it gets on");
        let audit = run.audit();
        assert!(audit.work_by_kinematic.abs() < 1e-12, "{audit:?}");
        (run.state(id), run.collisions())
    };
    let ((still, hits), (turning, others)) = (slid(false), slid(true));
    assert_eq!(hits, others);
    assert_eq!(turning.angular_velocity.length(), 0.0);
    (still.position - turning.position).length()
}

/// A ball that bounces until it slides in a drum, in a tube that lies, over the top of a ball: each segment is within
/// 10⁻¹³, and there are some hundreds.
#[test]
fn what_turns_and_is_smooth_changes_nothing() {
    let ring = Shape::Hollow(Hollow::new(1.0).expect("positive"));
    let off = both::<Space2>(DVec2::Y * -G, &ring, 4.0, DVec2::new(0.6, -0.4));
    assert!(off < 1e-9, "{off:e} m in a drum");
    let tube = Tube::new(DVec3::Y, 1.0).expect("positive");
    let tube = Shape::own(Shape3::Tube(tube));
    let start = DVec3::new(0.6, 0.0, -0.4);
    let off = both::<Space3>(DVec3::Z * -G, &tube, DVec3::Y * 4.0, start);
    assert!(off < 1e-9, "{off:e} m in a tube");
    let sphere = Shape::Hollow(Hollow::new(1.0).expect("positive"));
    let axis = DVec3::new(1.0, -2.0, 2.0);
    let off = both::<Space3>(DVec3::Z * -G, &sphere, axis, DVec3::new(0.5, 0.3, -0.4));
    assert!(off < 1e-9, "{off:e} m in a sphere");
    let start = DVec2::new(0.02, 1.101);
    let ball = Shape::ball(1.0).expect("positive");
    let off = both::<Space2>(DVec2::Y * -G, &ball, -7.0, start);
    assert!(off < 1e-9, "{off:e} m off a ball");
}

/// A heap of smooth balls that falls on a smooth floor, is struck by one that comes along it, and comes apart: all the
/// momentum along the floor is what the striker brought, at any time, whoever sleeps meanwhile.
fn struck<S: Compiled>(up: S::Vector, ahead: S::Vector, places: &[S::Vector], striker: S::Vector) {
    let mut world = world::<S>(up * -G);
    world
        .add(Body::fixed(Shape::half_space(up).expect("a direction")))
        .expect("allowed");
    for place in places {
        let ball = Body::ball(0.1, 1.0, *place, up * 0.0).expect("a ball");
        world.add(ball).expect("allowed");
    }
    let fast = Body::ball(0.1, 0.5, striker, ahead * 3.0).expect("a ball");
    world.add(fast).expect("allowed");
    let weight = (places.len() as f64 + 0.5) * G;
    let mut run = Exact::new(world).expect("nothing overlaps");
    for k in 1..=12 {
        run.run_to(0.25 * f64::from(k)).expect("it gets on");
        let momentum = run.audit().momentum;
        let along = momentum - up * momentum.dot(up) - ahead * 1.5;
        // Normals of the floor are upright to the last digit; those between balls give to both alike.
        assert!(
            along.length() < 1e-12 * weight * run.time(),
            "{along:?} at {k}"
        );
    }
    // From the states alone, too.
    let mut momentum = up * 0.0;
    for id in run.bodies().skip(1) {
        let mass = if id.0 as usize == places.len() + 1 {
            0.5
        } else {
            1.0
        };
        momentum += run.state(id).velocity * mass;
    }
    assert!((momentum.dot(ahead) - 1.5).abs() < 1e-11, "{momentum:?}");
}

#[test]
fn smooth_balls_keep_their_momentum_along_the_floor() {
    let places: Vec<DVec2> = (0..12)
        .map(|k| {
            DVec2::new(
                0.21 * f64::from(k % 4) + 0.01 * f64::from(k / 4),
                0.12 + 0.21 * f64::from(k / 4),
            )
        })
        .collect();
    struck::<Space2>(DVec2::Y, DVec2::X, &places, DVec2::new(-3.0, 0.1));
    let places: Vec<DVec3> = (0..18)
        .map(|k| {
            let [x, y, z] = [k % 3, k / 3 % 3, k / 9].map(f64::from);
            DVec3::new(0.21 * x + 0.01 * z, 0.21 * y - 0.02 * z, 0.12 + 0.21 * z)
        })
        .collect();
    struck::<Space3>(DVec3::Z, DVec3::X, &places, DVec3::new(-3.0, 0.2, 0.1));
}
