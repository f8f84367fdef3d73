//! What is where, at present.
//!
//! Balls by impulses are found through the planner's cells; [`Query::exhaustive`] looks at all of them instead: slow,
//! and the same. Static and kinematic bodies are few, and always looked at one by one; so are all bodies beside rigid
//! bodies and by forces.

mod images;

use super::engine::{Engine, View};
use super::error::QueryError;
use super::exact::{Exact, Plans};
use super::fixture::state_of;
use crate::arrays::Each;
use crate::body::{Body, CollisionFilter};
use crate::broad::home;
use crate::motion::Pose;
use crate::order::InOrder;
use crate::shape::{Ball, Obstacle, Shape};
use crate::simulate::compiled::Engines;
use crate::space::Linear;
use crate::world::BodyId;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// Questions about the bodies of a simulation as they are now.
///
/// ```
/// use carom::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World2::new();
/// let ball = world.add(Body::free(Shape::ball(0.5)?).mass(1.0).at(DVec2::new(3.0, 0.0)))?;
/// let simulation = Simulation::new(world)?;
/// let hit = simulation.query().ray(DVec2::ZERO, DVec2::X, 10.0)?.expect("it is in the way");
/// assert_eq!((hit.body, hit.distance, hit.normal), (ball, 2.5, -DVec2::X));
/// assert_eq!(simulation.query().nearest(DVec2::ZERO, 1)?, [(ball, 2.5)]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct Query<'a, S: Engines> {
    whom: Asked<'a, S>,
    groups: Option<CollisionFilter>,
    sensors: bool,
    exhaustive: bool,
}

/// Which body is asked about.
#[derive(Clone, Copy)]
enum Asked<'a, S: Engines> {
    /// A run of balls that knows which bodies are near each other.
    Balls(&'a Exact<S>),
    /// Any bodies: all are looked at.
    Any(&'a dyn Engine<S>),
}

impl<S: Engines> fmt::Debug for Query<'_, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Query")
            .field("groups", &self.groups)
            .field("sensors", &self.sensors)
            .field("exhaustive", &self.exhaustive)
            .finish_non_exhaustive()
    }
}

/// Where a ray hits a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hit<S: Engines> {
    /// The body that it hits.
    pub body: BodyId,
    /// From the ray's origin, m; zero where that is inside the body.
    pub distance: f64,
    /// m. In a periodic box it may be outside of it: as far along the ray as the distance says.
    pub point: S::Vector,
    /// Unit vector out of the body.
    pub normal: S::Vector,
}

fn check<T: std::fmt::Debug>(
    good: bool,
    field: &'static str,
    value: T,
    allowed: &'static str,
) -> Result<(), QueryError> {
    if good {
        Ok(())
    } else {
        Err(QueryError {
            field,
            value: format!("{value:?}"),
            allowed,
        })
    }
}

impl<S: Engines> Exact<S> {
    /// Asks about the bodies as they are now.
    pub fn query(&self) -> Query<'_, S> {
        Query::new(Asked::Balls(self))
    }
}

impl<'a, S: Engines> View<'a, S> {
    /// Asks what is where: rays, overlaps, nearest bodies.
    pub fn query(&self) -> Query<'a, S> {
        Query::of(self.engine())
    }
}

impl<'a, S: Engines> Query<'a, S> {
    fn new(whom: Asked<'a, S>) -> Self {
        Query {
            whom,
            groups: None,
            sensors: true,
            exhaustive: false,
        }
    }

    /// Asks about the bodies of any run.
    pub(super) fn of(run: &'a dyn Engine<S>) -> Self {
        Query::new(match run.as_exact() {
            Some(balls) => Asked::Balls(balls),
            None => Asked::Any(run),
        })
    }

    /// The balls that are found through cells.
    fn balls(&self) -> Option<&'a Exact<S>> {
        match self.whom {
            Asked::Balls(run) => Some(run),
            Asked::Any(_) => None,
        }
    }

    fn periods(&self) -> [f64; 3] {
        match &self.whom {
            Asked::Balls(run) => run.periods(),
            Asked::Any(run) => run.periods(),
        }
    }

    /// Only bodies that collide with one that has this filter.
    pub fn for_groups(self, groups: CollisionFilter) -> Self {
        Query {
            groups: Some(groups),
            ..self
        }
    }

    /// No sensors.
    pub fn without_sensors(self) -> Self {
        Query {
            sensors: false,
            ..self
        }
    }

    /// Looks at every ball: slow, and the same. For tests.
    pub fn exhaustive(self) -> Self {
        Query {
            exhaustive: true,
            ..self
        }
    }

    /// The first body that a ray hits within a length, m. The direction need not have length one.
    pub fn ray(
        &self,
        origin: S::Vector,
        direction: S::Vector,
        length: f64,
    ) -> Result<Option<Hit<S>>, QueryError> {
        let ray = self.checked(origin, direction, length)?;
        Ok(self.hits(&ray, true).into_iter().next())
    }

    /// All bodies that a ray hits within a length, m, each where it is first hit, in order of distance.
    pub fn ray_through(
        &self,
        origin: S::Vector,
        direction: S::Vector,
        length: f64,
    ) -> Result<Vec<Hit<S>>, QueryError> {
        let ray = self.checked(origin, direction, length)?;
        Ok(self.hits(&ray, false))
    }

    /// All bodies that a ball at a point would touch or overlap, by id.
    pub fn in_ball(&self, centre: S::Vector, radius: f64) -> Result<Vec<BodyId>, QueryError> {
        check(
            centre.is_finite(),
            "centre",
            centre,
            "made of finite numbers",
        )?;
        let good = radius >= 0.0 && radius.is_finite();
        check(
            good,
            "radius",
            radius,
            "a finite number of metres, zero or above",
        )?;
        let mut found: Vec<BodyId> = Vec::new();
        self.each_near(centre, radius, |id, distance| {
            if distance <= radius {
                found.push(id);
            }
        });
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// All bodies in an axis-aligned box, by id: balls that touch or overlap it, walls and containers that do, and of
    /// the other shapes those whose enclosing ball does, so that one that just misses the box may be named.
    pub fn in_box(&self, low: S::Vector, high: S::Vector) -> Result<Vec<BodyId>, QueryError> {
        check(low.is_finite(), "low", low, "made of finite numbers")?;
        check(high.is_finite(), "high", high, "made of finite numbers")?;
        let (from, to) = (S::components(low), S::components(high));
        let good = (0..S::DIMENSION).all(|axis| from[axis] <= to[axis]);
        check(good, "high", high, "at least `low` along every axis")?;
        let middle = (low + high) * 0.5;
        let half = (high - low) * 0.5;
        let mut found: Vec<BodyId> = Vec::new();
        for (run, slot) in self.slots_near(middle, half.length()) {
            let place = place(run, slot);
            let radius = run.stage.balls.hot[slot].radius;
            for image in self.images(place, radius, low, high) {
                if from_box::<S>(place + image, low, high) <= radius {
                    found.push(run.stage.balls.ids[slot]);
                }
            }
        }
        for (id, body, pose) in self.fixture() {
            let reach = body.shape.reach();
            for image in self.images(pose.position, reach, low, high) {
                let pose = Pose {
                    position: pose.position + image,
                    ..pose
                };
                if may_be_in_box(&body, &pose, low, high) {
                    found.push(id);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The bodies whose surfaces are nearest to a point, at most this many, and how far away they are, m: negative
    /// inside.
    pub fn nearest(
        &self,
        place: S::Vector,
        number: usize,
    ) -> Result<Vec<(BodyId, f64)>, QueryError> {
        check(place.is_finite(), "place", place, "made of finite numbers")?;
        let balls = (self.balls()).map_or(usize::MAX, |run| run.stage.balls.number());
        let mut radius = match self.balls().map(|run| &run.plans) {
            Some(Plans::Fast(planner)) if !self.exhaustive => planner.edge(),
            _ => f64::INFINITY,
        };
        loop {
            let mut nearest: BTreeMap<BodyId, f64> = BTreeMap::new();
            let mut seen = 0;
            self.each_near(place, radius, |id, distance| {
                seen += 1;
                let known = nearest.entry(id).or_insert(f64::INFINITY);
                *known = known.min(distance);
            });
            let mut list: Vec<(BodyId, f64)> = nearest.into_iter().collect();
            list.order_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            // Every body nearer than the radius has been seen.
            let certain = list
                .iter()
                .filter(|(_, distance)| *distance <= radius)
                .count();
            if certain >= number || seen >= balls || radius == f64::INFINITY {
                list.truncate(number);
                return Ok(list);
            }
            radius *= 2.0;
        }
    }

    fn wants_ball(&self, run: &Exact<S>, slot: usize) -> bool {
        let balls = &run.stage.balls;
        self.groups.is_none_or(|groups| balls.meets(slot, groups))
    }

    /// All bodies that are not found through cells, where they are now: static and kinematic bodies, or all.
    fn fixture(&self) -> Vec<(BodyId, Cow<'a, Body<S>>, Pose<S>)> {
        let wanted = |body: &Body<S>| {
            let meets = self
                .groups
                .is_none_or(|groups| body.groups.collides_with(groups));
            meets && (self.sensors || !body.sensor)
        };
        match self.whom {
            Asked::Balls(run) => {
                let all = run.registry.all_fixtures();
                all.filter(|(_, body)| wanted(body))
                    .map(|(id, body)| (id, Cow::Borrowed(body), state_of(body, run.time()).pose))
                    .collect()
            }
            Asked::Any(run) => {
                let all = run.bodies().into_iter();
                all.filter_map(|id| {
                    let (body, state) = (run.body(id)?, run.state(id));
                    let (position, rotation) = (state.position, state.rotation);
                    wanted(&body).then(|| (id, Cow::Owned(body), Pose { position, rotation }))
                })
                .collect()
            }
        }
    }

    /// The balls that may be within a distance of a place, m.
    fn slots_near(&self, place: S::Vector, distance: f64) -> Vec<(&'a Exact<S>, usize)> {
        let Some(run) = self.balls() else {
            return Vec::new();
        };
        let mut slots = Vec::new();
        if self.exhaustive || !distance.is_finite() {
            slots.extend(run.stage.balls.slots());
        } else {
            run.balls_within(place, distance, |slot| slots.push(slot));
        }
        let slots = slots.into_iter();
        slots
            .filter(|&slot| self.wants_ball(run, slot))
            .map(|slot| (run, slot))
            .collect()
    }

    /// Every body that may be within a distance of a place, m, and how far its surface is: of its images the nearest.
    fn each_near(&self, place: S::Vector, distance: f64, mut visit: impl FnMut(BodyId, f64)) {
        let periods = self.periods();
        let here = match self.shear() {
            Some(shear) => shear.home::<S>(place, periods).0,
            None => home::<S>(place, periods),
        };
        for (run, slot) in self.slots_near(here, distance) {
            let balls = &run.stage.balls;
            let apart = here - self::place(run, slot);
            let apart = apart + balls.seen(apart, run.local_time()).shift;
            visit(balls.ids[slot], apart.length() - balls.hot[slot].radius);
        }
        for (id, body, pose) in self.fixture() {
            // The nearest image has its middle within one box length of the place along each axis.
            let box_lengths = S::vector(periods);
            let nearest = self
                .images(pose.position, 0.0, here - box_lengths, here + box_lengths)
                .into_iter()
                .map(|image| body.shape.closest(pose.to_local(here - image)).distance)
                .fold(f64::INFINITY, f64::min);
            visit(id, nearest);
        }
    }

    fn checked(
        &self,
        origin: S::Vector,
        direction: S::Vector,
        length: f64,
    ) -> Result<Ray<S>, QueryError> {
        check(
            origin.is_finite(),
            "origin",
            origin,
            "made of finite numbers",
        )?;
        let unit = direction.unit().filter(|unit| unit.is_finite());
        let allowed = "a finite direction that is not zero";
        check(unit.is_some(), "direction", direction, allowed)?;
        let periodic = self.periods().iter().any(|&length| length > 0.0);
        let good = length >= 0.0 && (length.is_finite() || !periodic);
        let allowed = "a number of metres, zero or above, and finite in a periodic box";
        check(good, "length", length, allowed)?;
        Ok(Ray {
            origin,
            direction: unit.unwrap_or(direction),
            length,
        })
    }

    /// The bodies on a ray, in order; at least the first.
    fn hits(&self, ray: &Ray<S>, first_only: bool) -> Vec<Hit<S>> {
        let mut found: BTreeMap<BodyId, Hit<S>> = BTreeMap::new();
        let mut enter = |hit: Hit<S>| {
            let known = found.entry(hit.body).or_insert(hit);
            if hit.distance < known.distance {
                *known = hit;
            }
        };
        let far = ray.length.min(f64::MAX);
        let (low, high) = ray.bounds(0.0, far);
        for (id, body, pose) in self.fixture() {
            for image in self.images(pose.position, body.shape.reach(), low, high) {
                let pose = Pose {
                    position: pose.position + image,
                    ..pose
                };
                ray.meet(id, &body.shape, &pose).map(&mut enter);
            }
        }
        self.balls_on(ray, first_only, &mut enter);
        let mut hits: Vec<Hit<S>> = found.into_values().collect();
        hits.order_by(|a, b| {
            let nearer = a.distance.total_cmp(&b.distance);
            nearer.then(a.body.cmp(&b.body))
        });
        hits
    }

    fn balls_on(&self, ray: &Ray<S>, first_only: bool, enter: &mut impl FnMut(Hit<S>)) {
        let Some(run) = self.balls() else { return };
        let balls = &run.stage.balls;
        let mut meet = |slot: usize, centre: S::Vector| {
            let shape = Shape::Ball(Ball {
                radius: balls.hot[slot].radius,
            });
            let hit = ray.meet(balls.ids[slot], &shape, &Pose::at(centre));
            let distance = hit.map(|hit| hit.distance);
            hit.map(&mut *enter);
            distance
        };
        let segments = match &run.plans {
            Plans::Fast(planner) if !self.exhaustive && balls.shear.is_none() => {
                let shortest = (balls.period.into_iter())
                    .filter(|&length| length > 0.0)
                    .fold(f64::INFINITY, f64::min);
                // So short that a ball that is met is the nearest of its images to the middle of the segment.
                let segment = planner.edge().min(0.125 * shortest);
                (ray.length / segment).ceil().max(1.0)
            }
            _ => f64::INFINITY,
        };
        // More pieces than balls: then it is quicker to look at all.
        if !(segments <= balls.number() as f64) {
            let (low, high) = ray.bounds(0.0, ray.length.min(f64::MAX));
            for slot in balls.slots().filter(|&slot| self.wants_ball(run, slot)) {
                let place = place(run, slot);
                for image in self.images(place, balls.hot[slot].radius, low, high) {
                    meet(slot, place + image);
                }
            }
            return;
        }
        let segment = ray.length / segments;
        for step in 0..segments as usize {
            let from = step as f64 * segment;
            let middle = ray.at(from + 0.5 * segment);
            let here = home::<S>(middle, balls.period);
            let mut nearest = f64::INFINITY;
            for (run, slot) in self.slots_near(here, 0.5 * segment) {
                let apart = place(run, slot) - here;
                let centre = middle + (apart + balls.nearest_shift(apart));
                nearest = nearest.min(meet(slot, centre).unwrap_or(f64::INFINITY));
            }
            if first_only && nearest <= from + segment {
                return;
            }
        }
    }
}

fn place<S: Engines>(run: &Exact<S>, slot: usize) -> S::Vector {
    run.stage.balls.position_at(slot, run.local_time())
}

#[derive(Clone, Copy, Debug)]
struct Ray<S: Engines> {
    origin: S::Vector,
    direction: S::Vector,
    length: f64,
}

impl<S: Engines> Ray<S> {
    fn at(&self, distance: f64) -> S::Vector {
        self.origin + self.direction * distance
    }

    /// Corners of the box around a piece of it.
    fn bounds(&self, from: f64, to: f64) -> (S::Vector, S::Vector) {
        let (a, b) = (S::components(self.at(from)), S::components(self.at(to)));
        (
            S::vector([0, 1, 2].each(|axis| a[axis].min(b[axis]))),
            S::vector([0, 1, 2].each(|axis| a[axis].max(b[axis]))),
        )
    }

    fn meet(&self, body: BodyId, shape: &Shape<S>, pose: &Pose<S>) -> Option<Hit<S>> {
        let origin = pose.to_local(self.origin);
        let direction = S::unrotate(pose.rotation, self.direction);
        let start = shape.closest(origin);
        let distance = if start.distance <= 0.0 {
            0.0
        } else {
            shape.cast(origin, direction)?
        };
        if !(distance <= self.length) {
            return None;
        }
        let mut normal = shape.closest(origin + direction * distance).normal;
        // On a thin wall either side will do for the nearest place; the ray comes from one of them.
        if distance > 0.0 && normal.dot(direction) > 0.0 {
            normal = -normal;
        }
        Some(Hit {
            body,
            distance,
            point: self.at(distance),
            normal: S::rotate(pose.rotation, normal),
        })
    }
}

/// The distance of a place from a box, m; zero inside.
fn from_box<S: Engines>(place: S::Vector, low: S::Vector, high: S::Vector) -> f64 {
    let (place, low, high) = (
        S::components(place),
        S::components(low),
        S::components(high),
    );
    let outside = [0, 1, 2].each(|axis| {
        let (low, high) = if axis < S::DIMENSION {
            (low[axis], high[axis])
        } else {
            (0.0, 0.0)
        };
        place[axis] - place[axis].clamp(low, high)
    });
    S::vector(outside).length()
}

fn may_be_in_box<S: Engines>(
    body: &Body<S>,
    pose: &Pose<S>,
    low: S::Vector,
    high: S::Vector,
) -> bool {
    let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
    match &body.shape {
        Shape::Ball(ball) => from_box::<S>(pose.position, low, high) <= ball.radius,
        Shape::HalfSpace(wall) => {
            let normal = S::components(S::rotate(pose.rotation, wall.normal));
            let (half, apart) = (S::components(half), middle - pose.position);
            let height = S::vector(normal).dot(apart);
            let reach: f64 = (0..3).map(|axis| normal[axis].abs() * half[axis]).sum();
            height <= reach && (!wall.two_sided || height >= -reach)
        }
        Shape::Hollow(room) => {
            let (apart, half) = (S::components(middle - pose.position), S::components(half));
            // The corner that is furthest from the container's middle.
            let corner = [0, 1, 2].each(|axis| apart[axis].abs() + half[axis]);
            S::vector(corner).length() >= room.radius
        }
        shape => from_box::<S>(pose.position, low, high) <= shape.reach(),
    }
}
