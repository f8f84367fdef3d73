//! What is told of a blow, and what begins or lasts after it.

use super::party::Party;
use super::{Pair, acting, row_of};
use crate::record::{Collision, Velocities};
use crate::response::Mode;
use crate::response::several::{Mover, Point, PointImpulse};
use crate::shape::Shaped;
use crate::simulate::contact_solver::{Row, rounds};
use crate::simulate::rigid::bodies::{RigidBodyRef, RigidWorld};
use crate::simulate::rigid::core::Core;
use crate::simulate::rigid::island::Spot;
use crate::simulate::rigid::joined::Bound;
use crate::simulate::rigid::sticking::Beginning;
use crate::space::Linear;
use std::collections::BTreeMap;

impl<S: Shaped> Core<S> {
    /// How long a contact lasts in which two bodies travel in sticking, s: that of one pair alone, neither of which
    /// keeps touching others, or settles.
    pub(super) fn lasts(
        &self,
        stage: &RigidWorld<S>,
        party: &Party,
        pairs: &[Pair<S>],
        told: &[Collision<S>],
        velocities: &BTreeMap<u32, Mover<S>>,
        t: f64,
    ) -> Option<f64> {
        let ([pair], [_]) = (pairs, told) else {
            return None;
        };
        let lasts = pair.surface.contact_duration;
        let straight = match pair.other {
            RigidBodyRef::Fixture(index) => {
                stage.props[index as usize].leads_straight((t, t + lasts))
            }
            RigidBodyRef::Body(_) => true,
        };
        let alone = party.islands.is_empty() && straight;
        if lasts <= 0.0 || !alone || !self.is_separated(stage, pair, t) {
            return None;
        }
        let mover = |partner: RigidBodyRef| match partner {
            RigidBodyRef::Body(slot) => velocities.get(&slot).copied(),
            RigidBodyRef::Fixture(_) => None,
        };
        let parts = |spot: &Spot<S>| {
            let at = |partner: RigidBodyRef| {
                let arm = stage.nearest(spot.place - self.pose_of(stage, partner, t).position);
                let mover = mover(partner).unwrap_or_else(|| self.mover(stage, partner, t));
                mover.velocity_at(arm)
            };
            spot.normal
                .dot(at(RigidBodyRef::Body(pair.a)) - at(pair.other))
        };
        let settles = stage.slow > 0.0 && {
            let slow = stage.slow_for(pair.surface.restitution);
            pair.spots.iter().all(|spot| parts(spot) <= slow)
        };
        (!settles).then_some(lasts)
    }

    /// Whether the plane of contact has a body on the one side and a fixture on the other: then the body cannot come to
    /// overlap while it slides along that plane. A body of several parts may reach past the end of a face, or be struck
    /// by another part of the fixture.
    fn is_separated(&self, stage: &RigidWorld<S>, pair: &Pair<S>, t: f64) -> bool {
        let sides = [RigidBodyRef::Body(pair.a), pair.other];
        if matches!(pair.other, RigidBodyRef::Body(_))
            || sides.iter().all(|&it| stage.form_of(it).parts().len() == 1)
        {
            return true;
        }
        let Some(spot) = pair.spots.first() else {
            return true;
        };
        let within = 1e-6 * stage.inert[pair.a as usize].reach;
        sides.into_iter().zip([-1.0, 1.0]).all(|(side, sign)| {
            let pose = self.pose_of(stage, side, t);
            let direction = spot.normal * sign;
            let own = S::unrotate(pose.rotation, direction);
            let most = direction.dot(spot.place - pose.position) + within;
            let parts = stage.form_of(side).parts();
            // A single part that has no end is what the plane is of.
            parts.len() == 1 || parts.iter().all(|part| part.reach_along(own) <= most)
        })
    }

    pub(super) fn beginning(
        &self,
        stage: &RigidWorld<S>,
        pair: &Pair<S>,
        told: &Collision<S>,
        (time, number): (f64, u64),
    ) -> Beginning<S> {
        let surface_velocity = match pair.other {
            RigidBodyRef::Fixture(index) => {
                stage.props[index as usize].velocity_at(told.point, time)
            }
            RigidBodyRef::Body(_) => S::Vector::ZERO,
        };
        Beginning {
            pair: (pair.a, pair.other),
            normal: told.normal,
            surface_velocity,
            after: told.after,
            number,
            time,
            lasts: told.duration,
        }
    }

    /// Stops what closes slowly at the points of all pairs, without rebound; whether there was anything to stop.
    pub(super) fn calm(
        &mut self,
        stage: &RigidWorld<S>,
        pairs: &[Pair<S>],
        points: &[Vec<Point<S>>],
        (movers, bound): (&mut [Mover<S>], &mut Option<Bound<S>>),
    ) -> bool {
        let noise = pairs
            .iter()
            .map(|pair| self.noise(pair.a))
            .fold(0.0, f64::max);
        let noise = noise.max(stage.still);
        let all = || points.iter().flatten();
        if all().all(|point| -point.normal_velocity(movers) <= noise) {
            return false;
        }
        let mut rows: Vec<Row<S>> = all().map(|point| row_of(point, movers)).collect();
        let before = movers.to_vec();
        let most = rounds(stage.settling.iterations, rows.len());
        self.solve_blow(&mut rows, movers, bound, (0.5 * noise, most));
        let whose = pairs
            .iter()
            .zip(points)
            .flat_map(|(pair, points)| points.iter().map(move |p| (pair, p)));
        for (row, (pair, point)) in rows.iter().zip(whose) {
            let pair = (pair.a, pair.other);
            self.enter_stop(stage, pair, (row, point), (&before, movers));
        }
        true
    }

    /// Enters an impact of a pair into the budget, and describes it.
    pub(super) fn told(
        &mut self,
        stage: &RigidWorld<S>,
        pair: &Pair<S>,
        (points, blows): (&[Point<S>], &[PointImpulse<S>]),
        (before, after): (&[Mover<S>], &[Mover<S>]),
        t: f64,
    ) -> Collision<S> {
        let mut impulse = S::Vector::ZERO;
        let (mut place, mut weight) = (S::Vector::ZERO, 0.0);
        let (mut lost, mut friction) = (0.0, 0.0);
        let mut mode = Mode::Idle;
        let mut hardest = 0.0;
        let (mut gap, mut approach_speed) = (f64::INFINITY, f64::NEG_INFINITY);
        for ((point, blow), spot) in points.iter().zip(blows).zip(&pair.spots) {
            impulse += blow.impulse;
            let pressed = point.normal.dot(blow.impulse).max(0.0);
            place += point.place * pressed;
            weight += pressed;
            lost += blow.energy_lost;
            friction += blow.lost_to_friction;
            gap = gap.min(spot.gap);
            approach_speed = approach_speed.max(-point.normal_velocity(before));
            if pressed > hardest {
                (hardest, mode) = (pressed, blow.mode);
            }
            acting(point, blow.impulse, before).enter_from_outside(
                stage,
                (pair.a, pair.other),
                &mut self.ledger,
            );
        }
        let costs = match pair.other {
            RigidBodyRef::Body(_) => &mut self.ledger.between_balls,
            RigidBodyRef::Fixture(_) => &mut self.ledger.with_fixtures,
        };
        let bumper = pair.surface.restitution > 1.0;
        costs.enter(lost - friction, friction, bumper);
        self.ledger.gap(gap);
        let velocities = |movers: &[Mover<S>]| {
            points[0].bodies.map(|body| Velocities {
                velocity: movers[body].velocity,
                angular_velocity: movers[body].angular_velocity,
            })
        };
        Collision {
            number: 0,
            time: t,
            a: stage.inert[pair.a as usize].id,
            b: stage.id_of(pair.other),
            point: if weight > 0.0 {
                place * (1.0 / weight)
            } else {
                points[0].place
            },
            normal: points[0].normal,
            impulse,
            mode,
            before: velocities(before),
            after: velocities(after),
            energy_lost: lost,
            lost_to_friction: friction,
            gap,
            approach_speed,
            duration: 0.0,
        }
    }

    /// Whether a crowd is struck, whose steps put right what a blow leaves.
    pub(super) fn is_crowd(&self, stage: &RigidWorld<S>, party: &Party) -> bool {
        let islands = party.islands.iter();
        let mut islands = islands.flat_map(|&id| &self.islands[id as usize]);
        S::DIMENSION == 2 && stage.slow > 0.0 && islands.any(|island| island.crowd)
    }

    /// Below which closing speed a pair keeps touching, m/s.
    pub(super) fn slow_for_pair(&self, stage: &RigidWorld<S>, pair: &Pair<S>, t: f64) -> f64 {
        let of = |spot: &Spot<S>| {
            let place = (spot.place, spot.normal);
            self.slow_at(
                stage,
                (pair.a, pair.other),
                place,
                pair.surface.restitution,
                t,
            )
        };
        let least = stage.slow_for(pair.surface.restitution);
        pair.spots.iter().map(of).fold(least, f64::max)
    }

    /// Whether a pair neither closes nor parts to speak of.
    pub(super) fn keeps_touching(&self, stage: &RigidWorld<S>, pair: &Pair<S>, t: f64) -> bool {
        let limit = self.slow_for_pair(stage, pair, t).max(self.noise(pair.a));
        let slow = |spot: &Spot<S>| self.closing(stage, pair.a, pair.other, spot, t) >= -limit;
        pair.spots.iter().all(slow)
    }
}
