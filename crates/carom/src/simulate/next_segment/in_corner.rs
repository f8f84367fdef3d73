//! The way of a ball between three walls.

use super::{LAST_BOUNCE, NextSegment, SLOWLY};
use crate::arrays::Each;
use crate::impact::Strikable;
use crate::motion::{
    Curve, Departure, FlightError, Integrator, Rates, Tolerance, TrajectorySegment, next_segment,
};
use crate::record::Regime;
use crate::simulate::bodies::{Bodies, BodyRef};
use crate::simulate::support::corner::{InCorner, Poise, Turning, factors};
use crate::simulate::support::groove::Pivot;
use crate::simulate::support::sliding::{
    CURVED, NEARLY, SPENT, at_its_end, at_once, first_fall, is_untold,
};
use crate::simulate::support::{Stretch, Turn};
use crate::simulate::trajectories::{Intent, Next, Support};
use crate::space::{Linear, Space};

/// A ball that spins in a corner, as the integrator asks for it.
struct Cornerly<S: Space> {
    in_corner: InCorner<S>,
    /// What the resistances against spins about the normals do, all along.
    pivots: [Pivot; 3],
}

impl<S: Space> Cornerly<S> {
    fn turning(&self, angular_velocity: S::Angular) -> Option<Turning<S>> {
        let in_corner = InCorner {
            angular_velocity,
            ..self.in_corner
        };
        in_corner.turning_with(Some(&self.pivots))
    }
}

impl<S: Space> Rates<S> for Cornerly<S> {
    fn rates(
        &self,
        _: f64,
        _: S::Vector,
        _: S::Vector,
        angular_velocity: S::Angular,
    ) -> (S::Vector, S::Angular) {
        // Past where their pushes can be told the piece is cut off.
        let rate = self
            .turning(angular_velocity)
            .map(|turning| turning.angular_acceleration);
        (S::Vector::ZERO, rate.unwrap_or(S::Angular::ZERO))
    }

    fn next_jump(&self, _: f64) -> f64 {
        f64::INFINITY
    }
}

impl<S: Strikable> Bodies<S> {
    /// What a ball between three walls needs to know about them; `None` where it cannot stay there, as between two.
    pub fn in_corner(&self, slot: usize, walls: [u32; 3], time: f64) -> Option<InCorner<S>> {
        self.cornered_at(slot, walls, &self.departure(slot, time))
    }

    pub(super) fn cornered_at(
        &self,
        slot: usize,
        walls: [u32; 3],
        at: &Departure<S>,
    ) -> Option<InCorner<S>> {
        let [first, second, third] = walls;
        if S::DIMENSION == 2 {
            return None;
        }
        let in_groove = self.nestled_at(slot, [first, second], at)?;
        let beside = self.nestled_at(slot, [second, third], at)?;
        if in_groove.wall_velocity != beside.wall_velocity || first == third {
            return None;
        }
        Some(InCorner {
            radius: in_groove.radius,
            roundness: in_groove.roundness,
            flanks: [in_groove.flanks[0], in_groove.flanks[1], beside.flanks[1]],
            wall_velocity: in_groove.wall_velocity,
            gravity: in_groove.gravity,
            place: at.position,
            velocity: at.velocity,
            angular_velocity: at.angular_velocity,
        })
    }

    /// The wall of three across which a ball is too fast to stay; `None` where it stays.
    pub fn fast_across(&self, in_corner: &InCorner<S>) -> Option<usize> {
        let hop = (2.0 * in_corner.gravity.length() * LAST_BOUNCE * in_corner.radius).sqrt();
        let across = in_corner.flanks.each(|flank| {
            let relative = in_corner.velocity - in_corner.wall_velocity;
            flank.normal.dot(relative).abs()
        });
        let fastest = (0..3).max_by(|&a, &b| across[a].total_cmp(&across[b]))?;
        (across[fastest] > SLOWLY * hop).then_some(fastest)
    }

    /// Whether a ball is so near a wall that nothing is seen of the bounces that are left.
    pub fn is_by(&self, slot: usize, wall: u32, time: f64) -> bool {
        let (_, gap) = self.contact(slot, BodyRef::Fixture(wall), time);
        let near = 4.0 * SLOWLY * SLOWLY * LAST_BOUNCE * self.balls.hot[slot].radius;
        // One that it keeps touching is as near as its last bounces left it.
        gap <= near || self.balls.is_on(slot, wall)
    }

    /// How far a ball that three walls hold is from where all of them touch it, m.
    pub fn off_corner(&self, slot: usize, walls: [u32; 3], time: f64) -> Option<S::Vector> {
        let touches = walls.map(|wall| self.contact(slot, BodyRef::Fixture(wall), time));
        let [a, b, c] = touches.each(|(contact, _)| S::components(contact.normal));
        // n·x = gap for each of the normals: with them as columns of a matrix, its transpose times x.
        let rows: [S::Vector; 3] =
            std::array::from_fn(|axis| S::vector([a[axis], b[axis], c[axis]]));
        let gaps = S::vector(touches.each(|(_, gap)| gap));
        Some(S::vector(factors::<S>(rows, gaps)?))
    }

    /// The way between three walls; where it leaves one of them, which.
    pub(super) fn segment_in_corner(
        &self,
        slot: usize,
        walls: [u32; 3],
        settles: f64,
    ) -> Result<Result<NextSegment<S>, usize>, FlightError> {
        let since = self.balls.hot[slot].since;
        let Some(mut in_corner) = self.cornered_at(slot, walls, &self.start(slot)) else {
            return Ok(Err(2));
        };
        let trajectories = self.balls.trajectories.as_ref();
        let halt =
            trajectories.and_then(|trajectories| trajectories.corners.get(&self.balls.ids[slot]));
        let foreseen = halt.filter(|halt| {
            let about = walls.iter().all(|&wall| halt.is_about(wall));
            about && settles == halt.time.max(since.next_up())
        });
        if let Some(halt) = foreseen {
            (in_corner.velocity, in_corner.angular_velocity) =
                (halt.velocity, halt.angular_velocity);
        }
        if let Some(left) = self.fast_across(&in_corner) {
            return Ok(Err(left));
        }
        let mut leaves = None;
        let stretch = match in_corner.held() {
            Poise::Steady(stretch) => stretch,
            Poise::Turning => {
                let (stretch, left) = self.way_turning(&in_corner, since)?;
                leaves = left;
                stretch
            }
            Poise::Leaves(left) => return Ok(Err(left)),
        };
        let Stretch {
            mut regime,
            mut segment,
            turn,
        } = stretch;
        let mut next = leaves.unwrap_or(Next::Turn(turn));
        if settles > since && settles - since < segment.end {
            segment.end = settles - since;
            next = Next::Settles;
        }
        if foreseen.is_some() {
            // What is rubbed meanwhile is in the spin already.
            segment.angular_velocity = Curve::constant(in_corner.angular_velocity);
            (segment.end, next, regime) = (settles - since, Next::Settles, Regime::Resting);
        }
        let support = Support {
            on: Some(walls[0]),
            also: Some(walls[1]),
            third: Some(walls[2]),
            regime,
            next,
            settles,
            intent: Intent::Stay,
            asleep: false,
            island: None,
        };
        Ok(Ok((segment, support, 0.0)))
    }

    /// The way of a ball that spins in a corner: by the integrator, as far as one of its slips lasts.
    fn way_turning(
        &self,
        in_corner: &InCorner<S>,
        since: f64,
    ) -> Result<(Stretch<S>, Option<Next>), FlightError> {
        let mut start: Departure<S> = Departure {
            time: self.epoch + since,
            position: in_corner.place,
            velocity: in_corner.wall_velocity,
            angular_velocity: in_corner.angular_velocity,
        };
        let stretch = |segment: TrajectorySegment<S>, turn: Turn| Stretch {
            regime: Regime::Spinning,
            segment,
            turn,
        };
        let scale = in_corner.angular_velocity.length() * in_corner.radius;
        let (mut latest, mut soonest) = (f64::INFINITY, f64::INFINITY);
        let mut pivots = [Pivot::Against(0.0); 3];
        if let Some(turning) = in_corner.turning() {
            (start.angular_velocity, pivots) = (turning.tidied, turning.pivots);
            for (flank, slip) in in_corner.flanks.iter().zip(turning.slips) {
                let measure = slip.length();
                let change = S::surface_velocity(turning.angular_acceleration, flank.normal)
                    * -in_corner.radius;
                let slowing = -change.dot(slip) / measure;
                // One that does not rub, or is just beginning, has nothing to come to.
                let begins = measure <= 0.1 * SPENT * scale;
                if begins || !(slowing > 0.0 && flank.rubbing.kinetic_friction > 0.0) {
                    continue;
                }
                if measure <= SPENT * scale || is_untold(since, measure, slowing) {
                    return Ok((stretch(at_once(&start), Turn::Grips), None));
                }
                soonest = soonest.min(measure / slowing);
                latest = latest.min(NEARLY * measure / slowing);
            }
            // Without friction it is the resistances alone that stop it.
            let falling = -turning.angular_acceleration.dot(start.angular_velocity)
                / start.angular_velocity.length();
            if is_untold(since, start.angular_velocity.length(), falling) {
                return Ok((stretch(at_once(&start), Turn::SpunDown), None));
            }
            if falling > 0.0 {
                latest = latest.min(NEARLY * start.angular_velocity.length() / falling);
            }
        }
        let tolerance = Integrator::Adaptive(Tolerance::of(CURVED));
        let spinning = Cornerly {
            in_corner: *in_corner,
            pivots,
        };
        let mut segment = match next_segment(&spinning, &start, &tolerance, 0.0, latest) {
            Ok((segment, _)) => segment,
            Err(error) => {
                let segment = at_its_end(&start, soonest, error)?;
                return Ok((stretch(segment, Turn::Grips), None));
            }
        };
        let at = |t: f64| spinning.turning(segment.angular_velocity_at(t));
        let pushes = |t: f64| at(t).map_or([-1.0; 3], |turning| turning.pushes);
        let (mut end, mut leaves) = (segment.end, None);
        for wall in 0..3 {
            let lasts = |t: f64| at(t).map_or(f64::INFINITY, |turning| turning.lasting[wall]);
            if let Some(time) = first_fall(end, lasts) {
                (end, leaves) = (time, None);
            }
            if let Some(time) = first_fall(end, |t| pushes(t)[wall]) {
                let left = [Next::LeavesFirst, Next::LeavesSecond, Next::LeavesThird][wall];
                (end, leaves) = (time, Some(left));
            }
        }
        segment.end = end;
        Ok((stretch(segment, Turn::GoesOn), leaves))
    }
}
