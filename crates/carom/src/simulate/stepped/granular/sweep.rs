//! The passes of a step: forces, sums, movement.

use super::batch::Batch;
use super::forces::ForceScene;
use super::kick::{Haste, Kick, ShareContacts, Sums};
use super::law::{Forms, LaneTally};
use super::movers::GrainRecord;
use super::slots::LaneAction;
use super::threads::Team;
use super::{BALLS, BlownUp, ContactSpot, Granular, GranularTouch, SLOTS};
use crate::order::InOrder;
use crate::shape::Shaped;
use crate::vectors::{Vectors, run_with};
use wide::f64x4;

impl<S: Shaped> Granular<S> {
    /// Moves the balls.
    pub(super) fn advance(&mut self, team: &Team) -> Haste {
        if self.forms.logs {
            return self.advance_watched(team);
        }
        let kick = self.kick();
        let mut list = std::mem::take(&mut self.movers.list);
        let sums = self.sums();
        let hastes = team.over(&mut list, BALLS, |chunk, balls| {
            let first = chunk * BALLS;
            run_with!(self.vectors, vectors => kick.advance(
                vectors,
                balls,
                first,
                #[inline(always)]
                |number, ball| sums.of(vectors, number, ball),
            ))
        });
        self.movers.list = list;
        hastes.into_iter().fold(Haste::NONE, Haste::or)
    }

    /// What acts on the balls, as it was computed last.
    pub(super) fn sums(&self) -> Sums<'_> {
        Sums {
            known: &self.acts,
            ties: &self.ties,
            slots: &self.slots,
            actions: &self.actions,
            rolls: self.forms.rolls,
            point: self.forms.point,
        }
    }

    /// Computes the forces and moves the balls.
    ///
    /// Contacts are in the order of the first of their two balls. So when those of a ball are done, all that it has
    /// with earlier balls of its share are too, and no later contact asks for it: it can be moved while its contacts
    /// are still at hand, [`BALLS`] at a time, which saves a pass over memory. What is between shares and on fixtures
    /// is computed before.
    pub(super) fn sweep(&mut self, team: &Team) -> Haste {
        let dt = self.settings.dt;
        if !self.shares.apart {
            self.evaluate(team, dt);
            return self.advance(team);
        }
        let mut told = self.act(team, dt);
        let (haste, more) = self.go_through(team, dt, Some(self.kick()));
        told.extend(more);
        self.note(told, dt);
        haste
    }

    /// Goes through the shares' own slots, and either moves the balls or keeps what acts on them.
    fn go_through(
        &mut self,
        team: &Team,
        dt: f64,
        kick: Option<Kick<'_>>,
    ) -> (Haste, Vec<(usize, SlotReport)>) {
        let mut list = std::mem::take(&mut self.movers.list);
        let mut slots = std::mem::take(&mut self.slots);
        let mut rings = std::mem::take(&mut self.rings);
        let mut acts = std::mem::take(&mut self.acts);
        let crowd = &*self;
        let mut parts = Vec::with_capacity(crowd.shares.list.len());
        let (mut inner, mut around) = (&mut slots[..], &mut rings[..]);
        let (mut balls, mut sums) = (&mut list[..], &mut acts[..]);
        for share in &crowd.shares.list {
            let (own, others) = inner.split_at_mut(share.slots.len());
            let (ring, further) = around.split_at_mut(share.ring.len());
            let (now, later) = balls.split_at_mut(share.balls.len());
            let (acts, rest) = sums.split_at_mut(share.balls.len());
            parts.push((share, (own, ring), (now, acts)));
            (inner, around, balls, sums) = (others, further, later, rest);
        }
        let done = team.over(&mut parts, 1, |_, part| {
            let (share, (own, ring), (balls, acts)) = &mut part[0];
            let (first, base) = (share.slots.start, share.balls.start);
            let (mut haste, mut told) = (Haste::NONE, Vec::new());
            for chunk in share.chunks.clone() {
                if !crowd.shares.is_outer(chunk) {
                    let stretch = crowd.shares.stretch(chunk);
                    let batch = Batch {
                        slots: &mut own[stretch.start - first..stretch.end - first],
                        actions: &mut ring[crowd.shares.ring(chunk)],
                        logs: &mut [],
                        first: stretch.start,
                    };
                    let part = crowd.acting(balls, base, batch, dt);
                    told.extend(crowd.is_asked().then_some((chunk, part)));
                }
                let contacts = ShareContacts {
                    own: ring,
                    common: &crowd.actions,
                };
                let ball = chunk * BALLS;
                let last = (ball + BALLS).min(share.balls.end);
                let range = ball - base..last - base;
                let (balls, acts) = (&mut balls[range.clone()], &mut acts[range]);
                let moved = run_with!(crowd.vectors, vectors => crowd.finish(vectors, &contacts, &kick, ball, balls, acts));
                haste = haste.or(moved);
            }
            (haste, told)
        });
        (self.slots, self.movers.list) = (slots, list);
        (self.rings, self.acts) = (rings, acts);
        let (mut haste, mut told) = (Haste::NONE, Vec::new());
        for (of_share, by_share) in done {
            haste = haste.or(of_share);
            told.extend(by_share);
        }
        (haste, told)
    }
}

impl<S: Shaped> Granular<S> {
    /// Moves balls whose contacts are done, the first of which is number `ball`, or keeps what acts on them.
    #[inline(always)]
    fn finish<V: Vectors>(
        &self,
        vectors: V,
        contacts: &ShareContacts<'_>,
        kick: &Option<Kick<'_>>,
        ball: usize,
        balls: &mut [GrainRecord],
        acts: &mut [LaneAction],
    ) -> Haste {
        match kick {
            Some(kick) => kick.advance(
                vectors,
                balls,
                ball,
                #[inline(always)]
                |ball, _| self.ties.sum(vectors, ball, contacts),
            ),
            None => {
                for (number, act) in (ball..).zip(acts) {
                    act.put(&self.ties.sum(vectors, number, contacts));
                }
                Haste::NONE
            }
        }
    }
}

/// What the forces of slots have to tell: energies, and contacts that began or ended.
struct SlotReport {
    tally: LaneTally,
    touches: Vec<GranularTouch>,
    spots: Vec<ContactSpot>,
}

impl<S: Shaped> Granular<S> {
    pub(super) fn kick(&self) -> Kick<'static> {
        let [x, y, z] = S::components(self.settings.gravity);
        let half = 0.5 * self.settings.dt;
        Kick {
            gravity: f64x4::from([x, y, z, 0.0]),
            closing: 0.5 * self.lapse,
            opening: half,
            dt: self.settings.dt,
            fields: None,
        }
    }

    /// Computes the forces where everything is now. A `dt` (s) of zero leaves memories as they are.
    pub(super) fn evaluate(&mut self, team: &Team, dt: f64) {
        self.shade();
        let mut told = self.act(team, dt);
        if self.shares.apart {
            told.extend(self.go_through(team, dt, None).1);
        }
        self.note(told, dt);
    }

    /// The same for slots that are common. Returns what they have to tell, by chunk; fixtures come after the last.
    fn act(&mut self, team: &Team, dt: f64) -> Vec<(usize, SlotReport)> {
        let mut slots = std::mem::take(&mut self.slots);
        let mut actions = std::mem::take(&mut self.actions);
        let mut logs = std::mem::take(&mut self.logs);
        let mut first = self.shares.inner;
        let (mut rest, mut acting) = (&mut slots[first..], &mut actions[..]);
        let mut noted = &mut logs[..];
        let shares = &self.shares;
        let segments = (shares.common()).map(|chunk| (chunk, shares.stretches[chunk]));
        let after = shares.stretches.len();
        let of_props = rest.len() - (self.regions.pairs - first);
        let props = (0..of_props.div_ceil(SLOTS))
            .map(|segment| (after + segment, SLOTS.min(of_props - segment * SLOTS)));
        // Sums are taken over whole segments. Where there are none, small ones are shared out more evenly.
        let most = if self.is_asked() {
            usize::MAX
        } else {
            SLOTS / 4
        };
        let mut parts = Vec::with_capacity(after + of_props.div_ceil(SLOTS));
        for (segment, mut left) in segments.chain(props) {
            while left > 0 {
                let length = left.min(most);
                let (now, later) = rest.split_at_mut(length);
                let (of_now, of_later) = noted.split_at_mut(length.min(noted.len()));
                let (act_now, act_later) = acting.split_at_mut(length);
                let batch = Batch {
                    slots: now,
                    actions: act_now,
                    logs: of_now,
                    first,
                };
                parts.push((segment, batch));
                (first, rest, noted) = (first + length, later, of_later);
                acting = act_later;
                left -= length;
            }
        }
        let crowd = &*self;
        let told = team.over(&mut parts, 1, |_, part| {
            let (segment, batch) = &mut part[0];
            let base = if *segment < after {
                crowd.shares.base(*segment) as usize
            } else {
                0
            };
            let balls = &crowd.movers.list[base..];
            let part = crowd.acting(balls, base, batch.again(), dt);
            crowd.is_asked().then_some((*segment, part))
        });
        (self.slots, self.actions, self.logs) = (slots, actions, logs);
        told.into_iter().flatten().collect()
    }

    /// Whether it is asked what the forces have to tell.
    fn is_asked(&self) -> bool {
        self.forms.books || self.settings.watched
    }

    /// Computes the forces of some slots. Their balls are numbered among some that begin with number `base` of all.
    fn acting(&self, balls: &[GrainRecord], base: usize, batch: Batch<'_>, dt: f64) -> SlotReport {
        let foot = |ball: u32, prop: u32| self.foot(ball, prop);
        let scene = ForceScene {
            vectors: self.vectors,
            balls,
            base: base as u32,
            class: self.movers.class.get(base..).unwrap_or_default(),
            walls: &self.walls,
            foot: &foot,
            forms: Forms {
                still: dt == 0.0,
                ..self.forms
            },
            rules: &self.rules.table,
            classes: self.rules.classes,
            only: self.only,
            fixture_class: &self.fixture_class,
            periods: self.settings.periods,
            dt,
            time: self.clock,
            shaded: &self.shaded,
        };
        let (mut touches, mut spots) = (Vec::new(), Vec::new());
        let tally = scene.evaluate(batch, self.regions, |said| {
            if self.settings.watched {
                self.tell(&said, &mut touches);
            }
            if self.forms.logs {
                self.spot(&said, &mut spots);
            }
        });
        SlotReport {
            tally,
            touches,
            spots,
        }
    }

    /// Enters what the forces have to tell, piece by piece in order.
    fn note(&mut self, mut told: Vec<(usize, SlotReport)>, dt: f64) {
        if !self.is_asked() {
            return;
        }
        told.order_by_key(|&(segment, _)| segment);
        let mut tally = LaneTally::ZERO;
        let known = self.touches.len();
        self.spots.clear();
        for (_, part) in told {
            tally.add(&part.tally);
            self.touches.extend(part.touches);
            self.spots.extend(part.spots);
        }
        self.takings.enter(&tally, dt);
        self.tally = tally;
        self.touches[known..].order_by_key(|touch| (touch.ball, touch.with));
        self.spots.order_by_key(|spot| (spot.ball, spot.with));
        self.hand_over();
    }

    pub(super) fn find_fault(&self) -> Result<(), BlownUp> {
        let wrong = |ball: &GrainRecord| {
            let ([x, y, z, radius], [u, v, w, _]) =
                (ball.place.to_array(), ball.velocity.to_array());
            let way = (u * u + v * v + w * w).sqrt() * self.settings.dt;
            !((x + y + z + way).is_finite() && (way <= radius || self.forms.logs))
        };
        let faults = (self.movers.list.iter().zip(&self.movers.id)).filter(|(ball, _)| wrong(ball));
        match faults.map(|(_, &id)| id).min() {
            None => Ok(()),
            Some(ball) => Err(BlownUp {
                ball,
                time: self.time(),
            }),
        }
    }
}
