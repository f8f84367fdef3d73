#!/usr/bin/env bash
# Makes the pictures of docs/first_steps.md, docs/plots.md, docs/rendering.md and docs/rows.md, and those of README.md, again. Takes the command as an argument, or builds it.
# With a name as the second argument, that one alone: docs/pictures.sh target/release/carom break.gif
set -euo pipefail
cd "$(dirname "$0")/.."
carom=${1:-}
only=${2:-}
if [ -z "$carom" ]; then
    cargo build --release --locked --quiet
    carom=target/release/carom
fi
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT

wanted() { [ -z "$only" ] || [ "$only" = "$1" ]; }

# A scene, a plot of it, and more for the run.
plot() {
    local scene=$1 plot=$2
    shift 2
    wanted "$plot.svg" || return 0
    "$carom" run "scenes/$scene.toml" --out "$runs/$plot" --quiet "$@" >"$runs/summary"
    "$carom" plot --force "$runs/$plot" --which "$plot" --out docs/pictures
}
plot break energy
plot break trajectories --until 2
plot gas_of_discs speeds
plot gas_3d radial
plot newton_cradle contacts

# A scene, the name of a picture of it, and how it is made.
picture() {
    local scene=$1 name=$2
    shift 2
    wanted "$name" || return 0
    [ -d "$runs/$scene" ] || "$carom" run "scenes/$scene.toml" --out "$runs/$scene" --quiet >"$runs/summary"
    "$carom" render --force "$runs/$scene" --quiet --out "docs/pictures/$name" "$@"
}
# Slowly up to the break, which is where everything happens.
picture break break.gif --to 1.5 --speed 0.25 --fps 20 --size 640x352 --trails --flashes
picture break collision.png --collision 1 --size 960x540
picture box_and_cylinder_3d obstacles.png --at 1.2 --trails --flashes --camera 20,15 --size 960x640
picture gas_3d gas_3d.png --at 1 --colour speed --size 960x640
picture cradle_of_masses unequal_masses.png --collision 1 --size 720x320
picture bumper peg.png --collision 1 --size 720x400
picture moving_wall moving_wall.png --collision 1 --size 720x400
picture two_discs impulses.png --collision 1 --size 720x320
picture box_and_cylinder_3d cylinder.png --collision 1 --camera 60,10 --size 720x480
picture worked_example_2 friction.png --collision 1 --camera -50,15 --size 720x400
picture dominoes dominoes.png --at 1 --view -0.5,-0.2,4,1.6 --size 720x320
picture wall_of_boxes wall_of_boxes.png --at 1 --view -1.5,-0.5,9,4.5 --size 720x360
picture dice dice.png --at 0.4 --size 720x400
# The page of the first steps.
picture mars mars.png --at 7.5 --trails=7.5 --size 800x300
if wanted mars_energy.svg; then
    "$carom" run scenes/mars.toml --out "$runs/mars_energy" --quiet >"$runs/summary"
    "$carom" plot --force "$runs/mars_energy" --which energy --out "$runs/mars_plots"
    cp "$runs/mars_plots/energy.svg" docs/pictures/mars_energy.svg
fi
