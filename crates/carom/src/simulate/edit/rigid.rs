//! Changes of rigid bodies, and of others among them.

use crate::audit::Holdings;
use crate::body::{Body, Free, Kind};
use crate::broad::home;
use crate::impact::Strikable;
use crate::motion::Pose;
use crate::order::InOrder;
use crate::record::Velocities;
use crate::shape::Obstacle;
use crate::shape::convex::{Compound, fixed_form, free_form, meetings};
use crate::simulate::bodies::Bodies;
use crate::simulate::exact::Exact;
use crate::simulate::fixture::state_of;
use crate::simulate::inertials::Inertial;
use crate::simulate::members::NewBall;
use crate::simulate::rigid::{MARGIN, Prop, RigidBody};
use crate::space::Linear;
use crate::world::{BodyId, WorldError, image_boxes, shift_of};

/// How deep a body that is put somewhere may overlap others, in sizes and coordinates: what rounding of turned corners
/// explains.
const ROUNDING: f64 = 1e-12;

impl<S: Strikable> Bodies<S> {
    /// A rigid body, to be changed.
    pub fn rigid_mut(&mut self, id: BodyId) -> Option<&mut RigidBody<S>> {
        let rigids = self.balls.rigids_mut()?;
        let member = rigids.member(id)?;
        rigids.kept.clear();
        rigids.world.inert.get_mut(member as usize)
    }
}

impl<S: Strikable> Exact<S> {
    /// Makes room for rigid bodies, where there is none; why that cannot be.
    pub(super) fn use_rigids(&mut self) -> Vec<WorldError> {
        if self.has_rigids() {
            return Vec::new();
        }
        let settling = self.settling;
        match self.stage.use_rigids(&settling) {
            Ok(()) => {
                self.let_turn();
                self.plan_anew();
                Vec::new()
            }
            Err(wrong) => wrong,
        }
    }

    /// Why a body cannot be among rigid bodies, or be one in this run.
    pub(super) fn unfit_among_rigids(&self, id: BodyId, body: &Body<S>) -> Vec<WorldError> {
        let wrong = match body.kind {
            Kind::Free(_) => RigidBody::new(body, id).err(),
            _ => Prop::new(body, id, 0.0).err(),
        };
        wrong.into_iter().collect()
    }

    pub(super) fn insert_rigid(&mut self, id: BodyId, free: Free<S>, body: Body<S>) {
        self.weigh();
        self.weight.mass += free.mass;
        let new = NewBall {
            id,
            radius: MARGIN * body.shape.reach(),
            pose: body.pose,
            free,
            inertial: Inertial::new(free.mass, f64::INFINITY, body.material),
            groups: body.groups,
        };
        if self.stage.balls.is_periodic() && new.radius > self.stage.largest {
            // There will be more images of fixtures: what touches them now will touch others of the same.
            self.wake_rigids();
        }
        let slot = (self.stage).admit(&new, self.clock, self.registry.all_fixtures());
        self.stage.renew_props();
        let clock = self.clock;
        if let Some(rigids) = self.stage.balls.rigids_mut() {
            // It has been looked at before.
            let _ = rigids.admit(&body, id, clock);
        }
        if let Some(load) = &body.load {
            self.stage.loads.insert(id, load.clone());
            self.stage.renew_pulls();
        }
        self.registry.enter(id, body, true);
        self.stage.fit_radii();
        self.stage.follow_member(id);
        self.ledger
            .give(&Holdings::default(), &self.holdings_of(slot));
        self.plan_anew();
        self.lead_rigid(id);
    }

    /// All bodies that a body would overlap now, where there are rigid bodies.
    pub(super) fn overlaps_of_rigid(&self, id: BodyId, body: &Body<S>) -> Vec<WorldError> {
        let form = |body: &Body<S>| match &body.kind {
            Kind::Free(free) => free_form(&body.shape, free.mass).ok(),
            _ => fixed_form(&body.shape),
        };
        let periods = self.periods();
        let pose = |body: &Body<S>| match &body.kind {
            Kind::Free(_) => Pose {
                position: home::<S>(body.pose.position, periods),
                ..body.pose
            },
            _ => state_of(body, self.time).pose,
        };
        let free = matches!(body.kind, Kind::Free(_));
        let (Some(own), here) = (form(body), pose(body)) else {
            return Vec::new();
        };
        if body.sensor {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut look = |other: BodyId, it: &Body<S>, its: &Compound<S>, there: &Pose<S>| {
            let finite = |reach: f64| if reach.is_finite() { reach } else { 0.0 };
            let size = here.position.length().max(there.position.length())
                + finite(own.reach())
                + finite(its.reach());
            let met = meetings(&own, &here, its, there, 0.0);
            let depth = met.iter().map(|(_, _, m)| m.depth).fold(0.0, f64::max);
            let allowed = ROUNDING * size;
            if depth > allowed {
                found.push(WorldError::Overlap {
                    a: id.0 as usize,
                    name_a: body.name.to_string(),
                    b: other.0 as usize,
                    name_b: it.name.to_string(),
                    depth,
                    allowed,
                });
            }
        };
        for other in self.bodies().filter(|&other| other != id) {
            let Some(it) = self.body(other) else { continue };
            let fixed = !matches!(it.kind, Kind::Free(_));
            if it.sensor || fixed && !free || !it.groups.collides_with(body.groups) {
                continue;
            }
            let reach = body.shape.reach() + it.shape.reach();
            // What is fixed may be larger than a periodic box; the other is in it.
            let (repeated, one) = if free { (&it, body) } else { (body, &it) };
            let images = image_boxes(repeated, periods, one.shape.reach());
            let its_home = pose(&it);
            for image in images {
                let by = shift_of::<S>(image, periods);
                let there = Pose {
                    position: its_home.position + if free { by } else { S::Vector::ZERO - by },
                    ..its_home
                };
                if (here.position - there.position).length() <= reach
                    && let Some(its) = form(&it)
                {
                    look(other, &it, &its, &there);
                }
            }
        }
        found.order_by_key(|error| match error {
            WorldError::Overlap { b, .. } => *b,
            _ => 0,
        });
        found
    }
}

impl<S: Strikable> Exact<S> {
    /// Gives a rigid body that flies, and whose own time is now, other velocities, and perhaps another pose.
    pub(super) fn put_rigid(&mut self, id: BodyId, pose: Option<Pose<S>>, moves: &Velocities<S>) {
        let slot = self.stage.slots[id.0 as usize] as usize;
        let before = self.holdings_of(slot);
        let moved = pose.is_some();
        let pose = pose.unwrap_or_else(|| {
            let now = self.state_generic(id);
            Pose {
                position: now.position,
                rotation: now.rotation,
            }
        });
        if moved {
            self.dismiss(slot);
        }
        if let Some(rigids) = self.stage.balls.rigids_mut() {
            rigids.launch(id, self.clock, pose, moves);
        }
        self.stage.follow_member(id);
        self.look_anew();
        self.ledger.give(&before, &self.holdings_of(slot));
        if moved {
            self.admit(slot);
        } else {
            self.plan_again(&[slot as u32]);
        }
        self.lead_rigid(id);
    }
}
