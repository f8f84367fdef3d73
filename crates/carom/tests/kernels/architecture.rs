//! ARCHITECTURE.md is kept true: every path that it names exists.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whatever stands in backticks and looks like a path: it has a slash or ends like a source file.
fn paths(page: &str) -> Vec<&str> {
    page.split('`')
        .skip(1)
        .step_by(2)
        .filter(|code| code.contains('/') || code.ends_with(".rs"))
        .collect()
}

#[test]
fn every_path_in_the_architecture_page_exists() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let named = paths(&page);
    assert!(
        named.len() > 30,
        "the page names its files: {}",
        named.len()
    );
    let missing: Vec<&str> = named
        .into_iter()
        .filter(|path| {
            !root().join(path).exists() && !root().join("crates/carom/src").join(path).exists()
        })
        .collect();
    assert!(missing.is_empty(), "named but not there: {missing:?}");
}
