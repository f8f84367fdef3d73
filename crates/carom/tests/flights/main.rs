//! Flights under drag, wind, lift and other fields (rows P2, P7), against closed forms.
//!
//! # How large a global error may be
//!
//! Each piece adds at most its local tolerance: `e_x` in the place, `e_v` in the velocity. What is added is carried on
//! by the motion itself. Under drag a disturbance of the velocity dies out, so that after a time T it has moved the
//! place by at most `T e_v`: N pieces make at most `N (e_x + T e_v)`. A spring turns a disturbance of the velocity into
//! one of the place of `e_v/ω` and back. Orbits are discussed where they are tested. Rounding adds a few units in the
//! last place of the numbers involved for each piece.

mod accuracy;
mod closed_forms;
mod jumps;
mod refusals;
mod surroundings;

use carom::motion::{Departure, FlightError, Rates, Tolerance, TrajectorySegment, segment};
use carom::space::Space;

/// A piece and the state that it starts from.
pub type Leg<S> = (Departure<S>, TrajectorySegment<S>);

/// Flies until a time; all the legs and the state at the end.
pub fn fly<S: Space>(
    rates: &impl Rates<S>,
    start: Departure<S>,
    tolerance: &Tolerance,
    until: f64,
) -> Result<(Vec<Leg<S>>, Departure<S>), FlightError> {
    let mut state = start;
    let mut hint = 0.0;
    let mut legs = Vec::new();
    while state.time < until {
        let left = until - state.time;
        let (segment, next) = segment(rates, &state, tolerance, hint, left)?;
        assert!(segment.end > 0.0 && segment.end <= left, "{segment:?}");
        legs.push((state, segment));
        let at_end = segment.end == left;
        state = state.after(&segment, segment.end);
        if at_end {
            state.time = until;
        }
        hint = next;
        assert!(legs.len() < 100_000, "pieces without end at {state:?}");
    }
    Ok((legs, state))
}

/// The largest distances from the truth, in place and velocity, at 21 instants of each piece.
pub fn errors<S: Space>(
    legs: &[Leg<S>],
    truth: impl Fn(f64) -> (S::Vector, S::Vector),
) -> (f64, f64) {
    use carom::space::Linear;
    let mut worst = (0.0_f64, 0.0_f64);
    for (start, segment) in legs {
        for k in 0..=20 {
            let t = segment.end * f64::from(k) / 20.0;
            let (position, velocity) = truth(start.time + t);
            worst.0 = worst.0.max((segment.position_at(t) - position).length());
            worst.1 = worst.1.max((segment.velocity_at(t) - velocity).length());
        }
    }
    worst
}

/// The tolerances that closed forms are tried with.
pub const TOLERANCES: [f64; 5] = [1e-3, 1e-5, 1e-7, 1e-9, 1e-11];
