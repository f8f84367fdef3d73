use super::{Field, Fields, Part, Situation};
use crate::motion::integrate::{Border, Rates, Sides};
use crate::motion::load::Load;
use crate::space::{Linear, Space};

/// What acts on one ball: [`Fields`] with its mass, radius and inertia.
#[derive(Clone, Copy, Debug)]
pub struct BallFields<'a, S: Space> {
    fields: &'a Fields<S>,
    mass: f64,
    radius: f64,
    /// 1/kg.
    inverse_mass: f64,
    /// 1/(kg·m²).
    inverse_inertia: f64,
    /// The drag that acts everywhere: k₁/m (1/s) and k₂/m (1/m).
    drag: (f64, f64),
    /// Whether there is wind.
    windy: bool,
    /// Whether there is anything else than wind and the drag that acts everywhere.
    more: bool,
    /// What acts on this ball alone.
    load: Option<&'a Load<S>>,
}

impl<'a, S: Space> BallFields<'a, S> {
    pub(super) fn new(fields: &'a Fields<S>, mass: f64, radius: f64, inertia: f64) -> Self {
        let mut ball = BallFields {
            fields,
            mass,
            radius,
            inverse_mass: 1.0 / mass,
            inverse_inertia: 1.0 / inertia,
            drag: (0.0, 0.0),
            windy: false,
            more: false,
            load: None,
        };
        for part in &fields.parts {
            match part.field {
                Field::Wind(_) => ball.windy = true,
                Field::Drag(drag) if part.mask == 0 => {
                    let (linear, quadratic) = drag.coefficients(radius);
                    ball.drag.0 += linear * ball.inverse_mass;
                    ball.drag.1 += quadratic * ball.inverse_mass;
                }
                _ => ball.more = true,
            }
        }
        ball
    }

    /// With what acts on this ball alone.
    #[must_use]
    pub fn with_load(self, load: Option<&'a Load<S>>) -> Self {
        BallFields { load, ..self }
    }

    /// The acceleration, m/s², and rate of change of the spin, rad/s², by what acts on this ball alone.
    fn by_load(&self, load: &Load<S>, time: f64) -> (S::Vector, S::Angular) {
        (
            load.force_at(time) * self.inverse_mass,
            load.torque_at(time) * self.inverse_inertia,
        )
    }

    fn wind(&self, sides: Sides, position: S::Vector, time: f64) -> S::Vector {
        let mut velocity = S::Vector::ZERO;
        for part in &self.fields.parts {
            if let Field::Wind(wind) = &part.field
                && part.acts(sides)
            {
                velocity += wind.velocity(position, time);
            }
        }
        velocity
    }

    /// The acceleration, m/s², and rate of change of the spin, rad/s², by one part other than wind.
    pub(super) fn by_part(&self, part: &Part<S>, at: &Situation<S>) -> (S::Vector, S::Angular) {
        let airspeed = at.velocity - at.wind;
        let push = match &part.field {
            Field::Wind(_) => S::Vector::ZERO,
            Field::Drag(drag) => {
                let (linear, quadratic) = drag.coefficients(self.radius);
                airspeed * -((linear + quadratic * airspeed.length()) * self.inverse_mass)
            }
            Field::Lift(lift) => {
                S::surface_velocity(at.angular_velocity, airspeed)
                    * (lift.coefficient(self.radius) * self.inverse_mass)
            }
            Field::RotationalDrag(drag) => {
                let rate = drag.coefficient(self.radius) * self.inverse_inertia;
                return (S::Vector::ZERO, at.angular_velocity * -rate);
            }
            Field::Uniform(acceleration) => *acceleration,
            Field::Central {
                centre,
                strength,
                softening,
            } => {
                let arm = at.position - *centre;
                let apart = arm.length_squared() + softening * softening;
                arm * (-strength / (apart * apart.sqrt()))
            }
            Field::Spring { centre, stiffness } => {
                (at.position - *centre) * (-stiffness * self.inverse_mass)
            }
            Field::Force(force) => (force.function)(at) * self.inverse_mass,
        };
        (push, S::Angular::ZERO)
    }
}

impl<S: Space> Rates<S> for BallFields<'_, S> {
    fn rates(
        &self,
        time: f64,
        position: S::Vector,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> (S::Vector, S::Angular) {
        let sides = Sides::of(&self.fields.borders, position);
        self.rates_beside(sides, time, position, velocity, angular_velocity)
    }

    fn next_jump(&self, time: f64) -> f64 {
        let jump = self.fields.next_jump(time);
        self.load
            .map_or(jump, |load| load.next_jump(time).min(jump))
    }

    fn borders(&self) -> &[Border<S>] {
        &self.fields.borders
    }

    #[inline]
    fn rates_beside(
        &self,
        sides: Sides,
        time: f64,
        position: S::Vector,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> (S::Vector, S::Angular) {
        let wind = if self.windy {
            self.wind(sides, position, time)
        } else {
            S::Vector::ZERO
        };
        let airspeed = velocity - wind;
        let (linear, quadratic) = self.drag;
        let mut push = self.fields.gravity - airspeed * (linear + quadratic * airspeed.length());
        let mut twist = S::Angular::ZERO;
        if self.more {
            let at = Situation {
                time,
                position,
                velocity,
                angular_velocity,
                wind,
                mass: self.mass,
                radius: self.radius,
            };
            for part in &self.fields.parts {
                // Counted already.
                let done = part.mask == 0 && matches!(part.field, Field::Drag(_));
                if part.acts(sides) && !done {
                    let (more_push, more_twist) = self.by_part(part, &at);
                    push += more_push;
                    twist += more_twist;
                }
            }
        }
        if let Some(load) = self.load {
            let (more_push, more_twist) = self.by_load(load, time);
            push += more_push;
            twist += more_twist;
        }
        (push, twist)
    }

    fn culprit(
        &self,
        time: f64,
        position: S::Vector,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> Option<String> {
        if let Some(load) = self.load {
            let (push, twist) = self.by_load(load, time);
            if !(push.is_finite() && twist.is_finite()) {
                return Some("external force".to_owned());
            }
        }
        let sides = Sides::of(&self.fields.borders, position);
        let mut at = Situation {
            time,
            position,
            velocity,
            angular_velocity,
            wind: S::Vector::ZERO,
            mass: self.mass,
            radius: self.radius,
        };
        let parts = || self.fields.parts.iter().filter(|part| part.acts(sides));
        let blows_nonsense = parts().find(|part| match &part.field {
            Field::Wind(wind) => !wind.velocity(position, time).is_finite(),
            _ => false,
        });
        if let Some(part) = blows_nonsense {
            return Some(part.name.clone());
        }
        at.wind = self.wind(sides, position, time);
        parts()
            .find(|part| {
                let (push, twist) = self.by_part(part, &at);
                !(push.is_finite() && twist.is_finite())
            })
            .map(|part| part.name.clone())
    }
}
