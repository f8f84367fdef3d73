//! Balls on polynomial pieces (interim).
use super::{Impact, MovingBall, Target, refine};
use crate::motion::Piece;
use crate::roots::certified::{Look, Sample, Search, advance};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// When two balls touch, by the clock, s.
pub fn balls_on_pieces<S: Space>(
    a: &Piece<S>,
    radius_a: f64,
    since_a: f64,
    b: &Piece<S>,
    radius_b: f64,
    since_b: f64,
    shift: S::Vector,
) -> f64 {
    let start = since_a.max(since_b);
    let end = (since_a + a.end).min(since_b + b.end) - start;
    let (a, b) = (a.from_time(start - since_a), b.from_time(start - since_b));
    let reach = radius_a + radius_b;
    let found = advance(0.0, end.min(1e6), 100_000, |t| {
        let apart = a.position_at(t) - b.position_at(t) + shift;
        let (va, vb) = (a.velocity_at(t), b.velocity_at(t));
        let distance = apart.length();
        let span = end.min(t + 1.0) - t;
        Look {
            branches: [
                Some(Sample {
                    value: distance - reach,
                    slope: apart.dot(va - vb) / distance,
                }),
                None,
                None,
            ],
            tolerance: 16.0 * UNIT_ROUNDOFF * (distance + reach),
            floor: 32.0 * UNIT_ROUNDOFF * (va.length() + vb.length()),
            span,
            bend: a.place.bend_until(t + span) + b.place.bend_until(t + span),
        }
    });
    match found {
        Search::At(time) => start + time,
        _ => f64::INFINITY,
    }
}

/// The first contact with a target.
pub fn first_contact_on_piece<S: Space>(
    piece: &Piece<S>,
    radius: f64,
    target: &Target<S>,
    horizon: f64,
) -> Impact {
    let flight = piece.as_flight().expect("interim");
    let ball = MovingBall {
        flight,
        radius,
        surface_speed: piece.spin_at(0.0).length() * radius,
    };
    refine(&ball, target, horizon.min(piece.end))
}

/// When a coordinate passes a bound.
pub fn crossing<S: Space>(piece: &Piece<S>, from: f64, axis: usize, bound: f64, up: bool) -> f64 {
    let mut direction = [0.0; 3];
    direction[axis] = if up { 1.0 } else { -1.0 };
    let gate = crate::shape::Gate::Plane(S::vector(direction), if up { bound } else { -bound });
    super::crossing_of_gate(piece, from, &gate)
}

/// The first clearance.
pub fn first_clearance_on_piece<S: Space>(
    piece: &Piece<S>,
    radius: f64,
    target: &Target<S>,
    horizon: f64,
) -> Impact {
    let flight = piece.as_flight().expect("interim");
    let ball = MovingBall {
        flight,
        radius,
        surface_speed: piece.spin_at(0.0).length() * radius,
    };
    super::first_clearance(&ball, target, horizon.min(piece.end))
}
