//! What an impact at several points at once must keep, whatever the bodies: balances, symmetry, energy.

use carom::kernels::response::several::{Mover, Point, respond_at_several};
use carom::material::{Law, Material, Surface};
use carom::space::{Linear, Space, Space2, Space3};
use glam::{DMat3, DVec2, DVec3};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x_ca40_0007),
        ..ProptestConfig::default()
    }
}

fn surface(restitution: f64, friction: f64) -> Surface {
    Surface::of(&Material {
        restitution,
        static_friction: friction,
        kinetic_friction: friction,
        ..Material::default()
    })
}

/// A body with the inertia that its energy needs.
#[derive(Clone, Copy, Debug)]
struct Body<S: Space> {
    mass: f64,
    inertia: S::Inertia,
    centre: S::Vector,
    mover: Mover<S>,
}

fn energy<S: Space>(bodies: &[Body<S>], movers: &[Mover<S>]) -> f64 {
    let of = |(body, mover): (&Body<S>, &Mover<S>)| {
        0.5 * body.mass * mover.velocity.length_squared()
            + 0.5
                * mover
                    .angular_velocity
                    .dot(S::angular_momentum(body.inertia, mover.angular_velocity))
    };
    bodies.iter().zip(movers).map(of).sum()
}

fn momentum<S: Space>(bodies: &[Body<S>], movers: &[Mover<S>]) -> (S::Vector, S::Angular) {
    let mut sums = (S::Vector::ZERO, S::Angular::ZERO);
    for (body, mover) in bodies.iter().zip(movers) {
        sums.0 += mover.velocity * body.mass;
        sums.1 += S::torque(body.centre, mover.velocity * body.mass)
            + S::angular_momentum(body.inertia, mover.angular_velocity);
    }
    sums
}

/// A number from −1 to 1.
fn signed() -> impl Strategy<Value = f64> + Clone {
    -1.0..1.0
}

fn plane_body() -> impl Strategy<Value = Body<Space2>> {
    let numbers = (
        0.2..5.0,
        0.02..2.0,
        [signed(), signed(), signed(), signed(), signed()],
    );
    numbers.prop_map(
        |(mass, inertia, [x, y, u, v, w]): (f64, f64, [f64; 5])| Body {
            mass,
            inertia,
            centre: DVec2::new(x, y),
            mover: Mover {
                inverse_mass: 1.0 / mass,
                inverse_inertia: 1.0 / inertia,
                velocity: DVec2::new(u, v) * 3.0,
                angular_velocity: w * 5.0,
            },
        },
    )
}

fn solid_body() -> impl Strategy<Value = Body<Space3>> {
    let numbers = (
        0.2..5.0,
        [0.3..1.0, 0.3..1.0, 0.3..1.0],
        [signed(), signed(), signed(), signed(), signed(), signed()],
        [signed(), signed(), signed()],
    );
    numbers.prop_map(
        |(mass, sides, [x, y, z, u, v, w], angular_velocity): (
            f64,
            [f64; 3],
            [f64; 6],
            [f64; 3],
        )| {
            let square = DVec3::from_array(sides) * DVec3::from_array(sides);
            let moments = DVec3::new(
                square.y + square.z,
                square.x + square.z,
                square.x + square.y,
            ) * (mass / 12.0);
            // Turned by a rotation that is no axis' own.
            let turn = DMat3::from_quat(glam::DQuat::from_euler(glam::EulerRot::XYZ, x, y, z));
            let tensor = |moments: DVec3| turn * DMat3::from_diagonal(moments) * turn.transpose();
            Body {
                mass,
                inertia: tensor(moments),
                centre: DVec3::new(x, y, z),
                mover: Mover {
                    inverse_mass: 1.0 / mass,
                    inverse_inertia: tensor(1.0 / moments),
                    velocity: DVec3::new(u, v, w) * 3.0,
                    angular_velocity: DVec3::from_array(angular_velocity) * 5.0,
                },
            }
        },
    )
}

/// A place, a normal and two bodies for each of a few points; a fixed body is the last.
type Spots = Vec<([f64; 3], [f64; 3], usize, usize)>;

fn spots() -> impl Strategy<Value = Spots> {
    let triple = || [signed(), signed(), signed()];
    prop::collection::vec((triple(), triple(), 0..3_usize, 1..4_usize), 2..7)
}

fn points<S: Space>(bodies: &[Body<S>], spots: &Spots, surface: Surface) -> Vec<Point<S>> {
    let mut made = Vec::new();
    for &(place, normal, a, b) in spots {
        let b = if a == b { 3 } else { b };
        let Some(normal) = S::vector(normal).unit() else {
            continue;
        };
        let place = S::vector(place);
        made.push(Point {
            bodies: [a, b],
            place,
            arms: [place - bodies[a].centre, place - bodies[b].centre],
            normal,
            surface,
        });
    }
    made
}

fn with_fixed<S: Space>(free: [Body<S>; 3]) -> Vec<Body<S>> {
    let mut bodies = free.to_vec();
    bodies.push(Body {
        mass: 0.0,
        inertia: S::isotropic_inertia(0.0),
        centre: S::Vector::ZERO,
        mover: Mover::fixed(),
    });
    bodies
}

/// Energy does not grow, no point pulls, friction stays within its cone, momentum goes from body to body alone.
fn check<S: Space>(bodies: &[Body<S>], points: &[Point<S>]) {
    let before: Vec<Mover<S>> = bodies.iter().map(|body| body.mover).collect();
    let mut after = before.clone();
    let blows = respond_at_several(&mut after, points);
    let (had, has) = (energy(bodies, &before), energy(bodies, &after));
    // The balance of a few sums of some ten terms each, each rounded.
    assert!(has <= had + 1e-12 * had, "{had} J became {has} J");
    let lost: f64 = blows.iter().map(|blow| blow.energy_lost).sum();
    assert!(
        (had - has - lost).abs() <= 1e-11 * had,
        "{had} {has} {lost}"
    );
    let mut given = (S::Vector::ZERO, S::Angular::ZERO);
    for (blow, point) in blows.iter().zip(points) {
        let normal = point.normal.dot(blow.impulse);
        assert!(normal >= -1e-14, "{normal}");
        let across = (blow.impulse - point.normal * normal).length();
        let limit = point.surface.static_friction * normal;
        assert!(across <= limit * (1.0 + 1e-12) + 1e-14);
        if point.bodies[1] == 3 {
            given.0 += blow.impulse;
            given.1 += S::torque(point.place, blow.impulse);
        }
    }
    let (was, is) = (momentum(bodies, &before), momentum(bodies, &after));
    assert!((is.0 - was.0 - given.0).length() <= 1e-11 * (1.0 + was.0.length()));
    assert!((is.1 - was.1 - given.1).length() <= 1e-11 * (1.0 + was.1.length()));
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn energy_never_grows_in_the_plane(
        free in [plane_body(), plane_body(), plane_body()],
        spots in spots(), restitution in 0.0..=1.0, friction in 0.0..1.5,
    ) {
        let bodies = with_fixed(free);
        check(&bodies, &points(&bodies, &spots, surface(restitution, friction)));
    }

    #[test]
    fn energy_never_grows_in_space(
        free in [solid_body(), solid_body(), solid_body()],
        spots in spots(), restitution in 0.0..=1.0, friction in 0.0..1.5,
    ) {
        let bodies = with_fixed(free);
        check(&bodies, &points(&bodies, &spots, surface(restitution, friction)));
    }

    /// Also where each point bounces and rubs in another way, and slides less than it holds.
    #[test]
    fn energy_never_grows_where_surfaces_differ(
        free in [solid_body(), solid_body(), solid_body()],
        spots in spots(), numbers in prop::collection::vec((0.0..=1.0, 0.0..1.5, 0.0..=1.0), 7),
    ) {
        let bodies = with_fixed(free);
        let mut points = points(&bodies, &spots, surface(1.0, 0.0));
        for (point, (restitution, holds, share)) in points.iter_mut().zip(numbers) {
            point.surface = surface(restitution, holds);
            point.surface.kinetic_friction = holds * share;
        }
        check(&bodies, &points);
    }

    /// The order of the points decides nothing but the last digits.
    #[test]
    fn the_order_of_the_points_does_not_matter(
        free in [solid_body(), solid_body(), solid_body()],
        spots in spots(), restitution in 0.0..=1.0,
    ) {
        let bodies = with_fixed(free);
        let mut points = points(&bodies, &spots, surface(restitution, 0.0));
        let movers: Vec<Mover<Space3>> = bodies.iter().map(|body| body.mover).collect();
        let (mut forth, mut back) = (movers.clone(), movers.clone());
        respond_at_several(&mut forth, &points);
        points.reverse();
        respond_at_several(&mut back, &points);
        for (forth, back) in forth.iter().zip(&back) {
            // Without friction the velocities after are unique; the solver ends when nothing changes by more than 1e-15
            // a round, some thousand rounds from the end where points are nearly redundant.
            prop_assert!((forth.velocity - back.velocity).length() < 1e-9);
            prop_assert!((forth.angular_velocity - back.angular_velocity).length() < 1e-8);
        }
    }
}

/// A box of 2 × 1 × 4 m and 8 kg whose lower corners touch the floor.
fn landing(velocity: DVec3, surface: Surface) -> (Vec<Mover<Space3>>, Vec<Point<Space3>>) {
    let mass = 8.0;
    let moments = DVec3::new(17.0, 20.0, 5.0) * (mass / 12.0);
    let block = Mover {
        inverse_mass: 1.0 / mass,
        inverse_inertia: DMat3::from_diagonal(1.0 / moments),
        velocity,
        angular_velocity: DVec3::ZERO,
    };
    let corners = [(-1.0, -2.0), (1.0, -2.0), (1.0, 2.0), (-1.0, 2.0)];
    let points = corners.map(|(x, z)| Point {
        bodies: [0, 1],
        place: DVec3::new(x, 0.0, z),
        arms: [DVec3::new(x, -0.5, z), DVec3::new(x, 0.0, z)],
        normal: DVec3::Y,
        surface,
    });
    (vec![block, Mover::fixed()], points.to_vec())
}

#[test]
fn a_box_that_lands_flat_gets_no_spin() {
    for restitution in [0.0, 0.4, 1.0] {
        let (mut movers, points) = landing(DVec3::new(0.0, -3.0, 0.0), surface(restitution, 0.5));
        let blows = respond_at_several(&mut movers, &points);
        // The speeds are some units, with twenty roundings each.
        assert!((movers[0].velocity - DVec3::Y * (3.0 * restitution)).length() < 1e-13);
        assert!(
            movers[0].angular_velocity.length() < 1e-14,
            "{}",
            movers[0].angular_velocity
        );
        for blow in &blows {
            assert!((blow.impulse.y - 6.0 * (1.0 + restitution)).abs() < 1e-12);
        }
    }
}

/// Sideways with much friction: what stops the lower face wants to throw it over its leading edge, so that edge is
/// pressed more, and rebounds more.
#[test]
fn a_box_that_lands_flat_and_sideways_lifts_its_leading_edge() {
    let (mut movers, points) = landing(DVec3::new(2.0, -3.0, 0.0), surface(0.0, 0.9));
    respond_at_several(&mut movers, &points);
    assert!(movers[0].velocity.length() < 1e-12 && movers[0].angular_velocity.length() < 1e-12);
    let (mut movers, points) = landing(DVec3::new(2.0, -3.0, 0.0), surface(0.2, 0.9));
    respond_at_several(&mut movers, &points);
    let speeds: Vec<f64> = points.iter().map(|p| p.normal_velocity(&movers)).collect();
    assert!(speeds[1] > speeds[0] && speeds[0] > 0.0, "{speeds:?}");
    assert!((speeds[2] - speeds[1]).abs() < 1e-12 && (speeds[3] - speeds[0]).abs() < 1e-12);
}

#[test]
fn newton_by_name_rebounds_by_each_points_own_speed_and_may_gain() {
    let newton = Surface {
        law: Law::Newton,
        ..surface(1.0, 0.0)
    };
    // It comes down turning: one edge closes at 1 m/s, the other at 5 m/s.
    let (mut movers, points) = landing(DVec3::new(0.0, -3.0, 0.0), newton);
    movers[0].angular_velocity = DVec3::new(0.0, 0.0, 2.0);
    let before: Vec<f64> = points.iter().map(|p| p.normal_velocity(&movers)).collect();
    respond_at_several(&mut movers, &points);
    for (point, before) in points.iter().zip(before) {
        assert!((point.normal_velocity(&movers) + before).abs() < 1e-12);
    }
    // Kane and Levinson's gain: a rod that slides one way at one end and is struck at both, kinematic restitution with
    // friction. Some case must gain, and what the points say must be what the energy did.
    let mut gained = 0;
    for case in 0..200 {
        let angle = f64::from(case) * 0.1;
        let newton = Surface {
            law: Law::Newton,
            ..surface(0.9, 0.8)
        };
        let (mut movers, points) = landing(DVec3::new(6.0 * angle.sin(), -0.5, 0.0), newton);
        movers[0].angular_velocity = DVec3::new(0.0, 0.0, 3.0 * angle.cos());
        let translational = |mover: &Mover<Space3>| {
            let inertia = mover.inverse_inertia.inverse();
            4.0 * mover.velocity.length_squared()
                + 0.5 * mover.angular_velocity.dot(inertia * mover.angular_velocity)
        };
        let had = translational(&movers[0]);
        let blows = respond_at_several(&mut movers, &points);
        let lost: f64 = blows.iter().map(|blow| blow.energy_lost).sum();
        assert!((had - translational(&movers[0]) - lost).abs() < 1e-10 * had);
        gained += i32::from(lost < -1e-6);
    }
    assert!(gained > 0, "no case gained");
}
