//! Fixed and driven bodies: what balls strike and nothing moves.

use super::balls::{Balls, TOUCH};
use crate::body::{Body, Kind};
use crate::contact::{Contact, Side};
use crate::impact::{self, Course, Impact, MovingBall, Target};
use crate::motion::{Drive, DrivenState, Flight, Pose};
use crate::queue::EventKind;
use crate::shape::{Obstacle, Shape};
use crate::space::{Linear, Space};
use crate::world::{BodyId, World};
use std::collections::BTreeMap;

/// A fixed or driven body, or an image of one in a periodic box.
#[derive(Clone, Debug)]
pub(super) struct Scenery<S: Space> {
    /// Whose image it is.
    pub id: BodyId,
    /// With its pose, and the pivot of its drive, at the image's place.
    pub body: Body<S>,
}

/// All fixed and driven bodies of a world, in the order of insertion, each with its images.
pub(super) fn all_scenery<S: Space>(world: &World<S>) -> Vec<Scenery<S>> {
    let mut all = Vec::new();
    let largest = world
        .bodies()
        .iter()
        .filter_map(|body| match (&body.kind, &body.shape) {
            (Kind::Free(_), Shape::Ball(ball)) => Some(ball.radius),
            _ => None,
        })
        .fold(0.0, f64::max);
    for (id, body) in (0..).zip(world.bodies()) {
        if matches!(body.kind, Kind::Free(_)) {
            continue;
        }
        for shift in image_shifts(world, body, largest) {
            all.push(Scenery {
                id: BodyId(id),
                body: shifted(body, shift),
            });
        }
    }
    all
}

/// The shifts under which a body, or an image of it, may be met inside the box.
fn image_shifts<S: Space>(world: &World<S>, body: &Body<S>, largest: f64) -> Vec<S::Vector> {
    let reach = body.shape.reach();
    let driven = matches!(body.kind, Kind::Driven(_));
    let place = S::components(body.pose.position);
    let mut shifts = vec![[0.0; 3]];
    for axis in 0..S::DIMENSION {
        let length = world.periods()[axis];
        if length > 0.0 && reach.is_finite() {
            // Of a fixed body, those images whose surroundings reach into the box.
            let room = reach + largest;
            let (from, to) = if driven {
                (-1.0, 1.0)
            } else {
                (
                    ((-room - place[axis]) / length).ceil(),
                    ((length + room - place[axis]) / length).floor(),
                )
            };
            let boxes = (from as i32..=to as i32).map(|boxes| f64::from(boxes) * length);
            shifts = boxes
                .flat_map(|along| {
                    shifts.iter().map(move |&(mut shift)| {
                        shift[axis] = along;
                        shift
                    })
                })
                .collect();
        }
    }
    shifts.into_iter().map(S::vector).collect()
}

fn shifted<S: Space>(body: &Body<S>, shift: S::Vector) -> Body<S> {
    let mut body = body.clone();
    body.pose.position += shift;
    if let Kind::Driven(Drive::Rotation { pivot, .. }) = &mut body.kind {
        *pivot += shift;
    }
    body
}

/// How far searches that were cut off have got, by the ball's slot and the scenery's place: the flight that was searched (its start and
/// velocity) and until when it is clear.
pub(super) type Searches<S> = BTreeMap<(u32, u32), ((f64, <S as Space>::Vector), f64)>;

impl<S: Space> Scenery<S> {
    pub fn is_driven(&self) -> bool {
        matches!(self.body.kind, Kind::Driven(_))
    }

    /// How it moves at a world time.
    pub fn state_at(&self, world_time: f64) -> DrivenState<S> {
        state_of(&self.body, world_time)
    }

    /// The first thing that happens between a ball and this body, as far as it is known at a time: a contact, or that one has to look
    /// again. Times are by the run's clock, whose zero is at world time `epoch`.
    ///
    /// The search starts at the ball's own time, and where it is cut off, at the end of the part that is clear, until it is past
    /// `now`: what is found does not depend on how often it was asked for. `searches` knows how far earlier ones got.
    pub fn first_event(
        &self,
        balls: &Balls<S>,
        (slot, index): (usize, u32),
        epoch: f64,
        now: f64,
        searches: &mut Searches<S>,
    ) -> Option<(f64, EventKind)> {
        let ball = &balls.hot[slot];
        let flight = (ball.since, balls.velocity_at(slot, ball.since));
        let mut from = match searches.get(&(slot as u32, index)) {
            Some((known, clear_until)) if *known == flight => {
                if *clear_until > now {
                    return Some((*clear_until, EventKind::LookAgain));
                }
                *clear_until
            }
            _ => ball.since,
        };
        loop {
            let moving = MovingBall::<S> {
                flight: Flight {
                    position: balls.position_at(slot, from),
                    velocity: balls.velocity_at(slot, from),
                    acceleration: balls.gravity,
                },
                radius: ball.radius,
                surface_speed: balls.spin(slot).length() * ball.radius,
            };
            let target = self.as_target(epoch + from);
            let mut found = impact::first_contact(&moving, &target, f64::INFINITY);
            if found.time().is_some() {
                found = impact::refine(&moving, &target, f64::INFINITY);
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
        let pose = self.state_at(epoch + time).pose;
        let place = pose.to_local(balls.position_at(slot, time));
        let radius = balls.hot[slot].radius;
        self.body.shape.closest(place).distance - radius <= 0.5 * TOUCH * radius
    }

    fn as_target(&self, world_time: f64) -> Target<'_, S> {
        let course = match &self.body.kind {
            Kind::Driven(drive) => Course::Driven {
                drive,
                start: &self.body.pose,
                now: world_time,
            },
            Kind::Free(_) | Kind::Fixed => Course::Flight {
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
        let DrivenState {
            pose,
            velocity,
            spin,
        } = self.state_at(world_time);
        let closest = self.body.shape.closest(pose.to_local(position));
        let normal = S::rotate(pose.rotation, closest.normal);
        let arm = S::rotate(pose.rotation, closest.point);
        let contact = Contact {
            point: pose.position + arm,
            normal,
            a: side(-normal * radius),
            b: Side::driven(velocity, spin, arm),
        };
        (contact, closest.distance - radius)
    }
}

/// How a fixed or driven body moves at a world time.
pub(super) fn state_of<S: Space>(body: &Body<S>, world_time: f64) -> DrivenState<S> {
    match &body.kind {
        Kind::Driven(drive) => drive.state_at(&body.pose, world_time),
        Kind::Free(_) | Kind::Fixed => DrivenState {
            pose: Pose {
                position: body.pose.position,
                rotation: body.pose.rotation,
            },
            velocity: S::Vector::ZERO,
            spin: S::Spin::ZERO,
        },
    }
}
