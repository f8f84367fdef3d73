//! Piles: balls that lie on other balls come to rest, and get up again when something hits them.
//!
//! A ball that lies in the hollow between others bounces infinitely often in a finite time. Three rules get a run past
//! that, all of them about bounces that lift a ball by no more than a ten-thousandth of its radius (h = 10⁻⁴ r,
//! `v = √(2 g h)`, lasting `2 v/g`), and only where there is gravity:
//!
//! 1. A soft collision (closing at 4 v at most, by one that lies on the other) that comes sooner than such a bounce
//!    lasts after the last one of either ball takes no energy along the normal (the contact-time rule of Luding and
//!    McNamara, with a contact time that follows from the balls; one that was set by hand takes its place), and throws
//!    them apart at half of v at least: what floors and walls take would make the collisions come ever faster. What
//!    that puts in is in the budget. Bounces on a wall are concerned only shortly after a ball was hit by another: a
//!    lone ball's bounces add up in a finite time, and it stays on the wall.
//! 2. A ball slower than that, one that another has just hit or that lies in a corner, goes to sleep when the bodies
//!    that it touches (within a few h) can hold it: its weight is a sum of pushes along their normals. Balls among them
//!    have to be asleep, or able to fall asleep with it. What it had left of energy is in the budget, as settled.
//! 3. A ball asleep is like a wall to whatever hits it softly (closing more slowly than 5 v). Harder hits wake it, and
//!    with it all those that it held. So do changes of the gravity and of the fixture.
//!
//! And one more, for a ball alone: where its way does not get on (it has changed a thousand times within the time in
//! which it would fall by 10⁻¹⁰ of its radius, or the integrator finds no next segment), it goes to sleep if two or
//! more walls together hold it and it is so slow that what it has left would lift it by no more than 10⁻¹⁰ of its
//! radius. Anybody else's run stops with an error.
//!
//! What the rules leave out: a ball asleep does not press on those that hold it. Two balls on a smooth floor with a
//! third between and above them would part; here the three may fall asleep. Rolling resistance and friction make that
//! right in most piles.

use super::Exact;
use crate::arrays::Each;
use crate::impact::Strikable;
use crate::material::Surface;
use crate::order::InOrder;
use crate::record::Collision;
use crate::record::Regime;
use crate::simulate::balls::NOBODY;
use crate::simulate::bodies::{BodyRef, NOWHERE};
use crate::space::Linear;

/// How high the bounces are that do not count, in radii.
const LEVEL: f64 = 1e-4;

/// Bodies within so many of these heights touch.
const NEAR: f64 = 4.0;

/// How much faster than such a bounce a hit has to be to wake a ball.
const WAKES: f64 = 5.0;

/// The share of gravity along the normal from which on one ball lies on another.
const LEANING: f64 = 0.05;

/// Faster hits than so many of these bounces are not soft, whenever they come.
const SOFT: f64 = 4.0;

/// How much slower than that a ball is in a corner, where no other has hit it, when it falls asleep.
const PATIENT: f64 = 1e-4;

/// How much slower still it is where two walls could hold it exactly, and have not come to.
const LATER: f64 = 0.1;

/// How high what a ball has left may lift it, in radii, where it falls asleep because its way does not get on.
const UNSEEN: f64 = 1e-10;

/// How many balls can fall asleep together.
const TOGETHER: usize = 64;

impl<S: Strikable> Exact<S> {
    /// The speed of a bounce that does not count, m/s.
    fn doze(&self, slot: usize) -> f64 {
        let balls = &self.stage.balls;
        (2.0 * balls.gravity.length() * LEVEL * balls.hot[slot].radius).sqrt()
    }

    /// Whether a ball was hit by another so shortly ago that the first rule holds.
    fn is_squeezed(&self, slot: u32) -> bool {
        if self.contact_time.is_some() {
            return false;
        }
        let id = self.stage.balls.ids[slot as usize];
        let gravity = self.stage.balls.gravity.length();
        let lasts = 2.0 * self.doze(slot as usize) / gravity;
        let last = self.last_hits.get(id.0 as usize);
        last.is_some_and(|&time| self.clock - time < lasts)
    }

    /// What holds by the first rule between a ball and a body that close at a speed, m/s.
    fn thrown_apart(&self, slot: u32, closing: f64, surface: Surface) -> Surface {
        let least = 0.5 * self.doze(slot as usize);
        if closing >= least {
            return Surface {
                restitution: surface.restitution.max(1.0),
                contact_duration: 0.0,
                ..surface
            };
        }
        // Friction could hold a ball in a wedge, and throw it from side to side without end.
        Surface {
            restitution: surface.restitution.max(least / closing),
            contact_duration: 0.0,
            static_friction: 0.0,
            kinetic_friction: 0.0,
            ..surface
        }
    }

    /// What holds between a ball and fixtures that meet now, by the first rule; `None` where it is none of its
    /// business.
    pub(super) fn press(&self, slot: u32, index: u32, surface: Surface) -> Option<Surface> {
        if !self.is_squeezed(slot) {
            return None;
        }
        let (contact, _) = (self.stage).contact(slot as usize, BodyRef::Fixture(index), self.clock);
        let closing = -contact.normal_velocity();
        let softly =
            closing > contact.approach_floor() && closing <= SOFT * self.doze(slot as usize);
        softly.then(|| self.thrown_apart(slot, closing, surface))
    }

    /// Notes who was hit, and lets those fall asleep who can.
    #[cold]
    pub(super) fn after_hits(&mut self, collisions: &[Collision<S>]) {
        for collision in collisions {
            let slots = [collision.a, collision.b].each(|id| self.stage.slots[id.0 as usize]);
            // Side by side on a table they do not lie on each other.
            let gravity = self.stage.balls.gravity;
            let upright = collision.normal.dot(gravity).abs() > LEANING * gravity.length();
            if slots[1] != NOWHERE && upright {
                slots.into_iter().for_each(|slot| self.note_hit(slot));
            }
        }
        for collision in collisions {
            for id in [collision.a, collision.b] {
                let slot = self.stage.slots[id.0 as usize];
                if slot != NOWHERE {
                    self.nap(slot);
                }
            }
        }
    }

    /// Notes that a ball is hit by another, for the first rule.
    fn note_hit(&mut self, slot: u32) {
        let index = self.stage.balls.ids[slot as usize].0 as usize;
        if index >= self.last_hits.len() {
            self.last_hits.resize(index + 1, f64::NEG_INFINITY);
        }
        self.last_hits[index] = self.clock;
    }

    /// The restitution between two balls that meet now, by the first rule; wakes those who are hit hard.
    #[cold]
    pub(super) fn soften(&mut self, a: u32, b: u32, surface: Surface) -> Surface {
        let (contact, _) = self.stage.contact(a as usize, BodyRef::Ball(b), self.clock);
        let closing = -contact.normal_velocity();
        let doze = self.doze(a as usize).min(self.doze(b as usize));
        if closing > WAKES * doze {
            for slot in [a, b] {
                self.wake(slot);
            }
        }
        let softly = closing > contact.approach_floor() && closing <= SOFT * doze;
        if softly && (self.is_squeezed(a) || self.is_squeezed(b)) {
            return self.thrown_apart(a, closing, surface);
        }
        surface
    }

    /// Lets a ball that has just been struck fall asleep, if it can.
    fn nap(&mut self, slot: u32) {
        let balls = &self.stage.balls;
        if balls.is_asleep(slot as usize) || !self.is_slow(slot as usize) {
            return;
        }
        // What a single wall holds slides or rolls there, exactly: only piles and corners need sleep.
        if !self.is_squeezed(slot) && (self.is_on_one_wall(slot) || self.nestles_soon(slot)) {
            return;
        }
        self.fall_asleep(slot);
    }

    /// Lets a ball whose way does not get on fall asleep where it is all but at rest (the fourth rule). Whether it did.
    pub(super) fn doze_off(&mut self, slot: u32) -> bool {
        let balls = &self.stage.balls;
        let Some(took) = self.watchdog.segment(balls.len(), self.clock) else {
            return false;
        };
        let fall = 2.0 * UNSEEN * balls.hot[slot as usize].radius;
        took * took * balls.gravity.length() < fall
            && self.is_all_but_at_rest(slot)
            && self.fall_asleep(slot)
    }

    /// Whether what a ball has left would lift it by no more than a share of its radius that nobody sees, where two or
    /// more walls hold it.
    pub(super) fn is_all_but_at_rest(&mut self, slot: u32) -> bool {
        let (balls, time) = (&self.stage.balls, self.clock);
        if !self.piles || balls.is_asleep(slot as usize) || balls.sticking(slot as usize).is_some()
        {
            return false;
        }
        let radius = balls.hot[slot as usize].radius;
        let most = (2.0 * balls.gravity.length() * UNSEEN * radius).sqrt();
        let turning = balls.angular_velocity_at(slot as usize, time).length() * radius;
        let rubs = self.stage.surfaces.materials.any_friction();
        let slow = balls.velocity_at(slot as usize, time).length() <= most
            && (!rubs || turning <= WAKES * most);
        if !slow {
            return false;
        }
        let normals: Vec<[f64; 3]> = (self.touching(slot).into_iter())
            .filter(|(other, _)| matches!(other, BodyRef::Fixture(_)))
            .map(|(_, normal)| S::components(normal))
            .collect();
        normals.len() >= 2 && self.is_held(&normals)
    }

    /// Lets a ball fall asleep, and those that have to with it, if the bodies that it touches hold it. Whether they do.
    fn fall_asleep(&mut self, slot: u32) -> bool {
        let mut together = Vec::new();
        if !self.can_sleep(slot, &mut together) {
            return false;
        }
        self.use_segments();
        for &slot in &together {
            self.end_flight(slot as usize);
            let clock = self.clock;
            let balls = &mut self.stage.balls;
            balls.restart(slot as usize, clock);
            balls.lay_down(slot as usize);
        }
        self.changed(&together);
        true
    }

    /// Whether two walls hold a ball between them, exactly, or will when its bounces are lower still.
    fn nestles_soon(&mut self, slot: u32) -> bool {
        if (self.stage.balls.support(slot as usize)).is_some_and(|support| support.also.is_some()) {
            return true;
        }
        let speed = (self.stage.balls)
            .velocity_at(slot as usize, self.clock)
            .length();
        if speed <= LATER * PATIENT * self.doze(slot as usize) {
            return false;
        }
        let touching = self.touching(slot);
        let walls: Vec<u32> = (touching.iter())
            .filter_map(|(other, _)| match other {
                BodyRef::Fixture(index) => Some(*index),
                BodyRef::Ball(_) => None,
            })
            .collect();
        let stage = &self.stage;
        walls.len() == touching.len()
            && walls.iter().enumerate().any(|(number, &first)| {
                let others = walls[number + 1..].iter();
                others.into_iter().any(|&second| {
                    let in_groove = stage.in_groove(slot as usize, [first, second], self.clock);
                    in_groove.is_some_and(|in_groove| stage.is_held_by_both(&in_groove))
                })
            })
    }

    /// Whether one wall alone holds a ball.
    fn is_on_one_wall(&mut self, slot: u32) -> bool {
        let touching = self.touching(slot);
        touching.iter().any(|(other, normal)| {
            matches!(other, BodyRef::Fixture(_)) && self.is_held(&[S::components(*normal)])
        })
    }

    fn is_slow(&self, slot: usize) -> bool {
        let (balls, time) = (&self.stage.balls, self.clock);
        if balls.sticking(slot).is_some() {
            // It has the velocity that it leaves with to come.
            return false;
        }
        // In a corner nothing keeps bounces from becoming ever shorter: there is no hurry.
        let doze = if self.is_squeezed(slot as u32) {
            self.doze(slot)
        } else {
            PATIENT * self.doze(slot)
        };
        let turning = balls.angular_velocity_at(slot, time).length() * balls.hot[slot].radius;
        let rubs = self.stage.surfaces.materials.any_friction();
        balls.velocity_at(slot, time).length() <= 2.0 * doze && (!rubs || turning <= WAKES * doze)
    }

    /// Whether a slow ball is held by those that it touches; adds it, and those of them that have to fall asleep with
    /// it, to a list.
    fn can_sleep(&mut self, slot: u32, together: &mut Vec<u32>) -> bool {
        if together.len() >= TOGETHER {
            return false;
        }
        let before = together.len();
        together.push(slot);
        let mut normals = Vec::new();
        for (other, normal) in self.touching(slot) {
            let holds = match other {
                BodyRef::Fixture(_) => true,
                // From above it holds nothing, and from the side too little.
                BodyRef::Ball(_) if !(normal.dot(self.stage.balls.gravity) < 0.0) => true,
                BodyRef::Ball(other) => {
                    self.stage.balls.is_asleep(other as usize)
                        || together.contains(&other)
                        || (self.is_slow(other as usize) && self.can_sleep(other, together))
                }
            };
            if holds {
                normals.push(S::components(normal));
            }
        }
        if self.is_held(&normals) {
            return true;
        }
        together.truncate(before);
        false
    }

    /// The bodies that a ball touches, or nearly so, and the normals out of them.
    fn touching(&mut self, slot: u32) -> Vec<(BodyRef, S::Vector)> {
        let mut around = Vec::new();
        self.each_neighbour(slot, |other| around.push(other));
        let stage = &self.stage;
        let near = NEAR * LEVEL * stage.balls.hot[slot as usize].radius;
        let mut touching: Vec<(BodyRef, S::Vector)> = Vec::new();
        for other in around {
            if !stage.collide(slot as usize, other)
                || touching.iter().any(|(known, _)| *known == other)
            {
                continue;
            }
            let (contact, gap) = stage.contact(slot as usize, other, self.clock);
            if gap <= near {
                touching.push((other, contact.normal));
            }
        }
        // Whoever is found first depends on where balls are stored; what follows must not.
        touching.order_by_key(|&(other, _)| stage.id_of(other));
        touching
    }

    /// Whether pushes along some directions can hold a weight.
    fn is_held(&self, normals: &[[f64; 3]]) -> bool {
        let Some(down) = self.stage.balls.gravity.unit() else {
            return false;
        };
        holds(normals, S::components(-down), S::DIMENSION)
    }

    /// Wakes a ball, and those that it held.
    pub(in crate::simulate) fn wake(&mut self, slot: u32) {
        let mut waiting = vec![slot];
        while let Some(slot) = waiting.pop() {
            if !self.stage.balls.is_asleep(slot as usize) {
                continue;
            }
            self.end_flight(slot as usize);
            self.stage.balls.get_up(slot as usize);
            let clock = self.clock;
            self.stage.balls.restart(slot as usize, clock);
            self.changed(&[slot]);
            for (other, _) in self.touching(slot) {
                let BodyRef::Ball(other) = other else {
                    continue;
                };
                if !self.stage.balls.is_asleep(other as usize) {
                    continue;
                }
                let normals: Vec<[f64; 3]> = self
                    .touching(other)
                    .into_iter()
                    .filter(|(by, _)| match by {
                        BodyRef::Fixture(_) => true,
                        BodyRef::Ball(by) => self.stage.balls.is_asleep(*by as usize),
                    })
                    .map(|(_, normal)| S::components(normal))
                    .collect();
                if !self.is_held(&normals) {
                    waiting.push(other);
                }
            }
        }
    }

    /// Wakes everybody.
    pub(in crate::simulate) fn wake_all(&mut self) {
        let mut asleep: Vec<u32> = (0..self.stage.balls.len() as u32)
            .filter(|&slot| self.stage.balls.ids[slot as usize] != NOBODY)
            .filter(|&slot| self.stage.balls.is_asleep(slot as usize))
            .collect();
        asleep.order_by_key(|&slot| self.stage.balls.ids[slot as usize]);
        for &slot in &asleep {
            self.end_flight(slot as usize);
            self.stage.balls.get_up(slot as usize);
            let clock = self.clock;
            self.stage.balls.restart(slot as usize, clock);
        }
        self.changed(&asleep);
    }

    /// Whether no ball moves: all of them lie on others, or rest on walls.
    pub fn is_at_rest_everywhere(&self) -> bool {
        let balls = &self.stage.balls;
        self.uses_segments() && balls.slots().all(|slot| self.is_at_rest(slot))
    }

    /// How many balls do not move: they lie on others, or rest on a wall.
    pub fn number_at_rest(&self) -> usize {
        let slots = self.stage.balls.slots();
        slots.filter(|&slot| self.is_at_rest(slot)).count()
    }

    /// Whether a ball does not move: it is asleep, or rests on a wall.
    pub(in crate::simulate) fn is_at_rest(&self, slot: usize) -> bool {
        self.stage.balls.support(slot).is_some_and(|support| {
            let settled = support.settles <= self.clock;
            support.asleep || (support.on.is_some() && support.regime == Regime::Resting && settled)
        })
    }
}

/// Whether a direction (of length one) is a sum of others with factors that are not negative: whether some one, two or
/// three of them make it.
fn holds(normals: &[[f64; 3]], up: [f64; 3], dimension: usize) -> bool {
    const SLACK: f64 = 1e-9;
    let dot = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let cross = |a: &[f64; 3], b: &[f64; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    if normals.iter().any(|normal| dot(normal, &up) >= 1.0 - SLACK) {
        return true;
    }
    for (index, a) in normals.iter().enumerate() {
        for (next, b) in normals.iter().enumerate().skip(index + 1) {
            let across = cross(a, b);
            let size = dot(&across, &across);
            if size < SLACK * SLACK {
                continue;
            }
            // up = λ a + μ b, as far as it lies in their plane.
            let lambda = dot(&cross(&up, b), &across) / size;
            let mu = dot(&cross(a, &up), &across) / size;
            let off = dot(&up, &across);
            if lambda >= -SLACK && mu >= -SLACK && off * off <= SLACK * size {
                return true;
            }
            if dimension == 2 {
                continue;
            }
            for c in &normals[next + 1..] {
                let volume = dot(&across, c);
                if volume.abs() < SLACK {
                    continue;
                }
                let parts = [
                    dot(&cross(b, c), &up) / volume,
                    dot(&cross(c, a), &up) / volume,
                    dot(&across, &up) / volume,
                ];
                if parts.iter().all(|&part| part >= -SLACK) {
                    return true;
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn what_holds_a_ball() {
        let up = [0.0, 1.0, 0.0];
        let (left, right) = ([0.6, 0.8, 0.0], [-0.6, 0.8, 0.0]);
        assert!(holds(&[left, right], up, 2));
        assert!(holds(&[up], up, 2));
        assert!(!holds(&[left], up, 2));
        // Both on one side.
        assert!(!holds(&[left, [0.8, 0.6, 0.0]], up, 2));
        // A wall and a ball below.
        assert!(holds(&[left, [-1.0, 0.0, 0.0]], up, 2));
        assert!(!holds(&[left, [1.0, 0.0, 0.0]], up, 2));
        // Three around, in 3-D.
        let up = [0.0, 0.0, 1.0];
        let around = |angle: f64| [0.6 * angle.cos(), 0.6 * angle.sin(), 0.8];
        let three = [around(0.0), around(2.0), around(4.0)];
        assert!(holds(&three, up, 3));
        assert!(!holds(&three[..2], up, 3));
        assert!(!holds(&[around(0.0), around(0.5), around(1.0)], up, 3));
    }
}
