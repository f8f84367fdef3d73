//! Looking out for what rules ask about while a run goes on.

use super::{ActionRule, Bodies, Cause, Director, DueAction, Job, Parties};
use crate::body::Kind;
use crate::record::{Event, SensorCrossing};
use crate::simulate::compiled::Engines;
use crate::simulate::engine::TellEngine;
use crate::world::BodyId;
use std::ops::ControlFlow;

/// Something that happened and that a rule asks about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seen {
    Collided(BodyId, BodyId),
    Entered(SensorCrossing),
    Left(SensorCrossing),
}

/// Looks out for what rules ask about while the run goes on.
pub(super) struct Watch<'a, S: Engines> {
    rules: &'a [ActionRule<S>],
    pub seen: Vec<Seen>,
    /// Whether the listener wanted to end the run.
    pub broken_off: bool,
}

impl<'a, S: Engines> Watch<'a, S> {
    pub fn new(rules: &'a [ActionRule<S>]) -> Self {
        Watch {
            rules,
            seen: Vec::new(),
            broken_off: false,
        }
    }

    /// Notes an event and passes it on. The run is ended by the listener, or (where `stop`) by what a rule asks about.
    pub fn see(
        &mut self,
        event: &Event<'_, S>,
        listener: TellEngine<'_, S>,
        stop: bool,
    ) -> ControlFlow<()> {
        let (seen, of_interest) = match *event {
            Event::Collision(collision) => {
                let (a, b) = (collision.a, collision.b);
                let asked = |cause: &Cause| match cause {
                    Cause::Collision(first, second) => {
                        (first.may_be(a) && second.may_be(b))
                            || (first.may_be(b) && second.may_be(a))
                    }
                    cause => {
                        let mut conditions = cause.conditions().iter();
                        conditions.any(|condition| condition.concerns(a, b))
                    }
                };
                (Some(Seen::Collided(a, b)), self.asks(asked))
            }
            Event::Entered(crossing) => {
                let asked = |cause: &Cause| match cause {
                    Cause::Entered(who, sensors) => {
                        sensors.contains(&crossing.sensor) && who.may_be(crossing.ball)
                    }
                    _ => false,
                };
                (Some(Seen::Entered(crossing)), self.asks(asked))
            }
            Event::Left(crossing) => {
                let asked = |cause: &Cause| match cause {
                    Cause::Left(who, sensors) => {
                        sensors.contains(&crossing.sensor) && who.may_be(crossing.ball)
                    }
                    _ => false,
                };
                (Some(Seen::Left(crossing)), self.asks(asked))
            }
            _ => (None, false),
        };
        if of_interest {
            self.seen.extend(seen);
        }
        self.broken_off |= listener(event).is_break();
        if self.broken_off || (of_interest && stop) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn asks(&self, asked: impl Fn(&Cause) -> bool) -> bool {
        let mut live = self.rules.iter().filter(|rule| rule.is_live());
        live.any(|rule| asked(&rule.trigger.cause))
    }
}

impl<S: Engines> Director<S> {
    /// Lets what was seen set off what rules ask for.
    pub(super) fn set_off(&mut self, seen: Vec<Seen>) {
        for seen in seen {
            for index in 0..self.rules.len() {
                if let Some(who) = self.parties(&self.rules[index].trigger.cause, seen) {
                    self.occurred(index, who);
                }
            }
        }
    }

    /// Who is meant by a cause, where it is what was seen.
    fn parties(&self, cause: &Cause, seen: Seen) -> Option<Parties> {
        let crossed = |crossing: SensorCrossing| Parties {
            ball: Some(crossing.ball),
            other: Some(crossing.sensor),
        };
        match (cause, seen) {
            (Cause::Collision(first, second), Seen::Collided(a, b)) => {
                let is = |one: BodyId, other: BodyId| {
                    self.is_among(first, one) && self.is_among(second, other)
                };
                let (ball, other) = match (is(a, b), is(b, a)) {
                    (true, _) => (a, b),
                    (false, true) => (b, a),
                    (false, false) => return None,
                };
                Some(Parties {
                    ball: Some(ball),
                    other: Some(other),
                })
            }
            (Cause::Entered(who, sensors), Seen::Entered(crossing))
            | (Cause::Left(who, sensors), Seen::Left(crossing)) => {
                let meant = sensors.contains(&crossing.sensor) && self.is_among(who, crossing.ball);
                meant.then(|| crossed(crossing))
            }
            _ => None,
        }
    }

    fn is_among(&self, bodies: &Bodies, id: BodyId) -> bool {
        bodies.may_be(id) && (*bodies != Bodies::Free || self.is_free(id))
    }

    fn is_free(&self, id: BodyId) -> bool {
        let body = self.run.body(id);
        body.is_some_and(|body| matches!(body.kind, Kind::Free(_)))
    }

    /// Looks which conditions have begun to hold.
    pub(super) fn look_at_conditions(&mut self) {
        for index in 0..self.rules.len() {
            let conditions = self.rules[index].conditions();
            if conditions.is_empty() {
                continue;
            }
            let holds = conditions.iter().all(|condition| self.holds(condition));
            let begins = holds && !self.rules[index].held;
            self.rules[index].held = holds;
            if begins {
                self.occurred(index, Parties::default());
            }
        }
    }

    /// The cause of a rule has occurred.
    pub(super) fn occurred(&mut self, index: usize, who: Parties) {
        let sequence = self.next_sequence();
        let rule = &mut self.rules[index];
        rule.occurrences += 1;
        if rule.trigger.which.counts(rule.occurrences) {
            let due = DueAction {
                order: rule.order,
                sequence,
                who,
                job: Job::Act(rule.action.clone()),
            };
            self.batch.push(due);
        }
    }
}
