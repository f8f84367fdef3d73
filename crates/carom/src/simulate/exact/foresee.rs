//! Balls in corners: when the bounces between two walls will be over, foreseen while they are high enough to tell.
//!
//! Bounces are reported, in the coordinates of the world, until they are lower than what ends them; by then places are rounded too coarsely to tell when the rest of them is over. So that is worked out earlier, at the first hit
//! that comes in slowly enough with the other wall near ([`bounces`](crate::crease::bounces)), and kept until the ball lies between the walls, or something else happens to it.

use super::Exact;
use crate::crease::bounces::Bouncing;
use crate::material::Surface;
use crate::shape::Bending;
use crate::simulate::guides::Foreseen;
use crate::simulate::stage::Other;
use crate::space::{Linear, Space, UNIT_ROUNDOFF};
use crate::support::Standing;
use crate::world::BodyId;

/// How high the fall may be that a hit comes from, in radii. Higher, and places tell the time better still; but the walls have to be there that far.
const HEIGHT: f64 = 1e-7;

/// The same where a wall is curved: this far it is flat to what rounding leaves.
const HEIGHT_ON_CURVES: f64 = 1e-9;

/// How far the other wall may be, in such heights. Planners know everything that is within 10⁻⁶ of the radius.
const NEAR: f64 = 8.0;

impl<S: Space> Exact<S> {
    /// Foresees, where a ball meets scenery, when its bounces between that and another wall will be over.
    pub(super) fn foresee(&mut self, ball: u32, index: u32, standing: &Standing<S>) {
        let slot = ball as usize;
        let speed = (standing.normal).dot(standing.velocity - standing.wall_velocity);
        let gravity = standing.gravity.length();
        let most = 2.0 * gravity * HEIGHT * standing.radius;
        if !(speed < 0.0 && speed * speed <= most) || self.contact_time.is_some() {
            return;
        }
        let id = self.stage.balls.ids[slot];
        let guides = self.stage.balls.guides.as_ref();
        if guides.is_some_and(|guides| guides.halts.contains_key(&id)) {
            return;
        }
        let mut walls: Vec<u32> = Vec::new();
        self.each_neighbour(ball, |other| match other {
            Other::Scenery(wall) if wall != index && !walls.contains(&wall) => walls.push(wall),
            _ => {}
        });
        let (stage, clock) = (&self.stage, self.clock);
        walls.retain(|&wall| {
            let other = Other::Scenery(wall);
            stage.collide(slot, other)
                && stage.contact(slot, other, clock).1 <= NEAR * HEIGHT * standing.radius
        });
        // Between three walls there is no telling.
        let [wall] = walls[..] else { return };
        let Some(bouncing) = self.bouncing(slot, [wall, index]) else {
            return;
        };
        let Some(halt) = bouncing.halt() else { return };
        self.use_guides();
        if let Some(guides) = &mut self.stage.balls.guides {
            let foreseen = Foreseen {
                walls: [wall, index],
                time: clock + halt.after,
                velocity: halt.velocity,
                spin: halt.spin,
            };
            guides.halts.insert(id, foreseen);
        }
    }

    /// A ball between two walls, the second of which it meets now, as seen from them.
    fn bouncing(&self, slot: usize, walls: [u32; 2]) -> Option<Bouncing<S>> {
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
        let inertial = stage.balls.inertials.of(slot);
        Some(Bouncing {
            nestled,
            surfaces,
            inverse_mass: inertial.inverse_mass,
            inverse_inertia: inertial.inverse_inertia,
            gaps: [gap, 0.0],
            on: (on == Some(walls[0])).then_some(0),
        })
    }

    /// What was foreseen for a ball that meets one of the two walls.
    pub(super) fn foreseen(&self, slot: usize, index: u32) -> Option<Foreseen<S>> {
        let guides = self.stage.balls.guides.as_ref()?;
        let foreseen = guides.halts.get(&self.stage.balls.ids[slot])?;
        foreseen.walls.contains(&index).then_some(*foreseen)
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
                let expected = |foreseen: &Foreseen<S>| foreseen.walls.contains(&index);
                if !guides.halts.get(&id).is_some_and(expected) {
                    guides.halts.remove(&id);
                }
            }
        }
    }

    /// Puts a ball whose bounces are over now to where both walls touch it, as it was foreseen to move then.
    pub(super) fn halt(&mut self, slot: usize) {
        let id: BodyId = self.stage.balls.ids[slot];
        let Some(guides) = &mut self.stage.balls.guides else {
            return;
        };
        let Some(foreseen) = guides.halts.remove(&id) else {
            return;
        };
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
        let normals_and_gaps = foreseen.walls.map(|wall| {
            let (contact, gap) = self.stage.contact(slot, Other::Scenery(wall), self.clock);
            (contact.normal, gap)
        });
        let [(a, gap_a), (b, gap_b)] = normals_and_gaps;
        let between = a.dot(b);
        let area = 1.0 - between * between;
        let along_a = (gap_a - gap_b * between) / area;
        let along_b = (gap_b - gap_a * between) / area;
        let balls = &mut self.stage.balls;
        let off = a * along_a + b * along_b;
        balls.hot[slot].position = balls.hot[slot].position - off;
        balls.set_velocities(slot, &foreseen.velocities());
        let lost = before - energy(self);
        self.ledger.settling.add(lost);
        self.enter_settled(slot, velocity, spin);
    }
}
