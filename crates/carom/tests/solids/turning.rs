//! Free turning in space: conservation, closed forms, an independent integration.

use crate::common::Random;
use carom::kernels::solids::RigidTrajectory;
use carom::prelude::*;
use carom::shape::{Compound, Convex};
use glam::DMat3;

fn block(x: f64, y: f64, z: f64) -> Compound<Space3> {
    Compound::new(vec![Convex::block(DVec3::new(x, y, z)).unwrap()], 1.0).unwrap()
}

fn course(
    form: &Compound<Space3>,
    rotation: DQuat,
    angular_velocity: DVec3,
) -> RigidTrajectory<Space3> {
    let pose = Pose {
        position: DVec3::ZERO,
        rotation,
    };
    RigidTrajectory::free(form, 0.0, pose, DVec3::ZERO, angular_velocity, DVec3::ZERO)
}

fn momentum(form: &Compound<Space3>, course: &RigidTrajectory<Space3>, time: f64) -> DVec3 {
    form.inertia_at(course.pose_at(time).rotation) * course.angular_velocity_at(time)
}

fn energy(form: &Compound<Space3>, course: &RigidTrajectory<Space3>, time: f64) -> f64 {
    0.5 * course
        .angular_velocity_at(time)
        .dot(momentum(form, course, time))
}

/// Taylor series of Euler's equations and of the quaternion, order 24, with steps so short that each term is a
/// thousandth of the one before: nothing in common with the closed forms.
fn integrate(moments: DVec3, rotation: DQuat, own_spin: DVec3, time: f64) -> (DQuat, DVec3) {
    const ORDER: usize = 24;
    let fastest = own_spin.length() * (moments.max_element() / moments.min_element());
    let steps = (time * fastest * 8.0).ceil() as usize;
    let h = time / steps as f64;
    let (mut q, mut w) = (rotation, own_spin);
    for _ in 0..steps {
        let mut ws = vec![w];
        let mut qs = vec![q];
        for n in 0..ORDER {
            let (mut dw, mut dq) = (DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
            for k in 0..=n {
                let (x, y) = (ws[k], ws[n - k]);
                dw += DVec3::new(x.y * y.z, x.z * y.x, x.x * y.y);
                let angular_velocity = DQuat::from_xyzw(y.x, y.y, y.z, 0.0);
                dq += qs[k] * angular_velocity * 0.5;
            }
            let i = moments;
            let factor = DVec3::new((i.y - i.z) / i.x, (i.z - i.x) / i.y, (i.x - i.y) / i.z);
            ws.push(dw * factor / (n + 1) as f64);
            qs.push(dq * (1.0 / (n + 1) as f64));
        }
        (w, q) = (ws[ORDER], qs[ORDER]);
        for n in (0..ORDER).rev() {
            w = w * h + ws[n];
            q = q * h + qs[n];
        }
        q = q.normalize();
    }
    (q, w)
}

fn difference(a: DQuat, b: DQuat) -> f64 {
    let (x, y) = (DMat3::from_quat(a), DMat3::from_quat(b));
    let d = x - y;
    d.x_axis
        .length()
        .max(d.y_axis.length())
        .max(d.z_axis.length())
}

#[test]
fn tumbling_agrees_with_an_independent_integration() {
    let mut random = Random(11);
    let mut worst = 0.0_f64;
    for _ in 0..300 {
        let form = block(
            random.within(0.2, 1.0),
            random.within(0.2, 1.0),
            random.within(0.2, 1.0),
        );
        let moments = DVec3::from_array(form.principal_moments());
        let start = random.rotation();
        let own = random.in_ball() * 3.0;
        let course = course(&form, start, start * own);
        let time = random.within(0.0, 10.0);
        let (q, w) = integrate(moments, start, own, time);
        let angular_velocity = course.angular_velocity_at(time);
        worst = worst.max(difference(course.pose_at(time).rotation, q));
        worst = worst.max((angular_velocity - q * w).length() / own.length());
    }
    // A few turns; the integration rounds in some 200 steps, and near the separatrix errors grow by up to a hundred.
    assert!(worst < 1e-11, "{worst:e}");
}

#[test]
fn energy_and_momentum_are_kept_over_a_thousand_turns() {
    let mut random = Random(12);
    let symmetric = |r: &mut Random| {
        let half = r.within(0.2, 1.0);
        Compound::new(vec![Convex::<Space3>::cylinder(half, 0.4).unwrap()], 1.0).unwrap()
    };
    for case in 0..60 {
        let form = match case % 3 {
            0 => block(0.5, 0.5, 0.5),
            1 => symmetric(&mut random),
            _ => block(
                random.within(0.2, 1.0),
                random.within(0.2, 1.0),
                random.within(0.2, 1.0),
            ),
        };
        let angular_velocity = random.in_ball() * 5.0;
        let course = course(&form, random.rotation(), angular_velocity);
        let (l, e) = (momentum(&form, &course, 0.0), energy(&form, &course, 0.0));
        let turn = std::f64::consts::TAU / angular_velocity.length();
        for i in 0..=1000 {
            let time = turn * (f64::from(i) + 0.37);
            let now = momentum(&form, &course, time);
            assert!(
                (now - l).length() < 1e-12 * l.length(),
                "turn {i} of case {case}"
            );
            let now = energy(&form, &course, time);
            assert!((now - e).abs() < 1e-12 * e, "turn {i} of case {case}");
        }
    }
}

#[test]
fn the_spin_is_the_rate_of_the_attitude() {
    let mut random = Random(13);
    for case in 0..40 {
        let form = if case % 2 == 0 {
            block(0.3, 0.5, 0.9)
        } else {
            Compound::new(vec![Convex::<Space3>::cylinder(0.9, 0.4).unwrap()], 1.0).unwrap()
        };
        let angular_velocity = random.in_ball() * 2.0;
        let course = course(&form, random.rotation(), angular_velocity);
        let time = random.within(0.0, 2000.0);
        // Central differences of a fixed point of the body: error h² ω³/6 + 1e-16/h, with the time rounded by 2e-13.
        let h = 1e-4;
        let arm = DVec3::new(0.3, -0.2, 0.5);
        let at = |t: f64| course.pose_at(t).to_world(arm);
        let rate = (at(time + h) - at(time - h)) / (2.0 * h);
        let expected = course.angular_velocity_at(time).cross(at(time));
        assert!((rate - expected).length() < 1e-7, "{rate} {expected}");
    }
}

#[test]
fn the_intermediate_axis_flips() {
    // Spin about the middle axis, 1e-6 of it off: it stays for a while, flips over, stays, flips back.
    let form = block(0.3, 0.5, 0.9);
    let i = DVec3::from_array(form.principal_moments());
    let own = DVec3::new(1e-6, 2.0, 0.0);
    let course = course(&form, DQuat::IDENTITY, own);
    // The half period between flips is 2K/ν, with K ≈ ln(4/k′): from the start at the turning point of ω₁ it takes K to
    // the first flip's middle. Here I_x > I_y > I_z; the spin begins on the side of I_x.
    let middle_spin =
        |t: f64| (course.pose_at(t).rotation.inverse() * course.angular_velocity_at(t)).y;
    let mut flips = Vec::new();
    let mut last = middle_spin(0.0);
    let step = 0.01;
    for n in 1..20_000 {
        let now = middle_spin(f64::from(n) * step);
        if now * last < 0.0 {
            flips.push(f64::from(n) * step);
        }
        last = now;
    }
    assert!(flips.len() > 3, "{flips:?}");
    // Linear growth rate of the perturbation: λ = ω √((I_x−I_y)(I_y−I_z)/(I_x I_z)).
    let growth = 2.0 * ((i.x - i.y) * (i.y - i.z) / (i.x * i.z)).sqrt();
    // k′ = √(I_x(I_x−I_z) ω_x² / (I_y(I_y−I_z) ω_y²)) to leading order; K = ln(4/k′); flips are 2K/λ apart.
    let small = ((i.x * (i.x - i.z)) / (i.y * (i.y - i.z))).sqrt() * 1e-6 / 2.0;
    let apart = 2.0 * libm::log(4.0 / small) / growth;
    for pair in flips.windows(2) {
        // The flips are seen to within a step; the expansion of K is good to k′².
        assert!(
            (pair[1] - pair[0] - apart).abs() < 2.0 * step,
            "{flips:?} {apart}"
        );
    }
    // And it agrees with the integration until chaos has eaten the digits: 1e-16 grows by e^(λt) per flip.
    let (q, _) = integrate(i, DQuat::IDENTITY, own, 1.2 * flips[0]);
    let error = difference(course.pose_at(1.2 * flips[0]).rotation, q);
    assert!(error < 1e-8, "{error:e}");
}

#[test]
fn a_symmetric_body_nutates_as_the_books_say() {
    // A long cylinder: the axis goes round L at the rate L/I_t, at a constant angle.
    let form = Compound::new(vec![Convex::<Space3>::cylinder(1.0, 0.2).unwrap()], 1.0).unwrap();
    let [across, _, along] = form.principal_moments();
    let angular_velocity = DVec3::new(0.7, 0.0, 4.0);
    let course = course(&form, DQuat::IDENTITY, angular_velocity);
    let l = DVec3::new(across * 0.7, 0.0, along * 4.0);
    for i in 0..100 {
        let time = 0.37 * f64::from(i);
        let axis = course.pose_at(time).rotation * DVec3::Z;
        let turned = DQuat::from_axis_angle(l.normalize(), l.length() / across * time);
        assert!((axis - turned * DVec3::Z).length() < 1e-13);
    }
}

#[test]
fn bounds_hold_at_all_times() {
    let mut random = Random(14);
    for _ in 0..50 {
        let form = block(
            random.within(0.2, 1.0),
            random.within(0.2, 1.0),
            random.within(0.2, 1.0),
        );
        let course = course(&form, random.rotation(), random.in_ball() * 3.0);
        let (angular_velocity, change) = (course.max_angular_speed(), course.fastest_change());
        let h = 1e-5;
        for i in 0..200 {
            let time = 0.1 * f64::from(i);
            assert!(course.angular_velocity_at(time).length() <= angular_velocity);
            let rate = (course.angular_velocity_at(time + h)
                - course.angular_velocity_at(time - h))
            .length()
                / (2.0 * h);
            // Differences: 1e-16/h of rounding.
            assert!(rate <= change + 1e-9);
        }
    }
}

#[test]
fn in_the_plane_the_angle_grows_evenly() {
    let square = Compound::new(vec![Convex::<Space2>::block(DVec2::ONE).unwrap()], 1.0).unwrap();
    let pose = Pose {
        position: DVec2::ZERO,
        rotation: Turn::by(0.5),
    };
    let course = RigidTrajectory::free(&square, 2.0, pose, DVec2::X, 3.0, DVec2::new(0.0, -1.0));
    let now = course.pose_at(4.0);
    assert!((now.rotation.sin - libm::sin(6.5)).abs() < 1e-15);
    assert!((now.position - DVec2::new(2.0, -2.0)).length() < 1e-15);
    assert_eq!(course.velocity_at(4.0), DVec2::new(1.0, -2.0));
}
