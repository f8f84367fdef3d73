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
use crate::material::{MaterialId, Surface};
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

/// What joints cannot be beside by impulses.
pub(super) fn unfit_joints<S: Shaped>(world: &World<S>) -> Vec<WorldError> {
    if world.joints().is_empty() {
        return Vec::new();
    }
    let beside = [
        (
            world.periods().iter().any(|&length| length > 0.0),
            "a periodic box",
        ),
        (!is_exact(world), "explicit Euler"),
        (
            is_any(world, |surface| surface.contact_duration > 0.0),
            "contacts of a duration of what joints hold",
        ),
    ];
    let wrong = beside.iter().filter(|(is_so, _)| *is_so);
    let mut errors: Vec<WorldError> = wrong
        .map(|(_, what)| WorldError::Solids {
            what: format!("joints beside {what} are followed by the force method alone, if at all"),
        })
        .collect();
    let find = |id: BodyId| Some(LinkedBody::Free(id.0));
    let all = Linkage::new(world.joints(), find, |_| Pose::at(S::Vector::ZERO));
    if all.entries() > MOST_ENTRIES {
        errors.push(too_entangled(all.entries()));
    }
    errors
}

/// Whether the joints of a world are followed in the steps of rigid bodies, and not on segments: they hold others than
/// balls, or such as rub, or are pulled at by something else than gravity.
pub(super) fn joined_in_steps<S: Shaped>(world: &World<S>) -> bool {
    let simple = |end: &Anchor<S>| match end {
        Anchor::World(_) => true,
        Anchor::Body { id, .. } => {
            let body = &world.bodies()[id.0 as usize];
            match (&body.kind, &body.shape) {
                (Kind::Static, _) => true,
                (Kind::Free(_), Shape::Ball(_)) => body.load.is_none(),
                _ => false,
            }
        }
    };
    let simple = world.joints().iter().flat_map(|it| &it.ends).all(simple);
    !world.joints().is_empty()
        && (!simple
            || has_rigid_bodies(world)
            || !world.fields().is_uniform()
            || is_any(world, |surface| !surface.is_smooth()))
}

fn is_exact<S: Shaped>(world: &World<S>) -> bool {
    !matches!(world.integrator(), Integrator::ExplicitEuler { .. })
}

/// Whether anything that joints hold is to any other body as is asked.
fn is_any<S: Shaped>(world: &World<S>, asked: impl Fn(&Surface) -> bool) -> bool {
    let held = world.joints().iter().flat_map(|joint| &joint.ends);
    let held: BTreeSet<MaterialId> = (held.filter_map(|end| end.body()))
        .map(|id| world.body(id).material)
        .collect();
    let all: BTreeSet<MaterialId> = world.bodies().iter().map(|body| body.material).collect();
    let pairs = held
        .iter()
        .flat_map(|&one| all.iter().map(move |&other| (one, other)));
    let mut surfaces = pairs.map(|(one, other)| world.materials.surface(one, other));
    surfaces.any(|surface| asked(&surface))
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

    /// The groups of a world in which nothing is refused, if there are joints that are followed on segments.
    pub fn of_world(world: &World<S>) -> Option<Box<Self>> {
        if world.joints().is_empty() || joined_in_steps(world) {
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
