//! When does a body of a run meet a fixture? What the planners ask; of rigid bodies: `meetings/rigid.rs`.

mod found;
mod rigid;

pub(super) use found::Found;
pub(super) use rigid::Reached;

use super::balls::Balls;
use super::fixture::{Fixture, Searches};
use super::trajectories::StickingPartner;
use crate::impact::{self, Impact, MovingBall, Strikable};
use crate::motion::Flight;
use crate::queue::EventKind;
use crate::shape::Shape;
use crate::space::{Linear, UNIT_ROUNDOFF};

impl<S: Strikable> Fixture<S> {
    /// The first thing that happens between a ball and this body, as far as it is known at a time: a contact, or that
    /// one has to look again. Times are by the run's clock, whose zero is at world time `epoch`.
    ///
    /// The search starts at the ball's own time (where the body came later, when it came), and where it is cut off, at
    /// the end of the part that is clear, until it is past `now`: what is found does not depend on how often it was
    /// asked for. `searches` knows how far earlier ones got.
    ///
    /// Longer than most: one loop that asks, and moves its start on until there is an answer; its branches share all
    /// that they look at.
    pub fn first_event(
        &self,
        balls: &Balls<S>,
        (slot, index): (usize, u32),
        epoch: f64,
        now: f64,
        searches: &mut Searches<S>,
    ) -> Option<(f64, EventKind)> {
        let ball = &balls.hot[slot];
        let member = balls.is_member(slot);
        if !member && !balls.meets(slot, self.body.groups) {
            return None;
        }
        if let Some(rigids) = balls.rigids()
            && (member || rigids.is_compound(index))
        {
            return rigids.fixture_event(balls, (slot, index), self.since, now, searches);
        }
        let segment = balls.segment(slot);
        if balls.is_on(slot, index)
            || balls.travels_with(slot, StickingPartner::Fixture(self.id, self.image))
            || balls.pass_through(balls.ids[slot], self.id)
        {
            return None;
        }
        let relation = if self.body.sensor {
            balls.overlaps.of(balls.ids[slot], self.id, self.image)
        } else {
            None
        };
        let inside = relation.is_some_and(|relation| relation.inside);
        let last = relation.map_or(self.since, |relation| relation.since.max(self.since));
        let start = ball.since.max(last);
        let flight = (start, ball.position, ball.velocity, inside);
        if self.body.sensor && !inside && self.is_deep_inside(balls, slot, epoch, start) {
            return Some((start, EventKind::Contact));
        }
        let mut from = match searches.get(&(slot as u32, index)) {
            Some((known, clear_until)) if *known == flight => {
                if *clear_until > now {
                    return Some((*clear_until, EventKind::LookAgain));
                }
                *clear_until
            }
            _ => start,
        };
        // Whether it went in or out just when the search begins.
        let fresh = relation.is_some_and(|relation| relation.since == start);
        let end = segment.map_or(f64::INFINITY, |segment| ball.since + segment.end);
        let mut nudge = 1.0;
        loop {
            let moving = MovingBall::<S> {
                flight: Flight {
                    position: balls.position_at(slot, from),
                    velocity: balls.velocity_at(slot, from),
                    acceleration: balls.gravity,
                },
                radius: ball.radius,
                surface_speed: balls.angular_velocity(slot).length() * ball.radius,
            };
            let target = self.as_target(epoch + from);
            let found = if let Some(segment) = segment {
                let shifted;
                let segment = if from == ball.since {
                    segment
                } else {
                    shifted = segment.from_time(from - ball.since);
                    &shifted
                };
                if inside {
                    impact::first_clearance_on_segment(segment, ball.radius, &target, f64::INFINITY)
                } else if matches!(self.body.shape, Shape::Block(_) | Shape::Own(_)) {
                    impact::first_contact_by_steps(segment, ball.radius, &target, f64::INFINITY)
                } else {
                    impact::first_contact_on_segment(segment, ball.radius, &target, f64::INFINITY)
                }
            } else if inside {
                impact::first_clearance(&moving, &target, f64::INFINITY)
            } else {
                match impact::first_contact(&moving, &target, f64::INFINITY) {
                    Impact::Now | Impact::At(_) => impact::refine(&moving, &target, f64::INFINITY),
                    nothing => nothing,
                }
            };
            // A ball that has just come in can seem to be outside by what rounding of the place and of the time makes;
            // it is not to go in and out without end. A little later it is inside, or was only grazing.
            let speed = moving.flight.velocity.length();
            let size = moving.flight.position.length() + ball.radius;
            let blur = UNIT_ROUNDOFF * (from.abs() + size / speed);
            let wait = match found {
                Impact::Now => 0.0,
                Impact::At(wait) => wait,
                Impact::Never | Impact::ClearUntil(_) => f64::INFINITY,
            };
            let later = (from + blur * nudge).max(from.next_up());
            if fresh && inside && from + wait <= from && nudge < 256.0 && blur.is_finite() {
                nudge *= 2.0;
                from = later;
                continue;
            }
            // One that has just gone out and touches still runs along a face: it is outside until it is plainly inside,
            // however far it goes like that.
            if fresh && !inside && self.body.sensor && wait <= 512.0 * blur && blur.is_finite() {
                if later >= end || !later.is_finite() {
                    return None;
                }
                if self.is_deep_inside(balls, slot, epoch, later) {
                    let deep = |time: f64| self.is_deep_inside(balls, slot, epoch, time);
                    return Some((first_true(from, later, deep), EventKind::Contact));
                }
                nudge *= 2.0;
                from = later;
                continue;
            }
            let (kind, wait) = match found {
                Impact::Never => return None,
                Impact::Now => (EventKind::Contact, 0.0),
                Impact::At(wait) => (EventKind::Contact, wait),
                Impact::ClearUntil(wait) => (EventKind::LookAgain, wait),
            };
            let time = from + wait;
            if kind == EventKind::Contact {
                return time.is_finite().then_some((time, kind));
            }
            // A clear part too short for the clock to show still has to end.
            from = if time > from { time } else { from.next_up() };
            if from > now {
                searches.insert((slot as u32, index), (flight, from));
                return from.is_finite().then_some((from, kind));
            }
        }
    }
}

/// The first time in `(low, high]` at which something holds that does not at `low`, and does at `high` and between
/// there and then; s.
fn first_true(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = 0.5 * (low + high);
        if !(middle > low && middle < high) {
            return high;
        }
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
}
