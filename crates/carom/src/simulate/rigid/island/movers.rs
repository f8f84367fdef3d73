//! The members of an island and those that they touch, as the solver knows them.

use super::{Hold, Island, Spot};
use crate::response::several::Mover;
use crate::shape::Shaped;
use crate::simulate::contact_solver::Row;
use crate::simulate::rigid::bodies::{RigidBodyRef, RigidWorld};
use crate::simulate::rigid::core::Core;
use crate::space::{Linear, Space};

/// The members of an island as the solver sees them, and the fixtures that they touch.
pub(super) struct Movers<S: Space> {
    pub(super) movers: Vec<Mover<S>>,
    props: Vec<u32>,
    pub(super) members: usize,
}

/// Which of the members a body is: holds are between members and what they touch.
pub(super) fn index_of(members: &[u32], slot: u32) -> u32 {
    members.binary_search(&slot).unwrap_or_default() as u32
}

impl<S: Shaped> Movers<S> {
    /// As they are at a time `t`; fixtures that move as they did in the mean since another, but where they have come to
    /// a corner of their motion at once: that is an impact.
    pub(super) fn new(
        core: &Core<S>,
        stage: &RigidWorld<S>,
        island: &Island<S>,
        (since, t): (f64, f64),
    ) -> Self {
        let of = |&slot: &u32| core.mover(stage, RigidBodyRef::Body(slot), t);
        let mut movers: Vec<Mover<S>> = island.members.iter().map(of).collect();
        let mut props: Vec<u32> = (island.holds.iter())
            .filter_map(|hold| match hold.other {
                RigidBodyRef::Fixture(index) => Some(index),
                RigidBodyRef::Body(_) => None,
            })
            .collect();
        props.sort_unstable();
        props.dedup();
        let fixture = |&index: &u32| {
            let prop = &stage.props[index as usize];
            let corner = prop.next_corner(since) <= t;
            let (velocity, angular_velocity) = prop.mean_motion(if corner { t } else { since }, t);
            Mover {
                velocity,
                angular_velocity,
                ..Mover::fixed()
            }
        };
        let members = movers.len();
        movers.extend(props.iter().map(fixture));
        Movers {
            movers,
            props,
            members,
        }
    }

    /// Lets fixtures move as they do in the mean from one time to another: what that changes in a half of a step is
    /// like what gravity gives in it.
    pub(super) fn lead_fixtures(&mut self, stage: &RigidWorld<S>, (t, end): (f64, f64)) {
        for (&index, mover) in self.props.iter().zip(&mut self.movers[self.members..]) {
            let motion = stage.props[index as usize].mean_motion(t, end);
            (mover.velocity, mover.angular_velocity) = motion;
        }
    }

    fn index(&self, island: &Island<S>, partner: RigidBodyRef) -> u32 {
        let found = match partner {
            RigidBodyRef::Body(slot) => return index_of(&island.members, slot),
            RigidBodyRef::Fixture(index) => {
                (self.props.binary_search(&index)).map(|found| found + self.members)
            }
        };
        found.unwrap_or_default() as u32
    }

    /// The rows of the spots that are wanted, with which hold and spot each is.
    pub(super) fn rows(
        &self,
        core: &Core<S>,
        stage: &RigidWorld<S>,
        island: &Island<S>,
        t: f64,
        wanted: impl Fn(&Spot<S>) -> bool,
    ) -> (Vec<Row<S>>, Vec<(usize, usize)>) {
        let (mut rows, mut whose) = (Vec::new(), Vec::new());
        for (h, hold) in island.holds.iter().enumerate() {
            let bodies = [
                self.index(island, RigidBodyRef::Body(hold.a)),
                self.index(island, hold.other),
            ];
            let centres = [RigidBodyRef::Body(hold.a), hold.other]
                .map(|partner| core.pose_of(stage, partner, t).position);
            let surface = stage.surface(hold.a, hold.other);
            let friction = [surface.static_friction, surface.kinetic_friction];
            let levers = stage.levers(hold.a, hold.other, &surface);
            for (s, spot) in hold.spots.iter().enumerate() {
                if !wanted(spot) {
                    continue;
                }
                let arms = centres.map(|centre| stage.nearest(spot.place - centre));
                let mut row = Row::new(bodies, arms, spot.normal, friction, &self.movers)
                    .with_levers(levers, &self.movers);
                row.slides = spot.slides;
                rows.push(row);
                whose.push((h, s));
            }
        }
        (rows, whose)
    }
}

/// The acceleration of the first relative to the second at a point by which it leaves the straight line, because bodies
/// with corners turn: second order in a step, along the normal and across it.
pub(super) fn bent<S: Shaped>(
    stage: &RigidWorld<S>,
    hold: &Hold<S>,
    row: &Row<S>,
    movers: &[Mover<S>],
) -> S::Vector {
    let of = |side: usize, partner: RigidBodyRef| match partner {
        RigidBodyRef::Body(slot) if stage.inert[slot as usize].sharp => {
            let spin = movers[row.bodies[side] as usize].angular_velocity;
            S::surface_velocity(spin, S::surface_velocity(spin, row.arms[side]))
        }
        _ => S::Vector::ZERO,
    };
    of(0, RigidBodyRef::Body(hold.a)) - of(1, hold.other)
}
