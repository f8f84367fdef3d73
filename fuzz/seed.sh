#!/usr/bin/env bash
# Fills corpus/scene with the sample scenes: an even byte in front of TOML, an odd one in front of JSON.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p corpus/scene
for file in ../scenes/*.toml ../crates/carom-scene/tests/{good,bad}/*.{toml,json}; do
  name=$(basename "$file")
  case "$file" in
    *.json) first=1 ;;
    *) first=0 ;;
  esac
  { printf '%s' "$first"; cat "$file"; } > "corpus/scene/seed-$name"
done
{ printf 0; cat ../scenes/two_discs.toml; printf '\001bodies.left.velocity=[1, 0]\001run.until=3'; } > corpus/scene/seed-set
