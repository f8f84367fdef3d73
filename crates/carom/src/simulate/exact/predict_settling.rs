//! When bounces will be over, foreseen while they are high enough to tell.
//!
//! Bounces are reported, in the coordinates of the world, until they are lower than what ends them; by then places are
//! rounded too coarsely to tell when the rest of them is over. So that is worked out earlier
//! ([`settling`](crate::simulate::support::settling)), at the first hit that is slow enough, and kept until the ball
//! comes to lie on the wall or between the walls, or something else happens to it.
//!
//! In a corner of three walls or more bounces within bounces are told so roughly in the end that they would take longer
//! than they do. There the ball stops at the instant that was foreseen, wherever it was told to be.

use super::Exact;
use crate::arrays::Each;
use crate::body::Kind;
use crate::impact::Strikable;
use crate::motion::Drive;
use crate::order::InOrder;
use crate::record::Velocities;
use crate::shape::Bending;
use crate::simulate::bodies::BodyRef;
use crate::simulate::support::Standing;
use crate::simulate::support::corner::{InCorner, Poise};
use crate::simulate::support::groove::{GrooveSide, InGroove};
use crate::simulate::support::settling::{Bouncing, Facing, Fate, Halt, Landing, Weight};
use crate::simulate::trajectories::{Intent, PredictedSettling, Support};
use crate::space::{Linear, Space, UNIT_ROUNDOFF};

/// How high the fall may be that a hit comes from, in radii. Higher, and places tell the time better still; but the
/// walls have to be there that far.
const HEIGHT: f64 = 1e-7;

/// The same where a wall is curved: this far it is flat to what rounding leaves.
const HEIGHT_ON_CURVES: f64 = 1e-9;

/// How far the other walls may be, in such heights. Planners know everything that is within 10⁻⁶ of the radius.
const NEAR: f64 = 8.0;

/// How much faster than at this hit a ball may be across others of several walls.
const LIVELY: f64 = 32.0;

/// The share of the doubt about when bounces in a corner are over that makes it worth while to foresee that anew.
const BETTER: f64 = 0.5;

/// By how much the end of bounces on one wall may come earlier or later than the last of them says, of what is left.
const ROUNDED: f64 = 0.5;

/// A wall that is near a ball.
struct NearWall {
    wall: u32,
    /// What its distance and the speed across it are worth, m/s.
    lively: f64,
}

impl<S: Strikable> Exact<S> {
    /// Foresees, where a ball meets fixture, when its bounces there, or among that and other walls, will be over.
    pub(super) fn predict_settling(&mut self, ball: u32, index: u32, standing: &Standing<S>) {
        let slot = ball as usize;
        let speed = (standing.normal).dot(standing.velocity - standing.wall_velocity);
        let height = 0.5 * speed * speed / standing.gravity.length();
        // A fall that is lower than places are rounded tells nothing.
        let least = 64.0 * UNIT_ROUNDOFF * (standing.place.length() + standing.radius);
        let tells = height > least && height <= HEIGHT * standing.radius;
        if !(speed < 0.0 && tells) || self.contact_time.is_some() {
            return;
        }
        let walls = self.walls_near(ball, index, -speed, standing.radius);
        let lesser = self.foresee_here(slot, index, standing, &walls);
        // The next hits come as much too early or too late as places are rounded.
        let rounding = least / 64.0;
        let doubt = (walls.iter())
            .filter(|near| !self.stage.balls.is_on(slot, near.wall))
            .fold(rounding / -speed, |sum, near| sum + rounding / near.lively);
        let corner = if walls.len() > 1 {
            self.foresee_corner(slot, index, standing, &walls, doubt)
        } else {
            None
        };
        if lesser.is_none() && corner.is_none() {
            return;
        }
        self.use_segments();
        let id = self.stage.balls.ids[slot];
        if let Some(trajectories) = &mut self.stage.balls.trajectories {
            if let Some(foreseen) = lesser {
                trajectories.halts.insert(id, foreseen);
            }
            if let Some(corner) = corner {
                trajectories.corners.insert(id, corner);
            }
        }
    }

    /// What is to be kept of how a ball will have stopped that is now as it stands.
    fn kept(
        &self,
        standing: &Standing<S>,
        walls: (u32, Vec<u32>),
        halt: &Halt<S>,
        doubt: f64,
    ) -> PredictedSettling<S> {
        PredictedSettling {
            on: walls.0,
            also: walls.1,
            time: self.clock + halt.after,
            place: standing.place + halt.shift,
            velocity: halt.velocity,
            angular_velocity: halt.angular_velocity,
            doubt,
        }
    }

    /// How a ball will have stopped on the wall that it meets, or between that and the only other one that is near;
    /// `None` where that is known already, or cannot be told.
    fn foresee_here(
        &self,
        slot: usize,
        index: u32,
        standing: &Standing<S>,
        walls: &[NearWall],
    ) -> Option<PredictedSettling<S>> {
        let known = self.foreseen(slot);
        if known.is_some_and(|known| !known.also.is_empty()) {
            return None;
        }
        if let [near] = walls {
            let both = (index, vec![near.wall]);
            match self.fate_among(slot, index, &[near.wall]) {
                Some(Fate::Halts(halt)) => return Some(self.kept(standing, both, &halt, 0.0)),
                Some(Fate::Untold) => {
                    return Some(self.kept(standing, both, &untold(standing), 0.0));
                }
                Some(Fate::Leaves) | None => {}
            }
        }
        if known.is_some() {
            return None;
        }
        let halt = self.halt_on(slot, index, standing)?;
        Some(self.kept(standing, (index, Vec::new()), &halt, 0.0))
    }

    /// How a ball will have stopped in the corner of the wall that it meets and others; `None` where that is known well
    /// enough, or it will not.
    fn foresee_corner(
        &self,
        slot: usize,
        index: u32,
        standing: &Standing<S>,
        walls: &[NearWall],
        doubt: f64,
    ) -> Option<PredictedSettling<S>> {
        let better = |known: &PredictedSettling<S>| doubt < BETTER * known.doubt;
        if !self.foreseen_corner(slot).is_none_or(better) {
            return None;
        }
        let also: Vec<u32> = walls.iter().map(|near| near.wall).collect();
        let halt = match self.fate_among(slot, index, &also)? {
            Fate::Halts(halt) => halt,
            Fate::Leaves => return None,
            Fate::Untold => untold(standing),
        };
        Some(self.kept(standing, (index, also), &halt, doubt))
    }

    /// The other walls that are near a ball that meets one at a speed, in the order of their numbers. Of several those
    /// across which much more goes on are none of them: bounces that are much lower have come to their end before such
    /// a wall is met again, and their places do not tell when its own are over.
    fn walls_near(&mut self, ball: u32, index: u32, closing: f64, radius: f64) -> Vec<NearWall> {
        let mut walls: Vec<u32> = Vec::new();
        self.each_neighbour(ball, |other| match other {
            BodyRef::Fixture(wall) if wall != index && !walls.contains(&wall) => walls.push(wall),
            _ => {}
        });
        let (stage, clock) = (&self.stage, self.clock);
        let near = |wall: u32| {
            let other = BodyRef::Fixture(wall);
            if !stage.collide(ball as usize, other) {
                return None;
            }
            let (contact, gap) = stage.contact(ball as usize, other, clock);
            let falling = 2.0 * stage.balls.gravity.length() * gap.max(0.0);
            let lively = falling.sqrt().max(contact.normal_velocity().abs());
            (gap <= NEAR * HEIGHT * radius).then_some(NearWall { wall, lively })
        };
        let mut walls: Vec<NearWall> = walls.into_iter().filter_map(near).collect();
        if walls.len() > 1 {
            walls.retain(|near| near.lively <= LIVELY * closing);
        }
        walls.order_by_key(|near| (stage.fixtures[near.wall as usize].id, near.wall));
        walls
    }

    fn weight(&self, slot: usize) -> Weight {
        let inertial = self.stage.balls.inertials.of(slot);
        Weight {
            inverse_mass: inertial.inverse_mass,
            inverse_inertia: inertial.inverse_inertia,
        }
    }

    /// When and how the bounces of a ball on the wall that it meets will be over; `None` where that is not flat, or
    /// turns, or more than gravity acts, or the restitution depends on the speed.
    fn halt_on(&self, slot: usize, index: u32, standing: &Standing<S>) -> Option<Halt<S>> {
        let stage = &self.stage;
        let body = &stage.fixtures[index as usize].body;
        let steady = matches!(
            body.kind,
            Kind::Static | Kind::Kinematic(Drive::Uniform { .. })
        );
        let flat = || stage.bending(index, &stage.departure(slot, self.clock)) == Bending::Flat;
        let surface = stage.surface(slot, BodyRef::Fixture(index));
        let geometric = surface.contact_duration == 0.0 && !surface.varies();
        if !(stage.is_pulled_steadily(slot) && steady && geometric && flat()) {
            return None;
        }
        let landing = Landing {
            standing: *standing,
            surface,
            weight: self.weight(slot),
        };
        landing.halt()
    }

    /// What will come of the bounces of a ball among walls, one of which it meets now; `None` where they are not such
    /// that could be told.
    fn fate_among(&self, slot: usize, index: u32, others: &[u32]) -> Option<Fate<S>> {
        let (stage, clock) = (&self.stage, self.clock);
        let in_groove = stage.in_groove(slot, [*others.first()?, index], clock)?;
        if S::DIMENSION == 2 && others.len() > 1 {
            return None;
        }
        let start = stage.departure(slot, clock);
        let (mut walls, mut curved) = (Vec::new(), false);
        for &wall in others.iter().chain([&index]) {
            curved |= stage.bending(wall, &start) != Bending::Flat;
            walls.push(self.facing(slot, wall, wall == index, &in_groove)?);
        }
        if curved {
            let speed = in_groove.velocity - in_groove.wall_velocity;
            let height = 0.5 * speed.length_squared() / in_groove.gravity.length();
            let highest = walls.iter().fold(height, |most, wall| most.max(wall.gap));
            if highest > HEIGHT_ON_CURVES * in_groove.radius {
                return None;
            }
        }
        // More than two at once hold it for good, or one of them has just let go.
        if walls.iter().filter(|wall| wall.on).count() > 2 {
            return None;
        }
        let bouncing = Bouncing {
            radius: in_groove.radius,
            roundness: in_groove.roundness,
            gravity: in_groove.gravity,
            wall_velocity: in_groove.wall_velocity,
            velocity: in_groove.velocity,
            angular_velocity: in_groove.angular_velocity,
            weight: self.weight(slot),
            walls,
        };
        Some(bouncing.fate())
    }

    /// A wall that a ball is near, or meets now; `None` where it does not move as the others do, or contacts with it
    /// last, or the restitution depends on the speed.
    fn facing(
        &self,
        slot: usize,
        wall: u32,
        meets: bool,
        beside: &InGroove<S>,
    ) -> Option<Facing<S>> {
        let (stage, clock) = (&self.stage, self.clock);
        let surface = stage.surface(slot, BodyRef::Fixture(wall));
        let standing = stage.standing(slot, wall, clock)?;
        let body = &stage.fixtures[wall as usize].body;
        let steady = matches!(
            body.kind,
            Kind::Static | Kind::Kinematic(Drive::Uniform { .. })
        );
        let together = steady && standing.wall_velocity == beside.wall_velocity;
        if !together || surface.contact_duration > 0.0 || surface.varies() {
            return None;
        }
        let on = !meets && stage.balls.is_on(slot, wall);
        let (contact, gap) = stage.contact(slot, BodyRef::Fixture(wall), clock);
        let rounding = 8.0 * UNIT_ROUNDOFF * (contact.point.length() + standing.radius);
        let touches = meets || on || gap <= rounding;
        Some(Facing {
            flank: GrooveSide {
                normal: standing.normal,
                rubbing: standing.rubbing,
            },
            surface,
            gap: if touches { 0.0 } else { gap },
            on,
        })
    }

    fn foreseen(&self, slot: usize) -> Option<&PredictedSettling<S>> {
        let trajectories = self.stage.balls.trajectories.as_ref()?;
        trajectories.halts.get(&self.stage.balls.ids[slot])
    }

    /// When and how a ball will have stopped in a corner.
    fn foreseen_corner(&self, slot: usize) -> Option<&PredictedSettling<S>> {
        let trajectories = self.stage.balls.trajectories.as_ref()?;
        trajectories.corners.get(&self.stage.balls.ids[slot])
    }

    /// The other wall between which and this one a ball was foreseen to stop.
    pub(super) fn predicted_beside(&self, slot: usize, index: u32) -> Option<u32> {
        let foreseen = self.foreseen(slot).filter(|it| it.time.is_finite())?;
        match (foreseen.on, foreseen.beside()?) {
            (on, also) if on == index => Some(also),
            (on, also) if also == index => Some(on),
            _ => None,
        }
    }

    /// When a ball that will not bounce any more was foreseen to have stopped, on a wall or on both, by the run's
    /// clock, s. `bouncing` is what is left by the last bounce, s.
    pub(super) fn settles_as_predicted(
        &self,
        slot: usize,
        index: u32,
        both: bool,
        bouncing: f64,
    ) -> Option<f64> {
        let foreseen = self.foreseen(slot).filter(|it| it.time.is_finite())?;
        let time = foreseen.time.max(self.clock);
        let off = (time - self.clock - bouncing).abs();
        // On one wall the last bounce tells roughly, if it is the same wall still, and no edge of it.
        let fits = both || off <= ROUNDED * bouncing;
        let as_many = foreseen.also.len() == usize::from(both);
        (foreseen.is_about(index) && as_many && fits).then_some(time)
    }

    /// When a ball that will not bounce any more was foreseen to have stopped in a corner of these walls, by the run's
    /// clock, s.
    pub(super) fn settles_in_corner(&self, slot: usize, walls: [u32; 3]) -> Option<f64> {
        let foreseen = self.foreseen_corner(slot)?;
        let about = walls.iter().all(|&wall| foreseen.is_about(wall));
        (about && foreseen.time.is_finite()).then_some(foreseen.time)
    }

    /// Notes that a ball that was foreseen to stop between two walls will move there otherwise: a slip of what was
    /// foreseen is over at once, and would be so again and again.
    pub(super) fn predict_settling_otherwise(&mut self, slot: usize, velocities: &Velocities<S>) {
        let balls = &mut self.stage.balls;
        let id = balls.ids[slot];
        if let Some(trajectories) = &mut balls.trajectories
            && let Some(foreseen) = trajectories.halts.get_mut(&id)
            && foreseen.beside().is_some()
        {
            (foreseen.velocity, foreseen.angular_velocity) =
                (velocities.velocity, velocities.angular_velocity);
        }
    }

    /// Forgets what was foreseen for a ball.
    pub(super) fn forget(&mut self, slot: usize) {
        let id = self.stage.balls.ids[slot];
        if let Some(trajectories) = &mut self.stage.balls.trajectories {
            trajectories.halts.remove(&id);
            trajectories.corners.remove(&id);
        }
    }

    /// Forgets what was foreseen for a ball on one wall or between two.
    pub(super) fn forget_lesser(&mut self, slot: usize) {
        let id = self.stage.balls.ids[slot];
        if let Some(trajectories) = &mut self.stage.balls.trajectories {
            trajectories.halts.remove(&id);
        }
    }

    /// Forgets what was foreseen for balls that collide now, unless they are where that says.
    pub(super) fn forget_predicted_settling(&mut self, ball: u32, other: BodyRef) {
        let balls = &mut self.stage.balls;
        let Some(trajectories) = &mut balls.trajectories else {
            return;
        };
        if trajectories.halts.is_empty() && trajectories.corners.is_empty() {
            return;
        }
        let id = balls.ids[ball as usize];
        for foreseen in [&mut trajectories.halts, &mut trajectories.corners] {
            match other {
                BodyRef::Ball(other) => {
                    foreseen.remove(&id);
                    foreseen.remove(&balls.ids[other as usize]);
                }
                BodyRef::Fixture(index) => {
                    let expected = |foreseen: &PredictedSettling<S>| foreseen.is_about(index);
                    if !foreseen.get(&id).is_some_and(expected) {
                        foreseen.remove(&id);
                    }
                }
            }
        }
    }

    /// How long a ball has, from its own time on, until it was foreseen to have stopped in a corner, s.
    pub(super) fn left_until_cornered(&self, slot: usize) -> Option<f64> {
        let foreseen = self.foreseen_corner(slot)?;
        let left = foreseen.time - self.stage.balls.hot[slot].since;
        Some(left.max(f64::MIN_POSITIVE))
    }

    /// Lets a ball whose bounces are over now move as it was foreseen to; between walls it is put to where all of them
    /// touch it. `rubbed` is what sliding, rolling and spinning took since the last bounce that was told, J.
    pub(super) fn halt(&mut self, slot: usize, support: &Support, rubbed: [f64; 3]) {
        // The time at which a piece ends is rounded.
        let now = self.clock + 4.0 * UNIT_ROUNDOFF * self.clock.abs();
        let corner = self.foreseen_corner(slot).filter(|it| it.time <= now);
        if let Some(foreseen) = corner.cloned() {
            self.forget(slot);
            return self.halt_in_corner(slot, support, &foreseen, rubbed);
        }
        let matches = |it: &&PredictedSettling<S>| {
            let (walls, also) = ([support.on, support.also], it.beside());
            let same = [Some(it.on), also] == walls || [also, Some(it.on)] == walls;
            let same = same && support.third.is_none();
            same && it.time.max(support.settles) == support.settles
        };
        if let Some(foreseen) = self.foreseen(slot).filter(matches).cloned() {
            self.forget_lesser(slot);
            self.halt_as_foreseen(slot, &foreseen, rubbed);
        }
        if let Some(walls) = support.all_three() {
            self.sit_down(slot, walls);
        }
    }

    /// Puts a ball whose bounces are over now into its corner, whatever is left of those that were told: their places
    /// are rounded.
    fn halt_in_corner(
        &mut self,
        slot: usize,
        support: &Support,
        foreseen: &PredictedSettling<S>,
        rubbed: [f64; 3],
    ) {
        let stage = &self.stage;
        let mut all: Vec<u32> = foreseen.also.clone();
        all.push(foreseen.on);
        all.order_by_key(|&wall| (stage.fixtures[wall as usize].id, wall));
        let holds = |walls: &[u32; 3]| {
            stage.in_corner(slot, *walls, self.clock).is_some_and(|it| {
                let there = InCorner {
                    velocity: foreseen.velocity,
                    angular_velocity: foreseen.angular_velocity,
                    ..it
                };
                !matches!(there.held(), Poise::Leaves(_))
            })
        };
        let Some(walls) = (support.all_three().filter(holds)).or_else(|| triples(&all).find(holds))
        else {
            return;
        };
        self.halt_as_foreseen(slot, foreseen, rubbed);
        self.sit_down(slot, walls);
        if let Some(trajectories) = &mut self.stage.balls.trajectories {
            trajectories.supports[slot].intent = Intent::Corner(walls, f64::NEG_INFINITY);
        }
    }

    /// A ball that lies on one wall is rubbed, and may be so by another law than one that bounces among several: what
    /// that took since the last bounce that was told is taken back with the state that knows nothing of it.
    fn halt_as_foreseen(&mut self, slot: usize, foreseen: &PredictedSettling<S>, rubbed: [f64; 3]) {
        let energy = |run: &Self| {
            let balls = &run.stage.balls;
            let (mass, place) = (balls.inertials.of(slot).mass, balls.hot[slot].position);
            run.translational(slot) + run.stage.fields.potential(mass, place)
        };
        let before = energy(self);
        let (velocity, angular_velocity) = (
            self.stage.balls.hot[slot].velocity,
            self.stage.balls.angular_velocity(slot),
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
        let taken: f64 = rubbed.iter().sum();
        let back = (-lost).clamp(0.0, taken.max(0.0));
        self.ledger.settling.add(lost + back);
        if back > 0.0 {
            for (account, share) in rubbed.into_iter().enumerate() {
                self.ledger.lasting[account].add(-back * (share / taken));
            }
        }
        self.enter_settled(slot, velocity, angular_velocity);
    }

    /// How far a place is from where two walls would touch a ball that is all but there, m.
    fn off_walls(&self, slot: usize, walls: [u32; 2], place: S::Vector) -> S::Vector {
        let beside = place - self.stage.balls.position_at(slot, self.clock);
        let [(a, gap_a), (b, gap_b)] = walls.each(|wall| {
            let (contact, gap) = self.stage.contact(slot, BodyRef::Fixture(wall), self.clock);
            (contact.normal, gap + contact.normal.dot(beside))
        });
        let between = a.dot(b);
        let area = 1.0 - between * between;
        a * ((gap_a - gap_b * between) / area) + b * ((gap_b - gap_a * between) / area)
    }
}

/// What is kept where there are too many bounces to tell, so that it is not tried again and again.
fn untold<S: Space>(standing: &Standing<S>) -> Halt<S> {
    Halt {
        after: f64::INFINITY,
        shift: S::Vector::ZERO,
        velocity: standing.velocity,
        angular_velocity: standing.angular_velocity,
        hits: 0,
    }
}

/// All choices of three.
fn triples(walls: &[u32]) -> impl Iterator<Item = [u32; 3]> + '_ {
    (0..walls.len()).flat_map(move |a| {
        (a + 1..walls.len())
            .flat_map(move |b| (b + 1..walls.len()).map(move |c| [walls[a], walls[b], walls[c]]))
    })
}
