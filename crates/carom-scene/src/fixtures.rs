//! Bodies that are not free balls, and whether a ball beside one of them is clear of it.

use crate::neighbours::home;
use carom::body::{Body, CollisionFilter, Kind};
use carom::motion::Pose;
use carom::shape::{Obstacle, Shape};
use carom::simulate::Compiled;
use carom::space::{Linear, Space, UNIT_ROUNDOFF};
use carom::world::World;

/// A fixed or prescribed body where it is at the start, with its images in a periodic box.
pub(crate) struct Scenery<'w, S: Compiled> {
    /// In the order of insertion.
    pub index: usize,
    body: &'w Body<S>,
    poses: Vec<Pose<S>>,
}

/// What is wrong with a ball beside another body, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    Overlap { depth: f64, allowed: f64 },
    Outside { beyond: f64 },
}

impl Fault {
    /// Of two bodies that overlap by a depth, with coordinates and sizes of some magnitude, m: 16u of them are
    /// rounding.
    pub fn overlap(depth: f64, size: f64) -> Option<Self> {
        let allowed = 16.0 * UNIT_ROUNDOFF * size;
        (depth > allowed).then_some(Fault::Overlap { depth, allowed })
    }
}

/// Whether a body is a free ball, and then its radius.
pub(crate) fn free_radius<S: Compiled>(body: &Body<S>) -> Option<f64> {
    match (&body.kind, &body.shape) {
        (Kind::Free(_), Shape::Ball(ball)) => Some(ball.radius),
        _ => None,
    }
}

/// All bodies that balls can strike and that are not free.
pub(crate) fn all<S: Compiled>(world: &World<S>) -> Vec<Scenery<'_, S>> {
    let periods = world.periods();
    let bodies = world.bodies().iter().enumerate();
    bodies
        .filter(|(_, body)| free_radius(body).is_none() && !body.sensor)
        .map(|(index, body)| Scenery {
            index,
            body,
            poses: images(&start(body), periods),
        })
        .collect()
}

fn start<S: Compiled>(body: &Body<S>) -> Pose<S> {
    match &body.kind {
        Kind::Kinematic(drive) => drive.state_at(&body.pose, 0.0).pose,
        Kind::Free(_) | Kind::Static => body.pose,
    }
}

/// The body itself in the box and the images next to it.
fn images<S: Space>(pose: &Pose<S>, periods: [f64; 3]) -> Vec<Pose<S>> {
    let mut places = vec![S::components(home::<S>(pose.position, periods))];
    for axis in (0..S::DIMENSION).filter(|&axis| periods[axis] > 0.0) {
        places = [0.0, -1.0, 1.0]
            .iter()
            .flat_map(|boxes| {
                places.iter().map(move |&(mut place)| {
                    place[axis] += boxes * periods[axis];
                    place
                })
            })
            .collect();
    }
    let with = |place| Pose {
        position: S::vector(place),
        ..*pose
    };
    places.into_iter().map(with).collect()
}

impl<S: Compiled> Scenery<'_, S> {
    pub fn meets(&self, groups: CollisionFilter) -> bool {
        self.body.groups.collides_with(groups)
    }

    /// Where it is, and the radius about that place outside of which it has no point, m; infinite for walls and
    /// hollows.
    pub fn bounds(&self) -> (S::Vector, f64) {
        let reach = match self.body.shape {
            Shape::HalfSpace(_) | Shape::Hollow(_) => f64::INFINITY,
            _ => self.body.shape.reach(),
        };
        (self.poses[0].position, reach)
    }

    /// What is wrong with a ball at a place in the box; the worst, where several images are in its way.
    pub fn fault(&self, place: S::Vector, radius: f64) -> Option<Fault> {
        let poses = self.poses.iter();
        let faults = poses.filter_map(|pose| self.fault_at(pose, place, radius));
        faults.max_by(|a, b| a.size().total_cmp(&b.size()))
    }

    /// Whether a ball would fit there without touching it.
    pub fn is_clear(&self, place: S::Vector, radius: f64) -> bool {
        let (middle, reach) = self.bounds();
        let clear = |pose: &Pose<S>| {
            let away = (place - pose.position).length_squared();
            let far = (radius + reach) * (1.0 + 1e-12);
            away > far * far || self.distance(pose, place) >= radius
        };
        debug_assert!(middle.is_finite());
        self.poses.iter().all(clear)
    }

    fn distance(&self, pose: &Pose<S>, place: S::Vector) -> f64 {
        self.body.shape.closest(pose.to_local(place)).distance
    }

    /// As the library judges it.
    fn fault_at(&self, pose: &Pose<S>, place: S::Vector, radius: f64) -> Option<Fault> {
        let distance = self.distance(pose, place);
        let reach = match self.body.shape {
            Shape::Ball(ball) => ball.radius,
            Shape::Hollow(room) => room.radius,
            _ => 0.0,
        };
        let size = place.length().max(pose.position.length()) + radius + reach;
        let fault = Fault::overlap(radius - distance, size);
        match self.body.shape {
            // Nobody means a ball to be in there; rather the wall stands the wrong way round, or the ball in the wrong
            // place.
            Shape::HalfSpace(_) | Shape::Hollow(_) if distance < 0.0 => {
                fault.map(|_| Fault::Outside { beyond: -distance })
            }
            _ => fault,
        }
    }
}

impl Fault {
    fn size(&self) -> f64 {
        match self {
            Fault::Overlap { depth, .. } => *depth,
            Fault::Outside { beyond } => *beyond,
        }
    }
}
