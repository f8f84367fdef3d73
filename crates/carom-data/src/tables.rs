//! The tables of a run folder: which columns they have, and how a row is made.
//!
//! Columns of vectors are named by their axes (`impulse_x`, `impulse_y`, `impulse_z`); an angular velocity is one
//! column in 2-D and three in 3-D.

use crate::space::DataSpace;
use crate::table::{Column, Row, Rows};
use carom::audit::Audit;
use carom::body::{Body, Kind};
use carom::record::Mode;
use carom::record::{
    Change, Collision, Event, Regime, Release, SensorCrossing, Transition, Velocities,
};
use carom::shape::Shape;
use carom::simulate::State;
use carom::space::{Space, Space2, Space3};
use carom::world::{BodyId, World};
use carom_scene::shape_name;
use std::borrow::Cow;

/// What the friction did, in a word.
pub fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Idle => "idle",
        Mode::Frictionless => "frictionless",
        Mode::Stick => "stick",
        Mode::Slide => "slide",
        Mode::SlipReversed => "slip reversed",
        Mode::Damped => "damped",
    }
}

/// How a body moves, in a word.
pub fn motion_name<S: Space>(kind: &Kind<S>) -> &'static str {
    match kind {
        Kind::Free(_) => "free",
        Kind::Static => "static",
        Kind::Kinematic(_) => "kinematic",
    }
}

/// As many numbers as the space has dimensions.
fn components<S: Space>(vector: S::Vector) -> [f64; 3] {
    S::components(vector)
}

fn vector<'a, S: DataSpace>(
    name: &'a str,
    unit: &'static str,
) -> impl Iterator<Item = Column> + 'a {
    let column = move |axis: &&str| Column::number(format!("{name}_{axis}"), unit);
    S::AXES.iter().map(column)
}

/// `events`: one row for each collision, each sensor crossing, each transition, each end of a contact of measurable
/// duration, each action and each change that it made, in the order in which they happen.
pub fn event_columns<S: DataSpace>() -> Vec<Column> {
    let mut columns = vec![
        Column::integer("number"),
        Column::text("kind"),
        Column::number("time", "s"),
        Column::integer("a"),
        Column::integer("b"),
    ];
    columns.extend(vector::<S>("point", "m"));
    columns.extend(vector::<S>("normal", ""));
    columns.extend(vector::<S>("impulse", "kg·m/s"));
    columns.push(Column::text("mode"));
    for side in ["a", "b"] {
        for when in ["before", "after"] {
            let column = |name: &str, unit| Column::number(format!("{side}_{name}_{when}"), unit);
            let axes = S::AXES.iter();
            columns.extend(axes.map(|axis| column(&format!("velocity_{axis}"), "m/s")));
            columns.extend(S::ANGULAR_VELOCITY.iter().map(|name| column(name, "rad/s")));
        }
    }
    for (name, unit) in [
        ("energy_lost", "J"),
        ("lost_to_friction", "J"),
        ("gap", "m"),
        ("duration", "s"),
        ("approach_speed", "m/s"),
    ] {
        columns.push(Column::number(name, unit));
    }
    columns
}

/// How many columns of an event are numbers of a collision alone.
fn event_numbers<S: DataSpace>() -> (usize, usize) {
    let dimension = S::AXES.len();
    (
        3 * dimension,
        4 * (dimension + S::ANGULAR_VELOCITY.len()) + 5,
    )
}

/// Fills a row of `events`.
pub fn event_row<S: DataSpace>(event: &Event<'_, S>, row: &mut Row<'_>) {
    match event {
        Event::Collision(collision) => collision_row(collision, row),
        Event::Entered(passage) => passage_row::<S>("entered", passage, row),
        Event::Left(passage) => passage_row::<S>("left", passage, row),
        Event::Released(release) => release_row::<S>(release, row),
        Event::Transition(transition) => transition_row::<S>(transition, row),
        Event::Edited(edit) => {
            let (kind, body) = change_name(edit.change);
            plain_row::<S>(kind, edit.time, [body, None], "", row);
        }
        Event::Action(entry) => {
            // What it is comes first, so that texts can be told from words.
            let what = format!("{}: {}", entry.kind.name(), entry.what);
            plain_row::<S>("action", entry.time, [entry.ball, None], what, row);
        }
        _ => (),
    }
}

/// What was changed from outside, in a word, and the body that it was.
pub fn change_name(change: Change) -> (&'static str, Option<BodyId>) {
    match change {
        Change::Inserted(id) => ("inserted", Some(id)),
        Change::Removed(id) => ("removed", Some(id)),
        Change::Velocity(id) => ("velocity", Some(id)),
        Change::Velocities => ("velocities", None),
        Change::Position(id) => ("position", Some(id)),
        Change::Material(id) => ("material", Some(id)),
        Change::CollisionFilter(id) => ("groups", Some(id)),
        Change::Materials => ("materials", None),
        Change::Gravity => ("gravity", None),
        Change::Fields => ("fields", None),
        Change::Drive(id) => ("drive", Some(id)),
        Change::Load(id) => ("force", Some(id)),
        Change::Stalled(id) => ("stalled", Some(id)),
        _ => ("other", None),
    }
}

/// A row without numbers: bodies that do not take part are −1.
fn plain_row<S: DataSpace>(
    kind: &'static str,
    time: f64,
    bodies: [Option<BodyId>; 2],
    what: impl Into<Cow<'static, str>>,
    row: &mut Row<'_>,
) {
    let (before, after) = event_numbers::<S>();
    let [a, b] = bodies.map(|body| body.map_or(-1, |id| i64::from(id.0)));
    row.integer(0).text(kind).number(time).integer(a).integer(b);
    for _ in 0..before {
        row.number(f64::NAN);
    }
    row.text(what);
    for _ in 0..after {
        row.number(f64::NAN);
    }
}

/// Whether there is a row for it.
pub fn has_row<S: Space>(event: &Event<'_, S>) -> bool {
    matches!(
        event,
        Event::Collision(_)
            | Event::Entered(_)
            | Event::Left(_)
            | Event::Released(_)
            | Event::Transition(_)
            | Event::Edited(_)
            | Event::Action(_)
    )
}

fn collision_row<S: DataSpace>(collision: &Collision<S>, row: &mut Row<'_>) {
    row.integer(collision.number as i64)
        .text("collision")
        .number(collision.time)
        .integer(collision.a.0.into())
        .integer(collision.b.0.into());
    let dimension = S::AXES.len();
    for vector in [collision.point, collision.normal, collision.impulse] {
        row.numbers(&components::<S>(vector)[..dimension]);
    }
    row.text(mode_name(collision.mode));
    for side in 0..2 {
        for velocities in [&collision.before[side], &collision.after[side]] {
            velocity_numbers(velocities, row);
        }
    }
    row.number(collision.energy_lost)
        .number(collision.lost_to_friction)
        .number(collision.gap)
        .number(collision.duration)
        .number(collision.approach_speed);
}

fn velocity_numbers<S: DataSpace>(velocities: &Velocities<S>, row: &mut Row<'_>) {
    row.numbers(&components::<S>(velocities.velocity)[..S::AXES.len()])
        .numbers(
            &S::angular_velocity_numbers(velocities.angular_velocity)[..S::ANGULAR_VELOCITY.len()],
        );
}

fn passage_row<S: DataSpace>(kind: &'static str, passage: &SensorCrossing, row: &mut Row<'_>) {
    let (before, after) = event_numbers::<S>();
    row.integer(0)
        .text(kind)
        .number(passage.time)
        .integer(passage.ball.0.into())
        .integer(passage.sensor.0.into());
    for _ in 0..before {
        row.number(f64::NAN);
    }
    row.text("");
    for _ in 0..after {
        row.number(f64::NAN);
    }
}

/// How a ball moves on what it touches, in a word.
pub fn regime_name(regime: Option<Regime>) -> &'static str {
    match regime {
        None => "flying",
        Some(Regime::Sliding) => "sliding",
        Some(Regime::Rolling) => "rolling",
        Some(Regime::Spinning) => "spinning",
        Some(Regime::Resting) => "resting",
    }
}

/// How the ball moves from now on is in the place of what the friction did. What touches nothing has no b: −1.
fn transition_row<S: DataSpace>(transition: &Transition, row: &mut Row<'_>) {
    let (before, after) = event_numbers::<S>();
    row.integer(0)
        .text("transition")
        .number(transition.time)
        .integer(transition.ball.0.into())
        .integer(transition.on.map_or(-1, |id| id.0.into()));
    for _ in 0..before {
        row.number(f64::NAN);
    }
    row.text(regime_name(transition.regime));
    for _ in 0..after {
        row.number(f64::NAN);
    }
}

/// What ended a contact is in the place of what the friction did.
fn release_row<S: DataSpace>(release: &Release, row: &mut Row<'_>) {
    let (before, after) = event_numbers::<S>();
    row.integer(0)
        .text("released")
        .number(release.time)
        .integer(release.a.0.into())
        .integer(release.b.0.into());
    for _ in 0..before {
        row.number(f64::NAN);
    }
    row.text(release.separation.name());
    for _ in 2..after {
        row.number(f64::NAN);
    }
    row.number(release.duration).number(f64::NAN);
}

/// `frames`: one row for each moving body at each instant of output.
pub fn frame_columns<S: DataSpace>() -> Vec<Column> {
    let mut columns = vec![
        Column::integer("frame").repeating(),
        Column::number("time", "s").repeating(),
        Column::integer("body"),
    ];
    let numbers = |name: &&'static str, unit| Column::number(*name, unit);
    columns.extend(S::AXES.iter().map(|name| numbers(name, "m")));
    let rotation_unit = if S::ROTATION.len() == 1 { "rad" } else { "" };
    columns.extend(S::ROTATION.iter().map(|name| numbers(name, rotation_unit)));
    columns.extend(vector::<S>("velocity", "m/s"));
    columns.extend(
        S::ANGULAR_VELOCITY
            .iter()
            .map(|name| numbers(name, "rad/s")),
    );
    columns
}

/// The bytes of a row of `frames`, in memory and before compression.
pub fn frame_bytes(dimension: usize) -> u64 {
    8 * match dimension {
        2 => frame_columns::<Space2>().len() as u64,
        _ => frame_columns::<Space3>().len() as u64,
    }
}

/// The bytes of a row of `audit`.
pub fn audit_bytes(dimension: usize) -> u64 {
    8 * match dimension {
        2 => audit_columns::<Space2>().len() as u64,
        _ => audit_columns::<Space3>().len() as u64,
    }
}

/// Fills a row of `frames`.
pub fn frame_row<S: DataSpace>(
    frame: u64,
    time: f64,
    body: BodyId,
    state: &State<S>,
    row: &mut Row<'_>,
) {
    let dimension = S::AXES.len();
    row.integer(frame as i64)
        .number(time)
        .integer(body.0.into())
        .numbers(&components::<S>(state.position)[..dimension])
        .numbers(&S::rotation_numbers(state.rotation)[..S::ROTATION.len()])
        .numbers(&components::<S>(state.velocity)[..dimension])
        .numbers(&S::angular_velocity_numbers(state.angular_velocity)[..S::ANGULAR_VELOCITY.len()]);
}

/// `audit`: the budgets at each instant of output.
pub fn audit_columns<S: DataSpace>() -> Vec<Column> {
    let mut columns = vec![
        Column::integer("frame"),
        Column::number("time", "s"),
        Column::integer("collisions"),
    ];
    let energies = [
        "translational",
        "rotational",
        "potential",
        "energy",
        "lost_in_collisions",
        "lost_to_restitution",
        "lost_to_friction",
        "energy_added",
        "work_by_kinematic",
        "energy_residual",
    ];
    columns.extend(energies.map(|name| Column::number(name, "J")));
    for name in [
        "momentum",
        "momentum_from_fixtures",
        "momentum_from_gravity",
        "momentum_residual",
    ] {
        columns.extend(vector::<S>(name, "kg·m/s"));
    }
    for name in ["angular_momentum", "angular_residual"] {
        columns.extend(S::ANGULAR_VELOCITY.iter().map(|component| {
            let axis = component
                .strip_prefix("angular_velocity")
                .unwrap_or_default();
            Column::number(format!("{name}{axis}"), "kg·m²/s")
        }));
    }
    columns.push(Column::number("deepest_overlap", "m"));
    columns.extend(LASTING.map(|name| Column::number(name, "J")));
    columns
}

/// What the audit knew later than the rest, J: after the older columns, so that those stay where they were.
const LASTING: [&str; 11] = [
    "in_contact",
    "lost_to_sliding",
    "lost_to_rolling",
    "lost_to_spinning",
    "lost_to_settling",
    "lost_to_dampers",
    "lost_to_fields",
    "given",
    "lost_to_steps",
    "external_work",
    "shear_work",
];

/// Columns that the first run folders did not have, and the version that they came with.
const ADDED: [(&str, u64); 4] = [
    ("approach_speed", 2),
    ("lost_to_steps", 2),
    ("external_work", 3),
    ("shear_work", 3),
];

/// The first version of run folders that has a column.
pub fn since(column: &str) -> u64 {
    let added = ADDED.iter().find(|(name, _)| *name == column);
    added.map_or(1, |(_, version)| *version)
}

/// Parts of names of columns, and what they were in run folders of versions 1 and 2.
const OLD_NAMES: [(&str, &str); 8] = [
    ("angular_velocity", "spin"),
    ("orientation_", "turn_"),
    ("approach_speed", "closing_speed"),
    ("translational", "kinetic"),
    ("energy_added", "put_in"),
    ("work_by_kinematic", "work_by_driven"),
    ("_residual", "_imbalance"),
    ("_from_fixtures", "_from_scenery"),
];

/// What a column was called in run folders of versions 1 and 2.
pub fn old_name(column: &str) -> String {
    let renamed = OLD_NAMES.iter().find(|(new, _)| column.contains(new));
    renamed.map_or_else(|| column.to_owned(), |(new, old)| column.replace(new, old))
}

/// The same for a body that is not there: no numbers.
pub fn absent_row<S: DataSpace>(frame: u64, time: f64, body: BodyId, row: &mut Row<'_>) {
    row.integer(frame as i64)
        .number(time)
        .integer(body.0.into());
    let numbers = 2 * S::AXES.len() + S::ROTATION.len() + S::ANGULAR_VELOCITY.len();
    for _ in 0..numbers {
        row.number(f64::NAN);
    }
}

/// Fills a row of `audit`. In a periodic box there is no angular momentum: NaN.
pub fn audit_row<S: DataSpace>(
    frame: u64,
    time: f64,
    collisions: u64,
    audit: &Audit<S>,
    row: &mut Row<'_>,
) {
    let losses = [audit.losses.between_balls, audit.losses.with_fixtures];
    let sum = |cause: fn(&carom::audit::Loss) -> f64| losses.iter().map(cause).sum::<f64>();
    row.integer(frame as i64)
        .number(time)
        .integer(collisions as i64)
        .numbers(&[
            audit.now.translational,
            audit.now.rotational,
            audit.now.potential,
            audit.now.total(),
            audit.lost_in_collisions,
            sum(|loss| loss.restitution),
            sum(|loss| loss.friction),
            sum(|loss| loss.energy_added + loss.energy_added_by_friction),
            audit.work_by_kinematic,
            audit.energy_residual,
        ]);
    for vector in [
        audit.momentum,
        audit.momentum_from_fixtures,
        audit.momentum_from_gravity,
        audit.momentum_residual,
    ] {
        row.numbers(&components::<S>(vector)[..S::AXES.len()]);
    }
    let angular = audit.angular_momentum.as_ref();
    for angular_velocity in [angular.map(|a| a.now), angular.map(|a| a.residual)] {
        let numbers = angular_velocity.map_or([f64::NAN; 3], S::angular_velocity_numbers);
        row.numbers(&numbers[..S::ANGULAR_VELOCITY.len()]);
    }
    let lasting = &audit.losses.lasting;
    row.number(audit.deepest_overlap).numbers(&[
        audit.in_contact.energy,
        lasting.sliding - lasting.energy_added_by_friction,
        lasting.rolling,
        lasting.spinning,
        lasting.settling,
        lasting.damping,
        audit.losses.fields,
        audit.given,
        lasting.stepping + lasting.projection + audit.losses.integration,
        audit.external_work,
        audit.shear_work,
    ]);
}

/// `bodies`: their names and properties.
pub fn body_columns() -> Vec<Column> {
    vec![
        Column::integer("body"),
        Column {
            repeats: false,
            ..Column::text("name")
        },
        Column::text("shape"),
        Column::text("material"),
        Column::text("motion"),
        Column::number("radius", "m").repeating(),
        Column::number("mass", "kg").repeating(),
        Column::number("inertia", "kg·m²").repeating(),
    ]
}

/// All rows of `bodies`; static ones that actions may move are kinematic.
pub fn body_rows<S: DataSpace>(world: &World<S>, movers: &[u32]) -> Rows {
    let mut rows = Rows::new(&body_columns());
    for (id, body) in (0..).zip(world.bodies()) {
        let motion = match &body.kind {
            Kind::Static if movers.contains(&id) => "kinematic",
            kind => motion_name(kind),
        };
        let material = world.materials.name(body.material);
        body_row(id.into(), body, material, motion, &mut rows);
    }
    rows
}

fn body_row<S: DataSpace>(
    id: i64,
    body: &Body<S>,
    material: &str,
    motion: &'static str,
    rows: &mut Rows,
) {
    let radius = match &body.shape {
        Shape::Ball(ball) => ball.radius,
        _ => f64::NAN,
    };
    let (mass, inertia) = match &body.kind {
        Kind::Free(free) => (free.mass, free.inertia),
        _ => (f64::NAN, f64::NAN),
    };
    rows.row()
        .integer(id)
        .text(body.name.to_string())
        .text(shape_name(&body.shape))
        .text(material.to_owned())
        .text(motion)
        .number(radius)
        .number(mass)
        .number(inertia);
}
