//! When bounces will be over, foreseen while they are high enough to tell.
//!
//! Bounces are reported, in the coordinates of the world, until they are lower than what ends them; by then places are rounded too coarsely to tell when the rest of them is over. So that is worked out earlier
//! ([`bounces`](crate::bounces)), at the first hit that is slow enough, and kept until the ball comes to lie on the wall or between the walls, or something else happens to it.

use super::Exact;
use crate::body::Kind;
use crate::bounces::{Bouncing, Halt, Landing, Weight};
use crate::material::Surface;
use crate::motion::Drive;
use crate::record::Velocities;
use crate::shape::Bending;
use crate::simulate::guides::{Foreseen, Stance};
use crate::simulate::stage::Other;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};
use crate::support::Standing;

/// How high the fall may be that a hit comes from, in radii. Higher, and places tell the time better still; but the walls have to be there that far.
const HEIGHT: f64 = 1e-7;

/// The same where a wall is curved: this far it is flat to what rounding leaves.
const HEIGHT_ON_CURVES: f64 = 1e-9;

/// How far the other wall may be, in such heights. Planners know everything that is within 10⁻⁶ of the radius.
const NEAR: f64 = 8.0;

/// By how much the end of bounces on one wall may come earlier or later than the last of them says, of what is left.
const ROUNDED: f64 = 0.5;

impl<S: Space> Exact<S> {
    /// Foresees, where a ball meets scenery, when its bounces there, or between that and another wall, will be over.
    pub(super) fn foresee(&mut self, ball: u32, index: u32, standing: &Standing<S>) {
        let slot = ball as usize;
        let speed = (standing.normal).dot(standing.velocity - standing.wall_velocity);
        let height = 0.5 * speed * speed / standing.gravity.length();
        // A fall that is lower than places are rounded tells nothing.
        let least = 64.0 * UNIT_ROUNDOFF * (standing.place.length() + standing.radius);
        let tells = height > least && height <= HEIGHT * standing.radius;
        if !(speed < 0.0 && tells) || self.contact_time.is_some() {
            return;
        }
        let id = self.stage.balls.ids[slot];
        let guides = self.stage.balls.guides.as_ref();
        let known = guides.and_then(|guides| guides.halts.get(&id));
        if known.is_some_and(|known| known.also.is_some()) {
            return;
        }
        let known = known.is_some();
        let wall = self.wall_near(ball, index, standing.radius);
        let between =
            wall.and_then(|wall| Some((Some(wall), self.halt_between(slot, [wall, index])?)));
        let halts = match between {
            None if !known => (self.halt_on(slot, index, standing)).map(|halt| (None, halt)),
            between => between,
        };
        let Some((also, halt)) = halts else { return };
        self.use_guides();
        let time = self.clock + halt.after;
        if let Some(guides) = &mut self.stage.balls.guides {
            let foreseen = Foreseen {
                on: index,
                also,
                time,
                place: standing.place + halt.shift,
                velocity: halt.velocity,
                spin: halt.spin,
            };
            guides.halts.insert(id, foreseen);
        }
    }

    /// The one other wall that is near a ball that meets one; `None` also where there are several: between three walls there is no telling.
    fn wall_near(&mut self, ball: u32, index: u32, radius: f64) -> Option<u32> {
        let mut walls: Vec<u32> = Vec::new();
        self.each_neighbour(ball, |other| match other {
            Other::Scenery(wall) if wall != index && !walls.contains(&wall) => walls.push(wall),
            _ => {}
        });
        let (stage, clock) = (&self.stage, self.clock);
        walls.retain(|&wall| {
            let other = Other::Scenery(wall);
            stage.collide(ball as usize, other)
                && stage.contact(ball as usize, other, clock).1 <= NEAR * HEIGHT * radius
        });
        match walls[..] {
            [wall] => Some(wall),
            _ => None,
        }
    }

    fn weight(&self, slot: usize) -> Weight {
        let inertial = self.stage.balls.inertials.of(slot);
        Weight {
            inverse_mass: inertial.inverse_mass,
            inverse_inertia: inertial.inverse_inertia,
        }
    }

    /// When and how the bounces of a ball on the wall that it meets will be over; `None` where that is not flat, or turns, or more than gravity acts.
    fn halt_on(&self, slot: usize, index: u32, standing: &Standing<S>) -> Option<Halt<S>> {
        let stage = &self.stage;
        let body = &stage.scenery[index as usize].body;
        let steady = matches!(body.kind, Kind::Fixed | Kind::Driven(Drive::Uniform { .. }));
        let flat = || stage.bending(index, &stage.departure(slot, self.clock)) == Bending::Flat;
        let surface = stage.surface(slot, Other::Scenery(index));
        if !(stage.fields.is_uniform() && steady && surface.contact_duration == 0.0 && flat()) {
            return None;
        }
        let landing = Landing {
            standing: *standing,
            surface,
            weight: self.weight(slot),
        };
        landing.halt()
    }

    /// When and how the bounces of a ball between two walls, the second of which it meets now, will be over.
    fn halt_between(&self, slot: usize, walls: [u32; 2]) -> Option<Halt<S>> {
        let (stage, clock) = (&self.stage, self.clock);
        let nestled = stage.nestled(slot, walls, clock)?;
        let surfaces = walls.map(|wall| stage.surface(slot, Other::Scenery(wall)));
        let lasts = |surface: &Surface| surface.contact_duration > 0.0;
        if surfaces.iter().any(lasts) {
            return None;
        }
        let on = stage.balls.stance(slot).and_then(|stance| stance.on);
        let (contact, gap) = stage.contact(slot, Other::Scenery(walls[0]), clock);
        let rounding = 8.0 * UNIT_ROUNDOFF * (contact.point.length() + nestled.radius);
        let gap = if on == Some(walls[0]) || gap <= rounding {
            0.0
        } else {
            gap
        };
        let start = stage.departure(slot, clock);
        let curved = walls
            .iter()
            .any(|&wall| stage.bending(wall, &start) != Bending::Flat);
        if curved {
            let speed = nestled.velocity - nestled.wall_velocity;
            let heights = (0.5 * speed.length_squared() / nestled.gravity.length()).max(gap);
            if heights > HEIGHT_ON_CURVES * nestled.radius {
                return None;
            }
        }
        let bouncing = Bouncing {
            nestled,
            surfaces,
            weight: self.weight(slot),
            gaps: [gap, 0.0],
            on: (on == Some(walls[0])).then_some(0),
        };
        bouncing.halt()
    }

    fn foreseen(&self, slot: usize) -> Option<&Foreseen<S>> {
        let guides = self.stage.balls.guides.as_ref()?;
        guides.halts.get(&self.stage.balls.ids[slot])
    }

    /// The other wall between which and this one a ball was foreseen to stop.
    pub(super) fn foreseen_beside(&self, slot: usize, index: u32) -> Option<u32> {
        let &Foreseen { on, also, .. } = self.foreseen(slot)?;
        match also? {
            also if on == index => Some(also),
            also if also == index => Some(on),
            _ => None,
        }
    }

    /// When a ball that will not bounce any more was foreseen to have stopped, on a wall or on both, by the run's clock, s. `bouncing` is what is left by the last bounce, s.
    pub(super) fn settles_as_foreseen(
        &self,
        slot: usize,
        index: u32,
        both: bool,
        bouncing: f64,
    ) -> Option<f64> {
        let foreseen = self.foreseen(slot)?;
        let time = foreseen.time.max(self.clock);
        let off = (time - self.clock - bouncing).abs();
        // On one wall the last bounce tells roughly, if it is the same wall still, and no edge of it.
        let fits = both || off <= ROUNDED * bouncing;
        (foreseen.is_about(index) && foreseen.also.is_some() == both && fits).then_some(time)
    }

    /// Notes that a ball that was foreseen to stop between two walls will move there otherwise: a slip of what was foreseen is over at once, and would be so again and again.
    pub(super) fn foresee_otherwise(&mut self, slot: usize, velocities: &Velocities<S>) {
        let balls = &mut self.stage.balls;
        let id = balls.ids[slot];
        if let Some(guides) = &mut balls.guides
            && let Some(foreseen) = guides.halts.get_mut(&id)
            && foreseen.also.is_some()
        {
            (foreseen.velocity, foreseen.spin) = (velocities.velocity, velocities.spin);
        }
    }

    /// Forgets what was foreseen for balls that collide now, unless they are where that says.
    pub(super) fn forget_foreseen(&mut self, ball: u32, other: Other) {
        let balls = &mut self.stage.balls;
        let Some(guides) = &mut balls.guides else {
            return;
        };
        if guides.halts.is_empty() {
            return;
        }
        let id = balls.ids[ball as usize];
        match other {
            Other::Ball(other) => {
                guides.halts.remove(&id);
                guides.halts.remove(&balls.ids[other as usize]);
            }
            Other::Scenery(index) => {
                let expected = |foreseen: &Foreseen<S>| foreseen.is_about(index);
                if !guides.halts.get(&id).is_some_and(expected) {
                    guides.halts.remove(&id);
                }
            }
        }
    }

    /// Lets a ball whose bounces are over now move as it was foreseen to; between two walls it is put to where both touch it.
    pub(super) fn halt(&mut self, slot: usize, stance: &Stance) {
        let id = self.stage.balls.ids[slot];
        let Some(guides) = &mut self.stage.balls.guides else {
            return;
        };
        let matches = |it: &Foreseen<S>| {
            let walls = [stance.on, stance.also];
            let same = [Some(it.on), it.also] == walls || [it.also, Some(it.on)] == walls;
            same && it.time.max(stance.settles) == stance.settles
        };
        let Some(&foreseen) = guides.halts.get(&id).filter(|it| matches(it)) else {
            return;
        };
        guides.halts.remove(&id);
        let energy = |run: &Self| {
            let balls = &run.stage.balls;
            let (mass, place) = (balls.inertials.of(slot).mass, balls.hot[slot].position);
            run.kinetic(slot) + run.stage.fields.potential(mass, place)
        };
        let before = energy(self);
        let (velocity, spin) = (
            self.stage.balls.hot[slot].velocity,
            self.stage.balls.spin(slot),
        );
        let place = match foreseen.also {
            Some(also) => {
                foreseen.place - self.off_walls(slot, [foreseen.on, also], foreseen.place)
            }
            None => foreseen.place,
        };
        self.stage.balls.hot[slot].position = place;
        let balls = &mut self.stage.balls;
        balls.set_velocities(slot, &foreseen.velocities());
        let lost = before - energy(self);
        self.ledger.settling.add(lost);
        self.enter_settled(slot, velocity, spin);
    }

    /// How far a place is from where two walls would touch a ball that is all but there, m.
    fn off_walls(&self, slot: usize, walls: [u32; 2], place: S::Vector) -> S::Vector {
        let beside = place - self.stage.balls.position_at(slot, self.clock);
        let [(a, gap_a), (b, gap_b)] = walls.map(|wall| {
            let (contact, gap) = self.stage.contact(slot, Other::Scenery(wall), self.clock);
            (contact.normal, gap + contact.normal.dot(beside))
        });
        let between = a.dot(b);
        let area = 1.0 - between * between;
        a * ((gap_a - gap_b * between) / area) + b * ((gap_b - gap_a * between) / area)
    }
}
