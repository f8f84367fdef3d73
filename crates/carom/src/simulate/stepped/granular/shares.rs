//! Which thread works on which balls: shares of one piece each, one or two for every thread, so that a thread can move
//! balls as soon as their contacts are done.
//!
//! Balls come in chunks of [`BALLS`], and each chunk has a stretch of slots: its contacts with itself and with later
//! balls. Where all contacts of a stretch are within the share of its chunk it is *inner*, and concerns no other share.
//! The others are *outer*: they reach into another share, and are computed before any ball is moved.
//!
//! In memory the inner stretches come first, in the order of their chunks, and then the outer ones, so that the slots
//! of every share are one segment, and those that several shares look at are another. Balls in inner stretches are
//! numbered from the first of their share, so that a thread needs to know of no others; in outer ones, and on fixtures,
//! from the first of all. None of this leaves a trace in the results.

use super::BALLS;
use super::slots::Slot;
use crate::order::InOrder;
use std::ops::Range;

/// How balls and slots are shared out.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    pub list: Vec<Share>,
    /// How many slots each chunk has.
    pub stretches: Vec<usize>,
    /// Where they begin.
    begin: Vec<usize>,
    /// The chunks in the order in which their slots lie.
    order: Vec<usize>,
    outer: Vec<bool>,
    /// Which ball is number 0 in the slots of each chunk.
    base: Vec<u32>,
    /// Where in the ring of its share what acts at the contacts of each chunk is kept.
    ring_at: Vec<usize>,
    /// How long all rings are together, in slots.
    pub rings: usize,
    /// Whether the shares have slots of their own.
    pub apart: bool,
    /// Slots of inner stretches; those of outer ones, and all others, come next.
    pub inner: usize,
}

/// A share of the balls.
#[derive(Clone, Debug)]
pub(super) struct Share {
    pub chunks: Range<usize>,
    pub balls: Range<usize>,
    /// Its own.
    pub slots: Range<usize>,
    /// What acts at the contacts of its own slots is needed until the last of their balls has been moved, and then
    /// overwritten by what acts at later ones: that is how it stays in the cache. Where the ring of this share is among
    /// all.
    pub ring: Range<usize>,
}

/// What is known of the contacts of a chunk before they are written down.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    pub contacts: usize,
    /// The last ball that they reach.
    pub farthest: u32,
}

/// With fewer chunks than this in each, two shares for every thread have too many stretches between them.
const ENOUGH: usize = 24;

impl Shares {
    /// Everything as one, in the order of the chunks.
    pub fn whole(balls: usize, stretches: Vec<usize>) -> Self {
        Shares::cut(balls, stretches, &[], (1, false))
    }

    /// So that each of some threads has about as much to do. `apart` is whether the shares are to have slots of their
    /// own, and outer stretches to lie behind them; otherwise all slots are common, in the order of the chunks.
    pub fn plan(balls: usize, found: &[Found], threads: usize, apart: bool) -> Self {
        let stretches: Vec<usize> = found.iter().map(|it| it.contacts.div_ceil(4)).collect();
        let most = match stretches.len() / (2 * threads).max(1) {
            0..ENOUGH => threads,
            // The one that is done first takes on another.
            _ => 2 * threads,
        };
        match threads {
            0 | 1 => Shares::cut(balls, stretches, found, (1, apart)),
            _ => Shares::cut(balls, stretches, found, (most, apart)),
        }
    }

    fn cut(
        balls: usize,
        stretches: Vec<usize>,
        found: &[Found],
        (parts, apart): (usize, bool),
    ) -> Self {
        let chunks = stretches.len();
        let (mut list, mut outer) = (Vec::new(), vec![false; chunks]);
        // Outer stretches are of no share, and which are outer depends on where the shares end: two rounds are near
        // enough.
        for _ in 0..2 {
            list = divide(balls, &stretches, &outer, parts);
            for share in &list {
                for chunk in share.chunks.clone() {
                    let reach = found.get(chunk).map_or(0, |it| it.farthest as usize);
                    outer[chunk] = reach >= share.balls.end;
                }
            }
        }
        let mut order: Vec<usize> = (0..chunks).collect();
        if apart {
            order.order_by_key(|&chunk| outer[chunk]);
        }
        let (mut begin, mut at, mut inner) = (vec![0; chunks], 0, 0);
        for &chunk in &order {
            begin[chunk] = at;
            at += stretches[chunk];
            if apart && !outer[chunk] {
                inner = at;
            }
        }
        let (mut base, mut at) = (vec![0; chunks], 0);
        for share in list.iter_mut().filter(|_| apart) {
            share.slots.start = at;
            for chunk in share.chunks.clone().filter(|&chunk| !outer[chunk]) {
                base[chunk] = share.balls.start as u32;
                at += stretches[chunk];
            }
            share.slots.end = at;
        }
        let (mut ring_at, mut rings) = (vec![0; chunks], 0);
        for share in list.iter_mut().filter(|_| apart) {
            let length = wind(share, &stretches, &outer, found, &mut ring_at);
            share.ring = rings..rings + length;
            rings += length;
        }
        Shares {
            list,
            stretches,
            begin,
            order,
            outer,
            base,
            ring_at,
            rings,
            apart,
            inner,
        }
    }

    /// The chunks in the order in which their slots lie.
    pub fn in_memory(&self) -> impl Iterator<Item = usize> + '_ {
        self.order.iter().copied()
    }

    /// Those whose slots are common.
    pub fn common(&self) -> impl Iterator<Item = usize> + '_ {
        self.in_memory()
            .filter(|&chunk| !self.apart || self.outer[chunk])
    }

    /// The slots of a chunk.
    pub fn stretch(&self, chunk: usize) -> Range<usize> {
        self.begin[chunk]..self.begin[chunk] + self.stretches[chunk]
    }

    pub fn is_outer(&self, chunk: usize) -> bool {
        self.outer[chunk]
    }

    /// Which ball is number 0 in the slots of a chunk.
    pub fn base(&self, chunk: usize) -> u32 {
        self.base[chunk]
    }

    /// All slots of pairs as they lie, and which ball is number 0 in each.
    pub fn pairs<'a>(&'a self, slots: &'a [Slot]) -> impl Iterator<Item = (&'a Slot, u32)> {
        self.order.iter().flat_map(move |&chunk| {
            let (stretch, base) = (&slots[self.stretch(chunk)], self.base[chunk]);
            stretch.iter().map(move |slot| (slot, base))
        })
    }

    /// The chunks in whose slots a share may have contacts: its own, and outer ones of others.
    pub fn looks_at<'a>(&'a self, share: &'a Share) -> impl Iterator<Item = usize> + 'a {
        let chunks = 0..self.stretches.len();
        chunks.filter(|chunk| share.chunks.contains(chunk) || self.outer[*chunk])
    }

    /// Where in the ring of its share what acts at the contacts of an inner chunk is kept.
    pub fn ring(&self, chunk: usize) -> Range<usize> {
        self.ring_at[chunk]..self.ring_at[chunk] + self.stretches[chunk]
    }
}

/// Shares with about as much work in each.
fn divide(balls: usize, stretches: &[usize], outer: &[bool], parts: usize) -> Vec<Share> {
    // A slot takes about as long as moving four balls.
    let work = |chunk: usize| {
        if outer[chunk] {
            BALLS
        } else {
            BALLS + 4 * stretches[chunk]
        }
    };
    let chunks = stretches.len();
    let total: usize = (0..chunks).map(work).sum();
    let (mut list, mut first, mut done) = (Vec::with_capacity(parts), 0, 0);
    for chunk in 0..chunks {
        done += work(chunk);
        // Where the next chunk would take it farther past its end than this one leaves it short, it ends here.
        let next = (chunk + 1..chunks).next().map_or(0, work);
        if chunk + 1 == chunks || (2 * done + next) * parts > 2 * total * (list.len() + 1) {
            list.push(Share {
                chunks: first..chunk + 1,
                balls: first * BALLS..((chunk + 1) * BALLS).min(balls),
                slots: 0..0,
                ring: 0..0,
            });
            first = chunk + 1;
        }
    }
    list
}

/// Gives each inner chunk of a share a place in its ring, and returns how long that is.
///
/// What acts at the contacts of a chunk must last until the chunk of the last ball among them is moved; let that be w
/// slots at most from the first one. A chunk that would not end before the ring does begins at its beginning, so that
/// up to one chunk of l slots is left out in each round. From one chunk to the next one at the same place are then more
/// than R − l slots in a ring of R, and w + l are enough.
fn wind(
    share: &Share,
    stretches: &[usize],
    outer: &[bool],
    found: &[Found],
    ring_at: &mut [usize],
) -> usize {
    let own = |chunk: usize| if outer[chunk] { 0 } else { stretches[chunk] };
    let first = share.chunks.start;
    // Slots before each chunk, and before the end.
    let mut before = vec![0];
    for chunk in share.chunks.clone() {
        before.push(before[chunk - first] + own(chunk));
    }
    let total = before[share.chunks.len()];
    let (mut window, mut longest) = (0, 0);
    for chunk in share.chunks.clone().filter(|&chunk| !outer[chunk]) {
        let farthest = found
            .get(chunk)
            .map_or(usize::MAX, |it| it.farthest as usize);
        let last = (farthest / BALLS).clamp(chunk, share.chunks.end - 1);
        window = window.max(before[last + 1 - first] - before[chunk - first]);
        longest = longest.max(stretches[chunk]);
    }
    let length = total.min(window + longest);
    let mut at = 0;
    for chunk in share.chunks.clone().filter(|&chunk| !outer[chunk]) {
        if at + stretches[chunk] > length {
            at = 0;
        }
        ring_at[chunk] = at;
        at += stretches[chunk];
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chunks with up to 40 slots each that reach up to `ahead` balls on, and some to the very end.
    fn found(chunks: usize, ahead: u32, seed: u32) -> Vec<Found> {
        let mut state = seed;
        let mut random = move |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        let balls = (chunks * BALLS) as u32;
        let one = |chunk: usize| {
            let last = ((chunk + 1) * BALLS) as u32 - 1;
            let far = random(50) == 0;
            let reach = if far { balls } else { last + random(ahead) };
            Found {
                contacts: random(160) as usize,
                farthest: reach.min(balls - 1),
            }
        };
        (0..chunks).map(one).collect()
    }

    #[test]
    fn rings_keep_what_acts_until_the_last_ball_has_been_moved() {
        let mut overwritten = 0;
        for seed in 0..60 {
            let chunks = 1 + seed as usize % 97;
            let found = found(chunks, 1 + 90 * (seed % 23), seed);
            let shares = Shares::plan(chunks * BALLS, &found, 1 + seed as usize % 4, true);
            for share in &shares.list {
                let mut ring = vec![None; share.ring.len()];
                for moved in share.chunks.clone() {
                    if !shares.is_outer(moved) {
                        ring[shares.ring(moved)].fill(Some(moved));
                    }
                    for before in (share.chunks.start..=moved).filter(|&it| !shares.is_outer(it)) {
                        let kept = &ring[shares.ring(before)];
                        let whole = kept.iter().all(|&of| of == Some(before));
                        let needed = found[before].farthest as usize >= moved * BALLS;
                        assert!(
                            whole || !needed,
                            "seed {seed}: {before} when {moved} is moved"
                        );
                        overwritten += usize::from(!whole);
                    }
                }
            }
        }
        // Otherwise they would not be rings.
        assert!(overwritten > 1000, "{overwritten}");
    }

    #[test]
    fn every_chunk_has_a_stretch_of_its_own_and_inner_ones_stay_within_their_share() {
        for seed in 0..60 {
            let chunks = 1 + seed as usize % 97;
            let found = found(chunks, 1 + 90 * (seed % 23), seed);
            for apart in [true, false] {
                let shares = Shares::plan(chunks * BALLS, &found, 1 + seed as usize % 4, apart);
                let mut taken = vec![0; shares.stretches.iter().sum()];
                let mut balls = 0;
                for share in &shares.list {
                    assert_eq!(share.balls.start, balls);
                    balls = share.balls.end;
                    for chunk in share.chunks.clone() {
                        let stretch = shares.stretch(chunk);
                        taken[stretch.clone()].iter_mut().for_each(|it| *it += 1);
                        let inside = (found[chunk].farthest as usize) < share.balls.end;
                        assert_eq!(shares.is_outer(chunk), !inside);
                        if apart && inside {
                            assert!(share.slots.start <= stretch.start);
                            assert!(stretch.end <= share.slots.end);
                        } else if apart {
                            assert!(stretch.start >= shares.inner);
                        }
                    }
                }
                assert_eq!(balls, chunks * BALLS);
                assert!(taken.iter().all(|&it| it == 1), "seed {seed}");
            }
        }
    }
}
