//! Contacts at one instant: symmetric starts stay symmetric, momentum runs through touching balls, heaps come to an
//! end.
//!
//! # What rounding does to a symmetric start
//!
//! A scene that is turned by an odd angle is its own mirror image only to the rounding of its coordinates, `u|x|` with
//! u = 2⁻⁵³. A normal is the difference of two places over the reach R, so it is off by some `4u|x|/R`, and each
//! impulse by as much of the speeds. In the scenes here |x|/R is at most 10 and speeds are about 1: 40u for one round
//! of contacts. Contacts at one instant have no path between them on which a wrong direction could grow into a wrong
//! place, so the errors of rounds add up, and after at most a dozen rounds they are below 1000u = 1.1e-13. Once balls
//! fly freely, an error grows by `2 path/R` a collision, which is chaos, and nothing is asked of runs beyond that.

mod heaps;

use carom::body::Kind;
use carom::material::Law;
use carom::prelude::*;
use carom::record::Collision;
use carom::shape::HalfSpace;
use carom::simulate::Compiled;
use carom::simulate::Exact;
use std::ops::ControlFlow;

const ANGLES: [f64; 5] = [0.0, 0.3, 1.1, 2.0, -2.9];

const ROUNDING: f64 = 1000.0 * f64::EPSILON / 2.0;

fn turned(x: f64, y: f64, angle: f64) -> DVec2 {
    let (s, c) = (libm::sin(angle), libm::cos(angle));
    DVec2::new(c * x - s * y, s * x + c * y)
}

fn ball(place: DVec2, velocity: DVec2) -> Body<Space2> {
    Body::ball(0.5, 1.0, place, velocity).unwrap()
}

fn velocities<S: Compiled>(run: &Exact<S>) -> Vec<S::Vector> {
    (0..run.to_world().bodies().len() as u32)
        .map(|id| run.state(BodyId(id)).velocity)
        .collect()
}

/// Runs both ways, which must agree to the bit; the collisions and the run.
fn both<S: Compiled>(world: &World<S>, until: f64) -> (Vec<Collision<S>>, Exact<S>) {
    let go = |mut run: Exact<S>| {
        let mut list = Vec::new();
        let end = run.run(until, |collision| {
            list.push(*collision);
            ControlFlow::Continue(())
        });
        assert_eq!(end, Ok(End::Time));
        (list, run)
    };
    let (fast, run) = go(Exact::new(world.clone()).unwrap());
    let (slow, reference) = go(Exact::reference(world.clone()).unwrap());
    assert_eq!(fast, slow);
    assert_eq!(run.digest(), reference.digest());
    (fast, run)
}

fn material(restitution: f64, friction: f64) -> Material {
    Material {
        restitution,
        static_friction: friction,
        kinetic_friction: friction,
        law: Law::Coulomb,
        ..Material::default()
    }
}

/// A ball that strikes two touching ones in their middle.
fn middle_hit(angle: f64) -> World<Space2> {
    let mut world = World::new();
    for (x, y, speed) in [(-3.0, 0.0, 1.0), (0.0, 0.5, 0.0), (0.0, -0.5, 0.0)] {
        let body = ball(turned(x, y, angle), turned(speed, 0.0, angle));
        world.add(body).unwrap();
    }
    world
}

#[test]
fn two_touching_balls_struck_in_their_middle_share_alike() {
    for angle in ANGLES {
        let (collisions, run) = both(&middle_hit(angle), 10.0);
        assert_eq!(collisions.len(), 2, "{collisions:?}");
        // Momentum and energy: −1/5, and 2√3/5 at ±30°.
        let side = 2.0 * 3.0_f64.sqrt() / 5.0;
        let c = 0.75_f64.sqrt();
        let expected = [(-0.2, 0.0), (side * c, side * 0.5), (side * c, -side * 0.5)];
        for (velocity, (x, y)) in velocities(&run).into_iter().zip(expected) {
            let off = velocity - turned(x, y, angle);
            assert!(off.length() < ROUNDING, "{angle}: {off}");
        }
    }
}

/// A rack of rows of touching balls and a cue ball on the axis. The first ball is the cue, then row after row.
fn rack(rows: i32, angle: f64, order: impl Fn(&mut Vec<Body<Space2>>)) -> World<Space2> {
    let mut bodies = vec![ball(turned(-3.0, 0.0, angle), turned(1.0, 0.0, angle))];
    for row in 0..rows {
        for column in 0..=row {
            let (x, y) = (
                f64::from(row) * 0.75_f64.sqrt(),
                f64::from(column) - 0.5 * f64::from(row),
            );
            bodies.push(ball(turned(x, y, angle), DVec2::ZERO).named(&format!("{row} {column}")));
        }
    }
    bodies[0].name = "cue".into();
    order(&mut bodies);
    let mut world = World::new();
    for body in bodies {
        world.add(body).unwrap();
    }
    world
}

/// For each ball of the rack the one that is its mirror image.
fn mirror(rows: i32) -> Vec<usize> {
    let first = |row: i32| 1 + row * (row + 1) / 2;
    let row = |row: i32| (0..=row).map(move |column| (first(row) + row - column) as usize);
    std::iter::once(0).chain((0..rows).flat_map(row)).collect()
}

fn asymmetry(velocities: &[DVec2], mirror: &[usize], angle: f64) -> f64 {
    let local: Vec<DVec2> = velocities
        .iter()
        .map(|v| turned(v.x, v.y, -angle))
        .collect();
    (0..local.len())
        .map(|i| (local[i] - DVec2::new(1.0, -1.0) * local[mirror[i]]).length())
        .fold(0.0, f64::max)
}

#[test]
fn a_symmetric_break_stays_symmetric_however_it_is_turned() {
    for (restitution, friction) in [(1.0, 0.0), (0.9, 0.0), (0.6, 0.0), (0.9, 0.1), (0.3, 0.5)] {
        for angle in ANGLES {
            let mut world = rack(5, angle, |_| {});
            let material = material(restitution, friction);
            world.materials.add("default", material).unwrap();
            let (collisions, run) = both(&world, 20.0);
            // The momentum has run through: the corners of the last row have been struck, and fly.
            assert!(collisions.len() > 20);
            let velocities = velocities(&run);
            for corner in [11, 15] {
                assert!(velocities[corner].length() > 0.05, "{velocities:?}");
            }
            let off = asymmetry(&velocities, &mirror(5), angle);
            assert!(
                off < ROUNDING,
                "ε {restitution} μ {friction} at {angle}: {off:e}"
            );
            for collision in &collisions {
                // What a collision loses by its own share may be negative by rounding alone.
                assert!(collision.energy_lost > -1e-15, "{collision:?}");
            }
            let audit = run.audit();
            assert!(audit.energy_residual.abs() < 1e-14);
            assert!(audit.momentum_residual.length() < 1e-14);
            assert!(audit.now.total() <= audit.initial.total() + 1e-14);
        }
    }
}

/// A room about the rack, turned with it.
fn cushions(world: &mut World<Space2>, angle: f64) {
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let wall = HalfSpace::solid(turned(-x, -y, angle)).unwrap();
        let pose = Pose::at(turned(7.0 * x, 5.0 * y, angle));
        let wall = Body::fixed(Shape::HalfSpace(wall)).pose(pose);
        world.add(wall).unwrap();
    }
}

#[test]
fn symmetry_is_lost_to_chaos_and_not_before() {
    // On a table, the break goes on. A direction that is off by δ puts the ball off by δ·path at the next collision,
    // and its direction after by 2 δ·path/R; between balls of one metre the paths are at most 10 m, so that an error
    // grows by up to 20 a collision of a ball, and adds to its partner's. From 10u on, the asymmetry after k collisions
    // of any one ball is below 10u·40^k. It ends where a ball on the axis is struck: its two partners come at times
    // that by now differ by more than rounding, so that there is no tie, and which of them comes first is chance.
    let on_axis = [0, 1, 5, 13];
    for angle in ANGLES {
        let mut world = rack(5, angle, |_| {});
        cushions(&mut world, angle);
        let mut run = Exact::new(world).unwrap();
        let mut count = [0; 16];
        let (mut checked, mut time, mut by_chance) = (0, 0.0, false);
        loop {
            time += 0.25;
            run.run(time, |collision| {
                let later = collision.time > 2.2;
                for id in [collision.a, collision.b] {
                    if later && id.0 < 16 {
                        count[id.0 as usize] += 1;
                    }
                }
                let pair = [collision.a, collision.b].map(|id| on_axis.contains(&id.0));
                by_chance |= later && collision.b.0 < 16 && pair[0] != pair[1];
                ControlFlow::Continue(())
            })
            .unwrap();
            if by_chance {
                break;
            }
            let most = *count.iter().max().unwrap();
            let grown = (0..most).fold(10.0 * f64::EPSILON / 2.0, |error, _| 40.0 * error);
            if grown > 1e-4 {
                break;
            }
            let off = asymmetry(&velocities(&run)[..16], &mirror(5), angle);
            assert!(
                off <= grown,
                "{off:e} after {most} at {time} s, turned by {angle}"
            );
            checked = most;
        }
        assert!(
            checked >= 3,
            "{checked} collisions of one ball were looked at"
        );
    }
}

type Order = dyn Fn(&mut Vec<Body<Space2>>);

#[test]
fn a_break_does_not_depend_on_the_order_of_insertion() {
    for angle in [0.0, 1.1] {
        let after = |order: &Order| {
            let (_, run) = both(&rack(5, angle, order), 10.0);
            let world = run.to_world();
            let names = world.bodies().iter().map(|body| body.name.to_string());
            let mut list: Vec<(String, DVec2)> = names.zip(velocities(&run)).collect();
            list.sort_by(|a, b| a.0.cmp(&b.0));
            list
        };
        let first = after(&|_| {});
        let orders: [&Order; 3] = [
            &|bodies| bodies.reverse(),
            &|bodies| bodies.rotate_left(7),
            &|bodies| bodies.sort_by_key(|body| body.name.bytes().rev().collect::<Vec<u8>>()),
        ];
        for order in orders {
            for (one, other) in first.iter().zip(after(order)) {
                assert_eq!(one.0, other.0);
                assert!((one.1 - other.1).length() < ROUNDING, "{one:?} {other:?}");
            }
        }
    }
}

#[test]
fn a_wave_from_two_sides_runs_at_the_same_pace() {
    // Two balls in a row of their own, not touching each other, carry a third between them; each is struck from below
    // and outside, at the same instant. Whoever comes first by a last digit must not reach the third ball alone.
    for angle in ANGLES {
        let c = 0.75_f64.sqrt();
        let mut world = World::new();
        // Left and right are 1.2 apart, the third touches both from above.
        let height = (1.0_f64 - 0.6 * 0.6).sqrt();
        let balls = [
            (-0.6, 0.0, 0.0, 0.0),
            (0.6, 0.0, 0.0, 0.0),
            (0.0, height, 0.0, 0.0),
            (-0.6 - 2.0 * 0.5, -2.0 * c, 0.5, c),
            (0.6 + 2.0 * 0.5, -2.0 * c, -0.5, c),
        ];
        for (x, y, vx, vy) in balls {
            let body = ball(turned(x, y, angle), turned(vx, vy, angle));
            world.add(body).unwrap();
        }
        let (collisions, run) = both(&world, 10.0);
        assert!(collisions.len() >= 4);
        let local: Vec<DVec2> = velocities(&run)
            .iter()
            .map(|v| turned(v.x, v.y, -angle))
            .collect();
        for (one, other) in [(0, 1), (3, 4), (2, 2)] {
            let off = local[one] - DVec2::new(-1.0, 1.0) * local[other];
            assert!(off.length() < ROUNDING, "{angle}: {local:?}");
        }
        assert!(local[2].y > 0.5);
    }
}

/// Two walls that open toward +x, at an angle to the axis on either side; the ball comes in along the axis.
fn wedge(half: f64, angle: f64, material: Material) -> World<Space2> {
    let mut world = World::new();
    world.materials.add("default", material).unwrap();
    for side in [1.0, -1.0] {
        let (s, c) = (libm::sin(half), libm::cos(half));
        let wall = HalfSpace::solid(turned(s, -side * c, angle)).unwrap();
        let wall = Body::fixed(Shape::HalfSpace(wall));
        world.add(wall).unwrap();
    }
    let body = ball(turned(4.0, 0.0, angle), turned(-1.0, 0.0, angle));
    world.add(body).unwrap();
    world
}

#[test]
fn a_ball_comes_back_out_of_a_wedge_the_way_it_came() {
    for half in [0.4, 0.9, 1.3] {
        for angle in ANGLES {
            for (restitution, friction) in [(1.0, 0.0), (0.5, 0.0), (0.0, 0.0), (0.7, 0.3)] {
                let world = wedge(half, angle, material(restitution, friction));
                let (collisions, run) = both(&world, 8.0);
                let velocity = velocities(&run)[2];
                let expected = turned(restitution, 0.0, angle);
                // Slip is the same on both walls, in opposite directions: friction cancels in the velocity along the
                // axis only where the walls are smooth, and always across it.
                let off = if friction == 0.0 {
                    (velocity - expected).length()
                } else {
                    let local = turned(velocity.x, velocity.y, -angle);
                    assert!(local.x > 0.0 && local.x <= restitution);
                    local.y.abs()
                };
                assert!(off < ROUNDING, "{half} {angle} ε {restitution}: {velocity}");
                assert!(collisions.len() >= 2);
                assert!(run.state(BodyId(2)).angular_velocity.abs() < ROUNDING);
                if restitution > 0.0 && friction == 0.0 {
                    assert_eq!(collisions.len(), 2, "one for each wall");
                    assert_eq!(collisions[0].time, collisions[1].time);
                    assert!(collisions[0].b < collisions[1].b);
                    assert_eq!(
                        collisions[0].after,
                        [collisions[1].after[0], collisions[0].after[1]]
                    );
                }
            }
        }
    }
}

/// Balls in a row, as many of them moving as are lifted.
fn cradle(number: u32, lifted: u32, gap: f64, angle: f64) -> World<Space2> {
    let mut world = World::new();
    for index in 0..number {
        let (start, speed) = if index < lifted {
            (-2.0, 1.0)
        } else {
            (0.0, 0.0)
        };
        let x = start + f64::from(index) * (1.0 + gap);
        let body = ball(turned(x, 0.0, angle), turned(speed, 0.0, angle));
        world.add(body).unwrap();
    }
    world
}

#[test]
fn as_many_balls_leave_a_cradle_as_come_in() {
    for angle in ANGLES {
        for lifted in [1, 2, 3, 4] {
            for gap in [0.0, 1e-12, 1e-6] {
                let (collisions, run) = both(&cradle(5, lifted, gap, angle), 20.0);
                // Turned, the balls that stop keep a rounding error of speed, and may meet again by that.
                assert!(collisions.len() as u32 >= lifted * (5 - lifted));
                if angle == 0.0 {
                    assert_eq!(collisions.len() as u32, lifted * (5 - lifted));
                }
                for (index, velocity) in (0..).zip(velocities(&run)) {
                    let speed = if index >= 5 - lifted { 1.0 } else { 0.0 };
                    let off = (velocity - turned(speed, 0.0, angle)).length();
                    // Across gaps of 1e-6 of a diameter errors do not grow.
                    assert!(off < ROUNDING, "{lifted} of 5, {gap}: {velocity}");
                }
            }
        }
    }
    let (collisions, run) = both(&cradle(101, 1, 0.0, 0.0), 20.0);
    assert_eq!(collisions.len(), 100);
    assert_eq!(velocities(&run)[100], DVec2::X);
}

/// An orthonormal frame that is no axis of anything.
fn frame(turn: f64) -> DQuat {
    let (s, c) = (libm::sin(0.5 * turn), libm::cos(0.5 * turn));
    let axis = DVec3::new(2.0, -3.0, 6.0) / 7.0;
    DQuat::from_xyzw(s * axis.x, s * axis.y, s * axis.z, c)
}

#[test]
fn a_tetrahedron_struck_on_its_axis_opens_like_a_flower() {
    for turn in ANGLES {
        let frame = frame(turn);
        let mut world = World::<Space3>::new();
        let c = 0.75_f64.sqrt();
        let ring = 1.0 / 3.0_f64.sqrt();
        let base = [(1.0, 0.0), (-0.5, c), (-0.5, -c)];
        let apex = (2.0_f64 / 3.0).sqrt();
        let mut places: Vec<DVec3> = base
            .iter()
            .map(|&(x, y)| DVec3::new(ring * x, ring * y, 0.0))
            .collect();
        places.push(DVec3::new(0.0, 0.0, apex));
        for &place in &places {
            let body = Body::ball(0.5, 1.0, frame * place, DVec3::ZERO).unwrap();
            world.add(body).unwrap();
        }
        let (start, down) = (DVec3::new(0.0, 0.0, 4.0), DVec3::new(0.0, 0.0, -1.0));
        let body = Body::ball(0.5, 1.0, frame * start, frame * down).unwrap();
        world.add(body).unwrap();
        let (collisions, run) = both(&world, 12.0);
        assert!(collisions.len() >= 4);
        let back = frame.conjugate();
        let local: Vec<DVec3> = velocities(&run).iter().map(|&v| back * v).collect();
        // The quaternion is a unit one to rounding, and turns to rounding.
        for (velocity, (x, y)) in local.iter().zip(base) {
            let out = DVec3::new(x, y, 0.0);
            assert!((velocity.dot(out) - local[0].x).abs() < ROUNDING);
            assert!((velocity.z - local[0].z).abs() < ROUNDING);
            assert!(velocity.cross(out).z.abs() < ROUNDING);
        }
        assert!(local[0].x > 0.1 && local[0].z < -0.1, "{local:?}");
        for on_axis in [3, 4] {
            assert!(local[on_axis].truncate().length() < ROUNDING);
        }
        assert!(run.audit().energy_residual.abs() < 1e-14);
    }
}

#[test]
fn a_ball_in_the_corner_of_a_box_meets_three_walls_at_once() {
    for (restitution, friction) in [(1.0, 0.0), (0.5, 0.0), (0.0, 0.0), (0.8, 0.2)] {
        for turn in ANGLES {
            let frame = frame(turn);
            let mut world = World::<Space3>::new();
            let material = material(restitution, friction);
            world.materials.add("default", material).unwrap();
            for normal in [DVec3::X, DVec3::Y, DVec3::Z] {
                let wall = HalfSpace::solid(frame * normal).unwrap();
                let wall = Body::fixed(Shape::HalfSpace(wall));
                world.add(wall).unwrap();
            }
            let velocity = DVec3::new(-1.0, -2.0, -3.0);
            let place = DVec3::splat(0.5) - velocity;
            let body = Body::ball(0.5, 1.0, frame * place, frame * velocity).unwrap();
            world.add(body).unwrap();
            let (collisions, run) = both(&world, 1.5);
            let after = frame.conjugate() * velocities(&run)[3];
            assert!(collisions.len() >= 3);
            // Speeds of up to 4.
            if friction == 0.0 {
                let off = (after + restitution * velocity).length();
                assert!(off < 4.0 * ROUNDING, "ε {restitution} at {turn}: {after}");
            }
            if restitution > 0.0 {
                assert_eq!(collisions.len(), 3);
            }
            let audit = run.audit();
            assert!(audit.now.total() <= audit.initial.total() * (1.0 + 1e-14));
            assert!(audit.energy_residual.abs() < 1e-13);
        }
    }
}

#[test]
fn a_tie_across_the_border_of_a_periodic_box_is_a_tie() {
    let plain = both(&middle_hit(0.0), 5.0).1;
    // The struck pair lies across the side x = 0, then across y = 0, then across the corner.
    for (x, y) in [(9.7, 3.0), (3.0, 0.0), (0.2, 9.9)] {
        let mut world = World::new();
        world.set_periodic([Some(10.0), Some(10.0), None]).unwrap();
        for body in middle_hit(0.0).bodies() {
            let mut body = body.clone();
            body.pose.position += DVec2::new(x, y);
            world.add(body).unwrap();
        }
        let (collisions, run) = both(&world, 5.0);
        assert_eq!(collisions.len(), 2);
        for (one, other) in velocities(&run).into_iter().zip(velocities(&plain)) {
            assert!((one - other).length() < ROUNDING, "{one} {other}");
        }
    }
}
