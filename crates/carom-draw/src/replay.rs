//! Where all moving bodies are at many instants, for moving pictures.
//!
//! The scene is run again, from the copy in the run folder, and states are asked for at exactly the instants of the
//! pictures: positions follow the flights, and asking does not disturb them. Where that cannot be done, or would take
//! long, the pictures are the recorded frames.

use crate::error::DrawError;
use crate::outlines::{DrawSpace, Place, Thing, things};
use crate::pictures::{DrawnJoint, Dress, Given, drawn, dress, fill_pockets};
use crate::recording::{Recording, each};
use carom::simulate::{Method, Simulation};
use carom::space::{Space2, Space3};
use carom::world::{BodyId, World};
use carom_data::Values;
use carom_scene::{AnyPlan, AnyWorld, Plan, Scene};

/// Where a body is, and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// m.
    pub position: Place,
    /// An angle (rad) in 2-D, the first number alone; a quaternion (w, x, y, z) in 3-D.
    pub rotation: [f64; 4],
}

impl Stance {
    /// Of a body that is not there.
    pub const NOWHERE: Stance = Stance {
        position: [f64::NAN; 3],
        rotation: [f64::NAN; 4],
    };

    /// Whether the body is not there.
    pub fn is_nowhere(&self) -> bool {
        self.position[0].is_nan()
    }
}

/// Pictures of a run.
#[derive(Clone, Debug)]
pub struct Film {
    /// World times, s.
    pub times: Vec<f64>,
    /// The bodies that are shown and may move, by id.
    pub cast: Vec<usize>,
    /// Where each of them is, picture by picture.
    pub stances: Vec<Stance>,
    /// What all bodies look like, at the start.
    pub things: Vec<Thing>,
    /// What they look like beyond their shape.
    pub dresses: Vec<Dress>,
    /// What holds them together.
    pub joints: Vec<DrawnJoint>,
    /// Up: against gravity, or along z where there is none.
    pub zenith: Place,
    /// What whoever looks at it has to know.
    pub notes: Vec<String>,
}

/// Is told how many pictures of how many are done.
pub type Watch<'w> = &'w mut dyn FnMut(usize, usize);

/// Bodies times pictures at most: some megabytes.
const MOST: usize = 300_000;
/// Pictures at most, and, where that leaves bodies out, at least.
const PICTURES: (usize, usize) = (60, 600);
/// Pictures of a long run of few bodies, such as a game, at most; and how many a second it has until then.
const LONG: (usize, f64) = (6000, 20.0);
/// Runs that took longer are not run again, s.
const LONGEST: f64 = 60.0;

impl Film {
    /// Of a run, with pictures at some moments (s, in order) besides, if that is not too much; `None` where there is
    /// nothing to be seen.
    /// Tells how many pictures are done, and of how many.
    pub fn of(
        recording: &Recording,
        moments: &[f64],
        watch: Watch<'_>,
    ) -> Result<Option<Film>, DrawError> {
        if recording.moving.is_empty() {
            return Ok(None);
        }
        let elapsed = recording.folder.manifest().elapsed_s;
        let replayed = if elapsed > LONGEST {
            Err(format!(
                "the run took {elapsed:.0} s, and is not run again for pictures between the recorded frames"
            ))
        } else {
            again(recording, moments, watch)
        };
        match replayed {
            Ok(film) => Ok(Some(film)),
            Err(_) if recording.frames == 0 => Ok(None),
            Err(reason) => recorded(recording, reason).map(Some),
        }
    }

    /// Where a body of the cast is in a picture.
    pub fn stance(&self, picture: usize, member: usize) -> &Stance {
        &self.stances[picture * self.cast.len() + member]
    }
}

/// Who is shown, and in how many pictures.
fn plan(recording: &Recording) -> (Vec<usize>, usize, Vec<String>) {
    let moving = &recording.moving;
    let every = (moving.len() * PICTURES.0).div_ceil(MOST).max(1);
    let cast: Vec<usize> = moving.iter().copied().step_by(every).collect();
    let most = ((LONG.1 * recording.end()) as usize).clamp(PICTURES.1, LONG.0);
    let pictures = (MOST / cast.len().max(1)).clamp(PICTURES.0, most);
    let notes = match every {
        1 => Vec::new(),
        _ => vec![format!(
            "Thinned: {} of {} moving bodies are shown, in {pictures} pictures.",
            cast.len(),
            moving.len()
        )],
    };
    (cast, pictures, notes)
}

/// Runs the scene of a folder again.
fn again(recording: &Recording, moments: &[f64], watch: Watch<'_>) -> Result<Film, String> {
    let scene = scene_of(recording)?;
    fn by<S: DrawSpace>(
        recording: &Recording,
        looks: &[Look],
        moments: &[f64],
        world: World<S>,
        plan: &Plan<S>,
        method: Method,
        watch: Watch<'_>,
    ) -> Result<Film, String> {
        let all = plan.cast(&world);
        let mut things = things(&all);
        // What actions move, add or remove is looked at in every picture, as what moves by itself is.
        let changing = plan.comers_and_goers(&all);
        for id in changing.into_iter().chain(plan.movers()) {
            if let Some(thing) = things.get_mut(id.0 as usize) {
                thing.moves = true;
            }
        }
        let joints = drawn(&world);
        let run = plan.simulation(world, method);
        let run = run.map_err(|_| NO_MORE.to_owned())?;
        let film = replay(recording, looks, moments, things, run, watch)?;
        Ok(Film { joints, ..film })
    }
    let materials: Vec<&str> = recording
        .bodies
        .iter()
        .map(|body| &*body.material)
        .collect();
    let looks = looks_of(&scene, &materials);
    let method = recording.folder.manifest().method;
    let method = method.with(scene.settling, scene.forces);
    match (scene.world, &scene.plan) {
        (AnyWorld::Two(world), AnyPlan::Two(plan)) => {
            by::<Space2>(recording, &looks, moments, world, plan, method, watch)
        }
        (AnyWorld::Three(world), AnyPlan::Three(plan)) => {
            by::<Space3>(recording, &looks, moments, world, plan, method, watch)
        }
        _ => Err(NO_MORE.to_owned()),
    }
}

/// The colour of a body and what is written on it, where its scene says so.
pub type Look = (Option<[u8; 3]>, Option<String>);

/// How the bodies of a scene, by id and with the names of their materials, are to be shown.
pub fn looks_of(scene: &Scene, materials: &[&str]) -> Vec<Look> {
    let ids = (0..).map(BodyId);
    let look = |(id, material): (BodyId, &&str)| {
        let look = scene.look(id, material);
        (look.color, look.label.map(String::from))
    };
    ids.zip(materials).map(look).collect()
}

/// Why a scene is not run again.
pub const NO_MORE: &str = "its scene cannot be run any more";

/// The scene of a run folder, from the copy in it.
pub fn scene_of(recording: &Recording) -> Result<Scene, String> {
    let copy = &recording.folder.manifest().scene;
    let overrides: Vec<(String, String)> = copy
        .overrides
        .iter()
        .filter_map(|assignment| assignment.split_once('='))
        .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
        .collect();
    let path = recording.folder.path().join(&copy.file);
    let mut scene = carom_scene::load_with(&path, &overrides)
        .map_err(|_| "the copy of its scene cannot be read on its own".to_owned())?;
    if let Some(keys) = &copy.keys {
        let strokes = carom_scene::load_keys(&recording.folder.path().join(keys))?;
        scene.plan.press(&strokes);
    }
    if scene.bodies() != recording.bodies.len() || scene.world.dimension() != recording.dimension()
    {
        return Err("the copy of its scene has other bodies".to_owned());
    }
    Ok(scene)
}

/// When pictures are made: evenly over the run, the last one at its very end, and at some moments besides where there
/// is room for them.
fn times(end: f64, pictures: usize, moments: &[f64], cast: usize) -> Vec<f64> {
    let even = (0..pictures).map(|picture| {
        if picture + 1 == pictures {
            end
        } else {
            end * (picture as f64 / (pictures - 1) as f64)
        }
    });
    let mut times: Vec<f64> = even.collect();
    if (pictures + moments.len()) * cast <= MOST + MOST / 2 {
        times.extend(moments.iter().filter(|time| (0.0..=end).contains(*time)));
        times.sort_by(f64::total_cmp);
        times.dedup();
    }
    times
}

fn replay<S: DrawSpace>(
    recording: &Recording,
    looks: &[Look],
    moments: &[f64],
    mut things: Vec<Thing>,
    mut run: Simulation<S>,
    watch: Watch<'_>,
) -> Result<Film, String> {
    let (mut cast, pictures, notes) = plan(recording);
    let still = |thing: &&Thing| thing.moves && !recording.bodies[thing.id].moves();
    cast.extend(things.iter().filter(still).map(|thing| thing.id));
    cast.sort_unstable();
    let times = times(recording.end(), pictures, moments, cast.len());
    let dresses = dresses(recording, &things, looks);
    fill_pockets(&mut things, &dresses);
    let mut film = Film {
        times: Vec::new(),
        stances: Vec::with_capacity(cast.len() * times.len()),
        cast,
        dresses,
        joints: Vec::new(),
        zenith: zenith(S::components(run.gravity())),
        things,
        notes,
    };
    let pictures = times.len();
    for (done, time) in times.into_iter().enumerate() {
        watch(done, pictures);
        let goes_on = run.run_until(time);
        if goes_on.is_err() {
            film.notes
                .push("The run could not be continued from there.".to_owned());
            break;
        }
        film.times.push(time);
        for &id in &film.cast {
            let id = BodyId(id as u32);
            film.stances.push(if run.has(id) {
                let state = run.state(id);
                Stance {
                    position: S::components(state.position),
                    rotation: S::rotation_numbers(state.rotation),
                }
            } else {
                Stance::NOWHERE
            });
        }
    }
    // Collisions at the very end may or may not have been done where a run was stopped by their number.
    let found = run.collisions();
    let expected = recording.folder.manifest().collisions;
    if film.times.len() == pictures && found.abs_diff(expected) > 64 {
        return Err(format!(
            "its scene, run again, has {found} collisions in place of {expected}"
        ));
    }
    match film.times.len() {
        0 => Err(NO_MORE.to_owned()),
        _ => Ok(film),
    }
}

fn zenith(gravity: Place) -> Place {
    match gravity {
        [0.0, 0.0, 0.0] => [0.0, 0.0, 1.0],
        gravity => gravity.map(|part| -part),
    }
}

/// What bodies look like beyond their shape.
fn dresses(recording: &Recording, things: &[Thing], looks: &[Look]) -> Vec<Dress> {
    let given: Vec<Given<'_>> = (0..recording.bodies.len())
        .map(|id| Given {
            name: &recording.bodies[id].name,
            material: &recording.bodies[id].material,
            colour: looks.get(id).and_then(|look| look.0),
            label: looks.get(id).and_then(|look| look.1.as_deref()),
            free: recording.is_free(id),
        })
        .collect();
    dress(&recording.folder.manifest().scene.title, &given, things)
}

/// The recorded frames as pictures.
fn recorded(recording: &Recording, reason: String) -> Result<Film, DrawError> {
    let (cast, pictures, mut notes) = plan(recording);
    notes.push(format!("The pictures are the recorded frames: {reason}."));
    let frames = recording.frames as usize;
    let every = frames.div_ceil(pictures).max(1);
    if every > 1 {
        notes.push(format!(
            "Thinned: {} of {frames} recorded frames are shown.",
            frames.div_ceil(every)
        ));
    }
    let mut names = vec!["time", "body"];
    names.extend(recording.axes());
    let dimension = recording.dimension();
    match dimension {
        2 => names.push("angle"),
        _ => names.extend([
            "orientation_w",
            "orientation_x",
            "orientation_y",
            "orientation_z",
        ]),
    }
    let mut shown = vec![false; recording.bodies.len()];
    cast.iter().for_each(|&id| shown[id] = true);
    let (mut times, mut stances, mut row_in_all) = (Vec::new(), Vec::new(), 0_usize);
    let table = recording.folder.frames()?;
    each(&table, &names, |values| {
        let column = |place: usize| values.get(place).copied().flatten();
        let (Some(time), Some(body)) = (column(0), column(1)) else {
            return;
        };
        let number = |place: usize, row: usize| {
            let numbers = column(place).map(Values::numbers).unwrap_or_default();
            numbers.get(row).copied().unwrap_or(0.0)
        };
        for (row, &time) in time.numbers().iter().enumerate() {
            let frame = row_in_all / recording.moving.len();
            row_in_all += 1;
            let id = body.integers()[row].max(0) as usize;
            let is_shown = shown.get(id).copied().unwrap_or(false);
            if frame >= frames || !frame.is_multiple_of(every) || !is_shown {
                continue;
            }
            if id == cast[0] {
                times.push(time);
            }
            stances.push(Stance {
                position: [0, 1, 2].map(|i| {
                    if i < dimension {
                        number(2 + i, row)
                    } else {
                        0.0
                    }
                }),
                rotation: [0, 1, 2, 3].map(|i| number(2 + dimension + i, row)),
            });
        }
    })?;
    let mut things = crate::outlines::of_recording(recording)?;
    let dresses = dresses(recording, &things, &[]);
    fill_pockets(&mut things, &dresses);
    stances.truncate(times.len() * cast.len());
    Ok(Film {
        times,
        cast,
        stances,
        things,
        dresses,
        joints: Vec::new(),
        zenith: [0.0, 0.0, 1.0],
        notes,
    })
}
