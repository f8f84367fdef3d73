//! Compares an answer with the truth.
//!
//! # When an answer is right
//!
//! Let `m(t) = k u (|d| + R + |w|t + ½|a|t²)` ([`Case::magnitude`]), with k the kernel's own bound on the backward
//! error. A gap that is off by m is all that k rounding errors explain. A *hit* at t is right if
//! 1. the ball touches then: `g(t) ≤ m`;
//! 2. they are not parting: `g′(t) ≤ floor`, for a start in contact, and not `g′ ≥ 0` with accelerations that part
//!    them; a later contact may be off by what a gap m means near a grazing, `g′(t) ≤ floor + √(2 g″ m)`;
//! 3. nothing was missed: a ball smaller by m does not touch earlier (but for the rounding of t itself). Where an
//!    overlap only begins to close, it may be seen when it has deepened by m.
//!
//! *Never* is right if a ball smaller by m does not touch at all. Contacts that close more slowly than the floor may be
//! reported or not, unless accelerations press. It is `32u` times the speeds (the library's own is 16u), and more where
//! the direction of the nearest place is less certain: times `1 + L/distance`.
//!
//! Where answer and truth differ and the answer is right in this sense, the case is *on the boundary*: data changed by
//! k rounding errors have the other answer. Such cases are counted, not judged. Where they differ and the answer is
//! wrong, the case is a miss or a false hit.
//!
//! # What is measured
//!
//! * the error of the time in ulp of the true time;
//! * the error of the time in units of `u [t + L/s]`, with s the closing speed and L the magnitude at contact (for
//!   balls in uniform motion `|d| + R`, which no `|w| t` exceeds; along a wall `|w| t` can be any number of times
//!   that), where the contact is not grazing: a gap off by m must not move it by more than the first order says,
//!   `8 |g″| m ≤ s²`;
//! * the backward error, `|g|` at the returned time, in units of `u · magnitude`;
//! * the error of the refined time in ulp, where the library promises one.

use crate::big::Big;
use crate::case::{Case, Form, Motion, norm};
use crate::kernels::Limits;
use crate::library::{Answer, ask};
use crate::oracle::{Contact, Onset, Oracle, Truth};
use carom::space::UNIT_ROUNDOFF;

/// In units of u times the speeds: what closes more slowly may be reported or not.
const FLOOR: f64 = 32.0;

/// A refined time that is off by more ulp than this is taken for another contact.
const FAR_OFF: f64 = 1e4;

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A contact was missed, or a later one given for it.
    Miss,
    /// There is no contact where one is given.
    FalseHit,
}

/// The same, for a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Both say that there is none.
    Never,
    /// The same contact.
    Same,
    /// They differ by what rounding explains.
    Boundary,
    /// The answer is wrong.
    Wrong(Fault),
}

/// What one case shows.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Whether the answer is right.
    pub agreement: Agreement,
    /// Whether the refined answer is, where it is bounded.
    pub refined_agreement: Agreement,
    /// Whether the true contact grazes.
    pub grazing: bool,
    /// Error of the time, ulp.
    pub time_ulps: Option<f64>,
    /// Error of the time, units of `u [t + L/s]`.
    pub time_scaled: Option<f64>,
    /// Backward error, units of `u · magnitude`.
    pub backward: Option<f64>,
    /// Error of the refined time, ulp.
    pub refined_ulps: Option<f64>,
    /// The library's answer.
    pub answer: Answer,
    /// The truth.
    pub truth: Truth,
}

/// The spacing of `f64` at a positive number.
pub fn ulp(x: f64) -> f64 {
    let x = x.abs().max(f64::MIN_POSITIVE);
    f64::from_bits(x.to_bits() + 1) - x
}

/// Puts a case to the library and to the oracle.
pub fn examine(case: &Case, limits: &Limits) -> Finding {
    examine_answer(case, limits, ask(case, limits.refined.is_some()))
}

/// The same for an answer that is known.
pub fn examine_answer(case: &Case, limits: &Limits, answer: Answer) -> Finding {
    let mut oracle = Oracle::new(case, 0.0);
    let truth = oracle.first_contact();
    let mut judge = Judge {
        case,
        k: limits.backward,
        refines: limits.refined.is_some(),
        start_gap: oracle.gap_at(&Big::ZERO).distance.near(),
        oracle,
    };
    let mut finding = Finding {
        agreement: Agreement::Never,
        refined_agreement: Agreement::Never,
        grazing: false,
        time_ulps: None,
        time_scaled: None,
        backward: None,
        refined_ulps: None,
        answer,
        truth: truth.clone(),
    };
    match (&truth, answer.plain) {
        (Truth::Contact(contact), Some(t)) => judge.measure(contact, t, &mut finding),
        (Truth::Contact(contact), None) => {
            finding.agreement = judge.never(contact.time.near());
        }
        (Truth::Never | Truth::Touch(_), Some(t)) => {
            finding.agreement = judge.hit(t, f64::NEG_INFINITY);
            // What starts inside and is reported soon after is no crossing, and its gap is meant to be below zero.
            let onset = if t > 0.0 && judge.start_gap > 0.0 {
                Onset::Crossing
            } else {
                Onset::Start
            };
            finding.backward = Some(judge.backward(t, onset));
        }
        (Truth::Never | Truth::Touch(_), None) => {}
        (Truth::Undecided, _) => finding.agreement = Agreement::Boundary,
    }
    finding
}

struct Judge<'a> {
    case: &'a Case,
    k: f64,
    refines: bool,
    start_gap: f64,
    oracle: Oracle<'a>,
}

impl Judge<'_> {
    fn margin(&self, t: f64) -> f64 {
        self.k * UNIT_ROUNDOFF * self.case.magnitude(t)
    }

    fn floor(&self, t: f64, distance: f64) -> f64 {
        let lean = 1.0 + self.case.magnitude(t) / distance.abs();
        FLOOR * UNIT_ROUNDOFF * self.case.speeds(t) * lean
    }

    fn backward(&mut self, t: f64, onset: Onset) -> f64 {
        let gap = self.oracle.gap_at(&Big::of(t)).distance.near();
        // A ball that starts inside is meant to have a gap below zero.
        let gap = if onset == Onset::Crossing {
            gap.abs()
        } else {
            gap.max(0.0)
        };
        gap / (UNIT_ROUNDOFF * self.case.magnitude(t))
    }

    fn measure(&mut self, contact: &Contact, t: f64, finding: &mut Finding) {
        let case = self.case;
        let truth = contact.time.near();
        let error = |t: f64| contact.time.minus(&Big::of(t)).near().abs();
        let speed = contact.approach_speed;
        let margin = self.margin(truth);
        finding.grazing = contact.onset != Onset::Crossing
            || 8.0 * contact.curvature.abs() * margin > speed * speed;
        let length = if self.is_uniform() && matches!(case.form, Form::Ball { .. }) {
            case.magnitude(0.0)
        } else {
            case.magnitude(truth)
        };
        let unit = UNIT_ROUNDOFF * (truth + length / speed);
        let same = if finding.grazing {
            error(t) <= 2.0 * ulp(truth)
        } else {
            // Four times what the bounds allow is still the same contact, only badly computed.
            error(t) <= 4.0 * (self.k * unit + margin / speed)
        };
        finding.agreement = if same {
            Agreement::Same
        } else {
            match self.hit(t, truth) {
                Agreement::Boundary if finding.grazing => Agreement::Same,
                other => other,
            }
        };
        finding.backward = Some(self.backward(t, contact.onset));
        if finding.agreement == Agreement::Same {
            if truth > 0.0 {
                finding.time_ulps = Some(error(t) / ulp(truth));
            }
            if !finding.grazing {
                finding.time_scaled = Some(error(t) / unit);
            }
        }
        self.measure_refined(contact, t, finding);
    }

    fn measure_refined(&mut self, contact: &Contact, plain: f64, finding: &mut Finding) {
        let truth = contact.time.near();
        if !self.refines || self.is_carried() || truth == 0.0 || plain == 0.0 {
            return;
        }
        let Some(refined) = finding.answer.refined else {
            finding.refined_agreement = self.never(truth);
            return;
        };
        let ulps = contact.time.minus(&Big::of(refined)).near().abs() / ulp(truth);
        finding.refined_agreement = if ulps <= FAR_OFF {
            Agreement::Same
        } else {
            self.hit(refined, truth)
        };
        if finding.refined_agreement == Agreement::Same {
            finding.refined_ulps = Some(ulps);
        }
    }

    /// Whether the target has been driven for a while: its place is a rounded number, and no refinement helps that.
    fn is_carried(&self) -> bool {
        matches!(self.case.motion, Motion::Uniform { now, .. } if now != 0.0)
    }

    fn is_uniform(&self) -> bool {
        match self.case.motion {
            Motion::Flight(target) => self.case.ball.acceleration == target.acceleration,
            Motion::Uniform { .. } => self.case.ball.acceleration == [0.0; 3],
            _ => false,
        }
    }

    /// When a ball smaller by the margin must have touched at the latest; infinite for never.
    fn latest(&self, around: f64) -> f64 {
        let margin = self.margin(around);
        let mut oracle = Oracle::new(self.case, margin);
        match oracle.first_contact() {
            Truth::Never | Truth::Touch(_) | Truth::Undecided => f64::INFINITY,
            Truth::Contact(contact) => {
                let time = contact.time.near();
                let floor = self.floor(time, self.case.radius);
                let bend = -contact.curvature;
                let begins_slowly = self.start_gap <= margin
                    && contact.approach_speed
                        <= floor + 2.0 * (2.0 * bend.max(0.0) * margin).sqrt();
                if begins_slowly && bend > 1e-6 * self.noticeable() {
                    let later = time + 2.0 * (floor / bend + (2.0 * margin / bend).sqrt());
                    // At a seam the next feature may take over at once, and lift: then nothing was pressed.
                    let mut gap = |t: f64| oracle.gap_at(&Big::of(t)).distance.near();
                    if gap(later) < gap(time) {
                        later
                    } else {
                        f64::INFINITY
                    }
                } else if contact.approach_speed > floor {
                    time
                } else {
                    f64::INFINITY
                }
            }
        }
    }

    fn never(&self, truth: f64) -> Agreement {
        if self.latest(truth) < self.case.horizon {
            Agreement::Wrong(Fault::Miss)
        } else {
            Agreement::Boundary
        }
    }

    /// Whether a rate at the start cannot be taken for one below the library's floor, −16u times the speeds: the
    /// direction of the nearest place is off by a few roundings of the coordinates, over the distance.
    fn is_sure(&self, rate: f64) -> bool {
        let unit = UNIT_ROUNDOFF * self.case.speeds(0.0);
        rate + 16.0 * unit >= 8.0 * unit * (1.0 + self.case.magnitude(0.0) / self.case.radius)
    }

    /// An acceleration that is no rounding error of what the curvature at the start is made of, m/s².
    fn noticeable(&self) -> f64 {
        let speed = self.case.speeds(0.0);
        let acceleration = norm(self.case.ball.acceleration);
        1e-6 * (acceleration + speed * speed / self.case.radius)
    }

    /// Whether a hit at `t` is right, where the truth is elsewhere or never.
    fn hit(&mut self, t: f64, truth: f64) -> Agreement {
        let around = t.max(truth);
        let margin = self.margin(around);
        let gap = self.oracle.gap_at(&Big::of(t));
        let rate = gap.rate.near();
        let curvature = self.oracle.curvature_at(t);
        let floor = self.floor(t, gap.distance.near() + self.case.radius);
        let separation = if t > 0.0 {
            rate > floor + (2.0 * curvature.max(0.0) * margin).sqrt()
        } else {
            rate > floor || (rate >= 0.0 && curvature > self.noticeable() && self.is_sure(rate))
        };
        if gap.distance.near() > margin || separation {
            return Agreement::Wrong(Fault::FalseHit);
        }
        let rounding = 4.0 * UNIT_ROUNDOFF * t;
        if t <= truth {
            return Agreement::Boundary;
        }
        if t > self.latest(around) + rounding {
            return Agreement::Wrong(Fault::Miss);
        }
        Agreement::Boundary
    }
}
