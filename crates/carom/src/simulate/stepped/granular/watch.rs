//! A crowd of which record is kept: what the run around it asks for.

use super::batch::Regions;
use super::kick::{ByFields, Haste, Kick};
use super::law::{LaneTally, total};
use super::log::Noted;
use super::movers::GrainRecord;
use super::setup::{angular_velocity_components, angular_velocity_of};
use super::shares::Shares;
use super::threads::Team;
use super::{BALLS, BlownUp, ContactSpot, Granular, GranularBall, Partner};
use crate::arrays::Each;
use crate::motion::{Field, Fields, Rates as _, Region};
use crate::shape::Shaped;
use crate::space::{Linear, Space};
use crate::vectors::run_with;
use std::collections::BTreeMap;
use std::sync::Arc;
use wide::f64x4;

/// With fewer balls a second thread costs more than it brings.
const WORTH_THREADS: usize = 1500;

/// What flows in a second, and what springs hold.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Flowing {
    /// To the dampers; against sliding, rolling, spinning; by driven fixtures; to fields: W.
    pub energy: [f64; 6],
    /// By fixtures, and by fields but gravity, N.
    pub momentum: [[f64; 3]; 2],
    /// By fixtures, by fields but gravity, and by gravity, about the origin, N·m.
    pub angular: [[f64; 3]; 3],
    /// Along the normal, and against sliding, rolling, spinning, J.
    pub stored: [f64; 4],
    /// The deepest overlap, m.
    pub deepest: f64,
}

/// What a contact remembers and has done, seen from the ball with the lower number.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct HeldContact {
    /// ξ, m.
    pub stretch: [f64; 3],
    pub slides: bool,
    /// As in [`RollingSprings`](super::slots::Turning), m.
    pub rolled: [f64; 3],
    pub spun: f64,
    pub noted: Noted,
}

impl<S: Shaped> Granular<S> {
    /// Keeps record of every contact from now on, which is a world time (s), on all threads of the program. Before the
    /// first step only.
    pub(in super::super) fn watch(&mut self, point: bool, fields: &Fields<S>, time: f64) {
        (self.origin, self.clock) = (time, time);
        self.stands.clear();
        self.move_props();
        self.forms.books = true;
        self.forms.logs = true;
        self.forms.point = point;
        self.settings.gravity = fields.gravity;
        self.fields = (!fields.is_uniform()).then(|| Arc::new(fields.clone()));
        self.rotation = vec![None; self.len()];
        self.movers.before = self.movers.list.clone();
        self.movers.at = vec![0; self.len()];
        // Contacts of the start begin once more, now that they are looked at.
        self.slots.clear();
        self.actions.clear();
        self.shares = Shares::default();
        self.regions = Regions::default();
        self.seams = self.may_have_seams();
        self.engage();
        self.open();
    }

    /// Takes on as many threads as are worth it.
    pub(in super::super) fn engage(&mut self) {
        self.team = if self.len() < WORTH_THREADS {
            Team::Alone
        } else {
            Team::of_all()
        };
    }

    /// A step of a length up to a world time (both s), with the forces at its end.
    pub(in super::super) fn stride(&mut self, dt: f64, until: f64) -> Result<(), BlownUp> {
        let usual = std::mem::replace(&mut self.settings.dt, dt);
        let mut result = self.lend(|crowd, team| {
            let haste = crowd.advance(team);
            crowd.arrive(haste, until)?;
            let stale = crowd.is_stale();
            if !stale {
                crowd.evaluate(team, dt);
            }
            Ok(stale)
        });
        if let Ok(true) = result {
            self.make_lists();
            self.lend(|crowd, team| crowd.evaluate(team, dt));
            result = Ok(false);
        }
        self.settings.dt = usual;
        result.map(drop)
    }

    /// Moves the balls, keeping how they were, and turns them for the step that has ended.
    pub(super) fn advance_watched(&mut self, team: &Team) -> Haste {
        let fields = self.fields.clone();
        let clock = self.clock;
        let by_fields = |ball: &GrainRecord| match &fields {
            Some(fields) => push_of::<S>(fields, ball, clock),
            None => (f64x4::ZERO, f64x4::ZERO),
        };
        let kick = Kick {
            fields: fields.is_some().then_some(&by_fields as ByFields<'_>),
            ..self.kick()
        };
        let lapse = self.lapse;
        let mut movers = std::mem::take(&mut self.movers);
        let mut rotation = std::mem::take(&mut self.rotation);
        let sums = self.sums();
        let mut parts: Vec<_> = (movers.list.chunks_mut(BALLS))
            .zip(movers.before.chunks_mut(BALLS))
            .zip(rotation.chunks_mut(BALLS))
            .collect();
        let hastes = team.over(&mut parts, 1, |chunk, part| {
            let ((balls, before), rotations) = &mut part[0];
            let first = chunk * BALLS;
            let mut show = |index: usize, closed: &GrainRecord| {
                turn::<S>(&mut rotations[index], &before[index], closed, lapse);
                before[index] = *closed;
            };
            run_with!(self.vectors, vectors => kick.advance_from(
                vectors,
                balls,
                first,
                #[inline(always)]
                |number, ball| sums.of(vectors, number, ball),
                &mut show,
            ))
        });
        (self.movers, self.rotation) = (movers, rotation);
        hastes.into_iter().fold(Haste::NONE, Haste::or)
    }

    pub(super) fn by_fields(&self, ball: &GrainRecord) -> (f64x4, f64x4) {
        match &self.fields {
            Some(fields) => push_of::<S>(fields, ball, self.clock),
            None => (f64x4::ZERO, f64x4::ZERO),
        }
    }

    /// What flows now, and what springs hold.
    pub(in super::super) fn flowing(&self) -> Flowing {
        let LaneTally {
            pressed,
            stretched,
            damped,
            worked,
            kinematic,
            pushed,
            turned,
            deepest,
        } = self.tally;
        let sum = total;
        let mut by_balls = [0.0; 10];
        if self.fields.is_some() || self.settings.gravity != S::Vector::ZERO {
            let list = &self.movers.list;
            let parts = self.team.collect(list.len().div_ceil(BALLS), |chunk| {
                let range = chunk * BALLS..((chunk + 1) * BALLS).min(list.len());
                let mut sums = [0.0; 10];
                for ball in &list[range] {
                    self.weigh(ball, &mut sums);
                }
                sums
            });
            for part in parts {
                for (sum, part) in by_balls.iter_mut().zip(part) {
                    *sum += part;
                }
            }
        }
        let [lost, px, py, pz, fx, fy, fz, gx, gy, gz] = by_balls;
        let [sliding, rolling, spinning] = worked.each(sum);
        let [by_sliding, by_rolling, by_spinning] = stretched.each(sum);
        Flowing {
            energy: [
                sum(damped),
                sliding,
                rolling,
                spinning,
                sum(kinematic),
                lost,
            ],
            momentum: [[pushed.x, pushed.y, pushed.z].each(sum), [px, py, pz]],
            angular: [
                [turned.x, turned.y, turned.z].each(sum),
                [fx, fy, fz],
                [gx, gy, gz],
            ],
            stored: [sum(pressed), by_sliding, by_rolling, by_spinning],
            deepest: deepest.to_array().into_iter().fold(0.0, f64::max),
        }
    }

    /// Adds what fields take from a ball and give to it, and the torque of gravity.
    fn weigh(&self, ball: &GrainRecord, sums: &mut [f64; 10]) {
        let [x, y, z, radius] = ball.place.to_array();
        let [u, v, w, per_mass] = ball.velocity.to_array();
        let mass = 1.0 / per_mass;
        let place = S::vector([x, y, z]);
        let gravity = self.settings.gravity;
        let torque = angular_velocity_components::<S>(S::torque(place, gravity * mass));
        for axis in 0..3 {
            sums[7 + axis] += torque[axis];
        }
        let Some(fields) = &self.fields else { return };
        let (push, spin_up) = push_of::<S>(fields, ball, self.clock);
        let [a, b, c, _] = push.to_array();
        let (push, velocity) = (S::vector([a, b, c]), S::vector([u, v, w]));
        let by_others = (push - gravity) * mass;
        sums[0] -= (push - potential_push(fields, mass, place)).dot(velocity) * mass;
        let momentum = S::components(by_others);
        let mut angular = angular_velocity_components::<S>(S::torque(place, by_others));
        let [p, q, r, per_inertia] = ball.rim.to_array();
        if per_inertia > 0.0 {
            // r α and r ω, with I = r²/per_inertia.
            let [l, m, n, _] = spin_up.to_array();
            for (sum, along) in angular.iter_mut().zip([l, m, n]) {
                *sum += along * radius / per_inertia;
            }
            sums[0] -= (l * p + m * q + n * r) / per_inertia;
        }
        for axis in 0..3 {
            sums[1 + axis] += momentum[axis];
            sums[4 + axis] += angular[axis];
        }
    }

    /// What happened at the last look, in the order of the balls.
    pub(in super::super) fn spots(&self) -> &[ContactSpot] {
        &self.spots
    }

    /// What a contact has done until it began, ended or went on at the last look; the impulse is what the ball got.
    pub(in super::super) fn noted(&self, spot: &ContactSpot) -> Noted {
        let (slot, lane) = (spot.slot as usize, spot.lane as usize);
        let of = &self.slots[slot];
        let first = self.movers.id[of.a[lane] as usize] == spot.ball;
        self.logs[slot].lane(lane, if first { 1.0 } else { -1.0 })
    }

    /// Contacts under way: the ball and the other, by the orders given, in no order.
    pub(in super::super) fn touching(&self) -> impl Iterator<Item = (u32, Partner)> + '_ {
        let pairs = self.regions.pairs;
        self.slots
            .iter()
            .enumerate()
            .flat_map(move |(index, slot)| {
                (0..4)
                    .filter(|lane| slot.touching >> lane & 1 == 1)
                    .map(move |lane| {
                        let a = self.movers.id[slot.a[lane] as usize];
                        if index < pairs {
                            let b = self.movers.id[slot.b[lane] as usize];
                            (a.min(b), Partner::Ball(a.max(b)))
                        } else {
                            (a, Partner::Fixture(self.given[slot.b[lane] as usize]))
                        }
                    })
            })
    }

    /// What contacts under way remember and have done.
    pub(in super::super) fn held(&self) -> Vec<(u32, Partner, HeldContact)> {
        let mut all = Vec::new();
        for (index, slot) in self.slots.iter().enumerate() {
            for lane in (0..4).filter(|lane| slot.touching >> lane & 1 == 1) {
                let (ball, with, sign) = self.who(index, lane);
                let turning = slot.turning.as_ref();
                all.push((
                    ball,
                    with,
                    HeldContact {
                        stretch: slot.stretch.lane(lane).each(|along| sign * along),
                        slides: slot.sliding >> lane & 1 == 1,
                        rolled: turning.map_or([0.0; 3], |turning| {
                            turning.rolled.lane(lane).each(|along| sign * along)
                        }),
                        spun: turning.map_or(0.0, |turning| turning.spun.to_array()[lane]),
                        noted: self.logs[index].lane(lane, sign),
                    },
                ));
            }
        }
        all
    }

    /// Which balls are in a lane: the ball with the lower number and the other, and −1 where they lie there the other
    /// way round.
    fn who(&self, slot: usize, lane: usize) -> (u32, Partner, f64) {
        let of = &self.slots[slot];
        let (a, b) = (of.a[lane] as usize, of.b[lane] as usize);
        let a = self.movers.id[a];
        if slot >= self.regions.pairs {
            return (a, Partner::Fixture(self.given[b]), 1.0);
        }
        let b = self.movers.id[b];
        let sign = if a < b { 1.0 } else { -1.0 };
        (a.min(b), Partner::Ball(a.max(b)), sign)
    }

    /// Goes on with contacts that were under way; all others begin now.
    pub(in super::super) fn take_up(&mut self, known: &BTreeMap<(u32, Partner), HeldContact>) {
        for index in 0..self.slots.len() {
            self.slots[index].touching = 0;
            for lane in 0..4 {
                let slot = &self.slots[index];
                let used = if index < self.regions.pairs {
                    slot.a[lane] != slot.b[lane]
                } else {
                    slot.used(lane)
                };
                if !used {
                    continue;
                }
                let (ball, with, sign) = self.who(index, lane);
                let Some(hold) = known.get(&(ball, with)) else {
                    continue;
                };
                let slot = &mut self.slots[index];
                slot.touching |= 1 << lane;
                slot.sliding |= u8::from(hold.slides) << lane;
                let turned = |of: [f64; 3]| of.each(|along| sign * along);
                slot.stretch.set_lane(lane, turned(hold.stretch));
                if let Some(turning) = &mut slot.turning {
                    turning.rolled.set_lane(lane, turned(hold.rolled));
                    turning.spun.as_mut_array()[lane] = hold.spun;
                }
                let noted = Noted {
                    impulse: turned(hold.noted.impulse),
                    normal: turned(hold.noted.normal),
                    ..hold.noted
                };
                self.logs[index].set_lane(lane, &noted);
            }
        }
        self.lend(|crowd, team| crowd.evaluate(team, 0.0));
    }

    /// The places in the sorted order of the balls of a spot: the ball, and the other where that is one.
    pub(in super::super) fn places_of(&self, spot: &ContactSpot) -> (usize, Option<usize>) {
        let (slot, lane) = (&self.slots[spot.slot as usize], spot.lane as usize);
        let (a, b) = (slot.a[lane] as usize, slot.b[lane] as usize);
        match spot.with {
            Partner::Fixture(_) => (a, None),
            Partner::Ball(_) if self.movers.id[a] == spot.ball => (a, Some(b)),
            Partner::Ball(_) => (b, Some(a)),
        }
    }

    /// A ball at the end of the last step, by its place in the sorted order.
    pub(in super::super) fn now(&self, at: usize) -> GranularBall<S> {
        self.grain_at(at)
    }

    /// A ball at the beginning of the last step.
    pub(in super::super) fn before(&self, at: usize) -> GranularBall<S> {
        self.grain_of(at, self.movers.before[at])
    }

    /// How a ball is turned at the end of the last step; `None` where it never has.
    pub(in super::super) fn turned(&self, at: usize) -> Option<S::Rotation> {
        let mut rotation = self.rotation[at];
        let [by_before, by_now] =
            [self.before(at), self.now(at)].each(|grain| grain.angular_velocity);
        turn_by::<S>(&mut rotation, (by_before + by_now) * 0.5, self.lapse);
        rotation
    }

    /// The place in the sorted order of a ball, by the order given.
    pub(in super::super) fn at(&self, ball: u32) -> usize {
        self.movers.at[ball as usize] as usize
    }

    /// When the next step ends, s.
    pub(in super::super) fn next_end(&self) -> f64 {
        self.next_time()
    }

    /// When so many more steps end, s.
    pub(in super::super) fn end_after(&self, more: u64) -> f64 {
        self.origin + (self.steps + more) as f64 * self.settings.dt
    }

    /// The number of a ball, by the order given, and where it is (m), by its place in the sorted order.
    pub(in super::super) fn place(&self, at: usize) -> (u32, S::Vector) {
        let [x, y, z, _] = self.movers.list[at].place.to_array();
        (self.movers.id[at], S::vector([x, y, z]))
    }

    /// Gives contacts that have begun at a seam what those before them remember.
    pub(super) fn hand_over(&mut self) {
        for passed in std::mem::take(&mut self.passed) {
            let ball = self.movers.id[passed.ball as usize];
            let begun = self.spots.iter().find(|spot| {
                let on_prop = matches!(spot.with, Partner::Fixture(_));
                spot.ball == ball && on_prop && spot.change == Some(true)
            });
            if let Some(spot) = begun {
                passed.give(&mut self.slots[spot.slot as usize], spot.lane as usize);
            }
        }
    }

    /// Whether a spot is a contact that ended because it does not count at a seam.
    pub(in super::super) fn is_shaded(&self, spot: &ContactSpot) -> bool {
        let slot = (spot.slot as usize).checked_sub(self.regions.pairs);
        let shade = slot.and_then(|slot| self.shaded.get(slot));
        shade.is_some_and(|shade| shade >> spot.lane & 1 == 1)
    }
}

/// Turns a ball by its mean spin between two instants that are `lapse` (s) apart.
fn turn<S: Space>(
    rotation: &mut Option<S::Rotation>,
    from: &GrainRecord,
    to: &GrainRecord,
    lapse: f64,
) {
    let sum = (from.rim + to.rim).to_array();
    if lapse > 0.0 && (sum[0] != 0.0 || sum[1] != 0.0 || sum[2] != 0.0) {
        let half = 0.5 / from.place.to_array()[3];
        let angular_velocity =
            angular_velocity_of::<S>([sum[0] * half, sum[1] * half, sum[2] * half]);
        turn_by::<S>(rotation, angular_velocity, lapse);
    }
}

fn turn_by<S: Space>(rotation: &mut Option<S::Rotation>, angular_velocity: S::Angular, lapse: f64) {
    if lapse > 0.0 && angular_velocity != S::Angular::ZERO {
        let turned = S::rotation_of(angular_velocity, lapse);
        *rotation = Some(match *rotation {
            Some(rotation) => S::compose(turned, rotation),
            None => turned,
        });
    }
}

/// The accelerations of a ball and of its `r ω` by fields, m/s².
fn push_of<S: Space>(fields: &Fields<S>, ball: &GrainRecord, time: f64) -> (f64x4, f64x4) {
    let [x, y, z, radius] = ball.place.to_array();
    let [u, v, w, per_mass] = ball.velocity.to_array();
    let [p, q, r, per_inertia] = ball.rim.to_array();
    let angular_velocity = angular_velocity_of::<S>([p / radius, q / radius, r / radius]);
    let of = fields.for_ball(1.0 / per_mass, radius, radius * radius / per_inertia);
    let (push, twist) = of.rates(
        time,
        S::vector([x, y, z]),
        S::vector([u, v, w]),
        angular_velocity,
    );
    let [a, b, c] = S::components(push);
    let [l, m, n] = angular_velocity_components::<S>(twist).each(|about| radius * about);
    (f64x4::from([a, b, c, 0.0]), f64x4::from([l, m, n, 0.0]))
}

/// The acceleration by gravity and by those fields that the potential counts, m/s².
pub(in super::super) fn potential_push<S: Space>(
    fields: &Fields<S>,
    mass: f64,
    place: S::Vector,
) -> S::Vector {
    let everywhere = (fields.parts().iter()).filter(|part| part.region == Region::Everywhere);
    everywhere.fold(fields.gravity, |push, part| {
        push + match part.field {
            Field::Uniform(gravity) => gravity,
            Field::Central {
                centre,
                strength,
                softening,
            } => {
                let arm = place - centre;
                let apart = arm.length_squared() + softening * softening;
                arm * (-strength / (apart * apart.sqrt()))
            }
            Field::Spring { centre, stiffness } => (place - centre) * (-stiffness / mass),
            _ => S::Vector::ZERO,
        }
    })
}
