//! Collisions between the rows of an audit, so that energies step where they do and do not ramp from one instant of
//! output to the next.
//!
//! What a collision changes is known from its row: kinetic energy from the velocities before and after, losses from the
//! losses. A column without its steps changes smoothly between two rows of the audit (gravity, drag, lasting contacts),
//! and is taken as straight there; with the steps put back on top it goes through every row of the audit.

use super::POINTS;
use crate::error::DrawError;
use crate::outlines::{Place, dot};
use crate::recording::{Recording, each};
use carom_data::Values;
use carom_scene::Method;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Which columns of a table step, by their places.
#[derive(Clone, Copy, Debug)]
pub struct Stepping {
    /// Energy of translation, J.
    pub translational: usize,
    /// Energy of rotation, J.
    pub rotational: usize,
    /// Lost to restitution, J.
    pub restitution: usize,
    /// Lost to friction, J.
    pub friction: usize,
    /// Added by restitution above one, J.
    pub added: usize,
    /// Work by kinematic bodies, J.
    pub work: usize,
    /// Potential energy, J.
    pub potential: usize,
    /// Given by changes from outside, J.
    pub given: usize,
}

/// What changes at an instant, J; in the order of [`Stepping`].
type Change = [f64; 8];

/// A change at an instant, s.
#[derive(Clone, Copy, Debug)]
struct Step {
    time: f64,
    /// Whether a row of the audit at this very instant is from before it: what is due at an instant of output is done
    /// after that.
    late: bool,
    change: Change,
}

impl Step {
    /// Whether a row of the audit at a time has it.
    fn is_in(&self, time: f64) -> bool {
        self.time < time || self.time == time && !self.late
    }
}

impl Stepping {
    fn places(&self) -> [usize; 8] {
        [
            self.translational,
            self.rotational,
            self.restitution,
            self.friction,
            self.added,
            self.work,
            self.potential,
            self.given,
        ]
    }
}

/// Puts the collisions of a run into columns of its audit, of which the first is the time. They stay as they are where
/// there would be more rows than can be seen, or where what a collision changes does not follow from its row.
pub fn put_in(
    recording: &Recording,
    columns: &mut [Vec<f64>],
    which: Stepping,
) -> Result<(), DrawError> {
    let rows = columns.first().map_or(0, Vec::len);
    let by_events = recording.folder.manifest().method == Method::Events;
    if !by_events || rows + 2 * recording.events as usize > POINTS {
        return Ok(());
    }
    if let Some(Changes { mut steps, edits }) = changes(recording)? {
        steps.extend(given_at(&columns[0], &columns[which.given], &edits));
        // Those of one instant stay in their order: collisions first.
        steps.sort_by(|a, b| {
            (a.time, a.late)
                .partial_cmp(&(b.time, b.late))
                .unwrap_or(Ordering::Equal)
        });
        insert(columns, &steps, which.places());
    }
    Ok(())
}

/// A change from outside that gives or takes energy.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Edited {
    time: f64,
    /// Whether it is potential energy, and not that of motion.
    potential: bool,
}

/// What changes from outside gave: where there is one instant of them between two rows of the audit, all that was given
/// between these. A cue that struck at the start was drawn as a force that pushed until the first row after it.
fn given_at(times: &[f64], given: &[f64], edits: &[Edited]) -> Vec<Step> {
    let mut steps = Vec::new();
    let rows = times.windows(2).zip(given.windows(2));
    let mut left = edits;
    for (span, given) in rows {
        let within = left.partition_point(|edit| edit.time < span[1]);
        let (here, rest) = left.split_at(within);
        left = rest;
        let energy = given[1] - given[0];
        let Some(first) = here.first().filter(|_| energy != 0.0) else {
            continue;
        };
        if here.iter().all(|edit| edit == first) {
            let (kinetic, potential) = if first.potential {
                (0.0, energy)
            } else {
                (energy, 0.0)
            };
            steps.push(Step {
                time: first.time,
                late: true,
                change: [kinetic, 0.0, 0.0, 0.0, 0.0, 0.0, potential, energy],
            });
        }
    }
    steps
}

fn insert(columns: &mut [Vec<f64>], steps: &[Step], places: [usize; 8]) {
    let times = columns[0].clone();
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
        return;
    };
    let step_of = |column: usize, change: &Change| -> f64 {
        let place = places.iter().position(|&place| place == column);
        place.map_or(0.0, |place| change[place])
    };
    let within: Vec<&Step> = (steps.iter())
        .filter(|step| (first..=last).contains(&step.time))
        .collect();
    for (number, column) in columns.iter_mut().enumerate() {
        // How much has stepped before each row: a collision at the very instant of a row is in it.
        let stepped = |time: f64| -> f64 {
            let before = within.iter().take_while(|step| step.is_in(time));
            before.map(|step| step_of(number, &step.change)).sum()
        };
        let smooth: Vec<f64> = (column.iter().zip(&times))
            .map(|(value, &time)| value - stepped(time))
            .collect();
        let mut filled = Vec::with_capacity(column.len() + 2 * within.len());
        let (mut next, mut sum) = (0, 0.0);
        for (row, &time) in times.iter().enumerate() {
            while next < within.len() && within[next].is_in(time) {
                let Step {
                    time: at, change, ..
                } = within[next];
                let value = match row {
                    0 => smooth[0],
                    _ => {
                        let share = (at - times[row - 1]) / (time - times[row - 1]);
                        smooth[row - 1] + share * (smooth[row] - smooth[row - 1])
                    }
                };
                filled.push(value + sum);
                sum += step_of(number, change);
                filled.push(value + sum);
                next += 1;
            }
            filled.push(column[row]);
        }
        *column = filled;
    }
}

/// What changes energies at an instant.
struct Changes {
    /// Collisions.
    steps: Vec<Step>,
    /// From outside.
    edits: Vec<Edited>,
}

/// What each instant with collisions changes; `None` where that does not follow from their rows. Longer than most: one
/// pass over the rows.
fn changes(recording: &Recording) -> Result<Option<Changes>, DrawError> {
    let dimension = recording.dimension();
    let turning: &[&str] = match dimension {
        2 => &["angular_velocity"],
        _ => &[
            "angular_velocity_x",
            "angular_velocity_y",
            "angular_velocity_z",
        ],
    };
    let mut names: Vec<String> = [
        "number",
        "time",
        "a",
        "b",
        "energy_lost",
        "lost_to_friction",
        "duration",
        "kind",
    ]
    .map(str::to_owned)
    .to_vec();
    for side in ["a", "b"] {
        for when in ["before", "after"] {
            let axes = recording.axes().iter();
            names.extend(axes.map(|axis| format!("{side}_velocity_{axis}_{when}")));
            names.extend(turning.iter().map(|name| format!("{side}_{name}_{when}")));
        }
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut instants: Vec<Instant> = Vec::new();
    let mut edits: Vec<Edited> = Vec::new();
    let mut lasts = false;
    each(&recording.folder.events()?, &names, |values| {
        let column = |place: usize| values.get(place).copied().flatten();
        let number = |place: usize, row: usize| {
            let numbers = column(place).map(Values::numbers).unwrap_or_default();
            numbers.get(row).copied().unwrap_or(f64::NAN)
        };
        let integer = |place: usize, row: usize| {
            let integers = column(place).map(Values::integers).unwrap_or_default();
            integers.get(row).copied().unwrap_or(0)
        };
        for row in 0..column(1).map_or(0, Values::len) {
            if integer(0, row) == 0 {
                let kind = column(7).and_then(|kinds| kinds.texts().get(row));
                let potential = match kind.map(|kind| &**kind) {
                    Some("velocity" | "velocities") => false,
                    Some("gravity" | "position") => true,
                    Some("inserted" | "removed" | "fields") => {
                        // Both kinds of energy: how much of each is not known.
                        edits.extend([false, true].map(|potential| Edited {
                            time: number(1, row),
                            potential,
                        }));
                        continue;
                    }
                    _ => continue,
                };
                edits.push(Edited {
                    time: number(1, row),
                    potential,
                });
                continue;
            }
            lasts |= number(6, row) > 0.0;
            let time = number(1, row);
            if instants.last().is_none_or(|instant| instant.time != time) {
                instants.push(Instant {
                    time,
                    ..Instant::default()
                });
            }
            let Some(instant) = instants.last_mut() else {
                continue;
            };
            instant.lost += number(4, row) - number(5, row);
            instant.friction += number(5, row);
            let wide = dimension + turning.len();
            let vector = |first: usize, count: usize| -> Place {
                [0, 1, 2].map(|i| {
                    if i < count {
                        number(first + i, row)
                    } else {
                        0.0
                    }
                })
            };
            for side in 0..2 {
                let id = integer(2 + side, row).max(0) as usize;
                let motion = |when: usize| {
                    let first = 8 + (2 * side + when) * wide;
                    [
                        vector(first, dimension),
                        vector(first + dimension, turning.len()),
                    ]
                };
                // Of several contacts at one instant each has the motions before and after all of them; where others
                // follow at the same instant, theirs are the last.
                let motions = instant.motions.entry(id).or_insert([motion(0), motion(1)]);
                motions[1] = motion(1);
            }
        }
    })?;
    if lasts {
        return Ok(None);
    }
    let of = |instant: &Instant| {
        Some(Step {
            time: instant.time,
            late: false,
            change: instant.change(recording)?,
        })
    };
    let steps: Option<Vec<Step>> = instants.iter().map(of).collect();
    Ok(steps.map(|steps| Changes { steps, edits }))
}

/// Collisions at one instant.
#[derive(Clone, Debug, Default)]
struct Instant {
    time: f64,
    lost: f64,
    friction: f64,
    /// Velocity and angular velocity before and after, of each body that took part.
    motions: BTreeMap<usize, [[Place; 2]; 2]>,
}

impl Instant {
    /// What it changes; `None` where that is not known.
    fn change(&self, recording: &Recording) -> Option<Change> {
        let (mut translational, mut rotational) = (0.0, 0.0);
        let (mut kinematic, mut tumbling) = (false, false);
        for (&id, [before, after]) in &self.motions {
            let body = recording.bodies.get(id)?;
            kinematic |= body.motion == "kinematic";
            if !recording.is_free(id) {
                continue;
            }
            let gain =
                |place: usize| dot(after[place], after[place]) - dot(before[place], before[place]);
            translational += 0.5 * body.mass * gain(0);
            if body.inertia.is_finite() {
                rotational += 0.5 * body.inertia * gain(1);
            }
            // The moment of inertia of a solid in space is no one number.
            tumbling |= !body.radius.is_finite() && recording.dimension() == 3;
        }
        let lost = self.lost + self.friction;
        let work = match (kinematic, tumbling) {
            (true, true) => return None,
            (true, false) => translational + rotational + lost,
            (false, _) => {
                rotational = -lost - translational;
                0.0
            }
        };
        let all = [translational, rotational, self.lost, self.friction, work];
        let added = (-self.lost).max(0.0);
        all.iter().all(|part| part.is_finite()).then_some([
            translational,
            rotational,
            self.lost.max(0.0),
            self.friction,
            added,
            work,
            0.0,
            0.0,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_steps_at_a_collision_and_goes_through_its_rows() {
        // 4 J at the start, of which a collision at 0.25 s takes one; something else takes 0.5 J evenly over 1 s.
        let mut columns = vec![
            vec![0.0, 1.0, 2.0],
            vec![4.0, 2.5, 2.0],
            vec![0.0, 1.0, 1.0],
        ];
        let step = Step {
            time: 0.25,
            late: false,
            change: [-1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        };
        insert(&mut columns, &[step], [1, 9, 2, 9, 9, 9, 9, 9]);
        assert_eq!(columns[0], [0.0, 0.25, 0.25, 1.0, 2.0]);
        assert_eq!(columns[1], [4.0, 3.875, 2.875, 2.5, 2.0]);
        assert_eq!(columns[2], [0.0, 0.0, 1.0, 1.0, 1.0]);
    }

    /// A cue struck at the start: what it gave was drawn as growing until the next row of the audit.
    #[test]
    fn what_a_change_gives_is_there_at_its_instant() {
        // 12 J at the start, after the first row; friction takes 4 J evenly in the first second.
        let mut columns = vec![vec![0.0, 1.0], vec![0.0, 8.0], vec![0.0, 12.0]];
        let cue = Edited {
            time: 0.0,
            potential: false,
        };
        let steps = given_at(&columns[0], &columns[2], &[cue, cue]);
        insert(&mut columns, &steps, [1, 9, 9, 9, 9, 9, 9, 2]);
        assert_eq!(columns[0], [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(columns[1], [0.0, 0.0, 12.0, 8.0]);
        assert_eq!(columns[2], [0.0, 0.0, 12.0, 12.0]);
        // Two instants in one span: how much each gave is not known.
        let later = Edited { time: 0.5, ..cue };
        let (times, given) = ([0.0, 1.0, 2.0], [0.0, 12.0, 13.0]);
        assert!(given_at(&times, &given, &[cue, later]).is_empty());
        // An instant of output belongs to what follows it.
        let at_output = Edited { time: 1.0, ..cue };
        let found = given_at(&times, &given, &[at_output]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].time, found[0].change[7]), (1.0, 1.0));
    }
}
