//! A slip in 3-D whose heading hardly has a will of its own.
//!
//! With u the slip, `A ê` what pulls at it and κ what friction takes: `u′ = A ê − κ û`. Its heading û is drawn to ê at
//! the rate A/|u|, which has no bound where a slip begins, or ends. An integrator that goes from place to place would
//! need steps of |u|/A; the solution is smooth all the same.
//!
//! So the heading is made a polynomial H(t) on the whole piece, and the piece integrated with friction against that,
//! which is smooth. What is left is to make H the heading of the slip that comes of it. By Newton's method: where the
//! slip's part across H is r(t), a change h of the heading makes it `r − ∫κ h`, which has to be `|u| h`. With y = ∫h
//!
//! ```text
//! |u| y′ + κ y = r,     y(0) = 0,
//! ```
//!
//! collocated at the points of Chebyshev and Lobatto. It holds for slips that begin at zero, too.

use super::on_wall::Gliding;
use crate::impact::Strikable;
use crate::motion::{
    Border, Curve, Departure, FlightError, Integrator, Rates, Sides, Tolerance, TrajectorySegment,
    next_segment,
};
use crate::shape::Shaped;
use crate::simulate::support::{Mode, sliding::CURVED};
use crate::space::{Linear, Space};

/// Points on a piece.
const POINTS: usize = 8;

/// Rounds of Newton's method.
const ROUNDS: usize = 12;

/// How often a piece is made shorter.
const TRIES: usize = 12;

/// By how much friction along a wrong heading may change velocities on a piece, m/s and relative.
const OFF: f64 = 1e-12;

/// A ball on a wall with friction against a given heading.
struct Led<'a, 'b, S: Shaped> {
    gliding: &'a Gliding<'b, S>,
    start: f64,
    headings: Curve<S::Vector>,
}

impl<S: Strikable> Led<'_, '_, S> {
    fn mode(&self, time: f64) -> Mode<S> {
        Mode {
            heading: self.headings.at(time - self.start),
            led: true,
            ..self.gliding.mode
        }
    }

    /// The slip of a ball at a place of its segment; `None` where the wall there is not known, or has no heading.
    fn slip(&self, at: &Departure<S>) -> Option<Slip<S>> {
        let standing = self.gliding.standing(at)?;
        let mode = self.mode(at.time);
        let heading = standing.tangential(mode.heading).unit()?;
        let moving = standing.moving(&mode);
        let along = moving.dot(heading);
        Some(Slip {
            along,
            across: moving - heading * along,
            takes: standing.opposing(&mode),
            heading,
        })
    }
}

/// A slip, by the heading that friction goes against.
#[derive(Clone, Copy)]
struct Slip<S: Space> {
    /// Its part along the heading, m/s.
    along: f64,
    /// Its part across the heading, m/s.
    across: S::Vector,
    /// What friction takes of it, m/s².
    takes: f64,
    heading: S::Vector,
}

impl<S: Space> Slip<S> {
    const NONE: Self = Slip {
        along: 0.0,
        across: S::Vector::ZERO,
        takes: 0.0,
        heading: S::Vector::ZERO,
    };

    /// Whether it goes along the heading, as far as friction of a length (s) may change velocities by an amount (m/s).
    fn is_along(&self, length: f64, allowed: f64) -> bool {
        let least = self.along.max(self.takes * length * 1e-3);
        self.along >= 0.0
            && self.across.length() / least * self.takes * length <= allowed.max(1e-9 * least)
    }
}

impl<S: Strikable> Rates<S> for Led<'_, '_, S> {
    fn rates(
        &self,
        time: f64,
        position: S::Vector,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> (S::Vector, S::Angular) {
        self.rates_beside(
            self.gliding.sides,
            time,
            position,
            velocity,
            angular_velocity,
        )
    }

    fn borders(&self) -> &[Border<S>] {
        self.gliding.borders()
    }

    fn rates_beside(
        &self,
        sides: Sides,
        time: f64,
        position: S::Vector,
        velocity: S::Vector,
        angular_velocity: S::Angular,
    ) -> (S::Vector, S::Angular) {
        let at = Departure {
            time,
            position,
            velocity,
            angular_velocity,
        };
        (self.gliding).rates_in(&self.mode(time), sides, &at)
    }

    fn next_jump(&self, time: f64) -> f64 {
        self.gliding.next_jump(time)
    }
}

/// A piece of at most `longest` (s), with friction against the heading that the slip has; `None` where no length
/// serves.
pub(super) fn led_segment<S: Strikable>(
    gliding: &Gliding<'_, S>,
    start: &Departure<S>,
    longest: f64,
) -> Result<Option<TrajectorySegment<S>>, FlightError> {
    let mut length = longest;
    for _ in 0..TRIES {
        match within(gliding, start, length)? {
            Ok(segment) => return Ok(Some(segment)),
            Err(shorter) => length = shorter,
        }
    }
    Ok(None)
}

/// The same of a length (s), or a shorter one to try.
fn within<S: Strikable>(
    gliding: &Gliding<'_, S>,
    start: &Departure<S>,
    length: f64,
) -> Result<Result<TrajectorySegment<S>, f64>, FlightError> {
    let points = points();
    let slopes = slopes(&points);
    let mut headings = [gliding.mode.heading; POINTS];
    let mut last = f64::INFINITY;
    let integrator = Integrator::Adaptive(Tolerance::of(CURVED));
    for _ in 0..ROUNDS {
        let led = Led {
            gliding,
            start: start.time,
            headings: through(&points, &headings, length),
        };
        let (segment, _) = match next_segment(&led, start, &integrator, length, length) {
            Ok(next) => next,
            Err(FlightError::StepTooSmall { .. }) => return Ok(Err(0.25 * length)),
            Err(error) => return Err(error),
        };
        if segment.end < length * (1.0 - 1e-9) {
            return Ok(Err(segment.end));
        }
        let look = |t: f64| led.slip(&start.after(&segment, t));
        let mut looks = [None; POINTS];
        for (to, point) in looks.iter_mut().zip(points) {
            *to = look(point * length);
        }
        let mut seen = [Slip::NONE; POINTS];
        for (to, look) in seen.iter_mut().zip(looks) {
            let Some(look) = look else {
                return Ok(Err(0.25 * length));
            };
            *to = look;
        }
        let Some(changes) = newton::<S>(&slopes, &seen, length) else {
            return Ok(Err(0.25 * length));
        };
        // What the change of heading would do to velocities.
        let allowed = OFF * (1.0 + start.velocity.length());
        let done = (changes.iter().zip(&seen)).fold(0.0_f64, |most, (change, slip)| {
            most.max(change.length() * slip.takes * length)
        });
        if done <= 0.1 * allowed {
            // Between the points, too.
            let between = points.windows(2).all(|pair| {
                let at = look(0.5 * (pair[0] + pair[1]) * length);
                at.is_some_and(|slip| slip.is_along(length, allowed))
            });
            let forward = seen.iter().skip(1).all(|slip| slip.along > 0.0);
            return Ok(if between && forward {
                Ok(segment)
            } else {
                Err(0.5 * length)
            });
        }
        if !(done < 2.0 * last) {
            return Ok(Err(0.5 * length));
        }
        last = done;
        for ((to, change), slip) in headings.iter_mut().zip(changes).zip(seen) {
            *to = (slip.heading + change).unit().unwrap_or(slip.heading);
        }
    }
    Ok(Err(0.5 * length))
}

/// The points of Chebyshev and Lobatto on [0, 1].
fn points() -> [f64; POINTS] {
    let last = (POINTS - 1) as f64;
    std::array::from_fn(|k| 0.5 - 0.5 * libm::cos(std::f64::consts::PI * k as f64 / last))
}

/// The slopes at the points of a polynomial with given values there, by rows.
fn slopes(points: &[f64; POINTS]) -> [[f64; POINTS]; POINTS] {
    let weight = |k: usize| {
        let end = if k == 0 || k == POINTS - 1 { 0.5 } else { 1.0 };
        if k.is_multiple_of(2) { end } else { -end }
    };
    std::array::from_fn(|i| {
        let mut row: [f64; POINTS] = std::array::from_fn(|j| {
            if i == j {
                0.0
            } else {
                weight(j) / weight(i) / (points[i] - points[j])
            }
        });
        row[i] = -row.iter().sum::<f64>();
        row
    })
}

/// The polynomial in time through values at the points of a piece.
fn through<V: Linear>(points: &[f64; POINTS], values: &[V; POINTS], length: f64) -> Curve<V> {
    let mut divided = *values;
    for order in 1..POINTS {
        for k in (order..POINTS).rev() {
            divided[k] = (divided[k] - divided[k - 1]) * (1.0 / (points[k] - points[k - order]));
        }
    }
    // Horner's scheme over (t − t₀)(t − t₁)…
    let mut terms = [V::ZERO; POINTS];
    for k in (0..POINTS).rev() {
        for power in (1..POINTS).rev() {
            terms[power] = terms[power - 1] - terms[power] * points[k];
        }
        terms[0] = divided[k] - terms[0] * points[k];
    }
    let mut scale = 1.0;
    for term in &mut terms {
        *term = *term * scale;
        scale *= 1.0 / length;
    }
    Curve::new(&terms)
}

/// The changes of the heading at the points that make the slip go along it; `None` where there are none.
fn newton<S: Shaped>(
    slopes: &[[f64; POINTS]; POINTS],
    seen: &[Slip<S>; POINTS],
    length: f64,
) -> Option<[S::Vector; POINTS]> {
    const SIZE: usize = POINTS - 1;
    let mut rows = [[0.0; SIZE]; SIZE];
    let mut right = [S::Vector::ZERO; SIZE];
    for i in 0..SIZE {
        let slip = &seen[i + 1];
        for j in 0..SIZE {
            rows[i][j] = slip.along * slopes[i + 1][j + 1] * (1.0 / length);
        }
        rows[i][i] += slip.takes;
        right[i] = slip.across;
    }
    for column in 0..SIZE {
        let pivot = (column..SIZE).max_by(|&a, &b| {
            let [a, b] = [a, b].map(|row| rows[row][column].abs());
            a.total_cmp(&b)
        })?;
        rows.swap(column, pivot);
        right.swap(column, pivot);
        let head = rows[column][column];
        if !(head != 0.0 && head.is_finite()) {
            return None;
        }
        for row in column + 1..SIZE {
            let factor = rows[row][column] / head;
            let above = rows[column];
            for (value, above) in rows[row][column..].iter_mut().zip(&above[column..]) {
                *value -= factor * above;
            }
            let other = right[column];
            right[row] -= other * factor;
        }
    }
    let mut sums = [S::Vector::ZERO; POINTS];
    for row in (0..SIZE).rev() {
        let mut sum = right[row];
        for k in row + 1..SIZE {
            sum -= sums[k + 1] * rows[row][k];
        }
        sums[row + 1] = sum * (1.0 / rows[row][row]);
    }
    let changes = std::array::from_fn(|i| {
        let slope = (0..POINTS).fold(S::Vector::ZERO, |sum, j| sum + sums[j] * slopes[i][j]);
        slope * (1.0 / length)
    });
    changes
        .iter()
        .all(|change: &S::Vector| change.is_finite())
        .then_some(changes)
}
