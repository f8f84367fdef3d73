//! What acts at the contacts of a slot: between balls, on walls, on other shapes.

use super::lanes::{Lanes, transpose};
use super::law::{Answer, Encounter, Forms, Memory, Rule, RuleLanes, Tally, answer, carried};
use super::log::Log;
use super::movers::{Mover, apart};
use super::slots::{Action, Actions, Slot, Turning};
use wide::f64x4;

/// A wall: everything behind a plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    /// The normal, into the room, and the height of the plane along it, m.
    pub plane: f64x4,
    /// m/s.
    pub velocity: f64x4,
}

/// How a ball stands to a shape that is not a plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    /// Of the ball's centre from the surface, m.
    pub distance: f64,
    /// Into the ball.
    pub normal: [f64; 3],
    /// Of the surface at the nearest place, m/s.
    pub velocity: [f64; 3],
    /// Of the shape, rad/s.
    pub spin: [f64; 3],
    /// Of the surface, 1/m: positive where it bulges, negative where it is hollow.
    pub curvature: f64,
}

/// Everything that the forces depend on but the contacts themselves.
pub(super) struct Scene<'a> {
    /// The balls that the contacts may be of, and where the first of these is among all.
    pub balls: &'a [Mover],
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
    pub scenery_class: &'a [u16],
    /// m; zero along axes that are not periodic.
    pub periods: [f64; 3],
    /// s; zero where contacts are only to be looked at.
    pub dt: f64,
    /// World time, s.
    pub time: f64,
    /// Lanes of slots with scenery that do not count: they are on a seam of two props, and the other is deeper. Empty where there are none.
    pub shaded: &'a [u8],
}

/// What is said of a slot: which it is, what it is about, which lanes touched before, and which are too deep.
pub(super) struct Said<'a> {
    pub slot: &'a Slot,
    /// Which ball is its number 0.
    pub base: u32,
    pub index: usize,
    pub kind: Kind,
    pub before: u8,
    pub too_deep: u8,
}

/// Slots of pairs come first, then those of walls, then those of shapes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Regions {
    pub pairs: usize,
    pub walls: usize,
}

impl Scene<'_> {
    #[inline(always)]
    fn ball(&self, number: u32) -> &Mover {
        &self.balls[number as usize]
    }

    /// The forces of a stretch of slots, the first of which is number `first`, written beside them, with their logs where these are kept; `said` is told of slots in which contacts begin or end, or are
    /// too deep.
    pub fn evaluate(
        &self,
        (slots, actions): (&mut [Slot], &mut [Actions]),
        logs: &mut [Log],
        first: usize,
        regions: Regions,
        mut said: impl FnMut(Said<'_>),
    ) -> Tally {
        let pairs = regions.pairs.saturating_sub(first).min(slots.len());
        let plain = self.only.is_some() && self.periods == [0.0; 3] && self.forms.plain();
        let walls = (regions.pairs + regions.walls)
            .saturating_sub(first)
            .min(slots.len());
        let mut tally = Tally::ZERO;
        let only = self.only.unwrap_or(0) as usize;
        let mut uniform = RuleLanes::of([&self.rules[only * self.classes + only]; 4]);
        let mixed = self.classes > 1;
        if plain {
            let (slots, rules, tally) = (&mut slots[..pairs], &uniform, &mut tally);
            let actions = &mut actions[..pairs];
            let Forms {
                books,
                by_ratio,
                point,
                ..
            } = self.forms;
            macro_rules! go {
                ($books:literal, $ratio:literal, $point:literal, $logs:literal) => {
                    self.plain_pairs::<$books, $ratio, $point, $logs>(
                        (slots, actions),
                        logs,
                        first,
                        rules,
                        tally,
                        &mut said,
                    )
                };
            }
            // Where record is kept there are books.
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
                    Kind::Pairs,
                    self.pairs((slot, actions), log, &uniform, &mut tally),
                )
            } else {
                if mixed {
                    uniform = self.scenery_rules(slot);
                }
                let kind = if index < walls {
                    Kind::Walls
                } else {
                    Kind::Shapes
                };
                let shade = (self.shaded.get(first + index - regions.pairs)).map_or(0, |&it| it);
                let too_deep =
                    self.scenery((slot, actions), log, (kind, shade), &uniform, &mut tally);
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
    fn scenery_rules(&self, slot: &Slot) -> RuleLanes {
        RuleLanes::of([0, 1, 2, 3].map(|lane| {
            let ball = self.class[slot.a[lane] as usize] as usize;
            let other = self.scenery_class.get(slot.b[lane] as usize);
            &self.rules[ball * self.classes + other.map_or(0, |&class| class as usize)]
        }))
    }

    /// Pairs of one linear law with attraction and stiffness given, without rolling resistance and periods: the forms that are not asked for are left out of the
    /// loop altogether, so that everything stays in registers.
    ///
    /// In blocks, first how all contacts stand and then what acts: a contact is one long chain of operations, and a processor works on several chains at a time only if they
    /// are short enough for its window.
    fn plain_pairs<const BOOKS: bool, const BY_RATIO: bool, const POINT: bool, const LOGS: bool>(
        &self,
        (slots, actions): (&mut [Slot], &mut [Actions]),
        logs: &mut [Log],
        first: usize,
        rules: &RuleLanes,
        tally: &mut Tally,
        said: &mut impl FnMut(Said<'_>),
    ) {
        const BLOCK: usize = 16;
        let forms = Forms {
            books: BOOKS,
            by_ratio: BY_RATIO,
            point: POINT,
            logs: LOGS,
            ..Forms::PLAIN
        };
        let mut block = [Encounter::NONE; BLOCK];
        let blocks = slots.chunks_mut(BLOCK).zip(actions.chunks_mut(BLOCK));
        for (number, (slots, actions)) in blocks.enumerate() {
            for (slot, meet) in slots.iter().zip(&mut block) {
                *meet = self.approach::<true>(slot, forms);
            }
            let all = slots.iter_mut().zip(actions).zip(&block);
            for (at, ((slot, actions), meet)) in all.enumerate() {
                let before = slot.touching;
                let mut too_deep = 0;
                if meet.touching.any() {
                    let answer =
                        self.settle(forms, (slot, actions), rules, (*meet, half(meet)), tally);
                    if LOGS {
                        let log = &mut logs[number * BLOCK + at];
                        too_deep =
                            self.keep(log, before, (meet, self.smaller(slot)), &answer, tally);
                    }
                } else {
                    slot.part(actions);
                }
                if slot.touching != before || (LOGS && too_deep != 0) {
                    said(Said {
                        slot,
                        base: self.base,
                        index: first + number * BLOCK + at,
                        kind: Kind::Pairs,
                        before,
                        too_deep,
                    });
                }
            }
        }
    }

    /// The smaller radii of four pairs, m.
    #[inline(always)]
    fn smaller(&self, slot: &Slot) -> f64x4 {
        let radii =
            |balls: [u32; 4]| f64x4::from(balls.map(|ball| self.ball(ball).place.to_array()[3]));
        radii(slot.a).min(radii(slot.b))
    }

    /// Enters what four contacts did into their log. Returns which are deeper than a limit (m), or through.
    #[inline(always)]
    fn keep(
        &self,
        log: &mut Log,
        before: u8,
        (meet, limit): (&Encounter, f64x4),
        answer: &Answer,
        tally: &mut Tally,
    ) -> u8 {
        let before = MASKS[(before & 15) as usize];
        let through = log.enter(before, meet, answer, [self.dt, self.time]);
        let overlap = meet.overlap & meet.touching;
        tally.deepest = tally.deepest.max(overlap);
        through | overlap.simd_gt(limit).to_bitmask() as u8
    }

    fn pairs(
        &self,
        (slot, actions): (&mut Slot, &mut Actions),
        log: &mut Log,
        rules: &RuleLanes,
        tally: &mut Tally,
    ) -> u8 {
        let forms = self.forms;
        let meet = self.approach::<false>(slot, forms);
        if !meet.touching.any() {
            slot.part(actions);
            return 0;
        }
        let before = slot.touching;
        let mut answer = self.settle(forms, (slot, actions), rules, (meet, half(&meet)), tally);
        if forms.rolls {
            let spins = |balls: [u32; 4]| Lanes::of(balls.map(|ball| spin(self.ball(ball))));
            let spin = spins(slot.a) - spins(slot.b);
            answer.taken[1] += self.resist_rolling(slot, rules, meet, answer, spin, tally);
        }
        match forms.logs {
            true => self.keep(log, before, (&meet, self.smaller(slot)), &answer, tally),
            false => 0,
        }
    }

    /// How four pairs stand. `PLAIN` ones have no periods.
    #[inline(always)]
    fn approach<const PLAIN: bool>(&self, slot: &Slot, forms: Forms) -> Encounter {
        let a: [&Mover; 4] = slot.a.map(|ball| self.ball(ball));
        let b: [&Mover; 4] = slot.b.map(|ball| self.ball(ball));
        let rows = [0, 1, 2, 3].map(|lane| apart(a[lane].place, b[lane].place));
        let [x, y, z, sum] = transpose(rows);
        let mut between = Lanes { x, y, z };
        if !PLAIN && self.periods != [0.0; 3] {
            between = self.nearest_image(between);
        }
        let square = between.dot(between);
        let touching = square.simd_lt(sum * sum) & square.simd_gt(f64x4::ZERO);
        if !touching.any() {
            return Encounter::NONE;
        }
        let rows = [0, 1, 2, 3].map(|lane| apart(a[lane].velocity, b[lane].velocity));
        let [x, y, z, per_mass] = transpose(rows);
        let velocity = Lanes { x, y, z };
        let distance = square.sqrt();
        let overlap = sum - distance;
        let radii = |balls: [&Mover; 4]| f64x4::from(balls.map(|ball| ball.place.to_array()[3]));
        let rim = if forms.point {
            let cut = f64x4::splat(0.5) * overlap;
            shortened(a, cut, radii(a)) + shortened(b, cut, radii(b))
        } else {
            let [x, y, z, _] = transpose([0, 1, 2, 3].map(|lane| a[lane].rim + b[lane].rim));
            Lanes { x, y, z }
        };
        let mut radius = f64x4::ZERO;
        if forms.hertz || forms.rolls {
            radius = radii(a) * radii(b) / sum;
        }
        Encounter {
            touching,
            normal: between * (f64x4::ONE / distance),
            overlap,
            velocity,
            rim,
            mass: f64x4::ONE / per_mass,
            radius,
        }
    }

    #[inline(never)]
    fn scenery(
        &self,
        (slot, actions): (&mut Slot, &mut Actions),
        log: &mut Log,
        (kind, shade): (Kind, u8),
        rules: &RuleLanes,
        tally: &mut Tally,
    ) -> u8 {
        let a: [&Mover; 4] = slot.a.map(|ball| self.ball(ball));
        let [x, y, z, radius] = transpose(a.map(|ball| ball.place));
        let place = Lanes { x, y, z };
        let (mut reduced, mut turning) = (radius, Lanes::ZERO);
        let (normal, height, moving) = match kind {
            Kind::Shapes => {
                let feet = [0, 1, 2, 3].map(|lane| match slot.used(lane) {
                    true => (self.foot)(slot.a[lane], slot.b[lane]),
                    false => NOWHERE,
                });
                let height = f64x4::from(feet.map(|foot| foot.distance));
                let normal = Lanes::of(feet.map(|foot| foot.normal));
                let curvature = f64x4::from(feet.map(|foot| foot.curvature));
                reduced = f64x4::ONE / (f64x4::ONE / radius + curvature);
                turning = Lanes::of(feet.map(|foot| foot.spin));
                (normal, height, Lanes::of(feet.map(|foot| foot.velocity)))
            }
            _ => {
                let walls = [0, 1, 2, 3].map(|lane| match slot.used(lane) {
                    true => self.walls[slot.b[lane] as usize],
                    false => FAR_AWAY,
                });
                let [x, y, z, offset] = transpose(walls.map(|wall| wall.plane));
                let normal = Lanes { x, y, z };
                let [x, y, z, _] = transpose(walls.map(|wall| wall.velocity));
                (normal, normal.dot(place) - offset, Lanes { x, y, z })
            }
        };
        let overlap = radius - height;
        let shaded = MASKS[(shade & 15) as usize];
        let touching = shaded.bitselect(f64x4::ZERO, overlap.simd_gt(f64x4::ZERO));
        if !touching.any() {
            slot.part(actions);
            return 0;
        }
        let [x, y, z, per_mass] = transpose(a.map(|ball| ball.velocity));
        let velocity = Lanes { x, y, z } - moving;
        let [x, y, z, _] = transpose(a.map(|ball| ball.rim));
        let mut cut = f64x4::ZERO;
        let mut rim = Lanes { x, y, z };
        if self.forms.point {
            cut = overlap;
            rim = shortened(a, cut, radius);
        }
        let before = slot.touching;
        let meet = Encounter {
            touching,
            normal,
            overlap,
            velocity,
            rim,
            mass: f64x4::ONE / per_mass,
            radius: reduced,
        };
        let mut answer = self.settle(self.forms, (slot, actions), rules, (meet, cut), tally);
        let mut moment = Lanes::ZERO;
        if self.forms.rolls {
            let spins = Lanes::of(a.map(spin)) - turning;
            answer.taken[1] += self.resist_rolling(slot, rules, meet, answer, spins, tally);
            if let Some(turning) = &slot.turning {
                let [x, y, z, _] = transpose(turning.moments);
                moment = Lanes { x, y, z };
            }
        }
        if self.forms.books {
            tally.driven += answer.force.dot(moving) + moment.dot(turning);
            tally.pushed = tally.pushed + answer.force;
            // Lanes that are not used have places that are numbers, and no force.
            let torque = moment - answer.twist * (radius - cut);
            tally.turned =
                tally.turned + (place.cross(answer.force) + torque).masked(answer.acting);
        }
        match self.forms.logs {
            true => self.keep(log, before, (&meet, radius), &answer, tally),
            false => 0,
        }
    }

    /// Asks the law and keeps what it says. Where friction acts at one point the arms are shorter than the radii by `cut`, m.
    #[inline(always)]
    fn settle(
        &self,
        forms: Forms,
        (slot, actions): (&mut Slot, &mut Actions),
        rules: &RuleLanes,
        (meet, cut): (Encounter, f64x4),
        tally: &mut Tally,
    ) -> Answer {
        let memory = Memory {
            stretch: slot.stretch,
            slides: MASKS[(slot.sliding & 15) as usize],
        };
        let dt = f64x4::splat(self.dt);
        let answer = answer(forms, rules, meet, memory, dt, tally);
        slot.stretch = answer.memory.stretch;
        slot.touching = answer.acting.to_bitmask() as u8;
        slot.sliding = answer.memory.slides.to_bitmask() as u8;
        let Lanes { x, y, z } = answer.force;
        let forces = transpose([x, y, z, f64x4::ZERO]);
        let Lanes { x, y, z } = answer.twist;
        let short = match forms.point {
            true => cut & answer.acting,
            false => f64x4::ZERO,
        };
        let twists = transpose([x, y, z, short]);
        for lane in 0..4 {
            actions[lane] = Action {
                force: forces[lane],
                twist: twists[lane],
            };
        }
        answer
    }

    /// A spring with a slider against rolling, and one against spinning about the normal: displacements and forces at the arm of the reduced radius R.
    #[cold]
    fn resist_rolling(
        &self,
        slot: &mut Slot,
        rules: &RuleLanes,
        meet: Encounter,
        answer: Answer,
        spin: Lanes,
        tally: &mut Tally,
    ) -> f64x4 {
        let n = meet.normal;
        let dt = f64x4::splat(self.dt);
        let turning = slot.turning.get_or_insert_with(|| Box::new(Turning::NONE));
        let (stiffness, damping) = answer.tangential;
        let about = spin.dot(n);
        let roll = (spin - n * about) * meet.radius;
        let twirl = about * meet.radius;

        let moved = if self.forms.logs {
            carried(turning.rolled, n) + roll * dt
        } else {
            let moved = turning.rolled + roll * dt;
            moved - n * moved.dot(n)
        };
        let trial = (moved * stiffness + roll * damping) * f64x4::splat(-1.0);
        let limit = rules.rolling * answer.pressing;
        let size = trial.dot(trial).sqrt();
        let slides = size.simd_gt(limit);
        let force = (trial * (limit / size)).or_else(slides, trial);
        let springs = stiffness.simd_gt(f64x4::ZERO);
        let back = f64x4::splat(-1.0) / stiffness;
        let rolls = springs & rules.rolling.simd_gt(f64x4::ZERO);
        let let_go = ((force + roll * damping) * back).masked(rolls);
        let rolled = let_go.or_else(slides, moved).masked(answer.acting);

        let wound = turning.spun + twirl * dt;
        let trial = (wound * stiffness + twirl * damping) * f64x4::splat(-1.0);
        let limit = rules.spinning * answer.pressing;
        let slides = trial.abs().simd_gt(limit);
        let held = trial
            .simd_lt(f64x4::ZERO)
            .bitselect(f64x4::ZERO - limit, limit);
        let drill = slides.bitselect(held, trial);
        let spins = springs & rules.spinning.simd_gt(f64x4::ZERO);
        let let_go = ((drill + twirl * damping) * back) & spins;
        let spun = slides.bitselect(let_go, wound) & answer.acting;

        let (mut rolled, mut spun) = (rolled, spun);
        if self.forms.still {
            (rolled, spun) = (turning.rolled, turning.spun);
        }
        turning.rolled = rolled;
        turning.spun = spun;
        let moment = ((force + n * drill) * meet.radius).masked(answer.acting);
        turning.moments = transpose([moment.x, moment.y, moment.z, f64x4::ZERO]);
        let mut taken = f64x4::ZERO;
        if self.forms.books {
            let half = f64x4::splat(0.5) * stiffness;
            tally.stretched[1] += (half * rolled.dot(rolled)) & answer.acting;
            tally.stretched[2] += (half * spun * spun) & answer.acting;
            let back = f64x4::splat(-1.0);
            let by_rolling = (force.dot(roll) * back) & answer.acting;
            let by_spinning = (drill * twirl * back) & answer.acting;
            tally.worked[1] += by_rolling;
            tally.worked[2] += by_spinning;
            taken = by_rolling + by_spinning;
        }
        taken
    }

    #[cold]
    fn nearest_image(&self, between: Lanes) -> Lanes {
        let along = |along: f64x4, length: f64| {
            if length > 0.0 {
                let length = f64x4::splat(length);
                along - length * (along / length).round_ties_even()
            } else {
                along
            }
        };
        Lanes {
            x: along(between.x, self.periods[0]),
            y: along(between.y, self.periods[1]),
            z: along(between.z, self.periods[2]),
        }
    }
}

/// What the second of two in a contact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Pairs,
    Walls,
    Shapes,
}

/// Half of the overlaps, m.
#[inline(always)]
fn half(meet: &Encounter) -> f64x4 {
    f64x4::splat(0.5) * meet.overlap
}

/// The arm of friction times ω, where the arm is shorter than the radius.
#[inline(always)]
fn shortened(balls: [&Mover; 4], cut: f64x4, radius: f64x4) -> Lanes {
    let [x, y, z, _] = transpose(balls.map(|ball| ball.rim));
    Lanes { x, y, z } * (f64x4::ONE - cut / radius)
}

fn spin(ball: &Mover) -> [f64; 3] {
    let [x, y, z, _] = ball.rim.to_array();
    let radius = ball.place.to_array()[3];
    [x / radius, y / radius, z / radius]
}

const NOWHERE: Foot = Foot {
    distance: f64::INFINITY,
    normal: [0.0; 3],
    velocity: [0.0; 3],
    spin: [0.0; 3],
    curvature: 0.0,
};

const FAR_AWAY: Wall = Wall {
    plane: f64x4::new([0.0, 0.0, 0.0, f64::NEG_INFINITY]),
    velocity: f64x4::ZERO,
};

/// The lanes whose bits are set in a number.
pub(super) const MASKS: [f64x4; 16] = {
    let mut masks = [f64x4::ZERO; 16];
    let mut bits = 0;
    while bits < 16 {
        let mut lanes = [0.0; 4];
        let mut lane = 0;
        while lane < 4 {
            if bits >> lane & 1 == 1 {
                lanes[lane] = f64::from_bits(u64::MAX);
            }
            lane += 1;
        }
        masks[bits] = f64x4::new(lanes);
        bits += 1;
    }
    masks
};
