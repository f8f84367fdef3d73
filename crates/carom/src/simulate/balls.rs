//! The free balls of a run, each at its own time, with what is needed often kept apart from what is not.

use super::inertials::{Inertial, Inertials};
use super::passages::Passages;
use crate::body::{Groups, Kind};
use crate::record::Velocities;
use crate::shape::Shape;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};
use crate::world::{BodyId, World};

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

/// Spins and orientations, kept only where a ball can have any.
#[derive(Clone, Debug)]
pub(super) struct Turning<S: Space> {
    pub spin: Vec<S::Spin>,
    pub rotation: Vec<S::Rotation>,
}

/// The balls, in an order of their own: a ball's place in it is its slot.
#[derive(Clone, Debug)]
pub(super) struct Balls<S: Space> {
    pub hot: Vec<Ball<S>>,
    pub inertials: Inertials,
    /// The body of each slot.
    pub ids: Vec<BodyId>,
    pub turning: Option<Turning<S>>,
    /// How many box lengths a ball has left behind along each axis; empty where nothing is periodic.
    pub images: Vec<[i32; 3]>,
    /// Whom each meets, by slot; `None` where all meet all.
    pub groups: Option<Vec<Groups>>,
    /// Who is inside which sensor.
    pub passages: Passages<S>,
    /// Slots that are not in use; their id is `NOBODY`.
    pub vacant: Vec<u32>,
    /// m/s².
    pub gravity: S::Vector,
    /// Whether the gravity is other than zero.
    pub falling: bool,
    /// Of the box along each axis, m; zero where it is not periodic.
    pub period: [f64; 3],
}

/// Two balls at the later one's own time.
#[derive(Clone, Copy)]
pub(super) struct Encounter<S: Space> {
    /// The later one's own time, s.
    pub time: f64,
    /// From the second ball's centre to the first's, m.
    pub apart: S::Vector,
    /// The rate of that, m/s.
    pub rate: S::Vector,
    /// Sum of the radii, m.
    pub reach: f64,
}

/// The numbers of the quadratic equation that has the time of contact as its root: see `impact/ball_ball.rs`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quadratic {
    pub h: f64,
    pub c: f64,
    pub discriminant: f64,
}

impl<S: Space> Encounter<S> {
    #[inline(always)]
    pub fn new<const FALLING: bool>(
        a: &Ball<S>,
        b: &Ball<S>,
        shift: S::Vector,
        gravity: S::Vector,
    ) -> Self {
        let time = if a.since > b.since { a.since } else { b.since };
        let (dt_a, dt_b) = (time - a.since, time - b.since);
        let (mut va, mut vb) = (a.velocity, b.velocity);
        let (pa, pb) = if FALLING {
            let place = |ball: &Ball<S>, dt: f64| {
                ball.position + (ball.velocity + gravity * (0.5 * dt)) * dt
            };
            let places = (place(a, dt_a), place(b, dt_b));
            va += gravity * dt_a;
            vb += gravity * dt_b;
            places
        } else {
            (a.position + va * dt_a, b.position + vb * dt_b)
        };
        Encounter {
            time,
            apart: (pa - pb) + shift,
            rate: va - vb,
            reach: a.radius + b.radius,
        }
    }

    #[inline(always)]
    pub fn quadratic(&self) -> Quadratic {
        let (x, w) = (self.apart, self.rate);
        let squared = self.reach * self.reach;
        Quadratic {
            h: x.dot(w),
            c: x.dot(x) - squared,
            discriminant: w.dot(w) * squared - S::area_squared(x, w),
        }
    }
}

impl Quadratic {
    /// Whether the balls may touch: no false "no".
    #[inline(always)]
    pub fn may_touch(&self) -> bool {
        (self.h < 0.0) & (self.discriminant > 0.0)
    }
}

impl<S: Space> Balls<S> {
    /// The free balls of a world, at time 0.
    pub fn new(world: &World<S>) -> Self {
        let gravity = world.gravity();
        let mut balls = Balls {
            hot: Vec::new(),
            inertials: Inertials::default(),
            ids: Vec::new(),
            turning: None,
            images: Vec::new(),
            groups: None,
            passages: Passages::default(),
            vacant: Vec::new(),
            gravity,
            falling: gravity != S::Vector::ZERO,
            period: world.periods(),
        };
        let mut turning = Turning {
            spin: Vec::new(),
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
        let grouped = world.bodies().iter().any(|body| body.groups != Groups::ALL);
        let mut groups = Vec::new();
        let turns = world.materials.any_friction() || any_spin(world);
        for (id, body) in (0..).zip(world.bodies()) {
            let (Kind::Free(free), Shape::Ball(ball)) = (&body.kind, &body.shape) else {
                continue;
            };
            balls.hot.push(Ball {
                position: body.pose.position,
                velocity: free.velocity,
                since: 0.0,
                radius: ball.radius,
            });
            balls
                .inertials
                .push(Inertial::new(free.mass, free.inertia, body.material));
            balls.ids.push(BodyId(id));
            if grouped {
                groups.push(body.groups);
            }
            if turns {
                turning.spin.push(free.spin);
                turning.rotation.push(body.pose.rotation);
            }
        }
        balls.groups = grouped.then_some(groups);
        if turns {
            balls.turning = Some(turning);
        }
        if balls.is_periodic() {
            balls.images = vec![[0; 3]; number];
            for slot in 0..number {
                balls.bring_home(slot);
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

    /// Brings a ball that was inserted outside the box into it.
    pub fn bring_home(&mut self, slot: usize) {
        let mut place = S::components(self.hot[slot].position);
        for (axis, (along, length)) in place.iter_mut().zip(self.period).enumerate() {
            if length > 0.0 && !(*along >= 0.0 && *along < length) {
                let boxes = (*along / length).floor();
                *along -= boxes * length;
                self.images[slot][axis] += boxes as i32;
            }
        }
        self.hot[slot].position = S::vector(place);
    }

    pub fn position_at(&self, slot: usize, time: f64) -> S::Vector {
        let ball = &self.hot[slot];
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
            ball.velocity + self.gravity * (time - ball.since)
        } else {
            ball.velocity
        }
    }

    pub fn spin(&self, slot: usize) -> S::Spin {
        match &self.turning {
            Some(turning) => turning.spin[slot],
            None => S::Spin::ZERO,
        }
    }

    /// How it is turned; `None` where balls do not turn in this run.
    pub fn rotation_at(&self, slot: usize, time: f64) -> Option<S::Rotation> {
        let turning = self.turning.as_ref()?;
        let (spin, rotation) = (turning.spin[slot], turning.rotation[slot]);
        Some(if spin == S::Spin::ZERO {
            rotation
        } else {
            let elapsed = time - self.hot[slot].since;
            S::compose(S::rotation_of(spin, elapsed), rotation)
        })
    }

    /// Where it would be had it never been brought back into the box, m.
    pub fn unwrapped(&self, slot: usize, position: S::Vector) -> S::Vector {
        match self.images.get(slot) {
            None => position,
            Some(boxes) => {
                position
                    + S::vector([0, 1, 2].map(|axis| f64::from(boxes[axis]) * self.period[axis]))
            }
        }
    }

    /// Gives a ball new velocities at a time.
    pub fn kick(&mut self, slot: usize, time: f64, after: &Velocities<S>) {
        let position = self.position_at(slot, time);
        let rotation = self.rotation_at(slot, time);
        if let (Some(turning), Some(rotation)) = (&mut self.turning, rotation) {
            turning.rotation[slot] = rotation;
            turning.spin[slot] = after.spin;
        }
        let ball = &mut self.hot[slot];
        ball.position = position;
        ball.velocity = after.velocity;
        ball.since = time;
    }

    /// Puts a ball elsewhere at a time.
    pub fn put(&mut self, slot: usize, time: f64, position: S::Vector) {
        self.restart(slot, time);
        self.hot[slot].position = position;
        if self.is_periodic() {
            self.images[slot] = [0; 3];
            self.bring_home(slot);
        }
    }

    /// Starts a ball's flight anew at a time, as it is.
    pub fn restart(&mut self, slot: usize, time: f64) {
        let as_it_is = Velocities {
            velocity: self.velocity_at(slot, time),
            spin: self.spin(slot),
        };
        self.kick(slot, time, &as_it_is);
    }

    /// When and where a ball leaves the periodic box: the time, the axis, and whether at its upper end. A pure function of the flight.
    pub fn leaves_box(&self, slot: usize) -> Option<(f64, usize, bool)> {
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

    /// When the centre of a ball passes a bound upwards (`up`) or downwards, s; infinite where it does not. Not before the
    /// ball's own time: one that is beyond already by a rounding error passes at once.
    #[inline(always)]
    pub fn crosses(&self, slot: usize, axis: usize, bound: f64, up: bool) -> f64 {
        let ball = &self.hot[slot];
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

    /// Carries a ball from one side of the box to the other.
    pub fn wrap(&mut self, slot: usize, time: f64, axis: usize, up: bool) {
        self.restart(slot, time);
        let mut place = S::components(self.hot[slot].position);
        let length = self.period[axis];
        place[axis] -= if up { length } else { -length };
        self.images[slot][axis] += if up { 1 } else { -1 };
        self.hot[slot].position = S::vector(place);
    }

    /// The shift, along each axis, under which two balls that touch are next to each other.
    pub fn nearest_shift(&self, apart: S::Vector) -> S::Vector {
        if self.images.is_empty() {
            return S::Vector::ZERO;
        }
        let apart = S::components(apart);
        S::vector([0, 1, 2].map(|axis| {
            let length = self.period[axis];
            if apart[axis] > 0.5 * length {
                -length
            } else if apart[axis] < -0.5 * length {
                length
            } else {
                0.0
            }
        }))
    }

    /// When two balls touch, s, infinite where they do not: a pure function of their flights and own times, whoever asks and when.
    pub fn contact_time(&self, a: usize, b: usize, shift: S::Vector) -> f64 {
        let (ball_a, ball_b) = (&self.hot[a], &self.hot[b]);
        let encounter = if self.falling {
            Encounter::new::<true>(ball_a, ball_b, shift, self.gravity)
        } else {
            Encounter::new::<false>(ball_a, ball_b, shift, self.gravity)
        };
        self.solve(a, b, &encounter.quadratic(), encounter.time)
    }

    /// The time of contact from its quadratic.
    ///
    /// What is predicted here closes at twice the speed that [`Contact::is_closing`](crate::contact::Contact::is_closing) asks
    /// for, so that rounding between here and there cannot make the two disagree for ever.
    #[inline(always)]
    pub fn solve(&self, a: usize, b: usize, quadratic: &Quadratic, time: f64) -> f64 {
        let &Quadratic { h, c, discriminant } = quadratic;
        if !quadratic.may_touch() || (self.groups.is_some() && !self.meets(a, self.groups_of(b))) {
            return f64::INFINITY;
        }
        let (ball_a, ball_b) = (&self.hot[a], &self.hot[b]);
        let reach = ball_a.radius + ball_b.radius;
        // (|v_a| + |v_b|)² ≤ 2 (v_a² + v_b²): twice that much is above the floor beyond doubt, if nothing spins or falls.
        let plainly = 4.0
            * FLOOR
            * FLOOR
            * (reach * reach)
            * (ball_a.velocity.length_squared() + ball_b.velocity.length_squared());
        if c <= 0.0 || self.falling || self.turning.is_some() || !(discriminant > plainly) {
            let floor = self.floor(a, time) + self.floor(b, time);
            if c <= 0.0 {
                // |x| ≤ R.
                return if h < -floor * reach {
                    time
                } else {
                    f64::INFINITY
                };
            }
            if !(discriminant > floor * floor * (reach * reach)) {
                return f64::INFINITY;
            }
        }
        time + c / (discriminant.sqrt() - h)
    }

    /// A ball's part of the closing speed below which a contact is none, m/s.
    #[cold]
    fn floor(&self, slot: usize, time: f64) -> f64 {
        let speed = self.velocity_at(slot, time).length();
        FLOOR * (speed + self.spin(slot).length() * self.hot[slot].radius)
    }

    /// Moves all own times: the clock reads `shift` less from now on.
    pub fn rebase(&mut self, shift: f64) {
        for ball in &mut self.hot {
            ball.since -= shift;
        }
    }

    /// Puts the balls in another order: `order[new slot]` is the old slot.
    pub fn reorder(&mut self, order: &[u32]) {
        fn sorted<T: Copy>(list: &[T], order: &[u32]) -> Vec<T> {
            order.iter().map(|&old| list[old as usize]).collect()
        }
        self.hot = sorted(&self.hot, order);
        self.inertials.reorder(order);
        self.ids = sorted(&self.ids, order);
        if let Some(groups) = &mut self.groups {
            *groups = sorted(groups, order);
        }
        if let Some(turning) = &mut self.turning {
            turning.spin = sorted(&turning.spin, order);
            turning.rotation = sorted(&turning.rotation, order);
        }
        if !self.images.is_empty() {
            self.images = sorted(&self.images, order);
        }
    }
}

const FLOOR: f64 = 32.0 * UNIT_ROUNDOFF;

fn any_spin<S: Space>(world: &World<S>) -> bool {
    world
        .bodies()
        .iter()
        .any(|body| matches!(&body.kind, Kind::Free(free) if free.spin != S::Spin::ZERO))
}

/// The first time t ≥ 0 at which `v t + ½ g t²` passes `distance` in the direction asked for; at once where it is past it and
/// going on.
pub(super) fn parabola_crosses(distance: f64, v: f64, g: f64, up: bool) -> f64 {
    let (d, v, g) = if up {
        (distance, v, g)
    } else {
        (-distance, -v, -g)
    };
    if d == f64::INFINITY {
        return f64::INFINITY;
    }
    if d <= 0.0 {
        // Beyond already: it passes when it next goes on.
        return if v > 0.0 || (v == 0.0 && g > 0.0) {
            0.0
        } else if g > 0.0 {
            // Down and back.
            (-v + (v * v + 2.0 * g * d).max(0.0).sqrt()) / g
        } else {
            f64::INFINITY
        };
    }
    let discriminant = v * v + 2.0 * g * d;
    if discriminant < 0.0 || (v <= 0.0 && g <= 0.0) {
        return f64::INFINITY;
    }
    let root = discriminant.sqrt();
    if v > 0.0 {
        2.0 * d / (v + root)
    } else {
        (root - v) / g
    }
}
