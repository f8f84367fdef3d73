//! Doing what is due.

use super::{
    Action, ActionTarget, Cause, Director, DueAction, Entry, Job, Joint, MOST_AT_ONCE, Seen,
};
use crate::body::Kind;
use crate::motion::{Drive, Pose};
use crate::order::InOrder;
use crate::record::SensorCrossing;
use crate::simulate::compiled::Engines;
use crate::simulate::error::DirectorError;
use crate::simulate::refuse::EditError;
use crate::space::Linear;
use crate::world::BodyId;

impl<S: Engines> Director<S> {
    /// Lets what was seen set off what rules ask for.
    pub(super) fn set_off(&mut self, seen: Vec<Seen>) {
        for seen in seen {
            for index in 0..self.rules.len() {
                let ball = match (&self.rules[index].trigger.cause, seen) {
                    (Cause::Hit(body), Seen::Collided(a, b)) if *body == b => Some(a),
                    (Cause::Hit(body), Seen::Collided(a, b)) if *body == a && self.is_ball(b) => {
                        Some(b)
                    }
                    (
                        Cause::Entered(sensor),
                        Seen::Entered(SensorCrossing {
                            ball, sensor: it, ..
                        }),
                    )
                    | (
                        Cause::Left(sensor),
                        Seen::Left(SensorCrossing {
                            ball, sensor: it, ..
                        }),
                    ) if *sensor == it => Some(ball),
                    _ => None,
                };
                if ball.is_some() {
                    self.occurred(index, ball);
                }
            }
        }
    }

    fn is_ball(&self, id: BodyId) -> bool {
        let body = self.run.body(id);
        body.is_some_and(|body| matches!(body.kind, Kind::Free(_)))
    }

    /// The cause of a rule has occurred.
    fn occurred(&mut self, index: usize, ball: Option<BodyId>) {
        let sequence = self.next_sequence();
        let rule = &mut self.rules[index];
        rule.occurrences += 1;
        if rule.trigger.which.counts(rule.occurrences) {
            let due = DueAction {
                order: rule.order,
                sequence,
                ball,
                job: Job::Act(rule.action.clone()),
            };
            self.batch.push(due);
        }
    }

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
        self.note(order, None, what);
        for index in 0..self.rules.len() {
            if self.rules[index].trigger.cause == cause {
                self.occurred(index, None);
            }
        }
    }

    fn note(&mut self, order: usize, ball: Option<BodyId>, what: String) {
        let time = self.run.time();
        self.log.push(Entry {
            time,
            order,
            ball,
            what,
        });
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
        let (order, ball) = (due.order, due.ball);
        match due.job {
            Job::Act(action) => self.act(order, ball, &action),
            Job::Repeat {
                action,
                from,
                interval,
                number,
            } => {
                self.repeat(order, action.clone(), from, interval, number + 1);
                self.act(order, ball, &action)
            }
            Job::Arrive { body, moves } => match self.mounted.get(&body) {
                Some(mount) if mount.moves == moves && self.run.body(body).is_some() => self
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

    fn act(
        &mut self,
        order: usize,
        ball: Option<BodyId>,
        action: &Action<S>,
    ) -> Result<(), DirectorError> {
        let time = self.run.time();
        if self.at_once.0 != time {
            self.at_once = (time, 0);
        }
        self.at_once.1 += 1;
        if self.at_once.1 > MOST_AT_ONCE {
            return Err(DirectorError::Endless {
                time,
                actions: self.at_once.1,
                action: self.words(action),
            });
        }
        match action {
            Action::All(several) => {
                // Each for itself: where one fails, a further run goes on with those after it.
                let mut failure = Ok(());
                for action in several {
                    match failure {
                        Ok(()) => failure = self.act(order, ball, action),
                        Err(_) => {
                            let sequence = self.next_sequence();
                            self.batch.push(DueAction {
                                order,
                                sequence,
                                ball,
                                job: Job::Act(action.clone()),
                            });
                        }
                    }
                }
                failure
            }
            Action::After(delay, then) => {
                let time = time + delay;
                self.schedule(time, order, ball, Job::Act((**then).clone()));
                Ok(())
            }
            Action::Press(key) | Action::Release(key) => {
                self.use_key(key, matches!(action, Action::Press(_)), order);
                Ok(())
            }
            _ => {
                let words = self.words(action);
                match self.change(ball, action) {
                    Ok(outcome) => {
                        self.note(order, ball, words + &outcome);
                        Ok(())
                    }
                    Err(reason) => Err(self.failed(words, reason)),
                }
            }
        }
    }

    /// Does it, and says what is to be added to the words for it.
    fn change(&mut self, ball: Option<BodyId>, action: &Action<S>) -> Result<String, EditError> {
        let meant = |whom: ActionTarget| match whom {
            ActionTarget::Body(id) => id,
            // Where no body is known it was refused when it was asked for.
            ActionTarget::Ball => ball.unwrap_or(crate::simulate::balls::NOBODY),
        };
        let run = &mut self.run;
        let said = String::new();
        match action {
            Action::Gravity(gravity) => run.set_gravity(*gravity)?,
            Action::Fields(fields) => run.set_fields(fields.clone())?,
            Action::Material(whom, material) => run.set_material(meant(*whom), *material)?,
            Action::Numbers(name, material) => {
                // Checked when it was asked for.
                run.change_materials(&mut |materials| {
                    let _ = materials.add(name, *material);
                })?;
            }
            Action::Velocity(whom, velocity, angular_velocity) => {
                run.set_velocity(meant(*whom), *velocity, *angular_velocity)?;
            }
            Action::Position(whom, position) => run.set_position(meant(*whom), *position)?,
            Action::CollisionFilter(whom, groups) => run.set_groups(meant(*whom), *groups)?,
            Action::Remove(whom) => {
                run.remove(meant(*whom))?;
            }
            Action::Insert(body) => {
                let id = run.insert((**body).clone())?;
                return Ok(format!(" as body {}", id.0));
            }
            Action::Drive(id, Some(drive)) => run.set_drive(*id, drive.clone())?,
            Action::Drive(id, None) => run.stand_still(*id)?,
            Action::Swing { body, to, speed } => self.swing(*body, *to, *speed)?,
            Action::Slide { body, to, speed } => self.slide(*body, *to, *speed)?,
            Action::Score(name, points) => {
                let score = self.scores.entry(name.clone()).or_default();
                *score = score.saturating_add(*points);
                return Ok(format!(" = {score}"));
            }
            Action::End => self.over = true,
            Action::Press(_) | Action::Release(_) | Action::After(..) | Action::All(_) => {}
        }
        Ok(said)
    }

    fn swing(&mut self, body: BodyId, to: f64, speed: f64) -> Result<(), EditError> {
        let now = self.run.time();
        let Some(mount) = self.mounted.get(&body) else {
            return Err(EditError::Nobody { id: body });
        };
        let Joint::Hinge { pivot, axis } = mount.joint else {
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
            return Err(EditError::Nobody { id: body });
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
        self.schedule(end, 0, None, Job::Arrive { body, moves });
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

    /// What messages call a body.
    pub(super) fn label(&self, id: BodyId) -> String {
        match self.run.name(id) {
            "" => format!("body {}", id.0),
            name => name.to_owned(),
        }
    }

    /// An action in words.
    pub(super) fn words(&self, action: &Action<S>) -> String {
        let whom = |whom: &ActionTarget| match whom {
            ActionTarget::Body(id) => self.label(*id),
            ActionTarget::Ball => "the ball".to_owned(),
        };
        match action {
            Action::Gravity(gravity) => format!("set gravity to {gravity:?} m/s²"),
            Action::Fields(fields) => {
                let names: Vec<&str> = fields.parts().iter().map(|part| &*part.name).collect();
                format!(
                    "set fields to gravity {:?} m/s² and [{}]",
                    fields.gravity,
                    names.join(", ")
                )
            }
            Action::Material(body, material) => {
                let materials = self.run.materials();
                let name = if material.index() < materials.len() {
                    materials.name(*material).to_owned()
                } else {
                    format!("material {}", material.index())
                };
                format!("make {} of {name}", whom(body))
            }
            Action::Numbers(name, material) => format!("change material {name} to {material:?}"),
            Action::Velocity(body, velocity, angular_velocity) => format!(
                "set the velocity of {} to {velocity:?} m/s, {angular_velocity:?} rad/s",
                whom(body)
            ),
            Action::Position(body, position) => format!("put {} at {position:?} m", whom(body)),
            Action::CollisionFilter(body, groups) => format!(
                "let {} be in groups {:#x} and collide with groups {:#x}",
                whom(body),
                groups.memberships,
                groups.mask
            ),
            Action::Remove(body) => format!("remove {}", whom(body)),
            Action::Insert(body) => format!("insert {}", &*body.name),
            Action::Drive(id, Some(_)) => format!("drive {}", self.label(*id)),
            Action::Drive(id, None) => format!("let {} stand", self.label(*id)),
            Action::Swing { body, to, speed } => {
                format!("swing {} to {to} rad at {speed} rad/s", self.label(*body))
            }
            Action::Slide { body, to, speed } => {
                format!("slide {} to {to:?} m at {speed} m/s", self.label(*body))
            }
            Action::Score(name, points) => format!("score {name} {points:+}"),
            Action::Press(key) => format!("press {key}"),
            Action::Release(key) => format!("release {key}"),
            Action::After(delay, then) => format!("after {delay} s: {}", self.words(then)),
            Action::All(several) => {
                let words: Vec<String> = several.iter().map(|action| self.words(action)).collect();
                words.join("; ")
            }
            Action::End => "end".to_owned(),
        }
    }
}
