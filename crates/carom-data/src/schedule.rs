//! Until when a run goes, and when states are put out.

use serde::{Deserialize, Serialize};

/// When states are put out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Output {
    /// Never.
    Never,
    /// At the multiples of an interval, s.
    Every(f64),
    /// At the start and at the ends of so many equal intervals.
    Times(u64),
}

/// What is averaged over a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observe {
    /// From this world time on, s.
    pub from: f64,
    /// The states are looked at then, and at the ends of so many equal times until the run is to end.
    pub looks: u64,
    /// The radial distribution, where it is asked for.
    pub radial: Option<Radial>,
    /// The mean squared displacement after 1, 2, … so many of these times, where it is asked for.
    pub displacement: Option<usize>,
}

/// The radial distribution g(r) of balls in a periodic box.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Radial {
    /// Up to this distance, m.
    pub reach: f64,
    /// In so many shells of equal width.
    pub shells: usize,
}

/// Until when a run goes, and what is kept of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// World time at which it ends, s.
    pub until: f64,
    /// It stops after this many collisions.
    pub max_events: Option<u64>,
    /// It stops when no body is faster than this, m/s.
    pub rest: Option<f64>,
    /// When states are put out.
    pub output: Output,
    /// Whether collisions are kept.
    pub events: bool,
    /// What is averaged over the run, if anything.
    #[serde(default)]
    pub observe: Option<Observe>,
}

impl Schedule {
    /// The instant of a frame, s; `None` after the last one. Frame 0 is the start.
    ///
    /// Frames are at the multiples of the interval as `f64` has them. One that lies beyond the end by no more than rounding is at the end.
    pub fn frame_time(&self, frame: u64) -> Option<f64> {
        match self.output {
            Output::Never => None,
            Output::Every(interval) => {
                let time = frame as f64 * interval;
                // The product is rounded once, and so was each of the two numbers.
                let last = self.until * (1.0 + 4.0 * f64::EPSILON);
                (time <= last).then(|| time.min(self.until))
            }
            Output::Times(count) => match frame.cmp(&count) {
                std::cmp::Ordering::Less => {
                    Some((self.until * (frame as f64 / count as f64)).min(self.until))
                }
                std::cmp::Ordering::Equal => Some(self.until),
                std::cmp::Ordering::Greater => None,
            },
        }
    }

    /// The instant of a look at the states, s; `None` after the last one, and where nobody looks.
    pub fn look_time(&self, look: u64) -> Option<f64> {
        let observe = self.observe.filter(|observe| look <= observe.looks)?;
        let span = self.until - observe.from;
        let time = match look == observe.looks {
            true => self.until,
            false => observe.from + span * (look as f64 / observe.looks as f64),
        };
        (span >= 0.0).then(|| time.min(self.until))
    }

    /// How many frames there are when it runs to its end.
    pub fn frames(&self) -> u64 {
        match self.output {
            Output::Never => 0,
            Output::Times(count) => count + 1,
            Output::Every(interval) => {
                (self.until * (1.0 + 4.0 * f64::EPSILON) / interval).floor() as u64 + 1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(until: f64, output: Output) -> Schedule {
        Schedule {
            until,
            max_events: None,
            rest: None,
            output,
            events: true,
            observe: None,
        }
    }

    fn times(schedule: &Schedule) -> Vec<f64> {
        (0..)
            .map_while(|frame| schedule.frame_time(frame))
            .collect()
    }

    #[test]
    fn frames_are_at_the_multiples_and_the_last_one_is_at_the_end() {
        // 3 × 0.1 is above 0.3 by one digit.
        let found = times(&schedule(0.3, Output::Every(0.1)));
        assert_eq!(found, [0.0, 0.1, 0.2, 0.3]);
        let found = times(&schedule(0.35, Output::Every(0.1)));
        assert_eq!(found, [0.0, 0.1, 0.2, 3.0 * 0.1]);
        let found = times(&schedule(0.7, Output::Times(3)));
        assert_eq!(found, [0.0, 0.7 * (1.0 / 3.0), 0.7 * (2.0 / 3.0), 0.7]);
        assert_eq!(times(&schedule(1.0, Output::Never)), [0.0; 0]);
        assert_eq!(times(&schedule(0.0, Output::Every(1.0))), [0.0]);
    }

    #[test]
    fn they_are_counted_right() {
        for until in [0.0, 0.3, 0.7, 1.0, 12.34, 1e3] {
            for output in [
                Output::Never,
                Output::Every(0.1),
                Output::Every(0.07),
                Output::Times(7),
                Output::Times(100),
            ] {
                let schedule = schedule(until, output);
                assert_eq!(
                    times(&schedule).len() as u64,
                    schedule.frames(),
                    "{schedule:?}"
                );
            }
        }
    }

    #[test]
    fn looks_are_at_equal_times_and_the_last_one_is_at_the_end() {
        let looking = |from, looks| Schedule {
            observe: Some(Observe {
                from,
                looks,
                radial: None,
                displacement: None,
            }),
            ..schedule(0.7, Output::Never)
        };
        let times = |schedule: Schedule| -> Vec<f64> {
            (0..).map_while(|look| schedule.look_time(look)).collect()
        };
        let third = 0.1 + (0.7 - 0.1) * (1.0 / 3.0);
        let found = times(looking(0.1, 3));
        assert_eq!(found, [0.1, third, 0.1 + (0.7 - 0.1) * (2.0 / 3.0), 0.7]);
        assert_eq!(times(looking(0.7, 2)), [0.7; 3]);
        assert_eq!(times(looking(0.8, 2)), [0.0; 0], "after the end");
        assert_eq!(times(schedule(0.7, Output::Never)), [0.0; 0]);
    }
}
