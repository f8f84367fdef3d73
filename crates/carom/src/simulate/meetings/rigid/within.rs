//! Contacts of rigid bodies as far as they matter: what comes after something that is known already need not be known.

use super::{Found, overlap_of_balls};
use crate::impact::Impact;
use crate::impact::solids::{Progress, first_contact_before};
use crate::shape::Shaped;
use crate::simulate::balls::{Balls, NOBODY};
use crate::simulate::rigid::{Known, RigidBodyRef, Rigids, reaches_wall};
use crate::space::Linear;

/// What is known of two bodies, s by the run's clock.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) enum Reached {
    Found(Found),
    /// They do not touch before.
    NotBefore(f64),
}

impl<S: Shaped> Rigids<S> {
    /// A time before which two bodies by their slots, of which one is a member, certainly do not touch, s: when the
    /// balls around them do; infinite where they never do. The second is seen under a shift.
    pub fn not_before(&self, balls: &Balls<S>, a: usize, b: usize, shift: S::Vector) -> f64 {
        let (Some(one), Some(two)) = (self.member(balls.ids[a]), self.member(balls.ids[b])) else {
            return f64::NEG_INFINITY;
        };
        if !(self.is_alone(one) && self.is_alone(two)) {
            return f64::NEG_INFINITY;
        }
        let (one, two, by) = if balls.ids[a] < balls.ids[b] {
            (one, two, S::Vector::ZERO - shift)
        } else {
            (two, one, shift)
        };
        self.balls_touch(one, two, by)
            .map_or(f64::INFINITY, |(enters, _)| enters)
    }

    /// When two bodies by their slots touch of which one is a member, as far as that is before a time (s); `None`
    /// where they do not. The second is seen under a shift.
    pub fn contact_before(
        &self,
        balls: &Balls<S>,
        (a, b): (usize, usize),
        shift: S::Vector,
        stop: f64,
    ) -> Option<Reached> {
        let there = [a, b].iter().all(|&slot| balls.ids[slot] != NOBODY);
        let members = [a, b].map(|slot| self.member(balls.ids[slot]));
        if let [Some(one), Some(two)] = members
            && there
            && self.is_alone(one)
            && self.is_alone(two)
        {
            return if balls.ids[a] < balls.ids[b] {
                self.members_touch_before(one, two, S::Vector::ZERO - shift, stop)
            } else {
                self.members_touch_before(two, one, shift, stop)
            };
        }
        let first = self.first_contact(balls, a, b, shift)?;
        Some(Reached::Found(first.found))
    }

    /// When the balls around two members may overlap, where the two can meet at all.
    fn balls_touch(&self, a: u32, b: u32, by: S::Vector) -> Option<(f64, f64)> {
        let (core, other) = (&self.core, RigidBodyRef::Body(b));
        let asleep = core.is_asleep(a) && core.is_asleep(b);
        if asleep
            || !self.world.meet(a, other)
            || core.moving[a as usize].partners.contains(&other)
            || core.in_one_crowd(a, other)
        {
            return None;
        }
        let mut ways = [self.way(a), self.way(b)];
        ways[1].flight.position += by;
        let mut from = ways[0].since.max(ways[1].since);
        if !self.cleared.is_empty() {
            let [one, two] = [a, b].map(|it| self.world.inert[it as usize].id);
            let mut keys = [a, b].map(|it| {
                let track = &core.moving[it as usize].track;
                (track.since, track.pose.position, track.velocity)
            });
            keys[1].1 += by;
            from = self.resume(from, (one, two), keys);
        }
        let until = ways[0].until.min(ways[1].until);
        overlap_of_balls(&ways[0], &ways[1], (from, until))
    }

    /// When two members touch, as far as that is before a time, s.
    pub(super) fn members_touch_before(
        &self,
        a: u32,
        b: u32,
        by: S::Vector,
        stop: f64,
    ) -> Option<Reached> {
        let (from, until) = self.balls_touch(a, b, by)?;
        if !(from < stop) {
            return Some(Reached::NotBefore(from));
        }
        let tracks = [a, b].map(|it| &self.core.moving[it as usize].track);
        let pair = tracks.map(|track| track.number);
        // What was given up is taken up again elsewhere, and two that stick together have a form of their own.
        let keeps = by == S::Vector::ZERO
            && self.cleared.is_empty()
            && self.is_alone(a)
            && self.is_alone(b);
        let known = keeps.then(|| self.kept.of(pair)).flatten();
        let progress = match known {
            Some(Known::Found(impact)) => return Found::of(impact, from).map(Reached::Found),
            Some(Known::Until(progress)) if !(progress.time < stop) => {
                return Some(Reached::NotBefore(progress.time));
            }
            Some(Known::Until(progress)) => progress,
            None => Progress::at(from),
        };
        let forms = [a, b].map(|it| self.form_on_course(it));
        let moved;
        let mut courses = tracks.map(|track| &track.course);
        if by != S::Vector::ZERO {
            moved = courses[1].moved(by);
            courses[1] = &moved;
        }
        let bodies = [(forms[0], courses[0]), (forms[1], courses[1])];
        let times = (from, until.next_up());
        let found = first_contact_before(bodies, progress, times, stop);
        if keeps {
            let known = match found {
                Ok(impact) => Known::Found(impact),
                Err(progress) => Known::Until(progress),
            };
            self.kept.keep(pair, known, self.core.moving.len());
        }
        match found {
            Ok(Impact::Never) => None,
            Ok(impact) => Found::of(impact, from).map(Reached::Found),
            Err(progress) => Some(Reached::NotBefore(progress.time)),
        }
    }

    /// A time before which a body by its slot certainly does not touch a fixture, s: where it is a wall without end,
    /// when the ball around the body does.
    pub fn fixture_not_before(&self, balls: &Balls<S>, slot: usize, index: u32) -> f64 {
        let prop = &self.world.props[index as usize];
        let member = self.member(balls.ids[slot]);
        let Some(member) = member.filter(|&it| !prop.sensor && self.is_alone(it)) else {
            return f64::NEG_INFINITY;
        };
        let track = &self.core.moving[member as usize].track;
        let until = prop.piece_at(track.since).until;
        if until.is_finite()
            || prop
                .height_above(track.pose.position, track.since)
                .is_none()
        {
            return f64::NEG_INFINITY;
        }
        let form = self.form_on_course(member);
        reaches_wall(form, &track.course, prop, (track.since, track.until)).unwrap_or(f64::INFINITY)
    }
}
