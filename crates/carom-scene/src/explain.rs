//! One collision in words and numbers: what `carom explain` prints and the page shows.

use crate::shape::shape_name;
use crate::space::SceneSpace;
use carom::body::{Body, Kind};
use carom::material::{Law, Materials};
use carom::record::Velocities;
use carom::shape::Shape;
use carom::space::Linear;

/// A collision, with all that is needed to describe it. SI units.
#[derive(Clone, Debug)]
pub struct Explanation<'w, S: SceneSpace> {
    /// Counted from 1.
    pub number: u64,
    /// World time, s.
    pub time: f64,
    /// a, which the normal points into, and b.
    pub bodies: [&'w Body<S>; 2],
    /// What the bodies are made of.
    pub materials: &'w Materials,
    /// Where they touch, m.
    pub point: S::Vector,
    /// Unit normal, out of b into a.
    pub normal: S::Vector,
    /// On a, kg·m/s.
    pub impulse: S::Vector,
    /// What the friction did, by its name: `stick`.
    pub mode: &'w str,
    /// Of a and b.
    pub before: [Velocities<S>; 2],
    /// Of a and b.
    pub after: [Velocities<S>; 2],
    /// J.
    pub energy_lost: f64,
    /// J.
    pub lost_to_friction: f64,
    /// Between the surfaces, m.
    pub gap: f64,
    /// Along the normal, m/s; NaN where it is not known.
    pub approach_speed: f64,
}

impl<S: SceneSpace> Explanation<'_, S> {
    /// What it is about, in a line.
    pub fn title(&self) -> String {
        let [a, b] = self.bodies;
        format!(
            "Collision {} at t = {} s: {} and {}",
            self.number, self.time, a.name, b.name
        )
    }

    /// What there is to say, under short names.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let [a, b] = self.bodies;
        let along = self.impulse.dot(self.normal);
        let across = (self.impulse - self.normal * along).length();
        let contact = format!(
            "at {} m, normal {} from b to a",
            shown::<S>(self.point),
            shown::<S>(self.normal)
        );
        let impulse = format!(
            "{} kg m/s on a, the opposite on b: {} normal, {} tangential; {}",
            shown::<S>(self.impulse),
            figures(along),
            figures(across),
            mode_words(self.mode)
        );
        vec![
            ("a", self.body_words(a)),
            ("b", self.body_words(b)),
            ("contact", contact),
            ("law", self.law()),
            ("approach", self.approach()),
            ("impulse", impulse),
            ("before", motions(&self.before)),
            ("after", motions(&self.after)),
            ("energy", self.energy()),
            (
                "gap",
                format!(
                    "{} m between the surfaces: rounding error",
                    figures(self.gap)
                ),
            ),
        ]
    }

    fn body_words(&self, body: &Body<S>) -> String {
        let motion = match &body.kind {
            Kind::Free(_) => "free",
            Kind::Static => "static",
            Kind::Kinematic(_) => "kinematic",
        };
        let mut words = format!(
            "{}: a {motion} {} of {}",
            body.name,
            shape_name(&body.shape),
            self.materials.name(body.material)
        );
        if let Shape::Ball(ball) = &body.shape {
            words += &format!(", radius {} m", figures(ball.radius));
        }
        if let Kind::Free(free) = &body.kind {
            words += &format!(
                ", mass {} kg, inertia {} kg m²",
                figures(free.mass),
                figures(free.inertia)
            );
        }
        words
    }

    fn law(&self) -> String {
        let [a, b] = self.bodies;
        let (a, b) = (a.material, b.material);
        let surface = self.materials.surface(a, b);
        let restitution = if surface.varies() && self.approach_speed.is_finite() {
            let restitution = self.materials.restitution_at(a, b, self.approach_speed);
            let speed = figures(self.approach_speed);
            format!("{} at {speed} m/s", figures(restitution))
        } else {
            figures(surface.restitution)
        };
        format!(
            "{} ({}): restitution {restitution}, friction {} static, {} kinetic",
            surface.law,
            law_words(surface.law),
            figures(surface.static_friction),
            figures(surface.kinetic_friction)
        )
    }

    /// How fast the surfaces came together and parted, and slipped. The arms of what turns and is no ball are not
    /// known, but how fast it closed is.
    fn approach(&self) -> String {
        let radius = |body: &Body<S>| match &body.shape {
            Shape::Ball(ball) => Some(ball.radius),
            _ => None,
        };
        let normal = self.normal;
        let relative = |[of_a, of_b]: &[Velocities<S>; 2]| {
            let [a, b] = self.bodies;
            let arm_a = radius(a).map(|radius| normal * -radius)?;
            let of_b = match radius(b) {
                Some(radius) => surface_velocity(of_b, normal * radius),
                None if of_b.angular_velocity == S::Angular::ZERO => of_b.velocity,
                None => return None,
            };
            Some(surface_velocity(of_a, arm_a) - of_b)
        };
        let (Some(before), Some(after)) = (relative(&self.before), relative(&self.after)) else {
            return if self.approach_speed.is_finite() {
                format!(
                    "at {} m/s along the normal, where the surfaces touched",
                    figures(self.approach_speed)
                )
            } else {
                "not known: the run folder is of an older version".to_owned()
            };
        };
        let [closing, separation] = [before, after].map(|v| v.dot(normal));
        let [slip_before, slip_after] = [(before, closing), (after, separation)]
            .map(|(velocity, along)| length(&S::components(velocity - normal * along)));
        format!(
            "at {} m/s along the normal, separating at {} m/s; slip {} m/s before, {} m/s after",
            figures(-closing),
            figures(separation),
            figures(slip_before),
            figures(slip_after)
        )
    }

    fn energy(&self) -> String {
        let energy = |motions: &[Velocities<S>; 2]| -> f64 {
            let of = |(motion, body): (&Velocities<S>, &Body<S>)| match &body.kind {
                Kind::Free(free) => {
                    let turning = if free.inertia.is_finite() {
                        0.5 * free.inertia * motion.angular_velocity.length_squared()
                    } else {
                        0.0
                    };
                    0.5 * free.mass * motion.velocity.length_squared() + turning
                }
                _ => 0.0,
            };
            motions.iter().zip(self.bodies).map(of).sum()
        };
        let (lost, friction) = (self.energy_lost, self.lost_to_friction);
        format!(
            "{} J before, {} J after; {} J lost, {} of it to restitution and {} to friction",
            figures(energy(&self.before)),
            figures(energy(&self.after)),
            figures(lost),
            figures(lost - friction),
            figures(friction)
        )
    }
}

/// Of the surface at the end of an arm, m/s.
fn surface_velocity<S: SceneSpace>(motion: &Velocities<S>, arm: S::Vector) -> S::Vector {
    motion.velocity + S::surface_velocity(motion.angular_velocity, arm)
}

fn motions<S: SceneSpace>(motions: &[Velocities<S>; 2]) -> String {
    let words = |motion: &Velocities<S>| {
        let turning = <S as SceneSpace>::angular_velocity_components(motion.angular_velocity);
        let turning = match &turning[..] {
            [turning] => figures(*turning),
            turning => vector(turning),
        };
        format!(
            "velocity {} m/s, angular velocity {turning} rad/s",
            shown::<S>(motion.velocity)
        )
    };
    format!("a {}; b {}", words(&motions[0]), words(&motions[1]))
}

fn shown<S: SceneSpace>(of: S::Vector) -> String {
    vector(&S::components(of)[..S::DIMENSION])
}

fn law_words(law: Law) -> &'static str {
    match law {
        Law::Coulomb => "restitution with Coulomb's friction",
        Law::Newton => "Newton's restitution, friction along the first slip",
        Law::Course => "the friction law of the course",
        Law::Beta => "one coefficient for normal and tangential restitution",
        _ => "a law of its own",
    }
}

fn mode_words(mode: &str) -> String {
    let meaning = match mode {
        "idle" => "the bodies did not approach",
        "frictionless" => "no tangential impulse",
        "stick" => "the surfaces stuck: no slip left",
        "slide" => "the surfaces slid throughout",
        "slip reversed" => "the slip stopped and reversed",
        "damped" => "the slip was damped",
        _ => return mode.to_owned(),
    };
    format!("{mode} ({meaning})")
}

/// A number to six figures.
pub fn figures(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e6).contains(&size) {
        // The decimals that leave six figures: none for hundred thousands, eight for thousandths.
        let whole = [1e5, 1e4, 1e3, 1e2, 1e1, 1e0, 1e-1, 1e-2, 1e-3]
            .iter()
            .position(|&power| size >= power)
            .unwrap_or(8);
        format!("{number:.whole$}")
    } else {
        format!("{number:.5e}")
    }
}

/// "(1.00000, 0)".
pub fn vector(components: &[f64]) -> String {
    let parts: Vec<String> = components.iter().map(|&x| figures(x)).collect();
    format!("({})", parts.join(", "))
}

fn length(components: &[f64]) -> f64 {
    components.iter().map(|x| x * x).sum::<f64>().sqrt()
}
