//! Golden digests: every bit of the states and of the order of events of runs that have little in common.
//!
//! A digest changes when any number of a run does, so it is the same from run to run, at every optimisation level
//! (`golden.sh` checks that), however the run is cut into pieces, whoever watches, whether it was stored in between,
//! and whichever planner plans.
//!
//! The digests stand in `digests.txt`, a line for each test. Where the physics is changed on purpose they are written
//! anew by
//!
//! ```sh
//! cargo test --package carom --test golden -- --ignored renew
//! ```
//!
//! which leaves alone what has not changed; the difference says which runs have. The change and its reason belong into
//! the changelog.

/// A test for each scene, and the list of all of them.
macro_rules! scenes {
    ($($name:ident => $digest:expr,)*) => {
        pub const ALL: &[crate::Scene] = &[$((stringify!($name), || $digest)),*];
        mod tests {
            $(
                #[test]
                fn $name() {
                    crate::compare(super::ALL, stringify!($name));
                }
            )*
        }
    };
}

mod contacts;
mod edits;
mod fields;
mod forces;
mod gases;
mod resting;
mod rigid;
mod widths;

use carom::body::Kind;
use carom::material::Law;
use carom::prelude::*;
use carom::shape::HalfSpace;
use carom::simulate::Compiled;
use carom::simulate::{Exact, Stepped};
use carom::space::Space;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

const RECORDED: &str = include_str!("digests.txt");

/// A name, and what the run of that name hashes to.
type Scene = (&'static str, fn() -> u64);

fn all() -> Vec<Scene> {
    let parts = [
        gases::ALL,
        resting::ALL,
        fields::ALL,
        contacts::ALL,
        edits::ALL,
        rigid::ALL,
        forces::ALL,
    ];
    parts.concat()
}

fn recorded() -> BTreeMap<&'static str, &'static str> {
    let lines = RECORDED.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| line.split_once(' ').expect("a name and a digest"))
        .collect()
}

fn compare(scenes: &[Scene], name: &str) {
    let (_, digest) = (scenes.iter().find(|(scene, _)| *scene == name)).expect("it is listed");
    let digest = format!("{:016x}", digest());
    let recorded = recorded().get(name).copied();
    assert_eq!(
        Some(digest.as_str()),
        recorded,
        "{name} (on purpose? see the head of golden/main.rs)"
    );
}

/// The same from JavaScript, where this is compiled to WebAssembly (`web/tests/golden.mjs`): how many there are, the
/// name of each (its bytes, one after the other, 0 after the last), and whether its digest is the recorded one.
#[cfg(target_arch = "wasm32")]
mod exported {
    #![allow(unsafe_code)] // Only names are exported; no pointer is taken or handed out.

    #[unsafe(no_mangle)]
    pub extern "C" fn golden_count() -> usize {
        super::all().len()
    }

    #[unsafe(no_mangle)]
    pub extern "C" fn golden_name(scene: usize, letter: usize) -> u32 {
        let name = super::all()[scene].0.as_bytes();
        u32::from(name.get(letter).copied().unwrap_or(0))
    }

    #[unsafe(no_mangle)]
    pub extern "C" fn golden_is_the_same(scene: usize) -> u32 {
        let (name, digest) = super::all()[scene];
        let digest = format!("{:016x}", digest());
        u32::from(super::recorded().get(name).copied() == Some(digest.as_str()))
    }
}

#[test]
fn every_digest_is_of_a_scene() {
    let named: Vec<&str> = recorded().into_keys().collect();
    let mut scenes: Vec<&str> = all().into_iter().map(|(name, _)| name).collect();
    scenes.sort_unstable();
    assert_eq!(named, scenes);
}

#[test]
#[ignore = "writes digests.txt anew"]
fn renew() {
    let scenes = all();
    let lines = scenes
        .iter()
        .map(|(name, digest)| format!("{name} {:016x}\n", digest()));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/digests.txt");
    std::fs::write(path, lines.collect::<String>()).unwrap();
}

/// A run of any method.
trait Run: Sized {
    fn to(&mut self, until: f64);
    /// Runs until a time, ended by whoever watches after so many things that happened, and taken up again; how many
    /// there were in all.
    fn watched(&mut self, until: f64, every: u64) -> u64;
    fn value(&self) -> u64;
    /// Stored and restored.
    fn resumed(&self) -> Self;
}

/// Ends a run after so many things that happened.
struct Watch {
    seen: u64,
    every: u64,
}

impl Watch {
    fn look(&mut self) -> ControlFlow<()> {
        self.seen += 1;
        match self.seen % self.every {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

impl<S: Compiled> Run for Exact<S> {
    fn to(&mut self, until: f64) {
        assert_eq!(self.run_to(until).unwrap(), End::Time);
    }

    fn watched(&mut self, until: f64, every: u64) -> u64 {
        let mut watch = Watch { seen: 0, every };
        loop {
            let end = self.run_until(until, |event| match event {
                // No event: it comes when nothing has happened for long.
                Event::Underway(_) => ControlFlow::Continue(()),
                _ => watch.look(),
            });
            // Looks at everything.
            let _ = (self.audit(), self.digest(), self.state(BodyId(0)));
            if end.unwrap() == End::Time {
                return watch.seen;
            }
        }
    }

    fn value(&self) -> u64 {
        self.digest()
    }

    fn resumed(&self) -> Self {
        Exact::restore(&self.snapshot()).unwrap()
    }
}

impl<S: Compiled> Run for Stepped<S> {
    fn to(&mut self, until: f64) {
        assert_eq!(self.run_to(until).unwrap(), End::Time);
    }

    fn watched(&mut self, until: f64, every: u64) -> u64 {
        let mut watch = Watch { seen: 0, every };
        loop {
            let end = self.run_until(until, |_| watch.look());
            let _ = (self.audit(), self.digest(), self.state(BodyId(0)));
            if end.unwrap() == End::Time {
                return watch.seen;
            }
        }
    }

    fn value(&self) -> u64 {
        self.digest()
    }

    fn resumed(&self) -> Self {
        Stepped::restore(&self.snapshot()).unwrap()
    }
}

/// Runs in one go, in pieces, watched and with rests in snapshots; what it hashes to is the same. At least so many
/// things have to happen.
fn every_way<R: Run>(start: impl Fn() -> R, until: f64, least: u64, segments: &[u32]) -> u64 {
    let digest = without_rests(&start, until, least, segments);
    let mut run = start();
    for share in [0.1, 0.45, 0.8] {
        run.to(share * until);
        run = run.resumed();
    }
    run.to(until);
    assert_eq!(run.value(), digest, "with rests in snapshots");
    digest
}

/// The same without snapshots, for runs with functions of one's own.
fn without_rests<R: Run>(start: impl Fn() -> R, until: f64, least: u64, segments: &[u32]) -> u64 {
    let mut run = start();
    run.to(until);
    let digest = run.value();
    for &segments in segments {
        let mut run = start();
        for segment in 1..segments {
            run.to(until * f64::from(segment) / f64::from(segments));
        }
        run.to(until);
        assert_eq!(run.value(), digest, "in {segments} pieces");
    }
    let mut watched = start();
    let seen = watched.watched(until, 1 + least / 3);
    assert_eq!(watched.value(), digest, "watched");
    assert!(seen >= least, "only {seen} things happened");
    digest
}

/// A run of exact events in every way, and by the planner that looks at all pairs.
fn exact<S: Compiled>(world: World<S>, until: f64, least: u64, segments: &[u32]) -> u64 {
    let digest = every_way(
        || Exact::new(world.clone()).unwrap(),
        until,
        least,
        segments,
    );
    let mut reference = Exact::reference(world.clone()).unwrap();
    reference.to(until);
    assert_eq!(reference.value(), digest, "by the reference");
    digest
}

struct Random(u64);

impl Random {
    /// From −1 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector<S: Space>(&mut self) -> S::Vector {
        S::vector([0; 3].map(|_| self.next()))
    }
}

fn material(restitution: f64, friction: f64) -> Material {
    Material {
        restitution,
        static_friction: friction,
        kinetic_friction: 0.8 * friction,
        law: Law::Coulomb,
        ..Material::default()
    }
}

fn wall<S: Compiled>(point: [f64; 3], normal: [f64; 3]) -> Body<S> {
    let wall = HalfSpace::solid(S::vector(normal)).unwrap();
    Body::fixed(Shape::HalfSpace(wall)).at(S::vector(point))
}

fn spinning<S: Compiled>(mut ball: Body<S>, angular_velocity: S::Angular) -> Body<S> {
    if let Kind::Free(free) = &mut ball.kind {
        free.angular_velocity = angular_velocity;
    }
    ball
}
