//! The truth: when a ball first touches, to more than 40 digits, from the distance function alone.
//!
//! The gap is `g(t) = distance(centre(t), shape) − radius`. The search never samples: from an instant with `g > 0` it
//! moves on by a step over which a lower bound of g stays positive, so no contact can lie behind it.
//!
//! * *Second order.* If `g″ ≥ −A` then `g(t+τ) ≥ g + g′τ − ½Aτ²`. For a convex shape the distance is a convex function
//!   of the point, so A is the largest acceleration of the ball in the shape's frame. Inside of a circle
//!   `|p + ṗτ| ≤ (|p| + ṗ_r τ) + ṗ_⊥²τ²/2(|p| + ṗ_r τ)`, which adds `ṗ_⊥²/|p|` to A while the ball moves outward and
//!   twice that for `τ ≤ |p|/2|ṗ_r|` while it moves inward. With simple roots these steps converge like Newton's.
//! * *First order.* The distance changes no faster than the point moves.
//!
//! The scan runs in `f64`, with g lowered by a bound of its rounding error, until g comes close to that bound. From
//! there the same steps are taken in [`Big`]. Since the Hessian of any distance function is at most 1/distance,
//! `g″ ≤ K = v²/distance + A`, and a Newton step τ with `K g ≪ g′²` is followed by a sign change before 2τ: the root is
//! certain, and off by at most `(K + A) τ²/2|g′|`.
//!
//! A start with `g ≤ 0` is a contact if g closes there (`g′ < 0`, or `g′ = 0` and `g″ < 0`); otherwise g′ stays
//! positive for `g′/A`, and the search goes on from there.

use crate::big::Big;
use crate::case::{Case, Form, Triple, along, inner, norm};
use crate::distance::{Gap, Solid};
use crate::path::{Path, near_state};
use crate::real::{Jet, Real};
use carom::space::UNIT_ROUNDOFF;

/// How a contact begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onset {
    /// The gap falls through zero.
    Crossing,
    /// The gap is ≤ 0 and closing at the start.
    Start,
    /// The gap is < 0, was opening, and begins to close.
    Turning,
}

/// A contact.
#[derive(Clone, Debug)]
pub struct Contact {
    /// s.
    pub time: Big,
    /// How it begins.
    pub onset: Onset,
    /// `−g′` there, m/s.
    pub approach_speed: f64,
    /// `g″` there, m/s².
    pub curvature: f64,
}

/// The true answer.
#[derive(Clone, Debug)]
pub enum Truth {
    /// The first contact.
    Contact(Contact),
    /// There is none before the horizon.
    Never,
    /// The gap comes so close to zero, without a sign change, that [`crate::wide::BITS`] bits do not tell: a tangency.
    Touch(Big),
    /// The search for the instant at which an overlap closes again did not end.
    Undecided,
}

/// A case in the two arithmetics of the search.
pub struct Oracle<'a> {
    case: &'a Case,
    offset: f64,
    plain: (Path<f64>, Solid<f64>),
    wide: Option<(Path<Big>, Solid<Big>, Big)>,
    evaluations: usize,
}

/// Roundings of one `f64` evaluation of the gap, in units of `u · magnitude`. Counted generously: the longest path
/// is a turn (3 products and sums an entry, twice), a polynomial and a cross product.
const ROUNDINGS: f64 = 64.0;
/// The scan gives over to [`Big`] when the gap is below this many times its rounding error.
const HAND_OVER: f64 = 1024.0;
/// The time is computed until its relative error is below this: 42 digits.
const TIME_ERROR: f64 = 1e-42;
/// Steps after which a wide search is called a tangency. A double root halves the distance at every step.
const WIDE_STEPS: usize = 400;
/// Scan steps after which [`Big`] has a look: a rate that `f64` does not tell from zero makes the steps short.
const SCAN_STEPS: usize = 20_000;
/// Changes between the two arithmetics before the oracle gives up.
const CHANGES: usize = 200;

/// A lower bound on the gap ahead: `gap + rate τ − ½ bend τ²`, valid for `τ ≤ lasts`.
#[derive(Clone, Copy, Debug)]
struct Ahead {
    gap: f64,
    rate: f64,
    bend: f64,
    lasts: f64,
}

impl Ahead {
    /// The largest τ for which the bound is positive.
    fn clear(&self) -> f64 {
        let Ahead {
            gap,
            rate,
            bend,
            lasts,
        } = *self;
        if gap <= 0.0 {
            return 0.0;
        }
        let discriminant = (rate * rate + 2.0 * bend * gap).sqrt();
        let clear = if rate < 0.0 {
            2.0 * gap / (discriminant - rate)
        } else if bend > 0.0 {
            (rate + discriminant) / bend
        } else {
            f64::INFINITY
        };
        clear.min(lasts)
    }
}

/// What one evaluation in `f64` knows: enough to bound the gap ahead.
struct Look {
    gap: f64,
    error: f64,
    clear: f64,
    bend: f64,
    lasts: f64,
    acceleration: f64,
}

impl<'a> Oracle<'a> {
    /// For the gap of a case enlarged by `offset`, m: a positive offset is a smaller ball.
    pub fn new(case: &'a Case, offset: f64) -> Self {
        Oracle {
            case,
            offset,
            plain: (Path::new(case), Solid::new(&case.form, case.dimension)),
            wide: None,
            evaluations: 0,
        }
    }

    /// How often the gap was evaluated in [`Big`] so far.
    pub fn evaluations(&self) -> usize {
        self.evaluations
    }

    /// The gap and its rate at any instant.
    pub fn gap_at(&mut self, t: &Big) -> Gap<Big> {
        self.evaluate(t).0
    }

    /// The second derivative of the gap, in `f64`.
    pub fn curvature_at(&self, t: f64) -> f64 {
        let mut path = Path::<Jet>::new(self.case);
        let (p, v) = path.at(&Jet::time(t));
        let solid = Solid::<Jet>::new(&self.case.form, self.case.dimension);
        solid.gap(&p, &v).distance.second
    }

    fn evaluate(&mut self, t: &Big) -> (Gap<Big>, (Triple, Triple)) {
        self.evaluations += 1;
        let (path, solid, reach) = self.wide.get_or_insert_with(|| {
            (
                Path::new(self.case),
                Solid::new(&self.case.form, self.case.dimension),
                Big::of(self.case.radius).minus(&Big::of(self.offset)),
            )
        });
        let state = path.at(t);
        let mut gap = solid.gap(&state.0, &state.1);
        gap.distance = gap.distance.minus(reach);
        (gap, near_state(&state))
    }

    /// The first contact, in the sense of the library's rule.
    pub fn first_contact(&mut self) -> Truth {
        let mut t = 0.0;
        let look = self.look(t);
        let starts_apart = if look.gap.abs() > look.error {
            look.gap > 0.0
        } else {
            self.gap_at(&Big::zero()).distance.sign() > 0
        };
        if !starts_apart {
            let rate = self.gap_at(&Big::zero()).rate;
            let curvature = self.curvature_at(0.0);
            if rate.sign() < 0 || (rate.sign() == 0 && curvature < 0.0) {
                return self.contact(Big::zero(), Onset::Start);
            }
            match self.emerge() {
                Emergence::Apart(later) => t = later,
                Emergence::Done(truth) => return truth,
            }
        }
        for _ in 0..CHANGES {
            match self.scan(t) {
                None => return Truth::Never,
                Some(close) => match self.close_in(Big::of(close)) {
                    Closing::Apart(later) => t = later,
                    Closing::Done(truth) => return truth,
                },
            }
        }
        Truth::Undecided
    }

    fn contact(&mut self, time: Big, onset: Onset) -> Truth {
        let rate = self.gap_at(&time).rate.near();
        self.contact_closing(time, onset, -rate)
    }

    fn contact_closing(&self, time: Big, onset: Onset, approach_speed: f64) -> Truth {
        Truth::Contact(Contact {
            curvature: self.curvature_at(time.near()),
            time,
            onset,
            approach_speed,
        })
    }

    fn look(&mut self, t: f64) -> Look {
        let (p, v) = self.plain.0.at(&t);
        self.look_from(t, p, v)
    }

    fn look_from(&self, t: f64, p: Triple, v: Triple) -> Look {
        let solid = &self.plain.1;
        let found = solid.gap(&p, &v);
        let gap = found.distance - self.case.radius + self.offset;
        let error = ROUNDINGS * UNIT_ROUNDOFF * self.case.magnitude(t);
        let left = self.case.horizon - t;
        let bounds = self.plain.0.bounds(t, left);
        // The direction of the nearest place is uncertain by error/distance; that of a plane is given.
        let lean = match self.case.form {
            Form::HalfSpace { .. } => 0.0,
            _ => error / found.distance.abs(),
        };
        let doubt = norm(v) * (lean + ROUNDINGS * UNIT_ROUNDOFF);
        let rate = found.rate - doubt;
        let (bend, lasts) = self.bend(p, v, bounds.acceleration);
        let ahead = Ahead {
            gap: gap - error,
            rate,
            bend,
            lasts: lasts.min(bounds.lasts),
        };
        let first_order = match self.plain.0.steady(t) {
            Some((speed, acceleration)) => Ahead {
                gap: gap - error,
                rate: -speed,
                bend: acceleration,
                lasts: left,
            },
            None => Ahead {
                gap: gap - error,
                rate: -bounds.speed,
                bend: 0.0,
                lasts: bounds.lasts,
            },
        };
        let second = match &self.case.form {
            Form::Arc { .. } => self.arc_clear(p, v, bounds.acceleration, error, bounds.lasts),
            _ => ahead.clear(),
        };
        Look {
            gap,
            error,
            clear: second.max(first_order.clear()),
            bend,
            lasts: ahead.lasts,
            acceleration: bounds.acceleration,
        }
    }

    /// A bound A on `−g″` for the feature that is nearest, and how long it holds.
    fn bend(&self, p: Triple, v: Triple, acceleration: f64) -> (f64, f64) {
        let hollow = match self.case.form {
            Form::Hollow { .. } => Some(p),
            Form::Arc { centre, radius, .. } => {
                let arrow = along(p, centre, -1.0);
                (self.plain.1.faces(&arrow) && norm(arrow) < radius).then_some(arrow)
            }
            // For a plane only the acceleration along its normal counts, and on a flight it is constant.
            Form::HalfSpace { normal, two_sided } => {
                if let Some(constant) = self.plain.0.constant_acceleration() {
                    let behind = two_sided && inner(normal, p) < 0.0;
                    let side = if behind { 1.0 } else { -1.0 };
                    let toward = side * inner(normal, constant) + 1e-12 * acceleration;
                    return (toward.max(0.0), f64::INFINITY);
                }
                None
            }
            _ => None,
        };
        match hollow {
            Some(arrow) => inside_bend(arrow, v, acceleration),
            None => (acceleration, f64::INFINITY),
        }
    }

    /// For an arc: it is part of its circle, so what is clear of the circle is clear of it; and until the ball enters
    /// the arc's sector only the ends count.
    fn arc_clear(&self, p: Triple, v: Triple, acceleration: f64, error: f64, lasts: f64) -> f64 {
        let Form::Arc {
            centre,
            radius,
            middle,
            cos_half,
            ends,
        } = self.case.form
        else {
            return f64::INFINITY;
        };
        let reach = self.case.radius - self.offset + error;
        let arrow = along(p, centre, -1.0);
        let from_centre = norm(arrow);
        let outward = inner(arrow, v) / from_centre;
        let circle = if from_centre < radius {
            let (bend, holds) = inside_bend(arrow, v, acceleration);
            Ahead {
                gap: radius - from_centre - reach,
                rate: -outward,
                bend,
                lasts: lasts.min(holds),
            }
        } else {
            Ahead {
                gap: from_centre - radius - reach,
                rate: outward,
                bend: acceleration,
                lasts,
            }
        };
        let circle = circle.clear();
        if self.plain.1.faces(&arrow) {
            return circle;
        }
        let to_end = ends
            .map(|end| {
                let away = along(p, end, -1.0);
                let distance = norm(away);
                Ahead {
                    gap: distance - reach,
                    rate: inner(away, v) / distance,
                    bend: acceleration,
                    lasts,
                }
                .clear()
            })
            .into_iter()
            .fold(f64::INFINITY, f64::min);
        // Distance from the sector: the angle to its nearer edge, seen from the centre.
        let toward = (inner(arrow, middle) / from_centre).clamp(-1.0, 1.0);
        let beyond = (libm::acos(toward) - libm::acos(cos_half)).min(std::f64::consts::FRAC_PI_2);
        let sector = Ahead {
            gap: from_centre * libm::sin(beyond.max(0.0)) - error,
            rate: -norm(v),
            bend: acceleration,
            lasts,
        };
        circle.max(to_end.min(sector.clear()))
    }

    /// Moves on in `f64` from an instant with a positive gap; `None` when the horizon is reached.
    fn scan(&mut self, mut t: f64) -> Option<f64> {
        for _ in 0..SCAN_STEPS {
            let look = self.look(t);
            if look.gap < HAND_OVER * look.error {
                return Some(t);
            }
            let next = t + look.clear * (1.0 - 1e-9);
            if next >= self.case.horizon || next == f64::INFINITY {
                return None;
            }
            if next <= t * (1.0 + 1e-14) {
                return Some(t);
            }
            t = next;
        }
        Some(t)
    }

    /// From an instant that is close to touching: decides in [`Big`].
    fn close_in(&mut self, start: Big) -> Closing {
        let mut t = start;
        let mut open = start;
        for _ in 0..WIDE_STEPS {
            let plain_time = t.near();
            if plain_time >= self.case.horizon {
                return Closing::Done(Truth::Never);
            }
            let (gap, (p, v)) = self.evaluate(&t);
            let (g, rate) = (gap.distance.near(), gap.rate.near());
            if g < -1e-60 * self.case.magnitude(plain_time) {
                // Only across the seam of an arc, which is no better defined than to rounding, can a step be too long.
                return Closing::Done(self.between(open, t));
            }
            if g <= 0.0 {
                // The steps stop short of sign changes, so this is zero to the last bits. At a tangency the rate is
                // zero too, to half as many.
                let least = resolved_rate(self.case, plain_time, norm(v));
                let truth = if rate < -least {
                    self.contact(t, Onset::Crossing)
                } else {
                    Truth::Touch(t)
                };
                return Closing::Done(truth);
            }
            let look = self.look_from(plain_time, p, v);
            let ahead = Ahead {
                gap: g,
                rate,
                bend: look.bend,
                lasts: look.lasts,
            };
            let limit = self.limit(&look, p, v, plain_time);
            let clear = ahead.clear().min(limit) * (1.0 - 1e-9);
            if clear == f64::INFINITY {
                return Closing::Done(Truth::Never);
            }
            if rate > 0.0 && g > 4.0 * HAND_OVER * look.error {
                return Closing::Apart(plain_time);
            }
            let step = if rate < 0.0 {
                let newton = gap.distance.over(&gap.rate.negated());
                let steepness = rate * rate;
                let distance = g + self.case.radius - self.offset;
                let speed = norm(v) + look.acceleration * newton.near();
                let concave = speed * speed / distance + look.acceleration;
                let doubt = (concave + look.bend) * g / steepness;
                let time = t.plus(&newton);
                if doubt < 1e-2 && doubt * newton.near() < TIME_ERROR * time.near() {
                    return Closing::Done(if time.near() < self.case.horizon {
                        // The last step is so short that the rate is the same, to `doubt`.
                        self.contact_closing(time, Onset::Crossing, -rate)
                    } else {
                        Truth::Never
                    });
                }
                let x = look.bend * g / steepness;
                if x < 1e-3 {
                    let root = (1.0 + 2.0 * x).sqrt();
                    let short = 2.0 * x / ((1.0 + root) * (1.0 + root)) * (1.0 + 1e-9);
                    newton.times(&Big::of(1.0).minus(&Big::of(short)))
                } else {
                    Big::of(ahead.clear() * (1.0 - 1e-9))
                }
            } else {
                Big::of(clear)
            };
            open = t;
            t = t.plus(&if step.near() > limit {
                Big::of(limit)
            } else {
                step
            });
        }
        Closing::Done(Truth::Touch(t))
    }

    /// The sign change between an instant with a positive gap and one with a negative gap, by halving.
    fn between(&mut self, mut open: Big, mut closed: Big) -> Truth {
        for _ in 0..WIDE_STEPS {
            let width = closed.minus(&open);
            if width.near() <= TIME_ERROR * closed.near() {
                break;
            }
            let middle = open.plus(&width.shifted(-1));
            if self.gap_at(&middle).distance.sign() > 0 {
                open = middle;
            } else {
                closed = middle;
            }
        }
        self.contact(closed, Onset::Crossing)
    }

    /// The longest step for which a bound on the nearest feature tells all: for an arc another one may come first.
    fn limit(&self, look: &Look, p: Triple, v: Triple, t: f64) -> f64 {
        let mut limit = look.lasts;
        if let Form::Arc { .. } = self.case.form {
            let acceleration = look.acceleration;
            let others = self.arc_clear(p, v, acceleration, -look.error, look.lasts);
            // Near a seam the features agree to rounding, and the arc itself is not defined any better.
            let resolution = 16.0 * look.error / norm(v) + 16.0 * UNIT_ROUNDOFF * t;
            limit = limit.min(others.max(resolution));
        }
        limit
    }

    /// From a start with `g ≤ 0`, opening: until the gap is positive, or closes again.
    fn emerge(&mut self) -> Emergence {
        let mut t = Big::zero();
        for _ in 0..WIDE_STEPS {
            let plain_time = t.near();
            if plain_time >= self.case.horizon {
                return Emergence::Done(Truth::Never);
            }
            let (gap, (p, v)) = self.evaluate(&t);
            let look = self.look_from(plain_time, p, v);
            if gap.distance.sign() > 0 {
                return if gap.distance.near() > 4.0 * HAND_OVER * look.error {
                    Emergence::Apart(plain_time)
                } else {
                    match self.close_in(t) {
                        Closing::Apart(later) => Emergence::Apart(later),
                        Closing::Done(truth) => Emergence::Done(truth),
                    }
                };
            }
            let rate = gap.rate.near();
            let convex = !matches!(self.case.form, Form::Hollow { .. } | Form::Arc { .. });
            let at_rest = norm(v) == 0.0 && look.acceleration == 0.0;
            if at_rest || look.bend == 0.0 && convex {
                // Convex and straight: an opening gap stays open.
                return Emergence::Done(Truth::Never);
            }
            // Without a bend the gap keeps opening for ever: go on to where it is positive, but not so far that another
            // part of an arc comes into play.
            let nearby = 1e-7 * self.case.radius / norm(v);
            let until_apart = (4.0 * gap.distance.near().abs() / rate).min(nearby);
            let mut keeps_opening = if look.bend > 0.0 {
                rate.max(0.0) / look.bend
            } else {
                until_apart
            };
            if let Form::Arc { .. } = self.case.form {
                keeps_opening = keeps_opening.min(until_apart);
            }
            keeps_opening = keeps_opening.min(look.lasts);
            let scale = if look.bend > 0.0 {
                plain_time.max(norm(v) / look.bend)
            } else {
                0.0
            };
            if t.sign() == 0 && gap.rate.sign() == 0 {
                // It only begins to open: g″ > 0 carries it for a while that the bounds do not know.
                keeps_opening =
                    1e-9 * (self.case.radius / (norm(v) + look.bend)).min(self.case.horizon);
            }
            if keeps_opening <= 1e-42 * scale {
                return Emergence::Done(self.contact(t, Onset::Turning));
            }
            t = t.plus(&Big::of(keeps_opening * (1.0 - 1e-9)));
        }
        Emergence::Done(Truth::Undecided)
    }
}

/// The rate that half the bits of a wide number resolve, m/s.
fn resolved_rate(case: &Case, t: f64, speed: f64) -> f64 {
    1e-40 * speed * (1.0 + case.magnitude(t) / case.radius).sqrt()
}

/// Inside of a circle, at `arrow` from its centre: a bound on `−g″` and how long it holds.
fn inside_bend(arrow: Triple, v: Triple, acceleration: f64) -> (f64, f64) {
    let from_centre = norm(arrow);
    let outward = inner(arrow, v) / from_centre;
    let across = (inner(v, v) - outward * outward).max(0.0) * (1.0 + 1e-9) / from_centre;
    if outward >= 0.0 {
        (acceleration + across, f64::INFINITY)
    } else {
        (
            acceleration + 2.0 * across,
            from_centre / (2.0 * outward.abs()),
        )
    }
}

enum Closing {
    Apart(f64),
    Done(Truth),
}

enum Emergence {
    Apart(f64),
    Done(Truth),
}
