//! Fixed and driven bodies: what balls strike and nothing moves.

use super::balls::{Balls, TOUCH};
use crate::body::{Body, Kind};
use crate::contact::{Contact, Side};
use crate::impact::{Strikable, Target, TargetMotion};
use crate::motion::{Drive, Flight, KinematicState, Pose};
use crate::shape::{Closest, Obstacle, Shape, Shaped};
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
pub(super) type Searches<S> = BTreeMap<(u32, u32), (SearchStart<S>, f64)>;

type SearchStart<S> = (f64, <S as Space>::Vector, <S as Space>::Vector, bool);

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

    /// Whether a ball touches this body at a time, or nearly so.
    pub fn touches(&self, balls: &Balls<S>, slot: usize, epoch: f64, time: f64) -> bool {
        // Rigid bodies see to that themselves.
        if balls.is_member(slot) || matches!(self.body.shape, Shape::Compound(_)) {
            return false;
        }
        let radius = balls.hot[slot].radius;
        self.gap(balls.position_at(slot, time), radius, epoch + time) <= 0.5 * TOUCH * radius
    }

    /// How far a ball that is somewhere at a world time is from this body, m.
    pub fn gap(&self, place: S::Vector, radius: f64, time: f64) -> f64 {
        let place = self.state_at(time).pose.to_local(place);
        self.body.shape.closest(place).distance - radius
    }

    /// Whether a ball overlaps this body by more than rounding explains.
    pub fn is_deep_inside(&self, balls: &Balls<S>, slot: usize, epoch: f64, time: f64) -> bool {
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

    pub fn as_target(&self, world_time: f64) -> Target<'_, S> {
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
        let local = pose.to_local(position);
        let closest = self.body.shape.closest(local);
        let turned = |vector: S::Vector| S::rotate(pose.rotation, vector);
        let mut ball = side(-turned(closest.normal) * radius);
        let mut chosen = closest;
        if let Some(ends) = self.body.shape.ends_around(local, radius) {
            // Of two that it touches it is the one that it approaches that matters.
            let approach = |end: &Closest<S>| {
                let wall = velocity + S::surface_velocity(angular_velocity, turned(end.point));
                turned(end.normal).dot(ball.velocity - wall)
            };
            let [near, far] = if ends[0].distance == closest.distance {
                ends
            } else {
                [ends[1], ends[0]]
            };
            if far.distance <= radius * (1.0 + TOUCH) && approach(&far) < approach(&near) {
                chosen = far;
                ball.arm = -turned(far.normal) * radius;
            }
        }
        let arm = turned(chosen.point);
        let contact = Contact {
            point: pose.position + arm,
            normal: turned(chosen.normal),
            a: ball,
            b: Side::kinematic(velocity, angular_velocity, arm),
        };
        (contact, chosen.distance - radius)
    }

    /// The place, in its own frame, that a contact of an island with a ball is about: the nearest. In the gap of an arc
    /// that is too narrow for the ball it is the first end, and of the other contact there the second one.
    pub fn touched(&self, place: S::Vector, radius: f64, far: bool) -> Closest<S> {
        let shape = &self.body.shape;
        let end = if far {
            shape.rivals(place)[1]
        } else {
            shape.ends_around(place, radius).map(|[first, _]| first)
        };
        end.unwrap_or_else(|| shape.closest(place))
    }

    /// Whether a ball that is somewhere at a world time is in the gap of an arc that is too narrow for it.
    pub fn has_in_gap(&self, place: S::Vector, radius: f64, world_time: f64) -> bool {
        let local = self.state_at(world_time).pose.to_local(place);
        self.body.shape.ends_around(local, radius).is_some()
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
