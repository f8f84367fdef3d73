//! The contact samples that Erin Catto's solver2d made known, each judged from outside: nobody is in another by more
//! than a millionth of the size, by plain geometry on the corners, and the energy never grows. (The house of cards, the
//! pyramid far away, the stack of discs and the heavy box on light ones are in `truths.rs`.)

use super::overlaps::{crates2, deepest};
use super::runs::{block2, world2};
use carom::body::Kind;
use carom::prelude::*;
use carom::shape::HalfSpace;
use carom::simulate::{Exact, Settling};

const G: f64 = 9.81;

fn started(world: World2) -> Exact<Space2> {
    Exact::with(world, &Settling::default()).expect("nothing overlaps")
}

/// Runs it in pieces of a twentieth of a second: at the end of each the boxes are apart, and have no more energy than
/// before, beyond what steps of finite length put in.
fn judged(run: &mut Exact<Space2>, until: f64, size: f64) {
    let first = run.audit().now.total();
    let mut before = first;
    let pieces = (until * 20.0).round() as u32;
    for k in 1..=pieces {
        run.run_to(f64::from(k) / 20.0).expect("it gets on");
        let depth = deepest(&crates2(run), DVec3::Y, true);
        assert!(depth <= 1e-6 * size, "{depth:e} m at {k}");
        let audit = run.audit();
        let steps = audit.losses.lasting.stepping.min(0.0).abs();
        let now = audit.now.total();
        assert!(
            now <= before + steps + 1e-9 + 1e-12 * first.abs(),
            "{now} J after {before} J at {k}"
        );
        before = now;
    }
}

/// Twelve boxes one on another with gaps, which fall and stand.
#[test]
fn a_vertical_stack_that_falls_stands() {
    let mut world = world2(0.0, 0.6);
    let ids: Vec<BodyId> = (0..12)
        .map(|k| {
            let place = [0.01 * f64::from(k % 2), 0.5 + 1.02 * f64::from(k)];
            world.add(block2([1.0, 1.0], place, 0.0)).expect("allowed")
        })
        .collect();
    let mut run = started(world);
    judged(&mut run, 3.0, 1.0);
    assert!(run.is_at_rest_everywhere(), "{:?}", run.lasting_rigid());
    for (k, id) in ids.iter().enumerate() {
        let place = run.state(*id).position;
        assert!((place.y - 0.5 - k as f64).abs() < 1e-5, "{k}: {place}");
    }
}

/// A box of a thousand times the mass on three light ones.
#[test]
fn a_thousand_to_one_stands() {
    let mut world = world2(0.0, 0.6);
    for k in 0..3 {
        let place = [1.5 * f64::from(k) - 1.5, 0.5];
        world.add(block2([1.0, 1.0], place, 0.0)).expect("allowed");
    }
    let mut heavy = block2([4.0, 1.0], [0.0, 1.5], 0.0);
    if let Kind::Free(free) = &mut heavy.kind {
        free.mass *= 250.0;
        free.inertia *= 250.0;
    }
    let heavy = world.add(heavy).expect("allowed");
    let mut run = started(world);
    judged(&mut run, 2.0, 1.0);
    assert!(run.is_at_rest_everywhere());
    assert!((run.state(heavy).position.y - 1.5).abs() < 1e-6);
    let up: f64 = (run.contact_forces().iter())
        .filter(|it| it.by == BodyId(0))
        .map(|it| it.force.y)
        .sum();
    assert!((up - 1003.0 * G).abs() < 1e-6 * 1003.0 * G, "{up}");
}

/// Five boxes of different frictions on one slope of tan α = 0.5: those with more stay, those with less slide by
/// ½ g (sin α − μ cos α) t².
#[test]
fn a_friction_ramp_sorts_boxes() {
    let angle = libm::atan(0.5);
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let mut world = World2::new();
    world.set_gravity(DVec2::new(0.0, -G)).expect("finite");
    let normal = DVec2::new(sin, cos);
    let stuff = |friction: f64| Material {
        restitution: 0.0,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    };
    // Combined by the geometric mean with a ramp of 0.5.
    let ramp = world.materials.add("default", stuff(0.5)).expect("allowed");
    let shape = Shape::HalfSpace(HalfSpace::solid(normal).expect("a direction"));
    let floor = Body::fixed(shape);
    world
        .add(Body {
            material: ramp,
            ..floor
        })
        .expect("allowed");
    let own = [0.75, 0.65, 0.35, 0.1, 0.0];
    let mut boxes = Vec::new();
    for (k, friction) in own.into_iter().enumerate() {
        let name = format!("m{k}");
        let material = world
            .materials
            .add(&name, stuff(friction))
            .expect("allowed");
        let down = DVec2::new(cos, -sin) * (-20.0 * k as f64);
        let place = down + normal * 0.25;
        let body = block2([1.0, 0.5], place.to_array(), -angle);
        let id = world.add(Body { material, ..body }).expect("allowed");
        let surface = world.materials.surface(ramp, material);
        boxes.push((id, place, surface.kinetic_friction));
    }
    let mut run = started(world);
    run.run_to(1.5).expect("it gets on");
    let mut slid = 0;
    for (id, place, friction) in boxes {
        let way = (run.state(id).position - place).length();
        let pull = G * (sin - friction * cos);
        let expected = 0.5 * pull.max(0.0) * 1.5 * 1.5;
        assert!(
            (way - expected).abs() < 1e-6 + 1e-4 * expected,
            "{friction}: {way} {expected}"
        );
        slid += u32::from(expected > 0.0);
    }
    assert!((2..=4).contains(&slid), "some stay, some slide: {slid}");
}

/// Boxes between four walls without gravity, a third of the room, thrown at random: nobody leaves, nobody gets into
/// another, and without losses the energy stays.
#[test]
fn confined_boxes_stay_apart() {
    let mut world = world2(1.0, 0.0);
    world.set_gravity(DVec2::ZERO).expect("finite");
    let walls = [
        (DVec2::X, DVec2::ZERO),
        (-DVec2::X, DVec2::new(5.0, 0.0)),
        (-DVec2::Y, DVec2::new(0.0, 5.0)),
    ];
    for (normal, point) in walls {
        let wall = Body::fixed(Shape::HalfSpace(HalfSpace::solid(normal).expect("one")));
        let pose = Pose::at(point);
        world.add(Body { pose, ..wall }).expect("allowed");
    }
    for k in 0..25_u32 {
        let place = [0.5 + f64::from(k % 5), 0.5 + f64::from(k / 5)];
        let mut body = block2([0.6, 0.5], place, 0.1 * f64::from(k));
        if let Kind::Free(free) = &mut body.kind {
            let angle = 2.4 * f64::from(k);
            free.velocity = DVec2::new(libm::cos(angle), libm::sin(angle)) * 2.0;
            free.angular_velocity = f64::from(k % 7) - 3.0;
        }
        world.add(body).expect("allowed");
    }
    let mut run = started(world);
    let before = run.audit().now.total();
    judged(&mut run, 4.0, 0.5);
    let audit = run.audit();
    assert!((audit.now.total() - before).abs() < 1e-10 * before);
    for id in run.bodies().skip(4) {
        let place = run.state(id).position;
        assert!(
            (0.25..4.75).contains(&place.x) && (0.25..4.75).contains(&place.y),
            "{place}"
        );
    }
}

/// Rings of boxes that rush at the middle and do not rebound: they come together and stay apart.
#[test]
fn a_rush_to_the_middle_does_not_overlap() {
    let mut world = world2(0.0, 0.3);
    world.set_gravity(DVec2::ZERO).expect("finite");
    for k in 0..24_u32 {
        let (ring, at) = (f64::from(k / 8), f64::from(k % 8));
        let angle = std::f64::consts::FRAC_PI_4 * at + 0.2 * ring;
        let out = DVec2::new(libm::cos(angle), libm::sin(angle));
        let place = DVec2::new(0.0, 20.0) + out * (2.0 + 1.2 * ring);
        let mut body = block2([0.5, 0.5], place.to_array(), angle);
        if let Kind::Free(free) = &mut body.kind {
            free.velocity = out * -3.0;
        }
        world.add(body).expect("allowed");
    }
    let mut run = started(world);
    judged(&mut run, 2.0, 0.5);
    let audit = run.audit();
    assert!(audit.momentum_residual.length() < 1e-10, "{audit:?}");
    assert!(audit.now.total() < 0.5 * audit.initial.total(), "{audit:?}");
}
