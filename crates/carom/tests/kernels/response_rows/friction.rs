//! C5 to C7: friction, with and without rotation.

use super::*;

/// The ball and the wall x = 1.5 of the second worked example.
fn worked_example_two() -> Contact<Space3> {
    Contact {
        point: DVec3::new(1.5, 0.0, 1.0),
        normal: DVec3::NEG_X,
        a: Side {
            inverse_mass: 2.0,
            inverse_inertia: DMat3::from_diagonal(DVec3::splat(500.0)),
            velocity: DVec3::new(2.0, 0.0, -1.5),
            angular_velocity: DVec3::new(0.0, 0.0, 20.0),
            arm: DVec3::new(0.1, 0.0, 0.0),
        },
        b: Side::fixed(),
    }
}

#[test]
fn c7_worked_example_two_by_the_course() {
    let (after, response) = struck(&worked_example_two(), &surface(Law::Course, 0.8, 0.6, 0.5));
    assert_eq!(response.mode, Mode::Slide);
    // j = 0.5 · 1.8 · 2; α_t = 1/(2 + 5); j_t = −0.5 · 1.8 · 2 / 7 along t = (0, 0.8, −0.6).
    let expected = DVec3::new(-1.8, -1.44 / 7.0, 1.08 / 7.0);
    near(response.impulse, expected, 2e-14);
    near(
        after.a.velocity,
        DVec3::new(-1.6, -2.88 / 7.0, -8.34 / 7.0),
        2e-14,
    );
    near(
        after.a.angular_velocity,
        DVec3::new(0.0, -54.0 / 7.0, 68.0 / 7.0),
        2e-13,
    );
    close(after.a.velocity.y, -2.88 / 7.0, ROUNDING);
    close(after.a.velocity.z, -8.34 / 7.0, ROUNDING);
    close(after.a.angular_velocity.y, -54.0 / 7.0, ROUNDING);
    close(after.a.angular_velocity.z, 68.0 / 7.0, ROUNDING);
}

#[test]
fn c7_worked_example_two_by_coulomb() {
    for law in [Law::Coulomb, Law::Newton] {
        let (after, response) = struck(&worked_example_two(), &surface(law, 0.8, 0.6, 0.5));
        assert_eq!(response.mode, Mode::Stick);
        close(response.impulse.x, -1.8, ROUNDING);
        close(response.impulse.y, -2.0 / 7.0, ROUNDING);
        close(response.impulse.z, 1.5 / 7.0, ROUNDING);
        close(after.a.velocity.x, -1.6, ROUNDING);
        close(after.a.velocity.y, -4.0 / 7.0, ROUNDING);
        close(after.a.velocity.z, -7.5 / 7.0, ROUNDING);
        assert_eq!(after.a.angular_velocity.x, 0.0);
        close(after.a.angular_velocity.y, -75.0 / 7.0, ROUNDING);
        close(after.a.angular_velocity.z, 40.0 / 7.0, ROUNDING);
        near(after.slip(), DVec3::ZERO, 1e-15);
    }
}

#[test]
fn c5_without_rotation_the_course_and_coulomb_agree() {
    // Change of normal velocity 1.5 · 2 = 3; slip is held up to 0.4 · 3 = 1.2, else reduced by 0.3 · 3 = 0.9.
    for (slip, left) in [(0.5, 0.0), (1.19, 0.0), (1.21, 0.31), (-5.0, -4.1)] {
        for law in [Law::Coulomb, Law::Newton, Law::Course] {
            let contact = block(DVec2::new(slip, -2.0));
            let (after, response) = struck(&contact, &surface(law, 0.5, 0.4, 0.3));
            near(after.a.velocity, DVec2::new(left, 1.0), 2e-15);
            let mode = if left == 0.0 {
                Mode::Stick
            } else {
                Mode::Slide
            };
            assert_eq!(response.mode, mode);
        }
    }
}

#[test]
fn c5_friction_never_reverses_the_slip() {
    // Even with the coefficients the wrong way round.
    for law in [Law::Coulomb, Law::Newton, Law::Course] {
        for (hold, translational) in [(0.1, 5.0), (1e9, 1e9), (f64::INFINITY, 1.0)] {
            let contact = block(DVec2::new(1.0, -2.0));
            let (after, _) = struck(&contact, &surface(law, 0.5, hold, translational));
            near(after.a.velocity, DVec2::new(0.0, 1.0), 1e-15);
        }
    }
}

#[test]
fn c5_static_friction_holds_what_kinetic_friction_would_let_slide() {
    let contact = block(DVec2::new(1.0, -2.0));
    let held = struck(&contact, &surface(Law::Coulomb, 0.5, 0.4, 0.2)).0;
    let slid = struck(&contact, &surface(Law::Coulomb, 0.5, 0.2, 0.2)).0;
    near(held.a.velocity.x, 0.0, 1e-15);
    near(slid.a.velocity.x, 0.4, 1e-15);
}

/// Gaussian elimination with the largest pivot.
fn solve<const N: usize>(mut m: [[f64; N]; N], mut v: [f64; N]) -> [f64; N] {
    for k in 0..N {
        let pivot = (k..N)
            .max_by(|&i, &j| m[i][k].abs().total_cmp(&m[j][k].abs()))
            .unwrap();
        m.swap(k, pivot);
        v.swap(k, pivot);
        for i in 0..N {
            if i != k {
                let (row, factor) = (m[k], m[i][k] / m[k][k]);
                for (entry, above) in m[i].iter_mut().zip(row) {
                    *entry -= factor * above;
                }
                v[i] -= factor * v[k];
            }
        }
    }
    std::array::from_fn(|k| v[k] / m[k][k])
}

struct Tumbler {
    mass: f64,
    inertia: DMat3,
    velocity: DVec3,
    angular_velocity: DVec3,
    arm: DVec3,
}

impl Tumbler {
    fn side(&self) -> Side<Space3> {
        Side {
            inverse_mass: 1.0 / self.mass,
            inverse_inertia: DMat3::inverse(&self.inertia),
            velocity: self.velocity,
            angular_velocity: self.angular_velocity,
            arm: self.arm,
        }
    }
}

fn tumblers() -> (Tumbler, Tumbler, DVec3) {
    let turned = |q: DQuat, principal: DVec3| {
        let r = DMat3::from_quat(q);
        r * DMat3::from_diagonal(principal) * r.transpose()
    };
    let a = Tumbler {
        mass: 1.7,
        inertia: turned(
            DQuat::from_xyzw(0.2, -0.4, 0.5, 0.7).normalize(),
            DVec3::new(0.11, 0.23, 0.29),
        ),
        velocity: DVec3::new(0.3, -1.4, 0.6),
        angular_velocity: DVec3::new(2.0, -1.0, 0.5),
        arm: DVec3::new(0.2, -0.35, 0.1),
    };
    let b = Tumbler {
        mass: 0.6,
        inertia: turned(
            DQuat::from_xyzw(-0.1, 0.3, 0.8, 0.4).normalize(),
            DVec3::new(0.02, 0.05, 0.06),
        ),
        velocity: DVec3::new(-0.2, 0.9, 0.1),
        angular_velocity: DVec3::new(-1.0, 0.3, 4.0),
        arm: DVec3::new(-0.1, 0.2, 0.15),
    };
    (a, b, DVec3::new(2.0, 6.0, -3.0) / 7.0)
}

/// Velocities and spins after an impact, from the balance of momentum and angular momentum of each body and three
/// conditions: on the impulse (`free[i]`: direction i of the frame carries impulse) or on the velocity after it.
fn balance(
    a: &Tumbler,
    b: &Tumbler,
    axes: [DVec3; 3],
    free: [bool; 3],
    after: [f64; 3],
) -> [f64; 15] {
    // Unknowns: v_a, ω_a, v_b, ω_b, J.
    let mut m = [[0.0; 15]; 15];
    let mut v = [0.0; 15];
    for (first, body, sign) in [(0, a, 1.0), (6, b, -1.0)] {
        let momentum = body.mass * body.velocity;
        let angular_velocity = body.inertia * body.angular_velocity;
        for i in 0..3 {
            m[first + i][first + i] = body.mass;
            m[first + i][12 + i] = -sign;
            v[first + i] = momentum[i];
            for j in 0..3 {
                m[first + 3 + i][first + 3 + j] = body.inertia.col(j)[i];
                let mut unit = DVec3::ZERO;
                unit[j] = 1.0;
                m[first + 3 + i][12 + j] = -sign * body.arm.cross(unit)[i];
            }
            v[first + 3 + i] = angular_velocity[i];
        }
    }
    for k in 0..3 {
        let axis = axes[k];
        for i in 0..3 {
            if free[k] {
                // axis·(v + ω × r) = v·axis + ω·(r × axis).
                m[12 + k][i] = axis[i];
                m[12 + k][3 + i] = a.arm.cross(axis)[i];
                m[12 + k][6 + i] = -axis[i];
                m[12 + k][9 + i] = -b.arm.cross(axis)[i];
                v[12 + k] = after[k];
            } else {
                m[12 + k][12 + i] = axis[i];
            }
        }
    }
    solve(m, v)
}

fn tumbling(a: &Tumbler, b: &Tumbler, normal: DVec3) -> Contact<Space3> {
    Contact {
        point: DVec3::new(0.4, 0.1, -0.2),
        normal,
        a: a.side(),
        b: b.side(),
    }
}

fn same_state(after: &Contact<Space3>, unknowns: &[f64; 15]) {
    let vector = |i| DVec3::from_slice(&unknowns[i..i + 3]);
    // A 15×15 elimination with entries between 0.02 and 4: condition below 1e4.
    near(after.a.velocity, vector(0), 1e-12);
    near(after.a.angular_velocity, vector(3), 1e-11);
    near(after.b.velocity, vector(6), 1e-12);
    near(after.b.angular_velocity, vector(9), 1e-11);
}

#[test]
fn c6_full_inertia_tensors_balance_momentum_and_angular_momentum() {
    let (a, b, normal) = tumblers();
    let contact = tumbling(&a, &b, normal);
    assert!(contact.normal_velocity() < -0.1 && !contact.is_central());
    let axes = [
        normal,
        normal.any_orthonormal_pair().0,
        normal.any_orthonormal_pair().1,
    ];
    for restitution in [0.0, 0.6, 1.0, 1.3] {
        let after = [-restitution * contact.normal_velocity(), 0.0, 0.0];
        let expected = balance(&a, &b, axes, [true, false, false], after);
        same_state(&struck(&contact, &smooth(restitution)).0, &expected);
    }
}

#[test]
fn c6_c7_an_eccentric_contact_that_sticks_by_newton() {
    let (a, b, normal) = tumblers();
    let contact = tumbling(&a, &b, normal);
    let axes = [
        normal,
        normal.any_orthonormal_pair().0,
        normal.any_orthonormal_pair().1,
    ];
    let after = [-0.6 * contact.normal_velocity(), 0.0, 0.0];
    let expected = balance(&a, &b, axes, [true; 3], after);
    let (found, response) = struck(&contact, &surface(Law::Newton, 0.6, 1e3, 1e3));
    assert_eq!((response.mode, response.substituted), (Mode::Stick, false));
    same_state(&found, &expected);
}

#[test]
fn c7_the_contact_matrix_is_that_of_the_two_sides() {
    let (a, b, normal) = tumblers();
    let contact = tumbling(&a, &b, normal);
    let impulse = DVec3::new(0.3, -0.7, 1.1);
    let response = Response::new(&contact, 0.0, impulse, Mode::Slide);
    let change = contact.after(&response).relative_velocity() - contact.relative_velocity();
    near(contact.matrix() * impulse, change, 1e-14);
    near(contact.yields(impulse), change, 1e-14);
    let alpha = 1.0 / normal.dot(contact.matrix() * normal);
    close(contact.alpha(), alpha, ROUNDING);
    assert!(LinearMap::inverse(contact.matrix()).is_some());
}

#[test]
fn c7_a_sliding_ball_obeys_coulomb_with_alpha_and_the_course_with_alpha_t() {
    let contact = balls::<Space2>(
        DVec2::Y,
        ball(0.5, 0.1, DVec2::new(10.0, -1.0), 0.0),
        Side::fixed(),
    );
    // Disc: K_t = 1/m + r²/I = 3/m. j = 0.5 · 1.5 = 0.75.
    let coulomb = struck(&contact, &surface(Law::Coulomb, 0.5, 0.3, 0.2)).1;
    near(coulomb.impulse, DVec2::new(-0.15, 0.75), 1e-15);
    let course = struck(&contact, &surface(Law::Course, 0.5, 0.3, 0.2)).1;
    near(course.impulse, DVec2::new(-0.05, 0.75), 1e-15);
}
