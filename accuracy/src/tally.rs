//! What many cases of one kernel show together.

use crate::case::Case;
use crate::generate::{self, Draw, Family};
use crate::hard::Stored;
use crate::judge::{Agreement, Finding, examine};
use crate::kernels::{self, Kernel};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Cases that share one seed; the unit of work of a thread.
const CHUNK: usize = 500;
/// Wrong answers kept as examples.
const EXAMPLES: usize = 20;

/// Errors of one sort.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    values: Vec<f32>,
    /// The largest, and the case it belongs to.
    pub worst: Option<(f64, Case, Family)>,
}

impl Errors {
    fn add(&mut self, value: Option<f64>, case: &Case, family: Family) {
        let Some(value) = value else { return };
        self.values.push(value as f32);
        if self.worst.is_none_or(|(worst, ..)| !(value <= worst)) {
            self.worst = Some((value, *case, family));
        }
    }

    fn merge(&mut self, other: Errors) {
        self.values.extend(other.values);
        if let Some((value, ..)) = other.worst
            && self.worst.is_none_or(|(worst, ..)| !(value <= worst))
        {
            self.worst = other.worst;
        }
    }

    /// The largest; zero where nothing was measured.
    pub fn largest(&self) -> f64 {
        self.worst.map_or(0.0, |(worst, ..)| worst)
    }

    /// The one in the middle; zero where nothing was measured.
    pub fn median(&self) -> f64 {
        if self.values.is_empty() {
            return 0.0;
        }
        let mut values = self.values.clone();
        let middle = values.len() / 2;
        let (_, median, _) = values.select_nth_unstable_by(middle, f32::total_cmp);
        f64::from(*median)
    }
}

/// A wrong answer.
#[derive(Clone, Debug)]
pub struct Example {
    /// The case.
    pub case: Case,
    /// How it was made.
    pub family: Family,
    /// What was found.
    pub finding: Finding,
}

/// All cases of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How many.
    pub cases: usize,
    /// Of them with a contact, in truth and in the answer.
    pub hits: usize,
    /// Hits that graze.
    pub grazing: usize,
    /// On the boundary.
    pub boundary: usize,
    /// Misses and false hits, plain or refined.
    pub wrong: usize,
    /// Examples of the latter.
    pub examples: Vec<Example>,
    /// Time, ulp.
    pub time_ulps: Errors,
    /// Time, units of `u [t + L/s]`.
    pub time_scaled: Errors,
    /// Backward, units of `u · magnitude`.
    pub backward: Errors,
    /// Refined time, ulp.
    pub refined: Errors,
}

impl Tally {
    /// Enters one case.
    pub fn add(&mut self, case: &Case, family: Family, finding: &Finding) {
        self.cases += 1;
        match finding.agreement {
            Agreement::Same => self.hits += 1,
            Agreement::Boundary => self.boundary += 1,
            Agreement::Never | Agreement::Wrong(_) => {}
        }
        self.grazing += usize::from(finding.grazing);
        let is_wrong = |agreement| matches!(agreement, Agreement::Wrong(_));
        if is_wrong(finding.agreement) || is_wrong(finding.refined_agreement) {
            self.wrong += 1;
            if self.examples.len() < EXAMPLES {
                self.examples.push(Example {
                    case: *case,
                    family,
                    finding: finding.clone(),
                });
            }
        } else {
            self.backward.add(finding.backward, case, family);
        }
        self.time_ulps.add(finding.time_ulps, case, family);
        self.time_scaled.add(finding.time_scaled, case, family);
        self.refined.add(finding.refined_ulps, case, family);
    }

    /// Joins the cases of another tally to these.
    pub fn merge(&mut self, other: Tally) {
        self.cases += other.cases;
        self.hits += other.hits;
        self.grazing += other.grazing;
        self.boundary += other.boundary;
        self.wrong += other.wrong;
        self.examples.extend(other.examples);
        self.examples.truncate(EXAMPLES);
        self.time_ulps.merge(other.time_ulps);
        self.time_scaled.merge(other.time_scaled);
        self.backward.merge(other.backward);
        self.refined.merge(other.refined);
    }

    /// Whether nothing is wrong and every bound is kept.
    pub fn holds(&self, kernel: &Kernel) -> bool {
        let limits = &kernel.limits;
        self.wrong == 0
            && self.time_scaled.largest() <= limits.time
            && self.backward.largest() <= limits.backward
            && limits
                .refined
                .is_none_or(|limit| self.refined.largest() <= limit)
    }
}

/// The stored cases that belong to a kernel.
pub fn stored(kernel: &Kernel, cases: &[Stored]) -> Tally {
    let mut tally = Tally::default();
    for stored in cases {
        if kernels::of(&stored.case) == Some(kernel) {
            let finding = examine(&stored.case, &kernel.limits);
            tally.add(&stored.case, stored.family, &finding);
        }
    }
    tally
}

/// The seed of a chunk: the same for any number of threads.
fn seed(kernel: &Kernel, chunk: usize) -> u64 {
    let name = kernel.name();
    let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    hash ^ (chunk as u64).wrapping_mul(0xD605_BBB5_8C8A_BC03)
}

fn chunk(kernel: &Kernel, index: usize, count: usize) -> Tally {
    let mut draw = Draw::new(seed(kernel, index));
    let mut tally = Tally::default();
    for _ in 0..count {
        let family = generate::family(&mut draw);
        let case = generate::case(kernel, family, &mut draw);
        let finding = examine(&case, &kernel.limits);
        tally.add(&case, family, &finding);
    }
    tally
}

/// Random cases of a kernel, on several threads.
pub fn random(kernel: &Kernel, cases: usize, threads: usize) -> Tally {
    let chunks = cases.div_ceil(CHUNK);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut mine = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= chunks {
                return mine;
            }
            let count = CHUNK.min(cases - index * CHUNK);
            mine.push((index, chunk(kernel, index, count)));
        }
    };
    let mut parts: Vec<(usize, Tally)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("a worker that does not panic"))
            .collect()
    });
    // In the order of the chunks, so that examples and ties do not depend on the threads.
    parts.sort_by_key(|(index, _)| *index);
    let mut total = Tally::default();
    for (_, part) in parts {
        total.merge(part);
    }
    total
}
