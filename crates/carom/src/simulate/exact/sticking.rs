//! Contacts that last: how they begin, and what ends them.

use super::Exact;
use crate::audit::Holdings;
use crate::body::Kind;
use crate::impact::Strikable;
use crate::material::Surface;
use crate::record::{Release, Separation, Velocities};
use crate::response::Mode;
use crate::simulate::bodies::BodyRef;
use crate::simulate::sticking::{of_pair, of_wall};
use crate::simulate::strike::Struck;
use crate::simulate::trajectories::{Next, Trajectories};
use crate::simulate::trajectories::{StickingBall, StickingPartner};
use crate::world::BodyId;

impl<S: Strikable> Exact<S> {
    /// How long a contact that closes now is to last, s; zero for an impact.
    #[inline]
    pub(super) fn lasting(&self, ball: u32, other: BodyRef, surface: &Surface) -> f64 {
        if surface.contact_duration > 0.0 && self.stage.can_last(ball as usize, other, self.clock) {
            surface.contact_duration
        } else {
            0.0
        }
    }

    /// Lets a ball and another body travel together from now on that have just been struck, and would leave each other
    /// now.
    #[cold]
    pub(super) fn begin_sticking(
        &mut self,
        ball: u32,
        other: BodyRef,
        struck: &Struck<S>,
        lasting: f64,
    ) {
        let balls = &self.stage.balls;
        let inertial = |slot: u32| balls.inertials.of(slot as usize);
        let [a, b] = [self.stage.balls.ids[ball as usize], self.stage.id_of(other)];
        let (together, slots, partners) = match other {
            BodyRef::Ball(other) => {
                let [first, second] = [ball, other].map(inertial);
                let together = of_pair(
                    [first.mass, second.mass],
                    [first.inertia, second.inertia],
                    &struck.before,
                );
                let partners = [StickingPartner::Ball(b), StickingPartner::Ball(a)];
                (together, vec![ball, other], partners)
            }
            BodyRef::Fixture(index) => {
                let (normal, wall) = (struck.normal, struck.surface_velocity);
                let together = of_wall::<S>(normal, &struck.before[0], wall);
                let image = self.stage.fixtures[index as usize].image;
                (
                    [together; 2],
                    vec![ball],
                    [StickingPartner::Fixture(b, image); 2],
                )
            }
        };
        for (side, &slot) in slots.iter().enumerate() {
            let sticking = StickingBall {
                with: partners[side],
                number: self.collisions + 1,
                first: side == 0,
                normal: if side == 0 {
                    struck.normal
                } else {
                    -struck.normal
                },
                together: together[side].velocity,
                after: struck.after[side],
                rubbed: struck.mode != Mode::Frictionless,
                began: self.clock,
                ends: self.clock + lasting,
            };
            let balls = &mut self.stage.balls;
            balls.set_velocities(slot as usize, &together[side]);
            let id = balls.ids[slot as usize];
            if let Some(trajectories) = &mut balls.trajectories {
                trajectories.sticking.insert(id, sticking);
            }
        }
    }

    /// Lets a ball sticking together go on at the end of its trajectory segment, or leave. Whether it was in sticking.
    pub(super) fn turn_sticking(&mut self, ball: u32) -> bool {
        let slot = ball as usize;
        let balls = &self.stage.balls;
        if balls.sticking(slot).is_none() {
            return false;
        }
        match balls.support(slot).map(|support| support.next) {
            Some(Next::Releases) => self.release(ball, Separation::Time),
            Some(Next::LetsGo) => self.release(ball, Separation::Wall),
            _ => {
                self.enter_flight(slot);
                self.stage.balls.restart(slot, self.clock);
                self.changed(&[ball]);
            }
        }
        true
    }

    /// Ends the contacts that last of two bodies that begin to touch now. Whether there were any: then the two are
    /// planned anew, and meet or not.
    pub(super) fn cut_short(&mut self, ball: u32, other: BodyRef) -> bool {
        let trajectories = self.stage.balls.trajectories.as_ref();
        if trajectories.is_none_or(|trajectories| trajectories.sticking.is_empty()) {
            return false;
        }
        let mut any = false;
        let other = match other {
            BodyRef::Ball(other) => Some(other),
            BodyRef::Fixture(_) => None,
        };
        for slot in [Some(ball), other].into_iter().flatten() {
            if self.stage.balls.sticking(slot as usize).is_some() {
                self.release(slot, Separation::Struck);
                any = true;
            }
        }
        if any {
            // The one that stuck to nothing has had its turn in the calendar, and flies on.
            [Some(ball), other]
                .into_iter()
                .flatten()
                .for_each(|slot| self.plan_again(&[slot]));
        }
        any
    }

    /// Ends the contacts that last of a body that is about to be changed from outside.
    pub(in crate::simulate) fn part_from(&mut self, id: BodyId) {
        let Some(trajectories) = &self.stage.balls.trajectories else {
            return;
        };
        let with = |(&ball, sticking): (&BodyId, &StickingBall<S>)| {
            (ball == id || sticking.with.id() == id).then_some(ball)
        };
        let balls: Vec<BodyId> = trajectories.sticking.iter().filter_map(with).collect();
        for ball in balls {
            let slot = self.stage.slots[ball.0 as usize];
            // The partner may have been released with another.
            if self.stage.balls.sticking(slot as usize).is_some() {
                self.release(slot, Separation::Edited);
            }
        }
    }

    /// Lets a ball in sticking, and a ball that it travels with, leave now.
    #[cold]
    pub(super) fn release(&mut self, ball: u32, separation: Separation) {
        let Some(&sticking) = self.stage.balls.sticking(ball as usize) else {
            return;
        };
        let partner = self.stage.slot_of_partner(sticking.with);
        let mut slots = vec![ball];
        slots.extend(partner.map(|slot| slot as u32));
        let clock = self.clock;
        let released: Vec<Velocities<S>> = slots
            .iter()
            .filter_map(|&slot| {
                let slot = slot as usize;
                let sticking = self.stage.balls.sticking(slot)?;
                Some(self.stage.released(slot, sticking, clock))
            })
            .collect();
        for &slot in &slots {
            self.enter_flight(slot as usize);
        }
        for (&slot, velocities) in slots.iter().zip(&released) {
            let balls = &mut self.stage.balls;
            let id = balls.ids[slot as usize];
            if let Some(trajectories) = &mut balls.trajectories {
                trajectories.sticking.remove(&id);
            }
            balls.kick(slot as usize, clock, velocities);
        }
        self.changed(&slots);
        let id = self.stage.balls.ids[ball as usize];
        let [a, b] = if sticking.first {
            [id, sticking.with.id()]
        } else {
            [sticking.with.id(), id]
        };
        let release = Release {
            time: self.stage.epoch + clock,
            number: sticking.number,
            a,
            b,
            duration: clock - sticking.began,
            separation,
        };
        self.digest.number(release.time);
        self.digest.word(u64::from(a.0) << 32 | u64::from(b.0));
        self.digest.word(separation as u64);
        self.releases.push_back(release);
    }

    /// The contacts of measurable duration (row C4) that there are now: the two bodies, and how long they have been
    /// together, s.
    pub fn sticking_pairs(&self) -> Vec<(BodyId, BodyId, f64)> {
        let Some(trajectories) = &self.stage.balls.trajectories else {
            return Vec::new();
        };
        let now = self.local_time();
        let firsts = trajectories
            .sticking
            .iter()
            .filter(|(_, sticking)| sticking.first);
        firsts
            .map(|(&ball, sticking)| (ball, sticking.with.id(), now - sticking.began))
            .collect()
    }

    /// How many contacts of measurable duration there are now.
    pub fn number_sticking(&self) -> usize {
        let trajectories = self.stage.balls.trajectories.as_ref();
        let firsts = |trajectories: &Trajectories<S>| {
            trajectories.sticking.values().filter(|it| it.first).count()
        };
        let rigids = self.stage.balls.rigids();
        let rigid = rigids.map_or(0, |it| it.core.sticking.iter().flatten().count());
        rigid + trajectories.map_or(0, |trajectories| firsts(trajectories))
    }

    /// What the bodies in contacts that last would have more than they have, were they released at a time by the run's
    /// clock.
    pub(in crate::simulate) fn in_contact(&self, time: f64) -> Holdings<S> {
        let mut held = Holdings::default();
        let Some(trajectories) = &self.stage.balls.trajectories else {
            return held;
        };
        let rigid = self.stage.balls.rigids();
        let rigid = rigid.map(|it| self.seen(it).in_contact(&it.world, time).1);
        let balls = trajectories.sticking.iter().map(|(&ball, sticking)| {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            self.stage.in_contact(slot, sticking, time)
        });
        for part in balls.chain(rigid) {
            held.energy.translational += part.energy.translational;
            held.energy.rotational += part.energy.rotational;
            held.momentum += part.momentum;
            held.angular_momentum += part.angular_momentum;
        }
        held
    }

    /// Gives the bodies of a world what those in contacts that last would leave with now: a new run knows nothing of
    /// such contacts.
    pub(super) fn leave_in(&self, id: BodyId, kind: &mut Kind<S>) {
        if let Kind::Free(free) = kind
            && let slot = self.stage.slots[id.0 as usize] as usize
            && let Some(sticking) = self.stage.balls.sticking(slot)
        {
            let left = self.stage.released(slot, sticking, self.local_time());
            (free.velocity, free.angular_velocity) = (left.velocity, left.angular_velocity);
        }
    }
}
