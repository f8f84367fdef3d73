#!/usr/bin/env bash
# Builds and runs the target as cargo-fuzz does, without it: coverage counters, assertions and overflow checks on.
set -euo pipefail
cd "$(dirname "$0")"
target=x86_64-unknown-linux-gnu
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 -Cdebug-assertions -Coverflow-checks"
cargo +nightly build --release --target "$target"
mkdir -p corpus/scene artifacts/scene
exec "target/$target/release/scene" -artifact_prefix=artifacts/scene/ "$@" corpus/scene
