//! Several contacts at one instant, answered together.
//!
//! A ball that strikes two others at the same time must not depend on which of the two is looked at first. With `v` the
//! normal velocities of the contacts before, λ ≥ 0 their normal impulses and `A` the matrix that turns impulses into
//! changes of normal velocity (`A = J M⁻¹ Jᵀ`, symmetric and never negative), Newton's restitution asks of each contact
//!
//! ```text
//! v + A λ = −ε v    where λ > 0.
//! ```
//!
//! A contact that would have to pull, λ < 0, is dropped: it waits, and closes later or not at all. All that would have
//! to pull are dropped at once, so that mirror images are treated alike. The energy changes by `½ Σ λ (1 − ε) v`, which
//! is never positive for ε ≤ 1, since each v is negative.
//!
//! Contacts may be redundant (a ring of touching balls): then λ is not unique, but the velocities after are, and the
//! solution of least size is taken, which is symmetric where the contacts are.
//!
//! Friction comes second: with the normal impulses known, the tangential ones are those that leave the least kinetic
//! energy within `|τ| ≤ μ λ` (the principle of greatest dissipation), so that energy cannot grow by them either. They
//! may make contacts approach again; those are found again, at the same instant.

use super::{Mode, Response, coulomb, respond};
use crate::arrays::Each;
use crate::contact::{Contact, Side};
use crate::material::{Law, Surface};
use crate::space::{Linear, Space};
use std::collections::{BTreeMap, BTreeSet};

/// One of several contacts at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Joint<S: Space> {
    /// With the velocities before.
    pub contact: Contact<S>,
    /// What the two materials are to each other.
    pub surface: Surface,
    /// Which bodies *a* and *b* are; joints with the same number share the body.
    pub bodies: [usize; 2],
}

/// The responses of contacts that close at the same instant, in their order.
///
/// `None` where one of the laws is not Coulomb's: the others are defined for one contact at a time.
pub fn respond_together<S: Space>(joints: &[Joint<S>]) -> Option<Vec<Response<S>>> {
    if let [joint] = joints {
        return Some(vec![respond(&joint.contact, &joint.surface)]);
    }
    if joints.iter().any(|joint| joint.surface.law != Law::Coulomb) {
        return None;
    }
    let linked = links(joints);
    let normals = normal_impulses(joints, &linked);
    let tangential = tangential_impulses(joints, &linked, &normals);
    Some(
        joints
            .iter()
            .zip(normals.iter().zip(tangential))
            .map(|(joint, (&normal, (tangential, mode)))| {
                if normal > 0.0 {
                    Response::new(&joint.contact, normal, tangential, mode)
                } else {
                    Response::none()
                }
            })
            .collect(),
    )
}

/// The two sides of a joint, with the sign that an impulse has on them.
fn sides<S: Space>(joint: &Joint<S>) -> [(usize, f64, &Side<S>); 2] {
    let [a, b] = joint.bodies;
    [(a, 1.0, &joint.contact.a), (b, -1.0, &joint.contact.b)]
}

/// For each joint those that share a body with it that can move, itself included, in their order.
fn links<S: Space>(joints: &[Joint<S>]) -> Vec<Vec<usize>> {
    let movable = |side: &Side<S>| side.inverse_mass > 0.0;
    let mut at: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, joint) in joints.iter().enumerate() {
        for (body, _, _) in sides(joint).into_iter().filter(|(_, _, s)| movable(s)) {
            at.entry(body).or_default().push(index);
        }
    }
    let linked = |joint: &Joint<S>| -> BTreeSet<usize> {
        let bodies = joint.bodies.iter().filter_map(|body| at.get(body));
        bodies.flatten().copied().collect()
    };
    joints
        .iter()
        .map(|joint| linked(joint).into_iter().collect())
        .collect()
}

/// How much an impulse on `from` changes the relative velocity at `at`, m/s.
fn effect<S: Space>(
    at: &Joint<S>,
    from: &Joint<S>,
    impulse: S::Vector,
    along_normal: bool,
) -> S::Vector {
    let mut change = S::Vector::ZERO;
    for (body, sign, side) in sides(from) {
        for (other, other_sign, probe) in sides(at) {
            if body != other {
                continue;
            }
            change += impulse * (sign * other_sign * side.inverse_mass);
            // A normal impulse through the centre turns nothing, not even by a rounding error.
            if !(along_normal && from.contact.is_through_centre(side)) {
                let angular_velocity =
                    S::angular_response(side.inverse_inertia, S::torque(side.arm, impulse));
                change += S::surface_velocity(angular_velocity, probe.arm) * (sign * other_sign);
            }
        }
    }
    change
}

/// λ ≥ 0 of each joint, kg·m/s.
fn normal_impulses<S: Space>(joints: &[Joint<S>], linked: &[Vec<usize>]) -> Vec<f64> {
    let count = joints.len();
    let mut matrix = vec![0.0; count * count];
    for (i, at) in joints.iter().enumerate() {
        for &k in &linked[i] {
            let from = &joints[k];
            matrix[i * count + k] =
                at.contact
                    .normal
                    .dot(effect(at, from, from.contact.normal, true));
        }
    }
    let wanted: Vec<f64> = joints
        .iter()
        .map(|joint| -(1.0 + joint.surface.restitution) * joint.contact.normal_velocity())
        .collect();
    let mut active: Vec<usize> = (0..count)
        .filter(|&i| joints[i].contact.is_approaching())
        .collect();
    let mut impulses = vec![0.0; count];
    loop {
        let solution = least_solution(&matrix, count, &wanted, &active);
        let largest = solution
            .iter()
            .fold(0.0, |largest: f64, x| largest.max(x.abs()));
        // Below a rounding of the largest an impulse is as good as none.
        let pushes = |x: f64| x > -1e-13 * largest;
        if solution.iter().all(|&x| pushes(x)) {
            for (&index, &value) in active.iter().zip(&solution) {
                impulses[index] = value.max(0.0);
            }
            return impulses;
        }
        let kept = active
            .iter()
            .zip(&solution)
            .filter(|&(_, &value)| pushes(value));
        active = kept.map(|(&index, _)| index).collect();
    }
}

/// The solution of least size of the rows and columns `active` of a symmetric system that may be singular.
///
/// A hair is added to the diagonal to make it solvable, and taken back by refinement: each round leaves of the error a
/// share of the hair over the eigenvalue, so a few are enough for all but the null space, where the solution stays
/// zero.
fn least_solution(matrix: &[f64], count: usize, wanted: &[f64], active: &[usize]) -> Vec<f64> {
    let size = active.len();
    let entry = |i: usize, k: usize| matrix[active[i] * count + active[k]];
    let hair = 1e-8 * (0..size).map(|i| entry(i, i)).fold(0.0, f64::max);
    // Cholesky's factor, row by row. Each begins where the row of the matrix does: most contacts have nothing to do
    // with each other.
    let begins: Vec<usize> = (0..size)
        .map(|i| (0..i).find(|&k| entry(i, k) != 0.0).unwrap_or(i))
        .collect();
    let mut factor = vec![0.0; size * size];
    for i in 0..size {
        for k in begins[i]..=i {
            let known: f64 = (begins[i].max(begins[k])..k)
                .map(|j| factor[i * size + j] * factor[k * size + j])
                .sum();
            let rest = entry(i, k) - known + if i == k { hair } else { 0.0 };
            factor[i * size + k] = if i == k {
                rest.max(hair).sqrt()
            } else {
                rest / factor[k * size + k]
            };
        }
    }
    let solve = |right: &mut [f64]| {
        for i in 0..size {
            let known: f64 = (begins[i]..i)
                .map(|j| factor[i * size + j] * right[j])
                .sum();
            right[i] = (right[i] - known) / factor[i * size + i];
        }
        for i in (0..size).rev() {
            let known: f64 = (i + 1..size).map(|j| factor[j * size + i] * right[j]).sum();
            right[i] = (right[i] - known) / factor[i * size + i];
        }
    };
    let mut solution = vec![0.0; size];
    for _ in 0..6 {
        let mut rest: Vec<f64> = (0..size)
            .map(|i| wanted[active[i]] - (0..size).map(|k| entry(i, k) * solution[k]).sum::<f64>())
            .collect();
        solve(&mut rest);
        solution
            .iter_mut()
            .zip(&rest)
            .for_each(|(x, step)| *x += step);
    }
    solution
}

/// The tangential impulses that leave the least kinetic energy, kg·m/s, and what the friction did.
///
/// By projected steepest descent from zero: every round lowers the energy, and treats all joints alike.
fn tangential_impulses<S: Space>(
    joints: &[Joint<S>],
    linked: &[Vec<usize>],
    normals: &[f64],
) -> Vec<(S::Vector, Mode)> {
    let count = joints.len();
    let mut impulses = vec![S::Vector::ZERO; count];
    if joints
        .iter()
        .all(|joint| coulomb::is_frictionless(&joint.surface))
    {
        return impulses
            .into_iter()
            .map(|zero| (zero, Mode::Frictionless))
            .collect();
    }
    let slip_after_normals: Vec<S::Vector> = joints
        .iter()
        .zip(linked)
        .map(|(at, linked)| {
            let before = at.contact.relative_velocity();
            let pushed = linked.iter().fold(before, |velocity, &k| {
                let impulse = joints[k].contact.normal * normals[k];
                velocity + effect(at, &joints[k], impulse, true)
            });
            at.contact.tangential(pushed)
        })
        .collect();
    // The step of steepest descent: the reciprocal of a bound on the largest eigenvalue, the largest sum of a row.
    let softness = |(at, linked): (&Joint<S>, &Vec<usize>)| -> f64 {
        let from = linked.iter().map(|&k| &joints[k]);
        from.map(|from| effect(at, from, tangent(&from.contact), false).length())
            .sum::<f64>()
    };
    let step = 0.5
        / joints
            .iter()
            .zip(linked)
            .map(softness)
            .fold(f64::MIN_POSITIVE, f64::max);
    let mut limits: Vec<f64> = joints
        .iter()
        .zip(normals)
        .map(|(j, &n)| j.surface.static_friction * n)
        .collect();
    // First with what friction can hold; then those that slide, with what it does when it slides.
    for round in 0..2 {
        descend(
            joints,
            linked,
            &slip_after_normals,
            (&limits, step),
            &mut impulses,
        );
        if round == 0 {
            for ((limit, impulse), (joint, &normal)) in limits
                .iter_mut()
                .zip(&impulses)
                .zip(joints.iter().zip(normals))
            {
                if impulse.length() >= *limit * (1.0 - 1e-12) {
                    *limit = joint.surface.kinetic_friction * normal;
                }
            }
        }
    }
    impulses
        .into_iter()
        .zip(limits)
        .map(|(impulse, limit)| {
            if impulse.length() < limit * (1.0 - 1e-12) {
                (impulse, Mode::Stick)
            } else {
                (impulse, Mode::Slide)
            }
        })
        .collect()
}

/// Steps down, each impulse within its limit, until nothing moves any more.
fn descend<S: Space>(
    joints: &[Joint<S>],
    linked: &[Vec<usize>],
    slip_after_normals: &[S::Vector],
    (limits, step): (&[f64], f64),
    impulses: &mut [S::Vector],
) {
    for _ in 0..2000 {
        let mut moved = 0.0_f64;
        let slips: Vec<S::Vector> = joints
            .iter()
            .zip(linked)
            .zip(slip_after_normals)
            .map(|((at, linked), &slip)| {
                let pushed = linked.iter().fold(slip, |velocity, &k| {
                    velocity + effect(at, &joints[k], impulses[k], false)
                });
                at.contact.tangential(pushed)
            })
            .collect();
        for ((impulse, slip), &limit) in impulses.iter_mut().zip(slips).zip(limits) {
            let free = *impulse - slip * step;
            let size = free.length();
            let next = if size > limit {
                free * (limit / size)
            } else {
                free
            };
            moved = moved.max((next - *impulse).length());
            *impulse = next;
        }
        let largest = impulses
            .iter()
            .map(|impulse| impulse.length())
            .fold(0.0, f64::max);
        if moved <= 1e-15 * largest {
            break;
        }
    }
}

/// Some unit vector across the normal.
fn tangent<S: Space>(contact: &Contact<S>) -> S::Vector {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].each(|axis| contact.tangential(S::vector(axis)));
    let longest = if axes[0].length_squared() >= axes[1].length_squared() {
        axes[0]
    } else {
        axes[1]
    };
    longest.unit().unwrap_or(S::Vector::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Space2;
    use glam::DVec2;

    fn disc(velocity: DVec2, arm: DVec2) -> Side<Space2> {
        Side {
            inverse_mass: 1.0,
            inverse_inertia: 8.0,
            velocity,
            angular_velocity: 0.0,
            arm,
        }
    }

    fn joint(
        bodies: [usize; 2],
        normal: DVec2,
        velocities: [DVec2; 2],
        surface: Surface,
    ) -> Joint<Space2> {
        let contact = Contact {
            point: DVec2::ZERO,
            normal,
            a: disc(velocities[0], -normal * 0.5),
            b: disc(velocities[1], normal * 0.5),
        };
        Joint {
            contact,
            surface,
            bodies,
        }
    }

    fn surface(restitution: f64, friction: f64) -> Surface {
        Surface {
            restitution,
            static_friction: friction,
            kinetic_friction: friction,
            law: Law::Coulomb,
            ..Surface::default()
        }
    }

    /// Two discs that touch, struck in their middle by a third: the textbook's "billiard of three".
    fn middle_hit(restitution: f64, friction: f64) -> [Joint<Space2>; 2] {
        let (s, c) = (0.5, 0.75_f64.sqrt());
        let velocity = DVec2::new(1.0, 0.0);
        // The normals point into the striking disc, out of the two at ±30°.
        [DVec2::new(-c, -s), DVec2::new(-c, s)]
            .into_iter()
            .zip([1, 2])
            .map(|(normal, other)| {
                joint(
                    [0, other],
                    normal,
                    [velocity, DVec2::ZERO],
                    surface(restitution, friction),
                )
            })
            .collect::<Vec<_>>()
            .try_into()
            .unwrap()
    }

    #[test]
    fn two_struck_at_once_share_alike() {
        let joints = middle_hit(1.0, 0.0);
        let responses = respond_together(&joints).unwrap();
        let striker = DVec2::new(1.0, 0.0) + responses[0].impulse + responses[1].impulse;
        // Momentum and energy leave −1/5 for the striker and 2√3/5 for each of the two.
        assert!(
            (striker - DVec2::new(-0.2, 0.0)).length() < 1e-15,
            "{striker}"
        );
        for (response, side) in responses.iter().zip([0.5, -0.5]) {
            let expected = DVec2::new(0.75_f64.sqrt(), side) * (2.0 * 3.0_f64.sqrt() / 5.0);
            assert!(
                (-response.impulse - expected).length() < 1e-15,
                "{response:?}"
            );
        }
    }

    #[test]
    fn friction_together_is_symmetric_and_only_takes_energy() {
        let smooth: f64 = respond_together(&middle_hit(0.8, 0.0))
            .unwrap()
            .iter()
            .map(|r| r.impulse.x)
            .sum();
        for friction in [0.05, 0.3, 5.0] {
            let joints = middle_hit(0.8, friction);
            let responses = respond_together(&joints).unwrap();
            let [up, down] = [responses[0].impulse, responses[1].impulse];
            assert!((up - DVec2::new(down.x, -down.y)).length() < 1e-14);
            assert!(responses[0].angular_a + responses[1].angular_a < 1e-14);
            let energy = |velocity: DVec2, angular_velocity: f64| {
                0.5 * velocity.length_squared() + 0.5 * angular_velocity * angular_velocity / 8.0
            };
            let mut after = energy(DVec2::new(1.0, 0.0) + up + down, 0.0);
            for response in &responses {
                after += energy(-response.impulse, 8.0 * response.angular_b);
            }
            let mut without = energy(DVec2::new(1.0 + smooth, 0.0), 0.0);
            for response in respond_together(&middle_hit(0.8, 0.0)).unwrap() {
                without += energy(response.impulse, 0.0);
            }
            assert!(
                after < without,
                "{after} against {without} at friction {friction}"
            );
        }
    }

    #[test]
    fn one_contact_is_answered_as_ever() {
        let [joint, _] = middle_hit(0.7, 0.2);
        let together = respond_together(&[joint]).unwrap();
        assert_eq!(together, [respond(&joint.contact, &joint.surface)]);
    }

    #[test]
    fn a_contact_that_would_have_to_pull_waits() {
        // Disc 0 strikes disc 1 from the left; disc 2 creeps up on disc 1 from the lower left. The strike takes disc 1
        // away from disc 2 much faster than a rebound would: that contact would have to hold it back.
        let struck = joint([1, 0], DVec2::X, [DVec2::ZERO, DVec2::X], surface(1.0, 0.0));
        let below = DVec2::new(0.6, 0.8);
        let creeping = joint(
            [1, 2],
            below,
            [DVec2::ZERO, below * 0.01],
            surface(1.0, 0.0),
        );
        let responses = respond_together(&[struck, creeping]).unwrap();
        assert_eq!(responses[1], Response::none());
        assert!(
            (responses[0].impulse - DVec2::X).length() < 1e-15,
            "{:?}",
            responses[0]
        );
    }

    #[test]
    fn a_ring_of_redundant_contacts_is_solved() {
        // Four discs at the corners of a square, all moving inwards: each touches two others.
        let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
            .each(|(x, y)| DVec2::new(x, y) * 0.5);
        let joints: Vec<_> = (0..4)
            .map(|i| {
                let next = (i + 1) % 4;
                let normal = corners[i] - corners[next];
                joint(
                    [i, next],
                    normal,
                    [-corners[i], -corners[next]],
                    surface(1.0, 0.0),
                )
            })
            .collect();
        let responses = respond_together(&joints).unwrap();
        for i in 0..4 {
            let before = (i + 3) % 4;
            let velocity = -corners[i] + responses[i].impulse - responses[before].impulse;
            assert!(
                (velocity - corners[i]).length() < 1e-14,
                "it goes back as it came: {velocity}"
            );
        }
    }

    #[test]
    fn other_laws_are_for_one_contact_at_a_time() {
        let mut joints = middle_hit(1.0, 0.0);
        joints[0].surface.law = Law::Beta;
        assert_eq!(respond_together(&joints), None);
    }
}
