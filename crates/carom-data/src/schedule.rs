//! Until when a run goes, and when states are put out.

use crate::error::DataError;
use crate::tables;
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
    #[serde(alias = "max_events")]
    pub max_collisions: Option<u64>,
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
    /// Frames are at the multiples of the interval as `f64` has them. One that lies beyond the end by no more than
    /// rounding is at the end.
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

    /// The instant of a look at the states, s; `None` after the last one, and where nothing is sampled.
    pub fn look_time(&self, look: u64) -> Option<f64> {
        let observe = self.observe.filter(|observe| look <= observe.looks)?;
        let span = self.until - observe.from;
        let time = if look == observe.looks {
            self.until
        } else {
            observe.from + span * (look as f64 / observe.looks as f64)
        };
        (span >= 0.0).then(|| time.min(self.until))
    }

    /// How many frames there are when it runs to its end: those at the instants of output, and one more for the end
    /// where none of them is there.
    pub fn frames(&self) -> u64 {
        let by_plan = match self.output {
            Output::Never => return 0,
            Output::Times(count) => return count.saturating_add(1),
            // A number of frames that no `u64` has comes out as the largest.
            Output::Every(interval) => {
                ((self.until * (1.0 + 4.0 * f64::EPSILON) / interval).floor() as u64)
                    .saturating_add(1)
            }
        };
        let last = self.frame_time(by_plan - 1).unwrap_or(self.until);
        by_plan.saturating_add(u64::from(last < self.until))
    }

    /// Refuses output that is too large, before anything is run. Bodies that move are counted in, as they are in
    /// frames.
    pub fn check_output(&self, dimension: usize, moving: usize) -> Result<(), DataError> {
        let frames = self.frames();
        let row = tables::frame_bytes(dimension) * moving as u64 + tables::audit_bytes(dimension);
        let bytes = frames as f64 * row as f64;
        if bytes <= MOST_BYTES as f64 {
            return Ok(());
        }
        let allowed = MOST_BYTES / row;
        let cure = match self.output {
            // Two digits that are not too small.
            Output::Every(_) => format!(
                "an interval of {:.1e} s or more",
                1.06 * self.until / allowed.saturating_sub(2).max(1) as f64
            ),
            _ => format!("{} frames or fewer", allowed.saturating_sub(1)),
        };
        Err(DataError::TooMuch(format!(
            "{frames} frames of {moving} moving {} are {}, more than the {} that a run may put out: {cure} would fit, and --frames 0 keeps none",
            if moving == 1 { "body" } else { "bodies" },
            size(bytes),
            size(MOST_BYTES as f64),
        )))
    }
}

/// As much as the frames of a run may have, bytes: a terabyte takes two hours to write, and is more than most disks
/// have free.
const MOST_BYTES: u64 = 1_000_000_000_000;

/// A number of bytes, for people.
fn size(bytes: f64) -> String {
    let units = [(1e15, "PB"), (1e12, "TB"), (1e9, "GB")];
    let (unit, name) = units
        .into_iter()
        .find(|(unit, _)| bytes >= *unit)
        .unwrap_or((1e6, "MB"));
    let count = bytes / unit;
    if count < 1e6 {
        format!("{} {name}", (count * 10.0).round() / 10.0)
    } else {
        format!("{count:.1e} {name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(until: f64, output: Output) -> Schedule {
        Schedule {
            until,
            max_collisions: None,
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
                let times = times(&schedule);
                // The end has one of its own where none is there.
                let more = u64::from(times.last().is_some_and(|&last| last < until));
                assert_eq!(times.len() as u64 + more, schedule.frames(), "{schedule:?}");
            }
        }
    }

    /// A hundred thousand million frames, and more than there are numbers: counted without overflow, and refused.
    #[test]
    fn output_without_bounds_is_refused() {
        for (output, until) in [
            (Output::Every(1e-9), 100.0),
            (Output::Every(1e-40), 1e40),
            (Output::Times(u64::MAX), 1.0),
        ] {
            let schedule = schedule(until, output);
            for moving in [0, 1, 1000] {
                assert!(schedule.check_output(2, moving).is_err(), "{schedule:?}");
            }
        }
        // A million spheres in a hundred frames are not too much; ten thousand frames of them are.
        assert!(
            schedule(1.0, Output::Times(100))
                .check_output(3, 1_000_000)
                .is_ok()
        );
        let error = schedule(1.0, Output::Times(10_000))
            .check_output(3, 1_000_000)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "10001 frames of 1000000 moving bodies are 1.3 TB, more than the 1 TB that a run may put out: 7811 frames or fewer would fit, and --frames 0 keeps none"
        );
        // What the message says fits.
        assert!(
            schedule(1.0, Output::Times(7811))
                .check_output(3, 1_000_000)
                .is_ok()
        );
        let every = |interval| schedule(100.0, Output::Every(interval)).check_output(2, 3);
        let message = every(1e-9).unwrap_err().to_string();
        let words: Vec<&str> = message.split(' ').collect();
        let at = words.iter().position(|word| *word == "interval").unwrap();
        let allowed: f64 = words[at + 2].parse().unwrap();
        assert!(
            every(allowed).is_ok() && every(0.8 * allowed).is_err(),
            "{message}"
        );
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
