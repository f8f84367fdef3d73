//! Along the groove: what grips, what slips, and what resistance against the spin about the normals makes of it.

use super::{GrooveSide, Held, INSTANT, InGroove, NOTHING, ROUNDS, SPENT};
use crate::motion::{Curve, TrajectorySegment};
use crate::record::Regime;
use crate::simulate::support::standing::{Stretch, Turn};
use crate::space::{Linear, Space};

impl<S: Space> InGroove<S> {
    /// The frictions per mass at walls that slip this way (zero for one that grips), m/s², where `drives` is what makes
    /// the slips grow without them; where gripping asks for more than there is, which wall gives way.
    pub(super) fn frictions(
        &self,
        down: S::Vector,
        drives: [S::Vector; 2],
        pushes: [f64; 2],
        slipping: [Option<S::Vector>; 2],
    ) -> Result<[S::Vector; 2], (usize, S::Vector)> {
        let rubbing = |index: usize| self.flanks[index].rubbing;
        let inverse = 1.0 / self.roundness;
        let (own, other) = (1.0 + inverse, 1.0 + self.between() * inverse);
        let given = |index: usize| {
            let friction = rubbing(index).kinetic_friction * pushes[index];
            slipping[index].map(|heading| heading * -friction)
        };
        let asked = match [given(0), given(1)] {
            [Some(first), Some(second)] => return Ok([first, second]),
            [Some(first), None] => [first, -(drives[1] + first * other) * (1.0 / own)],
            [None, Some(second)] => [-(drives[0] + second * other) * (1.0 / own), second],
            [None, None] => [down * (-1.0 / (own + other)); 2],
        };
        // Of two, the one that is further beyond what it has.
        let beyond = |index: usize| match slipping[index] {
            Some(_) => 0.0,
            None => {
                let most = rubbing(index).static_friction * pushes[index] * (1.0 + NOTHING);
                asked[index].length() - most
            }
        };
        let worst = usize::from(beyond(1) > beyond(0));
        match asked[worst].unit().filter(|_| beyond(worst) > 0.0) {
            // It slips against what was asked for.
            Some(heading) => Err((worst, -heading)),
            None => Ok(asked),
        }
    }

    pub(super) fn along_the_crease(
        &self,
        way: S::Vector,
        down: S::Vector,
        pushes: [f64; 2],
    ) -> Held<S> {
        let slips = self.slips(way, self.angular_velocity);
        let scale = way.length() + self.angular_velocity.length() * self.radius;
        let mut slipping = slips.map(|slip| {
            let along = self.along(slip);
            let little = along.length() <= NOTHING * scale.max(self.wall_velocity.length());
            along.unit().filter(|_| !little)
        });
        let slides = slipping.iter().any(Option::is_some);
        // Rolling, or about to: rolling resistance may hold it.
        let resistance = self.resistance(pushes);
        let heading = way.unit().or_else(|| down.unit());
        if !slides {
            let holding = down.length() / (1.0 + self.rolling_roundness()) <= resistance;
            let enough = down.length() <= self.most_friction(pushes);
            let smooth = self.angular_velocity == S::Angular::ZERO && down == S::Vector::ZERO;
            if way == S::Vector::ZERO && ((holding && enough) || smooth) {
                let resting = InGroove {
                    angular_velocity: S::Angular::ZERO,
                    ..*self
                };
                return Held::ByBoth(resting.stretch(Regime::Resting, f64::INFINITY, Turn::GoesOn));
            }
        }
        let slips_at_both = slipping.iter().all(Option::is_some);
        let mut drags = self.drags(pushes);
        let mut frictions;
        // Resistance against a spin that there is not holds back what friction makes, and friction that grips what
        // resistance makes: each in turn, until both agree.
        let mut rounds = 0;
        loop {
            let drives = match drags {
                None => [down; 2],
                Some(drags) => self.flanks.map(|flank| {
                    let rate = (drags[0] + drags[1]) * (1.0 / (self.roundness * self.radius));
                    down - self.along(S::surface_velocity(rate, flank.normal)) * self.radius
                }),
            };
            frictions = loop {
                match self.frictions(down, drives, pushes, slipping) {
                    Ok(frictions) => break frictions,
                    Err((index, heading)) => slipping[index] = Some(heading),
                }
            };
            let Some(before) = drags else { break };
            let after = self.holding_back(before, frictions, pushes);
            drags = Some(after);
            rounds += 1;
            if after == before || rounds == ROUNDS {
                break;
            }
        }
        if slipping == [None, None] {
            let resistance = heading.map_or(resistance, |it| self.resistance_along(it, pushes));
            return Held::ByBoth(self.rolling_along(way, down, heading, resistance));
        }
        let resists = self.flanks.iter().any(|flank| flank.rubbing.spinning > 0.0);
        if resists && slips_at_both {
            return self.skewed(pushes);
        }
        Held::ByBoth(self.sliding_along(way, down, frictions, drags, slips, slipping))
    }

    /// Both contacts grip: it rolls along the groove, or does not move.
    fn rolling_along(
        &self,
        way: S::Vector,
        down: S::Vector,
        heading: Option<S::Vector>,
        resistance: f64,
    ) -> Stretch<S> {
        let velocity = self.wall_velocity + way;
        let Some(heading) = heading else {
            return self.stretch(Regime::Resting, f64::INFINITY, Turn::GoesOn);
        };
        let free = down * (1.0 / (1.0 + self.rolling_roundness()));
        let acceleration = free - heading * resistance;
        let slowing = -acceleration.dot(heading);
        let end = if resistance > 0.0 && slowing > 0.0 && way != S::Vector::ZERO {
            way.length() / slowing
        } else {
            f64::INFINITY
        };
        let spins = self.roundness.is_finite();
        let angular_velocity = |way: S::Vector| {
            if spins {
                self.rolling_spin(way)
            } else {
                S::Angular::ZERO
            }
        };
        Stretch {
            regime: Regime::Rolling,
            segment: TrajectorySegment {
                place: Curve::new(&[self.place, velocity, acceleration * 0.5]),
                angular_velocity: Curve::new(&[
                    if spins {
                        angular_velocity(way)
                    } else {
                        self.angular_velocity
                    },
                    angular_velocity(acceleration),
                ]),
                end,
            },
            turn: Turn::Stops,
        }
    }

    /// It slides along the groove at one wall or at both, until a slip or a spin about a normal comes to its end.
    fn sliding_along(
        &self,
        way: S::Vector,
        down: S::Vector,
        frictions: [S::Vector; 2],
        drags: Option<[S::Angular; 2]>,
        slips: [S::Vector; 2],
        slipping: [Option<S::Vector>; 2],
    ) -> Stretch<S> {
        let velocity = self.wall_velocity + way;
        let acceleration = down + frictions[0] + frictions[1];
        let torque = S::torque(self.flanks[0].normal, frictions[0])
            + S::torque(self.flanks[1].normal, frictions[1]);
        let mut angular_acceleration = if self.roundness.is_finite() {
            torque * (-1.0 / (self.roundness * self.radius))
        } else {
            S::Angular::ZERO
        };
        let mut turn = Turn::Grips;
        let mut pivots = f64::INFINITY;
        if let Some(drags) = drags {
            angular_acceleration += (drags[0] + drags[1]) * (1.0 / (self.roundness * self.radius));
            // The first of the spins about the normals that comes to its end: from there on the resistance is another
            // one.
            for (flank, drag) in self.flanks.iter().zip(drags) {
                let speed = self.pivoting(flank).length();
                let slowing = drag
                    .unit()
                    .map_or(0.0, |against| angular_acceleration.dot(against));
                if slowing > 0.0 && self.is_pivoting(flank, drag.length()) {
                    pivots = pivots.min(speed / slowing);
                }
            }
        }
        // The first of the slips that comes to its end.
        let end = (0..2)
            .filter_map(|index| {
                let heading = slipping[index]?;
                let speed = slips[index].dot(heading);
                let spun = S::surface_velocity(angular_acceleration, self.flanks[index].normal)
                    * self.radius;
                let slowing = -(acceleration - spun).dot(heading);
                (speed > 0.0 && slowing > 0.0).then(|| speed / slowing)
            })
            .fold(f64::INFINITY, f64::min);
        if pivots < end {
            turn = Turn::GoesOn;
        }
        let end = end.min(pivots);
        Stretch {
            regime: Regime::Sliding,
            segment: TrajectorySegment {
                place: Curve::new(&[self.place, velocity, acceleration * 0.5]),
                angular_velocity: Curve::new(&[self.angular_velocity, angular_acceleration]),
                end,
            },
            turn,
        }
    }

    /// The spin about the normal of a wall.
    pub(super) fn pivoting(&self, flank: &GrooveSide<S>) -> S::Angular {
        let normal = flank.normal;
        self.angular_velocity
            - S::torque(normal, S::surface_velocity(self.angular_velocity, normal))
    }

    /// Whether the spin about the normal of a wall is more than what a resistance, times the radius, m/s², uses up in a
    /// time that no clock tells.
    fn is_pivoting(&self, flank: &GrooveSide<S>, holding: f64) -> bool {
        let at_once = INSTANT * holding / (self.roundness * self.radius);
        let little = (SPENT * self.angular_velocity.length()).max(at_once);
        self.pivoting(flank).length() > little
    }

    /// What the resistance μ_p of the walls is against the spin about their normals, times the radius, m/s²; `None`
    /// where there is none.
    pub(super) fn drags(&self, pushes: [f64; 2]) -> Option<[S::Angular; 2]> {
        let resists = self.flanks.iter().any(|flank| flank.rubbing.spinning > 0.0);
        if !resists || S::DIMENSION == 2 || !self.roundness.is_finite() {
            return None;
        }
        Some([0, 1].map(|index| {
            let flank = &self.flanks[index];
            let holding = flank.rubbing.spinning * pushes[index];
            let axis = self.pivoting(flank).unit();
            match axis.filter(|_| self.is_pivoting(flank, holding)) {
                Some(axis) => axis * -holding,
                None => S::Angular::ZERO,
            }
        }))
    }

    /// The same with what holds back a spin that there is not yet: as much as frictions and the other wall would make
    /// of it, and no more than there is.
    fn holding_back(
        &self,
        mut drags: [S::Angular; 2],
        frictions: [S::Vector; 2],
        pushes: [f64; 2],
    ) -> [S::Angular; 2] {
        let torque = S::torque(self.flanks[0].normal, frictions[0])
            + S::torque(self.flanks[1].normal, frictions[1]);
        for index in 0..2 {
            let flank = &self.flanks[index];
            let most = flank.rubbing.spinning * pushes[index];
            if self.is_pivoting(flank, most) {
                continue;
            }
            let made = drags[1 - index] - torque;
            let about = InGroove {
                angular_velocity: made,
                ..*self
            }
            .pivoting(flank);
            let share = most / about.length().max(most).max(f64::MIN_POSITIVE);
            drags[index] = about * -share;
        }
        drags
    }
}
