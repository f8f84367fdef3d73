#!/usr/bin/env bash
# Makes the pictures of docs/first_steps.md, docs/plots.md, docs/rendering.md, docs/rows.md and docs/gallery.md (and that page itself), and those of README.md, again. Takes the command as an argument, or builds it.
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

# Names may be patterns: 'gallery/*'.
# shellcheck disable=SC2053
wanted() { [ -z "$only" ] || [[ "$1" == $only ]]; }

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

# The gallery: a thumbnail of every scene, films of some, and the page that shows them.
gallery=docs/pictures/gallery
mkdir -p "$gallery"
# When a scene is worth looking at, where that is not after two fifths of its run, and how.
still() {
    case $1 in
        bowling) echo "--at 14% --camera -35,18 --view -1,-0.7,0,1.7,0.7,0.8" ;;
        break) echo "--at 9%" ;;
        breakout) echo "--at 30%" ;;
        dice) echo "--at 5% --camera 20,28" ;;
        dominoes) echo "--at 45%" ;;
        drag | magnus | wind | mars | earth_to_mars) echo "--at 70% --trails=100" ;;
        galperin) echo "--at 1%" ;;
        gas_3d | gas_of_discs | shear_flow | granular_cooling | viscoelastic_cooling | heated_gas | shaken_gas) echo "--at 40% --colour speed" ;;
        orbit) echo "--at 80% --trails=100" ;;
        cradle_on_threads) echo "--at 7%" ;;
        newton_cradle | cradle_*) echo "--at 40%" ;;
        rag_doll) echo "--at 22%" ;;
        table_roll | slope | belt) echo "--at 8%" ;;
        pool) echo "--at 15% --camera 0,62" ;;
        pendulum_wave) echo "--at 12% --camera -60,15" ;;
        tumbling_book) echo "--at 30%" ;;
        wrecking_ball) echo "--at 50% --trails" ;;
        wall_of_boxes) echo "--at 22%" ;;
        *) echo "--at 40%" ;;
    esac
}
for path in scenes/*.toml; do
    scene=$(basename "$path" .toml)
    if wanted "gallery/$scene.png"; then
        # shellcheck disable=SC2046
        "$carom" render --force "$path" --quiet --no-words --size 360 $(still "$scene") --out "$gallery/$scene.png"
    fi
done
film() {
    local scene=$1
    shift
    [ -f "scenes/$scene.toml" ] || return 0
    wanted "gallery/$scene.gif" || return 0
    "$carom" render --force "scenes/$scene.toml" --quiet --out "$gallery/$scene.gif" "$@"
}
film break --fps 20 --until 3 --speed 0.6 --size 400 --trails
film bowling --fps 20 --until 1.6 --speed 0.4 --size 400 --camera -35,18 --view -1,-0.7,0,1.7,0.7,0.8
film dice --fps 20 --until 1.2 --speed 0.25 --size 360 --camera 20,28
film dominoes --fps 20 --speed 0.6 --size 400
film wall_of_boxes --fps 20 --until 2.5 --speed 0.6 --size 400
film pinball --size 300 --fps 15 --to 8
film breakout --size 300 --fps 15 --to 8
film pool --fps 15 --size 400 --to 4.5 --camera 0,62
film gate --fps 20 --size 400 --to 6
film galton --size 340 --fps 15 --to 8
film pendulum_wave --fps 15 --size 300 --to 10 --camera -60,15
film cradle_on_threads --fps 20 --size 320 --to 1.6 --speed 0.5 --no-words
film rag_doll --fps 20 --size 400 --to 3.2
film wrecking_ball --fps 20 --size 400 --speed 0.5
film earth_to_mars --fps 20 --size 400 --trails

# The page: films first, then every scene with its title.
if wanted gallery.md; then
    {
        echo "# Gallery"
        echo
        echo "Every sample scene, as \`carom render scenes/NAME.toml\` shows it. The page and its pictures are made by \`docs/pictures.sh\`; a click on a title leads to the scene."
        echo
        echo "## Films"
        for path in "$gallery"/*.gif; do
            scene=$(basename "$path" .gif)
            title=$(sed -n 's/^title = "\(.*\)"/\1/p' "scenes/$scene.toml" | head -1)
            printf '\n**[%s](../scenes/%s.toml)**\n\n![%s](pictures/gallery/%s.gif)\n' "$title" "$scene" "$title" "$scene"
        done
        printf '\n## All scenes\n\n| | | |\n|---|---|---|\n'
        count=0 row="|"
        for path in scenes/*.toml; do
            scene=$(basename "$path" .toml)
            title=$(sed -n 's/^title = "\(.*\)"/\1/p' "$path" | head -1)
            row="$row ![$title](pictures/gallery/$scene.png)<br>[$title](../scenes/$scene.toml) |"
            count=$((count + 1))
            if [ $((count % 3)) = 0 ]; then
                echo "$row"
                row="|"
            fi
        done
        while [ $((count % 3)) != 0 ]; do
            row="$row |"
            count=$((count + 1))
            [ $((count % 3)) != 0 ] || echo "$row"
        done
    } >docs/gallery.md
fi
