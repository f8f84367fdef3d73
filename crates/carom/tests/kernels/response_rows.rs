//! The rows of the physics that a single contact answers, one test or more a row.

mod beta;
mod friction;

use carom::kernels::contact::{Contact, Side};
use carom::kernels::response::{Mode, Response, respond};
use carom::material::{Law, Surface};
use carom::space::{Linear, LinearMap, Space, Space2, Space3};
use glam::{DMat3, DQuat, DVec2, DVec3};

/// A handful of roundings: sums of products of well-scaled numbers, each operation within 1.1e-16.
const ROUNDING: f64 = 1e-14;

fn surface(law: Law, restitution: f64, static_friction: f64, kinetic_friction: f64) -> Surface {
    Surface {
        restitution,
        static_friction,
        kinetic_friction,
        law,
        ..Surface::default()
    }
}

fn smooth(restitution: f64) -> Surface {
    surface(Law::Coulomb, restitution, 0.0, 0.0)
}

fn ball<S: Space>(
    mass: f64,
    radius: f64,
    velocity: S::Vector,
    angular_velocity: S::Angular,
) -> Side<S> {
    Side {
        inverse_mass: 1.0 / mass,
        inverse_inertia: S::isotropic_inertia(1.0 / S::ball_inertia(mass, radius)),
        velocity,
        angular_velocity,
        arm: S::vector([radius, 0.0, 0.0]),
    }
}

/// Two balls that touch; the normal points from b to a.
fn balls<S: Space>(normal: S::Vector, mut a: Side<S>, mut b: Side<S>) -> Contact<S> {
    a.arm = normal * -a.arm.length();
    b.arm = normal * b.arm.length();
    Contact {
        point: S::Vector::ZERO,
        normal,
        a,
        b,
    }
}

fn close(found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs();
    assert!(
        error <= tolerance * expected.abs().max(f64::MIN_POSITIVE),
        "{found} is not {expected}: off by {error:e}"
    );
}

fn near<V: Linear>(found: V, expected: V, absolute: f64) {
    let error = (found - expected).length();
    assert!(
        error <= absolute,
        "{found:?} is not {expected:?}: off by {error:e}"
    );
}

fn struck<S: Space>(contact: &Contact<S>, surface: &Surface) -> (Contact<S>, Response<S>) {
    let response = respond(contact, surface);
    (contact.after(&response), response)
}

const X: DVec2 = DVec2::X;

#[test]
fn k3_head_on_with_masses_keeps_momentum_and_energy() {
    let (m1, m2, u1, u2) = (3.0, 5.0, 2.0, -1.0);
    let contact = balls::<Space2>(-X, ball(m1, 0.2, X * u1, 0.0), ball(m2, 0.3, X * u2, 0.0));
    let (after, _) = struck(&contact, &smooth(1.0));
    close(
        after.a.velocity.x,
        ((m1 - m2) * u1 + 2.0 * m2 * u2) / (m1 + m2),
        ROUNDING,
    );
    close(
        after.b.velocity.x,
        ((m2 - m1) * u2 + 2.0 * m1 * u1) / (m1 + m2),
        ROUNDING,
    );
}

#[test]
fn k3_the_coefficient_acts_on_the_closing_speed_and_may_exceed_one() {
    for restitution in [0.0, 0.3, 1.0, 1.5] {
        let contact = balls::<Space2>(
            -X,
            ball(3.0, 0.2, X * 2.0, 0.0),
            ball(5.0, 0.3, X * -1.0, 0.0),
        );
        let (after, response) = struck(&contact, &smooth(restitution));
        near(after.normal_velocity(), 3.0 * restitution, 4e-15);
        near(3.0 * after.a.velocity + 5.0 * after.b.velocity, X, 1e-14);
        // The loss in the frame of the centre of mass, ½ μ (1 − ε²) w².
        let lost = 0.5 * (15.0 / 8.0) * (1.0 - restitution * restitution) * 9.0;
        near(contact.energy_lost(&response), lost, 1e-14);
    }
}

#[test]
fn k4_only_the_components_along_the_line_of_centres_change() {
    let normal = DVec2::new(0.6, 0.8);
    let tangent = normal.perp();
    let contact = balls::<Space2>(
        normal,
        ball(1.5, 0.2, DVec2::new(-1.0, -2.0), 3.0),
        ball(0.5, 0.3, DVec2::new(0.5, 0.25), -7.0),
    );
    let (after, response) = struck(&contact, &smooth(0.9));
    near(
        after.a.velocity.dot(tangent),
        contact.a.velocity.dot(tangent),
        1e-15,
    );
    near(
        after.b.velocity.dot(tangent),
        contact.b.velocity.dot(tangent),
        1e-15,
    );
    // Not "nearly": a push through the centre does not turn a ball.
    assert_eq!(
        (after.a.angular_velocity, after.b.angular_velocity),
        (3.0, -7.0)
    );
    assert_eq!(response.mode, Mode::Frictionless);
}

#[test]
fn k4_the_length_of_the_normal_drops_out() {
    // A normal is unit to rounding; exaggerated here, so that a formula that relies on it fails visibly.
    let normal = DVec2::new(0.6, 0.8);
    let energy = |c: &Contact<Space2>| {
        1.5 * c.a.velocity.length_squared() + 0.5 * c.b.velocity.length_squared()
    };
    for stretch in [1.0, 1.0 + 1e-6, 0.9] {
        let mut contact = balls::<Space2>(
            normal,
            ball(3.0, 0.2, DVec2::new(-1.0, -2.0), 0.0),
            ball(1.0, 0.3, DVec2::new(0.5, 0.25), 0.0),
        );
        contact.normal *= stretch;
        let (after, _) = struck(&contact, &smooth(1.0));
        close(energy(&after), energy(&contact), 1e-15);
    }
}

#[test]
fn k4_equal_elastic_balls_part_at_right_angles() {
    let normal = DVec3::new(2.0, -3.0, 6.0) / 7.0;
    let contact = balls::<Space3>(
        normal,
        ball(0.7, 0.1, DVec3::ZERO, DVec3::ZERO),
        ball(0.7, 0.1, DVec3::new(1.0, 0.5, 2.0), DVec3::ZERO),
    );
    let (after, _) = struck(&contact, &smooth(1.0));
    assert!(after.a.velocity.length() > 0.5 && after.b.velocity.length() > 0.5);
    near(after.a.velocity.dot(after.b.velocity), 0.0, 1e-15);
}

#[test]
fn k5_an_immobile_disc_reflects() {
    let normal = DVec2::new(0.6, 0.8);
    let contact = balls::<Space2>(
        normal,
        ball(2.0, 0.2, DVec2::new(0.0, -5.0), 0.0),
        Side::fixed(),
    );
    let (after, _) = struck(&contact, &smooth(1.0));
    // v − 2 (n·v) n with n·v = −4.
    near(after.a.velocity, DVec2::new(4.8, 1.4), 2e-15);
    assert_eq!(after.b, contact.b);
}

#[test]
fn k6_a_bat_sends_a_ball_at_rest_off_at_twice_its_speed() {
    let speed = 3.7;
    let contact = balls::<Space2>(
        X,
        ball(0.3, 0.1, DVec2::ZERO, 0.0),
        Side::kinematic(X * speed, 0.0, DVec2::ZERO),
    );
    let (after, response) = struck(&contact, &smooth(1.0));
    close(after.a.velocity.x, 2.0 * speed, ROUNDING);
    assert_eq!(after.b.velocity, X * speed, "nothing pushes the bat back");
    // The ball's energy is what the bat supplies.
    let energy = 0.5 * 0.3 * 4.0 * speed * speed;
    close(contact.work_on_a(&response), energy, ROUNDING);
    close(contact.work_on_b(&response), -energy, ROUNDING);
}

#[test]
fn k6_a_turning_paddle_moves_at_its_contact_point() {
    // A paddle that turns about the origin at 2 rad/s meets the ball 1.5 m out: 3 m/s there.
    let contact = Contact::<Space2> {
        point: DVec2::new(1.5, 0.0),
        normal: DVec2::Y,
        a: Side {
            arm: DVec2::new(0.0, -0.1),
            ..ball(0.3, 0.1, DVec2::ZERO, 0.0)
        },
        b: Side::kinematic(DVec2::ZERO, 2.0, DVec2::new(1.5, 0.0)),
    };
    let (after, _) = struck(&contact, &smooth(1.0));
    near(after.a.velocity, DVec2::new(0.0, 6.0), 1e-14);
}

#[test]
fn c1_the_rebound_is_a_mirror_image_in_the_frame_of_the_wall() {
    let normal = DVec3::new(1.0, 2.0, -2.0) / 3.0;
    let velocity = DVec3::new(-3.0, 0.5, 1.0);
    for wall in [DVec3::ZERO, DVec3::new(0.4, -0.3, -2.0), normal * 1.5] {
        let contact = balls::<Space3>(
            normal,
            ball(0.3, 0.1, velocity, DVec3::ZERO),
            Side::kinematic(wall, DVec3::ZERO, DVec3::ZERO),
        );
        let (after, _) = struck(&contact, &smooth(1.0));
        let seen = velocity - wall;
        let mirrored = seen - normal * (2.0 * normal.dot(seen));
        near(after.a.velocity, wall + mirrored, 1e-14);
    }
}

#[test]
fn c1_a_mobile_wall_is_a_heavy_body() {
    // A wall of mass M tends to the fixed one; the difference is of the order m/M.
    let against = |b| {
        let contact = balls::<Space2>(X, ball(1.0, 0.1, X * -2.0, 0.0), b);
        struck(&contact, &smooth(0.8)).0.a.velocity.x
    };
    let fixed = against(Side::fixed());
    close(fixed, 1.6, ROUNDING);
    for mass in [1e3, 1e6, 1e9] {
        let mobile = against(ball(mass, 1.0, DVec2::ZERO, 0.0));
        close(mobile, 1.6 - 3.6 / (mass + 1.0), ROUNDING);
    }
}

#[test]
fn c3_two_masses_equal_masses_one_at_rest_and_a_wall() {
    let run = |m_a: f64, v_a: f64, m_b: f64, v_b: f64, restitution: f64| {
        let contact = balls::<Space2>(
            -X,
            ball(m_a, 0.1, X * v_a, 0.0),
            ball(m_b, 0.1, X * v_b, 0.0),
        );
        let (after, _) = struck(&contact, &smooth(restitution));
        (after.a.velocity.x, after.b.velocity.x)
    };
    // The course's formulas, term by term.
    let (m_a, v_a, m_b, v_b, e) = (0.8, 1.7, 0.3, -0.9, 0.65);
    let (a, b) = run(m_a, v_a, m_b, v_b, e);
    let total = m_a + m_b;
    close(
        a,
        ((m_a - e * m_b) * v_a + (1.0 + e) * m_b * v_b) / total,
        ROUNDING,
    );
    close(
        b,
        ((m_b - e * m_a) * v_b + (1.0 + e) * m_a * v_a) / total,
        ROUNDING,
    );
    // Equal and elastic: the velocities change hands.
    let (a, b) = run(0.7, 1.3, 0.7, -0.4, 1.0);
    near(a, -0.4, 4e-16);
    near(b, 1.3, 4e-16);
    // One at rest.
    let (a, b) = run(2.0, 3.0, 1.0, 0.0, 0.5);
    close(a, 1.5, ROUNDING);
    close(b, 3.0, ROUNDING);
}

#[test]
fn c3_worked_example_one() {
    let contact = balls::<Space2>(
        -X,
        ball(0.8, 0.1, X * 0.1, 0.0),
        ball(0.1, 0.05, X * -0.05, 0.0),
    );
    let (after, response) = struck(&contact, &smooth(0.7));
    // 1.7 · 0.15 / (1/0.8 + 1/0.1) = 0.255/11.25; the balls' velocities follow.
    close(-response.impulse.x, 0.34 / 15.0, ROUNDING);
    close(after.a.velocity.x, 43.0 / 600.0, ROUNDING);
    close(after.b.velocity.x, 53.0 / 300.0, ROUNDING);
}

/// A block that does not turn, on the floor y = 0.
fn block(velocity: DVec2) -> Contact<Space2> {
    Contact {
        point: DVec2::ZERO,
        normal: DVec2::Y,
        a: Side {
            inverse_mass: 0.5,
            inverse_inertia: 0.0,
            velocity,
            angular_velocity: 0.0,
            arm: DVec2::new(0.3, -0.2),
        },
        b: Side::fixed(),
    }
}

const LAWS: [Law; 4] = [Law::Coulomb, Law::Newton, Law::Course, Law::Beta];

#[test]
fn mass_ratios_up_to_1e12_rebound_as_asked() {
    let normal = DVec3::new(2.0, -3.0, 6.0) / 7.0;
    for exponent in [-12, -6, 0, 6, 12] {
        let mass = libm::exp10(f64::from(exponent));
        for law in LAWS {
            let contact = balls::<Space3>(
                normal,
                ball(
                    1.0,
                    0.1,
                    DVec3::new(0.3, 1.0, -2.0),
                    DVec3::new(1.0, 2.0, 3.0),
                ),
                ball(
                    mass,
                    0.1,
                    DVec3::new(-0.4, 0.1, 0.2),
                    DVec3::new(0.0, -5.0, 1.0),
                ),
            );
            let (after, response) = struck(&contact, &surface(law, 0.6, 0.4, 0.3));
            // The relative velocity is the difference of numbers of order 3, each within a few roundings.
            near(
                after.normal_velocity(),
                -0.6 * contact.normal_velocity(),
                8e-15,
            );
            let momentum_a = after.a.velocity - contact.a.velocity;
            let momentum_b = (after.b.velocity - contact.b.velocity) * mass;
            // Differences of velocities of order 3, times the mass.
            near(momentum_a, -momentum_b, 4e-15 * (1.0 + mass));
            assert!(contact.energy_lost(&response) > 0.0);
        }
    }
}

#[test]
fn without_restitution_no_closing_is_left_above_the_floor() {
    // Directions that are not exactly unit, velocities that leave nothing but rounding behind, every law.
    let mut checked = 0;
    for i in 0..2000 {
        let angle = 0.003 * f64::from(i) + 0.1;
        let normal = DVec2::new(libm::cos(angle), libm::sin(angle));
        for (slip, law) in [0.0, 1e-9, 1.0]
            .into_iter()
            .flat_map(|slip| LAWS.map(|law| (slip, law)))
        {
            for b in [
                Side::fixed(),
                Side::kinematic(normal * -0.3, 0.0, DVec2::ZERO),
                ball(0.37, 0.2, normal * 0.7, 2.0),
            ] {
                let velocity = normal * -1.3 + normal.perp() * slip;
                let contact = balls::<Space2>(normal, ball(0.11, 0.1, velocity, 0.0), b);
                assert!(contact.is_approaching());
                let (after, _) = struck(&contact, &surface(law, 0.0, 0.3, 0.2));
                assert!(!after.is_approaching(), "still closing: {after:?}");
                // And not kicked: what is left is rounding.
                near(after.normal_velocity(), 0.0, 1e-14);
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 2000 * 12 * 3);
}

#[test]
fn what_does_not_close_and_what_cannot_move_gets_no_impulse() {
    let separation = balls::<Space2>(X, ball(1.0, 0.1, X, 0.0), Side::fixed());
    let immovable = balls::<Space2>(X, Side::kinematic(-X, 0.0, DVec2::ZERO), Side::fixed());
    for law in LAWS {
        for contact in [&separation, &immovable] {
            let (after, response) = struck(contact, &surface(law, 0.5, 0.4, 0.3));
            assert_eq!(response, Response::none());
            assert_eq!(after, *contact);
        }
    }
}
