#!/usr/bin/env bash
# Everything that must hold before a change lands: formatting, lints, documentation, all tests, and the main job itself.
# Needs a Rust toolchain, and Python with pip for the readers; run it from anywhere.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; }

step "formatting"
cargo fmt --all --check
step "lints"
cargo clippy --workspace --all-targets --locked -- -D warnings
cargo clippy --package carom --no-default-features --locked -- -D warnings
step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet
step "LAMMPS"
# With it, what is converted for it is run by it; without it (no Debian, or no leave to install), that test says so.
CAROM_LAMMPS=$(tests/lammps/install.sh)
export CAROM_LAMMPS
echo "${CAROM_LAMMPS:-not here}"
step "tests"
# The lints have looked at the examples; building them as well would take as long as the tests. With what can be stored
# by serde, so that the library is compiled once; without it the lints have compiled it.
cargo test --workspace --features carom/serde --lib --bins --tests --locked
step "examples in the documentation"
cargo test --workspace --features carom/serde --doc --locked
step "the main job"
report=$(cargo run --release --locked -- run scenes/break.toml)
printf '%s\n' "$report"
step "its golden digest, in the release build too"
golden=$(sed -n 's/.*\["digest"\], "\([0-9a-f]\{16\}\)".*/\1/p' crates/carom-cli/tests/command.rs)
grep "digest *$golden" <<<"$report"
step "run folders, read by pandas, numpy, VTK and ASE"
tests/readers/run.sh target/release/carom
step "the page"
CAROM=$PWD/target/release/carom web/test.sh
step "the Python package"
CAROM=$PWD/target/release/carom crates/carom-python/test.sh
