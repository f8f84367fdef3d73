//! Whether a ball that meets walls stays on them: on one, between two, in a corner of three.

use super::Exact;
use crate::body::Kind;
use crate::impact::Strikable;
use crate::material::Surface;
use crate::order::InOrder;
use crate::simulate::bodies::{Bodies, BodyRef};
use crate::simulate::support::Standing;
use crate::simulate::support::corner::Poise;
use crate::simulate::support::groove::InGroove;
use crate::simulate::support::settling::last;
use crate::simulate::trajectories::{Intent, Support};
use crate::space::Linear;

impl<S: Strikable> Exact<S> {
    /// Whether a ball that meets a fixture stays on it from now on: it does not close, or not fast enough to bounce.
    /// Then it is no longer thrown back, and the surface that says so is returned.
    #[cold]
    pub(super) fn settle(&mut self, ball: u32, index: u32) -> Option<Surface> {
        let slot = ball as usize;
        let standing = self.stage.standing(slot, index, self.clock)?;
        self.predict_settling(ball, index, &standing);
        match self.cornering(ball, index, &standing) {
            Cornering::Holds(walls, surface, settles) => {
                self.use_segments();
                let foreseen = self.settles_in_corner(slot, walls).is_some();
                if foreseen {
                    self.forget_lesser(slot);
                } else {
                    self.forget(slot);
                }
                if let Some(trajectories) = &mut self.stage.balls.trajectories {
                    trajectories.supports[slot].intent = Intent::Corner(walls, settles);
                }
                return Some(last(&surface, foreseen));
            }
            Cornering::Between(walls, surface, settles) => {
                self.use_segments();
                if let Some(trajectories) = &mut self.stage.balls.trajectories {
                    trajectories.supports[slot].intent = Intent::Nestle(walls, settles);
                }
                return Some(last(&surface, false));
            }
            Cornering::Passes => return None,
            Cornering::Elsewhere => {}
        }
        let nestling = self.nestling(ball, index, &standing);
        let StayingOn {
            pressing,
            rebound,
            surface,
        } = match &nestling {
            Some((_, settling)) => *settling,
            None => self.stage.settling(slot, index, &standing)?,
        };
        self.use_segments();
        let pair = (slot, BodyRef::Fixture(index));
        let bouncing = (self.stage).bouncing(pair, &surface, rebound, pressing);
        let both = nestling.is_some();
        let foreseen = self.settles_as_predicted(slot, index, both, bouncing);
        let settles = foreseen.unwrap_or(self.clock + bouncing);
        if let Some(trajectories) = &mut self.stage.balls.trajectories {
            trajectories.supports[slot].intent = match nestling {
                Some((other, _)) => Intent::Nestle([other, index], settles),
                None => Intent::Land(index, settles),
            };
        }
        Some(last(&surface, foreseen.is_some()))
    }
}

/// What a corner of three walls does to a ball that meets one of them.
enum Cornering {
    /// They hold it from now on; what is between it and the one that it meets, and when its bounces are over, by the
    /// run's clock, s.
    Holds([u32; 3], Surface, f64),
    /// This one and one of the two that held it do; otherwise the same.
    Between([u32; 2], Surface, f64),
    /// The other two hold it, and take it away from this one: it bounces.
    Passes,
    /// It is not that far, or not in a corner.
    Elsewhere,
}

impl<S: Strikable> Exact<S> {
    /// Whether a ball that meets a wall, so slowly that it bounces no more, is by two others as well, and held by all
    /// three.
    ///
    /// When its bounces are over has been foreseen, if there were not too many of them. Otherwise what is left when the
    /// hops are lower than 10⁻¹² of the radius is taken for a geometric series.
    fn cornering(&mut self, ball: u32, index: u32, standing: &Standing<S>) -> Cornering {
        let (slot, clock) = (ball as usize, self.clock);
        if S::DIMENSION == 2 {
            return Cornering::Elsewhere;
        }
        let relative = standing.velocity - standing.wall_velocity;
        let speed = standing.normal.dot(relative);
        let surface = (self.stage).surface_at(slot, BodyRef::Fixture(index), -speed);
        let rebound = (-speed * surface.restitution).max(0.0);
        let hop = self.stage.highest_hop(slot);
        if !(rebound <= hop) || (surface.restitution >= 1.0 && -speed > hop) {
            return Cornering::Elsewhere;
        }
        let mut walls = self.walls_around(ball, index);
        let stage = &self.stage;
        walls.retain(|&wall| stage.is_by(slot, wall, clock));
        if walls.len() < 2 {
            return Cornering::Elsewhere;
        }
        walls.order_by_key(|&wall| (stage.fixtures[wall as usize].id, wall));
        let support = stage.balls.support(slot).copied();
        let both = support.and_then(|support| support.both());
        let is_between = |first: u32, second: u32| {
            both.is_some_and(|both| both.contains(&first) && both.contains(&second))
        };
        let pair = (slot, BodyRef::Fixture(index));
        let until = |pressing: f64| clock + stage.bouncing(pair, &surface, rebound, pressing);
        let (mut passes, mut between) = (false, None);
        for (number, &first) in walls.iter().enumerate() {
            for &second in &walls[number + 1..] {
                let all = [first, second, index];
                let Some(mut in_corner) = stage.in_corner(slot, all, clock) else {
                    continue;
                };
                in_corner.velocity -= standing.normal * speed;
                if stage.fast_across(&in_corner).is_some() {
                    continue;
                }
                match in_corner.held() {
                    Poise::Leaves(2) => passes |= is_between(first, second),
                    Poise::Leaves(wall) if is_between(first, second) => {
                        between = Some([all[1 - wall], index]);
                    }
                    Poise::Leaves(_) => {}
                    Poise::Steady(_) | Poise::Turning => {
                        // How fast it comes back to this wall along the other two.
                        let back = in_corner.without(2).acceleration();
                        let pressing = [
                            -standing.normal.dot(back),
                            -standing.normal.dot(standing.gravity),
                            standing.gravity.length(),
                        ];
                        let pressing = pressing.into_iter().find(|&pressing| pressing > 0.0);
                        // It is put into the corner when they are over, be it at once.
                        let settles = (self.settles_in_corner(slot, all))
                            .unwrap_or_else(|| pressing.map_or(clock, until))
                            .max(clock.next_up());
                        return Cornering::Holds(all, surface, settles);
                    }
                }
            }
        }
        match (passes, between) {
            (true, _) => Cornering::Passes,
            (false, Some(walls)) => {
                Cornering::Between(walls, surface, until(standing.gravity.length()))
            }
            (false, None) => Cornering::Elsewhere,
        }
    }

    /// Puts a ball whose bounces in a corner are over to where all three walls touch it.
    pub(super) fn sit_down(&mut self, slot: usize, walls: [u32; 3]) {
        let Some(off) = self.stage.off_corner(slot, walls, self.clock) else {
            return;
        };
        let balls = &mut self.stage.balls;
        let (mass, place) = (balls.inertials.of(slot).mass, balls.hot[slot].position);
        balls.hot[slot].position = place - off;
        let fields = &self.stage.fields;
        let lost = fields.potential(mass, place) - fields.potential(mass, place - off);
        self.ledger.settling.add(lost);
    }

    /// The other wall that will hold a ball together with the one that it meets now, and what makes it stay; `None`
    /// where it does not.
    ///
    /// Where it is not foreseen when its bounces are over, they are taken for a geometric series: on a wall that it
    /// keeps touching it comes back to the other one at the acceleration that it has there.
    fn nestling(
        &mut self,
        ball: u32,
        index: u32,
        standing: &Standing<S>,
    ) -> Option<(u32, StayingOn)> {
        let (slot, clock) = (ball as usize, self.clock);
        let speed = (standing.normal).dot(standing.velocity - standing.wall_velocity);
        let surface = (self.stage).surface_at(slot, BodyRef::Fixture(index), -speed);
        let rebound = -speed * surface.restitution;
        let hop = self.stage.highest_hop(slot);
        let support = self.stage.balls.support(slot);
        let on = support.and_then(|support| support.on);
        if !(rebound <= hop) || (surface.restitution >= 1.0 && -speed > hop) {
            return None;
        }
        if support.is_some_and(|support| support.also.is_some() && on != Some(index)) {
            return None;
        }
        let other = match self.predicted_beside(slot, index) {
            Some(other) => {
                let between = self.stage.is_between(slot, [other, index], clock);
                between.then_some(other)?
            }
            None => self.wall_beside(ball, index, standing, speed)?,
        };
        let stage = &self.stage;
        let gravity = -standing.normal.dot(standing.gravity);
        let pressing = match (stage.balls.segment(slot), on) {
            (Some(segment), Some(on)) if on == other => {
                let elapsed = clock - stage.balls.hot[slot].since;
                -(standing.normal).dot(segment.place.bend_at(elapsed))
            }
            _ => gravity,
        };
        let pressing = [pressing, gravity, standing.gravity.length()]
            .into_iter()
            .find(|&pressing| pressing > 0.0)?;
        let settling = StayingOn {
            pressing,
            rebound,
            surface,
        };
        Some((other, settling))
    }

    /// Whether a ball that chatters on a fixture, on nothing but that, keeps touching it from now on, as
    /// [`Self::settle`] has it: its bounces have no end that could be foreseen (a contact time lets them lose nothing,
    /// or the fixture is shaken), and are too short to matter.
    pub(super) fn stays_after_chatter(&mut self, ball: u32, other: BodyRef) -> Option<Surface> {
        let BodyRef::Fixture(index) = other else {
            return None;
        };
        let (slot, clock) = (ball as usize, self.clock);
        let surface = self.stage.surface_now(slot, other, clock);
        let standing = self.stage.standing(slot, index, clock)?;
        let among = |support: &Support| {
            support.island.is_some() || support.on.is_some_and(|on| on != index)
        };
        // What closes too slowly to be answered keeps its speed across: it stays only if the wall takes that.
        let across = (standing.normal).dot(standing.velocity - standing.wall_velocity);
        let (contact, _) = self.stage.contact(slot, other, clock);
        if !contact.is_approaching() && across.abs() > self.stage.least_hop(&standing) {
            return None;
        }
        if self.stage.balls.support(slot).is_some_and(among)
            || surface.restitution >= 1.0
            || !(standing.pressing() > 0.0)
        {
            return None;
        }
        let walls = self.walls_around(ball, index);
        let stage = &self.stage;
        let touches = |&wall: &u32| {
            stage.fixtures[wall as usize].touches(&stage.balls, slot, stage.epoch, clock)
        };
        if walls.iter().any(touches) {
            return None;
        }
        self.use_segments();
        if let Some(trajectories) = &mut self.stage.balls.trajectories {
            trajectories.supports[slot].intent = Intent::Land(index, clock);
        }
        Some(last(&surface, false))
    }

    /// The fixtures near a ball that it can collide with, other than one.
    pub(super) fn walls_around(&mut self, ball: u32, but: u32) -> Vec<u32> {
        let mut walls: Vec<u32> = Vec::new();
        self.each_neighbour(ball, |other| match other {
            BodyRef::Fixture(wall) if wall != but && !walls.contains(&wall) => walls.push(wall),
            _ => {}
        });
        walls.retain(|&wall| self.stage.collide(ball as usize, BodyRef::Fixture(wall)));
        walls
    }

    /// A wall that a ball touches beside the one that it meets at a speed, such that both would hold it.
    fn wall_beside(
        &mut self,
        ball: u32,
        index: u32,
        standing: &Standing<S>,
        speed: f64,
    ) -> Option<u32> {
        let (slot, clock) = (ball as usize, self.clock);
        let walls = self.walls_around(ball, index);
        let stage = &self.stage;
        walls.into_iter().find(|&wall| {
            let touches =
                stage.fixtures[wall as usize].touches(&stage.balls, slot, stage.epoch, clock);
            // As it is when it does not bounce here any more.
            let in_groove = touches
                .then(|| stage.in_groove(slot, [wall, index], clock))
                .flatten();
            in_groove.is_some_and(|in_groove| {
                let after = InGroove {
                    velocity: in_groove.velocity - standing.normal * speed,
                    ..in_groove
                };
                stage.is_held_by_both(&after)
            })
        })
    }
}

/// A ball that meets fixture, and stays on it.
#[derive(Clone, Copy)]
struct StayingOn {
    /// The acceleration that presses it on, m/s².
    pressing: f64,
    /// The speed at which it would be thrown back, m/s.
    rebound: f64,
    surface: Surface,
}

/// Bounces that are followed one by one at most where the restitution depends on the speed.
const MOST_BOUNCES: u32 = 10_000;

/// Speeds that are this share of the first are left to a geometric series.
const SLOWER: f64 = 1e-4;

impl<S: Strikable> Bodies<S> {
    /// How long all bounces to come take of a ball that is thrown back at a speed (m/s) and pressed on by an
    /// acceleration (m/s²), s: each takes ε times as long as the one before.
    ///
    /// Where ε depends on the speed they are followed down to 10⁻⁴ of the first; only the rest is taken for a geometric
    /// series. (Of viscoelastic spheres the n-th goes as n⁻⁵, so that the rest is 10⁻³ of all.)
    fn bouncing(
        &self,
        (slot, wall): (usize, BodyRef),
        surface: &Surface,
        rebound: f64,
        pressing: f64,
    ) -> f64 {
        let rest = |speed: f64, surface: &Surface| {
            let left = 1.0 - surface.restitution.min(0.999_999);
            2.0 * speed / (pressing * left)
        };
        let first = rebound.max(0.0);
        if !surface.varies() {
            return rest(first, surface);
        }
        let (mut sum, mut speed) = (0.0, first);
        for _ in 0..MOST_BOUNCES {
            if !(speed > SLOWER * first) {
                break;
            }
            sum += 2.0 * speed / pressing;
            speed *= self.surface_at(slot, wall, speed).restitution;
        }
        sum + rest(speed, &self.surface_at(slot, wall, speed))
    }

    /// What makes a ball that meets a fixture stay on it; `None` where it does not.
    fn settling(&self, slot: usize, index: u32, standing: &Standing<S>) -> Option<StayingOn> {
        if matches!(self.fixtures[index as usize].body.kind, Kind::Free(_)) {
            return None;
        }
        let pressing = standing.pressing();
        let speed = (standing.normal).dot(standing.velocity - standing.wall_velocity);
        let surface = self.surface_at(slot, BodyRef::Fixture(index), -speed);
        let rebound = -speed * surface.restitution;
        if !(pressing > 0.0 && rebound <= self.least_hop(standing))
            || (surface.restitution >= 1.0 && -speed > self.least_hop(standing))
        {
            return None;
        }
        Some(StayingOn {
            pressing,
            rebound,
            surface,
        })
    }

    /// Whether a ball touches a fixture at the start, does not leave it, and will stay on it: then all are on segments
    /// from the start, and what is planned for flights would be thrown away at once.
    pub(super) fn settles_at_start(&self) -> bool {
        let balls = &self.balls;
        let stays = |slot: usize, index: u32| {
            let wall = &self.fixtures[index as usize];
            self.collide(slot, BodyRef::Fixture(index))
                && wall.touches(balls, slot, self.epoch, 0.0)
                && self
                    .contact(slot, BodyRef::Fixture(index), 0.0)
                    .0
                    .normal_velocity()
                    <= 0.0
                && (self.standing(slot, index, 0.0))
                    .is_some_and(|standing| self.settling(slot, index, &standing).is_some())
        };
        balls.falling
            && balls
                .slots()
                .any(|slot| (0..self.fixtures.len() as u32).any(|index| stays(slot, index)))
    }
}
