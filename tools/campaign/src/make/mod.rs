//! Scenes at random, over the whole scene language.
//!
//! A scene is made of parts that fit together: what docs/scenes.md, docs/solids.md and docs/forces.md refuse is not
//! asked for, and free bodies are put where they overlap nothing, by the geometry that judges them in the end. What is
//! refused all the same is counted as such.

mod air;
mod gas;
mod hall;
mod joints;
mod material;
mod motion;
mod props;
mod rules;
mod solid;

use crate::geometry::form::{Form, overlap};
use crate::geometry::{Pose, V};
use crate::picture::{self, Body};
use crate::random::Random;
use crate::walls::Closed;
use serde_json::{Map, Value, json};

/// What a scene is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// One ball and up to six fixtures.
    OneBall,
    /// Two to twenty balls and solids.
    Few,
    /// Prescribed bodies that squeeze, turn and shake.
    Kinematic,
    /// Drag, wind, lift, central fields, springs, regions.
    Fields,
    /// By springs and dampers.
    Forces,
    /// Closed rooms.
    Rooms,
    /// Generated balls, periodic boxes.
    Gas,
    /// Changes during the run: rules of every kind.
    Rules,
    /// Hinges, rods and springs.
    Joints,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 9] = [
        Kind::OneBall,
        Kind::Few,
        Kind::Kinematic,
        Kind::Fields,
        Kind::Forces,
        Kind::Rooms,
        Kind::Gas,
        Kind::Rules,
        Kind::Joints,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::OneBall => "one-ball",
            Kind::Few => "few",
            Kind::Kinematic => "kinematic",
            Kind::Fields => "fields",
            Kind::Forces => "forces",
            Kind::Rooms => "containers",
            Kind::Gas => "gas",
            Kind::Rules => "rules",
            Kind::Joints => "joints",
        }
    }

    /// By its name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A scene and the files beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// What it is about.
    pub kind: Kind,
    /// The scene file.
    pub json: Value,
    /// Meshes and tables: name, text.
    pub files: Vec<(String, String)>,
}

/// Scene `index` of the campaign with this seed; of the usual mix unless a kind is given.
pub fn scene(seed: u64, index: u64, kind: Option<Kind>) -> Scene {
    let mut random = Random::of_scene(seed, index);
    let mix = [
        (Kind::OneBall, 0.22),
        (Kind::Joints, 0.03),
        (Kind::Few, 0.25),
        (Kind::Kinematic, 0.12),
        (Kind::Fields, 0.1),
        (Kind::Forces, 0.1),
        (Kind::Rooms, 0.1),
        (Kind::Rules, 0.05),
    ];
    let mut drawn = random.unit();
    let mixed = mix.into_iter().find(|(_, share)| {
        drawn -= share;
        drawn < 0.0
    });
    let kind = kind.unwrap_or(mixed.map_or(Kind::Gas, |(kind, _)| kind));
    match kind {
        Kind::Rules => return rules::make(random),
        Kind::Joints => return joints::make(random),
        _ => {}
    }
    Maker::new(kind, random).make()
}

/// A scene in the making.
struct Maker {
    random: Random,
    kind: Kind,
    plane: bool,
    /// By springs and dampers.
    forces: bool,
    /// Whether solids that turn may be there, and nothing that they cannot be beside.
    rigid: bool,
    /// Half of the room there is, m.
    span: f64,
    gravity: bool,
    /// Everything is to come to rest: rough and far from elastic, and nothing is driven.
    dull: bool,
    top: Map<String, Value>,
    bodies: Vec<Value>,
    rooms: Vec<Value>,
    materials: Vec<String>,
    /// Everything that stands or flies at the start.
    placed: Vec<Body>,
    /// Rooms that balls have to be in.
    closed: Vec<Closed>,
    files: Vec<(String, String)>,
}

impl Maker {
    fn new(kind: Kind, mut random: Random) -> Self {
        let forces = match kind {
            Kind::Forces => true,
            Kind::OneBall | Kind::Few => random.chance(0.04),
            _ => random.chance(0.1),
        };
        let rigid = match kind {
            Kind::Gas => false,
            Kind::Fields => random.chance(0.4),
            Kind::Few => random.chance(0.5),
            Kind::Rooms => random.chance(0.2),
            _ => random.chance(0.3),
        };
        let dull = match kind {
            Kind::OneBall | Kind::Few | Kind::Rooms => random.chance(0.2),
            _ => false,
        };
        let gravity = match kind {
            _ if dull => true,
            Kind::Gas => random.chance(0.2),
            _ => random.chance(0.75),
        };
        Maker {
            kind,
            plane: random.chance(0.5),
            forces,
            rigid,
            span: random.pick(&[0.8, 1.0, 1.5, 2.0]),
            gravity,
            dull,
            top: Map::new(),
            bodies: vec![],
            rooms: vec![],
            materials: vec![],
            placed: vec![],
            closed: vec![],
            files: vec![],
            random,
        }
    }

    fn make(mut self) -> Scene {
        self.basics();
        self.make_materials();
        match self.kind {
            Kind::OneBall => {
                let mut count = self.random.whole(1, 6);
                if self.random.chance(0.25) {
                    self.container();
                    count = count.min(2);
                } else if self.random.chance(0.4) {
                    self.corner();
                    count = count.min(3);
                }
                self.fixtures(count);
                self.free(1);
            }
            Kind::Few => {
                if self.random.chance(0.85) {
                    self.container();
                }
                let count = self.random.whole(0, 3);
                self.fixtures(count);
                let count = self.random.whole(2, 20);
                self.free(count);
            }
            Kind::Kinematic => self.kinematic(),
            Kind::Fields => {
                self.fields();
                let count = self.random.whole(0, 3);
                self.fixtures(count);
                let count = self.random.whole(1, 6);
                self.free(count);
            }
            Kind::Forces => {
                if self.random.chance(0.8) {
                    self.container();
                }
                let count = self.random.whole(0, 3);
                self.fixtures(count);
                let count = self.random.whole(1, 12);
                self.free(count);
            }
            Kind::Rooms => {
                self.hall();
                let count = self.random.whole(0, 2);
                self.fixtures(count);
                let count = self.random.whole(1, 10);
                self.free(count);
            }
            Kind::Gas | Kind::Rules | Kind::Joints => self.gas(),
        }
        self.extras();
        self.finish()
    }

    /// Time, gravity, and how the run is made.
    fn basics(&mut self) {
        let until = if self.forces {
            self.random.between(0.2, 1.0)
        } else if self.dull {
            self.random.between(3.0, 6.0)
        } else {
            self.random.between(0.5, 4.0)
        };
        self.top.insert("run".into(), json!({ "until": until }));
        self.top
            .insert("seed".into(), json!(self.random.whole(0, 1000)));
        if self.gravity {
            let strength = self.random.pick(&[9.81, 9.81, 9.81, 1.62, 20.0]);
            let down = self.down();
            let mut pull = crate::geometry::times(down, strength);
            if self.random.chance(0.1) {
                pull[0] += self.random.between(-5.0, 5.0);
            }
            let pull = self.vector(pull);
            self.top.insert("gravity".into(), pull);
        }
    }

    /// The direction of gravity: along the last axis.
    fn down(&self) -> V {
        if self.plane {
            [0.0, -1.0, 0.0]
        } else {
            [0.0, 0.0, -1.0]
        }
    }

    /// A vector as scenes have it.
    fn vector(&self, v: V) -> Value {
        if self.plane {
            json!([v[0], v[1]])
        } else {
            json!(v)
        }
    }

    /// A vector with components up to a size.
    fn any(&mut self, size: f64) -> V {
        let mut v = [0, 1, 2].map(|_| self.random.between(-size, size));
        if self.plane {
            v[2] = 0.0;
        }
        v
    }

    /// A spin up to a size: a number in the plane.
    fn angular_velocity(&mut self, size: f64) -> Value {
        if self.plane {
            return json!(self.random.between(-size, size));
        }
        let v = self.any(size);
        json!(v)
    }

    /// A direction: often along an axis.
    fn direction(&mut self) -> V {
        if self.random.chance(0.4) {
            let mut v = [0.0; 3];
            let axes = if self.plane { 1 } else { 2 };
            v[self.random.whole(0, axes)] = self.random.pick(&[1.0, -1.0]);
            return v;
        }
        loop {
            let v = self.any(1.0);
            if crate::geometry::length(v) > 0.2 {
                return v;
            }
        }
    }

    /// Whether a body can be where it is: clear of all others, and inside its room.
    fn fits(&self, body: &Body) -> bool {
        let inside = |room: &Closed| {
            body.forms
                .iter()
                .all(|form| centre(form).is_none_or(|c| room.holds(c, 0.0)))
        };
        let periods = picture::vector(self.top.get("periodic").unwrap_or(&Value::Null));
        let clear = |other: &Body| {
            !body.meets(other)
                || body.forms.iter().all(|a| {
                    other.forms.iter().all(|b| {
                        images(&periods).all(|shift| {
                            overlap(&a.moved(&Pose::by(shift)), b, self.plane)
                                .is_none_or(|depth| depth < -1e-3)
                        })
                    })
                })
        };
        (body.free || !self.placed.iter().any(|other| other.free))
            && self.placed.iter().filter(|other| !other.sensor).all(clear)
            && self.closed.iter().all(inside)
    }

    /// Adds a body where it fits; whether it did.
    fn add(&mut self, mut keys: Value) -> bool {
        if keys["name"].is_null() {
            keys["name"] = json!(format!(
                "{}{}",
                if keys["motion"].is_null() { "b" } else { "f" },
                self.bodies.len()
            ));
        }
        let mut body = picture::body(&keys, self.bodies.len() + 1, self.plane, &self.files);
        let start = body.drive.at(0.0);
        body.forms = body.forms.iter().map(|form| form.moved(&start)).collect();
        if body.free && !self.fits(&body) {
            return false;
        }
        self.placed.push(body);
        self.bodies.push(keys);
        true
    }

    /// Free bodies: balls, and solids where they may be.
    fn free(&mut self, count: usize) {
        let solids = self.rigid && self.kind != Kind::OneBall;
        let share = self.random.pick(&[0.3, 0.7, 1.0]);
        for _ in 0..count {
            for _ in 0..20 {
                let body = if solids && self.random.chance(share) {
                    self.solid(true)
                } else {
                    self.ball()
                };
                if self.add(body) {
                    break;
                }
            }
        }
        if !self.placed.iter().any(|body| body.free) {
            // There was no place: somewhere there always is.
            for distance in 1..50 {
                let mut body = self.ball();
                let mut place = [0.0; 3];
                place[if self.plane { 1 } else { 2 }] = f64::from(distance) * 0.2;
                body["position"] = self.vector(place);
                if self.add(body) {
                    break;
                }
            }
        }
    }

    fn ball(&mut self) -> Value {
        let radius = self.random.scale(0.04, 0.25) * self.span;
        let radius = crate::random::rounded(radius, 3);
        let place = self.any(0.95 * self.span);
        let mass = self.random.scale(0.1, 3.0);
        let mut ball = json!({ "shape": "ball", "radius": radius, "mass": mass, "position": self.vector(place) });
        self.move_freely(&mut ball);
        if self.random.chance(0.08) {
            ball["inertia"] = json!(crate::random::rounded(
                mass * radius * radius * self.random.between(0.1, 0.9),
                3
            ));
        } else if self.random.chance(0.04) {
            ball["inertia"] = json!("inf");
        }
        ball
    }

    /// Velocity, spin and material of a free body.
    fn move_freely(&mut self, body: &mut Value) {
        if self.random.chance(0.8) {
            let size = self.random.pick(&[0.5, 2.0, 5.0]);
            let velocity = self.any(size);
            body["velocity"] = self.vector(velocity);
        }
        if self.random.chance(0.5) {
            body["angular_velocity"] = self.angular_velocity(20.0);
        }
        body["material"] = json!(self.material());
    }

    fn material(&mut self) -> String {
        self.random.pick(&self.materials)
    }

    /// Options that go with anything.
    fn extras(&mut self) {
        if self.random.chance(0.1) {
            let interval = self.random.between(0.05, 0.5);
            self.top
                .insert("output".into(), json!({ "interval": interval }));
        }
        if self.random.chance(0.05) {
            self.top["run"]["rest"] = json!(self.random.pick(&[0.0, 1e-6, 0.01]));
        }
        if self.random.chance(0.05) {
            self.top["run"]["max_collisions"] = json!(self.random.whole(1, 200));
        }
        if !self.forces && self.random.chance(0.1) {
            self.top
                .insert("contact_time".into(), json!(self.random.scale(1e-6, 1e-2)));
        }
        if self.rigid && self.random.chance(0.2) {
            let solids = if self.random.chance(0.5) {
                json!({ "step": self.random.scale(0.001, 0.01) })
            } else {
                json!({ "settling_time": self.random.scale(0.001, 0.02), "iterations": self.random.pick(&[50, 500, 2000]) })
            };
            self.top.insert("rigid_bodies".into(), solids);
        }
        if self.random.chance(0.04) {
            self.top.insert(
                "observe".into(),
                json!({ "samples": self.random.whole(1, 50) }),
            );
        }
        if self.kind != Kind::Gas && self.random.chance(0.1) {
            self.sensor();
        }
        if self.random.chance(0.03) {
            self.variables();
        }
        if self.bodies.len() > 2 && self.random.chance(0.06) {
            self.groups();
        }
    }

    /// The end of the run, as a formula of variables.
    fn variables(&mut self) {
        let until = picture::number(&self.top["run"]["until"]);
        let half = match self.random.whole(0, 2) {
            0 => json!(0.5 * until),
            1 => json!([0.5 * until, until]),
            _ => json!({ "from": 0.5 * until, "to": until, "steps": 3 }),
        };
        self.top.insert(
            "variables".into(),
            json!({ "half": half, "two": "sqrt(4)" }),
        );
        self.top["run"]["until"] = json!("$two * $half");
        self.top
            .insert("title".into(), json!("Until a formula says so"));
    }

    /// Two teams, of which the first does not meet the second.
    fn groups(&mut self) {
        // Who is apart at the start stays so: fewer meet than before.
        for body in &mut self.bodies {
            let team = self.random.pick(&["red", "blue"]);
            body["groups"] = json!([team]);
            body["collides_with"] = if self.random.chance(0.5) {
                json!([team])
            } else {
                json!(["red", "blue"])
            };
        }
        // Each group has a member.
        self.bodies[0]["groups"] = json!(["red", "blue"]);
    }

    fn sensor(&mut self) {
        let mut gate = self.fixture();
        gate["sensor"] = json!(true);
        if ["hollow", "tube", "wall"].contains(&gate["shape"].as_str().unwrap_or("")) {
            return;
        }
        gate["motion"] = json!("static");
        gate["name"] = json!("gate");
        self.bodies.push(gate);
    }

    fn finish(mut self) -> Scene {
        self.top.insert("version".into(), json!(1));
        self.top
            .insert("dimension".into(), json!(if self.plane { 2 } else { 3 }));
        if !self.bodies.is_empty() {
            self.top.insert("bodies".into(), Value::Array(self.bodies));
        }
        if !self.rooms.is_empty() {
            self.top
                .insert("containers".into(), Value::Array(self.rooms));
        }
        // Drawn last, so that the scenes of before are the same but for that.
        if self.kind == Kind::Kinematic
            && self.random.chance(0.5)
            && let Some(Value::Object(run)) = self.top.get_mut("run")
        {
            run.insert("squeeze".into(), json!("stall"));
        }
        Scene {
            kind: self.kind,
            json: Value::Object(self.top),
            files: self.files,
        }
    }
}

/// The middle of a bounded form.
fn centre(form: &Form) -> Option<V> {
    match form {
        Form::Convex(convex) => Some(convex.around().0),
        Form::Cylinder { middle, .. } => Some(*middle),
        _ => None,
    }
}

/// The box itself and its neighbours, as shifts.
pub fn images(periods: &V) -> impl Iterator<Item = V> + use<> {
    let range = |length: f64| if length > 0.0 { -1..=1 } else { 0..=0 };
    let [a, b, c] = *periods;
    range(a).flat_map(move |x| {
        range(b).flat_map(move |y| {
            range(c).map(move |z| [f64::from(x) * a, f64::from(y) * b, f64::from(z) * c])
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_a_function_of_seed_and_number() {
        for index in 0..50 {
            let one = scene(3, index, None);
            assert_eq!(one, scene(3, index, None));
            assert_ne!(one.json, scene(4, index, None).json);
            assert_ne!(one.json, scene(3, index + 1, None).json);
        }
    }

    #[test]
    fn every_kind_is_in_the_mix_and_has_something_that_moves() {
        let mut seen = [0; 9];
        for index in 0..300 {
            let scene = scene(5, index, None);
            seen[scene.kind as usize] += 1;
            if scene.kind == Kind::Rules {
                continue; // they have bodies that no picture knows
            }
            let picture = picture::read(&scene.json, &scene.files);
            let moves =
                picture.bodies.iter().any(|body| body.free) || !scene.json["generate"].is_null();
            assert!(moves, "scene {index}: {:#}", scene.json);
        }
        assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
    }
}
