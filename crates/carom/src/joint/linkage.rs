//! The joints of a run, and the bodies that they are about.

use super::rows::{EndMotion, FIXED, Row};
use super::{Anchor, Joint, JointKind};
use crate::body::BodyId;
use crate::motion::Pose;
use crate::space::{Linear, Space};
use glam::DVec3;
use std::collections::{BTreeMap, BTreeSet};

/// Which body an end is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LinkedBody {
    /// One that moves and answers, by its place among those.
    Free(u32),
    /// Something static or kinematic, by its place among those.
    Fixture(u32),
    /// The world.
    World,
}

/// How a body moves at an instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyMotion<S: Space> {
    pub pose: Pose<S>,
    pub velocity: S::Vector,
    pub angular_velocity: S::Angular,
    /// Of the origin of its frame, as its given motion has it, m/s²; zero for what answers.
    pub acceleration: S::Vector,
}

impl<S: Space> BodyMotion<S> {
    /// The world's.
    pub fn rest() -> Self {
        BodyMotion {
            pose: Pose::at(S::Vector::ZERO),
            velocity: S::Vector::ZERO,
            angular_velocity: S::Angular::ZERO,
            acceleration: S::Vector::ZERO,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct LinkedEnd<S: Space> {
    body: LinkedBody,
    /// In the body's frame, m.
    at: S::Vector,
}

#[derive(Clone, Copy, Debug)]
enum LinkedKind<S: Space> {
    /// With two directions of the first body and the axis in the second, each in its own frame.
    Pin {
        square: Option<[S::Vector; 3]>,
    },
    Rod {
        length: f64,
    },
    Spring(Spring),
}

#[derive(Clone, Copy, Debug)]
struct Spring {
    stiffness: f64,
    rest_length: f64,
    damping: f64,
}

#[derive(Clone, Copy, Debug)]
struct Linked<S: Space> {
    kind: LinkedKind<S>,
    ends: [LinkedEnd<S>; 2],
}

/// What a spring does at an instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull<S: Space> {
    pub bodies: [LinkedBody; 2],
    pub points: [S::Vector; 2],
    /// From the bodies' centres, m.
    pub arms: [S::Vector; 2],
    /// On the first, N.
    pub force: S::Vector,
    /// Of the points, m/s.
    pub velocities: [S::Vector; 2],
    /// To its damper, W.
    pub damper: f64,
    /// What it holds, J.
    pub stored: f64,
}

/// The joints of a run.
#[derive(Clone, Debug)]
pub(crate) struct Linkage<S: Space> {
    /// Those that are kept exactly, in the order in which their equations are solved.
    rigid: Vec<Linked<S>>,
    springs: Vec<Linked<S>>,
    /// Pairs that do not collide, each both ways round.
    apart: BTreeSet<(LinkedBody, LinkedBody)>,
    /// All bodies at an end of a joint.
    held: BTreeSet<LinkedBody>,
}

impl<S: Space> Linkage<S> {
    /// Of joints whose lengths are known. `find` says which body is which, or that it is not there; `start` how bodies
    /// are placed at the start.
    pub fn new(
        joints: &[Joint<S>],
        find: impl Fn(BodyId) -> Option<LinkedBody>,
        start: impl Fn(BodyId) -> Pose<S>,
    ) -> Self {
        let mut linkage = Linkage {
            rigid: Vec::new(),
            springs: Vec::new(),
            apart: BTreeSet::new(),
            held: BTreeSet::new(),
        };
        for joint in joints {
            let ends = joint.ends.map(|end| match end {
                Anchor::World(at) => Some(LinkedEnd {
                    body: LinkedBody::World,
                    at,
                }),
                Anchor::Body { id, at } => find(id).map(|body| LinkedEnd { body, at }),
            });
            let [Some(a), Some(b)] = ends else {
                continue;
            };
            if !joint.collides {
                linkage.apart.insert((a.body, b.body));
                linkage.apart.insert((b.body, a.body));
            }
            linkage.held.extend([a.body, b.body]);
            let poses = joint.ends.map(|end| match end.body() {
                Some(id) => start(id),
                None => Pose::at(S::Vector::ZERO),
            });
            let linked = Linked {
                kind: LinkedKind::new(joint, &poses),
                ends: [a, b],
            };
            if joint.is_rigid() {
                linkage.rigid.push(linked);
            } else {
                linkage.springs.push(linked);
            }
        }
        linkage.rigid = in_good_order(linkage.rigid);
        linkage
    }

    /// The joints whose free bodies all have a place in another list.
    pub fn among(&self, place: impl Fn(u32) -> Option<u32>) -> Self {
        let of = |linked: &Linked<S>| {
            let mut linked = *linked;
            for end in &mut linked.ends {
                if let LinkedBody::Free(at) = &mut end.body {
                    *at = place(*at)?;
                }
            }
            Some(linked)
        };
        Linkage {
            rigid: self.rigid.iter().filter_map(of).collect(),
            springs: self.springs.iter().filter_map(of).collect(),
            apart: BTreeSet::new(),
            held: BTreeSet::new(),
        }
    }

    /// The two bodies of each joint.
    pub fn pairs(&self) -> impl Iterator<Item = [LinkedBody; 2]> + '_ {
        let all = self.rigid.iter().chain(&self.springs);
        all.map(|linked| linked.ends.map(|end| end.body))
    }

    /// Whether a joint holds a body.
    pub fn holds(&self, body: LinkedBody) -> bool {
        self.held.contains(&body)
    }

    /// Whether two bodies pass through each other because a joint holds them.
    pub fn keeps_apart(&self, a: LinkedBody, b: LinkedBody) -> bool {
        self.apart.contains(&(a, b))
    }

    /// Whether there is any pair of that kind.
    pub fn keeps_any_apart(&self) -> bool {
        !self.apart.is_empty()
    }

    /// Whether nothing is kept exactly: there are springs alone.
    pub fn is_soft(&self) -> bool {
        self.rigid.is_empty()
    }

    /// How many numbers the factor of the equations has.
    pub fn entries(&self) -> usize {
        let mut first_of: BTreeMap<LinkedBody, usize> = BTreeMap::new();
        let (mut row, mut entries) = (0_usize, 0_usize);
        for linked in &self.rigid {
            let rows = match &linked.kind {
                LinkedKind::Pin { square: None } => S::DIMENSION,
                LinkedKind::Pin { square: Some(_) } => S::DIMENSION + 2,
                LinkedKind::Rod { .. } | LinkedKind::Spring(_) => 1,
            };
            let free = linked.ends.iter().map(|end| end.body);
            let free = free.filter(|body| matches!(body, LinkedBody::Free(_)));
            let first = free.map(|body| *first_of.entry(body).or_insert(row));
            let first = first.min().unwrap_or(row);
            entries = entries.saturating_add(rows * (row + rows - first));
            row += rows;
        }
        entries
    }

    /// All equations at an instant.
    pub fn rows(&self, motion: impl Fn(LinkedBody) -> BodyMotion<S>) -> Vec<Row<S>> {
        let mut rows = Vec::with_capacity(S::DIMENSION * self.rigid.len());
        for linked in &self.rigid {
            let motions = linked.ends.map(|end| motion(end.body));
            let ends = [0, 1].map(|side| linked.ends[side].moving(&motions[side]));
            match &linked.kind {
                LinkedKind::Pin { square } => {
                    rows.extend(Row::pin(&ends[0], &ends[1]));
                    if let Some([one, other, axis]) = square {
                        let turned = |side: usize, own: S::Vector| {
                            let world = S::rotate(motions[side].pose.rotation, own);
                            DVec3::from_array(S::components(world))
                        };
                        let axis = turned(1, *axis);
                        for own in [one, other] {
                            let directions = [turned(0, *own), axis];
                            rows.push(Row::square(&ends[0], &ends[1], directions));
                        }
                    }
                }
                LinkedKind::Rod { length } => rows.push(Row::rod(&ends[0], &ends[1], *length)),
                LinkedKind::Spring(_) => {}
            }
        }
        rows
    }

    /// What all springs do at an instant.
    pub fn pulls(
        &self,
        motion: impl Fn(LinkedBody) -> BodyMotion<S>,
    ) -> impl Iterator<Item = Pull<S>> {
        self.springs.iter().filter_map(move |linked| {
            let LinkedKind::Spring(spring) = &linked.kind else {
                return None;
            };
            let ends = linked.ends.map(|end| end.moving(&motion(end.body)));
            Some(spring.pull(linked.ends.map(|end| end.body), &ends))
        })
    }

    /// Of each spring the stiffness (N/m), the damping (N·s/m) and its two ends: the body, and the anchor in its frame.
    pub fn springs(&self) -> impl Iterator<Item = (f64, f64, [(LinkedBody, S::Vector); 2])> + '_ {
        self.springs.iter().filter_map(|linked| match &linked.kind {
            LinkedKind::Spring(spring) => {
                let ends = linked.ends.map(|end| (end.body, end.at));
                Some((spring.stiffness, spring.damping, ends))
            }
            _ => None,
        })
    }

    /// Of each joint that is kept exactly the lengths about which its bodies can swing: the arms of a hinge, and the
    /// length of a rod, m.
    pub fn arms(&self) -> impl Iterator<Item = ([LinkedBody; 2], [f64; 3])> + '_ {
        self.rigid.iter().map(|linked| {
            let arm = |end: &LinkedEnd<S>| match end.body {
                LinkedBody::Free(_) => end.at.length(),
                _ => 0.0,
            };
            let rod = match linked.kind {
                LinkedKind::Rod { length } => length,
                _ => 0.0,
            };
            let [a, b] = &linked.ends;
            ([a.body, b.body], [arm(a), arm(b), rod])
        })
    }
}

impl<S: Space> LinkedEnd<S> {
    fn moving(&self, motion: &BodyMotion<S>) -> EndMotion<S> {
        let arm = S::rotate(motion.pose.rotation, self.at);
        let turned = S::surface_velocity(motion.angular_velocity, arm);
        let inwards = S::surface_velocity(motion.angular_velocity, turned);
        EndMotion {
            body: match self.body {
                LinkedBody::Free(place) => place,
                _ => FIXED,
            },
            point: motion.pose.position + arm,
            arm,
            velocity: motion.velocity + turned,
            angular_velocity: motion.angular_velocity,
            bent: motion.acceleration + inwards,
        }
    }
}

impl<S: Space> LinkedKind<S> {
    fn new(joint: &Joint<S>, poses: &[Pose<S>; 2]) -> Self {
        match joint.kind {
            JointKind::Hinge { axis } => LinkedKind::Pin {
                square: axis.and_then(|axis| axis.unit()).map(|axis| {
                    let [x, y, z] = S::components(axis);
                    let (one, other) = DVec3::new(x, y, z).any_orthonormal_pair();
                    let world = S::rotate(poses[0].rotation, axis);
                    let in_second = S::unrotate(poses[1].rotation, world);
                    let [one, other] = [one, other].map(|it| S::vector(it.to_array()));
                    [one, other, in_second]
                }),
            },
            JointKind::Distance { length } => LinkedKind::Rod {
                length: length.unwrap_or(0.0),
            },
            JointKind::Spring {
                stiffness,
                rest_length,
                damping,
            } => LinkedKind::Spring(Spring {
                stiffness,
                rest_length: rest_length.unwrap_or(0.0),
                damping,
            }),
        }
    }
}

impl Spring {
    /// `F = −(k (|d| − l) + c n·ḋ) n` on the first, `n = d/|d|`. With both ends at one point it has no direction, and
    /// does not pull.
    fn pull<S: Space>(&self, bodies: [LinkedBody; 2], ends: &[EndMotion<S>; 2]) -> Pull<S> {
        let [a, b] = ends;
        let apart = a.point - b.point;
        let direction = apart.unit().unwrap_or(S::Vector::ZERO);
        let stretch = apart.length() - self.rest_length;
        let parting = direction.dot(a.velocity - b.velocity);
        Pull {
            bodies,
            points: [a.point, b.point],
            arms: [a.arm, b.arm],
            force: direction * -(self.stiffness * stretch + self.damping * parting),
            velocities: [a.velocity, b.velocity],
            damper: self.damping * parting * parting,
            stored: 0.5 * self.stiffness * stretch * stretch,
        }
    }
}

/// Joints that share a body next to each other, along each chain from an end of it (Cuthill and McKee's order): so the
/// skyline of their equations stays low.
fn in_good_order<S: Space>(joints: Vec<Linked<S>>) -> Vec<Linked<S>> {
    let mut of_body: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, linked) in joints.iter().enumerate() {
        for end in &linked.ends {
            if let LinkedBody::Free(place) = end.body {
                of_body.entry(place).or_default().push(index);
            }
        }
    }
    let beside: Vec<BTreeSet<usize>> = (joints.iter().enumerate())
        .map(|(index, linked)| {
            let bodies = linked.ends.iter().filter_map(|end| match end.body {
                LinkedBody::Free(place) => Some(place),
                _ => None,
            });
            let all = bodies.flat_map(|place| of_body[&place].iter().copied());
            all.filter(|&other| other != index).collect()
        })
        .collect();
    let mut starts: Vec<usize> = (0..joints.len()).collect();
    starts.sort_by_key(|&index| (beside[index].len(), index));
    let mut seen = vec![false; joints.len()];
    let mut order = Vec::with_capacity(joints.len());
    for start in starts {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut next = order.len();
        order.push(start);
        while next < order.len() {
            let mut around: Vec<usize> = beside[order[next]].iter().copied().collect();
            around.retain(|&other| !seen[other]);
            around.sort_by_key(|&other| (beside[other].len(), other));
            for other in around {
                seen[other] = true;
                order.push(other);
            }
            next += 1;
        }
    }
    order.into_iter().map(|index| joints[index]).collect()
}
