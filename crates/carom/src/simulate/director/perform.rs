//! Doing what is due.

use super::{
    Action, ActionTarget, Cause, Director, DueAction, Entry, EntryKind, Job, MOST_AT_ONCE, Mount,
    Parties, Repeat,
};
use crate::body::Body;
use crate::motion::{Drive, Pose};
use crate::order::InOrder;
use crate::simulate::compiled::Engines;
use crate::simulate::error::DirectorError;
use crate::simulate::refuse::EditError;
use crate::space::Linear;
use crate::world::BodyId;

impl<S: Engines> Director<S> {
    /// Presses a key or lets it go, for an action of that order.
    pub(super) fn use_key(&mut self, key: &str, press: bool, order: usize) {
        let changed = if press {
            self.held.insert(key.to_owned())
        } else {
            self.held.remove(key)
        };
        if !changed {
            return;
        }
        let cause = if press {
            Cause::Pressed(key.to_owned())
        } else {
            Cause::Released(key.to_owned())
        };
        let what = if press {
            format!("press {key}")
        } else {
            format!("release {key}")
        };
        self.note(order, None, EntryKind::Key, what);
        for index in 0..self.rules.len() {
            if self.rules[index].trigger.cause == cause {
                self.occurred(index, Parties::default());
            }
        }
    }

    fn note(&mut self, order: usize, ball: Option<BodyId>, kind: EntryKind, what: String) {
        let time = self.run.time();
        self.log.push(Entry {
            time,
            order,
            ball,
            kind,
            what,
        });
        self.untold += 1;
    }

    /// Does what is due, in the order in which it was asked for. What keys set off comes into the next batch.
    pub(super) fn perform_batch(&mut self) -> Result<(), DirectorError> {
        let mut batch = std::mem::take(&mut self.batch);
        batch.order_by_key(|due| (due.order, due.sequence));
        let mut rest = batch.into_iter();
        while let Some(due) = rest.next() {
            if let Err(error) = self.perform(due) {
                self.batch.extend(rest);
                return Err(error);
            }
        }
        Ok(())
    }

    fn perform(&mut self, due: DueAction<S>) -> Result<(), DirectorError> {
        let (order, who) = (due.order, due.who);
        match due.job {
            Job::Act(action) => self.act(order, who, &action),
            Job::Again(action, repeat) => {
                if repeat.number < repeat.last {
                    let number = repeat.number + 1;
                    self.repeat(order, action.clone(), Repeat { number, ..repeat });
                }
                self.act(order, who, &action)
            }
            Job::Arrive { body, moves } => match self.mounted.get(&body) {
                Some(mount) if mount.moves == moves && self.run.has(body) => self
                    .arrive(body)
                    .map_err(|reason| self.failed(format!("{} arrives", self.label(body)), reason)),
                _ => Ok(()),
            },
        }
    }

    fn failed(&self, action: String, reason: EditError) -> DirectorError {
        DirectorError::Failed {
            time: self.run.time(),
            action,
            reason,
        }
    }

    fn act(&mut self, order: usize, who: Parties, action: &Action<S>) -> Result<(), DirectorError> {
        let time = self.run.time();
        self.count_at_once(time, order)?;
        match action {
            Action::All(several) => self.act_all(order, who, several),
            Action::If(conditions, then) => {
                if conditions.iter().all(|condition| self.holds(condition)) {
                    self.act(order, who, then)
                } else {
                    Ok(())
                }
            }
            Action::After(delay, then) => {
                let time = time + delay;
                self.schedule(time, order, who, Job::Act((**then).clone()));
                Ok(())
            }
            Action::Press(key) | Action::Release(key) => {
                self.use_key(key, matches!(action, Action::Press(_)), order);
                Ok(())
            }
            // Every so many milliseconds: a log of them would be full of nothing else.
            Action::Kick(kicks) => {
                let done = self.kick(kicks);
                done.map_err(|reason| self.failed(self.words(action), reason))
            }
            Action::Print(text) => {
                let text = self.filled_in(text, who);
                self.note(order, who.ball, EntryKind::Print, text);
                Ok(())
            }
            _ => {
                let words = self.words_of(action, who);
                match self.change(who, action) {
                    Ok((kind, outcome)) => {
                        self.note(order, who.ball, kind, words + &outcome);
                        Ok(())
                    }
                    Err(reason) => Err(self.failed(words, reason)),
                }
            }
        }
    }

    /// Counts an action, and notices when they set each other off without end: a rule that throws a ball at the wall
    /// that it has just hit lets it hit that again at the same instant.
    fn count_at_once(&mut self, time: f64, order: usize) -> Result<(), DirectorError> {
        if self.at_once.0 != time {
            self.at_once = (time, 0);
            self.set_off.clear();
        }
        self.at_once.1 += 1;
        let actions = self.at_once.1;
        if 2 * actions > MOST_AT_ONCE {
            self.set_off.insert(order);
        }
        if actions <= MOST_AT_ONCE {
            return Ok(());
        }
        let again = (self.rules.iter()).filter(|rule| self.set_off.contains(&rule.order));
        let rules: Vec<String> = again.map(|rule| self.rule_words(rule)).collect();
        Err(DirectorError::Endless {
            time,
            actions,
            rules: rules.join(", and "),
        })
    }

    /// Each for itself: where one fails, a further run goes on with those after it.
    fn act_all(
        &mut self,
        order: usize,
        who: Parties,
        several: &[Action<S>],
    ) -> Result<(), DirectorError> {
        let mut failure = Ok(());
        for action in several {
            match failure {
                Ok(()) => failure = self.act(order, who, action),
                Err(_) => {
                    let sequence = self.next_sequence();
                    self.batch.push(DueAction {
                        order,
                        sequence,
                        who,
                        job: Job::Act(action.clone()),
                    });
                }
            }
        }
        failure
    }

    /// The bodies that are meant, without those that are known not to be there.
    fn meant(&self, whom: &ActionTarget, who: Parties) -> Result<Vec<BodyId>, EditError> {
        let all = match whom {
            ActionTarget::Body(id) => vec![*id],
            ActionTarget::Bodies(ids) => ids.clone(),
            ActionTarget::Ball => who.ball.into_iter().collect(),
            ActionTarget::Other => who.other.into_iter().collect(),
        };
        let unknown = |id: &&BodyId| !self.run.has(**id) && !self.absent.contains_key(id);
        match all.iter().find(unknown) {
            Some(&id) => Err(EditError::UnknownBody { id }),
            None => Ok(all.into_iter().filter(|&id| self.run.has(id)).collect()),
        }
    }

    /// Does something to each body that is meant.
    fn each(
        &mut self,
        whom: &ActionTarget,
        who: Parties,
        mut change: impl FnMut(&mut Self, BodyId) -> Result<(), EditError>,
    ) -> Result<(EntryKind, String), EditError> {
        let bodies = self.meant(whom, who)?;
        if bodies.is_empty() {
            return Ok((EntryKind::Nothing, ": not there".to_owned()));
        }
        for id in bodies {
            change(self, id)?;
        }
        Ok((EntryKind::Change, String::new()))
    }

    /// Does it. Says what kind of thing it was, and what is to be added to the words for it.
    ///
    /// Longer than most: one arm for each kind of action.
    fn change(
        &mut self,
        who: Parties,
        action: &Action<S>,
    ) -> Result<(EntryKind, String), EditError> {
        let run = &mut self.run;
        match action {
            Action::Gravity(gravity) => run.set_gravity(*gravity)?,
            Action::Fields(fields) => run.set_fields(fields.clone())?,
            Action::FieldsButGravity(fields) => {
                let mut fields = fields.clone();
                fields.gravity = run.gravity();
                run.set_fields(fields)?;
            }
            Action::Material(whom, material) => {
                return self.each(whom, who, |it, id| it.run.set_material(id, *material));
            }
            Action::Numbers(name, material) => {
                // Checked when it was asked for.
                run.change_materials(&mut |materials| {
                    let _ = materials.add(name, *material);
                })?;
            }
            Action::Velocity(whom, velocity, angular) => {
                return self.each(whom, who, |it, id| {
                    it.run.set_velocity(id, *velocity, *angular)
                });
            }
            Action::LinearVelocity(whom, velocity) => {
                return self.each(whom, who, |it, id| {
                    let angular = it.run.state(id).angular_velocity;
                    it.run.set_velocity(id, *velocity, angular)
                });
            }
            Action::AngularVelocity(whom, angular) => {
                return self.each(whom, who, |it, id| {
                    let velocity = it.run.state(id).velocity;
                    it.run.set_velocity(id, velocity, *angular)
                });
            }
            Action::Position(whom, position) => {
                return self.each(whom, who, |it, id| it.run.set_position(id, *position));
            }
            Action::Mass(whom, mass) => {
                return self.each(whom, who, |it, id| it.run.set_mass(id, *mass));
            }
            Action::Load(whom, load) => {
                return self.each(whom, who, |it, id| {
                    it.run.set_load(id, load.as_deref().cloned())
                });
            }
            Action::CollisionFilter(whom, groups) => {
                return self.each(whom, who, |it, id| it.run.set_groups(id, *groups));
            }
            Action::Remove(whom) => return self.each(whom, who, Self::take_out),
            Action::Insert(body) => {
                let id = run.insert((**body).clone())?;
                return Ok((EntryKind::Change, format!(" as body {}", id.0)));
            }
            Action::Enter(bodies) => return self.enter(bodies),
            Action::Drive(id, drive) => {
                return self.each(&(*id).into(), who, |it, id| match drive {
                    Some(drive) => it.run.set_drive(id, drive.clone()),
                    None => it.run.stand_still(id),
                });
            }
            Action::Swing { body, to, speed } => {
                return self.each(&(*body).into(), who, |it, id| it.swing(id, *to, *speed));
            }
            Action::Slide { body, to, speed } => {
                return self.each(&(*body).into(), who, |it, id| it.slide(id, *to, *speed));
            }
            Action::Score(name, points) => {
                let score = self.scores.entry(name.clone()).or_default();
                *score = score.saturating_add(*points);
                return Ok((EntryKind::Score, format!(" = {score}")));
            }
            Action::SetScore(name, points) => {
                self.scores.insert(name.clone(), *points);
                return Ok((EntryKind::Score, String::new()));
            }
            Action::End => {
                self.over = true;
                return Ok((EntryKind::End, String::new()));
            }
            Action::Press(_)
            | Action::Release(_)
            | Action::Print(_)
            | Action::Kick(_)
            | Action::After(..)
            | Action::If(..)
            | Action::All(_) => {}
        }
        Ok((EntryKind::Change, String::new()))
    }

    /// Takes a body out, and keeps it as it was.
    fn take_out(&mut self, id: BodyId) -> Result<(), EditError> {
        let body = self.run.remove(id)?;
        self.absent.insert(id, body);
        if let Some(mount) = self.mounted.get_mut(&id) {
            // Wherever it was to go, it does not arrive.
            mount.moves += 1;
            mount.drive = None;
        }
        Ok(())
    }

    /// Puts in the first that is not there.
    fn enter(&mut self, bodies: &[(BodyId, Body<S>)]) -> Result<(EntryKind, String), EditError> {
        let Some((id, body)) = bodies.iter().find(|(id, _)| !self.run.has(*id)) else {
            return Ok((EntryKind::Nothing, ": there already".to_owned()));
        };
        self.run.insert_as(*id, body.clone())?;
        self.absent.remove(id);
        if let Some(mount) = self.mounted.get_mut(id) {
            mount.rest = body.pose;
        }
        let outcome = match bodies {
            [_] => String::new(),
            _ => format!(": {}", self.label(*id)),
        };
        Ok((EntryKind::Change, outcome))
    }

    fn swing(&mut self, body: BodyId, to: f64, speed: f64) -> Result<(), EditError> {
        let now = self.run.time();
        let Some(mount) = self.mounted.get(&body) else {
            return Err(EditError::UnknownBody { id: body });
        };
        let Mount::Hinge { pivot, axis } = mount.how else {
            return Ok(());
        };
        let from = mount.drive.as_ref().map_or(0.0, |it| it.angle_at(now));
        let end = self.arrival((to - from).abs(), speed);
        let knots = vec![(now, from), (end, to)];
        self.set_moving(body, end, from != to, Drive::Swing { pivot, axis, knots })
    }

    fn slide(&mut self, body: BodyId, to: S::Vector, speed: f64) -> Result<(), EditError> {
        let now = self.run.time();
        let Some(mount) = self.mounted.get(&body) else {
            return Err(EditError::UnknownBody { id: body });
        };
        let origin = Pose::at(S::Vector::ZERO);
        let drive = mount.drive.as_ref();
        let from = drive.map_or(S::Vector::ZERO, |it| {
            it.state_at(&origin, now).pose.position
        });
        let end = self.arrival((to - from).length(), speed);
        let knots = vec![(now, from), (end, to)];
        self.set_moving(body, end, from != to, Drive::Path { knots })
    }

    /// When a body arrives, world time, s: later than now, whatever rounding does.
    fn arrival(&self, distance: f64, speed: f64) -> f64 {
        let now = self.run.time();
        (now + distance / speed).max(now.next_up())
    }

    fn set_moving(
        &mut self,
        body: BodyId,
        end: f64,
        moves: bool,
        drive: Drive<S>,
    ) -> Result<(), EditError> {
        let Some(mount) = self.mounted.get_mut(&body).filter(|_| moves) else {
            return Ok(());
        };
        let rest = mount.rest;
        self.run.set_motion(body, rest, Some(drive.clone()))?;
        mount.drive = Some(drive);
        mount.moves += 1;
        let moves = mount.moves;
        // Before anything that was asked for: what sends it elsewhere at that instant finds it standing.
        self.schedule(end, 0, Parties::default(), Job::Arrive { body, moves });
        Ok(())
    }

    /// Lets a body stand where its motion has ended.
    fn arrive(&mut self, body: BodyId) -> Result<(), EditError> {
        let Some(Some(drive)) = self.mounted.get(&body).map(|mount| mount.drive.clone()) else {
            return Ok(());
        };
        let rest = self.mounted[&body].rest;
        let pose = drive.state_at(&rest, self.run.time()).pose;
        self.run.set_motion(body, pose, None)
    }
}
