//! Springs for worlds that have none: as stiff as it takes for bodies to overlap little at the speeds to be expected.

use super::Forces;
use crate::body::Kind;
use crate::force::{Constants, Stiffness};
use crate::impact::Strikable;
use crate::shape::convex::{fixed_form, free_form};
use crate::shape::{Obstacle, Shape};
use crate::space::Linear;
use crate::world::World;
use std::f64::consts::PI;

/// How deep bodies get into each other at the speed to be expected, as a share of the smallest size.
const SHARE: f64 = 0.02;

impl Forces {
    /// With springs for materials that have none, unless there are some already: those of
    /// [`default_contact_time`](Self::default_contact_time).
    #[must_use]
    pub fn with_default_springs<S: Strikable>(self, world: &World<S>) -> Self {
        let all_have = world
            .bodies()
            .iter()
            .all(|body| world.materials.constants(body.material).is_some());
        if self.fallback.is_some() || all_have {
            return self;
        }
        let time = Self::default_contact_time(world);
        self.with_fallback(Constants {
            stiffness: Stiffness::ContactTime(time),
            ..Constants::linear(1.0)
        })
    }

    /// How long a contact may last for bodies to overlap by a fiftieth of the smallest size at the highest approach
    /// speed to be expected, s: `π δ / v`.
    ///
    /// The size is the least radius of a ball, or half of half of what a rigid body or a bounded fixture measures
    /// across. The speed is that of the fastest free body towards another one, or towards the fastest kinematic body,
    /// as they begin, and that of a fall through the whole height of the world. What fields, loads and restitutions
    /// above 1 add is not predicted: where that is much, springs must be given.
    pub fn default_contact_time<S: Strikable>(world: &World<S>) -> f64 {
        let size = smallest(world);
        let [free, kinematic] = fastest(world);
        let fall = (2.0 * potential_drop(world)).sqrt();
        // Where nothing moves it does not matter, as long as it is a time.
        let speed = (free + free.max(kinematic) + fall).max(size);
        PI * SHARE * size / speed
    }
}

/// m; 1 where no body has a size.
fn smallest<S: Strikable>(world: &World<S>) -> f64 {
    let sizes = world.bodies().iter().filter(|body| !body.sensor);
    let sizes = sizes.filter_map(|body| match (&body.shape, &body.kind) {
        (Shape::Ball(ball), _) => Some(ball.radius),
        (shape, Kind::Free(free)) => free_form(shape, free.mass).ok().map(|form| form.depth()),
        (shape, _) => fixed_form(shape).map(|form| form.depth()),
    });
    let size = sizes
        .filter(|size| *size > 0.0)
        .fold(f64::INFINITY, f64::min);
    if size.is_finite() { size } else { 1.0 }
}

/// The speeds of the fastest free and the fastest kinematic body, m/s: of any of their points.
fn fastest<S: Strikable>(world: &World<S>) -> [f64; 2] {
    let mut speeds = [0.0_f64; 2];
    for body in world.bodies() {
        let reach = Some(body.shape.reach()).filter(|reach| reach.is_finite());
        let reach = reach.unwrap_or(0.0);
        match &body.kind {
            Kind::Static => {}
            Kind::Free(free) => {
                // A ball that spins gets no nearer by it.
                let lever = match body.shape {
                    Shape::Ball(_) => 0.0,
                    _ => reach,
                };
                let speed = free.velocity.length() + free.angular_velocity.length() * lever;
                speeds[0] = speeds[0].max(speed);
            }
            Kind::Kinematic(drive) => {
                // Some instants of the first seconds.
                for tick in 0..32 {
                    let state = drive.state_at(&body.pose, 0.1 * f64::from(tick));
                    let turning = state.angular_velocity.length() * reach;
                    speeds[1] = speeds[1].max(state.velocity.length() + turning);
                }
            }
        }
    }
    speeds
}

/// What a fall through the box around all bodies gives a unit of mass, m²/s²: gravity times its height along gravity.
/// Of what has no end the place alone counts.
fn potential_drop<S: Strikable>(world: &World<S>) -> f64 {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for body in world.bodies() {
        let reach = Some(body.shape.reach()).filter(|reach| reach.is_finite());
        let reach = reach.unwrap_or(0.0);
        let place = S::components(body.pose.position);
        for (axis, x) in place.into_iter().enumerate() {
            low[axis] = low[axis].min(x - reach);
            high[axis] = high[axis].max(x + reach);
        }
    }
    let gravity = S::components(world.gravity());
    let drops = (0..3).map(|axis| gravity[axis].abs() * (high[axis] - low[axis]).max(0.0));
    drops.filter(|drop| drop.is_finite()).sum()
}
