//! A shot, from the strike until everything rests.

use super::{Balls, CueStrike, Rack, ShotError, Table};
use carom::audit::Audit;
use carom::body::{Body, Kind};
use carom::record::Event;
use carom::record::Regime;
use carom::simulate::{Simulation, State};
use carom::space::Space3;
use carom::world::BodyId;
use glam::DVec3;
use std::ops::ControlFlow;

/// Longer than anything moves on a cloth, s.
const LONGEST: f64 = 1e4;

/// A shot that can be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// On which table.
    pub table: Table,
    /// With which balls.
    pub balls: Balls,
    /// Lying where.
    pub rack: Rack,
    /// Struck how.
    pub strike: CueStrike,
}

/// Something that happened in a shot. Balls are numbered as in the rack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happening {
    /// Two balls collided.
    Balls {
        /// s.
        time: f64,
        /// The lower number.
        a: usize,
        /// The other.
        b: usize,
        /// Size of the impulse, kg·m/s.
        impulse: f64,
    },
    /// A ball struck a cushion.
    Cushion {
        /// s.
        time: f64,
        /// Who.
        ball: usize,
        /// The part of the cushion.
        cushion: BodyId,
        /// Size of the impulse, kg·m/s.
        impulse: f64,
    },
    /// A ball struck the cloth: it was pressed down by another ball or a cushion, or came down from a hop.
    Cloth {
        /// s.
        time: f64,
        /// Who.
        ball: usize,
        /// Size of the impulse, kg·m/s.
        impulse: f64,
    },
    /// A ball moves in another way from now on.
    Transition {
        /// s.
        time: f64,
        /// Who.
        ball: usize,
        /// How it moves on the cloth; `None` where it flies.
        regime: Option<Regime>,
    },
    /// A ball fell into a pocket.
    Pocketed {
        /// s.
        time: f64,
        /// Who.
        ball: usize,
        /// Which.
        pocket: BodyId,
    },
}

/// What became of a ball.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// It rests on the table.
    OnTable(State<Space3>),
    /// It fell into a pocket.
    Pocketed {
        /// s.
        time: f64,
        /// The pocket's name.
        pocket: String,
    },
}

/// What came of a shot.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Everything that happened, in order.
    pub events: Vec<Happening>,
    /// What became of the balls, in the order of the rack.
    pub fates: Vec<Fate>,
    /// Until everything rested, s.
    pub duration: f64,
    /// A hash of all events and states: the same shot has the same digest on every machine.
    pub digest: u64,
    /// The energy and momentum budgets. What pocketed balls took with them is in `given`.
    pub audit: Audit<Space3>,
}

impl Shot {
    /// The simulation of this shot, with the cue ball just struck, and the ids of its balls.
    pub fn start(&self) -> Result<(Simulation<Space3>, Vec<BodyId>), ShotError> {
        let (run, table) = self.set_up()?;
        Ok((run, table.balls))
    }

    fn set_up(&self) -> Result<(Simulation<Space3>, Lookup), ShotError> {
        let struck = self.strike.on(&self.balls)?;
        let number = self.strike.ball;
        if number >= self.rack.places.len() {
            let balls = self.rack.places.len();
            return Err(ShotError::NoCueBall { number, balls });
        }
        let (mut world, furniture) = self.table.world(&self.balls)?;
        let mut balls = Vec::with_capacity(self.rack.places.len());
        for (number, place) in self.rack.places.iter().enumerate() {
            let name = self.rack.names.get(number).map_or("", String::as_str);
            let place = place.extend(self.balls.radius);
            let ball = Body::ball(self.balls.radius, self.balls.mass, place, DVec3::ZERO);
            let mut ball = ball.map_err(super::table::number)?;
            if let Kind::Free(free) = &mut ball.kind
                && number == self.strike.ball
            {
                (free.velocity, free.angular_velocity) = (struck.velocity, struck.angular_velocity);
            }
            balls.push(world.add(ball.named(name).made_of(furniture.ball))?);
        }
        let lookup = Lookup {
            cloth: furniture.cloth,
            pockets: furniture.pockets,
            balls,
        };
        Ok((Simulation::new(world)?, lookup))
    }

    /// Plays the shot until everything rests.
    pub fn play(&self) -> Result<Outcome, ShotError> {
        let (mut run, table) = self.set_up()?;
        let mut events = Vec::with_capacity(256);
        let mut fates: Vec<Option<Fate>> = vec![None; table.balls.len()];
        let mut moves = vec![true; table.balls.len()];
        while moves.iter().any(|&moves| moves) {
            let mut fallen = None;
            run.run_with(LONGEST, |event| {
                if let Some(happening) = table.happening(event) {
                    events.push(happening);
                    match happening {
                        Happening::Transition { ball, regime, .. } => {
                            moves[ball] = regime != Some(Regime::Resting);
                        }
                        Happening::Pocketed { ball, pocket, time } => {
                            fallen = Some((ball, pocket, time));
                        }
                        _ => {}
                    }
                }
                if fallen.is_some() || !moves.iter().any(|&moves| moves) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })?;
            if let Some((ball, pocket, time)) = fallen {
                run.remove(table.balls[ball])?;
                let pocket = run.name(pocket).to_owned();
                fates[ball] = Some(Fate::Pocketed { time, pocket });
                moves[ball] = false;
            } else if run.time() >= LONGEST {
                return Err(ShotError::Restless { time: LONGEST });
            }
        }
        let fates = fates.into_iter().zip(&table.balls);
        Ok(Outcome {
            fates: fates
                .map(|(fate, &id)| fate.unwrap_or_else(|| Fate::OnTable(run.state(id))))
                .collect(),
            events,
            duration: run.time(),
            digest: run.digest(),
            audit: run.audit(),
        })
    }
}

/// Which body is which.
struct Lookup {
    cloth: BodyId,
    pockets: Vec<BodyId>,
    /// In the order of the rack.
    balls: Vec<BodyId>,
}

impl Lookup {
    /// The number of a ball; they were added one after the other.
    fn number(&self, id: BodyId) -> Option<usize> {
        let first = self.balls.first()?;
        let number = id.0.checked_sub(first.0)? as usize;
        (number < self.balls.len()).then_some(number)
    }

    fn happening(&self, event: &Event<'_, Space3>) -> Option<Happening> {
        match event {
            Event::Collision(collision) => {
                let (time, impulse) = (collision.time, collision.impulse.length());
                let a = self.number(collision.a)?;
                Some(match self.number(collision.b) {
                    Some(b) => Happening::Balls {
                        time,
                        a: a.min(b),
                        b: a.max(b),
                        impulse,
                    },
                    None if collision.b == self.cloth => Happening::Cloth {
                        time,
                        ball: a,
                        impulse,
                    },
                    None => Happening::Cushion {
                        time,
                        ball: a,
                        cushion: collision.b,
                        impulse,
                    },
                })
            }
            Event::Transition(transition) => Some(Happening::Transition {
                time: transition.time,
                ball: self.number(transition.ball)?,
                regime: transition.regime,
            }),
            Event::Entered(passage) if self.pockets.contains(&passage.sensor) => {
                Some(Happening::Pocketed {
                    time: passage.time,
                    ball: self.number(passage.ball)?,
                    pocket: passage.sensor,
                })
            }
            _ => None,
        }
    }
}

impl Happening {
    /// When it happened, s.
    pub fn time(&self) -> f64 {
        match *self {
            Happening::Balls { time, .. }
            | Happening::Cushion { time, .. }
            | Happening::Cloth { time, .. }
            | Happening::Transition { time, .. }
            | Happening::Pocketed { time, .. } => time,
        }
    }
}
