//! Balls that joints hold, by impulses: groups that move together on trajectory segments.
//!
//! What joints hold flies on no parabola. All balls of a group are on segments that begin and end at the same instants:
//! polynomials of degree 5 with the places, velocities and accelerations of both ends, between which the equations of
//! motion (with the multipliers of `joint/`) are integrated by Runge and Kutta's fourth-order scheme, so finely that
//! halving the steps changes nothing beyond [`motion::ACCURATE`]. So contacts with others are found by the kernels for
//! segments, at their instants, and only the impulse of a collision has to know of the joints: it meets the mass that
//! the whole group has there. A joint that is not at the centre of a ball turns it, too: then the angular velocities
//! are polynomials as well, and orientations are integrated with them.

mod motion;

use crate::body::{Body, BodyId, Kind};
use crate::joint::{Anchor, Joint, JointKind, Linkage, LinkedBody, MOST_ENTRIES};
use crate::material::MaterialId;
use crate::motion::{Integrator, Pose, TrajectorySegment};
use crate::shape::{Shape, Shaped};
use crate::space::{Linear, Space};
use crate::world::{World, WorldError, has_rigid_bodies, too_entangled};
use std::collections::{BTreeMap, BTreeSet};

/// All groups of a run.
#[derive(Clone, Debug)]
pub(super) struct Jointed<S: Space> {
    /// As they were put in.
    pub joints: Vec<Joint<S>>,
    pub groups: Vec<Group<S>>,
    /// The group of a ball, and its place there.
    of_body: BTreeMap<BodyId, (u32, u32)>,
}

/// Balls that joints hold together.
#[derive(Clone, Debug)]
pub(super) struct Group<S: Space> {
    pub members: Vec<BodyId>,
    pub masses: Vec<f64>,
    /// kg·m²; infinite for what cannot be spun.
    pub inertias: Vec<f64>,
    /// Whether joints turn its balls: one of them is not at the centre of a ball.
    pub turns: bool,
    linkage: Linkage<S>,
    /// When the segments began that it is on, by the run's clock, s; by place.
    pub since: f64,
    pub segments: Vec<TrajectorySegment<S>>,
    /// Orientations when they began.
    pub rotations: Vec<S::Rotation>,
    /// m/s².
    gravity: S::Vector,
}

/// Where the balls of a group are and how they move, by place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GroupState<S: Space> {
    pub positions: Vec<S::Vector>,
    pub velocities: Vec<S::Vector>,
    pub rotations: Vec<S::Rotation>,
    pub spins: Vec<S::Angular>,
}

/// What is added to velocities and angular velocities, or how fast, by place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pushes<S: Space> {
    pub linear: Vec<S::Vector>,
    pub angular: Vec<S::Angular>,
}

impl<S: Space> Pushes<S> {
    pub fn none(number: usize) -> Self {
        Pushes {
            linear: vec![S::Vector::ZERO; number],
            angular: vec![S::Angular::ZERO; number],
        }
    }
}

/// Whether a joint turns the balls that it holds: it is not at the centre of each.
pub(super) fn turns_balls<S: Space>(joint: &Joint<S>) -> bool {
    let off_centre =
        |end: &Anchor<S>| matches!(end, Anchor::Body { at, .. } if *at != S::Vector::ZERO);
    joint.ends.iter().any(off_centre) || matches!(joint.kind, JointKind::Hinge { axis: Some(_) })
}

/// What joints have done on a segment, for the budget.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GroupWork<S: Space> {
    /// From the world, kg·m/s and kg·m²/s.
    pub momentum: S::Vector,
    pub angular: S::Angular,
    /// To dampers, J.
    pub damped: f64,
}

/// What joints cannot be, or be beside, by impulses.
pub(super) fn unfit_joints<S: Shaped>(world: &World<S>) -> Vec<WorldError> {
    let mut wrong = Vec::new();
    for (index, joint) in world.joints().iter().enumerate() {
        let what = refused(joint, world.bodies());
        wrong.extend(what.map(|what| format!("joint {index} ({}): {what}", joint.name)));
    }
    if !world.joints().is_empty() {
        let beside = [
            (has_rigid_bodies(world), "rigid bodies"),
            (
                !world.fields().is_uniform(),
                "fields other than uniform gravity",
            ),
            (
                world.periods().iter().any(|&length| length > 0.0),
                "a periodic box",
            ),
            (!is_exact(world), "explicit Euler"),
            (
                !smooth(world),
                "friction, or contacts of a duration, of what joints hold",
            ),
        ];
        wrong.extend(beside.iter().filter(|(is_so, _)| *is_so).map(|(_, what)| {
            format!("joints beside {what} are followed by the force method alone, if at all")
        }));
    }
    let mut errors: Vec<WorldError> = (wrong.into_iter())
        .map(|what| WorldError::Solids { what })
        .collect();
    let find = |id: BodyId| Some(LinkedBody::Free(id.0));
    let all = Linkage::new(world.joints(), find, |_| Pose::at(S::Vector::ZERO));
    if errors.is_empty() && all.entries() > MOST_ENTRIES {
        errors.push(too_entangled(all.entries()));
    }
    errors
}

fn is_exact<S: Shaped>(world: &World<S>) -> bool {
    !matches!(world.integrator(), Integrator::ExplicitEuler { .. })
}

/// Whether impulses on what joints hold can only be along the normal, and take no time.
fn smooth<S: Shaped>(world: &World<S>) -> bool {
    let held = world.joints().iter().flat_map(|joint| &joint.ends);
    let held: BTreeSet<MaterialId> = (held.filter_map(|end| end.body()))
        .map(|id| world.body(id).material)
        .collect();
    let all: BTreeSet<MaterialId> = world.bodies().iter().map(|body| body.material).collect();
    held.iter().all(|&one| {
        all.iter().all(|&other| {
            let surface = world.materials.surface(one, other);
            surface.is_smooth() && surface.contact_duration == 0.0
        })
    })
}

fn refused<S: Shaped>(joint: &Joint<S>, bodies: &[Body<S>]) -> Option<String> {
    for end in &joint.ends {
        let Anchor::Body { id, .. } = end else {
            continue;
        };
        let body = &bodies[id.0 as usize];
        let what = match (&body.kind, &body.shape) {
            (Kind::Static, _) => continue,
            (Kind::Kinematic(_), _) => "a kinematic body",
            (Kind::Free(_), Shape::Ball(_)) if body.load.is_some() => {
                "a body on which an external force acts"
            }
            (Kind::Free(_), Shape::Ball(_)) => continue,
            _ => "a rigid body that is no ball",
        };
        let name = &body.name;
        return Some(format!(
            "it holds {what} (body {}, {name}), which the force method alone follows",
            id.0
        ));
    }
    None
}

impl<S: Shaped> Jointed<S> {
    /// The groups of joints that are not refused; `bodies` by their numbers.
    pub fn new(joints: Vec<Joint<S>>, bodies: &dyn Fn(BodyId) -> Option<Body<S>>) -> Option<Self> {
        let is_free =
            |id: &BodyId| bodies(*id).is_some_and(|body| matches!(body.kind, Kind::Free(_)));
        let ends = |joint: &Joint<S>| {
            let ids = joint.ends.iter().filter_map(|end| end.body());
            ids.filter(is_free).collect::<Vec<BodyId>>()
        };
        // Which group each ball is in, by the lowest number in it.
        let mut lowest: BTreeMap<BodyId, BodyId> = BTreeMap::new();
        for joint in &joints {
            let ends = ends(joint);
            let heads: Vec<BodyId> = (ends.iter())
                .map(|id| *lowest.entry(*id).or_insert(*id))
                .collect();
            let first = *heads.iter().min()?;
            for head in lowest.values_mut().filter(|head| heads.contains(head)) {
                *head = first;
            }
        }
        let mut groups: BTreeMap<BodyId, Vec<BodyId>> = BTreeMap::new();
        for (&id, &head) in &lowest {
            groups.entry(head).or_default().push(id);
        }
        let mut all = Jointed {
            joints,
            groups: Vec::new(),
            of_body: BTreeMap::new(),
        };
        for members in groups.into_values() {
            let own: Vec<Joint<S>> = (all.joints.iter())
                .filter(|joint| ends(joint).iter().any(|id| members.contains(id)))
                .cloned()
                .collect();
            for (place, &id) in members.iter().enumerate() {
                let at = (all.groups.len() as u32, place as u32);
                all.of_body.insert(id, at);
            }
            all.groups.push(Group::new(members, &own, bodies)?);
        }
        Some(all)
    }

    /// The groups of a world in which nothing is refused, if there are joints.
    pub fn of_world(world: &World<S>) -> Option<Box<Self>> {
        if world.joints().is_empty() {
            return None;
        }
        let body = |id: BodyId| world.bodies().get(id.0 as usize).cloned();
        Self::new(world.joints().to_vec(), &body).map(Box::new)
    }

    /// The pairs that pass through each other because a joint holds them.
    pub fn apart(&self) -> Vec<(BodyId, BodyId)> {
        let held = self.joints.iter().filter(|joint| !joint.collides);
        let pairs = held.filter_map(|joint| {
            let [a, b] = joint.ends.map(|end| end.body());
            Some((a?, b?))
        });
        pairs.collect()
    }

    /// The group of a ball, and its place there.
    pub fn find(&self, id: BodyId) -> Option<(usize, usize)> {
        let found = self.of_body.get(&id);
        found.map(|&(group, place)| (group as usize, place as usize))
    }
}

impl<S: Shaped> Group<S> {
    fn new(
        members: Vec<BodyId>,
        joints: &[Joint<S>],
        bodies: &dyn Fn(BodyId) -> Option<Body<S>>,
    ) -> Option<Self> {
        let free = members.iter().map(|&id| match bodies(id)?.kind {
            Kind::Free(free) => Some((free.mass, free.inertia)),
            _ => None,
        });
        let (masses, inertias) = free
            .collect::<Option<Vec<(f64, f64)>>>()?
            .into_iter()
            .unzip();
        let turns = joints.iter().any(turns_balls);
        // Points of static bodies are points of the world.
        let mut own = joints.to_vec();
        for joint in &mut own {
            for side in [0, 1] {
                let Anchor::Body { id, at } = joint.ends[side] else {
                    continue;
                };
                if members.contains(&id) {
                    continue;
                }
                let pose = bodies(id)?.pose;
                joint.ends[side] = Anchor::World(pose.to_world(at));
                if let (0, JointKind::Hinge { axis: Some(axis) }) = (side, &mut joint.kind) {
                    *axis = S::rotate(pose.rotation, *axis);
                }
            }
        }
        let find = |id: BodyId| {
            let place = members.binary_search(&id).ok()?;
            Some(LinkedBody::Free(place as u32))
        };
        let start = |id: BodyId| bodies(id).map_or(Pose::at(S::Vector::ZERO), |body| body.pose);
        let linkage = Linkage::new(&own, find, start);
        Some(Group {
            members,
            masses,
            inertias,
            turns,
            linkage,
            since: 0.0,
            segments: Vec::new(),
            rotations: Vec::new(),
            gravity: S::Vector::ZERO,
        })
    }
}
