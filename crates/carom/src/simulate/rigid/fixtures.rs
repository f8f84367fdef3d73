//! Static and kinematic bodies as rigid bodies meet them.
//!
//! A prescribed motion is cut into pieces without corners: one for a constant velocity, a steady rotation and an
//! oscillation, one between each two knots of a path or a swing. Within a piece the first contact is certified by a
//! bound on the acceleration (`impact/solids/first_contact.rs`); between two pieces the velocity may jump.

use super::bodies::unfit;
use super::track::turn_between;
use crate::body::{Body, CollisionFilter, Kind};
use crate::impact::solids::RigidTrajectory;
use crate::material::MaterialId;
use crate::motion::{Drive, Flight, Pose};
use crate::shape::convex::{Compound, Inside, fixed_form};
use crate::shape::{Shape, Shaped};
use crate::space::{Linear, Space};
use crate::world::{BodyId, WorldError};
use glam::DVec3;

/// A static or kinematic body.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Prop<S: Space> {
    pub id: BodyId,
    /// How many box lengths it is from where the body was inserted.
    pub image: [i32; 3],
    /// Where it turns, its origin is the pivot.
    pub form: Compound<S>,
    /// Whether it only notices what passes through it.
    pub sensor: bool,
    pub material: MaterialId,
    pub groups: CollisionFilter,
    /// Whether it is made of parts: balls meet it as rigid bodies do.
    pub compound: bool,
    /// About its place, m; infinite where it has no end.
    pub reach: f64,
    /// How deep others may get into it before another face is the nearest, m; infinite for walls and what is thin.
    pub depth: f64,
    /// In the order of time; the last one has no end.
    pieces: Vec<Piece<S>>,
}

/// A part of a prescribed motion that has no corners.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Piece<S: Space> {
    /// By the run's clock, s.
    pub until: f64,
    pub course: RigidTrajectory<S>,
}

const NO_FORM: &str = "it has a shape that rigid bodies cannot meet";

impl<S: Shaped> Prop<S> {
    /// A static or kinematic body as rigid bodies meet it, if they can, on a clock that reads zero at a world time
    /// (`epoch`, s).
    pub fn new(body: &Body<S>, id: BodyId, epoch: f64) -> Result<Self, WorldError> {
        let Some(form) = fixed_form(&body.shape) else {
            return Err(unfit(body, id, NO_FORM));
        };
        let (form, pieces) = pieces_of(body, form, epoch);
        if pieces.iter().any(|piece| !can_turn(&form, &piece.course)) {
            let what = "beside rigid bodies a tube cannot rotate about another axis than its own; a box can";
            return Err(unfit(body, id, what));
        }
        Ok(Prop {
            id,
            image: [0; 3],
            sensor: body.sensor,
            material: body.material,
            groups: body.groups,
            compound: matches!(body.shape, Shape::Compound(_)),
            reach: form.reach(),
            depth: form.depth(),
            form,
            pieces,
        })
    }

    /// The piece of its motion at a time.
    pub fn piece_at(&self, t: f64) -> &Piece<S> {
        let at = self.pieces.partition_point(|piece| piece.until <= t);
        &self.pieces[at.min(self.pieces.len() - 1)]
    }

    /// When its velocity next may jump after a time, s; infinite where it does not.
    pub fn next_corner(&self, t: f64) -> f64 {
        self.piece_at(t).until
    }

    /// Whether it is not always where it is.
    pub fn moves(&self) -> bool {
        !self.pieces.iter().all(|piece| piece.course.is_still())
    }

    /// Whether bodies may move along a wall of it that bends into their way.
    pub fn is_round_from_within(&self) -> bool {
        let parts = self.form.parts();
        matches!(parts, [part] if part.round_from_within().is_some())
    }

    /// Whether it ever turns.
    fn turns(&self) -> bool {
        self.pieces.iter().any(|piece| piece.course.turns())
    }

    /// How fast any of its points can be that are within a reach of a place, m/s.
    pub fn fastest_near(&self, place: S::Vector, reach: f64) -> f64 {
        let of = |piece: &Piece<S>| {
            let speed = piece.course.max_speed_at(0.0);
            if piece.course.turns() {
                let inside = self.form.parts().first().and_then(|part| part.as_inside());
                let pivot = piece.course.flight().position;
                let own = if self.reach.is_finite() {
                    self.reach
                } else {
                    (place - pivot).length() + reach
                };
                let arm = inside.map_or(own, Inside::arm);
                speed + piece.course.max_angular_speed() * arm
            } else {
                speed
            }
        };
        self.pieces.iter().map(of).fold(0.0, f64::max)
    }

    /// Whether a body that goes straight on along it is not in it later, from one time to another, s. A fixture that
    /// turns or sways comes to where its face was not, and what is round bends into whatever is inside of it.
    pub fn leads_straight(&self, (t, end): (f64, f64)) -> bool {
        let piece = self.piece_at(t);
        let bends = piece.course.max_sway() > 0.0
            || piece.course.flight().acceleration != S::Vector::ZERO
            || self.motion_at(t).1 != S::Angular::ZERO;
        let round = self
            .form
            .parts()
            .iter()
            .any(|part| part.round_from_within().is_some());
        !bends && !round && piece.until >= end
    }

    pub fn pose_at(&self, t: f64) -> Pose<S> {
        self.piece_at(t).course.pose_at(t)
    }

    /// How its origin moves (m/s) and how it turns (rad/s) at a time.
    pub fn motion_at(&self, t: f64) -> (S::Vector, S::Angular) {
        let course = &self.piece_at(t).course;
        (course.velocity_at(t), course.angular_velocity_at(t))
    }

    /// The same in the mean from one time to another: what leads from where it is to where it will be.
    pub fn mean_motion(&self, t: f64, end: f64) -> (S::Vector, S::Angular) {
        let piece = self.piece_at(t);
        if end == t || end <= piece.until && piece.course.is_steady() {
            return self.motion_at(t);
        }
        let rate = 1.0 / (end - t);
        let [from, to] = [t, end].map(|t| self.pose_at(t));
        (
            (to.position - from.position) * rate,
            turn_between::<S>(from.rotation, to.rotation) * rate,
        )
    }

    /// The velocity of its material at a place, m/s.
    pub fn velocity_at(&self, place: S::Vector, t: f64) -> S::Vector {
        let (velocity, angular_velocity) = self.motion_at(t);
        if angular_velocity == S::Angular::ZERO {
            velocity
        } else {
            velocity + S::surface_velocity(angular_velocity, place - self.pose_at(t).position)
        }
    }

    /// How far a point is above a wall without end, m; `None` where it is no such wall.
    pub fn height_above(&self, point: S::Vector, t: f64) -> Option<f64> {
        if self.turns() {
            return None;
        }
        let (normal, offset) = self.form.parts().first()?.as_half_space()?;
        let local = self.pose_at(t).to_local(point);
        Some(normal.dot(local) - offset)
    }

    /// The direction out of a wall without end; nothing that counts for anything else.
    pub fn up(&self) -> S::Vector {
        let wall = self
            .form
            .parts()
            .first()
            .and_then(|part| part.as_half_space());
        wall.map_or(S::Vector::ZERO, |(normal, _)| {
            S::rotate(self.pose_at(0.0).rotation, normal)
        })
    }
}

/// Whether a form can turn as a course has it: what has no end cannot, but about its own axis.
fn can_turn<S: Shaped>(form: &Compound<S>, course: &RigidTrajectory<S>) -> bool {
    if !course.turns() || form.reach().is_finite() {
        return true;
    }
    let spin = DVec3::from_array(S::angular_velocity_components(
        course.angular_velocity_at(course.since()),
    ));
    form.parts().iter().all(|part| {
        let own = |axis: DVec3| {
            let start = course.pose_at(course.since()).rotation;
            DVec3::from_array(S::components(S::rotate(start, S::vector(axis.to_array()))))
        };
        let axis = part.as_inside().and_then(|inside| inside.axis);
        axis.is_none_or(|axis| {
            Linear::length(own(axis).cross(spin)) <= 1e-12 * Linear::length(spin)
        })
    })
}

/// The form of a static or kinematic body about the origin that its motion is of, and that motion, on a clock that
/// reads zero at a world time (`epoch`, s).
fn pieces_of<S: Shaped>(
    body: &Body<S>,
    form: Compound<S>,
    epoch: f64,
) -> (Compound<S>, Vec<Piece<S>>) {
    let forever = |course| {
        vec![Piece {
            until: f64::INFINITY,
            course,
        }]
    };
    let about = |pivot: S::Vector| Pose {
        position: body.pose.position - pivot,
        rotation: body.pose.rotation,
    };
    match &body.kind {
        Kind::Kinematic(Drive::Uniform { velocity }) => {
            let pose = Pose {
                position: body.pose.position + *velocity * epoch,
                ..body.pose
            };
            let course = steady(0.0, pose, *velocity, S::Angular::ZERO);
            (form, forever(course))
        }
        Kind::Kinematic(Drive::Rotation {
            pivot,
            angular_velocity,
        }) => {
            let pose = Pose {
                position: *pivot,
                rotation: S::rotation_of(*angular_velocity, epoch),
            };
            let course = steady(0.0, pose, S::Vector::ZERO, *angular_velocity);
            (form.moved(&about(*pivot)), forever(course))
        }
        Kind::Kinematic(Drive::Oscillation {
            amplitude,
            frequency,
            phase,
        }) => {
            let rate = std::f64::consts::TAU * frequency;
            let course = RigidTrajectory::swaying(epoch, body.pose, *amplitude, rate, *phase);
            (form, forever(course))
        }
        Kind::Kinematic(Drive::Path { knots }) => {
            let piece = |since: f64, from: S::Vector, velocity| {
                let pose = Pose {
                    position: body.pose.position + from,
                    ..body.pose
                };
                steady(since - epoch, pose, velocity, S::Angular::ZERO)
            };
            let still = |place| piece(epoch, place, S::Vector::ZERO);
            let moves = |[(t0, from), (t1, to)]: [(f64, S::Vector); 2]| {
                piece(t0, from, (to - from) * (1.0 / (t1 - t0)))
            };
            (form, between_knots(knots, epoch, still, moves))
        }
        Kind::Kinematic(Drive::Swing { pivot, axis, knots }) => {
            let piece = |since: f64, angle: f64, angular_velocity| {
                let pose = Pose {
                    position: *pivot,
                    rotation: S::rotation_of(*axis, angle),
                };
                steady(since - epoch, pose, S::Vector::ZERO, angular_velocity)
            };
            let still = |angle| piece(epoch, angle, S::Angular::ZERO);
            let moves = |[(t0, from), (t1, to)]: [(f64, f64); 2]| {
                piece(t0, from, *axis * ((to - from) / (t1 - t0)))
            };
            let pieces = between_knots(knots, epoch, still, moves);
            (form.moved(&about(*pivot)), pieces)
        }
        Kind::Free(_) | Kind::Static => (form, forever(RigidTrajectory::still(body.pose))),
    }
}

/// The pieces before, between and after knots.
fn between_knots<S: Space, V: Copy>(
    knots: &[(f64, V)],
    epoch: f64,
    still: impl Fn(V) -> RigidTrajectory<S>,
    moves: impl Fn([(f64, V); 2]) -> RigidTrajectory<S>,
) -> Vec<Piece<S>> {
    let (first, last) = (knots.first(), knots.last());
    let mut pieces = Vec::new();
    let mut add = |until: f64, course| pieces.push(Piece { until, course });
    if let (Some(first), Some(last)) = (first, last) {
        add(first.0 - epoch, still(first.1));
        for pair in knots.windows(2) {
            add(pair[1].0 - epoch, moves([pair[0], pair[1]]));
        }
        add(f64::INFINITY, still(last.1));
    }
    pieces
}

/// At constant velocities from a time on, s.
fn steady<S: Space>(
    since: f64,
    pose: Pose<S>,
    velocity: S::Vector,
    angular_velocity: S::Angular,
) -> RigidTrajectory<S> {
    let flight = Flight {
        position: pose.position,
        velocity,
        acceleration: S::Vector::ZERO,
    };
    RigidTrajectory::steady(since, pose, flight, angular_velocity)
}
