//! When does a rigid body meet others, and a ball a fixture that is made of parts?
//!
//! The time of a contact is a function of the two courses alone, from the later of their beginnings on, so that it is
//! the same whatever asks and when. Where the search for a contact of two free bodies is given up, the time until which
//! nothing happens takes the place of a contact; the search is taken up there when that time has come
//! ([`Rigids::cleared`]). Neither course begins anew by it: whether and when a search is made depends on the cells of a
//! planner, which those of a restored run are not.

mod within;

use super::found::Found;
use crate::body::{Body, Free, Kind};
use crate::impact::Impact;
use crate::impact::solids::{RigidTrajectory, first_contact};
use crate::motion::{Flight, Pose};
use crate::queue::EventKind;
use crate::shape::convex::{Compound, free_form};
use crate::shape::{Ball, Shape, Shaped};
use crate::simulate::balls::{Balls, NOBODY};
use crate::simulate::fixture::Searches;
use crate::simulate::rigid::{
    CourseKey, RigidBody, RigidBodyRef, Rigids, form_on_course, is_within, meets_prop,
    next_clearance,
};
use crate::space::{Linear, Space};
use crate::world::BodyId;
pub(in crate::simulate) use within::Reached;

/// How a body moves, as far as the ball around it is concerned.
#[derive(Clone, Copy)]
struct Way<S: Space> {
    since: f64,
    until: f64,
    flight: Flight<S>,
    reach: f64,
}

impl<S: Space> Way<S> {
    fn at(&self, time: f64) -> (S::Vector, S::Vector) {
        let elapsed = time - self.since;
        (
            self.flight.position_at(elapsed),
            self.flight.velocity_at(elapsed),
        )
    }
}

/// When the balls around two bodies may overlap: from when to when, between two times; `None` where they do not.
fn overlap_of_balls<S: Space>(
    a: &Way<S>,
    b: &Way<S>,
    (from, until): (f64, f64),
) -> Option<(f64, f64)> {
    let ((place, velocity), (its_place, its_velocity)) = (a.at(from), b.at(from));
    let (apart, drift) = (place - its_place, velocity - its_velocity);
    let pull = a.flight.acceleration - b.flight.acceleration;
    let reach = (a.reach + b.reach) * (1.0 + 1e-9);
    let c = apart.length_squared() - reach * reach;
    if pull != S::Vector::ZERO {
        if c <= 0.0 || !until.is_finite() {
            return Some((from, until));
        }
        let span = until - from;
        let way = (drift.length() + 0.5 * pull.length() * span) * span;
        return (!(apart.length() - reach > way)).then_some((from, until));
    }
    // |d + w t|² = r²: c/(−b + √(b² − a c)) is the first root, without cancellation.
    let (a, b) = (drift.length_squared(), apart.dot(drift));
    let discriminant = b * b - a * c;
    if c > 0.0 && (b >= 0.0 || discriminant < 0.0) {
        return None;
    }
    let root = discriminant.max(0.0).sqrt();
    let enters = if c > 0.0 {
        from + c / (-b + root) * (1.0 - 1e-9)
    } else {
        from
    };
    let leaves = from + (root - b) / a * (1.0 + 1e-9);
    let until = if leaves < until { leaves } else { until };
    (enters <= until).then_some((enters, until))
}

/// A ball in its own lane, or on a segment, as the search for a contact with a rigid body sees it from a time on, and
/// until when.
///
/// A segment that is no parabola is followed by the parabola that fits it, as long as it does to this share of the
/// radius.
const FITS: f64 = 1e-10;

impl<S: Shaped> Balls<S> {
    fn rigid_course(&self, slot: usize, from: f64) -> (Way<S>, RigidTrajectory<S>) {
        let ball = &self.hot[slot];
        let (mut since, mut until) = (ball.since, f64::INFINITY);
        let mut flight = Flight {
            position: ball.position,
            velocity: ball.velocity,
            acceleration: self.gravity,
        };
        if let Some(segment) = self.segment(slot) {
            until = since + segment.end;
            let mut place = segment.place;
            if place.degree() > 2 && from > since {
                place = place.from_time(from - since);
                since = from;
            }
            let [position, velocity, bend] = *place.quadratic_terms();
            flight = Flight {
                position,
                velocity,
                acceleration: bend * 2.0,
            };
            // The next term is the error, and those after it are smaller as long as that is small.
            let terms = place.terms();
            for (power, term) in terms.iter().enumerate().skip(3) {
                let allowed = FITS * ball.radius / (terms.len() as f64 * term.length());
                let fits = since + libm::pow(allowed, 1.0 / power as f64);
                until = until.min(fits.max(since.next_up()));
            }
        }
        let course = RigidTrajectory::steady(
            since,
            Pose::at(flight.position),
            flight,
            self.angular_velocity(slot),
        );
        let way = Way {
            since,
            until,
            flight,
            reach: ball.radius,
        };
        (way, course)
    }

    fn rigid_form(&self, slot: usize) -> Option<Compound<S>> {
        let ball = Shape::Ball(Ball {
            radius: self.hot[slot].radius,
        });
        free_form(&ball, self.inertials.of(slot).mass).ok()
    }

    /// A ball as a body, as it is at a time.
    pub fn rigid_body(&self, slot: usize, pose: Pose<S>) -> Option<RigidBody<S>> {
        let (inertial, ball) = (self.inertials.of(slot), &self.hot[slot]);
        let shape = Shape::Ball(Ball {
            radius: ball.radius,
        });
        let kind = Kind::Free(Free {
            mass: inertial.mass,
            inertia: inertial.inertia,
            velocity: ball.velocity,
            angular_velocity: self.angular_velocity(slot),
        });
        let body = Body {
            name: "".into(),
            shape,
            material: inertial.material,
            groups: self.groups_of(slot),
            sensor: false,
            pose,
            kind,
            load: None,
        };
        RigidBody::new(&body, self.ids[slot]).ok()
    }
}

/// What is found first of two bodies, which they are, and how far from where it is the second is seen, m.
#[derive(Clone, Copy)]
pub(in crate::simulate) struct FirstContact<S: Space> {
    pub found: Found,
    pub pair: [BodyId; 2],
    by: S::Vector,
}

/// How many parabolas of one segment are searched at once.
const PIECES: usize = 64;

impl<S: Shaped> Rigids<S> {
    fn way(&self, member: u32) -> Way<S> {
        let track = &self.core.moving[member as usize].track;
        Way {
            since: track.since,
            until: track.until,
            flight: *track.course.flight(),
            reach: track.reach,
        }
    }

    /// When two bodies by their slots touch of which one is a member, s; infinite where they do not.
    pub fn contact_time(&self, balls: &Balls<S>, a: usize, b: usize, shift: S::Vector) -> f64 {
        self.first_contact(balls, a, b, shift)
            .map_or(f64::INFINITY, |first| first.found.time())
    }

    /// The same, and which of those that planners look for in their places; the second is seen under a shift.
    pub fn first_contact(
        &self,
        balls: &Balls<S>,
        a: usize,
        b: usize,
        shift: S::Vector,
    ) -> Option<FirstContact<S>> {
        // A body that was planned to be met may have been taken out.
        let there = [a, b].iter().all(|&slot| balls.ids[slot] != NOBODY);
        if !there {
            return None;
        }
        // The same bits whatever asks. The second is seen so far from where it is.
        let (a, b, by) = if balls.ids[a] < balls.ids[b] {
            (a, b, S::Vector::ZERO - shift)
        } else {
            (b, a, shift)
        };
        let members = [a, b].map(|slot| self.member(balls.ids[slot]));
        let own = |member: u32| self.world.inert[member as usize].id;
        let mut first: Option<FirstContact<S>> = None;
        let mut keep = |found: Option<Found>, pair, by| {
            if let Some(found) = found
                && first.is_none_or(|known| found.time() < known.found.time())
            {
                first = Some(FirstContact { found, pair, by });
            }
        };
        match members {
            [Some(a), Some(b)] => {
                for a in self.stands_for(a) {
                    for b in self.stands_for(b) {
                        keep(self.members_touch(a, b, by), [own(a), own(b)], by);
                    }
                }
            }
            [Some(member), None] => {
                for a in self.stands_for(member) {
                    keep(self.meets_ball(balls, a, b, by), [own(a), balls.ids[b]], by);
                }
            }
            [None, Some(member)] => {
                for b in self.stands_for(member) {
                    let by = S::Vector::ZERO - by;
                    keep(self.meets_ball(balls, b, a, by), [own(b), balls.ids[a]], by);
                }
            }
            [None, None] => {}
        }
        first
    }

    /// Enters that two bodies do not touch before a time, on the courses that they have now.
    pub fn note_cleared(&mut self, balls: &Balls<S>, first: &FirstContact<S>) {
        let (pair, time) = (first.pair, first.found.time());
        let courses = pair.map(|id| self.course_of(balls, id));
        if let [Some(a), Some(mut b)] = courses {
            b.1 += first.by;
            // Of courses that have ended nothing is asked any more.
            if self.cleared.len() >= CLEARED {
                self.cleared.clear();
            }
            self.cleared.insert((pair[0], pair[1]), ([a, b], time));
        }
    }

    /// What tells the course of a body from others that it had.
    fn course_of(&self, balls: &Balls<S>, id: BodyId) -> Option<CourseKey<S>> {
        if let Some(member) = self.member(id) {
            let track = &self.core.moving[member as usize].track;
            return Some((track.since, track.pose.position, track.velocity));
        }
        let slot = balls.ids.iter().position(|&its| its == id)?;
        let ball = &balls.hot[slot];
        Some((ball.since, ball.position, ball.velocity))
    }

    /// From when on a contact of two bodies on their courses is searched for, s.
    fn resume(&self, from: f64, pair: (BodyId, BodyId), courses: [CourseKey<S>; 2]) -> f64 {
        match self.cleared.get(&pair) {
            Some((known, clear)) if *known == courses => clear.max(from),
            _ => from,
        }
    }

    fn members_touch(&self, a: u32, b: u32, by: S::Vector) -> Option<Found> {
        match self.members_touch_before(a, b, by, f64::INFINITY)? {
            Reached::Found(found) => Some(found),
            Reached::NotBefore(_) => None,
        }
    }

    fn form_on_course(&self, member: u32) -> &Compound<S> {
        form_on_course(&self.core, &self.world, member)
    }

    /// When a member meets a ball that is none.
    fn meets_ball(
        &self,
        balls: &Balls<S>,
        member: u32,
        slot: usize,
        by: S::Vector,
    ) -> Option<Found> {
        let inert = &self.world.inert[member as usize];
        if !balls.meets(slot, inert.groups) {
            return None;
        }
        let mine = self.way(member);
        let mut from = mine.since.max(balls.hot[slot].since);
        if !self.cleared.is_empty() {
            let (track, ball) = (&self.core.moving[member as usize].track, &balls.hot[slot]);
            let keys = [
                (track.since, track.pose.position, track.velocity),
                (ball.since, ball.position + by, ball.velocity),
            ];
            from = self.resume(from, (inert.id, balls.ids[slot]), keys);
        }
        let end = mine.until.min(balls.segment_end(slot));
        let mut form = None;
        for _ in 0..PIECES {
            let (mut way, mut course) = balls.rigid_course(slot, from);
            if by != S::Vector::ZERO {
                way.flight.position += by;
                course = course.moved(by);
            }
            let until = mine.until.min(way.until);
            if let Some((enters, until)) = overlap_of_balls(&mine, &way, (from, until)) {
                let form = match form.take() {
                    Some(form) => form,
                    None => balls.rigid_form(slot)?,
                };
                let track = &self.core.moving[member as usize].track;
                let own = self.form_on_course(member);
                let courses = [(own, &track.course), (&form, &course)];
                let found = time_of(courses, (enters, until.next_up()));
                if found.is_some() {
                    return found;
                }
            }
            if until >= end {
                return None;
            }
            from = until;
        }
        Some(Found::ClearUntil(from))
    }

    /// The first thing that happens between a body by its slot, which is a member or meets a compound, and a fixture
    /// that can be met from a time on, as far as it is known at another: as `Fixture::first_event` has it for balls.
    pub fn fixture_event(
        &self,
        balls: &Balls<S>,
        (slot, index): (usize, u32),
        since: f64,
        now: f64,
        searches: &mut Searches<S>,
    ) -> Option<(f64, EventKind)> {
        let at = FixtureSearch {
            slot,
            index,
            since,
            now,
        };
        let Some(member) = self.member(balls.ids[slot]) else {
            let form = balls.rigid_form(slot)?;
            let mut from = balls.hot[slot].since;
            let mut searched = 0;
            while searched < PIECES {
                let (way, course) = balls.rigid_course(slot, from);
                let last = way.until >= balls.segment_end(slot);
                // On parabolas that have been left nothing happened; the next ones begin where those end, so that the
                // bits do not depend on when it is asked for.
                if way.until > now || last {
                    let body = OnCourse {
                        id: balls.ids[slot],
                        form: &form,
                        course: &course,
                        until: way.until,
                    };
                    let found = self.event(balls, &body, &at, searches);
                    if found.is_some() || last {
                        return found;
                    }
                    searched += 1;
                }
                from = way.until;
            }
            return Some((from, EventKind::LookAgain));
        };
        let mut first: Option<(f64, EventKind)> = None;
        for member in self.stands_for(member) {
            if !self.notices(member, index) {
                continue;
            }
            let track = &self.core.moving[member as usize].track;
            let id = self.world.inert[member as usize].id;
            let body = OnCourse {
                id,
                form: self.form_on_course(member),
                course: &track.course,
                until: track.until,
            };
            let found = self.event(balls, &body, &at, searches);
            if let Some(found) = found
                && first.is_none_or(|(known, _)| found.0 < known)
            {
                first = Some(found);
            }
        }
        first
    }

    /// Which of those for which planners look in the place of a body by its slot meets a fixture first.
    pub fn who_meets(&self, balls: &Balls<S>, slot: usize, index: u32) -> BodyId {
        let id = balls.ids[slot];
        let all = self.member(id).map(|it| self.stands_for(it));
        if let Some(all) = all.filter(|all| all.clone().count() == 2) {
            let mut searches = Searches::<S>::new();
            let mut first = (f64::INFINITY, id);
            for member in all.filter(|&it| self.notices(it, index)) {
                let track = &self.core.moving[member as usize].track;
                let own = self.world.inert[member as usize].id;
                let body = OnCourse {
                    id: own,
                    form: self.form_on_course(member),
                    course: &track.course,
                    until: track.until,
                };
                let at = FixtureSearch {
                    slot,
                    index,
                    since: track.since,
                    now: f64::INFINITY,
                };
                let found = self.event(balls, &body, &at, &mut searches);
                if let Some((time, _)) = found
                    && time < first.0
                {
                    first = (time, own);
                }
            }
            return first.1;
        }
        id
    }

    /// Whether a member meets a fixture, or passes it, at an instant of its own.
    fn notices(&self, member: u32, index: u32) -> bool {
        let (core, other) = (&self.core, RigidBodyRef::Fixture(index));
        self.world.senses(member, index)
            || self.world.meet(member, other)
                && !core.moving[member as usize].partners.contains(&other)
                && !core.in_one_crowd(member, other)
                && (!core.is_asleep(member) || self.world.props[index as usize].moves())
    }

    /// What happens first on a course between a body and a fixture.
    fn event(
        &self,
        balls: &Balls<S>,
        body: &OnCourse<'_, S>,
        at: &FixtureSearch,
        searches: &mut Searches<S>,
    ) -> Option<(f64, EventKind)> {
        let OnCourse {
            id,
            form,
            course,
            until,
        } = *body;
        let FixtureSearch {
            slot,
            index,
            since,
            now,
        } = *at;
        let prop = &self.world.props[index as usize];
        let relation = if prop.sensor {
            balls.overlaps.of(id, prop.id, prop.image)
        } else {
            None
        };
        let inside = relation.is_some_and(|relation| relation.inside);
        let since = relation.map_or(since, |relation| relation.since.max(since));
        let start = course.since().max(since);
        if prop.sensor && !inside && is_within((form, course), prop, start) {
            return Some((start, EventKind::Contact));
        }
        let flight = course.flight();
        let flight = (start, flight.position, flight.velocity, inside);
        let key = (slot as u32, index);
        let mut from = match searches.get(&key) {
            Some((known, clear)) if *known == flight => {
                if *clear > now {
                    return Some((*clear, EventKind::LookAgain));
                }
                *clear
            }
            _ => start,
        };
        loop {
            let found = if inside {
                next_clearance((form, course), prop, (from, until))
            } else {
                meets_prop((form, course), prop, (from, until))
            };
            let time = match found {
                Impact::Never => return None,
                Impact::Now => return Some((from, EventKind::Contact)),
                Impact::At(time) => return Some((time.max(start), EventKind::Contact)),
                Impact::ClearUntil(time) => time,
            };
            from = if time > from { time } else { from.next_up() };
            if from > now {
                searches.insert(key, (flight, from));
                return from.is_finite().then_some((from, EventKind::LookAgain));
            }
        }
    }
}

/// A body on its course.
struct OnCourse<'a, S: Shaped> {
    id: BodyId,
    form: &'a Compound<S>,
    course: &'a RigidTrajectory<S>,
    /// By the run's clock, s.
    until: f64,
}

/// What is looked for with a fixture: for a body by its slot, from a time on, as far as it is known at another. Times
/// are by the run's clock, s.
struct FixtureSearch {
    slot: usize,
    index: u32,
    since: f64,
    now: f64,
}

/// The first contact of two bodies on their courses between two times, or until when a search found none.
fn time_of<S: Shaped>(
    [a, b]: [(&Compound<S>, &RigidTrajectory<S>); 2],
    (from, until): (f64, f64),
) -> Option<Found> {
    Found::of(first_contact(a.0, a.1, b.0, b.1, from, until), from)
}

/// How many searches that were given up are kept.
const CLEARED: usize = 10_000;
