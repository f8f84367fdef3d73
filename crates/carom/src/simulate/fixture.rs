//! Fixed and driven bodies: what balls strike and nothing moves.

use super::balls::{Balls, TOUCH};
use super::trajectories::StickingPartner;
use crate::body::{Body, Kind};
use crate::contact::{Contact, Side};
use crate::impact::{self, Impact, MovingBall, Strikable, Target, TargetMotion};
use crate::motion::{Drive, Flight, KinematicState, Pose};
use crate::queue::EventKind;
use crate::shape::{Obstacle, Shape, Shaped};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};
use crate::world::{BodyId, image_boxes, shift_of};
use std::collections::BTreeMap;

/// A fixed or driven body, or an image of one in a periodic box.
#[derive(Clone, Debug)]
pub(super) struct Fixture<S: Shaped> {
    /// Whose image it is.
    pub id: BodyId,
    /// How many box lengths it is from where the body was inserted.
    pub image: [i32; 3],
    /// From when on it can be met, by the run's clock, s.
    pub since: f64,
    /// With its pose, and the pivot of its drive, at the image's place.
    pub body: Body<S>,
}

/// A fixed or driven body with all its images; `largest` is the largest radius of a ball, m.
pub(super) fn images_of<S: Shaped>(
    id: BodyId,
    body: &Body<S>,
    since: f64,
    (periods, largest): ([f64; 3], f64),
) -> impl Iterator<Item = Fixture<S>> {
    let images = image_boxes(body, periods, largest).into_iter();
    images.map(move |image| {
        let shift = shift_of::<S>(image, periods);
        let mut body = body.clone();
        body.pose.position += shift;
        if let Kind::Kinematic(Drive::Rotation { pivot, .. } | Drive::Swing { pivot, .. }) =
            &mut body.kind
        {
            *pivot += shift;
        }
        Fixture {
            id,
            image,
            since,
            body,
        }
    })
}

/// How far searches that were cut off have got, by the ball's slot and the fixtures's place: the flight that was
/// searched (when, where and how fast it began, and whether inside a sensor) and until when it is clear.
pub(super) type Searches<S> = BTreeMap<(u32, u32), (Begin<S>, f64)>;

type Begin<S> = (f64, <S as Space>::Vector, <S as Space>::Vector, bool);

/// Forgets the searches for a ball's contacts.
pub(super) fn forget_searches<S: Space>(searches: &mut Searches<S>, slot: u32) {
    let its = (slot, 0)..=(slot, u32::MAX);
    let keys: Vec<(u32, u32)> = searches.range(its).map(|(&key, _)| key).collect();
    for key in keys {
        searches.remove(&key);
    }
}

impl<S: Strikable> Fixture<S> {
    pub fn is_kinematic(&self) -> bool {
        matches!(self.body.kind, Kind::Kinematic(_))
    }

    /// How it moves at a world time.
    pub fn state_at(&self, world_time: f64) -> KinematicState<S> {
        state_of(&self.body, world_time)
    }

    /// The first thing that happens between a ball and this body, as far as it is known at a time: a contact, or that
    /// one has to look again. Times are by the run's clock, whose zero is at world time `epoch`.
    ///
    /// The search starts at the ball's own time (where the body came later, when it came), and where it is cut off, at
    /// the end of the part that is clear, until it is past `now`: what is found does not depend on how often it was
    /// asked for. `searches` knows how far earlier ones got.
    ///
    /// Longer than most: one loop that asks, and moves its start on until there is an answer; its branches share all
    /// that they look at.
    pub fn first_event(
        &self,
        balls: &Balls<S>,
        (slot, index): (usize, u32),
        epoch: f64,
        now: f64,
        searches: &mut Searches<S>,
    ) -> Option<(f64, EventKind)> {
        let ball = &balls.hot[slot];
        let member = balls.is_member(slot);
        if !member && !balls.meets(slot, self.body.groups) {
            return None;
        }
        if let Some(rigids) = balls.rigids()
            && (member || rigids.is_compound(index))
        {
            return rigids.fixture_event(balls, (slot, index), self.since, now, searches);
        }
        let segment = balls.segment(slot);
        if balls.is_on(slot, index)
            || balls.travels_with(slot, StickingPartner::Fixture(self.id, self.image))
        {
            return None;
        }
        let relation = if self.body.sensor {
            balls.overlaps.of(balls.ids[slot], self.id, self.image)
        } else {
            None
        };
        let inside = relation.is_some_and(|relation| relation.inside);
        let last = relation.map_or(self.since, |relation| relation.since.max(self.since));
        let start = ball.since.max(last);
        let flight = (start, ball.position, ball.velocity, inside);
        if self.body.sensor && !inside && self.is_deep_inside(balls, slot, epoch, start) {
            return Some((start, EventKind::Contact));
        }
        let mut from = match searches.get(&(slot as u32, index)) {
            Some((known, clear_until)) if *known == flight => {
                if *clear_until > now {
                    return Some((*clear_until, EventKind::LookAgain));
                }
                *clear_until
            }
            _ => start,
        };
        // Whether it went in or out just when the search begins.
        let fresh = relation.is_some_and(|relation| relation.since == start);
        let end = segment.map_or(f64::INFINITY, |segment| ball.since + segment.end);
        let mut nudge = 1.0;
        loop {
            let moving = MovingBall::<S> {
                flight: Flight {
                    position: balls.position_at(slot, from),
                    velocity: balls.velocity_at(slot, from),
                    acceleration: balls.gravity,
                },
                radius: ball.radius,
                surface_speed: balls.angular_velocity(slot).length() * ball.radius,
            };
            let target = self.as_target(epoch + from);
            let found = if let Some(segment) = segment {
                let shifted;
                let segment = if from == ball.since {
                    segment
                } else {
                    shifted = segment.from_time(from - ball.since);
                    &shifted
                };
                if inside {
                    impact::first_clearance_on_segment(segment, ball.radius, &target, f64::INFINITY)
                } else if matches!(self.body.shape, Shape::Block(_) | Shape::Own(_)) {
                    impact::first_contact_by_steps(segment, ball.radius, &target, f64::INFINITY)
                } else {
                    impact::first_contact_on_segment(segment, ball.radius, &target, f64::INFINITY)
                }
            } else if inside {
                impact::first_clearance(&moving, &target, f64::INFINITY)
            } else {
                match impact::first_contact(&moving, &target, f64::INFINITY) {
                    Impact::Now | Impact::At(_) => impact::refine(&moving, &target, f64::INFINITY),
                    nothing => nothing,
                }
            };
            // A ball that has just come in can seem to be outside by what rounding of the place and of the time makes;
            // it is not to go in and out without end. A little later it is inside, or was only grazing.
            let speed = moving.flight.velocity.length();
            let size = moving.flight.position.length() + ball.radius;
            let blur = UNIT_ROUNDOFF * (from.abs() + size / speed);
            let wait = match found {
                Impact::Now => 0.0,
                Impact::At(wait) => wait,
                Impact::Never | Impact::ClearUntil(_) => f64::INFINITY,
            };
            let later = (from + blur * nudge).max(from.next_up());
            if fresh && inside && from + wait <= from && nudge < 256.0 && blur.is_finite() {
                nudge *= 2.0;
                from = later;
                continue;
            }
            // One that has just gone out and touches still runs along a face: it is outside until it is plainly inside,
            // however far it goes like that.
            if fresh && !inside && self.body.sensor && wait <= 512.0 * blur && blur.is_finite() {
                if later >= end || !later.is_finite() {
                    return None;
                }
                if self.is_deep_inside(balls, slot, epoch, later) {
                    let deep = |time: f64| self.is_deep_inside(balls, slot, epoch, time);
                    return Some((first_true(from, later, deep), EventKind::Contact));
                }
                nudge *= 2.0;
                from = later;
                continue;
            }
            let (kind, wait) = match found {
                Impact::Never => return None,
                Impact::Now => (EventKind::Contact, 0.0),
                Impact::At(wait) => (EventKind::Contact, wait),
                Impact::ClearUntil(wait) => (EventKind::LookAgain, wait),
            };
            let time = from + wait;
            if kind == EventKind::Contact {
                return time.is_finite().then_some((time, kind));
            }
            // A clear part too short for the clock to show still has to end.
            from = if time > from { time } else { from.next_up() };
            if from > now {
                searches.insert((slot as u32, index), (flight, from));
                return from.is_finite().then_some((from, kind));
            }
        }
    }

    /// Whether a ball touches this body at a time, or nearly so.
    pub fn touches(&self, balls: &Balls<S>, slot: usize, epoch: f64, time: f64) -> bool {
        // Rigid bodies see to that themselves.
        if balls.is_member(slot) || matches!(self.body.shape, Shape::Compound(_)) {
            return false;
        }
        let pose = self.state_at(epoch + time).pose;
        let place = pose.to_local(balls.position_at(slot, time));
        let radius = balls.hot[slot].radius;
        self.body.shape.closest(place).distance - radius <= 0.5 * TOUCH * radius
    }

    /// Whether a ball overlaps this body by more than rounding explains.
    fn is_deep_inside(&self, balls: &Balls<S>, slot: usize, epoch: f64, time: f64) -> bool {
        let state = self.state_at(epoch + time);
        let pose = state.pose;
        let (place, radius) = (balls.position_at(slot, time), balls.hot[slot].radius);
        let reach = self.body.shape.reach();
        let size = place.length()
            + pose.position.length()
            + radius
            + if reach.is_finite() { reach } else { 0.0 };
        // The angle of a turn or of an oscillation is rounded too, in proportion to the time; and so is the time at
        // which the ball came or went.
        let arm = (place - pose.position).length();
        let speed = state.velocity.length()
            + state.angular_velocity.length() * arm
            + balls.velocity_at(slot, time).length();
        let size = size + speed * (epoch + time).abs();
        let gap = self.body.shape.closest(pose.to_local(place)).distance - radius;
        gap < -64.0 * UNIT_ROUNDOFF * size
    }

    fn as_target(&self, world_time: f64) -> Target<'_, S> {
        let course = match &self.body.kind {
            Kind::Kinematic(drive) => TargetMotion::Kinematic {
                drive,
                start: &self.body.pose,
                now: world_time,
            },
            Kind::Free(_) | Kind::Static => TargetMotion::Flight {
                flight: Flight::rest(self.body.pose.position),
                rotation: self.body.pose.rotation,
            },
        };
        Target {
            shape: &self.body.shape,
            course,
            surface_speed: 0.0,
        }
    }

    /// The contact of a ball with this body, and the distance of their surfaces.
    pub fn contact(
        &self,
        side: impl FnOnce(S::Vector) -> Side<S>,
        position: S::Vector,
        radius: f64,
        world_time: f64,
    ) -> (Contact<S>, f64) {
        let KinematicState {
            pose,
            velocity,
            angular_velocity,
        } = self.state_at(world_time);
        let closest = self.body.shape.closest(pose.to_local(position));
        let normal = S::rotate(pose.rotation, closest.normal);
        let arm = S::rotate(pose.rotation, closest.point);
        let contact = Contact {
            point: pose.position + arm,
            normal,
            a: side(-normal * radius),
            b: Side::kinematic(velocity, angular_velocity, arm),
        };
        (contact, closest.distance - radius)
    }
}

/// The first time in `(low, high]` at which something holds that does not at `low`, and does at `high` and between
/// there and then; s.
fn first_true(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = 0.5 * (low + high);
        if !(middle > low && middle < high) {
            return high;
        }
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
}

/// How a fixed or driven body moves at a world time.
pub(super) fn state_of<S: Shaped>(body: &Body<S>, world_time: f64) -> KinematicState<S> {
    match &body.kind {
        Kind::Kinematic(drive) => drive.state_at(&body.pose, world_time),
        Kind::Free(_) | Kind::Static => KinematicState {
            pose: Pose {
                position: body.pose.position,
                rotation: body.pose.rotation,
            },
            velocity: S::Vector::ZERO,
            angular_velocity: S::Angular::ZERO,
        },
    }
}

/// The world time at which a prescribed motion next turns a corner, s.
pub(super) fn next_knot<S: Shaped>(body: &Body<S>, world_time: f64) -> f64 {
    let Kind::Kinematic(drive) = &body.kind else {
        return f64::INFINITY;
    };
    if let Some((_, knot)) = drive.flight_at(&body.pose, world_time) {
        return knot;
    }
    let stroke = drive.stroke_at(&body.pose, world_time);
    stroke.map_or(f64::INFINITY, |stroke| stroke.until)
}
