//! The properties themselves.

use super::*;

/// The slip followed numerically in space, and sticking solved through a matrix: a few hundred roundings, and the
/// condition of K, which is below 100 for the blocks here.
const FOLLOWED: f64 = 1e-12;

/// The same cases in every run.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x_ca40_0437),
        ..ProptestConfig::default()
    }
}

/// Two bodies in contact.
#[derive(Clone, Copy, Debug)]
struct Pair<S: Space> {
    a: Body<S>,
    b: Body<S>,
    point: S::Vector,
    normal: S::Vector,
}

impl<S: Space> Pair<S> {
    fn contact(&self) -> Contact<S> {
        Contact {
            point: self.point,
            normal: self.normal,
            a: self.a.side,
            b: self.b.side,
        }
    }
}

/// Two balls that close.
fn balls<S: Sample>() -> impl Strategy<Value = Pair<S>> {
    (
        numbers(),
        numbers(),
        normal::<S>(),
        prop::array::uniform3(-3.0..3.0_f64),
    )
        .prop_map(|(a, b, normal, point)| {
            let point = S::vector(point);
            Pair {
                a: body(&a, point, Some(-normal)),
                b: body(&b, point, Some(normal)),
                point,
                normal,
            }
        })
        .prop_filter("closing", |pair| pair.contact().normal_velocity() < -0.01)
}

/// Two blocks that close, struck at corners.
fn blocks<S: Sample>() -> impl Strategy<Value = Pair<S>> {
    (
        numbers(),
        numbers(),
        normal::<S>(),
        prop::array::uniform3(-3.0..3.0_f64),
    )
        .prop_map(|(a, b, normal, point)| {
            let point = S::vector(point);
            Pair {
                a: body(&a, point, None),
                b: body(&b, point, None),
                point,
                normal,
            }
        })
        .prop_filter("closing", |pair| pair.contact().normal_velocity() < -0.01)
}

fn check_balances<S: Space>(pair: &Pair<S>, surface: &Surface) {
    let contact = pair.contact();
    let response = respond(&contact, surface);
    let after = contact.after(&response);
    let momentum = |c: &Contact<S>| c.a.velocity * pair.a.mass + c.b.velocity * pair.b.mass;
    let size = (pair.a.mass + pair.b.mass) * (speeds(&contact) + speeds(&after));
    let lost = (momentum(&after) - momentum(&contact)).length();
    assert!(lost <= ROUNDING * size, "momentum: {lost:e}");
    let angular = |c: &Contact<S>| pair.a.angular_momentum(&c.a) + pair.b.angular_momentum(&c.b);
    let lost = (angular(&after) - angular(&contact)).length();
    // Positions are up to 7 m from the origin.
    assert!(lost <= 10.0 * ROUNDING * size, "angular momentum: {lost:e}");
    let energy = |c: &Contact<S>| pair.a.energy(&c.a) + pair.b.energy(&c.b);
    let lost = energy(&contact) - energy(&after);
    let error = (lost - contact.energy_lost(&response)).abs();
    let total = energy(&contact) + energy(&after);
    assert!(
        error <= 4.0 * ROUNDING * total,
        "books of energy: {error:e} of {total}"
    );
    let parts = contact.work_on_a(&response) + contact.work_on_b(&response);
    assert!((parts + contact.energy_lost(&response)).abs() <= 4.0 * ROUNDING * total);
}

fn check_no_gain<S: Space>(pair: &Pair<S>, surface: &Surface, response: &Response<S>) {
    let contact = pair.contact();
    let after = contact.after(response);
    let energy = |c: &Contact<S>| pair.a.energy(&c.a) + pair.b.energy(&c.b);
    let gain = energy(&after) - energy(&contact);
    assert!(
        gain <= ROUNDING * energy(&contact),
        "gains {gain:e} of {} by {surface:?}: {response:?}",
        energy(&contact)
    );
    assert!(after.normal_velocity() >= -ROUNDING * speeds(&contact));
}

fn check_kept<S: Space>(pair: &Pair<S>) {
    let contact = pair.contact();
    let elastic = Surface {
        restitution: 1.0,
        static_friction: 0.0,
        kinetic_friction: 0.0,
        law: Law::Coulomb,
        ..Surface::default()
    };
    let after = contact.after(&respond(&contact, &elastic));
    let energy = |c: &Contact<S>| pair.a.energy(&c.a) + pair.b.energy(&c.b);
    let change = (energy(&after) - energy(&contact)).abs();
    assert!(change <= ROUNDING * energy(&contact), "{change:e}");
}

/// Whether the outcome hangs on a comparison that rounding may turn: mode for mode the laws are continuous, except
/// where μ_s ≠ μ_c, and Newton's hands over.
fn settled<S: Space>(contact: &Contact<S>, surface: &Surface) -> bool {
    let near = |factor: f64| {
        let other = Surface {
            static_friction: surface.static_friction * factor,
            kinetic_friction: surface.kinetic_friction * factor,
            ..*surface
        };
        let response = respond(contact, &other);
        (response.mode, response.substituted)
    };
    near(1.0 - 1e-9) == near(1.0 + 1e-9)
}

fn check_not_reversed<S: Space>(contact: &Contact<S>, surface: &Surface) {
    let response = respond(contact, surface);
    if response.mode == Mode::Frictionless || response.substituted {
        return;
    }
    let (before, after) = (contact.slip(), contact.after(&response).slip());
    assert!(before.dot(after) >= -ROUNDING * before.length() * speeds(contact));
}

fn moved<S: Space>(contact: &Contact<S>, velocity: S::Vector) -> Contact<S> {
    let mut moved = *contact;
    moved.a.velocity += velocity;
    moved.b.velocity += velocity;
    moved
}

fn check_galilean<S: Space>(contact: &Contact<S>, surface: &Surface, velocity: S::Vector) {
    let other = moved(contact, velocity);
    same(
        &respond(&other, surface),
        &respond(contact, surface),
        FOLLOWED,
        &other,
    );
}

fn check_swapped<S: Space>(contact: &Contact<S>, surface: &Surface) {
    let swapped = Contact {
        point: contact.point,
        normal: -contact.normal,
        a: contact.b,
        b: contact.a,
    };
    let mut back = respond(&swapped, surface);
    back.impulse = -back.impulse;
    same(&back, &respond(contact, surface), FOLLOWED, contact);
}

/// In units in which lengths, times and masses are numbered differently.
fn check_units<S: Space>(
    contact: &Contact<S>,
    surface: &Surface,
    inertia: impl Fn(S::Inertia, f64) -> S::Inertia,
    [length, time, mass]: [f64; 3],
) {
    let side = |side: &Side<S>| Side {
        inverse_mass: side.inverse_mass / mass,
        inverse_inertia: inertia(side.inverse_inertia, 1.0 / (mass * length * length)),
        velocity: side.velocity * (length / time),
        angular_velocity: side.angular_velocity * (1.0 / time),
        arm: side.arm * length,
    };
    let other = Contact {
        point: contact.point * length,
        normal: contact.normal,
        a: side(&contact.a),
        b: side(&contact.b),
    };
    let mut back = respond(&other, surface);
    back.impulse = back.impulse * (time / (mass * length));
    same(&back, &respond(contact, surface), FOLLOWED, contact);
}

/// A rotation, or one with a mirror: vectors by the matrix, spins by the matrix times its determinant.
fn transformed(contact: &Contact<Space3>, m: DMat3) -> Contact<Space3> {
    let sign = m.determinant().signum();
    let side = |side: &Side<Space3>| Side {
        inverse_mass: side.inverse_mass,
        inverse_inertia: m * side.inverse_inertia * m.transpose(),
        velocity: m * side.velocity,
        angular_velocity: m * side.angular_velocity * sign,
        arm: m * side.arm,
    };
    Contact {
        point: m * contact.point,
        normal: m * contact.normal,
        a: side(&contact.a),
        b: side(&contact.b),
    }
}

fn check_turned(contact: &Contact<Space3>, surface: &Surface, turn: [f64; 4]) {
    let [x, y, z, w] = turn;
    let turn = DMat3::from_quat(DQuat::from_xyzw(x, y, z, w + 2.0).normalize());
    let mirror = DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0));
    for m in [turn, mirror, turn * mirror] {
        let mut back = respond(&transformed(contact, m), surface);
        back.impulse = m.transpose() * back.impulse;
        same(&back, &respond(contact, surface), FOLLOWED, contact);
    }
}

fn check_turned_in_the_plane(contact: &Contact<Space2>, surface: &Surface, turn: [f64; 4]) {
    let turn = DVec2::new(turn[0], turn[1] + 2.0).normalize();
    let mirror = |v: DVec2| DVec2::new(v.x, -v.y);
    let rotate = |v: DVec2| turn.rotate(v);
    let with = |map: &dyn Fn(DVec2) -> DVec2, sign: f64| {
        let side = |side: &Side<Space2>| Side {
            velocity: map(side.velocity),
            angular_velocity: side.angular_velocity * sign,
            arm: map(side.arm),
            ..*side
        };
        Contact {
            point: map(contact.point),
            normal: map(contact.normal),
            a: side(&contact.a),
            b: side(&contact.b),
        }
    };
    let here = respond(contact, surface);
    for (map, sign) in [(&rotate as &dyn Fn(DVec2) -> DVec2, 1.0), (&mirror, -1.0)] {
        let there = with(map, sign);
        let expected = Response {
            impulse: map(here.impulse),
            ..here
        };
        same(&respond(&there, surface), &expected, FOLLOWED, &there);
    }
}

fn embedded(contact: &Contact<Space2>) -> Contact<Space3> {
    let side = |side: &Side<Space2>| Side::<Space3> {
        inverse_mass: side.inverse_mass,
        inverse_inertia: DMat3::from_diagonal(DVec3::splat(side.inverse_inertia)),
        velocity: side.velocity.extend(0.0),
        angular_velocity: DVec3::Z * side.angular_velocity,
        arm: side.arm.extend(0.0),
    };
    Contact {
        point: contact.point.extend(0.0),
        normal: contact.normal.extend(0.0),
        a: side(&contact.a),
        b: side(&contact.b),
    }
}

fn check_embedded(contact: &Contact<Space2>, surface: &Surface) {
    let flat = respond(contact, surface);
    let full = respond(&embedded(contact), surface);
    let error = (full.impulse - flat.impulse.extend(0.0)).length();
    let size = flat.impulse.length() + speeds(contact) * contact.alpha();
    assert_eq!((full.mode, full.substituted), (flat.mode, flat.substituted));
    assert_eq!(full.impulse.z, 0.0, "what is flat stays flat");
    assert!(error <= ROUNDING * size, "{error:e}");
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn momentum_angular_momentum_and_the_books_of_energy_balance(
        flat in prop_oneof![balls::<Space2>(), blocks::<Space2>()],
        full in prop_oneof![balls::<Space3>(), blocks::<Space3>()],
        surface in surface(),
    ) {
        check_balances(&flat, &surface);
        check_balances(&full, &surface);
    }

    #[test]
    fn no_law_adds_energy_to_balls(
        flat in balls::<Space2>(),
        full in balls::<Space3>(),
        surface in surface(),
    ) {
        check_no_gain(&flat, &surface, &respond(&flat.contact(), &surface));
        check_no_gain(&full, &surface, &respond(&full.contact(), &surface));
    }

    #[test]
    fn stronge_never_adds_energy(
        flat in blocks::<Space2>(),
        full in blocks::<Space3>(),
        surface in surface(),
    ) {
        check_no_gain(&flat, &surface, &stronge::respond(&flat.contact(), &surface));
        check_no_gain(&full, &surface, &stronge::respond(&full.contact(), &surface));
    }

    #[test]
    fn without_friction_elastic_impacts_keep_the_energy(
        round in balls::<Space3>(),
        flat in blocks::<Space2>(),
        full in blocks::<Space3>(),
    ) {
        check_kept(&round);
        check_kept(&flat);
        check_kept(&full);
    }

    #[test]
    fn what_sticks_has_no_slip_left(flat in blocks::<Space2>(), full in blocks::<Space3>(), mut surface in surface()) {
        surface.law = Law::Coulomb;
        let response = respond(&flat.contact(), &surface);
        let after = flat.contact().after(&response);
        prop_assert!(response.mode != Mode::Stick || after.slip().length() <= ROUNDING * speeds(&flat.contact()));
        let response = respond(&full.contact(), &surface);
        let after = full.contact().after(&response);
        prop_assert!(response.mode != Mode::Stick || after.slip().length() <= 10.0 * ROUNDING * speeds(&full.contact()));
    }

    #[test]
    fn newton_does_not_reverse_the_slip(flat in blocks::<Space2>(), full in blocks::<Space3>(), mut surface in surface()) {
        surface.law = Law::Newton;
        check_not_reversed(&flat.contact(), &surface);
        check_not_reversed(&full.contact(), &surface);
    }

    #[test]
    fn without_restitution_nothing_is_left_closing(
        round in balls::<Space3>(),
        flat in blocks::<Space2>(),
        full in blocks::<Space3>(),
        mut surface in surface(),
        stronge in any::<bool>(),
    ) {
        surface.restitution = 0.0;
        prop_assert!(!round.contact().after(&respond(&round.contact(), &surface)).is_approaching());
        // The laws that see how normal and tangent couple.
        surface.law = if stronge { Law::Coulomb } else { Law::Newton };
        prop_assert!(!flat.contact().after(&respond(&flat.contact(), &surface)).is_approaching());
        prop_assert!(!full.contact().after(&respond(&full.contact(), &surface)).is_approaching());
    }

    #[test]
    fn the_impulse_is_the_same_in_a_moving_frame(
        flat in prop_oneof![balls::<Space2>(), blocks::<Space2>()],
        full in prop_oneof![balls::<Space3>(), blocks::<Space3>()],
        surface in surface(),
        velocity in prop::array::uniform3(-10.0..10.0_f64),
    ) {
        prop_assume!(settled(&flat.contact(), &surface) && settled(&full.contact(), &surface));
        check_galilean(&flat.contact(), &surface, Space2::vector(velocity));
        check_galilean(&full.contact(), &surface, Space3::vector(velocity));
    }

    #[test]
    fn a_and_b_are_interchangeable(
        flat in prop_oneof![balls::<Space2>(), blocks::<Space2>()],
        full in prop_oneof![balls::<Space3>(), blocks::<Space3>()],
        surface in surface(),
    ) {
        prop_assume!(settled(&flat.contact(), &surface) && settled(&full.contact(), &surface));
        check_swapped(&flat.contact(), &surface);
        check_swapped(&full.contact(), &surface);
    }

    #[test]
    fn units_do_not_matter(
        flat in prop_oneof![balls::<Space2>(), blocks::<Space2>()],
        full in prop_oneof![balls::<Space3>(), blocks::<Space3>()],
        surface in surface(),
        powers in prop::array::uniform3(-12.0..12.0_f64),
    ) {
        prop_assume!(settled(&flat.contact(), &surface) && settled(&full.contact(), &surface));
        let units = powers.map(libm::exp10);
        check_units(&flat.contact(), &surface, |i, s| i * s, units);
        check_units(&full.contact(), &surface, |i, s| i * s, units);
    }

    #[test]
    fn space_has_no_preferred_direction_and_no_hand(
        flat in prop_oneof![balls::<Space2>(), blocks::<Space2>()],
        full in prop_oneof![balls::<Space3>(), blocks::<Space3>()],
        surface in surface(),
        turn in prop::array::uniform4(-1.0..1.0_f64),
    ) {
        prop_assume!(settled(&flat.contact(), &surface) && settled(&full.contact(), &surface));
        check_turned_in_the_plane(&flat.contact(), &surface, turn);
        check_turned(&full.contact(), &surface, turn);
    }

    #[test]
    fn a_planar_contact_in_space_is_the_one_of_the_plane(
        pair in prop_oneof![balls::<Space2>(), blocks::<Space2>()],
        surface in surface(),
    ) {
        prop_assume!(settled(&pair.contact(), &surface));
        check_embedded(&pair.contact(), &surface);
    }
}
