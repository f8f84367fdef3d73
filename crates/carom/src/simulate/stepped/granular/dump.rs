//! A crowd in a snapshot, as it lies in memory: lists, slots and their order leave no trace in how balls move, but sums
//! over contacts are taken in their order, and have the same bits only if that is kept.

use super::batch::Regions;
use super::cells::GrainNeighbours;
use super::kick::Ties;
use super::lanes::Lanes;
use super::law::LaneTally;
use super::log::Log;
use super::movers::GrainRecord;
use super::shares::Shares;
use super::slots::{Actions, LaneAction, NOTHING, RollingSprings, Slot};
use super::{BALLS, Granular};
use crate::arrays::Each;
use crate::codec::{Reader, SnapshotError, Stored, invalid, stored_fields};
use crate::shape::Shaped;
use wide::f64x4;

/// Four numbers.
#[derive(Clone, Copy)]
struct FourNumbers(f64x4);

impl Stored for FourNumbers {
    fn store(&self, out: &mut Vec<u8>) {
        self.0.to_array().store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(FourNumbers(f64x4::from(<[f64; 4]>::load(input)?)))
    }
}

fn store_rows(rows: &[f64x4], out: &mut Vec<u8>) {
    rows.iter().for_each(|&row| FourNumbers(row).store(out));
}

fn rows<const N: usize>(input: &mut Reader<'_>) -> Result<[f64x4; N], SnapshotError> {
    let mut all = [f64x4::ZERO; N];
    for row in &mut all {
        *row = FourNumbers::load(input)?.0;
    }
    Ok(all)
}

impl Stored for GrainRecord {
    fn store(&self, out: &mut Vec<u8>) {
        store_rows(&[self.place, self.velocity, self.rim], out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let [place, velocity, rim] = rows(input)?;
        Ok(GrainRecord {
            place,
            velocity,
            rim,
        })
    }
}

impl Stored for Lanes {
    fn store(&self, out: &mut Vec<u8>) {
        store_rows(&[self.x, self.y, self.z], out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let [x, y, z] = rows(input)?;
        Ok(Lanes { x, y, z })
    }
}

impl Stored for RollingSprings {
    fn store(&self, out: &mut Vec<u8>) {
        self.rolled.store(out);
        store_rows(&[self.spun], out);
        store_rows(&self.moments, out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let rolled = Lanes::load(input)?;
        let [spun] = rows(input)?;
        let moments = rows(input)?;
        Ok(RollingSprings {
            rolled,
            spun,
            moments,
        })
    }
}

/// A slot with what acts there.
struct Whole(Slot, Actions);

fn store_slot(slot: &Slot, actions: &Actions, out: &mut Vec<u8>) {
    slot.a.store(out);
    slot.b.store(out);
    slot.stretch.store(out);
    for action in actions {
        store_rows(&[action.force, action.twist], out);
    }
    slot.turning.is_some().store(out);
    if let Some(turning) = &slot.turning {
        turning.store(out);
    }
    slot.touching.store(out);
    slot.sliding.store(out);
}

impl Stored for Whole {
    fn store(&self, out: &mut Vec<u8>) {
        store_slot(&self.0, &self.1, out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (a, b) = (Stored::load(input)?, Stored::load(input)?);
        let stretch = Lanes::load(input)?;
        let mut actions = NOTHING;
        for action in &mut actions {
            let [force, twist] = rows(input)?;
            *action = LaneAction { force, twist };
        }
        let turning = Option::<RollingSprings>::load(input)?.map(Box::new);
        let slot = Slot {
            a,
            b,
            stretch,
            turning,
            touching: u8::load(input)? & 15,
            sliding: u8::load(input)? & 15,
        };
        Ok(Whole(slot, actions))
    }
}

impl Stored for Log {
    fn store(&self, out: &mut Vec<u8>) {
        self.impulse.store(out);
        self.normal.store(out);
        let [damper, rubbing] = self.taken;
        store_rows(
            &[
                damper,
                rubbing,
                self.deepest,
                self.deepest_at,
                self.last,
                self.earlier,
            ],
            out,
        );
        self.slid.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (impulse, normal) = (Lanes::load(input)?, Lanes::load(input)?);
        let [damper, rubbing, deepest, deepest_at, last, earlier] = rows(input)?;
        Ok(Log {
            impulse,
            taken: [damper, rubbing],
            deepest,
            deepest_at,
            last,
            earlier,
            normal,
            slid: u8::load(input)? & 15,
        })
    }
}

impl Stored for LaneTally {
    fn store(&self, out: &mut Vec<u8>) {
        store_rows(
            &[self.pressed, self.damped, self.kinematic, self.deepest],
            out,
        );
        store_rows(&self.stretched, out);
        store_rows(&self.worked, out);
        self.pushed.store(out);
        self.turned.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let [pressed, damped, kinematic, deepest] = rows(input)?;
        Ok(LaneTally {
            pressed,
            stretched: rows(input)?,
            damped,
            worked: rows(input)?,
            kinematic,
            pushed: Lanes::load(input)?,
            turned: Lanes::load(input)?,
            deepest,
        })
    }
}

stored_fields!(GrainNeighbours { start, other });

impl<S: Shaped> Granular<S> {
    /// Everything that a crowd made from the same stage does not have already.
    pub(in super::super) fn dump(&self, out: &mut Vec<u8>) {
        self.movers.list.store(out);
        self.movers.id.store(out);
        self.movers.before.store(out);
        self.rotation.store(out);
        self.reach.store(out);
        self.neighbours.store(out);
        self.near_props.store(out);
        // As a list of slots with what acts there; where record is kept all slots are common.
        (self.slots.len() as u64).store(out);
        for (slot, actions) in self.slots.iter().zip(&self.actions) {
            store_slot(slot, actions, out);
        }
        self.logs.store(out);
        let stretches: Vec<u64> = self.shares.stretches.iter().map(|&it| it as u64).collect();
        stretches.store(out);
        [self.regions.pairs as u64, self.regions.walls as u64].store(out);
        self.tally.store(out);
        self.steps.store(out);
        [self.origin, self.clock, self.lapse, self.props_were].store(out);
    }

    /// Puts everything in its place again, if it makes sense.
    pub(in super::super) fn undump(&mut self, input: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let balls = self.len();
        let class_of: Vec<u16> = if self.movers.class.is_empty() {
            Vec::new()
        } else {
            let mut class = vec![0; balls];
            for (&id, &of) in self.movers.id.iter().zip(&self.movers.class) {
                class[id as usize] = of;
            }
            class
        };
        self.movers.list = Stored::load(input)?;
        self.movers.id = Stored::load(input)?;
        self.movers.before = Stored::load(input)?;
        self.rotation = Stored::load(input)?;
        self.reach = Stored::load(input)?;
        self.neighbours = Stored::load(input)?;
        self.near_props = Stored::load(input)?;
        let whole: Vec<Whole> = Stored::load(input)?;
        (self.slots, self.actions) = whole
            .into_iter()
            .map(|Whole(slot, acts)| (slot, acts))
            .unzip();
        self.logs = Stored::load(input)?;
        let stretches: Vec<u64> = Stored::load(input)?;
        let stretches: Vec<usize> = stretches.iter().map(|&it| it as usize).collect();
        let [pairs, walls] = <[u64; 2]>::load(input)?.each(|it| it as usize);
        self.regions = Regions { pairs, walls };
        self.tally = Stored::load(input)?;
        self.steps = Stored::load(input)?;
        [self.origin, self.clock, self.lapse, self.props_were] = Stored::load(input)?;
        self.check(balls, &stretches)?;
        self.shares = Shares::whole(balls, stretches);
        if !class_of.is_empty() {
            let ids = self.movers.id.iter();
            self.movers.class = ids.map(|&id| class_of[id as usize]).collect();
        }
        for (at, &id) in self.movers.id.iter().enumerate() {
            self.movers.at[id as usize] = at as u32;
        }
        self.stands.clear();
        self.move_props();
        self.ties = Ties::of(&self.movers, &self.slots, pairs, &self.shares, &self.team);
        self.find_corners();
        self.shade();
        self.passed.clear();
        self.spots.clear();
        Ok(())
    }

    /// Every number that something is looked up by is one that is there.
    fn check(&self, balls: usize, stretches: &[usize]) -> Result<(), SnapshotError> {
        let Granular {
            movers,
            neighbours,
            slots,
            regions,
            ..
        } = self;
        let lengths = [
            movers.list.len(),
            movers.id.len(),
            movers.before.len(),
            self.rotation.len(),
        ];
        let mut known = vec![false; balls];
        for &id in &movers.id {
            if let Some(known) = known.get_mut(id as usize) {
                *known = true;
            }
        }
        if lengths != [balls; 4] || known.contains(&false) {
            return invalid("there are not as many balls as there should be");
        }
        let fit = |balls: &[f64x4]| {
            (balls.iter()).all(|row| row.to_array().iter().all(|number| number.is_finite()))
        };
        let numbers = movers.list.iter().chain(&movers.before);
        let round = |ball: &GrainRecord| {
            ball.place.to_array()[3] > 0.0 && fit(&[ball.place, ball.velocity, ball.rim])
        };
        if !numbers.into_iter().all(round) {
            return invalid("a ball is nowhere");
        }
        let rising = neighbours.start.is_sorted()
            && neighbours.start.len() == balls + 1
            && neighbours.start.first() == Some(&0)
            && neighbours.start.last() == Some(&(neighbours.other.len() as u32));
        let is_ball = |&ball: &u32| (ball as usize) < balls;
        let is_prop = |prop: u32| (prop as usize) < self.props.len();
        let near = (self.near_props.iter()).all(|(ball, prop)| is_ball(ball) && is_prop(*prop));
        if !(rising && neighbours.other.iter().all(is_ball) && near) {
            return invalid("a neighbour does not exist");
        }
        let kinds = regions.pairs.checked_add(regions.walls);
        let whole = stretches
            .iter()
            .try_fold(0_usize, |sum, &it| sum.checked_add(it));
        let parts = stretches.len() == balls.div_ceil(BALLS) && whole == Some(regions.pairs);
        if !(parts && kinds.is_some_and(|kinds| kinds <= slots.len()))
            || self.logs.len() != slots.len()
        {
            return invalid("its contacts do not fit together");
        }
        for (index, slot) in slots.iter().enumerate() {
            let others = slot.b.iter().enumerate().all(|(lane, other)| {
                if index < regions.pairs {
                    return is_ball(other);
                }
                let wall = (*other as usize) < self.walls.len();
                let fits = wall == (index < regions.pairs + regions.walls);
                !slot.used(lane) || (is_prop(*other) && fits)
            });
            if !(others && slot.a.iter().all(is_ball)) {
                return invalid("a contact has a body that does not exist");
            }
        }
        Ok(())
    }
}
