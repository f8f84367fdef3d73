//! Who imports whom, and what of it goes the wrong way.

use crate::paths::{handed_on, paths, test_modules};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The modules of one folder, and the files in which one of them names another.
#[derive(Default)]
pub struct Graph {
    modules: BTreeSet<String>,
    edges: BTreeMap<(String, String), BTreeSet<String>>,
    /// What is named by a way around: from a module that only hands on, such as the prelude.
    strangers: BTreeSet<String>,
}

impl Graph {
    /// The modules within a module, given by its path from the crate's root, of the sources in a folder.
    pub fn of_folder(root: &Path, within: &[&str]) -> Self {
        let mut files = Vec::new();
        read(root, &mut Vec::new(), &mut files);
        Self::of_sources(&files, within)
    }

    /// The same, of sources that each have a path below the root.
    pub fn of_sources(files: &[(String, String)], within: &[&str]) -> Self {
        let module_of = |file: &str| -> Vec<String> {
            let mut parts: Vec<String> = file.split('/').map(str::to_owned).collect();
            let last = parts.pop().unwrap_or_default();
            if last != "mod.rs" && last != "lib.rs" {
                parts.push(last.trim_end_matches(".rs").to_owned());
            }
            parts
        };
        let inside = |path: &[String]| {
            path.len() > within.len() && path.iter().zip(within).all(|(a, b)| a == b)
        };
        let mut left_out = BTreeSet::new();
        let mut from_whom = BTreeMap::new();
        for (file, source) in files {
            let module = module_of(file);
            for name in test_modules(source) {
                left_out.insert([module.clone(), vec![name]].concat());
            }
            if module == within {
                from_whom.extend(handed_on(source));
            }
        }
        let sources: Vec<(Vec<String>, &String, &String)> = files
            .iter()
            .map(|(file, source)| (module_of(file), file, source))
            .filter(|(module, _, _)| inside(module) && !left_out.contains(module))
            .collect();
        let modules: BTreeSet<String> = (sources
            .iter()
            .map(|(module, _, _)| module[within.len()].clone()))
        .collect();
        let mut edges: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
        let mut strangers = BTreeSet::new();
        for (module, file, source) in sources {
            let from = &module[within.len()];
            for path in paths(source, &module)
                .into_iter()
                .filter(|path| inside(path))
            {
                let named = &path[within.len()];
                let to = match from_whom.get(named) {
                    _ if modules.contains(named) => named,
                    Some(module) => module,
                    None => {
                        strangers.insert(format!("{file} names {named}, which is no module here"));
                        continue;
                    }
                };
                if to != from {
                    let places = edges.entry((from.clone(), to.clone())).or_default();
                    places.insert(file.clone());
                }
            }
        }
        Graph {
            modules,
            edges,
            strangers,
        }
    }

    /// What goes the wrong way: names from nowhere, modules that stand in no layer or are not there, imports from a
    /// higher layer, and circles within one.
    pub fn faults(&self, layers: &[&[&str]]) -> Vec<String> {
        let mut wrong: Vec<String> = self.strangers.iter().cloned().collect();
        let layer = |module: &str| layers.iter().position(|row| row.contains(&module));
        for module in self.modules.iter().filter(|module| layer(module).is_none()) {
            wrong.push(format!("{module} stands in no layer"));
        }
        for module in layers
            .iter()
            .copied()
            .flatten()
            .filter(|&&module| !self.modules.contains(module))
        {
            wrong.push(format!("{module} stands in a layer but is no module"));
        }
        for ((from, to), files) in &self.edges {
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            let files = files.join(", ");
            let (Some(low), Some(high)) = (layer(from), layer(to)) else {
                continue;
            };
            if low < high {
                wrong.push(format!(
                    "{from} imports from {to}, which is above it: {files}"
                ));
            } else if low == high && self.leads(to, from) {
                wrong.push(format!("{from} imports from {to}, in a circle: {files}"));
            }
        }
        wrong
    }

    /// Whether imports lead from one module to another.
    fn leads(&self, from: &str, to: &str) -> bool {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            if module == to {
                return true;
            }
            if seen.insert(module) {
                let next = self.edges.keys().filter(|(a, _)| a == module);
                open.extend(next.map(|(_, b)| b.as_str()));
            }
        }
        false
    }
}

/// All sources of a folder, with their paths below it.
fn read(folder: &Path, below: &mut Vec<String>, files: &mut Vec<(String, String)>) {
    let entries = std::fs::read_dir(folder).expect("a folder of sources");
    for entry in entries.map(|entry| entry.expect("an entry")) {
        let name = entry.file_name().to_string_lossy().into_owned();
        below.push(name.clone());
        if entry.path().is_dir() {
            read(&entry.path(), below, files);
        } else if name.ends_with(".rs") {
            files.push((
                below.join("/"),
                std::fs::read_to_string(entry.path()).expect("a source"),
            ));
        }
        below.pop();
    }
}

#[test]
fn back_edges_and_circles_are_named() {
    let file = |path: &str, source: &str| (path.to_owned(), source.to_owned());
    let files = [
        file(
            "lib.rs",
            "pub mod space; pub mod shape; pub mod body; pub use simulate::Exact;",
        ),
        file(
            "space/mod.rs",
            "pub struct Plane; fn f(_: crate::shape::Ball) {}",
        ),
        file("shape.rs", "use crate::space::Plane;"),
        file("shape/ball.rs", "use super::super::body::Body;"),
        file(
            "body.rs",
            "use crate::{shape, space::Plane, prelude::Exact};",
        ),
        file("simulate/mod.rs", "pub use exact::Exact;"),
        file(
            "simulate/exact.rs",
            "use super::stage::Stage; use crate::body::Body;",
        ),
        file("simulate/stage.rs", "use crate::simulate::Exact;"),
    ];
    let graph = Graph::of_sources(&files, &[]);
    let layers: &[&[&str]] = &[&["space"], &["shape", "body"], &["simulate"]];
    let wrong = graph.faults(layers);
    let expected = [
        "body.rs names prelude, which is no module here",
        "body imports from shape, in a circle: body.rs",
        "shape imports from body, in a circle: shape/ball.rs",
        "space imports from shape, which is above it: space/mod.rs",
    ];
    assert_eq!(wrong, expected);
    // Within a module what its own file hands on counts for the file that it is from.
    let inner = Graph::of_sources(&files, &["simulate"]);
    assert_eq!(
        inner.faults(&[&["stage"], &["exact"]]),
        ["stage imports from exact, which is above it: simulate/stage.rs"]
    );
    assert_eq!(inner.faults(&[&["stage", "other"]]).len(), 2);
    assert_eq!(inner.faults(&[&["stage", "exact"]]).len(), 2);
}
