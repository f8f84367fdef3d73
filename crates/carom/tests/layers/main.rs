//! Imports go one way: each module of the library stands in a layer and imports from those below it. The sources are
//! read, comments and tests left out, for every path that leaves its module (`crate::…`, `super::…`, in `use` and in
//! expressions), and the test fails with the edges that go up and the files that they are in.
//!
//! A program of its own that uses nothing of the library, so that it is built in a moment.

mod graph;
mod paths;
mod style;

use graph::Graph;
use std::path::{Path, PathBuf};

/// The top-level modules. Each row may import from the rows above it in this list, and within itself without a circle.
const LAYERS: &[&[&str]] = &[
    &[
        "arrays", "codec", "order", "roots", "serial", "space", "vectors",
    ],
    &["motion", "shape"],
    &["body", "contact", "material", "container", "joint"],
    &["broad", "impact", "queue"],
    &["force", "response"],
    &["audit", "record", "snapshot", "world"],
    &["observe", "simulate"],
    &["kernels"],
];

/// The modules of the engines, in the same way.
const SIMULATE: &[&[&str]] = &[
    // What stands for itself; balls on walls.
    &[
        "cancel",
        "contact_solver",
        "contact_time",
        "force_options",
        "inertials",
        "islands",
        "jointed",
        "watchdog",
        "overlaps",
        "rigid",
        "shear",
        "state",
        "subscribers",
        "support",
    ],
    // The bodies of a run.
    &["balls", "fixture", "members", "on_segments", "trajectories"],
    &[
        "bodies",
        "encounter",
        "float_filter",
        "layout",
        "meetings",
        "refuse",
        "sheared",
        "sweep",
    ],
    // What happens between them, and who is next.
    &[
        "next_segment",
        "obstacles",
        "registry",
        "simultaneous",
        "sticking",
        "strike",
    ],
    &["planner", "predictions"],
    // The engines, and what programs call of them.
    &["exact"],
    &["edit", "snapshot", "stepped"],
    &["compiled", "error"],
    // The face: what it needs of an engine, what is written over that, and what programs call.
    &["engine"],
    &["director", "query", "rest"],
    &["until"],
    &["simulation"],
];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
fn imports_of_the_library_go_one_way() {
    let graph = Graph::of_folder(&sources(), &[]);
    let wrong = graph.faults(LAYERS);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn imports_of_the_engines_go_one_way() {
    let graph = Graph::of_folder(&sources(), &["simulate"]);
    let wrong = graph.faults(SIMULATE);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
