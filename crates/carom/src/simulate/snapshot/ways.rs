//! The ways of balls in a snapshot: what they lie on, what they are about to do, and which stick together.

use super::Flying;
use crate::body::Kind;
use crate::codec::{Reader, SnapshotError, Stored, invalid};
use crate::impact::Strikable;
use crate::motion::{Curve, TrajectorySegment};
use crate::shape::Shaped;
use crate::simulate::bodies::{Bodies, NOWHERE};
use crate::simulate::trajectories::{Intent, PredictedSettling, Support, Supports, Trajectories};
use crate::simulate::trajectories::{StickingBall, StickingPartner};
use crate::space::{Linear, Space};
use crate::world::{BodyId, World};
use std::collections::BTreeMap;

impl Stored for Support {
    fn store(&self, out: &mut Vec<u8>) {
        self.on.store(out);
        self.also.store(out);
        self.third.store(out);
        self.regime.store(out);
        self.next.store(out);
        self.settles.store(out);
        self.asleep.store(out);
        self.island.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(Support {
            on: Stored::load(input)?,
            also: Stored::load(input)?,
            third: Stored::load(input)?,
            regime: Stored::load(input)?,
            next: Stored::load(input)?,
            settles: f64::load(input)?,
            asleep: Stored::load(input)?,
            island: Stored::load(input)?,
            // Between two events no ball has any other.
            intent: Intent::Stay,
        })
    }
}

/// Gives the balls of a stage, which are in the order of their bodies still, their flights.
pub(super) fn put_back<S: Shaped>(
    stage: &mut Bodies<S>,
    world: &World<S>,
    flying: &[Flying<S>],
    clock: f64,
) -> Result<(), SnapshotError> {
    let balls = &mut stage.balls;
    for (slot, flight) in flying.iter().enumerate() {
        // Beyond the side of a box by a rounding error it stays where it was.
        let body = world.body(balls.ids[slot]);
        balls.hot[slot].position = body.pose.position;
        if let Kind::Free(free) = &body.kind {
            balls.hot[slot].velocity = free.velocity;
        }
        if !(flight.since <= clock && flight.since.is_finite()) {
            return invalid("a ball's own time is not in the past");
        }
        balls.hot[slot].since = flight.since;
        match (flight.images, balls.images.get_mut(slot)) {
            (Some(images), Some(place)) => *place = images,
            (None, None) => (),
            _ => return invalid("a ball has left a box that there is not"),
        }
    }
    Ok(())
}

/// Puts the balls of a stage, which are in the order of their bodies still, on their trajectory segments, if they are
/// on segments.
pub(super) fn give_ways<S: Shaped>(
    stage: &mut Bodies<S>,
    flying: Vec<Flying<S>>,
) -> Result<(), SnapshotError> {
    let (ways, hints): (Vec<(TrajectorySegment<S>, Support)>, Vec<f64>) =
        flying.into_iter().filter_map(|flying| flying.way).unzip();
    if ways.is_empty() {
        return Ok(());
    }
    let fits = |(segment, support): &(TrajectorySegment<S>, Support)| {
        let exists = |index: u32| (index as usize) < stage.fixtures.len();
        let on = support.on.is_none_or(exists)
            && support.also.is_none_or(exists)
            && support.third.is_none_or(exists)
            && (support.also.is_none() || support.on.is_some())
            && (support.third.is_none() || support.also.is_some());
        on && !segment.end.is_nan() && segment.end >= 0.0 && !support.settles.is_nan()
    };
    if ways.len() != stage.balls.len() || !ways.iter().all(fits) {
        return invalid("balls are on impossible trajectories");
    }
    let balls = &stage.balls;
    let segments = (ways.iter().enumerate())
        .map(|(slot, (segment, _))| (*segment != balls.flight_of(slot)).then(|| Box::new(*segment)))
        .collect();
    let supports = Supports::new(ways.into_iter().map(|(_, support)| support).collect());
    stage.balls.trajectories = Some(Box::new(Trajectories {
        segments,
        supports,
        hints,
        made: 0,
        islands: Default::default(),
        sticking: BTreeMap::new(),
        halts: BTreeMap::new(),
        corners: BTreeMap::new(),
        rigids: None,
    }));
    stage.balls.falling = true;
    Ok(())
}

/// Lets balls travel together that did.
pub(super) fn put_together<S: Strikable>(
    stage: &mut Bodies<S>,
    sticking: Vec<(BodyId, StickingBall<S>)>,
    clock: f64,
) -> Result<(), SnapshotError> {
    let all: BTreeMap<BodyId, StickingBall<S>> = sticking.into_iter().collect();
    let is_ball = |id: BodyId| (stage.slots.get(id.0 as usize)).is_some_and(|&it| it != NOWHERE);
    let fits = |(&ball, sticking): (&BodyId, &StickingBall<S>)| {
        let partner = match sticking.with {
            StickingPartner::Ball(id) => {
                let back = all.get(&id).map(|sticking| sticking.with);
                is_ball(id) && back == Some(StickingPartner::Ball(ball))
            }
            StickingPartner::Fixture(..) => stage.index_of_partner(sticking.with).is_some(),
        };
        let finite = sticking.normal.is_finite()
            && sticking.together.is_finite()
            && sticking.after.is_finite()
            && sticking.ends.is_finite();
        is_ball(ball) && partner && finite && sticking.began <= clock
    };
    if !all.iter().all(fits) {
        return invalid("balls travel together that cannot");
    }
    match &mut stage.balls.trajectories {
        Some(trajectories) => trajectories.sticking = all,
        None if all.is_empty() => (),
        None => return invalid("balls stick together that are on no trajectories"),
    }
    Ok(())
}

/// Lets balls stop bouncing as was foreseen.
pub(super) fn foresee<S: Shaped>(
    stage: &mut Bodies<S>,
    halts: Vec<(BodyId, PredictedSettling<S>)>,
    corners: Vec<(BodyId, PredictedSettling<S>)>,
) -> Result<(), SnapshotError> {
    let is_ball = |id: BodyId| (stage.slots.get(id.0 as usize)).is_some_and(|&it| it != NOWHERE);
    let fits = |(ball, halt): &(BodyId, PredictedSettling<S>)| {
        let exists = |index: u32| (index as usize) < stage.fixtures.len();
        let exist = exists(halt.on) && halt.also.iter().all(|&wall| exists(wall));
        let exist = exist && !halt.also.contains(&halt.on);
        let finite = !halt.time.is_nan()
            && halt.place.is_finite()
            && halt.velocity.is_finite()
            && halt.angular_velocity.is_finite();
        is_ball(*ball) && exist && finite && !halt.doubt.is_nan()
    };
    let few = halts.iter().all(|(_, halt)| halt.also.len() < 2);
    let many = corners.iter().all(|(_, halt)| halt.also.len() > 1);
    if !(few && many && halts.iter().chain(&corners).all(fits)) {
        return invalid("balls are to stop on walls that are not there");
    }
    match &mut stage.balls.trajectories {
        Some(trajectories) => {
            trajectories.halts = halts.into_iter().collect();
            trajectories.corners = corners.into_iter().collect();
        }
        None if halts.is_empty() && corners.is_empty() => (),
        None => return invalid("balls are to stop on walls that are on no trajectories"),
    }
    Ok(())
}

impl Stored for StickingPartner {
    fn store(&self, out: &mut Vec<u8>) {
        match *self {
            StickingPartner::Ball(id) => (0_u8, id).store(out),
            StickingPartner::Fixture(id, image) => (1_u8, (id, image)).store(out),
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(match u8::load(input)? {
            0 => StickingPartner::Ball(BodyId::load(input)?),
            1 => StickingPartner::Fixture(BodyId::load(input)?, Stored::load(input)?),
            _ => return invalid("a partner that does not exist"),
        })
    }
}

impl<S: Space> Stored for TrajectorySegment<S> {
    fn store(&self, out: &mut Vec<u8>) {
        self.place.terms().to_vec().store(out);
        self.angular_velocity.terms().to_vec().store(out);
        self.end.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (place, angular_velocity) = (
            Vec::<S::Vector>::load(input)?,
            Vec::<S::Angular>::load(input)?,
        );
        if place.len().max(angular_velocity.len()) > Curve::<S::Vector>::MAX_DEGREE + 1 {
            return invalid("a trajectory of too high a degree");
        }
        Ok(TrajectorySegment {
            place: Curve::new(&place),
            angular_velocity: Curve::new(&angular_velocity),
            end: f64::load(input)?,
        })
    }
}
