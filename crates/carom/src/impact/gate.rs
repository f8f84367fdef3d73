//! When does a ball's centre pass a border?

use crate::motion::{Curve, TrajectorySegment};
use crate::roots::certified::{Look, Sample, Search, advance};
use crate::shape::Gate;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// The first time from `from` on, and before the end of the segment, at which the centre passes a border outwards;
/// infinite where it does not. One that is beyond and going on passes at once.
pub(crate) fn crossing_of_gate<S: Space>(
    segment: &TrajectorySegment<S>,
    from: f64,
    gate: &Gate<S>,
) -> f64 {
    match *gate {
        Gate::Plane(direction, offset) => {
            let terms: Vec<f64> = segment
                .place
                .terms()
                .iter()
                .map(|term| term.dot(direction))
                .collect();
            let curve = Curve::new(&terms);
            if curve.degree() <= 2 {
                let wait = parabola_crosses(
                    offset - curve.at(from),
                    curve.rate_at(from),
                    curve.bend_at(from),
                    true,
                );
                let time = from + wait;
                return if time < segment.end {
                    time
                } else {
                    f64::INFINITY
                };
            }
            first_fall(from, segment.end, |t, span| Fall {
                value: offset - curve.at(t),
                slope: -curve.rate_at(t),
                bend: curve.bend_until(t + span),
                scale: offset.abs() + curve.at(t).abs(),
            })
        }
        Gate::Tube(axis, radius, out) => {
            let without = |vector: S::Vector| vector - axis * axis.dot(vector);
            first_fall(from, segment.end, |t, span| {
                let (place, velocity) = (
                    without(segment.position_at(t)),
                    without(segment.velocity_at(t)),
                );
                let distance = place.length().max(1e-3 * radius);
                let acceleration = segment.place.bend_until(t + span);
                let speed = velocity.length() + acceleration * span;
                Fall {
                    value: out * (radius - place.length()),
                    slope: -out * place.dot(velocity) / distance,
                    // |x| curves upwards by at most |a| + |v|²/|x|; the span keeps |x| from halving.
                    bend: acceleration + 2.0 * speed * speed / distance,
                    scale: radius + place.length(),
                }
            })
        }
    }
}

/// What is known of a function at a time.
struct Fall {
    value: f64,
    slope: f64,
    /// Bounds the second derivative over the span asked about.
    bend: f64,
    /// The size of the numbers that the value is made of.
    scale: f64,
}

fn first_fall(from: f64, end: f64, look: impl Fn(f64, f64) -> Fall) -> f64 {
    // Bounds over long spans are poor where the way is curved; over a straight one they are as good as any.
    let whole = (end - from).min(1e9);
    let found = advance(from, end, 100_000, |t| {
        let mut span = (end - t).min(whole);
        let mut seen = look(t, span);
        // Until the bound is not mostly made of what comes much later.
        for _ in 0..60 {
            let nearer = look(t, 0.25 * span);
            if !(seen.bend > 2.0 * nearer.bend) {
                break;
            }
            (span, seen) = (0.25 * span, nearer);
        }
        Look {
            branches: [
                Some(Sample {
                    value: seen.value,
                    slope: seen.slope,
                }),
                None,
                None,
            ],
            tolerance: 4.0 * UNIT_ROUNDOFF * seen.scale,
            floor: 0.0,
            span,
            bend: seen.bend,
        }
    });
    match found {
        Search::At(time) => time,
        Search::Nothing | Search::StoppedAt(_) => f64::INFINITY,
    }
}

/// The first time t ≥ 0 at which `v t + ½ g t²` passes `distance` in the direction asked for; at once where it is past
/// it and going on.
pub(crate) fn parabola_crosses(distance: f64, v: f64, g: f64, up: bool) -> f64 {
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
