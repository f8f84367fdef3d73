//! Where bodies have been of late: states at instants in between, and the corners that collisions make.

use super::footage::Positions;
use crate::outlines::Place;
use std::collections::VecDeque;
use std::sync::Arc;

/// Instants along a way, at least and at most: a long way of one ball has many arcs.
const INSTANTS: [usize; 2] = [32, 256];
/// Places along all ways together, where that leaves the least for each.
const PLACES: usize = 20_000;
/// Bodies that leave a trail at most: of more nobody could follow one.
const MOST: usize = 5_000;

/// Positions at an instant, and the collisions from there to the next one.
#[derive(Clone, Debug)]
struct Stretch {
    time: f64,
    positions: Positions,
    corners: Arc<Vec<Corner>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Corner {
    member: u32,
    time: f64,
    place: Place,
}

/// The ways that lead to an instant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ways {
    stretches: Vec<Stretch>,
    now: f64,
    length: f64,
}

impl Ways {
    pub fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// Where each body has been and how long ago, as a fraction of the length of the trails: the oldest first, without
    /// where it is now.
    pub fn by_member(&self) -> Vec<Vec<(Place, f64)>> {
        let Some(first) = self.stretches.first() else {
            return Vec::new();
        };
        let age = |time: f64| (self.now - time) / self.length;
        let mut ways = vec![Vec::new(); first.positions.len()];
        for stretch in &self.stretches {
            for (way, &place) in ways.iter_mut().zip(stretch.positions.iter()) {
                way.push((place, age(stretch.time)));
            }
            // They are in the order in which they happened.
            for corner in stretch.corners.iter() {
                ways[corner.member as usize].push((corner.place, age(corner.time)));
            }
        }
        for way in &mut ways {
            way.retain(|(_, age)| (0.0..=1.0).contains(age));
        }
        ways
    }
}

/// Keeps ways while a run goes on.
pub(crate) struct Tracker {
    length: f64,
    spacing: f64,
    kept: VecDeque<Stretch>,
    open: Vec<Corner>,
    /// Of the next instant.
    next: Option<f64>,
    /// The instants that were handed out last.
    handed: Vec<f64>,
}

impl Tracker {
    /// For trails of a length in time (s); 0: none.
    pub fn new(length: f64, members: usize) -> Self {
        let length = if members > MOST { 0.0 } else { length };
        Tracker {
            length,
            spacing: length / (PLACES / members.max(1)).clamp(INSTANTS[0], INSTANTS[1]) as f64,
            kept: VecDeque::new(),
            open: Vec::new(),
            next: None,
            handed: Vec::new(),
        }
    }

    /// Where to stop before a time; that time is the last of them. Nothing before the first picture's trails begin
    /// is kept.
    pub fn instants(&mut self, begin: f64, until: f64) -> Vec<f64> {
        let mut stops = Vec::new();
        if self.length > 0.0 {
            let mut next = self.next.unwrap_or((begin - self.length).max(0.0));
            while next < until {
                stops.push(next);
                next += self.spacing;
            }
            self.next = Some(next);
        }
        self.handed.clone_from(&stops);
        stops.push(until);
        stops
    }

    /// Whether an instant is one of those that trails go through.
    pub fn is_kept(&self, stop: f64) -> bool {
        // Those that it has handed out, and no others; it hands out none where there are no trails.
        self.length > 0.0 && self.handed.contains(&stop)
    }

    pub fn follows(&self, time: f64, begin: f64) -> bool {
        self.length > 0.0 && time >= begin - self.length
    }

    pub fn corner(&mut self, member: usize, time: f64, place: Place) {
        if let Ok(member) = u32::try_from(member) {
            self.open.push(Corner {
                member,
                time,
                place,
            });
        }
    }

    pub fn sample(&mut self, time: f64, positions: Vec<Place>) {
        self.close();
        self.kept.push_back(Stretch {
            time,
            positions: Arc::new(positions),
            corners: Arc::default(),
        });
        let oldest = time - self.length - self.spacing;
        while self.kept.front().is_some_and(|front| front.time < oldest) {
            self.kept.pop_front();
        }
    }

    /// Hands the corners since the last instant over to it.
    fn close(&mut self) {
        let corners = std::mem::take(&mut self.open);
        if let (Some(last), false) = (self.kept.back_mut(), corners.is_empty()) {
            let mut all = last.corners.to_vec();
            all.extend(corners);
            last.corners = Arc::new(all);
        }
    }

    pub fn ways(&mut self, now: f64) -> Ways {
        self.close();
        Ways {
            stretches: self.kept.iter().cloned().collect(),
            now,
            length: self.length,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_have_corners_and_end_in_time() {
        let mut tracker = Tracker::new(3.2, 1);
        let mut ways = Ways::default();
        // One metre for each second, there and, from t = 5 s on, back.
        let place = |time: f64| [if time < 5.0 { time } else { 10.0 - time }, 0.0, 0.0];
        for picture in [4.0, 5.5] {
            let stops = tracker.instants(4.0, picture);
            assert_eq!(stops.last(), Some(&picture));
            for stop in stops {
                if stop > 5.0 && picture == 5.5 && tracker.kept.back().is_some_and(|s| s.time < 5.0)
                {
                    tracker.corner(0, 5.0, place(5.0));
                }
                if stop < picture {
                    tracker.sample(stop, vec![place(stop)]);
                }
            }
            ways = tracker.ways(picture);
        }
        let way = &ways.by_member()[0];
        assert!(way.iter().all(|(_, age)| (0.0..=1.0).contains(age)));
        assert!(way.windows(2).all(|pair| pair[0].1 > pair[1].1));
        assert!(way.iter().any(|(place, _)| *place == [5.0, 0.0, 0.0]));
        // From 5.5 s − 3.2 s on, within the spacing of 0.1 s.
        assert!((way[0].0[0] - 2.3).abs() < 0.1 + 1e-9, "{:?}", way[0]);
    }
}
