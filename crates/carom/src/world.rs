//! A world: the bodies at time 0, what they are made of, and the gravity they are in.

use crate::body::{Body, IntoBody, Kind};
use crate::broad::{Extent, MOST_MEMBERS, SizedBall, home, touching_pairs};
use crate::container::{Container, Side};
use crate::joint::Joint;
use crate::material::Materials;
use crate::motion::{Fields, Integrator, Pose};
use crate::order::InOrder;
use crate::shape::{Obstacle, Shape, Shaped};
use crate::space::{Linear, Space, Tree};
pub(crate) use error::Fault;
pub use error::WorldError;
use glam::DVec3;

mod error;
mod joints;
#[cfg(feature = "serde")]
mod serial;
mod shear;
mod solids;

pub use crate::body::BodyId;
pub(crate) use joints::too_entangled;
pub use shear::Shear;
pub(crate) use shear::not_sheared;
pub use solids::has_rigid_bodies;
pub(crate) use solids::is_turning_solid;

/// Everything that a run starts from.
///
/// ```
/// use carom::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World2::new();
/// world.set_gravity(DVec2::new(0.0, -9.81))?;
/// let rubber = Material { restitution: 0.8, ..Material::default() };
/// let rubber = world.materials.add("rubber", rubber)?;
/// world.add(Body::fixed(Shape::floor()).material(rubber).named("floor"))?;
/// let ball = Body::free(Shape::ball(0.1)?).mass(0.5).at(DVec2::new(0.0, 2.0)).velocity(DVec2::X);
/// let ball = world.add(ball.material(rubber).named("ball"))?;
/// assert_eq!(world.find("ball"), Some(ball));
/// // What cannot be is refused, with the field, its value and what is allowed.
/// assert!(world.set_gravity(DVec2::new(f64::NAN, 0.0)).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct World<S: Shaped> {
    /// The materials that the bodies refer to.
    pub materials: Materials,
    fields: Fields<S>,
    integrator: Integrator,
    /// Of the box along each axis, m; zero where it is not periodic.
    periods: [f64; 3],
    shear: Option<Shear>,
    /// s.
    contact_time: Option<f64>,
    bodies: Vec<Body<S>>,
    /// With the place of the first body of each among the bodies.
    rooms: Vec<(Container<S>, usize)>,
    joints: Vec<Joint<S>>,
}

/// A world in 2-D.
pub type World2 = World<crate::space::Space2>;

/// A world in 3-D.
pub type World3 = World<crate::space::Space3>;

impl<S: Shaped> World<S> {
    /// An empty world without gravity.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uniform gravity, m/s².
    pub fn gravity(&self) -> S::Vector {
        self.fields.gravity
    }

    /// Sets the uniform gravity, m/s².
    pub fn set_gravity(&mut self, gravity: S::Vector) -> Result<(), WorldError> {
        if !gravity.is_finite() {
            return Err(WorldError::Gravity {
                value: format!("{gravity:?}"),
            });
        }
        self.fields.gravity = gravity;
        Ok(())
    }

    /// What acts on balls in flight.
    pub fn fields(&self) -> &Fields<S> {
        &self.fields
    }

    /// Sets what acts on balls in flight, gravity included: drag, wind, lift, central fields, springs.
    pub fn set_fields(&mut self, fields: Fields<S>) -> Result<(), WorldError> {
        fields.check()?;
        fields.check_in_box(self.periods)?;
        self.fields = fields;
        Ok(())
    }

    /// How flights are made where fields other than uniform gravity act.
    pub fn integrator(&self) -> Integrator {
        self.integrator
    }

    /// Sets how flights are made where fields other than uniform gravity act, and how exactly; explicit Euler, for
    /// comparison, also replaces the parabolas of uniform gravity.
    pub fn set_integrator(&mut self, integrator: Integrator) -> Result<(), WorldError> {
        integrator.check()?;
        self.integrator = integrator;
        Ok(())
    }

    /// Makes the world periodic along the axes that are given a length, m: what leaves the box `[0, length)` on one
    /// side comes in on the other. In 2-D the third is ignored.
    ///
    /// Fields must be the same on both sides of the box ([`Fields::check_in_box`]). Fixed bodies are repeated with the
    /// box. So are kinematic ones, but they are not brought back when their motion leads them out of it. A box that was
    /// [sheared](Self::set_shear) is so no longer.
    pub fn set_periodic(&mut self, lengths: [Option<f64>; 3]) -> Result<(), WorldError> {
        let mut periods = [0.0; 3];
        for axis in 0..S::DIMENSION {
            if let Some(value) = lengths[axis] {
                if !(value > 0.0 && value.is_finite()) {
                    return Err(WorldError::Period {
                        axis: AXES[axis],
                        value,
                    });
                }
                periods[axis] = value;
            }
        }
        self.fields.check_in_box(periods)?;
        self.periods = periods;
        self.shear = None;
        Ok(())
    }

    /// The lengths of the periodic box, m; zero along an axis that is not periodic.
    pub fn periods(&self) -> [f64; 3] {
        self.periods
    }

    /// The contact time, s, if there is one: see [`set_contact_time`](Self::set_contact_time).
    pub fn contact_time(&self) -> Option<f64> {
        self.contact_time
    }

    /// Sets the contact time t_c, s, of the TC model of Luding and McNamara: a collision of a ball that comes sooner
    /// than t_c after the last one of either ball takes no energy (ε is at least 1, and there is no friction).
    ///
    /// It gets a run past the point at which inelastic balls would collide infinitely often in a finite time. All other
    /// collisions stay as they are, to the bit. A good choice is what a real contact of such balls lasts, and well
    /// below the time between collisions; a ball that comes to rest on a floor has a collision every t_c.
    pub fn set_contact_time(&mut self, contact_time: Option<f64>) -> Result<(), WorldError> {
        match contact_time {
            Some(value) if !(value > 0.0 && value.is_finite()) => {
                Err(WorldError::ContactTime { value })
            }
            _ => {
                self.contact_time = contact_time;
                Ok(())
            }
        }
    }

    /// Adds a body, if its numbers are allowed: [`Body::free`], [`Body::fixed`] or [`Body::kinematic`].
    pub fn add(&mut self, body: impl IntoBody<S>) -> Result<BodyId, WorldError> {
        let id = self.bodies.len();
        let body = body
            .into_body()
            .map_err(|error| WorldError::of_body(id, error))?;
        if id >= MOST_MEMBERS {
            return Err(WorldError::Body {
                id,
                name: body.name.into(),
                field: "number",
                value: id.to_string(),
                allowed: "below 2²⁷",
            });
        }
        self.bodies.push(body);
        Ok(BodyId(id as u32))
    }

    /// Adds the walls of a container, in order, if their numbers are allowed. The world remembers on which side of them
    /// balls must start: inside one of the containers that have their balls inside, where there are any, and outside of
    /// all that have them outside. Balls that do not collide with the walls (groups) may start anywhere.
    pub fn add_container(&mut self, room: Container<S>) -> Result<Vec<BodyId>, WorldError> {
        let first = self.bodies.len();
        let added = room.bodies().into_iter().map(|body| self.add(body));
        match added.collect() {
            Ok(ids) => {
                self.rooms.push((room, first));
                Ok(ids)
            }
            Err(error) => {
                self.bodies.truncate(first);
                Err(error)
            }
        }
    }

    /// The bodies, in the order of insertion.
    pub fn bodies(&self) -> &[Body<S>] {
        &self.bodies
    }

    /// Takes the bodies out, in the order of insertion.
    pub(crate) fn into_bodies(self) -> Vec<Body<S>> {
        self.bodies
    }

    /// Takes the bodies out, and leaves everything else.
    pub(crate) fn take_bodies(&mut self) -> Vec<Body<S>> {
        std::mem::take(&mut self.bodies)
    }

    /// Puts bodies in that were accepted before, in the place of those that are there.
    pub(crate) fn put_bodies(&mut self, bodies: Vec<Body<S>>) {
        self.bodies = bodies;
    }

    /// A body as it was inserted.
    pub fn body(&self, id: BodyId) -> &Body<S> {
        &self.bodies[id.0 as usize]
    }

    /// The first body of that name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.bodies
            .iter()
            .position(|body| *body.name == *name)
            .map(|index| BodyId(index as u32))
    }

    /// Every body that the periodic box is too small for.
    ///
    /// A ball must be smaller than half the box, or it could touch two images of another at once; a wall without end
    /// must be along the axis. In a sheared box there are free balls alone.
    pub fn misfits(&self) -> Vec<WorldError> {
        let all = self.bodies.iter().enumerate();
        all.flat_map(|(id, body)| misfits(id, body, self.periods))
            .chain(self.unfit_for_shear())
            .collect()
    }

    /// Every body whose material is not in the table.
    pub fn without_material(&self) -> Vec<WorldError> {
        let all = self.bodies.iter().enumerate();
        all.filter_map(|(id, body)| check_material(id, body, &self.materials))
            .collect()
    }

    /// Every free ball that is not on the side of its containers' walls at time 0 where it must be.
    pub fn misplaced(&self) -> Vec<WorldError> {
        let mut found = Vec::new();
        for (a, body) in self.bodies.iter().enumerate() {
            if self.rooms.is_empty() || !matches!(body.kind, Kind::Free(_)) {
                continue;
            }
            let place = home::<S>(body.pose.position, self.periods);
            let judges = |side: Side| {
                let rooms = self.rooms.iter();
                rooms.filter(move |(room, _)| {
                    room.side() == side
                        && room.is_judge()
                        && room.groups().collides_with(body.groups)
                })
            };
            let name = |(room, first): &(Container<S>, usize)| {
                let (wall, distance) = room.nearest_wall(place);
                let b = first + wall;
                WorldError::Container {
                    a,
                    name_a: body.name.to_string(),
                    container: room.name().to_owned(),
                    belongs: match room.side() {
                        Side::Outside => "outside of",
                        _ => "inside",
                    },
                    b,
                    name_b: self.bodies[b].name.to_string(),
                    beyond: distance.abs(),
                }
            };
            if !judges(Side::Inside).any(|(room, _)| room.contains(place)) {
                let nearest = judges(Side::Inside)
                    .map(name)
                    .min_by(|a, b| a.depth().total_cmp(&b.depth()));
                found.extend(nearest);
            }
            let within = judges(Side::Outside).filter(|(room, _)| room.contains(place));
            found.extend(within.map(name));
        }
        found
    }

    /// Whether two bodies are a ball and a wall of a room on whose wrong side the ball is said to be: what else there
    /// is to say of the two follows from that. `misplaced` is in the order of the balls.
    fn follows_from(&self, misplaced: &[WorldError], (a, b): (usize, usize)) -> bool {
        let first = misplaced.partition_point(|error| error.pair().0 < a);
        let of_ball = misplaced[first..].iter().map(WorldError::pair);
        of_ball.take_while(|pair| pair.0 == a).any(|(_, wall)| {
            self.rooms.iter().any(|(room, first)| {
                let walls = *first..first + room.body_count();
                walls.contains(&wall) && walls.contains(&b)
            })
        })
    }

    /// Every pair that overlaps at time 0 by more than rounding explains, `16u` of the coordinates, and every ball that
    /// is on the wrong side of a wall or of a container's walls. Bodies that do not collide (groups, sensors) may
    /// overlap.
    pub fn overlaps(&self) -> Vec<WorldError> {
        if has_rigid_bodies(self) {
            let mut found = solids::overlaps(self);
            found.retain(|error| !self.are_jointed(error.pair()));
            found.extend(self.misplaced());
            return found;
        }
        let mut found = Vec::new();
        let mut balls: Vec<SizedBall<S>> = Vec::new();
        let mut fixture = Vec::new();
        for (index, body) in self.bodies.iter().enumerate() {
            match (&body.kind, &body.shape) {
                (Kind::Free(_), Shape::Ball(ball)) => balls.push(SizedBall {
                    id: index as u32,
                    place: body.pose.position,
                    radius: ball.radius,
                }),
                _ => fixture.push((index, body)),
            }
        }
        let largest = balls.iter().map(|ball| ball.radius).fold(0.0, f64::max);
        let crowd = if fixture.len() > FEW && balls.len() > FEW {
            Some(tree_of(&balls, self.periods))
        } else {
            None
        };
        let all: Vec<u32> = (0..balls.len() as u32).collect();
        for (b, other) in fixture {
            for image in image_boxes(other, self.periods, largest) {
                let mut pose = pose_at_start(other);
                pose.position += shift_of::<S>(image, self.periods);
                let near = crowd.as_ref().and_then(|crowd| {
                    let Extent { low, high } = Extent::around(&other.shape, &pose)?;
                    Some(crowd.near(DVec3::from_array(low), DVec3::from_array(high)))
                });
                for ball in near.as_ref().unwrap_or(&all) {
                    let ball = &balls[*ball as usize];
                    let a = ball.id as usize;
                    if !other.sensor && self.bodies[a].groups.collides_with(other.groups) {
                        let place = home::<S>(ball.place, self.periods);
                        let fault = Fault::with_fixtures::<S>(place, ball.radius, other, &pose);
                        found.extend(fault.map(|fault| self.fault(a, b, fault)));
                    }
                }
            }
        }
        let periods = self.with_images(&mut balls, largest);
        touching_pairs(&balls, periods, |a, b, distance| {
            let [a_id, b_id] = [a.id, b.id].map(|id| id as usize);
            if self.bodies[a_id]
                .groups
                .collides_with(self.bodies[b_id].groups)
            {
                let reach = a.radius + b.radius;
                let size = a.place.length().max(b.place.length()) + reach;
                let fault = Fault::overlap(reach - distance, size);
                found.extend(fault.map(|fault| self.fault(a_id, b_id, fault)));
            }
        });
        let misplaced = self.misplaced();
        found.retain(|error: &WorldError| {
            !self.follows_from(&misplaced, error.pair()) && !self.are_jointed(error.pair())
        });
        found.extend(misplaced);
        // In a box that is too small a pair may meet across several sides: the deepest overlap says it.
        found.order_by(|a, b| (a.pair().cmp(&b.pair())).then(b.depth().total_cmp(&a.depth())));
        found.dedup_by_key(|error| error.pair());
        found
    }

    fn fault(&self, a: usize, b: usize, fault: Fault) -> WorldError {
        fault.named((a, &self.bodies[a].name), (b, &self.bodies[b].name))
    }
}

/// So many balls, or pieces of fixture, are gone over one by one.
const FEW: usize = 64;

/// Over boxes around balls at home in the periodic box, somewhat larger than they are.
fn tree_of<S: Space>(balls: &[SizedBall<S>], periods: [f64; 3]) -> Tree {
    let around = |ball: &SizedBall<S>| {
        let place = DVec3::from_array(S::components(home::<S>(ball.place, periods)));
        let room = DVec3::splat(ball.radius * (1.0 + 1e-6) + 1e-12 * Linear::length(place));
        (place - room, place + room)
    };
    Tree::new(&balls.iter().map(around).collect::<Vec<_>>())
}

/// What is wrong with a body in a periodic box.
pub(crate) fn misfits<S: Shaped>(id: usize, body: &Body<S>, periods: [f64; 3]) -> Vec<WorldError> {
    let mut found = Vec::new();
    for axis in (0..S::DIMENSION).filter(|&axis| periods[axis] > 0.0) {
        let length = periods[axis];
        let reason = match (&body.shape, &body.kind) {
            (Shape::Ball(ball), Kind::Free(_)) if 4.0 * ball.radius >= length => {
                let diameter = 2.0 * ball.radius;
                format!("its diameter is {diameter} m, but must be below half the box")
            }
            (shape, Kind::Free(_)) if 4.0 * shape.reach() >= length => {
                let diameter = 2.0 * shape.reach();
                format!(
                    "the ball around its centre of mass has a diameter of {diameter} m, but it must be below half the box"
                )
            }
            (Shape::HalfSpace(wall), _) if S::components(wall.normal)[axis] != 0.0 => {
                "it is infinite, so that it must be along the axis".to_owned()
            }
            (_, Kind::Kinematic(_)) if body.sensor => {
                "a sensor that moves cannot be repeated".to_owned()
            }
            (Shape::HalfSpace(_), _) => continue,
            (shape, _) if !shape.reach().is_finite() => {
                "a container closes its inside off and cannot be repeated".to_owned()
            }
            _ => continue,
        };
        found.push(WorldError::Box {
            id,
            name: body.name.to_string(),
            axis: AXES[axis],
            length,
            reason,
        });
    }
    found
}

/// Whether a body is made of something that there is.
pub(crate) fn check_material<S: Shaped>(
    id: usize,
    body: &Body<S>,
    materials: &Materials,
) -> Option<WorldError> {
    (body.material.index() >= materials.len()).then(|| WorldError::Body {
        id,
        name: body.name.to_string(),
        field: "material",
        value: format!("number {}", body.material.index()),
        allowed: "one of this world's",
    })
}

/// The images of a static or kinematic body, in box lengths, that balls inside the box may meet; `largest` is the
/// largest radius of a ball, m.
pub(crate) fn image_boxes<S: Shaped>(
    body: &Body<S>,
    periods: [f64; 3],
    largest: f64,
) -> Vec<[i32; 3]> {
    let reach = body.shape.reach();
    let kinematic = matches!(body.kind, Kind::Kinematic(_));
    let place = S::components(body.pose.position);
    let mut images = vec![[0; 3]];
    for axis in 0..S::DIMENSION {
        let length = periods[axis];
        if length > 0.0 && reach.is_finite() {
            // Of a fixed body, those images whose surroundings reach into the box.
            let room = reach + largest;
            let (from, to) = if kinematic {
                (-1.0, 1.0)
            } else {
                (
                    ((-room - place[axis]) / length).ceil(),
                    ((length + room - place[axis]) / length).floor(),
                )
            };
            images = (from as i32..=to as i32)
                .flat_map(|boxes| {
                    images.iter().map(move |&(mut image)| {
                        image[axis] = boxes;
                        image
                    })
                })
                .collect();
        }
    }
    images
}

/// So many box lengths in metres.
pub(crate) fn shift_of<S: Space>(boxes: [i32; 3], periods: [f64; 3]) -> S::Vector {
    S::vector([0, 1, 2].map(|axis| f64::from(boxes[axis]) * periods[axis]))
}

const AXES: [char; 3] = ['x', 'y', 'z'];

fn pose_at_start<S: Shaped>(body: &Body<S>) -> Pose<S> {
    match &body.kind {
        Kind::Kinematic(drive) => drive.state_at(&body.pose, 0.0).pose,
        Kind::Free(_) | Kind::Static => body.pose,
    }
}

/// Refuses a body with a number that is not allowed.
pub(crate) fn check_body<S: Shaped>(id: usize, body: &Body<S>) -> Result<(), WorldError> {
    body.check().map_err(|error| WorldError::of_body(id, error))
}
