//! A periodic box that is sheared.

use super::{AXES, World, WorldError};
use crate::body::{Body, Kind};
use crate::broad::{SizedBall, home};
use crate::shape::Shaped;
use crate::space::{Linear, Space};

/// How a periodic box is sheared, by the boundary conditions of Lees and Edwards (1972): the images of the box next to
/// it along one axis, the gradient, move along another, the flow, at `rate` times the length of the box along the
/// gradient. What leaves the box along the gradient comes in again at the place of the image that it has gone into,
/// with the velocity that it has relative to that image. A fluid in such a box comes to flow at `rate · y` without
/// walls.
///
/// ```
/// use carom::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World2::new();
/// world.set_periodic([Some(4.0), Some(4.0), None])?;
/// world.set_shear(Some(Shear::new(0.5)))?;
/// let ball = world.add(Body::ball(0.1, 1.0, DVec2::new(1.0, 3.0), DVec2::new(0.0, 1.0))?)?;
/// let mut run = Simulation::new(world)?;
/// run.run_until(2.0)?;
/// // It has left the box at the top after 1 s. The image there moves at 0.5 · 4 m/s, and was 2 m ahead by then.
/// assert_eq!(run.state(ball).velocity, DVec2::new(-2.0, 1.0));
/// assert_eq!(run.state(ball).position, DVec2::new(1.0, 1.0)); // 1 − 2 + 4, and −2 m in a second
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Shear {
    /// How fast the velocity along the flow grows along the gradient, 1/s.
    pub rate: f64,
    /// The axis of the flow: 0, 1 or 2 for x, y or z.
    pub flow: usize,
    /// The axis along which the velocity grows.
    pub gradient: usize,
    /// How far the image above the box is ahead along the flow at time 0, m.
    pub offset: f64,
}

impl Shear {
    /// A flow along x that grows along y, 1/s.
    pub fn new(rate: f64) -> Self {
        Shear {
            rate,
            flow: 0,
            gradient: 1,
            offset: 0.0,
        }
    }

    /// The velocity of the mean flow at a place, m/s, that is zero in the middle of a box.
    pub fn flow_at<S: Space>(&self, place: S::Vector, periods: [f64; 3]) -> S::Vector {
        let mut flow = [0.0; 3];
        let along = S::components(place)[self.gradient];
        flow[self.flow] = self.rate * (along - 0.5 * periods[self.gradient]);
        S::vector(flow)
    }
}

impl<S: Shaped> World<S> {
    /// Shears the periodic box, or does so no longer. The box must be periodic along both axes.
    ///
    /// Only free balls can be in a sheared box, without gravity and other fields, and they are followed by impulses
    /// alone: see [`misfits`](Self::misfits).
    pub fn set_shear(&mut self, shear: Option<Shear>) -> Result<(), WorldError> {
        if let Some(shear) = shear {
            let refuse = |field, value: String, allowed: &str| {
                let allowed = allowed.to_owned();
                Err(WorldError::Shear {
                    field,
                    value,
                    allowed,
                })
            };
            if !shear.rate.is_finite() {
                return refuse("rate", shear.rate.to_string(), "a finite number of 1/s");
            }
            if !shear.offset.is_finite() {
                return refuse(
                    "offset",
                    shear.offset.to_string(),
                    "a finite number of metres",
                );
            }
            for (field, axis) in [("flow", shear.flow), ("gradient", shear.gradient)] {
                if axis >= S::DIMENSION || self.periods[axis] == 0.0 {
                    let allowed = "an axis along which the box is periodic";
                    return refuse(field, axis_name(axis), allowed);
                }
            }
            if shear.flow == shear.gradient {
                let allowed = "another axis than that of the flow";
                return refuse("gradient", axis_name(shear.gradient), allowed);
            }
        }
        self.shear = shear.filter(|shear| shear.rate != 0.0 || shear.offset != 0.0);
        Ok(())
    }

    /// How the periodic box is sheared.
    pub fn shear(&self) -> Option<Shear> {
        self.shear
    }

    /// What cannot be in a sheared box.
    pub(super) fn unfit_for_shear(&self) -> Vec<WorldError> {
        if self.shear.is_none() {
            return Vec::new();
        }
        let still = |body: &&Body<S>| !matches!(body.kind, Kind::Free(_));
        let fixture = self.bodies.iter().find(still);
        let lasting = self.materials.ids().any(|a| {
            let mut others = self.materials.ids();
            others.any(|b| self.materials.surface(a, b).contact_duration > 0.0)
        });
        let rigid = super::has_rigid_bodies(self);
        let loaded = self.bodies.iter().any(|body| body.load.is_some());
        let uniform = self.fields.is_uniform() && self.gravity() == S::Vector::ZERO;
        let refused = [
            (
                fixture.is_some(),
                "a static or kinematic body or a sensor: its images would move past each other",
            ),
            (
                !uniform || loaded,
                "gravity, another field or an external force",
            ),
            (rigid, "rigid bodies that are no balls"),
            (!self.joints.is_empty(), "joints"),
            (lasting, "contacts of a duration"),
        ];
        let refused = refused.into_iter().filter(|(is_so, _)| *is_so);
        refused.map(|(_, what)| not_sheared(what)).collect()
    }

    /// The balls, and the images of those that can be touched across the upper side of a sheared box, with the
    /// lengths of a box that does not come round there.
    pub(super) fn with_images(&self, balls: &mut Vec<SizedBall<S>>, largest: f64) -> [f64; 3] {
        let mut periods = self.periods;
        let Some(shear) = self.shear else {
            return periods;
        };
        let length = std::mem::take(&mut periods[shear.gradient]);
        for ball in balls.iter_mut() {
            ball.place = shear.home::<S>(ball.place, self.periods).0;
        }
        let low = |ball: &&SizedBall<S>| S::components(ball.place)[shear.gradient] < 2.1 * largest;
        let images: Vec<SizedBall<S>> = (balls.iter().filter(low))
            .map(|ball| {
                let mut place = S::components(ball.place);
                place[shear.gradient] += length;
                place[shear.flow] += shear.offset;
                SizedBall {
                    place: home::<S>(S::vector(place), periods),
                    ..*ball
                }
            })
            .collect();
        balls.extend(images);
        periods
    }
}

fn axis_name(axis: usize) -> String {
    AXES.get(axis).map_or("no axis".to_owned(), char::to_string)
}

/// What is in a sheared box that cannot be there.
pub(crate) fn not_sheared(what: &str) -> WorldError {
    WorldError::Shear {
        field: "the box",
        value: format!("sheared, with {what}"),
        allowed: "filled with free balls alone, on which nothing acts in flight".to_owned(),
    }
}

impl Shear {
    /// A place at time 0 brought into the box, and how many boxes it was away along the gradient and the flow.
    pub(crate) fn home<S: Space>(
        &self,
        place: S::Vector,
        periods: [f64; 3],
    ) -> (S::Vector, f64, f64) {
        let mut place = S::components(place);
        let length = periods[self.gradient];
        let boxes = (place[self.gradient] / length).floor();
        if boxes != 0.0 {
            place[self.gradient] -= boxes * length;
            place[self.flow] -= boxes * self.offset;
        }
        let along = (place[self.flow] / periods[self.flow]).floor();
        (home::<S>(S::vector(place), periods), boxes, along)
    }
}
