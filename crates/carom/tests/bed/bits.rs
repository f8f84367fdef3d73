//! The crowd's lists, slots, lanes and threads leave no trace: its results are those of a plain loop over all pairs, to
//! the bit.

use super::RULE;
use carom::body::CollisionFilter;
use carom::kernels::granular::{Granular, GranularBall, GranularFixture, Rule, Rules, Settings};
use carom::kernels::vectors::{self, Width};
use carom::material::{Constants, Damping, Stiffness};
use carom::prelude::*;
use carom::shape::HalfSpace;
use carom::simulate::ForceEngine;
use carom::simulate::Stepped;

const DT: f64 = 5e-6;

/// Numbers from 0 to 1.
fn randoms() -> impl FnMut() -> f64 {
    let mut state = 7_u64;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / 9_007_199_254_740_992.0
    }
}

/// Spheres of 0.9 to 1.1 mm, almost touching, that are thrown about.
pub fn spheres(across: usize, layers: usize) -> Vec<GranularBall<Space3>> {
    let mut random = randoms();
    let mut grains = Vec::new();
    for index in 0..across * across * layers {
        let (x, y, z) = (
            index % across,
            index / across % across,
            index / across / across,
        );
        let place = DVec3::new(x as f64, y as f64, z as f64) * 2.25e-3 + 1.2e-3;
        let radius = 0.9e-3 + 0.2e-3 * random();
        let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius;
        grains.push(GranularBall {
            velocity: DVec3::new(random() - 0.5, random() - 0.5, random() - 1.0) * 0.3,
            angular_velocity: DVec3::new(random() - 0.5, random() - 0.5, random() - 0.5) * 100.0,
            ..GranularBall::at_rest(radius, mass, place)
        });
    }
    grains
}

/// Floor first, then the four sides.
pub fn walls(side: f64) -> Vec<GranularFixture<Space3>> {
    let far = DVec3::new(side, side, 0.0);
    let places = [
        (DVec3::Z, DVec3::ZERO),
        (DVec3::X, DVec3::ZERO),
        (DVec3::NEG_X, far),
        (DVec3::Y, DVec3::ZERO),
        (DVec3::NEG_Y, far),
    ];
    let wall = |(normal, at)| {
        let shape = Shape::HalfSpace(HalfSpace::solid(normal).unwrap());
        GranularFixture::fixed(shape, Pose::at(at))
    };
    places.into_iter().map(wall).collect()
}

pub fn settings(threads: usize) -> Settings<Space3> {
    Settings {
        gravity: DVec3::new(0.0, 0.0, -9.81),
        threads,
        ..Settings::stepping(DT)
    }
}

fn bits(grains: &[GranularBall<Space3>]) -> Vec<[u64; 9]> {
    let of = |grain: &GranularBall<Space3>| {
        let [p, v, w] =
            [grain.position, grain.velocity, grain.angular_velocity].map(|of| of.to_array());
        [p[0], p[1], p[2], v[0], v[1], v[2], w[0], w[1], w[2]].map(f64::to_bits)
    };
    grains.iter().map(of).collect()
}

#[test]
fn the_bits_are_the_same_for_any_number_of_threads() {
    let side = 14.0 * 2.25e-3 + 0.2e-3;
    let run = |threads: usize, segments: &[u64], books: bool| {
        let settings = Settings {
            books,
            ..settings(threads)
        };
        let grains = spheres(14, 10);
        let mut crowd = Granular::new(grains, walls(side), Rules::uniform(RULE), settings).unwrap();
        assert_eq!(crowd.threads(), threads);
        for &steps in segments {
            crowd.step(steps).unwrap();
        }
        // Of 1,960 spheres, so that there are several pieces of work; enough happens, and lists are made anew.
        assert!(crowd.coordination() > 0.3, "{}", crowd.coordination());
        (bits(&crowd.balls()), crowd.budget())
    };
    let (alone, _) = run(1, &[2000], false);
    assert!(alone == run(2, &[2000], false).0);
    assert!(alone == run(3, &[1, 700, 1299], false).0);
    let (state, books) = run(1, &[2000], true);
    assert!(alone == state, "books change nothing");
    assert_eq!(books, run(3, &[2000], true).1);
}

#[test]
fn the_bits_are_those_of_a_plain_loop_over_all_pairs() {
    let side = 5.0 * 2.25e-3 + 0.2e-3;
    for periods in [[0.0; 3], [side + 0.3e-3, side + 0.3e-3, 0.0]] {
        let props = if periods[0] > 0.0 {
            walls(side)[..1].to_vec()
        } else {
            walls(side)
        };
        let grains = spheres(5, 6);
        let mut naive = Naive::new(&grains, &props, periods);
        let settings = Settings {
            periods,
            ..settings(1)
        };
        let mut crowd = Granular::new(grains, props, Rules::uniform(RULE), settings).unwrap();
        for _ in 0..4 {
            crowd.step(400).unwrap();
            (0..400).for_each(|_| naive.step());
            assert!(crowd.coordination() > 0.1);
            let (ours, theirs) = (crowd.balls(), naive.balls());
            for (ball, (a, b)) in bits(&ours).iter().zip(bits(&theirs)).enumerate() {
                assert_eq!(*a, b, "ball {ball}: {:?} {:?}", ours[ball], theirs[ball]);
            }
        }
    }
}

/// Whichever vectors the processor has: states, books and, where record is kept, all that a snapshot has. With every
/// form of the law, in a box with walls and in a periodic one.
#[test]
fn the_bits_are_the_same_for_any_width_of_vectors() {
    let side = 6.0 * 2.25e-3 + 0.2e-3;
    let rolling = Rule {
        rolling: 0.1,
        spinning: 0.05,
        damping_ratio: 0.3,
        stiffness_per_mass: 1e6,
        ..RULE
    };
    let crowd = |rule: Rule, (hertz, cut_off): (bool, bool), periodic: bool, books: bool| {
        let (props, periods) = if periodic {
            (
                walls(side)[..1].to_vec(),
                [side + 0.3e-3, side + 0.3e-3, 0.0],
            )
        } else {
            (walls(side), [0.0; 3])
        };
        let rules = Rules {
            hertz,
            cut_off,
            ..Rules::uniform(rule)
        };
        let settings = Settings {
            periods,
            books,
            ..settings(1)
        };
        let mut crowd = Granular::new(spheres(6, 6), props, rules, settings).unwrap();
        crowd.step(1600).unwrap();
        // Of 216 spheres: five contacts and more.
        assert!(crowd.coordination() > 0.05, "{}", crowd.coordination());
        (bits(&crowd.balls()), crowd.budget())
    };
    let hertz = Rule {
        stiffness: 1e8,
        ..rolling
    };
    let mut seen = Vec::new();
    for width in Width::all() {
        vectors::choose(Some(width));
        assert_eq!(vectors::width(), width);
        seen.push((
            [
                crowd(RULE, (false, false), false, false),
                crowd(RULE, (false, false), true, true),
                crowd(rolling, (false, true), false, true),
                crowd(hertz, (true, true), true, true),
            ],
            recorded(side),
        ));
    }
    vectors::choose(None);
    let (first, recorded) = &seen[0];
    for (others, also) in &seen {
        for (form, (a, b)) in first.iter().zip(others).enumerate() {
            assert!(a.0 == b.0, "form {form}: not the same states");
            let both = [a.1, b.1].map(|books| format!("{books:?}"));
            assert_eq!(both[0], both[1], "form {form}");
        }
        assert!(recorded == also, "not the same snapshots");
    }
}

/// The snapshot of a run of which record is kept.
fn recorded(side: f64) -> Vec<u8> {
    let mut world = World3::new();
    world.set_gravity(DVec3::new(0.0, 0.0, -9.81)).unwrap();
    let friction = Material {
        static_friction: 0.5,
        kinetic_friction: 0.4,
        rolling_resistance: 0.05,
        ..Material::default()
    };
    let glass = world.materials.add("glass", friction).unwrap();
    let constants = Constants {
        stiffness: Stiffness::Given(2000.0),
        damping: Damping::PerMass(8800.0),
        tangential_stiffness: 2.0 / 7.0,
        tangential_damping: 0.5,
    };
    world.materials.set_constants(glass, constants).unwrap();
    for wall in walls(side) {
        let wall = Body::fixed(wall.shape).pose(wall.pose).made_of(glass);
        world.add(wall).unwrap();
    }
    for grain in spheres(6, 6) {
        let ball = Body::ball(grain.radius, grain.mass, grain.position, grain.velocity).unwrap();
        world.add(ball.made_of(glass)).unwrap();
    }
    let forces = Forces::stepping(DT).run_by(ForceEngine::Granular);
    let mut run = Stepped::new(world, &forces).unwrap();
    run.run_to(800.0 * DT).unwrap();
    assert_eq!(run.engine(), ForceEngine::Granular);
    run.snapshot()
}

/// Flat, so that contacts reach a few hundred balls ahead while there are thousands: threads have balls of their own to
/// move, and what acts at early contacts is overwritten before the last are computed. Once it is periodic along an
/// axis, so that the first balls touch the last.
#[test]
fn the_bits_of_a_flat_bed_are_those_of_a_plain_loop_for_any_number_of_threads() {
    let side = 32.0 * 2.25e-3 + 0.2e-3;
    let grains = spheres(32, 2);
    let run = |threads: usize, periods: [f64; 3]| {
        let settings = Settings {
            periods,
            ..settings(threads)
        };
        let walls = if periods[1] > 0.0 {
            walls(side)[..3].to_vec()
        } else {
            walls(side)
        };
        let mut crowd =
            Granular::new(grains.clone(), walls, Rules::uniform(RULE), settings).unwrap();
        crowd.step(200).unwrap();
        crowd.step(100).unwrap();
        assert!(crowd.coordination() > 0.1, "{}", crowd.coordination());
        bits(&crowd.balls())
    };
    let mut naive = Naive::new(&grains, &walls(side), [0.0; 3]);
    (0..300).for_each(|_| naive.step());
    let expected = bits(&naive.balls());
    for threads in [1, 2, 4] {
        assert!(expected == run(threads, [0.0; 3]), "{threads} threads");
    }
    let periods = [0.0, side, 0.0];
    let alone = run(1, periods);
    for threads in [2, 4] {
        assert!(
            alone == run(threads, periods),
            "{threads} threads, periodic"
        );
    }

    let run = |threads: usize| {
        let settings = Settings {
            books: true,
            watched: true,
            ..settings(threads)
        };
        let side = 60.0 * 2.25e-3 + 0.2e-3;
        let grains = spheres(60, 2);
        let mut crowd = Granular::new(grains, walls(side), Rules::uniform(RULE), settings).unwrap();
        crowd.step(300).unwrap();
        let touches = crowd.take_touches();
        assert!(touches.len() > 1000, "{}", touches.len());
        (bits(&crowd.balls()), crowd.budget(), touches)
    };
    let alone = run(1);
    for threads in [2, 3, 7] {
        assert!(alone == run(threads), "{threads} threads");
    }
}

#[test]
fn classes_of_one_rule_are_one_class() {
    let side = 6.0 * 2.25e-3 + 0.2e-3;
    let run = |classes: usize| {
        let rules = Rules {
            classes,
            table: vec![RULE; classes * classes],
            ..Rules::uniform(RULE)
        };
        let mut grains = spheres(6, 4);
        for (index, grain) in grains.iter_mut().enumerate() {
            grain.class = (index % classes) as u16;
        }
        let mut crowd = Granular::new(grains, walls(side), rules, settings(1)).unwrap();
        crowd.step(1500).unwrap();
        bits(&crowd.balls())
    };
    assert!(run(1) == run(3));
}

#[test]
fn groups_that_do_not_meet_pass_through_each_other() {
    let mut pair = [0.0, 1.5e-3].map(|x| GranularBall::at_rest(1e-3, 1e-5, DVec3::X * x));
    pair[0].groups = CollisionFilter {
        memberships: 1,
        mask: 2,
    };
    let still = |pair: [GranularBall<Space3>; 2]| {
        let rules = Rules::uniform(RULE);
        let mut crowd = Granular::new(pair, Vec::new(), rules, Settings::stepping(DT)).unwrap();
        crowd.step(10).unwrap();
        crowd.balls()[0].velocity == DVec3::ZERO
    };
    assert!(!still(pair), "the other one is in every group");
    pair[1].groups = CollisionFilter {
        memberships: 4,
        mask: 1,
    };
    assert!(still(pair));
}

/// The same law and scheme, one pair after the other. Every operation is the one of the loop over lanes, in its order.
struct Naive {
    balls: Vec<Ball>,
    planes: Vec<(V, f64)>,
    periods: V,
    /// ξ of each pair and of each ball with each wall.
    stretch: Vec<V>,
    force: Vec<V>,
    twist: Vec<V>,
    fresh: bool,
}

type V = [f64; 3];

#[derive(Clone, Copy)]
struct Ball {
    place: V,
    velocity: V,
    rim: V,
    radius: f64,
    per_mass: f64,
    per_inertia: f64,
}

fn each(of: impl Fn(usize) -> f64) -> V {
    [of(0), of(1), of(2)]
}

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: V, b: V) -> V {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

impl Naive {
    fn new(grains: &[GranularBall<Space3>], props: &[GranularFixture<Space3>], periods: V) -> Self {
        let ball = |grain: &GranularBall<Space3>| Ball {
            place: grain.position.to_array(),
            velocity: grain.velocity.to_array(),
            rim: grain
                .angular_velocity
                .to_array()
                .map(|about| grain.radius * about),
            radius: grain.radius,
            per_mass: 1.0 / grain.mass,
            per_inertia: grain.radius * grain.radius / grain.inertia,
        };
        let plane = |prop: &GranularFixture<Space3>| match &prop.shape {
            Shape::HalfSpace(wall) => (wall.normal.to_array(), wall.normal.dot(prop.pose.position)),
            _ => panic!("planes only"),
        };
        let balls: Vec<Ball> = grains.iter().map(ball).collect();
        let planes: Vec<_> = props.iter().map(plane).collect();
        let mut naive = Naive {
            stretch: vec![[0.0; 3]; balls.len() * (balls.len() + planes.len())],
            force: Vec::new(),
            twist: Vec::new(),
            balls,
            planes,
            periods,
            fresh: true,
        };
        naive.forces(0.0);
        naive
    }

    fn forces(&mut self, dt: f64) {
        let count = self.balls.len();
        let mut force = vec![[0.0; 3]; count];
        let mut twist = vec![[0.0; 3]; count];
        for i in 0..count {
            // In the order of the partners' numbers, walls last.
            for j in 0..count + self.planes.len() {
                if i == j {
                    continue;
                }
                let (a, b) = (i.min(j), i.max(j));
                let (acts, twists, stretch) = self.contact(a, b, dt);
                let sign = if i == a { 1.0 } else { -1.0 };
                force[i] = each(|k| force[i][k] + sign * acts[k]);
                twist[i] = each(|k| twist[i][k] + twists[k]);
                // Each pair is looked at twice: its memory goes on with the second time.
                if j >= count || i == b {
                    self.stretch[a * (count + self.planes.len()) + b] = stretch;
                }
            }
        }
        (self.force, self.twist) = (force, twist);
    }

    fn contact(&self, a: usize, b: usize, dt: f64) -> (V, V, V) {
        const NOTHING: (V, V, V) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        let count = self.balls.len();
        let stretch = self.stretch[a * (count + self.planes.len()) + b];
        let one = &self.balls[a];
        let (n, overlap, velocity, rim, mass);
        if b < count {
            let other = &self.balls[b];
            let between = each(|k| {
                let along = one.place[k] - other.place[k];
                if self.periods[k] > 0.0 {
                    along - self.periods[k] * (along / self.periods[k]).round_ties_even()
                } else {
                    along
                }
            });
            let sum = one.radius + other.radius;
            let square = dot(between, between);
            if !(square < sum * sum) {
                return NOTHING;
            }
            let distance = square.sqrt();
            let scale = 1.0 / distance;
            n = between.map(|along| along * scale);
            overlap = sum - distance;
            velocity = each(|k| one.velocity[k] - other.velocity[k]);
            rim = each(|k| one.rim[k] + other.rim[k]);
            mass = 1.0 / (one.per_mass + other.per_mass);
        } else {
            let (normal, offset) = self.planes[b - count];
            n = normal;
            overlap = one.radius - (dot(n, one.place) - offset);
            if !(overlap > 0.0) {
                return NOTHING;
            }
            (velocity, rim, mass) = (one.velocity, one.rim, 1.0 / one.per_mass);
        }
        let closing = dot(velocity, n);
        let turned = cross(rim, n);
        let slip = each(|k| velocity[k] - n[k] * closing - turned[k]);
        let damping = RULE.damping_per_mass * mass;
        let stretching = RULE.tangential_stiffness * RULE.stiffness;
        let rubbing = RULE.tangential_damping * damping;
        let along = RULE.stiffness * overlap - damping * closing;
        let moved = each(|k| stretch[k] + slip[k] * dt);
        let part = dot(moved, n);
        let mut stretch = each(|k| moved[k] - n[k] * part);
        let mut across = each(|k| -(stretch[k] * stretching + slip[k] * rubbing));
        let limit = RULE.kinetic_friction * along.abs();
        let square = dot(across, across);
        if square > limit * limit {
            let scale = limit / square.sqrt();
            across = across.map(|along| along * scale);
            stretch = each(|k| (across[k] + slip[k] * rubbing) * (-1.0 / stretching));
        }
        (
            each(|k| n[k] * along + across[k]),
            cross(n, across),
            stretch,
        )
    }

    /// Accelerations of the centre and of r ω.
    fn rates(&self, ball: usize) -> (V, V) {
        const GRAVITY: V = [0.0, 0.0, -9.81];
        let of = &self.balls[ball];
        (
            each(|k| self.force[ball][k] * of.per_mass + GRAVITY[k]),
            each(|k| self.twist[ball][k] * -of.per_inertia),
        )
    }

    fn closing(&self) -> f64 {
        if self.fresh { 0.0 } else { 0.5 * DT }
    }

    fn step(&mut self) {
        let (closing, opening) = (self.closing(), 0.5 * DT);
        for index in 0..self.balls.len() {
            let (acceleration, spin_up) = self.rates(index);
            let ball = &mut self.balls[index];
            ball.velocity =
                each(|k| ball.velocity[k] + acceleration[k] * closing + acceleration[k] * opening);
            ball.rim = each(|k| ball.rim[k] + spin_up[k] * closing + spin_up[k] * opening);
            ball.place = each(|k| ball.place[k] + ball.velocity[k] * DT);
        }
        self.fresh = false;
        self.forces(DT);
    }

    fn balls(&self) -> Vec<GranularBall<Space3>> {
        let of = |index: usize| {
            let ball = &self.balls[index];
            let (acceleration, spin_up) = self.rates(index);
            let closing = self.closing();
            let angular_velocity = each(|k| (ball.rim[k] + spin_up[k] * closing) / ball.radius);
            GranularBall {
                velocity: DVec3::from_array(each(|k| ball.velocity[k] + acceleration[k] * closing)),
                angular_velocity: DVec3::from_array(angular_velocity),
                ..GranularBall::at_rest(
                    ball.radius,
                    1.0 / ball.per_mass,
                    DVec3::from_array(ball.place),
                )
            }
        };
        (0..self.balls.len()).map(of).collect()
    }
}
