//! Joints of a world: which can be, and how they fit the bodies at the start.

use super::{World, WorldError};
use crate::body::Kind;
use crate::joint::{
    Anchor, BodyMotion, Joint, JointFault, JointId, JointKind, Linkage, LinkedBody, MOST_ENTRIES,
};
use crate::motion::Drive;
use crate::shape::Shaped;
use crate::space::Linear;

/// How far the ends of a joint may be from where they must be, and how fast they may leave, in the sizes and speeds of
/// what it holds: what numbers that people write down leave. The first step puts it right.
const FITS: f64 = 1e-9;

/// Joints whose equations, so many numbers, would not fit into memory.
pub(crate) fn too_entangled(entries: usize) -> WorldError {
    WorldError::Solids {
        what: format!(
            "the hinges and rods have {entries} dependences on each other, but may have at most {MOST_ENTRIES}: fewer of them, or chains in place of nets"
        ),
    }
}

impl<S: Shaped> World<S> {
    /// Adds a joint between bodies that are there, or a body and a point of the world.
    ///
    /// Refused where a number is not allowed, where no free body is at either end, and where the bodies are not as a
    /// hinge or a rod would hold them: the two points of a hinge must coincide, those of a rod have its length, and
    /// neither may change, to 10⁻⁹.
    pub fn add_joint(&mut self, joint: Joint<S>) -> Result<JointId, WorldError> {
        let id = self.joints.len();
        match self.fitted(joint.clone()) {
            Ok(joint) => {
                self.joints.push(joint);
                Ok(JointId(id as u32))
            }
            Err(fault) => Err(WorldError::Joint {
                id,
                name: joint.name.into(),
                field: fault.field,
                value: fault.value,
                allowed: fault.allowed,
            }),
        }
    }

    /// The joints, in the order of insertion, with the lengths that follow from the start.
    pub fn joints(&self) -> &[Joint<S>] {
        &self.joints
    }

    /// Whether two bodies, by their numbers, pass through each other because a joint that says so holds them.
    pub fn are_jointed(&self, (a, b): (usize, usize)) -> bool {
        let apart = self.joints.iter().filter(|joint| !joint.collides);
        apart
            .map(|joint| joint.ends.map(|end| end.body().map(|id| id.0 as usize)))
            .any(|ends| ends == [Some(a), Some(b)] || ends == [Some(b), Some(a)])
    }

    /// A joint with the lengths that follow from the start, if it can be.
    fn fitted(&self, mut joint: Joint<S>) -> Result<Joint<S>, JointFault> {
        joint.check()?;
        let mut free = false;
        for end in &joint.ends {
            let Some(id) = end.body() else { continue };
            let Some(body) = self.bodies.get(id.0 as usize) else {
                let allowed = "a body of this world";
                return Err(JointFault::new(
                    "between",
                    format!("body {}", id.0),
                    allowed,
                ));
            };
            let what = || format!("{} ({})", id.0, body.name);
            if body.sensor {
                let allowed = "a body that others can touch, not a sensor";
                return Err(JointFault::new("between", what(), allowed));
            }
            let jumps = matches!(
                body.kind,
                Kind::Kinematic(Drive::Path { .. } | Drive::Swing { .. })
            );
            if jumps && joint.is_rigid() {
                let allowed =
                    "no body whose velocity jumps (a path, a swing): a spring can hold on to one";
                return Err(JointFault::new("between", what(), allowed));
            }
            free |= matches!(body.kind, Kind::Free(_));
        }
        if !free {
            let allowed =
                "two bodies of which one is free, or a free body and a point of the world";
            return Err(JointFault::new("between", "nothing that is free", allowed));
        }
        self.measure(&mut joint)?;
        self.check_fit(&joint)?;
        Ok(joint)
    }

    /// How an end's body moves at the start.
    fn at_start(&self, end: &Anchor<S>) -> BodyMotion<S> {
        let Some(body) = end.body().map(|id| &self.bodies[id.0 as usize]) else {
            return BodyMotion::rest();
        };
        let rest = BodyMotion {
            pose: body.pose,
            ..BodyMotion::rest()
        };
        match &body.kind {
            Kind::Static => rest,
            Kind::Free(free) => BodyMotion {
                velocity: free.velocity,
                angular_velocity: free.angular_velocity,
                ..rest
            },
            Kind::Kinematic(drive) => {
                let state = drive.state_at(&body.pose, 0.0);
                BodyMotion {
                    pose: state.pose,
                    velocity: state.velocity,
                    angular_velocity: state.angular_velocity,
                    ..rest
                }
            }
        }
    }

    /// Fills in lengths that follow from the start.
    fn measure(&self, joint: &mut Joint<S>) -> Result<(), JointFault> {
        let [a, b] = joint.ends.map(|end| {
            let pose = self.at_start(&end).pose;
            match end {
                Anchor::World(point) => point,
                Anchor::Body { at, .. } => pose.position + S::rotate(pose.rotation, at),
            }
        });
        // Of all numbers that the two points are made of.
        let sizes = joint.ends.map(|end| match end {
            Anchor::World(point) => point.length(),
            Anchor::Body { at, .. } => self.at_start(&end).pose.position.length() + at.length(),
        });
        let (apart, size) = ((a - b).length(), sizes[0] + sizes[1]);
        match &mut joint.kind {
            JointKind::Hinge { .. } if apart > FITS * size => Err(JointFault::new(
                "anchors",
                format!("{apart:e} m apart at the start"),
                "at one point",
            )),
            JointKind::Hinge { .. } => Ok(()),
            JointKind::Distance { length } => {
                let wanted = *length.get_or_insert(apart);
                if !(apart > FITS * size) {
                    let allowed = "apart at the start: a hinge holds two points together";
                    return Err(JointFault::new("anchors", "at one point", allowed));
                }
                if (apart - wanted).abs() > FITS * (size + wanted) {
                    let allowed = format!("the distance of its ends at the start, {apart} m");
                    return Err(JointFault::new("length", format!("{wanted} m"), allowed));
                }
                Ok(())
            }
            JointKind::Spring { rest_length, .. } => {
                let rest = *rest_length.get_or_insert(apart);
                if apart == 0.0 && rest > 0.0 {
                    let allowed = "apart at the start, or the rest_length 0: a spring whose ends are at one point has no direction to push them apart in";
                    return Err(JointFault::new("anchors", "at one point", allowed));
                }
                Ok(())
            }
        }
    }

    /// Refuses velocities that a hinge or a rod does not allow.
    fn check_fit(&self, joint: &Joint<S>) -> Result<(), JointFault> {
        let find = |id: crate::body::BodyId| Some(LinkedBody::Free(id.0));
        let start = |id: crate::body::BodyId| self.at_start(&Anchor::from(id)).pose;
        let linkage = Linkage::new(std::slice::from_ref(joint), find, start);
        let motion = |body: LinkedBody| match body {
            LinkedBody::Free(id) => self.at_start(&Anchor::from(crate::body::BodyId(id))),
            _ => BodyMotion::rest(),
        };
        let speeds = joint.ends.iter().map(|end| {
            let motion = self.at_start(end);
            let arm = match end {
                Anchor::Body { at, .. } => at.length() + 1.0,
                Anchor::World(_) => 0.0,
            };
            motion.velocity.length() + motion.angular_velocity.length() * arm
        });
        let speed: f64 = speeds.sum();
        for row in linkage.rows(motion) {
            if row.rate.abs() > FITS * speed {
                let turns = row.along == S::Vector::ZERO;
                let (value, allowed) = match (joint.kind, turns) {
                    (_, true) => (
                        format!(
                            "such that the bodies turn across the axis at {:e} rad/s",
                            row.rate.abs()
                        ),
                        "such that they turn about the axis alone",
                    ),
                    (JointKind::Distance { .. }, _) => (
                        format!("such that the ends part at {:e} m/s", row.rate),
                        "such that the ends keep their distance",
                    ),
                    _ => (
                        format!("such that the ends part at {:e} m/s", row.rate.abs()),
                        "such that the ends stay together",
                    ),
                };
                return Err(JointFault::new("velocity", value, allowed));
            }
        }
        Ok(())
    }
}
