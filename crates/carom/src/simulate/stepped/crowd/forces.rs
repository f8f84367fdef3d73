//! What acts at the contacts of a slot: between balls, on walls, on other shapes.

use super::lanes::{Lanes, transpose};
use super::law::{Answer, Encounter, Forms, Memory, Rule, RuleLanes, Tally, answer};
use super::movers::{Mover, Movers, apart};
use super::slots::{Action, Slot, Turning};
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
    /// Of the surface, 1/m: positive where it bulges, negative where it is hollow.
    pub curvature: f64,
}

/// Everything that the forces depend on but the contacts themselves.
pub(super) struct Scene<'a> {
    pub movers: &'a Movers,
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
}

/// Slots of pairs come first, then those of walls, then those of shapes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Regions {
    pub pairs: usize,
    pub walls: usize,
}

impl Scene<'_> {
    /// The forces of a stretch of slots, the first of which is number `first`; `changed` is told the slot, which lanes touched before and which do now.
    pub fn evaluate(
        &self,
        slots: &mut [Slot],
        first: usize,
        regions: Regions,
        mut changed: impl FnMut(&Slot, Kind, u8),
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
            let (pairs, rules, tally) = (&mut slots[..pairs], &uniform, &mut tally);
            match (self.forms.books, self.forms.by_ratio) {
                (false, false) => {
                    self.plain_pairs::<false, false>(pairs, rules, tally, &mut changed)
                }
                (true, false) => self.plain_pairs::<true, false>(pairs, rules, tally, &mut changed),
                (false, true) => self.plain_pairs::<false, true>(pairs, rules, tally, &mut changed),
                (true, true) => self.plain_pairs::<true, true>(pairs, rules, tally, &mut changed),
            }
        }
        let done = if plain { pairs } else { 0 };
        for (index, slot) in slots.iter_mut().enumerate().skip(done) {
            let before = slot.touching;
            let kind = if index < pairs {
                if mixed {
                    uniform = self.pair_rules(slot);
                }
                self.pairs(slot, &uniform, &mut tally);
                Kind::Pairs
            } else {
                if mixed {
                    uniform = self.scenery_rules(slot);
                }
                let kind = if index < walls {
                    Kind::Walls
                } else {
                    Kind::Shapes
                };
                self.scenery(slot, kind, &uniform, &mut tally);
                kind
            };
            if slot.touching != before {
                changed(slot, kind, before);
            }
        }
        tally
    }

    #[cold]
    fn pair_rules(&self, slot: &Slot) -> RuleLanes {
        let class = |ball: u32| self.movers.class[ball as usize] as usize;
        RuleLanes::of(
            [0, 1, 2, 3]
                .map(|lane| &self.rules[class(slot.a[lane]) * self.classes + class(slot.b[lane])]),
        )
    }

    #[cold]
    fn scenery_rules(&self, slot: &Slot) -> RuleLanes {
        RuleLanes::of([0, 1, 2, 3].map(|lane| {
            let ball = self.movers.class[slot.a[lane] as usize] as usize;
            let other = self.scenery_class.get(slot.b[lane] as usize);
            &self.rules[ball * self.classes + other.map_or(0, |&class| class as usize)]
        }))
    }

    /// Pairs of one linear law with attraction and stiffness given, without rolling resistance and periods: the forms that are not asked for are left out of the
    /// loop altogether, so that everything stays in registers.
    ///
    /// In blocks, first how all contacts stand and then what acts: a contact is one long chain of operations, and a processor works on several chains at a time only if they
    /// are short enough for its window.
    fn plain_pairs<const BOOKS: bool, const BY_RATIO: bool>(
        &self,
        slots: &mut [Slot],
        rules: &RuleLanes,
        tally: &mut Tally,
        changed: &mut impl FnMut(&Slot, Kind, u8),
    ) {
        const BLOCK: usize = 16;
        let forms = Forms {
            books: BOOKS,
            by_ratio: BY_RATIO,
            ..Forms::PLAIN
        };
        let mut block = [Encounter::NONE; BLOCK];
        for slots in slots.chunks_mut(BLOCK) {
            for (slot, meet) in slots.iter().zip(&mut block) {
                *meet = self.approach::<true>(slot, forms);
            }
            for (slot, meet) in slots.iter_mut().zip(&block) {
                let before = slot.touching;
                if meet.touching.any() {
                    self.settle(forms, slot, rules, *meet, tally);
                } else {
                    slot.part();
                }
                if slot.touching != before {
                    changed(slot, Kind::Pairs, before);
                }
            }
        }
    }

    fn pairs(&self, slot: &mut Slot, rules: &RuleLanes, tally: &mut Tally) {
        let forms = self.forms;
        let meet = self.approach::<false>(slot, forms);
        if !meet.touching.any() {
            slot.part();
            return;
        }
        let answer = self.settle(forms, slot, rules, meet, tally);
        if forms.rolls {
            let list = &self.movers.list;
            let spins = |balls: [u32; 4]| Lanes::of(balls.map(|ball| spin(&list[ball as usize])));
            let spin = spins(slot.a) - spins(slot.b);
            self.resist_rolling(slot, rules, meet, answer, spin, tally);
        }
    }

    /// How four pairs stand. `PLAIN` ones have no periods.
    #[inline(always)]
    fn approach<const PLAIN: bool>(&self, slot: &Slot, forms: Forms) -> Encounter {
        let list = &self.movers.list[..];
        let a: [&Mover; 4] = slot.a.map(|ball| &list[ball as usize]);
        let b: [&Mover; 4] = slot.b.map(|ball| &list[ball as usize]);
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
        let [x, y, z, _] = transpose([0, 1, 2, 3].map(|lane| a[lane].rim + b[lane].rim));
        let distance = square.sqrt();
        let mut radius = f64x4::ZERO;
        if forms.hertz || forms.rolls {
            let radii =
                |balls: [&Mover; 4]| f64x4::from(balls.map(|ball| ball.place.to_array()[3]));
            radius = radii(a) * radii(b) / sum;
        }
        Encounter {
            touching,
            normal: between * (f64x4::ONE / distance),
            overlap: sum - distance,
            velocity,
            rim: Lanes { x, y, z },
            mass: f64x4::ONE / per_mass,
            radius,
        }
    }

    #[inline(never)]
    fn scenery(&self, slot: &mut Slot, kind: Kind, rules: &RuleLanes, tally: &mut Tally) {
        let a: [&Mover; 4] = slot.a.map(|ball| &self.movers.list[ball as usize]);
        let [x, y, z, radius] = transpose(a.map(|ball| ball.place));
        let place = Lanes { x, y, z };
        let mut reduced = radius;
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
        let touching = overlap.simd_gt(f64x4::ZERO);
        if !touching.any() {
            slot.part();
            return;
        }
        let [x, y, z, per_mass] = transpose(a.map(|ball| ball.velocity));
        let velocity = Lanes { x, y, z } - moving;
        let [x, y, z, _] = transpose(a.map(|ball| ball.rim));
        let meet = Encounter {
            touching,
            normal,
            overlap,
            velocity,
            rim: Lanes { x, y, z },
            mass: f64x4::ONE / per_mass,
            radius: reduced,
        };
        let answer = self.settle(self.forms, slot, rules, meet, tally);
        if self.forms.rolls {
            let spins = Lanes::of(a.map(spin));
            self.resist_rolling(slot, rules, meet, answer, spins, tally);
        }
    }

    /// Asks the law and keeps what it says.
    #[inline(always)]
    fn settle(
        &self,
        forms: Forms,
        slot: &mut Slot,
        rules: &RuleLanes,
        meet: Encounter,
        tally: &mut Tally,
    ) -> Answer {
        let memory = Memory {
            stretch: slot.stretch,
            slides: MASKS[(slot.sliding & 15) as usize],
        };
        let dt = f64x4::splat(self.dt);
        let answer = answer(forms, rules, meet, memory, dt, tally);
        slot.stretch = answer.memory.stretch;
        slot.touching = meet.touching.to_bitmask() as u8;
        slot.sliding = answer.memory.slides.to_bitmask() as u8;
        let Lanes { x, y, z } = answer.force;
        let forces = transpose([x, y, z, f64x4::ZERO]);
        let Lanes { x, y, z } = answer.twist;
        let twists = transpose([x, y, z, f64x4::ZERO]);
        for lane in 0..4 {
            slot.actions[lane] = Action {
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
    ) {
        let n = meet.normal;
        let dt = f64x4::splat(self.dt);
        let turning = slot.turning.get_or_insert_with(|| Box::new(Turning::NONE));
        let (stiffness, damping) = answer.tangential;
        let about = spin.dot(n);
        let roll = (spin - n * about) * meet.radius;
        let twirl = about * meet.radius;

        let moved = turning.rolled + roll * dt;
        let moved = moved - n * moved.dot(n);
        let trial = (moved * stiffness + roll * damping) * f64x4::splat(-1.0);
        let limit = rules.rolling * answer.pressing;
        let size = trial.dot(trial).sqrt();
        let slides = size.simd_gt(limit);
        let force = (trial * (limit / size)).or_else(slides, trial);
        let springs = stiffness.simd_gt(f64x4::ZERO);
        let back = f64x4::splat(-1.0) / stiffness;
        let let_go = ((force + roll * damping) * back).masked(springs);
        let rolled = let_go.or_else(slides, moved).masked(meet.touching);

        let wound = turning.spun + twirl * dt;
        let trial = (wound * stiffness + twirl * damping) * f64x4::splat(-1.0);
        let limit = rules.spinning * answer.pressing;
        let slides = trial.abs().simd_gt(limit);
        let held = trial
            .simd_lt(f64x4::ZERO)
            .bitselect(f64x4::ZERO - limit, limit);
        let drill = slides.bitselect(held, trial);
        let let_go = ((drill + twirl * damping) * back) & springs;
        let spun = slides.bitselect(let_go, wound) & meet.touching;

        turning.rolled = rolled;
        turning.spun = spun;
        let moment = ((force + n * drill) * meet.radius).masked(meet.touching);
        turning.moments = transpose([moment.x, moment.y, moment.z, f64x4::ZERO]);
        if self.forms.books {
            let half = f64x4::splat(0.5);
            let stored = half * stiffness * (rolled.dot(rolled) + spun * spun);
            tally.stretched += stored & meet.touching;
            let work = (force.dot(roll) + drill * twirl) * (f64x4::ZERO - dt);
            tally.worked += work & meet.touching;
        }
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

fn spin(ball: &Mover) -> [f64; 3] {
    let [x, y, z, _] = ball.rim.to_array();
    let radius = ball.place.to_array()[3];
    [x / radius, y / radius, z / radius]
}

const NOWHERE: Foot = Foot {
    distance: f64::INFINITY,
    normal: [0.0; 3],
    velocity: [0.0; 3],
    curvature: 0.0,
};

const FAR_AWAY: Wall = Wall {
    plane: f64x4::new([0.0, 0.0, 0.0, f64::NEG_INFINITY]),
    velocity: f64x4::ZERO,
};

/// The lanes whose bits are set in a number.
const MASKS: [f64x4; 16] = {
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
