//! What acts at the contacts of a slot: between balls, on walls, on other shapes.

use super::batch::{ActingSlot, Batch, Regions, Said, SlotKind, WithArms};
use super::fixtures::{FixtureLanes, Foot, Wall};
use super::lanes::{Four, Lanes, get, put};
use super::law::{Forms, FourContacts, LaneForces, LaneMemory, LaneTally, Rule, RuleLanes, answer};
use super::log::Log;
use super::movers::{GrainRecord, apart};
use super::slots::Slot;
use crate::vectors::{Choice, Floats as _, Mask as _, Vectors, run_with};
use wide::f64x4;

/// Everything that the forces depend on but the contacts themselves.
pub(super) struct ForceScene<'a> {
    /// What is computed with.
    pub vectors: Choice,
    /// The balls that the contacts may be of, and where the first of these is among all.
    pub balls: &'a [GrainRecord],
    pub base: u32,
    /// Of what each of them is made; empty where there is but one class.
    pub class: &'a [u16],
    pub walls: &'a [Wall],
    pub foot: &'a (dyn Fn(u32, u32) -> Foot + Sync),
    pub forms: Forms,
    /// Of each pair of classes.
    pub rules: &'a [Rule],
    /// The class of all balls, where there is but one.
    pub only: Option<u16>,
    pub classes: usize,
    /// Of what each wall and shape is made.
    pub fixture_class: &'a [u16],
    /// m; zero along axes that are not periodic.
    pub periods: [f64; 3],
    /// s; zero where contacts are only to be looked at.
    pub dt: f64,
    /// World time, s.
    pub time: f64,
    /// Lanes of slots with fixtures that do not count: they are on a seam of two fixtures, and the other is deeper.
    /// Empty where there are none.
    pub shaded: &'a [u8],
}

impl ForceScene<'_> {
    #[inline(always)]
    fn ball(&self, number: u32) -> &GrainRecord {
        &self.balls[number as usize]
    }

    /// The forces of slots, written beside them; `said` is told of slots in which contacts begin or end, or are too
    /// deep.
    pub fn evaluate(
        &self,
        batch: Batch<'_>,
        regions: Regions,
        said: impl FnMut(Said<'_>),
    ) -> LaneTally {
        run_with!(self.vectors, vectors => self.evaluate_with(vectors, batch, regions, said))
    }

    /// Longer than most: one pass over all slots that is compiled as a whole for each kind of vectors.
    #[inline(always)]
    fn evaluate_with<V: Vectors>(
        &self,
        vectors: V,
        batch: Batch<'_>,
        regions: Regions,
        mut said: impl FnMut(Said<'_>),
    ) -> LaneTally {
        let Batch {
            slots,
            actions,
            logs,
            first,
        } = batch;
        let pairs = regions.pairs.saturating_sub(first).min(slots.len());
        let plain = self.only.is_some() && self.periods == [0.0; 3] && self.forms.plain();
        let walls = (regions.pairs + regions.walls)
            .saturating_sub(first)
            .min(slots.len());
        let mut tally = LaneTally::ZERO;
        let only = self.only.unwrap_or(0) as usize;
        let mut uniform = RuleLanes::of([&self.rules[only * self.classes + only]; 4]);
        let mixed = self.classes > 1;
        if plain {
            let batch = Batch {
                slots: &mut slots[..pairs],
                actions: &mut actions[..pairs],
                logs: &mut *logs,
                first,
            };
            let (rules, tally) = (&uniform, &mut tally);
            let Forms {
                books,
                by_ratio,
                point,
                ..
            } = self.forms;
            macro_rules! go {
                ($books:literal, $ratio:literal, $point:literal, $logs:literal) => {
                    self.plain_pairs::<V, $books, $ratio, $point, $logs>(
                        vectors, batch, rules, tally, &mut said,
                    )
                };
            }
            // Where record is kept there are budgets.
            match (self.forms.logs, books, by_ratio, point) {
                (true, _, false, false) => go!(true, false, false, true),
                (true, _, true, false) => go!(true, true, false, true),
                (true, _, false, true) => go!(true, false, true, true),
                (true, _, true, true) => go!(true, true, true, true),
                (false, false, false, _) => go!(false, false, false, false),
                (false, true, false, _) => go!(true, false, false, false),
                (false, false, true, _) => go!(false, true, false, false),
                (false, true, true, _) => go!(true, true, false, false),
            }
        }
        let done = if plain { pairs } else { 0 };
        let mut no_log = Log::NONE;
        let both = slots.iter_mut().zip(actions);
        for (index, (slot, actions)) in both.enumerate().skip(done) {
            let before = slot.touching;
            let log = logs.get_mut(index).unwrap_or(&mut no_log);
            let (kind, too_deep) = if index < pairs {
                if mixed {
                    uniform = self.pair_rules(slot);
                }
                (
                    SlotKind::Pairs,
                    self.pairs(
                        vectors,
                        ActingSlot { slot, actions },
                        log,
                        &uniform,
                        &mut tally,
                    ),
                )
            } else {
                if mixed {
                    uniform = self.fixture_rules(slot);
                }
                let kind = if index < walls {
                    SlotKind::Walls
                } else {
                    SlotKind::Shapes
                };
                let shade = (self.shaded.get(first + index - regions.pairs)).map_or(0, |&it| it);
                let at = ActingSlot { slot, actions };
                let which = FixtureLanes { kind, shade };
                let too_deep = self.fixture(vectors, at, log, which, &uniform, &mut tally);
                (kind, too_deep)
            };
            if slot.touching != before || too_deep != 0 {
                said(Said {
                    slot,
                    base: self.base,
                    index: first + index,
                    kind,
                    before,
                    too_deep,
                });
            }
        }
        tally
    }

    #[cold]
    fn pair_rules(&self, slot: &Slot) -> RuleLanes {
        let class = |ball: u32| self.class[ball as usize] as usize;
        RuleLanes::of(
            [0, 1, 2, 3]
                .map(|lane| &self.rules[class(slot.a[lane]) * self.classes + class(slot.b[lane])]),
        )
    }

    #[cold]
    fn fixture_rules(&self, slot: &Slot) -> RuleLanes {
        RuleLanes::of([0, 1, 2, 3].map(|lane| {
            let ball = self.class[slot.a[lane] as usize] as usize;
            let other = self.fixture_class.get(slot.b[lane] as usize);
            &self.rules[ball * self.classes + other.map_or(0, |&class| class as usize)]
        }))
    }

    /// Pairs of one linear law with attraction and stiffness given, without rolling resistance and periods: the forms
    /// that are not asked for are left out of the loop altogether, so that everything stays in registers.
    ///
    /// In blocks, first how all contacts stand and then what acts: a contact is one long chain of operations, and a
    /// processor works on several chains at a time only if they are short enough for its window.
    fn plain_pairs<
        V: Vectors,
        const BOOKS: bool,
        const BY_RATIO: bool,
        const POINT: bool,
        const LOGS: bool,
    >(
        &self,
        vectors: V,
        batch: Batch<'_>,
        rules: &RuleLanes,
        tally: &mut LaneTally,
        said: &mut impl FnMut(Said<'_>),
    ) {
        let forms = Forms {
            books: BOOKS,
            by_ratio: BY_RATIO,
            point: POINT,
            logs: LOGS,
            ..Forms::PLAIN
        };
        vectors.run(
            #[inline(always)]
            || self.plain_pairs_with(vectors, forms, batch, rules, tally, said),
        );
    }

    #[inline(always)]
    fn plain_pairs_with<V: Vectors>(
        &self,
        vectors: V,
        forms: Forms,
        batch: Batch<'_>,
        rules: &RuleLanes,
        tally: &mut LaneTally,
        said: &mut impl FnMut(Said<'_>),
    ) {
        const BLOCK: usize = 16;
        let Batch {
            slots,
            actions,
            logs,
            first,
        } = batch;
        let rules = rules.with(vectors);
        let mut sums = tally.with(vectors);
        let mut block = [FourContacts::none(vectors); BLOCK];
        let blocks = slots.chunks_mut(BLOCK).zip(actions.chunks_mut(BLOCK));
        for (number, (slots, actions)) in blocks.enumerate() {
            for (slot, meet) in slots.iter().zip(&mut block) {
                *meet = self.approach::<V, true>(vectors, slot, forms);
            }
            let all = slots.iter_mut().zip(actions).zip(&block);
            for (at, ((slot, actions), meet)) in all.enumerate() {
                let before = slot.touching;
                let mut too_deep = 0;
                if meet.touching.any() {
                    let acting = ActingSlot {
                        slot: &mut *slot,
                        actions,
                    };
                    let met = WithArms {
                        meet: *meet,
                        cut: half(vectors, meet),
                    };
                    let answer = self.settle(vectors, forms, acting, &rules, met, &mut sums);
                    if forms.logs {
                        let log = &mut logs[number * BLOCK + at];
                        let limit = self.smaller(vectors, slot);
                        too_deep =
                            self.keep(vectors, log, before, (meet, limit), &answer, &mut sums);
                    }
                } else {
                    slot.part(actions);
                }
                if slot.touching != before || (forms.logs && too_deep != 0) {
                    said(Said {
                        slot,
                        base: self.base,
                        index: first + number * BLOCK + at,
                        kind: SlotKind::Pairs,
                        before,
                        too_deep,
                    });
                }
            }
        }
        tally.put(sums);
    }

    /// The radii of four balls, m.
    #[inline(always)]
    fn radii<V: Vectors>(&self, vectors: V, [a, b, c, d]: [u32; 4]) -> Four<V> {
        vectors.four(&[
            self.ball(a).place.as_array()[3],
            self.ball(b).place.as_array()[3],
            self.ball(c).place.as_array()[3],
            self.ball(d).place.as_array()[3],
        ])
    }

    /// The smaller radii of four pairs, m.
    #[inline(always)]
    fn smaller<V: Vectors>(&self, vectors: V, slot: &Slot) -> Four<V> {
        self.radii(vectors, slot.a)
            .least_number(self.radii(vectors, slot.b))
    }

    /// Enters what four contacts did into their log. Returns which are deeper than a limit (m), or through.
    #[inline(always)]
    pub(super) fn keep<V: Vectors>(
        &self,
        vectors: V,
        log: &mut Log,
        before: u8,
        (meet, limit): (&FourContacts<V>, Four<V>),
        answer: &LaneForces<V>,
        tally: &mut LaneTally<V>,
    ) -> u8 {
        let before = vectors.lanes_of_four(before);
        let through = log.enter(vectors, before, meet, answer, [self.dt, self.time]);
        let overlap = meet.overlap.only(meet.touching);
        tally.deepest = tally.deepest.most_number(overlap);
        through | overlap.greater(limit).bits() as u8
    }

    #[inline(never)]
    fn pairs<V: Vectors>(
        &self,
        vectors: V,
        at: ActingSlot<'_>,
        log: &mut Log,
        rules: &RuleLanes,
        tally: &mut LaneTally,
    ) -> u8 {
        vectors.run(
            #[inline(always)]
            || self.pairs_with(vectors, at, log, rules, tally),
        )
    }

    #[inline(always)]
    fn pairs_with<V: Vectors>(
        &self,
        vectors: V,
        ActingSlot { slot, actions }: ActingSlot<'_>,
        log: &mut Log,
        rules: &RuleLanes,
        tally: &mut LaneTally,
    ) -> u8 {
        let forms = self.forms;
        let meet = self.approach::<V, false>(vectors, slot, forms);
        if !meet.touching.any() {
            slot.part(actions);
            return 0;
        }
        let before = slot.touching;
        let (rules, mut sums) = (rules.with(vectors), tally.with(vectors));
        let at = ActingSlot {
            slot: &mut *slot,
            actions,
        };
        let cut = half(vectors, &meet);
        let met = WithArms { meet, cut };
        let mut answer = self.settle(vectors, forms, at, &rules, met, &mut sums);
        if forms.rolls {
            let angular_velocity = self.spins(vectors, slot.a) - self.spins(vectors, slot.b);
            let more = self.resist_rolling(
                vectors,
                slot,
                &rules,
                &meet,
                &answer,
                angular_velocity,
                &mut sums,
            );
            answer.taken[1] += more;
        }
        let too_deep = if forms.logs {
            let limit = self.smaller(vectors, slot);
            self.keep(vectors, log, before, (&meet, limit), &answer, &mut sums)
        } else {
            0
        };
        tally.put(sums);
        too_deep
    }

    /// The spins of four balls, rad/s.
    #[inline(always)]
    pub(super) fn spins<V: Vectors>(&self, vectors: V, [a, b, c, d]: [u32; 4]) -> Lanes<V> {
        let spins = [
            angular_velocity(self.ball(a)),
            angular_velocity(self.ball(b)),
            angular_velocity(self.ball(c)),
            angular_velocity(self.ball(d)),
        ];
        Lanes::of(vectors, spins)
    }

    /// The four balls of a slot on one side.
    #[inline(always)]
    pub(super) fn balls_of(&self, [a, b, c, d]: [u32; 4]) -> [&GrainRecord; 4] {
        [self.ball(a), self.ball(b), self.ball(c), self.ball(d)]
    }

    /// How four pairs stand. `PLAIN` ones have no periods.
    #[inline(always)]
    fn approach<V: Vectors, const PLAIN: bool>(
        &self,
        vectors: V,
        slot: &Slot,
        forms: Forms,
    ) -> FourContacts<V> {
        let (a, b) = (self.balls_of(slot.a), self.balls_of(slot.b));
        let (zero, one) = (vectors.all_four(0.0), vectors.all_four(1.0));
        let [x, y, z, sum] = vectors.transpose_four([
            apart(vectors, &a[0].place, &b[0].place),
            apart(vectors, &a[1].place, &b[1].place),
            apart(vectors, &a[2].place, &b[2].place),
            apart(vectors, &a[3].place, &b[3].place),
        ]);
        let mut between = Lanes { x, y, z };
        if !PLAIN && self.periods != [0.0; 3] {
            between = self.nearest_image(vectors, between);
        }
        let square = between.dot(between);
        let touching = square.less(sum * sum) & square.greater(zero);
        if !touching.any() {
            return FourContacts::none(vectors);
        }
        let [x, y, z, per_mass] = vectors.transpose_four([
            apart(vectors, &a[0].velocity, &b[0].velocity),
            apart(vectors, &a[1].velocity, &b[1].velocity),
            apart(vectors, &a[2].velocity, &b[2].velocity),
            apart(vectors, &a[3].velocity, &b[3].velocity),
        ]);
        let velocity = Lanes { x, y, z };
        let distance = square.sqrt();
        let overlap = sum - distance;
        let rim = if forms.point {
            let cut = vectors.all_four(0.5) * overlap;
            shortened(vectors, a, cut, self.radii(vectors, slot.a))
                + shortened(vectors, b, cut, self.radii(vectors, slot.b))
        } else {
            let [x, y, z, _] = vectors.transpose_four([
                get(vectors, &a[0].rim) + get(vectors, &b[0].rim),
                get(vectors, &a[1].rim) + get(vectors, &b[1].rim),
                get(vectors, &a[2].rim) + get(vectors, &b[2].rim),
                get(vectors, &a[3].rim) + get(vectors, &b[3].rim),
            ]);
            Lanes { x, y, z }
        };
        let mut radius = zero;
        if forms.hertz || forms.rolls {
            radius = self.radii(vectors, slot.a) * self.radii(vectors, slot.b) / sum;
        }
        FourContacts {
            touching,
            normal: between.times(one / distance),
            overlap,
            velocity,
            rim,
            mass: one / per_mass,
            radius,
        }
    }

    /// Asks the law and keeps what it says.
    #[inline(always)]
    pub(super) fn settle<V: Vectors>(
        &self,
        vectors: V,
        forms: Forms,
        ActingSlot { slot, actions }: ActingSlot<'_>,
        rules: &RuleLanes<V>,
        WithArms { meet, cut }: WithArms<V>,
        tally: &mut LaneTally<V>,
    ) -> LaneForces<V> {
        let memory = LaneMemory {
            stretch: slot.stretch.with(vectors),
            slides: vectors.lanes_of_four(slot.sliding),
        };
        let dt = vectors.all_four(self.dt);
        let answer = answer(vectors, forms, rules, meet, memory, dt, tally);
        slot.stretch.put(answer.memory.stretch);
        slot.touching = answer.acting.bits() as u8;
        slot.sliding = answer.memory.slides.bits() as u8;
        let zero = vectors.all_four(0.0);
        let Lanes { x, y, z } = answer.force;
        let forces = vectors.transpose_four([x, y, z, zero]);
        let Lanes { x, y, z } = answer.twist;
        let short = if forms.point {
            cut.only(answer.acting)
        } else {
            zero
        };
        let twists = vectors.transpose_four([x, y, z, short]);
        for lane in 0..4 {
            put::<V>(&mut actions[lane].force, forces[lane]);
            put::<V>(&mut actions[lane].twist, twists[lane]);
        }
        answer
    }

    #[inline(always)]
    fn nearest_image<V: Vectors>(&self, vectors: V, between: Lanes<V>) -> Lanes<V> {
        Lanes {
            x: nearest(vectors, between.x, self.periods[0]),
            y: nearest(vectors, between.y, self.periods[1]),
            z: nearest(vectors, between.z, self.periods[2]),
        }
    }
}

/// Differences of coordinates (m) to the nearest images.
#[inline(always)]
fn nearest<V: Vectors>(vectors: V, along: Four<V>, length: f64) -> Four<V> {
    if length > 0.0 {
        let length = vectors.all_four(length);
        along - length * (along / length).round()
    } else {
        along
    }
}

/// Four rows to columns.
#[inline(always)]
pub(super) fn rows<V: Vectors>(vectors: V, [a, b, c, d]: [&f64x4; 4]) -> [Four<V>; 4] {
    vectors.transpose_four([
        get(vectors, a),
        get(vectors, b),
        get(vectors, c),
        get(vectors, d),
    ])
}

/// Half of the overlaps, m.
#[inline(always)]
fn half<V: Vectors>(vectors: V, meet: &FourContacts<V>) -> Four<V> {
    vectors.all_four(0.5) * meet.overlap
}

/// The arm of friction times ω, where the arm is shorter than the radius.
#[inline(always)]
pub(super) fn shortened<V: Vectors>(
    vectors: V,
    balls: [&GrainRecord; 4],
    cut: Four<V>,
    radius: Four<V>,
) -> Lanes<V> {
    let [a, b, c, d] = balls;
    let [x, y, z, _] = rows(vectors, [&a.rim, &b.rim, &c.rim, &d.rim]);
    Lanes { x, y, z }.times(vectors.all_four(1.0) - cut / radius)
}

#[inline(always)]
fn angular_velocity(ball: &GrainRecord) -> [f64; 3] {
    let [x, y, z, _] = ball.rim.to_array();
    let radius = ball.place.to_array()[3];
    [x / radius, y / radius, z / radius]
}
