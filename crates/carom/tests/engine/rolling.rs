//! One ball on one wall, against closed forms (PHYSICS.md, "Contacts that last"): on curved walls, over edges and rims,
//! on walls that turn and are shaken.
//!
//! Trajectories on walls are integrated within 10⁻¹³ a piece, of which these runs have some hundreds: 10⁻⁹ leaves room
//! for how errors grow on the way, and is what is asked for.

use carom::body::Kind;
use carom::material::Material;
use carom::motion::Drive;
use carom::prelude::*;
use carom::record::{Event, Regime, Transition};
use carom::shape::{Cylinder, Segment, Shape, Shape2, Shape3, Tube};
use carom::simulate::{Compiled, Exact, Until};
use carom::space::Space as _;
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;
use std::ops::ControlFlow;

const G: f64 = 9.81;

/// What is asked for: m, m/s, s, and relative.
const CLOSE: f64 = 1e-9;

fn rough(static_friction: f64, kinetic_friction: f64) -> Material {
    Material {
        restitution: 0.0,
        static_friction,
        kinetic_friction,
        ..Material::default()
    }
}

fn world<S: Compiled>(material: Material, gravity: S::Vector) -> World<S> {
    let mut world = World::new();
    world.materials.add("default", material).unwrap();
    world.set_gravity(gravity).unwrap();
    world
}

fn ball<S: Compiled>(
    radius: f64,
    place: S::Vector,
    velocity: S::Vector,
    spin: S::Angular,
) -> Body<S> {
    let mut ball = Body::ball(radius, 1.0, place, velocity).unwrap();
    if let Kind::Free(free) = &mut ball.kind {
        free.angular_velocity = spin;
    }
    ball
}

fn run<S: Compiled>(world: &World<S>, until: f64) -> (Exact<S>, Vec<Transition>) {
    let mut exact = Exact::new(world.clone()).unwrap();
    let mut transitions = Vec::new();
    exact
        .run_until(Until::time(until), |event| {
            if let Event::Transition(transition) = event {
                transitions.push(*transition);
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    (exact, transitions)
}

/// The residual of the energy, relative to what there was and what was done.
fn assert_budget<S: Compiled>(exact: &Exact<S>, energy: f64) {
    let residual = exact.audit().energy_residual;
    assert!(residual.abs() <= CLOSE * energy, "{residual} of {energy} J");
}

fn close(value: f64, expected: f64, what: &str) {
    let off = (value - expected).abs();
    assert!(
        off < CLOSE * (1.0 + expected.abs()),
        "{what}: {value}, not {expected}, off by {off:e}"
    );
}

#[test]
fn inside_a_vertical_tube_it_does_not_fall_but_oscillates() {
    // A ball that rolls around in a vertical tube comes up again: the spin about the normal that it gets as the normal
    // turns, ω̇_r = Ω ż/r, drives it back. It used to fall for ever.
    let (tube, radius, rate) = (0.5, 0.1, 9.0);
    for pivoting in [0.0, 3.0, -20.0] {
        let mut world = world::<Space3>(rough(1e3, 1e3), DVec3::new(0.0, 0.0, -G));
        let shape = Tube::new(DVec3::Z, tube).unwrap();
        world
            .add(Body::fixed(Shape::own(Shape3::Tube(shape))))
            .unwrap();
        let arm = tube - radius;
        let spin = DVec3::new(pivoting, 0.0, -rate * arm / radius);
        let velocity = DVec3::new(0.0, rate * arm, 0.0);
        let id = world
            .add(ball(radius, DVec3::X * arm, velocity, spin))
            .unwrap();
        let centre = -(2.5 * G + rate * radius * pivoting) / (rate * rate);
        let slow = rate * (2.0_f64 / 7.0).sqrt();
        let mut exact = Exact::new(world).unwrap();
        for step in 1..=20 {
            let t = 0.2 * f64::from(step);
            exact.run_to(t).unwrap();
            let state = exact.state(id);
            let height = centre * (1.0 - libm::cos(slow * t));
            close(state.position.z, height, "height");
            close(state.position.x, arm * libm::cos(rate * t), "x");
            let outward = DVec3::new(libm::cos(rate * t), libm::sin(rate * t), 0.0);
            let spin = pivoting + rate * height / radius;
            close(
                state.angular_velocity.dot(outward),
                spin,
                "spin about the normal",
            );
        }
        let energy = 0.7 * rate * rate * arm * arm;
        assert_budget(&exact, energy);
    }
}

/// The time at which a ball that rolls about a centre of curvature, at a distance (m) from it and from the top at a
/// speed (m/s), has gone through an angle: `∫ ρ dθ/v`, with v² = v₀² + 2gρ(1 − cos θ)/(1 + c). By Gauss's rule with
/// three points on a thousand parts, whose error is far below 10⁻¹².
fn time_to(angle: f64, arm: f64, speed: f64, roundness: f64) -> f64 {
    let parts = 1000;
    let width = angle / f64::from(parts);
    let root = (0.6_f64).sqrt();
    let mut sum = 0.0;
    for part in 0..parts {
        for (abscissa, weight) in [(-root, 5.0 / 9.0), (0.0, 8.0 / 9.0), (root, 5.0 / 9.0)] {
            let theta = width * (f64::from(part) + 0.5 + 0.5 * abscissa);
            let squared =
                speed * speed + 2.0 * G * arm * (1.0 - libm::cos(theta)) / (1.0 + roundness);
            sum += weight * 0.5 * width * arm / squared.sqrt();
        }
    }
    sum
}

/// Where friction μ stops to suffice: `c/(1+c) sin θ = μ (cos θ − v²/gρ)`. By halving, between the top and where the
/// normal force is gone.
fn slips_at(friction: f64, arm: f64, speed: f64, c: f64) -> f64 {
    let push = speed * speed / (G * arm);
    let over = |theta: f64| {
        let (sin, cos) = libm::sincos(theta);
        c / (1.0 + c) * sin - friction * (cos - push - 2.0 * (1.0 - cos) / (1.0 + c))
    };
    let (mut low, mut high) = (0.0, 1.5);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if over(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// A ball that rolls over something round.
#[derive(Clone, Copy)]
struct Round<S: Compiled> {
    /// Static and kinetic, between the two.
    friction: f64,
    /// From the centre of curvature to the ball's, m.
    arm: f64,
    /// On top, m/s.
    speed: f64,
    /// Of the ball, `I/(m r²)`.
    roundness: f64,
    /// The centre of curvature, m.
    centre: S::Vector,
    up: S::Vector,
    ahead: S::Vector,
    /// When it is on top, s.
    since: f64,
}

/// Checks a ball that rolls over something round, from when it is on top of it until it slips and leaves.
fn over_a_round<S: Compiled>(world: &World<S>, id: BodyId, round: &Round<S>) {
    let Round {
        friction,
        arm,
        speed,
        roundness: c,
        centre,
        up,
        ahead,
        since,
    } = *round;
    use carom::space::Linear;
    let (exact, transitions) = run(world, 3.0);
    let slips = (transitions.iter()).find(|it| it.time > 0.0 && it.regime == Some(Regime::Sliding));
    let slips = slips.unwrap_or_else(|| panic!("{transitions:?}"));
    let angle = slips_at(friction, arm, speed, c);
    close(
        slips.time,
        since + time_to(angle, arm, speed, c),
        "begins to slip",
    );
    let leaves = transitions
        .iter()
        .find(|it| it.time > slips.time && it.regime.is_none());
    let leaves = leaves.unwrap_or_else(|| panic!("{transitions:?}"));
    let mut replay = Exact::new(world.clone()).unwrap();
    replay.run_to(slips.time).unwrap();
    let away = replay.state(id).position - centre;
    close(
        libm::atan2(away.dot(ahead), away.dot(up)),
        angle,
        "slips at",
    );
    // It leaves where v² = g ρ cos θ.
    replay.run_to(leaves.time).unwrap();
    let state = replay.state(id);
    let away = state.position - centre;
    close(away.length(), arm, "it is on it");
    close(state.velocity.length_squared(), G * away.dot(up), "leaves");
    assert_budget(&exact, 1.0);
}

#[test]
fn off_the_top_of_a_ball_it_slips_and_leaves_where_it_must() {
    // In 3-D, from rest, 2 sin θ = μ (17 cos θ − 10): with a push, 7 v²/(g ρ) more.
    let (large, small, speed) = (1.0, 0.1, 0.3);
    for friction in [0.2, 0.5, 2.0] {
        let (arm, c) = (large + small, 0.4);
        let mut world = world::<Space3>(rough(friction, friction), DVec3::Z * -G);
        world.add(Body::fixed(Shape::ball(large).unwrap())).unwrap();
        let spin = DVec3::Y * (speed / small);
        // Along no axis, so that nothing is zero by itself.
        let ahead = DVec3::new(0.6, 0.8, 0.0);
        let spin = DVec3::Z.cross(ahead) * spin.length();
        let id = world
            .add(ball(small, DVec3::Z * arm, ahead * speed, spin))
            .unwrap();
        over_a_round(
            &world,
            id,
            &Round {
                friction,
                arm,
                speed,
                roundness: c,
                centre: DVec3::ZERO,
                up: DVec3::Z,
                ahead,
                since: 0.0,
            },
        );
    }
    for friction in [0.2, 0.5, 2.0] {
        let (arm, c) = (large + small, 0.5);
        let mut world = world::<Space2>(rough(friction, friction), DVec2::Y * -G);
        world.add(Body::fixed(Shape::ball(large).unwrap())).unwrap();
        let id = (world.add(ball(
            small,
            DVec2::Y * arm,
            DVec2::X * speed,
            -speed / small,
        )))
        .unwrap();
        over_a_round(
            &world,
            id,
            &Round {
                friction,
                arm,
                speed,
                roundness: c,
                centre: DVec2::ZERO,
                up: DVec2::Y,
                ahead: DVec2::X,
                since: 0.0,
            },
        );
    }
}

#[test]
fn with_unlimited_friction_it_leaves_a_ball_at_ten_seventeenths() {
    // From rest, but for a breath: p²/(g ρ) of 10⁻⁷ counts, and is in the closed form. Static friction of 10⁹ lets it
    // slip where the normal force is 10⁻⁹ of the weight; from there it is gone within 10⁻⁹ s.
    let (large, small, speed) = (1.0, 0.1, 1e-3);
    let arm = large + small;
    let mut world = world::<Space3>(rough(1e9, 0.1), DVec3::Z * -G);
    world.add(Body::fixed(Shape::ball(large).unwrap())).unwrap();
    let spin = DVec3::Y * (speed / small);
    let id = world
        .add(ball(small, DVec3::Z * arm, DVec3::X * speed, spin))
        .unwrap();
    let (_, transitions) = run(&world, 10.0);
    let leaves = transitions.iter().find(|it| it.regime.is_none()).unwrap();
    let mut replay = Exact::new(world).unwrap();
    replay.run_to(leaves.time).unwrap();
    let cosine = replay.state(id).position.z / arm;
    let push = speed * speed / (G * arm);
    close(cosine, (10.0 + 7.0 * push) / 17.0, "cos θ");
}

#[test]
fn over_the_edge_of_a_table_it_rolls_slips_and_leaves() {
    let (radius, speed, friction) = (0.1, 0.4, 0.6);
    // It starts a bit before the edge, at a constant speed.
    let before = 0.05;
    let mut flat = world::<Space2>(rough(friction, friction), DVec2::Y * -G);
    flat.add(Body::fixed(Shape::block(DVec2::new(1.0, 0.5)).unwrap()))
        .unwrap();
    let place = DVec2::new(1.0 - before, 0.5 + radius);
    let id = flat
        .add(ball(radius, place, DVec2::X * speed, -speed / radius))
        .unwrap();
    let corner = DVec2::new(1.0, 0.5);
    let round = Round {
        friction,
        arm: radius,
        speed,
        roundness: 0.5,
        centre: corner,
        up: DVec2::Y,
        ahead: DVec2::X,
        since: before / speed,
    };
    over_a_round(&flat, id, &round);
    // The edge of a box, the end of a segment, and the rim of a cylinder are the same to a ball that comes straight on.
    let mut ending = world::<Space2>(rough(friction, friction), DVec2::Y * -G);
    let segment = Segment::new(DVec2::new(-1.0, 0.5), DVec2::new(1.0, 0.5)).unwrap();
    ending
        .add(Body::fixed(Shape::own(Shape2::Segment(segment))))
        .unwrap();
    let id = ending
        .add(ball(radius, place, DVec2::X * speed, -speed / radius))
        .unwrap();
    over_a_round(&ending, id, &round);
    let corner = DVec3::new(1.0, 0.0, 0.5);
    let place = DVec3::new(1.0 - before, 0.0, 0.5 + radius);
    let shapes = [
        Shape::block(DVec3::new(1.0, 1.0, 0.5)).unwrap(),
        Shape::own(Shape3::Cylinder(Cylinder::new(DVec3::Z, 0.5, 1.0).unwrap())),
    ];
    for shape in shapes {
        let mut world = world::<Space3>(rough(friction, friction), DVec3::Z * -G);
        world.add(Body::fixed(shape)).unwrap();
        let spin = DVec3::Y * (speed / radius);
        let id = world
            .add(ball(radius, place, DVec3::X * speed, spin))
            .unwrap();
        let round = Round {
            friction,
            arm: radius,
            speed,
            roundness: 0.4,
            centre: corner,
            up: DVec3::Z,
            ahead: DVec3::X,
            since: before / speed,
        };
        over_a_round(&world, id, &round);
    }
}

#[test]
fn down_a_slope_in_space_it_rolls_up_to_seven_halves_of_the_friction() {
    for (friction, rolls) in [(0.2, true), (0.15, false)] {
        // tan α = 0.6: 7/2 μ is 0.7 and 0.525.
        let angle = libm::atan(0.6);
        let (sin, cos) = libm::sincos(angle);
        let mut world = world::<Space3>(rough(friction, friction), DVec3::Z * -G);
        let normal = DVec3::new(sin, 0.0, cos);
        world
            .add(Body::fixed(Shape::half_space(normal).unwrap()))
            .unwrap();
        let id = world
            .add(ball(0.1, normal * 0.1, DVec3::ZERO, DVec3::ZERO))
            .unwrap();
        let (exact, _) = run(&world, 1.0);
        let acceleration = if rolls {
            5.0 / 7.0 * G * sin
        } else {
            G * (sin - friction * cos)
        };
        close(exact.state(id).velocity.length(), acceleration, "speed");
    }
}

#[test]
fn on_a_shaken_floor_it_stays_until_the_floor_falls_faster_than_it() {
    // The floor goes as −A cos ωt; its acceleration A ω² cos ωt is that of gravity where the ball lifts off.
    let (amplitude, frequency) = (0.05, 3.0);
    let rate = TAU * frequency;
    let lifts = libm::acos(-G / (amplitude * rate * rate)) / rate;
    fn shaken<S: Compiled>(up: S::Vector, amplitude: f64, frequency: f64) -> (World<S>, BodyId) {
        let mut world = world::<S>(rough(0.3, 0.3), up * -G);
        let drive = Drive::Oscillation {
            amplitude: up * amplitude,
            frequency,
            phase: -0.25 * TAU,
        };
        world
            .add(Body::kinematic(Shape::half_space(up).unwrap(), drive))
            .unwrap();
        let place = up * (0.1 - amplitude);
        let body = Body::ball(0.1, 1.0, place, up * 0.0).unwrap();
        let id = world.add(body).unwrap();
        (world, id)
    }
    fn first_lift<S: Compiled>(world: &World<S>) -> f64 {
        let (exact, transitions) = run(world, 0.3);
        assert_budget(&exact, 1.0);
        let lifted = transitions.iter().find(|it| it.regime.is_none());
        lifted.unwrap_or_else(|| panic!("{transitions:?}")).time
    }
    close(
        first_lift(&shaken::<Space2>(DVec2::Y, amplitude, frequency).0),
        lifts,
        "2-D",
    );
    close(
        first_lift(&shaken::<Space3>(DVec3::Z, amplitude, frequency).0),
        lifts,
        "3-D",
    );
    // Where it is shaken less it never does, and is where the floor is.
    let (gentle, id) = shaken::<Space2>(DVec2::Y, 0.02, frequency);
    let (exact, transitions) = run(&gentle, 3.1);
    assert!(
        transitions.iter().all(|it| it.regime.is_some()),
        "{transitions:?}"
    );
    close(
        exact.state(id).position.y,
        0.1 - 0.02 * libm::cos(rate * 3.1),
        "height",
    );
    assert_budget(&exact, 1.0);
}

#[test]
fn on_a_bar_that_turns_about_its_end_it_slides_out() {
    // A smooth ball on a bar that turns about a pivot at Ω: s̈ = Ω² s − g sin Ωt, as a bead on a rod.
    let (rate, start, radius) = (1.5, 0.8, 0.1);
    let mut world = world::<Space2>(rough(0.0, 0.0), DVec2::Y * -G);
    let bar = Segment::new(DVec2::ZERO, DVec2::new(10.0, 0.0)).unwrap();
    let drive = Drive::Rotation {
        pivot: DVec2::ZERO,
        angular_velocity: rate,
    };
    world
        .add(Body::kinematic(Shape::own(Shape2::Segment(bar)), drive))
        .unwrap();
    let velocity = DVec2::new(-radius, start) * rate;
    let id = world
        .add(ball(radius, DVec2::new(start, radius), velocity, 0.0))
        .unwrap();
    // s = a cosh Ωt + b sinh Ωt + g/(2Ω²) sin Ωt, with s(0) and s′(0) = 0.
    let drawn = G / (2.0 * rate * rate);
    let along = |t: f64| {
        start * libm::cosh(rate * t) - drawn * libm::sinh(rate * t) + drawn * libm::sin(rate * t)
    };
    let mut exact = Exact::new(world).unwrap();
    for step in 1..=10 {
        let t = 0.06 * f64::from(step);
        exact.run_to(t).unwrap();
        let (sin, cos) = libm::sincos(rate * t);
        let expected = DVec2::new(cos, sin) * along(t) + DVec2::new(-sin, cos) * radius;
        let off = (exact.state(id).position - expected).length();
        assert!(off < CLOSE, "{t}: {off:e}");
    }
    assert_budget(&exact, 10.0);
}

#[test]
fn what_rests_on_a_turntable_goes_around_with_it() {
    // Held by rolling resistance: (5/7) Ω² a ≤ μ_r g.
    let (rate, arm, radius) = (2.0, 0.3, 0.1);
    let material = Material {
        rolling_resistance: 0.2,
        spinning_resistance: 0.1,
        ..rough(0.5, 0.5)
    };
    let mut world = world::<Space3>(material, DVec3::Z * -G);
    let drive = Drive::Rotation {
        pivot: DVec3::ZERO,
        angular_velocity: DVec3::Z * rate,
    };
    world
        .add(Body::kinematic(Shape::half_space(DVec3::Z).unwrap(), drive))
        .unwrap();
    let place = DVec3::new(arm, 0.0, radius);
    let velocity = DVec3::Y * (rate * arm);
    let id = world
        .add(ball(radius, place, velocity, DVec3::Z * rate))
        .unwrap();
    let (exact, transitions) = run(&world, 2.0);
    assert!(
        transitions
            .iter()
            .all(|it| it.regime == Some(Regime::Resting)),
        "{transitions:?}"
    );
    let (sin, cos) = libm::sincos(rate * 2.0);
    let off = exact.state(id).position - DVec3::new(arm * cos, arm * sin, radius);
    assert!(off.length() < CLOSE, "{off}");
    assert_budget(&exact, 1.0);
}

#[test]
fn rolling_resistance_beyond_the_friction_makes_it_stop_as_if_it_slid() {
    // The couple is at most what friction passes on: a ball whose rolling resistance is 0.8 on a floor with a friction
    // of 0.3 slows down at 0.3 g. It used to slide on for ever, as if there were no friction at all.
    let material = Material {
        rolling_resistance: 0.8,
        ..rough(0.3, 0.3)
    };
    let mut world = world::<Space2>(material, DVec2::Y * -G);
    world
        .add(Body::fixed(Shape::half_space(DVec2::Y).unwrap()))
        .unwrap();
    let id = world
        .add(ball(0.1, DVec2::Y * 0.1, DVec2::X, -10.0))
        .unwrap();
    let (exact, transitions) = run(&world, 1.0);
    let rests = transitions
        .iter()
        .find(|it| it.regime == Some(Regime::Resting))
        .unwrap();
    close(rests.time, 1.0 / (0.3 * G), "stops");
    close(exact.state(id).position.x, 0.5 / (0.3 * G), "gets as far");
    assert_budget(&exact, 0.75);
}

#[test]
fn what_rounding_leaves_of_a_velocity_is_no_slip() {
    // A ball that had rolled to its end was left with 10⁻³⁸ m/s along the normal, taken for a slip in that direction:
    // in one of sixty runs friction then accelerated it straight up, for ever.
    let material = Material {
        rolling_resistance: 0.1,
        ..rough(0.3, 0.3)
    };
    for k in 0..300_u32 {
        let part = |step: f64| (f64::from(k) * step).fract();
        let radius = 0.008 + 0.003 * part(0.618_033_988_749_895);
        let speed = 0.02 + 0.48 * part(0.754_877_666_246_693);
        let angle = [0.0, 0.02, 0.3, 1.234][k as usize % 4];
        let turn = Space2::rotation_of(angle, 1.0);
        let turned = |x: f64, y: f64| Space2::rotate(turn, DVec2::new(x, y));
        let mut world = world::<Space2>(material, turned(0.0, -G));
        let block = Shape::block(DVec2::new(5.0, 0.1)).unwrap();
        world
            .add(Body::fixed(block).at(turned(0.0, -0.1)).rotated(turn))
            .unwrap();
        let (place, velocity) = (turned(-0.3, radius), turned(-speed, 0.0));
        let id = world
            .add(ball(radius, place, velocity, speed / radius))
            .unwrap();
        let (exact, _) = run(&world, 2.0);
        let state = exact.state(id);
        let way = 0.5 * speed * speed / (0.1 * G);
        let off = state.position - turned(-0.3 - way, radius);
        assert!(off.length() < CLOSE, "{k}: {off}");
        assert_eq!(state.velocity, DVec2::ZERO, "{k}");
        assert_budget(&exact, 0.75 * speed * speed);
    }
}
