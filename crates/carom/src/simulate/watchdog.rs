//! Does the run get on? What every guard against runs without end goes by.
//!
//! A run may take as long as it likes: a gas has a billion collisions, and nothing is wrong with that. What is wrong is
//! a run that would take more than a lifetime and has nothing to show meanwhile: a ball of 10²⁰ rad/s that
//! the air turns round 10¹⁸ times a second, one of 10⁴⁰ m/s that winds round a periodic box. So steps are counted, in
//! laps, and at the end of a lap the way to go is reckoned at the watchdog of the lap:
//!
//! | | a lap | too slow where it is further than |
//! |---|---|---|
//! | steps without an event | 20,000, and four for each ball, with nothing seen in between | 10¹⁵ of them |
//! | trajectory segments, which take longer | the same | 10¹¹ of them |
//! | what is seen: collisions, overlaps of sensors | 10⁶ | 10²¹ of them |
//! | searches for the first contact of two solids, each of two thousand looks | 100 of one pair | 10⁸ of them |
//! | tiny bounces | 50,000, and 200 for each ball, nine collisions in ten | wherever it is |
//!
//! Steps without an event are trajectory segments, rounds of the periodic box, cells, and searches taken up again.
//!
//! **Why nothing honest is stopped.** At a million a second 10¹⁵ steps are thirty years. A trajectory segment takes ten
//! microseconds, so that 10¹¹ are twelve days in which nothing is seen to happen; a search some milliseconds, so that
//! 10⁸ are as many for one pair alone. A lap is long, so that a short hurry (the nearest point of an orbit, the last
//! pieces before a ball stops) does not fill it, and whatever is seen begins a new one: a run that is only slow between
//! collisions is a run with collisions. Those may hurry more. π by collisions to ten digits has 3·10¹⁰ of them, nearly
//! all within 10⁻¹⁰ s: a rate of 10²⁰ a second, for a while.
//!
//! **Tiny bounces** are collisions, in gravity or other fields and with a loss, before which the two bodies came nearer
//! to each other by less than [`TINY`] = 10⁻¹³ of the ball's radius since either of them was last struck. A loss takes
//! their energy away at once, so that only what presses the two together can keep them going: at an acceleration a they
//! come nearer by a t² in a time t, and there are `√(r / a t²)`, more than three million of them, in the time in which
//! that acceleration moves the ball by its own radius. That is a contact that lasts, reported as collisions that
//! nothing needs. Honest bounces are never so low: on a wall they end at hops of 10⁻¹² of the radius, before which the
//! two come nearer by four times as much. π by collisions is elastic and has no forces; a gas has neither; a rack that
//! breaks, or a pile that settles, has a bounded number for each ball, and most of its collisions are of other balls.
//!
//! The way to go is to the time that was asked for, or to the horizon of a run that is made in several calls; but
//! whatever asks for 10³⁰⁰ s means "until something else ends it", so that no more than 10⁹ s count, and 1 s for
//! segments, searches of solids and what is seen. Which time is asked for can only decide whether a run is stopped
//! here, never what happens in it.

use std::fmt;

/// Steps of a lap that are not seen, beside four for each ball.
const UNSEEN: u64 = 20_000;

/// And how many of them may lie ahead.
const MOST_UNSEEN: f64 = 1e15;

/// No more of the time that was asked for counts then, s.
const LONGEST_UNSEEN: f64 = 1e9;

/// Of trajectory segments no more than this.
const MOST_PIECES: f64 = 1e11;

/// Searches of one pair of solids, and how many may lie ahead.
const SEARCHES: u64 = 100;
const MOST_SEARCHES: f64 = 1e8;

/// Bounces are tiny where the bodies came nearer by less than this before, in radii of the ball.
pub(super) const TINY: f64 = 1e-13;

/// So many of them, beside some for each ball, are a contact that lasts.
const BOUNCES: u64 = 1000;
const BOUNCES_EACH: u64 = 100;

/// No more of the time that was asked for counts for pieces and searches, s.
const LONGEST_PIECES: f64 = 1.0;

/// So many trajectory segments, and a hundred for each ball, in no time lead nowhere: a ball that is all but at rest is
/// laid down.
const PIECES: u64 = 1000;

/// The same for what is seen.
const SEEN: u64 = 1_000_000;
const MOST_SEEN: f64 = 1e21;
const LONGEST_SEEN: f64 = 1.0;

/// After so many steps that are not told a caller may want to end the run.
const UNTOLD: u64 = 1000;

/// What a run that makes hardly any progress is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Busy {
    /// The trajectory of a ball consists of very short segments.
    Segment,
    /// A ball goes round the periodic box.
    Round,
    /// A ball passes the cells in which its neighbours are looked for.
    Cell,
    /// The search for a contact with a kinematic body is resumed again and again.
    Search,
    /// Balls collide.
    Collision,
    /// A ball goes in and out of sensors.
    SensorCrossing,
}

impl fmt::Display for Busy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Busy::Segment => {
                "rotates or changes so fast that its trajectory has very short segments"
            }
            Busy::Round => "is so fast that it crosses the periodic box all the time",
            Busy::Cell => "is so fast that it passes from cell to cell all the time",
            Busy::Search => "is searched for a contact with a kinematic body all the time",
            Busy::Collision => "collides all the time",
            Busy::SensorCrossing => "goes in and out of sensors all the time",
        })
    }
}

/// A lap that took too little time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crawl {
    pub steps: u64,
    /// How far they led, s.
    pub advance: f64,
}

/// Steps since a time by the run's clock, s.
#[derive(Clone, Copy, Debug, Default)]
struct Lap {
    steps: u64,
    since: f64,
}

impl Lap {
    /// Counts steps; at the end of a lap, how far it led.
    fn count(&mut self, steps: u64, now: f64, length: u64) -> Option<Crawl> {
        self.steps += steps;
        if self.steps < length {
            return None;
        }
        let crawl = Crawl {
            steps: self.steps,
            advance: now - self.since,
        };
        *self = Lap {
            steps: 0,
            since: now,
        };
        Some(crawl)
    }
}

impl Crawl {
    /// Whether, at this watchdog, more than `most` steps lie ahead in a time, s.
    fn has_more_ahead_than(&self, most: f64, to_go: f64) -> bool {
        self.advance * (most / self.steps as f64) < to_go
    }
}

/// Tiny bounces among collisions.
#[derive(Clone, Copy, Debug, Default)]
struct Bounces {
    tiny: u64,
    /// How many collisions there had been, and what the run's clock read, s, when it was begun to count.
    from: u64,
    since: f64,
}

/// How a run gets on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Watchdog {
    unseen: Lap,
    seen: Lap,
    /// Ends of segments, whatever is seen in between.
    segments: Lap,
    bounces: Bounces,
    /// Steps since a collision was told, or that the run is under way.
    untold: u64,
}

impl Watchdog {
    /// Whether it is time to say that the run is under way.
    #[inline]
    pub fn is_due(&mut self) -> bool {
        let due = self.untold >= UNTOLD;
        if due {
            self.untold = 0;
        }
        due
    }

    /// What decides about the run, and not only when it is given up: pieces counted, tiny bounces, of how many
    /// collisions on; and since when by the run's clock, s.
    pub fn deciding(&self) -> ([u64; 3], [f64; 2]) {
        let (segments, bounces) = (&self.segments, &self.bounces);
        (
            [segments.steps, bounces.tiny, bounces.from],
            [segments.since, bounces.since],
        )
    }

    /// With so much counted, since times by the run's clock, s.
    pub fn with_counted([steps, tiny, from]: [u64; 3], since: [f64; 2]) -> Self {
        let [since, begun] = since;
        Watchdog {
            segments: Lap { steps, since },
            bounces: Bounces {
                tiny,
                from,
                since: begun,
            },
            ..Watchdog::default()
        }
    }

    /// Counts the end of a trajectory segment, of one of so many balls; at the end of a lap, how long it took, s.
    pub fn segment(&mut self, balls: usize, now: f64) -> Option<f64> {
        let lap = &mut self.segments;
        if lap.steps == 0 {
            lap.since = now;
        }
        lap.steps += 1;
        if lap.steps <= PIECES + 100 * balls as u64 {
            return None;
        }
        lap.steps = 0;
        Some(now - lap.since)
    }

    /// Counts steps without an event, of one of so many balls, when the time asked for is `to_go` seconds away.
    pub fn unseen(
        &mut self,
        (steps, busy): (u64, Busy),
        balls: usize,
        now: f64,
        to_go: f64,
    ) -> Option<Crawl> {
        self.untold += steps;
        let length = UNSEEN + 4 * balls as u64;
        if self.unseen.steps == 0 {
            self.unseen.since = now;
        }
        let lap = self.unseen.count(steps, now, length)?;
        let slow = lap.has_more_ahead_than(MOST_UNSEEN, to_go.min(LONGEST_UNSEEN))
            || busy == Busy::Segment
                && lap.has_more_ahead_than(MOST_PIECES, to_go.min(LONGEST_PIECES));
        slow.then_some(lap)
    }

    /// Counts a tiny bounce of one of so many balls, the last of so many collisions: at the end of a lap in which
    /// hardly anything else happened, how far it led.
    pub fn bounce(&mut self, balls: usize, collisions: u64, now: f64) -> Option<Crawl> {
        let lap = &mut self.bounces;
        let length = BOUNCES + BOUNCES_EACH * balls as u64;
        let all = collisions - lap.from.min(collisions);
        if lap.tiny == 0 || all > 2 * length {
            *lap = Bounces {
                tiny: 0,
                from: collisions,
                since: now,
            };
        }
        lap.tiny += 1;
        if lap.tiny < length {
            return None;
        }
        let crawl = Crawl {
            steps: lap.tiny,
            advance: now - lap.since,
        };
        let hardly_others = 10 * lap.tiny >= 9 * all;
        lap.tiny = 0;
        hardly_others.then_some(crawl)
    }

    /// Counts what is seen.
    pub fn seen(&mut self, steps: u64, now: f64, to_go: f64) -> Option<Crawl> {
        let lap = self.seen.count(steps, now, SEEN)?;
        let slow = lap.has_more_ahead_than(MOST_SEEN, to_go.min(LONGEST_SEEN));
        slow.then_some(lap)
    }

    /// Something is seen: what was not before that does not count.
    #[inline(always)]
    pub fn show(&mut self) {
        self.unseen.steps = 0;
        self.untold = 0;
    }

    /// The clock reads `shift` less from now on.
    pub fn rebase(&mut self, shift: f64) {
        self.unseen.since -= shift;
        self.seen.since -= shift;
        self.segments.since -= shift;
        self.bounces.since -= shift;
    }
}

/// Searches for the first contact of one pair of solids that were given up and taken up again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Searching(Lap);

impl Searching {
    /// Counts one that was given up, when the time asked for is `to_go` seconds away.
    pub fn count(&mut self, now: f64, to_go: f64) -> Option<Crawl> {
        if self.0.steps == 0 {
            self.0.since = now;
        }
        let lap = self.0.count(1, now, SEARCHES)?;
        let slow = lap.has_more_ahead_than(MOST_SEARCHES, to_go.min(LONGEST_PIECES));
        slow.then_some(lap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of one length for a time; whether it is stopped.
    fn is_stopped(step: f64, to_go: f64, number: u64) -> bool {
        let mut watchdog = Watchdog::default();
        let cell = (1, Busy::Cell);
        (0..number).any(|at| watchdog.unseen(cell, 10, at as f64 * step, to_go).is_some())
    }

    #[test]
    fn what_would_take_years_is_stopped_and_what_takes_days_is_not() {
        // 10⁶ s in pieces of a microsecond: 10¹² of them, some days.
        assert!(!is_stopped(1e-6, 1e6, 1_000_000));
        // One second in pieces of 10⁻¹⁸ s.
        assert!(is_stopped(1e-18, 1.0, 200_000));
        // Without an end to go to it is the same as 10⁹ s.
        assert!(!is_stopped(1e-3, f64::MAX, 1_000_000));
        assert!(is_stopped(1e-8, f64::MAX, 200_000));
    }

    #[test]
    fn whatever_is_seen_begins_a_new_lap() {
        let mut watchdog = Watchdog::default();
        for step in 0..1_000_000 {
            let round = (1, Busy::Round);
            assert_eq!(watchdog.unseen(round, 10, step as f64 * 1e-30, 1.0), None);
            if step % 10_000 == 0 {
                watchdog.show();
            }
        }
    }

    /// Of many balls more collisions are counted at once than a lap has: they took as long as it was since the last
    /// count, not no time at all. Runs of 60,000 balls and more were stopped.
    #[test]
    fn one_count_may_be_longer_than_a_lap() {
        let mut watchdog = Watchdog::default();
        assert!(
            (1..100_u32).all(|lap| watchdog.seen(2 * SEEN, f64::from(lap), f64::MAX).is_none())
        );
        assert!(watchdog.seen(2 * SEEN, 99.0, f64::MAX).is_some());
    }

    #[test]
    fn collisions_may_come_thick_and_fast() {
        let mut watchdog = Watchdog::default();
        // The middle of π by collisions, ten digits of it: 10⁷ at 10²⁰ a second.
        assert!((0..100_u32).all(|lap| {
            watchdog
                .seen(100_000, f64::from(lap) * 1e-15, 1e9)
                .is_none()
        }));
        let mut watchdog = Watchdog::default();
        assert!((0..100_u32).any(|lap| {
            watchdog
                .seen(100_000, f64::from(lap) * 1e-30, 1e9)
                .is_some()
        }));
    }

    /// A ball in a corner whose way has pieces of a picosecond would take weeks: it is stopped. One that goes on by
    /// nanoseconds is only slow.
    #[test]
    fn pieces_that_would_take_weeks_are_stopped() {
        let is_stopped = |step: f64, to_go: f64| {
            let (mut watchdog, segment) = (Watchdog::default(), (1, Busy::Segment));
            (0..100_000).any(|at| {
                watchdog
                    .unseen(segment, 1, f64::from(at) * step, to_go)
                    .is_some()
            })
        };
        assert!(is_stopped(1e-12, 3.0));
        assert!(!is_stopped(1e-9, 3.0));
        // A run that asks for little gets it.
        assert!(!is_stopped(1e-12, 1e-3));
        // "For ever" is until something ends it.
        assert!(!is_stopped(1e-5, f64::MAX));
    }

    #[test]
    fn searches_that_lead_nowhere_are_stopped() {
        let is_stopped = |step: f64| {
            let mut searching = Searching::default();
            (0..1000).any(|at| searching.count(f64::from(at) * step, 1.0).is_some())
        };
        assert!(is_stopped(1e-13));
        assert!(!is_stopped(1e-7));
    }

    /// Tiny bounces of a few balls among nothing else are a contact that lasts; as many among ten times as many
    /// collisions of others are not.
    #[test]
    fn tiny_bounces_are_stopped_where_nothing_else_happens() {
        let is_stopped = |every: u64, balls: usize, number: u64| {
            let mut watchdog = Watchdog::default();
            (1..=number).any(|at| {
                watchdog
                    .bounce(balls, at * every, at as f64 * 1e-9)
                    .is_some()
            })
        };
        assert!(is_stopped(1, 3, 2_000));
        assert!(!is_stopped(10, 3, 1_000_000));
        // Of many balls each may have its share.
        assert!(!is_stopped(1, 10_000, 1_000_000));
    }
}
