//! Convex solids: carom beside parry (f64), on the same random cases in the same run.
//!
//! ```text
//! cd peers && cargo run --release --bin solids   # the tables of docs/solids.md (minutes, most of them the oracle's)
//! cd peers && cargo run --release --bin rigid -- pairs   # the same, 200 of each checked
//! ```
//!
//! Static: 4,000 pairs at random places, about half of them touching; is there a common point, and where. Time of
//! impact: 4,000 pairs that fly past or into each other with constant spins of up to 6 rad/s (parry knows no free
//! tumbling). Each is checked against an oracle that shares nothing with either: distances by brute force (all face
//! normals and all pairs of edges; closed forms for the ball), sampled in time as finely as the largest possible speed
//! demands, then bisected. Times are medians of five interleaved rounds, by processor time of the one thread.

mod random;

use carom::kernels::impact::Impact;
use carom::kernels::solids::{RigidTrajectory, first_contact, meeting, touching};
use carom::motion::Flight;
use carom::prelude::*;
use carom::shape::Obstacle;
use carom::shape::{Block, Cylinder, Shape3};
use carom::shape::{Compound, Convex};
use parry3d_f64::math as pm;
use parry3d_f64::query::{self, NonlinearRigidMotion};
use parry3d_f64::shape as ps;
use random::Random;
use std::hint::black_box;
use std::time::Instant;

const CASES: usize = 4_000;
const ROUNDS: usize = 5;
const END: f64 = 3.0;

/// What the oracle knows of a solid.
enum Plain {
    Ball(f64),
    /// Half its axis along x, and its radius.
    Capsule(f64, f64),
    Shape(Shape<Space3>),
    /// Corners, normals, edge directions.
    Flat(Vec<DVec3>, Vec<DVec3>, Vec<DVec3>),
}

struct Body {
    form: Compound<Space3>,
    parry: Box<dyn ps::Shape>,
    plain: Plain,
    reach: f64,
}

fn flat(part: &Convex<Space3>) -> Plain {
    let corners: Vec<DVec3> = part.corners().collect();
    let mut edges = Vec::new();
    for (_, around) in part.faces() {
        for (i, &from) in around.iter().enumerate() {
            let to = around[(i + 1) % around.len()];
            if from < to {
                edges.push(corners[to as usize] - corners[from as usize]);
            }
        }
    }
    Plain::Flat(corners, part.faces().map(|(n, _)| n).collect(), edges)
}

fn vector(v: DVec3) -> pm::Vector {
    pm::Vector::new(v.x, v.y, v.z)
}

fn pose(p: &Pose<Space3>) -> pm::Pose {
    let q = p.rotation;
    pm::Pose::from_parts(
        vector(p.position),
        pm::Rotation::from_xyzw(q.x, q.y, q.z, q.w),
    )
}

fn body(kind: &str, random: &mut Random) -> Body {
    let mut side = || random.within(0.3, 1.0);
    let (x, y, z) = (side(), side(), side());
    let half = DVec3::new(x, y, z);
    let (part, parry, plain): (Convex<Space3>, Box<dyn ps::Shape>, Plain) = match kind {
        "ball" => (
            Convex::ball(x).unwrap(),
            Box::new(ps::Ball::new(x)),
            Plain::Ball(x),
        ),
        "box" => {
            let part = Convex::block(half).unwrap();
            let plain = flat(&part);
            (part, Box::new(ps::Cuboid::new(vector(half))), plain)
        }
        "capsule" => (
            Convex::capsule(DVec3::new(-x, 0.0, 0.0), DVec3::new(x, 0.0, 0.0), 0.5 * y).unwrap(),
            Box::new(ps::Capsule::new_x(x, 0.5 * y)),
            Plain::Capsule(x, 0.5 * y),
        ),
        // Parry's is along y.
        "cylinder" => {
            let turn = Pose {
                position: DVec3::ZERO,
                rotation: DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2),
            };
            let shape = Cylinder::new(DVec3::Y, x, y).unwrap();
            (
                Convex::cylinder(x, y).unwrap().placed(&turn),
                Box::new(ps::Cylinder::new(x, y)),
                Plain::Shape(Shape::own(Shape3::Cylinder(shape))),
            )
        }
        _ => {
            // About its centre of mass, so that both turn it about the same point.
            let corners: Vec<DVec3> = (0..20).map(|_| random.direction()).collect();
            let form = Compound::new(vec![Convex::polyhedron(&corners).unwrap()], 1.0).unwrap();
            let corners: Vec<DVec3> = form.parts()[0].corners().collect();
            let points: Vec<pm::Vector> = corners.iter().map(|&c| vector(c)).collect();
            let plain = flat(&form.parts()[0]);
            (
                form.parts()[0].clone(),
                Box::new(ps::ConvexPolyhedron::from_convex_hull(&points).unwrap()),
                plain,
            )
        }
    };
    let reach = part.reach();
    Body {
        form: Compound::fixed(vec![part]).unwrap(),
        parry,
        plain,
        reach,
    }
}

/// The distance of two segments with directions of length one, half lengths and middles so far apart: where the two
/// lines are nearest, or at an end of one.
fn segments_apart([u, v]: [DVec3; 2], [a, b]: [f64; 2], between: DVec3) -> f64 {
    let distance = |s: f64, t: f64| (between + u * s - v * t).length();
    let (cos, p, q) = (u.dot(v), u.dot(between), v.dot(between));
    let mut least = f64::INFINITY;
    let sine = 1.0 - cos * cos;
    if sine > 1e-12 {
        let (s, t) = ((cos * q - p) / sine, (q - cos * p) / sine);
        if s.abs() <= a && t.abs() <= b {
            least = distance(s, t);
        }
    }
    for sign in [-1.0, 1.0] {
        least = least.min(distance(sign * a, (q + cos * sign * a).clamp(-b, b)));
        least = least.min(distance((cos * sign * b - p).clamp(-a, a), sign * b));
    }
    least
}

/// The gap of two solids at poses, by brute force; its sign is exact to rounding, and where they are apart it is at
/// most their distance.
fn gap(a: &Body, pose_a: &Pose<Space3>, b: &Body, pose_b: &Pose<Space3>) -> f64 {
    match (&a.plain, &b.plain) {
        (&Plain::Capsule(half_a, radius_a), &Plain::Capsule(half_b, radius_b)) => {
            let axes = [pose_a, pose_b].map(|pose| pose.rotation * DVec3::X);
            let between = pose_a.position - pose_b.position;
            segments_apart(axes, [half_a, half_b], between) - radius_a - radius_b
        }
        (Plain::Ball(radius), Plain::Shape(shape)) => {
            shape.closest(pose_b.to_local(pose_a.position)).distance - radius
        }
        (Plain::Ball(radius), Plain::Flat(corners, ..)) => {
            // A box: its last corner is its half sides.
            let half = corners[corners.len() - 1];
            Block::<Space3>::new(half)
                .unwrap()
                .closest(pose_b.to_local(pose_a.position))
                .distance
                - radius
        }
        (
            Plain::Flat(corners_a, normals_a, edges_a),
            Plain::Flat(corners_b, normals_b, edges_b),
        ) => {
            // In b's frame.
            let turn = pose_b.rotation.inverse() * pose_a.rotation;
            let shift = pose_b.to_local(pose_a.position);
            let corners_a: Vec<DVec3> = corners_a.iter().map(|&c| turn * c + shift).collect();
            let along = |n: DVec3| {
                let top = corners_a
                    .iter()
                    .map(|&p| n.dot(p))
                    .fold(f64::NEG_INFINITY, f64::max);
                let low = corners_b
                    .iter()
                    .map(|&p| n.dot(p))
                    .fold(f64::INFINITY, f64::min);
                low - top
            };
            let mut best = f64::NEG_INFINITY;
            for &n in normals_a {
                best = best.max(along(turn * n));
            }
            for &n in normals_b {
                best = best.max(along(-n));
            }
            let edges_a: Vec<DVec3> = edges_a.iter().map(|&e| turn * e).collect();
            for &u in &edges_a {
                for &v in edges_b {
                    let n = u.cross(v);
                    let length = n.length_squared();
                    if length > 1e-14 * u.length_squared() * v.length_squared() {
                        let n = n / length.sqrt();
                        let (mut top, mut low) = (f64::NEG_INFINITY, f64::INFINITY);
                        for &p in &corners_a {
                            let x = n.dot(p);
                            top = top.max(x);
                            low = low.min(x);
                        }
                        let (mut other_top, mut other_low) = (f64::NEG_INFINITY, f64::INFINITY);
                        for &p in corners_b {
                            let x = n.dot(p);
                            other_top = other_top.max(x);
                            other_low = other_low.min(x);
                        }
                        best = best.max(other_low - top).max(low - other_top);
                    }
                }
            }
            best
        }
        _ => unreachable!("not a pair of this benchmark"),
    }
}

struct Case {
    a: Body,
    b: Body,
    poses: [Pose<Space3>; 2],
    velocities: [DVec3; 2],
    spins: [DVec3; 2],
}

impl Case {
    fn trajectories(&self) -> [RigidTrajectory<Space3>; 2] {
        [0, 1].map(|i| {
            let flight = Flight::straight(self.poses[i].position, self.velocities[i]);
            RigidTrajectory::steady(0.0, self.poses[i], flight, self.spins[i])
        })
    }

    fn motions(&self) -> [NonlinearRigidMotion; 2] {
        [0, 1].map(|i| {
            NonlinearRigidMotion::new(
                pose(&self.poses[i]),
                vector(DVec3::ZERO),
                vector(self.velocities[i]),
                vector(self.spins[i]),
            )
        })
    }

    fn gap_at(&self, trajectories: &[RigidTrajectory<Space3>; 2], time: f64) -> f64 {
        gap(
            &self.a,
            &trajectories[0].pose_at(time),
            &self.b,
            &trajectories[1].pose_at(time),
        )
    }

    /// The first time at which the gap is zero, in steps that nothing can be missed in.
    fn truth(&self, trajectories: &[RigidTrajectory<Space3>; 2]) -> Option<f64> {
        let speed = (self.velocities[0] - self.velocities[1]).length()
            + self.spins[0].length() * self.a.reach
            + self.spins[1].length() * self.b.reach;
        // The oracle's gap of apart solids is at least a third of their distance; it changes no faster than the points
        // move.
        let finest = END / 20_000.0;
        let (mut time, mut before) = (0.0, 0.0);
        while time < END {
            let here = self.gap_at(trajectories, time);
            if here <= 0.0 {
                let (mut low, mut high) = (before, time);
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if self.gap_at(trajectories, middle) > 0.0 {
                        low = middle
                    } else {
                        high = middle
                    }
                }
                return Some(high);
            }
            before = time;
            time += (here / speed).max(finest);
        }
        None
    }
}

fn seconds() -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(
            || {
                static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
                START.get_or_init(Instant::now).elapsed().as_secs_f64()
            },
            |ns| 1e-9 * ns,
        )
}

/// Nanoseconds a case, the median of interleaved rounds, each repeated until it has taken a tenth of a second: the
/// system counts processor time in steps of some milliseconds.
fn time<const N: usize>(runs: [&dyn Fn(); N]) -> [f64; N] {
    let mut all = [(); N].map(|()| Vec::new());
    for _ in 0..ROUNDS {
        for (run, list) in runs.iter().zip(&mut all) {
            let (before, mut repeats) = (seconds(), 0.0);
            while seconds() - before < 0.1 {
                run();
                repeats += 1.0;
            }
            list.push((seconds() - before) * 1e9 / (repeats * CASES as f64));
        }
    }
    all.map(|mut list| {
        list.sort_by(f64::total_cmp);
        list[ROUNDS / 2]
    })
}

fn statics(name: &str, kinds: [&str; 2]) {
    let mut random = Random(7);
    let cases: Vec<Case> = (0..CASES)
        .map(|_| {
            let (a, b) = (body(kinds[0], &mut random), body(kinds[1], &mut random));
            let apart = random.direction() * random.within(0.2, 1.1) * (a.reach + b.reach);
            let poses = [
                Pose {
                    position: DVec3::ZERO,
                    rotation: random.rotation(),
                },
                Pose {
                    position: apart,
                    rotation: random.rotation(),
                },
            ];
            Case {
                a,
                b,
                poses,
                velocities: [DVec3::ZERO; 2],
                spins: [DVec3::ZERO; 2],
            }
        })
        .collect();
    let poses: Vec<[pm::Pose; 2]> = cases
        .iter()
        .map(|c| [pose(&c.poses[0]), pose(&c.poses[1])])
        .collect();
    let ours = |c: &Case| touching(&c.a.form, &c.poses[0], &c.b.form, &c.poses[1]);
    let theirs = |c: &Case, p: &[pm::Pose; 2]| {
        query::intersection_test(&p[0], &*c.a.parry, &p[1], &*c.b.parry)
            .unwrap()
            .intersecting
    };
    let (mut wrong_ours, mut wrong_theirs, mut together) = (0, 0, 0);
    for (case, p) in cases.iter().zip(&poses) {
        let gap = gap(&case.a, &case.poses[0], &case.b, &case.poses[1]);
        together += i32::from(gap <= 0.0);
        // Nearer to touching than rounding tells, either answer will do.
        if gap.abs() > 1e-13 {
            wrong_ours += i32::from(ours(case) != (gap < 0.0));
            wrong_theirs += i32::from(theirs(case, p) != (gap < 0.0));
        }
    }
    let [sphere_test, their_verdict, contact, their_contact] = time([
        &|| {
            cases.iter().for_each(|c| {
                black_box(ours(c));
            })
        },
        &|| {
            cases.iter().zip(&poses).for_each(|(c, p)| {
                black_box(theirs(c, p));
            })
        },
        &|| {
            cases.iter().for_each(|c| {
                black_box(meeting(&c.a.form, &c.poses[0], &c.b.form, &c.poses[1], 0.0));
            })
        },
        &|| {
            cases.iter().zip(&poses).for_each(|(c, p)| {
                black_box(query::contact(&p[0], &*c.a.parry, &p[1], &*c.b.parry, 0.0).unwrap());
            })
        },
    ]);
    println!(
        "| {name} | {together} | {sphere_test:.0} | {their_verdict:.0} | {contact:.0} | {their_contact:.0} | {wrong_ours} | {wrong_theirs} |"
    );
}

/// Longer than most: one row of the table, from its cases by both engines to the judge of both.
fn impacts(name: &str, kinds: [&str; 2], checked: usize) {
    let mut random = Random(8);
    let cases: Vec<Case> = std::iter::from_fn(|| {
        let (a, b) = (body(kinds[0], &mut random), body(kinds[1], &mut random));
        let from = random.direction() * 2.0 * (a.reach + b.reach);
        let aim = random.in_ball() * 0.7 * (a.reach + b.reach);
        let poses = [
            Pose {
                position: DVec3::ZERO,
                rotation: random.rotation(),
            },
            Pose {
                position: from,
                rotation: random.rotation(),
            },
        ];
        let velocities = [
            random.in_ball() * 0.2,
            (aim - from).normalize() * random.within(0.5, 4.0),
        ];
        let spins = [random.in_ball() * 6.0, random.in_ball() * 6.0];
        Some(Case {
            a,
            b,
            poses,
            velocities,
            spins,
        })
    })
    .take(CASES)
    .collect();
    let trajectories: Vec<[RigidTrajectory<Space3>; 2]> =
        cases.iter().map(Case::trajectories).collect();
    let motions: Vec<[NonlinearRigidMotion; 2]> = cases.iter().map(Case::motions).collect();
    let ours = |c: &Case, k: &[RigidTrajectory<Space3>; 2]| {
        first_contact(&c.a.form, &k[0], &c.b.form, &k[1], 0.0, END)
    };
    let theirs = |c: &Case, m: &[NonlinearRigidMotion; 2]| {
        query::cast_shapes_nonlinear(&m[0], &*c.a.parry, &m[1], &*c.b.parry, 0.0, END, true)
            .unwrap()
            .map(|hit| hit.time_of_impact)
    };
    let [our_time, their_time] = time([
        &|| {
            cases.iter().zip(&trajectories).for_each(|(c, k)| {
                black_box(ours(c, k));
            })
        },
        &|| {
            cases.iter().zip(&motions).for_each(|(c, m)| {
                black_box(theirs(c, m));
            })
        },
    ]);
    // Missed, invented, or not the first one; the largest gap at the time given.
    let (mut hits, mut grazes) = (0, 0);
    let (mut wrong, mut worst) = ([0; 2], [0.0_f64; 2]);
    for i in 0..checked {
        let (case, course) = (&cases[i], &trajectories[i]);
        let truth = case.truth(course);
        hits += i32::from(truth.is_some());
        let mine = match ours(case, course) {
            Impact::At(time) => Some(time),
            Impact::Now => Some(0.0),
            Impact::Never => None,
            Impact::ClearUntil(_) => Some(f64::NAN),
        };
        for (who, found) in [mine, theirs(case, &motions[i])].into_iter().enumerate() {
            match (found, truth) {
                (None, None) => {}
                (Some(time), Some(truth)) => {
                    let gap = case.gap_at(course, time).abs();
                    worst[who] = worst[who].max(gap);
                    // Another contact than the first: elsewhere.
                    wrong[who] += i32::from(!(gap < 1e-3) && (time - truth).abs() > 0.01);
                }
                (found, truth) => {
                    // A graze that is nearer to zero than 1e-12 may go either way.
                    let time = found.or(truth).unwrap_or_default();
                    let mut least = f64::INFINITY;
                    for k in -200..=200 {
                        let t = (time + f64::from(k) * 1e-7).clamp(0.0, END);
                        least = least.min(case.gap_at(course, t));
                    }
                    if least.abs() < 1e-12 {
                        grazes += 1
                    } else {
                        wrong[who] += 1
                    }
                }
            }
        }
    }
    println!(
        "| {name} | {hits} of {checked} | {our_time:.0} | {their_time:.0} | {} | {} | {:.0e} | {:.0e} |{}",
        wrong[0],
        wrong[1],
        worst[0],
        worst[1],
        if grazes > 0 {
            format!(" {grazes} grazes")
        } else {
            String::new()
        },
    );
}

/// Boxes given by their corners, turned: mass and principal moments are known.
fn masses() {
    let mut random = Random(9);
    let (mut worst, mut times) = ([0.0_f64; 2], [0.0; 2]);
    for _ in 0..2_000 {
        let mut side = || random.within(0.3, 1.0);
        let half = DVec3::new(side(), side(), side());
        let turn = random.rotation();
        let shift = random.in_ball();
        let corners: Vec<DVec3> = (0..8)
            .map(|i| {
                let s = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
                turn * (half * DVec3::new(s(0), s(1), s(2))) + shift
            })
            .collect();
        let mass = 8.0 * half.x * half.y * half.z;
        let square = half * half;
        let mut moments = [
            square.y + square.z,
            square.x + square.z,
            square.x + square.y,
        ]
        .map(|m| m * mass / 3.0);
        moments.sort_by(f64::total_cmp);
        let before = seconds();
        let form = Compound::new(vec![Convex::polyhedron(&corners).unwrap()], 1.0).unwrap();
        times[0] += seconds() - before;
        let points: Vec<pm::Vector> = corners.iter().map(|&c| vector(c)).collect();
        let before = seconds();
        let shape = ps::ConvexPolyhedron::from_convex_hull(&points).unwrap();
        let properties = ps::Shape::mass_properties(&shape, 1.0);
        times[1] += seconds() - before;
        let their = properties.principal_inertia();
        for (who, (m, mut found)) in [
            (form.mass(), form.principal_moments()),
            (properties.mass(), [their.x, their.y, their.z]),
        ]
        .into_iter()
        .enumerate()
        {
            found.sort_by(f64::total_cmp);
            worst[who] = worst[who].max((m / mass - 1.0).abs());
            for (f, e) in found.iter().zip(moments) {
                worst[who] = worst[who].max((f / e - 1.0).abs());
            }
        }
    }
    println!("| | carom | parry |\n|---|---|---|");
    println!(
        "| largest relative error of mass and moments | {:.0e} | {:.0e} |",
        worst[0], worst[1]
    );
    println!(
        "| µs for the hull and its mass | {:.1} | {:.1} |",
        times[0] * 1e6 / 2000.0,
        times[1] * 1e6 / 2000.0
    );
}

/// All tables; so many cases of each kind at most are checked.
pub fn measure(most: usize) {
    let pairs = [
        ("box–box", ["box", "box"], 4_000),
        ("ball–box", ["ball", "box"], 4_000),
        ("ball–cylinder", ["ball", "cylinder"], 4_000),
        ("capsule–capsule", ["capsule", "capsule"], 4_000),
        ("polyhedron(20)–polyhedron(20)", ["poly", "poly"], 400),
    ];
    println!(
        "| at an instant | touching | overlap test, ns | parry | contact, ns | parry | wrong | parry |\n|---|---|---|---|---|---|---|---|"
    );
    for (name, kinds, _) in pairs {
        statics(name, kinds);
    }
    println!(
        "\n| first contact | meet | ns | parry | missed, invented or elsewhere | parry | largest gap then, m | parry |\n|---|---|---|---|---|---|---|---|"
    );
    for (name, kinds, checked) in pairs {
        impacts(name, kinds, most.min(checked));
    }
    println!();
    masses();
}
