//! The records of rigid bodies among the bodies of a run, which planners know of: they follow the tracks.

use crate::body::Kind;
use crate::impact::Strikable;
use crate::motion::{Load, TrajectorySegment};
use crate::shape::Shaped;
use crate::simulate::balls::Balls;
use crate::simulate::bodies::{Bodies, NOWHERE};
use crate::simulate::rigid::{Prop, RigidWorld, Rigids, Settling, Track};
use crate::simulate::trajectories::{Support, Trajectories};
use crate::space::Linear;
use crate::world::{BodyId, World, WorldError, is_turning_solid};

/// How many times a load that changes is looked at for its strength, and how far apart, s: the world times are always
/// the same, so that a restored run has the same.
const SAMPLES: u32 = 1000;
const SAMPLED: f64 = 0.01;

impl<S: Shaped> Balls<S> {
    /// Lets the record of a member follow its track.
    pub(super) fn follow_track(&mut self, track: &Track<S>, slot: usize) {
        let ball = &mut self.hot[slot];
        ball.position = track.pose.position;
        ball.velocity = track.velocity;
        ball.since = track.since;
        if let Some(turning) = &mut self.turning {
            turning.rotation[slot] = track.pose.rotation;
            turning.angular_velocity[slot] = track.angular_velocity;
        }
        self.note_speed(slot);
        let mut segment =
            TrajectorySegment::of_flight(track.course.flight(), track.angular_velocity);
        segment.end = track.until - track.since;
        if track.since + segment.end > track.until {
            segment.end = segment.end.next_down();
        }
        if let Some(trajectories) = &mut self.trajectories {
            trajectories.segments[slot] = Some(Box::new(segment));
            trajectories.supports.replace(slot, Support::FLYING);
        }
    }

    /// Lets a ball that was a guest go on in its own lane.
    pub(super) fn leave_track(&mut self, track: &Track<S>, slot: usize) {
        self.follow_track(track, slot);
        self.fly(slot);
    }
}

impl<S: Strikable> Bodies<S> {
    /// Makes room for rigid bodies: all bodies are on trajectory segments from now on.
    pub fn use_rigids(&mut self, settling: &Settling) -> Result<(), Vec<WorldError>> {
        if self.balls.rigids().is_some() {
            return Ok(());
        }
        let props = self.props()?;
        if self.balls.trajectories.is_none() {
            self.balls.trajectories = Some(Box::new(Trajectories::new(&self.balls)));
        }
        self.balls.falling = true;
        let materials = &self.surfaces.materials;
        let mut world = RigidWorld::new(materials, self.balls.gravity, settling, self.epoch);
        world.props = props;
        world.periods = self.balls.period;
        world.fields = self.fields.clone();
        world.set_gravity(self.balls.gravity, self.strongest_load());
        if let Some(trajectories) = &mut self.balls.trajectories {
            trajectories.rigids = Some(Box::new(Rigids::new(world)));
        }
        Ok(())
    }

    /// Whether rigid bodies may fly in steps: loads, and fields other than uniform gravity, act in those.
    pub fn some_fly_in_steps(&self) -> bool {
        !(self.loads.is_empty() && self.fields.is_uniform())
    }

    /// What the strongest load, or the fields where bodies are, do to a body, m/s²: of a load that changes, as it is at
    /// some times.
    pub fn strongest_load(&self) -> f64 {
        let of = |(id, load): (&BodyId, &Load<S>)| {
            let slot = *self.slots.get(id.0 as usize)?;
            if slot == NOWHERE {
                return None;
            }
            let inverse = self.balls.inertials.of(slot as usize).inverse_mass;
            let times = if load.is_constant() { 1 } else { SAMPLES };
            let force = |k: u32| load.force_at(SAMPLED * f64::from(k)).length();
            Some((0..times).map(force).fold(0.0, f64::max) * inverse)
        };
        let loads = self.loads.iter().map(|(id, load)| (id, &**load));
        let in_fields = self.balls.slots().map(|slot| {
            let (ball, mass) = (&self.balls.hot[slot], self.balls.inertials.of(slot).mass);
            self.fields.strength(mass, ball.position)
        });
        let all = loads.filter_map(of).chain(in_fields);
        let all = all.filter(|pull| pull.is_finite());
        all.fold(0.0, f64::max)
    }

    /// Loads or gravity have changed.
    pub fn renew_pulls(&mut self) {
        let (gravity, strongest) = (self.balls.gravity, self.strongest_load());
        let fields = self.fields.clone();
        if let Some(rigids) = self.balls.rigids_mut() {
            rigids.world.set_gravity(gravity, strongest);
            rigids.world.fields = fields;
        }
    }

    /// Takes in the rigid bodies of a world at time 0.
    pub fn admit_rigids(&mut self, world: &World<S>) -> Result<(), Vec<WorldError>> {
        let mut wrong = Vec::new();
        for (id, body) in (0..).map(BodyId).zip(world.bodies()) {
            let joined = world.joints().iter().flat_map(|joint| &joint.ends);
            let is_joined = || joined.filter_map(|end| end.body()).any(|its| its == id);
            if (is_turning_solid(body) || is_joined())
                && matches!(body.kind, Kind::Free(_))
                && let Some(rigids) = self.balls.rigids_mut()
            {
                wrong.extend(rigids.admit(body, id, 0.0).err());
            }
        }
        self.fit_radii();
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    /// Takes in the joints of a world.
    pub fn join_rigids(&mut self, world: &World<S>) {
        let held = world.joints().iter().flat_map(|joint| &joint.ends);
        let held = held.filter_map(|end| end.body());
        let starts = held.map(|id| (id, world.body(id).pose)).collect();
        if let Some(rigids) = self.balls.rigids_mut() {
            rigids.join(world.joints().to_vec(), starts);
        }
    }

    /// The fixtures as rigid bodies meet them.
    fn props(&self) -> Result<Vec<Prop<S>>, Vec<WorldError>> {
        let (mut props, mut wrong) = (Vec::new(), Vec::new());
        for fixture in &self.fixtures {
            match Prop::new(&fixture.body, fixture.id, self.epoch) {
                Ok(mut prop) => {
                    prop.image = fixture.image;
                    props.push(prop);
                }
                Err(error) => wrong.push(error),
            }
        }
        if wrong.is_empty() {
            Ok(props)
        } else {
            Err(wrong)
        }
    }

    /// Fixtures have come, gone or changed, or the clock has been set back.
    pub fn renew_props(&mut self) {
        if self.balls.rigids().is_none() {
            return;
        }
        // What lets fixtures in sees to it that they can be met.
        let props = self.props().unwrap_or_default();
        if let Some(rigids) = self.balls.rigids_mut() {
            rigids.world.props = props;
        }
    }

    /// Carries a member from one side of the periodic box to the other: on its track it goes on as before.
    pub fn wrap_member(&mut self, slot: usize, axis: usize, up: bool) {
        let (id, boxes) = (self.balls.ids[slot], if up { -1 } else { 1 });
        let mut by = [0.0; 3];
        by[axis] = f64::from(boxes) * self.balls.period[axis];
        if let Some(rigids) = self.balls.rigids_mut()
            && let Some(member) = rigids.member(id)
        {
            rigids.go_round(member, S::vector(by), (axis, boxes));
        }
        let image = &mut self.balls.images[slot][axis];
        *image = image.saturating_sub(boxes);
        self.follow_member(id);
        self.wrap_overlaps(slot, axis, up);
    }

    /// Gives rigid bodies the radii that planners look for them with. Whether one has changed.
    pub fn fit_radii(&mut self) -> bool {
        let Some(rigids) = self.balls.rigids() else {
            return false;
        };
        let balls = &self.balls;
        let own = |slot: usize| rigids.member(balls.ids[slot]);
        let reach = |slot: usize| match own(slot) {
            Some(member) => rigids.world.inert[member as usize].reach,
            None => balls.hot[slot].radius,
        };
        let largest = balls.slots().map(reach).fold(0.0, f64::max);
        let fitted: Vec<(usize, f64)> = (balls.slots())
            .filter(|&slot| own(slot).is_some_and(|member| !rigids.is_guest(member)))
            .map(|slot| (slot, rigids.radius_of(reach(slot), largest)))
            .filter(|&(slot, radius)| balls.hot[slot].radius != radius)
            .collect();
        for &(slot, radius) in &fitted {
            self.balls.hot[slot].radius = radius;
            self.largest = self.largest.max(radius);
        }
        !fitted.is_empty()
    }

    /// Lets the record of a rigid body follow its track.
    pub fn follow_member(&mut self, id: BodyId) {
        let slot = self.slots[id.0 as usize] as usize;
        let Some(track) = self.balls.rigids().and_then(|rigids| {
            let member = rigids.member(id)?;
            Some(rigids.core.moving[member as usize].track.clone())
        }) else {
            return;
        };
        self.balls.follow_track(&track, slot);
    }
}
