//! The ways of balls that do not all fly straight or fall freely: piece by piece, through the air or on a wall.
//!
//! A run starts without guides, and gets them when the first ball comes to keep touching a wall. From then on each ball is on a
//! [`Piece`] of its own; when that ends, or when something happens to the ball, it is given the next one ([`Exact::guide`](super::Exact)).

use super::balls::Balls;
use super::stage::{Other, Stage};
use crate::audit::Carried;
use crate::body::Kind;
use crate::impact::crossing_of_gate;
use crate::motion::{Drive, Flight, Piece};
use crate::shape::{Bending, Footing, Shape};
use crate::space::{Linear, Space};
use crate::support::{Gait, Rubbing, Standing, Stretch, Turn};

/// How the balls move, by slot.
#[derive(Clone, Debug)]
pub(super) struct Guides<S: Space> {
    pub pieces: Vec<Piece<S>>,
    pub stances: Vec<Stance>,
}

/// Whether a ball flies, or what it keeps touching.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stance {
    /// The scenery that it keeps touching, by its place in the list.
    pub on: Option<u32>,
    /// How it moves there.
    pub gait: Gait,
    /// What happens at the end of the piece.
    pub next: Next,
    /// When it will have stopped bouncing, by the run's clock, s. In the past for one that has.
    pub settles: f64,
    /// What it is to do next.
    pub intent: Intent,
}

/// What a ball is to do when it is given its next piece of way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Intent {
    /// Go on.
    Stay,
    /// Leave what it touches.
    Leave,
    /// Keep touching this scenery, and have stopped bouncing at a time by the run's clock, s.
    Land(u32, f64),
}

/// What happens at the end of a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Next {
    /// A turn in the way on the wall.
    Turn(Turn),
    /// It comes to where the wall, or the feature of it that it is on, ends; or nothing presses it on any more.
    LetsGo,
    /// It has stopped bouncing.
    Settles,
}

impl Stance {
    pub const FLYING: Stance = Stance {
        on: None,
        gait: Gait::Resting,
        next: Next::Turn(Turn::GoesOn),
        settles: f64::NEG_INFINITY,
        intent: Intent::Stay,
    };
}

/// A bounce that goes no higher than this share of the radius is the last one.
const LAST_BOUNCE: f64 = 1e-12;

impl<S: Space> Guides<S> {
    /// Everybody falls, as they have done so far.
    pub fn new(balls: &Balls<S>) -> Self {
        let piece = |slot: usize| {
            let ball = &balls.hot[slot];
            let flight = Flight {
                position: ball.position,
                velocity: ball.velocity,
                acceleration: balls.gravity,
            };
            Piece::of_flight(&flight, balls.spin(slot))
        };
        Guides {
            pieces: (0..balls.len()).map(piece).collect(),
            stances: vec![Stance::FLYING; balls.len()],
        }
    }
}

impl<S: Space> Balls<S> {
    /// What a guided ball does.
    pub fn stance(&self, slot: usize) -> Option<&Stance> {
        self.guides.as_ref().map(|guides| &guides.stances[slot])
    }

    /// Lets a guided ball touch nothing from now on.
    pub fn lift(&mut self, slot: usize) {
        if let Some(guides) = &mut self.guides {
            guides.stances[slot].intent = Intent::Leave;
        }
    }

    /// What a guided ball keeps touching is at another place in the list.
    pub fn stand_on(&mut self, slot: usize, index: u32) {
        if let Some(guides) = &mut self.guides {
            guides.stances[slot].on = Some(index);
        }
    }

    /// Whether a ball keeps touching a piece of scenery.
    pub fn is_on(&self, slot: usize, index: u32) -> bool {
        match &self.guides {
            Some(guides) => guides.stances[slot].on == Some(index),
            None => false,
        }
    }
}

impl<S: Space> Stage<S> {
    /// What a ball on a wall needs to know about it at a time; `None` where one cannot stay on it: it moves otherwise than straight on,
    /// or the way along it is not known.
    pub fn standing(&self, slot: usize, index: u32, time: f64) -> Option<Standing<S>> {
        let scenery = &self.scenery[index as usize];
        let body = &scenery.body;
        let round = matches!(body.shape, Shape::Ball(_) | Shape::Hollow(_));
        match &body.kind {
            Kind::Fixed | Kind::Driven(Drive::Uniform { .. }) => {}
            Kind::Driven(Drive::Rotation { pivot, .. })
                if round && *pivot == body.pose.position => {}
            _ => return None,
        }
        let balls = &self.balls;
        let pose = scenery.state_at(self.epoch + time).pose;
        let place = balls.position_at(slot, time);
        let local = pose.to_local(place);
        let bending = body.shape.bending(local);
        if bending == Bending::Otherwise {
            return None;
        }
        let (contact, _) = self.contact(slot, Other::Scenery(index), time);
        let wall_velocity = contact.b.contact_velocity();
        let velocity = balls.velocity_at(slot, time);
        let relative = S::unrotate(pose.rotation, velocity - wall_velocity);
        let normal = S::unrotate(pose.rotation, contact.normal);
        let turning = bending.turning(local, normal, relative);
        let inertial = balls.inertials.of(slot);
        let radius = balls.hot[slot].radius;
        let surface = self.surface(slot, Other::Scenery(index));
        Some(Standing {
            radius,
            roundness: inertial.inertia / (inertial.mass * radius * radius),
            normal: contact.normal,
            wall_velocity,
            gravity: balls.gravity,
            rubbing: Rubbing {
                static_friction: surface.static_friction,
                kinetic_friction: surface.kinetic_friction,
                rolling: surface.rolling_resistance,
                spinning: surface.spinning_resistance,
            },
            place,
            velocity,
            spin: balls.spin_at(slot, time),
            centrifugal: -relative.dot(turning),
        })
    }

    /// Whether a wall's shape leads a ball's centre straight on where it is.
    fn is_flat(&self, slot: usize, index: u32, time: f64) -> bool {
        let scenery = &self.scenery[index as usize];
        let pose = scenery.state_at(self.epoch + time).pose;
        let local = pose.to_local(self.balls.position_at(slot, time));
        scenery.body.shape.bending(local) == Bending::Flat
    }

    /// The speed across the wall (m/s) below which a ball stays on it.
    pub fn least_hop(&self, standing: &Standing<S>) -> f64 {
        (2.0 * standing.pressing().max(0.0) * LAST_BOUNCE * standing.radius).sqrt()
    }

    /// The way of a ball from its own time on, and how it goes.
    pub fn way_of(&self, slot: usize) -> (Piece<S>, Stance) {
        let balls = &self.balls;
        let ball = &balls.hot[slot];
        let guides = balls.guides.as_ref().expect("only where balls are guided");
        let before = guides.stances[slot];
        let footing = match before.intent {
            Intent::Stay => before.on.map(|index| (index, before.settles)),
            Intent::Leave => None,
            Intent::Land(index, settles) => Some((index, settles)),
        };
        if let Some((index, settles)) = footing
            && let Some(way) = self.way_on(slot, index, settles)
        {
            return way;
        }
        let flight = Flight {
            position: ball.position,
            velocity: ball.velocity,
            acceleration: balls.gravity,
        };
        (Piece::of_flight(&flight, balls.spin(slot)), Stance::FLYING)
    }

    /// The way on a wall; `None` where the ball does not stay on it.
    fn way_on(&self, slot: usize, index: u32, settles: f64) -> Option<(Piece<S>, Stance)> {
        let since = self.balls.hot[slot].since;
        let standing = self.standing(slot, index, since)?;
        let across = standing
            .normal
            .dot(standing.velocity - standing.wall_velocity);
        let pressing = standing.pressing();
        if !(pressing > 0.0 && across.abs() <= self.least_hop(&standing)) {
            return None;
        }
        if !self.is_flat(slot, index, since) {
            return None;
        }
        let Stretch {
            gait,
            mut piece,
            turn,
        } = standing.on_flat()?;
        let mut next = Next::Turn(turn);
        if let Some(end) = self.end_of_feature(slot, index, &piece) {
            piece.end = end;
            next = Next::LetsGo;
        }
        if settles > since && settles - since < piece.end {
            piece.end = settles - since;
            next = Next::Settles;
        }
        let stance = Stance {
            on: Some(index),
            gait,
            next,
            settles,
            intent: Intent::Stay,
        };
        Some((piece, stance))
    }

    /// When, on a piece, a ball comes to the end of the feature that it is on, before the piece ends.
    fn end_of_feature(&self, slot: usize, index: u32, piece: &Piece<S>) -> Option<f64> {
        let scenery = &self.scenery[index as usize];
        let since = self.balls.hot[slot].since;
        let state = scenery.state_at(self.epoch + since);
        let shape = &scenery.body.shape;
        // In the frame of the wall, which moves straight on.
        let path = piece.seen_from(&state.pose, state.velocity);
        let feature = shape.feature(path.position_at(0.0));
        let mut first: Option<f64> = None;
        shape.gates(&mut |gate| {
            let mut from = 0.0;
            // A gate may be crossed where it is no border of this feature: look on.
            for _ in 0..8 {
                let time = crossing_of_gate(&path, from, &gate);
                if !(time < first.unwrap_or(piece.end)) {
                    break;
                }
                let after = time.next_up() + 1e-12 * time;
                if shape.feature(path.position_at(after)) != feature {
                    first = Some(after);
                    break;
                }
                from = after;
            }
        });
        first
    }
}

/// Abscissae and weights of Gauss's rule with five points on [−1, 1].
const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
];

impl<S: Space> Stage<S> {
    /// What a wall has done to a ball on its present piece of way until a time.
    ///
    /// What is lost is the integral of friction times slip, by Gauss's rule: exact on parabolas. Momentum is what the motion says.
    pub fn carried(&self, slot: usize, time: f64) -> Carried<S> {
        let balls = &self.balls;
        let guides = balls.guides.as_ref().expect("only where balls are guided");
        let (stance, since) = (guides.stances[slot], balls.hot[slot].since);
        let dt = time - since;
        let Some(index) = stance.on.filter(|_| dt > 0.0) else {
            return Carried::default();
        };
        let inertial = balls.inertials.of(slot);
        let mut lost = [0.0; 3];
        for (abscissa, weight) in GAUSS {
            let at = since + 0.5 * dt * (1.0 + abscissa);
            if let Some(standing) = self.standing(slot, index, at) {
                let power = standing.dissipation(stance.gait);
                for (lost, power) in lost.iter_mut().zip(power) {
                    *lost += 0.5 * dt * weight * power * inertial.mass;
                }
            }
        }
        let momentum_at = |time: f64| balls.velocity_at(slot, time) * inertial.mass;
        let gained = momentum_at(time) - momentum_at(since);
        let momentum = gained - balls.gravity * (inertial.mass * dt);
        let turning = if inertial.inertia.is_finite() {
            inertial.inertia
        } else {
            0.0
        };
        let angular_at = |time: f64| {
            S::torque(balls.position_at(slot, time), momentum_at(time))
                + balls.spin_at(slot, time) * turning
        };
        let state = self.scenery[index as usize].state_at(self.epoch + time);
        Carried {
            lost,
            work: momentum.dot(state.velocity),
            momentum,
            angular: angular_at(time) - angular_at(since) - balls.torque_of_gravity(slot, time),
        }
    }
}
