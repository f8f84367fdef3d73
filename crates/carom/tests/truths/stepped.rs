//! Islands that are advanced in steps, against closed forms, with the order of their steps.

use carom::motion::Load;
use carom::prelude::*;
use carom::shape::Block;
use carom::simulate::{Compiled, Exact, Settling};
use carom::space::Linear;

const G: f64 = 9.81;

fn floor<S: Compiled>(friction: f64, up: S::Vector) -> World<S> {
    let mut world = World::new();
    let stuff = Material {
        restitution: 0.0,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    };
    world.materials.add("default", stuff).expect("allowed");
    world.set_gravity(up * -G).expect("finite");
    let floor = Shape::half_space(up).expect("a direction");
    world.add(Body::fixed(floor)).expect("allowed");
    world
}

fn ball<S: Compiled>(radius: f64, place: S::Vector) -> Body<S> {
    Body::ball(radius, 1.0, place, place * 0.0).expect("a ball")
}

fn slab<S: Compiled>(half: S::Vector, mass: f64, place: S::Vector) -> Body<S> {
    let shape = Shape::Block(Block::new(half).expect("positive"));
    Body::solid(shape, mass, Pose::at(place), place * 0.0, S::Angular::ZERO).expect("a solid")
}

/// Three smooth balls of radius r, one upon two that touch: with φ from the vertical to the line of centres, it comes
/// down between them by energy, `(2rφ′)² (½ sin² φ + cos² φ) = 2 r g (cos φ₀ − cos φ)`, and lets go of them where they
/// are not pushed any more, which is where ẋ² = 4 r g c² (c₀ − c)/(1 + c²), c = cos φ, is largest:
/// c³ + 3c = 2c₀ = √3.
fn speed_of_the_lower_ones(radius: f64) -> f64 {
    let top = 0.75_f64.sqrt();
    let (mut low, mut high) = (0.0, top);
    for _ in 0..100 {
        let c = 0.5 * (low + high);
        if c * c * c + 3.0 * c < 2.0 * top {
            low = c;
        } else {
            high = c;
        }
    }
    let c = high;
    (4.0 * radius * G * c * c * (top - c) / (1.0 + c * c)).sqrt()
}

/// The speeds of the two lower balls along the floor, over that of the closed form. On a slab, which is a rigid body,
/// the length of the steps is that of rigid bodies.
fn pyramid<S: Compiled>([up, ahead]: [S::Vector; 2], slab: Option<Body<S>>, step: f64) -> [f64; 2] {
    let (radius, mut base) = (0.5, 0.0);
    let mut world = floor::<S>(0.0, up);
    if let Some(slab) = slab {
        base = 2.0 * slab.pose.position.dot(up);
        world.add(slab).expect("allowed");
    }
    let high = base + radius + 2.0 * radius * 0.75_f64.sqrt();
    let [left, right, top] = [
        (-radius, base + radius),
        (radius, base + radius),
        (0.0, high),
    ];
    let mut add = |(x, y): (f64, f64)| {
        let ball = ball(radius, ahead * x + up * y);
        world.add(ball).expect("allowed")
    };
    let ids = [add(left), add(right)];
    add(top);
    let settling = Settling::default().with_step(step);
    let mut run = Exact::with(world, &settling).expect("nothing overlaps");
    run.run_to(0.8).expect("it gets on");
    ids.map(|id| run.state(id).velocity.dot(ahead).abs() / speed_of_the_lower_ones(radius))
}

/// In steps of their own, √(r/g)/32 = 7 ms: in the 0.5 s that it takes (φ goes from 30° to 58°) errors of second order
/// are (1/32)² of what they act on, some thousandths.
#[test]
fn three_smooth_balls_come_apart_as_fast_as_they_must() {
    let ratios = [
        pyramid::<Space2>([DVec2::Y, DVec2::X], None, 1.0 / 240.0),
        pyramid::<Space3>([DVec3::Z, DVec3::new(0.6, 0.8, 0.0)], None, 1.0 / 240.0),
    ];
    println!("{ratios:?}");
    for ratio in ratios.into_iter().flatten() {
        assert!((ratio - 1.0).abs() < 3e-3, "{ratios:?}");
    }
}

/// On a slab the steps are those of rigid bodies, and can be made shorter: the error shrinks at least with the first
/// power of them (the step within which the balls part is cut short).
#[test]
fn the_error_of_three_balls_on_a_slab_shrinks_with_the_steps() {
    let off = |ratios: [f64; 2]| (ratios[0] - 1.0).abs().max((ratios[1] - 1.0).abs());
    let plane = [1.0 / 120.0, 1.0 / 960.0].map(|step| {
        let slab = slab::<Space2>(DVec2::new(4.0, 0.2), 10.0, DVec2::new(0.0, 0.2));
        off(pyramid([DVec2::Y, DVec2::X], Some(slab), step))
    });
    let space = [1.0 / 120.0, 1.0 / 960.0].map(|step| {
        let slab = slab::<Space3>(DVec3::new(4.0, 4.0, 0.2), 10.0, DVec3::new(0.0, 0.0, 0.2));
        off(pyramid([DVec3::Z, DVec3::X], Some(slab), step))
    });
    println!("{plane:?} {space:?}");
    for [coarse, fine] in [plane, space] {
        assert!(coarse < 1e-2 && fine < 0.25 * coarse, "{plane:?} {space:?}");
    }
}

/// Balls that roll on a smooth plate to which a force F sin ωt is applied: x = F/(M + q n m) (t/ω − sin ωt/ω²), with
/// q = I/(I + m r²). How far the plate is off after 2 s, m.
fn driven_plate<S: Compiled>(
    [up, ahead]: [S::Vector; 2],
    half: S::Vector,
    q: f64,
    step: f64,
) -> f64 {
    let mut world = floor::<S>(0.0, up);
    let rough = Material {
        restitution: 0.0,
        static_friction: 4.0,
        kinetic_friction: 4.0,
        ..Material::default()
    };
    let rough = world.materials.add("rough", rough).expect("allowed");
    let (mass, force, number) = (3.0, 20.0, 3);
    let formula = "20 * sin(3*t)".parse().expect("a formula");
    let load = Load::default().with_force_of_time(ahead, formula);
    let plate = slab::<S>(half, mass, up * half.dot(up));
    let plate = Body {
        load: Some(Box::new(load)),
        ..plate
    };
    // Smooth below: the geometric mean of friction with a smooth floor is zero.
    let plate = world.add(plate.made_of(rough)).expect("allowed");
    for k in 0..number {
        let place = ahead * (f64::from(k) - 1.0) + up * (2.0 * half.dot(up) + 0.2);
        world.add(ball(0.2, place).made_of(rough)).expect("allowed");
    }
    let settling = Settling::default().with_step(step);
    let mut run = Exact::with(world, &settling).expect("nothing overlaps");
    let end = 2.0;
    run.run_to(end).expect("it gets on");
    let inert = mass + q * f64::from(number);
    let truth = force / inert * (end / 3.0 - libm::sin(3.0 * end) / 9.0);
    (run.state(plate).position.dot(ahead) - truth).abs()
}

/// Of second order: a quarter of the step, a sixteenth of the error.
#[test]
fn what_is_stepped_under_a_changing_force_is_of_second_order() {
    let errors = [1.0 / 120.0, 1.0 / 480.0].map(|step| {
        [
            driven_plate::<Space2>([DVec2::Y, DVec2::X], DVec2::new(5.0, 0.2), 1.0 / 3.0, step),
            driven_plate::<Space3>(
                [DVec3::Z, DVec3::X],
                DVec3::new(5.0, 1.0, 0.2),
                2.0 / 7.0,
                step,
            ),
        ]
    });
    println!("{errors:?}");
    for space in 0..2 {
        let ratio = errors[0][space] / errors[1][space];
        // (ωτ)²/12 of some metres.
        assert!(errors[0][space] < 5e-4, "{errors:?}");
        assert!((12.0..20.0).contains(&ratio), "{ratio}: {errors:?}");
    }
}
