//! One ball that keeps touching one wall, by forces, against the closed forms that impulses reproduce to 10⁻⁹
//! (`tests/engine/rolling.rs`).
//!
//! A ball of 1 kg sinks in by δ = N/k, so that all arms are shorter by a part of δ/r: closed forms are met to a few
//! times `SOFT` = m g/(k r). Springs across the normal have to be stretched first, by f/k_t = 3.5 f/k, and what is
//! slower than the swing of a spring, 1/ω = √(m/k), is late by as much. Each test says which of these it allows.

use carom::body::Kind;
use carom::material::Constants;
use carom::prelude::*;
use carom::shape::{Hollow, Shape3, Tube};
use carom::simulate::{Compiled, Stepped};
use carom::space::Linear;
use std::ops::ControlFlow;

const G: f64 = 9.81;
const RADIUS: f64 = 0.1;
/// N/m, of a contact.
const STIFFNESS: f64 = 1e7;
/// The depth of a ball of 1 kg under its weight, as a part of its radius: 10⁻⁵.
const SOFT: f64 = G / (STIFFNESS * RADIUS);

fn world<S: Compiled>(friction: f64, gravity: S::Vector) -> World<S> {
    let mut world = World::new();
    let stuff = Material {
        restitution: 0.0,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    };
    world.materials.add("default", stuff).unwrap();
    world.set_gravity(gravity).unwrap();
    world
}

fn ball<S: Compiled>(place: S::Vector, velocity: S::Vector, spin: S::Angular) -> Body<S> {
    let mut ball = Body::ball(RADIUS, 1.0, place, velocity).unwrap();
    if let Kind::Free(free) = &mut ball.kind {
        free.angular_velocity = spin;
    }
    ball
}

fn started<S: Compiled>(world: &World<S>, stiffness: f64) -> Stepped<S> {
    // Two in series have the stiffness.
    let forces = Forces::default().with_fallback(Constants::linear(2.0 * stiffness));
    Stepped::new(world.clone(), &forces).unwrap_or_else(|wrong| panic!("{}", wrong[0]))
}

/// Down a slope of tan α = 0.6 with a friction: the acceleration between 0.5 s and 1 s, when springs are stretched and
/// swing no more, over that of the closed form.
fn down_a_slope<S: Compiled>(up: S::Vector, ahead: S::Vector, friction: f64, truth: f64) -> f64 {
    let (sin, cos) = libm::sincos(libm::atan(0.6));
    let mut world = world::<S>(friction, ahead * (G * sin) - up * (G * cos));
    world
        .add(Body::fixed(Shape::half_space(up).unwrap()))
        .unwrap();
    let place = up * (RADIUS - G * cos / STIFFNESS);
    let id = world.add(ball(place, up * 0.0, S::Angular::ZERO)).unwrap();
    let mut run = started(&world, STIFFNESS);
    let [early, late] = [0.5, 1.0].map(|time| {
        run.run_to(time).unwrap();
        run.state(id).velocity.dot(ahead)
    });
    (late - early) / (0.5 * truth)
}

/// A solid ball rolls with (5/7) g sin α if tan α ≤ (7/2) μ, a disc with (2/3) g sin α if tan α ≤ 3 μ; else it slips
/// with g (sin α − μ cos α).
#[test]
fn down_a_slope_it_rolls_or_slips() {
    let (sin, cos) = libm::sincos(libm::atan(0.6));
    for (friction, rolls) in [(0.22, true), (0.15, false)] {
        let slips = G * (sin - friction * cos);
        let space = if rolls { 5.0 / 7.0 * G * sin } else { slips };
        let plane = if rolls { 2.0 / 3.0 * G * sin } else { slips };
        for ratio in [
            down_a_slope::<Space3>(DVec3::Z, DVec3::new(0.6, 0.8, 0.0), friction, space),
            down_a_slope::<Space2>(DVec2::Y, DVec2::X, friction, plane),
        ] {
            // The arm of friction is r − δ/2: the acceleration is off by less than a part of δ/r.
            assert!((ratio - 1.0).abs() < SOFT, "{friction}: {ratio}");
        }
    }
}

/// Where a ball rolls over something round, or an edge.
struct Round<S: Compiled> {
    centre: S::Vector,
    up: S::Vector,
    ahead: S::Vector,
    /// What rolls ahead turns about this.
    axis: S::Angular,
    /// From the centre of curvature to that of the ball, m.
    arm: f64,
    /// I/(m r²).
    roundness: f64,
    /// On top, m/s, and when it is there, s.
    speed: f64,
    since: f64,
}

impl<S: Compiled> Round<S> {
    fn place(&self, stiffness: f64) -> S::Vector {
        let level = self.since > 0.0;
        let push = if level {
            0.0
        } else {
            self.speed * self.speed / self.arm
        };
        self.centre + self.up * (self.arm - (G - push) / stiffness)
            - self.ahead * (self.since * self.speed)
    }

    fn ball(&self, stiffness: f64) -> Body<S> {
        let spin = self.axis * (self.speed / RADIUS);
        ball(self.place(stiffness), self.ahead * self.speed, spin)
    }

    fn angle(&self, run: &Stepped<S>, id: BodyId) -> f64 {
        let away = run.state(id).position - self.centre;
        libm::atan2(away.dot(self.ahead), away.dot(self.up))
    }

    /// How fast its lowest point slips, m/s.
    fn slip(&self, run: &Stepped<S>, id: BodyId) -> f64 {
        let state = run.state(id);
        let angle = self.angle(run, id);
        let (sin, cos) = libm::sincos(angle);
        let along = self.ahead * cos - self.up * sin;
        let turning = state.angular_velocity.dot(self.axis);
        (state.velocity.dot(along) - RADIUS * turning).abs()
    }

    /// v² where it has rolled to an angle.
    fn squared(&self, angle: f64) -> f64 {
        let fallen = self.arm * (1.0 - libm::cos(angle));
        self.speed * self.speed + 2.0 * G * fallen / (1.0 + self.roundness)
    }

    /// Where friction does not suffice any more: c/(1+c) sin θ = μ (cos θ − v²/gρ). By halving.
    fn slips_at(&self, friction: f64) -> f64 {
        let c = self.roundness;
        let over = |angle: f64| {
            let (sin, cos) = libm::sincos(angle);
            c / (1.0 + c) * sin - friction * (cos - self.squared(angle) / (G * self.arm))
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

    /// When it is at an angle, if it rolls all the way: ∫ ρ dθ/v by Simpson's rule with 2,000 parts.
    fn time_to(&self, angle: f64) -> f64 {
        let rate = |theta: f64| self.arm / self.squared(theta).sqrt();
        let (parts, mut sum) = (2000, 0.0);
        for part in 0..=parts {
            let weight = match part {
                0 => 1.0,
                _ if part == parts => 1.0,
                _ if part % 2 == 1 => 4.0,
                _ => 2.0,
            };
            sum += weight * rate(angle * f64::from(part) / f64::from(parts));
        }
        self.since + sum * angle / f64::from(3 * parts)
    }
}

/// It rolls until the angle at which friction does not suffice, and slips from there on: looked at a hundredth of a
/// radian before and after. Before, its slip is what stretches a spring, d(f/k_t)/dt, below 10⁻⁵ m/s; after, it has
/// grown as the lack of friction, which itself grows in time: beyond 10⁻⁴ m/s.
fn rolls_and_slips<S: Compiled>(fixture: Body<S>, round: &Round<S>, friction: f64) {
    let mut world = world::<S>(friction, round.up * -G);
    world.add(fixture).unwrap();
    let id = world.add(round.ball(STIFFNESS)).unwrap();
    let mut run = started(&world, STIFFNESS);
    let angle = round.slips_at(friction);
    for (early, slips) in [(0.01, false), (-0.01, true)] {
        run.run_to(round.time_to(angle - early)).unwrap();
        let (there, slip) = (round.angle(&run, id), round.slip(&run, id));
        if !slips {
            // The speed is off by a part of δ/r, and the angle with it.
            let off = there - (angle - early);
            assert!(off.abs() < 10.0 * SOFT, "{friction}: {off:e} rad");
        }
        assert_eq!(
            slip > 1e-4,
            slips,
            "{friction}: slips by {slip:e} m/s at {there}"
        );
        assert!(slips || slip < 1e-5, "{friction}: {slip:e} m/s");
    }
}

/// How far off cos θ is where it leaves, with unlimited friction: from rest (10 + 7 v²/gρ)/17 in 3-D, and
/// (4 + 3 v²/gρ)/7 in 2-D.
fn leaves<S: Compiled>(fixture: Body<S>, round: &Round<S>, stiffness: f64) -> f64 {
    let mut world = world::<S>(1e9, round.up * -G);
    world.add(fixture).unwrap();
    world.add(round.ball(stiffness)).unwrap();
    let mut run = started(&world, stiffness);
    let mut touches = Vec::new();
    run.run(round.time_to(1.3), |touch| {
        touches.push(*touch);
        ControlFlow::Continue(())
    })
    .unwrap();
    let end = touches.first().expect("it leaves").places[1];
    let away = [end[0] - round.centre, end[1] - round.centre]
        .into_iter()
        .max_by(|a, b| a.length().total_cmp(&b.length()))
        .expect("two of them");
    let cosine = away.dot(round.up) / away.length();
    let twice = 2.0 / (1.0 + round.roundness);
    let push = round.speed * round.speed / (G * round.arm);
    (cosine - (push + twice) / (1.0 + twice)).abs()
}

fn on_a_ball3(speed: f64) -> (Body<Space3>, Round<Space3>) {
    let ahead = DVec3::new(0.6, 0.8, 0.0);
    let round = Round {
        centre: DVec3::ZERO,
        up: DVec3::Z,
        ahead,
        axis: DVec3::Z.cross(ahead),
        arm: 1.0 + RADIUS,
        roundness: 0.4,
        speed,
        since: 0.0,
    };
    (Body::fixed(Shape::ball(1.0).unwrap()), round)
}

fn on_a_ball2(speed: f64) -> (Body<Space2>, Round<Space2>) {
    let round = Round {
        centre: DVec2::ZERO,
        up: DVec2::Y,
        ahead: DVec2::X,
        axis: -1.0,
        arm: 1.0 + RADIUS,
        roundness: 0.5,
        speed,
        since: 0.0,
    };
    (Body::fixed(Shape::ball(1.0).unwrap()), round)
}

/// Off the top of a fixed ball: in 3-D, from rest, 2 sin θ = μ (17 cos θ − 10).
#[test]
fn off_the_top_of_a_ball_it_slips_where_it_must() {
    for friction in [0.2, 0.5] {
        let (fixture, round) = on_a_ball3(0.3);
        rolls_and_slips(fixture, &round, friction);
        let (fixture, round) = on_a_ball2(0.3);
        rolls_and_slips(fixture, &round, friction);
    }
}

/// Where the push of the ball fades it follows its spring, some swings late: θ′ is 2.3 rad/s there, and cos θ goes by
/// sin θ θ′ in that time. So the error falls as 1/√k.
#[test]
fn with_unlimited_friction_it_leaves_a_ball_at_ten_seventeenths() {
    let offs = [1e5, 1e7].map(|stiffness: f64| {
        let late = 4.0 * (1.0 / stiffness).sqrt();
        let (fixture, round) = on_a_ball3(0.1);
        let space = leaves(fixture, &round, stiffness);
        let (fixture, round) = on_a_ball2(0.1);
        let plane = leaves(fixture, &round, stiffness);
        assert!(space.max(plane) < 0.81 * 2.3 * late, "{space:e} {plane:e}");
        space
    });
    assert!(offs[1] < 0.2 * offs[0], "{offs:?}");
}

/// Over the edge of a table: the edge has no radius, so that the ball's own is the arm.
#[test]
fn over_the_edge_of_a_table_it_rolls_and_slips() {
    let speed = 0.4;
    let table = Body::fixed(Shape::block(DVec2::new(1.0, 0.5)).unwrap());
    let plane = Round::<Space2> {
        centre: DVec2::new(1.0, 0.5),
        arm: RADIUS,
        since: 0.05 / speed,
        ..on_a_ball2(speed).1
    };
    rolls_and_slips(table, &plane, 0.6);
    let table = Body::fixed(Shape::block(DVec3::new(1.0, 1.0, 0.5)).unwrap());
    let space = Round::<Space3> {
        centre: DVec3::new(1.0, 0.0, 0.5),
        ahead: DVec3::X,
        axis: DVec3::Y,
        arm: RADIUS,
        since: 0.05 / speed,
        ..on_a_ball3(speed).1
    };
    rolls_and_slips(table, &space, 0.6);
}

/// Inside a vertical tube the height oscillates with Ω√(2/7) about z₀ − (5g/2 + Ω r ω_r)/Ω², and the angular velocity
/// about the normal follows ω̇_n = Ω ż/r.
#[test]
fn inside_a_vertical_tube_it_oscillates() {
    let (tube, rate) = (0.5, 9.0);
    let arm = tube - RADIUS;
    // It is pressed on by m Ω² ρ = 3.3 weights, and the springs that carry it are stretched by a weight at first.
    let push = rate * rate * arm;
    for pivoting in [0.0, -20.0] {
        let mut world = world::<Space3>(1e3, DVec3::Z * -G);
        let shape = Tube::new(DVec3::Z, tube).unwrap();
        world
            .add(Body::fixed(Shape::own(Shape3::Tube(shape))))
            .unwrap();
        let spin = DVec3::new(pivoting, 0.0, -rate * arm / RADIUS);
        let sunk = arm + push / STIFFNESS;
        let start = ball(DVec3::X * sunk, DVec3::Y * (rate * sunk), spin);
        let id = world.add(start).unwrap();
        let centre = -(2.5 * G + rate * RADIUS * pivoting) / (rate * rate);
        let slow = rate * (2.0_f64 / 7.0).sqrt();
        let mut run = started(&world, STIFFNESS);
        for step in 1..=8 {
            let t = 0.25 * f64::from(step);
            run.run_to(t).unwrap();
            let state = run.state(id);
            let height = centre * (1.0 - libm::cos(slow * t));
            // Frequencies are off by a part of δ/r, with δ that of the push: after t by so many radians.
            let within = (1.0 + rate * t) * (push / G) * SOFT * centre.abs();
            let off = (state.position.z - height).abs();
            assert!(off < within, "{pivoting}, {t} s: {off:e} m of {within:e}");
            let (sin, cos) = libm::sincos(rate * t);
            let spin = state.angular_velocity.dot(DVec3::new(cos, sin, 0.0));
            let off = (spin - pivoting - rate * height / RADIUS).abs();
            // Of the angular velocity about the axis, Ω ρ/r, the outward direction takes its angle's error.
            let within =
                within * rate / RADIUS + rate * arm / RADIUS * rate * t * (push / G) * SOFT;
            assert!(
                off < within,
                "{pivoting}, {t} s: {off:e} rad/s of {within:e}"
            );
        }
    }
}

/// On a turntable of angular velocity Ω the centre goes round with (2/7) Ω.
#[test]
fn on_a_turntable_it_goes_round_at_two_sevenths_of_the_rate() {
    let rate = 3.0;
    let mut world = world::<Space3>(50.0, DVec3::Z * -G);
    let drive = Drive::Rotation {
        pivot: DVec3::ZERO,
        angular_velocity: DVec3::Z * rate,
    };
    let table = Shape::half_space(DVec3::Z).unwrap();
    world.add(Body::kinematic(table, drive)).unwrap();
    let start = DVec3::new(0.5, 0.0, RADIUS - G / STIFFNESS);
    let velocity = DVec3::new(0.2, 0.3, 0.0);
    let slip = velocity - (DVec3::Z * rate).cross(start);
    let spin = DVec3::Z.cross(slip) / RADIUS;
    let id = world.add(ball(start, velocity, spin)).unwrap();
    let slow = 2.0 / 7.0 * rate;
    let mut run = started(&world, STIFFNESS);
    for quarter in 1..=4 {
        let angle = 0.25 * std::f64::consts::TAU * f64::from(quarter);
        run.run_to(angle / slow).unwrap();
        let (sin, cos) = libm::sincos(angle);
        let turned = DVec3::new(
            cos * velocity.x - sin * velocity.y,
            sin * velocity.x + cos * velocity.y,
            0.0,
        );
        // x = x₀ + z × (v₀ − v)/Ω′.
        let place = start + DVec3::Z.cross(velocity - turned) / slow;
        let state = run.state(id);
        // Angles are off by a part of δ/r; the circle has a radius of 0.42 m. At the start the spring across is
        // stretched by f/k_t = 10⁻⁷ m within a swing, and swings about that until its damper has ended it.
        let within = 2.0 * angle * SOFT;
        let (off, faster) = (state.position - place, state.velocity - turned);
        assert!(off.length() < 0.42 * within + 1e-6, "{off}");
        assert!(faster.length() < 0.36 * within + 1e-6, "{faster}");
    }
}

/// A smooth ball slides in a drum that turns as in one that stands.
#[test]
fn a_smooth_drum_that_turns_changes_nothing() {
    let slid = |turning: bool| {
        let mut world = world::<Space2>(0.0, DVec2::Y * -G);
        let drum = Shape::Hollow(Hollow::new(1.0).unwrap());
        let drum = if turning {
            let drive = Drive::Rotation {
                pivot: DVec2::ZERO,
                angular_velocity: 4.0,
            };
            Body::kinematic(drum, drive)
        } else {
            Body::fixed(drum)
        };
        world.add(drum).unwrap();
        let start = ball(DVec2::new(0.6, -0.6), DVec2::ZERO, 0.0);
        let id = world.add(start).unwrap();
        let mut run = started(&world, 1e5);
        run.run_to(2.0).unwrap();
        run.state(id)
    };
    let (still, turning) = (slid(false), slid(true));
    // Rounding of the normal in the drum's frame, in some 10⁵ steps.
    let off = (still.position - turning.position).length();
    assert!(
        off < 1e-9 && turning.angular_velocity == 0.0,
        "{off:e} {turning:?}"
    );
    assert!((still.position.length() - 0.9).abs() < 1e-2, "{still:?}");
}
