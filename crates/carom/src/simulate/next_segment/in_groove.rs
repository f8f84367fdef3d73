//! The way of a ball between two walls.

use super::{LAST_BOUNCE, NextSegment, SLOWLY};
use crate::arrays::Each;
use crate::body::Kind;
use crate::impact::Strikable;
use crate::motion::{Departure, Drive, FlightError};
use crate::shape::Bending;
use crate::simulate::bodies::{Bodies, BodyRef};
use crate::simulate::support::groove::{GrooveSide, Held, InGroove};
use crate::simulate::support::sliding::{self};
use crate::simulate::support::{Standing, Stretch};
use crate::simulate::trajectories::{Intent, Next, Support, Trajectories};
use crate::space::Linear;

impl<S: Strikable> Bodies<S> {
    /// The speed across walls (m/s) below which a ball stays between them, whatever their angles.
    pub fn highest_hop(&self, slot: usize) -> f64 {
        let (gravity, radius) = (self.balls.gravity.length(), self.balls.hot[slot].radius);
        (2.0 * gravity * LAST_BOUNCE * radius).sqrt()
    }

    /// What a ball between two walls needs to know about them; `None` where it cannot stay there: where they turn, or
    /// do not move together, where more than gravity acts, and in 3-D where they are not flat.
    pub fn in_groove(&self, slot: usize, walls: [u32; 2], time: f64) -> Option<InGroove<S>> {
        self.nestled_at(slot, walls, &self.departure(slot, time))
    }

    pub(super) fn nestled_at(
        &self,
        slot: usize,
        walls: [u32; 2],
        at: &Departure<S>,
    ) -> Option<InGroove<S>> {
        if !self.is_pulled_steadily(slot) || walls[0] == walls[1] {
            return None;
        }
        let mut standings = [None; 2];
        for (standing, &index) in standings.iter_mut().zip(&walls) {
            let body = &self.fixtures[index as usize].body;
            let steady = matches!(
                body.kind,
                Kind::Static | Kind::Kinematic(Drive::Uniform { .. })
            );
            let flat = S::DIMENSION == 2 || self.bending(index, at) == Bending::Flat;
            if !(steady
                && flat
                && self.fixtures[index as usize]
                    .state_at(at.time)
                    .angular_velocity
                    == S::Angular::ZERO)
            {
                return None;
            }
            *standing = Some(self.standing_at(slot, index, at)?);
        }
        let [first, second] = standings;
        let (first, second) = (first?, second?);
        if first.wall_velocity != second.wall_velocity {
            return None;
        }
        let flank = |standing: &Standing<S>| GrooveSide {
            normal: standing.normal,
            rubbing: standing.rubbing,
        };
        Some(InGroove {
            radius: first.radius,
            roundness: first.roundness,
            flanks: [flank(&first), flank(&second)],
            wall_velocity: first.wall_velocity,
            gravity: first.gravity,
            place: at.position,
            velocity: at.velocity,
            angular_velocity: at.angular_velocity,
        })
    }

    /// Whether two walls hold a ball that hardly moves across them.
    pub fn is_held_by_both(&self, in_groove: &InGroove<S>) -> bool {
        self.is_slow_across(in_groove) && !matches!(in_groove.held(), Held::By(_))
    }

    fn is_slow_across(&self, in_groove: &InGroove<S>) -> bool {
        let hop = (2.0 * in_groove.gravity.length() * LAST_BOUNCE * in_groove.radius).sqrt();
        in_groove.flanks.iter().all(|flank| {
            let across = flank
                .normal
                .dot(in_groove.velocity - in_groove.wall_velocity);
            across.abs() <= SLOWLY * hop
        })
    }

    /// Whether a ball whose bounces between two walls will be over soon is so near them, and so slow once the second
    /// has stopped it, that nothing is seen of those that are left.
    pub fn is_between(&self, slot: usize, walls: [u32; 2], time: f64) -> bool {
        let Some(mut in_groove) = self.in_groove(slot, walls, time) else {
            return false;
        };
        let normal = in_groove.flanks[1].normal;
        let across = normal.dot(in_groove.velocity - in_groove.wall_velocity);
        in_groove.velocity -= normal * across;
        let near = walls.iter().all(|&wall| {
            let (_, gap) = self.contact(slot, BodyRef::Fixture(wall), time);
            gap <= SLOWLY * SLOWLY * LAST_BOUNCE * in_groove.radius
        });
        near && self.is_slow_across(&in_groove)
    }

    /// The trajectory between two walls; where it is held by one alone, which of them.
    ///
    /// Longer than most: how it is held, and then what ends the segment, the earliest last.
    pub(super) fn segment_between(
        &self,
        slot: usize,
        walls: [u32; 2],
        settles: f64,
    ) -> Result<Result<NextSegment<S>, usize>, FlightError> {
        let since = self.balls.hot[slot].since;
        let Some(mut in_groove) = self.nestled_at(slot, walls, &self.start(slot)) else {
            return Ok(Err(0));
        };
        let trajectories = self.balls.trajectories.as_deref();
        // Where it has only just come to be between them: from there on it goes on from where it is.
        let begins = |trajectories: &&Trajectories<S>| {
            matches!(trajectories.supports[slot].intent, Intent::Nestle(..))
        };
        if let Some(halt) = trajectories
            .filter(begins)
            .and_then(|trajectories| trajectories.halts.get(&self.balls.ids[slot]))
            && !halt.also.is_empty()
            && settles == halt.time.max(since)
        {
            in_groove = in_groove.going(&halt.velocities(), since - halt.time);
        }
        let mut lets_go = None;
        let stretch = match in_groove.held() {
            Held::ByBoth(stretch) if self.is_slow_across(&in_groove) => stretch,
            Held::Askew if self.is_slow_across(&in_groove) => {
                let time = self.epoch + since;
                let (stretch, leaves) = sliding::askew(&in_groove, time, since, f64::INFINITY)?;
                lets_go = leaves.map(|wall| [Next::LeavesFirst, Next::LeavesSecond][wall]);
                stretch
            }
            Held::ByBoth(_) | Held::Askew => {
                // It leaves one of them, or is thrown against it: it stays on the one across which it is slower.
                let across = in_groove.flanks.each(|flank| {
                    flank
                        .normal
                        .dot(in_groove.velocity - in_groove.wall_velocity)
                        .abs()
                });
                return Ok(Err(usize::from(across[1] < across[0])));
            }
            Held::By(only) => return Ok(Err(only)),
        };
        let Stretch {
            regime,
            mut segment,
            turn,
        } = stretch;
        let mut next = lets_go.unwrap_or(Next::Turn(turn));
        if in_groove.along(segment.velocity_at(0.0)) != S::Vector::ZERO
            || segment.place.degree() > 1
        {
            for (index, leaves) in walls
                .into_iter()
                .zip([Next::LeavesFirst, Next::LeavesSecond])
            {
                if let Some(end) = self.end_of_feature(slot, index, &segment) {
                    segment.end = end;
                    next = leaves;
                }
            }
        }
        if settles > since && settles - since < segment.end {
            segment.end = settles - since;
            next = Next::Settles;
        }
        let support = Support {
            on: Some(walls[0]),
            also: Some(walls[1]),
            third: None,
            regime,
            next,
            settles,
            intent: Intent::Stay,
            asleep: false,
            island: None,
        };
        Ok(Ok((segment, support, 0.0)))
    }
}
