//! Contacts of balls at one instant: the law of [`several`](super::several) for bodies that are known by their contacts
//! alone.
//!
//! A ball that strikes two others at the same time must not depend on which of the two is looked at first. A contact
//! that would have to pull gives nothing: it waits, and closes later or not at all.

use super::several::{Mover, Point, simultaneous};
use super::{Mode, Response, respond};
use crate::contact::{Contact, Side};
use crate::material::Surface;
use crate::space::Space;
use std::collections::BTreeMap;

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
pub fn respond_together<S: Space>(joints: &[Joint<S>]) -> Vec<Response<S>> {
    if let [joint] = joints {
        return vec![respond(&joint.contact, &joint.surface)];
    }
    let mut movers: Vec<Mover<S>> = Vec::new();
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    let mut place = |body: usize, side: &Side<S>| {
        let mut new = || {
            movers.push(Mover::from(side));
            movers.len() - 1
        };
        // What nothing pushes back needs no other contact to know of it, and may move otherwise there.
        if side.inverse_mass > 0.0 {
            *places.entry(body).or_insert_with(new)
        } else {
            new()
        }
    };
    let point = |joint: &Joint<S>| {
        let Contact {
            point,
            normal,
            a,
            b,
        } = &joint.contact;
        Point {
            bodies: [place(joint.bodies[0], a), place(joint.bodies[1], b)],
            place: *point,
            arms: [a.arm, b.arm],
            normal: *normal,
            surface: joint.surface,
        }
    };
    let points: Vec<Point<S>> = joints.iter().map(point).collect();
    let response = |(joint, (normal, tangential, mode)): (&Joint<S>, _)| match mode {
        Mode::Idle => Response::none(),
        mode => Response::new(&joint.contact, normal, tangential, mode),
    };
    let answers = simultaneous(&movers, &points, None);
    joints.iter().zip(answers).map(response).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::Each;
    use crate::material::Law;
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
        let responses = respond_together(&joints);
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
            .iter()
            .map(|r| r.impulse.x)
            .sum();
        for friction in [0.05, 0.3, 5.0] {
            let joints = middle_hit(0.8, friction);
            let responses = respond_together(&joints);
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
            for response in respond_together(&middle_hit(0.8, 0.0)) {
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
        let together = respond_together(&[joint]);
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
        let responses = respond_together(&[struck, creeping]);
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
        let responses = respond_together(&joints);
        for i in 0..4 {
            let before = (i + 3) % 4;
            let velocity = -corners[i] + responses[i].impulse - responses[before].impulse;
            assert!(
                (velocity - corners[i]).length() < 1e-14,
                "it goes back as it came: {velocity}"
            );
        }
    }

    /// Two contacts that have nothing to do with each other are answered as each would be alone, by every law.
    #[test]
    fn every_law_is_itself_where_contacts_do_not_share_a_body() {
        for law in [Law::Coulomb, Law::Newton, Law::Course, Law::Beta] {
            for (friction, slip) in [(0.0, 0.7), (0.1, 0.7), (0.9, 0.7), (0.3, 0.0)] {
                let rough = Surface {
                    law,
                    ..surface(0.6, friction)
                };
                let closing = [DVec2::new(-1.0, slip), DVec2::ZERO];
                let first = joint([0, 1], DVec2::X, closing, rough);
                let second = joint([2, 3], DVec2::X, closing, rough);
                let together = respond_together(&[first, second]);
                let alone = respond(&first.contact, &first.surface);
                for response in together {
                    // Iterations end at 1e-15 of the largest impulse, which is 0.8 kg·m/s.
                    let off = (response.impulse - alone.impulse).length();
                    assert!(
                        off < 4e-15,
                        "{law:?} {friction}: {response:?}, alone {alone:?}"
                    );
                }
            }
        }
    }

    /// The course's law and β in a symmetric blow: mirror images, and no energy from nowhere.
    #[test]
    fn other_laws_are_symmetric_and_take_energy() {
        for law in [Law::Newton, Law::Course, Law::Beta] {
            for restitution in [0.0, 0.2, 0.7, 1.0] {
                let mut joints = middle_hit(restitution, 0.3);
                joints.iter_mut().for_each(|joint| joint.surface.law = law);
                let responses = respond_together(&joints);
                let [up, down] = [responses[0].impulse, responses[1].impulse];
                assert!((up - DVec2::new(down.x, -down.y)).length() < 1e-14);
                let energy = |velocity: DVec2, angular_velocity: f64| {
                    0.5 * velocity.length_squared()
                        + 0.5 * angular_velocity * angular_velocity / 8.0
                };
                let mut after = energy(DVec2::X + up + down, 0.0);
                for response in &responses {
                    after += energy(-response.impulse, 8.0 * response.angular_b);
                }
                assert!(
                    after <= 0.5 * (1.0 + 1e-14),
                    "{law:?} {restitution}: {after} J"
                );
            }
        }
    }
}
