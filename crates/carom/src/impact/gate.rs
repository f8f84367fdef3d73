//! When does a ball's centre pass a border?

use crate::motion::{Curve, Piece};
use crate::roots::certified::{Look, Sample, Search, advance};
use crate::shape::Gate;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// The first time from `from` on, and before the end of the piece, at which the centre passes a border outwards; infinite where it does not. One that
/// is beyond and going on passes at once.
pub(crate) fn crossing_of_gate<S: Space>(piece: &Piece<S>, from: f64, gate: &Gate<S>) -> f64 {
    match *gate {
        Gate::Plane(direction, offset) => {
            let terms: Vec<f64> = piece
                .place
                .terms()
                .iter()
                .map(|term| term.dot(direction))
                .collect();
            let curve = Curve::new(&terms);
            first_fall(from, piece.end, |t, span| Fall {
                value: offset - curve.at(t),
                slope: -curve.rate_at(t),
                bend: curve.bend_until(t + span),
                scale: offset.abs() + curve.at(t).abs(),
            })
        }
        Gate::Tube(axis, radius) => {
            let without = |vector: S::Vector| vector - axis * axis.dot(vector);
            first_fall(from, piece.end, |t, span| {
                let (place, velocity) =
                    (without(piece.position_at(t)), without(piece.velocity_at(t)));
                let distance = place.length().max(1e-3 * radius);
                let acceleration = piece.place.bend_until(t + span);
                let speed = velocity.length() + acceleration * span;
                Fall {
                    value: radius - place.length(),
                    slope: -place.dot(velocity) / distance,
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
