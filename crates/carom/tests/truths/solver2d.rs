//! The other contact samples of Erin Catto's solver2d, judged from outside as in `samples.rs`: by plain geometry on
//! corners and discs, by energy, drift and sleep.

use super::common::{block2, deepest, world2};
use carom::body::Kind;
use carom::prelude::*;
use carom::shape::{Compound, Convex, HalfSpace};
use carom::simulate::{Exact, Settling};

const G: f64 = 9.81;

fn started(world: World2) -> Exact<Space2> {
    Exact::with(world, &Settling::default()).expect("nothing overlaps")
}

/// A box of a weight of its own.
fn heavy(size: [f64; 2], place: [f64; 2], mass: f64) -> Body<Space2> {
    let mut body = block2(size, place, 0.0);
    if let Kind::Free(free) = &mut body.kind {
        let factor = mass / free.mass;
        (free.mass, free.inertia) = (free.mass * factor, free.inertia * factor);
    }
    body
}

/// Runs until a time; no box is in another, and there is no more energy than before, beyond what steps put in.
fn judged(run: &mut Exact<Space2>, until: f64, size: f64) {
    judged_from(run, 0.0, until, size);
}

/// The same from a time on.
fn judged_from(run: &mut Exact<Space2>, from: f64, until: f64, size: f64) {
    let mut before = run.audit().now.total();
    let first = before.abs();
    let tenths = |time: f64| (time * 10.0).round() as u32;
    for k in tenths(from) + 1..=tenths(until) {
        run.run_to(f64::from(k) / 10.0).expect("it gets on");
        let depth = deepest(run);
        // Places of some 10 m, rounded a few times.
        assert!(depth <= 1e-6 * size + 1e-13, "{depth:e} m at {k}");
        let audit = run.audit();
        // What steps of finite length add, and what undoing their overlaps lifts: steps that are cut at collisions are
        // of first order, a thousandth.
        let lasting = &audit.losses.lasting;
        let steps = (lasting.stepping.min(0.0) + lasting.projection.min(0.0)).abs();
        assert!(steps < 1e-3 * first, "{steps:e} J by steps");
        let now = audit.now.total();
        assert!(
            now <= before + steps + 1e-9 + 1e-12 * first,
            "{now} J after {before} J at {k}"
        );
        before = now;
    }
}

/// What the floor, the first body, carries, in newtons.
fn carried(run: &Exact<Space2>) -> f64 {
    (run.contact_forces().iter())
        .filter(|it| it.by == BodyId(0))
        .map(|it| it.force.y)
        .sum()
}

/// *Card house*: five storeys of cards of 1 mm that lean at 25° on each other, with level cards between. (Sizes of the
/// sample: cards of 0.4 m by 2 mm, friction 0.7.)
#[test]
fn a_card_house_of_five_storeys_stands() {
    let (length, thickness, lean) = (0.4, 0.002, 25.0_f64.to_radians());
    let (s, c) = (lean.sin(), lean.cos());
    let (wide, high) = (length * s + thickness * c, length * c + thickness * s);
    let mut world = world2(0.0, 0.7);
    let mut places = Vec::new();
    let mut base = 0.0;
    // From the middle of a pair to that of the next: feet touch.
    let pitch = 2.0 * wide;
    // Two level cards meet over each pair, whose highest points are `thickness c` to each side of its middle.
    let level = pitch - 0.5 * thickness;
    for storey in 0..5_u32 {
        let pairs = 5 - storey;
        let left = -0.5 * pitch * f64::from(pairs - 1);
        for pair in 0..pairs {
            let middle = left + pitch * f64::from(pair);
            for side in [-1.0, 1.0] {
                let place = [middle + side * 0.5 * wide, base + 0.5 * high];
                let card = block2([thickness, length], place, side * lean);
                places.push((world.add(card).expect("allowed"), place));
            }
        }
        for gap in 1..pairs {
            let place = [
                left + pitch * (f64::from(gap) - 0.5),
                base + high + 0.5 * thickness,
            ];
            let card = block2([level, thickness], place, 0.0);
            places.push((world.add(card).expect("allowed"), place));
        }
        base += high + thickness;
    }
    assert_eq!(places.len(), 40);
    let mut run = started(world);
    judged(&mut run, 2.0, thickness);
    for (id, place) in &places {
        let off = (run.state(*id).position - DVec2::from_array(*place)).length();
        assert!(off < 1e-2 * length, "{id:?} is {off} m off");
    }
    assert!(run.is_at_rest_everywhere(), "{:?}", run.lasting_rigid());
    let weight = (30.0 * length + 10.0 * level) * thickness * G;
    assert!((carried(&run) / weight - 1.0).abs() < 1e-6);
}

/// *Circle stack*: discs straight on each other, let fall with gaps, pressed together, at rest.
#[test]
fn a_stack_of_discs_stands() {
    let mut world = world2(0.0, 0.6);
    let ids: Vec<BodyId> = (0..10)
        .map(|k| {
            let place = DVec2::new(0.0, 0.5 + 1.1 * f64::from(k));
            let disc = Body::ball(0.5, 1.0, place, DVec2::ZERO).expect("a disc");
            world.add(disc).expect("allowed")
        })
        .collect();
    let mut run = started(world);
    run.run_to(3.0).expect("it gets on");
    assert!(run.is_at_rest_everywhere());
    for (k, id) in ids.iter().enumerate() {
        let off = run.state(*id).position - DVec2::new(0.0, 0.5 + k as f64);
        // What keeps members of a large island apart is less than 2·10⁻⁵ of the radius for each.
        assert!(
            off.x == 0.0 && off.y.abs() < 1e-5 * (k + 1) as f64,
            "{k}: {off}"
        );
    }
    let mut loads: Vec<f64> = run
        .contact_forces()
        .iter()
        .map(|it| it.normal / G)
        .collect();
    loads.sort_by(f64::total_cmp);
    for (k, load) in loads.iter().enumerate() {
        let weights = (k + 1) as f64;
        assert!((load / weights - 1.0).abs() < 1e-8, "{loads:?}");
    }
}

/// *High mass ratio 1*: pyramids of ten rows, the uppermost box of ten and of three hundred times the mass.
#[test]
fn pyramids_under_a_heavy_box_stand() {
    for factor in [10.0, 300.0] {
        let mut world = world2(0.0, 0.6);
        let rows = 8_u32;
        let mut places = Vec::new();
        for row in 0..rows {
            for k in 0..rows - row {
                let x = f64::from(k) + 0.5 * f64::from(row);
                let place = [1.02 * x, 0.5 + f64::from(row)];
                let mass = if row + 1 == rows { factor } else { 1.0 };
                let id = world.add(heavy([1.0, 1.0], place, mass));
                places.push((id.expect("allowed"), DVec2::from_array(place)));
            }
        }
        let mut run = started(world);
        judged(&mut run, 2.0, 1.0);
        assert!(
            run.is_at_rest_everywhere(),
            "{factor}: {:?}",
            run.lasting_rigid()
        );
        for (id, place) in &places {
            let off = (run.state(*id).position - *place).length();
            assert!(off < 1e-4, "{factor}: {id:?} is {off:e} m off");
        }
        let weight = (places.len() as f64 - 1.0 + factor) * G;
        let share = carried(&run) / weight - 1.0;
        assert!(share.abs() < 1e-6, "{factor}: {share:e}");
    }
}

/// *High mass ratio 2*: a large box of a hundred times the mass on two small ones at its ends; and *3*: on two
/// triangles whose points are up.
#[test]
fn a_large_box_on_two_small_supports_stands() {
    for triangles in [false, true] {
        let mut world = world2(0.0, 0.6);
        for x in [-4.5, 4.5] {
            let support = if triangles {
                let corners = [[-0.5, 0.0], [0.5, 0.0], [0.0, 1.0]].map(DVec2::from_array);
                let part = Convex::<Space2>::polygon(&corners).expect("convex");
                let form = Compound::with_mass(vec![part], 1.0).expect("a body");
                let pose = Pose::at(DVec2::new(x, 0.0) - form.origin());
                Body::solid(Shape::Compound(Box::new(form)), 1.0, pose, DVec2::ZERO, 0.0)
                    .expect("a solid")
            } else {
                heavy([1.0, 1.0], [x, 0.5], 1.0)
            };
            world.add(support).expect("allowed");
        }
        let large = world.add(heavy([10.0, 10.0], [0.0, 6.0], 100.0));
        let large = large.expect("allowed");
        let mut run = started(world);
        judged(&mut run, 2.0, 1.0);
        assert!(
            run.is_at_rest_everywhere(),
            "{triangles}: {:?}",
            run.lasting_rigid()
        );
        let off = (run.state(large).position - DVec2::new(0.0, 6.0)).length();
        assert!(off < 1e-6, "{triangles}: {off:e} m off");
        let share = carried(&run) / (102.0 * G) - 1.0;
        assert!(share.abs() < 1e-8, "{triangles}: {share:e}");
    }
}

/// *Far pyramid*, let fall, 100 km from the origin, where coordinates have 1.5·10⁻¹¹ m.
#[test]
fn a_pyramid_that_falls_far_away_stands() {
    let far = 1e5;
    let mut world = world2(0.0, 0.6);
    let mut places = Vec::new();
    for row in 0..8_u32 {
        for k in 0..8 - row {
            let x = far + 1.1 * (f64::from(k) + 0.5 * f64::from(row));
            let body = block2([1.0, 1.0], [x, 0.5 + 1.02 * f64::from(row)], 0.0);
            let place = DVec2::new(x, 0.5 + f64::from(row));
            places.push((world.add(body).expect("allowed"), place));
        }
    }
    let mut run = started(world);
    judged(&mut run, 2.0, 1.0);
    assert!(run.is_at_rest_everywhere(), "{:?}", run.lasting_rigid());
    for (id, place) in places {
        let off = (run.state(id).position - place).length();
        assert!(off < 1e-4, "{off:e} m");
    }
}

/// *Confined*: discs between four walls without gravity, packed as closely as a square lattice is, struck by one that
/// comes fast.
#[test]
fn confined_discs_stay_apart() {
    let mut world = world2(0.0, 0.0);
    world.set_gravity(DVec2::ZERO).expect("finite");
    let (across, radius) = (8_u32, 0.5);
    let side = 1.001 * f64::from(across);
    let walls = [
        (DVec2::X, DVec2::ZERO),
        (-DVec2::X, DVec2::new(side, 0.0)),
        (-DVec2::Y, DVec2::new(0.0, side)),
    ];
    for (normal, point) in walls {
        let wall = Body::fixed(Shape::HalfSpace(HalfSpace::solid(normal).expect("one")));
        world.add(wall.at(point)).expect("allowed");
    }
    let mut ids = Vec::new();
    for k in 0..across * across {
        let place =
            DVec2::new(f64::from(k % across), f64::from(k / across)) * 1.001 + DVec2::splat(0.5005);
        let speed = if k == 27 {
            DVec2::new(20.0, 7.0)
        } else {
            DVec2::ZERO
        };
        let disc = Body::ball(radius, 1.0, place, speed).expect("a disc");
        ids.push(world.add(disc).expect("allowed"));
    }
    let mut run = started(world);
    let mut before = run.audit().now.total();
    for k in 1..=20 {
        run.run_to(0.1 * f64::from(k)).expect("it gets on");
        let places: Vec<DVec2> = ids.iter().map(|&id| run.state(id).position).collect();
        for (index, place) in places.iter().enumerate() {
            for other in &places[..index] {
                let gap = (*place - *other).length() - 2.0 * radius;
                assert!(gap >= -1e-6 * radius, "{gap:e} at {k}");
            }
            let wall = place.min_element().min(side - place.max_element()) - radius;
            assert!(wall >= -1e-6 * radius, "{wall:e} at {k}");
        }
        let now = run.audit().now.total();
        assert!(now <= before * (1.0 + 1e-12), "{now} after {before}");
        before = now;
    }
}

/// *Rush*: three hundred discs that all move towards the middle, where a post stands, and do not rebound.
#[test]
fn discs_that_rush_at_a_post_do_not_overlap() {
    let mut world = world2(0.0, 0.3);
    world.set_gravity(DVec2::ZERO).expect("finite");
    let (radius, middle) = (0.25, DVec2::new(0.0, 40.0));
    world
        .add(Body::fixed(Shape::ball(1.0).expect("positive")).at(middle))
        .expect("allowed");
    let mut ids = Vec::new();
    let mut ring = 0;
    while ids.len() < 150 {
        ring += 1;
        let distance = 1.5 + 0.7 * f64::from(ring);
        let number = (std::f64::consts::TAU * distance / 0.7).floor() as u32;
        for k in 0..number {
            let angle =
                std::f64::consts::TAU * f64::from(k) / f64::from(number) + 0.37 * f64::from(ring);
            let out = DVec2::new(libm::cos(angle), libm::sin(angle));
            let disc =
                Body::ball(radius, 1.0, middle + out * distance, out * -2.0).expect("a disc");
            ids.push(world.add(disc).expect("allowed"));
        }
    }
    let mut run = started(world);
    let mut before = run.audit().now.total();
    for k in 1..=15 {
        run.run_to(0.2 * f64::from(k)).expect("it gets on");
        let places: Vec<DVec2> = ids.iter().map(|&id| run.state(id).position).collect();
        for (index, place) in places.iter().enumerate() {
            for other in &places[..index] {
                let gap = (*place - *other).length() - 2.0 * radius;
                assert!(gap >= -1e-6 * radius, "{gap:e} at {k}");
            }
            let gap = (*place - middle).length() - 1.0 - radius;
            assert!(gap >= -1e-6 * radius, "{gap:e} from the post at {k}");
        }
        let now = run.audit().now.total();
        assert!(now <= before * (1.0 + 1e-9), "{now} J after {before} J");
        before = now;
    }
    let audit = run.audit();
    assert!(
        audit.energy_residual.abs() < 1e-9 * audit.initial.total(),
        "{audit:?}"
    );
}

/// *Double domino*: fifteen dominoes, the first of which is pushed at its top: all fall, one after the other.
#[test]
fn double_dominoes_fall() {
    let mut world = world2(0.0, 0.6);
    let ids: Vec<BodyId> = (0..15)
        .map(|k| {
            let body = block2([0.25, 1.0], [f64::from(k), 0.5], 0.0);
            world.add(body).expect("allowed")
        })
        .collect();
    let mut run = started(world);
    // 0.2 N s at the top of 0.25 kg, whose moment of inertia is m (w² + h²)/12.
    let (mass, inertia) = (0.25, 0.25 * (0.0625 + 1.0) / 12.0);
    let push = 0.2;
    run.set_velocity(ids[0], DVec2::X * (push / mass), -push * 0.5 / inertia)
        .expect("a body");
    // Each takes 0.546 s. Chipmunk (pymunk 7.3.1, steps of 1/8000 s, 50 iterations, ε = 0, μ = 0.6) has the same, and
    // the last one half over at 7.853 s.
    let stands = |run: &Exact<Space2>, k: usize| run.state(ids[k]).rotation.sin > -0.5;
    judged(&mut run, 7.8, 0.25);
    assert!(stands(&run, 14) && !stands(&run, 13));
    run.run_to(7.9).expect("it gets on");
    assert!(!stands(&run, 14));
    judged_from(&mut run, 7.9, 11.0, 0.25);
    assert!((0..15).all(|k| !stands(&run, k)));
    assert!(run.is_at_rest_everywhere(), "{:?}", run.lasting_rigid());
}

/// *Jenga*: a tower of storeys of three blocks, of which every second storey has lost its outer ones: it stands on the
/// middle ones.
#[test]
fn a_jenga_tower_stands_on_its_middle_blocks() {
    let mut world = world2(0.0, 0.5);
    let (width, height) = (0.5, 0.3);
    let mut places = Vec::new();
    for storey in 0..12_u32 {
        let y = (f64::from(storey) + 0.5) * height;
        if storey % 2 == 0 {
            let place = [0.0, y];
            places.push((
                world
                    .add(block2([width, height], place, 0.0))
                    .expect("allowed"),
                place,
            ));
        } else {
            // Seen from its side: one block as long as three are wide.
            let place = [0.02 * f64::from(storey % 4) - 0.03, y];
            places.push((
                world
                    .add(block2([3.0 * width, height], place, 0.0))
                    .expect("allowed"),
                place,
            ));
        }
    }
    let mut run = started(world);
    judged(&mut run, 2.0, height);
    assert!(run.is_at_rest_everywhere(), "{:?}", run.lasting_rigid());
    for (id, place) in &places {
        let off = (run.state(*id).position - DVec2::from_array(*place)).length();
        assert!(off < 1e-5, "{id:?} is {off:e} m off");
    }
    let weight = (6.0 * 0.15 + 6.0 * 0.45) * G;
    assert!((carried(&run) / weight - 1.0).abs() < 1e-8);
}
