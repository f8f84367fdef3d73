//! What a run as a whole is like: where everything goes, how fast, and how much space it takes at a time.

use super::footage::{Footage, Takes};
use super::joints::hooks;
use crate::error::DrawError;
use crate::outlines::{Bounds, Form, Place, dot};
use crate::recording::{Recording, each};
use carom_data::Values;
use std::ops::ControlFlow;

/// What a run as a whole is like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Survey {
    /// Where moving bodies are at any time.
    pub bounds: Bounds,
    /// The speed that 98 in 100 free balls do not exceed, m/s: a few that are much faster would leave all others the
    /// same colour.
    pub fast: f64,
    /// The largest speed of a free ball, m/s.
    pub fastest: f64,
    /// Whether anything turns.
    pub turns: bool,
    /// The largest box that holds all free bodies at an instant: its sides, m.
    pub crowd: Place,
    /// Where things happen: free bodies at the start, and collisions that count. Of a run without, nothing.
    pub action: Option<Bounds>,
}

/// Instants of a run without frames that are looked at.
const LOOKS: usize = 60;
/// Speeds that a quantile is taken of, at most.
const SPEEDS: usize = 200_000;
/// Which quantile of the speeds is the end of a colour scale.
const QUANTILE: f64 = 0.98;

impl Survey {
    /// Of nothing.
    pub const NOTHING: Survey = Survey {
        bounds: Bounds::NOTHING,
        fast: 0.0,
        fastest: 0.0,
        turns: false,
        crowd: [0.0; 3],
        action: None,
    };

    /// Of a run.
    pub fn of(footage: &Footage, recording: &Recording) -> Result<Survey, DrawError> {
        let mut looks = Looks::new(footage);
        match recording.frames {
            0 | 1 => looks.run_again()?,
            _ => looks.read(recording)?,
        }
        let mut survey = looks.done();
        for hook in hooks(&footage.joints) {
            survey.bounds.add(hook, 0.0);
        }
        survey.action = action(footage, recording)?;
        Ok(survey)
    }
}

/// Impulses below so much of the largest so far do not count: bodies that come to rest.
const FAINT: f64 = 0.05;
/// Collisions that are looked at, at most.
const COLLISIONS: usize = 100_000;

/// Where things happen.
fn action(footage: &Footage, recording: &Recording) -> Result<Option<Bounds>, DrawError> {
    let dimension = footage.dimension();
    let mut names = vec!["number".to_owned()];
    names.extend(recording.vector("point"));
    names.extend(recording.vector("impulse"));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut found: Vec<(f64, Place)> = Vec::new();
    let mut largest = 0.0_f64;
    each(&recording.folder.events()?, &names, |values| {
        let Some(Some(Values::Integers(numbers))) = values.first() else {
            return;
        };
        for (row, &number) in numbers.iter().enumerate() {
            if number == 0 || found.len() >= COLLISIONS {
                continue;
            }
            let vector = |from: usize| -> Place {
                [0, 1, 2].map(|i| match values.get(from + i).copied().flatten() {
                    Some(Values::Numbers(column)) if i < dimension => {
                        column.get(row).copied().unwrap_or(0.0)
                    }
                    _ => 0.0,
                })
            };
            let (point, impulse) = (vector(1), vector(1 + dimension));
            let strength = dot(impulse, impulse).sqrt();
            largest = largest.max(strength);
            found.push((strength, point));
        }
    })?;
    if found.is_empty() {
        return Ok(None);
    }
    let mut bounds = Bounds::NOTHING;
    for &id in footage.cast.iter().filter(|&&id| footage.bodies[id].free) {
        footage.things[id].widen(&mut bounds);
    }
    found.retain(|(strength, _)| *strength > FAINT * largest);
    for axis in 0..dimension {
        if let Some([low, high]) = within_tails(&mut found, axis) {
            bounds.low[axis] = bounds.low[axis].min(low);
            bounds.high[axis] = bounds.high[axis].max(high);
        }
    }
    Ok(Some(bounds))
}

/// Of all impulses, so many may be beyond either end of where things happen: a pin that tumbles off behind the lane
/// made specks of those that stand.
const TAIL: f64 = 0.01;

/// From where to where collisions (how strong, and where) are along an axis, without the tails.
fn within_tails(found: &mut [(f64, Place)], axis: usize) -> Option<[f64; 2]> {
    found.sort_by(|(_, a), (_, b)| a[axis].total_cmp(&b[axis]));
    let all: f64 = found.iter().map(|(strength, _)| strength).sum();
    let reaches = |sum: &mut f64, (strength, place): &(f64, Place)| {
        *sum += strength;
        Some((*sum > TAIL * all, place[axis]))
    };
    let mut upwards = found.iter().scan(0.0, reaches);
    let low = upwards.find(|(reached, _)| *reached)?.1;
    let mut downwards = found.iter().rev().scan(0.0, reaches);
    let high = downwards.find(|(reached, _)| *reached)?.1;
    Some([low, high])
}

/// Takes instants in, body by body.
struct Looks<'f> {
    footage: &'f Footage,
    survey: Survey,
    speeds: Vec<f64>,
    /// Of so many speeds one is kept.
    every: usize,
    seen: usize,
    /// Of the instant that is taken in.
    time: f64,
    crowd: Bounds,
    /// How each body was turned at first, by id.
    first: Vec<Option<[f64; 4]>>,
}

impl<'f> Looks<'f> {
    fn new(footage: &'f Footage) -> Self {
        let mut bounds = Bounds::NOTHING;
        for &id in &footage.cast {
            footage.things[id].widen(&mut bounds);
        }
        Looks {
            footage,
            survey: Survey {
                bounds,
                ..Survey::NOTHING
            },
            speeds: Vec::new(),
            every: 1,
            seen: 0,
            time: f64::NAN,
            crowd: Bounds::NOTHING,
            first: vec![None; footage.things.len()],
        }
    }

    fn take(&mut self, time: f64, id: usize, position: Place, rotation: [f64; 4], speed: f64) {
        let Some(thing) = self.footage.things.get(id) else {
            return;
        };
        if position[0].is_nan() {
            // It is not there.
            return;
        }
        if time != self.time {
            self.close();
            self.time = time;
        }
        let flat = self.footage.dimension() == 2;
        let axes = || crate::outlines::turned_axes(rotation, flat);
        thing.widen_at(position, axes, &mut self.survey.bounds);
        if self.footage.bodies[id].free {
            thing.widen_at(position, axes, &mut self.crowd);
        }
        if let Form::Ball(_) = thing.form {
            self.survey.fastest = self.survey.fastest.max(speed);
            if self.seen.is_multiple_of(self.every) {
                self.speeds.push(speed);
            }
            self.seen += 1;
            if self.speeds.len() > SPEEDS {
                self.every *= 2;
                let mut place = 0_usize;
                self.speeds.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
            }
        }
        let known = self.first[id].get_or_insert(rotation);
        self.survey.turns |= *known != rotation;
    }

    /// The end of an instant.
    fn close(&mut self) {
        for i in 0..3 {
            let side = self.crowd.high[i] - self.crowd.low[i];
            self.survey.crowd[i] = self.survey.crowd[i].max(side);
        }
        self.crowd = Bounds::NOTHING;
    }

    fn done(mut self) -> Survey {
        self.close();
        let place = (QUANTILE * self.speeds.len() as f64) as usize;
        let place = place.min(self.speeds.len().saturating_sub(1));
        if !self.speeds.is_empty() {
            let (_, fast, _) = self.speeds.select_nth_unstable_by(place, f64::total_cmp);
            self.survey.fast = *fast;
        }
        // Where nearly all are at rest, those few that move are what there is to be seen.
        if !(self.survey.fast > 0.02 * self.survey.fastest) {
            self.survey.fast = self.survey.fastest;
        }
        self.survey
    }

    /// From instants of the run itself, where none are kept.
    fn run_again(&mut self) -> Result<(), DrawError> {
        let footage = self.footage;
        let times = (0..=LOOKS).map(|look| footage.end * look as f64 / LOOKS as f64);
        let takes = Takes {
            times: times.collect(),
            ..Takes::default()
        };
        footage.shoot(&takes, &|| false, |shot| {
            for (member, stance) in shot.stances.iter().enumerate() {
                let (id, speed) = (footage.cast[member], shot.speeds[member]);
                self.take(shot.time, id, stance.position, stance.rotation, speed);
            }
            ControlFlow::Continue(())
        })
    }

    /// From the frames of the run folder.
    fn read(&mut self, recording: &Recording) -> Result<(), DrawError> {
        let dimension = self.footage.dimension();
        let mut names: Vec<String> = vec!["body".to_owned(), "time".to_owned()];
        names.extend(recording.axes().iter().map(|axis| (*axis).to_owned()));
        names.extend(recording.vector("velocity"));
        let turn = names.len();
        match dimension {
            2 => names.push("angle".to_owned()),
            _ => names.extend(["w", "x", "y", "z"].map(|axis| format!("orientation_{axis}"))),
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        each(&recording.folder.frames()?, &names, |values| {
            let numbers = |place: usize| match values.get(place).copied().flatten() {
                Some(Values::Numbers(numbers)) => numbers.as_slice(),
                _ => &[],
            };
            let Some(Some(Values::Integers(bodies))) = values.first() else {
                return;
            };
            for (row, &id) in bodies.iter().enumerate() {
                let at = |place: usize| numbers(place).get(row).copied().unwrap_or(0.0);
                let components =
                    |from: usize| [0, 1, 2].map(|i| if i < dimension { at(from + i) } else { 0.0 });
                let rotation = [0, 1, 2, 3].map(|i| at(turn + i));
                let velocity = components(2 + dimension);
                let speed = dot(velocity, velocity).sqrt();
                self.take(at(1), id.max(0) as usize, components(2), rotation, speed);
            }
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of two hundred that is far away does not count, one of three does.
    #[test]
    fn where_things_happen_has_no_tails() {
        let mut many: Vec<(f64, Place)> =
            (0..200).map(|n| (1.0, [f64::from(n), 0.0, 0.0])).collect();
        many.push((1.0, [5e3, 0.0, 0.0]));
        assert_eq!(within_tails(&mut many, 0), Some([2.0, 198.0]));
        let mut few = vec![(1.0, [0.0; 3]), (1.0, [1.0; 3]), (0.1, [50.0; 3])];
        assert_eq!(within_tails(&mut few, 0), Some([0.0, 50.0]));
        assert_eq!(within_tails(&mut [], 0), None);
    }
}
