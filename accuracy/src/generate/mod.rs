//! Random cases, made backwards: first the state at the instant of contact, then the start that leads there.
//!
//! The numbers that result are rounded, so the contact is not quite where it was aimed at, or does not happen: that is
//! as it should be, since the oracle takes the rounded numbers for exact.

mod draw;
mod surface;

pub use draw::Draw;

use crate::case::{Case, Form, Motion, Track, Triple, along, axes, inner, no_rotation, norm};
use crate::distance::Solid;
use crate::kernels::{Course, Kernel, Kind};
use crate::path::Path;

/// What makes a case interesting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Family {
    /// Aimed somewhere, from a few sizes away.
    Generic,
    /// Not aimed: most miss.
    Unaimed,
    /// From up to 1e8 sizes away.
    Far,
    /// Tangential within 1e-3 … 1e-15 of the size, touching or not.
    Grazing,
    /// Almost along the surface.
    Shallow,
    /// The gap at the start is 1e-5 … 1e-15 of the size.
    SmallGap,
    /// Where two features meet, within 1e-1 … 1e-15.
    Seam,
    /// Touching at the start, moving anywhere.
    Touching,
    /// Overlapping by 1e-12 … 1e-16 at the start, moving anywhere.
    Overlap,
    /// Touching with no normal velocity.
    Resting,
    /// Touching and parting; the acceleration brings it back.
    Bounce,
}

/// The families with their names and shares, in percent.
pub const FAMILIES: [(Family, &str, f64); 11] = [
    (Family::Generic, "generic", 22.0),
    (Family::Unaimed, "unaimed", 10.0),
    (Family::Far, "far", 9.0),
    (Family::Grazing, "grazing", 15.0),
    (Family::Shallow, "shallow", 8.0),
    (Family::SmallGap, "small-gap", 8.0),
    (Family::Seam, "seam", 10.0),
    (Family::Touching, "touching", 5.0),
    (Family::Overlap, "overlap", 5.0),
    (Family::Resting, "resting", 3.0),
    (Family::Bounce, "bounce", 5.0),
];

/// A random family.
pub fn family(draw: &mut Draw) -> Family {
    let mut ticket = draw.between(0.0, 100.0);
    for (family, _, share) in FAMILIES {
        if ticket < share {
            return family;
        }
        ticket -= share;
    }
    Family::Generic
}

/// Tries to make a case of the family asked for, before any will do.
const TRIES: usize = 20;

/// Shares of its radius that a ball may start inside of its target: as much as rounding does at 1e9 radii from the
/// origin.
const DEEPEST: f64 = 1e-6;

/// A case of a kernel and a family. No ball starts deep inside its target: that is no state which rounding can reach.
/// Where a family has none that do not (a straight line cannot graze a hollow circle from within), a generic one.
pub fn case(kernel: &Kernel, family: Family, draw: &mut Draw) -> Case {
    for attempts in 0.. {
        let family = if attempts < TRIES {
            family
        } else {
            Family::Generic
        };
        let case = attempt(kernel, family, draw);
        let (p, v) = Path::<f64>::new(&case).at(&0.0);
        let gap = Solid::<f64>::new(&case.form, case.dimension).gap(&p, &v);
        if gap.distance >= (1.0 - DEEPEST) * case.radius {
            return case;
        }
    }
    unreachable!("some generic case starts outside of its target")
}

/// Motion relative to the target, in its frame, at the instant aimed at.
struct Encounter {
    /// When, s.
    time: f64,
    /// Of the centre, m.
    centre: Triple,
    /// m/s.
    velocity: Triple,
    /// m/s².
    acceleration: Triple,
}

fn attempt(kernel: &Kernel, family: Family, draw: &mut Draw) -> Case {
    let dimension = kernel.dimension;
    let radius = draw.power(-1.0, 1.0);
    let form = surface::form(kernel.kind, radius, dimension, draw);
    let size = radius
        + match form {
            Form::HalfSpace { .. } => radius,
            _ => form.extent(),
        };
    let speed = draw.power(-1.0, 1.0);
    let encounter = encounter(kernel, family, &form, radius, size, speed, draw);
    let mut case = in_world(kernel, &encounter, form, radius, size, speed, draw);
    case.horizon = horizon(kernel, family, &encounter, size, speed, draw);
    if draw.chance(0.3) {
        rescale(&mut case, draw.power(-9.0, 9.0), draw.power(-9.0, 9.0));
    }
    if kernel.course.is_flight() && draw.chance(0.2) {
        let far = draw.power(1.0, 9.0) * case.radius;
        shift(&mut case, draw.unit(dimension).map(|c| c * far));
    }
    case
}

fn encounter(
    kernel: &Kernel,
    family: Family,
    form: &Form,
    radius: f64,
    size: f64,
    speed: f64,
    draw: &mut Draw,
) -> Encounter {
    let dimension = kernel.dimension;
    let seam = family == Family::Seam || draw.chance(0.05);
    let surface::Place { point, normal } = surface::place(form, radius, dimension, seam, draw);
    let aside = draw.across(normal, dimension);
    let mixed = |across: f64, inward: f64| {
        along(aside.map(|c| c * across * speed), normal, -inward * speed)
    };
    let mut gap = 0.0;
    let velocity = match family {
        Family::Generic | Family::Far | Family::SmallGap | Family::Seam => {
            let angle = draw.between(0.0, 1.55);
            mixed(libm::sin(angle), libm::cos(angle))
        }
        Family::Unaimed => draw.unit(dimension).map(|c| c * speed),
        Family::Grazing => {
            gap = draw.sign() * radius * draw.power(-15.0, -3.0);
            mixed(1.0, 0.0)
        }
        Family::Shallow => mixed(1.0, draw.power(-8.0, -1.0)),
        Family::Touching | Family::Overlap => {
            if family == Family::Overlap {
                gap = -radius * draw.power(-16.0, -12.0);
            }
            match draw.index(3) {
                0 => draw.unit(dimension).map(|c| c * speed),
                1 => mixed(1.0, draw.sign() * draw.power(-16.0, -1.0)),
                _ => mixed(0.0, draw.sign()),
            }
        }
        Family::Resting => mixed(if draw.chance(0.5) { 1.0 } else { 0.0 }, 0.0),
        Family::Bounce => mixed(draw.between(0.0, 1.0), -draw.power(-6.0, 0.0)),
    };
    let natural = size / speed;
    let mut time = natural * draw.between(0.2, 3.0);
    match family {
        Family::Far => time *= draw.power(2.0, if kernel.course.is_flight() { 8.0 } else { 2.5 }),
        Family::SmallGap => time *= draw.power(-15.0, -5.0),
        Family::Touching | Family::Overlap | Family::Resting | Family::Bounce => time = 0.0,
        Family::Unaimed => gap = draw.between(0.0, 3.0) * size,
        _ => {}
    }
    let accelerated = match kernel.course {
        Course::Accelerated => true,
        Course::Rotating | Course::Oscillating => draw.chance(0.5),
        Course::Straight | Course::Gravity => false,
    };
    let acceleration = if !accelerated {
        [0.0; 3]
    } else {
        let strength =
            speed / if time > 1e-3 * natural { time } else { natural } * draw.power(-1.5, 0.7);
        let direction = match family {
            Family::Resting => {
                let push = if draw.chance(0.8) { 1.0 } else { -1.0 };
                along(aside.map(|c| c * draw.between(0.0, 1.0)), normal, -push)
            }
            Family::Bounce => along(draw.unit(dimension), normal, -1.5),
            _ => draw.unit(dimension),
        };
        direction.map(|c| c * strength)
    };
    Encounter {
        time,
        centre: along(point, normal, radius + gap),
        velocity,
        acceleration,
    }
}

fn transposed(rows: [Triple; 3], v: Triple) -> Triple {
    [0, 1, 2].map(|i| rows[0][i] * v[0] + rows[1][i] * v[1] + rows[2][i] * v[2])
}

fn cross(a: Triple, b: Triple) -> Triple {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Rodrigues' rotation.
fn rotated(v: Triple, angular_velocity: Triple, time: f64) -> Triple {
    let rate = norm(angular_velocity);
    let axis = angular_velocity.map(|c| c / rate);
    let (sin, cos) = libm::sincos(rate * time);
    let swing = along(v.map(|c| c * cos), cross(axis, v), sin);
    along(swing, axis, inner(axis, v) * (1.0 - cos))
}

/// A ball's track from its state at a time.
fn track(position: Triple, velocity: Triple, acceleration: Triple, time: f64) -> Track {
    Track {
        position: along(
            along(position, velocity, -time),
            acceleration,
            0.5 * time * time,
        ),
        velocity: along(velocity, acceleration, -time),
        acceleration,
    }
}

/// Longer than most: one arm for each course of the target.
fn in_world(
    kernel: &Kernel,
    encounter: &Encounter,
    form: Form,
    radius: f64,
    size: f64,
    speed: f64,
    draw: &mut Draw,
) -> Case {
    let dimension = kernel.dimension;
    let round = matches!(kernel.kind, Kind::Ball | Kind::Hollow);
    let rotation = if draw.chance(0.4) || (round && kernel.course.is_flight()) {
        no_rotation(dimension)
    } else {
        draw.rotation(dimension)
    };
    let rows = axes(dimension, rotation);
    let time = encounter.time;
    let place = transposed(rows, encounter.centre);
    let velocity = transposed(rows, encounter.velocity);
    let acceleration = transposed(rows, encounter.acceleration);
    let start = draw.unit(dimension).map(|c| c * 2.0 * size);
    let now = if draw.chance(0.5) {
        0.0
    } else {
        draw.between(0.0, 10.0) * size / speed
    };
    let (motion, ball) = match kernel.course {
        Course::Straight if draw.chance(0.1) => {
            let drift = draw.unit(dimension).map(|c| c * speed);
            let at = along(start, drift, now + time);
            let motion = Motion::Uniform {
                start,
                velocity: drift,
                now,
            };
            (
                motion,
                track(
                    along(at, place, 1.0),
                    along(drift, velocity, 1.0),
                    [0.0; 3],
                    time,
                ),
            )
        }
        Course::Straight | Course::Gravity | Course::Accelerated => {
            let drift = if draw.chance(0.4) {
                [0.0; 3]
            } else {
                let fast = if draw.chance(0.1) {
                    draw.power(0.0, 4.0)
                } else {
                    1.0
                };
                draw.unit(dimension).map(|c| c * speed * fast)
            };
            let gravity = match kernel.course {
                Course::Gravity => draw.unit(dimension).map(|c| c * 9.81),
                Course::Accelerated if draw.chance(0.3) => draw
                    .unit(dimension)
                    .map(|c| c * norm(encounter.acceleration)),
                _ => [0.0; 3],
            };
            let target = Track {
                position: start,
                velocity: drift,
                acceleration: gravity,
            };
            // Backwards in relative coordinates: what both share must not round away what they differ by.
            let relative = track(place, velocity, acceleration, time);
            let ball = Track {
                position: along(start, relative.position, 1.0),
                velocity: along(drift, relative.velocity, 1.0),
                acceleration: along(gravity, acceleration, 1.0),
            };
            (Motion::Flight(target), ball)
        }
        Course::Rotating => {
            let rate = speed / size * draw.power(-1.0, 0.5);
            let angular_velocity = if dimension == 2 {
                [0.0, 0.0, rate * draw.sign()]
            } else {
                draw.unit(3).map(|c| c * rate)
            };
            let arm = draw.unit(dimension);
            let pivot = along(start, arm, size * draw.between(0.0, 3.0));
            let turn = |v: Triple| rotated(v, angular_velocity, now + time);
            let at = along(
                pivot,
                turn(along(along(start, pivot, -1.0), place, 1.0)),
                1.0,
            );
            let carried = cross(angular_velocity, along(at, pivot, -1.0));
            let motion = Motion::Rotation {
                start,
                pivot,
                angular_velocity,
                now,
            };
            (
                motion,
                track(
                    at,
                    along(carried, turn(velocity), 1.0),
                    turn(acceleration),
                    time,
                ),
            )
        }
        Course::Oscillating => {
            let reach = size * draw.power(-2.0, 0.5);
            let amplitude = draw.unit(dimension).map(|c| c * reach);
            let frequency = speed / size * draw.power(-1.5, 0.3);
            let phase = draw.between(-3.2, 3.2);
            let rate = std::f64::consts::TAU * frequency;
            let (sin, cos) = libm::sincos(rate * (now + time) + phase);
            let at = along(along(start, amplitude, sin), place, 1.0);
            let motion = Motion::Oscillation {
                start,
                amplitude,
                frequency,
                phase,
                now,
            };
            (
                motion,
                track(
                    at,
                    along(velocity, amplitude, rate * cos),
                    acceleration,
                    time,
                ),
            )
        }
    };
    Case {
        dimension,
        ball,
        radius,
        form,
        rotation,
        motion,
        horizon: f64::INFINITY,
    }
}

fn horizon(
    kernel: &Kernel,
    family: Family,
    encounter: &Encounter,
    size: f64,
    speed: f64,
    draw: &mut Draw,
) -> f64 {
    let endless = matches!(kernel.course, Course::Straight | Course::Gravity);
    if endless && draw.chance(0.4) {
        return f64::INFINITY;
    }
    let mut base = if encounter.time > 0.0 {
        encounter.time
    } else {
        size / speed
    };
    if family == Family::SmallGap {
        base = size / speed;
    }
    let strength = norm(encounter.acceleration);
    if family == Family::Bounce && strength > 0.0 {
        base = base.max(2.0 * norm(encounter.velocity) / strength);
    }
    base * draw.between(1.2, 4.0)
}

fn for_each_track(case: &mut Case, mut change: impl FnMut(&mut Triple, i32, i32)) {
    let mut all = |track: &mut Track| {
        change(&mut track.position, 1, 0);
        change(&mut track.velocity, 1, -1);
        change(&mut track.acceleration, 1, -2);
    };
    all(&mut case.ball);
    match &mut case.motion {
        Motion::Flight(track) => all(track),
        Motion::Uniform {
            start, velocity, ..
        } => {
            change(start, 1, 0);
            change(velocity, 1, -1);
        }
        Motion::Rotation {
            start,
            pivot,
            angular_velocity,
            ..
        } => {
            change(start, 1, 0);
            change(pivot, 1, 0);
            change(angular_velocity, 0, -1);
        }
        Motion::Oscillation {
            start, amplitude, ..
        } => {
            change(start, 1, 0);
            change(amplitude, 1, 0);
        }
    }
}

/// In other units of length and time.
fn rescale(case: &mut Case, length: f64, time: f64) {
    for_each_track(case, |v, lengths, times| {
        for _ in 0..lengths {
            *v = v.map(|c| c * length);
        }
        for _ in times..0 {
            *v = v.map(|c| c / time);
        }
    });
    case.radius *= length;
    case.horizon *= time;
    match &mut case.motion {
        Motion::Uniform { now, .. } | Motion::Rotation { now, .. } => *now *= time,
        Motion::Oscillation { now, frequency, .. } => {
            *now *= time;
            *frequency /= time;
        }
        Motion::Flight(_) => {}
    }
    let longer = |v: &mut Triple| *v = v.map(|c| c * length);
    match &mut case.form {
        Form::Ball { radius } | Form::Hollow { radius } => *radius *= length,
        Form::HalfSpace { .. } => {}
        Form::Block { half } => longer(half),
        Form::Segment { ends } => ends.iter_mut().for_each(longer),
        Form::Arc {
            centre,
            radius,
            ends,
            ..
        } => {
            longer(centre);
            *radius *= length;
            ends.iter_mut().for_each(longer);
        }
        Form::Triangle { corners } => corners.iter_mut().for_each(longer),
        Form::Cylinder {
            half_length,
            radius,
            ..
        } => {
            *half_length *= length;
            *radius *= length;
        }
    }
}

/// Elsewhere in the world.
fn shift(case: &mut Case, by: Triple) {
    case.ball.position = along(case.ball.position, by, 1.0);
    match &mut case.motion {
        Motion::Flight(track) => track.position = along(track.position, by, 1.0),
        Motion::Uniform { start, .. } => *start = along(*start, by, 1.0),
        Motion::Rotation { start, pivot, .. } => {
            *start = along(*start, by, 1.0);
            *pivot = along(*pivot, by, 1.0);
        }
        Motion::Oscillation { start, .. } => *start = along(*start, by, 1.0),
    }
}
