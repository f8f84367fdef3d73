//! A rough float record of each ball in single precision, and the filter that goes over it: of all balls around, which
//! may be touched at all, and not before when?
//!
//! Most neighbours are not on the way of a ball, or not soon. To say so takes no sixteen digits: half as much memory,
//! and eight balls in one vector. Those that the filter lets through are then asked in double precision, so that its
//! arithmetic never reaches a result.
//!
//! # No false "no"
//!
//! At a time `t` no earlier than both own times, with `x` the difference of the places and `w` that of the velocities,
//! two balls with `R = r_a + r_b` touch later only if `|x| ≤ R`, or `x·w < 0` and `(x·w)² ≥ w² (x² − R²)`. The filter
//! asks this with `R² + M` in place of `R²`. Places, own times and velocities are rounded to `2⁻²⁴` of themselves, and
//! so is every step from there to `x`, so that a component of it is off by `e ≤ 6·2⁻²⁴ K` (two balls, both brought to
//! `t` in single precision), where `K = L + V T` with `L` a bound of coordinates, `V` of speeds and `T` of times, twice
//! as late as they are.
//!
//! `w` is off by `2⁻²⁴ (|v_a| + |v_b|)` and its own rounding. Where it is short beside the velocities themselves, as it
//! is for balls that drift together, nothing is known of it, nor of when they touch: those with `w² < 2⁻¹⁶ · 6 V²`
//! pass, without a wait, where no component of a velocity is larger than `V`. For all others `w` is off by `2⁻¹⁵ |w|`
//! at most.
//!
//! The square of the distance at which they pass each other, `x² − (x·w)²/w²`, is then off by at most
//! `2√2 |x| e + 2⁻¹⁵ x²`, and `M = 2⁻¹⁹ |x| K + 2⁻¹⁴ x²` is twice that. With any length X, `|x| K ≤ K (x²/X + X)/2`, so
//! that `x² − M` is `x² (1 − 2⁻¹⁴ − 2⁻²⁰ K/X) − 2⁻²⁰ K X` at least. Where this is more than `R²`, a contact needs
//! `|x·w| ≥ |w| √M`, which is far above its error, so the sign is right too.
//!
//! A ball enters one that is larger by the margin before it touches it, and by more than the error of the time: the
//! radius is larger by `M/2R`, more than the error of a place, and a ten thousandth of the time is taken off for that
//! of `w`.
//!
//! Comparisons are written so that anything that is NaN passes.

use super::balls::{Ball, Balls};
use crate::arrays::Each;
use crate::shape::Shaped;
use crate::space::Space;
use crate::vectors::{Floats, Mask, Vectors, Words};
use prefetch_index::prefetch_index;

/// Place, own time, velocity and radius: half a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct FloatBall([f32; 8]);

impl FloatBall {
    #[inline(always)]
    fn new<S: Space>(ball: &Ball<S>) -> Self {
        let [x, y, z] = S::components(ball.position).each(|along| along as f32);
        let [u, v, w] = S::components(ball.velocity).each(|along| along as f32);
        FloatBall([x, y, z, u, v, w, ball.since as f32, ball.radius as f32])
    }
}

/// The float_filter of all balls, by slot.
#[derive(Clone, Debug)]
pub(super) struct FloatFilter {
    all: Vec<FloatBall>,
    /// About as far apart as balls that are compared, m: `X`.
    apart: f64,
    /// No coordinate is larger than this, m.
    place: f64,
    /// No component of a velocity is larger, m/s.
    speed: f64,
    /// No own time was further from zero when the float_filter were made, s.
    time: f64,
    period: [f32; 3],
    /// Of the period; zero where there is none.
    inverse: [f32; 3],
    gravity: [f32; 3],
    steepest: f64,
    margins: Margins,
}

/// What the filter allows for rounding.
#[derive(Clone, Copy, Debug)]
struct Margins {
    /// What multiplies `x²`.
    share: f32,
    /// What is added to `R²`.
    added: f32,
    /// A relative velocity with a smaller square is not known.
    doubt: f32,
    /// They are good until then, s.
    until: f64,
}

impl Margins {
    #[inline(always)]
    fn in_all_lanes<V: Vectors>(&self, vectors: V) -> [V::Eight; 3] {
        let &Margins {
            share,
            added,
            doubt,
            ..
        } = self;
        [
            vectors.all_eight(share),
            vectors.all_eight(added),
            vectors.all_eight(doubt),
        ]
    }
}

/// Eight balls at one time.
struct EightBalls<V: Vectors> {
    place: [V::Eight; 3],
    velocity: [V::Eight; 3],
    radius: V::Eight,
}

/// Which of eight.
type WhichOfEight<V> = <<V as Vectors>::Words as Words>::Mask;

/// A ball as the filter compares it with others: the same in all lanes.
pub(super) struct Probe<V: Vectors> {
    vectors: V,
    seen: EightBalls<V>,
    now: V::Eight,
    /// ActionTarget it does not predict: itself, and one more.
    but: [V::Words; 2],
    /// In all lanes: see [`Margins`].
    margins: [V::Eight; 3],
}

impl<V: Vectors> Probe<V> {
    /// What it is compared with.
    #[inline(always)]
    pub fn vectors(&self) -> V {
        self.vectors
    }
}

impl FloatFilter {
    /// FloatFilter of all balls, of which those about `apart` (m) apart are compared.
    pub fn new<S: Shaped>(balls: &Balls<S>, apart: f64) -> Self {
        let mut float_filter = FloatFilter {
            all: Vec::with_capacity(balls.len()),
            apart,
            place: balls.period.iter().copied().fold(0.0, f64::max),
            speed: 0.0,
            time: 0.0,
            period: balls.period.each(|length| length as f32),
            inverse: balls.period.each(|length| {
                if length > 0.0 {
                    (1.0 / length) as f32
                } else {
                    0.0
                }
            }),
            gravity: S::components(balls.gravity).each(|along| along as f32),
            steepest: largest::<S>(balls.gravity),
            margins: Margins {
                share: 0.0,
                added: f32::INFINITY,
                doubt: f32::INFINITY,
                until: f64::NEG_INFINITY,
            },
        };
        for ball in &balls.hot {
            float_filter.all.push(FloatBall::new::<S>(ball));
            float_filter.time = float_filter.time.max(ball.since.abs());
            float_filter.bound::<S>(ball);
        }
        float_filter
    }

    /// Fetches a float record that will be needed soon.
    #[inline(always)]
    pub fn fetch(&self, slot: usize) {
        prefetch_index(&self.all, slot);
    }

    /// Adds a slot.
    pub fn push<S: Space>(&mut self, ball: &Ball<S>) {
        self.all.push(FloatBall::new::<S>(ball));
        self.bound::<S>(ball);
    }

    /// Lets a ball pass always, without a wait: it does not fly freely.
    pub fn blot(&mut self, slot: usize) {
        self.all[slot] = FloatBall([f32::NAN; 8]);
    }

    /// Draws a ball anew, whose [`bound`](Self::bound) is known.
    #[inline(always)]
    pub fn draw_bound<S: Space>(&mut self, slot: usize, ball: &Ball<S>) {
        self.all[slot] = FloatBall::new::<S>(ball);
    }

    /// Sees to it that the margins hold for a ball.
    #[inline(always)]
    pub fn bound<S: Space>(&mut self, ball: &Ball<S>) {
        let (place, speed) = (largest::<S>(ball.position), largest::<S>(ball.velocity));
        if !(place <= self.place && speed <= self.speed) {
            self.place = 1.5 * self.place.max(place);
            self.speed = 1.5 * self.speed.max(speed);
            self.margins.until = f64::NEG_INFINITY;
        }
    }

    /// Sees to it that the margins hold at a time.
    #[inline(always)]
    pub fn see_to_margins(&mut self, now: f64) {
        if !(now < self.margins.until) {
            self.set_margins(now);
        }
    }

    /// Works out the margins for some time to come.
    #[cold]
    fn set_margins(&mut self, now: f64) {
        let until = 2.0 * (self.time + now.abs());
        let speed = self.speed + self.steepest * until;
        let scale = self.place + speed * until;
        let share = 1.0 / 16_384.0 + (1.0 / 1_048_576.0) * scale / self.apart;
        let added = (1.0 / 1_048_576.0) * scale * self.apart;
        // Squares of squares must not overflow.
        let (share, added) = if scale < 1e8 && added < 1e12 && share < 1.0 {
            ((1.0 - share) as f32, added as f32)
        } else {
            (0.0, f32::INFINITY)
        };
        self.margins = Margins {
            share,
            added,
            doubt: (6.0 / 65_536.0 * speed * speed) as f32,
            until,
        };
    }

    /// A ball (`falling` or not) at a time, which does not ask for itself and `but` for one more.
    #[inline(always)]
    pub fn probe<S: Shaped, V: Vectors>(
        &mut self,
        vectors: V,
        balls: &Balls<S>,
        slot: usize,
        but: u32,
        (falling, now): (bool, f64),
    ) -> Probe<V> {
        let ball = &balls.hot[slot];
        let velocity = if falling {
            ball.velocity + balls.gravity * (now - ball.since)
        } else {
            ball.velocity
        };
        self.see_to_margins(now);
        Probe {
            vectors,
            seen: EightBalls {
                place: splat::<S, V>(vectors, balls.place_of(ball, now)),
                velocity: splat::<S, V>(vectors, velocity),
                radius: vectors.all_eight(ball.radius as f32),
            },
            now: vectors.all_eight(now as f32),
            but: [vectors.all_words(slot as u32), vectors.all_words(but)],
            margins: self.margins.in_all_lanes(vectors),
        }
    }

    /// Which of eight balls the probe may touch, and a wait (s) before which it does not: see [`Keys`]. Those that the
    /// probe leaves out do not pass. `NEAR_SIDE` says that some are seen across a side of the box, `SEVEN` that the
    /// last of the eight is no ball.
    #[inline(always)]
    fn filter_block<
        S: Space,
        V: Vectors,
        const FALLING: bool,
        const NEAR_SIDE: bool,
        const SEVEN: bool,
    >(
        &self,
        probe: &Probe<V>,
        others: &[u32; 8],
        lanes: &[u32; 8],
    ) -> V::Eight {
        let vectors = probe.vectors;
        let (wait, mut rejected) = self.waits::<S, V, FALLING, NEAR_SIDE, SEVEN>(probe, others);
        let slots = vectors.words(others);
        rejected = rejected | slots.equal(probe.but[0]) | slots.equal(probe.but[1]);
        let lanes = vectors.words(lanes);
        if SEVEN {
            rejected = rejected | vectors.words(&LAST).equal(vectors.all_words(1));
        }
        let key = (wait.to_words() & vectors.all_words(!LANE)) | lanes;
        vectors
            .all_eight(f32::INFINITY)
            .or_else(rejected, V::Eight::from_words(key))
    }

    /// Which of eight balls the probe may touch within a wait (s), by bits, and waits (s) before which it does not
    /// touch each of those; those that the probe leaves out are like others. Some may be seen across a side of the box:
    /// to ask whether takes longer than to work it out.
    #[inline(always)]
    pub fn touched_within<S: Space, V: Vectors>(
        &self,
        probe: &Probe<V>,
        others: &[u32; 8],
        wait: f64,
    ) -> (u32, [f32; 8]) {
        let (waits, rejected) = self.waits::<S, V, false, true, false>(probe, others);
        let limits = probe.vectors.all_eight(limit(wait));
        within(probe.vectors, waits, rejected, limits)
    }

    /// Of eight pairs of balls that do not fall, which touch each other within the [`limit`] of each, and waits (s)
    /// after a time before which they do not. Some may be seen across a side of the box. The margins must have been
    /// [seen to](Self::see_to_margins).
    #[inline(always)]
    pub fn pairs_within<S: Space, V: Vectors>(
        &self,
        vectors: V,
        pairs: [&[u32; 8]; 2],
        limits: &[u32; 8],
        now: f64,
    ) -> (u32, [f32; 8]) {
        let now = vectors.all_eight(now as f32);
        let a = self.see::<S, V, false, false>(vectors, pairs[0], now);
        let b = self.see::<S, V, false, false>(vectors, pairs[1], now);
        let margins = self.margins.in_all_lanes(vectors);
        let (waits, rejected) = self.meet::<S, V, true>(vectors, &a, &b, margins);
        let limits = V::Eight::from_words(vectors.words(limits));
        within(vectors, waits, rejected, limits)
    }

    /// Waits (s) before which the probe touches none of eight balls, and which it does not touch at all.
    #[inline(always)]
    fn waits<
        S: Space,
        V: Vectors,
        const FALLING: bool,
        const NEAR_SIDE: bool,
        const SEVEN: bool,
    >(
        &self,
        probe: &Probe<V>,
        others: &[u32; 8],
    ) -> (V::Eight, WhichOfEight<V>) {
        let vectors = probe.vectors;
        let others = self.see::<S, V, FALLING, SEVEN>(vectors, others, probe.now);
        self.meet::<S, V, NEAR_SIDE>(vectors, &probe.seen, &others, probe.margins)
    }

    /// Eight balls at a time.
    #[inline(always)]
    fn see<S: Space, V: Vectors, const FALLING: bool, const SEVEN: bool>(
        &self,
        vectors: V,
        slots: &[u32; 8],
        now: V::Eight,
    ) -> EightBalls<V> {
        let [x, y, z, u, v, w, since, radius] = vectors.transpose_eight([
            self.row::<V, SEVEN>(vectors, slots, 0),
            self.row::<V, SEVEN>(vectors, slots, 1),
            self.row::<V, SEVEN>(vectors, slots, 2),
            self.row::<V, SEVEN>(vectors, slots, 3),
            self.row::<V, SEVEN>(vectors, slots, 4),
            self.row::<V, SEVEN>(vectors, slots, 5),
            self.row::<V, SEVEN>(vectors, slots, 6),
            self.row::<V, SEVEN>(vectors, slots, 7),
        ]);
        let elapsed = now - since;
        let (mut place, mut velocity) = ([x, y, z], [u, v, w]);
        for axis in 0..S::DIMENSION {
            place[axis] += velocity[axis] * elapsed;
            if FALLING {
                let fall = vectors.all_eight(self.gravity[axis]) * elapsed;
                place[axis] += vectors.all_eight(0.5) * fall * elapsed;
                velocity[axis] += fall;
            }
        }
        EightBalls {
            place,
            velocity,
            radius,
        }
    }

    /// The float record of one of eight.
    #[inline(always)]
    fn row<V: Vectors, const SEVEN: bool>(
        &self,
        vectors: V,
        slots: &[u32; 8],
        lane: usize,
    ) -> V::Eight {
        if SEVEN && lane == 7 {
            vectors.all_eight(0.0)
        } else {
            vectors.eight(&self.all[slots[lane] as usize].0)
        }
    }

    /// Waits (s) before which two balls do not touch, and which do not touch at all.
    #[inline(always)]
    fn meet<S: Space, V: Vectors, const NEAR_SIDE: bool>(
        &self,
        vectors: V,
        a: &EightBalls<V>,
        b: &EightBalls<V>,
        [share, added, doubt]: [V::Eight; 3],
    ) -> (V::Eight, WhichOfEight<V>) {
        let zero = vectors.all_eight(0.0);
        let (mut square, mut slope, mut closing) = (zero, zero, zero);
        for axis in 0..S::DIMENSION {
            let mut apart = a.place[axis] - b.place[axis];
            if NEAR_SIDE {
                let (length, inverse) = (self.period[axis], self.inverse[axis]);
                let boxes = (apart * vectors.all_eight(inverse)).round();
                apart -= boxes * vectors.all_eight(length);
            }
            let rate = a.velocity[axis] - b.velocity[axis];
            square += apart * apart;
            slope += apart * rate;
            closing += rate * rate;
        }
        let reach = a.radius + b.radius;
        let beyond = square * share - (reach * reach + added);
        let discriminant = slope * slope - closing * beyond;
        let known = closing.greater_or_equal(doubt);
        let away = slope.greater_or_equal(zero) | discriminant.less(zero);
        let rejected = beyond.greater(zero) & away & known;
        // When it enters the ball that is larger by the margin, and a little less for the rounding of this line.
        let wait = vectors.all_eight(0.9999) * beyond / (discriminant.sqrt() - slope);
        // What is NaN is no time to wait.
        let wait = wait
            .only(wait.greater(zero) & known)
            .least(vectors.all_eight(f32::MAX));
        (wait, rejected)
    }
}

/// A wait (s) as the filter compares it: a little longer, since what is rounded here is far less than a ten thousandth.
#[inline(always)]
pub(super) fn limit(wait: f64) -> f32 {
    (1.0001 * wait) as f32
}

/// Which balls are not rejected and wait no longer than a limit, by bits, and the waits (s).
#[inline(always)]
fn within<V: Vectors>(
    vectors: V,
    waits: V::Eight,
    rejected: WhichOfEight<V>,
    limit: V::Eight,
) -> (u32, [f32; 8]) {
    let later = waits.greater(limit.least(vectors.all_eight(f32::MAX))) | rejected;
    (!later.bits(), waits.to_array())
}

/// A vector in all lanes.
#[inline(always)]
fn splat<S: Space, V: Vectors>(vectors: V, vector: S::Vector) -> [V::Eight; 3] {
    let [x, y, z] = S::components(vector);
    [
        vectors.all_eight(x as f32),
        vectors.all_eight(y as f32),
        vectors.all_eight(z as f32),
    ]
}

#[inline(always)]
fn largest<S: Space>(vector: S::Vector) -> f64 {
    S::components(vector)
        .into_iter()
        .fold(0.0, |largest, along| largest.max(along.abs()))
}

/// How many the filter goes over at a time, at most.
const BLOCK: usize = 32;

/// The bits of a key that tell its lane.
const LANE: u32 = BLOCK as u32 - 1;

/// What the filter has let through of a block of balls: for each the wait with its place in the block in the lowest
/// bits, which makes the wait a little shorter at most, so that the keys have the order of the waits and no two are
/// alike. Those that do not pass are infinite.
///
/// Picking the shortest again and again takes no branch that depends on the numbers, which sorting would.
pub(super) struct Keys<V: Vectors, const EIGHTS: usize> {
    vectors: V,
    all: [V::Eight; EIGHTS],
}

impl<V: Vectors, const EIGHTS: usize> Keys<V, EIGHTS> {
    /// The keys of a block of balls, of which the last is no ball where they are a `LIST`.
    #[inline(always)]
    pub fn new<S: Space, const FALLING: bool, const NEAR_SIDE: bool, const LIST: bool>(
        float_filter: &FloatFilter,
        probe: &Probe<V>,
        eights: &[[u32; 8]; EIGHTS],
    ) -> Self {
        let vectors = probe.vectors;
        let mut all = [vectors.all_eight(f32::INFINITY); EIGHTS];
        for (eight, others) in eights.iter().enumerate() {
            let lanes = &LANES[eight];
            all[eight] = if LIST && eight + 1 == EIGHTS {
                float_filter.filter_block::<S, V, FALLING, NEAR_SIDE, true>(probe, others, lanes)
            } else {
                float_filter.filter_block::<S, V, FALLING, NEAR_SIDE, false>(probe, others, lanes)
            };
        }
        Keys { vectors, all }
    }

    /// The one with the shortest wait.
    #[inline(always)]
    pub fn first(&self) -> Option<Picked> {
        pick::<V, EIGHTS>(&self.all)
    }

    /// The one with the shortest wait after another.
    #[inline(always)]
    pub fn after(&self, picked: &Picked) -> Option<Picked> {
        let bound = self.vectors.all_eight(picked.key);
        let never = self.vectors.all_eight(f32::INFINITY);
        let mut later = self.all;
        for keys in &mut later {
            *keys = keys.or_else(keys.greater(bound), never);
        }
        pick::<V, EIGHTS>(&later)
    }
}

/// One that the filter has let through.
pub(super) struct Picked {
    /// Its place in the block.
    pub lane: usize,
    /// It is not touched before so long, s.
    pub wait: f64,
    key: f32,
}

#[inline(always)]
fn pick<V: Vectors, const EIGHTS: usize>(keys: &[V::Eight; EIGHTS]) -> Option<Picked> {
    let mut least = keys[0];
    for keys in &keys[1..] {
        least = least.least(*keys);
    }
    // Positive floats have the order of their bits.
    let bits = least.to_words().least();
    (bits != f32::INFINITY.to_bits()).then_some(Picked {
        lane: (bits & LANE) as usize,
        wait: f64::from(f32::from_bits(bits & !LANE)),
        key: f32::from_bits(bits),
    })
}

/// The number of each lane of a block.
const LANES: [[u32; 8]; BLOCK / 8] = [lanes(0), lanes(1), lanes(2), lanes(3)];

const fn lanes(eight: u32) -> [u32; 8] {
    let mut lanes = [0; 8];
    let mut lane = 0;
    while lane < 8 {
        lanes[lane] = 8 * eight + lane as u32;
        lane += 1;
    }
    lanes
}

/// The last of eight.
const LAST: [u32; 8] = [0, 0, 0, 0, 0, 0, 0, 1];
