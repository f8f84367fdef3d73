#!/usr/bin/env bash
# The golden digests (crates/carom/tests/golden/) at every optimisation level: the same bits, or it fails.
# Builds the library five times; run it from anywhere, before a release or when the arithmetic of a kernel has changed.
set -euo pipefail
cd "$(dirname "$0")"

for level in 0 1 2 3 s; do
    printf '\n== opt-level %s\n' "$level"
    CARGO_PROFILE_TEST_OPT_LEVEL=$level CARGO_PROFILE_DEV_OPT_LEVEL=$level \
        cargo test --package carom --test golden --locked --target-dir "target/golden-$level"
done
