//! A cue strikes a ball.
//!
//! A cue of mass M and speed V along the unit vector d meets a ball of mass m, radius R and moment of inertia I, at
//! rest, at the point r from its centre. The tip does not slip, the impulse J is along the cue:
//!
//! ```text
//! v = J d/m,    ω = r × d J/I,    J = (1 + e) V / (1/m + 1/M + |r×d|²/I),
//! ```
//!
//! as the place that was struck leaves the tip at e times the speed at which it met it (the derivation is in
//! `carom_stock::billiards`, for a solid ball). Beyond half a radius the tip slips off: that is refused. In 2-D the
//! table is seen from above, and only the spin about its normal is known.

use crate::dimension::{ReadSpace, vector};
use crate::quantity::{AXIS, MASS, PHASE, PURE, RATIO, SPEED};
use crate::reader::{Entry, Section};
use carom::body::{Body, Kind};
use carom::shape::Shape;
use carom::space::Linear;

/// The tip slips off beyond this, in radii.
const MISCUE: f64 = 0.5;

/// How the cue strikes.
pub(super) struct Cue {
    speed: f64,
    /// From the x axis to the y axis, as cosine and sine.
    direction: (f64, f64),
    elevation: f64,
    side: f64,
    height: f64,
    mass: f64,
    restitution: f64,
}

/// The numbers of a strike; what is wrong with them is said.
pub(super) fn read<S: ReadSpace>(section: &Section<'_, '_>) -> Option<Cue> {
    let speed = section
        .required("speed", "of the cue, in metres per second")
        .and_then(|entry| entry.number(SPEED));
    let direction = section.required("direction", "an angle in radians, or a vector");
    let direction = direction.and_then(|entry| direction_of::<S>(&entry));
    let number = |key: &'static str, quantity, otherwise: f64| match section.optional(key) {
        Some(entry) => entry.number(quantity),
        None => Some(otherwise),
    };
    let side = number("side", PURE, 0.0);
    let height = number("height", PURE, 0.0);
    let elevation = number("elevation", PHASE, 0.0);
    let mass = number("cue_mass", MASS, 0.567);
    let restitution = number("tip_restitution", RATIO, 1.0);
    let (side, height, elevation) = (side?, height?, elevation?);
    let wrong = |key: &'static str, allowed: &str| {
        if let Some(entry) = section.optional(key) {
            entry.wrong(allowed);
        }
        None
    };
    if S::DIMENSION == 2 && height != 0.0 {
        return wrong("height", "0 in 2-D, where the table is seen from above");
    }
    if S::DIMENSION == 2 && elevation != 0.0 {
        return wrong("elevation", "0 in 2-D, where the table is seen from above");
    }
    if !(0.0..=std::f64::consts::FRAC_PI_2).contains(&elevation) {
        return wrong("elevation", "from 0 to 90 degrees");
    }
    if !(side * side + height * height <= MISCUE * MISCUE) {
        let key = if side != 0.0 { "side" } else { "height" };
        let allowed = "within half a radius of the centre, together with the other offset: beyond that the tip slips off";
        return wrong(key, allowed);
    }
    let restitution = restitution?;
    if restitution > 1.0 {
        return wrong("tip_restitution", "from 0 to 1");
    }
    Some(Cue {
        speed: speed?,
        direction: direction?,
        elevation,
        side,
        height,
        mass: mass?,
        restitution,
    })
}

fn direction_of<S: ReadSpace>(entry: &Entry<'_, '_>) -> Option<(f64, f64)> {
    if entry.as_items().is_none() {
        let (sin, cos) = libm::sincos(entry.number(PHASE)?);
        return Some((cos, sin));
    }
    let [x, y, z] = S::components(vector::<S>(entry, AXIS)?);
    let unit = S::vector([x, y, 0.0]).unit().map(S::components);
    match unit {
        Some([x, y, _]) if z == 0.0 && x.is_finite() && y.is_finite() => Some((x, y)),
        _ => {
            entry.wrong("a direction in the x–y plane");
            None
        }
    }
}

impl Cue {
    /// Velocity and angular velocity of a ball that it strikes; or what may be struck.
    pub fn on<S: ReadSpace>(&self, body: &Body<S>) -> Result<(S::Vector, S::Angular), String> {
        let (Shape::Ball(ball), Kind::Free(free)) = (&body.shape, &body.kind) else {
            return Err("the name of a free ball".to_owned());
        };
        let (cos, sin) = self.direction;
        let (down, level) = libm::sincos(self.elevation);
        let along = [cos * level, sin * level, -down];
        let right = [sin, -cos, 0.0];
        let up = cross(right, along);
        let arm: [f64; 3] = std::array::from_fn(|axis| {
            ball.radius * (right[axis] * self.side + up[axis] * self.height)
        });
        let lever = cross(arm, along);
        let squared: f64 = lever.iter().map(|component| component * component).sum();
        // A ball that cannot rotate leaves without spin.
        let turning = if free.inertia.is_finite() {
            1.0 / free.inertia
        } else {
            0.0
        };
        let resistance = 1.0 / free.mass + 1.0 / self.mass + squared * turning;
        let impulse = (1.0 + self.restitution) * self.speed / resistance;
        let velocity = S::vector(along.map(|component| component * impulse / free.mass));
        let spin = lever.map(|component| component * impulse * turning);
        let angular = match S::DIMENSION {
            2 => S::angular_velocity_of([spin[2], 0.0, 0.0]),
            _ => S::angular_velocity_of(spin),
        };
        Ok((velocity, angular))
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
