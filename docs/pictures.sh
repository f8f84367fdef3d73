#!/usr/bin/env bash
# Makes the pictures of docs/plots.md again. Takes the command as an argument, or builds it.
set -euo pipefail
cd "$(dirname "$0")/.."
carom=${1:-}
if [ -z "$carom" ]; then
    cargo build --release --locked --quiet
    carom=target/release/carom
fi
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT

# A scene, a plot of it, and more for the run.
picture() {
    local scene=$1 plot=$2
    shift 2
    "$carom" run "scenes/$scene.toml" --out "$runs/$plot" --quiet "$@" >"$runs/summary"
    "$carom" plot "$runs/$plot" --which "$plot" --out docs/pictures
}
picture break energy
picture break trajectories --until 2
picture gas_of_discs speeds
picture gas_3d radial
picture newton_cradle contacts
