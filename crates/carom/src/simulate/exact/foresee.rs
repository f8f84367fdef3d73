//! When bounces will be over, foreseen while they are high enough to tell.
//!
//! Bounces are reported, in the coordinates of the world, until they are lower than what ends them; by then places are rounded too coarsely to tell when the rest of them is over. So that is worked out earlier
//! ([`bounces`](crate::bounces)), at the first hit that is slow enough, and kept until the ball comes to lie on the wall or between the walls, or something else happens to it.

use super::Exact;
use crate::body::Kind;
use crate::bounces::{Bouncing, Facing, Halt, Landing, Weight};
use crate::crease::{Flank, Nestled};
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

/// How far the other walls may be, in such heights. Planners know everything that is within 10⁻⁶ of the radius.
const NEAR: f64 = 8.0;

/// By how much the end of bounces on one wall may come earlier or later than the last of them says, of what is left.
const ROUNDED: f64 = 0.5;

impl<S: Space> Exact<S> {
    /// Foresees, where a ball meets scenery, when its bounces there, or among that and other walls, will be over.
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
        if known.is_some_and(|known| !known.also.is_empty()) {
            return;
        }
        let known = known.is_some();
        let walls = self.walls_near(ball, index, standing.radius);
        let halts = match self.halt_among(slot, index, &walls) {
            None if !known => (self.halt_on(slot, index, standing)).map(|halt| (Vec::new(), halt)),
            among => among.map(|halt| (walls, halt)),
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

    /// The other walls that are near a ball that meets one, in the order of their numbers.
    fn walls_near(&mut self, ball: u32, index: u32, radius: f64) -> Vec<u32> {
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
        walls.sort_by_key(|&wall| (stage.scenery[wall as usize].id, wall));
        walls
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

    /// When and how the bounces of a ball among walls, one of which it meets now, will be over; `None` where nobody can tell.
    fn halt_among(&self, slot: usize, index: u32, others: &[u32]) -> Option<Halt<S>> {
        let (stage, clock) = (&self.stage, self.clock);
        let nestled = stage.nestled(slot, [*others.first()?, index], clock)?;
        if S::DIMENSION == 2 && others.len() > 1 {
            return None;
        }
        let start = stage.departure(slot, clock);
        let (mut walls, mut curved) = (Vec::new(), false);
        for &wall in others.iter().chain([&index]) {
            curved |= stage.bending(wall, &start) != Bending::Flat;
            walls.push(self.facing(slot, wall, wall == index, &nestled)?);
        }
        if curved {
            let speed = nestled.velocity - nestled.wall_velocity;
            let height = 0.5 * speed.length_squared() / nestled.gravity.length();
            let highest = walls.iter().fold(height, |most, wall| most.max(wall.gap));
            if highest > HEIGHT_ON_CURVES * nestled.radius {
                return None;
            }
        }
        // More than two at once hold it for good, or one of them has just let go.
        if walls.iter().filter(|wall| wall.on).count() > 2 {
            return None;
        }
        let bouncing = Bouncing {
            radius: nestled.radius,
            roundness: nestled.roundness,
            gravity: nestled.gravity,
            wall_velocity: nestled.wall_velocity,
            velocity: nestled.velocity,
            spin: nestled.spin,
            weight: self.weight(slot),
            walls,
        };
        bouncing.halt()
    }

    /// A wall that a ball is near, or meets now; `None` where it does not move as the others do, or contacts with it last.
    fn facing(
        &self,
        slot: usize,
        wall: u32,
        meets: bool,
        beside: &Nestled<S>,
    ) -> Option<Facing<S>> {
        let (stage, clock) = (&self.stage, self.clock);
        let surface = stage.surface(slot, Other::Scenery(wall));
        let standing = stage.standing(slot, wall, clock)?;
        let body = &stage.scenery[wall as usize].body;
        let steady = matches!(body.kind, Kind::Fixed | Kind::Driven(Drive::Uniform { .. }));
        let together = steady && standing.wall_velocity == beside.wall_velocity;
        if !together || surface.contact_duration > 0.0 {
            return None;
        }
        let on = !meets && stage.balls.is_on(slot, wall);
        let (contact, gap) = stage.contact(slot, Other::Scenery(wall), clock);
        let rounding = 8.0 * UNIT_ROUNDOFF * (contact.point.length() + standing.radius);
        let touches = meets || on || gap <= rounding;
        Some(Facing {
            flank: Flank {
                normal: standing.normal,
                rubbing: standing.rubbing,
            },
            surface,
            gap: if touches { 0.0 } else { gap },
            on,
        })
    }

    fn foreseen(&self, slot: usize) -> Option<&Foreseen<S>> {
        let guides = self.stage.balls.guides.as_ref()?;
        guides.halts.get(&self.stage.balls.ids[slot])
    }

    /// The other wall between which and this one a ball was foreseen to stop.
    pub(super) fn foreseen_beside(&self, slot: usize, index: u32) -> Option<u32> {
        let foreseen = self.foreseen(slot)?;
        match (foreseen.on, foreseen.beside()?) {
            (on, also) if on == index => Some(also),
            (on, also) if also == index => Some(on),
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
        let as_many = foreseen.also.len() == usize::from(both);
        (foreseen.is_about(index) && as_many && fits).then_some(time)
    }

    /// When a ball that will not bounce any more was foreseen to have stopped in a corner of these walls, by the run's clock, s.
    pub(super) fn settles_in_corner(&self, slot: usize, walls: [u32; 3]) -> Option<f64> {
        let foreseen = self.foreseen(slot)?;
        let about = walls.iter().all(|&wall| foreseen.is_about(wall));
        about.then_some(foreseen.time)
    }

    /// Notes that a ball that was foreseen to stop between two walls will move there otherwise: a slip of what was foreseen is over at once, and would be so again and again.
    pub(super) fn foresee_otherwise(&mut self, slot: usize, velocities: &Velocities<S>) {
        let balls = &mut self.stage.balls;
        let id = balls.ids[slot];
        if let Some(guides) = &mut balls.guides
            && let Some(foreseen) = guides.halts.get_mut(&id)
            && foreseen.beside().is_some()
        {
            (foreseen.velocity, foreseen.spin) = (velocities.velocity, velocities.spin);
        }
    }

    /// Forgets what was foreseen for a ball.
    pub(super) fn forget(&mut self, slot: usize) {
        let id = self.stage.balls.ids[slot];
        if let Some(guides) = &mut self.stage.balls.guides {
            guides.halts.remove(&id);
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

    /// Lets a ball whose bounces are over now move as it was foreseen to; between walls it is put to where all of them touch it.
    pub(super) fn halt(&mut self, slot: usize, stance: &Stance) {
        let id = self.stage.balls.ids[slot];
        let Some(guides) = &mut self.stage.balls.guides else {
            return;
        };
        let matches = |it: &Foreseen<S>| {
            let walls = [stance.on, stance.also];
            let also = it.beside();
            let same = match stance.all_three() {
                Some(walls) => walls.iter().all(|&wall| it.is_about(wall)),
                None if it.also.len() > 1 => false,
                None => [Some(it.on), also] == walls || [also, Some(it.on)] == walls,
            };
            same && it.time.max(stance.settles) == stance.settles
        };
        let foreseen = guides.halts.get(&id).filter(|it| matches(it)).cloned();
        if let Some(foreseen) = foreseen {
            guides.halts.remove(&id);
            self.halt_as_foreseen(slot, &foreseen);
        }
        if let Some(walls) = stance.all_three() {
            self.sit_down(slot, walls);
        }
    }

    fn halt_as_foreseen(&mut self, slot: usize, foreseen: &Foreseen<S>) {
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
        match (foreseen.beside(), foreseen.also.is_empty()) {
            (Some(also), _) => {
                let off = self.off_walls(slot, [foreseen.on, also], foreseen.place);
                self.stage.balls.hot[slot].position = foreseen.place - off;
            }
            (None, true) => self.stage.balls.hot[slot].position = foreseen.place,
            // In a corner the walls say where it is.
            (None, false) => {}
        }
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
