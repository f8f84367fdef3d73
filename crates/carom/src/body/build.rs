//! Bodies with named steps.

use super::{Body, BodyError, CollisionFilter, Free, Kind, mean_moment};
use crate::material::MaterialId;
use crate::motion::{Load, Pose};
use crate::shape::convex::{Compound, free_form};
use crate::shape::{Shape, Shaped};
use crate::space::{Linear, Space};

/// What can become a body: a [`Body`], or a [`FreeBody`] with its mass still to be spread.
pub trait IntoBody<S: Shaped> {
    /// The body, if its numbers are allowed.
    fn into_body(self) -> Result<Body<S>, BodyError>;
}

impl<S: Shaped> IntoBody<S> for Body<S> {
    fn into_body(self) -> Result<Body<S>, BodyError> {
        self.check()?;
        Ok(self)
    }
}

impl<S: Shaped> IntoBody<S> for FreeBody<S> {
    fn into_body(self) -> Result<Body<S>, BodyError> {
        self.build()
    }
}

/// A free body in the making: [`Body::free`].
///
/// Its mass must be given, by [`mass`](Self::mass) or [`density`](Self::density); everything else has a default: at
/// rest at the origin, not rotated, of the default material, colliding with everything. `World::add`
/// and `Simulation::insert` take it as it is and check it; so does
/// [`build`](Self::build).
///
/// ```
/// use carom::prelude::*;
///
/// # fn main() -> Result<(), SimulationError> {
/// let mut world = World2::new();
/// let rubber = world.materials.add("rubber", Material { restitution: 0.8, ..Material::default() })?;
/// let crate_ = Shape::block(DVec2::new(0.5, 0.25))?;
/// world.add(
///     Body::free(crate_)
///         .mass(2.0)
///         .at(DVec2::new(0.0, 1.1))
///         .rotated(Turn::by(0.3))
///         .velocity(DVec2::new(3.0, 0.0))
///         .angular_velocity(-2.0)
///         .material(rubber)
///         .named("crate"),
/// )?;
/// let error = world.add(Body::free(Shape::ball(0.1)?).named("cue")).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "body 1 (cue): mass is missing, but must be a positive, finite number of kilograms"
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "it is put into a world by `add`, or made a body by `build`"]
pub struct FreeBody<S: Shaped> {
    /// With a mass and inertia that count for nothing yet.
    body: Body<S>,
    weight: GivenMass,
    inertia: Option<f64>,
    velocity: S::Vector,
    angular_velocity: S::Angular,
}

/// How heavy it is said to be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum GivenMass {
    /// Nothing has been said; a form may know.
    Unsaid,
    /// kg.
    Mass(f64),
    /// kg/m³; kg/m² in 2-D.
    Density(f64),
}

impl<S: Shaped> Body<S> {
    /// A free body of a shape: impulses and gravity move it. Its mass is still to be given; see [`FreeBody`].
    pub fn free(shape: Shape<S>) -> FreeBody<S> {
        FreeBody {
            body: Body::fixed(shape),
            weight: GivenMass::Unsaid,
            inertia: None,
            velocity: S::Vector::ZERO,
            angular_velocity: S::Angular::ZERO,
        }
    }
}

impl<S: Shaped> FreeBody<S> {
    /// Of a mass (kg), spread uniformly over the shape.
    pub fn mass(self, mass: f64) -> Self {
        FreeBody {
            weight: GivenMass::Mass(mass),
            ..self
        }
    }

    /// Of a uniform density, kg/m³; in 2-D kg/m².
    pub fn density(self, density: f64) -> Self {
        FreeBody {
            weight: GivenMass::Density(density),
            ..self
        }
    }

    /// A ball whose mass is not spread uniformly: its moment of inertia about any axis through its centre (kg·m²);
    /// infinite for one that cannot be spun. Other shapes have the inertia that follows from their mass.
    pub fn inertia(self, inertia: f64) -> Self {
        FreeBody {
            inertia: Some(inertia),
            ..self
        }
    }

    /// With a velocity of its centre of mass at time 0, m/s.
    pub fn velocity(self, velocity: S::Vector) -> Self {
        FreeBody { velocity, ..self }
    }

    /// Turning at time 0, rad/s: counter-clockwise in 2-D, about the vector's own direction in 3-D.
    pub fn angular_velocity(self, angular_velocity: S::Angular) -> Self {
        FreeBody {
            angular_velocity,
            ..self
        }
    }

    /// With a constant external force at its centre of mass more, N.
    pub fn force(self, force: S::Vector) -> Self {
        self.loaded(|load| load.with_force(force))
    }

    /// With a constant external torque more, N·m. On a ball of infinite inertia it does nothing.
    pub fn torque(self, torque: S::Angular) -> Self {
        self.loaded(|load| load.with_torque(torque))
    }

    /// With this load instead of every external force and torque so far: those that are formulas of time.
    pub fn load(self, load: Load<S>) -> Self {
        self.loaded(|_| load)
    }

    fn loaded(mut self, change: impl FnOnce(Load<S>) -> Load<S>) -> Self {
        let before = self.body.load.take();
        let load = change(before.map(|load| *load).unwrap_or_default());
        self.body.load = (!load.is_nothing()).then(|| Box::new(load));
        self
    }

    /// The body, if its numbers are allowed.
    pub fn build(self) -> Result<Body<S>, BodyError> {
        let FreeBody {
            mut body,
            weight,
            inertia,
            velocity,
            angular_velocity,
        } = self;
        let load = body.load.take(); // which only a free body may have
        body.check()?; // its place, whatever it weighs
        let (mass, uniform) = match weigh(&mut body.shape, weight) {
            Ok(weighed) => weighed,
            Err((field, value, allowed)) => {
                return Err(BodyError::of(&body, (field, value, allowed)));
            }
        };
        let inertia = match (inertia, &body.shape) {
            (Some(_), shape) if !matches!(shape, Shape::Ball(_)) => {
                let allowed = "left to the shape and the mass, where the body is no ball";
                return Err(BodyError::of(
                    &body,
                    ("inertia", "given".to_owned(), allowed),
                ));
            }
            (own, _) => own.unwrap_or(uniform),
        };
        body.kind = Kind::Free(Free {
            mass,
            inertia,
            velocity,
            angular_velocity,
        });
        body.load = load;
        body.check()?;
        Ok(body)
    }
}

impl<S: Shaped> Body<S> {
    /// Gives a free body another mass, kg, spread as it was. Whether it may be that is for `check` to say.
    pub(crate) fn weigh(&mut self, mass: f64) {
        let Kind::Free(free) = &mut self.kind else {
            return;
        };
        match &mut self.shape {
            // It may be hollow.
            Shape::Ball(_) => free.inertia *= mass / free.mass,
            shape => {
                if let Ok(form) = free_form(shape, mass) {
                    free.inertia = mean_moment(&form);
                    if let Shape::Compound(own) = shape {
                        **own = form;
                    }
                }
            }
        }
        free.mass = mass;
    }
}

/// The mass and the mean moment of inertia of a shape. A form that was made without a mass gets it.
fn weigh<S: Shaped>(shape: &mut Shape<S>, weight: GivenMass) -> Result<(f64, f64), super::Wrong> {
    const MASS: &str = "a positive, finite number of kilograms";
    let is_positive = |value: f64| value > 0.0 && value.is_finite();
    let mass = match weight {
        GivenMass::Mass(mass) => mass,
        GivenMass::Density(density) if !is_positive(density) => {
            let allowed = match S::DIMENSION {
                2 => "a positive, finite number of kg/m²",
                _ => "a positive, finite number of kg/m³",
            };
            return Err(("density", density.to_string(), allowed));
        }
        GivenMass::Density(density) => {
            // The content is the mass at density one.
            let content = match &*shape {
                Shape::Ball(ball) => ball_content::<S>(ball.radius),
                Shape::Compound(form) => match Compound::new(form.parts().to_vec(), 1.0) {
                    Ok(form) => form.mass(),
                    Err(error) => return Err(refused(&error)),
                },
                other => match crate::shape::convex::Convex::of_shape(other) {
                    Some(part) => match Compound::new(vec![part], 1.0) {
                        Ok(form) => form.mass(),
                        Err(error) => return Err(refused(&error)),
                    },
                    None => return Err(super::no_inside(other)),
                },
            };
            density * content
        }
        GivenMass::Unsaid => match &*shape {
            Shape::Compound(form) if form.has_mass() => form.mass(),
            _ => return Err(("mass", "missing".to_owned(), MASS)),
        },
    };
    if !is_positive(mass) {
        return Err(("mass", mass.to_string(), MASS));
    }
    if let Shape::Ball(ball) = shape {
        return Ok((mass, S::ball_inertia(mass, ball.radius)));
    }
    if !matches!(shape, Shape::Compound(_)) && !super::has_inside(shape) {
        return Err(super::no_inside(shape));
    }
    let form = free_form(shape, mass).map_err(|error| refused(&error))?;
    let inertia = mean_moment(&form);
    match shape {
        Shape::Compound(own) if !own.has_mass() => **own = form,
        _ => {}
    }
    Ok((mass, inertia))
}

fn refused(error: &crate::shape::convex::ConvexError) -> super::Wrong {
    let value = format!("refused ({error})");
    ("shape", value, "one that can have a mass")
}

/// The area of a disc (m²) or the volume of a sphere (m³).
fn ball_content<S: Space>(radius: f64) -> f64 {
    match S::DIMENSION {
        2 => std::f64::consts::PI * radius * radius,
        _ => 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius,
    }
}

/// The steps that every body has, on a body and on one in the making.
macro_rules! steps {
    ($body:ident => $inner:expr) => {
        /// At a position, m: of the origin of its frame; of a free body its centre of mass.
        pub fn at(mut self, position: S::Vector) -> Self {
            let $body = &mut self;
            $inner.pose.position = position;
            self
        }

        /// Turned from the axes of the world: [`Turn::by`](crate::space::Turn::by) an angle in 2-D, a quaternion in
        /// 3-D.
        pub fn rotated(mut self, rotation: S::Rotation) -> Self {
            let $body = &mut self;
            $inner.pose.rotation = rotation;
            self
        }

        /// At a position and turned.
        pub fn pose(mut self, pose: Pose<S>) -> Self {
            let $body = &mut self;
            $inner.pose = pose;
            self
        }

        /// Of a material of its world: what [`Materials::add`](crate::material::Materials::add) returned.
        pub fn material(mut self, material: MaterialId) -> Self {
            let $body = &mut self;
            $inner.material = material;
            self
        }

        /// With a name, for messages and summaries.
        pub fn named(mut self, name: &str) -> Self {
            let $body = &mut self;
            $inner.name = name.into();
            self
        }

        /// Belonging to some groups, and meeting the members of some, one bit each: see [`CollisionFilter`].
        pub fn in_groups(mut self, memberships: u32, mask: u32) -> Self {
            let $body = &mut self;
            $inner.groups = CollisionFilter { memberships, mask };
            self
        }
    };
}

impl<S: Shaped> FreeBody<S> {
    steps!(draft => draft.body);
}

/// Steps: each returns the body with one thing changed.
impl<S: Shaped> Body<S> {
    steps!(body => body);

    /// Another word for [`material`](Body::material()).
    pub fn made_of(self, material: MaterialId) -> Self {
        self.material(material)
    }

    /// A sensor: see [`sensor`](Body::sensor).
    pub fn sensing(mut self) -> Self {
        self.sensor = true;
        self
    }
}
