//! What is to happen later, as bytes: a run that goes on another day does the same things at the same instants.

use super::{
    Action, ActionRule, ActionTarget, Bodies, Cause, Condition, Director, DueAction, Entry,
    EntryKind, Job, Measured, Mount, Mounted, Parties, Relation, Repeat, Trigger, Which,
};
use crate::codec::{Reader, SnapshotError, Stored, invalid, stored_fields};
use crate::motion::Fields;
use crate::simulate::compiled::Engines;
use crate::simulate::engine::Engine;
use crate::snapshot::{unwrapped, wrapped};
use crate::world::BodyId;
use std::collections::BTreeSet;

/// The first byte of a snapshot that holds what is to happen later besides a run.
pub(in crate::simulate) const SNAPSHOT_KIND: u8 = 0xd1;

/// As deep as actions may be nested in bytes that are read: no stack overflows on what nobody wrote.
const DEEPEST: usize = 100;

stored_fields!(Parties { ball, other });
stored_fields!(Repeat {
    from,
    interval,
    number,
    last
});
stored_fields!(Trigger { cause, which });
stored_fields!(Condition {
    of,
    relation,
    value
});
stored_fields!(Entry {
    time,
    order,
    ball,
    kind,
    what
});
stored_fields!(DueAction<S> { order, sequence, who, job } where S: Engines);
stored_fields!(ActionRule<S> { order, trigger, occurrences, action, held } where S: Engines);
stored_fields!(Mounted<S> { how, rest, drive, moves } where S: Engines);

impl Stored for usize {
    fn store(&self, out: &mut Vec<u8>) {
        (*self as u64).store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let number = u64::load(input)?;
        usize::try_from(number).or_else(|_| invalid(format!("{number} is too large")))
    }
}

/// One of a list, by its place.
fn store_place<T: PartialEq>(all: &[T], it: &T, out: &mut Vec<u8>) {
    let place = all.iter().position(|other| other == it).unwrap_or(0);
    (place as u8).store(out);
}

fn load_place<T: Copy>(all: &[T], input: &mut Reader<'_>) -> Result<T, SnapshotError> {
    let place = u8::load(input)?;
    match all.get(usize::from(place)) {
        Some(it) => Ok(*it),
        None => invalid(format!("there is no {place} among {}", all.len())),
    }
}

impl Stored for EntryKind {
    fn store(&self, out: &mut Vec<u8>) {
        store_place(&EntryKind::ALL, self, out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        load_place(&EntryKind::ALL, input)
    }
}

impl Stored for Relation {
    fn store(&self, out: &mut Vec<u8>) {
        store_place(&Relation::ALL, self, out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        load_place(&Relation::ALL, input)
    }
}

fn unknown<T>(what: &str, code: u8) -> Result<T, SnapshotError> {
    invalid(format!("there is no {what} {code}"))
}

impl Stored for Which {
    fn store(&self, out: &mut Vec<u8>) {
        let (code, number) = match *self {
            Which::All => (0_u8, 0),
            Which::First(number) => (1, number),
            Which::Nth(number) => (2, number),
            Which::Each(number) => (3, number),
        };
        (code, number).store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (code, number) = <(u8, u64)>::load(input)?;
        Ok(match code {
            0 => Which::All,
            1 => Which::First(number),
            2 => Which::Nth(number),
            3 => Which::Each(number),
            code => return unknown("choice of occurrences", code),
        })
    }
}

fn store_set(ids: &BTreeSet<BodyId>, out: &mut Vec<u8>) {
    ids.iter().copied().collect::<Vec<_>>().store(out);
}

fn load_set(input: &mut Reader<'_>) -> Result<BTreeSet<BodyId>, SnapshotError> {
    Ok(Vec::load(input)?.into_iter().collect())
}

impl Stored for Bodies {
    fn store(&self, out: &mut Vec<u8>) {
        match self {
            Bodies::Any => 0_u8.store(out),
            Bodies::Free => 1_u8.store(out),
            Bodies::These(ids) => {
                2_u8.store(out);
                store_set(ids, out);
            }
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(match u8::load(input)? {
            0 => Bodies::Any,
            1 => Bodies::Free,
            2 => Bodies::These(load_set(input)?),
            code => return unknown("choice of bodies", code),
        })
    }
}

impl Stored for Cause {
    fn store(&self, out: &mut Vec<u8>) {
        match self {
            Cause::Collision(first, second) => {
                0_u8.store(out);
                first.store(out);
                second.store(out);
            }
            Cause::Entered(who, sensors) => {
                1_u8.store(out);
                who.store(out);
                store_set(sensors, out);
            }
            Cause::Left(who, sensors) => {
                2_u8.store(out);
                who.store(out);
                store_set(sensors, out);
            }
            Cause::Pressed(key) => {
                3_u8.store(out);
                key.store(out);
            }
            Cause::Released(key) => {
                4_u8.store(out);
                key.store(out);
            }
            Cause::Begins(condition) => {
                5_u8.store(out);
                condition.store(out);
            }
            Cause::BeginTogether(conditions) => {
                6_u8.store(out);
                conditions.store(out);
            }
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(match u8::load(input)? {
            0 => Cause::Collision(Stored::load(input)?, Stored::load(input)?),
            1 => Cause::Entered(Stored::load(input)?, load_set(input)?),
            2 => Cause::Left(Stored::load(input)?, load_set(input)?),
            3 => Cause::Pressed(Stored::load(input)?),
            4 => Cause::Released(Stored::load(input)?),
            5 => Cause::Begins(Stored::load(input)?),
            6 => Cause::BeginTogether(Stored::load(input)?),
            code => return unknown("cause", code),
        })
    }
}

impl Stored for Measured {
    fn store(&self, out: &mut Vec<u8>) {
        match self {
            Measured::Score(name) => {
                0_u8.store(out);
                name.store(out);
            }
            Measured::Present(ids) => {
                1_u8.store(out);
                ids.store(out);
            }
            Measured::Inside(id) => (2_u8, *id).store(out),
            Measured::Position(id, axis) => (3_u8, (*id, *axis)).store(out),
            Measured::Velocity(id, axis) => (4_u8, (*id, *axis)).store(out),
            Measured::Speed(id) => (5_u8, *id).store(out),
            Measured::AngularSpeed(id) => (6_u8, *id).store(out),
            Measured::KineticEnergy => 7_u8.store(out),
            Measured::Collisions => 8_u8.store(out),
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(match u8::load(input)? {
            0 => Measured::Score(Stored::load(input)?),
            1 => Measured::Present(Stored::load(input)?),
            2 => Measured::Inside(Stored::load(input)?),
            3 => Measured::Position(Stored::load(input)?, Stored::load(input)?),
            4 => Measured::Velocity(Stored::load(input)?, Stored::load(input)?),
            5 => Measured::Speed(Stored::load(input)?),
            6 => Measured::AngularSpeed(Stored::load(input)?),
            7 => Measured::KineticEnergy,
            8 => Measured::Collisions,
            code => return unknown("condition", code),
        })
    }
}

impl Stored for ActionTarget {
    fn store(&self, out: &mut Vec<u8>) {
        match self {
            ActionTarget::Body(id) => (0_u8, *id).store(out),
            ActionTarget::Bodies(ids) => {
                1_u8.store(out);
                ids.store(out);
            }
            ActionTarget::Ball => 2_u8.store(out),
            ActionTarget::Other => 3_u8.store(out),
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(match u8::load(input)? {
            0 => ActionTarget::Body(Stored::load(input)?),
            1 => ActionTarget::Bodies(Stored::load(input)?),
            2 => ActionTarget::Ball,
            3 => ActionTarget::Other,
            code => return unknown("body to act on", code),
        })
    }
}

impl<S: Engines> Stored for Mount<S> {
    fn store(&self, out: &mut Vec<u8>) {
        match self {
            Mount::Hinge { pivot, axis } => (0_u8, (*pivot, *axis)).store(out),
            Mount::Rail => 1_u8.store(out),
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(match u8::load(input)? {
            0 => Mount::Hinge {
                pivot: Stored::load(input)?,
                axis: Stored::load(input)?,
            },
            1 => Mount::Rail,
            code => return unknown("mount", code),
        })
    }
}

impl<S: Engines> Stored for Job<S> {
    fn store(&self, out: &mut Vec<u8>) {
        match self {
            Job::Act(action) => {
                0_u8.store(out);
                action.store(out);
            }
            Job::Again(action, repeat) => {
                1_u8.store(out);
                action.store(out);
                repeat.store(out);
            }
            Job::Arrive { body, moves } => (2_u8, (*body, *moves)).store(out),
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(match u8::load(input)? {
            0 => Job::Act(Stored::load(input)?),
            1 => Job::Again(Stored::load(input)?, Stored::load(input)?),
            2 => Job::Arrive {
                body: Stored::load(input)?,
                moves: Stored::load(input)?,
            },
            code => return unknown("thing to do", code),
        })
    }
}

/// The gravity of fields is stored apart.
fn store_fields<S: Engines>(fields: &Fields<S>, out: &mut Vec<u8>) {
    fields.gravity.store(out);
    fields.store(out);
}

fn load_fields<S: Engines>(input: &mut Reader<'_>) -> Result<Fields<S>, SnapshotError> {
    let gravity = Stored::load(input)?;
    let mut fields: Fields<S> = Stored::load(input)?;
    fields.gravity = gravity;
    Ok(fields)
}

/// An action is its number and its fields.
macro_rules! actions {
    ($action:ident, $out:ident, $input:ident, $depth:ident;
     $($code:literal => $variant:ident($($field:ident),*);)*) => {
        impl<S: Engines> Stored for Action<S> {
            fn store(&self, $out: &mut Vec<u8>) {
                match self {
                    $(Action::$variant($($field),*) => {
                        ($code as u8).store($out);
                        $($field.store($out);)*
                    })*
                    Action::Fields(fields) => {
                        50_u8.store($out);
                        store_fields(fields, $out);
                    }
                    Action::FieldsButGravity(fields) => {
                        51_u8.store($out);
                        store_fields(fields, $out);
                    }
                    Action::Swing { body, to, speed } => (52_u8, (*body, (*to, *speed))).store($out),
                    Action::Slide { body, to, speed } => (53_u8, (*body, (*to, *speed))).store($out),
                    Action::After(delay, then) => {
                        54_u8.store($out);
                        delay.store($out);
                        then.store($out);
                    }
                    Action::All(several) => {
                        55_u8.store($out);
                        several.store($out);
                    }
                    Action::If(conditions, then) => {
                        56_u8.store($out);
                        conditions.store($out);
                        then.store($out);
                    }
                    Action::End => 57_u8.store($out),
                }
            }

            fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
                load_action(input, 0)
            }
        }

        fn load_action<S: Engines>(
            $input: &mut Reader<'_>,
            $depth: usize,
        ) -> Result<Action<S>, SnapshotError> {
            if $depth > DEEPEST {
                return invalid("actions are nested too deeply");
            }
            Ok(match u8::load($input)? {
                $($code => Action::$variant($({ let $field = Stored::load($input)?; $field }),*),)*
                50 => Action::Fields(load_fields($input)?),
                51 => Action::FieldsButGravity(load_fields($input)?),
                52 => Action::Swing {
                    body: Stored::load($input)?,
                    to: $input.finite("an angle")?,
                    speed: $input.finite("a speed")?,
                },
                53 => Action::Slide {
                    body: Stored::load($input)?,
                    to: Stored::load($input)?,
                    speed: $input.finite("a speed")?,
                },
                54 => {
                    let delay = $input.finite("a delay")?;
                    Action::After(delay, Box::new(load_action($input, $depth + 1)?))
                }
                55 => {
                    let several = $input.length()?;
                    let several = (0..several).map(|_| load_action($input, $depth + 1));
                    Action::All(several.collect::<Result<_, _>>()?)
                }
                56 => {
                    let conditions = Stored::load($input)?;
                    Action::If(conditions, Box::new(load_action($input, $depth + 1)?))
                }
                57 => Action::End,
                code => return unknown("action", code),
            })
        }
    };
}

actions! { action, out, input, depth;
    0 => Gravity(gravity);
    1 => Material(whom, material);
    2 => Numbers(name, material);
    3 => Velocity(whom, velocity, angular_velocity);
    4 => LinearVelocity(whom, velocity);
    5 => AngularVelocity(whom, angular_velocity);
    6 => Position(whom, position);
    7 => Load(whom, load);
    8 => CollisionFilter(whom, groups);
    9 => Remove(whom);
    10 => Insert(body);
    11 => Enter(bodies);
    12 => Drive(body, drive);
    13 => Score(name, points);
    14 => SetScore(name, points);
    15 => Print(text);
    16 => Press(key);
    17 => Release(key);
    18 => Kick(kicks);
    19 => Mass(whom, mass);
}

impl<S: Engines> Director<S> {
    /// Whether there is nothing to remember besides the run.
    fn is_blank(&self) -> bool {
        let nothing_done = self.orders == 0 && self.log.is_empty() && self.scores.is_empty();
        let nothing_set = self.mounted.is_empty() && self.held.is_empty() && self.absent.is_empty();
        nothing_done && nothing_set && self.is_idle()
    }

    /// The run and what is to happen later, as bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        let run = self.run.snapshot();
        if self.is_blank() {
            return run;
        }
        wrapped(S::DIMENSION, |out| {
            SNAPSHOT_KIND.store(out);
            run.store(out);
            self.rules.store(out);
            self.orders.store(out);
            let schedule = self.schedule.iter();
            let schedule: Vec<(f64, DueAction<S>)> = schedule
                .map(|(&(bits, ..), due)| (f64::from_bits(bits), due.clone()))
                .collect();
            schedule.store(out);
            self.sequence.store(out);
            self.instant.store(out);
            self.batch.store(out);
            self.at_once.store(out);
            let mounted: Vec<(BodyId, Mounted<S>)> =
                (self.mounted.iter().map(|(&id, mount)| (id, mount.clone()))).collect();
            mounted.store(out);
            self.held.iter().cloned().collect::<Vec<_>>().store(out);
            let scores: Vec<(String, i64)> = (self
                .scores
                .iter()
                .map(|(name, &score)| (name.clone(), score)))
            .collect();
            scores.store(out);
            self.log.store(out);
            self.untold.store(out);
            (self.look, (self.looked, self.over)).store(out);
            let absent: Vec<(BodyId, crate::body::Body<S>)> =
                (self.absent.iter().map(|(&id, body)| (id, body.clone()))).collect();
            absent.store(out);
        })
    }

    /// The bytes of the run in those of a snapshot that holds what is to happen later.
    pub fn bytes_of_run(bytes: &[u8]) -> Result<Vec<u8>, SnapshotError> {
        let mut input = unwrapped(bytes, S::DIMENSION)?;
        u8::load(&mut input)?;
        Vec::load(&mut input)
    }

    /// Goes on with a run and what was to happen to it, from the same bytes.
    pub fn restore(run: Box<dyn Engine<S>>, bytes: &[u8]) -> Result<Self, SnapshotError> {
        let mut input = unwrapped(bytes, S::DIMENSION)?;
        let input = &mut input;
        u8::load(input)?;
        Vec::<u8>::load(input)?;
        let mut director = Director::new(run);
        director.rules = Stored::load(input)?;
        director.orders = Stored::load(input)?;
        for (time, due) in Vec::<(f64, DueAction<S>)>::load(input)? {
            if !(time >= 0.0 && time.is_finite()) {
                return invalid(format!("something is to happen at {time} s"));
            }
            let key = ((time + 0.0).to_bits(), due.order, due.sequence);
            director.schedule.insert(key, due);
        }
        director.sequence = Stored::load(input)?;
        director.instant = Stored::load(input)?;
        director.batch = Stored::load(input)?;
        director.at_once = Stored::load(input)?;
        director.mounted = Vec::load(input)?.into_iter().collect();
        director.held = Vec::load(input)?.into_iter().collect();
        director.scores = Vec::load(input)?.into_iter().collect();
        director.log = Stored::load(input)?;
        director.untold = Stored::load(input)?;
        (director.look, (director.looked, director.over)) = Stored::load(input)?;
        director.absent = Vec::load(input)?.into_iter().collect();
        let instant = director.instant.unwrap_or(0.0);
        if !(director.look > 0.0 && director.look.is_finite() && instant.is_finite()) {
            return invalid("times that are not finite");
        }
        if director.untold > director.log.len() || !input.is_empty() {
            return invalid("its log does not fit");
        }
        let numbers = director.run.next_id();
        if director.absent.keys().any(|id| id.0 as usize >= numbers) {
            return invalid("a body is to come that has no number");
        }
        Ok(director)
    }
}
