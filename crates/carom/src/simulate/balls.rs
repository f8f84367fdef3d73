//! The free balls of a run, each at its own time, with what is needed often kept apart from what is not.

use super::inertials::{Inertial, Inertials};
use super::jointed::turns_balls;
use super::overlaps::SensorOverlaps;
use super::shear::Sheared;
use super::trajectories::Trajectories;
use crate::arrays::Each;
use crate::body::{CollisionFilter, Kind};
use crate::impact::{self, parabola_crosses};
use crate::record::Velocities;
use crate::shape::{Obstacle, Shape, Shaped};
use crate::space::{Linear, Space};
use crate::world::{BodyId, World, has_rigid_bodies};
use wide::f64x4;

/// What every look at a ball needs: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Ball<S: Space> {
    /// At its own time, m.
    pub position: S::Vector,
    /// At its own time, m/s.
    pub velocity: S::Vector,
    /// Its own time, by the run's clock, s.
    pub since: f64,
    /// m.
    pub radius: f64,
}

/// Two balls nearly touch when `|x|² − R²` is at most this share of R²: when their gap is at most 2⁻²⁵ R. It is wide
/// enough for whatever `ties.rs` takes for touching, and so narrow that a gas has hardly ever three balls so near each
/// other.
pub(super) const TOUCH: f64 = 1.0 / (1 << 24) as f64;

/// In place of the id of a slot that is vacant.
pub(super) const NOBODY: BodyId = BodyId(u32::MAX);

/// Spins and orientations, kept only where a ball can have any.
#[derive(Clone, Debug)]
pub(super) struct Orientations<S: Space> {
    pub angular_velocity: Vec<S::Angular>,
    pub rotation: Vec<S::Rotation>,
}

/// The balls, in an order of their own: a ball's place in it is its slot.
#[derive(Clone, Debug)]
pub(super) struct Balls<S: Space> {
    pub hot: Vec<Ball<S>>,
    pub inertials: Inertials,
    /// The body of each slot.
    pub ids: Vec<BodyId>,
    pub turning: Option<Orientations<S>>,
    /// How many box lengths a ball has left behind along each axis; empty where nothing is periodic.
    pub images: Vec<[i32; 3]>,
    /// ActionTarget each meets, by slot; `None` where all meet all.
    pub groups: Option<Vec<CollisionFilter>>,
    /// Which bodies are inside which sensors.
    pub overlaps: SensorOverlaps<S>,
    /// Slots that are not in use; their id is `NOBODY`.
    pub vacant: Vec<u32>,
    /// m/s².
    pub gravity: S::Vector,
    /// Whether the gravity is other than zero.
    pub falling: bool,
    /// Of the box along each axis, m; zero where it is not periodic.
    pub period: [f64; 3],
    /// How the box is sheared, if it is.
    pub shear: Option<Sheared>,
    /// The way of each ball, by slot, where they do not all fly straight or fall freely.
    pub trajectories: Option<Box<Trajectories<S>>>,
    /// Pairs that pass through each other because a joint holds them.
    pub apart: Vec<(BodyId, BodyId)>,
    /// No point of a ball has ever started a flight with a greater square of its speed, m²/s².
    pub fastest: f64,
}

impl<S: Shaped> Balls<S> {
    /// The free balls of a world, at time 0.
    ///
    /// Longer than most: one column after the other, filled in one pass over the bodies.
    pub fn new(world: &World<S>) -> Self {
        let gravity = world.gravity();
        let mut balls = Balls {
            hot: Vec::new(),
            inertials: Inertials::default(),
            ids: Vec::new(),
            turning: None,
            images: Vec::new(),
            groups: None,
            overlaps: SensorOverlaps::default(),
            vacant: Vec::new(),
            gravity,
            falling: gravity != S::Vector::ZERO,
            period: world.periods(),
            shear: (world.shear()).map(|shear| Sheared::new(&shear, world.periods())),
            trajectories: None,
            apart: Vec::new(),
            fastest: 0.0,
        };
        let mut turning = Orientations {
            angular_velocity: Vec::new(),
            rotation: Vec::new(),
        };
        let number = world
            .bodies()
            .iter()
            .filter(|body| matches!(body.kind, Kind::Free(_)))
            .count();
        balls.hot.reserve_exact(number);
        balls.inertials = Inertials::with_capacity(number);
        balls.ids.reserve_exact(number);
        let grouped = world
            .bodies()
            .iter()
            .any(|body| body.groups != CollisionFilter::ALL);
        let mut groups = Vec::new();
        let turns = world.materials.any_turns()
            || any_spin(world)
            || has_rigid_bodies(world)
            || world.joints().iter().any(turns_balls);
        for (id, body) in (0..).zip(world.bodies()) {
            let Kind::Free(free) = &body.kind else {
                continue;
            };
            // A rigid body is looked for within a ball around it, and turns by its own laws.
            let (radius, inertia) = match &body.shape {
                Shape::Ball(ball) => (ball.radius, free.inertia),
                shape => (shape.reach(), f64::INFINITY),
            };
            balls.hot.push(Ball {
                position: body.pose.position,
                velocity: free.velocity,
                since: 0.0,
                radius,
            });
            balls
                .inertials
                .push(Inertial::new(free.mass, inertia, body.material));
            balls.ids.push(BodyId(id));
            if grouped {
                groups.push(body.groups);
            }
            if turns {
                turning.angular_velocity.push(free.angular_velocity);
                turning.rotation.push(body.pose.rotation);
            }
        }
        balls.groups = grouped.then_some(groups);
        if turns {
            balls.turning = Some(turning);
        }
        for slot in 0..number {
            balls.note_speed(slot);
        }
        if balls.is_periodic() {
            balls.images = vec![[0; 3]; number];
            for slot in 0..number {
                balls.bring_home(slot, 0.0);
            }
        }
        balls
    }

    pub fn len(&self) -> usize {
        self.hot.len()
    }

    pub fn is_periodic(&self) -> bool {
        self.period.iter().any(|&length| length > 0.0)
    }

    /// Brings a ball that was inserted outside the box at a time into it.
    pub fn bring_home(&mut self, slot: usize, time: f64) {
        if let Some(shear) = self.shear {
            return self.bring_home_sheared(slot, time, &shear);
        }
        let mut place = S::components(self.hot[slot].position);
        for (axis, (along, length)) in place.iter_mut().zip(self.period).enumerate() {
            if length > 0.0 && !(*along >= 0.0 && *along < length) {
                let boxes = (*along / length).floor();
                *along -= boxes * length;
                let image = &mut self.images[slot][axis];
                *image = image.saturating_add(boxes as i32);
            }
        }
        self.hot[slot].position = S::vector(place);
    }

    #[inline]
    pub fn position_at(&self, slot: usize, time: f64) -> S::Vector {
        if self.falling
            && let Some(segment) = self.segment(slot)
        {
            return segment.position_at(time - self.hot[slot].since);
        }
        self.place_of(&self.hot[slot], time)
    }

    #[inline(always)]
    pub fn place_of(&self, ball: &Ball<S>, time: f64) -> S::Vector {
        let dt = time - ball.since;
        if self.falling {
            ball.position + (ball.velocity + self.gravity * (0.5 * dt)) * dt
        } else {
            ball.position + ball.velocity * dt
        }
    }

    pub fn velocity_at(&self, slot: usize, time: f64) -> S::Vector {
        let ball = &self.hot[slot];
        if self.falling {
            if let Some(segment) = self.segment(slot) {
                return segment.velocity_at(time - ball.since);
            }
            ball.velocity + self.gravity * (time - ball.since)
        } else {
            ball.velocity
        }
    }

    pub fn angular_velocity(&self, slot: usize) -> S::Angular {
        match &self.turning {
            Some(turning) => turning.angular_velocity[slot],
            None => S::Angular::ZERO,
        }
    }

    /// The spin at a time, rad/s.
    pub fn angular_velocity_at(&self, slot: usize, time: f64) -> S::Angular {
        match self.segment(slot) {
            Some(segment) => segment.angular_velocity_at(time - self.hot[slot].since),
            None => self.angular_velocity(slot),
        }
    }

    /// How it is turned; `None` where balls do not turn in this run.
    pub fn rotation_at(&self, slot: usize, time: f64) -> Option<S::Rotation> {
        let turning = self.turning.as_ref()?;
        let (angular_velocity, rotation) = (turning.angular_velocity[slot], turning.rotation[slot]);
        if let Some(segment) = self.segment(slot) {
            let turned = segment
                .angular_velocity
                .integral(time - self.hot[slot].since);
            return Some(S::compose(S::rotation_of(turned, 1.0), rotation));
        }
        Some(if angular_velocity == S::Angular::ZERO {
            rotation
        } else {
            let elapsed = time - self.hot[slot].since;
            S::compose(S::rotation_of(angular_velocity, elapsed), rotation)
        })
    }

    /// Where it would be at a time had it never been brought back into the box, m.
    pub fn unwrapped(&self, slot: usize, position: S::Vector, time: f64) -> S::Vector {
        let boxes = match self.images.get(slot) {
            None => return position,
            Some(boxes) => boxes,
        };
        let position =
            position + S::vector([0, 1, 2].each(|axis| f64::from(boxes[axis]) * self.period[axis]));
        match self.shear {
            None => position,
            Some(_) => position + self.sheared_by(slot, time),
        }
    }

    /// Gives a ball new velocities at a time.
    pub fn kick(&mut self, slot: usize, time: f64, after: &Velocities<S>) {
        let position = self.position_at(slot, time);
        self.kick_at(slot, time, position, after);
    }

    /// Gives a ball new velocities at a time, when its place is known already.
    #[inline]
    pub fn kick_at(&mut self, slot: usize, time: f64, position: S::Vector, after: &Velocities<S>) {
        let rotation = self.rotation_at(slot, time);
        if let (Some(turning), Some(rotation)) = (&mut self.turning, rotation) {
            turning.rotation[slot] = rotation;
            turning.angular_velocity[slot] = after.angular_velocity;
        }
        let ball = &mut self.hot[slot];
        ball.position = position;
        ball.velocity = after.velocity;
        ball.since = time;
        self.note_speed(slot);
        if self.falling {
            self.fly(slot);
        }
    }

    /// Gives a ball that neither falls nor turns a new velocity at a time and place.
    #[inline(always)]
    pub fn launch(&mut self, slot: usize, time: f64, position: S::Vector, velocity: S::Vector) {
        let ball = &mut self.hot[slot];
        ball.position = position;
        ball.velocity = velocity;
        ball.since = time;
        self.fastest = self.fastest.max(velocity.length_squared());
    }

    /// Puts a ball on a free flight from its own time on, until it is given its next segment.
    #[inline]
    pub fn fly(&mut self, slot: usize) {
        if let Some(trajectories) = &mut self.trajectories {
            trajectories.segments[slot] = None;
        }
    }

    /// Keeps the greatest speed.
    #[inline(always)]
    pub fn note_speed(&mut self, slot: usize) {
        let ball = &self.hot[slot];
        let mut squared = ball.velocity.length_squared();
        if let Some(turning) = &self.turning {
            let surface = turning.angular_velocity[slot].length() * ball.radius;
            squared = 2.0 * (squared + surface * surface);
        }
        if squared > self.fastest {
            self.fastest = squared;
        }
    }

    /// The angular impulse about the origin that gravity has given a ball in its present flight, kg·m²/s:
    /// `m ∫ x × g dt`, where the part of x that gravity itself makes is along g and drops out.
    pub fn torque_of_gravity(&self, slot: usize, time: f64) -> S::Angular {
        let ball = &self.hot[slot];
        let dt = time - ball.since;
        let arm = match self.segment(slot) {
            Some(segment) => segment.place.integral(dt),
            None => (ball.position + ball.velocity * (0.5 * dt)) * dt,
        };
        S::torque(arm, self.gravity) * self.inertials.of(slot).mass
    }

    /// Gives a ball whose own time is now other velocities.
    pub fn set_velocities(&mut self, slot: usize, velocities: &Velocities<S>) {
        self.hot[slot].velocity = velocities.velocity;
        if let Some(turning) = &mut self.turning {
            turning.angular_velocity[slot] = velocities.angular_velocity;
        }
        self.note_speed(slot);
        if self.falling {
            self.fly(slot);
        }
    }

    /// Whether two bodies pass through each other because a joint holds them.
    pub fn pass_through(&self, a: BodyId, b: BodyId) -> bool {
        let mut pairs = self.apart.iter();
        pairs.any(|&pair| pair == (a, b) || pair == (b, a))
    }

    /// Whether two balls touch at a time, or nearly so.
    pub fn touch(&self, a: usize, b: usize, time: f64) -> bool {
        // Rigid bodies see to that themselves.
        if self.is_member(a) || self.is_member(b) {
            return false;
        }
        let apart = self.position_at(a, time) - self.position_at(b, time);
        let apart = apart + self.seen(apart, time).shift;
        let reach = self.hot[a].radius + self.hot[b].radius;
        let squared = reach * reach;
        apart.length_squared() - squared <= TOUCH * squared
    }

    /// Puts a ball elsewhere at a time.
    pub fn put(&mut self, slot: usize, time: f64, position: S::Vector) {
        self.restart(slot, time);
        self.hot[slot].position = position;
        if self.is_periodic() {
            self.images[slot] = [0; 3];
            self.bring_home(slot, time);
        }
        self.fly(slot);
    }

    /// Starts a ball's flight anew at a time, as it is.
    pub fn restart(&mut self, slot: usize, time: f64) {
        let as_it_is = Velocities {
            velocity: self.velocity_at(slot, time),
            angular_velocity: self.angular_velocity_at(slot, time),
        };
        self.kick(slot, time, &as_it_is);
    }

    /// When and where a ball leaves the periodic box: the time, the axis, and whether at its upper end. A pure function
    /// of the flight.
    pub fn leaves_box(&self, slot: usize) -> Option<(f64, usize, bool)> {
        if !self.falling && self.trajectories.is_none() {
            return self.leaves_box_straight(slot);
        }
        let mut first: Option<(f64, usize, bool)> = None;
        for axis in 0..S::DIMENSION {
            let length = self.period[axis];
            if length > 0.0 {
                for (bound, up) in [(0.0, false), (length, true)] {
                    let time = self.crosses(slot, axis, bound, up);
                    if time < first.map_or(f64::INFINITY, |first| first.0) {
                        first = Some((time, axis, up));
                    }
                }
            }
        }
        first
    }

    /// The same on a straight line, as [`crosses`](Self::crosses) has it, with one division for all axes and without a
    /// branch.
    #[inline(always)]
    fn leaves_box_straight(&self, slot: usize) -> Option<(f64, usize, bool)> {
        let ball = &self.hot[slot];
        let (position, velocity) = (S::components(ball.position), S::components(ball.velocity));
        let (mut ways, mut rates) = ([f64::INFINITY; 4], [1.0; 4]);
        for axis in 0..S::DIMENSION {
            let length = self.period[axis];
            let bound = if velocity[axis] > 0.0 { length } else { 0.0 };
            let periodic = length > 0.0 && velocity[axis] != 0.0;
            ways[axis] = if periodic {
                bound - position[axis]
            } else {
                f64::INFINITY
            };
            rates[axis] = if periodic { velocity[axis] } else { 1.0 };
        }
        let waits = f64x4::from(ways) / f64x4::from(rates);
        let waits = waits.simd_gt(f64x4::ZERO) & waits;
        let [x, y, z, _] = (waits + f64x4::splat(ball.since)).to_array();
        let (xy, y_first) = if y < x { (y, 1) } else { (x, 0) };
        let (first, z_first) = if z < xy { (z, 2) } else { (xy, 0) };
        let axis = (y_first | z_first) - (y_first & (z_first >> 1));
        (first < f64::INFINITY).then_some((first, axis, velocity[axis] > 0.0))
    }

    /// When the centre of a ball passes a bound upwards (`up`) or downwards, s; infinite where it does not. Not before
    /// the ball's own time: one that is beyond already by a rounding error passes at once.
    #[inline(always)]
    pub fn crosses(&self, slot: usize, axis: usize, bound: f64, up: bool) -> f64 {
        let ball = &self.hot[slot];
        if let Some(segment) = self.segment(slot) {
            return ball.since + impact::crossing(segment, 0.0, axis, bound, up);
        }
        let v = S::components(ball.velocity)[axis];
        let distance = bound - S::components(ball.position)[axis];
        if self.falling {
            let g = S::components(self.gravity)[axis];
            return ball.since + parabola_crosses(distance, v, g, up);
        }
        if (v > 0.0) != up || v == 0.0 {
            return f64::INFINITY;
        }
        let wait = distance / v;
        ball.since + if wait > 0.0 { wait } else { 0.0 }
    }

    /// The same from a time on, for a ball on segments.
    pub fn crosses_from(&self, slot: usize, now: f64, axis: usize, bound: f64, up: bool) -> f64 {
        let since = self.hot[slot].since;
        match self.segment(slot) {
            Some(segment) => since + impact::crossing(segment, now - since, axis, bound, up),
            None => self.crosses(slot, axis, bound, up).max(now),
        }
    }

    /// Carries a ball from one side of the box to the other.
    pub fn wrap(&mut self, slot: usize, time: f64, axis: usize, up: bool) {
        self.restart(slot, time);
        let mut place = S::components(self.hot[slot].position);
        let length = self.period[axis];
        place[axis] -= if up { length } else { -length };
        let image = &mut self.images[slot][axis];
        *image = image.saturating_add(if up { 1 } else { -1 });
        self.hot[slot].position = S::vector(place);
        self.fly(slot);
    }

    /// The shift, along each axis, under which two balls that touch are next to each other.
    #[inline(always)]
    pub fn nearest_shift(&self, apart: S::Vector) -> S::Vector {
        // Where there is no period, both are zero.
        let along = |apart: f64, length: f64| {
            let down = if apart > 0.5 * length { length } else { 0.0 };
            let up = if apart < -0.5 * length { length } else { 0.0 };
            up - down
        };
        let ([x, y, z], [a, b, c]) = (S::components(apart), self.period);
        S::vector([along(x, a), along(y, b), along(z, c)])
    }

    /// Moves all own times: the clock reads `shift` less from now on.
    pub fn rebase(&mut self, shift: f64) {
        for ball in &mut self.hot {
            ball.since -= shift;
        }
        if let Some(shear) = &mut self.shear {
            shear.rebase(shift, self.period[shear.flow]);
        }
        if let Some(trajectories) = &mut self.trajectories {
            for sticking in trajectories.sticking.values_mut() {
                sticking.began -= shift;
                sticking.ends -= shift;
            }
            for halt in (trajectories.halts.values_mut()).chain(trajectories.corners.values_mut()) {
                halt.time -= shift;
            }
            trajectories.supports.rebase(shift);
            trajectories.islands.rebase(shift);
            if let Some(rigids) = &mut trajectories.rigids {
                rigids.rebase(shift);
            }
        }
    }

    /// Puts the balls in another order: `order[new slot]` is the old slot.
    pub fn reorder(&mut self, order: &[u32]) {
        fn sorted<T: Clone>(list: &[T], order: &[u32]) -> Vec<T> {
            order
                .iter()
                .map(|&old| list[old as usize].clone())
                .collect()
        }
        self.hot = sorted(&self.hot, order);
        self.inertials.reorder(order);
        self.ids = sorted(&self.ids, order);
        if let Some(groups) = &mut self.groups {
            *groups = sorted(groups, order);
        }
        if let Some(turning) = &mut self.turning {
            turning.angular_velocity = sorted(&turning.angular_velocity, order);
            turning.rotation = sorted(&turning.rotation, order);
        }
        if !self.images.is_empty() {
            self.images = sorted(&self.images, order);
        }
        if let Some(trajectories) = &mut self.trajectories {
            trajectories.segments = sorted(&trajectories.segments, order);
            trajectories.supports.reorder(order);
            trajectories.hints = sorted(&trajectories.hints, order);
        }
    }
}

/// Whether a ball turns, or will.
fn any_spin<S: Shaped>(world: &World<S>) -> bool {
    world.bodies().iter().any(|body| {
        let spins =
            matches!(&body.kind, Kind::Free(free) if free.angular_velocity != S::Angular::ZERO);
        spins || (body.load.as_ref()).is_some_and(|load| !load.is_without_torque())
    })
}
