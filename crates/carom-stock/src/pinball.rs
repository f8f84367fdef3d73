//! A pinball table, seen from above.
//!
//! ```text
//!        .-- arc --.          y = 1.07 m
//!      /  o   o   o  \        rollovers
//!     |     O   O     /|      bumpers; at the right the gate over the lane
//!     t       O      t |      bumper, targets at the walls
//!     |  \         / | |      slingshots
//!     |              | |
//!      \__         __/ |      guides
//!         \__   __/  |p|      flippers; the plunger in its lane
//!     |     drain    | |      y = 0
//! ```
//!
//! The table is the plane, tilted: gravity pulls down it with g sin α. The ball is a disc that can spin about the
//! normal of the table. A plunger strikes it out of its lane, whose gate shuts behind it; bumpers and slingshots throw
//! it back faster than it came (ε > 1); the flippers swing while their keys are held; the drain takes it out, and the
//! next one comes.

use carom::body::{Body, CollisionFilter};
use carom::material::{Material, MaterialError, MaterialId};
use carom::motion::Pose;
use carom::shape::{Arc, Block, Segment, Shape, Shape2, ShapeError};
use carom::simulate::{Action, ActionTarget, Mount, Simulation, SimulationError, Trigger};
use carom::space::{Space2, Turn};
use carom::world::{BodyId, World2, WorldError};
use glam::DVec2;
use std::f64::consts::PI;
use thiserror::Error;

/// What can be chosen of a pinball table.
///
/// ```
/// use carom_stock::Pinball;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut game = Pinball::default().table()?;
/// game.run_until(3.0)?;
/// println!("{} points", game.score("points"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pinball {
    /// α, rad: default: 6.5°.
    pub slope: f64,
    /// How many there are, one after the other: 3.
    pub balls: u64,
    /// Of bumpers against the ball: 1.3.
    pub bumper_restitution: f64,
    /// Speed of the plunger, m/s: 2.
    pub plunger_speed: f64,
    /// Whether a simple player presses the key of a flipper when a ball comes near it; otherwise the keys `left` and
    /// `right` wait for [`Simulation::press`].
    pub player: bool,
}

impl Default for Pinball {
    fn default() -> Self {
        Pinball {
            slope: 6.5 * PI / 180.0,
            balls: 3,
            bumper_restitution: 1.3,
            plunger_speed: 2.0,
            player: true,
        }
    }
}

/// Why a table cannot be.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PinballError {
    /// A number is not allowed.
    #[error("{field} is {value}, but must be {allowed}")]
    Number {
        /// Of [`Pinball`].
        field: &'static str,
        /// As given.
        value: f64,
        /// What is allowed there.
        allowed: &'static str,
    },
    /// A shape cannot be.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A material cannot be.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A body cannot be.
    #[error(transparent)]
    World(#[from] WorldError),
    /// Bodies overlap, or a rule of the game cannot be.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

/// m: from the left wall to that of the lane.
const FIELD: f64 = 0.50;
/// m: to the right wall.
const WIDTH: f64 = 0.54;
/// Where the arc begins, m.
const SHOULDER: f64 = 0.80;
/// Where the wall of the lane ends and the gate begins, m.
const LANE_TOP: f64 = 0.74;
/// The top of the plunger at rest, m.
const PLUNGER_TOP: f64 = 0.10;
/// How far the plunger goes up, m.
const PLUNGER_STROKE: f64 = 0.04;
/// Of the ball, m: 27 mm across.
const RADIUS: f64 = 0.0135;
/// Of the ball, kg.
const MASS: f64 = 0.081;
/// Of a flipper, m.
const FLIPPER: f64 = 0.08;
/// Of the left flipper, m; the right one's is its mirror image.
const PIVOT: DVec2 = DVec2::new(0.155, 0.115);
/// How far flippers hang down, rad.
const HANG: f64 = PI / 6.0;
/// How far flippers swing, rad.
const SWING: f64 = 55.0 * PI / 180.0;
/// rad/s, up.
const UP: f64 = 25.0;
/// rad/s, back.
const BACK: f64 = 12.0;

/// A gate that is open collides with nothing.
const OPEN: CollisionFilter = CollisionFilter {
    memberships: 0,
    mask: 0,
};

/// The bodies that rules are about.
struct Parts {
    bumpers: Vec<BodyId>,
    slings: Vec<BodyId>,
    targets: Vec<BodyId>,
    rollovers: Vec<BodyId>,
    /// With pivot, sense, key, and the sensor over it.
    flippers: Vec<(BodyId, DVec2, f64, &'static str, BodyId)>,
    plunger: BodyId,
    ready: BodyId,
    lane: BodyId,
    gate: BodyId,
    drain: BodyId,
    steel: MaterialId,
}

impl Pinball {
    /// The table with the first ball on the plunger, and the rules of the game. Points are under the score `points`;
    /// the game ends when the last ball has gone down the drain.
    pub fn table(&self) -> Result<Simulation<Space2>, PinballError> {
        self.check()?;
        let (world, parts) = self.world()?;
        let mut game = Simulation::new(world)?;
        self.lane_rules(&mut game, &parts)?;
        scores(&mut game, &parts)?;
        self.flipper_rules(&mut game, &parts)?;
        Ok(game)
    }

    fn check(&self) -> Result<(), PinballError> {
        let numbers = [
            (
                "slope",
                self.slope,
                self.slope > 0.0 && self.slope < 0.5 * PI,
                "an angle between 0 and π/2",
            ),
            ("balls", self.balls as f64, self.balls > 0, "one or more"),
            (
                "plunger_speed",
                self.plunger_speed,
                self.plunger_speed > 0.0 && self.plunger_speed.is_finite(),
                "positive and finite",
            ),
            (
                "bumper_restitution",
                self.bumper_restitution,
                self.bumper_restitution >= 0.0 && self.bumper_restitution.is_finite(),
                "finite and not negative",
            ),
        ];
        match numbers.iter().find(|(_, _, allowed, _)| !allowed) {
            None => Ok(()),
            Some(&(field, value, _, allowed)) => Err(PinballError::Number {
                field,
                value,
                allowed,
            }),
        }
    }

    fn ball(&self, steel: MaterialId) -> Result<Body<Space2>, PinballError> {
        let place = DVec2::new(0.5 * (FIELD + WIDTH), PLUNGER_TOP + RADIUS);
        let ball = Body::ball(RADIUS, MASS, place, DVec2::ZERO)?;
        Ok(ball.named("ball").made_of(steel))
    }

    /// Longer than most: the list of all that is on the table, each thing with its place.
    fn world(&self) -> Result<(World2, Parts), PinballError> {
        let mut world = World2::new();
        world.set_gravity(DVec2::new(0.0, -9.81 * libm::sin(self.slope)))?;
        // A ball that runs along the top or is pushed along by a flipper bounces there ever faster; a real contact
        // lasts about that long.
        world.set_contact_time(Some(1e-4))?;
        // Between two materials ε is the geometric mean, and that of the ball's is 1: what is given here is ε against
        // the ball.
        let mut made = |name: &str, restitution: f64| {
            let material = Material {
                restitution: restitution * restitution,
                static_friction: 0.1,
                kinetic_friction: 0.1,
                ..Material::default()
            };
            world.materials.add(name, material)
        };
        let steel = made("steel", 1.0)?;
        let wood = made("wood", 0.5)?;
        let rubber = made("rubber", 0.6)?;
        let sling = made("sling", 1.2)?;
        let bumper = made("bumper", self.bumper_restitution)?;
        let mut add = |body: Body<Space2>| world.add(body);

        for (name, from, to) in [
            ("left wall", (0.0, -0.1), (0.0, SHOULDER)),
            ("right wall", (WIDTH, -0.1), (WIDTH, SHOULDER)),
            ("lane wall", (FIELD, -0.1), (FIELD, LANE_TOP)),
            ("left guide", (0.0, 0.22), (PIVOT.x, PIVOT.y)),
            ("right guide", (FIELD, 0.22), (FIELD - PIVOT.x, PIVOT.y)),
        ] {
            add(line(name, from, to)?.made_of(wood))?;
        }
        let arc = Arc::new(DVec2::new(0.5 * WIDTH, SHOULDER), 0.5 * WIDTH, 0.0, PI)?;
        let arc = Body::fixed(Shape::own(Shape2::Arc(arc)));
        add(arc.named("top").made_of(wood))?;
        let bottom = Shape::half_space(DVec2::Y)?;
        let bottom = Body::fixed(bottom).at(DVec2::new(0.0, -0.1));
        add(bottom.named("bottom").made_of(wood))?;

        let mut bumpers = Vec::new();
        for (number, (x, y)) in [(0.17, 0.72), (0.33, 0.72), (0.25, 0.60)]
            .iter()
            .enumerate()
        {
            let round = Shape::ball(0.03)?;
            let body = Body::fixed(round).at(DVec2::new(*x, *y));
            let name = format!("bumper {}", number + 1);
            bumpers.push(add(body.named(&name).made_of(bumper))?);
        }
        let mut slings = Vec::new();
        for (name, from, to) in [
            ("left sling", (0.07, 0.36), (0.12, 0.23)),
            ("right sling", (FIELD - 0.07, 0.36), (FIELD - 0.12, 0.23)),
        ] {
            slings.push(add(line(name, from, to)?.made_of(sling))?);
        }
        let mut targets = Vec::new();
        for (name, x) in [("left target", 0.002), ("right target", FIELD - 0.002)] {
            targets.push(add(line(name, (x, 0.47), (x, 0.53))?.made_of(rubber))?);
        }
        let mut rollovers = Vec::new();
        for (number, (x, y)) in [(0.15, 0.88), (0.27, 0.92), (0.39, 0.88)]
            .iter()
            .enumerate()
        {
            let round = Shape::ball(0.008)?;
            let body = Body::fixed(round).at(DVec2::new(*x, *y));
            let name = format!("rollover {}", number + 1);
            rollovers.push(add(body.named(&name).sensing())?);
        }
        let mut flippers = Vec::new();
        for (key, pivot, sense) in [
            ("left", PIVOT, 1.0),
            ("right", DVec2::new(FIELD - PIVOT.x, PIVOT.y), -1.0),
        ] {
            let bat = Segment::new(DVec2::ZERO, DVec2::new(sense * FLIPPER, 0.0))?;
            let pose = Pose {
                position: pivot,
                rotation: Turn::by(-sense * HANG),
            };
            let bat = Body::fixed(Shape::own(Shape2::Segment(bat))).pose(pose);
            let flipper = add(bat.named(&format!("{key} flipper")).made_of(rubber))?;
            let over = pivot + DVec2::new(sense * 0.055, 0.0);
            let over = zone(&format!("over {key}"), over, DVec2::new(0.018, 0.012))?;
            flippers.push((flipper, pivot, sense, key, add(over)?));
        }

        let middle = 0.5 * (FIELD + WIDTH);
        let plunger = Block::new(DVec2::new(0.015, 0.02))?;
        let plunger = Shape::Block(plunger);
        let plunger = Body::fixed(plunger).at(DVec2::new(middle, PLUNGER_TOP - 0.02));
        let plunger = add(plunger.named("plunger").made_of(wood))?;
        let ready = DVec2::new(middle, PLUNGER_TOP + RADIUS);
        let ready = add(zone("ready", ready, DVec2::new(0.01, 0.005))?)?;
        // It holds all of the gate, so that a ball that is clear of it is clear of the gate.
        let (low, high) = (PLUNGER_TOP, SHOULDER + 0.01);
        let lane = DVec2::new(middle, 0.5 * (low + high));
        let half = DVec2::new(0.5 * (WIDTH - FIELD), 0.5 * (high - low));
        let lane = add(zone("lane", lane, half)?)?;
        let gate = line("gate", (FIELD, LANE_TOP), (WIDTH, SHOULDER))?;
        let gate = gate.made_of(wood).in_groups(OPEN.memberships, OPEN.mask);
        let gate = add(gate)?;
        let drain = DVec2::new(0.5 * FIELD, -0.02);
        let drain = add(zone("drain", drain, DVec2::new(0.5 * FIELD, 0.04))?)?;
        add(self.ball(steel)?)?;
        let parts = Parts {
            bumpers,
            slings,
            targets,
            rollovers,
            flippers,
            plunger,
            ready,
            lane,
            gate,
            drain,
            steel,
        };
        Ok((world, parts))
    }

    /// The plunger strikes, the gate shuts, the drain takes the ball out and the next one comes.
    fn lane_rules(&self, game: &mut Simulation<Space2>, parts: &Parts) -> Result<(), PinballError> {
        let &Parts {
            plunger,
            ready,
            lane,
            gate,
            drain,
            ..
        } = parts;
        game.mount(plunger, Mount::Rail)?;
        let slide = |height: f64, speed: f64| Action::Slide {
            body: plunger,
            to: DVec2::new(0.0, height),
            speed,
        };
        let shot = vec![
            slide(PLUNGER_STROKE, self.plunger_speed).after(0.5),
            slide(0.0, 0.2).after(0.8),
        ];
        game.on(Trigger::entered(ready), Action::All(shot))?;
        game.on(
            Trigger::left(lane),
            Action::CollisionFilter(gate.into(), CollisionFilter::ALL),
        )?;
        let lost = vec![
            Action::Remove(ActionTarget::Ball),
            Action::score("lost", 1),
            Action::CollisionFilter(gate.into(), OPEN),
        ];
        game.on(Trigger::entered(drain), Action::All(lost))?;
        let more = self.balls - 1;
        if more > 0 {
            let next = Action::insert(self.ball(parts.steel)?).after(1.0);
            game.on(Trigger::entered(drain).first(more), next)?;
        }
        game.on(Trigger::entered(drain).nth(self.balls), Action::End)?;
        Ok(())
    }

    fn flipper_rules(
        &self,
        game: &mut Simulation<Space2>,
        parts: &Parts,
    ) -> Result<(), PinballError> {
        for &(body, pivot, sense, key, over) in &parts.flippers {
            let axis = sense;
            game.mount(body, Mount::Hinge { pivot, axis })?;
            let swing = |to, speed| Action::Swing { body, to, speed };
            game.on(Trigger::pressed(key), swing(SWING, UP))?;
            game.on(Trigger::released(key), swing(0.0, BACK))?;
            if self.player {
                let stroke = vec![Action::press(key), Action::release(key).after(0.15)];
                game.on(Trigger::entered(over), Action::All(stroke))?;
            }
        }
        Ok(())
    }
}

fn scores(game: &mut Simulation<Space2>, parts: &Parts) -> Result<(), PinballError> {
    for (bodies, points) in [
        (&parts.bumpers, 100),
        (&parts.slings, 10),
        (&parts.targets, 50),
    ] {
        for &body in bodies {
            game.on(Trigger::hit(body), Action::score("points", points))?;
        }
    }
    for &target in &parts.targets {
        // Every third hit of a target is worth more.
        game.on(Trigger::hit(target).each(3), Action::score("points", 500))?;
    }
    for &rollover in &parts.rollovers {
        game.on(Trigger::entered(rollover), Action::score("points", 25))?;
    }
    Ok(())
}

/// A wall from one point to another.
fn line(name: &str, from: (f64, f64), to: (f64, f64)) -> Result<Body<Space2>, ShapeError> {
    let wall = Segment::new(from.into(), to.into())?;
    let wall = Shape::own(Shape2::Segment(wall));
    Ok(Body::fixed(wall).named(name))
}

/// A sensor about a point.
fn zone(name: &str, middle: DVec2, half: DVec2) -> Result<Body<Space2>, ShapeError> {
    let block = Shape::block(half)?;
    Ok(Body::fixed(block).at(middle).named(name).sensing())
}
