//! What plots need of frames and events, gathered in one pass through each, however long the run is.

use crate::error::DrawError;
use crate::outlines::{Bounds, Place};
use crate::recording::{Recording, each};
use carom_data::Values;
use std::collections::{BTreeMap, BTreeSet};

/// Where a body was, and how it came and went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// s.
    pub time: f64,
    /// m.
    pub position: Place,
    /// Velocity before, m/s.
    pub arriving: Place,
    /// Velocity after, m/s.
    pub leaving: Place,
    /// Angular velocities before and after, rad/s; in 2-D the first number alone.
    pub spins: [Place; 2],
}

/// The free bodies as a gas, at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Warmth {
    /// s.
    pub time: f64,
    /// kT relative to the common motion: the mean of m v² over the bodies and dimensions, J.
    pub temperature: f64,
}

/// Free balls at one instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Look {
    /// s.
    pub time: f64,
    /// m.
    pub positions: Vec<Place>,
    /// m/s.
    pub velocities: Vec<Place>,
    /// kg.
    pub masses: Vec<f64>,
}

/// Two bodies met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// s.
    pub time: f64,
    /// Ids.
    pub pair: [usize; 2],
}

/// What plots need of frames and events.
#[derive(Clone, Debug)]
pub struct Digest {
    /// Collisions in each of so many equal parts of the run: of free bodies with each other, and with others.
    pub rate: Vec<[u64; 2]>,
    /// Collisions kept.
    pub collisions: u64,
    /// Collisions of each body.
    pub by_body: Vec<u64>,
    /// Each so many-th collision, but no two that would fall on the same spot.
    pub meetings: Vec<Meeting>,
    /// 1 where all collisions are among the meetings.
    pub every: u64,
    /// Trajectories of some bodies, by id.
    pub paths: BTreeMap<usize, Vec<Node>>,
    /// Up to when trajectories go, s.
    pub paths_until: f64,
    /// Where those were at the first and the last instant, and how they were turned: an angle (rad, the first number)
    /// or a quaternion.
    pub ends: [BTreeMap<usize, (Place, [f64; 4])>; 2],
    /// Where all moving bodies were.
    pub bounds: Bounds,
    /// Free balls at some instants of the second half of the run.
    pub looks: Vec<Look>,
    /// At all instants of output.
    pub warmth: Vec<Warmth>,
    /// Of each body that is not free, by id: the normal impulses on it (kg·m/s), in each of so many equal parts of the
    /// run.
    pub walls: BTreeMap<usize, Vec<f64>>,
}

/// What is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Rates, meetings and impulses on walls.
    pub events: bool,
    /// Trajectories.
    pub paths: bool,
    /// Bodies whose trajectories are wanted whatever others are, by id.
    pub bodies: Vec<usize>,
    /// Looks.
    pub looks: bool,
    /// Temperatures.
    pub warmth: bool,
}

/// Parts of the run in which collisions are counted; fewer are made of them where there are few collisions.
pub const PARTS: usize = 480;
/// Steps of ways at most, in all: more than can be told apart on paper, but many are too short to be seen.
const STEPS: u64 = 150_000;
/// Bodies whose ways are shown at most.
const BODIES: usize = 60;
/// Balls in all looks together at most.
const BALLS: usize = 600_000;
/// Meetings at most.
const MEETINGS: u64 = 20_000;
/// Spots along the axis of time.
const SPOTS: f64 = 1_000.0;

impl Digest {
    /// Goes through the tables.
    pub fn read(recording: &Recording, wanted: Wanted) -> Result<Self, DrawError> {
        let mut digest = Digest {
            rate: vec![[0; 2]; PARTS],
            collisions: 0,
            by_body: vec![0; recording.bodies.len()],
            meetings: Vec::new(),
            every: 1,
            paths: BTreeMap::new(),
            paths_until: recording.end(),
            ends: [BTreeMap::new(), BTreeMap::new()],
            bounds: Bounds::NOTHING,
            looks: Vec::new(),
            warmth: Vec::new(),
            walls: BTreeMap::new(),
        };
        if wanted.events || wanted.paths {
            digest.count(recording)?;
        }
        if wanted.paths {
            digest.choose(recording);
            for &id in &wanted.bodies {
                digest.paths.entry(id).or_default();
            }
        }
        if wanted.paths || wanted.looks || wanted.warmth {
            digest.frames(recording, &wanted)?;
        }
        if wanted.paths {
            digest.corners(recording)?;
        }
        Ok(digest)
    }

    /// The first pass through the events: which bodies and when.
    fn count(&mut self, recording: &Recording) -> Result<(), DrawError> {
        let end = recording.end();
        let mut seen: BTreeSet<(u16, u32, u32)> = BTreeSet::new();
        let every = recording.events.div_ceil(MEETINGS).max(1);
        self.every = every;
        let table = recording.folder.events()?;
        let mut names: Vec<String> = ["number", "time", "a", "b"].map(str::to_owned).to_vec();
        names.extend(recording.vector("impulse"));
        names.extend(recording.vector("normal"));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let dimension = recording.dimension();
        each(&table, &names, |values| {
            let [number, time, a, b] = columns(values);
            let along = |row: usize| -> f64 {
                let component = |place: usize| found(values, 4 + place).numbers()[row];
                (0..dimension)
                    .map(|i| component(i) * component(dimension + i))
                    .sum()
            };
            for row in 0..time.numbers().len() {
                if number.integers()[row] == 0 {
                    continue;
                }
                let time = time.numbers()[row];
                let pair = [a, b].map(|ids| ids.integers()[row].max(0) as usize);
                let share = if end > 0.0 { time / end } else { 0.0 };
                let part = ((share * PARTS as f64) as usize).min(PARTS - 1);
                let both_free = pair.iter().all(|&id| recording.is_free(id));
                self.rate[part][usize::from(!both_free)] += 1;
                self.collisions += 1;
                for id in pair.into_iter().filter(|&id| !recording.is_free(id)) {
                    let parts = self.walls.entry(id).or_insert_with(|| vec![0.0; PARTS]);
                    parts[part] += along(row).abs();
                }
                for id in pair {
                    if let Some(count) = self.by_body.get_mut(id) {
                        *count += 1;
                    }
                }
                let spot = (share * SPOTS).clamp(0.0, SPOTS) as u16;
                let (a, b) = (pair[0] as u32, pair[1] as u32);
                if self.collisions.is_multiple_of(every) && seen.insert((spot, a, b)) {
                    self.meetings.push(Meeting { time, pair });
                }
            }
        })?;
        Ok(())
    }

    /// Whose ways are shown: as many as can be told apart, from all over the list.
    fn choose(&mut self, recording: &Recording) {
        let moving: Vec<usize> = followed(recording).collect();
        let steps = |id: usize| recording.frames + self.by_body[id];
        let mut every = moving.len().div_ceil(BODIES).max(1);
        let chosen = loop {
            let chosen: Vec<usize> = moving.iter().copied().step_by(every).collect();
            if chosen.len() <= 1 || chosen.iter().map(|&id| steps(id)).sum::<u64>() <= STEPS {
                break chosen;
            }
            every += 1 + every / 8;
        };
        self.paths = chosen.into_iter().map(|id| (id, Vec::new())).collect();
    }

    /// The pass through the frames.
    ///
    /// Longer than most: one pass over the rows, which share what they are looked up in.
    fn frames(&mut self, recording: &Recording, wanted: &Wanted) -> Result<(), DrawError> {
        let (moving, frames) = (recording.moving.len(), recording.frames as usize);
        if moving == 0 || frames == 0 {
            return Ok(());
        }
        let balls = |id: usize| recording.is_free(id) && recording.bodies[id].radius.is_finite();
        let free = recording.moving.iter().filter(|&&id| balls(id)).count();
        let mut chosen = vec![false; recording.bodies.len()];
        self.paths.keys().for_each(|&id| chosen[id] = true);
        let most = (BALLS / free.max(1)).max(1);
        let first_look = (frames / 2)
            .max(frames.saturating_sub(most))
            .min(frames - 1);
        let velocity = recording.vector("velocity");
        let mut names = vec!["time", "body"];
        names.extend(recording.axes());
        names.extend(velocity.iter().map(String::as_str));
        let dimension = recording.dimension();
        let turned: &[&str] = match dimension {
            2 => &["angle"],
            _ => &[
                "orientation_w",
                "orientation_x",
                "orientation_y",
                "orientation_z",
            ],
        };
        let spin = 2 * dimension + turned.len();
        if wanted.paths {
            names.extend(turned);
            names.extend(spins(dimension));
        }
        let mut sums = Sums::default();
        let mut row_in_all = 0_usize;
        let table = recording.folder.frames()?;
        each(&table, &names, |values| {
            let (time, body) = (found(values, 0), found(values, 1));
            let vectors: Vec<&[f64]> = (2..names.len())
                .map(|column| found(values, column).numbers())
                .collect();
            let vector = |from: usize, row: usize| -> Place {
                [0, 1, 2].map(|i| {
                    if i < dimension {
                        vectors[from + i][row]
                    } else {
                        0.0
                    }
                })
            };
            for (row, &time) in time.numbers().iter().enumerate() {
                let frame = row_in_all / moving;
                row_in_all += 1;
                if frame >= frames {
                    return;
                }
                let id = body.integers()[row].max(0) as usize;
                let Some(record) = recording.bodies.get(id) else {
                    continue;
                };
                let (position, velocity) = (vector(0, row), vector(dimension, row));
                if position[0].is_nan() {
                    continue; // it is not there
                }
                if wanted.warmth && recording.is_free(id) {
                    self.warmth
                        .extend(sums.add(time, record.mass, velocity, dimension));
                }
                if wanted.paths {
                    // Of a solid that is driven the origin of its frame may be anywhere.
                    if record.radius.is_finite() || recording.is_free(id) {
                        self.bounds.add(position, finite_or_zero(record.radius));
                    }
                    if !chosen.get(id).copied().unwrap_or(false) {
                        // One of very many.
                    } else if let Some(path) = self.paths.get_mut(&id) {
                        let ends = [(0, 0), (1, frames - 1)];
                        for (end, _) in ends.into_iter().filter(|&(_, at)| frame == at) {
                            let rotation = rotation(&vectors[2 * dimension..spin], row);
                            self.ends[end].insert(id, (position, rotation));
                        }
                        path.push(Node {
                            time,
                            position,
                            arriving: velocity,
                            leaving: velocity,
                            spins: [spin_of(&vectors[spin..], row); 2],
                        });
                    }
                }
                if wanted.looks && frame >= first_look && balls(id) {
                    self.look_at(time, position, velocity, record.mass);
                }
            }
        })?;
        self.warmth.extend(sums.closed(dimension));
        Ok(())
    }

    /// Takes a ball down as it is in a frame.
    fn look_at(&mut self, time: f64, position: Place, velocity: Place, mass: f64) {
        if self.looks.last().is_none_or(|look| look.time != time) {
            self.looks.push(Look {
                time,
                ..Look::default()
            });
        }
        if let Some(look) = self.looks.last_mut() {
            look.positions.push(position);
            look.velocities.push(velocity);
            look.masses.push(mass);
        }
    }

    /// The second pass through the events: where ways have corners. The centre of a ball that is struck is a radius
    /// away from the point of contact; that of a solid is where it has come since the last node, at the mean of the
    /// velocities there and here, as it is in uniform gravity. Longer than most: one pass over the rows, which share
    /// what they are looked up in.
    fn corners(&mut self, recording: &Recording) -> Result<(), DrawError> {
        let dimension = recording.dimension();
        let mut names: Vec<String> = ["number", "time", "a", "b"].map(str::to_owned).to_vec();
        for name in ["point", "normal"] {
            names.extend(recording.vector(name));
        }
        for side in ["a", "b"] {
            for when in ["before", "after"] {
                let axes = recording.axes().iter();
                names.extend(axes.map(|axis| format!("{side}_velocity_{axis}_{when}")));
            }
        }
        let turning = 6 * dimension;
        let spins = spins(dimension);
        for side in ["a", "b"] {
            for when in ["before", "after"] {
                let of = |name: &&str| format!("{side}_{name}_{when}");
                names.extend(spins.iter().map(of));
            }
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let table = recording.folder.events()?;
        let mut steps = 0;
        each(&table, &names, |values| {
            if steps > 2 * STEPS {
                return;
            }
            let [number, time, a, b] = columns(values);
            let vectors: Vec<&[f64]> = (4..names.len())
                .map(|column| found(values, column).numbers())
                .collect();
            for (row, &time) in time.numbers().iter().enumerate() {
                if number.integers()[row] == 0 || steps > 2 * STEPS {
                    continue;
                }
                let vector = |which: usize| -> Place {
                    let column = which * dimension;
                    [0, 1, 2].map(|i| {
                        if i < dimension {
                            vectors[column + i][row]
                        } else {
                            0.0
                        }
                    })
                };
                for (side, ids) in [a, b].into_iter().enumerate() {
                    let id = ids.integers()[row].max(0) as usize;
                    let Some(path) = self.paths.get_mut(&id) else {
                        continue;
                    };
                    let radius = recording.bodies[id].radius;
                    let (point, normal) = (vector(0), vector(1));
                    let towards = if side == 0 { radius } else { -radius };
                    steps += 1;
                    path.push(Node {
                        time,
                        // Not a number where it has no radius, until all nodes are there.
                        position: [0, 1, 2].map(|i| point[i] + towards * normal[i]),
                        arriving: vector(2 + 2 * side),
                        leaving: vector(3 + 2 * side),
                        spins: [0, 1].map(|when| {
                            let first = turning + (2 * side + when) * spins.len();
                            spin_of(&vectors[first..first + spins.len()], row)
                        }),
                    });
                    if steps > 2 * STEPS {
                        self.paths_until = time;
                    }
                }
            }
        })?;
        let until = self.paths_until;
        for path in self.paths.values_mut() {
            path.retain(|node| node.time <= until);
            path.sort_by(|a, b| a.time.total_cmp(&b.time));
            let mut last: Option<Node> = None;
            path.retain_mut(|node| {
                if node.position.iter().any(|number| number.is_nan()) {
                    let Some(before) = last else { return false };
                    let half = 0.5 * (node.time - before.time);
                    node.position = [0, 1, 2].map(|i| {
                        before.position[i] + half * (before.leaving[i] + node.arriving[i])
                    });
                }
                last = Some(*node);
                true
            });
        }
        Ok(())
    }
}

/// What temperatures are made of, while the rows of an instant go by.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    time: f64,
    bodies: f64,
    mass: f64,
    momentum: Place,
    /// Of m v², J.
    twice_energy: f64,
}

impl Sums {
    /// Takes a body in; where it is the first of another instant, what the last one came to.
    fn add(&mut self, time: f64, mass: f64, velocity: Place, dimension: usize) -> Option<Warmth> {
        let last = if time != self.time {
            self.closed(dimension)
        } else {
            None
        };
        self.time = time;
        self.bodies += 1.0;
        self.mass += mass;
        for (sum, part) in self.momentum.iter_mut().zip(velocity) {
            *sum += mass * part;
            self.twice_energy += mass * part * part;
        }
        last
    }

    fn closed(&mut self, dimension: usize) -> Option<Warmth> {
        let Sums {
            time,
            bodies,
            mass,
            momentum,
            twice_energy,
        } = std::mem::take(self);
        let common: f64 = momentum.iter().map(|part| part * part / mass).sum();
        // The common motion takes as many degrees of freedom as there are dimensions.
        let freedom = dimension as f64 * (bodies - 1.0);
        (freedom > 0.0).then(|| Warmth {
            time,
            temperature: (twice_energy - common).max(0.0) / freedom,
        })
    }
}

/// Names of the columns of an angular velocity.
fn spins(dimension: usize) -> &'static [&'static str] {
    match dimension {
        2 => &["angular_velocity"],
        _ => &[
            "angular_velocity_x",
            "angular_velocity_y",
            "angular_velocity_z",
        ],
    }
}

fn spin_of(columns: &[&[f64]], row: usize) -> Place {
    let mut spin = [0.0; 3];
    for (number, column) in spin.iter_mut().zip(columns) {
        *number = column.get(row).copied().unwrap_or_default();
    }
    spin
}

/// The bodies whose trajectories mean something: balls, and other free bodies, whose position is that of their centre
/// of mass. The origin of another shape's frame may be anywhere.
pub fn followed(recording: &Recording) -> impl Iterator<Item = usize> + '_ {
    let has_way = |id: &usize| recording.bodies[*id].radius.is_finite() || recording.is_free(*id);
    recording.moving.iter().copied().filter(has_way)
}

static NOTHING: Values = Values::Numbers(Vec::new());

fn found<'v>(values: &[Option<&'v Values>], column: usize) -> &'v Values {
    values.get(column).copied().flatten().unwrap_or(&NOTHING)
}

fn columns<'v>(values: &[Option<&'v Values>]) -> [&'v Values; 4] {
    [0, 1, 2, 3].map(|column| found(values, column))
}

/// How a body is turned, from the columns that say so, as far as they go.
fn rotation(columns: &[&[f64]], row: usize) -> [f64; 4] {
    let mut rotation = [0.0; 4];
    for (number, column) in rotation.iter_mut().zip(columns) {
        *number = column.get(row).copied().unwrap_or_default();
    }
    rotation
}

fn finite_or_zero(radius: f64) -> f64 {
    if radius.is_finite() { radius } else { 0.0 }
}
