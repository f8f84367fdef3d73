//! What can be asked for: refused when it is asked for, not in the middle of the run.

use super::{Action, ActionTarget, Bodies, Cause, Condition, Director, Measured, Mount, Trigger};
use crate::body::{Body, Kind};
use crate::motion::{Drive, Pose};
use crate::simulate::compiled::Engines;
use crate::simulate::error::DirectorError;
use crate::simulate::refuse::EditError;
use crate::space::Linear;
use crate::world::{BodyId, WorldError, check_body, check_material, misfits};

impl<S: Engines> Director<S> {
    pub(super) fn check_time(&self, time: f64, action: &Action<S>) -> Result<(), DirectorError> {
        let now = self.run.time();
        if time >= now && time.is_finite() {
            Ok(())
        } else {
            Err(DirectorError::Time {
                action: self.words(action),
                time,
                now,
            })
        }
    }

    pub(super) fn check_interval(
        &self,
        interval: f64,
        action: &Action<S>,
    ) -> Result<(), DirectorError> {
        if interval > 0.0 && interval.is_finite() {
            Ok(())
        } else {
            let value = format!("{interval} s");
            self.wrong(action, "the interval", value, "positive and finite")
        }
    }

    pub(super) fn check_trigger(
        &self,
        trigger: &Trigger,
        action: &Action<S>,
    ) -> Result<(), DirectorError> {
        if trigger.which.number() == Some(0) {
            return Err(DirectorError::Value {
                action: self.words(action),
                field: "the number of times",
                value: "0".to_owned(),
                allowed: "one or more",
            });
        }
        match &trigger.cause {
            Cause::Collision(first, second) => {
                self.known_bodies(first, action)?;
                self.known_bodies(second, action)
            }
            Cause::Entered(who, sensors) | Cause::Left(who, sensors) => {
                self.known_bodies(who, action)?;
                sensors.iter().try_for_each(|&id| {
                    if self.known(id, action)?.sensor {
                        Ok(())
                    } else {
                        self.unfit(action, id, "a sensor")
                    }
                })
            }
            Cause::Begins(_) | Cause::BeginTogether(_) => {
                let mut conditions = trigger.cause.conditions().iter();
                conditions.try_for_each(|condition| self.check_condition(condition, action))
            }
            Cause::Pressed(_) | Cause::Released(_) => Ok(()),
        }
    }

    fn known_bodies(&self, bodies: &Bodies, action: &Action<S>) -> Result<(), DirectorError> {
        match bodies {
            Bodies::These(ids) => ids
                .iter()
                .try_for_each(|&id| self.known(id, action).map(|_| ())),
            _ => Ok(()),
        }
    }

    fn check_condition(
        &self,
        condition: &Condition,
        action: &Action<S>,
    ) -> Result<(), DirectorError> {
        for id in condition.bodies() {
            self.known(id, action)?;
        }
        match condition.of {
            Measured::Inside(id) if !self.known(id, action)?.sensor => {
                self.unfit(action, id, "a sensor")
            }
            Measured::Position(_, axis) | Measured::Velocity(_, axis) if axis >= S::DIMENSION => {
                self.wrong(action, "the axis", axis, "one of this space")
            }
            _ if !condition.value.is_finite() => {
                self.wrong(action, "a number", condition.value, "finite")
            }
            _ => Ok(()),
        }
    }

    /// Whether an action can be done as far as one can know; `ball` says whether a ball sets it off.
    ///
    /// Longer than most: one arm for each kind of action.
    pub(super) fn check(&self, action: &Action<S>, ball: bool) -> Result<(), DirectorError> {
        let refused = |reason| {
            Err(DirectorError::Refused {
                action: self.words(action),
                reason,
            })
        };
        let finite = "made of finite numbers";
        match action {
            Action::Gravity(gravity) if !gravity.is_finite() => {
                let value = format!("{gravity:?}");
                refused(EditError::Refused(vec![WorldError::Gravity { value }]))
            }
            Action::Fields(fields) | Action::FieldsButGravity(fields) => match fields.check() {
                Ok(()) => Ok(()),
                Err(error) => refused(EditError::Refused(vec![error.into()])),
            },
            Action::Material(whom, material) => {
                if material.index() >= self.run.materials().len() {
                    return self.wrong(action, "material", material.index(), "one of this world's");
                }
                for (id, mut body) in self.all_meant(whom, action, ball)? {
                    body.material = *material;
                    if let Some(error) = check_material(id.0 as usize, &body, self.run.materials())
                    {
                        return refused(EditError::Refused(vec![error]));
                    }
                }
                Ok(())
            }
            Action::Numbers(name, material) => {
                if self.run.materials().find(name).is_none() {
                    return self.wrong(action, "material", name, "one of this world's");
                }
                match material.check() {
                    Ok(()) => Ok(()),
                    Err(error) => self.wrong(action, "a number", error, "allowed"),
                }
            }
            Action::Velocity(whom, velocity, angular_velocity) => {
                self.free_ball(whom, action, ball, "velocity")?;
                if velocity.is_finite() && angular_velocity.is_finite() {
                    Ok(())
                } else {
                    let value = format!("{velocity:?}, {angular_velocity:?}");
                    self.wrong(action, "velocity", value, finite)
                }
            }
            Action::LinearVelocity(whom, velocity) => {
                self.free_ball(whom, action, ball, "velocity")?;
                if velocity.is_finite() {
                    Ok(())
                } else {
                    self.wrong(action, "velocity", format!("{velocity:?}"), finite)
                }
            }
            Action::AngularVelocity(whom, angular) => {
                self.free_ball(whom, action, ball, "angular velocity")?;
                if angular.is_finite() {
                    Ok(())
                } else {
                    self.wrong(action, "angular velocity", format!("{angular:?}"), finite)
                }
            }
            Action::Kick(kicks) => self.check_kicks(kicks, action),
            Action::Mass(whom, mass) => {
                self.free_ball(whom, action, ball, "mass")?;
                if *mass > 0.0 && mass.is_finite() {
                    Ok(())
                } else {
                    let allowed = "a positive, finite number of kilograms";
                    self.wrong(action, "mass", mass, allowed)
                }
            }
            Action::Load(whom, load) => {
                self.free_ball(whom, action, ball, "force")?;
                if load.as_ref().is_none_or(|load| load.is_finite()) {
                    Ok(())
                } else {
                    self.wrong(action, "force", "not finite", finite)
                }
            }
            Action::Position(whom, position) => {
                self.free_ball(whom, action, ball, "position")?;
                if position.is_finite() {
                    Ok(())
                } else {
                    self.wrong(action, "position", format!("{position:?}"), finite)
                }
            }
            Action::CollisionFilter(whom, _) | Action::Remove(whom) => {
                self.all_meant(whom, action, ball).map(|_| ())
            }
            // Its number is not known yet; that of the next body will do for a message.
            Action::Insert(body) => self.check_newcomer(self.run.next_id(), body, action),
            Action::Enter(bodies) => bodies.iter().try_for_each(|(id, body)| {
                self.known(*id, action)?;
                self.check_newcomer(id.0 as usize, body, action)
            }),
            Action::Drive(id, drive) => {
                let mut body = self.fixture(*id, action)?;
                if self.mounted.contains_key(id) {
                    return self.unfit(action, *id, "free of joints where it is kinematic");
                }
                if let Some(drive) = drive {
                    body.kind = Kind::Kinematic(drive.clone());
                }
                match check_body(id.0 as usize, &body) {
                    Ok(()) => Ok(()),
                    Err(error) => refused(EditError::Refused(vec![error])),
                }
            }
            Action::Swing { body, to, speed } => {
                self.known(*body, action)?;
                match self.mounted.get(body).map(|mount| mount.how) {
                    Some(Mount::Hinge { .. }) => {}
                    _ => return self.unfit(action, *body, "mounted on a hinge"),
                }
                self.check_move(action, to.is_finite(), to, *speed)
            }
            Action::Slide { body, to, speed } => {
                self.known(*body, action)?;
                match self.mounted.get(body).map(|mount| mount.how) {
                    Some(Mount::Rail) => {}
                    _ => return self.unfit(action, *body, "mounted on a rail"),
                }
                self.check_move(action, to.is_finite(), format!("{to:?}"), *speed)
            }
            Action::After(delay, then) => {
                if !(*delay >= 0.0 && delay.is_finite()) {
                    let allowed = "finite and not negative";
                    return self.wrong(action, "the delay", format!("{delay} s"), allowed);
                }
                self.check(then, ball)
            }
            Action::All(several) => several
                .iter()
                .try_for_each(|action| self.check(action, ball)),
            Action::If(conditions, then) => {
                conditions
                    .iter()
                    .try_for_each(|condition| self.check_condition(condition, action))?;
                self.check(then, ball)
            }
            Action::Gravity(_)
            | Action::Score(..)
            | Action::SetScore(..)
            | Action::Print(_)
            | Action::Press(_)
            | Action::Release(_)
            | Action::End => Ok(()),
        }
    }

    fn check_newcomer(
        &self,
        id: usize,
        body: &Body<S>,
        action: &Action<S>,
    ) -> Result<(), DirectorError> {
        let mut wrong: Vec<_> = check_body(id, body).err().into_iter().collect();
        wrong.extend(check_material(id, body, self.run.materials()));
        if wrong.is_empty() {
            wrong = misfits(id, body, self.run.periods());
        }
        if wrong.is_empty() {
            return Ok(());
        }
        Err(DirectorError::Refused {
            action: self.words(action),
            reason: EditError::Refused(wrong),
        })
    }

    fn check_move(
        &self,
        action: &Action<S>,
        finite: bool,
        to: impl ToString,
        speed: f64,
    ) -> Result<(), DirectorError> {
        if !finite {
            return self.wrong(action, "where to", to, "made of finite numbers");
        }
        if speed > 0.0 && speed.is_finite() {
            Ok(())
        } else {
            self.wrong(action, "the speed", speed, "positive and finite")
        }
    }

    /// Whether a body can be mounted so; where it stands.
    pub(super) fn check_mount(&self, id: BodyId, how: &Mount<S>) -> Result<Pose<S>, DirectorError> {
        let action = format!("mount {}", self.label(id));
        let absent = || self.absent.get(&id).cloned();
        let Some(body) = self.run.body(id).or_else(absent) else {
            let reason = EditError::UnknownBody { id };
            return Err(DirectorError::Refused { action, reason });
        };
        if let Mount::Hinge { pivot, axis } = *how {
            let knots = vec![(0.0, 0.0)];
            if let Err(error) = (Drive::<S>::Swing { pivot, axis, knots }).check() {
                return Err(DirectorError::Value {
                    action,
                    field: error.field,
                    value: error.value,
                    allowed: error.allowed,
                });
            }
        }
        match body.kind {
            Kind::Static if !self.mounted.contains_key(&id) => Ok(body.pose),
            _ => Err(DirectorError::Mount {
                action,
                id,
                name: body.name.into(),
                needed: "fixed, and not mounted already",
            }),
        }
    }

    pub(super) fn known(&self, id: BodyId, action: &Action<S>) -> Result<Body<S>, DirectorError> {
        let there = self.run.body(id).or_else(|| self.absent.get(&id).cloned());
        there.ok_or_else(|| DirectorError::Refused {
            action: self.words(action),
            reason: EditError::UnknownBody { id },
        })
    }

    /// The bodies that are meant, as far as they are known by now.
    fn all_meant(
        &self,
        whom: &ActionTarget,
        action: &Action<S>,
        ball: bool,
    ) -> Result<Vec<(BodyId, Body<S>)>, DirectorError> {
        match whom {
            ActionTarget::Body(id) => Ok(vec![(*id, self.known(*id, action)?)]),
            ActionTarget::Bodies(ids) => ids
                .iter()
                .map(|&id| Ok((id, self.known(id, action)?)))
                .collect(),
            ActionTarget::Ball | ActionTarget::Other if ball => Ok(Vec::new()),
            ActionTarget::Ball | ActionTarget::Other => Err(DirectorError::NoBall {
                action: self.words(action),
            }),
        }
    }

    fn free_ball(
        &self,
        whom: &ActionTarget,
        action: &Action<S>,
        ball: bool,
        field: &'static str,
    ) -> Result<(), DirectorError> {
        for (id, body) in self.all_meant(whom, action, ball)? {
            if !matches!(body.kind, Kind::Free(_)) {
                let name = body.name.into();
                return Err(DirectorError::Refused {
                    action: self.words(action),
                    reason: EditError::NotFree { id, name, field },
                });
            }
        }
        Ok(())
    }

    fn fixture(&self, id: BodyId, action: &Action<S>) -> Result<Body<S>, DirectorError> {
        let body = self.known(id, action)?;
        match body.kind {
            Kind::Free(_) => Err(DirectorError::Refused {
                action: self.words(action),
                reason: EditError::Free {
                    id,
                    name: body.name.into(),
                    field: "drive",
                },
            }),
            Kind::Static | Kind::Kinematic(_) => Ok(body),
        }
    }

    pub(super) fn wrong<T>(
        &self,
        action: &Action<S>,
        field: &'static str,
        value: impl ToString,
        allowed: &'static str,
    ) -> Result<T, DirectorError> {
        Err(DirectorError::Value {
            action: self.words(action),
            field,
            value: value.to_string(),
            allowed,
        })
    }

    pub(super) fn unfit<T>(
        &self,
        action: &Action<S>,
        id: BodyId,
        needed: &'static str,
    ) -> Result<T, DirectorError> {
        Err(DirectorError::Mount {
            action: self.words(action),
            id,
            name: self.run.name(id).to_owned(),
            needed,
        })
    }
}
