//! Requests in JSON: `{"do": "load", …}`.

use crate::body;
use crate::budget;
use crate::edit::{Edit, air_now};
use crate::event;
use crate::json::{number, text, vector, whole};
use crate::player::{Ahead, Player};
use crate::space::{WebSpace, components};
use carom::joint::{Anchor, JointKind};
use carom::simulate::{Cause, SimulationError};
use carom::space::{Space2, Space3};
use carom::world::{BodyId, World};
use carom_scene::{
    AnyPlan, AnyWorld, Cue, Limits, Looks, Method, Plan, PlanError, RunSettings, Scene,
    SceneErrors, Style,
};
use serde_json::{Value, json};

/// What is answered.
#[derive(Default)]
pub struct Answer {
    /// JSON.
    pub text: String,
    /// Many numbers, where there are some.
    pub numbers: Vec<f64>,
    /// Whether it was done.
    pub good: bool,
}

/// Everything that one instance holds.
#[derive(Default)]
pub struct Session {
    player: Option<Any>,
    /// How the scene wants its bodies to be shown.
    looks: Looks,
}

enum Any {
    Two(Box<Player<Space2>>),
    Three(Box<Player<Space3>>),
}

macro_rules! with {
    ($any:expr, $player:ident => $do:expr) => {
        match $any {
            Any::Two($player) => $do,
            Any::Three($player) => $do,
        }
    };
}

/// The most rows of events in one answer.
const MOST_ROWS: usize = 20_000;
/// As much memory as there is for a scene, bytes.
const MEMORY: u64 = 1500 << 20;
/// The most bodies that the page takes.
const MOST_BODIES: usize = 300_000;

type Given = Result<(Value, Vec<f64>), Value>;

impl Session {
    /// Answers a request.
    pub fn answer(&mut self, input: &[u8]) -> Answer {
        let request: Result<Value, _> = serde_json::from_slice(input);
        let given = match &request {
            Ok(request) => self.act(request),
            Err(error) => Err(refusal(format!("not a request: {error}"))),
        };
        let (value, numbers, good) = match given {
            Ok((value, numbers)) => (value, numbers, true),
            Err(value) => (value, Vec::new(), false),
        };
        Answer {
            text: value.to_string(),
            numbers,
            good,
        }
    }

    /// Runs ahead by at most so many events: 0 where there is more to come, 1 at the end, 2 where it cannot go on.
    pub fn ahead(&mut self, events: u32) -> u32 {
        let Some(any) = &mut self.player else {
            return 1;
        };
        with!(any, player => match player.run_ahead(events) {
            Ahead::More => 0,
            Ahead::Ended(_) => 1,
            Ahead::Failed(_) => 2,
        })
    }

    /// Puts the states of all bodies at a time (s) into a frame; answers the time that they are of.
    pub fn frame(&mut self, time: f64, frame: &mut Vec<f32>) -> f64 {
        let Some(any) = &mut self.player else {
            frame.clear();
            return 0.0;
        };
        with!(any, player => {
            let time = player.go_to(time);
            body::frame(&player.view.run, frame);
            time
        })
    }

    fn act(&mut self, request: &Value) -> Given {
        let what = text(request, "do").map_err(refusal)?;
        let plain = |value: Value| Ok((value, Vec::new()));
        match what {
            "schema" => plain(Value::String(carom_scene::schema())),
            "check" => {
                let scene = read(request)?;
                plain(facts(&scene))
            }
            "load" => {
                let mut scene = read(request)?;
                let facts = facts(&scene);
                self.player = None;
                self.looks = std::mem::take(&mut scene.looks);
                self.player = Some(start(scene).map_err(refusal)?);
                plain(facts)
            }
            "close" => {
                self.player = None;
                plain(Value::Null)
            }
            _ => {
                let Some(any) = &mut self.player else {
                    return Err(refusal("no scene is loaded".to_owned()));
                };
                if what == "bodies" {
                    return plain(with!(any, player => bodies(player, &self.looks)));
                }
                with!(any, player => ask(player, what, request)).map_err(refusal)
            }
        }
    }
}

fn refusal(message: String) -> Value {
    json!({ "error": message })
}

/// The scene of a request: `name`, `text`, `files` (name and text of each), `set` (pairs), `method`.
fn read(request: &Value) -> Result<Scene, Value> {
    let name = text(request, "name").map_err(refusal)?;
    let scene = text(request, "text").map_err(refusal)?;
    if scene.len() as u64 > carom_scene::LARGEST_FILE {
        return Err(refusal(format!(
            "the scene has {} bytes, but may have at most {}",
            scene.len(),
            carom_scene::LARGEST_FILE
        )));
    }
    let pairs = |key: &str| -> Vec<(String, String)> {
        let items = request.get(key).and_then(Value::as_array);
        let pair = |item: &Value| {
            let word = |place: usize| item.get(place)?.as_str().map(str::to_owned);
            Some((word(0)?, word(1)?))
        };
        items.into_iter().flatten().filter_map(pair).collect()
    };
    let files: Vec<(String, Vec<u8>)> = pairs("files")
        .into_iter()
        .map(|(name, text)| (name, text.into_bytes()))
        .collect();
    let limits = Limits {
        bodies: MOST_BODIES,
        memory: Some(MEMORY),
        ..Limits::default()
    };
    let mut scene = carom_scene::parse_beside(name, scene, &pairs("set"), &limits, &files)
        .map_err(|errors| problems(&errors))?;
    match request.get("method").and_then(Value::as_str) {
        Some("events") => scene.method = Method::Events,
        Some("forces") => scene.method = Method::Forces,
        _ => (),
    }
    Ok(scene)
}

/// All that is wrong with a scene, with the bytes of its text.
fn problems(errors: &SceneErrors) -> Value {
    let list: Vec<Value> = (errors.problems().iter())
        .map(|problem| {
            let place = errors.position(problem);
            json!({
                "message": problem.message,
                "label": problem.label,
                "help": problem.help,
                "from": problem.span.as_ref().map(|span| span.start),
                "to": problem.span.as_ref().map(|span| span.end),
                "line": place.map(|place| place.0),
                "column": place.map(|place| place.1),
            })
        })
        .collect();
    json!({
        "error": "the scene cannot be read",
        "problems": list,
        "text": errors.render(Style::Plain),
    })
}

fn facts(scene: &Scene) -> Value {
    json!({
        "title": scene.title,
        "dimension": scene.world.dimension(),
        "bodies": scene.world.len(),
        "until": scene.run.until,
        "max_collisions": scene.run.max_collisions,
        "rest": scene.run.rest,
        "method": scene.method.name(),
        "seed": scene.seed,
        "notes": scene.notes.iter().chain(&scene.warnings).collect::<Vec<_>>(),
        "variables": scene.variables.iter().map(|v| json!([v.name, v.values])).collect::<Vec<_>>(),
        "samples": budget::SAMPLE,
    })
}

fn start(scene: Scene) -> Result<Any, String> {
    let method = scene.method.with(scene.settling, scene.forces);
    let (plan, run) = (scene.plan, scene.run);
    match scene.world {
        AnyWorld::Two(world) => player(world, &plan, method, run).map(Any::Two),
        AnyWorld::Three(world) => player(world, &plan, method, run).map(Any::Three),
    }
}

fn player<S: WebSpace>(
    world: World<S>,
    plan: &AnyPlan,
    method: carom::simulate::Method,
    settings: RunSettings,
) -> Result<Box<Player<S>>, String> {
    let nothing = Plan::default();
    let plan = S::plan_of(plan).unwrap_or(&nothing);
    let complain = |error: &SimulationError| {
        let all: Vec<String> = error.complaints().iter().map(ToString::to_string).collect();
        all.join("\n")
    };
    let joints = joints(&world);
    let run = plan
        .simulation(world, method)
        .map_err(|error| match &error {
            PlanError::Simulation(error) => complain(error),
            error => error.to_string(),
        })?;
    let first = u32::try_from(plan.there).unwrap_or(u32::MAX);
    let waiting = (first..).map(BodyId).zip(plan.waiting.iter().cloned());
    let mut player = Player::new(run, keys(plan), waiting.collect(), settings)
        .map_err(|error| complain(&error))?;
    player.joints = joints;
    Ok(Box::new(player))
}

/// What holds bodies together: the kind, and of each end the body (none for the world) and where in its frame.
fn joints<S: WebSpace>(world: &World<S>) -> Value {
    let end = |anchor: &Anchor<S>| match *anchor {
        Anchor::Body { id, at } => json!({ "body": id.0, "at": components::<S>(at) }),
        Anchor::World(point) => json!({ "body": null, "at": components::<S>(point) }),
    };
    let all = world.joints().iter().map(|joint| {
        let kind = match joint.kind {
            JointKind::Distance { .. } => "distance",
            JointKind::Spring { .. } => "spring",
            _ => "hinge",
        };
        json!({ "kind": kind, "ends": joint.ends.iter().map(end).collect::<Vec<_>>() })
    });
    all.collect()
}

/// The keys that rules listen to, in the order of the file.
fn keys<S: WebSpace>(plan: &Plan<S>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for rule in &plan.rules {
        if let Cue::On(trigger) = &rule.cue
            && let Cause::Pressed(key) | Cause::Released(key) = &trigger.cause
            && !all.contains(key)
        {
            all.push(key.clone());
        }
    }
    all
}

/// The bodies that are there now, and those that come later.
fn bodies<S: WebSpace>(player: &Player<S>, looks: &Looks) -> Value {
    let (view, head) = (&player.view.run, &player.head.run);
    let mut ids = view.bodies();
    ids.extend(head.bodies());
    ids.extend(player.waiting.iter().map(|(id, _)| *id));
    ids.sort();
    ids.dedup();
    let of = |id: BodyId| {
        let there = view.body(id).or_else(|| head.body(id));
        let found = there.as_ref().or_else(|| player.waits(id));
        found.map_or(Value::Null, |body| {
            let material = view.materials().name(body.material);
            let mut described = body::describe(id, body, material, looks);
            described["waits"] = there.is_none().into();
            described
        })
    };
    ids.into_iter().map(of).collect()
}

/// What is asked of a scene that runs.
fn ask<S: WebSpace>(
    player: &mut Player<S>,
    what: &str,
    request: &Value,
) -> Result<(Value, Vec<f64>), String> {
    let plain = |value: Value| Ok((value, Vec::new()));
    let view = &player.view.run;
    match what {
        "status" => plain(status(player)),
        "digest" => plain(json!({
            "digest": format!("{:016x}", player.head.run.digest()),
            "time": player.head.run.time(),
            "collisions": player.head.run.collisions(),
        })),
        "events" => {
            let from = whole(request, "from")? as usize;
            Ok((Value::Null, player.history.rows(from, MOST_ROWS)))
        }
        "samples" => {
            let from = whole(request, "from")? as usize;
            Ok((Value::Null, player.samples.rows(from)))
        }
        "event" => {
            let index = whole(request, "index")? as usize;
            plain(event::describe(player, index))
        }
        "budget" => plain(budget::budget(view)),
        "surroundings" => plain(surroundings(player)),
        "body" => {
            let id = BodyId(whole(request, "body")? as u32);
            plain(body::state(view, id))
        }
        "states" => Ok((Value::Null, body::states(view))),
        "trail" => {
            let id = BodyId(whole(request, "body")? as u32);
            let points = (whole(request, "points")? as usize).clamp(1, 2000);
            let rows = player.trail(id, number(request, "from")?, points);
            Ok((Value::Null, rows))
        }
        "pick" => plain(pick(player, request)?),
        "edit" => {
            let asked = request.get("edit").unwrap_or(&Value::Null);
            let edit = Edit::new(view, asked)?;
            player.change(edit)?;
            plain(edits(player))
        }
        "undo" => {
            player.take_back(whole(request, "index")? as usize)?;
            plain(edits(player))
        }
        "edits" => plain(edits(player)),
        "extend" => {
            player.extend(number(request, "until")?)?;
            plain(status(player))
        }
        other => Err(format!("there is no request `{other}`")),
    }
}

fn status<S: WebSpace>(player: &Player<S>) -> Value {
    let (ended, failed) = match &player.ahead {
        Ahead::More => (None, None),
        Ahead::Ended(why) => (Some(*why), None),
        Ahead::Failed(why) => (None, Some(why)),
    };
    let scores: Vec<Value> = (player.view.run.scores())
        .map(|(name, points)| json!([name, points]))
        .collect();
    json!({
        "ahead": player.head.run.time(),
        "until": player.settings.until,
        "ended": ended,
        "failed": failed,
        "events": player.history.len(),
        "seen": player.head.seen,
        "collisions": player.head.run.collisions(),
        "time": player.view.run.time(),
        "view_collisions": player.view.run.collisions(),
        "resting": player.view.run.resting(),
        "scores": scores,
        "warnings": player.head.run.warnings(),
        "edits": player.edits.len(),
        "extent": player.extent,
    })
}

/// Gravity, materials and the periodic box.
fn surroundings<S: WebSpace>(player: &Player<S>) -> Value {
    let run = &player.view.run;
    let mut names: Vec<String> = Vec::new();
    for id in run.bodies() {
        if names.len() > 32 {
            break;
        }
        if let Some(body) = run.body(id) {
            let name = run.materials().name(body.material);
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    let materials: Vec<Value> = (names.iter())
        .filter_map(|name| {
            let material = run.materials().get(run.materials().find(name)?);
            Some(json!({
                "name": name,
                "restitution": material.restitution,
                "static_friction": material.static_friction,
                "kinetic_friction": material.kinetic_friction,
                "rolling_resistance": material.rolling_resistance,
            }))
        })
        .collect();
    let (linear, quadratic, wind) = air_now(run);
    json!({
        "air": { "linear": linear, "quadratic": quadratic, "wind": components::<S>(wind) },
        "gravity": components::<S>(run.gravity()),
        "periods": run.periods(),
        "keys": player.keys,
        "joints": player.joints,
        "materials": materials,
        "fields": run.fields().parts().iter().map(|part| part.name.clone()).collect::<Vec<_>>(),
    })
}

/// The first body along a ray in 3-D, or the one at a point in 2-D, with a reach (m).
fn pick<S: WebSpace>(player: &Player<S>, request: &Value) -> Result<Value, String> {
    let query = player.view.run.query();
    let point = vector::<S>(request, "point")?;
    if S::DIMENSION == 2 {
        let reach = number(request, "reach")?.max(1e-12);
        let found = query.nearest(point, 6).map_err(|error| error.to_string())?;
        let is_free = |id: BodyId| {
            let body = player.view.run.body(id);
            body.is_some_and(|body| matches!(body.kind, carom::body::Kind::Free(_)))
        };
        let near = || found.iter().filter(|(_, distance)| *distance <= reach);
        let best = near()
            .find(|(id, _)| is_free(*id))
            .or_else(|| near().next());
        return Ok(best.map_or(Value::Null, |(id, _)| json!(id.0)));
    }
    let direction = vector::<S>(request, "direction")?;
    let hit = query
        .ray(point, direction, f64::MAX.sqrt())
        .map_err(|error| error.to_string())?;
    Ok(hit.map_or(Value::Null, |hit| json!(hit.body.0)))
}

fn edits<S: WebSpace>(player: &Player<S>) -> Value {
    let list = player.edits.iter();
    list.map(|edit| json!({ "time": edit.time, "edit": edit.asked }))
        .collect()
}
